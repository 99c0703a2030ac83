//! What players call to each other. It is told to whoever watches and to nobody later: no cheer is
//! in a log.

use std::collections::HashMap;
use std::time::Duration;

use tokio::time::Instant;

use super::Room;
use super::clients::Forms;
use crate::access::Person;
use crate::problem::Problem;
use crate::wire::{Cheer, FromServer};

/// One person cheers this often at most, however many sockets they have.
const PACE: Duration = Duration::from_millis(1_500);

/// Who has cheered lately.
#[derive(Default)]
pub(super) struct Cheers(HashMap<String, Instant>);

impl Cheers {
    fn may(&mut self, person: &str, now: Instant) -> bool {
        self.0.retain(|_, last| now.duration_since(*last) < PACE);
        let may = !self.0.contains_key(person);
        if may {
            self.0.insert(person.to_owned(), now);
        }
        may
    }
}

impl Room {
    /// Tells everybody what a player calls; only the player hears why not.
    pub(super) fn cheer(&mut self, client: u64, who: Option<&Person>, cheer: Cheer) {
        if let Err(problem) = self.cheered(who, cheer) {
            self.clients.tell(client, &mut Forms::of(FromServer::Problem { problem }));
        }
    }

    fn cheered(&mut self, who: Option<&Person>, cheer: Cheer) -> Result<(), Problem> {
        let who = who.ok_or_else(Problem::nobody)?;
        let seat = self.state.owners.iter().find(|(_, owner)| **owner == who.id);
        let Some((seat, _)) = seat else {
            return Err(Problem::forbidden("only those who sit at the table are heard"));
        };
        let seat = *seat;
        if !self.cheers.may(&who.id, Instant::now()) {
            return Err(Problem::too_many("one call at a time, wait a moment"));
        }
        self.clients.announce(FromServer::Cheer { seat, cheer });
        Ok(())
    }
}
