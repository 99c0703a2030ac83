//! What takes two people at a real table of today's procedures: a request says what it would
//! change before anybody agrees.

use boxman_client::{Client, Value, json};

use crate::crew::{Crew, open_betting, put};

/// The lines of a request in words.
fn words(request: &Value) -> Vec<String> {
    let lines = request["lines"].as_array().unwrap().iter();
    let or_nothing = |text: &Value| match text.as_str().unwrap() {
        "" => "nothing".to_owned(),
        text => text.to_owned(),
    };
    let line = |line: &Value| {
        let (before, after) = (or_nothing(&line["before"]), or_nothing(&line["after"]));
        format!("{}: {before} → {after}", line["what"].as_str().unwrap())
    };
    lines.map(line).collect()
}

fn configure(of: u64, config: &Value) -> Value {
    json!({ "command": "configure", "of": of, "config": config, "reason": "busy night" })
}

impl Crew {
    async fn configuration(&self) -> Value {
        let path = format!("/api/tables/{}/configuration", self.table);
        self.boss.get(&path).await.unwrap().ok().unwrap()
    }

    /// Asks for something, and gives the number of the request and what it would change.
    async fn requested(&self, who: &Client, command: Value) -> (u64, Vec<String>) {
        let asked = self.does(who, command).await;
        let hand = self.hand().await;
        let mut proposals = hand["proposals"].as_array().unwrap().iter();
        let found = proposals.find(|proposal| proposal["proposal"] == asked).unwrap();
        let lines = words(found);
        // The bell says the same.
        let waiting = self.boss.get("/api/waiting").await.unwrap().ok().unwrap();
        let mut waiting = waiting.as_array().unwrap().iter();
        let rung = waiting.find(|item| item["number"] == asked);
        assert!(rung.is_none_or(|item| words(item) == lines), "{rung:?}");
        (asked, lines)
    }

    async fn agrees(&self, proposal: u64) -> u64 {
        self.does(&self.sue, json!({ "command": "approve", "proposal": proposal })).await
    }
}

