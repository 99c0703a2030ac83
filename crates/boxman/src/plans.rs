//! Where plans come from: by name from those that come with the program, by path from the disk.

use std::cell::Cell;
use std::sync::Arc;

use craps::did_you_mean::{hint, nearest};
use craps::library::split_option;
use craps::machine::{Desk, Explored, Player, Unexplored, explore};
use craps::{Cents, Library, Rules};
use craps_plan::{Fault, Memory, Plan, READY, ready, situation};
use craps_report::Played;

use crate::shelf::RulesArgs;
use crate::waiting::Waiting;

/// The most positions a plan is explored to where nobody says.
const POSITIONS: usize = 200_000;

/// How plans are played.
#[derive(clap::Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    rules: RulesArgs,
    /// Set a param of every plan, such as unit=25; of one plan behind its name, as in pass:unit=25
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// What a progressive meter pays, by its paytable (its seed if left out)
    #[arg(long = "meter", value_name = "NAME=DOLLARS")]
    meters: Vec<String>,
}

/// A plan and the table it is played at.
pub(crate) struct Seated {
    pub(crate) plan: Plan,
    pub(crate) rules: Arc<Rules>,
    pub(crate) meters: Vec<Cents>,
    /// The rulebooks, as they were named.
    pub(crate) rulebooks: Vec<String>,
    /// The options set, the plan's own first.
    pub(crate) options: Vec<String>,
}

impl PlanArgs {
    /// The plan of this name or path, with params of its own behind a colon (`pass:unit=25`), at
    /// its own rules where none are named.
    pub(crate) fn seat(&self, named: &str) -> Result<Seated, String> {
        let (name, own) = settings(named)?;
        let text = source(name)?;
        let set = self.set.iter().map(|set| split_option(set)).collect::<Result<Vec<_>, _>>()?;
        // What is set last counts, so that a plan's own go before those of all.
        let set = [set, own].concat();
        let plan = Plan::parse(name, &text, &set).map_err(|fault| fault.to_string())?;
        let header = plan.header();
        let own = self.rules.rules.is_empty();
        let rules = if own { header.rules.clone() } else { self.rules.rules.clone() };
        let needed = if own { header.options.as_slice() } else { &[] };
        let options = [needed, &self.rules.options].concat();
        let picked = RulesArgs { rules, options };
        let rules = picked.pick(&Library::embedded())?.rules;
        let meters = self.meters(&rules)?;
        let RulesArgs { rules: rulebooks, options } = picked;
        Ok(Seated { plan, rules: Arc::new(rules), meters, rulebooks, options })
    }

    fn meters(&self, rules: &Rules) -> Result<Vec<Cents>, String> {
        let mut amounts: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
        for text in &self.meters {
            let (name, amount) = split_option(text)?;
            let place = rules.meters().iter().position(|meter| meter.name == name);
            let place = place.ok_or_else(|| {
                let near = nearest(&name, rules.meters().iter().map(|meter| meter.name.as_str()));
                format!("no meter `{name}` hangs at this table{}", hint(near))
            })?;
            let amount: Cents = amount.parse().map_err(|error| format!("--meter: {error}"))?;
            if amount < Cents::ZERO {
                return Err("a meter shows no less than nothing".to_owned());
            }
            amounts[place] = amount;
        }
        Ok(amounts)
    }
}

impl Seated {
    /// What it is played with, for a report.
    pub(crate) fn played(&self) -> Played {
        let Seated { plan, rules, meters, options, .. } = self;
        let named = rules.meters().iter().map(|meter| meter.name.clone());
        let params = plan.params().iter();
        Played {
            about: plan.header().summary().to_owned(),
            params: params.map(|param| (param.name.clone(), param.value.to_string())).collect(),
            rules: rules.name.clone(),
            rules_hash: rules.hash,
            options: options.clone(),
            meters: named.zip(meters.iter().copied()).collect(),
        }
    }

    /// Every position of the plan; whoever waits for long is told how far it has come.
    pub(crate) fn explore(&self) -> Result<Explored<Memory>, String> {
        let waiting = Waiting::new();
        let tell = |asked: u64| {
            let name = self.plan.name();
            waiting.tell(|gone| {
                format!("{name}: looking at every situation, {asked} so far, {} s", gone.as_secs())
            });
        };
        let watched = Watched { plan: &self.plan, asked: Cell::new(0), tell };
        let explored = explore(&self.rules, &watched, &self.meters, POSITIONS);
        explored.map_err(|unexplored| match unexplored {
            Unexplored::Fault(position, fault) => {
                fault.with_situation(situation(&self.rules, &position.table)).to_string()
            }
            Unexplored::TooMany(positions) => {
                let name = self.plan.name();
                let many = positions.len();
                let grown = grown(positions.iter().map(|position| &position.memory));
                let why = grown.map_or(String::new(), |(variable, values)| {
                    format!(": `{variable}` has taken {values} values, keep it within bounds")
                });
                format!("{name} has more than {many} positions{why}")
            }
        })
    }
}

