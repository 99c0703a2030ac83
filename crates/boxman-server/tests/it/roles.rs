//! Who may do what: every action asked by every role, at a practice table and at a real one, to
//! one's own seat, to another's and to nobody's, held against the one table that says so. And
//! the door: what ends a session, what locks an account.

use std::time::Duration;

use boxman_client::{Client, Message, TableSocket, Value, json};
use boxman_server::access::{Action, Person, Reach, Role};
use futures_util::StreamExt;

use crate::live::{Folder, Live, PASSWORD, ask, does, open, put};

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
fn way(action: Action, practice: bool) -> Way {
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
        Action::Sit => Way::Table(json!({ "command": "sit", "seat": 23 })),
        Action::Leave => seat("leave", json!({})),
        Action::GiveUpSeat => seat("give-up-seat", json!({ "reason": "" })),
        Action::BuyIn => seat("buy-in", nothing),
        Action::CashOut => seat("cash-out", nothing),
        Action::Put => seat("put", json!({ "wager": "field", "amount": 0 })),
        Action::Take => seat("take", json!({ "wager": "field", "amount": 0 })),
        Action::Call => seat("call", json!({ "wager": "field", "call": "off" })),
        Action::Roll => Way::Seat(json!({ "command": "roll", "shooter_bytes": "" })),
        Action::PassDice => Way::Seat(json!({ "command": "pass-dice" })),
        Action::CloseBetting => named("close-betting"),
        Action::KeyRoll => Way::Table(json!({ "command": "key-roll", "dice": "3-4" })),
        Action::NoRoll => named("no-roll"),
        Action::Void => Way::Table(json!({ "command": "void", "reason": "" })),
        Action::Correct => Way::Table(json!({ "command": "correct", "dice": "3-4", "reason": "" })),
        Action::Configure => {
            Way::Table(json!({ "command": "configure", "config": config, "reason": "" }))
        }
        Action::Approve => Way::Table(json!({ "command": "approve", "proposal": 0 })),
        Action::Withdraw => Way::Table(json!({ "command": "withdraw", "proposal": 0 })),
        Action::ConfirmClaim => Way::Table(json!({ "command": "confirm-claim", "claim": 0 })),
        Action::DenyClaim => {
            Way::Table(json!({ "command": "deny-claim", "claim": 0, "reason": "why not" }))
        }
        Action::Fill => Way::Table(json!({ "command": "fill", "amount": 0 })),
        Action::Credit => Way::Table(json!({ "command": "credit", "amount": 0 })),
        Action::Pause => named("pause"),
        Action::Resume => named("resume"),
        Action::Close => named("close"),
        Action::OpenTable => {
            Way::Request("POST", "/api/tables", json!({ "name": "", "practice": false }))
        }
        Action::OpenPractice => {
            Way::Request("POST", "/api/tables", json!({ "name": "", "practice": true }))
        }
        Action::ChangeMeter => meter(json!({ "command": "close", "reason": "" })),
        Action::ApproveMeter => meter(json!({ "command": "approve", "proposal": 0 })),
        Action::SeeSeats => Way::Less,
        Action::ReadReports => Way::Request("GET", "/api/reports", Value::Null),
        Action::ReadLedger => Way::Request("GET", "/api/tables/{table}/ledger?seat=0", Value::Null),
        Action::ReadAudit => Way::Request("GET", "/api/tables/{table}/records", Value::Null),
        Action::ImportTable => Way::Request("POST", "/api/import", json!("rules presque-isle")),
        Action::KeepAccounts => Way::Request("GET", "/api/accounts", Value::Null),
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
    action: Action,
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
            let may_sit = expected(Action::Sit, *role, practice, None).is_none();
            let mut watching = None;
            if may_sit {
                let (own, socket) = staff.seated(practice, Some(client)).await;
                watching = Some(socket);
                tables.push((Owner::Own, own));
            }
            for (owner, table) in &tables {
                for action in Action::ALL {
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
        for action in Action::ALL {
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
fn the_table_of_roles_is_complete_and_two_roles_add_up() {
    for (place, action) in Action::ALL.iter().enumerate() {
        assert_eq!(*action as usize, place, "{action:?} is out of its place");
    }
    let person = |roles: &[Role]| {
        let (id, name) = ("ann".to_owned(), "Ann".to_owned());
        Person { id, name, roles: roles.to_vec() }
    };
    for action in Action::ALL {
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
    for action in [Action::ReadAudit, Action::ReadLedger] {
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
            _ => change(json!({ "unlock": true })),
        };
        let done = who.request(method, path, &body).await.unwrap();
        assert!(done.status < 300, "{}", done.text);
        // Unlocking changes nothing else; logging out ends one session, the others all of them.
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

async fn login(live: &Live, name: &str, password: &str) -> (u16, String, String) {
    let body = json!({ "name": name, "password": password });
    let answer = Client::anyone(&live.address).post("/api/login", &body).await.unwrap();
    let detail = answer.json["detail"].as_str().unwrap_or_default().to_owned();
    (answer.status, answer.code().to_owned(), detail)
}

#[tokio::test]
async fn three_failures_lock_an_account_until_somebody_unlocks_it() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    live.account(&boss, "ann", &["player"]).await;
    let wrong = login(&live, "ann", "wrong horse battery").await;
    assert_eq!((wrong.0, wrong.1.as_str()), (401, "wrong-password"));
    assert_eq!(login(&live, "nobody", PASSWORD).await, wrong, "nobody can tell who has an account");
    // A good login forgets the failures before it.
    assert_eq!(login(&live, "ann", PASSWORD).await.0, 200);
    for _ in 0..3 {
        assert_eq!(login(&live, "ann", "wrong horse battery").await, wrong);
    }
    let locked = login(&live, "ann", PASSWORD).await;
    assert_eq!((locked.0, locked.1.as_str()), (403, "account-locked"));
    let accounts = boss.get("/api/accounts").await.unwrap().ok().unwrap();
    assert_eq!(accounts[0], json!({ "name": "ann", "roles": ["player"], "locked": true }));
    let unlock = json!({ "unlock": true }).to_string();
    boss.request("PATCH", "/api/accounts/ann", &unlock).await.unwrap().ok().unwrap();
    assert_eq!(login(&live, "ann", PASSWORD).await.0, 200);
    live.stop().await;
}

#[tokio::test]
async fn guesses_made_all_at_once_count_one_by_one() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    live.account(&boss, "ann", &["player"]).await;
    let guesses = (0..8).map(|_| login(&live, "ann", "wrong horse battery"));
    let mut codes: Vec<String> =
        futures_util::future::join_all(guesses).await.into_iter().map(|found| found.1).collect();
    codes.sort();
    assert_eq!(codes.iter().filter(|code| *code == "wrong-password").count(), 3, "{codes:?}");
    assert_eq!(login(&live, "ann", PASSWORD).await.1, "account-locked");
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
