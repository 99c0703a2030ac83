//! What is read back from a table's log: hands, updates as they were broadcast, a seat's ledger.

use craps::Cents;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::{TableView, Update};

/// One shooter's turn with the dice. Every record after the opening belongs to one hand.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct PastHand {
    /// Its number at this table, counted from one.
    #[ts(type = "number")]
    pub hand: u64,
    /// Who threw its first roll; none while nothing has been thrown.
    pub shooter: Option<u8>,
    /// The shooter's name then; not for strangers.
    pub name: Option<String>,
    /// The last record before its first: ask for the history after this one.
    #[ts(type = "number")]
    pub from: u64,
    /// Its last record.
    #[ts(type = "number")]
    pub to: u64,
    /// When it was first thrown, or its first record written, in milliseconds since 1970.
    #[ts(type = "number")]
    pub started_at: u64,
    /// When it ended.
    #[ts(type = "number | null")]
    pub ended_at: Option<u64>,
    /// How it ended.
    pub end: Option<HandEnd>,
    /// Whether it is still going on.
    pub open: bool,
    /// The dice that counted, in order: `3-4`. Rolls that were voided are left out, corrected
    /// ones are as they were corrected.
    pub rolls: Vec<String>,
    /// What the house's account gained, in cents: less than zero where the players did. Not for
    /// strangers.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub net: Option<Cents>,
    /// How many jackpots were won.
    pub jackpots: u32,
    /// How many rolls were voided.
    pub voided: u32,
    /// How many were corrected.
    pub corrected: u32,
    /// The rolls that were mended later.
    pub mended: Vec<MendedRollView>,
}

/// How a hand ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HandEnd {
    /// A seven with a point on.
    SevenOut,
    /// The shooter gave up the dice.
    Passed,
    /// The shooter left the table.
    Left,
}

/// A roll that was mended later.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct MendedRollView {
    /// The record of the roll.
    #[ts(type = "number")]
    pub of: u64,
    /// The dice as they were keyed.
    pub keyed: String,
    /// What was wrong, such as `showed 5-1`.
    pub what: String,
}

/// A stretch of a table's log, as its socket told it.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct History {
    /// The table as it stood before, without its meters: they have logs of their own.
    pub table: TableView,
    /// What came next, numbered without a gap. A stretch ends with a change of rules: ask again
    /// after it for the table under the others.
    pub updates: Vec<Update>,
    /// The table's last record.
    #[ts(type = "number")]
    pub head: u64,
}

/// What moved a seat's chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Chips bought.
    BoughtIn,
    /// Chips given back.
    CashedOut,
    /// Everything given back on leaving.
    Left,
    /// Chips put on the layout, with commission paid up front.
    Put,
    /// Chips taken from it, with commission not earned.
    Took,
    /// A bet called on or off, where that moved chips.
    Called,
    /// A bet won; the stake comes with it where the bet came down.
    Win,
    /// A bet lost. Its chips had left the rack when it was put.
    Lose,
    /// A bet neither won nor lost, and stays.
    Push,
    /// A bet given back.
    Return,
    /// A bet moved to its number.
    Travel,
    /// Commission taken out of a win.
    Commission,
    /// A share of a jackpot.
    ClaimPaid,
    /// Winnings that wait to be confirmed.
    Held,
    /// Winnings that were confirmed.
    Released,
    /// Winnings or a jackpot denied; of a jackpot the stake comes back.
    ClaimDenied,
    /// A bet handed back by the house.
    Returned,
    /// A roll taken back, with all it moved.
    Void,
    /// An earlier roll mended.
    Mend,
}

impl Kind {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::BoughtIn => "bought-in",
            Kind::CashedOut => "cashed-out",
            Kind::Left => "left",
            Kind::Put => "put",
            Kind::Took => "took",
            Kind::Called => "called",
            Kind::Win => "win",
            Kind::Lose => "lose",
            Kind::Push => "push",
            Kind::Return => "return",
            Kind::Travel => "travel",
            Kind::Commission => "commission",
            Kind::ClaimPaid => "claim-paid",
            Kind::Held => "held",
            Kind::Released => "released",
            Kind::ClaimDenied => "claim-denied",
            Kind::Returned => "returned",
            Kind::Void => "void",
            Kind::Mend => "mend",
        }
    }
}

/// One movement of a seat's chips.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct Movement {
    /// The record it is in.
    #[ts(type = "number")]
    pub seq: u64,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
    /// Who asked for what caused it.
    pub by: String,
    /// Who sat there.
    pub name: Option<String>,
    /// What moved them.
    pub what: Kind,
    /// The bet it is about.
    pub wager: Option<String>,
    /// What was on it.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub stake: Option<Cents>,
    /// The dice, where they decided it.
    pub dice: Option<String>,
    /// What the rack gained, in cents; less than zero is a loss.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub amount: Cents,
    /// The rack after it.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub rack: Cents,
}

/// Every movement of a seat's chips, oldest first: from an empty rack they add up to the rack.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct Ledger {
    /// The seat.
    pub seat: u8,
    /// The movements. Those of one record are never parted.
    pub movements: Vec<Movement>,
    /// Ask for those after this record for more, if there are any; none where these are the last.
    #[ts(type = "number | null")]
    pub next: Option<u64>,
    /// The table's last record.
    #[ts(type = "number")]
    pub head: u64,
}
