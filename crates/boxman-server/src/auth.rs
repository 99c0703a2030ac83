//! People at the door: guests by name, accounts by password, sessions by a token that is stored
//! only as its hash.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::broadcast;

use crate::access::{Person, Role};
use crate::dice::fresh_bytes;
use crate::hex;
use crate::house::House;
use crate::log::{Hash, HouseEntry, now};
use crate::names;
use crate::problem::Problem;
use crate::store::{Account, Session};

/// So many failed logins in a row lock an account.
const FAILURES: u32 = 3;
/// How long a session lasts, in milliseconds: a day for the crew and players, a month for guests.
const SESSION: u64 = 24 * 60 * 60 * 1_000;
const GUEST_SESSION: u64 = 30 * SESSION;
/// The setting that keeps the digest of the one-time link.
const LINK: &str = "link";

/// The door.
pub struct Door {
    house: Arc<House>,
    known: Mutex<Known>,
    /// Held while an account is read, changed and written back, so that two who try at once do
    /// not undo each other's changes, nor count as one failure.
    accounts: tokio::sync::Mutex<()>,
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
        let (known, accounts) = (Mutex::default(), tokio::sync::Mutex::default());
        Door { house, known, accounts, ended: broadcast::channel(256).0 }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears whose sessions end.
    pub fn ended(&self) -> broadcast::Receiver<Ended> {
        self.ended.subscribe()
    }

    /// The one-time link's secret, where no administrator could log in: made anew at every start,
    /// and stored only as its digest.
    pub async fn one_time_link(&self) -> Result<Option<String>, Problem> {
        let store = &self.house.store;
        let keeps =
            |account: &Account| account.roles.contains(&Role::Administrator) && !account.locked;
        if store.accounts().await?.iter().any(keeps) {
            store.set(LINK, None).await?;
            return Ok(None);
        }
        let secret = hex::encode(&fresh_bytes::<16>()?);
        store.set(LINK, Some(&Hash::of(secret.as_bytes()).to_string())).await?;
        Ok(Some(secret))
    }

    /// Makes the first account, a supervisor's and administrator's, for whoever has the link.
    pub async fn redeem_link(
        &self,
        secret: &str,
        name: &str,
        password: String,
    ) -> Result<Entered, Problem> {
        self.check_link(secret).await?;
        let roles = vec![Role::Supervisor, Role::Administrator];
        let account = new_account(name, password, roles).await?;
        let _alone = self.accounts.lock().await;
        // Two may come with it at once.
        self.check_link(secret).await?;
        self.add_account("boxman", &account).await?;
        self.house.store.set(LINK, None).await?;
        self.enter(&account.name, &account.name, SESSION).await
    }

    async fn check_link(&self, secret: &str) -> Result<(), Problem> {
        let known = self.house.store.setting(LINK).await?;
        match known == Some(Hash::of(secret.as_bytes()).to_string()) {
            true => Ok(()),
            false => {
                let used = "that link is not good any more, restart the server for a new one";
                Err(Problem::new(403, "bad-link", used))
            }
        }
    }

    /// A guest sits down by name and plays for play money.
    pub async fn guest(&self, name: &str) -> Result<Entered, Problem> {
        let name = names::name(name)?;
        let id = format!("guest-{}", hex::encode(&fresh_bytes::<8>()?));
        self.enter(&id, &name, GUEST_SESSION).await
    }

    /// Somebody with a password. After three failures in a row the account is locked.
    pub async fn login(&self, name: &str, password: String) -> Result<Entered, Problem> {
        let wrong = || Problem::new(401, "wrong-password", "that name and password do not fit");
        let store = &self.house.store;
        // The same work for a name that does not exist, so that nobody can tell.
        let tried = store.account(name).await?.map(|account| account.password);
        let fits = verify(tried.clone(), password).await;
        let _alone = self.accounts.lock().await;
        let Some(mut account) = store.account(name).await? else {
            return Err(wrong());
        };
        // It may have got another password in the meantime.
        let fits = fits && tried.as_ref() == Some(&account.password);
        if account.locked {
            let locked = "that account is locked after three failures, ask an administrator";
            return Err(Problem::new(403, "account-locked", locked));
        }
        if !fits {
            account.failures += 1;
            account.locked = account.failures >= FAILURES;
            store.keep_account(&account).await?;
            let name = account.name.clone();
            let failed = HouseEntry::LoginFailed { name: name.clone() };
            self.house.write_down(&name, failed).await?;
            if account.locked {
                self.house.write_down("boxman", HouseEntry::Locked { name }).await?;
            }
            return Err(wrong());
        }
        if account.failures > 0 {
            account.failures = 0;
            store.keep_account(&account).await?;
        }
        let name = account.name.clone();
        self.house.write_down(&name, HouseEntry::LoggedIn { name: name.clone() }).await?;
        self.enter(&name, &name, SESSION).await
    }

