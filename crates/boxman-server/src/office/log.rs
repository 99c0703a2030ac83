//! The house's own log: accounts and openings, written one after the other.

use super::Office;
use crate::log::{Entry, Head, HouseEntry, Record, Stream, now};
use crate::problem::Problem;
use crate::store::{Account, Store, StoreError, Stored};

impl Office {
    /// Writes something into the house's own log.
    pub async fn write_down(&self, by: &str, what: HouseEntry) -> Result<(), Problem> {
        self.write(by, vec![what], None, Vec::new()).await
    }

    /// Writes down that something was opened, together with its first record: no log is there that
    /// the house does not know of, whenever it is killed.
    pub(crate) async fn write_opening(
        &self,
        by: &str,
        what: HouseEntry,
        first: Record,
    ) -> Result<(), Problem> {
        self.write(by, vec![what], None, vec![first]).await
    }

    /// Keeps an account together with what the house's own log says of it.
    pub async fn keep_account(
        &self,
        by: &str,
        account: &Account,
        entries: Vec<HouseEntry>,
    ) -> Result<(), Problem> {
        self.write(by, entries, Some(account), Vec::new()).await
    }

    async fn write(
        &self,
        by: &str,
        entries: Vec<HouseEntry>,
        account: Option<&Account>,
        others: Vec<Record>,
    ) -> Result<(), Problem> {
        let mut last = self.last.lock().await;
        let mut overtaken = false;
        loop {
            let (mut records, next) = last.followed_by(by, entries.clone());
            records.extend(others.iter().cloned());
            let written = match account {
                Some(account) => self.store.keep_account(account, &records).await,
                None => self.writer.append(records).await,
            };
            let Err(error) = written else {
                *last = next;
                return Ok(());
            };
            // Whether it was written is unknown until the log is read.
            *last = Last::read(&*self.store).await?;
            // Whoever hung up before their record was durable has left it there unnoticed.
            if error != StoreError::Conflict || std::mem::replace(&mut overtaken, true) {
                return Err(error.into());
            }
        }
    }
}

/// The last record of the house's own log, and when it was written.
#[derive(Clone, Copy)]
pub(crate) struct Last {
    head: Head,
    at: u64,
}

impl Last {
    /// The records that come next, and where they end.
    fn followed_by(self, by: &str, entries: Vec<HouseEntry>) -> (Vec<Record>, Last) {
        let Last { mut head, at } = self;
        let at = now().max(at);
        let mut records = Vec::new();
        for what in entries {
            let record = Entry::new(at, by, what).record(head, Stream::House);
            head = record.head();
            records.push(record);
        }
        (records, Last { head, at })
    }

    pub(crate) async fn read(store: &dyn Store) -> Stored<Last> {
        let head = store.head(&Stream::House).await?;
        let record = match store.records(&Stream::House, head.seq.saturating_sub(1), 1).await {
            // The house goes on after a record that cannot be read, and an audit names it.
            Err(StoreError::Damaged(reason)) => {
                tracing::error!(reason, "the last record of the house cannot be read");
                Vec::new()
            }
            record => record?,
        };
        let entry = record.first().and_then(|record| record.entry::<HouseEntry>().ok());
        Ok(Last { head, at: entry.map_or(0, |entry| entry.at) })
    }
}
