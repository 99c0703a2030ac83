//! How winnings that wait come to be paid: what the crew checks first, and who pays.

use craps::Cents;
use serde::{Deserialize, Serialize};
use strum::EnumIter;
use ts_rs::TS;
use utoipa::ToSchema;

/// One thing that the crew checks before it pays what was won.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    EnumIter,
    TS,
    ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum CheckItem {
    /// The dice and the lammers are what they should be.
    Dice,
    /// Surveillance has looked at the roll.
    Surveillance,
    /// The winner has shown who they are.
    Identity,
    /// The tax form is filled in.
    Form,
}

impl CheckItem {
    /// What a jackpot takes.
    pub(crate) const JACKPOT: [CheckItem; 4] =
        [CheckItem::Dice, CheckItem::Surveillance, CheckItem::Identity, CheckItem::Form];
    /// What an award takes that is held.
    pub(crate) const HELD: [CheckItem; 2] = [CheckItem::Dice, CheckItem::Surveillance];

    /// Its name in the API.
    pub(crate) fn word(self) -> &'static str {
        match self {
            CheckItem::Dice => "dice",
            CheckItem::Surveillance => "surveillance",
            CheckItem::Identity => "identity",
            CheckItem::Form => "form",
        }
    }
}

/// Somebody has checked one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What.
    pub item: CheckItem,
    /// Who.
    pub by: String,
    /// Their name at tables.
    pub name: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// Who pays what was won.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum PaidBy {
    /// The table, in chips of its tray.
    #[default]
    Tray,
    /// The cage, against a slip: no chips of the tray move.
    Cage,
}

/// How a claim is paid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payout {
    /// Who pays.
    pub paid_by: PaidBy,
    /// The number of the slip.
    pub slip: Option<String>,
    /// The number of the tax form.
    pub form: Option<String>,
    /// What the meter showed when the jackpot was won; none for an award that was held.
    pub shown: Option<Cents>,
}