    async fn enter(&self, id: &str, name: &str, lasts: u64) -> Result<Entered, Problem> {
        let token = hex::encode(&fresh_bytes::<32>()?);
        let session = Session {
            token: Hash::of(token.as_bytes()),
            person: id.to_owned(),
            name: name.to_owned(),
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
        let roles = match session.person.starts_with("guest-") {
            true => vec![Role::Guest],
            false => match self.house.store.account(&session.person).await? {
                Some(account) => account.roles,
                None => return Ok(None),
            },
        };
        let (id, name) = (session.person.clone(), session.name.clone());
        Ok(Some(Arc::new(Person { id, name, roles })))
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

    async fn end_sessions_of(&self, name: &str) -> Result<(), Problem> {
        self.house.store.end_sessions_of(name).await?;
        let mut known = self.known();
        known.ends += 1;
        known.sessions.retain(|_, (person, _)| person.id != name);
        let _ = self.ended.send(Ended::Person(name.to_owned()));
        Ok(())
    }

    /// Makes an account.
    pub async fn make_account(
        &self,
        by: &str,
        name: &str,
        password: String,
        roles: Vec<Role>,
    ) -> Result<Account, Problem> {
        let account = new_account(name, password, roles).await?;
        let _alone = self.accounts.lock().await;
        self.add_account(by, &account).await?;
        Ok(account)
    }

    async fn add_account(&self, by: &str, account: &Account) -> Result<(), Problem> {
        let (name, roles) = (account.name.clone(), account.roles.clone());
        if self.house.store.account(&name).await?.is_some() {
            return Err(Problem::conflict("name-taken", format!("there is an account {name}")));
        }
        self.house.store.keep_account(account).await?;
        self.house.write_down(by, HouseEntry::AccountMade { name, roles }).await
    }

    /// Changes what an account may do, its password, or unlocks it. Roles and passwords end
    /// every session.
    pub async fn change_account(
        &self,
        by: &str,
        name: &str,
        roles: Option<Vec<Role>>,
        password: Option<String>,
        unlock: bool,
    ) -> Result<Account, Problem> {
        let store = &self.house.store;
        let password = match password {
            Some(password) => Some(hash(password).await?),
            None => None,
        };
        let _alone = self.accounts.lock().await;
        let found = store.account(name).await?;
        let mut account = found.ok_or_else(|| Problem::not_found(format!("account {name}")))?;
        let mut entries = Vec::new();
        let name = account.name.clone();
        if let Some(roles) = roles {
            let after = account_roles(roles)?;
            let before = std::mem::replace(&mut account.roles, after.clone());
            entries.push(HouseEntry::RolesChanged { name: name.clone(), before, after });
        }
        if let Some(password) = password {
            account.password = password;
            entries.push(HouseEntry::PasswordChanged { name: name.clone() });
        }
        let ends = !entries.is_empty();
        if unlock {
            (account.failures, account.locked) = (0, false);
            entries.push(HouseEntry::Unlocked { name: name.clone() });
        }
        if store.accounts().await?.iter().all(|known| {
            let roles = if known.name == name { &account.roles } else { &known.roles };
            !roles.contains(&Role::Administrator)
        }) {
            let last = "somebody has to remain an administrator";
            return Err(Problem::conflict("last-administrator", last));
        }
        store.keep_account(&account).await?;
        for entry in entries {
            self.house.write_down(by, entry).await?;
        }
        if ends {
            self.end_sessions_of(&name).await?;
        }
        Ok(account)
    }
}

/// An account that could be made, if nobody has its name.
async fn new_account(name: &str, password: String, roles: Vec<Role>) -> Result<Account, Problem> {
    let (name, roles) = (account_name(name)?, account_roles(roles)?);
    let password = hash(password).await?;
    Ok(Account { name, roles, password, failures: 0, locked: false })
}

fn account_name(name: &str) -> Result<String, Problem> {
    let fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'.';
    let reserved = ["boxman", "house"];
    match (2..=24).contains(&name.len()) && name.bytes().all(fine) && !reserved.contains(&name) {
        true => Ok(name.to_owned()),
        false => {
            let expected =
                "an account's name has 2 to 24 lower-case letters, digits and full stops";
            Err(Problem::invalid("bad-name", expected))
        }
    }
}

fn account_roles(mut roles: Vec<Role>) -> Result<Vec<Role>, Problem> {
    roles.sort();
    roles.dedup();
    match roles.is_empty() || roles.contains(&Role::Guest) {
        true => Err(Problem::invalid("bad-roles", "an account has at least one role, not guest")),
        false => Ok(roles),
    }
}

/// Hashing takes a while on purpose, so it is kept off the tasks that play.
async fn hash(password: String) -> Result<String, Problem> {
    if !(10..=200).contains(&password.chars().count()) {
        let length = "a password has 10 to 200 characters";
        return Err(Problem::invalid("bad-password", length));
    }
    let hashed = tokio::task::spawn_blocking(move || {
        Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string())
    });
    match hashed.await {
        Ok(Ok(hash)) => Ok(hash),
        _ => Err(Problem::unavailable("no-hash", "the password could not be hashed, try again")),
    }
}

async fn verify(hash: Option<String>, password: String) -> bool {
    let fits = tokio::task::spawn_blocking(move || match hash {
        Some(hash) => argon2::PasswordHash::new(&hash).is_ok_and(|hash| {
            Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
        }),
        None => {
            let _ = Argon2::default().hash_password(password.as_bytes());
            false
        }
    });
    fits.await.unwrap_or(false)
}
