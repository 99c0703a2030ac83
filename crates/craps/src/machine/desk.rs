//! The desk a plan sits at between two rolls: what it sees, what it may ask, and the money it has.
//!
//! Money is seen by comparison only. The desk answers for one amount and notes the interval on
//! which it would have answered the same, so that one run of a plan stands for every bankroll
//! in it.

use std::rc::Rc;
use std::sync::Arc;

use super::last::{Last, Question};
use crate::action::{Action, act, even};
use crate::dice::Total;
use crate::hand::Hand;
use crate::layout::Layout;
use crate::money::{Cents, Multiple};
use crate::puck::Puck;
use crate::refusal::{NotNow, Refusal};
use crate::rules::Rules;
use crate::sight::Sight;
use crate::spot::{OnOff, Spot, WagerId};
use crate::state::State;
use crate::tracker::{Riding, Tracker};
use crate::wager::Shape;
use crate::window::{looks_at, number_of};

/// So much money that every ask can be paid: what a plan is first asked with.
pub(super) const RICH: i64 = i64::MAX / 4;

/// Something a plan asked for, and what became of it: the chips that moved, or why none did.
pub type Asked = (Action, Result<Cents, Refusal>);

/// What a plan sees and asks between two rolls.
pub struct Desk {
    rules: Arc<Rules>,
    state: State,
    last: Rc<Last>,
    questions: Vec<Question>,
    asked: Vec<Asked>,
    equity: i64,
    /// The answers hold from here.
    from: i64,
    /// And below here.
    below: i64,
    short: bool,
    leaving: bool,
    /// What of the hand it has shown.
    sight: Sight,
    /// By how much stakes that feed a meter have grown, in order.
    fed: Vec<(Spot, Cents)>,
}

/// A desk when the plan is done with it.
pub(super) struct Answered {
    pub(super) state: State,
    pub(super) questions: Vec<Question>,
    pub(super) asked: Vec<Asked>,
    pub(super) from: i64,
    pub(super) below: i64,
    pub(super) sight: Sight,
    pub(super) fed: Vec<(Spot, Cents)>,
    /// An ask could not be paid.
    pub(super) short: bool,
    pub(super) leaving: bool,
}

impl Desk {
    pub(super) fn new(rules: Arc<Rules>, state: State, last: Rc<Last>, equity: i64) -> Desk {
        let (from, below) = (i64::MIN, i64::MAX);
        let (questions, asked) = (Vec::new(), Vec::new());
        let (short, leaving) = (false, false);
        let (sight, fed) = (Sight::NOTHING, Vec::new());
        Desk {
            rules,
            state,
            last,
            questions,
            asked,
            equity,
            from,
            below,
            short,
            leaving,
            sight,
            fed,
        }
    }

    pub(super) fn answered(self) -> Answered {
        let Desk { state, questions, asked, from, below, short, leaving, sight, fed, .. } = self;
        Answered { state, questions, asked, from, below, sight, fed, short, leaving }
    }

    /// The desk itself, for a plan that cannot borrow it; it is handed back by assignment.
    #[must_use]
    pub fn lend(&mut self) -> Desk {
        let state = State::default();
        let empty = Desk::new(Arc::clone(&self.rules), state, Rc::clone(&self.last), 0);
        std::mem::replace(self, empty)
    }

    /// The rules of the table.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Where the puck lies.
    pub fn puck(&self) -> Puck {
        self.state.hand.puck
    }

    /// What the table shares.
    pub fn hand(&mut self) -> &Hand {
        self.sight = Sight::ALL;
        &self.state.hand
    }

    /// The bets up, with the asks made so far.
    pub fn layout(&self) -> &Layout {
        &self.state.layout
    }

    /// How much is up on a spot.
    pub fn up(&self, spot: Spot) -> Cents {
        self.state.layout.bet(spot).map_or(Cents::ZERO, |bet| bet.stake)
    }

