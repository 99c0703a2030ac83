//! The best play: how to bet for a goal before the money is gone, over the bets one names.
//!
//! Between two rolls a state is the puck, the stake of the one line bet, and equity. Every other
//! bet may come down and go up again freely, so it is no part of a state: it is chosen anew before
//! each roll. What a choice does comes from the engine, bet by bet; chances are floats with a
//! bound from both sides.

#![expect(clippy::float_arithmetic, reason = "chances in floats, with bounds from both sides")]

mod bets;
mod game;
mod layer;
mod plays;
mod ties;
mod chains;
mod solve;
mod horizon;

pub use self::bets::{Bets, Unfit};
pub use self::game::{Game, MOST_LOOKS, MOST_STATES};
pub use self::horizon::{Opening, within};
pub use self::solve::{Best, Turn, solve};

use craps::Cents;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// What the player sits down with.
    pub bankroll: Cents,
    /// What is to be reached.
    pub goal: Cents,
    /// Every stake is a multiple of this.
    pub step: Cents,
}

/// What is up when the dice are thrown, in the order of [`Bets::spots`].
pub type Stakes = Vec<Cents>;
