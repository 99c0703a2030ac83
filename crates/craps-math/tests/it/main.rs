//! Published figures, reproduced from the engine as exact fractions, and each confirmed by a
//! second road.

mod best;
mod session;
mod edges;
mod long_run;
mod made_up;
mod par;
mod second_road;
mod side_bets;

use craps::{Cents, Library, Rules};
use craps_math::{Edge, Target, Terms};

#[track_caller]
fn rules_with(names: &[&str], options: &[(&str, &str)]) -> Rules {
    match Rules::with_options(&Library::embedded(), names, options) {
        Ok(rules) => rules,
        Err(faults) => panic!("{faults}"),
    }
}

fn rules(names: &[&str]) -> Rules {
    rules_with(names, &[])
}

/// Every wager of all four rulebooks; Washington's and Nevada's bonus bets share their names.
fn everything() -> Rules {
    rules(&[
        "presque-isle",
        "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01",
        "super-shooter",
    ])
}

#[track_caller]
fn priced(rules: &Rules, wager: &str, stake: Option<Cents>) -> Edge {
    let target = Target::parse(rules, wager).unwrap_or_else(|error| panic!("{error}"));
    let edge = Edge::of(rules, &target, stake, Terms::default());
    edge.unwrap_or_else(|error| panic!("{wager}: {error}"))
}