    /// How many bets of a wager are up, on whatever numbers.
    pub fn count(&self, wager: WagerId) -> usize {
        let bets = self.state.layout.bets().iter();
        bets.filter(|bet| self.rules.spot_rule(bet.spot).wager == wager).count()
    }

    /// All stakes up.
    pub fn at_risk(&self) -> Cents {
        self.state.layout.bets().iter().map(|bet| bet.stake).sum()
    }

    /// Whether a side bet has survived a roll.
    pub fn riding(&mut self, spot: Spot) -> bool {
        self.tracker(spot).is_some_and(|tracker| tracker.riding == Riding::Standing)
    }

    /// Whether the lammer of a side bet lies on a total.
    pub fn mark(&mut self, spot: Spot, total: Total) -> bool {
        self.tracker(spot).is_some_and(|tracker| tracker.is_marked(total))
    }

    fn tracker(&mut self, spot: Spot) -> Option<Tracker> {
        let place = self.rules.tracker_at(spot)?;
        self.sight = self.sight.and(Sight::tracker(place));
        Some(self.state.hand.trackers[place])
    }

    /// What was asked for so far, and what became of it.
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// What is asked about the last roll.
    pub fn last(&mut self, question: Question) -> i64 {
        if !self.questions.contains(&question) {
            self.questions.push(question);
        }
        self.last.answer(question)
    }

    /// Whether the bankroll, chips on the felt included, is at least this.
    pub fn bankroll_reaches(&mut self, amount: Cents) -> bool {
        self.reaches(amount.0)
    }

    /// Whether the chips in the rack are at least this.
    pub fn rack_reaches(&mut self, amount: Cents) -> bool {
        self.reaches(amount.0.saturating_add(self.state.layout.outlay().0))
    }

    /// How many whole shares of so much the rack holds, counted to `most`.
    pub fn shares_of_rack(&mut self, share: Cents, most: u16) -> u16 {
        assert!(share > Cents::ZERO, "a share is an amount");
        let up = self.state.layout.outlay().0;
        let held = (self.equity - up).max(0) / share.0;
        let shares = held.min(i64::from(most)) as u16;
        // Both ends are asked, so that the interval is noted.
        if shares > 0 {
            self.reaches(up + share.0 * i64::from(shares));
        }
        if shares < most {
            self.reaches(up + share.0 * (i64::from(shares) + 1));
        }
        shares
    }

    fn reaches(&mut self, equity: i64) -> bool {
        let reaches = self.equity >= equity;
        if reaches {
            self.from = self.from.max(equity);
        } else {
            self.below = self.below.min(equity);
        }
        reaches
    }

    /// Brings a bet to this amount, up or down. Silent where it is not the time for it, and where
    /// the bet has to stay; a bet that the rack cannot pay is left out.
    pub fn want(&mut self, spot: Spot, amount: Cents) -> Result<(), Refusal> {
        let up = self.up(spot);
        if amount == up {
            return Ok(());
        }
        let action = match amount < up {
            true if amount == Cents::ZERO => Action::Take { spot, amount: None },
            true => Action::Take { spot, amount: Some(up - amount) },
            false if self.would_be_put_bet(spot) => return Ok(()),
            false => Action::Put { spot, amount: amount - up },
        };
        match self.ask(action) {
            Err(Refusal::NotNow { why, .. }) if why != NotNow::Travel => Ok(()),
            Err(Refusal::Locked { .. } | Refusal::ShortRack { .. }) => Ok(()),
            asked => asked,
        }
    }

    /// A line bet made after its come-out gives up its best roll: nobody wants one by default.
    fn would_be_put_bet(&self, spot: Spot) -> bool {
        let line = matches!(self.rules.wager_at(spot).shape, Shape::Line { travels: false, .. });
        line && !self.state.hand.puck.is_off()
    }

    /// Puts this much more on a spot; only a rack that cannot pay is no fault.
    pub fn put(&mut self, spot: Spot, amount: Cents) -> Result<(), Refusal> {
        self.ask(Action::Put { spot, amount }).or_else(|refusal| match refusal {
            Refusal::ShortRack { .. } => Ok(()),
            refusal => Err(refusal),
        })
    }

