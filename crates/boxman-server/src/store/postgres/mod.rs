//! The log in a PostgreSQL: durable at every commit, on a standby too where there is one, and
//! shared by several nodes.

mod address;
mod append;
mod claims;
mod primary;
mod schema;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::stream::{BoxStream, StreamExt};
use sqlx::Connection;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgPool, PgRow};
use sqlx::query::Query;
use tokio::sync::Mutex;
use tokio::time::timeout;

pub use self::address::PostgresAddress;
use self::primary::{Borrowed, Lane, Pools, waits};
use self::schema::{Schema, check_version, make, schema_of};
use super::inspect::{self, Fault};
use super::pits::{self, Holding, Pits};
use super::rows::{down, number, readable};
use super::sql::{self, Row, Sql, Value};
use super::{Account, Batch, Day, SealKey, Snapshot, Store, StoreError, Stored, snapshot};
use crate::hash::Hash;
use crate::log::{Head, Record, Stream};
use crate::pit::Pit;

/// What is said to whoever would write beside nodes that are up.
const IN_USE: &str = "a node is up and uses it: stop every node first";

/// What is said where a standby is promised and none is waited for.
const NO_STANDBYS: &str = "--durability replica needs synchronous_standby_names, which is empty: \
                           set it to 'ANY 1 (…)', or use --durability local";

/// Batches are written in so many lanes, and what is only the house's in one more.
const LANES: usize = 4;
/// The most records that are brought in at once.
const AT_ONCE: usize = 200_000;

/// What has to happen before anything is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Durability {
    /// It is on a standby's disk as well.
    Replica,
    /// It is on the primary's disk.
    #[default]
    Local,
}

/// A statement and its values.
type Asking<'q> = Query<'q, sqlx::Postgres, PgArguments>;

/// What a node asks for and is not answered by then, is not answered.
const PATIENCE: Duration = Duration::from_secs(10);
/// Whether it can be written to is known by then.
const PING: Duration = Duration::from_secs(2);

/// A PostgreSQL database.
pub struct Postgres {
    address: PostgresAddress,
    durability: Durability,
    /// Whether a database that waits for no standby is refused, where one is promised.
    strict: bool,
    key: Option<SealKey>,
    pools: RwLock<Pools>,
    /// The primary, and its timeline.
    host: Mutex<(PgConnectOptions, String)>,
    lanes: Vec<Lane>,
    /// For nodes and their beats.
    beats: Lane,
    /// Counts primaries: a connection to an earlier one is not used any more.
    primaries: AtomicU64,
    /// Whether something was not answered in time: perhaps it waits for a standby.
    unanswered: AtomicBool,
    holding: Holding,
}

impl Postgres {
    /// Opens a database that has this program's tables, and makes them in one that has nothing.
    pub async fn open(
        address: &PostgresAddress,
        key: Option<SealKey>,
        durability: Durability,
    ) -> Stored<Postgres> {
        let found = address.primary().await?;
        let (host, mut connection) = ((found.options, found.timeline), found.connection);
        match schema_of(&mut connection).await? {
            Schema::Empty => make(&mut connection).await?,
            Schema::Ours(version) => check_version(&version)?,
            Schema::Foreign => {
                let other = "it is another program's database, name an empty one";
                return Err(StoreError::Down(other.to_owned()));
            }
        }
        if durability == Durability::Replica && !waits(&mut connection).await.map_err(down)? {
            return Err(StoreError::Down(NO_STANDBYS.to_owned()));
        }
        let _ = connection.close().await;
        let store = Postgres::at(address, host, key, durability, true);
        store.check_durability().await?;
        Ok(store)
    }

    /// Opens a database only to read it, be it a standby.
    pub async fn read(address: &PostgresAddress, key: Option<SealKey>) -> Stored<Postgres> {
        let found = address.any().await?;
        let (host, mut connection) = ((found.options, found.timeline), found.connection);
        match schema_of(&mut connection).await? {
            Schema::Ours(version) => check_version(&version)?,
            Schema::Empty | Schema::Foreign => {
                return Err(StoreError::Down("there is no store in this database".to_owned()));
            }
        }
        let _ = connection.close().await;
        // Whatever is confirmed is on a standby too, where there is one to wait for.
        Ok(Postgres::at(address, host, key, Durability::Replica, false))
    }

