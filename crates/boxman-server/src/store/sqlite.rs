//! The log in one SQLite file: written ahead, durable at every commit.

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use futures_util::stream::{BoxStream, StreamExt};
use sqlx::query::Query;
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row as _, SqliteConnection, Transaction};

use super::checkpoints::{Checkpoints, bring_in, keep_log_short};
use super::files::{Amiss, Files, beside, real_path};
use super::inspect::{self, Fault};
use super::rows::{damaged, down, number, readable};
use super::snapshot;
use super::sql::{self, Row, Sql, Value};
use super::{Account, Batch, Day, SealKey, Snapshot, Store, StoreError, Stored};
use crate::hash::Hash;
use crate::log::{Head, Record, Stream};

pub(super) const SCHEMA: &str = include_str!("schema.sql");
const SCHEMA_VERSION: &str = "3";

/// Records go in many to a statement, in batches of these sizes, so that every statement is
/// prepared once. One that fails does not undo what it has done so far: the whole transaction
/// is.
static INSERTS: LazyLock<Vec<(usize, String)>> = LazyLock::new(|| {
    [64, 16, 4, 1]
        .into_iter()
        .map(|size| {
            let columns = "stream, seq, command, body, hash";
            let rows = vec!["(?, ?, ?, ?, ?)"; size].join(", ");
            (size, format!("INSERT OR FAIL INTO record ({columns}) VALUES {rows}"))
        })
        .collect()
});

/// A SQLite file.
pub struct Sqlite {
    files: Arc<Files>,
    /// The key of the house, where whoever reads may have it.
    key: Option<SealKey>,
    writer: SqlitePool,
    readers: SqlitePool,
    checkpoints: Option<Checkpoints>,
}

impl Sqlite {
    /// Opens a file, and makes it where there is none. The key is the one beside it, which is
    /// made too.
    pub async fn open(path: &Path) -> Stored<Sqlite> {
        let real = real_path(path).map_err(|error| StoreError::Down(error.to_string()))?;
        let key = SealKey::open(&beside(&real, ".key"))?;
        Sqlite::open_with(&real, Some(key)).await
    }

