//! Many who watch: how many may, and who makes room for whom.

use std::num::NonZeroU32;
use std::time::Duration;

use boxman_client::{Client, TableSocket, json};
use boxman_server::testing::http::Limits;
use tokio::time::timeout;

use crate::live::{Folder, Live, does, generous, join};

const SOON: Duration = Duration::from_secs(10);
const NO_ROOM: (u16, &str) = (4002, "too many watch, come again later");
const MADE_ROOM: (u16, &str) = (4002, "you made room for somebody else, come again later");

fn few(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap()
}

async fn watch(live: &Live, table: &str) -> TableSocket {
    Client::anyone(&live.address).socket(table, None).await.unwrap()
}

/// Whoever is let in is shown the table first.
async fn is_in(socket: &mut TableSocket) -> bool {
    let first = timeout(SOON, socket.next()).await.expect("a frame or an end");
    first.unwrap().is_some_and(|frame| frame["type"] == "snapshot")
}

async fn ends_with(socket: &mut TableSocket, (code, reason): (u16, &str)) {
    let ending = timeout(SOON, socket.ending()).await.expect("it ends");
    assert_eq!(ending, Some((code, reason.to_owned())));
}

#[tokio::test]
async fn only_so_many_watch_from_one_address_and_players_and_crew_get_in() {
    let folder = Folder::new();
    let limits = Limits { watchers_per_address: few(2), ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let (table, boss) = (live.practice().await, live.boss().await);
    let (ann, bob) = (live.guest("Ann").await, live.guest("Bob").await);
    join(&ann, &table, 0, 10_000).await;
    let mut first = watch(&live, &table).await;
    let meter = live.view(&table).await["meters"][0]["meter"].as_str().unwrap().to_owned();
    let mut sign = Client::anyone(&live.address).sign(&meter).await.unwrap();
    assert!(is_in(&mut first).await);
    assert_eq!(timeout(SOON, sign.next()).await.unwrap().unwrap().unwrap()["type"], "meter");
    // A guest without a seat is anybody, wherever they look.
    ends_with(&mut watch(&live, &table).await, NO_ROOM).await;
    ends_with(&mut bob.socket(&table, None).await.unwrap(), NO_ROOM).await;
    ends_with(&mut bob.sign(&meter).await.unwrap(), NO_ROOM).await;
    for known in [&ann, &boss, &ann, &boss] {
        assert!(is_in(&mut known.socket(&table, None).await.unwrap()).await);
    }
    assert_eq!(boss.sign(&meter).await.unwrap().next().await.unwrap().unwrap()["type"], "meter");
    live.stop().await;
}

#[tokio::test]
async fn a_watcher_makes_room_for_a_player_at_a_full_table() {
    let folder = Folder::new();
    let limits = Limits { watchers_per_table: few(2), ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let (table, ann) = (live.practice().await, live.guest("Ann").await);
    let (mut first, mut last) = (watch(&live, &table).await, watch(&live, &table).await);
    assert!(is_in(&mut first).await && is_in(&mut last).await);
    ends_with(&mut watch(&live, &table).await, NO_ROOM).await;
    join(&ann, &table, 0, 10_000).await;
    let mut socket = ann.socket(&table, None).await.unwrap();
    assert!(is_in(&mut socket).await);
    ends_with(&mut last, MADE_ROOM).await;
    // The other one goes on watching.
    let sit = json!({ "command": "buy-in", "seat": 0, "amount": 500 });
    let seq = does(&ann, &table, sit).await;
    while timeout(SOON, first.next_of("update")).await.unwrap().unwrap()["seq"] != seq {}
    live.stop().await;
}

#[tokio::test]
async fn a_guest_counts_while_they_only_watch() {
    let folder = Folder::new();
    let limits = Limits { watchers_per_address: few(1), ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let table = live.practice().await;
    let (ann, bob) = (live.guest("Ann").await, live.guest("Bob").await);
    let mut anns = ann.socket(&table, None).await.unwrap();
    assert!(is_in(&mut anns).await);
    ends_with(&mut bob.socket(&table, None).await.unwrap(), NO_ROOM).await;
    does(&ann, &table, json!({ "command": "sit", "seat": 0 })).await;
    let mut bobs = bob.socket(&table, None).await.unwrap();
    // Ann's socket may hear of her seat a moment later than she does.
    for _ in 0..100 {
        if is_in(&mut bobs).await {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
        bobs = bob.socket(&table, None).await.unwrap();
    }
    does(&ann, &table, json!({ "command": "leave", "seat": 0 })).await;
    ends_with(&mut anns, MADE_ROOM).await;
    does(&bob, &table, json!({ "command": "sit", "seat": 0 })).await;
    timeout(SOON, bobs.next_of("update")).await.unwrap().unwrap();
    live.stop().await;
}
