//! Who sits at a real table: each player from sitting down to leaving, what they buy and cash out
//! day by day, who the crew says they are, and whether their identity was taken.

use std::fmt;

use craps::{Account, BuyInKind, Cents, Event, Seat};
use serde::{Deserialize, Serialize};

use super::LiveTable;
use crate::access::is_account;
use crate::id::TableId;
use crate::log::{Entry, Linked, Noted, PlayerDay, Sitting, TableEntry};
use crate::names;
use crate::problem::Problem;

/// The longest name or number that the house knows a player by.
const PERSON: usize = 60;

/// Who a player is, the same at every table of the house: an account, a person whom the crew has
/// named, or else one sitting, which counts alone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PlayerKey {
    /// An account.
    Account(String),
    /// A person whom the crew has named.
    Person(String),
    /// A seat that is linked to nobody, by its table and the record that took it.
    Sitting(TableId, u64),
}

impl PlayerKey {
    /// Who plays, where the crew may have said who it is.
    pub fn of(
        table: TableId,
        sitting: u64,
        account: Option<&str>,
        linked: Option<&Linked>,
    ) -> PlayerKey {
        match (account, linked) {
            (Some(account), _) => PlayerKey::Account(account.to_owned()),
            (None, Some(Linked { person, .. })) if is_account(person) => {
                PlayerKey::Account(person.clone())
            }
            (None, Some(Linked { person, .. })) => {
                let words: Vec<String> = person.split_whitespace().map(str::to_lowercase).collect();
                PlayerKey::Person(words.join(" "))
            }
            (None, None) => PlayerKey::Sitting(table, sitting),
        }
    }

    /// Whether they may play at another table too, as far as the house can tell.
    pub fn is_known(&self) -> bool {
        !matches!(self, PlayerKey::Sitting(..))
    }
}

impl fmt::Display for PlayerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerKey::Account(account) => write!(f, "account:{account}"),
            PlayerKey::Person(person) => write!(f, "person:{person}"),
            PlayerKey::Sitting(table, sitting) => write!(f, "sitting:{table}/{sitting}"),
        }
    }
}

impl LiveTable {
    /// Who plays a seat, and the record by which they sat down.
    pub fn player_at(&self, seat: Seat) -> Option<(u64, PlayerKey)> {
        let Sitting { record, person } = self.sittings.get(&seat.0)?;
        let account = self.owners.get(&seat.0).map(String::as_str);
        Some((*record, PlayerKey::of(self.id, *record, account, person.as_ref())))
    }

    /// The name of the player of a sitting, while it is remembered.
    pub(crate) fn name_of(&self, sitting: u64) -> Option<String> {
        let seated = self.sittings.iter().find(|(_, known)| known.record == sitting);
        let seated = seated.and_then(|(seat, _)| self.table.player(Seat(*seat)));
        let entry = self.books.seen_of(sitting).next();
        seated.map(|player| player.name.clone()).or_else(|| entry.map(|entry| entry.name.clone()))
    }

    /// Whether a sitting has an account, and who the crew says it is; none if it is not known.
    fn sitting(&self, sitting: u64) -> Option<(bool, Option<&str>)> {
        let seated = self.sittings.iter().find(|(_, known)| known.record == sitting);
        let (has_account, linked) = match seated {
            Some((seat, known)) => (self.owners.contains_key(seat), known.person.as_ref()),
            None => {
                let entry = self.books.seen_of(sitting).next()?;
                (entry.account.is_some(), entry.person.as_ref())
            }
        };
        Some((has_account, linked.map(|linked| linked.person.as_str())))
    }

    /// The crew says who a player is, or takes that back. Whether there is such an account, the
    /// room knows.
    pub(crate) fn link(&self, sitting: u64, person: Option<&str>) -> Result<TableEntry, Problem> {
        let (has_account, linked) = self.known_sitting(sitting)?;
        if has_account {
            let plays = "that seat is played by an account, which is the player";
            return Err(Problem::conflict("has-account", plays));
        }
        let shown = format!("a person is a name or number of 1 to {PERSON} characters that show");
        let person = person
            .map(|text| {
                names::line(text, PERSON).ok_or_else(|| Problem::invalid("bad-name", shown))
            })
            .transpose()?;
        if person.as_deref() == linked {
            let same = match linked {
                Some(person) => format!("that seat is linked to {person} already"),
                None => "that seat is linked to nobody".to_owned(),
            };
            return Err(Problem::conflict("already-so", same));
        }
        Ok(TableEntry::Linked { sitting, person })
    }

