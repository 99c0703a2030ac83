//! Chances and shares as exact fractions, and how they are written.

use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// An exact fraction of any size.
pub type Ratio = RBig;

/// `num / den`.
pub fn ratio(num: i64, den: i64) -> Ratio {
    Ratio::from_parts(IBig::from(num) * den.signum(), UBig::from(den.unsigned_abs()))
}

/// A whole number as a fraction.
pub fn whole(number: i64) -> Ratio {
    ratio(number, 1)
}

/// The sum of fractions.
pub fn sum(values: impl IntoIterator<Item = Ratio>) -> Ratio {
    values.into_iter().fold(Ratio::ZERO, |sum, value| sum + value)
}

/// `-1/66`, `3`, `0`: reduced, the way scripts read it.
pub fn fraction(value: &Ratio) -> String {
    value.to_string()
}

/// The nearest decimal with `places` digits after the point, halves away from zero.
///
/// ```
/// use craps_math::{decimal, ratio};
/// assert_eq!(decimal(&ratio(7, 495), 4), "0.0141");
/// assert_eq!(decimal(&ratio(-1, 8), 2), "-0.13");
/// ```
pub fn decimal(value: &Ratio, places: usize) -> String {
    let scale = IBig::from(10).pow(places);
    let numerator = value.numerator() * &scale;
    let denominator = IBig::from(value.denominator().clone());
    let negative = numerator < IBig::ZERO;
    let magnitude = if negative { -numerator } else { numerator };
    let rounded: IBig = (magnitude * 2 + &denominator) / (denominator * 2);
    let zero = rounded == IBig::ZERO;
    let digits = format!("{:0>width$}", rounded.to_string(), width = places + 1);
    let (before, after) = digits.split_at(digits.len() - places);
    let sign = if negative && !zero { "-" } else { "" };
    if places == 0 { format!("{sign}{before}") } else { format!("{sign}{before}.{after}") }
}

/// A share as a percentage: `1.4141`.
pub fn percent(value: &Ratio, places: usize) -> String {
    decimal(&(value * Ratio::from(100)), places)
}

/// The closest float, for statistics and pictures only.
pub fn float(value: &Ratio) -> f64 {
    decimal(value, 18).parse().unwrap_or(f64::NAN)
}
