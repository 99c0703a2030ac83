//! What can be asked of a table.

use serde::Serialize;

use super::ClaimId;
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
    },
    /// A player goes by another name.
    Rename {
        /// Where they sit.
        seat: Seat,
        /// The name.
        name: String,
    },
    /// A player buys chips from the cage.
    BuyIn {
        /// Who.
        seat: Seat,
        /// How much.
        amount: Cents,
    },
    /// A player gives chips back to the cage.
    CashOut {
        /// Who.
        seat: Seat,
        /// How much.
        amount: Cents,
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
    /// The table goes over to the rules it is decided with.
    Configure,
    /// Play stops for a while.
    Pause,
    /// Play goes on.
    Resume,
    /// Play stops for good.
    Close,
}
