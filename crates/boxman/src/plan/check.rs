//! `boxman plan check`: what a plan does, in words.

use craps::machine::{Position, Then};
use craps::{Cents, Roll, Rules};
use craps_plan::Memory;

use crate::plans::Seated;
use crate::say;

/// Says what a plan does.
pub(super) fn check(seated: &Seated) -> Result<(), String> {
    let Seated { plan, rules, .. } = seated;
    let explored = seated.explore()?;
    say(plan.name());
    plan.header().about.iter().for_each(|line| say(&format!("  {line}")));
    for param in plan.params() {
        let set = if param.value == param.default { "" } else { " (set)" };
        say(&format!("  {} = {}{set}", param.name, param.value));
    }
    say(&format!("\n{} positions under {}", explored.positions.len(), rules.name));
    // What it has up with money for everything, on a first come-out and on each point after it.
    let machine = &explored.machine;
    let Then::Roll(start) = machine.then(0, Cents(i64::MAX / 8)) else {
        say("It bets nothing.");
        return Ok(());
    };
    say(&format!("  before the first roll: {}", bets(rules, &explored.positions[start as usize])));
    for point in rules.points.iter() {
        // The easy way where there is one: a hard way may decide more than the point.
        let rolls = Roll::all().filter(|roll| roll.total() == point);
        let roll = rolls.min_by_key(|roll| roll.is_hard()).expect("every total is rolled");
        let edge = machine.edges(start)[roll.combination().index()];
        if let Then::Roll(next) = machine.then(edge.arrival, Cents(i64::MAX / 8)) {
            let position = &explored.positions[next as usize];
            say(&format!("  once the point is {point}: {}", bets(rules, position)));
        }
    }
    Ok(())
}

fn bets(rules: &Rules, position: &Position<Memory>) -> String {
    let bets = position.table.state.layout.bets().iter();
    let bets: Vec<String> = bets
        .map(|bet| format!("${} on {}", bet.stake, rules.spot_rule(bet.spot).notation))
        .collect();
    if bets.is_empty() { "nothing".to_owned() } else { bets.join(", ") }
}
