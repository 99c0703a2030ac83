//! Whatever is written in a rulebook, it is refused with faults or compiles into rules that step.

#![no_main]

use std::sync::LazyLock;

use craps::{Chosen, Hand, Kind, Library, Roll, Rulebook, Rules, call};

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::embedded);

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(rulebook) = Rulebook::parse("fuzz", text) else { return };
    let mut chosen = vec![Chosen { rulebook, paytables: None }];
    if chosen[0].rulebook.kind == Kind::Side {
        chosen.insert(0, LIBRARY.choose(Library::DEFAULT_BASE).unwrap());
    }
    if let Ok(rules) = Rules::compile(&LIBRARY, &chosen, &[]) {
        for roll in Roll::all() {
            call(&rules, &Hand::default(), roll);
        }
    }
});
