//! Winnings that wait for somebody's word: jackpots for their meter, and awards of side bets that
//! the house wants to look at first. Both are claims, counted together, and are paid or denied.

use serde::Serialize;

use super::decide::{Decision, spot_of};
use super::{Command, Event, Rolled, Table, Won};
use crate::account::{Account, Postings, Seat};
use crate::fate::Fate;
use crate::money::Cents;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::settle::{Settled, envy_due};
use crate::spot::Spot;
use crate::wager::{Due, Envy};

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

/// What the dealers are paid for winnings that wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HeldEnvy {
    /// The claims it is paid for. The first that is confirmed pays all of it; it goes back to the
    /// house when the last is denied.
    pub claims: Vec<ClaimId>,
    /// How much.
    pub amount: Cents,
}

impl Table {
    /// What the last roll won on side bets and could still be held: seat, spot and amount.
    pub fn holdable(&self, rules: &Rules) -> impl Iterator<Item = (Seat, Spot, Cents)> {
        let before = self.parts.before_roll.as_ref().filter(|before| before.since.is_empty());
        let won = before.map_or(&[][..], |before| &before.won);
        let tracked = |won: &&Won| rules.spot_rule(won.spot).tracker.is_some();
        won.iter().filter(tracked).map(|won| (won.seat, won.spot, won.amount))
    }

    /// The envy of the last roll that waits with what the roll has won: with the awards held
    /// since, and with its jackpots where `jackpots` says so.
    pub fn envy_holds(&self, rules: &Rules, rolled: &Rolled, jackpots: bool) -> Vec<Command> {
        let claim_of = |line: &Settled| {
            let of_meter = |claim: &&Claim| {
                let meter = rules.meter_of(rules.spot_rule(line.bet.spot).wager);
                meter.is_some_and(|meter| rules.meters()[meter.index()].name == claim.meter)
            };
            match line.fate {
                Fate::Win { award, .. } if rules.award(award).due == Due::Meter => {
                    rolled.claims.iter().find(of_meter).map(|claim| claim.id).filter(|_| jackpots)
                }
                _ => {
                    let on =
                        |award: &&HeldAward| (award.seat, award.spot) == (line.seat, line.bet.spot);
                    self.held_since_roll().find(on).map(|award| award.id)
                }
            }
        };
        let mut holds: Vec<(Vec<ClaimId>, Cents)> = Vec::new();
        for (paid, total) in &rolled.settlement.envies {
            let Some(envy) = rules.award(*paid).envy else { continue };
            let won =
                |line: &&Settled| matches!(line.fate, Fate::Win { award, .. } if award == *paid);
            let lines: Vec<&Settled> = rolled.settlement.lines.iter().filter(won).collect();
            let mut claims: Vec<Option<ClaimId>> =
                lines.iter().map(|line| claim_of(line)).collect();
            if let Envy::Once(_) = envy {
                claims.dedup();
                let waiting: Option<Vec<ClaimId>> = claims.into_iter().collect();
                holds.extend(waiting.map(|claims| (claims, *total)));
                continue;
            }
            for (line, claim) in lines.iter().zip(claims) {
                let Some(claim) = claim else { continue };
                let due = envy_due(envy, line.bet.stake);
                match holds.iter_mut().find(|(claims, _)| *claims == [claim]) {
                    Some((_, amount)) => *amount += due,
                    None => holds.push((vec![claim], due)),
                }
            }
        }
        let waits = |(claims, amount): (Vec<ClaimId>, Cents)| Command::HoldEnvy { claims, amount };
        holds.into_iter().filter(|(_, amount)| *amount > Cents::ZERO).map(waits).collect()
    }

    /// What of the last roll's winnings waits. The same bet may still wait for an earlier award.
    fn held_since_roll(&self) -> impl Iterator<Item = &HeldAward> {
        let before = self.parts.before_roll.as_ref();
        let is_new = move |award: &&HeldAward| {
            before.is_some_and(|before| before.held.iter().all(|earlier| earlier.id != award.id))
        };
        self.parts.held.iter().filter(is_new)
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
    let mut postings = awarded(shares, from_house);
    let envy = envy_of(table, id, true);
    postings.extend(&Postings::transfer(Account::Held, Account::Envy, envy));
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
    let mut postings = Postings::transfer(Account::Held, Account::Rack(award.seat), award.amount);
    let envy = envy_of(table, id, true);
    postings.extend(&Postings::transfer(Account::Held, Account::Envy, envy));
    Ok(vec![Event::Released { award, postings }])
}

/// Winnings that were held go to the house: their stake is in the rack already. The stakes of a
/// jackpot come back from the house, which had won them.
pub(super) fn deny(table: &Table, rules: &Rules, id: ClaimId, reason: &str) -> Decision {
    let reason = reason.to_owned();
    let envy = envy_of(table, id, false);
    let unpaid = Postings::transfer(Account::Held, Account::House, envy);
    let Some(claim) = table.parts.claims.iter().find(|claim| claim.id == id) else {
        let HeldAward { seat, spot, amount, .. } = held(table, id)?;
        let mut postings = Postings::transfer(Account::Held, Account::House, amount);
        postings.extend(&unpaid);
        let seats = vec![seat];
        return Ok(vec![Event::ClaimDenied { claim: id, spot, seats, reason, envy, postings }]);
    };
    let meter = rules.meters().iter().find(|meter| meter.name == claim.meter);
    let wager = meter.expect("the rules stay while a claim waits").wager;
    let spot = rules.spots_of(wager).next().expect("a wager has a spot");
    let base = rules.wager(wager).limits.unit;
    let mut postings = unpaid;
    for (seat, units) in &claim.winners {
        let stake = Cents(base.0 * i64::from(*units));
        postings.extend(&Postings::transfer(Account::House, Account::Rack(*seat), stake));
    }
    let seats = claim.winners.iter().map(|(seat, _)| *seat).collect();
    Ok(vec![Event::ClaimDenied { claim: id, spot, seats, reason, envy, postings }])
}

/// The envy that moves when a claim is paid, or when it is denied.
fn envy_of(table: &Table, id: ClaimId, paid: bool) -> Cents {
    let moves = |envy: &&HeldEnvy| match paid {
        true => envy.claims.contains(&id),
        false => envy.claims == [id],
    };
    table.parts.held_envy.iter().filter(moves).map(|envy| envy.amount).sum()
}

/// What the dealers have just been paid waits with the claims of the same roll.
pub(super) fn hold_envy(table: &Table, claims: &[ClaimId], amount: Cents) -> Decision {
    let waits = |id: &ClaimId| {
        table.parts.claims.iter().any(|claim| claim.id == *id)
            || table.parts.held.iter().any(|award| award.id == *id)
    };
    let just_rolled =
        table.parts.before_roll.as_ref().is_some_and(|before| before.since.is_empty());
    if claims.is_empty() || !claims.iter().all(waits) || !just_rolled {
        return Err(Refusal::NoSuchClaim);
    }
    if amount <= Cents::ZERO {
        return Err(Refusal::ZeroAmount);
    }
    let paid = table.balance(Account::Envy);
    if amount > paid {
        return Err(Refusal::OverLimit { max: paid });
    }
    let envy = HeldEnvy { claims: claims.to_vec(), amount };
    let postings = Postings::transfer(Account::Envy, Account::Held, amount);
    Ok(vec![Event::EnvyHeld { envy, postings }])
}
