//! Eight lanes whose dice AVX2 throws.

#![expect(unsafe_code, reason = "vector instructions, behind detection")]

use std::arch::x86_64::*;

use super::lanes::{Counters, Feed, Symbols, Throw, Walk};
use crate::dice::{COLUMNS, MULTIPLIERS, ROUNDS, round_keys};

const LANES: usize = 8;

/// Throws for eight lanes at once.
struct Avx2;

pub(super) fn is_here() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2")
}

impl Throw<LANES> for Avx2 {
    type Keys = Keys;

    fn keys(key: [u32; 2]) -> Keys {
        // SAFETY: only `go` walks with these, and it has asked for AVX2.
        unsafe { keys(key) }
    }

    #[inline(always)]
    fn throw(
        keys: &Keys,
        counters: &Counters<LANES>,
        symbols: &mut Symbols<LANES>,
    ) -> [u32; LANES] {
        // SAFETY: as above.
        unsafe { throw(keys, counters, symbols) }
    }

    #[inline(always)]
    fn pair(symbols: &mut Symbols<LANES>) {
        // SAFETY: as above.
        unsafe { pair(symbols) }
    }
}

pub(super) fn go(walk: &mut Walk<'_>, feed: &mut impl Feed) {
    assert!(is_here(), "this processor has no AVX2");
    // SAFETY: it has.
    unsafe { go_here(walk, feed) }
}

#[target_feature(enable = "avx2,bmi2")]
fn go_here(walk: &mut Walk<'_>, feed: &mut impl Feed) {
    walk.by::<Avx2, LANES>(feed);
}

#[inline]
#[target_feature(enable = "avx2")]
fn load<T: Copy, const N: usize>(from: &[T; N]) -> __m256i {
    const { assert!(size_of::<T>() * N == 32) };
    // SAFETY: 32 bytes are read, and there are as many.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store<T: Copy, const N: usize>(to: &mut [T; N], value: __m256i) {
    const { assert!(size_of::<T>() * N == 32) };
    // SAFETY: 32 bytes are written, and there are as many; any bytes make a T here.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn twice(table: [u8; 16]) -> __m256i {
    let mut both = [0; 32];
    both[..16].copy_from_slice(&table);
    both[16..].copy_from_slice(&table);
    load(&both)
}

/// The keys of every round, for all lanes.
type Keys = [[__m256i; 2]; ROUNDS];

#[target_feature(enable = "avx2")]
fn keys(key: [u32; 2]) -> Keys {
    let mut keys = [[_mm256_setzero_si256(); 2]; ROUNDS];
    for (keys, round) in keys.iter_mut().zip(round_keys(key)) {
        keys[0] = _mm256_set1_epi64x(i64::from(round[0]));
        keys[1] = _mm256_set1_epi64x(i64::from(round[1]));
    }
    keys
}

/// A round of Philox for the lanes in the low halves of 64-bit numbers; the high halves are
/// rubbish.
#[inline]
#[target_feature(enable = "avx2")]
fn round([a, b, c, d]: [__m256i; 4], keys: [__m256i; 2]) -> [__m256i; 4] {
    let first = _mm256_set1_epi64x(i64::from(MULTIPLIERS[0]));
    let second = _mm256_set1_epi64x(i64::from(MULTIPLIERS[1]));
    let low = _mm256_mul_epu32(a, first);
    let high = _mm256_mul_epu32(c, second);
    let a = _mm256_xor_si256(_mm256_srli_epi64(high, 32), _mm256_xor_si256(b, keys[0]));
    let c = _mm256_xor_si256(_mm256_srli_epi64(low, 32), _mm256_xor_si256(d, keys[1]));
    [a, high, c, low]
}

#[inline]
#[target_feature(enable = "avx2")]
fn throw(keys: &Keys, counters: &Counters<LANES>, symbols: &mut Symbols<LANES>) -> [u32; LANES] {
    let Counters { session_low, session_high, block } = counters;
    let zero = _mm256_setzero_si256();
    let [low, high, block] = [load(session_low), load(session_high), load(block)];
    let mut even = [low, high, block, zero];
    let low = _mm256_srli_epi64(low, 32);
    let high = _mm256_srli_epi64(high, 32);
    let block = _mm256_srli_epi64(block, 32);
    let mut odd = [low, high, block, zero];
    for keys in keys {
        even = round(even, *keys);
        odd = round(odd, *keys);
    }
    let half = _mm256_set1_epi8(15);
    let split = twice(COLUMNS.split);
    let (first, second) = (twice(COLUMNS.first), twice(COLUMNS.second));
    let mut none = zero;
    for word in 0..4 {
        let odd = _mm256_slli_epi64(odd[word], 32);
        let bytes = _mm256_blend_epi32(even[word], odd, 0b1010_1010);
        let low = _mm256_and_si256(bytes, half);
        let column = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);
        let is_first = _mm256_cmpgt_epi8(_mm256_shuffle_epi8(split, column), low);
        let first = _mm256_shuffle_epi8(first, column);
        let second = _mm256_shuffle_epi8(second, column);
        let symbol = _mm256_blendv_epi8(second, first, is_first);
        none = _mm256_sub_epi8(none, _mm256_cmpeq_epi8(symbol, zero));
        store(&mut symbols[word], symbol);
    }
    let ones = _mm256_set1_epi8(1);
    let none = _mm256_madd_epi16(_mm256_maddubs_epi16(none, ones), _mm256_set1_epi16(1));
    let mut counts = [0; LANES];
    store(&mut counts, none);
    counts
}

#[inline]
#[target_feature(enable = "avx2")]
fn pair(symbols: &mut Symbols<LANES>) {
    let weights = _mm256_set1_epi16(0x1001);
    for word in symbols {
        let joined = _mm256_maddubs_epi16(load(word), weights);
        store(word, joined);
    }
}
