//! Exact sessions against whole numbers: every sequence of dice, counted.

#![expect(clippy::float_arithmetic, reason = "errors of chances are compared with their bound")]

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use craps::dice::Combination;
use craps::machine::{Desk, Explored, Machine, Then, explore, run_out};
use craps::{Cents, Library, Multiple, Refusal, Rules};
use craps_math::Ratio;
use craps_math::session::{Length, Over, Session, Stay, Unfinished, run, run_with};

fn rules() -> Arc<Rules> {
    Arc::new(Rules::named(&Library::embedded(), &["presque-isle"]).unwrap())
}

fn machine(rules: &Arc<Rules>, plan: &impl Fn(&mut Desk) -> Result<(), Refusal>) -> Machine {
    explore(rules, plan, &[], 200_000).ok().expect("a sound plan").machine
}

/// How many of all 36ⁿ sequences end with each equity, for each reason, by whole numbers.
fn counted(machine: &Machine, session: &Session) -> HashMap<(Over, Cents), u128> {
    let Length::Rolls(rolls) = session.length else { panic!("counted by rolls") };
    let mut alive: HashMap<(u32, Cents), u128> = HashMap::new();
    let mut over: HashMap<(Over, Cents), u128> = HashMap::new();
    match machine.then(0, session.bankroll) {
        Then::Roll(position) => alive.insert((position, session.bankroll), 1),
        Then::End(end) => over.insert((Over::Ended(end), session.bankroll), 1),
    };
    for _ in 0..rolls {
        over.values_mut().for_each(|count| *count *= 36);
        let mut next: HashMap<(u32, Cents), u128> = HashMap::new();
        for ((position, equity), count) in alive {
            for (combination, edge) in Combination::all().zip(machine.edges(position)) {
                let count = count * u128::from(combination.ways());
                let equity = equity + edge.change;
                let arrival = &machine.arrivals()[edge.arrival as usize];
                let reached = session.goal.is_some_and(|goal| equity - arrival.locked >= goal);
                let sunk = session.floor.is_some_and(|floor| equity <= floor);
                let why = match arrival.then(equity) {
                    _ if reached => Over::Goal,
                    _ if sunk => Over::Floor,
                    Then::End(end) => Over::Ended(end),
                    Then::Roll(position) => {
                        *next.entry((position, equity)).or_default() += count;
                        continue;
                    }
                };
                *over.entry((why, equity)).or_default() += count;
            }
        }
        alive = next;
    }
    for ((_, equity), count) in alive {
        *over.entry((Over::Time, equity)).or_default() += count;
    }
    over
}

#[track_caller]
fn agrees(machine: &Machine, session: &Session) {
    let Length::Rolls(rolls) = session.length else { panic!("counted by rolls") };
    let all = Ratio::from(36_u128.pow(rolls));
    let mut counted = counted(machine, session);
    let outcome = run(machine, session, 1_000_000, |_| true).unwrap();
    // In fractions, so that nothing is rounded on the way to the comparison.
    let float = |float: f64| Ratio::try_from(float).unwrap();
    let within = |chance: f64, exact: &Ratio, what: &str| {
        let error = float(chance) - exact;
        let error = if error < Ratio::ZERO { -error } else { error };
        let bound = exact * float(outcome.rounding) + float(outcome.trimmed);
        assert!(error <= bound, "{what}: {chance} and {exact}");
    };
    let mut ends_with: BTreeMap<Cents, Ratio> = BTreeMap::new();
    for over in Over::ALL {
        let mut sum = Ratio::ZERO;
        for (equity, chance) in &outcome.finals[over.index()] {
            let count = counted.remove(&(over, *equity)).unwrap_or(0);
            let exact = Ratio::from(count) / &all;
            within(*chance, &exact, &format!("{over:?} {equity}"));
            *ends_with.entry(*equity).or_default() += &exact;
            sum += exact;
        }
        within(outcome.chance(over), &sum, &format!("{over:?}"));
        let begun = outcome.rolls > 0.0;
        let by_roll: f64 = outcome.by_roll.iter().map(|ended| ended[over.index()]).sum();
        if begun {
            within(by_roll, &sum, &format!("{over:?}, roll by roll"));
        }
    }
    let missed = Ratio::from(counted.values().sum::<u128>()) / all;
    assert!(missed <= float(outcome.trimmed), "{counted:?}");
    let mut ahead = (0.0, Ratio::ZERO);
    for (equity, chance) in outcome.equity() {
        within(chance, &ends_with[&equity], &format!("{equity}"));
        if equity > session.bankroll {
            ahead = (ahead.0 + chance, ahead.1 + &ends_with[&equity]);
        }
    }
    within(ahead.0, &ahead.1, "ahead");
    // Every final amount may be added up, and each time that rounds.
    let cells: usize = outcome.finals.iter().map(Vec::len).sum();
    assert!(outcome.rounding >= (cells + rolls as usize) as f64 * f64::EPSILON / 2.0);
}