    /// Opens a database to write to it beside no node: those that do not beat any more are
    /// declared gone, and one that does is in the way.
    pub async fn open_alone(address: &PostgresAddress, key: Option<SealKey>) -> Stored<Postgres> {
        let mut store = Postgres::open(address, key, Durability::Local).await?;
        // What is written here is on a standby too, where the database waits for one.
        store.durability = Durability::Replica;
        let host = store.host.get_mut().0.clone();
        store.pools = RwLock::new(Pools::to(&host, Durability::Replica, false));
        let buried = (&store as &dyn Pits).bury(None).await;
        buried.map_err(|error| match error {
            StoreError::Conflict => StoreError::Down(IN_USE.to_owned()),
            error => error,
        })?;
        Ok(store)
    }

    fn at(
        address: &PostgresAddress,
        host: (PgConnectOptions, String),
        key: Option<SealKey>,
        durability: Durability,
        strict: bool,
    ) -> Postgres {
        let strict = strict && durability == Durability::Replica;
        Postgres {
            address: address.clone(),
            durability,
            strict,
            key,
            pools: RwLock::new(Pools::to(&host.0, durability, strict)),
            host: Mutex::new(host),
            lanes: (0..=LANES).map(|_| Mutex::default()).collect(),
            beats: Mutex::default(),
            primaries: AtomicU64::new(0),
            unanswered: AtomicBool::new(false),
            holding: Holding::default(),
        }
    }

    fn pools(&self) -> Pools {
        self.pools.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn pool(&self) -> PgPool {
        self.pools().plain
    }

    /// Whether the database promises what is asked of it. Says what it promises otherwise.
    pub async fn check_durability(&self) -> Stored<()> {
        let select = "SELECT current_setting('fsync') AS fsync, \
                      current_setting('full_page_writes') AS pages, \
                      current_setting('synchronous_standby_names') AS standbys, \
                      (SELECT count(*) FROM pg_stat_replication \
                       WHERE sync_state IN ('sync', 'quorum')) AS present, \
                      (SELECT count(*) FROM pg_stat_replication) AS all_present";
        let rows = self.rows(select, &[]).await?;
        let Some(row) = rows.first() else { return Ok(()) };
        let not = |reason: &str| Err(StoreError::Down(reason.to_owned()));
        if row.text("fsync")? != "on" || row.text("pages")? != "on" {
            return not(
                "it runs with fsync or full_page_writes off and would lose what it says is \
                        durable: turn them on",
            );
        }
        if self.durability == Durability::Local {
            return Ok(());
        }
        if row.text("standbys")?.trim().is_empty() {
            return not(NO_STANDBYS);
        }
        match (row.number("present")?, row.number("all_present")?) {
            (0, 0) => {
                not("--durability replica needs a synchronous standby, and none is connected")
            }
            (0, _) => not("--durability replica needs a synchronous standby, and none of those \
                           connected is one, or this role may not see it (GRANT pg_monitor)"),
            _ => Ok(()),
        }
    }

    /// Goes on only where a commit would not wait for a standby that is away. The database keeps a
    /// connection busy for each that does, though whoever asked has turned away: they would pile
    /// up until it takes no more.
    async fn expect_standby(&self) -> Stored<()> {
        if self.strict && self.unanswered.load(Ordering::Relaxed) {
            self.check_durability().await?;
            self.unanswered.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    async fn found(&self, query: Asking<'_>) -> Stored<Vec<Row>> {
        let rows = self.rows_within(&self.pool(), self.patience(), query).await?;
        Ok(rows.into_iter().map(Row::Postgres).collect())
    }

    async fn rows_within(
        &self,
        pool: &PgPool,
        patience: Duration,
        query: Asking<'_>,
    ) -> Stored<Vec<PgRow>> {
        let mut connection = Borrowed::of(pool).await?;
        let answer = timeout(patience, query.fetch_all(connection.get()?)).await;
        self.unanswered.fetch_or(answer.is_err(), Ordering::Relaxed);
        connection.answered(answer)
    }

    async fn changed(&self, query: Asking<'_>) -> Stored<u64> {
        self.changed_within(self.patience(), query).await
    }

    async fn changed_within(&self, patience: Duration, query: Asking<'_>) -> Stored<u64> {
        self.expect_standby().await?;
        let mut connection = Borrowed::of(&self.pool()).await?;
        let answer = timeout(patience, query.execute(connection.get()?)).await;
        self.unanswered.fetch_or(answer.is_err(), Ordering::Relaxed);
        Ok(connection.answered(answer)?.rows_affected())
    }

    /// A node has others waiting; on the command line a question may take its time.
    fn patience(&self) -> Duration {
        if self.holding.identity().is_some() { PATIENCE } else { 360 * PATIENCE }
    }
}

/// What a database says of an error, without what only programmers read.
fn said(error: &sqlx::Error) -> String {
    match error {
        sqlx::Error::Database(database) => database.message().to_owned(),
        error => error.to_string(),
    }
}

fn bound(sql: &'static str, values: &[Value<'_>]) -> Asking<'static> {
    values.iter().fold(sqlx::query(sql), |query, value| match value {
        Value::Text(text) => query.bind(text.map(str::to_owned)),
        Value::Number(number) => query.bind(*number),
    })
}

#[async_trait]
impl Sql for Postgres {
    async fn change(&self, sql: &'static str, values: &[Value<'_>]) -> Stored<u64> {
        self.changed(bound(sql, values)).await
    }

