//! Between tables and meters: every jackpot was paid as its meter awarded it, and what tables
//! have in clearing is what the meters were fed and have not paid out.

use std::collections::{BTreeMap, BTreeSet};

use craps::{Cents, MicroCents};

use super::meter::{MeterAudit, TableGone, Tables};
use super::table::{Followed, Payment, ShownThen};
use super::{Finding, Verdict};
use crate::id::{MeterId, TableId};
use crate::line::dollars;
use crate::log::{FixedAward, Sent, Stream, Transfer};

/// The meters gone through.
pub(super) type Meters = BTreeMap<MeterId, MeterGone>;

/// A meter that has been gone through.
pub(super) struct MeterGone {
    pub(super) audit: MeterAudit,
    /// Whether all of it held.
    pub(super) whole: bool,
    /// The last record that was gone through.
    pub(super) end: u64,
}

/// Compares what tables and meters say of each other.
pub(super) fn compare(tables: &Tables, meters: &Meters, verdict: &mut Verdict) {
    for (table, gone) in tables {
        let stream = Stream::Table(*table);
        let paid = gone.audit.payments.iter().map(|payment| check_payment(*table, payment, meters));
        let follow = gone.audit.followed.iter().map(|followed| check_followed(followed, meters));
        let shown = gone.audit.shown.iter().map(|shown| check_shown(*table, shown, meters));
        let closed = check_closed(*table, gone, meters);
        for (seq, reason) in paid.chain(follow).chain(shown).chain(closed).filter_map(Result::err) {
            verdict.find(Finding::new(&stream, seq, reason));
        }
    }
    note_under_way(tables, meters, verdict);
    for (meter, gone) in meters {
        compare_moved(meter, gone, meters, verdict);
    }
    for (meter, gone) in meters {
        if let Some(reason) = tables.values().find_map(|table| other_opening(meter, gone, table)) {
            verdict.find(Finding::new(Stream::Meter(meter.clone()), 1, reason));
        }
        for table in &gone.audit.unknown {
            let note = format!("what table {table} told meter {meter} is not all here to compare");
            verdict.notes.push(note);
        }
        if !gone.audit.state.as_ref().is_none_or(|state| state.meter.is_conserved()) {
            let reason = "what the meter was given is not what it holds and has paid";
            verdict.find(Finding::new(Stream::Meter(meter.clone()), gone.end, reason));
        }
    }
    for group in groups(tables, meters) {
        check_group(&group, tables, meters, verdict);
    }
}

/// What a meter was opened as, where that is not what a table makes of it that is linked to it.
fn other_opening(meter: &MeterId, gone: &MeterGone, table: &TableGone) -> Option<String> {
    let linked = table.audit.linked.get(meter).filter(|_| table.whole && gone.whole)?;
    let (state, replay) = (gone.audit.state.as_ref()?, table.audit.replay.as_ref()?);
    let opened = gone.audit.terms.first()?;
    let (id, practice) = (replay.state.id, replay.state.config().practice);
    if state.meter.name() != linked.paytable {
        let (served, fed) = (state.meter.name(), &linked.paytable);
        return Some(format!("it serves paytable {served}, and table {id} feeds it by {fed}"));
    }
    if state.practice && !practice || !linked.shared && state.practice != practice {
        return Some(format!("table {id} and it are not both for practice, or both for real"));
    }
    // One that tables share may have been opened by any of them.
    let known = linked.shared || linked.terms.contains(opened);
    (!known).then(|| format!("table {id}, whose own it is, never had these terms for it"))
}

type Checked = Result<(), (u64, String)>;

fn check_payment(table: TableId, payment: &Payment, meters: &Meters) -> Checked {
    let Payment { seq, meter, claim, shares, from_house, shown } = payment;
    let wrong = |reason: &str| Err((*seq, format!("meter {meter} {reason}")));
    let Some(gone) = meters.get(meter) else {
        return wrong("is not here, and has paid for a jackpot");
    };
    if !gone.whole {
        return Ok(());
    }
    match gone.audit.awards.get(&(table.0, claim.0)) {
        None => wrong("has made no award for the jackpot that is paid"),
        Some(FixedAward { award, .. })
            if award.shares != *shares || award.from_house != *from_house =>
        {
            let due = award.from_meter + award.from_house;
            wrong(&format!("has awarded {due} for this jackpot, and something else is paid"))
        }
        Some(fixed) if shown.is_some() && *shown != fixed.shown => {
            wrong("did not show what the slip of this jackpot says")
        }
        Some(_) => Ok(()),
    }
}

/// A table is closed for good once its own meters have no more of players' money. When that was is
/// in no log: a meter had some if it has had some ever since it last heard of the table.
fn check_closed(table: TableId, gone: &TableGone, meters: &Meters) -> Option<Checked> {
    let seq = gone.audit.closed?;
    let own = meters.iter().filter(|(id, other)| id.owner() == Some(table) && other.whole);
    let (id, other) = own.into_iter().find(|(_, other)| other.audit.least > Cents::ZERO)?;
    let left = dollars(other.audit.least);
    Some(Err((seq, format!("the table is closed, and players have {left} in meter {id}"))))
}

