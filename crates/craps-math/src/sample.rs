//! What counts of sampled sessions say, and how far each figure may be off: means, deviations,
//! shares and quantiles with their standard errors.

#![expect(clippy::float_arithmetic, reason = "statistics of samples are estimates")]

/// Whole numbers that were sampled, and how often each came, least first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    counts: Vec<(i64, u64)>,
    size: u64,
}

/// A figure of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// What it is in the sample.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// How many standard errors lie between it and what it is exactly; nothing where the sample
    /// cannot tell.
    pub fn apart(&self, exact: f64) -> Option<f64> {
        let apart = (self.value - exact) / self.error;
        match self.value == exact {
            true => Some(0.0),
            false => apart.is_finite().then_some(apart),
        }
    }
}

/// The share of `size` that came up `times`; nothing of nothing.
pub fn share(times: u64, size: u64) -> Option<Estimate> {
    let value = (size > 0).then(|| times as f64 / size as f64)?;
    Some(Estimate { value, error: share_error(value, size) })
}

/// The standard error of a share of this chance in a sample of this size.
pub fn share_error(chance: f64, size: u64) -> f64 {
    (chance * (1.0 - chance)).max(0.0).sqrt() / (size as f64).sqrt()
}

impl Sample {
    /// Counts in any order; those of one number are put together.
    pub fn new(counts: impl IntoIterator<Item = (i64, u64)>) -> Sample {
        let mut counts: Vec<(i64, u64)> = counts.into_iter().collect();
        counts.sort_unstable_by_key(|(number, _)| *number);
        counts.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        counts.retain(|(_, times)| *times > 0);
        let size = counts.iter().map(|(_, times)| times).sum();
        Sample { counts, size }
    }

    /// How many there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Each number and how often it came, least first.
    pub fn counts(&self) -> &[(i64, u64)] {
        &self.counts
    }

    /// The share of those for which it holds.
    pub fn share(&self, holds: impl Fn(i64) -> bool) -> Option<Estimate> {
        let such = self.counts.iter().filter(|(number, _)| holds(*number));
        share(such.map(|(_, times)| times).sum(), self.size)
    }

    /// The mean.
    pub fn mean(&self) -> Option<Estimate> {
        let value = self.average(|number| number)?;
        let error = (self.spread(value, 2)? / self.size as f64).sqrt();
        Some(Estimate { value, error })
    }

    /// The standard deviation.
    pub fn deviation(&self) -> Option<Estimate> {
        let mean = self.average(|number| number)?;
        let square = self.spread(mean, 2)?;
        let value = square.sqrt();
        let fourth = self.spread(mean, 4)?;
        let of_square = ((fourth - square * square).max(0.0) / self.size as f64).sqrt();
        let error = if value > 0.0 { of_square / (2.0 * value) } else { 0.0 };
        Some(Estimate { value, error })
    }

    /// The least number that this share of all does not exceed, and how far it may be off: half
    /// of what lies between the quantiles a standard error of the share below and above.
    pub fn quantile(&self, share: f64) -> Option<Estimate> {
        let error = share_error(share, self.size);
        let value = self.at(share)? as f64;
        let (below, above) = (self.at(share - error)? as f64, self.at(share + error)? as f64);
        Some(Estimate { value, error: (above - below) / 2.0 })
    }

    /// The least number that this share of all does not exceed.
    pub fn at(&self, share: f64) -> Option<i64> {
        let (last, _) = *self.counts.last()?;
        // A little less, for a share such as 0.07 of a hundred is a little more than seven.
        let wanted = (share * self.size as f64 * (1.0 - 1e-12)).ceil().max(1.0);
        let mut below = 0;
        let found = self.counts.iter().find(|(_, times)| {
            below += times;
            below as f64 >= wanted
        });
        Some(found.map_or(last, |(number, _)| *number))
    }

    /// The sum of all, and of their squares, as far from `origin` as they are; the most there is
    /// where they are more.
    pub fn sums(&self, origin: i64) -> (i128, i128) {
        self.counts.iter().fold((0, 0), |(sum, squares): (i128, i128), (number, times)| {
            let (away, times) = (i128::from(*number) - i128::from(origin), i128::from(*times));
            let square = away.saturating_mul(away).saturating_mul(times);
            (sum.saturating_add(away.saturating_mul(times)), squares.saturating_add(square))
        })
    }

    fn average(&self, of: impl Fn(f64) -> f64) -> Option<f64> {
        let sum = |sum, (number, times): &(i64, u64)| sum + of(*number as f64) * *times as f64;
        (self.size > 0).then(|| self.counts.iter().fold(0.0, sum) / self.size as f64)
    }

    fn spread(&self, mean: f64, power: i32) -> Option<f64> {
        self.average(|number| (number - mean).powi(power))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12, "{a} and {b}");
    }

    #[test]
    fn figures_by_hand() {
        // 1, 1, 2, 4: mean 2, squares of what is off 1 + 1 + 0 + 4, fourth powers 1 + 1 + 0 + 16.
        let sample = Sample::new([(4, 1), (1, 1), (2, 1), (1, 1), (9, 0)]);
        assert_eq!(sample.counts(), [(1, 2), (2, 1), (4, 1)]);
        let mean = sample.mean().unwrap();
        close(mean.value, 2.0);
        close(mean.error, (1.5_f64 / 4.0).sqrt());
        let deviation = sample.deviation().unwrap();
        close(deviation.value, 1.5_f64.sqrt());
        close(deviation.error, ((4.5 - 2.25) / 4.0_f64).sqrt() / (2.0 * 1.5_f64.sqrt()));
        let share = sample.share(|number| number > 1).unwrap();
        close(share.value, 0.5);
        close(share.error, 0.25);
        assert_eq!(sample.sums(1), (4, 10));
    }

    #[test]
    fn quantiles_are_the_least_that_enough_do_not_exceed() {
        let sample = Sample::new((1..=100).map(|number| (number, 1)));
        for (share, number) in [(0.01, 1), (0.011, 2), (0.07, 7), (0.95, 95), (1.0, 100), (0.0, 1)]
        {
            assert_eq!(sample.at(share), Some(number), "{share}");
        }
        // A standard error of a half in a hundred is a twentieth.
        close(sample.quantile(0.5).unwrap().error, 5.0);
    }

    #[test]
    fn nothing_says_nothing() {
        let none = Sample::new([]);
        assert_eq!((none.size(), none.mean(), none.deviation()), (0, None, None));
        assert_eq!((none.at(0.5), none.quantile(0.5), none.share(|_| true)), (None, None, None));
        assert_eq!(none.sums(5), (0, 0));
        let one = Sample::new([(7, 1)]);
        assert_eq!(one.mean(), Some(Estimate { value: 7.0, error: 0.0 }));
        assert_eq!(one.deviation(), Some(Estimate { value: 0.0, error: 0.0 }));
    }

    #[test]
    fn far_apart_in_standard_errors() {
        let estimate = Estimate { value: 3.0, error: 0.5 };
        assert_eq!((estimate.apart(2.0), estimate.apart(4.0)), (Some(2.0), Some(-2.0)));
        let sure = Estimate { value: 3.0, error: 0.0 };
        assert_eq!((sure.apart(3.0), sure.apart(2.0)), (Some(0.0), None));
    }

    #[test]
    fn sums_that_are_too_large_stop_at_the_most() {
        let far = Sample::new([(i64::MAX, u64::MAX / 2)]);
        assert_eq!(far.sums(0).1, i128::MAX);
    }
}
