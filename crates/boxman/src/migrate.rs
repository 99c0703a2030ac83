//! `boxman migrate`: bring a store's tables up to this program's version, and have a later edition
//! of the log written.

use boxman_server::{Pits, Postgres, edition};

use crate::{Stop, say, stores};

/// Make the tables of a store, or bring them up to this version of the program
///
/// `serve` makes the tables of an empty database by itself; this does it beforehand, for instance
/// under a role that may, where the server's may not.
///
/// With --edition, beside nodes that are up: once every one of them is of a later version of the
/// program, what only that version reads may be written from now on. No edition is taken back.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  boxman migrate postgres://owner@db.example/boxman\n  boxman \
                        migrate postgres://boxman@db.example/boxman --edition 2")]
pub(crate) struct Args {
    /// The store: PATH, sqlite:PATH or postgres://…
    store: String,
    /// Have this edition of the log written (`boxman nodes` says which is and which could be)
    #[arg(long)]
    edition: Option<i64>,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    if let Some(edition) = args.edition {
        return raise(&args.store, edition);
    }
    stores::block_on(async {
        let (_lock, store) = stores::write(&args.store).await?;
        store.close().await;
        Ok(())
    })?;
    say("its tables are those of this version");
    Ok(())
}

fn raise(store: &str, to: i64) -> Result<(), Stop> {
    let Some(address) = stores::postgres(store)? else {
        return Err(Stop::Misuse(format!(
            "{store} is one program's own, which writes its latest edition: only a PostgreSQL has \
             one to raise"
        )));
    };
    stores::block_on(async {
        let down = |error| stores::unusable(&address, &error);
        let store = Postgres::read(&address, None).await.map_err(down)?;
        let shared: &dyn Pits = &store;
        let raised = edition::raise(shared, to).await.map_err(down)?;
        raised.map_err(|why| Stop::Misuse(format!("{address}: {why}")))
    })?;
    say(&format!("edition {to} is written from now on"));
    Ok(())
}
