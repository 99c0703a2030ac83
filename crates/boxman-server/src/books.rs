//! The books of a table: what was bet, won and paid at it on each day.
//!
//! In the casino this is the sheet the count room draws up for a table and a gaming day. In the
//! code it is a sum over events: [`Books`] is part of the table's state, changes only with its
//! log, and comes out the same whenever the log is read again. Reports are made of it (see
//! `reports`), and nothing here asks what a wager should have held.
//!
//! Every cent of the house's account is in the books. Over all days of a table,
//!
//! ```text
//! House     = won on every wager − envy − fed to meters − jackpots from the house + adjusted
//! Clearing  = fed to meters − jackpots from meters
//! Cage      = cashed out + credited + mended away − drop − chips brought − filled
//! Tray      = Bank + House + Breakage + Clearing + Held
//!             − drop + redeemed + jackpots and mends paid by the cage
//! ```
//!
//! and envy, breakage and the bank (filled less credited) are the accounts of that name. The drop
//! is what the box holds: cash, markers and coupons. Chips that players bring along are in no box.

use std::collections::BTreeMap;
use std::ops::{AddAssign, SubAssign};

use craps::settle::Settled;
use craps::table::{MendMove, Rolled, Swept, Voided};
use craps::wager::Shape;
use craps::{Account, BuyInKind, CashOutKind, Cents, ClaimId, Event, Postings, Puck, Rules, Spot};

use crate::day::utc_day;
use crate::hash::Hash;
pub use crate::log::{Books, Bought, DayBook, Figures, Jackpots, LeftRacks};
use crate::log::{LastRoll, PlayerDay, Written};

/// So many of the newest days are never folded away.
const KEPT_OPEN: usize = 2;

/// Whether something goes into the books or out again.
#[derive(Clone, Copy)]
enum Way {
    In,
    Out,
}

impl Way {
    fn put<T: AddAssign + SubAssign + Copy>(self, sum: &mut T, part: &T) {
        match self {
            Way::In => *sum += *part,
            Way::Out => *sum -= *part,
        }
    }
}

impl DayBook {
    /// Adds what another day, another table or one more roll did, but for its players.
    pub fn add(&mut self, other: &DayBook) {
        self.change(other, Way::In);
    }

    fn change(&mut self, part: &DayBook, way: Way) {
        way.put(&mut self.rolls, &part.rolls);
        way.put(&mut self.hands, &part.hands);
        way.put(&mut self.drop, &part.drop);
        way.put(&mut self.bought.markers, &part.bought.markers);
        way.put(&mut self.bought.coupons, &part.bought.coupons);
        way.put(&mut self.bought.chips, &part.bought.chips);
        way.put(&mut self.cashed_out, &part.cashed_out);
        way.put(&mut self.left.jackpots, &part.left.jackpots);
        way.put(&mut self.left.redeemed, &part.left.redeemed);
        way.put(&mut self.left.tokes, &part.left.tokes);
        way.put(&mut self.left.behind, &part.left.behind);
        way.put(&mut self.filled, &part.filled);
        way.put(&mut self.credited, &part.credited);
        way.put(&mut self.envy, &part.envy);
        way.put(&mut self.mends, &part.mends);
        way.put(&mut self.adjusted, &part.adjusted);
        way.put(&mut self.mended_away.by_cage, &part.mended_away.by_cage);
        way.put(&mut self.mended_away.walked, &part.mended_away.walked);
        way.put(&mut self.fed, &part.fed);
        way.put(&mut self.breakage, &part.breakage);
        way.put(&mut self.jackpots.count, &part.jackpots.count);
        way.put(&mut self.jackpots.paid, &part.jackpots.paid);
        way.put(&mut self.jackpots.from_meter, &part.jackpots.from_meter);
        way.put(&mut self.jackpots.from_house, &part.jackpots.from_house);
        way.put(&mut self.cross, &part.cross);
        for (rules, wagers) in &part.wagers {
            if !self.wagers.contains_key(rules) {
                self.wagers.insert(rules.clone(), BTreeMap::new());
            }
            if let Some(mine) = self.wagers.get_mut(rules) {
                change_wagers(mine, wagers, way);
            }
        }
        // A roll taken back leaves no trace, not even a wager that nobody made.
        self.wagers.retain(|_, wagers| !wagers.is_empty());
    }

