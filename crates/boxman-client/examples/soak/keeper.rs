//! The keeper of the server: starts it, kills it, stops it, lets the flood in, looks how much
//! memory it takes, and has its logs verified.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use boxman_client::{Client, Fallible, Random, Server, Value};
use tokio::task::block_in_place;

use crate::house::{House, Mood, lock};
use crate::people::{self, Person, named};
use crate::pulse::Beat;
use crate::report::{Ending, Memory};
use crate::{acks, books, floor};

/// The first and the last of so many parts are restless.
const PARTS: u32 = 5;
/// It is quiet for at most this long, and then the flood lasts half as long.
const QUIET: Duration = Duration::from_secs(40);
/// The flood has come, or gone, after this long.
const TURN: Duration = Duration::from_secs(4);
/// A server that is asked to stop has done so by then.
const STOPPED: Duration = Duration::from_secs(15);
/// Logs that take longer to verify are verified at the end only.
const VERIFYING: Duration = Duration::from_secs(15);
/// Memory is looked at this often.
const LOOK: Duration = Duration::from_secs(15);

/// The server, its store and its log.
pub(crate) struct Keeper {
    house: Arc<House>,
    program: PathBuf,
    folder: PathBuf,
    server: Server,
    born: Instant,
    looked: Instant,
    memory: Vec<Memory>,
    /// How long the last verification took.
    verifying: Duration,
    random: Random,
}

