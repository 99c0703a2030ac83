//! A table over many rolls: voids, corrections, seats, rules that change, logs that replay.

use craps::table::{CreditLimit, Dealing};
use craps::{Account, Cents, Command, Event, Floor, Hand, Refusal, Rules, Seat, Settlement, Table};

use crate::{everything, rules, rules_with, visible};

const ANN: Seat = Seat(0);
const BOB: Seat = Seat(1);

fn seated(rules: &Rules) -> Table {
    let mut table = Table::open(rules);
    for (seat, name) in [(ANN, "ann"), (BOB, "bob")] {
        table.obey(rules, &Command::Sit { seat, name: name.into() }).unwrap();
        table.obey(rules, &Command::buy_in(seat, Cents::dollars(1000))).unwrap();
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

/// A bet made since is undone with the roll; chips and players who have gone do not come back.
#[test]
fn the_last_roll_stands_once_winnings_or_players_have_left() {
    let rules = everything();
    let moves = [Command::cash_out(ANN, Cents::dollars(1000)), Command::leave(ANN)];
    for command in moves {
        let mut table = seated(&rules);
        table.obey(&rules, &put(ANN, "pass", 100)).unwrap();
        roll(&mut table, &rules, "3-4");
        table.obey(&rules, &command).unwrap();
        let void = table.decide(&rules, &Command::Void { reason: "late".into() });
        assert_eq!(void.unwrap_err().code(), "nothing-to-void", "{command:?}");
    }
}

/// A hundred on the line came back doubled: as long as those 200 are there, the roll can be voided.
#[test]
fn a_void_takes_the_last_chips_of_a_rack_back() {
    let rules = everything();
    let mut table = seated(&rules);
    table.obey(&rules, &put(ANN, "pass", 100)).unwrap();
    roll(&mut table, &rules, "3-4");
    let void = Command::Void { reason: "a die was cocked".into() };
    let cash_out = |amount| Command::cash_out(ANN, amount);
    table.obey(&rules, &cash_out(Cents::dollars(900))).unwrap();
    let mut short = table.clone();
    short.obey(&rules, &cash_out(Cents(1))).unwrap();
    assert_eq!(short.obey(&rules, &void), Err(Refusal::NothingToVoid));
    table.obey(&rules, &void).unwrap();
    assert_eq!(table.rack(ANN), Cents::ZERO);
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
        table.obey(&rules, &Command::leave(ANN)).unwrap();
        table.obey(&rules, &Command::Sit { seat: ANN, name: "eve".into() }).unwrap();
        table.obey(&rules, &Command::Void { reason: "late".into() }).unwrap();
        assert_eq!(table.shooter(&rules), Some(BOB), "{dice}");
        assert_eq!(table.hand().puck.to_string(), "8");
        table.obey(&rules, &Command::leave(ANN)).unwrap();
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
        Command::buy_in(ANN, Cents::dollars(100)),
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
    table.obey(&rules, &Command::leave(ANN)).unwrap();
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
    table.evolve(&Event::BoughtIn { seat: ANN, kind: craps::BuyInKind::Cash, postings });
}

/// The books are looked at after every event, also after one that moves nothing.
#[test]
#[should_panic(expected = "the accounts do not sum to zero")]
fn books_that_do_not_balance_are_not_played_on() {
    let mut parts = seated(&rules(&["presque-isle"])).parts().clone();
    parts.accounts.cage -= Cents(1);
    Table::from_parts(parts).evolve(&Event::NoRoll);
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
/// lies in the tray.
#[test]
fn the_tray_is_filled_and_credited() {
    let rules = rules(&["presque-isle"]);
    let mut table = Table::open(&rules);
    let mut obey = |command: Command| table.obey(&rules, &command).map(drop);
    obey(Command::Fill { amount: Cents::dollars(500) }).unwrap();
    obey(Command::Credit { amount: Cents::dollars(200) }).unwrap();
    let refusal = obey(Command::Credit { amount: Cents::dollars(301) }).unwrap_err();
    assert_eq!(refusal, Refusal::ShortTray { tray: Cents::dollars(300) });
    assert_eq!(obey(Command::Fill { amount: Cents(0) }), Err(Refusal::ZeroAmount));
    assert_eq!(table.balance(Account::Cage), Cents::dollars(-300));
}

/// Chips sold for cash are not in the tray; what the house has won is, and may be credited.
#[test]
fn the_tray_has_what_the_house_has_won() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    let credit = |dollars| Command::Credit { amount: Cents::dollars(dollars) };
    // Two players have bought a thousand each, and no fill was booked.
    let refusal = table.obey(&rules, &credit(1)).unwrap_err();
    assert_eq!(refusal, Refusal::ShortTray { tray: Cents::dollars(-2000) });
    let said = "the tray is $2000.00 below zero, book the fill that is missing";
    assert_eq!(refusal.to_string(), said);
    for command in [Command::Fill { amount: Cents::dollars(2500) }, put(ANN, "pass", 10)] {
        table.obey(&rules, &command).unwrap();
    }
    roll(&mut table, &rules, "1-1");
    assert_eq!((table.tray(), table.bank()), (Cents::dollars(510), Cents::dollars(2510)));
    let refusal = table.obey(&rules, &credit(511)).unwrap_err();
    assert_eq!(refusal, Refusal::ShortTray { tray: Cents::dollars(510) });
    assert_eq!(refusal.to_string(), "the tray holds only $510.00");
    table.obey(&rules, &credit(510)).unwrap();
    assert_eq!(table.tray(), Cents::ZERO);
}

/// Tables opened before there was a tray credit what they always did.
#[test]
fn a_credit_by_the_old_rule_looks_at_the_bank_alone() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    let old = Dealing { credit: CreditLimit::Bank, ..Dealing::default() };
    table.obey(&rules, &Command::Fill { amount: Cents::dollars(500) }).unwrap();
    table.obey(&rules, &put(ANN, "pass", 10)).unwrap();
    roll(&mut table, &rules, "1-1");
    let credit = |dollars| Command::Credit { amount: Cents::dollars(dollars) };
    let refusal = table.obey_as(&rules, &credit(511), old).unwrap_err();
    assert_eq!(refusal, Refusal::ShortBank { bank: Cents::dollars(510) });
    table.obey_as(&rules, &credit(510), old).unwrap();
    assert_eq!((table.bank(), table.tray()), (Cents::ZERO, Cents::dollars(-2000)));
}

/// Chips are moved to the last cent there is or may be, and no further.
#[test]
fn limits_of_chips_are_met_to_the_cent() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    table.obey(&rules, &put(ANN, "pass", 10)).unwrap();
    let mut moved = |command: &dyn Fn(Cents) -> Command, most: Cents| {
        let refusal = table.decide(&rules, &command(most + Cents(1))).unwrap_err();
        table.obey(&rules, &command(most)).unwrap();
        refusal
    };
    let buy_in = |amount| Command::buy_in(ANN, amount);
    let cash_out = |amount| Command::cash_out(ANN, amount);
    let fill = |amount| Command::Fill { amount };
    // The 10 on the line could come back, so they take room in the rack already.
    let (room, rack) = (Cents::MOST - Cents::dollars(1000), Cents::MOST - Cents::dollars(10));
    assert_eq!(moved(&buy_in, room), Refusal::OverLimit { max: room });
    assert_eq!(moved(&cash_out, rack), Refusal::ShortRack { rack, needs: rack + Cents(1) });
    assert_eq!(moved(&fill, Cents::MOST), Refusal::OverLimit { max: Cents::MOST });
    assert_eq!(table.rack(ANN), Cents::ZERO);
}

