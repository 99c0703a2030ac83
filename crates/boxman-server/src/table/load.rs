//! A table read back from its log: the last snapshot, and what has happened since.

use std::collections::BTreeMap;
use std::sync::Arc;

use craps::Rules;

use super::LiveTable;
use crate::hash::Digest;
use crate::id::TableId;
use crate::log::{Entry, Head, KeptTable, Key, Queued, Record, Stream, TableEntry, Written};
use crate::shelf::Shelf;
use crate::store::walk::Walk;
use crate::store::{Snapshot, Store, StoreError, Stored, snapshot};

/// A table as it was left.
pub(crate) struct Loaded {
    pub(crate) state: LiveTable,
    pub(crate) head: Head,
    /// The record the last snapshot was taken after.
    pub(crate) snapshot_at: u64,
    /// The commands of the records read, oldest first: the record and the digest of each.
    pub(crate) commands: Vec<(Key, u64, Option<Digest>)>,
}

/// Reads a table. Every record read is checked against the one before. A snapshot that is not
/// this house's own, or says nothing, is dropped: the log is all it takes.
pub(crate) async fn load(store: &dyn Store, shelf: &Shelf, id: TableId) -> Stored<Loaded> {
    let stream = Stream::Table(id);
    let mut loaded: Option<Loaded> = None;
    let mut head = Head::default();
    if let Some(snapshot) = snapshot::ours(store, &stream).await? {
        match restore(store, shelf, &snapshot).await? {
            Ok(state) => {
                head = snapshot.head;
                let snapshot_at = head.seq;
                loaded = Some(Loaded { state, head, snapshot_at, commands: Vec::new() });
            }
            Err(reason) => snapshot::drop(store, &stream, &reason).await?,
        }
    }
    let mut walk = Walk::after(store, stream.clone(), head);
    loop {
        let entries = walk.entries(500).await?;
        if entries.is_empty() {
            break;
        }
        for (record, entry) in entries {
            match &mut loaded {
                Some(loaded) => take(store, shelf, loaded, &record, &entry).await?,
                None => loaded = Some(open(store, shelf, id, &record, &entry).await?),
            }
        }
    }
    let damaged = |reason: &str| StoreError::Damaged(format!("{stream}: {reason}"));
    loaded.ok_or_else(|| damaged("there is nothing in its log"))
}

async fn restore(
    store: &dyn Store,
    shelf: &Shelf,
    snapshot: &Snapshot,
) -> Stored<Result<LiveTable, String>> {
    let kept = match KeptTable::read(&snapshot.body) {
        Ok(kept) => kept,
        Err(reason) => return Ok(Err(reason)),
    };
    let known = |seat: craps::Seat| kept.mendable.seated.contains_key(&seat.0);
    let practice = kept.setup.config.practice;
    if kept.rounds.is_empty() || !(practice || kept.table.players().all(|(seat, _)| known(seat))) {
        return Ok(Err("an earlier version of the program has kept it".to_owned()));
    }
    let rules = shelf.recall(store, &kept.setup).await?;
    let other = || "it plays by other rules than it names".to_owned();
    Ok(LiveTable::restore(kept, rules).ok_or_else(other))
}

pub(crate) async fn open(
    store: &dyn Store,
    shelf: &Shelf,
    id: TableId,
    record: &Record,
    entry: &Entry<TableEntry>,
) -> Stored<Loaded> {
    let TableEntry::Opened { config, library, rules } = &entry.what else {
        let reason = format!("table/{id}: its log does not begin with its opening");
        return Err(StoreError::Damaged(reason));
    };
    let (config, library, old_meters) = (config.clone(), library.clone(), BTreeMap::new());
    let setup = Queued { config, library, rules: *rules, old_meters };
    let rules = shelf.recall(store, &setup).await?;
    let state = LiveTable::open(id, &entry.by, setup, rules, entry.at);
    Ok(Loaded { state, head: record.head(), snapshot_at: 0, commands: Vec::new() })
}

async fn take(
    store: &dyn Store,
    shelf: &Shelf,
    loaded: &mut Loaded,
    record: &Record,
    entry: &Entry<TableEntry>,
) -> Stored<()> {
    let next = next_rules(store, shelf, &loaded.state, entry).await?;
    loaded.state.evolve(record.seq, entry, next.as_ref());
    loaded.head = record.head();
    loaded.commands.extend(record.key.map(|key| (key, record.seq, entry.asked)));
    Ok(())
}

/// The rules that a record has a table go over to, where it does.
pub(crate) async fn next_rules(
    store: &dyn Store,
    shelf: &Shelf,
    state: &LiveTable,
    entry: &Entry<TableEntry>,
) -> Stored<Option<Arc<Rules>>> {
    match state.goes_over_to(entry) {
        Some(queued) => shelf.recall(store, queued).await.map(Some),
        None => Ok(None),
    }
}
