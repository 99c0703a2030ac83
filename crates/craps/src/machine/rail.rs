//! Several plans along the rail of one table, with real money: they share the puck, the lammers,
//! the caps, the meters and the dice. Rolls go through the engine as at a live table; each plan is
//! asked in the order of the seats, at a desk whose hand is the table's.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use super::End;
use super::desk::Asked;
use super::heard::{Heard, Outcome, Standing};
use super::last::Last;
use super::player::Player;
use crate::account::{Account, Accounts, Postings, Seat};
use crate::call::Called;
use crate::dice::Roll;
use crate::hand::Hand;
use crate::layout::Layout;
use crate::meter::{Award, Meter, MeterCommand, MeterEvent, TableClaim};
use crate::money::{Cents, MicroCents};
use crate::rules::{MeterPlace, Rules};
use crate::settle::{Settled, Settlement};
use crate::spot::Spot;
use crate::state::throw;
use crate::table::{Contribution, awarded, claims, contribution};

/// Several plans at one table.
pub struct Rail<'a, P: Player> {
    rules: &'a Arc<Rules>,
    players: &'a [P],
    /// What each plan has been heard to ask: kept from one opening of the table to the next.
    heard: Vec<Heard<P::Memory>>,
    places: Vec<Place>,
    hand: Hand,
    cap_used: Cents,
    carry: MicroCents,
    claims_made: u64,
    accounts: Accounts,
    meters: Vec<Meter>,
    called: Option<Called>,
    settlement: Settlement,
    awards: Vec<(MeterPlace, Award)>,
    postings: Postings,
}

/// Somebody at the rail.
struct Place {
    player: usize,
    standing: Standing,
    /// It has not been asked since it sat down: to it there was no last roll.
    fresh: bool,
    end: Option<End>,
    /// What came of asking it last.
    outcome: Option<Rc<Outcome>>,
}

