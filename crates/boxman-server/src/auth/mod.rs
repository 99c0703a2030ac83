//! People at the door: guests by name, accounts by password, sessions by a token that is stored
//! only as its hash.
//!
//! Somebody with an account has three names. The login comes with the password and is shown to
//! nobody but them and administrators; the table name is what everybody reads; and the id, drawn
//! at random, stands for them in every log and on the wire.

mod accounts;
mod wrong_passwords;
mod passwords;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use craps::hex;
use tokio::sync::broadcast;
use tokio::time::Instant;

pub use self::accounts::{AccountChange, NewAccount};
use self::passwords::Passwords;
use self::wrong_passwords::Knocks;
use crate::access::Person;
use crate::dice::fresh_bytes;
use crate::hash::Hash;
use crate::house::House;
use crate::log::{HouseEntry, now};
use crate::names;
use crate::problem::Problem;
use crate::role::Role;
use crate::store::{Account, Session};

/// How long a session lasts, in milliseconds: a day for the crew and players, a month for guests.
const SESSION: u64 = 24 * 60 * 60 * 1_000;
const GUEST_SESSION: u64 = 30 * SESSION;
/// The setting that keeps the digest of the one-time link.
const LINK: &str = "link";

/// The door.
pub struct Door {
    house: Arc<House>,
    known: Mutex<Known>,
    passwords: Passwords,
    knocks: Mutex<Knocks>,
    /// Tokens that have ended, for whoever holds a socket open with one.
    ended: broadcast::Sender<Ended>,
}

/// Sessions seen lately, so that not every request asks the store.
#[derive(Default)]
struct Known {
    sessions: HashMap<Hash, (Arc<Person>, u64)>,
    /// How often sessions have ended. What the store said before the last time is not kept.
    ends: u64,
}

/// Whose sessions have ended.
#[derive(Clone, Debug)]
pub enum Ended {
    /// One.
    Session(Hash),
    /// All of a person's.
    Person(String),
    /// None: they have another table name.
    Renamed(Arc<Person>),
}

/// Somebody who has come in.
pub struct Entered {
    /// The token, which nobody else ever sees.
    pub token: String,
    /// Who it is.
    pub person: Arc<Person>,
    /// How long the token is good for, in seconds.
    pub seconds: u64,
}

