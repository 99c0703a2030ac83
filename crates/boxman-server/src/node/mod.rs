//! A node among others: it beats, declares those gone that do not, takes the pits nobody has,
//! hands some over where others have fewer, and falls silent when it is not heard itself.

mod drain;
mod reach;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::ready;
use futures_util::stream::{self, StreamExt};
use tokio::sync::broadcast;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use self::drain::TOLD;
use crate::auth::Door;
use crate::house::House;
use crate::link::{Link, Map};
use crate::pit::Pit;
use crate::store::{Beat, Identity, LEASE, NodeRow, Notice, Pits, StoreError, Stored};

/// How often a node beats.
const PACE: Duration = Duration::from_millis(250);
/// So many pits at which somebody may be playing change hands in a round to even out what nodes
/// have, and so many at which nobody is.
const A_FEW: usize = Pit::COUNT / 50;
const MANY: usize = Pit::COUNT / 4;
/// How often they do.
const ROUND: Duration = Duration::from_secs(1);
/// So many pits are claimed again at once.
const AT_ONCE: usize = 8;

/// This node.
pub struct Node {
    link: Arc<Link>,
    store: Arc<dyn Pits>,
    draining: AtomicBool,
    /// Pits on their way to another node.
    leaving: std::sync::Mutex<BTreeSet<Pit>>,
    /// Whether the house is open, and knows what comes of a beat.
    kept: AtomicBool,
}

/// What a node has seen of another: its beats, and since when they have been that many.
type Seen = BTreeMap<(String, i64), (i64, Instant)>;

/// Nodes that are gone, and when they were last seen to beat.
type Gone = BTreeMap<(String, i64), Instant>;

/// What is remembered from beat to beat.
struct Memory {
    seen: Seen,
    /// When pits were evened out last.
    evened: Instant,
    heard: BTreeSet<Notice>,
    /// Nodes that are gone and have left pits behind: when they were last seen to beat.
    gone: Gone,
    /// What is being done about pits.
    seeing: Option<JoinHandle<()>>,
}

impl Node {
    /// Enters the house: registers, and takes what nobody has.
    pub async fn enter(link: Arc<Link>) -> Stored<Arc<Node>> {
        let store = Arc::clone(link.store());
        let draining = AtomicBool::new(false);
        let leaving = std::sync::Mutex::default();
        let kept = AtomicBool::new(false);
        let node = Arc::new(Node { link, store, draining, leaving, kept });
        node.register().await?;
        tokio::spawn(Arc::clone(&node).beat_until_kept());
        match node.begin().await {
            Ok(()) => Ok(node),
            Err(error) => {
                node.leave().await;
                Err(error)
            }
        }
    }

    async fn begin(&self) -> Stored<()> {
        self.be_seen().await?;
        let Some(beat) = self.store.beat().await? else { return Ok(()) };
        self.link.draw(Map::of(&beat));
        self.claim_free(&beat).await?;
        // What was just claimed is not in what the beat told.
        if let Some(beat) = self.store.beat().await? {
            self.link.draw(Map::of(&beat));
        }
        Ok(())
    }

    /// Beats while the house is being opened, however long its log is.
    async fn beat_until_kept(self: Arc<Node>) {
        while !self.kept.load(Ordering::Relaxed) {
            tokio::time::sleep(PACE).await;
            if let Err(error) = self.store.beat().await {
                tracing::warn!(%error, "a beat was not answered");
            }
        }
    }

    /// The line to other nodes.
    pub fn link(&self) -> &Arc<Link> {
        &self.link
    }

