//! Bringing a table in: the log another house has written, taken over as it stands, once it has
//! been verified.

use super::{Export, Options, Source, Trouble, verify};
use crate::id::{MeterId, TableId};
use crate::log::{Entry, Head, HouseEntry, Record, Stream, now};
use crate::store::{Store, StoreError};

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

/// Verifies an export, keeps its rulebooks in the store and returns its records, to be appended
/// in one go. A table or meter that is there already is refused.
pub async fn prepare(
    store: &dyn Store,
    export: &Export,
) -> Result<(Imported, Vec<Record>), Trouble> {
    let verdict = verify(Source::Export(export), &Options::default(), &mut |_, _| {}).await?;
    if let Some(finding) = verdict.problems.into_iter().next() {
        return Err(Trouble::Unsound(finding));
    }
    let source = Source::Export(export);
    let (mut records, table) = (Vec::new(), export.table());
    for stream in export.streams() {
        if store.head(&stream).await? != Head::default() {
            return Trouble::refused(format!("{stream} is in this store already"));
        }
        let end = source.head(&stream).await?.seq;
        records.extend(source.records(&stream, 0, u32::MAX).await?);
        if records.last().map(|record| &record.stream) != Some(&stream) && end > 0 {
            return Trouble::refused(format!("{stream} is not in the file"));
        }
    }
    check_heard(export, &records)?;
    for text in export.rulebooks() {
        store.keep_rulebook(text).await?;
    }
    let head = source.head(&Stream::Table(table)).await?;
    let meters = export.meters().cloned().collect();
    Ok((Imported { table, head, meters, records: records.len() as u64 }, records))
}

/// A meter that has heard more of the table than comes along would never hear it again.
fn check_heard(export: &Export, records: &[Record]) -> Result<(), Trouble> {
    use crate::log::MeterEntry;
    let table = export.table();
    let last = export.head(&Stream::Table(table)).seq;
    for record in records.iter().filter(|record| matches!(record.stream, Stream::Meter(_))) {
        let entry: Entry<MeterEntry> =
            record.entry().map_err(|error| Trouble::Refused(error.to_string()))?;
        let MeterEntry::Heard { heard } = entry.what else { continue };
        if heard.iter().any(|heard| heard.table == table && heard.seq > last) {
            let stream = &record.stream;
            return Trouble::refused(format!(
                "{stream} has heard more of the table than was exported: export it again while \
                 nobody plays"
            ));
        }
    }
    Ok(())
}

/// Brings an exported table into a store, all of it or nothing, and writes that into the log of
/// the house. A server that uses the store finds the table when it starts again.
pub async fn import(store: &dyn Store, export: &Export, by: &str) -> Result<Imported, Trouble> {
    let (imported, records) = prepare(store, export).await?;
    append(store, by, &imported, records).await?;
    Ok(imported)
}

/// Appends records and what the house has to say of them in one go.
pub(super) async fn append(
    store: &dyn Store,
    by: &str,
    imported: &Imported,
    mut records: Vec<Record>,
) -> Result<(), Trouble> {
    let mut head = store.head(&Stream::House).await?;
    let opened = |meter: &MeterId| HouseEntry::MeterOpened { meter: meter.clone() };
    let table = HouseEntry::TableImported { table: imported.table, head: imported.head };
    let at = now();
    for what in [table].into_iter().chain(imported.meters.iter().map(opened)) {
        let record = Entry::new(at, by, what).record(head, Stream::House);
        head = record.head();
        records.push(record);
    }
    store.append(&records).await.map_err(|error| match error {
        StoreError::Conflict => {
            Trouble::Refused("somebody else is writing to this store, try again".to_owned())
        }
        error => error.into(),
    })
}
