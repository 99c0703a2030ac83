//! The long run of a plan: a bet alone costs its edge, and a plan costs what its sessions do.

#![expect(clippy::float_arithmetic, reason = "sessions are floats with a bound on their error")]

use std::sync::Arc;

use craps::machine::{Desk, End, Explored, Player, Question, Remembering, explore};
use craps::spot::Spot;
use craps::{Cents, Multiple, Refusal, Rules};
use craps_math::session::{Length, Session, run};
use craps_math::{Edge, LongRun, Target, Terms, float, fraction, ratio};
use craps_plan::{Plan, READY};

use crate::{everything, rules};

fn explored<P: Player>(rules: &Arc<Rules>, plan: &P) -> Explored<P::Memory> {
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    explore(rules, plan, &meters, 200_000).ok().expect("a sound plan")
}

/// A stake that the house takes there, if anybody can bet there without another bet.
fn stake(rules: &Rules, spot: Spot) -> Option<Cents> {
    let rule = rules.spot_rule(spot);
    let least = rules.wager_at(spot).limits.min;
    let stakes = [Cents::dollars(60), Cents::dollars(5), Cents::dollars(1), least];
    let target = Target { spot, odds: None, name: rule.notation.clone() };
    let fits = |stake: &Cents| Edge::of(rules, &target, Some(*stake), Terms::default()).is_ok();
    stakes.into_iter().find(fits).filter(|_| rule.flat.is_none())
}

#[test]
fn a_bet_alone_costs_its_edge() {
    let washington = rules(&["presque-isle", "bonus-craps-washington"]);
    for (rules, count) in [(everything(), 46), (washington, 39)] {
        let rules = Arc::new(rules);
        let mut compared = Vec::new();
        for spot in rules.spots() {
            let Some(stake) = stake(&rules, spot) else { continue };
            let name = &rules.spot_rule(spot).notation;
            let plan = |desk: &mut Desk| desk.want(spot, stake);
            let meters: Vec<Cents> = rules.meters().iter().map(|it| it.terms.seed).collect();
            let Ok(explored) = explore(&rules, &plan, &meters, 10_000) else {
                // A number that a come bet travels to cannot be bet on; at Washington's table
                // come bets have very many positions.
                assert!(name.contains("come"), "{name}");
                continue;
            };
            let long_run = LongRun::of(&explored);
            let figures = long_run.figures;
            let meter = rules.meter_of(rules.spot_rule(spot).wager);
            let meter = meter.map_or(Cents::ZERO, |meter| meters[meter.index()]);
            let target = Target::parse(&rules, name).unwrap();
            let edge = Edge::of(&rules, &target, Some(stake), Terms { meter, bettors: 1 }).unwrap();
            // By decision: pushes count, and commission is in the result, not in the stake.
            let cost = -figures.won / figures.action;
            match long_run.residual {
                None => assert_eq!(fraction(&cost), fraction(&edge.edge()), "{name}"),
                Some(residual) => {
                    let off = float(&cost) - float(&edge.edge());
                    assert!(residual < 1e-14 && off.abs() < 1e-12, "{name}: {residual} {off}");
                }
            }
            assert!(long_run.plays_on && long_run.ends.is_empty(), "{name}");
            if long_run.residual.is_none() {
                assert_eq!(fraction(&figures.seven_outs), "196/1671", "{name}");
            }
            compared.push(name.clone());
        }
        assert_eq!(compared.len(), count, "{compared:?}");
    }
}

