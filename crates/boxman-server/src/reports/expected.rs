//! What a wager should hold: its edge and its spread, solved once and remembered.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use craps::{Rules, Spot, Total};
use craps_math::{Edge, Ratio, Target, Terms, Unpriced};

use crate::hash::Hash;

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
        return expected(Edge::of_odds(rules, odds, Some(number), None));
    }
    let target = Target::parse(rules, wager).ok()?;
    // A meter at nothing: jackpots are reported beside what wagers hold.
    expected(Edge::of(rules, &target, None, Terms::default()))
}

fn expected(edge: Result<Edge, Unpriced>) -> Option<Expected> {
    let edge = edge.ok()?;
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
