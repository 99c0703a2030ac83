//! Going through one log from its first record with an auditor's eyes: up to where it ought to end,
//! along an anchor, with times that do not go back and no command taken twice.

use std::collections::HashSet;

use super::{Anchor, Finding, Source};
use crate::log::{Entry, Head, Key, Record, Stream};
use crate::store::{Stored, walk};

/// So many records are held at once.
const PAGE: u32 = 256;

/// A walk through one stream, up to its end and along an anchor.
pub(super) struct Walk<'a> {
    walk: walk::Walk<Source<'a>>,
    anchor: Option<&'a Anchor>,
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
        let walk = walk::Walk::after(source, stream, Head::default());
        Walk { walk, anchor, end, seen: Seen::default() }
    }

    /// The last record that followed.
    pub(super) fn head(&self) -> Head {
        self.walk.head
    }

    /// The next records, or nothing where the walk is over.
    pub(super) async fn page(&mut self) -> Stored<Option<Page>> {
        let left = self.end.seq.saturating_sub(self.walk.head.seq);
        if left == 0 {
            return Ok(None);
        }
        let limit = u32::try_from(left).unwrap_or(PAGE).min(PAGE);
        let (anchor, end) = (self.anchor, self.end);
        let page = self.walk.page(limit, |record| fits(record, anchor, end)).await?;
        let walk::Page { records, broken } = page;
        let stream = &self.walk.stream;
        let mut broken = broken.map(|broken| Finding::new(stream, broken.seq, broken.reason));
        if records.is_empty() && broken.is_none() {
            broken = Some(Finding::new(stream, self.walk.head.seq + 1, "it is missing"));
        }
        Ok(Some(Page { records, broken }))
    }

    /// What holds of every record, whatever it says.
    pub(super) fn check<W>(&mut self, record: &Record, entry: &Entry<W>) -> Result<(), String> {
        self.seen.check(record, entry)
    }

    /// What an anchor has seen of this stream beyond its end.
    pub(super) fn cut_off(&self) -> Option<Finding> {
        let walk::Walk { stream, head, .. } = &self.walk;
        let reason = self.anchor?.missing(stream, head.seq)?;
        Some(Finding::new(stream, head.seq + 1, reason))
    }
}

/// Whether a record is the one that an anchor has seen, and the last the one named as the last.
fn fits(record: &Record, anchor: Option<&Anchor>, end: Head) -> Result<(), String> {
    if let Some(anchor) = anchor {
        anchor.check(record)?;
    }
    match record.seq == end.seq && record.hash != end.hash {
        true => Err("it is not the record named as the last".to_owned()),
        false => Ok(()),
    }
}

/// What is remembered of the records before.
#[derive(Default)]
struct Seen {
    at: u64,
    /// A million of them take little room.
    keys: HashSet<Key>,
}

impl Seen {
    fn check<W>(&mut self, record: &Record, entry: &Entry<W>) -> Result<(), String> {
        let key = entry.id.as_ref().map(|id| Key::of_command(&entry.by, id));
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
        match key.is_none_or(|key| self.keys.insert(key)) {
            true => Ok(()),
            false => Err("its command has been taken before".to_owned()),
        }
    }
}
