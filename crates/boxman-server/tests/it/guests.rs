//! Guests, who come and go: how many tables they may open, what becomes of a table that nobody
//! comes to and of a seat whose player has gone. And what the crew does about a seat at a real
//! table.

use std::time::Duration;

use boxman_client::{Client, TableSocket, Value, json};
use boxman_server::testing::http::Limits;
use boxman_server::testing::practice::PracticeLimits;

use crate::chance::Lehmer;
use crate::live::{
    Folder, Live, ask, close_for_good, does, fresh_id, generous, join, open, put, roll, throw,
    until,
};

/// Time that no test waits for.
const LONG: u64 = 3_600_000;

/// A server that waits so many milliseconds for the player of a seat, and for anybody at a table.
async fn hasty(folder: &Folder, seat: u64, table: u64) -> Live {
    let practice = PracticeLimits {
        idle_seat: Duration::from_millis(seat),
        idle_table: Duration::from_millis(table),
        ..generous().practice
    };
    Live::with_limits(&folder.store(), Limits { practice, ..generous() }).await
}

/// A practice table with real dice and side bets.
fn dealt() -> Value {
    json!({
        "name": "Home",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
        "dice": "dealer",
        "practice": true,
    })
}

fn give_up(seat: u8, reason: &str) -> Value {
    json!({ "command": "give-up-seat", "seat": seat, "reason": reason })
}

/// A seat, where somebody sits there.
fn seat(view: &Value, number: u8) -> Option<&Value> {
    view["seats"].as_array().unwrap().iter().find(|seat| seat["seat"] == number)
}

fn wagers(view: &Value, number: u8) -> Vec<String> {
    let bets = seat(view, number).map(|seat| seat["bets"].as_array().unwrap().clone());
    bets.unwrap_or_default().iter().map(|bet| bet["wager"].as_str().unwrap().to_owned()).collect()
}

