//! Mending earlier rolls: what is suggested, who agrees, and what makes a request out of date.

use std::sync::Arc;

use boxman_server::testing::house::House;
use boxman_server::testing::id::TableId;
use boxman_server::testing::log::{Entry, Stream, TableEntry};
use boxman_server::testing::room::Visit;
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Sqlite, Store};
use boxman_server::testing::table::LiveTable;
use craps::Library;

use super::*;

fn mend(of: u64, kind: &str, more: &Value) -> Value {
    let mut mend = json!({
        "command": "mend", "of": of, "kind": kind, "reason": "surveillance has seen it",
    });
    mend.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    mend
}

/// A line in short: part, seat, wager, place, due and amount.
fn short(line: &Value) -> (String, Option<u64>, String, String, i64, i64) {
    let text = |name: &str| line[name].as_str().unwrap().to_owned();
    let cents = |name: &str| line[name].as_i64().unwrap();
    let seat = line["seat"].as_u64();
    (text("part"), seat, text("wager"), text("place"), cents("due"), cents("amount"))
}

impl Crew {
    pub(super) async fn suggested(
        &self,
        of: u64,
        kind: &str,
        more: &Value,
    ) -> Result<Vec<Value>, String> {
        let mut question = json!({ "of": of, "kind": kind });
        question.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let path = format!("/api/tables/{}/mend/suggest", self.table);
        let answer = self.dan.post(&path, &question).await.unwrap();
        match answer.status {
            200 => Ok(answer.json.as_array().unwrap().clone()),
            _ => Err(answer.json["code"].as_str().unwrap().to_owned()),
        }
    }

    async fn rack(&self, seat: usize) -> i64 {
        self.view().await["seats"][seat]["rack"].as_i64().unwrap()
    }

    /// Walter has the point 8 and Hard 6 for $5; 3-3 is keyed, and the dice go on.
    async fn keyed_wrong(&self) -> u64 {
        self.seated(500).await;
        self.does(&self.dan, put(0, "pass", 1000)).await;
        self.throws("4-4").await;
        self.does(&self.dan, open_betting()).await;
        self.does(&self.dan, put(0, "hard 6", 500)).await;
        self.does(&self.dan, put(1, "field", 1000)).await;
        let wrong = self.throws("3-3").await;
        self.does(&self.dan, open_betting()).await;
        self.throws("5-5").await;
        self.does(&self.dan, open_betting()).await;
        wrong
    }
}

