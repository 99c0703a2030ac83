//! `boxman verify`: work out a log again and say what does not follow.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use boxman_server::TableId;
use boxman_server::audit::{Anchor, Export, Options, Source, Trouble, Verdict, verify};

use crate::stores::{self, Kind};
use crate::{Stop, say, say_error};

/// Work out every record of a log again, from the hash chain to the last payout, and name the
/// first that does not follow
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman verify boxman.db\n  \
    boxman verify boxman.db --write-anchor monday.json\n  \
    boxman verify boxman.db --anchor monday.json    shows also what was cut off since\n  \
    boxman verify table.jsonl --json\n\n\
    A server may be running meanwhile. Exit codes: 0 it is sound, 1 it is not, 2 it could not be\n\
    read.")]
pub(crate) struct Args {
    /// A store (PATH, sqlite:PATH or postgres://…), or a table as `boxman export` writes it
    #[arg(value_name = "STORE|EXPORT")]
    log: String,
    /// Only this table, and the meters it feeds
    #[arg(long, value_name = "ID")]
    table: Option<TableId>,
    /// Compare with where the logs stood when this was written
    #[arg(long, value_name = "FILE")]
    anchor: Option<PathBuf>,
    /// Write down where the logs stand, if they are sound; keep it where the house cannot reach it
    #[arg(long, value_name = "FILE")]
    write_anchor: Option<PathBuf>,
    /// The key snapshots are sealed with, where it is not beside the store
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The verdict as JSON; amounts are cents
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let anchor = args.anchor.as_deref().map(read_anchor).transpose()?;
    let options = Options { table: args.table, anchor };
    let (verdict, anchor) = stores::block_on(check(&args.log, args.key.as_deref(), &options))?;
    match args.json {
        true => say(&serde_json::to_string_pretty(&verdict).expect("a verdict is plain data")),
        false => say(&verdict.summary()),
    }
    if !verdict.ok {
        if args.write_anchor.is_some() {
            say_error("no anchor was written: the log is not sound");
        }
        return Err(Stop::Failed);
    }
    match &args.write_anchor {
        Some(path) => write_anchor(&stores::path(&args.log), path, &anchor),
        None => Ok(()),
    }
}

/// The verdict, and where the logs stand, under the seal of the house where its key is there.
async fn check(
    log: &str,
    key: Option<&Path>,
    options: &Options,
) -> Result<(Verdict, Anchor), Stop> {
    let path = stores::path(log);
    let mut progress = Progress::new();
    let mut report = |done, total| progress.show(done, total);
    let kind = match stores::postgres(log)? {
        Some(_) => Kind::Store,
        None => stores::kind(&path)?,
    };
    let verdict = match kind {
        Kind::Store => {
            let store = stores::read(log, key).await?;
            let mut verdict = verify(Source::Store(&*store), options, &mut report).await;
            // What an anchor names is on a standby too, where there is one.
            if let Err(error) = store.confirm().await {
                verdict = Err(error);
            }
            let verdict = verdict.map(|verdict| {
                let anchor = verdict.anchor().sealed_by(&*store);
                (verdict, anchor)
            });
            store.close().await;
            verdict
        }
        Kind::Export => {
            let export = Export::open(&path)
                .map_err(|error| Stop::Misuse(format!("{}: {error}", path.display())))?;
            let verdict = verify(Source::Export(&export), options, &mut report).await;
            verdict.map(|verdict| {
                let anchor = verdict.anchor();
                (verdict, anchor)
            })
        }
        Kind::Other => {
            let reason = format!("{} is neither a store nor an export", path.display());
            return Err(Stop::Misuse(reason));
        }
    };
    progress.clear();
    let shown = stores::postgres(log)?.map_or(path.display().to_string(), |it| it.to_string());
    verdict.map_err(|error| stores::unusable(&shown, &error))
}

fn read_anchor(path: &Path) -> Result<Anchor, Stop> {
    let misuse = |reason: String| Stop::Misuse(format!("{}: {reason}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|error| misuse(format!("cannot be read: {error}")))?;
    Anchor::parse(&text).map_err(misuse)
}

fn write_anchor(log: &Path, path: &Path, anchor: &Anchor) -> Result<(), Stop> {
    let text = anchor.to_json() + "\n";
    let unwritten =
        |error| Trouble::File(format!("{}: cannot be written: {error}", path.display()));
    let write = async |mut file: std::fs::File| file.write_all(text.as_bytes()).map_err(unwritten);
    stores::block_on(stores::write_file(log, path, write))
}

/// How far it is, on a line of the terminal that is written over; nothing for the first second.
pub(crate) struct Progress {
    next: Instant,
    shown: bool,
    terminal: bool,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        let next = Instant::now() + Duration::from_secs(1);
        Progress { next, shown: false, terminal: std::io::stderr().is_terminal() }
    }

    pub(crate) fn show(&mut self, done: u64, total: u64) {
        let now = Instant::now();
        if !self.terminal || now < self.next {
            return;
        }
        (self.next, self.shown) = (now + Duration::from_millis(200), true);
        let percent = done * 100 / total.max(1);
        // A terminal that does not listen is not worth stopping for.
        let _ = write!(std::io::stderr(), "\r{done} of {total} records, {percent} %");
    }

    pub(crate) fn clear(&self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
