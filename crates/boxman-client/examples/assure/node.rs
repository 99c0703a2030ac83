//! One node: `boxman serve` as a process of its own, to be killed, frozen, thawed or asked to go.

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use boxman_client::Fallible;
use rustix::process::{Pid, Signal, kill_process};

/// A node that has not said by then that it is open does not start.
const STARTS: Duration = Duration::from_secs(40);

/// So much is never too much here: what is looked for are faults, not limits.
const LIMITS: [&str; 16] = [
    "--door-per-minute",
    "1000000",
    "--requests-per-second",
    "1000000",
    "--commands-per-second",
    "100000",
    "--tables-per-address",
    "10000",
    "--tables-per-minute",
    "10000",
    "--practice-tables",
    "10000",
    "--watchers-per-address",
    "10000",
    "--durability",
    "replica",
];

/// A node, running or not. It is killed when this is dropped.
pub(crate) struct Node {
    pub(crate) name: String,
    /// Where people reach it. It stays the same from start to start.
    pub(crate) address: String,
    /// Where it listens to other nodes.
    pub(crate) internal: String,
    /// The secret of the one-time link, where it printed one.
    pub(crate) link: Option<String>,
    program: PathBuf,
    store: String,
    key: PathBuf,
    pub(crate) log: PathBuf,
    child: Option<Child>,
}

/// What nodes write to their logs, where nobody asks for anything else.
const LOGGED: &str = "boxman=info,boxman_server=info,error";

impl Node {
    /// A node of this name, not started yet, with its log in a folder.
    pub(crate) fn new(program: &Path, name: &str, store: &str, folder: &Path) -> Fallible<Node> {
        Ok(Node {
            name: name.to_owned(),
            address: free_address()?,
            internal: free_address()?,
            link: None,
            program: program.to_owned(),
            store: store.to_owned(),
            key: folder.join("boxman.key"),
            log: folder.join(format!("{name}.log")),
            child: None,
        })
    }

    /// Starts it, and comes back when it is open.
    pub(crate) fn start(&mut self) -> Fallible<()> {
        let log = File::options().create(true).append(true).open(&self.log)?;
        let mut child = Command::new(&self.program)
            .args(["serve", "--listen", &self.address, "--internal", &self.internal])
            .args(["--store", &self.store, "--node", &self.name, "--key"])
            .arg(&self.key)
            .args(LIMITS)
            .env("RUST_LOG", std::env::var("RUST_LOG").unwrap_or_else(|_| LOGGED.to_owned()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()?;
        let lines = BufReader::new(child.stdout.take().ok_or("it has no output")?).lines();
        self.child = Some(child);
        let (says, said) = mpsc::channel();
        // It ends with the process.
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = says.send(line);
            }
        });
        let until = Instant::now() + STARTS;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok(line) = said.recv_timeout(left) else {
                self.kill();
                let log = self.log.display();
                return Err(format!("node {} did not start, see {log}", self.name).into());
            };
            if let Some((_, secret)) = line.split_once("/setup/") {
                self.link = Some(secret.to_owned());
            } else if line.contains("open at http://") {
                return Ok(());
            }
        }
    }

    /// Tells its process something.
    pub(crate) fn signal(&self, signal: Signal) {
        if let Some(child) = &self.child {
            // Nobody else can have its id before we have waited for it.
            let _ = kill_process(Pid::from_child(child), signal);
        }
    }

    /// Kills it without a chance to say anything.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Asks it to hand its tables over and go, and waits until it has. Says whether it went well.
    pub(crate) fn drain(&mut self, patience: Duration) -> Fallible<bool> {
        self.signal(Signal::TERM);
        let until = Instant::now() + patience;
        while let Some(child) = &mut self.child {
            if let Some(ended) = child.try_wait()? {
                self.child = None;
                return Ok(ended.success());
            }
            if Instant::now() > until {
                let seconds = patience.as_secs();
                return Err(format!("node {} did not go in {seconds} s", self.name).into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(true)
    }

    /// Whether its process has not ended.
    pub(crate) fn is_running(&mut self) -> bool {
        self.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}

/// An address of the loopback that is free, below the ports that outgoing connections get: a
/// client that knocks on the door of a dead node must not come to sit in it.
pub(crate) fn free_address() -> Fallible<String> {
    for attempt in 0..200_u32 {
        // Every attempt has keys of its own.
        let port = 10_240 + (RandomState::new().hash_one(attempt) % 20_000) as u16;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(format!("127.0.0.1:{port}"));
        }
    }
    Err("no port is free".into())
}
