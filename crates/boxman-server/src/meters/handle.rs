//! How the rest of the server talks to a meter, and what it answers.

use std::sync::Arc;
use std::time::Duration;

use craps::MeterTerms;
use tokio::sync::{mpsc, oneshot, watch};

use crate::access::Person;
use crate::id::{MeterId, TableId};
use crate::log::{FixedAward, KeptMeter, Letter, MeterProposal, Transfer};
use crate::problem::Problem;
use crate::wire::MeterView;

/// What a meter's task is told.
pub enum MeterMessage {
    /// A table has something to say.
    Letter {
        /// The table.
        table: TableId,
        /// What it says.
        letter: Letter,
        /// Where to answer.
        table_hears: mpsc::UnboundedSender<News>,
    },
    /// A table wants to hear what it owes and on which terms it runs, whenever that changes.
    Hello {
        /// The table.
        table: TableId,
        /// Where to say so.
        table_hears: mpsc::UnboundedSender<News>,
    },
    /// Somebody asks for something that takes two people.
    Propose {
        /// Who.
        who: Arc<Person>,
        /// What.
        proposal: MeterProposal,
        /// Where to answer: the record's number.
        reply: oneshot::Sender<Result<u64, Problem>>,
    },
    /// Somebody agrees.
    Approve {
        /// Who.
        who: Arc<Person>,
        /// The record that asked.
        proposal: u64,
        /// Where to answer: the record's number.
        reply: oneshot::Sender<Result<u64, Problem>>,
    },
    /// Somebody withdraws.
    Withdraw {
        /// Who.
        who: Arc<Person>,
        /// The record that asked.
        proposal: u64,
        /// Why, where they say.
        reason: Option<String>,
        /// Where to answer: the record's number.
        reply: oneshot::Sender<Result<u64, Problem>>,
    },
    /// Players' money comes from another meter.
    TakeMoneyIn {
        /// The money.
        transfer: Transfer,
        /// Where to answer, once that is durable.
        reply: oneshot::Sender<Result<(), Problem>>,
    },
    /// Another meter has taken in the money that left by this record.
    MoneyArrived(u64),
    /// Its log turned out to be damaged.
    Damaged(String),
    /// The state, for whoever wants to check it.
    Look(oneshot::Sender<KeptMeter>),
    /// Finish what is under way and stop.
    Stop,
    /// Another node has it now.
    Lost,
}

/// What a meter tells the tables that feed it.
pub enum News {
    /// It has heard everything up to this record.
    Heard {
        /// The meter.
        meter: MeterId,
        /// The record.
        through: u64,
    },
    /// It has answered a claim.
    Award(FixedAward),
    /// It was reset and may run on other terms.
    Terms {
        /// The meter.
        meter: MeterId,
        /// Its terms.
        terms: MeterTerms,
    },
}

/// A way to talk to a meter.
#[derive(Clone)]
pub struct MeterHandle {
    pub(super) inbox: mpsc::Sender<MeterMessage>,
    /// What it shows, always the newest.
    pub view: watch::Receiver<MeterView>,
    /// Whether it answers.
    pub(super) reached: watch::Receiver<bool>,
    /// Whether another node runs it.
    pub(super) elsewhere: bool,
}

/// A way to stop a meter that does not keep it running: one that nobody finds any more ends.
pub(crate) struct StopMeter(mpsc::WeakSender<MeterMessage>);

impl StopMeter {
    /// Has it finish what is under way, where it still runs.
    pub(crate) async fn now(&self) {
        if let Some(inbox) = self.0.upgrade() {
            let _ = inbox.send(MeterMessage::Stop).await;
        }
    }
}

impl MeterHandle {
    /// How to stop it.
    pub(crate) fn stop(&self) -> StopMeter {
        StopMeter(self.inbox.downgrade())
    }

    /// Whether nobody listens any more.
    pub(crate) fn is_gone(&self) -> bool {
        self.inbox.is_closed()
    }

    /// Comes back when nobody does.
    pub(crate) async fn gone(&self) {
        self.inbox.closed().await;
    }

    /// Waits until it has answered, or for so long.
    pub(crate) async fn wait_for(&self, patience: Duration) {
        let mut reached = self.reached.clone();
        let _ = tokio::time::timeout(patience, reached.wait_for(|reached| *reached)).await;
    }

    /// Whether another node runs it.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.elsewhere
    }

    /// Whether it can be reached: one on another node may not be for a while.
    pub(crate) fn is_reached(&self) -> bool {
        *self.reached.borrow()
    }

    /// Tells it something, where it still listens.
    pub async fn send(&self, message: MeterMessage) {
        // A meter that has stopped hears no more; its tables tell it again when it is back.
        let _ = self.inbox.send(message).await;
    }

    /// Tells it something that is told again in a second: nobody waits for one on another node
    /// that takes nothing in.
    pub(crate) async fn post(&self, message: MeterMessage) {
        match self.elsewhere {
            true => drop(self.inbox.try_send(message)),
            false => self.send(message).await,
        }
    }

    /// Tells it something that no answer is waited for.
    pub(crate) fn tell(&self, message: MeterMessage) {
        let inbox = self.inbox.clone();
        tokio::spawn(async move { inbox.send(message).await.is_ok() });
    }

    /// Asks it something that is answered.
    pub async fn ask<T>(
        &self,
        message: impl FnOnce(oneshot::Sender<T>) -> MeterMessage,
    ) -> Result<T, Problem> {
        let (reply, answer) = oneshot::channel();
        self.send(message(reply)).await;
        let stopped = || match self.is_reached() {
            true => Problem::unavailable("shutting-down", "the server is shutting down"),
            false => Problem::unavailable("meter-silent", "the jackpot is out of reach, try again"),
        };
        answer.await.map_err(|_| stopped())
    }
}
