//! Every race of a crew over real sockets and requests, all at once and each at its own table,
//! while the server restarts, or one of two nodes does. `cargo xtask simulate` plays them by the
//! thousand; what a race is and what holds afterwards is in the client.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use boxman_client::races::{self, Line, Log, PEOPLE, Race, Record};
use boxman_client::{Client, Random, TableSocket, Value, json};
use boxman_server::testing::http::Limits;
use boxman_server::testing::serve::{NodeOptions, StoreAddress};
use boxman_server::testing::store::beside;
use tokio::time::{sleep, timeout};

use crate::live::{Folder, Live, generous, open};
use crate::postgres::Database;

/// A server that does not answer for so long is asked again.
const PATIENCE: Duration = Duration::from_secs(5);

fn limits() -> Limits {
    Limits { procedures: 1, ..generous() }
}

/// The lines of everybody to a house.
#[derive(Clone)]
struct House {
    /// The nodes that are there.
    nodes: Arc<Mutex<Vec<String>>>,
    people: Arc<HashMap<String, (Client, String)>>,
}

impl House {
    /// Makes everybody's account.
    async fn hire(live: &Live) -> House {
        let boss = live.boss().await;
        let mut people = HashMap::new();
        for (name, roles) in PEOPLE {
            let client = live.account(&boss, name, roles).await;
            let me = client.get("/api/me").await.unwrap().ok().unwrap();
            let id = me["person"].as_str().unwrap().to_owned();
            people.insert(name.to_owned(), (client, id));
        }
        people.insert("boss".to_owned(), (boss, String::new()));
        let nodes = Arc::new(Mutex::new(vec![live.address.clone()]));
        House { nodes, people: Arc::new(people) }
    }

    fn nodes(&self) -> MutexGuard<'_, Vec<String>> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody at one of the nodes.
    fn at_any(&self, random: &mut Random, who: &str) -> Client {
        let nodes = self.nodes();
        // While nobody is there, the door of nobody is knocked at.
        let address = match nodes.is_empty() {
            true => "127.0.0.1:9".to_owned(),
            false => random.pick(&nodes).clone(),
        };
        Client { address, ..self.people[who].0.clone() }
    }

    /// The log of a table.
    async fn records(&self, table: &str) -> Vec<Record> {
        let boss = self.at_any(&mut Random::new(1, 1), "boss");
        let mut records: Vec<Record> = Vec::new();
        loop {
            let after = records.last().map_or(0, |record| record.seq);
            let path = format!("/api/tables/{table}/records?after={after}&limit=500");
            let page = boss.get(&path).await.unwrap().ok().unwrap();
            let page = page.as_array().unwrap();
            if page.is_empty() {
                return records;
            }
            records.extend(page.iter().map(|record| Record {
                seq: record["seq"].as_u64().unwrap(),
                body: record["body"].clone(),
            }));
        }
    }
}

impl Line for House {
    async fn ask(
        &self,
        random: &mut Random,
        who: &str,
        table: &str,
        ask: &Value,
    ) -> Option<(u16, Value)> {
        let client = self.at_any(random, who);
        let by_socket = random.chance(30);
        let asked = async {
            if by_socket {
                return by_socket_of(&client, table, ask).await;
            }
            let answer = client.post(&format!("/api/tables/{table}/commands"), ask).await.ok()?;
            Some((answer.status, answer.json))
        };
        timeout(PATIENCE, asked).await.ok().flatten()
    }

    async fn look(&self, random: &mut Random, who: &str, table: &str) -> Option<Value> {
        let client = self.at_any(random, who);
        let path = format!("/api/tables/{table}");
        let answer = timeout(PATIENCE, client.get(&path)).await.ok()?.ok()?;
        (answer.status == 200).then_some(answer.json)
    }
}

/// Sends a command by a socket of its own.
async fn by_socket_of(client: &Client, table: &str, ask: &Value) -> Option<(u16, Value)> {
    let mut socket = client.socket(table, None).await.ok()?;
    let mut frame = ask.clone();
    frame["type"] = json!("command");
    socket.text(&frame.to_string()).await.ok()?;
    loop {
        let said = socket.next().await.ok()??;
        if said["id"] == ask["id"] {
            return Some(match said["type"].as_str() {
                Some("ack") => (200, said),
                _ => (said["problem"]["status"].as_u64()? as u16, said["problem"].clone()),
            });
        }
    }
}

/// What somebody who looks on was told: the last record, and where one was left out.
#[derive(Default)]
struct Told {
    last: u64,
    gaps: Vec<(u64, u64)>,
}

