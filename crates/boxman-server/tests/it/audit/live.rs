//! A house that is open while it is audited, and a meter that two tables share.

use std::sync::Arc;

use boxman_server::audit::{Export, Options, Source, export, import, tape, verify};
use boxman_server::testing::access::Person;
use boxman_server::testing::ask::Command;
use boxman_server::testing::config::{DiceMode, TableConfig};
use boxman_server::testing::hash::Hash;
use boxman_server::testing::house::House;
use boxman_server::testing::id::MeterId;
use boxman_server::testing::log::{MeterProposal, Stream};
use boxman_server::testing::meters::MeterMessage;
use boxman_server::testing::role::Role;
use boxman_server::testing::room::{RoomHandle, Visit};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Sqlite, Store};
use craps::{Cents, Library, MeterTerms};

use super::pit::{Folder, ask, calm, config, names, person, sent, verified};

async fn open(folder: &Folder) -> Arc<House> {
    let store = Arc::new(Sqlite::open(&folder.file("boxman.db")).await.unwrap());
    House::open(store, Shelf::new(Library::embedded())).await.unwrap()
}

/// Whatever moment an audit begins at, an honest house passes it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_audit_may_run_while_people_play() {
    let folder = Folder::new();
    let house = open(&folder).await;
    let guest = person("guest-1", Role::Guest);
    let room = house.open_table(&guest, config(DiceMode::House)).await.unwrap();
    let playing = tokio::spawn(play(room.clone(), Arc::clone(&guest)));
    let mut audits = 0;
    while !playing.is_finished() {
        let source = Source::Store(&*house.store);
        let verdict = sent(verify(source, &Options::default(), &mut |_, _| {})).await.unwrap();
        assert!(verdict.ok, "{}", verdict.summary());
        let mut text = Vec::new();
        sent(export(&*house.store, room.table, &mut text)).await.unwrap();
        let taken = Export::of(text).unwrap();
        let source = Source::Export(&taken);
        let verdict = verify(source, &Options::default(), &mut |_, _| {}).await.unwrap();
        assert!(verdict.ok, "{}", verdict.summary());
        audits += 1;
    }
    playing.await.unwrap();
    assert!(audits > 1);
    house.close().await;
}

async fn play(room: RoomHandle, guest: Arc<Person>) {
    ask(&room, &guest, Command::Sit { seat: None, name: None }).await.unwrap();
    let chips = Command::buy_in(0, Cents::dollars(90_000));
    ask(&room, &guest, chips).await.unwrap();
    for throw in 0..150_u8 {
        for wager in ["pass", "fired-up", "make-em-all-progressive", "field"] {
            let (wager, amount) = (wager.to_owned(), Cents::dollars(5));
            let amount = if wager.contains('-') { Cents::dollars(1) } else { amount };
            let _ = ask(&room, &guest, Command::Put { seat: 0, wager, amount }).await;
        }
        let shooter_bytes = format!("{throw:02x}").repeat(32);
        ask(&room, &guest, Command::Roll { shooter_bytes, commitment: None }).await.unwrap();
    }
    calm(&room).await;
}

fn linked() -> TableConfig {
    let mut config = config(DiceMode::Dealer);
    config.meters.insert("PT-BJS-FUP-01".to_owned(), "fire".parse::<MeterId>().unwrap());
    config
}

/// Two people give a meter other terms, which its next reset brings.
async fn other_terms(house: &House) {
    let meter = house.open_meter(&"fire".parse().unwrap()).await.unwrap();
    let state = meter.ask(MeterMessage::Look).await.unwrap();
    let terms = MeterTerms { seed: Cents::dollars(2000), ..*state.meter.terms() };
    let proposal = MeterProposal::SetTerms { terms, reason: "a better sign".to_owned() };
    let (who, other) = (person("sue", Role::Supervisor), person("sam", Role::Supervisor));
    let asked = meter.ask(|reply| MeterMessage::Propose { who, proposal, reply }).await;
    let proposal = asked.unwrap().unwrap();
    let agreed = meter.ask(|reply| MeterMessage::Approve { who: other, proposal, reply }).await;
    agreed.unwrap().unwrap();
}

