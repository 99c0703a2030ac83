//! People who mean no good, and programs that mean nothing at all: the socket says what is
//! wrong, the table stays as it is, and nobody else notices.

mod random;

use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use boxman_client::{Client, Message, TableSocket, Value, json};
use boxman_server::testing::http::{Limits, decode};
use futures_util::SinkExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::live::{Folder, Live, ask, fresh_id, generous, join, open, put, roll};

/// Whatever is waited for comes in this time, or never.
const SOON: Duration = Duration::from_secs(10);

async fn next(socket: &mut TableSocket) -> Option<Value> {
    timeout(SOON, socket.next()).await.expect("a frame or an end").ok().flatten()
}

/// The next frame of this type.
async fn next_of(socket: &mut TableSocket, kind: &str) -> Value {
    timeout(SOON, socket.next_of(kind)).await.expect("it comes soon").unwrap()
}

async fn ends(socket: &mut TableSocket) {
    while next(socket).await.is_some() {}
}

fn few(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap()
}

/// Frames that make no sense.
fn senseless() -> Vec<String> {
    let put = |field: &str, value: &str| {
        let frame = r#"{"type":"command","id":"a","command":{"command":"put","seat":0,
            "wager":"field","amount":500}}"#;
        let known = match field {
            "seat" => "\"seat\":0",
            "wager" => "\"wager\":\"field\"",
            _ => "\"amount\":500",
        };
        frame.replace(known, &format!("\"{field}\":{value}"))
    };
    let command = |command: &str| format!(r#"{{"type":"command","id":"a","command":{command}}}"#);
    let mut frames: Vec<String> = [
        "",
        " ",
        "{",
        "}",
        "{}",
        "null",
        "7",
        "\"put\"",
        "[]",
        "\u{feff}{}",
        "roll",
        "\u{0}",
        r#"{"type":"command"}"#,
        r#"{"type":"resume"}"#,
        r#"{"type":"resume","after":-1}"#,
        r#"{"type":"resume","after":1.5}"#,
        r#"{"type":"resume","after":"1"}"#,
        r#"{"type":"resume","after":18446744073709551616}"#,
        r#"{"type":"resume","after":1,"more":1}"#,
        r#"{"type":"shout"}"#,
        r#"{"type":"command","type":"resume","after":1}"#,
        r#"{"type":"command","id":"a","command":{"command":"pause"},"more":1}"#,
        r#"{"type":"command","id":7,"command":{"command":"pause"}}"#,
        r#"{"type":"command","id":null,"command":{"command":"pause"}}"#,
        r#"["command","a",{"command":"pause"}]"#,
    ]
    .map(str::to_owned)
    .to_vec();
    for broken in [
        "null",
        "[]",
        "{}",
        "\"pause\"",
        r#"{"command":"explode"}"#,
        r#"{"command":"PAUSE"}"#,
        r#"{"command":"pause","more":1}"#,
        r#"{"command":"sit","seat":-1}"#,
        r#"{"command":"key-roll","dice":"7-1"}"#,
        r#"{"command":"key-roll","dice":[1,2]}"#,
        r#"{"command":"call","seat":0,"wager":"field","call":"maybe"}"#,
    ] {
        frames.push(command(broken));
    }
    for (field, value) in [
        ("seat", "256"),
        ("seat", "-1"),
        ("seat", "0.0"),
        ("seat", "\"0\""),
        ("seat", "null"),
        ("wager", "7"),
        ("wager", "null"),
        ("wager", "[\"field\"]"),
        ("wager", "\"\\ud800\""),
        ("amount", "5.0"),
        ("amount", "5e2"),
        ("amount", "\"500\""),
        ("amount", "null"),
        ("amount", "9223372036854775808"),
        ("amount", "-9223372036854775809"),
        ("amount", "1e400"),
        ("amount", "NaN"),
        ("amount", "0500"),
    ] {
        frames.push(put(field, value));
    }
    for deep in ["[", "{\"a\":"] {
        frames.push(deep.repeat(2_000));
        frames.push(command(&deep.repeat(2_000)));
    }
    frames
}

