//! Group commit: many commands from many tables, one transaction, one wait for the disk. Where a
//! store takes several at once, each pit has its lane, and none waits for another's.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::log::{Record, Stream};
use crate::pit::Pit;
use crate::store::{Batch, Fence, Store, StoreError, Stored};

/// The most batches in one transaction.
const BATCH: usize = 2_000;

/// Takes records from every room and makes them durable together.
#[derive(Clone)]
pub struct Writer {
    lanes: Vec<mpsc::Sender<Job>>,
}

struct Job {
    batch: Batch,
    done: oneshot::Sender<Stored<()>>,
}

impl Writer {
    /// Starts writing to `store`. The task ends when the last writer is dropped.
    pub fn start(store: &Arc<dyn Store>) -> (Writer, JoinHandle<()>) {
        let (lanes, inboxes): (Vec<_>, Vec<_>) =
            (0..store.lanes()).map(|_| mpsc::channel(4_096)).unzip();
        let store = Arc::clone(store);
        let writing = async move {
            let lanes = inboxes.into_iter().map(|inbox| write(Arc::clone(&store), inbox));
            let mut lanes: tokio::task::JoinSet<()> = lanes.collect();
            while lanes.join_next().await.is_some() {}
        };
        (Writer { lanes }, tokio::spawn(writing))
    }

    /// Writes records by somebody's right and comes back when they are durable, or when it is
    /// unknown whether they are: then only reading the log again tells.
    pub async fn append_by(&self, records: Vec<Record>, fence: Fence) -> Stored<()> {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Down("the server is shutting down".to_owned());
        let owned = records.iter().find(|record| record.stream != Stream::House);
        // Others write to the house's log too, and whoever was overtaken holds up nobody else.
        let house = self.lanes.len() - 1;
        let lane = owned.map_or(house, |record| Pit::of(&record.stream).index() % house.max(1));
        let lane = &self.lanes[lane];
        let job = Job { batch: Batch { records, fence }, done };
        lane.send(job).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

async fn write(store: Arc<dyn Store>, mut inbox: mpsc::Receiver<Job>) {
    let mut jobs = Vec::new();
    // Whatever has gathered while the last transaction was on its way goes into the next.
    while inbox.recv_many(&mut jobs, BATCH).await > 0 {
        let started = std::time::Instant::now();
        let (batches, waiting): (Vec<Batch>, Vec<_>) =
            jobs.drain(..).map(|job| (job.batch, job.done)).unzip();
        let records: usize = batches.iter().map(|batch| batch.records.len()).sum();
        let answers = store.append_batches(&batches).await;
        metrics::histogram!("boxman_commit_seconds").record(started.elapsed());
        metrics::histogram!("boxman_commit_records").record(records as u32);
        // Whoever was overtaken looks again, and whoever lost a pit knows what to do.
        let fails = |error: &&StoreError| !matches!(error, StoreError::Conflict | StoreError::Lost);
        let failed = answers.iter().filter_map(|answer| answer.as_ref().err()).find(fails);
        if let Some(error) = failed {
            metrics::counter!("boxman_commit_failures_total").increment(1);
            tracing::error!(%error, records, "a commit failed");
        }
        for (done, answer) in waiting.into_iter().zip(answers) {
            // A room that is gone needs no answer.
            let _ = done.send(answer);
        }
    }
}