/// All chips of a seat, on the layout or off it.
fn worth(view: &Value, number: u8) -> i64 {
    let seat = seat(view, number).unwrap();
    let cents = |value: &Value| value.as_i64().unwrap();
    let up = seat["bets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bet| cents(&bet["stake"]) + cents(&bet["vig"]));
    cents(&seat["rack"]) + up.sum::<i64>()
}

/// The table as somebody who may see everything sees it.
async fn look(boss: &Client, table: &str) -> Value {
    boss.get(&format!("/api/tables/{table}")).await.unwrap().ok().unwrap()
}

/// What was told of seats that were given up, oldest first.
async fn told(boss: &Client, table: &str) -> Vec<Value> {
    let mut updates: Vec<Value> = Vec::new();
    loop {
        let after = updates.last().map_or(1, |update| update["seq"].as_u64().unwrap());
        let path = format!("/api/tables/{table}/history?after={after}&limit=500");
        let page = boss.get(&path).await.unwrap().ok().unwrap()["updates"].clone();
        match page.as_array().unwrap().as_slice() {
            [] => break,
            page => updates.extend(page.iter().cloned()),
        }
    }
    updates.retain(|update| {
        update["events"].as_array().unwrap().iter().any(|event| event["event"] == "given-up")
    });
    updates
}

fn kinds(update: &Value) -> Vec<&str> {
    let events = update["events"].as_array().unwrap().iter();
    events.map(|event| event["event"].as_str().unwrap()).collect()
}

async fn sound(boss: &Client) {
    let verdict = boss.get("/api/audit/verify").await.unwrap().ok().unwrap();
    assert_eq!(verdict["ok"], true, "{verdict}");
}

/// Somebody with a connection, who sits down and buys in.
async fn seated(client: &Client, table: &str, seat: u8) -> TableSocket {
    let mut socket = client.socket(table, None).await.unwrap();
    socket.next_of("snapshot").await.unwrap();
    join(client, table, seat, 100_000).await;
    socket
}

async fn log_out(client: &Client) {
    assert_eq!(client.post("/api/logout", &json!({})).await.unwrap().status, 204);
}

async fn opens(client: &Client, name: &str) -> (u16, String) {
    let config = json!({ "name": name, "practice": true });
    let answer = client.post("/api/tables", &config).await.unwrap();
    (answer.status, answer.code().to_owned())
}

#[tokio::test]
async fn a_guest_opens_a_few_tables_and_others_still_can() {
    let folder = Folder::new();
    let practice =
        PracticeLimits { per_person: 3, per_address: 5, in_all: 7, ..generous().practice };
    let limits = Limits { practice, ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let boss = live.boss().await;
    let (ann, bob) = (live.guest("Ann").await, live.guest("Bob").await);
    let full = (409, "too-many-tables".to_owned());
    let config = json!({ "name": "Ann's", "practice": true });
    let first = open(&ann, &config).await;
    // What is refused for another reason takes no place.
    assert_eq!(opens(&ann, "").await, (422, "bad-config".into()));
    open(&ann, &config).await;
    open(&ann, &config).await;
    assert_eq!(opens(&ann, "one more").await, full);
    open(&bob, &config).await;
    open(&bob, &config).await;
    assert_eq!(opens(&live.guest("Cy").await, "from the same address").await, full);
    // The crew is not bound; a table that is closed does not count.
    assert_eq!(opens(&boss, "House 2").await.0, 201);
    assert_eq!(opens(&boss, "House 3").await.0, 201);
    does(&boss, &first, json!({ "command": "close" })).await;
    assert_eq!(opens(&ann, "too many in all").await, full);
    live.stop().await;
    // Whose tables they are is in their logs.
    let live = Live::with_limits(&folder.store(), limits).await;
    let tables = Client::anyone(&live.address).get("/api/tables").await.unwrap().json;
    assert_eq!(tables.as_array().unwrap().len(), 1 + 4 + 2);
    let bob = Client { address: live.address.clone(), ..bob };
    let boss = Client { address: live.address.clone(), ..boss };
    for table in tables.as_array().unwrap().iter().filter(|table| table["name"] != "Ann's") {
        does(&boss, table["id"].as_str().unwrap(), json!({ "command": "close" })).await;
    }
    assert_eq!(opens(&bob, "three").await.0, 201);
    assert_eq!(opens(&bob, "four").await, full);
    live.stop().await;
}

#[tokio::test]
async fn tables_are_opened_a_few_a_minute() {
    let folder = Folder::new();
    let practice = PracticeLimits { per_minute: 2.try_into().unwrap(), ..generous().practice };
    let live = Live::with_limits(&folder.store(), Limits { practice, ..generous() }).await;
    let ann = live.guest("Ann").await;
    assert_eq!(opens(&ann, "One").await.0, 201);
    assert_eq!(opens(&ann, "Two").await.0, 201);
    assert_eq!(opens(&ann, "Three").await, (429, "too-many-requests".into()));
    assert_eq!(opens(&live.boss().await, "Three").await.0, 201);
    live.stop().await;
}

#[tokio::test]
async fn a_guests_table_closes_when_nobody_comes_and_others_do_not() {
    let folder = Folder::new();
    let live = hasty(&folder, LONG, 300).await;
    let boss = live.boss().await;
    let (ann, pam) = (live.guest("Ann").await, live.account(&boss, "pam", &["player"]).await);
    let own = live.practice().await;
    let config = json!({ "name": "Pam's", "practice": true });
    let account = open(&pam, &config).await;
    let config = json!({ "name": "Watched", "practice": true });
    let watched = open(&ann, &config).await;
    let mut watcher = Client::anyone(&live.address).socket(&watched, None).await.unwrap();
    watcher.next_of("snapshot").await.unwrap();
    // A point, a bet that may not be taken down, and dice that are out.
    let left = open(&ann, &dealt()).await;
    join(&ann, &left, 0, 100_000).await;
    does(&ann, &left, put(0, "pass", 1000)).await;
    does(&ann, &left, put(0, "fired-up", 100)).await;
    throw(&boss, &left, "4-4").await;
    does(&ann, &left, put(0, "hard 8", 500)).await;
    does(&boss, &left, json!({ "command": "close-betting" })).await;
    let before = worth(&look(&boss, &left).await, 0);
    let view = until(&boss, &left, |view| view["hand"]["status"] == "closed").await;
    assert_eq!(view["seats"], json!([]));
    let told = told(&boss, &left).await;
    assert_eq!(told[0]["by"], "boxman");
    assert_eq!(kinds(&told[0]), ["given-up", "took", "returned", "returned", "left"]);
    assert_eq!(told[0]["events"][4]["amount"], before);
    // They have been without anybody for longer, or have somebody.
    for table in [&own, &account, &watched] {
        assert_eq!(look(&boss, table).await["hand"]["status"], "running");
    }
    let tables = boss.get("/api/tables").await.unwrap().json;
    assert!(tables.as_array().unwrap().iter().all(|table| table["id"] != left));
    sound(&boss).await;
    drop(watcher);
    until(&boss, &watched, |view| view["hand"]["status"] == "closed").await;
    live.stop().await;
    // It stays closed, and the log is what it was.
    let live = hasty(&folder, LONG, LONG).await;
    assert_eq!(live.view(&left).await["hand"]["status"], "closed");
    live.stop().await;
}

#[tokio::test]
async fn a_seat_is_given_up_when_its_player_has_logged_out() {
    let folder = Folder::new();
    let live = hasty(&folder, 150, LONG).await;
    let boss = live.boss().await;
    let (ann, bob) = (live.guest("Ann").await, live.guest("Bob").await);
    let table = open(&boss, &dealt()).await;
    let bobs = seated(&bob, &table, 1).await;
    let anns = seated(&ann, &table, 0).await;
    does(&ann, &table, put(0, "pass", 1000)).await;
    throw(&boss, &table, "4-4").await;
    for (wager, amount) in [("odds", 2000), ("place 6", 600), ("hard 8", 500), ("buy 4", 2000)] {
        does(&ann, &table, put(0, wager, amount)).await;
    }
    let off = json!({ "command": "call", "seat": 0, "wager": "hard 8", "call": "off" });
    does(&ann, &table, off).await;
    let before = worth(&look(&boss, &table).await, 0);
    log_out(&ann).await;
    let view = until(&boss, &table, |view| seat(view, 0).is_none()).await;
    assert!(seat(&view, 1).is_some(), "Bob has a connection");
    let told = told(&boss, &table).await;
    let last = told.last().unwrap();
    assert_eq!(
        (&last["by"], last["events"].as_array().unwrap().last().unwrap()["event"].as_str()),
        (&json!("boxman"), Some("left"))
    );
    let returned = told.iter().flat_map(|update| update["events"].as_array().unwrap());
    let returned: Vec<&Value> = returned.filter(|event| event["event"] == "returned").collect();
    assert_eq!(returned.len(), 1, "{told:?}");
    assert_eq!(
        (&returned[0]["wager"], &returned[0]["reason"]),
        (&json!("pass"), &json!("its player has gone"))
    );
    assert_eq!(last["events"].as_array().unwrap().last().unwrap()["amount"], before);
    sound(&boss).await;
    // The seat is anybody's, and the crew may close the table.
    join(&live.guest("Cy").await, &table, 0, 1000).await;
    does(&boss, &table, json!({ "command": "close" })).await;
    drop((anns, bobs));
    live.stop().await;
}

#[tokio::test]
async fn what_is_locked_is_played_out_and_the_dice_go_on() {
    let folder = Folder::new();
    let live = hasty(&folder, 1_000, LONG).await;
    let boss = live.boss().await;
    let (ann, bob) = (live.guest("Ann").await, live.guest("Bob").await);
    let table = open(&boss, &dealt()).await;
    let _bobs = seated(&bob, &table, 1).await;
    let anns = seated(&ann, &table, 0).await;
    does(&ann, &table, put(0, "pass", 1000)).await;
    throw(&boss, &table, "2-2").await;
    does(&ann, &table, put(0, "come", 1000)).await;
    throw(&boss, &table, "4-5").await;
    does(&ann, &table, put(0, "odds come 9", 1000)).await;
    throw(&boss, &table, "1-3").await;
    // Ann has made the point and has the dice. Nine is still hers.
    let view = look(&boss, &table).await;
    assert_eq!((&view["hand"]["shooter"], &view["hand"]["puck"]), (&json!(0), &Value::Null));
    does(&bob, &table, put(1, "dont-pass", 1000)).await;
    drop(anns);
    // The crew keeps at it, and Ann's odds come down.
    let down = |view: &Value| wagers(view, 0) == ["come 9"] && view["hand"]["shooter"] == 1;
    for _ in 0..500 {
        if down(&look(&boss, &table).await) {
            break;
        }
        does(&boss, &table, json!({ "command": "fill", "amount": 100 })).await;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(down(&look(&boss, &table).await), "{}", look(&boss, &table).await);
    let rack = |view: &Value| seat(view, 0).unwrap()["rack"].as_i64().unwrap();
    let before = rack(&look(&boss, &table).await);
    throw(&boss, &table, "3-3").await;
    throw(&boss, &table, "5-4").await;
    until(&boss, &table, |view| seat(view, 0).is_none()).await;
    let told = told(&boss, &table).await;
    assert_eq!(kinds(&told[0]), ["given-up", "took"]);
    assert_eq!(kinds(told.last().unwrap()), ["given-up", "left"]);
    assert_eq!(told.last().unwrap()["events"][1]["amount"], before + 2000);
    sound(&boss).await;
    live.stop().await;
}

#[tokio::test]
async fn what_nobody_throws_for_is_handed_back() {
    let folder = Folder::new();
    let live = hasty(&folder, 150, LONG).await;
    let boss = live.boss().await;
    let table = live.practice().await;
    let (ann, bob) = (live.guest("Ann").await, live.guest("Bob").await);
    let _bobs = seated(&bob, &table, 1).await;
    let anns = seated(&ann, &table, 0).await;
    // Bob could throw, and does not.
    while look(&boss, &table).await["hand"]["puck"].is_null() {
        let _ = ask(&ann, &table, put(0, "pass", 1000)).await;
        does(&ann, &table, roll()).await;
    }
    drop(anns);
    let view = until(&boss, &table, |view| seat(view, 0).is_none()).await;
    assert!(seat(&view, 1).is_some());
    let told = told(&boss, &table).await;
    assert_eq!(kinds(told.last().unwrap()), ["given-up", "returned", "left"]);
    sound(&boss).await;
    live.stop().await;
}

#[tokio::test]
async fn whoever_asks_for_something_is_there() {
    let folder = Folder::new();
    let live = hasty(&folder, 700, LONG).await;
    let boss = live.boss().await;
    let table = live.practice().await;
    let (ann, cy) = (live.guest("Ann").await, live.guest("Cy").await);
    join(&ann, &table, 0, 100_000).await;
    join(&cy, &table, 1, 100_000).await;
    for _ in 0..500 {
        does(&ann, &table, put(0, "field", 500)).await;
        if seat(&look(&boss, &table).await, 1).is_none() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let view = look(&boss, &table).await;
    assert!(seat(&view, 0).is_some() && seat(&view, 1).is_none(), "{view}");
    live.stop().await;
}

/// The bet of a guest who is gone does not hold up the crew, however long the house would wait.
#[tokio::test]
async fn the_crew_gives_up_a_seat_and_closes_the_table() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    let ann = live.guest("Ann").await;
    let config = json!({ "name": "One seat", "practice": true, "seats": 1 });
    let table = open(&ann, &config).await;
    join(&ann, &table, 0, 100_000).await;
    does(&ann, &table, put(0, "hard 8", 500)).await;
    log_out(&ann).await;
    let close = json!({ "command": "close" });
    assert_eq!(ask(&boss, &table, close.clone()).await, (409, "bets-riding".into()));
    let leave = json!({ "command": "leave", "seat": 0 });
    assert_eq!(ask(&boss, &table, leave).await, (409, "bets-up".into()));
    assert_eq!(ask(&dan, &table, give_up(0, " ")).await, (422, "no-reason".into()));
    assert_eq!(ask(&dan, &table, give_up(1, "gone")).await, (409, "not-seated".into()));
    let bob = live.guest("Bob").await;
    assert_eq!(ask(&bob, &table, give_up(0, "gone")).await, (403, "forbidden".into()));
    does(&dan, &table, give_up(0, "logged out")).await;
    let told = told(&boss, &table).await;
    assert_eq!(kinds(&told[0]), ["given-up", "took", "left"]);
    assert_eq!(
        told[0]["events"][0],
        json!({ "event": "given-up", "seat": 0, "reason": "logged out" })
    );
    assert_eq!(told[0]["events"][2]["amount"], 100_000);
    does(&boss, &table, close).await;
    sound(&boss).await;
    live.stop().await;
}

#[tokio::test]
async fn at_a_real_table_only_the_crew_gives_up_a_seat_and_two_move_its_chips() {
    let folder = Folder::new();
    let live = hasty(&folder, 50, 50).await;
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    let pam = live.account(&boss, "pam", &["player"]).await;
    let mut config = dealt();
    config["practice"] = json!(false);
    config["two_people_over"] = json!(250_000);
    let table = open(&boss, &config).await;
    let sit = async |amount: i64| {
        does(&pam, &table, json!({ "command": "sit", "seat": 0 })).await;
        does(&dan, &table, json!({ "command": "buy-in", "seat": 0, "amount": amount })).await;
        does(&pam, &table, put(0, "pass", 1000)).await;
        throw(&dan, &table, "4-4").await;
        does(&pam, &table, put(0, "odds", 1000)).await;
    };
    sit(50_000).await;
    // The house leaves her seat alone, however long she has been away.
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert_eq!(wagers(&look(&boss, &table).await, 0), ["pass", "odds pass"]);
    assert_eq!(ask(&pam, &table, give_up(0, "mine")).await, (403, "forbidden".into()));
    // Dice that are out are thrown first.
    does(&dan, &table, json!({ "command": "close-betting" })).await;
    assert_eq!(ask(&dan, &table, give_up(0, "gone")).await, (409, "betting-closed".into()));
    does(&dan, &table, json!({ "command": "no-roll" })).await;
    does(&dan, &table, give_up(0, "went home")).await;
    let told = told(&boss, &table).await;
    assert_eq!(kinds(&told[0]), ["given-up", "took", "returned", "left"]);
    assert_eq!(told[0]["events"][2]["reason"], "went home");
    let dans = dan.get("/api/me").await.unwrap().ok().unwrap()["person"].clone();
    assert_eq!((&told[0]["by"], &told[0]["events"][3]["amount"]), (&dans, &json!(50_000)));
    throw_out(&dan, &table).await;
    // Above the threshold her bets and her chips wait for a second person.
    sit(100_000).await;
    let asked = does(&dan, &table, give_up(0, "went home again")).await;
    let view = look(&boss, &table).await;
    let up = vec!["pass".to_owned(), "odds pass".to_owned()];
    assert_eq!((wagers(&view, 0), worth(&view, 0)), (up, 100_000));
    let proposal = &view["hand"]["proposals"][0];
    assert_eq!(
        (&proposal["what"], &proposal["reason"]),
        (&json!("give up seat 1"), &json!("went home again"))
    );
    let approve = json!({ "command": "approve", "proposal": asked });
    assert_eq!(ask(&dan, &table, approve.clone()).await, (403, "forbidden".into()));
    does(&sue, &table, approve.clone()).await;
    let view = look(&boss, &table).await;
    assert_eq!((&view["seats"], &view["hand"]["proposals"]), (&json!([]), &json!([])));
    sound(&boss).await;
    // Whoever sits there next has nothing to do with what was asked before.
    does(&boss, &table, json!({ "command": "sit", "seat": 7, "name": "Walter" })).await;
    does(&sue, &table, json!({ "command": "buy-in", "seat": 7, "amount": 90_000 })).await;
    let asked = does(&dan, &table, give_up(7, "gone too")).await;
    does(&boss, &table, json!({ "command": "leave", "seat": 7 })).await;
    does(&boss, &table, json!({ "command": "sit", "seat": 7, "name": "Wendy" })).await;
    let approve = json!({ "command": "approve", "proposal": asked });
    assert_eq!(ask(&sue, &table, approve).await, (409, "no-such-proposal".into()));
    close_for_good(&boss, &sue, &table).await;
    sound(&boss).await;
    live.stop().await;
}

/// Ends the hand of whoever has the dice, with a seat of the dealer's own.
async fn throw_out(dan: &Client, table: &str) {
    does(dan, table, json!({ "command": "sit", "seat": 5, "name": "Sam" })).await;
    throw(dan, table, "3-4").await;
    does(dan, table, json!({ "command": "leave", "seat": 5 })).await;
}

const WAGERS: [(&str, i64); 16] = [
    ("pass", 1000),
    ("pass", 1000),
    ("dont-pass", 1000),
    ("come", 1000),
    ("come", 500),
    ("dont-come", 1000),
    ("odds", 1000),
    ("odds come 6", 500),
    ("odds come 8", 500),
    ("place 6", 600),
    ("buy 4", 2000),
    ("hard 8", 500),
    ("field", 500),
    ("all-small", 500),
    ("make-em-all-progressive", 100),
    ("fired-up", 100),
];

fn whatever(random: &mut Lehmer) -> Value {
    let (wager, amount) = WAGERS[random.below(WAGERS.len())];
    match random.below(12) {
        0..=7 => put(0, wager, amount),
        8 => json!({ "command": "call", "seat": 0, "wager": "hard 8", "call": "off" }),
        9 => json!({ "command": "take", "seat": 0, "wager": wager }),
        _ => roll(),
    }
}

/// A guest who plays at random and loses the connection in the middle.
async fn comes_and_goes(live: &Live, boss: &Client, table: &str, random: &mut Lehmer) -> i64 {
    let guest = live.guest("Ann").await;
    let mut socket = guest.socket(table, None).await.unwrap();
    for command in [
        json!({ "command": "sit", "seat": 0 }),
        json!({ "command": "buy-in", "seat": 0, "amount": 500_000 }),
    ] {
        assert_eq!(socket.ask(&fresh_id(), &command).await.unwrap()["type"], "ack");
    }
    for _ in 0..10 + random.below(30) {
        socket.ask(&fresh_id(), &whatever(random)).await.unwrap();
    }
    worth(&look(boss, table).await, 0)
}

/// Whatever is up when a player goes, every cent of it is accounted for and the seat is free in
/// the end: alone at the table, and with somebody who plays on.
#[tokio::test]
async fn players_who_go_at_random_lose_no_cent_and_leave_no_seat() {
    let folder = Folder::new();
    let live = hasty(&folder, 60, LONG).await;
    let boss = live.boss().await;
    let table = live.practice().await;
    let mut random = Lehmer(9);
    for _ in 0..6 {
        let before = comes_and_goes(&live, &boss, &table, &mut random).await;
        until(&boss, &table, |view| seat(view, 0).is_none()).await;
        let told = told(&boss, &table).await;
        let left = told.last().unwrap()["events"].as_array().unwrap().last().unwrap();
        // Nobody threw while the seat was empty.
        assert_eq!((&left["event"], &left["amount"]), (&json!("left"), &json!(before)));
    }
    let bob = live.guest("Bob").await;
    let _bobs = seated(&bob, &table, 1).await;
    for _ in 0..6 {
        comes_and_goes(&live, &boss, &table, &mut random).await;
        for _ in 0..1_000 {
            let view = look(&boss, &table).await;
            if seat(&view, 0).is_none() {
                break;
            }
            let _ = ask(&bob, &table, put(1, "pass", 500)).await;
            let _ = ask(&bob, &table, roll()).await;
        }
        assert!(seat(&look(&boss, &table).await, 0).is_none());
    }
    sound(&boss).await;
    live.stop().await;
}
