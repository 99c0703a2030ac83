//! Rules kept once and shared by every table that plays by them, also when they are read
//! back from the store years later; and what an operator should not overlook about them.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, MutexGuard, PoisonError, Weak};

use craps::{Library, Rulebook, Rules};
use craps_math::{Target, advantages};
use tokio::sync::Mutex;

use crate::config::TableConfig;
use crate::empty_meters;
use crate::hash::Hash;
use crate::log::{Queued, Written};
use crate::problem::Problem;
use crate::recent::Recent;
use crate::store::{RulebookText, Store, StoreError, Stored, edition};

/// So many rules are kept that nobody plays by at the moment.
const KEPT: usize = 64;

/// The rulebooks of the house, and the rules compiled from them that somebody plays by, or did
/// lately.
pub struct Shelf {
    library: Library,
    compiled: std::sync::Mutex<Compiled>,
    /// New rules are looked over one after the other, and not the same twice.
    looking: Mutex<()>,
    /// So are rules read back that many tables play by, which are opened together.
    recalling: Mutex<()>,
}

struct Compiled {
    played: HashMap<Hash, Played>,
    lately: Recent<Hash, Arc<Rules>>,
}

/// Rules that somebody plays by.
struct Played {
    rules: Weak<Rules>,
    /// A sentence for each wager that favours the player, once they have been looked over.
    advantages: Option<Arc<[String]>>,
}

impl Compiled {
    fn get(&mut self, hash: Hash) -> Option<Arc<Rules>> {
        self.lately.get(&hash).or_else(|| self.played.get(&hash)?.rules.upgrade())
    }

    fn keep(&mut self, rules: Rules) -> Arc<Rules> {
        let hash = Hash(rules.hash);
        let rules = self.get(hash).unwrap_or_else(|| Arc::new(rules));
        self.lately.keep(hash, Arc::clone(&rules));
        self.played.retain(|_, played| played.rules.strong_count() > 0);
        let fresh = || Played { rules: Arc::downgrade(&rules), advantages: None };
        self.played.entry(hash).or_insert_with(fresh);
        rules
    }

    fn advantages(&self, rules: &Rules) -> Option<Arc<[String]>> {
        self.played.get(&Hash(rules.hash))?.advantages.clone()
    }
}

impl Shelf {
    /// A shelf with these rulebooks to choose from.
    pub fn new(library: Library) -> Shelf {
        let compiled = Compiled { played: HashMap::new(), lately: Recent::of(KEPT) }.into();
        Shelf { library, compiled, looking: Mutex::default(), recalling: Mutex::default() }
    }

    /// The rulebooks to choose from.
    pub fn library(&self) -> &Library {
        &self.library
    }

    fn compiled(&self) -> MutexGuard<'_, Compiled> {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What an operator should not overlook about rules that are played by: meters that are no
    /// jackpot, and wagers that favour the player with their meters at the seed.
    pub fn warnings(&self, rules: &Rules) -> Vec<String> {
        let mut warnings = empty_meters::warnings(rules);
        if let Some(advantages) = self.compiled().advantages(rules) {
            warnings.extend(advantages.iter().cloned());
        }
        warnings
    }

    /// Whether somebody has looked for wagers of these rules that favour the player.
    pub fn is_looked_over(&self, rules: &Rules) -> bool {
        self.compiled().advantages(rules).is_some()
    }

    /// Looks for wagers that favour the player, where nobody has yet: before rules are played by.
    /// It takes as long as pricing every wager, so it is done off the threads that serve.
    pub async fn look_over(&self, rules: &Arc<Rules>) {
        let _turn = self.looking.lock().await;
        if self.is_looked_over(rules) {
            return;
        }
        let priced = Arc::clone(rules);
        let advantages = tokio::task::spawn_blocking(move || {
            let plain = |target: &Target| target.odds.is_none();
            let targets: Vec<Target> =
                Target::every_spot(&priced).into_iter().filter(plain).collect();
            advantages(&priced, &targets)
        });
        let advantages = advantages.await.unwrap_or_else(|panic| {
            let hash = Hash(rules.hash);
            tracing::error!(%hash, %panic, "the wagers of some rules cannot be priced");
            Vec::new()
        });
        if let Some(played) = self.compiled().played.get_mut(&Hash(rules.hash)) {
            played.advantages = Some(advantages.into());
        }
    }

