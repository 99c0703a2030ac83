//! Accounts: made, changed and renamed. An account and what the house's log says of it are written
//! together, both or neither.

use std::sync::Arc;

use craps::hex;
use futures_util::future::BoxFuture;

use super::{Door, keeps_accounts};
use crate::access::Person;
use crate::dice::{NoRandomness, fresh_bytes};
use crate::hash::Hash;
use crate::log::HouseEntry;
use crate::names;
use crate::problem::Problem;
use crate::role::Role;
use crate::store::{Account, Session};

/// An account to be made.
pub struct NewAccount {
    /// What they log in with.
    pub login: String,
    /// Its password.
    pub password: String,
    /// The name shown at tables; one that says nothing where it is left out.
    pub table_name: Option<String>,
    /// What they may do.
    pub roles: Vec<Role>,
}

/// What shall be different about an account.
#[derive(Default)]
pub struct AccountChange {
    /// What they may do.
    pub roles: Option<Vec<Role>>,
    /// Its password.
    pub password: Option<String>,
    /// The name shown at tables.
    pub table_name: Option<String>,
}

impl Door {
    /// Makes an account.
    pub async fn make_account(&self, by: &str, new: NewAccount) -> Result<Account, Problem> {
        let account = self.prepare(new).await?;
        self.add_account(by, &account, None).await?;
        Ok(account)
    }

    /// An account that could be made, if nobody has its login.
    pub(super) async fn prepare(&self, new: NewAccount) -> Result<Account, Problem> {
        let (login, roles) = (proper_login(new.login)?, proper_roles(new.roles)?);
        let table_name = match new.table_name {
            Some(name) => table_name(&login, &name)?,
            None => some_name(&roles)?,
        };
        let id = format!("p-{}", hex::encode(&fresh_bytes::<6>()?));
        let password = self.passwords.hash(new.password).await?;
        Ok(Account { id, login, table_name, roles, password })
    }

    /// Makes an account, for whoever has the one-time link where they do.
    pub(super) async fn add_account(
        &self,
        by: &str,
        account: &Account,
        link: Option<&str>,
    ) -> Result<(), Problem> {
        let added = || -> BoxFuture<'_, _> {
            Box::pin(async {
                if let Some(link) = link {
                    self.check_link(link).await?;
                }
                let Account { id, login, table_name, roles, .. } = account.clone();
                if self.house.store.account_of_login(&login).await?.is_some() {
                    let taken = format!("there is an account {login}");
                    return Err(Problem::conflict("name-taken", taken));
                }
                let made = HouseEntry::AccountMade { account: id, login, table_name, roles };
                Ok((account.clone(), vec![made]))
            })
        };
        self.house.keep_account(by, &added).await
    }

    /// Changes what an account may do, its password or its table name. Roles and passwords end
    /// every session.
    pub async fn change_account(
        &self,
        by: &str,
        login: &str,
        change: AccountChange,
    ) -> Result<Account, Problem> {
        let AccountChange { roles, password, table_name: name } = change;
        let password = match password {
            Some(password) => Some(self.passwords.hash(password).await?),
            None => None,
        };
        let ends = roles.is_some() || password.is_some();
        let unknown = || Problem::not_found(format!("account {login}"));
        let changed = || -> BoxFuture<'_, _> {
            Box::pin(async {
                let found = self.house.store.account_of_login(login).await?;
                let mut account = found.ok_or_else(unknown)?;
                let mut entries = Vec::new();
                if let Some(roles) = roles.clone() {
                    let after = proper_roles(roles)?;
                    let before = std::mem::replace(&mut account.roles, after.clone());
                    self.check_administrators(&account).await?;
                    let account = account.id.clone();
                    entries.push(HouseEntry::RolesChanged { account, before, after });
                }
                if let Some(password) = password.clone() {
                    account.password = password;
                    entries.push(HouseEntry::PasswordChanged { account: account.id.clone() });
                }
                let name = name.as_ref().map(|name| renamed(&mut account, name));
                entries.extend(name.transpose()?);
                Ok((account, entries))
            })
        };
        self.house.keep_account(by, &changed).await?;
        let account = self.house.store.account_of_login(login).await?.ok_or_else(unknown)?;
        match ends {
            true => self.end_sessions_of(&account.id).await?,
            false => drop(self.tell_name(person_of(&account)).await?),
        }
        Ok(account)
    }

    /// Gives somebody the table name they want, from the next time they sit down or have a table
    /// call them so.
    pub async fn rename(
        &self,
        who: &Person,
        token: Hash,
        name: &str,
    ) -> Result<Arc<Person>, Problem> {
        if self.house.store.account(&who.id).await?.is_none() {
            return self.rename_guest(who, token, names::guest(name)?).await;
        }
        let changed = || -> BoxFuture<'_, _> {
            Box::pin(async {
                let found = self.house.store.account(&who.id).await?;
                let mut account = found.ok_or_else(Problem::nobody)?;
                let entry = renamed(&mut account, name)?;
                Ok((account, vec![entry]))
            })
        };
        self.house.keep_account(&who.id, &changed).await?;
        let account = self.house.store.account(&who.id).await?.ok_or_else(Problem::nobody)?;
        self.tell_name(person_of(&account)).await
    }

    async fn rename_guest(
        &self,
        who: &Person,
        token: Hash,
        name: String,
    ) -> Result<Arc<Person>, Problem> {
        let session = self.house.store.session(token).await?.ok_or_else(Problem::nobody)?;
        let session = Session { name: Some(name.clone()), ..session };
        self.house.store.keep_session(&session).await?;
        self.tell_name(Person { name, ..who.clone() }).await
    }

    /// With this account as it shall be, somebody is still an administrator.
    async fn check_administrators(&self, account: &Account) -> Result<(), Problem> {
        let all = self.house.store.accounts().await?;
        let others = all.iter().filter(|known| known.id != account.id);
        match keeps_accounts(account) || others.into_iter().any(keeps_accounts) {
            true => Ok(()),
            false => {
                let last = "somebody has to remain an administrator";
                Err(Problem::conflict("last-administrator", last))
            }
        }
    }
}

