//! Walking a plan through the engine, breadth first, so that the same plan always makes the same
//! machine.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::ask::Position;
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
    let mut explorer = Explorer {
        rules,
        player,
        known: HashMap::new(),
        heard: HashMap::new(),
        arrivals: Vec::new(),
        positions: Vec::new(),
    };
    let start = Position { table: Table::default(), memory: player.memory(), leaving: false };
    explorer.arrive(start, &Rc::default())?;
    let mut edges = Vec::new();
    let mut settlement = Settlement::default();
    while let Some(position) = explorer.positions.get(edges.len()).cloned() {
        let mut rolls = Vec::with_capacity(Combination::COUNT);
        for combination in Combination::all() {
            let roll = combination.roll();
            let landed = land(rules, meters, &position.table, roll, &mut settlement);
            let memory = position.memory.clone();
            let settled = Position { table: landed.table, memory, leaving: position.leaving };
            rolls.push(Edge {
                change: landed.change,
                action: landed.action,
                arrival: explorer.arrive(settled, &Rc::new(landed.last))?,
                seven_out: landed.seven_out,
            });
        }
        edges.push(rolls.try_into().expect("there are as many rolls as combinations"));
        if explorer.positions.len() > limit {
            return Err(Unexplored::TooMany(explorer.positions));
        }
    }
    let Explorer { arrivals, positions, .. } = explorer;
    Ok(idle::ended(Explored { machine: Machine { arrivals, positions: edges }, positions }))
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
}

impl<P: Player> Explorer<'_, P> {
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
        let answers = questions.into_iter().map(|question| (question, last.answer(question)));
        self.heard.entry(settled).or_default().push((answers.collect(), arrival));
        Ok(arrival)
    }
}
