//! Who may do what: every action asked by every role, at a practice table and at a real one, to
//! one's own seat, to another's and to nobody's, held against the one table that says so. And
//! the door: what ends a session, who waits after a wrong password, who is shown which name.

mod passwords;

use std::time::Duration;

use boxman_client::{Answer, Client, Message, TableSocket, Value, json};
use boxman_server::testing::access::{Deed, Person, Reach};
use boxman_server::testing::ask::Verb;
use boxman_server::testing::http::Limits;
use boxman_server::testing::role::Role;
use futures_util::StreamExt;

use crate::live::{Folder, Live, PASSWORD, ask, does, fresh_id, generous, join, open, put};

/// How an action is asked for, in a way that is refused for another reason where it is allowed:
/// so the table stays as it is.
enum Way {
    /// A command about seat 0, or about the dice it holds.
    Seat(Value),
    /// A command about the table.
    Table(Value),
    /// A request; `{table}` and `{meter}` are filled in.
    Request(&'static str, &'static str, Value),
    /// Nothing is refused, and less is shown: see `sight`.
    Less,
}

/// Every action has its way, or does not compile.
fn way(action: Deed, practice: bool) -> Way {
    let seat = |command: &str, more: Value| {
        let mut all = json!({ "command": command, "seat": 0 });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        Way::Seat(all)
    };
    let named = |command: &str| Way::Table(json!({ "command": command }));
    let nothing = json!({ "amount": 0 });
    let config = json!({ "name": "", "practice": practice });
    let meter = |command: Value| {
        Way::Request("POST", "/api/meters/{meter}/commands", json!({ "command": command }))
    };
    match action {
        Deed::Table(Verb::Sit) => Way::Table(json!({ "command": "sit", "seat": 23 })),
        Deed::Table(Verb::Leave) => seat("leave", json!({})),
        Deed::Table(Verb::Rename) => seat("rename", json!({})),
        Deed::Table(Verb::GiveUpSeat) => seat("give-up-seat", json!({ "reason": "" })),
        Deed::Table(Verb::BuyIn) => seat("buy-in", nothing),
        Deed::Table(Verb::CashOut) => seat("cash-out", nothing),
        Deed::Table(Verb::Put) => seat("put", json!({ "wager": "field", "amount": 0 })),
        Deed::Table(Verb::Take) => seat("take", json!({ "wager": "field", "amount": 0 })),
        Deed::Table(Verb::Call) => seat("call", json!({ "wager": "field", "call": "off" })),
        Deed::Table(Verb::Roll) => Way::Seat(json!({ "command": "roll", "shooter_bytes": "" })),
        Deed::Table(Verb::PassDice) => Way::Seat(json!({ "command": "pass-dice" })),
        Deed::Table(Verb::CloseBetting) => named("close-betting"),
        Deed::Table(Verb::KeyRoll) => Way::Table(json!({ "command": "key-roll", "dice": "3-4" })),
        Deed::Table(Verb::NoRoll) => named("no-roll"),
        Deed::Table(Verb::OpenBetting) => named("open-betting"),
        Deed::Table(Verb::Done) => Way::Table(json!({ "command": "done", "list": 0 })),
        Deed::Table(Verb::Link) => {
            Way::Table(json!({ "command": "link", "sitting": 0, "person": "Ann" }))
        }
        Deed::Table(Verb::Identify) => {
            Way::Table(json!({ "command": "identify", "sitting": 0, "taken": true }))
        }
        Deed::Table(Verb::AcceptTray) => {
            Way::Table(json!({ "command": "accept-tray", "reason": "" }))
        }
        Deed::Table(Verb::Void) => Way::Table(json!({ "command": "void", "reason": "" })),
        Deed::Table(Verb::Correct) => {
            Way::Table(json!({ "command": "correct", "dice": "3-4", "reason": "" }))
        }
        Deed::Table(Verb::Mend) => {
            Way::Table(json!({ "command": "mend", "of": 0, "kind": "no-roll", "reason": "" }))
        }
        Deed::Table(Verb::Configure) => {
            Way::Table(json!({ "command": "configure", "config": config, "reason": "" }))
        }
        Deed::Table(Verb::Approve) => Way::Table(json!({ "command": "approve", "proposal": 0 })),
        Deed::Table(Verb::Withdraw) => Way::Table(json!({ "command": "withdraw", "proposal": 0 })),
        Deed::Table(Verb::Check) => {
            Way::Table(json!({ "command": "check", "claim": 0, "item": "dice" }))
        }
        Deed::Table(Verb::ConfirmClaim) => {
            Way::Table(json!({ "command": "confirm-claim", "claim": 0 }))
        }
        Deed::Table(Verb::DenyClaim) => {
            Way::Table(json!({ "command": "deny-claim", "claim": 0, "reason": "why not" }))
        }
        Deed::Table(Verb::Fill) => Way::Table(json!({ "command": "fill", "amount": 0 })),
        Deed::Table(Verb::Credit) => Way::Table(json!({ "command": "credit", "amount": 0 })),
        Deed::Table(Verb::Pause) => named("pause"),
        Deed::Table(Verb::Resume) => named("resume"),
        Deed::Table(Verb::Close) => named("close"),
        Deed::OpenTable => {
            Way::Request("POST", "/api/tables", json!({ "name": "", "practice": false }))
        }
        Deed::OpenPractice => {
            Way::Request("POST", "/api/tables", json!({ "name": "", "practice": true }))
        }
        Deed::ChangeMeter => meter(json!({ "command": "close", "reason": "" })),
        Deed::ApproveMeter => meter(json!({ "command": "approve", "proposal": 0 })),
        Deed::SeeSeats => Way::Less,
        Deed::FindClosed => Way::Request("GET", "/api/tables?closed=true", Value::Null),
        Deed::HearBell => Way::Request("GET", "/api/waiting", Value::Null),
        Deed::ReadPlayers => Way::Request("GET", "/api/office/buy-ins", Value::Null),
        Deed::ReadReports => Way::Request("GET", "/api/reports", Value::Null),
        Deed::ReadLedger => Way::Request("GET", "/api/tables/{table}/ledger?seat=0", Value::Null),
        Deed::ReadAudit => Way::Request("GET", "/api/tables/{table}/records", Value::Null),
        Deed::ImportTable => Way::Request("POST", "/api/import", json!("rules presque-isle")),
        Deed::KeepAccounts => Way::Request("GET", "/api/accounts", Value::Null),
    }
}

