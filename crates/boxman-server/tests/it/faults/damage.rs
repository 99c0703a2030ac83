//! Logs that turn out not to be what was written, after the doors have opened: who suffers from it
//! says so, and nobody else does.

use boxman_client::Client;
use boxman_server::testing::id::MeterId;
use boxman_server::testing::log::MeterProposal;
use boxman_server::testing::meters::MeterMessage;

use super::snapshots::{played, run};
use super::*;
use crate::live::Live;

/// The statement that changes one record. What follows it still fits to what is kept.
fn spoil(stream: &Stream, seq: u64) -> String {
    let at = format!("stream = '{stream}' AND seq = {seq}");
    format!("UPDATE record SET body = replace(body, '\"v\":1', '\"v\": 1') WHERE {at}")
}

/// Somebody sits down beside the player, and bets on the meter.
async fn bet_beside(room: &RoomHandle) {
    ask(room, Command::Sit { seat: Some(1), name: None }).await.unwrap();
    ask(room, Command::buy_in(1, Cents::dollars(100))).await.unwrap();
    let bet = Command::Put { seat: 1, wager: "fired-up".into(), amount: Cents(100) };
    ask(room, bet).await.unwrap();
}

#[tokio::test]
async fn a_damaged_meter_answers_no_claim_and_its_tables_play_on() {
    // Once it is opened from its snapshot and found out by walking its log; once it does not open.
    for kept in [true, false] {
        let folder = Folder::new();
        let (table, ..) = played(&folder).await;
        let id = MeterId::local(table, "PT-BJS-FUP-01");
        let stream = Stream::Meter(id.clone());
        let mut statements = vec![spoil(&stream, 2)];
        if !kept {
            statements.push("DELETE FROM snapshot".to_owned());
        }
        run(&folder, &statements).await;
        let store = Faulty::open(&folder).await;
        let house = house(&store).await;
        let room = house.room(table).await.unwrap();
        assert!(!Arc::clone(&house).look_through().await, "not every log is whole");
        let damaged: Vec<Stream> = house.damaged().into_iter().map(|(stream, _)| stream).collect();
        assert_eq!(damaged, std::slice::from_ref(&stream));
        let mut meter = house.open_meter(&id).await.unwrap();
        let shown = meter.view.wait_for(|view| view.damaged).await.unwrap().clone();
        assert_eq!(shown.amount, Cents::ZERO);
        let view = room.query(Visit::Look).await.unwrap();
        let shown = view.meters.iter().find(|meter| meter.meter == id.as_str()).unwrap();
        assert!(shown.damaged, "the table says so");
        // What is bet on it is kept for it, and nothing is made of it.
        bet_beside(&room).await;
        let written = store.head(&stream).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        let (state, _) = inspect(&room).await;
        assert!(state.outbox.iter().any(|letter| letter.meter == id), "it waits to be heard");
        assert_eq!(store.head(&stream).await.unwrap(), written);
        let who = Arc::new(boss());
        let proposal = MeterProposal::Close { reason: "it is broken".to_owned(), players: None };
        let asked = meter.ask(|reply| MeterMessage::Propose { who, proposal, reply }).await;
        assert_eq!(asked.unwrap().unwrap_err().code, "meter-damaged");
        // Another table cannot be linked to it.
        let mut config = TableConfig { practice: false, ..TableConfig::practice() };
        config.meters.insert("PT-BJS-FUP-01".to_owned(), id);
        let problem = house.open_table(&boss(), config).await.err().expect("it is refused");
        assert_eq!(problem.code, "meter-damaged", "{}", problem.detail);
        house.close().await;
    }
}

#[tokio::test]
async fn a_table_is_not_closed_over_a_meter_that_cannot_be_asked() {
    let folder = Folder::new();
    let store = Faulty::open(&folder).await;
    let first = house(&store).await;
    let config = TableConfig { practice: false, ..TableConfig::practice() };
    let table = first.open_table(&boss(), config).await.unwrap().table;
    first.close().await;
    let id = MeterId::local(table, "PT-BJS-FUP-01");
    let stream = Stream::Meter(id.clone());
    run(&folder, &[spoil(&stream, 1), "DELETE FROM snapshot".to_owned()]).await;
    let store = Faulty::open(&folder).await;
    let house = house(&store).await;
    let room = house.room(table).await.unwrap();
    let (reply, answer) = Reply::once();
    let close = Command::Close { reason: Some("the game moves".to_owned()) };
    let ask = Ask::new(fresh_id(), close);
    assert!(room.ask(Asked { who: Arc::new(boss()), ask, roll: None, reply }).is_ok());
    let problem = answer.await.unwrap().unwrap_err();
    assert_eq!(problem.code, "not-empty", "{}", problem.detail);
    let remains = problem.remains.expect("it says what remains");
    assert_eq!(remains.len(), 1, "{}", problem.detail);
    assert!(remains[0].what.starts_with(&format!("meter {id}")), "{}", problem.detail);
    house.close().await;
}

