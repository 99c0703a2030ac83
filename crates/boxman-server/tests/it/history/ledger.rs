//! The ledger of a seat: it adds up to the rack, and is read by whom it is for.

use std::sync::Arc;

use boxman_client::{Client, Value, json};
use boxman_server::testing::access::Person;
use boxman_server::testing::ask::{Ask, Command};
use boxman_server::testing::config::TableConfig;
use boxman_server::testing::history::{Asked as Wanted, Histories};
use boxman_server::testing::house::House;
use boxman_server::testing::id::TableId;
use boxman_server::testing::role::Role;
use boxman_server::testing::room::{Asked, Reply};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::Sqlite;
use craps::{Cents, Library, Seat};

use super::*;
use crate::live::{Folder, Live, does, put};

/// Adds up a ledger and gives the rack it leads to.
fn add_up(movements: &[Value]) -> i64 {
    let mut rack = 0;
    for movement in movements {
        rack += movement["amount"].as_i64().unwrap();
        assert_eq!(movement["rack"], rack, "{movement}");
    }
    rack
}

#[tokio::test]
async fn a_ledger_adds_up_to_the_rack() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    random_session(&live, &table, 500).await;
    let guest = live.guest("Nosy").await;
    let view = live.view(&table).await;
    let mut kinds = std::collections::BTreeSet::new();
    for seat in 0..4 {
        let seats = view["seats"].as_array().unwrap();
        let seated = seats.iter().find(|found| found["seat"] == seat);
        let rack = seated.map_or(0, |found| found["rack"].as_i64().unwrap());
        let mut movements: Vec<Value> = Vec::new();
        let mut after = Some(0);
        while let Some(from) = after {
            let page = ledger(&guest, &table, &format!("seat={seat}&after={from}&limit=37")).await;
            movements.extend(page["movements"].as_array().unwrap().iter().cloned());
            after = page["next"].as_u64();
        }
        assert_eq!(add_up(&movements), rack, "seat {seat}");
        kinds.extend(movements.iter().map(|one| one["what"].as_str().unwrap().to_owned()));
        let path = format!("/api/tables/{table}/ledger?seat={seat}&format=csv");
        let csv = guest.get(&path).await.unwrap();
        assert!(csv.head.contains("attachment; filename="), "{}", csv.head);
        assert_eq!(csv.text.lines().count(), movements.len() + 1);
        // One kind is a part of all.
        let named: Vec<&str> =
            csv.text.lines().skip(1).map(|line| line.split(',').nth(4).unwrap()).collect();
        let whats: Vec<&str> = movements.iter().map(|one| one["what"].as_str().unwrap()).collect();
        assert_eq!(named, whats, "seat {seat}");
        let wins = ledger(&guest, &table, &format!("seat={seat}&kind=win&limit=500")).await;
        let won = movements.iter().filter(|one| one["what"] == "win").count();
        assert_eq!(wins["movements"].as_array().unwrap().len(), won);
    }
    for kind in ["bought-in", "cashed-out", "put", "took", "win", "lose", "travel", "commission"] {
        assert!(kinds.contains(kind), "{kind} is not among {kinds:?}");
    }
    live.stop().await;
}

fn person(id: &str, role: Role) -> Person {
    Person { id: id.to_owned(), name: id.to_owned(), roles: vec![role] }
}

/// A guest in seat 0 who puts a bet down and takes it up again, for so many records.
async fn long_log(house: &Arc<House>, records: u64) -> TableId {
    let room = house.open_table(&person("boss", Role::Supervisor), TableConfig::practice()).await;
    let room = room.unwrap();
    let ann = Arc::new(person("guest-ann", Role::Guest));
    let ask = |number: u64, command: Command| {
        let (reply, answer) = Reply::once();
        let ask = Ask::new(number.to_string(), command);
        assert!(
            room.ask(Asked { who: Arc::clone(&ann), ask, roll: None, reply }).is_ok(),
            "record {number}"
        );
        answer
    };
    ask(0, Command::Sit { seat: Some(0), name: None }).await.unwrap().unwrap();
    let buy = Command::buy_in(0, Cents::dollars(10));
    let mut last = ask(1, buy).await.unwrap().unwrap();
    while last < records {
        let answers: Vec<_> = (last..records.min(last + 500))
            .map(|number| {
                let wager = "field".to_owned();
                ask(
                    number,
                    match (number - last) % 2 {
                        0 => Command::Put { seat: 0, wager, amount: Cents(500) },
                        _ => Command::Take { seat: 0, wager, amount: None },
                    },
                )
            })
            .collect();
        for answer in answers {
            last = answer.await.unwrap().unwrap();
        }
    }
    assert_eq!(last, records);
    room.table
}

