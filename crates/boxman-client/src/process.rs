//! A server as a process of its own, so that it can be killed.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::fallible::Fallible;

/// A running server. It is killed when this is dropped.
pub struct Server {
    child: Child,
    /// Where it listens.
    pub address: String,
    /// The secret of the one-time link, where nobody has an account yet.
    pub link: Option<String>,
}

/// A store as the program is told of it: a file, or a database by its own address.
fn address(store: &Path) -> String {
    let store = store.display().to_string();
    if store.starts_with("postgres://") { store } else { format!("sqlite:{store}") }
}

impl Server {
    /// Starts `program serve` on a free port of the loopback, with this store and more arguments.
    pub fn start(program: &Path, store: &Path, more: &[&str]) -> Fallible<Server> {
        Server::start_with(program, store, more, Stdio::inherit())
    }

    /// The same, with what it has to say about trouble at the end of a file.
    pub fn start_logged(
        program: &Path,
        store: &Path,
        more: &[&str],
        log: &Path,
    ) -> Fallible<Server> {
        let log = File::options().create(true).append(true).open(log)?;
        Server::start_with(program, store, more, log.into())
    }

    fn start_with(program: &Path, store: &Path, more: &[&str], errors: Stdio) -> Fallible<Server> {
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--store", &address(store)])
            .args(more)
            .env("RUST_LOG", "error")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()?;
        let mut lines = BufReader::new(child.stdout.take().ok_or("it has no output")?).lines();
        let mut link = None;
        // The address comes last, so that everything has been said when it is there.
        for line in lines.by_ref() {
            let line = line?;
            if let Some((_, secret)) = line.split_once("/setup/") {
                link = Some(secret.to_owned());
            } else if let Some((_, rest)) = line.split_once("open at http://") {
                let address = rest.split(' ').next().unwrap_or_default().to_owned();
                return Ok(Server { child, address, link });
            }
        }
        let _ = child.wait();
        Err("the server ended before it listened".into())
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it without a chance to say anything.
    pub fn kill(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to stop, and waits until it has. Says whether it ended well.
    pub fn stop(&mut self) -> Fallible<bool> {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        Ok(self.child.wait()?.success())
    }

    /// The processor time it has used, in hundredths of a second, where the system tells.
    pub fn processor_time(&self) -> Option<u64> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // The name of the program may hold spaces; what follows its bracket does not.
        let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
        let mut field = || fields.next()?.parse::<u64>().ok();
        Some(field()? + field()?)
    }

    /// The most memory it has used, in megabytes, where the system tells.
    pub fn peak_memory_mb(&self) -> Option<u64> {
        Some(self.status_kb("VmHWM")? / 1024)
    }

    /// The memory it uses now, in kilobytes, where the system tells.
    pub fn memory_kb(&self) -> Option<u64> {
        self.status_kb("VmRSS")
    }

    /// How many files and sockets it holds open, where the system tells.
    pub fn descriptors(&self) -> Option<usize> {
        Some(std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).ok()?.count())
    }

    fn status_kb(&self, name: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}
