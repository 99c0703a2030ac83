//! Several nodes at one database, in this process: whoever asks any of them notices nothing.

use std::time::Duration;

use boxman_client::proxy::Proxy;
use boxman_client::{Client, Value, json};
use boxman_server::audit::{Options, Source, verify};
use boxman_server::testing::http::Limits;
use boxman_server::testing::id::{MeterId, TableId};
use boxman_server::testing::log::Stream;
use boxman_server::testing::pit::Pit;
use boxman_server::testing::serve::{NodeOptions, StoreAddress};
use boxman_server::testing::store::{Postgres, Store, beside, edition};
use tokio::time::{Instant, sleep, timeout};

use crate::live::{Live, PASSWORD, ask, does, generous, join, open, put, throw, until};
use crate::postgres::Database;

/// Two nodes that have evened out what they run.
pub(crate) struct House {
    database: Database,
    pub(crate) nodes: Vec<Live>,
    pub(crate) boss: Client,
}

impl House {
    pub(crate) async fn open() -> Option<House> {
        let database = Database::for_test()?;
        let one = House::start(&database, "one").await;
        let two = House::start(&database, "two").await;
        Some(House::of(database, vec![one, two]).await)
    }

    /// Two nodes, with a line between them: the second reaches the first by it alone.
    async fn with_line() -> Option<(House, Proxy)> {
        let database = Database::for_test()?;
        let one = House::start(&database, "one").await;
        let address = database.server.sql("SELECT address FROM node").unwrap();
        let line = Proxy::start(address.trim().parse().unwrap()).unwrap();
        let by_line = format!("UPDATE node SET address = '{}'", line.address());
        database.server.sql(&by_line).unwrap();
        let two = House::start(&database, "two").await;
        Some((House::of(database, vec![one, two]).await, line))
    }

    async fn of(database: Database, nodes: Vec<Live>) -> House {
        let link = nodes[0].link.clone().expect("nobody has an account yet");
        assert_eq!(nodes[1].link, None, "one link is enough");
        let boss = Client::first(&nodes[1].address, &link, "boss", PASSWORD).await.unwrap();
        let house = House { database, nodes, boss };
        // Soon each has its share.
        let until = Instant::now() + Duration::from_secs(20);
        while house.pits("two").abs_diff(Pit::COUNT / 2) > 2 {
            assert!(Instant::now() < until, "{} pits of two", house.pits("two"));
            sleep(Duration::from_millis(100)).await;
        }
        house
    }

    async fn start(database: &Database, name: &str) -> Live {
        let key = beside(&database.folder.store(), ".key");
        Live::node(StoreAddress::Postgres(database.address()), key, name).await
    }

    /// Two nodes at which real tables are dealt by today's procedures.
    pub(crate) async fn of_today() -> Option<House> {
        let database = Database::for_test()?;
        let one = House::start_today(&database, "one").await;
        let two = House::start_today(&database, "two").await;
        Some(House::of(database, vec![one, two]).await)
    }

    async fn start_today(database: &Database, name: &str) -> Live {
        let key = beside(&database.folder.store(), ".key");
        let node = NodeOptions { name: Some(name.to_owned()), ..NodeOptions::default() };
        let limits = Limits { procedures: 1, ..generous() };
        Live::serve(StoreAddress::Postgres(database.address()), key, node, limits).await
    }

    /// One node stops as its operator would have it, and the other takes its tables.
    pub(crate) async fn stop_node(&mut self, node: usize) {
        self.nodes.remove(node).stop().await;
    }

    fn pits(&self, name: &str) -> usize {
        let sql = format!("SELECT count(*) FROM pit WHERE name = '{name}'");
        self.database.server.sql(&sql).unwrap().trim().parse().unwrap()
    }

    /// The node that runs a log.
    fn owner(&self, stream: &Stream) -> usize {
        let sql = format!("SELECT name FROM pit WHERE pit = {}", Pit::of(stream));
        usize::from(self.database.server.sql(&sql).unwrap().trim() == "two")
    }

    fn owner_of(&self, table: &str) -> usize {
        self.owner(&Stream::Table(table.parse().unwrap()))
    }

    /// Somebody, at another node.
    pub(crate) fn at(&self, node: usize, client: &Client) -> Client {
        Client { address: self.nodes[node].address.clone(), ..client.clone() }
    }

