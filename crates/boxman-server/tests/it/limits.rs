//! Limits of the day at real tables of today's procedures: each kind of chips has its own, buy-ins
//! are summed over all tables, and those who cross a limit are listed.

mod random;

use boxman_client::{Client, Value, json};
use boxman_server::audit::{Options, Source, verify};
use boxman_server::testing::http::Limits;
use boxman_server::testing::log::{Head, Record};
use boxman_server::testing::serve::StoreAddress;
use boxman_server::testing::store::{Sqlite, Store};

use crate::live::{Folder, Live, ask, does, generous, open, until};
use crate::nodes::House;

/// A server with a crew.
struct Pit {
    live: Live,
    boss: Client,
    sue: Client,
    dan: Client,
    folder: Folder,
}

impl Pit {
    async fn open() -> Pit {
        Pit::of(1).await
    }

    /// With real tables of these procedures.
    async fn of(procedures: u8) -> Pit {
        let folder = Folder::new();
        let live = Live::with_limits(&folder.store(), Limits { procedures, ..generous() }).await;
        let boss = live.boss().await;
        let sue = live.account(&boss, "sue", &["supervisor"]).await;
        let dan = live.account(&boss, "dan", &["dealer"]).await;
        Pit { live, boss, sue, dan, folder }
    }

    /// The same house after a restart.
    async fn restart(self) -> Pit {
        self.live.stop().await;
        // A database that another test has just started may hold the file for a moment.
        let store = StoreAddress::Sqlite(self.folder.store());
        while store.lock().is_err() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        let limits = Limits { procedures: 1, ..generous() };
        let live = Live::with_limits(&self.folder.store(), limits).await;
        let at = |client: &Client| Client { address: live.address.clone(), ..client.clone() };
        let (boss, sue, dan) = (at(&self.boss), at(&self.sue), at(&self.dan));
        live.first.set(boss.clone()).ok();
        Pit { live, boss, sue, dan, folder: self.folder }
    }

    async fn table(&self, name: &str, more: &Value) -> String {
        open(&self.boss, &config(name, more)).await
    }

    /// A second person agrees to what was asked for last.
    async fn agrees(&self, table: &str, proposal: u64) {
        does(&self.sue, table, json!({ "command": "approve", "proposal": proposal })).await;
    }

    async fn fills(&self, table: &str, dollars: i64) -> u64 {
        does(&self.dan, table, json!({ "command": "fill", "amount": dollars * 100 })).await
    }

    /// What waits at a table: what and why.
    async fn waits(&self, table: &str) -> Vec<(String, String)> {
        let view = self.live.view(table).await;
        let proposals = view["hand"]["proposals"].as_array().unwrap().clone();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        proposals.iter().map(|one| (text(&one["what"]), text(&one["reason"]))).collect()
    }

    async fn sound(self) {
        let verdict = self.boss.get("/api/audit/verify").await.unwrap().ok().unwrap();
        assert_eq!(verdict["ok"], true, "{verdict}");
        self.live.stop().await;
    }
}

fn config(name: &str, more: &Value) -> Value {
    let mut config = json!({ "name": name, "dice": "dealer" });
    config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    config
}

fn buy_in(seat: u8, dollars: i64, kind: &str) -> Value {
    json!({ "command": "buy-in", "seat": seat, "amount": dollars * 100, "kind": kind })
}

/// Seats a walk-up, and gives the number of the sitting.
async fn seats(dealer: &Client, table: &str, seat: u8, name: &str) -> u64 {
    does(dealer, table, json!({ "command": "sit", "seat": seat, "name": name })).await
}

async fn links(dealer: &Client, table: &str, sitting: u64, person: Option<&str>) {
    let link = json!({ "command": "link", "sitting": sitting, "person": person });
    does(dealer, table, link).await;
}

async fn limits(dealer: &Client, table: &str) -> Value {
    dealer.get(&format!("/api/tables/{table}/limits")).await.unwrap().ok().unwrap()
}

