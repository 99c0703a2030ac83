//! Who may do what: one table of roles and actions. An action missing from it does not compile.

use serde::Serialize;
use strum::{EnumIter, IntoEnumIterator};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::ask::Verb;
use crate::role::Role;

/// Everything that somebody may want to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter)]
pub enum Deed {
    /// Give a command at a table.
    #[strum(disabled)]
    Table(Verb),
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
    /// Find tables that are closed for good.
    FindClosed,
    /// Hear what waits for them at any table or meter.
    HearBell,
    /// Read what players have bought over all tables, and whose identity was taken.
    ReadPlayers,
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

impl From<Verb> for Deed {
    fn from(verb: Verb) -> Deed {
        Deed::Table(verb)
    }
}

impl Deed {
    /// Every one of them.
    pub fn all() -> impl Iterator<Item = Deed> {
        Verb::iter().map(Deed::Table).chain(Deed::iter())
    }

    /// The row of this action: the reach of each role in the order of [`Role::ALL`], and how
    /// many people it takes at a real table. Chips between the cage and a real table take two
    /// above a threshold of the operator's.
    #[rustfmt::skip]
    pub const fn row(self) -> ([Reach; 6], People) {
        use People::{One, Two};
        use Reach::{Any, No, Own, Practice};
        match self {
            Deed::Table(verb) => at_a_table(verb),
            //                      guest     player    dealer   supervisor auditor administrator
            Deed::OpenTable    => ([No,       No,       No,      Any,       No,     Any], One),
            Deed::OpenPractice => ([Any,      Any,      Any,     Any,       No,     Any], One),
            Deed::ChangeMeter  => ([No,       No,       No,      Any,       No,     No ], Two),
            Deed::ApproveMeter => ([No,       No,       No,      Any,       No,     Any], One),
            Deed::SeeSeats     => ([No,       Own,      Any,     Any,       Any,    Any], One),
            Deed::FindClosed   => ([No,       No,       Any,     Any,       Any,    Any], One),
            Deed::HearBell     => ([No,       No,       Any,     Any,       No,     Any], One),
            Deed::ReadPlayers  => ([No,       No,       No,      Any,       Any,    Any], One),
            Deed::ReadReports  => ([No,       No,       No,      Any,       Any,    Any], One),
            Deed::ReadLedger   => ([Practice, Own,      Any,     Any,       Any,    Any], One),
            Deed::ReadAudit    => ([Practice, Practice, Practice, Any,      Any,    Any], One),
            Deed::ImportTable  => ([No,       No,       No,      No,        No,     Any], One),
            Deed::KeepAccounts => ([No,       No,       No,      No,        No,     Any], One),
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

/// The rows of what is done at a table.
#[rustfmt::skip]
const fn at_a_table(verb: Verb) -> ([Reach; 6], People) {
    use People::{One, Two};
    use Reach::{Any, No, Own, Practice, Unowned};
    match verb {
        //                      guest     player    dealer   supervisor auditor administrator
        Verb::Sit          => ([Practice, Own,      Any,     Any,       No,     No ], One),
        Verb::Leave        => ([Practice, Own,      Any,     Any,       No,     No ], One),
        Verb::Rename       => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
        Verb::GiveUpSeat   => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::BuyIn        => ([Practice, Practice, Any,     Any,       No,     No ], One),
        Verb::CashOut      => ([Practice, Practice, Any,     Any,       No,     No ], One),
        Verb::Put          => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
        Verb::Take         => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
        Verb::Call         => ([Practice, Own,      Unowned, Unowned,   No,     No ], One),
        Verb::CloseBetting => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::Roll         => ([Practice, Own,      Any,     Any,       No,     No ], One),
        Verb::KeyRoll      => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::NoRoll       => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::PassDice     => ([Practice, Own,      Any,     Any,       No,     No ], One),
        Verb::OpenBetting  => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::Done         => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::Link         => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::Identify     => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::AcceptTray   => ([No,       No,       Any,     Any,       No,     No ], Two),
        Verb::Void         => ([No,       No,       Any,     Any,       No,     No ], Two),
        Verb::Correct      => ([No,       No,       Any,     Any,       No,     No ], Two),
        Verb::Mend         => ([No,       No,       Any,     Any,       No,     No ], Two),
        Verb::Configure    => ([No,       No,       No,      Any,       No,     No ], Two),
        Verb::Approve      => ([No,       No,       No,      Any,       No,     No ], One),
        Verb::Withdraw     => ([No,       Own,      Any,     Any,       No,     No ], One),
        Verb::Check        => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::ConfirmClaim => ([No,       No,       No,      Any,       No,     No ], One),
        Verb::DenyClaim    => ([No,       No,       No,      Any,       No,     No ], Two),
        Verb::Fill         => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::Credit       => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::Pause        => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::Resume       => ([No,       No,       Any,     Any,       No,     No ], One),
        Verb::Close        => ([No,       No,       No,      Any,       No,     No ], Two),
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

/// Whether this is written as the id of an account is.
pub(crate) fn is_account(person: &str) -> bool {
    let digits = person.strip_prefix("p-").unwrap_or_default();
    digits.len() == 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl Person {
    /// The reaches of all their roles in one action.
    pub fn reaches(&self, deed: impl Into<Deed>) -> impl Iterator<Item = Reach> {
        let deed = deed.into();
        self.roles.iter().map(move |role| deed.reach(*role))
    }

    /// Whether they may do it to the seat of `owner` at a table, which may be nobody's.
    pub fn may(&self, deed: impl Into<Deed>, practice: bool, owner: Option<&str>) -> bool {
        let own = owner == Some(self.id.as_str());
        self.reaches(deed).any(|reach| match reach {
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
    pub fn may_at_all(&self, deed: impl Into<Deed>, practice: bool) -> bool {
        self.reaches(deed).any(|reach| match reach {
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
