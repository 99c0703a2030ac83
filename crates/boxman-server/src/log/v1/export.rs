//! An exported table, line by line: what it is, the records exactly as stored, and an end that
//! counts them and hashes every line before it.

use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::id::{MeterId, TableId};
use crate::log::{Head, Key, Record, Stream};

/// What the first line says it is.
pub(crate) const FORMAT: &str = "boxman-export";
/// In which version.
pub(crate) const VERSION: u8 = 2;

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) format: String,
    pub(crate) version: u8,
    pub(crate) table: TableId,
    pub(crate) head: Head,
    pub(crate) meters: Vec<MeterLine>,
    pub(crate) rulebooks: Vec<RulebookText>,
}

/// A meter that comes along.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MeterLine {
    pub(crate) meter: MeterId,
    pub(crate) head: Head,
    /// Whether other tables feed it too, whose logs do not come along.
    pub(crate) shared: bool,
}

/// A record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    stream: Stream,
    seq: u64,
    key: Option<Key>,
    body: String,
    hash: Hash,
    /// Whether it is a meter's that other tables feed too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    shared: bool,
}

impl Line {
    /// A record on its way out.
    pub(crate) fn of(record: Record, shared: bool) -> Line {
        let Record { stream, seq, key, body, hash } = record;
        Line { stream, seq, key, body, hash, shared }
    }

    /// The record it was.
    pub(crate) fn record(self) -> Record {
        let Line { stream, seq, key, body, hash, shared: _ } = self;
        Record { stream, seq, key, body, hash }
    }
}

/// The last line.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Closing {
    pub(crate) end: End,
}

/// What the last line says.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct End {
    pub(crate) records: u64,
    pub(crate) sha256: Hash,
}

/// A rulebook's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RulebookText {
    /// The hash it is found by.
    pub hash: Hash,
    /// The file it was read from.
    pub file: String,
    /// The text.
    pub text: String,
}
