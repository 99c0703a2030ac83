//! Limits of the day at a real table of today's procedures, each for one kind of chips that move
//! and never summed with another: fills and credits by table, cash-outs by player, and buy-ins
//! with cash and with markers by player over all tables.
//!
//! What a player has bought at other tables is heard of and not in this table's log. It is told to
//! the crew, and a table that holds buy-ins goes by it; an audit knows this table's part.

use std::collections::BTreeMap;

use craps::{Account, BuyInKind, Cents, Command, Seat};
use serde::{Deserialize, Serialize};

use super::{LiveTable, PlayerKey};
use crate::books::Books;
use crate::config::LimitKind;
use crate::id::TableId;
use crate::line::dollars;
use crate::log::{Noted, PlayerDay};

/// What players whom the house knows have bought at other tables on one day.
pub type BoughtElsewhere = BTreeMap<PlayerKey, Bought>;

/// What a player has bought on one day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bought {
    /// With cash.
    pub cash: Cents,
    /// With markers.
    pub markers: Cents,
    /// Who has taken the player's identity.
    pub identity: Option<Noted>,
}

impl Bought {
    /// Adds what the same player has bought in another sitting.
    pub fn add(&mut self, other: &Bought) {
        self.cash += other.cash;
        self.markers += other.markers;
        if self.identity.is_none() {
            self.identity.clone_from(&other.identity);
        }
    }

    fn of(day: &PlayerDay) -> Bought {
        Bought { cash: day.cash, markers: day.markers, identity: day.identity.clone() }
    }
}

/// How much of a limit is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// What is limited.
    pub kind: LimitKind,
    /// Whose limit it is.
    pub whose: String,
    /// The limit.
    pub limit: Cents,
    /// What this table's log has of it.
    pub here: Cents,
    /// What the player has bought at other tables, as far as this one has heard.
    pub elsewhere: Cents,
}

impl Usage {
    /// All of it.
    pub fn used(&self) -> Cents {
        self.here + self.elsewhere
    }

    /// What is left.
    pub fn left(&self) -> Cents {
        (self.limit - self.used()).max(Cents::ZERO)
    }

    /// Whether it is above the limit.
    pub fn is_over(&self) -> bool {
        self.used() > self.limit
    }

    /// Whether this much more brings it above the limit.
    fn crosses(&self, amount: Cents) -> bool {
        amount > Cents::ZERO && self.used() + amount > self.limit
    }

    /// The same after this much more.
    fn with(mut self, amount: Cents) -> Usage {
        self.here += amount;
        self
    }

    /// Whose limit it is, what is used and what is left.
    pub fn in_words(&self) -> String {
        let Usage { kind, whose, limit, .. } = self;
        let what = match kind {
            LimitKind::Fills => "The fills of this table today".to_owned(),
            LimitKind::Credits => "The credits of this table today".to_owned(),
            LimitKind::CashOuts => format!("{whose}'s cash-outs at this table today"),
            LimitKind::Cash => format!("{whose}'s cash buy-ins today"),
            LimitKind::Markers => format!("{whose}'s buy-ins with markers today"),
        };
        let (used, limit) = (dollars(self.used()), dollars(*limit));
        match self.is_over() {
            true => {
                let over = dollars(self.used() - self.limit);
                format!("{what}: {used}, {over} over the limit of {limit}")
            }
            false => format!("{what}: {used} of {limit}, {} left", dollars(self.left())),
        }
    }
}

/// Why a movement of chips takes two people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakesTwo {
    /// The limit.
    pub limit: Cents,
    /// The reason, as the second person reads it.
    pub reason: String,
}

impl LiveTable {
    /// The limit that a movement of chips would cross, if a second person has to agree then.
    pub(crate) fn takes_two(
        &self,
        at: u64,
        by: &str,
        command: &Command,
        elsewhere: &BoughtElsewhere,
    ) -> Option<TakesTwo> {
        if let Some(limit) = self.config().two_people_above() {
            return self.crosses_sum(at, by, command, limit);
        }
        let (kind, seat, amount) = self.limited(command)?;
        let holds = self.config().hold_buy_ins;
        if matches!(kind, LimitKind::Cash | LimitKind::Markers) && !holds {
            return None;
        }
        let usage = self.usage(at, kind, seat, elsewhere)?;
        usage.crosses(amount).then(|| {
            let (before, limit) = (usage.in_words(), usage.limit);
            let after = dollars(usage.with(amount).used());
            TakesTwo { limit, reason: format!("{before}; this makes it {after}") }
        })
    }

    /// The same at a table of procedures 0, which sums all kinds up.
    fn crosses_sum(&self, at: u64, by: &str, command: &Command, limit: Cents) -> Option<TakesTwo> {
        let (_, seat, amount) = self.moved_by(command)?;
        let moved = self.moved.with(at, by, &self.owners, seat, amount);
        let over = amount > Cents::ZERO && moved > limit;
        over.then(|| TakesTwo { limit, reason: format!("over {limit} in a day") })
    }

