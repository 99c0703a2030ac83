//! What a plan comes to in the long run, while every ask of it can be paid: what it costs a roll,
//! what it has up, how often shooters seven out. Or while its bankroll stays as it is, for plans
//! that look at theirs.
//!
//! With one bankroll a plan is a walk among few positions. A plan that plays on for ever comes
//! home to one of them again and again, and what a mean round trip comes to, divided by its mean
//! length, is its long-run average; one that ends is summed up until then. Both are exact
//! fractions as far as that is feasible.

#![expect(clippy::float_arithmetic, reason = "shares of time are floats; the figures say so")]

mod walk;
mod lift;

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use craps::Cents;
use craps::dice::Combination;
use craps::machine::{Arrival, End, Explored, Then};

use self::walk::{Walk, visits};
use crate::chance::{Ratio, float, sum, whole};
use crate::solve::knots;

/// Walks of more positions than this are summed up in floats.
const EXACT: usize = 500;

/// What a plan comes to while every ask can be paid.
#[derive(Clone, Debug)]
pub struct LongRun {
    /// How many positions it comes to.
    pub positions: usize,
    /// All of this holds from so much in all; for a plan with money for everything, this is
    /// enough for every ask wherever it is.
    pub enough: Cents,
    /// And below this; none where it holds for all above.
    pub below: Option<Cents>,
    /// The chance of each way it ends even so; none where it always plays on.
    pub ends: Vec<(End, Ratio)>,
    /// Whether it may play on for ever.
    pub plays_on: bool,
    /// On average a roll, where it plays on; until it ends, where it does not.
    pub figures: Figures,
    /// Positions it comes to, and the part of its rolls thrown in each: one stands for all that
    /// look alike and go on alike.
    pub shares: Vec<(u32, f64)>,
    /// How far the shares are out of balance, where they stand for the figures; none where the
    /// figures are exact.
    pub residual: Option<f64>,
}

/// What rolls come to: means of one, or sums of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// How many rolls: one, for an average.
    pub rolls: Ratio,
    /// By how much equity changes, in cents: less than zero is a cost.
    pub won: Ratio,
    /// The stakes of the bets decided, pushes included, in cents.
    pub action: Ratio,
    /// The stakes up as the dice are thrown, in cents.
    pub at_risk: Ratio,
    /// How many bets are up as the dice are thrown.
    pub bets: Ratio,
    /// How many shooters seven out.
    pub seven_outs: Ratio,
}

impl LongRun {
    /// What an explored plan comes to with money for everything.
    pub fn of<M>(explored: &Explored<M>) -> LongRun {
        LongRun::with(explored, Cents(i64::MAX))
    }

    /// What it comes to as though it always had so much in all, whatever is won and lost.
    pub fn with<M>(explored: &Explored<M>, bankroll: Cents) -> LongRun {
        let held = Held::with(explored, bankroll).lumped(explored);
        if let Then::End(end) = held.start {
            return LongRun { ends: vec![(end, Ratio::ONE)], ..held.empty() };
        }
        let (homes, passing) = held.homes();
        match homes.is_empty() {
            true => held.until_it_ends(&passing),
            false => held.on_average(&homes, &passing),
        }
    }

    /// What it comes to with every bankroll from the highest down, as long as `deeper` wants more
    /// below the last.
    pub fn stages<M>(
        explored: &Explored<M>,
        mut deeper: impl FnMut(&[LongRun]) -> bool,
    ) -> Vec<LongRun> {
        let mut stages = vec![LongRun::of(explored)];
        while deeper(&stages) {
            let below = stages.last().map_or(Cents::ZERO, |stage| stage.enough);
            if below <= Cents::ZERO {
                break;
            }
            stages.push(LongRun::with(explored, below - Cents(1)));
        }
        stages
    }
}

impl Figures {
    /// How many there are, in the order of the fields.
    const COUNT: usize = 6;

    fn new(values: impl IntoIterator<Item = Ratio>) -> Figures {
        let mut values = values.into_iter();
        let mut next = || values.next().unwrap_or(Ratio::ZERO);
        Figures {
            rolls: next(),
            won: next(),
            action: next(),
            at_risk: next(),
            bets: next(),
            seven_outs: next(),
        }
    }
}

