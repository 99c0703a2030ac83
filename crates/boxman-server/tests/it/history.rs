//! Looking back: what is read from a log is what those who watched were told, the hands are the
//! shooters' turns, and a ledger adds up to the rack.

mod ledger;

use std::collections::BTreeMap;
use std::sync::Arc;

use boxman_client::{Client, Value, json};
use boxman_server::testing::hash::Hash;
use boxman_server::testing::history::Histories;

use crate::chance::Lehmer;
use crate::live::{Folder, Live, does, fresh_id, join, open, put, roll};

async fn get(live: &Live, path: &str) -> Value {
    live.eye().get(path).await.unwrap().ok().unwrap()
}

async fn history(live: &Live, table: &str, after: u64, limit: u32) -> Value {
    get(live, &format!("/api/tables/{table}/history?after={after}&limit={limit}")).await
}

async fn hands(live: &Live, table: &str, query: &str) -> Vec<Value> {
    let found = get(live, &format!("/api/tables/{table}/hands{query}")).await;
    found.as_array().unwrap().clone()
}

/// What a client makes of an update.
fn apply(view: &mut Value, update: &Value) {
    view["seq"] = update["seq"].clone();
    if !update["hand"].is_null() {
        view["hand"] = update["hand"].clone();
    }
    for changed in update["seats"].as_array().unwrap() {
        let seats = view["seats"].as_array_mut().unwrap();
        seats.retain(|seat| seat["seat"] != changed["seat"]);
        if !changed["name"].is_null() {
            seats.push(changed.clone());
        }
        seats.sort_by_key(|seat| seat["seat"].as_u64());
    }
    let recent = view["recent"].as_array_mut().unwrap();
    for event in update["events"].as_array().unwrap() {
        match event["event"].as_str().unwrap() {
            "rolled" => recent.push(event["dice"].clone()),
            "voided" => drop(recent.pop()),
            "corrected" => {
                recent.pop();
                recent.push(event["rolled"]["dice"].clone());
            }
            _ => {}
        }
        if recent.len() > 60 {
            recent.remove(0);
        }
    }
}

/// A view without the meters, which have logs of their own.
fn bare(view: &Value) -> Value {
    let mut view = view.clone();
    view["meters"] = json!([]);
    view
}

const WAGERS: [&str; 12] = [
    "pass",
    "dont-pass",
    "come",
    "dont-come",
    "odds",
    "place 6",
    "buy 4",
    "lay 10",
    "field",
    "hard 8",
    "all-small",
    "fired-up",
];

fn anything(chance: &mut Lehmer, seat: u8) -> Value {
    let wager = *chance.one(&WAGERS);
    let amount = *chance.one(&[100, 400, 500, 1_000, 2_000]);
    match chance.below(12) {
        0..=5 => put(seat, wager, amount),
        6 => json!({ "command": "take", "seat": seat, "wager": wager, "amount": null }),
        7 => json!({ "command": "call", "seat": seat, "wager": wager, "call": "off" }),
        8 => json!({ "command": "buy-in", "seat": seat, "amount": 5_000 }),
        9 => json!({ "command": "cash-out", "seat": seat, "amount": 3_000 }),
        _ => roll(),
    }
}

/// Three guests do whatever comes to mind; one of them leaves and comes back now and then.
async fn random_session(live: &Live, table: &str, commands: usize) -> BTreeMap<u64, Value> {
    let mut chance = Lehmer(5);
    let mut views = BTreeMap::new();
    let mut players = Vec::new();
    for seat in 0..3 {
        let player = live.guest(&format!("P{seat}")).await;
        join(&player, table, seat, 500_000).await;
        players.push(player);
    }
    for _ in 0..commands {
        let seat = chance.below(3);
        let (player, number) = (&players[seat], u8::try_from(seat).unwrap());
        let command = match (chance.below(25), number) {
            (0, 2) => json!({ "command": "leave", "seat": 2 }),
            (1, 2) => json!({ "command": "sit", "seat": 2 }),
            (2, _) => json!({ "command": "pass-dice" }),
            _ => anything(&mut chance, number),
        };
        let _ = player.command(table, &fresh_id(), &command).await.unwrap();
        let view = live.view(table).await;
        views.insert(view["seq"].as_u64().unwrap(), view);
    }
    views
}

