//! The books of a table, and reports made of them: every cent of the accounts is found again, a
//! roll taken back leaves no trace, and the hold lies where it should.

mod pit;

use boxman_server::testing::books::{Books, DayBook, Figures};
use boxman_server::testing::hash::Hash;
use boxman_server::testing::log::Written;
use boxman_server::testing::reports::{BuyIns, CashOuts, Report, csv};
use craps::floor::Confirm;
use craps::table::{MendMove, Mending};
use craps::{Account, BuyInKind, CashOutKind, Cents, ClaimId, Command, Rules, Seat};
use expect_test::expect_file;

use self::pit::{
    ACROSS, EXPECTATIONS, LATE, Likes, MINUTE, MIXED, Pit, easy_jackpots, play, rules, rules_with,
};

#[test]
fn the_books_explain_every_account() {
    for (seed, rules) in [rules(), easy_jackpots()].iter().enumerate() {
        let mut pit = Pit::open(rules);
        pit.obey(&Command::Fill { amount: Cents::dollars(1_000_000) });
        play(&mut pit, &MIXED, seed as u64, 4_000);
        pit.reconcile();
        let book = pit.book();
        for sum in [book.cashed_out, book.filled, book.credited] {
            assert!(sum > Cents::ZERO, "{book:?}");
        }
        let easy = seed == 1;
        for sum in [book.envy, book.fed, book.breakage, book.jackpots.from_house] {
            assert_eq!(sum > Cents::ZERO, easy, "{book:?}");
        }
        let total = pit.report().total;
        assert_eq!(total.house, pit.balance(Account::House));
        assert_eq!(total.jackpots.paid, book.jackpots.from_meter + book.jackpots.from_house);
    }
}

/// How many of `sessions` hold what they should; 95 in 100 are expected to.
fn inside(rules: &Rules, likes: &[Likes], sessions: u64) -> usize {
    let session = |seed: &u64| {
        let mut pit = Pit::open(rules);
        play(&mut pit, likes, *seed, 2_000);
        let expectation = pit.report().total.expectation.expect("every wager has a price");
        assert!(expectation.low < expectation.expected && expectation.expected < expectation.high);
        expectation.inside
    };
    (0..sessions).filter(session).count()
}

#[test]
fn the_hold_lies_in_its_band() {
    // Of 40 sessions 38 on average. Were the place bets' common sevens not counted, 31 would be.
    for (rules, likes) in [(rules(), &MIXED[..]), (easy_jackpots(), &MIXED), (rules(), &ACROSS)] {
        let inside = inside(&rules, likes, 40);
        assert!((34..=40).contains(&inside), "{inside} of 40 lie inside");
    }
}

#[test]
fn chips_in_and_out_are_booked_by_kind() {
    let mut pit = Pit::open(&rules());
    let (drop, seat) = (pit.book().drop, Seat(0));
    let dollars = Cents::dollars;
    let bought = [
        (BuyInKind::Cash, 100),
        (BuyInKind::Marker, 2_000),
        (BuyInKind::Coupon, 50),
        (BuyInKind::Chips, 300),
    ];
    for (kind, amount) in bought {
        pit.obey(&Command::BuyIn { seat, amount: dollars(amount), kind });
    }
    // Chips that are brought along are in no box.
    assert_eq!(pit.book().drop - drop, dollars(2_150));
    for (kind, amount) in CashOutKind::ALL.into_iter().zip(1..) {
        pit.obey(&Command::CashOut { seat, amount: dollars(amount), kind });
    }
    pit.obey(&Command::Leave { seat: Seat(1), kind: CashOutKind::LeftBehind });
    pit.put(0, "pass", 10);
    pit.roll("5-6");
    let moves = vec![
        MendMove::Rack { seat, amount: dollars(-7) },
        MendMove::Cage { name: "p1".into(), amount: dollars(20) },
        MendMove::Walked { name: "p1".into(), amount: dollars(5) },
    ];
    let mending = Mending {
        of: 1,
        number: 1,
        keyed: "5-6".parse().unwrap(),
        what: "paid wrong".into(),
        reason: "seen on film".into(),
        moves,
        last: false,
    };
    pit.obey(&Command::Mend(Box::new(mending)));
    pit.reconcile();
    let held = pit.report().total;
    let BuyIns { cash, markers, coupons, chips } = held.buy_ins;
    assert_eq!((markers, coupons, chips), (dollars(2_000), dollars(50), dollars(300)));
    assert_eq!(cash + markers + coupons, held.drop);
    let CashOuts { walk, jackpots, redeemed, tokes, left_behind } = held.cash_outs;
    assert_eq!((walk, jackpots, redeemed), (dollars(1), dollars(2), dollars(3)));
    assert_eq!((tokes, left_behind), (dollars(4), dollars(5_005)));
    assert_eq!(walk + jackpots + redeemed + tokes + left_behind, held.cashed_out);
    assert_eq!((held.mends_by_cage, held.mends_walked), (dollars(20), dollars(5)));
    assert_eq!(held.adjusted, dollars(-18));
    let days = pit.books.open_days();
    days.iter().for_each(|(_, day)| assert_eq!(DayBook::read(&day.text()).unwrap(), *day));
}

