//! Live tables: play over HTTP and sockets, two people, meters, resuming, restarts.

use boxman_client::{Client, Value, json};

use crate::live::{Folder, Live, ask, does, fresh_id, join, open, put, roll};

const DEALT: [&str; 2] = ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"];

pub(crate) fn dealt(name: &str) -> Value {
    json!({
        "name": name,
        "rules": DEALT,
        "options": {
            "fired-up.meter.seed": "1000",
            "fired-up.meter.increment": "15%",
            "fired-up.meter.reserve": "5%",
        },
        "dice": "dealer",
        "confirm_jackpots": false,
    })
}

/// A server with its first account and a dealer.
pub(crate) async fn crewed() -> (Folder, Live, Client, Client) {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let dealer = live.account(&boss, "dan", &["dealer"]).await;
    (folder, live, boss, dealer)
}

pub(crate) async fn throw(dealer: &Client, table: &str, dice: &str) {
    does(dealer, table, json!({ "command": "close-betting" })).await;
    does(dealer, table, json!({ "command": "key-roll", "dice": dice })).await;
}

fn rack(view: &Value, seat: u64) -> i64 {
    let seats = view["seats"].as_array().unwrap();
    seats.iter().find(|found| found["seat"] == seat).unwrap()["rack"].as_i64().unwrap()
}

/// The table without what differs between two looks at the same state.
fn state(view: &Value) -> Value {
    let mut view = view.clone();
    for gone in ["seq", "recent", "meters"] {
        view.as_object_mut().unwrap().remove(gone);
    }
    // A roll that is taken back begins another betting round.
    for gone in ["round", "last_roll"] {
        view["hand"].as_object_mut().unwrap().remove(gone);
    }
    view
}

#[tokio::test]
async fn three_seats_play_over_the_socket_through_a_restart_in_mid_hand() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let ann = live.guest("Ann").await;
    let mut socket = ann.socket(&table, None).await.unwrap();
    let snapshot = socket.next_of("snapshot").await.unwrap();
    assert_eq!(snapshot["table"]["config"]["name"], "Practice");
    for seat in 0..3 {
        let sit = json!({ "command": "sit", "seat": seat });
        assert_eq!(socket.ask(&fresh_id(), &sit).await.unwrap()["type"], "ack");
        let buy = json!({ "command": "buy-in", "seat": seat, "amount": 100_000 });
        assert_eq!(socket.ask(&fresh_id(), &buy).await.unwrap()["type"], "ack");
        assert_eq!(socket.ask(&fresh_id(), &put(seat, "pass", 1000)).await.unwrap()["type"], "ack");
    }
    // Rolls until there is a point, so that the restart comes in mid-hand.
    while live.view(&table).await["hand"]["puck"].is_null() {
        for seat in 0..3 {
            let _ = socket.ask(&fresh_id(), &put(seat, "pass", 1000)).await.unwrap();
        }
        assert_eq!(socket.ask(&fresh_id(), &roll()).await.unwrap()["type"], "ack");
    }
    let before = live.view(&table).await;
    live.stop().await;

    let live = Live::start(&folder.store()).await;
    let after = live.view(&table).await;
    let mut expected = state(&before);
    // The secret of the last commitment died with the process; the new one is in the log.
    assert_ne!(after["hand"]["commitment"], before["hand"]["commitment"]);
    expected["hand"]["commitment"] = after["hand"]["commitment"].clone();
    assert_eq!(state(&after), expected);
    let ann = Client { address: live.address.clone(), ..ann };
    let mut socket = ann.socket(&table, None).await.unwrap();
    assert_eq!(socket.ask(&fresh_id(), &put(0, "odds", 1000)).await.unwrap()["type"], "ack");
    assert_eq!(socket.ask(&fresh_id(), &roll()).await.unwrap()["type"], "ack");
    live.stop().await;
}