    /// A table that this node runs.
    pub(crate) async fn table_at(&self, node: usize, config: &Value) -> String {
        let table = open(&self.at(node, &self.boss), config).await;
        assert_eq!(self.owner_of(&table), node, "whoever opens a table runs it");
        table
    }

    /// Stops everything, and works it all out again.
    pub(crate) async fn close(self) {
        for node in self.nodes {
            node.stop().await;
        }
        let store = Postgres::read(&self.database.address(), None).await.unwrap();
        let verdict = verify(Source::Store(&store), &Options::default(), &mut |_, _| {}).await;
        let verdict = verdict.unwrap();
        assert!(verdict.ok, "{}", verdict.summary());
        store.close().await;
    }
}

/// Another node comes and is given half of everything: whoever opens tables meanwhile gets them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_are_opened_while_pits_change_hands() {
    let Some(database) = Database::for_test() else { return };
    let one = House::start(&database, "one").await;
    let link = one.link.clone().expect("nobody has an account yet");
    let boss = Client::first(&one.address, &link, "boss", PASSWORD).await.unwrap();
    let starting = tokio::spawn(async move {
        let two = House::start(&database, "two").await;
        (database, two)
    });
    let mut opened = 0;
    let until = Instant::now() + Duration::from_secs(6);
    while Instant::now() < until {
        let config = json!({ "name": format!("Craps {opened}"), "practice": true });
        let answer = boss.post("/api/tables", &config).await.unwrap();
        assert_eq!(answer.status, 201, "table {opened}: {}", answer.json);
        opened += 1;
        // No faster than one address may ask.
        sleep(Duration::from_millis(30)).await;
    }
    let (database, two) = starting.await.unwrap();
    let house = House { database, nodes: vec![one, two], boss };
    assert!(house.pits("two") > 200, "{} pits have changed hands", house.pits("two"));
    assert!(opened > 20, "{opened} tables");
    house.close().await;
}

/// Both nodes reach the database, and the line between them carries nothing any more, without
/// breaking: whoever is at the wrong one is told soon, nobody takes anything over, and it goes on
/// when the line does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_that_goes_silent_holds_nobody() {
    let Some((house, line)) = House::with_line().await else { return };
    let table = house.table_at(0, &json!({ "name": "Craps 1", "practice": true })).await;
    let ann = Client::guest(&house.nodes[1].address, "Ann").await.unwrap();
    let mut socket = ann.socket(&table, None).await.unwrap();
    socket.next_of("snapshot").await.unwrap();
    let owners = || house.database.server.sql("SELECT pit, name, epoch FROM pit ORDER BY 1");
    let before = owners().unwrap();

    line.stall();
    let begun = Instant::now();
    let path = format!("/api/tables/{table}");
    let asked = ann.get(&path).await.unwrap();
    assert_eq!((asked.status, asked.json["code"].as_str()), (503, Some("owner-unreachable")));
    assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
    let ended = timeout(Duration::from_secs(8), socket.ending()).await.expect("it ends");
    assert_eq!(ended.map(|(code, _)| code), Some(1001));
    // By now nobody is let wait any more.
    let begun = Instant::now();
    assert_eq!(ann.get(&path).await.unwrap().status, 503);
    assert!(begun.elapsed() < Duration::from_millis(900), "{:?}", begun.elapsed());
    assert_eq!(owners().unwrap(), before, "nobody has taken anything over");

    line.flow();
    let until = Instant::now() + Duration::from_secs(10);
    while ann.get(&path).await.unwrap().status != 200 {
        assert!(Instant::now() < until, "it goes on");
        sleep(Duration::from_millis(100)).await;
    }
    house.close().await;
}

/// A node that others cannot reach would leave whoever comes to them without its tables.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_nobody_reaches_does_not_start() {
    let Some(database) = Database::for_test() else { return };
    let one = House::start(&database, "one").await;
    let sql = |sql: &str| database.server.sql(sql).unwrap();
    sql("CREATE FUNCTION elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
         NEW.address := '127.0.0.1:9'; RETURN NEW; END $$");
    sql("CREATE TRIGGER elsewhere BEFORE INSERT ON node FOR EACH ROW EXECUTE FUNCTION elsewhere()");
    let key = beside(&database.folder.store(), ".key");
    let refused = Live::refused(StoreAddress::Postgres(database.address()), key, "two").await;
    assert!(refused.contains("no other node reaches this one"), "{refused}");
    assert_eq!(sql("SELECT string_agg(name, ' ') FROM node WHERE state <> 'gone'").trim(), "one");
    one.stop().await;
}

