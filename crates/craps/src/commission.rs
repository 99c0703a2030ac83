//! The commission of a bet, also called vig: how much it is, when it is charged, and what becomes
//! of a bet that cannot pay it.

use std::fmt;

use crate::money::{Cents, Rate};

/// The vig on a bet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commission {
    /// How much it is …
    pub vig: Vig,
    /// … of this.
    pub of: Measure,
    /// Collected when the bet is placed, or out of its winnings.
    pub when: CommissionWhen,
}

/// How much commission is, as a house posts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vig {
    /// `5%`, rounded in one of the ways there are.
    Share {
        /// The share.
        rate: Rate,
        /// What becomes of a part of the unit.
        rounding: Rounding,
        /// Commission is a multiple of this.
        unit: Cents,
        /// And at least this.
        minimum: Cents,
    },
    /// `$1` from 20 to 35, `$2` from 36 to 55 and so on. A step holds until the next begins, and
    /// below the first nothing is due.
    Steps(Vec<VigStep>),
}

/// A line of a table of commissions: from 56 on it is 3, and 1 more for each further 20.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VigStep {
    /// The least amount it holds for.
    pub from: Cents,
    /// What is due.
    pub due: Cents,
    /// How it goes on, for the last of them: so much more, for each further amount like this.
    pub more: Option<(Cents, Cents)>,
}

/// What a multiple or a commission is measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The amount bet.
    Stake,
    /// The amount it would win.
    Win,
}

/// When commission is collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommissionWhen {
    /// With the bet, and again for every win of a bet that stays up.
    Placed,
    /// Out of the winnings.
    Won,
}

/// What becomes of a part of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Dropped.
    Floor,
    /// Rounded, halves up.
    Nearest,
    /// Charged whole.
    Ceil,
}

/// What is charged for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Charge {
    /// Taken out of the winnings.
    pub(crate) charged: Cents,
    /// Whether the bet, where it would stay up, can.
    pub(crate) stays: bool,
}

impl Commission {
    /// The commission on `amount`, which is the stake or the win as [`Commission::of`] says.
    pub fn on(&self, amount: Cents) -> Cents {
        match &self.vig {
            Vig::Share { rate, rounding, unit, minimum } => {
                let share = rate.of(amount).0;
                let whole = i128::from(unit.0) * i128::from(Rate::WHOLE.0);
                let units = match rounding {
                    Rounding::Floor => share.div_euclid(whole),
                    Rounding::Nearest => (2 * share + whole).div_euclid(2 * whole),
                    Rounding::Ceil => (share + whole - 1).div_euclid(whole),
                };
                let units = i64::try_from(units).expect("commission is less than the bet");
                Cents(units * unit.0).max(*minimum)
            }
            Vig::Steps(steps) => {
                let step = steps.iter().rev().find(|step| step.from <= amount);
                step.map_or(Cents::ZERO, |step| step.on(amount))
            }
        }
    }

    /// What is due with a bet of `stake` that would win `win`, where it is collected up front.
    pub(crate) fn up_front(&self, stake: Cents, win: Cents) -> Cents {
        match self.when {
            CommissionWhen::Placed => self.on(self.base(stake, win)),
            CommissionWhen::Won => Cents::ZERO,
        }
    }

    /// What a bet of `stake` that has won `won` is charged: for this win, or, where it would stay
    /// up and commission is collected up front, `next` for its next decision. Winnings that do not
    /// cover that bring the bet down.
    pub(crate) fn on_win(&self, stake: Cents, won: Cents, next: Option<Cents>) -> Charge {
        match (self.when, next) {
            (CommissionWhen::Won, _) => {
                Charge { charged: self.on(self.base(stake, won)).min(won), stays: true }
            }
            (CommissionWhen::Placed, Some(next)) if won >= next => {
                Charge { charged: next, stays: true }
            }
            (CommissionWhen::Placed, _) => Charge { charged: Cents::ZERO, stays: false },
        }
    }

    fn base(&self, stake: Cents, win: Cents) -> Cents {
        match self.of {
            Measure::Stake => stake,
            Measure::Win => win,
        }
    }
}

impl VigStep {
    /// What is due on an amount of this step.
    fn on(&self, amount: Cents) -> Cents {
        let Some((more, each)) = self.more else { return self.due };
        let further = (amount - self.from).0 / each.0;
        self.due + more.share(further, 1).0
    }
}

impl fmt::Display for VigStep {
    /// `$1 from $20`, `$3 from $56 and $1 more each $20`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${} from ${}", self.due.plain(), self.from.plain())?;
        match self.more {
            Some((more, each)) => write!(f, " and ${} more each ${}", more.plain(), each.plain()),
            None => Ok(()),
        }
    }
}
