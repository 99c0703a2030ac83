//! The rules as they were: compiled again from the texts that were kept, once for each way a
//! table was ever set up.

use std::collections::HashMap;
use std::sync::Arc;

use craps::Rules;

use super::Source;
use crate::log::{Hash, Proposal, Queued, TableEntry};
use crate::shelf::compile;
use crate::store::{StoreError, Stored};

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
        let text = serde_json::to_string(queued).expect("a configuration is plain data");
        let key = Hash::of(text.as_bytes());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let rules = read(source, queued).await?;
        self.known.insert(key, rules.clone());
        Ok(rules)
    }
}

async fn read(source: Source<'_>, queued: &Queued) -> Stored<Result<Arc<Rules>, String>> {
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
    Ok(compile(queued, &texts).map(Arc::new))
}

/// The configuration a record brings, if it brings one.
pub(super) fn brought(entry: &TableEntry) -> Option<Queued> {
    match entry {
        TableEntry::Opened { config, library, rules } => {
            Some(Queued { config: config.clone(), library: library.clone(), rules: *rules })
        }
        TableEntry::Proposed { proposal: Proposal::Configure { queued, .. }, .. }
        | TableEntry::Agreed { queued: Some(queued), .. }
        | TableEntry::Queued { queued } => Some(queued.clone()),
        TableEntry::Played { .. }
        | TableEntry::GivenUp { .. }
        | TableEntry::Committed { .. }
        | TableEntry::Proposed { .. }
        | TableEntry::Withdrawn { .. }
        | TableEntry::Agreed { .. } => None,
    }
}
