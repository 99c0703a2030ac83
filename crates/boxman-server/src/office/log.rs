//! The house's own log: accounts and openings, written one after the other. It has no owner:
//! whoever writes names the number that comes next, and where somebody else was there first, looks
//! again and writes after them.

use std::time::Duration;

use futures_util::future::BoxFuture;

use super::Office;
use crate::dice::fresh_bytes;
use crate::log::{Entry, Head, HouseEntry, Record, Stream, now};
use crate::problem::Problem;
use crate::store::{Account, Fence, Store, StoreError, Stored};

/// So often somebody else may be there first.
const TRIES: u32 = 60;

/// What is written together.
pub(crate) struct Writing {
    /// What the house's log says.
    pub(crate) entries: Vec<HouseEntry>,
    /// The account it is about.
    pub(crate) account: Option<Account>,
    /// The first record of what is opened, and the right to write it.
    pub(crate) first: Option<(Record, Fence)>,
}

/// Looks at the store and says what is to be written; asked again where somebody has written
/// meanwhile.
pub(crate) type Look<'a, T> = &'a (dyn Fn() -> BoxFuture<'a, Result<T, Problem>> + Send + Sync);

impl Office {
    /// Writes something into the house's own log.
    pub async fn write_down(&self, by: &str, what: HouseEntry) -> Result<(), Problem> {
        let entries = vec![what];
        let writing = || -> BoxFuture<'_, _> {
            let entries = entries.clone();
            Box::pin(async { Ok(Writing { entries, account: None, first: None }) })
        };
        self.write(by, &writing).await
    }

    /// Writes down that something was opened, together with its first record: no log is there that
    /// the house does not know of, whenever it is killed.
    pub(crate) async fn write_opening(
        &self,
        by: &str,
        what: HouseEntry,
        first: Record,
    ) -> Result<(), Problem> {
        let stream = first.stream.clone();
        let fence = self.store.fence(&stream)?;
        let opening = || -> BoxFuture<'_, _> {
            Box::pin(async {
                // It may be there already, though nobody here has heard of it.
                if self.store.head(&stream).await? != Head::default() {
                    return Err(StoreError::Conflict.into());
                }
                let first = Some((first.clone(), fence));
                Ok(Writing { entries: vec![what.clone()], account: None, first })
            })
        };
        self.write(by, &opening).await
    }

    /// Keeps an account together with what the house's own log says of it. Both are made of what
    /// the store holds, and made again where somebody has written since: of two who change
    /// accounts at once, the second sees what the first has done.
    pub async fn keep_account(
        &self,
        by: &str,
        change: Look<'_, (Account, Vec<HouseEntry>)>,
    ) -> Result<(), Problem> {
        let changed = || -> BoxFuture<'_, _> {
            Box::pin(async {
                let (account, entries) = change().await?;
                Ok(Writing { entries, account: Some(account), first: None })
            })
        };
        self.write(by, &changed).await
    }

    /// Writes what `writing` says, which looks at the store after the end of the log is known: if
    /// it has moved by then, nothing is written and it is asked again.
    pub(crate) async fn write(&self, by: &str, writing: Look<'_, Writing>) -> Result<(), Problem> {
        let mut last = self.last.lock().await;
        let mut tries = 0;
        loop {
            // Others write here too, and another database may not have what this one had.
            if self.store.shared().is_some() {
                *last = Last::read(&*self.store).await?;
            }
            let Writing { entries, account, first } = writing().await?;
            if entries.is_empty() {
                return Ok(());
            }
            let (mut records, next) = last.followed_by(by, entries);
            let fence = first.as_ref().map_or(Fence::default(), |(_, fence)| *fence);
            records.extend(first.map(|(record, _)| record));
            let written = match &account {
                Some(account) => self.store.keep_account(account, &records).await,
                None => self.writer.append_by(records, fence).await,
            };
            let Err(error) = written else {
                *last = next;
                return Ok(());
            };
            // Whether it was written is unknown until the log is read.
            *last = Last::read(&*self.store).await?;
            tries += 1;
            // Whoever hung up before their record was durable has left it there unnoticed, and
            // other nodes write here too.
            if error != StoreError::Conflict || tries == TRIES {
                return Err(error.into());
            }
            if tries > 1 {
                let [spread] = fresh_bytes()?;
                let pause = u64::from(spread % 16) * u64::from(tries.min(8));
                tokio::time::sleep(Duration::from_millis(pause)).await;
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
