//! The files of a store: which they really are, and whether they are still what was written.
//!
//! SQLite writes to the files it has opened, whatever becomes of their names. A log that was
//! deleted, or a file that was cut, takes every commit and gives none of them back after a crash.
//! So they are looked at before a commit and again after it, before anybody is told that it is
//! durable.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::StoreError;

/// The file a path leads to, however many links are on the way. It is made, empty, where there
/// is none, because only a file that exists has one true name.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    match path.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            File::options().append(true).create(true).open(path)?;
            path.canonicalize()
        }
        found => found,
    }
}

/// A path with something at its end.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(ending);
    name.into()
}

/// What the files of a store ought to be.
pub(super) struct Files {
    file: PathBuf,
    log: PathBuf,
    seen: Mutex<Seen>,
}

/// The files as they were when somebody last looked.
struct Seen {
    file: Option<Look>,
    /// The log that is written ahead. Its length never shrinks while it is open.
    log: Option<Look>,
    /// Whether the log is being brought into the file: only then does its length change.
    growing: bool,
    /// What was cut or written over. Nothing brings it back while the store is open.
    ruined: Option<String>,
}

#[derive(Clone, Copy)]
struct Look {
    id: (u64, u64),
    length: u64,
}

/// What is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Amiss {
    /// The file is not where it was. It may come back.
    FileGone,
    /// The log is not where it was. What it holds can still be brought into the file.
    LogGone(PathBuf),
    /// It cannot be looked at, as where the system has no descriptor left. It may come back.
    Unseen(String),
    /// Something is not there any more, or is something else.
    Ruined(String),
}

impl From<Amiss> for StoreError {
    fn from(amiss: Amiss) -> StoreError {
        StoreError::Down(match amiss {
            Amiss::FileGone => "its file has been moved away or replaced, put it back".to_owned(),
            Amiss::LogGone(log) => format!(
                "{} has been moved away or deleted: put it back, or stop the server, which saves \
                 what was in it, and start it again",
                log.display()
            ),
            Amiss::Unseen(reason) => reason,
            Amiss::Ruined(reason) => format!(
                "{reason}: stop the server, run `boxman verify`, and start it again with what \
                 can be saved"
            ),
        })
    }
}

impl Files {
    /// The files of a store that has just been opened.
    pub(super) fn of(file: &Path) -> Files {
        let log = beside(file, "-wal");
        let seen = Seen { file: look(file), log: look(&log), growing: false, ruined: None };
        Files { file: file.to_owned(), log, seen: Mutex::new(seen) }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the files are what was written.
    pub(super) fn check(&self) -> Result<(), Amiss> {
        let mut seen = self.seen();
        if let Some(reason) = &seen.ruined {
            return Err(Amiss::Ruined(reason.clone()));
        }
        let checked = self.check_file(&mut seen).and_then(|()| self.check_log(&mut seen));
        if let Err(Amiss::Ruined(reason)) = &checked {
            seen.ruined = Some(reason.clone());
        }
        checked
    }

    fn check_file(&self, seen: &mut Seen) -> Result<(), Amiss> {
        let (Some(known), Some(now)) = (seen.file, look(&self.file)) else {
            return Err(Amiss::FileGone);
        };
        if now.id != known.id {
            return Err(Amiss::FileGone);
        }
        if now.length < known.length || (now.length > known.length && !seen.growing) {
            let (file, is, was) = (self.file.display(), now.length, known.length);
            return Err(Amiss::Ruined(format!(
                "{file} is {is} bytes long and was left with {was}, something else has changed it"
            )));
        }
        Ok(())
    }

    fn check_log(&self, seen: &mut Seen) -> Result<(), Amiss> {
        let gone = || Amiss::LogGone(self.log.clone());
        let now = look(&self.log).ok_or_else(gone)?;
        let known = *seen.log.get_or_insert(now);
        if now.id != known.id {
            return Err(gone());
        }
        let log = self.log.display();
        let well = begins_well(&self.log, now.length)
            .map_err(|error| Amiss::Unseen(format!("{log} cannot be looked at: {error}")))?;
        if now.length < known.length || !well {
            return Err(Amiss::Ruined(format!("{log} has been cut or written over")));
        }
        seen.log = Some(now);
        Ok(())
    }

    /// The log is brought into the file from now on.
    pub(super) fn begin_growing(&self) {
        self.seen().growing = true;
    }

    /// It has been. The file is as long as that made it.
    pub(super) fn end_growing(&self) {
        let mut seen = self.seen();
        seen.growing = false;
        let known = seen.file;
        let same = |now: &Look| known.is_some_and(|known| known.id == now.id);
        if let Some(now) = look(&self.file).filter(same) {
            let length = now.length.max(known.map_or(0, |known| known.length));
            seen.file = Some(Look { length, ..now });
        }
    }
}

fn look(path: &Path) -> Option<Look> {
    let metadata = path.metadata().ok()?;
    Some(Look { id: identity(&metadata), length: metadata.len() })
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Where files have no numbers, one that is open cannot be replaced.
#[cfg(not(unix))]
fn identity(_metadata: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// A log that is cut while a commit is on its way to its end is as long as before, with nothing
/// but zeros in front. No lock is on this file, so that it may be opened and closed.
fn begins_well(log: &Path, length: u64) -> io::Result<bool> {
    /// How such a log begins, but for the last bit.
    const MAGIC: [u8; 4] = [0x37, 0x7f, 0x06, 0x82];
    if length == 0 {
        return Ok(true);
    }
    let mut first = [0; 4];
    match File::open(log)?.read_exact(&mut first) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
        read => read?,
    }
    first[3] &= !1;
    Ok(first == MAGIC)
}

#[cfg(test)]
mod tests {
    use super::begins_well;

    #[test]
    fn a_log_with_a_hole_in_front_is_told_from_a_whole_one() {
        let path = std::env::temp_dir().join(format!("boxman-log-{}", std::process::id()));
        let mut log = vec![0; 4_096];
        for (last, whole) in [(0x82, true), (0x83, true), (0, false)] {
            log[..4].copy_from_slice(&[0x37, 0x7f, 0x06, last]);
            std::fs::write(&path, &log).unwrap();
            assert_eq!(begins_well(&path, 4_096).unwrap(), whole);
        }
        assert!(begins_well(&path, 0).unwrap());
        assert!(begins_well(&path.with_extension("gone"), 4_096).is_err(), "nobody knows");
        std::fs::remove_file(&path).unwrap();
    }
}
