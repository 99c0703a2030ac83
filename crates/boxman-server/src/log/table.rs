//! What a table writes down.

use std::collections::BTreeMap;

use craps::{BuyInKind, CashOutKind, Cents, Command, Event, Roll, Seat};

use crate::config::TableConfig;
use crate::dice::{Commitment, ShooterBytes};
use crate::hash::Hash;
use crate::line::{Line, dollars};
use crate::log::PlayersMoney;
use crate::mend::Mend;
use crate::payout::{CheckItem, Payout};

/// What happened at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableEntry {
    /// It was opened.
    Opened {
        /// How.
        config: TableConfig,
        /// The rulebooks it was compiled from, by the hash of their text.
        library: Vec<Hash>,
        /// The hash of the rules.
        rules: Hash,
    },
    /// A command was obeyed, and with it what it brings along.
    Played {
        /// Each command as the engine decided it.
        steps: Vec<Step>,
        /// How the dice were thrown, where the house threw them.
        thrown: Option<Thrown>,
        /// The house's commitment to the next roll.
        commitment: Option<Commitment>,
        /// Who plays the seat that was taken, where somebody does from a browser.
        owner: Option<String>,
    },
    /// A seat was given up: by the house at a practice table, where its player had gone, or by
    /// the crew.
    GivenUp {
        /// Which.
        seat: Seat,
        /// Why.
        reason: String,
        /// What came down, what was handed back, and the chips that went to the cage.
        steps: Vec<Step>,
    },
    /// The house committed to a secret for the next roll; the one before, if any, was lost.
    Committed {
        /// The commitment.
        commitment: Commitment,
    },
    /// Something that takes two people was asked for by the first.
    Proposed {
        /// What.
        proposal: Proposal,
        /// What it would change, as the second person reads it.
        lines: Vec<Line>,
        /// What came of it at once: a table waits while a void is considered, and the bets of a
        /// seat that is given up come down.
        steps: Vec<Step>,
    },
    /// It was withdrawn, or nobody agreed in time.
    Withdrawn {
        /// The number of the record that proposed it.
        proposal: u64,
        /// Why, where it was not withdrawn by the one who asked.
        reason: Option<String>,
        /// What came of it: the table plays on.
        steps: Vec<Step>,
    },
    /// Both agreed, and it was done.
    Agreed {
        /// The number of the record that proposed it.
        proposal: u64,
        /// What came of it.
        steps: Vec<Step>,
        /// The items of work lists that had been ticked off when a roll was taken back.
        ticked: Vec<(u64, u32)>,
        /// The configuration now waiting for a come-out with nothing on the layout.
        queued: Option<Queued>,
    },
    /// The crew has checked one thing before it pays what was won.
    Checked {
        /// The claim.
        claim: u64,
        /// What was checked.
        item: CheckItem,
    },
    /// What was won is confirmed and paid.
    Confirmed {
        /// The claim.
        claim: u64,
        /// How it is paid.
        payout: Payout,
        /// The winnings, and what of them the cage pays.
        steps: Vec<Step>,
    },
    /// The chips of a work list have been moved.
    Done {
        /// The record that the list follows from.
        list: u64,
    },
    /// The crew said who a player is, or took that back.
    Linked {
        /// The record by which the player sat down.
        sitting: u64,
        /// The name or number by which the house knows the player; none if that is taken back.
        person: Option<String>,
    },
    /// The crew has taken a player's identity, or took that back.
    Identified {
        /// The record by which the player sat down.
        sitting: u64,
        /// Whether it is taken.
        taken: bool,
    },
    /// A meter was reset and runs on other terms; a configuration that follows them waits.
    Queued {
        /// The configuration.
        queued: Queued,
    },
}

impl TableEntry {
    /// What the engine decided in it, in order.
    pub fn steps(&self) -> &[Step] {
        match self {
            TableEntry::Played { steps, .. }
            | TableEntry::GivenUp { steps, .. }
            | TableEntry::Proposed { steps, .. }
            | TableEntry::Withdrawn { steps, .. }
            | TableEntry::Confirmed { steps, .. }
            | TableEntry::Agreed { steps, .. } => steps,
            TableEntry::Opened { .. }
            | TableEntry::Checked { .. }
            | TableEntry::Done { .. }
            | TableEntry::Linked { .. }
            | TableEntry::Identified { .. }
            | TableEntry::Committed { .. }
            | TableEntry::Queued { .. } => &[],
        }
    }

    /// Whether it has anything that was not in the log before edition 3: dealing procedures, kinds
    /// of buy-in and cash-out, bets undone with a roll, work lists, checklists.
    pub fn is_of_edition_3(&self) -> bool {
        let of_event = |event: &Event| match event {
            Event::BoughtIn { kind, .. } => *kind != BuyInKind::Cash,
            Event::CashedOut { kind, .. } | Event::Left { kind, .. } => *kind != CashOutKind::Walk,
            Event::Voided(voided) | Event::Corrected { voided, .. } => !voided.undone.is_empty(),
            Event::EnvyHeld { .. } | Event::PayingBegun | Event::BettingOpened => true,
            Event::Mended(_) => true,
            _ => false,
        };
        let own = match self {
            TableEntry::Done { .. }
            | TableEntry::Checked { .. }
            | TableEntry::Confirmed { .. }
            | TableEntry::Linked { .. }
            | TableEntry::Identified { .. } => true,
            TableEntry::Opened { config, .. } => {
                config.procedures > 0 || !config.new_meters.is_empty()
            }
            TableEntry::Proposed { proposal, lines, .. } => {
                let own = match proposal {
                    Proposal::AcceptTray { .. } | Proposal::Close { .. } | Proposal::Mend(_) => {
                        true
                    }
                    Proposal::Configure { queued, of, .. } => {
                        of.is_some() || queued.is_of_edition_3()
                    }
                    _ => false,
                };
                own || !lines.is_empty()
            }
            TableEntry::Agreed { ticked, queued, .. } => {
                !ticked.is_empty() || queued.as_ref().is_some_and(Queued::is_of_edition_3)
            }
            TableEntry::Withdrawn { reason, .. } => reason.is_some(),
            TableEntry::Queued { queued } => queued.is_of_edition_3(),
            _ => false,
        };
        own || self.steps().iter().flat_map(|step| &step.events).any(of_event)
    }

