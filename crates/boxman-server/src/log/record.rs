//! Records: numbered without a gap, each chained by its hash to the one before.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::hash::{Digest, Hash};
use crate::id::{MeterId, TableId};

/// Whose log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    /// The house: accounts, and the opening of tables and meters.
    House,
    /// A table.
    Table(TableId),
    /// A meter.
    Meter(MeterId),
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stream::House => f.write_str("house"),
            Stream::Table(table) => write!(f, "table/{table}"),
            Stream::Meter(meter) => write!(f, "meter/{meter}"),
        }
    }
}

/// A text that names no stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAStream(String);

impl fmt::Display for NotAStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a stream", self.0)
    }
}

impl std::error::Error for NotAStream {}

impl FromStr for Stream {
    type Err = NotAStream;

    fn from_str(text: &str) -> Result<Stream, NotAStream> {
        let wrong = || NotAStream(text.to_owned());
        match text.split_once('/') {
            None if text == "house" => Ok(Stream::House),
            Some(("table", id)) => id.parse().map(Stream::Table).map_err(|_| wrong()),
            Some(("meter", id)) => id.parse().map(Stream::Meter).map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }
}

impl Serialize for Stream {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stream {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Stream, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The last record of a stream: where the next one is chained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Head {
    /// Its number; nothing has been written yet where it is zero.
    pub seq: u64,
    /// Its hash.
    pub hash: Hash,
}

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Whose log.
    pub stream: Stream,
    /// Its number, counted from one without a gap.
    pub seq: u64,
    /// What makes its command unmistakable, so that it is applied once.
    pub key: Option<Key>,
    /// What happened, as JSON.
    pub body: String,
    /// The hash of all this and of the record before.
    pub hash: Hash,
}

impl Record {
    /// The record that follows `head`.
    pub fn after(head: Head, stream: Stream, key: Option<Key>, body: String) -> Record {
        let seq = head.seq + 1;
        let hash = Record::chained(head.hash, &stream, seq, key.as_ref(), &body);
        Record { stream, seq, key, body, hash }
    }

    /// Whether this record follows `head` and nothing in it has been changed.
    pub fn follows(&self, head: Head) -> bool {
        let key = self.key.as_ref();
        self.seq == head.seq + 1
            && self.hash == Record::chained(head.hash, &self.stream, self.seq, key, &self.body)
    }

    /// What comes next is chained to this.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash }
    }

    /// Every part goes in with its length in front, so that no two records look alike.
    fn chained(before: Hash, stream: &Stream, seq: u64, key: Option<&Key>, body: &str) -> Hash {
        let mut sha = Sha256::new();
        sha.update(before.0);
        sha.update(seq.to_be_bytes());
        let stream = stream.to_string();
        let key = key.map(Digest::to_string).unwrap_or_default();
        for part in [stream.as_str(), key.as_str(), body] {
            sha.update((part.len() as u64).to_be_bytes());
            sha.update(part.as_bytes());
        }
        Hash(sha.finalize().into())
    }
}

/// A record whose body makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Whose log.
    pub stream: Stream,
    /// Which record.
    pub seq: u64,
    /// Why.
    pub reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreadable { stream, seq, reason } = self;
        write!(f, "record {seq} of {stream} cannot be read: {reason}")
    }
}

impl std::error::Error for Unreadable {}

/// What makes a command unmistakable: a digest of who sent it and the id it was sent with.
pub type Key = Digest;

impl Key {
    /// The key of a command that `who` sent as `id`.
    pub fn of_command(who: &str, id: &str) -> Key {
        Digest::of(format!("{who}\0{id}").as_bytes())
    }
}
