//! Frames at random: nothing breaks, and no cent is lost.

use std::sync::Arc;

use boxman_client::{Client, Message, Value, json};
use boxman_server::testing::house::House;
use boxman_server::testing::log::Stream;
use boxman_server::testing::room::Visit;
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Sqlite, check_chain};
use craps::{Cents, Library};
use futures_util::SinkExt;
use tokio::time::timeout;

use super::*;
use crate::chance::Lehmer;
use crate::live::{Folder, Live, bytes, put};

/// Commands a player or a dealer may well send.
fn likely(chance: &mut Lehmer) -> Value {
    let seat = *chance.one(&[0, 0, 0, 1, 2, 24, 255]);
    let amount = *chance.one(&[100, 500, 1000, 2500, 0, -5, i64::MAX, i64::MIN, 7]);
    let wagers = [
        "pass",
        "pass",
        "dont-pass",
        "come",
        "field",
        "odds",
        "place 6",
        "buy 4",
        "hard 8",
        "any-seven",
        "all-small",
        "fired-up",
        "make-em-all-progressive",
        "nothing",
    ];
    let wager = *chance.one(&wagers);
    let call = *chance.one(&["on", "off", "house"]);
    match chance.below(13) {
        0..4 => json!({ "command": "put", "seat": seat, "wager": wager, "amount": amount }),
        4 => json!({ "command": "take", "seat": seat, "wager": wager }),
        5 => json!({ "command": "take", "seat": seat, "wager": wager, "amount": amount }),
        6 => json!({ "command": "call", "seat": seat, "wager": wager, "call": call }),
        7 => json!({ "command": "buy-in", "seat": seat, "amount": amount }),
        8 => json!({ "command": "cash-out", "seat": seat, "amount": amount }),
        9 => json!({ "command": "close-betting" }),
        10 => json!({ "command": "pass-dice" }),
        _ => json!({ "command": "roll", "shooter_bytes": bytes() }),
    }
}

fn message(chance: &mut Lehmer) -> Message {
    let id = format!("m{}", chance.below(2_000));
    let mut frame = json!({ "type": "command", "id": id, "command": likely(chance) }).to_string();
    if chance.below(12) == 0 {
        frame = json!({ "type": "resume", "after": chance.next() }).to_string();
    }
    let mut bytes = frame.into_bytes();
    if chance.below(3) == 0 {
        for _ in 0..=chance.below(3) {
            let place = chance.below(bytes.len());
            match chance.below(3) {
                0 => drop(bytes.remove(place)),
                1 => bytes[place] = chance.next() as u8,
                _ => bytes.insert(place, bytes[chance.below(bytes.len())]),
            }
        }
    }
    match (chance.below(40), String::from_utf8(bytes)) {
        (0, Ok(text)) => Message::binary(text.into_bytes()),
        (_, Ok(text)) => Message::text(text),
        (_, Err(bytes)) => Message::binary(bytes.into_bytes()),
    }
}

/// Sends a few messages and waits until they have been read.
async fn sequence(client: &Client, table: &str, chance: &mut Lehmer) {
    let mut socket = client.socket(table, None).await.unwrap();
    next_of(&mut socket, "snapshot").await;
    for _ in 0..chance.below(10) {
        socket.stream.send(message(chance)).await.unwrap();
    }
    let last = put(255, "field", 500);
    timeout(SOON, socket.ask("last", &last)).await.expect("it still listens").unwrap();
}

#[tokio::test]
async fn random_messages_break_nothing_and_lose_no_cent() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let (table, ann, bob) = two_players(&live).await;
    let boss = live.boss().await;
    let mut chance = Lehmer(4);
    for round in 0..300 {
        let client = [&ann, &ann, &bob, &boss][round % 4];
        sequence(client, &table, &mut chance).await;
    }
    let view = live.view(&table).await;
    assert!(view["hand"]["rolls"].as_u64().unwrap() > 4, "{}", view["hand"]);
    live.stop().await;

    let store = Arc::new(Sqlite::open(&folder.store()).await.unwrap());
    let house = House::open(store, Shelf::new(Library::embedded())).await.unwrap();
    let id = table.parse().unwrap();
    assert_eq!(check_chain(&*house.store, &Stream::Table(id)).await, Ok(None));
    let room = house.room(id).await.unwrap();
    let (state, _) = room.query(Visit::Inspect).await.unwrap();
    assert_eq!(state.table.sum(), Cents::ZERO);
    for (seat, _) in state.table.players() {
        assert!(state.table.rack(seat) >= Cents::ZERO);
    }
    house.close().await;
}
