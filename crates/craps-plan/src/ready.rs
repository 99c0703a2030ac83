//! The plans that come with the program, found by name like rulebooks, each with a tape that shows
//! it at work.

macro_rules! ready {
    ($($name:literal),* $(,)?) => {
        /// Name and text of every plan.
        pub const READY: [(&str, &str); 36] =
            [$(($name, include_str!(concat!("../../../plans/", $name, ".rhai")))),*];

        /// Name and tape of every plan: some rolls that show what it does.
        const TAPES: [(&str, &str); READY.len()] =
            [$(($name, include_str!(concat!("../../../tapes/plans/", $name, ".tape")))),*];
    };
}

ready![
    "across",
    "both-progressives",
    "come-every-roll",
    "dalembert",
    "dice-doctor",
    "doey-dont",
    "dont-345",
    "dont-pass",
    "field",
    "fraction-of-rack",
    "half-press",
    "hammerlock",
    "hard-point",
    "hardways",
    "inside",
    "iron-cross",
    "labouchere",
    "martingale",
    "one-three-two-six",
    "pass",
    "pass-1x",
    "pass-2x",
    "pass-345",
    "pass-3x",
    "pass-six-eight",
    "press-and-collect",
    "regress",
    "risk-12",
    "six-eight",
    "small-tall-all",
    "squeeze-play",
    "staged",
    "supreme",
    "three-point-dolly",
    "three-point-molly",
    "three-two-one",
];

/// The text of a plan by its name.
pub fn ready(name: &str) -> Option<&'static str> {
    READY.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Some rolls that show what a plan of this name does, as a tape.
pub fn ready_tape(name: &str) -> Option<&'static str> {
    TAPES.iter().find(|(known, _)| *known == name).map(|(_, tape)| *tape)
}