#[test]
fn each_day_ends_with_its_tray() {
    let mut books = Books::default();
    let days = |books: &Books| -> Vec<(String, Option<Cents>)> {
        books.open_days().into_iter().map(|(day, book)| (day, book.tray)).collect()
    };
    // A table that nobody has brought chips to has no day yet.
    books.note_tray(LATE, Cents::ZERO);
    assert_eq!(days(&books), []);
    books.note_tray(LATE, Cents(900));
    books.note_tray(LATE, Cents(700));
    // Nothing moved after midnight, and then a roll of the day before was taken back.
    books.note_tray(LATE + MINUTE, Cents(700));
    assert_eq!(days(&books), [("2026-03-01".to_owned(), Some(Cents(700)))]);
    books.note_tray(LATE + MINUTE, Cents(-50));
    let after = [("2026-03-01", 700), ("2026-03-02", -50)];
    let after = after.map(|(day, tray)| (day.to_owned(), Some(Cents(tray))));
    assert_eq!(days(&books), after);
    let (_, day) = books.open_days().remove(1);
    assert_eq!(DayBook::read(&day.text()).unwrap(), day);
}

#[test]
fn a_voided_roll_leaves_no_trace() {
    let mut pit = Pit::open(&easy_jackpots());
    pit.put(0, "pass", 10);
    pit.put(0, "easy", 3);
    pit.put(1, "easy", 3);
    pit.put(1, "field", 5);
    let before = pit.books.clone();
    pit.roll("3-4");
    assert_eq!(pit.book().jackpots.count, 1);
    assert!(pit.book().jackpots.from_house > Cents::ZERO);
    // What happens between the roll and the void stays.
    pit.obey(&Command::buy_in(Seat(2), Cents::dollars(50)));
    pit.obey(&Command::Void { reason: "cocked die".into() });
    pit.reconcile();
    let mut book = before.open_days();
    book[0].1.drop += Cents::dollars(50);
    assert_eq!(pit.books.open_days(), book);
}

#[test]
fn a_corrected_roll_counts_as_it_was() {
    let mut misread = Pit::open(&easy_jackpots());
    let mut read = Pit::open(&easy_jackpots());
    for pit in [&mut misread, &mut read] {
        pit.put(0, "pass", 10);
        pit.put(1, "easy", 3);
    }
    misread.roll("3-4");
    misread.obey(&Command::Correct { roll: "3-1".parse().unwrap(), reason: "a four".into() });
    read.roll("3-1");
    assert_eq!(misread.books.open_days(), read.books.open_days());
    misread.reconcile();
}

#[test]
fn a_day_ends_at_midnight_and_a_roll_stays_on_its_own() {
    let mut pit = Pit::open(&rules());
    pit.at = LATE;
    pit.put(0, "pass", 10);
    pit.roll("5-6");
    pit.at += MINUTE;
    pit.obey(&Command::buy_in(Seat(0), Cents::dollars(20)));
    let days = |pit: &Pit| pit.books.open_days();
    assert_eq!(days(&pit)[0].0, "2026-03-01");
    assert_eq!(days(&pit)[1].0, "2026-03-02");
    assert_eq!((days(&pit)[0].1.rolls, days(&pit)[1].1.rolls), (1, 0));
    // Misread before midnight, noticed after it.
    pit.obey(&Command::Correct { roll: "6-6".parse().unwrap(), reason: "boxcars".into() });
    assert_eq!(days(&pit)[0].1.house(), Cents::dollars(10));
    assert_eq!(days(&pit)[1].1, DayBook { drop: Cents::dollars(20), ..DayBook::default() });
    pit.obey(&Command::Void { reason: "nobody saw it".into() });
    assert_eq!((days(&pit)[0].1.rolls, days(&pit)[0].1.house()), (0, Cents::ZERO));
    pit.reconcile();
}