/// A hand with the upward sequence; the jackpot is won where `win` says so.
async fn hand(room: &RoomHandle, win: bool) {
    let dan = person("dan", Role::Dealer);
    let must = async |command: Command| ask(room, &dan, command).await.unwrap();
    must(Command::Sit { seat: Some(0), name: Some("Ann".to_owned()) }).await;
    must(Command::buy_in(0, Cents::dollars(100))).await;
    for (wager, dollars) in [("pass", 10), ("fired-up", 1)] {
        let (wager, amount) = (wager.to_owned(), Cents::dollars(dollars));
        must(Command::Put { seat: 0, wager, amount }).await;
    }
    for dice in if win { vec!["4-4", "4-5", "4-6", "5-6", "6-6", "3-4"] } else { vec!["4-4"] } {
        must(Command::CloseBetting {}).await;
        must(Command::KeyRoll { dice: dice.parse().unwrap() }).await;
        calm(room).await;
    }
}

#[tokio::test]
async fn a_shared_meter_is_followed_from_table_to_table() {
    let folder = Folder::new();
    let house = open(&folder).await;
    let sue = person("sue", Role::Supervisor);
    let one = house.open_table(&sue, linked()).await.unwrap();
    let two = house.open_table(&sue, linked()).await.unwrap();
    hand(&two, false).await;
    other_terms(&house).await;
    hand(&one, true).await;
    for _ in 0..200 {
        let (state, _) = one.query(Visit::Inspect).await.unwrap();
        if state.config().options["fired-up.meter.seed"] == "2000.00" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    house.close().await;
    let path = folder.file("boxman.db");
    let verdict = verified(&path, &Options::default()).await;
    assert!(verdict.ok && verdict.notes.is_empty(), "{}", verdict.summary());
    assert_eq!((verdict.tables, verdict.meters, verdict.jackpots), (2, 3, 1));
    // One of the tables alone: what the other told the meter is not here, and that is said.
    let store = Sqlite::read(&path).await.unwrap();
    let mut text = Vec::new();
    export(&store, one.table, &mut text).await.unwrap();
    let marked = String::from_utf8(text.clone()).unwrap();
    assert!(marked.lines().any(|line| line.contains("meter/fire") && line.contains("\"shared\"")));
    let refused =
        sent(tape(Source::Store(&store), one.table, &Library::embedded())).await.unwrap_err();
    assert!(refused.to_string().contains("shared with other tables"), "{refused}");
    let export = Export::of(text).unwrap();
    let verdict = verify(Source::Export(&export), &Options::default(), &mut |_, _| {}).await;
    let verdict = verdict.unwrap();
    assert!(verdict.ok && !verdict.notes.is_empty(), "{}", verdict.summary());
    let other = Sqlite::open(&folder.file("other.db")).await.unwrap();
    sent(import(&other, &export, "ada")).await.unwrap();
    other.close().await;
    let verdict = verified(&folder.file("other.db"), &Options::default()).await;
    assert!(verdict.ok && !verdict.notes.is_empty(), "{}", verdict.summary());
    // Terms that no meter ever had, taken over as if one had.
    let stream = Stream::Table(one.table);
    let records = store.records(&stream, 0, 1000).await.unwrap();
    let queued = records.iter().find(|record| record.body.contains("\"what\":{\"queued\""));
    let seq = queued.unwrap().seq;
    store.close().await;
    let pit = super::pit::Pit { folder, path, dealer: one.table, practice: two.table };
    let seed = "meter.seed\":\"2000.00\"";
    let dear = |body: &str| body.replacen(seed, "meter.seed\":\"3000.00\"", 1);
    let copy = pit.forged(&stream, seq, dear).await;
    names(&verified(&copy, &Options::default()).await, &stream, seq, "compile to");
    let copy = pit.forged(&stream, seq, |body| compiled(&dear(body))).await;
    let verdict = verified(&copy, &Options::default()).await;
    let never = "has never run on these terms";
    let found = verdict.problems.iter().find(|finding| finding.reason.contains(never));
    assert_eq!(found.map(|finding| finding.seq), Some(seq), "{}", verdict.summary());
    let fewer = |body: &str| body.replacen("\"seats\":16", "\"seats\":15", 1);
    let copy = pit.forged(&stream, seq, fewer).await;
    names(&verified(&copy, &Options::default()).await, &stream, seq, "without two people");
}

/// The record with the hash its configuration compiles to.
fn compiled(body: &str) -> String {
    let mut entry: serde_json::Value = serde_json::from_str(body).unwrap();
    let queued = &mut entry["what"]["queued"]["queued"];
    let config: TableConfig = serde_json::from_value(queued["config"].clone()).unwrap();
    let rules = config.compile(&Library::embedded()).unwrap();
    queued["rules"] = Hash(rules.hash).to_string().into();
    entry.to_string()
}
