//! What a meter writes down.

use craps::meter::{AdjustKind, MeterEvent, TableClaim};
use craps::{Cents, MeterTerms, MicroCents, Seat};

use crate::id::{MeterId, TableId};
use crate::line::{Line, dollars};

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
    /// Players' money came from another meter.
    TakenIn {
        /// Which money.
        transfer: Transfer,
        /// What came of it.
        events: Vec<MeterEvent>,
    },
}

impl MeterEntry {
    /// Whether it has anything that was not in the log before edition 3: kinds of adjustments, and
    /// players' money that moves or is kept.
    pub fn is_of_edition_3(&self) -> bool {
        let of_event = |event: &MeterEvent| {
            matches!(event, MeterEvent::MovedOut(_) | MeterEvent::MovedIn(_) | MeterEvent::Kept(_))
        };
        match self {
            MeterEntry::TakenIn { .. } => true,
            MeterEntry::Proposed { proposal, lines } => {
                !lines.is_empty() || proposal.is_of_edition_3()
            }
            MeterEntry::Changed { proposal, events } => {
                proposal.is_of_edition_3() || events.iter().any(of_event)
            }
            MeterEntry::Agreed { events, .. } => events.iter().any(of_event),
            MeterEntry::Heard { heard } => {
                heard.iter().flat_map(|heard| &heard.events).any(of_event)
            }
            MeterEntry::Opened { .. } | MeterEntry::Withdrawn { .. } => false,
        }
    }
}

/// Players' money on its way from one meter to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The meter it comes from.
    pub from: MeterId,
    /// The record there by which it left: with the meter it names the transfer.
    pub record: u64,
    /// What was shown, or kept for players.
    pub amount: MicroCents,
    /// What was set aside for the next seed.
    pub reserve: MicroCents,
}

/// Where the players' money of a meter goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayersMoney {
    /// To another meter.
    Meter {
        /// Which.
        to: MeterId,
    },
    /// Nowhere: it is kept for them.
    Kept,
}

impl PlayersMoney {
    /// The meter it goes to, where it goes to one.
    pub fn to(&self) -> Option<&MeterId> {
        match self {
            PlayersMoney::Meter { to } => Some(to),
            PlayersMoney::Kept => None,
        }
    }
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
        /// What brings it about; none in logs from before there were kinds.
        kind: Option<AdjustKind>,
        /// The table it is about.
        table: Option<TableId>,
        /// The record there.
        record: Option<u64>,
    },
    /// Move players' money to another meter.
    Move {
        /// Which.
        to: MeterId,
        /// How many cents of the amount shown; all above the seed where it is left out, with what
        /// is set aside.
        amount: Option<Cents>,
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
        /// Where the players' money goes; none at a practice table, and in logs from before that
        /// was decided: then all of it returned to the house.
        players: Option<PlayersMoney>,
    },
}

impl MeterProposal {
    /// What is asked for, and why.
    pub fn in_words(&self) -> (String, &str) {
        match self {
            MeterProposal::Adjust { amount, reason, .. } => {
                (format!("adjust by {}", dollars(*amount)), reason)
            }
            MeterProposal::Move { to, amount, reason } => {
                let what = amount.map_or_else(|| "all".to_owned(), dollars);
                (format!("move {what} to meter {to}"), reason)
            }
            MeterProposal::SetTerms { reason, .. } => ("other terms".to_owned(), reason),
            MeterProposal::Close { reason, players } => {
                let what = match players {
                    None => "close".to_owned(),
                    Some(PlayersMoney::Kept) => "close, players' money is kept".to_owned(),
                    Some(PlayersMoney::Meter { to }) => {
                        format!("close, players' money goes to meter {to}")
                    }
                };
                (what, reason)
            }
        }
    }

    /// The meter that players' money goes to, where it goes to one.
    pub fn to(&self) -> Option<&MeterId> {
        match self {
            MeterProposal::Move { to, .. } => Some(to),
            MeterProposal::Close { players, .. } => players.as_ref()?.to(),
            MeterProposal::Adjust { .. } | MeterProposal::SetTerms { .. } => None,
        }
    }

    fn is_of_edition_3(&self) -> bool {
        match self {
            MeterProposal::Adjust { kind, .. } => kind.is_some(),
            MeterProposal::Close { players, .. } => players.is_some(),
            MeterProposal::Move { .. } => true,
            MeterProposal::SetTerms { .. } => false,
        }
    }

    /// Why it is asked for.
    pub fn reason_mut(&mut self) -> &mut String {
        match self {
            MeterProposal::Adjust { reason, .. }
            | MeterProposal::Move { reason, .. }
            | MeterProposal::SetTerms { reason, .. }
            | MeterProposal::Close { reason, .. } => reason,
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
    /// The table went over to rules that do not feed the meter any more.
    Unlinked {
        /// Where the players' money goes.
        players: PlayersMoney,
    },
}
