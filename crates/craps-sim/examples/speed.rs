//! What `cargo xtask crapssim speed` runs: how many rolls a second of its own time one thread plays
//! of pass with double odds and 6 and 8, as a bare number.

#![allow(clippy::print_stdout, clippy::float_arithmetic, reason = "a program that measures")]

use std::sync::Arc;

use craps::machine::{Length, Session, explore};
use craps::{Cents, Library, Rules};
use craps_plan::{Plan, ready};
use craps_sim::dice::Dice;
use craps_sim::{Course, Job, Kernel, run};

/// The sessions of a run, and how many runs; the median is told.
const SESSIONS: u64 = 2_000_000;
const RUNS: usize = 7;

fn main() {
    let plan = ready("pass-six-eight").expect("a ready plan");
    let plan = Plan::parse("pass-six-eight", plan, &[]).expect("a sound plan");
    let library = Library::embedded();
    let chosen = plan.header().rules.iter().map(|name| library.choose(name).expect("a rulebook"));
    let options = [("payout-unit".to_owned(), "1.00".to_owned())];
    let chosen = library.over_base(chosen.collect());
    let rules = Arc::new(Rules::compile(&library, &chosen, &options).expect("rules"));
    let machine = explore(&rules, &plan, &[], 200_000).ok().expect("a sound plan").machine;
    let bankroll = Cents::dollars(1_000);
    let session = Session { bankroll, length: Length::Rolls(500), goal: None, floor: None };
    let course = Course::new(&machine, &session, 500).expect("within bounds");
    let mut rates: Vec<f64> = (0..RUNS as u64).map(|seed| rate(&course, seed)).collect();
    rates.sort_by(f64::total_cmp);
    println!("{:.0}", rates[RUNS / 2]);
}

fn rate(course: &Course, seed: u64) -> f64 {
    let dice = Dice { seed };
    let job = Job { course, dice, sessions: 0..SESSIONS, kernel: Kernel::best(), threads: 1 };
    let begun = processor_seconds();
    let tally = run(&job, |_| true).0;
    assert_eq!(tally.sessions(), SESSIONS);
    tally.rolled() as f64 / (processor_seconds() - begun)
}

/// The seconds that this thread has had a processor, by Linux's own account.
fn processor_seconds() -> f64 {
    let account = std::fs::read_to_string("/proc/thread-self/schedstat");
    let account = account.expect("Linux keeps account of a thread's time");
    let spent = account.split(' ').next().and_then(|spent| spent.parse::<f64>().ok());
    spent.expect("it is a number") / 1e9
}
