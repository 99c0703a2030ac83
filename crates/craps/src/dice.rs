//! The dice: two of them, thirty-six ordered rolls, twenty-one combinations, eleven totals.
//!
//! Nothing here draws a roll. Dice are always an argument, handed in by whoever threw them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One throw of two dice, in order: `3-4` and `4-3` are different rolls of one [`Combination`].
///
/// ```
/// use craps::Roll;
/// let roll: Roll = "3-4".parse().unwrap();
/// assert_eq!(roll.total().number(), 7);
/// assert_eq!(Roll::all().filter(|roll| roll.total().number() == 7).count(), 6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Roll(u8);

impl Roll {
    /// How many ordered rolls there are.
    pub const COUNT: usize = 36;

    /// The roll of two faces, or nothing if either is not 1 to 6.
    pub const fn new(first: u8, second: u8) -> Option<Roll> {
        match (first, second) {
            (1..=6, 1..=6) => Some(Roll((first - 1) * 6 + second - 1)),
            _ => None,
        }
    }

    /// All thirty-six rolls, each equally likely.
    pub fn all() -> impl Iterator<Item = Roll> + Clone {
        (0..Roll::COUNT as u8).map(Roll)
    }

    /// The roll at `index % 36` of [`Roll::all`].
    pub const fn from_index(index: usize) -> Roll {
        Roll((index % Roll::COUNT) as u8)
    }

    /// The place of this roll in [`Roll::all`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The two faces in the order they were read.
    pub const fn faces(self) -> (u8, u8) {
        (self.0 / 6 + 1, self.0 % 6 + 1)
    }

    /// The sum of the faces.
    pub const fn total(self) -> Total {
        let (first, second) = self.faces();
        Total(first + second)
    }

    /// Both faces alike: the hard way.
    pub const fn is_hard(self) -> bool {
        let (first, second) = self.faces();
        first == second
    }

    /// The roll with the order of the dice forgotten.
    pub const fn combination(self) -> Combination {
        Combination(COMBINATION_OF[self.0 as usize])
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.faces();
        write!(f, "{first}-{second}")
    }
}

/// Why a text is not a roll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotARoll(String);

impl fmt::Display for NotARoll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a roll, expected two faces from 1 to 6 such as 3-4", self.0)
    }
}

impl std::error::Error for NotARoll {}

impl FromStr for Roll {
    type Err = NotARoll;

    fn from_str(text: &str) -> Result<Roll, NotARoll> {
        let face = |text: &str| match text.as_bytes() {
            [digit @ b'1'..=b'6'] => Some(digit - b'0'),
            _ => None,
        };
        text.split_once('-')
            .and_then(|(first, second)| Roll::new(face(first)?, face(second)?))
            .ok_or_else(|| NotARoll(text.to_owned()))
    }
}

impl Serialize for Roll {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Roll {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Roll, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A roll whose order is forgotten: `1-1`, `1-2`, … `6-6`, twenty-one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combination(u8);

const COMBINATION_OF: [u8; Roll::COUNT] = {
    let mut table = [0; Roll::COUNT];
    let mut index = 0;
    while index < Roll::COUNT {
        let (first, second) = Roll(index as u8).faces();
        let (low, high) = if first < second { (first, second) } else { (second, first) };
        // Combinations are listed by their lower face: 6 that start with 1, 5 with 2, and so on.
        table[index] = (low - 1) * (14 - low) / 2 + high - low;
        index += 1;
    }
    table
};

impl Combination {
    /// How many combinations there are.
    pub const COUNT: usize = 21;

    /// All twenty-one, from `1-1` to `6-6`.
    pub fn all() -> impl Iterator<Item = Combination> + Clone {
        (0..Combination::COUNT as u8).map(Combination)
    }

    /// The place of this combination in [`Combination::all`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The roll of this combination whose lower face comes first.
    pub fn roll(self) -> Roll {
        Roll::all().find(|roll| roll.combination() == self).expect("every combination is rolled")
    }

    /// How many of the thirty-six rolls show it: one for a pair, two otherwise.
    pub fn ways(self) -> u32 {
        if self.roll().is_hard() { 1 } else { 2 }
    }
}

impl fmt::Display for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.roll().fmt(f)
    }
}

