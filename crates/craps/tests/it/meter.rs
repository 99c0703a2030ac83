//! Meters: contributions, awards, reseeding, links between tables.

use craps::meter::{AdjustKind, MeterCommand, MeterEvent, Moved, Moving, Parts, TableClaim};
use craps::terms::Winners;
use craps::{Cents, ClaimId, Command, Floor, Meter, MeterTerms, MicroCents, Rate, Refusal, Seat};

use crate::{Lehmer, rules_with};

fn terms() -> MeterTerms {
    MeterTerms {
        seed: Cents::dollars(1_000),
        increment: Rate(125_000),
        reserve: Rate(50_000),
        ceiling: None,
        winners: Winners::Share,
    }
}

fn claim(id: u64, winners: &[u8]) -> MeterCommand {
    MeterCommand::Claim {
        claim: TableClaim { table: 0, id: ClaimId(id) },
        winners: winners.iter().map(|seat| (Seat(*seat), 1)).collect(),
    }
}

#[test]
fn fractions_of_a_cent_are_carried() {
    let mut meter = Meter::open("m", MeterTerms { increment: Rate(1), ..terms() }, None);
    for _ in 0..10_000 {
        meter.obey(&MeterCommand::feed(meter.terms(), Cents(100))).unwrap();
    }
    assert_eq!(meter.payable(), Cents(100_001));
    assert_eq!(meter.reserve().to_string(), "500.00");
}

#[test]
fn winners_share_and_the_odd_cents_stay() {
    for winners in 1..=20u8 {
        let mut meter = Meter::open("m", terms(), Some(Cents(1_000_003)));
        let seats: Vec<u8> = (0..winners).collect();
        meter.obey(&claim(1, &seats)).unwrap();
        let each = 1_000_003 / i64::from(winners);
        let left = 1_000_003 - each * i64::from(winners);
        assert_eq!(meter.payable(), Cents(100_000 + left), "{winners} winners");
        assert!(meter.is_conserved());
    }
}

/// A share goes to each base wager: two for one seat are two of three parts of 1,000.
#[test]
fn winners_share_by_their_base_wagers() {
    let mut meter = Meter::open("m", terms(), None);
    let claim = TableClaim { table: 0, id: ClaimId(1) };
    let winners = vec![(Seat(0), 2), (Seat(1), 1)];
    let events = meter.obey(&MeterCommand::Claim { claim, winners }).unwrap();
    let craps::meter::MeterEvent::Awarded(award) = &events[1] else { panic!("{events:?}") };
    assert_eq!(award.shares, [(Seat(0), Cents(66_666)), (Seat(1), Cents(33_333))]);
    assert_eq!(meter.payable(), Cents(100_001));
}

#[test]
fn winners_in_full_are_topped_up_by_the_house() {
    let mut meter = Meter::open("m", MeterTerms { winners: Winners::InFull, ..terms() }, None);
    let events = meter.obey(&claim(1, &[0, 1, 2])).unwrap();
    let craps::meter::MeterEvent::Awarded(award) = &events[1] else { panic!("{events:?}") };
    assert_eq!(award.from_meter, Cents::dollars(1_000));
    assert_eq!(award.from_house, Cents::dollars(2_000));
    assert!(award.shares.iter().all(|(_, share)| *share == Cents::dollars(1_000)));
}

#[test]
fn the_ceiling_overflows_into_the_next_seed() {
    let ceiling = Some(Cents::dollars(1_001));
    let mut meter = Meter::open("m", MeterTerms { ceiling, ..terms() }, None);
    for _ in 0..100 {
        meter.obey(&MeterCommand::feed(meter.terms(), Cents(100))).unwrap();
    }
    assert_eq!(meter.payable(), Cents::dollars(1_001));
    // 12.50 was contributed, 1.00 fitted; 5.00 went to the reserve by its own rate.
    assert_eq!(meter.reserve().to_string(), "16.50");
    meter.obey(&MeterCommand::feed(meter.terms(), Cents(-100))).unwrap();
    assert_eq!(meter.payable(), Cents::dollars(1_001));
    assert_eq!(meter.reserve().to_string(), "16.325");
}

