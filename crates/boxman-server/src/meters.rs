//! Progressive meters: one task owns one meter, whichever tables feed it. A table tells it what
//! was bet and won, in letters numbered by the table's own records; the meter takes each once and
//! in order, writes down what came of it, and answers claims in the order it heard them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use craps::meter::{Award as MeterAward, MeterCommand, MeterEvent, TableClaim};
use craps::{Meter, MeterTerms, Refusal};
use tokio::sync::{mpsc, oneshot, watch};

use crate::access::{Deed, People, Person};
use crate::id::{MeterId, TableId};
use crate::log::{
    Entry, Head, Heard, KeptMeter, Letter, MeterEntry, MeterPending, MeterProposal, Record, Stream,
    Tell, Written, now,
};
use crate::problem::Problem;
use crate::room::{Note, RoomHandle};
use crate::store::walk::Walk;
use crate::store::{Snapshot, Store, StoreError, Stored, snapshot};
use crate::two_people::{self, Waiting};
use crate::wire::MeterView;
use crate::writer::Writer;

/// A snapshot is taken after so many records.
const SNAPSHOT_EVERY: u64 = 500;

impl KeptMeter {
    /// A meter just opened.
    pub fn open(id: MeterId, paytable: &str, terms: MeterTerms, practice: bool) -> KeptMeter {
        KeptMeter {
            id,
            practice,
            meter: Meter::open(paytable, terms, None),
            heard: BTreeMap::new(),
            unpaid: Vec::new(),
            proposals: BTreeMap::new(),
            at: 0,
        }
    }

    pub(crate) fn heard_of(&self, table: TableId) -> u64 {
        self.heard.get(&table.to_string()).copied().unwrap_or(0)
    }

    /// What the meter makes of what a table says.
    pub fn hear(&self, table: TableId, seq: u64, tells: &[Tell]) -> Result<Heard, Refusal> {
        let mut meter = self.meter.clone();
        let mut events = Vec::new();
        for tell in tells {
            let command = match tell {
                Tell::Fed { increment, reserve } => {
                    MeterCommand::Feed { increment: *increment, reserve: *reserve }
                }
                Tell::Won { claim, winners } => {
                    MeterCommand::Claim { claim: *claim, winners: winners.clone() }
                }
                Tell::Reversed { claim } => MeterCommand::Reverse { claim: *claim },
                Tell::Paid { .. } => continue,
            };
            events.extend(meter.obey(&command)?);
        }
        Ok(Heard { table, seq, tells: tells.to_vec(), events })
    }

    /// What an agreed proposal comes to.
    pub fn carry_out(&self, proposal: &MeterProposal) -> Result<Vec<MeterEvent>, Refusal> {
        self.meter.decide(&match proposal {
            MeterProposal::Adjust { amount, reason } => {
                MeterCommand::Adjust { amount: *amount, reason: reason.clone() }
            }
            MeterProposal::SetTerms { terms, .. } => MeterCommand::SetTerms { terms: *terms },
            MeterProposal::Close { .. } => MeterCommand::Close,
        })
    }

    /// Applies a record.
    pub fn evolve(&mut self, seq: u64, entry: &Entry<MeterEntry>) {
        self.at = entry.at;
        match &entry.what {
            MeterEntry::Opened { .. } => {}
            MeterEntry::Heard { heard } => heard.iter().for_each(|heard| self.take_in(heard)),
            MeterEntry::Proposed { proposal } => {
                let pending = MeterPending {
                    proposal: proposal.clone(),
                    by: entry.by.clone(),
                    name: entry.name.clone(),
                    until: two_people::until(entry.at),
                };
                self.proposals.insert(seq, pending);
            }
            MeterEntry::Withdrawn { proposal } => {
                self.proposals.remove(proposal);
            }
            MeterEntry::Changed { events, .. } => {
                events.iter().for_each(|event| self.meter.evolve(event));
            }
            MeterEntry::Agreed { proposal, events } => {
                self.proposals.remove(proposal);
                events.iter().for_each(|event| self.meter.evolve(event));
            }
        }
    }

