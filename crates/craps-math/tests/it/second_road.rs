//! Every edge by a second road: sequences of rolls are walked step by step in the engine's own
//! states, never minimised and never solved, until what is still undecided is worth nothing.

#![expect(clippy::float_arithmetic, reason = "the second road is numeric on purpose")]

use std::collections::HashMap;

use craps::chain::{Label, follow};
use craps::{Bet, Cents, Hand, Layout, OnOff, Roll, Rules, State};
use craps_math::{
    Odds, Ratio, Target, Terms, decided_by, exact_stake, float, fraction, price, ratio, whole,
};

use crate::{Offer, crapless, every_side_bet, everything, priced, strip};

/// Takes odds between rolls as a player would.
fn take_odds(rules: &Rules, odds: Odds, hand: &Hand, layout: &mut Layout) {
    for bet in layout.bets().to_vec() {
        let rule = rules.spot_rule(bet.spot);
        let number = rule.number.or(hand.puck.point());
        let (Some(spot), Some(number)) = (rule.odds, number) else { continue };
        let stake = match odds {
            Odds::Times(times) => rules.odds_stake(spot, number, bet.stake, times),
            Odds::Max => rules.odds_most(spot, number, bet.stake),
        };
        if layout.bet(spot).is_none() {
            let stake = stake.unwrap();
            layout.set(Bet { spot, call: OnOff::House, stake, vig: Cents::ZERO });
        }
    }
}

/// What some rolls do to a bet: how many of the thirty-six they are, and where they lead.
struct Step {
    ways: f64,
    to: To,
}

#[derive(PartialEq)]
enum To {
    /// Another state, by its place.
    State(usize),
    /// It is decided: the result and what was put up for it, in cents.
    Over { net: f64, staked: f64 },
}

/// The states of a bet as the engine has them, found as they are walked into.
struct Walk<'a> {
    rules: &'a Rules,
    odds: Option<Odds>,
    places: HashMap<State, usize>,
    states: Vec<State>,
    steps: Vec<Vec<Step>>,
}

impl Walk<'_> {
    /// The place of a state, once odds are taken in it.
    fn place(&mut self, mut state: State) -> usize {
        if let Some(odds) = self.odds {
            take_odds(self.rules, odds, &state.hand, &mut state.layout);
        }
        let next = self.states.len();
        *self.places.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            next
        })
    }

    /// Looks where every state leads that has been found and not looked at.
    fn look(&mut self) {
        while let Some(state) = self.states.get(self.steps.len()).cloned() {
            let mut steps: Vec<Step> = Vec::new();
            for roll in Roll::all() {
                let (label, after) = follow(self.rules, &state, roll);
                let to = match after {
                    Some(after) => To::State(self.place(after)),
                    None => {
                        let price = price(self.rules, &label, Terms::default());
                        To::Over { net: float(&price.net), staked: price.staked.0 as f64 }
                    }
                };
                match steps.iter_mut().find(|step| step.to == to) {
                    Some(step) => step.ways += 1.0,
                    None => steps.push(Step { ways: 1.0, to }),
                }
            }
            self.steps.push(steps);
        }
    }
}

/// The mean result and the mean stake, in cents, and the worth of what is still open after
/// `depth` rolls.
fn walked(rules: &Rules, target: &Target, stake: Cents, depth: u32) -> (f64, f64, f64) {
    let notation = &rules.spot_rule(target.spot).notation;
    let (places, states, steps) = (HashMap::new(), Vec::new(), Vec::new());
    let mut walk = Walk { rules, odds: target.odds, places, states, steps };
    walk.place(State::with_bet(rules, notation, stake).unwrap());
    walk.look();
    let mut live = vec![0.0; walk.states.len()];
    live[0] = 1.0;
    let (mut mean, mut staked, mut largest) = (0.0, 0.0, 0.0f64);
    for _ in 0..depth {
        let mut next = vec![0.0; live.len()];
        for (steps, chance) in walk.steps.iter().zip(&live).filter(|(_, chance)| **chance > 0.0) {
            for Step { ways, to } in steps {
                let chance = chance * ways / 36.0;
                match to {
                    To::State(place) => next[*place] += chance,
                    To::Over { net, staked: put_up } => {
                        largest = largest.max(net.abs());
                        mean += chance * net;
                        staked += chance * put_up;
                    }
                }
            }
        }
        live = next;
    }
    (mean, staked, largest * live.iter().sum::<f64>())
}

/// Every table there is something to look at on.
fn tables() -> [Offer; 4] {
    [Offer::of(everything()), strip(), crapless(), every_side_bet()]
}

#[test]
fn walking_agrees_with_solving() {
    for Offer { rules, targets } in tables() {
        for target in targets {
            let stake = exact_stake(&rules, &target).unwrap();
            let (mean, staked, open) = walked(&rules, &target, stake, 200);
            let edge = priced(&rules, &target.name, None);
            let bound = open / staked + 1e-9;
            assert!(bound < 1e-5, "{} is still open by {bound}", target.name);
            let ev = float(&edge.ev);
            assert!(
                (mean / staked - ev).abs() < bound,
                "{}: {} against {ev}",
                target.name,
                mean / staked
            );
        }
    }
}

/// A seeded run of the engine, bet by bet, lands within five standard errors.
#[test]
fn a_seeded_run_agrees() {
    let mut dice = 20_261_115u64;
    let mut roll = || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        craps::Roll::from_index((((dice >> 32) * 36) >> 32) as usize)
    };
    for Offer { rules, targets } in tables() {
        for target in targets.iter().filter(|target| target.odds.is_none()) {
            seeded(&rules, target, &mut roll);
        }
    }
}

fn seeded(rules: &Rules, target: &Target, roll: &mut impl FnMut() -> Roll) {
    const BETS: i64 = 5_000;
    let wager = &target.name;
    let stake = exact_stake(rules, target).unwrap();
    let start = State::with_bet(rules, wager, stake).unwrap();
    let mut sum = Ratio::ZERO;
    for _ in 0..BETS {
        let mut state = start.clone();
        let label: Label = loop {
            match follow(rules, &state, roll()) {
                (_, Some(next)) => state = next,
                (label, None) => break label,
            }
        };
        sum += price(rules, &label, Terms::default()).net;
    }
    let mean = sum / whole(stake.0) / whole(BETS);
    let edge = priced(rules, wager, None);
    let off = &mean - &edge.ev;
    // (mean - ev)² < 25 · variance / bets
    assert!(&off * &off < edge.variance * ratio(25, BETS), "{wager}: {}", fraction(&off));
}

#[test]
fn the_curve_of_decisions_ends_at_one() {
    let rules = everything();
    let target = Target::parse(&rules, "pass").unwrap();
    let chain = target.chain(&rules, Cents::dollars(1)).unwrap();
    let curve = decided_by(&chain, 200);
    assert!((curve[1] - 12.0 / 36.0).abs() < 1e-12);
    assert!((curve[200] - 1.0).abs() < 1e-9);
    assert!(curve.is_sorted());
}
