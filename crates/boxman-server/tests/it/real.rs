//! Real tables and practice tables: what takes two people at one and a single person at the
//! other, what waits to be confirmed, and who may not touch what.

use boxman_client::{Client, Value, json};

use crate::live::{Folder, Live, ask, does, join, open, put, throw, until};

/// A server with its first account, a second supervisor and a dealer.
struct Pit {
    live: Live,
    boss: Client,
    sue: Client,
    dan: Client,
    _folder: Folder,
}

impl Pit {
    async fn open() -> Pit {
        let folder = Folder::new();
        let live = Live::start(&folder.store()).await;
        let boss = live.boss().await;
        let sue = live.account(&boss, "sue", &["supervisor"]).await;
        let dan = live.account(&boss, "dan", &["dealer"]).await;
        Pit { live, boss, sue, dan, _folder: folder }
    }

    async fn sound(&self) {
        let verdict = self.boss.get("/api/audit/verify").await.unwrap().ok().unwrap();
        assert_eq!(verdict["ok"], true, "{verdict}");
    }
}

/// A table with real dice, all the side bets, and whatever else.
fn table(name: &str, more: &Value) -> Value {
    let mut config = json!({
        "name": name,
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
        "dice": "dealer",
    });
    config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    config
}

/// A seat without an owner, with money and a line bet.
async fn seated(dealer: &Client, table: &str) {
    does(dealer, table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(dealer, table, json!({ "command": "buy-in", "seat": 0, "amount": 900_000 })).await;
    does(dealer, table, put(0, "pass", 1000)).await;
}

/// Every number of All Small, All Tall and Make 'Em All, without a seven or a pass decided by 8.
const TALL: [&str; 5] = ["4-4", "4-5", "5-5", "5-6", "6-6"];
const SMALL: [&str; 5] = ["1-1", "1-2", "2-2", "2-3", "3-3"];

fn rack(view: &Value) -> i64 {
    view["seats"][0]["rack"].as_i64().unwrap()
}

async fn look(pit: &Pit, table: &str) -> Value {
    pit.boss.get(&format!("/api/tables/{table}")).await.unwrap().ok().unwrap()
}

#[tokio::test]
async fn one_person_runs_a_practice_table_and_plays_at_it() {
    let pit = Pit::open().await;
    let home = open(&pit.boss, &table("Home", &json!({ "practice": true }))).await;
    join(&pit.boss, &home, 0, 100_000).await;
    does(&pit.boss, &home, put(0, "pass", 1000)).await;
    throw(&pit.boss, &home, "3-4").await;
    let won = rack(&look(&pit, &home).await);
    does(&pit.boss, &home, json!({ "command": "void", "reason": "cocked" })).await;
    assert_eq!(rack(&look(&pit, &home).await), won - 2000);
    throw(&pit.boss, &home, "3-4").await;
    let correct = json!({ "command": "correct", "dice": "1-1", "reason": "misread" });
    does(&pit.boss, &home, correct).await;
    let view = look(&pit, &home).await;
    assert_eq!((rack(&view), &view["hand"]["proposals"]), (won - 2000, &json!([])));
    // The rules change at once, the table being bare.
    let mut config = table("Home", &json!({ "practice": true }));
    config["limits"] = json!({ "pass": { "min": 1500 } });
    let configure = json!({ "command": "configure", "config": config, "reason": "richer" });
    does(&pit.boss, &home, configure).await;
    until(&pit.boss, &home, |view| view["hand"]["change_waits"] == false).await;
    assert_eq!(ask(&pit.boss, &home, put(0, "pass", 1000)).await.1, "under-minimum");
    // And so does its meter.
    let meter = format!("/api/meters/{home}-pt-bjs-fup-05");
    let adjust = json!({ "command": { "command": "adjust", "kind": "malfunction",
                                       "amount": 5000, "reason": "party" } });
    pit.boss.post(&format!("{meter}/commands"), &adjust).await.unwrap().ok().unwrap();
    assert_eq!(pit.boss.get(&meter).await.unwrap().json["amount"], 105_000);
    // A jackpot is paid by itself.
    does(&pit.boss, &home, put(0, "pass", 1500)).await;
    does(&pit.boss, &home, put(0, "fired-up", 100)).await;
    for dice in TALL {
        throw(&pit.boss, &home, dice).await;
    }
    until(&pit.boss, &home, |view| view["hand"]["claims"] == json!([])).await;
    pit.sound().await;
    pit.live.stop().await;
}

#[tokio::test]
async fn what_a_table_is_for_never_changes_and_practice_tables_wait_for_nobody() {
    let pit = Pit::open().await;
    for field in ["confirm_jackpots", "betting_during_claims"] {
        let config = table("Home", &json!({ "practice": true, field: true }));
        let refused = pit.boss.post("/api/tables", &config).await.unwrap();
        assert_eq!((refused.status, refused.code()), (422, "bad-config"), "{field}");
    }
    for field in ["confirm_over", "two_people_over"] {
        let config = table("Home", &json!({ "practice": true, field: 100_000 }));
        assert_eq!(pit.boss.post("/api/tables", &config).await.unwrap().code(), "bad-config");
    }
    for practice in [true, false] {
        let id = open(&pit.boss, &table("One", &json!({ "practice": practice }))).await;
        let config = table("One", &json!({ "practice": !practice }));
        let configure = json!({ "command": "configure", "config": config, "reason": "why not" });
        assert_eq!(ask(&pit.boss, &id, configure).await, (409, "practice-fixed".into()));
    }
    pit.live.stop().await;
}

#[tokio::test]
async fn play_money_does_not_get_into_a_real_jackpot() {
    let pit = Pit::open().await;
    let home = open(&pit.boss, &table("Home", &json!({ "practice": true }))).await;
    let meters = json!({ "PT-BJS-FUP-05": format!("{home}-pt-bjs-fup-05") });
    let config = table("Real", &json!({ "meters": meters }));
    let refused = pit.boss.post("/api/tables", &config).await.unwrap();
    assert_eq!((refused.status, refused.code()), (409, "practice-meter"));
    let real = open(&pit.boss, &table("Real", &json!({}))).await;
    let configure = json!({ "command": "configure", "config": config, "reason": "share" });
    assert_eq!(ask(&pit.boss, &real, configure).await, (409, "practice-meter".into()));
    pit.live.stop().await;
}

/// Somebody hits the jackpot of the table, keyed in by this dealer, and the meter has answered.
async fn hit(pit: &Pit, dealer: &Client, id: &str) -> Value {
    seated(dealer, id).await;
    does(dealer, id, put(0, "fired-up", 100)).await;
    for dice in TALL {
        throw(dealer, id, dice).await;
    }
    until(&pit.boss, id, |view| view["meters"][0]["hits"] != json!([])).await
}

#[tokio::test]
async fn a_jackpot_waits_by_default_and_betting_with_it() {
    let pit = Pit::open().await;
    let id = open(&pit.boss, &table("Real", &json!({}))).await;
    let view = hit(&pit, &pit.dan, &id).await;
    assert_eq!(
        (&view["hand"]["betting"], &view["hand"]["closes_at"]),
        (&json!(false), &Value::Null)
    );
    assert_eq!(ask(&pit.dan, &id, put(0, "field", 500)).await, (409, "claim-waits".into()));
    let close = json!({ "command": "close-betting" });
    assert_eq!(ask(&pit.dan, &id, close).await, (409, "claim-waits".into()));
    let unpaid = rack(&view);
    does(&pit.sue, &id, json!({ "command": "confirm-claim", "claim": 1 })).await;
    let view = look(&pit, &id).await;
    assert_eq!((rack(&view), &view["hand"]["betting"]), (unpaid + 100_015, &json!(true)));
    does(&pit.dan, &id, put(0, "field", 500)).await;
    pit.sound().await;
    pit.live.stop().await;
}

#[tokio::test]
async fn whoever_keyed_the_roll_does_not_confirm_it() {
    let pit = Pit::open().await;
    let id = open(&pit.boss, &table("Real", &json!({}))).await;
    hit(&pit, &pit.sue, &id).await;
    let confirm = json!({ "command": "confirm-claim", "claim": 1 });
    assert_eq!(ask(&pit.sue, &id, confirm.clone()).await, (403, "same-person".into()));
    does(&pit.boss, &id, confirm).await;
    pit.live.stop().await;
}

#[tokio::test]
async fn a_jackpot_is_denied_by_two_and_the_meter_has_it_back() {
    let pit = Pit::open().await;
    let shared = json!({ "meters": { "PT-BJS-FUP-05": "downtown" } });
    let id = open(&pit.boss, &table("One", &shared)).await;
    let other = open(&pit.boss, &table("Two", &shared)).await;
    seated(&pit.dan, &id).await;
    does(&pit.dan, &id, put(0, "fired-up", 100)).await;
    let before = rack(&look(&pit, &id).await);
    for dice in TALL {
        throw(&pit.dan, &id, dice).await;
    }
    until(&pit.boss, &id, |view| view["meters"][0]["hits"] != json!([])).await;
    // Another table feeds the meter while the claim waits.
    seated(&pit.sue, &other).await;
    does(&pit.sue, &other, put(0, "fired-up", 100)).await;
    let deny = json!({ "command": "deny-claim", "claim": 1, "reason": "a die was switched" });
    assert_eq!(ask(&pit.dan, &id, deny.clone()).await, (403, "forbidden".into()));
    let proposal = does(&pit.boss, &id, deny).await;
    let approve = json!({ "command": "approve", "proposal": proposal });
    assert_eq!(ask(&pit.boss, &id, approve.clone()).await, (403, "same-person".into()));
    does(&pit.sue, &id, approve).await;
    let view = until(&pit.boss, &id, |view| view["meters"][0]["amount"] == 100_030).await;
    assert_eq!((&view["hand"]["claims"], &view["hand"]["betting"]), (&json!([]), &json!(true)));
    assert_eq!(rack(&view), before + 100, "the stake is back");
    let confirm = json!({ "command": "confirm-claim", "claim": 1 });
    assert_eq!(ask(&pit.sue, &id, confirm).await, (409, "no-such-claim".into()));
    pit.sound().await;
    pit.live.stop().await;
}

/// Throws until All Small, All Tall and Make 'Em All are won by the last die.
async fn make_them_all(pit: &Pit, id: &str) {
    seated(&pit.dan, id).await;
    does(&pit.dan, id, put(0, "make-em-all", 10_000)).await;
    for dice in TALL.iter().chain(&SMALL[..4]).chain(&["3-3"]) {
        throw(&pit.dan, id, dice).await;
    }
}

#[tokio::test]
async fn an_award_above_the_threshold_is_held_and_confirmed_or_denied() {
    let pit = Pit::open().await;
    for denied in [false, true] {
        let id = open(&pit.boss, &table("Real", &json!({ "confirm_over": 500_000 }))).await;
        make_them_all(&pit, &id).await;
        let view = look(&pit, &id).await;
        let claim = &view["hand"]["claims"][0];
        assert_eq!(claim["wager"], "make-em-all");
        assert_eq!((&claim["amount"], &claim["paytable"]), (&json!(1_500_000), &Value::Null));
        assert_eq!(view["hand"]["betting"], false);
        let unpaid = rack(&view);
        let leave = json!({ "command": "leave", "seat": 0 });
        assert_eq!(ask(&pit.dan, &id, leave).await.1, "bets-up");
        let number = claim["claim"].clone();
        match denied {
            false => {
                let confirm = json!({ "command": "confirm-claim", "claim": number });
                does(&pit.sue, &id, confirm).await;
            }
            true => {
                let deny = json!({ "command": "deny-claim", "claim": number, "reason": "seen" });
                let proposal = does(&pit.boss, &id, deny).await;
                does(&pit.sue, &id, json!({ "command": "approve", "proposal": proposal })).await;
            }
        }
        let view = look(&pit, &id).await;
        let paid = if denied { 0 } else { 1_500_000 };
        assert_eq!((rack(&view), &view["hand"]["claims"]), (unpaid + paid, &json!([])));
        does(&pit.dan, &id, put(0, "field", 500)).await;
    }
    pit.sound().await;
    pit.live.stop().await;
}

#[tokio::test]
async fn a_roll_is_voided_while_its_award_is_held() {
    let pit = Pit::open().await;
    let id = open(&pit.boss, &table("Real", &json!({ "confirm_over": 0 }))).await;
    make_them_all(&pit, &id).await;
    let held = rack(&look(&pit, &id).await);
    let proposal = does(&pit.dan, &id, json!({ "command": "void", "reason": "cocked" })).await;
    does(&pit.sue, &id, json!({ "command": "approve", "proposal": proposal })).await;
    let view = look(&pit, &id).await;
    assert_eq!(view["hand"]["claims"], json!([]));
    // The stake of Make 'Em All is on the layout again.
    assert_eq!(rack(&view), held - 10_000);
    throw(&pit.dan, &id, "3-3").await;
    assert_eq!(look(&pit, &id).await["hand"]["claims"][0]["amount"], 1_500_000);
    pit.sound().await;
    pit.live.stop().await;
}

#[tokio::test]
async fn betting_goes_on_beside_a_claim_where_the_operator_says_so() {
    let pit = Pit::open().await;
    let more = json!({ "confirm_over": 500_000, "betting_during_claims": true });
    let id = open(&pit.boss, &table("Real", &more)).await;
    make_them_all(&pit, &id).await;
    does(&pit.dan, &id, put(0, "field", 500)).await;
    throw(&pit.dan, &id, "1-1").await;
    does(&pit.sue, &id, json!({ "command": "confirm-claim", "claim": 1 })).await;
    pit.sound().await;
    pit.live.stop().await;
}

#[tokio::test]
async fn line_odds_and_place_wins_wait_for_nobody() {
    let pit = Pit::open().await;
    let id = open(&pit.boss, &table("Real", &json!({ "confirm_over": 0 }))).await;
    seated(&pit.dan, &id).await;
    throw(&pit.dan, &id, "4-4").await;
    does(&pit.dan, &id, put(0, "odds", 2000)).await;
    does(&pit.dan, &id, put(0, "place 6", 60_000)).await;
    throw(&pit.dan, &id, "3-3").await;
    throw(&pit.dan, &id, "4-4").await;
    let view = look(&pit, &id).await;
    assert_eq!((&view["hand"]["claims"], &view["hand"]["betting"]), (&json!([]), &json!(true)));
    pit.live.stop().await;
}

#[tokio::test]
async fn crew_with_a_seat_at_a_real_table_are_players_there() {
    let pit = Pit::open().await;
    let id = open(&pit.boss, &table("Real", &json!({}))).await;
    does(&pit.dan, &id, json!({ "command": "sit", "seat": 0 })).await;
    for command in [
        json!({ "command": "buy-in", "seat": 0, "amount": 100_000 }),
        json!({ "command": "fill", "amount": 100_000 }),
        json!({ "command": "sit", "seat": 5, "name": "Walter" }),
        json!({ "command": "close-betting" }),
        json!({ "command": "key-roll", "dice": "3-4" }),
        json!({ "command": "pause" }),
    ] {
        let (status, code) = ask(&pit.dan, &id, command.clone()).await;
        let sat = command["command"] == "sit";
        // A player who names somebody else sits down as themselves.
        let fine = if sat { status == 200 } else { (status, code.as_str()) == (403, "forbidden") };
        assert!(fine, "{command}: {status} {code}");
    }
    // Somebody else of the crew does it for them, and they bet like anybody.
    does(&pit.sue, &id, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(&pit.dan, &id, put(0, "pass", 1000)).await;
    // A supervisor's seat is no better.
    does(&pit.boss, &id, json!({ "command": "sit", "seat": 1 })).await;
    let approve = json!({ "command": "approve", "proposal": 1 });
    assert_eq!(ask(&pit.boss, &id, approve).await, (403, "forbidden".into()));
    let elsewhere = open(&pit.boss, &table("Elsewhere", &json!({}))).await;
    does(&pit.dan, &elsewhere, json!({ "command": "fill", "amount": 100_000 })).await;
    pit.live.stop().await;
}

#[tokio::test]
async fn chips_above_the_threshold_of_a_day_take_two_people() {
    let pit = Pit::open().await;
    let id = open(&pit.boss, &table("Real", &json!({ "two_people_over": 100_000 }))).await;
    does(&pit.dan, &id, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    let buy = |amount: i64| json!({ "command": "buy-in", "seat": 0, "amount": amount });
    // In pieces, by two dealers: the seat's sum counts.
    does(&pit.dan, &id, buy(60_000)).await;
    does(&pit.sue, &id, buy(40_000)).await;
    assert_eq!(rack(&look(&pit, &id).await), 100_000);
    let proposal = does(&pit.sue, &id, buy(100)).await;
    let view = look(&pit, &id).await;
    assert_eq!(rack(&view), 100_000, "it waits");
    assert_eq!(view["hand"]["proposals"][0]["what"], "buy-in of $1 at seat 1");
    let approve = json!({ "command": "approve", "proposal": proposal });
    assert_eq!(ask(&pit.sue, &id, approve.clone()).await, (403, "same-person".into()));
    does(&pit.boss, &id, approve).await;
    assert_eq!(rack(&look(&pit, &id).await), 100_100);
    // A dealer's own sum counts too, over seats and fills.
    does(&pit.dan, &id, json!({ "command": "fill", "amount": 40_000 })).await;
    does(&pit.dan, &id, json!({ "command": "fill", "amount": 1 })).await;
    assert_eq!(look(&pit, &id).await["hand"]["proposals"][0]["what"], "fill of $0.01");
    // Leaving with chips is cashing them out.
    does(&pit.boss, &id, json!({ "command": "leave", "seat": 0 })).await;
    let view = look(&pit, &id).await;
    assert_eq!(view["seats"].as_array().unwrap().len(), 1, "it waits: {view}");
    let leave = view["hand"]["proposals"][1]["proposal"].clone();
    does(&pit.sue, &id, json!({ "command": "approve", "proposal": leave })).await;
    assert_eq!(look(&pit, &id).await["seats"], json!([]));
    pit.sound().await;
    pit.live.stop().await;
}

#[tokio::test]
async fn a_player_who_goes_from_seat_to_seat_crosses_the_threshold_all_the_same() {
    let pit = Pit::open().await;
    let id = open(&pit.boss, &table("Real", &json!({ "two_people_over": 100_000 }))).await;
    let pam = pit.live.account(&pit.boss, "pam", &["player"]).await;
    // Each dealer and each seat stays below it.
    for (seat, dealer) in [(0, &pit.dan), (1, &pit.sue)] {
        does(&pam, &id, json!({ "command": "sit", "seat": seat })).await;
        let buy = json!({ "command": "buy-in", "seat": seat, "amount": 40_000 });
        does(dealer, &id, buy).await;
    }
    does(&pam, &id, json!({ "command": "leave", "seat": 0 })).await;
    let view = look(&pit, &id).await;
    assert_eq!(view["seats"].as_array().map(Vec::len), Some(2), "it waits: {view}");
    pit.sound().await;
    pit.live.stop().await;
}

#[tokio::test]
async fn no_chips_move_while_a_roll_may_be_taken_back() {
    let pit = Pit::open().await;
    let id = open(&pit.boss, &table("Real", &json!({}))).await;
    hit(&pit, &pit.dan, &id).await;
    let deny = json!({ "command": "deny-claim", "claim": 1, "reason": "a die was switched" });
    let denial = does(&pit.boss, &id, deny).await;
    let void = json!({ "command": "void", "reason": "a die was off the table" });
    let proposal = does(&pit.dan, &id, void).await;
    for (who, command) in [
        (&pit.sue, json!({ "command": "confirm-claim", "claim": 1 })),
        (&pit.sue, json!({ "command": "approve", "proposal": denial })),
        (&pit.dan, json!({ "command": "cash-out", "seat": 0, "amount": 500 })),
        (&pit.dan, json!({ "command": "buy-in", "seat": 0, "amount": 500 })),
        (&pit.dan, json!({ "command": "fill", "amount": 500 })),
        (&pit.dan, json!({ "command": "resume" })),
    ] {
        let refused = ask(who, &id, command.clone()).await;
        assert_eq!(refused, (409, "proposal-open".into()), "{command}");
    }
    let approve = json!({ "command": "approve", "proposal": proposal });
    does(&pit.sue, &id, approve).await;
    assert_eq!(look(&pit, &id).await["hand"]["claims"], json!([]), "it was taken back");
    does(&pit.dan, &id, json!({ "command": "cash-out", "seat": 0, "amount": 500 })).await;
    pit.sound().await;
    pit.live.stop().await;
}

#[tokio::test]
async fn nobody_changes_a_meter_that_they_play_for() {
    let pit = Pit::open().await;
    let id = open(&pit.boss, &table("Real", &json!({}))).await;
    let meter = look(&pit, &id).await["meters"][0]["meter"].as_str().unwrap().to_owned();
    let path = format!("/api/meters/{meter}/commands");
    let tell = async |who: &Client, command: Value| {
        let answer = who.post(&path, &json!({ "command": command })).await.unwrap();
        (answer.status, answer.json["seq"].clone())
    };
    let adjust = json!({ "command": "adjust", "kind": "malfunction", "amount": 100,
                         "reason": "found a coin" });
    let (_, proposal) = tell(&pit.boss, adjust.clone()).await;
    let approve = json!({ "command": "approve", "proposal": proposal });
    does(&pit.sue, &id, json!({ "command": "sit", "seat": 0 })).await;
    assert_eq!(tell(&pit.sue, approve.clone()).await.0, 403);
    assert_eq!(tell(&pit.sue, adjust).await.0, 403);
    does(&pit.sue, &id, json!({ "command": "leave", "seat": 0 })).await;
    assert_eq!(tell(&pit.sue, approve).await.0, 200);
    pit.live.stop().await;
}
