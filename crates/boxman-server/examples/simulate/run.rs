//! One run: a world, three machines in it, people who play, and what goes wrong meanwhile.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use boxman_client::Random;
use boxman_server::audit::{self, Anchor};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::simulation::{set_mutant, set_now, set_random};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use crate::checks;
use crate::database::Database;
use crate::faults::Fault;
use crate::host::{Host, STEP, runtime, step};
use crate::image::Image;
use crate::mutants::Mutant;
use crate::people::{Client, Notes, Player, rename};
use crate::store::{Connection, EPOCH};
use crate::tables::Tables;
use crate::weather::Weather;
use crate::world::{Moment, Shared, World};

/// People play for so long, in milliseconds, and things go wrong for most of it.
const PLAYED: u64 = 9_000;
/// After so long whatever has not ended never will.
const LONGEST: u64 = 90_000;
/// What is left on its way arrives by then.
pub(crate) const SETTLED: u64 = 4_000;
/// A node that did not start is started again after this.
const AGAIN: u64 = 500;
/// The place of whoever writes anchors.
const AUDITOR: usize = 4;

/// A world and everything in it.
pub(crate) struct Run {
    pub(crate) world: Shared,
    pub(crate) hosts: Vec<Host>,
    people: Runtime,
    shelf: Arc<Shelf>,
}

/// What came of a run.
pub(crate) struct Outcome {
    pub(crate) seed: u64,
    pub(crate) broken: Vec<String>,
    pub(crate) acknowledged: usize,
    pub(crate) late_copies: usize,
    pub(crate) digest: u64,
    /// What happened, where it was to be told.
    pub(crate) story: Vec<String>,
}

impl Run {
    pub(crate) fn new(seed: u64, tables: &Tables, shelf: &Arc<Shelf>, machines: usize) -> Run {
        let mut entropy = Random::new(seed, 1);
        set_random(move || entropy.next());
        set_now(EPOCH);
        let world = World::new(Random::new(seed, 2), Database::new(tables));
        Run {
            world: Shared::new(world),
            hosts: (0..machines).map(Host::new).collect(),
            people: runtime(seed),
            shelf: Arc::clone(shelf),
        }
    }

    pub(crate) fn now(&self) -> Moment {
        self.world.lock().now
    }

    pub(crate) fn note(&self, what: &str) {
        self.world.lock().note(what);
    }

    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        self.people.spawn(task)
    }

    /// What a task that has ended came to.
    pub(crate) fn result<T>(&self, task: JoinHandle<T>) -> Result<T, String> {
        self.people.block_on(task).map_err(|error| error.to_string())
    }

    /// A step of the world.
    fn step(&mut self) {
        let now = {
            let mut world = self.world.lock();
            world.now += STEP;
            world.now
        };
        loop {
            let due = self.world.lock().due();
            let Some(event) = due else { break };
            event(self);
        }
        for place in 0..self.hosts.len() {
            if self.hosts[place].is_down()
                && self.hosts[place].starts_at.is_some_and(|at| at <= now)
            {
                self.note(&format!("node {place} starts"));
                self.hosts[place].start(&self.world, &self.shelf);
            }
            if let Some(reason) = self.hosts[place].step(now) {
                self.note(&format!("node {place} has ended: {reason}"));
                self.world.lock().cut_off(place);
                self.hosts[place].starts_at.get_or_insert(now + AGAIN);
            }
        }
        set_now(EPOCH + now);
        step(&self.people);
    }

    /// Goes on until something is so. Says whether it ever was.
    pub(crate) fn until(&mut self, is_so: impl Fn(&Run) -> bool) -> bool {
        let end = self.now() + LONGEST;
        while self.now() < end {
            if is_so(self) {
                return true;
            }
            self.step();
        }
        false
    }

    pub(crate) fn go_on(&mut self, span: u64) {
        let end = self.now() + span;
        while self.now() < end {
            self.step();
        }
    }

    pub(crate) fn start_all(&mut self, random: &mut Random) {
        for host in &mut self.hosts {
            host.starts_at = Some(random.below(1_000));
        }
    }

    pub(crate) fn all_open(&self) -> bool {
        self.hosts.iter().all(Host::is_open)
    }

    /// Ends all that is wrong.
    pub(crate) fn heal(&mut self) {
        let now = self.now();
        let mut world = self.world.lock();
        world.note("everything is mended");
        world.weather = Weather::calm();
        world.database.down = world.database.down.min(now);
        world.database.lose_standby(now);
        for host in &mut self.hosts {
            host.freeze(now);
            host.clock = 0;
            if host.is_down() {
                host.starts_at = Some(now);
            }
        }
    }
}

