//! Chips and what a winning bet pays: whole cents, whole ratios, never a float.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An amount of money in whole cents. Sums that would overflow panic: wrapped money is corruption.
///
/// ```
/// use craps::Cents;
/// let stake: Cents = "$1,250.50".parse().unwrap();
/// assert_eq!(stake, Cents(125_050));
/// assert_eq!((stake + Cents::dollars(2)).to_string(), "1252.50");
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Cents(pub i64);

impl Cents {
    /// Nothing.
    pub const ZERO: Cents = Cents(0);

    /// The most a rack, a limit or a meter may hold: ten billion dollars. Every product the
    /// engine forms of money and pays within this bound fits an `i64` or is formed in `i128`.
    pub const MOST: Cents = Cents(1_000_000_000_000);

    /// A number of whole dollars.
    pub const fn dollars(dollars: i64) -> Cents {
        Cents(dollars * 100)
    }

    /// The amount rounded down to a multiple of `unit`.
    #[must_use]
    pub const fn floor_to(self, unit: Cents) -> Cents {
        Cents(self.0 - self.0.rem_euclid(unit.0))
    }

    /// Winnings rounded down to the payout unit: what is paid, and what is broken off. Where a pay
    /// "for 1" does not cover the stake there are none to round.
    #[inline]
    #[must_use]
    pub const fn rounded_to(self, payout_unit: Cents) -> (Cents, Cents) {
        match self.0 < 0 {
            true => (self, Cents::ZERO),
            false => {
                let paid = self.floor_to(payout_unit);
                (paid, Cents(self.0 - paid.0))
            }
        }
    }

    /// Whole dollars without their cents: `5`, `2.50`.
    pub(crate) fn plain(self) -> String {
        if self.0 % 100 == 0 { (self.0 / 100).to_string() } else { self.to_string() }
    }

    /// Whether this is a whole number of `unit`s.
    pub const fn is_multiple_of(self, unit: Cents) -> bool {
        self.0 % unit.0 == 0
    }

    /// `self × num ÷ den`, rounded down, with the remainder in `1/den` cents.
    pub const fn share(self, num: i64, den: i64) -> (Cents, i64) {
        match self.0.checked_mul(num) {
            Some(product) => (Cents(product.div_euclid(den)), product.rem_euclid(den)),
            None => {
                let product = self.0 as i128 * num as i128;
                let quotient = product.div_euclid(den as i128);
                assert!(quotient <= i64::MAX as i128 && quotient >= i64::MIN as i128);
                (Cents(quotient as i64), product.rem_euclid(den as i128) as i64)
            }
        }
    }
}

impl Add for Cents {
    type Output = Cents;

    fn add(self, other: Cents) -> Cents {
        Cents(self.0.checked_add(other.0).expect("money overflowed"))
    }
}

impl Sub for Cents {
    type Output = Cents;

    fn sub(self, other: Cents) -> Cents {
        Cents(self.0.checked_sub(other.0).expect("money overflowed"))
    }
}

impl Neg for Cents {
    type Output = Cents;

    fn neg(self) -> Cents {
        Cents(self.0.checked_neg().expect("money overflowed"))
    }
}

impl AddAssign for Cents {
    fn add_assign(&mut self, other: Cents) {
        *self = *self + other;
    }
}

impl SubAssign for Cents {
    fn sub_assign(&mut self, other: Cents) {
        *self = *self - other;
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Cents>>(amounts: I) -> Cents {
        amounts.fold(Cents::ZERO, Add::add)
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:02}", cents / 100, cents % 100))
    }
}

/// Why a text is not an amount of money.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotMoney(String);

impl fmt::Display for NotMoney {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not an amount, expected dollars and cents such as 25 or 12.50", self.0)
    }
}

impl std::error::Error for NotMoney {}

impl FromStr for Cents {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Cents, NotMoney> {
        parse_decimal(text.strip_prefix('$').unwrap_or(text), 2)
            .filter(|cents| cents.abs() <= Cents::MOST.0)
            .map(Cents)
            .ok_or_else(|| NotMoney(text.to_owned()))
    }
}

/// A decimal number times ten to `places`, or nothing if it has more places than that, a
/// misplaced comma, or anything but digits.
pub(crate) fn parse_decimal(text: &str, places: usize) -> Option<i64> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut groups = whole.split(',');
    let first = groups.next()?;
    if whole.contains(',') && (first.is_empty() || first.len() > 3 || first.starts_with('0')) {
        return None;
    }
    let mut digits = first.to_owned();
    for group in groups {
        if group.len() != 3 {
            return None;
        }
        digits.push_str(group);
    }
    if digits.is_empty() || fraction.is_empty() || fraction.len() > places {
        return None;
    }
    digits.push_str(fraction);
    digits.extend(std::iter::repeat_n('0', places - fraction.len()));
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let value: i64 = digits.parse().ok()?;
    Some(if negative { -value } else { value })
}

