//! The people who watch a table. Each has a short queue; one who does not empty it is let go,
//! and nobody waits for anybody. Strangers get everything in a form of their own, which is
//! written out only while some of them watch.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::catch_up::Past;
use crate::access::{Person, Sight};
use crate::problem::Problem;
use crate::table::Owners;
use crate::wire::{Frame, FromServer, Shown};

/// Somebody on a socket.
#[derive(Clone, Debug)]
pub struct Client {
    /// The connection.
    pub id: u64,
    /// Who it is, where they are logged in.
    pub person: Option<Arc<Person>>,
    /// Frames on their way out.
    pub frames: mpsc::Sender<Frame>,
}

/// Where a command's answer goes.
#[derive(Debug)]
pub enum Reply {
    /// To a socket.
    Socket(mpsc::Sender<Frame>, String),
    /// To whoever waits for it.
    Once(oneshot::Sender<Result<u64, Problem>>),
}

impl Reply {
    /// An answer that somebody waits for.
    pub fn once() -> (Reply, oneshot::Receiver<Result<u64, Problem>>) {
        let (reply, answer) = oneshot::channel();
        (Reply::Once(reply), answer)
    }

    /// Answers: the number of the record, or why not.
    pub fn send(self, answer: Result<u64, Problem>) {
        match self {
            Reply::Socket(frames, id) => {
                let answer = match answer {
                    Ok(seq) => FromServer::Ack { id, seq },
                    Err(problem) => FromServer::Refused { id, problem },
                };
                // Somebody who does not read has no use for an answer.
                let _ = frames.try_send(Frame::of(&answer));
            }
            Reply::Once(reply) => drop(reply.send(answer)),
        }
    }
}

/// A frame in the form of each sight. The table's is written out at once, while what it says is
/// at hand; the strangers' once one of them is there to read it.
pub(super) struct Forms {
    table: Frame,
    stranger: FromServer,
    written: Option<Frame>,
}

impl Forms {
    pub(super) fn of(whole: FromServer) -> Forms {
        Forms { table: Frame::of(&whole), stranger: whole.to_strangers(), written: None }
    }

    pub(super) fn get(&mut self, sight: Sight) -> Frame {
        let Forms { table, stranger, written } = self;
        match sight {
            Sight::Table => table.clone(),
            Sight::Stranger => written.get_or_insert_with(|| Frame::of(stranger)).clone(),
        }
    }
}

/// Somebody who watches.
struct Watcher {
    client: Client,
    sight: Sight,
    /// Whether they have to be shown the table anew before they hear anything else.
    anew: bool,
}

/// Everybody who watches, and what they may have missed.
pub(super) struct Clients {
    practice: bool,
    owners: Owners,
    watching: Vec<Watcher>,
    past: Past,
}

impl Clients {
    pub(super) fn new(practice: bool, owners: Owners) -> Clients {
        Clients { practice, owners, watching: Vec::new(), past: Past::default() }
    }

    /// How much of the table somebody sees, as of the last record that was published.
    fn sight(&self, who: Option<&Person>) -> Sight {
        let seated = |who: &Person| self.owners.values().any(|owner| *owner == who.id);
        Sight::of(who, self.practice, who.is_some_and(seated))
    }

    /// Takes somebody in. Those who have gone since the last one came are forgotten.
    pub(super) fn join(&mut self, client: Client) {
        self.watching.retain(|watcher| !watcher.client.frames.is_closed());
        let sight = self.sight(client.person.as_deref());
        self.watching.push(Watcher { client, sight, anew: false });
    }

    /// Whether somebody has a connection.
    pub(super) fn has(&self, person: &str) -> bool {
        let is = |watcher: &Watcher| {
            watcher.client.person.as_ref().is_some_and(|known| known.id == person)
                && !watcher.client.frames.is_closed()
        };
        self.watching.iter().any(is)
    }

    /// How many look on: people and not connections, without those who play and the crew.
    pub(super) fn looking_on(&self, owners: &Owners) -> usize {
        let is_at_work =
            |person: &Person| person.is_crew() || owners.values().any(|owner| *owner == person.id);
        let (mut known, mut strangers) = (BTreeSet::new(), 0);
        for watcher in self.watching.iter().filter(|one| !one.client.frames.is_closed()) {
            match watcher.client.person.as_deref() {
                Some(person) if is_at_work(person) => {}
                Some(person) => drop(known.insert(person.id.as_str())),
                None => strangers += 1,
            }
        }
        known.len() + strangers
    }

    /// Whether a connection is one of the crew's who deals here: with a seat of their own they are
    /// players.
    pub(super) fn is_crew(&self, id: u64, owners: &Owners) -> bool {
        let mut watching = self.watching.iter();
        let known = watching.find(|watcher| watcher.client.id == id);
        known.is_some_and(|watcher| self.deals(watcher, owners))
    }

    /// Whether any of the crew is there.
    pub(super) fn has_crew(&self, owners: &Owners) -> bool {
        self.watching.iter().any(|watcher| self.deals(watcher, owners))
    }

