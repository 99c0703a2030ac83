//! What the house writes down.

use super::record::Head;
use crate::id::{MeterId, TableId};
use crate::role::Role;

/// What happened to the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HouseEntry {
    /// The server started.
    Started {
        /// The program's version.
        version: String,
    },
    /// An account was made.
    AccountMade {
        /// Whose, by the id that stands for them everywhere.
        account: String,
        /// What they log in with: only administrators are shown this.
        login: String,
        /// The name shown at tables.
        table_name: String,
        /// What they may do.
        roles: Vec<Role>,
    },
    /// An account's roles changed; its sessions ended.
    RolesChanged {
        /// Whose.
        account: String,
        /// Before.
        before: Vec<Role>,
        /// After.
        after: Vec<Role>,
    },
    /// An account's table name changed.
    Renamed {
        /// Whose.
        account: String,
        /// Before.
        before: String,
        /// After.
        after: String,
    },
    /// An account's password changed; its sessions ended.
    PasswordChanged {
        /// Whose.
        account: String,
    },
    /// Somebody logged in.
    LoggedIn {
        /// Who.
        account: String,
    },
    /// Somebody failed to. Of many failures in a row the first, the second, the fourth and so on
    /// are written down.
    LoginFailed {
        /// Whose password was guessed; none where nobody has the name that was given.
        account: Option<String>,
        /// How many in a row, from everywhere.
        failures: u32,
    },
    /// A table was opened.
    TableOpened {
        /// Which.
        table: TableId,
        /// Its name.
        name: String,
    },
    /// A table was brought in from another store.
    TableImported {
        /// Which.
        table: TableId,
        /// Up to where.
        head: Head,
    },
    /// A meter was opened.
    MeterOpened {
        /// Which.
        meter: MeterId,
    },
}
