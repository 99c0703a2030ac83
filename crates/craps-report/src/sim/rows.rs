//! What samples are summed up in: one list for every way of writing it.

use craps::machine::End;
use craps_math::sample::{Estimate, Sample, share, share_error};
use craps_math::session::{Length, Over};

use super::PlanSim;
use super::exact::{Exact, QUANTILES, RUINED_BY};
use crate::markup::grouped;
use crate::session::rows::{Value, lasting};

/// One row of the grid.
pub(super) struct Row {
    /// What programs call it.
    pub(super) key: &'static str,
    /// What people call it; set in where it belongs to the row above.
    pub(super) name: &'static str,
    /// The figure, where the sample has it.
    pub(super) figure: fn(&PlanSim) -> Option<Figure>,
}

/// A figure as it was sampled, and as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Figure {
    /// What was sampled; nothing for what is only worked out.
    pub(super) sampled: Option<Value>,
    /// Its standard error, measured as it is.
    pub(super) error: Option<f64>,
    /// What it is exactly.
    pub(super) exact: Option<Value>,
    /// How many standard errors lie between the two.
    pub(super) apart: Option<f64>,
}

const RUINED: Over = Over::Ended(End::Ruined);

const fn row(key: &'static str, name: &'static str, figure: fn(&PlanSim) -> Option<Figure>) -> Row {
    Row { key, name, figure }
}

/// Every row, in order.
pub(super) const ROWS: [Row; 39] = [
    row("sessions", "sessions", |it| told(Value::Words(grouped(&it.sessions().to_string())))),
    row("bankroll", "from", |it| told(Value::Money(it.inputs.session.bankroll.0 as f64))),
    row("length", "for", |it| {
        told(Value::Words(lasting(it.inputs.session.length, it.inputs.pace)))
    }),
    row("goal", "goal", |it| told(Value::Money(it.inputs.session.goal?.0 as f64))),
    row("floor", "floor", |it| told(Value::Money(it.inputs.session.floor?.0 as f64))),
    row("reaches_goal", "reaches the goal", |it| {
        it.inputs.session.goal.and_then(|_| over(it, Over::Goal))
    }),
    row("sinks_to_floor", "sinks to the floor", |it| {
        it.inputs.session.floor.and_then(|_| over(it, Over::Floor))
    }),
    row("ruined", "is ruined", |it| over(it, RUINED)),
    row("ruined_tenth_by_roll", "  1 in 10 of those by roll", |it| ruined_by(it, 0)),
    row("ruined_half_by_roll", "  half of those by roll", |it| ruined_by(it, 1)),
    row("ruined_most_by_roll", "  9 in 10 of those by roll", |it| ruined_by(it, 2)),
    row("leaves", "leaves", |it| some(over(it, Over::Ended(End::Left)))),
    row("idle", "bets no more", |it| some(over(it, Over::Ended(End::Idle)))),
    row("alive", "still going", |it| match it.inputs.session.length {
        Length::Open => some(over(it, Over::Time)),
        _ => None,
    }),
    row("ahead", "ends ahead", |it| compared(it, |won| won > 0, |exact| exact.ahead)),
    row("even", "ends even", |it| compared(it, |won| won == 0, |exact| exact.even)),
    row("behind", "ends behind", |it| compared(it, |won| won < 0, |exact| exact.behind)),
    row("mean", "wins on average", |it| {
        let mean = it.equity().mean()?;
        let value = mean.value - it.inputs.session.bankroll.0 as f64;
        let mean = Estimate { value, ..mean };
        sampled(it, mean, Value::Money, |exact| (exact.mean, exact.deviation))
    }),
    row("deviation", "give or take", |it| {
        let deviation = it.equity().deviation()?;
        sampled(it, deviation, Value::Money, |exact| (exact.deviation, exact.deviation_strays))
    }),
    row("quantile_05", "1 in 20 ends below", |it| quantile(it, 0)),
    row("quantile_25", "1 in 4 ends below", |it| quantile(it, 1)),
    row("quantile_50", "half end below", |it| quantile(it, 2)),
    row("quantile_75", "1 in 4 ends above", |it| quantile(it, 3)),
    row("quantile_95", "1 in 20 ends above", |it| quantile(it, 4)),
    row("rolls", "rolls played", |it| {
        let rolls = |rolls| Value::Rolls(rolls, 1);
        sampled(it, it.lasted().mean()?, rolls, |exact| (exact.rolls, exact.rolls_deviation))
    }),
    row("followed", "followed roll by roll", |it| {
        told(Value::Words(grouped(&it.along.peak.size().to_string())))
    }),
    row("drop_50", "largest drop, half", |it| along(&it.along.drawdown, 0.5, Value::Money)),
    row("drop_95", "  1 in 20 above", |it| along(&it.along.drawdown, 0.95, Value::Money)),
    row("peak_50", "highest, half", |it| along(&it.along.peak, 0.5, Value::Money)),
    row("peak_95", "  1 in 20 above", |it| along(&it.along.peak, 0.95, Value::Money)),
    row("trough_50", "lowest, half", |it| along(&it.along.trough, 0.5, Value::Money)),
    row("trough_05", "  1 in 20 below", |it| along(&it.along.trough, 0.05, Value::Money)),
    row("longest_hand_50", "longest hand, half", |it| {
        along(&it.along.longest_hand, 0.5, |rolls| Value::Rolls(rolls, 0))
    }),
    row("longest_hand_95", "  1 in 20 above", |it| {
        along(&it.along.longest_hand, 0.95, |rolls| Value::Rolls(rolls, 0))
    }),
    row("action", "bets decided, played out", |it| solved(Value::Money(it.exact.as_ref()?.action))),
    row("loss", "theoretical loss", |it| solved(Value::Money(it.exact.as_ref()?.loss))),
    row("action_per_hour", "bets decided an hour", |it| {
        solved(Value::Money(it.inputs.hourly?.action))
    }),
    row("cost_per_hour", "cost an hour", |it| solved(Value::Money(it.inputs.hourly?.cost))),
    row("unit", "money moves in", |it| told(Value::Money(it.inputs.unit.0 as f64))),
];