/// While nodes of an earlier version are up, nothing is written that they could not read; and one
/// that cannot read what is written does not start.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_later_edition_is_written_once_every_node_reads_it() {
    let Some(database) = Database::for_test() else { return };
    let sql = |sql: &str| database.server.sql(sql).unwrap();
    let one = House::start(&database, "one").await;
    let link = one.link.clone().expect("nobody has an account yet");
    let boss = Client::first(&one.address, &link, "boss", PASSWORD).await.unwrap();
    let edition = sql("SELECT value FROM setting WHERE name = 'edition'");
    assert_eq!(edition.trim(), edition::NEWEST.to_string(), "a new house begins with the newest");

    // As if an earlier version had made the house, whose rulebooks were others.
    sql("DELETE FROM setting WHERE name = 'edition'");
    let config = json!({ "name": "Craps 1", "practice": true });
    let same = boss.post("/api/tables", &config).await.unwrap();
    assert_eq!(same.status, 201, "rulebooks that are there already are read by all: {}", same.json);
    sql("DELETE FROM rulebook WHERE file LIKE 'fire-bet%'");
    let refused = boss.post("/api/tables", &config).await.unwrap();
    assert_eq!((refused.status, refused.json["code"].as_str()), (409, Some("waits-for-nodes")));

    // A node of that version is still there.
    sql("INSERT INTO node SELECT 'old', 7, address, certificate, '0.0.9', 1, 1, 'up' FROM node");
    let store = Postgres::read(&database.address(), None).await.unwrap();
    let raise = async |to| edition::raise(&store, to).await.unwrap();
    let behind = raise(2).await.unwrap_err();
    assert!(behind.starts_with("node old (version 0.0.9) reads up to edition 1"), "{behind}");
    sql("DELETE FROM node WHERE name = 'old'");
    let unknown = raise(edition::NEWEST + 1).await.unwrap_err();
    assert!(unknown.contains("knows editions up to"), "{unknown}");
    raise(2).await.unwrap();
    raise(1).await.unwrap_err();
    let early = boss.post("/api/tables", &config).await.unwrap();
    assert_eq!(early.json["code"], "waits-for-nodes", "edition 2 is not the newest yet");
    raise(edition::NEWEST).await.unwrap();
    assert_eq!(boss.post("/api/tables", &config).await.unwrap().status, 201);

    // A later version of the program has raised it once more: this one does not come back.
    one.stop().await;
    let later = edition::NEWEST + 1;
    sql(&format!("UPDATE setting SET value = '{later}' WHERE name = 'edition'"));
    let key = beside(&database.folder.store(), ".key");
    let address = StoreAddress::Postgres(database.address());
    let refused = Live::refused(address, key, "one").await;
    assert!(
        refused.contains(&format!("edition {later}, and this version of the program reads up to")),
        "{refused}"
    );
    assert_eq!(sql("SELECT count(*) FROM node WHERE state <> 'gone'").trim(), "0");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_is_played_through_any_node() {
    let Some(house) = House::open().await else { return };
    let table = house.table_at(0, &json!({ "name": "Craps 1", "practice": true })).await;
    let ann = house.nodes[1].guest("Ann").await;
    join(&ann, &table, 0, 100_000).await;
    // A socket through the other node, and commands through both.
    let mut far = ann.socket(&table, None).await.unwrap();
    let seen = far.next_of("snapshot").await.unwrap();
    assert_eq!(seen["table"]["seats"][0]["rack"], json!(100_000));
    let mut near = house.at(0, &ann).socket(&table, None).await.unwrap();
    near.next_of("snapshot").await.unwrap();
    let ack = far.ask("one", &put(0, "pass", 1000)).await.unwrap();
    assert_eq!(ack["type"], "ack", "{ack}");
    let again = house.at(0, &ann).command(&table, "one", &put(0, "pass", 1000)).await.unwrap();
    assert_eq!(again.json["seq"], ack["seq"], "the same answer by another way");
    let update = near.next_of("update").await.unwrap();
    assert_eq!(update["seq"], ack["seq"]);
    let refused = far.ask("two", &put(0, "come", 1000)).await.unwrap();
    assert_eq!(refused["type"], "refused", "{refused}");
    // Everything else about it, too.
    for path in ["", "/offers?seat=0", "/if-it-rolls?seat=0", "/hands", "/history?after=0"] {
        let path = format!("/api/tables/{table}{path}");
        let [one, two] = [0, 1].map(|node| house.at(node, &ann));
        let (one, two) = (one.get(&path).await.unwrap(), two.get(&path).await.unwrap());
        assert_eq!((one.status, &one.json), (two.status, &two.json), "{path}");
        assert_eq!(one.status, 200, "{path}: {}", one.text);
    }
    for node in [0, 1] {
        let tables = house.at(node, &ann).get("/api/tables").await.unwrap().json;
        let known = |table: &Value, id: &str| table["id"].as_str() == Some(id);
        let list = tables.as_array().unwrap();
        assert!(list.iter().any(|line| known(line, &table)) || node == 1, "{tables}");
    }
    // What the other node has is there within a moment.
    let two = house.at(1, &ann);
    for _ in 0..200 {
        let tables = two.get("/api/tables").await.unwrap().text;
        if tables.contains(&table) {
            break;
        }
        sleep(Duration::from_millis(20)).await;
    }
    let lobby = two.get("/api/tables").await.unwrap().text;
    assert!(lobby.contains(&table), "{lobby}");
    assert_eq!(two.get("/api/tables/zzzzzzz").await.unwrap().status, 404);
    house.close().await;
}

