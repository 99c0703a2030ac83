//! A table over many rolls: voids, corrections, seats, rules that change, logs that replay.

use craps::{Account, Cents, Command, Event, Floor, Refusal, Rules, Seat, Table};

use crate::{everything, rules, rules_with, visible};

const ANN: Seat = Seat(0);
const BOB: Seat = Seat(1);

fn seated(rules: &Rules) -> Table {
    let mut table = Table::open(rules);
    for (seat, name) in [(ANN, "ann"), (BOB, "bob")] {
        table.obey(rules, &Command::Sit { seat, name: name.into() }).unwrap();
        table.obey(rules, &Command::BuyIn { seat, amount: Cents::dollars(1000) }).unwrap();
    }
    table
}

fn put(seat: Seat, wager: &str, dollars: i64) -> Command {
    Command::Put { seat, wager: wager.into(), amount: Cents::dollars(dollars) }
}

fn roll(table: &mut Table, rules: &Rules, roll: &str) {
    table.obey(rules, &Command::CloseBetting).unwrap();
    table.obey(rules, &Command::Roll { roll: roll.parse().unwrap() }).unwrap();
}

#[test]
fn a_void_restores_everything() {
    let rules = everything();
    for dice in ["3-4", "4-2", "1-1", "5-5", "6-5"] {
        let mut table = seated(&rules);
        for command in [
            put(ANN, "pass", 10),
            put(ANN, "all-small", 5),
            put(BOB, "dont-pass", 10),
            put(BOB, "field", 5),
            put(BOB, "make-em-all-progressive", 1),
            put(BOB, "buy 4", 20),
        ] {
            table.obey(&rules, &command).unwrap();
        }
        roll(&mut table, &rules, "2-4");
        table.obey(&rules, &put(ANN, "come", 10)).unwrap();
        let before = visible(&table);
        roll(&mut table, &rules, dice);
        assert_ne!(visible(&table), before, "{dice}");
        table.obey(&rules, &Command::Void { reason: "a die was cocked".into() }).unwrap();
        assert_eq!(visible(&table), before, "{dice}");
        let again = table.decide(&rules, &Command::Void { reason: "again".into() });
        assert_eq!(again.unwrap_err().code(), "nothing-to-void");
    }
}

#[test]
fn a_correction_is_the_roll_as_it_should_have_been() {
    let rules = everything();
    let mut right = seated(&rules);
    for command in [put(ANN, "pass", 10), put(BOB, "field", 5)] {
        right.obey(&rules, &command).unwrap();
    }
    let mut wrong = right.clone();
    roll(&mut right, &rules, "6-5");
    roll(&mut wrong, &rules, "6-4");
    let command = Command::Correct { roll: "6-5".parse().unwrap(), reason: "misread".into() };
    let events = wrong.obey(&rules, &command).unwrap();
    assert!(matches!(events.as_slice(), [Event::Corrected { .. }]));
    assert_eq!(visible(&wrong), visible(&right));
}

#[test]
fn the_last_roll_stands_once_chips_have_moved() {
    let rules = everything();
    let moves = [
        put(ANN, "field", 5),
        Command::CashOut { seat: ANN, amount: Cents::dollars(1000) },
        Command::Leave { seat: ANN },
    ];
    for command in moves {
        let mut table = seated(&rules);
        table.obey(&rules, &put(ANN, "pass", 100)).unwrap();
        roll(&mut table, &rules, "3-4");
        table.obey(&rules, &command).unwrap();
        let void = table.decide(&rules, &Command::Void { reason: "late".into() });
        assert_eq!(void.unwrap_err().code(), "nothing-to-void", "{command:?}");
    }
}

/// A shooter with nothing riding may leave right after a roll that can still be taken back: the
/// dice then go on, and not to whoever sits down there next.
#[test]
fn a_void_does_not_bring_the_shooter_back() {
    let rules = everything();
    for dice in ["5-4", "3-4"] {
        let mut table = seated(&rules);
        table.obey(&rules, &put(ANN, "dont-pass", 10)).unwrap();
        roll(&mut table, &rules, "4-4");
        let take = Command::Take { seat: ANN, wager: "dont-pass".into(), amount: None };
        table.obey(&rules, &take).unwrap();
        roll(&mut table, &rules, dice);
        table.obey(&rules, &Command::Leave { seat: ANN }).unwrap();
        table.obey(&rules, &Command::Sit { seat: ANN, name: "eve".into() }).unwrap();
        table.obey(&rules, &Command::Void { reason: "late".into() }).unwrap();
        assert_eq!(table.shooter(&rules), Some(BOB), "{dice}");
        assert_eq!(table.hand().puck.to_string(), "8");
        table.obey(&rules, &Command::Leave { seat: ANN }).unwrap();
        roll(&mut table, &rules, "5-4");
    }
}