    /// Every wager with the rules it was decided under.
    pub fn figures(&self) -> impl Iterator<Item = (&str, &str, &Figures)> {
        self.wagers.iter().flat_map(|(rules, wagers)| {
            wagers.iter().map(move |(wager, figures)| (rules.as_str(), wager.as_str(), figures))
        })
    }

    fn book_buy_in(&mut self, kind: BuyInKind, amount: Cents) {
        if kind.is_drop() {
            self.drop += amount;
        }
        match kind {
            BuyInKind::Cash => {}
            BuyInKind::Marker => self.bought.markers += amount,
            BuyInKind::Coupon => self.bought.coupons += amount,
            BuyInKind::Chips => self.bought.chips += amount,
        }
    }

    fn book_cash_out(&mut self, kind: CashOutKind, amount: Cents) {
        self.cashed_out += amount;
        match kind {
            CashOutKind::Walk => {}
            CashOutKind::Jackpot => self.left.jackpots += amount,
            CashOutKind::Redeem => self.left.redeemed += amount,
            CashOutKind::Toke => self.left.tokes += amount,
            CashOutKind::LeftBehind => self.left.behind += amount,
        }
    }

    /// What the house's account gained.
    pub fn house(&self) -> Cents {
        let won: Cents = self.figures().map(|(_, _, figures)| figures.won).sum();
        won - self.envy - self.fed - self.jackpots.from_house + self.adjusted
    }
}

fn change_wagers(
    sums: &mut BTreeMap<String, Figures>,
    parts: &BTreeMap<String, Figures>,
    way: Way,
) {
    for (wager, part) in parts {
        // Names are many times the same, so they are copied only when they are new.
        if let Some(sum) = sums.get_mut(wager) {
            sum.change(part, way);
        } else {
            let mut sum = Figures::default();
            sum.change(part, way);
            sums.insert(wager.clone(), sum);
        }
    }
    sums.retain(|_, sum| *sum != Figures::default());
}

impl Figures {
    fn change(&mut self, part: &Figures, way: Way) {
        way.put(&mut self.decisions, &part.decisions);
        way.put(&mut self.handle, &part.handle);
        way.put(&mut self.won, &part.won);
        way.put(&mut self.withheld, &part.withheld);
        way.put(&mut self.squares, &part.squares);
        way.put(&mut self.cross, &part.cross);
    }
}

impl Books {
    /// The days not folded away yet.
    pub fn open_days(&self) -> Vec<(String, DayBook)> {
        self.days.iter().map(|(day, book)| (day.clone(), book.clone())).collect()
    }

    /// The days folded away, and the hash of what was written down of each.
    pub fn folded(&self) -> &BTreeMap<String, Hash> {
        &self.folded
    }

    /// Whether these are what `whole` books, of which no day was folded away, come to.
    pub fn come_of(&self, whole: &Books) -> bool {
        let same =
            |(day, book): (&String, &DayBook)| match (self.days.get(day), self.folded.get(day)) {
                (Some(open), None) => open == book,
                (None, Some(hash)) => *hash == Hash::of(book.text().as_bytes()),
                _ => false,
            };
        self.days.len() + self.folded.len() == whole.days.len()
            && whole.days.iter().all(same)
            && self.last == whole.last
    }

    /// Forgets all days but the two newest and those the last roll could still be taken back
    /// from, and says whether there were any. What is forgotten must have been written down.
    pub fn fold(&mut self) -> bool {
        let newest: Vec<String> = self.days.keys().rev().take(KEPT_OPEN).cloned().collect();
        let last = self.last.as_ref().map_or(&[][..], |last| &last.parts);
        let stays = |day: &String| newest.contains(day) || last.iter().any(|(of, _)| of == day);
        let gone: Vec<String> = self.days.keys().filter(|day| !stays(day)).cloned().collect();
        for day in &gone {
            if let Some(book) = self.days.remove(day) {
                self.folded.insert(day.clone(), Hash::of(book.text().as_bytes()));
            }
        }
        !gone.is_empty()
    }