/// A mend pays a jackpot that nobody claimed as its meter showed it then.
fn check_shown(table: TableId, shown: &ShownThen, meters: &Meters) -> Checked {
    let ShownThen { seq, of, meter, shares, .. } = shown;
    let Some(gone) = meters.get(meter).filter(|gone| gone.whole) else { return Ok(()) };
    let unknown = gone.audit.unknown.contains(&table);
    match unknown || gone.audit.shown_then(table, shown).as_ref() == Some(shares) {
        true => Ok(()),
        false => Err((*seq, format!("meter {meter} did not show that before record {of}"))),
    }
}

fn check_followed(followed: &Followed, meters: &Meters) -> Checked {
    let Followed { seq, meter, .. } = followed;
    let gone = meters.get(meter).filter(|gone| gone.whole);
    match gone.is_none_or(|gone| gone.audit.terms.iter().any(|terms| followed.fits(*terms))) {
        true => Ok(()),
        false => Err((*seq, format!("meter {meter} has never run on these terms"))),
    }
}

/// A letter that nobody has heard yet is no fault: it is told again until it is heard. But a meter
/// is there before it is told anything.
fn note_under_way(tables: &Tables, meters: &Meters, verdict: &mut Verdict) {
    for (table, gone) in tables {
        for (meter, letters) in &gone.audit.letters {
            let waiting = match meters.get(meter) {
                Some(gone) => gone.audit.under_way(*table, letters),
                None => {
                    let reason = format!("meter {meter} is not here, and was told of bets");
                    verdict.find(Finding::new(Stream::Table(*table), gone.end, reason));
                    continue;
                }
            };
            if waiting > 0 {
                let note = format!("{waiting} letters of table {table} to meter {meter}");
                verdict.notes.push(format!("{note} are under way"));
            }
        }
    }
}

/// Whatever a meter has taken in has left another by the record that it names, once and for this
/// one; what has not arrived yet is under way.
fn compare_moved(meter: &MeterId, gone: &MeterGone, meters: &Meters, verdict: &mut Verdict) {
    for (seq, transfer) in &gone.audit.taken_in {
        let Transfer { from, record, .. } = transfer;
        let Some(other) = meters.get(from).filter(|other| other.whole) else {
            let note = format!("what meter {from} sent meter {meter} is not all here to compare");
            verdict.notes.push(note);
            continue;
        };
        let left = |sent: &Sent| sent.to == *meter && sent.transfer == *transfer;
        // Between the two logs being read it may have left.
        if *record <= other.end && !other.audit.sent.iter().any(left) {
            let reason = format!("it takes in money that did not leave meter {from} by {record}");
            verdict.find(Finding::new(Stream::Meter(meter.clone()), *seq, reason));
        }
    }
    let mut under_way = 0;
    for Sent { to, transfer } in &gone.audit.sent {
        let Some(there) = meters.get(to) else {
            let note = format!("what meter {meter} sent meter {to} is not all here to compare");
            verdict.notes.push(note);
            continue;
        };
        let arrived = there.audit.taken_in.iter().any(|(_, one)| one == transfer);
        under_way += usize::from(!arrived);
    }
    if under_way > 0 {
        let note = format!("{under_way} transfers of players' money from meter {meter}");
        verdict.notes.push(format!("{note} are under way"));
    }
}

/// Tables and meters that have to do with each other.
#[derive(Default)]
struct Group {
    tables: BTreeSet<TableId>,
    meters: BTreeSet<MeterId>,
}

fn groups(tables: &Tables, meters: &Meters) -> Vec<Group> {
    let mut left: BTreeSet<&MeterId> = meters.keys().collect();
    let mut groups = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut group = Group::default();
        let mut next = vec![first.clone()];
        while let Some(meter) = next.pop() {
            left.remove(&meter);
            for (table, gone) in tables {
                if gone.audit.letters.contains_key(&meter) && group.tables.insert(*table) {
                    next.extend(gone.audit.letters.keys().cloned());
                }
            }
            group.meters.insert(meter);
        }
        groups.push(group);
    }
    groups
}

/// The money of a group, where all of it is here and every letter has been heard.
fn check_group(group: &Group, tables: &Tables, meters: &Meters, verdict: &mut Verdict) {
    let (mut clearing, mut cleared) = (MicroCents::ZERO, MicroCents::ZERO);
    for meter in &group.meters {
        let Some(gone) = meters.get(meter) else { return };
        if !gone.whole || !gone.audit.unknown.is_empty() {
            return;
        }
        cleared += gone.audit.cleared();
    }
    for table in &group.tables {
        let Some(gone) = tables.get(table).filter(|gone| gone.whole) else { return };
        let heard = |(meter, letters): (&MeterId, &Vec<_>)| {
            meters.get(meter).is_some_and(|gone| gone.audit.under_way(*table, letters) == 0)
        };
        if !gone.audit.letters.iter().all(heard) {
            return;
        }
        let replay = gone.audit.replay.as_ref();
        clearing += replay.map_or(MicroCents::ZERO, |replay| replay.state.table.cleared());
    }
    let Some(meter) = group.meters.first().filter(|_| clearing != cleared) else { return };
    let end = meters.get(meter).map_or(0, |gone| gone.end);
    let reason = format!("tables have {clearing} in clearing, and their meters {cleared}");
    verdict.find(Finding::new(Stream::Meter(meter.clone()), end, reason));
}
