//! Winnings that wait: held, released, denied, taken back; and bets handed back to their player.

use craps::floor::{Confirm, FloorEvent};
use craps::table::{HeldAward, Won};
use craps::{Account, Cents, ClaimId, Command, Event, Floor, Rules, Seat, Table};

use crate::{everything, rules_with, visible};

const ANN: Seat = Seat(0);
const BOB: Seat = Seat(1);
const METER: &str = "PT-BJS-FUP-03";

fn put(seat: Seat, wager: &str, dollars: i64) -> Command {
    Command::Put { seat, wager: wager.into(), amount: Cents::dollars(dollars) }
}

fn hold(wager: &str, dollars: i64) -> Command {
    Command::Hold { seat: ANN, wager: wager.into(), amount: Cents::dollars(dollars) }
}

fn release(claim: u64) -> Command {
    Command::Release { claim: ClaimId(claim) }
}

fn deny(claim: u64) -> Command {
    Command::DenyClaim { claim: ClaimId(claim), reason: "a die was slid".into() }
}

fn hand_back(seat: Seat, wager: &str) -> Command {
    Command::Return { seat, wager: wager.into(), reason: "the player has gone".into() }
}

fn void() -> Command {
    Command::Void { reason: "a hand was in the way".into() }
}

fn obey(table: &mut Table, rules: &Rules, commands: &[Command]) {
    for command in commands {
        table.obey(rules, command).unwrap_or_else(|refusal| panic!("{command:?}: {refusal}"));
    }
}

fn roll(table: &mut Table, rules: &Rules, roll: &str) {
    let roll = roll.parse().unwrap();
    obey(table, rules, &[Command::CloseBetting, Command::Roll { roll }]);
}

#[track_caller]
fn refused(table: &Table, rules: &Rules, command: &Command, code: &str) {
    let refusal = table.decide(rules, command).unwrap_err();
    assert_eq!(refusal.code(), code, "{command:?}: {refusal}");
}

/// Ann has just won All Small at 30 to 1 with 5 on it; 15 of hers are on Don't Pass.
fn all_small(rules: &Rules) -> Table {
    let mut table = before_all_small(rules);
    roll(&mut table, rules, "2-4");
    table
}

fn before_all_small(rules: &Rules) -> Table {
    let mut table = Table::open(rules);
    for (seat, name) in [(ANN, "ann"), (BOB, "bob")] {
        let sit = Command::Sit { seat, name: name.into() };
        obey(&mut table, rules, &[sit, Command::buy_in(seat, Cents::dollars(1000))]);
    }
    obey(&mut table, rules, &[put(ANN, "dont-pass", 15), put(ANN, "all-small", 5)]);
    for dice in ["3-2", "1-1", "1-2", "2-2"] {
        roll(&mut table, rules, dice);
    }
    obey(&mut table, rules, &[put(BOB, "place 6", 6)]);
    table
}

#[test]
fn what_a_side_bet_won_is_held_and_released() {
    let rules = everything();
    let mut table = all_small(&rules);
    let (before, rack) = (visible(&table), table.rack(ANN));
    let events = table.obey(&rules, &hold("all-small", 150)).unwrap();
    let spot = rules.spot("all-small").unwrap();
    let amount = Cents::dollars(150);
    assert!(matches!(events.as_slice(), [Event::Held { .. }]));
    assert_eq!(table.held(), [HeldAward { id: ClaimId(1), seat: ANN, spot, amount }]);
    assert_eq!(table.rack(ANN), rack - amount);
    assert_eq!(table.balance(Account::Held), amount);
    obey(&mut table, &rules, &[release(1)]);
    assert_eq!(visible(&table), before);
    assert_eq!(table.held(), []);
    refused(&table, &rules, &release(1), "no-such-claim");
    refused(&table, &rules, &hold("all-small", 150), "nothing-won");
}

#[test]
fn a_denied_award_goes_back_to_the_house() {
    let rules = everything();
    let mut table = all_small(&rules);
    let (rack, house) = (table.rack(ANN), table.balance(Account::House));
    obey(&mut table, &rules, &[hold("all-small", 150), deny(1)]);
    assert_eq!(table.rack(ANN), rack - Cents::dollars(150));
    assert_eq!(table.balance(Account::House), house + Cents::dollars(150));
    assert_eq!(table.balance(Account::Held), Cents::ZERO);
    refused(&table, &rules, &deny(1), "no-such-claim");
}

