//! The audit of the house's own log: what it says was opened is there and nothing else is, and the
//! accounts are those it made.

use std::collections::{BTreeMap, BTreeSet};

use super::{Finding, Source, Verdict};
use crate::log::{Entry, Head, HouseEntry, Record, Stream};
use crate::role::Role;
use crate::store::walk::Pages;
use crate::store::{Account, StoreError, Stored};

/// The house as far as its log has been gone through.
#[derive(Default)]
pub(super) struct HouseAudit {
    /// What it says was opened: by which record, and up to where.
    opened: Vec<(u64, Stream, Option<Head>)>,
    /// Everybody who has an account, by id.
    accounts: BTreeMap<String, Made>,
}

/// An account as the log of the house made and changed it.
#[derive(Debug, PartialEq, Eq)]
struct Made {
    login: String,
    table_name: String,
    roles: Vec<Role>,
}

impl HouseAudit {
    /// Takes the next record.
    pub(super) fn take(
        &mut self,
        record: &Record,
        entry: &Entry<HouseEntry>,
    ) -> Result<(), String> {
        let opened = match &entry.what {
            HouseEntry::TableOpened { table, .. } => (Stream::Table(*table), None),
            HouseEntry::TableImported { head, .. } if head.seq == 0 => {
                return Err("a table is brought in without a record".to_owned());
            }
            HouseEntry::TableImported { table, head } => (Stream::Table(*table), Some(*head)),
            HouseEntry::MeterOpened { meter } => (Stream::Meter(meter.clone()), None),
            other => return self.take_account(other),
        };
        self.opened.push((record.seq, opened.0, opened.1));
        Ok(())
    }

    fn take_account(&mut self, entry: &HouseEntry) -> Result<(), String> {
        match entry {
            HouseEntry::AccountMade { account, login, table_name, roles } => {
                let (login, table_name) = (login.clone(), table_name.clone());
                let made = Made { login, table_name, roles: roles.clone() };
                match self.accounts.insert(account.clone(), made) {
                    None => Ok(()),
                    Some(_) => Err(format!("account {account} is made a second time")),
                }
            }
            HouseEntry::RolesChanged { account, before, after } => {
                let made = self.made(account)?;
                let was = std::mem::replace(&mut made.roles, after.clone());
                is_so(was == *before, || format!("account {account} had other roles"))
            }
            HouseEntry::Renamed { account, before, after } => {
                let made = self.made(account)?;
                let was = std::mem::replace(&mut made.table_name, after.clone());
                is_so(was == *before, || format!("account {account} had another table name"))
            }
            _ => Ok(()),
        }
    }

    fn made(&mut self, account: &str) -> Result<&mut Made, String> {
        self.accounts.get_mut(account).ok_or_else(|| format!("there is no account {account}"))
    }

    /// Whether the house has opened what is here, and nothing else is.
    pub(super) fn check_named(&self, streams: &BTreeSet<Stream>, verdict: &mut Verdict) {
        let named: BTreeSet<&Stream> = self.opened.iter().map(|(_, stream, _)| stream).collect();
        for stream in streams.iter().filter(|stream| !named.contains(stream)) {
            if *stream != Stream::House {
                let reason = "the log of the house does not know of it";
                verdict.find(Finding::new(stream, 1, reason));
            }
        }
    }

    /// Whether what the house has opened is there.
    pub(super) async fn check_opened(
        &self,
        source: Source<'_>,
        verdict: &mut Verdict,
    ) -> Stored<()> {
        for (seq, stream, head) in &self.opened {
            let found = source.records(stream, head.map_or(0, |head| head.seq - 1), 1).await;
            let found = match found {
                // It has been named where its own stream was gone through.
                Err(StoreError::Damaged(_)) => continue,
                found => found?,
            };
            let expected = head.map_or(1, |head| head.seq);
            let fits = |record: &Record| head.is_none_or(|head| record.head() == head);
            if found.first().is_some_and(|record| record.seq == expected && fits(record)) {
                continue;
            }
            let name = stream.to_string();
            if !verdict.problems.iter().any(|finding| finding.stream == name) {
                let reason = format!("it is missing, or not what record {seq} of house has seen");
                verdict.find(Finding::new(stream, expected, reason));
            }
        }
        Ok(())
    }

    /// Whether the accounts are those that the log made, with the names and roles it gave them.
    pub(super) fn check_accounts(&self, accounts: &[Account], verdict: &mut Verdict) {
        let mut find = |account: &str, reason: &str| {
            verdict.find(Finding::new(format!("account {account}"), 0, reason));
        };
        let mut left: BTreeSet<&String> = self.accounts.keys().collect();
        for Account { id, login, table_name, roles, .. } in accounts {
            left.remove(id);
            let Some(made) = self.accounts.get(id) else {
                find(id, "the log of the house did not make it");
                continue;
            };
            if made.roles != *roles {
                find(id, "its roles are not those that the log of the house gave it");
            }
            if (&made.login, &made.table_name) != (login, table_name) {
                find(id, "its names are not those that the log of the house gave it");
            }
        }
        for account in left {
            find(account, "it is missing, and the log of the house made it");
        }
    }
}

fn is_so(so: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if so { Ok(()) } else { Err(otherwise()) }
}