#[test]
fn sessions_agree_with_every_sequence_of_dice() {
    let rules = rules();
    let [pass, six, eight, come] =
        ["pass", "place 6", "place 8", "come"].map(|spot| rules.spot(spot).unwrap());
    let comes = rules.wager_named("come").unwrap();
    let line = machine(&rules, &|desk| desk.want(pass, Cents::dollars(10)));
    let six_eight = machine(&rules, &|desk| {
        desk.want(pass, Cents::dollars(10))?;
        desk.odds(None, &[Multiple::times(2)])?;
        desk.want(six, Cents::dollars(12))?;
        desk.want(eight, Cents::dollars(12))
    });
    let molly = machine(&rules, &|desk| {
        desk.want(pass, Cents::dollars(10))?;
        if desk.count(comes) < 2 {
            desk.want(come, Cents::dollars(10))?;
        }
        desk.odds(None, &[3, 4, 5].map(Multiple::times))
    });
    let dollars = |amount: i64| Some(Cents::dollars(amount));
    for (machine, rolls) in [(&line, 20), (&six_eight, 12), (&molly, 7)] {
        for bankroll in [0, 10, 35, 60, 200, 1_000] {
            for (goal, floor) in [
                (None, None),
                (dollars(bankroll + 30), None),
                (None, dollars(bankroll - 30)),
                (dollars(bankroll + 20), dollars(bankroll - 20)),
            ] {
                let length = Length::Rolls(rolls);
                let bankroll = Cents::dollars(bankroll);
                agrees(machine, &Session { bankroll, length, goal, floor });
            }
        }
    }
}

#[test]
fn pass_costs_its_edge() {
    let rules = rules();
    let pass = rules.spot("pass").unwrap();
    let line = machine(&rules, &|desk| desk.want(pass, Cents::dollars(10)));
    let bankroll = Cents::dollars(1_000_000);
    // By shooters every bet is decided.
    let length = Length::Shooters(5);
    let session = Session { bankroll, length, goal: None, floor: None };
    let outcome = run(&line, &session, 1_000_000, |_| true).unwrap();
    let cost = -outcome.mean();
    assert!((cost / outcome.action - 7.0 / 495.0).abs() < 1e-9, "{}", cost / outcome.action);
    // Each shooter throws 8.5255 times on average.
    assert!((outcome.rolls / 5.0 - 1671.0 / 196.0).abs() < 1e-9, "{}", outcome.rolls);
}

/// The mean of a session with what has to stay at face and at its worth, and with it played out.
fn means(
    rules: &Arc<Rules>,
    plan: &impl Fn(&mut Desk) -> Result<(), Refusal>,
    rolls: u32,
) -> (f64, f64, f64) {
    let Explored { machine, settled, .. } = explore(rules, plan, &[], 200_000).ok().unwrap();
    let run_out = run_out(rules, &settled, &[], 200_000).unwrap();
    let bankroll = Cents::dollars(10_000);
    let session = Session { bankroll, length: Length::Rolls(rolls), goal: None, floor: None };
    let with = |played| {
        let stay = Stay { run_out: &run_out, played };
        run_with(&machine, Some(stay), &session, 1, |_| true).unwrap()
    };
    let (face, played) = (with(false), with(true));
    let costs = [&face, &played].map(|outcome| outcome.cost().unwrap());
    assert!((costs[0] - costs[1]).abs() < 1e-12, "{costs:?}");
    (face.mean(), face.mean() + face.stayed.unwrap().worth, played.mean())
}

