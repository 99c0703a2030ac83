//! A plan as a machine: how many positions it has, and that it does what stepping does.

use std::sync::Arc;

use craps::machine::{Desk, End, Explored, Play, Player, Question, Remembering, Then, explore};
use craps::{Cents, Library, Multiple, Refusal, Roll, Rules};

fn rules(names: &[&str]) -> Arc<Rules> {
    Arc::new(Rules::named(&Library::embedded(), names).unwrap())
}

fn explored<P: Player<Fault = Refusal>>(rules: &Arc<Rules>, player: &P) -> Explored<P::Memory> {
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    explore(rules, player, &meters, 200_000).ok().expect("the plan is sound")
}

/// Walks the machine and steps the plan on the same random dice.
fn agrees<P: Player<Fault = Refusal>>(rules: &Arc<Rules>, player: &P, bankrolls: &[i64]) {
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    let Explored { machine, positions, .. } = explored(rules, player);
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for bankroll in bankrolls {
        for _ in 0..40 {
            let mut equity = Cents::dollars(*bankroll);
            let (mut play, _) = Play::start(rules, player, &meters, equity).unwrap();
            let mut then = machine.then(0, equity);
            for rolled in 0..400 {
                match (then, play.now()) {
                    (Then::Roll(place), Ok(now)) => {
                        assert_eq!(positions[place as usize].table, now.table, "roll {rolled}");
                    }
                    (Then::End(End::Idle), Ok(now)) => {
                        assert!(now.table.state.layout.is_empty());
                        break;
                    }
                    (Then::End(one), Err(other)) => {
                        assert_eq!(one, other);
                        break;
                    }
                    (then, now) => panic!("{then:?}, but stepping gives {:?}", now.err()),
                }
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let roll = Roll::from_index((seed >> 33) as usize);
                let Then::Roll(place) = then else { unreachable!() };
                let edge = machine.edges(place)[roll.combination().index()];
                equity += edge.change;
                then = machine.then(edge.arrival, equity);
                play.roll(roll).unwrap();
                assert_eq!(equity, play.equity(), "roll {rolled}");
            }
        }
    }
}

const POOR_AND_RICH: [i64; 6] = [0, 9, 40, 100, 300, 100_000];

#[test]
fn pass_has_a_come_out_and_six_points() {
    let rules = rules(&["presque-isle"]);
    let pass = rules.spot("pass").unwrap();
    let plan = |desk: &mut Desk| desk.want(pass, Cents::dollars(10));
    assert_eq!(explored(&rules, &plan).machine.len(), 7);
    agrees(&rules, &plan, &POOR_AND_RICH);
}

#[test]
fn pass_with_double_odds_and_six_and_eight() {
    let rules = rules(&["presque-isle"]);
    let [pass, six, eight] = ["pass", "place 6", "place 8"].map(|spot| rules.spot(spot).unwrap());
    let plan = |desk: &mut Desk| {
        desk.want(pass, Cents::dollars(10))?;
        desk.odds(None, &[Multiple::times(2)])?;
        desk.want(six, Cents::dollars(12))?;
        desk.want(eight, Cents::dollars(12))
    };
    agrees(&rules, &plan, &POOR_AND_RICH);
}

#[test]
fn three_point_molly() {
    let rules = rules(&["presque-isle"]);
    let [pass, come] = ["pass", "come"].map(|spot| rules.spot(spot).unwrap());
    let comes = rules.wager_named("come").unwrap();
    let plan = |desk: &mut Desk| {
        desk.want(pass, Cents::dollars(10))?;
        if desk.count(comes) < 2 {
            desk.want(come, Cents::dollars(10))?;
        }
        desk.odds(None, &[3, 4, 5].map(Multiple::times))
    };
    let machine = explored(&rules, &plan).machine;
    assert_eq!(machine.len(), 1_255);
    agrees(&rules, &plan, &POOR_AND_RICH);
}

#[test]
fn martingale_remembers() {
    let rules = rules(&["presque-isle"]);
    let pass = rules.spot("pass").unwrap();
    let plan = Remembering(0u8, |losses: &mut u8, desk: &mut Desk| {
        if desk.last(Question::Won(pass)) > 0 {
            *losses = 0;
        }
        if desk.last(Question::Lost(pass)) > 0 {
            *losses = if *losses == 6 { 0 } else { *losses + 1 };
        }
        desk.want(pass, Cents::dollars(5 << *losses))
    });
    assert_eq!(explored(&rules, &plan).machine.len(), 49);
    agrees(&rules, &plan, &POOR_AND_RICH);
}

/// Whether the machine ends so for some equity somewhere.
fn ends(machine: &craps::Machine, end: End) -> bool {
    let mut branches = machine.arrivals().iter().flat_map(|arrival| &arrival.branches);
    branches.any(|branch| branch.then == Then::End(end))
}

#[test]
fn whoever_leaves_plays_out_what_has_to_stay() {
    let rules = rules(&["presque-isle"]);
    let [pass, six] = ["pass", "place 6"].map(|spot| rules.spot(spot).unwrap());
    let plan = |desk: &mut Desk| {
        if desk.bankroll_reaches(Cents::dollars(115)) {
            desk.leave();
            return Ok(());
        }
        desk.want(pass, Cents::dollars(10))?;
        desk.want(six, Cents::dollars(12))
    };
    let Explored { machine, positions, .. } = explored(&rules, &plan);
    assert!(ends(&machine, End::Left));
    // The pass line stays behind, the place bet does not.
    let leaving: Vec<_> = positions.iter().filter(|position| position.leaving).collect();
    assert!(!leaving.is_empty());
    for position in leaving {
        let layout = &position.table.state.layout;
        assert!(layout.bet(pass).is_some() && layout.bet(six).is_none());
    }
    agrees(&rules, &plan, &POOR_AND_RICH);
}

#[test]
fn whoever_never_bets_again_is_idle() {
    let rules = rules(&["presque-isle"]);
    let field = rules.spot("field").unwrap();
    let plan = |desk: &mut Desk| match desk.bankroll_reaches(Cents::dollars(50)) {
        true => desk.want(field, Cents::dollars(10)),
        false => Ok(()),
    };
    let machine = explored(&rules, &plan).machine;
    assert!(ends(&machine, End::Idle) && !ends(&machine, End::Ruined));
    assert_eq!(machine.then(0, Cents::dollars(49)), Then::End(End::Idle));
    agrees(&rules, &plan, &POOR_AND_RICH);
}
