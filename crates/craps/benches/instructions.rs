//! Instructions a roll, which no busy machine can disturb:
//! `cargo bench -p craps --bench instructions` (needs valgrind and gungraun-runner).

#![expect(missing_docs, reason = "the benchmark macros make items of their own")]

mod seat;

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group, main};
use seat::{Outcome, Stepper};

const ROLLS: u64 = 10_000;

#[library_benchmark]
#[bench::ten_thousand_rolls(Stepper::new())]
fn seven_bets(mut stepper: Stepper) -> Outcome {
    let outcome = black_box(stepper.step(ROLLS));
    assert_eq!(outcome, Outcome { net: -351_900, lines: 14_475 });
    outcome
}

library_benchmark_group!(name = rolls, benchmarks = seven_bets);
main!(library_benchmark_groups = rolls);
