//! A room whose store fails it: nobody is told what may not be durable, and the log is read again.

use super::memory::Memory;
use super::visits::Said;
use super::{Decided, Room};
use crate::log::Stream;
use crate::meters::MeterHandle;
use crate::problem::Problem;
use crate::store::{Fence, StoreError, Stored};
use crate::table::{self, Loaded};
use crate::wire::FromServer;

/// Why a room does not play.
#[derive(Clone, Debug)]
pub(super) enum Trouble {
    /// The store cannot be used at the moment.
    Stalled,
    /// The log is damaged.
    Damaged(String),
}

impl Room {
    pub(super) fn check_trouble(&self) -> Result<(), Problem> {
        match &self.trouble {
            // Nothing that was decided here was written; whoever asks is not told anything.
            _ if self.lost => Err(Problem::moved()),
            None => Ok(()),
            Some(Trouble::Stalled) => Err(stalled()),
            Some(Trouble::Damaged(reason)) => {
                Err(Problem::unavailable("table-damaged", reason.clone()))
            }
        }
    }

    /// The store failed: what was decided may or may not be there. Nobody is told that it is.
    pub(super) async fn stall(&mut self, error: &StoreError, decided: Vec<Decided>) {
        tracing::error!(table = %self.state.id, %error, "a table waits for its store");
        self.trouble = Some(Trouble::Stalled);
        let replies = decided.into_iter().filter_map(|decided| decided.reply);
        replies.for_each(|reply| reply.send(Err(stalled())));
        self.clients.announce(FromServer::Problem { problem: stalled() });
        // What is not durable is shown to nobody: least of all a roll that may be thrown again.
        let loaded = match self.fence == Fence::default() {
            true => table::load(&*self.office.store, &self.office.shelf, self.state.id).await,
            false => self.read_again().await,
        };
        match loaded {
            Ok(loaded) => self.take_over(loaded),
            Err(StoreError::Lost) => self.lost = true,
            Err(_) => self.blind = true,
        }
    }

    /// Reads the log once nothing is on its way to it any more.
    async fn read_again(&self) -> Stored<Loaded> {
        let store = &*self.office.store;
        store.settle(&Stream::Table(self.state.id), self.fence).await?;
        table::load(store, &self.office.shelf, self.state.id).await
    }

    /// Goes on from what the log really says.
    pub(super) fn take_over(&mut self, loaded: Loaded) {
        self.state = loaded.state;
        self.head = loaded.head;
        self.snapshot_at = loaded.snapshot_at;
        self.memory = Memory::of([], true);
        self.reopen();
        self.show_seats();
        self.said = Said::default();
        self.posted = 0;
        self.clients.forget(self.head.seq, self.state.owners.clone());
        self.blind = false;
    }

    /// Reads the log again after the store failed, and tells meters again what they have not
    /// answered.
    pub(super) async fn retry(&mut self) {
        if matches!(self.trouble, Some(Trouble::Stalled)) {
            match self.read_again().await {
                Ok(loaded) => {
                    self.take_over(loaded);
                    self.trouble = None;
                    self.link_again().await;
                    tracing::info!(table = %self.state.id, "a table has its store again");
                    self.show_all();
                }
                Err(StoreError::Damaged(reason)) => self.damaged(&reason),
                Err(StoreError::Lost) => self.lost = true,
                Err(error) => tracing::warn!(table = %self.state.id, %error, "still waiting"),
            }
        } else if self.trouble.is_none() {
            if self.meters.iter().any(MeterHandle::is_gone) {
                self.link_again().await;
            }
            self.posted = 0;
            self.send_letters().await;
        }
    }

    /// Finds its meters, of which some may be on other nodes now.
    async fn link_again(&mut self) {
        for asked in [self.link().await, self.ask_meters().await] {
            if let Err(problem) = asked {
                tracing::warn!(table = %self.state.id, %problem, "a meter is silent");
            }
        }
    }

    pub(super) fn is_damaged(&self) -> bool {
        matches!(self.trouble, Some(Trouble::Damaged(_)))
    }

    /// The log turned out to be damaged.
    pub(super) async fn found_damaged(&mut self, reason: &str) {
        self.commit().await;
        self.damaged(reason);
    }

    pub(super) fn damaged(&mut self, reason: &str) {
        if matches!(&self.trouble, Some(Trouble::Damaged(known)) if known == reason) {
            return;
        }
        self.office.shut(self.state.id, reason);
        let problem = Problem::unavailable("table-damaged", reason);
        self.clients.announce(FromServer::Problem { problem });
        self.trouble = Some(Trouble::Damaged(reason.to_owned()));
    }
}

fn stalled() -> Problem {
    let detail = "the table waits for its store; nothing is lost, send it again with the same id";
    Problem::unavailable("store-down", detail)
}
