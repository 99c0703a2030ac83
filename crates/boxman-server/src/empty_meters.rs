//! Meters that are no jackpot: they start at nothing, or never grow. A real table does not open
//! on one unless its operator says that it is meant; any other says so to whoever looks.

use craps::rules::MeterRule;
use craps::{MeterTerms, Rules};

use crate::id::MeterId;
use crate::problem::Problem;

/// A sentence for each meter of these rules that is no jackpot.
pub(crate) fn warnings(rules: &Rules) -> Vec<String> {
    rules.meters().iter().filter_map(|rule| warning(rules, rule)).collect()
}

fn warning(rules: &Rules, rule: &MeterRule) -> Option<String> {
    let wager = &rules.wager(rule.wager).name;
    let lack = rule.terms.lack()?;
    let options = MeterTerms::suggested(wager).map(|(name, value)| format!("{name}={value}"));
    Some(format!("the meter of {wager} {lack}, set options such as {}", options.join(" ")))
}

/// Whether a meter that does not exist yet would be a jackpot on the terms of the rules.
pub(crate) fn check_new(rules: &Rules, rule: &MeterRule) -> Result<(), Problem> {
    warning(rules, rule).map_or(Ok(()), |warning| refused(&warning))
}

/// Whether a meter that exists is a jackpot on its own terms, and stays one on those of the rules
/// where it waits for them.
pub(crate) fn check_own(
    rules: &Rules,
    rule: &MeterRule,
    meter: &MeterId,
    own: &MeterTerms,
) -> Result<(), Problem> {
    let Some(lack) = own.lack().or(rule.terms.lack()) else { return Ok(()) };
    let wager = &rules.wager(rule.wager).name;
    let suggested = MeterTerms::SUGGESTED.map(|(key, value)| format!("{key} {value}"));
    refused(&format!(
        "meter {meter}, which pays {wager}, {lack}, set its terms ({} are suggested)",
        suggested.join(", ")
    ))
}

fn refused(warning: &str) -> Result<(), Problem> {
    let meant = "or open it with empty_meters where that is meant";
    Err(Problem::invalid("empty-meter", format!("{warning}, {meant}")))
}