/// The positions that are reached while the bankroll is held.
struct Held {
    /// Which they are.
    places: Vec<u32>,
    /// Of 36 rolls in each, those that lead to each other, by their order here.
    steps: Vec<Vec<(usize, u32)>>,
    /// Of 36 rolls in each, those that end it, in the order of [`ENDS`].
    ends: [Vec<i64>; ENDS.len()],
    /// What 36 rolls in each come to, a list for each of the figures.
    figures: [Vec<i64>; Figures::COUNT],
    /// What follows before the first roll.
    start: Then,
    enough: Cents,
    below: Option<Cents>,
    /// How many there are before those alike are put together.
    positions: usize,
}

/// How a plan can end; with money for everything it is not ruined.
const ENDS: [End; 3] = [End::Left, End::Idle, End::Ruined];

impl Held {
    fn with<M>(explored: &Explored<M>, bankroll: Cents) -> Held {
        let machine = &explored.machine;
        let mut order = vec![None; machine.len()];
        let mut held = Held {
            places: Vec::new(),
            steps: Vec::new(),
            ends: Default::default(),
            figures: Default::default(),
            start: Then::End(End::Idle),
            enough: Cents::ZERO,
            below: None,
            positions: 0,
        };
        held.start = held.branch(&machine.arrivals()[0], bankroll);
        let find = |place: u32, places: &mut Vec<u32>, order: &mut Vec<Option<usize>>| {
            *order[place as usize].get_or_insert_with(|| {
                places.push(place);
                places.len() - 1
            })
        };
        if let Then::Roll(place) = held.start {
            find(place, &mut held.places, &mut order);
        }
        while let Some(place) = held.places.get(held.steps.len()).copied() {
            let bets = explored.positions[place as usize].table.state.layout.bets();
            let at_risk: Cents = bets.iter().map(|bet| bet.stake).sum();
            let mut figures = [36, 0, 0, 36 * at_risk.0, 36 * bets.len() as i64, 0];
            let mut steps: Vec<(usize, u32)> = Vec::new();
            let mut ends = [0; ENDS.len()];
            for (combination, edge) in Combination::all().zip(machine.edges(place)) {
                let ways = combination.ways();
                figures[1] += i64::from(ways) * edge.change.0;
                figures[2] += i64::from(ways) * edge.action.0;
                figures[5] += i64::from(ways) * i64::from(edge.seven_out);
                match held.branch(&machine.arrivals()[edge.arrival as usize], bankroll) {
                    Then::End(end) => {
                        let end = ENDS.iter().position(|known| *known == end);
                        ends[end.expect("every end is listed")] += i64::from(ways);
                    }
                    Then::Roll(next) => {
                        let next = find(next, &mut held.places, &mut order);
                        match steps.iter_mut().find(|(known, _)| *known == next) {
                            Some((_, sum)) => *sum += ways,
                            None => steps.push((next, ways)),
                        }
                    }
                }
            }
            held.steps.push(steps);
            held.ends.iter_mut().zip(ends).for_each(|(list, ways)| list.push(ways));
            held.figures.iter_mut().zip(figures).for_each(|(list, value)| list.push(value));
        }
        held.positions = held.places.len();
        held
    }

    /// What follows an arrival; it narrows the bankrolls that all of this holds for.
    fn branch(&mut self, arrival: &Arrival, bankroll: Cents) -> Then {
        let place = arrival.branches.iter().position(|branch| branch.from <= bankroll);
        let place = place.expect("the last branch holds for all below");
        self.enough = self.enough.max(arrival.branches[place].from);
        let above = place.checked_sub(1).map(|above| arrival.branches[above].from);
        self.below = self.below.into_iter().chain(above).min();
        arrival.branches[place].then
    }

