//! A server without its doors: the house is open, its chores are done, and it is closed without
//! losing anything.

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::access::Person;
use crate::anchors::{self, Anchoring, keep};
use crate::auth::Door;
use crate::config::TableConfig;
use crate::history::Histories;
use crate::house::House;
use crate::http::{
    App, Bell, Carrying, ClosedTables, Crowd, Floor, Guard, Limits, Lobby, find_closed, keep_lobby,
};
use crate::log::{HouseEntry, now};
use crate::node::Node;
use crate::office::lock;
use crate::pricing::Pricing;
use crate::problem::Problem;
use crate::reports::Expectations;
use crate::role::Role;
use crate::shelf::Shelf;
use crate::store::Store;

/// A server that runs.
pub struct Running {
    /// What its doors open onto.
    pub app: Arc<App>,
    /// The secret of the one-time link, where nobody has an account yet.
    pub link: Option<String>,
    anchoring: Option<Anchoring>,
    stopping: watch::Sender<bool>,
    chores: Mutex<Vec<JoinHandle<()>>>,
    keeping: Mutex<Option<JoinHandle<()>>>,
}

impl Running {
    /// Opens the house.
    pub async fn open(
        store: Arc<dyn Store>,
        node: Option<Arc<Node>>,
        shelf: Arc<Shelf>,
        limits: Limits,
        secure_cookies: bool,
        anchoring: Option<Anchoring>,
    ) -> Result<Running, Problem> {
        store.forget_sessions(now()).await?;
        let link = node.as_ref().map(|node| Arc::clone(node.link()));
        let house = House::open_with(store, shelf, limits.practice, link).await?;
        house.deal_by(limits.procedures);
        let version = env!("CARGO_PKG_VERSION").to_owned();
        house.write_down("boxman", HouseEntry::Started { version }).await?;
        open_practice(&house).await?;
        let door = Arc::new(Door::new(Arc::clone(&house)));
        let link = door.one_time_link().await?;
        let (stopping, stops) = watch::channel(false);
        let app = Arc::new(App {
            house: Arc::clone(&house),
            node: node.clone(),
            door: Arc::clone(&door),
            guard: Guard::new(limits),
            expectations: Expectations::default(),
            pricing: Pricing::default(),
            histories: Histories::default(),
            carrying: Carrying::default(),
            metrics: recorder(),
            secure_cookies,
            stopping: stops,
            floor: Floor::default(),
            lobby: Lobby::default(),
            bell: Bell::default(),
            closed: ClosedTables::default(),
            crowd: Crowd::new(&limits),
            sockets: AtomicU64::new(1),
        });
        let mut chores = vec![
            tokio::spawn(chores_of(Arc::clone(&app))),
            tokio::spawn(keep_lobby(Arc::clone(&app))),
            tokio::spawn(look_through(Arc::clone(&app))),
        ];
        let anchors = anchoring.clone();
        chores.extend(anchors.map(|anchoring| tokio::spawn(keep(Arc::clone(&house), anchoring))));
        let keeping = node.map(|node| tokio::spawn(node.keep(house, door)));
        let (chores, keeping) = (Mutex::new(chores), Mutex::new(keeping));
        Ok(Running { app, link, anchoring, stopping, chores, keeping })
    }

    /// Has the others take the tables, where there are others, and then sends everybody away.
    pub async fn drain(&self) {
        // Others have the tables before anybody here is sent away.
        if let Some(node) = &self.app.node {
            node.drain(&self.app.house).await;
        }
        let _ = self.stopping.send(true);
    }

    /// Ends what has been begun, and writes down what is left.
    pub async fn close(&self) {
        // Nothing is written after the last anchor.
        let chores = std::mem::take(&mut *lock(&self.chores));
        for task in chores {
            task.abort();
            let _ = task.await;
        }
        let App { house, node, .. } = &*self.app;
        house.stop().await;
        let keeping = lock(&self.keeping).take();
        if let Some(task) = keeping {
            task.abort();
            let _ = task.await;
        }
        if let Some(Anchoring { file, .. }) = &self.anchoring {
            anchors::write(house, file).await;
        }
        if let Some(node) = node {
            node.leave().await;
        }
        house.close().await;
    }
}

/// Looks at every log once; what is wrong is known to the house then.
async fn look_through(app: Arc<App>) {
    Arc::clone(&app.house).look_through().await;
    // Then nobody waits for the list of those that are closed, however many there are.
    find_closed(&app).await;
}

/// A first start opens a table, so that one command is enough to play.
async fn open_practice(house: &Arc<House>) -> Result<(), Problem> {
    let boxman = Person {
        id: "boxman".to_owned(),
        name: "Boxman".to_owned(),
        roles: vec![Role::Supervisor],
    };
    match house.open_first_table(&boxman, TableConfig::practice()).await {
        // It is there, and another node has it by now.
        Err(problem) if problem.code == Problem::moved().code => Ok(()),
        opened => opened,
    }
}

async fn chores_of(app: Arc<App>) {
    let mut minute = tokio::time::interval(Duration::from_secs(60));
    loop {
        minute.tick().await;
        app.guard.forget();
        // Figures are counted together, also where nobody ever asks for them.
        app.metrics.run_upkeep();
        app.house.practice.forget_addresses();
        if let Err(error) = app.house.store.forget_sessions(now()).await {
            tracing::warn!(%error, "old sessions were not forgotten");
        }
    }
}

/// One recorder serves the whole process, however many servers a test starts in it.
fn recorder() -> PrometheusHandle {
    static RECORDER: std::sync::OnceLock<PrometheusHandle> = std::sync::OnceLock::new();
    let install = || {
        let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
        let builder = PrometheusBuilder::new();
        let matcher = Matcher::Suffix("_seconds".to_owned());
        let builder = match builder.set_buckets_for_metric(matcher, &seconds) {
            Ok(builder) => builder,
            Err(_) => PrometheusBuilder::new(),
        };
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        // Another recorder may be there already; then these figures stay empty.
        let _ = metrics::set_global_recorder(recorder);
        handle
    };
    RECORDER.get_or_init(install).clone()
}
