//! What stands between a roll and the next throw: bets that are undone with it, the crew paying,
//! and envy that waits.

use craps::floor::Confirm;
use craps::table::{Phase, Since};
use craps::{Account, Cents, ClaimId, Command, Event, Floor, Refusal, Rules, Seat, Status, Table};

use crate::{rules, rules_with, visible};

const ANN: Seat = Seat(0);
const BOB: Seat = Seat(1);
const METER: &str = "PT-BJS-FUP-03";

fn put(seat: Seat, wager: &str, dollars: i64) -> Command {
    Command::Put { seat, wager: wager.into(), amount: Cents::dollars(dollars) }
}

fn take(seat: Seat, wager: &str) -> Command {
    Command::Take { seat, wager: wager.into(), amount: None }
}

fn void() -> Command {
    Command::Void { reason: "a die was cocked".into() }
}

fn obey(table: &mut Table, rules: &Rules, commands: &[Command]) {
    for command in commands {
        table.obey(rules, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
    }
}

fn throw(roll: &str) -> [Command; 2] {
    [Command::CloseBetting, Command::Roll { roll: roll.parse().unwrap() }]
}

fn seated(rules: &Rules) -> Table {
    let mut table = Table::open(rules);
    for (seat, name) in [(ANN, "ann"), (BOB, "bob")] {
        let sit = Command::Sit { seat, name: name.into() };
        obey(&mut table, rules, &[sit, Command::buy_in(seat, Cents::dollars(1000))]);
    }
    table
}

/// A void says what it undoes, newest first, with the chips of each.
#[test]
fn a_void_tells_what_it_undoes() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    obey(&mut table, &rules, &[put(ANN, "pass", 10), put(BOB, "place 8", 12)]);
    let before = visible(&table);
    obey(&mut table, &rules, &throw("2-2"));
    obey(&mut table, &rules, &[put(ANN, "odds", 20), take(BOB, "place 8"), put(BOB, "buy 5", 20)]);
    let events = table.obey(&rules, &void()).unwrap();
    let [Event::Voided(voided)] = events.as_slice() else { panic!("{events:?}") };
    let undone: Vec<(Seat, &str, Cents)> = voided
        .undone
        .iter()
        .map(|bet| {
            let back = bet.postings.gain(Account::Rack(bet.seat));
            (bet.seat, rules.spot_rule(bet.spot).notation.as_str(), back)
        })
        .collect();
    let expected = [
        (BOB, "buy 5", Cents::dollars(21)),
        (BOB, "place 8", Cents::dollars(-12)),
        (ANN, "odds pass", Cents::dollars(20)),
    ];
    assert_eq!(undone, expected);
    // The roll itself moved nothing.
    assert_eq!(voided.postings.iter().count(), 0);
    assert_eq!(visible(&table), before);
}

/// Once the rules have changed a roll made under the others stands.
#[test]
fn a_roll_stands_once_the_rules_have_changed() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    obey(&mut table, &rules, &[put(ANN, "pass", 10)]);
    obey(&mut table, &rules, &throw("3-4"));
    assert!(table.decide(&rules, &void()).is_ok());
    obey(&mut table, &rules, &[Command::Configure]);
    assert_eq!(table.decide(&rules, &void()), Err(Refusal::NothingToVoid));
}

/// A table cannot be closed while a roll is being paid: its players could not leave any more.
#[test]
fn a_table_that_pays_is_not_closed() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    obey(&mut table, &rules, &[Command::BeginPaying]);
    assert_eq!(table.phase(), Phase::Paying);
    for command in [Command::Close, Command::Configure, Command::leave(ANN)] {
        assert_eq!(table.admits(&command), Err(Refusal::BeingPaid), "{command:?}");
        assert_eq!(table.decide(&rules, &command), Err(Refusal::BeingPaid), "{command:?}");
    }
    obey(&mut table, &rules, &[Command::OpenBetting]);
    assert_eq!(table.admits(&Command::OpenBetting), Err(Refusal::NotPaying));
    obey(&mut table, &rules, &[Command::Close, Command::leave(ANN)]);
    assert_eq!(table.status(), Status::Closed);
}

/// Two dollars on a meter with terms that leave parts of a cent, and the four rolls that win it.
fn jackpot(confirm: Confirm, rolls: usize) -> Floor {
    let rules = rules_with(
        &["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-03"],
        &[
            ("fired-up.meter.seed", "700"),
            ("fired-up.meter.increment", "12.3457%"),
            ("fired-up.meter.reserve", "3.3333%"),
        ],
    );
    let mut floor = Floor::confirming(confirm);
    floor.open(rules).unwrap();
    floor.preset(METER, Cents::dollars(9_000));
    for (seat, name) in [(ANN, "ann"), (BOB, "bob")] {
        let sit = Command::Sit { seat, name: name.into() };
        let buy_in = Command::buy_in(seat, Cents::dollars(100));
        for command in [sit, buy_in, put(seat, "dont-pass", 10), put(seat, "fired-up", 1)] {
            floor.obey(0, &command).unwrap();
        }
    }
    for roll in ["2-3", "2-2", "1-2", "1-1"].iter().take(rolls) {
        throw(roll).iter().for_each(|command| drop(floor.obey(0, command).unwrap()));
    }
    floor
}

