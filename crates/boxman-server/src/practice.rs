//! Practice tables: how many there may be, who opened them and from where, and how long a seat or
//! a table waits for somebody to come back. A guest costs nothing to make, so tables are counted
//! by address too; the crew may open as many as they like.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde::{Deserialize, Serialize};

use crate::access::{Person, is_guest};
use crate::id::TableId;
use crate::log::Stream;
use crate::pit::Pit;
use crate::problem::Problem;

/// A room looks round for its people this often, or more often where little time is given them.
const LOOK: Duration = Duration::from_secs(1);

/// How much is too much of practice tables.
#[derive(Clone, Copy, Debug)]
pub struct PracticeLimits {
    /// Tables that one person may have open.
    pub per_person: u32,
    /// Tables that may be open from one address.
    pub per_address: u32,
    /// Practice tables in all, beyond which only the crew opens more.
    pub in_all: u32,
    /// Tables that may be opened in a minute from one address.
    pub per_minute: NonZeroU32,
    /// A seat is given up when its player has not been there for so long.
    pub idle_seat: Duration,
    /// A table that a guest opened is closed when nobody has been there for so long.
    pub idle_table: Duration,
}

impl Default for PracticeLimits {
    fn default() -> PracticeLimits {
        PracticeLimits {
            per_person: 5,
            per_address: 20,
            in_all: 200,
            per_minute: NonZeroU32::MIN.saturating_add(9),
            idle_seat: Duration::from_secs(15 * 60),
            idle_table: Duration::from_secs(60 * 60),
        }
    }
}

impl PracticeLimits {
    /// How often a room looks who is there.
    pub(crate) fn pace(&self) -> Duration {
        let least = self.idle_seat.min(self.idle_table) / 4;
        least.clamp(Duration::from_millis(5), LOOK)
    }
}

/// The practice tables that are open.
pub(crate) struct PracticeTables {
    pub(crate) limits: PracticeLimits,
    open: Mutex<HashMap<TableId, Opener>>,
    /// Those on other nodes, as far as is known.
    elsewhere: Mutex<HashMap<TableId, Opener>>,
    openings: DefaultKeyedRateLimiter<IpAddr>,
}

/// Who opened a table. The address is known until the server stops.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Opener {
    person: String,
    address: Option<IpAddr>,
}

/// A place for a table that is about to open, given back unless it is kept.
pub(crate) struct Place<'a> {
    tables: &'a PracticeTables,
    table: Option<TableId>,
}

impl Place<'_> {
    /// The table is open.
    pub(crate) fn keep(mut self) {
        self.table = None;
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Some(table) = self.table {
            self.tables.forget(table);
        }
    }
}

impl PracticeTables {
    pub(crate) fn new(limits: PracticeLimits) -> PracticeTables {
        let quota = Quota::per_minute(limits.per_minute).allow_burst(limits.per_minute);
        let openings = RateLimiter::keyed(quota);
        PracticeTables { limits, open: Mutex::default(), elsewhere: Mutex::default(), openings }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<TableId, Opener>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more table, or why not. Whoever is refused has used up nothing.
    pub(crate) fn reserve(
        &self,
        table: TableId,
        by: &Person,
        address: Option<IpAddr>,
    ) -> Result<Place<'_>, Problem> {
        let mut open = self.open();
        // The crew's tables are nobody's reason not to open one from the same address.
        let address = address.filter(|_| !by.is_crew());
        if !by.is_crew() {
            self.check(&open, &by.id, address)?;
        }
        open.insert(table, Opener { person: by.id.clone(), address });
        Ok(Place { tables: self, table: Some(table) })
    }

