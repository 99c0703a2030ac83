//! What is seen along the way, against a second, plain way to look: the plan asked anew after every
//! roll, and every roll written down.

use std::collections::BTreeMap;

use craps::Cents;
use craps::machine::{Length, Play, Session};
use craps_plan::READY;
use craps_sim::dice::Dice;
use craps_sim::{Counts, Course, Job, Kernel, Paths, TooMuch, follow};

use crate::{Seated, seated};

const SEED: u64 = 7;
const SESSIONS: u64 = 12;

/// Where a session stood before the first roll and after each, and which rolls were seven-outs.
fn written(seated: &Seated, session: &Session, number: u64) -> (Vec<i64>, Vec<bool>) {
    let Seated { plan, rules, meters, .. } = seated;
    let (mut play, _) = Play::start(rules, plan, meters, session.bankroll).unwrap();
    let (mut stood, mut outs) = (vec![play.equity().0], Vec::new());
    for roll in (Dice { seed: SEED }).rolls(number) {
        let Some(turn) = play.roll(roll).unwrap() else { break };
        stood.push(play.equity().0);
        outs.push(turn.seven_out);
        let sunk = session.floor.is_some_and(|floor| play.equity() <= floor);
        let time = match session.length {
            Length::Rolls(rolls) => outs.len() == rolls as usize,
            Length::Shooters(count) => outs.iter().filter(|out| **out).count() == count as usize,
            Length::Open => false,
        };
        if sunk || time {
            break;
        }
    }
    (stood, outs)
}

/// Counts in cents, as they are when one is written down after the other.
#[derive(Debug, Default, PartialEq)]
struct Plain {
    peak: BTreeMap<i64, u64>,
    trough: BTreeMap<i64, u64>,
    drawdown: BTreeMap<i64, u64>,
    longest_hand: BTreeMap<i64, u64>,
    fan: BTreeMap<(u32, i64), u64>,
}

fn plainly(seated: &Seated, session: &Session) -> Plain {
    let mut plain = Plain::default();
    for number in 0..SESSIONS {
        let (stood, outs) = written(seated, session, number);
        let falls = stood
            .iter()
            .enumerate()
            .flat_map(|(place, before)| stood[place..].iter().map(move |after| before - after));
        *plain.drawdown.entry(falls.max().unwrap()).or_default() += 1;
        *plain.peak.entry(*stood.iter().max().unwrap()).or_default() += 1;
        *plain.trough.entry(*stood.iter().min().unwrap()).or_default() += 1;
        let hands = outs.split_inclusive(|out| *out).map(|hand| hand.len() as i64);
        *plain.longest_hand.entry(hands.max().unwrap_or(0)).or_default() += 1;
        if let Length::Rolls(rolls) = session.length {
            let mut moments: Vec<u32> = (0..=64).map(|place| rolls * place / 64).collect();
            moments.dedup();
            for moment in moments {
                let at = stood[(moment as usize).min(stood.len() - 1)];
                *plain.fan.entry((moment, at)).or_default() += 1;
            }
        }
    }
    plain
}

fn in_cents(course: &Course, paths: &Paths) -> Plain {
    let money = |counts: &Counts| -> BTreeMap<i64, u64> {
        counts.iter().map(|(cell, times)| (course.equity(cell).0, times)).collect()
    };
    let unit = course.unit().0;
    let fan = paths.fan.iter().flat_map(|(rolls, counts)| {
        money(counts).into_iter().map(|(equity, times)| ((*rolls, equity), times))
    });
    Plain {
        peak: money(&paths.peak),
        trough: money(&paths.trough),
        drawdown: paths.drawdown.iter().map(|(cells, times)| (cells * unit, times)).collect(),
        longest_hand: paths.longest_hand.iter().collect(),
        fan: fan.collect(),
    }
}

fn followed(course: &Course, sessions: std::ops::Range<u64>, threads: usize) -> Paths {
    let dice = Dice { seed: SEED };
    let (paths, done) = follow(
        &Job { course, dice, sessions: sessions.clone(), kernel: Kernel::Scalar, threads },
        |_| true,
    );
    assert_eq!(done, sessions);
    paths
}

#[test]
fn every_plan_is_followed_as_it_is_stepped() {
    for (name, text) in READY {
        let seated = seated(name, text);
        for (bankroll, length, floor) in [
            (300, Length::Rolls(70), None),
            (1_000, Length::Rolls(40), Some(900)),
            (300, Length::Shooters(3), None),
        ] {
            let bankroll = Cents::dollars(bankroll);
            let session =
                Session { bankroll, length, goal: None, floor: floor.map(Cents::dollars) };
            let course = Course::new(&seated.explored.machine, &session, 1_000).unwrap();
            let paths = followed(&course, 0..SESSIONS, 1);
            assert_eq!(in_cents(&course, &paths), plainly(&seated, &session), "{name} {length:?}");
        }
    }
}

#[test]
fn what_is_followed_adds_up() {
    let (name, text) = READY.iter().find(|(name, _)| *name == "iron-cross").unwrap();
    let machine = seated(name, text).explored.machine;
    let bankroll = Cents::dollars(300);
    let session = Session { bankroll, length: Length::Rolls(200), goal: None, floor: None };
    let course = Course::new(&machine, &session, 1_000).unwrap();
    let whole = followed(&course, 0..3_000, 2);
    let mut halves = followed(&course, 0..1_234, 1);
    halves.merge(&followed(&course, 1_234..3_000, 3));
    assert!(halves == whole);
    assert_eq!((whole.sessions(), followed(&course, 5..5, 2).sessions()), (3_000, 0));
}

/// Whoever stops it gets whole batches, from the first on.
#[test]
fn following_can_be_stopped() {
    let (name, text) = READY.iter().find(|(name, _)| *name == "pass").unwrap();
    let machine = seated(name, text).explored.machine;
    let bankroll = Cents::dollars(300);
    let session = Session { bankroll, length: Length::Rolls(50), goal: None, floor: None };
    let course = Course::new(&machine, &session, 1_000).unwrap();
    let dice = Dice { seed: SEED };
    let job =
        Job { course: &course, dice, sessions: 0..100_000, kernel: Kernel::Scalar, threads: 2 };
    let (paths, done) = follow(&job, |progress| progress.sessions < 2_000);
    assert!((2_000..10_000).contains(&done.end), "{done:?}");
    assert_eq!(paths.sessions(), done.end);
    assert!(paths == followed(&course, done, 1));
}

#[test]
fn money_beyond_counting_is_refused() {
    let (name, text) = READY.iter().find(|(name, _)| *name == "pass").unwrap();
    let machine = seated(name, text).explored.machine;
    let with = |bankroll| {
        let length = Length::Rolls(100);
        let session = Session { bankroll: Cents(bankroll), length, goal: None, floor: None };
        Course::new(&machine, &session, 1_000).err()
    };
    assert_eq!((with(1 << 62), with(1 << 61)), (Some(TooMuch), None));
}
