//! A session of a plan: what it is played for, and when it is over. Exact sessions and simulations
//! stop by these rules.

use super::{Arrival, End, Then};
use crate::money::Cents;

/// What a session is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Session {
    /// What the player sits down with.
    pub bankroll: Cents,
    /// When time is up.
    pub length: Length,
    /// Stop once this much is there beyond what is locked.
    pub goal: Option<Cents>,
    /// Stop once no more than this is left.
    pub floor: Option<Cents>,
}

/// How long a session lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many rolls.
    Rolls(u32),
    /// So many shooters; the last ends with their seven-out.
    Shooters(u32),
    /// Until the plan ends or a stop is reached.
    Open,
}

/// Why a session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Over {
    /// The goal was reached.
    Goal,
    /// The floor was reached.
    Floor,
    /// The plan went no further.
    Ended(End),
    /// Time was up.
    Time,
}

impl Over {
    /// Every reason, in order.
    pub const ALL: [Over; 6] = [
        Over::Goal,
        Over::Floor,
        Over::Ended(End::Ruined),
        Over::Ended(End::Left),
        Over::Ended(End::Idle),
        Over::Time,
    ];

    /// The place of this reason in [`Over::ALL`].
    pub fn index(self) -> usize {
        match self {
            Over::Goal => 0,
            Over::Floor => 1,
            Over::Ended(End::Ruined) => 2,
            Over::Ended(End::Left) => 3,
            Over::Ended(End::Idle) => 4,
            Over::Time => 5,
        }
    }
}

/// What follows from an equity on, the stops of a session included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The least equity it holds for.
    pub from: Cents,
    /// The position of the next roll, or why there is none.
    pub then: Result<u32, Over>,
}

impl Session {
    /// What follows an arrival, highest first; the last piece holds for all below. The goal comes
    /// before the floor, and both before the plan is asked.
    pub fn pieces(&self, arrival: &Arrival) -> Vec<Piece> {
        let goal = self.goal.map_or(Cents(i64::MAX), |goal| goal + arrival.locked);
        let floor = self.floor.map_or(Cents(i64::MIN), |floor| Cents(floor.0 + 1)).min(goal);
        let mut pieces: Vec<Piece> = Vec::new();
        if self.goal.is_some() {
            pieces.push(Piece { from: goal, then: Err(Over::Goal) });
        }
        let mut above = goal;
        for branch in &arrival.branches {
            let from = branch.from.max(floor);
            if from < above {
                let then = match branch.then {
                    Then::Roll(position) => Ok(position),
                    Then::End(end) => Err(Over::Ended(end)),
                };
                pieces.push(Piece { from, then });
                above = from;
            }
        }
        if self.floor.is_some() {
            pieces.push(Piece { from: Cents(i64::MIN), then: Err(Over::Floor) });
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::Over;

    #[test]
    fn every_reason_knows_its_place() {
        for (place, over) in Over::ALL.into_iter().enumerate() {
            assert_eq!(over.index(), place);
        }
    }
}
