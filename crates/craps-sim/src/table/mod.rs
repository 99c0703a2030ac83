//! A course packed for walking: one addition a step moves state and money at once.
//!
//! Where every ask can be paid and no stop is near, what a roll does depends on the position alone:
//! those positions are the *rich* rows. Below them, and near a stop above, a row stands for a
//! position and its equity, so that every threshold is in the table: the *poor* rows, where there
//! is room for them. A word is
//!
//! ```text
//! | above the brink: A | below the ceiling: B | bytes at rest: C | state |
//! ```
//!
//! and an entry is what is added to it. The sign of A says that a session has left the rich rows
//! below, the bit after it that it is over, the sign of B that it comes near a stop above: all are
//! looked at once a block.

mod band;
mod rows;
mod fields;
mod rich;

pub(crate) use self::band::Band;
pub(crate) use self::fields::Fields;
pub(crate) use self::rich::Rich;
pub(crate) use self::rows::{Row, by_symbol};

use self::rows::{NOWHERE, Places, Rows, start_above};
use crate::course::{Course, Then};
use crate::dice::SYMBOLS;

/// The symbols of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stride {
    One,
    Two,
}

impl Stride {
    /// The entries of a row.
    pub(crate) const fn entries(self) -> usize {
        match self {
            Stride::One => SYMBOLS,
            Stride::Two => SYMBOLS * SYMBOLS,
        }
    }
}

/// A packed table.
pub(crate) struct Table {
    /// A power of two of them, so that no state leads out of it.
    pub(crate) entries: Vec<u64>,
    pub(crate) fields: Fields,
    pub(crate) stride: Stride,
    rows: Vec<Row>,
    band: Band,
    /// The rich row of each position.
    rich: Vec<Option<u32>>,
    /// The poor rows of each position, from a cell on.
    poor: Vec<(i64, Vec<Option<u32>>)>,
}

impl Table {
    /// The rich rows alone; nothing where there are none, or too many.
    pub(crate) fn rich(course: &Course, stride: Stride, state_bits: u32) -> Option<Table> {
        Band::of(course).is_wide().then_some(())?;
        Table::new(course, stride, state_bits, None)
    }

    /// Rich rows, and poor ones up to so many falls above the brink; nothing where there are too
    /// many.
    pub(crate) fn whole(
        course: &Course,
        stride: Stride,
        state_bits: u32,
        falls: i64,
    ) -> Option<Table> {
        Table::new(course, stride, state_bits, Some(falls))
    }

    fn new(course: &Course, stride: Stride, state_bits: u32, falls: Option<i64>) -> Option<Table> {
        let band = Band::of(course);
        let steps = by_symbol(course)?;
        let Then::Roll(start) = course.start else { return None };
        let (brink, ceiling) = (band.brink(stride), band.ceiling(stride));
        let safe = match falls {
            Some(falls) if band.is_wide() => {
                let middle = ceiling.map_or(i64::MAX, |ceiling| brink / 2 + ceiling / 2);
                let low = brink.saturating_add(band.fall.saturating_mul(falls)).min(middle);
                let rises = band.rise.saturating_mul(falls);
                low..=ceiling.map_or(i64::MAX, |ceiling| (ceiling - rises).max(middle))
            }
            _ => NOWHERE,
        };
        let poor = falls.is_some() && band.is_wide();
        let (rows, places) = (Vec::new(), Places::default());
        let mut rows = Rows { course, steps, brink, ceiling, safe, poor, rows, places };
        rows.place(Row::Nobody);
        if band.is_wide() {
            rows.place(Row::Rich(start_above(course)?));
        }
        if falls.is_some() && !(band.is_wide() && brink <= 0) {
            rows.place(Row::Poor(start, 0));
        }
        rows.walk((1usize << state_bits) / stride.entries())?;
        let cells = rows.rows.iter().filter_map(|row| match row {
            Row::Poor(_, cell) => Some(*cell),
            _ => None,
        });
        let (mut least, mut most) = (-course.session.bankroll.0 / course.unit, 0);
        for cell in cells {
            (least, most) = (least.min(cell), most.max(cell));
        }
        // What may be reached within a block before anybody looks.
        let away = (band.fall + band.rise).saturating_mul(32);
        least = least.saturating_sub(away);
        if band.is_wide() {
            let furthest = band.rise.saturating_mul(course.rolls.into());
            most = most.max(band.high.unwrap_or(furthest)).max(brink);
        }
        most = most.saturating_add(away);
        let fields = Fields::new(state_bits, stride, &band, (least, most))?;
        let mut table = Table {
            entries: vec![0; 1 << state_bits],
            fields,
            stride,
            rows: rows.rows.clone(),
            band,
            rich: vec![None; course.rows.len()],
            poor: vec![(0, Vec::new()); course.rows.len()],
        };
        table.fill(&rows);
        table.index();
        Some(table)
    }

