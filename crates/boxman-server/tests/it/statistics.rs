//! A battery of statistical tests that the house's dice pass and planted bad dice do not.
//!
//! Every stream of rolls here is fixed, so that a run today and a run tomorrow agree.

#![expect(clippy::float_arithmetic, reason = "statistics are floats")]

use std::fmt;
use std::iter;

use boxman_server::testing::dice::{Secret, ShooterBytes, throw};
use craps::{Roll, Total};

/// How many rolls tell a bad die from a good one.
const ROLLS: usize = 1_000_000;

const FIRST: &str = "faces of the first die";
const SECOND: &str = "faces of the second die";
const PAIRS: &str = "the thirty-six rolls";
const SERIAL: &str = "successive rolls";
const RUNS: &str = "runs above and below seven";
const GAPS: &str = "gaps between sevens";

/// How many standard deviations a test may be off, to either side.
///
/// Six tests share the 1 % of good dice that may fail: each may fail in 1/1200 of cases on either
/// side, and the standard normal distribution leaves that much beyond 3.144. Too even counts as
/// off too, since a generator of short period deals every roll out alike.
const LIMIT: f64 = 3.144;

/// A test that the rolls did not pass.
#[derive(Debug)]
struct Failure {
    test: &'static str,
    deviations: f64,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: off by {:.1} standard deviations", self.test, self.deviations)
    }
}

/// The tests that these rolls fail; of good dice, 99 streams in 100 fail none.
fn battery(rolls: impl Iterator<Item = Roll>) -> Vec<Failure> {
    let rolls: Vec<Roll> = rolls.collect();
    let results = [
        (FIRST, uniform(6, rolls.iter().map(|roll| usize::from(roll.faces().0) - 1))),
        (SECOND, uniform(6, rolls.iter().map(|roll| usize::from(roll.faces().1) - 1))),
        (PAIRS, uniform(Roll::COUNT, rolls.iter().map(|roll| roll.index()))),
        (SERIAL, serial(&rolls)),
        (RUNS, runs(&rolls)),
        (GAPS, gaps(&rolls)),
    ];
    // What is not a number at all, as with no seven in sight, is not within the limit either.
    let off = results.into_iter().filter(|(_, off)| !(-LIMIT..=LIMIT).contains(off));
    off.map(|(test, deviations)| Failure { test, deviations }).collect()
}

/// Whether each of `classes` comes up equally often.
fn uniform(classes: usize, places: impl Iterator<Item = usize>) -> f64 {
    deviations(even(classes, places), classes - 1)
}

/// Whether a roll says anything about the next one.
///
/// Pairs overlap, so their chi-square has no simple distribution. Its excess over that of single
/// rolls has: Good's serial test, with the last roll followed by the first.
fn serial(rolls: &[Roll]) -> f64 {
    let next = rolls.iter().cycle().skip(1);
    let pairs = rolls.iter().zip(next).map(|(one, two)| one.index() * Roll::COUNT + two.index());
    let singles = rolls.iter().map(|roll| roll.index());
    let square = Roll::COUNT * Roll::COUNT;
    deviations(even(square, pairs) - even(Roll::COUNT, singles), square - Roll::COUNT)
}

/// Whether totals change sides of seven as often as they should, sevens left out: Wald–Wolfowitz.
fn runs(rolls: &[Roll]) -> f64 {
    let decided = rolls.iter().map(|roll| roll.total()).filter(|total| *total != Total::SEVEN);
    let sides: Vec<bool> = decided.map(|total| total > Total::SEVEN).collect();
    let runs = 1 + sides.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let high = sides.iter().filter(|side| **side).count() as f64;
    let count = sides.len() as f64;
    let mean = 1.0 + 2.0 * high * (count - high) / count;
    let variance = (mean - 1.0) * (mean - 2.0) / (count - 1.0);
    (runs as f64 - mean) / variance.sqrt()
}

