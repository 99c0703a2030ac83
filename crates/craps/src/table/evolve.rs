//! What an event changes. It needs no rules and cannot fail; it checks the books instead.

use super::{
    BeforeRoll, Betting, Claim, ClaimId, Dice, Event, HeldAward, Phase, Player, Rolled, Status,
    Table, Voided, Won,
};
use crate::account::{Account, Postings, Seat};
use crate::fate::Fate;
use crate::hand::Hand;
use crate::layout::Layout;
use crate::money::Cents;
use crate::settle::Settled;

pub(super) fn evolve(table: &mut Table, event: &Event) {
    match event {
        Event::Sat { seat, name } => {
            let player = Player { name: name.clone(), layout: Layout::default() };
            table.parts.seats[seat.index()] = Some(player);
        }
        Event::Left { seat, postings } => {
            table.parts.accounts.book(postings);
            table.parts.seats[seat.index()] = None;
            // A roll this player took part in can no longer be taken back.
            table.parts.before_roll.take_if(|before| before.involves(*seat));
            pass_on(*seat, &mut table.parts.dice, &mut table.parts.cap_used);
            // Nor does taking back another's bring the shooter back.
            if let Some(before) = &mut table.parts.before_roll {
                pass_on(*seat, &mut before.dice, &mut before.cap_used);
            }
        }
        Event::BoughtIn { postings, .. }
        | Event::CashedOut { postings, .. }
        | Event::Filled { postings }
        | Event::Credited { postings } => table.parts.accounts.book(postings),
        Event::Put(betting)
        | Event::Took(betting)
        | Event::Called(betting)
        | Event::Returned { betting, .. } => bet(table, betting),
        Event::BettingClosed => table.parts.betting = Phase::Closed,
        Event::Rolled(rolled) => roll(table, rolled),
        Event::NoRoll => table.parts.betting = Phase::Open,
        Event::DicePassed { to } => {
            table.parts.dice = Dice::Offered(*to);
            table.parts.cap_used = Cents::ZERO;
        }
        Event::Voided(voided) => void(table, voided),
        Event::Corrected { voided, rolled } => {
            void(table, voided);
            roll(table, rolled);
        }
        Event::Held { award, postings } => hold(table, award, postings),
        Event::ClaimPaid { claim, postings, .. } => answer(table, *claim, postings),
        Event::Released { award, postings } => answer(table, award.id, postings),
        Event::ClaimDenied { claim, postings, .. } => {
            answer(table, *claim, postings);
            // Its meter takes it back now, and not once more with the roll.
            if let Some(before) = &mut table.parts.before_roll {
                before.made.retain(|made| made.id != *claim);
            }
        }
        Event::Configured { rules } => {
            table.parts.rules = *rules;
            table.parts.hand = Hand::default();
            table.parts.cap_used = Cents::ZERO;
            table.parts.before_roll = None;
        }
        Event::Paused => table.parts.status = Status::Paused,
        Event::Resumed => table.parts.status = Status::Running,
        Event::Closed => table.parts.status = Status::Closed,
    }
    check_books(table);
}

/// A shooter who leaves gives up the dice.
fn pass_on(from: Seat, dice: &mut Dice, cap_used: &mut Cents) {
    if *dice == Dice::Held(from) {
        *dice = Dice::Offered(from.next());
        *cap_used = Cents::ZERO;
    }
}

fn bet(table: &mut Table, betting: &Betting) {
    let player = table.parts.seats[betting.seat.index()].as_mut().expect("a bettor is seated");
    betting.bets.iter().for_each(|bet| player.layout.set(*bet));
    table.parts.accounts.book(&betting.postings);
    table.parts.hand = betting.hand;
    if let Some(fed) = &betting.fed {
        table.parts.carry = fed.carry;
    }
    table.parts.before_roll = None;
}

