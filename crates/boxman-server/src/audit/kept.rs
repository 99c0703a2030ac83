//! What is kept of a stream beside its log, held against the log: the snapshot, and the days of
//! reports that were written with it.
//!
//! A snapshot that is not right is a warning, because no server believes it. A day that is not
//! right is a fault: people read reports.

use std::collections::BTreeMap;

use super::{Finding, Source, Verdict};
use crate::books::Books;
use crate::log::{Head, Record, Stream, Written};
use crate::store::{Day, Seal, Snapshot, StoreError, Stored};

/// How often a stream that is being written to is looked at until its days and its snapshot belong
/// together.
const TRIES: usize = 50;

/// What is kept of one stream.
pub(super) struct Kept {
    /// The snapshot, where it can be held against the log.
    snapshot: Option<Snapshot>,
    /// The days, until they have been.
    days: Option<Vec<Day>>,
}

impl Kept {
    /// What is kept of a stream that is gone through up to `end`. What is wrong with it at first
    /// sight goes into the verdict.
    pub(super) async fn of(
        source: Source<'_>,
        stream: &Stream,
        end: Head,
        verdict: &mut Verdict,
    ) -> Stored<Kept> {
        let nothing = Kept { snapshot: None, days: None };
        let (snapshot, days) = match read(source, stream).await {
            Ok(read) => read,
            Err(StoreError::Damaged(reason)) => {
                verdict.find(Finding::new(stream, end.seq, format!("a day kept of it: {reason}")));
                return Ok(nothing);
            }
            Err(error) => return Err(error),
        };
        let warn = |reason: &str| Finding::new(stream, end.seq, format!("its snapshot {reason}"));
        let snapshot = match snapshot {
            Ok(snapshot) => snapshot,
            Err(reason) => {
                verdict.warn(warn(&format!("cannot be read: {reason}")));
                None
            }
        };
        let Some(snapshot) = snapshot else { return Ok(Kept { snapshot, days: Some(days) }) };
        let after = snapshot.head.seq;
        if !snapshot.is_sound() {
            verdict.warn(warn("does not fit its checksum"));
            return Ok(Kept { snapshot: None, days: Some(days) });
        }
        let ours = snapshot.seal != Seal::NotOurs;
        if !ours {
            verdict.warn(warn("is not sealed with the key of this store"));
        }
        if after <= end.seq {
            return Ok(Kept { snapshot: Some(snapshot), days: Some(days) });
        }
        // What a server has written since this began is not gone through.
        if source.head(stream).await?.seq >= after {
            return Ok(nothing);
        }
        if ours {
            let reason = format!("it is missing, and a snapshot was taken after record {after}");
            verdict.find(Finding::new(stream, end.seq + 1, reason));
        }
        Ok(Kept { snapshot: None, days: Some(days) })
    }

    /// Whether it was kept after this record, or may have been: without a snapshot nothing says
    /// when days were written.
    pub(super) fn is_after(&self, record: &Record) -> bool {
        match &self.snapshot {
            Some(snapshot) => snapshot.head.seq == record.seq,
            None => self.days.as_ref().is_some_and(|days| !days.is_empty()),
        }
    }

    /// Holds it against what the log comes to after `record`.
    pub(super) fn check(
        &mut self,
        record: &Record,
        books: Option<&Books>,
        derived: impl FnOnce(&Snapshot) -> Result<(), String>,
        verdict: &mut Verdict,
    ) {
        let (stream, seq) = (&record.stream, record.seq);
        if let Some(snapshot) = self.snapshot.take() {
            let same = match snapshot.head == record.head() {
                true => derived(&snapshot),
                false => Err("the snapshot taken after it follows another record".to_owned()),
            };
            if let Err(reason) = same {
                verdict.warn(Finding::new(stream, seq, reason));
            }
            let days = self.days.take().unwrap_or_default();
            let checked = check_days(&days, books).and_then(|left| match left.first_key_value() {
                Some((day, _)) => Err(format!("the report of {day} that was kept is missing")),
                None => Ok(()),
            });
            if let Err(reason) = checked {
                verdict.find(Finding::new(stream, seq, reason));
            }
        } else if let Some(days) = &mut self.days {
            days.retain(|day| check_days(std::slice::from_ref(day), books).is_err());
        }
    }

    /// Days that the log has never come to are named.
    pub(super) fn check_rest(
        &mut self,
        stream: &Stream,
        seq: u64,
        books: Option<&Books>,
        verdict: &mut Verdict,
    ) {
        if self.snapshot.is_some() {
            verdict.warn(Finding::new(stream, seq, "its snapshot follows no record"));
        }
        let days = self.days.take().unwrap_or_default();
        if let Err(reason) = check_days(&days, books) {
            verdict.find(Finding::new(stream, seq, reason));
        }
    }
}

/// Whether days are what the log comes to. Gives those that are missing.
fn check_days(days: &[Day], books: Option<&Books>) -> Result<BTreeMap<String, String>, String> {
    let open = books.map(Books::open_days).unwrap_or_default();
    let mut derived: BTreeMap<String, String> =
        open.into_iter().map(|(day, book)| (day, book.text())).collect();
    for Day { day, body, .. } in days {
        match derived.remove(day) {
            Some(text) if text == *body => {}
            Some(_) => return Err(format!("the report of {day} is not what the log comes to")),
            None => {
                return Err(format!("there is a report of {day}, of which the log has nothing"));
            }
        }
    }
    Ok(derived)
}

type Read = (Result<Option<Snapshot>, String>, Vec<Day>);

/// Snapshot and days as they were written together, though a server may be writing.
async fn read(source: Source<'_>, stream: &Stream) -> Stored<Read> {
    let snapshot = async || match source.snapshot(stream).await {
        Err(StoreError::Damaged(reason)) => Ok(Err(reason)),
        snapshot => snapshot.map(Ok),
    };
    let mut before = snapshot().await?;
    let mut days = source.days(stream).await?;
    for _ in 0..TRIES {
        let after = snapshot().await?;
        if after == before {
            break;
        }
        (before, days) = (after, source.days(stream).await?);
    }
    Ok((before, days))
}