#[test]
fn an_award_can_be_reversed_by_its_deltas() {
    let mut meter = Meter::open("m", terms(), Some(Cents(777_777)));
    for _ in 0..7 {
        meter.obey(&MeterCommand::feed(meter.terms(), Cents(100))).unwrap();
    }
    let before = meter.clone();
    meter.obey(&claim(1, &[0, 1])).unwrap();
    assert_eq!(meter.obey(&claim(1, &[0, 1])).unwrap_err(), Refusal::ClaimMismatch);
    meter.obey(&MeterCommand::feed(meter.terms(), Cents(100))).unwrap();
    let reverse = MeterCommand::Reverse { claim: TableClaim { table: 0, id: ClaimId(1) } };
    meter.obey(&reverse).unwrap();
    meter.obey(&MeterCommand::feed(meter.terms(), Cents(-100))).unwrap();
    assert_eq!(meter, before);
    assert_eq!(meter.obey(&reverse).unwrap_err(), Refusal::NoSuchClaim);
}

#[test]
fn an_adjustment_cannot_empty_the_meter_below_nothing() {
    let mut meter = Meter::open("m", terms(), None);
    let by = |dollars| MeterCommand::Adjust {
        amount: Cents::dollars(dollars),
        kind: None,
        reason: "x".into(),
    };
    meter.obey(&by(-400)).unwrap();
    assert_eq!(meter.payable(), Cents::dollars(600));
    assert_eq!(meter.obey(&by(-601)).unwrap_err().code(), "over-limit");
}

#[test]
fn an_adjustment_may_take_all_or_fill_a_meter_up() {
    let mut meter = Meter::open("m", terms(), None);
    let by = |amount| MeterCommand::Adjust { amount, kind: None, reason: "x".into() };
    meter.obey(&by(Cents::dollars(-1_000))).unwrap();
    assert_eq!(meter.payable(), Cents::ZERO);
    meter.obey(&by(Cents::MOST)).unwrap();
    assert_eq!(meter.payable(), Cents::MOST);
}

/// A dollar puts 12.5 cents on a meter, and 1,000.12 of it is won elsewhere. Of a bet taken back
/// then only the half cent that stayed comes off; the house puts in the rest.
#[test]
fn a_bet_taken_back_never_takes_a_meter_below_its_seed() {
    let mut meter = Meter::open("m", terms(), None);
    meter.obey(&MeterCommand::feed(meter.terms(), Cents(100))).unwrap();
    meter.obey(&claim(1, &[0])).unwrap();
    assert_eq!(meter.amount().to_string(), "1000.005");
    meter.obey(&MeterCommand::feed(meter.terms(), Cents(-100))).unwrap();
    assert_eq!(meter.amount().to_string(), "1000.00");
}

/// Two tables feed one meter; the first to hit takes it, the second starts from the seed.
#[test]
fn a_linked_meter_serves_two_tables() {
    let rules = rules_with(
        &["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-03"],
        &[("fired-up.meter.seed", "500"), ("fired-up.meter.increment", "10%")],
    );
    let mut floor = Floor::default();
    let tables = [floor.open(rules.clone()).unwrap(), floor.open(rules).unwrap()];
    let seat = Seat(0);
    for table in tables {
        for command in [
            Command::Sit { seat, name: "ann".into() },
            Command::buy_in(seat, Cents::dollars(100)),
            Command::Put { seat, wager: "pass".into(), amount: Cents::dollars(10) },
            Command::Put { seat, wager: "fired-up".into(), amount: Cents::dollars(1) },
        ] {
            floor.obey(table, &command).unwrap();
        }
    }
    assert_eq!(floor.meter("PT-BJS-FUP-03").unwrap().payable(), Cents(50_020));
    for (table, expected) in [(tables[0], 50_020), (tables[1], 50_000)] {
        let rack = floor.table(table).rack(seat);
        for roll in ["2-3", "1-3", "1-2", "1-1"] {
            floor.obey(table, &Command::CloseBetting).unwrap();
            floor.obey(table, &Command::Roll { roll: roll.parse().unwrap() }).unwrap();
        }
        assert_eq!(floor.table(table).rack(seat) - rack, Cents(expected));
        assert!(floor.is_conserved());
    }
}

