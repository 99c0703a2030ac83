//! Snapshots: where a stream stood after some record, kept so that nobody has to read its whole log
//! to go on. A snapshot saves work and is never needed, so that one which is not this house's own
//! is dropped and the log read instead.

use super::rows::count;
use super::sql::Sql;
use super::{SealKey, Store, StoreError, Stored};
use crate::hash::Hash;
use crate::log::{Head, Stream};

/// Where a stream stood after some record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// Whose.
    pub stream: Stream,
    /// After which record.
    pub head: Head,
    /// The state, as JSON.
    pub body: String,
    /// The hash of all this, for those who do not have the key.
    pub checksum: Hash,
    /// Whose seal is on it.
    pub seal: Seal,
}

/// Whose seal is on something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// This house's.
    Ours,
    /// Nobody's, or somebody else's.
    NotOurs,
    /// Whoever reads it does not have the key.
    Unknown,
}

impl Snapshot {
    /// A snapshot with its checksum. The store seals it.
    pub fn new(stream: Stream, head: Head, body: String) -> Snapshot {
        let checksum = Hash::of(&Snapshot::text(&stream, head, &body));
        Snapshot { stream, head, body, checksum, seal: Seal::Unknown }
    }

    /// Whether nothing in it has been changed by accident.
    pub fn is_sound(&self) -> bool {
        self.checksum == Hash::of(&self.sealed())
    }

    /// What the seal is put on.
    pub(super) fn sealed(&self) -> Vec<u8> {
        Snapshot::text(&self.stream, self.head, &self.body)
    }

    fn text(stream: &Stream, head: Head, body: &str) -> Vec<u8> {
        let Head { seq, hash } = head;
        format!("snapshot {stream} {seq} {hash} {body}").into_bytes()
    }
}

/// The snapshot of a stream as a database has it, and whose seal is on it.
pub(super) async fn read(
    sql: &dyn Sql,
    stream: &Stream,
    key: Option<&SealKey>,
) -> Stored<Option<Snapshot>> {
    let select = "SELECT seq, hash, body, checksum, seal FROM snapshot WHERE stream = $1";
    let named = stream.to_string();
    let rows = sql.rows(select, &[(&named).into()]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let mut snapshot = Snapshot {
        stream: stream.clone(),
        head: Head { seq: count(row, "seq")?, hash: row.column("hash")? },
        body: row.text("body")?,
        checksum: row.column("checksum")?,
        seal: Seal::Unknown,
    };
    let seal: Hash = row.column("seal")?;
    if let Some(key) = key {
        let ours = key.fits(&snapshot.sealed(), seal);
        snapshot.seal = if ours { Seal::Ours } else { Seal::NotOurs };
    }
    Ok(Some(snapshot))
}

/// The snapshot of a stream, where this house has sealed it. Where the record it was taken after
/// is gone, or another, the log itself is damaged.
pub(crate) async fn ours(store: &dyn Store, stream: &Stream) -> Stored<Option<Snapshot>> {
    let reason = match store.snapshot(stream).await {
        Ok(Some(snapshot)) if snapshot.seal == Seal::Ours => {
            check_head(store, &snapshot).await?;
            return Ok(Some(snapshot));
        }
        Ok(Some(_)) => "it is not sealed with this house's key".to_owned(),
        Ok(None) => return Ok(None),
        Err(StoreError::Damaged(reason)) => reason,
        Err(error) => return Err(error),
    };
    drop(store, stream, &reason).await?;
    Ok(None)
}

/// Drops a snapshot, and says why.
pub(crate) async fn drop(store: &dyn Store, stream: &Stream, reason: &str) -> Stored<()> {
    tracing::warn!(%stream, reason, "a snapshot is dropped and the log read instead");
    store.drop_snapshot(stream).await
}

async fn check_head(store: &dyn Store, snapshot: &Snapshot) -> Stored<()> {
    let Snapshot { stream, head: Head { seq, hash }, .. } = snapshot;
    let record = store.records(stream, seq.saturating_sub(1), 1).await?;
    match record.first().is_some_and(|record| record.seq == *seq && record.hash == *hash) {
        true => Ok(()),
        false => {
            let reason = format!("{stream}: record {seq} is not the one a sealed snapshot follows");
            Err(StoreError::Damaged(reason))
        }
    }
}