/// Jackpots of one meter, at tables of two nodes: in one order, and to the cent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_hit_one_meter_and_no_cent_is_lost() {
    let Some(house) = House::open().await else { return };
    let paytable = "PT-BJS-FUP-05";
    let config = |name: &str| {
        json!({
            "name": name,
            "rules": ["presque-isle", format!("bonus-craps-nevada:{paytable}")],
            "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
            "meters": { (paytable): "downtown" },
            "dice": "dealer",
            "confirm_jackpots": false,
        })
    };
    let mut tables = Vec::new();
    for node in [0, 1] {
        tables.push(house.table_at(node, &config(&format!("Craps {node}"))).await);
    }
    let meter: MeterId = "downtown".parse().unwrap();
    let far = 1 - house.owner(&Stream::Meter(meter));
    let boss = &house.boss;
    for (node, table) in tables.iter().enumerate() {
        let boss = house.at(1 - node, boss);
        does(&boss, table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
        does(&boss, table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
        does(&boss, table, put(0, "pass", 1000)).await;
        // A jackpot that cannot be reached yet takes no bets, for a moment.
        for _ in 0..100 {
            if ask(&boss, table, put(0, "fired-up", 100)).await.0 == 200 {
                break;
            }
            sleep(Duration::from_millis(50)).await;
        }
    }
    let shown = async |node: usize| {
        let path = "/api/meters/downtown";
        house.at(node, boss).get(path).await.unwrap().json["amount"].as_i64().unwrap()
    };
    // 15 cents of each dollar, at both.
    for _ in 0..200 {
        if shown(0).await == 100_030 {
            break;
        }
        sleep(Duration::from_millis(20)).await;
    }
    assert_eq!([shown(0).await, shown(1).await], [100_030; 2]);
    let roll = async |table: &str| {
        for dice in ["4-4", "4-5", "5-5", "5-6", "6-6"] {
            throw(boss, table, dice).await;
        }
    };
    tokio::join!(roll(&tables[0]), roll(&tables[1]));
    let mut won = Vec::new();
    for (node, table) in tables.iter().enumerate() {
        let paid = |view: &Value| view["hand"]["claims"] == json!([]);
        let view = until(&house.at(node, boss), table, paid).await;
        won.push(view["seats"][0]["rack"].as_i64().unwrap());
    }
    won.sort_unstable();
    // One takes what the meter showed, the other what it began anew with; both lose what is up.
    assert_eq!(won[1] - won[0], 30, "{won:?}");
    let meters = house.at(far, boss).get("/api/meters").await.unwrap().json;
    let seen = meters.as_array().unwrap().iter().find(|meter| meter["meter"] == "downtown");
    assert_eq!(seen.expect("it is listed")["amount"], json!(100_000), "{meters}");
    house.close().await;
}

/// Logged out is logged out everywhere, and wrong passwords are counted wherever they are tried.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_the_same_at_every_node() {
    let Some(house) = House::open().await else { return };
    let ann = house.nodes[0].account(&house.boss, "ann", &["player"]).await;
    let table = house.table_at(0, &json!({ "name": "Craps 1", "practice": true })).await;
    let far = house.at(1, &ann);
    let mut socket = far.socket(&table, None).await.unwrap();
    socket.next_of("snapshot").await.unwrap();
    assert_eq!(far.get("/api/me").await.unwrap().json["name"], "Mx. ann");
    let renamed = json!({ "table_name": "Annie" }).to_string();
    assert_eq!(ann.request("PATCH", "/api/me", &renamed).await.unwrap().status, 200);
    sleep(Duration::from_millis(1_000)).await;
    assert_eq!(far.get("/api/me").await.unwrap().json["name"], "Annie");
    assert_eq!(ann.post("/api/logout", &json!({})).await.unwrap().status, 204);
    let ended = timeout(Duration::from_secs(2), socket.ending()).await.expect("it ends");
    assert_eq!(ended.map(|(code, _)| code), Some(4001));
    let practice = json!({ "name": "Craps 2", "practice": true });
    sleep(Duration::from_millis(1_000)).await;
    assert_eq!(far.post("/api/tables", &practice).await.unwrap().status, 401);
    // The first guess has the next wait, at whichever node.
    let guess = json!({ "name": "ann", "password": "not this one" });
    let knock = async |node: usize| {
        let answer = Client::anyone(&house.nodes[node].address).post("/api/login", &guess).await;
        answer.unwrap().code().to_owned()
    };
    assert_eq!(knock(0).await, "wrong-password");
    assert_eq!(knock(1).await, "wrong-passwords");
    house.close().await;
}