/// What a session wins between two of its rolls, far from the first, is what the rolls between
/// them win in the long run.
#[test]
fn ready_plans_cost_what_their_sessions_do() {
    let rules = Arc::new(rules(&["presque-isle"]));
    let bankroll = Cents::dollars(1_000_000);
    for name in [
        "across",
        "dice-doctor",
        "doey-dont",
        "dont-345",
        "field",
        "fraction-of-rack",
        "hammerlock",
        "hard-point",
        "hardways",
        "iron-cross",
        "martingale",
        "one-three-two-six",
        "pass-six-eight",
        "regress",
        "staged",
        "three-point-dolly",
        "three-two-one",
    ] {
        let (_, source) = READY.iter().find(|(known, _)| *known == name).unwrap();
        let plan = Plan::parse(name, source, &[]).unwrap();
        let explored = explored(&rules, &plan);
        let long_run = LongRun::of(&explored);
        let [early, late] = [200, 400].map(|rolls| {
            let length = Length::Rolls(rolls);
            let session = Session { bankroll, length, goal: None, floor: None };
            run(&explored.machine, &session, rolls, |_| true).unwrap()
        });
        let machine = &explored.machine;
        let edges = (0..machine.len() as u32).flat_map(|place| machine.edges(place));
        let most = edges.map(|edge| edge.change.0.abs().max(edge.action.0)).max().unwrap();
        // All that the session may have wrong, and what the first rolls still weigh.
        let bound = late.error() * 2.0 * most as f64 * 400.0 / 200.0 + most as f64 * 1e-11;
        let won = (late.mean() - early.mean()) / 200.0 - float(&long_run.figures.won);
        let action = (late.action - early.action) / 200.0 - float(&long_run.figures.action);
        assert!(bound < 1e-3, "{name}: {bound}");
        assert!(won.abs() < bound && action.abs() < bound, "{name}: {won} {action} {bound}");
    }
}

#[track_caller]
fn check(long_run: &LongRun, won: &str, rolls: &str, ends: &[(End, &str)]) {
    assert_eq!(fraction(&long_run.figures.won), won);
    assert_eq!(fraction(&long_run.figures.rolls), rolls);
    let found = long_run.ends.iter().map(|(end, chance)| (*end, fraction(chance)));
    let ends: Vec<_> = ends.iter().map(|(end, chance)| (*end, (*chance).to_owned())).collect();
    assert_eq!(found.collect::<Vec<_>>(), ends);
    let shared: f64 = long_run.shares.iter().map(|(_, share)| share).sum();
    assert!((shared - 1.0).abs() < 1e-12, "{shared}");
}

/// A plan that remembers a number and is told whether a seven was rolled.
fn turns(rules: &Arc<Rules>, plan: impl Fn(u8, bool, &mut Desk) -> Result<u8, Refusal>) -> LongRun {
    let plan = Remembering(0, |turn: &mut u8, desk: &mut Desk| {
        let seven = desk.last(Question::Rolled) == 7;
        *turn = plan(*turn, seven, desk)?;
        Ok(())
    });
    LongRun::of(&explored(rules, &plan))
}

