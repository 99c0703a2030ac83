//! A table read again from its log, record by record, as those who watched it heard of it.

use std::sync::Arc;

use craps::Rules;

use super::State;
use super::load::{Loaded, open};
use crate::id::TableId;
use crate::log::{Entry, Head, Stream, TableEntry};
use crate::shelf::Shelf;
use crate::store::{Store, StoreError, Stored};
use crate::wire::{HandView, Update};

/// Takes a record in and says what those who watch hear of it: the room its clients now, a
/// reader whoever looks back later. `hand` is what everybody shared before, and is brought up
/// to date.
pub(crate) fn tell(
    state: &mut State,
    rules: &Rules,
    hand: &mut HandView,
    seq: u64,
    entry: &Entry<TableEntry>,
) -> Update {
    state.evolve(rules, seq, entry);
    let update = Update::of(state, rules, seq, entry, hand);
    if let Some(changed) = &update.hand {
        hand.clone_from(changed);
    }
    update
}

/// A table as it stood after some record.
pub(crate) struct Reader {
    pub(crate) state: State,
    pub(crate) rules: Arc<Rules>,
    pub(crate) head: Head,
}

impl Reader {
    /// A table just opened.
    pub(crate) async fn first(store: &dyn Store, shelf: &Shelf, id: TableId) -> Stored<Reader> {
        let stream = Stream::Table(id);
        let records = store.records(&stream, 0, 1).await?;
        let damaged = |reason: String| StoreError::Damaged(format!("{stream}: {reason}"));
        let record = records.first().filter(|record| record.follows(Head::default()));
        let record = record.ok_or_else(|| damaged("its first record is missing".to_owned()))?;
        let entry = record.entry().map_err(|error| damaged(error.to_string()))?;
        let Loaded { state, rules, head, .. } = open(store, shelf, id, record, &entry).await?;
        Ok(Reader { state, rules, head })
    }

    /// A table as it was left.
    pub(crate) async fn at(
        store: &dyn Store,
        shelf: &Shelf,
        state: State,
        head: Head,
    ) -> Stored<Reader> {
        let rules = shelf.recall(store, &state.setup).await?;
        Ok(Reader { state, rules, head })
    }

    /// The next records, each with the place it leaves the log at. None is taken in yet.
    pub(crate) async fn ahead(
        &self,
        store: &dyn Store,
        limit: u32,
    ) -> Stored<Vec<(Head, Entry<TableEntry>)>> {
        let stream = Stream::Table(self.state.id);
        let damaged = |reason: String| StoreError::Damaged(format!("{stream}: {reason}"));
        let mut head = self.head;
        let mut entries = Vec::new();
        for record in store.records(&stream, head.seq, limit).await? {
            if !record.follows(head) {
                let (seq, before) = (record.seq, head.seq);
                return Err(damaged(format!("record {seq} does not follow record {before}")));
            }
            head = record.head();
            entries.push((head, record.entry().map_err(|error| damaged(error.to_string()))?));
        }
        Ok(entries)
    }

    /// Takes the next record in.
    pub(crate) async fn take(
        &mut self,
        store: &dyn Store,
        shelf: &Shelf,
        head: Head,
        entry: &Entry<TableEntry>,
    ) -> Stored<()> {
        self.state.evolve(&self.rules, head.seq, entry);
        self.follow(store, shelf, head).await
    }

    /// Takes the next record in, as it was broadcast.
    pub(crate) async fn tell(
        &mut self,
        store: &dyn Store,
        shelf: &Shelf,
        hand: &mut HandView,
        (head, entry): (Head, &Entry<TableEntry>),
    ) -> Stored<Update> {
        let update = tell(&mut self.state, &self.rules, hand, head.seq, entry);
        self.follow(store, shelf, head).await?;
        Ok(update)
    }

    async fn follow(&mut self, store: &dyn Store, shelf: &Shelf, head: Head) -> Stored<()> {
        self.head = head;
        // The meters have had their letters.
        self.state.outbox.clear();
        if self.state.setup.rules.0 != self.rules.hash {
            self.rules = shelf.recall(store, &self.state.setup).await?;
        }
        Ok(())
    }
}