/// Commands that can be read and may not be done, with the code that says why.
fn refused() -> Vec<(Value, &'static str)> {
    let mut all = vec![
        (put(0, "field", 0), "zero-amount"),
        (put(0, "field", -1), "zero-amount"),
        (put(0, "field", i64::MAX), "not-a-multiple"),
        (put(0, "field", 9_000_000_000_000_000_000), "over-limit"),
        (put(0, "field", i64::MIN), "zero-amount"),
        (put(0, "", 500), "not-offered"),
        (put(0, "odds pass pass", 500), "not-offered"),
        (put(0, &"x".repeat(5_000), 500), "not-offered"),
        (put(0, "\u{202e}💣\u{0}", 500), "not-offered"),
        (put(1, "field", 500), "not-your-seat"),
        (json!({ "command": "leave", "seat": 1 }), "not-your-seat"),
        (json!({ "command": "sit", "seat": 1 }), "seat-taken"),
        (json!({ "command": "sit", "seat": 16 }), "no-such-seat"),
        (json!({ "command": "sit", "seat": 255 }), "no-such-seat"),
        (json!({ "command": "roll", "shooter_bytes": "" }), "malformed"),
        (json!({ "command": "roll", "shooter_bytes": "é".repeat(32) }), "malformed"),
        (json!({ "command": "roll", "shooter_bytes": "0".repeat(63) }), "malformed"),
        (json!({ "command": "pause" }), "forbidden"),
        (json!({ "command": "fill", "amount": i64::MAX }), "forbidden"),
        (json!({ "command": "approve", "proposal": u64::MAX }), "forbidden"),
    ];
    for seat in [2, 15, 16, 23, 24, 25, 100, 254, 255] {
        all.push((put(seat, "field", 500), "not-seated"));
        all.push((json!({ "command": "leave", "seat": seat }), "not-seated"));
        all.push((json!({ "command": "buy-in", "seat": seat, "amount": 500 }), "not-seated"));
        all.push((json!({ "command": "take", "seat": seat, "wager": "pass" }), "not-seated"));
    }
    for command in ["buy-in", "cash-out"] {
        for amount in [0, -1, i64::MIN] {
            let command = json!({ "command": command, "seat": 0, "amount": amount });
            all.push((command, "zero-amount"));
        }
    }
    let buy_in = json!({ "command": "buy-in", "seat": 0, "amount": i64::MAX });
    let cash_out = json!({ "command": "cash-out", "seat": 0, "amount": i64::MAX });
    all.extend([(buy_in, "over-limit"), (cash_out, "short-rack")]);
    all
}

/// A table with Ann in seat 0 and Bob in seat 1.
async fn two_players(live: &Live) -> (String, Client, Client) {
    let table = live.practice().await;
    let (ann, bob) = (live.guest("Ann").await, live.guest("Bob").await);
    join(&ann, &table, 0, 1_000_000).await;
    join(&bob, &table, 1, 1_000_000).await;
    (table, ann, bob)
}

#[tokio::test]
async fn senseless_frames_are_answered_and_change_nothing() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let (table, ann, _) = two_players(&live).await;
    let before = live.view(&table).await;
    for frames in senseless().chunks(15) {
        let mut socket = ann.socket(&table, None).await.unwrap();
        next_of(&mut socket, "snapshot").await;
        for frame in frames {
            assert!(decode(frame).is_err(), "{frame}");
            socket.text(frame).await.unwrap();
            let answer = next(&mut socket).await.unwrap_or_else(|| panic!("no answer to {frame}"));
            let problem = &answer["problem"];
            let found = (&answer["type"], &problem["code"], &problem["status"]);
            assert_eq!(found, (&json!("problem"), &json!("malformed"), &json!(400)), "{frame}");
        }
        socket.stream.send(Message::binary(b"{}".to_vec())).await.unwrap();
        let answer = next_of(&mut socket, "problem").await;
        assert_eq!(answer["problem"]["detail"], "send text, not binary");
    }
    assert_eq!(live.view(&table).await, before);
    live.stop().await;
}

#[tokio::test]
async fn patience_ends_and_long_frames_end_the_socket() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let (table, ann, _) = two_players(&live).await;
    let before = live.view(&table).await;
    let mut socket = ann.socket(&table, None).await.unwrap();
    next_of(&mut socket, "snapshot").await;
    for _ in 0..20 {
        socket.text("?").await.unwrap();
        next_of(&mut socket, "problem").await;
    }
    socket.text("?").await.unwrap();
    ends(&mut socket).await;
    let padding = " ".repeat(17 * 1_024);
    for long in [Message::text(padding.clone()), Message::binary(padding.into_bytes())] {
        let mut socket = ann.socket(&table, None).await.unwrap();
        // It may hang up before it has read everything.
        let _ = socket.stream.send(long).await;
        ends(&mut socket).await;
    }
    assert_eq!(live.view(&table).await, before);
    live.stop().await;
}

