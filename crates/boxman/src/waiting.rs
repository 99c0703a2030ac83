//! Something for somebody who waits at a terminal: how far a long answer has come.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Nothing is told before this has gone by.
const PATIENCE: Duration = Duration::from_secs(1);
/// And then as often as this.
const OFTEN: Duration = Duration::from_millis(200);

/// A line that is written over again and again, and gone when it is dropped.
pub(crate) struct Waiting {
    begun: Instant,
    last: Mutex<Option<Instant>>,
}

impl Waiting {
    pub(crate) fn new() -> Waiting {
        Waiting { begun: Instant::now(), last: Mutex::new(None) }
    }

    /// Tells what is made of the time gone by, where it is time to.
    pub(crate) fn tell(&self, what: impl FnOnce(Duration) -> String) {
        let now = Instant::now();
        let mut last = self.last.lock().expect("nobody panics");
        let (since, due) = match *last {
            Some(last) => (now - last, OFTEN),
            None => (now - self.begun, PATIENCE),
        };
        if since > due && std::io::stderr().is_terminal() {
            *last = Some(now);
            anstream::eprint!("\r{:70}", what(now - self.begun));
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if self.last.lock().is_ok_and(|last| last.is_some()) {
            anstream::eprint!("\r{:70}\r", "");
        }
    }
}
