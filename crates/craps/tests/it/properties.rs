//! Random legal and illegal play: money is conserved, racks never go below nothing, refusals
//! change nothing, what is offered is what is accepted, and a log replays to the same table.

use craps::floor::{Confirm, FloorEvent};
use craps::rules::Chosen;
use craps::{
    Account, Action, BuyInKind, CashOutKind, Cents, ClaimId, Command, Event, Floor, Library, OnOff,
    Roll, Rulebook, Rules, Seat, Table, act,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::chips::Tray;
use crate::shadow::Shadow;
use crate::{everything, rules, rules_with, visible};

/// Something to try at a table, wise or not.
#[derive(Clone, Debug)]
enum Try {
    Put(u8, u16, i64),
    Side(u8, u16),
    /// Everybody bets on the same.
    SideAll(u16),
    Take(u8, u16, Option<i64>),
    /// Something the seat has up.
    TakeUp(u8, u16),
    Call(u8, u16, bool),
    Roll(usize),
    Hold(u8, u16, i64),
    HoldAll(u8),
    Release(u8),
    Deny(u8),
    Return(u8, u16),
    BuyIn(u8, usize, i64),
    CashOut(u8, usize, i64),
    Leave(u8, usize),
    Void,
    Correct(usize),
    Paying,
    OpenBetting,
    Other(u8, u8),
}

fn amount() -> impl Strategy<Value = i64> {
    prop_oneof![
        8 => (1i64..=60).prop_map(|dollars| dollars * 100),
        2 => (1i64..=10).prop_map(|units| units * 2000),
        6 => prop_oneof![Just(100), Just(300), Just(1_000)],
        1 => any::<i64>(),
        1 => -500i64..=5_000,
    ]
}

fn tries() -> impl Strategy<Value = Vec<Try>> {
    let seat = 0u8..4;
    let one = prop_oneof![
        8 => (seat.clone(), any::<u16>(), amount()).prop_map(|(s, w, a)| Try::Put(s, w, a)),
        4 => (seat.clone(), any::<u16>()).prop_map(|(s, w)| Try::Side(s, w)),
        2 => (seat.clone(), any::<u16>(), proptest::option::of(amount()))
            .prop_map(|(s, w, a)| Try::Take(s, w, a)),
        2 => any::<u16>().prop_map(Try::SideAll),
        2 => (seat.clone(), any::<u16>()).prop_map(|(s, w)| Try::TakeUp(s, w)),
        1 => (seat.clone(), any::<u16>(), any::<bool>()).prop_map(|(s, w, on)| Try::Call(s, w, on)),
        8 => (0usize..36).prop_map(Try::Roll),
        1 => (seat.clone(), any::<u16>(), amount()).prop_map(|(s, w, a)| Try::Hold(s, w, a)),
        2 => any::<u8>().prop_map(Try::HoldAll),
        2 => any::<u8>().prop_map(Try::Release),
        2 => any::<u8>().prop_map(Try::Deny),
        1 => (seat.clone(), any::<u16>()).prop_map(|(s, w)| Try::Return(s, w)),
        1 => (seat.clone(), 0usize..4, 1i64..=30_000).prop_map(|(s, k, a)| Try::BuyIn(s, k, a)),
        1 => (seat.clone(), 0usize..5, 1i64..=90_000).prop_map(|(s, k, a)| Try::CashOut(s, k, a)),
        1 => (seat.clone(), 0usize..5).prop_map(|(s, kind)| Try::Leave(s, kind)),
        2 => Just(Try::Void),
        1 => (0usize..36).prop_map(Try::Correct),
        1 => Just(Try::Paying),
        2 => Just(Try::OpenBetting),
        2 => (seat, 0u8..8).prop_map(|(s, what)| Try::Other(s, what)),
    ];
    proptest::collection::vec(one, 1..120)
}

fn commands(rules: &Rules, table: &Table, step: &Try) -> Vec<Command> {
    // They win what waits and what meters pay.
    let side_bet = |seat: u8, w: u16| {
        let is_side = |spot: &craps::Spot| rules.spot_rule(*spot).tracker.is_some();
        let side: Vec<craps::Spot> = rules.spots().filter(is_side).collect();
        let rule = rules.spot_rule(*side.get(usize::from(w) % side.len().max(1))?);
        let amount = rules.wager(rule.wager).limits.unit;
        Some(Command::Put { seat: Seat(seat), wager: rule.notation.clone(), amount })
    };
    let wager = |w: u16| {
        let spots: Vec<craps::Spot> = rules.spots().collect();
        match usize::from(w) % (spots.len() + 6) {
            place if place < spots.len() => rules.spot_rule(spots[place]).notation.clone(),
            place if place < spots.len() + 4 => "pass".to_owned(),
            place if place < spots.len() + 5 => "odds".to_owned(),
            _ => "red".to_owned(),
        }
    };
    let reason = || "because".to_owned();
    let roll = |index: usize| Roll::from_index(index);
    match step {
        Try::Put(seat, w, amount) => {
            vec![Command::Put { seat: Seat(*seat), wager: wager(*w), amount: Cents(*amount) }]
        }
        Try::Take(seat, w, amount) => {
            let amount = amount.map(Cents);
            vec![Command::Take { seat: Seat(*seat), wager: wager(*w), amount }]
        }
        Try::TakeUp(seat, w) => {
            let Some(player) = table.player(Seat(*seat)) else { return vec![] };
            let bets = player.layout.bets();
            let Some(bet) = bets.get(usize::from(*w) % bets.len().max(1)) else { return vec![] };
            let wager = rules.spot_rule(bet.spot).notation.clone();
            vec![Command::Take { seat: Seat(*seat), wager, amount: None }]
        }
        Try::Call(seat, w, on) => {
            let call = if *on { OnOff::On } else { OnOff::Off };
            vec![Command::Call { seat: Seat(*seat), wager: wager(*w), call }]
        }
        // Mostly there is a shooter with a line bet, and the last roll has been paid.
        Try::Roll(index) => {
            let seat = Seat((index % 3) as u8);
            let line = Command::Put { seat, wager: "pass".into(), amount: Cents(1_000) };
            let throw = [Command::CloseBetting, Command::Roll { roll: roll(*index) }];
            [Command::OpenBetting, line].into_iter().chain(throw).collect()
        }
        Try::Side(seat, w) => side_bet(*seat, *w).into_iter().collect(),
        Try::SideAll(w) => (0..3).filter_map(|seat| side_bet(seat, *w)).collect(),
        Try::Hold(seat, w, amount) => {
            vec![Command::Hold { seat: Seat(*seat), wager: wager(*w), amount: Cents(*amount) }]
        }
        Try::HoldAll(pick) => {
            let won: Vec<(Seat, craps::Spot, Cents)> = table.holdable(rules).collect();
            let hold = |(seat, spot, amount): &(Seat, craps::Spot, Cents)| {
                let wager = rules.spot_rule(*spot).notation.clone();
                Command::Hold { seat: *seat, wager, amount: *amount }
            };
            won.get(usize::from(*pick) % won.len().max(1)).map(hold).into_iter().collect()
        }
        Try::Release(pick) => vec![Command::Release { claim: claim(table, *pick) }],
        Try::Deny(pick) => {
            vec![Command::DenyClaim { claim: claim(table, *pick), reason: reason() }]
        }
        Try::Return(seat, w) => {
            vec![Command::Return { seat: Seat(*seat), wager: wager(*w), reason: reason() }]
        }
        Try::BuyIn(seat, kind, amount) => {
            let kind = BuyInKind::ALL[*kind];
            vec![Command::BuyIn { seat: Seat(*seat), amount: Cents(*amount), kind }]
        }
        Try::CashOut(seat, kind, amount) => {
            let kind = CashOutKind::ALL[*kind];
            vec![Command::CashOut { seat: Seat(*seat), amount: Cents(*amount), kind }]
        }
        Try::Leave(seat, kind) => {
            vec![Command::Leave { seat: Seat(*seat), kind: CashOutKind::ALL[*kind] }]
        }
        Try::Void => vec![Command::Void { reason: reason() }],
        Try::Correct(index) => vec![Command::Correct { roll: roll(*index), reason: reason() }],
        Try::Paying => vec![Command::BeginPaying],
        Try::OpenBetting => vec![Command::OpenBetting],
        Try::Other(seat, what) => {
            let seat = Seat(*seat);
            let chips = Cents(12_345 * (i64::from(seat.0) + 1));
            vec![match what {
                0 | 1 => Command::Sit { seat, name: "zoe".into() },
                2 => Command::NoRoll,
                3 => Command::PassDice,
                4 => Command::Fill { amount: chips },
                5 => Command::Credit { amount: chips },
                6 => Command::Pause,
                _ => Command::Resume,
            }]
        }
    }
}

/// One of the claims that wait, or one that there may never have been.
fn claim(table: &Table, pick: u8) -> ClaimId {
    let jackpots = table.claims().iter().map(|claim| claim.id);
    let waiting: Vec<ClaimId> = jackpots.chain(table.held().iter().map(|award| award.id)).collect();
    let place = usize::from(pick) % (waiting.len() + 1);
    waiting.get(place).copied().unwrap_or(ClaimId(pick.into()))
}

/// Nothing waits, or much does.
const CONFIRM: [Confirm; 2] =
    [Confirm { jackpots: false, over: None }, Confirm { jackpots: true, over: Some(Cents(2_000)) }];

fn open(rules: &Rules, confirm: Confirm) -> Floor {
    let mut floor = Floor::confirming(confirm);
    let table = floor.open(rules.clone()).unwrap();
    floor.obey(table, &Command::Fill { amount: Cents::dollars(10_000) }).unwrap();
    for seat in Seat::all().take(3) {
        floor.obey(table, &Command::Sit { seat, name: format!("p{}", seat.0) }).unwrap();
        floor.obey(table, &Command::buy_in(seat, Cents::dollars(2000))).unwrap();
    }
    floor
}

fn play(rules: &Rules, tries: &[Try]) {
    for confirm in CONFIRM {
        play_with(rules, tries, confirm);
    }
}

/// Plays, checks every step, and returns everything that happened at the table.
fn play_with(rules: &Rules, tries: &[Try], confirm: Confirm) -> Vec<Event> {
    let mut floor = open(rules, confirm);
    let mut log: Vec<Event> = Vec::new();
    let start = floor.table(0).clone();
    let mut tray = Tray::holding(start.tray());
    let mut shadow: Option<Shadow> = None;
    for step in tries {
        for command in commands(rules, floor.table(0), step) {
            let before = floor.clone();
            let answer = floor.obey(0, &command);
            if let Command::Void { .. } | Command::Correct { .. } = command {
                let refused = answer.as_ref().err().map(craps::Refusal::code);
                let possible = shadow.as_ref().map_or(Some(false), Shadow::can_void);
                // A correction may also have no shooter: somebody passed the dice since.
                match (possible, refused) {
                    (Some(false), refused) => assert_eq!(refused, Some("nothing-to-void")),
                    (Some(true), Some("nothing-to-void")) => panic!("{command:?}: {shadow:?}"),
                    _ => {}
                }
            }
            let events = match answer {
                Err(refusal) => {
                    let same = floor.table(0) == before.table(0)
                        && floor.meters().eq(before.meters())
                        && floor.is_conserved();
                    assert!(same, "{command:?} was refused: {refusal}");
                    continue;
                }
                Ok(events) => events,
            };
            let of_table = |event| match event {
                FloorEvent::Table { event, .. } => Some(event),
                FloorEvent::Meter { .. } => None,
            };
            let events: Vec<Event> = events.into_iter().filter_map(of_table).collect();
            check_books(&floor);
            events.iter().for_each(|event| tray.follow(event));
            assert_eq!(floor.table(0).tray(), tray.chips, "{command:?}");
            match (&events[0], &shadow) {
                (Event::Rolled(_), _) => shadow = Some(Shadow::of(&before)),
                (Event::Voided(_), Some(known)) => {
                    known.check(&floor, &[]);
                    known.check_meters(&floor);
                    shadow = None;
                }
                (Event::Corrected { rolled, .. }, Some(known)) => {
                    let rolled = Event::Rolled(rolled.clone());
                    let since: Vec<Event> =
                        [rolled].into_iter().chain(events[1..].iter().cloned()).collect();
                    known.check(&floor, &since);
                    shadow = Some(known.clone().corrected());
                }
                (_, Some(_)) => {
                    let known = shadow.as_mut().unwrap();
                    events.iter().for_each(|event| known.follow(event));
                }
                (_, None) => {}
            }
            log.extend(events);
        }
    }
    let mut replayed: Table = start;
    log.iter().for_each(|event| replayed.evolve(event));
    assert_eq!(replayed, *floor.table(0));
    log
}

fn check_books(floor: &Floor) {
    let table = floor.table(0);
    assert_eq!(table.sum(), Cents::ZERO);
    assert!(Seat::all().all(|seat| table.rack(seat) >= Cents::ZERO));
    let awards = table.held().iter().map(|award| award.amount);
    let held = awards.chain(table.held_envy().iter().map(|envy| envy.amount)).sum();
    assert_eq!(table.balance(Account::Held), held);
    assert!(floor.is_conserved());
}

/// Whatever became of what a roll won, taking the roll back leaves no trace of it.
fn voids_leave_no_trace(rules: &Rules, tries: &[Try]) {
    let mut floor = open(rules, CONFIRM[1]);
    for (place, step) in tries.iter().enumerate() {
        for command in commands(rules, floor.table(0), step) {
            let before = floor.clone();
            let thrown = floor.obey(0, &command).is_ok() && matches!(command, Command::Roll { .. });
            if !thrown || !place.is_multiple_of(2) {
                continue;
            }
            // Only what this roll won is answered: the rest is none of its business.
            let waits = |floor: &Floor, id| {
                let table = floor.table(0);
                let claims = table.claims().iter().map(|claim| claim.id);
                claims.chain(table.held().iter().map(|award| award.id)).any(|known| known == id)
            };
            for answer in &tries[place..] {
                let (Try::Release(pick) | Try::Deny(pick)) = answer else { continue };
                if !waits(&before, claim(floor.table(0), *pick)) {
                    let answer = commands(rules, floor.table(0), answer).remove(0);
                    let _ = floor.obey(0, &answer);
                }
            }
            floor.obey(0, &Command::Void { reason: "because".into() }).unwrap();
            assert!(floor.is_conserved());
            assert_eq!(visible(floor.table(0)), visible(&opened(before.table(0))));
            assert!(floor.meters().eq(before.meters()));
        }
    }
}

/// The table once the dice that were out have come back.
fn opened(table: &Table) -> Table {
    let mut table = table.clone();
    table.evolve(&Event::NoRoll);
    table
}

/// What `offers` says is exactly what `act` accepts, amount by amount.
fn offers_agree(rules: &Rules, table: &Table, amounts: &[i64]) {
    for (seat, player) in table.players() {
        let rack = table.rack(seat);
        let accepted = |action| act(rules, table.hand(), &player.layout, rack, action).is_ok();
        let offers = table.offers(rules, seat);
        assert!(offers.iter().map(|offer| offer.spot).eq(rules.spots()), "one offer for each spot");
        for offer in offers {
            let spot = offer.spot;
            let name = &rules.spot_rule(spot).notation;
            let mut tried: Vec<Cents> = amounts.iter().copied().map(Cents).collect();
            for amounts in [offer.put.as_ref().ok(), offer.take_part.as_ref()].into_iter().flatten()
            {
                let step = amounts.step;
                tried.extend([amounts.least, amounts.most]);
                tried.extend([amounts.least - step, amounts.most + step, amounts.most + Cents(1)]);
            }
            for amount in tried {
                let offered = offer.put.as_ref().is_ok_and(|amounts| amounts.contains(amount));
                assert_eq!(accepted(Action::Put { spot, amount }), offered, "put {amount} {name}");
                let all = player.layout.bet(spot).is_some_and(|bet| bet.stake == amount);
                let part = offer.take_part.is_some_and(|amounts| amounts.contains(amount));
                let offered = part || (all && offer.take_all.is_ok());
                let action = Action::Take { spot, amount: Some(amount) };
                assert_eq!(accepted(action), offered, "take {amount} {name}");
            }
            let action = Action::Call { spot, call: OnOff::Off };
            assert_eq!(accepted(action), offer.call.is_ok(), "call {name}");
        }
    }
}

/// The Strip with full double odds and whole dollars, beside side bets.
fn the_strip() -> Rules {
    rules_with(
        &["vegas-strip", "low-high-dice", "super-shooter"],
        &[("odds-multiples", "2-2-2.5x"), ("payout-unit", "1"), ("commission-unit", "1")],
    )
}

fn easy_jackpot() -> Rules {
    let text = r#"
        name = "easy"
        title = "Easy jackpots"
        kind = "side"
        default-paytables = ["EASY"]
        [limits]
        min = 1
        max = 100
        unit = 1
        [wager.easy]
        title = "Easy"
        shape = "sequence"
        when = "idle"
        base = 3
        [wager.easy.meter]
        seed = 33.33
        increment = "33.3333%"
        reserve = "7.7777%"
        ceiling = 120
        [paytable.EASY.easy]
        sequences = [[7], [6], [8]]
        pays = { 1 = "100%" }
        envy = { 1 = "$7 each" }
    "#;
    let library = Library::embedded();
    let rulebook = Rulebook::parse("easy.toml", text).unwrap();
    let chosen = library.over_base(vec![Chosen { rulebook, paytables: None }]);
    Rules::compile(&library, &chosen, &[]).unwrap()
}

/// A side bet that wins often and pays the dealers once, however many have won.
fn easy_envy() -> Rules {
    let text = r#"
        name = "easy"
        title = "Easy envy"
        kind = "side"
        default-paytables = ["EASY"]
        [limits]
        min = 1
        max = 100
        unit = 1
        [wager.easy]
        title = "Easy"
        shape = "sequence"
        when = "idle"
        base = 1
        [paytable.EASY.easy]
        sequences = [[7, 6], [6, 7], [8, 7]]
        pays = { 1 = "$40", 2 = "$300" }
        envy = { 1 = "$11", 2 = "$50 each" }
    "#;
    let library = Library::embedded();
    let rulebook = Rulebook::parse("easy.toml", text).unwrap();
    let chosen = library.over_base(vec![Chosen { rulebook, paytables: None }]);
    Rules::compile(&library, &chosen, &[]).unwrap()
}

/// What the random driver has to reach, so that what holds of it is not held of nothing.
#[test]
fn random_play_reaches_everything() {
    let mut runner = TestRunner::deterministic();
    let mut seen: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for rules in [easy_jackpot(), easy_envy()] {
        for _ in 0..400 {
            let tries = tries().new_tree(&mut runner).unwrap().current();
            for event in play_with(&rules, &tries, CONFIRM[1]) {
                for what in reached(&event) {
                    *seen.entry(what).or_default() += 1;
                }
            }
        }
    }
    let expected = [
        "bet undone",
        "cash",
        "chips",
        "corrected",
        "coupon",
        "credit",
        "denied",
        "envy denied",
        "envy held",
        "envy released",
        "envy waits for several",
        "feed undone",
        "fill",
        "held",
        "jackpot",
        "left-behind",
        "marker",
        "opened",
        "paid with envy",
        "paying",
        "redeem",
        "released",
        "take undone",
        "toke",
        "voided",
        "walk",
    ];
    let missed: Vec<&str> =
        expected.into_iter().filter(|what| seen.get(what).is_none_or(|seen| *seen < 5)).collect();
    assert!(missed.is_empty(), "{missed:?} of {seen:?}");
}

fn reached(event: &Event) -> Vec<&'static str> {
    let undone = |voided: &craps::table::Voided| {
        let mut seen = Vec::new();
        for bet in &voided.undone {
            let back = bet.postings.gain(Account::Rack(bet.seat));
            seen.extend((back > Cents::ZERO).then_some("bet undone"));
            seen.extend((back < Cents::ZERO).then_some("take undone"));
            seen.extend(bet.fed.is_some().then_some("feed undone"));
        }
        seen
    };
    let with_envy = |postings: &craps::Postings| postings.gain(Account::Envy) > Cents::ZERO;
    match event {
        Event::BoughtIn { kind, .. } => vec![kind.word()],
        Event::CashedOut { kind, .. } | Event::Left { kind, .. } => vec![kind.word()],
        Event::Filled { .. } => vec!["fill"],
        Event::Credited { .. } => vec!["credit"],
        Event::PayingBegun => vec!["paying"],
        Event::BettingOpened => vec!["opened"],
        Event::Held { .. } => vec!["held"],
        Event::EnvyHeld { envy, .. } if envy.claims.len() > 1 => {
            vec!["envy held", "envy waits for several"]
        }
        Event::EnvyHeld { .. } => vec!["envy held"],
        Event::Released { postings, .. } if with_envy(postings) => {
            vec!["released", "envy released"]
        }
        Event::Released { .. } => vec!["released"],
        Event::ClaimPaid { postings, .. } if with_envy(postings) => vec!["paid with envy"],
        Event::ClaimDenied { envy, .. } if *envy > Cents::ZERO => vec!["denied", "envy denied"],
        Event::ClaimDenied { .. } => vec!["denied"],
        Event::Voided(voided) => [vec!["voided"], undone(voided)].concat(),
        Event::Corrected { voided, .. } => [vec!["corrected"], undone(voided)].concat(),
        _ => Vec::new(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 96,
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn random_play_on_everything(tries in tries()) {
        play(&everything(), &tries);
    }

    #[test]
    fn random_play_on_the_strip(tries in tries()) {
        play(&the_strip(), &tries);
    }

    #[test]
    fn random_play_with_every_option_on(tries in tries()) {
        let rules = rules_with(
            &[
                "presque-isle:none",
                "bonus-craps-washington",
                "bonus-craps-nevada:PT-BJS-FUP-01,PT-BJS-MEA-02",
            ],
            &[
                ("payout-unit", "1"),
                ("put", "on"),
                ("line-may-be-increased", "on"),
                ("bar", "2"),
                ("odds-multiples", "10x"),
                ("place-may-be-called-on", "on"),
                ("commission-when", "won"),
                ("commission-rounding", "nearest"),
                ("commission-unit", "1"),
                ("commission-minimum", "1"),
                ("line-bet-required", "on"),
                ("aggregate-cap", "1000.01"),
                ("aggregate-cap-per", "hand"),
                ("aggregate-cap-paid-in", "payout-unit"),
                ("re-bet", "on"),
                ("base-unit", "5"),
                ("fired-up.meter.seed", "100"),
                ("fired-up.meter.increment", "12.3457%"),
                ("fired-up.meter.reserve", "3.3333%"),
                ("fired-up.meter.ceiling", "510"),
                ("make-em-all-progressive.meter.winners", "in-full"),
            ],
        );
        play(&rules, &tries);
    }

    /// Jackpots that come often: every first roll of 7 or 6 takes the meter, for all who ride.
    #[test]
    fn random_play_with_easy_jackpots(tries in tries()) {
        play(&easy_jackpot(), &tries);
    }

    /// The same with nothing but wins that wait, envy paid once among them.
    #[test]
    fn random_play_with_envy_that_waits(tries in tries()) {
        play(&easy_envy(), &tries);
    }

    #[test]
    fn random_voids_leave_no_trace(tries in tries()) {
        voids_leave_no_trace(&easy_jackpot(), &tries);
    }

    #[test]
    fn offers_agree_with_act(tries in tries(), amounts in proptest::collection::vec(amount(), 8)) {
        let base = rules(&["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03"]);
        for rules in [base, the_strip()] {
            let mut floor = open(&rules, Confirm::default());
            for step in &tries {
                for command in commands(&rules, floor.table(0), step) {
                    let _ = floor.obey(0, &command);
                }
            }
            offers_agree(&rules, floor.table(0), &amounts);
        }
    }
}
