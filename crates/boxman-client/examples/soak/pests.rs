//! Pests: sockets that say nothing, requests that are never finished, readers that do not read,
//! and frames that make no sense. They are few and slow, and always there.

use std::sync::Arc;
use std::time::{Duration, Instant};

use boxman_client::{Client, Fallible, Message, Random, TableSocket};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::house::{House, address, lock};

/// What a pest does, and how many do it.
#[derive(Clone, Copy)]
enum Kind {
    Idle,
    Half,
    Silent,
    Slow,
    Junk,
    Garbage,
}

const KINDS: [(Kind, u8); 6] = [
    (Kind::Idle, 12),
    (Kind::Half, 8),
    (Kind::Silent, 4),
    (Kind::Slow, 6),
    (Kind::Junk, 2),
    (Kind::Garbage, 2),
];

/// A request that is not finished is waited for this long, and no longer.
const HALF: Duration = Duration::from_secs(90);

/// Lets them all in.
pub(crate) fn start(house: &Arc<House>) -> Vec<tokio::task::JoinHandle<()>> {
    let mut pests = Vec::new();
    for (kind, count) in KINDS {
        for _ in 0..count {
            let number = pests.len() as u8;
            pests.push(tokio::spawn(pest(Arc::clone(house), kind, number)));
        }
    }
    pests
}

async fn pest(house: Arc<House>, kind: Kind, number: u8) {
    let mut random = Random::new(house.seed, 5_000 + u64::from(number));
    loop {
        let Some(open) = house.open().await else { return };
        let client = Client::anyone(&open.address).coming_from(address(3, 1 + number));
        let table = random.some(&lock(&house.tables)).cloned();
        if let Some(table) = table {
            let bother = bother(&house, kind, &client, &table, &mut random);
            tokio::select! {
                // However it ends: nobody owes a pest anything.
                _ = bother => house.tick("pests"),
                () = house.over() => return,
            }
        }
        if !house.rest(Duration::from_millis(random.between(500, 3_000))).await {
            return;
        }
    }
}

async fn bother(
    house: &House,
    kind: Kind,
    client: &Client,
    table: &str,
    random: &mut Random,
) -> Fallible<()> {
    match kind {
        Kind::Idle => {
            // Nothing is read either, so that nothing answers the server's pings.
            let _socket = client.socket(table, None).await?;
            house.rest(Duration::from_secs(random.between(20, 120))).await;
            Ok(())
        }
        Kind::Half => half(house, client, random).await,
        Kind::Silent => {
            let mut stream = client.connect().await?;
            let request = format!(
                "GET /api/meters/downtown-all/socket HTTP/1.1\r\nhost: {}\r\n\
                 connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                 sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                client.address
            );
            stream.write_all(request.as_bytes()).await?;
            house.rest(Duration::from_secs(random.between(20, 120))).await;
            Ok(())
        }
        Kind::Slow => {
            let mut socket = client.socket(table, None).await?;
            for _ in 0..random.between(10, 60) {
                socket.next().await?.ok_or("let go")?;
                house.rest(Duration::from_millis(1_500)).await;
            }
            Ok(())
        }
        Kind::Junk => junk(client.socket(table, None).await?, random).await,
        Kind::Garbage => garbage(house, client, table, random).await,
    }
}

/// Part of a request, and then nothing. The server hangs up some time.
async fn half(house: &House, client: &Client, random: &mut Random) -> Fallible<()> {
    let mut stream = client.connect().await?;
    let part = *random.pick(&[
        "",
        "GET /api/tab",
        "GET /api/tables HTTP/1.1\r\nhost: loc",
        "POST /api/guest HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         content-length: 400\r\n\r\n{\"name\":",
        "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n",
    ]);
    stream.write_all(part.as_bytes()).await?;
    let (started, mut answer) = (Instant::now(), Vec::new());
    let ended = tokio::time::timeout(HALF, stream.read_to_end(&mut answer)).await;
    match ended {
        Ok(_) => house.longest("half-sent request held, seconds", started.elapsed().as_secs()),
        Err(_) => house.tick("half-sent requests never let go"),
    }
    Ok(())
}

/// Frames that make no sense, until the server has had enough; or one that is too long.
async fn junk(mut socket: TableSocket, random: &mut Random) -> Fallible<()> {
    let stream = &mut socket.stream;
    for _ in 0..30 {
        let message = match random.below(8) {
            0 => Message::binary(vec![0xff; 64]),
            1 => Message::text("x".repeat(20_000)),
            2 => Message::text(
                "{\"type\":\"command\",\"id\":\"a\",\"command\":{\"command\":\"fly\"}}",
            ),
            3 => Message::text("{\"type\":\"resume\",\"after\":-1}"),
            4 => Message::text("{\"type\":\"offers\",\"seat\":255}"),
            5 => Message::text("[".repeat(4_000)),
            6 => Message::Ping(vec![1; 100].into()),
            _ => Message::text(random.hex(40)),
        };
        stream.send(message).await?;
        tokio::time::sleep(Duration::from_millis(40)).await;
    }
    while let Some(message) = stream.next().await {
        message?;
    }
    Ok(())
}

/// How a request goes on that wants one answer.
const END: &str = "HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

/// Requests no browser makes.
async fn garbage(house: &House, client: &Client, table: &str, random: &mut Random) -> Fallible<()> {
    let huge = "x".repeat(100_000);
    let requests = [
        "BREW /api/tables HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".to_owned(),
        format!("GET /{huge} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nhost: x\r\nx: {huge}\r\nconnection: close\r\n\r\n"),
        format!("GET /api/tables/{table}/records?after=-1 {END}"),
        format!("GET /api/tables/{table}/history?after=18446744073709551615 {END}"),
        "GET /api/tables/%ff%00/socket HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".to_owned(),
        "POST /api/guest HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
         content-length: 4\r\nconnection: close\r\n\r\n{{{{"
            .to_owned(),
        "\u{0}\u{1}\u{2}\r\n\r\n".to_owned(),
    ];
    let answer = client.raw(random.pick(&requests).as_bytes()).await?;
    if answer.status >= 500 {
        house.fault(format!("garbage was answered {}: {}", answer.status, answer.text));
    }
    Ok(())
}
