//! `boxman export`: carry one table away, to verify it, to keep it or to play it again.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use boxman_server::Store;
use boxman_server::TableId;
use boxman_server::audit::{Source, Trouble, export, tape};
use craps::Library;

use crate::{Stop, stores};

/// Write one table to a file: its whole log with its meters and rulebooks, or a tape that plays
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman export boxman.db --table 0k3v9ax -o table.jsonl\n  \
    boxman verify table.jsonl\n  \
    boxman export boxman.db --table 0k3v9ax --format tape | boxman tape -\n\n\
    A tape has one set of rules: a table that went over to others is exported as jsonl.")]
pub(crate) struct Args {
    /// The store: PATH, sqlite:PATH or postgres://…
    store: String,
    /// The table
    #[arg(long, value_name = "ID")]
    table: TableId,
    /// Records as lines of JSON, or a session as text
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    format: Format,
    /// The file to write; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    Jsonl,
    Tape,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    stores::block_on(async {
        let store = stores::read(&args.store, None).await?;
        let written = match &args.output {
            Some(path) => {
                let write = async |file| write(args, &*store, &mut BufWriter::new(file)).await;
                stores::write_file(&stores::path(&args.store), path, write).await
            }
            None => {
                let written = write(args, &*store, &mut BufWriter::new(std::io::stdout())).await;
                written.map_err(Stop::from)
            }
        };
        store.close().await;
        written
    })
}

async fn write(
    args: &Args,
    store: &dyn Store,
    out: &mut (dyn Write + Send),
) -> Result<(), Trouble> {
    match args.format {
        Format::Jsonl => export(store, args.table, out).await.map(drop),
        Format::Tape => {
            let library = Library::embedded();
            let text = tape(Source::Store(store), args.table, &library).await?;
            let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            written.map_err(|error| Trouble::File(format!("it cannot be written: {error}")))
        }
    }
}
