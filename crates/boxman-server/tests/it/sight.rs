//! Who sees what of a table: at a real one strangers see the dice, and only those who sit there,
//! the crew and auditors see names and chips. Names and amounts are planted at a table, and
//! everything that shows something of it is asked by everybody.

mod meters;

use boxman_client::{Client, TableSocket, Value, json};
use boxman_server::testing::access::{Deed, Person};
use boxman_server::testing::role::Role;

use crate::live::{Folder, Live, ask, does, open, put};

/// What only those who see the seats may find: a name, chips bought, a rack, a stake, a reason.
const PLANTED: [&str; 6] = ["wilhelmina", "356700", "313600", "3136.00", "43100", "zanzibar"];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Viewer {
    Nobody,
    Guest,
    Elsewhere,
    Seated,
    Gone,
    Dealer,
    Supervisor,
    Auditor,
    Administrator,
}

/// What is shown at an address, and so to whom.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shows {
    /// Nothing of anybody.
    Nothing,
    /// Who shoots, at tables for practice.
    Lobby,
    /// The seats of the table.
    Seats,
    /// What moved the chips of a seat.
    Ledger,
    /// The log, or what follows from it.
    Log,
    /// What the tables won and lost.
    Report,
}

const PLACES: [(&str, Shows); 17] = [
    ("/api/tables", Shows::Lobby),
    ("/api/tables/{table}", Shows::Seats),
    ("/api/tables/{table}/offers?seat=0", Shows::Seats),
    ("/api/tables/{table}/if-it-rolls?seat=0", Shows::Seats),
    ("/api/tables/{table}/hands", Shows::Seats),
    ("/api/tables/{table}/hands?name=wilhelm", Shows::Seats),
    ("/api/tables/{table}/hands?shooter=0", Shows::Seats),
    ("/api/tables/{table}/history?after=4&limit=500", Shows::Seats),
    ("/api/tables/{table}/history?after=1000000", Shows::Seats),
    ("/api/tables/{table}/ledger?seat=0", Shows::Ledger),
    ("/api/tables/{table}/ledger?seat=0&format=csv", Shows::Ledger),
    ("/api/tables/{table}/records", Shows::Log),
    ("/api/tables/{table}/export", Shows::Log),
    ("/api/tables/{table}/export?format=tape", Shows::Log),
    ("/api/tables/{table}/verify", Shows::Log),
    ("/api/tables/{table}/edges", Shows::Nothing),
    ("/api/reports?practice=true", Shows::Report),
];

/// Whether the table of roles lets somebody ask at all.
fn may(viewer: Viewer, action: Deed, practice: bool) -> bool {
    let role = match viewer {
        Viewer::Nobody => return false,
        Viewer::Guest => Role::Guest,
        Viewer::Elsewhere | Viewer::Seated | Viewer::Gone => Role::Player,
        Viewer::Dealer => Role::Dealer,
        Viewer::Supervisor => Role::Supervisor,
        Viewer::Auditor => Role::Auditor,
        Viewer::Administrator => Role::Administrator,
    };
    let (id, name) = ("ann".to_owned(), "Ann".to_owned());
    Person { id, name, roles: vec![role] }.may_at_all(action, practice)
}

/// Whether somebody finds what is planted.
fn finds(viewer: Viewer, practice: bool, shows: Shows) -> bool {
    use Viewer::{Administrator, Auditor, Dealer, Nobody, Seated, Supervisor};
    match shows {
        Shows::Nothing => false,
        Shows::Lobby => practice,
        Shows::Seats => {
            practice || matches!(viewer, Seated | Dealer | Supervisor | Auditor | Administrator)
        }
        Shows::Ledger if practice => viewer != Nobody,
        // Seat 0 is no player's own.
        Shows::Ledger => matches!(viewer, Dealer | Supervisor | Auditor | Administrator),
        Shows::Log => may(viewer, Deed::ReadAudit, practice),
        Shows::Report => matches!(viewer, Supervisor | Auditor | Administrator),
    }
}

