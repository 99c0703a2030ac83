//! What is stored, read back: the files in `tests/golden/log-v1` were written once and never
//! change, nor do those in the folders beside it. Whatever the program has become since, it reads
//! them, finds them sound, and would write every byte of them again.
//!
//! New kinds of record and new fields that may be left out get files of their own beside these.

mod played_on;
mod procedures;
mod session;
mod side_bets;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use boxman_client::{Value, json};
use boxman_server::audit::{Export, Options, Source, import, verify};
use boxman_server::testing::hash::Hash;
use boxman_server::testing::log::{
    DayBook, Entry, Head, HouseEntry, KeptMeter, KeptTable, MeterEntry, Record, Stream, TableEntry,
    Written,
};
use boxman_server::testing::store::{Day, RulebookText, Snapshot, Sqlite, Store};

use crate::live::Folder;

/// A session with everything in it.
const FIRST: &str = "log-v1";
/// One of side bets that count, and come down when the dice pass.
const SIDE_BETS: &str = "log-v1-side-bets";
/// One of a crew with rounds, a tray, a phase of paying and work lists.
const PROCEDURES: &str = "log-v1-procedures";
const SESSIONS: [&str; 3] = [FIRST, SIDE_BETS, PROCEDURES];

fn golden(session: &str, file: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    folder.join(session).join(file)
}

fn lines(session: &str, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(golden(session, file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'a>(line: &'a Value, field: &str) -> &'a str {
    line[field].as_str().unwrap_or_else(|| panic!("{field} in {line}"))
}

fn records(session: &str) -> Vec<Record> {
    let record = |line: Value| Record {
        stream: text(&line, "stream").parse().unwrap(),
        seq: line["seq"].as_u64().unwrap(),
        key: line["key"].as_str().map(|key| key.parse().unwrap()),
        body: text(&line, "body").to_owned(),
        hash: text(&line, "hash").parse().unwrap(),
    };
    lines(session, "records.jsonl").into_iter().map(record).collect()
}

fn snapshots(session: &str) -> Vec<Snapshot> {
    let snapshot = |line: Value| {
        let head =
            Head { seq: line["seq"].as_u64().unwrap(), hash: text(&line, "hash").parse().unwrap() };
        let stream = text(&line, "stream").parse().unwrap();
        Snapshot::new(stream, head, text(&line, "body").to_owned())
    };
    lines(session, "snapshots.jsonl").into_iter().map(snapshot).collect()
}

fn days(session: &str) -> Vec<Day> {
    let day = |line: Value| Day {
        stream: text(&line, "stream").parse().unwrap(),
        day: text(&line, "day").to_owned(),
        body: text(&line, "body").to_owned(),
    };
    lines(session, "days.jsonl").into_iter().map(day).collect()
}

#[track_caller]
fn comes_back<W: Written>(text: &str) {
    let read = W::read(text).unwrap_or_else(|reason| panic!("{reason}: {text}"));
    assert_eq!(read.text(), text);
}

#[track_caller]
fn body_comes_back(stream: &Stream, body: &str) {
    match stream {
        Stream::House => comes_back::<Entry<HouseEntry>>(body),
        Stream::Table(_) => comes_back::<Entry<TableEntry>>(body),
        Stream::Meter(_) => comes_back::<Entry<MeterEntry>>(body),
    }
}

/// What docs/log.md shows is a record.
#[test]
fn the_example_in_the_docs_is_one() {
    let docs = include_str!("../../../../docs/log.md");
    let (_, example) = docs.split_once("```json\n").unwrap();
    let (body, _) = example.split_once("\n```").unwrap();
    comes_back::<Entry<TableEntry>>(body);
}

#[test]
fn every_byte_is_written_again() {
    for session in SESSIONS {
        let records = records(session);
        assert!(records.len() > 90);
        records.iter().for_each(|record| body_comes_back(&record.stream, &record.body));
        for snapshot in snapshots(session) {
            match snapshot.stream {
                Stream::Table(_) => comes_back::<KeptTable>(&snapshot.body),
                _ => comes_back::<KeptMeter>(&snapshot.body),
            }
        }
        days(session).iter().for_each(|day| comes_back::<DayBook>(&day.body));
    }
}

/// Kinds of record that came after the session was written, one of each.
const SINCE: [&str; 14] = [
    "rename",
    "begun places",
    "count counts",
    "swept by-another",
    "proposed close lines",
    "proposed configure of",
    "withdrawn reason",
    "withdrawn reason",
    "checked surveillance",
    "confirmed payout paid_by cage slip form shown",
    "proposed adjust kind paid-outside table record",
    "agreed moved-out",
    "taken-in transfer moved-in",
    "heard unlinked kept",
];

#[test]
fn what_came_since_is_written_again_too() {
    let lines = lines(FIRST, "since.jsonl");
    assert_eq!(lines.len(), SINCE.len());
    for (line, kinds) in lines.iter().zip(SINCE) {
        let body = text(line, "body");
        for kind in kinds.split_whitespace() {
            assert!(body.contains(&format!("\"{kind}\"")), "{kind}: {body}");
        }
        body_comes_back(&text(line, "stream").parse().unwrap(), body);
    }
}

/// A store with all of it in it.
async fn store(session: &str, folder: &Folder) -> Sqlite {
    let store = Sqlite::open(&folder.store()).await.unwrap();
    for line in lines(session, "rulebooks.jsonl") {
        let rulebook: RulebookText = serde_json::from_value(line).unwrap();
        assert_eq!(Hash::of(rulebook.text.as_bytes()), rulebook.hash);
        store.keep_rulebook(&rulebook).await.unwrap();
    }
    store.append(&records(session)).await.unwrap();
    let days = days(session);
    for snapshot in snapshots(session) {
        let own: Vec<Day> =
            days.iter().filter(|day| day.stream == snapshot.stream).cloned().collect();
        store.keep_snapshot(&snapshot, None, &own).await.unwrap();
    }
    store
}

/// Every payout, balance and jackpot follows from the log alone, and the snapshots from it.
#[tokio::test]
async fn all_of_it_is_sound() {
    for session in SESSIONS {
        let folder = Folder::new();
        let store = store(session, &folder).await;
        let verdict = verify(Source::Store(&store), &Options::default(), &mut |_, _| {}).await;
        let verdict = verdict.unwrap();
        // Accounts are no part of a log, and this store has none.
        let found = verdict.problems.iter().chain(&verdict.warnings);
        let other: Vec<_> = found.filter(|of| !of.stream.starts_with("account ")).collect();
        assert!(other.is_empty(), "{session}: {other:?}");
        assert_eq!(verdict.records, records(session).len() as u64);
        store.close().await;
    }
}

#[tokio::test]
async fn an_export_comes_in() {
    for session in SESSIONS {
        let bytes = std::fs::read(golden(session, "export.jsonl")).unwrap();
        let folder = Folder::new();
        let store = Sqlite::open(&folder.store()).await.unwrap();
        let export = Export::of(bytes.clone()).unwrap();
        let imported = import(&store, &export, "ada").await.unwrap();
        let mut again = Vec::new();
        boxman_server::audit::export(&store, imported.table, &mut again).await.unwrap();
        assert!(again == bytes, "{session} goes out otherwise than it came in");
        store.close().await;
    }
}

/// The names of everything that happens, wherever it stands.
fn kinds(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                found.insert(name.clone());
                kinds(value, found);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| kinds(value, found)),
        Value::String(text) => drop(found.insert(text.clone())),
        _ => {}
    }
}

