//! Where a PostgreSQL is: one host or several, of which one takes writes.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use futures_util::stream::{FuturesUnordered, StreamExt};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{ConnectOptions, Row};
use tokio::time::timeout;

use super::super::{StoreError, Stored};
use super::said;

/// A host that has not answered by then does not.
const CONNECT: Duration = Duration::from_secs(2);
/// Once one has been found that takes writes, others have so long to say the same.
const ANOTHER: Duration = Duration::from_millis(250);

/// `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?OPTIONS`: a primary and its standbys, in
/// any order.
#[derive(Clone)]
pub struct PostgresAddress {
    hosts: Vec<PgConnectOptions>,
    shown: String,
}

impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl PartialEq for PostgresAddress {
    fn eq(&self, other: &PostgresAddress) -> bool {
        self.shown == other.shown
    }
}

impl Eq for PostgresAddress {}

impl FromStr for PostgresAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<PostgresAddress, String> {
        let form = "expected postgres://USER:PASSWORD@HOST:PORT/DATABASE";
        let rest = text.strip_prefix("postgres://").or_else(|| text.strip_prefix("postgresql://"));
        let rest = rest.ok_or_else(|| form.to_owned())?;
        let (place, database) = rest.split_once('/').ok_or_else(|| form.to_owned())?;
        let (user, hosts) =
            place.rsplit_once('@').map_or(("", place), |(user, hosts)| (user, hosts));
        if hosts.is_empty() || database.split('?').next() == Some("") {
            return Err(form.to_owned());
        }
        let mut all = Vec::new();
        for host in hosts.split(',') {
            let at = if user.is_empty() { "" } else { "@" };
            let one = format!("postgres://{user}{at}{host}/{database}");
            let options = PgConnectOptions::from_str(&one).map_err(|error| {
                // Not the address itself: a password is in it.
                format!("{} ({form})", error.to_string().replace(&one, "the address"))
            })?;
            all.push(options.disable_statement_logging());
        }
        let user = user.split(':').next().unwrap_or_default();
        let at = if user.is_empty() { "" } else { "@" };
        let database = database.split('?').next().unwrap_or_default();
        Ok(PostgresAddress {
            hosts: all,
            shown: format!("postgres://{user}{at}{hosts}/{database}"),
        })
    }
}

/// A host that answers.
pub(super) struct Found {
    pub(super) options: PgConnectOptions,
    pub(super) connection: PgConnection,
    standby: bool,
    /// Another after each promotion.
    pub(super) timeline: String,
}

impl PostgresAddress {
    /// The host that takes writes. Where several say so, as after a promotion while the old primary
    /// is still there, the one that was promoted last.
    pub(super) async fn primary(&self) -> Stored<Found> {
        let look = async |host: &PgConnectOptions| {
            (format!("{}:{}", host.get_host(), host.get_port()), look(host.clone()).await)
        };
        let mut looks: FuturesUnordered<_> = self.hosts.iter().map(look).collect();
        let (mut best, mut failures): (Option<Found>, Vec<String>) = (None, Vec::new());
        loop {
            // One that does not answer keeps nobody from one that does, but for a moment: it may
            // have been promoted since.
            let next = match &best {
                Some(_) => timeout(ANOTHER, looks.next()).await.unwrap_or(None),
                None => looks.next().await,
            };
            let Some((place, found)) = next else { break };
            match found {
                Ok(found) if found.standby => failures.push(format!(
                    "{place} is a standby, which takes no writes: name its primary, or promote it"
                )),
                Ok(found) if best.as_ref().is_some_and(|best| best.timeline >= found.timeline) => {}
                Ok(found) => best = Some(found),
                Err(reason) => failures.push(format!("{place}: {reason}")),
            }
        }
        match best {
            Some(found) => Ok(found),
            None => Err(StoreError::Down(failures.join("; "))),
        }
    }

    /// Whether there is nothing to choose from.
    pub(super) fn is_one_host(&self) -> bool {
        self.hosts.len() == 1
    }

    /// Any host that answers, a standby too: to read, where nothing is written.
    pub(super) async fn any(&self) -> Stored<Found> {
        let primary = self.primary().await;
        if let Ok(found) = primary {
            return Ok(found);
        }
        for host in &self.hosts {
            if let Ok(found) = look(host.clone()).await {
                return Ok(found);
            }
        }
        primary
    }
}

/// Asks a host what it is.
async fn look(options: PgConnectOptions) -> Result<Found, String> {
    let asked = async {
        let mut connection = options.connect().await?;
        let sql = "SELECT pg_is_in_recovery() AS standby, CASE WHEN pg_is_in_recovery() THEN '' \
                   ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END AS timeline";
        let row = sqlx::query(sql).fetch_one(&mut connection).await?;
        let (standby, timeline) = (row.try_get("standby")?, row.try_get("timeline")?);
        Ok::<Found, sqlx::Error>(Found { options, connection, standby, timeline })
    };
    match timeout(CONNECT, asked).await {
        Ok(found) => found.map_err(|error| said(&error)),
        Err(_) => Err(format!("it did not answer within {} s", CONNECT.as_secs())),
    }
}
