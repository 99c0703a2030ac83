//! Runs added up: the same plan at the same table on the same dice, other sessions.

use std::ops::Range;

use craps::{Cents, hex};
use craps_math::sample::Sample;

use super::{Along, PlanSim, SimInputs};
use crate::session::rows::lasting;

/// Adds runs up. A sentence names what differs, or which sessions are in two of them.
pub fn merge_sims(runs: Vec<PlanSim>) -> Result<PlanSim, String> {
    let mut runs = runs.into_iter();
    let mut all = runs.next().ok_or("there is nothing to add up")?;
    for run in runs {
        add(&mut all, run)?;
    }
    Ok(all)
}

fn add(all: &mut PlanSim, run: PlanSim) -> Result<(), String> {
    let named = named(&all.inputs).into_iter().zip(named(&run.inputs));
    if let Some(((name, one), (_, other))) = named.into_iter().find(|(one, other)| one != other) {
        return Err(format!("these runs do not add up, {name} differs: {one} and {other}"));
    }
    all.ranges = joined(&all.ranges, &run.ranges)?;
    for (sample, other) in all.finals.iter_mut().zip(&run.finals) {
        *sample = added(sample, other);
    }
    for (sample, other) in all.rolls.iter_mut().zip(&run.rolls) {
        *sample = added(sample, other);
    }
    let (one, other) = (&all.along, &run.along);
    let fan = one.fan.iter().zip(&other.fan);
    all.along = Along {
        peak: added(&one.peak, &other.peak),
        trough: added(&one.trough, &other.trough),
        drawdown: added(&one.drawdown, &other.drawdown),
        longest_hand: added(&one.longest_hand, &other.longest_hand),
        fan: fan.map(|((rolls, one), (_, other))| (*rolls, added(one, other))).collect(),
    };
    // Either may have gone without it; where both have it, it is the same.
    all.exact = all.exact.take().or(run.exact);
    Ok(())
}

fn added(one: &Sample, other: &Sample) -> Sample {
    Sample::new(one.counts().iter().chain(other.counts()).copied())
}

/// All that has to be the same, by name. Left out is what follows from the rest.
fn named(inputs: &SimInputs) -> [(&'static str, String); 16] {
    let SimInputs { played, session, .. } = inputs;
    let [params, rules, options, meters, hash] = played.lines();
    let amount =
        |amount: Option<Cents>| amount.map_or("none".to_owned(), |amount| format!("${amount}"));
    let words = |(name, words): (&'static str, String)| match words.is_empty() {
        true => (name, "none".to_owned()),
        false => (name, words),
    };
    [
        ("plan", inputs.plan.clone()),
        words(params),
        words(rules),
        words(options),
        words(meters),
        words(hash),
        ("machine_sha256", hex::encode(&inputs.machine_hash)),
        ("generator", inputs.generator.clone()),
        ("seed", inputs.seed.to_string()),
        ("bankroll", format!("${}", session.bankroll)),
        ("goal", amount(session.goal)),
        ("floor", amount(session.floor)),
        ("length", lasting(session.length, inputs.pace)),
        ("most_rolls", inputs.most_rolls.to_string()),
        ("pace", inputs.pace.to_string()),
        ("followed_below", inputs.followed_below.to_string()),
    ]
}

/// The ranges of both in order, those that touch made one.
fn joined(one: &[Range<u64>], other: &[Range<u64>]) -> Result<Vec<Range<u64>>, String> {
    let mut all: Vec<Range<u64>> = one.iter().chain(other).cloned().collect();
    all.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in all {
        match joined.last_mut() {
            Some(last) if range.start < last.end => {
                let to = last.end.min(range.end) - 1;
                let from = range.start;
                return Err(format!("sessions {from} to {to} are in two of these runs"));
            }
            Some(last) if range.start == last.end => last.end = range.end,
            _ => joined.push(range),
        }
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges(of: &[(u64, u64)]) -> Vec<Range<u64>> {
        of.iter().map(|(from, to)| *from..*to).collect()
    }

    #[track_caller]
    fn check(one: &[(u64, u64)], other: &[(u64, u64)], expected: Result<&[(u64, u64)], &str>) {
        let joined = joined(&ranges(one), &ranges(other));
        assert_eq!(joined, expected.map(ranges).map_err(str::to_owned));
    }

    #[test]
    fn ranges_join_where_they_touch() {
        check(&[(0, 5), (9, 12)], &[(5, 7)], Ok(&[(0, 7), (9, 12)]));
        check(&[(5, 7)], &[(0, 5)], Ok(&[(0, 7)]));
        check(&[], &[(3, 4)], Ok(&[(3, 4)]));
        let twice = "sessions 4 to 4 are in two of these runs";
        check(&[(0, 5), (9, 12)], &[(4, 9)], Err(twice));
        let inside = "sessions 10 to 19 are in two of these runs";
        check(&[(0, 100)], &[(10, 20)], Err(inside));
    }
}
