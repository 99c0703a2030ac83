//! How the rules behave, shown as tables, tapes and properties.
//!
//! Golden files under `tests/golden` are rewritten by `UPDATE_EXPECT=1 cargo test -p craps` and
//! reviewed as a diff.

mod allocation;
mod awards;
mod chain;
mod chips;
mod claims;
mod dice;
mod fuzz;
mod machine;
mod matrix;
mod mend;
mod meter;
mod money;
mod notation;
mod offers;
mod options;
mod oracle;
mod properties;
mod reach;
mod refusals;
mod rulebook;
mod schema;
mod shadow;
mod since;
mod strip;
mod table;
mod tapes;
mod tracked;

use craps::{Library, Rules, Table};

/// The base game with every side bet there is, both progressives included.
fn everything() -> Rules {
    rules(&[
        "presque-isle",
        "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01",
        "super-shooter",
    ])
}

/// The base game with every side bet that comes with the program and is none of Bonus Craps.
fn every_side_bet() -> Rules {
    rules(&[
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
    ])
}

fn rules(names: &[&str]) -> Rules {
    rules_with(names, &[])
}

#[track_caller]
fn rules_with(names: &[&str], options: &[(&str, &str)]) -> Rules {
    match Rules::with_options(&Library::embedded(), names, options) {
        Ok(rules) => rules,
        Err(faults) => panic!("{faults}"),
    }
}

/// A table but for the memory of the last roll and how many claims there were.
fn visible(table: &Table) -> craps::table::Parts {
    craps::table::Parts { before_roll: None, claims_made: 0, ..table.parts().clone() }
}

/// A simple generator for tests that need many dice and no more.
struct Lehmer(u64);

impl Lehmer {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        self.0 >> 33
    }

    fn below(&mut self, count: usize) -> usize {
        self.next() as usize % count
    }

    fn roll(&mut self) -> craps::Roll {
        craps::Roll::from_index(self.next() as usize % 36)
    }
}
