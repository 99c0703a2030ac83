//! The rules as they were: compiled again from the texts that were kept, once for each way a
//! table was ever set up.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use craps::Rules;

use super::Source;
use crate::hash::Hash;
use crate::log::{Proposal, Queued, TableEntry, Written};
use crate::shelf::compile;
use crate::store::{RulebookText, StoreError, Stored};

/// Rules compiled so far, by the whole of what they were compiled from: a record that names the
/// hash of known rules beside another configuration does not get by.
#[derive(Default)]
pub(super) struct Compiled {
    known: HashMap<Hash, Result<Arc<Rules>, String>>,
}

impl Compiled {
    /// The rules of a configuration, or why it is not what was recorded.
    pub(super) async fn of(
        &mut self,
        source: Source<'_>,
        queued: &Queued,
    ) -> Stored<Result<Arc<Rules>, String>> {
        let key = Hash::of(queued.text().as_bytes());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let rules = read(source, key, queued).await?;
        self.known.insert(key, rules.clone());
        Ok(rules)
    }
}

/// Rules that any audit of this process has compiled, by what they were compiled from: the
/// configuration, and the hashes of texts that every audit looks up for itself.
static SHARED: Mutex<BTreeMap<[u8; 32], Arc<Rules>>> = Mutex::new(BTreeMap::new());
/// So many are remembered.
const REMEMBERED: usize = 32;

fn compiled(key: Hash, queued: &Queued, texts: &[RulebookText]) -> Result<Arc<Rules>, String> {
    let shared = || SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(rules) = shared().get(&key.0) {
        return Ok(Arc::clone(rules));
    }
    let rules = Arc::new(compile(queued, texts)?);
    let mut shared = shared();
    if shared.len() >= REMEMBERED {
        shared.clear();
    }
    shared.insert(key.0, Arc::clone(&rules));
    Ok(rules)
}

async fn read(
    source: Source<'_>,
    key: Hash,
    queued: &Queued,
) -> Stored<Result<Arc<Rules>, String>> {
    let mut texts = Vec::new();
    for hash in &queued.library {
        match source.rulebook(*hash).await {
            Ok(Some(text)) if Hash::of(text.text.as_bytes()) == *hash => texts.push(text),
            Ok(Some(_)) => return Ok(Err(format!("rulebook {hash} is not the text it was"))),
            Ok(None) => return Ok(Err(format!("rulebook {hash} is missing"))),
            Err(StoreError::Damaged(reason)) => return Ok(Err(reason)),
            Err(error) => return Err(error),
        }
    }
    Ok(compiled(key, queued, &texts))
}

/// The configuration a record brings, if it brings one.
pub(super) fn brought(entry: &TableEntry) -> Option<Queued> {
    match entry {
        TableEntry::Opened { config, library, rules } => {
            let (config, library, old_meters) = (config.clone(), library.clone(), BTreeMap::new());
            Some(Queued { config, library, rules: *rules, old_meters })
        }
        TableEntry::Proposed { proposal: Proposal::Configure { queued, .. }, .. }
        | TableEntry::Agreed { queued: Some(queued), .. }
        | TableEntry::Queued { queued } => Some(queued.clone()),
        TableEntry::Played { .. }
        | TableEntry::GivenUp { .. }
        | TableEntry::Committed { .. }
        | TableEntry::Checked { .. }
        | TableEntry::Confirmed { .. }
        | TableEntry::Done { .. }
        | TableEntry::Linked { .. }
        | TableEntry::Identified { .. }
        | TableEntry::Proposed { .. }
        | TableEntry::Withdrawn { .. }
        | TableEntry::Agreed { .. } => None,
    }
}
