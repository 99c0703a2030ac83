//! Where the parts of a word lie, and what they say.

use super::{Band, Row, Stride};

/// The bits that count the bytes since a session was over.
const REST_BITS: u32 = 6;

/// Where the parts of a word lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    pub(super) state_bits: u32,
    /// Where B begins, and the ceiling it counts from.
    below: Option<(u32, i64)>,
    /// Where A begins.
    above: u32,
    brink: i64,
    /// The least cell there is, and the highest.
    least: i64,
    most: i64,
}

impl Fields {
    /// Room for equities from `least` to `most`, or nothing.
    pub(super) fn new(
        state_bits: u32,
        stride: Stride,
        band: &Band,
        (least, most): (i64, i64),
    ) -> Option<Fields> {
        let low = state_bits + REST_BITS;
        let (brink, ceiling) = (band.brink(stride), band.ceiling(stride));
        let ceiling = ceiling.filter(|_| band.is_wide());
        let (below, above) = match ceiling {
            Some(ceiling) => (Some((low, ceiling)), low + (64 - low) / 2),
            None => (None, low),
        };
        let fits = |bits: u32, origin: i64| {
            let room = 1i128 << (bits - 2);
            let furthest = |cell: i64| (i128::from(cell) - i128::from(origin)).abs();
            furthest(least) < room && furthest(most) < room
        };
        let fits_below = below
            .is_none_or(|(from, ceiling)| [ceiling, most].iter().all(|it| fits(above - from, *it)));
        let fits_above = fits(64 - above, brink) && fits(64 - above, least);
        let fields = Fields { state_bits, below, above, brink, least, most };
        (fits_below && fits_above).then_some(fields)
    }

    pub(super) fn state(self, word: u64) -> usize {
        (word & ((1 << self.state_bits) - 1)) as usize
    }

    /// What A counts from: less than nothing only where a rich row has fallen.
    fn origin(self, row: Row) -> i64 {
        match row {
            Row::Rich(_) => self.brink,
            Row::Poor(..) | Row::Nobody => self.least,
            Row::Over(_) => self.least - (1 << (62 - self.above)),
        }
    }

    pub(super) fn word(self, row: Row, state: usize, cell: i64) -> u64 {
        let above = (cell - self.origin(row)) << self.above;
        let below = self.below.map_or(0, |(from, ceiling)| {
            let top = if let Row::Rich(_) = row { ceiling } else { self.most };
            (top - cell) << from
        });
        above.wrapping_add(below).wrapping_add(state as i64) as u64
    }

    /// The equity of a word in this row.
    pub(super) fn cell(self, row: Row, word: u64) -> i64 {
        let word = word as i64;
        // A part below that is less than nothing has borrowed from the one above.
        let borrowed = self.below.map_or(0, |(from, _)| {
            let below = word << (64 - self.above) >> (64 - self.above + from);
            below << from
        });
        (word.wrapping_sub(borrowed) >> self.above) + self.origin(row)
    }

    /// The bytes since it was over.
    pub(crate) fn rest(self, word: u64) -> u32 {
        (word >> self.state_bits) as u32 & ((1 << REST_BITS) - 1)
    }

    /// The bits that say that a session has left the rich rows, below or above.
    pub(crate) fn fell(self) -> u64 {
        1 << 63 | self.below.map_or(0, |_| 1 << (self.above - 1))
    }

    /// The bit that says that it is over.
    pub(crate) const OVER: u64 = 1 << 62;
}