    /// Opens a file, and makes it where there is none. Without a key snapshots are neither kept
    /// nor believed.
    pub fn open_with(path: &Path, key: Option<SealKey>) -> BoxFuture<'_, Stored<Sqlite>> {
        Box::pin(async move {
            let path = &real_path(path).map_err(|error| StoreError::Down(error.to_string()))?;
            let options = SqliteConnectOptions::new()
                .filename(path)
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .busy_timeout(Duration::from_secs(5))
                // Checkpoints are made beside the commits, which would otherwise wait for them.
                .pragma("wal_autocheckpoint", "0")
                // A transaction of many tables touches many pages; none is written out early.
                .pragma("cache_size", "-65536")
                .statement_cache_capacity(64);
            check_ours(path).await?;
            let writer = pool(1).connect_with(options.clone()).await.map_err(down)?;
            sqlx::raw_sql(SCHEMA).execute(&writer).await.map_err(down)?;
            // Whoever only reads goes through whole logs, and needs few pages twice. 8 MB.
            let options = options.pragma("cache_size", "-8192");
            let keeper = pool(1).connect_with(options.clone()).await.map_err(down)?;
            let readers = pool(3).connect_with(options.read_only(true)).await.map_err(down)?;
            let files = Arc::new(Files::of(path));
            let task = tokio::spawn(keep_log_short(keeper.clone(), Arc::clone(&files)));
            let checkpoints = Some(Checkpoints { task, keeper });
            let store = Sqlite { files, key, writer, readers, checkpoints };
            store.check_schema().await?;
            Ok(store)
        })
    }

    /// Opens a file that must be there, only to read it. The key is the one beside it, where it
    /// may be read.
    pub fn read(path: &Path) -> BoxFuture<'_, Stored<Sqlite>> {
        Box::pin(async move {
            let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            Sqlite::read_with(path, SealKey::read(&beside(&real, ".key"))).await
        })
    }

    /// Opens a file that must be there, only to read it.
    pub fn read_with(path: &Path, key: Option<SealKey>) -> BoxFuture<'_, Stored<Sqlite>> {
        Box::pin(async move {
            if !path.is_file() {
                return Err(StoreError::Down(format!("there is no file {}", path.display())));
            }
            // Nothing of it changes, not even a log that was written ahead and waits, as after a
            // crash. Where that is not there and nobody may make it, the file is read as it is.
            let options = SqliteConnectOptions::new()
                .filename(path)
                .busy_timeout(Duration::from_secs(5))
                .read_only(true);
            let readers = match pool(2).connect_with(options.clone()).await {
                Ok(readers) => readers,
                Err(_) if !beside(path, "-wal").exists() => {
                    pool(2).connect_with(options.immutable(true)).await.map_err(down)?
                }
                Err(error) => return Err(down(error)),
            };
            let (files, writer) = (Arc::new(Files::of(path)), readers.clone());
            let store = Sqlite { files, key, writer, readers, checkpoints: None };
            store.check_schema().await?;
            Ok(store)
        })
    }

    async fn check_schema(&self) -> Stored<()> {
        match self.setting("schema").await? {
            Some(version) => check_version(&version),
            None => self.set("schema", Some(SCHEMA_VERSION)).await,
        }
    }

    /// Bounds the file to so many pages, as a full disk would; the least it can be is what it is.
    /// Gives the bound that holds.
    pub async fn limit_pages(&self, pages: u32) -> Stored<u32> {
        let sql = format!("PRAGMA max_page_count = {pages}");
        let row = sqlx::query(AssertSqlSafe(sql)).fetch_one(&self.writer).await.map_err(down)?;
        row.try_get::<u32, _>(0).map_err(damaged)
    }

    /// Whether what is written, or has just been written, would be there after a crash. Nobody
    /// hears that it would not before what was acknowledged earlier has been saved.
    async fn check_files(&self) -> Stored<()> {
        let Err(amiss) = self.files.check() else { return Ok(()) };
        if let (Amiss::LogGone(_), Some(checkpoints)) = (&amiss, &self.checkpoints) {
            bring_in(&checkpoints.keeper, &self.files, "PRAGMA wal_checkpoint(FULL)").await;
        }
        Err(amiss.into())
    }

    /// Begins to write several things that are durable together or not at all.
    async fn begin(&self) -> Stored<Transaction<'static, sqlx::Sqlite>> {
        const BEGIN: &str = "BEGIN IMMEDIATE";
        self.check_files().await?;
        let begun = match self.writer.begin_with(BEGIN).await {
            // After a failure SQLite may have ended a transaction that the connection still counts.
            // Another would only be a mark inside of it, never be durable, and look as if it were.
            Err(sqlx::Error::InvalidSavePointStatement) => {
                let astray = self.writer.acquire().await.map_err(down)?;
                astray.close().await.map_err(down)?;
                self.writer.begin_with(BEGIN).await
            }
            begun => begun,
        };
        begun.map_err(down)
    }

    async fn write(&self, records: &[&Record]) -> Stored<()> {
        let mut transaction = self.begin().await?;
        insert(&mut transaction, records).await?;
        self.commit(transaction).await
    }

    /// Makes what was written durable.
    async fn commit(&self, transaction: Transaction<'static, sqlx::Sqlite>) -> Stored<()> {
        transaction.commit().await.map_err(down)?;
        self.check_files().await
    }
}

/// Connections that are there from the start, whatever descriptors are left later, and stay: when
/// the last one went, its log would go with it.
fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .min_connections(connections)
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(10))
        .idle_timeout(None)
        .max_lifetime(None)
}

fn refs(records: &[Record]) -> Vec<&Record> {
    records.iter().collect()
}

async fn insert(connection: &mut SqliteConnection, mut records: &[&Record]) -> Stored<()> {
    for (size, sql) in INSERTS.iter() {
        while records.len() >= *size {
            let (batch, rest) = records.split_at(*size);
            let mut query = sqlx::query(AssertSqlSafe(sql.as_str()));
            for record in batch {
                query = query
                    .bind(record.stream.to_string())
                    .bind(number(record.seq)?)
                    .bind(record.key.map(|key| key.to_string()))
                    .bind(record.body.as_str())
                    .bind(record.hash.to_string());
            }
            query.execute(&mut *connection).await.map_err(down)?;
            records = rest;
        }
    }
    Ok(())
}

async fn write_days(connection: &mut SqliteConnection, days: &[Day]) -> Stored<()> {
    let sql = "INSERT INTO day (stream, day, body) VALUES ($1, $2, $3) \
               ON CONFLICT (stream, day) DO UPDATE SET body = excluded.body";
    for day in days {
        sqlx::query(sql)
            .bind(day.stream.to_string())
            .bind(day.day.as_str())
            .bind(day.body.as_str())
            .execute(&mut *connection)
            .await
            .map_err(down)?;
    }
    Ok(())
}

