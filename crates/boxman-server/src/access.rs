//! Who may do what: one table of roles and actions. An action missing from it does not compile.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// What somebody is at the house. An account may have several roles; a guest is a player at
/// practice tables only.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Plays with play money, without a password.
    Guest,
    /// Plays.
    Player,
    /// Runs a table.
    Dealer,
    /// Watches tables and dealers: the boxman.
    Supervisor,
    /// Reads everything and changes nothing.
    Auditor,
    /// Keeps the accounts.
    Administrator,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 6] = [
        Role::Guest,
        Role::Player,
        Role::Dealer,
        Role::Supervisor,
        Role::Auditor,
        Role::Administrator,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Role::Guest => "guest",
            Role::Player => "player",
            Role::Dealer => "dealer",
            Role::Supervisor => "supervisor",
            Role::Auditor => "auditor",
            Role::Administrator => "administrator",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is no role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotARole(String);

impl fmt::Display for NotARole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no role `{}`", self.0)
    }
}

impl std::error::Error for NotARole {}

impl FromStr for Role {
    type Err = NotARole;

    fn from_str(text: &str) -> Result<Role, NotARole> {
        let found = Role::ALL.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| NotARole(text.to_owned()))
    }
}

/// Everything that somebody may want to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Take a seat.
    Sit,
    /// Leave it.
    Leave,
    /// Give up a seat whose player has gone, with whatever bets it has.
    GiveUpSeat,
    /// Buy chips.
    BuyIn,
    /// Give chips back.
    CashOut,
    /// Bet.
    Put,
    /// Take a bet down.
    Take,
    /// Call a bet on or off.
    Call,
    /// No more bets.
    CloseBetting,
    /// Throw the house's dice.
    Roll,
    /// Key in real dice.
    KeyRoll,
    /// Call no roll.
    NoRoll,
    /// Give up the dice.
    PassDice,
    /// Ask that the last roll be void.
    Void,
    /// Ask that the last roll be corrected.
    Correct,
    /// Ask for another configuration.
    Configure,
    /// Agree to what somebody else has asked for at a table.
    Approve,
    /// Withdraw it.
    Withdraw,
    /// Confirm a jackpot or an award that is held.
    ConfirmClaim,
    /// Ask that it be denied.
    DenyClaim,
    /// Bring chips to the table.
    Fill,
    /// Take chips from the table.
    Credit,
    /// Have a table wait.
    Pause,
    /// Have it play on.
    Resume,
    /// Close it for good.
    Close,
    /// Open a table for real players.
    OpenTable,
    /// Open a practice table.
    OpenPractice,
    /// Ask that a meter be adjusted, closed or run on other terms.
    ChangeMeter,
    /// Agree to what somebody else has asked for at a meter, or withdraw it.
    ApproveMeter,
    /// See who sits at a table, their chips, and what they are paid.
    SeeSeats,
    /// Read reports.
    ReadReports,
    /// Read what became of a seat's chips: where a player's say reaches only their own seat,
    /// that is what they did in it themselves.
    ReadLedger,
    /// Read logs, verify them and take them away.
    ReadAudit,
    /// Bring a table in from another store.
    ImportTable,
    /// Make and change accounts.
    KeepAccounts,
}

/// How far a role's say reaches in one action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Not at all.
    No,
    /// Their own seat, at a practice table.
    Practice,
    /// Their own seat.
    Own,
    /// A seat nobody plays from a browser.
    Unowned,
    /// Anywhere.
    Any,
}

/// How many different people an action takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum People {
    /// One.
    One,
    /// One who asks and another who agrees.
    Two,
}

impl Action {
    /// Every action.
    pub const ALL: [Action; 35] = [
        Action::Sit,
        Action::Leave,
        Action::GiveUpSeat,
        Action::BuyIn,
        Action::CashOut,
        Action::Put,
        Action::Take,
        Action::Call,
        Action::CloseBetting,
        Action::Roll,
        Action::KeyRoll,
        Action::NoRoll,
        Action::PassDice,
        Action::Void,
        Action::Correct,
        Action::Configure,
        Action::Approve,
        Action::Withdraw,
        Action::ConfirmClaim,
        Action::DenyClaim,
        Action::Fill,
        Action::Credit,
        Action::Pause,
        Action::Resume,
        Action::Close,
        Action::OpenTable,
        Action::OpenPractice,
        Action::ChangeMeter,
        Action::ApproveMeter,
        Action::SeeSeats,
        Action::ReadReports,
        Action::ReadLedger,
        Action::ReadAudit,
        Action::ImportTable,
        Action::KeepAccounts,
    ];