    /// The same for nodes of an earlier version, which do not know what a request would change,
    /// which configuration another one changes, nor why a request was withdrawn.
    #[must_use]
    pub fn for_earlier_nodes(self) -> TableEntry {
        match self {
            TableEntry::Proposed { mut proposal, steps, .. } => {
                if let Proposal::Configure { of, .. } = &mut proposal {
                    *of = None;
                }
                TableEntry::Proposed { proposal, lines: Vec::new(), steps }
            }
            TableEntry::Withdrawn { proposal, steps, .. } => {
                TableEntry::Withdrawn { proposal, reason: None, steps }
            }
            other => other,
        }
    }

    /// Whether somebody sat down or left by it.
    pub fn is_seating(&self) -> bool {
        let seats = |event: &Event| matches!(event, Event::Sat { .. } | Event::Left { .. });
        self.steps().iter().flat_map(|step| &step.events).any(seats)
    }
}

/// A command as the engine decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The command.
    pub command: Command,
    /// What came of it.
    pub events: Vec<Event>,
}

/// How the house threw the dice: all it takes to throw them again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// The number of the roll.
    pub number: u64,
    /// The secret behind the commitment, revealed.
    pub secret: String,
    /// The shooter's part.
    pub shooter: ShooterBytes,
}

/// What takes two people at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "few requests wait at a time")]
pub enum Proposal {
    /// The last roll shall not count.
    Void {
        /// Why.
        reason: String,
    },
    /// The last roll was misread.
    Correct {
        /// What the dice showed.
        roll: Roll,
        /// Why.
        reason: String,
    },
    /// The table shall go over to another configuration.
    Configure {
        /// Which.
        queued: Queued,
        /// The record that set the configuration it changes, where that was named.
        of: Option<u64>,
        /// Why.
        reason: String,
    },
    /// What was won shall not be paid.
    Deny {
        /// The claim.
        claim: u64,
        /// Why.
        reason: String,
    },
    /// A seat shall be given up with more chips than one person may move.
    GiveUp {
        /// Which.
        seat: Seat,
        /// Where its chips go.
        kind: CashOutKind,
        /// Why.
        reason: String,
    },
    /// Chips shall go between the cage and the table, more than one person may move.
    Move {
        /// How.
        command: Command,
        /// Why it takes two.
        reason: String,
    },
    /// The table shall be closed for good.
    Close {
        /// Why.
        reason: String,
    },
    /// Money shall go after an earlier roll.
    Mend(Box<Mend>),
    /// Betting may open although the tray is short of chips.
    AcceptTray {
        /// How many are missing.
        short: Cents,
        /// Why.
        reason: String,
    },
}

impl Proposal {
    /// What is asked for, and why.
    pub fn in_words(&self) -> (String, &str) {
        match self {
            Proposal::Void { reason } => ("void".to_owned(), reason),
            Proposal::Correct { roll, reason } => (format!("correct to {roll}"), reason),
            Proposal::Configure { reason, .. } => ("another configuration".to_owned(), reason),
            Proposal::Deny { claim, reason } => (format!("deny claim {claim}"), reason),
            Proposal::GiveUp { seat, reason, .. } => (format!("give up {seat}"), reason),
            Proposal::Move { command, reason } => (moving(command), reason),
            Proposal::Close { reason } => ("close for good".to_owned(), reason),
            Proposal::Mend(mend) => (mend.in_words(), &mend.reason),
            Proposal::AcceptTray { short, reason } => {
                (format!("accept a tray {} short", dollars(*short)), reason)
            }
        }
    }
}

fn moving(command: &Command) -> String {
    match command {
        Command::BuyIn { seat, amount, .. } => format!("buy-in of {} at {seat}", dollars(*amount)),
        Command::CashOut { seat, amount, .. } => {
            format!("cash-out of {} at {seat}", dollars(*amount))
        }
        Command::Leave { seat, .. } => format!("leave {seat}"),
        Command::Fill { amount } => format!("fill of {}", dollars(*amount)),
        Command::Credit { amount } => format!("credit of {}", dollars(*amount)),
        _ => "move".to_owned(),
    }
}

/// A configuration with what it was compiled from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued {
    /// The configuration.
    pub config: TableConfig,
    /// The rulebooks, by the hash of their text.
    pub library: Vec<Hash>,
    /// The hash of the rules.
    pub rules: Hash,
    /// Where the players' money goes of meters of the table's own that it drops, by paytable.
    pub old_meters: BTreeMap<String, PlayersMoney>,
}

impl Queued {
    /// Whether it has anything that was not in the log before edition 3.
    fn is_of_edition_3(&self) -> bool {
        !self.old_meters.is_empty() || !self.config.new_meters.is_empty()
    }
}