#[test]
fn nothing_is_lost_in_a_long_random_life() {
    let ceiling = Some(Cents::dollars(1_200));
    let mut meter = Meter::open("m", MeterTerms { ceiling, ..terms() }, None);
    let mut dice = Lehmer(3);
    let mut hits = 0;
    for _ in 0..20_000 {
        match dice.next() % 100 {
            0 => {
                hits += 1;
                let winners: Vec<u8> = (0..=(dice.next() % 20) as u8).collect();
                meter.obey(&claim(hits, &winners)).unwrap();
            }
            1 => {
                let id = ClaimId(hits);
                let claim = TableClaim { table: 0, id };
                let _ = meter.obey(&MeterCommand::Reverse { claim });
            }
            _ => {
                let stake = Cents((dice.next() % 700) as i64);
                meter.obey(&MeterCommand::feed(meter.terms(), stake)).unwrap();
            }
        }
        assert!(meter.is_conserved());
    }
}

/// A bet is taken back after another table has won its contribution: the house makes it good.
#[test]
fn a_contribution_won_elsewhere_is_made_good_by_the_house() {
    let rules = rules_with(
        &["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-03"],
        &[("fired-up.meter.increment", "10%"), ("fired-up.meter.reserve", "5%")],
    );
    let mut floor = Floor::default();
    let tables = [floor.open(rules.clone()).unwrap(), floor.open(rules).unwrap()];
    for table in tables {
        for seat in [Seat(0), Seat(1)] {
            for command in [
                Command::Sit { seat, name: "ann".into() },
                Command::buy_in(seat, Cents::dollars(100)),
                Command::Put { seat, wager: "dont-pass".into(), amount: Cents::dollars(10) },
                Command::Put { seat, wager: "fired-up".into(), amount: Cents::dollars(1) },
            ] {
                floor.obey(table, &command).unwrap();
            }
        }
    }
    for roll in ["2-3", "1-3", "1-2", "1-1"] {
        floor.obey(tables[0], &Command::CloseBetting).unwrap();
        floor.obey(tables[0], &Command::Roll { roll: roll.parse().unwrap() }).unwrap();
    }
    let take = Command::Take { seat: Seat(1), wager: "fired-up".into(), amount: None };
    floor.obey(tables[1], &take).unwrap();
    assert_eq!(floor.meter("PT-BJS-FUP-03").unwrap().payable(), Cents::ZERO);
    assert!(floor.is_conserved());
    for roll in ["2-3", "1-3", "1-2", "1-1"] {
        floor.obey(tables[1], &Command::CloseBetting).unwrap();
        floor.obey(tables[1], &Command::Roll { roll: roll.parse().unwrap() }).unwrap();
    }
    assert!(floor.is_conserved());
}

#[test]
fn a_meter_is_linked_on_one_set_of_terms() {
    let with = |increment| {
        let names = ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-03"];
        rules_with(&names, &[("fired-up.meter.increment", increment)])
    };
    let mut floor = Floor::default();
    floor.open(with("10%")).unwrap();
    assert_eq!(floor.open(with("50%")).unwrap_err().code(), "other-terms");
    floor.configure(0, with("10%")).unwrap();
    assert_eq!(floor.configure(0, with("20%")).unwrap_err().code(), "other-terms");
}

#[test]
fn a_meter_never_holds_more_than_can_be_paid() {
    let mut meter = Meter::open("m", terms(), Some(Cents::MOST));
    meter.obey(&MeterCommand::feed(meter.terms(), Cents(800))).unwrap();
    assert_eq!(meter.payable(), Cents::MOST);
    assert_eq!(meter.reserve().to_string(), "1.40");
    let raise = MeterCommand::Adjust { amount: Cents(1), kind: None, reason: "x".into() };
    assert_eq!(meter.obey(&raise).unwrap_err().code(), "over-limit");
}