#[tokio::test]
async fn commands_that_may_not_be_done_say_why_and_change_nothing() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let (table, ann, _) = two_players(&live).await;
    let before = live.view(&table).await;
    let mut socket = ann.socket(&table, None).await.unwrap();
    for (command, code) in refused() {
        let answer = timeout(SOON, socket.ask(&fresh_id(), &command)).await.unwrap().unwrap();
        let found = (&answer["type"], &answer["problem"]["code"]);
        assert_eq!(found, (&json!("refused"), &json!(code)), "{command}");
    }
    for id in ["", " ", "a b", "ä", "a/b", "\u{0}", &"x".repeat(65), "💣"] {
        let answer = timeout(SOON, socket.ask(id, &put(0, "field", 500))).await.unwrap().unwrap();
        assert_eq!(answer["problem"]["code"], "malformed", "{id}");
    }
    let mut stranger = Client::anyone(&live.address).socket(&table, None).await.unwrap();
    for command in [put(0, "field", 500), roll(), json!({ "command": "sit" })] {
        let answer = timeout(SOON, stranger.ask("a", &command)).await.unwrap().unwrap();
        assert_eq!(answer["problem"]["code"], "not-logged-in", "{command}");
    }
    assert_eq!(live.view(&table).await, before);
    live.stop().await;
}

#[tokio::test]
async fn any_number_may_be_resumed_from() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let (table, ann, _) = two_players(&live).await;
    let head = live.view(&table).await["seq"].as_u64().unwrap();
    for (after, kind) in [
        (head, "resumed"),
        (head + 1, "snapshot"),
        (i64::MAX as u64, "snapshot"),
        (u64::MAX - 1, "snapshot"),
        (u64::MAX, "snapshot"),
    ] {
        let mut socket = ann.socket(&table, Some(after)).await.unwrap();
        assert_eq!(next(&mut socket).await.unwrap()["type"], kind, "{after}");
        socket.text(&json!({ "type": "resume", "after": after }).to_string()).await.unwrap();
        let mut answer = next(&mut socket).await.unwrap();
        while answer["type"] == "meter" {
            answer = next(&mut socket).await.unwrap();
        }
        assert_eq!(answer["type"], kind, "{after}");
        let path = format!("/api/tables/{table}/records?after={after}");
        assert_eq!(ann.get(&path).await.unwrap().ok().unwrap(), json!([]), "{after}");
    }
    live.stop().await;
}

/// Asks for a socket by hand; gives the head of the answer.
pub(crate) async fn upgrade(
    live: &Live,
    path: &str,
    more: &str,
    receive: Option<u32>,
) -> (TcpStream, String) {
    let socket = TcpSocket::new_v4().unwrap();
    if let Some(size) = receive {
        socket.set_recv_buffer_size(size).unwrap();
    }
    let mut stream = socket.connect(live.address.parse().unwrap()).await.unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nhost: {}\r\n{more}connection: upgrade\r\n\
         upgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        live.address
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(timeout(SOON, stream.read_u8()).await.unwrap().unwrap());
    }
    (stream, String::from_utf8(head).unwrap())
}

/// A text frame as a client sends it, under a mask of nothing.
fn masked(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    assert!(length < 126);
    [&[0x81, 0x80 | length, 0, 0, 0, 0], text.as_bytes()].concat()
}

#[tokio::test]
async fn one_who_never_reads_is_let_go_and_holds_up_nobody() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let (table, ann, _) = two_players(&live).await;
    let (mut slow, head) =
        upgrade(&live, &format!("/api/tables/{table}/socket"), "", Some(4_096)).await;
    assert!(head.starts_with("HTTP/1.1 101"), "{head}");
    // What every seat may do, again and again, until every buffer on the way is full and beyond.
    let asking = tokio::spawn(async move {
        for seat in (0..24).cycle() {
            let offers = masked(&json!({ "type": "offers", "seat": seat }).to_string());
            if slow.write_all(&offers).await.is_err() {
                return;
            }
            if seat == 23 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        }
    });
    let mut socket = ann.socket(&table, None).await.unwrap();
    let started = Instant::now();
    for _ in 0..400 {
        let answer = timeout(SOON, socket.ask(&fresh_id(), &put(0, "field", 500))).await;
        assert_eq!(answer.unwrap().unwrap()["type"], "ack");
    }
    let took = started.elapsed();
    assert!(took < Duration::from_secs(10), "400 commands took {took:?}");
    timeout(Duration::from_secs(30), asking).await.expect("it is let go").unwrap();
    live.stop().await;
}

