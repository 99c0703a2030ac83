//! What is sampled lies where it has to: within five standard errors of what is exact.

#![expect(clippy::float_arithmetic, reason = "samples are held against chances")]

use craps::Cents;
use craps::machine::{Length, Over, Session};
use craps_math::sample::{Estimate, Sample, share_error};
use craps_math::session;
use craps_plan::READY;
use craps_sim::dice::Dice;
use craps_sim::{Counts, Course, Job, Kernel, run};

use crate::seated;

const SESSIONS: u64 = 40_000;

#[track_caller]
fn near(what: &str, sampled: Estimate, exact: f64) {
    let Estimate { value, error } = sampled;
    assert!((value - exact).abs() <= 5.0 * error + 1e-9, "{what}: {value} ± {error}, not {exact}");
}

#[test]
fn samples_lie_where_they_have_to() {
    let plans =
        ["pass-2x", "iron-cross", "three-point-molly", "martingale", "six-eight", "regress"];
    let of = |dollars: i64, length, goal: Option<i64>, floor: Option<i64>| Session {
        bankroll: Cents::dollars(dollars),
        length,
        goal: goal.map(Cents::dollars),
        floor: floor.map(Cents::dollars),
    };
    let sessions = [
        of(300, Length::Rolls(150), None, None),
        of(300, Length::Rolls(100), Some(400), Some(150)),
        of(200, Length::Shooters(6), None, Some(50)),
    ];
    for (name, text) in READY.iter().filter(|(name, _)| plans.contains(name)) {
        let machine = seated(name, text).explored.machine;
        for session in &sessions {
            let course = Course::new(&machine, session, 1_000_000).unwrap();
            let dice = Dice { seed: 11 };
            let kernel = Kernel::best();
            let job = Job { course: &course, dice, sessions: 0..SESSIONS, kernel, threads: 2 };
            let (tally, _) = run(&job, |_| true);
            let exact = session::run(&machine, session, 1_000_000, |_| true).unwrap();
            let cents = |(cell, times): (i64, u64)| (course.equity(cell).0, times);
            for over in Over::ALL {
                let ended = tally.finals[over.index()].total() as f64 / SESSIONS as f64;
                let chance = exact.chance(over);
                let error = share_error(chance, SESSIONS);
                near(&format!("{name} {over:?}"), Estimate { value: ended, error }, chance);
            }
            let finals = Sample::new(tally.finals.iter().flat_map(Counts::iter).map(cents));
            let won = finals.mean().unwrap();
            let won = Estimate { value: won.value - session.bankroll.0 as f64, ..won };
            near(&format!("{name} mean"), won, exact.mean());
            near(&format!("{name} deviation"), finals.deviation().unwrap(), exact.deviation());
            let rolls = Sample::new(tally.rolls.iter().flat_map(Counts::iter));
            near(&format!("{name} rolls"), rolls.mean().unwrap(), exact.rolls);
            let mut below = 0.0;
            for (equity, chance) in exact.equity() {
                below += chance;
                let sampled = finals.share(|final_| final_ <= equity.0).unwrap();
                let error = share_error(below.min(1.0), SESSIONS);
                near(&format!("{name} below {equity}"), Estimate { error, ..sampled }, below);
            }
        }
    }
}