/// A meter's money: millionths of a cent, so that any share given in parts per million of a
/// stake in cents is a whole number and nothing is ever lost to rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct MicroCents(pub i128);

impl MicroCents {
    /// Nothing.
    pub const ZERO: MicroCents = MicroCents(0);
    const PER_CENT: i128 = 1_000_000;

    /// The whole cents in it, rounded down.
    pub fn whole_cents(self) -> Cents {
        let cents = self.0.div_euclid(MicroCents::PER_CENT);
        Cents(i64::try_from(cents).expect("money overflowed"))
    }
}

impl From<Cents> for MicroCents {
    fn from(cents: Cents) -> MicroCents {
        MicroCents(i128::from(cents.0) * MicroCents::PER_CENT)
    }
}

impl Add for MicroCents {
    type Output = MicroCents;

    fn add(self, other: MicroCents) -> MicroCents {
        MicroCents(self.0.checked_add(other.0).expect("money overflowed"))
    }
}

impl Sub for MicroCents {
    type Output = MicroCents;

    fn sub(self, other: MicroCents) -> MicroCents {
        MicroCents(self.0.checked_sub(other.0).expect("money overflowed"))
    }
}

impl Neg for MicroCents {
    type Output = MicroCents;

    fn neg(self) -> MicroCents {
        MicroCents(-self.0)
    }
}

impl AddAssign for MicroCents {
    fn add_assign(&mut self, other: MicroCents) {
        *self = *self + other;
    }
}

impl SubAssign for MicroCents {
    fn sub_assign(&mut self, other: MicroCents) {
        *self = *self - other;
    }
}

impl fmt::Display for MicroCents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let micro = self.0.unsigned_abs();
        let (dollars, below) = (micro / 100_000_000, micro % 100_000_000);
        let text = format!("{sign}{dollars}.{below:08}");
        let shortest = text.len() - text.bytes().rev().take_while(|byte| *byte == b'0').count();
        let cents = text.len() - 6;
        f.pad(&text[..shortest.max(cents)])
    }
}

/// A share in parts per million, written as a percentage: `15%`, `2.5%`, `0.0625%`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Rate(pub u32);

impl Rate {
    /// Nothing.
    pub const ZERO: Rate = Rate(0);
    /// The whole.
    pub const WHOLE: Rate = Rate(1_000_000);

    /// This share of `stake`, exactly.
    pub fn of(self, stake: Cents) -> MicroCents {
        MicroCents(i128::from(stake.0) * i128::from(self.0))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, below) = (self.0 / 10_000, self.0 % 10_000);
        if below == 0 {
            return write!(f, "{whole}%");
        }
        let below = format!("{below:04}");
        write!(f, "{whole}.{}%", below.trim_end_matches('0'))
    }
}

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Rate, String> {
        text.strip_suffix('%')
            .and_then(|percent| parse_decimal(percent, 4))
            .and_then(|ppm| u32::try_from(ppm).ok())
            .filter(|ppm| *ppm <= Rate::WHOLE.0)
            .map(Rate)
            .ok_or_else(|| format!("`{text}` is not a share, expected a percentage such as 2.5%"))
    }
}

/// Whether the stake comes back on top of a pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// `9 to 5`: nine for every five staked, and the stake comes back.
    To,
    /// `5 for 1`: five for every one staked, and the stake is gone.
    For,
}

/// A payoff ratio: `9 to 5`, `30 to 1`, `5 for 1`.
///
/// ```
/// use craps::{Cents, Pays};
/// let pays: Pays = "7 to 6".parse().unwrap();
/// assert_eq!(pays.on(Cents::dollars(12)), (Cents::dollars(14), 0));
/// assert_eq!(pays.on(Cents(700)), (Cents(816), 4)); // 816 cents and 4/6 of a cent
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pays {
    /// What is paid …
    pub num: u32,
    /// … for each of these staked.
    pub den: u32,
    /// Whether the stake comes back on top.
    pub basis: Basis,
}

impl Pays {
    /// The largest number a ratio may be written with.
    pub const TERM_MAX: u32 = 100_000;

    /// What `stake` is due, in whole cents rounded down and a remainder in `1/den` cents.
    pub const fn on(self, stake: Cents) -> (Cents, i64) {
        stake.share(self.num as i64, self.den as i64)
    }
}

impl fmt::Display for Pays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let basis = match self.basis {
            Basis::To => "to",
            Basis::For => "for",
        };
        f.pad(&format!("{} {basis} {}", self.num, self.den))
    }
}

