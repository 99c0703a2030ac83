//! A room: the one task that owns a table.
//!
//! Commands come in with an id, are decided against the state, and make records; the records are
//! made durable together with those of other rooms; only then are the commands acknowledged and
//! the records broadcast. Where the store fails the room waits, reads its log again and goes on
//! from what is really there.

mod abandoned;
mod catch_up;
mod cheers;
mod clients;
mod clock;
mod crew;
mod handle;
mod limits;
mod links;
mod memory;
mod presence;
mod snapshot;
mod trouble;
mod visits;

use std::sync::Arc;
use std::time::Duration;

use craps::Rules;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use self::cheers::Cheers;
pub use self::clients::{Client, Reply};
use self::clients::{Clients, Forms};
use self::clock::RunClock;
pub use self::crew::Tick;
use self::crew::Ticks;
pub use self::handle::{Asked, Note, RoomHandle, Visit};
use self::limits::{Elsewhere, LimitsShown};
use self::memory::Memory;
use self::presence::Presence;
use self::trouble::Trouble;
use self::visits::Said;
use crate::access::Person;
use crate::ask::{Ask, Command, Verb};
use crate::dice::Secret;
use crate::hash::Digest;
use crate::id::TableId;
use crate::log::{Entry, FixedAward, Head, Key, Record, Stream, TableEntry};
use crate::meters::{MeterHandle, News};
use crate::office::Office;
use crate::problem::Problem;
use crate::store::{Fence, StoreError};
use crate::table::{self, BookedRoll, Known, LiveTable, Order, Owners, Secrets, Wish};
use crate::two_people::Waiting;
use crate::wire::{FromServer, HandView, Update, WaitingItem, WorkListView};

/// Meters are shown anew this often.
const METER_PACE: Duration = Duration::from_millis(250);
/// A room without its store looks for it this often, and tells its meters again what they
/// have not answered.
const RETRY_PACE: Duration = Duration::from_millis(1_000);

/// Whoever was at a table that has come from another node has so long to come after it.
const GRACE: Duration = Duration::from_secs(10);

/// A record that is decided and waits to be durable.
struct Decided {
    seq: u64,
    record: Option<Record>,
    update: Forms,
    /// Who plays which seat after it, where somebody sat down or left.
    owners: Option<Owners>,
    reply: Option<Reply>,
}

/// What a person has sent.
#[derive(Clone, Copy)]
struct Sent<'a> {
    /// Their name.
    name: &'a str,
    /// The id they gave it.
    id: &'a str,
    /// The key of both.
    key: Key,
    /// The digest of what it asks for.
    asked: Digest,
    /// The betting round they named.
    round: Option<u64>,
}

/// The task of one table.
pub struct Room {
    office: Arc<Office>,
    handle: RoomHandle,
    state: LiveTable,
    head: Head,
    /// The right to write to its log.
    fence: Fence,
    /// Whether another node has the table now: then nobody is told anything.
    lost: bool,
    snapshot_at: u64,
    memory: Memory,
    secret: Secret,
    next_secret: Secret,
    awards: Vec<FixedAward>,
    meters: Vec<MeterHandle>,
    hand: HandView,
    /// The betting window: by which record it was opened, and since when by a clock that nobody
    /// sets.
    window: Option<(u64, Instant)>,
    waiting: Waiting,
    decided: Vec<Decided>,
    /// How many letters to the meters are on their way.
    posted: usize,
    clients: Clients,
    presence: Presence,
    opened: Instant,
    /// Whether everybody has been told that the shooter is away.
    shooter_away: bool,
    cheers: Cheers,
    /// What dealers have ticked off.
    ticks: Ticks,
    /// The work that the crew was shown last.
    work_shown: Option<Vec<WorkListView>>,
    /// What players have bought at other tables.
    elsewhere: Elsewhere,
    /// The limits that the crew was shown last.
    limits_shown: LimitsShown,
    /// Whether records that earlier versions of the program cannot read may be written.
    writes_newest: bool,
    /// The clock that says when a command is too late.
    clock: RunClock,
    said: Said,
    trouble: Option<Trouble>,
    /// Whether the state may hold what is not durable, and the log cannot be read to tell.
    blind: bool,
    asks: mpsc::Receiver<Asked>,
    visits: mpsc::Receiver<Visit>,
    notes: mpsc::UnboundedReceiver<Note>,
    /// Where meters answer.
    letterbox: mpsc::UnboundedSender<News>,
    news: mpsc::UnboundedReceiver<News>,
    seated: watch::Sender<Vec<String>>,
    looking_on: watch::Sender<usize>,
    waits: watch::Sender<Vec<WaitingItem>>,
}

