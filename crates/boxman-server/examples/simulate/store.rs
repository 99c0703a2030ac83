//! A node's way to the database: statements leave, and answers come, or not.

use std::any::Any;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use boxman_server::testing::hash::Hash;
use boxman_server::testing::log::{Head, Key, Record, Stream};
use boxman_server::testing::pit::Pit;
use boxman_server::testing::simulation::{Beat, Holding, PitLine, Row, Value, append};
use boxman_server::testing::store::{
    Account, Batch, Day, Fault, Identity, NodeRow, Pits, Play, RulebookText, Seal, Session,
    Snapshot, Sql, Store, StoreError, Stored,
};
use futures_util::stream::{BoxStream, StreamExt};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::database::Commit;
use crate::tables::Tables;
use crate::weather::Fate;
use crate::world::Shared;

/// What has not been answered by then is in doubt.
const PATIENCE: Duration = Duration::from_secs(2);
/// When the world began, in milliseconds since 1970.
pub(crate) const EPOCH: u64 = 1_800_000_000_000;

/// A statement.
type Statement<T> = Arc<dyn Fn(&mut Tables) -> Stored<T> + Send + Sync>;

/// The database as somebody sees it.
pub(crate) struct Connection {
    world: Shared,
    /// Whose it is; nobody's is answered at once, whatever the weather.
    place: Option<usize>,
    holding: Holding,
    timeline: AtomicU64,
}

fn down(reason: &str) -> StoreError {
    StoreError::Down(reason.to_owned())
}

impl Connection {
    pub(crate) fn new(world: &Shared, place: Option<usize>) -> Connection {
        let timeline = AtomicU64::new(world.lock().database.timeline);
        Connection { world: world.clone(), place, holding: Holding::default(), timeline }
    }

    async fn read<T: Any + Send>(
        &self,
        read: impl Fn(&Tables) -> T + Send + Sync + 'static,
    ) -> Stored<T> {
        self.ask(Commit::Read, Arc::new(move |tables| Ok(read(tables)))).await
    }

    async fn change<T: Any + Send>(
        &self,
        change: impl Fn(&mut Tables) -> Stored<T> + Send + Sync + 'static,
    ) -> Stored<T> {
        self.ask(Commit::Replicated, Arc::new(change)).await
    }

    /// Beats and states of nodes wait for no standby.
    async fn beat<T: Any + Send>(
        &self,
        change: impl Fn(&mut Tables) -> T + Send + Sync + 'static,
    ) -> Stored<T> {
        self.ask(Commit::Local, Arc::new(move |tables| Ok(change(tables)))).await
    }

    async fn ask<T: Any + Send>(&self, commit: Commit, statement: Statement<T>) -> Stored<T> {
        let Some(place) = self.place else {
            return statement(&mut self.world.lock().database.primary);
        };
        let (reply, answer) = oneshot::channel();
        {
            let world = &mut *self.world.lock();
            let timeline = world.database.timeline;
            // Whoever finds another primary there sends nothing that was meant for the first.
            if self.timeline.swap(timeline, Ordering::Relaxed) != timeline {
                (self as &dyn Pits).lose_all();
                return Err(down("another primary answers now"));
            }
            let fate = world.weather.to_database(place, world.now, &mut world.random);
            let (there, back, cut) = match fate {
                Fate::Fair { there, back } => (Some(there), Some(back), None),
                Fate::Unanswered { there, cut } => (Some(there), None, Some(cut)),
                Fate::Lost { cut } => (None, None, Some(cut)),
                Fate::Swallowed => (None, None, None),
            };
            let generation = world.database.generation;
            let (mut reply, mut unsaid) = (Some(reply), None);
            if back.is_none() {
                unsaid = reply.take();
            }
            if let Some(cut) = cut {
                world.after(cut, move |_| drop(unsaid));
            } else if let Some(unsaid) = unsaid {
                world.after(PATIENCE.as_millis() as u64, move |_| drop(unsaid));
            }
            if let Some(there) = there {
                world.after(there, move |run| {
                    let world = &mut *run.world.lock();
                    let (now, lag) = (world.now, world.random.below(10));
                    // Where it went nobody takes it any more.
                    if world.database.generation != generation || world.database.down > now {
                        return;
                    }
                    let database = &mut world.database;
                    let (done, at) = database.execute(now, lag, commit, &statement);
                    let (Some(reply), Some(back)) = (reply, back) else { return };
                    world.after(at - now + back, move |run| {
                        // It went down before it could answer.
                        if run.world.lock().database.generation == generation {
                            let _ = reply.send(done);
                        }
                    });
                });
            }
        }
        match timeout(PATIENCE, answer).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) => Err(down("the connection was cut")),
            Err(_) => Err(down("the database did not answer in time")),
        }
    }

    fn now(&self) -> i64 {
        (EPOCH + self.world.lock().now) as i64
    }
}

