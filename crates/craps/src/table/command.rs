//! What can be asked of a table.

use serde::Serialize;

use super::{BuyInKind, CashOutKind, ClaimId, Mending};
use crate::account::Seat;
use crate::dice::Roll;
use crate::money::Cents;
use crate::spot::OnOff;

/// What somebody asks of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "command")]
pub enum Command {
    /// A player takes a seat.
    Sit {
        /// Where.
        seat: Seat,
        /// Who.
        name: String,
    },
    /// A player leaves and cashes out.
    Leave {
        /// Who.
        seat: Seat,
        /// Where the chips go.
        kind: CashOutKind,
    },
    /// A player goes by another name.
    Rename {
        /// Where they sit.
        seat: Seat,
        /// The name.
        name: String,
    },
    /// A player buys chips.
    BuyIn {
        /// Who.
        seat: Seat,
        /// How much.
        amount: Cents,
        /// With what.
        kind: BuyInKind,
    },
    /// Chips leave a player's rack.
    CashOut {
        /// Whose.
        seat: Seat,
        /// How much.
        amount: Cents,
        /// Where they go.
        kind: CashOutKind,
    },
    /// Chips are brought from the cage to the table's bank.
    Fill {
        /// How much.
        amount: Cents,
    },
    /// Chips are taken from the table's bank to the cage.
    Credit {
        /// How much.
        amount: Cents,
    },
    /// A player puts more on a wager, written as on a tape.
    Put {
        /// Who.
        seat: Seat,
        /// On what.
        wager: String,
        /// How much more.
        amount: Cents,
    },
    /// A player takes some or all of a bet back.
    Take {
        /// Who.
        seat: Seat,
        /// From what.
        wager: String,
        /// How much less, or everything.
        amount: Option<Cents>,
    },
    /// A player calls a bet on or off.
    Call {
        /// Who.
        seat: Seat,
        /// Which.
        wager: String,
        /// What is called.
        call: OnOff,
    },
    /// No more bets.
    CloseBetting,
    /// The dice have been thrown.
    Roll {
        /// What they show.
        roll: Roll,
    },
    /// A die left the table or was cocked.
    NoRoll,
    /// The shooter gives up the dice before a come-out.
    PassDice,
    /// The last roll did not count.
    Void {
        /// Why.
        reason: String,
    },
    /// The last roll was read wrongly.
    Correct {
        /// What the dice showed.
        roll: Roll,
        /// Why.
        reason: String,
    },
    /// A meter has answered a claim.
    PayClaim {
        /// Which claim.
        claim: ClaimId,
        /// What each winner gets.
        shares: Vec<(Seat, Cents)>,
        /// How much of that the house pays beyond the meter.
        from_house: Cents,
    },
    /// Winnings of a side bet wait to be confirmed, right after the roll that won them.
    Hold {
        /// Who won them.
        seat: Seat,
        /// On what.
        wager: String,
        /// How much of them.
        amount: Cents,
    },
    /// What the dealers are paid for awards that wait, waits with them.
    HoldEnvy {
        /// The claims: the first of them that is confirmed pays it, the last that is denied does
        /// not.
        claims: Vec<ClaimId>,
        /// How much.
        amount: Cents,
    },
    /// Winnings that were held are confirmed.
    Release {
        /// Which.
        claim: ClaimId,
    },
    /// Winnings that were held, or a jackpot that waits, are not paid.
    DenyClaim {
        /// Which.
        claim: ClaimId,
        /// Why.
        reason: String,
    },
    /// A bet is handed back to its player, also one that may not be taken down.
    Return {
        /// Whose.
        seat: Seat,
        /// Which.
        wager: String,
        /// Why.
        reason: String,
    },
    /// Money goes after an earlier roll that was booked wrongly.
    Mend(Box<Mending>),
    /// The crew pays the last roll before bets are taken again.
    BeginPaying,
    /// The last roll is paid, and bets are taken again.
    OpenBetting,
    /// The table goes over to the rules it is decided with.
    Configure,
    /// Play stops for a while.
    Pause,
    /// Play goes on.
    Resume,
    /// Play stops for good.
    Close,
}

impl Command {
    /// A player buys chips for cash.
    pub fn buy_in(seat: Seat, amount: Cents) -> Command {
        Command::BuyIn { seat, amount, kind: BuyInKind::Cash }
    }

    /// A player walks away with chips.
    pub fn cash_out(seat: Seat, amount: Cents) -> Command {
        Command::CashOut { seat, amount, kind: CashOutKind::Walk }
    }

    /// A player leaves with everything in the rack.
    pub fn leave(seat: Seat) -> Command {
        Command::Leave { seat, kind: CashOutKind::Walk }
    }
}
