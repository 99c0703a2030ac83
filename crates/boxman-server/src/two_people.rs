//! What takes two people: one asks with a reason, another agrees, in time. Tables and meters hold
//! to the same rule.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use crate::line::Line;
use crate::log::{Entry, Withdrawn};
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
    let another = "you asked for this: another person has to agree";
    match asked == agrees {
        true => Err(Problem::new(403, "same-person", another)),
        false => Ok(()),
    }
}

/// Why a request is withdrawn: another person than the one who asked has to say.
pub(crate) fn reason_to_withdraw(
    asked: &str,
    withdraws: &str,
    given: Option<&str>,
) -> Result<Option<String>, Problem> {
    match given {
        Some(text) => reason(text).map(Some),
        None if asked == withdraws => Ok(None),
        None => {
            let why = "another person asked for that: give a reason of 1 to 200 characters, which \
                       they are told";
            Err(Problem::invalid("no-reason", why))
        }
    }
}

/// How many requests that were withdrawn are remembered, so that those who asked are told.
const REMEMBERED: usize = 8;

/// A request that comes to nothing.
pub(crate) struct ComesToNothing<'a> {
    /// The record that asked.
    pub(crate) proposal: u64,
    /// What for, in the words of the request.
    pub(crate) what: String,
    /// What it would have changed.
    pub(crate) lines: &'a [Line],
    /// Who had asked.
    pub(crate) asked_by: &'a str,
    /// Why it comes to nothing, where somebody says.
    pub(crate) reason: Option<&'a String>,
}

/// Remembers a request that came to nothing, unless the one who asked withdrew it, or it was made
/// before requests said what they change: earlier versions of the program would not know this.
pub(crate) fn remember<T>(
    all: &mut VecDeque<Withdrawn>,
    request: ComesToNothing<'_>,
    entry: &Entry<T>,
) {
    let ComesToNothing { proposal, what, lines, asked_by, reason } = request;
    if entry.by == asked_by || (lines.is_empty() && reason.is_none()) {
        return;
    }
    let by = (entry.by != "boxman").then(|| entry.name.clone().unwrap_or_default());
    let (asked_by, reason, at) = (asked_by.to_owned(), reason.cloned(), entry.at);
    all.push_back(Withdrawn { proposal, what, asked_by, by, reason, at });
    while all.len() > REMEMBERED {
        all.pop_front();
    }
}

/// A claim that another person asks to deny waits for that.
pub(crate) fn denial_open() -> Problem {
    let waits = "another person asks to deny that claim: a supervisor agrees to the denial or \
                 withdraws it first";
    Problem::conflict("denial-open", waits)
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
