//! What people are at the house. An account has one role or several.

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
