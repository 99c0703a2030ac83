//! Going through all of it: the house, then every table, then every meter, then what they say of
//! each other. Page by page, so that a log of a year needs no more room than one of a day.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use craps::Rules;
use futures_util::future::BoxFuture;

use super::clearing::{MeterGone, Meters, compare};
use super::house::HouseAudit;
use super::kept::Kept;
use super::meter::{MeterAudit, TableGone, Tables};
use super::rules::{Compiled, brought};
use super::table::TableAudit;
use super::walk::Walk;
use super::{Anchor, Finding, Source, Verdict};
use crate::books::Books;
use crate::id::{MeterId, TableId};
use crate::log::{
    Entry, Head, HouseEntry, MeterEntry, Queued, Record, Stream, TableEntry, Written,
};
use crate::store::{Account, Fault, Snapshot, StoreError, Stored};

/// What to verify, and against what.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only this table, and the meters it feeds.
    pub table: Option<TableId>,
    /// Where the logs stood once.
    pub anchor: Option<Anchor>,
}

/// Told now and then how many records are done, and of how many.
pub type Progress<'a> = dyn FnMut(u64, u64) + Send + 'a;

/// Works out everything in a log again and says what does not follow.
///
/// What is wrong is part of the verdict; an error means that the store could not be read.
pub fn verify<'a, 'b: 'a>(
    source: Source<'a>,
    options: &'a Options,
    progress: &'a mut Progress<'b>,
) -> BoxFuture<'a, Stored<Verdict>> {
    Box::pin(verified(source, options, progress))
}

async fn verified(
    source: Source<'_>,
    options: &Options,
    progress: &mut Progress<'_>,
) -> Stored<Verdict> {
    let heads = Heads::of(source, options.table).await;
    let heads = match heads {
        Err(StoreError::Damaged(reason)) => {
            let mut verdict = Verdict::default();
            verdict.find(Finding::new("the store", 0, reason));
            return Ok(verdict);
        }
        heads => heads?,
    };
    let mut audit = Audit {
        source,
        anchor: options.anchor.as_ref(),
        compiled: Compiled::default(),
        verdict: Verdict::default(),
        done: 0,
        total: heads.total(),
        progress,
    };
    audit.all(&heads, options.table).await?;
    let mut verdict = audit.verdict;
    if let Source::Export(export) = source {
        verdict.problems.extend(export.fault().cloned());
    }
    verdict.ok = verdict.problems.is_empty();
    Ok(verdict)
}

/// Where every stream ends, looked up in an order that lets a server write on meanwhile: what a
/// table has paid out its meter has awarded before, so meters come after tables.
struct Heads {
    /// Every stream there is.
    streams: BTreeSet<Stream>,
    house: Head,
    /// The accounts as they were when the house's log ended there.
    accounts: Vec<Account>,
    tables: BTreeMap<TableId, Head>,
    meters: BTreeMap<MeterId, Head>,
    /// The tables once more, after the meters.
    later: BTreeMap<TableId, u64>,
}

impl Heads {
    async fn of(source: Source<'_>, only: Option<TableId>) -> Stored<Heads> {
        // What the house has opened, its log knew of in the same moment: so it is looked up after.
        let streams = source.streams().await?;
        let (house, accounts) = match only {
            None => accounts(source).await?,
            Some(_) => (Head::default(), Vec::new()),
        };
        let (mut tables, mut meters) = (BTreeMap::new(), BTreeMap::new());
        for stream in &streams {
            if let Stream::Table(id) = stream
                && only.is_none_or(|only| only == *id)
            {
                tables.insert(*id, source.head(stream).await?);
            }
        }
        for stream in &streams {
            if let Stream::Meter(id) = stream {
                meters.insert(id.clone(), source.head(stream).await?);
            }
        }
        let mut later = BTreeMap::new();
        for id in tables.keys() {
            let seq = match source.is_live() {
                true => source.head(&Stream::Table(*id)).await?.seq,
                // What was written after an export was taken is not to be had any more.
                false => u64::MAX,
            };
            later.insert(*id, seq);
        }
        let streams = streams.into_iter().collect();
        Ok(Heads { streams, house, accounts, tables, meters, later })
    }

    fn total(&self) -> u64 {
        let heads = self.tables.values().chain(self.meters.values());
        // A log may say anything of itself.
        heads.fold(self.house.seq, |total, head| total.saturating_add(head.seq))
    }
}

