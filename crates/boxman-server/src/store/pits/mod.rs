//! A store that several nodes share: who is there, and who has which pit.
//!
//! A database does what [`Pits`] asks of it, each a statement of its own. What a node makes of
//! the answers is said once, here, whichever database that is.
//!
//! Nothing here is safe by a clock. Clocks say when to try; the epoch that every append names says
//! whether it counts.

mod append;
mod claims;
mod holding;

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;

pub use self::append::append;
pub use self::holding::{Holding, Identity};
use super::{Store, Stored};
use crate::log::{Record, Stream};
use crate::pit::Pit;

/// A node that has not beaten for so long is thought gone.
pub const LEASE: Duration = Duration::from_millis(1_000);

/// A node, as the database knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRow {
    /// Which.
    pub identity: Identity,
    /// Where other nodes reach it.
    pub address: String,
    /// The fingerprint of the certificate it shows there.
    pub certificate: String,
    /// The program's version.
    pub version: String,
    /// The newest edition of the log it reads.
    pub reads: i64,
    /// How often it has beaten.
    pub beats: i64,
    /// `up`, `draining` or `gone`.
    pub state: String,
}

/// What other nodes have to know of this one.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Its name.
    pub name: String,
    /// Where they reach it.
    pub address: String,
    /// The fingerprint of its certificate.
    pub certificate: String,
}

/// What every node has to hear: whose session has ended, or who has another name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Notice {
    /// `session`, `person` or `renamed`.
    pub what: String,
    /// The hash of a token, or a person.
    pub who: String,
    /// When, by the database's clock.
    pub at: i64,
}

/// A pit, its owner and its epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PitRow {
    /// Which.
    pub pit: Pit,
    /// Who has it.
    pub owner: Option<Identity>,
    /// At which epoch.
    pub epoch: i64,
}

/// What a beat brings back.
#[derive(Clone, Debug)]
pub struct Beat {
    /// Every node that is not gone.
    pub nodes: Vec<NodeRow>,
    /// Every pit.
    pub pits: Vec<PitRow>,
    /// What has to be heard.
    pub notices: Vec<Notice>,
}

/// A record to be written, and the pit whose owner alone may; none for the house's own log, which
/// has no owner and is kept in order by its numbers.
pub type Line<'a> = (&'a Record, Option<Pit>);

/// What a database that several nodes share is asked for. Each is done whole or not at all, and
/// where it is not answered nobody knows which.
#[async_trait]
pub trait Pits: Store {
    /// What this node believes to have.
    fn holding(&self) -> &Holding;

    /// Writes those lines whose pit is this node's at the epoch that is named for it. Gives the
    /// pits that are; lines of any other were not written.
    async fn put(
        &self,
        me: &Identity,
        epochs: &BTreeSet<(Pit, i64)>,
        lines: &[Line<'_>],
    ) -> Stored<BTreeSet<Pit>>;

    /// Writes records where no node is up, as on the command line.
    async fn put_alone(&self, records: &[&Record]) -> Stored<()>;

    /// Gives this node pits that nobody has, or only somebody who is gone: at most so many, each
    /// at its next epoch.
    async fn take_free(&self, me: &Identity, most: usize) -> Stored<Vec<(Pit, i64)>>;

    /// A pit that stands in this node's name is so at its next epoch.
    async fn take_again(&self, me: &Identity, pit: Pit) -> Stored<Option<i64>>;

    /// A pit that is this node's at this epoch is another's, which is up, at the next.
    async fn give(&self, me: &Identity, held: (Pit, i64), to: &Identity) -> Stored<Option<i64>>;

    /// The logs of some pits.
    async fn streams_of(&self, pits: &[Pit]) -> Stored<Vec<Stream>>;

    /// The database's clock, in milliseconds since 1970.
    async fn clock(&self) -> Stored<i64>;

    /// Every node that is not gone.
    async fn nodes(&self) -> Stored<Vec<NodeRow>>;

    /// Enters a node, and strikes out those who are gone and have left nothing behind.
    async fn enter(&self, node: &NodeRow) -> Stored<()>;

    /// Counts a beat and looks around; nothing where this node has been declared gone.
    async fn count_beat(&self, me: &Identity, since: i64) -> Stored<Option<Beat>>;

    /// Sets the state of a node that is not gone, where it has beaten so often and no more. Says
    /// whether it did.
    async fn set_state(
        &self,
        node: &Identity,
        state: &'static str,
        beats: Option<i64>,
    ) -> Stored<bool>;
}
