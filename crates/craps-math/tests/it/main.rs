//! Published figures, reproduced from the engine as exact fractions, and each confirmed by a
//! second road.

mod best;
mod session;
mod edges;
mod every_edge;
mod long_run;
mod made_up;
mod par;
mod second_road;
mod side_bets;
mod two_rolls;

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

/// Every wager of the first four rulebooks; Washington's and Nevada's bonus bets share their names.
fn everything() -> Rules {
    rules(&[
        "presque-isle",
        "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01",
        "super-shooter",
    ])
}

/// Rules, and what of them is looked at.
struct Offer {
    rules: Rules,
    targets: Vec<Target>,
}

impl Offer {
    /// Every wager of these rules.
    fn of(rules: Rules) -> Offer {
        let targets = Target::all(&rules);
        Offer { rules, targets }
    }
}

fn strip() -> Offer {
    Offer::of(rules(&["vegas-strip", "low-high-dice"]))
}

fn crapless() -> Offer {
    Offer::of(rules(&["crapless"]))
}

/// Every side bet that comes with the program and is none of Bonus Craps.
fn every_side_bet() -> Offer {
    let names = [
        "presque-isle:none",
        "fire-bet",
        "repeater",
        "hot-hand",
        "different-doubles",
        "ride-the-line",
        "replay",
        "hot-shooter",
        "muggsys-corner",
        "point-seven",
    ];
    let Offer { rules, mut targets } = Offer::of(rules(&names));
    targets.retain(|target| rules.wager_at(target.spot).shape.is_tracked());
    Offer { rules, targets }
}

#[track_caller]
fn priced(rules: &Rules, wager: &str, stake: Option<Cents>) -> Edge {
    let target = Target::parse(rules, wager).unwrap_or_else(|error| panic!("{error}"));
    let edge = Edge::of(rules, &target, stake, Terms::default());
    edge.unwrap_or_else(|error| panic!("{wager}: {error}"))
}
