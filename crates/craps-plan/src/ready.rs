//! The plans that come with the program, found by name like rulebooks.

macro_rules! plan {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../plans/", $name, ".rhai")))
    };
}

/// Name and text of every plan.
pub const READY: [(&str, &str); 36] = [
    plan!("across"),
    plan!("both-progressives"),
    plan!("come-every-roll"),
    plan!("dalembert"),
    plan!("dice-doctor"),
    plan!("doey-dont"),
    plan!("dont-345"),
    plan!("dont-pass"),
    plan!("field"),
    plan!("fraction-of-rack"),
    plan!("half-press"),
    plan!("hammerlock"),
    plan!("hard-point"),
    plan!("hardways"),
    plan!("inside"),
    plan!("iron-cross"),
    plan!("labouchere"),
    plan!("martingale"),
    plan!("one-three-two-six"),
    plan!("pass"),
    plan!("pass-1x"),
    plan!("pass-2x"),
    plan!("pass-345"),
    plan!("pass-3x"),
    plan!("pass-six-eight"),
    plan!("press-and-collect"),
    plan!("regress"),
    plan!("risk-12"),
    plan!("six-eight"),
    plan!("small-tall-all"),
    plan!("squeeze-play"),
    plan!("staged"),
    plan!("supreme"),
    plan!("three-point-dolly"),
    plan!("three-point-molly"),
    plan!("three-two-one"),
];

/// The text of a plan by its name.
pub fn ready(name: &str) -> Option<&'static str> {
    READY.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
