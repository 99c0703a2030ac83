//! `cargo xtask dice`: the simulator's dice, tested by us and by others. What came out is kept in
//! `docs/dice.md`.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::shell;

/// Tests of dieharder that are bounded in time: birthdays, permutations, ranks of matrices of both
/// sizes, ones in a stream, parking, runs, and Marsaglia and Tsang's of bits and runs.
const TESTS: [u32; 10] = [0, 1, 2, 3, 8, 10, 15, 100, 101, 102];
/// A test that takes longer is given up.
const PATIENCE: Duration = Duration::from_secs(120);
/// All of dieharder's probabilities together turn down one in a hundred fair dice.
const TURNED_DOWN: f64 = 0.01;

pub(crate) fn run(args: &[&str], install: bool) -> Result<(), String> {
    let (rolls, seed) = match args {
        [] => ("1000000000", "1"),
        [rolls] => (*rolls, "1"),
        [rolls, seed] => (*rolls, *seed),
        _ => return Err("expected: cargo xtask dice ROLLS SEED".to_owned()),
    };
    let number = |text: &str| {
        text.parse::<u64>().map_err(|_| format!("`{text}` is not a whole number, such as 1000000"))
    };
    let (rolls, seed) = (number(rolls)?, number(seed)?);
    // Below this, cells are too empty for chi-square.
    if rolls < 10_000_000 {
        return Err(format!("{rolls} rolls are too few to tell, ask for 10000000 or more"));
    }
    shell::run("cargo build --release -p craps-sim --example dice", &[])?;
    let dice = shell::target().join("release/examples/dice").display().to_string();
    shell::run(&format!("{dice} test {seed} {rolls}"), &[])?;
    println!(
        "LEFT OUT: the other tests of NIST's suite, and PractRand: no system package has them"
    );
    if install && !is_here() {
        shell::run("apt-get update", &[])?;
        shell::run("apt-get install -y --no-install-recommends dieharder", &[])?;
    }
    if !is_here() {
        println!("LEFT OUT: dieharder's tests need its system package (see --install)");
        return Ok(());
    }
    dieharder(&dice, seed)
}

fn is_here() -> bool {
    shell::works("dieharder -l")
}

/// One line of dieharder's table.
struct Line {
    text: String,
    p: f64,
}

fn dieharder(dice: &str, seed: u64) -> Result<(), String> {
    let mut lines = Vec::new();
    let mut given_up = 0;
    for stream in ["bytes", "rolls"] {
        println!("dieharder, {stream}: each test has a seed of its own, from {seed}");
        for (seed, test) in (seed..).zip(TESTS) {
            match one(dice, stream, seed, test)? {
                Some(table) => {
                    let found = read(&table);
                    if found.is_empty() {
                        return Err(format!("dieharder's test {test} said nothing:\n{table}"));
                    }
                    for line in &found {
                        println!("  {}", line.text);
                    }
                    lines.extend(found);
                }
                None => {
                    given_up += 1;
                    println!("LEFT OUT: test {test} took over {} seconds", PATIENCE.as_secs());
                }
            }
        }
    }
    let odd = far_out(&lines);
    println!(
        "dieharder: {} probabilities, {odd} of them too far out at 99 % together, {given_up} tests \
         given up",
        lines.len()
    );
    match odd {
        0 => Ok(()),
        _ => Err("the dice fail, see the probabilities above".to_owned()),
    }
}

/// How many lie too far out, on either side, for all of them together.
#[expect(clippy::float_arithmetic, reason = "probabilities are no money")]
fn far_out(lines: &[Line]) -> usize {
    let least = TURNED_DOWN / lines.len() as f64;
    lines.iter().filter(|line| line.p.min(1.0 - line.p) * 2.0 < least).count()
}

/// What one test prints, or nothing if it took too long.
fn one(dice: &str, stream: &str, seed: u64, test: u32) -> Result<Option<String>, String> {
    let failed = |error: std::io::Error| format!("dieharder could not be started: {error}");
    let mut thrower = Command::new(dice)
        .args([stream, &seed.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("`{dice}` could not be started: {error}"))?;
    let thrown = thrower.stdout.take().expect("it was piped");
    let tester = Command::new("dieharder")
        .args(["-g", "200", "-d", &test.to_string()])
        .stdin(thrown)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed);
    let table = tester.and_then(|tester| wait(tester).map_err(failed));
    // It ends by itself where nobody reads, but a test may not have come to read at all.
    let _ = thrower.kill();
    let _ = thrower.wait();
    table
}

fn wait(mut tester: Child) -> std::io::Result<Option<String>> {
    let mut out = tester.stdout.take().expect("it was piped");
    let table = thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let begun = Instant::now();
    while tester.try_wait()?.is_none() {
        if begun.elapsed() > PATIENCE {
            tester.kill()?;
            tester.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(50));
    }
    table.join().expect("reading does not panic").map(Some)
}

/// The lines with a probability: name, size of tuples, samples, repetitions, p and its verdict.
fn read(table: &str) -> Vec<Line> {
    let line = |text: &str| {
        let cells: Vec<&str> = text.split('|').map(str::trim).collect();
        let [.., p, _] = cells.as_slice() else { return None };
        let p = p.parse().ok().filter(|_| cells.len() == 6)?;
        Some(Line { text: cells.join(" | "), p })
    };
    table.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{far_out, read};

    #[test]
    fn probabilities_are_read_from_a_table() {
        let table = "\
   rng_name    |rands/second|   Seed   |
stdin_input_raw|  3.46e+07  |1932893387|
        test_name   |ntup| tsamples |psamples|  p-value |Assessment
   diehard_birthdays|   0|       100|     100|0.30432416|  PASSED
        diehard_runs|   0|    100000|     100|0.00000000|  FAILED
";
        let found = read(table);
        assert_eq!(found.iter().map(|line| line.p).collect::<Vec<_>>(), [0.304_324_16, 0.0]);
        assert_eq!(found[1].text, "diehard_runs | 0 | 100000 | 100 | 0.00000000 | FAILED");
        assert_eq!((far_out(&found), far_out(&found[..1])), (1, 0));
    }
}
