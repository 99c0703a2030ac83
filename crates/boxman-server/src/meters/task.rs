//! The task of one meter: takes letters in, answers them, and does what people have agreed on.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use craps::MicroCents;
use craps::meter::{Award as MeterAward, MeterEvent};
use tokio::sync::{mpsc, watch};

use super::{Loaded, MeterHandle, MeterMessage, News, load};
use crate::access::{Deed, People, Person};
use crate::id::TableId;
use crate::log::{
    Entry, FixedAward, Head, Heard, KeptMeter, Letter, MeterEntry, MeterPending, MeterProposal,
    Sent, Stream, Transfer, Written, now,
};
use crate::problem::Problem;
use crate::simulated::{self, Mutant};
use crate::store::{Fence, Snapshot, Store, StoreError, Stored, edition};
use crate::two_people::{self, Waiting};
use crate::wire::MeterView;
use crate::writer::Writer;

/// A snapshot is taken after so many records.
const SNAPSHOT_EVERY: u64 = 500;

/// A letter, whose it is, and where to answer.
type Posted = (TableId, Letter, mpsc::UnboundedSender<News>);

/// The task of one meter.
pub struct MeterTask {
    state: KeptMeter,
    head: Head,
    fence: Fence,
    snapshot_at: u64,
    stalled: bool,
    /// Whether another node has it now: then nobody is told anything.
    lost: bool,
    /// Why its log is not to be believed, where it is not: then it hears and answers nothing.
    damaged: Option<String>,
    waiting: Waiting,
    tables: BTreeMap<TableId, mpsc::UnboundedSender<News>>,
    store: Arc<dyn Store>,
    writer: Writer,
    /// Who takes money to other meters.
    courier: mpsc::Sender<Sent>,
    inbox: mpsc::Receiver<MeterMessage>,
    view: watch::Sender<MeterView>,
}

impl MeterTask {
    /// Starts the task of a meter that has been read or opened.
    pub fn start(
        loaded: Loaded,
        store: Arc<dyn Store>,
        writer: Writer,
        courier: mpsc::Sender<Sent>,
    ) -> (MeterHandle, tokio::task::JoinHandle<()>) {
        let (sender, inbox) = mpsc::channel(1_024);
        let Loaded { state, head, fence, snapshot_at, damaged } = loaded;
        let (view, seen) = watch::channel(shown(&state, damaged.as_deref()));
        let task = MeterTask {
            snapshot_at,
            state,
            head,
            fence,
            stalled: false,
            lost: false,
            damaged,
            waiting: Waiting::default(),
            tables: BTreeMap::new(),
            store,
            writer,
            courier,
            inbox,
            view,
        };
        let (_, reached) = watch::channel(true);
        let handle = MeterHandle { inbox: sender, view: seen, reached, elsewhere: false };
        (handle, tokio::spawn(task.run()))
    }

    async fn run(mut self) {
        let mut batch = Vec::new();
        let mut tick = tokio::time::interval(std::time::Duration::from_secs(1));
        loop {
            tokio::select! {
                biased;
                _ = tick.tick() => self.tick().await,
                count = self.inbox.recv_many(&mut batch, 512) => {
                    if count == 0 || self.take(&mut batch).await {
                        break;
                    }
                }
            }
            if self.lost {
                return tracing::info!(meter = %self.state.id, "a meter is another node's now");
            }
        }
        self.keep_snapshot().await;
    }

