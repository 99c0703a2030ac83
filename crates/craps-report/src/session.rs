//! Exact sessions the way people and programs read them: plans side by side, and the fan of what
//! may come.

#![expect(clippy::float_arithmetic, reason = "chances of sessions are floats with a stated bound")]

use craps::Cents;
use craps::machine::End;
use craps_math::session::{FAN, Length, Outcome, Over, Session};
use serde::Serialize;

use crate::markup::grouped;
use crate::table::grid;

/// A session of one plan, played out.
pub struct PlanSession {
    /// The plan.
    pub plan: String,
    /// How many positions it has.
    pub positions: usize,
    /// What was played for.
    pub session: Session,
    /// How many rolls make an hour.
    pub pace: u32,
    /// What was found, where something was looked for.
    pub found: Option<String>,
    /// How it went.
    pub outcome: Outcome,
}

/// Sessions of several plans as text: a column for each, and a fan for each below.
pub fn session_text(sessions: &[PlanSession]) -> String {
    let plans: Vec<&str> = sessions.iter().map(|session| session.plan.as_str()).collect();
    let header: Vec<&str> = [""].into_iter().chain(plans).collect();
    let rows: Vec<Vec<String>> = ROWS
        .iter()
        .map(|(name, value)| (name, sessions.iter().map(value).collect::<Vec<_>>()))
        .filter(|(_, values)| values.iter().any(Option::is_some))
        .map(|(name, values)| {
            let values = values.into_iter().map(|value| value.unwrap_or_else(|| "–".to_owned()));
            std::iter::once((*name).to_owned()).chain(values).collect()
        })
        .collect();
    let found = sessions.iter().filter_map(|it| Some((&it.plan, it.found.as_ref()?)));
    let found: String = found.map(|(plan, found)| format!("{plan}: {found}\n")).collect();
    let mut text = found + &grid(&header, &rows);
    for session in sessions.iter().filter(|session| session.outcome.fan.len() > 1) {
        text += &format!("\n\n{}\n{}", session.plan, fan(session));
    }
    text
}

type Value = fn(&PlanSession) -> Option<String>;

const ROWS: [(&str, Value); 24] = [
    ("from", |it| Some(money(it.session.bankroll.0 as f64))),
    ("for", |it| Some(length(it))),
    ("goal", |it| it.session.goal.map(|goal| money(goal.0 as f64))),
    ("floor", |it| it.session.floor.map(|floor| money(floor.0 as f64))),
    ("reaches the goal", |it| it.session.goal.and(Some(share(it.outcome.chance(Over::Goal))))),
    ("sinks to the floor", |it| it.session.floor.and(Some(share(it.outcome.chance(Over::Floor))))),
    ("is ruined", |it| Some(share(it.outcome.chance(Over::Ended(End::Ruined))))),
    ("  half of those by roll", |it| median_roll(it, Over::Ended(End::Ruined))),
    ("leaves", |it| some_share(it, Over::Ended(End::Left))),
    ("bets no more", |it| some_share(it, Over::Ended(End::Idle))),
    ("ends ahead", |it| Some(share(compared(it, |won| won > 0)))),
    ("ends even", |it| Some(share(compared(it, |won| won == 0)))),
    ("ends behind", |it| Some(share(compared(it, |won| won < 0)))),
    ("wins on average", |it| Some(money(it.outcome.mean()))),
    ("  what stays, at its worth", |it| {
        let worth = it.outcome.stayed?.worth;
        (worth.abs() >= 0.5).then(|| money(it.outcome.mean() + worth))
    }),
    ("give or take", |it| Some(money(it.outcome.deviation()))),
    ("1 in 20 ends below", |it| Some(money(it.outcome.quantile(0.05).0 as f64))),
    ("half end below", |it| Some(money(it.outcome.quantile(0.5).0 as f64))),
    ("1 in 20 ends above", |it| Some(money(it.outcome.quantile(0.95).0 as f64))),
    ("rolls played", |it| Some(format!("{:.1}", it.outcome.rolls))),
    ("bets decided", |it| Some(money(it.outcome.action))),
    ("cost of each dollar", |it| it.outcome.cost().map(share)),
    ("memory", |it| Some(format!("{:.1} MB", it.outcome.memory as f64 / 1e6))),
    ("exact to", |it| Some(format!("{:.0e}", it.outcome.error()))),
];