#[test]
fn bets_that_have_to_stay_are_worth_what_they_bring_when_played_out() {
    let rules = rules();
    let [pass, come] = ["pass", "come"].map(|spot| rules.spot(spot).unwrap());
    let ten = Cents::dollars(10);
    // After one roll: 8 of 36 have won, 4 have lost, the others wait at face for their point.
    let (face, worth, played) = means(&rules, &|desk| desk.want(pass, ten), 1);
    assert!((face - 1_000.0 * 4.0 / 36.0).abs() < 1e-9, "{face}");
    assert!((worth + 1_000.0 * 7.0 / 495.0).abs() < 1e-9, "{worth}");
    assert!((worth - played).abs() < 1e-9, "{worth} {played}");
    for rolls in [1, 2, 3, 20] {
        let line = &|desk: &mut Desk| desk.want(pass, ten);
        let Explored { machine, settled, .. } = explore(&rules, line, &[], 100).ok().unwrap();
        let run_out = run_out(&rules, &settled, &[], 100).unwrap();
        let length = Length::Rolls(rolls);
        let bankroll = Cents::dollars(10_000);
        let session = Session { bankroll, length, goal: None, floor: None };
        let stay = Stay { run_out: &run_out, played: false };
        let outcome = run_with(&machine, Some(stay), &session, 1, |_| true).unwrap();
        let cost = outcome.cost().unwrap();
        assert!((cost - 7.0 / 495.0).abs() < 1e-12, "{rolls}: {cost}");
    }
    for rolls in [2, 3, 8] {
        let (_, worth, played) = means(
            &rules,
            &|desk| {
                desk.want(pass, ten)?;
                desk.want(come, ten)?;
                desk.odds(None, &[Multiple::times(2)])
            },
            rolls,
        );
        assert!((worth - played).abs() < 1e-8, "{worth} {played}");
    }
}

#[test]
fn an_open_session_knows_how_long_it_takes_at_least() {
    let rules = rules();
    let pass = rules.spot("pass").unwrap();
    let line = machine(&rules, &|desk| desk.want(pass, Cents::dollars(10)));
    let bankroll = Cents::dollars(100);
    let session = Session { bankroll, length: Length::Open, goal: None, floor: None };
    let mut told = Vec::new();
    let outcome = run(&line, &session, 1_000_000, |progress| {
        told.push((progress.rolls, progress.left.is_some()));
        true
    });
    let outcome = outcome.unwrap();
    let rolls = told.iter().filter(|(_, told)| *told).map(|(rolls, _)| *rolls).max().unwrap();
    assert!(rolls > 20 && f64::from(rolls) <= outcome.rolls, "{rolls} of {}", outcome.rolls);
    // The chances by roll are in what it took up.
    assert!(outcome.memory >= (outcome.by_roll.len() * 6 * 8) as u64, "{}", outcome.memory);
    // With a goal nobody knows.
    let session = Session { goal: Some(Cents::dollars(120)), ..session };
    run(&line, &session, 1_000_000, |progress| {
        assert_eq!(progress.left, None);
        true
    })
    .unwrap();
    // A million dollars by the dollar would take far too long, which is clear from the start.
    let line = machine(&rules, &|desk| desk.want(pass, Cents::dollars(1)));
    let session = Session { bankroll: Cents::dollars(1_000_000), goal: None, ..session };
    let mut rolls = 0;
    let outcome = run(&line, &session, u32::MAX, |progress| {
        rolls = progress.rolls;
        true
    });
    assert!(matches!(outcome, Err(Unfinished::TooLong(_))));
    assert!(rolls < 5_000, "{rolls}");
}

#[test]
fn what_would_take_too_long_is_refused_at_once() {
    let rules = rules();
    let pass = rules.spot("pass").unwrap();
    let line = machine(&rules, &|desk| desk.want(pass, Cents::dollars(1)));
    let bankroll = Cents::dollars(1_000_000);
    let length = Length::Rolls(2_000_000_000);
    let session = Session { bankroll, length, goal: None, floor: None };
    let mut rolls = 0;
    let outcome = run(&line, &session, 0, |progress| {
        rolls = progress.rolls;
        true
    });
    assert!(matches!(outcome, Err(Unfinished::TooLong(cells)) if cells > 100_000_000_000));
    assert!(rolls < 100, "{rolls}");
    let session = Session { length: Length::Rolls(9), ..session };
    assert_eq!(run(&line, &session, 0, |_| false).unwrap_err(), Unfinished::Stopped);
    // A meter of forty million dollars in cents: refused before the memory is asked for.
    let progressive = ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-01"];
    let rules = Arc::new(Rules::named(&Library::embedded(), &progressive).unwrap());
    let fired_up = rules.spot("fired-up").unwrap();
    let plan = |desk: &mut Desk| {
        desk.want(rules.spot("pass").unwrap(), Cents::dollars(10))?;
        desk.want(fired_up, Cents::dollars(1))
    };
    for meter in [4_000_000_001, 429_496_734_600] {
        let machine = explore(&rules, &plan, &[Cents(meter)], 200_000).ok().unwrap().machine;
        let session = Session { length: Length::Rolls(40), ..session };
        let outcome = run(&machine, &session, 0, |_| true);
        assert!(matches!(outcome, Err(Unfinished::TooWide(_))), "{meter}");
    }
}