    /// Compiles a configuration with today's rulebooks and keeps their texts in the store.
    pub async fn choose(
        &self,
        store: &dyn Store,
        config: TableConfig,
    ) -> Result<(Queued, Arc<Rules>), Problem> {
        config.check().map_err(|reason| Problem::invalid("bad-config", reason))?;
        let config = config.tidy();
        let rules = config
            .compile(&self.library)
            .map_err(|faults| Problem::invalid("bad-rules", faults.to_string()))?;
        let library: Vec<Hash> =
            self.library.rulebooks().iter().map(|rulebook| Hash(rulebook.hash())).collect();
        if let Some(why) = edition::waits(store, &library).await? {
            return Err(Problem::conflict("waits-for-nodes", why));
        }
        for (rulebook, hash) in self.library.rulebooks().iter().zip(library.iter().copied()) {
            let (file, text) = (rulebook.file().to_owned(), rulebook.text().to_owned());
            store.keep_rulebook(&RulebookText { hash, file, text }).await?;
        }
        let rules = self.compiled().keep(rules);
        let (rules_hash, old_meters) = (Hash(rules.hash), BTreeMap::new());
        let queued = Queued { config, library, rules: rules_hash, old_meters };
        store.set(&setting(queued.rules), Some(&queued.text())).await?;
        Ok((queued, rules))
    }

    /// The rules of this hash, where some table has ever played by them.
    pub async fn recall_hash(&self, store: &dyn Store, hash: Hash) -> Stored<Option<Arc<Rules>>> {
        if let Some(rules) = self.compiled().get(hash) {
            return Ok(Some(rules));
        }
        let Some(written) = store.setting(&setting(hash)).await? else { return Ok(None) };
        // A setting is nobody's proof: it must say what compiles to these very rules.
        let queued = Queued::read(&written).ok();
        let Some(queued) = queued.filter(|queued| queued.rules == hash) else {
            tracing::warn!(%hash, "the configuration of some rules cannot be read");
            return Ok(None);
        };
        self.recall(store, &queued).await.map(Some)
    }

    /// The rules of a configuration as it was recorded, from the texts in the store.
    pub async fn recall(&self, store: &dyn Store, queued: &Queued) -> Stored<Arc<Rules>> {
        if let Some(rules) = self.compiled().get(queued.rules) {
            return Ok(rules);
        }
        let _turn = self.recalling.lock().await;
        // Somebody else may have recalled them meanwhile.
        if let Some(rules) = self.compiled().get(queued.rules) {
            return Ok(rules);
        }
        let mut texts = Vec::new();
        for hash in &queued.library {
            let text = store.rulebook(*hash).await?;
            let missing = || StoreError::Damaged(format!("rulebook {hash} is missing"));
            texts.push(text.ok_or_else(missing)?);
        }
        let rules = compile(queued, &texts).map_err(StoreError::Damaged)?;
        Ok(self.compiled().keep(rules))
    }
}

/// A configuration is kept once for each rules that came of one, so that reports find them.
fn setting(rules: Hash) -> String {
    format!("rules/{rules}")
}

/// Compiles a recorded configuration from the texts it names, and checks that the rules are the
/// ones recorded.
pub fn compile(queued: &Queued, texts: &[RulebookText]) -> Result<Rules, String> {
    let mut rulebooks = Vec::new();
    for text in texts {
        let rulebook = Rulebook::parse(&text.file, &text.text);
        rulebooks.push(rulebook.map_err(|faults| faults.to_string())?);
    }
    let rules =
        queued.config.compile(&Library::of(rulebooks)).map_err(|faults| faults.to_string())?;
    match Hash(rules.hash) == queued.rules {
        true => Ok(rules),
        false => Err(format!(
            "the rules compile to {} and were recorded as {}",
            Hash(rules.hash),
            queued.rules
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_nobody_plays_by_are_forgotten_and_others_are_not() {
        let shelf = Shelf::new(Library::embedded());
        let rules = |max: i64| {
            let mut config = TableConfig::practice();
            let max = Some(craps::Cents(max));
            let pass = crate::config::WagerLimits { min: None, max, unit: None };
            config.limits.insert("pass".to_owned(), pass);
            config.compile(shelf.library()).unwrap()
        };
        let played = shelf.compiled().keep(rules(100_000));
        for number in 1..=KEPT as i64 + 5 {
            shelf.compiled().keep(rules(200_000 + number * 500));
        }
        let again = shelf.compiled().get(Hash(played.hash)).expect("somebody plays by them");
        assert!(Arc::ptr_eq(&played, &again));
        assert_eq!(shelf.compiled().played.len(), KEPT + 1);
    }
}