#[tokio::test]
async fn a_request_for_chips_says_what_they_come_to() {
    let crew = Crew::open(&json!({ "two_people_over": 100_000 })).await;
    let fill = json!({ "command": "fill", "amount": 5_000_000 });
    let (asked, lines) = crew.requested(&crew.dan, fill).await;
    assert_eq!(lines, ["tray: $0 → $50,000"]);
    crew.agrees(asked).await;
    crew.does(&crew.dee, json!({ "command": "sit", "seat": 2, "name": "Ann" })).await;
    let marker = json!({ "command": "buy-in", "seat": 2, "amount": 200_050, "kind": "marker" });
    let (asked, lines) = crew.requested(&crew.dee, marker).await;
    assert_eq!(
        lines,
        [
            "paid for $2,000.50 in chips: nothing → a marker",
            "rack of seat 3, Ann: $0 → $2,000.50",
            "tray: $50,000 → $47,999.50"
        ]
    );
    crew.agrees(asked).await;
    let cash_out = json!({ "command": "cash-out", "seat": 2, "amount": 150_000, "kind": "redeem" });
    let (asked, lines) = crew.requested(&crew.dee, cash_out).await;
    assert_eq!(lines[0], "$1,500 in chips: nothing → redeemed at the table");
    assert!(lines.contains(&"rack of seat 3, Ann: $2,000.50 → $500.50".to_owned()), "{lines:?}");
    crew.does(&crew.dee, json!({ "command": "withdraw", "proposal": asked })).await;
    let (asked, lines) = crew.requested(&crew.dee, json!({ "command": "leave", "seat": 2 })).await;
    assert_eq!(
        lines,
        [
            "chips of the player: nothing → the player takes them along",
            "player of seat 3: Ann → nothing",
            "rack of seat 3, Ann: $2,000.50 → nothing"
        ]
    );
    crew.does(&crew.dee, json!({ "command": "withdraw", "proposal": asked })).await;
    crew.does(&crew.dee, put(2, "pass", 1_000)).await;
    crew.throws("4-2").await;
    crew.does(&crew.dee, open_betting()).await;
    let give_up = json!({ "command": "give-up-seat", "seat": 2, "reason": "went home" });
    let (asked, lines) = crew.requested(&crew.dee, give_up).await;
    // The bet has come down already when another person reads it.
    let rack = "rack of seat 3, Ann: $2,000.50 → nothing".to_owned();
    assert!(lines.contains(&rack), "{lines:?}");
    assert!(lines.iter().all(|line| !line.starts_with("pass of")), "{lines:?}");
    crew.agrees(asked).await;
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_void_and_a_correction_say_which_bets_change_and_which_are_undone() {
    let crew = Crew::open(&json!({ "paying": false })).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    let rolled = crew.throws("4-2").await;
    crew.does(&crew.dan, put(0, "odds", 2_000)).await;
    crew.does(&crew.dan, put(1, "field", 500)).await;
    let void = json!({ "command": "void", "of": rolled, "reason": "cocked" });
    let (asked, lines) = crew.requested(&crew.dan, void).await;
    assert_eq!(
        lines,
        [
            "last roll: 4-2 → does not count",
            "rolls that count: 1 → 0",
            "puck: ON 6 → OFF",
            "lammers of all-small: 6 → nothing",
            "lammers of make-em-all: 6 → nothing",
            "rack of seat 1, Walter: $470 → $490",
            "odds of seat 1, Walter, changed since the roll: $20 → nothing",
            "rack of seat 2, Bea: $495 → $500",
            "field of seat 2, Bea, changed since the roll: $5 → nothing",
        ],
        "{lines:#?}"
    );
    crew.does(&crew.dan, json!({ "command": "withdraw", "proposal": asked })).await;
    let correct =
        json!({ "command": "correct", "of": rolled, "dice": "3-4", "reason": "misread" });
    let (asked, lines) = crew.requested(&crew.dan, correct).await;
    for line in [
        "last roll: 4-2 → 3-4",
        "rack of seat 1, Walter: $470 → $510",
        "odds of seat 1, Walter, changed since the roll: $20 → nothing",
        "tray: $9,000 → $8,990",
    ] {
        assert!(lines.contains(&line.to_owned()), "{line}: {lines:#?}");
    }
    crew.agrees(asked).await;
    // The history tells them too, and an audit derives them again.
    let path = format!("/api/tables/{}/history?after={}&limit=1", crew.table, asked - 1);
    let told = crew.boss.get(&path).await.unwrap().ok().unwrap();
    let event = &told["updates"][0]["events"][0];
    assert_eq!((&event["event"], words(event)), (&json!("proposed"), lines));
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_denial_an_accepted_tray_and_a_configuration_say_what_they_change() {
    let crew = Crew::open(&json!({ "confirm_over": 10_000, "paying": false })).await;
    crew.does(&crew.dan, json!({ "command": "fill", "amount": 5_000 })).await;
    crew.does(&crew.dan, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    let chips = json!({ "command": "buy-in", "seat": 0, "amount": 20_000, "kind": "chips" });
    crew.does(&crew.dan, chips).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    crew.does(&crew.dan, put(0, "craps 12", 1_000)).await;
    crew.throws("6-6").await;
    let accept = json!({ "command": "accept-tray", "reason": "the fill is on its way" });
    let (asked, lines) = crew.requested(&crew.dan, accept).await;
    assert_eq!(lines, ["bets while the tray is $240 short: closed → open"]);
    crew.agrees(asked).await;
    let mut config = crew.view().await["config"].clone();
    config["limits"] = json!({ "pass": { "min": 1_500, "max": null, "unit": null } });
    config["seats"] = json!(12);
    config["betting_during_claims"] = json!(true);
    config["confirm_over"] = Value::Null;
    let configure = configure(1, &config);
    let (_, lines) = crew.requested(&crew.sue, configure).await;
    let shown: Vec<&String> = lines.iter().filter(|line| !line.starts_with("hash of")).collect();
    assert_eq!(
        shown,
        [
            "betting_during_claims: no → yes",
            "confirm_over: $100 → nothing",
            "seats: 16 → 12",
            "limits.pass.min: nothing → $15",
        ]
    );
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn of_two_configurations_the_later_does_not_undo_the_earlier() {
    let crew = Crew::open(&json!({})).await;
    let before = crew.configuration().await;
    assert_eq!((&before["configuration"], &before["waiting"]), (&json!(1), &Value::Null));
    let with = |key: &str, value: Value| {
        let mut config = before["in_force"].clone();
        config[key] = value;
        config
    };
    let (seats, slow) = (with("seats", json!(12)), with("betting_seconds", json!(60)));
    // A crew says which configuration it changes.
    let mut unnamed = configure(1, &seats);
    unnamed.as_object_mut().unwrap().remove("of");
    assert_eq!(crew.refused(&crew.sue, unnamed).await, "no-configuration");
    // Two ask at once, and one is agreed to. A bet keeps it from being applied.
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    let (first, lines) = crew.requested(&crew.boss, configure(1, &seats)).await;
    assert_eq!(lines, ["seats: 16 → 12"]);
    let (second, lines) = crew.requested(&crew.boss, configure(1, &slow)).await;
    assert_eq!(lines, ["betting_seconds: nothing → 60"]);
    let set = crew.agrees(first).await;
    let round = crew.round().await;
    let approve = json!({ "command": "approve", "proposal": second });
    for late in [approve, configure(1, &slow)] {
        let problem = crew.asks(&crew.sue, Some(round), late).await.unwrap_err();
        assert_eq!((&problem["status"], &problem["code"]), (&json!(409), &json!("out-of-date")));
        assert_eq!(words(&problem), ["seats: 16 → 12"]);
    }
    // Asked again, of the one that waits, both hold.
    let now = crew.configuration().await;
    assert_eq!((&now["configuration"], &now["waiting"]["seats"]), (&json!(set), &json!(12)));
    assert_eq!((&crew.hand().await["configuration"], &now["in_force"]), (&json!(set), &before["in_force"]));
    let mut both = now["waiting"].clone();
    both["betting_seconds"] = json!(60);
    let (third, lines) = crew.requested(&crew.boss, configure(set, &both)).await;
    assert_eq!(lines, ["betting_seconds: nothing → 60"]);
    let set = crew.agrees(third).await;
    crew.throws("6-1").await;
    crew.does(&crew.dan, open_betting()).await;
    let took = json!({ "command": "take", "seat": 0, "wager": "pass" });
    let round = crew.round().await;
    crew.asks(&crew.dan, Some(round), took).await.ok();
    let mut now = crew.configuration().await;
    for _ in 0..500 {
        if now["waiting"] == Value::Null {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        now = crew.configuration().await;
    }
    assert_eq!((&now["in_force"], &now["waiting"]), (&both, &Value::Null));
    // It is the same configuration, in force or waiting.
    assert_eq!(now["configuration"], set);
    crew.sound().await;
    crew.live.stop().await;
}