/// Whoever has lost a word in the house has none anywhere, from the answer on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_supervisor_who_is_none_any_more_supervises_nowhere() {
    let Some(house) = House::open().await else { return };
    let config = json!({ "name": "Craps 1", "dice": "dealer" });
    let table = house.table_at(1, &config).await;
    let take = json!({ "roles": ["player"] }).to_string();
    for number in 0..5 {
        let name = format!("sue{number}");
        let sue = house.nodes[0].account(&house.boss, &name, &["supervisor"]).await;
        let far = house.at(1, &sue);
        let pause = json!({ "command": "pause" });
        let resume = json!({ "command": "resume" });
        for (id, command) in [("pause", &pause), ("resume", &resume)] {
            let answer = far.command(&table, &format!("{name}-{id}"), command).await.unwrap();
            assert_eq!(answer.status, 200, "{}", answer.json);
        }
        let path = format!("/api/accounts/{name}");
        let taken = house.boss.request("PATCH", &path, &take).await.unwrap();
        assert_eq!(taken.status, 200, "{}", taken.json);
        let answer = far.command(&table, "once-more", &pause).await.unwrap();
        assert_eq!(answer.status, 401, "{}", answer.json);
    }
    house.close().await;
}

/// Of two administrators who take each other's office at once, one keeps it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_remains_an_administrator() {
    let Some(house) = House::open().await else { return };
    let second = house.nodes[1].account(&house.boss, "second", &["administrator"]).await;
    let demote = json!({ "roles": ["dealer"] }).to_string();
    let boss = house.at(0, &house.boss);
    let (one, two) = tokio::join!(
        boss.request("PATCH", "/api/accounts/second", &demote),
        second.request("PATCH", "/api/accounts/boss", &demote),
    );
    let mut codes = [one.unwrap().status, two.unwrap().status];
    codes.sort_unstable();
    assert_eq!(codes[0], 200);
    assert!(codes[1] == 409 || codes[1] == 401 || codes[1] == 403, "{codes:?}");
    let sql = "SELECT count(*) FROM account WHERE roles LIKE '%administrator%'";
    assert_eq!(house.database.server.sql(sql).unwrap().trim(), "1");
    house.close().await;
}

/// Limits and reports count what is on every node.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_and_reports_count_what_is_on_every_node() {
    let Some(house) = House::open().await else { return };
    let mut tables: Vec<String> = Vec::new();
    for node in [0, 1] {
        let config = json!({ "name": format!("Craps {node}"), "dice": "dealer" });
        let table = house.table_at(node, &config).await;
        does(&house.boss, &table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
        does(&house.boss, &table, json!({ "command": "buy-in", "seat": 0, "amount": 50_000 }))
            .await;
        does(&house.boss, &table, put(0, "pass", 1000)).await;
        does(&house.boss, &table, put(0, "field", 1000)).await;
        throw(&house.boss, &table, "1-2").await;
        tables.push(table);
    }
    let mut reports = Vec::new();
    for node in [0, 1] {
        let report = house.at(node, &house.boss).get("/api/reports").await.unwrap();
        assert_eq!(report.json["total"]["drop"], json!(100_000), "{}", report.text);
        assert_eq!(report.json["left_out"], json!([]));
        reports.push(report.json);
    }
    assert_eq!(reports[0], reports[1]);
    house.close().await;
}

