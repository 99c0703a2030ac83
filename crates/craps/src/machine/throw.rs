//! A roll as it lands on a plan's layout: the state it leaves, and what it did to the money.

use super::last::Last;
use crate::account::Seat;
use crate::dice::Roll;
use crate::money::Cents;
use crate::rules::Rules;
use crate::settle::Settlement;
use crate::spot::Spot;
use crate::state::{State, throw};

/// A state between rolls, with what this hand has won towards an aggregate cap.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Table {
    /// What the table shares, and the bets of the plan.
    pub state: State,
    /// Winnings of this hand that count towards an aggregate cap.
    pub cap_used: Cents,
}

/// What a roll did.
pub(super) struct Landed {
    /// The table after it, before the plan is asked.
    pub(super) table: Table,
    /// What the plan can ask about it.
    pub(super) last: Last,
    /// By how much the money, on the felt and in the rack, has changed.
    pub(super) change: Cents,
    /// The stakes of the bets it decided.
    pub(super) action: Cents,
    /// Whether it ended the hand.
    pub(super) seven_out: bool,
}

/// What the meters paid to the bet that stood there.
pub(super) fn jackpot(rules: &Rules, meters: &[Cents], out: &Settlement, spot: Spot) -> Cents {
    let wager = rules.spot_rule(spot).wager;
    let won = out.claims.iter().filter(|claim| rules.meter_of(wager) == Some(claim.meter));
    won.map(|claim| meters[claim.meter.index()]).sum()
}

/// Throws the dice on a table of one player, where every meter pays a fixed amount.
pub(super) fn land(
    rules: &Rules,
    meters: &[Cents],
    table: &Table,
    roll: Roll,
    out: &mut Settlement,
) -> Landed {
    let State { hand, layout } = &table.state;
    let called = throw(rules, hand, [(Seat(0), layout)], roll, table.cap_used, out);
    let mut state = State { hand: called.hand, layout: layout.clone() };
    state.layout.settle(out.lines.iter());
    let jackpot = |spot: Spot| jackpot(rules, meters, out, spot);
    let change = out.lines.iter().map(|line| line.net() + jackpot(line.bet.spot)).sum();
    let decided = out.lines.iter().filter(|line| line.fate.is_decision());
    let action = decided.map(|line| line.bet.stake).sum();
    let seven_out = called.is_seven_out();
    let last = Last::new(&called, out.lines.iter(), jackpot, change);
    let cap_used = rules.cap_used(table.cap_used, out.capped, seven_out);
    Landed { table: Table { state, cap_used }, last, change, action, seven_out }
}