/// The rows that any of these samples has, with the figure of each.
pub(super) fn figures(sims: &[PlanSim]) -> Vec<(&'static Row, Vec<Option<Figure>>)> {
    let all = ROWS.iter().map(|row| (row, sims.iter().map(row.figure).collect::<Vec<_>>()));
    all.filter(|(_, figures)| figures.iter().any(Option::is_some)).collect()
}

/// What is neither sampled nor worked out.
fn told(value: Value) -> Option<Figure> {
    Some(Figure { sampled: Some(value), ..Figure::default() })
}

/// What is only worked out.
fn solved(value: Value) -> Option<Figure> {
    Some(Figure { exact: Some(value), ..Figure::default() })
}

/// A figure where it is not always nothing.
fn some(figure: Option<Figure>) -> Option<Figure> {
    let is = |value: &Option<Value>| value.as_ref().and_then(Value::number).unwrap_or(0.0) > 0.0;
    figure.filter(|figure| is(&figure.sampled) || is(&figure.exact))
}

/// A figure and, where it is known, what it is exactly and how far samples of one stray from that.
/// The sample itself knows the latter worse: of what is rare it may have seen nothing.
fn sampled(
    it: &PlanSim,
    estimate: Estimate,
    value: fn(f64) -> Value,
    exact: fn(&Exact) -> (f64, f64),
) -> Option<Figure> {
    let exact = it.exact.as_ref().map(exact);
    let apart = exact.and_then(|(exact, strays)| {
        let error = strays / (it.sessions() as f64).sqrt();
        Estimate { error, ..estimate }.apart(exact)
    });
    Some(Figure {
        sampled: Some(value(estimate.value)),
        error: Some(estimate.error),
        exact: exact.map(|(exact, _)| value(exact)),
        apart,
    })
}

/// A share. What is known exactly knows better how far samples of it stray.
fn shared(estimate: Estimate, exact: Option<f64>, size: u64) -> Option<Figure> {
    let straying = |exact| Estimate { error: share_error(exact, size), ..estimate };
    Some(Figure {
        sampled: Some(Value::Share(estimate.value)),
        error: Some(estimate.error),
        exact: exact.map(Value::Share),
        apart: exact.and_then(|exact| straying(exact).apart(exact)),
    })
}

fn over(it: &PlanSim, over: Over) -> Option<Figure> {
    let exact = it.exact.as_ref().map(|exact| exact.chances[over.index()]);
    shared(share(it.over(over), it.sessions())?, exact, it.sessions())
}

