//! A short account of one table: its hands, and its state at some records on the way, so that
//! any page of a long log is near one of them.

use std::collections::BTreeMap;

use super::SLICE;
use super::hands::Hands;
use crate::house::House;
use crate::id::TableId;
use crate::log::Head;
use crate::room::{Reader, State};
use crate::store::Stored;

/// So many states are kept of one table.
const MARKS: usize = 64;
/// They are so many records apart, until there are too many: then every other one goes.
const APART: u64 = 256;

/// What is kept of a table's log.
pub(super) struct Chronicle {
    reader: Reader,
    pub(super) hands: Hands,
    marks: BTreeMap<u64, (State, Head)>,
    apart: u64,
}

impl Chronicle {
    /// The account of a table just opened.
    pub(super) async fn open(house: &House, table: TableId) -> Stored<Chronicle> {
        let reader = Reader::first(&*house.store, &house.shelf, table).await?;
        let hands = Hands::after(reader.head.seq);
        let marks = BTreeMap::from([(reader.head.seq, (reader.state.clone(), reader.head))]);
        Ok(Chronicle { reader, hands, marks, apart: APART })
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
                if head.seq.is_multiple_of(self.apart) {
                    self.mark();
                }
            }
            // Play goes first.
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    fn mark(&mut self) {
        let Reader { state, head, .. } = &mut self.reader;
        // Reports have these days from elsewhere.
        state.books.fold();
        self.marks.insert(head.seq, (state.clone(), *head));
        if self.marks.len() > MARKS {
            self.apart *= 2;
            let apart = self.apart;
            self.marks.retain(|seq, _| *seq == 1 || seq.is_multiple_of(apart));
        }
    }

    /// The state known at or before a record, as late as possible.
    pub(super) fn nearest(&self, seq: u64) -> (State, Head) {
        if self.head() <= seq {
            return (self.reader.state.clone(), self.reader.head);
        }
        let mark = self.marks.range(..=seq).next_back();
        mark.map(|(_, mark)| mark.clone()).expect("the opening is always kept")
    }
}
