//! Rolls a second at a table that is stepped through the engine, by the processor time of the one
//! thread that plays: `cargo bench -p craps-sim --bench day`.

#![allow(clippy::print_stdout, clippy::float_arithmetic, reason = "a benchmark tells its figures")]

use std::sync::Arc;

use craps::{Cents, Library, Rules};
use craps_plan::{Plan, ready};
use craps_sim::day::{Afterwards, Day, DaySeat, Days, Figure, run_days};
use craps_sim::dice::Dice;

/// So often each is played; the median is told.
const TIMES: usize = 3;

fn main() {
    println!("{:<46} {:>9} {:>9} {:>9}", "table", "M rolls/s", "x seats", "asking, s");
    let side = "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01";
    for (name, rules, plans, days) in [
        ("pass", "presque-isle", &["pass"][..], 2_000),
        ("pass with 3-4-5x odds", "presque-isle", &["pass-345"], 2_000),
        ("pass 2x, place 6 and 8", "presque-isle", &["pass-six-eight"], 2_000),
        ("Iron Cross", "presque-isle", &["iron-cross"], 2_000),
        ("Three-Point Molly", "presque-isle", &["three-point-molly"], 2_000),
        ("Small, Tall, All", side, &["small-tall-all"], 2_000),
        ("both progressives, fed", side, &["both-progressives"], 1_000),
        (
            "eight seats, side bets, both progressives",
            side,
            &[
                "pass-345",
                "pass-345",
                "three-point-molly",
                "iron-cross",
                "dont-pass",
                "small-tall-all",
                "both-progressives",
                "both-progressives",
            ],
            400,
        ),
    ] {
        // Twice as many days less the first half: what is left is playing, once plans were heard.
        let mut timed: Vec<(f64, f64)> = (0..TIMES)
            .map(|_| {
                let (half, rolls) = play(rules, plans, days);
                let (all, more) = play(rules, plans, days * 2);
                let each = (all - half) / (more - rolls);
                (each, half - each * rolls)
            })
            .collect();
        timed.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (each, asking) = timed[TIMES / 2];
        let (rate, seats) = (1e-6 / each, plans.len() as f64);
        println!("{name:<46} {rate:>9.2} {:>9.2} {asking:>9.2}", rate * seats);
    }
}

/// The seconds of the processor that some days take, and their rolls.
fn play(rules: &str, names: &[&str], days: u64) -> (f64, f64) {
    let library = Library::embedded();
    let mut options = vec![("payout-unit".to_owned(), "1.00".to_owned())];
    if rules != "presque-isle" {
        for wager in ["make-em-all-progressive", "fired-up"] {
            options.extend(craps::MeterTerms::suggested(wager));
        }
    }
    let chosen = library.over_base(vec![library.choose(rules).expect("a rulebook")]);
    let rules = Arc::new(Rules::compile(&library, &chosen, &options).expect("rules"));
    let seats = (0..names.len()).map(|plan| {
        let afterwards = Afterwards::BuysIn;
        DaySeat { plan, bankroll: Cents::dollars(1_000), ruined: afterwards, left: afterwards }
    });
    let day = Day { rules, meters: Vec::new(), seats: seats.collect(), rolls: 1_152 };
    let plans = || names.iter().map(|name| Plan::parse(name, ready(name).expect("a plan"), &[]));
    let job = Days { day: &day, dice: Dice { seed: 1 }, days: 0..days, threads: 1 };
    let before = on_cpu();
    let played = run_days(&job, || plans().collect(), |_| true);
    let gone = on_cpu() - before;
    let (books, _) = played.expect("a plan without fault");
    assert_eq!(books.days, days);
    let rolls = books.figures.sums[Figure::Rolls as usize];
    assert!(rolls >= i128::from(days) * 1_152);
    (gone as f64 * 1e-9, rolls as f64)
}

/// How long this thread has been on a processor, in nanoseconds.
fn on_cpu() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").expect("a Linux system");
    let first = stat.split_whitespace().next().expect("a figure");
    first.parse().expect("nanoseconds")
}
