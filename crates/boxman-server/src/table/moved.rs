//! Chips between the cage and a real table of procedures 0: what was moved in a day, by seat and
//! by person, so that what takes two people cannot be parted into pieces that take one. Today's
//! tables have a limit for each kind (see `limits`).

use craps::{Account, Cents, Event, Postings, Seat};

use super::Owners;
use crate::day::utc_day;
use crate::log::Moved;

impl Moved {
    /// Counts an event that `by` asked for, for them and for whoever plays the seat.
    pub(super) fn count(&mut self, at: u64, by: &str, owners: &Owners, event: &Event) {
        let (seat, postings) = match event {
            Event::BoughtIn { seat, postings, .. }
            | Event::CashedOut { seat, postings, .. }
            | Event::Left { seat, postings, .. } => (Some(*seat), postings),
            Event::Filled { postings } | Event::Credited { postings } => (None, postings),
            _ => return,
        };
        let amount = size(postings);
        if amount == Cents::ZERO {
            return;
        }
        self.turn_to(&utc_day(at));
        if let Some(seat) = seat {
            *self.seats.entry(seat.0).or_insert(Cents::ZERO) += amount;
        }
        let owner = seat.and_then(|seat| owners.get(&seat.0)).filter(|owner| *owner != by);
        for person in [Some(by), owner.map(String::as_str)].into_iter().flatten() {
            *self.people.entry(person.to_owned()).or_insert(Cents::ZERO) += amount;
        }
    }

    fn turn_to(&mut self, day: &str) {
        if self.day != day {
            *self = Moved { day: day.to_owned(), ..Moved::default() };
        }
    }

    /// What the day comes to for a seat, for whoever plays it and for whoever asks, the largest
    /// of them, once `amount` more has been moved.
    pub(super) fn with(
        &self,
        at: u64,
        by: &str,
        owners: &Owners,
        seat: Option<Seat>,
        amount: Cents,
    ) -> Cents {
        if self.day != utc_day(at) {
            return amount;
        }
        let of_seat = seat.and_then(|seat| self.seats.get(&seat.0)).copied();
        let owner = seat.and_then(|seat| owners.get(&seat.0));
        let of_owner = owner.and_then(|owner| self.people.get(owner)).copied();
        let of_person = self.people.get(by).copied();
        of_seat.max(of_owner).max(of_person).unwrap_or(Cents::ZERO) + amount
    }
}

/// How much an event moves between the cage and the table, either way.
fn size(postings: &Postings) -> Cents {
    let gain = postings.gain(Account::Cage);
    gain.max(-gain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MORNING: u64 = 1_700_000_000_000;
    const DAY: u64 = 24 * 60 * 60 * 1_000;

    fn bought(seat: u8, dollars: i64) -> Event {
        let (seat, amount) = (Seat(seat), Cents::dollars(dollars));
        let postings = Postings::transfer(Account::Cage, Account::Rack(seat), amount);
        Event::BoughtIn { seat, kind: craps::BuyInKind::Cash, postings }
    }

    #[test]
    fn a_day_is_summed_by_seat_and_by_person() {
        let mut moved = Moved::default();
        let owners = Owners::from([(1, "ann".to_owned()), (2, "ann".to_owned())]);
        moved.count(MORNING, "dan", &owners, &bought(0, 300));
        moved.count(MORNING, "sue", &owners, &bought(0, 200));
        moved.count(MORNING, "dan", &owners, &bought(1, 50));
        let with = |at, by, seat| moved.with(at, by, &owners, seat, Cents::dollars(10));
        // Ann bought at one of her seats, and has another.
        assert_eq!(with(MORNING, "eve", Some(Seat(2))), Cents::dollars(60));
        assert_eq!(with(MORNING, "dan", Some(Seat(0))), Cents::dollars(510));
        assert_eq!(with(MORNING, "dan", Some(Seat(1))), Cents::dollars(360));
        assert_eq!(with(MORNING, "sue", None), Cents::dollars(210));
        assert_eq!(with(MORNING, "eve", Some(Seat(5))), Cents::dollars(10));
        assert_eq!(with(MORNING + DAY, "dan", Some(Seat(0))), Cents::dollars(10));
    }
}