/// The limits of a seat.
async fn seat_of(dealer: &Client, table: &str, seat: u8) -> Value {
    let limits = limits(dealer, table).await;
    let seats = limits["seats"].as_array().unwrap().clone();
    seats.into_iter().find(|one| one["seat"] == seat).unwrap()
}

async fn listed(boss: &Client, query: &str) -> Vec<Value> {
    let list = boss.get(&format!("/api/office/buy-ins{query}")).await.unwrap().ok().unwrap();
    assert_eq!(list["left_out"], json!([]));
    list["players"].as_array().unwrap().clone()
}

#[tokio::test]
async fn each_kind_has_a_limit_of_its_own() {
    let pit = Pit::open().await;
    let id = pit.table("Real", &json!({})).await;
    pit.fills(&id, 9_500).await;
    assert_eq!(
        limits(&pit.dan, &id).await["fills"]["says"],
        "The fills of this table today: $9,500 of $10,000, $500 left"
    );
    seats(&pit.dan, &id, 0, "Ann").await;
    does(&pit.dan, &id, buy_in(0, 8_000, "chips")).await;
    does(&pit.dan, &id, buy_in(0, 9_000, "marker")).await;
    does(&pit.dan, &id, json!({ "command": "cash-out", "seat": 0, "amount": 990_000 })).await;
    does(&pit.dan, &id, json!({ "command": "credit", "amount": 50_000 })).await;
    assert_eq!(pit.waits(&id).await, [], "no two kinds are summed");
    // What crosses one of them waits, and says whose limit it is and how much is left.
    let fill = pit.fills(&id, 1_000).await;
    let why = "The fills of this table today: $9,500 of $10,000, $500 left; this makes it $10,500";
    assert_eq!(pit.waits(&id).await, [("fill of $1,000".to_owned(), why.to_owned())]);
    pit.agrees(&id, fill).await;
    let says = "The fills of this table today: $10,500, $500 over the limit of $10,000";
    assert_eq!(limits(&pit.dan, &id).await["fills"]["says"], says);
    does(&pit.dan, &id, json!({ "command": "leave", "seat": 0 })).await;
    let why = "Ann's cash-outs at this table today: $9,900 of $10,000, $100 left; this makes it \
               $17,000";
    assert_eq!(pit.waits(&id).await, [("leave seat 1".to_owned(), why.to_owned())]);
    pit.sound().await;
}

#[tokio::test]
async fn every_limit_is_a_key_of_its_own() {
    let pit = Pit::open().await;
    let own = json!({
        "fills_over": 100_000, "credits_over": 200_000, "cash_outs_over": 300_000,
        "cash_over": 400_000, "markers_over": 500_000,
    });
    let id = pit.table("Real", &own).await;
    seats(&pit.dan, &id, 0, "Ann").await;
    let all = limits(&pit.dan, &id).await;
    assert_eq!(
        (&all["fills"]["limit"], &all["credits"]["limit"]),
        (&json!(100_000), &json!(200_000))
    );
    let seat = &all["seats"][0];
    assert_eq!(seat["cash_outs"]["limit"], 300_000);
    assert_eq!(
        (&seat["cash"]["limit"], &seat["markers"]["limit"]),
        (&json!(400_000), &json!(500_000))
    );
    // One word for the three that take two people, where they have none of their own.
    let common = json!({ "two_people_over": 700_000, "credits_over": 200_000 });
    let id = pit.table("Other", &common).await;
    seats(&pit.dan, &id, 0, "Ann").await;
    let all = limits(&pit.dan, &id).await;
    assert_eq!(
        (&all["fills"]["limit"], &all["credits"]["limit"]),
        (&json!(700_000), &json!(200_000))
    );
    assert_eq!(all["seats"][0]["cash_outs"]["limit"], 700_000);
    assert_eq!(all["seats"][0]["cash"]["limit"], 1_000_000, "identity is another matter");
    for key in ["fills_over", "credits_over", "cash_outs_over", "cash_over", "markers_over"] {
        let negative = config("Real", &json!({ key: -1 }));
        assert_eq!(pit.boss.post("/api/tables", &negative).await.unwrap().code(), "bad-config");
        let practice = config("Play", &json!({ "practice": true, "dice": "house", key: 1 }));
        assert_eq!(pit.boss.post("/api/tables", &practice).await.unwrap().code(), "bad-config");
    }
    pit.sound().await;
}