#[test]
fn folding_keeps_what_can_still_change() {
    let mut pit = Pit::open(&rules());
    pit.put(0, "pass", 10);
    pit.roll("5-6");
    let fill = Command::Fill { amount: Cents::dollars(1) };
    let names = |pit: &Pit| -> Vec<String> {
        pit.books.open_days().into_iter().map(|(day, _)| day).collect()
    };
    for _ in 0..3 {
        pit.at += 24 * 60 * MINUTE;
        pit.obey(&fill);
        pit.books.fold();
    }
    // The roll of the first day can still be voided; the day after it is over.
    assert_eq!(names(&pit), ["2026-03-01", "2026-03-03", "2026-03-04"]);
    pit.obey(&Command::Void { reason: "found on film".into() });
    pit.books.fold();
    assert_eq!(names(&pit), ["2026-03-03", "2026-03-04"]);
    // A clock set back does not open a day again that has been written down.
    pit.at -= 2 * 24 * 60 * MINUTE;
    pit.obey(&fill);
    assert_eq!(names(&pit), ["2026-03-03", "2026-03-04"]);
    assert_eq!(pit.books.open_days()[0].1.filled, Cents::dollars(2));
}

#[test]
fn a_bet_that_travels_is_counted_once_and_where_it_was_made() {
    let mut pit = Pit::open(&rules());
    pit.put(0, "pass", 10);
    pit.roll("2-2");
    pit.put(0, "come", 10);
    pit.put(1, "dont-come", 15);
    pit.roll("3-3");
    assert_eq!(pit.book().figures().count(), 0);
    pit.put(0, "come", 20);
    pit.roll("4-5");
    pit.roll("3-4");
    let come = pit.figures("come");
    assert_eq!((come.decisions, come.handle, come.won), (2, Cents(3_000), Cents(3_000)));
    // Two spots of one wager: two squares, and twice their product beside.
    assert_eq!((come.squares, come.cross), (1_000 * 1_000 + 2_000 * 2_000, 2 * 1_000 * 2_000));
    assert_eq!(pit.figures("dont-come").won, Cents(-1_500));
    assert_eq!((pit.book().rolls, pit.book().hands), (4, 1));
    // On a seven the house wins 10, 10 and 20 and loses 15.
    let squares = 1_000 * 1_000 * 2 + 2_000 * 2_000 + 1_500 * 1_500;
    assert_eq!(pit.book().cross, 2_500 * 2_500 - squares);
}

#[test]
fn players_on_one_spot_count_together() {
    let mut pit = Pit::open(&rules());
    pit.put(0, "pass", 10);
    pit.put(1, "pass", 30);
    pit.roll("6-6");
    let pass = pit.figures("pass");
    assert_eq!((pass.decisions, pass.squares), (2, 4_000 * 4_000));
    pit.put(0, "dont-pass", 10);
    pit.roll("6-6");
    let pushed = pit.figures("dont-pass");
    assert_eq!((pushed.decisions, pushed.handle, pushed.won), (1, Cents(1_000), Cents::ZERO));
}

#[test]
fn odds_are_booked_by_number_and_cost_nothing() {
    let mut pit = Pit::open(&rules());
    pit.put(0, "pass", 10);
    pit.roll("2-2");
    pit.put(0, "odds pass", 20);
    pit.put(1, "come", 10);
    pit.roll("4-4");
    pit.put(1, "odds come 8", 10);
    pit.roll("1-3");
    pit.put(0, "pass", 10);
    // Odds behind a come bet rest on a come-out: they come back and are not decided.
    pit.roll("4-4");
    assert_eq!(pit.figures("odds pass 4").won, Cents(-4_000));
    let names: Vec<String> = pit.book().figures().map(|(_, name, _)| name.to_owned()).collect();
    assert_eq!(names, ["come", "odds pass 4", "pass"]);
    for (wager, variance) in
        [("odds pass 4", "2"), ("odds come 8", "6/5"), ("odds dont-pass 5", "2/3")]
    {
        let expected = EXPECTATIONS.of(&rules(), wager).unwrap();
        assert_eq!(craps_math::fraction(&expected.edge), "0", "{wager}");
        assert_eq!(craps_math::fraction(&expected.variance), variance, "{wager}");
    }
}