    /// Whether this node hands its tables over and takes no more.
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Relaxed)
    }

    async fn register(&self) -> Stored<Identity> {
        self.store.register(self.link.peer()).await
    }

    /// Waits until the others have looked who is there since: before that they do not know this
    /// node's certificate.
    async fn be_seen(&self) -> Stored<()> {
        let before = self.store.nodes().await?;
        let me = self.store.identity();
        let others = before.iter().filter(|node| Some(&node.identity) != me.as_ref());
        let others: Vec<&NodeRow> = others.collect();
        let until = Instant::now() + LEASE;
        while !others.is_empty() && Instant::now() < until {
            tokio::time::sleep(PACE / 5).await;
            let now = self.store.nodes().await?;
            // The beat that was under way may have looked before.
            let has_looked = |before: &&&NodeRow| {
                let now = now.iter().find(|now| now.identity == before.identity);
                now.is_none_or(|now| now.beats >= before.beats + 2)
            };
            if others.iter().all(|other| has_looked(&other)) {
                break;
            }
        }
        Ok(())
    }

    /// Beats and listens for as long as the server runs.
    pub async fn keep(self: Arc<Node>, house: Arc<House>, door: Arc<Door>) {
        tokio::select! {
            () = self.keep_beating(house, door) => {}
            () = self.listen_for_others() => {}
        }
    }

    async fn keep_beating(self: &Arc<Node>, house: Arc<House>, door: Arc<Door>) {
        let lost = tokio::spawn(let_go(self.store.lost(), Arc::clone(&house)));
        let mut pace = tokio::time::interval(PACE);
        pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut memory = Memory {
            seen: Seen::new(),
            evened: Instant::now(),
            heard: BTreeSet::new(),
            gone: BTreeMap::new(),
            seeing: None,
        };
        let gained = self.store.pits();
        house.gained(gained);
        self.kept.store(true, Ordering::Relaxed);
        loop {
            pace.tick().await;
            match self.store.beat().await {
                Ok(Some(beat)) => self.take_in(beat, &mut memory, &house, &door).await,
                // Somebody has declared this node gone.
                Ok(None) => self.come_back(&house, &door).await,
                Err(error) => {
                    tracing::warn!(%error, "a beat was not answered");
                    if !self.store.is_heard() {
                        self.come_back(&house, &door).await;
                    }
                }
            }
            if lost.is_finished() {
                return;
            }
        }
    }

    /// Takes in what a beat told. Nothing here holds up the next: pits are claimed and handed over
    /// beside it, one thing at a time.
    async fn take_in(
        self: &Arc<Node>,
        beat: Beat,
        memory: &mut Memory,
        house: &Arc<House>,
        door: &Arc<Door>,
    ) {
        self.link.draw(Map::of(&beat));
        let notices: BTreeSet<Notice> = beat.notices.iter().cloned().collect();
        for notice in notices.difference(&memory.heard).cloned() {
            let door = Arc::clone(door);
            tokio::spawn(async move { door.hear(&notice.what, &notice.who).await });
        }
        memory.heard = notices;
        memory.miss(&beat);
        self.bury_silent(&beat, &mut memory.seen).await;
        metrics::gauge!("boxman_pits").set(self.store.pits().len() as u32);
        metrics::gauge!("boxman_nodes").set(beat.nodes.len() as u32);
        if memory.seeing.as_ref().is_some_and(|seeing| !seeing.is_finished()) {
            return;
        }
        let even = memory.evened.elapsed() >= ROUND && !self.is_draining();
        if even {
            memory.evened = Instant::now();
        }
        let (node, house, gone) = (Arc::clone(self), Arc::clone(house), memory.gone.clone());
        let seeing = async move { node.see_to_pits(&beat, &house, &gone, even).await };
        memory.seeing = Some(tokio::spawn(seeing));
    }

    async fn see_to_pits(&self, beat: &Beat, house: &Arc<House>, gone: &Gone, even: bool) {
        let mut gained = self.compare(beat).await;
        match self.claim_free(beat).await {
            Ok(claimed) => {
                tell_takeover(beat, &claimed, gone);
                gained.extend(claimed);
            }
            Err(error) => tracing::warn!(%error, "no pits were claimed"),
        }
        if !gained.is_empty() {
            tracing::info!(pits = gained.len(), "pits are this node's now");
            house.gained(gained);
        }
        if even {
            self.even_out(house).await;
        }
    }

    /// Compares what this node believes to have with what the database says. What stands in its
    /// name and it does not hold, it claims again before it speaks; what does not, it lets go.
    async fn compare(&self, beat: &Beat) -> Vec<Pit> {
        let Some(me) = self.store.identity() else { return Vec::new() };
        let mut again = Vec::new();
        for row in &beat.pits {
            let mine = row.owner.as_ref() == Some(&me);
            match (mine, self.store.holds(row.pit)) {
                (true, false) if !self.leaving().contains(&row.pit) => again.push(row.pit),
                // What the beat read may be older than what this node has claimed since.
                (false, true) if self.store.is_older(row.pit, row.epoch) => {
                    metrics::counter!("boxman_epochs_lost_total").increment(1);
                    self.store.lose(row.pit);
                }
                _ => {}
            }
        }
        self.claim_again(again).await
    }

    /// Claims pits again that stand in this node's name, a few at a time; gives those it has now.
    async fn claim_again(&self, pits: Vec<Pit>) -> Vec<Pit> {
        let failed = AtomicBool::new(false);
        let claimed = pits.into_iter().map(async |pit| {
            // Whoever handed it over may have said so meanwhile. Where one fails the next beat
            // tries again: nor would any other be.
            if failed.load(Ordering::Relaxed) || self.store.holds(pit) {
                return None;
            }
            match self.store.reclaim(pit).await {
                Ok(is_new) => is_new.then_some(pit),
                Err(StoreError::Lost) => None,
                Err(error) => {
                    failed.store(true, Ordering::Relaxed);
                    tracing::warn!(%pit, %error, "not claimed again");
                    None
                }
            }
        });
        let claimed = stream::iter(claimed).buffer_unordered(AT_ONCE);
        claimed.filter_map(ready).collect().await
    }

    /// Declares nodes gone that have not beaten for a lease, by this node's own clock.
    async fn bury_silent(&self, beat: &Beat, seen: &mut Seen) {
        let me = self.store.identity();
        let key = |node: &NodeRow| (node.identity.name.clone(), node.identity.incarnation);
        let now = Instant::now();
        seen.retain(|known, _| beat.nodes.iter().any(|node| key(node) == *known));
        for node in beat.nodes.iter().filter(|node| Some(&node.identity) != me.as_ref()) {
            let last = seen.entry(key(node)).or_insert((node.beats, now));
            if last.0 != node.beats {
                *last = (node.beats, now);
            }
            if now - last.1 < LEASE {
                continue;
            }
            match self.store.declare_gone(node).await {
                Ok(true) => {
                    metrics::counter!("boxman_nodes_gone_total").increment(1);
                    tracing::warn!(node = node.identity.name, "a node is gone, others take over");
                }
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "a node could not be declared gone"),
            }
        }
    }

    /// Takes this node's share of the pits that nobody has: as many as it has fewer than its share
    /// of all, so that nothing is left over when every node has looked once.
    async fn claim_free(&self, beat: &Beat) -> Stored<Vec<Pit>> {
        if self.is_draining() {
            return Ok(Vec::new());
        }
        let is_there = |owner: &Identity| beat.nodes.iter().any(|node| node.identity == *owner);
        let free = beat.pits.iter().filter(|row| !row.owner.as_ref().is_some_and(is_there)).count();
        if free == 0 {
            return Ok(Vec::new());
        }
        let up = beat.nodes.iter().filter(|node| node.state == "up").count().max(1);
        let missing = Pit::COUNT.div_ceil(up).saturating_sub(self.store.pits().len());
        self.store.claim(missing.max(free.div_ceil(up))).await
    }

    /// Hands a few pits over where another node has fewer.
    async fn even_out(&self, house: &Arc<House>) {
        let map = Arc::clone(&self.link.map().borrow());
        let Some(me) = self.store.identity() else { return };
        let up: Vec<&NodeRow> = map.nodes().filter(|node| node.state == "up").collect();
        let mine = self.store.pits();
        let fair = Pit::COUNT / up.len().max(1);
        let others = up.iter().filter(|node| node.identity != me);
        let fewest = others.min_by_key(|node| map.pits_of(&node.identity));
        let Some(fewest) = fewest else { return };
        let has = map.pits_of(&fewest.identity);
        if has >= fair || mine.len() <= fair + 1 {
            return;
        }
        let count = (mine.len() - fair).min(fair - has);
        let (empty, played): (Vec<Pit>, Vec<Pit>) =
            mine.into_iter().partition(|pit| house.is_empty(*pit));
        let going = empty.into_iter().take(MANY).chain(played.into_iter().take(A_FEW));
        let going: Vec<Pit> = going.take(count).collect();
        // Whoever cannot be reached from here is given nothing: who asks here could not be served.
        if !going.is_empty() && self.is_reached(fewest, TOLD).await {
            self.hand_over(house, going, std::slice::from_ref(*fewest)).await;
        }
    }

    fn leaving(&self) -> std::sync::MutexGuard<'_, BTreeSet<Pit>> {
        self.leaving.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Nobody takes this node for alive any more: it drops everything it had, and is somebody else
    /// from then on.
    async fn come_back(&self, house: &Arc<House>, door: &Door) {
        tracing::error!("this node was not heard in time: it gives up its tables and comes back");
        self.store.lose_all();
        house.lost_all();
        loop {
            match self.register().await {
                Ok(me) => {
                    // Sessions may have ended that nobody speaks of any more.
                    door.forget_all();
                    if self.is_draining() {
                        let _ = self.store.drain(&me).await;
                    }
                    return;
                }
                Err(error) => tracing::warn!(%error, "this node waits for its database"),
            }
            tokio::time::sleep(PACE).await;
        }
    }
}