#[async_trait]
impl Sql for Connection {
    async fn change(&self, _: &'static str, _: &[Value<'_>]) -> Stored<u64> {
        Err(down("it takes no SQL"))
    }

    async fn rows(&self, _: &'static str, _: &[Value<'_>]) -> Stored<Vec<Row>> {
        Err(down("it takes no SQL"))
    }
}

#[async_trait]
impl Pits for Connection {
    fn holding(&self) -> &Holding {
        &self.holding
    }

    async fn put(
        &self,
        me: &Identity,
        epochs: &BTreeSet<(Pit, i64)>,
        lines: &[PitLine<'_>],
    ) -> Stored<BTreeSet<Pit>> {
        let (me, epochs) = (me.clone(), epochs.clone());
        let line = |(record, pit): &PitLine<'_>| (Arc::new(Record::clone(record)), *pit);
        let lines: Vec<_> = lines.iter().map(line).collect();
        self.change(move |tables| tables.put(&me, &epochs, &lines)).await
    }

    async fn put_alone(&self, records: &[&Record]) -> Stored<()> {
        let record = |record: &&Record| Arc::new(Record::clone(record));
        let records: Vec<Arc<Record>> = records.iter().map(record).collect();
        self.change(move |tables| tables.write(&records.iter().collect::<Vec<_>>())).await
    }

    async fn take_free(&self, me: &Identity, most: usize) -> Stored<Vec<(Pit, i64)>> {
        let me = me.clone();
        self.change(move |tables| Ok(tables.take_free(&me, most))).await
    }

    async fn take_again(&self, me: &Identity, pit: Pit) -> Stored<Option<i64>> {
        let me = me.clone();
        self.change(move |tables| Ok(tables.take_again(&me, pit))).await
    }

    async fn give(&self, me: &Identity, held: (Pit, i64), to: &Identity) -> Stored<Option<i64>> {
        let (me, to) = (me.clone(), to.clone());
        self.change(move |tables| Ok(tables.give(&me, held, &to))).await
    }

    async fn streams_of(&self, pits: &[Pit]) -> Stored<Vec<Stream>> {
        let pits = pits.to_vec();
        self.read(move |tables| tables.streams_of(&pits)).await
    }

    async fn clock(&self) -> Stored<i64> {
        let now = self.now();
        self.read(move |_| now).await
    }

    async fn nodes(&self) -> Stored<Vec<NodeRow>> {
        self.read(Tables::nodes).await
    }

    async fn enter(&self, node: &NodeRow) -> Stored<()> {
        let node = node.clone();
        self.beat(move |tables| tables.enter(&node)).await
    }

    async fn count_beat(&self, me: &Identity, since: i64) -> Stored<Option<Beat>> {
        let me = me.clone();
        self.beat(move |tables| tables.count_beat(&me, since)).await
    }

    async fn set_state(
        &self,
        node: &Identity,
        state: &'static str,
        beats: Option<i64>,
    ) -> Stored<bool> {
        let node = node.clone();
        self.beat(move |tables| tables.set_state(&node, state, beats)).await
    }
}

#[async_trait]
impl Store for Connection {
    fn sql(&self) -> &dyn Sql {
        self
    }

    fn shared(&self) -> Option<&dyn Pits> {
        Some(self)
    }

    async fn append(&self, records: &[Record]) -> Stored<()> {
        (self as &dyn Pits).append_now(records).await
    }

    async fn append_batches(&self, batches: &[Batch]) -> Vec<Stored<()>> {
        append(self, batches).await
    }

    async fn append_pages(&self, mut pages: BoxStream<'_, Stored<Vec<Record>>>) -> Stored<()> {
        let mut all = Vec::new();
        while let Some(page) = pages.next().await {
            all.extend(page?);
        }
        self.append(&all).await
    }

    async fn confirm(&self) -> Stored<()> {
        self.set("confirmed", Some("")).await
    }

