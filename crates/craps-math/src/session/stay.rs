//! Bets that have to stay when time is up: what they are worth, and how they are played out.

use craps::Cents;
use craps::dice::Combination;
use craps::machine::{Machine, RunOut, Then};

use super::flow::{Flow, Pull, each_pull};
use super::rows::Row;
use super::{Length, Session, Stayed};

/// They are followed until no more than this is undecided.
const DECIDED: f64 = 1e-15;
/// Averages are solved until they move by less than this, in cents.
const SETTLED: f64 = 1e-9;

/// The last roll, after which what has to stay is played out.
pub(super) struct LastRoll<'a> {
    run_out: &'a RunOut,
    flow: Flow,
    /// From the rows of the session into those that are played out.
    into: Vec<Vec<Pull>>,
    /// And what has nothing that has to stay.
    free: Vec<Pull>,
}

/// What has to stay, played out.
pub(super) struct Played {
    pub(super) equity: Row,
    /// The roundings that a chance went through meanwhile.
    pub(super) roundings: u64,
    /// Chance that was not decided when it was small enough, and counts at face.
    pub(super) undecided: f64,
}

impl<'a> LastRoll<'a> {
    pub(super) fn new(
        machine: &Machine,
        run_out: &'a RunOut,
        session: &Session,
        unit: i64,
    ) -> LastRoll<'a> {
        // No stop is asked for any more, only the dice.
        let open = Session { length: Length::Open, goal: None, floor: None, ..*session };
        let flow = Flow::new(&run_out.machine, &open, unit, false);
        let mut into = vec![Vec::new(); run_out.machine.len()];
        let mut free = Vec::new();
        each_pull(machine, session, unit, |pull, arrival, _, target| {
            if target.is_ok() {
                match run_out.machine.then(run_out.starts[arrival as usize], Cents::ZERO) {
                    Then::Roll(position) => into[position as usize].push(pull),
                    Then::End(_) => free.push(pull),
                }
            }
        });
        LastRoll { run_out, flow, into, free }
    }

    /// What becomes of the bets that will have to stay after the next roll of these rows.
    pub(super) fn stayed(&self, rows: &[Row]) -> Stayed {
        let mut all = Stayed::default();
        for (pulls, ahead) in self.into.iter().zip(ahead(&self.run_out.machine)) {
            let chance: f64 = pulls.iter().map(|pull| pull.brings(rows)).sum();
            all.worth += chance * ahead.worth;
            all.action += chance * ahead.action;
        }
        all
    }

    /// The equity after the next roll of these rows, with everything that has to stay played out.
    pub(super) fn played(&self, rows: &[Row]) -> Played {
        let mut ended = Row::default();
        ended.add(&self.free, rows);
        let mut staying: Vec<Row> =
            self.into.iter().map(|pulls| Row::filled(pulls, rows)).collect();
        let mut spare = vec![Row::default(); staying.len()];
        // All pulls of the last roll, which are not those of the session.
        let last = self.into.iter().chain([&self.free]).map(Vec::len).max().unwrap_or(0);
        let mut roundings = last as u64 + 1;
        while staying.iter().map(Row::sum).sum::<f64>() > DECIDED {
            // Into one row for all ends there are as many as into all of them.
            let ends: usize = self.flow.ends.iter().map(Vec::len).sum();
            roundings += self.flow.widest().max(ends) as u64 + 1;
            for pulls in &self.flow.ends {
                ended.add(pulls, &staying);
            }
            for (row, pulls) in spare.iter_mut().zip(&self.flow.into) {
                row.fill(pulls, &staying);
            }
            std::mem::swap(&mut staying, &mut spare);
        }
        let undecided = staying.iter().map(Row::sum).sum();
        staying.iter().for_each(|row| ended.join(row));
        roundings += staying.len() as u64;
        Played { equity: ended, roundings, undecided }
    }
}

/// What is still to come in each position, on average, until all is decided.
fn ahead(machine: &Machine) -> Vec<Stayed> {
    let mut all = vec![Stayed::default(); machine.len()];
    loop {
        let mut moved: f64 = 0.0;
        for position in 0..machine.len() {
            let mut ahead = Stayed::default();
            for (combination, edge) in Combination::all().zip(machine.edges(position as u32)) {
                let chance = f64::from(combination.ways()) / 36.0;
                // What follows does not depend on money: nothing is asked for.
                let after = match machine.then(edge.arrival, Cents::ZERO) {
                    Then::Roll(next) => all[next as usize],
                    Then::End(_) => Stayed::default(),
                };
                ahead.worth += chance * (edge.change.0 as f64 + after.worth);
                ahead.action += chance * (edge.action.0 as f64 + after.action);
            }
            let before = std::mem::replace(&mut all[position], ahead);
            moved = moved.max((ahead.worth - before.worth).abs());
            moved = moved.max((ahead.action - before.action).abs());
        }
        if moved < SETTLED {
            return all;
        }
    }
}
