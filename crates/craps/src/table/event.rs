//! What can happen at a table. An event carries everything it changes.

use serde::Serialize;

use super::{BuyInKind, CashOutKind, Claim, ClaimId, Dice, HeldAward, HeldEnvy, Mended};
use crate::account::{Postings, Seat};
use crate::dice::Roll;
use crate::hand::Hand;
use crate::layout::Bet;
use crate::money::{Cents, MicroCents};
use crate::puck::Puck;
use crate::settle::Settlement;
use crate::spot::Spot;

/// What happened at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "event")]
pub enum Event {
    /// A player took a seat.
    Sat {
        /// Where.
        seat: Seat,
        /// Who.
        name: String,
    },
    /// A player left with everything in the rack.
    Left {
        /// Who.
        seat: Seat,
        /// Where the chips went.
        kind: CashOutKind,
        /// The chips cashed out.
        postings: Postings,
    },
    /// A player goes by another name.
    Renamed {
        /// Where they sit.
        seat: Seat,
        /// The name.
        name: String,
    },
    /// A player bought in.
    BoughtIn {
        /// Who.
        seat: Seat,
        /// With what.
        kind: BuyInKind,
        /// The chips.
        postings: Postings,
    },
    /// Chips left a player's rack.
    CashedOut {
        /// Whose.
        seat: Seat,
        /// Where they went.
        kind: CashOutKind,
        /// The chips.
        postings: Postings,
    },
    /// Chips were brought to the table.
    Filled {
        /// The chips.
        postings: Postings,
    },
    /// Chips were taken from the table.
    Credited {
        /// The chips.
        postings: Postings,
    },
    /// A player put chips down.
    Put(Betting),
    /// A player took chips up.
    Took(Betting),
    /// A player called a bet on or off.
    Called(Betting),
    /// No more bets.
    BettingClosed,
    /// The dice were thrown and every bet was settled.
    Rolled(Box<Rolled>),
    /// The throw did not count; betting is open again.
    NoRoll,
    /// The shooter gave up the dice.
    DicePassed {
        /// The seat they are offered to first.
        to: Seat,
    },
    /// The dice went to another before the seven-out, and side bets that end with that came down.
    Swept(Box<Swept>),
    /// The last roll was taken back.
    Voided(Box<Voided>),
    /// The last roll was taken back and settled anew as the dice really showed.
    Corrected {
        /// The roll taken back.
        voided: Box<Voided>,
        /// The roll as it was.
        rolled: Box<Rolled>,
    },
    /// A meter's award was paid.
    ClaimPaid {
        /// Which claim.
        claim: ClaimId,
        /// What each winner got.
        shares: Vec<(Seat, Cents)>,
        /// The money.
        postings: Postings,
    },
    /// Winnings left the rack to wait until they are confirmed.
    Held {
        /// What waits.
        award: HeldAward,
        /// The chips.
        postings: Postings,
    },
    /// What the dealers are paid waits with the awards it is paid for.
    EnvyHeld {
        /// What waits.
        envy: HeldEnvy,
        /// The chips.
        postings: Postings,
    },
    /// Winnings that were held went to the rack.
    Released {
        /// What waited.
        award: HeldAward,
        /// The chips.
        postings: Postings,
    },
    /// A claim was not paid. Winnings that were held went to the house; of a jackpot the stakes
    /// came back, and its meter has to take its award back.
    ClaimDenied {
        /// Which claim.
        claim: ClaimId,
        /// The spot it was won on.
        spot: Spot,
        /// Who had won it.
        seats: Vec<Seat>,
        /// Why.
        reason: String,
        /// What the dealers are not paid for it.
        envy: Cents,
        /// The chips.
        postings: Postings,
    },
    /// A bet was handed back to its player.
    Returned {
        /// What that changed.
        betting: Betting,
        /// Why.
        reason: String,
    },
    /// An earlier roll was mended.
    Mended(Box<Mended>),
    /// The crew pays the last roll; no bets are taken.
    PayingBegun,
    /// The last roll was paid, and bets are taken again.
    BettingOpened,
    /// The table went over to other rules.
    Configured {
        /// Their hash.
        rules: [u8; 32],
    },
    /// Play stopped for a while.
    Paused,
    /// Play went on.
    Resumed,
    /// Play stopped for good.
    Closed,
}

/// What a player's action changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Betting {
    /// Who.
    pub seat: Seat,
    /// The spot the action was about.
    pub spot: Spot,
    /// The bets as they now stand; a stake of zero is a bet taken down.
    pub bets: Vec<Bet>,
    /// The hand afterwards.
    pub hand: Hand,
    /// The chips that moved.
    pub postings: Postings,
    /// What was fed to a meter, or taken back from it.
    pub fed: Option<Fed>,
}

/// A contribution to a meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fed {
    /// The meter.
    pub meter: String,
    /// The wager it is a share of; less than zero when a bet was taken back.
    pub stake: Cents,
    /// What of it goes to the amount shown.
    pub increment: MicroCents,
    /// What of it goes to the reserve.
    pub reserve: MicroCents,
    /// The part of a cent the table still owes to clearing.
    pub carry: MicroCents,
}

/// One roll and all it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rolled {
    /// The dice.
    pub roll: Roll,
    /// Who threw them.
    pub shooter: Seat,
    /// Where the puck lay when they were thrown.
    pub puck: Puck,
    /// Which roll of the table it was, counted from one.
    pub number: u64,
    /// The hash of the rules it was paid under.
    pub rules: [u8; 32],
    /// The hand afterwards.
    pub hand: Hand,
    /// Who has the dice afterwards.
    pub dice: Dice,
    /// Every bet that did not simply stand, and the money.
    pub settlement: Settlement,
    /// Winnings of this hand that count towards an aggregate cap.
    pub cap_used: Cents,
    /// Top awards waiting for their meters.
    pub claims: Vec<Claim>,
}

impl Rolled {
    /// Whether the shooter sevened out.
    pub fn is_seven_out(&self) -> bool {
        self.puck.is_seven_out(self.roll.total())
    }
}

/// What the dice going to another did to side bets that end with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Swept {
    /// The hand afterwards.
    pub hand: Hand,
    /// Every bet that came down, and the money.
    pub settlement: Settlement,
}

/// A roll taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Voided {
    /// Why.
    pub reason: String,
    /// The roll that does not count.
    pub roll: Roll,
    /// The entries that undo its money.
    pub postings: Postings,
    /// The claims it made, paid or still waiting, which their meters have to take back. One that
    /// was denied has been taken back already.
    pub claims: Vec<Claim>,
    /// What was bet, taken or called after the roll and is undone with it, newest first.
    pub undone: Vec<Undone>,
}

impl Voided {
    /// Every movement of money: the roll's, and that of the bets undone with it.
    pub fn all_postings(&self) -> Postings {
        let mut all = self.postings.clone();
        self.undone.iter().for_each(|undone| all.extend(&undone.postings));
        all
    }
}

/// A bet made after a roll and undone with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Undone {
    /// Whose.
    pub seat: Seat,
    /// Where.
    pub spot: Spot,
    /// The chips that move back.
    pub postings: Postings,
    /// What a meter has to take back, or has again.
    pub fed: Option<Fed>,
}
