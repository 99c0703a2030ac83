//! Connections that do nothing, ask for too much, or are too many: each ends in its time, and
//! says why where it can.

use std::num::NonZeroU32;
use std::time::Duration;

use boxman_client::{Client, Message, TableSocket, json};
use boxman_server::testing::http::Limits;
use futures_util::SinkExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::hostile::upgrade;
use crate::live::{Folder, Live, generous};

const SOON: Duration = Duration::from_secs(10);
const SHORT: Duration = Duration::from_millis(300);

async fn connect(live: &Live) -> TcpStream {
    TcpStream::connect(&live.address).await.unwrap()
}

/// Everything that still comes, until the other end hangs up.
async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut rest = Vec::new();
    // One that was cut off has ended too.
    let _ = timeout(SOON, stream.read_to_end(&mut rest)).await.expect("it ends");
    rest
}

/// The addresses of a table's socket and of a sign's.
async fn paths(live: &Live) -> [String; 2] {
    let table = live.practice().await;
    let view = live.view(&table).await;
    let meter = view["meters"][0]["meter"].as_str().unwrap();
    [format!("/api/tables/{table}/socket"), format!("/api/meters/{meter}/socket")]
}

/// A table's socket and a sign's.
async fn both(live: &Live) -> [TableSocket; 2] {
    let table = live.practice().await;
    let view = live.view(&table).await;
    let meter = view["meters"][0]["meter"].as_str().unwrap();
    let client = Client::anyone(&live.address);
    [client.socket(&table, None).await.unwrap(), client.sign(meter).await.unwrap()]
}

async fn ending(socket: &mut TableSocket) -> (u16, String) {
    timeout(SOON, socket.ending()).await.expect("it ends").expect("it says why")
}

#[tokio::test]
async fn a_connection_that_asks_for_nothing_is_closed() {
    let folder = Folder::new();
    let live = Live::with_limits(&folder.store(), Limits { idle: SHORT, ..generous() }).await;
    for half in ["", "GET /hea", "GET /healthz HTTP/1.1\r\nhost: x\r\n"] {
        let mut stream = connect(&live).await;
        stream.write_all(half.as_bytes()).await.unwrap();
        assert_eq!(rest(&mut stream).await, b"", "{half}");
    }
    // Answered once, and then silent.
    let mut stream = connect(&live).await;
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.unwrap();
    let answer = String::from_utf8(rest(&mut stream).await).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    live.stop().await;
}

#[tokio::test]
async fn an_answer_that_nobody_takes_is_given_up() {
    let folder = Folder::new();
    let live = Live::with_limits(&folder.store(), Limits { idle: SHORT, ..generous() }).await;
    let mut stream = connect(&live).await;
    // Far more is asked for than lies between two ends that do not read.
    let ask = b"GET /api/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n";
    let ends = async {
        loop {
            if stream.write_all(&ask.repeat(10)).await.is_err() {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(SOON, ends).await.expect("it is cut off");
    live.stop().await;
}

#[tokio::test]
async fn a_silent_socket_ends_with_its_code() {
    let folder = Folder::new();
    let live = Live::with_limits(&folder.store(), Limits { silence: SHORT, ..generous() }).await;
    // What is read by hand answers no ping.
    for path in paths(&live).await {
        let (mut stream, head) = upgrade(&live, &path, "", None).await;
        assert!(head.starts_with("HTTP/1.1 101"), "{head}");
        let reason = b"you said nothing for too long, come again";
        let close = [&[0x88, reason.len() as u8 + 2, 0x03, 0xe9], &reason[..]].concat();
        let all = rest(&mut stream).await;
        assert!(all.ends_with(&close), "{path}: {}", String::from_utf8_lossy(&all));
    }
    // One that reads does, and stays.
    let [mut table, mut sign] = both(&live).await;
    let ends = async {
        tokio::select! { _ = table.ending() => {}, _ = sign.ending() => {} }
    };
    assert!(timeout(SHORT * 3, ends).await.is_err());
    live.stop().await;
}

#[tokio::test]
async fn a_frame_that_is_too_long_ends_the_socket_with_its_code() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    for length in [16 * 1_024 + 1, 1_024 * 1_024] {
        for mut socket in both(&live).await {
            // It need not be read to its end.
            let _ = timeout(SHORT, socket.stream.send(Message::text(" ".repeat(length)))).await;
            assert_eq!(ending(&mut socket).await, (1009, "a frame has at most 16 KB".to_owned()));
        }
    }
    live.stop().await;
}

#[tokio::test]
async fn every_socket_is_told_that_the_server_stops() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let [mut table, mut sign] = both(&live).await;
    let stopping = tokio::spawn(live.stop());
    let stopped = (1001, "the server is shutting down, come again".to_owned());
    assert_eq!(ending(&mut table).await, stopped);
    assert_eq!(ending(&mut sign).await, stopped);
    timeout(SOON, stopping).await.expect("it stops").unwrap();
}

#[tokio::test]
async fn whoever_comes_is_heard_though_every_place_is_taken() {
    let folder = Folder::new();
    let limits = Limits { connections: NonZeroU32::new(6).unwrap(), ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let client = Client::anyone(&live.address);
    let mut silent = Vec::new();
    for _ in 0..12 {
        silent.push(connect(&live).await);
    }
    assert_eq!(timeout(SOON, client.get("/healthz")).await.unwrap().unwrap().status, 200);
    // The oldest went first.
    assert_eq!(rest(&mut silent[0]).await, b"");
    // Sockets stay where there is somebody else to go; then whoever watches and came last goes.
    let mut sockets = Vec::new();
    for _ in 0..3 {
        sockets.extend(both(&live).await);
    }
    assert_eq!(timeout(SOON, client.get("/healthz")).await.unwrap().unwrap().status, 200);
    let made_room = (4002, "you made room for somebody else, come again later".to_owned());
    assert_eq!(ending(&mut sockets[5]).await, made_room);
    let frame = json!({ "type": "resume", "after": u64::MAX }).to_string();
    sockets[0].text(&frame).await.unwrap();
    for _ in 0..2 {
        timeout(SOON, sockets[0].next_of("snapshot")).await.unwrap().unwrap();
    }
    live.stop().await;
}

#[tokio::test]
async fn a_request_that_is_never_finished_makes_room() {
    let folder = Folder::new();
    let limits = Limits { connections: NonZeroU32::new(6).unwrap(), ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let mut half = Vec::new();
    for _ in 0..12 {
        let mut stream = connect(&live).await;
        let head = "POST /api/guest HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                    content-length: 1000\r\n\r\n{";
        stream.write_all(head.as_bytes()).await.unwrap();
        half.push(stream);
    }
    let client = Client::anyone(&live.address);
    for _ in 0..3 {
        let healthy = timeout(Duration::from_secs(3), client.get("/healthz")).await;
        assert_eq!(healthy.expect("it is heard").unwrap().status, 200);
    }
    live.stop().await;
}
