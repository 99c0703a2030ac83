//! Appends: one statement, which locks the pits, compares their epochs, writes and commits. There
//! is no transaction around it that an owner could fall asleep in.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Row};
use tokio::time::timeout;

use super::super::pits::{Identity, Line};
use super::super::rows::{down, number};
use super::super::{StoreError, Stored};
use super::Postgres;
use crate::log::Record;
use crate::pit::Pit;

/// An append that has not been answered by then is in doubt.
const PATIENCE: Duration = Duration::from_secs(2);

/// Records of a pit that is not returned were not written.
const APPEND: &str = "\
WITH held AS (
  SELECT p.pit FROM pit p JOIN unnest($1::int[], $2::bigint[]) AS c(pit, epoch)
    ON p.pit = c.pit AND p.epoch = c.epoch AND p.name = $10 AND p.incarnation = $11
    ORDER BY p.pit FOR UPDATE OF p
), line AS (
  SELECT r.* FROM unnest($3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::int[],
      $9::int[]) AS r(stream, seq, command, body, hash, pit, guard)
    LEFT JOIN held h ON h.pit = r.guard WHERE r.guard IS NULL OR h.pit IS NOT NULL
), begun AS (
  INSERT INTO stream (stream, pit) SELECT stream, pit FROM line WHERE seq = 1
    ON CONFLICT (stream) DO NOTHING
), put AS (
  INSERT INTO record (stream, seq, command, body, hash)
    SELECT stream, seq, command, body, hash FROM line
) SELECT pit FROM held";

/// Where no node is up, as for the command line, nobody has a pit.
const APPEND_ALONE: &str = "\
WITH line AS (
  SELECT r.* FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::int[])
      AS r(stream, seq, command, body, hash, pit)
    WHERE NOT EXISTS (SELECT 1 FROM node WHERE state <> 'gone')
), begun AS (
  INSERT INTO stream (stream, pit) SELECT stream, pit FROM line WHERE seq = 1
    ON CONFLICT (stream) DO NOTHING
) INSERT INTO record (stream, seq, command, body, hash)
    SELECT stream, seq, command, body, hash FROM line";

/// Records as columns.
struct Columns {
    streams: Vec<String>,
    numbers: Vec<i64>,
    commands: Vec<Option<String>>,
    bodies: Vec<String>,
    hashes: Vec<String>,
    pits: Vec<i32>,
}

impl Columns {
    fn of<'a>(records: impl Iterator<Item = &'a Record>) -> Stored<Columns> {
        let mut columns = Columns {
            streams: Vec::new(),
            numbers: Vec::new(),
            commands: Vec::new(),
            bodies: Vec::new(),
            hashes: Vec::new(),
            pits: Vec::new(),
        };
        for record in records {
            columns.streams.push(record.stream.to_string());
            columns.numbers.push(number(record.seq)?);
            columns.commands.push(record.key.map(|key| key.to_string()));
            columns.bodies.push(record.body.clone());
            columns.hashes.push(record.hash.to_string());
            columns.pits.push(i32::from(Pit::of(&record.stream).0));
        }
        Ok(columns)
    }
}

impl Postgres {
    /// Writes lines of pits that are held. Gives those that are.
    pub(super) async fn put_lines(
        &self,
        identity: &Identity,
        asked: &BTreeSet<(Pit, i64)>,
        lines: &[Line<'_>],
    ) -> Stored<BTreeSet<Pit>> {
        let columns = Columns::of(lines.iter().map(|(record, _)| *record))?;
        let guard = |(_, guard): &Line<'_>| guard.map(|pit| i32::from(pit.0));
        let guards: Vec<Option<i32>> = lines.iter().map(guard).collect();
        let house = self.lanes.len() - 1;
        let lane = asked.first().map_or(house, |(pit, _)| pit.index() % house);
        let pits: Vec<i32> = asked.iter().map(|(pit, _)| i32::from(pit.0)).collect();
        let epochs: Vec<i64> = asked.iter().map(|(_, epoch)| *epoch).collect();
        let Identity { name, incarnation } = identity.clone();
        self.on_lane(lane, move |connection| {
            Box::pin(async move {
                let rows = sqlx::query(APPEND)
                    .bind(pits)
                    .bind(epochs)
                    .bind(columns.streams)
                    .bind(columns.numbers)
                    .bind(columns.commands)
                    .bind(columns.bodies)
                    .bind(columns.hashes)
                    .bind(columns.pits)
                    .bind(guards)
                    .bind(name)
                    .bind(incarnation)
                    .fetch_all(connection)
                    .await
                    .map_err(down)?;
                let pit = |row: &sqlx::postgres::PgRow| row.try_get::<i32, _>(0).map_err(down);
                let pits: Stored<Vec<i32>> = rows.iter().map(pit).collect();
                Ok(pits?.into_iter().map(|pit| Pit(pit as u16)).collect())
            })
        })
        .await
    }

    /// Writes records where nobody has a pit.
    pub(super) async fn put_records(&self, records: &[&Record]) -> Stored<()> {
        let columns = Columns::of(records.iter().copied())?;
        let count = columns.streams.len() as u64;
        self.on_lane(0, move |connection| {
            Box::pin(async move {
                let done = sqlx::query(APPEND_ALONE)
                    .bind(columns.streams)
                    .bind(columns.numbers)
                    .bind(columns.commands)
                    .bind(columns.bodies)
                    .bind(columns.hashes)
                    .bind(columns.pits)
                    .execute(connection)
                    .await
                    .map_err(down)?;
                match done.rows_affected() == count {
                    true => Ok(()),
                    false => Err(StoreError::Down(super::IN_USE.to_owned())),
                }
            })
        })
        .await
    }

    /// Runs something on the connection of a lane, which is made anew after a failure: whatever
    /// was left on it is then nobody's.
    async fn on_lane<T>(
        &self,
        lane: usize,
        query: impl for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Stored<T>>,
    ) -> Stored<T> {
        let mut slot = self.lanes[lane].lock().await;
        self.expect_standby().await?;
        let (primary, mut connection) = self.kept(&mut slot).await?;
        let late = || {
            self.unanswered.store(true, Ordering::Relaxed);
            StoreError::Down("the database did not answer in time".to_owned())
        };
        let patience = if self.holding.identity().is_some() { PATIENCE } else { 60 * PATIENCE };
        let answer =
            timeout(patience, query(&mut connection)).await.unwrap_or_else(|_| Err(late()));
        match &answer {
            Ok(_) | Err(StoreError::Conflict | StoreError::Lost) => {
                *slot = Some((primary, connection));
            }
            // It is not waited for: it may never answer.
            Err(_) => drop(tokio::spawn(connection.close_hard())),
        }
        answer
    }
}
