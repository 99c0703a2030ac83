//! A table: seats, racks, bets, the shooter and the dice, as a pure state machine.
//!
//! [`Table::decide`] answers a [`Command`] with [`Event`]s or a [`Refusal`]; [`Table::evolve`]
//! applies an event. State changes in no other way. Deciding needs the rules, evolving does not:
//! an event carries everything it changes, so a log can be replayed without them.

mod claim;
mod decide;
mod evolve;

use serde::{Deserialize, Serialize};

pub use self::claim::{Claim, ClaimId, HeldAward};
use crate::account::{Account, Accounts, Postings, Seat};
use crate::dice::Roll;
use crate::hand::Hand;
use crate::layout::{Bet, Layout};
use crate::money::{Cents, Fraction, MicroCents};
use crate::puck::Puck;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::settle::Settlement;
use crate::spot::{OnOff, Spot};

/// What somebody asks of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// What happened at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
        /// The chips cashed out.
        postings: Postings,
    },
    /// A player bought in.
    BoughtIn {
        /// Who.
        seat: Seat,
        /// The chips.
        postings: Postings,
    },
    /// A player cashed out.
    CashedOut {
        /// Who.
        seat: Seat,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A roll taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// Who has the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dice {
    /// They go round clockwise from this seat to the first player with a line bet.
    Offered(Seat),
    /// This player is shooting.
    Held(Seat),
}

/// Whether bets are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Bets may be made and changed.
    Open,
    /// No more bets: the dice are out.
    Closed,
}

/// Whether the table plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It plays.
    Running,
    /// It waits.
    Paused,
    /// It is closed for good.
    Closed,
}

/// Somebody at the rail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The name they sat down with.
    pub name: String,
    /// Their bets.
    pub layout: Layout,
}

/// A craps table.
///
/// ```
/// use craps::{Cents, Command, Library, Rules, Seat, Table};
/// let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
/// let mut table = Table::open(&rules);
/// let seat = Seat(0);
/// for command in [
///     Command::Sit { seat, name: "ann".into() },
///     Command::BuyIn { seat, amount: Cents::dollars(100) },
///     Command::Put { seat, wager: "pass".into(), amount: Cents::dollars(10) },
///     Command::CloseBetting,
///     Command::Roll { roll: "6-5".parse().unwrap() },
/// ] {
///     for event in table.decide(&rules, &command).unwrap() {
///         table.evolve(&event);
///     }
/// }
/// assert_eq!(table.rack(seat), Cents::dollars(110));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    rules: [u8; 32],
    status: Status,
    betting: Phase,
    hand: Hand,
    dice: Dice,
    seats: Vec<Option<Player>>,
    accounts: Accounts,
    rolls: u64,
    cap_used: Cents,
    memo: Fraction,
    carry: MicroCents,
    claims: Vec<Claim>,
    held: Vec<HeldAward>,
    claims_made: u64,
    before_roll: Option<Box<BeforeRoll>>,
}

/// The table as it was before the last roll, kept until the next bet is accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BeforeRoll {
    roll: Roll,
    hand: Hand,
    dice: Dice,
    layouts: Vec<Layout>,
    cap_used: Cents,
    memo: Fraction,
    /// Claims and awards that waited already.
    claims: Vec<Claim>,
    held: Vec<HeldAward>,
    /// The claims the roll made, paid or not, but for those denied.
    made: Vec<Claim>,
    /// What each bet won that could still be held.
    won: Vec<Won>,
    /// What the roll and everything that came of its claims and awards have moved.
    postings: Postings,
}

/// Winnings of the last roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Won {
    seat: Seat,
    spot: Spot,
    amount: Cents,
}

impl Table {
    /// An empty table under `rules`.
    pub fn open(rules: &Rules) -> Table {
        Table {
            rules: rules.hash,
            status: Status::Running,
            betting: Phase::Open,
            hand: Hand::default(),
            dice: Dice::Offered(Seat(0)),
            seats: vec![None; Seat::COUNT],
            accounts: Accounts::default(),
            rolls: 0,
            cap_used: Cents::ZERO,
            memo: Fraction::ZERO,
            carry: MicroCents::ZERO,
            claims: Vec::new(),
            held: Vec::new(),
            claims_made: 0,
            before_roll: None,
        }
    }

    /// What a command would do, or why it may not.
    pub fn decide(&self, rules: &Rules, command: &Command) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, rules, command)
    }

    /// Applies an event. It cannot fail: an event that does not balance is corruption and panics.
    pub fn evolve(&mut self, event: &Event) {
        evolve::evolve(self, event);
    }

    /// Decides a command and applies what it does.
    pub fn obey(&mut self, rules: &Rules, command: &Command) -> Result<Vec<Event>, Refusal> {
        let events = self.decide(rules, command)?;
        events.iter().for_each(|event| self.evolve(event));
        Ok(events)
    }

    /// The hash of the rules it plays by.
    pub fn rules(&self) -> [u8; 32] {
        self.rules
    }

    /// The shared state of play.
    pub fn hand(&self) -> &Hand {
        &self.hand
    }

    /// Whether it plays.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether bets are taken.
    pub fn is_betting_open(&self) -> bool {
        self.betting == Phase::Open
    }

    /// How many rolls have counted.
    pub fn rolls(&self) -> u64 {
        self.rolls
    }

    /// Who sits where.
    pub fn players(&self) -> impl Iterator<Item = (Seat, &Player)> {
        Seat::all().filter_map(|seat| Some((seat, self.player(seat)?)))
    }

    /// Who sits in `seat`.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.seats.get(seat.index())?.as_ref()
    }

    /// A player's chips off the layout.
    pub fn rack(&self, seat: Seat) -> Cents {
        self.balance(Account::Rack(seat))
    }

    /// What an account holds.
    pub fn balance(&self, account: Account) -> Cents {
        self.accounts.balance(account)
    }

    /// The sum of all accounts, which is always nothing.
    pub fn sum(&self) -> Cents {
        self.accounts.sum()
    }

    /// Parts of a cent rounded away since the table opened, beside the ledger.
    pub fn memo(&self) -> Fraction {
        self.memo
    }

    /// The chips the house has at the table: fills, less credits, and what it has won.
    pub fn bank(&self) -> Cents {
        self.balance(Account::Bank) + self.balance(Account::House)
    }

    /// Whether the table's own state lets a command be considered at all: it is open, not paused
    /// and in the right phase of betting. Whatever else speaks against it comes after.
    pub fn admits(&self, command: &Command) -> Result<(), Refusal> {
        decide::check_status(self, command)
    }

    /// What has gone to meters and not come back, with the part of a cent still owed.
    pub fn cleared(&self) -> MicroCents {
        MicroCents::from(self.balance(Account::Clearing)) + self.carry
    }

    /// Jackpot claims waiting for their meters.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// Winnings waiting to be confirmed.
    pub fn held(&self) -> &[HeldAward] {
        &self.held
    }

    /// Who has the dice.
    pub fn dice(&self) -> Dice {
        self.dice
    }

    /// Who has the dice, or would have them if the roll were called now.
    pub fn shooter(&self, rules: &Rules) -> Option<Seat> {
        let from = match self.dice {
            Dice::Held(seat) => return Some(seat),
            Dice::Offered(from) => from,
        };
        let has_line = |seat: &Seat| {
            let player = self.player(*seat);
            player.is_some_and(|player| crate::window::has_line_bet(rules, &player.layout))
        };
        let seated = |seat: &Seat| self.player(*seat).is_some();
        from.onwards().find(has_line).or_else(|| from.onwards().find(seated))
    }
}
