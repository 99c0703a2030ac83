//! A meter that another node runs, as the tables here see it: letters go there and are answered
//! once they are durable, and what it shows is asked for a few times a second.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request};
use craps::terms::Winners;
use craps::{Cents, MeterTerms, Rate};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use super::{MeterHandle, MeterMessage, News};
use crate::id::{MeterId, TableId};
use crate::link::{Link, Owner};
use crate::log::{KeptMeter, Letter, Stream, Transfer, Written};
use crate::pit::Pit;
use crate::problem::Problem;
use crate::wire::MeterView;

/// It is looked at this often.
const PACE: Duration = Duration::from_millis(250);
/// One that has not answered for so long is out of reach.
const SILENT: Duration = Duration::from_secs(2);
/// One that no table here feeds and nobody asks for is looked at for so long.
const UNWANTED: Duration = Duration::from_secs(10);
/// So long an answer may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// The most that an answer may hold.
const ANSWER: usize = 16 * 1_024 * 1_024;
/// So many letters go together.
const LETTERS: usize = 512;

/// The terms of a meter of which nothing is known yet.
const UNKNOWN: MeterTerms = MeterTerms {
    seed: Cents::ZERO,
    increment: Rate::ZERO,
    reserve: Rate::ZERO,
    ceiling: None,
    winners: Winners::Share,
};

/// What a meter is opened with, where it does not exist yet.
#[derive(Clone, Debug)]
pub struct Founding {
    /// The paytable it serves.
    pub paytable: String,
    /// Its terms.
    pub terms: MeterTerms,
    /// Whether it holds play money.
    pub practice: bool,
}

/// Letters on their way to another node.
#[derive(Serialize, Deserialize)]
pub struct Letters {
    /// Each with its table, as it is stored.
    pub letters: Vec<(TableId, String)>,
}

/// Up to where each table was heard, once that is durable.
#[derive(Serialize, Deserialize)]
pub struct HeardThrough {
    /// The tables.
    pub heard: Vec<(TableId, u64)>,
}

/// Players' money on its way to another node.
#[derive(Serialize, Deserialize)]
pub struct Money {
    /// As it is stored.
    pub transfer: String,
}

/// It is there, and that is durable.
#[derive(Serialize, Deserialize)]
pub struct Arrived {}

/// A meter that another node runs, or what is wrong with its log.
#[derive(Serialize, Deserialize)]
pub struct Shown {
    /// As it is stored.
    pub state: String,
    /// Why its log is not to be believed.
    pub damaged: Option<String>,
}

/// What founds a meter on another node: its first record, as it would be stored.
#[derive(Serialize, Deserialize)]
pub struct Found {
    /// A meter just opened.
    pub state: String,
}

/// The task that speaks for a meter elsewhere.
pub struct RemoteMeter {
    id: MeterId,
    link: Arc<Link>,
    founding: Option<Founding>,
    inbox: mpsc::Receiver<MeterMessage>,
    view: watch::Sender<MeterView>,
    reached: watch::Sender<bool>,
    answered: Option<Instant>,
    /// When somebody wanted something of it last.
    wanted: Instant,
    state: Option<KeptMeter>,
    tables: BTreeMap<TableId, mpsc::UnboundedSender<News>>,
}

impl RemoteMeter {
    /// Starts to speak for a meter.
    pub fn start(
        link: Arc<Link>,
        id: MeterId,
        founding: Option<Founding>,
    ) -> (MeterHandle, JoinHandle<()>) {
        let (sender, inbox) = mpsc::channel(1_024);
        // Until it answers nobody knows what it would pay.
        let blank = match &founding {
            Some(Founding { paytable, terms, practice }) => {
                KeptMeter::open(id.clone(), paytable, *terms, *practice)
            }
            None => KeptMeter::open(id.clone(), "", UNKNOWN, false),
        };
        let (view, seen) = watch::channel(MeterView::of(&blank).damaged());
        let (reached, reaches) = watch::channel(false);
        let meter = RemoteMeter {
            id,
            link,
            founding,
            inbox,
            view,
            reached,
            answered: None,
            wanted: Instant::now(),
            state: None,
            tables: BTreeMap::new(),
        };
        let handle = MeterHandle { inbox: sender, view: seen, reached: reaches, elsewhere: true };
        (handle, tokio::spawn(meter.run()))
    }

    async fn run(mut self) {
        let mut pace = tokio::time::interval(PACE);
        pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut batch = Vec::new();
        loop {
            tokio::select! {
                biased;
                _ = pace.tick() => {
                    // Whoever asks next finds it here.
                    if matches!(self.link.owner(self.pit()), Owner::Here) {
                        return;
                    }
                    self.tables.retain(|_, table| !table.is_closed());
                    if self.tables.is_empty() && self.wanted.elapsed() > UNWANTED {
                        return;
                    }
                    self.look().await;
                }
                count = self.inbox.recv_many(&mut batch, LETTERS) => {
                    if count == 0 || self.take(&mut batch).await {
                        return;
                    }
                }
            }
            let silent = self.answered.is_none_or(|last| last.elapsed() > SILENT);
            self.reached.send_if_modified(|reached| std::mem::replace(reached, !silent) == silent);
        }
    }