/// Whether the rolls before each seven are as many as they should be.
fn gaps(rolls: &[Roll]) -> f64 {
    // Gaps of thirty and more are rare, and counted together.
    const LONGEST: usize = 30;
    let mut counts = [0; LONGEST + 1];
    let mut gap = 0;
    for roll in rolls {
        if roll.total() == Total::SEVEN {
            counts[gap.min(LONGEST)] += 1;
            gap = 0;
        } else {
            gap += 1;
        }
    }
    let mut left = 1.0;
    let chances = (0..=LONGEST).map(|length| {
        let chance = if length < LONGEST { left / 6.0 } else { left };
        left -= chance;
        chance
    });
    deviations(chi_square(&counts, chances), LONGEST)
}

/// The chi-square of places that should be equally frequent.
fn even(classes: usize, places: impl Iterator<Item = usize>) -> f64 {
    let mut counts = vec![0; classes];
    places.for_each(|place| counts[place] += 1);
    chi_square(&counts, iter::repeat(1.0 / classes as f64))
}

/// How far counts are from what their chances make of them.
fn chi_square(counts: &[u32], chances: impl Iterator<Item = f64>) -> f64 {
    let all = f64::from(counts.iter().sum::<u32>());
    let terms = counts.iter().zip(chances).map(|(count, chance)| {
        let expected = all * chance;
        (f64::from(*count) - expected).powi(2) / expected
    });
    terms.sum()
}

/// A chi-square as standard deviations from what is usual, by Wilson and Hilferty: the cube root
/// of a chi-square over its degrees of freedom is almost normal.
fn deviations(chi_square: f64, freedom: usize) -> f64 {
    let freedom = freedom as f64;
    let variance = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - variance)) / variance.sqrt()
}

#[track_caller]
fn assert_passes(rolls: impl Iterator<Item = Roll>) {
    let failures: Vec<String> = battery(rolls).iter().map(Failure::to_string).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// That the first [`ROLLS`] fail these tests, those that are meant for the flaw, if not more.
#[track_caller]
fn assert_fails(rolls: impl Iterator<Item = Roll>, tests: &[&str]) {
    let failures = battery(rolls.take(ROLLS));
    for test in tests {
        assert!(failures.iter().any(|failure| failure.test == *test), "{test}: {failures:#?}");
    }
}

/// Thirty-two bytes that count up.
fn counted(number: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[24..].copy_from_slice(&number.to_be_bytes());
    bytes
}

/// A thousand secrets, a thousand rolls of each, as a table throws them.
#[test]
fn the_house_dice_pass() {
    let shooter = ShooterBytes::from_bytes([0; 32]);
    let secrets = (0..).map(|number| Secret::from_bytes(counted(number)));
    let rolls = secrets.flat_map(|secret| (1..=1000).map(move |n| throw(&secret, 1, n, &shooter)));
    assert_passes(rolls.take(ROLLS));
}

/// Neighbouring tables see rolls that have nothing to do with each other.
#[test]
fn the_house_dice_pass_across_tables() {
    let (secret, shooter) = (Secret::from_bytes([0; 32]), ShooterBytes::from_bytes([0; 32]));
    assert_passes((0..100_000).map(|table| throw(&secret, table, 1, &shooter)));
}

/// A shooter who changes a digit learns nothing about the roll that makes.
#[test]
fn the_house_dice_pass_across_shooters() {
    let secret = Secret::from_bytes([0; 32]);
    let shooters = (0..100_000).map(|number| ShooterBytes::from_bytes(counted(number)));
    assert_passes(shooters.map(|shooter| throw(&secret, 1, 1, &shooter)));
}

/// A good and quick generator, SplitMix64, for bad dice to be made of.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn face(&mut self) -> u8 {
        self.below(6) as u8 + 1
    }

    fn roll(&mut self) -> Roll {
        Roll::from_index(self.below(Roll::COUNT))
    }
}

fn roll(first: u8, second: u8) -> Roll {
    Roll::new(first, second).expect("faces are 1 to 6")
}