    async fn rows(&self, sql: &'static str, values: &[Value<'_>]) -> Stored<Vec<Row>> {
        // No text here can hold this letter, so nothing is found by one that does.
        let has_nul = |value: &Value<'_>| matches!(value, Value::Text(Some(t)) if t.contains('\0'));
        if values.iter().any(has_nul) {
            return Ok(Vec::new());
        }
        self.found(bound(sql, values)).await
    }
}

#[async_trait]
impl Store for Postgres {
    fn sql(&self) -> &dyn Sql {
        self
    }

    fn shared(&self) -> Option<&dyn Pits> {
        Some(self)
    }

    async fn append(&self, records: &[Record]) -> Stored<()> {
        (self as &dyn Pits).append_now(records).await
    }

    async fn append_batches(&self, batches: &[Batch]) -> Vec<Stored<()>> {
        pits::append(self, batches).await
    }

    async fn append_pages(&self, mut pages: BoxStream<'_, Stored<Vec<Record>>>) -> Stored<()> {
        let mut all = Vec::new();
        while let Some(page) = pages.next().await {
            all.extend(page?);
            if all.len() > AT_ONCE {
                return Err(StoreError::Down(format!(
                    "that is more than the {AT_ONCE} records that are brought in at once: bring \
                     it into a SQLite store, and `boxman copy` that one"
                )));
            }
        }
        let owned = all.iter().filter(|record| record.stream != Stream::House);
        let pits: std::collections::BTreeSet<Pit> =
            owned.map(|record| Pit::of(&record.stream)).collect();
        if self.holding.identity().is_some() && pits.len() > 1 {
            return Err(StoreError::Down(
                "that table shares its meters with others, which may be on other nodes: stop \
                 every node and use `boxman import`"
                    .to_owned(),
            ));
        }
        self.append(&all).await
    }

    async fn confirm(&self) -> Stored<()> {
        let standby = self.rows("SELECT pg_is_in_recovery()::text AS standby", &[]).await?;
        if standby.first().is_some_and(|row| row.text("standby").as_deref() == Ok("true")) {
            // What a standby has is on a standby.
            return Ok(());
        }
        // One commit waits for all before it.
        self.set("confirmed", Some(&crate::log::now().to_string())).await
    }

