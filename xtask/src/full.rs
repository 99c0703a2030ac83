//! `cargo xtask test --full`: the gate, then every longer run there is, in about 70 minutes on two
//! cores. A run that fails does not keep the others from being played.

use std::time::{Duration, Instant};

use crate::{assure, fuzz, shell, soak, test};

/// One run: its name, and how it is played. It says whether this machine can play it at all.
type Run = (&'static str, fn(bool) -> Result<bool, String>);

const RUNS: [Run; 7] = [
    ("test", |install| test::run(install).map(|()| true)),
    ("everywhere", |_| in_a_browser(test::everywhere)),
    ("days", |_| in_a_browser(|| test::days(8))),
    ("simulate", |_| simulate().map(|()| true)),
    ("assure", |_| match test::has_postgres() {
        true => assure::run(&["--trials", "1"]).map(|()| true),
        false => Ok(false),
    }),
    ("soak", |_| soak::run(&["10"]).map(|()| true)),
    ("fuzz", |install| fuzz::run(install)),
];

pub(crate) fn run(install: bool) -> Result<(), String> {
    let begun = Instant::now();
    let mut lines = Vec::new();
    let (mut passed, mut failed, mut left_out) = (0, 0, 0);
    for (name, play) in RUNS {
        println!("== {name}");
        let run = Instant::now();
        let ended = match play(install) {
            Ok(true) => {
                passed += 1;
                "passed".to_owned()
            }
            Ok(false) => {
                left_out += 1;
                "LEFT OUT".to_owned()
            }
            Err(reason) => {
                failed += 1;
                format!("FAILED: {reason}")
            }
        };
        lines.push(format!("{name:<11} {}  {ended}", clock(run.elapsed())));
        println!("== {}", lines[lines.len() - 1]);
    }
    for line in &lines {
        println!("{line}");
    }
    let time = clock(begun.elapsed());
    println!("full: {passed} runs passed, {failed} failed, {left_out} left out in {time}");
    match failed {
        0 => Ok(()),
        _ => Err("not every run passed".to_owned()),
    }
}

/// What needs pages and a browser.
fn in_a_browser(play: impl Fn() -> Result<(), String>) -> Result<bool, String> {
    match test::has_browser() {
        true => play().map(|()| true),
        false => Ok(false),
    }
}

/// Seeds and mutants, by what was built with the tests.
fn simulate() -> Result<(), String> {
    let simulate = shell::target().join("debug/examples/simulate");
    let simulate = simulate.display();
    shell::run(&format!("{simulate} --seeds 2000"), &[])?;
    shell::run(&format!("{simulate} --mutants"), &[])
}

/// `7:05`, or `1:07:05`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::clock;

    #[test]
    fn times_are_minutes_and_seconds() {
        let times = [5, 65, 725, 4025].map(|seconds| clock(Duration::from_secs(seconds)));
        assert_eq!(times, ["0:05", "1:05", "12:05", "1:07:05"]);
    }
}
