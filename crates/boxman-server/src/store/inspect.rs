//! The vault itself gone through: what the database finds wrong with its own pages and indexes,
//! and rows that this program never wrote. What the rows of a log say is for the audit.

use std::collections::BTreeSet;
use std::str::FromStr;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, Row, SqliteConnection};

use super::rows::{account, damaged, down};
use super::sql::Sql;
use super::sqlite::SCHEMA;
use super::{StoreError, Stored};
use crate::hash::Hash;
use crate::log::Stream;

/// Something in a store that is not as this program writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is about.
    pub place: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Fault {
    fn new(place: impl Into<String>, reason: impl Into<String>) -> Fault {
        Fault { place: place.into(), reason: reason.into() }
    }
}

/// How a database is asked for rows that this program never wrote.
pub(super) struct Looks {
    streams: &'static str,
    snapshots: &'static str,
    days: &'static str,
    rulebooks: &'static str,
    accounts: &'static str,
}

const SQLITE: Looks = Looks {
    streams: "SELECT quote(stream) AS name, stream, count(*) AS all_rows, \
              sum(typeof(seq) = 'integer' AND seq > 0) AS numbered FROM record GROUP BY stream",
    snapshots: "SELECT quote(stream) AS name FROM snapshot \
                WHERE stream NOT IN (SELECT DISTINCT stream FROM record)",
    days: "SELECT DISTINCT quote(stream) AS name FROM day WHERE stream NOT LIKE 'table/%' \
           OR stream NOT IN (SELECT DISTINCT stream FROM record)",
    rulebooks: "SELECT quote(hash) AS name, hash, body FROM rulebook",
    accounts: "SELECT *, quote(id) AS place FROM account",
};

/// A log whose row is missing, or whose first record is, counts as one that nobody knows.
pub(super) const POSTGRES: Looks = Looks {
    streams: "SELECT quote_literal(coalesce(s.stream, r.stream)) AS name, \
              coalesce(s.stream, r.stream) AS stream, coalesce(r.all_rows, 1) AS all_rows, \
              CASE WHEN s.stream IS NULL THEN 0 ELSE coalesce(r.numbered, 0) END AS numbered \
              FROM stream s FULL JOIN (SELECT stream, count(*) AS all_rows, \
              count(*) FILTER (WHERE seq > 0) AS numbered FROM record GROUP BY stream) r \
              ON r.stream = s.stream",
    snapshots: "SELECT quote_literal(stream) AS name FROM snapshot \
                WHERE stream NOT IN (SELECT stream FROM stream)",
    days: "SELECT DISTINCT quote_literal(stream) AS name FROM day \
           WHERE stream NOT LIKE 'table/%' OR stream NOT IN (SELECT stream FROM stream)",
    rulebooks: "SELECT quote_literal(hash) AS name, hash, body FROM rulebook",
    accounts: "SELECT *, quote_literal(id) AS place FROM account",
};

/// Everything that is wrong with a SQLite file.
pub(super) async fn faults(sql: &dyn Sql, connection: &mut SqliteConnection) -> Stored<Vec<Fault>> {
    let mut faults = Vec::new();
    for checked in [pages(connection).await, schema(connection).await, rows(sql, &SQLITE).await] {
        faults.extend(told(checked)?);
    }
    Ok(faults)
}

/// What is wrong with the rows of any database.
pub(super) async fn rows(sql: &dyn Sql, looks: &Looks) -> Stored<Vec<Fault>> {
    let mut faults = Vec::new();
    let checks =
        [streams(sql, looks).await, rulebooks(sql, looks).await, accounts(sql, looks).await];
    for checked in checks {
        faults.extend(told(checked)?);
    }
    Ok(faults)
}

/// Damage is a fault like any other.
fn told(checked: Stored<Vec<Fault>>) -> Stored<Vec<Fault>> {
    match checked {
        Err(StoreError::Damaged(reason)) => Ok(vec![Fault::new("the file", reason)]),
        checked => checked,
    }
}

