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
    let limits = json!({
        "two_people_over": 100_000, "markers_over": 100_000, "hold_buy_ins": true,
    });
    let crew = Crew::open(&limits).await;
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
    // Nothing comes down before another person has read it.
    for line in ["rack of seat 3, Ann: $1,990.50 → nothing", "pass of seat 3, Ann: $10 → nothing"]
    {
        assert!(lines.iter().any(|other| other == line), "{lines:?}");
    }
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
    let is_lammers = |line: &String| line.starts_with("lammers of ");
    let others: Vec<String> = lines.into_iter().filter(|line| !is_lammers(line)).collect();
    assert_eq!(
        others,
        [
            "last roll: 4-2 → does not count",
            "rolls that count: 1 → 0",
            "puck: ON 6 → OFF",
            "rack of seat 1, Walter: $470 → $490",
            "odds pass of seat 1, Walter, changed since the roll: $20 → nothing",
            "rack of seat 2, Bea: $495 → $500",
            "field of seat 2, Bea, changed since the roll: $5 → nothing",
        ],
        "{others:#?}"
    );
    crew.does(&crew.dan, json!({ "command": "withdraw", "proposal": asked })).await;
    let correct = json!({ "command": "correct", "of": rolled, "dice": "3-4", "reason": "misread" });
    let (asked, lines) = crew.requested(&crew.dan, correct).await;
    for line in [
        "last roll: 4-2 → 3-4",
        "rack of seat 1, Walter: $470 → $510",
        "odds pass of seat 1, Walter, changed since the roll: $20 → nothing",
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
    config["limits"] = json!({ "dont-pass": { "min": 1_500, "max": null, "unit": null } });
    config["seats"] = json!(12);
    config["betting_during_claims"] = json!(true);
    for key in ["confirm_over", "two_people_over"] {
        config[key] = Value::Null;
    }
    config["options"] = json!({ "payout-unit": "1" });
    let configure = configure(1, &config);
    let (_, lines) = crew.requested(&crew.sue, configure).await;
    // In plain words, and with what applies where nothing is set.
    assert_eq!(
        lines,
        [
            "seats: 16 → 12",
            "awards wait above: $100 → $5,000",
            "bets and dice while a claim waits: no → yes",
            "two people for fills above: $1,000,000 → $10,000",
            "two people for credits above: $1,000,000 → $10,000",
            "two people for cash-outs above: $1,000,000 → $10,000",
            "winnings are paid in steps of: as the rulebook says → $1",
            "Don't Pass: minimum: as the rulebook says → $15",
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
    assert_eq!(lines, ["betting closes by itself: no → after 60 seconds"]);
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
    assert_eq!(
        (&crew.hand().await["configuration"], &now["in_force"]),
        (&json!(set), &before["in_force"])
    );
    let mut both = now["waiting"].clone();
    both["betting_seconds"] = json!(60);
    let (third, lines) = crew.requested(&crew.boss, configure(set, &both)).await;
    assert_eq!(lines, ["betting closes by itself: no → after 60 seconds"]);
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

/// A table at which an award waits to be confirmed: its claim.
async fn holding(crew: &Crew) -> u64 {
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    crew.does(&crew.dan, put(1, "all-small", 500)).await;
    for dice in ["4-4", "1-1", "1-2", "2-2", "2-3", "3-3"] {
        crew.throws(dice).await;
    }
    let claim = crew.hand().await["claims"][0].clone();
    crew.checks(&claim).await;
    claim["claim"].as_u64().unwrap()
}

#[tokio::test]
async fn a_denial_that_is_asked_for_stops_the_confirmation_and_the_other_way_round() {
    let crew = Crew::open(&json!({ "confirm_over": 10_000, "paying": false })).await;
    let claim = holding(&crew).await;
    let confirm = json!({ "command": "confirm-claim", "claim": claim });
    let deny = json!({ "command": "deny-claim", "claim": claim, "reason": "a late bet" });
    let (asked, lines) = crew.requested(&crew.boss, deny.clone()).await;
    // The stake came back with the roll: only what is held would go.
    let award = "award on all small of seat 2, Bea: $150 held → nothing";
    assert!(lines[0].contains(award), "{lines:?}");
    assert!(lines[1].contains("held for the dealers"), "{lines:?}");
    // Neither is it confirmed, nor asked for twice.
    assert_eq!(crew.refused(&crew.sue, confirm.clone()).await, "denial-open");
    assert_eq!(crew.refused(&crew.sue, deny.clone()).await, "denial-open");
    // Withdrawn, it is confirmed, and nothing is left to deny.
    let withdraw = json!({ "command": "withdraw", "proposal": asked, "reason": "it was on time" });
    crew.does(&crew.sue, withdraw).await;
    crew.does(&crew.sue, confirm.clone()).await;
    assert_eq!(crew.refused(&crew.boss, deny).await, "no-such-claim");
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn of_a_denial_and_a_confirmation_at_once_one_is_refused() {
    for seed in 0..4 {
        let crew = Crew::open(&json!({ "confirm_over": 10_000, "paying": false })).await;
        let claim = holding(&crew).await;
        let confirm = json!({ "command": "confirm-claim", "claim": claim });
        let deny = json!({ "command": "deny-claim", "claim": claim, "reason": "a late bet" });
        let round = Some(crew.round().await);
        let (confirmed, denied) = match seed % 2 {
            0 => tokio::join!(
                crew.asks(&crew.sue, round, confirm),
                crew.asks(&crew.boss, round, deny)
            ),
            _ => {
                let (denied, confirmed) = tokio::join!(
                    crew.asks(&crew.boss, round, deny),
                    crew.asks(&crew.sue, round, confirm)
                );
                (confirmed, denied)
            }
        };
        assert_ne!(confirmed.is_ok(), denied.is_ok(), "{confirmed:?} {denied:?}");
        let code = confirmed.err().or(denied.err()).unwrap()["code"].clone();
        assert!(code == "denial-open" || code == "no-such-claim", "{code}");
        crew.sound().await;
        crew.live.stop().await;
    }
}

#[tokio::test]
async fn a_void_takes_the_denial_of_its_claim_with_it() {
    let crew = Crew::open(&json!({ "confirm_over": 10_000, "paying": false })).await;
    let claim = holding(&crew).await;
    let deny = json!({ "command": "deny-claim", "claim": claim, "reason": "a late bet" });
    crew.does(&crew.boss, deny).await;
    let of = crew.hand().await["last_roll"].clone();
    crew.agreed(json!({ "command": "void", "of": of, "reason": "cocked" })).await;
    assert_eq!(crew.hand().await["proposals"], json!([]));
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn whoever_withdraws_the_request_of_another_says_why_and_they_are_told() {
    let crew = Crew::open(&json!({ "two_people_over": 100_000 })).await;
    let fill = json!({ "command": "fill", "amount": 5_000_000 });
    let asked = crew.does(&crew.dan, fill.clone()).await;
    let mut withdraw = json!({ "command": "withdraw", "proposal": asked });
    assert_eq!(crew.refused(&crew.sue, withdraw.clone()).await, "no-reason");
    withdraw["reason"] = json!("  ");
    assert_eq!(crew.refused(&crew.sue, withdraw.clone()).await, "no-reason");
    withdraw["reason"] = json!("the cage is closed");
    let mut console = crew.dee.socket(&crew.table, None).await.unwrap();
    let record = crew.does(&crew.sue, withdraw).await;
    // Every console hears it, and so does the bell of the one who asked, and no other.
    let heard = loop {
        let update = console.next_of("update").await.unwrap();
        if update["seq"] == record {
            break update;
        }
    };
    let event = &heard["events"][0];
    assert_eq!(
        (&event["event"], &event["reason"]),
        (&json!("withdrawn"), &json!("the cage is closed"))
    );
    let rings = async |who: &Client| {
        who.get("/api/waiting").await.unwrap().ok().unwrap().as_array().unwrap().clone()
    };
    let told = rings(&crew.dan).await;
    assert_eq!((told.len(), &told[0]["kind"]), (1, &json!("withdrawn")), "{told:?}");
    assert_eq!((&told[0]["what"], &told[0]["by"]), (&json!("fill of $50,000"), &json!("Mx. sue")));
    assert_eq!(
        (&told[0]["reason"], &told[0]["number"]),
        (&json!("the cage is closed"), &json!(asked))
    );
    assert!(rings(&crew.boss).await.is_empty() && rings(&crew.sue).await.is_empty());
    // One's own is withdrawn without a word.
    let asked = crew.does(&crew.dan, fill).await;
    crew.does(&crew.dan, json!({ "command": "withdraw", "proposal": asked })).await;
    assert_eq!(rings(&crew.dan).await.len(), 1);
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_table_is_closed_by_two_once_nothing_is_left_there() {
    let crew = Crew::open(&json!({})).await;
    let close = json!({ "command": "close", "reason": "the game moves" });
    let problem = |problem: Value| {
        let remains = problem["remains"].as_array().unwrap().clone();
        let detail = problem["detail"].as_str().unwrap().to_owned();
        assert_eq!(problem["code"], "not-empty", "{problem}");
        for one in &remains {
            assert!(detail.contains(one["todo"].as_str().unwrap()), "{detail}");
        }
        let kind = |one: &Value| (one["kind"].clone(), one["what"].clone(), one["amount"].clone());
        remains.iter().map(kind).collect::<Vec<_>>()
    };
    let no_reason = json!({ "command": "close" });
    assert_eq!(crew.refused(&crew.sue, no_reason).await, "no-reason");
    assert_eq!(crew.refused(&crew.dan, close.clone()).await, "forbidden");
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    let fill = json!({ "command": "fill", "amount": 200_000_000 });
    let asked = crew.does(&crew.dan, fill).await;
    let round = Some(crew.round().await);
    let refused = problem(crew.asks(&crew.sue, round, close.clone()).await.unwrap_err());
    assert_eq!(
        refused,
        [
            (json!("bets"), json!("bets of seat 1, Walter"), json!(1_000)),
            (json!("rack"), json!("rack of seat 1, Walter"), json!(49_000)),
            (json!("rack"), json!("rack of seat 2, Bea"), json!(50_000)),
            (
                json!("request"),
                json!(format!("request of record {asked}, fill of $2,000,000")),
                Value::Null
            ),
            (json!("tray"), json!("the tray"), json!(900_000)),
        ]
    );
    // Each is dealt with.
    crew.does(&crew.dan, json!({ "command": "withdraw", "proposal": asked })).await;
    crew.throws("6-1").await;
    let round = Some(crew.round().await);
    let refused = problem(crew.asks(&crew.sue, round, close.clone()).await.unwrap_err());
    assert_eq!(refused[0], (json!("paying"), json!("the last roll"), Value::Null));
    crew.does(&crew.dan, open_betting()).await;
    for seat in [0, 1] {
        let reason = "the game moves";
        let give_up = json!({ "command": "give-up-seat", "seat": seat, "reason": reason });
        crew.does(&crew.dan, give_up).await;
    }
    let tray = crew.hand().await["tray"].as_i64().unwrap();
    crew.does(&crew.dan, json!({ "command": "credit", "amount": tray })).await;
    let (asked, lines) = crew.requested(&crew.boss, close.clone()).await;
    assert_eq!(lines, ["table: open → closed for good"]);
    assert_eq!(crew.refused(&crew.sue, close.clone()).await, "proposal-open");
    let approve = json!({ "command": "approve", "proposal": asked });
    assert_eq!(crew.refused(&crew.boss, approve.clone()).await, "same-person");
    // Somebody buys in before it is agreed to.
    crew.does(&crew.dan, json!({ "command": "sit", "seat": 0, "name": "Ann" })).await;
    crew.does(&crew.dan, json!({ "command": "buy-in", "seat": 0, "amount": 100, "kind": "chips" }))
        .await;
    let round = Some(crew.round().await);
    let refused = problem(crew.asks(&crew.sue, round, approve.clone()).await.unwrap_err());
    assert_eq!(refused, [(json!("rack"), json!("rack of seat 1, Ann"), json!(100))]);
    crew.does(&crew.dan, json!({ "command": "leave", "seat": 0 })).await;
    crew.does(&crew.sue, approve).await;
    let view = crew.view().await;
    assert_eq!((&view["hand"]["status"], &view["hand"]["tray"]), (&json!("closed"), &json!(0)));
    assert_eq!(crew.refused(&crew.sue, close).await, "table-closed");
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_table_is_not_closed_while_its_own_meter_has_players_money() {
    let more = json!({
        "rules": ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
    });
    let crew = Crew::open(&more).await;
    crew.does(&crew.dan, json!({ "command": "fill", "amount": 50_000 })).await;
    crew.does(&crew.dan, json!({ "command": "sit", "seat": 0, "name": "Ann" })).await;
    let chips = json!({ "command": "buy-in", "seat": 0, "amount": 10_000, "kind": "chips" });
    crew.does(&crew.dan, chips).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    crew.does(&crew.dan, put(0, "fired-up", 100)).await;
    crew.throws("3-4").await;
    crew.does(&crew.dan, open_betting()).await;
    crew.does(&crew.dan, json!({ "command": "give-up-seat", "seat": 0, "reason": "late" })).await;
    let tray = crew.hand().await["tray"].as_i64().unwrap();
    if tray > 0 {
        crew.does(&crew.dan, json!({ "command": "credit", "amount": tray })).await;
    }
    let close = json!({ "command": "close", "reason": "the game moves" });
    let mut problem = Value::Null;
    for _ in 0..100 {
        let round = Some(crew.round().await);
        problem = crew.asks(&crew.sue, round, close.clone()).await.unwrap_err();
        if problem["remains"][0]["amount"].is_i64() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let remains = &problem["remains"];
    assert_eq!(
        (&remains[0]["kind"], &remains[0]["amount"]),
        (&json!("meter"), &json!(15)),
        "{problem}"
    );
    assert_eq!(remains.as_array().unwrap().len(), 1);
    crew.sound().await;
    crew.live.stop().await;
}
