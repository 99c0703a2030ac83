//! How quickly the lobby answers where there are thousands of tables.
//!
//! `cargo xtask load lobby 10000` builds the program and runs this against it, on this machine's
//! loopback only: it opens so many tables and asks for the list again and again, for longer than
//! it takes to look at every table once more, while some of the tables are played at. With
//! `postgres` as the last argument two nodes share the tables, and both are asked.

#![expect(clippy::print_stdout, reason = "a program that reports prints")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use boxman_client::postgres::Postgres;
use boxman_client::{Client, Fallible, Server, Value, json};
use futures_util::stream::{self, StreamExt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// Opening thousands of tables needs other limits.
const LIMITS: [&str; 4] = ["--requests-per-second", "1000000", "--door-per-minute", "1000000"];
/// The list is asked for this often, and for so long.
const PACE: Duration = Duration::from_millis(100);
const ASKED: Duration = Duration::from_secs(40);
/// Nodes have evened out what they have by then.
const EVENED: Duration = Duration::from_secs(60);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Fallible<()> {
    let mut args = std::env::args().skip(1);
    let program: PathBuf = args.next().ok_or("usage: lobby PROGRAM [TABLES [STORE]]")?.into();
    let tables: usize = args.next().map_or(Ok(10_000), |text| text.parse())?;
    let kind = args.next().unwrap_or_else(|| "sqlite".to_owned());
    let folder = std::env::temp_dir().join(format!("boxman-lobby-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let measured = measure(&program, &folder, tables, &kind).await;
    std::fs::remove_dir_all(&folder)?;
    measured
}

async fn measure(program: &Path, folder: &Path, tables: usize, kind: &str) -> Fallible<()> {
    let postgres = (kind == "postgres").then(Postgres::start).transpose()?;
    let key = folder.join("lobby.key").display().to_string();
    let serve = |node: &str| match &postgres {
        Some(postgres) => {
            let more = [LIMITS.as_slice(), &["--key", &key, "--node", node]].concat();
            Server::start(program, Path::new(&postgres.url()), &more)
        }
        None => Server::start(program, &folder.join("lobby.db"), &LIMITS),
    };
    let first = serve("one")?;
    let link = first.link.clone().ok_or("the store is not new")?;
    let boss = Client::first(&first.address, &link, "boss", "a long password").await?;
    let begun = Instant::now();
    let ids = open(&boss, tables).await?;
    println!("{kind}: {tables} tables opened in {} s", begun.elapsed().as_secs());
    let mut clients = vec![boss.clone()];
    let second = postgres.is_some().then(|| serve("two")).transpose()?;
    if let Some(second) = &second {
        tokio::time::sleep(EVENED).await;
        clients.push(Client { address: second.address.clone(), ..boss.clone() });
    }
    for client in &clients {
        let (mut waits, size) = ask(client, &boss, &ids, tables).await?;
        waits.sort_unstable();
        let at = |hundredths: usize| waits[(waits.len() - 1) * hundredths / 100].as_micros();
        println!(
            "  {} lists of {} kB: p50 {} us, p99 {} us, longest {} us",
            waits.len(),
            size / 1_024,
            at(50),
            at(99),
            at(100)
        );
    }
    println!("  memory at most {} MB", first.peak_memory_mb().unwrap_or(0));
    Ok(())
}

async fn open(boss: &Client, tables: usize) -> Fallible<Vec<String>> {
    let one = async |place: usize| -> Fallible<String> {
        let config = json!({ "name": format!("Table {place}"), "practice": true });
        let view = boss.post("/api/tables", &config).await?.ok()?;
        Ok(view["id"].as_str().ok_or("no table")?.to_owned())
    };
    let opened: Vec<Fallible<String>> =
        stream::iter(0..tables).map(one).buffer_unordered(32).collect().await;
    opened.into_iter().collect()
}

/// The list, and how long it took to come, to its last byte; what a client makes of it is its own.
async fn list(client: &Client) -> Fallible<(String, Duration)> {
    let request = format!(
        "GET /api/tables HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        client.address
    );
    let sent = Instant::now();
    let mut stream = client.connect().await?;
    stream.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await?;
    let wait = sent.elapsed();
    let answer = String::from_utf8(answer)?;
    let (_, body) = answer.split_once("\r\n\r\n").ok_or("the answer has no end")?;
    Ok((body.to_owned(), wait))
}

/// Asks for the list at its times, and has somebody sit down somewhere in between. The first
/// answer, for which every table is looked at, is told by itself.
async fn ask(
    client: &Client,
    boss: &Client,
    ids: &[String],
    tables: usize,
) -> Fallible<(Vec<Duration>, usize)> {
    let (mut waits, mut size) = (Vec::new(), 0);
    let begun = Instant::now();
    let mut pace = tokio::time::interval(PACE);
    for number in 0_usize.. {
        pace.tick().await;
        if begun.elapsed() > ASKED {
            break;
        }
        let table = &ids[number * 7_919 % ids.len()];
        let sit = json!({ "command": "sit", "seat": 0, "name": "Ann" });
        boss.command(table, &format!("sit-{number}"), &sit).await?;
        let (answer, wait) = list(client).await?;
        let tables_listed: Value = serde_json::from_str(&answer)?;
        let listed = tables_listed.as_array().map_or(0, Vec::len);
        if listed < tables {
            return Err(format!("{listed} of {tables} tables are listed").into());
        }
        size = answer.len();
        match number {
            0 => println!("  {}: the first list after {} ms", client.address, wait.as_millis()),
            _ => waits.push(wait),
        }
    }
    Ok((waits, size))
}
