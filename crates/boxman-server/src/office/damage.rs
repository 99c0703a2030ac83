//! What is wrong with the logs, as far as it is known: tables that do not open, and logs that are
//! not what was written.

use std::time::Duration;

use tokio::time::Instant;

use super::{Office, lock};
use crate::id::TableId;
use crate::log::Stream;
use crate::problem::Problem;

/// A table that could not be opened is tried again after this long, whoever asks for it.
const TRY_AGAIN: Duration = Duration::from_secs(5);

/// Why a log is not to be believed, and when that was found.
pub(super) struct Damage {
    reason: String,
    found: Instant,
    /// Whether the log itself says so, and not only a table that did not open: that one is tried
    /// again.
    lasting: bool,
}

impl Office {
    /// Tables that do not play, and why: their logs are damaged, or make the engine panic. And
    /// meters that answer no claim, and the house's own log where it is damaged.
    pub fn damaged(&self) -> Vec<(Stream, String)> {
        let damaged = lock(&self.damaged);
        damaged.iter().map(|(stream, damage)| (stream.clone(), damage.reason.clone())).collect()
    }

    /// Whether a log is damaged, and why.
    pub fn damage_of(&self, stream: &Stream) -> Option<String> {
        lock(&self.damaged).get(stream).map(|damage| damage.reason.clone())
    }

    /// Notes that a table does not play. The others do.
    pub(crate) fn shut(&self, table: TableId, reason: &str) {
        self.note_damage(Stream::Table(table), reason, false);
    }

    pub(crate) fn note_damage(&self, stream: Stream, reason: &str, lasting: bool) {
        tracing::error!(%stream, reason, "a log is damaged");
        let damage = Damage { reason: reason.to_owned(), found: Instant::now(), lasting };
        let mut damaged = lock(&self.damaged);
        if lasting || damaged.get(&stream).is_none_or(|known| !known.lasting) {
            damaged.insert(stream, damage);
        }
    }

    pub(crate) fn lasting_damage(&self, stream: &Stream) -> Option<String> {
        let damaged = lock(&self.damaged);
        damaged.get(stream).filter(|damage| damage.lasting).map(|damage| damage.reason.clone())
    }

    /// A table that has opened is not damaged, unless its log says so.
    pub(crate) fn opened(&self, table: TableId) {
        let opened = Stream::Table(table);
        lock(&self.damaged).retain(|stream, damage| damage.lasting || *stream != opened);
    }

    /// A log that is known to be damaged is not played on. A table that has just failed to open
    /// is not read again at once for everybody who asks.
    pub(crate) fn check_damage(&self, table: TableId) -> Result<(), Problem> {
        match lock(&self.damaged).get(&Stream::Table(table)) {
            Some(Damage { reason, found, lasting }) if *lasting || found.elapsed() < TRY_AGAIN => {
                Err(Problem::unavailable("table-damaged", reason.clone()))
            }
            _ => Ok(()),
        }
    }
}

/// Whether a table that answers so is damaged, and not only out of reach.
pub(crate) fn is_damage(problem: &Problem) -> bool {
    matches!(problem.code.as_str(), "store-damaged" | "table-damaged")
}
