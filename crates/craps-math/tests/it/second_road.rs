//! Every edge by a second road: all roll sequences to a depth are enumerated in integers with
//! the engine itself, and what is still undecided bounds the error.

use craps::{Cents, Chain, Label, Rules, State};
use craps_math::{Ratio, Target, Terms, decided_by, exact_stake, fraction, price, ratio, whole};

use crate::{everything, priced};

/// Mean result for a stake of one over all sequences of `depth` rolls, and the chance that the
/// bet is still up: walked state by state, never solved.
fn enumerated(rules: &Rules, target: &Target, depth: u32) -> (Ratio, Ratio) {
    let stake = exact_stake(rules, target);
    let chain: Chain = target.chain(rules, stake).unwrap();
    let mut live = vec![Ratio::ZERO; chain.len()];
    live[0] = Ratio::ONE;
    let mut mean = Ratio::ZERO;
    for _ in 0..depth {
        let mut next = vec![Ratio::ZERO; chain.len()];
        for (state, chance) in live.iter().enumerate().filter(|(_, chance)| !chance.is_zero()) {
            for (weight, step) in chain.weighted(state as u32) {
                let chance = chance * ratio(i64::from(weight), 36);
                match step.next {
                    Some(to) => next[to as usize] += chance,
                    None => {
                        let label = &chain.labels()[step.label as usize];
                        mean += price(rules, label, Terms::default()).net * chance;
                    }
                }
            }
        }
        live = next;
    }
    (mean / whole(stake.0), craps_math::sum(live))
}

#[test]
fn enumeration_brackets_the_exact_value() {
    let rules = everything();
    for target in Target::all(&rules).iter().filter(|target| target.odds.is_none()) {
        let tracked = rules.wager_at(target.spot).shape.is_tracked();
        let depth = if tracked { 30 } else { 60 };
        let edge = priced(&rules, &target.name, None);
        let (mean, open) = enumerated(&rules, target, depth);
        let (lowest, _) = edge.outcomes.first().unwrap();
        let (highest, _) = edge.outcomes.last().unwrap();
        let low = &mean + &open * lowest;
        let high = &mean + &open * highest;
        assert!(low <= edge.ev && edge.ev <= high, "{}", target.name);
        assert!(open < ratio(1, 20), "{} is still open with {}", target.name, fraction(&open));
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
    const BETS: i64 = 20_000;
    for wager in
        ["pass", "dont-pass", "come", "place 6", "lay 4", "buy 10", "hard 8", "field", "horn"]
    {
        let target = Target::parse(&rules, wager).unwrap();
        let stake = exact_stake(&rules, &target);
        let start = State::with_bet(&rules, wager, stake).unwrap();
        let mut sum = Ratio::ZERO;
        for _ in 0..BETS {
            let mut state = start.clone();
            let label: Label = loop {
                match state.roll(&rules, roll()) {
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
