//! Wrong passwords: whoever has given one waits before the next, by seconds, and nobody is ever
//! locked out.
//!
//! - The same account from the same address waits 1, 2, 4 … 60 s.
//! - An account tried from elsewhere has whoever comes from somewhere new wait once, 5 s at most:
//!   then it is their turn, whatever others do meanwhile.
//! - An address at which many accounts fail waits too, save for those who have come in from it.
//!
//! Names that nobody has are counted as those that somebody has: nothing here tells them apart.
//! It is all in memory, so a restart forgets it; and made-up names and addresses take no more
//! room than [`KEPT`] of each.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::time::Duration;

use tokio::time::Instant;

use crate::household::household;
use crate::recent::Recent;

/// So many are remembered.
const KEPT: usize = 10_000;
/// Failures are forgotten after so long without another.
const QUIET: Duration = Duration::from_secs(15 * 60);
/// The same account from the same address, after its first failure.
const OWN: Steps = Steps { free: 0, longest: 60 };
/// An account, after a few failures from anywhere.
const ELSEWHERE: Steps = Steps { free: 3, longest: 5 };
/// An address, after a few failures at any account.
const ADDRESS: Steps = Steps { free: 10, longest: 60 };

/// How long so many failures have somebody wait: not at all for the first few, then 1, 2, 4 …
/// seconds.
struct Steps {
    free: u32,
    longest: u64,
}

impl Steps {
    fn wait(&self, failures: u32) -> Duration {
        let step = match failures.checked_sub(self.free) {
            None | Some(0) => return Duration::ZERO,
            Some(step) => step - 1,
        };
        Duration::from_secs(1_u64.checked_shl(step).unwrap_or(u64::MAX).min(self.longest))
    }
}

/// Failures in a row.
#[derive(Clone, Copy)]
struct Failures {
    count: u32,
    last: Instant,
}

impl Failures {
    fn count(self, now: Instant) -> u32 {
        if now - self.last > QUIET { 0 } else { self.count }
    }
}

/// One account tried from one address.
#[derive(Clone, Copy)]
struct Tried {
    failures: Failures,
    until: Instant,
    /// Whether the right password has been given: others' failures are no matter.
    came_in: bool,
}

/// A login without keeping its text.
type Login = u64;

/// Somebody who may try a password. It counts as wrong until it has been found right, so that
/// guesses sent all at once come one by one.
pub(super) struct Knock {
    from: IpAddr,
    login: Login,
    before: Tried,
}

impl Knock {
    /// Whether somebody has logged in so from there before.
    pub(super) fn is_known(&self) -> bool {
        self.before.came_in
    }
}

/// Who has knocked lately.
pub(super) struct Knocks {
    tried: Recent<(IpAddr, Login), Tried>,
    logins: Recent<Login, Failures>,
    addresses: Recent<IpAddr, Failures>,
    hasher: RandomState,
}

impl Default for Knocks {
    fn default() -> Knocks {
        Knocks {
            tried: Recent::of(KEPT),
            logins: Recent::of(KEPT),
            addresses: Recent::of(KEPT),
            hasher: RandomState::new(),
        }
    }
}

impl Knocks {
    /// Lets somebody try a password, or says how long they wait.
    pub(super) fn knock(
        &mut self,
        from: IpAddr,
        login: &str,
        now: Instant,
    ) -> Result<Knock, Duration> {
        let (from, login) = (household(from), self.hasher.hash_one(login));
        let known = self.tried.get(&(from, login));
        let before = known.unwrap_or_else(|| self.first(login, now));
        let until = match before.came_in {
            true => before.until,
            false => before.until.max(self.address_waits(from, now)),
        };
        if until > now {
            self.tried.keep((from, login), before);
            return Err(until - now);
        }
        let count = before.failures.count(now) + 1;
        let failures = Failures { count, last: now };
        let until = now + OWN.wait(count);
        self.tried.keep((from, login), Tried { failures, until, ..before });
        Ok(Knock { from, login, before })
    }

    /// An account tried from somewhere new.
    fn first(&mut self, login: Login, now: Instant) -> Tried {
        let others = self.logins.get(&login).map_or(0, |failures| failures.count(now));
        let failures = Failures { count: 0, last: now };
        Tried { failures, until: now + ELSEWHERE.wait(others), came_in: false }
    }

    fn address_waits(&mut self, from: IpAddr, now: Instant) -> Instant {
        let Some(failures) = self.addresses.get(&from) else { return now };
        failures.last + ADDRESS.wait(failures.count(now))
    }

    /// The password was wrong. Says how many have been in a row for that account.
    pub(super) fn failed(&mut self, knock: &Knock, now: Instant) -> u32 {
        count(&mut self.addresses, knock.from, now);
        count(&mut self.logins, knock.login, now)
    }

    /// The same for all names that nobody has.
    pub(super) fn failed_as_nobody(&mut self, now: Instant) -> u32 {
        // No login is two.
        let nobody = self.hasher.hash_one(("", ""));
        count(&mut self.logins, nobody, now)
    }

    /// The password was right.
    pub(super) fn came_in(&mut self, knock: &Knock, now: Instant) {
        let failures = Failures { count: 0, last: now };
        self.tried.keep((knock.from, knock.login), Tried { failures, until: now, came_in: true });
        self.logins.keep(knock.login, failures);
    }

    /// It was not looked at.
    pub(super) fn undone(&mut self, knock: &Knock) {
        self.tried.keep((knock.from, knock.login), knock.before);
    }
}

