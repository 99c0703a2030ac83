//! The crowd around the tables: how many may only watch, by address and by table, and who makes
//! room.
//!
//! A watcher is nobody in particular, or a guest without a seat at that table: a guest costs
//! nothing to make. Players and crew always get in. Where a table has as many sockets as it may,
//! the watcher who came last makes room for them. Where the server has as many connections as it
//! may, watchers make room, and then guests who play: accounts never do.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::Limits;
use crate::access::Person;
use crate::id::TableId;
use crate::role::Role;

/// So many sockets one person has at a table; the next takes the place of their first.
const OWN: usize = 8;
/// So many signs.
const SIGNS: usize = 64;

/// What somebody is to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Standing {
    /// Watches, and nobody knows who it is.
    Watcher,
    /// A guest who plays there.
    Guest,
    /// Somebody with an account, whatever they do there.
    Known,
}

impl Standing {
    /// What somebody is to a table; guests are known by their seats.
    pub(super) fn of(who: Option<&Person>, has_seat: impl FnOnce(&str) -> bool) -> Standing {
        match who {
            Some(who) if !who.roles.contains(&Role::Guest) => Standing::Known,
            Some(who) if has_seat(&who.id) => Standing::Guest,
            _ => Standing::Watcher,
        }
    }
}

/// Everybody who holds a socket.
pub struct Crowd {
    /// Watchers from one address.
    by_address: usize,
    /// Sockets at one table.
    by_table: usize,
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    last: u64,
    watchers: HashMap<IpAddr, usize>,
    /// In the order they came. Signs stand at no table.
    rails: HashMap<Option<TableId>, Vec<Socket>>,
}

struct Socket {
    id: u64,
    address: IpAddr,
    person: Option<String>,
    standing: Standing,
    leave: Arc<Notify>,
}

impl Socket {
    /// Watchers are told apart by where they are, everybody else by who they are.
    fn whose(&self) -> (Standing, String) {
        let person = self.person.as_ref().filter(|_| self.standing > Standing::Watcher);
        (self.standing, person.cloned().unwrap_or_else(|| self.address.to_string()))
    }
}

/// A place in the crowd, given back when it is dropped.
pub(super) struct Place {
    crowd: Arc<Crowd>,
    table: Option<TableId>,
    id: u64,
    leave: Arc<Notify>,
}

impl Crowd {
    /// Nobody yet.
    pub fn new(limits: &Limits) -> Arc<Crowd> {
        Arc::new(Crowd {
            by_address: limits.watchers_per_address.get() as usize,
            by_table: limits.watchers_per_table.get() as usize,
            all: Mutex::default(),
        })
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place at a table, or at a sign; none for a watcher where there are enough.
    pub(super) fn enter(
        self: &Arc<Crowd>,
        address: IpAddr,
        table: Option<TableId>,
        person: Option<String>,
        standing: Standing,
    ) -> Option<Place> {
        let mut all = self.all();
        let own = all.own(table, person.as_deref());
        if own.len() >= if table.is_some() { OWN } else { SIGNS } {
            all.send_away(table, own[0]);
        }
        let full = table.is_some() && all.sockets(table) >= self.by_table;
        match standing {
            Standing::Watcher if full || all.watchers(address) >= self.by_address => return None,
            Standing::Watcher => {}
            Standing::Guest | Standing::Known => {
                if let Some(last) = all.last_watcher(table).filter(|_| full) {
                    all.send_away(table, last);
                }
            }
        }
        all.last += 1;
        let (id, leave) = (all.last, Arc::new(Notify::new()));
        if standing == Standing::Watcher {
            *all.watchers.entry(address).or_default() += 1;
        }
        let socket = Socket { id, address, person, standing, leave: Arc::clone(&leave) };
        all.rails.entry(table).or_default().push(socket);
        drop(all);
        Some(Place { crowd: Arc::clone(self), table, id, leave })
    }

    /// Has the last watcher of the address with most of them leave, whatever they watch; where
    /// nobody watches, the last socket of the guest who has most.
    pub(crate) fn make_room(&self) {
        let mut all = self.all();
        let mut held: HashMap<(Standing, String), usize> = HashMap::new();
        for socket in all.rails.values().flatten() {
            *held.entry(socket.whose()).or_default() += 1;
        }
        let sockets = all.rails.iter().flat_map(|(table, rail)| rail.iter().map(|at| (*table, at)));
        let strangers = sockets.filter(|(_, socket)| socket.standing < Standing::Known);
        let last = strangers.max_by_key(|(_, socket)| {
            let held = held.get(&socket.whose()).copied();
            (Reverse(socket.standing), held, socket.id)
        });
        if let Some((table, id)) = last.map(|(table, socket)| (table, socket.id)) {
            all.send_away(table, id);
        }
    }
}

impl All {
    fn sockets(&self, table: Option<TableId>) -> usize {
        self.rails.get(&table).map_or(0, Vec::len)
    }

