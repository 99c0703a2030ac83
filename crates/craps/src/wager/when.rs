//! When a wager may be bet, added to and taken down.

/// When a wager may be bet: all of this has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Where the puck has to lie.
    pub puck: PuckMust,
    /// What opens the window.
    pub opens: Opens,
    /// A line bet must be up.
    pub line_bet: bool,
}

impl Window {
    /// Between any two rolls.
    pub const ANY_TIME: Window =
        Window { puck: PuckMust::LieAnywhere, opens: Opens::Always, line_bet: false };
}

/// Where the puck has to lie for a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuckMust {
    /// Anywhere.
    LieAnywhere,
    /// The puck is OFF.
    BeOff,
    /// It is ON.
    BeOn,
}

/// What opens a betting window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opens {
    /// It is always open.
    Always,
    /// No bet rides on this wager.
    Idle,
    /// The last roll was a seven, or none has been made; no bet rides on this wager.
    AfterSeven {
        /// Whether a completed wager may also be bet again before a seven.
        rebet: Rebet,
    },
    /// No roll of this hand has been thrown since the last seven-out; no bet rides on this wager.
    NewShooter,
    /// No bet rides on any wager of its family.
    FamilyIdle,
}

/// Whether a completed wager may be bet again before a seven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rebet {
    /// Not before a seven.
    No,
    /// Before the one roll that follows its completion.
    OneRoll,
    /// Until a seven.
    UntilSeven,
}

/// When a bet may be reduced or taken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Take {
    /// Between any two rolls.
    AnyTime,
    /// Until its number is set.
    UntilSet,
    /// Until it has survived a roll.
    UntilRiding,
}

/// What may be put on a line bet once its number is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnceSet {
    /// Nothing.
    Nothing,
    /// More on one that is up.
    More,
    /// A new bet too: a put bet.
    New,
}