/// An endless stream of what `dice` makes of good randomness.
fn thrown(mut dice: impl FnMut(&mut Random) -> Roll) -> impl Iterator<Item = Roll> {
    let mut random = Random(0);
    iter::repeat_with(move || dice(&mut random))
}

/// Dice that may look at the roll before.
fn thrown_after(mut dice: impl FnMut(&mut Random, Roll) -> Roll) -> impl Iterator<Item = Roll> {
    let mut last = roll(1, 1);
    thrown(move |random| {
        last = dice(random, last);
        last
    })
}

/// Without a flaw the quick generator passes, so what fails below fails for its flaw.
#[test]
fn good_dice_pass() {
    assert_passes(thrown(Random::roll).take(ROLLS));
}

/// One stream in a hundred may fail: of a hundred, more than four would do so once in 300 times.
#[test]
fn good_dice_seldom_fail() {
    let streams = (0..100).map(|seed| {
        let mut random = Random(seed << 32);
        battery(iter::repeat_with(move || random.roll()).take(50_000))
    });
    let failed = streams.filter(|failures| !failures.is_empty()).count();
    assert!(failed <= 4, "{failed} of 100 streams of good dice fail");
}

/// 256 is not a multiple of six, so the low faces come up once too often in 256.
#[test]
fn remainders_of_a_byte_fail() {
    let face = |random: &mut Random| (random.next() as u8) % 6 + 1;
    assert_fails(thrown(|random| roll(face(random), face(random))), &[FIRST, SECOND, PAIRS]);
}

#[test]
fn a_loaded_die_fails() {
    // A six comes up at 17.5 %, and each other face at 16.5 %.
    let loaded = |random: &mut Random| match random.below(1000) {
        0..175 => 6,
        other => ((other - 175) / 165) as u8 + 1,
    };
    assert_fails(thrown(|random| roll(random.face(), loaded(random))), &[SECOND, PAIRS]);
}

#[test]
fn dice_that_stick_together_fail() {
    let dice = thrown(|random| match random.face() {
        face if random.one_in(200) => roll(face, face),
        face => roll(face, random.face()),
    });
    assert_fails(dice, &[PAIRS]);
}

#[test]
fn a_roll_repeated_too_often_fails() {
    let dice = thrown_after(|random, last| match random.roll() {
        _ if random.one_in(50) => last,
        roll => roll,
    });
    assert_fails(dice, &[SERIAL]);
}

/// The low bits of a linear congruential generator come round again soon.
#[test]
fn low_bits_of_a_congruential_generator_fail() {
    let mut state = 1_u32;
    let dice = iter::repeat_with(|| {
        state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        Roll::from_index((state as u16 as usize * Roll::COUNT) >> 16)
    });
    assert_fails(dice, &[PAIRS, SERIAL]);
}

#[test]
fn avoided_sevens_fail() {
    let dice = thrown(|random| match random.roll() {
        roll if roll.total() == Total::SEVEN && random.one_in(50) => random.roll(),
        roll => roll,
    });
    assert_fails(dice, &[PAIRS, GAPS]);
}

#[test]
fn avoided_sevens_after_a_seven_fail() {
    let seven = |roll: Roll| roll.total() == Total::SEVEN;
    let dice = thrown_after(|random, last| match random.roll() {
        roll if seven(last) && seven(roll) && random.one_in(20) => random.roll(),
        roll => roll,
    });
    assert_fails(dice, &[GAPS]);
}

/// Dice that follow a trend: turned over now and then to stay on their side of seven.
#[test]
fn a_side_kept_too_long_fails() {
    let side = |roll: Roll| roll.total().cmp(&Total::SEVEN);
    let turned = |(first, second): (u8, u8)| roll(7 - first, 7 - second);
    let dice = thrown_after(|random, last| match random.roll() {
        roll if side(roll) == side(last).reverse() && random.one_in(100) => turned(roll.faces()),
        roll => roll,
    });
    assert_fails(dice, &[RUNS]);
}