impl Room {
    /// Reads a table from its log and starts its task.
    pub async fn start(
        office: Arc<Office>,
        id: TableId,
    ) -> Result<(RoomHandle, JoinHandle<()>), Problem> {
        // A log that makes the engine panic is damaged too; only its own table suffers.
        let opened = tokio::spawn(Room::open(office, id)).await.unwrap_or_else(|panic| {
            let reason = format!("table/{id} cannot be replayed: {panic}");
            Err(StoreError::Damaged(reason).into())
        })?;
        Ok((opened.handle.clone(), tokio::spawn(opened.run())))
    }

    /// Reads a table from its log and does what is due by itself.
    async fn open(office: Arc<Office>, id: TableId) -> Result<Room, Problem> {
        // Before the log is read: whoever loses the table meanwhile finds out when they write.
        let fence = office.store.fence(&Stream::Table(id))?;
        let loaded = table::load(&*office.store, &office.shelf, id).await?;
        let (handle, ends) = RoomHandle::new(id);
        if !office.shelf.is_looked_over(loaded.state.rules()) {
            // Whoever plays there does not wait for it: pricing every wager takes a while.
            let (office, handle) = (Arc::clone(&office), handle.clone());
            let rules = Arc::clone(loaded.state.rules());
            tokio::spawn(async move {
                office.shelf.look_over(&rules).await;
                handle.tell(Note::LookedOver);
            });
        }
        let (letterbox, news) = mpsc::unbounded_channel();
        let hand = HandView::of(&loaded.state);
        let state = &loaded.state;
        let clients = Clients::new(state.config().practice, state.owners.clone());
        let mut room = Room {
            handle,
            fence,
            lost: false,
            snapshot_at: loaded.snapshot_at,
            memory: Memory::of(loaded.commands, loaded.snapshot_at > 0),
            secret: Secret::fresh()?,
            next_secret: Secret::fresh()?,
            awards: Vec::new(),
            meters: Vec::new(),
            hand,
            window: None,
            waiting: Waiting::default(),
            decided: Vec::new(),
            posted: 0,
            clients,
            presence: Presence::new(),
            opened: Instant::now(),
            shooter_away: false,
            cheers: Cheers::default(),
            ticks: Ticks::default(),
            work_shown: None,
            elsewhere: Elsewhere::default(),
            limits_shown: LimitsShown::default(),
            writes_newest: office.writes_newest().await,
            clock: RunClock::start()?,
            said: Said::default(),
            trouble: None,
            blind: false,
            asks: ends.asks,
            visits: ends.visits,
            notes: ends.notes,
            letterbox,
            news,
            seated: ends.seated,
            looking_on: ends.looking_on,
            waits: ends.waiting,
            head: loaded.head,
            state: loaded.state,
            office,
        };
        room.reopen();
        room.report();
        room.show_seats();
        room.look_at_limits();
        room.link().await?;
        room.ask_meters().await?;
        room.settle_down().await;
        Ok(room)
    }