/// The accounts, and where the house's log stood when they were as they are.
async fn accounts(source: Source<'_>) -> Stored<(Head, Vec<Account>)> {
    let mut head = source.head(&Stream::House).await?;
    loop {
        let accounts = source.accounts().await?;
        let after = source.head(&Stream::House).await?;
        if std::mem::replace(&mut head, after) == after {
            return Ok((head, accounts));
        }
    }
}

struct Audit<'a, 'p> {
    source: Source<'a>,
    anchor: Option<&'a Anchor>,
    compiled: Compiled,
    verdict: Verdict,
    done: u64,
    total: u64,
    progress: &'a mut Progress<'p>,
}

impl Audit<'_, '_> {
    async fn all(&mut self, heads: &Heads, only: Option<TableId>) -> Stored<()> {
        let mut house = HouseAudit::default();
        let mut whole = true;
        if only.is_none() && heads.house.seq > 0 {
            whole = self.walk(&mut house, Stream::House, heads.house).await?;
        }
        let mut tables = Tables::new();
        for (id, head) in &heads.tables {
            let mut audit = TableAudit::new(*id);
            let whole = self.walk(&mut audit, Stream::Table(*id), *head).await?;
            let later = heads.later.get(id).copied().unwrap_or_default();
            tables.insert(*id, TableGone { audit, whole, end: head.seq, later });
            self.verdict.tables += 1;
        }
        let fed = |id: &MeterId| tables.values().any(|gone| gone.audit.meters().contains(id));
        let chosen = heads.meters.iter().filter(|(id, _)| only.is_none() || fed(id));
        let mut meters = Meters::new();
        for (id, head) in chosen {
            let mut audit = Hearing { meter: MeterAudit::new(id.clone()), tables: &tables };
            let whole = self.walk(&mut audit, Stream::Meter(id.clone()), *head).await?;
            meters.insert(id.clone(), MeterGone { audit: audit.meter, whole, end: head.seq });
            self.verdict.meters += 1;
        }
        compare(&tables, &meters, &mut self.verdict);
        if only.is_none() {
            self.check_store(heads, &house, whole).await?;
        }
        self.check_missing(&tables, only);
        Ok(())
    }

    /// Goes through one stream; says whether all of it held.
    async fn walk<A: Auditor>(&mut self, audit: &mut A, stream: Stream, end: Head) -> Stored<bool>
    where
        Entry<A::What>: Written,
    {
        let mut walk = Walk::new(self.source, stream.clone(), end, self.anchor);
        let before = self.verdict.problems.len();
        let mut kept = Kept::of(self.source, &stream, end, &mut self.verdict).await?;
        while let Some(page) = walk.page().await? {
            for record in &page.records {
                if let Err(reason) = self.take(audit, &mut walk, record).await? {
                    return Ok(self.fail(Finding::new(&stream, record.seq, reason)));
                }
                if kept.is_after(record) {
                    let derived = |snapshot: &Snapshot| audit.check_snapshot(snapshot);
                    kept.check(record, audit.books(), derived, &mut self.verdict);
                }
                self.verdict.records += 1;
            }
            self.done += page.records.len() as u64;
            (self.progress)(self.done, self.total);
            if let Some(finding) = page.broken {
                return Ok(self.fail(finding));
            }
            // Play goes first, where a server verifies itself.
            tokio::task::yield_now().await;
        }
        kept.check_rest(&stream, walk.head().seq, audit.books(), &mut self.verdict);
        self.verdict.keep_head(&stream, walk.head());
        self.verdict.problems.extend(walk.cut_off());
        Ok(self.verdict.problems.len() == before)
    }

    fn fail(&mut self, finding: Finding) -> bool {
        self.verdict.find(finding);
        false
    }

    async fn take<A: Auditor>(
        &mut self,
        audit: &mut A,
        walk: &mut Walk<'_>,
        record: &Record,
    ) -> Stored<Result<(), String>>
    where
        Entry<A::What>: Written,
    {
        let entry: Entry<A::What> = match record.entry() {
            Ok(entry) => entry,
            Err(unreadable) => return Ok(Err(format!("it cannot be read: {}", unreadable.reason))),
        };
        let rules = match A::brings(&entry.what) {
            Some(queued) => match self.compiled.of(self.source, &queued).await? {
                Ok(rules) => Some(rules),
                Err(reason) => return Ok(Err(reason)),
            },
            None => None,
        };
        if let Err(reason) = walk.check(record, &entry) {
            return Ok(Err(reason));
        }
        let verdict = &mut self.verdict;
        // The engine panics on corruption rather than play on with it.
        let taken = catch_unwind(AssertUnwindSafe(|| audit.take(record, &entry, rules, verdict)));
        Ok(taken.unwrap_or_else(|_| Err("the engine cannot play it".to_owned())))
    }

