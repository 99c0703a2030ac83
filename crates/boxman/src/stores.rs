//! Where logs are found: a store by its path, or a table exported to a file.

use std::fmt::Display;
use std::future::Future;
use std::io::Read;
use std::path::{Path, PathBuf};

use boxman_server::audit::Trouble;
use boxman_server::{
    Postgres, PostgresAddress, SealKey, Sqlite, Store, StoreAddress, StoreError, StoreLock,
};

use crate::{Stop, say_error};

/// What a file is, by how it begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A database.
    Store,
    /// Lines of JSON.
    Export,
    /// Anything else.
    Other,
}

/// The path of a store written as `PATH` or `sqlite:PATH`.
pub(crate) fn path(text: &str) -> PathBuf {
    PathBuf::from(text.strip_prefix("sqlite:").unwrap_or(text))
}

/// Looks at the first bytes of a file.
pub(crate) fn kind(path: &Path) -> Result<Kind, Stop> {
    let unreadable = |error| Stop::Misuse(format!("{}: cannot be read: {error}", path.display()));
    let mut first = Vec::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(16).read_to_end(&mut first).map_err(unreadable)?;
    Ok(match first.as_slice() {
        b"SQLite format 3\0" => Kind::Store,
        [b'{', ..] => Kind::Export,
        _ => Kind::Other,
    })
}

/// A PostgreSQL, where that is what is named.
pub(crate) fn postgres(text: &str) -> Result<Option<PostgresAddress>, Stop> {
    if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
        return Ok(None);
    }
    text.parse().map(Some).map_err(Stop::Misuse)
}

/// Opens a store only to read it.
pub(crate) async fn read(text: &str, key: Option<&Path>) -> Result<Box<dyn Store>, Stop> {
    let named = |file: &Path| {
        let unread = || Stop::Misuse(format!("{} is not a key that can be read", file.display()));
        SealKey::read(file).ok_or_else(unread)
    };
    if let Some(address) = postgres(text)? {
        let key = match key {
            Some(file) => Some(named(file)?),
            None => SealKey::read(Path::new("boxman.key")),
        };
        let store = Postgres::read(&address, key).await;
        return Ok(Box::new(store.map_err(|error| unusable(&address, &error))?));
    }
    let path = path(text);
    if kind(&path)? != Kind::Store {
        return Err(Stop::Misuse(format!("{} is not a store", path.display())));
    }
    let store = match key {
        None => Sqlite::read(&path).await,
        Some(file) => Sqlite::read_with(&path, Some(named(file)?)).await,
    };
    Ok(Box::new(store.map_err(|error| unusable(&path.display(), &error))?))
}

/// Opens a store to write to it, and makes it where there is none. Nobody else writes meanwhile.
pub(crate) async fn write(text: &str) -> Result<(StoreLock, Box<dyn Store>), Stop> {
    if let Some(address) = postgres(text)? {
        let lock = StoreAddress::Postgres(address.clone()).lock();
        let lock = lock.map_err(|error| Stop::Misuse(error.to_string()))?;
        let store = Postgres::open_alone(&address, None).await;
        return Ok((lock, Box::new(store.map_err(|error| unusable(&address, &error))?)));
    }
    let path = path(text);
    let new = path.metadata().map_or(true, |metadata| metadata.len() == 0);
    if !new && kind(&path)? != Kind::Store {
        return Err(Stop::Misuse(format!("{} is not a store", path.display())));
    }
    let lock = StoreAddress::Sqlite(path.clone()).lock();
    let lock = lock.map_err(|error| Stop::Misuse(error.to_string()))?;
    let store = Sqlite::open_with(&path, None).await;
    Ok((lock, Box::new(store.map_err(|error| unusable(&path.display(), &error))?)))
}

/// Writes a file all at once: what stood there before stays until the new one is whole. What
/// belongs to the store is never written over.
pub(crate) async fn write_file<E>(
    store: &Path,
    path: &Path,
    write: impl AsyncFnOnce(std::fs::File) -> Result<(), E>,
) -> Result<(), Stop>
where
    Stop: From<E>,
{
    let misuse = |error| Stop::Misuse(format!("{}: it cannot be written: {error}", path.display()));
    let own = ["", "-wal", "-shm", ".key", ".lock"].map(|ending| beside(store, ending));
    if own.iter().any(|own| real(own) == real(path)) {
        let other = format!("{} belongs to the store, name another file", path.display());
        return Err(Stop::Misuse(other));
    }
    // A terminal or a pipe is not put in anybody's place.
    if path.exists() && !path.is_file() {
        return Ok(write(std::fs::File::create(path).map_err(misuse)?).await?);
    }
    let aside = beside(path, ".new");
    let written = match std::fs::File::create(&aside) {
        Ok(file) => write(file).await.map_err(Stop::from),
        Err(error) => return Err(misuse(error)),
    };
    match written.and_then(|()| std::fs::rename(&aside, path).map_err(misuse)) {
        Ok(()) => Ok(()),
        Err(stop) => {
            let _ = std::fs::remove_file(&aside);
            Err(stop)
        }
    }
}

/// A path with something at its end.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(ending);
    name.into()
}

/// Where a file is, or would be, whatever it is called by.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    path.canonicalize().unwrap_or_else(|_| {
        let name = path.file_name().unwrap_or_default();
        folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).join(name)
    })
}

/// A store that cannot be used.
pub(crate) fn unusable(store: &dyn Display, error: &StoreError) -> Stop {
    Stop::Misuse(format!("{store}: {error}"))
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Stop {
        stop(&trouble)
    }
}

/// A log that does not hold is a check that failed; anything else is misuse.
pub(crate) fn stop(trouble: &Trouble) -> Stop {
    match trouble {
        Trouble::Unsound(_) => {
            say_error(&trouble.to_string());
            Stop::Failed
        }
        other => Stop::Misuse(other.to_string()),
    }
}

/// Runs something that waits for a store.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Stop>>) -> Result<T, Stop> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Stop::Misuse(format!("nothing can be run: {error}")))?;
    runtime.block_on(work)
}