impl Memory {
    /// Remembers who was there with the beat before and is not any more.
    fn miss(&mut self, beat: &Beat) {
        let is_there = |known: &(String, i64)| {
            let is_known = |node: &NodeRow| {
                (&node.identity.name, node.identity.incarnation) == (&known.0, known.1)
            };
            beat.nodes.iter().any(is_known)
        };
        let missing = self.seen.iter().filter(|(known, _)| !is_there(known));
        self.gone.extend(missing.map(|(known, (_, since))| (known.clone(), *since)));
        let has_pits = |known: &(String, i64)| {
            let is_its = |owner: &Identity| (&owner.name, owner.incarnation) == (&known.0, known.1);
            beat.pits.iter().any(|row| row.owner.as_ref().is_some_and(is_its))
        };
        self.gone.retain(|known, _| has_pits(known));
    }
}

/// How long pits were without anybody that have been taken over from a node that is gone: since it
/// was last seen to beat.
fn tell_takeover(beat: &Beat, claimed: &[Pit], gone: &Gone) {
    let owners = beat.pits.iter().filter(|row| claimed.contains(&row.pit));
    let owners = owners.filter_map(|row| row.owner.as_ref());
    let owners: BTreeSet<(String, i64)> =
        owners.map(|owner| (owner.name.clone(), owner.incarnation)).collect();
    for since in owners.iter().filter_map(|owner| gone.get(owner)) {
        metrics::histogram!("boxman_takeover_seconds").record(since.elapsed());
    }
}

/// Has rooms and meters know that their pits are another node's now.
async fn let_go(mut lost: broadcast::Receiver<Pit>, house: Arc<House>) {
    loop {
        match lost.recv().await {
            Ok(pit) => house.lost(pit),
            Err(broadcast::error::RecvError::Lagged(_)) => house.lost_all(),
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}