    fn lanes(&self) -> usize {
        3
    }

    async fn records(&self, stream: &Stream, after: u64, limit: u32) -> Stored<Vec<Record>> {
        let stream = stream.clone();
        self.read(move |tables| tables.records(&stream, after, limit)).await
    }

    async fn head(&self, stream: &Stream) -> Stored<Head> {
        let stream = stream.clone();
        self.read(move |tables| tables.head(&stream)).await
    }

    async fn find(&self, stream: &Stream, key: &Key) -> Stored<Option<Record>> {
        let (stream, key) = (stream.clone(), *key);
        self.read(move |tables| tables.find(&stream, &key)).await
    }

    async fn streams(&self) -> Stored<Vec<Stream>> {
        self.read(|tables| tables.logs.keys().cloned().collect()).await
    }

    async fn keep_snapshot(
        &self,
        snapshot: &Snapshot,
        folded: Option<&str>,
        days: &[Day],
    ) -> Stored<()> {
        let snapshot = Arc::new(Snapshot { seal: Seal::Ours, ..snapshot.clone() });
        let (folded, days) = (folded.unwrap_or_default().to_owned(), days.to_vec());
        self.change(move |tables| {
            let stream = &snapshot.stream;
            let newer = |known: &Arc<Snapshot>| known.head.seq >= snapshot.head.seq;
            if tables.snapshots.get(stream).is_some_and(newer) {
                return Ok(());
            }
            tables.snapshots.insert(stream.clone(), Arc::clone(&snapshot));
            tables.keep_days(stream, |day| day > folded.as_str());
            for day in &days {
                tables.days.insert((stream.clone(), day.day.clone()), day.clone());
            }
            Ok(())
        })
        .await
    }

    async fn snapshot(&self, stream: &Stream) -> Stored<Option<Snapshot>> {
        let stream = stream.clone();
        let copy = |kept: &Arc<Snapshot>| Snapshot::clone(kept);
        self.read(move |tables| tables.snapshots.get(&stream).map(copy)).await
    }

    async fn drop_snapshot(&self, stream: &Stream) -> Stored<()> {
        let stream = stream.clone();
        self.change(move |tables| {
            tables.snapshots.remove(&stream);
            tables.keep_days(&stream, |_| true);
            Ok(())
        })
        .await
    }

    async fn keep_days(&self, stream: &Stream, through: &str, days: &[Day]) -> Stored<()> {
        let (stream, through, days) = (stream.clone(), through.to_owned(), days.to_vec());
        self.change(move |tables| {
            tables.keep_days(&stream, |day| day <= through.as_str());
            for day in &days {
                tables.days.insert((stream.clone(), day.day.clone()), day.clone());
            }
            Ok(())
        })
        .await
    }

    async fn days(&self, from: &str, to: &str) -> Stored<Vec<Day>> {
        let (from, to) = (from.to_owned(), to.to_owned());
        self.read(move |tables| {
            let within = |day: &&Day| day.day >= from && day.day <= to;
            tables.days.values().filter(within).cloned().collect()
        })
        .await
    }

    async fn days_of(&self, stream: &Stream) -> Stored<Vec<Day>> {
        let stream = stream.clone();
        self.read(move |tables| {
            tables.days.values().filter(|day| day.stream == stream).cloned().collect()
        })
        .await
    }

    async fn keep_rulebook(&self, rulebook: &RulebookText) -> Stored<()> {
        let rulebook = Arc::new(rulebook.clone());
        self.change(move |tables| {
            let hash = rulebook.hash.to_string();
            tables.rulebooks.entry(hash).or_insert_with(|| Arc::clone(&rulebook));
            Ok(())
        })
        .await
    }

    async fn rulebook(&self, hash: Hash) -> Stored<Option<RulebookText>> {
        self.read(move |tables| tables.rulebook(hash)).await
    }

    async fn rulebooks(&self) -> Stored<Vec<Hash>> {
        self.read(|tables| tables.rulebooks.values().map(|text| text.hash).collect()).await
    }