    async fn run(mut self) {
        let mut asks = Vec::new();
        let mut meter_tick = tokio::time::interval(METER_PACE);
        let mut retry_tick = tokio::time::interval(RETRY_PACE);
        let mut look_tick = tokio::time::interval(self.office.practice.limits.pace());
        for tick in [&mut meter_tick, &mut look_tick] {
            tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        }
        loop {
            let deadline = self.deadline();
            let timed = deadline.is_some();
            let deadline = deadline.unwrap_or_else(Instant::now);
            tokio::select! {
                biased;
                note = self.notes.recv() => match note {
                    Some(Note::Stop) | None => break,
                    Some(Note::Lost) => self.lost = true,
                    Some(Note::Damaged(reason)) => self.found_damaged(&reason).await,
                    Some(Note::LookedOver) => self.show_warnings(),
                },
                Some(news) = self.news.recv() => self.take_news(news).await,
                // These come seldom; people who ask without a pause do not put them off.
                () = sleep_until(deadline), if timed => self.time_up().await,
                _ = retry_tick.tick() => {
                    self.retry().await;
                    self.look_for_shooter();
                    self.show_lookers_on();
                    self.look_at_limits();
                }
                _ = look_tick.tick() => {
                    self.said = Said::default();
                    self.look_around();
                    if self.may_rest() {
                        break;
                    }
                }
                _ = meter_tick.tick(), if !self.meters.is_empty() => self.show_meters(),
                _ = self.asks.recv_many(&mut asks, 256) => {
                    for asked in asks.drain(..) {
                        self.take(asked).await;
                    }
                }
                Some(visit) = self.visits.recv() => self.serve(visit),
            }
            self.settle_down().await;
            if self.lost {
                return tracing::info!(table = %self.state.id, "a table is another node's now");
            }
            // However many commands come, whoever looks is served too.
            self.serve_visits();
        }
        // Whoever still asks is told to come again; whatever was acknowledged is durable.
        self.commit().await;
        self.keep_snapshot(true).await;
    }

    /// Makes decisions durable, and decides what follows from them by itself.
    async fn settle_down(&mut self) {
        self.commit().await;
        loop {
            self.follow_up().await;
            // What is decided where another node has the table is nobody's: it ends with the room.
            if self.decided.is_empty() || self.trouble.is_some() || self.lost {
                break;
            }
            self.commit().await;
        }
        self.show_waiting();
        self.send_letters().await;
        if self.is_snapshot_due() {
            self.keep_snapshot(false).await;
        }
    }

    /// What people ask.
    async fn take(&mut self, asked: Asked) {
        let Asked { who, ask, roll, reply } = asked;
        // No bet slips in between the end of the window and the tick that closes it.
        self.close_window();
        self.presence.asks(&who);
        match self.answer(&who, &ask, roll.as_deref()).await {
            Ok(Some(seq)) => reply.send(Ok(seq)),
            // It is acknowledged when it is durable.
            Ok(None) => {
                if let Some(decided) = self.decided.last_mut() {
                    decided.reply = Some(reply);
                }
            }
            // Whoever has the table now may have said yes.
            Err(_) if self.lost || !self.stands() => self.lost = true,
            Err(problem) => {
                metrics::counter!("boxman_refused_total", "code" => problem.code.clone())
                    .increment(1);
                // Whoever was told no is not told yes by a copy that was late; whoever was told to
                // try again may.
                if problem.status < 500 {
                    let key = Key::of_command(&who.id, &ask.id);
                    self.memory.refuse(key, ask.command.digest(), &problem);
                }
                reply.send(Err(problem));
            }
        }
    }