    /// The crew has taken a player's identity, or takes that back.
    pub(crate) fn identify(
        &self,
        at: u64,
        sitting: u64,
        taken: bool,
    ) -> Result<TableEntry, Problem> {
        self.known_sitting(sitting)?;
        let sits = self.sittings.values().any(|known| known.record == sitting);
        // Every day asks for it anew.
        let entry = match sits {
            true => self.books.players(at).find(|(known, _)| *known == sitting).map(|(_, day)| day),
            false => self.books.seen_of(sitting).next(),
        };
        if entry.is_some_and(|entry| entry.identity.is_some()) == taken {
            let same = match taken {
                true => "the identity of that player is noted already",
                false => "nobody has noted the identity of that player",
            };
            return Err(Problem::conflict("already-so", same));
        }
        Ok(TableEntry::Identified { sitting, taken })
    }

    fn known_sitting(&self, sitting: u64) -> Result<(bool, Option<&str>), Problem> {
        if !self.config().has_procedures() {
            let none = "players are listed at real tables of today's procedures only";
            return Err(Problem::conflict("no-list", none));
        }
        self.sitting(sitting).ok_or_else(|| {
            let gone = format!("no player has sat down by record {sitting} in the last days");
            Problem::conflict("no-such-sitting", gone)
        })
    }

    /// Takes in what the crew says of a player.
    pub(super) fn note_linked(
        &mut self,
        entry: &Entry<TableEntry>,
        sitting: u64,
        person: Option<&String>,
    ) {
        let noted = self.noted(entry);
        let person = person.map(|person| Linked { person: person.clone(), noted });
        for known in self.kept.sittings.values_mut().filter(|known| known.record == sitting) {
            known.person.clone_from(&person);
        }
        for known in self.kept.books.entries_of(sitting) {
            known.person.clone_from(&person);
        }
    }

    /// Takes in that a player's identity was taken: on this day while they sit there, on their
    /// last day afterwards.
    pub(super) fn note_identified(&mut self, entry: &Entry<TableEntry>, sitting: u64, taken: bool) {
        let noted = taken.then(|| self.noted(entry));
        let sits = self.sittings.iter().find(|(_, known)| known.record == sitting);
        match sits.map(|(seat, _)| Seat(*seat)) {
            Some(seat) => {
                if let Some(day) = self.player_day(entry.at, seat) {
                    day.identity = noted;
                }
            }
            None => {
                let last = self.kept.books.entries_of(sitting).next();
                last.into_iter().for_each(|day| day.identity.clone_from(&noted));
            }
        }
    }

    fn noted(&self, entry: &Entry<TableEntry>) -> Noted {
        let name = entry.name.clone().or_else(|| self.seat_name(&entry.by));
        Noted { by: entry.by.clone(), name, at: entry.at }
    }

    /// The entry of the player of a seat for the present day.
    fn player_day(&mut self, at: u64, seat: Seat) -> Option<&mut PlayerDay> {
        let Sitting { record, person } = self.sittings.get(&seat.0)?.clone();
        let name = self.table.player(seat)?.name.clone();
        let account = self.owners.get(&seat.0).cloned();
        let day = self.kept.books.player_of(at, record);
        (day.seat, day.name, day.account, day.person) = (seat.0, name, account, person);
        Some(day)
    }

    /// Notes what an event does to the players of the day, before the table takes it in: a player
    /// who leaves is still there.
    pub(super) fn note_player(&mut self, seq: u64, at: u64, event: &Event) {
        if self.config().practice {
            return;
        }
        if let Event::Sat { seat, .. } = event {
            let sitting = Sitting { record: seq, person: None };
            self.kept.sittings.insert(seat.0, sitting);
        }
        if self.config().has_procedures() {
            self.sum_up(at, event);
        }
        if let Event::Left { seat, .. } = event {
            self.kept.sittings.remove(&seat.0);
        }
    }

    fn sum_up(&mut self, at: u64, event: &Event) {
        let (seat, amount) = match event {
            Event::BoughtIn { seat, postings, .. } => (*seat, -postings.gain(Account::Cage)),
            Event::CashedOut { seat, postings, .. } | Event::Left { seat, postings, .. } => {
                (*seat, postings.gain(Account::Cage))
            }
            Event::Renamed { seat, name } => {
                let sitting = self.sittings.get(&seat.0).map(|known| known.record);
                let entries = sitting.map(|sitting| self.kept.books.entries_of(sitting));
                entries.into_iter().flatten().for_each(|day| day.name.clone_from(name));
                return;
            }
            _ => return,
        };
        if amount == Cents::ZERO {
            return;
        }
        let Some(day) = self.player_day(at, seat) else { return };
        let sum = match event {
            Event::BoughtIn { kind, .. } => match kind {
                BuyInKind::Cash => &mut day.cash,
                BuyInKind::Marker => &mut day.markers,
                BuyInKind::Coupon => &mut day.coupons,
                BuyInKind::Chips => &mut day.chips,
            },
            _ => &mut day.cashed_out,
        };
        *sum += amount;
    }
}
