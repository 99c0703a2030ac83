//! Where the books are read from: the store of the house, or the file that somebody took away.

use std::fmt;

use super::{Export, Finding};
use crate::hash::Hash;
use crate::log::{Head, Record, Stream};
use crate::store::walk::Pages;
use crate::store::{Account, Day, RulebookText, Snapshot, Store, StoreError, Stored};

/// Where logs are read from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// A store.
    Store(&'a dyn Store),
    /// One table, exported.
    Export(&'a Export),
}

impl Source<'_> {
    pub(super) async fn streams(&self) -> Stored<Vec<Stream>> {
        match self {
            Source::Store(store) => store.streams().await,
            Source::Export(export) => Ok(export.streams()),
        }
    }

    /// The last record of a stream, or the one an export says is its last.
    pub(super) async fn head(&self, stream: &Stream) -> Stored<Head> {
        match self {
            Source::Store(store) => store.head(stream).await,
            Source::Export(export) => Ok(export.head(stream)),
        }
    }

    pub(super) async fn rulebook(&self, hash: Hash) -> Stored<Option<RulebookText>> {
        match self {
            Source::Store(store) => store.rulebook(hash).await,
            Source::Export(export) => Ok(export.rulebook(hash).cloned()),
        }
    }

    /// The snapshot of a stream. An export has none: whoever imports it makes their own.
    pub(super) async fn snapshot(&self, stream: &Stream) -> Stored<Option<Snapshot>> {
        match self {
            Source::Store(store) => store.snapshot(stream).await,
            Source::Export(_) => Ok(None),
        }
    }

    /// The days of reports that are kept of a stream. An export has none.
    pub(super) async fn days(&self, stream: &Stream) -> Stored<Vec<Day>> {
        match self {
            Source::Store(store) => store.days_of(stream).await,
            Source::Export(_) => Ok(Vec::new()),
        }
    }

    /// Everybody who has an account. An export has none.
    pub(super) async fn accounts(&self) -> Stored<Vec<Account>> {
        match self {
            Source::Store(store) => store.accounts().await,
            Source::Export(_) => Ok(Vec::new()),
        }
    }

    /// Whether a server may be writing to it at this moment.
    pub(super) fn is_live(&self) -> bool {
        matches!(self, Source::Store(_))
    }
}

impl Pages for Source<'_> {
    async fn records(&self, stream: &Stream, after: u64, limit: u32) -> Stored<Vec<Record>> {
        match self {
            Source::Store(store) => store.records(stream, after, limit).await,
            Source::Export(export) => export.records(stream, after, limit),
        }
    }
}

/// Why something could not be carried in or out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The store did not do as it was asked.
    Store(StoreError),
    /// The log does not hold.
    Unsound(Finding),
    /// It cannot be done, and why.
    Refused(String),
    /// A file could not be read or written.
    File(String),
}

impl Trouble {
    pub(super) fn refused<T>(reason: impl Into<String>) -> Result<T, Trouble> {
        Err(Trouble::Refused(reason.into()))
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Store(error) => error.fmt(f),
            Trouble::Unsound(finding) => write!(f, "the log does not hold: {finding}"),
            Trouble::Refused(reason) | Trouble::File(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Trouble {}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        Trouble::Store(error)
    }
}
