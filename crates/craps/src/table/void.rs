//! The last roll taken back: it did not count, or was misread and is settled again. A table
//! remembers how it was before that roll until the dice are thrown again. What was bet in the
//! meantime is undone first, newest first.

use super::decide::{Contribution, Decision, contribution, rolled};
use super::{Event, Fed, Parts, Phase, Shooter, Since, Table, Undone, Voided};
use crate::account::{Account, Posting, Postings};
use crate::dice::Roll;
use crate::money::{Cents, MicroCents};
use crate::refusal::Refusal;
use crate::rules::Rules;

pub(super) fn voided(table: &Table, rules: &Rules, reason: &str) -> Result<Voided, Refusal> {
    let before = table.parts.before_roll.as_ref().ok_or(Refusal::NothingToVoid)?;
    let voided = Voided {
        reason: reason.to_owned(),
        roll: before.roll,
        postings: before.postings.reversed(),
        claims: before.made.clone(),
        undone: undone(table, rules, &before.since),
    };
    // Chips that have left with a cash-out cannot be taken back.
    let overdrawn = |posting: &Posting| {
        matches!(posting.account, Account::Rack(_))
            && table.balance(posting.account) + posting.amount < Cents::ZERO
    };
    match voided.all_postings().iter().any(overdrawn) {
        true => Err(Refusal::NothingToVoid),
        false => Ok(voided),
    }
}

/// How what was bet since the roll is undone, newest first. A meter gets its share back as it
/// does when a bet is taken down.
fn undone(table: &Table, rules: &Rules, since: &[Since]) -> Vec<Undone> {
    let mut carry = table.parts.carry;
    since.iter().rev().map(|since| undo(rules, since, &mut carry)).collect()
}

fn undo(rules: &Rules, since: &Since, owed: &mut MicroCents) -> Undone {
    let Since { seat, spot, chips, fed } = since;
    let (rack, action) = (Account::Rack(*seat), Account::Action(*seat));
    let mut postings = Postings::transfer(action, rack, *chips);
    let fed = fed.as_ref().and_then(|fed| {
        let back = contribution(rules, *spot, -fed.stake, *owed, &mut postings)?;
        let Contribution { meter: _, increment, reserve, carry } = back;
        *owed = carry;
        Some(Fed { meter: fed.meter.clone(), stake: -fed.stake, increment, reserve, carry })
    });
    Undone { seat: *seat, spot: *spot, postings, fed }
}

pub(super) fn correct(
    table: &Table,
    rules: &Rules,
    roll: Roll,
    reason: &str,
    may: Shooter,
) -> Decision {
    let voided = Box::new(voided(table, rules, reason)?);
    let mut before = table.clone();
    before.evolve(&Event::Voided(voided.clone()));
    let rolled = Box::new(rolled(&before, rules, roll, may)?);
    Ok(vec![Event::Corrected { voided, rolled }])
}

/// What taking a roll back changes.
pub(super) fn void(table: &mut Parts, voided: &Voided) {
    let before = table.before_roll.take().expect("a roll is voided before the next throw");
    table.accounts.book(&voided.all_postings());
    // The oldest bet is undone last.
    if let Some(fed) = voided.undone.iter().rev().find_map(|undone| undone.fed.as_ref()) {
        table.carry = fed.carry;
    }
    for (player, layout) in table.seats.iter_mut().zip(before.layouts) {
        if let Some(player) = player {
            player.layout = layout;
        }
    }
    table.hand = before.hand;
    table.dice = before.dice;
    table.rolls -= 1;
    table.cap_used = before.cap_used;
    table.memo = before.memo;
    table.claims = before.claims;
    table.held = before.held;
    table.held_envy = before.held_envy;
    table.betting = Phase::Open;
}