    fn deals(&self, watcher: &Watcher, owners: &Owners) -> bool {
        let plays = |person: &Person| owners.values().any(|owner| *owner == person.id);
        let person = watcher.client.person.as_deref();
        person.is_some_and(|person| person.is_crew() && (self.practice || !plays(person)))
    }

    /// Tells the crew something that nobody else hears.
    pub(super) fn tell_crew(&mut self, owners: &Owners, news: &FromServer) {
        let frame = Frame::of(news);
        let deals: Vec<bool> =
            self.watching.iter().map(|watcher| self.deals(watcher, owners)).collect();
        let mut deals = deals.into_iter();
        self.watching.retain(|watcher| {
            let told = deals.next() == Some(true);
            !told || watcher.anew || watcher.client.frames.try_send(frame.clone()).is_ok()
        });
    }

    /// Whether anybody has.
    pub(super) fn has_anybody(&self) -> bool {
        self.watching.iter().any(|watcher| !watcher.client.frames.is_closed())
    }

    /// Sends everybody an update and keeps it for those who come back. Where it had people sit
    /// down or leave, they see more or less from the next record on.
    pub(super) fn publish(&mut self, seq: u64, mut forms: Forms, owners: Option<Owners>) {
        self.send(&mut forms);
        let strangers = self.watching.iter().any(|watcher| watcher.sight == Sight::Stranger);
        self.past.keep(seq, forms, strangers);
        if let Some(owners) = owners {
            self.reseat(seq, owners);
        }
    }

    fn reseat(&mut self, seq: u64, owners: Owners) {
        if self.practice {
            return;
        }
        let before = std::mem::replace(&mut self.owners, owners);
        let was = |seat: &u8, owner: &String| before.get(seat) == Some(owner);
        let is = |seat: &u8, owner: &String| self.owners.get(seat) == Some(owner);
        let sat = self.owners.iter().filter(|(seat, owner)| !was(seat, owner));
        let left = before.iter().filter(|(seat, owner)| !is(seat, owner));
        self.past.moved(seq, sat.chain(left).map(|(_, owner)| owner.clone()));
        let sights: Vec<Sight> = self
            .watching
            .iter()
            .map(|watcher| self.sight(watcher.client.person.as_deref()))
            .collect();
        for (watcher, sight) in self.watching.iter_mut().zip(sights) {
            watcher.anew |= watcher.sight != sight;
            watcher.sight = sight;
        }
    }

    /// Shows the table anew to those who see more or less of it than before.
    pub(super) fn show_anew(&mut self, snapshot: impl FnOnce() -> FromServer) {
        if !self.watching.iter().any(|watcher| watcher.anew) {
            return;
        }
        let mut forms = Forms::of(snapshot());
        self.watching.retain_mut(|watcher| {
            let anew = std::mem::take(&mut watcher.anew);
            !anew || watcher.client.frames.try_send(forms.get(watcher.sight)).is_ok()
        });
    }

    /// Sends everybody a frame that is no record.
    pub(super) fn announce(&mut self, news: FromServer) {
        self.send(&mut Forms::of(news));
    }

    /// After a gap nobody knows: what was told before is of no use to those who come back.
    pub(super) fn forget(&mut self, seq: u64, owners: Owners) {
        self.past.forget();
        self.reseat(seq, owners);
        // They are told when the table plays on.
        self.watching.iter_mut().for_each(|watcher| watcher.anew = false);
    }

    fn send(&mut self, forms: &mut Forms) {
        let before = self.watching.len();
        self.watching.retain(|watcher| {
            watcher.anew || watcher.client.frames.try_send(forms.get(watcher.sight)).is_ok()
        });
        let dropped = before - self.watching.len();
        if dropped > 0 {
            metrics::counter!("boxman_slow_clients_total").increment(dropped as u64);
        }
    }

    /// Tells somebody something, as far as they may see it.
    pub(super) fn tell(&mut self, id: u64, news: &mut Forms) {
        self.tell_all(id, |sight| std::iter::once(news.get(sight)));
    }

    /// Sends somebody frames, each as they see it.
    pub(super) fn tell_all<I: Iterator<Item = Frame>>(
        &mut self,
        id: u64,
        frames: impl FnOnce(Sight) -> I,
    ) {
        let place = self.watching.iter().position(|watcher| watcher.client.id == id);
        let Some(place) = place else { return };
        let watcher = &self.watching[place];
        if !frames(watcher.sight).all(|frame| watcher.client.frames.try_send(frame).is_ok()) {
            self.watching.swap_remove(place);
        }
    }

    /// What somebody has missed, where it is all kept and they saw the table then as they do now.
    pub(super) fn missed(&self, id: u64, after: u64, head: u64) -> Option<Vec<Frame>> {
        let watcher = self.watching.iter().find(|watcher| watcher.client.id == id)?;
        self.past.missed(watcher.client.person.as_deref(), watcher.sight, after, head)
    }
}
