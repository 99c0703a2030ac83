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
mod heard;
mod rail;
mod session;

pub use self::ask::Position;
pub use self::desk::{Asked, Desk};
pub use self::explore::{Explored, RunOut, Unexplored, explore, run_out};
pub use self::last::Question;
pub use self::play::{Play, Turn};
pub use self::player::{Player, Remembering};
pub use self::rail::Rail;
pub use self::session::{Length, Over, Piece, Session};
pub use self::throw::Table;

use sha2::{Digest, Sha256};

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

    /// The largest amount that every change of equity is a multiple of; nothing where none changes.
    pub fn unit(&self) -> Cents {
        let changes = self.positions.iter().flatten().map(|edge| edge.change.0.unsigned_abs());
        Cents(changes.fold(0, gcd) as i64)
    }

    /// The SHA-256 of everything it holds: the same plan at the same rules has the same.
    pub fn hash(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        let mut number = |number: i64| hasher.update(number.to_le_bytes());
        number(self.positions.len() as i64);
        for edge in self.positions.iter().flatten() {
            let Edge { change, action, arrival, seven_out } = *edge;
            for value in [change.0, action.0, arrival.into(), seven_out.into()] {
                number(value);
            }
        }
        for Arrival { locked, branches } in &self.arrivals {
            number(locked.0);
            number(branches.len() as i64);
            for Branch { from, then } in branches {
                number(from.0);
                number(match then {
                    Then::Roll(position) => i64::from(*position),
                    Then::End(end) => -1 - *end as i64,
                });
            }
        }
        hasher.finalize().into()
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

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Arrival {
    /// What follows with this equity.
    pub fn then(&self, equity: Cents) -> Then {
        let branch = self.branches.iter().find(|branch| branch.from <= equity);
        branch.expect("the last branch holds for all below").then
    }
}
