//! Who has which pit: nodes that beat, pits that are claimed, handed over and claimed again.
//!
//! Nothing here is safe by a clock. Clocks say when to try; the epoch that every append names says
//! whether it counts.

use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use sqlx::postgres::PgConnection;
use sqlx::{Connection, Row};
use tokio::time::timeout;

use super::super::rows::down;
use super::super::{StoreError, Stored};
use super::Postgres;
use super::holding::Identity;
use crate::dice::fresh_bytes;
use crate::log::now;
use crate::pit::Pit;

/// A beat, a claim or a hand-over that has not been answered by then failed.
const PATIENCE: Duration = Duration::from_secs(2);
/// Clocks further apart than this, in milliseconds, would put records in an order nobody believes.
const CLOCKS_APART: i64 = 1_000;
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
    /// The newest version of the log it reads.
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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

/// Nodes and pits in the database, on a connection of their own that waits for no disk and for no
/// standby: one that is away moves no pit.
#[derive(Default)]
pub struct Claims {
    connection: Option<PgConnection>,
    noticed: i64,
}

/// This program writes and reads the first version of the log.
const READS: i64 = 1;

impl Claims {
    async fn on<T>(
        &mut self,
        store: &Postgres,
        query: impl for<'c> FnOnce(&'c mut PgConnection) -> BoxFuture<'c, Result<T, sqlx::Error>>,
    ) -> Stored<T> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let mut connection = store.connect().await?;
                // A beat that is forgotten in a crash is none; a claim waits for all before it.
                let set = "SET synchronous_commit = off";
                sqlx::query(set).execute(&mut connection).await.map_err(down)?;
                connection
            }
        };
        let late = StoreError::Down("the database did not answer in time".to_owned());
        match timeout(PATIENCE, query(&mut connection)).await {
            Ok(Ok(done)) => {
                self.connection = Some(connection);
                Ok(done)
            }
            Ok(Err(error)) => Err(down(error)),
            Err(_) => {
                drop(tokio::spawn(connection.close_hard()));
                Err(late)
            }
        }
    }

    /// Enters this node under a new incarnation. Another that lives under its name keeps it out.
    pub async fn register(&mut self, store: &Postgres, peer: &Peer) -> Stored<Identity> {
        let incarnation =
            i64::from_be_bytes(fresh_bytes().map_err(|error| StoreError::Down(error.to_string()))?);
        let name = &peer.name;
        self.check_clock(store).await?;
        self.bury(store, Some(name)).await.map_err(|error| match error {
            StoreError::Conflict => StoreError::Down(format!(
                "a node named {name} is up already: stop it, or give this one another --node NAME"
            )),
            error => error,
        })?;
        let sent = Instant::now();
        let entered = peer.clone();
        self.on(store, move |connection| {
            Box::pin(async move {
                // Nobody asks any more for those who are gone and have left nothing behind.
                let delete = "DELETE FROM node WHERE state = 'gone' AND NOT EXISTS (SELECT 1 FROM \
                              pit WHERE pit.name = node.name AND \
                              pit.incarnation = node.incarnation)";
                sqlx::query(delete).execute(&mut *connection).await?;
                let insert = "INSERT INTO node (name, incarnation, address, certificate, version, \
                              reads, beats, state) VALUES ($1, $2, $3, $4, $5, $6, 1, 'up')";
                sqlx::query(insert)
                    .bind(entered.name)
                    .bind(incarnation)
                    .bind(entered.address)
                    .bind(entered.certificate)
                    .bind(env!("CARGO_PKG_VERSION"))
                    .bind(READS)
                    .execute(&mut *connection)
                    .await
            })
        })
        .await?;
        let identity = Identity { name: name.clone(), incarnation };
        store.holding.begin(identity.clone(), sent);
        Ok(identity)
    }

    async fn check_clock(&mut self, store: &Postgres) -> Stored<()> {
        let theirs: i64 = self
            .on(store, |connection| {
                let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
                Box::pin(async move { sqlx::query_scalar(sql).fetch_one(connection).await })
            })
            .await?;
        let apart = i64::try_from(now()).unwrap_or(i64::MAX).saturating_sub(theirs);
        match apart.abs() <= CLOCKS_APART {
            true => Ok(()),
            false => Err(StoreError::Down(format!(
                "this machine's clock is {} ms from the database's, which is more than a second: \
                 set it right (NTP) and start again",
                apart.abs()
            ))),
        }
    }

    /// Declares nodes gone that do not beat: those of a name, or all. One that does is a conflict.
    pub async fn bury(&mut self, store: &Postgres, name: Option<&str>) -> Stored<()> {
        let is_meant = |node: &NodeRow| name.is_none_or(|name| node.identity.name == name);
        let before: Vec<NodeRow> = self.nodes(store).await?.into_iter().filter(is_meant).collect();
        if before.is_empty() {
            return Ok(());
        }
        tokio::time::sleep(LEASE + LEASE / 5).await;
        for node in &before {
            if !self.declare_gone(store, node).await? {
                let now = self.nodes(store).await?;
                if now.iter().any(|now| now.identity == node.identity) {
                    return Err(StoreError::Conflict);
                }
            }
        }
        Ok(())
    }

    /// Every node that is not gone.
    pub async fn nodes(&mut self, store: &Postgres) -> Stored<Vec<NodeRow>> {
        self.on(store, |connection| Box::pin(nodes(connection))).await
    }

    /// Beats. Nothing comes back where this node has been declared gone.
    pub async fn beat(&mut self, store: &Postgres, identity: &Identity) -> Stored<Option<Beat>> {
        let since = self.noticed;
        let sent = Instant::now();
        let Identity { name, incarnation } = identity.clone();
        let beat = self
            .on(store, move |connection| {
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
            .await?;
        if let Some(beat) = &beat {
            store.holding.beaten(sent);
            // One that was written before the last look may come to light after it.
            const LATE: i64 = 10_000;
            let latest = beat.notices.iter().map(|notice| notice.at - LATE).max();
            self.noticed = latest.unwrap_or(since).max(since);
        }
        Ok(beat)
    }

    /// Declares a node gone that has not beaten since it was seen so; says whether it did.
    pub async fn declare_gone(&mut self, store: &Postgres, node: &NodeRow) -> Stored<bool> {
        let update = "UPDATE node SET state = 'gone' WHERE name = $1 AND incarnation = $2 AND \
                      beats = $3 AND state <> 'gone'";
        let (identity, beats) = (&node.identity, node.beats);
        self.change_node(store, update, identity, Some(beats)).await
    }

    /// Declares a node gone whether it beats or not.
    pub async fn evict(&mut self, store: &Postgres, identity: &Identity) -> Stored<bool> {
        let update = "UPDATE node SET state = 'gone' WHERE name = $1 AND incarnation = $2 AND \
                      state <> 'gone'";
        self.change_node(store, update, identity, None).await
    }

    /// This node takes no more pits.
    pub async fn drain(&mut self, store: &Postgres, identity: &Identity) -> Stored<bool> {
        let update = "UPDATE node SET state = 'draining' WHERE name = $1 AND incarnation = $2 AND \
                      state = 'up'";
        self.change_node(store, update, identity, None).await
    }

    async fn change_node(
        &mut self,
        store: &Postgres,
        update: &'static str,
        identity: &Identity,
        beats: Option<i64>,
    ) -> Stored<bool> {
        let Identity { name, incarnation } = identity.clone();
        self.on(store, move |connection| {
            Box::pin(async move {
                let query = sqlx::query(update).bind(name).bind(incarnation);
                let query = match beats {
                    Some(beats) => query.bind(beats),
                    None => query,
                };
                Ok(query.execute(connection).await?.rows_affected() > 0)
            })
        })
        .await
    }
}

async fn nodes(connection: &mut PgConnection) -> Result<Vec<NodeRow>, sqlx::Error> {
    let select = "SELECT name, incarnation, address, certificate, version, reads, beats, state \
                  FROM node WHERE state <> 'gone' ORDER BY name, incarnation";
    let rows = sqlx::query(select).fetch_all(connection).await?;
    let node = |row: &sqlx::postgres::PgRow| {
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
    let pit = |row: &sqlx::postgres::PgRow| {
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
    let notice = |row: &sqlx::postgres::PgRow| {
        Ok(Notice { what: row.try_get(0)?, who: row.try_get(1)?, at: row.try_get(2)? })
    };
    rows.iter().map(notice).collect()
}

impl Postgres {
    /// How many pits each node has.
    pub async fn pits_of_nodes(&self) -> Stored<Vec<(Identity, usize)>> {
        let select = "SELECT name, incarnation, count(*) FROM pit WHERE name IS NOT NULL \
                      GROUP BY name, incarnation";
        let rows = sqlx::query(select).fetch_all(&self.pool()).await.map_err(down)?;
        let node = |row: &sqlx::postgres::PgRow| {
            let identity = Identity { name: row.try_get(0)?, incarnation: row.try_get(1)? };
            Ok((identity, row.try_get::<i64, _>(2)? as usize))
        };
        rows.iter().map(|row| node(row).map_err(down)).collect()
    }

    /// Takes pits that nobody has, or only somebody who is gone: at most so many. They are this
    /// node's from then on.
    pub async fn claim(&self, most: usize) -> Stored<Vec<Pit>> {
        let update = "WITH free AS (SELECT p.pit FROM pit p WHERE NOT EXISTS (SELECT 1 FROM node n \
                      WHERE n.name = p.name AND n.incarnation = p.incarnation AND \
                      n.state <> 'gone') ORDER BY p.pit LIMIT $3 FOR UPDATE OF p SKIP LOCKED) \
                      UPDATE pit SET name = $1, incarnation = $2, epoch = pit.epoch + 1 FROM free \
                      WHERE pit.pit = free.pit AND EXISTS (SELECT 1 FROM node n WHERE \
                      n.name = $1 AND n.incarnation = $2 AND n.state = 'up') \
                      RETURNING pit.pit, pit.epoch";
        let Some(identity) = self.holding.identity() else { return Ok(Vec::new()) };
        let claimed = self
            .pits_changed(
                sqlx::query(update)
                    .bind(identity.name.clone())
                    .bind(identity.incarnation)
                    .bind(i64::try_from(most).unwrap_or(i64::MAX)),
            )
            .await?;
        let gained =
            claimed.iter().filter(|(pit, epoch)| self.holding.gain(&identity, *pit, *epoch));
        Ok(gained.map(|(pit, _)| *pit).collect())
    }

    /// Claims a pit again that stands in this node's name, at whatever epoch: what was on its way
    /// under an earlier one has arrived by then, or never will.
    pub async fn reclaim(&self, pit: Pit) -> Stored<()> {
        let update = "UPDATE pit SET epoch = epoch + 1 WHERE pit = $1 AND name = $2 AND \
                      incarnation = $3 RETURNING pit, epoch";
        let identity = self.holding.identity().ok_or(StoreError::Lost)?;
        let query = sqlx::query(update)
            .bind(i32::from(pit.0))
            .bind(identity.name.clone())
            .bind(identity.incarnation);
        let claimed = self.pits_changed(query).await?;
        match claimed.first() {
            // Meanwhile this node may have become somebody else.
            Some((pit, epoch)) if self.holding.gain(&identity, *pit, *epoch) => Ok(()),
            _ => {
                self.lose(pit);
                Err(StoreError::Lost)
            }
        }
    }

    /// Hands a pit over to a node that is up; gives its new epoch, or nothing where that could not
    /// be. Whether it could or not, it is not this node's any more.
    pub async fn hand_over(&self, pit: Pit, to: &Identity) -> Stored<Option<i64>> {
        let update = "UPDATE pit SET name = $5, incarnation = $6, epoch = epoch + 1 WHERE pit = $1 \
                      AND name = $2 AND incarnation = $3 AND epoch = $4 AND EXISTS (SELECT 1 FROM \
                      node n WHERE n.name = $5 AND n.incarnation = $6 AND n.state = 'up') \
                      RETURNING pit, epoch";
        let identity = self.holding.identity().ok_or(StoreError::Lost)?;
        let epoch = self.holding.epoch(pit).ok_or(StoreError::Lost)?;
        self.lose(pit);
        let query = sqlx::query(update)
            .bind(i32::from(pit.0))
            .bind(identity.name)
            .bind(identity.incarnation)
            .bind(epoch)
            .bind(to.name.clone())
            .bind(to.incarnation);
        Ok(self.pits_changed(query).await?.first().map(|(_, epoch)| *epoch))
    }

    async fn pits_changed(
        &self,
        query: sqlx::query::Query<'_, sqlx::Postgres, sqlx::postgres::PgArguments>,
    ) -> Stored<Vec<(Pit, i64)>> {
        let pool = self.pool();
        let late = StoreError::Down("the database did not answer in time".to_owned());
        let rows = timeout(PATIENCE, query.fetch_all(&pool)).await.map_err(|_| late)?;
        let row = |row: &sqlx::postgres::PgRow| {
            Ok((Pit(row.try_get::<i32, _>(0)? as u16), row.try_get::<i64, _>(1)?))
        };
        rows.map_err(down)?.iter().map(|found| row(found).map_err(down)).collect()
    }

    /// Holds a pit no longer, and has whoever listens know.
    pub fn lose(&self, pit: Pit) {
        if self.holding.lose(pit) {
            // Nobody may listen yet.
            let _ = self.lost.send(pit);
        }
    }

    /// Hears which pits are lost.
    pub fn lost(&self) -> tokio::sync::broadcast::Receiver<Pit> {
        self.lost.subscribe()
    }

    /// The pits this node believes to have.
    pub fn pits(&self) -> Vec<Pit> {
        self.holding.pits()
    }

    /// Which node this is.
    pub fn identity(&self) -> Option<Identity> {
        self.holding.identity()
    }

    /// Whether this node holds the pit of a log.
    pub fn holds(&self, pit: Pit) -> bool {
        self.holding.epoch(pit).is_some()
    }

    /// Whether what this node believes to have of a pit is older than this epoch.
    pub fn is_older(&self, pit: Pit, epoch: i64) -> bool {
        self.holding.epoch(pit).is_some_and(|held| held < epoch)
    }

    /// Whether others still take this node for alive.
    pub fn is_heard(&self) -> bool {
        self.holding.is_heard()
    }
}