/// Whose seat 0 is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Owner {
    Own,
    Other,
    Nobody,
}

/// What the table of roles says: the code of the refusal, where there has to be one.
fn expected(
    action: Deed,
    role: Role,
    practice: bool,
    owner: Option<Owner>,
) -> Option<&'static str> {
    let mine = owner.is_none_or(|owner| owner == Owner::Own);
    let free = mine || owner == Some(Owner::Nobody);
    // Crew with a seat at a real table may do there what a player may.
    let plays = !practice && owner == Some(Owner::Own);
    let role = if plays { Role::Player } else { role };
    match action.reach(role) {
        Reach::No => Some("forbidden"),
        Reach::Practice if !practice => Some("forbidden"),
        Reach::Practice | Reach::Own if !mine => Some("not-your-seat"),
        Reach::Unowned if !free => Some("not-your-seat"),
        _ => None,
    }
}

/// The people of a house, one of each role, and another player who is always there.
struct Staff {
    live: Live,
    people: Vec<(Role, Client)>,
    other: Client,
}

impl Staff {
    async fn hire(folder: &Folder) -> Staff {
        let live = Live::start(&folder.store()).await;
        let boss = live.boss().await;
        let mut people = vec![(Role::Guest, live.guest("Guest").await)];
        for role in &Role::ALL[1..] {
            people.push((*role, live.account(&boss, role.name(), &[role.name()]).await));
        }
        let other = live.account(&boss, "other", &["player"]).await;
        Staff { live, people, other }
    }

    fn of(&self, role: Role) -> &Client {
        &self.people.iter().find(|(known, _)| *known == role).unwrap().1
    }

    async fn open(&self, practice: bool) -> String {
        let config = json!({ "name": "Roles", "practice": practice });
        open(self.of(Role::Supervisor), &config).await
    }

    /// A table where seat 0 has the dice and a bet, and somebody watches for its owner: a
    /// shooter who is away may be rolled for.
    async fn seated(&self, practice: bool, owner: Option<&Client>) -> (String, TableSocket) {
        let table = self.open(practice).await;
        let dealer = self.of(Role::Dealer);
        let watching = owner.unwrap_or(dealer).socket(&table, None).await.unwrap();
        match owner {
            Some(owner) => does(owner, &table, json!({ "command": "sit", "seat": 0 })).await,
            None => {
                let walter = json!({ "command": "sit", "seat": 0, "name": "Walter" });
                does(dealer, &table, walter).await
            }
        };
        // Nobody of the crew buys in for a seat of their own.
        let own = owner.is_some_and(|owner| owner.token == dealer.token);
        let cashier = if own { self.of(Role::Supervisor) } else { dealer };
        does(cashier, &table, json!({ "command": "buy-in", "seat": 0, "amount": 10_000 })).await;
        does(owner.unwrap_or(dealer), &table, put(0, "pass", 1000)).await;
        (table, watching)
    }
}