#[tokio::test]
async fn a_command_is_applied_once_however_often_it_comes() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let ann = live.guest("Ann").await;
    join(&ann, &table, 0, 100_000).await;
    let first = ann.command(&table, "bet-1", &put(0, "field", 500)).await.unwrap().ok().unwrap();
    for _ in 0..3 {
        let again = ann.command(&table, "bet-1", &put(0, "field", 500)).await.unwrap();
        assert_eq!(again.ok().unwrap(), first);
    }
    let other = ann.command(&table, "bet-1", &put(0, "field", 700)).await.unwrap();
    assert_eq!((other.status, other.code()), (409, "id-reused"));
    // A refused command left no trace: the same id may be used for another.
    let refused = ann.command(&table, "bet-2", &put(0, "odds", 500)).await.unwrap();
    assert_eq!((refused.status, refused.code()), (409, "not-now"));
    let accepted = ann.command(&table, "bet-2", &put(0, "pass", 500)).await.unwrap();
    assert_eq!(accepted.status, 200);
    // But a copy of it that comes late, when it could be done, is refused as it was.
    let more = put(0, "field", 150_000);
    let refused = ann.command(&table, "bet-3", &more).await.unwrap();
    assert_eq!(refused.status, 409, "{}", refused.json);
    let bought = json!({ "command": "buy-in", "seat": 0, "amount": 200_000 });
    ann.command(&table, "buy-in", &bought).await.unwrap().ok().unwrap();
    let late = ann.command(&table, "bet-3", &more).await.unwrap();
    assert_eq!((late.status, late.code()), (409, refused.code()));
    ann.command(&table, "bet-4", &more).await.unwrap().ok().unwrap();
    let back = json!({ "command": "take", "seat": 0, "wager": "field", "amount": 150_000 });
    ann.command(&table, "bet-5", &back).await.unwrap().ok().unwrap();
    // Somebody else's id is somebody else's.
    let bob = live.guest("Bob").await;
    join(&bob, &table, 1, 100_000).await;
    let bobs = bob.command(&table, "bet-1", &put(1, "field", 500)).await.unwrap().ok().unwrap();
    assert_ne!(bobs, first);
    let racks = |view: &Value| (rack(view, 0), rack(view, 1));
    assert_eq!(racks(&live.view(&table).await), (299_000, 99_500));
    live.stop().await;

    let live = Live::start(&folder.store()).await;
    let ann = Client { address: live.address.clone(), ..ann };
    let again = ann.command(&table, "bet-1", &put(0, "field", 500)).await.unwrap();
    assert_eq!(again.ok().unwrap(), first);
    assert_eq!(racks(&live.view(&table).await), (299_000, 99_500));
    live.stop().await;
}

#[tokio::test]
async fn a_client_resumes_where_it_was_and_one_too_far_behind_starts_anew() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let ann = live.guest("Ann").await;
    join(&ann, &table, 0, 10_000_000).await;
    let seen = does(&ann, &table, put(0, "field", 500)).await;
    for _ in 0..5 {
        does(&ann, &table, put(0, "field", 500)).await;
    }
    let mut socket = ann.socket(&table, Some(seen)).await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap()["type"], "resumed");
    for missed in 1..=5 {
        let update = socket.next().await.unwrap().unwrap();
        assert_eq!(
            (&update["type"], update["seq"].as_u64()),
            (&json!("update"), Some(seen + missed))
        );
        let bets = &update["seats"][0]["bets"][0];
        assert_eq!(bets["stake"], 500 + 500 * i64::try_from(missed).unwrap());
    }
    // Meters are no records: they come as they are now.
    for meter in live.view(&table).await["meters"].as_array().unwrap() {
        let shown = socket.next().await.unwrap().unwrap();
        assert_eq!((&shown["type"], &shown["meter"]), (&json!("meter"), meter));
    }
    for _ in 0..150 {
        does(&ann, &table, put(0, "any-seven", 100)).await;
    }
    let mut socket = ann.socket(&table, Some(seen)).await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap()["type"], "snapshot");
    // A number from the future is no number of ours.
    let mut socket = ann.socket(&table, Some(1_000_000)).await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap()["type"], "snapshot");
    live.stop().await;
}

