//! What a plan has been heard to ask: in a situation it cannot tell from an earlier one it asks for
//! the same, so nobody asks it again. A script is slow; remembering what it said is not.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use super::End;
use super::ask::{Position, Turn};
use super::desk::Asked;
use super::last::{Last, Question};
use super::player::Player;
use super::throw::Table;
use crate::hand::Hand;
use crate::layout::Layout;
use crate::money::Cents;
use crate::puck::Puck;
use crate::rules::Rules;
use crate::sight::Sight;
use crate::spot::Spot;
use crate::state::State;

/// A plan's bets and what it remembers, by a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) layout: Layout,
    pub(super) memory: u32,
    pub(super) leaving: bool,
}

/// What a plan asked for, and what comes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Nothing changes by it.
    pub(super) still: bool,
    pub(super) then: Result<Standing, End>,
    after: Hand,
    /// Chips from the rack to the layout.
    pub(super) chips: Cents,
    pub(super) asked: Vec<Asked>,
    /// By how much stakes that feed a meter grow, in order.
    pub(super) fed: Vec<(Spot, Cents)>,
}

/// A hand and a plan's bets in which it was asked.
struct Situation {
    hand: Hand,
    standing: Standing,
    answers: Vec<Answer>,
    /// Another situation with the same hash.
    next: Option<u32>,
}

/// What came of asking, and when it would again.
struct Answer {
    /// What it asked about the last roll, and heard.
    heard: Box<[(Question, i64)]>,
    /// The equities it holds for: from, and below.
    from: i64,
    below: i64,
    outcome: Rc<Outcome>,
}

/// Everything a plan has been heard to ask.
pub(super) struct Heard<M> {
    /// What of a hand the plan has ever looked at: hands that differ elsewhere are the same.
    sight: Sight,
    numbers: HashMap<M, u32>,
    memories: Vec<M>,
    situations: Vec<Situation>,
    /// How many answers there are in all of them.
    answers: usize,
    first: HashMap<u64, u32, BuildHasherDefault<AsItIs>>,
}

/// Plans that never come back to the same situation are forgotten now and then.
const SITUATIONS: usize = 1 << 17;
/// And those that ask of money or of rolls without end.
const ANSWERS: usize = 1 << 20;

impl<M: Clone + Eq + std::hash::Hash> Heard<M> {
    pub(super) fn new() -> Heard<M> {
        let (numbers, memories) = (HashMap::new(), Vec::new());
        let (situations, first) = (Vec::new(), HashMap::default());
        Heard { sight: Sight::NOTHING, numbers, memories, situations, answers: 0, first }
    }

    /// The number of a memory.
    pub(super) fn number(&mut self, memory: M) -> u32 {
        let memories = &mut self.memories;
        *self.numbers.entry(memory).or_insert_with_key(|memory| {
            memories.push(memory.clone());
            memories.len() as u32 - 1
        })
    }

    /// What the plan has been heard to ask for in this situation.
    #[inline]
    pub(super) fn find(
        &self,
        hand: &Hand,
        standing: &Standing,
        equity: i64,
        mut last: impl FnMut(Question) -> i64,
    ) -> Option<Rc<Outcome>> {
        let situation = &self.situations[self.situation(hand, standing)?];
        let answer = situation.answers.iter().find(|answer| {
            answer.from <= equity
                && equity < answer.below
                && answer.heard.iter().all(|(question, heard)| last(*question) == *heard)
        });
        answer.map(|answer| Rc::clone(&answer.outcome))
    }

    #[inline]
    fn situation(&self, hand: &Hand, standing: &Standing) -> Option<usize> {
        let mut place = self.first.get(&self.hash(hand, standing)).copied();
        while let Some(at) = place {
            let situation = &self.situations[at as usize];
            if situation.standing == *standing && self.sight.same(&situation.hand, hand) {
                return Some(at as usize);
            }
            place = situation.next;
        }
        None
    }

    /// The hand after an outcome: what the plan did not look at it did not change either.
    #[inline]
    pub(super) fn after(&self, outcome: &Outcome, hand: &mut Hand) {
        for tracker in self.sight.trackers() {
            hand.trackers[tracker] = outcome.after.trackers[tracker];
        }
    }

    /// Asks the plan, and remembers what it asked for.
    pub(super) fn ask<P: Player<Memory = M>>(
        &mut self,
        rules: &Arc<Rules>,
        player: &P,
        hand: &Hand,
        standing: &Standing,
        equity: i64,
        last: &Rc<Last>,
    ) -> Result<Rc<Outcome>, P::Fault> {
        let state = State { hand: *hand, layout: standing.layout.clone() };
        let position = Position {
            table: Table { state, cap_used: Cents::ZERO },
            memory: self.memories[standing.memory as usize].clone(),
            leaving: standing.leaving,
        };
        let turn = position.turn(rules, player, last, equity)?;
        let Turn { from, below, then, hand: after, asked, questions, sight, fed } = turn;
        let sight = self.sight.and(sight);
        let full = self.situations.len() >= SITUATIONS || self.answers >= ANSWERS;
        if sight != self.sight || full {
            // What was kept under a narrower look could be taken for something else.
            self.sight = sight;
            self.situations.clear();
            self.answers = 0;
            self.first.clear();
        }
        let then = then.map(|position| Standing {
            layout: position.table.state.layout,
            memory: self.number(position.memory),
            leaving: position.leaving,
        });
        let chips = asked.iter().filter_map(|(_, answer)| answer.as_ref().ok()).copied().sum();
        let moved = asked.iter().any(|(_, answer)| answer.is_ok());
        let still = !moved && then.as_ref() == Ok(standing);
        let outcome = Outcome { still, then, after, chips, asked, fed };
        let heard = questions.into_iter().map(|question| (question, last.answer(question)));
        let situation = self.situation(hand, standing).unwrap_or_else(|| {
            let place = self.situations.len();
            let next = self.first.insert(self.hash(hand, standing), place as u32);
            let (hand, standing, answers) = (*hand, standing.clone(), Vec::new());
            self.situations.push(Situation { hand, standing, answers, next });
            place
        });
        let answers = &mut self.situations[situation].answers;
        // Rolls that a plan can tell apart seldom make it ask for something else.
        let same = answers.iter().map(|answer| &answer.outcome).find(|same| ***same == outcome);
        let outcome = same.map_or_else(|| Rc::new(outcome), Rc::clone);
        let kept = Rc::clone(&outcome);
        answers.push(Answer { heard: heard.collect(), from, below, outcome: kept });
        self.answers += 1;
        Ok(outcome)
    }

    #[inline]
    fn hash(&self, hand: &Hand, standing: &Standing) -> u64 {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let mut hash = 0u64;
        let mut mix = |value: u64| hash = (hash.rotate_left(5) ^ value).wrapping_mul(ODD);
        let puck = match hand.puck {
            Puck::Off => 0,
            Puck::On(total) => u64::from(total.number()),
        };
        mix(u64::from(standing.memory) << 8 | puck << 1 | u64::from(standing.leaving));
        for bet in standing.layout.bets() {
            let call = bet.call as u64;
            mix((bet.stake.0 as u64) << 10 ^ (bet.spot.index() as u64) << 2 ^ call);
        }
        if self.sight.sees_memory() {
            mix(u64::from(hand.seen.bits()) << 2 | hand.begun as u64);
        }
        for tracker in self.sight.trackers() {
            mix(hand.trackers[tracker].word());
        }
        hash ^ hash >> 32
    }
}

/// A hash that is used as it is.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole numbers are hashed");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