fn holds(found: (u16, String), wanted: Option<&str>, at: &str) {
    let (status, code) = found;
    let refused = matches!(code.as_str(), "forbidden" | "not-your-seat");
    match wanted {
        Some(wanted) => assert_eq!((status, code.as_str()), (403, wanted), "{at}"),
        None => assert!(!refused && status != 401, "{at}: {status} {code}"),
    }
}

async fn try_out(client: &Client, table: &str, meter: &str, way: &Way) -> (u16, String) {
    match way {
        Way::Seat(command) | Way::Table(command) => ask(client, table, command.clone()).await,
        Way::Request(method, path, body) => {
            let path = path.replace("{table}", table).replace("{meter}", meter);
            let body = if body.is_null() { String::new() } else { body.to_string() };
            let answer = client.request(method, &path, &body).await.unwrap();
            (answer.status, answer.code().to_owned())
        }
        Way::Less => unreachable!("nothing to try"),
    }
}

#[tokio::test]
async fn seats_are_played_by_whom_the_table_of_roles_says() {
    let folder = Folder::new();
    let staff = Staff::hire(&folder).await;
    for practice in [true, false] {
        let (others, _theirs) = staff.seated(practice, Some(&staff.other)).await;
        let (nobodys, _dealt) = staff.seated(practice, None).await;
        for (role, client) in &staff.people {
            let mut tables = vec![(Owner::Other, others.clone()), (Owner::Nobody, nobodys.clone())];
            let may_sit = expected(Verb::Sit.into(), *role, practice, None).is_none();
            let mut watching = None;
            if may_sit {
                let (own, socket) = staff.seated(practice, Some(client)).await;
                watching = Some(socket);
                tables.push((Owner::Own, own));
            }
            for (owner, table) in &tables {
                for action in Deed::all() {
                    let way = way(action, practice);
                    if !matches!(way, Way::Seat(_)) {
                        continue;
                    }
                    let found = try_out(client, table, "", &way).await;
                    let at = format!("{role} {action:?} {owner:?}, practice {practice}");
                    holds(found, expected(action, *role, practice, Some(*owner)), &at);
                }
            }
            drop(watching);
        }
    }
    staff.live.stop().await;
}

#[tokio::test]
async fn everything_else_is_done_by_whom_the_table_of_roles_says() {
    let folder = Folder::new();
    let staff = Staff::hire(&folder).await;
    let meters = staff.other.get("/api/meters").await.unwrap().ok().unwrap();
    let meter = meters[0]["meter"].as_str().unwrap();
    for practice in [true, false] {
        let (table, _watching) = staff.seated(practice, None).await;
        for action in Deed::all() {
            let way = way(action, practice);
            if matches!(way, Way::Seat(_) | Way::Less) {
                continue;
            }
            for (role, client) in &staff.people {
                let found = try_out(client, &table, meter, &way).await;
                let at = format!("{role} {action:?}, practice {practice}");
                holds(found, expected(action, *role, practice, None), &at);
            }
            // Nobody in particular may do nothing.
            let nobody = Client::anyone(&staff.live.address);
            let found = try_out(&nobody, &table, meter, &way).await;
            assert_eq!(found, (401, "not-logged-in".to_owned()), "{action:?}");
        }
    }
    staff.live.stop().await;
}

#[test]
fn two_roles_add_up() {
    let person = |roles: &[Role]| {
        let (id, name) = ("ann".to_owned(), "Ann".to_owned());
        Person { id, name, roles: roles.to_vec() }
    };
    for action in Deed::all() {
        for (one, other) in Role::ALL.iter().flat_map(|one| Role::ALL.map(|other| (*one, other))) {
            for practice in [true, false] {
                let both = person(&[one, other]);
                let each = [person(&[one]), person(&[other])];
                for owner in [None, Some("ann"), Some("bob")] {
                    let any = each.iter().any(|person| person.may(action, practice, owner));
                    assert_eq!(both.may(action, practice, owner), any, "{action:?} {one} {other}");
                }
                let any = each.iter().any(|person| person.may_at_all(action, practice));
                assert_eq!(both.may_at_all(action, practice), any, "{action:?} {one} {other}");
            }
        }
    }
}

