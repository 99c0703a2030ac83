//! A PostgreSQL of our own, for tests and fault drills: started in a folder of its own, on a free
//! port of the loopback, with standbys where they are wanted, and stopped, killed, paused or
//! promoted as the drill goes.
//!
//! Nothing stays behind: a dropped server is ended and its folder removed, and so is one whose
//! process ends in any other way, by a panic, an `exit` or a `kill -9`. A caretaker, a shell that
//! waits for that, sees to it. Only where somebody kills the caretaker as well do a server and
//! its folder stay; they disturb no later one. All folders lie in `boxman-pg-UID` in the system's
//! folder for temporary things, beside one file that stays on purpose: a new cluster, packed, to
//! start from.
//!
//! Everything here waits for PostgreSQL and blocks its thread meanwhile. Which processes are a
//! server's is read from `/proc`; without one, as on a Mac, [`Postgres::pause`] reaches only the
//! first of them.

mod home;
mod programs;

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Child;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::fallible::{Error, Fallible};
use home::Home;
use programs::{Programs, run};

/// How long anything may take: crash recovery, a standby that catches up, an orderly end.
const PATIENCE: Duration = Duration::from_secs(60);

/// Whether a commit waits for the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fsync {
    /// It does, as in production: what is committed survives a loss of power.
    On,
    /// It does not: quicker, and as durable as long as the machine stays up.
    Off,
}

/// A server of our own, or a standby of one. It ends when this is dropped.
pub struct Postgres {
    programs: Programs,
    home: Home,
    port: u16,
    /// The first of its processes, while it runs.
    child: Option<Child>,
}

impl Postgres {
    /// Whether PostgreSQL is here at all.
    pub fn is_installed() -> bool {
        Programs::find().is_ok()
    }

    /// A server for one test. None where PostgreSQL is not installed, and then it says so: the
    /// test leaves out what it would have shown. Under `CI=true` it must be there.
    #[expect(clippy::print_stderr, reason = "a test that shows nothing says so")]
    pub fn for_test() -> Option<Postgres> {
        if let Err(reason) = Programs::find() {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{reason}");
            eprintln!("LEFT OUT: {reason}");
            return None;
        }
        Some(Postgres::start().expect("PostgreSQL is installed, so it starts"))
    }

