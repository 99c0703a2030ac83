//! What was won and waits, as it is shown: the claims of a table with their checklists.

use craps::table::{Claim, HeldAward};
use craps::{Cents, ClaimId};
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::payout::CheckItem;
use crate::table::LiveTable;

/// Something won and neither paid nor denied yet: a jackpot, or an award that is held.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct ClaimView {
    /// Its number.
    #[ts(type = "number")]
    pub claim: u64,
    /// The paytable whose meter pays it; none for an award that is held.
    pub paytable: Option<String>,
    /// The wager it was won on, for an award that is held; not for strangers.
    pub wager: Option<String>,
    /// How much is held, not for strangers; what a meter pays is among its hits.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub amount: Option<Cents>,
    /// The winners; none for strangers.
    pub seats: Vec<u8>,
    /// What the crew checks before it pays, and what it has checked; none for strangers.
    pub checklist: Vec<CheckView>,
}

/// One thing that the crew checks before it pays what was won.
#[derive(Clone, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct CheckView {
    /// What.
    pub item: CheckItem,
    /// Who has checked it: compare with `GET /api/me`. None while nobody has.
    pub by: Option<String>,
    /// Their name at tables.
    pub name: Option<String>,
    /// When, in milliseconds since 1970.
    #[ts(type = "number | null")]
    pub at: Option<u64>,
}

impl ClaimView {
    /// Everything that waits: jackpots, then awards that are held.
    pub(crate) fn all(state: &LiveTable) -> Vec<ClaimView> {
        let claim = |claim: &Claim| ClaimView {
            claim: claim.id.0,
            paytable: Some(claim.meter.clone()),
            wager: None,
            amount: None,
            seats: claim.winners.iter().map(|(seat, _)| seat.0).collect(),
            checklist: CheckView::all(state, claim.id),
        };
        let held = |award: &HeldAward| ClaimView {
            claim: award.id.0,
            paytable: None,
            wager: Some(state.rules().spot_rule(award.spot).notation.clone()),
            amount: Some(award.amount),
            seats: vec![award.seat.0],
            checklist: CheckView::all(state, award.id),
        };
        let jackpots = state.table.claims().iter().map(claim);
        jackpots.chain(state.table.held().iter().map(held)).collect()
    }
}

impl CheckView {
    /// The checklist of a claim: what is needed, then what was checked besides.
    pub(crate) fn all(state: &LiveTable, claim: ClaimId) -> Vec<CheckView> {
        let checks = state.claimed.get(&claim.0).map_or(&[][..], |known| &known.checks);
        let needed = state.checklist(claim);
        let besides = checks.iter().map(|check| check.item).filter(|item| !needed.contains(item));
        let view = |item: CheckItem| {
            let check = checks.iter().find(|check| check.item == item);
            CheckView {
                item,
                by: check.map(|check| check.by.clone()),
                name: check.and_then(|check| check.name.clone()),
                at: check.map(|check| check.at),
            }
        };
        needed.iter().copied().chain(besides).map(view).collect()
    }
}