    /// What is in the store and in no log, and what no log knows of.
    async fn check_store(&mut self, heads: &Heads, house: &HouseAudit, whole: bool) -> Stored<()> {
        let Source::Store(store) = self.source else { return Ok(()) };
        house.check_opened(self.source, &mut self.verdict).await?;
        // Of a log that breaks off nobody can say what it would have known.
        if whole {
            house.check_named(&heads.streams, &mut self.verdict);
            house.check_accounts(&heads.accounts, &mut self.verdict);
        }
        for Fault { place, reason } in store.faults().await? {
            self.verdict.find(Finding::new(place, 0, reason));
        }
        if let Some(reason) = self.anchor.and_then(|anchor| anchor.check_seal(store)) {
            self.verdict.warn(Finding::new("the anchor", 0, reason));
        }
        Ok(())
    }

    /// What an anchor has seen, or somebody has asked for, and is not there at all.
    fn check_missing(&mut self, tables: &Tables, only: Option<TableId>) {
        if let Some(table) = only.filter(|table| !tables.contains_key(table)) {
            let reason = "there is no such table here";
            self.verdict.find(Finding::new(Stream::Table(table), 1, reason));
        }
        let Some(anchor) = self.anchor else { return };
        // Of a part, only what belongs to it can be missed.
        if only.is_some() || !self.source.is_live() {
            return;
        }
        for stream in anchor.heads.keys() {
            let name = stream.to_string();
            let seen = self.verdict.heads.iter().any(|head| head.stream == name)
                || self.verdict.problems.iter().any(|finding| finding.stream == name);
            if let Some(reason) = anchor.missing(stream, 0).filter(|_| !seen) {
                self.verdict.find(Finding::new(stream, 1, reason));
            }
        }
    }
}

/// Somebody who goes through one kind of stream.
trait Auditor {
    /// What its records say.
    type What;

    /// The configuration a record brings, whose rules are compiled for it.
    fn brings(_what: &Self::What) -> Option<Queued> {
        None
    }

    fn take(
        &mut self,
        record: &Record,
        entry: &Entry<Self::What>,
        rules: Option<Arc<Rules>>,
        verdict: &mut Verdict,
    ) -> Result<(), String>;

    fn check_snapshot(&self, snapshot: &Snapshot) -> Result<(), String>;

    /// What the stream did on each day, where it is a table's.
    fn books(&self) -> Option<&Books> {
        None
    }
}

impl Auditor for TableAudit {
    type What = TableEntry;

    fn brings(what: &TableEntry) -> Option<Queued> {
        brought(what)
    }

    fn take(
        &mut self,
        record: &Record,
        entry: &Entry<TableEntry>,
        rules: Option<Arc<Rules>>,
        verdict: &mut Verdict,
    ) -> Result<(), String> {
        TableAudit::take(self, record, entry, rules, verdict)
    }

    fn check_snapshot(&self, snapshot: &Snapshot) -> Result<(), String> {
        TableAudit::check_snapshot(self, snapshot)
    }

    fn books(&self) -> Option<&Books> {
        TableAudit::books(self)
    }
}

/// A meter, beside the tables it heard.
struct Hearing<'a> {
    meter: MeterAudit,
    tables: &'a Tables,
}

impl Auditor for Hearing<'_> {
    type What = MeterEntry;

    fn take(
        &mut self,
        record: &Record,
        entry: &Entry<MeterEntry>,
        _rules: Option<Arc<Rules>>,
        _verdict: &mut Verdict,
    ) -> Result<(), String> {
        self.meter.take(record, entry, self.tables)
    }

    fn check_snapshot(&self, snapshot: &Snapshot) -> Result<(), String> {
        self.meter.check_snapshot(snapshot)
    }
}

impl Auditor for HouseAudit {
    type What = HouseEntry;

    fn take(
        &mut self,
        record: &Record,
        entry: &Entry<HouseEntry>,
        _rules: Option<Arc<Rules>>,
        _verdict: &mut Verdict,
    ) -> Result<(), String> {
        HouseAudit::take(self, record, entry)
    }

    fn check_snapshot(&self, _snapshot: &Snapshot) -> Result<(), String> {
        Err("the house has no snapshots".to_owned())
    }
}