    async fn keep_account(&self, account: &Account, records: &[Record]) -> Stored<()> {
        let (account, at) = (account.clone(), self.now());
        let records: Vec<Arc<Record>> = records.iter().cloned().map(Arc::new).collect();
        self.change(move |tables| {
            tables.write(&records.iter().collect::<Vec<_>>())?;
            let other = |known: &Account| {
                known.roles != account.roles || known.password != account.password
            };
            if tables.accounts.get(&account.id).is_some_and(other) {
                tables.sessions.retain(|_, session| session.person != account.id);
                tables.notice("person", &account.id, at);
            }
            tables.accounts.insert(account.id.clone(), account.clone());
            Ok(())
        })
        .await
    }

    async fn account(&self, id: &str) -> Stored<Option<Account>> {
        let id = id.to_owned();
        self.read(move |tables| tables.accounts.get(&id).cloned()).await
    }

    async fn account_of_login(&self, login: &str) -> Stored<Option<Account>> {
        let login = login.to_owned();
        self.read(move |tables| tables.accounts.values().find(|a| a.login == login).cloned()).await
    }

    async fn accounts(&self) -> Stored<Vec<Account>> {
        self.read(|tables| tables.accounts.values().cloned().collect()).await
    }

    async fn keep_session(&self, session: &Session) -> Stored<()> {
        let session = session.clone();
        self.change(move |tables| {
            tables.sessions.insert(session.token.to_string(), session.clone());
            Ok(())
        })
        .await
    }

    async fn session(&self, token: Hash) -> Stored<Option<Session>> {
        let token = token.to_string();
        self.read(move |tables| tables.sessions.get(&token).cloned()).await
    }

    async fn end_session(&self, token: Hash) -> Stored<()> {
        let (token, at) = (token.to_string(), self.now());
        self.change(move |tables| {
            tables.sessions.remove(&token);
            tables.notice("session", &token, at);
            Ok(())
        })
        .await
    }

    async fn end_sessions_of(&self, person: &str) -> Stored<()> {
        let (person, at) = (person.to_owned(), self.now());
        self.change(move |tables| {
            tables.sessions.retain(|_, session| session.person != person);
            tables.notice("person", &person, at);
            Ok(())
        })
        .await
    }

    async fn tell_renamed(&self, person: &str) -> Stored<()> {
        let (person, at) = (person.to_owned(), self.now());
        self.change(move |tables| {
            tables.notice("renamed", &person, at);
            Ok(())
        })
        .await
    }

    async fn forget_sessions(&self, now: u64) -> Stored<()> {
        self.change(move |tables| {
            tables.sessions.retain(|_, session| session.expires >= now);
            Ok(())
        })
        .await
    }

    async fn keep_play(&self, play: &Play, _: u32) -> Stored<()> {
        let play = play.clone();
        self.change(move |tables| {
            tables.plays.push(play.clone());
            Ok(())
        })
        .await
    }

    async fn play_of(&self, person: &str) -> Stored<Vec<Play>> {
        let person = person.to_owned();
        self.read(move |tables| {
            tables.plays.iter().filter(|play| play.person == person).cloned().collect()
        })
        .await
    }

    async fn forget_play(&self, person: &str, _: Option<&str>) -> Stored<()> {
        let person = person.to_owned();
        self.change(move |tables| {
            tables.plays.retain(|play| play.person != person);
            Ok(())
        })
        .await
    }

    async fn setting(&self, name: &str) -> Stored<Option<String>> {
        let name = name.to_owned();
        self.read(move |tables| tables.settings.get(&name).cloned()).await
    }

    async fn set(&self, name: &str, value: Option<&str>) -> Stored<()> {
        let (name, value) = (name.to_owned(), value.map(str::to_owned));
        self.change(move |tables| {
            match &value {
                Some(value) => tables.settings.insert(name.clone(), value.clone()),
                None => tables.settings.remove(&name),
            };
            Ok(())
        })
        .await
    }

    async fn exchange(&self, name: &str, before: Option<&str>, after: &str) -> Stored<bool> {
        let (name, before) = (name.to_owned(), before.map(str::to_owned));
        let after = after.to_owned();
        self.change(move |tables| {
            let fits = tables.settings.get(&name) == before.as_ref();
            if fits {
                tables.settings.insert(name.clone(), after.clone());
            }
            Ok(fits)
        })
        .await
    }

    async fn faults(&self) -> Stored<Vec<Fault>> {
        Ok(Vec::new())
    }

    fn seal(&self, text: &[u8]) -> Option<Hash> {
        Some(Hash::of(text))
    }

    async fn ping(&self) -> Stored<()> {
        self.set("pinged", Some("")).await
    }

    async fn close(&self) {}
}