#[test]
fn rolls_that_count_are_counted() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    table.obey(&rules, &put(ANN, "pass", 10)).unwrap();
    assert_eq!(table.rolls(), 0);
    roll(&mut table, &rules, "2-2");
    roll(&mut table, &rules, "3-3");
    assert_eq!(table.rolls(), 2);
    for command in [Command::CloseBetting, Command::NoRoll] {
        table.obey(&rules, &command).unwrap();
    }
    assert_eq!(table.rolls(), 2);
    table.obey(&rules, &Command::Void { reason: "a die was cocked".into() }).unwrap();
    assert_eq!(table.rolls(), 1);
}

/// A seven ends a hand once there is a point, and only then.
#[test]
fn a_seven_out_is_a_seven_with_a_point_on() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    for (dice, seven_out) in [("3-4", false), ("2-2", false), ("5-2", true)] {
        let _ = table.obey(&rules, &put(ANN, "pass", 10));
        table.obey(&rules, &Command::CloseBetting).unwrap();
        let events = table.obey(&rules, &Command::Roll { roll: dice.parse().unwrap() }).unwrap();
        let [Event::Rolled(rolled)] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(rolled.is_seven_out(), seven_out, "{dice}");
    }
}

/// The sum of all accounts shows books that were changed from outside.
#[test]
fn the_sum_of_all_accounts_shows_a_missing_cent() {
    let table = seated(&rules(&["presque-isle"]));
    assert_eq!(table.sum(), Cents::ZERO);
    let mut parts = table.parts().clone();
    parts.accounts.cage -= Cents(1);
    assert_eq!(Table::from_parts(parts).sum(), Cents(-1));
}

