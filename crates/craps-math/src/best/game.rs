//! The game of one wish: for every state what may be chosen, and what each roll then does.

use craps::{Cents, Puck};

use super::Wish;
use super::bets::Bets;

/// The most amounts that one pass over all plays may look at for somebody who waits: a core does
/// about two hundred million a second, and a solution takes some passes.
pub const MOST_LOOKS: f64 = 3e9;
/// The most states.
pub const MOST_STATES: usize = 5_000_000;

/// A game: rows of states, one for each place of the puck without a line bet, then one for each
/// point and stake of the line bet. A row has a cell for each equity.
pub struct Game {
    pub(super) wish: Wish,
    pub(super) bets: Bets,
    /// What equity moves in, in cents, and the equity of the first cell.
    pub(super) unit: i64,
    pub(super) base: i64,
    pub(super) cells: usize,
    pub(super) pucks: Vec<Puck>,
    /// Whether the line bet has to stay.
    pub(super) locks: bool,
    pub(super) rows: Vec<Row>,
    pub(super) tables: Vec<PuckTable>,
}

/// What rolls and free bets do with the puck in one place. Rolls that do the same are one class.
pub(super) struct PuckTable {
    /// The chance of each class.
    pub(super) chances: Vec<f64>,
    pub(super) free: Vec<Choices>,
}

/// The stakes one bet may take.
#[derive(Default)]
pub(super) struct Choices {
    pub(super) stakes: Vec<Cents>,
    /// The chips each takes from the rack.
    pub(super) outlays: Vec<i64>,
    /// By how many cells it moves equity: stake by stake, class by class.
    pub(super) moves: Vec<i32>,
    /// Whether a class does anything to it.
    pub(super) acts: Vec<bool>,
}

/// The states with the puck in one place and one line bet.
pub(super) struct Row {
    pub(super) puck: usize,
    /// The place of the line stake plus one, or zero.
    pub(super) line: usize,
    pub(super) up: Cents,
    /// What the line bet will bring on average, in cents.
    pub(super) worth: f64,
    /// What may be done about line and odds; the first is nothing.
    pub(super) options: Options,
    /// The classes that the line bet feels.
    pub(super) touched: Vec<usize>,
}

/// Line bets on a come-out, or odds once the point is set: where each leads, option by option.
#[derive(Default)]
pub(super) struct Options {
    pub(super) stakes: Vec<Cents>,
    pub(super) outlays: Vec<i64>,
    /// The row that each class leads to: class by class, option by option.
    pub(super) rows: Vec<u32>,
    /// By how many cells equity moves then.
    pub(super) moves: Vec<i32>,
}

impl Game {
    /// What was asked for.
    pub fn wish(&self) -> &Wish {
        &self.wish
    }

    /// What equity moves in.
    pub fn unit(&self) -> Cents {
        Cents(self.unit)
    }

    /// How many states it has.
    pub fn states(&self) -> usize {
        self.rows.len() * self.cells
    }

    pub(super) fn equity(&self, cell: usize) -> i64 {
        self.base + cell as i64 * self.unit
    }

    /// Whether the goal is reached there.
    pub(super) fn is_done(&self, row: &Row, cell: usize) -> bool {
        let locked = if self.locks { row.up.0 } else { 0 };
        self.equity(cell) - locked >= self.wish.goal.0
    }

    pub(super) fn start(&self) -> usize {
        ((self.wish.bankroll.0 - self.base) / self.unit) as usize
    }

    /// How many amounts one pass over all plays looks at, about.
    pub fn looks(&self) -> f64 {
        let every = (self.cells / 16).max(1);
        let mut looks = 0.0;
        for row in &self.rows {
            for cell in (0..self.cells).step_by(every) {
                if !self.is_done(row, cell) {
                    looks += self.looks_at(row, cell);
                }
            }
        }
        looks * every as f64
    }

    fn looks_at(&self, row: &Row, cell: usize) -> f64 {
        let rack = self.rack(row, cell);
        let options = payable(&row.options.outlays, rack) as f64;
        let free = &self.tables[row.puck].free;
        let counts: Vec<f64> = free.iter().map(|bet| payable(&bet.outlays, rack) as f64).collect();
        let classes = self.tables[row.puck].chances.len() as f64;
        // What is bet together cannot be more than the rack: a corner of the whole block.
        let mut plays = options;
        let mut sums = 1.0;
        for (place, count) in counts.iter().enumerate() {
            plays += count * options / 2.0;
            sums += count;
            for other in &counts[..place] {
                plays += count * other * options / 6.0;
                sums += count * other / 2.0;
            }
        }
        plays * row.touched.len().max(1) as f64 + sums * classes
    }

    /// What may be bet in a state.
    pub(super) fn rack(&self, row: &Row, cell: usize) -> i64 {
        self.equity(cell) - row.up.0
    }
}

/// How many of these choices the rack can pay.
pub(super) fn payable(outlays: &[i64], rack: i64) -> usize {
    outlays.partition_point(|outlay| *outlay <= rack)
}
