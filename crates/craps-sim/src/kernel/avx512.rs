//! Sixteen lanes whose dice AVX-512 throws.

#![expect(unsafe_code, reason = "vector instructions, behind detection")]

use std::arch::x86_64::*;

use super::lanes::{Counters, Feed, Symbols, Throw, Walk};
use crate::dice::{COLUMNS, MULTIPLIERS, ROUNDS, round_keys};

const LANES: usize = 16;

/// Throws for sixteen lanes at once.
struct Avx512;

pub(super) fn is_here() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi2")
}

impl Throw<LANES> for Avx512 {
    type Keys = Keys;

    fn keys(key: [u32; 2]) -> Keys {
        // SAFETY: only `go` walks with these, and it has asked for AVX-512.
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
    assert!(is_here(), "this processor has no AVX-512");
    // SAFETY: it has.
    unsafe { go_here(walk, feed) }
}

/// Only the dice know of AVX-512: a compiler that may use it everywhere gathers the lanes' entries
/// by vector, which takes longer than one by one.
#[target_feature(enable = "avx2,bmi2")]
fn go_here(walk: &mut Walk<'_>, feed: &mut impl Feed) {
    walk.by::<Avx512, LANES>(feed);
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load<T: Copy, const N: usize>(from: &[T; N]) -> __m512i {
    const { assert!(size_of::<T>() * N == 64) };
    // SAFETY: 64 bytes are read, and there are as many.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store<T: Copy, const N: usize>(to: &mut [T; N], value: __m512i) {
    const { assert!(size_of::<T>() * N == 64) };
    // SAFETY: 64 bytes are written, and there are as many; any bytes make a T here.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn four_times(table: [u8; 16]) -> __m512i {
    let mut all = [0; 64];
    for part in all.chunks_exact_mut(16) {
        part.copy_from_slice(&table);
    }
    load(&all)
}

/// The keys of every round, for all lanes.
type Keys = [[__m512i; 2]; ROUNDS];

#[target_feature(enable = "avx512f")]
fn keys(key: [u32; 2]) -> Keys {
    let mut keys = [[_mm512_setzero_si512(); 2]; ROUNDS];
    for (keys, round) in keys.iter_mut().zip(round_keys(key)) {
        keys[0] = _mm512_set1_epi64(i64::from(round[0]));
        keys[1] = _mm512_set1_epi64(i64::from(round[1]));
    }
    keys
}

/// A round of Philox for the lanes in the low halves of 64-bit numbers; the high halves are
/// rubbish.
#[inline]
#[target_feature(enable = "avx512f")]
fn round([a, b, c, d]: [__m512i; 4], keys: [__m512i; 2]) -> [__m512i; 4] {
    let first = _mm512_set1_epi64(i64::from(MULTIPLIERS[0]));
    let second = _mm512_set1_epi64(i64::from(MULTIPLIERS[1]));
    let low = _mm512_mul_epu32(a, first);
    let high = _mm512_mul_epu32(c, second);
    // The exclusive or of three.
    const XOR: i32 = 0b1001_0110;
    let a = _mm512_ternarylogic_epi64(_mm512_srli_epi64(high, 32), b, keys[0], XOR);
    let c = _mm512_ternarylogic_epi64(_mm512_srli_epi64(low, 32), d, keys[1], XOR);
    [a, high, c, low]
}

#[target_feature(enable = "avx512f,avx512bw")]
fn throw(keys: &Keys, counters: &Counters<LANES>, symbols: &mut Symbols<LANES>) -> [u32; LANES] {
    let Counters { session_low, session_high, block } = counters;
    let zero = _mm512_setzero_si512();
    let [low, high, block] = [load(session_low), load(session_high), load(block)];
    let mut even = [low, high, block, zero];
    let low = _mm512_srli_epi64(low, 32);
    let high = _mm512_srli_epi64(high, 32);
    let block = _mm512_srli_epi64(block, 32);
    let mut odd = [low, high, block, zero];
    for keys in keys {
        even = round(even, *keys);
        odd = round(odd, *keys);
    }
    let half = _mm512_set1_epi8(15);
    let split = four_times(COLUMNS.split);
    let (first, second) = (four_times(COLUMNS.first), four_times(COLUMNS.second));
    let ones = _mm512_set1_epi8(1);
    let mut none = zero;
    for word in 0..4 {
        let odd = _mm512_slli_epi64(odd[word], 32);
        let bytes = _mm512_mask_blend_epi32(0b1010_1010_1010_1010, even[word], odd);
        let low = _mm512_and_si512(bytes, half);
        let column = _mm512_and_si512(_mm512_srli_epi16(bytes, 4), half);
        let is_first = _mm512_cmpgt_epi8_mask(_mm512_shuffle_epi8(split, column), low);
        let second = _mm512_shuffle_epi8(second, column);
        let symbol = _mm512_mask_shuffle_epi8(second, is_first, first, column);
        let no_roll = _mm512_testn_epi8_mask(symbol, symbol);
        none = _mm512_mask_add_epi8(none, no_roll, none, ones);
        store(&mut symbols[word], symbol);
    }
    let none = _mm512_madd_epi16(_mm512_maddubs_epi16(none, ones), _mm512_set1_epi16(1));
    let mut counts = [0; LANES];
    store(&mut counts, none);
    counts
}

#[target_feature(enable = "avx512f,avx512bw")]
fn pair(symbols: &mut Symbols<LANES>) {
    let weights = _mm512_set1_epi16(0x1001);
    for word in symbols {
        let joined = _mm512_maddubs_epi16(load(word), weights);
        store(word, joined);
    }
}
