//! Every edge by a second road: sequences of rolls are walked step by step in the engine's own
//! states, never minimised and never solved, until what is still undecided is worth nothing.

#![expect(clippy::float_arithmetic, reason = "the second road is numeric on purpose")]

use std::collections::HashMap;

use craps::chain::{Label, follow};
use craps::{Bet, Cents, Chain, Hand, Layout, OnOff, Roll, Rules, State};
use craps_math::{
    Odds, Ratio, Target, Terms, decided_by, exact_stake, float, fraction, price, ratio, whole,
};

use crate::{everything, priced};

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

/// The mean result and the mean stake, in cents, and the worth of what is still open after
/// `depth` rolls.
fn walked(rules: &Rules, target: &Target, stake: Cents, depth: u32) -> (f64, f64, f64) {
    let notation = &rules.spot_rule(target.spot).notation;
    let start = State::with_bet(rules, notation, stake).unwrap();
    let mut live: HashMap<State, f64> = HashMap::from([(start, 1.0)]);
    let mut steps: HashMap<State, Vec<(Label, Option<State>)>> = HashMap::new();
    let (mut mean, mut staked, mut largest) = (0.0, 0.0, 0.0f64);
    for _ in 0..depth {
        let mut next: HashMap<State, f64> = HashMap::new();
        for (state, chance) in live {
            let steps = steps
                .entry(state.clone())
                .or_insert_with(|| Roll::all().map(|roll| follow(rules, &state, roll)).collect());
            for (label, after) in steps {
                let chance = chance / 36.0;
                match after {
                    Some(after) => {
                        let mut after = after.clone();
                        if let Some(odds) = target.odds {
                            take_odds(rules, odds, &after.hand, &mut after.layout);
                        }
                        *next.entry(after).or_default() += chance;
                    }
                    None => {
                        let price = price(rules, label, Terms::default());
                        let net = float(&price.net);
                        largest = largest.max(net.abs());
                        mean += chance * net;
                        staked += chance * price.staked.0 as f64;
                    }
                }
            }
        }
        live = next;
    }
    (mean, staked, largest * live.values().sum::<f64>())
}

#[test]
fn walking_agrees_with_solving() {
    let rules = everything();
    for target in Target::all(&rules) {
        let large = Chain::of_wager(&rules, &target.name).is_ok_and(|chain| chain.len() > 1000);
        let (stake, depth) = (exact_stake(&rules, &target).unwrap(), if large { 120 } else { 400 });
        let (mean, staked, open) = walked(&rules, &target, stake, depth);
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

/// A seeded run of the engine, bet by bet, lands within five standard errors.
#[test]
fn a_seeded_run_agrees() {
    let rules = everything();
    let mut dice = 20_261_115u64;
    let mut roll = || {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        craps::Roll::from_index((((dice >> 32) * 36) >> 32) as usize)
    };
    const BETS: i64 = 5_000;
    for target in Target::all(&rules).iter().filter(|target| target.odds.is_none()) {
        let wager = &target.name;
        let stake = exact_stake(&rules, target).unwrap();
        let start = State::with_bet(&rules, wager, stake).unwrap();
        let mut sum = Ratio::ZERO;
        for _ in 0..BETS {
            let mut state = start.clone();
            let label: Label = loop {
                match follow(&rules, &state, roll()) {
                    (_, Some(next)) => state = next,
                    (label, None) => break label,
                }
            };
            sum += price(&rules, &label, Terms::default()).net;
        }
        let mean = sum / whole(stake.0) / whole(BETS);
        let edge = priced(&rules, wager, None);
        let off = &mean - &edge.ev;
        // (mean - ev)² < 25 · variance / bets
        assert!(&off * &off < edge.variance * ratio(25, BETS), "{wager}: {}", fraction(&off));
    }
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
