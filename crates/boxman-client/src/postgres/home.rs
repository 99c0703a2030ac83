//! Where a server of ours lives: a folder of its own, and somebody who clears it away.

use std::fs::{DirBuilder, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use super::programs::{Programs, run};
use crate::fallible::Fallible;

/// Waits until whoever started it is gone, however they went: then their end of the pipe is
/// closed. Ends every process that works in `$1/data`, frees the memory a killed server has left
/// with the system, and removes `$1`.
const CARETAKER: &str = r#"
read -r nothing
each() {
    for process in /proc/[0-9]*; do
        [ "$process/cwd" -ef "$1" ] || continue
        found=yes
        for signal in $2; do kill -s "$signal" "${process#/proc/}"; done
    done
}
each "$1/data" 'QUIT CONT'
tries=0
while found=; each "$1/data" ''; [ "$found" ] && [ $tries -lt 200 ]; do
    tries=$((tries + 1))
    sleep 0.02
done
each "$1/data" KILL
memory=$(sed -n 7p "$1/data/postmaster.pid")
[ "$memory" ] && ipcrm -m "${memory##* }"
rm -rf "$1"
"#;

/// Which template this code makes: another number where it makes another.
const TEMPLATE: u32 = 1;

const SETTINGS: &str = "
max_connections = 200
shared_buffers = 128MB
wal_level = replica
max_wal_senders = 10
max_prepared_transactions = 0
# A standby that lost its primary asks again soon.
wal_retrieve_retry_interval = 100ms
# A killed server leaves nothing in /dev/shm.
dynamic_shared_memory_type = mmap
timezone = UTC
log_timezone = UTC
";

/// A folder among those of its kind. It goes when this is dropped.
pub(super) struct Home {
    pub(super) folder: PathBuf,
    caretaker: Child,
}

impl Home {
    pub(super) fn new(programs: &Programs) -> Fallible<Home> {
        let folder = made_in(&street(programs)?, programs)?;
        let caretaker = programs
            .other("sh")
            .args(["-c", CARETAKER, "caretaker"])
            .arg(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Home { folder, caretaker })
    }

    pub(super) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// Fills it with a new cluster that holds one empty database, `boxman`. The first of a
    /// version is made, and kept as one file beside all homes; the others are unpacked from it,
    /// in a fraction of the time.
    pub(super) fn furnish(&self, programs: &Programs) -> Fallible<()> {
        let template = street(programs)?.join(format!("{}-{TEMPLATE}.tar", programs.version()?));
        if template.exists() {
            let mut unpack = programs.other("tar");
            unpack.arg("-xf").arg(&template).arg("-C").arg(&self.folder);
            if run(&mut unpack).is_ok() {
                return Ok(());
            }
            // Nothing to start from after all: it is made anew, and put in that one's place.
            let _ = std::fs::remove_dir_all(self.data());
        }
        self.build(programs)?;
        let packed = self.folder.join("template.tar");
        let mut pack = programs.other("tar");
        run(pack.arg("-cf").arg(&packed).arg("-C").arg(&self.folder).arg("data"))?;
        // Several may come here at once: any of their files does, and each comes whole.
        if std::fs::rename(&packed, &template).is_err() {
            std::fs::remove_file(&packed)?;
        }
        Ok(())
    }

    fn build(&self, programs: &Programs) -> Fallible<()> {
        let mut initdb = programs.command("initdb");
        initdb.args(["--auth=trust", "--encoding=UTF8", "--locale=C", "--username=postgres"]);
        run(initdb.arg("--no-sync").arg("-D").arg(self.data()))?;
        self.set(SETTINGS)?;
        let mut alone = programs.command("postgres");
        alone.arg("--single").arg("-D").arg(self.data()).arg("postgres");
        alone.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = alone.spawn()?;
        let mut input = child.stdin.take().ok_or("it has no input")?;
        input.write_all(b"CREATE DATABASE boxman\n")?;
        drop(input);
        let output = child.wait_with_output()?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        // Alone, it ends well even where a statement failed.
        match output.status.success() && !complaint.contains("ERROR") {
            true => Ok(()),
            false => Err(format!("the database was not made: {}", complaint.trim()).into()),
        }
    }

    /// Adds to the settings; the last of a name counts.
    pub(super) fn set(&self, settings: &str) -> Fallible<()> {
        let mut file = File::options().append(true).open(self.data().join("postgresql.conf"))?;
        Ok(file.write_all(settings.as_bytes())?)
    }

    /// The end of what the server had to say.
    pub(super) fn last_words(&self) -> String {
        let log = std::fs::read_to_string(self.log()).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(12)..].join("\n")
    }

    /// The processes that work here, where the system tells.
    pub(super) fn processes(&self) -> Vec<i32> {
        let data = self.data();
        let lives_here = |process: &Path| {
            std::fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == data)
        };
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        all.filter_map(|entry| {
            let id = entry.file_name().to_str()?.parse().ok()?;
            lives_here(&entry.path()).then_some(id)
        })
        .collect()
    }

    /// Has the caretaker clear it away, and waits until that is done.
    pub(super) fn clear(&mut self) {
        drop(self.caretaker.stdin.take());
        let _ = self.caretaker.wait();
    }
}

/// The folder that all homes of a user lie in.
fn street(programs: &Programs) -> Fallible<PathBuf> {
    let temporary = std::env::temp_dir().canonicalize()?;
    let street = temporary.join(format!("boxman-pg-{}", programs.uid()));
    if !street.exists() {
        let new = made_in(&temporary, programs)?;
        // Where ext4 keeps no journal, as on many a build machine, it is slow to make files where
        // others were removed a minute ago: a start takes a second. This asks it to put each home
        // somewhere else. Other file systems know no such thing, and need none.
        let _ = run(programs.other("chattr").arg("+T").arg(&new));
        // Where somebody else was quicker, theirs does.
        if std::fs::rename(&new, &street).is_err() {
            std::fs::remove_dir(&new)?;
        }
    }
    let found = std::fs::symlink_metadata(&street)?;
    match found.is_dir() && found.uid() == programs.uid() {
        true => Ok(street),
        false => Err(format!("{} belongs to somebody else: remove it", street.display()).into()),
    }
}

/// Makes a new folder in another, closed to all but the user the programs run as.
fn made_in(parent: &Path, programs: &Programs) -> Fallible<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = parent.join(format!("boxman-{}-{count}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => {
                programs.hand_over(&folder)?;
                return Ok(folder);
            }
            // Somebody had our process id before us, and left in a hurry.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{}: {error}", folder.display()).into()),
        }
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        self.clear();
    }
}
