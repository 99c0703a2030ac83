//! Spots on the felt, the wagers they belong to, and what those can win.

use serde::{Deserialize, Serialize};

use crate::dice::{Combination, Total};
use crate::puck::Puck;
use crate::wager::{Due, Envy, PaysKey, Working};

/// A place on the felt where a bet can stand: `pass`, `come 6`, `odds come 6`, `hard 8`.
/// Travelling changes a bet's spot, so there is no hidden state in a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Spot(pub(crate) u8);

impl Spot {
    /// The spot with this place in [`Rules::spots`](crate::Rules::spots).
    pub const fn at(place: u8) -> Spot {
        Spot(place)
    }

    /// The place of this spot in [`Rules::spots`](crate::Rules::spots).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a player has called about a bet.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum OnOff {
    /// Nothing: the house's rule for the come-out holds.
    #[default]
    House,
    /// On, also on a come-out.
    On,
    /// Off until called on again.
    Off,
}

impl OnOff {
    /// The word for it, as a tape and a command say it.
    pub const fn word(self) -> &'static str {
        match self {
            OnOff::House => "house",
            OnOff::On => "on",
            OnOff::Off => "off",
        }
    }

    /// Whether a bet called so works, where the house has it work on a come-out or rest.
    pub fn working(self, puck: Puck, come_out: Working) -> Working {
        match self {
            OnOff::On => Working::On,
            OnOff::Off => Working::Off,
            OnOff::House if puck.is_off() => come_out,
            OnOff::House => Working::On,
        }
    }
}

impl OnOff {
    /// How many calls there are.
    pub const COUNT: usize = 3;

    /// All of them.
    pub const ALL: [OnOff; OnOff::COUNT] = [OnOff::House, OnOff::On, OnOff::Off];
}

/// A wager of some [`Rules`](crate::Rules), by its place in
/// [`Rules::wagers`](crate::Rules::wagers).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WagerId(pub(crate) u8);

/// A line of a paytable of some [`Rules`](crate::Rules), by its place in
/// [`Rules::awards`](crate::Rules::awards).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct AwardId(pub(crate) u16);

impl AwardId {
    /// The award with this place in [`Rules::awards`](crate::Rules::awards).
    pub const fn at(place: u16) -> AwardId {
        AwardId(place)
    }

    /// The place of this award in [`Rules::awards`](crate::Rules::awards).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// One thing a wager can win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Award {
    /// The wager.
    pub wager: WagerId,
    /// What has to happen, as a paytable words it: `6`, `9 numbers`, `4 rolls`.
    pub event: String,
    /// What the winner is owed.
    pub due: Due,
    /// What the dealers are owed.
    pub envy: Option<Envy>,
}

/// A spot on the felt and what the engine needs to know of it.
#[derive(Clone, Debug)]
pub struct SpotRule {
    /// As it is written on a tape: `place 6`.
    pub notation: String,
    /// The wager.
    pub wager: WagerId,
    /// The number it stands on, if it has one.
    pub number: Option<Total>,
    /// The faces it stands on, for a hop.
    pub faces: Option<Combination>,
    /// Its tracker, if the table keeps its progress.
    pub tracker: Option<u8>,
    /// The flat bet it stands behind, for odds.
    pub flat: Option<Spot>,
    /// The odds behind it, for a line bet.
    pub odds: Option<Spot>,
    /// Whether a player may bet on it directly: a come bet reaches its number only by travelling,
    /// but where the house takes put bets.
    pub direct: bool,
}

impl SpotRule {
    /// What it stands on, as a paytable has it.
    pub fn on(&self) -> PaysKey {
        let number = self.number.map_or(PaysKey::NONE, |number| PaysKey::Number(number.number()));
        self.faces.map_or(number, PaysKey::Combination)
    }
}
