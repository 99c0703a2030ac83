//! How fast plans are simulated, as ratios measured in one process: `cargo bench -p craps-sim`.
//! Thread CPU time, medians of interleaved runs; each answer is checked.

#![allow(missing_docs, clippy::print_stdout, clippy::float_arithmetic, reason = "it measures")]

mod naive;

use std::sync::Arc;
use std::time::Instant;

use craps::machine::{End, Length, Machine, Over, Session, explore};
use craps::{Cents, Library, Rules};
use craps_plan::{Plan, ready};
use craps_sim::dice::Dice;
use craps_sim::{Course, Job, Kernel, Tally, run};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// Each figure is the median of so many.
const RUNS: usize = 7;
/// The rolls of a run by a kernel; slower ways take fewer.
const ROLLS: u64 = 200_000_000;

type Naive = fn(&mut SmallRng, i64, u32) -> naive::Ended;

fn main() {
    println!("kernel: {}\n", Kernel::best().name());
    println!("| work, one core | M rolls/s | against | M rolls/s | ratio |");
    println!("|---|---|---|---|---|");
    let pass: Naive = |rng, bankroll, rolls| naive::pass(|| thrown(rng), bankroll, rolls);
    let six_eight: Naive =
        |rng, bankroll, rolls| naive::pass_six_eight(|| thrown(rng), bankroll, rolls);
    let small_tall_all: Naive =
        |rng, bankroll, rolls| naive::small_tall_all(|| thrown(rng), bankroll, rolls);
    against_naive("pass", pass);
    against_naive("pass-six-eight", six_eight);
    against_naive("small-tall-all", small_tall_all);
    for (name, bankroll, rolls) in [
        ("iron-cross", 1_000, 500),
        ("three-point-molly", 1_000, 500),
        ("come-every-roll", 1_000, 500),
        ("iron-cross", 300, 200),
    ] {
        let course = course(name, bankroll, rolls, None);
        let what = format!("{name}, ${bankroll}/{rolls}");
        let fast = || rate(&course, Kernel::best(), ROLLS);
        compare(&what, fast, "the scalar reference", || rate(&course, Kernel::Scalar, ROLLS / 8));
    }
    let plain = course("pass-six-eight", 1_000, 500, None);
    let goal = course("pass-six-eight", 1_000, 500, Some(1_500));
    let with = || rate(&goal, Kernel::best(), ROLLS);
    compare("pass-six-eight, $1500 as goal", with, "without", || {
        rate(&plain, Kernel::best(), ROLLS)
    });
    for kernel in Kernel::ALL.into_iter().filter(|kernel| kernel.is_here()) {
        let what = format!("pass-six-eight by {}", kernel.name());
        let one = || rate(&plain, kernel, ROLLS / 4);
        compare(&what, one, "the scalar reference", || rate(&plain, Kernel::Scalar, ROLLS / 8));
    }
    threads(&plain);
}

fn thrown(rng: &mut SmallRng) -> u8 {
    rng.random_range(1..=6u8) + rng.random_range(1..=6u8)
}

fn machine(name: &str) -> Machine {
    let plan = Plan::parse(name, ready(name).expect("a ready plan"), &[]).expect("a sound plan");
    let library = Library::embedded();
    let chosen = plan.header().rules.iter().map(|name| library.choose(name).expect("a rulebook"));
    let options = [("payout-unit".to_owned(), "1.00".to_owned())];
    let chosen = library.over_base(chosen.collect());
    let rules = Arc::new(Rules::compile(&library, &chosen, &options).expect("rules"));
    explore(&rules, &plan, &[], 200_000).ok().expect("a sound plan").machine
}

fn course(name: &str, bankroll: i64, rolls: u32, goal: Option<i64>) -> Course {
    let bankroll = Cents::dollars(bankroll);
    let (length, goal) = (Length::Rolls(rolls), goal.map(Cents::dollars));
    let session = Session { bankroll, length, goal, floor: None };
    Course::new(&machine(name), &session, rolls).expect("within bounds")
}

