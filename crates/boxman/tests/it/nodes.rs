//! Several nodes on one PostgreSQL, as processes: played through the wrong one, killed, frozen,
//! drained and evicted; and what a node says that cannot start. `cargo xtask assure` does the same
//! for longer.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use boxman_client::postgres::Postgres;
use boxman_client::{Answer, Client, Fallible, Value, json};

use crate::{House, boxman};

/// A table is played elsewhere by then, on a machine with other things to do as well.
const SOON: Duration = Duration::from_secs(15);

/// A database with a synchronous standby, and a key that its nodes share.
struct Pair {
    primary: Postgres,
    standby: Postgres,
    house: House,
}

impl Pair {
    /// None where no PostgreSQL is installed, which is said; in CI it is.
    fn for_test(name: &str) -> Option<Pair> {
        let primary = Postgres::for_test()?;
        let standby = primary.standby("s1").unwrap();
        primary.require_standbys(&["s1"]).unwrap();
        Some(Pair { primary, standby, house: House::new(name, "") })
    }

    fn store(&self) -> String {
        let (primary, standby) = (self.primary.port(), self.standby.port());
        format!("postgres://postgres@127.0.0.1:{primary},127.0.0.1:{standby}/boxman")
    }

    fn key(&self) -> String {
        self.house.path("boxman.key")
    }

    fn start(&self, name: &str) -> Node {
        let log = self.house.path(&format!("{name}.log"));
        Node::start(name, &self.store(), &self.key(), &log)
    }

    /// The node that has a table.
    fn owner(&self, table: &str) -> String {
        let select =
            format!("SELECT name FROM stream JOIN pit USING (pit) WHERE stream = 'table/{table}'");
        self.primary.sql(&select).unwrap()
    }

    fn assert_sound(&self) {
        let verified = boxman(&["verify", &self.store(), "--key", &self.key()]);
        assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    }
}

/// A node as a process. It is killed when this is dropped.
struct Node {
    name: String,
    child: Child,
    address: String,
    link: Option<String>,
    log: String,
}

