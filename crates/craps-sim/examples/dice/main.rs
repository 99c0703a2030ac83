//! What `cargo xtask dice` runs: the simulator's dice as a stream for other programs, and our own
//! tests of them.

#![allow(clippy::print_stdout, clippy::float_arithmetic, reason = "a program that measures")]

mod statistics;

use std::io::{self, Write};
use std::process::ExitCode;

use craps::Roll;
use craps_sim::dice::{BLOCK, Dice, GENERATOR};

use statistics::{NIST, Rolls, TURNED_DOWN, Tested, all_pass, nist, spread};

/// The rolls of a session, and the blocks that are taken for them.
const SESSION: usize = 500;
const BLOCKS: u32 = 32;
/// NIST's own advice: a thousand sequences of a million bits, blocks of more than a hundredth.
const SEQUENCES: usize = 1_000;
const SEQUENCE: usize = 1_000_000;
const NIST_BLOCK: usize = 20_000;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().expect("a whole number");
    match words.as_slice() {
        ["bytes", seed] => stream(bytes(dice(number(seed)))),
        ["rolls", seed] => stream(packed(roll_bits(dice(number(seed))))),
        ["test", seed, rolls] => return test(dice(number(seed)), number(rolls)),
        _ => panic!("expected: dice bytes SEED, dice rolls SEED or dice test SEED ROLLS"),
    }
    ExitCode::SUCCESS
}

fn dice(seed: u64) -> Dice {
    Dice { seed }
}

/// The bytes that sessions take, one session after the other.
fn bytes(dice: Dice) -> impl Iterator<Item = [u8; BLOCK]> {
    (0..).flat_map(move |session| (0..BLOCKS).map(move |block| dice.block(session, block)))
}

fn rolls(dice: Dice) -> impl Iterator<Item = Roll> {
    (0..).flat_map(move |session| dice.rolls(session).take(SESSION))
}

fn roll_bits(dice: Dice) -> impl Iterator<Item = bool> {
    let mut rolls = rolls(dice);
    let numbers = std::iter::from_fn(move || {
        let six = std::array::from_fn(|_| rolls.next().expect("there is always a next roll"));
        Some(statistics::bits(&six))
    });
    numbers.flatten().flat_map(|number| (0..31).rev().map(move |place| number >> place & 1 == 1))
}

fn packed(mut bits: impl Iterator<Item = bool>) -> impl Iterator<Item = [u8; BLOCK]> {
    std::iter::from_fn(move || {
        let mut byte = || (0..8).fold(0, |byte, _| byte << 1 | u8::from(bits.next() == Some(true)));
        Some(std::array::from_fn(|_| byte()))
    })
}

/// Writes until nobody reads any more.
fn stream(blocks: impl Iterator<Item = [u8; BLOCK]>) {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for block in blocks {
        if out.write_all(&block).is_err() {
            break;
        }
    }
    // What is left in the buffer has no reader either.
    let _ = out.into_parts();
}

fn test(dice: Dice, count: u64) -> ExitCode {
    println!("{GENERATOR}, seed {}", dice.seed);
    let mut counted = Rolls::new();
    for session in 0..count.div_ceil(SESSION as u64) {
        counted.session(dice.rolls(session).take(SESSION));
    }
    let mut family = counted.tests();
    println!("{} rolls, {SESSION} a session", counted.count());
    show(&family);
    let raw = bytes(dice).flatten();
    let raw = raw.flat_map(|byte| (0..8).rev().map(move |place| byte >> place & 1 == 1));
    for (what, tests) in [("bytes", suite(raw)), ("rolls", suite(roll_bits(dice)))] {
        println!("NIST SP 800-22, {SEQUENCES} sequences of {SEQUENCE} bits of {what}");
        show(&tests);
        family.extend(tests);
    }
    let (tests, passed) = (family.len(), all_pass(&family));
    let verdict = if passed { "pass" } else { "FAIL" };
    println!(
        "{tests} tests {verdict} together, at 99 %: none may lie below {:.6}",
        TURNED_DOWN / tests as f64
    );
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Each of NIST's tests over all sequences.
fn suite(mut bits: impl Iterator<Item = bool>) -> Vec<Tested> {
    let mut found: [Vec<f64>; 5] = Default::default();
    for _ in 0..SEQUENCES {
        let sequence: Vec<bool> = bits.by_ref().take(SEQUENCE).collect();
        for (all, p) in found.iter_mut().zip(nist(&sequence, NIST_BLOCK)) {
            all.push(p);
        }
    }
    NIST.iter().zip(&found).map(|(name, all)| Tested { name, p: spread(all) }).collect()
}

fn show(family: &[Tested]) {
    for tested in family {
        println!("  {:<36} p = {:.6}", tested.name, tested.p);
    }
}