#[tokio::test]
async fn real_dice_are_keyed_by_a_dealer_and_only_when_betting_is_closed() {
    let (_folder, live, boss, dealer) = crewed().await;
    let ann = live.account(&boss, "ann", &["player"]).await;
    let table = open(&boss, &dealt("Craps 1")).await;
    does(&ann, &table, json!({ "command": "sit", "seat": 0 })).await;
    // Chips come from the crew at a real table.
    let buy = json!({ "command": "buy-in", "seat": 0, "amount": 100_000 });
    assert_eq!(ask(&ann, &table, buy.clone()).await, (403, "forbidden".into()));
    does(&dealer, &table, buy).await;
    does(&ann, &table, put(0, "pass", 1000)).await;
    let key = json!({ "command": "key-roll", "dice": "3-4" });
    assert_eq!(ask(&dealer, &table, key.clone()).await, (409, "betting-open".into()));
    assert_eq!(ask(&ann, &table, key.clone()).await, (403, "forbidden".into()));
    does(&dealer, &table, json!({ "command": "close-betting" })).await;
    assert_eq!(ask(&ann, &table, put(0, "field", 500)).await, (409, "betting-closed".into()));
    assert_eq!(ask(&ann, &table, roll()).await, (409, "wrong-dice".into()));
    let seven = json!({ "command": "key-roll", "dice": "7-1" });
    assert_eq!(ask(&dealer, &table, seven).await.0, 400);
    does(&dealer, &table, json!({ "command": "no-roll" })).await;
    does(&ann, &table, put(0, "field", 500)).await;
    does(&dealer, &table, json!({ "command": "close-betting" })).await;
    does(&dealer, &table, key).await;
    assert_eq!(rack(&live.view(&table).await, 0), 100_500);
    live.stop().await;
}

