//! Days at a table of several plans, the way a manager and a program read them: what the house won
//! and held, with the spread of a day and the error of every mean.

#![expect(clippy::float_arithmetic, reason = "means of samples are floats with a stated error")]

mod figures;
mod text;
mod data;

use std::ops::Range;

use craps::{Cents, MeterTerms};
use craps_sim::day::Books;

pub use self::data::{table_days_csv, table_days_json};
pub use self::text::table_days_text;

/// Days played at a table, with all it takes to play them again.
pub struct TableDays {
    /// The file the table is written in.
    pub table: String,
    /// The rulebooks and paytables, as `--rules` names them.
    pub rules: String,
    /// The SHA-256 of the rules made of them, options included.
    pub rules_hash: [u8; 32],
    /// The options set, as `--option` writes them.
    pub options: Vec<String>,
    /// How many rolls a day has.
    pub rolls: u32,
    /// How many rolls make an hour.
    pub pace: u32,
    /// What the dice are called.
    pub generator: &'static str,
    /// Their seed.
    pub seed: u64,
    /// The numbers of the days.
    pub days: Range<u64>,
    /// The meters, in the order of the rules.
    pub meters: Vec<TableMeter>,
    /// Who sits at the table, in order.
    pub seats: Vec<TableSeats>,
    /// What came of it.
    pub books: Books,
}

/// A meter of the table.
pub struct TableMeter {
    /// Its name.
    pub name: String,
    /// What it runs on.
    pub terms: MeterTerms,
    /// What it shows in the morning.
    pub start: Cents,
}

/// Seats that play the same plan with the same money.
pub struct TableSeats {
    /// What they are called.
    pub name: String,
    /// The plan.
    pub plan: String,
    /// Its params, as they were set.
    pub params: Vec<(String, String)>,
    /// What each buys in for.
    pub bankroll: Cents,
    /// What happens once it is ruined, and once it has left.
    pub afterwards: [&'static str; 2],
    /// Their places at the rail.
    pub seats: Range<usize>,
}
