//! The slip of what was won: a view of the record that paid it.

use craps::{Cents, ClaimId, Command, Seat};
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::claim::CheckView;
use crate::log::{Entry, TableEntry};
use crate::payout::PaidBy;
use crate::table::LiveTable;

/// What was won, confirmed and paid.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct SlipView {
    /// The name of the table in addresses.
    pub table: String,
    /// Its name.
    pub name: String,
    /// The record that paid it.
    #[ts(type = "number")]
    pub record: u64,
    /// When, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
    /// The claim.
    #[ts(type = "number")]
    pub claim: u64,
    /// The paytable whose meter paid it; none for an award that was held.
    pub paytable: Option<String>,
    /// The wager it was won on, in a sentence.
    pub wager: String,
    /// What each winner was paid.
    pub winners: Vec<SlipLine>,
    /// What the meter showed when it was won; none for an award that was held.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub shown: Option<Cents>,
    /// What was paid in all.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub paid: Cents,
    /// What of it the house paid beyond the meter, where each winner takes it in full.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub from_house: Cents,
    /// What the winners could not share evenly: it stays on the meter.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub carried: Option<Cents>,
    /// Who paid.
    pub paid_by: PaidBy,
    /// The number of the slip.
    pub slip: Option<String>,
    /// The number of the tax form.
    pub form: Option<String>,
    /// What was checked before, by whom and when.
    pub checklist: Vec<CheckView>,
    /// Who confirmed it: compare with `GET /api/me`.
    pub by: String,
    /// Their name at tables.
    pub by_name: Option<String>,
}

/// What one winner was paid.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct SlipLine {
    /// The seat.
    pub seat: u8,
    /// The player's name.
    pub name: String,
    /// How much.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub amount: Cents,
}

impl SlipView {
    /// The slip of a record; none if it pays no claim. `before` is the table before the record.
    pub fn of(before: &LiveTable, record: u64, entry: &Entry<TableEntry>) -> Option<SlipView> {
        let TableEntry::Confirmed { claim, payout, steps } = &entry.what else { return None };
        let (rules, id) = (before.rules(), ClaimId(*claim));
        let held = before.table.held().iter().find(|held| held.id == id);
        let paytable = before.claimed.get(claim).and_then(|known| known.paytable.clone());
        let (shares, from_house, wager) = match (&steps.first()?.command, held) {
            (Command::PayClaim { shares, from_house, .. }, _) => {
                let mut meters = rules.meters().iter();
                let meter = meters.find(|meter| Some(&meter.name) == paytable.as_ref())?;
                (shares.clone(), *from_house, rules.wager(meter.wager))
            }
            (Command::Release { .. }, Some(held)) => {
                (vec![(held.seat, held.amount)], Cents::ZERO, rules.wager_at(held.spot))
            }
            _ => return None,
        };
        let paid: Cents = shares.iter().map(|(_, share)| *share).sum();
        let line = |(seat, amount): &(Seat, Cents)| SlipLine {
            seat: seat.0,
            name: before.table.player(*seat).map(|player| player.name.clone()).unwrap_or_default(),
            amount: *amount,
        };
        Some(SlipView {
            table: before.id.to_string(),
            name: before.config().name.clone(),
            record,
            at: entry.at,
            claim: *claim,
            paytable,
            wager: wager.title.clone(),
            winners: shares.iter().map(line).collect(),
            shown: payout.shown,
            paid,
            from_house,
            carried: payout.shown.map(|shown| shown - (paid - from_house)),
            paid_by: payout.paid_by,
            slip: payout.slip.clone(),
            form: payout.form.clone(),
            checklist: CheckView::all(before, id),
            by: entry.by.clone(),
            by_name: entry.name.clone().or_else(|| before.seat_name(&entry.by)),
        })
    }
}
