//! A session of today's dealing procedures, in which everything happens that they write down.

use std::path::Path;

use boxman_client::{Client, Value, json};

use crate::live::{Live, fresh_id, generous, open};

struct Crew {
    live: Live,
    boss: Client,
    sue: Client,
    dan: Client,
    table: String,
}

impl Crew {
    async fn view(&self) -> Value {
        let path = format!("/api/tables/{}", self.table);
        self.boss.get(&path).await.unwrap().ok().unwrap()
    }

    /// Does something in the present round that must be accepted.
    async fn does(&self, who: &Client, command: Value) -> u64 {
        let round = self.view().await["hand"]["round"].as_u64();
        let answer = who.ask(&self.table, &fresh_id(), round, &command).await.unwrap();
        assert_eq!(answer.status, 200, "{command}: {}", answer.text);
        answer.json["seq"].as_u64().unwrap()
    }

    async fn put(&self, seat: u8, wager: &str, amount: i64) {
        let put = json!({ "command": "put", "seat": seat, "wager": wager, "amount": amount });
        self.does(&self.dan, put).await;
    }

    /// The dice are thrown and keyed; the roll is not paid yet.
    async fn throws(&self, dice: &str) -> u64 {
        self.does(&self.dan, json!({ "command": "close-betting" })).await;
        self.does(&self.dan, json!({ "command": "key-roll", "dice": dice })).await
    }

    async fn paid(&self) {
        self.does(&self.dan, json!({ "command": "open-betting" })).await;
    }

    async fn agree(&self, command: Value) -> u64 {
        let proposal = self.does(&self.boss, command).await;
        self.does(&self.sue, json!({ "command": "approve", "proposal": proposal })).await
    }

    /// A dealer ticks off the first item of a list.
    async fn tick(&self, list: u64) {
        let mut socket = self.dan.socket(&self.table, None).await.unwrap();
        let tick = json!({ "type": "tick", "list": list, "item": 0, "on": true });
        socket.text(&tick.to_string()).await.unwrap();
        loop {
            let work = socket.next_of("work").await.unwrap();
            let lists = work["lists"].as_array().unwrap();
            if lists.iter().any(|list| list["items"][0]["ticked"] == true) {
                return;
            }
        }
    }
}

/// Plays it into a store, which is closed again; gives the export of its table.
pub(super) async fn play(store: &Path) -> Vec<u8> {
    let limits = boxman_server::Limits { procedures: 1, ..generous() };
    let live = Live::with_limits(store, limits).await;
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    let config = json!({
        "name": "Craps 1",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03"],
        "dice": "dealer",
        "confirm_over": 10_000,
        "fills_over": 100_000_000,
        "credits_over": 100_000_000,
        "cash_outs_over": 1_000_000,
        "cash_over": 20_000,
        "markers_over": 500_000,
        "hold_buy_ins": false,
        "paying": true,
    });
    let table = open(&boss, &config).await;
    let crew = Crew { live, boss, sue, dan, table };
    chips_come(&crew).await;
    let corrected = rolls(&crew).await;
    held(&crew).await;
    mends(&crew, corrected).await;
    short_tray(&crew).await;
    chips_go(&crew).await;
    let path = format!("/api/tables/{}/export", crew.table);
    let exported = crew.boss.get(&path).await.unwrap().text.into_bytes();
    crew.live.stop().await;
    exported
}

/// Every kind of buy-in. One crosses the house's limit: the crew says who the player is.
async fn chips_come(crew: &Crew) {
    crew.does(&crew.dan, json!({ "command": "fill", "amount": 200_000 })).await;
    for (seat, kind) in ["cash", "marker", "coupon", "chips"].into_iter().enumerate() {
        let name = format!("Player {seat}");
        let sit = json!({ "command": "sit", "seat": seat, "name": name });
        let sitting = crew.does(&crew.dan, sit).await;
        let mut buy_in = json!({ "command": "buy-in", "seat": seat, "amount": 40_000 });
        buy_in["kind"] = json!(kind);
        crew.does(&crew.dan, buy_in).await;
        if kind == "cash" {
            let link = json!({ "command": "link", "sitting": sitting, "person": "card 1234" });
            crew.does(&crew.dan, link).await;
            let identify = json!({ "command": "identify", "sitting": sitting, "taken": true });
            crew.does(&crew.sue, identify).await;
        }
    }
}

