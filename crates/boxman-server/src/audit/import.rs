//! Bringing a table in: the log another house has written, taken over as it stands, once it has
//! been verified. No more of it is held than a page.

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};

use super::{Export, Options, Source, Trouble, verify};
use crate::hash::Hash;
use crate::id::{MeterId, TableId};
use crate::log::{Entry, Head, HouseEntry, MeterEntry, Record, Stream, now};
use crate::store::{Store, StoreError, Stored, edition};

/// So many records are held at once.
const PAGE: u32 = 256;

/// What was brought in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The table.
    pub table: TableId,
    /// Its last record.
    pub head: Head,
    /// The meters that came along.
    pub meters: Vec<MeterId>,
    /// How many records.
    pub records: u64,
}

/// A table that holds, and is not in the store yet.
pub struct Prepared<'a> {
    pub(super) imported: Imported,
    pub(super) records: Records<'a>,
}

impl Prepared<'_> {
    /// The table.
    pub(crate) fn table(&self) -> TableId {
        self.imported.table
    }
}

/// Where its records come from.
pub(super) enum Records<'a> {
    Export(&'a Export),
    Tape(Vec<Record>),
}

impl Records<'_> {
    /// All of them, a page at a time.
    fn pages(&self) -> BoxStream<'_, Stored<Vec<Record>>> {
        match self {
            Records::Tape(records) => {
                let pages = records.chunks(PAGE as usize);
                stream::iter(pages.map(|page| Ok(page.to_vec()))).boxed()
            }
            Records::Export(export) => {
                stream::iter(export.streams()).flat_map(|log| pages(export, log)).boxed()
            }
        }
    }
}

/// One log of an export, up to the record it names as the last: what comes after that has not
/// been verified.
fn pages(export: &Export, log: Stream) -> BoxStream<'_, Stored<Vec<Record>>> {
    let end = export.head(&log).seq;
    let page = move |after: u64| {
        let left = u32::try_from(end.saturating_sub(after)).unwrap_or(PAGE).min(PAGE);
        let records = match left {
            0 => Ok(Vec::new()),
            left => export.records(&log, after, left),
        };
        async move {
            let records = records?;
            Ok(records.last().map(Record::head).map(|last| (records, last.seq)))
        }
    };
    stream::try_unfold(0, page).boxed()
}

/// Verifies an export. A table or meter that is there already is refused.
pub async fn prepare<'a>(store: &dyn Store, export: &'a Export) -> Result<Prepared<'a>, Trouble> {
    let source = Source::Export(export);
    let verdict = verify(source, &Options::default(), &mut |_, _| {}).await?;
    if let Some(finding) = verdict.problems.into_iter().next() {
        return Err(Trouble::Unsound(finding));
    }
    let mut records = 0;
    for log in export.streams() {
        if store.head(&log).await? != Head::default() {
            return Trouble::refused(format!("{log} is in this store already"));
        }
        records += export.head(&log).seq;
        if matches!(log, Stream::Meter(_)) {
            check_heard(export, log).await?;
        }
    }
    let table = export.table();
    let head = export.head(&Stream::Table(table));
    let meters = export.meters().cloned().collect();
    let imported = Imported { table, head, meters, records };
    Ok(Prepared { imported, records: Records::Export(export) })
}

/// A meter that has heard more of the table than comes along would never hear it again.
async fn check_heard(export: &Export, log: Stream) -> Result<(), Trouble> {
    let table = export.table();
    let last = export.head(&Stream::Table(table)).seq;
    let mut pages = pages(export, log);
    while let Some(page) = pages.next().await {
        for record in page? {
            let entry: Entry<MeterEntry> =
                record.entry().map_err(|error| Trouble::Refused(error.to_string()))?;
            let MeterEntry::Heard { heard } = entry.what else { continue };
            if heard.iter().any(|heard| heard.table == table && heard.seq > last) {
                let stream = &record.stream;
                return Trouble::refused(format!(
                    "{stream} has heard more of the table than was exported: export it again \
                     while nobody plays"
                ));
            }
        }
    }
    Ok(())
}

/// Brings an exported table into a store, all of it or nothing, and writes that into the log of
/// the house. A server that uses the store finds the table when it starts again.
pub fn import<'a>(
    store: &'a dyn Store,
    export: &'a Export,
    by: &'a str,
) -> BoxFuture<'a, Result<Imported, Trouble>> {
    Box::pin(async move { append(store, by, prepare(store, export).await?).await })
}

/// Brings in what has been prepared, together with what the house has to say of it: all of it or
/// nothing. Nobody else may write into the house's log meanwhile.
pub async fn append(
    store: &dyn Store,
    by: &str,
    prepared: Prepared<'_>,
) -> Result<Imported, Trouble> {
    let Prepared { imported, records } = prepared;
    if let Records::Export(export) = &records {
        let rulebooks: Vec<Hash> = export.rulebooks().iter().map(|text| text.hash).collect();
        if let Some(why) = edition::waits(store, &rulebooks).await? {
            return Trouble::refused(why);
        }
        for text in export.rulebooks() {
            store.keep_rulebook(text).await?;
        }
    }
    let mut head = store.head(&Stream::House).await?;
    let opened = |meter: &MeterId| HouseEntry::MeterOpened { meter: meter.clone() };
    let table = HouseEntry::TableImported { table: imported.table, head: imported.head };
    let at = now();
    let mut said = Vec::new();
    for what in [table].into_iter().chain(imported.meters.iter().map(opened)) {
        let record = Entry::new(at, by, what).record(head, Stream::House);
        head = record.head();
        said.push(record);
    }
    let pages = records.pages().chain(stream::iter([Ok(said)])).boxed();
    store.append_pages(pages).await.map_err(|error| match error {
        StoreError::Conflict => {
            Trouble::Refused("somebody else is writing to this store, try again".to_owned())
        }
        error => error.into(),
    })?;
    Ok(imported)
}