    pub(crate) fn take_in(&mut self, heard: &Heard) {
        self.heard.insert(heard.table.to_string(), heard.seq);
        for event in &heard.events {
            self.meter.evolve(event);
            if let MeterEvent::Awarded(award) = event {
                self.unpaid.push(award.clone());
            }
        }
        for tell in &heard.tells {
            if let Tell::Reversed { claim } | Tell::Paid { claim } = tell {
                self.unpaid.retain(|award| award.claim != *claim);
            }
        }
    }
}

/// What a meter's task is told.
pub enum MeterMessage {
    /// A table has something to say.
    Letter {
        /// The table.
        table: TableId,
        /// What it says.
        letter: Letter,
        /// Where to answer.
        room: RoomHandle,
    },
    /// Somebody asks for something that takes two people.
    Propose {
        /// Who.
        who: Arc<Person>,
        /// What.
        proposal: MeterProposal,
        /// Where to answer: the record's number.
        reply: oneshot::Sender<Result<u64, Problem>>,
    },
    /// Somebody agrees.
    Approve {
        /// Who.
        who: Arc<Person>,
        /// The record that asked.
        proposal: u64,
        /// Where to answer: the record's number.
        reply: oneshot::Sender<Result<u64, Problem>>,
    },
    /// Somebody withdraws.
    Withdraw {
        /// Who.
        who: Arc<Person>,
        /// The record that asked.
        proposal: u64,
        /// Where to answer: the record's number.
        reply: oneshot::Sender<Result<u64, Problem>>,
    },
    /// Its log turned out to be damaged.
    Damaged(String),
    /// The state, for whoever wants to check it.
    Look(oneshot::Sender<KeptMeter>),
    /// Finish what is under way and stop.
    Stop,
}

/// A way to talk to a meter.
#[derive(Clone)]
pub struct MeterHandle {
    inbox: mpsc::Sender<MeterMessage>,
    /// What it shows, always the newest.
    pub view: watch::Receiver<MeterView>,
}

impl MeterHandle {
    /// Tells it something, where it still listens.
    pub async fn send(&self, message: MeterMessage) {
        // A meter that has stopped hears no more; its tables tell it again when it is back.
        let _ = self.inbox.send(message).await;
    }

    /// Tells it something that no answer is waited for.
    pub(crate) fn tell(&self, message: MeterMessage) {
        let inbox = self.inbox.clone();
        tokio::spawn(async move { inbox.send(message).await.is_ok() });
    }

    /// Asks it something that is answered.
    pub async fn ask<T>(
        &self,
        message: impl FnOnce(oneshot::Sender<T>) -> MeterMessage,
    ) -> Result<T, Problem> {
        let (reply, answer) = oneshot::channel();
        self.send(message(reply)).await;
        let stopped = || Problem::unavailable("shutting-down", "the server is shutting down");
        answer.await.map_err(|_| stopped())
    }
}

/// The task of one meter.
pub struct MeterTask {
    state: KeptMeter,
    head: Head,
    snapshot_at: u64,
    stalled: bool,
    /// Why its log is not to be believed, where it is not: then it hears and answers nothing.
    damaged: Option<String>,
    waiting: Waiting,
    rooms: HashMap<TableId, RoomHandle>,
    store: Arc<dyn Store>,
    writer: Writer,
    inbox: mpsc::Receiver<MeterMessage>,
    view: watch::Sender<MeterView>,
}

/// A meter as it was left.
pub struct Loaded {
    /// The meter.
    pub state: KeptMeter,
    /// Its last record.
    pub head: Head,
    /// The record the last snapshot was taken after.
    pub snapshot_at: u64,
    /// Why its log is not to be believed, where it is not.
    pub damaged: Option<String>,
}

