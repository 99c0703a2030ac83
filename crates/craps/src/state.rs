//! A player at a table between two rolls, and the way of a roll through the engine: the stick
//! calls it, every bet meets its fate, settling turns fates into money, and the bets go where that
//! leaves them.

use crate::account::Seat;
use crate::action::{Action, Change, act};
use crate::call::{Called, call, move_on};
use crate::dice::Roll;
use crate::fate::Fate;
use crate::hand::Hand;
use crate::layout::{Bet, Layout};
use crate::money::Cents;
use crate::puck::Puck;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::settle::{Settlement, settle};
use crate::spot::{OnOff, Spot};
use crate::wager::PuckMust;

/// What the table shares, and the bets of one player.
///
/// ```
/// use craps::{Action, Cents, Library, Rules, State};
/// let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
/// let mut state = State::default();
/// let bet = Action::Put { spot: rules.spot("field").unwrap(), amount: Cents::dollars(5) };
/// state.act(&rules, Cents::dollars(100), bet).unwrap();
/// let settled = state.roll(&rules, "6-6".parse().unwrap());
/// assert_eq!(settled.lines[0].won, Cents::dollars(10));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct State {
    /// What the table shares.
    pub hand: Hand,
    /// The player's bets.
    pub layout: Layout,
}

impl State {
    /// A bet of `stake` on the wager written as `notation`, put up as its house would have it: on
    /// a come-out, or with a point on where that is needed, for a put bet its own.
    pub fn with_bet(rules: &Rules, notation: &str, stake: Cents) -> Option<State> {
        let spot = rules.spot(notation)?;
        let mut state = State::default();
        if rules.wager_at(spot).window.puck == PuckMust::BeOn {
            let own = rules.spot_rule(spot).number;
            let point = own.or(rules.points.iter().next()).expect("a base game has points");
            state.hand.puck = Puck::On(point);
        }
        state.put(rules, spot, stake);
        Some(state)
    }

    /// Does what a player with so much in the rack asks for, or says why not. Gives the chips that
    /// went from the rack to the layout; less than zero where they came back.
    pub fn act(&mut self, rules: &Rules, rack: Cents, action: Action) -> Result<Cents, Refusal> {
        Ok(self.apply(act(rules, &self.hand, &self.layout, rack, action)?))
    }

    /// Does what was accepted, and gives the chips that went to the layout.
    pub(crate) fn apply(&mut self, change: Change) -> Cents {
        let Change { bets, chips, hand } = change;
        bets.into_iter().for_each(|bet| self.layout.set(bet));
        self.hand = hand;
        chips
    }

    /// Puts a bet up whether it may be or not, and starts its tracker if it has one.
    pub fn put(&mut self, rules: &Rules, spot: Spot, stake: Cents) {
        if let (Some(tracker), None) = (rules.spot_rule(spot).tracker, self.layout.bet(spot)) {
            let tracker = &mut self.hand.trackers[usize::from(tracker)];
            *tracker = tracker.joined();
        }
        let vig = rules.vig(spot, stake);
        self.layout.set(Bet { spot, call: OnOff::House, stake, vig });
    }

    /// Throws the dice: what was won and lost.
    pub fn roll(&mut self, rules: &Rules, roll: Roll) -> Settlement {
        let mut settlement = Settlement::default();
        self.roll_into(rules, roll, &mut settlement);
        settlement
    }

    /// Throws the dice and settles into `out`, which is used again so that nothing is allocated.
    #[inline]
    pub fn roll_into(&mut self, rules: &Rules, roll: Roll, out: &mut Settlement) -> Called {
        let puck = self.hand.puck;
        let mut calls = [Fate::Stand; Hand::TRACKERS];
        // The hand moves on where it is: a copy of it costs as much as settling a bet.
        move_on(rules, &mut self.hand, roll, &mut calls);
        let fates = resolved(rules, puck, roll, &calls, &self.layout);
        settle(rules, fates.map(|(bet, fate)| (Seat(0), bet, fate)), Cents::ZERO, out);
        self.layout.settle(out.lines.iter());
        Called { roll, puck, hand: self.hand, fates: calls }
    }
}

/// A roll at a table of these seats, in their order, settled into `out`. `cap_used` is what this
/// hand has already won towards an aggregate cap. The bets are not moved yet.
#[inline]
pub(crate) fn throw<'a>(
    rules: &'a Rules,
    hand: &Hand,
    seats: impl IntoIterator<Item = (Seat, &'a Layout)>,
    roll: Roll,
    cap_used: Cents,
    out: &mut Settlement,
) -> Called {
    let called = call(rules, hand, roll);
    let fates = seats.into_iter().flat_map(|(seat, layout)| {
        resolve(rules, &called, layout).map(move |(bet, fate)| (seat, bet, fate))
    });
    settle(rules, fates, cap_used, out);
    called
}

/// The fate of every bet of a layout, in the order of the felt.
///
/// ```
/// use craps::{Bet, OnOff, Cents, Fate, Hand, Layout, Library, Rules, call, resolve};
/// let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
/// let spot = rules.spot("field").unwrap();
/// let mut layout = Layout::default();
/// layout.set(Bet { spot, call: OnOff::House, stake: Cents::dollars(5), vig: Cents::ZERO });
/// let called = call(&rules, &Hand::default(), "3-4".parse().unwrap());
/// let fates: Vec<_> = resolve(&rules, &called, &layout).collect();
/// assert_eq!(fates[0].1, Fate::Lose);
/// ```
pub fn resolve<'a>(
    rules: &'a Rules,
    called: &'a Called,
    layout: &'a Layout,
) -> impl Iterator<Item = (Bet, Fate)> + 'a {
    resolved(rules, called.puck, called.roll, &called.fates, layout)
}

/// The same, from what was called.
#[inline]
fn resolved<'a>(
    rules: &'a Rules,
    puck: Puck,
    roll: Roll,
    calls: &'a [Fate; Hand::TRACKERS],
    layout: &'a Layout,
) -> impl Iterator<Item = (Bet, Fate)> + 'a {
    let column = rules.felt.column(puck, roll.combination());
    layout.bets().iter().map(move |bet| {
        let fate = match rules.felt.tracker(bet.spot) {
            Some(tracker) => calls[tracker],
            None => rules.felt.fate(column, bet.call, bet.spot),
        };
        (*bet, fate)
    })
}
