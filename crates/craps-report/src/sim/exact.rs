//! What is known without sampling, beside what was sampled.

use craps::Cents;
use craps::machine::End;
use craps_math::session::{Outcome, Over};
use craps_math::{LongRun, float};
use serde::{Deserialize, Serialize};

use crate::session::PlanSession;
use crate::session::over::by_share;
use crate::session::rows::compared;

/// The quantiles of final money that are told.
pub(super) const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];
/// Of the ruined, the shares whose rolls are told.
pub(super) const RUINED_BY: [f64; 3] = [0.1, 0.5, 0.9];

/// What sessions come to exactly: money in cents, everything to twelve digits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exact {
    /// The chance of each way to be over, in the order of [`Over::ALL`].
    pub(super) chances: [f64; Over::ALL.len()],
    pub(super) ahead: f64,
    pub(super) even: f64,
    pub(super) behind: f64,
    pub(super) mean: f64,
    pub(super) deviation: f64,
    /// How far the deviation of a sample strays, times the root of its size.
    pub(super) deviation_strays: f64,
    /// Quantiles of final money, and the chance to end with no more than each.
    pub(super) quantiles: [(i64, f64); QUANTILES.len()],
    pub(super) rolls: f64,
    pub(super) rolls_deviation: f64,
    /// The roll by which parts of the ruined are, and how large a part is by then.
    pub(super) ruined_by: [Option<(i64, f64)>; RUINED_BY.len()],
    pub(super) action: f64,
    /// What was lost of each dollar decided, and of all of them.
    pub(super) cost: Option<f64>,
    pub(super) loss: f64,
    /// A bound on the error of every chance.
    pub(super) error: f64,
}

/// What a plan comes to an hour, in cents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hourly {
    /// The stakes of the bets decided.
    pub action: f64,
    /// What they cost.
    pub cost: f64,
}

/// Twelve digits, which is all that sums of so many chances carry. What is read may be off by its
/// last bit, and is what was written once it is rounded again.
fn rounded(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

impl Exact {
    /// What a session that was worked out says.
    pub fn of(it: &PlanSession) -> Exact {
        let outcome = &it.outcome;
        let equity = outcome.equity();
        let quantile = |share: f64| {
            let amount = outcome.quantile(share);
            let below = equity.iter().filter(|(equity, _)| *equity <= amount);
            (amount.0, below.map(|(_, chance)| chance).sum())
        };
        let ruined = Over::Ended(End::Ruined);
        let stayed = outcome.stayed.unwrap_or_default();
        Exact {
            chances: Over::ALL.map(|over| outcome.chance(over)),
            ahead: compared(it, |won| won > 0),
            even: compared(it, |won| won == 0),
            behind: compared(it, |won| won < 0),
            mean: outcome.mean(),
            deviation: outcome.deviation(),
            deviation_strays: deviation_strays(outcome),
            quantiles: QUANTILES.map(quantile),
            rolls: outcome.rolls,
            rolls_deviation: rolls_deviation(outcome),
            ruined_by: RUINED_BY.map(|share| {
                let roll = by_share(it, ruined, share)?;
                Some((roll.into(), part_by(it, ruined, roll)))
            }),
            action: outcome.action + stayed.action,
            cost: outcome.cost(),
            loss: -(outcome.mean() + stayed.worth),
            error: outcome.error(),
        }
        .rounded()
    }

    /// To twelve digits.
    pub(super) fn rounded(mut self) -> Exact {
        let Exact { ahead, even, behind, mean, deviation, deviation_strays, .. } = &mut self;
        let plain = [ahead, even, behind, mean, deviation, deviation_strays];
        plain.into_iter().for_each(|value| *value = rounded(*value));
        let Exact { rolls, rolls_deviation, action, loss, error, .. } = &mut self;
        let plain = [rolls, rolls_deviation, action, loss, error];
        plain.into_iter().for_each(|value| *value = rounded(*value));
        self.chances.iter_mut().for_each(|value| *value = rounded(*value));
        self.quantiles.iter_mut().for_each(|(_, below)| *below = rounded(*below));
        self.ruined_by.iter_mut().flatten().for_each(|(_, part)| *part = rounded(*part));
        self.cost = self.cost.map(rounded);
        self
    }
}

/// How far the deviation of a sample strays from what it is, times the root of the sample's size.
fn deviation_strays(outcome: &Outcome) -> f64 {
    let (mean, deviation) = (outcome.mean(), outcome.deviation());
    let away = |equity: Cents| (equity - outcome.bankroll).0 as f64 - mean;
    let fourth = outcome.equity().into_iter().map(|(equity, chance)| away(equity).powi(4) * chance);
    let of_square = (fourth.sum::<f64>() - deviation.powi(4)).max(0.0).sqrt();
    if deviation > 0.0 { of_square / (2.0 * deviation) } else { 0.0 }
}

/// The standard deviation of the rolls a session lasts.
fn rolls_deviation(outcome: &Outcome) -> f64 {
    let away = |roll: usize| (roll as f64 + 1.0 - outcome.rolls).powi(2);
    let ended = outcome.by_roll.iter().map(|ended| ended.iter().sum::<f64>());
    ended.enumerate().map(|(roll, chance)| away(roll) * chance).sum::<f64>().sqrt()
}

/// Of those that end for a reason, the part that has by this roll.
fn part_by(it: &PlanSession, over: Over, roll: u32) -> f64 {
    let ended = it.outcome.by_roll.iter().map(|ended| ended[over.index()]);
    ended.clone().take(roll as usize).sum::<f64>() / ended.sum::<f64>()
}

impl Hourly {
    /// What a plan comes to at so many rolls an hour; nothing where it does not play on.
    pub fn of(long_run: &LongRun, pace: u32) -> Option<Hourly> {
        let an_hour = |a_roll| rounded(float(a_roll) * f64::from(pace));
        let figures = &long_run.figures;
        let (action, won) = (an_hour(&figures.action), an_hour(&figures.won));
        // From nothing, because what costs nothing is not less than that.
        long_run.plays_on.then_some(Hourly { action, cost: 0.0 - won })
    }
}