/// A meter as it was opened, where at least that much of its log can be read.
pub async fn founded(store: &dyn Store, id: &MeterId) -> Stored<KeptMeter> {
    let stream = Stream::Meter(id.clone());
    let mut walk = Walk::after(store, stream.clone(), Head::default());
    let first = walk.entries(1).await.unwrap_or_default().pop();
    match first.map(|(_, entry)| entry.what) {
        Some(MeterEntry::Opened { paytable, terms, practice }) => {
            Ok(KeptMeter::open(id.clone(), &paytable, terms, practice))
        }
        _ => Err(StoreError::Damaged(format!("{stream}: its opening cannot be read"))),
    }
}

/// Reads a meter back from the store.
pub async fn load(store: &dyn Store, id: &MeterId) -> Stored<Loaded> {
    let stream = Stream::Meter(id.clone());
    let damaged = |reason: String| StoreError::Damaged(format!("{stream}: {reason}"));
    let mut state: Option<KeptMeter> = None;
    let mut head = Head::default();
    if let Some(snapshot) = snapshot::ours(store, &stream).await? {
        match KeptMeter::read(&snapshot.body) {
            Ok(read) => (state, head) = (Some(read), snapshot.head),
            Err(reason) => snapshot::drop(store, &stream, &reason).await?,
        }
    }
    let snapshot_at = head.seq;
    let mut walk = Walk::after(store, stream.clone(), head);
    loop {
        let entries: Vec<(Record, Entry<MeterEntry>)> = walk.entries(500).await?;
        if entries.is_empty() {
            break;
        }
        for (record, entry) in entries {
            match (&mut state, &entry.what) {
                (None, MeterEntry::Opened { paytable, terms, practice }) => {
                    state = Some(KeptMeter::open(id.clone(), paytable, *terms, *practice));
                }
                (Some(state), _) => state.evolve(record.seq, &entry),
                (None, _) => return Err(damaged("it does not begin with its opening".into())),
            }
        }
    }
    let head = walk.head;
    let state = state.ok_or_else(|| damaged("there is nothing".into()))?;
    Ok(Loaded { state, head, snapshot_at, damaged: None })
}

impl MeterTask {
    /// Starts the task of a meter that has been read or opened.
    pub fn start(
        loaded: Loaded,
        store: Arc<dyn Store>,
        writer: Writer,
    ) -> (MeterHandle, tokio::task::JoinHandle<()>) {
        let (sender, inbox) = mpsc::channel(1_024);
        let Loaded { state, head, snapshot_at, damaged } = loaded;
        let (view, seen) = watch::channel(shown(&state, damaged.as_deref()));
        let task = MeterTask {
            snapshot_at,
            state,
            head,
            stalled: false,
            damaged,
            waiting: Waiting::default(),
            rooms: HashMap::new(),
            store,
            writer,
            inbox,
            view,
        };
        let handle = MeterHandle { inbox: sender, view: seen };
        (handle, tokio::spawn(task.run()))
    }

    async fn run(mut self) {
        let mut batch = Vec::new();
        let mut tick = tokio::time::interval(std::time::Duration::from_secs(1));
        loop {
            tokio::select! {
                count = self.inbox.recv_many(&mut batch, 512) => {
                    if count == 0 || self.take(&mut batch).await {
                        break;
                    }
                }
                _ = tick.tick() => self.tick().await,
            }
        }
        self.keep_snapshot().await;
    }

    /// Takes messages in order; letters that stand together become one record. Says whether to
    /// stop.
    async fn take(&mut self, batch: &mut Vec<MeterMessage>) -> bool {
        let mut letters = Vec::new();
        for message in batch.drain(..) {
            if let MeterMessage::Letter { table, letter, room } = message {
                self.rooms.insert(table, room);
                letters.push((table, letter));
                continue;
            }
            self.hear(std::mem::take(&mut letters)).await;
            match message {
                MeterMessage::Letter { .. } => {}
                MeterMessage::Propose { who, proposal, reply } => {
                    let done = self.propose(&who, proposal).await;
                    let _ = reply.send(done);
                }
                MeterMessage::Approve { who, proposal, reply } => {
                    let done = self.approve(&who, proposal).await;
                    let _ = reply.send(done);
                }
                MeterMessage::Withdraw { who, proposal, reply } => {
                    let done = self.withdraw(Some(&who), proposal).await;
                    let _ = reply.send(done);
                }
                MeterMessage::Damaged(reason) => self.damage(reason),
                MeterMessage::Look(reply) => {
                    let _ = reply.send(self.state.clone());
                }
                MeterMessage::Stop => return true,
            }
        }
        self.hear(letters).await;
        false
    }