    /// A server for all tests of one process, each with a database of its own.
    pub fn shared() -> Fallible<&'static Postgres> {
        static SHARED: OnceLock<Result<Postgres, String>> = OnceLock::new();
        let started = SHARED.get_or_init(|| Postgres::start().map_err(|error| error.to_string()));
        started.as_ref().map_err(|error| error.as_str().into())
    }

    /// Starts a server that waits for the disk. It holds one empty database, `boxman`.
    pub fn start() -> Fallible<Postgres> {
        Postgres::start_with(Fsync::On)
    }

    /// The same, waiting for the disk or not.
    pub fn start_with(fsync: Fsync) -> Fallible<Postgres> {
        let programs = Programs::find()?;
        let home = Home::new(&programs)?;
        home.furnish(&programs)?;
        if fsync == Fsync::Off {
            home.set("fsync = off\n")?;
        }
        Postgres::open(programs, home)
    }

    /// Starts what lies in `home`, on a port that is free.
    fn open(programs: Programs, home: Home) -> Fallible<Postgres> {
        let mut server = Postgres { programs, home, port: 0, child: None };
        for _ in 0..5 {
            server.port = crate::port::listen()?.local_addr()?.port();
            match server.launch() {
                // Somebody was quicker.
                Err(error) if error.to_string().contains("could not bind") => {}
                other => return other.map(|()| server),
            }
        }
        Err(format!("five ports were taken, the last of them {}", server.port).into())
    }

    fn launch(&mut self) -> Fallible<()> {
        let log = File::options().create(true).append(true).open(self.home.log())?;
        let child = self
            .programs
            .command("postgres")
            .arg("-D")
            .arg(self.home.data())
            .args(["-p", &self.port.to_string(), "-h", "127.0.0.1", "-k", ""])
            .stdout(log.try_clone()?)
            .stderr(log)
            .process_group(0)
            .spawn()?;
        let id = child.id().to_string();
        self.child = Some(child);
        let lock = self.home.data().join("postmaster.pid");
        self.wait_until("it did not take connections", |server| {
            if let Some(ended) = server.child.as_mut().map(Child::try_wait).transpose()?.flatten() {
                server.child = None;
                return Err(format!("it ended with {ended}").into());
            }
            // It writes its id into the first line, and into the eighth how far it is.
            let lines = std::fs::read_to_string(&lock).unwrap_or_default();
            let mut lines = lines.lines();
            let ours = lines.next() == Some(id.as_str());
            Ok(ours && lines.nth(6).is_some_and(|state| state.trim() == "ready"))
        })
    }

    /// Where its database `boxman` is.
    pub fn url(&self) -> String {
        self.url_of("boxman")
    }

    fn url_of(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    /// Where a new, empty database is.
    pub fn fresh_database(&self) -> Fallible<String> {
        static COUNT: AtomicU32 = AtomicU32::new(1);
        let name = format!("boxman_{}", COUNT.fetch_add(1, Ordering::Relaxed));
        self.sql(&format!("CREATE DATABASE {name}"))?;
        Ok(self.url_of(&name))
    }

    /// The port of the loopback it listens on, whether it runs or not.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its folder: the cluster in `data`, and what it had to say in `log`.
    pub fn folder(&self) -> &Path {
        &self.home.folder
    }

    /// What a statement answers in the database `boxman`: a line a row, `|` between columns.
    pub fn sql(&self, statement: &str) -> Fallible<String> {
        self.sql_at(&self.url(), statement)
    }

    /// The same in the database at `url`.
    pub fn sql_at(&self, url: &str, statement: &str) -> Fallible<String> {
        let mut psql = self.programs.command("psql");
        psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", statement]);
        run(&mut psql)
    }

    /// Ends it in order: open transactions are rolled back, and all is on disk.
    pub fn stop(&mut self) -> Fallible<()> {
        self.resume();
        self.signal(Signal::INT);
        self.wait_until("it did not stop", |server| {
            let Some(child) = &mut server.child else { return Ok(true) };
            match child.try_wait()? {
                None => Ok(false),
                Some(ended) if ended.success() => Ok(true),
                Some(ended) => Err(format!("it ended with {ended}").into()),
            }
        })?;
        self.child = None;
        Ok(())
    }

    /// Kills it, and every process of it, without a chance to do anything.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
        // Its children would see that it is gone, but only after what they are about.
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = self.home.processes();
            if left.is_empty() || Instant::now() > deadline {
                return;
            }
            left.iter().for_each(|id| send(*id, Signal::KILL));
            sleep(Duration::from_millis(1));
        }
    }

    /// Starts it again on the same port, whatever became of it; one that runs is stopped first.
    pub fn restart(&mut self) -> Fallible<()> {
        if self.child.is_some() {
            self.stop()?;
        }
        self.launch()
    }

    /// Freezes every process of it: it keeps its connections, and answers nothing.
    pub fn pause(&self) {
        // The first of them goes first, so that it makes no more.
        self.signal(Signal::STOP);
        self.home.processes().into_iter().for_each(|id| send(id, Signal::STOP));
    }

    /// Lets it go on.
    pub fn resume(&self) {
        self.home.processes().into_iter().for_each(|id| send(id, Signal::CONT));
        self.signal(Signal::CONT);
    }

    /// A copy of it that follows it under this name, on a port of its own; it streams when this
    /// comes back. Names are of lower case letters, digits and underscores.
    pub fn standby(&self, name: &str) -> Fallible<Postgres> {
        check_name(name)?;
        let home = Home::new(&self.programs)?;
        let primary =
            format!("host=127.0.0.1 port={} user=postgres application_name={name}", self.port);
        let mut copy = self.programs.command("pg_basebackup");
        copy.args(["-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", &primary]);
        run(copy.arg("-D").arg(home.data()))?;
        let mut standby = Postgres::open(self.programs.clone(), home)?;
        let streaming = format!(
            "SELECT count(*) FROM pg_stat_replication \
             WHERE application_name = '{name}' AND state = 'streaming'"
        );
        standby.wait_until("it did not stream", |_| Ok(self.sql(&streaming)? != "0"))?;
        Ok(standby)
    }

    /// From now on a commit waits until one of these standbys has it on disk; for nobody where
    /// there are no names.
    pub fn require_standbys(&self, names: &[&str]) -> Fallible<()> {
        names.iter().try_for_each(|name| check_name(name))?;
        let wanted = match names {
            [] => String::new(),
            // In quotes: FIRST and ANY are names too.
            names => format!("ANY 1 (\"{}\")", names.join("\", \"")),
        };
        self.sql(&format!("ALTER SYSTEM SET synchronous_standby_names = '{wanted}'"))?;
        self.sql("ALTER SYSTEM SET synchronous_commit = on")?;
        self.sql("SELECT pg_reload_conf()")?;
        let deadline = Instant::now() + PATIENCE;
        while self.sql("SHOW synchronous_standby_names")? != wanted {
            if Instant::now() > deadline {
                return Err("it did not read its settings again".into());
            }
        }
        // The checkpointer tells the others whether to wait. It reads its settings before it does
        // as it is asked, so that from here on they know.
        self.sql("CHECKPOINT")?;
        Ok(())
    }

    /// Makes a primary of a standby. It waits for no standbys of its own until it is told to.
    pub fn promote(&mut self) -> Fallible<()> {
        let promoted = self.sql(&format!("SELECT pg_promote(true, {})", PATIENCE.as_secs()))?;
        if promoted != "t" || self.sql("SELECT pg_is_in_recovery()")? != "f" {
            return Err(self.trouble("it was not promoted"));
        }
        self.require_standbys(&[])
    }

    /// Tells the first of its processes something.
    fn signal(&self, signal: Signal) {
        if let Some(child) = &self.child {
            // Nobody else can have its id before we have waited for it.
            let _ = kill_process(Pid::from_child(child), signal);
        }
    }

    fn wait_until(
        &mut self,
        complaint: &str,
        mut so: impl FnMut(&mut Postgres) -> Fallible<bool>,
    ) -> Fallible<()> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match so(self) {
                Ok(true) => return Ok(()),
                Ok(false) if Instant::now() < deadline => sleep(Duration::from_millis(5)),
                Ok(false) => return Err(self.trouble(complaint)),
                Err(error) => return Err(self.trouble(&error.to_string())),
            }
        }
    }

    fn trouble(&self, complaint: &str) -> Error {
        format!("PostgreSQL: {complaint}; its last words:\n{}", self.home.last_words()).into()
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.home.clear();
        // The caretaker has ended it; it still has to be waited for.
        self.kill();
    }
}

/// Whoever it is may be gone already.
fn send(id: i32, signal: Signal) {
    if let Some(id) = Pid::from_raw(id) {
        let _ = kill_process(id, signal);
    }
}

fn check_name(name: &str) -> Fallible<()> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    match name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(plain) {
        true => Ok(()),
        false => Err(format!("`{name}` is no name for a standby: use a-z, 0-9 and _").into()),
    }
}
