//! What a mend has to know of the present day, noted from each record as it is taken in.

use craps::settle::Settled;
use craps::table::{Betting, MovedFor, Rolled};
use craps::{Account, Bet, Cents, ClaimId, Event, Fate, Rules, Seat, Spot};

use super::LiveTable;
use crate::day::utc_day;
use crate::mend::{Mend, MendKind, MendPart, Mendable, MovedSince, RollSince, TouchedBet};
use crate::work::{ChipPlace, WorkItem, WorkKind};

impl LiveTable {
    /// Notes what an event touches. Rolls at practice tables are not mended.
    pub(super) fn note_mendable(&mut self, seq: u64, at: u64, event: &Event) {
        if self.config().practice {
            return;
        }
        let last_roll = self.last_roll;
        let rules = std::sync::Arc::clone(self.rules());
        let mendable = &mut self.kept.mendable;
        match event {
            Event::Sat { seat, .. } => drop(mendable.seated.insert(seat.0, seq)),
            Event::Left { seat, .. } => drop(mendable.seated.remove(&seat.0)),
            Event::Put(betting) | Event::Took(betting) | Event::Called(betting) => {
                mendable.bet(seq, betting);
            }
            Event::Returned { betting, .. } => mendable.bet(seq, betting),
            Event::Rolled(rolled) => {
                mendable.begin_day(at);
                mendable.roll(seq, rolled);
            }
            Event::Swept(swept) => {
                mendable.settle(seq, &swept.settlement.lines);
                mendable.before.clear();
            }
            Event::Voided(_) => mendable.take_back(last_roll),
            Event::Corrected { rolled, .. } => {
                mendable.begin_day(at);
                mendable.take_back(last_roll);
                mendable.roll(seq, rolled);
            }
            Event::Held { award, .. } => drop(mendable.claims.insert(award.id.0, seq)),
            Event::Released { award, .. } => drop(mendable.claims.remove(&award.id.0)),
            Event::ClaimPaid { claim, shares, .. } => {
                let wager = self.kept.claimed.get(&claim.0).and_then(|it| it.paytable.as_deref());
                let wager = wager.map(|paytable| wager_of(&rules, paytable)).unwrap_or_default();
                let share = |(seat, share): &(Seat, Cents)| {
                    moved(Some(*seat), &wager, (*share, Cents::ZERO), MovedFor::Jackpot)
                };
                let moved = shares.iter().map(share).collect();
                self.kept.mendable.answer(seq, *claim, moved);
            }
            Event::ClaimDenied { claim, spot, seats, envy, postings, .. } => {
                let held = -postings.gain(Account::Held) - *envy;
                let wager = rules.spot_rule(*spot).notation.clone();
                let back = |seat: &Seat| {
                    let stake = postings.gain(Account::Rack(*seat));
                    moved(Some(*seat), &wager, (-held, stake), MovedFor::Denied)
                };
                let mut all: Vec<MovedSince> = seats.iter().map(back).collect();
                if *envy != Cents::ZERO {
                    all.push(moved(None, &wager, (-*envy, Cents::ZERO), MovedFor::Denied));
                }
                mendable.answer(seq, *claim, all);
            }
            Event::Mended(mended) => {
                let down = mended.down.iter().flat_map(|down| &down.bets);
                for (seat, bet) in down {
                    mendable.touch(seq, *seat, *bet);
                    forget(&mut mendable.before, *seat, bet.spot);
                }
            }
            Event::Configured { .. } => {
                mendable.bets.clear();
                mendable.before.clear();
            }
            _ => {}
        }
    }

    /// Notes a mend that was agreed to, and the chips that it has the crew move.
    pub(super) fn note_mend(&mut self, seq: u64, mend: &Mend) {
        let since = self.kept.mendable.since_mut(mend.question.of, seq);
        match mend.question.kind {
            MendKind::Dice => (since.no_roll, since.dice) = (false, mend.question.dice),
            MendKind::NoRoll => (since.no_roll, since.dice) = (true, None),
            MendKind::Bet => {
                for bet in &mend.question.bets {
                    let same = |other: &crate::mend::MendBet| {
                        (other.seat, &other.wager) == (bet.seat, &bet.wager)
                    };
                    since.bets.retain(|other| !same(other));
                    since.bets.push(bet.clone());
                }
            }
            MendKind::WrongPlayer | MendKind::WrongAmount => {}
        }
        for line in &mend.lines {
            let (money, why) = match line.part {
                MendPart::Winnings | MendPart::Envy => ((line.amount, Cents::ZERO), MovedFor::Bet),
                MendPart::Jackpot => ((line.amount, Cents::ZERO), MovedFor::Jackpot),
                MendPart::Stake => ((Cents::ZERO, line.amount), MovedFor::Bet),
                _ if line.amount == Cents::ZERO => continue,
                MendPart::BetLost => ((Cents::ZERO, -line.amount), MovedFor::Down),
                MendPart::BetBack => ((Cents::ZERO, Cents::ZERO), MovedFor::Down),
                MendPart::Chips => continue,
            };
            since.moved.push(moved(line.seat.map(Seat), &line.wager, money, why));
        }
        let items = mend.lines.iter().filter_map(|line| self.mend_item(line)).collect();
        self.add_mend_work(seq, mend, items);
    }