#[async_trait]
impl Sql for Sqlite {
    async fn change(&self, sql: &'static str, values: &[Value<'_>]) -> Stored<u64> {
        self.check_files().await?;
        let done = bound(sql, values).execute(&self.writer).await.map_err(down)?;
        self.check_files().await?;
        Ok(done.rows_affected())
    }

    async fn rows(&self, sql: &'static str, values: &[Value<'_>]) -> Stored<Vec<Row>> {
        let rows = bound(sql, values).fetch_all(&self.readers).await.map_err(down)?;
        Ok(rows.into_iter().map(Row::Sqlite).collect())
    }
}

fn bound<'a>(
    sql: &'static str,
    values: &[Value<'a>],
) -> Query<'static, sqlx::Sqlite, SqliteArguments> {
    values.iter().fold(sqlx::query(sql), |query, value| match value {
        Value::Text(text) => query.bind(text.map(str::to_owned)),
        Value::Number(number) => query.bind(*number),
    })
}

#[async_trait]
impl Store for Sqlite {
    fn sql(&self) -> &dyn Sql {
        self
    }

    async fn append(&self, records: &[Record]) -> Stored<()> {
        self.write(&refs(records)).await
    }

    async fn append_batches(&self, batches: &[Batch]) -> Vec<Stored<()>> {
        let all: Vec<&Record> = batches.iter().flat_map(|batch| &batch.records).collect();
        match self.write(&all).await {
            Err(StoreError::Conflict) if batches.len() > 1 => {
                let mut answers = Vec::new();
                for batch in batches {
                    answers.push(self.write(&refs(&batch.records)).await);
                }
                answers
            }
            written => vec![written; batches.len()],
        }
    }

    async fn append_pages(&self, mut pages: BoxStream<'_, Stored<Vec<Record>>>) -> Stored<()> {
        let mut transaction = self.begin().await?;
        while let Some(page) = pages.next().await {
            insert(&mut transaction, &refs(&page?)).await?;
        }
        self.commit(transaction).await
    }

    async fn head(&self, stream: &Stream) -> Stored<Head> {
        let select = "SELECT seq, hash FROM record WHERE stream = $1 AND typeof(seq) = 'integer' \
                      ORDER BY seq DESC LIMIT 1";
        let stream = stream.to_string();
        sql::head(self.rows(select, &[(&stream).into()]).await?.first())
    }

    async fn streams(&self) -> Stored<Vec<Stream>> {
        // The first record of each stream: found by the index, however long the logs are.
        let select = "SELECT DISTINCT stream FROM record ORDER BY stream";
        let rows = self.rows(select, &[]).await?;
        Ok(readable(&rows, "a stream", |row| row.column("stream")))
    }

    async fn keep_snapshot(
        &self,
        snapshot: &Snapshot,
        folded: Option<&str>,
        days: &[Day],
    ) -> Stored<()> {
        let Some(key) = &self.key else { return Ok(()) };
        let mut transaction = self.begin().await?;
        let sql = "INSERT INTO snapshot (stream, seq, hash, body, checksum, seal) \
                   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (stream) DO UPDATE SET \
                   seq = excluded.seq, hash = excluded.hash, body = excluded.body, \
                   checksum = excluded.checksum, seal = excluded.seal \
                   WHERE excluded.seq > snapshot.seq";
        let kept = sqlx::query(sql)
            .bind(snapshot.stream.to_string())
            .bind(number(snapshot.head.seq)?)
            .bind(snapshot.head.hash.to_string())
            .bind(snapshot.body.as_str())
            .bind(snapshot.checksum.to_string())
            .bind(key.seal(&snapshot.sealed()).to_string())
            .execute(&mut *transaction)
            .await
            .map_err(down)?;
        // One that is newer already stays, and its days with it.
        if kept.rows_affected() > 0 {
            let query = sqlx::query("DELETE FROM day WHERE stream = $1 AND day > $2");
            let query = query.bind(snapshot.stream.to_string()).bind(folded.unwrap_or_default());
            query.execute(&mut *transaction).await.map_err(down)?;
            write_days(&mut transaction, days).await?;
        }
        self.commit(transaction).await
    }

