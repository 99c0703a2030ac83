//! Winnings that wait for somebody's word: jackpots for their meter, and awards of side bets that
//! the house wants to look at first. Both are claims, counted together, and are paid or denied.

use serde::Serialize;

use super::decide::{Decision, spot_of};
use super::{Event, Table, Won};
use crate::account::{Account, Postings, Seat};
use crate::money::Cents;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::spot::Spot;

/// A claim's number at its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ClaimId(pub u64);

/// A top award that a meter has to answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// Its number at this table.
    pub id: ClaimId,
    /// The meter.
    pub meter: String,
    /// The winning seats and their base wagers.
    pub winners: Vec<(Seat, u32)>,
}

/// Winnings of a side bet that wait to be confirmed. The stake is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct HeldAward {
    /// Its number at this table, counted with the claims.
    pub id: ClaimId,
    /// Who won it.
    pub seat: Seat,
    /// On what.
    pub spot: Spot,
    /// How much of it waits.
    pub amount: Cents,
}

impl Table {
    /// What the last roll won on side bets and could still be held: seat, spot and amount.
    pub fn holdable(&self, rules: &Rules) -> impl Iterator<Item = (Seat, Spot, Cents)> {
        let won = self.parts.before_roll.as_ref().map_or(&[][..], |before| &before.won);
        let tracked = |won: &&Won| rules.spot_rule(won.spot).tracker.is_some();
        won.iter().filter(tracked).map(|won| (won.seat, won.spot, won.amount))
    }
}

/// A meter has answered.
pub(super) fn pay(
    table: &Table,
    id: ClaimId,
    shares: &[(Seat, Cents)],
    from_house: Cents,
) -> Decision {
    let claim =
        table.parts.claims.iter().find(|claim| claim.id == id).ok_or(Refusal::NoSuchClaim)?;
    let winners = claim.winners.iter().map(|(seat, _)| *seat);
    let odd = |(_, share): &(Seat, Cents)| *share < Cents::ZERO || *share > Cents::MOST;
    if shares.iter().any(odd) {
        return Err(Refusal::ClaimMismatch);
    }
    let paid: Cents = shares.iter().map(|(_, share)| *share).sum();
    let fits = winners.eq(shares.iter().map(|(seat, _)| *seat));
    if !fits || from_house < Cents::ZERO || from_house > paid {
        return Err(Refusal::ClaimMismatch);
    }
    let postings = awarded(shares, from_house);
    Ok(vec![Event::ClaimPaid { claim: id, shares: shares.to_vec(), postings }])
}

/// What a meter has awarded goes to the racks, out of clearing but for the house's part.
pub(crate) fn awarded(shares: &[(Seat, Cents)], from_house: Cents) -> Postings {
    let mut postings = Postings::default();
    for (seat, share) in shares {
        postings.post(Account::Rack(*seat), *share);
    }
    let paid: Cents = shares.iter().map(|(_, share)| *share).sum();
    postings.post(Account::House, -from_house);
    postings.post(Account::Clearing, from_house - paid);
    postings
}

/// Winnings leave the rack they have just come to, no more than were won.
pub(super) fn hold(
    table: &Table,
    rules: &Rules,
    seat: Seat,
    wager: &str,
    amount: Cents,
) -> Decision {
    let (_, spot) = spot_of(table, rules, seat, wager)?;
    let won = table.holdable(rules).find(|(winner, on, _)| (*winner, *on) == (seat, spot));
    let (_, _, won) = won.ok_or_else(|| Refusal::NothingWon { wager: wager.to_owned() })?;
    let rack = table.rack(seat);
    if amount <= Cents::ZERO {
        return Err(Refusal::ZeroAmount);
    }
    if amount > won {
        return Err(Refusal::OverLimit { max: won });
    }
    if amount > rack {
        return Err(Refusal::ShortRack { rack, needs: amount });
    }
    let award = HeldAward { id: ClaimId(table.parts.claims_made + 1), seat, spot, amount };
    let postings = Postings::transfer(Account::Rack(seat), Account::Held, amount);
    Ok(vec![Event::Held { award, postings }])
}

fn held(table: &Table, id: ClaimId) -> Result<HeldAward, Refusal> {
    table.parts.held.iter().find(|award| award.id == id).copied().ok_or(Refusal::NoSuchClaim)
}

/// Winnings that were held go to the rack.
pub(super) fn release(table: &Table, id: ClaimId) -> Decision {
    let award = held(table, id)?;
    let postings = Postings::transfer(Account::Held, Account::Rack(award.seat), award.amount);
    Ok(vec![Event::Released { award, postings }])
}

/// Winnings that were held go to the house: their stake is in the rack already. The stakes of a
/// jackpot come back from the house, which had won them.
pub(super) fn deny(table: &Table, rules: &Rules, id: ClaimId, reason: &str) -> Decision {
    let reason = reason.to_owned();
    let Some(claim) = table.parts.claims.iter().find(|claim| claim.id == id) else {
        let HeldAward { seat, spot, amount, .. } = held(table, id)?;
        let postings = Postings::transfer(Account::Held, Account::House, amount);
        let seats = vec![seat];
        return Ok(vec![Event::ClaimDenied { claim: id, spot, seats, reason, postings }]);
    };
    let meter = rules.meters().iter().find(|meter| meter.name == claim.meter);
    let wager = meter.expect("the rules stay while a claim waits").wager;
    let spot = rules.spots_of(wager).next().expect("a wager has a spot");
    let base = rules.wager(wager).limits.unit;
    let mut postings = Postings::default();
    for (seat, units) in &claim.winners {
        let stake = Cents(base.0 * i64::from(*units));
        postings.extend(&Postings::transfer(Account::House, Account::Rack(*seat), stake));
    }
    let seats = claim.winners.iter().map(|(seat, _)| *seat).collect();
    Ok(vec![Event::ClaimDenied { claim: id, spot, seats, reason, postings }])
}