    /// Books an event of `at` milliseconds since 1970, under the rules it was decided with.
    pub fn book(&mut self, rules: &Rules, at: u64, event: &Event) {
        let to_cage = |postings: &Postings| postings.gain(Account::Cage);
        match event {
            Event::BoughtIn { kind, postings, .. } => {
                self.day(at).book_buy_in(*kind, -to_cage(postings));
            }
            Event::Left { kind, postings, .. } | Event::CashedOut { kind, postings, .. } => {
                self.day(at).book_cash_out(*kind, to_cage(postings));
            }
            Event::Filled { postings } => self.day(at).filled -= to_cage(postings),
            Event::Credited { postings } => self.day(at).credited += to_cage(postings),
            Event::Put(betting)
            | Event::Took(betting)
            | Event::Called(betting)
            | Event::Returned { betting, .. } => {
                self.day(at).fed -= betting.postings.gain(Account::House);
            }
            Event::Rolled(rolled) => self.book_roll(rules, self.day_for(at), rolled),
            Event::Swept(swept) => {
                let part = of_sweep(rules, swept);
                self.day(at).add(&part);
                // Nor can a roll be taken back once bets have come down after it.
                self.last = None;
            }
            Event::Voided(voided) => {
                self.book_undone(at, voided);
                self.take_back();
            }
            Event::Corrected { voided, rolled } => {
                self.book_undone(at, voided);
                // The dice were thrown when they were misread, be it before midnight.
                let day = self.take_back().unwrap_or_else(|| self.day_for(at));
                self.book_roll(rules, day, rolled);
            }
            Event::ClaimPaid { claim, postings, .. } => {
                self.book_claim(at, *claim, of_jackpot(postings));
            }
            // Whether it is paid or held, a bet was won when the dice said so.
            Event::Held { award, .. } => {
                self.last.iter_mut().for_each(|last| last.claims.push(award.id));
            }
            Event::Released { .. } | Event::EnvyHeld { .. } => {}
            Event::ClaimDenied { claim, spot, envy, postings, .. } => {
                self.book_claim(at, *claim, of_denial(rules, *spot, *envy, postings));
            }
            // The roll stays as it was booked: what goes after it is a line of its own.
            Event::Mended(mended) => {
                let day = self.day(at);
                day.mends += 1;
                day.adjusted += mended.postings.gain(Account::House);
                for one in &mended.mending.moves {
                    match one {
                        MendMove::Cage { amount, .. } => day.mended_away.by_cage += *amount,
                        MendMove::Walked { amount, .. } => day.mended_away.walked += *amount,
                        MendMove::Rack { .. }
                        | MendMove::Felt { .. }
                        | MendMove::Dealers { .. } => {}
                    }
                }
                if mended.mending.last {
                    self.last = None;
                }
            }
            Event::Configured { .. } => self.last = None,
            Event::Sat { .. }
            | Event::Renamed { .. }
            | Event::BettingClosed
            | Event::NoRoll
            | Event::DicePassed { .. }
            | Event::PayingBegun
            | Event::BettingOpened
            | Event::Paused
            | Event::Resumed
            | Event::Closed => {}
        }
    }

    /// Notes what the tray holds after a record: what is noted last stays, as the tray at the end
    /// of the day. A record that moves nothing begins no day.
    pub fn note_tray(&mut self, at: u64, tray: Cents) {
        let day = self.day_for(at);
        let noted = self.days.values().rev().find_map(|day| day.tray).unwrap_or(Cents::ZERO);
        if tray != noted || self.days.contains_key(&day) {
            self.days.entry(day).or_default().tray = Some(tray);
        }
    }

    /// What players bought and cashed out on the day that something is booked on now.
    pub(crate) fn players(&self, at: u64) -> impl Iterator<Item = (u64, &PlayerDay)> {
        let players = self.days.get(&self.day_for(at)).map(|day| &day.players);
        players.into_iter().flatten().map(|(sitting, player)| (*sitting, player))
    }

    /// What was brought to the table and taken away from it on that day.
    pub(crate) fn filled_and_credited(&self, at: u64) -> (Cents, Cents) {
        let day = self.days.get(&self.day_for(at));
        day.map_or((Cents::ZERO, Cents::ZERO), |day| (day.filled, day.credited))
    }

