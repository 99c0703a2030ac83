//! The best play without a limit on rolls: policies are made better until none is, and what they
//! reach is bounded from both sides.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use craps::{Cents, Puck};

use super::chains::{Act, Chain, Policy};
use super::game::Game;
use super::plays::{Board, Play, Values};
use super::ties::{Contender, TIE, stakes};
use super::{Bets, Stakes};

/// The most free bets at once.
pub(super) const TOGETHER: usize = 2;
/// How far apart the bounds may be, the best first.
const BOUNDS: [f64; 4] = [1e-10, 1e-9, 1e-8, 1e-6];

/// The best play.
#[derive(Clone, Debug)]
pub struct Best {
    /// The bets it is over.
    pub bets: Bets,
    /// The chance to reach the goal with it, and no less.
    pub chance: f64,
    /// No play has more than this.
    pub bound: f64,
    /// The rolls until it is over, on average.
    pub rolls: f64,
    /// What to do in every state it can come to, by puck, line bet and bankroll.
    pub turns: Vec<Turn>,
}

/// What to do in one state.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Where the puck lies.
    pub puck: Puck,
    /// The line bet that is up.
    pub line: Cents,
    /// The rack and everything up.
    pub equity: Cents,
    /// What is up when the dice are thrown.
    pub stakes: Stakes,
    /// The chance to reach the goal from here.
    pub chance: f64,
}

/// Finds the best play; `progress` is told the pass over all plays and how much of it is done,
/// and says whether to go on.
pub fn solve(game: &Game, progress: &(dyn Fn(u32, f64) -> bool + Sync)) -> Option<Best> {
    let solver = Solver { game, progress };
    let goal = game.wish.goal.0 as f64;
    let guess = |cell: usize| (game.equity(cell) as f64 / goal).min(1.0);
    let mut values: Values =
        game.rows.iter().map(|_| (0..game.cells).map(guess).collect()).collect();
    let mut policy: Policy = vec![vec![Act::Nothing; game.cells]; game.rows.len()];
    let mut pass = 1;
    let mut settled = false;
    // Plays with one free bet are soon looked at, and come close.
    let mut together = 1;
    loop {
        let changed = solver.improve(&values, &mut policy, together, pass)?;
        pass += 1;
        if changed == 0 && together == 1 {
            together = TOGETHER;
            continue;
        }
        if changed == 0 && settled {
            break;
        }
        // Once nothing seems to change it is asked of the policy's own chances, from below.
        settled = changed == 0;
        if settled {
            values.iter_mut().for_each(|row| row.fill(0.0));
        }
        let sweeps = if settled { 100_000 } else { 200 };
        Chain::new(game, &policy, false).chances(&mut values, sweeps, 1e-17);
    }
    let bound = solver.bound(&values, pass)?;
    solver.break_ties(&values, &mut policy);
    let mut chances: Values = vec![vec![0.0; game.cells]; game.rows.len()];
    Chain::new(game, &policy, false).chances(&mut chances, 100_000, 1e-17);
    let mut rolls: Values = vec![vec![0.0; game.cells]; game.rows.len()];
    Chain::new(game, &policy, true).lasts(&mut rolls);
    let start = game.start();
    let turns = reached(game, &policy).into_iter().filter_map(|(row, cell)| {
        let (at, play) = resolved(&policy, row, cell)?;
        let from = &game.rows[row];
        Some(Turn {
            puck: game.pucks[from.puck],
            line: from.up,
            equity: Cents(game.equity(cell)),
            stakes: stakes(game, &game.rows[at], play),
            chance: chances[row][cell],
        })
    });
    let chance = chances[0][start];
    Some(Best {
        bets: game.bets.clone(),
        chance,
        bound: bound[0][start].max(chance),
        rolls: rolls[0][start],
        turns: turns.collect(),
    })
}

/// The play in a state once the line bet has come down to where it is wanted, and its row.
fn resolved(policy: &Policy, row: usize, cell: usize) -> Option<(usize, Play)> {
    match policy[row][cell] {
        Act::Play(play) => Some((row, play)),
        Act::Wait => Some((row, Play::WAIT)),
        Act::Down(to) => resolved(policy, to as usize, cell),
        Act::Nothing => None,
    }
}

