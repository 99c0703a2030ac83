//! Whoever changes a log, however carefully, is found out; what was exported comes back whole.

mod carry;
mod damage;
mod decisions;
mod live;
mod mend;
mod pit;

use boxman_server::audit::{Options, Source, anchor, verify};
use boxman_server::testing::log::{Key, Record, Stream};
use boxman_server::testing::store::{SealKey, Sqlite, Store, beside};
use craps::Cents;

use self::pit::{Pit, forget, names, rewrite, verified};

#[tokio::test]
async fn an_honest_log_is_sound() {
    let pit = Pit::play(true).await;
    let verdict = verified(&pit.path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
    assert_eq!((verdict.tables, verdict.meters, verdict.voided, verdict.jackpots), (2, 4, 1, 1));
    assert_eq!(verdict.rolls, 8 + 40);
    assert!(verdict.bets > 40 && verdict.staked > Cents::ZERO && verdict.paid > Cents::ZERO);
    assert_eq!(verdict.heads.len(), 7);
    assert!(verdict.notes.is_empty(), "{:?}", verdict.notes);
    assert!(verdict.line().starts_with("sound: "), "{}", verdict.line());
    // One table alone, and its own anchor.
    let options = Options { table: Some(pit.dealer), anchor: Some(verdict.anchor()) };
    let verdict = verified(&pit.path, &options).await;
    assert!(verdict.ok, "{}", verdict.summary());
    assert_eq!((verdict.tables, verdict.meters), (1, 2));
    let verdict = verified(&pit.path, &Options { anchor: None, ..options }).await;
    let json = serde_json::to_value(&verdict).unwrap();
    assert_eq!(json["ok"], true);
    assert_eq!(json["rolls"], 8);
}

#[tokio::test]
async fn an_edit_a_deletion_an_insertion_and_a_swap_are_named() {
    let pit = Pit::play(false).await;
    let stream = Stream::Table(pit.dealer);
    let records = pit.records(&stream).await;
    let seven = &records[6];
    let check = async |statements: &[String], seq: u64, reason: &str| {
        let copy = pit.tampered(statements).await;
        names(&verified(&copy, &Options::default()).await, &stream, seq, reason);
    };
    // One byte of a body, in every record in turn.
    for record in &records {
        let mut edited = record.clone();
        let mut bytes = record.body.clone().into_bytes();
        let place = bytes.len() / 2;
        bytes[place] = if bytes[place] == b'1' { b'2' } else { b'1' };
        edited.body = String::from_utf8(bytes).unwrap();
        check(&[rewrite(&edited)], record.seq, "has been changed").await;
    }
    let at = |seq: u64| format!("stream = '{stream}' AND seq = {seq}");
    check(&[format!("DELETE FROM record WHERE {}", at(7))], 7, "missing").await;
    // Room is made for another record, which is then put there.
    let shift = [
        format!("UPDATE record SET seq = -seq WHERE stream = '{stream}' AND seq >= 7"),
        format!("UPDATE record SET seq = 1 - seq WHERE stream = '{stream}' AND seq < 0"),
        format!(
            "INSERT INTO record SELECT stream, 7, NULL, body, hash FROM record WHERE {}",
            at(6)
        ),
    ];
    check(&shift, 7, "has been changed").await;
    // Two records change places, hashes and all.
    let swap = [
        format!("UPDATE record SET seq = -1 WHERE {}", at(7)),
        format!("UPDATE record SET seq = 7 WHERE {}", at(8)),
        format!("UPDATE record SET seq = 8 WHERE {}", at(0).replace("= 0", "= -1")),
    ];
    check(&swap, 7, "has been changed").await;
    let other = format!("UPDATE record SET command = 'abc' WHERE {}", at(seven.seq));
    check(&[other], 7, "command: expected 32 hex digits").await;
    let garbage = format!("UPDATE record SET hash = 'garbage' WHERE {}", at(7));
    check(&[garbage], 7, "64 hex digits").await;
    let text = format!("UPDATE record SET body = x'ff00' WHERE {}", at(7));
    check(&[text], 7, "column \"body\"").await;
}

#[tokio::test]
async fn what_is_cut_off_is_missed_by_an_anchor() {
    let pit = Pit::play(false).await;
    let stream = Stream::Table(pit.dealer);
    let store = Sqlite::read(&pit.path).await.unwrap();
    let written = anchor(&store).await.unwrap().to_json();
    let last = store.head(&stream).await.unwrap().seq;
    store.close().await;
    let anchor = boxman_server::audit::Anchor::parse(&written).unwrap();
    let options = Options { table: None, anchor: Some(anchor) };
    assert!(verified(&pit.path, &options).await.ok);
    let cut = |stream: &Stream, after: u64| {
        format!("DELETE FROM record WHERE stream = '{stream}' AND seq > {after}")
    };
    let mut gone = forget(&stream).to_vec();
    gone.push(cut(&stream, last - 3));
    let copy = pit.tampered(&gone).await;
    let unanchored = verified(&copy, &Options::default()).await;
    assert!(unanchored.problems.iter().all(|finding| finding.stream != stream.to_string()));
    let verdict = verified(&copy, &options).await;
    names(&verdict, &stream, last - 2, "the anchor has seen them");
    // A snapshot that was left behind tells as well.
    let copy = pit.tampered(&[cut(&stream, last - 3)]).await;
    names(&verified(&copy, &Options::default()).await, &stream, last - 2, "snapshot");
    // A whole table: the house remembers it, and so does the anchor.
    let mut gone = forget(&stream).to_vec();
    gone.push(cut(&stream, 0));
    let verdict = verified(&pit.tampered(&gone).await, &Options::default()).await;
    assert!(verdict.problems.iter().any(|finding| {
        finding.stream == stream.to_string() && finding.seq == 1 && finding.reason.contains("house")
    }));
    let house = cut(&Stream::House, 0);
    let gone = [gone.to_vec(), vec![house]].concat();
    let verdict = verified(&pit.tampered(&gone).await, &options).await;
    assert!(verdict.problems.iter().any(|finding| finding.stream == stream.to_string()));
    assert!(verdict.problems.iter().any(|finding| finding.stream == "house"));
}

/// Everything below has a chain that holds: only working it out again shows what is wrong.
#[tokio::test]
async fn a_forged_record_with_a_chain_of_its_own_is_found() {
    let pit = Pit::play(true).await;
    let dealer = Stream::Table(pit.dealer);
    let check = async |stream: &Stream, text: &str, from: &str, to: &str, reason: &str| {
        let seq = pit.find(stream, text).await;
        let copy = pit.forged(stream, seq, |body| body.replacen(from, to, 1)).await;
        names(&verified(&copy, &Options::default()).await, stream, seq, reason);
    };
    // A payout, with the house's side of it in step: the books balance and are wrong.
    let seq = pit.find(&dealer, "\"roll\":\"4-6\"").await;
    let copy = pit.forged(&dealer, seq, |body| more(body, "rack", 100)).await;
    names(&verified(&copy, &Options::default()).await, &dealer, seq, "for the rack of seat");
    // A jackpot beyond what the meter has awarded: the engine alone would pay it.
    let seq = pit.find(&dealer, "pay-claim").await;
    let copy = pit.forged(&dealer, seq, overpay).await;
    names(&verified(&copy, &Options::default()).await, &dealer, seq, "has awarded");
    // A bet while betting is closed.
    let seq = pit.find(&dealer, "fired-up\",\"amount").await;
    let copy = pit.forged(&dealer, seq, close_betting).await;
    names(&verified(&copy, &Options::default()).await, &dealer, seq + 1, "betting-closed");
    // A buy-in whose event no longer fits, and two people who were one or somebody else.
    check(&dealer, "\"buy-in\"", "\"amount\":100000", "\"amount\":100100", "buy-in").await;
    check(&dealer, "\"agreed\"", "\"second\":\"dan\"", "\"second\":\"tim\"", "asked for").await;
    let seq = pit.find(&dealer, "\"agreed\"").await;
    let copy = pit.forged(&dealer, seq, |body| body.replacen("\"sue\"", "\"dan\"", 1)).await;
    names(&verified(&copy, &Options::default()).await, &dealer, seq, "`dan` agrees");
    check(&dealer, "\"agreed\"", "a die hit", "a die left", "not what was asked").await;
    // A request that hides what it would change.
    check(&dealer, "\"proposed\"", "does not count", "counts", "was asked for comes to").await;
    let seq = pit.find(&dealer, "\"buy-in\"").await + 1;
    let copy = pit.forged(&dealer, seq, an_hour_ago).await;
    names(&verified(&copy, &Options::default()).await, &dealer, seq, "before the one");
    // A seat that the house gives up by itself, one that keeps a bet, and a bet handed back alone.
    let given_up = "\"given-up\"";
    let seq = pit.find(&dealer, given_up).await;
    let copy = pit.forged(&dealer, seq, by_itself).await;
    names(&verified(&copy, &Options::default()).await, &dealer, seq, "by itself at a real table");
    let copy = pit.forged(&dealer, seq, half_given_up).await;
    names(&verified(&copy, &Options::default()).await, &dealer, seq, "than its bets allow");
    let copy = pit.forged(&dealer, seq, handed_back).await;
    names(&verified(&copy, &Options::default()).await, &dealer, seq, "is not given up");
    check(&dealer, given_up, "\"seat\":2,\"reason\"", "\"seat\":4,\"reason\"", "bets allow").await;
    // The key of a command that was somebody else's.
    let mut records = pit.records(&dealer).await.split_off(seq as usize - 1);
    let mut head = pit.records(&dealer).await[seq as usize - 2].head();
    records[0].key = Some(Key::of_command("tim", "c1"));
    for record in &mut records {
        *record = Record::after(head, dealer.clone(), record.key, record.body.clone());
        head = record.head();
    }
    let statements: Vec<String> = records.iter().map(rewrite).collect();
    let copy = pit.tampered(&statements).await;
    names(&verified(&copy, &Options::default()).await, &dealer, seq, "command key");
}

#[tokio::test]
async fn house_dice_and_meters_are_worked_out_again() {
    let pit = Pit::play(false).await;
    let practice = Stream::Table(pit.practice);
    let check = async |stream: &Stream, seq: u64, from: &str, to: &str, reason: &str| {
        let copy = pit.forged(stream, seq, |body| body.replacen(from, to, 1)).await;
        names(&verified(&copy, &Options::default()).await, stream, seq, reason);
    };
    let thrown = pit.find(&practice, "\"thrown\"").await;
    check(&practice, thrown, "\"secret\":\"", "\"secret\":\"0", "expected 64 hex digits").await;
    // Other bytes show the same dice one time in 36, but not three times in a row.
    let mut shown = Vec::new();
    for byte in ["ab", "cd", "ef"] {
        let bytes = byte.repeat(32);
        let forge = |body: &str| body.replacen(&"00".repeat(32), &bytes, 1);
        let copy = pit.forged(&practice, thrown, forge).await;
        let verdict = verified(&copy, &Options::default()).await;
        shown.extend(verdict.problems.into_iter().map(|finding| finding.reason));
    }
    assert!(shown.iter().any(|reason| reason.contains("dice show")), "{shown:?}");
    check(&practice, thrown, "\"number\":1,\"secret\"", "\"number\":2,\"secret\"", "roll 1").await;
    let committed = pit.find(&practice, "\"committed\"").await;
    let zeros = format!("\"commitment\":\"{}\"", "0".repeat(64));
    let copy = pit
        .forged(&practice, committed, |body| {
            let start = body.find("\"commitment\":\"").unwrap();
            format!("{}{zeros}{}", &body[..start], &body[start + zeros.len()..])
        })
        .await;
    names(&verified(&copy, &Options::default()).await, &practice, thrown, "committed to");
    // A meter that claims to have been fed less, and one that hears out of turn.
    let meter = boxman_server::testing::id::MeterId::local(pit.dealer, "PT-BJS-FUP-01");
    let meter = Stream::Meter(meter);
    let heard = pit.find(&meter, "\"fed\"").await;
    check(&meter, heard, "\"increment\":15", "\"increment\":14", "did not say").await;
    check(&meter, heard, "\"amount\":15", "\"amount\":14", "come to what is recorded").await;
    check(&meter, heard, "\"seq\":", "\"seq\":9", "and not").await;
    // A meter that was opened as another than its table makes of it.
    for (from, to, reason) in [
        ("PT-BJS-FUP-01", "PT-BJS-MEA-03", "it serves paytable PT-BJS-MEA-03"),
        ("\"terms\"", "\"practice\":true,\"terms\"", "not both for practice"),
        ("\"increment\":", "\"increment\":1", "never had these terms"),
    ] {
        check(&meter, 1, from, to, reason).await;
    }
}

#[tokio::test]
async fn rulebooks_and_snapshots_are_checked() {
    let pit = Pit::play(false).await;
    let dealer = Stream::Table(pit.dealer);
    let edit = "UPDATE rulebook SET body = replace(body, '9 to 5', '2 to 1')".to_owned();
    let verdict = verified(&pit.tampered(&[edit]).await, &Options::default()).await;
    let both = [dealer.to_string(), Stream::Table(pit.practice).to_string()];
    assert!(both.contains(&verdict.problems[0].stream) && verdict.problems[0].seq == 1);
    assert!(verdict.problems[0].reason.contains("is not the text it was"));
    let drop_all = "DELETE FROM rulebook".to_owned();
    let verdict = verified(&pit.tampered(&[drop_all]).await, &Options::default()).await;
    assert!(verdict.problems[0].reason.contains("is missing"), "{}", verdict.line());
    // A snapshot, first clumsily and then with its checksum.
    let store = Sqlite::read(&pit.path).await.unwrap();
    let snapshot = store.snapshot(&dealer).await.unwrap().unwrap();
    store.close().await;
    let body = snapshot.body.replacen("\"bank\":500000", "\"bank\":500001", 1);
    assert_ne!(body, snapshot.body);
    let new = boxman_server::testing::store::Snapshot::new(dealer.clone(), snapshot.head, body);
    let body = new.body.replace('\'', "''");
    let set = |extra: String| {
        format!("UPDATE snapshot SET body = '{body}'{extra} WHERE stream = '{dealer}'")
    };
    // The log is sound all the same: no server would believe the snapshot.
    let warns = async |statement: String, reason: &str| {
        let verdict = verified(&pit.tampered(&[statement]).await, &Options::default()).await;
        assert!(verdict.ok, "{}", verdict.summary());
        let warning = verdict.warnings.first().expect("a warning");
        assert_eq!(warning.stream, dealer.to_string());
        assert!(warning.reason.contains(reason), "{warning}");
        assert!(verdict.line().ends_with("(1 warning)"), "{}", verdict.line());
    };
    warns(set(String::new()), "does not fit its checksum").await;
    let careful = set(format!(", checksum = '{}'", new.checksum));
    warns(careful, "not what the log comes to").await;
    let odd = format!("UPDATE snapshot SET seq = 'many' WHERE stream = '{dealer}'");
    warns(odd, "cannot be read").await;
    // Whoever has the key sees that it was not sealed with it.
    std::fs::copy(beside(&pit.path, ".key"), pit.folder.file("the.key")).unwrap();
    let copy = pit.tampered(&[set(format!(", checksum = '{}'", new.checksum))]).await;
    let key = SealKey::read(&pit.folder.file("the.key"));
    assert!(key.is_some());
    let store = Sqlite::read_with(&copy, key).await.unwrap();
    let verdict = verify(Source::Store(&store), &Options::default(), &mut |_, _| {}).await.unwrap();
    store.close().await;
    assert!(verdict.ok && verdict.warnings[0].reason.contains("not sealed"), "{verdict:?}");
}

/// Adds to the first posting of a kind in a roll, and takes it from the house.
fn more(body: &str, kind: &str, cents: i64) -> String {
    let mut entry: serde_json::Value = serde_json::from_str(body).unwrap();
    let event = &mut entry["what"]["played"]["steps"][0]["events"][0];
    let postings = event["rolled"]["settlement"]["postings"].as_array_mut().unwrap();
    let mut add = |start: &str, cents: i64| {
        let of = |posting: &&mut serde_json::Value| posting[0].as_str().unwrap().starts_with(start);
        let found = postings.iter_mut().find(of);
        let found = found.unwrap_or_else(|| panic!("nothing is posted to {start}"));
        found[1] = (found[1].as_i64().unwrap() + cents).into();
    };
    add(kind, cents);
    add("house", -cents);
    entry.to_string()
}

fn an_hour_ago(body: &str) -> String {
    let mut entry: serde_json::Value = serde_json::from_str(body).unwrap();
    entry["at"] = (entry["at"].as_u64().unwrap() - 3_600_000).into();
    entry.to_string()
}

fn by_itself(body: &str) -> String {
    let mut entry: serde_json::Value = serde_json::from_str(body).unwrap();
    let entry_fields = entry.as_object_mut().unwrap();
    entry_fields.remove("id");
    entry_fields.remove("asked");
    entry["by"] = "boxman".into();
    entry.to_string()
}

/// Without its last step.
fn half_given_up(body: &str) -> String {
    let mut entry: serde_json::Value = serde_json::from_str(body).unwrap();
    let what = entry["what"]["given-up"].as_object_mut().unwrap();
    what["steps"].as_array_mut().unwrap().pop();
    entry.to_string()
}

/// Only the bet that was handed back.
fn handed_back(body: &str) -> String {
    let mut entry: serde_json::Value = serde_json::from_str(body).unwrap();
    let mut steps = entry["what"]["given-up"]["steps"].as_array().unwrap().clone();
    steps.retain(|step| step["command"].get("return").is_some());
    entry["what"] = serde_json::json!({ "played": { "steps": steps } });
    entry.to_string()
}

/// A record of something else than it was.
fn close_betting(body: &str) -> String {
    let mut entry: serde_json::Value = serde_json::from_str(body).unwrap();
    let step = serde_json::json!({ "command": "close-betting", "events": ["betting-closed"] });
    entry["what"]["played"]["steps"] = serde_json::json!([step]);
    entry.to_string()
}

/// A jackpot with a dollar more, in the command and in the event alike.
fn overpay(body: &str) -> String {
    let mut entry: serde_json::Value = serde_json::from_str(body).unwrap();
    let step = &mut entry["what"]["played"]["steps"][0];
    let asked = &mut step["command"]["pay-claim"]["shares"][0][1];
    let share = asked.as_i64().unwrap() + 100;
    *asked = share.into();
    let paid = &mut step["events"][0]["claim-paid"];
    paid["shares"][0][1] = share.into();
    for posting in paid["postings"].as_array_mut().unwrap() {
        let amount = posting[1].as_i64().unwrap();
        posting[1] = if amount > 0 { share } else { -share }.into();
    }
    entry.to_string()
}