#[test]
fn a_void_takes_a_paid_jackpot_back_from_the_meter() {
    let rules = rules_with(
        &["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-03"],
        &[("fired-up.meter.seed", "700"), ("fired-up.meter.reserve", "10%")],
    );
    let mut floor = Floor::default();
    let table = floor.open(rules).unwrap();
    floor.preset("PT-BJS-FUP-03", Cents::dollars(9_000));
    for command in [
        Command::Sit { seat: ANN, name: "ann".into() },
        Command::BuyIn { seat: ANN, amount: Cents::dollars(100) },
        put(ANN, "dont-pass", 10),
        put(ANN, "fired-up", 1),
    ] {
        floor.obey(table, &command).unwrap();
    }
    let throw = |floor: &mut Floor, roll: &str| {
        floor.obey(table, &Command::CloseBetting).unwrap();
        floor.obey(table, &Command::Roll { roll: roll.parse().unwrap() }).unwrap()
    };
    for roll in ["2-3", "2-2", "1-2"] {
        throw(&mut floor, roll);
    }
    let (before, meter) = (visible(floor.table(table)), floor.meter("PT-BJS-FUP-03").cloned());
    throw(&mut floor, "1-1");
    assert_eq!(floor.meter("PT-BJS-FUP-03").unwrap().payable(), Cents::dollars(700));
    assert!(floor.table(table).rack(ANN) > Cents::dollars(9_000));
    floor.obey(table, &Command::Void { reason: "a hand was in the way".into() }).unwrap();
    assert_eq!(visible(floor.table(table)), before);
    assert_eq!(floor.meter("PT-BJS-FUP-03").cloned(), meter);
    assert!(floor.is_conserved());
}

#[test]
fn rules_change_only_on_a_bare_layout() {
    let old = rules(&["presque-isle"]);
    let new = rules_with(&["presque-isle"], &[("payout-unit", "1")]);
    let mut table = seated(&old);
    table.obey(&new, &Command::Configure).unwrap();
    assert_eq!(table.rules(), new.hash);
    table.obey(&new, &put(ANN, "pass", 10)).unwrap();
    assert_eq!(table.decide(&old, &Command::Configure).unwrap_err().code(), "bets-riding");
}

#[test]
#[should_panic(expected = "decided under the wrong rules")]
fn a_table_is_not_decided_by_other_rules() {
    let table = seated(&rules(&["presque-isle"]));
    let _ = table.decide(&rules(&["presque-isle:WA-BC-2"]), &Command::Pause);
}

#[test]
fn the_dice_go_on_when_the_shooter_leaves_in_mid_hand() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    table.obey(&rules, &put(ANN, "dont-pass", 10)).unwrap();
    roll(&mut table, &rules, "3-3");
    let take = Command::Take { seat: ANN, wager: "dont-pass".into(), amount: None };
    table.obey(&rules, &take).unwrap();
    assert_eq!(table.shooter(&rules), Some(ANN));
    table.obey(&rules, &Command::Leave { seat: ANN }).unwrap();
    assert_eq!(table.shooter(&rules), Some(BOB));
    roll(&mut table, &rules, "3-4");
    assert!(table.hand().puck.is_off());
}

#[test]
#[should_panic(expected = "postings do not balance")]
fn an_event_that_does_not_balance_is_corruption() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    let mut postings = craps::Postings::default();
    postings.post(Account::Rack(ANN), Cents(1));
    table.evolve(&Event::BoughtIn { seat: ANN, postings });
}

#[test]
fn a_log_replays_without_rules_and_through_json() {
    let rules = everything();
    let mut table = seated(&rules);
    let mut log: Vec<Event> = Vec::new();
    for command in [
        put(ANN, "pass", 10),
        put(BOB, "all-tall", 5),
        Command::CloseBetting,
        Command::Roll { roll: "4-4".parse().unwrap() },
        put(ANN, "odds", 20),
        put(BOB, "come", 5),
        put(BOB, "lay 4", 40),
        Command::CloseBetting,
        Command::Roll { roll: "5-5".parse().unwrap() },
        put(BOB, "odds come 10", 10),
        Command::CloseBetting,
        Command::NoRoll,
        Command::CloseBetting,
        Command::Roll { roll: "5-2".parse().unwrap() },
        Command::Correct { roll: "5-3".parse().unwrap(), reason: "misread".into() },
    ] {
        log.extend(table.obey(&rules, &command).unwrap());
    }
    let mut replayed = seated(&rules);
    for event in &log {
        replayed.evolve(event);
    }
    assert_eq!(replayed, table);
}

/// Fills and credits move chips between the cage and the table; a credit cannot take more than
/// the table has.
#[test]
fn the_bank_is_filled_and_credited() {
    let rules = rules(&["presque-isle"]);
    let mut table = Table::open(&rules);
    let mut obey = |command: Command| table.obey(&rules, &command).map(drop);
    obey(Command::Fill { amount: Cents::dollars(500) }).unwrap();
    obey(Command::Credit { amount: Cents::dollars(200) }).unwrap();
    let refusal = obey(Command::Credit { amount: Cents::dollars(301) }).unwrap_err();
    assert_eq!(refusal, Refusal::ShortBank { bank: Cents::dollars(300) });
    assert_eq!(obey(Command::Fill { amount: Cents(0) }), Err(Refusal::ZeroAmount));
    assert_eq!(table.balance(Account::Cage), Cents::dollars(-300));
}
