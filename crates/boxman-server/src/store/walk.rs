//! Going through one log, page by page: numbers without a gap, each hash following from the one
//! before. Whoever replays or checks a log reads it this way.

use super::{Store, StoreError, Stored};
use crate::log::{Entry, Head, Record, Stream, Written};

/// Where records can be read from.
pub(crate) trait Pages {
    /// The records of a stream after one of them, in order, at most `limit`.
    fn records(
        &self,
        stream: &Stream,
        after: u64,
        limit: u32,
    ) -> impl Future<Output = Stored<Vec<Record>>> + Send;
}

impl Pages for &(dyn Store + '_) {
    async fn records(&self, stream: &Stream, after: u64, limit: u32) -> Stored<Vec<Record>> {
        Store::records(*self, stream, after, limit).await
    }
}

/// A walk through one stream.
pub(crate) struct Walk<S> {
    source: S,
    pub(crate) stream: Stream,
    /// The last record that followed.
    pub(crate) head: Head,
}

/// Records that follow from each other, and what is wrong with the one after them.
pub(crate) struct Page {
    pub(crate) records: Vec<Record>,
    pub(crate) broken: Option<Broken>,
}

/// A record that does not follow.
pub(crate) struct Broken {
    pub(crate) seq: u64,
    pub(crate) reason: String,
}

impl<S: Pages> Walk<S> {
    /// A walk on from `head`, which has been seen.
    pub(crate) fn after(source: S, stream: Stream, head: Head) -> Walk<S> {
        Walk { source, stream, head }
    }

    /// The next records, at most `limit`, each looked at by `check` as well; none where there are
    /// no more.
    pub(crate) async fn page(
        &mut self,
        limit: u32,
        mut check: impl FnMut(&Record) -> Result<(), String>,
    ) -> Stored<Page> {
        let (found, mut broken) = self.read(limit).await?;
        let mut records = Vec::new();
        for record in found {
            let seq = self.head.seq + 1;
            if let Err(reason) = self.follows(&record).and_then(|()| check(&record)) {
                broken = Some(Broken { seq, reason });
                break;
            }
            self.head = record.head();
            records.push(record);
        }
        Ok(Page { records, broken })
    }

    /// The next records and what they say; none where there are no more. One that does not follow
    /// or cannot be read is damage.
    pub(crate) async fn entries<W>(&mut self, limit: u32) -> Stored<Vec<(Record, Entry<W>)>>
    where
        Entry<W>: Written,
    {
        let Page { records, broken } = self.page(limit, |_| Ok(())).await?;
        if let Some(Broken { seq, reason }) = broken {
            let stream = &self.stream;
            return Err(StoreError::Damaged(format!("{stream}: record {seq}: {reason}")));
        }
        let read = |record: Record| match record.entry() {
            Ok(entry) => Ok((record, entry)),
            Err(error) => Err(StoreError::Damaged(error.to_string())),
        };
        records.into_iter().map(read).collect()
    }

    /// Reads a page; where a row of it is no record, the good ones before it.
    async fn read(&self, limit: u32) -> Stored<(Vec<Record>, Option<Broken>)> {
        match self.source.records(&self.stream, self.head.seq, limit).await {
            Ok(records) => return Ok((records, None)),
            Err(StoreError::Damaged(_)) => {}
            Err(error) => return Err(error),
        }
        let mut records: Vec<Record> = Vec::new();
        loop {
            let after = records.last().map_or(self.head.seq, |record| record.seq);
            match self.source.records(&self.stream, after, 1).await {
                Ok(one) if one.is_empty() => return Ok((records, None)),
                Ok(one) => records.extend(one),
                Err(StoreError::Damaged(reason)) => {
                    return Ok((records, Some(Broken { seq: after + 1, reason })));
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn follows(&self, record: &Record) -> Result<(), String> {
        if record.stream != self.stream || record.seq != self.head.seq + 1 {
            return Err("it is missing, or not in its place".to_owned());
        }
        match record.follows(self.head) {
            true => Ok(()),
            false => Err("its hash does not follow from it and from the record before: one of \
                          them has been changed"
                .to_owned()),
        }
    }
}

/// Walks a log and names the first record that does not follow from the one before.
pub async fn check_chain(store: &dyn Store, stream: &Stream) -> Stored<Option<u64>> {
    let mut walk = Walk::after(store, stream.clone(), Head::default());
    loop {
        let Page { records, broken } = walk.page(500, |_| Ok(())).await?;
        if let Some(Broken { seq, .. }) = broken {
            return Ok(Some(seq));
        }
        if records.is_empty() {
            return Ok(None);
        }
        // Play goes first.
        tokio::task::yield_now().await;
    }
}
