//! A database with a synchronous standby, as nodes see it: every statement is done whole or not at
//! all, can be seen at once, and is answered when the standby has it.

use std::any::Any;
use std::sync::Arc;

use crate::tables::Tables;
use crate::world::Moment;

/// A change, as the standby repeats it.
type Change = Arc<dyn Fn(&mut Tables) + Send + Sync>;

/// A database and its standby.
pub(crate) struct Database {
    pub(crate) primary: Tables,
    standby: Tables,
    /// What the standby has not done yet, and when each of it arrives there.
    log: Vec<(Moment, Change)>,
    /// Counts promotions.
    pub(crate) timeline: u64,
    /// Whatever was under way before this counted on is not answered.
    pub(crate) generation: u64,
    /// It takes no statement until then.
    pub(crate) down: Moment,
    /// The standby takes nothing until then.
    standby_away: Moment,
    /// A fault on purpose: it answers before the standby has anything.
    pub(crate) asynchronous: bool,
}

/// Whether an answer waits for the standby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Commit {
    Read,
    Local,
    Replicated,
}

impl Database {
    pub(crate) fn new(tables: &Tables) -> Database {
        Database {
            primary: tables.clone(),
            standby: tables.clone(),
            log: Vec::new(),
            timeline: 1,
            generation: 0,
            down: 0,
            standby_away: 0,
            asynchronous: false,
        }
    }

    /// Does a statement. Says what it comes to, and when that may be said.
    pub(crate) fn execute<T: Any>(
        &mut self,
        now: Moment,
        lag: u64,
        commit: Commit,
        statement: &Arc<dyn Fn(&mut Tables) -> T + Send + Sync>,
    ) -> (T, Moment) {
        let done = statement(&mut self.primary);
        if commit == Commit::Read {
            return (done, now);
        }
        let last = self.log.last().map_or(0, |(at, _)| *at);
        let arrives = (now + lag).max(last).max(self.standby_away);
        let again = Arc::clone(statement);
        self.log.push((arrives, Arc::new(move |tables| drop(again(tables)))));
        match commit == Commit::Replicated && !self.asynchronous {
            true => (done, arrives),
            false => (done, now),
        }
    }

    /// It goes down, comes back, and has forgotten nothing.
    pub(crate) fn restart(&mut self, until: Moment) {
        self.generation += 1;
        self.down = until;
    }

    /// The standby hears nothing until then.
    pub(crate) fn lose_standby(&mut self, until: Moment) {
        self.standby_away = until;
    }

    /// The standby takes over with what has arrived there, and gets a standby of its own.
    pub(crate) fn promote(&mut self, now: Moment, until: Moment, standby: Moment) {
        for (at, change) in self.log.drain(..) {
            if at <= now {
                change(&mut self.standby);
            }
        }
        self.primary = self.standby.clone();
        self.timeline += 1;
        self.generation += 1;
        self.down = until;
        self.standby_away = standby;
    }
}
