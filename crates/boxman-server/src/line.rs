//! What a request would change, line by line: the second person reads it before agreeing.

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
