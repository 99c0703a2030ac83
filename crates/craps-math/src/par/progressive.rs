//! The meter of a progressive: its cycle, its mean when it is hit, the long-run return, and the
//! exact meter at which a bet on it breaks even.

use craps::terms::Winners;
use craps::{Cents, MeterTerms};

use crate::chance::{Ratio, float, ratio, whole};

/// The meter's side of a PAR sheet.
#[derive(Clone, Debug)]
pub struct Progressive {
    /// How it is funded and paid.
    pub terms: MeterTerms,
    /// The chance of the top award.
    pub chance: Ratio,
    /// What each cent on the meter adds to one player's return, by the number of bettors.
    pub(super) slopes: Vec<Ratio>,
    /// The return without the meter.
    pub(super) fixed: Ratio,
    /// What one player bets.
    pub(super) unit: Cents,
    pub(super) bettors: u8,
}

impl Progressive {
    /// The mean number of decisions from one top award to the next.
    pub fn cycle(&self) -> Ratio {
        Ratio::ONE / &self.chance
    }

    /// One player's return with `cents` on the meter and `bettors` riding.
    pub fn return_at(&self, cents: &Ratio, bettors: u8) -> Ratio {
        &self.fixed + &self.slopes[usize::from(bettors) - 1] * cents
    }

    /// The meter at which the return is everything, in cents.
    pub fn breakeven(&self, bettors: u8) -> Option<Ratio> {
        let missing = Ratio::ONE - &self.fixed;
        (missing > Ratio::ZERO).then(|| missing / &self.slopes[usize::from(bettors) - 1])
    }

    /// What each decision of the table adds to the meter, in cents.
    pub fn fed(&self) -> Ratio {
        let staked = whole(self.unit.0) * whole(i64::from(self.bettors));
        staked * ratio(i64::from(self.terms.increment.0), i64::from(craps::Rate::WHOLE.0))
    }

    /// The mean meter when it is hit, in cents: the seed and a cycle's contributions. Where a
    /// ceiling cuts them off, to the nearest millionth of a cent. Nothing where no terms are set.
    pub fn mean_meter(&self) -> Option<Ratio> {
        let mean = || match self.terms.ceiling {
            None => whole(self.terms.seed.0) + self.fed() * self.cycle(),
            Some(ceiling) => self.mean_under(ceiling),
        };
        (!self.terms.are_unset()).then(mean)
    }

    /// The mean of what decisions add until one hits, cut off at the ceiling.
    #[expect(clippy::float_arithmetic, reason = "a power of many thousands has no use exactly")]
    fn mean_under(&self, ceiling: Cents) -> Ratio {
        let (fed, chance) = (float(&self.fed()), float(&self.chance));
        let room = float(&whole((ceiling - self.terms.seed).0));
        let steps = if fed > 0.0 { (room / fed).floor() } else { 0.0 };
        let waiting = self.no_hit(steps);
        let added = fed * (1.0 - waiting) / chance + (room - fed * steps) * waiting;
        let added = if fed > 0.0 { added } else { 0.0 };
        whole(self.terms.seed.0) + ratio((added * 1e6).round() as i64, 1_000_000)
    }

    /// The share of each dollar that goes to jackpots: what is contributed, or what the meter pays
    /// where the house has to add to the reserve for a seed, and what the house pays beside it to
    /// winners who each take it in full.
    pub fn set_aside(&self) -> Option<Ratio> {
        let rates = i64::from(self.terms.increment.0 + self.terms.reserve.0);
        let contributed = ratio(rates, i64::from(craps::Rate::WHOLE.0));
        let jackpots = self.long_run_return()? - &self.fixed;
        let from_meter = match self.terms.winners {
            Winners::Share => jackpots.clone(),
            Winners::InFull => &jackpots / whole(i64::from(self.bettors)),
        };
        let from_house = jackpots - &from_meter;
        Some(contributed.max(from_meter) + from_house)
    }

    /// Whether the mean meter, and what rests on it, is exact: a ceiling makes it a statistic.
    pub fn is_mean_exact(&self) -> bool {
        self.terms.ceiling.is_none()
    }

    /// One player's return over many cycles, from the seed and the increment.
    pub fn long_run_return(&self) -> Option<Ratio> {
        Some(self.return_at(&self.mean_meter()?, self.bettors))
    }

    /// The chance of no top award in `decisions`.
    #[expect(clippy::float_arithmetic, reason = "a curve for reading")]
    pub fn no_hit(&self, decisions: f64) -> f64 {
        (decisions * (-float(&self.chance)).ln_1p()).exp()
    }

    /// The meter when it is hit, in cents, that a share `quantile` of hits stays within.
    #[expect(clippy::float_arithmetic, reason = "a quantile for reading")]
    pub fn meter_at(&self, quantile: f64) -> Option<f64> {
        if self.terms.are_unset() {
            return None;
        }
        let decisions = ((1.0 - quantile).ln() / (-float(&self.chance)).ln_1p()).ceil().max(1.0);
        let meter = float(&whole(self.terms.seed.0)) + float(&self.fed()) * decisions;
        Some(match self.terms.ceiling {
            Some(ceiling) => meter.min(float(&whole(ceiling.0))),
            None => meter,
        })
    }

    /// Whether winners share the meter.
    pub fn is_shared(&self) -> bool {
        self.terms.winners == Winners::Share
    }
}
