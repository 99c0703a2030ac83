//! What the auditor says at the end: whether the books hold, the first record that does not, and
//! how much there was to go through.

use std::collections::BTreeMap;
use std::fmt;

use craps::Cents;
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;

use super::Anchor;
use crate::log::{Head, Stream, now};

/// A record that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
pub struct Finding {
    /// Whose log, or what else of the store.
    #[schema(example = "table/0000017")]
    pub stream: String,
    /// The number of the record; zero where it is not about one.
    #[ts(type = "number")]
    pub seq: u64,
    /// What is wrong with it.
    pub reason: String,
}

impl Finding {
    pub(super) fn new(stream: impl fmt::Display, seq: u64, reason: impl Into<String>) -> Finding {
        Finding { stream: stream.to_string(), seq, reason: reason.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { stream, seq, reason } = self;
        match seq {
            0 => write!(f, "{stream}: {reason}"),
            _ => write!(f, "record {seq} of {stream}: {reason}"),
        }
    }
}

/// The last record of a stream that was verified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
pub struct StreamHead {
    /// Whose log.
    pub stream: String,
    /// The number of the record.
    #[ts(type = "number")]
    pub seq: u64,
    /// Its hash, in hex.
    pub hash: String,
}

fn many(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// What was found out about a log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS, ToSchema)]
pub struct Verdict {
    /// Whether everything follows from what came before.
    pub ok: bool,
    /// What does not: the first record of each stream, in the order they were found.
    pub problems: Vec<Finding>,
    /// What is wrong with things that nothing depends on: a server drops such a snapshot and
    /// reads the log instead.
    pub warnings: Vec<Finding>,
    /// What could not be checked or is still under way, and is no fault.
    pub notes: Vec<String>,
    /// How many tables were gone through.
    #[ts(type = "number")]
    pub tables: u64,
    /// How many meters.
    #[ts(type = "number")]
    pub meters: u64,
    /// How many records held.
    #[ts(type = "number")]
    pub records: u64,
    /// Rolls thrown, those taken back included.
    #[ts(type = "number")]
    pub rolls: u64,
    /// Rolls taken back or corrected.
    #[ts(type = "number")]
    pub voided: u64,
    /// Bets made and added to.
    #[ts(type = "number")]
    pub bets: u64,
    /// What was put on the layout, in cents.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub staked: Cents,
    /// What rolls and jackpots brought back to the players, stakes included, in cents.
    #[ts(type = "number")]
    #[schema(value_type = i64)]
    pub paid: Cents,
    /// Jackpots paid.
    #[ts(type = "number")]
    pub jackpots: u64,
    /// How often the house committed to a secret anew without having thrown the one before.
    #[ts(type = "number")]
    pub recommitted: u64,
    /// The last record of each stream.
    pub heads: Vec<StreamHead>,
}

impl Verdict {
    /// The verdict in one line.
    pub fn line(&self) -> String {
        let Some(first) = self.problems.first() else {
            let tables = many(self.tables, "table");
            let meters = many(self.meters, "meter");
            let records = many(self.records, "record");
            let sound = format!("all of {records}, {tables} and {meters} can be derived again");
            return match self.warnings.len() as u64 {
                0 => format!("sound: {sound}"),
                some => format!("sound: {sound} ({})", many(some, "warning")),
            };
        };
        match self.problems.len() {
            1 => format!("not sound: {first}"),
            all => format!("not sound: {first} (and {} more)", all - 1),
        }
    }

    /// The verdict with everything found, one fact a line.
    pub fn summary(&self) -> String {
        let mut lines = vec![self.line()];
        let rest = self.problems.iter().skip(1);
        lines.extend(rest.map(|finding| format!("  {finding}")));
        lines.extend(self.warnings.iter().map(|finding| format!("  warning: {finding}")));
        lines.extend(self.notes.iter().map(|note| format!("  note: {note}")));
        let Verdict { rolls, voided, bets, staked, paid, jackpots, recommitted, .. } = self;
        lines.push(format!("  rolls        {rolls}, {voided} of them taken back"));
        lines.push(format!("  bets         {bets}, {staked} put down"));
        let (jackpots, lost) = (many(*jackpots, "jackpot"), many(*recommitted, "secret"));
        lines.push(format!("  paid         {paid}, stakes included; {jackpots}"));
        lines.push(format!("  dice         {lost} of the house replaced without a roll"));
        for StreamHead { stream, seq, hash } in &self.heads {
            lines.push(format!("  {stream}  {seq}  {hash}"));
        }
        lines.join("\n")
    }

    /// An anchor of everything that was verified.
    pub fn anchor(&self) -> Anchor {
        let head = |head: &StreamHead| {
            let hash = head.hash.parse().ok()?;
            Some((head.stream.parse().ok()?, Head { seq: head.seq, hash }))
        };
        let heads: BTreeMap<Stream, Head> = self.heads.iter().filter_map(head).collect();
        Anchor::new(now(), heads)
    }

    pub(super) fn find(&mut self, finding: Finding) {
        self.problems.push(finding);
    }

    pub(super) fn warn(&mut self, finding: Finding) {
        self.warnings.push(finding);
    }

    pub(super) fn keep_head(&mut self, stream: &Stream, head: Head) {
        let Head { seq, hash } = head;
        let (stream, hash) = (stream.to_string(), hash.to_string());
        self.heads.push(StreamHead { stream, seq, hash });
    }
}
