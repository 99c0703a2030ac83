//! A day at one table: several plans share the puck, the lammers, the caps, the meters and the
//! dice, and the house counts what came of it.
//!
//! Rolls go through the engine itself and not through a machine of positions: what one plan may do
//! depends on what the others have up. A day is a session of the simulator's dice.

mod books;
mod run;

use std::sync::Arc;

use craps::machine::{End, Player, Rail};
use craps::{Account, Cents, Meter, MicroCents, Rules};

use self::books::{Book, Watched};
pub use self::books::{Books, Figure, MeterBooks, MeterFigure, SeatFigure, Sums};
pub use self::run::{Days, run_days};
use crate::dice::Dice;

/// A table for a day: who plays, for how long, and what the meters show in the morning.
#[derive(Clone, Debug)]
pub struct Day {
    /// What the table plays by.
    pub rules: Arc<Rules>,
    /// What each meter of the rules starts at; at its seed without.
    pub meters: Vec<Option<Cents>>,
    /// Everybody at the rail, in order.
    pub seats: Vec<DaySeat>,
    /// How many rolls a day has. What is up then and may not come down is played out.
    pub rolls: u32,
}

/// Somebody who comes to the table in the morning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DaySeat {
    /// The plan, by its place.
    pub plan: usize,
    /// What they buy in for.
    pub bankroll: Cents,
    /// What happens once the plan is ruined.
    pub ruined: Afterwards,
    /// What happens once the plan has left.
    pub left: Afterwards,
}

/// What becomes of a seat whose plan has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Afterwards {
    /// Somebody buys in anew with the same plan before the next roll.
    BuysIn,
    /// It stays empty until the next day.
    StaysAway,
}

/// So long is waited for the last bet to be decided.
const LATE: u32 = 1_000_000;

/// A table that is played day by day.
struct Played<'a, P: Player> {
    day: &'a Day,
    rail: Rail<'a, P>,
    /// Whether a spot is of a side bet.
    side: Vec<bool>,
    book: Book,
}

impl<'a, P: Player> Played<'a, P> {
    fn new(day: &'a Day, plans: &'a [P]) -> Played<'a, P> {
        let rules = &day.rules;
        let side = rules.spots().map(|spot| rules.spot_rule(spot).tracker.is_some()).collect();
        let book = Book::new(day.rules.meters().len(), day.seats.len());
        Played { day, rail: Rail::new(rules, plans), side, book }
    }

    /// Plays the day of this number.
    fn play(&mut self, dice: Dice, number: u64) -> Result<&Book, P::Fault> {
        let (rail, day) = (&mut self.rail, self.day);
        rail.open(&day.meters);
        self.book.open(rail.meters());
        for (seat, book) in day.seats.iter().zip(&mut self.book.seats) {
            rail.sit(seat.plan, seat.bankroll);
            book.bought = seat.bankroll;
        }
        if rail.ask()? {
            self.seat_again()?;
        }
        let mut rolls = dice.rolls(number);
        let mut next = || rolls.next().expect("the dice never end");
        for _ in 0..day.rolls {
            self.rail.throw(next());
            self.count();
            if self.rail.ask()? {
                self.seat_again()?;
            }
            self.watch();
        }
        self.rail.close();
        self.rail.ask()?;
        for _ in 0..LATE {
            if self.rail.is_bare() {
                break;
            }
            self.rail.throw(next());
            self.count();
            self.rail.ask()?;
            self.watch();
        }
        self.cash_out();
        Ok(&self.book)
    }

    /// Whoever has just ended buys in anew, or stays away. A plan that ends as soon as it sits down
    /// is not asked a third time before the dice are thrown.
    fn seat_again(&mut self) -> Result<(), P::Fault> {
        for seat in self.rail.seats() {
            let book = &mut self.book.seats[seat.index()];
            let Some(end) = self.rail.end(seat).filter(|_| !book.away) else { continue };
            let DaySeat { bankroll, ruined, left, .. } = self.day.seats[seat.index()];
            let afterwards = match end {
                End::Left => left,
                End::Ruined | End::Idle => ruined,
            };
            book.ended(end);
            book.away = true;
            if afterwards == Afterwards::BuysIn {
                book.bought += bankroll;
                book.cashed += self.rail.equity(seat);
                self.rail.buy_in_again(seat, bankroll)?;
                book.away = self.rail.end(seat).is_some();
            }
        }
        Ok(())
    }

    /// Counts what the last roll did.
    #[inline]
    fn count(&mut self) {
        let out = self.rail.settlement();
        let book = &mut self.book;
        book.rolls += 1;
        for line in &out.lines {
            let game = &mut book.games[usize::from(self.side[line.bet.spot.index()])];
            if line.fate.is_decision() {
                game.handle += line.bet.stake;
                book.seats[line.seat.index()].handle += line.bet.stake;
            }
            game.win -= line.net();
            book.withheld += line.withheld;
        }
        for (award, amount) in &out.envies {
            let rules = &self.day.rules;
            let side = rules.wager(rules.award(*award).wager).shape.is_tracked();
            book.games[usize::from(side)].win -= *amount;
            book.envy += *amount;
        }
        for (meter, award) in self.rail.awards() {
            let paid: Cents = award.shares.iter().map(|(_, share)| *share).sum();
            book.games[1].win -= paid;
            book.meters[meter.index()].jackpots.push(paid);
        }
    }

    /// Reads the meters.
    #[inline]
    fn watch(&mut self) {
        for (meter, watched) in self.rail.meters().iter().zip(&mut self.book.meters) {
            watched.shown += meter.amount().0;
            watched.high = watched.high.max(meter.amount());
        }
    }

    /// The day is over: what everybody has left, and what the meters have grown by.
    fn cash_out(&mut self) {
        for (meter, watched) in self.rail.meters().iter().zip(&mut self.book.meters) {
            watched.end = meter.amount();
            self.book.games[1].win -= (held(meter) - watched.held).whole_cents();
        }
        for seat in self.rail.seats() {
            self.book.seats[seat.index()].cashed += self.rail.equity(seat);
        }
        self.book.envy_check(self.rail.accounts().balance(Account::Envy));
    }
}

/// What a meter holds of other people's money, or of the house's until it is won.
fn held(meter: &Meter) -> MicroCents {
    meter.amount() + meter.reserve()
}

impl Book {
    /// A new day.
    fn open(&mut self, meters: &[Meter]) {
        let (meter_count, seat_count) = (self.meters.len(), self.seats.len());
        *self = Book::new(meter_count, seat_count);
        for (meter, watched) in meters.iter().zip(&mut self.meters) {
            let (held, high) = (held(meter), meter.amount());
            *watched = Watched { held, high, ..Watched::default() };
        }
    }
}
