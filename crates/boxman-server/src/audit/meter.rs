//! The audit of one meter: it heard of every table what that table's own log says, once and in
//! order, and made of it what its terms make of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use craps::meter::MeterEvent;
use craps::{Cents, MeterTerms, MicroCents, Seat};

use super::steps::two_people;
use super::table::{Posted, ShownThen, TableAudit};
use crate::id::{MeterId, TableId};
use crate::line;
use crate::log::{
    Entry, FixedAward, Heard, KeptMeter, MeterEntry, MeterPending, MeterProposal, Record, Sent,
    Tell, Transfer, Written,
};
use crate::store::Snapshot;

/// A meter as far as its log has been gone through.
pub(super) struct MeterAudit {
    id: MeterId,
    pub(super) state: Option<KeptMeter>,
    /// How many letters of each table it has heard.
    heard: BTreeMap<TableId, usize>,
    /// Tables whose logs are not here, or were not gone through as far.
    pub(super) unknown: BTreeSet<TableId>,
    /// Every award it ever made, by table and claim.
    pub(super) awards: HashMap<(u32, u64), FixedAward>,
    /// Every terms it ever ran on.
    pub(super) terms: Vec<MeterTerms>,
    /// Whether operators changed it, or money came or went by another way than bets.
    pub(super) changed: bool,
    /// Whether a request has said what it would change: all later ones do.
    has_lines: bool,
    /// Whether a record is of edition 3: all later ones were written by a program that keeps
    /// players' money from the house.
    is_of_edition_3: bool,
    /// The least of players' money it had since it last heard of the table whose own it is.
    pub(super) least: Cents,
    /// What has left it for other meters.
    pub(super) sent: Vec<Sent>,
    /// What it has taken in from other meters, with the records.
    pub(super) taken_in: Vec<(u64, Transfer)>,
    /// What it would have paid when mends say it was not claimed, by table and record of the mend.
    pub(super) shown: BTreeMap<(TableId, u64), Option<Shares>>,
}

/// What winners get.
type Shares = Vec<(Seat, Cents)>;

/// The tables gone through before.
pub(super) type Tables = BTreeMap<TableId, TableGone>;

/// A table that has been gone through.
pub(super) struct TableGone {
    pub(super) audit: TableAudit,
    /// Whether all of it held.
    pub(super) whole: bool,
    /// The last record that was gone through.
    pub(super) end: u64,
    /// The last record there was when the meters' logs were looked up: between the two a meter
    /// may have heard what was not gone through.
    pub(super) later: u64,
}

impl MeterAudit {
    pub(super) fn new(id: MeterId) -> MeterAudit {
        MeterAudit {
            id,
            state: None,
            heard: BTreeMap::new(),
            unknown: BTreeSet::new(),
            awards: HashMap::new(),
            terms: Vec::new(),
            changed: false,
            has_lines: false,
            is_of_edition_3: false,
            least: Cents::ZERO,
            sent: Vec::new(),
            taken_in: Vec::new(),
            shown: BTreeMap::new(),
        }
    }

    /// Takes the next record.
    pub(super) fn take(
        &mut self,
        record: &Record,
        entry: &Entry<MeterEntry>,
        tables: &Tables,
    ) -> Result<(), String> {
        let agreed = matches!(entry.what, MeterEntry::Agreed { .. });
        if entry.second.is_some() && !agreed {
            return Err("it names a second person where one is enough".to_owned());
        }
        let Some(mut state) = self.state.take() else { return self.open(entry) };
        self.is_of_edition_3 |= entry.what.is_of_edition_3();
        let taken = self.take_in(&mut state, record.seq, entry, tables);
        self.note_least(&state, &entry.what);
        self.state = Some(state);
        taken
    }

    /// What players have in a meter that is open, in whole cents.
    fn note_least(&mut self, state: &KeptMeter, what: &MeterEntry) {
        let own = |heard: &Heard| self.id.owner() == Some(heard.table);
        let heard = matches!(what, MeterEntry::Heard { heard } if heard.iter().any(own));
        let now = match state.meter.is_closed() {
            true => Cents::ZERO,
            false => state.meter.of_players().whole_cents(),
        };
        self.least = if heard { now } else { self.least.min(now) };
    }

