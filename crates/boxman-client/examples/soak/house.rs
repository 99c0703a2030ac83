//! The house as the soak knows it: where the server is and whether it should answer, who works
//! and plays there, which tables are open, and everything that was found wrong.

use std::collections::{BTreeMap, HashMap};
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use boxman_client::{Answer, Client, Fallible, Value};
use tokio::sync::watch;

use crate::acks::Acks;
use crate::people::Person;

/// Whoever waits longer than this for an answer of a server that is up has found a fault.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);
/// So many faults of a kind are told in words; all are counted.
const TOLD: u64 = 3;

/// Locks, whatever became of the last one who did.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Everything the parts of the soak share.
pub(crate) struct House {
    pub(crate) seed: u64,
    pub(crate) started: Instant,
    open: watch::Sender<Option<Open>>,
    over: watch::Sender<bool>,
    mood: watch::Sender<Mood>,
    flood: watch::Sender<bool>,
    pub(crate) acks: Acks,
    /// Everybody by the name the server knows them by; guests while they are there.
    pub(crate) people: Mutex<HashMap<String, Arc<Person>>>,
    /// The tables people go to.
    pub(crate) tables: Mutex<Vec<String>>,
    /// Every table there ever was.
    pub(crate) opened: Mutex<Vec<String>>,
    /// The tables nobody but a drill touches.
    pub(crate) drills: Mutex<Vec<String>>,
    /// What the API knows: configuration fields and commands.
    pub(crate) knows: Mutex<Vec<String>>,
    /// How many of each kind, by their first words.
    faults: Mutex<BTreeMap<String, u64>>,
    codes: Mutex<BTreeMap<String, u64>>,
    counts: Mutex<BTreeMap<&'static str, u64>>,
    ids: AtomicU64,
}

/// What goes on, for those who measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    /// The server is killed and restarted; nothing is measured.
    Restless,
    /// The crowd plays.
    Quiet,
    /// The flood comes or goes; nothing is measured.
    Turning,
    /// The crowd plays, and hostile sockets ask for as much as they may.
    Attacked,
}

/// A server that should answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) address: String,
    /// How often it was started.
    pub(crate) life: u64,
}

impl House {
    pub(crate) fn new(seed: u64) -> House {
        House {
            seed,
            started: Instant::now(),
            open: watch::Sender::new(None),
            over: watch::Sender::new(false),
            mood: watch::Sender::new(Mood::Restless),
            flood: watch::Sender::new(false),
            acks: Acks::default(),
            people: Mutex::default(),
            tables: Mutex::default(),
            opened: Mutex::default(),
            drills: Mutex::default(),
            knows: Mutex::default(),
            faults: Mutex::default(),
            codes: Mutex::default(),
            counts: Mutex::default(),
            ids: AtomicU64::new(1),
        }
    }

    /// The server is there; or, before it is stopped or killed, it is not.
    pub(crate) fn set_open(&self, address: Option<&str>) {
        let life = self.count("starts");
        let open = address.map(|address| Open { address: address.to_owned(), life });
        self.open.send_replace(open);
    }

    /// Waits until the server should answer; nothing once the soak is over.
    pub(crate) async fn open(&self) -> Option<Open> {
        let mut watch = self.open.subscribe();
        tokio::select! {
            open = watch.wait_for(Option::is_some) => open.ok()?.clone(),
            () = self.over() => None,
        }
    }

    /// Whether the server is still the one it was, and should have answered.
    pub(crate) fn still(&self, open: &Open) -> bool {
        self.open.borrow().as_ref() == Some(open)
    }

    pub(crate) fn mood(&self) -> Mood {
        *self.mood.borrow()
    }

    pub(crate) fn set_mood(&self, mood: Mood) {
        self.mood.send_replace(mood);
    }

    /// Lets the hostile sockets come, or sends them away.
    pub(crate) fn set_flood(&self, flood: bool) {
        self.flood.send_replace(flood);
    }

    /// Waits until they may come, or have to go; also once the soak is over.
    pub(crate) async fn flood(&self, comes: bool) {
        let mut flood = self.flood.subscribe();
        tokio::select! {
            _ = flood.wait_for(|flood| *flood == comes) => {}
            () = self.over() => {}
        }
    }

    /// Sends everybody home.
    pub(crate) fn end(&self) {
        self.over.send_replace(true);
    }

    /// Everybody has gone; what is left is to count.
    pub(crate) fn reopen(&self) {
        self.over.send_replace(false);
    }

    pub(crate) fn is_over(&self) -> bool {
        *self.over.borrow()
    }

    pub(crate) async fn over(&self) {
        let mut over = self.over.subscribe();
        let _ = over.wait_for(|over| *over).await;
    }

    /// Sleeps; says whether there is still something to do.
    pub(crate) async fn rest(&self, time: Duration) -> bool {
        tokio::select! {
            () = tokio::time::sleep(time) => true,
            () = self.over() => false,
        }
    }

    /// A command id nobody has used.
    pub(crate) fn fresh_id(&self) -> String {
        format!("s-{}", self.ids.fetch_add(1, Ordering::Relaxed))
    }

