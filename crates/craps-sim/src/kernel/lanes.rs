//! Sessions walked side by side: vector units throw a block of dice for every lane, and each lane
//! looks its rolls up, one or two at a time.

use crate::course::{Course, Ended, Underway};
use crate::dice::{BLOCK, Dice, NO_ROLL};
use crate::kernel::Kernel;
use crate::table::{Fields, Row, Stride, Table};
use crate::tally::Tally;
use craps::machine::Over;

/// Lanes whose words fit into the registers of a processor.
const GROUP: usize = 8;

/// The symbols of a block: four words for each lane, four bytes in each.
pub(super) type Symbols<const LANES: usize> = [[[u8; 4]; LANES]; 4];

/// The counters of a block of dice.
pub(super) struct Counters<const LANES: usize> {
    pub(super) session_low: [u32; LANES],
    pub(super) session_high: [u32; LANES],
    pub(super) block: [u32; LANES],
}

/// Who throws the dice of all lanes.
pub(super) trait Throw<const LANES: usize> {
    /// The keys of every round, as they are used.
    type Keys;

    /// Makes them of a seed's.
    fn keys(key: [u32; 2]) -> Self::Keys;

    /// Throws a block for every lane, and says how many of its bytes are no roll.
    fn throw(
        keys: &Self::Keys,
        counters: &Counters<LANES>,
        symbols: &mut Symbols<LANES>,
    ) -> [u32; LANES];

    /// Joins symbols that follow each other: the first of two, and sixteen times the second.
    fn pair(symbols: &mut Symbols<LANES>);
}

/// What is walked.
pub(super) struct Walk<'a> {
    course: &'a Course,
    table: &'a Table,
    dice: Dice,
    /// Where sessions go that the table has no row for; they are played on roll by roll without.
    lent: Option<&'a mut Vec<Underway>>,
    tally: &'a mut Tally,
    /// The word that every session begins with.
    opening: Option<u64>,
}

/// Where sessions come from.
pub(super) trait Feed: Iterator<Item = Result<Underway, Ended>> {}
impl<I: Iterator<Item = Result<Underway, Ended>>> Feed for I {}