fn person_of(account: &Account) -> Person {
    let Account { id, table_name: name, roles, .. } = account.clone();
    Person { id, name, roles }
}

fn renamed(account: &mut Account, name: &str) -> Result<HouseEntry, Problem> {
    let after = table_name(&account.login, name)?;
    let before = std::mem::replace(&mut account.table_name, after.clone());
    Ok(HouseEntry::Renamed { account: account.id.clone(), before, after })
}

fn proper_login(login: String) -> Result<String, Problem> {
    let fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'.';
    match (2..=24).contains(&login.len()) && login.bytes().all(fine) {
        true => Ok(login),
        false => {
            let expected =
                "an account's name has 2 to 24 lower-case letters, digits and full stops";
            Err(Problem::invalid("bad-name", expected))
        }
    }
}

/// A table name is everybody's to read, so it is not the login.
fn table_name(login: &str, name: &str) -> Result<String, Problem> {
    let name = names::name(name)?;
    match name.eq_ignore_ascii_case(login) {
        false => Ok(name),
        true => {
            let other = "everybody reads the name at the table, choose another than the login";
            Err(Problem::invalid("bad-name", other))
        }
    }
}

/// A name that says no more than the table sees anyway: `Dealer 4821`.
fn some_name(roles: &[Role]) -> Result<String, NoRandomness> {
    let role = roles.first().map_or("player", |role| role.name());
    let (first, rest) = role.split_at(1);
    let number = u16::from_be_bytes(fresh_bytes()?) % 9_000 + 1_000;
    Ok(format!("{}{rest} {number}", first.to_uppercase()))
}

fn proper_roles(mut roles: Vec<Role>) -> Result<Vec<Role>, Problem> {
    roles.sort();
    roles.dedup();
    match roles.is_empty() || roles.contains(&Role::Guest) {
        true => Err(Problem::invalid("bad-roles", "an account has at least one role, not guest")),
        false => Ok(roles),
    }
}
