//! `boxman migrate`: bring a store's tables up to this program's version.

use crate::{Stop, say, stores};

/// Make the tables of a store, or bring them up to this version of the program
///
/// `serve` makes the tables of an empty database by itself; this does it beforehand, for instance
/// under a role that may, where the server's may not.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boxman migrate postgres://owner@db.example/boxman")]
pub(crate) struct Args {
    /// The store: PATH, sqlite:PATH or postgres://…
    store: String,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    stores::block_on(async {
        let (_lock, store) = stores::write(&args.store).await?;
        store.close().await;
        Ok(())
    })?;
    say("its tables are those of this version");
    Ok(())
}
