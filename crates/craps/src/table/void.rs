//! The last roll taken back: it did not count, or was misread and is settled anew. A table
//! remembers how it was before that roll until the next bet is accepted.

use super::decide::{Decision, rolled};
use super::{Event, Parts, Phase, Shooter, Table, Voided};
use crate::account::{Account, Posting};
use crate::dice::Roll;
use crate::refusal::Refusal;
use crate::rules::Rules;

pub(super) fn voided(table: &Table, reason: &str) -> Result<Voided, Refusal> {
    let before = table.parts.before_roll.as_ref().ok_or(Refusal::NothingToVoid)?;
    // Winnings that have left with a cash-out cannot be taken back.
    let overdrawn = |posting: &Posting| {
        matches!(posting.account, Account::Rack(_))
            && table.balance(posting.account) < posting.amount
    };
    if before.postings.iter().any(overdrawn) {
        return Err(Refusal::NothingToVoid);
    }
    Ok(Voided {
        reason: reason.to_owned(),
        roll: before.roll,
        postings: before.postings.reversed(),
        claims: before.made.clone(),
    })
}

pub(super) fn correct(
    table: &Table,
    rules: &Rules,
    roll: Roll,
    reason: &str,
    may: Shooter,
) -> Decision {
    let voided = Box::new(voided(table, reason)?);
    let mut before = table.clone();
    before.evolve(&Event::Voided(voided.clone()));
    let rolled = Box::new(rolled(&before, rules, roll, may)?);
    Ok(vec![Event::Corrected { voided, rolled }])
}

/// What taking a roll back changes.
pub(super) fn void(table: &mut Parts, voided: &Voided) {
    let before = table.before_roll.take().expect("a roll is voided before the next bet");
    table.accounts.book(&voided.postings);
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
    table.betting = Phase::Open;
}