/// Whatever else speaks against a command, the table's own state is asked first and alone.
#[test]
fn a_table_admits_what_its_state_lets_be_considered() {
    let rules = rules(&["presque-isle"]);
    let mut table = seated(&rules);
    let nonsense = put(Seat(9), "red", 0);
    assert_eq!(table.admits(&nonsense), Ok(()));
    assert_eq!(table.admits(&Command::NoRoll), Err(Refusal::BettingOpen));
    table.obey(&rules, &Command::Pause).unwrap();
    assert_eq!(table.admits(&nonsense), Err(Refusal::TablePaused));
}

/// A seven clears a tracker and completes nothing, also where a completed wager may be bet again.
#[test]
fn a_wager_lost_to_a_seven_leaves_its_tracker_empty() {
    let rules = rules_with(&["presque-isle:none", "bonus-craps-washington"], &[("re-bet", "on")]);
    let mut table = seated(&rules);
    for command in [put(ANN, "pass", 10), put(ANN, "all-small", 5)] {
        table.obey(&rules, &command).unwrap();
    }
    roll(&mut table, &rules, "2-2");
    assert_ne!(table.hand().trackers, Hand::default().trackers);
    roll(&mut table, &rules, "3-4");
    assert_eq!(table.hand().trackers, Hand::default().trackers);
}

/// Two on All Small, five and ten dollars, and the roll that wins it for both.
fn two_win_all_small(rules: &Rules) -> Settlement {
    let mut table = seated(rules);
    for command in [put(ANN, "dont-pass", 15), put(ANN, "all-small", 5), put(BOB, "all-small", 10)]
    {
        table.obey(rules, &command).unwrap();
    }
    for dice in ["3-2", "1-1", "1-2", "3-3"] {
        roll(&mut table, rules, dice);
    }
    table.obey(rules, &put(ANN, "field", 5)).unwrap();
    table.obey(rules, &Command::CloseBetting).unwrap();
    let events = table.obey(rules, &Command::Roll { roll: "2-2".parse().unwrap() }).unwrap();
    let [Event::Rolled(rolled)] = events.as_slice() else { panic!("{events:?}") };
    rolled.settlement.clone()
}

/// 170 and 340 dollars are owed and 100.01 may be paid: a third and two thirds of it, and the odd
/// cent to the first seat. What the field won has no part in that.
#[test]
fn a_cap_withholds_from_capped_winners_alone() {
    let rules = rules_with(
        &["presque-isle:none", "bonus-craps-washington"],
        &[("aggregate-cap", "100.01")],
    );
    let settlement = two_win_all_small(&rules);
    let lines = settlement.lines.iter().map(|line| {
        let wager = rules.spot_rule(line.bet.spot).notation.as_str();
        (line.seat, wager, line.won, line.withheld)
    });
    let expected = [
        (ANN, "field", Cents(500), Cents(0)),
        (ANN, "all-small", Cents(3_334), Cents(13_666)),
        (BOB, "all-small", Cents(6_667), Cents(27_333)),
    ];
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}

/// The dealers' envy is the wager once for each winner, told in one sum.
#[test]
fn envy_for_several_winners_is_one_sum() {
    let rules = everything();
    let settlement = two_win_all_small(&rules);
    let envies: Vec<Cents> = settlement.envies.iter().map(|(_, envy)| *envy).collect();
    assert_eq!(envies, [Cents::dollars(5 + 10)]);
    assert_eq!(settlement.postings.gain(Account::Envy), Cents::dollars(5 + 10));
}
