//! Where plans come from: by name from those that come with the program, by path from the disk.

use std::sync::Arc;

use craps::did_you_mean::{hint, nearest};
use craps::library::split_option;
use craps::machine::{Explored, Unexplored, explore};
use craps::{Cents, Library, Rules};
use craps_plan::{Memory, Plan, READY, ready, situation};
use craps_report::Played;

use crate::shelf::RulesArgs;

/// The most positions a plan is explored to where nobody says.
const POSITIONS: usize = 200_000;

/// How plans are played.
#[derive(clap::Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    rules: RulesArgs,
    /// Set a param of the plan, such as unit=25
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
    /// The plan of this name or path, at its own rules where none are named.
    pub(crate) fn seat(&self, name: &str) -> Result<Seated, String> {
        let text = source(name)?;
        let set = self.set.iter().map(|set| split_option(set)).collect::<Result<Vec<_>, _>>()?;
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

    /// Every position of the plan.
    pub(crate) fn explore(&self) -> Result<Explored<Memory>, String> {
        let explored = explore(&self.rules, &self.plan, &self.meters, POSITIONS);
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
