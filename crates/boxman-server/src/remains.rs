//! What is still there when a table is to be closed for good, and what to do about each.

use craps::Cents;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::line::dollars;

/// Something that keeps a table from being closed for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct Remains {
    /// Which kind of thing it is.
    pub kind: RemainsKind,
    /// What it is, such as `rack of seat 3, Ann`.
    pub what: String,
    /// How much there is of it, in cents, where it is money.
    #[ts(type = "number | null")]
    #[schema(value_type = Option<i64>)]
    pub amount: Option<Cents>,
    /// What to do about it.
    pub todo: String,
}

/// A kind of thing that keeps a table from being closed for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RemainsKind {
    /// The last roll is being paid.
    Paying,
    /// A player's bets.
    Bets,
    /// A player's chips.
    Rack,
    /// A claim that is neither confirmed nor denied.
    Claim,
    /// A request that waits for a second person.
    Request,
    /// Work lists that are not marked done.
    Work,
    /// The house's chips.
    Tray,
    /// Players' money in a meter of the table's own, on its way to it or from it, or at a meter
    /// that has not heard of the last bets or cannot be asked.
    Meter,
}

impl Remains {
    /// Something that is no money.
    pub(crate) fn new(
        kind: RemainsKind,
        what: impl Into<String>,
        todo: impl Into<String>,
    ) -> Remains {
        Remains { kind, what: what.into(), amount: None, todo: todo.into() }
    }

    /// The same with how much there is of it.
    pub(crate) fn of(self, amount: Cents) -> Remains {
        Remains { amount: Some(amount), ..self }
    }

    /// What it is, how much, and what to do about it.
    pub(crate) fn in_words(&self) -> String {
        let amount = self.amount.map(|amount| format!(" ({})", dollars(amount)));
        format!("{}{}: {}", self.what, amount.unwrap_or_default(), self.todo)
    }
}
