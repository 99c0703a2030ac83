//! The atlas: every wager of every rulebook under every paytable it can be paid by, priced alike,
//! so that houses can be compared.
//!
//! Base games are priced alone, side bets on the default base game. A progressive is priced with
//! its meter at the suggested seed, because its rulebook leaves the terms to the house.

use craps::rulebook::{Kind, Paytable, Rulebook};
use craps::rules::Chosen;
use craps::{Cents, Library, MeterTerms, Rules};

use crate::chance::{Ratio, whole};
use crate::edge::Edge;
use crate::price::Terms;
use crate::target::{Target, Unpriced};

/// One wager of the atlas.
#[derive(Clone, Debug)]
pub struct Charted {
    /// The rulebook it is in.
    pub rulebook: String,
    /// The paytable it is paid by, where there is a choice.
    pub paytable: Option<String>,
    /// How it is written: `place 6`, `pass+odds max`.
    pub wager: String,
    /// How it is called: `Place 6`.
    pub title: String,
    /// What it is worth, or why nobody can say.
    pub edge: Result<Edge, Unpriced>,
}

impl Charted {
    /// What a dollar that is always up costs in an hour of so many rolls.
    pub fn edge_per_hour(&self, rolls_per_hour: u32) -> Option<Ratio> {
        let edge = self.edge.as_ref().ok()?;
        Some(edge.edge_per_roll() * whole(i64::from(rolls_per_hour)))
    }
}

/// Wagers of several rulebooks, in the order of these.
#[derive(Clone, Debug)]
pub struct Atlas {
    /// Every wager.
    pub wagers: Vec<Charted>,
}

/// What an atlas is put in order by, the smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The edge.
    Edge,
    /// The standard deviation.
    Deviation,
    /// The chance of an award, one of 1 for 1 among them.
    Hit,
    /// Rolls to a decision.
    Rolls,
    /// The edge for each roll.
    PerRoll,
}

impl Atlas {
    /// Every wager of the whole library.
    pub fn whole(library: &Library) -> Atlas {
        let all = |rulebook: &Rulebook| Chosen { rulebook: rulebook.clone(), paytables: None };
        Atlas::of(library, &library.rulebooks().iter().map(all).collect::<Vec<_>>())
    }

    /// Every wager of these rulebooks: under the paytables named, or under each that its rulebook
    /// may use.
    ///
    /// ```
    /// use craps::Library;
    /// use craps_math::{Atlas, fraction};
    ///
    /// let library = Library::embedded();
    /// let chosen = library.choose("super-shooter:SS-LB-2").unwrap();
    /// let atlas = Atlas::of(&library, &[chosen]);
    /// assert_eq!(atlas.wagers[0].wager, "little");
    /// assert_eq!(fraction(&atlas.wagers[0].edge.as_ref().unwrap().edge()), "1687/21736");
    /// ```
    pub fn of(library: &Library, chosen: &[Chosen]) -> Atlas {
        let mut wagers = Vec::new();
        for choice in chosen {
            let book = &choice.rulebook;
            if choice.paytables.is_none() {
                wagers.extend(chart(library, book, None));
            }
            for table in usable(library, book) {
                let named = choice.paytables.as_ref();
                if named.is_none_or(|named| named.contains(&table.name)) {
                    wagers.extend(chart(library, book, Some(table)));
                }
            }
        }
        Atlas { wagers }
    }

    /// Only the wagers that hold every word in their names, paytable or rulebook.
    #[must_use]
    pub fn filtered(mut self, words: &[String]) -> Atlas {
        let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        self.wagers.retain(|charted| {
            let paytable = charted.paytable.as_deref().unwrap_or_default();
            let Charted { rulebook, wager, title, .. } = charted;
            let text = format!("{rulebook} {paytable} {wager} {title}").to_lowercase();
            words.iter().all(|word| text.contains(word))
        });
        self
    }

