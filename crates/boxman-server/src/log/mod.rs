//! The log: what happened, written down once, each record chained to the one before.
//!
//! A stream is the log of one table, of one meter, or of the house itself. A record holds one
//! accepted command with everything that came of it; its hash covers the record before, so that
//! an edit, a deletion, an insertion or a swap shows.
//!
//! What is written has types of its own, in `v1`, which are neither the engine's nor the live
//! API's: those change with the program, these never do. `docs/log.md` is the format in words,
//! and says how a version 2 would come beside it.

mod house;
mod kept;
mod meter;
mod record;
mod stored;
mod table;
mod v1;

use std::time::{SystemTime, UNIX_EPOCH};

pub use self::house::HouseEntry;
pub use self::kept::{
    Books, Bought, Claimed, Configured, DayBook, Figures, FixedAward, Jackpots, KeptMeter,
    KeptTable, LastRoll, LeftRacks, Letter, Linked, MendedAway, MeterPending, Moved, Noted,
    Pending, PlayerDay, Sent, Sitting, Withdrawn,
};
pub use self::meter::{Heard, MeterEntry, MeterProposal, PlayersMoney, Tell, Transfer};
pub use self::record::{Head, Key, Record, Stream, Unreadable};
pub use self::table::{Proposal, Queued, Step, TableEntry, Thrown};
pub(crate) use self::v1::export;
use crate::hash::Digest;

/// What a record says: when, who, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<W> {
    /// Milliseconds since 1970.
    pub at: u64,
    /// Who asked, by the id that stands for them.
    pub by: String,
    /// The name they had at tables then, where no seat of theirs tells it.
    pub name: Option<String>,
    /// The id they asked with, where it was a person.
    pub id: Option<String>,
    /// A digest of what they asked for: the same id stands for nothing else, ever.
    pub asked: Option<Digest>,
    /// The betting round they named.
    pub round: Option<u64>,
    /// The other of two people: who had asked for what `by` agreed to.
    pub second: Option<String>,
    /// What happened.
    pub what: W,
}

/// Something that is written down as text and read back, in whichever version.
pub trait Written: Sized {
    /// It as text, in the version written today.
    fn text(&self) -> String;

    /// It from text of any version this program knows, or why not.
    fn read(text: &str) -> Result<Self, String>;
}

impl<W> Entry<W> {
    /// Something that happened at a moment.
    pub fn new(at: u64, by: impl Into<String>, what: W) -> Entry<W> {
        let (name, id, asked, round, second) = (None, None, None, None, None);
        Entry { at, by: by.into(), name, id, asked, round, second, what }
    }

    /// The record that follows `head`.
    pub fn record(&self, head: Head, stream: Stream) -> Record
    where
        Entry<W>: Written,
    {
        let key = self.id.as_ref().map(|id| Key::of_command(&self.by, id));
        Record::after(head, stream, key, self.text())
    }
}

impl Record {
    /// Reads the body.
    pub fn entry<W>(&self) -> Result<Entry<W>, Unreadable>
    where
        Entry<W>: Written,
    {
        let unreadable = |reason| Unreadable { stream: self.stream.clone(), seq: self.seq, reason };
        Entry::read(&self.body).map_err(unreadable)
    }
}

/// Milliseconds since 1970, by this machine's clock.
pub fn now() -> u64 {
    #[cfg(feature = "simulation")]
    if let Some(now) = crate::simulated::now() {
        return now;
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
