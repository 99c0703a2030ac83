//! Which edition of the log is written, where nodes of several versions of the program share it.
//!
//! A later version of the program may know kinds of records, and words of rulebooks, that an
//! earlier one does not. Each such set of them is an edition. While nodes are upgraded one after
//! the other the log stays in the edition that all of them read; when the last one is new, whoever
//! runs them raises it.

use super::{NodeRow, Pits, Store, StoreError, Stored};
use crate::hash::Hash;

/// The newest edition that this program reads, and writes into a store of its own.
///
/// 1: the wagers of the first four rulebooks. 2: side bets that hear more than totals, hops, put
/// come bets, vig tables, and what a hand stores of them. 3: dealing procedures, with rounds, kinds
/// of buy-in and cash-out, work lists, checklists of claims, lines of requests, limits of the day,
/// players' money that moves between meters or is kept, and mends of earlier rolls.
pub const NEWEST: i64 = 3;

/// The setting that keeps it; a database without one is of the first edition.
pub(super) const EDITION: &str = "edition";

/// The edition that is written into a store.
pub async fn written(store: &dyn Store) -> Stored<i64> {
    if store.shared().is_none() {
        return Ok(NEWEST);
    }
    let Some(kept) = store.setting(EDITION).await? else { return Ok(1) };
    kept.parse().map_err(|_| StoreError::Damaged(format!("its edition is `{kept}`, no number")))
}

/// Why rulebooks may not be kept in a store yet: an earlier version of the program may not be able
/// to read them, and reads those that are there already.
pub async fn waits(store: &dyn Store, rulebooks: &[Hash]) -> Stored<Option<String>> {
    let written = written(store).await?;
    if written >= NEWEST {
        return Ok(None);
    }
    let known = store.rulebooks().await?;
    Ok(rulebooks.iter().any(|hash| !known.contains(hash)).then(|| {
        format!(
            "rulebooks of this version of the program wait until every node is of this version: \
             then `boxman migrate postgres://… --edition {NEWEST}` (it is {written} now)"
        )
    }))
}

/// Why a node may not use a store, where it cannot read what others write there.
pub(super) async fn check(store: &dyn Store) -> Stored<()> {
    match written(store).await? {
        written if written <= NEWEST => Ok(()),
        written => Err(StoreError::Down(format!(
            "its log is written in edition {written}, and this version of the program reads up to \
             {NEWEST}: start a later one"
        ))),
    }
}

/// Has a later edition written from now on. Says why not, where a node is up that does not read
/// it.
pub async fn raise(store: &dyn Pits, to: i64) -> Stored<Result<(), String>> {
    if to > NEWEST {
        return Ok(Err(format!("this version of the program knows editions up to {NEWEST}")));
    }
    let before = store.setting(EDITION).await?;
    let written = written(store).await?;
    if to < written {
        return Ok(Err(format!("it is edition {written} already, and none is taken back")));
    }
    if let Some(why) = behind(&store.nodes().await?, to) {
        return Ok(Err(why));
    }
    if !store.exchange(EDITION, before.as_deref(), &to.to_string()).await? {
        return Ok(Err("somebody else is changing it, try again".to_owned()));
    }
    // A node that has entered meanwhile looks at the edition afterwards, and this looks at the
    // nodes after having set it: one of the two sees the other.
    let Some(why) = behind(&store.nodes().await?, to) else { return Ok(Ok(())) };
    store.exchange(EDITION, Some(&to.to_string()), &written.to_string()).await?;
    Ok(Err(why))
}

fn behind(nodes: &[NodeRow], edition: i64) -> Option<String> {
    let node = nodes.iter().find(|node| node.reads < edition)?;
    Some(format!(
        "node {} (version {}) reads up to edition {}: upgrade it first, or evict it",
        node.identity.name, node.version, node.reads
    ))
}