    /// The request to close a real meter says where the players' money goes. Earlier versions of
    /// the program returned it to the house.
    fn check_close(&self, state: &KeptMeter, proposal: &MeterProposal) -> Result<(), String> {
        let silent = matches!(proposal, MeterProposal::Close { players: None, .. });
        let some = state.meter.of_players() > MicroCents::ZERO;
        match silent && some && self.is_of_edition_3 && !state.practice {
            true => Err("it is closed, and nothing says where the players' money goes".to_owned()),
            false => Ok(()),
        }
    }

    fn open(&mut self, entry: &Entry<MeterEntry>) -> Result<(), String> {
        let MeterEntry::Opened { paytable, terms, practice } = &entry.what else {
            return Err("the log does not begin with the meter's opening".to_owned());
        };
        self.state = Some(KeptMeter::open(self.id.clone(), paytable, *terms, *practice));
        self.terms.push(*terms);
        Ok(())
    }

    fn take_in(
        &mut self,
        state: &mut KeptMeter,
        seq: u64,
        entry: &Entry<MeterEntry>,
        tables: &Tables,
    ) -> Result<(), String> {
        let refused = |refusal: craps::Refusal| format!("the meter refuses it: {refusal}");
        state.at = entry.at;
        match &entry.what {
            MeterEntry::Opened { .. } => return Err("the meter is opened a second time".to_owned()),
            MeterEntry::Heard { heard } => {
                for heard in heard {
                    self.hear(state, heard, tables)?;
                    state.take_in(seq, heard);
                    let unlinked = |tell: &Tell| matches!(tell, Tell::Unlinked { .. });
                    self.changed |= heard.tells.iter().any(unlinked);
                }
                self.note_sent(state);
                return Ok(());
            }
            MeterEntry::Changed { .. } if !state.practice => {
                return Err("it is changed without a second person".to_owned());
            }
            MeterEntry::Changed { proposal, events } => {
                if state.carry_out(proposal).map_err(refused)? != *events {
                    return Err("what was asked for does not come to what is recorded".to_owned());
                }
                self.changed = true;
            }
            MeterEntry::TakenIn { transfer, events } => {
                if state.has_taken_in(transfer) {
                    let Transfer { from, record, .. } = transfer;
                    return Err(format!("it takes in again what left meter {from} by {record}"));
                }
                if state.take_money_in(transfer).map_err(refused)? != *events {
                    return Err("what came in does not come to what is recorded".to_owned());
                }
                self.taken_in.push((seq, transfer.clone()));
                self.changed = true;
            }
            MeterEntry::Proposed { proposal, lines } => {
                self.check_close(state, proposal)?;
                let derived = state.lines(proposal).map_err(refused)?;
                // Earlier versions of the program did not write down what a request would change.
                self.has_lines |= !lines.is_empty();
                if let Some(other) = line::difference(lines, &derived).filter(|_| self.has_lines) {
                    return Err(other);
                }
            }
            MeterEntry::Withdrawn { proposal, reason } => {
                let pending = pending(state, *proposal)?;
                let own = [pending.by.as_str(), "boxman"].contains(&entry.by.as_str());
                // A request without lines is of a version that asked for no reason.
                if !own && reason.is_none() && !pending.lines.is_empty() {
                    return Err("another person's request is withdrawn without a reason".to_owned());
                }
            }
            MeterEntry::Agreed { proposal, events } => {
                let pending = pending(state, *proposal)?;
                two_people(&entry.by, entry.second.as_deref(), &pending.by)?;
                self.check_close(state, &pending.proposal)?;
                if state.carry_out(&pending.proposal).map_err(refused)? != *events {
                    return Err("what was agreed to does not come to what is recorded".to_owned());
                }
                self.changed = true;
            }
        }
        state.evolve(seq, entry);
        self.note_sent(state);
        Ok(())
    }

    /// Takes out of the box what has left for other meters.
    fn note_sent(&mut self, state: &mut KeptMeter) {
        self.sent.append(&mut state.sent);
    }