/// Other terms wait for the next reset, and wait again when that reset is taken back.
#[test]
fn other_terms_wait_for_the_next_reset() {
    let terms = MeterTerms {
        seed: Cents::dollars(100),
        increment: Rate(100_000),
        reserve: Rate(0),
        ceiling: None,
        winners: Winners::Share,
    };
    let next = MeterTerms { seed: Cents::dollars(500), increment: Rate(200_000), ..terms };
    let mut meter = Meter::open("jackpot", terms, None);
    meter.obey(&MeterCommand::SetTerms { terms: next }).unwrap();
    assert_eq!((meter.terms(), meter.next_terms()), (&terms, Some(&next)));
    let claim = TableClaim { table: 1, id: ClaimId(1) };
    meter.obey(&MeterCommand::Claim { claim, winners: vec![(Seat(0), 1)] }).unwrap();
    assert_eq!((meter.terms(), meter.next_terms()), (&next, None));
    assert_eq!(meter.payable(), Cents::dollars(500));
    meter.obey(&MeterCommand::Reverse { claim }).unwrap();
    assert_eq!((meter.terms(), meter.next_terms()), (&terms, Some(&next)));
    assert_eq!(meter.payable(), Cents::dollars(100));
}

/// A closed meter gives what it holds back to the house, and neither grows nor pays.
#[test]
fn a_closed_meter_does_nothing_more() {
    let terms = MeterTerms {
        seed: Cents::dollars(100),
        increment: Rate(100_000),
        reserve: Rate(50_000),
        ceiling: None,
        winners: Winners::Share,
    };
    let mut meter = Meter::open("jackpot", terms, None);
    meter.obey(&MeterCommand::feed(&terms, Cents::dollars(1))).unwrap();
    assert!(!meter.is_closed());
    meter.obey(&MeterCommand::Close).unwrap();
    assert!(meter.is_closed() && meter.is_conserved());
    assert_eq!(meter.payable(), Cents::ZERO);
    let refusal = meter.decide(&MeterCommand::feed(&terms, Cents::dollars(1))).unwrap_err();
    assert_eq!(refusal.code(), "meter-closed");
}

/// What has been put in is what is there and what has been paid, or the meter says so.
#[test]
fn a_meter_shows_a_missing_cent() {
    let meter = Meter::open("m", terms(), None);
    assert!(meter.is_conserved());
    let mut parts = meter.parts().clone();
    parts.amount -= Cents(1).into();
    assert!(!Meter::from_parts(parts).is_conserved());
}

#[test]
fn a_preset_meter_keeps_its_name_and_terms() {
    let names = ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-03"];
    let mut floor = Floor::default();
    floor.open(rules_with(&names, &[("fired-up.meter.seed", "700")])).unwrap();
    let terms = *floor.meter("PT-BJS-FUP-03").unwrap().terms();
    assert!(floor.preset("PT-BJS-FUP-03", Cents::dollars(900)));
    let meter = floor.meter("PT-BJS-FUP-03").unwrap();
    assert_eq!((meter.name(), *meter.terms()), ("PT-BJS-FUP-03", terms));
    assert_eq!(meter.payable(), Cents::dollars(900));
}

fn feed(meter: &mut Meter, dollars: i64) {
    meter.obey(&MeterCommand::feed(meter.terms(), Cents::dollars(dollars))).unwrap();
}

fn adjust(amount: Cents, kind: AdjustKind) -> MeterCommand {
    MeterCommand::Adjust { amount, kind: Some(kind), reason: "x".into() }
}

#[test]
fn an_adjustment_with_a_kind_never_goes_below_the_seed() {
    let mut meter = Meter::open("m", terms(), None);
    feed(&mut meter, 800);
    assert_eq!(meter.payable(), Cents::dollars(1_100));
    let refused = |amount, kind| meter.decide(&adjust(amount, kind)).unwrap_err().code();
    for kind in [AdjustKind::PaidOutside, AdjustKind::Malfunction, AdjustKind::Seed] {
        assert_eq!(refused(Cents(-10_001), kind), "below-seed");
        assert_eq!(refused(Cents::ZERO, kind), "zero-amount");
    }
    // Nothing is over a ceiling that there is not.
    assert_eq!(refused(Cents(-1), AdjustKind::OverCeiling), "over-limit");
    meter.obey(&adjust(Cents(-10_000), AdjustKind::PaidOutside)).unwrap();
    assert_eq!(meter.payable(), Cents::dollars(1_000));
    assert!(meter.is_conserved());
}

