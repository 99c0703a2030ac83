//! What a session is summed up in: one list for every way of writing it.

use std::fmt;

use craps::machine::End;
use craps_math::session::{Length, Over};

use super::PlanSession;
use super::over::by_share;
use crate::markup::grouped;

/// One row of the grid.
pub(super) struct Row {
    /// What programs call it.
    pub(super) key: &'static str,
    /// What people call it; set in where it belongs to the row above.
    pub(super) name: &'static str,
    /// The figure, where the session has it.
    pub(super) value: fn(&PlanSession) -> Option<Value>,
}

/// A figure, by what it measures.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Cents.
    Money(f64),
    /// A share of everything.
    Share(f64),
    /// How many rolls, and to how many decimals that is told.
    Rolls(f64, usize),
    /// A bound on an error.
    Bound(f64),
    /// Bytes.
    Bytes(u64),
    /// No number.
    Words(String),
}

const fn row(
    key: &'static str,
    name: &'static str,
    value: fn(&PlanSession) -> Option<Value>,
) -> Row {
    Row { key, name, value }
}

/// Every row, in order.
pub(super) const ROWS: [Row; 26] = [
    row("bankroll", "from", |it| Some(Value::Money(it.session.bankroll.0 as f64))),
    row("length", "for", |it| Some(Value::Words(length(it)))),
    row("goal", "goal", |it| it.session.goal.map(|goal| Value::Money(goal.0 as f64))),
    row("floor", "floor", |it| it.session.floor.map(|floor| Value::Money(floor.0 as f64))),
    row("reaches_goal", "reaches the goal", |it| {
        it.session.goal.and(Some(Value::Share(it.outcome.chance(Over::Goal))))
    }),
    row("sinks_to_floor", "sinks to the floor", |it| {
        it.session.floor.and(Some(Value::Share(it.outcome.chance(Over::Floor))))
    }),
    row("ruined", "is ruined", |it| {
        Some(Value::Share(it.outcome.chance(Over::Ended(End::Ruined))))
    }),
    row("ruined_half_by_roll", "  half of those by roll", |it| {
        let roll = by_share(it, Over::Ended(End::Ruined), 0.5)?;
        Some(Value::Rolls(f64::from(roll), 0))
    }),
    row("leaves", "leaves", |it| some_share(it, Over::Ended(End::Left))),
    row("idle", "bets no more", |it| some_share(it, Over::Ended(End::Idle))),
    row("alive", "still going", |it| {
        (it.outcome.alive > 1e-9).then_some(Value::Share(it.outcome.alive))
    }),
    row("ahead", "ends ahead", |it| Some(Value::Share(compared(it, |won| won > 0)))),
    row("even", "ends even", |it| Some(Value::Share(compared(it, |won| won == 0)))),
    row("behind", "ends behind", |it| Some(Value::Share(compared(it, |won| won < 0)))),
    row("mean", "wins on average", |it| Some(Value::Money(it.outcome.mean()))),
    row("mean_at_worth", "  what stays, at its worth", |it| {
        let worth = it.outcome.stayed?.worth;
        (worth.abs() >= 0.5).then(|| Value::Money(it.outcome.mean() + worth))
    }),
    row("deviation", "give or take", |it| Some(Value::Money(it.outcome.deviation()))),
    row("quantile_05", "1 in 20 ends below", |it| Some(quantile(it, 0.05))),
    row("quantile_50", "half end below", |it| Some(quantile(it, 0.5))),
    row("quantile_95", "1 in 20 ends above", |it| Some(quantile(it, 0.95))),
    row("rolls", "rolls played", |it| Some(Value::Rolls(it.outcome.rolls, 1))),
    row("action", "bets decided", |it| Some(Value::Money(it.outcome.action))),
    row("cost", "cost of each dollar", |it| it.outcome.cost().map(Value::Share)),
    row("unit", "money moves in", |it| Some(Value::Money(it.outcome.unit.0 as f64))),
    row("memory", "memory", |it| Some(Value::Bytes(it.outcome.memory))),
    row("error", "exact to", |it| Some(Value::Bound(it.outcome.error()))),
];

/// The rows that any of these sessions has, with the figure of each.
pub(super) fn figures(sessions: &[PlanSession]) -> Vec<(&'static Row, Vec<Option<Value>>)> {
    let all = ROWS.iter().map(|row| (row, sessions.iter().map(row.value).collect::<Vec<_>>()));
    all.filter(|(_, values)| values.iter().any(Option::is_some)).collect()
}

impl Value {
    /// The number it is: money in cents.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Value::Money(number) | Value::Share(number) => Some(*number),
            Value::Rolls(number, _) | Value::Bound(number) => Some(*number),
            Value::Bytes(bytes) => Some(*bytes as f64),
            Value::Words(_) => None,
        }
    }
}

/// As people read it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Money(cents) => f.write_str(&money(*cents)),
            Value::Share(chance) => f.write_str(&share(*chance)),
            Value::Rolls(rolls, places) => write!(f, "{rolls:.places$}"),
            Value::Bound(bound) => write!(f, "{bound:.0e}"),
            Value::Bytes(bytes) => write!(f, "{:.1} MB", *bytes as f64 / 1e6),
            Value::Words(words) => f.write_str(words),
        }
    }
}

fn quantile(it: &PlanSession, share: f64) -> Value {
    Value::Money(it.outcome.quantile(share).0 as f64)
}

/// How long it lasts, in words.
pub(super) fn length(it: &PlanSession) -> String {
    match it.session.length {
        Length::Rolls(rolls) => {
            format!("{} rolls, {}", grouped(&rolls.to_string()), hours(rolls, it.pace))
        }
        Length::Shooters(1) => "1 shooter".to_owned(),
        Length::Shooters(shooters) => format!("{shooters} shooters"),
        Length::Open => "as long as it lasts".to_owned(),
    }
}

/// How long so many rolls take: `1 h 24 min`.
pub(super) fn hours(rolls: u32, pace: u32) -> String {
    let minutes = (u64::from(rolls) * 60).div_ceil(u64::from(pace.max(1)));
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

fn some_share(it: &PlanSession, over: Over) -> Option<Value> {
    let chance = it.outcome.chance(over);
    (chance > 0.0).then_some(Value::Share(chance))
}

/// The chance that what was won is so.
pub(super) fn compared(it: &PlanSession, is: fn(i64) -> bool) -> f64 {
    let bankroll = it.session.bankroll;
    let equity = it.outcome.equity().into_iter();
    let such = equity.filter(|(equity, _)| is((*equity - bankroll).0));
    such.map(|(_, chance)| chance).fold(0.0, |sum, chance| sum + chance)
}

/// A chance in percent, or in powers of ten where it is very small: `57.293%`, `1.24e-6`.
pub fn share(chance: f64) -> String {
    match chance {
        _ if chance == 0.0 => "0%".to_owned(),
        _ if chance.abs() < 0.0001 => format!("{chance:.2e}"),
        _ => format!("{:.3}%", chance * 100.0),
    }
}

/// Cents as dollars: `-$47.94`.
pub(crate) fn money(cents: f64) -> String {
    let sign = if cents < -0.5 { "-" } else { "" };
    format!("{sign}${}", grouped(&format!("{:.2}", cents.abs() / 100.0)))
}
