//! Sampled sessions the way people and programs read them: each figure with its standard error,
//! and beside it what it is exactly, where that is known.

#![expect(clippy::float_arithmetic, reason = "figures of samples are floats with a stated error")]

mod exact;
mod rows;
mod view;
mod text;
mod json;
mod merge;
mod csv;
mod html;

pub use self::csv::sim_csv;
pub use self::exact::{Exact, Hourly};
pub use self::html::sim_html;
pub use self::json::{read_sim, sim_json};
pub use self::merge::merge_sims;
pub use self::text::sim_text;

use std::ops::Range;
use std::time::Duration;

use craps::{Cents, hex};
use craps_math::sample::Sample;
use craps_math::session::{Over, Session};

use crate::session::Played;

/// Sessions of one plan that were sampled.
pub struct PlanSim {
    /// What was sampled.
    pub inputs: SimInputs,
    /// The numbers of the sessions, in order, no two ranges touching.
    pub ranges: Vec<Range<u64>>,
    /// How many ended with each equity, in cents, by reason in the order of [`Over::ALL`].
    pub finals: [Sample; Over::ALL.len()],
    /// How many were over after so many rolls, by reason.
    pub rolls: [Sample; Over::ALL.len()],
    /// What was seen along those that were followed.
    pub along: Along,
    /// What they come to exactly, where that is known.
    pub exact: Option<Exact>,
    /// How fast it went, for those who have just waited for it.
    pub speed: Option<Speed>,
}

/// What sessions are sampled of: runs whose inputs are the same add up.
#[derive(Clone, Debug)]
pub struct SimInputs {
    /// The plan.
    pub plan: String,
    /// What it was played with.
    pub played: Played,
    /// How many positions it has.
    pub positions: usize,
    /// The SHA-256 of its machine.
    pub machine_hash: [u8; 32],
    /// The dice.
    pub generator: String,
    /// Their seed.
    pub seed: u64,
    /// What was played for.
    pub session: Session,
    /// After how many rolls an open session was given up.
    pub most_rolls: u32,
    /// How many rolls make an hour.
    pub pace: u32,
    /// What its money moves in.
    pub unit: Cents,
    /// Sessions numbered below this were followed roll by roll.
    pub followed_below: u64,
    /// What the plan comes to an hour with money for every ask, where it plays on.
    pub hourly: Option<Hourly>,
}

/// What was seen along sessions: money in cents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Along {
    /// The highest they stood.
    pub peak: Sample,
    /// The lowest.
    pub trough: Sample,
    /// The most they fell from where they had stood before.
    pub drawdown: Sample,
    /// The rolls of their longest hand.
    pub longest_hand: Sample,
    /// Where they stood after so many rolls.
    pub fan: Vec<(u32, Sample)>,
}

/// How fast it went.
#[derive(Clone, Debug)]
pub struct Speed {
    /// How long it took to throw the dice.
    pub took: Duration,
    /// By what.
    pub by: String,
}

impl PlanSim {
    /// How many sessions there are.
    pub fn sessions(&self) -> u64 {
        self.finals.iter().map(Sample::size).sum()
    }

    /// How many of them ended for a reason.
    fn over(&self, over: Over) -> u64 {
        self.finals[over.index()].size()
    }

    /// How many rolls were thrown.
    pub fn rolled(&self) -> i128 {
        self.rolls.iter().map(|rolls| rolls.sums(0).0).sum()
    }

    /// What they ended with, for whatever reason.
    fn equity(&self) -> Sample {
        together(&self.finals)
    }

    /// What there is to say besides figures, by name; nothing that is empty.
    fn words(&self) -> Vec<(&'static str, String)> {
        let inputs = &self.inputs;
        let ranges =
            self.ranges.iter().map(|range| format!("{} to {}", range.start, range.end - 1));
        let mut words = inputs.played.lines().to_vec();
        words.extend([
            ("machine_sha256", hex::encode(&inputs.machine_hash)),
            ("generator", inputs.generator.clone()),
            ("seed", inputs.seed.to_string()),
            ("numbers", ranges.collect::<Vec<_>>().join(", ")),
        ]);
        words.retain(|(_, words)| !words.is_empty());
        words
    }

    /// The rolls they lasted.
    fn lasted(&self) -> Sample {
        together(&self.rolls)
    }
}

fn together(samples: &[Sample]) -> Sample {
    Sample::new(samples.iter().flat_map(|sample| sample.counts().iter().copied()))
}
