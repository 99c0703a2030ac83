//! What the next roll would do is what it does: asked before every roll of random play, and held
//! against what happened.

use boxman_client::{Client, Value, json};

use crate::chance::Lehmer;
use crate::live::{Folder, Live, ask, does, join, open, put, throw, until};

/// A table with real dice, side bets and a small meter.
fn config(practice: bool) -> Value {
    json!({
        "name": "What if",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
        "dice": "dealer",
        "practice": practice,
    })
}

/// Ten numbers, none of them twice.
const HOT: [&str; 10] = ["1-1", "1-2", "1-3", "1-4", "1-5", "2-6", "3-6", "4-6", "5-6", "6-6"];

async fn told(client: &Client, table: &str, seat: u8) -> Vec<Value> {
    let path = format!("/api/tables/{table}/if-it-rolls?seat={seat}");
    client.get(&path).await.unwrap().ok().unwrap().as_array().unwrap().clone()
}

fn cents(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// The seat's rack, what it has on the felt, and the two together.
fn chips(view: &Value, seat: u8) -> (i64, i64) {
    let seats = view["seats"].as_array().unwrap();
    let seat = seats.iter().find(|other| other["seat"] == seat).unwrap();
    let bets = seat["bets"].as_array().unwrap().iter();
    (cents(&seat["rack"]), bets.map(|bet| cents(&bet["stake"]) + cents(&bet["vig"])).sum())
}

/// Puts down whatever the seat may, now and then.
async fn bet(chance: &mut Lehmer, client: &Client, table: &str, seat: u8) {
    let path = format!("/api/tables/{table}/offers?seat={seat}");
    let offers = client.get(&path).await.unwrap().ok().unwrap();
    let open = offers.as_array().unwrap().iter().filter(|offer| offer["why_not"].is_null());
    let mut puts: Vec<(String, i64)> = Vec::new();
    for offer in open {
        let wager = offer["wager"].as_str().unwrap();
        if wager == "pass" || wager == "fired-up" || chance.below(6) == 0 {
            puts.push((wager.to_owned(), cents(&offer["least"])));
        }
    }
    for (wager, amount) in puts {
        let put = json!({ "command": "put", "seat": seat, "wager": wager, "amount": amount });
        let _ = ask(client, table, put).await;
    }
}

#[tokio::test]
async fn what_a_roll_would_do_is_what_it_does() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let dealer = live.account(&boss, "dee", &["dealer"]).await;
    let players = [live.guest("Ann").await, live.guest("Bob").await];
    let table = open(&players[0], &config(true)).await;
    for (seat, player) in players.iter().enumerate() {
        join(player, &table, seat as u8, 100_000_000).await;
    }
    let mut chance = Lehmer(20_261_116);
    let (mut jackpots, mut decided) = (0, 0);
    for round in 0..120 {
        for (seat, player) in players.iter().enumerate() {
            bet(&mut chance, player, &table, seat as u8).await;
        }
        // Fired Up takes numbers that all differ, after a seven; now and then they do.
        let dice = match round % 30 {
            0 => "3-4".to_owned(),
            place @ 1..=10 => HOT[place - 1].to_owned(),
            _ => format!("{}-{}", chance.below(6) + 1, chance.below(6) + 1),
        };
        let before = live.view(&table).await;
        let mut expected = Vec::new();
        for (seat, player) in players.iter().enumerate() {
            let all = told(player, &table, seat as u8).await;
            let ways: usize = all.iter().map(|one| one["dice"].as_array().unwrap().len()).sum();
            assert_eq!(ways, 21, "every pair of faces once");
            let (low, high) = (
                dice.as_bytes()[0].min(dice.as_bytes()[2]),
                dice.as_bytes()[0].max(dice.as_bytes()[2]),
            );
            let pair = format!("{}-{}", low as char, high as char);
            let mine = |one: &&Value| one["dice"].as_array().unwrap().contains(&json!(pair));
            expected.push(all.iter().find(mine).unwrap().clone());
        }
        throw(&dealer, &table, &dice).await;
        // A jackpot is paid by its meter a moment later.
        let after = until(&boss, &table, |view| view["hand"]["claims"] == json!([])).await;
        for (seat, expected) in expected.iter().enumerate() {
            let ((rack, felt), (rack_after, felt_after)) =
                (chips(&before, seat as u8), chips(&after, seat as u8));
            let (won, lost) = (cents(&expected["won"]), cents(&expected["lost"]));
            let what = format!("round {round}, {dice}, seat {seat}: {expected}");
            assert_eq!(felt_after, cents(&expected["keeps"]), "{what}");
            assert_eq!(rack_after + felt_after - rack - felt, won - lost, "{what}");
            jackpots += cents(&expected["jackpots"]);
            decided += expected["lines"].as_array().unwrap().len();
        }
    }
    assert!(decided > 200, "{decided} bets were decided");
    assert!(jackpots > 0, "no jackpot was won");
    live.stop().await;
}

#[tokio::test]
async fn a_socket_is_told_too_and_strangers_are_not() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let dealer = live.account(&boss, "dee", &["dealer"]).await;
    let ann = live.account(&boss, "ann", &["player"]).await;
    let table = open(&boss, &config(false)).await;
    does(&ann, &table, json!({ "command": "sit", "seat": 0 })).await;
    does(&dealer, &table, json!({ "command": "buy-in", "seat": 0, "amount": 50_000 })).await;
    let path = format!("/api/tables/{table}/if-it-rolls?seat=0");
    // Nobody could throw: there is no line bet.
    let refused = ann.get(&path).await.unwrap();
    assert_eq!((refused.status, refused.code()), (409, "no-shooter"), "{}", refused.text);
    does(&ann, &table, put(0, "pass", 1_500)).await;
    let all = told(&ann, &table, 0).await;
    let seven = all.iter().find(|one| one["total"] == 7).unwrap();
    assert_eq!(
        (&seven["won"], &seven["lost"], &seven["keeps"]),
        (&json!(1_500), &json!(0), &json!(0))
    );
    assert_eq!(seven["dice"], json!(["1-6", "2-5", "3-4"]));
    let [easy, hard] = [false, true]
        .map(|hard| all.iter().find(|one| one["total"] == 6 && one["hard"] == hard).unwrap());
    assert_eq!((&easy["dice"], &hard["dice"]), (&json!(["1-5", "2-4"]), &json!(["3-3"])));
    // Asked on a socket, by one who may and by one who may not.
    let mut socket = ann.socket(&table, None).await.unwrap();
    let asks = json!({ "type": "if-it-rolls", "seat": 0 }).to_string();
    socket.text(&asks).await.unwrap();
    let frame = socket.next_of("if-it-rolls").await.unwrap();
    assert_eq!(frame["rolls"], json!(all));
    let gus = live.guest("Gus").await;
    let mut socket = gus.socket(&table, None).await.unwrap();
    socket.text(&asks).await.unwrap();
    assert_eq!(socket.next_of("if-it-rolls").await.unwrap()["rolls"], json!([]));
    assert_eq!(gus.get(&path).await.unwrap().status, 403);
    // Nobody sits there, and there is no such seat.
    for seat in [3, 99] {
        let path = format!("/api/tables/{table}/if-it-rolls?seat={seat}");
        assert_eq!(ann.get(&path).await.unwrap().code(), "not-seated");
    }
    live.stop().await;
}
