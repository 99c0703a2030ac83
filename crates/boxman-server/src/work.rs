//! Work lists: the chips that the crew has to move because of what has happened at a table. They
//! follow from the log; that one is done is a record.

use craps::{Cents, ClaimId, Roll, Seat};
use serde::Serialize;
use strum::EnumIter;
use ts_rs::TS;
use utoipa::ToSchema;

/// The chips to move because of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkList {
    /// The record it follows from.
    pub record: u64,
    /// The record of the roll it is taken back with, if it belongs to one.
    pub roll: Option<u64>,
    /// What happened.
    pub cause: WorkCause,
    /// The chips, in the order in which they are moved.
    pub items: Vec<WorkItem>,
    /// Whether the crew has moved them all.
    pub done: bool,
}

/// What brought a work list about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkCause {
    /// A roll.
    Rolled {
        /// The dice.
        roll: Roll,
        /// Which roll of the table it was.
        number: u64,
    },
    /// A roll was voided.
    Voided {
        /// The dice that do not count.
        roll: Roll,
        /// Why.
        reason: String,
    },
    /// A roll was corrected.
    Corrected {
        /// The dice as they were keyed.
        was: Roll,
        /// The dice as they were.
        roll: Roll,
        /// Which roll of the table it was.
        number: u64,
        /// Why.
        reason: String,
    },
    /// A claim was confirmed.
    Confirmed {
        /// Which.
        claim: ClaimId,
    },
    /// A claim was denied.
    Denied {
        /// Which.
        claim: ClaimId,
        /// Why.
        reason: String,
    },
    /// An earlier roll was mended.
    Mended {
        /// The dice as they were keyed.
        keyed: Roll,
        /// Which roll of the table it was.
        number: u64,
        /// What was wrong.
        what: String,
        /// Why.
        reason: String,
    },
    /// The dice went to another player, and side bets came down.
    DicePassed,
    /// A seat was given up.
    GivenUp {
        /// Why.
        reason: String,
    },
}

/// Chips to move for one bet, one claim, or the dealers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkItem {
    /// What it is.
    pub kind: WorkKind,
    /// Whose chips; none for the dealers' envy.
    pub seat: Option<Seat>,
    /// The player's name.
    pub name: String,
    /// The bet, as it is written on a tape.
    pub wager: String,
    /// Where the bet goes, if it moves on the felt.
    pub to: String,
    /// How much it is about: the stake of a bet, or what is held.
    pub amount: Cents,
    /// The claims it waits for, or was paid for.
    pub claims: Vec<ClaimId>,
    /// The chips that move.
    pub chips: Vec<ChipTransfer>,
}

/// What a crew does about an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, EnumIter, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WorkKind {
    /// A losing bet goes to the tray.
    Take,
    /// Pay now.
    Pay,
    /// A come bet wins where an equal one travels to: only the winnings move.
    OffAndOn,
    /// A bet goes back to its player, undecided.
    Return,
    /// A bet moves on the felt.
    Move,
    /// A bet stays as it is: a push.
    Stand,
    /// Hold, do not pay.
    Hold,
    /// Confirmed, pay now.
    Confirmed,
    /// Confirmed: the cage pays against a slip, no chips move at the table.
    Cage,
    /// Denied: do not pay.
    Denied,
    /// Give chips back to a player.
    GiveBack,
    /// Take chips back from a player's rack.
    TakeBack,
    /// Put a bet back on the felt.
    PutBack,
}

/// Chips that move from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
pub struct ChipTransfer {
    /// Where they are.
    pub from: ChipPlace,
    /// Where they go.
    pub to: ChipPlace,
    /// How many.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub amount: Cents,
}

/// Where chips lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChipPlace {
    /// The house's chips at the table.
    Tray,
    /// On the layout.
    Felt,
    /// In the player's rack.
    Rack,
    /// With the dealers.
    Dealers,
    /// Away from the table.
    Cage,
}

impl WorkCause {
    /// Whether the dice brought it about: *Paid, bets open* marks such lists done. A claim that was
    /// answered, an earlier roll that was mended and a seat that was given up are marked by
    /// themselves.
    pub(crate) fn is_of_the_dice(&self) -> bool {
        match self {
            WorkCause::Rolled { .. }
            | WorkCause::Voided { .. }
            | WorkCause::Corrected { .. }
            | WorkCause::DicePassed => true,
            WorkCause::Confirmed { .. }
            | WorkCause::Denied { .. }
            | WorkCause::Mended { .. }
            | WorkCause::GivenUp { .. } => false,
        }
    }
}

impl WorkKind {
    /// Whether it undoes something: such work stays to be done whatever happens to the roll.
    pub(crate) fn is_undoing(self) -> bool {
        matches!(self, WorkKind::GiveBack | WorkKind::TakeBack | WorkKind::PutBack)
    }
}

impl WorkItem {
    /// Chips to move from one place to another, where there are any.
    pub(crate) fn moving(mut self, from: ChipPlace, to: ChipPlace, amount: Cents) -> WorkItem {
        if amount > Cents::ZERO {
            self.chips.push(ChipTransfer { from, to, amount });
        }
        self
    }

    /// How much moves from one place to another.
    pub(crate) fn moves(&self, from: ChipPlace, to: ChipPlace) -> Cents {
        let same = |chips: &&ChipTransfer| (chips.from, chips.to) == (from, to);
        self.chips.iter().filter(same).map(|chips| chips.amount).sum()
    }

    /// Moves so much less from one place to another.
    pub(crate) fn move_less(&mut self, from: ChipPlace, to: ChipPlace, amount: Cents) {
        for chips in &mut self.chips {
            if (chips.from, chips.to) == (from, to) {
                chips.amount -= amount;
            }
        }
        self.chips.retain(|chips| chips.amount > Cents::ZERO);
    }

    /// The work that undoes this.
    pub(crate) fn undone(&self) -> WorkItem {
        let back = |chips: &ChipTransfer| ChipTransfer {
            from: chips.to,
            to: chips.from,
            amount: chips.amount,
        };
        let chips: Vec<ChipTransfer> = self.chips.iter().map(back).collect();
        let up = chips.iter().any(|chips| chips.to == ChipPlace::Felt) || !self.to.is_empty();
        let kind = if up { WorkKind::PutBack } else { WorkKind::TakeBack };
        let (wager, to) = match self.to.is_empty() {
            true => (self.wager.clone(), String::new()),
            false => (self.to.clone(), self.wager.clone()),
        };
        WorkItem { kind, wager, to, chips, ..self.clone() }
    }
}
