//! What was won waits for the checklist: each item is a record, and a jackpot is paid by the tray
//! or by the cage, with a slip that names what was shown and what was paid.

use boxman_client::{Client, Value, json};

use super::{Crew, open_betting, put};
use crate::live::{Live, generous, until};

/// Every number of All Tall without a seven: it is the top award of the fifth Fired Up paytable.
const TALL: [&str; 5] = ["4-4", "4-5", "5-5", "5-6", "6-6"];
const ITEMS: [&str; 4] = ["dice", "surveillance", "identity", "form"];

/// A table whose jackpot grows by 12½ cents a bet: two winners cannot share it evenly.
fn progressive() -> Value {
    json!({
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "12.5%" },
    })
}

fn check(claim: u64, item: &str) -> Value {
    json!({ "command": "check", "claim": claim, "item": item })
}

impl Crew {
    /// Two players hit the jackpot, and the meter has answered.
    async fn hit(&self) {
        self.seated(500).await;
        self.does(&self.dan, put(0, "pass", 1000)).await;
        for seat in [0, 1] {
            self.does(&self.dan, put(seat, "fired-up", 100)).await;
        }
        for (place, dice) in TALL.iter().enumerate() {
            if place > 0 {
                self.does(&self.dan, open_betting()).await;
            }
            self.throws(dice).await;
        }
        until(&self.boss, &self.table, |view| view["meters"][0]["hits"] != json!([])).await;
    }

    pub(super) async fn restarted(self) -> Crew {
        let Crew { live, boss, sue, dan, dee, table, _folder } = self;
        live.stop().await;
        let limits = boxman_server::Limits { procedures: 1, ..generous() };
        let live = Live::with_limits(&_folder.store(), limits).await;
        let [boss, sue, dan, dee] =
            [boss, sue, dan, dee].map(|client| Client { address: live.address.clone(), ..client });
        Crew { live, boss, sue, dan, dee, table, _folder }
    }

    fn racks(view: &Value) -> Vec<i64> {
        let seats = view["seats"].as_array().unwrap().iter();
        seats.map(|seat| seat["rack"].as_i64().unwrap()).collect()
    }

    async fn history(&self) -> Vec<Value> {
        let path = format!("/api/tables/{}/history?after=1&limit=500", self.table);
        let page = self.boss.get(&path).await.unwrap().ok().unwrap();
        let updates = page["updates"].as_array().unwrap().iter();
        updates.flat_map(|update| update["events"].as_array().unwrap().clone()).collect()
    }
}

