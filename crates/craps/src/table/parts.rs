//! All that a table is, in plain sight: what is written down where a table is kept.

use super::{Claim, Dice, Fed, HeldAward, HeldEnvy, Phase, Player, Status};
use crate::account::{Accounts, Postings, Seat};
use crate::dice::Roll;
use crate::hand::Hand;
use crate::layout::Layout;
use crate::money::{Cents, Fraction, MicroCents};
use crate::spot::Spot;

/// The parts of a [`Table`](super::Table). They come out of one and make one again; nothing else
/// changes them but events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The hash of the rules it plays by.
    pub rules: [u8; 32],
    /// Whether it plays.
    pub status: Status,
    /// Whether bets are taken.
    pub betting: Phase,
    /// The shared state of play.
    pub hand: Hand,
    /// Who has the dice.
    pub dice: Dice,
    /// Who sits where, seat by seat.
    pub seats: Vec<Option<Player>>,
    /// Where the chips are.
    pub accounts: Accounts,
    /// How many rolls have counted.
    pub rolls: u64,
    /// Winnings of this hand that count towards an aggregate cap.
    pub cap_used: Cents,
    /// Parts of a cent rounded away, beside the ledger.
    pub memo: Fraction,
    /// The part of a cent still owed to clearing.
    pub carry: MicroCents,
    /// Jackpot claims waiting for their meters.
    pub claims: Vec<Claim>,
    /// Winnings waiting to be confirmed.
    pub held: Vec<HeldAward>,
    /// What the dealers are paid for winnings that wait.
    pub held_envy: Vec<HeldEnvy>,
    /// How many claims there have been.
    pub claims_made: u64,
    /// What went into the box for chips: cash, markers and coupons.
    pub dropped: Cents,
    /// Chips that players changed back into cash.
    pub redeemed: Cents,
    /// What the cage has paid for the table.
    pub paid_by_cage: Cents,
    /// The table before the last roll, while that can be taken back.
    pub before_roll: Option<Box<BeforeRoll>>,
}

/// The table as it was before the last roll, kept until the dice are thrown again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeforeRoll {
    /// The roll.
    pub roll: Roll,
    /// The hand.
    pub hand: Hand,
    /// Who had the dice.
    pub dice: Dice,
    /// The bets, seat by seat.
    pub layouts: Vec<Layout>,
    /// Winnings of the hand that counted towards an aggregate cap.
    pub cap_used: Cents,
    /// Parts of a cent rounded away.
    pub memo: Fraction,
    /// Claims that waited already.
    pub claims: Vec<Claim>,
    /// Awards that waited already.
    pub held: Vec<HeldAward>,
    /// What the dealers were to be paid for what waited already.
    pub held_envy: Vec<HeldEnvy>,
    /// The claims the roll made, paid or not, but for those denied.
    pub made: Vec<Claim>,
    /// What each bet won that could still be held.
    pub won: Vec<Won>,
    /// What the roll and everything that came of its claims and awards have moved.
    pub postings: Postings,
    /// What was bet, taken or called since, oldest first.
    pub since: Vec<Since>,
}

/// Something bet, taken or called after the last roll: all it takes to undo it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// Whose bet.
    pub seat: Seat,
    /// Where.
    pub spot: Spot,
    /// The chips that left the rack; less than zero where they came back to it.
    pub chips: Cents,
    /// What was fed to a meter.
    pub fed: Option<Fed>,
}

/// Winnings of the last roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Won {
    /// Who won.
    pub seat: Seat,
    /// On what.
    pub spot: Spot,
    /// How much.
    pub amount: Cents,
}
