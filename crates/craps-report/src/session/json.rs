//! Sessions for programs: everything there is, in cents and plain numbers.

use std::collections::BTreeMap;

use craps_math::session::{FAN, Length, Over};
use serde::{Serialize, Serializer};

use super::PlanSession;
use super::rows::{ROWS, Value, compared};

/// A session as JSON says it; amounts are cents, chances numbers.
#[derive(Serialize)]
struct Object<'a> {
    plan: &'a str,
    played: BTreeMap<&'static str, String>,
    positions: usize,
    found: Option<&'a str>,
    bankroll: i64,
    goal: Option<i64>,
    floor: Option<i64>,
    rolls: Option<u32>,
    shooters: Option<u32>,
    figures: Figures<'a>,
    chances: Chances,
    ahead: f64,
    even: f64,
    behind: f64,
    mean: f64,
    staying_bets_worth: Option<f64>,
    deviation: f64,
    quantiles: Vec<(f64, i64)>,
    action: f64,
    mean_rolls: f64,
    memory: u64,
    unit: i64,
    rounding: f64,
    trimmed: f64,
    alive: f64,
    fan: Vec<Point>,
    finals: Vec<(i64, f64)>,
}

/// Every row of the grid by its key: amounts in cents, the rest as numbers or words.
struct Figures<'a>(&'a PlanSession);

impl Serialize for Figures<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(ROWS.iter().filter_map(|row| match (row.value)(self.0)? {
            Value::Words(words) => Some((row.key, Figure::Words(words))),
            value => Some((row.key, Figure::Number(value.number()?))),
        }))
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Figure {
    Number(f64),
    Words(String),
}

#[derive(Serialize)]
struct Chances {
    goal: f64,
    floor: f64,
    ruined: f64,
    left: f64,
    idle: f64,
    time: f64,
}

#[derive(Serialize)]
struct Point {
    rolls: u32,
    amounts: Vec<i64>,
}

/// Sessions as JSON: an array, one object a plan.
pub fn session_json(sessions: &[PlanSession]) -> String {
    let objects: Vec<Object<'_>> = sessions.iter().map(object).collect();
    serde_json::to_string_pretty(&objects).expect("sessions are plain data")
}

fn object(it: &PlanSession) -> Object<'_> {
    let outcome = &it.outcome;
    let [goal, floor, ruined, left, idle, time] = Over::ALL.map(|over| it.outcome.chance(over));
    Object {
        plan: &it.plan,
        played: it.played.lines().into_iter().collect(),
        positions: it.positions,
        found: it.found.as_deref(),
        bankroll: it.session.bankroll.0,
        goal: it.session.goal.map(|goal| goal.0),
        floor: it.session.floor.map(|floor| floor.0),
        rolls: match it.session.length {
            Length::Rolls(rolls) => Some(rolls),
            _ => None,
        },
        shooters: match it.session.length {
            Length::Shooters(shooters) => Some(shooters),
            _ => None,
        },
        figures: Figures(it),
        chances: Chances { goal, floor, ruined, left, idle, time },
        ahead: compared(it, |won| won > 0),
        even: compared(it, |won| won == 0),
        behind: compared(it, |won| won < 0),
        mean: outcome.mean(),
        staying_bets_worth: outcome.stayed.map(|stayed| stayed.worth),
        deviation: outcome.deviation(),
        quantiles: FAN.iter().map(|share| (*share, outcome.quantile(*share).0)).collect(),
        action: outcome.action,
        mean_rolls: outcome.rolls,
        memory: outcome.memory,
        unit: outcome.unit.0,
        rounding: outcome.rounding,
        trimmed: outcome.trimmed,
        alive: outcome.alive,
        fan: outcome
            .fan
            .iter()
            .map(|(rolls, amounts)| Point {
                rolls: *rolls,
                amounts: amounts.iter().map(|amount| amount.0).collect(),
            })
            .collect(),
        finals: outcome.equity().into_iter().map(|(equity, chance)| (equity.0, chance)).collect(),
    }
}