    /// What a command moves, if there is a limit on that.
    fn limited(&self, command: &Command) -> Option<(LimitKind, Option<Seat>, Cents)> {
        let (kind, seat, amount) = self.moved_by(command)?;
        Some((kind?, seat, amount))
    }

    /// The chips that a command moves between the cage and the table, for which seat, and what
    /// limit they count for.
    fn moved_by(&self, command: &Command) -> Option<(Option<LimitKind>, Option<Seat>, Cents)> {
        Some(match command {
            Command::BuyIn { seat, amount, kind } => {
                let kind = match kind {
                    BuyInKind::Cash => Some(LimitKind::Cash),
                    BuyInKind::Marker => Some(LimitKind::Markers),
                    BuyInKind::Coupon | BuyInKind::Chips => None,
                };
                (kind, Some(*seat), *amount)
            }
            Command::CashOut { seat, amount, .. } => {
                (Some(LimitKind::CashOuts), Some(*seat), *amount)
            }
            // What is on the layout goes with the rest where the seat is given up.
            Command::Leave { seat, .. } => {
                let up = self.table.balance(Account::Action(*seat));
                (Some(LimitKind::CashOuts), Some(*seat), self.table.rack(*seat) + up)
            }
            Command::Fill { amount } => (Some(LimitKind::Fills), None, *amount),
            Command::Credit { amount } => (Some(LimitKind::Credits), None, *amount),
            _ => return None,
        })
    }

    /// How much of a limit is used on the day of this moment; none if there is no such limit.
    pub(crate) fn usage(
        &self,
        at: u64,
        kind: LimitKind,
        seat: Option<Seat>,
        elsewhere: &BoughtElsewhere,
    ) -> Option<Usage> {
        let limit = self.config().limit(kind)?;
        let (filled, credited) = self.books.filled_and_credited(at);
        let (whose, here, other) = match (kind, seat) {
            (LimitKind::Fills, _) => (String::new(), filled, Cents::ZERO),
            (LimitKind::Credits, _) => (String::new(), credited, Cents::ZERO),
            (_, None) => return None,
            (kind, Some(seat)) => {
                let whose = self.called(seat)?;
                let (_, key) = self.player_at(seat)?;
                let own = self
                    .books
                    .players(at)
                    .filter(|(sitting, day)| key_of(self.id, *sitting, day) == key);
                let sum = |part: fn(&PlayerDay) -> Cents| own.map(|(_, day)| part(day)).sum();
                let there = elsewhere.get(&key);
                match kind {
                    LimitKind::Cash => {
                        let there = there.map_or(Cents::ZERO, |there| there.cash);
                        (whose, sum(|day| day.cash), there)
                    }
                    LimitKind::Markers => {
                        let there = there.map_or(Cents::ZERO, |there| there.markers);
                        (whose, sum(|day| day.markers), there)
                    }
                    _ => (whose, sum(|day| day.cashed_out), Cents::ZERO),
                }
            }
        };
        Some(Usage { kind, whose, limit, here, elsewhere: other })
    }

    /// The name of a player; with the seat's number if another player here has the same name.
    fn called(&self, seat: Seat) -> Option<String> {
        let name = &self.table.player(seat)?.name;
        let mut players = self.table.players();
        let alike = players.any(|(other, player)| {
            other != seat && player.name.to_lowercase() == name.to_lowercase()
        });
        Some(if alike { format!("{name} ({seat})") } else { name.clone() })
    }

    /// What the players whom the house knows have bought at this table on the day of this moment.
    pub(crate) fn bought(&self, at: u64) -> BoughtElsewhere {
        bought(self.id, &self.books, at)
    }

    /// Who has taken the identity of the player of a seat on the day of this moment.
    pub(crate) fn identity(
        &self,
        at: u64,
        seat: Seat,
        elsewhere: &BoughtElsewhere,
    ) -> Option<Noted> {
        let (_, key) = self.player_at(seat)?;
        let own =
            self.books.players(at).filter(|(sitting, day)| key_of(self.id, *sitting, day) == key);
        let own = own.filter_map(|(_, day)| day.identity.clone()).next();
        own.or_else(|| elsewhere.get(&key)?.identity.clone())
    }
}

/// What the players whom the house knows have bought at a table on the day of this moment, by its
/// books.
pub(crate) fn bought(table: TableId, books: &Books, at: u64) -> BoughtElsewhere {
    let mut bought = BoughtElsewhere::new();
    for (sitting, day) in books.players(at) {
        let key = key_of(table, sitting, day);
        if key.is_known() {
            bought.entry(key).or_default().add(&Bought::of(day));
        }
    }
    bought
}

/// Who played in a sitting, by its entry of a day.
pub(crate) fn key_of(table: TableId, sitting: u64, day: &PlayerDay) -> PlayerKey {
    PlayerKey::of(table, sitting, day.account.as_deref(), day.person.as_ref())
}
