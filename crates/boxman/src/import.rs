//! `boxman import`: bring a table in, as another store exported it or as a tape tells it.

use std::path::PathBuf;

use boxman_server::Store;
use boxman_server::audit::{Export, Imported, Trouble, import, import_tape};
use craps::Library;

use crate::stores::{self, Kind};
use crate::{Stop, say};

/// Bring a table into a store: an export, verified first, or a tape as a new table
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman import other.db table.jsonl\n  \
    boxman import other.db tapes/example.tape --name 'The example'\n\n\
    All of it is brought in or nothing. A server that uses the store finds the table when it\n\
    starts again.")]
pub(crate) struct Args {
    /// The store: PATH, sqlite:PATH or postgres://…; it is made where there is none, and no server
    /// may use it meanwhile
    store: String,
    /// The export, or the tape
    file: PathBuf,
    /// What a table made of a tape is called; its file's name if left out
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let kind = stores::kind(&args.file)?;
    match (kind, &args.name) {
        (Kind::Store, _) => {
            let reason = format!("{} is a store: export a table first", args.file.display());
            return Err(Stop::Misuse(reason));
        }
        (Kind::Export, Some(_)) => {
            let reason = "an exported table keeps its name, --name is for tapes".to_owned();
            return Err(Stop::Misuse(reason));
        }
        _ => {}
    }
    let imported = stores::block_on(async {
        let (_lock, store) = stores::write(&args.store).await?;
        let imported = match kind {
            Kind::Export => bring_export(args, &*store).await,
            Kind::Store | Kind::Other => bring_tape(args, &*store).await,
        };
        store.close().await;
        imported.map_err(|trouble| stores::stop(&trouble))
    })?;
    let Imported { table, records, .. } = imported;
    say(&format!("table {table}: {records} records brought in"));
    Ok(())
}

async fn bring_export(args: &Args, store: &dyn Store) -> Result<Imported, Trouble> {
    import(store, &Export::open(&args.file)?, "import").await
}

async fn bring_tape(args: &Args, store: &dyn Store) -> Result<Imported, Trouble> {
    let file = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Trouble::File(format!("{file}: cannot be read: {error}")))?;
    let stem = args.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = args.name.clone().or(stem);
    import_tape(store, &file, &text, name.as_deref(), Library::embedded()).await
}
