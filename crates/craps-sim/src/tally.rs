//! What came of many sessions, counted: whole numbers that add up, in whatever order they come.

use std::collections::BTreeMap;

use craps::machine::Over;

use crate::course::{Course, Ended};

/// How often each whole number came, kept densely where it can be.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// The number that the first of `dense` counts.
    low: i64,
    dense: Vec<u64>,
    /// What lies too far away.
    far: BTreeMap<i64, u64>,
}

/// A dense part is no longer than this.
const DENSE: i64 = 1 << 21;

impl Counts {
    /// Counts from `low` on.
    pub(crate) fn from(low: i64) -> Counts {
        Counts { low, ..Counts::default() }
    }

    /// Counts a number once more, or so many times.
    #[inline]
    pub fn add(&mut self, number: i64, times: u64) {
        let place = number.wrapping_sub(self.low) as u64;
        match self.dense.get_mut(place as usize) {
            Some(count) => *count += times,
            None => self.grow(number, times),
        }
    }

    #[cold]
    fn grow(&mut self, number: i64, times: u64) {
        let place = number.wrapping_sub(self.low);
        if (0..DENSE).contains(&place) {
            let longer = (place as usize + 1).next_power_of_two();
            self.dense.resize(longer.min(DENSE as usize), 0);
            self.dense[place as usize] += times;
        } else {
            *self.far.entry(number).or_default() += times;
        }
    }

    /// Every number that came, and how often, least first.
    pub fn iter(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        let below = self.far.range(..self.low).map(|(number, times)| (*number, *times));
        let dense = (self.low..).zip(&self.dense).map(|(number, times)| (number, *times));
        let above = self.far.range(self.low..).map(|(number, times)| (*number, *times));
        below.chain(dense.filter(|(_, times)| *times > 0)).chain(above)
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.dense.iter().chain(self.far.values()).sum()
    }

    /// Adds what others counted.
    pub fn merge(&mut self, others: &Counts) {
        for (number, times) in others.iter() {
            self.add(number, times);
        }
    }
}

/// Counted alike, however it is kept.
impl PartialEq for Counts {
    fn eq(&self, other: &Counts) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Counts {}

/// What came of sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// How many ended with each cell of equity, by reason in the order of [`Over::ALL`].
    pub finals: [Counts; Over::ALL.len()],
    /// How many were over after so many rolls, by reason.
    pub rolls: [Counts; Over::ALL.len()],
}

impl Tally {
    /// Nothing yet, of sessions on this course.
    pub fn new(course: &Course) -> Tally {
        let least = -course.session.bankroll.0 / course.unit;
        Tally {
            finals: std::array::from_fn(|_| Counts::from(least)),
            rolls: std::array::from_fn(|_| Counts::from(0)),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, ended: Ended) {
        let reason = ended.over.index();
        self.finals[reason].add(ended.cell, 1);
        self.rolls[reason].add(i64::from(ended.rolls), 1);
    }

    /// How many sessions there were.
    pub fn sessions(&self) -> u64 {
        self.finals.iter().map(Counts::total).sum()
    }

    /// How many rolls were thrown.
    pub fn rolled(&self) -> u128 {
        let all = self.rolls.iter().flat_map(Counts::iter);
        all.map(|(rolls, times)| rolls as u128 * u128::from(times)).sum()
    }

    /// Adds what came of other sessions.
    pub fn merge(&mut self, others: &Tally) {
        let finals = self.finals.iter_mut().zip(&others.finals);
        for (counts, others) in finals.chain(self.rolls.iter_mut().zip(&others.rolls)) {
            counts.merge(others);
        }
    }
}