impl<'a> Walk<'a> {
    pub(super) fn new(
        course: &'a Course,
        table: &'a Table,
        dice: Dice,
        lent: Option<&'a mut Vec<Underway>>,
        tally: &'a mut Tally,
    ) -> Walk<'a> {
        let begun = course.begin(0).ok();
        let opening = begun.and_then(|begun| table.enter(begun.position, begun.cell));
        Walk { course, table, dice, lent, tally, opening }
    }

    /// Walks every session with this kernel.
    pub(super) fn go(&mut self, kernel: Kernel, feed: &mut impl Feed) {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => super::avx2::go(self, feed),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => super::avx512::go(self, feed),
            _ => super::portable::go(self, feed),
        }
    }

    /// The same, by those who throw.
    #[inline(always)]
    pub(super) fn by<T: Throw<LANES>, const LANES: usize>(&mut self, feed: &mut impl Feed) {
        let words = self.table.entries.as_slice();
        match (self.table.stride, words.len()) {
            (Stride::One, SMALL) => self.lanes::<T, LANES, SMALL, 1>(words, feed),
            (Stride::Two, SMALL) => self.lanes::<T, LANES, SMALL, 2>(words, feed),
            (Stride::One, _) => self.lanes::<T, LANES, LARGE, 1>(words, feed),
            (Stride::Two, _) => self.lanes::<T, LANES, LARGE, 2>(words, feed),
        }
    }

    #[inline(always)]
    fn lanes<T: Throw<LANES>, const LANES: usize, const SIZE: usize, const STRIDE: usize>(
        &mut self,
        words: &[u64],
        feed: &mut impl Feed,
    ) {
        let entries: &[u64; SIZE] = words.try_into().expect("a table has one of two sizes");
        let keys = T::keys(self.dice.key());
        let mut lanes = Lanes::<LANES> {
            counters: Counters {
                session_low: [0; LANES],
                session_high: [0; LANES],
                block: [0; LANES],
            },
            words: [self.table.nobody(); LANES],
            left: [i64::MAX; LANES],
        };
        let mut busy = 0;
        for lane in 0..LANES {
            busy += usize::from(self.fill(&mut lanes, lane, feed));
        }
        let fell = self.table.fields.fell();
        let mut symbols: Symbols<LANES> = [[[0; 4]; LANES]; 4];
        while busy > 0 {
            let none = T::throw(&keys, &lanes.counters, &mut symbols);
            let mut last = false;
            for left in &lanes.left {
                last |= *left < BLOCK as i64;
            }
            if last {
                for lane in 0..LANES {
                    if lanes.left[lane] < BLOCK as i64 {
                        cut(&mut symbols, lane, lanes.left[lane]);
                    }
                }
            }
            if STRIDE == 2 {
                T::pair(&mut symbols);
            }
            let before = lanes.words;
            let mut seen = [0; LANES];
            for first in (0..LANES).step_by(GROUP) {
                seen[first] =
                    step::<LANES, SIZE, STRIDE>(entries, &symbols, &mut lanes.words, first);
            }
            for (left, none) in lanes.left.iter_mut().zip(none) {
                *left = (*left - (BLOCK as i64 - i64::from(none))).max(0);
            }
            for block in &mut lanes.counters.block {
                *block = block.wrapping_add(1);
            }
            for first in (0..LANES).step_by(GROUP) {
                let signs = seen[first];
                if signs & (fell | Fields::OVER) == 0 {
                    continue;
                }
                let group = first..first + GROUP;
                if signs & fell != 0 {
                    for lane in group.clone() {
                        seen[lane] =
                            retrace::<LANES, SIZE, STRIDE>(entries, &symbols, before[lane], lane);
                    }
                }
                for lane in group {
                    let word = lanes.words[lane];
                    let stays = if signs & fell != 0 && seen[lane] & fell != 0 {
                        self.fallen::<LANES, STRIDE>(&symbols, before[lane], &mut lanes, lane, feed)
                    } else if word & Fields::OVER != 0 {
                        self.over::<LANES, STRIDE>(&symbols, &mut lanes, lane, feed)
                    } else {
                        true
                    };
                    busy -= usize::from(!stays);
                }
            }
            if last {
                for lane in 0..LANES {
                    if lanes.left[lane] == 0 && !self.time_is_up(&mut lanes, lane, feed) {
                        busy -= 1;
                    }
                }
            }
        }
    }

    /// Seats the next session in a lane; whether there was one.
    fn fill<const LANES: usize>(
        &mut self,
        lanes: &mut Lanes<LANES>,
        lane: usize,
        feed: &mut impl Feed,
    ) -> bool {
        for next in feed {
            let next = next.or_else(|ended| self.settle(ended));
            if let Ok(now) = next
                && self.seat(lanes, lane, now)
            {
                return true;
            }
        }
        lanes.words[lane] = self.table.nobody();
        lanes.left[lane] = i64::MAX;
        false
    }

    fn settle(&mut self, ended: Ended) -> Result<Underway, ()> {
        self.tally.add(ended);
        Err(())
    }

    /// Seats a session where the table has a row for it, or has it played elsewhere.
    fn seat<const LANES: usize>(
        &mut self,
        lanes: &mut Lanes<LANES>,
        lane: usize,
        mut now: Underway,
    ) -> bool {
        loop {
            // Most sit down for the first time, and all of those alike.
            let word = match now.block {
                0 => self.opening,
                _ => self.table.enter(now.position, now.cell),
            };
            if let Some(word) = word {
                lanes.words[lane] = word;
                lanes.left[lane] = i64::from(self.course.rolls - now.rolls);
                lanes.counters.session_low[lane] = now.number as u32;
                lanes.counters.session_high[lane] = (now.number >> 32) as u32;
                lanes.counters.block[lane] = now.block;
                return true;
            }
            if let Some(lent) = &mut self.lent {
                lent.push(now);
                return false;
            }
            if let Some(ended) = self.course.play_block(self.dice, &mut now, ()) {
                self.tally.add(ended);
                return false;
            }
        }
    }

    /// A session that has ended in this block.
    #[inline(never)]
    fn over<const LANES: usize, const STRIDE: usize>(
        &mut self,
        symbols: &Symbols<LANES>,
        lanes: &mut Lanes<LANES>,
        lane: usize,
        feed: &mut impl Feed,
    ) -> bool {
        let word = lanes.words[lane];
        let (Row::Over(over), cell) = self.table.read(word) else {
            unreachable!("only a row that is over has the sign of it")
        };
        let rolls = rolls::<LANES, STRIDE>(symbols, lane);
        let before = self.course.rolls - (lanes.left[lane] as u32 + rolls.count_ones());
        let rest = self.table.fields.rest(word);
        let within = rolls & (1u32 << (BLOCK as u32 - rest)).wrapping_sub(1);
        self.tally.add(Ended { over, cell, rolls: before + within.count_ones() });
        self.fill(lanes, lane, feed)
    }

    /// A session that has left the rich rows in this block, even if it came back: it is played
    /// through the block roll by roll.
    #[inline(never)]
    fn fallen<const LANES: usize, const STRIDE: usize>(
        &mut self,
        symbols: &Symbols<LANES>,
        before: u64,
        lanes: &mut Lanes<LANES>,
        lane: usize,
        feed: &mut impl Feed,
    ) -> bool {
        let (Row::Rich(position) | Row::Poor(position, _), cell) = self.table.read(before) else {
            unreachable!("only a session falls")
        };
        let counters = &lanes.counters;
        let number = [counters.session_high[lane], counters.session_low[lane]].map(u64::from);
        let number = number[0] << 32 | number[1];
        let block = counters.block[lane].wrapping_sub(1);
        let left = lanes.left[lane] as u32 + rolls::<LANES, STRIDE>(symbols, lane).count_ones();
        let rolls = self.course.rolls - left;
        let mut now = Underway { number, block, rolls, shooters: 0, position, cell };
        if let Some(lent) = &mut self.lent {
            lent.push(now);
            return self.fill(lanes, lane, feed);
        }
        match self.course.play_block(self.dice, &mut now, ()) {
            Some(ended) => self.tally.add(ended),
            None if self.seat(lanes, lane, now) => return true,
            None => {}
        }
        self.fill(lanes, lane, feed)
    }

    /// A session whose last roll is thrown.
    fn time_is_up<const LANES: usize>(
        &mut self,
        lanes: &mut Lanes<LANES>,
        lane: usize,
        feed: &mut impl Feed,
    ) -> bool {
        let (_, cell) = self.table.read(lanes.words[lane]);
        self.tally.add(Ended { over: Over::Time, cell, rolls: self.course.rolls });
        self.fill(lanes, lane, feed)
    }
}