    /// Decides a command, or finds the record of one that was accepted before.
    async fn answer(
        &mut self,
        who: &Arc<Person>,
        ask: &Ask,
        roll: Option<&BookedRoll>,
    ) -> Result<Option<u64>, Problem> {
        self.check_trouble()?;
        if !ask.is_well_named() {
            let expected = "an id has 1 to 64 letters, digits, - and _";
            return Err(Problem::malformed(expected));
        }
        let key = Key::of_command(&who.id, &ask.id);
        let digest = ask.command.digest();
        if let Some((seq, known)) = self.recall(&key).await? {
            if known != Some(digest) {
                let reused = "that id was used for another command, make a new one";
                return Err(Problem::conflict("id-reused", reused));
            }
            let durable = !self.decided.iter().any(|decided| decided.seq == seq);
            if !durable {
                self.commit().await;
                self.check_trouble()?;
            }
            return Ok(Some(seq));
        }
        if let Some(problem) = self.memory.refusal(&key, digest) {
            return Err(problem);
        }
        self.clock.check(ask.until.as_deref())?;
        self.writes_newest = self.office.writes_newest().await;
        let verb = ask.command.verb();
        let (mut queued, mut award, mut second) = (None, None, None);
        match &ask.command {
            Command::Configure { of, config, old_meters, .. } => {
                // Rules are compiled and kept only for those who may ask for them.
                self.state.check_role(who, verb)?;
                self.state.check_purpose(config)?;
                self.state.check_configuration(&who.roles, *of)?;
                queued = Some(self.compile(config, old_meters).await?);
            }
            Command::Approve { proposal } => {
                self.state.check_role(who, verb)?;
                self.check_proposed(*proposal).await?;
                second = self.state.proposals.get(proposal).map(|pending| pending.by.clone());
            }
            Command::Put { wager, .. } => self.check_reached(wager)?,
            Command::ConfirmClaim { claim, .. } => {
                award = self.awards.iter().find(|fixed| fixed.award.claim.id.0 == *claim).cloned();
            }
            _ => {}
        }
        let ticked = match verb {
            Verb::Approve => self.ticks.all(),
            _ => Vec::new(),
        };
        let meters = match self.closes(&ask.command) {
            true => self.money_at_meters().await?,
            false => Vec::new(),
        };
        self.check_person(&ask.command).await?;
        let elsewhere = self.elsewhere_for(verb);
        let order = Order::Ask(Wish {
            who,
            command: &ask.command,
            round: ask.round,
            known: Known { ticked: &ticked, meters: &meters },
            queued: queued.as_ref(),
            shooter_away: self.is_shooter_away(),
            award: award.as_ref(),
            elsewhere: &elsewhere,
            roll,
        });
        let round = ask.round;
        let sent = Sent { name: &who.name, id: &ask.id, key, asked: digest, round };
        self.decide(&order, &who.id, Some(sent), second)?;
        Ok(None)
    }

    /// Whether the table is still this node's, as far as it can know.
    fn stands(&self) -> bool {
        self.office.store.stands(&Stream::Table(self.state.id), self.fence)
    }

    fn is_shooter_away(&self) -> bool {
        let Some(shooter) = self.state.table.shooter(self.state.rules()) else { return false };
        let owner = self.state.owners.get(&shooter.0);
        // Nobody is away who has had no time to come to where the table is now.
        let moving = self.office.link().is_some() && self.opened.elapsed() < GRACE;
        owner.is_some_and(|owner| !self.clients.has(owner)) && !moving
    }

    /// Has everybody know where the shooter is gone, or back.
    fn look_for_shooter(&mut self) {
        let away = self.is_shooter_away();
        if away != self.shooter_away {
            self.shooter_away = away;
            self.clients.announce(FromServer::ShooterAway { away });
        }
    }

    /// Decides, and takes the decision in: what comes after is decided on top of it.
    fn decide(
        &mut self,
        order: &Order<'_>,
        by: &str,
        sent: Option<Sent<'_>>,
        second: Option<String>,
    ) -> Result<(), Problem> {
        let secrets = Secrets { now: &self.secret, next: &self.next_secret };
        let at = self.moment();
        let mut what = self.state.decide(order, at, secrets)?;
        if !self.writes_newest {
            what = what.for_earlier_nodes();
        }
        if !self.writes_newest && what.is_of_edition_3() {
            let waits =
                "that waits until every node of this house runs this version of the program";
            return Err(Problem::unavailable("waits-for-nodes", waits));
        }
        if matches!(&what, TableEntry::Played { thrown: Some(_), .. }) {
            let fresh = Secret::fresh()?;
            self.secret = std::mem::replace(&mut self.next_secret, fresh);
        }
        let next = match order {
            Order::Apply(next) => Some(*next),
            _ => None,
        };
        self.write(at, what, next, by, sent, second);
        Ok(())
    }

