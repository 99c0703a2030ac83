//! Every state a bet can be in, each with its thirty-six rolls: what the solver solves,
//! explored from the very engine that pays.

use std::collections::HashMap;
use std::fmt;

use crate::call::call;
use crate::dice::{Combination, Roll, Total};
use crate::fate::Fate;
use crate::hand::Hand;
use crate::layout::Bet;
use crate::money::{Cents, Multiple};
use crate::puck::Puck;
use crate::rules::Rules;
use crate::state::{State, resolve};
use crate::wager::{Shape, Working};

/// What one roll did to the bets being followed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Label {
    /// Every bet that did not simply stand, as it was before the roll.
    pub fates: Vec<(Bet, Fate)>,
    /// Whether any bet worked on the roll: rolls on which all rest are not counted.
    pub working: bool,
}

/// What `roll` does to the bets that are followed, and the state it leads to; nothing once they
/// are decided. Odds alone decide nothing: they go with their flat bet.
pub fn follow(rules: &Rules, state: &State, roll: Roll) -> (Label, Option<State>) {
    let puck = state.hand.puck;
    let working = state.layout.bets().iter().any(|bet| is_working(rules, *bet, puck));
    let called = call(rules, &state.hand, roll);
    let stands = |(_, fate): &(Bet, Fate)| *fate == Fate::Stand;
    let fates: Vec<(Bet, Fate)> =
        resolve(rules, &called, &state.layout).filter(|fate| !stands(fate)).collect();
    let mut next = State { hand: called.hand, layout: state.layout.clone() };
    // Where every bet stands there is nothing to settle, and that is most rolls.
    if !fates.is_empty() {
        next.hand = state.hand;
        next.roll(rules, roll);
    }
    let odds = |bet: &Bet| matches!(rules.wager_at(bet.spot).shape, Shape::Odds { .. });
    let decided = fates.iter().any(|(bet, fate)| fate.is_decision() && !odds(bet));
    forget(rules, &mut next);
    let next = (!decided && !next.layout.is_empty()).then_some(next);
    (Label { fates, working }, next)
}

/// Forgets what no bet that is up reads: what betting windows remember, and the lammers of others.
fn forget(rules: &Rules, state: &mut State) {
    let mut hand = Hand { puck: state.hand.puck, ..Hand::default() };
    let trackers = state.layout.bets().iter().filter_map(|bet| rules.tracker_at(bet.spot));
    trackers.for_each(|place| hand.trackers[place] = state.hand.trackers[place]);
    state.hand = hand;
}

/// Whether a bet can win or lose on the next roll.
pub fn is_working(rules: &Rules, bet: Bet, puck: Puck) -> bool {
    bet.call.working(puck, rules.wager_at(bet.spot).standing.come_out) == Working::On
}

/// Why a wager could not be explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unexplored {
    /// There is no such wager.
    NoSuchWager(String),
    /// There are more states than allowed.
    TooManyStates(usize),
}

impl fmt::Display for Unexplored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unexplored::NoSuchWager(notation) => write!(f, "there is no wager `{notation}`"),
            Unexplored::TooManyStates(limit) => write!(f, "there are more than {limit} states"),
        }
    }
}

impl std::error::Error for Unexplored {}

fn start(rules: &Rules, notation: &str, stake: Cents) -> Result<State, Unexplored> {
    let start = State::with_bet(rules, notation, stake);
    start.ok_or_else(|| Unexplored::NoSuchWager(notation.into()))
}

/// Where a roll leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// What it does, as a place in [`Chain::labels`].
    pub label: u32,
    /// The next state, or nothing once decided.
    pub next: Option<u32>,
}

/// The states of some bets and their rolls. State 0 is the start.
#[derive(Clone, Debug)]
pub struct Chain {
    labels: Vec<Label>,
    states: Vec<[Step; Combination::COUNT]>,
}

impl Chain {
    /// The most states explored where nobody sets a limit.
    pub const LIMIT: usize = 1_000_000;

    /// The minimal chain of one bet on a wager, from the moment it is up until it is decided.
    pub fn of_wager(rules: &Rules, notation: &str) -> Result<Chain, Unexplored> {
        let spot = rules.spot(notation).ok_or_else(|| Unexplored::NoSuchWager(notation.into()))?;
        Chain::of_bet(rules, notation, rules.wager_at(spot).limits.least())
    }

    /// The minimal chain of a bet of `stake`, which may be beyond the limits.
    pub fn of_bet(rules: &Rules, notation: &str, stake: Cents) -> Result<Chain, Unexplored> {
        let start = start(rules, notation, stake)?;
        Ok(Chain::explore(rules, start, |_| {}, Chain::LIMIT)?.minimised())
    }

