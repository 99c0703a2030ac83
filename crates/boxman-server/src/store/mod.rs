//! Where the log is kept. One small trait, so that another database is another file here.

mod checkpoints;
pub mod edition;
mod files;
mod inspect;
mod pits;
mod postgres;
mod rows;
mod seal;
pub(crate) mod snapshot;
mod sql;
mod sqlite;
pub(crate) mod walk;

use std::fmt;

use async_trait::async_trait;
use futures_util::stream::BoxStream;

pub use self::files::{beside, real_path};
pub use self::inspect::Fault;
#[cfg(any(test, feature = "simulation"))]
pub use self::pits::PitRow;
pub use self::pits::{Beat, Identity, LEASE, NodeRow, Notice, Peer, Pits};
#[cfg(feature = "simulation")]
pub use self::pits::{Holding, Line as PitLine, append};
pub use self::postgres::{Durability, Postgres, PostgresAddress};
pub use self::seal::SealKey;
pub use self::snapshot::{Seal, Snapshot};
pub use self::sql::Sql;
#[cfg(feature = "simulation")]
pub use self::sql::{Row, Value};
pub use self::sqlite::Sqlite;
pub use self::walk::check_chain;
use crate::hash::Hash;
pub use crate::log::export::RulebookText;
use crate::log::{Head, Key, Record, Stream};
use crate::pit::Pit;
use crate::problem::Problem;
use crate::role::Role;
use crate::simulated::{self, Mutant};

/// Why the store did not do as it was asked. Whether anything was written is then unknown, until
/// the log is read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// Another record has that number, or that command has been recorded.
    Conflict,
    /// It cannot be reached, or is full; the reason is the database's own.
    Down(String),
    /// What it holds is damaged.
    Damaged(String),
    /// Another node has the pit now, and nothing was written.
    Lost,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Conflict => f.write_str("another writer was there first"),
            StoreError::Down(reason) => write!(f, "the store cannot be used: {reason}"),
            StoreError::Damaged(reason) => write!(f, "the store is damaged: {reason}"),
            StoreError::Lost => f.write_str("another node has taken the table over"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        match error {
            StoreError::Conflict | StoreError::Down(_) => {
                Problem::unavailable("store-down", error.to_string())
            }
            StoreError::Damaged(_) => Problem::unavailable("store-damaged", error.to_string()),
            StoreError::Lost => Problem::moved(),
        }
    }
}

/// What a store answers.
pub type Stored<T> = Result<T, StoreError>;

/// One day of one stream's reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Day {
    /// Whose.
    pub stream: Stream,
    /// `YYYY-MM-DD`, UTC.
    pub day: String,
    /// What happened, as JSON.
    pub body: String,
}

/// Somebody with a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// What stands for them in logs and on the wire: `p-` and twelve digits, drawn at random.
    pub id: String,
    /// What they log in with: shown to nobody but them and administrators.
    pub login: String,
    /// The name shown at tables.
    pub table_name: String,
    /// What they may do.
    pub roles: Vec<Role>,
    /// The argon2 hash of their password.
    pub password: String,
}

/// Somebody logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The hash of their token.
    pub token: Hash,
    /// The account's id, or `guest-ID`.
    pub person: String,
    /// A guest's name; an account has its own.
    pub name: Option<String>,
    /// When it ends, in milliseconds since 1970.
    pub expires: u64,
}

/// What somebody has played at one sitting, as their browser counted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    /// Who.
    pub person: String,
    /// Which sitting, by a name of the browser's own.
    pub session: String,
    /// When it was kept, in milliseconds since 1970.
    pub at: u64,
    /// A JSON object.
    pub body: String,
}

/// By what right somebody writes to a log: that of whoever has had its pit without a break since
/// a certain moment. Where one process has the whole store, nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fence(pub(super) Option<u64>);

/// Records that are written together or not at all, and by what right.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The records.
    pub records: Vec<Record>,
    /// The right of whoever owns their log; the house's own log has no owner.
    pub fence: Fence,
}