#[tokio::test]
async fn too_much_on_a_socket_is_refused() {
    let folder = Folder::new();
    let limits = Limits { commands: few(1), ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let (table, ann, _) = two_players(&live).await;
    let before = live.view(&table).await;
    let mut socket = ann.socket(&table, None).await.unwrap();
    next_of(&mut socket, "snapshot").await;
    // The burst goes through; none of these changes anything.
    for place in 0..12 {
        let answer = socket.ask(&fresh_id(), &put(0, "field", 0)).await.unwrap();
        let many = answer["problem"]["code"] == "too-many-requests";
        assert!(many || place < 6, "{answer}");
        assert!(!many || place >= 2, "{answer}");
    }
    socket.text(r#"{"type":"resume","after":1}"#).await.unwrap();
    let answer = next_of(&mut socket, "problem").await;
    assert_eq!(answer["problem"]["code"], "too-many-requests");
    assert_eq!(live.view(&table).await, before);
    live.stop().await;
}

#[tokio::test]
async fn too_much_from_one_address_is_refused() {
    let folder = Folder::new();
    let limits = Limits { requests: few(5), door: few(3), ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let client = Client::anyone(&live.address);
    let knock = |path: &'static str, body: Value| {
        let client = client.clone();
        async move { client.post(path, &body).await.unwrap() }
    };
    for _ in 0..3 {
        assert_eq!(knock("/api/guest", json!({ "name": "Ann" })).await.status, 200);
    }
    let login = json!({ "name": "ann", "password": "correct horse" });
    let redeem = json!({ "link": "x", "name": "ann", "password": "correct horse" });
    for (path, body) in
        [("/api/guest", json!({ "name": "Ann" })), ("/api/login", login), ("/api/setup", redeem)]
    {
        let answer = knock(path, body).await;
        assert_eq!((answer.status, answer.code()), (429, "too-many-requests"), "{path}");
    }
    let mut statuses = Vec::new();
    for _ in 0..40 {
        statuses.push(client.get("/healthz").await.unwrap().status);
    }
    assert_eq!(statuses[0], 200);
    assert!(statuses.iter().filter(|status| **status == 429).count() > 10, "{statuses:?}");
    // A name that the client gives itself is no other address.
    let named = |name: u8| {
        let request = format!(
            "GET /healthz HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 10.0.0.{name}\r\n\
             connection: close\r\n\r\n"
        );
        let client = client.clone();
        async move { client.raw(request.as_bytes()).await.unwrap().status }
    };
    let mut statuses = Vec::new();
    for name in 0..20 {
        statuses.push(named(name).await);
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    live.stop().await;
}

#[tokio::test]
async fn behind_a_proxy_the_address_it_names_counts() {
    let folder = Folder::new();
    let limits = Limits { requests: few(1), behind_proxy: true, ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let client = Client::anyone(&live.address);
    for name in 0..30 {
        // What a client claims comes first; what the proxy has seen comes last.
        let request = format!(
            "GET /healthz HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 10.9.9.9, 10.0.0.{name}\r\n\
             connection: close\r\n\r\n"
        );
        assert_eq!(client.raw(request.as_bytes()).await.unwrap().status, 200);
    }
    live.stop().await;
}

#[tokio::test]
async fn another_site_is_refused_and_ours_is_not() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let client = Client::anyone(&live.address);
    let own = format!("origin: http://{}\r\n", live.address);
    let body = r#"{"name":"Ann"}"#;
    for (origin, post, socket) in [
        ("", 200, 101),
        (own.as_str(), 200, 101),
        ("origin: http://evil.example\r\n", 403, 403),
        ("origin: http://127.0.0.1:1\r\n", 403, 403),
        ("origin: null\r\n", 403, 403),
        ("origin: \r\n", 403, 403),
        ("origin: \u{ff}\r\n", 403, 403),
    ] {
        let request = format!(
            "POST /api/guest HTTP/1.1\r\nhost: {}\r\n{origin}content-type: application/json\r\n\
             content-length: {}\r\nconnection: close\r\n\r\n{body}",
            live.address,
            body.len()
        );
        let answer = client.raw(request.as_bytes()).await.unwrap();
        assert_eq!(answer.status, post, "{origin} {}", answer.text);
        let (_, head) = upgrade(&live, &format!("/api/tables/{table}/socket"), origin, None).await;
        assert!(head.starts_with(&format!("HTTP/1.1 {socket}")), "{origin} {head}");
        // Looking is harmless: a browser does not show another site what it sees.
        let look = format!(
            "GET /api/tables HTTP/1.1\r\nhost: {}\r\n{origin}connection: close\r\n\r\n",
            live.address
        );
        assert_eq!(client.raw(look.as_bytes()).await.unwrap().status, 200, "{origin}");
    }
    live.stop().await;
}

/// Whatever one person writes and another reads is a line that shows.
#[tokio::test]
async fn nobody_is_shown_what_does_not_show() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let table = open(&boss, &json!({ "name": "Craps 1", "dice": "dealer" })).await;
    let meters = boss.get("/api/meters").await.unwrap().ok().unwrap();
    let meter = meters[0]["meter"].as_str().unwrap();
    for hidden in ['\u{202e}', '\u{200b}', '\u{ad}', '\u{3164}', '\u{1b}', '\n'] {
        let text = format!("An{hidden}n");
        let guest = boss.post("/api/guest", &json!({ "name": text })).await.unwrap();
        assert_eq!(guest.code(), "bad-name", "{hidden:?}");
        let config = json!({ "name": text });
        let opened = boss.post("/api/tables", &config).await.unwrap();
        assert_eq!(opened.code(), "bad-config", "{hidden:?}");
        let configure = json!({ "command": "configure", "config": config, "reason": "why" });
        assert_eq!(ask(&boss, &table, configure).await.1, "bad-config", "{hidden:?}");
        let sit = json!({ "command": "sit", "name": text });
        assert_eq!(ask(&boss, &table, sit).await.1, "bad-name", "{hidden:?}");
        let config = json!({ "name": "Craps 2" });
        let configure = json!({ "command": "configure", "config": config, "reason": text });
        assert_eq!(ask(&boss, &table, configure).await.1, "no-reason", "{hidden:?}");
        let adjust =
            json!({ "command": "adjust", "kind": "malfunction", "amount": 100, "reason": text });
        let path = format!("/api/meters/{meter}/commands");
        let adjust = boss.post(&path, &json!({ "command": adjust })).await.unwrap();
        assert_eq!(adjust.code(), "no-reason", "{hidden:?}");
    }
    live.stop().await;
}

#[tokio::test]
async fn no_table_is_a_formula_in_a_spreadsheet() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let name = "=HYPERLINK(\"http://evil.example\")";
    let table = open(&boss, &json!({ "name": name, "practice": true })).await;
    join(&boss, &table, 0, 10_000).await;
    let report = boss.get(&format!("/api/reports?format=csv&table={table}")).await.unwrap().text;
    let cell = "\"'=HYPERLINK(\"\"http://evil.example\"\")\"";
    assert!(report.contains(&format!(",{cell},")), "{report}");
    live.stop().await;
}

/// Play goes on while many log in: passwords are hashed one at a time, away from the tables.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bets_are_answered_while_forty_log_in() {
    let folder = Folder::new();
    let limits = Limits { behind_proxy: true, ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let (table, ann, _) = two_players(&live).await;
    let login = |number: usize| {
        let body = json!({ "name": format!("nobody{number}"), "password": "a wrong guess" });
        let body = body.to_string();
        let request = format!(
            "POST /api/login HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 10.3.0.{number}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\
             connection: close\r\n\r\n{body}",
            body.len()
        );
        let client = Client::anyone(&live.address);
        tokio::spawn(async move { client.raw(request.as_bytes()).await.unwrap().status })
    };
    let logins: Vec<_> = (0..40).map(login).collect();
    let mut socket = ann.socket(&table, None).await.unwrap();
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        let started = Instant::now();
        let answer = timeout(SOON, socket.ask(&fresh_id(), &put(0, "field", 500))).await;
        assert_eq!(answer.unwrap().unwrap()["type"], "ack");
        slowest = slowest.max(started.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    for login in &logins {
        login.abort();
    }
    live.stop().await;
}

/// Whoever takes a table away gets all of it or is told to come again, however many ask at once.
#[tokio::test]
async fn tables_are_carried_away_in_turns_and_whole() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let (table, ann, _) = two_players(&live).await;
    let path = format!("/api/tables/{table}/export");
    let all = futures_util::future::join_all((0..20).map(|_| ann.get(&path))).await;
    let (mut whole, mut busy) = (0, 0);
    for answer in all {
        let answer = answer.unwrap();
        match (answer.status, answer.code()) {
            (200, _) => {
                assert!(answer.head.contains("transfer-encoding: chunked"), "{}", answer.head);
                assert!(answer.text.lines().last().unwrap().starts_with("{\"end\":"));
                whole += 1;
            }
            found => {
                assert_eq!(found, (503, "busy"));
                busy += 1;
            }
        }
    }
    assert!(whole >= 10 && whole + busy == 20, "{whole} whole, {busy} busy");
    live.stop().await;
}
