//! PostgreSQL's own programs: where they lie, and as whom they run.

use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::fallible::Fallible;

const NEEDED: [&str; 4] = ["postgres", "initdb", "pg_basebackup", "psql"];

/// A folder of programs, all of one version.
#[derive(Clone, Debug)]
pub(super) struct Programs {
    folder: PathBuf,
    /// Whom they run as where we are root: PostgreSQL refuses to be.
    ordinary: Option<User>,
}

#[derive(Clone, Copy, Debug)]
struct User {
    uid: u32,
    gid: u32,
}

impl Programs {
    /// Those in the folder `BOXMAN_PG_BIN` names; else on the path; else the newest that Debian
    /// installed, which are not on it.
    pub(super) fn find() -> Fallible<Programs> {
        let folder = match std::env::var_os("BOXMAN_PG_BIN") {
            Some(named) => {
                let folder = PathBuf::from(named);
                let lacks = |program: &&&str| !folder.join(program).is_file();
                if let Some(lacking) = NEEDED.iter().find(lacks) {
                    let folder = folder.display();
                    return Err(format!("BOXMAN_PG_BIN is {folder}, without `{lacking}`").into());
                }
                folder
            }
            None => on_the_path().or_else(newest_of_debian).ok_or(
                "PostgreSQL is not installed: `apt-get install postgresql`, or name the folder of \
                 `postgres`, `initdb`, `pg_basebackup` and `psql` in BOXMAN_PG_BIN",
            )?,
        };
        let ordinary = match rustix::process::geteuid().is_root() {
            true => Some(ordinary_user()?),
            false => None,
        };
        Ok(Programs { folder, ordinary })
    }

    /// One of PostgreSQL's programs, about to be run.
    pub(super) fn command(&self, program: &str) -> Command {
        let mut command = self.other(self.folder.join(program));
        // Whatever somebody has set for their own servers is not for ours.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PG") {
                command.env_remove(name);
            }
        }
        command.env("LC_ALL", "C").env("PGCONNECT_TIMEOUT", "10");
        command
    }

    /// Any other program, as the same user.
    pub(super) fn other(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        if let Some(user) = self.ordinary {
            command.uid(user.uid).gid(user.gid);
        }
        // Where we are may be closed to that user.
        command.current_dir("/").stdin(Stdio::null());
        command
    }

    /// Hands a path to the user they run as.
    pub(super) fn hand_over(&self, path: &Path) -> Fallible<()> {
        if let Some(user) = self.ordinary {
            std::os::unix::fs::chown(path, Some(user.uid), Some(user.gid))?;
        }
        Ok(())
    }

    /// Whom they run as.
    pub(super) fn uid(&self) -> u32 {
        self.ordinary.map_or_else(|| rustix::process::geteuid().as_raw(), |user| user.uid)
    }

    /// The version, as a word: `15.14`.
    pub(super) fn version(&self) -> Fallible<String> {
        let said = run(self.command("postgres").arg("--version"))?;
        let word = said.split_whitespace().find(|word| word.starts_with(|c: char| c.is_numeric()));
        Ok(word.ok_or_else(|| format!("`{said}` names no version"))?.to_owned())
    }
}

fn has_all(folder: &Path) -> bool {
    NEEDED.iter().all(|program| folder.join(program).is_file())
}

fn on_the_path() -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).find(|folder| has_all(folder))
}

fn newest_of_debian() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let numbered = versions.filter_map(|entry| {
        let version: u32 = entry.file_name().to_str()?.parse().ok()?;
        let folder = entry.path().join("bin");
        has_all(&folder).then_some((version, folder))
    });
    Some(numbered.max()?.1)
}

fn ordinary_user() -> Fallible<User> {
    let passwd = std::fs::read_to_string("/etc/passwd")?;
    let named = |name: &str| {
        let line = passwd.lines().find(|line| line.split(':').next() == Some(name))?;
        let mut ids = line.split(':').skip(2).map(str::parse);
        Some(User { uid: ids.next()?.ok()?, gid: ids.next()?.ok()? })
    };
    let user = named("postgres").or_else(|| named("nobody"));
    Ok(user.ok_or("PostgreSQL does not run as root, and there is no user `postgres` or `nobody`")?)
}

/// Runs a command to its end. What it printed, or what it complained about.
pub(super) fn run(command: &mut Command) -> Fallible<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output =
        command.output().map_err(|error| format!("`{program}` could not be started: {error}"))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{program}`: {}: {}", output.status, complaint.trim()).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}
