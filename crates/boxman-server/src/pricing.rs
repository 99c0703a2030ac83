//! The house mathematician: what wagers and paytables are worth, solved in the background by a
//! few at a time and remembered for whoever asks next. Nothing is computed here that the command
//! line computes another way: both ask `craps_math`.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use craps::library::split_option;
use craps::{Cents, Library, Rules};
use craps_math::{Atlas, Edge, Par, ParTerms, Target, Terms};
use craps_report::AtlasPage;
pub use craps_report::WagerEdge;

use crate::hash::Hash;
use crate::problem::Problem;
use crate::recent::Recent;
use crate::turns::Turns;

/// So many questions are worked on at once.
const AT_WORK: usize = 2;
/// So many may wait for their turn.
const WAITING: usize = 16;

/// Which sheets, and what they are made for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SheetsAsked {
    /// The paytables.
    pub paytables: Vec<String>,
    /// `NAME=VALUE`.
    pub options: Vec<String>,
    /// What one player bets.
    pub unit: Option<Cents>,
    /// What the meter shows.
    pub meter: Option<Cents>,
    /// How many have the bet up.
    pub bettors: u8,
}

/// The rulebooks and the options.
type RulesKey = (Vec<String>, Vec<String>);
/// The rules, the wager, the stake and what its meter shows.
type EdgeKey = (Hash, String, Option<Cents>, Option<Cents>);

/// What has been asked lately, and where the rest is worked out and written.
pub struct Pricing {
    /// Where wagers and paytables are solved.
    pub solving: Turns,
    /// Where sheets that have been solved are written: nobody waits for a solution there.
    pub writing: Turns,
    rules: Mutex<Recent<RulesKey, Arc<Rules>>>,
    edges: Mutex<Recent<EdgeKey, WagerEdge>>,
    sheets: Mutex<Recent<SheetsAsked, Arc<Vec<Par>>>>,
    /// A house's rulebooks are the same until it is started anew.
    atlas: OnceLock<Arc<AtlasPage>>,
}

impl Default for Pricing {
    fn default() -> Pricing {
        let turns = || Turns::new(AT_WORK, WAITING, "too much is being priced, try again");
        Pricing {
            solving: turns(),
            writing: turns(),
            rules: Mutex::new(Recent::of(32)),
            edges: Mutex::new(Recent::of(4_096)),
            sheets: Mutex::new(Recent::of(128)),
            atlas: OnceLock::new(),
        }
    }
}

impl Pricing {
    /// The rules these rulebooks and options make, or every fault they have.
    pub fn rules(
        &self,
        library: &Library,
        rulebooks: &[String],
        options: &[String],
    ) -> Result<Arc<Rules>, Problem> {
        if let Some(rules) = self.known_rules(rulebooks, options) {
            return Ok(rules);
        }
        let bad =
            |faults: craps::rulebook::Faults| Problem::new(400, "bad-rules", faults.to_string());
        let mut chosen = Vec::new();
        for text in rulebooks {
            chosen.push(library.choose(text).map_err(bad)?);
        }
        let rules = Rules::compile(library, &library.over_base(chosen), &split(options)?);
        let rules = Arc::new(rules.map_err(bad)?);
        let key = (rulebooks.to_vec(), options.to_vec());
        lock(&self.rules).keep(key, Arc::clone(&rules));
        Ok(rules)
    }

    /// The rules these rulebooks and options make, where they have been asked for lately.
    pub fn known_rules(&self, rulebooks: &[String], options: &[String]) -> Option<Arc<Rules>> {
        lock(&self.rules).get(&(rulebooks.to_vec(), options.to_vec()))
    }

    /// Every wager of these rules, priced at `stake` or in exact ratios; `meter` says what a
    /// paytable's meter shows, and is its seed where it says nothing.
    pub fn edges(
        &self,
        rules: &Rules,
        stake: Option<Cents>,
        meter: impl Fn(&str) -> Option<Cents>,
    ) -> Vec<WagerEdge> {
        let priced = |target: &Target| {
            let key = edge_key(rules, target, stake, &meter);
            if let Some(known) = lock(&self.edges).get(&key) {
                return known;
            }
            let meter = key.3;
            let terms = Terms { meter: meter.unwrap_or(Cents::ZERO), bettors: 1 };
            let edge = Edge::of(rules, target, stake, terms);
            let edge = WagerEdge::of(rules, target, stake, meter, edge.as_ref());
            lock(&self.edges).keep(key, edge.clone());
            edge
        };
        Target::every_spot(rules).iter().map(priced).collect()
    }

    /// The same, where every one of them is known already.
    pub fn known_edges(
        &self,
        rules: &Rules,
        stake: Option<Cents>,
        meter: impl Fn(&str) -> Option<Cents>,
    ) -> Option<Vec<WagerEdge>> {
        let mut edges = lock(&self.edges);
        let known = |target: &Target| edges.get(&edge_key(rules, target, stake, &meter));
        Target::every_spot(rules).iter().map(known).collect()
    }

    /// The sheets asked for, at the usual number of rolls an hour: it changes nothing else on
    /// them.
    pub fn sheets(&self, library: &Library, asked: &SheetsAsked) -> Result<Arc<Vec<Par>>, Problem> {
        if let Some(sheets) = self.known_sheets(asked) {
            return Ok(sheets);
        }
        let paytables: Vec<&str> = asked.paytables.iter().map(String::as_str).collect();
        let &SheetsAsked { unit, meter, bettors, .. } = asked;
        let terms = ParTerms { unit, meter, bettors, ..ParTerms::default() };
        let sheets = Par::of_paytables(library, &paytables, terms, &split(&asked.options)?)
            .map_err(|error| Problem::new(400, "unpriced", error.to_string()))?;
        let sheets = Arc::new(sheets);
        lock(&self.sheets).keep(asked.clone(), Arc::clone(&sheets));
        Ok(sheets)
    }

    /// The same, where they are known already.
    pub fn known_sheets(&self, asked: &SheetsAsked) -> Option<Arc<Vec<Par>>> {
        lock(&self.sheets).get(asked)
    }
}

impl Pricing {
    /// Every wager of every rulebook of the house; worked out once, whoever asks meanwhile waits.
    pub fn atlas(&self, library: &Library) -> Arc<AtlasPage> {
        let page = || {
            let (atlas, published) = (Atlas::whole(library), craps_report::published());
            let rolls = ParTerms::ROLLS_PER_HOUR;
            Arc::new(craps_report::atlas_page(library, &atlas, &published, rolls))
        };
        Arc::clone(self.atlas.get_or_init(page))
    }

    /// The same, where it is known already.
    pub fn known_atlas(&self) -> Option<Arc<AtlasPage>> {
        self.atlas.get().cloned()
    }
}

/// What an edge is remembered by.
fn edge_key(
    rules: &Rules,
    target: &Target,
    stake: Option<Cents>,
    meter: impl Fn(&str) -> Option<Cents>,
) -> EdgeKey {
    let paytable = rules.wager_at(target.spot).paytable.as_deref();
    let shown = target.seed(rules).map(|seed| paytable.and_then(meter).unwrap_or(seed));
    (Hash(rules.hash), target.name.clone(), stake, shown)
}

fn split(options: &[String]) -> Result<Vec<(String, String)>, Problem> {
    let bad = |reason: String| Problem::new(400, "bad-rules", reason);
    options.iter().map(|option| split_option(option).map_err(bad)).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
