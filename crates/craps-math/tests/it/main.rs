//! Published figures, reproduced from the engine as exact fractions.

mod edges;

use craps::{Library, Rules};

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