impl Door {
    /// The door of a house.
    pub fn new(house: Arc<House>) -> Door {
        Door {
            house,
            known: Mutex::default(),
            passwords: Passwords::default(),
            knocks: Mutex::default(),
            ended: broadcast::channel(256).0,
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn knocks(&self) -> MutexGuard<'_, Knocks> {
        self.knocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears whose sessions end.
    pub fn ended(&self) -> broadcast::Receiver<Ended> {
        self.ended.subscribe()
    }

    /// The one-time link's secret, where there is no administrator: made anew at every start, and
    /// stored only as its digest. Of several nodes that start together one makes it.
    pub async fn one_time_link(&self) -> Result<Option<String>, Problem> {
        let store = &self.house.store;
        loop {
            if store.accounts().await?.iter().any(keeps_accounts) {
                store.set(LINK, None).await?;
                return Ok(None);
            }
            let before = store.setting(LINK).await?;
            if before.is_some() && store.is_shared().await? {
                return Ok(None);
            }
            let secret = hex::encode(&fresh_bytes::<16>()?);
            let digest = Hash::of(secret.as_bytes()).to_string();
            if store.exchange(LINK, before.as_deref(), &digest).await? {
                return Ok(Some(secret));
            }
        }
    }

    /// Makes the first account, a supervisor's and administrator's, for whoever has the link.
    pub async fn redeem_link(
        &self,
        secret: &str,
        login: String,
        password: String,
        table_name: Option<String>,
    ) -> Result<Entered, Problem> {
        self.check_link(secret).await?;
        let roles = vec![Role::Supervisor, Role::Administrator];
        let account = self.prepare(NewAccount { login, password, table_name, roles }).await?;
        // Two may come with it at once.
        self.add_account("boxman", &account, Some(secret)).await?;
        self.house.store.set(LINK, None).await?;
        self.enter(&account.id, None, SESSION).await
    }

    async fn check_link(&self, secret: &str) -> Result<(), Problem> {
        let store = &self.house.store;
        let known = store.setting(LINK).await?;
        let good = known == Some(Hash::of(secret.as_bytes()).to_string());
        let used = store.accounts().await?.iter().any(keeps_accounts);
        match good && !used {
            true => Ok(()),
            false => {
                let used = "that link is not good any more, restart the server for a new one";
                Err(Problem::new(403, "bad-link", used))
            }
        }
    }

    /// A guest sits down by name and plays for play money.
    pub async fn guest(&self, name: &str) -> Result<Entered, Problem> {
        let name = names::guest(name)?;
        let id = format!("guest-{}", hex::encode(&fresh_bytes::<8>()?));
        self.enter(&id, Some(name), GUEST_SESSION).await
    }

    /// Somebody with a password. Who has given a wrong one waits before the next.
    pub async fn login(
        &self,
        from: IpAddr,
        login: &str,
        password: String,
    ) -> Result<Entered, Problem> {
        let knock = self.knocks().knock(from, login, Instant::now()).map_err(wait)?;
        let (account, fits) = match self.look_up(login, password, knock.is_known()).await {
            Ok(found) => found,
            Err(problem) => {
                self.knocks().undone(&knock);
                return Err(problem);
            }
        };
        let now = Instant::now();
        if let Some(account) = account.as_ref().filter(|_| fits) {
            self.knocks().came_in(&knock, now);
            let entry = HouseEntry::LoggedIn { account: account.id.clone() };
            self.house.write_down(&account.id, entry).await?;
            return self.enter(&account.id, None, SESSION).await;
        }
        let own = self.knocks().failed(&knock, now);
        let failures = match account {
            Some(_) => own,
            None => self.knocks().failed_as_nobody(now),
        };
        self.note_failure(account.map(|account| account.id), failures);
        Err(Problem::new(401, "wrong-password", "that name and password do not fit"))
    }

    /// The account of a login, and whether the password is its own. It is the same work for a
    /// login that nobody has, so that nobody can tell.
    async fn look_up(
        &self,
        login: &str,
        password: String,
        known: bool,
    ) -> Result<(Option<Account>, bool), Problem> {
        let store = &self.house.store;
        let tried = store.account_of_login(login).await?.map(|account| account.password);
        let fits = self.passwords.fits(tried.clone(), password, known).await?;
        // It may have got another password in the meantime.
        let account = store.account_of_login(login).await?;
        let same = account.as_ref().map(|account| &account.password) == tried.as_ref();
        Ok((account, fits && same))
    }

    /// Failures are written down at the first, the second, the fourth and so on, so that many of
    /// them do not fill the log; nobody waits for it, or they could tell by it who has an account.
    fn note_failure(&self, account: Option<String>, failures: u32) {
        if !failures.is_power_of_two() {
            return;
        }
        let house = Arc::clone(&self.house);
        tokio::spawn(async move {
            let failed = HouseEntry::LoginFailed { account, failures };
            if let Err(problem) = house.write_down("boxman", failed).await {
                tracing::warn!(%problem, "failed logins were not written down");
            }
        });
    }

    async fn enter(
        &self,
        person: &str,
        name: Option<String>,
        lasts: u64,
    ) -> Result<Entered, Problem> {
        let token = hex::encode(&fresh_bytes::<32>()?);
        let session = Session {
            token: Hash::of(token.as_bytes()),
            person: person.to_owned(),
            name,
            expires: now() + lasts,
        };
        self.house.store.keep_session(&session).await?;
        let person = self.person(&session).await?.ok_or_else(Problem::nobody)?;
        Ok(Entered { token, person, seconds: lasts / 1_000 })
    }

    /// Who a token belongs to.
    pub async fn who(&self, token: &str) -> Result<Option<(Hash, Arc<Person>)>, Problem> {
        let hash = Hash::of(token.as_bytes());
        let at = now();
        let (known, ends) = {
            let known = self.known();
            (known.sessions.get(&hash).cloned(), known.ends)
        };
        if let Some((person, expires)) = known {
            return Ok((expires > at).then_some((hash, person)));
        }
        let Some(session) = self.house.store.session(hash).await? else { return Ok(None) };
        if session.expires <= at {
            return Ok(None);
        }
        let Some(person) = self.person(&session).await? else { return Ok(None) };
        let mut known = self.known();
        if known.sessions.len() > 10_000 {
            known.sessions.clear();
        }
        if known.ends == ends {
            known.sessions.insert(hash, (Arc::clone(&person), session.expires));
        }
        Ok(Some((hash, person)))
    }

    /// Who a token belongs to that is to change something. Whoever has a word in the house is
    /// looked up in the store where another node may just have taken it away.
    pub async fn who_acts(&self, token: &str) -> Result<Option<(Hash, Arc<Person>)>, Problem> {
        let who = self.who(token).await?;
        let has_a_word = |person: &Person| {
            person.roles.iter().any(|role| matches!(role, Role::Supervisor | Role::Administrator))
        };
        match who {
            Some((hash, person)) if self.house.link().is_some() && has_a_word(&person) => {
                self.known().sessions.remove(&hash);
                self.who(token).await
            }
            who => Ok(who),
        }
    }

    /// Whether a session has neither ended nor run out.
    pub async fn is_good(&self, token: Hash) -> Result<bool, Problem> {
        let at = now();
        if let Some((_, expires)) = self.known().sessions.get(&token) {
            return Ok(*expires > at);
        }
        let session = self.house.store.session(token).await?;
        Ok(session.is_some_and(|session| session.expires > at))
    }

    async fn person(&self, session: &Session) -> Result<Option<Arc<Person>>, Problem> {
        let id = session.person.clone();
        let person = match &session.name {
            Some(name) => Some(Person { id, name: name.clone(), roles: vec![Role::Guest] }),
            None => self.house.store.account(&id).await?.map(|account| Person {
                id,
                name: account.table_name,
                roles: account.roles,
            }),
        };
        Ok(person.map(Arc::new))
    }

    /// Ends a session.
    pub async fn logout(&self, token: Hash) -> Result<(), Problem> {
        self.house.store.end_session(token).await?;
        let mut known = self.known();
        known.ends += 1;
        known.sessions.remove(&token);
        // Nobody may hold a socket.
        let _ = self.ended.send(Ended::Session(token));
        Ok(())
    }

    /// Hears what another node has done.
    pub(crate) async fn hear(&self, what: &str, who: &str) {
        match what {
            "session" => {
                let Ok(token) = who.parse::<Hash>() else { return };
                let mut known = self.known();
                known.ends += 1;
                known.sessions.remove(&token);
                let _ = self.ended.send(Ended::Session(token));
            }
            "person" => {
                self.forget(who);
                let _ = self.ended.send(Ended::Person(who.to_owned()));
            }
            _ => {
                self.forget(who);
                if let Ok(Some(account)) = self.house.store.account(who).await {
                    let Account { id, table_name: name, roles, .. } = account;
                    self.renamed(Person { id, name, roles });
                }
            }
        }
    }

    async fn end_sessions_of(&self, person: &str) -> Result<(), Problem> {
        self.house.store.end_sessions_of(person).await?;
        self.forget(person);
        let _ = self.ended.send(Ended::Person(person.to_owned()));
        Ok(())
    }

    /// Has everybody who holds a socket open know their new name, on every node.
    async fn tell_name(&self, person: Person) -> Result<Arc<Person>, Problem> {
        let person = self.renamed(person);
        self.house.store.tell_renamed(&person.id).await?;
        Ok(person)
    }

    fn renamed(&self, person: Person) -> Arc<Person> {
        self.forget(&person.id);
        let person = Arc::new(person);
        // Perhaps nobody holds one.
        let _ = self.ended.send(Ended::Renamed(Arc::clone(&person)));
        person
    }

    /// Asks the store anew the next time, whoever it is.
    pub(crate) fn forget_all(&self) {
        let mut known = self.known();
        known.ends += 1;
        known.sessions.clear();
    }

    /// Asks the store anew the next time.
    fn forget(&self, person: &str) {
        let mut known = self.known();
        known.ends += 1;
        known.sessions.retain(|_, (known, _)| known.id != person);
    }
}

fn keeps_accounts(account: &Account) -> bool {
    account.roles.contains(&Role::Administrator)
}

fn wait(wait: Duration) -> Problem {
    // In whole seconds, and not one too early.
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let unit = if seconds == 1 { "second" } else { "seconds" };
    let detail = format!("a wrong password was given, try again in {seconds} {unit}");
    Problem::wait("wrong-passwords", detail, seconds)
}
