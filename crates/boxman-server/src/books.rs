//! What reports are made of.

use craps::{Event, Rules};
use serde::{Deserialize, Serialize};

/// A day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayBook {}

/// What was bet, won and paid, by day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Books {}

impl Books {
    /// The days not folded away yet.
    pub fn open_days(&self) -> Vec<(String, DayBook)> {
        Vec::new()
    }

    /// Folds away.
    pub fn fold(&mut self) {}

    /// Books an event.
    pub fn book(&mut self, _rules: &Rules, _at: u64, _event: &Event) {}
}
