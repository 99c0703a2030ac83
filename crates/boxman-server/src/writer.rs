//! Group commit: many commands from many tables, one transaction, one wait for the disk.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::log::Record;
use crate::store::{Store, StoreError, Stored};

/// The most records in one transaction.
const BATCH: usize = 2_000;

/// Takes records from every room and makes them durable together.
#[derive(Clone)]
pub struct Writer {
    jobs: mpsc::Sender<Job>,
}

struct Job {
    records: Vec<Record>,
    done: oneshot::Sender<Stored<()>>,
}

impl Writer {
    /// Starts writing to `store`. The task ends when the last writer is dropped.
    pub fn start(store: Arc<dyn Store>) -> (Writer, JoinHandle<()>) {
        let (jobs, inbox) = mpsc::channel(4_096);
        (Writer { jobs }, tokio::spawn(write(store, inbox)))
    }

    /// Writes records and comes back when they are durable, or when it is unknown whether they
    /// are: then only reading the log again tells.
    pub async fn append(&self, records: Vec<Record>) -> Stored<()> {
        let (done, answer) = oneshot::channel();
        let gone = || StoreError::Down("the server is shutting down".to_owned());
        self.jobs.send(Job { records, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

async fn write(store: Arc<dyn Store>, mut inbox: mpsc::Receiver<Job>) {
    let mut jobs = Vec::new();
    // Whatever has gathered while the last transaction was on its way goes into the next.
    while inbox.recv_many(&mut jobs, BATCH).await > 0 {
        let started = std::time::Instant::now();
        let sizes: Vec<usize> = jobs.iter().map(|job| job.records.len()).collect();
        let all: Vec<Record> = jobs.iter_mut().flat_map(|job| job.records.drain(..)).collect();
        let written = store.append(&all).await;
        metrics::histogram!("boxman_commit_seconds").record(started.elapsed());
        metrics::histogram!("boxman_commit_records").record(all.len() as u32);
        if let Err(error) = &written {
            metrics::counter!("boxman_commit_failures_total").increment(1);
            tracing::error!(%error, records = all.len(), "a commit failed");
        }
        let mut rest = all.as_slice();
        for (job, size) in jobs.drain(..).zip(sizes) {
            let (own, others) = rest.split_at(size);
            rest = others;
            // Where somebody's record clashed, nobody else shall suffer for it.
            let answer = match &written {
                Err(StoreError::Conflict) => store.append(own).await,
                written => written.clone(),
            };
            // A room that is gone needs no answer.
            let _ = job.done.send(answer);
        }
    }
}
