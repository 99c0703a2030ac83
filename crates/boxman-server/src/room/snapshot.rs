//! Snapshots: how a table stood, and the books of its days, written down now and then so that it
//! opens fast. The log is what counts.

use std::sync::Arc;

use super::Room;
use crate::books::DayBook;
use crate::log::{Stream, Written};
use crate::store::{Day, Snapshot};

/// A snapshot is taken after so many records.
const EVERY: u64 = 1_000;
/// And after so many where other nodes may take the table over, many at once.
const EVERY_SHARED: u64 = 100;

impl Room {
    /// Tables take their snapshots at different times, though they may all have opened together.
    pub(super) fn is_snapshot_due(&self) -> bool {
        let every = if self.office.link().is_some() { EVERY_SHARED } else { EVERY };
        let offset = u64::from(self.state.id.0) % every;
        let turn = |seq: u64| (seq + offset) / every;
        turn(self.head.seq) > turn(self.snapshot_at)
    }

    /// Keeps a snapshot; the `last` is waited for.
    pub(super) async fn keep_snapshot(&mut self, last: bool) {
        if self.trouble.is_some() || self.lost || self.head.seq == self.snapshot_at {
            return;
        }
        let stream = Stream::Table(self.state.id);
        let day = |(day, book): (String, DayBook)| {
            let (stream, body) = (stream.clone(), book.text());
            Day { stream, day, body }
        };
        let whole = self.state.books.clone();
        let through = whole.folded().last_key_value().map(|(day, _)| day.clone());
        let days: Vec<Day> = whole.open_days().into_iter().map(day).collect();
        let folded = self.state.fold_books();
        let body = self.state.kept().text();
        let snapshot = Snapshot::new(stream, self.head, body);
        self.snapshot_at = self.head.seq;
        let store = Arc::clone(&self.office.store);
        let keep = async move {
            let kept = store.keep_snapshot(&snapshot, through.as_deref(), &days).await;
            kept.inspect_err(
                |error| tracing::warn!(stream = %snapshot.stream, %error, "no snapshot was kept"),
            )
        };
        // Nobody waits for a snapshot, but for one that writes down days which are then forgotten.
        if !last && !folded {
            drop(tokio::spawn(keep));
        } else if keep.await.is_err() {
            self.state.unfold_books(whole);
        }
    }
}
