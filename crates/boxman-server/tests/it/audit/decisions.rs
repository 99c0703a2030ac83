//! What two people decide, tampered with: claims, requests at meters, tables closed for good and
//! chips that wait. And money that leaves a meter for two reasons at once.

use std::sync::Arc;
use std::time::Duration;

use boxman_server::audit::Options;
use boxman_server::testing::access::Person;
use boxman_server::testing::ask::{Ask, Command};
use boxman_server::testing::config::DiceMode;
use boxman_server::testing::house::House;
use boxman_server::testing::id::{MeterId, TableId};
use boxman_server::testing::log::{
    KeptMeter, Letter, MeterProposal, PlayersMoney, Record, Stream, Tell,
};
use boxman_server::testing::meters::{MeterHandle, MeterMessage};
use boxman_server::testing::payout::PaidBy;
use boxman_server::testing::role::Role;
use boxman_server::testing::room::{Asked, Reply, RoomHandle, Visit};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::Sqlite;
use craps::{Cents, Library, MicroCents};
use serde_json::{Value, json};

use super::pit::{Folder, Pit, ask, calm, config, names, next, person, verified};

const PAYTABLE: &str = "PT-BJS-FUP-01";

async fn open(folder: &Folder) -> Arc<House> {
    let store = Arc::new(Sqlite::open(&folder.file("boxman.db")).await.unwrap());
    House::open(store, Shelf::new(Library::embedded())).await.unwrap()
}

fn put(wager: &str, dollars: i64) -> Command {
    Command::Put { seat: 0, wager: wager.to_owned(), amount: Cents::dollars(dollars) }
}

fn withdraw(proposal: u64) -> Command {
    Command::Withdraw { proposal, reason: None }
}

/// An award is confirmed after a denial and a void were asked for and withdrawn.
async fn confirmed() -> Pit {
    let folder = Folder::new();
    let house = open(&folder).await;
    let (sue, dan) = (person("sue", Role::Supervisor), person("dan", Role::Dealer));
    let mut config = config(DiceMode::Dealer);
    config.confirm_over = Some(Cents::dollars(10));
    let room = house.open_table(&sue, config).await.unwrap();
    let must = async |who, command: Command| {
        let said = format!("{command:?}");
        ask(&room, who, command).await.unwrap_or_else(|| panic!("refused: {said}"))
    };
    must(&dan, Command::Sit { seat: Some(0), name: Some("Ann".to_owned()) }).await;
    must(&dan, Command::buy_in(0, Cents::dollars(1000))).await;
    must(&dan, put("pass", 10)).await;
    must(&dan, put("all-tall", 5)).await;
    for dice in ["4-4", "4-5", "5-5", "5-6", "6-6"] {
        must(&dan, Command::CloseBetting {}).await;
        must(&dan, Command::KeyRoll { dice: dice.parse().unwrap() }).await;
    }
    let reason = || "the camera says otherwise".to_owned();
    let deny = must(&sue, Command::DenyClaim { claim: 1, reason: reason() }).await;
    must(&sue, withdraw(deny)).await;
    let void = must(&dan, Command::Void { of: None, reason: reason() }).await;
    must(&dan, withdraw(void)).await;
    let (slip, form) = (Some("C-1".to_owned()), None);
    let paid = Command::ConfirmClaim { claim: 1, paid_by: PaidBy::Cage, slip, form };
    must(&sue, paid).await;
    let table = room.table;
    house.close().await;
    Pit { path: folder.file("boxman.db"), folder, dealer: table, practice: table }
}

fn parsed(record: &Record) -> Value {
    serde_json::from_str(&record.body).unwrap()
}

/// The bodies of a log in which one record stands elsewhere; the times stay in order.
fn moved(records: &[Record], from: u64, to: u64) -> Vec<String> {
    let mut bodies: Vec<Value> = records.iter().map(parsed).collect();
    let times: Vec<Value> = bodies.iter().map(|body| body["at"].clone()).collect();
    let one = bodies.remove(from as usize - 1);
    bodies.insert(to as usize - 1, one);
    for (body, at) in bodies.iter_mut().zip(times) {
        body["at"] = at;
    }
    bodies.iter().map(Value::to_string).collect()
}

