//! Every kernel counts what the reference counts, and the reference what the engine does.

use std::sync::Arc;

use craps::machine::{Desk, Length, Machine, Over, Play, Remembering, Session, explore};
use craps::{Cents, Library, Multiple, Rules};
use craps_plan::READY;
use craps_sim::dice::Dice;
use craps_sim::{Course, Job, Kernel, Tally, in_lanes, run};

use crate::{Seated, seated};

fn tally(course: &Course, kernel: Kernel, threads: usize, sessions: u64) -> Tally {
    let job = Job { course, dice: Dice { seed: 1 }, sessions: 0..sessions, kernel, threads };
    run(&job, |_| true).0
}

/// What one session comes to: why it was over, with how much, after how many rolls.
fn only(tally: &Tally) -> (Over, i64, i64) {
    let mut found = None;
    for over in Over::ALL {
        for (cell, times) in tally.finals[over.index()].iter() {
            let rolls = tally.rolls[over.index()].iter().next().map(|(rolls, _)| rolls);
            assert_eq!((times, found), (1, None));
            found = Some((over, cell, rolls.unwrap()));
        }
    }
    found.unwrap()
}

#[track_caller]
fn check(machine: &Machine, session: &Session, sessions: u64, what: &str) {
    let course = Course::new(machine, session, 3_000).unwrap();
    let expected = tally(&course, Kernel::Scalar, 1, sessions);
    assert_eq!(expected.sessions(), sessions);
    for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_here()) {
        let found = tally(&course, kernel, 2, sessions);
        assert!(found == expected, "{what}: {session:?} by {kernel:?}");
    }
}

fn session(bankroll: i64, length: Length, goal: Option<i64>, floor: Option<i64>) -> Session {
    let [goal, floor] = [goal, floor].map(|amount| amount.map(Cents::dollars));
    Session { bankroll: Cents::dollars(bankroll), length, goal, floor }
}

#[test]
fn every_kernel_counts_every_plan_alike() {
    for (name, text) in READY {
        let machine = seated(name, text).explored.machine;
        for session in [
            session(300, Length::Rolls(200), None, None),
            session(1_000, Length::Rolls(333), None, Some(700)),
            session(250, Length::Rolls(500), Some(400), None),
        ] {
            check(&machine, &session, 150, name);
        }
    }
}

#[test]
fn edges_of_cases_are_counted_alike() {
    for name in ["pass-six-eight", "martingale", "iron-cross"] {
        let machine = seated(name, craps_plan::ready(name).unwrap()).explored.machine;
        for session in [
            session(1_000, Length::Rolls(1), None, None),
            session(1_000, Length::Rolls(15), None, None),
            session(1_000, Length::Rolls(16), None, None),
            session(1_000, Length::Rolls(17), None, None),
            session(1, Length::Rolls(100), None, None),
            session(60, Length::Rolls(100), Some(61), Some(59)),
            session(100, Length::Shooters(3), None, None),
            session(100, Length::Open, Some(200), None),
            session(1_000_000, Length::Rolls(64), None, None),
        ] {
            check(&machine, &session, 40, name);
            check(&machine, &session, 0, name);
        }
    }
}

#[test]
fn what_lanes_cannot_walk_is_told() {
    let machine = seated("pass", craps_plan::ready("pass").unwrap()).explored.machine;
    let lanes = |length, kernel| {
        let course = Course::new(&machine, &session(100, length, None, None), 1_000).unwrap();
        in_lanes(&course, kernel)
    };
    assert!(lanes(Length::Rolls(100), Kernel::Portable));
    assert!(!lanes(Length::Rolls(100), Kernel::Scalar));
    assert!(!lanes(Length::Shooters(3), Kernel::Portable));
}

#[test]
fn a_long_session_is_counted_alike() {
    let machine = seated("pass", craps_plan::ready("pass").unwrap()).explored.machine;
    check(&machine, &session(1_000_000, Length::Rolls(1_000_000), None, None), 2, "pass");
}

/// A number that looks like chance, the same each time.
fn mixed(numbers: &[u64]) -> u64 {
    let mix = |hash: u64, number: &u64| {
        let mixed = (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 29)
    };
    numbers.iter().fold(7, mix)
}

/// Players who bet whatever comes into their heads, look at their money and walk away.
#[test]
fn random_players_are_counted_alike() {
    let rules =
        Rules::with_options(&Library::embedded(), &["presque-isle"], &[("payout-unit", "1.00")]);
    let rules = Arc::new(rules.unwrap());
    let bets = ["pass", "dont-pass", "come", "place 6", "place 9", "field", "hard 8", "any-craps"];
    let spots = bets.map(|bet| rules.spot(bet).unwrap());
    for player in 0..12 {
        let ask = |mood: &mut u64, desk: &mut Desk| {
            let puck = desk.puck().point().map_or(0, |point| u64::from(point.number()));
            *mood = mixed(&[player, *mood, puck]) % 3;
            for (place, spot) in spots.iter().enumerate() {
                let chance = mixed(&[player, *mood, puck, place as u64]);
                if chance.is_multiple_of(4) {
                    desk.want(*spot, Cents::dollars(6 + 6 * (chance / 4 % 4) as i64))?;
                }
            }
            if mixed(&[player, 99]).is_multiple_of(3) && desk.bankroll_reaches(Cents::dollars(700))
            {
                desk.leave();
            }
            if desk.rack_reaches(Cents::dollars(150)) {
                desk.odds(None, &[Multiple::times(1 + (player % 3) as u32)])?;
            }
            Ok(())
        };
        let explored = explore(&rules, &Remembering(0u64, ask), &[], 20_000);
        let Ok(explored) = explored else { continue };
        for length in [Length::Rolls(100 + 7 * player as u32), Length::Shooters(5)] {
            for (goal, floor) in [(None, None), (Some(450), None), (Some(900), Some(80))] {
                let session = session(300, length, goal, floor);
                check(&explored.machine, &session, 100, &format!("player {player}"));
            }
        }
    }
}

/// The reference against the engine itself, stepped roll by roll with the plan asked each time.
#[test]
fn every_plan_is_walked_as_it_is_played() {
    for (name, text) in READY {
        let Seated { plan, rules, meters, explored } = seated(name, text);
        for (bankroll, seed) in [(60, 1), (400, 2), (5_000, 3)] {
            let session = session(bankroll, Length::Rolls(60), None, None);
            let course = Course::new(&explored.machine, &session, 60).unwrap();
            let dice = Dice { seed };
            let job =
                Job { course: &course, dice, sessions: 9..10, kernel: Kernel::Scalar, threads: 1 };
            let (over, cell, rolls) = only(&run(&job, |_| true).0);
            let (mut play, _) = Play::start(&rules, &plan, &meters, session.bankroll).ok().unwrap();
            let mut played = 0;
            for roll in dice.rolls(9).take(60) {
                if play.now().is_err() {
                    break;
                }
                play.roll(roll).ok().unwrap();
                played += 1;
            }
            let ended = play.now().err().map_or(Over::Time, Over::Ended);
            // Whoever bets no more is over for the machine, and waits for ever at a table.
            let idle = over == Over::Ended(craps::machine::End::Idle);
            assert_eq!(course.equity(cell), play.equity(), "{name} with {bankroll}");
            assert!(idle || (ended, played) == (over, rolls), "{name} with {bankroll}");
        }
    }
}