#[tokio::test]
async fn what_a_player_buys_is_summed_over_two_tables() {
    let pit = Pit::open().await;
    let (one, two) = (pit.table("One", &json!({})).await, pit.table("Two", &json!({})).await);
    let here = seats(&pit.dan, &one, 0, "Ann").await;
    let there = seats(&pit.dan, &two, 3, "A. Lee").await;
    does(&pit.dan, &one, buy_in(0, 6_000, "cash")).await;
    does(&pit.dan, &two, buy_in(3, 5_000, "cash")).await;
    does(&pit.dan, &two, buy_in(3, 9_000, "marker")).await;
    let cash = async |table: &str, seat| seat_of(&pit.dan, table, seat).await["cash"].clone();
    // Seats that are linked to nobody count alone.
    assert_eq!(cash(&two, 3).await["used"], 500_000);
    assert_eq!(listed(&pit.boss, "").await, Vec::<Value>::new());
    assert_eq!(listed(&pit.boss, "?all=true").await.len(), 2);
    links(&pit.dan, &one, here, Some("Ann Lee")).await;
    links(&pit.sue, &two, there, Some(" ann  LEE ")).await;
    let (ours, theirs) = (cash(&one, 0).await, cash(&two, 3).await);
    assert_eq!((&ours["used"], &ours["elsewhere"]), (&json!(1_100_000), &json!(500_000)));
    assert_eq!((&theirs["used"], &theirs["elsewhere"]), (&json!(1_100_000), &json!(600_000)));
    assert_eq!(
        theirs["says"],
        "A. Lee's cash buy-ins today: $11,000, $1,000 over the limit of $10,000"
    );
    let seat = seat_of(&pit.dan, &two, 3).await;
    assert_eq!((&seat["ask_identity"], &seat["markers"]["over"]), (&json!(true), &json!(false)));
    assert_eq!(seat["linked"]["name"], "Mx. sue");
    assert_eq!((pit.waits(&one).await, pit.waits(&two).await), (vec![], vec![]), "no chips wait");
    let list = listed(&pit.boss, "").await;
    assert_eq!(list.len(), 1);
    assert_eq!(
        (&list[0]["player"], &list[0]["over"]),
        (&json!("person:ann lee"), &json!(["cash"]))
    );
    assert_eq!(list[0]["sums"]["cash"], 1_100_000);
    assert_eq!(list[0]["sums"]["markers"], 900_000);
    assert_eq!(list[0]["identity"], Value::Null);
    assert_eq!(list[0]["sittings"].as_array().unwrap().len(), 2);
    // The identity is taken at one table, and asked for at neither.
    does(&pit.dan, &one, json!({ "command": "identify", "sitting": here, "taken": true })).await;
    for (table, seat) in [(&one, 0), (&two, 3)] {
        let seat = seat_of(&pit.dan, table, seat).await;
        assert_eq!(seat["ask_identity"], false, "{seat}");
        assert_eq!(seat["identity"]["name"], "Mx. dan");
    }
    assert_eq!(listed(&pit.boss, "").await[0]["identity"]["name"], "Mx. dan");
    // It can be taken back, and so can a link.
    let again = json!({ "command": "identify", "sitting": here, "taken": true });
    assert_eq!(ask(&pit.dan, &one, again).await, (409, "already-so".into()));
    does(&pit.dan, &one, json!({ "command": "identify", "sitting": here, "taken": false })).await;
    assert_eq!(seat_of(&pit.dan, &two, 3).await["ask_identity"], true);
    links(&pit.dan, &two, there, None).await;
    assert_eq!(seat_of(&pit.dan, &one, 0).await["cash"]["used"], 600_000);
    assert_eq!(listed(&pit.boss, "").await, Vec::<Value>::new());
    pit.sound().await;
}

