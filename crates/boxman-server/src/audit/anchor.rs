//! An anchor: the number and hash of every log's last record, written down and kept elsewhere.
//!
//! A hash chain shows every change but one: its end can be cut off. Whoever keeps an anchor where
//! the house cannot reach it sees that too.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::log::{Head, Record, Stream, now};
use crate::store::{Store, StoreError, Stored};

const VERSION: u8 = 1;

/// Where every stream stood at some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// The version of this format.
    anchor: u8,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The last record of each stream.
    pub heads: BTreeMap<Stream, Head>,
    /// The seal of the house on all this, where whoever wrote it had the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seal: Option<Hash>,
}

impl Anchor {
    pub(super) fn new(at: u64, heads: BTreeMap<Stream, Head>) -> Anchor {
        Anchor { anchor: VERSION, at, heads, seal: None }
    }

    /// Reads an anchor as it was written.
    pub fn parse(text: &str) -> Result<Anchor, String> {
        let anchor: Anchor = serde_json::from_str(text)
            .map_err(|error| format!("it is not an anchor, as `verify` writes one: {error}"))?;
        match anchor.anchor {
            VERSION => Ok(anchor),
            other => Err(format!("version {other} of anchors is not known to this program")),
        }
    }

    /// The anchor as JSON.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("an anchor is plain data")
    }

    fn sealed(&self) -> Vec<u8> {
        let bare = Anchor { seal: None, ..self.clone() };
        format!("anchor {}", bare.to_json()).into_bytes()
    }

    /// The same under the seal of the house, where its key is known.
    pub fn sealed_by(mut self, store: &dyn Store) -> Anchor {
        self.seal = store.seal(&self.sealed());
        self
    }

    /// What is wrong with its seal, where the key is known.
    pub(crate) fn check_seal(&self, store: &dyn Store) -> Option<String> {
        let ours = store.seal(&self.sealed())?;
        let wrong = match self.seal {
            Some(seal) if seal == ours => return None,
            Some(_) => "it is not sealed with the key of this store",
            None => "it bears no seal: anybody may have written it",
        };
        Some(wrong.to_owned())
    }

    /// Every stream of which a store does not have the record that was the last then.
    pub async fn missed(&self, store: &dyn Store) -> Stored<Vec<(Stream, String)>> {
        let mut missed = Vec::new();
        for (stream, head) in &self.heads {
            let found = match store.records(stream, head.seq.saturating_sub(1), 1).await {
                Err(StoreError::Damaged(_)) => Vec::new(),
                found => found?,
            };
            if found.first().map(Record::head) != Some(*head) {
                let seq = head.seq;
                let reason = format!("record {seq} is missing or another, the anchor has seen it");
                missed.push((stream.clone(), reason));
            }
        }
        Ok(missed)
    }

    /// Whether a record is the one that was the last of its stream then, where it was.
    pub(super) fn check(&self, record: &Record) -> Result<(), String> {
        let anchored = self.heads.get(&record.stream).filter(|head| head.seq == record.seq);
        match anchored {
            Some(head) if head.hash != record.hash => {
                Err("it is not the record the anchor has seen: it or one before is another".into())
            }
            _ => Ok(()),
        }
    }

    /// What is missing of a stream that ends with `last`.
    pub(super) fn missing(&self, stream: &Stream, last: u64) -> Option<String> {
        let anchored = self.heads.get(stream)?.seq;
        match anchored.checked_sub(last)? {
            0 => None,
            1 => Some("it is missing, and the anchor has seen it".to_owned()),
            _ => Some(format!("it and all up to {anchored} are missing, the anchor has seen them")),
        }
    }
}

/// Where every stream of a store stands now.
pub async fn anchor(store: &dyn Store) -> Stored<Anchor> {
    let mut heads = BTreeMap::new();
    for stream in store.streams().await? {
        let head = store.head(&stream).await?;
        heads.insert(stream, head);
    }
    store.confirm().await?;
    Ok(Anchor::new(now(), heads).sealed_by(store))
}
