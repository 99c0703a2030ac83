//! What the house writes down.

use crate::hash::Hash;
use crate::log::stored::stored;

stored! {
    enum Entry = crate::log::HouseEntry {
        Started { version: String },
        AccountMade { account: String, login: String, table_name: String, roles: Vec<Role> },
        RolesChanged { account: String, before: Vec<Role>, after: Vec<Role> },
        Renamed { account: String, before: String, after: String },
        PasswordChanged { account: String },
        LoggedIn { account: String },
        LoginFailed { failures: u32; account: Option<String> },
        TableOpened { table: String, name: String },
        TableImported { table: String, head: Head },
        MeterOpened { meter: String },
    }

    struct Head = crate::log::Head { seq: u64, hash: Hash }

    enum Role = crate::role::Role { Guest, Player, Dealer, Supervisor, Auditor, Administrator }
}
