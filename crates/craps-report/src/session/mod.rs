//! Exact sessions the way people and programs read them: plans side by side, the fan of what may
//! come, and what ends them when.

#![expect(clippy::float_arithmetic, reason = "chances of sessions are floats with a stated bound")]

pub(crate) mod over;
pub(crate) mod rows;
pub(crate) mod text;
mod json;
pub(crate) mod csv;
pub(crate) mod charts;
pub(crate) mod html;
mod xlsx;

pub use self::charts::fan as session_fan;
pub use self::csv::session_csv;
pub use self::html::session_html;
pub use self::json::session_json;
pub(crate) use self::rows::money;
pub use self::rows::share;
pub use self::text::session_text;
pub use self::xlsx::session_xlsx;

use craps::{Cents, hex};
use craps_math::session::{Outcome, Session};

/// A session of one plan, played out.
pub struct PlanSession {
    /// The plan.
    pub plan: String,
    /// What it was played with.
    pub played: Played,
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

impl PlanSession {
    /// What there is to say besides figures, by name; nothing where there is none of it.
    fn words(&self) -> Vec<(&'static str, String)> {
        let mut words = self.played.lines().to_vec();
        words.extend(self.found.clone().map(|found| ("found", found)));
        words
    }
}

/// What a plan was played with: enough to play it again.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// What the plan does, in a line.
    pub about: String,
    /// Its params and what they were.
    pub params: Vec<(String, String)>,
    /// The rulebooks and paytables, as `--rules` names them.
    pub rules: String,
    /// The SHA-256 of the rules made of them, options included.
    pub rules_hash: [u8; 32],
    /// The options set, as `--option` writes them.
    pub options: Vec<String>,
    /// What each meter pays.
    pub meters: Vec<(String, Cents)>,
}

impl Played {
    /// All of it by name, each in words; nothing where there is none of it.
    pub(crate) fn lines(&self) -> [(&'static str, String); 5] {
        let list = |pairs: Vec<String>| pairs.join(", ");
        let params = self.params.iter().map(|(name, value)| format!("{name}={value}"));
        let meters = self.meters.iter().map(|(name, amount)| format!("{name}={amount}"));
        [
            ("params", list(params.collect())),
            ("rules", self.rules.clone()),
            ("options", list(self.options.clone())),
            ("meters", list(meters.collect())),
            ("rules_sha256", hex::encode(&self.rules_hash)),
        ]
    }
}
