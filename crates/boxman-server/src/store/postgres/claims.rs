//! Nodes and pits in the database: the statements. Beats are on a connection of their own that
//! waits for no disk and for no standby: one that is away moves no pit.

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use sqlx::postgres::{PgConnection, PgRow};
use sqlx::{Connection, Row};
use tokio::time::timeout;

use super::super::pits::{Beat, Holding, Identity, Line, NodeRow, Notice, PitRow, Pits};
use super::super::rows::{down, readable};
use super::super::{StoreError, Stored};
use super::{Asking, Postgres};
use crate::log::{Record, Stream};
use crate::pit::Pit;

/// A beat, a claim or a hand-over that has not been answered by then failed.
const PATIENCE: Duration = Duration::from_secs(2);

fn late() -> StoreError {
    StoreError::Down("the database did not answer in time".to_owned())
}

#[async_trait]
impl Pits for Postgres {
    fn holding(&self) -> &Holding {
        &self.holding
    }

    async fn put(
        &self,
        me: &Identity,
        epochs: &BTreeSet<(Pit, i64)>,
        lines: &[Line<'_>],
    ) -> Stored<BTreeSet<Pit>> {
        self.put_lines(me, epochs, lines).await
    }

    async fn put_alone(&self, records: &[&Record]) -> Stored<()> {
        self.put_records(records).await
    }

    async fn take_free(&self, me: &Identity, most: usize) -> Stored<Vec<(Pit, i64)>> {
        let update = "WITH free AS (SELECT p.pit FROM pit p WHERE NOT EXISTS (SELECT 1 FROM node n \
                      WHERE n.name = p.name AND n.incarnation = p.incarnation AND \
                      n.state <> 'gone') ORDER BY p.pit LIMIT $3 FOR UPDATE OF p SKIP LOCKED) \
                      UPDATE pit SET name = $1, incarnation = $2, epoch = pit.epoch + 1 FROM free \
                      WHERE pit.pit = free.pit AND EXISTS (SELECT 1 FROM node n WHERE \
                      n.name = $1 AND n.incarnation = $2 AND n.state = 'up') \
                      RETURNING pit.pit, pit.epoch";
        let query = sqlx::query(update)
            .bind(me.name.clone())
            .bind(me.incarnation)
            .bind(i64::try_from(most).unwrap_or(i64::MAX));
        self.pits_changed(query).await
    }

    async fn take_again(&self, me: &Identity, pit: Pit) -> Stored<Option<i64>> {
        let update = "UPDATE pit SET epoch = epoch + 1 WHERE pit = $1 AND name = $2 AND \
                      incarnation = $3 RETURNING pit, epoch";
        let query =
            sqlx::query(update).bind(i32::from(pit.0)).bind(me.name.clone()).bind(me.incarnation);
        Ok(self.pits_changed(query).await?.first().map(|(_, epoch)| *epoch))
    }

    async fn give(
        &self,
        me: &Identity,
        (pit, epoch): (Pit, i64),
        to: &Identity,
    ) -> Stored<Option<i64>> {
        let update = "UPDATE pit SET name = $5, incarnation = $6, epoch = epoch + 1 WHERE pit = $1 \
                      AND name = $2 AND incarnation = $3 AND epoch = $4 AND EXISTS (SELECT 1 FROM \
                      node n WHERE n.name = $5 AND n.incarnation = $6 AND n.state = 'up') \
                      RETURNING pit, epoch";
        let query = sqlx::query(update)
            .bind(i32::from(pit.0))
            .bind(me.name.clone())
            .bind(me.incarnation)
            .bind(epoch)
            .bind(to.name.clone())
            .bind(to.incarnation);
        Ok(self.pits_changed(query).await?.first().map(|(_, epoch)| *epoch))
    }

    async fn streams_of(&self, pits: &[Pit]) -> Stored<Vec<Stream>> {
        let pits: Vec<i32> = pits.iter().map(|pit| i32::from(pit.0)).collect();
        let select = "SELECT stream FROM stream WHERE pit = ANY($1) ORDER BY stream";
        let rows = self.found(sqlx::query(select).bind(pits)).await?;
        Ok(readable(&rows, "a stream", |row| row.column("stream")))
    }

    async fn clock(&self) -> Stored<i64> {
        let select = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        self.on_beats(move |connection| {
            Box::pin(async move { sqlx::query_scalar(select).fetch_one(connection).await })
        })
        .await
    }

    async fn nodes(&self) -> Stored<Vec<NodeRow>> {
        self.on_beats(|connection| Box::pin(nodes(connection))).await
    }

    async fn enter(&self, node: &NodeRow) -> Stored<()> {
        let node = node.clone();
        self.on_beats(move |connection| {
            Box::pin(async move {
                let delete = "DELETE FROM node WHERE state = 'gone' AND NOT EXISTS (SELECT 1 FROM \
                              pit WHERE pit.name = node.name AND \
                              pit.incarnation = node.incarnation)";
                sqlx::query(delete).execute(&mut *connection).await?;
                let insert = "INSERT INTO node (name, incarnation, address, certificate, version, \
                              reads, beats, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
                sqlx::query(insert)
                    .bind(node.identity.name)
                    .bind(node.identity.incarnation)
                    .bind(node.address)
                    .bind(node.certificate)
                    .bind(node.version)
                    .bind(node.reads)
                    .bind(node.beats)
                    .bind(node.state)
                    .execute(&mut *connection)
                    .await
            })
        })
        .await
        .map(drop)
    }

    async fn count_beat(&self, me: &Identity, since: i64) -> Stored<Option<Beat>> {
        let Identity { name, incarnation } = me.clone();
        self.on_beats(move |connection| {
            Box::pin(async move {
                let update = "UPDATE node SET beats = beats + 1 WHERE name = $1 AND \
                              incarnation = $2 AND state <> 'gone' RETURNING beats";
                let beaten = sqlx::query(update)
                    .bind(name)
                    .bind(incarnation)
                    .fetch_optional(&mut *connection)
                    .await?;
                if beaten.is_none() {
                    return Ok(None);
                }
                let nodes = nodes(connection).await?;
                let pits = pits(connection).await?;
                let notices = notices(connection, since).await?;
                Ok(Some(Beat { nodes, pits, notices }))
            })
        })
        .await
    }

    async fn set_state(
        &self,
        node: &Identity,
        state: &'static str,
        beats: Option<i64>,
    ) -> Stored<bool> {
        let Identity { name, incarnation } = node.clone();
        let update = "UPDATE node SET state = $3 WHERE name = $1 AND incarnation = $2 AND \
                      state <> 'gone' AND ($4::bigint IS NULL OR beats = $4)";
        self.on_beats(move |connection| {
            Box::pin(async move {
                let query = sqlx::query(update).bind(name).bind(incarnation);
                let changed = query.bind(state).bind(beats).execute(connection).await?;
                Ok(changed.rows_affected() > 0)
            })
        })
        .await
    }
}

async fn nodes(connection: &mut PgConnection) -> Result<Vec<NodeRow>, sqlx::Error> {
    let select = "SELECT name, incarnation, address, certificate, version, reads, beats, state \
                  FROM node WHERE state <> 'gone' ORDER BY name, incarnation";
    let rows = sqlx::query(select).fetch_all(connection).await?;
    let node = |row: &PgRow| {
        Ok(NodeRow {
            identity: Identity { name: row.try_get(0)?, incarnation: row.try_get(1)? },
            address: row.try_get(2)?,
            certificate: row.try_get(3)?,
            version: row.try_get(4)?,
            reads: row.try_get(5)?,
            beats: row.try_get(6)?,
            state: row.try_get(7)?,
        })
    };
    rows.iter().map(node).collect()
}

async fn pits(connection: &mut PgConnection) -> Result<Vec<PitRow>, sqlx::Error> {
    let select = "SELECT pit, name, incarnation, epoch FROM pit ORDER BY pit";
    let rows = sqlx::query(select).fetch_all(connection).await?;
    let pit = |row: &PgRow| {
        let (name, incarnation) = (row.try_get::<Option<String>, _>(1)?, row.try_get(2)?);
        let owner = name.zip(incarnation);
        let owner = owner.map(|(name, incarnation)| Identity { name, incarnation });
        Ok(PitRow { pit: Pit(row.try_get::<i32, _>(0)? as u16), owner, epoch: row.try_get(3)? })
    };
    rows.iter().map(pit).collect()
}

async fn notices(connection: &mut PgConnection, since: i64) -> Result<Vec<Notice>, sqlx::Error> {
    let select = "SELECT what, who, at FROM notice WHERE at > $1";
    let rows = sqlx::query(select).bind(since).fetch_all(connection).await?;
    let notice = |row: &PgRow| {
        Ok(Notice { what: row.try_get(0)?, who: row.try_get(1)?, at: row.try_get(2)? })
    };
    rows.iter().map(notice).collect()
}

impl Postgres {
    /// Runs something on the connection for beats, which is made anew after a failure.
    async fn on_beats<T>(
        &self,
        query: impl for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Result<T, sqlx::Error>>,
    ) -> Stored<T> {
        let mut slot = self.beats.lock().await;
        let (primary, mut connection) = self.kept(&mut slot).await?;
        let asked = async {
            // A beat that is forgotten in a crash is none; a claim waits for all before it.
            let set = "SET synchronous_commit = off";
            sqlx::query(set).execute(&mut connection).await?;
            query(&mut connection).await
        };
        match timeout(PATIENCE, asked).await {
            Ok(Ok(done)) => {
                *slot = Some((primary, connection));
                Ok(done)
            }
            Ok(Err(error)) => Err(down(error)),
            Err(_) => {
                drop(tokio::spawn(connection.close_hard()));
                Err(late())
            }
        }
    }

    /// How many pits each node has.
    pub async fn pits_of_nodes(&self) -> Stored<Vec<(Identity, usize)>> {
        let select = "SELECT name, incarnation, count(*) FROM pit WHERE name IS NOT NULL \
                      GROUP BY name, incarnation";
        let rows = sqlx::query(select).fetch_all(&self.pool()).await.map_err(down)?;
        let node = |row: &PgRow| {
            let identity = Identity { name: row.try_get(0)?, incarnation: row.try_get(1)? };
            Ok((identity, row.try_get::<i64, _>(2)? as usize))
        };
        rows.iter().map(|row| node(row).map_err(down)).collect()
    }

    async fn pits_changed(&self, query: Asking<'_>) -> Stored<Vec<(Pit, i64)>> {
        self.expect_standby().await?;
        let rows = self.rows_within(&self.pools().claims, PATIENCE, query).await?;
        let row =
            |row: &PgRow| Ok((Pit(row.try_get::<i32, _>(0)? as u16), row.try_get::<i64, _>(1)?));
        rows.iter().map(|found| row(found).map_err(down)).collect()
    }
}