impl<'a, P: Player> Rail<'a, P> {
    /// A table without anybody; `players` are the plans that may sit down.
    pub fn new(rules: &'a Arc<Rules>, players: &'a [P]) -> Rail<'a, P> {
        let mut rail = Rail {
            rules,
            players,
            heard: players.iter().map(|_| Heard::new()).collect(),
            places: Vec::new(),
            hand: Hand::default(),
            cap_used: Cents::ZERO,
            carry: MicroCents::ZERO,
            claims_made: 0,
            accounts: Accounts::default(),
            meters: Vec::new(),
            called: None,
            settlement: Settlement::default(),
            awards: Vec::new(),
            postings: Postings::default(),
        };
        rail.open(&[]);
        rail
    }

    /// Opens the table anew, with nobody at the rail. Each meter of the rules starts at its seed,
    /// or at the amount given for it.
    pub fn open(&mut self, amounts: &[Option<Cents>]) {
        self.places.clear();
        self.hand = Hand::default();
        self.cap_used = Cents::ZERO;
        self.carry = MicroCents::ZERO;
        self.claims_made = 0;
        self.accounts = Accounts::default();
        let amounts = amounts.iter().copied().chain(std::iter::repeat(None));
        let meters = self.rules.meters().iter().zip(amounts);
        let open = |(meter, amount): (&crate::rules::MeterRule, _)| {
            Meter::open(&meter.name, meter.terms, amount)
        };
        self.meters = meters.map(open).collect();
        self.called = None;
        self.settlement.clear();
        self.awards.clear();
    }

    /// Sits down with a plan and buys in.
    pub fn sit(&mut self, player: usize, bankroll: Cents) -> Seat {
        assert!(self.places.len() < Seat::COUNT, "a table has {} places", Seat::COUNT);
        let seat = Seat(self.places.len() as u8);
        let memory = self.heard[player].number(self.players[player].memory());
        let standing = Standing { memory, ..Standing::default() };
        self.places.push(Place { player, standing, fresh: true, end: None, outcome: None });
        self.accounts.book(&Postings::transfer(Account::Cage, Account::Rack(seat), bankroll));
        seat
    }

    /// Has a plan that has ended cash out, buy in anew, and asks it as if it had just sat down.
    pub fn buy_in_again(&mut self, seat: Seat, bankroll: Cents) -> Result<(), P::Fault> {
        let place = &mut self.places[seat.index()];
        assert!(place.end.is_some(), "somebody who plays does not cash out");
        let memory = self.players[place.player].memory();
        let memory = self.heard[place.player].number(memory);
        place.standing = Standing { memory, ..Standing::default() };
        (place.fresh, place.end) = (true, None);
        let more = bankroll - self.accounts.balance(Account::Rack(seat));
        self.accounts.book(&Postings::transfer(Account::Cage, Account::Rack(seat), more));
        self.ask_seat(seat)
    }

    /// The table closes: everybody takes down what may come down when they are asked next, and asks
    /// for nothing more.
    pub fn close(&mut self) {
        self.places.iter_mut().for_each(|place| place.standing.leaving = true);
    }

    /// Throws the dice and settles every bet. What was won and lost is in [`Rail::settlement`] and
    /// [`Rail::awards`] until the next roll.
    pub fn throw(&mut self, roll: Roll) -> Called {
        let seats = self.places.iter().enumerate();
        let seats = seats.map(|(place, it)| (Seat(place as u8), &it.standing.layout));
        let out = &mut self.settlement;
        let called = throw(self.rules, &self.hand, seats, roll, self.cap_used, out);
        self.accounts.book(&out.postings);
        for lines in out.lines.chunk_by(|one, other| one.seat == other.seat) {
            let place = &mut self.places[lines[0].seat.index()];
            place.standing.layout.settle(lines.iter());
        }
        self.hand = called.hand;
        self.cap_used = self.rules.cap_used(self.cap_used, out.capped, called.is_seven_out());
        self.called = Some(called);
        self.awards.clear();
        if !self.settlement.claims.is_empty() {
            self.pay_jackpots();
        }
        called
    }

    /// The meters answer, and everybody who has won is paid.
    #[cold]
    fn pay_jackpots(&mut self) {
        let claims = claims(self.rules, &self.settlement, self.claims_made);
        self.claims_made += claims.len() as u64;
        for claim in claims {
            let place = self.meters.iter().position(|meter| meter.name() == claim.meter);
            let place = place.expect("a table's meters are opened with it");
            let known = TableClaim { table: 0, id: claim.id };
            let command = MeterCommand::Claim { claim: known, winners: claim.winners };
            let events = self.meters[place].obey(&command);
            let events = events.expect("a meter takes what its tables tell it");
            let award = events.into_iter().find_map(|event| match event {
                MeterEvent::Awarded(award) => Some(award),
                _ => None,
            });
            let award = award.expect("a meter answers every claim");
            self.accounts.book(&awarded(&award.shares, award.from_house));
            self.awards.push((MeterPlace::at(place as u8), award));
        }
    }

    /// Asks everybody who has not ended, seat by seat. Says whether somebody has now.
    pub fn ask(&mut self) -> Result<bool, P::Fault> {
        let mut ended = false;
        for place in 0..self.places.len() {
            if self.places[place].end.is_none() {
                self.ask_seat(Seat(place as u8))?;
                ended |= self.places[place].end.is_some();
            }
        }
        Ok(ended)
    }

    fn ask_seat(&mut self, seat: Seat) -> Result<(), P::Fault> {
        let equity = self.equity(seat).0;
        let place = &self.places[seat.index()];
        let rolled = OnceCell::new();
        let last = || self.last(seat);
        let heard = &self.heard[place.player];
        let found = heard.find(&self.hand, &place.standing, equity, |question| {
            rolled.get_or_init(last).answer(question)
        });
        let outcome = match found {
            Some(outcome) => outcome,
            None => {
                let last = Rc::new(rolled.into_inner().unwrap_or_else(last));
                let (player, heard) = (&self.players[place.player], &mut self.heard[place.player]);
                heard.ask(self.rules, player, &self.hand, &place.standing, equity, &last)?
            }
        };
        let place = &mut self.places[seat.index()];
        place.fresh = false;
        let outcome = &**place.outcome.insert(outcome);
        if outcome.still {
            return Ok(());
        }
        self.heard[place.player].after(outcome, &mut self.hand);
        self.postings.clear();
        self.postings.post(Account::Rack(seat), -outcome.chips);
        self.postings.post(Account::Action(seat), outcome.chips);
        for (spot, grown) in &outcome.fed {
            let fed = contribution(self.rules, *spot, *grown, self.carry, &mut self.postings);
            let Contribution { meter, increment, reserve, carry } =
                fed.expect("what feeds a meter grows");
            self.carry = carry;
            self.meters[meter.index()].take_in(increment, reserve);
        }
        self.accounts.book(&self.postings);
        match &outcome.then {
            Ok(then) => {
                place.standing.layout.0.clone_from(&then.layout.0);
                (place.standing.memory, place.standing.leaving) = (then.memory, then.leaving);
            }
            Err(end) => {
                place.standing.layout.0.clear();
                place.end = Some(*end);
            }
        }
        Ok(())
    }

    /// What a plan can ask about the last roll.
    fn last(&self, seat: Seat) -> Last {
        let Some(called) = self.called.filter(|_| !self.places[seat.index()].fresh) else {
            return Last::default();
        };
        let jackpot = |spot: Spot| self.jackpot(seat, spot);
        let net = self.lines(seat).map(|line| line.net() + jackpot(line.bet.spot)).sum();
        Last::new(&called, self.lines(seat), jackpot, net)
    }

    /// What the last roll did to the bets of a seat.
    pub fn lines(&self, seat: Seat) -> impl Iterator<Item = &Settled> {
        self.settlement.lines.iter().filter(move |line| line.seat == seat)
    }

    /// What a meter paid on the last roll to the bet that stood there.
    pub fn jackpot(&self, seat: Seat, spot: Spot) -> Cents {
        if self.awards.is_empty() {
            return Cents::ZERO;
        }
        let meter = self.rules.meter_of(self.rules.spot_rule(spot).wager);
        let awards = self.awards.iter().filter(|(place, _)| Some(*place) == meter);
        let shares = awards.flat_map(|(_, award)| &award.shares);
        shares.filter(|(winner, _)| *winner == seat).map(|(_, share)| *share).sum()
    }

    /// What the last roll won and lost, bet by bet.
    pub fn settlement(&self) -> &Settlement {
        &self.settlement
    }

    /// What the meters awarded on the last roll.
    pub fn awards(&self) -> &[(MeterPlace, Award)] {
        &self.awards
    }

    /// The meters, in the order of the rules.
    pub fn meters(&self) -> &[Meter] {
        &self.meters
    }

    /// Everybody at the rail.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<P> {
        (0..self.places.len() as u8).map(Seat)
    }

    /// A seat's rack and everything it has up.
    pub fn equity(&self, seat: Seat) -> Cents {
        self.accounts.balance(Account::Rack(seat)) + self.accounts.balance(Account::Action(seat))
    }

    /// Why a seat plays no longer.
    pub fn end(&self, seat: Seat) -> Option<End> {
        self.places[seat.index()].end
    }

    /// The bets of a seat.
    pub fn layout(&self, seat: Seat) -> &Layout {
        &self.places[seat.index()].standing.layout
    }

    /// What a seat asked for when it was last asked, and what became of it. What a rack was short
    /// of is told as it was when the plan first asked for the same.
    pub fn asked(&self, seat: Seat) -> &[Asked] {
        self.places[seat.index()].outcome.as_ref().map_or(&[], |outcome| &outcome.asked)
    }

    /// Whether nothing is up.
    pub fn is_bare(&self) -> bool {
        self.places.iter().all(|place| place.standing.layout.is_empty())
    }

    /// The table's accounts.
    pub fn accounts(&self) -> &Accounts {
        &self.accounts
    }

    /// What the table shares.
    pub fn hand(&self) -> &Hand {
        &self.hand
    }

    /// Whether the accounts sum to zero, no meter has lost money, and what the table has in
    /// clearing is what the meters have received and not paid.
    pub fn is_conserved(&self) -> bool {
        let cleared = MicroCents::from(self.accounts.balance(Account::Clearing)) + self.carry;
        let of_meters = self.meters.iter().map(Meter::cleared);
        self.accounts.sum() == Cents::ZERO
            && self.meters.iter().all(Meter::is_conserved)
            && of_meters.fold(MicroCents::ZERO, |sum, part| sum + part) == cleared
            && self.seats().all(|seat| {
                self.layout(seat).outlay() == self.accounts.balance(Account::Action(seat))
            })
    }
}