/// Plays a seed.
pub(crate) fn play(seed: u64, image: &Image, mutant: Option<Mutant>, told: bool) -> Outcome {
    if seed.is_multiple_of(20) {
        return first_start(seed, image);
    }
    set_mutant(mutant.and_then(Mutant::built_in));
    let mut random = Random::new(seed, 3);
    let mut run = Run::new(seed, &image.tables, &image.shelf, 3);
    {
        let mut world = run.world.lock();
        world.story = told.then(Vec::new);
        world.database.asynchronous = mutant == Some(Mutant::AsynchronousStandby);
    }
    let mut broken = Vec::new();
    run.start_all(&mut random);
    if !run.until(Run::all_open) {
        broken.push("not every node has started".to_owned());
    }
    let notes = Arc::new(Mutex::new(Notes::default()));
    let players = seat(&run, seed, image, &notes);
    let mut playing: Vec<JoinHandle<()>> =
        players.into_iter().map(|player| run.spawn(play_on(player))).collect();
    let boss = Client { world: run.world.clone(), token: image.token.clone() };
    playing.push(run.spawn(rename(boss, Random::new(seed, 4), Duration::from_millis(PLAYED))));
    for fault in Fault::some(&mut random) {
        fault.plan(&run, run.now() + random.below(PLAYED - 1_000));
    }
    let anchoring = plan_anchor(&run, random.below(PLAYED));
    run.go_on(PLAYED);
    run.heal();
    if !run.until(|_| playing.iter().all(JoinHandle::is_finished)) {
        broken.push("somebody was never answered".to_owned());
    }
    if !run.until(Run::all_open) {
        broken.push("not every node has come back".to_owned());
    }
    run.go_on(SETTLED);
    let anchor = match anchoring.is_finished() {
        true => run.result(anchoring).ok().flatten(),
        false => None,
    };
    broken.extend(checks::same_everywhere(&mut run, &image.token, &image.ids));
    let notes = std::mem::take(&mut *notes.lock().unwrap_or_else(PoisonError::into_inner));
    let (found, late_copies) = checks::of_the_log(&run, image, &notes);
    broken.extend(found);
    broken.extend(checks::of_the_books(&run, anchor));
    broken.extend(checks::of_the_meter(&mut run, image, &notes));
    broken.extend(checks::of_the_nodes(&run));
    let acknowledged = notes.sent.iter().filter(|sent| sent.ack.is_some()).count();
    let digest = run.world.lock().digest();
    let story = run.world.lock().story.take().unwrap_or_default();
    set_mutant(None);
    Outcome { seed, broken, acknowledged, late_copies, digest, story }
}

/// Three nodes start for the first time and at once: one of them makes the link for the first
/// account, and there is one practice table.
fn first_start(seed: u64, image: &Image) -> Outcome {
    let mut random = Random::new(seed, 3);
    let mut run = Run::new(seed, &Tables::default(), &image.shelf, 3);
    for host in &mut run.hosts {
        host.starts_at = Some(random.below(30));
    }
    let mut broken = Vec::new();
    if !run.until(Run::all_open) {
        broken.push("not every node has started".to_owned());
    }
    run.go_on(2_000);
    broken.extend(checks::of_the_first_start(&run));
    broken.extend(checks::of_the_books(&run, None));
    broken.extend(checks::of_the_nodes(&run));
    let digest = run.world.lock().digest();
    Outcome { seed, broken, acknowledged: 0, late_copies: 0, digest, story: Vec::new() }
}

async fn play_on(player: Player) {
    player.play(Duration::from_millis(PLAYED)).await;
}

fn seat(run: &Run, seed: u64, image: &Image, notes: &Arc<Mutex<Notes>>) -> Vec<Player> {
    let player = |(number, (table, seat)): (usize, &(usize, u8))| Player {
        client: Client { world: run.world.clone(), token: image.token.clone() },
        name: format!("p{number}"),
        table: *table,
        seat: *seat,
        progressive: *table < 2,
        random: Random::new(seed, 100 + number as u64),
        tables: Arc::clone(&image.ids),
        notes: Arc::clone(notes),
    };
    image.seats.iter().enumerate().map(player).collect()
}

/// Somebody writes an anchor down while people play; what it names is never lost.
pub(crate) fn plan_anchor(run: &Run, wait: u64) -> JoinHandle<Option<Anchor>> {
    let store = Connection::new(&run.world, Some(AUDITOR));
    run.spawn(async move {
        tokio::time::sleep(Duration::from_millis(wait)).await;
        audit::anchor(&store).await.ok()
    })
}
