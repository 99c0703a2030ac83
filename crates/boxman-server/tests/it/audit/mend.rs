//! Mended rolls in an audit: what is suggested is worked out again.

use std::sync::Arc;

use boxman_server::audit::{Export, Options, Source, export, import, tape, verify};
use boxman_server::testing::ask::{Ask, Command};
use boxman_server::testing::config::DiceMode;
use boxman_server::testing::history::Histories;
use boxman_server::testing::house::House;
use boxman_server::testing::log::Stream;
use boxman_server::testing::mend::{MendKind, MendLine, MendPart, MendQuestion};
use boxman_server::testing::role::Role;
use boxman_server::testing::room::{Asked, Reply, Visit};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Sqlite, Store};
use craps::{Cents, Library};

use super::pit::{Folder, Pit, ask, calm, config, names, person, verified};

/// A table with one roll mended.
async fn mended() -> Pit {
    let folder = Folder::new();
    let path = folder.file("boxman.db");
    let store = Arc::new(Sqlite::open(&path).await.unwrap());
    let house = House::open(store, Shelf::new(Library::embedded())).await.unwrap();
    let (sue, dan) = (person("sue", Role::Supervisor), person("dan", Role::Dealer));
    let room = house.open_table(&sue, config(DiceMode::Dealer)).await.unwrap();
    let must = async |who, command: Command| {
        let said = format!("{command:?}");
        ask(&room, who, command).await.unwrap_or_else(|| panic!("refused: {said}"))
    };
    let put = |wager: &str, dollars: i64| Command::Put {
        seat: 0,
        wager: wager.to_owned(),
        amount: Cents::dollars(dollars),
    };
    must(&dan, Command::Sit { seat: Some(0), name: Some("Ann".to_owned()) }).await;
    must(&dan, Command::buy_in(0, Cents::dollars(1000))).await;
    must(&dan, put("pass", 10)).await;
    let mut wrong = 0;
    for dice in ["4-4", "3-3", "5-4"] {
        if dice == "3-3" {
            must(&dan, put("hard 6", 5)).await;
        }
        must(&dan, Command::CloseBetting {}).await;
        let roll = must(&dan, Command::KeyRoll { dice: dice.parse().unwrap() }).await;
        if dice == "3-3" {
            wrong = roll;
        }
    }
    let mend = Command::Mend {
        of: wrong,
        kind: MendKind::Dice,
        dice: Some("4-2".parse().unwrap()),
        bets: Vec::new(),
        chips: Vec::new(),
        lines: None,
        reason: "misread".to_owned(),
        video: None,
    };
    let roll = Histories::default()
        .booked_roll(&house, room.table, &mend.mend_question().unwrap())
        .await
        .unwrap();
    let (reply, answer) = Reply::once();
    let asked = Ask::new("mend", mend);
    let roll = roll.map(Arc::new);
    assert!(room.ask(Asked { who: Arc::clone(&dan), ask: asked, roll, reply }).is_ok());
    let proposal = answer.await.unwrap().unwrap();
    must(&sue, Command::Approve { proposal }).await;
    let table = room.table;
    house.close().await;
    Pit { folder, path, dealer: table, practice: table }
}

