//! The refusal ladder: where several reasons hold, the first is given.

use craps::{Cents, Command, Refusal, Rules, Seat, Table};

use crate::rules_with;

const ANN: Seat = Seat(0);

fn table(rules: &Rules, dollars: i64) -> Table {
    let mut table = Table::open(rules);
    table.obey(rules, &Command::Sit { seat: ANN, name: "ann".into() }).unwrap();
    table.obey(rules, &Command::buy_in(ANN, Cents::dollars(dollars))).unwrap();
    table
}

fn put(wager: &str, cents: i64) -> Command {
    Command::Put { seat: ANN, wager: wager.into(), amount: Cents(cents) }
}

fn take(wager: &str, cents: Option<i64>) -> Command {
    Command::Take { seat: ANN, wager: wager.into(), amount: cents.map(Cents) }
}

fn roll(table: &mut Table, rules: &Rules, roll: &str) {
    table.obey(rules, &Command::CloseBetting).unwrap();
    table.obey(rules, &Command::Roll { roll: roll.parse().unwrap() }).unwrap();
}

#[track_caller]
fn refused(table: &Table, rules: &Rules, command: &Command, code: &str) {
    let mut after = table.clone();
    let refusal = after.obey(rules, command).unwrap_err();
    assert_eq!(refusal.code(), code, "{refusal}");
    assert!(!refusal.to_string().is_empty());
    assert_eq!(after, *table, "a refused command changes nothing");
}

/// A bet that is wrong in every way, mended one rung at a time.
#[test]
fn the_ladder_from_top_to_bottom() {
    let rules = rules_with(&["presque-isle"], &[("come.min", "10"), ("come.unit", "5")]);
    let mut table = table(&rules, 12);
    let wrong = |wager: &str, cents| Command::Put {
        seat: Seat(5),
        wager: wager.into(),
        amount: Cents(cents),
    };
    table.obey(&rules, &put("pass", 100)).unwrap();
    let mut closed = table.clone();
    closed.obey(&rules, &Command::CloseBetting).unwrap();
    let mut paused = closed.clone();
    paused.obey(&rules, &Command::Pause).unwrap();
    refused(&paused, &rules, &wrong("red", 0), "table-paused");
    refused(&closed, &rules, &wrong("red", 0), "betting-closed");
    refused(&table, &rules, &wrong("red", 0), "not-seated");
    refused(&table, &rules, &put("red", 0), "not-offered");
    refused(&table, &rules, &put("come", 0), "not-now");
    roll(&mut table, &rules, "2-2");
    refused(&table, &rules, &put("come", 0), "zero-amount");
    refused(&table, &rules, &put("come", -500), "zero-amount");
    refused(&table, &rules, &put("come", 701), "not-a-multiple");
    refused(&table, &rules, &put("come", 500), "under-minimum");
    refused(&table, &rules, &put("come", 10_000_000), "over-limit");
    refused(&table, &rules, &put("come", i64::MAX / 500 * 500), "over-limit");
    refused(&table, &rules, &put("come", 1500), "short-rack");
    table.obey(&rules, &put("come", 1000)).unwrap();
    refused(&table, &rules, &put("come", 500), "short-rack");
}

#[test]
fn taking_chips_up() {
    let rules = rules_with(&["presque-isle"], &[("place.min", "10"), ("place.unit", "5")]);
    let mut table = table(&rules, 1000);
    refused(&table, &rules, &take("place 4", Some(0)), "no-bet");
    table.obey(&rules, &put("pass", 1000)).unwrap();
    table.obey(&rules, &put("place 4", 2000)).unwrap();
    roll(&mut table, &rules, "4-4");
    refused(&table, &rules, &take("pass", Some(0)), "locked");
    refused(&table, &rules, &take("pass", None), "locked");
    refused(&table, &rules, &take("place 4", Some(0)), "zero-amount");
    refused(&table, &rules, &take("place 4", Some(2500)), "not-that-much");
    refused(&table, &rules, &take("place 4", Some(300)), "not-a-multiple");
    refused(&table, &rules, &take("place 4", Some(1500)), "under-minimum");
    table.obey(&rules, &take("place 4", Some(1000))).unwrap();
    table.obey(&rules, &take("place 4", None)).unwrap();
    refused(&table, &rules, &put("place 4", 3), "not-a-multiple");
}