    fn pit(&self) -> Pit {
        Pit::of(&Stream::Meter(self.id.clone()))
    }

    /// Takes messages; says whether to stop.
    async fn take(&mut self, batch: &mut Vec<MeterMessage>) -> bool {
        self.wanted = Instant::now();
        let mut letters = Vec::new();
        for message in batch.drain(..) {
            match message {
                MeterMessage::Letter { table, letter, table_hears } => {
                    self.tables.insert(table, table_hears);
                    letters.push((table, letter));
                }
                MeterMessage::Hello { table, table_hears } => {
                    self.tables.insert(table, table_hears);
                    if let Some(state) = &self.state {
                        let (meter, terms) = (self.id.clone(), *state.meter.terms());
                        self.tell(table, News::Terms { meter, terms });
                    }
                }
                MeterMessage::Look(reply) => {
                    self.look().await;
                    if let Some(state) = &self.state {
                        let _ = reply.send(state.clone());
                    }
                }
                MeterMessage::TakeMoneyIn { transfer, reply } => {
                    let _ = reply.send(self.bring(&transfer).await);
                }
                MeterMessage::Propose { reply, .. }
                | MeterMessage::Approve { reply, .. }
                | MeterMessage::Withdraw { reply, .. } => drop(reply.send(Err(Problem::moved()))),
                // Its own node says so.
                MeterMessage::Damaged(_) | MeterMessage::MoneyArrived(_) => {}
                MeterMessage::Stop | MeterMessage::Lost => return true,
            }
        }
        if !letters.is_empty() {
            self.send(letters).await;
        }
        false
    }

    /// Sends letters, and has each table know up to where it was heard. What was not is sent again
    /// by its table in a second.
    async fn send(&mut self, letters: Vec<(TableId, Letter)>) {
        let letters = letters.iter().map(|(table, letter)| (*table, letter.text())).collect();
        let body = serde_json::to_vec(&Letters { letters }).expect("letters are plain data");
        let heard = self.ask::<HeardThrough>(Method::POST, "/letters", body).await;
        for (table, through) in heard.map(|heard| heard.heard).unwrap_or_default() {
            self.tell(table, News::Heard { meter: self.id.clone(), through });
        }
    }

    /// Brings it money of another meter.
    async fn bring(&mut self, transfer: &Transfer) -> Result<(), Problem> {
        let body = Money { transfer: transfer.text() };
        let body = serde_json::to_vec(&body).expect("money is plain data");
        let silent = || Problem::unavailable("meter-silent", "the jackpot is out of reach");
        let arrived = self.ask::<Arrived>(Method::POST, "/money", body).await;
        arrived.map(|Arrived {}| ()).ok_or_else(silent)
    }

    fn tell(&self, table: TableId, news: News) {
        if let Some(table) = self.tables.get(&table) {
            // A table that has stopped asks again when it is back.
            let _ = table.send(news);
        }
    }

    /// Looks at it: what it shows, what it owes and its terms.
    async fn look(&mut self) {
        let shown = match (&self.founding, &self.state) {
            (Some(Founding { paytable, terms, practice }), None) => {
                let state = KeptMeter::open(self.id.clone(), paytable, *terms, *practice).text();
                let body = serde_json::to_vec(&Found { state }).expect("a meter is plain data");
                self.ask::<Shown>(Method::POST, "", body).await
            }
            _ => self.ask::<Shown>(Method::GET, "", Vec::new()).await,
        };
        let Some(Shown { state, damaged }) = shown else { return };
        let Ok(state) = KeptMeter::read(&state) else { return };
        let view = MeterView::of(&state);
        let view = if damaged.is_some() { view.damaged() } else { view };
        self.view.send_if_modified(|before| {
            let changed = *before != view;
            *before = view;
            changed
        });
        let terms = *state.meter.terms();
        let other = self.state.as_ref().is_none_or(|before| *before.meter.terms() != terms);
        if other {
            for table in self.tables.keys() {
                self.tell(*table, News::Terms { meter: self.id.clone(), terms });
            }
        }
        for award in &state.unpaid {
            let fixed = state.fixed(award.clone());
            self.tell(TableId(award.claim.table), News::Award(fixed));
        }
        self.state = Some(state);
    }

    /// Asks the node that has it.
    async fn ask<T: for<'de> Deserialize<'de>>(
        &mut self,
        method: Method,
        what: &str,
        body: Vec<u8>,
    ) -> Option<T> {
        let Owner::There(node) = self.link.owner(self.pit()) else { return None };
        let address = format!("/node/meters/{}{what}", self.id);
        let request = Request::builder()
            .method(method)
            .uri(address)
            .header("host", "node")
            .header("content-type", "application/json")
            .body(Body::from(body))
            .ok()?;
        let asked = async {
            let answer = self.link.send(&node, request).await;
            let answer = answer.inspect_err(|error| {
                tracing::debug!(meter = %self.id, %error, "a meter does not answer");
            });
            let answer = answer.ok().filter(|answer| answer.status().is_success())?;
            axum::body::to_bytes(answer.into_body(), ANSWER).await.ok()
        };
        let bytes = timeout(PATIENCE, asked).await.ok()??;
        let answer = serde_json::from_slice(&bytes).ok()?;
        self.answered = Some(Instant::now());
        Some(answer)
    }
}
