//! The world that nodes live in: a clock, chance, and letters on their way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use boxman_client::Random;
use tokio::sync::oneshot;

use crate::database::Database;
use crate::line::Answer;
use crate::run::Run;
use crate::weather::Weather;

/// Milliseconds since the world began.
pub(crate) type Moment = u64;

/// What happens when its time has come.
pub(crate) type Event = Box<dyn FnOnce(&mut Run) + Send>;

/// Everything that nodes share.
pub(crate) struct World {
    pub(crate) now: Moment,
    pub(crate) random: Random,
    pub(crate) database: Database,
    pub(crate) weather: Weather,
    /// What has happened, where somebody wants to read it.
    pub(crate) story: Option<Vec<String>>,
    /// Commands of which a copy arrived after whoever sent it had turned away.
    pub(crate) late: BTreeSet<String>,
    digest: u64,
    events: BTreeMap<(Moment, u64), Event>,
    numbered: u64,
    /// Who waits for an answer from whom, in the order they asked.
    waiting: BTreeMap<u64, (usize, oneshot::Sender<Answer>)>,
}

/// The world, as everybody in it holds it.
#[derive(Clone)]
pub(crate) struct Shared(Arc<Mutex<World>>);

impl Shared {
    pub(crate) fn new(world: World) -> Shared {
        Shared(Arc::new(Mutex::new(world)))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, World> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World {
    pub(crate) fn new(random: Random, database: Database) -> World {
        World {
            now: 0,
            random,
            database,
            weather: Weather::default(),
            story: None,
            late: BTreeSet::new(),
            digest: 0xcbf2_9ce4_8422_2325,
            events: BTreeMap::new(),
            numbered: 0,
            waiting: BTreeMap::new(),
        }
    }

    /// Has something happen after a while.
    pub(crate) fn after(&mut self, wait: u64, event: impl FnOnce(&mut Run) + Send + 'static) {
        let number = self.number();
        self.events.insert((self.now + wait, number), Box::new(event));
    }

    /// A number that nothing else has.
    pub(crate) fn number(&mut self) -> u64 {
        self.numbered += 1;
        self.numbered
    }

    /// Has something happen soon, in the order of numbers that were drawn before: what ends
    /// together ends in an order that nobody chose.
    pub(crate) fn soon(&mut self, number: u64, event: impl FnOnce(&mut Run) + Send + 'static) {
        self.events.insert((self.now + 1, number), Box::new(event));
    }

    /// Somebody waits for an answer from this place.
    pub(crate) fn wait(&mut self, place: usize, reply: oneshot::Sender<Answer>) -> u64 {
        let number = self.number();
        self.waiting.insert(number, (place, reply));
        number
    }

    /// Answers whoever has this number, where they were not cut off.
    pub(crate) fn answer(&mut self, number: u64, answer: Answer) {
        if let Some((_, reply)) = self.waiting.remove(&number) {
            let _ = reply.send(answer);
        }
    }

    /// Nobody at this place answers any more.
    pub(crate) fn cut_off(&mut self, place: usize) {
        self.waiting.retain(|_, (waits_for, _)| *waits_for != place);
    }

    /// What is due, in its order.
    pub(crate) fn due(&mut self) -> Option<Event> {
        let (at, _) = self.events.first_key_value()?.0;
        (*at <= self.now).then(|| self.events.pop_first().map(|(_, event)| event))?
    }

    /// Notes what happens: two runs of a seed are the same where all of this is.
    pub(crate) fn note(&mut self, what: &str) {
        for byte in self.now.to_le_bytes().iter().chain(what.as_bytes()) {
            self.digest = (self.digest ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        if let Some(story) = &mut self.story {
            story.push(format!("{:>7} ms  {what}", self.now));
        }
    }

    /// All that was noted, in a number.
    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }
}
