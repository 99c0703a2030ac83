//! What a manager should not overlook on a sheet.

use craps::MeterTerms;

use super::{Par, Progressive};
use crate::chance::{Ratio, percent, ratio};

impl Par {
    /// What a manager should not overlook.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        if self.is_without_terms() {
            flags.push(self.no_terms_flag());
        }
        if self.return_at_meter > Ratio::ONE {
            flags.push(format!(
                "returns {} % at this meter: players have the edge",
                percent(&self.return_at_meter, 2)
            ));
        }
        if let Some(long_run) = self.progressive.as_ref().and_then(Progressive::long_run_return)
            && long_run > Ratio::ONE
        {
            let returns = percent(&long_run, 2);
            flags.push(format!("returns {returns} % in the long run: players have the edge"));
        }
        if self.edge() > Ratio::ZERO && self.edge_after_envy() <= Ratio::ZERO {
            flags.push("the house loses once envy is paid".to_owned());
        }
        if self.progressive.is_some() && self.fixed_return > ratio(3, 4) {
            flags.push(format!(
                "the fixed pays alone return {} %, which leaves {} % for meter, envy and house",
                percent(&self.fixed_return, 2),
                percent(&(Ratio::ONE - &self.fixed_return), 2)
            ));
        }
        flags.extend(self.starts.sentences(&self.wager));
        flags
    }

    /// What there is to say of a progressive whose terms nobody has set.
    pub fn no_terms_flag(&self) -> String {
        let options = MeterTerms::suggested(&self.wager).map(|(name, value)| name + "=" + &value);
        format!(
            "no terms: seed 0 and no increment, so the mean meter, the long-run return and the \
             hold are unknown; set options such as {}",
            options.join(" ")
        )
    }
}
