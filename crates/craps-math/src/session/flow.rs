//! A machine laid out for carrying chance: for each position, from where it comes.

use craps::dice::Combination;
use craps::machine::{Arrival, Edge, Machine, Piece, Then};

use super::{Over, Session};
use crate::stake::common_unit;

/// Chance that comes from another row, moved by some cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pull {
    /// The row it comes from.
    pub(super) from: u32,
    /// By how many cells equity moves.
    pub(super) shift: i32,
    /// The chance of the rolls that do so.
    pub(super) chance: f64,
    /// The cells it may come to.
    pub(super) low: i32,
    /// And the first above them.
    pub(super) high: i32,
}

/// Where chance goes with each roll.
pub(super) struct Flow {
    /// What equity moves in, in cents.
    pub(super) unit: i64,
    /// Into each position.
    pub(super) into: Vec<Vec<Pull>>,
    /// Into each position of the next shooter, where shooters are counted.
    pub(super) next: Vec<Vec<Pull>>,
    /// Into each end.
    pub(super) ends: [Vec<Pull>; Over::ALL.len()],
    /// The stakes decided by a roll in each position, on average, in cents.
    pub(super) action: Vec<f64>,
    /// What follows the table before the first roll.
    pub(super) start: Then,
}

impl Flow {
    /// Lays a machine out for a session; `by_shooter` keeps what a seven-out ends apart.
    pub(super) fn new(machine: &Machine, session: &Session, unit: i64, by_shooter: bool) -> Flow {
        let rows = machine.len();
        let mut flow = Flow {
            unit,
            into: vec![Vec::new(); rows],
            next: vec![Vec::new(); if by_shooter { rows } else { 0 }],
            ends: Default::default(),
            action: Vec::with_capacity(rows),
            start: machine.then(0, session.bankroll),
        };
        for row in 0..rows as u32 {
            let edges = machine.edges(row);
            let ways = |place: usize| Combination::all().nth(place).map_or(0, Combination::ways);
            let action = edges.iter().enumerate();
            let action = action.map(|(place, edge)| f64::from(ways(place)) * edge.action.0 as f64);
            flow.action.push(action.sum::<f64>() / 36.0);
        }
        each_pull(machine, session, unit, |pull, _, seven_out, target| match target {
            Ok(position) if by_shooter && seven_out => flow.next[position as usize].push(pull),
            Ok(position) => flow.into[position as usize].push(pull),
            Err(over) => flow.ends[over.index()].push(pull),
        });
        flow
    }

    /// The most pulls into one row.
    pub(super) fn widest(&self) -> usize {
        let all = self.into.iter().chain(&self.next).chain(&self.ends);
        all.map(Vec::len).max().unwrap_or(0)
    }
}

/// Every pull of a machine, with the arrival it comes by, whether the shooter sevens out, and the
/// position it leads to or the reason to stop.
pub(super) fn each_pull(
    machine: &Machine,
    session: &Session,
    unit: i64,
    mut each: impl FnMut(Pull, u32, bool, Result<u32, Over>),
) {
    for row in 0..machine.len() as u32 {
        // Rolls that do the same are one pull.
        let mut grouped: Vec<(Edge, u32)> = Vec::new();
        for (combination, edge) in Combination::all().zip(machine.edges(row)) {
            let alike = |other: &Edge| {
                (other.change, other.arrival, other.seven_out)
                    == (edge.change, edge.arrival, edge.seven_out)
            };
            match grouped.iter_mut().find(|(other, _)| alike(other)) {
                Some((_, ways)) => *ways += combination.ways(),
                None => grouped.push((*edge, combination.ways())),
            }
        }
        for (edge, ways) in grouped {
            // What lies beyond is refused before it is moved.
            let shift = (edge.change.0 / unit).clamp(i32::MIN.into(), i32::MAX.into()) as i32;
            let chance = f64::from(ways) / 36.0;
            let arrival = &machine.arrivals()[edge.arrival as usize];
            for (low, high, target) in pieces(arrival, session, unit) {
                let pull = Pull { from: row, shift, chance, low, high };
                each(pull, edge.arrival, edge.seven_out, target);
            }
        }
    }
}

/// The largest amount that every change of equity is a multiple of.
pub(super) fn unit<'a>(machines: impl IntoIterator<Item = &'a Machine>) -> i64 {
    common_unit(machines.into_iter().map(|machine| machine.unit().0))
}

/// What follows an arrival, cell by cell: from, below, and the position or the reason to stop.
fn pieces(arrival: &Arrival, session: &Session, unit: i64) -> Vec<(i32, i32, Result<u32, Over>)> {
    let cell = |equity: i64| {
        let away = equity.saturating_sub(session.bankroll.0);
        let cell = away.div_euclid(unit) + i64::from(away.rem_euclid(unit) != 0);
        cell.clamp(i32::MIN.into(), i32::MAX.into()) as i32
    };
    let mut pieces = Vec::new();
    let mut high = i32::MAX;
    for Piece { from, then } in session.pieces(arrival) {
        let low = cell(from.0);
        if low < high {
            pieces.push((low, high, then));
            high = low;
        }
    }
    pieces
}
