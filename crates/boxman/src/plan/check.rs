//! `boxman plan check`: what a plan does, in words.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use craps::dice::Combination;
use craps::machine::{End, Explored, Machine, Position, Table, Then};
use craps::money::Pays;
use craps::wager::Due;
use craps::{Cents, Fate, Puck, Rules, Spot};
use craps_math::LongRun;
use craps_plan::{Memory, Value};
use craps_report::{CheckedParam, PlanCheck, plan_check_json, plan_check_text, situations};

use crate::plans::Seated;
use crate::{say, say_warning};

/// The most stages of a plan by bankroll that are worked out.
const STAGES: usize = 500;
/// And the most positions of all of them.
const WORK: usize = 20_000;

/// Says what a plan does.
pub(super) fn check(seated: &Seated, pace: u32, json: bool) -> Result<(), String> {
    let Seated { plan, rules, .. } = seated;
    let explored = seated.explore()?;
    let Explored { machine, positions, .. } = &explored;
    let stages = stages(&explored, plan.looks_at_money_from());
    // With more than that it has left already, or never bets.
    let played = stages.iter().find(|stage| stage.positions > 0);
    let long_run = played.unwrap_or(&stages[0]).clone();
    let start = machine.then(0, long_run.below.map_or(Cents(i64::MAX), |below| below - Cents(1)));
    let header = plan.header();
    let params = plan.params().iter().map(|param| CheckedParam {
        name: param.name.clone(),
        value: param.value.to_string(),
        default: param.default.to_string(),
        unit: param.unit.clone(),
        range: param.range(),
        about: param.about.clone(),
    });
    let unheard = plan.unheard().into_iter().map(|fault| fault.to_string());
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
        stages,
        pace,
        warnings: unheard.chain(rounded(rules, positions)).collect(),
    };
    say(&if json { plan_check_json(&checked) } else { plan_check_text(&checked) });
    checked.warnings.iter().for_each(|warning| say_warning(warning));
    Ok(())
}

/// What a plan comes to by bankroll, down to just below the least amount it looks at; with less
/// only bets are left out that cannot be paid.
fn stages(explored: &Explored<Memory>, least: Option<Cents>) -> Vec<LongRun> {
    LongRun::stages(explored, |stages| {
        let work: usize = stages.iter().map(|stage| stage.positions).sum();
        let last = stages.last().expect("there is one with all the money there is");
        stages.len() < STAGES && work < WORK && least.is_some_and(|least| last.enough >= least)
    })
}

/// A warning for every spot with stakes whose wins are rounded at this table.
fn rounded(rules: &Rules, positions: &[Position<Memory>]) -> Vec<String> {
    let mut seen: HashSet<(Puck, Spot, Cents)> = HashSet::new();
    let mut rounded: BTreeMap<Spot, BTreeMap<Cents, (Cents, Pays)>> = BTreeMap::new();
    for Position { table: Table { state, .. }, .. } in positions {
        let puck = state.hand.puck;
        let bets = state.layout.bets().iter().map(|bet| (puck, bet.spot, bet.stake));
        // Not `any`, which would leave out those behind the first.
        if bets.filter(|bet| seen.insert(*bet)).count() == 0 {
            continue;
        }
        for combination in Combination::all() {
            for line in state.clone().roll(rules, combination.roll()).lines {
                let Fate::Win { award, .. } = line.fate else { continue };
                let Due::Pays(pays) = rules.award(award).due else { continue };
                if pays.on(line.bet.stake).1 != 0 || line.broken > Cents::ZERO {
                    let stakes = rounded.entry(line.bet.spot).or_default();
                    stakes.insert(line.bet.stake, (line.won, pays));
                }
            }
        }
    }
    let warn = |(spot, stakes): (Spot, BTreeMap<Cents, (Cents, Pays)>)| {
        let (stake, (won, pays)) = stakes.first_key_value().expect("a stake brought it here");
        let spot_name = &rules.spot_rule(spot).notation;
        let others = match stakes.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} other stakes there"),
        };
        let even = paid_in_full(rules, spot, *pays);
        format!(
            "${stake} on {spot_name} wins ${won}, rounded down{others}: bet it in steps of ${even}"
        )
    };
    rounded.into_iter().map(warn).collect()
}

/// The smallest stake on a spot that is paid without rounding.
fn paid_in_full(rules: &Rules, spot: Spot, pays: Pays) -> Cents {
    let unit = rules.wager_at(spot).limits.unit;
    let full = |stake: Cents| {
        let (won, rest) = pays.on(stake);
        rest == 0 && won.is_multiple_of(rules.payout_unit)
    };
    let mut stakes = (1..).map(|units| Cents(unit.0 * units));
    stakes.find(|stake| full(*stake)).expect("so many units as the ratio has parts are")
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