    fn watchers(&self, address: IpAddr) -> usize {
        self.watchers.get(&address).copied().unwrap_or(0)
    }

    fn last_watcher(&self, table: Option<TableId>) -> Option<u64> {
        let mut rail = self.rails.get(&table)?.iter().rev();
        rail.find(|socket| socket.standing == Standing::Watcher).map(|socket| socket.id)
    }

    /// The sockets of one person at a table, in the order they came.
    fn own(&self, table: Option<TableId>, person: Option<&str>) -> Vec<u64> {
        let rail = self.rails.get(&table).into_iter().flatten();
        let own = rail.filter(|socket| person.is_some() && socket.person.as_deref() == person);
        own.map(|socket| socket.id).collect()
    }

    /// Tells a socket to end. Its place is free at once.
    fn send_away(&mut self, table: Option<TableId>, id: u64) {
        if let Some(socket) = self.remove(table, id) {
            socket.leave.notify_one();
        }
    }

    fn remove(&mut self, table: Option<TableId>, id: u64) -> Option<Socket> {
        let rail = self.rails.get_mut(&table)?;
        let socket = rail.remove(rail.iter().position(|socket| socket.id == id)?);
        if rail.is_empty() {
            self.rails.remove(&table);
        }
        if socket.standing == Standing::Watcher {
            self.forget_watcher(socket.address);
        }
        Some(socket)
    }

    fn forget_watcher(&mut self, address: IpAddr) {
        let Some(watchers) = self.watchers.get_mut(&address) else { return };
        *watchers -= 1;
        if *watchers == 0 {
            self.watchers.remove(&address);
        }
    }
}

impl Place {
    /// Comes when this place is needed for somebody else.
    pub(super) fn needed(&self) -> impl Future<Output = ()> + use<> {
        let leave = Arc::clone(&self.leave);
        async move { leave.notified().await }
    }

