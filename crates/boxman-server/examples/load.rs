//! How much a server takes: hundreds of tables, thousands of sockets, and a kill in the middle.
//!
//! `cargo xtask load` builds the program and runs this against it, on this machine's loopback
//! only. Every table has players who bet and roll; a command counts once it is acknowledged, and
//! an acknowledgement means it is durable. Three parts:
//!
//! 1. at half the goal: commands come at their times, whatever the server does, and the time to
//!    their acknowledgement is measured from when they were due;
//! 2. as fast as it goes: every player sends the next command when the last is acknowledged;
//! 3. a kill in the middle of part 2's kind of play: the server is started again on its store,
//!    and every command that was acknowledged must be in the logs.
//!
//! The store is a SQLite file, or with `postgres` as the last argument a PostgreSQL of its own, or
//! with `replica` one with a synchronous standby, or with `far` one that is a millisecond away.
//! With `relayed` two nodes share it, and half of the players are at the one that does not run
//! their table; nobody is killed then.

#![expect(clippy::print_stdout, reason = "a program that reports prints")]
#![expect(clippy::float_arithmetic, reason = "rates and percentiles")]

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use boxman_client::postgres::Postgres;
use boxman_client::proxy::Proxy;
use boxman_client::{Client, Fallible, Message, Server, Stream, Value, json};
use futures_util::stream::{FuturesUnordered, SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::sync::mpsc;

/// A load no server meets in earnest needs other limits.
const LIMITS: [&str; 6] = [
    "--requests-per-second",
    "1000000",
    "--door-per-minute",
    "1000000",
    "--commands-per-second",
    "1000000",
];

/// How much of everything.
struct Size {
    tables: usize,
    players: usize,
    seconds: u64,
    rate: f64,
}

fn main() -> Fallible<()> {
    let mut args = std::env::args().skip(1);
    let program: PathBuf =
        args.next().ok_or("usage: load PROGRAM [TABLES PLAYERS SECONDS RATE [STORE]]")?.into();
    let mut number = |default: f64| args.next().map_or(Ok(default), |text| text.parse::<f64>());
    let size = Size {
        tables: number(500.0)? as usize,
        players: number(8.0)? as usize,
        seconds: number(20.0)? as u64,
        rate: number(5_000.0)?,
    };
    let store = args.next().unwrap_or_else(|| "sqlite".to_owned());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(run(&program, &size, &store))
}

/// So long it takes to a database that is a millisecond away, and as long back.
const HALF_WAY: Duration = Duration::from_micros(500);

/// Where the logs are kept meanwhile.
struct Store {
    folder: PathBuf,
    path: PathBuf,
    more: Vec<String>,
    _servers: Vec<Postgres>,
    _line: Option<Proxy>,
}

impl Store {
    fn new(kind: &str) -> Fallible<Store> {
        let folder = std::env::temp_dir().join(format!("boxman-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let (mut path, mut more, mut servers) = (folder.join("load.db"), Vec::new(), Vec::new());
        let mut line = None;
        if kind != "sqlite" {
            let primary = Postgres::start()?;
            let key = folder.join("load.key").display().to_string();
            more = ["--key", &key].map(str::to_owned).to_vec();
            if kind == "replica" {
                servers.push(primary.standby("standby")?);
                primary.require_standbys(&["standby"])?;
                more.extend(["--durability", "replica"].map(str::to_owned));
            }
            path = primary.url().into();
            if kind == "far" {
                let far = Proxy::start(SocketAddr::from((Ipv4Addr::LOCALHOST, primary.port())))?;
                far.delay(HALF_WAY);
                path = format!("postgres://postgres@{}/boxman", far.address()).into();
                line = Some(far);
            }
            servers.push(primary);
        }
        Ok(Store { folder, path, more, _servers: servers, _line: line })
    }

    fn serve(&self, program: &Path, node: &str) -> Fallible<Server> {
        let more = self.more.iter().map(String::as_str);
        let mut more: Vec<&str> = LIMITS.into_iter().chain(more).collect();
        if !self.more.is_empty() {
            more.extend(["--node", node]);
        }
        Server::start(program, &self.path, &more)
    }
}

async fn run(program: &Path, size: &Size, kind: &str) -> Fallible<()> {
    let store = Store::new(kind)?;
    let mut server = store.serve(program, "one")?;
    println!("{kind}");
    println!("{} tables of {} players on {}", size.tables, size.players, server.address);
    let started = Instant::now();
    let tables = open(&server, size).await?;
    println!("opened and seated in {:.1} s", started.elapsed().as_secs_f64());

    let mut servers = vec![&server];
    let second = match kind {
        "relayed" => Some(store.serve(program, "two")?),
        _ => None,
    };
    if let Some(second) = &second {
        servers.push(second);
        // Each has its share of the tables by then.
        tokio::time::sleep(Duration::from_secs(20)).await;
    }
    let paced = play_paced(&servers, &tables, size).await?;
    paced.print(&format!("at {} commands a second", size.rate));
    println!("  server memory at most {} MB", server.peak_memory_mb().unwrap_or(0));

    let play = play(&servers, &tables, Pace::Flat, Duration::from_secs(size.seconds)).await?;
    play.print("as fast as it goes");
    println!("  server memory at most {} MB", server.peak_memory_mb().unwrap_or(0));
    if second.is_some() {
        return Ok(std::fs::remove_dir_all(&store.folder)?);
    }

    let lost = kill_in_the_middle(program, &store, &mut server, &tables).await?;
    server.kill();
    std::fs::remove_dir_all(&store.folder)?;
    match lost {
        0 => Ok(()),
        lost => Err(format!("{lost} acknowledged commands were lost").into()),
    }
}

/// A table and its players.
struct Table {
    id: String,
    players: Vec<Client>,
}

/// Opens the tables, and has every player sit down and buy in.
async fn open(server: &Server, size: &Size) -> Fallible<Vec<Table>> {
    let link = server.link.clone().ok_or("the store is not new")?;
    let boss = Client::first(&server.address, &link, "boss", "a long password").await?;
    let one = async |place: usize| -> Fallible<Table> {
        let config = json!({ "name": format!("Table {place}"), "practice": true });
        let view = boss.post("/api/tables", &config).await?.ok()?;
        let id = view["id"].as_str().ok_or("no table")?.to_owned();
        let mut players = Vec::new();
        for seat in 0..size.players {
            let guest = Client::guest(&server.address, &format!("P{seat}")).await?;
            let sit = json!({ "command": "sit", "seat": seat });
            guest.command(&id, "sit", &sit).await?.ok()?;
            let buy = json!({ "command": "buy-in", "seat": seat, "amount": 100_000_000 });
            guest.command(&id, "buy", &buy).await?.ok()?;
            players.push(guest);
        }
        Ok(Table { id, players })
    };
    let mut tables = Vec::new();
    let mut opening = FuturesUnordered::new();
    for place in 0..size.tables {
        opening.push(one(place));
        if opening.len() == 64
            && let Some(table) = opening.next().await
        {
            tables.push(table?);
        }
    }
    while let Some(table) = opening.next().await {
        tables.push(table?);
    }
    Ok(tables)
}

/// What came of a while of play.
#[derive(Default)]
struct Tally {
    acknowledged: AtomicU64,
    refused: AtomicU64,
    rolls: AtomicU64,
    frames: AtomicU64,
}

struct Outcome {
    elapsed: Duration,
    tally: Arc<Tally>,
    /// Microseconds from when a command was due to its acknowledgement.
    waits: Vec<u32>,
    /// Acknowledged commands: table, id, record.
    acks: Vec<(usize, String, u64)>,
    /// What the server used of a processor, in hundredths of a second.
    processor: u64,
}

impl Outcome {
    fn print(&self, what: &str) {
        let seconds = self.elapsed.as_secs_f64();
        let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
        let acknowledged = count(&self.tally.acknowledged);
        println!(
            "{what}: {:.0} durable commands a second ({acknowledged} in {seconds:.1} s, {} of \
             them rolls, {} refused, {} frames received)",
            acknowledged as f64 / seconds,
            count(&self.tally.rolls),
            count(&self.tally.refused),
            count(&self.tally.frames),
        );
        println!(
            "  the server used {:.2} of a processor, {:.0} microseconds a command",
            self.processor as f64 / 100.0 / seconds,
            self.processor as f64 * 1e4 / acknowledged.max(1) as f64,
        );
        let mut waits = self.waits.clone();
        waits.sort_unstable();
        let at = |share: f64| {
            let place = (waits.len() as f64 * share) as usize;
            waits.get(place.min(waits.len().saturating_sub(1))).map_or(0.0, |wait| f64::from(*wait))
        };
        println!(
            "  from command to acknowledgement: p50 {:.1} ms, p99 {:.1} ms, p99.9 {:.1} ms, \
             longest {:.1} ms",
            at(0.5) / 1e3,
            at(0.99) / 1e3,
            at(0.999) / 1e3,
            at(1.0) / 1e3,
        );
    }
}

/// When the next command is sent.
#[derive(Clone, Copy)]
enum Pace {
    /// As soon as the last is acknowledged.
    Flat,
    /// Every so often at each table.
    Every(Duration),
}

async fn play_paced(servers: &[&Server], tables: &[Table], size: &Size) -> Fallible<Outcome> {
    let each = Duration::from_secs_f64(tables.len() as f64 / size.rate);
    play(servers, tables, Pace::Every(each), Duration::from_secs(size.seconds)).await
}

/// Players of a table are at one server and another in turn.
async fn play(
    servers: &[&Server],
    tables: &[Table],
    pace: Pace,
    length: Duration,
) -> Fallible<Outcome> {
    let tally = Arc::new(Tally::default());
    let over = Arc::new(AtomicBool::new(false));
    let mut sockets = Vec::new();
    for table in tables {
        let mut seated = Vec::new();
        for (place, player) in table.players.iter().enumerate() {
            let address = servers[place % servers.len()].address.clone();
            let player = Client { address, ..player.clone() };
            seated.push(player.socket(&table.id, None).await?.stream);
        }
        sockets.push(seated);
    }
    let local = tokio::task::LocalSet::new();
    // Thousands who come in at once are seen to first; play is measured from here.
    let started = Instant::now() + Duration::from_secs(2);
    let run = local.run_until(async {
        let mut playing = Vec::new();
        for (place, sockets) in sockets.into_iter().enumerate() {
            let (tally, over) = (Arc::clone(&tally), Arc::clone(&over));
            let driver = Driver::new(place, sockets, pace, tally, over, started);
            playing.push(tokio::task::spawn_local(driver.run()));
        }
        tokio::time::sleep_until(tokio::time::Instant::from_std(started)).await;
        let used = || servers.iter().filter_map(|server| server.processor_time()).sum::<u64>();
        let before = used();
        tokio::time::sleep(length).await;
        let elapsed = started.elapsed();
        let processor = used() - before;
        over.store(true, Ordering::Relaxed);
        let (mut waits, mut acks) = (Vec::new(), Vec::new());
        for driver in playing {
            let (wait, ack) = driver.await?;
            waits.extend(wait);
            acks.extend(ack);
        }
        Ok(Outcome { elapsed, tally: Arc::clone(&tally), waits, acks, processor })
    });
    run.await
}

/// Something a socket had to say.
enum Heard {
    Ack { player: usize, id: String, seq: u64 },
    Refused { player: usize, id: String },
    Hand { puck: bool, shooter: Option<usize> },
    Gone,
}

/// Plays one table: every player bets twice, then the shooter rolls.
struct Driver {
    table: usize,
    writers: Vec<SplitSink<Stream, Message>>,
    heard: mpsc::UnboundedReceiver<Heard>,
    pace: Pace,
    tally: Arc<Tally>,
    over: Arc<AtomicBool>,
    started: Instant,
    sent: HashMap<(usize, String), Instant>,
    waits: Vec<u32>,
    acks: Vec<(usize, String, u64)>,
    puck: bool,
    shooter: usize,
    number: u64,
    due: Instant,
}

const BETS: [(&str, i64); 4] =
    [("field", 100), ("any-craps", 100), ("hard 8", 100), ("place 6", 600)];

impl Driver {
    fn new(
        table: usize,
        sockets: Vec<Stream>,
        pace: Pace,
        tally: Arc<Tally>,
        over: Arc<AtomicBool>,
        started: Instant,
    ) -> Driver {
        let (say, heard) = mpsc::unbounded_channel();
        let mut writers = Vec::new();
        for (player, socket) in sockets.into_iter().enumerate() {
            let (writer, reader) = socket.split();
            writers.push(writer);
            tokio::task::spawn_local(listen(player, reader, say.clone(), Arc::clone(&tally)));
        }
        // Tables start one after the other, not all at the same moment.
        let stagger = match pace {
            Pace::Flat => Duration::ZERO,
            Pace::Every(each) => each.mul_f64((table % 97) as f64 / 97.0),
        };
        Driver {
            table,
            writers,
            heard,
            pace,
            tally,
            over,
            due: started + stagger,
            started,
            sent: HashMap::new(),
            waits: Vec::new(),
            acks: Vec::new(),
            puck: false,
            shooter: 0,
            number: 0,
        }
    }

    async fn run(mut self) -> (Vec<u32>, Vec<(usize, String, u64)>) {
        // The first frame says where the table stands.
        if let Some(heard) = self.heard.recv().await {
            self.take(heard);
        }
        tokio::time::sleep_until(tokio::time::Instant::from_std(self.started)).await;
        while !self.over.load(Ordering::Relaxed) {
            if self.round().await.is_none() {
                break;
            }
        }
        (self.waits, self.acks)
    }

    /// One roll and the bets before it; nothing once the server is gone.
    async fn round(&mut self) -> Option<()> {
        let players = self.writers.len();
        if !self.puck {
            // Everybody has a line bet, so whoever is next can shoot.
            for player in 0..players {
                self.bet(player, "pass", 100).await?;
            }
            self.settle().await?;
        }
        for turn in 0..2 {
            for player in 0..players {
                let (wager, amount) = BETS[(player + turn + self.number as usize) % BETS.len()];
                self.bet(player, wager, amount).await?;
            }
            self.settle().await?;
        }
        let bytes: String = (0..4).map(|part| format!("{:016x}", self.number ^ part)).collect();
        let roll = json!({ "command": "roll", "shooter_bytes": bytes });
        self.send(self.shooter.min(players - 1), &roll).await?;
        self.settle().await?;
        self.tally.rolls.fetch_add(1, Ordering::Relaxed);
        Some(())
    }

    async fn bet(&mut self, player: usize, wager: &str, amount: i64) -> Option<()> {
        let command = json!({ "command": "put", "seat": player, "wager": wager, "amount": amount });
        self.send(player, &command).await
    }

    async fn send(&mut self, player: usize, command: &Value) -> Option<()> {
        let due = match self.pace {
            Pace::Flat => Instant::now(),
            Pace::Every(each) => {
                self.due += each;
                while Instant::now() < self.due {
                    let deadline = tokio::time::Instant::from_std(self.due);
                    match tokio::time::timeout_at(deadline, self.heard.recv()).await {
                        Ok(heard) => self.take(heard?)?,
                        Err(_) => break,
                    }
                }
                self.due
            }
        };
        if self.over.load(Ordering::Relaxed) {
            return None;
        }
        self.number += 1;
        let id = format!("{}-{}-{}", self.started.elapsed().as_nanos(), self.table, self.number);
        let frame = json!({ "type": "command", "id": id, "command": command });
        self.sent.insert((player, id), due);
        self.writers[player].send(Message::text(frame.to_string())).await.ok()
    }

    /// Waits until everything sent is answered.
    async fn settle(&mut self) -> Option<()> {
        while !self.sent.is_empty() {
            let heard = self.heard.recv().await?;
            self.take(heard)?;
        }
        Some(())
    }

    fn take(&mut self, heard: Heard) -> Option<()> {
        match heard {
            Heard::Ack { player, id, seq } => {
                if let Some(due) = self.sent.remove(&(player, id.clone())) {
                    self.waits.push(due.elapsed().as_micros() as u32);
                    self.tally.acknowledged.fetch_add(1, Ordering::Relaxed);
                    self.acks.push((self.table, id, seq));
                }
            }
            Heard::Refused { player, id } => {
                self.sent.remove(&(player, id));
                self.tally.refused.fetch_add(1, Ordering::Relaxed);
            }
            Heard::Hand { puck, shooter } => {
                self.puck = puck;
                self.shooter = shooter.unwrap_or(self.shooter);
            }
            Heard::Gone => return None,
        }
        Some(())
    }
}

/// Reads a socket. Only the first player of a table looks into the updates.
async fn listen(
    player: usize,
    mut reader: SplitStream<Stream>,
    say: mpsc::UnboundedSender<Heard>,
    tally: Arc<Tally>,
) {
    while let Some(Ok(message)) = reader.next().await {
        let Message::Text(text) = message else { continue };
        tally.frames.fetch_add(1, Ordering::Relaxed);
        let heard = if text.starts_with("{\"type\":\"ack\"") {
            let value: Value = serde_json::from_str(&text).unwrap_or_default();
            let id = value["id"].as_str().unwrap_or_default().to_owned();
            Some(Heard::Ack { player, id, seq: value["seq"].as_u64().unwrap_or(0) })
        } else if text.starts_with("{\"type\":\"refused\"") {
            let value: Value = serde_json::from_str(&text).unwrap_or_default();
            let id = value["id"].as_str().unwrap_or_default().to_owned();
            Some(Heard::Refused { player, id })
        } else if player == 0 {
            let value: Value = serde_json::from_str(&text).unwrap_or_default();
            let hand =
                if value["hand"].is_object() { &value["hand"] } else { &value["table"]["hand"] };
            hand.is_object().then(|| Heard::Hand {
                puck: !hand["puck"].is_null(),
                shooter: hand["shooter"].as_u64().map(|seat| seat as usize),
            })
        } else {
            None
        };
        if let Some(heard) = heard
            && say.send(heard).is_err()
        {
            return;
        }
    }
    let _ = say.send(Heard::Gone);
}

/// Kills the server while everybody plays, starts it again, and looks for every command that was
/// acknowledged. Returns how many are missing.
async fn kill_in_the_middle(
    program: &Path,
    store: &Store,
    server: &mut Server,
    tables: &[Table],
) -> Fallible<usize> {
    let pid = server.id();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(6));
        let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
    });
    let outcome = play(&[&*server], tables, Pace::Flat, Duration::from_secs(7)).await?;
    let _ = killer.join();
    server.kill();
    let started = Instant::now();
    *server = store.serve(program, "one")?;
    let opened = started.elapsed();
    let mut logs: HashMap<usize, HashMap<String, u64>> = HashMap::new();
    for (place, table) in tables.iter().enumerate() {
        logs.insert(place, commands(server, table).await?);
    }
    let missing = outcome
        .acks
        .iter()
        .filter(|(table, id, seq)| logs.get(table).and_then(|log| log.get(id)) != Some(seq));
    let missing = missing.count();
    println!(
        "killed in the middle: {} commands had been acknowledged, {missing} of them are missing; \
         listening again after {:.2} s, every table read and compared after {:.1} s",
        outcome.acks.len(),
        opened.as_secs_f64(),
        started.elapsed().as_secs_f64(),
    );
    Ok(missing)
}

/// Every command in a table's log, with its record.
async fn commands(server: &Server, table: &Table) -> Fallible<HashMap<String, u64>> {
    let mut found = HashMap::new();
    let mut after = 0;
    loop {
        let path = format!("/api/tables/{}/records?after={after}&limit=500", table.id);
        let player = Client { address: server.address.clone(), ..table.players[0].clone() };
        let records = player.get(&path).await?.ok()?;
        let records = records.as_array().cloned().unwrap_or_default();
        let Some(last) = records.last() else { return Ok(found) };
        after = last["seq"].as_u64().unwrap_or(u64::MAX);
        for record in &records {
            if let (Some(id), Some(seq)) = (record["body"]["id"].as_str(), record["seq"].as_u64()) {
                found.insert(id.to_owned(), seq);
            }
        }
    }
}