    /// The chips that a line of a mend has the crew move. What is only booked moves none.
    fn mend_item(&self, line: &crate::mend::MendLine) -> Option<WorkItem> {
        use crate::mend::MendPlace;
        use ChipPlace::{Dealers, Felt, Rack, Tray};
        let amount = line.amount;
        let (kind, from, to) = match (line.part, line.place) {
            (MendPart::Chips, _) | (_, MendPlace::Walked) => return None,
            (MendPart::BetLost, _) => (WorkKind::TakeBack, Felt, Tray),
            (MendPart::BetBack, _) => (WorkKind::GiveBack, Felt, Rack),
            (MendPart::Envy, _) if amount > Cents::ZERO => (WorkKind::GiveBack, Tray, Dealers),
            (MendPart::Envy, _) => (WorkKind::TakeBack, Dealers, Tray),
            (_, MendPlace::Cage) => (WorkKind::Cage, Tray, Rack),
            _ if amount > Cents::ZERO => (WorkKind::GiveBack, Tray, Rack),
            _ => (WorkKind::TakeBack, Rack, Tray),
        };
        let size = amount.max(-amount);
        let item = WorkItem {
            kind,
            seat: line.seat.map(Seat),
            name: line.name.clone(),
            wager: line.wager.clone(),
            to: String::new(),
            amount: size,
            claims: Vec::new(),
            chips: Vec::new(),
        };
        let moves = if kind == WorkKind::Cage { Cents::ZERO } else { size };
        (size > Cents::ZERO).then(|| item.moving(from, to, moves))
    }
}

impl Mendable {
    /// What has changed for a roll since it was booked.
    pub(crate) fn since(&self, of: u64) -> Option<&RollSince> {
        self.rolls.iter().find(|since| since.of == of)
    }

    /// The record that touched a bet on the felt last.
    pub(crate) fn touched(&self, seat: u8, spot: Spot) -> Option<u64> {
        let is_it = |bet: &&TouchedBet| (bet.seat, usize::from(bet.spot)) == (seat, spot.index());
        self.bets.iter().find(is_it).map(|bet| bet.record)
    }

    fn since_mut(&mut self, of: u64, record: u64) -> &mut RollSince {
        let place = self.rolls.iter().position(|since| since.of == of).unwrap_or_else(|| {
            let (bets, moved) = (Vec::new(), Vec::new());
            self.rolls.push(RollSince { of, record, no_roll: false, dice: None, bets, moved });
            self.rolls.len() - 1
        });
        let since = &mut self.rolls[place];
        since.record = record;
        since
    }

    /// Rolls of earlier days are not mended any more.
    fn begin_day(&mut self, at: u64) {
        let day = utc_day(at);
        if self.day != day {
            self.day = day;
            self.rolls.clear();
            self.void.clear();
        }
    }

    fn touch(&mut self, record: u64, seat: Seat, bet: Bet) {
        forget(&mut self.bets, seat, bet.spot);
        if bet.stake > Cents::ZERO {
            let spot = u8::try_from(bet.spot.index()).expect("a layout has fewer spots");
            self.bets.push(TouchedBet { seat: seat.0, spot, record });
        }
    }

    fn bet(&mut self, record: u64, betting: &Betting) {
        betting.bets.iter().for_each(|bet| self.touch(record, betting.seat, *bet));
    }

    fn roll(&mut self, record: u64, rolled: &Rolled) {
        self.before.clone_from(&self.bets);
        self.settle(record, &rolled.settlement.lines);
        self.claims.extend(rolled.claims.iter().map(|claim| (claim.id.0, record)));
    }

    fn settle(&mut self, record: u64, lines: &[Settled]) {
        let decided = |line: &&Settled| !matches!(line.fate, Fate::Stand);
        for line in lines.iter().filter(decided) {
            forget(&mut self.bets, line.seat, line.bet.spot);
        }
        for line in lines.iter().filter(decided) {
            if let Some(left) = line.left {
                self.touch(record, line.seat, left);
            }
        }
    }

    /// The last roll is taken back, and what came of it.
    fn take_back(&mut self, roll: Option<u64>) {
        self.bets = std::mem::take(&mut self.before);
        self.claims.retain(|_, of| Some(*of) != roll);
        self.rolls.retain(|since| Some(since.of) != roll);
        self.void.extend(roll);
    }

    fn answer(&mut self, record: u64, claim: ClaimId, moved: Vec<MovedSince>) {
        if let Some(of) = self.claims.remove(&claim.0) {
            self.since_mut(of, record).moved.extend(moved);
        }
    }
}

fn forget(bets: &mut Vec<TouchedBet>, seat: Seat, spot: Spot) {
    bets.retain(|bet| (bet.seat, usize::from(bet.spot)) != (seat.0, spot.index()));
}

/// `money` is winnings and stake.
fn moved(seat: Option<Seat>, wager: &str, money: (Cents, Cents), why: MovedFor) -> MovedSince {
    let (seat, wager, (winnings, stake)) = (seat.map(|seat| seat.0), wager.to_owned(), money);
    MovedSince { seat, wager, winnings, stake, why }
}

/// The bet that a paytable's meter pays.
fn wager_of(rules: &Rules, paytable: &str) -> String {
    let meter = rules.meters().iter().find(|meter| meter.name == paytable);
    let spot = meter.and_then(|meter| rules.spots_of(meter.wager).next());
    spot.map(|spot| rules.spot_rule(spot).notation.clone()).unwrap_or_default()
}
