//! What a room tells its crew alone: the work lists with their ticks, and the worst roll.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Room;
use super::clients::Forms;
use super::links::meter_views;
use crate::access::Person;
use crate::problem::Problem;
use crate::wire::{FromServer, WorkListView, WorstRollView};

/// The items that dealers have ticked off, by list. Ticks are heard and not written.
#[derive(Default)]
pub(super) struct Ticks(BTreeMap<u64, BTreeSet<u32>>);

impl Ticks {
    fn set(&mut self, list: u64, item: u32, on: bool) {
        let items = self.0.entry(list).or_default();
        match on {
            true => items.insert(item),
            false => items.remove(&item),
        };
    }

    fn has(&self, list: u64, item: u32) -> bool {
        self.0.get(&list).is_some_and(|items| items.contains(&item))
    }

    /// Every tick, by list and item.
    pub(super) fn all(&self) -> Vec<(u64, u32)> {
        let ticks = self.0.iter();
        ticks.flat_map(|(list, items)| items.iter().map(move |item| (*list, *item))).collect()
    }
}

/// A tick that a dealer sets or takes away.
#[derive(Clone, Copy, Debug)]
pub struct Tick {
    /// The list.
    pub list: u64,
    /// The item.
    pub item: u32,
    /// Whether it is done.
    pub on: bool,
}

impl Room {
    /// The work that is left, with the ticks on it.
    pub(super) fn work(&self) -> Vec<WorkListView> {
        let lists = self.state.open_work();
        let view = |(list, numbers): &(crate::work::WorkList, Vec<u32>)| {
            WorkListView::of(list, numbers, |item| self.ticks.has(list.record, item))
        };
        lists.iter().map(view).collect()
    }

    /// Shows the crew their work where it has changed.
    pub(super) fn show_work(&mut self) {
        if !self.clients.has_crew(&self.state.owners) {
            self.work_shown = None;
            return;
        }
        let lists = self.work();
        if self.work_shown.as_ref() != Some(&lists) {
            self.work_shown = Some(lists.clone());
            let seq = self.head.seq;
            self.clients.tell_crew(&self.state.owners, &FromServer::Work { seq, lists });
        }
    }

    /// Shows one of the crew who has just come what there is to do.
    pub(super) fn show_work_to(&mut self, client: u64) {
        if self.clients.is_crew(client, &self.state.owners) {
            let work = FromServer::Work { seq: self.head.seq, lists: self.work() };
            self.clients.tell(client, &mut Forms::of(work));
        }
    }

    /// A dealer ticks items off.
    pub(super) fn tick(&mut self, client: u64, who: Option<&Arc<Person>>, ticks: &[Tick]) {
        let crew = who.is_some() && self.clients.is_crew(client, &self.state.owners);
        if !crew {
            let problem = Problem::forbidden("work lists are for the crew of the table");
            return self.clients.tell(client, &mut Forms::of(FromServer::Problem { problem }));
        }
        for Tick { list, item, on } in ticks {
            let known = self.state.work_of(*list);
            if known.is_some_and(|list| !list.done && (*item as usize) < list.items.len()) {
                self.ticks.set(*list, *item, *on);
            }
        }
        self.show_work();
    }

    /// Forgets ticks of lists that are gone or done.
    pub(super) fn forget_ticks(&mut self) {
        let state = &self.state;
        self.ticks.0.retain(|list, _| state.work_of(*list).is_some_and(|list| !list.done));
    }

    /// Tells one of the crew which roll would cost the tray the most.
    pub(super) fn tell_worst_roll(&mut self, client: u64) {
        if !self.clients.is_crew(client, &self.state.owners) {
            let problem = Problem::forbidden("what lies in the tray is for the crew of the table");
            return self.clients.tell(client, &mut Forms::of(FromServer::Problem { problem }));
        }
        let worst = WorstRollView::of(&self.state, &meter_views(&self.meters));
        let told = FromServer::WorstRoll { seq: self.head.seq, worst };
        self.clients.tell(client, &mut Forms::of(told));
    }
}