/// What is over the ceiling stays the players': it waits for the next reset.
#[test]
fn what_is_over_the_ceiling_is_set_aside_and_not_the_houses() {
    let ceiling = Some(Cents::dollars(1_050));
    let mut meter = Meter::open("m", MeterTerms { ceiling, ..terms() }, None);
    meter.obey(&adjust(Cents::dollars(100), AdjustKind::Malfunction)).unwrap();
    let (players, reserve) = (meter.of_players(), meter.reserve());
    let over = |cents| adjust(Cents(cents), AdjustKind::OverCeiling);
    assert_eq!(meter.decide(&over(-5_001)).unwrap_err().code(), "over-limit");
    assert_eq!(meter.decide(&over(1)).unwrap_err().code(), "over-limit");
    meter.obey(&over(-5_000)).unwrap();
    assert_eq!(meter.payable(), Cents::dollars(1_050));
    assert_eq!(meter.reserve() - reserve, Cents::dollars(50).into());
    assert_eq!(meter.of_players(), players);
}

#[test]
fn players_money_moves_to_another_meter_and_the_seed_stays() {
    let mut from = Meter::open("m", terms(), None);
    let ceiling = Some(Cents::dollars(1_050));
    let mut to = Meter::open("m", MeterTerms { ceiling, ..terms() }, None);
    feed(&mut from, 800);
    let (all, set_aside) = (from.of_players(), from.reserve());
    let too_much = MeterCommand::MoveOut(Moving::Amount(Cents(10_001)));
    assert_eq!(from.decide(&too_much).unwrap_err().code(), "below-seed");
    let some = from.obey(&MeterCommand::MoveOut(Moving::Amount(Cents(2_500)))).unwrap();
    assert!(matches!(&some[..], [MeterEvent::MovedOut(_)]), "{some:?}");
    assert_eq!(from.payable(), Cents::dollars(1_075));
    to.obey(&MeterCommand::TakeIn { amount: Cents(2_500).into(), reserve: MicroCents::ZERO })
        .unwrap();
    let rest = from.obey(&MeterCommand::MoveOut(Moving::AboveSeed)).unwrap();
    let [MeterEvent::MovedOut(moved)] = &rest[..] else { panic!("{rest:?}") };
    assert_eq!(from.payable(), Cents::dollars(1_000));
    assert_eq!((from.of_players(), from.reserve()), (MicroCents::ZERO, MicroCents::ZERO));
    to.obey(&MeterCommand::TakeIn { amount: moved.amount, reserve: moved.reserve }).unwrap();
    // Shown up to the ceiling, the rest set aside.
    assert_eq!(to.payable(), Cents::dollars(1_050));
    assert_eq!(to.reserve(), set_aside + Cents::dollars(50).into());
    assert_eq!(to.of_players(), all);
    assert!(from.is_conserved() && to.is_conserved());
    // The second time there is nothing left.
    assert!(from.decide(&MeterCommand::MoveOut(Moving::AboveSeed)).unwrap().is_empty());
}

/// What a reserve has paid of the seed is the players', and the house has back only its own part.
#[test]
fn a_meter_that_closes_gives_the_house_its_own_part_of_the_seed() {
    let mut meter = Meter::open("m", terms(), None);
    feed(&mut meter, 800);
    let set_aside = meter.reserve();
    meter.obey(&claim(1, &[0])).unwrap();
    feed(&mut meter, 8);
    assert!(set_aside > MicroCents::ZERO);
    let of_house = MicroCents::from(Cents::dollars(1_000)) - set_aside;
    assert_eq!(meter.of_house(), of_house);
    let theirs = meter.of_players();
    meter.obey(&MeterCommand::Keep(Moving::All)).unwrap();
    let closed = meter.obey(&MeterCommand::Close).unwrap();
    assert_eq!(closed, [MeterEvent::Closed { returned: of_house }]);
    assert_eq!((meter.kept(), meter.of_players()), (theirs, theirs));
    // What is kept can still go to another meter, and what was on its way still comes.
    let late = MeterCommand::TakeIn { amount: Cents(500).into(), reserve: Cents(1).into() };
    meter.obey(&late).unwrap();
    assert_eq!(meter.kept(), theirs + Cents(501).into());
    let much = MeterCommand::MoveOut(Moving::Amount(Cents::dollars(1_000)));
    assert_eq!(meter.decide(&much).unwrap_err().code(), "over-limit");
    meter.obey(&MeterCommand::MoveOut(Moving::All)).unwrap();
    assert_eq!((meter.kept(), meter.payable()), (MicroCents::ZERO, Cents::ZERO));
    assert!(meter.is_conserved());
}

