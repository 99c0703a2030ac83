//! Exact sessions: where a plan stands after so many rolls or shooters, or when it ends, without
//! sampling. The chance of every position and every cent is carried from roll to roll.
//!
//! Sums are in `f64`, every term is positive and the order is fixed: the same digits everywhere,
//! with a bound on their error that is part of the answer.

#![expect(clippy::float_arithmetic, reason = "chances in floats, with a bound on their error")]

mod flow;
mod rows;
mod stay;
mod run;

pub use self::run::{MOST_CELLS, run, run_with};

pub use craps::machine::{Length, Over, Session};

use craps::Cents;
use craps::machine::RunOut;

/// What becomes of bets that have to stay when time is up.
#[derive(Clone, Copy)]
pub struct Stay<'a> {
    /// How they are played out from every arrival of the machine.
    pub run_out: &'a RunOut,
    /// Whether they are, before the session is over; otherwise they count at face.
    pub played: bool,
}

/// What is still to come of bets that have to stay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stayed {
    /// What they will win beyond their face, in cents.
    pub worth: f64,
    /// The stakes that will be decided, in cents.
    pub action: f64,
}

/// How far a session has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The rolls done.
    pub rolls: u32,
    /// The cells done: what it costs.
    pub done: u64,
    /// And still to do, about: where the session says when time is up, and at least until the
    /// money is lost where it ends in no other way.
    pub left: Option<u64>,
}

/// Why there is no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It was told to stop.
    Stopped,
    /// It would take at least so many cells, more than [`MOST_CELLS`].
    TooLong(u64),
    /// It needs at least so many bytes at once.
    TooWide(u64),
}

/// How a session went.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The chance of each final equity, by reason, in the order of [`Over::ALL`]: least first.
    pub finals: [Vec<(Cents, f64)>; Over::ALL.len()],
    /// The chance that it was over by each reason at each roll, the first at the first roll.
    pub by_roll: Vec<[f64; Over::ALL.len()]>,
    /// The quantiles of equity over time: after how many rolls, and [`FAN`].
    pub fan: Vec<(u32, [Cents; FAN.len()])>,
    /// The stakes of the bets decided, in cents, on average.
    pub action: f64,
    /// The rolls it lasts, on average.
    pub rolls: f64,
    /// What becomes of bets that have to stay when time is up, on average; nothing where they
    /// were played out, and where nobody asked.
    pub stayed: Option<Stayed>,
    /// What the player sat down with.
    pub bankroll: Cents,
    /// The most bytes that chance took up, chances by roll included.
    pub memory: u64,
    /// What equity moves in.
    pub unit: Cents,
    /// A bound on the relative error of every chance, adding up included: of each amount in
    /// `finals`, of all of a reason, of any of them together, and of `by_roll` added up.
    pub rounding: f64,
    /// Chance that was too small to be followed, all of it.
    pub trimmed: f64,
    /// Chance that had not ended where the rolls were cut off.
    pub alive: f64,
}

/// The quantiles of a fan.
pub const FAN: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

impl Outcome {
    /// The chance that it ends for a reason.
    pub fn chance(&self, over: Over) -> f64 {
        // From zero, because a sum of nothing is less than zero by its sign.
        self.finals[over.index()].iter().fold(0.0, |sum, (_, chance)| sum + chance)
    }

    /// A bound on the error of every chance, all kinds together. Means, deviations and quantiles
    /// are made of chances and money, and are not what it bounds.
    pub fn error(&self) -> f64 {
        self.rounding + self.trimmed + self.alive
    }

    /// The chance of each final equity, for whatever reason, least first.
    pub fn equity(&self) -> Vec<(Cents, f64)> {
        let mut all: Vec<(Cents, f64)> = self.finals.iter().flatten().copied().collect();
        all.sort_by_key(|(equity, _)| *equity);
        let mut joined: Vec<(Cents, f64)> = Vec::new();
        for (equity, chance) in all {
            match joined.last_mut() {
                Some(last) if last.0 == equity => last.1 += chance,
                _ => joined.push((equity, chance)),
            }
        }
        joined
    }

    /// What was won on average, in cents; less than zero where it was lost.
    pub fn mean(&self) -> f64 {
        // From the bankroll, because a mean of large amounts would drown it in rounding.
        let won = |(equity, chance): &(Cents, f64)| (*equity - self.bankroll).0 as f64 * chance;
        self.equity().iter().map(won).sum()
    }

    /// What was lost of each dollar decided, with bets that have to stay at their worth.
    pub fn cost(&self) -> Option<f64> {
        let stayed = self.stayed.unwrap_or_default();
        let action = self.action + stayed.action;
        (action > 0.0).then(|| -(self.mean() + stayed.worth) / action)
    }

    /// Its standard deviation, in cents.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let square = |(equity, chance): &(Cents, f64)| {
            ((*equity - self.bankroll).0 as f64 - mean).powi(2) * chance
        };
        self.equity().iter().map(square).sum::<f64>().sqrt()
    }

    /// The least equity that this share of all sessions does not exceed.
    pub fn quantile(&self, share: f64) -> Cents {
        quantile(&self.equity(), share)
    }
}

/// The least value that this share of all does not exceed.
fn quantile(values: &[(Cents, f64)], share: f64) -> Cents {
    let all: f64 = values.iter().map(|(_, chance)| chance).sum();
    let mut below = 0.0;
    for (value, chance) in values {
        below += chance;
        if below >= share * all {
            return *value;
        }
    }
    values.last().map_or(Cents::ZERO, |(value, _)| *value)
}
