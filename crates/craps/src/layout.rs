//! One seat's bets on the felt.

use serde::Serialize;

use crate::money::Cents;
use crate::spot::{OnOff, Spot};

/// One bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Bet {
    /// Where it stands.
    pub spot: Spot,
    /// Whether the player called it on or off.
    pub call: OnOff,
    /// The amount at risk.
    pub stake: Cents,
    /// Commission paid for its next decision and not yet earned.
    pub vig: Cents,
}

impl Bet {
    /// The bet with its commission: all of it that is the player's until decided.
    pub fn outlay(self) -> Cents {
        self.stake + self.vig
    }
}

/// The bets of one seat, sorted by spot, at most one on each.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(transparent)]
pub struct Layout(pub(crate) Vec<Bet>);

impl Layout {
    /// The bet on `spot`.
    pub fn bet(&self, spot: Spot) -> Option<Bet> {
        self.0.binary_search_by_key(&spot, |bet| bet.spot).ok().map(|place| self.0[place])
    }

    /// Every bet, in the order of the felt.
    pub fn bets(&self) -> &[Bet] {
        &self.0
    }

    /// Whether nothing is up.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All stakes and unearned commission together.
    pub fn outlay(&self) -> Cents {
        self.0.iter().map(|bet| bet.outlay()).sum()
    }

    /// Puts `bet` on its spot in place of what stood there; a stake of zero takes it down.
    pub fn set(&mut self, bet: Bet) {
        match (self.0.binary_search_by_key(&bet.spot, |bet| bet.spot), bet.stake) {
            (Ok(place), Cents::ZERO) => {
                self.0.remove(place);
            }
            (Ok(place), _) => self.0[place] = bet,
            (Err(_), Cents::ZERO) => {}
            (Err(place), _) => self.0.insert(place, bet),
        }
    }
}