    fn lanes(&self) -> usize {
        self.lanes.len()
    }

    async fn head(&self, stream: &Stream) -> Stored<Head> {
        let select = "SELECT seq, hash FROM record WHERE stream = $1 ORDER BY seq DESC LIMIT 1";
        let stream = stream.to_string();
        sql::head(self.rows(select, &[(&stream).into()]).await?.first())
    }

    async fn streams(&self) -> Stored<Vec<Stream>> {
        let rows = self.rows("SELECT stream FROM stream ORDER BY stream", &[]).await?;
        Ok(readable(&rows, "a stream", |row| row.column("stream")))
    }

    async fn keep_snapshot(
        &self,
        snapshot: &Snapshot,
        folded: Option<&str>,
        days: &[Day],
    ) -> Stored<()> {
        let Some(key) = &self.key else { return Ok(()) };
        // One that is newer already stays, and its days with it.
        let insert = "WITH kept AS (INSERT INTO snapshot (stream, seq, hash, body, checksum, seal) \
                      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (stream) DO UPDATE SET \
                      seq = excluded.seq, hash = excluded.hash, body = excluded.body, \
                      checksum = excluded.checksum, seal = excluded.seal \
                      WHERE excluded.seq > snapshot.seq RETURNING stream), \
                      cleared AS (DELETE FROM day WHERE stream = (SELECT stream FROM kept) \
                      AND day > $7 AND day <> ALL($8)) \
                      INSERT INTO day (stream, day, body) SELECT kept.stream, d.day, d.body \
                      FROM kept, unnest($8::text[], $9::text[]) AS d(day, body) \
                      ON CONFLICT (stream, day) DO UPDATE SET body = excluded.body";
        let (names, bodies): (Vec<&str>, Vec<&str>) =
            days.iter().map(|day| (day.day.as_str(), day.body.as_str())).unzip();
        let kept = sqlx::query(insert)
            .bind(snapshot.stream.to_string())
            .bind(number(snapshot.head.seq)?)
            .bind(snapshot.head.hash.to_string())
            .bind(snapshot.body.as_str())
            .bind(snapshot.checksum.to_string())
            .bind(key.seal(&snapshot.sealed()).to_string())
            .bind(folded.unwrap_or_default())
            .bind(names)
            .bind(bodies);
        self.changed(kept).await.map(drop)
    }

    async fn snapshot(&self, stream: &Stream) -> Stored<Option<Snapshot>> {
        snapshot::read(self, stream, self.key.as_ref()).await
    }

    async fn drop_snapshot(&self, stream: &Stream) -> Stored<()> {
        let delete = "WITH gone AS (DELETE FROM snapshot WHERE stream = $1) \
                      DELETE FROM day WHERE stream = $1";
        let stream = stream.to_string();
        self.change(delete, &[(&stream).into()]).await.map(drop)
    }

    async fn keep_days(&self, stream: &Stream, through: &str, days: &[Day]) -> Stored<()> {
        let insert = "WITH cleared AS (DELETE FROM day WHERE stream = $1 AND day <= $2 \
                      AND day <> ALL($3)) \
                      INSERT INTO day (stream, day, body) SELECT $1, d.day, d.body \
                      FROM unnest($3::text[], $4::text[]) AS d(day, body) \
                      ON CONFLICT (stream, day) DO UPDATE SET body = excluded.body";
        let (names, bodies): (Vec<&str>, Vec<&str>) =
            days.iter().map(|day| (day.day.as_str(), day.body.as_str())).unzip();
        let kept =
            sqlx::query(insert).bind(stream.to_string()).bind(through).bind(names).bind(bodies);
        self.changed(kept).await.map(drop)
    }

