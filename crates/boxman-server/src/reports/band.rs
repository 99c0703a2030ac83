//! The band a hold should lie in: its expectation ± 1.96 standard deviations, 95 % of a normal
//! distribution, out of exact means and variances.

use craps_math::{Ratio, float, whole};
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Expected;
use crate::books::Figures;

/// What a hold should have been, in cents and hundredths of a cent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS, ToSchema)]
pub struct Expectation {
    /// The mean.
    pub expected: f64,
    /// The standard deviation.
    pub deviation: f64,
    /// 1.96 deviations under the mean.
    pub low: f64,
    /// 1.96 deviations over the mean.
    pub high: f64,
    /// Whether the hold, less what was withheld, lies between the two.
    pub inside: bool,
}

/// Mean and variance of a hold, exact: in cents and square cents. What spots do together comes
/// on top.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    mean: Ratio,
    variance: Ratio,
}

impl Spread {
    pub(super) fn of(expected: &Expected, figures: &Figures) -> Spread {
        Spread {
            mean: &expected.edge * whole(figures.handle.0),
            variance: &expected.variance * Ratio::from(figures.squares),
        }
    }

    pub(super) fn and(self, other: &Spread) -> Spread {
        Spread { mean: self.mean + &other.mean, variance: self.variance + &other.variance }
    }

    /// The band about the mean, and whether what was held lies within. Spots that won and lost
    /// against each other do not narrow it: over few rolls that may be chance.
    #[expect(clippy::float_arithmetic, reason = "a root, and figures to be read")]
    pub(super) fn expectation(&self, held: &Figures) -> Expectation {
        let mean = float(&self.mean);
        let deviation = float(&(&self.variance + Ratio::from(held.cross.max(0)))).sqrt();
        let (low, high) = (mean - 1.96 * deviation, mean + 1.96 * deviation);
        let compared = float(&whole((held.won - held.withheld).0));
        // What is added last makes zero out of a zero below zero.
        let hundredths = |value: f64| (value * 100.0).round() / 100.0 + 0.0;
        Expectation {
            expected: hundredths(mean),
            deviation: hundredths(deviation),
            low: hundredths(low),
            high: hundredths(high),
            inside: (low..=high).contains(&compared),
        }
    }
}
