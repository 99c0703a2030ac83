//! What the whole table shares between rolls: the puck, the lammers, and what they remember.

use serde::{Deserialize, Serialize};

use crate::{Puck, Total, Totals};

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
#[derive(Serialize, Deserialize)]
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

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Hand, D::Error> {
        let written = Written::deserialize(deserializer)?;
        let mut hand = Hand { puck: written.puck, seen: written.seen, ..Hand::default() };
        if written.trackers.len() > Hand::TRACKERS {
            return Err(serde::de::Error::custom("too many trackers"));
        }
        hand.trackers[..written.trackers.len()].copy_from_slice(&written.trackers);
        Ok(hand)
    }
}

/// The lammers of one side bet. They belong to the table: all bets riding on a wager share one
/// start and win or lose together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Tracker {
    /// The circles that carry a lammer.
    pub marks: Totals,
    /// The sequence being followed and how many of its rolls have matched.
    pub run: Run,
    /// How many bets are up on the wager.
    pub bets: u8,
    /// Whether those bets have survived a roll.
    pub riding: Riding,
    /// Its numbers were completed by the last roll, which may open a window for a re-bet.
    pub done: bool,
}

/// Progress along a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Run {
    /// Which sequence the first roll chose.
    pub sequence: u8,
    /// How many rolls have matched it.
    pub matched: u8,
}

/// Whether bets ride on a tracked wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Riding {
    /// No bet is up: the first one starts with an empty tracker.
    #[default]
    Idle,
    /// Bets are up that no roll has touched; others may join and they may be taken back.
    Fresh,
    /// Bets are up that have survived a roll.
    Standing,
}

impl Tracker {
    /// The tracker with one more bet on it; the first starts it anew.
    #[must_use]
    pub(crate) fn joined(self) -> Tracker {
        match self.riding {
            Riding::Idle => {
                Tracker { bets: 1, riding: Riding::Fresh, done: self.done, ..Tracker::default() }
            }
            _ => Tracker { bets: self.bets + 1, ..self },
        }
    }

    /// The tracker with one bet fewer; without any it is empty.
    #[must_use]
    pub(crate) fn left(self) -> Tracker {
        match self.bets {
            0 | 1 => Tracker { done: self.done, ..Tracker::default() },
            bets => Tracker { bets: bets - 1, ..self },
        }
    }

    /// Whether a bet that has survived a roll is up.
    pub fn is_standing(self) -> bool {
        self.riding == Riding::Standing
    }

    /// Whether `total` carries a lammer.
    pub fn is_marked(self, total: Total) -> bool {
        self.marks.contains(total)
    }
}
