//! What the whole table shares between rolls: the puck, the lammers, and what they remember.

use serde::Serialize;

use crate::dice::Totals;
use crate::puck::Puck;
use crate::tracker::Tracker;

/// The state of the game that belongs to no player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Hand {
    /// Where the puck lies.
    pub puck: Puck,
    /// The totals rolled since the last seven, kept only where a betting window asks for them.
    pub seen: Totals,
    /// One tracker for each tracked wager of the rules, in their order; the rest stay idle.
    pub trackers: [Tracker; Hand::TRACKERS],
}

impl Hand {
    /// The most tracked wagers a table can offer; with as many a hand fits two cache lines.
    pub const TRACKERS: usize = 14;
}

/// Only trackers in use are written.
#[derive(Serialize)]
struct Written {
    puck: Puck,
    seen: Totals,
    trackers: Vec<Tracker>,
}

impl Serialize for Hand {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let used = self.trackers.iter().rposition(|tracker| *tracker != Tracker::default());
        let trackers = self.trackers[..used.map_or(0, |last| last + 1)].to_vec();
        Written { puck: self.puck, seen: self.seen, trackers }.serialize(serializer)
    }
}
