//! The flood: hostile sockets that nobody has logged in on, at the pulse's table, asking for the
//! whole table and for offers as often as they may. They have a thread of their own.

use std::sync::Arc;
use std::time::Duration;

use boxman_client::{Client, Fallible, Message, Random, json};
use futures_util::{SinkExt, StreamExt};

use crate::house::{House, address};

/// So many sockets, from so many addresses.
const RAIDERS: u64 = 200;
const ADDRESSES: u64 = 20;
/// A little under the 40 frames a second that a socket may send.
const PACE: Duration = Duration::from_millis(26);

/// Raids whenever the flood is let in, until the soak is over.
pub(crate) fn start(house: Arc<House>, table: String) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            let raiders = (0..RAIDERS).map(|number| raider(&house, &table, number));
            futures_util::future::join_all(raiders).await;
        });
    })
}

async fn raider(house: &House, table: &str, number: u64) {
    let mut random = Random::new(house.seed, 4_000 + number);
    let from = address(2, 1 + (number % ADDRESSES) as u8);
    loop {
        house.flood(true).await;
        let Some(open) = house.open().await else { return };
        let client = Client::anyone(&open.address).coming_from(from);
        // Not all at the same moment.
        house.rest(Duration::from_millis(random.below(500))).await;
        match raid(house, &client, table, &mut random).await {
            Ok(()) => house.tick("raids"),
            Err(_) => house.tick("raiders turned away"),
        }
        if !house.rest(Duration::from_millis(random.between(500, 1_500))).await {
            return;
        }
    }
}

async fn raid(house: &House, client: &Client, table: &str, random: &mut Random) -> Fallible<()> {
    let socket = client.socket(table, None).await?;
    let (mut writer, mut reader) = socket.stream.split();
    let mut pace = tokio::time::interval(PACE);
    pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let over = house.flood(false);
    tokio::pin!(over);
    loop {
        tokio::select! {
            () = &mut over => return Ok(()),
            frame = reader.next() => {
                let frame = frame.ok_or("let go")??;
                house.tick("frames to raiders");
                if frame.is_close() {
                    return Err("let go".into());
                }
            }
            _ = pace.tick() => {
                let frame = match random.below(4) {
                    0 => json!({ "type": "offers", "seat": random.below(16) }),
                    1 => json!({ "type": "resume", "after": random.below(500) }),
                    _ => json!({ "type": "resume", "after": 0 }),
                };
                house.tick("frames from raiders");
                writer.send(Message::text(frame.to_string())).await?;
            }
        }
    }
}