/// Every update of a socket up to a record, as it came.
async fn told(socket: &mut boxman_client::TableSocket, last: u64) -> Vec<Value> {
    let mut updates = Vec::new();
    while updates.last().map_or(0, |update: &Value| update["seq"].as_u64().unwrap()) < last {
        let mut update = socket.next_of("update").await.unwrap();
        update.as_object_mut().unwrap().remove("type");
        updates.push(update);
    }
    updates
}

#[tokio::test]
async fn history_is_what_those_who_watched_were_told() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let mut watcher = Client::anyone(&live.address).socket(&table, None).await.unwrap();
    let first = watcher.next_of("snapshot").await.unwrap()["table"]["seq"].as_u64().unwrap();
    // Longer than the records between two states that are kept.
    let views = random_session(&live, &table, 700).await;
    let last = live.view(&table).await["seq"].as_u64().unwrap();
    assert!(last > 300, "{last} records");
    let heard = told(&mut watcher, last).await;
    for after in [first, first + 1, 97, 255, 256, 257, 300, last - 1, last] {
        let page = history(&live, &table, after, 60).await;
        assert_eq!(page["head"], last);
        let mut view = page["table"].clone();
        assert_eq!(view["seq"], after);
        let updates = page["updates"].as_array().unwrap();
        assert_eq!(updates.len() as u64, (last - after).min(60));
        for update in updates {
            let seq = update["seq"].as_u64().unwrap();
            let known = heard.iter().find(|heard| heard["seq"] == seq);
            assert_eq!(Some(update), known, "record {seq}");
            apply(&mut view, update);
            if let Some(live) = views.get(&seq) {
                assert_eq!(view, bare(live), "after record {seq}, from {after}");
            }
        }
    }
    // Every state on the way, from the opening on.
    let mut view = history(&live, &table, 0, 1).await["table"].clone();
    assert_eq!(view["seq"], 1);
    while view["seq"] != last {
        let page = history(&live, &table, view["seq"].as_u64().unwrap(), 500).await;
        assert_eq!(page["table"], view);
        for update in page["updates"].as_array().unwrap() {
            apply(&mut view, update);
            if let Some(live) = views.get(&update["seq"].as_u64().unwrap()) {
                assert_eq!(view, bare(live), "after record {}", update["seq"]);
            }
        }
    }
    check_secrets(&heard);
    live.stop().await;
    // The same after a restart, when nothing of it is in memory.
    let live = Live::start(&folder.store()).await;
    let page = history(&live, &table, 200, 50).await;
    assert_eq!(page["updates"][0], heard[usize::try_from(200 - first).unwrap()]);
    live.stop().await;
}

/// A secret is only shown for a commitment that came before it, and the last is kept.
fn check_secrets(updates: &[Value]) {
    let mut commitment = Value::Null;
    let mut shown = 0;
    for update in updates {
        for event in update["events"].as_array().unwrap() {
            if let Some(secret) = event["thrown"]["secret"].as_str() {
                let bytes: Vec<u8> = (0..32)
                    .map(|place| u8::from_str_radix(&secret[2 * place..2 * place + 2], 16).unwrap())
                    .collect();
                assert_eq!(commitment, Hash::of(&bytes).to_string(), "record {}", update["seq"]);
                shown += 1;
            }
        }
        if !update["hand"].is_null() {
            commitment = update["hand"]["commitment"].clone();
        }
    }
    assert!(shown > 10, "{shown} rolls");
}

/// A real table with a dealer, Ann on seat 0 and Bob on seat 1.
struct Dealt {
    folder: Folder,
    live: Live,
    boss: Client,
    dealer: Client,
    ann: Client,
    bob: Client,
    table: String,
}