    /// The same for a bet that is made while this point is on.
    pub fn of_bet_with_point(
        rules: &Rules,
        notation: &str,
        stake: Cents,
        point: Total,
    ) -> Result<Chain, Unexplored> {
        let mut start = start(rules, notation, stake)?;
        start.hand.puck = Puck::On(point);
        Ok(Chain::explore(rules, start, |_| {}, Chain::LIMIT)?.minimised())
    }

    /// The minimal chain of a line bet of `stake` with odds behind it, taken as soon as its
    /// number is set: `multiple` times the flat bet, or as much as the house allows.
    pub fn of_line_with_odds(
        rules: &Rules,
        notation: &str,
        stake: Cents,
        multiple: Option<Multiple>,
    ) -> Result<Chain, Unexplored> {
        let mut start = start(rules, notation, stake)?;
        let take_odds = |state: &mut State| {
            for bet in state.layout.bets().to_vec() {
                let rule = rules.spot_rule(bet.spot);
                let number = rule.number.or(state.hand.puck.point());
                let (Some(spot), Some(number)) = (rule.odds, number) else { continue };
                let stake = match multiple {
                    Some(times) => rules.odds_stake(spot, number, bet.stake, times),
                    None => rules.odds_most(spot, number, bet.stake),
                };
                let stake = stake.expect("odds stand on a point");
                if state.layout.bet(spot).is_none() {
                    state.put(rules, spot, stake);
                }
            }
        };
        // A put bet has its number from the start.
        take_odds(&mut start);
        Ok(Chain::explore(rules, start, take_odds, Chain::LIMIT)?.minimised())
    }

    /// Explores breadth-first from `start`. `between` is what the player does between rolls.
    pub fn explore(
        rules: &Rules,
        start: State,
        mut between: impl FnMut(&mut State),
        limit: usize,
    ) -> Result<Chain, Unexplored> {
        let mut found: HashMap<State, u32> = HashMap::from([(start.clone(), 0)]);
        let mut queue = vec![start];
        let mut known: HashMap<Label, u32> = HashMap::new();
        let mut chain = Chain { labels: Vec::new(), states: Vec::new() };
        while let Some(state) = queue.get(chain.states.len()).cloned() {
            let mut steps = [Step { label: 0, next: None }; Combination::COUNT];
            for combination in Combination::all() {
                let (label, next) = follow(rules, &state, combination.roll());
                let label = *known.entry(label).or_insert_with_key(|label| {
                    chain.labels.push(label.clone());
                    chain.labels.len() as u32 - 1
                });
                let next = next.map(|mut next| {
                    between(&mut next);
                    *found.entry(next).or_insert_with_key(|next| {
                        queue.push(next.clone());
                        queue.len() as u32 - 1
                    })
                });
                steps[combination.index()] = Step { label, next };
            }
            chain.states.push(steps);
            if queue.len() > limit {
                return Err(Unexplored::TooManyStates(limit));
            }
        }
        Ok(chain)
    }

    /// The smallest chain that does the same: states that no sequence of rolls tells apart are
    /// joined, by refining a partition until it is stable.
    #[must_use]
    pub fn minimised(&self) -> Chain {
        let mut classes = vec![0u32; self.states.len()];
        let mut count = 1;
        loop {
            let mut signatures: HashMap<[(u32, Option<u32>); Combination::COUNT], u32> =
                HashMap::new();
            let refined: Vec<u32> = self
                .states
                .iter()
                .map(|steps| {
                    let signature = steps
                        .map(|step| (step.label, step.next.map(|next| classes[next as usize])));
                    let fresh = signatures.len() as u32;
                    *signatures.entry(signature).or_insert(fresh)
                })
                .collect();
            classes = refined;
            if signatures.len() == count {
                break;
            }
            count = signatures.len();
        }
        let mut states = vec![None; count];
        for (steps, class) in self.states.iter().zip(&classes) {
            states[*class as usize].get_or_insert_with(|| {
                steps
                    .map(|step| Step { next: step.next.map(|next| classes[next as usize]), ..step })
            });
        }
        let states = states.into_iter().map(|steps| steps.expect("every class has a state"));
        Chain { labels: self.labels.clone(), states: states.collect() }
    }

    /// How many states it has; being decided is not one of them.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether it has no state, which never happens.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Every label.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// Where each combination leads from a state.
    pub fn steps(&self, state: u32) -> &[Step; Combination::COUNT] {
        &self.states[state as usize]
    }

    /// The steps of a state with how many of the thirty-six rolls take each, alike ones joined.
    pub fn weighted(&self, state: u32) -> Vec<(u32, Step)> {
        let mut weighted: Vec<(u32, Step)> = Vec::new();
        for (combination, step) in Combination::all().zip(self.steps(state)) {
            match weighted.iter_mut().find(|(_, known)| known == step) {
                Some((weight, _)) => *weight += combination.ways(),
                None => weighted.push((combination.ways(), *step)),
            }
        }
        weighted
    }
}
