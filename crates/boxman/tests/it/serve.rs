//! `boxman serve` as a process: played, killed, started again, verified.

use std::path::PathBuf;
use std::time::Duration;

use boxman_client::{Client, Fallible, Server, Value, json};

const LIMITS: [&str; 6] = [
    "--door-per-minute",
    "100000",
    "--requests-per-second",
    "100000",
    "--commands-per-second",
    "100000",
];

fn program() -> PathBuf {
    env!("CARGO_BIN_EXE_boxman").into()
}

/// A folder that is removed when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("boxman-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn store(&self) -> PathBuf {
        self.0.join("test.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What `boxman verify` says of a store, and whether it is content.
fn verify(folder: &Folder) -> (bool, String) {
    let verify =
        std::process::Command::new(program()).arg("verify").arg(folder.store()).output().unwrap();
    let said = String::from_utf8(verify.stdout).unwrap();
    (verify.status.success(), said.lines().next().unwrap_or_default().to_owned())
}

fn put(seat: usize, wager: &str, amount: i64) -> Value {
    json!({ "command": "put", "seat": seat, "wager": wager, "amount": amount })
}

/// Plays until the server is gone. Gives every acknowledged command and its record.
async fn play(
    player: Client,
    table: String,
    seat: usize,
    from: usize,
) -> Vec<(String, Value, u64)> {
    let mut acknowledged = Vec::new();
    let Ok(mut socket) = player.socket(&table, None).await else { return acknowledged };
    for number in from.. {
        let id = format!("{seat}-{number}");
        let command = match number % 5 {
            0 => put(seat, "pass", 500),
            1 => put(seat, "field", 500),
            2 => put(seat, "make-em-all-progressive", 100),
            3 => put(seat, "place 6", 600),
            _ => json!({ "command": "roll", "shooter_bytes": format!("{number:064x}") }),
        };
        match socket.ask(&id, &command).await {
            Ok(answer) => {
                if let Some(seq) = answer["seq"].as_u64() {
                    acknowledged.push((id, command, seq));
                }
            }
            Err(_) => break,
        }
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledged_command_survives_kills_at_any_moment() -> Fallible<()> {
    let folder = Folder::new("kill");
    let mut server = Server::start(&program(), &folder.store(), &LIMITS)?;
    let tables = Client::anyone(&server.address).get("/api/tables").await?.ok()?;
    let table = tables[0]["id"].as_str().ok_or("there is no table")?.to_owned();
    let mut players = Vec::new();
    for seat in 0..3 {
        let player = Client::guest(&server.address, &format!("P{seat}")).await?;
        player.command(&table, "sit", &json!({ "command": "sit", "seat": seat })).await?.ok()?;
        let buy = json!({ "command": "buy-in", "seat": seat, "amount": 100_000_000 });
        player.command(&table, "buy", &buy).await?.ok()?;
        players.push(player);
    }
    let mut all: Vec<(usize, String, Value, u64)> = Vec::new();
    for (round, delay) in [137, 61, 223, 14, 95].into_iter().enumerate() {
        let playing: Vec<_> = players
            .iter()
            .enumerate()
            .map(|(seat, player)| {
                let player = Client { address: server.address.clone(), ..player.clone() };
                tokio::spawn(play(player, table.clone(), seat, round * 100_000))
            })
            .collect();
        tokio::time::sleep(Duration::from_millis(delay)).await;
        server.kill();
        // The file as the kill left it can be read, and holds.
        let (sound, line) = verify(&folder);
        assert!(sound, "{line}");
        for (seat, task) in playing.into_iter().enumerate() {
            all.extend(task.await?.into_iter().map(|(id, command, seq)| (seat, id, command, seq)));
        }
        server = Server::start(&program(), &folder.store(), &LIMITS)?;
        for (seat, id, command, seq) in &all {
            let player = Client { address: server.address.clone(), ..players[*seat].clone() };
            let answer = player.command(&table, id, command).await?.ok()?;
            assert_eq!(answer["seq"].as_u64(), Some(*seq), "{id} was acknowledged and is lost");
        }
    }
    assert!(all.len() > 50, "only {} commands were acknowledged", all.len());
    assert!(server.stop()?, "the server stops well when it is asked to");
    let (sound, line) = verify(&folder);
    assert!(sound, "{line}");
    Ok(())
}

#[tokio::test]
async fn a_flipped_byte_is_named() -> Fallible<()> {
    let folder = Folder::new("flip");
    let mut server = Server::start(&program(), &folder.store(), &LIMITS)?;
    let tables = Client::anyone(&server.address).get("/api/tables").await?.ok()?;
    let table = tables[0]["id"].as_str().ok_or("there is no table")?.to_owned();
    let player = Client::guest(&server.address, "Marker").await?;
    player.command(&table, "sit", &json!({ "command": "sit", "seat": 0 })).await?.ok()?;
    let buy = json!({ "command": "buy-in", "seat": 0, "amount": 123_456_700 });
    let bought = player.command(&table, "buy", &buy).await?.ok()?;
    player.command(&table, "bet", &put(0, "field", 500)).await?.ok()?;
    assert!(server.stop()?);
    assert!(verify(&folder).0);
    // The amount stands in the record and, as a balance, in the snapshot; the record comes first.
    let mut bytes = std::fs::read(folder.store())?;
    let places: Vec<usize> = bytes
        .windows(9)
        .enumerate()
        .filter(|(_, at)| *at == b"123456700")
        .map(|(at, _)| at)
        .collect();
    for place in places {
        bytes[place] ^= 1;
    }
    std::fs::write(folder.store(), bytes)?;
    let (sound, line) = verify(&folder);
    assert!(!sound, "{line}");
    let record = format!("record {} of table/{table}", bought["seq"]);
    assert!(line.contains(&record), "{line} does not name {record}");
    Ok(())
}

/// Somebody at the first table, with chips in front of them.
async fn seated(server: &Server) -> Fallible<(Client, String)> {
    let tables = Client::anyone(&server.address).get("/api/tables").await?.ok()?;
    let table = tables[0]["id"].as_str().ok_or("there is no table")?.to_owned();
    let player = Client::guest(&server.address, "Ann").await?;
    player.command(&table, "sit", &json!({ "command": "sit", "seat": 0 })).await?.ok()?;
    let buy = json!({ "command": "buy-in", "seat": 0, "amount": 100_000_000 });
    player.command(&table, "buy", &buy).await?.ok()?;
    Ok((player, table))
}

#[tokio::test]
async fn what_was_acknowledged_before_the_log_was_deleted_survives_a_kill() -> Fallible<()> {
    let folder = Folder::new("deleted");
    let mut server = Server::start(&program(), &folder.store(), &LIMITS)?;
    let (player, table) = seated(&server).await?;
    let bet = put(0, "field", 100);
    let mut acknowledged = Vec::new();
    for number in 0..120 {
        if number == 60 {
            std::fs::remove_file(folder.0.join("test.db-wal"))?;
        }
        let id = format!("bet-{number}");
        let answer = player.command(&table, &id, &bet).await?;
        match answer.status {
            200 => acknowledged.push((id, answer.json["seq"].as_u64())),
            _ => assert_eq!(answer.code(), "store-down", "{}", answer.text),
        }
    }
    assert_eq!(acknowledged.len(), 60);
    assert_eq!(player.get("/readyz").await?.status, 503);
    server.kill();
    let (sound, line) = verify(&folder);
    assert!(sound, "{line}");
    server = Server::start(&program(), &folder.store(), &LIMITS)?;
    let player = Client { address: server.address.clone(), ..player };
    for (id, seq) in acknowledged {
        let answer = player.command(&table, &id, &bet).await?.ok()?;
        assert_eq!(answer["seq"].as_u64(), seq, "{id} was acknowledged and is lost");
    }
    assert!(server.stop()?);
    Ok(())
}

/// The program under a limit of the system's.
fn limited(folder: &Folder, limit: &str) -> Fallible<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let script = folder.0.join("limited.sh");
    let text = format!("#!/bin/sh\nulimit {limit}\nexec {} \"$@\"\n", program().display());
    std::fs::write(&script, text)?;
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755))?;
    Ok(script)
}