#[tokio::test]
async fn an_earlier_roll_is_mended_by_two_people() {
    let crew = Crew::open(&json!({})).await;
    let wrong = crew.keyed_wrong().await;
    let dice = json!({ "dice": "4-2" });
    let lines = crew.suggested(wrong, "dice", &dice).await.unwrap();
    let told: Vec<_> = lines.iter().map(short).collect();
    let line = |part: &str, place: &str, amount: i64| {
        (part.to_owned(), Some(0), "hard 6".to_owned(), place.to_owned(), amount, amount)
    };
    assert_eq!(told, [line("winnings", "rack", -4500), line("bet-lost", "felt", 500)]);
    let before = (crew.rack(0).await, crew.hand().await);
    // The players' money is not touched until another supervisor agrees.
    let asked = crew.does(&crew.dan, mend(wrong, "dice", &dice)).await;
    assert_eq!(crew.rack(0).await, before.0);
    let proposal = crew.hand().await["proposals"][0].clone();
    assert_eq!(proposal["what"], "mend roll 2, keyed 3-3: showed 4-2");
    let lines = proposal["lines"].as_array().unwrap();
    assert_eq!(lines[0], json!({ "what": "Roll 2", "before": "keyed 3-3", "after": "showed 4-2" }));
    let winnings = json!({
        "what": "Walter (seat 1), hard 6: winnings",
        "before": "suggested -$45",
        "after": "-$45",
    });
    assert_eq!(lines[1], winnings);
    let approve = json!({ "command": "approve", "proposal": asked });
    let round = Some(crew.round().await);
    let code = crew.asks(&crew.dan, round, approve.clone()).await.unwrap_err()["code"].clone();
    assert_eq!(code, "forbidden");
    let agreed = crew.does(&crew.sue, approve).await;
    assert_eq!(crew.rack(0).await, before.0 - 4500);
    // The bet is gone and nothing else of the game is.
    let view = crew.view().await;
    let bets = view["seats"][0]["bets"].as_array().unwrap();
    assert!(bets.iter().all(|bet| bet["wager"] != "hard 6"), "{bets:?}");
    for same in ["puck", "rolls", "shooter", "trackers", "round", "phase", "hand_rolls"] {
        assert_eq!(view["hand"][same], before.1[same], "{same}");
    }
    // What is to be moved stays until it is done, whatever is rolled.
    let work = crew.work().await;
    let list = work.iter().find(|list| list["list"] == json!(agreed)).unwrap();
    assert_eq!((&list["cause"], &list["what"]), (&json!("mended"), &json!("showed 4-2")));
    let items: Vec<(&str, i64)> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["kind"].as_str().unwrap(), item["amount"].as_i64().unwrap()))
        .collect();
    assert_eq!(items, [("take-back", 4500), ("take-back", 500)]);
    crew.throws("6-5").await;
    crew.does(&crew.dan, open_betting()).await;
    assert_eq!(crew.work().await[0]["list"], json!(agreed));
    crew.does(&crew.dan, json!({ "command": "done", "list": agreed })).await;
    assert!(crew.work().await.is_empty());
    // Mended once, there is nothing left to mend; that the throw did not count brings it back.
    assert_eq!(crew.suggested(wrong, "dice", &dice).await.unwrap_err(), "out-of-date");
    let back = crew.suggested(wrong, "no-roll", &json!({})).await.unwrap();
    let back: Vec<_> = back.iter().map(short).collect();
    let line = |seat: u64, part: &str, wager: &str, amount: i64| {
        (part.to_owned(), Some(seat), wager.to_owned(), "rack".to_owned(), amount, amount)
    };
    assert_eq!(back, [line(0, "stake", "hard 6", 500), line(1, "stake", "field", 1000)]);
    crew.sound().await;
    // Reports have it on a line of its own, and history marks the roll.
    let report = crew.boss.get("/api/reports").await.unwrap().ok().unwrap();
    let held = &report["days"][0]["held"];
    assert_eq!((&held["mends"], &held["adjusted"]), (&json!(1), &json!(5000)));
    let path = format!("/api/tables/{}/hands", crew.table);
    let hands = crew.boss.get(&path).await.unwrap().ok().unwrap();
    let mark = json!({ "of": wrong, "keyed": "3-3", "what": "showed 4-2" });
    assert_eq!(hands[0]["mended"][0], mark);
    let path = format!("/api/tables/{}/ledger?seat=0&kind=mend", crew.table);
    let ledger = crew.boss.get(&path).await.unwrap().ok().unwrap();
    let amounts: Vec<i64> = ledger["movements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|movement| movement["amount"].as_i64().unwrap())
        .collect();
    assert_eq!(amounts, [0, -4500]);
    crew.live.stop().await;
}

