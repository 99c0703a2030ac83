//! The commands a room remembers, so that one sent twice is obeyed once: the latest here, the
//! others in the store.

use std::collections::{HashMap, VecDeque};

use super::Room;
use crate::hash::Digest;
use crate::log::{Key, Stream, TableEntry};
use crate::problem::Problem;
use crate::simulated;

/// So many are remembered by the room itself.
const REMEMBERED: usize = 4_096;

/// The record a command made, and the digest of what was asked.
type Known = (u64, Option<Digest>);

/// So many that were refused, too.
const REFUSED: usize = 512;

/// The latest commands.
pub(super) struct Memory {
    commands: HashMap<Key, Known>,
    order: VecDeque<Key>,
    /// Those that were refused for good: a copy of one that comes late is not obeyed.
    refused: VecDeque<(Key, Digest, Problem)>,
    /// Whether older commands than these are only in the store.
    forgetful: bool,
}

impl Memory {
    /// These commands, oldest first; `forgetful` where there were others before them.
    pub(super) fn of(
        commands: impl IntoIterator<Item = (Key, u64, Option<Digest>)>,
        forgetful: bool,
    ) -> Memory {
        let mut memory = Memory {
            commands: HashMap::new(),
            order: VecDeque::new(),
            refused: VecDeque::new(),
            forgetful,
        };
        commands.into_iter().for_each(|(key, seq, asked)| memory.remember(key, seq, asked));
        memory
    }

    pub(super) fn remember(&mut self, key: Key, seq: u64, asked: Option<Digest>) {
        if self.order.len() == REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.commands.remove(&oldest);
            self.forgetful = true;
        }
        self.order.push_back(key);
        self.commands.insert(key, (seq, asked));
    }
}

impl Memory {
    /// A command was refused for good.
    pub(super) fn refuse(&mut self, key: Key, asked: Digest, problem: &Problem) {
        if self.refused.len() == REFUSED {
            self.refused.pop_front();
        }
        self.refused.push_back((key, asked, problem.clone()));
    }

    /// Why a command was refused before.
    pub(super) fn refusal(&self, key: &Key, asked: Digest) -> Option<Problem> {
        let same = |known: &&(Key, Digest, Problem)| known.0 == *key && known.1 == asked;
        self.refused.iter().find(same).map(|(_, _, problem)| problem.clone())
    }
}

impl Room {
    /// What is known of a command, here or in the store.
    pub(super) async fn recall(&self, key: &Key) -> Result<Option<Known>, Problem> {
        if simulated::is_keyless() {
            return Ok(None);
        }
        if let Some(known) = self.memory.commands.get(key) {
            return Ok(Some(*known));
        }
        if !self.memory.forgetful {
            return Ok(None);
        }
        let found = self.office.store.find(&Stream::Table(self.state.id), key).await?;
        let Some(record) = found else { return Ok(None) };
        let entry = record.entry::<TableEntry>();
        Ok(Some((record.seq, entry.ok().and_then(|entry| entry.asked))))
    }
}
