//! The simulator's dice: any roll of any session, computed by itself from a seed.
//!
//! A session's bytes are Philox4x32-10 with the seed as its key and the session's number and the
//! place of the block as its counter. A byte is a roll, seven of them for each of the thirty-six;
//! the four that are left over are no roll, and a session takes no notice of them. So nothing is
//! biased, no dice are thrown again, and every thread, kernel and device throws the same ones.

use craps::Roll;
use craps::dice::Combination;

/// What the dice are called where results are kept.
pub const GENERATOR: &str = "philox4x32-10/bytes-252";

/// The bytes of a block.
pub const BLOCK: usize = 16;

/// How many symbols the rolls come down to for everything but hops: the totals, those of 4, 6, 8
/// and 10 hard and easy apart, and no roll.
pub const SYMBOLS: usize = 16;

/// A byte that is no roll, as a symbol and as a combination's place.
pub const NO_ROLL: u8 = 0;

/// The symbols in order, as total and whether it is hard; the first is no roll. Twos and twelves
/// are hard by themselves.
const SYMBOL: [(u8, bool); SYMBOLS] = [
    (0, false),
    (2, true),
    (3, false),
    (4, false),
    (4, true),
    (5, false),
    (6, false),
    (6, true),
    (7, false),
    (8, false),
    (8, true),
    (9, false),
    (10, false),
    (10, true),
    (11, false),
    (12, true),
];

/// Sixteen columns of sixteen bytes, each of one or two symbols: the high half of a byte is its
/// column, and the low half says which of the two. Vector units look a whole register up at once.
pub(crate) struct Columns {
    /// Low halves below this are the first symbol.
    pub(crate) split: [u8; 16],
    /// The first symbol.
    pub(crate) first: [u8; 16],
    /// The second.
    pub(crate) second: [u8; 16],
}

/// How many bytes a symbol has: seven for each of its rolls.
const fn weight(symbol: usize) -> u8 {
    let (total, hard) = SYMBOL[symbol];
    let mut rolls = 0;
    let mut index = 0;
    while index < Roll::COUNT {
        let roll = Roll::from_index(index);
        if roll.total().number() == total && roll.is_hard() == hard {
            rolls += 1;
        }
        index += 1;
    }
    if symbol == NO_ROLL as usize { 4 } else { rolls * 7 }
}

/// Each column takes all of the smallest symbol that is left, and the rest of the largest.
pub(crate) const COLUMNS: Columns = {
    let mut left = [0; SYMBOLS];
    let mut symbol = 0;
    while symbol < SYMBOLS {
        left[symbol] = weight(symbol);
        symbol += 1;
    }
    let mut columns = Columns { split: [0; 16], first: [0; 16], second: [0; 16] };
    let mut column = 0;
    while column < 16 {
        let (mut least, mut most) = (usize::MAX, usize::MAX);
        let mut symbol = 0;
        while symbol < SYMBOLS {
            if left[symbol] > 0 {
                if least == usize::MAX || left[symbol] < left[least] {
                    least = symbol;
                }
                if most == usize::MAX || left[symbol] > left[most] {
                    most = symbol;
                }
            }
            symbol += 1;
        }
        columns.first[column] = least as u8;
        columns.second[column] = most as u8;
        columns.split[column] = left[least];
        left[most] -= 16 - left[least];
        left[least] = 0;
        column += 1;
    }
    columns
};

/// The symbol of each byte.
pub(crate) const SYMBOL_OF: [u8; 256] = {
    let mut symbols = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let column = byte >> 4;
        let first = ((byte & 15) as u8) < COLUMNS.split[column];
        symbols[byte] = if first { COLUMNS.first[column] } else { COLUMNS.second[column] };
        byte += 1;
    }
    symbols
};