const WAITS: Confirm = Confirm { jackpots: true, over: None };

/// Bets that fed a meter take their parts of a cent back, at the meter and at the table.
#[test]
fn a_meter_is_unfed_to_the_millionth_of_a_cent() {
    for confirm in [Confirm::default(), WAITS] {
        let before = jackpot(confirm, 3);
        let mut floor = jackpot(confirm, 4);
        for command in [
            put(ANN, "fired-up", 1),
            put(BOB, "fired-up", 1),
            take(ANN, "fired-up"),
            put(ANN, "fired-up", 1),
            void(),
        ] {
            floor.obey(0, &command).unwrap();
            assert!(floor.is_conserved());
        }
        assert_eq!(visible(floor.table(0)), visible(before.table(0)));
        assert!(floor.meters().eq(before.meters()));
    }
}

/// A correction unfeeds what was bet since, and the roll as it was may win the meter again.
#[test]
fn a_correction_unfeeds_what_was_bet_since() {
    let right = jackpot(WAITS, 4);
    let mut floor = jackpot(WAITS, 3);
    throw("6-6").iter().for_each(|command| drop(floor.obey(0, command).unwrap()));
    // The run of both has ended, so a third dollar may be put on the next one.
    floor.obey(0, &put(ANN, "fired-up", 1)).unwrap();
    let correct = Command::Correct { roll: "1-1".parse().unwrap(), reason: "misread".into() };
    floor.obey(0, &correct).unwrap();
    assert!(floor.is_conserved());
    assert_eq!(visible(floor.table(0)), visible(right.table(0)));
    assert!(floor.meters().eq(right.meters()));
    assert_eq!(floor.table(0).held_envy()[0].amount, Cents::dollars(1_000));
}

/// Envy is held for claims that wait, right after their roll, and no more than was paid.
#[test]
fn envy_is_held_for_claims_that_wait() {
    // The table alone: a floor holds by itself.
    let floor = jackpot(Confirm::default(), 3);
    let (rules, mut table) = (floor.rules(0), floor.table(0).clone());
    obey(&mut table, rules, &throw("1-1"));
    let hold = |claims: &[u64], amount: Cents| Command::HoldEnvy {
        claims: claims.iter().copied().map(ClaimId).collect(),
        amount,
    };
    let all = Cents::dollars(1_000);
    let refused = |table: &Table, command: Command| table.decide(rules, &command).unwrap_err();
    assert_eq!(refused(&table, hold(&[], all)), Refusal::NoSuchClaim);
    assert_eq!(refused(&table, hold(&[2], all)), Refusal::NoSuchClaim);
    assert_eq!(refused(&table, hold(&[1, 2], all)), Refusal::NoSuchClaim);
    assert_eq!(refused(&table, hold(&[1], Cents::ZERO)), Refusal::ZeroAmount);
    assert_eq!(refused(&table, hold(&[1], all + Cents(1))), Refusal::OverLimit { max: all });
    let mut later = table.clone();
    obey(&mut later, rules, &[put(ANN, "field", 5)]);
    assert_eq!(refused(&later, hold(&[1], all)), Refusal::NoSuchClaim);
    obey(&mut table, rules, &[hold(&[1], all)]);
    assert_eq!((table.balance(Account::Held), table.balance(Account::Envy)), (all, Cents::ZERO));
}

/// The memory of the last roll keeps each bet made since, and none once it was taken back.
#[test]
fn what_was_bet_since_is_kept_until_the_next_throw() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    let since = |table: &Table| -> Vec<Since> {
        table.parts().before_roll.as_ref().map(|before| before.since.clone()).unwrap_or_default()
    };
    obey(&mut table, &rules, &[put(ANN, "pass", 10)]);
    assert_eq!(since(&table), []);
    obey(&mut table, &rules, &throw("2-2"));
    obey(&mut table, &rules, &[put(BOB, "field", 5), take(BOB, "field")]);
    let chips: Vec<Cents> = since(&table).iter().map(|bet| bet.chips).collect();
    assert_eq!(chips, [Cents::dollars(5), Cents::dollars(-5)]);
    obey(&mut table, &rules, &throw("3-3"));
    assert_eq!(since(&table), []);
}
