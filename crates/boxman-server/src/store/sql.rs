//! The SQL that every database takes: one way to ask, whichever it is. What is said here is said
//! once; what differs is in the file of each database.

use std::fmt::Display;
use std::str::FromStr;

use async_trait::async_trait;
use sqlx::Row as _;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;

use super::rows::{account, count, damaged, day, number, play, readable, record};
use super::{Account, Day, Play, RulebookText, Session, StoreError, Stored};
use crate::hash::Hash;
use crate::log::{Head, Key, Record, Stream};

/// A database that takes statements.
#[async_trait]
pub trait Sql: Send + Sync {
    /// Runs a statement that changes something. Gives the number of rows it changed.
    async fn change(&self, sql: &'static str, values: &[Value<'_>]) -> Stored<u64>;

    /// The rows that a statement finds.
    async fn rows(&self, sql: &'static str, values: &[Value<'_>]) -> Stored<Vec<Row>>;
}

/// What stands for `$1`, `$2` and so on.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    /// A text, or none.
    Text(Option<&'a str>),
    /// A number.
    Number(i64),
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Value<'a> {
        Value::Text(Some(text))
    }
}

impl<'a> From<&'a String> for Value<'a> {
    fn from(text: &'a String) -> Value<'a> {
        Value::Text(Some(text))
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Value<'a> {
        Value::Text(text)
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Number(number)
    }
}

/// A row, of whichever database.
pub enum Row {
    /// Of SQLite.
    Sqlite(SqliteRow),
    /// Of PostgreSQL.
    Postgres(PgRow),
}

impl Row {
    pub(super) fn text(&self, name: &str) -> Stored<String> {
        match self {
            Row::Sqlite(row) => row.try_get(name).map_err(damaged),
            Row::Postgres(row) => row.try_get(name).map_err(damaged),
        }
    }

    pub(super) fn maybe_text(&self, name: &str) -> Stored<Option<String>> {
        match self {
            Row::Sqlite(row) => row.try_get(name).map_err(damaged),
            Row::Postgres(row) => row.try_get(name).map_err(damaged),
        }
    }

    pub(super) fn number(&self, name: &str) -> Stored<i64> {
        match self {
            Row::Sqlite(row) => row.try_get(name).map_err(damaged),
            Row::Postgres(row) => row.try_get(name).map_err(damaged),
        }
    }

    /// What a column says, which must be written the one way that this program writes it.
    pub(super) fn column<T: FromStr + Display>(&self, name: &str) -> Stored<T>
    where
        T::Err: Display,
    {
        let text = self.text(name)?;
        let read = text.parse::<T>();
        let read = read.map_err(|error| StoreError::Damaged(format!("{name}: {error}")))?;
        match read.to_string() == text {
            true => Ok(read),
            false => Err(StoreError::Damaged(format!("{name}: `{text}` is not as it was written"))),
        }
    }
}

pub(super) async fn records(
    sql: &dyn Sql,
    stream: &Stream,
    after: u64,
    limit: u32,
) -> Stored<Vec<Record>> {
    let select = "SELECT stream, seq, command, body, hash FROM record \
                  WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    let stream = stream.to_string();
    let values = [(&stream).into(), number(after)?.into(), i64::from(limit).into()];
    sql.rows(select, &values).await?.iter().map(record).collect()
}

pub(super) fn head(row: Option<&Row>) -> Stored<Head> {
    let Some(row) = row else { return Ok(Head::default()) };
    // From a hash that cannot be read nothing follows, as whoever reads the log will find.
    Ok(Head { seq: count(row, "seq")?, hash: row.column("hash").unwrap_or_default() })
}

pub(super) async fn find(sql: &dyn Sql, stream: &Stream, key: &Key) -> Stored<Option<Record>> {
    let select = "SELECT stream, seq, command, body, hash FROM record \
                  WHERE stream = $1 AND command = $2";
    let (stream, key) = (stream.to_string(), key.to_string());
    let rows = sql.rows(select, &[(&stream).into(), (&key).into()]).await?;
    rows.first().map(record).transpose()
}

pub(super) async fn days(sql: &dyn Sql, from: &str, to: &str) -> Stored<Vec<Day>> {
    let select = "SELECT stream, day, body FROM day WHERE day >= $1 AND day <= $2 \
                  ORDER BY day, stream";
    let rows = sql.rows(select, &[from.into(), to.into()]).await?;
    Ok(readable(&rows, "a day", day))
}

pub(super) async fn days_of(sql: &dyn Sql, stream: &Stream) -> Stored<Vec<Day>> {
    let select = "SELECT stream, day, body FROM day WHERE stream = $1 ORDER BY day";
    let stream = stream.to_string();
    sql.rows(select, &[(&stream).into()]).await?.iter().map(day).collect()
}

pub(super) async fn keep_rulebook(sql: &dyn Sql, rulebook: &RulebookText) -> Stored<()> {
    let insert = "INSERT INTO rulebook (hash, file, body) VALUES ($1, $2, $3) \
                  ON CONFLICT (hash) DO NOTHING";
    let RulebookText { hash, file, text } = rulebook;
    let hash = hash.to_string();
    sql.change(insert, &[(&hash).into(), file.into(), text.into()]).await.map(drop)
}