impl Keeper {
    /// Starts a server on a new store.
    pub(crate) fn open(house: Arc<House>, program: PathBuf) -> Fallible<Keeper> {
        let folder = std::env::temp_dir().join(format!("boxman-soak-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let server = start(&program, &folder)?;
        let now = Instant::now();
        let random = Random::new(house.seed, 6_000);
        Ok(Keeper {
            house,
            program,
            folder,
            server,
            born: now,
            looked: now,
            memory: Vec::new(),
            verifying: Duration::ZERO,
            random,
        })
    }

    /// Where the store and the log are.
    pub(crate) fn place(&self) -> String {
        self.folder.display().to_string()
    }

    /// Makes every account, and lets everybody in.
    pub(crate) async fn hire(&mut self) -> Fallible<Vec<Arc<Person>>> {
        let link = self.server.link.clone().ok_or("the store is not new")?;
        let api = Client::anyone(&self.server.address).get("/api/openapi.json").await?.ok()?;
        *lock(&self.house.knows) = known(&api);
        let people = people::hire(&self.house, &self.server.address, &link).await?;
        self.house.tick("starts");
        self.house.set_open(Some(&self.server.address));
        named(&self.house, "checks").be_in(&self.house).await;
        Ok(people)
    }

    /// Runs the house for so long.
    pub(crate) async fn keep(&mut self, length: Duration) -> Fallible<()> {
        let part = length / PARTS;
        self.restless(self.house.started + part).await?;
        self.steady(self.house.started + length - part).await;
        self.restless(self.house.started + length).await
    }

    /// Kills and restarts every few seconds, the flood there or not.
    async fn restless(&mut self, until: Instant) -> Fallible<()> {
        self.house.set_mood(Mood::Restless);
        while Instant::now() < until {
            self.house.set_flood(self.random.chance(30));
            let pause = Duration::from_millis(self.random.between(3_000, 20_000));
            self.wait(pause.min(until.saturating_duration_since(Instant::now()))).await;
            self.restart().await?;
        }
        self.house.set_flood(false);
        Ok(())
    }

    /// The same server all the time, quiet and attacked in turns.
    async fn steady(&mut self, until: Instant) {
        let quiet = QUIET.min(until.saturating_duration_since(Instant::now()) / 3);
        let turns = [
            (Mood::Turning, false, TURN),
            (Mood::Quiet, false, quiet),
            (Mood::Turning, true, TURN),
            (Mood::Attacked, true, quiet / 2),
        ];
        for (mood, flood, time) in turns.into_iter().cycle() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            self.house.set_mood(mood);
            self.house.set_flood(flood);
            self.wait(time.min(left)).await;
            if mood == Mood::Turning {
                self.check_health().await;
            }
        }
        self.house.set_flood(false);
    }

    /// Waits, and looks at the memory meanwhile.
    async fn wait(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while Instant::now() < until {
            let step = until.saturating_duration_since(Instant::now()).min(Duration::from_secs(1));
            tokio::time::sleep(step).await;
            if self.looked.elapsed() >= LOOK {
                self.looked = Instant::now();
                self.look();
            }
        }
    }

    fn look(&mut self) {
        let (Some(kb), Some(descriptors)) = (self.server.memory_kb(), self.server.descriptors())
        else {
            return self.house.fault("the server is gone by itself");
        };
        let (at, age) = (self.house.started.elapsed(), self.born.elapsed());
        self.memory.push(Memory { at, age, kb, descriptors });
        if self.memory.len().is_multiple_of(4) {
            let faults = self.house.fault_count();
            println!(
                "[{}] {} commands, {} acknowledged, {} MB, {descriptors} descriptors, {faults} \
                 faults",
                self.house.clock(),
                self.house.count("commands"),
                self.house.acks.len(),
                kb / 1024,
            );
        }
    }

    /// Kills the server or asks it to stop, starts it again, and asks whether it remembers.
    async fn restart(&mut self) -> Fallible<()> {
        self.house.set_open(None);
        if self.random.chance(65) {
            block_in_place(|| self.server.kill());
            self.house.tick("kills");
        } else {
            let started = Instant::now();
            if !block_in_place(|| self.server.stop())? {
                self.house.fault("the server did not end well when asked to stop");
            }
            if started.elapsed() > STOPPED {
                let seconds = started.elapsed().as_secs();
                self.house.fault(format!("the server took {seconds} s to stop"));
            }
            self.house.tick("stops");
        }
        if self.random.chance(20) && self.verifying < VERIFYING {
            let started = Instant::now();
            match block_in_place(|| self.verify())? {
                Ok(_) => self.house.tick("verified"),
                Err(verdict) => self.house.fault(format!("after a restart: {verdict}")),
            }
            self.verifying = started.elapsed();
        }
        self.server = block_in_place(|| start(&self.program, &self.folder))?;
        self.born = Instant::now();
        self.house.tick("starts");
        self.house.set_open(Some(&self.server.address));
        let mut random = self.random.clone();
        acks::check(&self.house, &mut random).await;
        self.random = random;
        self.check_health().await;
        Ok(())
    }

    /// Rooms that are damaged are named in the lobby, in `/readyz` and in the figures.
    async fn check_health(&self) {
        for trouble in self.damaged().await {
            self.house.fault(trouble);
        }
    }

    async fn damaged(&self) -> Vec<String> {
        let mut found = Vec::new();
        let checks = named(&self.house, "checks");
        floor::look(&self.house).await;
        let Some(ready) = self.house.get(&checks, "/readyz").await else { return found };
        if ready.status != 200 || ready.text.contains("damaged") {
            found.push(format!("/readyz says {} {}", ready.status, ready.text.trim()));
        }
        let Some(figures) = self.house.get(&checks, "/metrics").await else { return found };
        let damaged = figures.text.lines().filter(|line| line.starts_with("boxman_tables_damaged"));
        found.extend(damaged.filter(|line| !line.ends_with(" 0")).map(str::to_owned));
        found
    }

    fn verify(&self) -> Fallible<Result<String, String>> {
        let store = self.folder.join("soak.db");
        let mut verify = Command::new(&self.program);
        verify.arg("verify").arg(store).arg("--anchor").arg(self.folder.join("anchor.json"));
        let output = verify.output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        let line = text.lines().find(|line| !line.is_empty()).unwrap_or_default().to_owned();
        Ok(if output.status.success() { Ok(line) } else { Err(text) })
    }

    /// Reads every log, stops the server and has its store verified.
    pub(crate) async fn close(mut self, beats: Vec<Beat>) -> Fallible<Ending> {
        self.house.reopen();
        books::walk(&self.house).await;
        let damaged = self.damaged().await;
        if !block_in_place(|| self.server.stop())? {
            self.house.fault("the server did not end well when asked to stop");
        }
        let verdict = block_in_place(|| self.verify())?;
        let log = std::fs::read(self.folder.join("server.log"))?;
        let log = String::from_utf8_lossy(&log);
        let lines = |word: &str| -> Vec<String> {
            log.lines().filter(|line| line.contains(word)).map(str::to_owned).collect()
        };
        let (panics, mut errors) = (lines("panicked"), lines("ERROR"));
        // Whoever is told `busy` or to ask again shows up there as well; the codes are counted.
        errors.retain(|line| !line.contains("tower_http::trace"));
        let fine = verdict.is_ok() && panics.is_empty() && self.house.fault_count() == 0;
        match fine {
            true => std::fs::remove_dir_all(&self.folder)?,
            false => println!("store and log are kept in {}", self.folder.display()),
        }
        Ok(Ending { beats, memory: self.memory, verdict, panics, errors, damaged })
    }
}

/// A server that writes its anchor every minute, for whoever verifies the store.
fn start(program: &Path, folder: &Path) -> Fallible<Server> {
    let (store, log) = (folder.join("soak.db"), folder.join("server.log"));
    let anchor = folder.join("anchor.json").display().to_string();
    let anchored = ["--anchor", &anchor, "--anchor-every", "1"];
    Server::start_logged(program, &store, &anchored, &log)
}

/// Every property and every command in the API's description of itself.
fn known(api: &Value) -> Vec<String> {
    let mut known = Vec::new();
    gather(api, &mut known);
    known
}

fn gather(value: &Value, known: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                if name == "properties" {
                    known.extend(value.as_object().into_iter().flat_map(|all| all.keys().cloned()));
                }
                gather(value, known);
            }
        }
        Value::Array(all) => all.iter().for_each(|value| gather(value, known)),
        Value::String(text) => known.push(text.clone()),
        _ => {}
    }
}