fn played(course: &Course, kernel: Kernel, sessions: u64, threads: usize) -> Tally {
    let job = Job { course, dice: Dice { seed: 3 }, sessions: 0..sessions, kernel, threads };
    let tally = run(&job, |_| true).0;
    assert_eq!(tally.sessions(), sessions);
    tally
}

/// Millions of rolls a second of this thread's own time.
fn rate(course: &Course, kernel: Kernel, rolls: u64) -> f64 {
    let sessions = rolls / 400;
    let begun = processor_seconds();
    let tally = played(course, kernel, sessions, 1);
    tally.rolled() as f64 / (processor_seconds() - begun) / 1e6
}

/// The seconds that this thread has had a processor, by Linux's own account.
fn processor_seconds() -> f64 {
    let account = std::fs::read_to_string("/proc/thread-self/schedstat");
    let account = account.expect("Linux keeps account of a thread's time");
    let spent = account.split(' ').next().and_then(|spent| spent.parse::<f64>().ok());
    spent.expect("it is a number") / 1e9
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Both in turns, so that both have the same minutes of the machine.
fn compare(what: &str, fast: impl Fn() -> f64, against: &str, slow: impl Fn() -> f64) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        ours.push(fast());
        theirs.push(slow());
    }
    let ratio = median(ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs).collect());
    let (ours, theirs) = (median(ours), median(theirs));
    println!("| {what} | {ours:.0} | {against} | {theirs:.0} | {ratio:.2}x |");
}

/// A plan against the loop written by hand, which must come to the same.
fn against_naive(name: &str, naive: Naive) {
    let course = course(name, 1_000, 500, None);
    let sessions = 40_000;
    let mut rng = SmallRng::seed_from_u64(5);
    let ended: Vec<naive::Ended> = (0..sessions).map(|_| naive(&mut rng, 1_000, 500)).collect();
    let ruined = ended.iter().filter(|(_, ruined, _)| *ruined).count() as f64 / sessions as f64;
    let mean = ended.iter().map(|(money, ..)| *money as f64).sum::<f64>() / sessions as f64;
    let tally = played(&course, Kernel::best(), 400_000, 1);
    let ruin = tally.finals[Over::Ended(End::Ruined).index()].total() as f64 / 400_000.0;
    let all = tally.finals.iter().flat_map(craps_sim::Counts::iter);
    let all = all.map(|(cell, times)| course.equity(cell).0 as f64 / 100.0 * times as f64);
    let ours = all.sum::<f64>() / 400_000.0;
    assert!((ruined - ruin).abs() < 0.01, "{name}: {ruined} and {ruin} are ruined");
    assert!((mean - ours).abs() < 12.0, "{name}: {mean} and {ours} are left");
    let slow = || {
        let mut rng = SmallRng::seed_from_u64(7);
        let begun = processor_seconds();
        let mut rolls = 0u64;
        let mut left = 0;
        for _ in 0..40_000 {
            let (money, _, played) = naive(&mut rng, 1_000, 500);
            left += money;
            rolls += u64::from(played);
        }
        assert!(left > 0, "its answer is used");
        rolls as f64 / (processor_seconds() - begun) / 1e6
    };
    let fast = || rate(&course, Kernel::best(), ROLLS);
    compare(&format!("{name}, $1000/500"), fast, "the naive loop", slow);
}

/// Two threads against one, by the clock on the wall.
fn threads(course: &Course) {
    let seconds = |threads: usize| {
        let begun = Instant::now();
        let sessions = 2_000_000;
        let tally = played(course, Kernel::best(), sessions, threads);
        (begun.elapsed().as_secs_f64(), tally)
    };
    let mut ratios = Vec::new();
    for _ in 0..RUNS {
        let ((one, alone), (two, both)) = (seconds(1), seconds(2));
        assert!(alone == both, "the same seed, the same counts");
        ratios.push(one / two);
    }
    println!("| two threads, by the wall clock | | one | | {:.2}x |", median(ratios));
}