/// A node that stops hands its tables over: whoever plays is answered all the while.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_hands_its_tables_over_and_nobody_is_refused() {
    let Some(mut house) = House::open().await else { return };
    let ann = house.nodes[1].guest("Ann").await;
    let mut tables = Vec::new();
    for _ in 0..4 {
        let table = house.table_at(0, &json!({ "name": "Craps", "practice": true })).await;
        join(&ann, &table, 0, 1_000_000).await;
        tables.push(table);
    }
    let leaving = house.nodes.remove(0);
    let stop = tokio::spawn(leaving.stop());
    let mut longest = Duration::ZERO;
    let mut played = 0;
    while !stop.is_finished() || played < 50 {
        for table in &tables {
            let asked = Instant::now();
            does(&ann, table, put(0, "field", 500)).await;
            longest = longest.max(asked.elapsed());
            played += 1;
        }
    }
    stop.await.unwrap();
    assert!(longest < Duration::from_secs(3), "{longest:?}");
    let one: TableId = tables[0].parse().unwrap();
    let sql = format!("SELECT name FROM pit WHERE pit = {}", Pit::of(&Stream::Table(one)));
    assert_eq!(house.database.server.sql(&sql).unwrap().trim(), "two");
    house.close().await;
}

/// A name for a shared meter that this node runs.
fn meter_of(house: &House, node: usize) -> MeterId {
    let names = (0..1_000).map(|number| format!("jackpot-{number}").parse::<MeterId>().unwrap());
    let own = |name: &MeterId| house.owner(&Stream::Meter(name.clone())) == node;
    names.into_iter().find(own).unwrap()
}

/// Players' money goes from a meter of one node to a meter of the other, once, whoever stops in
/// the middle of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_money_crosses_from_node_to_node() {
    let Some(mut house) = House::open().await else { return };
    let sue = house.nodes[0].account(&house.boss, "sue", &["supervisor"]).await;
    let dan = house.nodes[0].account(&house.boss, "dan", &["dealer"]).await;
    let meters = [meter_of(&house, 0), meter_of(&house, 1)];
    let config = |name: &str, meter: &MeterId| {
        json!({
            "name": name,
            "rules": ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-05"],
            "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
            "dice": "dealer",
            "meters": { "PT-BJS-FUP-05": meter },
        })
    };
    let table = house.table_at(0, &config("Craps 1", &meters[0])).await;
    house.table_at(1, &config("Craps 2", &meters[1])).await;
    does(&dan, &table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(&dan, &table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(&dan, &table, put(0, "fired-up", 100)).await;
    // While a meter changes hands nobody shows it for a moment.
    let look = async |who: &Client, meter: &MeterId| {
        let answer = who.get(&format!("/api/meters/{meter}")).await.unwrap();
        answer.json["amount"].as_i64().unwrap_or_default()
    };
    let shows = async |who: &Client, meter: &MeterId, amount: i64| {
        let until = Instant::now() + Duration::from_secs(20);
        while look(who, meter).await != amount {
            assert!(Instant::now() < until, "{meter} shows {}", look(who, meter).await);
            sleep(Duration::from_millis(50)).await;
        }
    };
    shows(&house.boss, &meters[0], 100_015).await;
    let ask = async |who: &Client, command: Value| {
        let path = format!("/api/meters/{}/commands", meters[0]);
        let answer = who.post(&path, &json!({ "command": command })).await.unwrap();
        answer.ok().unwrap()["seq"].clone()
    };
    for amount in [10, 4] {
        let goes = json!({ "command": "move", "to": meters[1], "amount": amount,
                            "reason": "one jackpot" });
        let proposal = ask(&house.boss, goes).await;
        ask(&sue, json!({ "command": "approve", "proposal": proposal })).await;
        if amount == 4 {
            // The node that it goes to stops right then, and whoever takes its meters over has it.
            house.nodes.pop().unwrap().stop().await;
        }
        let who = house.at(0, &house.boss);
        let (left, arrived) = if amount == 10 { (100_005, 100_010) } else { (100_001, 100_014) };
        shows(&who, &meters[0], left).await;
        shows(&who, &meters[1], arrived).await;
    }
    house.close().await;
}
