//! A crew at a real table of today's procedures: rounds, the paying phase, the tray and work
//! lists. A model moves chips by what the work lists say, and has to end with the ledger's.

mod jackpots;
mod mend;
mod meters;
mod sheet;
mod waiting;

use boxman_client::chips::Chips;
use boxman_client::{Client, Value, json};

use crate::live::{Folder, Live, fresh_id, generous, open};

/// A real table with two supervisors and two dealers.
pub(crate) struct Crew {
    pub(crate) live: Live,
    pub(crate) boss: Client,
    pub(crate) sue: Client,
    pub(crate) dan: Client,
    pub(crate) dee: Client,
    pub(crate) table: String,
    _folder: Folder,
}

impl Crew {
    pub(crate) async fn open(more: &Value) -> Crew {
        let folder = Folder::new();
        let limits = boxman_server::Limits { procedures: 1, ..generous() };
        let live = Live::with_limits(&folder.store(), limits).await;
        let boss = live.boss().await;
        let sue = live.account(&boss, "sue", &["supervisor"]).await;
        let dan = live.account(&boss, "dan", &["dealer"]).await;
        let dee = live.account(&boss, "dee", &["dealer"]).await;
        let mut config = json!({
            "name": "Craps 1",
            "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03"],
            "dice": "dealer",
            "two_people_over": 100_000_000,
        });
        config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let table = open(&boss, &config).await;
        Crew { live, boss, sue, dan, dee, table, _folder: folder }
    }

    pub(crate) async fn view(&self) -> Value {
        self.boss.get(&format!("/api/tables/{}", self.table)).await.unwrap().ok().unwrap()
    }

    pub(crate) async fn hand(&self) -> Value {
        self.view().await["hand"].clone()
    }

    pub(crate) async fn round(&self) -> u64 {
        self.hand().await["round"].as_u64().unwrap()
    }

    /// Asks for a round, or for none: the record, or the whole problem.
    pub(crate) async fn asks(
        &self,
        who: &Client,
        round: Option<u64>,
        command: Value,
    ) -> Result<u64, Value> {
        let mut ask = json!({ "id": fresh_id(), "command": command });
        if let Some(round) = round {
            ask["round"] = json!(round);
        }
        let path = format!("/api/tables/{}/commands", self.table);
        let answer = who.post(&path, &ask).await.unwrap();
        match answer.status {
            200 => Ok(answer.json["seq"].as_u64().unwrap()),
            _ => Err(answer.json),
        }
    }

    /// Does something in the present round.
    pub(crate) async fn does(&self, who: &Client, command: Value) -> u64 {
        let round = self.round().await;
        self.asks(who, Some(round), command).await.unwrap_or_else(|problem| panic!("{problem}"))
    }

    /// Asks for something in the present round that has to be refused.
    pub(crate) async fn refused(&self, who: &Client, command: Value) -> String {
        let round = self.round().await;
        let problem = self.asks(who, Some(round), command).await.unwrap_err();
        problem["code"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn seated(&self, dollars: i64) {
        self.does(&self.dan, json!({ "command": "fill", "amount": 1_000_000 })).await;
        for (seat, name) in [(0, "Walter"), (1, "Bea")] {
            let sit = json!({ "command": "sit", "seat": seat, "name": name });
            self.does(&self.dan, sit).await;
            let amount = dollars * 100;
            let buy_in = json!({ "command": "buy-in", "seat": seat, "amount": amount });
            self.does(&self.dan, buy_in).await;
        }
    }

    /// The dice are thrown and keyed.
    pub(crate) async fn throws(&self, dice: &str) -> u64 {
        self.does(&self.dan, json!({ "command": "close-betting" })).await;
        self.does(&self.dan, json!({ "command": "key-roll", "dice": dice })).await
    }

    /// One person asks for it and another agrees.
    pub(crate) async fn agreed(&self, command: Value) -> u64 {
        self.agreed_by(&self.dan, &self.sue, command).await
    }

    async fn agreed_by(&self, asks: &Client, agrees: &Client, command: Value) -> u64 {
        let proposal = self.does(asks, command).await;
        self.does(agrees, json!({ "command": "approve", "proposal": proposal })).await
    }

    /// Everything is checked that has to be before a claim is paid.
    pub(crate) async fn checks(&self, claim: &Value) {
        for line in claim["checklist"].as_array().unwrap() {
            let (claim, item) = (&claim["claim"], &line["item"]);
            let check = json!({ "command": "check", "claim": claim, "item": item });
            self.does(&self.dan, check).await;
        }
    }

    pub(crate) async fn work(&self) -> Vec<Value> {
        let path = format!("/api/tables/{}/work", self.table);
        self.dan.get(&path).await.unwrap().ok().unwrap().as_array().unwrap().clone()
    }

    pub(crate) async fn sound(&self) {
        let verdict = self.boss.get("/api/audit/verify").await.unwrap().ok().unwrap();
        assert_eq!(verdict["ok"], true, "{verdict}");
    }
}

pub(crate) fn put(seat: u8, wager: &str, amount: i64) -> Value {
    json!({ "command": "put", "seat": seat, "wager": wager, "amount": amount })
}

pub(crate) fn open_betting() -> Value {
    json!({ "command": "open-betting" })
}

#[tokio::test]
async fn one_throw_is_booked_once_however_late_the_second_console_is() {
    let crew = Crew::open(&json!({})).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    let round = crew.round().await;
    let close = json!({ "command": "close-betting" });
    crew.asks(&crew.dan, Some(round), close.clone()).await.unwrap();
    let key = |dice: &str| json!({ "command": "key-roll", "dice": dice });
    let booked = crew.asks(&crew.dan, Some(round), key("4-2")).await.unwrap();
    // The other console confirms the same throw: before and after betting opens again.
    for _ in 0..2 {
        for late in [close.clone(), key("4-2"), key("5-3"), json!({ "command": "no-roll" })] {
            let problem = crew.asks(&crew.dee, Some(round), late).await.unwrap_err();
            assert_eq!(
                (&problem["code"], &problem["round"]),
                (&json!("other-roll"), &json!(booked))
            );
            let came = &problem["came"][0];
            assert_eq!((&came["dice"], &came["name"]), (&json!("4-2"), &json!("Mx. dan")));
            assert_eq!((&came["what"], &came["record"]), (&json!("rolled"), &json!(booked)));
        }
        crew.asks(&crew.dee, Some(booked), open_betting()).await.ok();
    }
    assert_eq!(crew.hand().await["rolls"], 1);
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_key_held_back_across_a_void_or_a_no_roll_lands_in_no_other_round() {
    let crew = Crew::open(&json!({})).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    let first = crew.round().await;
    let rolled = crew.throws("4-2").await;
    crew.agreed(json!({ "command": "void", "of": rolled, "reason": "cocked" })).await;
    crew.does(&crew.dan, open_betting()).await;
    crew.does(&crew.dan, json!({ "command": "close-betting" })).await;
    // The roll has the same number as the one that was voided: only the round tells them apart.
    let key = json!({ "command": "key-roll", "dice": "4-2" });
    for held in [first, rolled] {
        let problem = crew.asks(&crew.dee, Some(held), key.clone()).await.unwrap_err();
        assert_eq!(problem["code"], "other-roll", "{problem}");
    }
    let before = crew.round().await;
    crew.does(&crew.dan, json!({ "command": "no-roll" })).await;
    crew.does(&crew.dan, json!({ "command": "close-betting" })).await;
    let problem = crew.asks(&crew.dee, Some(before), key.clone()).await.unwrap_err();
    assert_eq!(problem["code"], "other-roll");
    assert_eq!(problem["came"][0]["what"], "no-roll");
    let now = crew.round().await;
    crew.asks(&crew.dee, Some(now), key).await.unwrap();
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn the_dice_are_passed_once() {
    let crew = Crew::open(&json!({})).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    crew.does(&crew.dan, put(1, "pass", 1000)).await;
    let round = crew.round().await;
    let pass = json!({ "command": "pass-dice" });
    crew.asks(&crew.dan, Some(round), pass.clone()).await.unwrap();
    let problem = crew.asks(&crew.dee, Some(round), pass).await.unwrap_err();
    assert_eq!(problem["code"], "other-roll");
    assert_eq!(crew.hand().await["shooter"], 1);
    crew.live.stop().await;
}

#[tokio::test]
async fn a_crew_names_its_moment_and_a_player_need_not() {
    let crew = Crew::open(&json!({})).await;
    crew.seated(500).await;
    for command in [
        put(0, "pass", 1000),
        json!({ "command": "close-betting" }),
        json!({ "command": "pass-dice" }),
        json!({ "command": "void", "reason": "why" }),
    ] {
        let problem = crew.asks(&crew.dan, None, command).await.unwrap_err();
        assert_eq!(problem["code"], "no-round", "{problem}");
        assert!(problem["round"].is_u64());
    }
    let ann = crew.live.account(&crew.boss, "ann", &["player"]).await;
    crew.asks(&ann, None, json!({ "command": "sit", "seat": 4 })).await.unwrap();
    let buy_in = json!({ "command": "buy-in", "seat": 4, "amount": 50_000 });
    crew.does(&crew.dan, buy_in).await;
    crew.asks(&ann, None, put(4, "pass", 1000)).await.unwrap();
    // A player who does name a round is held to it.
    let old = crew.round().await - 1;
    let problem = crew.asks(&ann, Some(old), put(4, "field", 1000)).await.unwrap_err();
    assert_eq!(problem["code"], "other-roll");
    // So is anybody who names one with a command that need not.
    let buy_in = json!({ "command": "buy-in", "seat": 4, "amount": 100 });
    let problem = crew.asks(&crew.dan, Some(old), buy_in).await.unwrap_err();
    assert_eq!(problem["code"], "other-roll");
    crew.live.stop().await;
}

#[tokio::test]
async fn no_bets_and_no_dice_until_the_last_roll_is_paid() {
    let crew = Crew::open(&json!({})).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    crew.does(&crew.dan, put(1, "field", 1000)).await;
    assert_eq!(crew.refused(&crew.dan, open_betting()).await, "not-paying");
    let rolled = crew.throws("5-6").await;
    let hand = crew.hand().await;
    assert_eq!((&hand["phase"], &hand["betting"]), (&json!("paying"), &json!(false)));
    for early in [
        put(0, "field", 500),
        json!({ "command": "close-betting" }),
        json!({ "command": "key-roll", "dice": "1-1" }),
        json!({ "command": "pass-dice" }),
        json!({ "command": "leave", "seat": 1 }),
        json!({ "command": "cash-out", "seat": 1, "amount": 100 }),
    ] {
        assert_eq!(crew.refused(&crew.dan, early.clone()).await, "being-paid", "{early}");
    }
    // The list says what to do, and is done with the betting that opens.
    let work = crew.work().await;
    assert_eq!((work.len(), &work[0]["list"]), (1, &json!(rolled)));
    crew.does(&crew.dan, open_betting()).await;
    assert!(crew.work().await.is_empty());
    assert_eq!(crew.refused(&crew.dan, open_betting()).await, "not-paying");
    crew.does(&crew.dan, put(0, "field", 500)).await;
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_roll_is_voided_after_later_bets_and_what_to_put_back_stays_until_it_is_done() {
    let crew = Crew::open(&json!({})).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    let before = crew.view().await["seats"].clone();
    let rolled = crew.throws("5-6").await;
    crew.does(&crew.dan, open_betting()).await;
    crew.does(&crew.dan, put(1, "field", 2500)).await;
    let void = crew.agreed(json!({ "command": "void", "of": rolled, "reason": "cocked" })).await;
    assert_eq!(crew.view().await["seats"], before);
    // Each player's ledger comes to the rack, with the bet that was undone in a line of its own.
    for (seat, line) in before.as_array().unwrap().iter().enumerate() {
        let path = format!("/api/tables/{}/ledger?seat={seat}", crew.table);
        let ledger = crew.boss.get(&path).await.unwrap().ok().unwrap();
        let movements = ledger["movements"].as_array().unwrap();
        let sum: i64 = movements.iter().map(|of| of["amount"].as_i64().unwrap()).sum();
        assert_eq!(json!(sum), line["rack"], "{ledger}");
        let undone = |of: &&Value| of["what"] == "void" && of["wager"] == "field";
        assert_eq!(movements.iter().filter(undone).count(), seat, "{ledger}");
    }
    let work = crew.work().await;
    assert_eq!(
        (work.len(), &work[0]["list"], &work[0]["cause"]),
        (1, &json!(void), &json!("voided"))
    );
    let kinds: Vec<&str> = work[0]["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["give-back", "put-back"]);
    // The next roll comes, and the list that is not done stays above its own.
    let done = json!({ "command": "done", "list": void });
    crew.does(&crew.dan, open_betting()).await;
    assert_eq!(crew.refused(&crew.dan, done).await, "list-done");
    // The same roll is not voided a second time.
    let again = json!({ "command": "void", "of": rolled, "reason": "cocked" });
    assert_eq!(crew.refused(&crew.dan, again).await, "other-roll");
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn only_what_was_ticked_off_is_taken_back() {
    let crew = Crew::open(&json!({})).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    crew.does(&crew.dan, put(1, "field", 1000)).await;
    let rolled = crew.throws("5-6").await;
    // Both win; the crew has paid the second only, and every console sees that.
    let mut dan = crew.dan.socket(&crew.table, None).await.unwrap();
    let mut dee = crew.dee.socket(&crew.table, None).await.unwrap();
    let shown = dan.next_of("work").await.unwrap();
    let items = shown["lists"][0]["items"].as_array().unwrap().clone();
    assert_eq!(items.len(), 2);
    dee.next_of("work").await.unwrap();
    let paid = items.iter().find(|item| item["seat"] == 1).unwrap()["item"].clone();
    let tick = json!({ "type": "tick", "list": rolled, "item": paid, "on": true });
    dan.text(&tick.to_string()).await.unwrap();
    let told = dee.next_of("work").await.unwrap();
    let ticked = told["lists"][0]["items"].as_array().unwrap().iter();
    let ticked: Vec<&Value> = ticked.filter(|item| item["ticked"] == true).collect();
    assert_eq!(ticked.iter().map(|item| &item["seat"]).collect::<Vec<_>>(), [&json!(1)]);
    crew.agreed(json!({ "command": "void", "of": rolled, "reason": "cocked" })).await;
    let work = crew.work().await;
    let items = work[0]["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["seat"]), (1, &json!(1)), "{work:?}");
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_tray_that_is_short_keeps_bets_closed_until_a_fill_or_two_people() {
    let crew = Crew::open(&json!({ "confirm_over": 100_000_000 })).await;
    crew.does(&crew.dan, json!({ "command": "fill", "amount": 5_000 })).await;
    crew.does(&crew.dan, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    let chips = json!({ "command": "buy-in", "seat": 0, "amount": 20_000, "kind": "chips" });
    crew.does(&crew.dan, chips).await;
    assert_eq!(crew.hand().await["tray"], 5_000);
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    crew.does(&crew.dan, put(0, "craps 12", 1000)).await;
    // A roll is always booked: $300 are paid out of $50, and the line brings $10.
    crew.throws("6-6").await;
    let hand = crew.hand().await;
    assert_eq!((&hand["tray"], &hand["fill_needed"]), (&json!(-24_000), &json!(24_000)));
    assert_eq!(crew.refused(&crew.dan, open_betting()).await, "fill-needed");
    let credit = json!({ "command": "credit", "amount": 100 });
    assert_eq!(crew.refused(&crew.dan, credit).await, "short-tray");
    crew.agreed(json!({ "command": "accept-tray", "reason": "the fill is on its way" })).await;
    assert_eq!(crew.hand().await["fill_needed"], Value::Null);
    crew.does(&crew.dan, open_betting()).await;
    crew.does(&crew.dan, put(0, "pass", 1000)).await;
    // Short by more than was accepted, it has to be filled.
    crew.does(&crew.dan, put(0, "craps 12", 1000)).await;
    crew.throws("6-6").await;
    assert_eq!(crew.refused(&crew.dan, open_betting()).await, "fill-needed");
    crew.does(&crew.dan, json!({ "command": "fill", "amount": 100_000 })).await;
    crew.does(&crew.dan, open_betting()).await;
    crew.sound().await;
    crew.live.stop().await;
}

/// Numbers that a seed gives.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// The hands of the crew do all that is left to do.
async fn work_off(crew: &Crew, chips: &mut Chips) {
    crew.work().await.iter().for_each(|list| chips.work_off(list).unwrap());
}

/// The ledger has every chip where it lies.
#[track_caller]
fn agree(chips: &Chips, view: &Value) {
    assert_eq!(chips.differs(view), None);
}

/// Chips moved by the work lists alone end where the ledger has them, with voids and corrections
/// before and after betting has opened again, bets made in between, and awards that are held.
#[tokio::test]
async fn chips_moved_by_the_lists_end_where_the_ledger_has_them() {
    const WAGERS: [(&str, i64); 8] = [
        ("pass", 1000),
        ("dont-pass", 1500),
        ("field", 500),
        ("place 6", 1200),
        ("hard 8", 500),
        ("come", 1000),
        ("all-small", 500),
        ("odds", 2000),
    ];
    for seed in 1..=3 {
        let crew = Crew::open(&json!({ "confirm_over": 10_000 })).await;
        let mut dice = Dice(seed);
        let mut chips = Chips::default();
        crew.does(&crew.dan, json!({ "command": "fill", "amount": 90_000_000 })).await;
        chips.tray = 90_000_000;
        for (seat, name) in [(0, "Ann"), (1, "Bob"), (2, "Cy"), (3, "Di")] {
            let sit = json!({ "command": "sit", "seat": seat, "name": name });
            crew.does(&crew.dan, sit).await;
            let buy_in = json!({ "command": "buy-in", "seat": seat, "amount": 200_000 });
            crew.does(&crew.dan, buy_in).await;
            chips.tray -= 200_000;
            chips.racks[seat as usize] = 200_000;
        }
        let (mut voids, mut corrections, mut undone, mut held, mut late) = (0, 0, 0, 0, 0);
        for _ in 0..60 {
            for _ in 0..6 {
                let seat = dice.below(4) as usize;
                let (wager, amount) = WAGERS[dice.below(8) as usize];
                let round = crew.round().await;
                let put = put(seat as u8, wager, amount);
                if crew.asks(&crew.dan, Some(round), put).await.is_ok() {
                    chips.bet(seat, amount);
                }
            }
            // Somebody has to shoot.
            let round = crew.round().await;
            let close = json!({ "command": "close-betting" });
            if crew.asks(&crew.dan, Some(round), close).await.is_err() {
                let shooter = crew.hand().await["shooter"].as_u64().unwrap() as usize;
                crew.does(&crew.dan, put(shooter as u8, "pass", 1000)).await;
                chips.bet(shooter, 1000);
                crew.does(&crew.dan, json!({ "command": "close-betting" })).await;
            }
            let thrown = |dice: &mut Dice| format!("{}-{}", dice.below(6) + 1, dice.below(6) + 1);
            let key = json!({ "command": "key-roll", "dice": thrown(&mut dice) });
            let mut rolled = crew.does(&crew.dan, key).await;
            for _ in 0..2 {
                let early = dice.below(2) == 0;
                if !early {
                    work_off(&crew, &mut chips).await;
                    crew.does(&crew.dan, open_betting()).await;
                    agree(&chips, &crew.view().await);
                    if dice.below(2) == 0 {
                        let seat = dice.below(4) as usize;
                        let round = crew.round().await;
                        let bet = put(seat as u8, "field", 700);
                        if crew.asks(&crew.dee, Some(round), bet).await.is_ok() {
                            chips.bet(seat, 700);
                            undone += 1;
                        }
                    }
                }
                let back = match dice.below(3) {
                    0 => json!({ "command": "void", "of": rolled, "reason": "cocked" }),
                    1 => {
                        let dice = thrown(&mut dice);
                        let why = "misread";
                        json!({ "command": "correct", "of": rolled, "dice": dice, "reason": why })
                    }
                    _ => {
                        if early {
                            work_off(&crew, &mut chips).await;
                            crew.does(&crew.dan, open_betting()).await;
                        }
                        break;
                    }
                };
                let round = crew.round().await;
                let Ok(asked) = crew.asks(&crew.dan, Some(round), back.clone()).await else {
                    break;
                };
                let approve = json!({ "command": "approve", "proposal": asked });
                rolled = crew.does(&crew.sue, approve).await;
                if back["command"] == "void" {
                    voids += 1;
                    work_off(&crew, &mut chips).await;
                    crew.does(&crew.dan, open_betting()).await;
                    break;
                }
                corrections += 1;
            }
            if crew.hand().await["phase"] == "paying" {
                work_off(&crew, &mut chips).await;
                crew.does(&crew.dan, open_betting()).await;
            }
            agree(&chips, &crew.view().await);
            // What is held is confirmed or denied by another than the one who keyed it.
            let claims = crew.hand().await["claims"].as_array().unwrap().clone();
            for claim in claims {
                held += 1;
                let answer = match dice.below(2) {
                    0 => {
                        crew.checks(&claim).await;
                        let by_cage = dice.below(2) == 0;
                        let (by, slip) = if by_cage { ("cage", "17") } else { ("tray", "18") };
                        let confirm = json!({ "command": "confirm-claim",
                            "claim": claim["claim"], "paid_by": by, "slip": slip });
                        crew.does(&crew.boss, confirm).await
                    }
                    _ => {
                        let (claim, reason) = (&claim["claim"], "late");
                        let deny =
                            json!({ "command": "deny-claim", "claim": claim, "reason": reason });
                        let asked = crew.does(&crew.boss, deny).await;
                        crew.does(&crew.sue, json!({ "command": "approve", "proposal": asked }))
                            .await
                    }
                };
                // Some of it is still to be moved when the roll is taken back.
                if dice.below(3) == 0 {
                    let round = crew.round().await;
                    let void = json!({ "command": "void", "of": rolled, "reason": "cocked" });
                    if let Ok(asked) = crew.asks(&crew.dan, Some(round), void).await {
                        let approve = json!({ "command": "approve", "proposal": asked });
                        crew.does(&crew.boss, approve).await;
                        work_off(&crew, &mut chips).await;
                        crew.does(&crew.dan, open_betting()).await;
                        agree(&chips, &crew.view().await);
                        late += 1;
                        break;
                    }
                }
                for list in crew.work().await.iter().filter(|list| list["list"] == answer) {
                    chips.work_off(list).unwrap();
                    crew.does(&crew.dan, json!({ "command": "done", "list": answer })).await;
                }
                agree(&chips, &crew.view().await);
            }
        }
        assert!(
            voids > 3 && corrections > 3 && undone > 3,
            "{voids} {corrections} {undone} {held} {late}"
        );
        crew.sound().await;
        crew.live.stop().await;
    }
}
