//! What the whole table shares between rolls: the puck, the lammers, and what they remember.

use std::hash::{Hash, Hasher};

use serde::Serialize;

use crate::dice::Totals;
use crate::puck::Puck;
use crate::tracker::Tracker;

/// The state of the game that belongs to no player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Hand {
    /// Where the puck lies.
    pub puck: Puck,
    /// The totals rolled since the last seven, kept only where a betting window asks for them.
    pub seen: Totals,
    /// Whether this hand has begun, kept only where a betting window asks for it.
    pub begun: Begun,
    /// One tracker for each tracked spot of the rules, in their order; the rest stay idle.
    pub trackers: [Tracker; Hand::TRACKERS],
}

/// Whether a roll of the hand has been thrown. For side bets a hand goes from seven-out to
/// seven-out, whoever throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Begun {
    /// No roll since the last seven-out.
    #[default]
    No,
    /// By a shooter who has passed the dice: none by the one who has them now.
    ByAnother,
    /// By the shooter who has the dice.
    Yes,
}

/// Idle trackers tell no two hands apart, and most are idle.
impl Hash for Hand {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let Hand { puck, seen, begun, trackers } = self;
        (puck, seen, begun).hash(hasher);
        let used = trackers.iter().enumerate().filter(|(_, it)| **it != Tracker::default());
        used.for_each(|used| used.hash(hasher));
    }
}

impl Hand {
    /// The most spots a table can keep lammers for.
    pub const TRACKERS: usize = 32;
}

/// Only trackers in use are written.
#[derive(Serialize)]
struct Written {
    puck: Puck,
    seen: Totals,
    #[serde(skip_serializing_if = "Begun::is_no")]
    begun: Begun,
    trackers: Vec<Tracker>,
}

impl Begun {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    fn is_no(&self) -> bool {
        *self == Begun::No
    }
}

impl Serialize for Hand {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let used = self.trackers.iter().rposition(|tracker| *tracker != Tracker::default());
        let trackers = self.trackers[..used.map_or(0, |last| last + 1)].to_vec();
        Written { puck: self.puck, seen: self.seen, begun: self.begun, trackers }
            .serialize(serializer)
    }
}
