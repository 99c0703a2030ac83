//! A meter read back from its log: the last snapshot, and what it has heard since.

use crate::id::MeterId;
use crate::log::{Entry, Head, KeptMeter, MeterEntry, Record, Stream, Written};
use crate::store::walk::Walk;
use crate::store::{Fence, Store, StoreError, Stored, snapshot};

/// A meter as it was left.
pub struct Loaded {
    /// The meter.
    pub state: KeptMeter,
    /// Its last record.
    pub head: Head,
    /// The right to write to its log.
    pub fence: Fence,
    /// The record the last snapshot was taken after.
    pub snapshot_at: u64,
    /// Why its log is not to be believed, where it is not.
    pub damaged: Option<String>,
}

/// A meter as it was opened, where at least that much of its log can be read.
pub async fn founded(store: &dyn Store, id: &MeterId) -> Stored<KeptMeter> {
    let stream = Stream::Meter(id.clone());
    let mut walk = Walk::after(store, stream.clone(), Head::default());
    let first = walk.entries(1).await.unwrap_or_default().pop();
    match first.map(|(_, entry)| entry.what) {
        Some(MeterEntry::Opened { paytable, terms, practice }) => {
            Ok(KeptMeter::open(id.clone(), &paytable, terms, practice))
        }
        _ => Err(StoreError::Damaged(format!("{stream}: its opening cannot be read"))),
    }
}

/// Reads a meter back from the store.
pub async fn load(store: &dyn Store, id: &MeterId) -> Stored<Loaded> {
    let stream = Stream::Meter(id.clone());
    let fence = store.fence(&stream)?;
    let damaged = |reason: String| StoreError::Damaged(format!("{stream}: {reason}"));
    let mut state: Option<KeptMeter> = None;
    let mut head = Head::default();
    if let Some(snapshot) = snapshot::ours(store, &stream).await? {
        match KeptMeter::read(&snapshot.body) {
            // One that an earlier version has kept does not know what awards were shown as.
            Ok(read) if read.is_of_earlier_version() => {}
            Ok(read) => (state, head) = (Some(read), snapshot.head),
            Err(reason) => snapshot::drop(store, &stream, &reason).await?,
        }
    }
    let snapshot_at = head.seq;
    let mut walk = Walk::after(store, stream.clone(), head);
    loop {
        let entries: Vec<(Record, Entry<MeterEntry>)> = walk.entries(500).await?;
        if entries.is_empty() {
            break;
        }
        for (record, entry) in entries {
            match (&mut state, &entry.what) {
                (None, MeterEntry::Opened { paytable, terms, practice }) => {
                    state = Some(KeptMeter::open(id.clone(), paytable, *terms, *practice));
                }
                (Some(state), _) => state.evolve(record.seq, &entry),
                (None, _) => return Err(damaged("it does not begin with its opening".into())),
            }
        }
    }
    let head = walk.head;
    let state = state.ok_or_else(|| damaged("there is nothing".into()))?;
    Ok(Loaded { state, head, fence, snapshot_at, damaged: None })
}