    /// Takes a bet down, where there is one and it may come down.
    pub fn take(&mut self, spot: Spot) -> Result<(), Refusal> {
        self.want(spot, Cents::ZERO)
    }

    /// Calls a bet on or off, where there is one and it is not called so already.
    pub fn call(&mut self, spot: Spot, call: OnOff) -> Result<(), Refusal> {
        match self.state.layout.bet(spot) {
            Some(bet) if bet.call != call => self.ask(Action::Call { spot, call }),
            _ => Ok(()),
        }
    }

    /// Raises a bet by as much of `amount` as pays evenly, to no more than `most`.
    pub fn press(&mut self, spot: Spot, amount: Cents, most: Cents) -> Result<(), Refusal> {
        let up = self.up(spot);
        if up == Cents::ZERO {
            return Ok(());
        }
        let even = even(&self.rules, &self.state.hand, spot);
        let pressed = (up + amount).min(most).floor_to(even);
        if pressed > up { self.want(spot, pressed) } else { Ok(()) }
    }

    /// Odds behind every bet that takes them (behind `flat` alone, where it is named), by the
    /// multiples of the outermost numbers first: of 4 and 10, of 5 and 9, of 6 and 8, the last for
    /// all that follow; as much as the house allows without any.
    pub fn odds(&mut self, flat: Option<WagerId>, multiples: &[Multiple]) -> Result<(), Refusal> {
        let rules = Arc::clone(&self.rules);
        for bet in self.state.layout.bets().to_vec() {
            let rule = rules.spot_rule(bet.spot);
            let named = flat.is_none_or(|flat| flat == rule.wager);
            let number = number_of(&self.rules, &self.state.hand, bet.spot);
            let (true, Some(odds), Some(number)) = (named, rule.odds, number) else { continue };
            let stake = match self.rules.multiple_on(number, multiples) {
                Some(multiple) => self.rules.odds_stake(odds, number, bet.stake, multiple),
                None => {
                    let limit = self.rules.wager_at(odds).limits.max.unwrap_or(Cents::MOST);
                    self.rules.odds_most(odds, number, bet.stake).map(|most| most.min(limit))
                }
            };
            let stake = stake.unwrap_or(Cents::ZERO);
            // A flat bet too small to carry the least odds carries none.
            if stake >= self.rules.wager_at(odds).limits.least() {
                self.want(odds, stake)?;
            }
        }
        Ok(())
    }

    /// Leaves the table: takes down what may come down and asks for nothing more.
    pub fn leave(&mut self) {
        for bet in self.state.layout.bets().to_vec() {
            // What has to stay is played out.
            let _ = self.ask(Action::Take { spot: bet.spot, amount: None });
        }
        self.leaving = true;
    }

    fn ask(&mut self, action: Action) -> Result<(), Refusal> {
        if self.leaving {
            return Ok(());
        }
        let answer = self.answer(action);
        self.short |= matches!(answer, Err(Refusal::ShortRack { .. }));
        self.asked.push((action, answer.clone()));
        answer.map(|_| ())
    }

    fn answer(&mut self, action: Action) -> Result<Cents, Refusal> {
        let spot = action.spot();
        self.sight = self.sight.and(looks_at(&self.rules, spot));
        let State { hand, layout } = &self.state;
        // Whether the rack can pay is the last reason to refuse, so it can be asked afterwards.
        let change = act(&self.rules, hand, layout, Cents(RICH), action)?;
        let rack = Cents(self.equity) - layout.outlay();
        if change.chips > Cents::ZERO && !self.rack_reaches(change.chips) {
            return Err(Refusal::ShortRack { rack, needs: change.chips });
        }
        let before = self.up(spot);
        let chips = self.state.apply(change);
        let grown = self.up(spot) - before;
        if grown != Cents::ZERO && self.rules.meter_of(self.rules.spot_rule(spot).wager).is_some() {
            self.fed.push((spot, grown));
        }
        Ok(chips)
    }
}
