//! A short account of one table: its hands, and its state at some records on the way, so that
//! any page of a long log is near one of them.

use std::collections::BTreeMap;

use super::SLICE;
use super::hands::Hands;
use super::reader::Reader;
use crate::access::{Person, Sight};
use crate::house::House;
use crate::id::TableId;
use crate::log::Head;
use crate::store::Stored;
use crate::table::LiveTable;

/// So many states are kept of one table.
const MARKS: usize = 64;
/// They are so many records apart, until there are too many: then every other one goes.
const APART: u64 = 256;

/// What is kept of a table's log.
pub(super) struct Chronicle {
    reader: Reader,
    pub(super) hands: Hands,
    marks: BTreeMap<u64, (LiveTable, Head)>,
    apart: u64,
    /// Who plays which seat now, and the record by which they took it.
    seated: BTreeMap<u8, (String, u64)>,
}

impl Chronicle {
    /// The account of a table just opened.
    pub(super) async fn open(house: &House, table: TableId) -> Stored<Chronicle> {
        let reader = Reader::first(&*house.store, &house.shelf, table).await?;
        let hands = Hands::after(reader.head.seq);
        let marks = BTreeMap::from([(reader.head.seq, (reader.state.clone(), reader.head))]);
        Ok(Chronicle { reader, hands, marks, apart: APART, seated: BTreeMap::new() })
    }

    /// The last record it knows.
    pub(super) fn head(&self) -> u64 {
        self.reader.head.seq
    }

    /// Reads on up to a record.
    pub(super) async fn read_to(&mut self, house: &House, until: u64) -> Stored<()> {
        let (store, shelf) = (&*house.store, &house.shelf);
        while self.head() < until {
            let ahead = self.reader.ahead(store, SLICE).await?;
            if ahead.is_empty() {
                break;
            }
            for (head, entry) in &ahead {
                self.reader.take(store, shelf, *head, entry).await?;
                self.hands.note(&self.reader.state, head.seq, entry);
                if entry.what.is_seating() {
                    self.reseat();
                }
                if head.seq.is_multiple_of(self.apart) {
                    self.mark();
                }
            }
            // Play goes first.
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    fn reseat(&mut self) {
        let Reader { state, head, .. } = &self.reader;
        self.seated.retain(|seat, (owner, _)| state.owners.get(seat) == Some(owner));
        for (seat, owner) in &state.owners {
            self.seated.entry(*seat).or_insert_with(|| (owner.clone(), head.seq));
        }
    }

    /// The record from which on somebody sees the whole table: players what has happened since
    /// they took their seat, the crew everything, and strangers nothing.
    pub(super) fn seen_from(&self, who: Option<&Person>) -> u64 {
        let state = &self.reader.state;
        if Sight::of(who, state.config().practice, false) == Sight::Table {
            return 0;
        }
        let own = self.seated.values().filter(|(owner, _)| who.is_some_and(|who| who.id == *owner));
        let since = own.map(|(_, since)| *since).min();
        match state.sight_of(who) {
            Sight::Table => since.unwrap_or(u64::MAX),
            Sight::Stranger => u64::MAX,
        }
    }

    fn mark(&mut self) {
        let Reader { state, head, .. } = &mut self.reader;
        // Reports have these days from elsewhere.
        state.fold_books();
        self.marks.insert(head.seq, (state.clone(), *head));
        if self.marks.len() > MARKS {
            self.apart *= 2;
            let apart = self.apart;
            self.marks.retain(|seq, _| *seq == 1 || seq.is_multiple_of(apart));
        }
    }

    /// The state known at or before a record, as late as possible.
    pub(super) fn nearest(&self, seq: u64) -> (LiveTable, Head) {
        if self.head() <= seq {
            return (self.reader.state.clone(), self.reader.head);
        }
        let mark = self.marks.range(..=seq).next_back();
        mark.map(|(_, mark)| mark.clone()).expect("the opening is always kept")
    }
}
