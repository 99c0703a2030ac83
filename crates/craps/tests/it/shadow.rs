//! A table that has not seen the last roll. It follows only what taking that roll back leaves
//! alone, so a void has to bring the real table to the same state, and says when there is none.

use craps::table::Dice;
use craps::{Account, Cents, ClaimId, Event, Floor, Meter, Seat, Table};

use crate::visible;

/// What is known of a void.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Void {
    /// It brings back what is here.
    Possible,
    /// Somebody who took part has left, or what the roll was made under is gone.
    Impossible,
    /// The shooter has left, who took no other part: what that does is tested elsewhere.
    Unknown,
}

#[derive(Clone, Debug)]
pub(crate) struct Shadow {
    table: Table,
    meters: Vec<Meter>,
    void: Void,
    /// Cash-outs of what the roll may have paid.
    cashed: Vec<Event>,
    /// Who has bet, taken or called since.
    bettors: Vec<Seat>,
    denied: Denied,
}

/// Which jackpot has gone back to its meter since the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Denied {
    None,
    /// One of the roll itself: what was fed in between is spread otherwise, to the same sum.
    OfTheRoll,
    Earlier,
}

impl Shadow {
    /// The floor as the dice were thrown.
    pub(crate) fn of(before: &Floor) -> Shadow {
        let mut table = before.table(0).clone();
        table.evolve(&Event::NoRoll);
        let meters = before.meters().cloned().collect();
        Shadow {
            table,
            meters,
            void: Void::Possible,
            cashed: Vec::new(),
            bettors: Vec::new(),
            denied: Denied::None,
        }
    }

    pub(crate) fn follow(&mut self, event: &Event) {
        if self.void != Void::Possible {
            return;
        }
        match event {
            Event::CashedOut { seat, postings, .. }
                if self.table.rack(*seat) < postings.gain(Account::Cage) =>
            {
                self.cashed.push(event.clone());
            }
            Event::Left { seat, postings, .. } => {
                let player = self.table.player(*seat).unwrap();
                let took_part = !player.layout.is_empty()
                    || self.bettors.contains(seat)
                    || self.table.rack(*seat) != postings.gain(Account::Cage);
                self.void = match (took_part, self.table.dice() == Dice::Held(*seat)) {
                    (true, _) => Void::Impossible,
                    (false, true) => Void::Unknown,
                    (false, false) => Void::Possible,
                };
                if self.void == Void::Possible {
                    self.table.evolve(event);
                }
            }
            Event::Put(betting)
            | Event::Took(betting)
            | Event::Called(betting)
            | Event::Returned { betting, .. } => self.bettors.push(betting.seat),
            Event::Swept(_) | Event::Configured { .. } => self.void = Void::Impossible,
            Event::ClaimPaid { claim, .. } => self.answer(*claim, event),
            Event::Released { award, .. } => self.answer(award.id, event),
            Event::ClaimDenied { claim, .. } => {
                let denied = match self.waits(*claim) {
                    true => Denied::Earlier,
                    false => Denied::OfTheRoll,
                };
                self.denied = self.denied.max(denied);
                self.answer(*claim, event);
            }
            Event::Sat { .. }
            | Event::Renamed { .. }
            | Event::BoughtIn { .. }
            | Event::CashedOut { .. }
            | Event::Filled { .. }
            | Event::Credited { .. }
            | Event::Paused
            | Event::Resumed
            | Event::Closed => self.table.evolve(event),
            _ => {}
        }
    }

    fn waits(&self, id: ClaimId) -> bool {
        self.table.claims().iter().any(|claim| claim.id == id)
            || self.table.held().iter().any(|award| award.id == id)
    }

    /// Only what waited before the roll is still answered after a void.
    fn answer(&mut self, id: ClaimId, event: &Event) {
        if self.waits(id) {
            self.table.evolve(event);
        }
    }

    /// The roll has been corrected, and can be taken back once more.
    pub(crate) fn corrected(mut self) -> Shadow {
        self.bettors.clear();
        if self.void == Void::Possible {
            for event in std::mem::take(&mut self.cashed) {
                self.table.evolve(&event);
            }
        }
        self
    }

    /// Whether the roll can be taken back, where that is known here.
    pub(crate) fn can_void(&self) -> Option<bool> {
        let short = |seat: Seat| {
            let cashed = self.cashed.iter().filter_map(|event| match event {
                Event::CashedOut { seat: by, postings, .. } if *by == seat => {
                    Some(postings.gain(Account::Cage))
                }
                _ => None,
            });
            self.table.rack(seat) < cashed.sum::<Cents>()
        };
        match self.void {
            Void::Possible => Some(!Seat::all().any(short)),
            Void::Impossible => Some(false),
            Void::Unknown => None,
        }
    }

    /// The roll has been taken back, and `since` has happened in the same breath.
    pub(crate) fn check(&self, floor: &Floor, since: &[Event]) {
        if self.void == Void::Unknown {
            return;
        }
        let mut table = self.table.clone();
        self.cashed.iter().chain(since).for_each(|event| table.evolve(event));
        assert_eq!(visible(floor.table(0)), visible(&table));
    }

    /// The meters have back, to the millionth of a cent, what the roll and the bets since did.
    pub(crate) fn check_meters(&self, floor: &Floor) {
        let sums = |meter: &Meter| {
            let parts = meter.parts();
            (meter.amount() + meter.reserve(), parts.contributed, parts.funded, parts.paid)
        };
        match self.denied {
            _ if self.void == Void::Unknown => {}
            Denied::None => assert!(floor.meters().eq(&self.meters), "{:?}", self.meters),
            Denied::OfTheRoll => assert!(floor.meters().map(sums).eq(self.meters.iter().map(sums))),
            Denied::Earlier => {}
        }
    }
}