#[tokio::test]
async fn an_account_is_one_player_at_every_table() {
    let pit = Pit::open().await;
    let pam = pit.live.account(&pit.boss, "pam", &["player"]).await;
    let me = pam.get("/api/me").await.unwrap().ok().unwrap()["person"].clone();
    let (one, two) = (pit.table("One", &json!({})).await, pit.table("Two", &json!({})).await);
    let sitting = does(&pam, &one, json!({ "command": "sit", "seat": 0 })).await;
    does(&pit.dan, &one, buy_in(0, 7_000, "cash")).await;
    // At the other table she plays without a browser: the crew names her account.
    let walks_up = seats(&pit.dan, &two, 0, "Pam").await;
    does(&pit.dan, &two, buy_in(0, 4_000, "cash")).await;
    let link = |person: &Value| json!({ "command": "link", "sitting": walks_up, "person": person });
    links(&pit.dan, &two, walks_up, me.as_str()).await;
    assert_eq!(
        seat_of(&pit.dan, &two, 0).await["player"],
        format!("account:{}", me.as_str().unwrap())
    );
    assert_eq!(listed(&pit.boss, "").await[0]["sums"]["cash"], 1_100_000);
    for (table, command, refused) in [
        (&two, link(&json!("p-000000000000")), (422, "no-such-account")),
        (&two, link(&json!("")), (422, "bad-name")),
        (&two, link(&me), (409, "already-so")),
        (
            &one,
            json!({ "command": "link", "sitting": sitting, "person": "Ann" }),
            (409, "has-account"),
        ),
        (
            &one,
            json!({ "command": "link", "sitting": 99, "person": "Ann" }),
            (409, "no-such-sitting"),
        ),
        (
            &one,
            json!({ "command": "identify", "sitting": 99, "taken": true }),
            (409, "no-such-sitting"),
        ),
    ] {
        let (status, code) = ask(&pit.dan, table, command.clone()).await;
        assert_eq!((status, code.as_str()), refused, "{command}");
    }
    // Players have no say in it, and are not shown the list.
    let said = ask(&pam, &one, json!({ "command": "identify", "sitting": sitting, "taken": true }));
    assert_eq!(said.await, (403, "forbidden".into()));
    assert_eq!(pam.get("/api/office/buy-ins").await.unwrap().status, 403);
    assert_eq!(pit.dan.get("/api/office/buy-ins").await.unwrap().status, 403);
    assert_eq!(pam.get(&format!("/api/tables/{one}/limits")).await.unwrap().status, 403);
    pit.sound().await;
}

#[tokio::test]
async fn a_house_may_hold_what_crosses_a_limit_on_buy_ins() {
    let pit = Pit::open().await;
    let one = pit.table("One", &json!({})).await;
    let two = pit.table("Two", &json!({ "hold_buy_ins": true })).await;
    let here = seats(&pit.dan, &one, 0, "Ann").await;
    // A name may hold the words that the reason is written with.
    let there = seats(&pit.dan, &two, 0, "Ann today: $5").await;
    for (table, sitting) in [(&one, here), (&two, there)] {
        links(&pit.dan, table, sitting, Some("card 4711")).await;
    }
    does(&pit.dan, &one, buy_in(0, 9_000, "cash")).await;
    does(&pit.dan, &two, buy_in(0, 1_000, "cash")).await;
    assert_eq!(pit.waits(&two).await, []);
    let proposal = does(&pit.dan, &two, buy_in(0, 100, "cash")).await;
    let why = "Ann today: $5's cash buy-ins today: $10,000 of $10,000, $0 left; this makes it \
               $10,100";
    assert_eq!(pit.waits(&two).await[0].1, why);
    pit.agrees(&two, proposal).await;
    // Another kind has another limit, and the other table holds nothing.
    does(&pit.dan, &two, buy_in(0, 5_000, "marker")).await;
    does(&pit.dan, &one, buy_in(0, 5_000, "cash")).await;
    assert_eq!((pit.waits(&one).await, pit.waits(&two).await), (vec![], vec![]));
    pit.sound().await;
}

