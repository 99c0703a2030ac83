//! Asking a plan what it wants, once and for every equity.

use std::rc::Rc;
use std::sync::Arc;

use super::desk::{Answered, Asked, Desk, RICH};
use super::last::{Last, Question};
use super::player::Player;
use super::throw::Table;
use super::{End, Then};
use crate::action::is_locked;
use crate::hand::Hand;
use crate::money::Cents;
use crate::rules::Rules;
use crate::sight::Sight;
use crate::spot::Spot;

/// Where a plan is between two rolls.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position<M> {
    /// The table.
    pub table: Table,
    /// What the plan remembers.
    pub memory: M,
    /// Whether it has left, and only plays out what had to stay.
    pub leaving: bool,
}

/// What a plan asked for with one equity, and from which equity on it would have asked the same.
pub(super) struct Turn<M> {
    pub(super) from: i64,
    /// And below which.
    pub(super) below: i64,
    pub(super) then: Result<Position<M>, End>,
    /// What the table shares afterwards, also where the plan has ended.
    pub(super) hand: Hand,
    pub(super) asked: Vec<Asked>,
    pub(super) questions: Vec<Question>,
    /// What of the hand it looked at.
    pub(super) sight: Sight,
    /// By how much stakes that feed a meter have grown, in order.
    pub(super) fed: Vec<(Spot, Cents)>,
}

impl<M: Clone> Position<M> {
    /// Chips that are up and have to stay until they are decided.
    pub(super) fn locked(&self, rules: &Rules) -> Cents {
        let state = &self.table.state;
        let locked = state.layout.bets().iter();
        let locked = locked.filter(|bet| is_locked(rules, &state.hand, bet.spot));
        locked.map(|bet| bet.outlay()).sum()
    }

    /// Asks `player` after a roll that left this position, with so much in all.
    pub(super) fn turn<P: Player<Memory = M>>(
        &self,
        rules: &Arc<Rules>,
        player: &P,
        last: &Rc<Last>,
        equity: i64,
    ) -> Result<Turn<M>, P::Fault> {
        let mut memory = self.memory.clone();
        let mut desk =
            Desk::new(Arc::clone(rules), self.table.state.clone(), Rc::clone(last), equity);
        if self.leaving {
            desk.leave();
        } else {
            player.ask(&mut memory, &mut desk)?;
        }
        let answered = desk.answered();
        let Answered { state, questions, asked, from, below, sight, fed, short, leaving } =
            answered;
        let hand = state.hand;
        let then = match state.layout.is_empty() {
            true if leaving => Err(End::Left),
            true if short => Err(End::Ruined),
            _ => {
                let table = Table { state, cap_used: self.table.cap_used };
                Ok(Position { table, memory, leaving })
            }
        };
        Ok(Turn { from, below, then, hand, asked, questions, sight, fed })
    }

    /// Asks `player` for every equity, the highest first, and hands each answer to `hear`; gives
    /// the questions it asked about the last roll.
    pub(super) fn turns<P: Player<Memory = M>>(
        &self,
        rules: &Arc<Rules>,
        player: &P,
        last: &Rc<Last>,
        mut hear: impl FnMut(Cents, Result<Position<M>, End>),
    ) -> Result<Vec<Question>, P::Fault> {
        // The rack is never below nothing.
        let least = self.table.state.layout.outlay().0;
        let mut questions: Vec<Question> = Vec::new();
        let mut equity = RICH;
        loop {
            let turn = self.turn(rules, player, last, equity)?;
            let fresh = turn.questions.into_iter().filter(|asked| !questions.contains(asked));
            questions.extend(fresh.collect::<Vec<_>>());
            let all = turn.from <= least;
            hear(if all { Cents(i64::MIN) } else { Cents(turn.from) }, turn.then);
            if all {
                return Ok(questions);
            }
            equity = turn.from - 1;
        }
    }
}

impl Then {
    /// Whether the dice roll on.
    pub(super) fn position(self) -> Option<u32> {
        match self {
            Then::Roll(position) => Some(position),
            Then::End(_) => None,
        }
    }
}
