//! The dice pass the tests that `cargo xtask dice` does at length, and bad dice do not.

#[path = "../../examples/dice/statistics.rs"]
mod tested;

use craps::Roll;
use craps_sim::dice::{Dice, philox, roll_of};
use tested::{NIST, Rolls, Tested, all_pass, bits, nist, spread};

/// Enough sessions for eight pairs of first rolls in each of 1,296 cells.
const SESSIONS: u64 = 20_000;
const SESSION: usize = 100;
/// Sequences of bits, their length and NIST's blocks in them.
const SEQUENCES: usize = 200;
const SEQUENCE: usize = 20_000;
const BLOCK: usize = 400;

/// Every test, of what sessions throw.
fn family(mut session: impl FnMut(u64) -> Vec<Roll>) -> Vec<Tested> {
    let mut counted = Rolls::new();
    let mut stream = Vec::new();
    for number in 0..SESSIONS {
        let rolls = session(number);
        for six in rolls.as_chunks().0 {
            stream.extend(
                bits(six)
                    .into_iter()
                    .flat_map(|number| (0..31).rev().map(move |place| number >> place & 1 == 1)),
            );
        }
        counted.session(rolls.into_iter());
    }
    assert_eq!(counted.count(), SESSIONS * SESSION as u64);
    let sequences = stream.chunks_exact(SEQUENCE).take(SEQUENCES);
    let found: Vec<[f64; 5]> = sequences.map(|sequence| nist(sequence, BLOCK)).collect();
    assert_eq!(found.len(), SEQUENCES);
    let mut family = counted.tests();
    for (place, name) in NIST.into_iter().enumerate() {
        let all: Vec<f64> = found.iter().map(|five| five[place]).collect();
        family.push(Tested { name, p: spread(&all) });
    }
    family
}

/// Sessions of bytes, block by block, made into rolls as the simulator makes them.
fn by_blocks(block: impl Fn(u64, u32) -> [u32; 4]) -> Vec<Tested> {
    family(|session| {
        let words = (0..).flat_map(|at| block(session, at));
        words.flat_map(u32::to_le_bytes).filter_map(roll_of).take(SESSION).collect()
    })
}

/// Every test with its probability, a line each.
fn said(family: &[Tested]) -> String {
    family.iter().map(|tested| format!("{:.6} {}\n", tested.p, tested.name)).collect()
}

#[track_caller]
fn check_fails(family: &[Tested]) {
    assert!(!all_pass(family), "bad dice pass:\n{}", said(family));
}

#[test]
fn the_dice_pass() {
    for seed in [1, u64::MAX] {
        let family = family(|session| Dice { seed }.rolls(session).take(SESSION).collect());
        assert!(all_pass(&family), "seed {seed}:\n{}", said(&family));
    }
}

/// Bytes as the simulator has them, so that what is planted below is all that differs.
#[test]
fn the_dice_pass_block_by_block() {
    let family = by_blocks(|session, at| philox([1, 0], [session as u32, 0, at, 0]));
    assert!(all_pass(&family), "{}", said(&family));
}

#[test]
fn a_remainder_of_six_fails() {
    check_fails(&family(|session| {
        let bytes: Vec<u8> = Dice { seed: 1 }.bytes(session).take(2 * SESSION).collect();
        let pairs = bytes.as_chunks().0;
        pairs.iter().map(|[one, other]| Roll::new(one % 6 + 1, other % 6 + 1).unwrap()).collect()
    }));
}

#[test]
fn a_small_congruence_fails() {
    let mut state = 1u16;
    check_fails(&family(|_| {
        let next = || {
            state = state.wrapping_mul(25_173).wrapping_add(13_849);
            (state >> 8) as u8
        };
        std::iter::repeat_with(next).filter_map(roll_of).take(SESSION).collect()
    }));
}

#[test]
fn a_counter_that_repeats_fails() {
    // Every thousandth session is the same again, or every fourth block of a session.
    check_fails(&by_blocks(|session, at| philox([1, 0], [session as u32 % 1_000, 0, at, 0])));
    check_fails(&by_blocks(|session, at| philox([1, 0], [session as u32, 0, at % 4, 0])));
    // A session's second block is the next one's first.
    check_fails(&by_blocks(|session, at| philox([1, 0], [session as u32 + at, 0, 0, 0])));
}

#[test]
fn two_rounds_of_philox_fail() {
    check_fails(&by_blocks(|session, at| {
        let (mut a, mut b, mut c, mut d) = (session as u32, 0, at, 0);
        for key in [1u32, 1u32.wrapping_add(0x9E37_79B9)] {
            let first = 0xD251_1F53 * u64::from(a);
            let second = 0xCD9E_8D57 * u64::from(c);
            (a, b) = ((second >> 32) as u32 ^ b ^ key, second as u32);
            (c, d) = ((first >> 32) as u32 ^ d, first as u32);
        }
        [a, b, c, d]
    }));
}
