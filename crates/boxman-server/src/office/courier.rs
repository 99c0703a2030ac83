//! Players' money on its way from one meter to another, also to one that another node runs. It is
//! brought again until it has arrived, and a meter takes each transfer in once.

use std::sync::{Arc, Mutex, Weak};

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::{Office, lock};
use crate::log::Sent;
use crate::meters::MeterMessage;
use crate::problem::Problem;

/// So many transfers wait; more are brought again later.
const WAITING: usize = 64;

/// Who brings the money, and where meters leave it.
pub(super) struct Courier {
    left_with: mpsc::Sender<Sent>,
    to_bring: Mutex<Option<mpsc::Receiver<Sent>>>,
    task: Mutex<Option<JoinHandle<()>>>,
}

impl Courier {
    pub(super) fn new() -> Courier {
        let (left_with, to_bring) = mpsc::channel(WAITING);
        Courier { left_with, to_bring: Mutex::new(Some(to_bring)), task: Mutex::default() }
    }

    /// Where a meter leaves its money.
    pub(super) fn sender(&self) -> mpsc::Sender<Sent> {
        self.left_with.clone()
    }

    /// Nothing is brought any more.
    pub(super) async fn stop(&self) {
        let task = lock(&self.task).take();
        if let Some(task) = task {
            task.abort();
            let _ = task.await;
        }
    }
}

impl Office {
    /// Begins to bring what meters leave.
    pub(crate) fn start_courier(self: &Arc<Office>) {
        let Some(to_bring) = lock(&self.courier.to_bring).take() else { return };
        let task = tokio::spawn(bring(Arc::downgrade(self), to_bring));
        *lock(&self.courier.task) = Some(task);
    }

    async fn deliver(&self, Sent { to, transfer }: Sent) -> Result<(), Problem> {
        let unknown = || Problem::not_found(format!("meter {to}"));
        let (from, record) = (transfer.from.clone(), transfer.record);
        let meter = self.open_meter(&to).await.ok_or_else(unknown)?;
        meter.ask(|reply| MeterMessage::TakeMoneyIn { transfer, reply }).await??;
        let sender = lock(&self.meters).get(&from).and_then(|slot| slot.get().cloned());
        sender.inspect(|sender| sender.tell(MeterMessage::MoneyArrived(record)));
        Ok(())
    }
}

async fn bring(office: Weak<Office>, mut to_bring: mpsc::Receiver<Sent>) {
    while let Some(sent) = to_bring.recv().await {
        let Some(office) = office.upgrade() else { return };
        let (to, from) = (sent.to.clone(), sent.transfer.from.clone());
        if let Err(problem) = office.deliver(sent).await {
            tracing::warn!(%from, %to, %problem, "players' money is still on its way");
        }
    }
}