/// Two meters that feed, pay, are adjusted and send each other players' money: fed and funded is
/// shown, set aside, kept and paid, or on its way, and what a sign shows falls only for a reason
/// that is on the list.
#[test]
fn nothing_is_lost_between_meters_in_a_long_random_life() {
    for seed in 1..=6 {
        let ceiling = Some(Cents::dollars(1_200));
        let open = || Meter::open("m", MeterTerms { ceiling, ..terms() }, None);
        let mut meters = [open(), open()];
        let mut dice = Lehmer(seed);
        let mut under_way: Vec<(usize, Moved)> = Vec::new();
        let (mut hits, mut moves, mut closed) = (0, 0, 0);
        for step in 0..4_000 {
            let place = (dice.next() % 2) as usize;
            let many = Cents((dice.next() % 20_000) as i64);
            let kind = [
                AdjustKind::PaidOutside,
                AdjustKind::Malfunction,
                AdjustKind::OverCeiling,
                AdjustKind::Seed,
            ][(dice.next() % 4) as usize];
            let command = match dice.next() % 60 {
                0 => {
                    hits += 1;
                    claim(hits, &[0, 1, 2][..1 + (dice.next() % 3) as usize])
                }
                1 => MeterCommand::Reverse { claim: TableClaim { table: 0, id: ClaimId(hits) } },
                2 => adjust(many, kind),
                3 | 4 => adjust(-many, kind),
                5 => MeterCommand::MoveOut(Moving::Amount(many)),
                6 => MeterCommand::MoveOut(Moving::AboveSeed),
                7 => MeterCommand::Keep(Moving::AboveSeed),
                8 if step > 3_000 => MeterCommand::Keep(Moving::All),
                9 if step > 3_500 => MeterCommand::Close,
                10..=14 if !under_way.is_empty() => {
                    let (to, moved) = under_way.remove(0);
                    let Moved { amount, reserve, overflow, kept } = moved;
                    let (amount, reserve) = (amount + kept, reserve + overflow);
                    meters[to].obey(&MeterCommand::TakeIn { amount, reserve }).unwrap();
                    continue;
                }
                _ => MeterCommand::feed(meters[place].terms(), many),
            };
            // A meter that closes has given the players' money away first.
            if command == MeterCommand::Close && !meters[place].is_closed() {
                meters[place].obey(&MeterCommand::Keep(Moving::All)).unwrap();
            }
            let before = meters[place].clone();
            let Ok(events) = meters[place].obey(&command) else {
                assert_eq!(meters[place], before);
                continue;
            };
            let falls = meters[place].amount() < before.amount();
            let listed = events.iter().any(|event| {
                let is_new = matches!(event, MeterEvent::Kept(_) | MeterEvent::MovedOut(_));
                let is_old = matches!(
                    event,
                    MeterEvent::Awarded(_)
                        | MeterEvent::Reversed { .. }
                        | MeterEvent::Adjusted { .. }
                        | MeterEvent::Closed { .. }
                );
                is_new || is_old
            });
            assert!(!falls || listed, "{command:?}: {events:?}");
            for event in &events {
                if let MeterEvent::MovedOut(moved) = event {
                    under_way.push((1 - place, *moved));
                    moves += 1;
                }
            }
            closed += u32::from(command == MeterCommand::Close);
            for meter in &meters {
                assert!(meter.is_conserved());
                assert!(meter.of_players() >= MicroCents::ZERO, "{meter:?}");
            }
            let whole = |of: fn(&Parts) -> MicroCents| {
                meters.iter().map(|meter| of(meter.parts())).fold(MicroCents::ZERO, |a, b| a + b)
            };
            let on_its_way =
                under_way.iter().fold(MicroCents::ZERO, |sum, (_, moved)| sum + moved.total());
            let held = |parts: &Parts| {
                parts.amount + parts.reserve + parts.overflow + parts.kept + parts.paid
            };
            assert_eq!(whole(|parts| parts.contributed + parts.funded), whole(held) + on_its_way);
        }
        assert!(moves > 20 && closed > 0 && hits > 10, "{moves} {closed} {hits}");
    }
}