#[test]
fn what_a_cap_withholds_is_held_but_not_by_luck() {
    let mut pit = Pit::open(&rules_with(&["presque-isle"], &[("aggregate-cap", "100")]));
    pit.put(0, "pass", 5);
    pit.put(0, "all-small", 10);
    ["1-1", "1-2", "1-3", "1-4", "1-5"].iter().for_each(|roll| {
        pit.tries(&Command::Put { seat: Seat(0), wager: "pass".into(), amount: Cents(500) });
        pit.roll(roll);
    });
    let small = pit.figures("all-small");
    assert_eq!((small.won, small.withheld), (Cents(-10_000), Cents(24_000)));
    let report = pit.report().total;
    let small = report.wagers.iter().find(|held| held.wager == "all-small").unwrap();
    assert!(!small.expectation.unwrap().inside, "34 to 1 at the first try: {small:?}");
}

/// A denied award is no payout, and a denied jackpot no lost stake; the dice decided neither.
#[test]
fn what_is_denied_is_held_but_not_by_luck() {
    let denials = Confirm { jackpots: true, over: Some(Cents::dollars(300)) };
    let mut pit = Pit::confirming(&easy_jackpots(), denials);
    pit.put(0, "pass", 5);
    pit.put(0, "all-small", 10);
    pit.put(1, "all-small", 5);
    ["1-3", "1-1", "1-2", "1-4"].iter().for_each(|roll| pit.roll(roll));
    pit.put(1, "easy", 3);
    let before = pit.books.clone();
    pit.roll("1-5");
    let won = pit.figures("all-small").won;
    assert_eq!(won, Cents::dollars(-340 - 170));
    // Claim 1 is the meter's, claim 2 the one award above 300.
    let deny = |claim| Command::DenyClaim { claim: ClaimId(claim), reason: "late bets".into() };
    pit.at += 24 * 60 * MINUTE;
    [deny(1), deny(2)].iter().for_each(|deny| pit.obey(deny));
    pit.reconcile();
    let (small, easy) = (pit.figures("all-small"), pit.figures("easy"));
    assert_eq!((small.won, small.withheld), (Cents::dollars(-170), Cents::dollars(340)));
    assert_eq!((easy.won, easy.withheld), (Cents::ZERO, Cents::dollars(-3)));
    assert_eq!((small.decisions, pit.book().jackpots.count), (2, 0));
    let report = pit.report();
    assert_eq!(report.total.house, pit.balance(Account::House));
    assert!(report.days.iter().all(|day| day.held.wagers.len() >= 2), "{report:?}");
    pit.obey(&Command::Void { reason: "nobody saw it".into() });
    pit.reconcile();
    let named = |books: &Books| books.open_days().remove(0);
    assert_eq!(named(&pit.books), named(&before));
}

/// Random answers to what waits, and bets handed back: the books still explain every account.
#[test]
fn the_books_explain_what_waits() {
    let confirm = Confirm { jackpots: true, over: Some(Cents::dollars(50)) };
    let mut pit = Pit::confirming(&easy_jackpots(), confirm);
    for round in 0..400u64 {
        play(&mut pit, &MIXED, round, 5);
        let table = pit.floor.table(0);
        let jackpots = table.claims().iter().map(|claim| claim.id);
        let waiting: Vec<ClaimId> =
            jackpots.chain(table.held().iter().map(|award| award.id)).collect();
        for (place, claim) in (round..).zip(waiting) {
            let reason = "late bets".to_owned();
            match place % 3 {
                0 => pit.obey(&Command::Release { claim }),
                1 => pit.obey(&Command::DenyClaim { claim, reason }),
                _ => {}
            }
            pit.reconcile();
        }
        let back = Command::Return { seat: Seat(4), wager: "easy".into(), reason: "gone".into() };
        pit.tries(&back);
        pit.reconcile();
    }
    let book = pit.book();
    let withheld: Cents = book.figures().map(|(_, _, figures)| figures.withheld).sum();
    assert!(book.jackpots.count > 0 && withheld != Cents::ZERO, "{book:?}");
}