#[tokio::test]
async fn two_people_void_a_roll_and_everything_is_as_it_was() {
    let (_folder, live, boss, dealer) = crewed().await;
    let table = open(&boss, &dealt("Craps 1")).await;
    does(&dealer, &table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(&dealer, &table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(&dealer, &table, put(0, "pass", 1000)).await;
    does(&dealer, &table, put(0, "all-small", 500)).await;
    throw(&dealer, &table, "2-2").await;
    does(&dealer, &table, put(0, "odds", 2000)).await;
    let before = live.view(&table).await;
    throw(&dealer, &table, "3-4").await;
    assert_eq!(rack(&live.view(&table).await, 0), 96_500);
    let void = json!({ "command": "void", "reason": "cocked die" });
    let proposal = does(&dealer, &table, void).await;
    // Nobody bets while it is considered, and the one who asked cannot agree.
    assert_eq!(ask(&dealer, &table, put(0, "field", 500)).await, (409, "table-paused".into()));
    let approve = json!({ "command": "approve", "proposal": proposal });
    assert_eq!(ask(&dealer, &table, approve.clone()).await, (403, "forbidden".into()));
    does(&boss, &table, approve.clone()).await;
    assert_eq!(state(&live.view(&table).await), state(&before));
    assert_eq!(ask(&boss, &table, approve).await, (409, "no-such-proposal".into()));
    // A supervisor who asks needs another one to agree.
    throw(&dealer, &table, "3-4").await;
    let void = json!({ "command": "void", "reason": "again" });
    let proposal = does(&boss, &table, void).await;
    let approve = json!({ "command": "approve", "proposal": proposal });
    assert_eq!(ask(&boss, &table, approve).await, (403, "same-person".into()));
    does(&boss, &table, json!({ "command": "withdraw", "proposal": proposal })).await;
    assert_eq!(live.view(&table).await["hand"]["status"], "running");
    // A roll that was misread is settled anew.
    let second = live.account(&boss, "sue", &["supervisor"]).await;
    let correct = json!({ "command": "correct", "dice": "1-3", "reason": "it was a four" });
    let proposal = does(&dealer, &table, correct).await;
    does(&second, &table, json!({ "command": "approve", "proposal": proposal })).await;
    // Pass 10 and odds 20 at 2 to 1 on the four, beside the all-small bet.
    assert_eq!(rack(&live.view(&table).await, 0), 96_500 + 2 * 1000 + 2000 + 4000);
    // A bet made since is undone with it.
    does(&dealer, &table, put(0, "field", 500)).await;
    let void = json!({ "command": "void", "reason": "cocked after all" });
    let proposal = does(&dealer, &table, void).await;
    does(&second, &table, json!({ "command": "approve", "proposal": proposal })).await;
    assert_eq!(state(&live.view(&table).await), state(&before));
    // The roll before it stands.
    let void = json!({ "command": "void", "reason": "too late" });
    assert_eq!(ask(&dealer, &table, void).await, (409, "nothing-to-void".into()));
    live.stop().await;
}

/// Bets fired-up at a table and throws its five numbers.
pub(crate) async fn fire(dealer: &Client, table: &str) {
    for dice in ["4-4", "4-5", "5-5", "5-6", "6-6"] {
        throw(dealer, table, dice).await;
    }
}

pub(crate) async fn seated(dealer: &Client, table: &str) {
    does(dealer, table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(dealer, table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(dealer, table, put(0, "pass", 1000)).await;
    does(dealer, table, put(0, "fired-up", 100)).await;
}

pub(crate) async fn meter(live: &Live, meter: &str) -> Value {
    let path = format!("/api/meters/{meter}");
    Client::anyone(&live.address).get(&path).await.unwrap().ok().unwrap()
}

/// Meters hear of a record a moment after it is durable.
pub(crate) async fn eventually(live: &Live, table: &str, found: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..200 {
        let view = live.view(table).await;
        if found(&view) {
            return view;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("it never came: {}", live.view(table).await);
}

#[tokio::test]
async fn two_tables_share_a_meter_and_hit_it_one_after_the_other() {
    let (_folder, live, boss, dealer) = crewed().await;
    let linked = |name: &str| {
        let mut config = dealt(name);
        config["meters"] = json!({ "PT-BJS-FUP-05": "downtown" });
        config
    };
    let (one, two) = (open(&boss, &linked("One")).await, open(&boss, &linked("Two")).await);
    seated(&dealer, &one).await;
    seated(&dealer, &two).await;
    fire(&dealer, &one).await;
    // $1,000.00 and 15 cents from each of two bets; the winner's own stake is in it.
    let view = eventually(&live, &one, |view| view["hand"]["claims"] == json!([])).await;
    let won = |view: &Value| rack(view, 0);
    let first = won(&view);
    fire(&dealer, &two).await;
    let view = eventually(&live, &two, |view| view["hand"]["claims"] == json!([])).await;
    let second = won(&view);
    // Both tables saw the same dice, so they differ by what the meter paid: the first hit took
    // the thirty cents of both bets, the second found the seed.
    assert_eq!(first - second, 30);
    assert_eq!(meter(&live, "downtown").await["amount"], 100_000);
    // Another table on other terms is refused.
    let mut other = linked("Three");
    other["options"]["fired-up.meter.increment"] = json!("20%");
    let refused = boss.post("/api/tables", &other).await.unwrap();
    assert_eq!((refused.status, refused.code()), (409, "other-terms"));
    live.stop().await;
}

#[tokio::test]
async fn a_jackpot_can_wait_for_a_supervisor_and_be_voided_with_its_roll() {
    let (_folder, live, boss, dealer) = crewed().await;
    let mut config = dealt("Craps 1");
    config["confirm_jackpots"] = json!(true);
    let table = open(&boss, &config).await;
    let name = format!("{table}-pt-bjs-fup-05");
    seated(&dealer, &table).await;
    fire(&dealer, &table).await;
    let view = eventually(&live, &table, |view| view["meters"][0]["hits"] != json!([])).await;
    assert_eq!(view["hand"]["claims"][0]["seats"], json!([0]));
    assert_eq!(view["meters"][0]["hits"][0], 100_015);
    let unpaid = rack(&view, 0);
    let confirm = json!({ "command": "confirm-claim", "claim": 1 });
    assert_eq!(ask(&dealer, &table, confirm.clone()).await, (403, "forbidden".into()));
    // The roll is voided while the claim waits: the meter takes its award back.
    let proposal = does(&dealer, &table, json!({ "command": "void", "reason": "cocked" })).await;
    does(&boss, &table, json!({ "command": "approve", "proposal": proposal })).await;
    for _ in 0..100 {
        if meter(&live, &name).await["amount"] == 100_015 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(meter(&live, &name).await["amount"], 100_015);
    assert_eq!(ask(&boss, &table, confirm).await, (409, "no-such-claim".into()));
    // Thrown again it is won again, and this time confirmed.
    throw(&dealer, &table, "6-6").await;
    eventually(&live, &table, |view| view["meters"][0]["hits"] != json!([])).await;
    let claim = live.view(&table).await["hand"]["claims"][0]["claim"].clone();
    does(&boss, &table, json!({ "command": "confirm-claim", "claim": claim })).await;
    let view = live.view(&table).await;
    assert_eq!(rack(&view, 0), unpaid + 100_015);
    live.stop().await;
}

#[tokio::test]
async fn a_meter_is_changed_by_two_people_and_its_rates_at_the_next_reset() {
    let (_folder, live, boss, dealer) = crewed().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let table = open(&boss, &dealt("Craps 1")).await;
    let name = format!("{table}-pt-bjs-fup-05");
    let commands = format!("/api/meters/{name}/commands");
    let adjust = json!({ "command": { "command": "adjust", "kind": "malfunction",
                                       "amount": 5000, "reason": "promotion" } });
    let asked = boss.post(&commands, &adjust).await.unwrap().ok().unwrap();
    let approve = json!({ "command": { "command": "approve", "proposal": asked["seq"] } });
    assert_eq!(boss.post(&commands, &approve).await.unwrap().code(), "same-person");
    assert_eq!(dealer.post(&commands, &approve).await.unwrap().code(), "forbidden");
    sue.post(&commands, &approve).await.unwrap().ok().unwrap();
    assert_eq!(meter(&live, &name).await["amount"], 105_000);
    let terms = json!({ "command": {
        "command": "set-terms", "seed": 200_000, "increment": 300_000, "reserve": 0,
        "reason": "a better jackpot",
    } });
    let asked = boss.post(&commands, &terms).await.unwrap().ok().unwrap();
    let approve = json!({ "command": { "command": "approve", "proposal": asked["seq"] } });
    sue.post(&commands, &approve).await.unwrap().ok().unwrap();
    let waiting = meter(&live, &name).await;
    assert_eq!((&waiting["terms_wait"], &waiting["increment"]), (&json!(true), &json!(150_000)));
    seated(&dealer, &table).await;
    fire(&dealer, &table).await;
    eventually(&live, &table, |view| view["hand"]["claims"] == json!([])).await;
    let reset = meter(&live, &name).await;
    assert_eq!((&reset["seed"], &reset["increment"]), (&json!(200_000), &json!(300_000)));
    // The table follows at the next come-out with nothing riding.
    throw(&dealer, &table, "4-4").await;
    let followed = |view: &Value| view["config"]["options"]["fired-up.meter.increment"] == "30%";
    eventually(&live, &table, followed).await;
    does(&dealer, &table, put(0, "pass", 1000)).await;
    does(&dealer, &table, put(0, "fired-up", 100)).await;
    let fed = |view: &Value| view["meters"][0]["amount"] == 200_030;
    eventually(&live, &table, fed).await;
    live.stop().await;
}

#[tokio::test]
async fn another_configuration_waits_for_a_come_out_with_nothing_riding() {
    let (_folder, live, boss, dealer) = crewed().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let table = open(&boss, &dealt("Craps 1")).await;
    seated(&dealer, &table).await;
    throw(&dealer, &table, "4-4").await;
    let mut config = dealt("Craps 1, fifteen dollars");
    config["limits"] = json!({ "pass": { "min": 1500, "max": null, "unit": null } });
    let configure = json!({ "command": "configure", "config": config, "reason": "busy night" });
    let mut bad = configure.clone();
    bad["config"]["rules"] = json!(["presque-ile"]);
    assert_eq!(ask(&boss, &table, bad).await, (422, "bad-rules".into()));
    let proposal = does(&boss, &table, configure).await;
    let approve = json!({ "command": "approve", "proposal": proposal });
    does(&sue, &table, approve).await;
    let view = live.view(&table).await;
    assert_eq!(view["hand"]["change_waits"], true);
    assert_eq!(view["config"]["name"], "Craps 1");
    throw(&dealer, &table, "3-4").await;
    let view = eventually(&live, &table, |view| view["hand"]["change_waits"] == false).await;
    assert_eq!(view["config"]["name"], "Craps 1, fifteen dollars");
    assert_eq!(ask(&dealer, &table, put(0, "pass", 1000)).await, (409, "under-minimum".into()));
    does(&dealer, &table, put(0, "pass", 1500)).await;
    live.stop().await;
}

#[tokio::test]
async fn betting_closes_by_itself_when_the_time_is_up() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let ann = live.guest("Ann").await;
    let bob = live.guest("Bob").await;
    let config = json!({ "name": "Quick", "practice": true, "betting_seconds": 3 });
    let table = open(&ann, &config).await;
    join(&ann, &table, 0, 100_000).await;
    join(&bob, &table, 1, 100_000).await;
    // Nothing closes before somebody can shoot.
    let hand = &live.view(&table).await["hand"];
    assert!(hand["closes_at"].is_null());
    assert_eq!(hand["dice_wait"], "line-bet");
    assert_eq!(ask(&ann, &table, roll()).await, (409, "betting-open".into()));
    does(&ann, &table, put(0, "pass", 1000)).await;
    let hand = &live.view(&table).await["hand"];
    assert!(hand["closes_at"].is_u64());
    assert_eq!(hand["dice_wait"], "window");
    assert_eq!(ask(&ann, &table, roll()).await, (409, "betting-open".into()));
    let mut socket = bob.socket(&table, None).await.unwrap();
    socket.next_of("snapshot").await.unwrap();
    let closed = socket.next_of("update").await.unwrap();
    assert_eq!(closed["events"][0]["event"], "betting-closed");
    assert_eq!(closed["by"], "boxman");
    assert!(closed["hand"]["dice_wait"].is_null());
    assert_eq!(ask(&bob, &table, put(1, "field", 500)).await, (409, "betting-closed".into()));
    // Bob throws in Ann's place only because she has no connection.
    does(&bob, &table, roll()).await;
    live.stop().await;
}

/// A proposal is about the roll that was last when it was made, and about no other.
#[tokio::test]
async fn another_roll_is_not_voided_in_place_of_the_one_that_was_meant() {
    let (_folder, live, boss, dealer) = crewed().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let table = open(&boss, &dealt("Craps 1")).await;
    seated(&dealer, &table).await;
    throw(&dealer, &table, "3-3").await;
    let void = |reason: &str| json!({ "command": "void", "reason": reason });
    let first = does(&dealer, &table, void("cocked")).await;
    let second = ask(&sue, &table, void("cocked, I saw it too")).await;
    assert_eq!(second, (409, "proposal-open".into()));
    // Nobody plays on over an open question.
    let resume = json!({ "command": "resume" });
    assert_eq!(ask(&dealer, &table, resume).await, (409, "proposal-open".into()));
    does(&boss, &table, json!({ "command": "approve", "proposal": first })).await;
    throw(&dealer, &table, "5-5").await;
    let approve = json!({ "command": "approve", "proposal": first });
    assert_eq!(ask(&boss, &table, approve).await, (409, "no-such-proposal".into()));
    assert_eq!(live.view(&table).await["recent"], json!(["5-5"]));
    live.stop().await;
}

/// A shooter who has gone and left nothing on the line does not hold up the table.
#[tokio::test]
async fn others_pass_the_dice_of_a_shooter_who_is_gone() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let table = live.practice().await;
    let (ann, bob) = (live.guest("Ann").await, live.guest("Bob").await);
    join(&ann, &table, 0, 100_000).await;
    join(&bob, &table, 1, 100_000).await;
    does(&bob, &table, put(1, "dont-pass", 1000)).await;
    does(&ann, &table, put(0, "pass", 1000)).await;
    // Until a decision leaves Ann with the dice and nothing down.
    loop {
        let view = live.view(&table).await;
        let down = view["seats"][0]["bets"].as_array().unwrap().len();
        if view["hand"]["shooter"] == 0 && down == 0 && view["hand"]["puck"].is_null() {
            break;
        }
        if view["hand"]["puck"].is_null() {
            ask(&ann, &table, put(0, "pass", 1000)).await;
            ask(&bob, &table, put(1, "dont-pass", 1000)).await;
        }
        ask(&ann, &table, roll()).await;
    }
    ask(&bob, &table, put(1, "dont-pass", 1000)).await;
    let _ = ask(&bob, &table, json!({ "command": "pass-dice" })).await;
    assert_eq!(live.view(&table).await["hand"]["shooter"], 1);
    does(&bob, &table, roll()).await;
    live.stop().await;
}

fn pays(on: &str, numbers: &[u8], pays: &str) -> Value {
    json!({ "on": on, "numbers": numbers, "pays": pays, "envy": null })
}

#[tokio::test]
async fn wagers_say_in_numbers_what_they_pay() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let table = open(&boss, &dealt("Craps 1")).await;
    let view = live.view(&table).await;
    let wagers = view["wagers"].as_array().unwrap();
    let wager = |name: &str| wagers.iter().find(|wager| wager["wager"] == name).unwrap();
    assert_eq!(wager("pass")["pays"], json!([pays("", &[], "1 to 1")]));
    assert_eq!((&wager("pass")["bar"], &wager("dont-pass")["bar"]), (&Value::Null, &json!(12)));
    assert_eq!(
        wager("place")["pays"],
        json!([
            pays("4 10", &[4, 10], "9 to 5"),
            pays("5 9", &[5, 9], "7 to 5"),
            pays("6 8", &[6, 8], "7 to 6"),
        ])
    );
    let small = &wager("all-small")["board"]["rungs"];
    let award = json!({ "rung": 5, "on": "", "pays": "30 to 1", "meter": false, "envy": "1x" });
    assert_eq!(*small, json!([award]));
    let rungs = wager("fired-up")["board"]["rungs"].as_array().unwrap();
    let meters: Vec<(&Value, &Value)> =
        rungs.iter().map(|rung| (&rung["rung"], &rung["meter"])).collect();
    assert_eq!(meters[0], (&json!(5), &json!(true)));
    assert!(meters.len() > 1 && meters[1..].iter().all(|(_, meter)| **meter == json!(false)));
    live.stop().await;
}

/// What a line says adds up to what the player has: commission paid in advance is in it.
#[tokio::test]
async fn lines_add_up_to_what_a_roll_changed() {
    let (_folder, live, boss, dealer) = crewed().await;
    let table = open(&boss, &dealt("Craps 1")).await;
    seated(&dealer, &table).await;
    let bets = [("buy 4", 500), ("buy 10", 2000), ("lay 9", 3000), ("place 6", 1200)];
    for (wager, amount) in bets {
        does(&dealer, &table, put(0, wager, amount)).await;
    }
    let mut socket = dealer.socket(&table, None).await.unwrap();
    socket.next_of("snapshot").await.unwrap();
    let mut decided = 0;
    for dice in ["4-4", "2-2", "4-6", "3-6", "3-4"] {
        let before = wealth(&live.view(&table).await);
        throw(&dealer, &table, dice).await;
        let lines = loop {
            let update = socket.next_of("update").await.unwrap();
            let events = update["events"].as_array().unwrap().clone();
            let rolled = events.into_iter().find(|event| event["event"] == "rolled");
            if let Some(rolled) = rolled {
                break rolled["lines"].as_array().unwrap().clone();
            }
        };
        let net: i64 = lines
            .iter()
            .map(|line| {
                let cents = |name: &str| line[name].as_i64().unwrap();
                let result = match line["fate"].as_str().unwrap() {
                    "lose" => -cents("stake"),
                    _ => cents("won") - cents("commission"),
                };
                result - cents("vig")
            })
            .sum();
        decided += lines.len();
        assert_eq!(wealth(&live.view(&table).await) - before, net, "{dice}: {lines:?}");
    }
    assert!(decided > 6, "{decided}");
    live.stop().await;
}

/// All that the player of the first seat has, in the rack and on the felt.
fn wealth(view: &serde_json::Value) -> i64 {
    let seat = &view["seats"][0];
    let bets = seat["bets"].as_array().unwrap().iter();
    let up = bets.map(|bet| bet["stake"].as_i64().unwrap() + bet["vig"].as_i64().unwrap());
    seat["rack"].as_i64().unwrap() + up.sum::<i64>()
}
