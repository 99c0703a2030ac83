//! Rows of chance: for one position, a band of cells, each an amount of equity.

use super::flow::Pull;

/// Chance below this is not followed at the edges of a row.
const LEAST: f64 = 1e-22;

/// A band of cells; outside there is no chance.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// The first cell.
    pub(super) low: i32,
    /// The chance of each.
    pub(super) cells: Vec<f64>,
}

impl Row {
    pub(super) fn high(&self) -> i32 {
        self.low + self.cells.len() as i32
    }

    pub(super) fn sum(&self) -> f64 {
        self.cells.iter().sum()
    }

    /// A row of what the pulls bring from `rows`.
    pub(super) fn filled(pulls: &[Pull], rows: &[Row]) -> Row {
        let mut row = Row::default();
        row.fill(pulls, rows);
        row
    }

    /// Takes what the pulls bring from `rows`, in place of what was there.
    pub(super) fn fill(&mut self, pulls: &[Pull], rows: &[Row]) {
        let (low, high) = band(pulls, rows);
        self.low = low;
        self.cells.clear();
        self.cells.resize((high - low) as usize, 0.0);
        self.pull(pulls, rows);
    }

    /// Adds what the pulls bring from `rows`; the band grows as needed.
    pub(super) fn add(&mut self, pulls: &[Pull], rows: &[Row]) {
        let (low, high) = band(pulls, rows);
        self.cover(low, high);
        self.pull(pulls, rows);
    }

    /// Adds another row.
    pub(super) fn join(&mut self, other: &Row) {
        if other.cells.is_empty() {
            return;
        }
        self.cover(other.low, other.high());
        let first = (other.low - self.low) as usize;
        for (cell, more) in self.cells[first..].iter_mut().zip(&other.cells) {
            *cell += more;
        }
    }

    fn cover(&mut self, low: i32, high: i32) {
        if low >= high {
            return;
        }
        if self.cells.is_empty() {
            self.low = low;
        }
        if low < self.low {
            let more = (self.low - low) as usize;
            self.cells.splice(0..0, std::iter::repeat_n(0.0, more));
            self.low = low;
        }
        if high > self.high() {
            self.cells.resize((high - self.low) as usize, 0.0);
        }
    }

    fn pull(&mut self, pulls: &[Pull], rows: &[Row]) {
        for pull in pulls {
            let source = &rows[pull.from as usize];
            let Some((low, high)) = reach(pull, source) else { continue };
            let into = (low - self.low) as usize;
            let from = (low - pull.shift - source.low) as usize;
            let count = (high - low) as usize;
            let cells = &mut self.cells[into..into + count];
            for (cell, chance) in cells.iter_mut().zip(&source.cells[from..from + count]) {
                *cell += chance * pull.chance;
            }
        }
    }

    /// Drops what is too small to follow at both ends, and gives how much it was.
    pub(super) fn trim(&mut self) -> f64 {
        let small = |cell: &&f64| **cell < LEAST;
        let above = self.cells.iter().rev().take_while(small).count();
        let mut dropped: f64 = self.cells.drain(self.cells.len() - above..).sum();
        let below = self.cells.iter().take_while(small).count();
        dropped += self.cells.drain(..below).sum::<f64>();
        self.low += below as i32;
        dropped
    }
}

impl Pull {
    /// How much chance it brings from `rows`.
    pub(super) fn brings(&self, rows: &[Row]) -> f64 {
        let source = &rows[self.from as usize];
        let Some((low, high)) = reach(self, source) else { return 0.0 };
        let from = (low - self.shift - source.low) as usize;
        source.cells[from..from + (high - low) as usize].iter().sum::<f64>() * self.chance
    }
}

/// How many cells what the pulls bring would take up; nothing where it lies too far away.
pub(super) fn width(pulls: &[Pull], rows: &[Row]) -> Option<u64> {
    let mut reached: Option<(i64, i64)> = None;
    for pull in pulls {
        let source = &rows[pull.from as usize];
        if source.cells.is_empty() {
            continue;
        }
        let first = i64::from(source.low) + i64::from(pull.shift);
        let end = first + source.cells.len() as i64;
        if first <= i32::MIN.into() || end >= i32::MAX.into() {
            return None;
        }
        let (low, high) = (first.max(pull.low.into()), end.min(pull.high.into()));
        if low < high {
            let (least, most) = reached.unwrap_or((low, high));
            reached = Some((least.min(low), most.max(high)));
        }
    }
    Some(reached.map_or(0, |(low, high)| (high - low) as u64))
}

/// The cells a pull brings something to.
fn reach(pull: &Pull, source: &Row) -> Option<(i32, i32)> {
    if source.cells.is_empty() {
        return None;
    }
    let low = pull.low.max(source.low + pull.shift);
    let high = pull.high.min(source.high() + pull.shift);
    (low < high).then_some((low, high))
}

/// The cells that some pulls together bring something to.
fn band(pulls: &[Pull], rows: &[Row]) -> (i32, i32) {
    let reaches = pulls.iter().filter_map(|pull| reach(pull, &rows[pull.from as usize]));
    reaches.reduce(|(low, high), (least, most)| (low.min(least), high.max(most))).unwrap_or((0, 0))
}
