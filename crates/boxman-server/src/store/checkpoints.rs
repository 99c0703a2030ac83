//! Bringing what was written ahead into the file, so that the one does not grow for ever.

use std::sync::Arc;
use std::time::Duration;

use sqlx::Row;
use sqlx::sqlite::SqlitePool;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use super::files::{Amiss, Files};

/// How often the log is brought into the file.
const CHECKPOINT_PACE: Duration = Duration::from_millis(500);
/// So many pages make a long log: 256 MB.
const LONG_LOG: i64 = 65_536;

/// The task that brings the log into the file, and its connection.
pub(super) struct Checkpoints {
    pub(super) task: JoinHandle<()>,
    pub(super) keeper: SqlitePool,
}

impl Drop for Checkpoints {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Brings what was written ahead into the file, on a connection of its own, while commits go on.
/// Where the log has grown long in spite of it, commits wait a moment for the little that is
/// left, so that it can begin anew.
pub(super) async fn keep_log_short(keeper: SqlitePool, files: Arc<Files>) {
    let mut pace = tokio::time::interval(CHECKPOINT_PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        pace.tick().await;
        // A store in trouble is noticed by those who write to it. What a deleted log holds is
        // saved; what was cut is left as it is.
        if matches!(files.check(), Err(Amiss::Ruined(_))) {
            continue;
        }
        let passing = "PRAGMA wal_checkpoint(PASSIVE)";
        if bring_in(&keeper, &files, passing).await.is_some_and(|pages| pages > LONG_LOG) {
            bring_in(&keeper, &files, passing).await;
            bring_in(&keeper, &files, "PRAGMA wal_checkpoint(RESTART)").await;
        }
    }
}

/// Brings the log into the file. Gives how many pages it has.
pub(super) async fn bring_in(keeper: &SqlitePool, files: &Files, how: &'static str) -> Option<i64> {
    // There is one connection for this, so that one does it at a time.
    let mut connection = keeper.acquire().await.ok()?;
    files.begin_growing();
    let row = sqlx::query(how).fetch_one(&mut *connection).await;
    files.end_growing();
    row.ok()?.try_get(1).ok()
}