#[tokio::test]
async fn a_claim_confirmed_against_a_request_that_waits_is_found() {
    let pit = confirmed().await;
    let verdict = verified(&pit.path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
    let stream = Stream::Table(pit.dealer);
    let records = pit.records(&stream).await;
    let paid = pit.find(&stream, "\"confirmed\"").await;
    for (before, reason) in [(4, "asks to deny"), (2, "a roll may be taken back")] {
        // Right after the request, and before it was withdrawn.
        let place = paid - before + 1;
        let copy = pit.rewritten(&stream, &moved(&records, paid, place)).await;
        names(&verified(&copy, &Options::default()).await, &stream, place, reason);
    }
}

/// A command of a crew that names the present round.
async fn does(room: &RoomHandle, who: &Arc<Person>, command: Command) -> Option<u64> {
    let round = room.query(Visit::Inspect).await.unwrap().0.round();
    let (reply, answer) = Reply::once();
    let ask = Ask { round: Some(round), ..Ask::new(format!("d{}", next()), command) };
    assert!(room.ask(Asked { who: Arc::clone(who), ask, roll: None, reply }).is_ok());
    answer.await.unwrap().ok()
}

/// The same until it is granted.
async fn until(room: &RoomHandle, who: &Arc<Person>, command: Command) -> u64 {
    for _ in 0..200 {
        match does(room, who, command.clone()).await {
            Some(seq) => return seq,
            None => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    panic!("refused: {command:?}");
}

async fn look(meter: &MeterHandle) -> KeptMeter {
    meter.ask(MeterMessage::Look).await.unwrap()
}

/// A meter, once it has so much of players' money.
async fn has(meter: &MeterHandle, cents: i64) {
    for _ in 0..200 {
        if look(meter).await.meter.of_players() == MicroCents::from(Cents(cents)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it has {:?}", look(meter).await.meter.of_players());
}

async fn asks(meter: &MeterHandle, proposal: MeterProposal) -> u64 {
    let who = person("sue", Role::Supervisor);
    meter.ask(|reply| MeterMessage::Propose { who, proposal, reply }).await.unwrap().unwrap()
}

async fn agree(meter: &MeterHandle, proposal: MeterProposal) {
    let (proposal, who) = (asks(meter, proposal).await, person("sam", Role::Supervisor));
    let agreed = meter.ask(|reply| MeterMessage::Approve { who, proposal, reply }).await;
    agreed.unwrap().unwrap();
}

/// A table closed once the money of its meter has gone to that of another, which is then closed
/// too. At the other table a fill was asked for, and at its meter a request withdrawn.
async fn closed() -> Pit {
    let folder = Folder::new();
    let house = open(&folder).await;
    house.deal_by(1);
    let (sue, sam) = (person("sue", Role::Supervisor), person("sam", Role::Supervisor));
    let dan = person("dan", Role::Dealer);
    let room = house.open_table(&sue, config(DiceMode::Dealer)).await.unwrap();
    let other = house.open_table(&sue, config(DiceMode::Dealer)).await.unwrap();
    let must = async |who, command: Command| until(&room, who, command).await;
    let why = || "the game moves".to_owned();
    must(&dan, Command::Fill { amount: Cents::dollars(500) }).await;
    must(&dan, Command::Sit { seat: Some(0), name: Some("Ann".to_owned()) }).await;
    must(&dan, Command::buy_in(0, Cents::dollars(100))).await;
    must(&dan, put("pass", 10)).await;
    must(&dan, put("fired-up", 1)).await;
    must(&dan, Command::CloseBetting {}).await;
    must(&dan, Command::KeyRoll { dice: "3-4".parse().unwrap() }).await;
    must(&dan, Command::OpenBetting {}).await;
    must(&dan, Command::GiveUpSeat { seat: 0, reason: why() }).await;
    calm(&room).await;
    let amount = room.query(Visit::Inspect).await.unwrap().0.table.tray();
    must(&dan, Command::Credit { amount }).await;
    let own = |table: TableId| MeterId::local(table, PAYTABLE);
    let meter = house.open_meter(&own(room.table)).await.unwrap();
    let goal = house.open_meter(&own(other.table)).await.unwrap();
    has(&meter, 20).await;
    let to = own(other.table);
    agree(&meter, MeterProposal::Move { to, amount: None, reason: why() }).await;
    has(&goal, 20).await;
    let proposal = must(&sue, Command::Close { reason: Some(why()) }).await;
    must(&sam, Command::Approve { proposal }).await;
    let fill = Command::Fill { amount: Cents::dollars(20_000) };
    let fill = until(&other, &dan, fill).await;
    until(&other, &dan, withdraw(fill)).await;
    let closes = || MeterProposal::Close { reason: why(), players: Some(PlayersMoney::Kept) };
    let proposal = asks(&goal, closes()).await;
    let (who, reason) = (Arc::clone(&sam), Some("too early".to_owned()));
    let gone = goal.ask(|reply| MeterMessage::Withdraw { who, proposal, reason, reply }).await;
    gone.unwrap().unwrap();
    agree(&goal, closes()).await;
    house.close().await;
    let path = folder.file("boxman.db");
    Pit { folder, path, dealer: room.table, practice: other.table }
}

#[tokio::test]
async fn players_money_at_what_was_closed_is_found() {
    let pit = closed().await;
    let verdict = verified(&pit.path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
    let [from, to] =
        [pit.dealer, pit.practice].map(|it| Stream::Meter(MeterId::local(it, PAYTABLE)));
    let table = Stream::Table(pit.dealer);
    let closed = pit.find(&table, "\"agreed\"").await;
    // The money never left: who asked has withdrawn.
    let left = pit.find(&from, "\"agreed\"").await;
    let copy = pit.forged(&from, left, withdrawn).await;
    let verdict = verified(&copy, &Options::default()).await;
    names(&verdict, &table, closed, "the table is closed, and players have $0.20 in meter");
    // The house takes what was kept for players, and every figure is in step.
    let mut bodies = Vec::new();
    let mut asked = 0;
    for record in pit.records(&to).await {
        let mut body = parsed(&record);
        match &body["what"] {
            what if what.get("proposed").is_some() => {
                asked = if asked == 0 { record.seq } else { asked };
                to_the_house(&mut body["what"]["proposed"]);
            }
            what if what.get("agreed").is_some() => {
                let events = &mut body["what"]["agreed"]["events"];
                let kept = events[0]["kept"].as_object().unwrap().values();
                let kept: i64 = kept.map(|part| part.as_i64().unwrap()).sum();
                let returned = events[1]["closed"]["returned"].as_i64().unwrap();
                *events = json!([{ "closed": { "returned": returned + kept } }]);
            }
            _ => {}
        }
        bodies.push(body.to_string());
    }
    let copy = pit.rewritten(&to, &bodies).await;
    let reason = "nothing says where the players' money goes";
    names(&verified(&copy, &Options::default()).await, &to, asked, reason);
    // Another person's request is withdrawn, and nobody is told why.
    let gone = pit.find(&to, "\"withdrawn\"").await;
    let copy =
        pit.forged(&to, gone, |body| body.replacen(",\"reason\":\"too early\"", "", 1)).await;
    names(&verified(&copy, &Options::default()).await, &to, gone, "without a reason");
}

/// A record by which the person who had asked withdraws what another agreed to.
fn withdrawn(body: &str) -> String {
    let mut entry: Value = serde_json::from_str(body).unwrap();
    let asked = entry.as_object_mut().unwrap().remove("second").unwrap();
    let proposal = entry["what"]["agreed"]["proposal"].clone();
    entry["by"] = asked;
    entry["what"] = json!({ "withdrawn": { "proposal": proposal } });
    entry.to_string()
}

/// A request that a meter be closed, and that what it has return to the house.
fn to_the_house(proposed: &mut Value) {
    proposed["proposal"]["close"].as_object_mut().unwrap().remove("players").unwrap();
    let lines = proposed["lines"].as_array_mut().unwrap();
    lines.retain(|line| line["what"] != "kept for players");
    let place = lines.iter().position(|line| line["what"] == "the house's own").unwrap();
    let theirs = json!({ "what": "of it the players'", "before": "$0.20", "after": "$0" });
    lines.insert(place, theirs);
}

#[tokio::test]
async fn the_reason_of_chips_that_wait_is_worked_out_again() {
    let pit = closed().await;
    let stream = Stream::Table(pit.practice);
    let asked = pit.find(&stream, "this makes it").await;
    let forge = |body: &str| body.replacen("$10,000 left", "$1,000 left", 1);
    let copy = pit.forged(&stream, asked, forge).await;
    names(&verified(&copy, &Options::default()).await, &stream, asked, "and by the limits because");
}

/// Two letters heard together send money to the same meter, and both sums arrive.
#[tokio::test]
async fn money_that_leaves_a_meter_twice_at_once_arrives_twice() {
    let folder = Folder::new();
    let house = open(&folder).await;
    let sue = person("sue", Role::Supervisor);
    let mut meters = Vec::new();
    for _ in 0..2 {
        let room = house.open_table(&sue, config(DiceMode::Dealer)).await.unwrap();
        meters.push(MeterId::local(room.table, PAYTABLE));
    }
    let to = meters.pop().unwrap();
    let from = meters.pop().unwrap();
    let (meter, goal) =
        (house.open_meter(&from).await.unwrap(), house.open_meter(&to).await.unwrap());
    let (table_hears, _news) = tokio::sync::mpsc::unbounded_channel();
    for table in [TableId(1), TableId(2)] {
        let players = PlayersMoney::Meter { to: to.clone() };
        let (increment, reserve) = (MicroCents::from(Cents(20)), MicroCents::ZERO);
        let tells = vec![Tell::Fed { increment, reserve }, Tell::Unlinked { players }];
        let letter = Letter { meter: from.clone(), seq: 1, after: 0, tells };
        let table_hears = table_hears.clone();
        meter.send(MeterMessage::Letter { table, letter, table_hears }).await;
    }
    has(&goal, 40).await;
    assert_eq!(look(&meter).await.meter.of_players(), MicroCents::ZERO);
    house.close().await;
    let verdict = verified(&folder.file("boxman.db"), &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
    assert!(verdict.notes.iter().all(|note| !note.contains("transfers")), "{:?}", verdict.notes);
}
