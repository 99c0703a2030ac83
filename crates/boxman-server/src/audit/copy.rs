//! A whole store carried into an empty one: every log as it stands, rulebooks, accounts and what
//! people have played. Snapshots and days are made anew, and everybody logs in again.

use futures_util::future::BoxFuture;

use super::{Options, Progress, Source, Trouble, anchor, verify};
use crate::log::{Head, Record, Stream};
use crate::store::Store;
use crate::store::walk::Walk;

/// So many records are carried at once.
const PAGE: u32 = 1_000;
/// So many sessions of play are kept of a person.
const PLAYS: u32 = 10_000;
/// The setting of a store into which a copy is under way: nobody serves it.
pub const COPYING: &str = "copying";

/// What was carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Logs.
    pub logs: usize,
    /// Records.
    pub records: u64,
    /// Accounts.
    pub accounts: usize,
}

/// Carries everything over, verifies it there, and compares where the logs stand here and there.
/// What is not finished is marked, and not served.
pub fn copy<'a, 'b: 'a>(
    from: &'a dyn Store,
    to: &'a dyn Store,
    progress: &'a mut Progress<'b>,
) -> BoxFuture<'a, Result<Copied, Trouble>> {
    Box::pin(carry(from, to, progress))
}

async fn carry(
    from: &dyn Store,
    to: &dyn Store,
    progress: &mut Progress<'_>,
) -> Result<Copied, Trouble> {
    if !to.streams().await?.is_empty() || !to.accounts().await?.is_empty() {
        return Trouble::refused("there is something in it already, name an empty store");
    }
    let before = anchor(from).await?;
    to.set(COPYING, Some("begun")).await?;
    for hash in from.rulebooks().await? {
        if let Some(text) = from.rulebook(hash).await? {
            to.keep_rulebook(&text).await?;
        }
    }
    let total: u64 = before.heads.values().map(|head| head.seq).sum();
    let mut records = 0;
    for (stream, head) in &before.heads {
        let mut walk = Walk::after(from, stream.clone(), Head::default());
        while walk.head.seq < head.seq {
            let page = walk.page(PAGE, |_| Ok(())).await?;
            if let Some(broken) = page.broken {
                let (seq, reason) = (broken.seq, broken.reason);
                let unsound = format!("record {seq} of {stream}: {reason}");
                return Trouble::refused(format!("{unsound}; run `boxman verify` first"));
            }
            let within = |record: &Record| record.seq <= head.seq;
            let page: Vec<Record> = page.records.into_iter().filter(within).collect();
            if page.is_empty() {
                break;
            }
            records += page.len() as u64;
            to.append(&page).await?;
            progress(records, 2 * total);
        }
    }
    let accounts = carry_people(from, to).await?;
    let (options, mut checked) = (Options::default(), |done, _| progress(total + done, 2 * total));
    let verdict = verify(Source::Store(to), &options, &mut checked).await?;
    if let Some(finding) = verdict.problems.into_iter().next() {
        return Err(Trouble::Unsound(finding));
    }
    let after = anchor(to).await?;
    // Whoever wrote here meanwhile is not in the copy.
    let now = anchor(from).await?;
    if after.heads != before.heads || now.heads != before.heads {
        let differs = |(stream, head): &(&Stream, &Head)| after.heads.get(*stream) != Some(*head);
        let first = now.heads.iter().find(differs).map(|(stream, _)| stream.to_string());
        let first = first.unwrap_or_else(|| "a log".to_owned());
        return Trouble::refused(format!(
            "{first} does not stand where it did: somebody plays there, stop the server and copy \
             again into an empty store"
        ));
    }
    to.set(COPYING, None).await?;
    Ok(Copied { logs: before.heads.len(), records, accounts })
}

async fn carry_people(from: &dyn Store, to: &dyn Store) -> Result<usize, Trouble> {
    let accounts = from.accounts().await?;
    for account in &accounts {
        to.keep_account(account, &[]).await?;
        for play in from.play_of(&account.id).await? {
            to.keep_play(&play, PLAYS).await?;
        }
    }
    Ok(accounts.len())
}
