//! Work lists, as a crew is shown them.

use craps::Cents;
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::view::MeterView;
use crate::table::{IfRolled, LiveTable};
use crate::work::{ChipTransfer, WorkCause, WorkItem, WorkKind, WorkList};

/// The chips that the crew has to move because of one record.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct WorkListView {
    /// The number of the record: `done` names it.
    #[ts(type = "number")]
    pub list: u64,
    /// What happened: `rolled`, `voided`, `corrected`, `mended`, `confirmed`, `denied`,
    /// `dice-passed` or `given-up`.
    pub cause: String,
    /// The dice, where it is about a roll.
    pub dice: Option<String>,
    /// The dice as they were keyed, where a roll was corrected.
    pub was: Option<String>,
    /// Which roll of the table it was.
    #[ts(type = "number | null")]
    pub number: Option<u64>,
    /// What was wrong, where an earlier roll was mended, such as `showed 5-1`.
    pub what: Option<String>,
    /// The claim that was answered.
    #[ts(type = "number | null")]
    pub claim: Option<u64>,
    /// Why.
    pub reason: Option<String>,
    /// Whether the dice of a round brought it about: `open-betting` marks such lists of the present
    /// round done. Each other list is marked by `done`.
    pub of_the_dice: bool,
    /// Whether it is marked done: then only what is held is left of it.
    pub done: bool,
    /// What to do, in this order.
    pub items: Vec<WorkItemView>,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct WorkItemView {
    /// Its number on the list: ticks name it.
    pub item: u32,
    /// What it is.
    pub kind: WorkKind,
    /// Whose chips; none for the dealers' envy.
    pub seat: Option<u8>,
    /// The player's name.
    pub name: String,
    /// The bet, as it is written on a tape; empty if it is about none.
    pub wager: String,
    /// Where the bet goes, if it moves on the felt.
    pub to: String,
    /// How much it is about: the stake of a bet, or what is held.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub amount: Cents,
    /// The claims it waits for, or was paid for.
    #[ts(type = "Array<number>")]
    pub claims: Vec<u64>,
    /// The chips that move.
    pub chips: Vec<ChipTransfer>,
    /// Whether a dealer has ticked it off. Ticks are lost when the server restarts.
    pub ticked: bool,
}

/// The roll that would take the most chips out of the tray.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct WorstRollView {
    /// The dice.
    pub dice: String,
    /// What the tray would pay, less what it would take.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub costs: Cents,
    /// What would lie in the tray afterwards; less than zero if it is short.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub leaves: Cents,
}

impl WorkListView {
    /// A list with the ticks on it.
    pub fn of(list: &WorkList, numbers: &[u32], ticked: impl Fn(u32) -> bool) -> WorkListView {
        let (mut dice, mut was, mut number, mut claim, mut reason) = (None, None, None, None, None);
        let mut what = None;
        let cause = match &list.cause {
            WorkCause::Rolled { roll, number: which } => {
                (dice, number) = (Some(roll.to_string()), Some(*which));
                "rolled"
            }
            WorkCause::Voided { roll, reason: why } => {
                (dice, reason) = (Some(roll.to_string()), Some(why.clone()));
                "voided"
            }
            WorkCause::Corrected { was: keyed, roll, number: which, reason: why } => {
                (dice, was) = (Some(roll.to_string()), Some(keyed.to_string()));
                (number, reason) = (Some(*which), Some(why.clone()));
                "corrected"
            }
            WorkCause::Mended { keyed, number: which, what: wrong, reason: why } => {
                (dice, number) = (Some(keyed.to_string()), Some(*which));
                (what, reason) = (Some(wrong.clone()), Some(why.clone()));
                "mended"
            }
            WorkCause::Confirmed { claim: which } => {
                claim = Some(which.0);
                "confirmed"
            }
            WorkCause::Denied { claim: which, reason: why } => {
                (claim, reason) = (Some(which.0), Some(why.clone()));
                "denied"
            }
            WorkCause::DicePassed => "dice-passed",
            WorkCause::GivenUp { reason: why } => {
                reason = Some(why.clone());
                "given-up"
            }
        };
        let item = |(item, number): (&WorkItem, &u32)| WorkItemView {
            item: *number,
            kind: item.kind,
            seat: item.seat.map(|seat| seat.0),
            name: item.name.clone(),
            wager: item.wager.clone(),
            to: item.to.clone(),
            amount: item.amount,
            claims: item.claims.iter().map(|claim| claim.0).collect(),
            chips: item.chips.clone(),
            ticked: ticked(*number),
        };
        WorkListView {
            list: list.record,
            cause: cause.to_owned(),
            dice,
            was,
            number,
            what,
            claim,
            reason,
            of_the_dice: list.cause.is_of_the_dice(),
            done: list.done,
            items: list.items.iter().zip(numbers).map(item).collect(),
        }
    }
}

impl WorstRollView {
    /// The roll that would cost the tray the most, jackpots included; none where the dice could
    /// not be thrown.
    pub fn of(state: &LiveTable, meters: &[MeterView]) -> Option<WorstRollView> {
        let shown = |paytable: &str| {
            let meter = meters.iter().find(|meter| meter.paytable == paytable)?;
            (!meter.damaged).then_some(meter.amount)
        };
        let tray = state.table.tray();
        let all = state.if_it_rolls(shown).ok()?;
        let one = |rolled: IfRolled| {
            let jackpots: Cents = rolled.jackpots.iter().map(|(_, share)| *share).sum();
            let leaves = rolled.after.tray() - jackpots;
            WorstRollView { dice: rolled.rolled.roll.to_string(), costs: tray - leaves, leaves }
        };
        all.into_iter().map(one).min_by_key(|worst| worst.leaves)
    }
}
