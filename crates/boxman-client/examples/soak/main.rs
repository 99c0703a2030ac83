//! A soak: a house with everybody in it, for an hour, on this machine's loopback only.
//!
//! `cargo xtask soak [MINUTES] [SEED]` builds the program and runs this against it. People of
//! every role ask for everything at random, tables are opened, configured and closed, meters are
//! changed, jackpots hit, guests come and go; there are idle sockets, half-sent requests, junk
//! and a flood of hostile sockets; and the server is killed and restarted. The soak knows what
//! must come of it:
//!
//! - `acks`: what was acknowledged is in the log, once, after every restart and at the end;
//! - `books`: every ledger adds up to its rack, every posting to nothing;
//! - `follow`: updates have no gap, and come to what the server shows;
//! - `drill`, `pulse`: what cannot be refused is not, and comes to what was foretold;
//! - `crews`: two consoles of a table book each throw once, and chips that are moved by the work
//!   lists end where the ledger has them;
//! - `report`: how long a bet takes, quiet and attacked, and whether memory stays level.
//!
//! A run has three parts: restless, with a kill or a restart every few seconds; steady, where the
//! same server runs on and is measured; and restless again. The same seed makes the same choices;
//! when each is made depends on the machine.

#![expect(clippy::print_stdout, reason = "a program that reports prints")]

mod acks;
mod attack;
mod books;
mod commands;
mod configs;
mod crews;
mod crowd;
mod drill;
mod floor;
mod follow;
mod house;
mod keeper;
mod offers;
mod people;
mod pests;
mod pulse;
mod report;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use boxman_client::Fallible;

use crate::drill::Kind;
use crate::house::House;
use crate::keeper::Keeper;

/// People without an account who are there at a time.
const GUESTS: u8 = 5;
const ONLOOKERS: u8 = 3;
/// Crews that deal at tables of their own.
const CREWS: u64 = 2;

fn main() -> Fallible<()> {
    let usage = "usage: soak PROGRAM [MINUTES] [SEED]";
    let mut args = std::env::args().skip(1);
    let program: PathBuf = args.next().ok_or(usage)?.into();
    let minutes: u64 = args.next().map_or(Ok(60), |text| text.parse()).map_err(|_| usage)?;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs();
    let seed: u64 = args.next().map_or(Ok(now), |text| text.parse()).map_err(|_| usage)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let held = runtime.block_on(run(program, Duration::from_secs(minutes * 60), seed))?;
    std::process::exit(i32::from(!held));
}

async fn run(program: PathBuf, length: Duration, seed: u64) -> Fallible<bool> {
    let house = Arc::new(House::new(seed));
    let mut keeper = Keeper::open(Arc::clone(&house), program)?;
    println!("soaking for {} minutes, seed {seed}, on {}", length.as_secs() / 60, keeper.place());
    let people = keeper.hire().await?;
    let (table, guest) = pulse::open(&house).await?;
    let pulse = pulse::start(Arc::clone(&house), table.clone(), guest);
    let raiders = attack::start(Arc::clone(&house), table);
    let mut tasks = pests::start(&house);
    tasks.push(tokio::spawn(floor::manager(Arc::clone(&house))));
    tasks.push(tokio::spawn(floor::meters(Arc::clone(&house))));
    tasks.push(tokio::spawn(floor::clerk(Arc::clone(&house))));
    tasks.push(tokio::spawn(floor::reader(Arc::clone(&house))));
    tasks.push(tokio::spawn(books::cashier(Arc::clone(&house))));
    tasks.push(tokio::spawn(drill::drill(Arc::clone(&house), Kind::Crew)));
    if house.knows("open-betting") {
        for number in 1..=CREWS {
            tasks.push(tokio::spawn(crews::crew(Arc::clone(&house), number)));
        }
    }
    // One person is enough at a practice table since claims can be denied.
    if house.knows("deny-claim") {
        tasks.push(tokio::spawn(drill::drill(Arc::clone(&house), Kind::Alone)));
    }
    for (number, person) in people.into_iter().enumerate() {
        let apart = ["drill", "crew.", "checks"];
        if !apart.iter().any(|name| person.name.starts_with(name)) {
            tasks.push(tokio::spawn(crowd::member(Arc::clone(&house), person, number as u64)));
        }
    }
    for number in 1..=GUESTS {
        tasks.push(tokio::spawn(crowd::guests(Arc::clone(&house), number)));
    }
    for number in 1..=ONLOOKERS {
        tasks.push(tokio::spawn(crowd::onlooker(Arc::clone(&house), number)));
    }
    keeper.keep(length).await?;
    house.end();
    for task in tasks {
        task.await?;
    }
    let beats = tokio::task::block_in_place(|| pulse.join()).map_err(|_| "the pulse stopped")?;
    tokio::task::block_in_place(|| raiders.join()).map_err(|_| "the raiders stopped")?;
    let ending = keeper.close(beats).await?;
    Ok(report::print(&house, &ending))
}
