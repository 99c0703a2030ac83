//! The pits that this node believes to have. Only the database knows; what is here says what to
//! ask it for, and when to fall silent.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use tokio::sync::broadcast;
use tokio::time::Instant;

use super::super::{Fence, StoreError, Stored};
use crate::pit::Pit;

/// Which node this is. Whoever comes back after a silence is somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its name.
    pub name: String,
    /// Drawn at random.
    pub incarnation: i64,
}

/// A pit that is held.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// By which fence: a number that no other time of holding it has.
    fence: u64,
    epoch: i64,
}

struct Inside {
    identity: Option<Identity>,
    held: Vec<Option<Held>>,
    fences: u64,
    /// When the last beat that was answered was sent.
    beat: Option<Instant>,
    /// What has to be heard has been, up to then.
    noticed: i64,
}

/// The pits that this node holds.
pub struct Holding {
    inside: RwLock<Inside>,
    lost: broadcast::Sender<Pit>,
}

impl Default for Holding {
    fn default() -> Holding {
        let held = vec![None; Pit::COUNT];
        let inside = Inside { identity: None, held, fences: 0, beat: None, noticed: 0 };
        Holding { inside: RwLock::new(inside), lost: broadcast::channel(4 * Pit::COUNT).0 }
    }
}

/// After so long without an answered beat a node is silent: others may think it gone a moment
/// later.
const SILENT_AFTER: Duration = Duration::from_millis(900);

impl Holding {
    fn read(&self) -> RwLockReadGuard<'_, Inside> {
        self.inside.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Inside> {
        self.inside.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in super::super) fn identity(&self) -> Option<Identity> {
        self.read().identity.clone()
    }

    /// This node is somebody, as of this beat, and holds nothing yet.
    pub(super) fn begin(&self, identity: Identity, beat: Instant) {
        let mut inside = self.write();
        inside.identity = Some(identity);
        inside.beat = Some(beat);
        inside.held.fill(None);
    }

    /// A beat that was sent then has been answered.
    pub(super) fn beaten(&self, sent: Instant) {
        self.write().beat = Some(sent);
    }

    /// Whether others still take this node for alive, whatever it has slept through.
    pub(in super::super) fn is_heard(&self) -> bool {
        self.read().beat.is_some_and(|beat| beat.elapsed() < SILENT_AFTER)
    }

    /// A pit that is held from now on, or at another epoch, by whoever claimed it as this node.
    /// Says whether it was not held before; it is not where this node is not that one any more.
    pub(super) fn gain(&self, me: &Identity, pit: Pit, epoch: i64) -> Stored<bool> {
        let mut inside = self.write();
        if inside.identity.as_ref() != Some(me) {
            return Err(StoreError::Lost);
        }
        inside.fences += 1;
        let fence = inside.fences;
        let held = &mut inside.held[pit.index()];
        match held {
            Some(held) => held.epoch = held.epoch.max(epoch),
            None => {
                *held = Some(Held { fence, epoch });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A pit that is not held any more.
    pub(super) fn lose(&self, pit: Pit) {
        let lost = self.write().held[pit.index()].take();
        if lost.is_some() {
            // Nobody may listen yet.
            let _ = self.lost.send(pit);
        }
    }

    pub(super) fn lost(&self) -> broadcast::Receiver<Pit> {
        self.lost.subscribe()
    }

    pub(super) fn noticed(&self) -> i64 {
        self.read().noticed
    }

    /// What has to be heard has been, up to then.
    pub(super) fn notice(&self, at: i64) {
        self.write().noticed = at;
    }

    pub(super) fn epoch(&self, pit: Pit) -> Option<i64> {
        self.read().held[pit.index()].map(|held| held.epoch)
    }

    /// The right of whoever holds a pit now. Where there is no node, as on the command line,
    /// nobody needs one.
    pub(in super::super) fn fence(&self, pit: Pit) -> Stored<Fence> {
        let inside = self.read();
        match (&inside.identity, inside.held[pit.index()]) {
            (None, _) => Ok(Fence(None)),
            (Some(_), Some(held)) => Ok(Fence(Some(held.fence))),
            (Some(_), None) => Err(StoreError::Lost),
        }
    }

    /// The epoch to name for a pit, where this fence still stands.
    pub(in super::super) fn epoch_of(&self, pit: Pit, fence: Fence) -> Stored<i64> {
        let held = self.read().held[pit.index()];
        let standing = held.filter(|held| Fence(Some(held.fence)) == fence);
        standing.map(|held| held.epoch).ok_or(StoreError::Lost)
    }

    pub(super) fn pits(&self) -> Vec<Pit> {
        let inside = self.read();
        Pit::all().filter(|pit| inside.held[pit.index()].is_some()).collect()
    }
}