/// A house with somebody of every kind.
struct People {
    live: Live,
    boss: Client,
    dealer: Client,
    seated: Client,
    gone: Client,
    viewers: Vec<(Viewer, Client)>,
}

impl People {
    async fn of(folder: &Folder) -> People {
        let live = Live::start(&folder.store()).await;
        let boss = live.boss().await;
        let account = async |name: &str, role: &str| live.account(&boss, name, &[role]).await;
        let dealer = account("dagobert", "dealer").await;
        let (seated, gone) = (account("seated", "player").await, account("gone", "player").await);
        let elsewhere = account("elsewhere", "player").await;
        let other = open(&boss, &json!({ "name": "Elsewhere" })).await;
        does(&elsewhere, &other, json!({ "command": "sit", "seat": 0 })).await;
        let viewers = vec![
            (Viewer::Nobody, Client::anyone(&live.address)),
            (Viewer::Guest, live.guest("Guest").await),
            (Viewer::Elsewhere, elsewhere),
            (Viewer::Seated, seated.clone()),
            (Viewer::Gone, gone.clone()),
            (Viewer::Dealer, dealer.clone()),
            (Viewer::Supervisor, account("supervisor", "supervisor").await),
            (Viewer::Auditor, account("auditor", "auditor").await),
            (Viewer::Administrator, account("administrator", "administrator").await),
        ];
        People { live, boss, dealer, seated, gone, viewers }
    }

    /// A table where Wilhelmina plays from seat 0, in front of two players of whom one leaves.
    async fn plant(&self, practice: bool) -> String {
        let (boss, dealer) = (&self.boss, &self.dealer);
        let config = json!({ "name": "Planted", "practice": practice, "dice": "dealer" });
        let table = open(boss, &config).await;
        if !practice {
            let ask = json!({ "command": "configure", "config": config, "reason": "Zanzibar" });
            does(boss, &table, ask).await;
        }
        does(&self.seated, &table, json!({ "command": "sit", "seat": 1 })).await;
        does(&self.gone, &table, json!({ "command": "sit", "seat": 2 })).await;
        let walk_in = json!({ "command": "sit", "seat": 0, "name": "Wilhelmina" });
        does(dealer, &table, walk_in).await;
        does(dealer, &table, json!({ "command": "buy-in", "seat": 0, "amount": 356_700 })).await;
        does(dealer, &table, put(0, "pass", 43_100)).await;
        self.throw(&table, "2-2").await;
        does(&self.gone, &table, json!({ "command": "leave", "seat": 2 })).await;
        table
    }

    async fn throw(&self, table: &str, dice: &str) {
        does(&self.dealer, table, json!({ "command": "close-betting" })).await;
        does(&self.dealer, table, json!({ "command": "key-roll", "dice": dice })).await;
    }
}

fn planted(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    PLANTED.into_iter().filter(|planted| text.contains(planted)).collect()
}

#[tokio::test]
async fn everybody_finds_what_is_theirs_to_see_and_nothing_else() {
    let folder = Folder::new();
    let people = People::of(&folder).await;
    for practice in [true, false] {
        let table = people.plant(practice).await;
        for (viewer, client) in &people.viewers {
            for (place, shows) in PLACES {
                let answer = client.get(&place.replace("{table}", &table)).await.unwrap();
                let at = format!("{viewer:?} at {place}, practice {practice}: {}", answer.text);
                // The lobby lists the other tables too.
                let own = |line: &&Value| line["id"] == table.as_str();
                let text = match shows {
                    Shows::Lobby => {
                        answer.json.as_array().unwrap().iter().find(own).unwrap().to_string()
                    }
                    _ => answer.text.clone(),
                };
                let found = planted(&text);
                let finds = finds(*viewer, practice, shows);
                assert_eq!(!found.is_empty(), finds, "{found:?} {at}");
                assert!(!finds || answer.status == 200, "{at}");
            }
        }
    }
    people.live.stop().await;
}