/// The sum of two dice, 2 to 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "u8")]
pub struct Total(u8);

impl Total {
    /// The total that decides most things on the layout.
    pub const SEVEN: Total = Total(7);

    /// A total, or nothing outside 2 to 12.
    pub const fn new(number: u8) -> Option<Total> {
        match number {
            2..=12 => Some(Total(number)),
            _ => None,
        }
    }

    /// All eleven totals in order.
    pub fn all() -> impl Iterator<Item = Total> + Clone {
        (2..=12).map(Total)
    }

    /// The total as a plain number.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Total {
    type Error = String;

    fn try_from(number: u8) -> Result<Total, String> {
        Total::new(number).ok_or_else(|| format!("{number} is not a total of two dice"))
    }
}

impl From<Total> for u8 {
    fn from(total: Total) -> u8 {
        total.0
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of totals, such as the circles of a side bet that carry a lammer.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Totals(u16);

impl Totals {
    /// No totals.
    pub const NONE: Totals = Totals(0);

    /// The set as a number, no two sets the same.
    #[inline]
    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    /// The set of this number.
    pub(crate) const fn from_bits(bits: u16) -> Totals {
        Totals(bits)
    }

    /// Whether `total` is in the set.
    pub const fn contains(self, total: Total) -> bool {
        self.0 & (1 << total.0) != 0
    }

    /// The set with `total` added.
    #[must_use]
    pub const fn with(self, total: Total) -> Totals {
        Totals(self.0 | 1 << total.0)
    }

    /// The set with `total` left out.
    #[must_use]
    pub const fn without(self, total: Total) -> Totals {
        Totals(self.0 & !(1 << total.0))
    }

    /// What is in either set.
    #[must_use]
    pub const fn union(self, other: Totals) -> Totals {
        Totals(self.0 | other.0)
    }

    /// What is in both sets.
    #[must_use]
    pub const fn intersection(self, other: Totals) -> Totals {
        Totals(self.0 & other.0)
    }

    /// What is in this set and not in `other`.
    #[must_use]
    pub const fn difference(self, other: Totals) -> Totals {
        Totals(self.0 & !other.0)
    }

    /// Whether every total of `other` is in this set.
    pub const fn covers(self, other: Totals) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many totals are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The totals of the set in order.
    pub fn iter(self) -> impl Iterator<Item = Total> + Clone {
        Total::all().filter(move |total| self.contains(*total))
    }
}

impl FromIterator<Total> for Totals {
    fn from_iter<I: IntoIterator<Item = Total>>(totals: I) -> Totals {
        totals.into_iter().fold(Totals::NONE, Totals::with)
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, total) in self.iter().enumerate() {
            if place > 0 {
                f.write_str(" ")?;
            }
            total.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

impl Serialize for Totals {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// An event on the dice: a set of rolls, one bit for each of the thirty-six.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rolls(u64);

impl Rolls {
    /// No roll at all.
    pub const NONE: Rolls = Rolls(0);

    /// Every roll that satisfies a condition.
    pub fn such_that(condition: impl Fn(Roll) -> bool) -> Rolls {
        Roll::all().filter(|roll| condition(*roll)).collect()
    }

    /// Whether `roll` is in the set.
    pub const fn contains(self, roll: Roll) -> bool {
        self.0 & (1 << roll.0) != 0
    }

    /// What is in either set.
    #[must_use]
    pub const fn union(self, other: Rolls) -> Rolls {
        Rolls(self.0 | other.0)
    }

    /// What is in both sets.
    #[must_use]
    pub const fn intersection(self, other: Rolls) -> Rolls {
        Rolls(self.0 & other.0)
    }

    /// What is in this set and not in `other`.
    #[must_use]
    pub const fn difference(self, other: Rolls) -> Rolls {
        Rolls(self.0 & !other.0)
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many of the thirty-six rolls are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The rolls of the set in order.
    pub fn iter(self) -> impl Iterator<Item = Roll> + Clone {
        Roll::all().filter(move |roll| self.contains(*roll))
    }
}

impl FromIterator<Roll> for Rolls {
    fn from_iter<I: IntoIterator<Item = Roll>>(rolls: I) -> Rolls {
        Rolls(rolls.into_iter().fold(0, |bits, roll| bits | 1 << roll.0))
    }
}
