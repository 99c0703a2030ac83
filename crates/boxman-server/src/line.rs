//! What a request would change, line by line: the second person reads it before agreeing.

use craps::Cents;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// One thing that a request would change.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// What changes, such as `Rack of seat 3, Ann`.
    pub what: String,
    /// What it is now; empty if there is nothing yet.
    pub before: String,
    /// What it would be; empty if nothing is left.
    pub after: String,
}

impl Line {
    /// A line.
    pub fn new(
        what: impl Into<String>,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Line {
        Line { what: what.into(), before: before.into(), after: after.into() }
    }
}

/// An amount as people write it: `$1,234.50`, `-$5`.
pub(crate) fn dollars(amount: Cents) -> String {
    let sign = if amount < Cents::ZERO { "-" } else { "" };
    let cents = amount.0.unsigned_abs();
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match cents % 100 {
        0 => format!("{sign}${grouped}"),
        below => format!("{sign}${grouped}.{below:02}"),
    }
}
