//! A table read again from its log, record by record, as those who watched it heard of it.

use crate::books::Books;
use crate::id::TableId;
use crate::log::{Entry, Head, Stream, TableEntry};
use crate::shelf::Shelf;
use crate::store::walk::Walk;
use crate::store::{Store, StoreError, Stored};
use crate::table::{LiveTable, Loaded, next_rules, open};
use crate::wire::{HandView, Update};

/// What a table did on each day, read from its log: none is folded away.
pub async fn books(store: &dyn Store, shelf: &Shelf, id: TableId) -> Stored<Books> {
    let mut reader = Reader::first(store, shelf, id).await?;
    loop {
        let entries = reader.ahead(store, 500).await?;
        if entries.is_empty() {
            return Ok(reader.state.into_books());
        }
        for (head, entry) in entries {
            reader.take(store, shelf, head, &entry).await?;
        }
        // Play goes first.
        tokio::task::yield_now().await;
    }
}

/// A table as it stood after some record.
pub(crate) struct Reader {
    pub(crate) state: LiveTable,
    pub(crate) head: Head,
}

impl Reader {
    /// A table just opened.
    pub(crate) async fn first(store: &dyn Store, shelf: &Shelf, id: TableId) -> Stored<Reader> {
        let stream = Stream::Table(id);
        let mut walk = Walk::after(store, stream, Head::default());
        let Some((record, entry)) = walk.entries(1).await?.pop() else {
            let reason = format!("{}: its first record is missing", walk.stream);
            return Err(StoreError::Damaged(reason));
        };
        let Loaded { state, head, .. } = open(store, shelf, id, &record, &entry).await?;
        Ok(Reader { state, head })
    }

    /// The next records, each with the place it leaves the log at. None is taken in yet.
    pub(crate) async fn ahead(
        &self,
        store: &dyn Store,
        limit: u32,
    ) -> Stored<Vec<(Head, Entry<TableEntry>)>> {
        let mut walk = Walk::after(store, Stream::Table(self.state.id), self.head);
        let entries = walk.entries(limit).await?.into_iter();
        Ok(entries.map(|(record, entry)| (record.head(), entry)).collect())
    }

    /// Takes the next record in.
    pub(crate) async fn take(
        &mut self,
        store: &dyn Store,
        shelf: &Shelf,
        head: Head,
        entry: &Entry<TableEntry>,
    ) -> Stored<()> {
        let next = next_rules(store, shelf, &self.state, entry).await?;
        self.state.evolve(head.seq, entry, next.as_ref());
        self.head = head;
        // The meters have had their letters.
        drop(self.state.take_letters());
        Ok(())
    }

    /// Takes the next record in, and says what those who watched heard of it.
    pub(crate) async fn tell(
        &mut self,
        store: &dyn Store,
        shelf: &Shelf,
        hand: &mut HandView,
        (head, entry): (Head, &Entry<TableEntry>),
    ) -> Stored<Update> {
        self.take(store, shelf, head, entry).await?;
        Ok(Update::of(&self.state, head.seq, entry, hand))
    }
}