/// What a table, a meter and the house can write down, and every field that may be left out.
const TABLE: &str = "opened played given-up committed proposed withdrawn agreed queued \
    sit leave buy-in cash-out fill credit put take call close-betting roll no-roll pass-dice \
    void correct pay-claim hold release deny-claim return configure pause resume close \
    sat left bought-in cashed-out filled credited took called betting-closed rolled dice-passed \
    voided corrected claim-paid held released claim-denied returned configured paused resumed \
    closed deny give-up move thrown commitment owner name id asked second \
    bets hand postings fed increment reserve carry puck seen trackers settlement cap_used claims \
    lines envies capped memo won broken withheld charged left win stays lose push travel vig on \
    off offered held marks run sequence matched riding fresh standing done \
    options limits practice betting_seconds confirm_jackpots confirm_over betting_during_claims \
    two_people_over meters empty_meters min max unit";
const METER: &str = "opened heard changed proposed withdrawn agreed practice fed won reversed \
    paid claimed awarded reseeded adjusted terms-set closed adjust set-terms close increment \
    reserve amount overflow from_house from_reserve ceiling share in-full";
const HOUSE: &str = "started account-made roles-changed renamed password-changed logged-in \
    login-failed account table-opened table-imported meter-opened";

/// What a table of side bets writes down that others do not.
const COUNTED: &str = "begun yes by-another places counts count run matched swept return lose \
    voided corrected riding fresh standing";

/// What a crew of today's procedures writes down that others do not.
const OF_A_CREW: &str = "round of lines ticked done checked confirmed linked identified person \
    marker coupon chips redeem toke left-behind open-betting betting-opened accept-tray mend \
    mended suggested rolled_at video undone hold-envy envy-held paying";

#[test]
fn every_kind_of_record_is_there() {
    for (session, what, all) in [
        (FIRST, "table", TABLE),
        (FIRST, "meter", METER),
        (FIRST, "house", HOUSE),
        (SIDE_BETS, "table", COUNTED),
        (PROCEDURES, "table", OF_A_CREW),
    ] {
        let mut found = BTreeSet::new();
        for record in records(session).iter().filter(|of| of.stream.to_string().starts_with(what)) {
            kinds(&serde_json::from_str(&record.body).unwrap(), &mut found);
        }
        let missing: Vec<&str> =
            all.split_whitespace().filter(|kind| !found.contains(*kind)).collect();
        assert!(missing.is_empty(), "no {what} writes {missing:?}");
    }
}