#[tokio::test]
async fn whatever_is_damaged_is_listed_and_does_not_look_as_if_it_ran() {
    let folder = Folder::new();
    let (table, ..) = played(&folder).await;
    let stream = Stream::Table(table);
    run(&folder, &[spoil(&stream, 4), spoil(&Stream::House, 1)]).await;
    let server = Live::start(&folder.store()).await;
    let anyone = Client::anyone(&server.address);
    let ready = async || anyone.get("/readyz").await.unwrap();
    let mut said = String::new();
    for _ in 0..200 {
        said = ready().await.text;
        if said.contains("damaged table/") && said.contains("damaged house") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let seen = format!("damaged table/{table}: record 4 of {stream} is not what was written");
    assert!(said.contains(&seen), "{said}");
    assert!(said.contains("damaged house: record 1 of house is not what was written"), "{said}");
    assert_eq!(ready().await.status, 200);
    let lines = anyone.get("/api/tables").await.unwrap().ok().unwrap();
    let id = table.to_string();
    let line = lines.as_array().unwrap().iter().find(|line| line["id"] == id.as_str()).unwrap();
    assert_eq!(line["status"], "damaged");
    let view = anyone.get(&format!("/api/tables/{table}")).await.unwrap();
    assert_eq!((view.status, view.code()), (503, "table-damaged"));
    let socket = anyone.socket(&id, None).await.err().expect("nobody is shown it");
    assert!(socket.to_string().contains("503"), "{socket}");
    // Its log can still be read by whoever may read every log.
    let boss = server.boss().await;
    let verdict = boss.get(&format!("/api/tables/{table}/verify")).await.unwrap().ok().unwrap();
    assert_eq!(verdict["ok"], false, "{verdict}");
    let guest = server.guest("Ann").await;
    assert_eq!(guest.get(&format!("/api/tables/{table}/export")).await.unwrap().status, 403);
    // Play money that nobody vouches for is not in a report of real money.
    let report = boss.get("/api/reports").await.unwrap().ok().unwrap();
    assert_eq!(report["days"].as_array().map(Vec::len), Some(0), "{report}");
    assert_eq!(report["left_out"][0]["table"], id.as_str(), "{report}");
    server.stop().await;
}

#[tokio::test]
async fn a_house_in_which_everything_is_whole_may_say_so() {
    let folder = Folder::new();
    played(&folder).await;
    let store = Faulty::open(&folder).await;
    let house = house(&store).await;
    assert!(Arc::clone(&house).look_through().await);
    assert_eq!(house.damaged(), []);
    house.close().await;
}

/// Logs that are gone altogether are not begun anew, as if there had never been any.
#[tokio::test]
async fn a_log_that_is_gone_is_missed() {
    let folder = Folder::new();
    let (table, ..) = played(&folder).await;
    let meter = MeterId::local(table, "PT-BJS-FUP-01");
    let gone = |stream: &Stream| {
        ["record", "snapshot", "day"]
            .map(|place| format!("DELETE FROM {place} WHERE stream = '{stream}'"))
            .to_vec()
    };
    run(&folder, &gone(&Stream::Meter(meter.clone()))).await;
    let store = Faulty::open(&folder).await;
    let house = house(&store).await;
    let damaged = |house: &House| {
        house.damaged().into_iter().map(|(stream, _)| stream).collect::<Vec<Stream>>()
    };
    assert_eq!(damaged(&house), [Stream::Meter(meter.clone())]);
    let room = house.room(table).await.unwrap();
    let view = room.query(Visit::Look).await.unwrap();
    assert!(view.meters.iter().any(|shown| shown.meter == meter.as_str() && shown.damaged));
    assert_eq!(store.head(&Stream::Meter(meter.clone())).await.unwrap(), Head::default());
    house.close().await;
    run(&folder, &gone(&Stream::Table(table))).await;
    let server = Live::start(&folder.store()).await;
    let anyone = Client::anyone(&server.address);
    let lines = anyone.get("/api/tables").await.unwrap().ok().unwrap();
    let id = table.to_string();
    let line = lines.as_array().unwrap().iter().find(|line| line["id"] == id.as_str()).unwrap();
    assert_eq!(line["status"], "damaged");
    assert_eq!(anyone.get(&format!("/api/tables/{table}")).await.unwrap().code(), "table-damaged");
    server.stop().await;
    run(&folder, &gone(&Stream::House)).await;
    let store = Faulty::open(&folder).await;
    let house = super::house(&store).await;
    assert!(damaged(&house).contains(&Stream::House), "{:?}", house.damaged());
    house.close().await;
}
