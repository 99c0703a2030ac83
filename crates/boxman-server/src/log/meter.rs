//! What a meter writes down.

use craps::meter::{MeterEvent, TableClaim};
use craps::{Cents, MeterTerms, MicroCents, Seat};

use crate::id::TableId;
use crate::line::Line;

/// What happened to a meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeterEntry {
    /// It was opened.
    Opened {
        /// The paytable it serves.
        paytable: String,
        /// Its terms.
        terms: MeterTerms,
        /// Whether it belongs to a practice table: then it is play money, and no real table may
        /// share it.
        practice: bool,
    },
    /// It heard from its tables, in this order.
    Heard {
        /// Each message and what came of it.
        heard: Vec<Heard>,
    },
    /// An operator changed it, where one is enough.
    Changed {
        /// What was asked for.
        proposal: MeterProposal,
        /// What came of it.
        events: Vec<MeterEvent>,
    },
    /// An operator asked for something that takes two people.
    Proposed {
        /// What.
        proposal: MeterProposal,
        /// What it would change, as the second person reads it.
        lines: Vec<Line>,
    },
    /// It was withdrawn, or nobody agreed in time.
    Withdrawn {
        /// The number of the record that proposed it.
        proposal: u64,
        /// Why, where it was not withdrawn by the one who asked.
        reason: Option<String>,
    },
    /// Both agreed, and it was done.
    Agreed {
        /// The number of the record that proposed it.
        proposal: u64,
        /// What came of it.
        events: Vec<MeterEvent>,
    },
}

/// What takes two people at a meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeterProposal {
    /// Add to it or take from it.
    Adjust {
        /// By how many cents.
        amount: Cents,
        /// Why.
        reason: String,
    },
    /// Other terms from its next reset on.
    SetTerms {
        /// The terms.
        terms: MeterTerms,
        /// Why.
        reason: String,
    },
    /// No more.
    Close {
        /// Why.
        reason: String,
    },
}

impl MeterProposal {
    /// What is asked for, and why.
    pub fn in_words(&self) -> (String, &str) {
        match self {
            MeterProposal::Adjust { amount, reason } => (format!("adjust by {amount}"), reason),
            MeterProposal::SetTerms { reason, .. } => ("set-terms".to_owned(), reason),
            MeterProposal::Close { reason } => ("close".to_owned(), reason),
        }
    }

    /// Why it is asked for.
    pub fn reason_mut(&mut self) -> &mut String {
        match self {
            MeterProposal::Adjust { reason, .. }
            | MeterProposal::SetTerms { reason, .. }
            | MeterProposal::Close { reason } => reason,
        }
    }
}

/// One message from a table, and what the meter made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The table.
    pub table: TableId,
    /// The number of the table's record it comes from.
    pub seq: u64,
    /// What the table said.
    pub tells: Vec<Tell>,
    /// What came of it.
    pub events: Vec<MeterEvent>,
}

/// What a table tells a meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tell {
    /// A wager was placed, or taken back where less than nothing.
    Fed {
        /// For the amount shown.
        increment: MicroCents,
        /// For the reserve.
        reserve: MicroCents,
    },
    /// The top award was won.
    Won {
        /// The claim.
        claim: TableClaim,
        /// The winners and their base wagers.
        winners: Vec<(Seat, u32)>,
    },
    /// The roll that won it did not count.
    Reversed {
        /// The claim.
        claim: TableClaim,
    },
    /// The award has been paid.
    Paid {
        /// The claim.
        claim: TableClaim,
    },
}
