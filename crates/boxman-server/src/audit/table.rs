//! The audit of one table: every record in turn, and what the meters ought to have heard of it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use craps::{Account, Cents, ClaimId, Command, Event, MeterTerms, Rules, Seat};

use super::Verdict;
use super::rules::brought;
use super::steps::{Replay, postings};
use crate::books::Books;
use crate::config::TableConfig;
use crate::hash::Digest;
use crate::id::{MeterId, TableId};
use crate::log::{Entry, KeptTable, Proposal, Record, TableEntry, Tell, Written};
use crate::mend::Mendable;
use crate::store::Snapshot;
use crate::table::LiveTable;

/// A table as far as its log has been gone through.
pub(super) struct TableAudit {
    id: TableId,
    pub(super) replay: Option<Replay>,
    /// What each meter was told, in order.
    pub(super) letters: BTreeMap<MeterId, Vec<Posted>>,
    /// Every meter it was ever linked to.
    pub(super) linked: BTreeMap<MeterId, Linked>,
    /// Jackpots it paid, for their meters to confirm.
    pub(super) payments: Vec<Payment>,
    /// Terms it took over without being asked, for their meters to confirm.
    pub(super) followed: Vec<Followed>,
    /// What mends say that meters showed, for those to confirm.
    pub(super) shown: Vec<ShownThen>,
    /// The record by which two people closed it for good, by today's procedures.
    pub(super) closed: Option<u64>,
}

/// What a table knows of a meter it is linked to.
#[derive(Default)]
pub(super) struct Linked {
    /// Whether other tables may be linked to it too.
    pub(super) shared: bool,
    pub(super) paytable: String,
    /// Every terms that its rules ever had for it.
    pub(super) terms: Vec<MeterTerms>,
}

/// A letter to a meter, short enough to remember a million of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posted {
    pub(super) seq: u64,
    digest: Digest,
}

impl Posted {
    /// A letter with this in it.
    pub(super) fn new(seq: u64, tells: &Vec<Tell>) -> Posted {
        Posted { seq, digest: Digest::of(tells.text().as_bytes()) }
    }
}

/// A jackpot as a table paid it.
pub(super) struct Payment {
    pub(super) seq: u64,
    pub(super) meter: MeterId,
    pub(super) claim: ClaimId,
    pub(super) shares: Vec<(Seat, Cents)>,
    pub(super) from_house: Cents,
    /// What the meter showed, where the record says so.
    pub(super) shown: Option<Cents>,
}

/// What a mend says that a meter showed when it was not claimed.
pub(super) struct ShownThen {
    /// The record of the mend.
    pub(super) seq: u64,
    /// The record of the roll.
    pub(super) of: u64,
    pub(super) meter: MeterId,
    pub(super) winners: Vec<(Seat, u32)>,
    pub(super) shares: Vec<(Seat, Cents)>,
}

/// A configuration that waits because a meter had gone over to other terms.
pub(super) struct Followed {
    pub(super) seq: u64,
    pub(super) meter: MeterId,
    wager: String,
    config: TableConfig,
}

impl Followed {
    /// Whether these are the terms it follows: then following them changes nothing more.
    pub(super) fn fits(&self, terms: MeterTerms) -> bool {
        let mut config = self.config.clone();
        config.follow_meter(&self.wager, terms);
        config == self.config
    }
}

impl TableAudit {
    pub(super) fn new(id: TableId) -> TableAudit {
        TableAudit {
            id,
            replay: None,
            letters: BTreeMap::new(),
            linked: BTreeMap::new(),
            payments: Vec::new(),
            followed: Vec::new(),
            shown: Vec::new(),
            closed: None,
        }
    }

    /// Takes the next record. `compiled` are the rules of the configuration it brings, if any.
    pub(super) fn take(
        &mut self,
        record: &Record,
        entry: &Entry<TableEntry>,
        compiled: Option<Arc<Rules>>,
        verdict: &mut Verdict,
    ) -> Result<(), String> {
        let Some(replay) = &mut self.replay else {
            self.open(entry, compiled)?;
            return Ok(());
        };
        replay.check(entry)?;
        self.payments.extend(payments(&replay.state, record.seq, &entry.what));
        self.shown.extend(shown(&replay.state, record.seq, &entry.what));
        if let TableEntry::Queued { queued } = &entry.what
            && entry.by == "boxman"
        {
            self.followed.extend(followed(replay, &queued.config, record.seq));
        }
        count(&replay.state, &entry.what, verdict);
        if closes(&replay.state, &entry.what) {
            self.closed = Some(record.seq);
        }
        let next = replay.queued_rules.clone();
        replay.state.evolve(record.seq, entry, next.as_ref());
        replay.note_roll(record.seq, entry);
        if matches!(entry.what, TableEntry::Queued { .. } | TableEntry::Agreed { .. })
            && compiled.is_some()
        {
            replay.queued_rules = compiled;
        }
        if replay.state.queued.is_none() {
            replay.queued_rules = None;
        }
        self.note_links();
        self.post();
        Ok(())
    }

