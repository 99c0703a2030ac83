//! What an event changes. It needs no rules and cannot fail; it checks the books instead.

use super::{BeforeRoll, Betting, Dice, Event, Phase, Player, Rolled, Status, Table, Voided};
use crate::{Account, Cents, Hand, Layout, Postings, Seat};

pub(super) fn evolve(table: &mut Table, event: &Event) {
    match event {
        Event::Sat { seat, name } => {
            let player = Player { name: name.clone(), layout: Layout::default() };
            table.seats[seat.index()] = Some(player);
        }
        Event::Left { seat, postings } => {
            table.accounts.book(postings);
            table.seats[seat.index()] = None;
            // A roll this player took part in can no longer be taken back.
            table.before_roll.take_if(|before| before.involves(*seat));
            pass_on(*seat, &mut table.dice, &mut table.cap_used);
            // Nor does taking back another's bring the shooter back.
            if let Some(before) = &mut table.before_roll {
                pass_on(*seat, &mut before.dice, &mut before.cap_used);
            }
        }
        Event::BoughtIn { postings, .. }
        | Event::CashedOut { postings, .. }
        | Event::Filled { postings }
        | Event::Credited { postings } => table.accounts.book(postings),
        Event::Put(betting) | Event::Took(betting) | Event::Called(betting) => {
            bet(table, betting);
        }
        Event::BettingClosed => table.betting = Phase::Closed,
        Event::Rolled(rolled) => roll(table, rolled),
        Event::NoRoll => table.betting = Phase::Open,
        Event::DicePassed { to } => {
            table.dice = Dice::Offered(*to);
            table.cap_used = Cents::ZERO;
        }
        Event::Voided(voided) => void(table, voided),
        Event::Corrected { voided, rolled } => {
            void(table, voided);
            roll(table, rolled);
        }
        Event::ClaimPaid { claim, postings, .. } => pay(table, *claim, postings),
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

/// A shooter who leaves gives up the dice.
fn pass_on(from: Seat, dice: &mut Dice, cap_used: &mut Cents) {
    if *dice == Dice::Held(from) {
        *dice = Dice::Offered(from.next());
        *cap_used = Cents::ZERO;
    }
}

fn bet(table: &mut Table, betting: &Betting) {
    let player = table.seats[betting.seat.index()].as_mut().expect("a bettor is seated");
    betting.bets.iter().for_each(|bet| player.layout.set(*bet));
    table.accounts.book(&betting.postings);
    table.hand = betting.hand;
    if let Some(fed) = &betting.fed {
        table.carry = fed.carry;
    }
    table.before_roll = None;
}

fn roll(table: &mut Table, rolled: &Rolled) {
    table.before_roll = Some(Box::new(BeforeRoll {
        roll: rolled.roll,
        hand: table.hand,
        dice: table.dice,
        layouts: table.seats.iter().map(layout_of).collect(),
        cap_used: table.cap_used,
        memo: table.memo,
        claims: table.claims.clone(),
        paid: Vec::new(),
        postings: rolled.settlement.postings.clone(),
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

impl BeforeRoll {
    fn involves(&self, seat: Seat) -> bool {
        let accounts = [Account::Rack(seat), Account::Action(seat)];
        let moved = |posting: &crate::Posting| accounts.contains(&posting.account);
        !self.layouts[seat.index()].is_empty() || self.postings.iter().any(moved)
    }
}

fn layout_of(player: &Option<Player>) -> Layout {
    player.as_ref().map(|player| player.layout.clone()).unwrap_or_default()
}

fn void(table: &mut Table, voided: &Voided) {
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
    table.betting = Phase::Open;
}

fn pay(table: &mut Table, claim: super::ClaimId, postings: &Postings) {
    table.accounts.book(postings);
    let place = table.claims.iter().position(|waiting| waiting.id == claim);
    let claim = table.claims.remove(place.expect("a paid claim was waiting"));
    // A claim of the last roll can still be taken back with it.
    if let Some(before) = &mut table.before_roll {
        if before.claims.iter().any(|earlier| earlier.id == claim.id) {
            before.claims.retain(|earlier| earlier.id != claim.id);
        } else {
            before.postings.extend(postings);
            before.paid.push(claim);
        }
    }
}

/// The books after every event, in release builds too: all accounts together hold nothing, and
/// what a seat has in action is exactly what lies on its layout.
fn check_books(table: &Table) {
    assert_eq!(table.accounts.sum(), Cents::ZERO, "the accounts do not sum to zero");
    for (seat, player) in Seat::all().zip(&table.seats) {
        let outlay = player.as_ref().map_or(Cents::ZERO, |player| player.layout.outlay());
        let action = table.accounts.balance(Account::Action(seat));
        assert_eq!(action, outlay, "{seat}: chips in action differ from the layout");
    }
}
