//! Samples for programs, and read again: whole numbers, so that runs add up.

use std::collections::BTreeMap;

use craps::{Cents, hex};
use craps_math::sample::Sample;
use craps_math::session::{Length, Over, Session};
use serde::{Deserialize, Serialize};

use super::rows::ROWS;
use super::{Along, Exact, Hourly, PlanSim, SimInputs};
use crate::session::Played;
use crate::session::over::called;
use crate::session::rows::Value;

/// How often each number came.
type Counts = Vec<(i64, u64)>;
/// Counts by why sessions were over.
type ByReason = BTreeMap<String, Counts>;

/// A sample as JSON says it; amounts are cents.
#[derive(Serialize, Deserialize)]
struct Object {
    plan: String,
    about: String,
    params: Vec<(String, String)>,
    rules: String,
    rules_sha256: String,
    options: Vec<String>,
    meters: Vec<(String, i64)>,
    positions: usize,
    machine_sha256: String,
    generator: String,
    seed: u64,
    bankroll: i64,
    goal: Option<i64>,
    floor: Option<i64>,
    rolls: Option<u32>,
    shooters: Option<u32>,
    most_rolls: u32,
    pace: u32,
    unit: i64,
    followed_below: u64,
    /// The first session of each range, and the one after its last.
    sessions: Vec<(u64, u64)>,
    /// What was won in all, and its squares.
    sum: String,
    squares: String,
    rolled: String,
    finals: ByReason,
    over_after: ByReason,
    peak: Counts,
    trough: Counts,
    drawdown: Counts,
    longest_hand: Counts,
    fan: Vec<(u32, Counts)>,
    hourly: Option<Hourly>,
    exact: Option<Exact>,
    /// What people read, worked out again wherever this is read.
    #[serde(skip_deserializing)]
    figures: BTreeMap<&'static str, Written>,
}

#[derive(Serialize, Default)]
struct Written {
    sampled: Option<Number>,
    error: Option<f64>,
    exact: Option<Number>,
    apart: Option<f64>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Number {
    Number(f64),
    Words(String),
}

/// Samples as JSON: an array, one object a plan, each in a line.
pub fn sim_json(sims: &[PlanSim]) -> String {
    let line = |it| serde_json::to_string(&object(it)).expect("samples are plain data");
    let lines: Vec<String> = sims.iter().map(line).collect();
    match lines.is_empty() {
        true => "[]".to_owned(),
        false => format!("[\n{}\n]", lines.join(",\n")),
    }
}

/// Reads what [`sim_json`] wrote; a sentence says what is wrong with it.
pub fn read_sim(text: &str) -> Result<Vec<PlanSim>, String> {
    let objects: Vec<Object> = serde_json::from_str(text)
        .map_err(|error| format!("this is not what `boxman sim --json` writes: {error}"))?;
    if objects.is_empty() {
        return Err("no run is in it".to_owned());
    }
    objects.into_iter().map(read).collect()
}

fn object(it: &PlanSim) -> Object {
    let SimInputs { played, session, .. } = &it.inputs;
    let inputs = &it.inputs;
    let (sum, squares) = it.equity().sums(session.bankroll.0);
    let counts = |sample: &Sample| sample.counts().to_vec();
    let by_reason = |samples: &[Sample; Over::ALL.len()]| {
        let named = Over::ALL.map(|over| called(over).0.to_owned());
        named.into_iter().zip(samples.iter().map(counts)).collect()
    };
    let along = &it.along;
    Object {
        plan: inputs.plan.clone(),
        about: played.about.clone(),
        params: played.params.clone(),
        rules: played.rules.clone(),
        rules_sha256: hex::encode(&played.rules_hash),
        options: played.options.clone(),
        meters: played.meters.iter().map(|(name, amount)| (name.clone(), amount.0)).collect(),
        positions: inputs.positions,
        machine_sha256: hex::encode(&inputs.machine_hash),
        generator: inputs.generator.clone(),
        seed: inputs.seed,
        bankroll: session.bankroll.0,
        goal: session.goal.map(|goal| goal.0),
        floor: session.floor.map(|floor| floor.0),
        rolls: match session.length {
            Length::Rolls(rolls) => Some(rolls),
            _ => None,
        },
        shooters: match session.length {
            Length::Shooters(shooters) => Some(shooters),
            _ => None,
        },
        most_rolls: inputs.most_rolls,
        pace: inputs.pace,
        unit: inputs.unit.0,
        followed_below: inputs.followed_below,
        sessions: it.ranges.iter().map(|range| (range.start, range.end)).collect(),
        sum: sum.to_string(),
        squares: squares.to_string(),
        rolled: it.rolled().to_string(),
        finals: by_reason(&it.finals),
        over_after: by_reason(&it.rolls),
        peak: counts(&along.peak),
        trough: counts(&along.trough),
        drawdown: counts(&along.drawdown),
        longest_hand: counts(&along.longest_hand),
        fan: along.fan.iter().map(|(rolls, sample)| (*rolls, counts(sample))).collect(),
        hourly: inputs.hourly,
        exact: it.exact.clone(),
        figures: figures(it),
    }
}

fn figures(it: &PlanSim) -> BTreeMap<&'static str, Written> {
    let number = |value: Value| match value {
        Value::Words(words) => Number::Words(words),
        value => Number::Number(value.number().unwrap_or_default()),
    };
    let written = ROWS.iter().filter_map(|row| {
        let figure = (row.figure)(it)?;
        let (sampled, exact) = (figure.sampled.map(number), figure.exact.map(number));
        Some((row.key, Written { sampled, error: figure.error, exact, apart: figure.apart }))
    });
    written.collect()
}

