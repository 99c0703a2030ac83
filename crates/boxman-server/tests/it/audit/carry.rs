//! Tables carried from store to store, and told as tapes.

use std::path::Path;

use boxman_server::audit::{
    Export, Imported, Options, Pages, Source, Trouble, Verdict, export, import, import_tape, tape,
    verify,
};
use boxman_server::testing::hash::Hash;
use boxman_server::testing::id::{MeterId, TableId};
use boxman_server::testing::log::{Head, Stream};
use boxman_server::testing::store::{Sqlite, Store};
use craps::{Library, Tape};

use super::pit::{Folder, Pit, sent, verified};

async fn exported(path: &Path, table: TableId) -> Vec<u8> {
    let store = Sqlite::read(path).await.unwrap();
    let mut out = Vec::new();
    export(&store, table, &mut out).await.unwrap();
    store.close().await;
    out
}

async fn verdict_of(text: Vec<u8>) -> Verdict {
    let export = Export::of(text).unwrap();
    verify(Source::Export(&export), &Options::default(), &mut |_, _| {}).await.unwrap()
}

#[tokio::test]
async fn an_export_comes_back_whole() {
    let pit = Pit::play(true).await;
    let path = pit.folder.file("other.db");
    for table in [pit.dealer, pit.practice] {
        let text = exported(&pit.path, table).await;
        let verdict = verdict_of(text.clone()).await;
        assert!(verdict.ok, "{}", verdict.summary());
        assert_eq!((verdict.tables, verdict.meters), (1, 2));
        let store = Sqlite::open(&path).await.unwrap();
        let export = Export::of(text.clone()).unwrap();
        let imported = import(&store, &export, "ada").await.unwrap();
        assert_eq!(imported.meters.len(), 2);
        let from = Sqlite::read(&pit.path).await.unwrap();
        for stream in [Stream::Table(table)]
            .into_iter()
            .chain(imported.meters.iter().cloned().map(Stream::Meter))
        {
            assert_eq!(store.head(&stream).await.unwrap(), from.head(&stream).await.unwrap());
        }
        // A second time it is there already.
        let again = import(&store, &export, "ada").await;
        assert!(matches!(again, Err(Trouble::Refused(reason)) if reason.contains("already")));
        from.close().await;
        store.close().await;
        assert_eq!(exported(&path, table).await, text);
    }
    let verdict = verified(&path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
    assert_eq!(verdict.heads.len(), 7);
}

/// A table without meters whose log is as long as somebody likes.
async fn long_log(path: &Path, bets: usize) -> Imported {
    let store = Sqlite::open(path).await.unwrap();
    let tape = format!("seat ann 100\n{}", "ann field 5\nann take field\n".repeat(bets));
    let imported = import_tape(&store, "long.tape", &tape, None, Library::embedded()).await;
    store.close().await;
    imported.unwrap()
}

/// What an export holds is never all in one place.
#[tokio::test]
async fn an_export_is_made_page_by_page() {
    let folder = Folder::new();
    let path = folder.file("long.db");
    let Imported { table, records, .. } = long_log(&path, 1_000).await;
    let store = Sqlite::read(&path).await.unwrap();
    let mut pages = Pages::of(&store, table).await.unwrap();
    let (mut whole, mut count, mut longest) = (String::new(), 0, 0);
    while let Some(page) = pages.next().await.unwrap() {
        (count, longest) = (count + 1, longest.max(page.lines().count()));
        whole += &page;
    }
    store.close().await;
    assert!(records > 2_000 && count >= 10, "{count} pages of {records}");
    assert!(longest <= 256, "{longest} lines in a page");
    assert_eq!(whole.into_bytes(), exported(&path, table).await);
}

/// An export with the last line that fits it.
fn ended_anew(text: &str) -> Vec<u8> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let body = lines[..lines.len() - 1].concat();
    let (records, sha256) = (lines.len() - 2, Hash::of(body.as_bytes()));
    let end = format!("{{\"end\":{{\"records\":{records},\"sha256\":\"{sha256}\"}}}}\n");
    (body + &end).into_bytes()
}