impl Dealt {
    async fn open() -> Dealt {
        let folder = Folder::new();
        let live = Live::start(&folder.store()).await;
        let boss = live.boss().await;
        let dealer = live.account(&boss, "dan", &["dealer"]).await;
        let config = json!({
            "name": "Craps 1",
            "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"],
            "options": { "fired-up.meter.seed": "1000" },
            "empty_meters": true,
            "dice": "dealer",
            "confirm_jackpots": false,
        });
        let table = open(&boss, &config).await;
        let mut players = Vec::new();
        for (seat, name) in [(0, "ann"), (1, "bob")] {
            let player = live.account(&boss, name, &["player"]).await;
            does(&player, &table, json!({ "command": "sit", "seat": seat })).await;
            let buy = json!({ "command": "buy-in", "seat": seat, "amount": 100_000 });
            does(&dealer, &table, buy).await;
            players.push(player);
        }
        let (bob, ann) = (players.pop().unwrap(), players.pop().unwrap());
        Dealt { folder, live, boss, dealer, ann, bob, table }
    }

    async fn throw(&self, dice: &str) {
        does(&self.dealer, &self.table, json!({ "command": "close-betting" })).await;
        let key = json!({ "command": "key-roll", "dice": dice });
        does(&self.dealer, &self.table, key).await;
    }

    /// Takes the last roll back, by two people.
    async fn agree(&self, ask: Value) {
        let proposal = does(&self.dealer, &self.table, ask).await;
        let approve = json!({ "command": "approve", "proposal": proposal });
        does(&self.boss, &self.table, approve).await;
    }

    async fn again(self) -> Dealt {
        self.live.stop().await;
        let live = Live::start(&self.folder.store()).await;
        let moved = |client: Client| Client { address: live.address.clone(), ..client };
        let Dealt { folder, boss, dealer, ann, bob, table, .. } = self;
        let (boss, dealer) = (moved(boss), moved(dealer));
        let (ann, bob) = (moved(ann), moved(bob));
        live.first.get_or_init(|| boss.clone());
        Dealt { folder, live, boss, dealer, ann, bob, table }
    }
}

