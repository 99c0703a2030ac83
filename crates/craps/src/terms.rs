//! What a progressive meter runs on: where it starts, what each wager adds, who takes it. The
//! published rules leave that to the house.

use serde::{Deserialize, Serialize};

use crate::money::{Cents, MicroCents, Rate};

/// How a progressive meter is funded and paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeterTerms {
    /// What it starts at and restarts at, for the base wager in force.
    pub seed: Cents,
    /// The share of each wager added to it.
    pub increment: Rate,
    /// The share of each wager set aside for the next seed.
    pub reserve: Rate,
    /// The most it shows; what goes over it goes to the reserve.
    pub ceiling: Option<Cents>,
    /// What several winners of one roll get.
    pub winners: Winners,
}

/// What several winners of one meter get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Winners {
    /// The meter is divided by base units.
    Share,
    /// Each takes the whole meter; the house pays the excess.
    InFull,
}

impl MeterTerms {
    /// Terms to start from, by the keys of a meter: $1,000 for each dollar of the base wager.
    /// Rulebooks do not have them, and nothing uses them unasked.
    pub const SUGGESTED: [(&'static str, &'static str); 3] =
        [("seed", "1000"), ("increment", "15%"), ("reserve", "5%")];

    /// The suggested terms as options of `wager`.
    ///
    /// ```
    /// let options = craps::MeterTerms::suggested("fired-up");
    /// assert_eq!(options[0], ("fired-up.meter.seed".to_owned(), "1000".to_owned()));
    /// ```
    pub fn suggested(wager: &str) -> [(String, String); 3] {
        MeterTerms::SUGGESTED.map(|(key, value)| option(wager, key, value.to_owned()))
    }

    /// What of a wager goes to the amount shown, and what to the reserve.
    pub fn shares(&self, stake: Cents) -> (MicroCents, MicroCents) {
        (self.increment.of(stake), self.reserve.of(stake))
    }

    /// What keeps a meter on these terms from being a jackpot; nothing where it is one.
    pub fn lack(&self) -> Option<&'static str> {
        match (self.seed, self.increment) {
            (Cents::ZERO, Rate::ZERO) => Some("starts at nothing and never grows"),
            (Cents::ZERO, _) => Some("starts at nothing"),
            (_, Rate::ZERO) => Some("never grows"),
            _ => None,
        }
    }

    /// Whether nobody has set them: what a meter will show cannot be told.
    pub fn are_unset(&self) -> bool {
        self.seed == Cents::ZERO && self.increment == Rate::ZERO
    }

    /// The options that put the meter of `wager` on exactly these terms, whatever its base.
    pub fn options(&self, wager: &str) -> [(String, String); 6] {
        let winners = match self.winners {
            Winners::Share => "share",
            Winners::InFull => "in-full",
        };
        let ceiling = self.ceiling.map_or("none".to_owned(), |ceiling| ceiling.to_string());
        [
            ("seed", self.seed.to_string()),
            // A seed for each dollar of the base could not name every cent.
            ("seed-per", "base".to_owned()),
            ("increment", self.increment.to_string()),
            ("reserve", self.reserve.to_string()),
            ("ceiling", ceiling),
            ("winners", winners.to_owned()),
        ]
        .map(|(key, value)| option(wager, key, value))
    }
}

fn option(wager: &str, key: &str, value: String) -> (String, String) {
    (format!("{wager}.meter.{key}"), value)
}