    /// The same walk with positions put together that have the same bets up, come to the same and
    /// go on alike: lammers that no bet waits for are most of what else tells them apart.
    fn lumped<M>(&self, explored: &Explored<M>) -> Held {
        let state = |place: usize| &explored.positions[self.places[place] as usize].table.state;
        let mut kinds: Vec<usize> = numbered((0..self.places.len()).map(|place| {
            let lists = self.figures.iter().chain(&self.ends);
            let values: Vec<i64> = lists.map(|list| list[place]).collect();
            (state(place).hand.puck, &state(place).layout, values)
        }));
        let how_many = |kinds: &[usize]| kinds.iter().max().map_or(0, |last| last + 1);
        let mut count = 0;
        let mut steps = Vec::new();
        while how_many(&kinds) > count {
            count = how_many(&kinds);
            steps = self.steps.iter().map(|steps| joined(steps, &kinds)).collect();
            kinds = numbered(kinds.iter().zip(&steps));
        }
        let mut firsts: Vec<usize> = Vec::with_capacity(count);
        for (place, kind) in kinds.iter().enumerate() {
            if *kind == firsts.len() {
                firsts.push(place);
            }
        }
        let pick = |list: &Vec<i64>| firsts.iter().map(|place| list[*place]).collect();
        Held {
            places: firsts.iter().map(|place| self.places[*place]).collect(),
            steps: firsts.iter().map(|place| steps[*place].clone()).collect(),
            ends: self.ends.each_ref().map(pick),
            figures: self.figures.each_ref().map(pick),
            ..*self
        }
    }

    /// The sets of positions that the walk never leaves, and all the others.
    fn homes(&self) -> (Vec<Vec<usize>>, Vec<usize>) {
        let mut sets = knots(&self.steps);
        let mut set_of = vec![0; self.places.len()];
        for (number, set) in sets.iter_mut().enumerate() {
            set.sort_unstable();
            set.iter().for_each(|place| set_of[*place] = number);
        }
        let stays = |place: &usize| {
            let within = |(next, _): &&(usize, u32)| set_of[*next] == set_of[*place];
            let ways = self.steps[*place].iter().filter(within);
            ways.map(|(_, ways)| ways).sum::<u32>() == 36
        };
        let (homes, passing): (Vec<_>, Vec<_>) =
            sets.into_iter().partition(|set| set.iter().all(stays));
        let mut passing = passing.concat();
        passing.sort_unstable();
        (homes, passing)
    }

    /// All that a plan comes to that is sure to end.
    fn until_it_ends(&self, passing: &[usize]) -> LongRun {
        let figures = of(self.figures.iter().chain(&self.ends), passing);
        let walked = self.walk(passing, 0).total(&figures);
        let mut totals = walked.totals.iter().map(|total| total / whole(36));
        let mut long_run = self.empty();
        long_run.figures = Figures::new(totals.by_ref().take(Figures::COUNT));
        long_run.ends = ended(totals);
        long_run.share(passing, &walked, 1.0);
        long_run
    }

    /// What a roll comes to on average in the sets it never leaves, each with the chance that it
    /// is come to.
    fn on_average(&self, homes: &[Vec<usize>], passing: &[usize]) -> LongRun {
        let mut long_run = self.empty();
        long_run.plays_on = true;
        let mut into = vec![Ratio::ONE];
        if !passing.is_empty() {
            let ways_into = |home: &Vec<usize>| {
                let ways = |steps: &Vec<(usize, u32)>| {
                    let ways = steps.iter().filter(|(to, _)| home.binary_search(to).is_ok());
                    ways.map(|(_, ways)| i64::from(*ways)).sum()
                };
                self.steps.iter().map(ways).collect()
            };
            let ways_into: Vec<Vec<i64>> = homes.iter().map(ways_into).collect();
            let walked = self.walk(passing, 0);
            let walked = walked.total(&of(self.ends.iter().chain(&ways_into), passing));
            let mut totals = walked.totals.iter().map(|total| total / whole(36));
            long_run.ends = ended(totals.by_ref().take(ENDS.len()));
            into = totals.collect();
            long_run.share(passing, &walked, 0.0);
        }
        let all = sum(into.iter().cloned());
        let mut averages = vec![Ratio::ZERO; Figures::COUNT];
        for (home, into) in homes.iter().zip(into) {
            let part = into / &all;
            let walked = self.round_trip(home).total(&of(&self.figures, home));
            for (average, total) in averages.iter_mut().zip(&walked.totals) {
                *average += &part * total / &walked.totals[0];
            }
            long_run.share(home, &walked, float(&part));
        }
        long_run.figures = Figures::new(averages);
        long_run
    }