pub(super) async fn rulebook(sql: &dyn Sql, hash: Hash) -> Stored<Option<RulebookText>> {
    let select = "SELECT file, body FROM rulebook WHERE hash = $1";
    let named = hash.to_string();
    let rows = sql.rows(select, &[(&named).into()]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let text = row.text("body")?;
    if Hash::of(text.as_bytes()) != hash {
        return Err(StoreError::Damaged(format!("rulebook {hash} is not the text it was")));
    }
    Ok(Some(RulebookText { hash, file: row.text("file")?, text }))
}

pub(super) async fn rulebooks(sql: &dyn Sql) -> Stored<Vec<Hash>> {
    let rows = sql.rows("SELECT hash FROM rulebook ORDER BY hash", &[]).await?;
    Ok(readable(&rows, "a rulebook", |row| row.column("hash")))
}

pub(super) async fn account_of(
    sql: &dyn Sql,
    select: &'static str,
    name: &str,
) -> Stored<Option<Account>> {
    sql.rows(select, &[name.into()]).await?.first().map(account).transpose()
}

pub(super) async fn accounts(sql: &dyn Sql) -> Stored<Vec<Account>> {
    let select = "SELECT id, login, table_name, roles, password FROM account ORDER BY login";
    Ok(readable(&sql.rows(select, &[]).await?, "an account", account))
}

pub(super) async fn keep_session(sql: &dyn Sql, session: &Session) -> Stored<()> {
    let insert = "INSERT INTO session (token, person, name, expires) VALUES ($1, $2, $3, $4) \
                  ON CONFLICT (token) DO UPDATE SET name = excluded.name";
    let Session { token, person, name, expires } = session;
    let (token, expires) = (token.to_string(), number(*expires)?);
    let values = [(&token).into(), person.into(), name.as_deref().into(), expires.into()];
    sql.change(insert, &values).await.map(drop)
}

pub(super) async fn session(sql: &dyn Sql, token: Hash) -> Stored<Option<Session>> {
    let select = "SELECT person, name, expires FROM session WHERE token = $1";
    let named = token.to_string();
    let rows = sql.rows(select, &[(&named).into()]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let (person, name) = (row.text("person")?, row.maybe_text("name")?);
    Ok(Some(Session { token, person, name, expires: count(row, "expires")? }))
}

pub(super) async fn keep_play(sql: &dyn Sql, play: &Play, most: u32) -> Stored<()> {
    let insert = "INSERT INTO play (person, session, at, body) VALUES ($1, $2, $3, $4) \
                  ON CONFLICT (person, session) DO UPDATE SET at = excluded.at, \
                  body = excluded.body";
    let Play { person, session, at, body } = play;
    let values = [person.into(), session.into(), number(*at)?.into(), body.into()];
    sql.change(insert, &values).await?;
    let delete = "DELETE FROM play WHERE person = $1 AND session NOT IN \
                  (SELECT session FROM play WHERE person = $1 ORDER BY at DESC LIMIT $2)";
    sql.change(delete, &[person.into(), i64::from(most).into()]).await.map(drop)
}

pub(super) async fn play_of(sql: &dyn Sql, person: &str) -> Stored<Vec<Play>> {
    let select = "SELECT person, session, at, body FROM play WHERE person = $1 ORDER BY at DESC";
    Ok(readable(&sql.rows(select, &[person.into()]).await?, "a session of play", play))
}

pub(super) async fn forget_play(sql: &dyn Sql, person: &str, session: Option<&str>) -> Stored<()> {
    let delete = "DELETE FROM play WHERE person = $1 AND session = coalesce($2, session)";
    sql.change(delete, &[person.into(), session.into()]).await.map(drop)
}

pub(super) async fn setting(sql: &dyn Sql, name: &str) -> Stored<Option<String>> {
    let rows = sql.rows("SELECT value FROM setting WHERE name = $1", &[name.into()]).await?;
    rows.first().map(|row| row.text("value")).transpose()
}

pub(super) async fn set(sql: &dyn Sql, name: &str, value: Option<&str>) -> Stored<()> {
    let insert = "INSERT INTO setting (name, value) VALUES ($1, $2) \
                  ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    let delete = "DELETE FROM setting WHERE name = $1";
    match value {
        Some(value) => sql.change(insert, &[name.into(), value.into()]).await.map(drop),
        None => sql.change(delete, &[name.into()]).await.map(drop),
    }
}

/// Changes a setting that is as `before` says, and no other: whether it did.
pub(super) async fn exchange(
    sql: &dyn Sql,
    name: &str,
    before: Option<&str>,
    after: &str,
) -> Stored<bool> {
    let insert = "INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING";
    let update = "UPDATE setting SET value = $2 WHERE name = $1 AND value = $3";
    let changed = match before {
        None => sql.change(insert, &[name.into(), after.into()]).await?,
        Some(before) => sql.change(update, &[name.into(), after.into(), before.into()]).await?,
    };
    Ok(changed > 0)
}