    /// Takes messages in order; letters that stand together become one record. Says whether to
    /// stop.
    async fn take(&mut self, batch: &mut Vec<MeterMessage>) -> bool {
        let mut letters = Vec::new();
        for message in batch.drain(..) {
            if let MeterMessage::Letter { table, letter, table_hears } = message {
                let known = self.tables.get(&table);
                if known.is_none_or(mpsc::UnboundedSender::is_closed) {
                    self.tables.insert(table, table_hears.clone());
                }
                letters.push((table, letter, table_hears));
                continue;
            }
            self.hear(std::mem::take(&mut letters)).await;
            // Whoever has it now may have said something else.
            if !self.store.stands(&Stream::Meter(self.state.id.clone()), self.fence) {
                self.lost = true;
                return true;
            }
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
                MeterMessage::Withdraw { who, proposal, reason, reply } => {
                    let done = self.withdraw(Some((&*who, reason.as_deref())), proposal).await;
                    let _ = reply.send(done);
                }
                MeterMessage::Hello { table, table_hears } => {
                    self.tables.insert(table, table_hears);
                }
                MeterMessage::TakeMoneyIn { transfer, reply } => {
                    let done = self.take_money_in(transfer).await;
                    let _ = reply.send(done);
                }
                MeterMessage::MoneyArrived(record) => {
                    self.state.sent.retain(|sent| sent.transfer.record != record);
                }
                MeterMessage::Damaged(reason) => self.damage(reason),
                MeterMessage::Look(reply) => drop(reply.send(self.state.clone())),
                MeterMessage::Stop => return true,
                MeterMessage::Lost => self.lost = true,
            }
        }
        self.hear(letters).await;
        false
    }

    /// Hears letters, each once and in its table's order.
    async fn hear(&mut self, letters: Vec<Posted>) {
        let mut letters = VecDeque::from(letters);
        while !letters.is_empty() {
            if self.stalled || self.lost || self.damaged.is_some() {
                return;
            }
            if !self.hear_together(&mut letters).await {
                return;
            }
        }
    }

    /// Takes letters into one record, up to the first by which players' money leaves: the record
    /// names the transfer, so there is never more than one in it. Says whether to go on.
    async fn hear_together(&mut self, letters: &mut VecDeque<Posted>) -> bool {
        let mut state = self.state.clone();
        let mut heard = Vec::new();
        let mut tables = BTreeMap::new();
        while let Some((table, letter, table_hears)) = letters.pop_front() {
            tables.insert(table, table_hears);
            // Heard before, or the one before it is still missing: its table will say it again.
            let next = letter.after == state.heard_of(table) && letter.seq > letter.after;
            if !next && !simulated::is(Mutant::UnnumberedLetters) {
                continue;
            }
            match state.hear(table, letter.seq, &letter.tells) {
                Ok(taken) => {
                    // The record it will be in tells apart what leaves by it.
                    let before = state.sent.len();
                    state.take_in(self.head.seq + 1, &taken);
                    heard.push(taken);
                    if state.sent.len() > before {
                        break;
                    }
                }
                Err(refusal) => {
                    let (meter, seq) = (&self.state.id, letter.seq);
                    tracing::error!(%meter, %table, seq, %refusal, "a table was not heard");
                }
            }
        }
        if simulated::is(Mutant::HeardBeforeDurable) {
            for (table, table_hears) in &tables {
                let (meter, through) = (self.state.id.clone(), state.heard_of(*table));
                let _ = table_hears.send(News::Heard { meter, through });
            }
        }
        if !heard.is_empty() {
            let awards: Vec<FixedAward> =
                awards(&heard).map(|award| state.fixed(award.clone())).collect();
            let reset = awards.first().map(|_| *state.meter.terms());
            if self.write(None, None, MeterEntry::Heard { heard }).await.is_err() {
                return false;
            }
            for award in awards {
                metrics::counter!("boxman_jackpots_total").increment(1);
                self.tell(TableId(award.award.claim.table), News::Award(award));
            }
            if let Some(terms) = reset {
                for table in self.tables.keys() {
                    self.tell(*table, News::Terms { meter: self.state.id.clone(), terms });
                }
            }
        }
        for (table, table_hears) in tables {
            // Awards that have not been paid are named again: a table may have missed them.
            let unpaid: Vec<FixedAward> = self.state.unpaid_of(table).collect();
            let through = self.state.heard_of(table);
            // One that has stopped asks again when it is back.
            let _ = table_hears.send(News::Heard { meter: self.state.id.clone(), through });
            for award in unpaid {
                self.tell(table, News::Award(award));
            }
        }
        true
    }

    fn tell(&self, table: TableId, news: News) {
        if let Some(table) = self.tables.get(&table) {
            // A table that has stopped asks again when it is back.
            let _ = table.send(news);
        }
    }

    async fn propose(&mut self, who: &Person, mut proposal: MeterProposal) -> Result<u64, Problem> {
        let reason = proposal.reason_mut();
        *reason = two_people::reason(reason)?;
        let events = self.check(&proposal)?;
        let what = match Deed::ChangeMeter.people(self.state.practice) {
            People::One => MeterEntry::Changed { proposal, events },
            People::Two => {
                let lines = match self.writes_newest().await? {
                    true => self.state.lines(&proposal)?,
                    false => Vec::new(),
                };
                MeterEntry::Proposed { proposal, lines }
            }
        };
        self.write(Some(who), None, what).await
    }

    /// What a proposal comes to. Players' money goes where somebody has said, and nowhere else.
    fn check(&self, proposal: &MeterProposal) -> Result<Vec<MeterEvent>, Problem> {
        let events = self.state.carry_out(proposal)?;
        let of_players = self.state.meter.of_players();
        match proposal {
            MeterProposal::Close { players: None, .. }
                if !self.state.practice && of_players > MicroCents::ZERO =>
            {
                let theirs = of_players.whole_cents();
                let say = format!(
                    "${theirs} of what this meter holds is the players': say where it goes, to \
                     another meter or kept for them"
                );
                Err(Problem::conflict("players-money", say))
            }
            MeterProposal::Move { .. } if events.is_empty() => {
                let nothing = "this meter has no players' money above its seed to move";
                Err(Problem::conflict("nothing-to-move", nothing))
            }
            _ => Ok(events),
        }
    }

    /// Takes in what another meter has sent, once.
    async fn take_money_in(&mut self, transfer: Transfer) -> Result<(), Problem> {
        if self.state.has_taken_in(&transfer) {
            return Ok(());
        }
        let events = self.state.take_money_in(&transfer)?;
        self.write(None, None, MeterEntry::TakenIn { transfer, events }).await.map(drop)
    }

    /// Has what has left brought to where it goes; it is brought again until it has arrived.
    fn send_money(&self) {
        if self.stalled || self.lost || self.damaged.is_some() {
            return;
        }
        for sent in &self.state.sent {
            if self.courier.try_send(sent.clone()).is_err() {
                return;
            }
        }
    }

    async fn approve(&mut self, who: &Person, id: u64) -> Result<u64, Problem> {
        let pending = self.pending(id)?.clone();
        two_people::check(&pending.by, &who.id)?;
        let events = self.check(&pending.proposal)?;
        let agreed = MeterEntry::Agreed { proposal: id, events };
        self.write(Some(who), Some(pending.by), agreed).await
    }

    /// Somebody withdraws a request, or nobody agreed in time.
    async fn withdraw(
        &mut self,
        who: Option<(&Person, Option<&str>)>,
        id: u64,
    ) -> Result<u64, Problem> {
        let asked = self.pending(id)?.by.clone();
        let mut reason = match who {
            Some((who, given)) => two_people::reason_to_withdraw(&asked, &who.id, given)?,
            None => None,
        };
        if !self.writes_newest().await? {
            reason = None;
        }
        let what = MeterEntry::Withdrawn { proposal: id, reason };
        self.write(who.map(|(who, _)| who), None, what).await
    }

    /// Whether nodes of an earlier version, which do not know all that is written today, are gone.
    async fn writes_newest(&self) -> Stored<bool> {
        Ok(edition::written(&*self.store).await? >= edition::NEWEST)
    }

    /// When the last record was written: nothing is written before it, whatever clocks say. The
    /// state of a meter just opened does not know.
    async fn last_at(&self) -> Stored<u64> {
        if self.head.seq != 1 {
            return Ok(self.state.at);
        }
        let stream = Stream::Meter(self.state.id.clone());
        let opened = self.store.records(&stream, 0, 1).await?;
        let entry = opened.first().and_then(|record| record.entry::<MeterEntry>().ok());
        Ok(entry.map_or(0, |entry| entry.at))
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
        if self.stalled || self.lost {
            return Err(Problem::unavailable("store-down", "the meter waits for its store"));
        }
        if what.is_of_edition_3() && !self.writes_newest().await? {
            let waits =
                "that waits until every node of this house runs this version of the program";
            return Err(Problem::unavailable("waits-for-nodes", waits));
        }
        let by = who.map_or("boxman", |who| who.id.as_str());
        let name = who.map(|who| who.name.clone());
        let at = now().max(self.last_at().await?);
        let entry = Entry { name, second, ..Entry::new(at, by, what) };
        let record = entry.record(self.head, Stream::Meter(self.state.id.clone()));
        let head = record.head();
        if let Err(error) = self.writer.append_by(vec![record], self.fence).await {
            match error {
                StoreError::Lost => self.lost = true,
                _ => self.stalled = true,
            }
            return Err(error.into());
        }
        self.head = head;
        let sent = self.state.sent.len();
        self.state.evolve(head.seq, &entry);
        self.show();
        if self.state.sent.len() > sent {
            self.send_money();
        }
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
            match self.read_again().await {
                Ok(Loaded { state, head, snapshot_at, .. }) => {
                    (self.state, self.head, self.stalled) = (state, head, false);
                    self.snapshot_at = snapshot_at;
                    self.show();
                }
                Err(StoreError::Lost) => self.lost = true,
                Err(StoreError::Damaged(reason)) => self.damage(reason),
                Err(error) => tracing::warn!(meter = %self.state.id, %error, "a meter waits"),
            }
        }
        self.send_money();
        self.waiting.follow(self.state.proposals.keys().copied());
        if let Some(id) = self.waiting.lapsed() {
            // It lapses again in a second where this could not be written.
            let _ = self.withdraw(None, id).await;
        }
    }

    /// Reads the log once nothing is on its way to it any more.
    async fn read_again(&self) -> Stored<Loaded> {
        if self.fence != Fence::default() {
            self.store.settle(&Stream::Meter(self.state.id.clone()), self.fence).await?;
        }
        load(&*self.store, &self.state.id).await
    }

    async fn keep_snapshot(&mut self) {
        let silent = self.stalled || self.lost || self.damaged.is_some();
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