    fn write(
        &mut self,
        at: u64,
        what: TableEntry,
        next: Option<&Arc<Rules>>,
        by: &str,
        sent: Option<Sent<'_>>,
        second: Option<String>,
    ) {
        let unseated = sent.filter(|_| self.state.seat_name(by).is_none());
        let entry = Entry {
            name: unseated.map(|sent| sent.name.to_owned()),
            id: sent.map(|sent| sent.id.to_owned()),
            asked: sent.map(|sent| sent.asked),
            round: sent.and_then(|sent| sent.round).filter(|_| self.writes_newest),
            second,
            ..Entry::new(at, by, what)
        };
        let record = entry.record(self.head, Stream::Table(self.state.id));
        self.head = record.head();
        self.state.evolve(record.seq, &entry, next);
        let update = Update::of(&self.state, record.seq, &entry, &mut self.hand);
        let update = Forms::of(FromServer::Update(update));
        let owners = entry.what.is_seating().then(|| self.state.owners.clone());
        self.set_clocks();
        self.note_limits(&entry.what);
        if let Some(Sent { key, asked, .. }) = sent {
            self.memory.remember(key, record.seq, Some(asked));
        }
        let seq = record.seq;
        self.decided.push(Decided { seq, record: Some(record), update, owners, reply: None });
    }

    /// Makes what is decided durable; then, and only then, says so.
    async fn commit(&mut self) {
        if self.decided.is_empty() || self.trouble.is_some() || self.lost {
            return;
        }
        let mut decided = std::mem::take(&mut self.decided);
        let records = decided.iter_mut().filter_map(|decided| decided.record.take()).collect();
        match self.office.writer.append_by(records, self.fence).await {
            Ok(()) => {
                metrics::counter!("boxman_commands_total").increment(decided.len() as u64);
                // It was about an earlier record.
                self.said = Said::default();
                self.office.note_change(self.state.id);
                self.tell_bought();
                if self.state.table.status() == craps::Status::Closed {
                    self.office.note_closed(self.state.id);
                }
                if decided.iter().any(|decided| decided.owners.is_some()) {
                    self.show_seats();
                }
                for Decided { seq, update, owners, reply, .. } in decided {
                    self.clients.publish(seq, update, owners);
                    if let Some(reply) = reply {
                        reply.send(Ok(seq));
                    }
                }
                self.show_anew();
                self.forget_ticks();
                self.show_work();
                self.show_limits();
            }
            // Nothing was written, and nobody is told: they ask whoever has the table now.
            Err(StoreError::Lost) => self.lost = true,
            Err(error) => self.stall(&error, decided).await,
        }
    }

    /// Has the house know whether the table is closed, and who opened it.
    fn report(&self) {
        let (id, by) = (self.state.id, &self.state.opened_by);
        self.office.note_change(id);
        match self.state.table.status() {
            craps::Status::Closed => self.office.note_closed(id),
            _ if self.state.config().practice => self.office.practice.found(id, by),
            _ => {}
        }
    }

    /// What the room does without being asked, until nothing is left to do.
    async fn follow_up(&mut self) {
        if self.trouble.is_some() || self.lost {
            return;
        }
        self.awards.retain(|fixed| {
            self.state.table.claims().iter().any(|claim| claim.id == fixed.award.claim.id)
        });
        let house_dice = self.state.config().dice == crate::config::DiceMode::House;
        let commitment = self.secret.commitment();
        let status = self.state.table.status();
        if house_dice
            && status != craps::Status::Closed
            && self.state.commitment != Some(commitment)
        {
            // The secret of an earlier commitment was lost, or there never was one.
            let at = self.moment();
            self.write(at, TableEntry::Committed { commitment }, None, "boxman", None, None);
            return;
        }
        if self.state.queued.is_some() && self.state.is_idle() {
            self.apply_queued().await;
        }
    }

    async fn apply_queued(&mut self) {
        let Some(queued) = self.state.queued.clone() else { return };
        let rules = match self.office.shelf.recall(&*self.office.store, &queued).await {
            Ok(rules) => rules,
            Err(error) => return tracing::warn!(%error, "a configuration waits for the store"),
        };
        self.office.shelf.look_over(&rules).await;
        if self.decide(&Order::Apply(&rules), "boxman", None, None).is_err() {
            return;
        }
        if let Err(problem) = self.link().await {
            tracing::error!(table = %self.state.id, %problem, "a meter could not be linked");
        }
        self.commit().await;
        self.show_all();
    }
}
