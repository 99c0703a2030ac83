//! What an event changes. It needs no rules and cannot fail; it checks the books instead.

use super::mend::mend;
use super::sweep::sweep;
use super::void::void;
use super::{
    BeforeRoll, Betting, CashOutKind, Claim, ClaimId, Dice, Event, HeldAward, HeldEnvy, Parts,
    Phase, Player, Rolled, Since, Status, Won,
};
use crate::account::{Account, Postings, Seat};
use crate::fate::Fate;
use crate::hand::Hand;
use crate::layout::Layout;
use crate::money::Cents;
use crate::settle::Settled;

pub(super) fn evolve(table: &mut Parts, event: &Event) {
    match event {
        Event::Sat { seat, name } => {
            let player = Player { name: name.clone(), layout: Layout::default() };
            table.seats[seat.index()] = Some(player);
        }
        Event::Renamed { seat, name } => {
            if let Some(player) = &mut table.seats[seat.index()] {
                player.name.clone_from(name);
            }
        }
        Event::Left { seat, kind, postings } => {
            table.accounts.book(postings);
            chips_left(table, *kind, postings);
            table.seats[seat.index()] = None;
            // A roll this player took part in can no longer be taken back.
            table.before_roll.take_if(|before| before.involves(*seat));
            pass_on(*seat, &mut table.dice, &mut table.cap_used);
            // Nor does taking back another's bring the shooter back.
            if let Some(before) = &mut table.before_roll {
                pass_on(*seat, &mut before.dice, &mut before.cap_used);
            }
        }
        Event::BoughtIn { kind, postings, .. } => {
            table.accounts.book(postings);
            if kind.is_drop() {
                table.dropped -= postings.gain(Account::Cage);
            }
        }
        Event::CashedOut { kind, postings, .. } => {
            table.accounts.book(postings);
            chips_left(table, *kind, postings);
        }
        Event::Filled { postings } | Event::Credited { postings } => table.accounts.book(postings),
        Event::Put(betting)
        | Event::Took(betting)
        | Event::Called(betting)
        | Event::Returned { betting, .. } => bet(table, betting),
        Event::BettingClosed => table.betting = Phase::Closed,
        Event::Rolled(rolled) => roll(table, rolled),
        Event::NoRoll => table.betting = Phase::Open,
        Event::DicePassed { to } => {
            table.dice = Dice::Offered(*to);
            table.cap_used = Cents::ZERO;
        }
        Event::Swept(swept) => sweep(table, swept),
        Event::Voided(voided) => void(table, voided),
        Event::Corrected { voided, rolled } => {
            void(table, voided);
            roll(table, rolled);
        }
        Event::Held { award, postings } => hold(table, award, postings),
        Event::EnvyHeld { envy, postings } => hold_envy(table, envy, postings),
        Event::ClaimPaid { claim, postings, .. } => answer(table, *claim, postings, true),
        Event::Released { award, postings } => answer(table, award.id, postings, true),
        Event::ClaimDenied { claim, postings, .. } => {
            answer(table, *claim, postings, false);
            // Its meter takes it back now, and not once more with the roll.
            if let Some(before) = &mut table.before_roll {
                before.made.retain(|made| made.id != *claim);
            }
        }
        Event::Mended(mended) => mend(table, mended),
        Event::PayingBegun => table.betting = Phase::Paying,
        Event::BettingOpened => table.betting = Phase::Open,
        Event::Configured { rules } => {
            table.rules = *rules;
            table.hand = Hand::default();
            table.cap_used = Cents::ZERO;
            table.before_roll = None;
        }
        Event::Paused => table.status = Status::Paused,
        Event::Resumed => table.status = Status::Running,
        Event::Closed => table.status = Status::Closed,
    }
    check_books(table);
}

/// Chips have left a rack: some are in the tray again, and some the cage has paid.
fn chips_left(table: &mut Parts, kind: CashOutKind, postings: &Postings) {
    let amount = postings.gain(Account::Cage);
    match kind {
        CashOutKind::Redeem => table.redeemed += amount,
        CashOutKind::Jackpot => table.paid_by_cage += amount,
        CashOutKind::Walk | CashOutKind::Toke | CashOutKind::LeftBehind => {}
    }
}

/// A shooter who leaves gives up the dice.
fn pass_on(from: Seat, dice: &mut Dice, cap_used: &mut Cents) {
    if *dice == Dice::Held(from) {
        *dice = Dice::Offered(from.next());
        *cap_used = Cents::ZERO;
    }
}

fn bet(table: &mut Parts, betting: &Betting) {
    let player = table.seats[betting.seat.index()].as_mut().expect("a bettor is seated");
    betting.bets.iter().for_each(|bet| player.layout.set(*bet));
    table.accounts.book(&betting.postings);
    table.hand = betting.hand;
    if let Some(fed) = &betting.fed {
        table.carry = fed.carry;
    }
    // A void undoes it.
    if let Some(before) = &mut table.before_roll {
        let Betting { seat, spot, postings, fed, .. } = betting;
        let chips = postings.gain(Account::Action(*seat));
        before.since.push(Since { seat: *seat, spot: *spot, chips, fed: fed.clone() });
    }
}

