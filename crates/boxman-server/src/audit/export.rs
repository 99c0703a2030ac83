//! Carrying a table away: its log as lines of JSON, with everything it takes to verify it
//! elsewhere.
//!
//! The first line says what it is and brings the rulebooks; then come the records, each exactly
//! as stored, the table's first and those of the meters it feeds after; the last line counts them
//! and holds the hash of all lines before, so that a file cut short is noticed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use futures_util::future::BoxFuture;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::rules::{Compiled, brought};
use super::walk::Walk;
use super::{Source, Trouble};
use crate::hash::Hash;
use crate::id::{MeterId, TableId};
use crate::log::export::{Closing, End, FORMAT, Header, Line, MeterLine, VERSION};
use crate::log::{Entry, Head, Queued, Stream, TableEntry};
use crate::store::{RulebookText, Store, Stored};

/// How often a table that is being played is looked at until it stands still for a moment.
const TRIES: usize = 50;

/// Writes a table and its meters as lines of JSON; says how many records there were.
pub fn export<'a>(
    store: &'a dyn Store,
    table: TableId,
    out: &'a mut (dyn Write + Send),
) -> BoxFuture<'a, Result<u64, Trouble>> {
    let unwritten = |error| Trouble::File(format!("it cannot be written: {error}"));
    Box::pin(async move {
        let mut pages = Pages::of(store, table).await?;
        while let Some(page) = pages.next().await? {
            out.write_all(page.as_bytes()).map_err(unwritten)?;
        }
        out.flush().map_err(unwritten)?;
        Ok(pages.records)
    })
}

/// A table on its way out, page by page: no more of it is held than one.
pub struct Pages<'a> {
    source: Source<'a>,
    header: Option<Header>,
    /// The logs still to come, last first, up to where, and whether each is shared.
    streams: Vec<(Stream, Head, bool)>,
    walk: Option<(Walk<'a>, bool)>,
    sha: Sha256,
    records: u64,
    closed: bool,
}

impl<'a> Pages<'a> {
    /// A table and its meters as they stand now.
    pub async fn of(store: &'a dyn Store, table: TableId) -> Result<Pages<'a>, Trouble> {
        let source = Source::Store(store);
        let (setups, head) = setups(source, table).await?;
        if head.seq == 0 {
            return Trouble::refused(format!("there is no table {table} in this store"));
        }
        let linked = linked(source, table, &setups).await?;
        let (head, meters) = still(store, table, head, &linked).await?;
        // What is carried away is on a standby too, where there is one.
        store.confirm().await?;
        let rulebooks = rulebooks(store, &setups).await?;
        let meter = |line: &MeterLine| (Stream::Meter(line.meter.clone()), line.head, line.shared);
        let mut streams: Vec<(Stream, Head, bool)> = meters.iter().rev().map(meter).collect();
        streams.push((Stream::Table(table), head, false));
        let (format, version) = (FORMAT.to_owned(), VERSION);
        let header = Some(Header { format, version, table, head, meters, rulebooks });
        let (walk, sha) = (None, Sha256::new());
        Ok(Pages { source, header, streams, walk, sha, records: 0, closed: false })
    }

    /// The next lines; nothing after the last.
    pub async fn next(&mut self) -> Result<Option<String>, Trouble> {
        if let Some(header) = self.header.take() {
            return Ok(Some(self.lines([&header])));
        }
        loop {
            if self.walk.is_none() {
                let Some((stream, head, shared)) = self.streams.pop() else { break };
                self.walk = Some((Walk::new(self.source, stream, head, None), shared));
            }
            let Some((walk, shared)) = &mut self.walk else { break };
            let shared = *shared;
            let Some(page) = walk.page().await? else {
                self.walk = None;
                continue;
            };
            if let Some(finding) = page.broken {
                return Err(Trouble::Unsound(finding));
            }
            self.records += page.records.len() as u64;
            let lines = page.records.into_iter().map(|record| Line::of(record, shared));
            return Ok(Some(self.lines(lines)));
        }
        match std::mem::replace(&mut self.closed, true) {
            true => Ok(None),
            false => {
                let sha256 = Hash(self.sha.clone().finalize().into());
                let end = End { records: self.records, sha256 };
                Ok(Some(self.lines([Closing { end }])))
            }
        }
    }

    /// Lines as they are written, hashed as they go.
    fn lines(&mut self, lines: impl IntoIterator<Item = impl Serialize>) -> String {
        let mut text = String::new();
        for line in lines {
            text += &serde_json::to_string(&line).expect("a line is plain data");
            text.push('\n');
        }
        self.sha.update(text.as_bytes());
        text
    }
}

/// Every way the table was ever set up, and its last record.
pub(super) async fn setups(
    source: Source<'_>,
    table: TableId,
) -> Result<(Vec<Queued>, Head), Trouble> {
    let stream = Stream::Table(table);
    let head = source.head(&stream).await?;
    let mut walk = Walk::new(source, stream, head, None);
    let mut setups: Vec<Queued> = Vec::new();
    while let Some(page) = walk.page().await? {
        if let Some(finding) = page.broken {
            return Err(Trouble::Unsound(finding));
        }
        for record in &page.records {
            let entry: Entry<TableEntry> =
                record.entry().map_err(|error| Trouble::Refused(error.to_string()))?;
            setups.extend(brought(&entry.what).filter(|setup| !setups.contains(setup)));
        }
    }
    Ok((setups, head))
}

/// The meters of all those, and whether each is shared.
async fn linked(
    source: Source<'_>,
    table: TableId,
    setups: &[Queued],
) -> Result<BTreeMap<MeterId, bool>, Trouble> {
    let mut compiled = Compiled::default();
    let mut linked = BTreeMap::new();
    for setup in setups {
        let rules = compiled.of(source, setup).await?.map_err(Trouble::Refused)?;
        for rule in rules.meters() {
            let shared = setup.config.meters.contains_key(&rule.name);
            *linked.entry(setup.config.meter(table, &rule.name)).or_default() |= shared;
        }
    }
    Ok(linked)
}

/// The ends of the table and its meters at one moment: nothing was played while the meters were
/// looked up, so none of them has heard more than comes along.
async fn still(
    store: &dyn Store,
    table: TableId,
    mut head: Head,
    linked: &BTreeMap<MeterId, bool>,
) -> Stored<(Head, Vec<MeterLine>)> {
    let mut meters = Vec::new();
    for _ in 0..TRIES {
        meters.clear();
        for (meter, shared) in linked {
            let head = store.head(&Stream::Meter(meter.clone())).await?;
            if head.seq > 0 {
                meters.push(MeterLine { meter: meter.clone(), head, shared: *shared });
            }
        }
        let before = std::mem::replace(&mut head, store.head(&Stream::Table(table)).await?);
        if before == head {
            break;
        }
        tokio::task::yield_now().await;
    }
    Ok((head, meters))
}

async fn rulebooks(store: &dyn Store, setups: &[Queued]) -> Result<Vec<RulebookText>, Trouble> {
    let hashes = setups.iter().flat_map(|setup| setup.library.iter().copied());
    let hashes: BTreeSet<[u8; 32]> = hashes.map(|hash| hash.0).collect();
    let mut texts = Vec::new();
    for hash in hashes {
        let text = store.rulebook(Hash(hash)).await?;
        let missing = || Trouble::Refused(format!("rulebook {} is missing", Hash(hash)));
        texts.push(text.ok_or_else(missing)?);
    }
    Ok(texts)
}
