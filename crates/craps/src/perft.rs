//! Perft: over all sequences of rolls to a depth, how many have won, lost, pushed, or still live.
//!
//! The counts are whole numbers that anybody can check by hand for small depths; a wager whose
//! counts are right is very likely right.

use std::collections::HashMap;
use std::fmt;

use crate::chain::{Chain, Label, follow};
use crate::dice::{Combination, Roll};
use crate::fate::Fate;
use crate::rules::Rules;
use crate::state::State;
use crate::wager::{Due, Shape};

/// How the sequences of some depth ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The bet had won.
    pub won: u128,
    /// It had lost.
    pub lost: u128,
    /// It had pushed.
    pub push: u128,
    /// It was still up.
    pub live: u128,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}/{}", self.won, self.lost, self.push, self.live)
    }
}

impl Tally {
    fn count(&mut self, rules: &Rules, label: &Label, sequences: u128) {
        let flat = label.fates.iter().find(|(bet, fate)| {
            fate.is_decision() && !matches!(rules.wager_at(bet.spot).shape, Shape::Odds { .. })
        });
        match flat.map(|(_, fate)| fate) {
            Some(Fate::Win { award, .. }) if rules.award(*award).due == Due::Push => {
                self.push += sequences;
            }
            Some(Fate::Win { .. }) => self.won += sequences,
            Some(Fate::Push) => self.push += sequences,
            _ => self.lost += sequences,
        }
    }
}

/// Tallies all sequences of `depth` rolls by stepping the engine. A depth of up to 20 fits.
///
/// ```
/// use craps::perft::perft;
/// use craps::{Cents, Library, Rules, State};
/// let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
/// let pass = State::with_bet(&rules, "pass", Cents::dollars(1)).unwrap();
/// assert_eq!(perft(&rules, &pass, 1).to_string(), "8/4/0/24");
/// ```
pub fn perft(rules: &Rules, start: &State, depth: u32) -> Tally {
    let mut live: HashMap<State, u128> = HashMap::from([(start.clone(), 1)]);
    let mut tally = Tally::default();
    for rolled in 1..=depth {
        let rest = 36u128.pow(depth - rolled);
        let mut next: HashMap<State, u128> = HashMap::new();
        for (state, sequences) in live {
            for roll in Roll::all() {
                match follow(rules, &state, roll) {
                    (_, Some(after)) => *next.entry(after).or_default() += sequences,
                    (label, None) => tally.count(rules, &label, sequences * rest),
                }
            }
        }
        live = next;
    }
    tally.live = live.values().sum();
    tally
}

/// The same tally from a compiled chain.
pub fn perft_chain(rules: &Rules, chain: &Chain, depth: u32) -> Tally {
    let mut live = vec![0u128; chain.len()];
    live[0] = 1;
    let mut tally = Tally::default();
    for rolled in 1..=depth {
        let rest = 36u128.pow(depth - rolled);
        let mut next = vec![0u128; chain.len()];
        for (state, sequences) in live.iter().enumerate().filter(|(_, sequences)| **sequences > 0) {
            for (combination, step) in Combination::all().zip(chain.steps(state as u32)) {
                let sequences = sequences * u128::from(combination.ways());
                match step.next {
                    Some(state) => next[state as usize] += sequences,
                    None => {
                        let label = &chain.labels()[step.label as usize];
                        tally.count(rules, label, sequences * rest);
                    }
                }
            }
        }
        live = next;
    }
    tally.live = live.iter().sum();
    tally
}