    /// Something is wrong, and the soak fails.
    pub(crate) fn fault(&self, what: impl Into<String>) {
        let what = what.into();
        // Names and numbers differ where the fault is the same.
        let words = what.split_whitespace().filter(|word| !word.contains(|c: char| c.is_numeric()));
        let kind = words.take(6).collect::<Vec<_>>().join(" ");
        let mut faults = lock(&self.faults);
        let count = faults.entry(kind).or_default();
        *count += 1;
        if *count <= TOLD {
            println!("[{}] FAULT {what}", self.clock());
        }
    }

    /// How many faults of each kind there were.
    pub(crate) fn faults(&self) -> BTreeMap<String, u64> {
        lock(&self.faults).clone()
    }

    pub(crate) fn fault_count(&self) -> u64 {
        lock(&self.faults).values().sum()
    }

    /// Minutes and seconds since the start.
    pub(crate) fn clock(&self) -> String {
        let seconds = self.started.elapsed().as_secs();
        format!("{:02}:{:02}", seconds / 60, seconds % 60)
    }

    pub(crate) fn tick(&self, what: &'static str) {
        *lock(&self.counts).entry(what).or_default() += 1;
    }

    /// Keeps the most of something.
    pub(crate) fn longest(&self, what: &'static str, most: u64) {
        let mut counts = lock(&self.counts);
        let kept = counts.entry(what).or_default();
        *kept = most.max(*kept);
    }

    pub(crate) fn counts(&self) -> BTreeMap<&'static str, u64> {
        lock(&self.counts).clone()
    }

    pub(crate) fn count(&self, what: &str) -> u64 {
        lock(&self.counts).get(what).copied().unwrap_or(0)
    }

    /// A command was answered with this code.
    pub(crate) fn code(&self, code: &str) {
        *lock(&self.codes).entry(code.to_owned()).or_default() += 1;
    }

    pub(crate) fn codes(&self) -> Vec<(String, u64)> {
        let mut codes: Vec<_> = lock(&self.codes).clone().into_iter().collect();
        codes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        codes
    }

    pub(crate) fn knows(&self, what: &str) -> bool {
        lock(&self.knows).iter().any(|known| known == what)
    }

    /// Somebody, as a client.
    pub(crate) async fn client(&self, person: &Person) -> Option<(Open, Client)> {
        let open = self.open().await?;
        let client = Client {
            address: open.address.clone(),
            token: lock(&person.token).clone(),
            from: Some(person.from),
        };
        Some((open, client))
    }

    /// A request that is made again where the server is restarted, or wants us to wait. Nothing
    /// once the soak is over.
    pub(crate) async fn get(&self, person: &Person, path: &str) -> Option<Answer> {
        loop {
            let (open, client) = self.client(person).await?;
            match self.timely(&open, path, client.get(path)).await {
                Some(answer) if self.must_wait(&answer) => {}
                Some(answer) => return Some(answer),
                None => {}
            }
            if !self.rest(Duration::from_millis(200)).await {
                return None;
            }
        }
    }

    /// Too much at once, or on its way down: no answer, and no fault.
    pub(crate) fn must_wait(&self, answer: &Answer) -> bool {
        answer.status == 429 || matches!(answer.code(), "busy" | "shutting-down")
    }

    /// What came of a request. None where there is no answer; that is a fault where the server
    /// was up all the time. So is an answer that says the server failed.
    pub(crate) async fn timely<T: Spoken>(
        &self,
        open: &Open,
        what: &str,
        asked: impl Future<Output = Fallible<T>>,
    ) -> Option<T> {
        match tokio::time::timeout(PATIENCE, asked).await {
            Ok(Ok(answer)) => {
                if let Some(trouble) = answer.trouble() {
                    self.fault(format!("{what}: {trouble}"));
                }
                Some(answer)
            }
            Ok(Err(error)) => {
                // The orchestrator may be about to say that it killed it.
                if self.still(open) && !self.is_over() {
                    self.fault(format!("{what}: {error}"));
                }
                None
            }
            Err(_) => {
                if self.still(open) && !self.is_over() {
                    self.fault(format!("{what}: no answer in {} s", PATIENCE.as_secs()));
                }
                None
            }
        }
    }
}

/// An answer that can say that the server failed.
pub(crate) trait Spoken {
    fn trouble(&self) -> Option<String>;
}

impl Spoken for Answer {
    fn trouble(&self) -> Option<String> {
        trouble(u64::from(self.status), self.code(), &self.text)
    }
}

impl Spoken for Value {
    fn trouble(&self) -> Option<String> {
        let problem = &self["problem"];
        let code = problem["code"].as_str().unwrap_or_default();
        trouble(problem["status"].as_u64().unwrap_or(200), code, &problem.to_string())
    }
}

impl Spoken for () {
    fn trouble(&self) -> Option<String> {
        None
    }
}

fn trouble(status: u64, code: &str, text: &str) -> Option<String> {
    let expected = matches!(code, "busy" | "shutting-down" | "claim-unanswered");
    (status >= 500 && !expected).then(|| text.chars().take(300).collect())
}

/// An address on this machine: everybody has one of their own, as in a house with many guests.
pub(crate) fn address(group: u8, number: u8) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, group, number)
}