#[test]
fn the_table_s_own_state() {
    let rules = rules_with(&["presque-isle"], &[]);
    let mut table = table(&rules, 100);
    let roll_command = Command::Roll { roll: "1-1".parse().unwrap() };
    refused(&table, &rules, &roll_command, "betting-open");
    refused(&table, &rules, &Command::NoRoll, "betting-open");
    refused(&table, &rules, &Command::CloseBetting, "no-shooter");
    refused(&table, &rules, &Command::Resume, "not-paused");
    refused(&table, &rules, &Command::Void { reason: "x".into() }, "nothing-to-void");
    let sit = |seat| Command::Sit { seat: Seat(seat), name: "bob".into() };
    refused(&table, &rules, &sit(0), "seat-taken");
    refused(&table, &rules, &sit(24), "no-such-seat");
    refused(&table, &rules, &sit(255), "no-such-seat");
    let cash_out = |cents| Command::cash_out(ANN, Cents(cents));
    refused(&table, &rules, &cash_out(0), "zero-amount");
    refused(&table, &rules, &cash_out(10_001), "short-rack");
    let buy_in = |cents| Command::buy_in(ANN, Cents(cents));
    refused(&table, &rules, &buy_in(0), "zero-amount");
    refused(&table, &rules, &buy_in(i64::MAX), "over-limit");
    let pay =
        Command::PayClaim { claim: craps::ClaimId(1), shares: Vec::new(), from_house: Cents::ZERO };
    refused(&table, &rules, &pay, "no-such-claim");
    table.obey(&rules, &put("pass", 1000)).unwrap();
    refused(&table, &rules, &Command::leave(ANN), "bets-up");
    refused(&table, &rules, &Command::Configure, "bets-riding");
    refused(&table, &rules, &Command::Close, "bets-riding");
    roll(&mut table, &rules, "5-5");
    refused(&table, &rules, &Command::PassDice, "puck-on");
    table.obey(&rules, &Command::CloseBetting).unwrap();
    refused(&table, &rules, &Command::PassDice, "betting-closed");
    refused(&table, &rules, &Command::CloseBetting, "betting-closed");
    table.obey(&rules, &Command::Roll { roll: "3-4".parse().unwrap() }).unwrap();
    table.obey(&rules, &Command::Close).unwrap();
    refused(&table, &rules, &put("pass", 1000), "table-closed");
    refused(&table, &rules, &Command::Close, "table-closed");
    table.obey(&rules, &Command::leave(ANN)).unwrap();
}

#[test]
fn codes_are_listed_in_order_and_spoken() {
    let some = [
        Refusal::TableClosed,
        Refusal::TablePaused,
        Refusal::NotPaused,
        Refusal::BettingClosed,
        Refusal::BettingOpen,
        Refusal::BeingPaid,
        Refusal::NotPaying,
        Refusal::BetsRiding,
        Refusal::NothingToVoid,
        Refusal::NoSuchClaim,
        Refusal::ClaimMismatch,
        Refusal::OtherTerms { meter: "x".into() },
        Refusal::MeterClosed { meter: "x".into() },
        Refusal::BelowSeed { seed: Cents(1) },
        Refusal::NotSeated,
        Refusal::SeatTaken,
        Refusal::NoSuchSeat,
        Refusal::BetsUp,
        Refusal::NotOffered { wager: "x".into() },
        Refusal::WhichOdds,
        Refusal::NotNow { wager: "x".into(), why: craps::refusal::NotNow::Seven },
        Refusal::NoShooter,
        Refusal::PuckOn,
        Refusal::NoBet { wager: "x".into() },
        Refusal::NothingWon { wager: "x".into() },
        Refusal::Locked { wager: "x".into() },
        Refusal::NotCallable { wager: "x".into() },
        Refusal::ZeroAmount,
        Refusal::NotAMultiple { unit: Cents(1) },
        Refusal::UnderMinimum { min: Cents(1) },
        Refusal::OverLimit { max: Cents(1) },
        Refusal::NotThatMuch { up: Cents(1) },
        Refusal::ShortTray { tray: Cents(1) },
        Refusal::ShortBank { bank: Cents(1) },
        Refusal::ShortRack { rack: Cents(1), needs: Cents(2) },
    ];
    assert!(some.is_sorted());
    let codes: Vec<&str> = some.iter().map(Refusal::code).collect();
    assert_eq!(codes, Refusal::CODES);
}
