//! How long it takes to price everything: `cargo bench -p craps-math`. Each checks its answer.

#![allow(missing_docs, reason = "the benchmark macros make items of their own")]

use std::hint::black_box;

use craps::{Chain, Library, Rules};
use craps_math::{Atlas, Edge, Par, ParTerms, Target, Terms, fraction, solve};
use criterion::{Criterion, criterion_group, criterion_main};

fn everything(library: &Library) -> Rules {
    let nevada = "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01";
    Rules::named(library, &["presque-isle", nevada, "super-shooter"]).expect("embedded rules")
}

fn price(criterion: &mut Criterion) {
    let library = Library::embedded();
    let rules = everything(&library);
    let mut group = criterion.benchmark_group("price");
    group.sample_size(20);
    group.bench_function("every wager of every rulebook", |bencher| {
        bencher.iter(|| {
            let edge = |target: &Target| Edge::of(&rules, target, None, Terms::default());
            let edges: Vec<Edge> =
                Target::all(&rules).iter().map(|target| edge(target).expect("priced")).collect();
            let pass = edges.iter().find(|edge| edge.target.name == "pass").expect("pass");
            assert_eq!(fraction(&pass.edge()), "7/495");
            edges.len()
        });
    });
    group.bench_function("the whole atlas", |bencher| {
        bencher.iter(|| {
            let atlas = Atlas::whole(&library);
            assert!(atlas.wagers.iter().all(|charted| charted.edge.is_ok()));
            atlas.wagers.len()
        });
    });
    group.bench_function("a progressive PAR sheet", |bencher| {
        bencher.iter(|| {
            let terms = ParTerms { bettors: 6, ..ParTerms::default() };
            let pars =
                Par::of_paytables(&library, &["PT-BJS-MEA-03"], terms, &[]).expect("a sheet");
            assert_eq!(fraction(&pars[0].fixed_return), "281549375/612220032");
            pars.len()
        });
    });
    let chain = Chain::of_wager(&rules, "make-em-all").expect("explored");
    group.bench_function("solve 1,023 states exactly", |bencher| {
        bencher.iter(|| {
            let solution = solve(black_box(&chain)).expect("solved");
            assert_eq!(solution.endings.len(), 2);
            solution.endings.len()
        });
    });
    group.bench_function("explore and minimise 1,023 states", |bencher| {
        bencher.iter(|| {
            let chain = Chain::of_wager(black_box(&rules), "make-em-all").expect("explored");
            assert_eq!(chain.len(), 1023);
            chain.len()
        });
    });
    group.finish();
}

criterion_group!(benches, price);
criterion_main!(benches);