    /// Hears letters, each once and in its table's order.
    async fn hear(&mut self, letters: Vec<(TableId, Letter)>) {
        if letters.is_empty() || self.stalled || self.damaged.is_some() {
            return;
        }
        let mut state = self.state.clone();
        let mut heard = Vec::new();
        let mut tables = Vec::new();
        for (table, letter) in letters {
            tables.push(table);
            // Heard before, or the one before it is still missing: its table will say it again.
            if letter.after != state.heard_of(table) || letter.seq <= letter.after {
                continue;
            }
            match state.hear(table, letter.seq, &letter.tells) {
                Ok(taken) => {
                    state.take_in(&taken);
                    heard.push(taken);
                }
                Err(refusal) => {
                    let (meter, seq) = (&self.state.id, letter.seq);
                    tracing::error!(%meter, %table, seq, %refusal, "a table was not heard");
                }
            }
        }
        if !heard.is_empty() {
            let awards: Vec<MeterAward> = awards(&heard).cloned().collect();
            let reset = awards.first().map(|_| *state.meter.terms());
            if self.write(None, None, MeterEntry::Heard { heard }).await.is_err() {
                return;
            }
            for award in awards {
                metrics::counter!("boxman_jackpots_total").increment(1);
                self.answer(&award);
            }
            if let Some(terms) = reset {
                for room in self.rooms.values() {
                    room.tell(Note::Terms { meter: self.state.id.clone(), terms });
                }
            }
        }
        tables.sort();
        tables.dedup();
        for table in tables {
            // Awards that have not been paid are named again: a table may have missed them.
            let unpaid = |award: &&MeterAward| award.claim.table == table.0;
            let unpaid: Vec<MeterAward> =
                self.state.unpaid.iter().filter(unpaid).cloned().collect();
            if let Some(room) = self.rooms.get(&table) {
                let through = self.state.heard_of(table);
                room.tell(Note::Heard { meter: self.state.id.clone(), through });
                for award in unpaid {
                    room.tell(Note::Award(award));
                }
            }
        }
    }

    fn answer(&self, award: &MeterAward) {
        let TableClaim { table, .. } = award.claim;
        if let Some(room) = self.rooms.get(&TableId(table)) {
            room.tell(Note::Award(award.clone()));
        }
    }

    async fn propose(&mut self, who: &Person, mut proposal: MeterProposal) -> Result<u64, Problem> {
        let reason = proposal.reason_mut();
        *reason = two_people::reason(reason)?;
        let events = self.state.carry_out(&proposal)?;
        let what = match Deed::ChangeMeter.people(self.state.practice) {
            People::One => MeterEntry::Changed { proposal, events },
            People::Two => MeterEntry::Proposed { proposal },
        };
        self.write(Some(who), None, what).await
    }

    async fn approve(&mut self, who: &Person, id: u64) -> Result<u64, Problem> {
        let pending = self.pending(id)?.clone();
        two_people::check(&pending.by, &who.id)?;
        let events = self.state.carry_out(&pending.proposal)?;
        let agreed = MeterEntry::Agreed { proposal: id, events };
        self.write(Some(who), Some(pending.by), agreed).await
    }

    async fn withdraw(&mut self, who: Option<&Person>, id: u64) -> Result<u64, Problem> {
        self.pending(id)?;
        self.write(who, None, MeterEntry::Withdrawn { proposal: id }).await
    }

