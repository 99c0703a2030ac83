//! A rolling restart: each node is asked to go and started again, while everybody plays. Nobody is
//! refused anything, and no table stands still for long.

use std::time::{Duration, Instant};

use boxman_client::Fallible;
use tokio::task::block_in_place;
use tokio::time::sleep;

use crate::Args;
use crate::cluster::{Cluster, Reach};
use crate::figures::spread;
use crate::players::Style;
use crate::session::{Ended, Pause, Session, Size};

/// A node that is asked to go has gone by then.
const GOES: Duration = Duration::from_secs(45);
/// Longer pauses are told one by one.
const LONG: Duration = Duration::from_millis(250);
/// What a player must not be told meanwhile. A socket that closes, and a door that is shut because
/// the node has gone, are no refusals.
const REFUSALS: [&str; 8] = [
    "store-down",
    "table-moved",
    "table-silent",
    "shutting-down",
    "owner-unreachable",
    "node-silent",
    "socket-503",
    "late",
];

pub(crate) async fn play(args: &Args) -> Fallible<Ended> {
    let mut cluster = Cluster::open(&args.program, &args.folder("roll"), 3, Reach::Direct).await?;
    // One player a table who sends something every 20 ms, so that pauses show.
    let tables = (args.rate / 50).clamp(1, 60);
    let size = Size { tables, players: 1, rate: tables * 50, style: Style::Steady, ..args.full() };
    let session = Session::begin(&cluster, size, None).await?;
    sleep(Duration::from_secs(3)).await;
    let (mut times, mut broken) = (Vec::new(), Vec::new());
    for _ in 0..args.trials.div_ceil(3) {
        for node in 0..cluster.nodes.len() {
            let begun = Instant::now();
            let well = block_in_place(|| cluster.nodes[node].drain(GOES))?;
            let name = &cluster.nodes[node].name;
            println!("  {name} went in {} ms", begun.elapsed().as_millis());
            if !well {
                broken.push(format!("{name} was asked to go and ended badly"));
            }
            sleep(Duration::from_secs(1)).await;
            block_in_place(|| cluster.nodes[node].start())?;
            sleep(Duration::from_secs(5)).await;
            // It has its share of the tables again by now: those moved twice.
            times.push((begun, Instant::now()));
        }
    }
    let mut ended = session.end(&mut cluster).await?;
    let all = times.iter().flat_map(|(from, to)| ended.pauses(*from, *to));
    let all: Vec<Pause> = all.collect();
    for Pause { table, after, took } in all.iter().filter(|pause| pause.took > LONG) {
        let (took, after) = (took.as_millis(), after.as_millis());
        println!("  table {table} stood still for {took} ms, {after} ms after a node was stopped");
    }
    let mut pauses: Vec<Duration> = all.iter().map(|pause| pause.took).collect();
    println!("  the longest pause of a table: {}", spread(&mut pauses, "pauses"));
    for code in REFUSALS {
        if let Some(count) = ended.verdict.troubles.get(code) {
            broken.push(format!("commands were answered `{code}` {count} times"));
        }
    }
    let refusals: u64 = ended.verdict.refusals.values().sum();
    if refusals > 0 {
        broken.push(format!("{refusals} commands were refused that no rule refuses"));
    }
    ended.verdict.violations.extend(broken);
    Ok(ended)
}