/// Every state that a policy can come to, in order.
fn reached(game: &Game, policy: &Policy) -> BTreeSet<(usize, usize)> {
    let mut reached = BTreeSet::new();
    let mut queue = vec![(0, game.start())];
    while let Some((row, cell)) = queue.pop() {
        if game.is_done(&game.rows[row], cell) || !reached.insert((row, cell)) {
            continue;
        }
        let Some((at, play)) = resolved(policy, row, cell) else { continue };
        let leads = game.leads(&game.rows[at], cell, play);
        queue.extend(leads.map(|(_, to, cell)| (to, cell)));
    }
    reached
}

struct Solver<'a> {
    game: &'a Game,
    progress: &'a (dyn Fn(u32, f64) -> bool + Sync),
}

impl Solver<'_> {
    /// Does something for every row, on every core; nothing once it is told to stop.
    fn each_row<T: Send>(&self, pass: u32, work: impl Fn(usize) -> T + Sync) -> Option<Vec<T>> {
        let rows = self.game.rows.len();
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let done: Mutex<Vec<Option<T>>> = Mutex::new((0..rows).map(|_| None).collect());
        let hand = || {
            loop {
                let row = next.fetch_add(1, Ordering::Relaxed);
                if row >= rows || stopped.load(Ordering::Relaxed) {
                    return;
                }
                let made = work(row);
                done.lock().expect("nobody panics")[row] = Some(made);
                if !(self.progress)(pass, (row + 1) as f64 / rows as f64) {
                    stopped.store(true, Ordering::Relaxed);
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(hand);
            }
        });
        done.into_inner().expect("nobody panics").into_iter().collect()
    }

    /// Takes the best play in every state by these values, and gives how many acts that changed.
    fn improve(
        &self,
        values: &Values,
        policy: &mut Policy,
        together: usize,
        pass: u32,
    ) -> Option<usize> {
        let game = self.game;
        let old = &*policy;
        let best = self.each_row(pass, |place| {
            let row = &game.rows[place];
            let board = Board::new::<false>(game, row, together);
            (0..game.cells)
                .map(|cell| {
                    if game.is_done(row, cell) {
                        return (1.0, None);
                    }
                    let (mut value, mut best) = (0.0, None);
                    if let Act::Play(play) = old[place][cell] {
                        (value, best) = (self.value(values, place, cell, play), Some(play));
                    }
                    board.plays(values, cell, value + TIE, |found, play| {
                        (value, best) = (found, Some(play));
                        // Only what is more than rounding apart is better.
                        found + 1e-15
                    });
                    (value, best)
                })
                .collect::<Vec<(f64, Option<Play>)>>()
        })?;
        let mut changed = 0;
        let mut set = |policy: &mut Policy, row: usize, cell: usize, act: Act| {
            changed += usize::from(policy[row][cell] != act);
            policy[row][cell] = act;
        };
        let pucks = game.pucks.len();
        for cell in 0..game.cells {
            let was = (0..pucks).find(|puck| matches!(policy[*puck][cell], Act::Play(_)));
            let mut top = was.unwrap_or(0);
            for puck in 0..pucks {
                if best[puck][cell].0 > best[top][cell].0 + TIE {
                    top = puck;
                }
            }
            let (top_value, top_play) = best[top][cell];
            for puck in 0..pucks {
                let act = match top_play {
                    None => Act::Nothing,
                    Some(play) if puck == top => Act::Play(play),
                    Some(_) => Act::Wait,
                };
                set(policy, puck, cell, act);
            }
            // A line bet that may come down does where less of it is better.
            let mut less = (top_value, 0_u32);
            for (place, row) in game.rows.iter().enumerate().skip(pucks) {
                if row.line == 1 {
                    less = (top_value, row.puck as u32);
                }
                let (value, play) = best[place][cell];
                if !game.locks && less.0 > value + TIE {
                    set(policy, place, cell, Act::Down(less.1));
                    continue;
                }
                set(policy, place, cell, play.map_or(Act::Nothing, Act::Play));
                less = (value, place as u32);
            }
        }
        Some(changed)
    }

    /// What a play is worth by these values.
    fn value(&self, values: &Values, place: usize, cell: usize, play: Play) -> f64 {
        let pucks = self.game.pucks.len();
        let (mut sum, mut live) = (0.0, 0.0);
        for (chance, to, at) in self.game.leads(&self.game.rows[place], cell, play) {
            // Without a line bet it does not matter where the puck lies.
            let same = at == cell && (to == place || (to < pucks && place < pucks));
            if !same {
                sum += chance * values[to][at];
                live += chance;
            }
        }
        if live > 0.0 { sum / live } else { 0.0 }
    }

    /// Values that no play exceeds: a little above the policy's, where no play leads above them.
    fn bound(&self, values: &Values, pass: u32) -> Option<Values> {
        let game = self.game;
        let most = 2.0 * (game.equity(game.cells - 1) as f64);
        for apart in BOUNDS {
            let above: Values = game
                .rows
                .iter()
                .zip(values)
                .map(|(row, values)| {
                    let above = |(cell, value): (usize, &f64)| {
                        if game.is_done(row, cell) {
                            return 1.0;
                        }
                        // Bowed, so that every play that moves money leads to less of it.
                        let money = game.equity(cell) as f64 + row.worth;
                        value + apart * money * (2.0 * most - money) / (most * most)
                    };
                    values.iter().enumerate().map(above).collect()
                })
                .collect();
            let exceeded = AtomicBool::new(false);
            self.each_row(pass, |place| {
                let row = &game.rows[place];
                let board = Board::new::<false>(game, row, TOGETHER);
                for cell in (0..game.cells).filter(|cell| !game.is_done(row, *cell)) {
                    if exceeded.load(Ordering::Relaxed) {
                        return;
                    }
                    let floor = above[place][cell];
                    board.plays(&above, cell, floor + 1e-15, |_, _| {
                        exceeded.store(true, Ordering::Relaxed);
                        f64::INFINITY
                    });
                }
            })?;
            if !exceeded.into_inner() {
                return Some(above);
            }
        }
        let all = game.rows.iter().map(|_| vec![1.0; game.cells]);
        Some(all.collect())
    }

    /// Among plays that are equally good takes the one that counts, wherever the policy comes to.
    fn break_ties(&self, values: &Values, policy: &mut Policy) {
        let game = self.game;
        let mut rolls: Values = vec![vec![0.0; game.cells]; game.rows.len()];
        for _ in 0..60 {
            Chain::new(game, policy, true).lasts(&mut rolls);
            let mut changed = false;
            for (place, cell) in reached(game, policy) {
                let now = match policy[place][cell] {
                    Act::Play(play) => play,
                    Act::Wait => Play::WAIT,
                    Act::Down(_) | Act::Nothing => continue,
                };
                let play = self.first_of_equals(values, &rolls, (place, cell), now);
                if play != now {
                    policy[place][cell] = Act::Play(play);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The play that counts among those as good as the best there, of which `now` is one.
    fn first_of_equals(
        &self,
        values: &Values,
        rolls: &Values,
        (place, cell): (usize, usize),
        now: Play,
    ) -> Play {
        let game = self.game;
        let row = &game.rows[place];
        let contender = |play: Play| {
            let (mut sum, mut live) = (0.0, 0.0);
            for (chance, to, at) in game.leads(row, cell, play) {
                if (to, at) != (place, cell) {
                    sum += chance * rolls[to][at];
                    live += chance;
                }
            }
            Contender::new(game, row, play, (1.0 + sum) / live)
        };
        let mut first = contender(now);
        let floor = values[place][cell] - TIE;
        Board::new::<false>(game, row, TOGETHER).plays(values, cell, floor, |_, play| {
            let other = contender(play);
            if other.beats(&first, game, row) {
                first = other;
            }
            floor
        });
        first.play
    }
}