/// Only what this roll won on a side bet, no more of it, and not twice.
#[test]
fn only_an_award_of_the_last_roll_is_held() {
    let rules = everything();
    let before = before_all_small(&rules);
    refused(&before, &rules, &hold("all-small", 150), "nothing-won");
    let mut table = all_small(&rules);
    let nobody = Command::Hold { seat: Seat(7), wager: "red".into(), amount: Cents(0) };
    refused(&table, &rules, &nobody, "not-seated");
    refused(&table, &rules, &hold("red", 0), "not-offered");
    refused(&table, &rules, &hold("all-tall", 0), "nothing-won");
    let bob = |wager: &str| Command::Hold { seat: BOB, wager: wager.into(), amount: Cents(700) };
    refused(&table, &rules, &bob("all-small"), "nothing-won");
    // Place 6 won seven dollars, but is no side bet.
    refused(&table, &rules, &bob("place 6"), "nothing-won");
    refused(&table, &rules, &hold("all-small", 0), "zero-amount");
    refused(&table, &rules, &hold("all-small", 151), "over-limit");
    let mut poor = table.clone();
    let rack = poor.rack(ANN) - Cents::dollars(150);
    obey(&mut poor, &rules, &[Command::cash_out(ANN, rack)]);
    assert!(poor.decide(&rules, &hold("all-small", 150)).is_ok());
    obey(&mut poor, &rules, &[Command::cash_out(ANN, Cents(1))]);
    refused(&poor, &rules, &hold("all-small", 150), "short-rack");
    let mut later = table.clone();
    obey(&mut later, &rules, &[put(BOB, "field", 5)]);
    refused(&later, &rules, &hold("all-small", 150), "nothing-won");
    obey(&mut table, &rules, &[hold("all-small", 100)]);
    refused(&table, &rules, &hold("all-small", 50), "nothing-won");
}

/// One matched roll of Fired Up pays a dollar for a dollar: it is an award, but wins nothing.
#[test]
fn an_award_of_the_wager_alone_has_nothing_to_hold() {
    let rules = everything();
    let mut table = Table::open(&rules);
    let buy_in = Command::buy_in(ANN, Cents::dollars(100));
    obey(&mut table, &rules, &[Command::Sit { seat: ANN, name: "ann".into() }, buy_in]);
    obey(&mut table, &rules, &[put(ANN, "dont-pass", 10), put(ANN, "fired-up", 1)]);
    roll(&mut table, &rules, "4-4");
    roll(&mut table, &rules, "1-1");
    assert_eq!(table.rack(ANN), Cents::dollars(90));
    assert_eq!(table.holdable(&rules).count(), 0);
    refused(&table, &rules, &hold("fired-up", 1), "nothing-won");
}

/// A buy that stays up has paid its next commission out of what it won: 40 less 1.
#[test]
fn what_a_roll_won_is_less_its_commission() {
    let rules = everything();
    let mut table = before_all_small(&rules);
    obey(&mut table, &rules, &[put(BOB, "buy 4", 20)]);
    roll(&mut table, &rules, "2-2");
    let spot = rules.spot("buy 4").unwrap();
    let won = &table.parts().before_roll.as_ref().unwrap().won;
    assert_eq!(*won, [Won { seat: BOB, spot, amount: Cents::dollars(39) }]);
}

#[test]
fn a_void_takes_held_winnings_back_whatever_became_of_them() {
    let rules = everything();
    let before = visible(&before_all_small(&rules));
    for since in [vec![], vec![release(1)], vec![deny(1)]] {
        let mut table = all_small(&rules);
        obey(&mut table, &rules, &[hold("all-small", 150)]);
        obey(&mut table, &rules, &since);
        obey(&mut table, &rules, &[void()]);
        assert_eq!(visible(&table), before, "{since:?}");
        assert_eq!(table.held(), []);
    }
}

/// A correction that wins the same again is held under a number of its own.
#[test]
fn a_correction_takes_held_winnings_back() {
    let rules = everything();
    let mut table = all_small(&rules);
    let right = visible(&table);
    obey(&mut table, &rules, &[hold("all-small", 150)]);
    let correct = |roll: &str| Command::Correct { roll: roll.parse().unwrap(), reason: "x".into() };
    obey(&mut table, &rules, &[correct("6-2")]);
    assert_eq!((table.held(), table.balance(Account::Held)), (&[][..], Cents::ZERO));
    obey(&mut table, &rules, &[correct("2-4")]);
    assert_eq!(visible(&table), right);
    obey(&mut table, &rules, &[hold("all-small", 150)]);
    assert_eq!(table.held()[0].id, ClaimId(2));
}

