//! The stick calls the roll, once for the whole table: puck, lammers, and how tracked wagers end.

use crate::dice::{Roll, Total, Totals};
use crate::fate::Fate;
use crate::hand::{Begun, Hand};
use crate::puck::Puck;
use crate::rules::Rules;
use crate::tracker::{Riding, Tracker, TrackerRule, cell};
use crate::wager::{Lammers, Rebet};

/// A roll as the stick called it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called {
    /// The dice.
    pub roll: Roll,
    /// The puck as it stood when the dice were thrown: base wagers are settled against it.
    pub puck: Puck,
    /// The hand after the roll.
    pub hand: Hand,
    /// What became of the bets on each tracker.
    pub fates: [Fate; Hand::TRACKERS],
}

impl Called {
    /// Whether the shooter sevened out.
    pub fn is_seven_out(&self) -> bool {
        self.puck.is_seven_out(self.roll.total())
    }
}

/// What the stick says: `seven, front line winner` or `easy six, mark the 6`.
pub fn stick_call(puck: Puck, roll: Roll, points: Totals) -> String {
    let total = roll.total();
    let number = match (total.number(), roll.is_hard()) {
        // What is a point is no craps.
        (2, _) if points.contains(total) => "aces",
        (3, _) if points.contains(total) => "ace deuce",
        (12, _) if points.contains(total) => "boxcars",
        (2, _) => "aces, craps two",
        (3, _) => "ace deuce, craps three",
        (4, true) => "four, the hard way",
        (4, false) => "easy four",
        (5, _) => "five, no field five",
        (6, true) => "six, the hard way",
        (6, false) => "easy six",
        (8, true) => "eight, the hard way",
        (8, false) => "easy eight",
        (9, _) => "nine, centre field",
        (10, true) => "ten, the hard way",
        (10, false) => "easy ten",
        (11, _) => "yo eleven",
        (12, _) => "boxcars, craps twelve",
        _ => "seven",
    };
    match puck {
        Puck::Off if total == Total::SEVEN => "seven, front line winner".to_owned(),
        Puck::Off if points.contains(total) => format!("{number}, mark the {total}"),
        Puck::Off if total.number() == 11 => format!("{number}, front line winner"),
        Puck::Off => format!("{number}, line away"),
        Puck::On(_) if total == Total::SEVEN => "seven out, line away".to_owned(),
        Puck::On(point) if total == point => format!("{number}, winner"),
        Puck::On(_) => number.to_owned(),
    }
}

/// Calls `roll` on `hand`.
///
/// ```
/// use craps::{Hand, Library, Puck, Rules, call};
/// let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
/// let called = call(&rules, &Hand::default(), "4-4".parse().unwrap());
/// assert_eq!(called.hand.puck.to_string(), "8");
/// assert!(call(&rules, &called.hand, "5-2".parse().unwrap()).is_seven_out());
/// ```
pub fn call(rules: &Rules, hand: &Hand, roll: Roll) -> Called {
    let mut called =
        Called { roll, puck: hand.puck, hand: *hand, fates: [Fate::Stand; Hand::TRACKERS] };
    move_on(rules, &mut called.hand, roll, &mut called.fates);
    called
}

/// Moves a hand on by a roll, and tells what becomes of the bets on each tracker.
#[inline]
pub(crate) fn move_on(
    rules: &Rules,
    hand: &mut Hand,
    roll: Roll,
    fates: &mut [Fate; Hand::TRACKERS],
) {
    let total = roll.total();
    let (puck, seen) = (hand.puck, hand.seen);
    hand.puck = puck.after(total, rules.points);
    if rules.remembers {
        hand.seen = if total == Total::SEVEN { Totals::NONE } else { seen.with(total) };
    }
    if rules.counts_hands {
        hand.begun = if puck.is_seven_out(total) { Begun::No } else { Begun::Yes };
    }
    let cell = cell(puck, roll.combination());
    let trackers = hand.trackers.iter_mut().zip(fates);
    for (rule, (tracker, fate)) in rules.trackers.iter().zip(trackers) {
        if tracker.riding == Riding::Idle {
            idle(rule, tracker, cell, seen, hand.seen);
            continue;
        }
        *fate = rule.advance(tracker, cell);
        if *fate == Fate::Stand {
            tracker.riding = Riding::Standing;
            tracker.done = false;
        } else {
            let completed = rule.rebet != Rebet::No && rule.is_complete(*tracker);
            *tracker = Tracker::idle(completed);
        }
    }
}

/// What a roll does to a tracker without bets: it may open a window, or find lammers to move.
#[inline]
fn idle(rule: &TrackerRule, tracker: &mut Tracker, cell: usize, seen: Totals, now: Totals) {
    let completed = now.covers(rule.numbers);
    tracker.done = match rule.rebet {
        Rebet::No => false,
        Rebet::OneRoll => completed && !seen.covers(rule.numbers),
        Rebet::UntilSeven => completed,
    };
    if rule.lammers == Lammers::Always && rule.advance(tracker, cell) != Fate::Stand {
        *tracker = Tracker::idle(tracker.done);
    }
}