/// A text that is not quite what was written is refused, with the reason.
#[test]
fn what_makes_no_sense_is_refused() {
    let body = json!({ "v": 1, "at": 5, "by": "ann", "what": { "committed": {} } });
    let with = |change: &dyn Fn(&mut Value)| {
        let mut body = body.clone();
        body["what"] = json!({ "played": { "steps": [{
            "command": { "sit": { "seat": 0, "name": "ann" } },
            "events": [{ "sat": { "seat": 0, "name": "ann" } }],
        }] } });
        change(&mut body);
        Entry::<TableEntry>::read(&body.to_string()).err().unwrap_or_default()
    };
    assert_eq!(with(&|_| {}), "");
    let step = |body: &mut Value| body["what"]["played"]["steps"][0].take();
    for (change, reason) in [
        (&(|body: &mut Value| body["v"] = json!(2)) as &dyn Fn(&mut Value), "version 2"),
        (&|body| drop(body["v"].take()), "which version"),
        (&|body| body["mood"] = json!("good"), "unknown field `mood`"),
        (&|body| drop(step(body)), "invalid type: null"),
        (&|body| body["what"] = json!({ "danced": {} }), "unknown variant `danced`"),
        (
            &|body| body["what"]["played"]["steps"][0]["command"]["sit"]["seat"] = json!(24),
            "there is no seat 24",
        ),
        (
            &|body| {
                let roll = json!({ "roll": { "roll": "7-1" } });
                body["what"]["played"]["steps"][0]["command"] = roll;
            },
            "`7-1`",
        ),
    ] {
        let said = with(change);
        assert!(said.contains(reason), "{said}, not {reason}");
    }
}

/// A session is played again, and whatever it writes today comes back as it was. Where another
/// version of the format needs files of its own, `WRITE_GOLDEN_LOG=1` leaves them in a folder
/// `new` beside the others.
#[tokio::test]
async fn a_session_of_today_comes_back_as_well() {
    let folder = Folder::new();
    let exported = session::play(&folder.store()).await;
    today(FIRST, &folder.store(), &[exported]).await;
}

#[tokio::test]
async fn side_bets_of_today_come_back_as_well() {
    let folder = Folder::new();
    let exported = side_bets::play(&folder.store()).await;
    today(SIDE_BETS, &folder.store(), &exported).await;
}

#[tokio::test]
async fn procedures_of_today_come_back_as_well() {
    let folder = Folder::new();
    let exported = procedures::play(&folder.store()).await;
    today(PROCEDURES, &folder.store(), &[exported]).await;
}

/// What was written into a store, and the exports of its tables, the one that is kept first.
async fn today(session: &str, path: &Path, exports: &[Vec<u8>]) {
    let store = Sqlite::read(path).await.unwrap();
    let (mut records, mut snapshots, mut days) = (Vec::new(), Vec::new(), Vec::new());
    for stream in store.streams().await.unwrap() {
        for record in store.records(&stream, 0, 10_000).await.unwrap() {
            let Record { stream, seq, key, body, hash } = record;
            records.push(json!({
                "stream": stream, "seq": seq, "key": key, "body": body, "hash": hash,
            }));
        }
        if let Some(snapshot) = store.snapshot(&stream).await.unwrap() {
            let Head { seq, hash } = snapshot.head;
            let body = snapshot.body;
            snapshots.push(json!({ "stream": stream, "seq": seq, "hash": hash, "body": body }));
        }
        for Day { stream, day, body } in store.days_of(&stream).await.unwrap() {
            days.push(json!({ "stream": stream, "day": day, "body": body }));
        }
    }
    store.close().await;
    let mut rulebooks: Vec<Value> = Vec::new();
    for bytes in exports {
        let export = Export::of(bytes.clone()).unwrap();
        for text in export.rulebooks().iter().map(|text| json!(text)) {
            if !rulebooks.contains(&text) {
                rulebooks.push(text);
            }
        }
    }
    for line in &records {
        body_comes_back(&text(line, "stream").parse().unwrap(), text(line, "body"));
    }
    if std::env::var_os("WRITE_GOLDEN_LOG").is_none() {
        return;
    }
    let out = golden(session, "new");
    std::fs::create_dir_all(&out).unwrap();
    let write = |file: &str, lines: Vec<Value>| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(out.join(file), text).unwrap();
    };
    write("records.jsonl", records);
    write("snapshots.jsonl", snapshots);
    write("days.jsonl", days);
    write("rulebooks.jsonl", rulebooks);
    std::fs::write(out.join("export.jsonl"), &exports[0]).unwrap();
}