    fn open(
        &mut self,
        entry: &Entry<TableEntry>,
        compiled: Option<Arc<Rules>>,
    ) -> Result<(), String> {
        let first = matches!(entry.what, TableEntry::Opened { .. }) && entry.second.is_none();
        let (Some(setup), Some(rules), true) = (brought(&entry.what), compiled, first) else {
            return Err("the log does not begin with the table's opening".to_owned());
        };
        let state = LiveTable::open(self.id, &entry.by, setup, rules, entry.at);
        self.replay = Some(Replay { state, queued_rules: None, rolls: BTreeMap::new() });
        self.note_links();
        Ok(())
    }

    fn note_links(&mut self) {
        let Some(Replay { state, .. }) = &self.replay else { return };
        for rule in state.rules().meters() {
            let linked = self.linked.entry(state.meter(&rule.name)).or_default();
            linked.shared |= state.config().meters.contains_key(&rule.name);
            linked.paytable.clone_from(&rule.name);
            if !linked.terms.contains(&rule.terms) {
                linked.terms.push(rule.terms);
            }
        }
    }

    /// Takes the letters out of the box, as their meters would.
    fn post(&mut self) {
        let Some(replay) = &mut self.replay else { return };
        for letter in replay.state.take_letters() {
            let posted = Posted::new(letter.seq, &letter.tells);
            self.letters.entry(letter.meter).or_default().push(posted);
        }
    }

    /// Whether a snapshot taken after the last record is what the log comes to. Letters in it
    /// may have been heard since, and days of its books folded away; the rest is the same.
    pub(super) fn check_snapshot(&self, snapshot: &Snapshot) -> Result<(), String> {
        let differs = || "the snapshot taken after it is not what the log comes to".to_owned();
        let replay = self.replay.as_ref().ok_or_else(differs)?;
        let mut kept = KeptTable::read(&snapshot.body)
            .map_err(|error| format!("the snapshot taken after it cannot be read: {error}"))?;
        for letter in kept.outbox.drain(..) {
            let posted = Posted::new(letter.seq, &letter.tells);
            let letters = self.letters.get(&letter.meter).map_or(&[][..], Vec::as_slice);
            let place = letters.binary_search_by_key(&letter.seq, |posted| posted.seq);
            if place.is_err() || place.is_ok_and(|place| letters[place] != posted) {
                return Err(differs());
            }
        }
        let mut books = replay.state.books.clone();
        if kept.rounds.is_empty() && kept.table.parts().before_roll.is_none() {
            books.last = None;
        }
        if !kept.books.come_of(&books) {
            return Err(differs());
        }
        kept.books = replay.state.books.clone();
        let whole = replay.state.kept();
        let same = match kept.rounds.is_empty() {
            // An earlier version of the program kept it, and knew less.
            true => kept == as_kept_before(whole),
            false => kept == *whole,
        };
        match same {
            true => Ok(()),
            false => Err(differs()),
        }
    }

    /// What it did on each day.
    pub(super) fn books(&self) -> Option<&Books> {
        self.replay.as_ref().map(|replay| &replay.state.books)
    }

    /// The meters it is linked to.
    pub(super) fn meters(&self) -> BTreeSet<MeterId> {
        self.linked.keys().chain(self.letters.keys()).cloned().collect()
    }
}

/// A table as a version of the program kept it that knew no rounds, no work and no tray, and that
/// took no roll back once bets had been made after it.
fn as_kept_before(table: &KeptTable) -> KeptTable {
    let mut parts = table.table.parts().clone();
    (parts.dropped, parts.redeemed, parts.paid_by_cage) = Default::default();
    parts.before_roll.take_if(|before| !before.since.is_empty());
    KeptTable {
        table: craps::Table::from_parts(parts),
        configurations: VecDeque::new(),
        rounds: VecDeque::new(),
        last_roll: None,
        work: Vec::new(),
        tray_accepted: Cents::ZERO,
        sittings: BTreeMap::new(),
        mendable: Mendable::default(),
        ..table.clone()
    }
}