/// The entries of a table whose states have 16 bits, and of one whose states have 20.
const SMALL: usize = 1 << 16;
const LARGE: usize = 1 << 20;

/// The sessions in the lanes.
struct Lanes<const LANES: usize> {
    counters: Counters<LANES>,
    words: [u64; LANES],
    /// The rolls that are left.
    left: [i64; LANES],
}

/// Which bytes of a lane are rolls, the first in the lowest bit.
#[inline(always)]
fn rolls<const LANES: usize, const STRIDE: usize>(symbols: &Symbols<LANES>, lane: usize) -> u32 {
    let mut rolls = 0;
    for (place, word) in symbols.iter().enumerate() {
        for byte in 0..4 {
            // Two that were joined are taken apart.
            let symbol = match STRIDE {
                1 => word[lane][byte],
                _ if byte % 2 == 0 => word[lane][byte] & 15,
                _ => word[lane][byte - 1] >> 4,
            };
            rolls |= u32::from(symbol != NO_ROLL) << (place * 4 + byte);
        }
    }
    rolls
}

/// Leaves no more rolls in a lane than there are left.
fn cut<const LANES: usize>(symbols: &mut Symbols<LANES>, lane: usize, left: i64) {
    let mut left = left;
    for words in symbols.iter_mut() {
        for symbol in &mut words[lane] {
            if left <= 0 {
                *symbol = NO_ROLL;
            }
            left -= i64::from(*symbol != NO_ROLL);
        }
    }
}

/// One block of eight lanes; gives all words on the way, or'ed.
#[inline(always)]
fn step<const LANES: usize, const SIZE: usize, const STRIDE: usize>(
    entries: &[u64; SIZE],
    symbols: &Symbols<LANES>,
    words: &mut [u64; LANES],
    first: usize,
) -> u64 {
    let mut now: [u64; GROUP] = [0; GROUP];
    now.copy_from_slice(&words[first..first + GROUP]);
    let mut seen = [0; 2];
    for word in symbols {
        for byte in (0..4).step_by(STRIDE) {
            for lane in 0..GROUP {
                now[lane] = next(entries, now[lane], word[first + lane][byte]);
                seen[lane % 2] |= now[lane];
            }
        }
    }
    words[first..first + GROUP].copy_from_slice(&now);
    seen[0] | seen[1]
}

#[inline(always)]
fn next<const SIZE: usize>(entries: &[u64; SIZE], word: u64, symbol: u8) -> u64 {
    // States are the low bits, and no state leads out of a table of this size.
    let place = if SIZE == SMALL {
        usize::from((word as u16).wrapping_add(symbol.into()))
    } else {
        (word as usize).wrapping_add(symbol.into()) & (SIZE - 1)
    };
    word.wrapping_add(entries[place])
}

/// Walks a lane's block again; gives all its words on the way, or'ed.
#[inline(always)]
fn retrace<const LANES: usize, const SIZE: usize, const STRIDE: usize>(
    entries: &[u64; SIZE],
    symbols: &Symbols<LANES>,
    before: u64,
    lane: usize,
) -> u64 {
    let (mut word, mut seen) = (before, 0);
    for symbols in symbols {
        for byte in (0..4).step_by(STRIDE) {
            word = next(entries, word, symbols[lane][byte]);
            seen |= word;
        }
    }
    seen
}
