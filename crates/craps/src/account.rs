//! Where the chips are: double-entry accounts that always sum to zero.

use std::fmt;

use serde::Serialize;

use crate::money::Cents;

/// A place at the rail, numbered clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// How many places a table has.
    pub const COUNT: usize = 24;

    /// Every seat, clockwise.
    pub fn all() -> impl Iterator<Item = Seat> + Clone {
        (0..Seat::COUNT as u8).map(Seat)
    }

    /// The place of this seat in [`Seat::all`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next seat clockwise.
    #[must_use]
    pub const fn next(self) -> Seat {
        Seat((self.0 + 1) % Seat::COUNT as u8)
    }

    /// Every seat clockwise from this one, itself first.
    pub fn onwards(self) -> impl Iterator<Item = Seat> {
        (0..Seat::COUNT as u8).map(move |step| Seat((self.0 + step) % Seat::COUNT as u8))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0 + 1)
    }
}

/// One of the table's accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Account {
    /// Buy-ins come from it, cash-outs go to it.
    Cage,
    /// Chips brought to the table by fills, less those taken away by credits.
    Bank,
    /// What the house has won and lost.
    House,
    /// What the dealers have been paid.
    Envy,
    /// Whole cents rounded away from winnings.
    Breakage,
    /// Money on its way to and from progressive meters.
    Clearing,
    /// Winnings that wait to be confirmed.
    Held,
    /// A player's chips off the layout.
    Rack(Seat),
    /// A player's chips on the layout, with commission not yet earned.
    Action(Seat),
}

/// One entry: an account and what it gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Posting {
    /// The account.
    pub account: Account,
    /// What it gains; less than zero is a loss.
    pub amount: Cents,
}

/// Entries that belong together and sum to zero, at most one for each account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Postings(Vec<Posting>);

impl Postings {
    /// One movement of money.
    pub fn transfer(from: Account, to: Account, amount: Cents) -> Postings {
        let mut postings = Postings::default();
        postings.post(from, -amount);
        postings.post(to, amount);
        postings
    }

    /// Adds `amount` to what `account` gains.
    #[inline]
    pub fn post(&mut self, account: Account, amount: Cents) {
        if amount == Cents::ZERO {
            return;
        }
        match self.0.iter_mut().find(|posting| posting.account == account) {
            Some(posting) => posting.amount += amount,
            None => self.0.push(Posting { account, amount }),
        }
    }

    /// Adds all of `other`'s entries.
    pub fn extend(&mut self, other: &Postings) {
        other.0.iter().for_each(|posting| self.post(posting.account, posting.amount));
    }

    /// The entries that undo these.
    #[must_use]
    pub fn reversed(&self) -> Postings {
        let reverse = |posting: &Posting| Posting { amount: -posting.amount, ..*posting };
        Postings(self.0.iter().map(reverse).collect())
    }

    /// Each entry.
    pub fn iter(&self) -> impl Iterator<Item = &Posting> {
        self.0.iter()
    }

    /// What `account` gains.
    pub fn gain(&self, account: Account) -> Cents {
        self.0.iter().filter(|posting| posting.account == account).map(|p| p.amount).sum()
    }

    /// Forgets all entries but keeps the room for them.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The sum of all entries, which must be nothing.
    pub fn sum(&self) -> Cents {
        self.0.iter().map(|posting| posting.amount).sum()
    }
}

/// Entries as they were written down.
impl FromIterator<Posting> for Postings {
    fn from_iter<T: IntoIterator<Item = Posting>>(entries: T) -> Postings {
        Postings(entries.into_iter().collect())
    }
}

/// The balance of every account of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accounts {
    /// See [`Account::Cage`].
    pub cage: Cents,
    /// See [`Account::Bank`].
    pub bank: Cents,
    /// See [`Account::House`].
    pub house: Cents,
    /// See [`Account::Envy`].
    pub envy: Cents,
    /// See [`Account::Breakage`].
    pub breakage: Cents,
    /// See [`Account::Clearing`].
    pub clearing: Cents,
    /// See [`Account::Held`].
    pub held: Cents,
    /// See [`Account::Rack`], seat by seat.
    pub racks: [Cents; Seat::COUNT],
    /// See [`Account::Action`], seat by seat.
    pub actions: [Cents; Seat::COUNT],
}

impl Accounts {
    /// What an account holds.
    pub fn balance(&self, account: Account) -> Cents {
        match account {
            Account::Cage => self.cage,
            Account::Bank => self.bank,
            Account::House => self.house,
            Account::Envy => self.envy,
            Account::Breakage => self.breakage,
            Account::Clearing => self.clearing,
            Account::Held => self.held,
            Account::Rack(seat) => self.racks[seat.index()],
            Account::Action(seat) => self.actions[seat.index()],
        }
    }

    fn balance_mut(&mut self, account: Account) -> &mut Cents {
        match account {
            Account::Cage => &mut self.cage,
            Account::Bank => &mut self.bank,
            Account::House => &mut self.house,
            Account::Envy => &mut self.envy,
            Account::Breakage => &mut self.breakage,
            Account::Clearing => &mut self.clearing,
            Account::Held => &mut self.held,
            Account::Rack(seat) => &mut self.racks[seat.index()],
            Account::Action(seat) => &mut self.actions[seat.index()],
        }
    }

    /// Books entries. Panics if they do not sum to zero or overdraw a player: such entries are
    /// corruption, and must not be played on.
    pub fn book(&mut self, postings: &Postings) {
        assert_eq!(postings.sum(), Cents::ZERO, "postings do not balance: {postings:?}");
        for posting in postings.iter() {
            let balance = self.balance_mut(posting.account);
            *balance += posting.amount;
            let own =
                matches!(posting.account, Account::Held | Account::Rack(_) | Account::Action(_));
            assert!(!own || *balance >= Cents::ZERO, "overdrawn: {posting:?}");
        }
    }

    /// The sum of all accounts, which must be nothing.
    pub fn sum(&self) -> Cents {
        let house = [self.cage, self.bank, self.house, self.envy, self.breakage];
        let waiting = [self.clearing, self.held];
        house.into_iter().chain(waiting).chain(self.racks).chain(self.actions).sum()
    }
}