fn count<K: std::hash::Hash + Eq + Clone>(
    all: &mut Recent<K, Failures>,
    key: K,
    now: Instant,
) -> u32 {
    let count = all.get(&key).map_or(0, |failures| failures.count(now)) + 1;
    all.keep(key, Failures { count, last: now });
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A door, an hour of knocks, and a clock that is set by hand.
    struct Night {
        knocks: Knocks,
        now: Instant,
    }

    impl Night {
        fn new() -> Night {
            Night { knocks: Knocks::default(), now: Instant::now() }
        }

        fn wait(&mut self, seconds: u64) {
            self.now += Duration::from_secs(seconds);
        }

        /// Tries a wrong password; gives the seconds to wait where it may not be tried.
        fn guess(&mut self, from: &str, login: &str) -> Result<(), u64> {
            let from = from.parse().unwrap();
            let knock = self.knocks.knock(from, login, self.now);
            let knock = knock.map_err(|wait| wait.as_secs())?;
            self.knocks.failed(&knock, self.now);
            Ok(())
        }

        /// Tries the right one.
        fn enter(&mut self, from: &str, login: &str) -> Result<(), u64> {
            let knock = self.knocks.knock(from.parse().unwrap(), login, self.now);
            let knock = knock.map_err(|wait| wait.as_secs())?;
            self.knocks.came_in(&knock, self.now);
            Ok(())
        }
    }

    #[test]
    fn each_failure_doubles_the_wait_up_to_a_minute() {
        let mut night = Night::new();
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(night.guess("10.0.0.1", "ann"), Ok(()));
            assert_eq!(night.guess("10.0.0.1", "ann"), Err(seconds));
            assert_eq!(night.enter("10.0.0.1", "ann"), Err(seconds), "the right one too");
            night.wait(seconds);
        }
        assert_eq!(night.enter("10.0.0.1", "ann"), Ok(()));
        assert_eq!(night.guess("10.0.0.1", "ann"), Ok(()));
        assert_eq!(night.guess("10.0.0.1", "ann"), Err(1), "it begins anew");
    }

    #[test]
    fn guesses_sent_at_once_come_one_by_one() {
        let mut night = Night::new();
        let from = "10.0.0.1".parse().unwrap();
        let first = night.knocks.knock(from, "ann", night.now).ok().unwrap();
        assert!(night.knocks.knock(from, "ann", night.now).is_err());
        // One that was not looked at does not count.
        night.knocks.undone(&first);
        assert!(night.knocks.knock(from, "ann", night.now).is_ok());
    }

    #[test]
    fn failures_elsewhere_delay_the_owner_once_and_by_five_seconds() {
        let mut night = Night::new();
        for place in 0..200 {
            let from = format!("10.1.0.{place}");
            if let Err(seconds) = night.guess(&from, "ann") {
                assert!(seconds <= 5, "{seconds}");
                night.wait(seconds);
                assert_eq!(night.guess(&from, "ann"), Ok(()));
            }
        }
        assert_eq!(night.enter("10.0.0.1", "ann"), Err(5));
        night.wait(5);
        // Whoever was in between has had their own turn.
        assert_eq!(night.guess("10.1.0.1", "ann"), Ok(()));
        assert_eq!(night.enter("10.0.0.1", "ann"), Ok(()));
        // Nobody else notices, and who has come in does not notice again.
        assert_eq!(night.enter("10.0.0.1", "bob"), Ok(()));
        for _ in 0..20 {
            night.wait(60);
            let _ = night.guess("10.1.0.1", "ann");
        }
        assert_eq!(night.enter("10.0.0.1", "ann"), Ok(()));
    }

    #[test]
    fn an_address_that_tries_many_accounts_waits_and_those_who_came_in_from_it_do_not() {
        let mut night = Night::new();
        assert_eq!(night.enter("10.0.0.1", "ann"), Ok(()));
        for number in 0..10 {
            assert_eq!(night.guess("10.0.0.1", &format!("name-{number}")), Ok(()));
        }
        for seconds in [1, 2, 4, 8, 16, 32, 60] {
            assert_eq!(night.guess("10.0.0.1", &format!("more-{seconds}")), Ok(()));
            assert_eq!(night.guess("10.0.0.1", "yet another"), Err(seconds));
            night.wait(seconds);
        }
        assert_eq!(night.guess("10.0.0.1", "eve"), Ok(()));
        assert_eq!(night.enter("10.0.0.1", "bob"), Err(60));
        assert_eq!(night.enter("10.0.0.1", "ann"), Ok(()));
        assert_eq!(night.enter("10.0.0.2", "bob"), Ok(()));
    }

    #[test]
    fn failures_are_forgotten_and_made_up_names_take_no_room() {
        let mut night = Night::new();
        for number in 0..KEPT as u32 + 500 {
            let from = format!("10.{}.{}.1", number >> 8 & 255, number & 255);
            let _ = night.guess(&from, &format!("name-{number}"));
        }
        assert_eq!(night.knocks.tried.len(), KEPT);
        let mut night = Night::new();
        assert_eq!(night.guess("10.0.0.1", "ann"), Ok(()));
        night.wait(1);
        assert_eq!(night.guess("10.0.0.1", "ann"), Ok(()));
        night.wait(QUIET.as_secs() + 1);
        assert_eq!(night.guess("10.0.0.1", "ann"), Ok(()));
        assert_eq!(night.guess("10.0.0.1", "ann"), Err(1));
    }

    #[test]
    fn a_household_is_one_address() {
        let mut night = Night::new();
        assert_eq!(night.guess("2001:db8:1:2::1", "ann"), Ok(()));
        assert_eq!(night.guess("2001:db8:1:2:ffff::9", "ann"), Err(1));
        assert_eq!(night.guess("2001:db8:1:3::1", "ann"), Ok(()));
        assert_eq!(night.guess("10.0.0.1", "ann"), Ok(()));
        assert_eq!(night.guess("::ffff:10.0.0.1", "ann"), Err(1));
    }
}
