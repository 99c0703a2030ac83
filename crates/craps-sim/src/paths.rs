//! What only the way there tells: the highest and the lowest a session stood, its largest drop, its
//! longest hand, and the money at moments along it. Sessions are followed roll by roll, one after
//! the other, so only the first of many are.

use std::ops::Range;

use craps::machine::{Length, Over};
use craps::{Cents, Roll};

use crate::course::{Course, Watch};
use crate::dice::Dice;
use crate::run::{Job, Progress, in_batches};
use crate::tally::Counts;

/// Sessions that are taken up, and kept, together.
const BATCH: u64 = 1 << 9;

/// A fan has about so many moments.
const MOMENTS: u64 = 64;

/// What was seen along sessions, in cells of equity and in rolls: whole numbers that add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// The highest they stood, the start included.
    pub peak: Counts,
    /// The lowest.
    pub trough: Counts,
    /// The most they fell from where they had stood before.
    pub drawdown: Counts,
    /// The rolls of their longest hand; one that time cut short counts as far as it went.
    pub longest_hand: Counts,
    /// Where they stood after so many rolls, where they last so many; those that are over stay
    /// where they ended.
    pub fan: Vec<(u32, Counts)>,
}

/// After how many rolls a fan looks: none where sessions do not last so many rolls.
fn moments(length: Length) -> Vec<u32> {
    let Length::Rolls(rolls) = length else { return Vec::new() };
    let mut moments: Vec<u32> =
        (0..=MOMENTS).map(|place| (u64::from(rolls) * place / MOMENTS) as u32).collect();
    moments.dedup();
    moments
}

impl Paths {
    /// Nothing yet, of sessions on this course.
    pub fn new(course: &Course) -> Paths {
        let least = -course.session.bankroll.0 / course.unit;
        let equity = || Counts::from(least);
        let moments = moments(course.session.length);
        Paths {
            peak: Counts::from(0),
            trough: equity(),
            drawdown: Counts::from(0),
            longest_hand: Counts::from(0),
            fan: moments.into_iter().map(|rolls| (rolls, equity())).collect(),
        }
    }

    /// How many sessions were followed.
    pub fn sessions(&self) -> u64 {
        self.peak.total()
    }

    /// Adds what was seen along others.
    pub fn merge(&mut self, others: &Paths) {
        self.peak.merge(&others.peak);
        self.trough.merge(&others.trough);
        self.drawdown.merge(&others.drawdown);
        self.longest_hand.merge(&others.longest_hand);
        for ((_, counts), (_, others)) in self.fan.iter_mut().zip(&others.fan) {
            counts.merge(others);
        }
    }

    /// Follows one more session.
    fn follow(&mut self, course: &Course, dice: Dice, number: u64) {
        let mut seen = Seen { fan: &mut self.fan, ..Seen::new() };
        seen.look(0, 0);
        let ended = course.play(dice, number, &mut seen);
        let Seen { next, peak, trough, drawdown, hand, longest, .. } = seen;
        for (_, counts) in &mut self.fan[next..] {
            counts.add(ended.cell, 1);
        }
        self.peak.add(peak, 1);
        self.trough.add(trough, 1);
        self.drawdown.add(drawdown, 1);
        self.longest_hand.add(longest.max(hand).into(), 1);
    }
}

/// Somebody who follows a session.
struct Seen<'a> {
    fan: &'a mut [(u32, Counts)],
    /// The next moment to look at.
    next: usize,
    peak: i64,
    trough: i64,
    drawdown: i64,
    /// The rolls of this hand, and of the longest before it.
    hand: u32,
    longest: u32,
}

impl Seen<'_> {
    fn new() -> Self {
        let fan = &mut [];
        Seen { fan, next: 0, peak: 0, trough: 0, drawdown: 0, hand: 0, longest: 0 }
    }

    fn look(&mut self, cell: i64, rolls: u32) {
        if let Some((moment, counts)) = self.fan.get_mut(self.next)
            && *moment == rolls
        {
            counts.add(cell, 1);
            self.next += 1;
        }
    }
}

impl Watch for &mut Seen<'_> {
    #[inline]
    fn rolled(&mut self, cell: i64, rolls: u32, seven_out: bool) {
        self.look(cell, rolls);
        self.peak = self.peak.max(cell);
        self.trough = self.trough.min(cell);
        self.drawdown = self.drawdown.max(self.peak - cell);
        self.hand += 1;
        if seven_out {
            self.longest = self.longest.max(self.hand);
            self.hand = 0;
        }
    }
}

/// Follows the sessions of a job, whatever its kernel; `progress` is told how far they have come,
/// from whichever thread, and says whether to go on. Gives what was seen along the sessions done:
/// all from the first on, without a gap.
pub fn follow(job: &Job<'_>, progress: impl Fn(Progress) -> bool + Sync) -> (Paths, Range<u64>) {
    let Job { course, dice, .. } = job;
    let new = || Paths::new(course);
    let play = |paths: &mut Paths, batch: Range<u64>| {
        for number in batch {
            paths.follow(course, *dice, number);
        }
    };
    in_batches(job, BATCH, new, play, Paths::merge, progress)
}

/// One session by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The dice, to the last roll that counts.
    pub rolls: Vec<Roll>,
    /// Why it was over.
    pub over: Over,
    /// What was there in the end.
    pub equity: Cents,
}

impl Course {
    /// Plays one session by itself.
    pub fn show(&self, dice: Dice, number: u64) -> Shown {
        let ended = self.play(dice, number, ());
        Shown {
            rolls: dice.rolls(number).take(ended.rolls as usize).collect(),
            over: ended.over,
            equity: self.equity(ended.cell),
        }
    }
}
