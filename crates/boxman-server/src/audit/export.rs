//! Carrying a table away: its log as lines of JSON, with everything it takes to verify it
//! elsewhere.
//!
//! The first line says what it is and brings the rulebooks; then come the records, each exactly
//! as stored, the table's first and those of the meters it feeds after; the last line counts them
//! and holds the hash of all lines before, so that a file cut short is noticed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::rules::{Compiled, brought};
use super::walk::Walk;
use super::{Source, Trouble};
use crate::id::{MeterId, TableId};
use crate::log::{Entry, Hash, Head, Key, Queued, Stream, TableEntry};
use crate::store::{RulebookText, Store, Stored};

pub(super) const FORMAT: &str = "boxman-export";
pub(super) const VERSION: u8 = 1;
/// How often a table that is being played is looked at until it stands still for a moment.
const TRIES: usize = 50;

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u8,
    pub(super) table: TableId,
    pub(super) head: Head,
    pub(super) meters: Vec<MeterLine>,
    pub(super) rulebooks: Vec<RulebookText>,
}

/// A meter that comes along.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MeterLine {
    pub(super) meter: MeterId,
    pub(super) head: Head,
    /// Whether other tables feed it too, whose logs do not come along.
    pub(super) shared: bool,
}

/// A record; read back it is a [`crate::log::Record`].
#[derive(Serialize)]
struct Line<'a> {
    stream: &'a Stream,
    seq: u64,
    key: Option<&'a Key>,
    body: &'a str,
    hash: Hash,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shared: bool,
}

/// The last line.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Closing {
    pub(super) end: End,
}

/// What the last line says.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct End {
    pub(super) records: u64,
    pub(super) sha256: Hash,
}

/// Writes a table and its meters as lines of JSON; says how many records there were.
pub async fn export(
    store: &dyn Store,
    table: TableId,
    out: &mut (dyn Write + Send),
) -> Result<u64, Trouble> {
    let source = Source::Store(store);
    let (setups, head) = setups(source, table).await?;
    if head.seq == 0 {
        return Trouble::refused(format!("there is no table {table} in this store"));
    }
    let linked = linked(source, table, &setups).await?;
    let (head, meters) = still(store, table, head, &linked).await?;
    let mut writer = Writer { out, sha: Sha256::new(), records: 0 };
    let rulebooks = rulebooks(store, &setups).await?;
    let (format, version) = (FORMAT.to_owned(), VERSION);
    let streams: Vec<(Stream, Head, bool)> = [(Stream::Table(table), head, false)]
        .into_iter()
        .chain(
            meters.iter().map(|line| (Stream::Meter(line.meter.clone()), line.head, line.shared)),
        )
        .collect();
    writer.line(&Header { format, version, table, head, meters, rulebooks })?;
    for (stream, head, shared) in streams {
        writer.stream(source, stream, head, shared).await?;
    }
    writer.close()
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
            let shared = setup.config.meters.get(&rule.name);
            let id = shared.cloned().unwrap_or_else(|| MeterId::local(table, &rule.name));
            *linked.entry(id).or_default() |= shared.is_some();
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

/// Lines on their way out, hashed as they go.
struct Writer<'a> {
    out: &'a mut (dyn Write + Send),
    sha: Sha256,
    records: u64,
}

impl Writer<'_> {
    async fn stream(
        &mut self,
        source: Source<'_>,
        stream: Stream,
        head: Head,
        shared: bool,
    ) -> Result<(), Trouble> {
        let mut walk = Walk::new(source, stream, head, None);
        while let Some(page) = walk.page().await? {
            if let Some(finding) = page.broken {
                return Err(Trouble::Unsound(finding));
            }
            for record in &page.records {
                self.line(&Line {
                    stream: &record.stream,
                    seq: record.seq,
                    key: record.key.as_ref(),
                    body: &record.body,
                    hash: record.hash,
                    shared,
                })?;
                self.records += 1;
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &impl Serialize) -> Result<(), Trouble> {
        let mut text = serde_json::to_string(line).expect("a line is plain data");
        text.push('\n');
        self.sha.update(text.as_bytes());
        self.write(&text)
    }

    fn close(mut self) -> Result<u64, Trouble> {
        let end = End { records: self.records, sha256: Hash(self.sha.clone().finalize().into()) };
        let text = serde_json::to_string(&Closing { end }).expect("a line is plain data");
        self.write(&format!("{text}\n"))?;
        let flushed = self.out.flush();
        flushed.map_err(|error| Trouble::File(format!("it cannot be written: {error}")))?;
        Ok(end.records)
    }

    fn write(&mut self, text: &str) -> Result<(), Trouble> {
        let written = self.out.write_all(text.as_bytes());
        written.map_err(|error| Trouble::File(format!("it cannot be written: {error}")))
    }
}
