//! Rows of the database as what they hold, and its errors as ours.

use std::fmt::Display;
use std::str::FromStr;

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

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
        // A text that is none, or a value of another kind than its column.
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
            StoreError::Damaged(error.to_string())
        }
        _ => StoreError::Down(error.to_string()),
    }
}

/// Whether SQLite says that a file is corrupt, in whatever respect, or no database.
pub(super) fn is_damage(code: Option<&str>) -> bool {
    const CORRUPT: i32 = 11;
    const NOT_A_DATABASE: i32 = 26;
    let code = code.and_then(|code| code.parse::<i32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, CORRUPT | NOT_A_DATABASE))
}

pub(super) fn number(seq: u64) -> Stored<i64> {
    i64::try_from(seq).map_err(|_| StoreError::Damaged(format!("{seq} is no record number")))
}

pub(super) fn column<T: FromStr + Display>(row: &SqliteRow, name: &str) -> Stored<T>
where
    T::Err: Display,
{
    let text: String = row.try_get(name).map_err(damaged)?;
    let read = text.parse::<T>();
    let read = read.map_err(|error| StoreError::Damaged(format!("{name}: {error}")))?;
    // There is one way to write it, and this program has written it that way.
    match read.to_string() == text {
        true => Ok(read),
        false => Err(StoreError::Damaged(format!("{name}: `{text}` is not as it was written"))),
    }
}

pub(super) fn count(row: &SqliteRow, name: &str) -> Stored<u64> {
    let number: i64 = row.try_get(name).map_err(damaged)?;
    u64::try_from(number).map_err(|_| StoreError::Damaged(format!("{name} is {number}")))
}

#[expect(clippy::needless_pass_by_value, reason = "it is what map_err passes")]
pub(super) fn damaged(error: sqlx::Error) -> StoreError {
    StoreError::Damaged(error.to_string())
}

pub(super) fn record(row: &SqliteRow) -> Stored<Record> {
    let keyed: Option<&str> = row.try_get("command").map_err(damaged)?;
    let key = keyed.map(|_| column(row, "command")).transpose()?;
    Ok(Record {
        stream: column(row, "stream")?,
        seq: count(row, "seq")?,
        key,
        body: row.try_get("body").map_err(damaged)?,
        hash: column(row, "hash")?,
    })
}

/// An account. A role that nobody knows gives nobody a right, and keeps nobody out.
pub(super) fn account(row: &SqliteRow) -> Stored<Account> {
    let id: String = row.try_get("id").map_err(damaged)?;
    let roles: String = row.try_get("roles").map_err(damaged)?;
    let known = |role: &str| match role.parse::<Role>() {
        Ok(role) => Some(role),
        Err(error) => {
            tracing::warn!(account = id, %error, "a role is passed over");
            None
        }
    };
    let roles = roles.split(',').filter(|role| !role.is_empty()).filter_map(known).collect();
    Ok(Account {
        login: row.try_get("login").map_err(damaged)?,
        table_name: row.try_get("table_name").map_err(damaged)?,
        roles,
        password: row.try_get("password").map_err(damaged)?,
        id,
    })
}

/// What somebody has played.
pub(super) fn play(row: &SqliteRow) -> Stored<Play> {
    Ok(Play {
        person: row.try_get("person").map_err(damaged)?,
        session: row.try_get("session").map_err(damaged)?,
        at: count(row, "at")?,
        body: row.try_get("body").map_err(damaged)?,
    })
}

/// What rows say, without those that say nothing: one of them must not keep a house shut. An
/// audit names them.
pub(super) fn readable<T>(
    rows: &[SqliteRow],
    what: &str,
    read: impl Fn(&SqliteRow) -> Stored<T>,
) -> Vec<T> {
    let read = |row: &SqliteRow| {
        read(row).inspect_err(|error| tracing::warn!(%error, "{what} is passed over")).ok()
    };
    rows.iter().filter_map(read).collect()
}

pub(super) fn day(row: &SqliteRow) -> Stored<Day> {
    Ok(Day {
        stream: column(row, "stream")?,
        day: row.try_get("day").map_err(damaged)?,
        body: row.try_get("body").map_err(damaged)?,
    })
}
