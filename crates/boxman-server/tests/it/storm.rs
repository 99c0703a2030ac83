//! Strangers who ask for the whole table as fast as they may, while somebody plays.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use boxman_client::{Client, json};
use boxman_server::testing::http::Limits;
use futures_util::{FutureExt, StreamExt};
use tokio::time::timeout;

use crate::live::{Folder, Live, does, fresh_id, generous, join, put};

/// So many strangers, each asking so many times a second: more than any table can be written out.
const STRANGERS: usize = 60;
const ASKS: u32 = 200;
/// Generous: a build that is not optimised, on a machine that has other things to do.
const BOUND: Duration = Duration::from_millis(250);

/// Asks for offers, for all that is kept and for everything, and reads whatever comes.
async fn pester(stranger: Client, table: String) {
    let mut socket = stranger.socket(&table, None).await.unwrap();
    let snapshot = socket.next_of("snapshot").await.unwrap();
    let seq = snapshot["table"]["seq"].as_u64().unwrap();
    let mut tick = tokio::time::interval(Duration::from_secs(1) / ASKS);
    for number in 0.. {
        let ask = match number % 8 {
            0 => json!({ "type": "offers", "seat": number / 8 % 16 }),
            1 => json!({ "type": "resume", "after": seq - 20 }),
            _ => json!({ "type": "resume", "after": u64::MAX }),
        };
        tick.tick().await;
        if socket.text(&ask.to_string()).await.is_err() {
            return;
        }
        while let Some(Some(frame)) = socket.stream.next().now_or_never() {
            if frame.is_err() {
                return;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_who_ask_for_everything_hold_no_bet_up() {
    let folder = Folder::new();
    let limits = Limits { commands: NonZeroU32::new(ASKS).unwrap(), ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let table = live.practice().await;
    let ann = live.guest("Ann").await;
    join(&ann, &table, 0, 10_000_000).await;
    for _ in 0..30 {
        does(&ann, &table, put(0, "field", 500)).await;
    }
    let mut socket = ann.socket(&table, None).await.unwrap();
    let strangers: Vec<_> = (0..STRANGERS)
        .map(|_| tokio::spawn(pester(Client::anyone(&live.address), table.clone())))
        .collect();
    tokio::time::sleep(Duration::from_millis(500)).await;
    let mut waits = Vec::new();
    for _ in 0..20 {
        let asked = Instant::now();
        let bet = put(0, "field", 500);
        let answer = timeout(Duration::from_secs(10), socket.ask(&fresh_id(), &bet)).await;
        assert_eq!(answer.expect("it is answered").unwrap()["type"], "ack");
        waits.push(asked.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let alive = strangers.iter().filter(|stranger| !stranger.is_finished()).count();
    strangers.iter().for_each(tokio::task::JoinHandle::abort);
    waits.sort();
    let (median, worst) = (waits[waits.len() / 2], waits[waits.len() - 1]);
    assert!(worst < BOUND, "a bet took {median:?} (median) and {worst:?} (worst)");
    assert_eq!(alive, STRANGERS, "some strangers gave up: a bet took {median:?}, {worst:?}");
    live.stop().await;
}

#[tokio::test]
async fn what_one_asks_for_at_once_is_put_together() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let mut socket = Client::anyone(&live.address).socket(&table, None).await.unwrap();
    let snapshot = socket.next_of("snapshot").await.unwrap();
    let seq = snapshot["table"]["seq"].as_u64().unwrap();
    let asked = Instant::now();
    socket.text(&json!({ "type": "resume", "after": seq }).to_string()).await.unwrap();
    socket.next_of("resumed").await.unwrap();
    for number in 0..40 {
        let resume = json!({ "type": "resume", "after": seq - number % 2 });
        socket.text(&resume.to_string()).await.unwrap();
        let offers = json!({ "type": "offers", "seat": 3 + number % 2 });
        socket.text(&offers.to_string()).await.unwrap();
    }
    let mut seats = Vec::new();
    let heard = async {
        // Whoever asked for this and for that is sent everything, a second later.
        loop {
            let frame = socket.next().await.unwrap().unwrap();
            match frame["type"].as_str() {
                Some("snapshot") => break,
                Some("resumed") => panic!("caught up twice in a second"),
                Some("offers") => seats.push(frame["seat"].as_u64().unwrap()),
                _ => {}
            }
        }
    };
    timeout(Duration::from_secs(10), heard).await.expect("everything comes");
    assert!(asked.elapsed() > Duration::from_millis(900), "again after {:?}", asked.elapsed());
    assert!(seats.contains(&3) && seats.contains(&4), "{seats:?}");
    live.stop().await;
}
