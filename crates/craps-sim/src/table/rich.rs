//! Rich rows alone, for a device that keeps them its own way.

use std::collections::HashMap;

use craps::machine::Over;

use super::Band;
use super::rows::{NOWHERE, Places, Row, Rows, by_symbol, start_above};
use crate::course::Course;
use crate::dice::SYMBOLS;

/// The rich rows of a course.
pub(crate) struct Rich {
    pub(crate) band: Band,
    /// The position of each row.
    pub(crate) positions: Vec<u32>,
    /// What a symbol does: the next row, and by how many cells equity changes; nothing where it
    /// ends the session.
    pub(crate) steps: Vec<[Option<(u32, i64)>; SYMBOLS]>,
}

impl Rich {
    /// Nothing where there are none, or more than `limit`.
    pub(crate) fn of(course: &Course, limit: usize) -> Option<Rich> {
        let band = Band::of(course);
        let start = Some(Row::Rich(start_above(course)?)).filter(|_| band.is_wide())?;
        let (steps, brink, ceiling) = (by_symbol(course)?, band.low, None);
        let (safe, poor) = (NOWHERE, false);
        let (rows, places) = (Vec::new(), Places::default());
        let mut found = Rows { course, steps, brink, ceiling, safe, poor, rows, places };
        found.place(start);
        // No more than the reasons to be over come to the rich ones.
        found.walk(limit + Over::ALL.len())?;
        let position = |row: &Row| match row {
            Row::Rich(position) => Some(*position),
            _ => None,
        };
        let positions: Vec<u32> = found.rows.iter().filter_map(position).collect();
        let place: HashMap<u32, u32> = positions.iter().copied().zip(0..).collect();
        let step = |from: u32, symbol: usize| match found.step(Row::Rich(from), 0, symbol) {
            (Row::Rich(to), change) => Some((place[&to], change)),
            _ => None,
        };
        let steps = positions.iter();
        let steps = steps.map(|from| std::array::from_fn(|symbol| step(*from, symbol))).collect();
        Some(Rich { band, positions, steps }).filter(|rich| rich.positions.len() <= limit)
    }
}
