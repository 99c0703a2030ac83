//! `boxman plan check`: what a plan does, in words.

use std::collections::{BTreeMap, BTreeSet};

use craps::machine::{End, Explored, Machine, Then};
use craps_math::LongRun;
use craps_plan::{Memory, Value};
use craps_report::{CheckedParam, PlanCheck, plan_check_json, plan_check_text, situations};

use crate::plans::Seated;
use crate::{say, say_warning};

/// Says what a plan does.
pub(super) fn check(seated: &Seated, pace: u32, json: bool) -> Result<(), String> {
    let Seated { plan, rules, .. } = seated;
    let explored = seated.explore()?;
    let Explored { machine, positions, .. } = &explored;
    let long_run = LongRun::of(&explored);
    let start = machine.arrivals()[0].branches[0].then;
    let header = plan.header();
    let params = plan.params().iter().map(|param| CheckedParam {
        name: param.name.clone(),
        value: param.value.to_string(),
        default: param.default.to_string(),
        unit: param.unit.clone(),
        range: param.range(),
        about: param.about.clone(),
    });
    let rules_needed = header.rules.iter().map(|name| format!("--rules {name}"));
    let options_needed = header.options.iter().map(|option| format!("--option {option}"));
    let checked = PlanCheck {
        plan: plan.name().to_owned(),
        about: header.about.clone(),
        rules: rules.name.clone(),
        needs: rules_needed.chain(options_needed).collect(),
        params: params.collect(),
        remembers: remembers(positions.iter().map(|position| &position.memory)),
        positions: positions.len(),
        ends: ends(machine),
        situations: situations(rules, start, positions, &long_run),
        long_run,
        pace,
        warnings: plan.unheard().iter().map(ToString::to_string).collect(),
    };
    say(&if json { plan_check_json(&checked) } else { plan_check_text(&checked) });
    checked.warnings.iter().for_each(|warning| say_warning(warning));
    Ok(())
}

/// Every way a plan can end, with whatever money.
fn ends(machine: &Machine) -> Vec<End> {
    let branches = machine.arrivals().iter().flat_map(|arrival| &arrival.branches);
    let ends: BTreeSet<End> = branches
        .filter_map(|branch| match branch.then {
            Then::End(end) => Some(end),
            Then::Roll(_) => None,
        })
        .collect();
    ends.into_iter().collect()
}

/// What a plan remembers, and the values it takes.
fn remembers<'a>(memories: impl Iterator<Item = &'a Memory>) -> Vec<(String, String)> {
    let mut values: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for (name, value) in memories.flatten() {
        let known = values.entry(name).or_default();
        if !known.contains(&value) {
            known.push(value);
        }
    }
    let words = |values: Vec<&Value>| {
        let numbers: Option<Vec<_>> = values.iter().map(|value| value.number()).collect();
        let ends = numbers.as_ref().map(|numbers| (numbers.iter().min(), numbers.iter().max()));
        match (ends, values.as_slice()) {
            (_, [one]) => format!("{one}, always"),
            (Some((Some(least), Some(most))), _) => format!("{least} to {most}"),
            (_, [_, _]) => "true or false".to_owned(),
            (_, many) => format!("{} texts", many.len()),
        }
    };
    values.into_iter().map(|(name, values)| (name.to_owned(), words(values))).collect()
}
