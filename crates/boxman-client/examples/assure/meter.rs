//! One meter that tables of all nodes feed, while nodes are killed: in the end it holds what was
//! put in, to the cent.

use std::time::Duration;

use boxman_client::Fallible;
use tokio::task::block_in_place;
use tokio::time::sleep;

use crate::Args;
use crate::cluster::{Cluster, Reach};
use crate::players::Style;
use crate::session::{Ended, Session, Size};

/// What the meter starts from, in cents.
const SEED: u64 = 100_000;
/// How much of a bet goes to it, in a hundred.
const INCREMENT: u64 = 15;

pub(crate) async fn play(args: &Args) -> Fallible<Ended> {
    let mut cluster = Cluster::open(&args.program, &args.folder("meter"), 3, Reach::Direct).await?;
    let size = Size {
        tables: 24,
        players: 3,
        rate: args.rate.min(600),
        style: Style::Progressive,
        ..args.full()
    };
    let mut session = Session::begin(&cluster, size, Some("downtown")).await?;
    for trial in 0..args.trials {
        sleep(Duration::from_secs(3)).await;
        // The meter's own node, and then whichever has most.
        let node = match trial % 2 {
            0 => home(&cluster)?,
            _ => cluster.busiest()?,
        };
        let tables = cluster.tables_of(node, &session.play.tables)?;
        block_in_place(|| cluster.nodes[node].kill());
        session.broken(tables);
        sleep(Duration::from_secs(3)).await;
        block_in_place(|| cluster.nodes[node].start())?;
    }
    sleep(Duration::from_secs(3)).await;
    let mut ended = session.end(&mut cluster).await?;
    let fed: u64 = ended
        .notes
        .iter()
        .flat_map(|notes| &notes.sent)
        .filter(|sent| sent.ack.is_some())
        .map(|sent| sent.fed)
        .sum();
    let said = holds(&cluster, fed).await?;
    ended.verdict.violations.extend(said);
    Ok(ended)
}

/// The node that has the meter.
fn home(cluster: &Cluster) -> Fallible<usize> {
    let name = cluster
        .sql("SELECT name FROM stream JOIN pit USING (pit) WHERE stream = 'meter/downtown'")?;
    let place = cluster.nodes.iter().position(|node| node.name == name);
    Ok(place.ok_or("nobody has the meter")?)
}

/// What is wrong with the meter, after so many cents were bet on it.
async fn holds(cluster: &Cluster, bet: u64) -> Fallible<Option<String>> {
    let mut shown = Vec::new();
    // Letters are heard within a second or two of the last take-over.
    for _ in 0..40 {
        shown.clear();
        for node in &cluster.nodes {
            let mut boss = cluster.boss()?;
            boss.address = node.address.clone();
            shown.push(boss.get("/api/meters/downtown").await?.ok()?);
        }
        let expected = SEED + bet * INCREMENT / 100;
        let amounts: Vec<u64> = shown.iter().flat_map(|view| view["amount"].as_u64()).collect();
        let hits = shown[0]["hits"].as_array().map_or(0, Vec::len);
        if hits > 0 {
            println!("  the meter was hit {hits} times: `boxman verify` has added it up");
            return Ok(None);
        }
        if amounts.len() == shown.len() && amounts.iter().all(|amount| *amount == expected) {
            println!("  the meter holds {expected} cents at every node: {bet} were bet on it");
            return Ok(None);
        }
        sleep(Duration::from_millis(500)).await;
    }
    Ok(Some(format!("{bet} cents were bet on the meter, it shows {shown:?}")))
}
