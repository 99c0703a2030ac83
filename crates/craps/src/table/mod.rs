//! A table: seats, racks, bets, the shooter and the dice, as a pure state machine.
//!
//! [`Table::decide`] answers a [`Command`] with [`Event`]s or a [`Refusal`]; [`Table::evolve`]
//! applies an event. State changes in no other way. Deciding needs the rules, evolving does not:
//! an event carries everything it changes, so a log can be replayed without them.

mod claim;
mod command;
mod decide;
mod event;
mod evolve;
mod kinds;
mod mend;
mod parts;
mod sweep;
mod void;

use serde::Serialize;

pub(crate) use self::claim::awarded;
pub use self::claim::{Claim, ClaimId, HeldAward, HeldEnvy};
pub use self::command::Command;
pub(crate) use self::decide::{Contribution, claims, contribution};
pub use self::event::{Betting, Event, Fed, Rolled, Swept, Undone, Voided};
pub use self::kinds::{BuyInKind, CashOutKind, NotAKind};
pub use self::mend::{
    BetDue, CameDown, Dues, MendMove, Mended, Mending, Moved, MovedBet, MovedFor, OpenStake,
    PastRoll, Showed,
};
pub use self::parts::{BeforeRoll, Parts, Since, Won};
use crate::account::{Account, Accounts, Seat};
use crate::hand::Hand;
use crate::layout::Layout;
use crate::money::{Cents, Fraction, MicroCents};
use crate::refusal::Refusal;
use crate::rules::Rules;

/// Who has the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dice {
    /// They go round clockwise from this seat to the first player with a line bet.
    Offered(Seat),
    /// This player is shooting.
    Held(Seat),
}

/// Who may throw the dice on a come-out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shooter {
    /// Somebody with a line bet: so it is at every live table.
    #[default]
    WithLineBet,
    /// Anybody at the rail, as a tape may say.
    Any,
}

/// What a credit may take from a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CreditLimit {
    /// The chips in the tray.
    #[default]
    Tray,
    /// Fills less credits and what the house has won, whatever lies in the tray: so it was at
    /// tables opened before there was a tray.
    Bank,
}

/// How a house deals, beyond the rules of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dealing {
    /// Who may throw the dice on a come-out.
    pub shooter: Shooter,
    /// What a credit may take.
    pub credit: CreditLimit,
}

/// Whether bets are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Bets may be made and changed.
    Open,
    /// No more bets: the dice are out.
    Closed,
    /// The crew pays the last roll: no bets, and no dice.
    Paying,
}

/// Whether the table plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
///     Command::buy_in(seat, Cents::dollars(100)),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    parts: Parts,
}

impl Table {
    /// An empty table under `rules`.
    pub fn open(rules: &Rules) -> Table {
        let parts = Parts {
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
            held_envy: Vec::new(),
            claims_made: 0,
            dropped: Cents::ZERO,
            redeemed: Cents::ZERO,
            paid_by_cage: Cents::ZERO,
            before_roll: None,
        };
        Table { parts }
    }

    /// Everything it is made of.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// A table made of the parts of one.
    pub fn from_parts(parts: Parts) -> Table {
        Table { parts }
    }