/// A plan that tells how often it was asked, each time it is.
struct Watched<'a, T: Fn(u64)> {
    plan: &'a Plan,
    asked: Cell<u64>,
    tell: T,
}

impl<T: Fn(u64)> Player for Watched<'_, T> {
    type Memory = Memory;
    type Fault = Fault;

    fn memory(&self) -> Memory {
        self.plan.memory()
    }

    fn ask(&self, memory: &mut Memory, desk: &mut Desk) -> Result<(), Fault> {
        self.asked.set(self.asked.get() + 1);
        (self.tell)(self.asked.get());
        self.plan.ask(memory, desk)
    }
}

/// The remembered variable that has taken most values.
fn grown<'a>(memories: impl Iterator<Item = &'a Memory>) -> Option<(String, usize)> {
    let mut values: std::collections::BTreeMap<&str, std::collections::HashSet<_>> =
        std::collections::BTreeMap::new();
    for (name, value) in memories.flatten() {
        values.entry(name).or_default().insert(value);
    }
    let most = values.into_iter().max_by_key(|(_, values)| values.len());
    most.map(|(name, values)| (name.to_owned(), values.len()))
}

/// Params by name.
type Settings = Vec<(String, String)>;

/// A plan and the params set behind its name: `pass-2x:unit=25`, `pass-six-eight:unit=5,place=6`.
fn settings(named: &str) -> Result<(&str, Settings), String> {
    // A file may have colons of its own in its name, and a path behind the letter of its drive.
    let is_file = std::path::Path::new(named).exists();
    let cuts = named.match_indices(':').map(|(at, _)| (&named[..at], &named[at + 1..]));
    let plan = |name: &str| ready(name).is_some() || name.ends_with(".rhai");
    let known = cuts.clone().find(|(name, _)| plan(name));
    let cut = known.or(cuts.clone().find(|(name, rest)| name.len() > 1 && rest.contains('=')));
    let Some((name, settings)) = cut.filter(|_| !is_file) else {
        return Ok((named, Vec::new()));
    };
    let settings = settings.split(',').map(|setting| match setting.split_once('=') {
        Some((param, value)) if !param.trim().is_empty() => {
            Ok((param.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("{named}: behind the colon stand params, as in {name}:unit=25")),
    });
    Ok((name, settings.collect::<Result<_, _>>()?))
}

/// The text of a plan.
pub(crate) fn source(name: &str) -> Result<String, String> {
    if let Some(text) = ready(name) {
        return Ok(text.to_owned());
    }
    if name.ends_with(".rhai") || name.contains(['/', '\\']) {
        return std::fs::read_to_string(name)
            .map_err(|error| format!("{name}: cannot be read: {error}"));
    }
    let near = hint(nearest(name, READY.iter().map(|(known, _)| *known)));
    Err(format!(
        "there is no plan `{name}`{near}\n`boxman plan list` names all, a file ends in .rhai"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn params_behind_a_name() {
        #[track_caller]
        fn check(named: &str, plan: &str, params: &[(&str, &str)]) {
            let (name, set) = settings(named).unwrap();
            let set: Vec<(&str, &str)> =
                set.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            assert_eq!((name, set.as_slice()), (plan, params));
        }
        check("pass", "pass", &[]);
        check("pass:unit=25", "pass", &[("unit", "25")]);
        check("pass-six-eight:unit=5, place=6", "pass-six-eight", &[("unit", "5"), ("place", "6")]);
        check("a/b.rhai:line=1:2", "a/b.rhai", &[("line", "1:2")]);
        check("C:\\plans\\mine.rhai", "C:\\plans\\mine.rhai", &[]);
        check("C:\\plans\\mine.rhai:unit=5", "C:\\plans\\mine.rhai", &[("unit", "5")]);
        check("nobody:unit=5", "nobody", &[("unit", "5")]);
        for wrong in ["pass:", "pass:unit", "pass:=5", "pass:unit=5,"] {
            assert!(settings(wrong).unwrap_err().contains("as in pass:unit=25"), "{wrong}");
        }
    }

    #[test]
    fn every_ask_is_told_to_whoever_waits() {
        let plan = Plan::parse("pass", ready("pass").unwrap(), &[]).unwrap();
        let told = Cell::new(0);
        let watched = Watched { plan: &plan, asked: Cell::new(0), tell: |asked| told.set(asked) };
        let rules = Arc::new(Rules::named(&Library::embedded(), &["presque-isle"]).unwrap());
        let explored = explore(&rules, &watched, &[], 1_000).ok().unwrap();
        assert!(told.get() > explored.machine.len() as u64, "{}", told.get());
    }
}
