//! Somebody who comes back gets the updates they have missed, where all of them are kept, and a
//! snapshot of the table where not.

use std::collections::{BTreeMap, VecDeque};

use super::Room;
use super::clients::Forms;
use super::links::meter_views;
use crate::access::{Person, Sight};
use crate::log::now;
use crate::wire::{Frame, FromServer};

/// So many updates are kept.
const KEPT: usize = 128;

/// The last updates, and for whom they are of no use.
#[derive(Default)]
pub(super) struct Past {
    kept: VecDeque<Kept>,
    /// The record by which people sat down or left last, as long as an older one is kept.
    moved: BTreeMap<String, u64>,
    /// The last record that a stranger has heard of.
    strangers: Option<u64>,
}

/// An update as it was sent.
struct Kept {
    seq: u64,
    table: Frame,
    stranger: Option<Frame>,
}

impl Kept {
    fn get(&self, sight: Sight) -> Option<&Frame> {
        match sight {
            Sight::Table => Some(&self.table),
            Sight::Stranger => self.stranger.as_ref(),
        }
    }
}

impl Past {
    /// Keeps an update, which strangers may be watching.
    pub(super) fn keep(&mut self, seq: u64, mut update: Forms, strangers: bool) {
        if strangers {
            self.strangers = Some(seq);
        }
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        // One who comes back later than this has missed too much anyway.
        let awaited = self.strangers.is_some_and(|last| seq - last <= KEPT as u64);
        let stranger = awaited.then(|| update.get(Sight::Stranger));
        self.kept.push_back(Kept { seq, table: update.get(Sight::Table), stranger });
    }

    /// People who see more or less of the table since this record.
    pub(super) fn moved(&mut self, seq: u64, people: impl Iterator<Item = String>) {
        let first = self.kept.front().map_or(seq, |kept| kept.seq);
        self.moved.retain(|_, at| *at >= first);
        self.moved.extend(people.map(|person| (person, seq)));
    }

    /// After a gap nobody knows.
    pub(super) fn forget(&mut self) {
        self.kept.clear();
    }

    /// Everything after a record, where it is all kept and `who` saw the table then as now.
    pub(super) fn missed(
        &self,
        who: Option<&Person>,
        sight: Sight,
        after: u64,
        head: u64,
    ) -> Option<Vec<Frame>> {
        let moved = who.and_then(|who| self.moved.get(&who.id));
        let first = self.kept.front().map_or(head + 1, |kept| kept.seq);
        if after > head || after + 1 < first || moved.is_some_and(|moved| *moved >= after) {
            return None;
        }
        let missed = self.kept.iter().filter(|kept| kept.seq > after);
        missed.map(|kept| kept.get(sight).cloned()).collect()
    }
}

impl Room {
    /// Brings somebody up to date who has seen everything up to `after`, or nothing.
    pub(super) fn catch_up(&mut self, client: u64, after: Option<u64>) {
        let seq = self.head.seq;
        let Some(missed) = after.and_then(|after| self.clients.missed(client, after, seq)) else {
            let snapshot = self.said.after(seq).snapshot(
                &self.state,
                &self.meters,
                &self.office.shelf,
                &self.clock,
            );
            return self.clients.tell(client, snapshot);
        };
        let resumed = Frame::of(&FromServer::Resumed { seq, at: now(), now: self.clock.now() });
        // Meters are no records: what they showed then says nothing about now.
        let meters = meter_views(&self.meters);
        self.clients.tell_all(client, |sight| {
            let meter = move |meter| Forms::of(FromServer::Meter { meter }).get(sight);
            std::iter::once(resumed).chain(missed).chain(meters.into_iter().map(meter))
        });
    }
}
