//! Solving a chain: how often each state is visited and how each ending is reached, exactly.
//!
//! Most bets move forward or stay where they are, so states are taken in topological order and
//! each is one division. Where states can return to each other (a place bet that rests through
//! come-outs), the knot is solved as a small linear system.

use craps::Chain;

use crate::chance::{Ratio, ratio};

/// What a chain comes to, seen from its start.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The chance of each way to end, by label.
    pub endings: Vec<(u32, Ratio)>,
    /// The mean number of rolls on which the bet worked.
    pub rolls: Ratio,
    /// The chance that it ends at all: 1 for every bet that can be decided.
    pub decided: Ratio,
}

/// Why a chain has no solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NeverDecided;

impl std::fmt::Display for NeverDecided {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the bet can come into a state from which it is never decided")
    }
}

impl std::error::Error for NeverDecided {}

/// Solves a chain from state 0.
pub fn solve(chain: &Chain) -> Result<Solution, NeverDecided> {
    let visits = visits(chain)?;
    let mut endings: Vec<(u32, Ratio)> = Vec::new();
    let mut rolls = Ratio::ZERO;
    let mut decided = Ratio::ZERO;
    for (state, visits) in visits.iter().enumerate().filter(|(_, visits)| !visits.is_zero()) {
        for (weight, step) in chain.weighted(state as u32) {
            let chance = visits * ratio(i64::from(weight), 36);
            if chain.labels()[step.label as usize].working {
                rolls += &chance;
            }
            if step.next.is_none() {
                decided += &chance;
                match endings.iter_mut().find(|(label, _)| *label == step.label) {
                    Some((_, sum)) => *sum += chance,
                    None => endings.push((step.label, chance)),
                }
            }
        }
    }
    endings.sort_by_key(|(label, _)| *label);
    Ok(Solution { endings, rolls, decided })
}

/// The mean number of visits to each state.
fn visits(chain: &Chain) -> Result<Vec<Ratio>, NeverDecided> {
    let edges: Vec<Vec<(usize, Ratio)>> =
        (0..chain.len() as u32).map(|s| edges(chain, s)).collect();
    let mut inflow = vec![Ratio::ZERO; chain.len()];
    inflow[0] = Ratio::ONE;
    let mut visits = vec![Ratio::ZERO; chain.len()];
    for knot in knots(&edges) {
        for (state, count) in solve_knot(&knot, &edges, &inflow)? {
            for (next, chance) in &edges[state] {
                if !knot.contains(next) {
                    inflow[*next] += &count * chance;
                }
            }
            visits[state] = count;
        }
    }
    Ok(visits)
}

/// Where a state leads, with chances; endings left out.
fn edges(chain: &Chain, state: u32) -> Vec<(usize, Ratio)> {
    let mut weights: Vec<(usize, i64)> = Vec::new();
    for (weight, step) in chain.weighted(state) {
        let Some(next) = step.next.map(|next| next as usize) else { continue };
        match weights.iter_mut().find(|(known, _)| *known == next) {
            Some((_, sum)) => *sum += i64::from(weight),
            None => weights.push((next, i64::from(weight))),
        }
    }
    weights.into_iter().map(|(next, weight)| (next, ratio(weight, 36))).collect()
}

/// Visits within one knot: `v = inflow + vP`, solved by elimination.
fn solve_knot(
    knot: &[usize],
    edges: &[Vec<(usize, Ratio)>],
    inflow: &[Ratio],
) -> Result<Vec<(usize, Ratio)>, NeverDecided> {
    let place = |state: usize| knot.iter().position(|known| *known == state);
    let size = knot.len();
    // One row a state: (I - P transposed) and the inflow in the last column.
    let mut rows = vec![vec![Ratio::ZERO; size + 1]; size];
    for (row, state) in knot.iter().enumerate() {
        rows[row][row] += Ratio::ONE;
        rows[row][size] = inflow[*state].clone();
        for (next, chance) in &edges[*state] {
            if let Some(column) = place(*next) {
                rows[column][row] -= chance;
            }
        }
    }
    for pivot in 0..size {
        let found = (pivot..size).find(|row| !rows[*row][pivot].is_zero()).ok_or(NeverDecided)?;
        rows.swap(pivot, found);
        let divisor = rows[pivot][pivot].clone();
        rows[pivot][pivot..].iter_mut().for_each(|cell| *cell /= &divisor);
        let base = rows[pivot].clone();
        for (row, cells) in rows.iter_mut().enumerate() {
            if row != pivot && !cells[pivot].is_zero() {
                let factor = cells[pivot].clone();
                for (cell, from) in cells[pivot..].iter_mut().zip(&base[pivot..]) {
                    *cell -= from * &factor;
                }
            }
        }
    }
    Ok(knot.iter().zip(&rows).map(|(state, row)| (*state, row[size].clone())).collect())
}

/// Sets of states that can reach each other, in topological order (Tarjan, without recursion).
pub(crate) fn knots<W>(edges: &[Vec<(usize, W)>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let count = edges.len();
    let (mut index, mut low) = (vec![NEW; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut knots) = (Vec::new(), Vec::new());
    let mut visited = 0;
    let mut work: Vec<(usize, usize)> = vec![(0, 0)];
    while let Some((state, edge)) = work.pop() {
        if edge == 0 {
            (index[state], low[state]) = (visited, visited);
            visited += 1;
            stack.push(state);
            on_stack[state] = true;
        }
        match edges[state].get(edge) {
            Some((next, _)) if index[*next] == NEW => {
                work.push((state, edge + 1));
                work.push((*next, 0));
            }
            Some((next, _)) => {
                if on_stack[*next] {
                    low[state] = low[state].min(index[*next]);
                }
                work.push((state, edge + 1));
            }
            None => {
                if low[state] == index[state] {
                    let start = stack.iter().rposition(|known| *known == state);
                    let knot = stack.split_off(start.expect("a root lies on the stack"));
                    knot.iter().for_each(|state| on_stack[*state] = false);
                    knots.push(knot);
                }
                if let Some((parent, _)) = work.last() {
                    low[*parent] = low[*parent].min(low[state]);
                }
            }
        }
    }
    knots.reverse();
    knots
}

/// The chance that a bet has been decided after each number of rolls, up to `rolls`, as floats.
#[expect(clippy::float_arithmetic, reason = "a curve for reading; the mean is exact")]
pub fn decided_by(chain: &Chain, rolls: usize) -> Vec<f64> {
    let mut live = vec![0.0; chain.len()];
    live[0] = 1.0;
    let mut decided = vec![0.0];
    for _ in 0..rolls {
        let mut next = vec![0.0; chain.len()];
        let mut ended = *decided.last().unwrap_or(&0.0);
        for (state, chance) in live.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
            for (weight, step) in chain.weighted(state as u32) {
                let share = chance * f64::from(weight) / 36.0;
                match step.next {
                    Some(to) => next[to as usize] += share,
                    None => ended += share,
                }
            }
        }
        live = next;
        decided.push(ended);
    }
    decided
}
