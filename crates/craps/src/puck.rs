//! The puck: OFF before a come-out, ON a number while there is a point.

use std::fmt;

use serde::Serialize;

use crate::dice::{Total, Totals};

/// Where the puck lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Puck {
    /// No point: the next roll is a come-out.
    #[default]
    Off,
    /// The point to be made before a seven.
    On(Total),
}

impl Puck {
    /// How many places the puck can lie in: OFF, or on any total but seven.
    pub const COUNT: usize = 11;

    /// Every place of the puck, OFF first.
    pub fn all() -> impl Iterator<Item = Puck> + Clone {
        let points = Total::all().filter(|total| *total != Total::SEVEN);
        std::iter::once(Puck::Off).chain(points.map(Puck::On))
    }

    /// The place of this puck in [`Puck::all`].
    pub const fn index(self) -> usize {
        match self {
            Puck::Off => 0,
            Puck::On(total) if total.number() < 7 => total.number() as usize - 1,
            Puck::On(total) => total.number() as usize - 2,
        }
    }

    /// The point, if there is one.
    pub const fn point(self) -> Option<Total> {
        match self {
            Puck::Off => None,
            Puck::On(point) => Some(point),
        }
    }

    /// Whether the next roll is a come-out.
    pub const fn is_off(self) -> bool {
        matches!(self, Puck::Off)
    }

    /// Whether `total` ends the shooter's turn: a seven with a point on.
    pub fn is_seven_out(self, total: Total) -> bool {
        !self.is_off() && total == Total::SEVEN
    }

    /// Where the puck lies after `total` is rolled, where `points` are the numbers it can rest on.
    #[must_use]
    pub fn after(self, total: Total, points: Totals) -> Puck {
        match self {
            Puck::Off if points.contains(total) => Puck::On(total),
            Puck::On(point) if total == point || total == Total::SEVEN => Puck::Off,
            puck => puck,
        }
    }
}

impl fmt::Display for Puck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Puck::Off => f.write_str("off"),
            Puck::On(point) => point.fmt(f),
        }
    }
}
