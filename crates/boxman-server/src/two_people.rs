//! What takes two people: one asks with a reason, another agrees, in time. Tables and meters hold
//! to the same rule.

use crate::problem::Problem;

/// How long a proposal waits for the second person, in milliseconds.
pub(crate) const PATIENCE: u64 = 10 * 60 * 1_000;

/// A reason somebody could read out.
pub(crate) fn reason(text: &str) -> Result<String, Problem> {
    let text = text.trim();
    match (1..=200).contains(&text.chars().count()) {
        true => Ok(text.to_owned()),
        false => Err(Problem::invalid("no-reason", "give a reason of 1 to 200 characters")),
    }
}

/// Whoever agrees is not the one who asked.
pub(crate) fn check(asked: &str, agrees: &str) -> Result<(), Problem> {
    let another = "that takes two people: somebody else has to agree";
    match asked == agrees {
        true => Err(Problem::new(403, "same-person", another)),
        false => Ok(()),
    }
}

/// Nothing of that number waits.
pub(crate) fn nothing() -> Problem {
    Problem::conflict("no-such-proposal", "nothing of that number waits for a second person")
}
