//! When sessions are over, and why: chances by roll.

use craps::machine::End;
use craps_math::session::{Length, Over};

use super::PlanSession;

/// More points in time than this are more than anybody reads.
const POINTS: usize = 1_000;

/// What a reason is called: by programs, and in a sentence.
pub(crate) fn called(over: Over) -> (&'static str, &'static str) {
    match over {
        Over::Goal => ("goal", "reached the goal"),
        Over::Floor => ("floor", "sunk to the floor"),
        Over::Ended(End::Ruined) => ("ruined", "ruined"),
        Over::Ended(End::Left) => ("left", "left"),
        Over::Ended(End::Idle) => ("idle", "bets no more"),
        Over::Time => ("time", "time is up"),
    }
}

/// Whether its rolls are counted from the first: shooter by shooter they are not.
pub(crate) fn has_rolls(it: &PlanSession) -> bool {
    !matches!(it.session.length, Length::Shooters(2..))
}

/// The chance that it is over for each reason, in the order of [`Over::ALL`], within so many
/// rolls: after each, or after every few where there are many. Nothing where rolls are not
/// counted from the first.
pub(crate) fn over_by(it: &PlanSession) -> Vec<(u32, [f64; Over::ALL.len()])> {
    if !has_rolls(it) {
        return Vec::new();
    }
    let rolls = &it.outcome.by_roll;
    let every = rolls.len().div_ceil(POINTS).max(1);
    let mut sum = Over::ALL.map(|over| before(it, over));
    let mut points = vec![(0, sum)];
    for (roll, ended) in (1_u32..).zip(rolls) {
        for (sum, chance) in sum.iter_mut().zip(ended) {
            *sum += chance;
        }
        if (roll as usize).is_multiple_of(every) || roll as usize == rolls.len() {
            points.push((roll, sum));
        }
    }
    points
}

/// The chance that it was over before the first roll: all or nothing.
fn before(it: &PlanSession, over: Over) -> f64 {
    let rolled: f64 = it.outcome.by_roll.iter().map(|ended| ended[over.index()]).sum();
    (it.outcome.chance(over) - rolled).round() + 0.0
}

/// The first roll by which this share of those that end for a reason has done so.
pub(crate) fn by_share(it: &PlanSession, over: Over, share: f64) -> Option<u32> {
    let ended = it.outcome.by_roll.iter().map(|ended| ended[over.index()]);
    let whole: f64 = ended.clone().sum();
    if whole <= 0.0 || !has_rolls(it) {
        return None;
    }
    let mut sum = 0.0;
    (1_u32..).zip(ended).find_map(|(roll, chance)| {
        sum += chance;
        (sum >= whole * share).then_some(roll)
    })
}
