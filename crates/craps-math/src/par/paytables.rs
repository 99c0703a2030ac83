//! Paytables by name: where each is found, and the sheets of the bets it prices.

use craps::{Library, Rules};

use super::{Par, ParTerms};
use crate::target::Unpriced;

/// The paytables of the library, with the rulebook each is in.
pub fn paytables(library: &Library) -> Vec<(String, String)> {
    let books = library.rulebooks().iter();
    books
        .flat_map(|book| book.paytables.iter().map(|table| (table.name.clone(), book.name.clone())))
        .collect()
}

impl Par {
    /// The sheets of every bet these paytables price, on the default base game. An option is for
    /// the paytables whose rulebook has it; one that none has is refused.
    pub fn of_paytables(
        library: &Library,
        paytables: &[&str],
        terms: ParTerms,
        options: &[(String, String)],
    ) -> Result<Vec<Par>, Unpriced> {
        terms.check()?;
        let mut pars = Vec::new();
        let mut unused: Vec<usize> = (0..options.len()).collect();
        for paytable in paytables {
            let mut books = library.rulebooks().iter();
            let found = books.find(|book| book.paytable(paytable).is_some());
            let rulebook = found.ok_or_else(|| no_such_paytable(library, paytable))?;
            let chosen = library.over_base(vec![craps::rules::Chosen {
                rulebook: rulebook.clone(),
                paytables: Some(vec![(*paytable).to_owned()]),
            }]);
            let mut known = Vec::new();
            for (place, option) in options.iter().enumerate() {
                let has = |choice: &craps::rules::Chosen| {
                    choice.rulebook.with_option(&option.0, &option.1).is_some()
                };
                if chosen.iter().any(has) {
                    unused.retain(|unused| *unused != place);
                    known.push(option.clone());
                }
            }
            pars.extend(sheets(library, &chosen, paytable, terms, known)?);
        }
        if let Some(place) = unused.first() {
            let name = &options[*place].0;
            return Err(Unpriced::Stake(format!(
                "none of these paytables has the option `{name}`"
            )));
        }
        if terms.meter.is_some() && pars.iter().all(|par: &Par| par.meter.is_none()) {
            let reason = "none of these paytables has a meter, leave it out";
            return Err(Unpriced::Stake(reason.to_owned()));
        }
        Ok(pars)
    }
}

/// The paytables a misspelt one may have meant: those it begins, or the closest.
fn no_such_paytable(library: &Library, name: &str) -> Unpriced {
    let names: Vec<String> = paytables(library).into_iter().map(|(name, _)| name).collect();
    let upper = name.to_uppercase();
    let begun = |known: &&String| name.len() >= 2 && known.contains(&upper);
    let mut nearest: Vec<String> = names.iter().filter(begun).cloned().collect();
    if nearest.is_empty() {
        let closest = craps::did_you_mean::nearest(name, names.iter().map(String::as_str));
        nearest.extend(closest.map(str::to_owned));
    }
    Unpriced::NoSuchPaytable { name: name.to_owned(), nearest }
}

/// The sheets of one paytable.
fn sheets(
    library: &Library,
    chosen: &[craps::rules::Chosen],
    paytable: &str,
    terms: ParTerms,
    mut options: Vec<(String, String)>,
) -> Result<Vec<Par>, Unpriced> {
    let rulebook = &chosen.last().expect("a paytable's rulebook is chosen").rulebook;
    let table = rulebook.paytable(paytable).expect("it was found by it");
    for wager in &rulebook.wagers {
        let priced = table.entries.iter().any(|entry| entry.wager == wager.name);
        let based = wager.shape.is_tracked() && wager.limits.max == Some(wager.limits.min);
        if let (true, true, Some(unit)) = (priced, based, terms.unit) {
            options.push((format!("{}.base", wager.name), unit.to_string()));
        }
    }
    let rules = Rules::compile(library, chosen, &options)
        .map_err(|faults| Unpriced::Stake(faults.to_string()))?;
    let mut pars = Vec::new();
    for entry in &table.entries {
        let Some(wager) = rules.wager_named(&entry.wager) else { continue };
        for spot in rules.spots_of(wager) {
            let rule = rules.spot_rule(spot);
            if rule.direct && rule.flat.is_none() {
                pars.push(Par::of(&rules, &rule.notation, terms)?);
            }
        }
    }
    Ok(pars)
}