    /// A guest sat down, or gave up the seat. Says whether there still is a place.
    pub(super) fn stand_as(&self, standing: Standing) -> bool {
        let mut all = self.crowd.all();
        let Some(rail) = all.rails.get_mut(&self.table) else { return false };
        let Some(socket) = rail.iter_mut().find(|socket| socket.id == self.id) else {
            return false;
        };
        let before = std::mem::replace(&mut socket.standing, standing);
        let address = socket.address;
        match (before, standing) {
            (Standing::Watcher, Standing::Watcher) => {}
            (Standing::Watcher, _) => all.forget_watcher(address),
            (_, Standing::Watcher) => {
                let watchers = all.watchers.entry(address).or_default();
                *watchers += 1;
                return *watchers <= self.crowd.by_address;
            }
            _ => {}
        }
        true
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.crowd.all().remove(self.table, self.id);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::num::NonZeroU32;

    use futures_util::FutureExt;

    use super::*;

    const TABLE: Option<TableId> = Some(TableId(7));
    const SIGN: Option<TableId> = None;

    fn crowd(by_address: u32, by_table: u32) -> Arc<Crowd> {
        let few = |number| NonZeroU32::new(number).unwrap();
        Crowd::new(&Limits {
            watchers_per_address: few(by_address),
            watchers_per_table: few(by_table),
            ..Limits::default()
        })
    }

    fn house(number: u8) -> IpAddr {
        Ipv4Addr::new(10, 0, 0, number).into()
    }

    fn stranger(crowd: &Arc<Crowd>, from: u8, table: Option<TableId>) -> Option<Place> {
        crowd.enter(house(from), table, None, Standing::Watcher)
    }

    fn player(crowd: &Arc<Crowd>, from: u8, name: &str) -> Place {
        let entered = crowd.enter(house(from), TABLE, Some(name.to_owned()), Standing::Known);
        entered.expect("players always get in")
    }

    fn is_needed(place: &Place) -> bool {
        place.needed().now_or_never().is_some()
    }

    #[test]
    fn watchers_are_counted_by_address_signs_too_and_players_are_not() {
        let crowd = crowd(2, 100);
        let _players: Vec<Place> =
            ["ann", "bob", "cy"].iter().map(|name| player(&crowd, 1, name)).collect();
        let one = stranger(&crowd, 1, TABLE).expect("the first");
        let sign = stranger(&crowd, 1, SIGN).expect("the second");
        assert!(stranger(&crowd, 1, Some(TableId(8))).is_none(), "the third, at any table");
        assert!(stranger(&crowd, 1, SIGN).is_none());
        assert!(stranger(&crowd, 2, TABLE).is_some(), "from elsewhere");
        drop(sign);
        let next = stranger(&crowd, 1, SIGN);
        assert!(next.is_some(), "a place that was given back");
        assert!(!is_needed(&one));
    }

    #[test]
    fn a_full_table_lets_players_in_and_the_last_watcher_out() {
        let crowd = crowd(100, 3);
        let _ann = player(&crowd, 1, "ann");
        let first = stranger(&crowd, 2, TABLE).expect("there is room");
        let last = stranger(&crowd, 3, TABLE).expect("there is room");
        assert!(stranger(&crowd, 4, TABLE).is_none(), "the table is full");
        assert!(stranger(&crowd, 4, SIGN).is_some(), "signs stand at no table");
        let _bob = player(&crowd, 1, "bob");
        assert!(is_needed(&last) && !is_needed(&first));
        let _cy = player(&crowd, 1, "cy");
        assert!(is_needed(&first));
        // Nobody is left who only watches, and players still get in.
        let _dee = player(&crowd, 1, "dee");
        drop((first, last));
        assert!(stranger(&crowd, 3, TABLE).is_none(), "the table is still full");
    }

    #[test]
    fn a_guest_is_a_watcher_until_they_sit_and_again_when_they_have_left() {
        let crowd = crowd(1, 100);
        let guest =
            |name: &str| crowd.enter(house(1), TABLE, Some(name.to_owned()), Standing::Watcher);
        let ann = guest("ann").expect("the first");
        assert!(guest("bob").is_none(), "a guest without a seat is a watcher");
        assert!(ann.stand_as(Standing::Guest));
        let bob = guest("bob").expect("ann plays now");
        assert!(!ann.stand_as(Standing::Watcher), "there is a watcher already");
        drop(ann);
        assert!(bob.stand_as(Standing::Watcher), "nothing changed for bob");
        assert!(guest("cy").is_none());
    }

    #[test]
    fn one_person_takes_the_place_of_their_own_first_socket() {
        let crowd = crowd(1, 100);
        let own: Vec<Place> = (0..OWN).map(|_| player(&crowd, 1, "ann")).collect();
        let bob = player(&crowd, 1, "bob");
        let _next = player(&crowd, 1, "ann");
        let needed: Vec<bool> = own.iter().map(is_needed).collect();
        assert_eq!(needed, [true, false, false, false, false, false, false, false]);
        assert!(!is_needed(&bob));
    }

    #[test]
    fn whoever_watches_and_came_last_makes_room_for_a_connection() {
        let crowd = crowd(10, 10);
        let sign = stranger(&crowd, 1, SIGN).unwrap();
        let watcher = stranger(&crowd, 2, TABLE).unwrap();
        let player = player(&crowd, 3, "ann");
        for expected in [[false, true], [true, false], [false, false]] {
            crowd.make_room();
            assert_eq!([is_needed(&sign), is_needed(&watcher)], expected);
        }
        assert!(!is_needed(&player));
    }

    #[test]
    fn nothing_is_kept_of_those_who_have_gone() {
        let crowd = crowd(10, 10);
        drop((stranger(&crowd, 1, SIGN), stranger(&crowd, 2, TABLE), player(&crowd, 3, "ann")));
        let all = crowd.all();
        assert!(all.watchers.is_empty() && all.rails.is_empty());
    }

    #[test]
    fn a_guest_who_watches_with_many_sockets_has_no_more_of_them_by_sitting_down() {
        let crowd = crowd(100, 100);
        let enter = || crowd.enter(house(1), TABLE, Some("ann".to_owned()), Standing::Watcher);
        let places: Vec<Place> = (0..3 * OWN).filter_map(|_| enter()).collect();
        let here = places.iter().filter(|place| place.stand_as(Standing::Guest)).count();
        assert_eq!(here, OWN);
    }

    #[test]
    fn watchers_make_room_first_then_guests_and_accounts_never() {
        let crowd = crowd(100, 100);
        let guest = |name: &str| crowd.enter(house(1), TABLE, Some(name.into()), Standing::Guest);
        let account = player(&crowd, 1, "account");
        let first = guest("ann").expect("guests who play get in");
        let watcher = stranger(&crowd, 2, SIGN).expect("there is room");
        let last = guest("bob").expect("guests who play get in");
        crowd.make_room();
        assert!(is_needed(&watcher) && !is_needed(&last));
        crowd.make_room();
        assert!(is_needed(&last) && !is_needed(&first));
        // Whoever has most of them goes first.
        let more = guest("ann").expect("guests who play get in");
        let newest = guest("cy").expect("guests who play get in");
        crowd.make_room();
        assert!(is_needed(&more) && !is_needed(&newest));
        for _ in 0..4 {
            crowd.make_room();
        }
        assert!(is_needed(&first) && is_needed(&newest) && !is_needed(&account));
    }
}