/// Everything a socket says to somebody who comes, asks what seat 0 may bet, hears of a bet and
/// then comes back, having missed it.
async fn told(people: &People, client: &Client, table: &str) -> Vec<Value> {
    let mut socket = client.socket(table, None).await.unwrap();
    let mut all = vec![socket.next_of("snapshot").await.unwrap()];
    let before = all[0]["table"]["seq"].as_u64().unwrap();
    socket.text(r#"{"type":"offers","seat":0}"#).await.unwrap();
    all.push(socket.next_of("offers").await.unwrap());
    let bet = does(&people.dealer, table, put(0, "place 6", 43_000)).await;
    let take = json!({ "command": "take", "seat": 0, "wager": "place 6", "amount": null });
    let taken = does(&people.dealer, table, take).await;
    assert_eq!((bet, taken), (before + 1, before + 2));
    for seq in [bet, taken] {
        all.push(socket.next_of("update").await.unwrap());
        assert_eq!(all.last().unwrap()["seq"], seq);
    }
    drop(socket);
    let mut again = client.socket(table, Some(before)).await.unwrap();
    for kind in ["resumed", "update", "update"] {
        all.push(again.next().await.unwrap().unwrap());
        assert_eq!(all.last().unwrap()["type"], kind);
    }
    all
}

#[tokio::test]
async fn a_socket_tells_everybody_what_is_theirs_to_see() {
    let folder = Folder::new();
    let people = People::of(&folder).await;
    for practice in [true, false] {
        let table = people.plant(practice).await;
        for (viewer, client) in &people.viewers {
            for frame in told(&people, client, &table).await {
                let text = frame.to_string();
                let at = format!("{viewer:?}, practice {practice}: {text}");
                let mut found = planted(&text);
                // The bet they hear of, and the rack it is bet from.
                found.extend(["43000", "270600"].into_iter().filter(|new| text.contains(new)));
                let finds = finds(*viewer, practice, Shows::Seats) && frame["type"] != "resumed";
                assert_eq!(!found.is_empty(), finds, "{found:?} {at}");
            }
        }
    }
    people.live.stop().await;
}

/// A real table with real dice, where Wilhelmina plays, and a player who has not come in yet.
struct Watched {
    live: Live,
    boss: Client,
    dealer: Client,
    ann: Client,
    table: String,
}

impl Watched {
    async fn open(folder: &Folder) -> Watched {
        let live = Live::start(&folder.store()).await;
        let boss = live.boss().await;
        let dealer = live.account(&boss, "dan", &["dealer"]).await;
        let ann = live.account(&boss, "ann", &["player"]).await;
        let table = open(&boss, &json!({ "name": "Watched", "dice": "dealer" })).await;
        let walk_in = json!({ "command": "sit", "seat": 0, "name": "Wilhelmina" });
        does(&dealer, &table, walk_in).await;
        let watched = Watched { live, boss, dealer, ann, table };
        watched.buy_in(0, 356_700).await;
        watched
    }

    async fn buy_in(&self, seat: u8, amount: i64) -> u64 {
        let buy = json!({ "command": "buy-in", "seat": seat, "amount": amount });
        does(&self.dealer, &self.table, buy).await
    }

    async fn ann(&self, command: Value) -> u64 {
        does(&self.ann, &self.table, command).await
    }

    async fn get(&self, client: &Client, path: &str) -> Value {
        let path = format!("/api/tables/{}{path}", self.table);
        client.get(&path).await.unwrap().ok().unwrap()
    }
}

async fn next(socket: &mut TableSocket, kind: &str) -> Value {
    let frame = socket.next().await.unwrap().unwrap();
    assert_eq!(frame["type"], kind, "{frame}");
    frame
}

#[tokio::test]
async fn who_sits_down_sees_the_table_from_then_on_and_who_leaves_no_more() {
    let folder = Folder::new();
    let watched = Watched::open(&folder).await;
    let table = &watched.table;
    let mut socket = watched.ann.socket(table, None).await.unwrap();
    let view = next(&mut socket, "snapshot").await["table"].take();
    assert_eq!((&view["sight"], &view["seats"]), (&json!("stranger"), &json!([])));
    assert_eq!(view["hand"]["players"], 1);
    let outside = view["seq"].as_u64().unwrap();
    // She hears that something happened, and then sees who sits there.
    let sat = watched.ann(json!({ "command": "sit", "seat": 1 })).await;
    let update = next(&mut socket, "update").await;
    assert_eq!((&update["seq"], &update["events"]), (&json!(sat), &json!([])));
    assert_eq!((&update["by"], &update["hand"]["players"]), (&Value::Null, &json!(2)));
    let view = next(&mut socket, "snapshot").await["table"].take();
    assert_eq!((&view["sight"], &view["seq"]), (&json!("table"), &json!(sat)));
    assert_eq!(view["seats"][0]["rack"], 356_700);
    let me = watched.ann.get("/api/me").await.unwrap().ok().unwrap();
    assert_eq!(view["seats"][1]["person"], me["person"]);
    let bought = watched.buy_in(0, 1_100).await;
    let update = next(&mut socket, "update").await;
    assert_eq!((&update["seq"], &update["seats"][0]["rack"]), (&json!(bought), &json!(357_800)));
    // Her own leaving is the last she sees of it.
    let left = watched.ann(json!({ "command": "leave", "seat": 1 })).await;
    let update = next(&mut socket, "update").await;
    assert_eq!((&update["seq"], &update["events"][0]["event"]), (&json!(left), &json!("left")));
    let view = next(&mut socket, "snapshot").await["table"].take();
    assert_eq!((&view["sight"], &view["seats"]), (&json!("stranger"), &json!([])));
    let bought = watched.buy_in(0, 1_200).await;
    let update = next(&mut socket, "update").await;
    assert_eq!(json!([update["seq"], update["events"], update["seats"]]), json!([bought, [], []]));
    // Where the line broke while she saw the table otherwise, she is shown it anew.
    for (after, kind) in [
        (outside, "snapshot"),
        (sat, "snapshot"),
        (left - 1, "snapshot"),
        (left, "snapshot"),
        (bought, "resumed"),
    ] {
        let mut again = watched.ann.socket(table, Some(after)).await.unwrap();
        next(&mut again, kind).await;
    }
    watched.live.stop().await;
}

/// However much is decided at once: what comes after she left is not for her.
#[tokio::test]
async fn nothing_slips_through_to_one_who_leaves_in_the_thick_of_it() {
    let folder = Folder::new();
    let watched = Watched::open(&folder).await;
    for _ in 0..10 {
        watched.ann(json!({ "command": "sit", "seat": 1 })).await;
        let mut socket = watched.ann.socket(&watched.table, None).await.unwrap();
        next(&mut socket, "snapshot").await;
        let leave = async {
            tokio::task::yield_now().await;
            watched.ann(json!({ "command": "leave", "seat": 1 })).await
        };
        let buy = || watched.buy_in(0, 100);
        let before = futures_util::future::join_all([buy(), buy(), buy(), buy()]);
        let after = futures_util::future::join_all([buy(), buy(), buy(), buy(), buy(), buy()]);
        let (_, left, _) = tokio::join!(before, leave, after);
        let last = watched.live.view(&watched.table).await["seq"].as_u64().unwrap();
        let mut seq = 0;
        let mut anew = 0;
        while seq < last || anew == 0 {
            let frame = socket.next().await.unwrap().unwrap();
            if frame["type"] == "snapshot" {
                let table = &frame["table"];
                assert_eq!((&table["sight"], &table["seats"]), (&json!("stranger"), &json!([])));
                seq = table["seq"].as_u64().unwrap();
                anew += 1;
                continue;
            }
            assert!(seq == 0 || frame["seq"] == seq + 1, "{frame}");
            seq = frame["seq"].as_u64().unwrap();
            assert_eq!(frame["seats"].as_array().unwrap().is_empty(), seq > left, "{frame}");
        }
        assert_eq!(anew, 1);
    }
    watched.live.stop().await;
}

/// Every update of a socket up to a record, as it came.
async fn heard(socket: &mut TableSocket, last: u64) -> Vec<Value> {
    let mut updates: Vec<Value> = Vec::new();
    while updates.last().is_none_or(|update| update["seq"] != last) {
        let mut update = socket.next_of("update").await.unwrap();
        update.as_object_mut().unwrap().remove("type");
        updates.push(update);
    }
    updates
}

#[tokio::test]
async fn looking_back_everybody_sees_what_they_were_told() {
    let folder = Folder::new();
    let watched = Watched::open(&folder).await;
    let (table, dealer) = (&watched.table, &watched.dealer);
    let stranger = Client::anyone(&watched.live.address);
    let viewers = [&stranger, &watched.ann, dealer];
    let mut sockets = Vec::new();
    for viewer in viewers {
        sockets.push(viewer.socket(table, None).await.unwrap());
    }
    let first = next(&mut sockets[2], "snapshot").await["table"]["seq"].as_u64().unwrap();
    let sat = watched.ann(json!({ "command": "sit", "seat": 1 })).await;
    watched.buy_in(1, 50_000).await;
    for dice in ["2-2", "5-6", "3-4", "4-4", "3-4"] {
        // Whatever is not taken now is refused.
        for (client, seat) in [(dealer, 0), (&watched.ann, 1)] {
            for wager in ["pass", "field", "place 8"] {
                ask(client, table, put(seat, wager, 600)).await;
            }
        }
        does(dealer, table, json!({ "command": "close-betting" })).await;
        does(dealer, table, json!({ "command": "key-roll", "dice": dice })).await;
    }
    let void = json!({ "command": "void", "reason": "cocked" });
    let proposal = does(dealer, table, void).await;
    let approve = json!({ "command": "approve", "proposal": proposal });
    let last = does(&watched.boss, table, approve).await;
    for (viewer, socket) in viewers.into_iter().zip(&mut sockets) {
        let told = heard(socket, last).await;
        assert_eq!(told.len() as u64, last - first);
        let mut seen = Vec::new();
        let mut after = first;
        while after < last {
            let page = watched.get(viewer, &format!("/history?after={after}")).await;
            // She sees the table as it was when she sat down, and no seat before that.
            let whole = match (viewer.token == dealer.token, viewer.token == watched.ann.token) {
                (true, _) => true,
                (_, true) => after >= sat,
                _ => false,
            };
            assert_eq!(page["table"]["sight"], if whole { "table" } else { "stranger" });
            assert_eq!(page["table"]["seats"].as_array().unwrap().is_empty(), !whole);
            seen.extend(page["updates"].as_array().unwrap().clone());
            after = seen.last().unwrap()["seq"].as_u64().unwrap();
        }
        assert_eq!(seen, told);
    }
    // Everybody sees the dice, and hands that were over before one came have no names.
    let thrown = |hand: &Value| hand["rolls"].clone();
    let hands = watched.get(dealer, "/hands").await;
    assert_eq!(hands.as_array().unwrap().last().unwrap()["name"], "Wilhelmina");
    for viewer in viewers {
        let found = watched.get(viewer, "/hands").await;
        let (found, hands) = (found.as_array().unwrap(), hands.as_array().unwrap());
        let rolls = |hands: &[Value]| hands.iter().map(thrown).collect::<Vec<_>>();
        assert_eq!(rolls(found), rolls(hands));
        let named = found.iter().filter(|hand| !hand["name"].is_null()).count();
        let paid = found.iter().filter(|hand| !hand["net"].is_null()).count();
        let all = if viewer.token == stranger.token { 0 } else { found.len() };
        assert_eq!(paid, all);
        assert_eq!(named, all);
    }
    let refused = stranger.get(&format!("/api/tables/{table}/hands?name=w")).await.unwrap();
    assert_eq!((refused.status, refused.code()), (403, "not-at-this-table"));
    watched.live.stop().await;
}

#[tokio::test]
async fn a_player_looks_back_to_where_they_sat_down() {
    let folder = Folder::new();
    let watched = Watched::open(&folder).await;
    let (table, dealer, ann) = (&watched.table, &watched.dealer, &watched.ann);
    let throw = async |dice: &str| {
        does(dealer, table, put(0, "pass", 1_000)).await;
        for dice in [dice, "3-4"] {
            does(dealer, table, json!({ "command": "close-betting" })).await;
            does(dealer, table, json!({ "command": "key-roll", "dice": dice })).await;
        }
    };
    let names = async |client: &Client| {
        let hands = watched.get(client, "/hands").await;
        let hands = hands.as_array().unwrap();
        hands.iter().map(|hand| hand["name"].is_string()).collect::<Vec<_>>()
    };
    throw("2-2").await;
    watched.ann(json!({ "command": "sit", "seat": 1 })).await;
    throw("4-4").await;
    assert_eq!(names(dealer).await, [true, true]);
    assert_eq!(names(ann).await, [true, false]);
    let found = watched.get(ann, "/hands?name=wil").await;
    assert_eq!(found.as_array().unwrap().len(), 1, "a name that is hidden is not found by it");
    watched.ann(json!({ "command": "leave", "seat": 1 })).await;
    assert_eq!(names(ann).await, [false; 3]);
    // Whoever comes again starts again.
    watched.ann(json!({ "command": "sit", "seat": 2 })).await;
    throw("5-5").await;
    assert_eq!(names(ann).await, [true, false, false]);
    watched.ann(json!({ "command": "leave", "seat": 2 })).await;
    // Nor does whoever sits down in the middle of a hand see what it was about before.
    does(dealer, table, put(0, "pass", 1_000)).await;
    does(dealer, table, json!({ "command": "close-betting" })).await;
    does(dealer, table, json!({ "command": "key-roll", "dice": "5-5" })).await;
    watched.ann(json!({ "command": "sit", "seat": 1 })).await;
    assert_eq!(names(ann).await, [false; 4]);
    does(dealer, table, json!({ "command": "close-betting" })).await;
    does(dealer, table, json!({ "command": "key-roll", "dice": "3-4" })).await;
    assert_eq!(names(ann).await[..1], [false]);
    watched.live.stop().await;
}

#[tokio::test]
async fn whoever_has_left_keeps_their_own_ledger() {
    let folder = Folder::new();
    let watched = Watched::open(&folder).await;
    let bob = watched.live.account(&watched.boss, "bob", &["player"]).await;
    let (table, ann) = (&watched.table, &watched.ann);
    does(&watched.dealer, table, put(0, "pass", 1_000)).await;
    // Each of these dice wins the field, and none ends the hand.
    let play = async |player: &Client, amount: i64, dice: &str| {
        does(player, table, json!({ "command": "sit", "seat": 1 })).await;
        watched.buy_in(1, amount).await;
        does(player, table, put(1, "field", amount / 2)).await;
        does(&watched.dealer, table, json!({ "command": "close-betting" })).await;
        let key = json!({ "command": "key-roll", "dice": dice });
        does(&watched.dealer, table, key).await;
        does(player, table, json!({ "command": "leave", "seat": 1 })).await;
    };
    let amounts = async |client: &Client, seat: u8| {
        let ledger = watched.get(client, &format!("/ledger?seat={seat}")).await;
        let movements = ledger["movements"].as_array().unwrap().clone();
        movements.iter().map(|one| one["amount"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    // Bob before her and after her, in the same seat.
    play(&bob, 20_000, "4-5").await;
    play(ann, 30_000, "4-6").await;
    play(&bob, 40_000, "5-6").await;
    let hers = [30_000, -15_000, 30_000, -45_000];
    assert_eq!(amounts(ann, 1).await, hers);
    let bobs = [20_000, -10_000, 20_000, -30_000, 40_000, -20_000, 40_000, -60_000];
    assert_eq!(amounts(&bob, 1).await, bobs);
    assert_eq!(amounts(ann, 0).await, [0; 0]);
    // She comes back to another seat: what she did in the first is still hers.
    watched.ann(json!({ "command": "sit", "seat": 3 })).await;
    assert_eq!(amounts(ann, 1).await, hers);
    let csv = ann.get(&format!("/api/tables/{table}/ledger?seat=1&format=csv")).await.unwrap();
    assert_eq!(csv.text.lines().count(), 1 + hers.len());
    watched.live.stop().await;
}