#[test]
fn other_rules_have_other_expectations() {
    let mut pit = Pit::open(&rules());
    pit.put(0, "pass", 10);
    pit.put(0, "dont-pass", 10);
    pit.roll("6-6");
    pit.obey(&Command::Take { seat: Seat(0), wager: "dont-pass".into(), amount: None });
    let other = rules_with(&["presque-isle"], &[("bar", "2")]);
    let events = pit.floor.configure(0, other.clone()).unwrap();
    pit.enter(events);
    pit.put(0, "dont-pass", 10);
    pit.roll("6-6");
    let book = pit.book();
    let wagers: Vec<&str> = book.figures().map(|(_, wager, _)| wager).collect();
    assert_eq!(book.wagers.len(), 2);
    assert_eq!(wagers.iter().filter(|wager| **wager == "dont-pass").count(), 2);
    // Only the newer rules are known to this report, so the day has no expectation.
    let report = pit.report();
    let known = |rules: &str| rules == Hash(other.hash).to_string();
    for wager in &report.total.wagers {
        assert_eq!(wager.expectation.is_some(), known(&wager.rules), "{wager:?}");
    }
    assert_eq!(report.total.expectation, None);
}

#[test]
fn every_wager_of_the_house_has_a_price() {
    let rules = rules_with(
        &["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01"],
        &[],
    );
    for spot in rules.spots().map(|spot| rules.spot_rule(spot)) {
        let name = match (spot.flat, spot.number) {
            (Some(_), None) => format!("{} 10", spot.notation),
            _ => spot.notation.clone(),
        };
        let booked = spot.direct || spot.flat.is_some();
        assert_eq!(EXPECTATIONS.of(&rules, &name).is_some(), booked, "{name}");
    }
}

#[test]
fn books_survive_being_written_down() {
    let mut pit = Pit::open(&easy_jackpots());
    play(&mut pit, &MIXED, 1, 50);
    for (_, day) in pit.books.open_days() {
        assert_eq!(DayBook::read(&day.text()).unwrap(), day);
    }
    // Squares of large amounts take more than 64 bits.
    let mut day = DayBook { cross: i128::MIN, ..pit.book() };
    let large = Figures { squares: u128::MAX, cross: i128::MAX, ..Figures::default() };
    for wagers in day.wagers.values_mut() {
        wagers.insert("large".into(), large);
    }
    assert_eq!(DayBook::read(&day.text()).unwrap(), day);
}

/// A short session: one made point with odds, a field bet and a seven-out.
fn short() -> Pit {
    let mut pit = Pit::open(&rules());
    pit.put(0, "pass", 10);
    pit.roll("4-2");
    pit.put(0, "odds pass", 20);
    pit.put(1, "place 8", 12);
    pit.put(1, "field", 5);
    pit.roll("5-1");
    pit.put(0, "pass", 10);
    pit.roll("4-1");
    pit.at = LATE + MINUTE;
    pit.roll("4-3");
    pit
}

/// The report without the hash of the rules, which changes with every word of a rulebook.
fn short_report() -> Report {
    let mut report = short().report();
    let held = report.days.iter_mut().map(|day| &mut day.held).chain([&mut report.total]);
    for wager in held.flat_map(|held| &mut held.wagers) {
        assert_eq!(wager.rules, Hash(rules().hash).to_string());
        wager.rules = "HASH".to_owned();
    }
    report
}

#[test]
fn a_report_as_csv() {
    let text = csv(&short_report());
    assert!(text.ends_with("\r\n") && text.matches('\n').count() == text.matches("\r\n").count());
    expect_file!["../golden/report.csv"].assert_eq(&text.replace("\r\n", "\n"));
}

#[test]
fn a_report_as_json() {
    let report = serde_json::to_value(short_report()).unwrap();
    let names: Vec<&String> = report.as_object().unwrap().keys().collect();
    assert_eq!(names, ["note", "days", "total", "left_out"]);
    assert!(report["note"].as_str().unwrap().contains("correlation between spots"));
    assert_eq!(report["total"]["hold"], -700);
    let mut day = report["days"][0].clone();
    day["held"]["wagers"].as_array_mut().unwrap().truncate(1);
    expect_file!["../golden/report.json"].assert_eq(&format!("{day:#}\n"));
}