fn read(object: Object) -> Result<PlanSim, String> {
    let plan = object.plan.clone();
    let wrong = |what: &str| format!("{plan}: {what}, so this file is damaged");
    let hash = |text: &str| hex::decode(text).ok_or_else(|| wrong("a hash is no SHA-256"));
    let by_reason = |mut counts: ByReason| {
        Over::ALL.map(|over| Sample::new(counts.remove(called(over).0).unwrap_or_default()))
    };
    let length = match (object.rolls, object.shooters) {
        (Some(rolls), None) => Length::Rolls(rolls),
        (None, Some(shooters)) => Length::Shooters(shooters),
        (None, None) => Length::Open,
        _ => return Err(wrong("it has both rolls and shooters")),
    };
    let session = Session {
        bankroll: Cents(object.bankroll),
        length,
        goal: object.goal.map(Cents),
        floor: object.floor.map(Cents),
    };
    let meters = object.meters.into_iter().map(|(name, amount)| (name, Cents(amount)));
    let played = Played {
        about: object.about,
        params: object.params,
        rules: object.rules,
        rules_hash: hash(&object.rules_sha256)?,
        options: object.options,
        meters: meters.collect(),
    };
    let inputs = SimInputs {
        plan: object.plan,
        played,
        positions: object.positions,
        machine_hash: hash(&object.machine_sha256)?,
        generator: object.generator,
        seed: object.seed,
        session,
        most_rolls: object.most_rolls,
        pace: object.pace,
        unit: Cents(object.unit),
        followed_below: object.followed_below,
        hourly: object.hourly,
    };
    let fan = object.fan.into_iter().map(|(rolls, counts)| (rolls, Sample::new(counts)));
    let along = Along {
        peak: Sample::new(object.peak),
        trough: Sample::new(object.trough),
        drawdown: Sample::new(object.drawdown),
        longest_hand: Sample::new(object.longest_hand),
        fan: fan.collect(),
    };
    let it = PlanSim {
        inputs,
        ranges: object.sessions.into_iter().map(|(from, to)| from..to).collect(),
        finals: by_reason(object.finals),
        rolls: by_reason(object.over_after),
        along,
        exact: object.exact.map(Exact::rounded),
        speed: None,
    };
    counted(&it).map_err(wrong)?;
    Ok(it)
}

/// Whether the counts are as many as the sessions.
fn counted(it: &PlanSim) -> Result<(), &'static str> {
    let in_order = it.ranges.is_sorted_by(|a, b| a.end < b.start);
    if !in_order || it.ranges.iter().any(|range| range.start >= range.end) {
        return Err("its ranges of sessions are not in order");
    }
    let sessions: u64 = it.ranges.iter().map(|range| range.end - range.start).sum();
    let below = it.inputs.followed_below;
    let followed = it.ranges.iter().map(|range| range.end.min(below).saturating_sub(range.start));
    let followed: u64 = followed.sum();
    let rolls: u64 = it.rolls.iter().map(Sample::size).sum();
    let Along { peak, trough, drawdown, longest_hand, fan } = &it.along;
    let along = [peak, trough, drawdown, longest_hand].into_iter();
    let mut along = along.chain(fan.iter().map(|(_, sample)| sample));
    if it.sessions() != sessions || rolls != sessions {
        return Err("its counts are not as many as its sessions");
    }
    if along.any(|sample| sample.size() != followed) {
        return Err("what was seen along the way is not as much as was followed");
    }
    Ok(())
}