#[tokio::test]
async fn the_two_people_may_change_any_line() {
    let crew = Crew::open(&json!({})).await;
    let wrong = crew.keyed_wrong().await;
    let mut lines = crew.suggested(wrong, "dice", &json!({ "dice": "4-2" })).await.unwrap();
    lines[0]["amount"] = json!(-1000);
    lines[1]["amount"] = json!(0);
    // What the server knows better than a page it says itself.
    lines[0]["due"] = json!(77);
    lines[0]["name"] = json!("Mallory");
    let (rack, more) =
        (crew.rack(0).await, json!({ "dice": "4-2", "lines": lines, "video": "cam 3" }));
    let asked = crew.does(&crew.dan, mend(wrong, "dice", &more)).await;
    let shown = crew.hand().await["proposals"][0]["lines"].clone();
    assert_eq!(shown[1]["what"], "Walter (seat 1), hard 6: winnings");
    assert_eq!(
        (&shown[1]["before"], &shown[1]["after"]),
        (&json!("suggested -$45"), &json!("-$10"))
    );
    crew.does(&crew.sue, json!({ "command": "approve", "proposal": asked })).await;
    assert_eq!(crew.rack(0).await, rack - 1000);
    // The rest is still due.
    let rest = crew.suggested(wrong, "no-roll", &json!({})).await.unwrap();
    assert_eq!(short(&rest[0]).4, -3500);
    for (place, amount, code) in [("felt", -100, "malformed"), ("rack", -1_000_000, "short-rack")] {
        lines[0]["place"] = json!(place);
        lines[0]["amount"] = json!(amount);
        let more = json!({ "lines": [lines[0]] });
        assert_eq!(crew.refused(&crew.dan, mend(wrong, "no-roll", &more)).await, code);
    }
    // Walter is still there: the cage does not pay him, and he has walked away with nothing.
    lines[0]["place"] = json!("cage");
    lines[0]["amount"] = json!(100);
    let chips = json!({ "part": "chips", "seat": 0, "place": "walked", "amount": 500 });
    for line in [&lines[0], &chips] {
        let more = json!({ "lines": [line] });
        let code = crew.refused(&crew.dan, mend(wrong, "no-roll", &more)).await;
        assert_eq!(code, "player-here", "{line}");
    }
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_mend_that_came_too_late_is_out_of_date() {
    let crew = Crew::open(&json!({})).await;
    let wrong = crew.keyed_wrong().await;
    let dice = json!({ "dice": "4-2" });
    let ask = async || crew.does(&crew.dan, mend(wrong, "dice", &dice)).await;
    let (first, second) = (ask().await, ask().await);
    let approve = |proposal: u64| json!({ "command": "approve", "proposal": proposal });
    // The bet that was to come down is decided in the meantime.
    crew.throws("3-3").await;
    crew.does(&crew.dan, open_betting()).await;
    assert_eq!(crew.refused(&crew.sue, approve(first)).await, "out-of-date");
    crew.does(&crew.dan, json!({ "command": "withdraw", "proposal": first })).await;
    crew.does(&crew.dan, json!({ "command": "withdraw", "proposal": second })).await;
    // Decided since, its stake is not asked for.
    let lines = crew.suggested(wrong, "dice", &dice).await.unwrap();
    assert_eq!(lines.iter().map(|line| short(line).0).collect::<Vec<_>>(), ["winnings"]);
    let (first, second) = (ask().await, ask().await);
    crew.does(&crew.sue, approve(first)).await;
    assert_eq!(crew.refused(&crew.sue, approve(second)).await, "out-of-date");
    crew.does(&crew.dan, json!({ "command": "withdraw", "proposal": second })).await;
    // A rack that has become too small.
    let rack = crew.rack(1).await;
    let more = json!({ "chips": [{ "seat": 1, "amount": -rack }] });
    let asked = crew.does(&crew.dan, mend(wrong, "wrong-amount", &more)).await;
    crew.does(&crew.dan, json!({ "command": "cash-out", "seat": 1, "amount": 100 })).await;
    assert_eq!(crew.refused(&crew.sue, approve(asked)).await, "out-of-date");
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn what_can_be_mended_and_what_cannot() {
    let crew = Crew::open(&json!({})).await;
    let wrong = crew.keyed_wrong().await;
    let last = crew.hand().await["last_roll"].as_u64().unwrap();
    let code = async |of: u64, kind: &str, more: Value| {
        crew.suggested(of, kind, &more).await.map_or_else(|code| code, |lines| format!("{lines:?}"))
    };
    let dice = json!({ "dice": "4-2" });
    assert_eq!(code(last, "dice", dice.clone()).await, "last-roll");
    assert_eq!(code(wrong - 1, "dice", dice.clone()).await, "no-such-roll");
    assert_eq!(code(9_999, "dice", dice.clone()).await, "no-such-roll");
    assert_eq!(code(wrong, "dice", json!({})).await, "malformed");
    assert_eq!(code(wrong, "dice", json!({ "dice": "3-3" })).await, "malformed");
    let chips = json!({ "chips": [{ "seat": 0, "amount": 500 }] });
    assert_eq!(code(wrong, "wrong-player", chips).await, "malformed");
    let late = json!({ "bets": [{ "seat": 0, "wager": "no such bet", "amount": 500 }] });
    assert_eq!(code(wrong, "bet", late).await, "not-offered");
    let late = json!({ "bets": [{ "seat": 5, "wager": "field", "amount": 500 }] });
    assert_eq!(code(wrong, "bet", late).await, "not-seated");
    // A roll that was voided does not count.
    crew.agreed(json!({ "command": "void", "of": last, "reason": "cocked" })).await;
    assert_eq!(code(last, "no-roll", json!({})).await, "no-such-roll");
    // Whoever has left is paid at the cage, by a slip in that name.
    crew.does(&crew.dan, open_betting()).await;
    crew.does(&crew.dan, json!({ "command": "leave", "seat": 1 })).await;
    let cy = json!({ "command": "sit", "seat": 1, "name": "Cy" });
    crew.does(&crew.dan, cy).await;
    let late = json!({ "bets": [{ "seat": 1, "wager": "place 6", "amount": 1200 }] });
    let lines = crew.suggested(wrong, "bet", &late).await.unwrap();
    let cage =
        ("winnings".to_owned(), Some(1), "place 6".to_owned(), "cage".to_owned(), 1400, 1400);
    assert_eq!(lines.iter().map(short).collect::<Vec<_>>(), [cage]);
    assert_eq!(lines[0]["name"], "Bea");
    let mut to_rack = lines[0].clone();
    to_rack["place"] = json!("rack");
    let mut more = late.clone();
    more["lines"] = json!([to_rack]);
    assert_eq!(crew.refused(&crew.dan, mend(wrong, "bet", &more)).await, "player-gone");
    let tray = crew.hand().await["tray"].clone();
    let agreed = crew.agreed(mend(wrong, "bet", &late)).await;
    assert!(tray.is_i64());
    assert_eq!(crew.hand().await["tray"], tray, "no chips of the tray move");
    let work = crew.work().await;
    let list = work.iter().find(|list| list["list"] == json!(agreed)).unwrap();
    let item = &list["items"][0];
    assert_eq!(
        (&item["kind"], &item["name"], &item["amount"]),
        (&json!("cage"), &json!("Bea"), &json!(1400))
    );
    assert!(item["chips"].as_array().unwrap().is_empty());
    // The wrong player was paid: only the books follow, no chips.
    let chips = json!({ "chips": [{ "seat": 0, "amount": 500 }] });
    let racks = (crew.rack(0).await, crew.rack(1).await);
    crew.agreed(mend(wrong, "wrong-amount", &chips)).await;
    assert_eq!((crew.rack(0).await, crew.rack(1).await), (racks.0 + 500, racks.1));
    assert_eq!(crew.work().await.len(), work.len());
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_mend_of_what_no_table_could_move_is_refused() {
    let crew = Crew::open(&json!({})).await;
    crew.seated(100).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    let roll = crew.throws("4-2").await;
    crew.does(&crew.dan, open_betting()).await;
    let chips = |seat: u8, amount: i64| json!({ "seat": seat, "amount": amount });
    let cases = [
        ("wrong-player", vec![chips(0, i64::MAX), chips(1, i64::MAX)], "over-limit"),
        ("wrong-amount", vec![chips(0, i64::MIN)], "over-limit"),
        // Nobody sat there, and nobody is named twice.
        ("wrong-amount", vec![chips(17, 500_000)], "malformed"),
        ("wrong-amount", vec![chips(255, 500)], "malformed"),
        ("wrong-amount", vec![chips(0, 500), chips(0, 500)], "malformed"),
    ];
    for (kind, chips, code) in cases {
        let more = json!({ "chips": chips });
        assert_eq!(crew.suggested(roll, kind, &more).await.unwrap_err(), code, "{more}");
    }
    let bets = json!({ "bets": [{ "seat": 0, "wager": "pass", "amount": i64::MAX }] });
    assert_eq!(crew.suggested(roll, "bet", &bets).await.unwrap_err(), "over-limit");
    // The table is still there.
    assert_eq!(crew.hand().await["phase"], "open");
    crew.sound().await;
    crew.live.stop().await;
}

/// What was denied is not suggested again by a mend of something else on the same roll.
#[tokio::test]
async fn a_claim_that_was_answered_stays_answered() {
    let crew = Crew::open(&json!({ "confirm_over": 10_000, "paying": false })).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    crew.does(&crew.dan, put(1, "all-small", 500)).await;
    let mut roll = 0;
    for dice in ["4-4", "1-1", "1-2", "2-2", "2-3", "3-3"] {
        roll = crew.throws(dice).await;
    }
    let claim = crew.hand().await["claims"][0]["claim"].clone();
    let deny = json!({ "command": "deny-claim", "claim": claim, "reason": "past posted" });
    let asked = crew.does(&crew.sue, deny).await;
    crew.does(&crew.boss, json!({ "command": "approve", "proposal": asked })).await;
    let field = json!({ "bets": [{ "seat": 0, "wager": "field", "amount": 1_000 }] });
    let lines = crew.suggested(roll, "bet", &field).await.unwrap();
    let lines: Vec<_> = lines.iter().map(short).collect();
    let lost = ("stake".to_owned(), Some(0), "field".to_owned(), "rack".to_owned(), -1_000, -1_000);
    assert_eq!(lines, [lost]);
    let asked = crew.does(&crew.dan, mend(roll, "bet", &field)).await;
    crew.does(&crew.sue, json!({ "command": "approve", "proposal": asked })).await;
    crew.sound().await;
    crew.live.stop().await;
}

/// A roll that is corrected after midnight is one of the new day: what a mend has moved for it is
/// known after the next throw.
#[tokio::test]
async fn a_mend_of_a_roll_corrected_after_midnight_is_remembered() {
    const DAY: u64 = 24 * 60 * 60 * 1_000;
    let crew = Crew::open(&json!({})).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    let keyed = crew.throws("4-2").await;
    let correct = json!({ "command": "correct", "of": keyed, "dice": "4-4", "reason": "misread" });
    let corrected = crew.agreed(correct).await;
    crew.does(&crew.dan, open_betting()).await;
    crew.throws("6-5").await;
    crew.does(&crew.dan, open_betting()).await;
    crew.agreed(mend(corrected, "no-roll", &json!({}))).await;
    crew.throws("5-5").await;
    let table: TableId = crew.table.parse().unwrap();
    crew.live.stop().await;
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&crew._folder.store()).await.unwrap());
    let house = House::open(Arc::clone(&store), Shelf::new(Library::embedded())).await.unwrap();
    let room = house.room(table).await.unwrap();
    let (then, _) = room.query(Visit::Inspect).await.unwrap();
    let records = store.records(&Stream::Table(table), 0, 1_000).await.unwrap();
    house.close().await;
    let mut entries = records.iter().map(|record| {
        let mut entry: Entry<TableEntry> = record.entry().unwrap();
        entry.at = if record.seq <= keyed { 20 * DAY - 1_000 } else { 20 * DAY + 1_000 };
        (record.seq, entry)
    });
    let (_, opened) = entries.next().unwrap();
    let rules = Arc::clone(then.rules());
    let mut state =
        LiveTable::open(table, &opened.by, then.setup.clone(), Arc::clone(&rules), opened.at);
    entries.for_each(|(seq, entry)| state.evolve(seq, &entry, Some(&rules)));
    let known = |state: &LiveTable| state.mendable.rolls.iter().any(|since| since.of == corrected);
    assert!(known(&then) && known(&state));
}

/// Odds that were put after the roll come down with the bet that carries them, on a line of their
/// own.
#[tokio::test]
async fn what_comes_down_with_a_mend_is_on_its_lines() {
    let crew = Crew::open(&json!({ "paying": false })).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    let wrong = crew.throws("3-3").await;
    crew.does(&crew.dan, put(0, "odds pass", 3_000)).await;
    crew.throws("5-4").await;
    let dice = json!({ "dice": "6-5" });
    let lines = crew.suggested(wrong, "dice", &dice).await.unwrap();
    let told: Vec<_> = lines.iter().map(short).map(|(part, _, wager, ..)| (part, wager)).collect();
    let of = |part: &str, wager: &str| (part.to_owned(), wager.to_owned());
    let odds = "odds pass";
    let expected = [of("winnings", "pass"), of("bet-back", "pass"), of("bet-back", odds)];
    assert_eq!(told, expected, "{lines:?}");
    // Nobody takes the flat bet down from under its odds.
    let bare: Vec<&Value> = lines.iter().filter(|line| line["wager"] != odds).collect();
    let mut without = mend(wrong, "dice", &dice);
    without["lines"] = json!(bare);
    assert_eq!(crew.refused(&crew.dan, without).await, "not-that-much");
    let list = crew.agreed(mend(wrong, "dice", &dice)).await;
    let work = crew.work().await;
    let list = work.iter().find(|one| one["list"] == json!(list)).unwrap();
    let back: i64 = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|item| item["chips"][0]["from"] == "felt")
        .map(|item| item["chips"][0]["amount"].as_i64().unwrap())
        .sum();
    assert_eq!(back, 4_000, "{list}");

    crew.sound().await;
    crew.live.stop().await;
}