impl FromStr for Pays {
    type Err = String;

    fn from_str(text: &str) -> Result<Pays, String> {
        let most = Pays::TERM_MAX;
        let term =
            |text: &str| text.parse::<u64>().ok().map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let mut words = text.split_whitespace();
        let (num, basis, den) = (words.next(), words.next(), words.next());
        let basis = match basis {
            Some("to") => Some(Basis::To),
            Some("for") => Some(Basis::For),
            _ => None,
        };
        match (num.and_then(term), basis, den.and_then(term), words.next()) {
            (Some(num), Some(_), Some(den), None) if num > most || den > most => {
                Err(format!("`{text}` is more than a pay can be, up to {most} to 1"))
            }
            (Some(num), Some(basis), Some(den), None) if den > 0 => Ok(Pays { num, den, basis }),
            _ => Err(format!("`{text}` is not a pay, expected a ratio such as 9 to 5 or 5 for 1")),
        }
    }
}

impl Serialize for Pays {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// How many times a flat bet may go behind it, in hundredths: `3`, `2.5`.
///
/// ```
/// use craps::{Cents, Multiple};
/// let full: Multiple = "2.5".parse().unwrap();
/// assert_eq!(full.of(Cents::dollars(5), 1, 1), Cents(1_250));
/// assert_eq!(full.to_string(), "2.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Multiple(u64);

impl Multiple {
    /// The most a house may allow.
    pub const MOST: Multiple = Multiple::times(1_000);

    /// So many times.
    pub const fn times(times: u32) -> Multiple {
        Multiple(times as u64 * 100)
    }

    /// So many hundredths of a time, from none to what can be counted: a player may ask for more
    /// than any house allows.
    pub fn hundredths(hundredths: i64) -> Option<Multiple> {
        let multiple = u64::try_from(hundredths).ok().map(Multiple);
        multiple.filter(|multiple| *multiple <= Multiple::times(u32::MAX))
    }

    /// A stake has to be a multiple of this for its own multiple to be whole: 2 for `2.5`.
    pub const fn den(self) -> u32 {
        100 / gcd(self.0, 100) as u32
    }

    /// `flat × multiple × num ÷ den`, rounded down to the cent.
    pub const fn of(self, flat: Cents, num: u32, den: u32) -> Cents {
        flat.share(self.0 as i64 * num as i64, 100 * den as i64).0
    }
}

impl fmt::Display for Multiple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, below) = (self.0 / 100, self.0 % 100);
        if below == 0 {
            return write!(f, "{whole}");
        }
        write!(f, "{whole}.{}", format!("{below:02}").trim_end_matches('0'))
    }
}

impl FromStr for Multiple {
    type Err = String;

    fn from_str(text: &str) -> Result<Multiple, String> {
        parse_decimal(text, 2)
            .and_then(Multiple::hundredths)
            .filter(|multiple| multiple.0 > 0 && *multiple <= Multiple::MOST)
            .ok_or_else(|| format!("`{text}` is not a multiple, expected 2 or 2.5"))
    }
}

/// A part of a cent that breakage left behind, kept exactly beside the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Fraction {
    /// Numerator.
    pub num: i64,
    /// Denominator, positive; the fraction is always reduced.
    pub den: i64,
}

impl Fraction {
    /// Nothing.
    pub const ZERO: Fraction = Fraction { num: 0, den: 1 };

    /// `num / den`, reduced.
    pub const fn new(num: i64, den: i64) -> Fraction {
        let common = gcd(num.unsigned_abs(), den.unsigned_abs()) as i64;
        Fraction { num: num / common, den: den / common }
    }
}

impl Default for Fraction {
    fn default() -> Fraction {
        Fraction::ZERO
    }
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Add for Fraction {
    type Output = Fraction;

    fn add(self, other: Fraction) -> Fraction {
        if other.num == 0 {
            return self;
        }
        let common = gcd(self.den as u64, other.den as u64) as i64;
        let left = self.num.checked_mul(other.den / common);
        let right = other.num.checked_mul(self.den / common);
        let num = left.zip(right).and_then(|(left, right)| left.checked_add(right));
        let den = (self.den / common).checked_mul(other.den);
        let (num, den) = num.zip(den).expect("the memo of broken cents overflowed");
        Fraction::new(num, den)
    }
}

impl AddAssign for Fraction {
    fn add_assign(&mut self, other: Fraction) {
        *self = *self + other;
    }
}

impl Neg for Fraction {
    type Output = Fraction;

    fn neg(self) -> Fraction {
        Fraction { num: -self.num, den: self.den }
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den == 1 { self.num.fmt(f) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}