fn roll(table: &mut Parts, rolled: &Rolled) {
    table.before_roll = Some(Box::new(BeforeRoll {
        roll: rolled.roll,
        hand: table.hand,
        dice: table.dice,
        layouts: table.seats.iter().map(layout_of).collect(),
        cap_used: table.cap_used,
        memo: table.memo,
        claims: table.claims.clone(),
        held: table.held.clone(),
        held_envy: table.held_envy.clone(),
        made: rolled.claims.clone(),
        won: rolled.settlement.lines.iter().filter_map(won).collect(),
        postings: rolled.settlement.postings.clone(),
        since: Vec::new(),
    }));
    table.accounts.book(&rolled.settlement.postings);
    for (place, player) in table.seats.iter_mut().enumerate() {
        let Some(player) = player else { continue };
        let seat = Seat(place as u8);
        player.layout.settle(rolled.settlement.lines.iter().filter(|line| line.seat == seat));
    }
    table.hand = rolled.hand;
    table.dice = rolled.dice;
    table.rolls = rolled.number;
    table.cap_used = rolled.cap_used;
    table.memo += rolled.settlement.memo;
    table.claims_made += rolled.claims.len() as u64;
    table.claims.extend(rolled.claims.iter().cloned());
    table.betting = Phase::Open;
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
        let bet = |since: &Since| since.seat == seat;
        !self.layouts[seat.index()].is_empty()
            || self.postings.iter().any(moved)
            || self.since.iter().any(bet)
    }
}

fn layout_of(player: &Option<Player>) -> Layout {
    player.as_ref().map(|player| player.layout.clone()).unwrap_or_default()
}

/// Winnings are held once, and taken back with their roll.
fn hold(table: &mut Parts, award: &HeldAward, postings: &Postings) {
    table.accounts.book(postings);
    table.claims_made += 1;
    table.held.push(*award);
    let before = table.before_roll.as_mut().expect("winnings are held right after their roll");
    before.won.retain(|won| (won.seat, won.spot) != (award.seat, award.spot));
    before.postings.extend(postings);
}

/// What the dealers are paid is held with the winnings it is paid for.
fn hold_envy(table: &mut Parts, envy: &HeldEnvy, postings: &Postings) {
    table.accounts.book(postings);
    table.held_envy.push(envy.clone());
    let before = table.before_roll.as_mut().expect("envy is held right after its roll");
    before.postings.extend(postings);
}

/// A claim is paid, released or denied. One of the last roll can still be taken back with it.
fn answer(table: &mut Parts, id: ClaimId, postings: &Postings, paid: bool) {
    table.accounts.book(postings);
    forget_envy(&mut table.held_envy, id, paid);
    if let Some(before) = &mut table.before_roll {
        forget_envy(&mut before.held_envy, id, paid);
    }
    let forget = |claims: &mut Vec<Claim>, held: &mut Vec<HeldAward>| {
        let waited = claims.len() + held.len();
        claims.retain(|claim| claim.id != id);
        held.retain(|award| award.id != id);
        claims.len() + held.len() < waited
    };
    assert!(forget(&mut table.claims, &mut table.held), "what is answered was waiting");
    if let Some(before) = &mut table.before_roll
        && !forget(&mut before.claims, &mut before.held)
    {
        before.postings.extend(postings);
    }
}

/// Envy stands no longer on a claim: it was paid with it, or waits for the claims that are left.
fn forget_envy(held: &mut Vec<HeldEnvy>, id: ClaimId, paid: bool) {
    held.retain_mut(|envy| {
        if !envy.claims.contains(&id) {
            return true;
        }
        envy.claims.retain(|claim| *claim != id);
        !paid && !envy.claims.is_empty()
    });
}

/// The books after every event, in release builds too: all accounts together hold nothing, what
/// is held is exactly what waits, and what a seat has in action is exactly what lies on its
/// layout.
fn check_books(table: &Parts) {
    assert_eq!(table.accounts.sum(), Cents::ZERO, "the accounts do not sum to zero");
    let awards = table.held.iter().map(|award| award.amount);
    let held: Cents = awards.chain(table.held_envy.iter().map(|envy| envy.amount)).sum();
    assert_eq!(table.accounts.balance(Account::Held), held, "chips held differ from the awards");
    for (seat, player) in Seat::all().zip(&table.seats) {
        let outlay = player.as_ref().map_or(Cents::ZERO, |player| player.layout.outlay());
        let action = table.accounts.balance(Account::Action(seat));
        assert_eq!(action, outlay, "{seat}: chips in action differ from the layout");
    }
}
