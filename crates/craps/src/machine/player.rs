//! Who plays: anything that can be asked between two rolls.

use std::hash::Hash;

use super::desk::Desk;
use crate::refusal::Refusal;

/// Somebody with a plan. It is asked before the first roll and after every settlement, and what
/// it asks for may depend on nothing but the desk and its memory.
pub trait Player {
    /// What it remembers from roll to roll.
    type Memory: Clone + Eq + Hash;
    /// What can be wrong with it.
    type Fault;

    /// What it remembers before the first roll.
    fn memory(&self) -> Self::Memory;

    /// Asks the desk for what it wants.
    fn ask(&self, memory: &mut Self::Memory, desk: &mut Desk) -> Result<(), Self::Fault>;
}

/// A plan without memory can be a function.
///
/// ```
/// use craps::machine::{Desk, explore};
/// use craps::*;
/// use std::sync::Arc;
///
/// let rules = Arc::new(Rules::named(&Library::embedded(), &["presque-isle"])?);
/// let pass = rules.spot("pass").unwrap();
/// let plan = |desk: &mut Desk| desk.want(pass, Cents::dollars(10));
/// let explored = explore(&rules, &plan, &[], 1_000).ok().unwrap();
/// assert_eq!(explored.machine.len(), 7); // the come-out and six points
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl<F: Fn(&mut Desk) -> Result<(), Refusal>> Player for F {
    type Memory = ();
    type Fault = Refusal;

    fn memory(&self) {}

    fn ask(&self, (): &mut (), desk: &mut Desk) -> Result<(), Refusal> {
        self(desk)
    }
}

/// A player that remembers, made of what it first remembers and a function.
pub struct Remembering<M, F>(pub M, pub F);

impl<M, F> Player for Remembering<M, F>
where
    M: Clone + Eq + Hash,
    F: Fn(&mut M, &mut Desk) -> Result<(), Refusal>,
{
    type Memory = M;
    type Fault = Refusal;

    fn memory(&self) -> M {
        self.0.clone()
    }

    fn ask(&self, memory: &mut M, desk: &mut Desk) -> Result<(), Refusal> {
        self.1(memory, desk)
    }
}