    /// The row of this action: the reach of each role in the order of [`Role::ALL`], and how
    /// many people it takes at a real table. Chips between the cage and a real table take two
    /// above a threshold of the operator's.
    #[rustfmt::skip]
    pub const fn row(self) -> ([Reach; 6], People) {
        use People::{One, Two};
        use Reach::{Any, No, Own, Practice, Unowned};
        match self {
            //                         guest     player    dealer   supervisor auditor administrator
            Action::Sit          => ([Practice, Own,      Any,     Any,       No,     No ], One),
            Action::Leave        => ([Practice, Own,      Any,     Any,       No,     No ], One),
            Action::GiveUpSeat   => ([No,       No,       Any,     Any,       No,     No ], One),
            Action::BuyIn        => ([Practice, Practice, Any,     Any,       No,     No ], One),
            Action::CashOut      => ([Practice, Practice, Any,     Any,       No,     No ], One),
            Action::Put          => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
            Action::Take         => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
            Action::Call         => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
            Action::CloseBetting => ([No,       No,       Any,     Any,       No,     No ], One),
            Action::Roll         => ([Practice, Own,      Any,     Any,       No,     No ], One),
            Action::KeyRoll      => ([No,       No,       Any,     Any,       No,     No ], One),
            Action::NoRoll       => ([No,       No,       Any,     Any,       No,     No ], One),
            Action::PassDice     => ([Practice, Own,      Any,     Any,       No,     No ], One),
            Action::Void         => ([No,       No,       Any,     Any,       No,     No ], Two),
            Action::Correct      => ([No,       No,       Any,     Any,       No,     No ], Two),
            Action::Configure    => ([No,       No,       No,      Any,       No,     No ], Two),
            Action::Approve      => ([No,       No,       No,      Any,       No,     No ], One),
            Action::Withdraw     => ([No,       Own,      Any,     Any,       No,     No ], One),
            Action::ConfirmClaim => ([No,       No,       No,      Any,       No,     No ], One),
            Action::DenyClaim    => ([No,       No,       No,      Any,       No,     No ], Two),
            Action::Fill         => ([No,       No,       Any,     Any,       No,     No ], One),
            Action::Credit       => ([No,       No,       Any,     Any,       No,     No ], One),
            Action::Pause        => ([No,       No,       Any,     Any,       No,     No ], One),
            Action::Resume       => ([No,       No,       Any,     Any,       No,     No ], One),
            Action::Close        => ([No,       No,       No,      Any,       No,     No ], One),
            Action::OpenTable    => ([No,       No,       No,      Any,       No,     Any], One),
            Action::OpenPractice => ([Any,      Any,      Any,     Any,       No,     Any], One),
            Action::ChangeMeter  => ([No,       No,       No,      Any,       No,     No ], Two),
            Action::ApproveMeter => ([No,       No,       No,      Any,       No,     Any], One),
            Action::SeeSeats     => ([No,       Own,      Any,     Any,       Any,    Any], One),
            Action::ReadReports  => ([No,       No,       No,      Any,       Any,    Any], One),
            Action::ReadLedger   => ([Practice, Own,      Any,     Any,       Any,    Any], One),
            Action::ReadAudit    => ([Practice, Practice, Practice, Any,      Any,    Any], One),
            Action::ImportTable  => ([No,       No,       No,      No,        No,     Any], One),
            Action::KeepAccounts => ([No,       No,       No,      No,        No,     Any], One),
        }
    }

    /// How far `role`'s say reaches.
    pub const fn reach(self, role: Role) -> Reach {
        self.row().0[role as usize]
    }

    /// How many people it takes at a real table, or at one for practice: there one is enough for
    /// everything, so that somebody who runs a game at home is never stuck.
    pub const fn people(self, practice: bool) -> People {
        if practice { People::One } else { self.row().1 }
    }
}

/// Somebody who asks for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The account's `p-ID`, or `guest-ID`; the house itself is `boxman`.
    pub id: String,
    /// The name shown at tables.
    pub name: String,
    /// What they are.
    pub roles: Vec<Role>,
}

/// Whether an id is a guest's.
pub(crate) fn is_guest(person: &str) -> bool {
    person.starts_with("guest-")
}

impl Person {
    /// The reaches of all their roles in one action.
    pub fn reaches(&self, action: Action) -> impl Iterator<Item = Reach> {
        self.roles.iter().map(move |role| action.reach(*role))
    }

    /// Whether they may do it to the seat of `owner` at a table, which may be nobody's.
    pub fn may(&self, action: Action, practice: bool, owner: Option<&str>) -> bool {
        let own = owner == Some(self.id.as_str());
        self.reaches(action).any(|reach| match reach {
            Reach::No => false,
            Reach::Practice => practice && own,
            Reach::Own => own,
            Reach::Unowned => own || owner.is_none(),
            Reach::Any => true,
        })
    }

    /// Whether they work here.
    pub fn is_crew(&self) -> bool {
        let crew = [Role::Dealer, Role::Supervisor, Role::Administrator];
        self.roles.iter().any(|role| crew.contains(role))
    }

    /// Whether any of their roles has a say in it at all.
    pub fn may_at_all(&self, action: Action, practice: bool) -> bool {
        self.reaches(action).any(|reach| match reach {
            Reach::No => false,
            Reach::Practice => practice,
            Reach::Own | Reach::Unowned | Reach::Any => true,
        })
    }
}

/// How much of a table somebody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Sight {
    /// Everything.
    Table,
    /// Dice, puck, lammers and meters: nobody's name, chips or winnings.
    Stranger,
}

impl Sight {
    /// What somebody sees of a table, who may have a seat there or not even be logged in. A
    /// practice table is open to everybody.
    pub fn of(who: Option<&Person>, practice: bool, seated: bool) -> Sight {
        let may = |who: &Person| {
            let own = seated.then_some(who.id.as_str());
            who.may(Action::SeeSeats, practice, own)
        };
        match practice || who.is_some_and(may) {
            true => Sight::Table,
            false => Sight::Stranger,
        }
    }
}
