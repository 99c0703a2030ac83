//! How long exact sessions take: `cargo bench -p craps-math --bench session`. Each checks its
//! answer.

#![allow(missing_docs, reason = "the benchmark macros make items of their own")]

use std::sync::Arc;

use craps::machine::{Desk, End, Machine, explore};
use craps::{Cents, Library, Multiple, Refusal, Rules};
use craps_math::session::{Length, Over, Session, run};
use criterion::{Criterion, criterion_group, criterion_main};

/// $1,000 over 500 rolls.
fn sessions(criterion: &mut Criterion) {
    let options = [("payout-unit", "1.00")];
    let rules = Rules::with_options(&Library::embedded(), &["presque-isle"], &options);
    let rules = Arc::new(rules.expect("embedded rules"));
    let [pass, six, eight, come] =
        ["pass", "place 6", "place 8", "come"].map(|spot| rules.spot(spot).expect("offered"));
    let comes = rules.wager_named("come").expect("offered");
    let ten = Cents::dollars(10);
    let six_eight = machine(&rules, &|desk| {
        desk.want(pass, ten)?;
        desk.odds(None, &[Multiple::times(2)])?;
        desk.want(six, Cents::dollars(12))?;
        desk.want(eight, Cents::dollars(12))
    });
    let molly = machine(&rules, &|desk| {
        desk.want(pass, ten)?;
        if desk.count(comes) < 2 {
            desk.want(come, ten)?;
        }
        desk.odds(None, &[3, 4, 5].map(Multiple::times))
    });
    let every_roll = machine(&rules, &|desk| {
        desk.want(pass, ten)?;
        desk.want(come, ten)?;
        desk.odds(None, &[Multiple::times(2)])
    });
    let mut group = criterion.benchmark_group("session");
    group.sample_size(10);
    for (name, machine, ruin) in [
        ("pass with double odds, 6 and 8", &six_eight, "0.06821"),
        ("Three-Point Molly", &molly, "0.35579"),
        ("come every roll", &every_roll, "0.21084"),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let bankroll = Cents::dollars(1_000);
                let length = Length::Rolls(500);
                let session = Session { bankroll, length, goal: None, floor: None };
                let outcome = run(machine, &session, 500, |_| true).expect("not stopped");
                let ruined = outcome.chance(Over::Ended(End::Ruined));
                assert_eq!(format!("{ruined:.5}"), ruin);
            });
        });
    }
    group.finish();
}

fn machine(rules: &Arc<Rules>, plan: &impl Fn(&mut Desk) -> Result<(), Refusal>) -> Machine {
    explore(rules, plan, &[], 200_000).ok().expect("a sound plan").machine
}

criterion_group!(benches, sessions);
criterion_main!(benches);