    fn empty(&self) -> LongRun {
        LongRun {
            positions: self.positions,
            enough: self.enough,
            below: self.below,
            ends: Vec::new(),
            plays_on: false,
            figures: Figures::new([]),
            shares: self.places.iter().map(|place| (*place, 0.0)).collect(),
            residual: None,
        }
    }

    /// The walk from the position of a set that most rolls in it lead to, until it is there again.
    fn round_trip(&self, home: &[usize]) -> Walk {
        let mut walk = self.walk(home, home[0]);
        let mut into = vec![0; home.len()];
        walk.steps.iter().flatten().for_each(|(to, ways)| into[*to] += ways);
        walk.start = (0..home.len()).max_by_key(|place| into[*place]).unwrap_or(0);
        let start = walk.start;
        walk.steps.iter_mut().for_each(|steps| steps.retain(|(to, _)| *to != start));
        walk
    }

    /// The walk within a set of positions, in order, from one of them.
    fn walk(&self, set: &[usize], start: usize) -> Walk {
        let place = |state: usize| set.binary_search(&state).ok();
        let within = |(to, ways): &(usize, u32)| Some((place(*to)?, *ways));
        let steps = |from: &usize| self.steps[*from].iter().filter_map(within).collect();
        let start = place(start).expect("a walk starts among its positions");
        Walk { steps: set.iter().map(steps).collect(), start }
    }
}

/// What a walk comes to.
struct Walked {
    /// The mean of each figure, summed up over all visits.
    totals: Vec<Ratio>,
    /// The mean number of visits to each position.
    visits: Vec<f64>,
    /// How far the visits are out of balance; none where the totals are exact.
    residual: Option<f64>,
}

impl Walk {
    /// Sums up figures that are given for a visit to each position.
    fn total(&self, figures: &[Vec<i64>]) -> Walked {
        let (visits, residual) = visits(self);
        let exact = if self.steps.len() <= EXACT { lift::totals(self, figures) } else { None };
        if let Some(totals) = exact {
            return Walked { totals, visits, residual: None };
        }
        let total = |figure: &Vec<i64>| -> f64 {
            figure.iter().zip(&visits).map(|(figure, count)| *figure as f64 * count).sum()
        };
        let close = |total| Ratio::try_from(total).expect("a mean is a number");
        let totals = figures.iter().map(total).map(close).collect();
        Walked { totals, visits, residual: Some(residual) }
    }
}

impl LongRun {
    /// Takes down how often each position of a set is visited, as this part of all rolls.
    fn share(&mut self, set: &[usize], walked: &Walked, part: f64) {
        let all: f64 = walked.visits.iter().sum();
        for (place, visits) in set.iter().zip(&walked.visits) {
            self.shares[*place].1 = part * visits / all;
        }
        let worst = self.residual.into_iter().chain(walked.residual);
        self.residual = worst.reduce(f64::max);
    }
}

/// The ways it ends, of those it could.
fn ended(chances: impl Iterator<Item = Ratio>) -> Vec<(End, Ratio)> {
    ENDS.into_iter().zip(chances).filter(|(_, chance)| !chance.is_zero()).collect()
}

/// A number for each key, the same for the same, in the order they come.
fn numbered<K: Hash + Eq>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut known = HashMap::new();
    let number = |key| {
        let next = known.len();
        *known.entry(key).or_insert(next)
    };
    keys.map(number).collect()
}

/// Steps to the kinds of positions instead of positions, in order.
fn joined(steps: &[(usize, u32)], kinds: &[usize]) -> Vec<(usize, u32)> {
    let mut joined: BTreeMap<usize, u32> = BTreeMap::new();
    steps.iter().for_each(|(to, ways)| *joined.entry(kinds[*to]).or_default() += ways);
    joined.into_iter().collect()
}

/// Lists for every position, cut to a set of them.
fn of<'a>(lists: impl IntoIterator<Item = &'a Vec<i64>>, set: &[usize]) -> Vec<Vec<i64>> {
    let cut = |list: &Vec<i64>| set.iter().map(|place| list[*place]).collect();
    lists.into_iter().map(cut).collect()
}
