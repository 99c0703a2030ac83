//! Rows of the database as what they hold, and its errors as ours.

use super::sql::Row;
use super::{Account, Day, Play, StoreError, Stored};
use crate::log::Record;
use crate::role::Role;

/// Takes the error by value, as `map_err` hands it over.
#[expect(clippy::needless_pass_by_value, reason = "it is what map_err passes")]
pub(super) fn down(error: sqlx::Error) -> StoreError {
    let database = error.as_database_error();
    if database.is_some_and(sqlx::error::DatabaseError::is_unique_violation) {
        return StoreError::Conflict;
    }
    match &error {
        sqlx::Error::Database(inner) if is_damage(inner.code().as_deref()) => {
            StoreError::Damaged(error.to_string())
        }
        sqlx::Error::PoolTimedOut => StoreError::Down(
            "no connection to it is free: it allows too few, or all of them wait".to_owned(),
        ),
        // A text that is none, or a value of another kind than its column.
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
            StoreError::Damaged(error.to_string())
        }
        _ => StoreError::Down(error.to_string()),
    }
}

/// Whether SQLite says that a file is corrupt, in whatever respect, or no database, or PostgreSQL
/// that a table or an index is.
pub(super) fn is_damage(code: Option<&str>) -> bool {
    const CORRUPT: i32 = 11;
    const NOT_A_DATABASE: i32 = 26;
    let Some(code) = code else { return false };
    // PostgreSQL's have five letters and digits, SQLite's are numbers of at most four.
    match code.len() {
        5 => matches!(code, "XX001" | "XX002"),
        _ => code.parse::<i32>().is_ok_and(|code| matches!(code & 0xff, CORRUPT | NOT_A_DATABASE)),
    }
}

pub(super) fn number(seq: u64) -> Stored<i64> {
    i64::try_from(seq).map_err(|_| StoreError::Damaged(format!("{seq} is no record number")))
}

pub(super) fn count(row: &Row, name: &str) -> Stored<u64> {
    let number = row.number(name)?;
    u64::try_from(number).map_err(|_| StoreError::Damaged(format!("{name} is {number}")))
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err passes")]
pub(super) fn damaged(error: sqlx::Error) -> StoreError {
    StoreError::Damaged(error.to_string())
}

pub(super) fn record(row: &Row) -> Stored<Record> {
    let keyed = row.maybe_text("command")?;
    let key = keyed.map(|_| row.column("command")).transpose()?;
    Ok(Record {
        stream: row.column("stream")?,
        seq: count(row, "seq")?,
        key,
        body: row.text("body")?,
        hash: row.column("hash")?,
    })
}

/// An account. A role that nobody knows gives nobody a right, and keeps nobody out.
pub(super) fn account(row: &Row) -> Stored<Account> {
    let id = row.text("id")?;
    let roles = row.text("roles")?;
    let known = |role: &str| match role.parse::<Role>() {
        Ok(role) => Some(role),
        Err(error) => {
            tracing::warn!(account = id, %error, "a role is passed over");
            None
        }
    };
    let roles = roles.split(',').filter(|role| !role.is_empty()).filter_map(known).collect();
    Ok(Account {
        login: row.text("login")?,
        table_name: row.text("table_name")?,
        roles,
        password: row.text("password")?,
        id,
    })
}

/// What somebody has played.
pub(super) fn play(row: &Row) -> Stored<Play> {
    Ok(Play {
        person: row.text("person")?,
        session: row.text("session")?,
        at: count(row, "at")?,
        body: row.text("body")?,
    })
}

/// What rows say, without those that say nothing: one of them must not keep a house shut. An
/// audit names them.
pub(super) fn readable<T>(rows: &[Row], what: &str, read: impl Fn(&Row) -> Stored<T>) -> Vec<T> {
    let read = |row: &Row| {
        read(row).inspect_err(|error| tracing::warn!(%error, "{what} is passed over")).ok()
    };
    rows.iter().filter_map(read).collect()
}

pub(super) fn day(row: &Row) -> Stored<Day> {
    Ok(Day { stream: row.column("stream")?, day: row.text("day")?, body: row.text("body")? })
}