/// A store of logs, and of what has no place in a log. What every database says alike is said
/// here, through [`Sql`].
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// The database, for what is asked of every one alike.
    fn sql(&self) -> &dyn Sql;

    /// Writes records, all of them or none, and comes back when they would survive a power cut.
    async fn append(&self, records: &[Record]) -> Stored<()>;

    /// Writes several batches with one wait for the disk, each of them whole or not at all. An
    /// answer for each: where somebody's record clashes, nobody else suffers for it.
    async fn append_batches(&self, batches: &[Batch]) -> Vec<Stored<()>>;

    /// Writes records that come page by page, all of them or none: none where a page does not
    /// come. Nobody else writes meanwhile.
    async fn append_pages(&self, pages: BoxStream<'_, Stored<Vec<Record>>>) -> Stored<()>;

    /// The same store as several nodes see it, where several can share it.
    fn shared(&self) -> Option<&dyn Pits> {
        None
    }

    /// The right to write to a log, for whoever owns it now.
    fn fence(&self, stream: &Stream) -> Stored<Fence> {
        let none = Ok(Fence::default());
        self.shared().map_or(none, |shared| shared.holding().fence(Pit::of(stream)))
    }

    /// Whether what was on its way to a log when something failed has arrived by now, or never
    /// will. Only then does the log tell what there is. Whoever asks still owns it.
    async fn settle(&self, stream: &Stream, fence: Fence) -> Stored<()> {
        match self.shared().filter(|_| fence != Fence::default()) {
            None => self.ping().await,
            Some(shared) => {
                let pit = Pit::of(stream);
                shared.holding().epoch_of(pit, fence)?;
                if simulated::is(Mutant::AcknowledgeFromARead) {
                    return Ok(());
                }
                shared.reclaim_held(pit).await
            }
        }
    }

    /// Whether whoever writes here is still taken for alive by others who would write in their
    /// stead. One who may not be says nothing: neither no, nor how things stand.
    fn is_heard(&self) -> bool {
        let alone = |shared: &dyn Pits| shared.identity().is_none();
        self.shared().is_none_or(|shared| alone(shared) || shared.holding().is_heard())
    }

    /// Whether a right to write to a log still stands, as far as is known here. Where it may not,
    /// somebody else may have said something else.
    fn stands(&self, stream: &Stream, fence: Fence) -> bool {
        let stands = |shared: &dyn Pits| {
            let held = || shared.holding().epoch_of(Pit::of(stream), fence).is_ok();
            shared.identity().is_none() || (self.is_heard() && held())
        };
        self.shared().is_none_or(stands)
    }

    /// Comes back once what has been read from it is as durable as what it acknowledges: a row may
    /// be seen before it is on a standby.
    async fn confirm(&self) -> Stored<()> {
        Ok(())
    }

    /// Whether other processes serve the same store at the moment.
    async fn is_shared(&self) -> Stored<bool> {
        let Some(shared) = self.shared() else { return Ok(false) };
        let (me, nodes) = (shared.identity(), shared.nodes().await?);
        Ok(nodes.iter().any(|node| Some(&node.identity) != me.as_ref()))
    }

    /// Into how many lanes batches may be parted by their pits, each written by itself.
    fn lanes(&self) -> usize {
        1
    }

    /// The records of a stream after one of them, in order, at most `limit`.
    async fn records(&self, stream: &Stream, after: u64, limit: u32) -> Stored<Vec<Record>> {
        sql::records(self.sql(), stream, after, limit).await
    }

    /// The last record of a stream; zero where it has none.
    async fn head(&self, stream: &Stream) -> Stored<Head>;

    /// The record of a command.
    async fn find(&self, stream: &Stream, key: &Key) -> Stored<Option<Record>> {
        sql::find(self.sql(), stream, key).await
    }

    /// Every stream there is.
    async fn streams(&self) -> Stored<Vec<Stream>>;

    /// Keeps a snapshot in place of an older one, with the seal of the house on it, and days in
    /// place of all that its stream has after the ones folded away.
    async fn keep_snapshot(
        &self,
        snapshot: &Snapshot,
        folded: Option<&str>,
        days: &[Day],
    ) -> Stored<()>;

    /// The snapshot of a stream, whoever put it there.
    async fn snapshot(&self, stream: &Stream) -> Stored<Option<Snapshot>>;

    /// Drops the snapshot of a stream, and all days that go with it.
    async fn drop_snapshot(&self, stream: &Stream) -> Stored<()>;

    /// Keeps days of a stream in place of all it has up to one of them, which is included.
    async fn keep_days(&self, stream: &Stream, through: &str, days: &[Day]) -> Stored<()>;

    /// The days of all streams from one day to another, both included.
    async fn days(&self, from: &str, to: &str) -> Stored<Vec<Day>> {
        sql::days(self.sql(), from, to).await
    }

    /// The days of one stream.
    async fn days_of(&self, stream: &Stream) -> Stored<Vec<Day>> {
        sql::days_of(self.sql(), stream).await
    }

    /// Keeps a rulebook's text.
    async fn keep_rulebook(&self, rulebook: &RulebookText) -> Stored<()> {
        sql::keep_rulebook(self.sql(), rulebook).await
    }

    /// A rulebook's text.
    async fn rulebook(&self, hash: Hash) -> Stored<Option<RulebookText>> {
        sql::rulebook(self.sql(), hash).await
    }

    /// The hash of every rulebook that is kept.
    async fn rulebooks(&self) -> Stored<Vec<Hash>> {
        sql::rulebooks(self.sql()).await
    }

    /// Keeps an account in place of one of the same id, together with what the log says of it:
    /// both or neither. Where its roles or its password are others, every session of it ends.
    async fn keep_account(&self, account: &Account, records: &[Record]) -> Stored<()>;

    /// The account of an id.
    async fn account(&self, id: &str) -> Stored<Option<Account>> {
        let select = "SELECT id, login, table_name, roles, password FROM account WHERE id = $1";
        sql::account_of(self.sql(), select, id).await
    }

    /// The account of a login.
    async fn account_of_login(&self, login: &str) -> Stored<Option<Account>> {
        let select = "SELECT id, login, table_name, roles, password FROM account WHERE login = $1";
        sql::account_of(self.sql(), select, login).await
    }

    /// Every account.
    async fn accounts(&self) -> Stored<Vec<Account>> {
        sql::accounts(self.sql()).await
    }

    /// Keeps a session.
    async fn keep_session(&self, session: &Session) -> Stored<()> {
        sql::keep_session(self.sql(), session).await
    }

    /// The session of a token's hash.
    async fn session(&self, token: Hash) -> Stored<Option<Session>> {
        sql::session(self.sql(), token).await
    }

    /// Ends a session.
    async fn end_session(&self, token: Hash) -> Stored<()> {
        let (delete, token) = ("DELETE FROM session WHERE token = $1", token.to_string());
        self.sql().change(delete, &[(&token).into()]).await.map(drop)
    }

    /// Ends every session of a person.
    async fn end_sessions_of(&self, person: &str) -> Stored<()> {
        let delete = "DELETE FROM session WHERE person = $1";
        self.sql().change(delete, &[person.into()]).await.map(drop)
    }

    /// Has every other process at this store know that somebody has another name.
    async fn tell_renamed(&self, _person: &str) -> Stored<()> {
        Ok(())
    }

    /// Forgets sessions that ended before `now`.
    async fn forget_sessions(&self, now: u64) -> Stored<()> {
        let delete = "DELETE FROM session WHERE expires < $1";
        self.sql().change(delete, &[rows::number(now)?.into()]).await.map(drop)
    }

    /// Keeps what somebody has played, and of all that they have the latest so many.
    async fn keep_play(&self, play: &Play, most: u32) -> Stored<()> {
        sql::keep_play(self.sql(), play, most).await
    }

    /// What somebody has played, the latest first.
    async fn play_of(&self, person: &str) -> Stored<Vec<Play>> {
        sql::play_of(self.sql(), person).await
    }

    /// Forgets a session of what somebody has played, or all of it.
    async fn forget_play(&self, person: &str, session: Option<&str>) -> Stored<()> {
        sql::forget_play(self.sql(), person, session).await
    }

    /// A setting.
    async fn setting(&self, name: &str) -> Stored<Option<String>> {
        sql::setting(self.sql(), name).await
    }

    /// Sets one, or removes it.
    async fn set(&self, name: &str, value: Option<&str>) -> Stored<()> {
        sql::set(self.sql(), name, value).await
    }

    /// Sets one that is as `before` says, and leaves any other: says whether it did.
    async fn exchange(&self, name: &str, before: Option<&str>, after: &str) -> Stored<bool> {
        sql::exchange(self.sql(), name, before, after).await
    }

    /// What is not as this program writes it, whatever it says: pages and indexes that do not hold,
    /// and rows that nobody could have written.
    async fn faults(&self) -> Stored<Vec<Fault>>;

    /// The seal of the house on some text, where its key is known.
    fn seal(&self, text: &[u8]) -> Option<Hash>;

    /// Whether it can be written to.
    async fn ping(&self) -> Stored<()>;

    /// Writes out what it holds back and lets go of it.
    async fn close(&self);
}
