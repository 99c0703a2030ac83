//! Whatever is written in a rulebook, it is refused with faults or compiles into rules that step.

#![no_main]

use std::sync::LazyLock;

use craps::{Cents, Library, Roll, Rulebook, Rules, State};
use craps::rules::{Chosen};
use craps::rulebook::{Kind};

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::embedded);

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(rulebook) = Rulebook::parse("fuzz", text) else { return };
    let mut chosen = vec![Chosen { rulebook, paytables: None }];
    if chosen[0].rulebook.kind == Kind::Side {
        chosen.insert(0, LIBRARY.choose(Library::DEFAULT_BASE).unwrap());
    }
    if let Ok(rules) = Rules::compile(&LIBRARY, &chosen, &[]) {
        for spot in rules.spots().filter(|spot| rules.spot_rule(*spot).flat.is_none()) {
            let notation = &rules.spot_rule(spot).notation;
            let stake = rules.wager_at(spot).limits.max.unwrap_or(Cents::dollars(5));
            let state = State::with_bet(&rules, notation, stake).unwrap();
            for roll in Roll::all() {
                state.clone().roll(&rules, roll);
            }
        }
    }
});
