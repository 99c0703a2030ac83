//! What somebody asks of a meter.

use serde::Serialize;

use crate::account::Seat;
use crate::money::{Cents, MicroCents};
use crate::table::ClaimId;
use crate::terms::MeterTerms;

/// What somebody asks of a meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "command")]
pub enum MeterCommand {
    /// A wager was placed, or taken back where less than zero.
    Feed {
        /// What of it goes to the amount shown.
        increment: MicroCents,
        /// What of it goes to the reserve.
        reserve: MicroCents,
    },
    /// A table's roll won the top award.
    Claim {
        /// Which claim of which table.
        claim: TableClaim,
        /// The winners and their base wagers.
        winners: Vec<(Seat, u32)>,
    },
    /// A claim's roll was voided after it had been paid.
    Reverse {
        /// Which claim of which table.
        claim: TableClaim,
    },
    /// The operator adds to the meter or takes from it.
    Adjust {
        /// By how much.
        amount: Cents,
        /// What brings it about; none in logs from before there were kinds.
        kind: Option<AdjustKind>,
        /// Why.
        reason: String,
    },
    /// The operator sets other terms, which wait for the next reset.
    SetTerms {
        /// The terms.
        terms: MeterTerms,
    },
    /// Players' money leaves for another meter.
    MoveOut(Moving),
    /// Players' money comes from another meter.
    TakeIn {
        /// What was shown there.
        amount: MicroCents,
        /// What was set aside there.
        reserve: MicroCents,
    },
    /// Players' money is set aside for them: nothing shows or pays it until it is moved.
    Keep(Moving),
    /// The operator closes the meter: what it still holds goes back to the house.
    Close,
}

/// What of the players' money leaves a meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moving {
    /// So much of the amount shown, or, once the meter is closed, of what is kept.
    Amount(Cents),
    /// All but the seed: what is above it, and what is set aside.
    AboveSeed,
    /// All of it.
    All,
}

/// What brings an adjustment about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdjustKind {
    /// A jackpot was paid that the meter knows nothing of.
    PaidOutside,
    /// The sign or the meter had failed.
    Malfunction,
    /// More was shown than the ceiling allows: it waits for the next reset.
    OverCeiling,
    /// The house changes what it has put in for the seed.
    Seed,
}

impl MeterCommand {
    /// What a wager of `stake` feeds a meter on these terms.
    pub fn feed(terms: &MeterTerms, stake: Cents) -> MeterCommand {
        let (increment, reserve) = terms.shares(stake);
        MeterCommand::Feed { increment, reserve }
    }
}

/// A claim, among the claims of all tables linked to a meter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TableClaim {
    /// The table.
    pub table: u32,
    /// Its claim.
    pub id: ClaimId,
}
