//! Trackers: the lammers of side bets whose progress the table keeps, and how a roll moves them.

use serde::Serialize;

use crate::dice::{Total, Totals};
use crate::fate::{Awards, Fate};
use crate::spot::{AwardId, WagerId};
use crate::wager::{Opens, PaysBy, PaysKey, Shape, Wager};

/// The lammers of one side bet. They belong to the table: all bets riding on a wager share one
/// start and win or lose together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize)]
pub struct Tracker {
    /// The circles that carry a lammer.
    pub marks: Totals,
    /// The sequence being followed and how many of its rolls have matched.
    pub run: Run,
    /// How many bets are up on the wager.
    pub bets: u8,
    /// Whether those bets have survived a roll.
    pub riding: Riding,
    /// Its numbers were completed by the last roll, which may open a window for a re-bet.
    pub done: bool,
}

/// Progress along a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize)]
pub struct Run {
    /// Which sequence the first roll chose.
    pub sequence: u8,
    /// How many rolls have matched it.
    pub matched: u8,
}

/// Whether bets ride on a tracked wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Riding {
    /// No bet is up: the first one starts with an empty tracker.
    #[default]
    Idle,
    /// Bets are up that no roll has touched; others may join and they may be taken back.
    Fresh,
    /// Bets are up that have survived a roll.
    Standing,
}

impl Tracker {
    /// The tracker with one more bet on it; the first starts it anew.
    #[must_use]
    pub(crate) fn joined(self) -> Tracker {
        match self.riding {
            Riding::Idle => {
                Tracker { bets: 1, riding: Riding::Fresh, done: self.done, ..Tracker::default() }
            }
            _ => Tracker { bets: self.bets + 1, ..self },
        }
    }

    /// The tracker with one bet fewer; without any it is empty.
    #[must_use]
    pub(crate) fn left(self) -> Tracker {
        match self.bets {
            0 | 1 => Tracker { done: self.done, ..Tracker::default() },
            bets => Tracker { bets: bets - 1, ..self },
        }
    }

    /// Whether a bet that has survived a roll is up.
    pub fn is_standing(self) -> bool {
        self.riding == Riding::Standing
    }

    /// Whether `total` carries a lammer.
    pub fn is_marked(self, total: Total) -> bool {
        self.marks.contains(total)
    }
}

/// A tracked wager, compiled.
#[derive(Clone, Debug)]
pub(crate) struct TrackerRule {
    pub(crate) wager: WagerId,
    pub(crate) progress: Progress,
    /// Every number the wager looks for.
    pub(crate) numbers: Totals,
    /// Whether a completed wager may be bet again before a seven.
    pub(crate) rebet: bool,
    /// What reaching each rung pays when the wager ends there.
    pub(crate) rungs: Vec<Option<AwardId>>,
}

/// How a tracker moves.
#[derive(Clone, Debug)]
pub(crate) enum Progress {
    Numbers { collects: Totals, ends_on: Totals, repeats: Repeats },
    Sequence { sequences: Vec<Vec<Total>> },
}

/// What a number that has come before does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// Nothing: collect.
    Pass,
    /// It ends the wager: distinct.
    End,
}

impl TrackerRule {
    /// The fate of bets whose wager ended on `rung`.
    #[inline]
    pub(crate) fn ended(&self, rung: usize) -> Fate {
        match self.rungs[rung] {
            Some(award) => Fate::Win { award, stays: false },
            None => Fate::Lose,
        }
    }
}

/// The trackers of these wagers, in their order.
pub(crate) fn lay(wagers: &[Wager], awards: &mut Awards) -> Vec<TrackerRule> {
    let tracked = wagers.iter().enumerate();
    tracked.filter_map(|(place, wager)| rule(WagerId(place as u8), wager, awards)).collect()
}

fn rule(id: WagerId, wager: &Wager, awards: &mut Awards) -> Option<TrackerRule> {
    let (progress, unit) = match wager.shape.clone() {
        Shape::Collect { collects, ends_on } => {
            (Progress::Numbers { collects, ends_on, repeats: Repeats::Pass }, "numbers")
        }
        Shape::Distinct { collects, ends_on } => {
            (Progress::Numbers { collects, ends_on, repeats: Repeats::End }, "numbers")
        }
        Shape::Sequence { sequences } => (Progress::Sequence { sequences }, "rolls"),
        Shape::OneRoll { .. } | Shape::Race { .. } | Shape::Line { .. } | Shape::Odds { .. } => {
            return None;
        }
    };
    let numbers = match &progress {
        Progress::Numbers { collects, .. } => *collects,
        Progress::Sequence { sequences } => sequences.iter().flatten().copied().collect(),
    };
    let top = wager.shape.top_rung();
    let mut rung = |rung: u8| {
        let (event, due, key) = match &wager.pays {
            PaysBy::Same(due) => (rung == top).then(|| ("all numbers".to_owned(), *due, 0))?,
            pays => pays.due(PaysKey::Number(rung)).map(|due| (plural(rung, unit), due, rung))?,
        };
        let envy = wager.shared.envy.iter().find(|(of, _)| *of == key).map(|(_, envy)| *envy);
        Some(awards.add(id, event, due, envy))
    };
    let rungs = (0..=top).map(&mut rung).collect();
    let rebet = wager.window.opens == Opens::AfterSeven { rebet: true };
    Some(TrackerRule { wager: id, progress, numbers, rebet, rungs })
}

fn plural(count: u8, unit: &str) -> String {
    if count == 1 { format!("1 {}", unit.trim_end_matches('s')) } else { format!("{count} {unit}") }
}

/// Marks `total` on a tracker with bets up and tells what becomes of them.
#[inline]
pub(crate) fn advance(rule: &TrackerRule, tracker: &mut Tracker, total: Total) -> Fate {
    match &rule.progress {
        Progress::Numbers { collects, ends_on, repeats } => {
            let repeated = *repeats == Repeats::End && tracker.is_marked(total);
            if ends_on.contains(total) || repeated {
                return rule.ended(tracker.marks.len() as usize);
            }
            if collects.contains(total) {
                tracker.marks = tracker.marks.with(total);
            }
            let complete = tracker.marks == *collects;
            if complete { rule.ended(collects.len() as usize) } else { Fate::Stand }
        }
        Progress::Sequence { sequences } => {
            let matched = tracker.run.matched;
            let sequence = match matched {
                0 => sequences.iter().position(|sequence| sequence[0] == total),
                _ => {
                    let chosen = usize::from(tracker.run.sequence);
                    let expected = sequences[chosen][usize::from(matched)];
                    (expected == total).then_some(chosen)
                }
            };
            let Some(sequence) = sequence else { return rule.ended(usize::from(matched)) };
            tracker.marks = tracker.marks.with(total);
            tracker.run = Run { sequence: sequence as u8, matched: matched + 1 };
            let length = sequences[sequence].len();
            if usize::from(matched) + 1 == length { rule.ended(length) } else { Fate::Stand }
        }
    }
}