    async fn keep_account(&self, account: &Account, records: &[Record]) -> Stored<()> {
        let insert = "WITH line AS (SELECT * FROM unnest($6::text[], $7::bigint[], $8::text[], \
                      $9::text[]) AS r(stream, seq, body, hash)), \
                      begun AS (INSERT INTO stream (stream, pit) SELECT stream, $10 FROM line \
                      WHERE seq = 1 ON CONFLICT (stream) DO NOTHING), \
                      put AS (INSERT INTO record (stream, seq, body, hash) \
                      SELECT stream, seq, body, hash FROM line), \
                      other AS (SELECT id FROM account WHERE id = $1 AND \
                      (roles <> $4 OR password <> $5)), \
                      ended AS (DELETE FROM session WHERE person IN (SELECT id FROM other)), \
                      told AS (INSERT INTO notice (what, who, at) SELECT 'person', id, \
                      (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM other) \
                      INSERT INTO account (id, login, table_name, roles, password) \
                      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE SET \
                      table_name = excluded.table_name, roles = excluded.roles, \
                      password = excluded.password";
        let roles: Vec<&str> = account.roles.iter().map(|role| role.name()).collect();
        let text = |of: fn(&Record) -> String| records.iter().map(of).collect::<Vec<String>>();
        let numbers: Stored<Vec<i64>> = records.iter().map(|record| number(record.seq)).collect();
        let kept = sqlx::query(insert)
            .bind(account.id.as_str())
            .bind(account.login.as_str())
            .bind(account.table_name.as_str())
            .bind(roles.join(","))
            .bind(account.password.as_str())
            .bind(text(|record| record.stream.to_string()))
            .bind(numbers?)
            .bind(text(|record| record.body.clone()))
            .bind(text(|record| record.hash.to_string()))
            .bind(i32::from(Pit::of(&Stream::House).0));
        self.changed(kept).await.map(drop)
    }

    async fn end_session(&self, token: Hash) -> Stored<()> {
        let token = token.to_string();
        let delete = "WITH gone AS (DELETE FROM session WHERE token = $1) \
                      INSERT INTO notice (what, who, at) VALUES ('session', $1, \
                      (extract(epoch FROM clock_timestamp()) * 1000)::bigint)";
        self.change(delete, &[(&token).into()]).await.map(drop)
    }

    async fn end_sessions_of(&self, person: &str) -> Stored<()> {
        let delete = "WITH gone AS (DELETE FROM session WHERE person = $1) \
                      INSERT INTO notice (what, who, at) VALUES ('person', $1, \
                      (extract(epoch FROM clock_timestamp()) * 1000)::bigint)";
        self.change(delete, &[person.into()]).await.map(drop)
    }

    async fn tell_renamed(&self, person: &str) -> Stored<()> {
        let insert = "INSERT INTO notice (what, who, at) VALUES ('renamed', $1, \
                      (extract(epoch FROM clock_timestamp()) * 1000)::bigint)";
        self.change(insert, &[person.into()]).await.map(drop)
    }

    async fn forget_sessions(&self, now: u64) -> Stored<()> {
        self.change("DELETE FROM session WHERE expires < $1", &[number(now)?.into()]).await?;
        let delete = "DELETE FROM notice WHERE at < \
                      (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 60000";
        self.change(delete, &[]).await.map(drop)
    }

    async fn faults(&self) -> Stored<Vec<Fault>> {
        inspect::rows(self, &inspect::POSTGRES).await
    }

    fn seal(&self, text: &[u8]) -> Option<Hash> {
        self.key.as_ref().map(|key| key.seal(text))
    }

    async fn ping(&self) -> Stored<()> {
        let now = crate::log::now().to_string();
        let insert = "INSERT INTO setting (name, value) VALUES ('pinged', $1) \
                      ON CONFLICT (name) DO UPDATE SET value = excluded.value";
        self.changed_within(PING, sqlx::query(insert).bind(now)).await?;
        self.check_durability().await
    }

    async fn close(&self) {
        for lane in self.lanes.iter().chain([&self.beats]) {
            if let Some((_, connection)) = lane.lock().await.take() {
                let _ = connection.close().await;
            }
        }
        self.pools().close().await;
    }
}