    fn fill(&mut self, rows: &Rows<'_>) {
        let entries = self.stride.entries();
        for (place, row) in self.rows.iter().copied().enumerate() {
            // Any equity will do for a row whose words carry it.
            let cell = if let Row::Poor(_, cell) = row { cell } else { rows.brink };
            let state = place * entries;
            let before = self.fields.word(row, state, cell);
            for pair in 0..entries {
                let symbols = match self.stride {
                    Stride::One => [Some(pair), None],
                    Stride::Two => [Some(pair % SYMBOLS), Some(pair / SYMBOLS)],
                };
                let (mut now, mut after, mut rest) = (row, cell, 0);
                for symbol in symbols.into_iter().flatten() {
                    rest += u64::from(matches!(now, Row::Over(_)));
                    (now, after) = rows.step(now, after, symbol);
                }
                let next = rows.places[&now] as usize * entries;
                let word = self.fields.word(now, next, after);
                let word = word.wrapping_add(rest << self.fields.state_bits);
                self.entries[state + pair] = word.wrapping_sub(before);
            }
        }
    }

    /// Finds rows by position and equity.
    fn index(&mut self) {
        for row in &self.rows {
            if let Row::Poor(position, cell) = *row {
                let (from, _) = &mut self.poor[position as usize];
                *from = cell.min(*from);
            }
        }
        for (place, row) in self.rows.iter().enumerate() {
            match *row {
                Row::Rich(position) => self.rich[position as usize] = Some(place as u32),
                Row::Poor(position, cell) => {
                    let (from, rows) = &mut self.poor[position as usize];
                    let at = (cell - *from) as usize;
                    rows.resize(rows.len().max(at + 1), None);
                    rows[at] = Some(place as u32);
                }
                Row::Over(_) | Row::Nobody => {}
            }
        }
    }

    /// The word of a session, where the table has a row for it.
    pub(crate) fn enter(&self, position: u32, cell: i64) -> Option<u64> {
        let Table { band, rich, poor, stride, .. } = self;
        // A poor row is the better place: nobody falls from it.
        let (from, rows) = &poor[position as usize];
        let poor = usize::try_from(cell - from).ok().and_then(|at| *rows.get(at)?);
        let place = poor.or_else(|| {
            let above = cell >= band.brink(*stride);
            let below = band.ceiling(*stride).is_none_or(|ceiling| cell <= ceiling);
            rich[position as usize].filter(|_| above && below)
        })?;
        let state = place as usize * self.stride.entries();
        Some(self.fields.word(self.rows[place as usize], state, cell))
    }

    /// The row and the equity of a word.
    pub(crate) fn read(&self, word: u64) -> (Row, i64) {
        let row = self.rows[self.fields.state(word) / self.stride.entries()];
        (row, self.fields.cell(row, word))
    }

    /// The word of a lane without a session.
    pub(crate) fn nobody(&self) -> u64 {
        self.fields.word(Row::Nobody, 0, 0)
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }
}