/// Field costs an eighteenth, any seven a sixth.
#[test]
fn walks_of_every_kind() {
    let rules = Arc::new(rules(&["presque-isle"]));
    let [field, any_seven] = ["field", "any-seven"].map(|spot| rules.spot(spot).unwrap());
    let ten = Cents::dollars(10);

    // Ten, twenty, ten, twenty: never the same for two rolls.
    let in_turns = turns(&rules, |turn, _, desk| {
        desk.want(field, Cents::dollars(10 + 10 * i64::from(turn)))?;
        Ok(1 - turn)
    });
    check(&in_turns, "-250/3", "1", &[]);

    // Ten rolls, then it leaves.
    let ten_rolls = turns(&rules, |turn, _, desk| {
        match turn {
            10 => desk.leave(),
            _ => desk.want(field, ten)?,
        }
        Ok(turn + 1)
    });
    check(&ten_rolls, "-5000/9", "10", &[(End::Left, "1")]);
    assert_eq!(ten_rolls.figures.action, ratio(10_000, 1));
    assert_eq!(ten_rolls.figures.bets, ratio(10, 1));
    assert!(!ten_rolls.plays_on);

    // Field until the first seven, and no more bets.
    let until_seven = turns(&rules, |turn, seven, desk| {
        let turn = turn.max(seven.into());
        if turn == 0 {
            desk.want(field, ten)?;
        }
        Ok(turn)
    });
    check(&until_seven, "-1000/3", "6", &[(End::Idle, "1")]);

    // The first roll decides what is bet ever after.
    let two_ways = turns(&rules, |turn, seven, desk| {
        let turn = if turn == 1 { 2 + u8::from(seven) } else { turn.max(1) };
        desk.want(if turn == 3 { any_seven } else { field }, ten)?;
        Ok(turn)
    });
    // 5/6 of 1000/18, and 1/6 of 1000/6.
    check(&two_ways, "-2000/27", "1", &[]);

    // It leaves after a first seven, and else never.
    let perhaps = turns(&rules, |turn, seven, desk| {
        match turn {
            1 if seven => desk.leave(),
            _ => desk.want(field, ten)?,
        }
        Ok(2.min(turn + 1))
    });
    check(&perhaps, "-500/9", "1", &[(End::Left, "1/6")]);
    assert!(perhaps.plays_on);

    // With money for everything it never sits down.
    let gone = turns(&rules, |turn, _, desk| {
        desk.leave();
        Ok(turn)
    });
    assert_eq!(gone.ends, [(End::Left, ratio(1, 1))]);
    assert_eq!((gone.figures.rolls, gone.shares.len()), (ratio(0, 1), 0));
}

#[test]
fn what_it_takes_to_pay_every_ask() {
    let rules = Arc::new(rules(&["presque-isle"]));
    let [pass, six] = ["pass", "place 6"].map(|spot| rules.spot(spot).unwrap());
    let plan = |desk: &mut Desk| {
        desk.want(pass, Cents::dollars(10))?;
        desk.odds(None, &[Multiple::times(2)])?;
        desk.want(six, Cents::dollars(12))
    };
    let long_run = LongRun::of(&explored(&rules, &plan));
    assert_eq!(long_run.enough, Cents::dollars(42));
    // The line and the six always, odds on 1,176 of 1,671 rolls.
    assert_eq!(fraction(&long_run.figures.bets), "1506/557");
    assert_eq!(fraction(&long_run.figures.at_risk), "2009400/557");
    assert_eq!(long_run.positions, 7);
}

#[test]
fn a_plan_that_looks_at_its_money_has_stages() {
    let rules = Arc::new(rules(&["presque-isle"]));
    let pass = rules.spot("pass").unwrap();
    let plan = |desk: &mut Desk| {
        if desk.bankroll_reaches(Cents::dollars(900)) {
            desk.leave();
            return Ok(());
        }
        let twice = desk.bankroll_reaches(Cents::dollars(500));
        desk.want(pass, Cents::dollars(if twice { 20 } else { 10 }))
    };
    let explored = explored(&rules, &plan);
    let stages = LongRun::stages(&explored, |stages| stages.last().unwrap().enough.0 > 0);
    let held: Vec<(i64, Option<i64>)> = stages
        .iter()
        .map(|stage| (stage.enough.0 / 100, stage.below.map(|below| below.0 / 100)))
        .collect();
    assert_eq!(held, [(900, None), (500, Some(900)), (10, Some(500)), (0, Some(10))]);
    assert_eq!(stages[0].ends, [(End::Left, ratio(1, 1))]);
    assert_eq!(stages[3].ends, [(End::Ruined, ratio(1, 1))]);
    for (stage, stake) in [(&stages[1], 2_000), (&stages[2], 1_000)] {
        let figures = &stage.figures;
        assert!(stage.plays_on && stage.positions == 7, "{stage:?}");
        assert_eq!(fraction(&(-figures.won.clone() / &figures.action)), "7/495");
        assert_eq!(fraction(&figures.at_risk), stake.to_string());
    }
}