/// The roll of each byte, by its place among the thirty-six, from one; zero is no roll. The bytes
/// of a symbol go to its rolls in order, seven each.
const ROLL_OF: [u8; 256] = {
    let mut rolls = [NO_ROLL; 256];
    let mut given = [0u8; SYMBOLS];
    let mut byte = 0;
    while byte < 256 {
        let symbol = SYMBOL_OF[byte] as usize;
        let (total, hard) = SYMBOL[symbol];
        let mut skipped = given[symbol] / 7;
        let mut index = 0;
        while index < Roll::COUNT {
            let roll = Roll::from_index(index);
            if roll.total().number() == total && roll.is_hard() == hard {
                if skipped == 0 {
                    rolls[byte] = index as u8 + 1;
                    break;
                }
                skipped -= 1;
            }
            index += 1;
        }
        given[symbol] += 1;
        byte += 1;
    }
    rolls
};

/// The combination of each byte, by its place among the twenty-one, from one; zero is no roll.
pub(crate) const COMBINATION_OF: [u8; 256] = {
    let mut combinations = [NO_ROLL; 256];
    let mut byte = 0;
    while byte < 256 {
        if ROLL_OF[byte] != NO_ROLL {
            let roll = Roll::from_index(ROLL_OF[byte] as usize - 1);
            combinations[byte] = roll.combination().index() as u8 + 1;
        }
        byte += 1;
    }
    combinations
};

/// The roll of a byte, or none.
///
/// ```
/// let rolls = (0..=255).filter_map(craps_sim::dice::roll_of).count();
/// assert_eq!(rolls, 7 * 36);
/// ```
pub fn roll_of(byte: u8) -> Option<Roll> {
    match ROLL_OF[usize::from(byte)] {
        NO_ROLL => None,
        place => Some(Roll::from_index(usize::from(place) - 1)),
    }
}

/// The symbol of a combination.
pub(crate) fn symbol(combination: Combination) -> usize {
    let roll = combination.roll();
    let of = (roll.total().number(), roll.is_hard());
    SYMBOL.iter().position(|symbol| *symbol == of).expect("every roll has a symbol")
}

pub(crate) const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
pub(crate) const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
pub(crate) const ROUNDS: usize = 10;

/// Philox4x32-10 (Salmon et al., *Parallel random numbers: as easy as 1, 2, 3*).
#[inline]
pub const fn philox(mut key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    let mut round = 0;
    while round < ROUNDS {
        let first = MULTIPLIERS[0] as u64 * a as u64;
        let second = MULTIPLIERS[1] as u64 * c as u64;
        a = (second >> 32) as u32 ^ b ^ key[0];
        b = second as u32;
        c = (first >> 32) as u32 ^ d ^ key[1];
        d = first as u32;
        key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
        round += 1;
    }
    [a, b, c, d]
}

/// The keys of every round.
pub(crate) fn round_keys(key: [u32; 2]) -> [[u32; 2]; ROUNDS] {
    let step =
        |round: u32, place: usize| key[place].wrapping_add(KEY_STEPS[place].wrapping_mul(round));
    std::array::from_fn(|round| [step(round as u32, 0), step(round as u32, 1)])
}

/// Dice that a seed throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    /// The seed.
    pub seed: u64,
}

impl Dice {
    pub(crate) fn key(self) -> [u32; 2] {
        [self.seed as u32, (self.seed >> 32) as u32]
    }

    /// Sixteen bytes of a session.
    #[inline]
    pub fn block(self, session: u64, block: u32) -> [u8; BLOCK] {
        let words = philox(self.key(), [session as u32, (session >> 32) as u32, block, 0]);
        let mut bytes = [0; BLOCK];
        for (place, word) in words.iter().enumerate() {
            bytes[place * 4..][..4].copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// Every byte of a session.
    pub fn bytes(self, session: u64) -> impl Iterator<Item = u8> {
        (0..=u32::MAX).flat_map(move |block| self.block(session, block))
    }

    /// Every roll of a session.
    ///
    /// ```
    /// use craps_sim::dice::Dice;
    /// let rolls: Vec<craps::Roll> = Dice { seed: 1 }.rolls(0).take(3).collect();
    /// assert_eq!(rolls.len(), 3);
    /// ```
    pub fn rolls(self, session: u64) -> impl Iterator<Item = Roll> {
        self.bytes(session).filter_map(roll_of)
    }
}
