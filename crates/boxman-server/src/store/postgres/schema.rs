//! The tables in a database: whether they are there, whose they are, and how they are made.

use sqlx::Row;
use sqlx::postgres::PgConnection;

use super::super::edition::{EDITION, NEWEST};
use super::super::rows::down;
use super::super::{StoreError, Stored};

const SCHEMA: &str = include_str!("../schema.sql");
const NODES: &str = include_str!("nodes.sql");
const SCHEMA_VERSION: &str = "1";

/// What is in a database.
pub(super) enum Schema {
    Empty,
    Ours(String),
    Foreign,
}

pub(super) async fn schema_of(connection: &mut PgConnection) -> Stored<Schema> {
    let select = "SELECT count(*) AS tables, count(*) FILTER (WHERE table_name IN \
                  ('record', 'setting', 'pit')) AS ours FROM information_schema.tables \
                  WHERE table_schema = current_schema()";
    let row = sqlx::query(select).fetch_one(&mut *connection).await.map_err(down)?;
    let count = |name| row.try_get::<i64, _>(name).map_err(down);
    match (count("tables")?, count("ours")?) {
        (0, _) => return Ok(Schema::Empty),
        (_, 3) => {}
        _ => return Ok(Schema::Foreign),
    }
    let version = "SELECT value FROM setting WHERE name = 'schema'";
    let version: Option<String> =
        sqlx::query_scalar(version).fetch_optional(connection).await.map_err(down)?;
    Ok(version.map_or(Schema::Empty, Schema::Ours))
}

/// Makes the tables, all of them or none: several may start at once.
pub(super) async fn make(connection: &mut PgConnection) -> Stored<()> {
    let setting = format!(
        "INSERT INTO setting (name, value) VALUES ('schema', '{SCHEMA_VERSION}'), \
         ('{EDITION}', '{NEWEST}') ON CONFLICT (name) DO NOTHING"
    );
    // One at a time, by a lock that ends with the transaction that this batch is.
    let lock = "SELECT pg_advisory_xact_lock(7777)";
    let batch = format!("BEGIN; {lock}; {SCHEMA}\n{NODES}\n{setting}; COMMIT");
    sqlx::raw_sql(sqlx::AssertSqlSafe(batch)).execute(connection).await.map_err(down).map(drop)
}

pub(super) fn check_version(version: &str) -> Stored<()> {
    match version == SCHEMA_VERSION {
        true => Ok(()),
        false => Err(StoreError::Down(format!(
            "its tables are of another version of the program (schema {version}, this one knows \
             {SCHEMA_VERSION}): use that one"
        ))),
    }
}
