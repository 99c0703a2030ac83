//! Betting rounds: each has the number of the record that began it. A command that depends on the
//! moment names its round, so that it never lands in a later one.

use craps::Roll;

/// A betting round, by what began it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The record it began with, which is its number.
    pub record: u64,
    /// What that record did.
    pub began: RoundBegan,
    /// Who asked for it.
    pub by: String,
    /// Their name at the table.
    pub name: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// What ends one betting round and begins the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RoundBegan {
    /// The table opened.
    Opened,
    /// The dice were thrown.
    Rolled {
        /// What they showed.
        roll: Roll,
        /// Which roll of the table it was.
        number: u64,
    },
    /// The last roll was voided.
    Voided {
        /// What the dice had shown.
        roll: Roll,
    },
    /// The last roll was corrected.
    Corrected {
        /// What had been keyed.
        was: Roll,
        /// What the dice showed.
        roll: Roll,
    },
    /// A throw did not count.
    NoRoll,
    /// The dice went to another player.
    DicePassed,
    /// The table went over to other rules.
    Configured,
}

impl RoundBegan {
    /// Its name in the API.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            RoundBegan::Opened => "opened",
            RoundBegan::Rolled { .. } => "rolled",
            RoundBegan::Voided { .. } => "voided",
            RoundBegan::Corrected { .. } => "corrected",
            RoundBegan::NoRoll => "no-roll",
            RoundBegan::DicePassed => "dice-passed",
            RoundBegan::Configured => "configured",
        }
    }

    /// The dice it is about, if it is about any.
    pub(crate) fn dice(&self) -> Option<Roll> {
        match self {
            RoundBegan::Rolled { roll, .. }
            | RoundBegan::Voided { roll }
            | RoundBegan::Corrected { roll, .. } => Some(*roll),
            RoundBegan::Opened
            | RoundBegan::NoRoll
            | RoundBegan::DicePassed
            | RoundBegan::Configured => None,
        }
    }
}

impl Round {
    /// What happened, in a sentence without a full stop.
    pub(crate) fn in_words(&self) -> String {
        let who = match (&self.name, self.by.as_str()) {
            (Some(name), _) => name.as_str(),
            (None, "boxman") => "the house",
            (None, _) => "another person",
        };
        match &self.began {
            RoundBegan::Opened => format!("{who} opened the table"),
            RoundBegan::Rolled { roll, number } => format!("{who} booked {roll} as roll {number}"),
            RoundBegan::Voided { roll } => format!("the roll {roll} was voided"),
            RoundBegan::Corrected { was, roll } => {
                format!("the roll {was} was corrected to {roll}")
            }
            RoundBegan::NoRoll => format!("{who} called no roll"),
            RoundBegan::DicePassed => "the dice went to another player".to_owned(),
            RoundBegan::Configured => "the rules of the table changed".to_owned(),
        }
    }
}
