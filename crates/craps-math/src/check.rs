//! What somebody who writes a rulebook wants to know of each wager before it is dealt: its words,
//! how many states it has, what it costs, what the house risks, and what looks odd.

use craps::catalogue::{Entry, catalogue};
use craps::rulebook::{Paytable, Rulebook};
use craps::wager::PaysKey;
use craps::{Cents, Library, Rules};

use crate::atlas::{rules_of, usable};
use crate::edge::Edge;
use crate::par::{Par, ParTerms};
use crate::price::Terms;
use crate::target::{Target, Unpriced};

/// One wager of a rulebook under one paytable, looked over.
#[derive(Clone, Debug)]
pub struct CheckedWager {
    /// The wager in words.
    pub entry: Entry,
    /// Each of its spots that can be bet on.
    pub spots: Vec<CheckedSpot>,
    /// What somebody should think about.
    pub warnings: Vec<String>,
}

/// A spot, looked over.
#[derive(Clone, Debug)]
pub struct CheckedSpot {
    /// How it is written: `place 6`.
    pub wager: String,
    /// How many states its smallest chain has; none for odds, which go with their flat bet.
    pub states: Option<usize>,
    /// What it is worth, or why nobody can say.
    pub edge: Result<Edge, Unpriced>,
    /// The most the house can lose on one roll to one bettor at the maximum, and that maximum.
    pub exposure: Option<(Cents, Cents)>,
}

/// Looks over every wager of a rulebook under every paytable it can be paid by. Side bets lie on
/// the default base game, and a meter without terms shows the suggested seed.
pub fn check(library: &Library, book: &Rulebook) -> Result<Vec<CheckedWager>, Unpriced> {
    let mut checked = Vec::new();
    let tables = usable(library, book).into_iter().map(Some);
    for table in std::iter::once(None).chain(tables) {
        let rules = rules_of(library, book, table)?;
        for entry in catalogue(&rules) {
            let by = table.map(|table: &Paytable| &table.name);
            if entry.rulebook == book.name && entry.paytable.as_ref() == by {
                checked.push(checked_wager(&rules, book, entry));
            }
        }
    }
    Ok(checked)
}

fn checked_wager(rules: &Rules, book: &Rulebook, entry: Entry) -> CheckedWager {
    let mut wager = CheckedWager { entry, spots: Vec::new(), warnings: Vec::new() };
    let name = wager.entry.wager.clone();
    let listed = book.wagers.iter().find(|listed| listed.name == name);
    let meter = listed.and_then(|listed| listed.shared.meter);
    if meter.is_some_and(|terms| terms.are_unset()) {
        let reason = format!("the meter of {name} has no terms; here it shows the suggested seed");
        wager.warnings.push(reason);
    }
    let mut sheets = Vec::new();
    for target in Target::every_spot(rules) {
        if rules.wager_at(target.spot).name != name || target.odds.is_some() {
            continue;
        }
        let meter = target.seed(rules).unwrap_or(Cents::ZERO);
        let edge = Edge::of(rules, &target, None, Terms { meter, bettors: 1 });
        wager.warnings.extend(edge.as_ref().ok().and_then(Edge::warning));
        let par = Par::of(rules, &target.name, ParTerms::default()).ok();
        let stake = rules.wager_at(target.spot).limits.least();
        let chain = target.chain(rules, stake).ok().filter(|_| par.is_some());
        let exposure = par.as_ref().map(|par| (par.exposure, par.maximum));
        let states = chain.map(|chain| chain.len());
        wager.spots.push(CheckedSpot { wager: target.name, states, edge, exposure });
        sheets.extend(par);
    }
    wager.warnings.extend(never_hit(rules, &name, &sheets));
    wager.warnings.extend(going_down(rules, &name));
    for flag in sheets.iter().flat_map(Par::flags) {
        // A player's edge has been told exactly.
        if !flag.contains("players have the edge") && !wager.warnings.contains(&flag) {
            wager.warnings.push(flag);
        }
    }
    wager
}

/// Awards that no sequence of rolls brings.
fn never_hit(rules: &Rules, wager: &str, sheets: &[Par]) -> Vec<String> {
    if sheets.is_empty() {
        return Vec::new();
    }
    let of = rules.awards().iter().filter(|award| rules.wager(award.wager).name == wager);
    let hit = |award: &&craps::spot::Award| {
        let mut awards = sheets.iter().flat_map(|par| &par.awards);
        awards.any(|known| known.event == award.event && known.due == award.due)
    };
    of.filter(|award| !hit(award))
        .map(|award| format!("{wager} can never win {} for {}", award.due, award.event))
        .collect()
}

/// Rungs of a ladder that pay less than the rung below them.
fn going_down(rules: &Rules, wager: &str) -> Vec<String> {
    let Some(id) = rules.wager_named(wager) else { return Vec::new() };
    let wager = rules.wager(id);
    let craps::wager::PaysBy::Key(dues) = &wager.pays else { return Vec::new() };
    if !wager.shape.is_tracked() {
        return Vec::new();
    }
    let mut rungs: Vec<_> = dues
        .iter()
        .filter_map(|(key, due)| match (key, due) {
            (PaysKey::Number(rung), craps::wager::Due::Pays(pays)) => {
                Some((*rung, i64::from(pays.num) * 1_000 / i64::from(pays.den), due))
            }
            (PaysKey::Number(rung), craps::wager::Due::Dollars(amount)) => {
                Some((*rung, amount.0 * 10, due))
            }
            _ => None,
        })
        .collect();
    rungs.sort_by_key(|(rung, ..)| *rung);
    let lower = rungs.windows(2).filter(|pair| pair[1].1 < pair[0].1);
    let sentence = |pair: &[(u8, i64, &craps::wager::Due)]| {
        let [(below, _, more), (rung, _, less)] = pair else { unreachable!("windows of two") };
        format!("{} pays {less} for {rung} and more, {more}, for {below}", wager.name)
    };
    lower.map(sentence).collect()
}