/// A bet that was decided since and made again is not taken down by lines of before.
#[tokio::test]
async fn lines_of_before_take_no_later_bet_down() {
    let crew = Crew::open(&json!({})).await;
    let wrong = crew.keyed_wrong().await;
    let dice = json!({ "dice": "4-2" });
    let old = crew.suggested(wrong, "dice", &dice).await.unwrap();
    assert!(old.iter().any(|line| line["part"] == "bet-lost"), "{old:?}");
    crew.throws("5-1").await;
    crew.does(&crew.dan, open_betting()).await;
    crew.does(&crew.dan, put(0, "hard 6", 500)).await;
    let mut stale = mend(wrong, "dice", &dice);
    stale["lines"] = json!(old);
    assert_eq!(crew.refused(&crew.dan, stale).await, "out-of-date");
    crew.sound().await;
    crew.live.stop().await;
}

/// A bet that travelled and came down with a mend is still the same bet when it is mended again.
#[tokio::test]
async fn a_bet_that_travelled_and_came_down_is_mended_again() {
    let crew = Crew::open(&json!({ "paying": false })).await;
    crew.seated(500).await;
    crew.does(&crew.dan, put(0, "pass", 1_000)).await;
    crew.throws("4-4").await;
    crew.does(&crew.dan, put(1, "come", 1_000)).await;
    let wrong = crew.throws("1-4").await;
    crew.throws("6-5").await;
    let told = async |kind: &str, more: &Value| -> Vec<(String, String, i64)> {
        let lines = crew.suggested(wrong, kind, more).await.unwrap();
        let short = lines.iter().map(short).filter(|line| line.1 == Some(1));
        short.map(|(part, _, wager, _, _, amount)| (part, wager, amount)).collect()
    };
    let line = |part: &str, wager: &str, amount| (part.to_owned(), wager.to_owned(), amount);
    let dice = json!({ "dice": "1-1" });
    assert_eq!(told("dice", &dice).await, [line("bet-lost", "come 5", 1_000)]);
    crew.agreed(mend(wrong, "dice", &dice)).await;
    let back = [line("stake", "come", 1_000)];
    assert_eq!(told("no-roll", &json!({})).await, back);
    assert_eq!(told("dice", &json!({ "dice": "5-5" })).await, back);
    assert_eq!(told("dice", &json!({ "dice": "1-2" })).await, []);
    crew.sound().await;
    crew.live.stop().await;
}
