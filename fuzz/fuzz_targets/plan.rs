//! Whatever is written as a plan, it is refused with a reason, or explored, and what it plays is a
//! tape that holds.

#![no_main]

use std::sync::{Arc, LazyLock};

use craps::machine::{Unexplored, explore};
use craps::{Cents, Library, Roll, Rules, Tape};
use craps_plan::{Plan, Session};

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::embedded);
static RULES: LazyLock<Rules> =
    LazyLock::new(|| Rules::named(&LIBRARY, &["presque-isle"]).unwrap());

libfuzzer_sys::fuzz_target!(|text: &str| {
    let Ok(plan) = Plan::parse("fuzz", text, &[]) else { return };
    let plan = plan.at_most(200_000);
    let rules = Arc::new(RULES.clone());
    match explore(&rules, &plan, &[], 60) {
        Ok(_) => {}
        Err(Unexplored::TooMany(_)) => {}
        Err(Unexplored::Fault(_, fault)) => return assert!(!fault.message.is_empty()),
    }
    let bankroll = Cents::dollars(200);
    let session = Session { rulebooks: &[], options: &[], rules: &rules, meters: &[], bankroll };
    let dice: Vec<Roll> = Roll::all().collect();
    if let Ok(tape) = session.tape(&plan, &dice) {
        assert!(Tape::parse("fuzz", &tape, &LIBRARY).unwrap().play().failures.is_empty());
    }
});