    fn hear(&mut self, state: &KeptMeter, heard: &Heard, tables: &Tables) -> Result<(), String> {
        let Heard { table, seq, tells, .. } = heard;
        let before = state.heard_of(*table);
        if *seq <= before {
            return Err(format!("it hears record {seq} of table {table} again"));
        }
        self.note_shown(state, *table, *seq, tables);
        self.compare(*table, Posted::new(*seq, tells), tables)?;
        let derived = state
            .hear(*table, *seq, tells)
            .map_err(|refusal| format!("the meter refuses record {seq} of {table}: {refusal}"))?;
        if derived != *heard {
            let reason = "does not come to what is recorded";
            return Err(format!("what it heard of record {seq} of table {table} {reason}"));
        }
        for event in &heard.events {
            match event {
                MeterEvent::Awarded(award) => {
                    let mut after = state.clone();
                    after.take_in(0, heard);
                    let claim = (award.claim.table, award.claim.id.0);
                    self.awards.insert(claim, after.fixed(award.clone()));
                }
                MeterEvent::Reseeded { .. } => self.terms.extend(state.meter.next_terms()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Notes what the meter would have paid, before it hears what a table said from a roll on that
    /// is mended.
    fn note_shown(&mut self, state: &KeptMeter, table: TableId, until: u64, tables: &Tables) {
        let Some(gone) = tables.get(&table) else { return };
        let before = state.heard_of(table);
        let mends = gone.audit.shown.iter().filter(|shown| shown.meter == self.id);
        for shown in mends.filter(|shown| before < shown.of && shown.of <= until) {
            let award = state.would_award(table, &shown.winners);
            self.shown.entry((table, shown.seq)).or_insert(award);
        }
    }

    /// What it would have paid when a mend says it was not claimed.
    pub(super) fn shown_then(&self, table: TableId, shown: &ShownThen) -> Option<Shares> {
        match self.shown.get(&(table, shown.seq)) {
            Some(award) => award.clone(),
            // Since that roll the table has told it nothing.
            None => self.state.as_ref()?.would_award(table, &shown.winners),
        }
    }

    /// Whether the table has said so, and next.
    fn compare(&mut self, table: TableId, posted: Posted, tables: &Tables) -> Result<(), String> {
        let Some(TableGone { audit, whole, end, later }) = tables.get(&table) else {
            self.unknown.insert(table);
            return Ok(());
        };
        let letters = audit.letters.get(&self.id).map_or(&[][..], Vec::as_slice);
        let next = self.heard.entry(table).or_default();
        let Posted { seq, .. } = posted;
        match letters.get(*next) {
            Some(letter) if *letter == posted => {
                *next += 1;
                Ok(())
            }
            Some(letter) if letter.seq == seq => {
                Err(format!("it heard of record {seq} what table {table} did not say"))
            }
            Some(letter) if letter.seq < seq => {
                let missed = letter.seq;
                Err(format!("it heard record {seq} of table {table} and not {missed}"))
            }
            None if !whole || (seq > *end && seq <= *later) => {
                self.unknown.insert(table);
                Ok(())
            }
            _ => Err(format!("record {seq} of table {table} has nothing to say to it")),
        }
    }

    /// How many letters of a table it has yet to hear.
    pub(super) fn under_way(&self, table: TableId, letters: &[Posted]) -> usize {
        letters.len() - self.heard.get(&table).copied().unwrap_or(0).min(letters.len())
    }

    /// What tables ought to have in clearing, as this meter sees it: what it was fed, less what
    /// has been paid of it.
    pub(super) fn cleared(&self) -> MicroCents {
        let Some(state) = &self.state else { return MicroCents::ZERO };
        let unpaid = state.unpaid.iter().map(|award| MicroCents::from(award.from_meter));
        unpaid.fold(state.meter.cleared(), |sum, award| sum + award)
    }

    /// Whether a snapshot taken after the last record is what the log comes to.
    pub(super) fn check_snapshot(&self, snapshot: &Snapshot) -> Result<(), String> {
        let kept = KeptMeter::read(&snapshot.body)
            .map_err(|error| format!("the snapshot taken after it cannot be read: {error}"))?;
        // What has left may have arrived since.
        if !kept.sent.iter().all(|sent| self.sent.contains(sent)) {
            return Err("money is on its way that never left".to_owned());
        }
        let mut whole = self.state.clone();
        if let Some(state) = &mut whole {
            state.sent.clone_from(&kept.sent);
            if kept.is_of_earlier_version() {
                state.shown.clear();
            }
        }
        match Some(kept) == whole {
            true => Ok(()),
            false => Err("the snapshot taken after it is not what the log comes to".to_owned()),
        }
    }
}

fn pending(state: &KeptMeter, proposal: u64) -> Result<&MeterPending, String> {
    let pending = state.proposals.get(&proposal);
    pending.ok_or_else(|| format!("nothing that record {proposal} asked for waits"))
}
