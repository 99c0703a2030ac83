//! A session by itself: a tape of it ends where it ended, to the cent.

use craps::machine::{Length, Over, Session};
use craps::{Cents, Library, Seat, Tape};
use craps_plan::{Last, READY, Session as Seating};
use craps_sim::Course;
use craps_sim::dice::Dice;

use crate::seated;

#[test]
fn every_session_of_every_plan_is_a_tape() {
    let of = |dollars: i64, length, goal: Option<i64>, floor: Option<i64>| Session {
        bankroll: Cents::dollars(dollars),
        length,
        goal: goal.map(Cents::dollars),
        floor: floor.map(Cents::dollars),
    };
    let sessions = [
        of(400, Length::Rolls(50), None, None),
        of(400, Length::Open, Some(430), Some(370)),
        of(300, Length::Shooters(2), None, None),
        of(60, Length::Open, Some(90), None),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for (name, text) in READY {
        let seated = seated(name, text);
        let header = seated.plan.header();
        let mut options = vec![("payout-unit".to_owned(), "1.00".to_owned())];
        options.extend(header.options.iter().map(|option| {
            let (name, value) = option.split_once('=').unwrap();
            (name.to_owned(), value.to_owned())
        }));
        for session in &sessions {
            let course = Course::new(&seated.explored.machine, session, 300).unwrap();
            for number in 0..4 {
                let shown = course.show(Dice { seed: 3 }, number);
                seen.insert(shown.over);
                let last = match shown.over {
                    Over::Goal | Over::Floor => Last::Settled,
                    Over::Ended(_) | Over::Time => Last::Asked,
                };
                let seating = Seating {
                    rulebooks: &header.rules,
                    options: &options,
                    rules: &seated.rules,
                    meters: &seated.meters,
                    bankroll: session.bankroll,
                };
                let text = seating.tape_to(&seated.plan, &shown.rolls, last).unwrap();
                let played = Tape::parse(name, &text, &Library::embedded()).unwrap().play();
                assert!(played.failures.is_empty(), "{name} {number}: {:?}", played.failures);
                let table = played.floor.table(0);
                let up = table.player(Seat(0)).unwrap().layout.outlay();
                let equity = table.rack(Seat(0)) + up;
                assert_eq!(equity, shown.equity, "{name} {session:?} {number}");
            }
        }
    }
    assert!(seen.len() >= 4, "{seen:?}");
}
