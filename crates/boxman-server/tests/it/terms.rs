//! The terms of meters: where they come from, what is refused, what is told.

use std::collections::BTreeMap;

use boxman_client::{Client, Value, json};

use crate::live::{Folder, Live, ask, does, open, put};
use crate::tables::{crewed, eventually, fire, meter, throw};

/// Bets pass and fired-up, and throws the five numbers of PT-BJS-FUP-05.
async fn hit(dealer: &Client, table: &str, base: i64) {
    does(dealer, table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(dealer, table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(dealer, table, put(0, "pass", 1000)).await;
    does(dealer, table, put(0, "fired-up", base)).await;
    fire(dealer, table).await;
}

/// Two people set a meter's terms.
async fn set_terms(one: &Client, two: &Client, meter: &str, terms: Value) {
    let commands = format!("/api/meters/{meter}/commands");
    let asked = one.post(&commands, &json!({ "command": terms })).await.unwrap().ok().unwrap();
    let approve = json!({ "command": { "command": "approve", "proposal": asked["seq"] } });
    two.post(&commands, &approve).await.unwrap().ok().unwrap();
}

/// A seed of $1,000.03 is no number of cents for each of five dollars.
#[tokio::test]
async fn a_table_that_follows_its_meter_adds_no_record_at_a_start() {
    let (folder, live, boss, dealer) = crewed().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let config = json!({
        "name": "Five dollars",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-05"],
        "options": {
            "base-unit": "5",
            "fired-up.meter.seed": "1000",
            "fired-up.meter.increment": "15%",
        },
        "dice": "dealer",
        "confirm_jackpots": false,
    });
    let table = open(&boss, &config).await;
    let name = format!("{table}-pt-bjs-fup-05");
    let terms = json!({
        "command": "set-terms", "seed": 100_003, "increment": 150_001, "reserve": 0,
        "reason": "an odd jackpot",
    });
    set_terms(&boss, &sue, &name, terms).await;
    hit(&dealer, &table, 500).await;
    eventually(&live, &table, |view| view["hand"]["claims"] == json!([])).await;
    assert_eq!(meter(&live, &name).await["seed"], 100_003);
    // Bets ride, so the terms wait, through a start too.
    let waiting = eventually(&live, &table, |view| view["hand"]["change_waits"] == true).await;
    live.stop().await;
    let live = Live::start(&folder.store()).await;
    let opened = live.view(&table).await;
    // Whoever looks now has not logged in yet.
    let public = |view: &Value| {
        let mut hand = view["hand"].clone();
        for own in ["tray", "last_roll"] {
            hand.as_object_mut().unwrap().remove(own);
        }
        (view["seq"].clone(), hand)
    };
    assert_eq!(public(&opened), public(&waiting));
    let dealer = Client { address: live.address.clone(), ..dealer };
    throw(&dealer, &table, "4-4").await;
    let followed = eventually(&live, &table, |view| view["hand"]["change_waits"] == false).await;
    assert_eq!(followed["config"]["options"]["fired-up.meter.seed"], "1000.03");
    live.stop().await;
    for _ in 0..2 {
        let live = Live::start(&folder.store()).await;
        let opened = live.view(&table).await;
        assert_eq!((&opened["seq"], &opened["rules"]), (&followed["seq"], &followed["rules"]));
        live.stop().await;
    }
}

const FIRED_UP: [&str; 2] = ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-05"];

fn fired_up(options: &Value) -> Value {
    json!({ "name": "Fired Up", "rules": FIRED_UP, "options": options, "dice": "dealer" })
}

/// What is lacking, and how the sentence about it begins.
fn lacking() -> [(Value, &'static str); 3] {
    [
        (json!({}), "the meter of fired-up starts at nothing and never grows, "),
        (json!({ "fired-up.meter.seed": "1000" }), "the meter of fired-up never grows, "),
        (json!({ "fired-up.meter.increment": "15%" }), "the meter of fired-up starts at nothing, "),
    ]
}

const SET: &str = "set options such as fired-up.meter.seed=1000 fired-up.meter.increment=15% \
                   fired-up.meter.reserve=5%";

#[tokio::test]
async fn a_real_table_does_not_open_on_an_empty_meter_unless_that_is_meant() {
    let (_folder, live, boss, _dealer) = crewed().await;
    for (options, begins) in lacking() {
        let refused = boss.post("/api/tables", &fired_up(&options)).await.unwrap();
        assert_eq!((refused.status, refused.code()), (422, "empty-meter"), "{options}");
        let meant = "or open it with empty_meters where that is meant";
        assert_eq!(refused.json["detail"], format!("{begins}{SET}, {meant}"));
        let mut meant = fired_up(&options);
        meant["empty_meters"] = json!(true);
        let view = boss.post("/api/tables", &meant).await.unwrap().ok().unwrap();
        assert_eq!(view["warnings"], json!([format!("{begins}{SET}")]));
    }
    // A table without progressives has nothing to set, and gets none unasked.
    let plain = json!({ "name": "Plain", "dice": "dealer" });
    let table = open(&boss, &plain).await;
    assert_eq!(live.view(&table).await["warnings"], json!([]));
    let configure = json!({
        "command": "configure", "config": fired_up(&json!({})), "reason": "side bets",
    });
    assert_eq!(ask(&boss, &table, configure).await, (422, "empty-meter".into()));
    live.stop().await;
}

#[tokio::test]
async fn a_practice_table_opens_on_an_empty_meter_and_says_so() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let ann = live.guest("Ann").await;
    let lobby = async || Client::anyone(&live.address).get("/api/tables").await.unwrap().json;
    assert_eq!(lobby().await[0]["warnings"], json!([]), "the first practice table has terms");
    for (options, begins) in lacking() {
        let mut config = fired_up(&options);
        config["practice"] = json!(true);
        let view = ann.post("/api/tables", &config).await.unwrap().ok().unwrap();
        assert_eq!(view["warnings"], json!([format!("{begins}{SET}")]));
        let lines = lobby().await;
        let line = lines.as_array().unwrap().iter().find(|line| line["id"] == view["id"]).unwrap();
        assert_eq!(line["warnings"], view["warnings"]);
    }
    live.stop().await;
}

#[tokio::test]
async fn a_shared_meter_counts_by_its_own_terms() {
    let (_folder, live, boss, _dealer) = crewed().await;
    let linked = |options: Value, meter: &str| {
        let mut config = fired_up(&options);
        config["meters"] = json!({ "PT-BJS-FUP-05": meter });
        config
    };
    let mut first = linked(json!({}), "downtown");
    first["empty_meters"] = json!(true);
    open(&boss, &first).await;
    let refused = boss.post("/api/tables", &linked(json!({}), "downtown")).await.unwrap();
    assert_eq!((refused.status, refused.code()), (422, "empty-meter"));
    assert_eq!(
        refused.json["detail"],
        "meter downtown, which pays fired-up, starts at nothing and never grows, set its terms \
         (seed 1000, increment 15%, reserve 5% are suggested), or open it with empty_meters where \
         that is meant"
    );
    open(&boss, &first).await;
    // Where terms wait for the next reset, a table may come on those: the meter is still empty.
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let terms = json!({
        "command": "set-terms", "seed": 100_000, "increment": 150_000, "reserve": 50_000,
        "reason": "a jackpot",
    });
    set_terms(&boss, &sue, "downtown", terms).await;
    let suggested = suggested(&live, "PT-BJS-FUP-05").await;
    let refused = boss.post("/api/tables", &linked(json!(suggested), "downtown")).await.unwrap();
    assert_eq!((refused.status, refused.code()), (422, "empty-meter"));
    let view = open(&boss, &linked(json!(suggested), "uptown")).await;
    assert_eq!(live.view(&view).await["warnings"], json!([]));
    open(&boss, &linked(json!(suggested), "uptown")).await;
    live.stop().await;
}

/// A wager that favours the player is a house's own business, but it is told: to whoever opens
/// the table or changes it, in the lobby, and after a restart.
#[tokio::test]
async fn a_wager_that_favours_the_player_is_told() {
    let (folder, live, boss, _dealer) = crewed().await;
    let generous = json!({ "fired-up.meter.seed": "90000", "fired-up.meter.increment": "15%" });
    let told = json!([
        "players have the edge on fired-up with its meter at $90000.00: they win 2.0821 % of what \
         they bet (edge -6557/314928)"
    ]);
    for practice in [false, true] {
        let mut config = fired_up(&generous);
        config["practice"] = json!(practice);
        let view = boss.post("/api/tables", &config).await.unwrap().ok().unwrap();
        assert_eq!(view["warnings"], told, "practice: {practice}");
    }
    let fair = json!({ "fired-up.meter.seed": "79000", "fired-up.meter.increment": "15%" });
    let mut config = fired_up(&fair);
    config["practice"] = json!(true);
    let view = boss.post("/api/tables", &config).await.unwrap().ok().unwrap();
    assert_eq!(view["warnings"], json!([]));
    let plain = json!({ "name": "Plain", "dice": "dealer", "practice": true });
    let table = open(&boss, &plain).await;
    assert_eq!(live.view(&table).await["warnings"], json!([]));
    config["options"] = generous;
    let configure = json!({ "command": "configure", "config": config, "reason": "a party" });
    does(&boss, &table, configure).await;
    let view = eventually(&live, &table, |view| view["warnings"] != json!([])).await;
    assert_eq!(view["warnings"], told);
    let lobby = Client::anyone(&live.address).get("/api/tables").await.unwrap().json;
    let generous = lobby.as_array().unwrap().iter().filter(|line| line["warnings"] == told);
    assert_eq!(generous.count(), 3);
    live.stop().await;
    // Nobody waits for it when a table is opened again.
    let live = Live::start(&folder.store()).await;
    let view = eventually(&live, &table, |view| view["warnings"] != json!([])).await;
    assert_eq!(view["warnings"], told);
    live.stop().await;
}

/// The options `/api/rulebooks` suggests for a paytable.
async fn suggested(live: &Live, paytable: &str) -> BTreeMap<String, String> {
    let books = Client::anyone(&live.address).get("/api/rulebooks").await.unwrap().ok().unwrap();
    let books = books.as_array().unwrap();
    let mut tables = books.iter().flat_map(|book| book["paytables"].as_array().unwrap());
    let table = tables.find(|table| table["name"] == paytable).unwrap();
    serde_json::from_value(table["suggested"].clone()).unwrap()
}

/// The first practice table, one opened as the lobby does, and the page of edges and PAR sheets.
#[tokio::test]
async fn felt_lobby_and_par_page_start_from_the_same_terms() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let anyone = Client::anyone(&live.address);
    let ann = live.guest("Ann").await;
    let practice = live.practice().await;
    assert_eq!(suggested(&live, "PT-FLT-BC-03").await, BTreeMap::new());
    for (paytable, wager) in
        [("PT-BJS-MEA-03", "make-em-all-progressive"), ("PT-BJS-FUP-01", "fired-up")]
    {
        let options = suggested(&live, paytable).await;
        let rules = ["presque-isle".to_owned(), format!("bonus-craps-nevada:{paytable}")];
        let config = json!({ "name": "A", "rules": rules, "options": options, "practice": true });
        let opened = open(&ann, &config).await;
        let written: Vec<String> =
            options.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let written = written.join("%20").replace('%', "%25").replace("%2520", "%20");
        let edge = async |path: String| {
            let rows = anyone.get(&path).await.unwrap().ok().unwrap();
            let row = rows.as_array().unwrap().iter().find(|row| row["wager"] == wager).unwrap();
            (row["edge"].clone(), row["meter"].clone())
        };
        let felt = edge(format!("/api/tables/{practice}/edges")).await;
        assert_eq!(felt.1, 100_000);
        let rules = rules.join("%20");
        for path in [
            format!("/api/tables/{opened}/edges"),
            format!("/api/edges?rules={rules}&options={written}"),
            format!("/api/par?paytables={paytable}&options={written}"),
        ] {
            assert_eq!(edge(path.clone()).await, felt, "{path}");
        }
        // Nothing is applied that was not asked for: without terms a meter is at a seed of 0.
        let bare = edge(format!("/api/par?paytables={paytable}")).await;
        assert_eq!(bare.1, 0);
        assert_ne!(bare.0, felt.0);
    }
    live.stop().await;
}