/// Rolls are paid, voided in the middle of it and after later bets, and corrected. Gives the roll
/// that was corrected.
async fn rolls(crew: &Crew) -> u64 {
    crew.put(0, "pass", 1_000).await;
    crew.put(1, "field", 500).await;
    let rolled = crew.throws("4-6").await;
    crew.tick(rolled).await;
    let void = json!({ "command": "void", "of": rolled, "reason": "a cocked die" });
    let voided = crew.agree(void).await;
    crew.does(&crew.dan, json!({ "command": "done", "list": voided })).await;
    crew.paid().await;
    let rolled = crew.throws("2-2").await;
    crew.paid().await;
    crew.put(1, "place 6", 1_200).await;
    let correct = json!({ "command": "correct", "of": rolled, "dice": "3-1", "reason": "misread" });
    let corrected = crew.agree(correct).await;
    crew.paid().await;
    crew.does(&crew.dan, json!({ "command": "close-betting" })).await;
    crew.does(&crew.dan, json!({ "command": "no-roll" })).await;
    corrected
}

/// An earlier roll showed other dice, and a player walked away with too much.
async fn mends(crew: &Crew, roll: u64) {
    let mend = json!({
        "command": "mend", "of": roll, "kind": "dice", "dice": "5-3",
        "reason": "the camera shows it", "video": "camera 4, 21:04",
    });
    let list = crew.agree(mend).await;
    crew.does(&crew.dan, json!({ "command": "done", "list": list })).await;
    let mend = json!({
        "command": "mend", "of": roll, "kind": "wrong-amount",
        "chips": [{ "seat": 1, "amount": 500 }], "reason": "a green chip too many",
    });
    crew.agree(mend).await;
}

/// Awards wait with the envy of their dealers; one is confirmed and one denied.
async fn held(crew: &Crew) {
    crew.throws("3-4").await;
    crew.paid().await;
    crew.put(1, "pass", 1_000).await;
    crew.put(1, "all-small", 2_500).await;
    crew.put(2, "all-small", 500).await;
    for dice in ["2-2", "2-3", "3-3", "1-1", "1-2"] {
        crew.throws(dice).await;
        crew.paid().await;
    }
    let claims = crew.view().await["hand"]["claims"].as_array().unwrap().clone();
    assert_eq!(claims.len(), 2, "{claims:?}");
    for line in claims[0]["checklist"].as_array().unwrap() {
        let (claim, item) = (&claims[0]["claim"], &line["item"]);
        crew.does(&crew.dan, json!({ "command": "check", "claim": claim, "item": item })).await;
    }
    let confirm = json!({ "command": "confirm-claim", "claim": claims[0]["claim"] });
    let list = crew.does(&crew.sue, confirm).await;
    crew.does(&crew.dan, json!({ "command": "done", "list": list })).await;
    let claim = &claims[1]["claim"];
    let deny = json!({ "command": "deny-claim", "claim": claim, "reason": "a late bet" });
    crew.agree(deny).await;
    crew.throws("3-4").await;
    crew.paid().await;
}

/// The tray is short, and two people accept it; then it is filled.
async fn short_tray(crew: &Crew) {
    let tray = crew.view().await["hand"]["tray"].as_i64().unwrap();
    let credit = json!({ "command": "credit", "amount": tray - 1_000 });
    crew.does(&crew.dan, credit).await;
    let shooter = crew.view().await["hand"]["shooter"].as_u64().unwrap();
    crew.put(u8::try_from(shooter).unwrap(), "pass", 1_000).await;
    crew.put(3, "craps 12", 1_000).await;
    crew.throws("6-6").await;
    let accept = json!({ "command": "accept-tray", "reason": "the fill is on its way" });
    crew.agree(accept).await;
    crew.paid().await;
    crew.does(&crew.dan, json!({ "command": "fill", "amount": 500_000 })).await;
}

/// Every kind of cash-out, and a request that nobody has answered.
async fn chips_go(crew: &Crew) {
    for (seat, kind) in ["walk", "redeem", "toke", "left-behind"].into_iter().enumerate() {
        let mut cash_out = json!({ "command": "cash-out", "seat": seat, "amount": 1_000 });
        cash_out["kind"] = json!(kind);
        crew.does(&crew.dan, cash_out).await;
    }
    let shooter = crew.view().await["hand"]["shooter"].as_u64().unwrap();
    crew.put(u8::try_from(shooter).unwrap(), "pass", 1_000).await;
    let rolled = crew.throws("1-3").await;
    let void = json!({ "command": "void", "of": rolled, "reason": "a cocked die" });
    crew.does(&crew.dan, void).await;
}
