//! The commission of a bet, also called vig: how much it is, when it is charged, and what becomes
//! of a bet that cannot pay it.

use crate::money::{Cents, Rate};

/// The vig on a bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Commission {
    /// The share …
    pub rate: Rate,
    /// … of this.
    pub of: Measure,
    /// Collected when the bet is placed, or out of its winnings.
    pub when: CommissionWhen,
    /// What becomes of a part of the unit.
    pub rounding: Rounding,
    /// Commission is a multiple of this.
    pub unit: Cents,
    /// And at least this.
    pub minimum: Cents,
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
        let share = self.rate.of(amount).0;
        let unit = i128::from(self.unit.0) * i128::from(Rate::WHOLE.0);
        let units = match self.rounding {
            Rounding::Floor => share.div_euclid(unit),
            Rounding::Nearest => (2 * share + unit).div_euclid(2 * unit),
            Rounding::Ceil => (share + unit - 1).div_euclid(unit),
        };
        let rounded = Cents(i64::try_from(units).expect("commission is less than the bet"));
        Cents(rounded.0 * self.unit.0).max(self.minimum)
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
