//! What happened to a meter.

use serde::Serialize;

use super::TableClaim;
use crate::account::Seat;
use crate::money::{Cents, MicroCents};
use crate::terms::MeterTerms;

/// What happened to a meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum MeterEvent {
    /// A wager was shared out.
    Fed {
        /// Added to the amount shown.
        amount: MicroCents,
        /// Added to the reserve.
        reserve: MicroCents,
        /// Added to the reserve because the ceiling was reached.
        overflow: MicroCents,
        /// Put in by the house: a wager was taken back whose share had been won meanwhile.
        from_house: MicroCents,
    },
    /// The top award was claimed.
    Claimed {
        /// By whom.
        claim: TableClaim,
        /// The winners and their base wagers.
        winners: Vec<(Seat, u32)>,
    },
    /// The claim was answered.
    Awarded(Award),
    /// The meter restarted at its seed.
    Reseeded {
        /// The claim that emptied it.
        claim: TableClaim,
        /// Overflow of the past run, now part of the reserve.
        overflow: MicroCents,
        /// What the reserve paid of it.
        from_reserve: MicroCents,
        /// What the house paid of it.
        from_house: MicroCents,
    },
    /// An award was taken back, and its reseeding with it.
    Reversed {
        /// Whose award.
        claim: TableClaim,
    },
    /// The operator changed the amount.
    Adjusted {
        /// By how much.
        amount: MicroCents,
        /// What of it went to the overflow, and not to the house.
        overflow: MicroCents,
        /// Why.
        reason: String,
    },
    /// Players' money left for another meter.
    MovedOut(Moved),
    /// Players' money came from another meter.
    MovedIn(Moved),
    /// Players' money was set aside for them.
    Kept(Moved),
    /// Other terms were set; they hold from the next reset.
    TermsSet {
        /// The terms.
        terms: MeterTerms,
    },
    /// The meter was closed.
    Closed {
        /// What it showed and had in reserve, now the house's.
        returned: MicroCents,
    },
}

/// Money that moves, by where it lies or lay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Moved {
    /// In the amount shown.
    pub amount: MicroCents,
    /// In the reserve.
    pub reserve: MicroCents,
    /// In the overflow.
    pub overflow: MicroCents,
    /// Among what is kept for players.
    pub kept: MicroCents,
}

impl Moved {
    /// All of it.
    pub fn total(&self) -> MicroCents {
        self.amount + self.reserve + self.overflow + self.kept
    }
}

/// A meter's answer to a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Award {
    /// The claim.
    pub claim: TableClaim,
    /// What each winner gets.
    pub shares: Vec<(Seat, Cents)>,
    /// What the meter pays of it.
    pub from_meter: Cents,
    /// What the house pays beyond the meter, where each winner takes it in full.
    pub from_house: Cents,
}
