//! The pulse: one guest at a full practice table of their own bets ten times a second, and the
//! time to each acknowledgement is kept. Nothing here may be refused. The pulse has a thread of
//! its own, so that it measures the server and not the soak.

use std::sync::Arc;
use std::time::{Duration, Instant};

use boxman_client::{Client, Fallible, TableSocket, Value, json};

use crate::house::{House, Mood, PATIENCE, address, lock};
use crate::people::{Person, named};

const PACE: Duration = Duration::from_millis(100);

/// Opens the table: ten seats of the crew's with bets up, and the pulse's own.
pub(crate) async fn open(house: &House) -> Fallible<(String, Person)> {
    let sue = named(house, "sue");
    sue.be_in(house).await;
    let (open, crew) = house.client(&sue).await.ok_or("the soak is over")?;
    let config = json!({ "name": "Pulse", "practice": true });
    let view = crew.post("/api/tables", &config).await?.ok()?;
    let table = view["id"].as_str().ok_or("no table")?.to_owned();
    let from = address(4, 1);
    let door = Client::anyone(&open.address).coming_from(from);
    let me = door.post("/api/guest", &json!({ "name": "Pulse" })).await?.ok()?;
    let person = Person::new("Pulse", &["guest"], from);
    *lock(&person.token) = me["token"].as_str().ok_or("no token")?.to_owned();
    let guest = Client { token: lock(&person.token).clone(), ..door };
    for seat in 0..11 {
        let (who, name) = match seat {
            0 => (&guest, Value::Null),
            _ => (&crew, json!(format!("Rail {seat}"))),
        };
        let sit = json!({ "command": "sit", "seat": seat, "name": name });
        let buy = json!({ "command": "buy-in", "seat": seat, "amount": 100_000 });
        for (step, command) in [sit, buy].into_iter().enumerate() {
            who.command(&table, &format!("open-{seat}-{step}"), &command).await?.ok()?;
        }
        for (wager, amount) in [("pass", 500), ("place 6", 600), ("place 8", 600), ("hard 8", 100)]
        {
            let put = json!({ "command": "put", "seat": seat, "wager": wager, "amount": amount });
            let id = format!("open-{seat}-{}", wager.replace(' ', "-"));
            who.command(&table, &id, &put).await?;
        }
    }
    Ok((table, person))
}

/// How long one bet took, in microseconds, and when.
#[derive(Clone, Copy)]
pub(crate) struct Beat {
    pub(crate) micros: u64,
    pub(crate) mood: Mood,
}

/// Bets until the soak is over, on a thread of its own.
pub(crate) fn start(
    house: Arc<House>,
    table: String,
    person: Person,
) -> std::thread::JoinHandle<Vec<Beat>> {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return Vec::new() };
        runtime.block_on(async {
            let mut beats = Vec::new();
            while !house.is_over() {
                let Some((open, client)) = house.client(&person).await else { break };
                let beaten = beat(&house, &client, &table, &mut beats).await;
                if let Err(error) = beaten
                    && house.still(&open)
                    && !house.is_over()
                {
                    house.fault(format!("the pulse: {error}"));
                }
                house.rest(Duration::from_millis(100)).await;
            }
            beats
        })
    })
}

/// Bets on the field and takes it down again, and listens to everything that is said meanwhile.
async fn beat(house: &House, client: &Client, table: &str, beats: &mut Vec<Beat>) -> Fallible<()> {
    let come = async {
        let mut socket = client.socket(table, None).await?;
        socket.next_of("snapshot").await?;
        Fallible::Ok(socket)
    };
    let mut socket = tokio::time::timeout(PATIENCE, come).await??;
    let take = json!({ "command": "take", "seat": 0, "wager": "field" });
    // What was up when the socket ended.
    ask(house, &mut socket, &take).await?;
    while !house.is_over() {
        let (mood, sent) = (house.mood(), Instant::now());
        let put = json!({ "command": "put", "seat": 0, "wager": "field", "amount": 500 });
        let answer = ask(house, &mut socket, &put).await;
        // One that never came counts for as long as it was waited for, and one that was sent as
        // the flood came in belongs to the flood.
        let mood = if house.mood() == Mood::Attacked { Mood::Attacked } else { mood };
        beats.push(Beat { micros: sent.elapsed().as_micros() as u64, mood });
        must(house, &put, &answer?);
        let answer = ask(house, &mut socket, &take).await?;
        must(house, &take, &answer);
        tokio::time::sleep(PACE.saturating_sub(sent.elapsed())).await;
    }
    Ok(())
}

async fn ask(house: &House, socket: &mut TableSocket, command: &Value) -> Fallible<Value> {
    let id = house.fresh_id();
    let asked = tokio::time::timeout(PATIENCE, socket.ask(&id, command)).await;
    asked.map_err(|_| format!("no answer in {} s", PATIENCE.as_secs()))?
}

fn must(house: &House, command: &Value, answer: &Value) {
    house.tick("commands");
    match answer["problem"]["code"].as_str() {
        None => house.code("ack"),
        Some("shutting-down" | "busy") => {}
        Some(code) => house.fault(format!("the pulse's {command} was refused: {code}")),
    }
}