    fn pending(&self, id: u64) -> Result<&MeterPending, Problem> {
        self.state.proposals.get(&id).ok_or_else(two_people::nothing)
    }

    /// Makes a record of somebody's, or the house's own, durable and takes it in; where that fails
    /// the meter waits for its store.
    async fn write(
        &mut self,
        who: Option<&Person>,
        second: Option<String>,
        what: MeterEntry,
    ) -> Result<u64, Problem> {
        if let Some(reason) = &self.damaged {
            return Err(Problem::unavailable("meter-damaged", reason.clone()));
        }
        if self.stalled {
            return Err(Problem::unavailable("store-down", "the meter waits for its store"));
        }
        let by = who.map_or("boxman", |who| who.id.as_str());
        let name = who.map(|who| who.name.clone());
        let entry = Entry { name, second, ..Entry::new(now().max(self.state.at), by, what) };
        let record = entry.record(self.head, Stream::Meter(self.state.id.clone()));
        let head = record.head();
        if let Err(error) = self.writer.append(vec![record]).await {
            self.stalled = true;
            return Err(error.into());
        }
        self.head = head;
        self.state.evolve(head.seq, &entry);
        self.show();
        if self.head.seq >= self.snapshot_at + SNAPSHOT_EVERY {
            self.keep_snapshot().await;
        }
        Ok(head.seq)
    }

    fn show(&self) {
        self.view.send_if_modified(|view| {
            let new = shown(&self.state, self.damaged.as_deref());
            let changed = *view != new;
            *view = new;
            changed
        });
    }

    fn damage(&mut self, reason: String) {
        if self.damaged.as_ref() == Some(&reason) {
            return;
        }
        tracing::error!(meter = %self.state.id, reason, "claims on a meter wait: it is damaged");
        self.damaged = Some(reason);
        self.show();
    }

    async fn tick(&mut self) {
        if self.stalled && self.damaged.is_none() {
            match load(&*self.store, &self.state.id).await {
                Ok(Loaded { state, head, snapshot_at, .. }) => {
                    (self.state, self.head, self.stalled) = (state, head, false);
                    self.snapshot_at = snapshot_at;
                    self.show();
                }
                Err(StoreError::Damaged(reason)) => self.damage(reason),
                Err(error) => tracing::warn!(meter = %self.state.id, %error, "a meter waits"),
            }
        }
        self.waiting.follow(self.state.proposals.keys().copied());
        if let Some(id) = self.waiting.lapsed() {
            // It lapses again in a second where this could not be written.
            let _ = self.withdraw(None, id).await;
        }
    }

    async fn keep_snapshot(&mut self) {
        let silent = self.stalled || self.damaged.is_some();
        if silent || self.head.seq == self.snapshot_at {
            return;
        }
        let body = self.state.text();
        let stream = Stream::Meter(self.state.id.clone());
        match self.store.keep_snapshot(&Snapshot::new(stream, self.head, body), None, &[]).await {
            Ok(()) => self.snapshot_at = self.head.seq,
            Err(error) => tracing::warn!(meter = %self.state.id, %error, "no snapshot was kept"),
        }
    }
}

fn shown(state: &KeptMeter, damaged: Option<&str>) -> MeterView {
    let view = MeterView::of(state);
    if damaged.is_some() { view.damaged() } else { view }
}

fn awards(heard: &[Heard]) -> impl Iterator<Item = &MeterAward> {
    heard.iter().flat_map(|heard| &heard.events).filter_map(|event| match event {
        MeterEvent::Awarded(award) => Some(award),
        _ => None,
    })
}

/// The first record of a meter.
pub fn opening(
    id: &MeterId,
    by: &str,
    paytable: &str,
    terms: MeterTerms,
    practice: bool,
) -> (KeptMeter, Record) {
    let opened = MeterEntry::Opened { paytable: paytable.to_owned(), terms, practice };
    let record = Entry::new(now(), by, opened).record(Head::default(), Stream::Meter(id.clone()));
    (KeptMeter::open(id.clone(), paytable, terms, practice), record)
}