/// What SQLite says: pages that cannot be read, and rows that an index knows and the table does
/// not, or the other way round.
async fn pages(connection: &mut SqliteConnection) -> Stored<Vec<Fault>> {
    let rows = sqlx::query("PRAGMA integrity_check(20)").fetch_all(connection).await;
    let said = rows.map_err(down)?;
    let said = said.iter().map(|row| row.try_get::<String, _>(0).map_err(damaged));
    let said: Vec<String> = said.collect::<Stored<_>>()?;
    let wrong = said.into_iter().filter(|line| line != "ok");
    Ok(wrong.map(|line| Fault::new("the file", line)).collect())
}

type Object = (String, String, Option<String>);

async fn objects(connection: &mut SqliteConnection) -> Stored<BTreeSet<Object>> {
    let sql = "SELECT type, name, sql FROM sqlite_schema";
    let rows = sqlx::query(sql).fetch_all(connection).await.map_err(down)?;
    let object = |row: &sqlx::sqlite::SqliteRow| {
        Ok((row.try_get(0)?, row.try_get(1)?, row.try_get::<Option<String>, _>(2)?))
    };
    rows.iter().map(|row| object(row).map_err(damaged)).collect()
}

/// Tables, indexes and triggers are those this program makes, and no others.
async fn schema(connection: &mut SqliteConnection) -> Stored<Vec<Fault>> {
    let memory = SqliteConnectOptions::from_str("sqlite::memory:").map_err(down)?;
    let mut fresh = SqliteConnection::connect_with(&memory).await.map_err(down)?;
    sqlx::raw_sql(SCHEMA).execute(&mut fresh).await.map_err(down)?;
    let expected = objects(&mut fresh).await?;
    fresh.close().await.map_err(down)?;
    let found = objects(connection).await?;
    let fault = |(kind, name, _): &Object| {
        Fault::new(format!("{kind} {name}"), "it is not what this program makes")
    };
    Ok(expected.symmetric_difference(&found).map(fault).collect())
}

/// Every row of a log has a number, and belongs to a log that there can be; every day belongs to
/// a table that there is.
async fn streams(sql: &dyn Sql, looks: &Looks) -> Stored<Vec<Fault>> {
    let mut faults = Vec::new();
    for row in &sql.rows(looks.streams, &[]).await? {
        let name = row.text("name")?;
        let stream = row
            .text("stream")
            .ok()
            .filter(|text| text.parse::<Stream>().is_ok_and(|stream| stream.to_string() == *text));
        let Some(stream) = stream else {
            faults.push(Fault::new(name, "there are records of it, and no log has that name"));
            continue;
        };
        let odd = row.number("all_rows")? - row.number("numbered")?;
        if odd > 0 {
            faults.push(Fault::new(stream, format!("{odd} of its rows have no record's number")));
        }
    }
    for (select, reason) in [
        (looks.snapshots, "there is a snapshot of it, and no record"),
        (looks.days, "there are reports of it, and it is no table here"),
    ] {
        for row in &sql.rows(select, &[]).await? {
            faults.push(Fault::new(row.text("name")?, reason));
        }
    }
    Ok(faults)
}

/// Every rulebook is the text it is found by, whether a table plays by it or not.
async fn rulebooks(sql: &dyn Sql, looks: &Looks) -> Stored<Vec<Fault>> {
    let mut faults = Vec::new();
    for row in &sql.rows(looks.rulebooks, &[]).await? {
        let name = row.text("name")?;
        let (hash, text) = (row.text("hash").ok(), row.text("body").ok());
        if hash != text.map(|text| Hash::of(text.as_bytes()).to_string()) || hash.is_none() {
            faults.push(Fault::new(format!("rulebook {name}"), "it is not the text it was"));
        }
    }
    Ok(faults)
}

/// Every account can be read, and has only roles that there are.
async fn accounts(sql: &dyn Sql, looks: &Looks) -> Stored<Vec<Fault>> {
    let mut faults = Vec::new();
    for row in &sql.rows(looks.accounts, &[]).await? {
        let place = row.text("place")?;
        let written = row.text("roles").ok();
        let reason = match account(row) {
            Err(error) => error.to_string(),
            Ok(account) => {
                let mut roles = account.roles.clone();
                roles.sort();
                let roles: Vec<&str> = roles.iter().map(|role| role.name()).collect();
                if written == Some(roles.join(",")) {
                    continue;
                }
                format!("its roles are not as they were written: {}", written.unwrap_or_default())
            }
        };
        faults.push(Fault::new(format!("account {place}"), reason));
    }
    Ok(faults)
}