    /// The entry of a sitting on the day that something is booked on now.
    pub(crate) fn player_of(&mut self, at: u64, sitting: u64) -> &mut PlayerDay {
        self.day(at).players.entry(sitting).or_default()
    }

    /// The entries of a sitting on the two newest days, which are never folded away, newest first.
    pub(crate) fn entries_of(&mut self, sitting: u64) -> impl Iterator<Item = &mut PlayerDay> {
        let newest = self.days.values_mut().rev().take(KEPT_OPEN);
        newest.filter_map(move |day| day.players.get_mut(&sitting))
    }

    /// The same, to look at.
    pub(crate) fn seen_of(&self, sitting: u64) -> impl Iterator<Item = &PlayerDay> {
        let newest = self.days.values().rev().take(KEPT_OPEN);
        newest.filter_map(move |day| day.players.get(&sitting))
    }

    /// The day something is booked on. A clock that was set back does not reopen a day that has
    /// been written down and forgotten: its entries go to the day after it.
    pub(crate) fn day_for(&self, at: u64) -> String {
        let day = utc_day(at);
        let folded = self.folded.last_key_value().map(|(day, _)| day);
        let is_open = |day: &String| folded.is_none_or(|folded| day > folded);
        match is_open(&day) {
            true => day,
            false => self.days.keys().find(|day| is_open(day)).cloned().unwrap_or(day),
        }
    }

    fn day(&mut self, at: u64) -> &mut DayBook {
        let day = self.day_for(at);
        self.days.entry(day).or_default()
    }

    /// Bets undone with a roll have fed nothing.
    fn book_undone(&mut self, at: u64, voided: &Voided) {
        let fed: Cents =
            voided.undone.iter().map(|undone| undone.postings.gain(Account::House)).sum();
        if fed != Cents::ZERO {
            self.day(at).fed -= fed;
        }
    }

    fn book_roll(&mut self, rules: &Rules, day: String, rolled: &Rolled) {
        let part = of_roll(rules, rolled);
        self.days.entry(day.clone()).or_default().add(&part);
        let claims = rolled.claims.iter().map(|claim| claim.id).collect();
        self.last = Some(LastRoll { parts: vec![(day, part)], claims });
    }

    fn book_claim(&mut self, at: u64, claim: ClaimId, part: DayBook) {
        let day = self.day_for(at);
        self.days.entry(day.clone()).or_default().add(&part);
        if let Some(last) = self.last.as_mut().filter(|last| last.claims.contains(&claim)) {
            last.parts.push((day, part));
        }
    }

    /// Takes the last roll out of the days it is booked on, and says on which it was thrown.
    fn take_back(&mut self) -> Option<String> {
        let last = self.last.take()?;
        for (day, part) in &last.parts {
            if let Some(book) = self.days.get_mut(day) {
                book.change(part, Way::Out);
            }
        }
        last.parts.into_iter().next().map(|(day, _)| day)
    }
}

/// What the bets on one spot came to on one roll.
struct Decided {
    spot: Spot,
    figures: Figures,
}

/// The books of one roll alone.
fn of_roll(rules: &Rules, rolled: &Rolled) -> DayBook {
    debug_assert_eq!(rules.hash, rolled.rules, "a roll is booked under its own rules");
    let spots = decided(&rolled.settlement.lines);
    let mut wagers: BTreeMap<String, BTreeMap<String, Figures>> = BTreeMap::new();
    if !spots.is_empty() {
        wagers.insert(Hash(rolled.rules).to_string(), by_wager(rules, rolled.puck, &spots));
    }
    let postings = &rolled.settlement.postings;
    let seven_out = rolled.is_seven_out();
    DayBook {
        rolls: 1,
        hands: u64::from(seven_out),
        envy: postings.gain(Account::Envy),
        breakage: postings.gain(Account::Breakage),
        cross: cross(spots.iter()),
        wagers,
        ..DayBook::default()
    }
}

/// The books of what came down when the dice went to another.
fn of_sweep(rules: &Rules, swept: &Swept) -> DayBook {
    let spots = decided(&swept.settlement.lines);
    let mut wagers: BTreeMap<String, BTreeMap<String, Figures>> = BTreeMap::new();
    if !spots.is_empty() {
        let by_wager = by_wager(rules, swept.hand.puck, &spots);
        wagers.insert(Hash(rules.hash).to_string(), by_wager);
    }
    DayBook { cross: cross(spots.iter()), wagers, ..DayBook::default() }
}