#[tokio::test]
async fn a_long_ledger_is_read_in_stretches_and_taken_away_whole_or_not_at_all() {
    const RECORDS: u64 = 20_503;
    let folder = Folder::new();
    let store = Arc::new(Sqlite::open(&folder.store()).await.unwrap());
    let house = House::open(store, Shelf::new(Library::embedded())).await.unwrap();
    let table = long_log(&house, RECORDS).await;
    let histories = Histories::default();
    let asked = |seat: u8, limit: usize| Wanted {
        seat: Seat(seat),
        limit,
        until: None,
        kind: None,
        person: None,
    };
    // Nothing ever moved in seat 5, and one answer does not read on for ever to find that out.
    let page = histories.ledger(&house, table, 0, asked(5, 200)).await.unwrap();
    assert_eq!((page.movements.len(), page.next, page.head), (0, Some(20_001), RECORDS));
    let page = histories.ledger(&house, table, 20_001, asked(5, 200)).await.unwrap();
    assert_eq!((page.movements.len(), page.next), (0, None));
    let whole = histories.whole_ledger(&house, table, 0, asked(5, 10)).await.unwrap();
    assert_eq!((whole.movements.len(), whole.next), (0, None));
    // All records but the first three, the opening, the dice and a seat, moved chips in seat 0.
    let whole = histories.whole_ledger(&house, table, 0, asked(0, 20_500)).await.unwrap();
    assert_eq!((whole.movements.len(), whole.next), (20_500, None));
    assert!(whole.movements.is_sorted_by(|one, other| one.seq < other.seq));
    let refused = histories.whole_ledger(&house, table, 0, asked(0, 20_499)).await.unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (422, "too-long"));
    let until = RECORDS - 1;
    assert!(refused.detail.contains(&format!("until={until}")), "{refused}");
    let part = Wanted { until: Some(until), ..asked(0, 20_499) };
    assert_eq!(
        histories.whole_ledger(&house, table, 0, part).await.unwrap().movements.len(),
        20_499
    );
    let rest = histories.whole_ledger(&house, table, until, asked(0, 20_499)).await.unwrap();
    assert_eq!(rest.movements.len(), 1);
    house.close().await;
}

#[tokio::test]
async fn a_void_and_a_jackpot_are_in_the_ledger() {
    let dealt = Dealt::open().await;
    let table = dealt.table.clone();
    does(&dealt.ann, &table, put(0, "pass", 1000)).await;
    does(&dealt.ann, &table, put(0, "fired-up", 100)).await;
    dealt.throw("5-6").await;
    dealt.agree(json!({ "command": "void", "reason": "off the table" })).await;
    for dice in ["4-4", "4-5", "5-5", "5-6", "6-6"] {
        dealt.throw(dice).await;
    }
    let mut found = Vec::new();
    for _ in 0..200 {
        let page = ledger(&dealt.ann, &table, "seat=0").await;
        found = page["movements"].as_array().unwrap().clone();
        if found.last().unwrap()["what"] == "claim-paid" {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let told: Vec<(&str, i64)> = found
        .iter()
        .map(|one| (one["what"].as_str().unwrap(), one["amount"].as_i64().unwrap()))
        .collect();
    let expected = [
        ("bought-in", 100_000),
        ("put", -1000),
        ("put", -100),
        ("win", 2000),
        ("lose", 0),
        ("void", -2000),
        ("win", 0),
        ("claim-paid", 100_000),
    ];
    assert_eq!(told, expected);
    add_up(&found);
    dealt.live.stop().await;
}

#[tokio::test]
async fn players_read_their_own_ledger_and_the_crew_all() {
    let dealt = Dealt::open().await;
    let table = dealt.table.clone();
    let auditor = dealt.live.account(&dealt.boss, "aud", &["auditor"]).await;
    let count = async |client: &Client, seat: u8| {
        let page = ledger(client, &table, &format!("seat={seat}")).await;
        page["movements"].as_array().unwrap().len()
    };
    for crew in [&dealt.dealer, &dealt.boss, &auditor] {
        assert_eq!((count(crew, 0).await, count(crew, 1).await), (1, 1));
    }
    assert_eq!((count(&dealt.ann, 0).await, count(&dealt.ann, 1).await), (1, 0));
    // The next one in the seat does not see what the one before did, nor the other way round.
    does(&dealt.ann, &table, json!({ "command": "leave", "seat": 0 })).await;
    does(&dealt.bob, &table, json!({ "command": "sit", "seat": 0 })).await;
    assert_eq!((count(&dealt.ann, 0).await, count(&dealt.bob, 0).await), (2, 0));
    let guest = dealt.live.guest("Nosy").await;
    let refused = guest.get(&format!("/api/tables/{table}/ledger?seat=0")).await.unwrap();
    assert_eq!((refused.status, refused.code()), (403, "forbidden"));
    // What everybody could see is for everybody.
    assert_eq!(history(&dealt.live, &table, 0, 1).await["table"]["id"], table.as_str());
    let verify = guest.get(&format!("/api/tables/{table}/verify")).await.unwrap();
    assert_eq!(verify.status, 403);
    let practice = dealt.live.practice().await;
    let sound = guest.get(&format!("/api/tables/{practice}/verify")).await.unwrap().ok().unwrap();
    assert_eq!(sound["ok"], true);
    dealt.live.stop().await;
}
