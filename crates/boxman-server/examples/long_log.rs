//! How long a table with a long log takes to open: it is played for so many records in this
//! process, closed, and opened again, once after a good end and once as after a crash.

#![expect(clippy::print_stdout, reason = "a program that reports prints")]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use boxman_server::testing::access::Person;
use boxman_server::testing::ask::{Ask, Command};
use boxman_server::testing::config::TableConfig;
use boxman_server::testing::history::Histories;
use boxman_server::testing::house::House;
use boxman_server::testing::id::TableId;
use boxman_server::testing::log::Stream;
use boxman_server::testing::role::Role;
use boxman_server::testing::room::{Asked, Reply, RoomHandle, Visit};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Sqlite, Store, check_chain};
use craps::{Cents, Library};

type Fallible<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// So many commands are under way at once.
const UNDER_WAY: u64 = 500;

fn main() -> Fallible<()> {
    let records = std::env::args().nth(1).map_or(Ok(1_000_000), |text| text.parse::<u64>())?;
    let folder = std::env::temp_dir().join(format!("boxman-long-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("long.db");
    let runtime = tokio::runtime::Runtime::new()?;
    let done = runtime.block_on(run(&file, records));
    std::fs::remove_dir_all(&folder)?;
    done
}

async fn open(file: &Path) -> Fallible<(Arc<dyn Store>, Arc<House>)> {
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(file).await?);
    let house = House::open(Arc::clone(&store), Shelf::new(Library::embedded())).await?;
    Ok((store, house))
}

async fn run(file: &Path, records: u64) -> Fallible<()> {
    let (_, house) = open(file).await?;
    let boss = person("boss", Role::Supervisor);
    let room = house.open_table(&boss, TableConfig::practice()).await?;
    let table = room.table;
    let started = Instant::now();
    let written = play(&room, records).await?;
    println!("{written} records written in {:.1?}", started.elapsed());
    // As after a crash: nobody keeps a last snapshot.
    drop((room, house));

    opened(file, table, "after a crash").await?;
    let store = opened(file, table, "after a good end").await?;
    let started = Instant::now();
    let broken = check_chain(&*store, &Stream::Table(table)).await?;
    println!("the whole chain checked in {:.1?}: {broken:?}", started.elapsed());
    store.close().await;
    look_back(file, table, records).await
}

/// The first look reads the whole log; what comes after is near a state on the way.
async fn look_back(file: &Path, table: TableId, records: u64) -> Fallible<()> {
    let (_, house) = open(file).await?;
    let histories = Histories::default();
    for (what, after) in [("first look", 1), ("page in the middle", records / 2), ("end", records)]
    {
        let started = Instant::now();
        let page = histories.history(&house, table, after, 200, None).await?;
        let (found, took) = (page.updates.len(), started.elapsed());
        println!("looking back, {what}: {found} updates in {took:.0?}");
    }
    house.close().await;
    Ok(())
}

async fn opened(file: &Path, table: TableId, when: &str) -> Fallible<Arc<dyn Store>> {
    let started = Instant::now();
    let (_, house) = open(file).await?;
    let room = house.room(table).await?;
    let seq = room.query(Visit::Look).await?.seq;
    println!("opened {when} at record {seq} in {:.0?}", started.elapsed());
    house.close().await;
    Ok(Arc::new(Sqlite::open(file).await?))
}

fn person(name: &str, role: Role) -> Person {
    Person { id: name.to_owned(), name: name.to_owned(), roles: vec![role] }
}

/// One player puts a bet down and takes it up again, many times.
async fn play(room: &RoomHandle, records: u64) -> Fallible<u64> {
    let ann = Arc::new(person("guest-ann", Role::Guest));
    let ask = |number: u64, command: Command| {
        let (reply, answer) = Reply::once();
        let ask = Ask::new(number.to_string(), command);
        let sent = room.ask(Asked { who: Arc::clone(&ann), ask, roll: None, reply });
        sent.map(|()| answer).map_err(|_| "the room is swamped")
    };
    ask(1, Command::Sit { seat: Some(0), name: None })?.await??;
    ask(2, Command::buy_in(0, Cents::dollars(1_000)))?.await??;
    let mut number = 2;
    let mut last = 0;
    while number < records {
        let mut answers = Vec::new();
        for _ in 0..UNDER_WAY {
            number += 1;
            let wager = "field".to_owned();
            answers.push(ask(
                number,
                match number % 2 {
                    1 => Command::Put { seat: 0, wager, amount: Cents(100) },
                    _ => Command::Take { seat: 0, wager, amount: None },
                },
            )?);
        }
        for answer in answers {
            last = answer.await??;
        }
    }
    Ok(last)
}