/// What an earlier roll left waiting is none of a void's business, answered or not.
#[test]
fn a_void_leaves_earlier_winnings_alone() {
    let rules = everything();
    for (answer, held) in [(None, 150), (Some(release(1)), 0), (Some(deny(1)), 0)] {
        let mut table = all_small(&rules);
        obey(&mut table, &rules, &[hold("all-small", 150), put(BOB, "field", 5)]);
        roll(&mut table, &rules, "5-4");
        obey(&mut table, &rules, answer.as_slice());
        let rack = table.rack(ANN);
        obey(&mut table, &rules, &[void()]);
        assert_eq!(table.balance(Account::Held), Cents::dollars(held));
        assert_eq!(table.rack(ANN), rack);
    }
}

/// One award of an earlier roll waits while one of the last is answered: a void undoes the second.
/// Two matched rolls of Fired Up pay 5 for 1, and so win 4.
#[test]
fn a_void_tells_the_awards_of_two_rolls_apart() {
    let rules = everything();
    for answer in [release(2), deny(2)] {
        let mut table = all_small(&rules);
        obey(&mut table, &rules, &[hold("all-small", 150), put(ANN, "fired-up", 1)]);
        roll(&mut table, &rules, "4-4");
        roll(&mut table, &rules, "3-6");
        let before = visible(&table);
        roll(&mut table, &rules, "1-1");
        obey(&mut table, &rules, &[hold("fired-up", 4), answer, void()]);
        assert_eq!(visible(&table), before);
        assert_eq!(table.balance(Account::Held), Cents::dollars(150));
    }
}

#[test]
fn nobody_leaves_and_nothing_closes_while_winnings_are_held() {
    let rules = everything();
    let mut table = all_small(&rules);
    let take = |seat, wager: &str| Command::Take { seat, wager: wager.into(), amount: None };
    obey(&mut table, &rules, &[hold("all-small", 150), take(ANN, "dont-pass")]);
    obey(&mut table, &rules, &[take(BOB, "place 6"), put(BOB, "field", 5)]);
    roll(&mut table, &rules, "3-2");
    let leave = Command::leave(ANN);
    assert!(table.hand().puck.is_off());
    refused(&table, &rules, &leave, "bets-up");
    refused(&table, &rules, &Command::Close, "bets-riding");
    refused(&table, &rules, &Command::Configure, "bets-riding");
    obey(&mut table, &rules, &[Command::Pause, release(1), leave, Command::Close]);
    refused(&table, &rules, &deny(1), "table-closed");
}

fn jackpots() -> Rules {
    rules_with(
        &["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-03"],
        &[
            ("fired-up.meter.seed", "700"),
            ("fired-up.meter.increment", "20%"),
            ("fired-up.meter.reserve", "10%"),
        ],
    )
}

/// Two players with a dollar on a jackpot of 9,000 and four rolls that win it.
fn jackpot(rolls: usize) -> Floor {
    let mut floor = Floor::confirming(Confirm { jackpots: true, over: None });
    floor.open(jackpots()).unwrap();
    floor.preset(METER, Cents::dollars(9_000));
    for (seat, name) in [(ANN, "ann"), (BOB, "bob")] {
        for command in [
            Command::Sit { seat, name: name.into() },
            Command::buy_in(seat, Cents::dollars(100)),
            put(seat, "dont-pass", 10),
            put(seat, "fired-up", 1),
        ] {
            floor.obey(0, &command).unwrap();
        }
    }
    ["2-3", "2-2", "1-2", "1-1"].iter().take(rolls).for_each(|dice| throw(&mut floor, dice));
    floor
}

fn throw(floor: &mut Floor, roll: &str) {
    floor.obey(0, &Command::CloseBetting).unwrap();
    floor.obey(0, &Command::Roll { roll: roll.parse().unwrap() }).unwrap();
}

#[test]
fn a_jackpot_waits_and_is_confirmed() {
    let mut floor = jackpot(4);
    assert_eq!(floor.table(0).claims().len(), 1);
    assert_eq!(floor.table(0).rack(ANN), Cents::dollars(89));
    assert!(floor.is_conserved());
    floor.obey(0, &put(ANN, "fired-up", 1)).unwrap();
    assert!(floor.is_conserved());
    floor.obey(0, &release(1)).unwrap();
    // Half of 9,000.40, and a dollar on the next one.
    assert_eq!(floor.table(0).rack(ANN), Cents(458_820));
    assert_eq!(floor.meter(METER).unwrap().payable(), Cents(70_020));
    assert!(floor.table(0).claims().is_empty() && floor.is_conserved());
    assert_eq!(floor.obey(0, &release(1)).unwrap_err().code(), "no-such-claim");
}