    /// In order of a figure, the smallest first; what has none comes last, and equals keep their
    /// places.
    #[must_use]
    pub fn sorted(mut self, order: Order) -> Atlas {
        let figure = |edge: &Edge| match order {
            Order::Edge => edge.edge(),
            // The variance is in the same order, and exact.
            Order::Deviation => edge.variance.clone(),
            Order::Hit => edge.hit.clone(),
            Order::Rolls => edge.rolls.clone(),
            Order::PerRoll => edge.edge_per_roll(),
        };
        self.wagers.sort_by_cached_key(|charted| match &charted.edge {
            Ok(edge) => (false, figure(edge)),
            Err(_) => (true, Ratio::ZERO),
        });
        self
    }
}

/// The paytables that can price wagers of a rulebook: its own, and those it borrows.
pub(crate) fn usable<'a>(library: &'a Library, book: &'a Rulebook) -> Vec<&'a Paytable> {
    let lent = book.paytables_from.iter().filter_map(|name| library.rulebook(name));
    let prices = |table: &&Paytable| {
        let knows = |name: &str| book.wagers.iter().any(|wager| wager.name == name);
        table.entries.iter().any(|entry| knows(&entry.wager))
    };
    book.paytables.iter().chain(lent.flat_map(|other| &other.paytables)).filter(prices).collect()
}

/// A rulebook compiled with one paytable on offer, or with none; its meters stand at the suggested
/// seed where nobody has set their terms.
pub(crate) fn rules_of(
    library: &Library,
    book: &Rulebook,
    paytable: Option<&Paytable>,
) -> Result<Rules, Unpriced> {
    let paytables = Some(paytable.iter().map(|table| table.name.clone()).collect());
    let chosen = Chosen { rulebook: book.clone(), paytables };
    let chosen = match book.kind {
        Kind::Base => vec![chosen],
        Kind::Side => library.over_base(vec![chosen]),
    };
    let compiled = |options: &[(String, String)]| {
        Rules::compile(library, &chosen, options)
            .map_err(|faults| Unpriced::Stake(faults.to_string()))
    };
    let rules = compiled(&[])?;
    let unset = |rules: &Rules| -> Vec<(String, String)> {
        let without = rules.meters().iter().filter(|meter| meter.terms.are_unset());
        let name = |meter: &craps::rules::MeterRule| rules.wager(meter.wager).name.clone();
        without.flat_map(|meter| MeterTerms::suggested(&name(meter))).collect()
    };
    match unset(&rules) {
        options if options.is_empty() => Ok(rules),
        options => compiled(&options),
    }
}

/// The wagers of a rulebook that are paid by one paytable, or by none.
fn chart(library: &Library, book: &Rulebook, paytable: Option<&Paytable>) -> Vec<Charted> {
    let rules = match rules_of(library, book, paytable) {
        Ok(rules) => rules,
        Err(why) => return kept_off(book, paytable, &why),
    };
    let by = paytable.map(|table| &table.name);
    let mut wagers = Vec::new();
    for target in Target::every_spot(&rules) {
        let wager = rules.wager_at(target.spot);
        if wager.rulebook != book.name || wager.paytable.as_ref() != by {
            continue;
        }
        let meter = target.seed(&rules).unwrap_or(Cents::ZERO);
        wagers.push(Charted {
            rulebook: book.name.clone(),
            paytable: wager.paytable.clone(),
            title: target.title(&rules),
            wager: target.name.clone(),
            edge: Edge::of(&rules, &target, None, Terms { meter, bettors: 1 }),
        });
    }
    wagers
}

/// The wagers of a rulebook that no table can be opened on, with the reason.
fn kept_off(book: &Rulebook, paytable: Option<&Paytable>, why: &Unpriced) -> Vec<Charted> {
    let priced = |wager: &&craps::rulebook::Listed| match paytable {
        None => wager.pays.is_some(),
        Some(table) => table.entries.iter().any(|entry| entry.wager == wager.name),
    };
    let charted = |wager: &craps::rulebook::Listed| Charted {
        rulebook: book.name.clone(),
        paytable: paytable.map(|table| table.name.clone()),
        wager: wager.name.clone(),
        title: wager.title.clone(),
        edge: Err(why.clone()),
    };
    book.wagers.iter().filter(priced).map(charted).collect()
}
