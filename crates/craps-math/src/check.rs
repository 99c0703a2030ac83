//! What somebody who writes a rulebook wants to know of each wager before it is dealt: its words,
//! how many states it has, what it costs, what the house risks, and what looks odd.

use craps::catalogue::{Entry, catalogue};
use craps::rulebook::{Fault, Paytable, Rulebook};
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

/// A rulebook, looked over.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The base game that side bets were laid on.
    pub table: Option<String>,
    /// Every wager under every paytable it can be paid by.
    pub wagers: Vec<CheckedWager>,
    /// What is legal but odd about what was written, with its place.
    pub odd: Vec<Fault>,
    /// Wagers that could be dealt and that nobody can price, with their place.
    pub faults: Vec<Fault>,
}

/// Looks over every wager of a rulebook under every paytable it can be paid by. Side bets lie on
/// the default base game, and a meter without terms shows the suggested seed.
pub fn check(library: &Library, book: &Rulebook) -> Result<Checked, Unpriced> {
    let mut checked = Checked::default();
    let tables = usable(library, book).into_iter().map(Some);
    for table in std::iter::once(None).chain(tables) {
        let rules = rules_of(library, book, table)?;
        checked.table = rules.rulebooks.first().map(|(base, _)| base.clone());
        for odd in rules.warnings.iter().filter(|odd| odd.file == book.file()) {
            if !checked.odd.contains(odd) {
                checked.odd.push(odd.clone());
            }
        }
        for entry in catalogue(&rules) {
            let by = table.map(|table: &Paytable| &table.name);
            if entry.rulebook == book.name && entry.paytable.as_ref() == by {
                let wager = checked_wager(&rules, book, entry, &mut checked.faults);
                checked.wagers.push(wager);
            }
        }
    }
    Ok(checked)
}

fn checked_wager(
    rules: &Rules,
    book: &Rulebook,
    entry: Entry,
    faults: &mut Vec<Fault>,
) -> CheckedWager {
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
        if let Err(error @ Unpriced::TooManyStates { .. }) = &edge {
            let at = book.pays_at(&name, wager.entry.paytable.as_deref());
            faults.push(Fault { file: book.file().to_owned(), at, reason: error.to_string() });
            // It took a while to find out, and its other numbers would take as long.
            break;
        }
        wager.warnings.extend(edge.as_ref().ok().and_then(Edge::warning));
        wager.warnings.extend(edge.as_ref().map(Edge::notes).unwrap_or_default());
        let par = Par::of(rules, &target.name, ParTerms::default()).ok();
        let stake = rules.wager_at(target.spot).limits.least();
        let chain = target.chain(rules, stake).ok().filter(|_| par.is_some());
        let exposure = par.as_ref().map(|par| (par.exposure, par.maximum));
        let states = chain.map(|chain| chain.len());
        wager.spots.push(CheckedSpot { wager: target.name, states, edge, exposure });
        sheets.extend(par);
    }
    for flag in sheets.iter().flat_map(Par::flags) {
        // A player's edge has been told exactly.
        if !flag.contains("players have the edge") && !wager.warnings.contains(&flag) {
            wager.warnings.push(flag);
        }
    }
    wager
}