/// The winners in their order, none with less than nothing or more than a rack may hold, and the
/// house beyond the meter with no more than all of it.
#[test]
fn an_answer_fits_its_claim_or_is_refused() {
    let floor = jackpot(4);
    let answer = |shares: &[(Seat, i64)], from_house: i64| {
        let mut table = floor.table(0).clone();
        let shares = shares.iter().map(|(seat, cents)| (*seat, Cents(*cents))).collect();
        let from_house = Cents(from_house);
        let pay = Command::PayClaim { claim: ClaimId(1), shares, from_house };
        table.obey(floor.rules(0), &pay).map(|_| table)
    };
    let most = Cents::MOST.0;
    for (shares, from_house) in [
        (&[(ANN, 100)][..], 0),
        (&[(BOB, 100), (ANN, 100)], 0),
        (&[(ANN, 100), (BOB, 100), (BOB, 100)], 0),
        (&[(ANN, 100), (BOB, -1)], 0),
        (&[(ANN, 100), (BOB, most + 1)], 0),
        (&[(ANN, 100), (BOB, 100)], -1),
        (&[(ANN, 100), (BOB, 100)], 201),
    ] {
        let refusal = answer(shares, from_house).unwrap_err();
        assert_eq!(refusal.code(), "claim-mismatch", "{shares:?} {from_house}");
    }
    for (ann, bob, from_house) in [(100, 100, 150), (100, 100, 200), (0, most, 0)] {
        let (before, after) = (floor.table(0), answer(&[(ANN, ann), (BOB, bob)], from_house));
        let gain = |account| after.as_ref().unwrap().balance(account) - before.balance(account);
        assert_eq!(gain(Account::Rack(ANN)), Cents(ann));
        assert_eq!(gain(Account::Rack(BOB)), Cents(bob));
        assert_eq!(gain(Account::House), Cents(-from_house));
        assert_eq!(gain(Account::Clearing), Cents(from_house - ann - bob));
    }
}

#[test]
fn only_who_waits_for_a_jackpot_has_to_stay() {
    let mut floor = jackpot(0);
    let take = |seat, wager: &str| Command::Take { seat, wager: wager.into(), amount: None };
    for wager in ["dont-pass", "fired-up"] {
        floor.obey(0, &take(BOB, wager)).unwrap();
    }
    ["2-3", "2-2", "1-2", "1-1"].iter().for_each(|dice| throw(&mut floor, dice));
    floor.obey(0, &take(ANN, "dont-pass")).unwrap();
    let leave = |seat| Command::leave(seat);
    assert_eq!(floor.obey(0, &leave(ANN)).unwrap_err().code(), "bets-up");
    floor.obey(0, &leave(BOB)).unwrap();
    floor.obey(0, &release(1)).unwrap();
    floor.obey(0, &leave(ANN)).unwrap();
}

/// The stakes come back, the meter has its award again, and what was fed since stays in it. The
/// thousand for the dealers is the house's again.
#[test]
fn a_denied_jackpot_goes_back_to_its_meter() {
    let mut floor = jackpot(4);
    floor.obey(0, &put(BOB, "fired-up", 1)).unwrap();
    assert_eq!(floor.meter(METER).unwrap().payable(), Cents(70_020));
    let table = floor.table(0);
    let house = table.balance(Account::House);
    assert_eq!(table.balance(Account::Held), Cents::dollars(1_000));
    assert_eq!(table.balance(Account::Envy), Cents::ZERO);
    let events = floor.obey(0, &deny(1)).unwrap();
    assert!(matches!(events[1], FloorEvent::Meter { .. }));
    assert_eq!(floor.meter(METER).unwrap().payable(), Cents(900_060));
    assert_eq!(floor.table(0).rack(ANN), Cents::dollars(90));
    assert_eq!(floor.table(0).balance(Account::House), house + Cents::dollars(1_000 - 2));
    assert_eq!(floor.table(0).balance(Account::Held), Cents::ZERO);
    assert_eq!(floor.table(0).balance(Account::Envy), Cents::ZERO);
    assert!(floor.table(0).claims().is_empty() && floor.is_conserved());
}

