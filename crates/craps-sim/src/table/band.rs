//! Between which equities a course does not ask for money.

use super::Stride;
use crate::course::{Course, Piece, Then};

/// Between which cells a course is rich.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Band {
    /// From here every ask can be paid.
    pub(crate) low: i64,
    /// From here a stop is reached.
    pub(crate) high: Option<i64>,
    /// The most a roll takes.
    pub(crate) fall: i64,
    /// The most a roll brings.
    pub(crate) rise: i64,
}

impl Band {
    pub(crate) fn of(course: &Course) -> Band {
        // Nobody has less than nothing.
        let nothing = -course.session.bankroll.0 / course.unit;
        let mut band = Band { low: nothing, high: None, fall: 0, rise: 0 };
        for step in course.rows.iter().flatten() {
            band.fall = band.fall.max(-step.change);
            band.rise = band.rise.max(step.change);
        }
        let mut first = 0;
        while first < course.pieces.len() {
            let pieces = course.arrival(first as u32);
            first += pieces.len();
            let usual = usual(pieces);
            band.low = band.low.max(pieces[usual].from);
            if usual > 0 {
                let stop = pieces[usual - 1].from;
                band.high = Some(band.high.map_or(stop, |high: i64| high.min(stop)));
            }
        }
        band
    }

    /// A rich step ends no lower than this. Of two rolls at once only the second is seen: before
    /// it there must have been room for the first.
    pub(super) fn brink(&self, stride: Stride) -> i64 {
        match stride {
            Stride::One => self.low,
            Stride::Two => self.low.saturating_add(self.fall),
        }
    }

    /// And no higher than this.
    pub(super) fn ceiling(&self, stride: Stride) -> Option<i64> {
        let room = match stride {
            Stride::One => 1,
            Stride::Two => self.rise.saturating_add(1),
        };
        self.high.map(|high| high.saturating_sub(room))
    }

    /// Whether there is room in it.
    pub(super) fn is_wide(&self) -> bool {
        let room = self.fall.saturating_add(self.rise).saturating_mul(4);
        self.high.is_none_or(|high| high > self.low.saturating_add(room))
    }
}

/// The piece that holds with enough money: the highest that rolls on, or the highest.
pub(super) fn usual(pieces: &[Piece]) -> usize {
    pieces.iter().position(|piece| matches!(piece.then, Then::Roll(_))).unwrap_or(0)
}