fn compared(it: &PlanSim, is: fn(i64) -> bool, exact: fn(&Exact) -> f64) -> Option<Figure> {
    let bankroll = it.inputs.session.bankroll.0;
    let estimate = it.equity().share(|equity| is(equity - bankroll))?;
    shared(estimate, it.exact.as_ref().map(exact), it.sessions())
}

/// A quantile of what comes in steps. How far it is from the exact one is told by how many lie no
/// higher than that.
fn stepped(
    sample: &Sample,
    share: f64,
    exact: Option<(i64, f64)>,
    value: fn(f64) -> Value,
) -> Option<Figure> {
    let estimate = sample.quantile(share)?;
    let apart = exact.and_then(|(step, below)| match sample.at(share)? == step {
        true => Some(0.0),
        false => {
            let sampled = sample.share(|number| number <= step)?;
            let straying = Estimate { error: share_error(below, sample.size()), ..sampled };
            // The fewer lie no higher than that, the higher the quantile.
            straying.apart(below).map(|apart| 0.0 - apart)
        }
    });
    Some(Figure {
        sampled: Some(value(estimate.value)),
        error: Some(estimate.error),
        exact: exact.map(|(step, _)| value(step as f64)),
        apart,
    })
}

fn quantile(it: &PlanSim, place: usize) -> Option<Figure> {
    let exact = it.exact.as_ref().map(|exact| exact.quantiles[place]);
    stepped(&it.equity(), QUANTILES[place], exact, Value::Money)
}

fn ruined_by(it: &PlanSim, place: usize) -> Option<Figure> {
    let exact = it.exact.as_ref().and_then(|exact| exact.ruined_by[place]);
    let rolls = |rolls: f64| Value::Rolls(rolls, 0);
    stepped(&it.rolls[RUINED.index()], RUINED_BY[place], exact, rolls)
}

/// A quantile of what only those say who were followed.
fn along(sample: &Sample, share: f64, value: fn(f64) -> Value) -> Option<Figure> {
    stepped(sample, share, None, value)
}

impl Figure {
    /// What was sampled, as people read it: `57.31% ± 0.05%`.
    pub(super) fn sampled_words(&self) -> String {
        match (&self.sampled, self.error) {
            (Some(value), Some(error)) => format!("{value} ± {}", error_words(value, error)),
            (Some(value), None) => value.to_string(),
            _ => "–".to_owned(),
        }
    }

    /// How far it is from what it is exactly, in standard errors.
    pub(super) fn apart_words(&self) -> String {
        self.apart.map_or(String::new(), |apart| format!("{:+.1}", apart + 0.0))
    }
}

/// A standard error, measured as its figure is, to two digits that count.
fn error_words(of: &Value, error: f64) -> String {
    match of {
        Value::Share(_) => format!("{}%", two_digits(error * 100.0)),
        Value::Money(_) => format!("${}", grouped(&two_digits(error / 100.0))),
        _ => two_digits(error),
    }
}

fn two_digits(value: f64) -> String {
    match value {
        _ if value <= 0.0 || !value.is_finite() => "0".to_owned(),
        _ if value < 1e-9 => format!("{value:.0e}"),
        _ => format!("{value:.places$}", places = (1.0 - value.log10().floor()).max(0.0) as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_two_digits() {
        for (value, written) in
            [(0.0, "0"), (0.0123, "0.012"), (1.26, "1.3"), (12.6, "13"), (1234.0, "1234")]
        {
            assert_eq!(two_digits(value), written);
        }
    }

    #[test]
    fn what_is_known_says_how_far_samples_stray() {
        // None of a hundred came, where one in a hundred should: the sample itself sees no spread.
        let figure = shared(share(0, 100).unwrap(), Some(0.01), 100).unwrap();
        let apart = figure.apart.unwrap();
        assert!((apart + 0.01 / (0.01 * 0.99 / 100.0_f64).sqrt()).abs() < 1e-12, "{apart}");
        assert_eq!(figure.apart_words(), "-1.0");
    }

    #[test]
    fn every_row_has_a_key_of_its_own() {
        for (place, row) in ROWS.iter().enumerate() {
            assert!(ROWS[..place].iter().all(|other| other.key != row.key), "{}", row.key);
        }
    }
}