/// A denied jackpot is reversed at its meter once, though its roll is voided afterwards.
#[test]
fn a_void_after_a_denial_restores_everything() {
    for answers in [vec![], vec![deny(1)], vec![release(1)]] {
        let before = jackpot(3);
        let mut floor = jackpot(4);
        for command in answers.iter().chain(&[void()]) {
            floor.obey(0, command).unwrap();
            assert!(floor.is_conserved());
        }
        assert_eq!(visible(floor.table(0)), visible(before.table(0)), "{answers:?}");
        assert_eq!(floor.meter(METER), before.meter(METER), "{answers:?}");
    }
}

/// A jackpot of an earlier roll is denied: voiding the last one neither brings it back nor takes
/// the stakes.
#[test]
fn a_void_leaves_an_earlier_denial_alone() {
    let mut floor = jackpot(4);
    floor.obey(0, &put(ANN, "field", 5)).unwrap();
    throw(&mut floor, "6-5");
    floor.obey(0, &deny(1)).unwrap();
    floor.obey(0, &void()).unwrap();
    assert_eq!(floor.table(0).rack(ANN), Cents::dollars(85));
    assert!(floor.table(0).claims().is_empty() && floor.is_conserved());
}

/// Locked or not, a bet comes back as a legal take would bring it: with its odds, its commission,
/// its place on the tracker and its contribution.
#[test]
fn a_locked_bet_is_handed_back() {
    let rules = rules_with(
        &["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-03"],
        &[("fired-up.meter.seed", "700"), ("fired-up.meter.increment", "12.5%")],
    );
    let mut floor = Floor::default();
    floor.open(rules).unwrap();
    let mut obey = |command: Command| floor.obey(0, &command).map(drop);
    for (seat, name) in [(ANN, "ann"), (BOB, "bob")] {
        obey(Command::Sit { seat, name: name.into() }).unwrap();
        obey(Command::buy_in(seat, Cents::dollars(100))).unwrap();
        obey(put(seat, "pass", 10)).unwrap();
        obey(put(seat, "fired-up", 1)).unwrap();
    }
    obey(Command::CloseBetting).unwrap();
    assert_eq!(obey(hand_back(ANN, "pass")).unwrap_err().code(), "betting-closed");
    obey(Command::Roll { roll: "2-3".parse().unwrap() }).unwrap();
    obey(put(ANN, "odds", 20)).unwrap();
    obey(put(ANN, "buy 4", 20)).unwrap();
    let take = Command::Take { seat: ANN, wager: "pass".into(), amount: None };
    assert_eq!(obey(take).unwrap_err().code(), "locked");
    assert_eq!(obey(hand_back(Seat(9), "pass")).unwrap_err().code(), "not-seated");
    assert_eq!(obey(hand_back(ANN, "red")).unwrap_err().code(), "not-offered");
    assert_eq!(obey(hand_back(ANN, "field")).unwrap_err().code(), "no-bet");
    obey(Command::Pause).unwrap();
    for wager in ["pass", "buy 4", "fired-up"] {
        obey(hand_back(ANN, wager)).unwrap();
    }
    let table = floor.table(0);
    assert_eq!(table.rack(ANN), Cents::dollars(100));
    assert!(table.player(ANN).unwrap().layout.is_empty());
    // 700 and 12.5 cents of Bob's dollar.
    assert_eq!(floor.meter(METER).unwrap().amount().to_string(), "700.125");
    assert!(floor.is_conserved());
    // The last bet to go leaves the tracker as if it had never started.
    floor.obey(0, &hand_back(BOB, "fired-up")).unwrap();
    let tracker = floor.rules(0).tracker_at(floor.rules(0).spot("fired-up").unwrap());
    assert_eq!(
        floor.table(0).hand().trackers[tracker.unwrap()],
        craps::tracker::Tracker::default()
    );
    assert_eq!(floor.meter(METER).unwrap().amount().to_string(), "700.00");
    assert!(floor.is_conserved());
}

#[test]
fn what_waits_is_all_in_events_and_parts() {
    let rules = everything();
    let mut table = all_small(&rules);
    let commands = [hold("all-small", 150), deny(1), hand_back(ANN, "dont-pass")];
    let mut replayed = table.clone();
    for command in commands {
        for event in table.obey(&rules, &command).unwrap() {
            replayed.evolve(&event);
        }
        replayed = Table::from_parts(replayed.parts().clone());
    }
    assert_eq!(replayed, table);
}
