//! Going through one log from its first page: numbers without a gap, each hash following from the
//! one before, times that do not go back, no command taken twice.

use std::collections::HashSet;

use super::{Anchor, Finding, Source};
use crate::log::{Entry, Head, Key, Record, Stream};
use crate::store::{StoreError, Stored};

/// So many records are held at once.
const PAGE: u32 = 256;

/// A walk through one stream.
pub(super) struct Walk<'a> {
    source: Source<'a>,
    anchor: Option<&'a Anchor>,
    pub(super) stream: Stream,
    /// The last record that followed.
    pub(super) head: Head,
    /// The last record there ought to be.
    end: Head,
    seen: Seen,
}

/// Records that follow from each other, and what came after them that does not.
pub(super) struct Page {
    pub(super) records: Vec<Record>,
    pub(super) broken: Option<Finding>,
}

impl<'a> Walk<'a> {
    /// A walk up to `end`; what is written after that meanwhile is left alone.
    pub(super) fn new(
        source: Source<'a>,
        stream: Stream,
        end: Head,
        anchor: Option<&'a Anchor>,
    ) -> Walk<'a> {
        let (head, seen) = (Head::default(), Seen::default());
        Walk { source, anchor, stream, head, end, seen }
    }

    /// The next records, or nothing where the walk is over.
    pub(super) async fn page(&mut self) -> Stored<Option<Page>> {
        let left = self.end.seq.saturating_sub(self.head.seq);
        if left == 0 {
            return Ok(None);
        }
        let limit = u32::try_from(left).unwrap_or(PAGE).min(PAGE);
        let (found, mut broken) = self.read(limit).await?;
        let mut records = Vec::new();
        for record in found {
            if let Err((seq, reason)) = self.follows(&record) {
                broken = Some(Finding::new(&self.stream, seq, reason));
                break;
            }
            self.head = record.head();
            records.push(record);
        }
        if records.is_empty() && broken.is_none() {
            broken = Some(Finding::new(&self.stream, self.head.seq + 1, "it is missing"));
        }
        Ok(Some(Page { records, broken }))
    }

    /// Reads a page; where a row of it is no record, the good ones before it.
    async fn read(&self, limit: u32) -> Stored<(Vec<Record>, Option<Finding>)> {
        match self.source.records(&self.stream, self.head.seq, limit).await {
            Ok(records) => return Ok((records, None)),
            Err(StoreError::Damaged(_)) => {}
            Err(error) => return Err(error),
        }
        let mut records: Vec<Record> = Vec::new();
        loop {
            let after = records.last().map_or(self.head.seq, |record| record.seq);
            match self.source.records(&self.stream, after, 1).await {
                Ok(one) if one.is_empty() => return Ok((records, None)),
                Ok(one) => records.extend(one),
                Err(StoreError::Damaged(reason)) => {
                    let finding = Finding::new(&self.stream, after + 1, reason);
                    return Ok((records, Some(finding)));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn follows(&self, record: &Record) -> Result<(), (u64, String)> {
        let expected = self.head.seq + 1;
        if record.stream != self.stream || record.seq != expected {
            return Err((expected, "it is missing, or not in its place".to_owned()));
        }
        if !record.follows(self.head) {
            let changed = "its hash does not follow from it and from the record before: one of \
                           them has been changed";
            return Err((expected, changed.to_owned()));
        }
        if let Some(anchor) = self.anchor {
            anchor.check(record).map_err(|reason| (expected, reason))?;
        }
        if record.seq == self.end.seq && record.hash != self.end.hash {
            let other = "it is not the record named as the last";
            return Err((expected, other.to_owned()));
        }
        Ok(())
    }

    /// What holds of every record, whatever it says.
    pub(super) fn check<W>(&mut self, record: &Record, entry: &Entry<W>) -> Result<(), String> {
        self.seen.check(record, entry)
    }

    /// What an anchor has seen of this stream beyond its end.
    pub(super) fn cut_off(&self) -> Option<Finding> {
        let reason = self.anchor?.missing(&self.stream, self.head.seq)?;
        Some(Finding::new(&self.stream, self.head.seq + 1, reason))
    }
}

/// What is remembered of the records before.
#[derive(Default)]
struct Seen {
    at: u64,
    /// The keys as numbers: a million of them take little room.
    keys: HashSet<u128>,
}

impl Seen {
    fn check<W>(&mut self, record: &Record, entry: &Entry<W>) -> Result<(), String> {
        let key = entry.id.as_ref().map(|id| Key::of(&entry.by, id));
        if record.key != key {
            return Err("its command key is not made of who sent it and the id".to_owned());
        }
        if entry.at < self.at {
            let (at, before) = (entry.at, self.at);
            return Err(format!(
                "it was written at {at}, before the one in front of it ({before})"
            ));
        }
        self.at = entry.at;
        let number = key.and_then(|key| u128::from_str_radix(&key.0, 16).ok());
        match number.is_none_or(|number| self.keys.insert(number)) {
            true => Ok(()),
            false => Err("its command has been taken before".to_owned()),
        }
    }
}