    async fn snapshot(&self, stream: &Stream) -> Stored<Option<Snapshot>> {
        snapshot::read(self, stream, self.key.as_ref()).await
    }

    async fn drop_snapshot(&self, stream: &Stream) -> Stored<()> {
        let mut transaction = self.begin().await?;
        for sql in ["DELETE FROM snapshot WHERE stream = $1", "DELETE FROM day WHERE stream = $1"] {
            let query = sqlx::query(sql).bind(stream.to_string());
            query.execute(&mut *transaction).await.map_err(down)?;
        }
        self.commit(transaction).await
    }

    async fn keep_days(&self, stream: &Stream, through: &str, days: &[Day]) -> Stored<()> {
        let mut transaction = self.begin().await?;
        let query = sqlx::query("DELETE FROM day WHERE stream = $1 AND day <= $2");
        let query = query.bind(stream.to_string()).bind(through);
        query.execute(&mut *transaction).await.map_err(down)?;
        write_days(&mut transaction, days).await?;
        self.commit(transaction).await
    }

    async fn keep_account(&self, account: &Account, records: &[Record]) -> Stored<()> {
        let roles: Vec<&str> = account.roles.iter().map(|role| role.name()).collect();
        let mut transaction = self.begin().await?;
        insert(&mut transaction, &refs(records)).await?;
        let ended = "DELETE FROM session WHERE person IN (SELECT id FROM account WHERE id = $1 \
                     AND (roles <> $2 OR password <> $3))";
        sqlx::query(ended)
            .bind(account.id.as_str())
            .bind(roles.join(","))
            .bind(account.password.as_str())
            .execute(&mut *transaction)
            .await
            .map_err(down)?;
        let sql = "INSERT INTO account (id, login, table_name, roles, password) \
                   VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE SET \
                   table_name = excluded.table_name, roles = excluded.roles, \
                   password = excluded.password";
        sqlx::query(sql)
            .bind(account.id.as_str())
            .bind(account.login.as_str())
            .bind(account.table_name.as_str())
            .bind(roles.join(","))
            .bind(account.password.as_str())
            .execute(&mut *transaction)
            .await
            .map_err(down)?;
        self.commit(transaction).await
    }

    async fn faults(&self) -> Stored<Vec<Fault>> {
        let mut connection = self.readers.acquire().await.map_err(down)?;
        inspect::faults(self, &mut connection).await
    }

    fn seal(&self, text: &[u8]) -> Option<Hash> {
        self.key.as_ref().map(|key| key.seal(text))
    }

    async fn ping(&self) -> Stored<()> {
        let now = crate::log::now().to_string();
        self.set("pinged", Some(&now)).await
    }

    async fn close(&self) {
        if let Some(Checkpoints { task, keeper }) = &self.checkpoints {
            task.abort();
            keeper.close().await;
        }
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Looks at a file before anything is written to it: another program's is left as it is, and so
/// is one of another version.
async fn check_ours(path: &Path) -> Stored<()> {
    if path.metadata().map_or(true, |metadata| metadata.len() == 0) {
        return Ok(());
    }
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    let mut connection = options.connect().await.map_err(down)?;
    let found = async {
        let tables = "SELECT name FROM sqlite_master WHERE type = 'table'";
        let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&mut connection).await?;
        let has = |table: &str| tables.iter().any(|name| name == table);
        match (has("record"), has("setting")) {
            (false, _) if !tables.is_empty() => return Ok(Some(String::new())),
            // It was never finished.
            (false, _) | (true, false) => return Ok(None),
            (true, true) => {}
        }
        let version = "SELECT value FROM setting WHERE name = 'schema'";
        sqlx::query_scalar(version).fetch_optional(&mut connection).await
    };
    let found: Result<Option<String>, sqlx::Error> = found.await;
    let _ = connection.close().await;
    match found.map_err(down)? {
        None => Ok(()),
        Some(version) if version.is_empty() => {
            Err(StoreError::Down("it is another program's database, name a new file".to_owned()))
        }
        Some(version) => check_version(&version),
    }
}

fn check_version(version: &str) -> Stored<()> {
    match version == SCHEMA_VERSION {
        true => Ok(()),
        false => Err(StoreError::Down(format!(
            "it was written by another version of the program (schema {version}, this one knows \
             {SCHEMA_VERSION}): use that one, or begin a new store"
        ))),
    }
}