#[tokio::test]
async fn a_suggestion_that_was_changed_is_found() {
    let pit = mended().await;
    let verdict = verified(&pit.path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
    let stream = Stream::Table(pit.dealer);
    let asked = pit.find(&stream, "\"mend\":").await;
    let check = async |from: &str, to: &str, reason: &str| {
        let copy = pit.forged(&stream, asked, |body| body.replacen(from, to, 1)).await;
        names(&verified(&copy, &Options::default()).await, &stream, asked, reason);
    };
    check("\"amount\":-4500", "\"amount\":-4400", "is not what settling it again").await;
    check("\"rolled_at\":", "\"rolled_at\":1", "not the one that is told").await;
    check("showed 4-2", "showed 4-3", "the request says").await;
    // Of another roll the same suggestion is wrong, and of no roll there is none.
    let text = format!("\"of\":{}", asked - 4);
    let of = pit.records(&stream).await[asked as usize - 1].body.clone();
    let own = of.split("\"of\":").nth(1).unwrap().split(',').next().unwrap().to_owned();
    check(&format!("\"of\":{own}"), &text, "which is no roll of its day").await;
    // What the second agrees to is what was asked for.
    let agreed = pit.find(&stream, "\"mended\":").await;
    let copy = pit.forged(&stream, agreed, |body| body.replace("-4500", "-4400")).await;
    names(&verified(&copy, &Options::default()).await, &stream, agreed, "not what was asked for");
}

#[tokio::test]
async fn a_mended_table_is_carried_whole_and_no_tape_is_made_of_it() {
    let pit = mended().await;
    let store = Sqlite::read(&pit.path).await.unwrap();
    let library = Library::embedded();
    let refused = tape(Source::Store(&store), pit.dealer, &library).await.unwrap_err();
    assert!(refused.to_string().contains("an earlier roll is mended"), "{refused}");
    let mut text = Vec::new();
    export(&store, pit.dealer, &mut text).await.unwrap();
    store.close().await;
    let carried = Export::of(text).unwrap();
    let verdict = verify(Source::Export(&carried), &Options::default(), &mut |_, _| {}).await;
    assert!(verdict.unwrap().ok);
    let other = pit.folder.file("other.db");
    let store = Sqlite::open(&other).await.unwrap();
    import(&store, &carried, "ada").await.unwrap();
    store.close().await;
    let verdict = verified(&other, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
}

/// A jackpot that nobody claimed is suggested as its meter showed it then, and the meter's log
/// says whether that is so.
#[tokio::test]
async fn a_missed_jackpot_is_what_its_meter_showed() {
    let folder = Folder::new();
    let path = folder.file("boxman.db");
    let store = Arc::new(Sqlite::open(&path).await.unwrap());
    let house = House::open(store, Shelf::new(Library::embedded())).await.unwrap();
    let (sue, dan) = (person("sue", Role::Supervisor), person("dan", Role::Dealer));
    let room = house.open_table(&sue, config(DiceMode::Dealer)).await.unwrap();
    let must = async |who, command: Command| {
        let said = format!("{command:?}");
        ask(&room, who, command).await.unwrap_or_else(|| panic!("refused: {said}"))
    };
    let put = |wager: &str, dollars: i64| Command::Put {
        seat: 0,
        wager: wager.to_owned(),
        amount: Cents::dollars(dollars),
    };
    must(&dan, Command::Sit { seat: Some(0), name: Some("Ann".to_owned()) }).await;
    must(&dan, Command::buy_in(0, Cents::dollars(1000))).await;
    must(&dan, put("pass", 10)).await;
    must(&dan, put("fired-up", 1)).await;
    let mut wrong = 0;
    // 6-6 would have been the last of them.
    for dice in ["4-4", "4-5", "4-6", "5-6", "5-6", "5-4"] {
        must(&dan, Command::CloseBetting {}).await;
        let roll = must(&dan, Command::KeyRoll { dice: dice.parse().unwrap() }).await;
        if dice == "5-6" {
            wrong = roll;
        }
    }
    calm(&room).await;
    let question = MendQuestion {
        of: wrong,
        kind: MendKind::Dice,
        dice: Some("6-6".parse().unwrap()),
        bets: Vec::new(),
        chips: Vec::new(),
    };
    let histories = Histories::default();
    let roll = histories.booked_roll(&house, room.table, &question).await.unwrap().map(Arc::new);
    let asked = question.clone();
    let suggest = |reply| Visit::SuggestMend { roll: roll.clone(), question: asked, reply };
    let lines = room.query(suggest).await.unwrap().unwrap();
    let jackpot = lines.iter().find(|line| line.part == MendPart::Jackpot).unwrap().clone();
    assert!(jackpot.amount > Cents::ZERO && jackpot.due == jackpot.amount, "{jackpot:?}");
    // The two decide to pay nothing, and what the meter showed is told all the same.
    let nothing = |line: &MendLine| match line.part {
        MendPart::Jackpot => MendLine { amount: Cents::ZERO, ..line.clone() },
        _ => line.clone(),
    };
    let decided: Vec<MendLine> = lines.iter().map(nothing).collect();
    let mend = Command::Mend {
        of: wrong,
        kind: MendKind::Dice,
        dice: question.dice,
        bets: Vec::new(),
        chips: Vec::new(),
        lines: Some(decided),
        reason: "misread".to_owned(),
        video: None,
    };
    let (reply, answer) = Reply::once();
    let asked = Ask::new("mend", mend);
    assert!(room.ask(Asked { who: Arc::clone(&dan), ask: asked, roll, reply }).is_ok());
    let proposal = answer.await.unwrap().unwrap();
    let table = room.table;
    house.close().await;
    let pit = Pit { folder, path, dealer: table, practice: table };
    let verdict = verified(&pit.path, &Options::default()).await;
    assert!(verdict.ok, "{}", verdict.summary());
    let (was, more) = (jackpot.amount, jackpot.amount + Cents(100));
    let stream = Stream::Table(table);
    let copy = pit.forged(&stream, proposal, |body| {
        body.replace(&format!(":{}", was.0), &format!(":{}", more.0))
            .replace(&dollars(was), &dollars(more))
    });
    let verdict = verified(&copy.await, &Options::default()).await;
    names(&verdict, &stream, proposal, "did not show that");
}

/// An amount of at least a dollar as requests write it.
fn dollars(amount: Cents) -> String {
    let (whole, cents) = (amount.0 / 100, amount.0 % 100);
    let grouped = match whole {
        1000.. => format!("{},{:03}", whole / 1000, whole % 1000),
        _ => whole.to_string(),
    };
    if cents == 0 { format!("${grouped}") } else { format!("${grouped}.{cents:02}") }
}