#[tokio::test]
async fn hands_are_the_turns_of_shooters() {
    let dealt = Dealt::open().await;
    let table = dealt.table.clone();
    let begun = hands(&dealt.live, &table, "").await;
    assert_eq!((begun.len(), &begun[0]["rolls"], &begun[0]["open"]), (1, &json!([]), &json!(true)));
    assert_eq!(begun[0]["shooter"], Value::Null);
    // Ann wins a come-out, makes no point and sevens out.
    does(&dealt.ann, &table, put(0, "pass", 1000)).await;
    does(&dealt.bob, &table, put(1, "pass", 1000)).await;
    dealt.throw("5-6").await;
    does(&dealt.ann, &table, put(0, "pass", 1000)).await;
    does(&dealt.bob, &table, put(1, "pass", 1000)).await;
    dealt.throw("2-2").await;
    dealt.throw("3-4").await;
    let ended = dealt.live.view(&table).await["seq"].clone();
    // The seven does not count, so that her hand goes on; then she sevens out after all.
    dealt.agree(json!({ "command": "void", "reason": "cocked die" })).await;
    let open = hands(&dealt.live, &table, "").await;
    assert_eq!((open.len(), &open[0]["rolls"]), (1, &json!(["5-6", "2-2"])));
    assert_eq!((&open[0]["voided"], &open[0]["open"]), (&json!(1), &json!(true)));
    assert!(open[0]["to"].as_u64() > ended.as_u64());
    dealt.throw("3-4").await;
    // Bob shoots. A six is corrected to a seven, and that to an eleven.
    does(&dealt.bob, &table, put(1, "pass", 1000)).await;
    dealt.throw("2-3").await;
    dealt.throw("3-3").await;
    dealt.agree(json!({ "command": "correct", "dice": "3-4", "reason": "a seven" })).await;
    assert_eq!(hands(&dealt.live, &table, "").await[0]["end"], "seven-out");
    dealt.agree(json!({ "command": "correct", "dice": "5-6", "reason": "no, eleven" })).await;
    dealt.throw("4-1").await;
    // He makes his point and passes the dice; between hands they are passed again.
    let pass = json!({ "command": "pass-dice" });
    does(&dealt.bob, &table, pass.clone()).await;
    does(&dealt.dealer, &table, pass).await;
    let dealt = dealt.again().await;
    // Ann shoots, takes her chips and leaves in mid-hand.
    does(&dealt.bob, &table, json!({ "command": "leave", "seat": 1 })).await;
    does(&dealt.ann, &table, put(0, "dont-pass", 1000)).await;
    dealt.throw("4-4").await;
    let take = json!({ "command": "take", "seat": 0, "wager": "dont-pass", "amount": null });
    does(&dealt.ann, &table, take).await;
    does(&dealt.ann, &table, json!({ "command": "leave", "seat": 0 })).await;

    let all = hands(&dealt.live, &table, "").await;
    let told: Vec<Value> = all
        .iter()
        .map(|hand| {
            json!([
                hand["hand"],
                hand["name"],
                hand["rolls"],
                hand["end"],
                hand["net"],
                hand["voided"],
                hand["corrected"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!([3, "Mx. ann", ["4-4"], "left", 0, 0, 0]),
            json!([2, "Mx. bob", ["2-3", "5-6", "4-1"], "passed", -1000, 0, 2]),
            json!([1, "Mx. ann", ["5-6", "2-2", "3-4"], "seven-out", 0, 1, 0]),
        ]
    );
    // Hands part the log without a gap.
    assert_eq!(all[2]["from"], 1);
    assert_eq!((&all[1]["from"], &all[0]["from"]), (&all[2]["to"], &all[1]["to"]));
    assert_eq!(all[0]["to"], dealt.live.view(&table).await["seq"]);
    for hand in &all {
        assert!(hand["started_at"].as_u64() <= hand["ended_at"].as_u64());
        assert_eq!(hand["open"], false);
    }
    for (query, found) in [
        ("?limit=2", vec![3, 2]),
        ("?before=3", vec![2, 1]),
        ("?before=1", vec![]),
        ("?before=0", vec![]),
        ("?shooter=0", vec![3, 1]),
        ("?record=1", vec![]),
        ("?record=2", vec![1]),
        ("?record=999", vec![]),
        ("?name=BO", vec![2]),
        ("?name=bO", vec![2]),
        ("?rolls=3", vec![2, 1]),
        ("?voided=true", vec![2, 1]),
        ("?jackpot=true", vec![]),
        ("?limit=0", vec![3]),
        ("?before=18446744073709551615&limit=4294967295", vec![3, 2, 1]),
    ] {
        let hands = hands(&dealt.live, &table, query).await;
        let numbers: Vec<u64> = hands.iter().map(|hand| hand["hand"].as_u64().unwrap()).collect();
        assert_eq!(numbers, found, "{query}");
    }
    dealt.live.stop().await;
}

#[tokio::test]
async fn a_hand_whose_shooter_has_left_does_not_go_on() {
    for dice in ["5-4", "3-4"] {
        let dealt = Dealt::open().await;
        let table = dealt.table.clone();
        does(&dealt.ann, &table, put(0, "dont-pass", 1000)).await;
        dealt.throw("4-4").await;
        let take = json!({ "command": "take", "seat": 0, "wager": "dont-pass", "amount": null });
        does(&dealt.ann, &table, take).await;
        dealt.throw(dice).await;
        does(&dealt.ann, &table, json!({ "command": "leave", "seat": 0 })).await;
        dealt.agree(json!({ "command": "void", "reason": "cocked die" })).await;
        dealt.throw("5-4").await;
        let found = hands(&dealt.live, &table, "").await;
        let told = |hand: &Value| json!([hand["name"], hand["rolls"], hand["end"], hand["voided"]]);
        let told: Vec<Value> = found.iter().map(told).collect();
        let left = json!(["Mx. ann", ["4-4"], "left", 1]);
        assert_eq!(told, [json!(["Mx. bob", ["5-4"], null, 0]), left], "{dice}");
        assert_eq!(found[0]["from"], found[1]["to"]);
        assert_eq!(dealt.live.view(&table).await["hand"]["hand_rolls"], 1);
        dealt.live.stop().await;
    }
}

#[tokio::test]
async fn a_jackpot_is_counted_and_uncounted_with_its_roll() {
    let dealt = Dealt::open().await;
    let table = dealt.table.clone();
    does(&dealt.ann, &table, put(0, "pass", 1000)).await;
    does(&dealt.ann, &table, put(0, "fired-up", 100)).await;
    for dice in ["4-4", "4-5", "5-5", "5-6", "6-6"] {
        dealt.throw(dice).await;
    }
    let hand = &hands(&dealt.live, &table, "?jackpot=true").await[0];
    assert_eq!(hand["jackpots"], 1);
    dealt.agree(json!({ "command": "void", "reason": "off the table" })).await;
    assert!(hands(&dealt.live, &table, "?jackpot=true").await.is_empty());
    assert_eq!(hands(&dealt.live, &table, "").await[0]["rolls"].as_array().unwrap().len(), 4);
    dealt.live.stop().await;
}

#[tokio::test]
async fn a_page_ends_where_the_rules_change() {
    let dealt = Dealt::open().await;
    let table = dealt.table.clone();
    let sue = dealt.live.account(&dealt.boss, "sue", &["supervisor"]).await;
    let config = json!({ "name": "Craps 1", "rules": ["presque-isle"], "dice": "dealer" });
    let ask = json!({ "command": "configure", "config": config, "reason": "a quiet night" });
    let proposal = does(&dealt.boss, &table, ask).await;
    does(&sue, &table, json!({ "command": "approve", "proposal": proposal })).await;
    does(&dealt.ann, &table, put(0, "pass", 1000)).await;
    let first = history(&dealt.live, &table, 1, 500).await;
    let updates = first["updates"].as_array().unwrap();
    let last = updates.last().unwrap();
    assert_eq!(last["events"][0]["event"], "configured");
    let second = history(&dealt.live, &table, last["seq"].as_u64().unwrap(), 500).await;
    assert_eq!(second["table"]["rules"], last["events"][0]["rules"]);
    assert_ne!(second["table"]["rules"], first["table"]["rules"]);
    assert_eq!(second["updates"].as_array().unwrap().len(), 1);
    let mut view = second["table"].clone();
    apply(&mut view, &second["updates"][0]);
    assert_eq!(view, bare(&dealt.live.view(&table).await));
    dealt.live.stop().await;
}

async fn ledger(client: &Client, table: &str, query: &str) -> Value {
    let path = format!("/api/tables/{table}/ledger?{query}");
    client.get(&path).await.unwrap().ok().unwrap()
}

#[tokio::test]
async fn silly_questions_have_sensible_answers() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let guest = live.guest("Ann").await;
    join(&guest, &table, 0, 1_000).await;
    let last = live.view(&table).await["seq"].as_u64().unwrap();
    for after in [last, last + 1, 1_000_000, u64::MAX] {
        let page = history(&live, &table, after, 0).await;
        assert_eq!((&page["table"]["seq"], &page["updates"]), (&json!(last), &json!([])));
        let page = ledger(&guest, &table, &format!("seat=0&after={after}")).await;
        assert_eq!((&page["movements"], &page["next"]), (&json!([]), &Value::Null));
    }
    assert_eq!(history(&live, &table, 0, 0).await["updates"].as_array().unwrap().len(), 1);
    assert_eq!(ledger(&guest, &table, "seat=23").await["movements"], json!([]));
    for (path, status) in [
        ("ledger?seat=24", 409),
        ("ledger?seat=256", 400),
        ("ledger", 400),
        ("ledger?seat=0&kind=luck", 400),
        ("ledger?seat=0&format=pdf", 400),
        ("history?after=-1", 400),
        ("history?limit=4294967296", 400),
        ("history?around=3", 400),
        ("hands?before=x", 400),
        ("hands?shooter=999", 400),
        (&format!("hands?name={}", "%C3%A9".repeat(24)), 200),
        (&format!("hands?name={}", "x".repeat(25)), 400),
    ] {
        let answer = guest.get(&format!("/api/tables/{table}/{path}")).await.unwrap();
        assert_eq!(answer.status, status, "{path}: {}", answer.text);
    }
    for path in ["hands", "history", "ledger?seat=0"] {
        let answer = guest.get(&format!("/api/tables/0000000/{path}")).await.unwrap();
        assert_eq!(answer.status, 404, "{path}");
    }
    live.stop().await;
}

#[tokio::test]
async fn two_look_back_eight_wait_and_the_next_is_told_to_come_again() {
    let histories = Arc::new(Histories::default());
    let (first, _second) = (histories.turn().await.unwrap(), histories.turn().await.unwrap());
    let mut waiting = Vec::new();
    for _ in 0..8 {
        let histories = Arc::clone(&histories);
        waiting.push(tokio::spawn(async move { histories.turn().await.map(drop) }));
    }
    tokio::task::yield_now().await;
    let refused = histories.turn().await.err().unwrap();
    assert_eq!((refused.status, refused.code.as_str()), (503, "busy"));
    drop(first);
    for waited in waiting {
        assert!(waited.await.unwrap().is_ok());
    }
    assert!(histories.turn().await.is_ok());
}
