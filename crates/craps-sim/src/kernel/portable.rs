//! Lanes in plain code.

use super::lanes::{Counters, Feed, Symbols, Throw, Walk};
use crate::dice::{NO_ROLL, SYMBOL_OF, philox};

const LANES: usize = 8;

/// Throws for one lane after the other.
pub(super) struct Portable;

impl Throw<LANES> for Portable {
    type Keys = [u32; 2];

    fn keys(key: [u32; 2]) -> [u32; 2] {
        key
    }

    #[inline(always)]
    fn throw(
        key: &[u32; 2],
        counters: &Counters<LANES>,
        symbols: &mut Symbols<LANES>,
    ) -> [u32; LANES] {
        let Counters { session_low, session_high, block } = counters;
        let mut none = [0; LANES];
        for lane in 0..LANES {
            let counter = [session_low[lane], session_high[lane], block[lane], 0];
            for (place, word) in philox(*key, counter).into_iter().enumerate() {
                symbols[place][lane] = word.to_le_bytes().map(|byte| SYMBOL_OF[usize::from(byte)]);
                for symbol in symbols[place][lane] {
                    none[lane] += u32::from(symbol == NO_ROLL);
                }
            }
        }
        none
    }

    #[inline(always)]
    fn pair(symbols: &mut Symbols<LANES>) {
        for word in symbols.iter_mut().flatten() {
            word[0] |= word[1] << 4;
            word[2] |= word[3] << 4;
        }
    }
}

pub(super) fn go(walk: &mut Walk<'_>, feed: &mut impl Feed) {
    walk.by::<Portable, LANES>(feed);
}
