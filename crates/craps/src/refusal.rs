//! Why the crew says no. Every refusal has a stable code and a sentence a dealer could say.

use std::fmt;

use serde::ser::SerializeStruct;

use crate::money::Cents;

/// Why a command was refused. The variants are in order of precedence: where several reasons
/// hold, the first is given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// The table is closed for good.
    TableClosed,
    /// The table is paused.
    TablePaused,
    /// The table is not paused, so it cannot be resumed.
    NotPaused,
    /// No more bets until the dice have been thrown.
    BettingClosed,
    /// The dice wait until betting is closed.
    BettingOpen,
    /// The last roll is being paid.
    BeingPaid,
    /// Nothing is being paid, so there is nothing to end.
    NotPaying,
    /// The rules change only between hands, with nothing on the layout.
    BetsRiding,
    /// The last roll can no longer be voided or corrected.
    NothingToVoid,
    /// No such claim is waiting.
    NoSuchClaim,
    /// The amounts do not fit the claim.
    ClaimMismatch,
    /// The meter runs on other terms at another table.
    OtherTerms {
        /// The meter.
        meter: String,
    },
    /// The meter is closed.
    MeterClosed {
        /// The meter.
        meter: String,
    },
    /// A meter would show less than its seed.
    BelowSeed {
        /// The seed.
        seed: Cents,
    },
    /// Nobody sits there.
    NotSeated,
    /// Somebody sits there already.
    SeatTaken,
    /// The table has no such seat.
    NoSuchSeat,
    /// A player with bets up, a claim pending or winnings held cannot leave.
    BetsUp,
    /// The house does not offer the wager.
    NotOffered {
        /// The wager.
        wager: String,
    },
    /// `odds` alone does not say which of the seat's line bets it stands behind.
    WhichOdds,
    /// The wager cannot be made at this moment.
    NotNow {
        /// The wager.
        wager: String,
        /// What it waits for.
        why: NotNow,
    },
    /// The shooter needs a line bet, or nobody has one.
    NoShooter,
    /// The dice can only be passed before a come-out.
    PuckOn,
    /// There is no such bet.
    NoBet {
        /// The wager.
        wager: String,
    },
    /// The last roll won nothing there that could be held.
    NothingWon {
        /// The wager.
        wager: String,
    },
    /// The bet stays where it is until it is decided.
    Locked {
        /// The wager.
        wager: String,
    },
    /// The bet cannot be called on or off.
    NotCallable {
        /// The wager.
        wager: String,
    },
    /// Nothing was bet.
    ZeroAmount,
    /// Not a multiple of the unit.
    NotAMultiple {
        /// The unit.
        unit: Cents,
    },
    /// Less than the minimum.
    UnderMinimum {
        /// The minimum.
        min: Cents,
    },
    /// More than the maximum, or than the odds allow.
    OverLimit {
        /// The most the bet may be.
        max: Cents,
    },
    /// More than is up.
    NotThatMuch {
        /// What is up.
        up: Cents,
    },
    /// More than lies in the tray.
    ShortTray {
        /// What lies there.
        tray: Cents,
    },
    /// More than the table's bank holds.
    ShortBank {
        /// What it holds.
        bank: Cents,
    },
    /// More than the player has.
    ShortRack {
        /// What the player has.
        rack: Cents,
        /// What it takes.
        needs: Cents,
    },
}

/// What a wager that cannot be made now waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotNow {
    /// The puck to be OFF.
    ComeOut,
    /// The puck to be ON.
    PointOn,
    /// Bets riding on it to be decided.
    Riding,
    /// Bets riding on its family to be decided.
    FamilyRiding,
    /// A seven.
    Seven,
    /// A seven-out, and with it a new shooter.
    NewShooter,
    /// A flat bet with a number.
    FlatBet,
    /// A Pass or Don't Pass bet.
    LineBet,
    /// A roll that moves a come bet there.
    Travel,
}

