//! The rows of a table: every position a session can be in, with its equity where that matters.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::RangeInclusive;

use craps::dice::Combination;
use craps::machine::Over;

use super::band::usual;
use crate::course::{Course, Step, Then};
use crate::dice::{NO_ROLL, SYMBOLS, symbol};

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Row {
    /// A position in which every ask can be paid.
    Rich(u32),
    /// A position with this equity.
    Poor(u32, i64),
    /// The session is over.
    Over(Over),
    /// A lane without a session.
    Nobody,
}

/// The steps of a position by symbol, the first for no roll; nothing where hops tell apart what
/// symbols do not.
pub(crate) fn by_symbol(course: &Course) -> Option<Vec<[Step; SYMBOLS]>> {
    let mut rows = vec![[Step::default(); SYMBOLS]; course.rows.len()];
    for (steps, row) in rows.iter_mut().zip(&course.rows) {
        let mut seen = [false; SYMBOLS];
        for combination in Combination::all() {
            let symbol = symbol(combination);
            let step = row[combination.index() + 1];
            if seen[symbol] && steps[symbol] != step {
                return None;
            }
            (steps[symbol], seen[symbol]) = (step, true);
        }
    }
    Some(rows)
}

/// Rows found so far.
pub(super) struct Rows<'a> {
    pub(super) course: &'a Course,
    pub(super) steps: Vec<[Step; SYMBOLS]>,
    /// Below this, and above the other, rich sessions have left.
    pub(super) brink: i64,
    pub(super) ceiling: Option<i64>,
    /// Between these poor rows lead back to rich ones.
    pub(super) safe: RangeInclusive<i64>,
    /// Whether poor rows are made.
    pub(super) poor: bool,
    pub(super) rows: Vec<Row>,
    pub(super) places: Places,
}

/// The place of each row. Its keys are small numbers of our own, and there are many.
pub(super) type Places = HashMap<Row, u32, BuildHasherDefault<Mixed>>;

/// A hash that is quick for small numbers.
#[derive(Default)]
pub(super) struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number.cast_unsigned());
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

impl Rows<'_> {
    pub(super) fn place(&mut self, row: Row) -> u32 {
        *self.places.entry(row).or_insert_with(|| {
            self.rows.push(row);
            self.rows.len() as u32 - 1
        })
    }

    /// What a roll does to a row with this equity: the row and the equity after it. A rich row
    /// stays rich whatever the equity: its words tell.
    pub(super) fn step(&self, row: Row, cell: i64, symbol: usize) -> (Row, i64) {
        let position = match row {
            Row::Rich(position) | Row::Poor(position, _) => position,
            Row::Over(_) | Row::Nobody => return (row, cell),
        };
        if symbol == NO_ROLL as usize {
            return (row, cell);
        }
        let step = self.steps[position as usize][symbol];
        let after = cell + step.change;
        let then = match row {
            Row::Rich(_) => {
                let pieces = self.course.arrival(step.pieces);
                pieces[usual(pieces)].then
            }
            _ => self.course.follow(step, after),
        };
        let row = match (row, then) {
            (_, Then::Over(over)) => Row::Over(over),
            (Row::Rich(_), Then::Roll(position)) => Row::Rich(position),
            (_, Then::Roll(position)) if self.safe.contains(&after) => Row::Rich(position),
            (_, Then::Roll(position)) => Row::Poor(position, after),
        };
        (row, after)
    }

    /// Finds every row that can be reached, up to a limit.
    pub(super) fn walk(&mut self, limit: usize) -> Option<()> {
        let mut walked = 0;
        let brink = self.brink;
        while let Some(row) = self.rows.get(walked).copied() {
            walked += 1;
            let cell = if let Row::Poor(_, cell) = row { cell } else { brink };
            for symbol in 1..SYMBOLS {
                let (next, _) = self.step(row, cell, symbol);
                self.place(next);
                if let (Row::Rich(position), true) = (row, self.poor) {
                    // Every way to fall off the brink, and to rise through the ceiling.
                    let step = self.steps[position as usize][symbol];
                    let fallen = brink + step.change.min(0)..brink;
                    let risen = self.ceiling.map(|top| top + 1..top + 1 + step.change.max(0));
                    for after in fallen.chain(risen.into_iter().flatten()) {
                        let next = match self.course.follow(step, after) {
                            Then::Roll(position) => Row::Poor(position, after),
                            Then::Over(over) => Row::Over(over),
                        };
                        self.place(next);
                    }
                }
                if self.rows.len() > limit {
                    return None;
                }
            }
        }
        Some(())
    }
}

/// Equities that are none.
#[expect(clippy::reversed_empty_ranges, reason = "a range with nothing in it")]
pub(super) const NOWHERE: RangeInclusive<i64> = i64::MAX..=i64::MIN;

/// Where a course starts with enough money.
pub(super) fn start_above(course: &Course) -> Option<u32> {
    match course.pieces[usual(course.arrival(0))].then {
        Then::Roll(position) => Some(position),
        Then::Over(_) => None,
    }
}