#[tokio::test]
async fn sums_outlive_a_restart_and_a_closed_table() {
    let pit = Pit::open().await;
    let (one, two) = (pit.table("One", &json!({})).await, pit.table("Two", &json!({})).await);
    let here = seats(&pit.dan, &one, 0, "Ann").await;
    links(&pit.dan, &one, here, Some("Ann Lee")).await;
    does(&pit.dan, &one, buy_in(0, 8_000, "cash")).await;
    does(&pit.dan, &one, json!({ "command": "identify", "sitting": here, "taken": true })).await;
    does(&pit.dan, &one, json!({ "command": "leave", "seat": 0 })).await;
    // What was said of a player who has left can still be put right.
    links(&pit.dan, &one, here, Some("Anne Lee")).await;
    // Her chips came out of an empty tray and went with her.
    pit.fills(&one, 8_000).await;
    let close = json!({ "command": "close", "reason": "the night is over" });
    let asked = does(&pit.boss, &one, close).await;
    pit.agrees(&one, asked).await;
    let there = seats(&pit.dan, &two, 0, "Ann").await;
    links(&pit.dan, &two, there, Some("anne lee")).await;
    does(&pit.dan, &two, buy_in(0, 3_000, "cash")).await;
    let before = (seat_of(&pit.dan, &two, 0).await, listed(&pit.boss, "").await);
    assert_eq!(before.0["cash"]["used"], 1_100_000);
    assert_eq!((before.0["ask_identity"].clone(), before.1.len()), (json!(false), 1));
    let pit = pit.restart().await;
    assert_eq!(listed(&pit.boss, "").await, before.1);
    // The closed table is found soon after a start.
    for _ in 0..500 {
        if seat_of(&pit.dan, &two, 0).await == before.0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(seat_of(&pit.dan, &two, 0).await, before.0);
    pit.sound().await;
}

#[tokio::test]
async fn tables_of_earlier_procedures_sum_all_kinds_up_as_they_did() {
    let pit = Pit::of(0).await;
    let id = pit.table("Old", &json!({ "two_people_over": 100_000 })).await;
    let sitting = seats(&pit.dan, &id, 0, "Ann").await;
    does(&pit.dan, &id, buy_in(0, 600, "cash")).await;
    pit.fills(&id, 400).await;
    assert_eq!(pit.waits(&id).await, []);
    pit.fills(&id, 1).await;
    let why = ("fill of $1".to_owned(), "over 1000.00 in a day".to_owned());
    assert_eq!(pit.waits(&id).await, [why]);
    assert_eq!(limits(&pit.dan, &id).await, Value::Null);
    let link = json!({ "command": "link", "sitting": sitting, "person": "Ann" });
    assert_eq!(ask(&pit.dan, &id, link).await, (409, "no-list".into()));
    assert_eq!(listed(&pit.boss, "?all=true").await, Vec::<Value>::new());
    let own = config("Old", &json!({ "fills_over": 1 }));
    assert_eq!(pit.boss.post("/api/tables", &own).await.unwrap().code(), "bad-config");
    // A configuration that says so takes it over to today's.
    let today = config("New", &json!({ "procedures": 1, "fills_over": 50_000 }));
    let of = pit.live.view(&id).await["hand"]["configuration"].clone();
    let configure =
        json!({ "command": "configure", "of": of, "config": today, "reason": "new limits" });
    let proposal = does(&pit.boss, &id, configure).await;
    pit.agrees(&id, proposal).await;
    until(&pit.boss, &id, |view| view["config"]["procedures"] == 1).await;
    let all = limits(&pit.dan, &id).await;
    assert_eq!((&all["fills"]["limit"], &all["fills"]["used"]), (&json!(50_000), &json!(40_000)));
    // One that leaves the procedures out keeps them.
    let later = config("Newer", &json!({ "fills_over": 60_000 }));
    let of = pit.live.view(&id).await["hand"]["configuration"].clone();
    let configure = json!({ "command": "configure", "of": of, "config": later, "reason": "more" });
    let proposal = does(&pit.boss, &id, configure).await;
    pit.agrees(&id, proposal).await;
    until(&pit.boss, &id, |view| view["config"]["name"] == "Newer").await;
    assert_eq!(limits(&pit.dan, &id).await["fills"]["limit"], 60_000);
    pit.sound().await;
}

#[tokio::test]
async fn the_crew_is_told_what_is_left_on_its_socket() {
    let pit = Pit::open().await;
    let id = pit.table("Real", &json!({})).await;
    let mut dan = pit.dan.socket(&id, None).await.unwrap();
    let first = dan.next_of("limits").await.unwrap();
    assert_eq!(first["limits"]["fills"]["left"], 1_000_000);
    pit.fills(&id, 2_500).await;
    while dan.next_of("limits").await.unwrap()["limits"]["fills"]["left"] != 750_000 {}
    // Two seats of the same name are told apart.
    for seat in [4, 5] {
        seats(&pit.dan, &id, seat, "Bea").await;
        does(&pit.dan, &id, buy_in(seat, 100, "cash")).await;
    }
    let says = "Bea (seat 6)'s cash buy-ins today: $100 of $10,000, $9,900 left";
    assert_eq!(seat_of(&pit.dan, &id, 5).await["cash"]["says"], says);
    // A table elsewhere tells too, without anything happening here.
    let other = pit.table("Other", &json!({})).await;
    let here = seats(&pit.dan, &id, 0, "Ann").await;
    links(&pit.dan, &id, here, Some("Ann")).await;
    let there = seats(&pit.dan, &other, 0, "Ann").await;
    links(&pit.dan, &other, there, Some("Ann")).await;
    does(&pit.dan, &other, buy_in(0, 20_000, "cash")).await;
    loop {
        let told = dan.next_of("limits").await.unwrap();
        let ann = &told["limits"]["seats"][0];
        if ann["seat"] == 0 && ann["ask_identity"] == true {
            assert_eq!(told["limits"]["seats"][0]["cash"]["elsewhere"], 2_000_000);
            break;
        }
    }
    pit.sound().await;
}

/// One who can write to the store has one person do what takes two, and notes what nobody could.
#[tokio::test]
async fn an_audit_holds_a_table_to_its_limits() {
    let pit = Pit::open().await;
    let id = pit.table("Real", &json!({})).await;
    let sitting = seats(&pit.dan, &id, 0, "Ann").await;
    links(&pit.dan, &id, sitting, Some("Ann Lee")).await;
    does(&pit.dan, &id, json!({ "command": "identify", "sitting": sitting, "taken": true })).await;
    pit.fills(&id, 10_000).await;
    pit.live.stop().await;
    let store = Sqlite::read(&pit.folder.store()).await.unwrap();
    let forged = async |of: &str, from: &str, to: &str| {
        let folder = Folder::new();
        let copy = Sqlite::open(&folder.store()).await.unwrap();
        for hash in store.rulebooks().await.unwrap() {
            let rulebook = store.rulebook(hash).await.unwrap().unwrap();
            copy.keep_rulebook(&rulebook).await.unwrap();
        }
        for stream in store.streams().await.unwrap() {
            let mut head = Head::default();
            for record in store.records(&stream, 0, 1_000).await.unwrap() {
                let body = match record.body.contains(of) {
                    true => record.body.replace(from, to),
                    false => record.body,
                };
                let record = Record::after(head, stream.clone(), record.key, body);
                head = record.head();
                copy.append(&[record]).await.unwrap();
            }
        }
        let verdict = verify(Source::Store(&copy), &Options::default(), &mut |_, _| {}).await;
        let found = verdict.unwrap().problems;
        copy.close().await;
        let found = found.into_iter().find(|found| found.stream == format!("table/{id}"));
        found.map(|found| found.reason).unwrap_or_default()
    };
    assert_eq!(forged("no such record", "", "").await, "");
    let crossed = forged("filled", "1000000", "1000001").await;
    assert_eq!(crossed, "one person moves chips above 10000.00 in a day");
    let nobody = forged("identified", "\"sitting\":2", "\"sitting\":7").await;
    assert!(nobody.contains("no player has sat down by record 7"), "{nobody}");
    let again = forged("linked", "Ann Lee", " ").await;
    assert!(again.contains("a person is a name or number"), "{again}");
    store.close().await;
}

/// Two nodes: a player buys at a table of each, and one of the nodes goes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sums_go_over_the_tables_of_every_node() {
    let Some(mut house) = House::of_today().await else { return };
    let dan = house.nodes[0].account(&house.boss, "dan", &["dealer"]).await;
    let at_one = house.at(0, &dan);
    let at_two = house.at(1, &dan);
    let one = house.table_at(0, &config("One", &json!({}))).await;
    let two = house.table_at(1, &config("Two", &json!({ "hold_buy_ins": true }))).await;
    let here = seats(&at_one, &one, 0, "Ann").await;
    let there = seats(&at_two, &two, 0, "Ann").await;
    links(&at_one, &one, here, Some("Ann Lee")).await;
    links(&at_two, &two, there, Some("Ann Lee")).await;
    does(&at_one, &one, buy_in(0, 9_500, "cash")).await;
    // The list is of the logs, and so at once, whichever node is asked.
    for node in [0, 1] {
        let list = listed(&house.at(node, &house.boss), "?all=true").await;
        assert_eq!(list.len(), 1, "{list:?}");
        assert_eq!(list[0]["sums"]["cash"], 950_000);
    }
    // The other node hears of it soon.
    for _ in 0..1_000 {
        if seat_of(&at_two, &two, 0).await["cash"]["elsewhere"] == 950_000 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(seat_of(&at_two, &two, 0).await["cash"]["left"], 50_000);
    does(&at_two, &two, buy_in(0, 1_000, "cash")).await;
    let view = at_two.get(&format!("/api/tables/{two}")).await.unwrap().ok().unwrap();
    assert_eq!(view["hand"]["proposals"].as_array().unwrap().len(), 1, "it waits");
    // The node of the first table goes: the other takes it, and still knows.
    house.stop_node(0).await;
    let boss = house.at(0, &house.boss);
    let path = format!("/api/tables/{one}");
    for _ in 0..1_000 {
        if boss.get(&path).await.unwrap().status == 200 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    let dan = house.at(0, &dan);
    let seat = seat_of(&dan, &two, 0).await;
    assert_eq!(seat["cash"]["elsewhere"], 950_000, "{seat}");
    let proposal = view["hand"]["proposals"][0]["proposal"].clone();
    does(&boss, &two, json!({ "command": "approve", "proposal": proposal })).await;
    let seat = seat_of(&dan, &one, 0).await;
    assert_eq!((&seat["cash"]["used"], &seat["ask_identity"]), (&json!(1_050_000), &json!(true)));
    assert_eq!(listed(&boss, "").await.len(), 1);
    house.close().await;
}