/// The books of a jackpot alone.
fn of_jackpot(postings: &Postings) -> DayBook {
    let from_house = -postings.gain(Account::House);
    let from_meter = -postings.gain(Account::Clearing);
    let paid = from_house + from_meter;
    let jackpots = Jackpots { count: 1, paid, from_meter, from_house };
    DayBook { jackpots, ..DayBook::default() }
}

/// The books of a denial alone: the house has what the roll had paid, or has paid a stake back
/// that the roll had lost. The dice decided neither.
fn of_denial(rules: &Rules, spot: Spot, envy: Cents, postings: &Postings) -> DayBook {
    let won = postings.gain(Account::House) - envy;
    let figures = Figures { won, withheld: won, ..Figures::default() };
    let wager = rules.spot_rule(spot).notation.clone();
    let wagers = BTreeMap::from([(wager, figures)]);
    let wagers = BTreeMap::from([(Hash(rules.hash).to_string(), wagers)]);
    // The dealers are not paid what the roll had booked for them.
    DayBook { wagers, envy: -envy, ..DayBook::default() }
}

/// The decided bets of all seats, spot by spot. Bets that travel or go back to the rack are not
/// decided, and move nothing between player and house.
fn decided(lines: &[Settled]) -> Vec<Decided> {
    let mut spots: Vec<Decided> = Vec::new();
    for line in lines.iter().filter(|line| line.fate.is_decision()) {
        let part = Figures {
            decisions: 1,
            handle: line.bet.stake,
            won: house_won(line),
            withheld: line.withheld,
            ..Figures::default()
        };
        match spots.iter_mut().find(|decided| decided.spot == line.bet.spot) {
            Some(decided) => decided.figures.change(&part, Way::In),
            None => spots.push(Decided { spot: line.bet.spot, figures: part }),
        }
    }
    for Decided { figures, .. } in &mut spots {
        figures.squares = u128::from(figures.handle.0.unsigned_abs()).pow(2);
    }
    spots
}

/// What the house's account gains by a line: what leaves the layout and reaches neither the
/// player nor breakage.
fn house_won(line: &Settled) -> Cents {
    let left = line.left.map_or(Cents::ZERO, craps::Bet::outlay);
    line.bet.outlay() - left - line.to_rack() - line.broken
}

fn by_wager(rules: &Rules, puck: Puck, spots: &[Decided]) -> BTreeMap<String, Figures> {
    let mut wagers: BTreeMap<String, Figures> = BTreeMap::new();
    let named: Vec<(String, &Decided)> =
        spots.iter().map(|decided| (wager_name(rules, puck, decided.spot), decided)).collect();
    for (wager, decided) in &named {
        wagers.entry(wager.clone()).or_default().change(&decided.figures, Way::In);
    }
    for (wager, figures) in &mut wagers {
        let same = named.iter().filter(|(name, _)| name == wager).map(|(_, decided)| *decided);
        figures.cross = cross(same);
    }
    wagers
}

/// What a decided bet is booked as, so that each name has one edge. A bet that travels is the bet
/// it was made as, wherever it stands. Odds pay by their number, which the puck names where the
/// spot does not: `odds pass 4`.
fn wager_name(rules: &Rules, puck: Puck, spot: Spot) -> String {
    let (rule, wager) = (rules.spot_rule(spot), rules.wager_at(spot));
    match (&wager.shape, rule.number, puck.point()) {
        (Shape::Line { travels: true, .. }, _, _) => wager.name.clone(),
        (Shape::Odds { .. }, None, Some(point)) => format!("{} {point}", rule.notation),
        _ => rule.notation.clone(),
    }
}

/// The sum of the products of what the house won on any two different spots, both ways round:
/// the square of the sum, less the squares.
fn cross<'a>(spots: impl Iterator<Item = &'a Decided>) -> i128 {
    let (mut sum, mut squares) = (0, 0);
    for Decided { figures, .. } in spots {
        let won = i128::from(figures.won.0);
        sum += won;
        squares += won * won;
    }
    sum * sum - squares
}
