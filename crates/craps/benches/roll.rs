//! Rolls a second, one core: `cargo bench -p craps --bench roll`.

#![allow(missing_docs, reason = "the benchmark macros make items of their own")]

mod seat;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use seat::{Outcome, Stepper};

const ROLLS: u64 = 1_000_000;

fn roll(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("roll");
    group.throughput(Throughput::Elements(ROLLS));
    group.sample_size(20);
    group.bench_function("seven bets through call, resolve and settle", |bencher| {
        bencher.iter_batched(
            Stepper::new,
            |mut stepper| {
                assert_eq!(stepper.step(ROLLS), Outcome { net: -21_321_600, lines: 1_433_708 });
            },
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

criterion_group!(benches, roll);
criterion_main!(benches);
