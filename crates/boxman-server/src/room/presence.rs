//! Who is there: people with a connection to the table, and people who have asked for something
//! lately. By a clock that nobody sets, from when its room was opened.

use std::collections::HashMap;
use std::time::Duration;

use craps::Seat;
use tokio::time::Instant;

use super::clients::Clients;
use crate::access::{Person, Reach};
use crate::ask::Verb;
use crate::config::DiceMode;
use crate::table::LiveTable;

/// When people were last there.
pub(super) struct Presence {
    /// Those who have a seat.
    owners: HashMap<String, Instant>,
    anybody: Instant,
    /// Whoever may throw for others, and asked for something here.
    crew: Option<Instant>,
    /// How often dice had been thrown, and since when they have not.
    thrown: (u64, Instant),
}

impl Presence {
    pub(super) fn new() -> Presence {
        let now = Instant::now();
        Presence { owners: HashMap::new(), anybody: now, crew: None, thrown: (0, now) }
    }

    /// Somebody asks for something.
    pub(super) fn asks(&mut self, who: &Person) {
        let now = Instant::now();
        self.anybody = now;
        if let Some(last) = self.owners.get_mut(&who.id) {
            *last = now;
        }
        if who.reaches(Verb::Roll).any(|reach| reach == Reach::Any) {
            self.crew = Some(now);
        }
    }

    /// Looks who has a connection.
    pub(super) fn look(&mut self, state: &LiveTable, clients: &Clients) {
        let now = Instant::now();
        let before = std::mem::take(&mut self.owners);
        for owner in state.owners.values() {
            let last = before.get(owner).copied().filter(|_| !clients.has(owner));
            self.owners.insert(owner.clone(), last.unwrap_or(now));
        }
        if clients.has_anybody() {
            self.anybody = now;
        }
        if self.thrown.0 != state.throws {
            self.thrown = (state.throws, now);
        }
    }

    /// How long nobody has been there.
    pub(super) fn alone(&self) -> Duration {
        self.anybody.elapsed()
    }

    /// The seats whose players have not been there for `idle`, and who they are.
    pub(super) fn gone(&self, state: &LiveTable, idle: Duration) -> Vec<(Seat, String)> {
        let seats = state.owners.iter().filter(|(_, owner)| self.away(owner) >= idle);
        seats.map(|(seat, owner)| (Seat(*seat), owner.clone())).collect()
    }

    fn away(&self, owner: &str) -> Duration {
        self.owners.get(owner).map_or(Duration::ZERO, Instant::elapsed)
    }

    /// Whether somebody other than `owner` is there who may throw the dice, and dice have been
    /// thrown in as long again as it took `owner` to be gone.
    pub(super) fn throws_without(&self, state: &LiveTable, owner: &str, idle: Duration) -> bool {
        let here = |other: &String| other != owner && self.away(other) < idle;
        let players = state.config().dice == DiceMode::House && state.owners.values().any(here);
        let crew = self.crew.is_some_and(|last| last.elapsed() < idle);
        let patient = self.away(owner) < 2 * idle || self.thrown.1.elapsed() < idle;
        (players || crew) && patient
    }
}
