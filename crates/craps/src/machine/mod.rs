//! A betting plan walked once through the engine: every position it can be in, and what each roll
//! does there. Exact sessions and simulations run this machine and never ask the plan again.
//!
//! Its one register is *equity*: the rack and everything up together. Asking for bets moves chips
//! between the two and leaves equity as it is, so a roll changes it by one whole amount, and all
//! that money decides (can a bet be paid, has a goal been reached) is a threshold on it.

mod last;
mod desk;
mod player;
mod throw;
mod ask;
mod idle;
mod explore;
mod play;

pub use self::ask::Position;
pub use self::desk::{Asked, Desk};
pub use self::explore::{Explored, RunOut, Unexplored, explore, run_out};
pub use self::last::Question;
pub use self::play::{Play, Turn};
pub use self::player::{Player, Remembering};
pub use self::throw::Table;

use crate::dice::Combination;
use crate::money::Cents;

/// The positions of a plan and their rolls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    arrivals: Vec<Arrival>,
    positions: Vec<[Edge; Combination::COUNT]>,
}

/// What one roll does in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// By how much equity changes.
    pub change: Cents,
    /// The stakes of the bets it decides.
    pub action: Cents,
    /// Where it arrives, by its place in [`Machine::arrivals`].
    pub arrival: u32,
    /// Whether the shooter sevens out.
    pub seven_out: bool,
}

/// A settled roll, before the plan is asked: what follows depends on equity alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Chips that are up and have to stay until they are decided.
    pub locked: Cents,
    /// What follows from which equity on, highest first; the last holds for all below.
    pub branches: Vec<Branch>,
}

/// What follows from an equity on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The least equity it holds for.
    pub from: Cents,
    /// What follows.
    pub then: Then,
}

/// What follows once the plan has asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Then {
    /// The next roll, in this position.
    Roll(u32),
    /// Nothing more.
    End(End),
}

/// Why a plan goes no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// Nothing is up, and what it asked for could not be paid.
    Ruined,
    /// It left the table.
    Left,
    /// Nothing is up, and nothing that the dice could do would make it bet again.
    Idle,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            End::Ruined => "ruined",
            End::Left => "left",
            End::Idle => "idle",
        })
    }
}

impl Machine {
    /// How many positions it has.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it never gets to a roll.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Every arrival; the first is the table before the first roll.
    pub fn arrivals(&self) -> &[Arrival] {
        &self.arrivals
    }

    /// What each combination does in a position.
    pub fn edges(&self, position: u32) -> &[Edge; Combination::COUNT] {
        &self.positions[position as usize]
    }

    /// What follows an arrival with this equity.
    pub fn then(&self, arrival: u32, equity: Cents) -> Then {
        self.arrivals[arrival as usize].then(equity)
    }
}

impl Arrival {
    /// What follows with this equity.
    pub fn then(&self, equity: Cents) -> Then {
        let branch = self.branches.iter().find(|branch| branch.from <= equity);
        branch.expect("the last branch holds for all below").then
    }
}