    /// What a command would do, or why it may not.
    pub fn decide(&self, rules: &Rules, command: &Command) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, rules, command, Dealing::default())
    }

    /// The same, where the house deals so.
    pub fn decide_as(
        &self,
        rules: &Rules,
        command: &Command,
        dealing: Dealing,
    ) -> Result<Vec<Event>, Refusal> {
        decide::decide(self, rules, command, dealing)
    }

    /// Applies an event. It cannot fail: an event that does not balance is corruption and panics.
    pub fn evolve(&mut self, event: &Event) {
        evolve::evolve(&mut self.parts, event);
    }

    /// Decides a command and applies what it does.
    pub fn obey(&mut self, rules: &Rules, command: &Command) -> Result<Vec<Event>, Refusal> {
        self.obey_as(rules, command, Dealing::default())
    }

    /// The same, where the house deals so.
    pub fn obey_as(
        &mut self,
        rules: &Rules,
        command: &Command,
        dealing: Dealing,
    ) -> Result<Vec<Event>, Refusal> {
        let events = decide::decide(self, rules, command, dealing)?;
        events.iter().for_each(|event| self.evolve(event));
        Ok(events)
    }

    /// The hash of the rules it plays by.
    pub fn rules(&self) -> [u8; 32] {
        self.parts.rules
    }

    /// The shared state of play.
    pub fn hand(&self) -> &Hand {
        &self.parts.hand
    }

    /// Whether it plays.
    pub fn status(&self) -> Status {
        self.parts.status
    }

    /// Whether bets are taken.
    pub fn is_betting_open(&self) -> bool {
        self.parts.betting == Phase::Open
    }

    /// Whether bets are taken, the dice are out, or the last roll is being paid.
    pub fn phase(&self) -> Phase {
        self.parts.betting
    }

    /// How many rolls have counted.
    pub fn rolls(&self) -> u64 {
        self.parts.rolls
    }

    /// Who sits where.
    pub fn players(&self) -> impl Iterator<Item = (Seat, &Player)> {
        Seat::all().filter_map(|seat| Some((seat, self.player(seat)?)))
    }

    /// Who sits in `seat`.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.parts.seats.get(seat.index())?.as_ref()
    }

    /// A player's chips off the layout.
    pub fn rack(&self, seat: Seat) -> Cents {
        self.balance(Account::Rack(seat))
    }

    /// What an account holds.
    pub fn balance(&self, account: Account) -> Cents {
        self.parts.accounts.balance(account)
    }

    /// The sum of all accounts, which is always nothing.
    pub fn sum(&self) -> Cents {
        self.parts.accounts.sum()
    }

    /// Parts of a cent rounded away since the table opened, beside the ledger.
    pub fn memo(&self) -> Fraction {
        self.parts.memo
    }

    /// What fills less credits and the house's winnings come to. This is not what lies in the
    /// tray: see [`Table::tray`].
    pub fn bank(&self) -> Cents {
        self.balance(Account::Bank) + self.balance(Account::House)
    }

    /// The chips of the house at the table. Chips sold for cash, markers and coupons have left
    /// it; money of meters, breakage and winnings that wait are still in it.
    pub fn tray(&self) -> Cents {
        let accounts = [Account::Breakage, Account::Clearing, Account::Held];
        let others: Cents = accounts.into_iter().map(|account| self.balance(account)).sum();
        let Parts { dropped, redeemed, paid_by_cage, .. } = self.parts;
        self.bank() + others - dropped + redeemed + paid_by_cage
    }

    /// Whether the table's own state lets a command be considered at all: it is open, not paused
    /// and in the right phase of betting. Whatever else speaks against it comes after.
    pub fn admits(&self, command: &Command) -> Result<(), Refusal> {
        decide::check_status(self, command)
    }

    /// What has gone to meters and not come back, with the part of a cent still owed.
    pub fn cleared(&self) -> MicroCents {
        MicroCents::from(self.balance(Account::Clearing)) + self.parts.carry
    }

    /// Jackpot claims waiting for their meters.
    pub fn claims(&self) -> &[Claim] {
        &self.parts.claims
    }

    /// What the dealers are paid for winnings that wait.
    pub fn held_envy(&self) -> &[HeldEnvy] {
        &self.parts.held_envy
    }

    /// Winnings waiting to be confirmed.
    pub fn held(&self) -> &[HeldAward] {
        &self.parts.held
    }

    /// Who has the dice.
    pub fn dice(&self) -> Dice {
        self.parts.dice
    }

    /// Who has the dice, or would have them if the roll were called now.
    pub fn shooter(&self, rules: &Rules) -> Option<Seat> {
        let from = match self.parts.dice {
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