/// Whether two people close a table of today's procedures for good.
fn closes(state: &LiveTable, entry: &TableEntry) -> bool {
    let TableEntry::Agreed { proposal, .. } = entry else { return false };
    let asked = state.proposals.get(proposal);
    state.config().has_procedures() && asked.is_some_and(|asked| asked.proposal.closes())
}

/// Every command of a record, in order.
pub(super) fn commands(entry: &TableEntry) -> impl Iterator<Item = &Command> {
    entry.steps().iter().map(|step| &step.command)
}

/// What a mend says that meters showed, meter by meter.
fn shown(state: &LiveTable, seq: u64, entry: &TableEntry) -> Vec<ShownThen> {
    let TableEntry::Proposed { proposal: Proposal::Mend(mend), .. } = entry else {
        return Vec::new();
    };
    let mut all: Vec<ShownThen> = Vec::new();
    for one in &mend.shown {
        let meter = state.meter(&one.paytable);
        let (seat, of) = (Seat(one.seat), mend.question.of);
        let (winner, share) = ((seat, one.units), (seat, one.amount));
        match all.iter_mut().find(|other| other.meter == meter) {
            Some(other) => {
                other.winners.push(winner);
                other.shares.push(share);
            }
            None => {
                let (winners, shares) = (vec![winner], vec![share]);
                all.push(ShownThen { seq, of, meter, winners, shares });
            }
        }
    }
    all
}

fn payments(state: &LiveTable, seq: u64, entry: &TableEntry) -> Vec<Payment> {
    let payment = |command: &Command| {
        let Command::PayClaim { claim, shares, from_house } = command else { return None };
        let meter = state.meter(state.claimed.get(&claim.0)?.paytable.as_ref()?);
        let (claim, shares, from_house) = (*claim, shares.clone(), *from_house);
        let shown = match entry {
            TableEntry::Confirmed { payout, .. } => payout.shown,
            _ => None,
        };
        Some(Payment { seq, meter, claim, shares, from_house, shown })
    };
    commands(entry).filter_map(payment).collect()
}

/// The meters whose terms a configuration changes.
fn followed(replay: &Replay, config: &TableConfig, seq: u64) -> Vec<Followed> {
    let (state, rules) = (&replay.state, replay.state.rules());
    let before = &state.queued.as_ref().unwrap_or(&state.setup).config;
    let changed = |rule: &&craps::rules::MeterRule| {
        let start = meter_options(&rules.wager(rule.wager).name);
        let of = |config: &TableConfig| {
            let mut options = config.options.clone();
            options.retain(|name, _| name.starts_with(&start));
            options
        };
        of(before) != of(config)
    };
    let follow = |rule: &craps::rules::MeterRule| Followed {
        seq,
        meter: state.meter(&rule.name),
        wager: rules.wager(rule.wager).name.clone(),
        config: config.clone(),
    };
    rules.meters().iter().filter(changed).map(follow).collect()
}

/// How the options of a wager's meter begin.
pub(super) fn meter_options(wager: &str) -> String {
    format!("{wager}.meter.")
}

/// What the verdict says of how much was played.
fn count(state: &LiveTable, entry: &TableEntry, verdict: &mut Verdict) {
    if matches!(entry, TableEntry::Committed { .. }) {
        verdict.recommitted += u64::from(state.commitment.is_some());
    }
    for event in entry.steps().iter().flat_map(|step| &step.events) {
        match event {
            Event::Put(betting) => {
                verdict.bets += 1;
                verdict.staked += betting.postings.gain(Account::Action(betting.seat));
            }
            Event::Rolled(_) => verdict.rolls += 1,
            Event::Voided(_) => verdict.voided += 1,
            Event::Corrected { .. } => {
                verdict.rolls += 1;
                verdict.voided += 1;
            }
            Event::ClaimPaid { .. } => verdict.jackpots += 1,
            // What is held has not been paid; stakes of a denied jackpot are paid back.
            Event::Held { .. } | Event::Released { .. } | Event::ClaimDenied { .. } => {}
            _ => continue,
        }
        if !matches!(event, Event::Put(_)) {
            let moved = postings(event);
            let racks = Seat::all().map(|seat| moved.gain(Account::Rack(seat)));
            verdict.paid += racks.sum();
        }
    }
}
