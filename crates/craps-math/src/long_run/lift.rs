//! Totals of a walk as exact fractions, by Dixon's lifting: the visits are solved modulo one
//! prime, then digit by digit in that base until the fraction can be no other.
//!
//! Elimination in fractions would carry hundreds of digits in every cell; here every cell is one
//! machine word, and only the totals are ever long.

use dashu_int::ops::SquareRoot;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use super::walk::Walk;
use crate::chance::Ratio;

/// Where one of them divides the determinant, the next is tried.
const PRIMES: [i64; 3] = [2_147_483_647, 2_147_483_629, 2_147_483_587];

/// The mean of each figure over all visits; none where every prime is unlucky.
pub(super) fn totals(walk: &Walk, figures: &[Vec<i64>]) -> Option<Vec<Ratio>> {
    PRIMES.into_iter().find_map(|prime| {
        let reduced = Reduced::of(walk, prime)?;
        Some(lifted(walk, &reduced, figures, prime))
    })
}

/// `36 - W` turned on its side, as lower and upper triangles modulo a prime: visits times it
/// are 36 at the start and nothing elsewhere.
struct Reduced {
    prime: i64,
    size: usize,
    /// Row by row; the diagonal is inverted.
    cells: Vec<i64>,
}

impl Reduced {
    /// Eliminates. No rows are swapped: every leading part of such a matrix can be inverted.
    fn of(walk: &Walk, prime: i64) -> Option<Reduced> {
        let size = walk.steps.len();
        let mut cells = vec![0; size * size];
        for (from, steps) in walk.steps.iter().enumerate() {
            cells[from * size + from] = 36;
            for (to, ways) in steps {
                let cell = &mut cells[to * size + from];
                *cell = (*cell - i64::from(*ways)).rem_euclid(prime);
            }
        }
        for pivot in 0..size {
            let (above, below) = cells.split_at_mut((pivot + 1) * size);
            let base = &mut above[pivot * size..];
            if base[pivot] == 0 {
                return None;
            }
            base[pivot] = inverse(base[pivot], prime);
            for row in below.chunks_exact_mut(size).filter(|row| row[pivot] != 0) {
                let factor = row[pivot] * base[pivot] % prime;
                row[pivot] = factor;
                let rest = row[pivot + 1..].iter_mut().zip(&base[pivot + 1..]);
                for (cell, from) in rest.filter(|(_, from)| **from != 0) {
                    *cell = (*cell + (prime - factor) * from) % prime;
                }
            }
        }
        Some(Reduced { prime, size, cells })
    }

    /// The visits modulo the prime, for such a right side.
    fn solve(&self, right: &[i64]) -> Vec<i64> {
        let Reduced { prime, size, cells } = self;
        let dot = |row: &[i64], digits: &[i64]| {
            // Products are below 2^62: each is reduced before it is added.
            row.iter().zip(digits).fold(0, |sum, (cell, digit)| sum + cell * digit % prime) % prime
        };
        let mut digits: Vec<i64> = Vec::with_capacity(*size);
        for (place, value) in right.iter().enumerate() {
            let row = &cells[place * size..place * size + place];
            digits.push((value - dot(row, &digits)).rem_euclid(*prime));
        }
        for place in (0..*size).rev() {
            let row = &cells[place * size..(place + 1) * size];
            let rest = dot(&row[place + 1..], &digits[place + 1..]);
            digits[place] = (digits[place] - rest).rem_euclid(*prime) * row[place] % prime;
        }
        digits
    }
}

/// The power of `value` that undoes it.
fn inverse(value: i64, prime: i64) -> i64 {
    let (mut power, mut square, mut left) = (1, value, prime - 2);
    while left > 0 {
        if left & 1 == 1 {
            power = power * square % prime;
        }
        square = square * square % prime;
        left >>= 1;
    }
    power
}

/// Digit after digit of the totals, until they can be told from every other fraction.
fn lifted(walk: &Walk, reduced: &Reduced, figures: &[Vec<i64>], prime: i64) -> Vec<Ratio> {
    let most = hadamard(walk);
    let bounds: Vec<UBig> = figures.iter().map(|figure| numerator(&most, figure)).collect();
    let widest = bounds.iter().max().cloned().unwrap_or(UBig::ONE);
    let base = UBig::from(prime.unsigned_abs());
    let mut modulus = UBig::ONE;
    let mut sums = vec![IBig::ZERO; figures.len()];
    let mut right = vec![0; walk.steps.len()];
    right[walk.start] = 36;
    while modulus <= &widest * &most * 2u8 {
        let digits = reduced.solve(&right);
        for (sum, figure) in sums.iter_mut().zip(figures) {
            let digit = figure.iter().zip(&digits);
            let digit: i128 = digit.map(|(of, digit)| i128::from(*of) * i128::from(*digit)).sum();
            *sum += IBig::from(modulus.clone()) * digit;
        }
        // What is left of the right side is divisible by the prime, and stays small.
        for (from, steps) in walk.steps.iter().enumerate() {
            right[from] -= 36 * digits[from];
            for (to, ways) in steps {
                right[*to] += i64::from(*ways) * digits[from];
            }
        }
        right.iter_mut().for_each(|value| *value /= prime);
        modulus *= &base;
    }
    sums.iter().zip(&bounds).map(|(sum, bound)| told(sum, &modulus, bound)).collect()
}

/// No determinant of the walk is larger, nor one with a column put in its place divided by 36.
fn hadamard(walk: &Walk) -> UBig {
    let mut square = UBig::ONE;
    for (from, steps) in walk.steps.iter().enumerate() {
        let ways = |(to, ways): &(usize, u32)| (*to != from).then_some(u64::from(*ways).pow(2));
        let others: u64 = steps.iter().filter_map(ways).sum();
        let stays: u32 = steps.iter().filter(|(to, _)| *to == from).map(|(_, ways)| ways).sum();
        square *= others + u64::from(36 - stays).pow(2);
    }
    square.sqrt() + UBig::ONE
}

/// No total of this figure has a larger numerator.
fn numerator(most: &UBig, figure: &[i64]) -> UBig {
    let sum: u128 = figure.iter().map(|value| u128::from(value.unsigned_abs())).sum();
    most * UBig::from(36u8) * UBig::from(sum.max(1))
}

/// The only fraction within bounds that leaves this remainder: Euclid's algorithm, stopped.
fn told(sum: &IBig, modulus: &UBig, bound: &UBig) -> Ratio {
    let modulus = IBig::from(modulus.clone());
    let bound = IBig::from(bound.clone());
    let mut remainder = sum % &modulus;
    if remainder < IBig::ZERO {
        remainder += &modulus;
    }
    let (mut before, mut now) = ((modulus, IBig::ZERO), (remainder, IBig::ONE));
    while now.0 > bound {
        let times = &before.0 / &now.0;
        let next = (&before.0 - &times * &now.0, &before.1 - times * &now.1);
        before = std::mem::replace(&mut now, next);
    }
    RBig::from(now.0) / RBig::from(now.1)
}