/// What a meter paid can only be checked where the meter comes along.
#[tokio::test]
async fn an_export_without_its_meters_is_not_sound() {
    let pit = Pit::play(true).await;
    let text = String::from_utf8(exported(&pit.path, pit.dealer).await).unwrap();
    let mut lines = text.split_inclusive('\n');
    let mut header: serde_json::Value = serde_json::from_str(lines.next().unwrap()).unwrap();
    let meters = std::mem::replace(&mut header["meters"], serde_json::json!([]));
    assert_eq!(meters.as_array().map(Vec::len), Some(2));
    let rest: String = lines.filter(|line| !line.contains("\"meter/")).collect();
    let forged = ended_anew(&format!("{header}\n{rest}"));
    let verdict = verdict_of(forged.clone()).await;
    for reason in ["is not here, and has paid for a jackpot", "is not here, and was told of bets"] {
        assert!(!verdict.ok && verdict.summary().contains(reason), "{}", verdict.summary());
    }
    let store = Sqlite::open(&pit.folder.file("none.db")).await.unwrap();
    assert!(import(&store, &Export::of(forged).unwrap(), "ada").await.is_err());
    store.close().await;
}

/// Nobody plays by it, and it would keep the true one out for good.
#[tokio::test]
async fn a_rulebook_that_is_not_its_hash_is_not_brought_in() {
    let folder = Folder::new();
    let path = folder.file("long.db");
    let Imported { table, .. } = long_log(&path, 2).await;
    let text = String::from_utf8(exported(&path, table).await).unwrap();
    let extra = format!(r#""rulebooks":[{{"hash":"{}","file":"x","text":"x"}},"#, "ab".repeat(32));
    let forged = text.replacen(r#""rulebooks":["#, &extra, 1);
    assert_ne!(forged, text);
    let store = Sqlite::open(&folder.file("other.db")).await.unwrap();
    let refused = import(&store, &Export::of(ended_anew(&forged)).unwrap(), "ada").await;
    assert!(refused.is_err_and(|trouble| trouble.to_string().contains("rulebook x")));
    assert!(store.streams().await.unwrap().is_empty());
    store.close().await;
}

/// An export has just the records that its first line announces, of its table and of its meters.
/// One that announces none would be brought in as a table without a beginning.
#[tokio::test]
async fn an_export_holds_what_its_first_line_announces() {
    let pit = Pit::play(false).await;
    let from = Sqlite::read(&pit.path).await.unwrap();
    let meter = MeterId::local(pit.dealer, "PT-BJS-FUP-01");
    let text = String::from_utf8(exported(&pit.path, pit.dealer).await).unwrap();
    let named = |head: &Head| serde_json::to_string(head).unwrap();
    for stream in [Stream::Table(pit.dealer), Stream::Meter(meter)] {
        let head = from.head(&stream).await.unwrap();
        let earlier = from.records(&stream, 0, 1).await.unwrap()[0].head();
        let beyond = Head { seq: u64::MAX, ..head };
        for other in [Head::default(), earlier, Head { seq: head.seq + 1, ..head }, beyond] {
            let forged = text.replacen(&named(&head), &named(&other), 1);
            assert_ne!(forged, text);
            let forged = ended_anew(&forged);
            let verdict = verdict_of(forged.clone()).await;
            let said = format!("the first line says that {} records come", other.seq);
            assert!(!verdict.ok && verdict.summary().contains(&said), "{}", verdict.summary());
            let store = Sqlite::open(&pit.folder.file("other.db")).await.unwrap();
            let refused = import(&store, &Export::of(forged).unwrap(), "ada").await;
            assert!(matches!(refused, Err(Trouble::Unsound(_))), "{refused:?}");
            assert!(store.streams().await.unwrap().is_empty());
            store.close().await;
        }
    }
    from.close().await;
}

/// What a line says beyond what is known is not silently dropped.
#[tokio::test]
async fn a_line_of_an_export_with_another_field_is_refused() {
    let folder = Folder::new();
    let path = folder.file("long.db");
    let Imported { table, .. } = long_log(&path, 2).await;
    let text = String::from_utf8(exported(&path, table).await).unwrap();
    let header = text.replacen(r#"{"format""#, r#"{"more":1,"format""#, 1);
    let refused = Export::of(ended_anew(&header)).err().map(|error| error.to_string());
    assert!(refused.is_some_and(|said| said.contains("unknown field `more`")));
    let line = text.replacen(r#"{"stream""#, r#"{"more":1,"stream""#, 1);
    assert_ne!(line, text);
    assert!(!verdict_of(ended_anew(&line)).await.ok);
}

#[tokio::test]
async fn an_imported_table_plays_on() {
    use boxman_server::testing::house::House;
    use boxman_server::testing::room::Visit;
    use boxman_server::testing::shelf::Shelf;
    let pit = Pit::play(true).await;
    let path = pit.folder.file("other.db");
    let store = std::sync::Arc::new(Sqlite::open(&path).await.unwrap());
    let export = Export::of(exported(&pit.path, pit.dealer).await).unwrap();
    import(&*store, &export, "ada").await.unwrap();
    let house = House::open(store, Shelf::new(Library::embedded())).await.unwrap();
    let room = house.room(pit.dealer).await.unwrap();
    let (state, _) = room.query(Visit::Inspect).await.unwrap();
    assert_eq!(state.table.rolls(), 7);
    house.close().await;
    let verdict = verified(&path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
}

#[tokio::test]
async fn a_damaged_export_is_refused() {
    let pit = Pit::play(false).await;
    let text = exported(&pit.path, pit.dealer).await;
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let stream = Stream::Table(pit.dealer).to_string();
    let check = async |text: Vec<u8>, seq: Option<u64>| {
        let verdict = verdict_of(text.clone()).await;
        assert!(!verdict.ok);
        if let Some(seq) = seq {
            let first = &verdict.problems[0];
            assert_eq!((first.stream.as_str(), first.seq), (stream.as_str(), seq), "{first}");
        }
        let store = Sqlite::open(&pit.folder.file("none.db")).await.unwrap();
        let refused = import(&store, &Export::of(text).unwrap(), "ada").await;
        assert!(matches!(refused, Err(Trouble::Unsound(_))));
        assert!(store.streams().await.unwrap().is_empty());
        store.close().await;
    };
    // Cut short anywhere: after a record, within one, or before the last line.
    check(lines[..9].concat(), Some(9)).await;
    check(text[..lines[..9].concat().len() + 40].to_vec(), Some(9)).await;
    check(lines[..lines.len() - 1].concat(), None).await;
    check([text.clone(), lines[8].to_vec()].concat(), None).await;
    // A record left out, two swapped, one edited.
    check([lines[..7].concat(), lines[8..].concat()].concat(), Some(7)).await;
    let swapped = [lines[8], lines[7]].concat();
    check([lines[..7].concat(), swapped, lines[9..].concat()].concat(), Some(7)).await;
    let edited = String::from_utf8(lines[7].to_vec()).unwrap().replacen("dan", "tim", 1);
    check([lines[..7].concat(), edited.into_bytes(), lines[8..].concat()].concat(), Some(7)).await;
}

#[tokio::test]
async fn a_table_told_as_a_tape_plays() {
    let pit = Pit::play(false).await;
    let store = Sqlite::read(&pit.path).await.unwrap();
    let library = Library::embedded();
    for table in [pit.dealer, pit.practice] {
        let text = tape(Source::Store(&store), table, &library).await.unwrap();
        let played = Tape::parse("a.tape", &text, &library).unwrap().play();
        assert!(played.failures.is_empty() && played.floor.is_conserved(), "{text}");
        // Brought in again it has a log that holds, and tells the same.
        let path = pit.folder.file(&format!("{table}.db"));
        let other = Sqlite::open(&path).await.unwrap();
        let imported =
            import_tape(&other, "a.tape", &text, Some("Again"), Library::embedded()).await.unwrap();
        let again = tape(Source::Store(&other), imported.table, &library).await.unwrap();
        let body = |text: &str| text.split_once('\n').unwrap().1.to_owned();
        assert_eq!(body(&again), body(&text));
        other.close().await;
        let verdict = verified(&path, &Options::default()).await;
        assert!(verdict.ok, "{}", verdict.summary());
    }
    let text = tape(Source::Store(&store), pit.dealer, &library).await.unwrap();
    for line in [
        "# Craps 3, table",
        "option fired-up.meter.seed 1000",
        "seat ann-lee 1000.00 at 5",
        "seat house-2 1000.00 at 3",
        "fill 5000.00",
        "house-2 off hard 8",
        "ann-lee odds come 9 20.00",
        "void a die hit the rail",
        "no-roll",
        "house-2 leave",
        "seat bob 50.00 at 3",
        "return bob pass went home",
        "bob leave",
        "= puck 6",
        "= shooter ann-lee",
        "= meter PT-BJS-FUP-01 1000.00",
    ] {
        assert!(text.lines().any(|found| found.starts_with(line)), "{line}\n{text}");
    }
    store.close().await;
}

/// A table that goes over to other rules is told as well, and again once it was brought in.
#[tokio::test]
async fn a_tape_tells_of_the_rules_a_table_goes_over_to() {
    let pit = Pit::play(true).await;
    let store = Sqlite::read(&pit.path).await.unwrap();
    let library = Library::embedded();
    let text = tape(Source::Store(&store), pit.dealer, &library).await.unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let over = lines.iter().position(|line| *line == "configure").unwrap();
    // Whole dollars come with the change, not before it.
    assert!(lines[..over].iter().all(|line| !line.starts_with("option payout-unit")), "{text}");
    assert!(lines[over..].contains(&"option payout-unit 1"), "{text}");
    assert!(lines[over..].contains(&"bob buy-in 50.00"), "{text}");
    let read = Tape::parse("a.tape", &text, &library).unwrap();
    let played = read.play();
    assert!(played.failures.is_empty() && played.floor.is_conserved(), "{text}");
    assert_ne!(read.rules.hash, read.last_rules().hash);
    let path = pit.folder.file("again.db");
    let other = Sqlite::open(&path).await.unwrap();
    let imported = import_tape(&other, "a.tape", &text, Some("Again"), Library::embedded());
    let imported = sent(imported).await.unwrap();
    let again = tape(Source::Store(&other), imported.table, &library).await.unwrap();
    let body = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(body(&again), body(&text));
    other.close().await;
    let verdict = verified(&path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
    let nobody = tape(Source::Store(&store), TableId(1), &library).await;
    assert!(nobody.unwrap_err().to_string().contains("there is no table"));
    store.close().await;
}

#[tokio::test]
async fn a_tape_that_does_not_hold_is_refused() {
    let pit = Pit::play(false).await;
    let store = Sqlite::open(&pit.folder.file("tape.db")).await.unwrap();
    for (text, expected) in [
        ("seat ann 100\nann pass 10\n= ann 80\n", "a.tape:3"),
        ("seat ann 100\nann pass 99999\n", "a.tape:2"),
        ("seat ann 100\nbob pass 10\n", "a.tape:2"),
        ("rules nobody\nseat ann 100\n", "a.tape:1: rules: there is no rulebook"),
        ("shooter any\nseat ann 100\n", "a.tape: no live table plays by `shooter any`"),
    ] {
        let refused = import_tape(&store, "a.tape", text, None, Library::embedded()).await;
        let reason = refused.unwrap_err().to_string();
        assert!(reason.starts_with(expected), "{reason}");
    }
    assert!(store.streams().await.unwrap().is_empty());
    store.close().await;
}

/// What waited and what became of it, and a bet handed back, are brought in and told again.
#[tokio::test]
async fn what_waits_is_told_as_a_tape() {
    let header = "rules presque-isle bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-04\n\
                  option fired-up.meter.seed 100\n\
                  confirm jackpots\n\
                  confirm over 5000.00\n";
    let numbers = "roll 1-4\nroll 1-3\nroll 1-2\nroll 1-1\nconfirm 1\n\
                   roll 6-6\nroll 5-6\nroll 4-6\nroll 4-5\nroll 2-4\nroll 3-5\n";
    let steps = format!(
        "seat sam 1000.00 at 1\nseat ann 1000.00 at 2\n\
         sam pass 10.00\nann fired-up 1.00\nann make-em-all 50.00\n\
         {numbers}deny 2 she bet late\nreturn sam pass he has gone\n"
    );
    let pit = Pit::play(false).await;
    let path = pit.folder.file("waits.db");
    let (store, library) = (Sqlite::open(&path).await.unwrap(), Library::embedded());
    let text = format!("{header}{steps}");
    let imported = import_tape(&store, "a.tape", &text, None, Library::embedded()).await.unwrap();
    let told = tape(Source::Store(&store), imported.table, &library).await.unwrap();
    let told = told.split_once('\n').unwrap().1;
    // The dealers are not paid for an award that was denied.
    let ending = "= sam 1000.00\n= ann 1099.00\n= house 1.00\n= envy 0.00\n";
    assert!(told.starts_with(&format!("{text}{ending}")), "{told}");
    store.close().await;
    let verdict = verified(&path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.line());
}

/// Every tape of the project is a table like any other once it is brought in, but for those that
/// say what no live table does.
#[tokio::test]
async fn every_tape_becomes_a_sound_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tapes");
    let pit = Pit::play(false).await;
    let path = pit.folder.file("tapes.db");
    let store = Sqlite::open(&path).await.unwrap();
    let mut count = 0;
    for folder in std::fs::read_dir(&root).unwrap() {
        let folder = folder.unwrap().path();
        let inside = std::fs::read_dir(&folder).into_iter().flatten();
        let inside = inside.map(|entry| entry.unwrap().path());
        for file in inside.filter(|path| path.extension().is_some_and(|end| end == "tape")) {
            let text = std::fs::read_to_string(&file).unwrap();
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            let only = Tape::parse(&name, &text, &Library::embedded()).unwrap().only_on_tape();
            let imported = import_tape(&store, &name, &text, None, Library::embedded());
            let imported = sent(imported).await;
            if only.is_some() {
                assert!(imported.is_err(), "{}", file.display());
                continue;
            }
            imported.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            count += 1;
        }
    }
    store.close().await;
    assert!(count > 100, "{count}");
    let verdict = verified(&path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.line());
    assert_eq!(verdict.tables, count);
}
