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
pub enum Deed {
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

impl Deed {
    /// Every action.
    pub const ALL: [Deed; 35] = [
        Deed::Sit,
        Deed::Leave,
        Deed::GiveUpSeat,
        Deed::BuyIn,
        Deed::CashOut,
        Deed::Put,
        Deed::Take,
        Deed::Call,
        Deed::CloseBetting,
        Deed::Roll,
        Deed::KeyRoll,
        Deed::NoRoll,
        Deed::PassDice,
        Deed::Void,
        Deed::Correct,
        Deed::Configure,
        Deed::Approve,
        Deed::Withdraw,
        Deed::ConfirmClaim,
        Deed::DenyClaim,
        Deed::Fill,
        Deed::Credit,
        Deed::Pause,
        Deed::Resume,
        Deed::Close,
        Deed::OpenTable,
        Deed::OpenPractice,
        Deed::ChangeMeter,
        Deed::ApproveMeter,
        Deed::SeeSeats,
        Deed::ReadReports,
        Deed::ReadLedger,
        Deed::ReadAudit,
        Deed::ImportTable,
        Deed::KeepAccounts,
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
            Deed::Sit            => ([Practice, Own,      Any,     Any,       No,     No ], One),
            Deed::Leave          => ([Practice, Own,      Any,     Any,       No,     No ], One),
            Deed::GiveUpSeat     => ([No,       No,       Any,     Any,       No,     No ], One),
            Deed::BuyIn          => ([Practice, Practice, Any,     Any,       No,     No ], One),
            Deed::CashOut        => ([Practice, Practice, Any,     Any,       No,     No ], One),
            Deed::Put            => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
            Deed::Take           => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
            Deed::Call           => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
            Deed::CloseBetting   => ([No,       No,       Any,     Any,       No,     No ], One),
            Deed::Roll           => ([Practice, Own,      Any,     Any,       No,     No ], One),
            Deed::KeyRoll        => ([No,       No,       Any,     Any,       No,     No ], One),
            Deed::NoRoll         => ([No,       No,       Any,     Any,       No,     No ], One),
            Deed::PassDice       => ([Practice, Own,      Any,     Any,       No,     No ], One),
            Deed::Void           => ([No,       No,       Any,     Any,       No,     No ], Two),
            Deed::Correct        => ([No,       No,       Any,     Any,       No,     No ], Two),
            Deed::Configure      => ([No,       No,       No,      Any,       No,     No ], Two),
            Deed::Approve        => ([No,       No,       No,      Any,       No,     No ], One),
            Deed::Withdraw       => ([No,       Own,      Any,     Any,       No,     No ], One),
            Deed::ConfirmClaim   => ([No,       No,       No,      Any,       No,     No ], One),
            Deed::DenyClaim      => ([No,       No,       No,      Any,       No,     No ], Two),
            Deed::Fill           => ([No,       No,       Any,     Any,       No,     No ], One),
            Deed::Credit         => ([No,       No,       Any,     Any,       No,     No ], One),
            Deed::Pause          => ([No,       No,       Any,     Any,       No,     No ], One),
            Deed::Resume         => ([No,       No,       Any,     Any,       No,     No ], One),
            Deed::Close          => ([No,       No,       No,      Any,       No,     No ], One),
            Deed::OpenTable      => ([No,       No,       No,      Any,       No,     Any], One),
            Deed::OpenPractice   => ([Any,      Any,      Any,     Any,       No,     Any], One),
            Deed::ChangeMeter    => ([No,       No,       No,      Any,       No,     No ], Two),
            Deed::ApproveMeter   => ([No,       No,       No,      Any,       No,     Any], One),
            Deed::SeeSeats       => ([No,       Own,      Any,     Any,       Any,    Any], One),
            Deed::ReadReports    => ([No,       No,       No,      Any,       Any,    Any], One),
            Deed::ReadLedger     => ([Practice, Own,      Any,     Any,       Any,    Any], One),
            Deed::ReadAudit      => ([Practice, Practice, Practice, Any,      Any,    Any], One),
            Deed::ImportTable    => ([No,       No,       No,      No,        No,     Any], One),
            Deed::KeepAccounts   => ([No,       No,       No,      No,        No,     Any], One),
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
    pub fn reaches(&self, action: Deed) -> impl Iterator<Item = Reach> {
        self.roles.iter().map(move |role| action.reach(*role))
    }

    /// Whether they may do it to the seat of `owner` at a table, which may be nobody's.
    pub fn may(&self, action: Deed, practice: bool, owner: Option<&str>) -> bool {
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
    pub fn may_at_all(&self, action: Deed, practice: bool) -> bool {
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
            who.may(Deed::SeeSeats, practice, own)
        };
        match practice || who.is_some_and(may) {
            true => Sight::Table,
            false => Sight::Stranger,
        }
    }
}
