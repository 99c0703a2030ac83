//! The line between two nodes is cut while both reach the database. Whoever asks the wrong one is
//! told so, and nobody takes anybody's tables.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use boxman_client::proxy::Proxy;
use boxman_client::{Client, Fallible, json};
use tokio::task::block_in_place;
use tokio::time::sleep;

use crate::Args;
use crate::cluster::{Cluster, Reach};
use crate::session::{Ended, Session, Size};

/// The line is cut for so long: longer than a request is held.
const CUT: Duration = Duration::from_secs(8);

pub(crate) async fn play(args: &Args) -> Fallible<Ended> {
    let mut cluster = Cluster::open(&args.program, &args.folder("link"), 2, Reach::Direct).await?;
    let lines = interpose(&mut cluster).await?;
    let size = Size { tables: 30, rate: args.rate / 2, ..args.full() };
    let mut session = Session::begin(&cluster, size, None).await?;
    let mut broken = Vec::new();
    for trial in 0..args.trials {
        sleep(Duration::from_secs(3)).await;
        let before = names(&cluster)?;
        session.broken((0..session.play.tables.len()).collect());
        match trial % 2 {
            0 => lines.iter().for_each(Proxy::cut),
            _ => lines.iter().for_each(Proxy::stall),
        }
        broken.extend(asked(&cluster, &session.play.tables).await?);
        let after = names(&cluster)?;
        if before != after {
            broken.push("pits have changed hands though both nodes reach the database".to_owned());
        }
        for line in &lines {
            line.flow();
            line.mend()?;
        }
    }
    sleep(Duration::from_secs(3)).await;
    block_in_place(|| cluster.primary.sql("DROP TRIGGER by_proxy ON node"))?;
    block_in_place(|| cluster.primary.sql("DROP FUNCTION by_proxy"))?;
    let mut ended = session.end(&mut cluster).await?;
    ended.verdict.violations.extend(broken);
    Ok(ended)
}

/// Who has how many pits, by incarnation.
fn names(cluster: &Cluster) -> Fallible<String> {
    cluster.sql("SELECT pit, name, incarnation FROM pit ORDER BY pit")
}

/// Puts a line that can be cut before every node: other nodes find its address in the database,
/// where it is written instead of the node's own. Nodes are started again, so that none of them
/// knows another way.
async fn interpose(cluster: &mut Cluster) -> Fallible<Vec<Proxy>> {
    let mut lines = Vec::new();
    let mut cases = String::new();
    for node in &cluster.nodes {
        let line = Proxy::start(node.internal.parse::<SocketAddr>()?)?;
        cases += &format!(" WHEN '{}' THEN '{}'", node.name, line.address());
        lines.push(line);
    }
    let function = format!(
        "CREATE FUNCTION by_proxy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         NEW.address := CASE NEW.name{cases} END; RETURN NEW; END $$"
    );
    cluster.sql(&function)?;
    cluster.sql(
        "CREATE TRIGGER by_proxy BEFORE INSERT ON node FOR EACH ROW EXECUTE FUNCTION by_proxy()",
    )?;
    for node in &mut cluster.nodes {
        block_in_place(|| {
            node.drain(Duration::from_secs(45))?;
            node.start()
        })?;
    }
    // Each has its share again, so that nothing moves by itself.
    for _ in 0..120 {
        let shares = cluster.sql("SELECT count(*) FROM pit GROUP BY name, incarnation")?;
        let shares: Vec<usize> = shares.lines().flat_map(str::parse).collect();
        if shares.len() == 2 && shares.iter().all(|share| *share >= 510) {
            return Ok(lines);
        }
        sleep(Duration::from_millis(500)).await;
    }
    Err("the nodes did not share the pits evenly".into())
}

/// Asks each node for a table of the other and one of its own, for as long as the line is cut.
async fn asked(cluster: &Cluster, tables: &[String]) -> Fallible<Vec<String>> {
    let until = Instant::now() + CUT;
    let mut broken = Vec::new();
    let (mut told, mut served) = (0, 0);
    let stranger = Client::guest(&cluster.nodes[0].address, "Stranger").await?;
    for (node, other) in [(0, 1), (1, 0)] {
        let theirs = cluster.tables_of(other, tables)?;
        let own = cluster.tables_of(node, tables)?;
        let client = Client { address: cluster.nodes[node].address.clone(), ..stranger.clone() };
        // Whatever comes of it is a refusal: nobody sits in that seat.
        let leave = json!({ "command": "leave", "seat": 20 });
        for (places, reachable) in [(theirs, false), (own, true)] {
            let Some(place) = places.first() else { continue };
            let begun = Instant::now();
            let answer = client.command(&tables[*place], &format!("cut-{node}"), &leave).await?;
            let (code, took) = (answer.code().to_owned(), begun.elapsed().as_millis());
            match (reachable, answer.status, code.as_str()) {
                (false, 503, "owner-unreachable") => told += 1,
                (true, status, _) if status < 500 => served += 1,
                (_, status, code) => broken.push(format!(
                    "with the line cut n{} answered {status} {code} after {took} ms for a table \
                     of {}",
                    node + 1,
                    if reachable { "its own" } else { "the other's" }
                )),
            }
        }
    }
    println!("  cut: {told} told `owner-unreachable`, {served} served by their own node");
    sleep(until.saturating_duration_since(Instant::now())).await;
    Ok(broken)
}
