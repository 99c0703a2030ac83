//! What a policy comes to: the chance to reach the goal with it, and the rolls that takes.

use super::game::Game;
use super::plays::{Play, Values};

/// What is done in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    /// Bet this.
    Play(Play),
    /// Bet nothing until the puck lies elsewhere.
    Wait,
    /// Take the line bet down to what it is in this row.
    Down(u32),
    /// Nothing can be bet that would help.
    Nothing,
}

/// An act for every state, row by row.
pub(super) type Policy = Vec<Vec<Act>>;

/// Where a policy leads from every state that is not over: chances and states, one after another.
pub(super) struct Chain {
    /// Where the leads of each state begin.
    first: Vec<u32>,
    leads: Vec<(f64, u32)>,
    /// What every step costs, in rolls.
    rolls: Vec<f64>,
    done: Vec<bool>,
    cells: usize,
}

impl Chain {
    /// Lays a policy out. With `waiting` whoever waits waits through the rolls; without it they
    /// are where they wait for at once.
    pub(super) fn new(game: &Game, policy: &Policy, waiting: bool) -> Chain {
        let cells = game.cells;
        let mut chain =
            Chain { first: vec![0], leads: Vec::new(), rolls: Vec::new(), done: Vec::new(), cells };
        for (place, row) in game.rows.iter().enumerate() {
            for (cell, act) in policy[place].iter().enumerate() {
                let done = game.is_done(row, cell);
                chain.done.push(done);
                let own = (place * cells + cell) as u32;
                let mut rolls = 0.0;
                let act = if done { Act::Nothing } else { *act };
                let play = match act {
                    Act::Play(play) => Some(play),
                    Act::Wait if waiting => Some(Play::WAIT),
                    Act::Wait => {
                        let acts = |puck: &usize| matches!(policy[*puck][cell], Act::Play(_));
                        let puck = (0..game.pucks.len()).find(acts);
                        let puck = puck.expect("somebody who waits bets somewhere");
                        chain.leads.push((1.0, (puck * cells + cell) as u32));
                        None
                    }
                    Act::Down(to) => {
                        chain.leads.push((1.0, to * cells as u32 + cell as u32));
                        None
                    }
                    Act::Nothing => None,
                };
                if let Some(play) = play {
                    let leads = game.leads(row, cell, play);
                    let leads = leads.map(|(chance, to, at)| (chance, (to * cells + at) as u32));
                    let away: Vec<(f64, u32)> = leads.filter(|(_, to)| *to != own).collect();
                    let live: f64 = away.iter().map(|(chance, _)| chance).sum();
                    chain.leads.extend(away.iter().map(|(chance, to)| (chance / live, *to)));
                    rolls = 1.0 / live;
                }
                chain.rolls.push(rolls);
                chain.first.push(chain.leads.len() as u32);
            }
        }
        chain
    }

    /// The chance to reach the goal from every state, from below; `values` are where it starts.
    pub(super) fn chances(&self, values: &mut Values, sweeps: usize, moved: f64) {
        let goal: Vec<f64> = self.done.iter().map(|done| f64::from(u8::from(*done))).collect();
        self.solve(values, &goal, &vec![0.0; goal.len()], sweeps, moved);
    }

    /// The rolls until it is over, on average, from every state.
    pub(super) fn lasts(&self, values: &mut Values) {
        self.solve(values, &vec![0.0; self.done.len()], &self.rolls, 100_000, 1e-10);
    }

    /// Averages what the leads bring and adds the cost, until nothing moves by more than `moved`.
    fn solve(&self, values: &mut Values, ends: &[f64], costs: &[f64], sweeps: usize, moved: f64) {
        let mut flat: Vec<f64> = values.concat();
        for state in (0..flat.len()).filter(|state| self.first[*state] == self.first[*state + 1]) {
            flat[state] = ends[state];
        }
        for sweep in 0..sweeps {
            let mut most: f64 = 0.0;
            let mut step = |state: usize| {
                let leads = self.first[state] as usize..self.first[state + 1] as usize;
                if leads.is_empty() {
                    return;
                }
                let leads = &self.leads[leads];
                let sum: f64 = leads.iter().map(|(chance, to)| chance * flat[*to as usize]).sum();
                let value = sum + costs[state];
                most = most.max((value - flat[state]).abs());
                flat[state] = value;
            };
            if sweep % 2 == 0 {
                (0..self.done.len()).for_each(&mut step);
            } else {
                (0..self.done.len()).rev().for_each(&mut step);
            }
            if most <= moved {
                break;
            }
        }
        for (row, cells) in values.iter_mut().zip(flat.chunks(self.cells)) {
            row.copy_from_slice(cells);
        }
    }
}
