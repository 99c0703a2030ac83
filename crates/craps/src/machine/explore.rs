//! Walking a plan through the engine, breadth first, so that the same plan always makes the same
//! machine.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::ask::Position;
use super::desk::Desk;
use super::last::{Last, Question};
use super::player::Player;
use super::throw::{Table, land};
use super::{Arrival, Branch, Edge, Machine, Then, idle};
use crate::dice::Combination;
use crate::money::Cents;
use crate::rules::Rules;
use crate::settle::Settlement;

/// A machine, and what its positions stand for.
pub struct Explored<M> {
    /// The machine.
    pub machine: Machine,
    /// The positions, in its order.
    pub positions: Vec<Position<M>>,
    /// The table that each arrival finds, before the plan is asked.
    pub settled: Vec<Table>,
}

/// Why a plan could not be explored.
pub enum Unexplored<P: Player> {
    /// The plan is at fault, asked in this position after a roll.
    Fault(Box<Position<P::Memory>>, P::Fault),
    /// It has more positions than allowed: those found so far.
    TooMany(Vec<Position<P::Memory>>),
}

/// Explores a plan from an empty table, where each meter of the rules pays a fixed amount.
pub fn explore<P: Player>(
    rules: &Arc<Rules>,
    player: &P,
    meters: &[Cents],
    limit: usize,
) -> Result<Explored<P::Memory>, Unexplored<P>> {
    assert_eq!(meters.len(), rules.meters().len(), "every meter has an amount");
    let mut explorer = Explorer::new(rules, player);
    let start = Position { table: Table::default(), memory: player.memory(), leaving: false };
    explorer.arrive(start, &Rc::default())?;
    Ok(idle::ended(explorer.walk(meters, limit)?))
}

/// What becomes of the bets that have to stay when a player leaves: a machine of its own, which
/// asks for nothing.
pub struct RunOut {
    /// The positions with what has to stay, until all of it is decided.
    pub machine: Machine,
    /// Where it starts from each of the tables, by its place in the machine's arrivals.
    pub starts: Vec<u32>,
}

/// Leaves each of these tables and plays out what has to stay; nothing where that takes more than
/// `limit` positions.
pub fn run_out(
    rules: &Arc<Rules>,
    tables: &[Table],
    meters: &[Cents],
    limit: usize,
) -> Option<RunOut> {
    // It has left already, and is not asked.
    let nobody = |_: &mut Desk| Ok(());
    let mut explorer = Explorer::new(rules, &nobody);
    let leaving = |table: &Table| Position { table: table.clone(), memory: (), leaving: true };
    let last = Rc::default();
    let starts = tables.iter().map(|table| explorer.arrive(leaving(table), &last));
    let starts = starts.collect::<Result<_, _>>().ok()?;
    Some(RunOut { machine: explorer.walk(meters, limit).ok()?.machine, starts })
}

/// The questions a plan asked about a roll with their answers, and the arrival that made.
type Heard = (Vec<(Question, i64)>, u32);

struct Explorer<'a, P: Player> {
    rules: &'a Arc<Rules>,
    player: &'a P,
    known: HashMap<Position<P::Memory>, u32>,
    /// Where the plan has been asked after a roll.
    heard: HashMap<Position<P::Memory>, Vec<Heard>>,
    arrivals: Vec<Arrival>,
    positions: Vec<Position<P::Memory>>,
    settled: Vec<Table>,
}

impl<'a, P: Player> Explorer<'a, P> {
    fn new(rules: &'a Arc<Rules>, player: &'a P) -> Explorer<'a, P> {
        let (known, heard) = (HashMap::new(), HashMap::new());
        let (arrivals, positions, settled) = (Vec::new(), Vec::new(), Vec::new());
        Explorer { rules, player, known, heard, arrivals, positions, settled }
    }

    /// Rolls from every position found, until no more are found.
    fn walk(
        mut self,
        meters: &[Cents],
        limit: usize,
    ) -> Result<Explored<P::Memory>, Unexplored<P>> {
        let mut edges = Vec::new();
        let mut settlement = Settlement::default();
        while let Some(position) = self.positions.get(edges.len()).cloned() {
            let mut rolls = Vec::with_capacity(Combination::COUNT);
            for combination in Combination::all() {
                let roll = combination.roll();
                let landed = land(self.rules, meters, &position.table, roll, &mut settlement);
                let memory = position.memory.clone();
                let settled = Position { table: landed.table, memory, leaving: position.leaving };
                rolls.push(Edge {
                    change: landed.change,
                    action: landed.action,
                    arrival: self.arrive(settled, &Rc::new(landed.last))?,
                    seven_out: landed.seven_out,
                });
            }
            edges.push(rolls.try_into().expect("there are as many rolls as combinations"));
            if self.positions.len() > limit {
                return Err(Unexplored::TooMany(self.positions));
            }
        }
        let Explorer { arrivals, positions, settled, .. } = self;
        Ok(Explored { machine: Machine { arrivals, positions: edges }, positions, settled })
    }

    /// Asks the plan after a roll, unless it was asked after one that it cannot tell from this.
    fn arrive(
        &mut self,
        settled: Position<P::Memory>,
        last: &Rc<Last>,
    ) -> Result<u32, Unexplored<P>> {
        let alike = |heard: &&Heard| {
            heard.0.iter().all(|(question, answer)| last.answer(*question) == *answer)
        };
        let heard = self.heard.get(&settled).and_then(|heard| heard.iter().find(alike));
        if let Some((_, arrival)) = heard {
            return Ok(*arrival);
        }
        let mut branches: Vec<Branch> = Vec::new();
        let (known, positions) = (&mut self.known, &mut self.positions);
        let questions = settled.turns(self.rules, self.player, last, |from, then| {
            let then = match then {
                Ok(position) => Then::Roll(*known.entry(position).or_insert_with_key(|position| {
                    positions.push(position.clone());
                    positions.len() as u32 - 1
                })),
                Err(end) => Then::End(end),
            };
            match branches.last_mut() {
                Some(higher) if higher.then == then => higher.from = from,
                _ => branches.push(Branch { from, then }),
            }
        });
        let questions = match questions {
            Ok(questions) => questions,
            Err(fault) => return Err(Unexplored::Fault(Box::new(settled), fault)),
        };
        let arrival = self.arrivals.len() as u32;
        self.arrivals.push(Arrival { locked: settled.locked(self.rules), branches });
        self.settled.push(settled.table.clone());
        let answers = questions.into_iter().map(|question| (question, last.answer(question)));
        self.heard.entry(settled).or_default().push((answers.collect(), arrival));
        Ok(arrival)
    }
}
