//! What a wager should hold: its edge and its spread, solved once and remembered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use craps::{Bet, Call, Cents, Chain, Fate, Hand, Label, Layout, Puck, Rules, Spot, State, Total};
use craps_math::{Edge, Ratio, Target, Terms, exact_stake, price, solve, sum, whole};

use crate::log::Hash;

/// What one bet of a wager is worth to the house, for a stake of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The mean.
    pub edge: Ratio,
    /// The variance.
    pub variance: Ratio,
}

/// What the wagers of all rules seen so far are worth. Solving takes a moment for some wagers,
/// so each is solved once, and nothing is locked meanwhile.
#[derive(Debug, Default)]
pub struct Expectations {
    known: Mutex<Known>,
}

/// By the hash of the rules and the wager.
type Known = HashMap<(Hash, String), Option<Arc<Expected>>>;

impl Expectations {
    /// What a wager is worth as the books name it (`place 6`, `come`, `odds pass 4`); nothing
    /// where it cannot be priced without a stake.
    pub fn of(&self, rules: &Rules, wager: &str) -> Option<Arc<Expected>> {
        let key = (Hash(rules.hash), wager.to_owned());
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(expected) = known().get(&key) {
            return expected.clone();
        }
        let expected = of_wager(rules, wager).map(Arc::new);
        known().insert(key, expected.clone());
        expected
    }
}

fn of_wager(rules: &Rules, wager: &str) -> Option<Expected> {
    if let Some((odds, number)) = as_odds(rules, wager) {
        return of_odds(rules, odds, number);
    }
    let target = Target::parse(rules, wager).ok()?;
    // A meter at nothing: jackpots are reported beside what wagers hold.
    let edge = Edge::of(rules, &target, None, Terms::default()).ok()?;
    Some(Expected { edge: edge.edge(), variance: edge.variance })
}

/// The odds spot and the number it stands on: `odds come 6` has both, `odds pass 6` is the spot
/// `odds pass` with the puck on 6.
fn as_odds(rules: &Rules, wager: &str) -> Option<(Spot, Total)> {
    let odds =
        |notation: &str| rules.spot(notation).filter(|spot| rules.spot_rule(*spot).flat.is_some());
    if let Some(spot) = odds(wager) {
        return Some((spot, rules.spot_rule(spot).number?));
    }
    let (notation, number) = wager.rsplit_once(' ')?;
    Some((odds(notation)?, Total::new(number.parse().ok()?)?))
}

/// Odds have no life of their own, so they are followed together with their flat bet, from a puck
/// on their number until both are decided, and then priced alone.
fn of_odds(rules: &Rules, odds: Spot, number: Total) -> Option<Expected> {
    let rules = rules.unrounded();
    let flat = rules.spot_rule(odds).flat?;
    let name = rules.spot_rule(odds).notation.clone();
    let stake = exact_stake(&rules, &Target { spot: flat, odds: None, name }).ok()?;
    let start = with_odds(flat, odds, number, stake);
    let chain = Chain::explore(&rules, start, |_, _| {}, Chain::LIMIT).ok()?.minimised();
    let solution = solve(&chain).ok()?;
    let nets: Vec<(Ratio, Ratio)> = solution
        .endings
        .into_iter()
        .map(|(label, chance)| {
            let alone = only(&chain.labels()[label as usize], odds);
            (price(&rules, &alone, Terms::default()).net / whole(stake.0), chance)
        })
        .collect();
    let mean = sum(nets.iter().map(|(net, chance)| net * chance));
    let square = sum(nets.iter().map(|(net, chance)| net * net * chance));
    Some(Expected { variance: square - &mean * &mean, edge: -mean })
}

fn with_odds(flat: Spot, odds: Spot, number: Total, stake: Cents) -> State {
    let hand = Hand { puck: Puck::On(number), ..Hand::default() };
    let mut layout = Layout::default();
    for spot in [flat, odds] {
        layout.set(Bet { spot, call: Call::House, stake, vig: Cents::ZERO });
    }
    State { hand, layout }
}

/// What became of the bet on one spot.
fn only(label: &Label, spot: Spot) -> Label {
    let fates: Vec<(Bet, Fate)> =
        label.fates.iter().filter(|(bet, _)| bet.spot == spot).copied().collect();
    Label { fates, working: label.working }
}