/// A limit on the length of files is a full disk, and no reason to die.
#[tokio::test]
async fn a_file_that_may_grow_no_further_stops_the_tables_and_not_the_server() -> Fallible<()> {
    let folder = Folder::new("limit");
    assert!(Server::start(&program(), &folder.store(), &LIMITS)?.stop()?);
    let blocks = folder.store().metadata()?.len() / 512 + 100;
    let limited = limited(&folder, &format!("-f {blocks}"))?;
    let mut server = Server::start(&limited, &folder.store(), &LIMITS)?;
    let (player, table) = seated(&server).await?;
    let mut bets = 0..2_000;
    let refused = loop {
        let number = bets.next().ok_or("the file has no limit")?;
        let answer =
            player.command(&table, &format!("bet-{number}"), &put(0, "field", 100)).await?;
        if answer.status != 200 {
            break answer;
        }
    };
    assert_eq!(refused.code(), "store-down", "{}", refused.text);
    assert_eq!(player.get("/healthz").await?.status, 200);
    assert!(server.stop()?, "it stops well");
    let (sound, line) = verify(&folder);
    assert!(sound, "{line}");
    Ok(())
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_server_without_descriptors_accepts_again_when_silent_ones_have_gone() -> Fallible<()> {
    let folder = Folder::new("starved");
    let mut server = Server::start(&program(), &folder.store(), &LIMITS)?;
    let used = std::fs::read_dir(format!("/proc/{}/fd", server.id()))?.count();
    assert!(server.stop()?);
    let limited = limited(&folder, &format!("-n {}", used + 6))?;
    let limits = [&LIMITS[..], &["--idle-seconds", "1"]].concat();
    let mut server = Server::start(&limited, &folder.store(), &limits)?;
    // None of these asks for anything, and none hangs up.
    let mut silent = Vec::new();
    for _ in 0..16 {
        silent.push(tokio::net::TcpStream::connect(&server.address).await?);
    }
    // The store itself may have been short of descriptors, and a table waits for it.
    let heard = async {
        let bob = loop {
            match Client::guest(&server.address, "Bob").await {
                Ok(bob) => break bob,
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        };
        let tables = bob.get("/api/tables").await?.ok()?;
        let table = tables[0]["id"].as_str().ok_or("there is no table")?;
        let nothing = json!({ "command": "leave", "seat": 5 });
        while bob.command(table, "leave", &nothing).await?.code() == "store-down" {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Fallible::Ok(())
    };
    tokio::time::timeout(Duration::from_secs(20), heard).await??;
    drop(silent);
    seated(&server).await?;
    assert!(server.stop()?);
    let (sound, line) = verify(&folder);
    assert!(sound, "{line}");
    Ok(())
}

/// The server writes its anchor by itself, and never over one that shows that something is gone.
#[tokio::test]
async fn a_running_server_anchors_its_logs() -> Fallible<()> {
    let folder = Folder::new("anchor");
    let anchor = folder.0.join("anchor.json");
    let file = anchor.display().to_string();
    let anchored = [&LIMITS[..], &["--anchor", &file]].concat();
    let mut server = Server::start(&program(), &folder.store(), &anchored)?;
    let (player, table) = seated(&server).await?;
    player.command(&table, "bet", &put(0, "field", 100)).await?.ok()?;
    assert!(server.stop()?);
    let against = || {
        let mut verify = std::process::Command::new(program());
        let ran = verify.arg("verify").arg(folder.store()).args(["--anchor", &file]).output();
        let ran = ran.unwrap();
        (ran.status.code(), String::from_utf8(ran.stdout).unwrap())
    };
    assert_eq!(against().0, Some(0), "{}", against().1);
    let written = std::fs::read_to_string(&anchor)?;
    assert!(written.contains(&format!("table/{table}")) && written.contains("seal"), "{written}");
    // Somebody cuts the log, and takes away what was kept beside it.
    let pool = sqlx::SqlitePool::connect(&format!("sqlite:{}", folder.store().display())).await?;
    for sql in [
        format!("DELETE FROM record WHERE stream = 'table/{table}' AND seq > 3"),
        "DELETE FROM snapshot".to_owned(),
        "DELETE FROM day".to_owned(),
    ] {
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&pool).await?;
    }
    pool.close().await;
    let mut server = Server::start(&program(), &folder.store(), &anchored)?;
    let ready = async || Client::anyone(&server.address).get("/readyz").await;
    let mut said = String::new();
    for _ in 0..200 {
        said = ready().await?.text;
        if said.contains("the anchor has seen it") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(said.contains(&format!("damaged table/{table}")), "{said}");
    assert!(server.stop()?);
    assert_eq!(std::fs::read_to_string(&anchor)?, written, "the proof is still there");
    assert_eq!(against().0, Some(1));
    Ok(())
}

#[test]
fn a_store_is_served_once() -> Fallible<()> {
    let folder = Folder::new("twice");
    let link = folder.0.join("link.db");
    std::os::unix::fs::symlink(folder.store(), &link)?;
    let mut server = Server::start(&program(), &link, &LIMITS)?;
    for path in [folder.store(), link] {
        let second = std::process::Command::new(program())
            .args(["serve", "--listen", "127.0.0.1:0", "--store"])
            .arg(path)
            .output()?;
        assert_eq!(second.status.code(), Some(2));
        let said = String::from_utf8(second.stderr)?;
        assert!(said.contains("another server uses it"), "{said}");
    }
    server.kill();
    // A server that was killed keeps nobody out.
    assert!(Server::start(&program(), &folder.store(), &LIMITS)?.stop()?);
    Ok(())
}

#[test]
fn a_port_that_is_taken_and_a_store_that_is_none_are_said() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let folder = Folder::new("misuse");
    let serve = |args: &[&str]| {
        let serve = std::process::Command::new(program()).arg("serve").args(args).output().unwrap();
        (serve.status.code(), String::from_utf8(serve.stderr).unwrap())
    };
    let address = taken.local_addr().unwrap().to_string();
    let store = format!("sqlite:{}", folder.store().display());
    let (code, said) = serve(&["--listen", &address, "--store", &store]);
    assert_eq!(code, Some(2));
    assert!(said.contains("choose another with --listen"), "{said}");
    let (code, said) = serve(&["--store", "mysql://localhost/boxman"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("expected sqlite:FILE or postgres://"), "{said}");
    let (code, said) = serve(&["--listen", "127.0.0.1:0", "--store", "sqlite:/nowhere/at/all.db"]);
    assert_eq!(code, Some(2));
    assert!(said.contains("the store cannot be used"), "{said}");
}