/// A practice table hides from nobody who runs it what it shows to guests.
#[test]
fn the_crew_may_read_of_practice_tables_what_guests_may() {
    for action in [Deed::ReadAudit, Deed::ReadLedger] {
        for role in [Role::Guest, Role::Player, Role::Dealer, Role::Supervisor] {
            let person = Person { id: "ann".into(), name: "Ann".into(), roles: vec![role] };
            assert!(person.may_at_all(action, true), "{role} {action:?}");
        }
    }
}

#[tokio::test]
async fn an_account_with_two_roles_may_do_what_either_may() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let both = live.account(&boss, "both", &["player", "auditor"]).await;
    let table = open(&boss, &json!({ "name": "Roles" })).await;
    does(&both, &table, json!({ "command": "sit", "seat": 0 })).await;
    for (path, status) in [("/api/reports", 200), ("/api/accounts", 403)] {
        assert_eq!(both.get(path).await.unwrap().status, status, "{path}");
    }
    assert_eq!(both.get(&format!("/api/tables/{table}/records")).await.unwrap().status, 200);
    live.stop().await;
}

/// A socket ends soon, whatever it says before; gives the code it ends with.
async fn ends(mut socket: TableSocket) -> Option<u16> {
    let end = async {
        loop {
            match socket.stream.next().await {
                Some(Ok(Message::Close(frame))) => return frame.map(|frame| frame.code.into()),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return None,
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(5), end).await.expect("the socket ends")
}

#[tokio::test]
async fn a_token_dies_with_its_session_and_so_do_its_sockets() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let table = live.practice().await;
    let other = live.account(&boss, "other", &["player"]).await;
    let mut spared = other.socket(&table, None).await.unwrap();
    live.account(&boss, "ann", &["player"]).await;
    let change = |change: Value| (boss.clone(), "PATCH", "/api/accounts/ann", change.to_string());
    for round in 0..4 {
        let ann = Client::login(&live.address, "ann", PASSWORD).await.unwrap();
        let second = Client::login(&live.address, "ann", PASSWORD).await.unwrap();
        let socket = ann.socket(&table, None).await.unwrap();
        assert_eq!(ann.get("/api/me").await.unwrap().status, 200);
        let (who, method, path, body) = match round {
            0 => (ann.clone(), "POST", "/api/logout", String::new()),
            1 => change(json!({ "roles": ["dealer"] })),
            2 => change(json!({ "password": PASSWORD })),
            _ => change(json!({ "table_name": "Annie" })),
        };
        let done = who.request(method, path, &body).await.unwrap();
        assert!(done.status < 300, "{}", done.text);
        // A name changes nothing else; logging out ends one session, the others all of them.
        let (first, other) = [(401, 200), (401, 401), (401, 401), (200, 200)][round];
        assert_eq!(ann.get("/api/me").await.unwrap().status, first, "round {round}");
        assert_eq!(second.get("/api/me").await.unwrap().status, other, "round {round}");
        if first == 401 {
            assert_eq!(ends(socket).await, Some(4001), "round {round}");
        }
    }
    // Nobody else was thrown out.
    assert_eq!(other.get("/api/me").await.unwrap().status, 200);
    let sit = spared.ask("sit", &json!({ "command": "sit", "seat": 0 })).await.unwrap();
    assert_eq!(sit["type"], "ack");
    live.stop().await;
}

async fn login(live: &Live, name: &str, password: &str) -> Answer {
    let body = json!({ "name": name, "password": password });
    Client::anyone(&live.address).post("/api/login", &body).await.unwrap()
}

/// As if it came through a proxy from this address.
async fn login_from(live: &Live, from: &str, name: &str, password: &str) -> Answer {
    let body = json!({ "name": name, "password": password }).to_string();
    let request = format!(
        "POST /api/login HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {from}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    Client::anyone(&live.address).raw(request.as_bytes()).await.unwrap()
}

const WRONG: &str = "wrong horse battery";

/// The records of the house's own log, as somebody is shown them.
async fn house_log(who: &Client) -> Vec<Value> {
    let records = who.get("/api/audit/house?limit=500").await.unwrap().ok().unwrap();
    records.as_array().unwrap().iter().map(|record| record["body"]["what"].clone()).collect()
}

#[tokio::test]
async fn a_flood_of_failures_leaves_a_few_lines_in_the_log() {
    let folder = Folder::new();
    let limits = Limits { behind_proxy: true, ..generous() };
    let live = Live::with_limits(&folder.store(), limits).await;
    let boss = live.boss().await;
    let me = boss.get("/api/me").await.unwrap().ok().unwrap();
    let guess = async |name: String, number: usize| {
        login_from(&live, &format!("10.2.0.{number}"), &name, WRONG).await.status
    };
    let mut tried = (0, 0);
    for number in 0..20 {
        tried.0 += usize::from(guess("boss".to_owned(), number).await == 401);
        tried.1 += usize::from(guess(format!("nobody{number}"), number).await == 401);
    }
    assert!(tried.0 >= 3 && tried.1 == 20, "{tried:?}");
    let failures = async |account: &Value| -> Vec<u64> {
        let log = house_log(&boss).await;
        let failed = log.iter().filter_map(|entry| entry.get("login-failed"));
        let of = failed.filter(|entry| entry["account"] == *account);
        of.map(|entry| entry["failures"].as_u64().unwrap()).collect()
    };
    // They are written down behind the back of whoever failed.
    for _ in 0..100 {
        if failures(&Value::Null).await.last() == Some(&16) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(failures(&Value::Null).await, [1, 2, 4, 8, 16]);
    assert_eq!(failures(&me["person"]).await[..2], [1, 2]);
    live.stop().await;
}

/// What somebody logs in with is shown to them and to administrators, and to nobody else.
#[tokio::test]
async fn nobody_is_shown_what_others_log_in_with() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let make = json!({ "name": "secret.sue", "table_name": "Sue", "password": PASSWORD,
        "roles": ["dealer", "supervisor"] });
    let made = boss.post("/api/accounts", &make).await.unwrap().ok().unwrap();
    let sue = Client::login(&live.address, "secret.sue", PASSWORD).await.unwrap();
    let me = sue.get("/api/me").await.unwrap().ok().unwrap();
    let person = me["person"].as_str().unwrap();
    assert!(person.starts_with("p-") && person.len() == 14, "{person}");
    assert_eq!((&me["name"], &me["login"]), (&json!("Sue"), &json!("secret.sue")));
    assert_eq!((&made["person"], &made["name"]), (&me["person"], &me["login"]));

    // She deals, plays, asks for a void and for another meter.
    let config = json!({ "name": "Craps 1", "dice": "dealer", "practice": true,
        "rules": ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-01"] });
    let table = open(&sue, &config).await;
    let guest = live.guest("Gus").await;
    let mut socket = guest.socket(&table, None).await.unwrap();
    join(&guest, &table, 0, 10_000).await;
    does(&guest, &table, put(0, "pass", 1000)).await;
    does(&sue, &table, json!({ "command": "close-betting" })).await;
    does(&sue, &table, json!({ "command": "key-roll", "dice": "2-2" })).await;
    does(&sue, &table, json!({ "command": "sit", "seat": 1 })).await;
    does(&sue, &table, json!({ "command": "pause" })).await;

    let auditor = live.account(&boss, "audrey", &["auditor"]).await;
    let mut texts = Vec::new();
    for path in
        ["", "/history?after=1", "/hands", "/records", "/ledger?seat=0", "/export", "/socket"]
    {
        let path = format!("/api/tables/{table}{path}");
        let text = match path.ends_with("/socket") {
            false => auditor.get(&path).await.unwrap().text,
            true => {
                let mut frames = String::new();
                while !frames.contains("\"paused\"") {
                    frames += &socket.next().await.unwrap().unwrap().to_string();
                }
                frames
            }
        };
        assert!(text.len() > 100, "{path}: {text}");
        texts.push((path, text));
    }
    for path in ["/api/audit/house", "/api/meters", "/api/tables", "/api/reports"] {
        texts.push((path.to_owned(), auditor.get(path).await.unwrap().text));
    }
    for (path, text) in &texts {
        assert!(!text.contains("secret.sue"), "{path}: {text}");
    }
    // Her table name is, where she did something from no seat of her own and where she sits.
    let (_, history) = &texts[1];
    assert!(history.contains(&format!("\"by\":\"{person}\",\"name\":\"Sue\"")), "{history}");
    assert!(
        live.view(&table)
            .await
            .to_string()
            .contains(&format!("\"name\":\"Sue\",\"person\":\"{person}\""))
    );
    // Administrators are shown all three names.
    let log = house_log(&boss).await;
    let made = log.iter().find(|entry| entry["account-made"]["login"] == "secret.sue").unwrap();
    assert_eq!(made["account-made"]["account"], person);
    let accounts = boss.get("/api/accounts").await.unwrap().ok().unwrap();
    let expected = json!({ "person": person, "name": "secret.sue", "table_name": "Sue",
        "roles": ["dealer", "supervisor"] });
    assert!(accounts.as_array().unwrap().contains(&expected), "{accounts}");
    assert!(live.view(&table).await["hand"]["proposals"].as_array().unwrap().is_empty());
    live.stop().await;
}

#[tokio::test]
async fn a_name_at_tables_is_not_the_login_and_can_be_changed() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let make = json!({ "name": "ann", "password": PASSWORD, "roles": ["player"] });
    boss.post("/api/accounts", &make).await.unwrap().ok().unwrap();
    let ann = Client::login(&live.address, "ann", PASSWORD).await.unwrap();
    let me = ann.get("/api/me").await.unwrap().ok().unwrap();
    let made_up = me["name"].as_str().unwrap();
    assert!(made_up.starts_with("Player ") && made_up.len() == 11, "{made_up}");
    let rename = async |who: &Client, path: &str, name: &str| {
        let body = json!({ "table_name": name }).to_string();
        let answer = who.request("PATCH", path, &body).await.unwrap();
        (answer.status, answer.code().to_owned())
    };
    for (name, status) in [("Ann", 422), ("ann", 422), ("", 422), ("Annie", 200)] {
        assert_eq!(rename(&ann, "/api/me", name).await.0, status, "{name}");
    }
    assert_eq!(ann.get("/api/me").await.unwrap().json["name"], "Annie");
    let table = live.practice().await;
    does(&ann, &table, json!({ "command": "sit", "seat": 0 })).await;
    assert_eq!(live.view(&table).await["seats"][0]["name"], "Annie");
    let mut socket = ann.socket(&table, None).await.unwrap();
    assert_eq!(rename(&boss, "/api/accounts/ann", "Ann Lee").await.0, 200);
    assert_eq!(ann.get("/api/me").await.unwrap().json["name"], "Ann Lee");
    // A socket that was open all the time knows it too.
    let sit = json!({ "command": "sit", "seat": 1 });
    assert_eq!(socket.ask(&fresh_id(), &sit).await.unwrap()["type"], "ack");
    let names = live.view(&table).await["seats"].clone();
    assert_eq!((&names[0]["name"], &names[1]["name"]), (&json!("Annie"), &json!("Ann Lee")));
    let guest = live.guest("Gus").await;
    assert_eq!(rename(&guest, "/api/me", "Gustav").await.0, 200);
    assert_eq!(guest.get("/api/me").await.unwrap().json["name"], "Gustav");
    let log = house_log(&boss).await;
    let renamed: Vec<&Value> = log.iter().filter_map(|entry| entry.get("renamed")).collect();
    assert_eq!((renamed.len(), &renamed[0]["account"]), (2, &me["person"]));
    assert_eq!((&renamed[1]["before"], &renamed[1]["after"]), (&json!("Annie"), &json!("Ann Lee")));
    live.stop().await;
}

#[tokio::test]
async fn the_link_is_good_for_one() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let link = live.link.clone().unwrap();
    let client = Client::anyone(&live.address);
    let redeem =
        |name: &str, password: &str| json!({ "link": link, "name": name, "password": password });
    // A name or a password that is no good does not use it up.
    let bad = client.post("/api/setup", &redeem("Bad Name", PASSWORD)).await.unwrap();
    assert_eq!(bad.code(), "bad-name");
    let bad = client.post("/api/setup", &redeem("boss", "short")).await.unwrap();
    assert_eq!(bad.code(), "bad-password");
    let names = ["one", "two", "three", "four"].map(|name| redeem(name, PASSWORD));
    let all = names.iter().map(|body| client.post("/api/setup", body));
    let all = futures_util::future::join_all(all).await;
    let mut codes: Vec<u16> = all.into_iter().map(|answer| answer.unwrap().status).collect();
    codes.sort_unstable();
    assert_eq!(codes, [200, 403, 403, 403]);
    live.stop().await;
}

/// What only those may know who may change it is checked after who they are.
#[tokio::test]
async fn nobody_learns_why_they_could_not_have() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let guest = live.guest("Ann").await;
    let table = live.practice().await;
    let configure = json!({
        "command": "configure",
        "config": { "name": "Mine", "rules": ["no-such-rules"] },
        "reason": "why not",
    });
    let refused = ask(&guest, &table, configure).await;
    assert_eq!(refused, (403, "forbidden".to_owned()));
    live.stop().await;
}