fn roll(table: &mut Table, rolled: &Rolled) {
    table.parts.before_roll = Some(Box::new(BeforeRoll {
        roll: rolled.roll,
        hand: table.parts.hand,
        dice: table.parts.dice,
        layouts: table.parts.seats.iter().map(layout_of).collect(),
        cap_used: table.parts.cap_used,
        memo: table.parts.memo,
        claims: table.parts.claims.clone(),
        held: table.parts.held.clone(),
        made: rolled.claims.clone(),
        won: rolled.settlement.lines.iter().filter_map(won).collect(),
        postings: rolled.settlement.postings.clone(),
    }));
    table.parts.accounts.book(&rolled.settlement.postings);
    for (place, player) in table.parts.seats.iter_mut().enumerate() {
        let Some(player) = player else { continue };
        let seat = Seat(place as u8);
        player.layout.settle(rolled.settlement.lines.iter().filter(|line| line.seat == seat));
    }
    table.parts.hand = rolled.hand;
    table.parts.dice = rolled.dice;
    table.parts.rolls = rolled.number;
    table.parts.cap_used = rolled.cap_used;
    table.parts.memo += rolled.settlement.memo;
    table.parts.claims_made += rolled.claims.len() as u64;
    table.parts.claims.extend(rolled.claims.iter().cloned());
    table.parts.betting = Phase::Open;
}

/// What a bet has won, where there is anything.
fn won(line: &Settled) -> Option<Won> {
    let Settled { seat, bet, fate, won, charged, .. } = *line;
    let amount = won - charged;
    let wins = matches!(fate, Fate::Win { .. }) && amount > Cents::ZERO;
    wins.then_some(Won { seat, spot: bet.spot, amount })
}

impl BeforeRoll {
    fn involves(&self, seat: Seat) -> bool {
        let accounts = [Account::Rack(seat), Account::Action(seat)];
        let moved = |posting: &crate::account::Posting| accounts.contains(&posting.account);
        !self.layouts[seat.index()].is_empty() || self.postings.iter().any(moved)
    }
}

fn layout_of(player: &Option<Player>) -> Layout {
    player.as_ref().map(|player| player.layout.clone()).unwrap_or_default()
}

fn void(table: &mut Table, voided: &Voided) {
    let before = table.parts.before_roll.take().expect("a roll is voided before the next bet");
    table.parts.accounts.book(&voided.postings);
    for (player, layout) in table.parts.seats.iter_mut().zip(before.layouts) {
        if let Some(player) = player {
            player.layout = layout;
        }
    }
    table.parts.hand = before.hand;
    table.parts.dice = before.dice;
    table.parts.rolls -= 1;
    table.parts.cap_used = before.cap_used;
    table.parts.memo = before.memo;
    table.parts.claims = before.claims;
    table.parts.held = before.held;
    table.parts.betting = Phase::Open;
}

/// Winnings are held once, and taken back with their roll.
fn hold(table: &mut Table, award: &HeldAward, postings: &Postings) {
    table.parts.accounts.book(postings);
    table.parts.claims_made += 1;
    table.parts.held.push(*award);
    let before =
        table.parts.before_roll.as_mut().expect("winnings are held right after their roll");
    before.won.retain(|won| (won.seat, won.spot) != (award.seat, award.spot));
    before.postings.extend(postings);
}

/// A claim is paid, released or denied. One of the last roll can still be taken back with it.
fn answer(table: &mut Table, id: ClaimId, postings: &Postings) {
    table.parts.accounts.book(postings);
    let forget = |claims: &mut Vec<Claim>, held: &mut Vec<HeldAward>| {
        let waited = claims.len() + held.len();
        claims.retain(|claim| claim.id != id);
        held.retain(|award| award.id != id);
        claims.len() + held.len() < waited
    };
    assert!(forget(&mut table.parts.claims, &mut table.parts.held), "what is answered was waiting");
    if let Some(before) = &mut table.parts.before_roll
        && !forget(&mut before.claims, &mut before.held)
    {
        before.postings.extend(postings);
    }
}

/// The books after every event, in release builds too: all accounts together hold nothing, what
/// is held is exactly what waits, and what a seat has in action is exactly what lies on its
/// layout.
fn check_books(table: &Table) {
    assert_eq!(table.parts.accounts.sum(), Cents::ZERO, "the accounts do not sum to zero");
    let held: Cents = table.parts.held.iter().map(|award| award.amount).sum();
    assert_eq!(
        table.parts.accounts.balance(Account::Held),
        held,
        "chips held differ from the awards"
    );
    for (seat, player) in Seat::all().zip(&table.parts.seats) {
        let outlay = player.as_ref().map_or(Cents::ZERO, |player| player.layout.outlay());
        let action = table.parts.accounts.balance(Account::Action(seat));
        assert_eq!(action, outlay, "{seat}: chips in action differ from the layout");
    }
}
