//! A machine with a node on it: started, killed, frozen, woken and stopped.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use boxman_server::testing::http::Limits;
use boxman_server::testing::practice::PracticeLimits;
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::simulation::{Link, Node, Running, between, router, set_now};
use boxman_server::testing::store::{Peer, Pits};
use tokio::runtime::{Builder, Runtime};

use crate::line::{Door, Wire};
use crate::store::{Connection, EPOCH};
use crate::world::{Moment, Shared};

/// Everything happens in steps of so many milliseconds.
pub(crate) const STEP: u64 = 5;

/// How far a node has come.
enum Stage {
    Starting,
    Open {
        running: Arc<Running>,
        public: Router,
        between: Router,
    },
    /// It did not start, or has ended.
    Over(Option<String>),
}

/// A machine.
pub(crate) struct Host {
    place: usize,
    starts: u32,
    stopping: bool,
    runtime: Option<Runtime>,
    stage: Arc<Mutex<Stage>>,
    /// It is frozen until then.
    frozen: Moment,
    /// Its clock stopped so long ago.
    behind: u64,
    /// How far its clock is from everybody's, in milliseconds.
    pub(crate) clock: i64,
    /// The dealing procedures of real tables that it opens.
    pub(crate) procedures: u8,
    /// It is started again then.
    pub(crate) starts_at: Option<Moment>,
}

/// The name of a node.
pub(crate) fn name(place: usize) -> &'static str {
    ["one", "two", "three"][place]
}

/// A runtime whose clock stands still unless it is moved. Its own choices are those of the seed,
/// where tokio lets them be chosen.
pub(crate) fn runtime(seed: u64) -> Runtime {
    let mut builder = Builder::new_current_thread();
    builder.enable_time().start_paused(true);
    #[cfg(tokio_unstable)]
    builder.rng_seed(tokio::runtime::RngSeed::from_bytes(&seed.to_le_bytes()));
    let _ = seed;
    builder.build().expect("a runtime needs nothing but memory")
}

/// Lets a runtime do everything that is to be done in one step.
pub(crate) fn step(runtime: &Runtime) {
    runtime.block_on(async { tokio::time::sleep(Duration::from_millis(STEP)).await });
}

/// Nobody here is too many.
pub(crate) fn limits(procedures: u8) -> Limits {
    let many = 1_000_000.try_into().unwrap_or(std::num::NonZeroU32::MIN);
    let practice = PracticeLimits {
        per_person: 1_000,
        per_address: 1_000,
        in_all: 1_000,
        per_minute: many,
        ..PracticeLimits::default()
    };
    Limits { requests: many, door: many, commands: many, procedures, practice, ..Limits::default() }
}

impl Host {
    pub(crate) fn new(place: usize) -> Host {
        Host {
            place,
            starts: 0,
            stopping: false,
            runtime: None,
            stage: Arc::new(Mutex::new(Stage::Over(None))),
            frozen: 0,
            behind: 0,
            clock: 0,
            procedures: Limits::default().procedures,
            starts_at: None,
        }
    }

    /// Starts a node, as the program does.
    pub(crate) fn start(&mut self, world: &Shared, shelf: &Arc<Shelf>) {
        self.starts += 1;
        self.starts_at = None;
        self.stopping = false;
        self.behind = 0;
        self.frozen = 0;
        let stage = Arc::new(Mutex::new(Stage::Starting));
        self.stage = Arc::clone(&stage);
        let peer = Peer {
            name: name(self.place).to_owned(),
            address: self.place.to_string(),
            certificate: self.certificate(),
        };
        let seed = world.lock().random.next();
        let (world, shelf, place) = (world.clone(), Arc::clone(shelf), self.place);
        let limits = limits(self.procedures);
        let starting = async move {
            let store: Arc<dyn Pits> = Arc::new(Connection::new(&world, Some(place)));
            let line = Arc::new(Wire { world, place });
            let link = Arc::new(Link::new(Arc::clone(&store), peer, line));
            let node = Node::enter(link).await.map_err(|error| error.to_string())?;
            let running = Running::open(store, Some(node), shelf, limits, false, None).await;
            running.map_err(|problem| problem.to_string())
        };
        let runtime = runtime(seed);
        runtime.spawn(async move {
            let started: Result<Running, String> = starting.await;
            let next = match started {
                Ok(running) => {
                    let app = Arc::clone(&running.app);
                    let (public, between) = (router(Arc::clone(&app)), between(app));
                    Stage::Open { running: Arc::new(running), public, between }
                }
                Err(reason) => Stage::Over(Some(reason)),
            };
            *stage.lock().unwrap_or_else(PoisonError::into_inner) = next;
        });
        self.runtime = Some(runtime);
    }

    fn certificate(&self) -> String {
        format!("{}-{}", name(self.place), self.starts)
    }

    fn stage(&self) -> std::sync::MutexGuard<'_, Stage> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the node do what is to be done until now. Says why it ended, where it just did.
    pub(crate) fn step(&mut self, now: Moment) -> Option<String> {
        let runtime = self.runtime.as_ref()?;
        if self.frozen > now {
            self.behind += STEP;
            return None;
        }
        set_now(EPOCH.saturating_add(now).saturating_add_signed(self.clock));
        if self.behind > 0 {
            let slept = Duration::from_millis(std::mem::take(&mut self.behind));
            runtime.block_on(async { tokio::time::advance(slept).await });
        }
        step(runtime);
        let over = match &*self.stage() {
            Stage::Over(reason) => Some(reason.clone().unwrap_or_else(|| "stopped".to_owned())),
            _ => None,
        };
        if over.is_some() {
            self.runtime = None;
        }
        over
    }

    /// Ends it between two instructions, wherever it is.
    pub(crate) fn kill(&mut self) {
        *self.stage() = Stage::Over(None);
        self.runtime = None;
    }

    pub(crate) fn freeze(&mut self, until: Moment) {
        self.frozen = until;
    }

    /// Has it hand its tables over and end.
    pub(crate) fn stop(&mut self) -> bool {
        let (Some(running), Some(runtime)) = (self.running(), &self.runtime) else {
            return false;
        };
        self.stopping = true;
        let stage = Arc::clone(&self.stage);
        runtime.spawn(async move {
            running.drain().await;
            running.close().await;
            *stage.lock().unwrap_or_else(PoisonError::into_inner) = Stage::Over(None);
        });
        true
    }

    pub(crate) fn is_down(&self) -> bool {
        self.runtime.is_none()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.running().is_some() && !self.stopping
    }

    /// The server, where it runs.
    pub(crate) fn running(&self) -> Option<Arc<Running>> {
        match &*self.stage() {
            Stage::Open { running, .. } if self.runtime.is_some() => Some(Arc::clone(running)),
            _ => None,
        }
    }

    /// What is behind a door, where it is open.
    pub(crate) fn door(&self, door: &Door) -> Option<(&Runtime, Router)> {
        let runtime = self.runtime.as_ref()?;
        let Stage::Open { public, between, .. } = &*self.stage() else { return None };
        match door {
            Door::Public => Some((runtime, public.clone())),
            Door::Between(shown) if *shown == self.certificate() => {
                Some((runtime, between.clone()))
            }
            Door::Between(_) => None,
        }
    }
}