impl Refusal {
    /// The stable code, for scripts and for tapes.
    pub fn code(&self) -> &'static str {
        match self {
            Refusal::TableClosed => "table-closed",
            Refusal::TablePaused => "table-paused",
            Refusal::NotPaused => "not-paused",
            Refusal::BettingClosed => "betting-closed",
            Refusal::BettingOpen => "betting-open",
            Refusal::BeingPaid => "being-paid",
            Refusal::NotPaying => "not-paying",
            Refusal::BetsRiding => "bets-riding",
            Refusal::NothingToVoid => "nothing-to-void",
            Refusal::NoSuchClaim => "no-such-claim",
            Refusal::ClaimMismatch => "claim-mismatch",
            Refusal::OtherTerms { .. } => "other-terms",
            Refusal::MeterClosed { .. } => "meter-closed",
            Refusal::BelowSeed { .. } => "below-seed",
            Refusal::NotSeated => "not-seated",
            Refusal::SeatTaken => "seat-taken",
            Refusal::NoSuchSeat => "no-such-seat",
            Refusal::BetsUp => "bets-up",
            Refusal::NotOffered { .. } => "not-offered",
            Refusal::WhichOdds => "which-odds",
            Refusal::NotNow { .. } => "not-now",
            Refusal::NoShooter => "no-shooter",
            Refusal::PuckOn => "puck-on",
            Refusal::NoBet { .. } => "no-bet",
            Refusal::NothingWon { .. } => "nothing-won",
            Refusal::Locked { .. } => "locked",
            Refusal::NotCallable { .. } => "not-callable",
            Refusal::ZeroAmount => "zero-amount",
            Refusal::NotAMultiple { .. } => "not-a-multiple",
            Refusal::UnderMinimum { .. } => "under-minimum",
            Refusal::OverLimit { .. } => "over-limit",
            Refusal::NotThatMuch { .. } => "not-that-much",
            Refusal::ShortTray { .. } => "short-tray",
            Refusal::ShortBank { .. } => "short-bank",
            Refusal::ShortRack { .. } => "short-rack",
        }
    }

    /// Every code, in order of precedence.
    pub const CODES: [&'static str; 35] = [
        "table-closed",
        "table-paused",
        "not-paused",
        "betting-closed",
        "betting-open",
        "being-paid",
        "not-paying",
        "bets-riding",
        "nothing-to-void",
        "no-such-claim",
        "claim-mismatch",
        "other-terms",
        "meter-closed",
        "below-seed",
        "not-seated",
        "seat-taken",
        "no-such-seat",
        "bets-up",
        "not-offered",
        "which-odds",
        "not-now",
        "no-shooter",
        "puck-on",
        "no-bet",
        "nothing-won",
        "locked",
        "not-callable",
        "zero-amount",
        "not-a-multiple",
        "under-minimum",
        "over-limit",
        "not-that-much",
        "short-tray",
        "short-bank",
        "short-rack",
    ];
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::TableClosed => f.write_str("this table is closed"),
            Refusal::TablePaused => f.write_str("the table is paused, please wait"),
            Refusal::NotPaused => f.write_str("the table is not paused"),
            Refusal::BettingClosed => f.write_str("no more bets, dice are out"),
            Refusal::BettingOpen => f.write_str("betting is still open, close it before the roll"),
            Refusal::BeingPaid => {
                f.write_str("the last roll is being paid, bets are taken again in a moment")
            }
            Refusal::NotPaying => f.write_str("no roll is being paid, there is nothing to open"),
            Refusal::BetsRiding => {
                f.write_str("that waits for a come-out with nothing on the layout")
            }
            Refusal::NothingToVoid => f.write_str(
                "the last roll stands: it has been mended, a player has left, chips have been \
                     cashed out, the rules have changed, or there is none",
            ),
            Refusal::NoSuchClaim => f.write_str("no such claim is waiting"),
            Refusal::ClaimMismatch => f.write_str("the amounts do not fit the claim's winners"),
            Refusal::OtherTerms { meter } => {
                write!(f, "meter {meter} runs on other terms at another table")
            }
            Refusal::MeterClosed { meter } => write!(f, "meter {meter} is closed"),
            Refusal::BelowSeed { seed } => {
                write!(f, "the meter never shows less than its seed of {seed}: take less from it")
            }
            Refusal::NotSeated => f.write_str("nobody sits in that seat"),
            Refusal::SeatTaken => f.write_str("that seat is taken"),
            Refusal::NoSuchSeat => f.write_str("there is no such seat at this table"),
            Refusal::BetsUp => f.write_str("you have bets or winnings pending, they come first"),
            Refusal::NotOffered { wager } => write!(f, "we do not offer {wager} at this table"),
            Refusal::WhichOdds => f.write_str("odds behind which bet, pass or don't pass?"),
            Refusal::NotNow { wager, why } => match why {
                NotNow::ComeOut => write!(f, "{wager} is bet before a come-out, the puck is ON"),
                NotNow::PointOn => {
                    write!(f, "{wager} is bet once there is a point, the puck is OFF")
                }
                NotNow::Riding => write!(f, "bets ride on {wager}, wait until they are decided"),
                NotNow::FamilyRiding => {
                    write!(f, "bets ride beside {wager}, wait until they are decided")
                }
                NotNow::Seven => write!(f, "{wager} is bet right after a seven"),
                NotNow::NewShooter => {
                    write!(f, "{wager} is bet before a new shooter's first roll")
                }
                NotNow::FlatBet => {
                    write!(f, "{wager} waits until the bet in front of it has a number")
                }
                NotNow::LineBet => write!(f, "{wager} needs a Pass or Don't Pass bet up first"),
                NotNow::Travel => write!(f, "{wager} is reached only by a bet that travels there"),
            },
            Refusal::NoShooter => f.write_str("the shooter needs a Pass or Don't Pass bet to roll"),
            Refusal::PuckOn => f.write_str("the dice are passed only before a come-out"),
            Refusal::NoBet { wager } => write!(f, "you have no bet on {wager}"),
            Refusal::NothingWon { wager } => {
                write!(f, "the last roll won nothing on {wager} that could be held")
            }
            Refusal::Locked { wager } => write!(f, "{wager} stays up until it is decided"),
            Refusal::NotCallable { wager } => write!(f, "{wager} cannot be called on or off here"),
            Refusal::ZeroAmount => f.write_str("put some chips down, the amount must be positive"),
            Refusal::NotAMultiple { unit } => write!(f, "this bet goes in multiples of ${unit}"),
            Refusal::UnderMinimum { min } => write!(f, "the minimum on this bet is ${min}"),
            Refusal::OverLimit { max } => write!(f, "the most here is ${max}"),
            Refusal::NotThatMuch { up } => write!(f, "there is only ${up} up"),
            Refusal::ShortTray { tray } if *tray < Cents::ZERO => {
                let missing = Cents::ZERO - *tray;
                write!(f, "the tray is ${missing} below zero, book the fill that is missing")
            }
            Refusal::ShortTray { tray } => write!(f, "the tray holds only ${tray}"),
            Refusal::ShortBank { bank } => write!(f, "the table's bank holds only ${bank}"),
            Refusal::ShortRack { rack, needs } => {
                write!(f, "that takes ${needs} and you have ${rack}")
            }
        }
    }
}

impl std::error::Error for Refusal {}

impl serde::Serialize for Refusal {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut refusal = serializer.serialize_struct("Refusal", 2)?;
        refusal.serialize_field("code", self.code())?;
        refusal.serialize_field("sentence", &self.to_string())?;
        refusal.end()
    }
}
