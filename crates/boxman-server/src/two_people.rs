//! What takes two people: one asks with a reason, another agrees, in time. Tables and meters hold
//! to the same rule.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::names;
use crate::problem::Problem;

/// How long a proposal waits for the second person.
const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// When a proposal made at this time lapses, as people read it. Whoever keeps the proposal goes
/// by a clock that nobody sets (see [`Waiting`]).
pub(crate) fn until(at: u64) -> u64 {
    at + PATIENCE.as_secs() * 1_000
}

/// How long each proposal has waited. After a restart they wait anew.
#[derive(Default)]
pub(crate) struct Waiting(BTreeMap<u64, Instant>);

impl Waiting {
    /// Notes which proposals there are now.
    pub(crate) fn follow(&mut self, proposals: impl Iterator<Item = u64>) {
        let before = std::mem::take(&mut self.0);
        let lapses =
            |id| (id, before.get(&id).copied().unwrap_or_else(|| Instant::now() + PATIENCE));
        self.0 = proposals.map(lapses).collect();
    }

    /// When the next one lapses.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.0.values().min().copied()
    }

    /// One that has waited long enough.
    pub(crate) fn lapsed(&self) -> Option<u64> {
        let now = Instant::now();
        self.0.iter().find(|(_, lapses)| **lapses <= now).map(|(id, _)| *id)
    }
}

/// A reason somebody could read out.
pub(crate) fn reason(text: &str) -> Result<String, Problem> {
    let shown = "give a reason of 1 to 200 characters that show, in one line";
    names::line(text, 200).ok_or_else(|| Problem::invalid("no-reason", shown))
}

/// Whoever agrees is not the one who asked.
pub(crate) fn check(asked: &str, agrees: &str) -> Result<(), Problem> {
    let another = "that takes two people: somebody else has to agree";
    match asked == agrees {
        true => Err(Problem::new(403, "same-person", another)),
        false => Ok(()),
    }
}

/// A table whose last roll may be taken back waits.
pub(crate) fn considered() -> Problem {
    let waits = "the table waits for a second person, who agrees or withdraws";
    Problem::conflict("proposal-open", waits)
}

/// Nothing of that number waits.
pub(crate) fn nothing() -> Problem {
    Problem::conflict("no-such-proposal", "nothing of that number waits for a second person")
}