impl Node {
    fn start(name: &str, store: &str, key: &str, log: &str) -> Node {
        let (listen, internal) = (free(), free());
        let file = File::options().create(true).append(true).open(log).unwrap();
        let mut child = serve(&[
            "--store",
            store,
            "--key",
            key,
            "--node",
            name,
            "--listen",
            &listen,
            "--internal",
            &internal,
            "--durability",
            "replica",
            "--requests-per-second",
            "100000",
        ])
        .stdout(Stdio::piped())
        .stderr(file)
        .spawn()
        .unwrap();
        let mut link = None;
        for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
            if let Some((_, secret)) = line.split_once("/setup/") {
                link = Some(secret.to_owned());
            } else if line.contains("open at http://") {
                let (name, log) = (name.to_owned(), log.to_owned());
                return Node { name, child, address: listen, link, log };
            }
        }
        let ended = child.wait().unwrap();
        panic!("{name} ended with {ended}: {}", std::fs::read_to_string(log).unwrap_or_default());
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// What it had to say.
    fn said(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits until it has gone by itself. Says whether it went well.
    fn has_gone(&mut self) -> bool {
        for _ in 0..3_000 {
            if let Some(ended) = self.child.try_wait().unwrap() {
                return ended.success();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("{} did not go: {}", self.name, self.said());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.kill();
    }
}

fn serve(args: &[&str]) -> Command {
    let mut serve = Command::new(env!("CARGO_BIN_EXE_boxman"));
    serve.arg("serve").args(args).stdin(Stdio::null()).env("NO_COLOR", "1");
    serve
}

/// An address of the loopback that is free, below the ports that outgoing connections get.
fn free() -> String {
    // Tests that run beside this one have ids close to its own.
    let start = 10_240 + (std::process::id().wrapping_mul(97) % 10_000) as u16;
    static NEXT: std::sync::atomic::AtomicU16 = std::sync::atomic::AtomicU16::new(0);
    for _ in 0..10_000 {
        let port = start + NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 10_000;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return format!("127.0.0.1:{port}");
        }
    }
    panic!("no port is free");
}

/// The same person at another node.
fn at(node: &Node, who: &Client) -> Client {
    Client { address: node.address.clone(), ..who.clone() }
}

/// Asks until somebody has the last word: whoever is told to try again does so under the same id.
async fn ask(who: &Client, table: &str, id: &str, command: &Value) -> Fallible<Answer> {
    let begun = Instant::now();
    loop {
        let answer = who.command(table, id, command).await;
        match answer {
            Ok(answer) if answer.status != 503 => return Ok(answer),
            other if begun.elapsed() > SOON => return other,
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

fn put(wager: &str, amount: i64) -> Value {
    json!({ "command": "put", "seat": 0, "wager": wager, "amount": amount })
}

fn roll(number: u64) -> Value {
    json!({ "command": "roll", "shooter_bytes": format!("{number:064x}") })
}

/// Everything that is somebody's in front of them and on the felt.
async fn chips(who: &Client, table: &str) -> Fallible<(Value, Value)> {
    let view = who.get(&format!("/api/tables/{table}")).await?.ok()?;
    Ok((view["seats"][0]["rack"].clone(), view["seats"][0]["bets"].clone()))
}

/// Every table. A node hears of another's a moment after it has started, or they have moved.
async fn lobby(node: &Node) -> Fallible<Value> {
    let begun = Instant::now();
    loop {
        let tables = Client::anyone(&node.address).get("/api/tables").await?.ok()?;
        if tables != json!([]) || begun.elapsed() > SOON {
            return Ok(tables);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// The first table, with somebody at it who has come through this node.
async fn seated(node: &Node) -> Fallible<(Client, String)> {
    let tables = lobby(node).await?;
    let table = tables[0]["id"].as_str().ok_or("there is no table")?.to_owned();
    let player = Client::guest(&node.address, "Ann").await?;
    player.command(&table, "sit", &json!({ "command": "sit", "seat": 0 })).await?.ok()?;
    let buy_in = json!({ "command": "buy-in", "seat": 0, "amount": 100_000_000 });
    player.command(&table, "buy-in", &buy_in).await?.ok()?;
    Ok((player, table))
}

/// Plays until a point is on, with chips in several places.
async fn in_mid_hand(who: &Client, table: &str, from: u64) -> Fallible<()> {
    for number in from..from + 100 {
        ask(who, table, &format!("pass-{number}"), &put("pass", 500)).await?;
        ask(who, table, &format!("roll-{number}"), &roll(number)).await?.ok()?;
        let view = who.get(&format!("/api/tables/{table}")).await?.ok()?;
        if !view["hand"]["puck"].is_null() {
            ask(who, table, &format!("place-{number}"), &put("place 6", 600)).await?;
            return Ok(());
        }
    }
    Err("no point in a hundred rolls".into())
}

/// Both nodes, the one that has the table first.
fn owner_first(pair: &Pair, table: &str, one: Node, two: Node) -> (Node, Node) {
    if pair.owner(table) == one.name { (one, two) } else { (two, one) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_goes_on_elsewhere_with_every_chip_in_place() -> Fallible<()> {
    let Some(pair) = Pair::for_test("nodes-kill") else { return Ok(()) };
    let (one, two) = (pair.start("one"), pair.start("two"));
    let (player, table) = seated(&one).await?;
    let (mut owner, other) = owner_first(&pair, &table, one, two);
    // Whoever asks the wrong node notices nothing.
    let player = at(&other, &player);
    in_mid_hand(&player, &table, 0).await?;
    let before = chips(&player, &table).await?;
    let last = ask(&player, &table, "last", &put("field", 500)).await?.ok()?;
    let mut socket = player.socket(&table, None).await?;
    socket.next_of("snapshot").await?;
    owner.kill();
    // A socket to it ends, and is opened again where the table is now.
    while socket.next().await.unwrap_or_default().is_some() {}
    let again = ask(&player, &table, "last", &put("field", 500)).await?.ok()?;
    assert_eq!(again["seq"], last["seq"], "what was acknowledged is known under its id");
    assert_eq!(pair.owner(&table), other.name);
    ask(&player, &table, "take", &json!({ "command": "take", "seat": 0, "wager": "field" }))
        .await?
        .ok()?;
    assert_eq!(chips(&player, &table).await?, before);
    let mut socket = player.socket(&table, last["seq"].as_u64()).await?;
    let resumed = socket.next().await?.ok_or("the socket ended")?;
    assert_eq!(resumed["type"], "resumed", "{resumed}");
    // The one that was killed comes back, and the other is frozen for longer than it is believed.
    let name = owner.name.clone();
    drop(owner);
    let back = pair.start(&name);
    let player = at(&back, &player);
    in_mid_hand(&player, &table, 1_000).await?;
    let before = chips(&player, &table).await?;
    let frozen = pair.owner(&table) == other.name;
    assert!(frozen, "pits are handed over a few at a time");
    other.signal("-STOP");
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let answer = ask(&player, &table, "thaw", &put("field", 500)).await?.ok()?;
    assert_eq!(pair.owner(&table), back.name);
    other.signal("-CONT");
    // What the thawed one believes is worth nothing: it answers as the owner does.
    let thawed = ask(&at(&other, &player), &table, "thaw", &put("field", 500)).await?.ok()?;
    assert_eq!(thawed["seq"], answer["seq"]);
    let take = json!({ "command": "take", "seat": 0, "wager": "field" });
    ask(&at(&other, &player), &table, "take-2", &take).await?.ok()?;
    assert_eq!(chips(&player, &table).await?, before);
    pair.assert_sound();
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_when_the_standby_takes_over() -> Fallible<()> {
    let Some(mut pair) = Pair::for_test("nodes-promote") else { return Ok(()) };
    let (one, two) = (pair.start("one"), pair.start("two"));
    let (player, table) = seated(&one).await?;
    let (mut acknowledged, mut standbys) = (Vec::new(), Vec::new());
    for number in 0..40_usize {
        if number == 20 {
            pair.primary.kill();
            pair.standby.promote()?;
            // Nothing is acknowledged by one that waits for no standby of its own.
            standbys.push(pair.standby.standby("again")?);
            pair.standby.require_standbys(&["again"])?;
        }
        let (id, node) = (format!("bet-{number}"), [&one, &two][number % 2]);
        let answer = ask(&at(node, &player), &table, &id, &put("field", 500)).await?;
        assert_eq!(answer.status, 200, "{}\n{}\n{}", answer.text, one.said(), two.said());
        let answer = answer.ok()?;
        acknowledged.push((id, answer["seq"].clone()));
    }
    for (id, seq) in acknowledged {
        let answer = ask(&player, &table, &id, &put("field", 500)).await?.ok()?;
        assert_eq!(answer["seq"], seq, "{id} was acknowledged");
    }
    pair.assert_sound();
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_is_asked_to_go_hands_its_tables_over_and_refuses_nobody() -> Fallible<()> {
    let Some(pair) = Pair::for_test("nodes-drain") else { return Ok(()) };
    let (one, two) = (pair.start("one"), pair.start("two"));
    let listed = boxman(&["nodes", &pair.store()]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    assert!(listed.out.contains("one") && listed.out.contains("two"), "{}", listed.out);
    let (player, table) = seated(&one).await?;
    let (mut owner, other) = owner_first(&pair, &table, one, two);
    let player = at(&other, &player);
    owner.signal("-TERM");
    let begun = Instant::now();
    let mut number = 0;
    while begun.elapsed() < Duration::from_secs(3) {
        let command = match number % 2 {
            0 => put("field", 500),
            _ => json!({ "command": "take", "seat": 0, "wager": "field" }),
        };
        let answer = player.command(&table, &format!("drain-{number}"), &command).await?;
        assert_eq!(answer.status, 200, "command {number}: {}", answer.text);
        number += 1;
    }
    assert!(owner.has_gone(), "it ends well");
    assert_eq!(pair.owner(&table), other.name);
    let listed = boxman(&["nodes", &pair.store(), "--json"]);
    let listed: Value = serde_json::from_str(&listed.out)?;
    let up = listed.as_array().ok_or("that is no list")?;
    assert_eq!(up.len(), 1, "{listed}");
    assert_eq!((&up[0]["node"], &up[0]["pits"]), (&json!(other.name), &json!(1_024)));
    assert_eq!((&up[0]["state"], &up[0]["beats"]), (&json!("up"), &json!(true)));
    // Another comes, and the one that is up is declared gone: it comes back by itself.
    let third = pair.start("three");
    let evicted = boxman(&["evict", &pair.store(), &other.name]);
    assert_eq!(evicted.code, 0, "{}", evicted.err);
    ask(&at(&third, &player), &table, "evicted", &put("place 6", 600)).await?.ok()?;
    ask(&player, &table, "evicted-too", &put("place 8", 600)).await?.ok()?;
    let evicted = boxman(&["evict", &pair.store(), "nobody"]);
    assert_eq!(evicted.code, 2);
    assert_eq!(evicted.err.trim(), "error: no node named nobody is up");
    pair.assert_sound();
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nodes_that_start_together_are_one_house() -> Fallible<()> {
    let Some(pair) = Pair::for_test("nodes-first") else { return Ok(()) };
    let nodes: Vec<Node> = std::thread::scope(|scope| {
        let starts = ["one", "two", "three"].map(|name| scope.spawn(|| pair.start(name)));
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    let links: Vec<&String> = nodes.iter().filter_map(|node| node.link.as_ref()).collect();
    assert_eq!(links.len(), 1, "there is one link: {links:?}");
    for node in &nodes {
        let tables = lobby(node).await?;
        assert_eq!(tables.as_array().map(Vec::len), Some(1), "{}: {tables}", node.name);
    }
    // Whoever enters at one node has entered at all, and whoever leaves has left all.
    let password = "a long password 1";
    let boss = Client::first(&nodes[1].address, links[0], "boss", password).await?;
    let other = Client::login(&nodes[2].address, "boss", password).await?;
    for node in &nodes {
        assert_eq!(at(node, &boss).get("/api/me").await?.status, 200);
        assert_eq!(at(node, &other).get("/api/me").await?.status, 200);
    }
    at(&nodes[0], &other).post("/api/logout", &json!({})).await?.ok()?;
    tokio::time::sleep(Duration::from_secs(2)).await;
    for node in &nodes {
        assert_eq!(at(node, &other).get("/api/me").await?.status, 401, "{}", node.name);
        assert_eq!(at(node, &boss).get("/api/me").await?.status, 200);
    }
    pair.assert_sound();
    Ok(())
}

/// The only standby is away: nothing is acknowledged, everybody is told why, and what waits for it
/// takes up no more of the database's connections than it would otherwise.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_that_is_away_is_waited_for_by_few() -> Fallible<()> {
    let Some(mut pair) = Pair::for_test("nodes-standby") else { return Ok(()) };
    let one = pair.start("one");
    let (ann, table) = seated(&one).await?;
    pair.standby.kill();
    let bet = put("field", 500);
    let begun = Instant::now();
    let mut said = String::new();
    while begun.elapsed() < Duration::from_secs(12) {
        let refused = ann.command(&table, "field-1", &bet).await?;
        assert_eq!(refused.status, 503, "{}", refused.json);
        said = refused.json["detail"].as_str().unwrap_or_default().to_owned();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let ready = Client::anyone(&one.address).get("/readyz").await?;
    assert_eq!(ready.status, 503);
    let why = "a synchronous standby, and none is connected";
    assert!(ready.text.contains(why), "{} / {said}", ready.text);
    let busy = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'boxman'";
    let busy: u32 = pair.primary.sql(busy)?.parse()?;
    assert!(busy <= 24, "{busy} connections");
    pair.standby.restart()?;
    assert_eq!(ask(&ann, &table, "field-1", &bet).await?.status, 200);
    pair.assert_sound();
    Ok(())
}

/// The primary has no room for another row, and says of every one what PostgreSQL says then:
/// nothing is acknowledged, everybody is told to wait, and it goes on once there is room.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_under_the_database_loses_nothing() -> Fallible<()> {
    let Some(pair) = Pair::for_test("nodes-full") else { return Ok(()) };
    let one = pair.start("one");
    let (ann, table) = seated(&one).await?;
    in_mid_hand(&ann, &table, 0).await?;
    let before = chips(&ann, &table).await?;
    pair.primary.sql(
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION \
         USING ERRCODE = 'disk_full', MESSAGE = 'could not extend file: No space left on device'; \
         END $$",
    )?;
    pair.primary
        .sql("CREATE TRIGGER full_disk BEFORE INSERT ON record EXECUTE FUNCTION full_disk()")?;
    let bet = put("field", 500);
    let refused = ann.command(&table, "field-1", &bet).await?;
    assert_eq!((refused.status, refused.code()), (503, "store-down"), "{}", refused.json);
    pair.primary.sql("DROP TRIGGER full_disk ON record")?;
    // The same under the same id: it is done once.
    for _ in 0..2 {
        let again = ask(&ann, &table, "field-1", &bet).await?;
        assert_eq!(again.status, 200, "{}", again.json);
    }
    let (rack, _) = chips(&ann, &table).await?;
    assert_eq!(rack, before.0.as_i64().ok_or("no rack")? - 500, "{}", one.said());
    pair.assert_sound();
    Ok(())
}

#[test]
fn a_node_that_cannot_start_says_why_in_a_sentence() {
    let Some(pair) = Pair::for_test("nodes-misuse") else { return };
    let _one = pair.start("one");
    let other_key: PathBuf = pair.house.path("other.key").into();
    let (store, key) = (pair.store(), pair.key());
    let standby = format!("postgres://postgres@127.0.0.1:{}/boxman", pair.standby.port());
    let nowhere = format!("postgres://postgres@{}/boxman", free());
    let typo = "postgres:/postgres@127.0.0.1/boxman";
    let rows = || pair.primary.sql("SELECT count(*) FROM node WHERE state <> 'gone'").unwrap();
    let alone = Postgres::start().unwrap();
    let cases: [(&[&str], &str); 8] = [
        (&["--store", &store, "--node", "one"], "a node named one is up already"),
        (
            &["--store", &store, "--node", "two", "--key", other_key.to_str().unwrap()],
            "its key is not the one that the other nodes seal with",
        ),
        (&["--store", &store, "--internal", "0.0.0.0:0"], "--internal names the address"),
        (&["--store", &store, "--internal", "192.0.2.1:7"], "cannot listen to other nodes"),
        (&["--store", typo], "expected postgres://"),
        (&["--store", &nowhere], "refused"),
        (&["--store", &standby], "is a standby, which takes no writes"),
        (&["--store", &alone.url()], "--durability replica needs synchronous_standby_names"),
    ];
    for (args, expected) in cases {
        let more = ["--listen", "127.0.0.1:0", "--durability", "replica", "--key", &key];
        let more = if args.contains(&"--key") { &more[..4] } else { &more[..] };
        let mut serve = serve(args);
        let ran = serve.args(more).env("RUST_LOG", "off").output().unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(expected), "{args:?}: {said}");
        assert!(said.trim().lines().count() <= 3, "{args:?}: {said}");
        assert_eq!(rows(), "1", "{args:?}: a node that did not start is not there");
    }
}