#[tokio::test]
async fn a_jackpot_is_paid_once_all_of_it_is_checked_by_the_cage_against_a_slip() {
    let crew = Crew::open(&progressive()).await;
    crew.hit().await;
    let confirm = json!({ "command": "confirm-claim", "claim": 1, "paid_by": "cage",
                          "slip": "C-17", "form": "W-2G 4" });
    let problem = crew.asks(&crew.sue, None, confirm.clone()).await.unwrap_err();
    assert_eq!(problem["code"], "unchecked");
    assert!(problem["detail"].as_str().unwrap().contains("dice, surveillance, identity, form"));
    for item in ITEMS {
        let seq = crew.does(&crew.dan, check(1, item)).await;
        // Another console sees who and when, and cannot say so again.
        let claim = crew.hand().await["claims"][0].clone();
        let lines = claim["checklist"].as_array().unwrap();
        let line = lines.iter().find(|line| line["item"] == item).unwrap();
        assert_eq!(line["name"], "Mx. dan");
        assert!(line["at"].as_u64().unwrap() > 0 && seq > 0);
        assert_eq!(crew.refused(&crew.dee, check(1, item)).await, "checked");
        if item != "form" {
            assert_eq!(crew.refused(&crew.sue, confirm.clone()).await, "unchecked");
        }
    }
    assert_eq!(crew.refused(&crew.dan, check(2, "dice")).await, "no-such-claim");
    let bare = json!({ "command": "confirm-claim", "claim": 1, "paid_by": "cage" });
    assert_eq!(crew.refused(&crew.sue, bare).await, "slip-needed");
    let before = crew.view().await;
    let paid = crew.does(&crew.sue, confirm).await;
    let after = crew.view().await;
    let work = crew.work().await;
    let list = work.iter().find(|list| list["list"] == paid).unwrap();
    let (winners, dealers): (Vec<&Value>, Vec<&Value>) =
        list["items"].as_array().unwrap().iter().partition(|item| !item["seat"].is_null());
    for item in winners {
        assert_eq!((&item["kind"], &item["chips"]), (&json!("cage"), &json!([])), "{item}");
        assert_eq!(item["amount"], 50_012);
    }
    // No chips of the players' move at the table: only the dealers are paid their envy.
    let envy: i64 = dealers.iter().map(|item| item["amount"].as_i64().unwrap()).sum();
    let tray = |view: &Value| view["hand"]["tray"].as_i64().unwrap();
    assert_eq!(Crew::racks(&after), Crew::racks(&before));
    assert_eq!(tray(&after), tray(&before) - envy);
    let path = format!("/api/tables/{}/slips/{paid}", crew.table);
    let slip = crew.dan.get(&path).await.unwrap().ok().unwrap();
    let figures = ["shown", "paid", "carried", "from_house"].map(|key| slip[key].clone());
    assert_eq!(figures, [json!(100_025), json!(100_024), json!(1), json!(0)]);
    let said = ["paid_by", "slip", "form", "by_name"].map(|key| slip[key].clone());
    assert_eq!(said, [json!("cage"), json!("C-17"), json!("W-2G 4"), json!("Mx. sue")]);
    assert_eq!(slip["winners"][1], json!({ "seat": 1, "name": "Bea", "amount": 50_012 }));
    assert!(slip["checklist"].as_array().unwrap().iter().all(|line| line["name"] == "Mx. dan"));
    // What the cage pays counts for no limit on cash-outs.
    let path = format!("/api/tables/{}/limits", crew.table);
    let limits = crew.dan.get(&path).await.unwrap().ok().unwrap();
    assert_eq!(limits["seats"][1]["cash_outs"]["used"], 0);
    // The record before it pays nothing.
    let none = format!("/api/tables/{}/slips/{}", crew.table, paid - 1);
    assert_eq!(crew.dan.get(&none).await.unwrap().status, 404);
    // The roll is paid and bets open: what the claim pays is still to be done.
    crew.does(&crew.dan, open_betting()).await;
    let lists = crew.work().await;
    assert_eq!(lists.len(), 1, "{lists:?}");
    assert_eq!((&lists[0]["list"], &lists[0]["done"]), (&json!(paid), &json!(false)));
    crew.does(&crew.dan, json!({ "command": "done", "list": paid })).await;
    assert_eq!(crew.work().await, Vec::<Value>::new());
    let told = crew.history().await;
    let checked: Vec<&Value> = told.iter().filter(|event| event["event"] == "checked").collect();
    assert_eq!(checked.len(), 4, "{told:?}");
    let confirmed = told.iter().find(|event| event["event"] == "confirmed").unwrap();
    assert_eq!((&confirmed["shown"], &confirmed["slip"]), (&json!(100_025), &json!("C-17")));
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn checks_outlive_a_restart_and_a_void_forgets_them() {
    let crew = Crew::open(&progressive()).await;
    crew.hit().await;
    crew.does(&crew.dan, check(1, "dice")).await;
    let crew = crew.restarted().await;
    until(&crew.boss, &crew.table, |view| view["meters"][0]["hits"] != json!([])).await;
    let open = |hand: &Value| {
        let lines = hand["claims"][0]["checklist"].as_array().unwrap().clone();
        lines.iter().filter(|line| line["by"].is_null()).count()
    };
    assert_eq!(open(&crew.hand().await), 3);
    let of = crew.hand().await["last_roll"].clone();
    let correct = json!({ "command": "correct", "of": of, "dice": "6-6", "reason": "same" });
    crew.agreed(correct).await;
    until(&crew.boss, &crew.table, |view| view["meters"][0]["hits"] != json!([])).await;
    // The same dice make a claim of their own, of which nothing was checked.
    let hand = crew.hand().await;
    assert_eq!((&hand["claims"][0]["claim"], open(&hand)), (&json!(2), 4));
    for item in ITEMS {
        crew.does(&crew.dan, check(2, item)).await;
    }
    let before = crew.view().await;
    let paid = crew.does(&crew.boss, json!({ "command": "confirm-claim", "claim": 2 })).await;
    let after = crew.view().await;
    let won: Vec<i64> =
        Crew::racks(&after).iter().zip(Crew::racks(&before)).map(|(a, b)| a - b).collect();
    assert_eq!(won, [50_012, 50_012]);
    let path = format!("/api/tables/{}/slips/{paid}", crew.table);
    let slip = crew.boss.get(&path).await.unwrap().ok().unwrap();
    assert_eq!((&slip["paid_by"], &slip["shown"]), (&json!("tray"), &json!(100_025)));
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn an_award_that_is_held_takes_dice_and_surveillance() {
    let crew = Crew::open(&json!({ "confirm_over": 10_000 })).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    crew.does(&crew.dan, put(0, "all-tall", 500)).await;
    for (place, dice) in TALL.iter().enumerate() {
        if place > 0 {
            crew.does(&crew.dan, open_betting()).await;
        }
        crew.throws(dice).await;
    }
    let confirm = json!({ "command": "confirm-claim", "claim": 1 });
    crew.does(&crew.dee, check(1, "dice")).await;
    assert_eq!(crew.refused(&crew.sue, confirm.clone()).await, "unchecked");
    crew.does(&crew.dee, check(1, "surveillance")).await;
    // More may be checked than has to be.
    crew.does(&crew.dee, check(1, "identity")).await;
    let paid = crew.does(&crew.sue, confirm).await;
    let path = format!("/api/tables/{}/slips/{paid}", crew.table);
    let slip = crew.sue.get(&path).await.unwrap().ok().unwrap();
    assert_eq!((&slip["shown"], &slip["carried"]), (&Value::Null, &Value::Null));
    assert_eq!(slip["checklist"].as_array().unwrap().len(), 3);
    // Players and strangers read no slips.
    let ann = crew.live.account(&crew.boss, "ann", &["player"]).await;
    assert_eq!(ann.get(&path).await.unwrap().status, 403);
    crew.sound().await;
    crew.live.stop().await;
}

/// The winners' money is no longer in their racks: the roll is mended.
#[tokio::test]
async fn a_roll_of_which_the_cage_has_paid_a_claim_is_not_taken_back() {
    let crew = Crew::open(&progressive()).await;
    crew.hit().await;
    for item in ITEMS {
        crew.does(&crew.dan, check(1, item)).await;
    }
    let confirm = json!({ "command": "confirm-claim", "claim": 1, "paid_by": "cage",
                          "slip": "C-17", "form": "W-2G 4" });
    crew.does(&crew.sue, confirm).await;
    let roll = crew.hand().await["last_roll"].clone();
    let roll = roll.as_u64().unwrap();
    let void = json!({ "command": "void", "of": roll, "reason": "cocked" });
    assert_eq!(crew.refused(&crew.dan, void).await, "nothing-to-void");
    let correct = json!({ "command": "correct", "of": roll, "dice": "5-5", "reason": "misread" });
    assert_eq!(crew.refused(&crew.dan, correct).await, "nothing-to-void");
    let lines = crew.suggested(roll, "no-roll", &json!({})).await.unwrap();
    let jackpots: Vec<&Value> = lines.iter().filter(|line| line["wager"] == "fired-up").collect();
    assert!(
        !jackpots.is_empty() && jackpots.iter().any(|line| line["due"] == -50_012),
        "{lines:?}"
    );
    crew.sound().await;
    crew.live.stop().await;
}

/// The stake of a denied jackpot comes back with the denial, and goes again with the roll.
#[tokio::test]
async fn a_roll_is_taken_back_after_its_jackpot_was_denied() {
    for is_done in [false, true] {
        let crew = Crew::open(&progressive()).await;
        crew.hit().await;
        let deny = json!({ "command": "deny-claim", "claim": 1, "reason": "not seen" });
        let denied = crew.agreed_by(&crew.sue, &crew.boss, deny).await;
        if is_done {
            crew.does(&crew.dan, json!({ "command": "done", "list": denied })).await;
        }
        let roll = crew.hand().await["last_roll"].as_u64().unwrap();
        crew.agreed(json!({ "command": "void", "of": roll, "reason": "cocked" })).await;
        let work = crew.work().await;
        let items = work.iter().flat_map(|list| list["items"].as_array().unwrap());
        let stakes: Vec<(&str, i64)> = items
            .filter(|item| item["wager"] == "fired-up" && item["chips"] != json!([]))
            .map(|item| {
                (item["kind"].as_str().unwrap(), item["chips"][0]["amount"].as_i64().unwrap())
            })
            .filter(|(kind, _)| *kind != "put-back")
            .collect();
        let expected = if is_done { vec![("take-back", 100); 2] } else { Vec::new() };
        assert_eq!(stakes, expected, "{work:?}");
        crew.sound().await;
        crew.live.stop().await;
    }
}

/// Each claim of a roll holds its own envy, until it is answered.
#[tokio::test]
async fn the_envy_of_each_claim_is_held_on_a_line_of_its_own() {
    let mut config = progressive();
    config["confirm_over"] = json!(5_000);
    let crew = Crew::open(&config).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    crew.does(&crew.dan, put(0, "fired-up", 100)).await;
    crew.does(&crew.dan, put(1, "all-tall", 500)).await;
    for (place, dice) in TALL.iter().enumerate() {
        if place > 0 {
            crew.does(&crew.dan, open_betting()).await;
        }
        crew.throws(dice).await;
    }
    until(&crew.boss, &crew.table, |view| view["meters"][0]["hits"] != json!([])).await;
    let held = async || -> Vec<i64> {
        let work = crew.work().await;
        let items = work.iter().flat_map(|list| list["items"].as_array().unwrap());
        let dealers = items.filter(|item| item["kind"] == "hold" && item["seat"].is_null());
        dealers.map(|item| item["amount"].as_i64().unwrap()).collect()
    };
    let both = held().await;
    assert_eq!(both.len(), 2, "{both:?}");
    let claims = crew.hand().await["claims"].as_array().unwrap().clone();
    let award = claims.iter().find(|claim| claim["meter"].is_null()).unwrap_or(&claims[1]);
    crew.checks(award).await;
    let confirm = json!({ "command": "confirm-claim", "claim": award["claim"] });
    crew.does(&crew.boss, confirm).await;
    assert_eq!(held().await.len(), 1);
    crew.sound().await;
    crew.live.stop().await;
}