    fn check(
        &self,
        open: &HashMap<TableId, Opener>,
        person: &str,
        address: Option<IpAddr>,
    ) -> Result<(), Problem> {
        let PracticeLimits { per_person, per_address, in_all, .. } = self.limits;
        let full = |count: usize, most: u32| count >= most as usize;
        let many = |detail: String| Err(Problem::conflict("too-many-tables", detail));
        let elsewhere = self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner);
        let others = elsewhere.iter().filter(|(table, _)| !open.contains_key(*table));
        let all: Vec<&Opener> = open.values().chain(others.map(|(_, opener)| opener)).collect();
        let own = all.iter().filter(|opener| opener.person == person).count();
        if full(own, per_person) {
            let way_out = match is_guest(person) {
                true => "one that nobody comes to closes by itself after a while",
                false => "or ask a supervisor to close one",
            };
            return many(format!("you have {own} practice tables open, play at one; {way_out}"));
        }
        if let Some(address) = address {
            let near = all.iter().filter(|opener| opener.address == Some(address)).count();
            if full(near, per_address) {
                let join = "join one of them, or come again later";
                return many(format!("{near} practice tables are open from your address, {join}"));
            }
        }
        if full(all.len(), in_all) {
            let join = "join one, or come again later";
            return many(format!("there are as many practice tables as this house keeps, {join}"));
        }
        match address.is_none_or(|address| self.openings.check_key(&address).is_ok()) {
            true => Ok(()),
            false => Err(Problem::too_many("that was too many tables at once, wait a minute")),
        }
    }

    /// A table that is open, as its room has read it.
    pub(crate) fn found(&self, table: TableId, person: &str) {
        let opener = || Opener { person: person.to_owned(), address: None };
        self.open().entry(table).or_insert_with(opener);
    }

    /// A table that is not open any more, or never was.
    pub(crate) fn forget(&self, table: TableId) {
        self.open().remove(&table);
    }

    /// Tables of a pit that another node has are counted there.
    pub(crate) fn forget_pit(&self, pit: Pit) {
        self.open().retain(|table, _| Pit::of(&Stream::Table(*table)) != pit);
    }

    /// Who opened a practice table here.
    pub(crate) fn opener(&self, table: TableId) -> Option<Opener> {
        self.open().get(&table).cloned()
    }

    /// Notes which are open on other nodes.
    pub(crate) fn note_elsewhere(&self, tables: HashMap<TableId, Opener>) {
        *self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner) = tables;
    }

    /// Forgets addresses from which no table was opened lately.
    pub(crate) fn forget_addresses(&self) {
        self.openings.retain_recent();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::role::Role;

    const LIMITS: PracticeLimits = PracticeLimits {
        per_person: 2,
        per_address: 3,
        in_all: 5,
        per_minute: NonZeroU32::MAX,
        idle_seat: LOOK,
        idle_table: LOOK,
    };

    fn person(id: &str, role: Role) -> Person {
        Person { id: id.to_owned(), name: id.to_owned(), roles: vec![role] }
    }

    /// Opens a table, and says which it is.
    fn open(tables: &PracticeTables, number: u32, by: &Person, from: u8) -> Result<(), Problem> {
        let address = Ipv4Addr::new(10, 0, 0, from).into();
        tables.reserve(TableId(number), by, Some(address)).map(Place::keep)
    }

    fn guest(name: &str) -> Person {
        person(&format!("guest-{name}"), Role::Guest)
    }

    #[track_caller]
    fn refused(opened: Result<(), Problem>, code: &str, says: &str) {
        let problem = opened.expect_err("it is one too many");
        assert_eq!(problem.code, code);
        assert!(problem.detail.contains(says), "{problem}");
    }

    #[test]
    fn tables_are_counted_by_person_by_address_and_in_all() {
        let tables = PracticeTables::new(LIMITS);
        let player = person("ann", Role::Player);
        open(&tables, 1, &guest("a"), 1).unwrap();
        open(&tables, 2, &guest("a"), 1).unwrap();
        refused(open(&tables, 3, &guest("a"), 2), "too-many-tables", "closes by itself");
        open(&tables, 3, &guest("b"), 1).unwrap();
        refused(open(&tables, 4, &guest("b"), 1), "too-many-tables", "from your address");
        open(&tables, 4, &player, 2).unwrap();
        open(&tables, 5, &player, 2).unwrap();
        refused(open(&tables, 6, &player, 3), "too-many-tables", "ask a supervisor");
        refused(open(&tables, 6, &guest("c"), 3), "too-many-tables", "this house keeps");
        // The crew is not bound, and what is closed does not count.
        open(&tables, 6, &person("sue", Role::Supervisor), 1).unwrap();
        open(&tables, 7, &person("dan", Role::Dealer), 1).unwrap();
        (1..=3).for_each(|number| tables.forget(TableId(number)));
        open(&tables, 8, &guest("c"), 1).unwrap();
    }

    #[test]
    fn a_table_that_does_not_open_after_all_gives_its_place_back() {
        let tables = PracticeTables::new(PracticeLimits { per_person: 1, ..LIMITS });
        drop(tables.reserve(TableId(1), &guest("a"), None).unwrap());
        open(&tables, 2, &guest("a"), 1).unwrap();
        assert_eq!(tables.open().len(), 1);
    }

    #[test]
    fn so_many_a_minute_and_those_refused_do_not_count() {
        let per_minute = NonZeroU32::new(2).unwrap();
        let tables = PracticeTables::new(PracticeLimits { per_minute, per_person: 1, ..LIMITS });
        open(&tables, 1, &guest("a"), 1).unwrap();
        for _ in 0..5 {
            refused(open(&tables, 2, &guest("a"), 1), "too-many-tables", "play at one");
        }
        open(&tables, 2, &guest("b"), 1).unwrap();
        tables.forget(TableId(1));
        refused(open(&tables, 3, &guest("a"), 1), "too-many-requests", "wait a minute");
        open(&tables, 3, &guest("a"), 2).unwrap();
    }

    #[test]
    fn tables_read_from_the_store_count_for_whoever_opened_them() {
        let tables = PracticeTables::new(LIMITS);
        tables.found(TableId(1), "guest-a");
        tables.found(TableId(2), "guest-a");
        refused(open(&tables, 3, &guest("a"), 1), "too-many-tables", "you have 2");
    }
}
