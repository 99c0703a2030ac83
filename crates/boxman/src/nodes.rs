//! `boxman nodes` and `boxman evict`: who runs the tables of a PostgreSQL, and who shall not any
//! more.

use boxman_server::{NodeRow, Pits, Postgres, edition};
use comfy_table::{Table, presets};

use crate::{Stop, say, stores};

/// List the nodes that share a PostgreSQL: where each is reached, how many pits it runs, and
/// whether it beats
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boxman nodes postgres://boxman@db.example/boxman")]
pub(crate) struct Args {
    /// The store: postgres://…
    store: String,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Declare a node gone whose process is half dead: others take its tables over at once, and it
/// gives them up when it notices
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boxman evict postgres://boxman@db.example/boxman pit-2")]
pub(crate) struct EvictArgs {
    /// The store: postgres://…
    store: String,
    /// The node's name
    node: String,
}

/// Somebody on the list.
#[derive(serde::Serialize)]
struct Listed {
    node: String,
    state: String,
    address: String,
    pits: usize,
    version: String,
    /// The newest edition of the log it reads.
    reads: i64,
    beats: bool,
}

async fn open(store: &str) -> Result<Postgres, Stop> {
    let Some(address) = stores::postgres(store)? else {
        return Err(Stop::Misuse(format!(
            "{store} is not a PostgreSQL: only there are nodes (postgres://USER@HOST/DATABASE)"
        )));
    };
    Postgres::read(&address, None).await.map_err(|error| stores::unusable(&address, &error))
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let (listed, written) = stores::block_on(async {
        let store = open(&args.store).await?;
        let nodes: &dyn Pits = &store;
        let down = |error| stores::unusable(&"the database", &error);
        let written = edition::written(nodes).await.map_err(down)?;
        let before = nodes.nodes().await.map_err(down)?;
        let pits = store.pits_of_nodes().await.map_err(down)?;
        // Two beats later those that live have beaten.
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
        let after = nodes.nodes().await.map_err(down)?;
        let listed = after.into_iter().map(|node| {
            let is_same = |known: &&NodeRow| known.identity == node.identity;
            let beats = before.iter().find(is_same).is_none_or(|known| known.beats < node.beats);
            let count = pits.iter().find(|(identity, _)| *identity == node.identity);
            Listed {
                pits: count.map_or(0, |(_, count)| *count),
                node: node.identity.name,
                state: node.state,
                address: node.address,
                version: node.version,
                reads: node.reads,
                beats,
            }
        });
        Ok((listed.collect::<Vec<Listed>>(), written))
    })?;
    if args.json {
        say(&serde_json::to_string_pretty(&listed).expect("a list is plain data"));
        return Ok(());
    }
    if listed.is_empty() {
        say("no node is up");
        return Ok(());
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["node", "state", "pits", "beats", "reached at", "version"]);
    let all_read = listed.iter().map(|node| node.reads).min().unwrap_or(written);
    for Listed { node, state, address, pits, version, reads: _, beats } in listed {
        let beats = if beats { "yes" } else { "no" };
        table.add_row([node, state, pits.to_string(), beats.to_owned(), address, version]);
    }
    say(&table.to_string());
    if all_read > written {
        say(&format!(
            "edition {written} of the log is written, and every node reads {all_read}: \
             `boxman migrate STORE --edition {all_read}` has that one written"
        ));
    }
    Ok(())
}

pub(crate) fn evict(args: &EvictArgs) -> Result<(), Stop> {
    let gone = stores::block_on(async {
        let store = open(&args.store).await?;
        let nodes: &dyn Pits = &store;
        let down = |error| stores::unusable(&"the database", &error);
        let up = nodes.nodes().await.map_err(down)?;
        let mut gone = 0;
        for node in up.iter().filter(|node| node.identity.name == args.node) {
            gone += usize::from(nodes.evict(&node.identity).await.map_err(down)?);
        }
        Ok(gone)
    })?;
    match gone {
        0 => Err(Stop::Misuse(format!("no node named {} is up", args.node))),
        _ => {
            say(&format!("{} is gone; others take its tables over", args.node));
            Ok(())
        }
    }
}