fn length(it: &PlanSession) -> String {
    match it.session.length {
        Length::Rolls(rolls) => {
            let minutes = (u64::from(rolls) * 60).div_ceil(u64::from(it.pace.max(1)));
            let hours = match (minutes / 60, minutes % 60) {
                (0, minutes) => format!("{minutes} min"),
                (hours, 0) => format!("{hours} h"),
                (hours, minutes) => format!("{hours} h {minutes} min"),
            };
            format!("{} rolls, {hours}", grouped(&rolls.to_string()))
        }
        Length::Shooters(1) => "1 shooter".to_owned(),
        Length::Shooters(shooters) => format!("{shooters} shooters"),
        Length::Open => "as long as it lasts".to_owned(),
    }
}

fn some_share(it: &PlanSession, over: Over) -> Option<String> {
    let chance = it.outcome.chance(over);
    (chance > 0.0).then(|| share(chance))
}

/// The chance that what was won is so.
fn compared(it: &PlanSession, is: fn(i64) -> bool) -> f64 {
    let bankroll = it.session.bankroll;
    let equity = it.outcome.equity().into_iter();
    equity.filter(|(equity, _)| is((*equity - bankroll).0)).map(|(_, chance)| chance).sum()
}

fn median_roll(it: &PlanSession, over: Over) -> Option<String> {
    let all = it.outcome.by_roll.iter().map(|ended| ended[over.index()]);
    let whole: f64 = all.clone().sum();
    let mut sum = 0.0;
    let roll = all.take_while(|chance| {
        sum += chance;
        sum < whole / 2.0
    });
    (whole > 0.0).then(|| (roll.count() + 1).to_string())
}

/// A chance in percent, or in powers of ten where it is very small.
pub fn share(chance: f64) -> String {
    match chance {
        _ if chance == 0.0 => "0%".to_owned(),
        _ if chance.abs() < 0.0001 => format!("{chance:.2e}"),
        _ => format!("{:.3}%", chance * 100.0),
    }
}

fn money(cents: f64) -> String {
    let sign = if cents < -0.5 { "-" } else { "" };
    format!("{sign}${}", grouped(&format!("{:.2}", cents.abs() / 100.0)))
}

/// The fan of equity over time: half of all sessions in the dark band, nine in ten in the pale.
fn fan(it: &PlanSession) -> String {
    const WIDE: usize = 64;
    const HIGH: usize = 13;
    let points = &it.outcome.fan;
    let least = points.iter().map(|(_, amounts)| amounts[1].0).min().unwrap_or(0);
    let most = points.iter().map(|(_, amounts)| amounts[FAN.len() - 2].0).max().unwrap_or(1);
    let most = most.max(least + 1);
    let row_of = |amount: Cents| {
        let up = (amount.0 - least) as f64 / (most - least) as f64;
        (up.clamp(0.0, 1.0) * (HIGH - 1) as f64).round() as usize
    };
    let mut rows = vec![[' '; WIDE]; HIGH];
    for column in 0..WIDE {
        let (_, amounts) = points[column * (points.len() - 1) / (WIDE - 1)];
        let [low, quarter, half, three, high] =
            [1, 2, 3, 4, 5].map(|quantile| row_of(amounts[quantile]));
        for (row, cells) in rows.iter_mut().enumerate() {
            cells[column] = match row {
                _ if row == half => '█',
                _ if (quarter..=three).contains(&row) => '▒',
                _ if (low..=high).contains(&row) => '░',
                _ => ' ',
            };
        }
    }
    let wide = [least, most].map(|amount| money(amount as f64).len()).into_iter().max();
    let wide = wide.unwrap_or(0);
    let mut lines = Vec::new();
    for (row, cells) in rows.iter().enumerate().rev() {
        let amount = least + (most - least) * row as i64 / (HIGH as i64 - 1);
        let label = if row % 4 == 0 { money(amount as f64) } else { String::new() };
        let cells: String = cells.iter().collect();
        lines.push(format!("{label:>wide$} │{}", cells.trim_end()));
    }
    let rolls = points.last().map_or(0, |(rolls, _)| *rolls).to_string();
    lines.push(format!("{:>wide$} └{}", "", "─".repeat(WIDE)));
    lines.push(format!("{:>wide$}  0{rolls:>right$}", "", right = WIDE - 1));
    lines.join("\n")
}

/// A session as JSON says it; amounts are cents, chances numbers.
#[derive(Serialize)]
struct Object<'a> {
    plan: &'a str,
    positions: usize,
    found: Option<&'a str>,
    bankroll: i64,
    goal: Option<i64>,
    floor: Option<i64>,
    rolls: Option<u32>,
    shooters: Option<u32>,
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
    let [goal, floor, ruined, left, idle, time] = Over::ALL.map(|over| outcome.chance(over));
    Object {
        plan: &it.plan,
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