/// Somebody who looks on hears of every record in order.
async fn watch(mut socket: TableSocket, told: Arc<Mutex<Told>>) {
    while let Ok(Some(frame)) = socket.next().await {
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        match frame["type"].as_str() {
            Some("snapshot") => told.last = frame["table"]["seq"].as_u64().unwrap_or(0),
            Some("update") => {
                let (before, seq) = (told.last, frame["seq"].as_u64().unwrap_or(0));
                // A snapshot may overtake updates.
                if seq > before + 1 {
                    told.gaps.push((before, seq));
                }
                told.last = seq.max(before);
            }
            _ => {}
        }
    }
}

/// Prepares a table for each race, plays them all while something happens to the house, and holds
/// what came of it to the laws.
async fn all_races(house: &House, seed: u64, trouble: impl Future<Output = ()>) {
    let mut ready: Vec<(Race, String, races::Known)> = Vec::new();
    for race in races::races() {
        let boss = house.at_any(&mut Random::new(seed, 7), "boss");
        let table = open(&boss, &race.config).await;
        let known = races::prepare(&race, house, &table).await.unwrap();
        ready.push((race, table, known));
    }
    let mut playing = Vec::new();
    let mut watching = Vec::new();
    for ((race, table, known), place) in ready.into_iter().zip(1..) {
        let dee = house.at_any(&mut Random::new(seed, place), "dee");
        let (told, socket) = (Arc::default(), dee.socket(&table, None).await.unwrap());
        watching.push((table.clone(), Arc::clone(&told)));
        tokio::spawn(watch(socket, told));
        let house = house.clone();
        playing.push(tokio::spawn(async move {
            let answers = races::play(&race, &house, &table, known, seed * 100 + place).await;
            (race, table, answers)
        }));
    }
    trouble.await;
    let mut broken = Vec::new();
    for playing in playing {
        let (race, table, answers) = playing.await.unwrap();
        let log = Log::read(&house.records(&table).await);
        let person = |who: &str| house.people[who].1.clone();
        // A copy that was on its way when the server stopped may be obeyed by the next one.
        let mut found = races::of_answers(&race, &log, &answers, person, |_| true);
        match races::go_on(house, &table, seed).await {
            Ok(()) => {
                let mut views = Vec::new();
                for who in ["dan", "dee", "sue"] {
                    views.extend(house.look(&mut Random::new(seed, 3), who, &table).await);
                }
                let log = Log::read(&house.records(&table).await);
                found.extend(races::at_the_table(&log, &views));
            }
            Err(error) => found.push(error),
        }
        broken.extend(found.into_iter().map(|one| format!("{}: {one}", race.name)));
    }
    for (table, told) in watching {
        let told: MutexGuard<'_, Told> = told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.gaps.is_empty() {
            broken.push(format!("who looks on at {table} was not told between {:?}", told.gaps));
        }
    }
    assert!(broken.is_empty(), "seed {seed}:\n{}", broken.join("\n"));
    let boss = house.at_any(&mut Random::new(seed, 8), "boss");
    let verdict = boss.get("/api/audit/verify").await.unwrap().ok().unwrap();
    assert_eq!(verdict["ok"], true, "{verdict}");
}

/// The server is stopped in the middle and comes back at another address.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_race_ends_well_while_the_server_restarts() {
    let folder = Folder::new();
    let live = Live::with_limits(&folder.store(), limits()).await;
    let house = House::hire(&live).await;
    let again = Mutex::new(None);
    let restart = async {
        sleep(Duration::from_millis(900)).await;
        house.nodes().clear();
        live.stop().await;
        let live = Live::with_limits(&folder.store(), limits()).await;
        house.nodes().push(live.address.clone());
        *again.lock().unwrap_or_else(PoisonError::into_inner) = Some(live);
    };
    all_races(&house, 1, restart).await;
    let live = again.into_inner().unwrap_or_else(PoisonError::into_inner);
    live.expect("it was started again").stop().await;
}

/// Everybody asks any of two nodes. One of them ends in the middle, and the other takes over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_race_ends_well_while_a_node_takes_over() {
    let Some(database) = Database::for_test() else { return };
    let start = async |name: &str| {
        let key = beside(&database.folder.store(), ".key");
        let node = NodeOptions { name: Some(name.to_owned()), ..NodeOptions::default() };
        Live::serve(StoreAddress::Postgres(database.address()), key, node, limits()).await
    };
    let one = start("one").await;
    let house = House::hire(&one).await;
    let two = start("two").await;
    house.nodes().push(two.address.clone());
    let takes_over = async {
        sleep(Duration::from_millis(900)).await;
        let gone = one.address.clone();
        house.nodes().retain(|address| *address != gone);
        one.stop().await;
    };
    all_races(&house, 2, takes_over).await;
    two.stop().await;
}
