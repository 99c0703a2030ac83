//! The best play the way people and programs read it: a table of situations, and a plan.

#![expect(clippy::float_arithmetic, reason = "chances with their bounds are told, not paid")]

use std::collections::BTreeSet;

use craps::{Cents, Puck, Rules};
use craps_math::best::{Best, Bets, Opening, Turn, Wish};
use serde_json::json;

use crate::table::grid;

/// The most turns in a table; a plan has them all.
const TURNS: usize = 40;
/// So many bankrolls to each side of the start are in a table of openings, and so many where the
/// puck matters much.
const AROUND: [usize; 2] = [10, 4];
/// The most amounts in one list of a plan.
const STAGES: usize = 20;

/// The best play for a wish, and how far plans with the same bets come.
pub struct BestPlay<'a> {
    /// The rules it is played by.
    pub rules: &'a Rules,
    /// What was asked for.
    pub wish: &'a Wish,
    /// The play.
    pub best: &'a Best,
    /// Plans that use only these bets, and the chance of each, the best first.
    pub plans: &'a [(String, f64)],
}

/// The best play as text.
pub fn best_text(play: &BestPlay<'_>) -> String {
    let BestPlay { rules, wish, best, plans } = play;
    let mut text = format!(
        "{} reach ${} from ${} with {} in steps of ${}\n\
         No play does better by more than {:.0e}. It takes {:.1} rolls on average and knows {} \
         situations.\n\n{}",
        percent(best.chance),
        wish.goal,
        wish.bankroll,
        names(rules, &best.bets).join(", "),
        wish.step,
        best.bound - best.chance,
        best.rolls,
        best.turns.len(),
        turns(rules, wish, best)
    );
    let never = (0..)
        .zip(names(rules, &best.bets))
        .filter(|(at, _)| best.turns.iter().all(|turn| turn.stakes[*at] == Cents::ZERO));
    let never: Vec<&str> = never.map(|(_, name)| name).collect();
    if !never.is_empty() {
        text += &format!("\nIt never uses {}.", never.join(", "));
    }
    if !plans.is_empty() {
        let row = |(name, chance): &(String, f64)| {
            vec![name.clone(), percent(*chance), percent(best.chance - chance)]
        };
        let rows: Vec<Vec<String>> = plans.iter().map(row).collect();
        let header = ["plan with these bets", "reaches it", "short by"];
        text += &format!("\n\n{}", grid(&header, &rows));
    }
    text
}

/// How the best play within so many rolls opens, as text.
pub fn opening_text(rules: &Rules, bets: &Bets, wish: &Wish, rolls: u32, it: &Opening) -> String {
    let up = up(rules, bets, &it.stakes);
    let up: Vec<String> = up.iter().map(|(spot, stake)| format!("${stake} on {spot}")).collect();
    let up = if up.is_empty() { "no bet".to_owned() } else { up.join(", ") };
    let Wish { goal, bankroll, .. } = wish;
    let chance = percent(it.chance);
    let word = if rolls == 1 { "roll" } else { "rolls" };
    let mut text = format!(
        "{chance} reach ${goal} from ${bankroll} within {rolls} {word}\nIt opens with {up}."
    );
    if !it.turns.is_empty() {
        let table = openings(rules, bets, wish, it);
        text += &format!("\n\nWhat to bet at the first roll, nothing up yet\n{table}");
    }
    text
}

/// The openings around the start, a part for each place of the puck; places with the same bets are
/// one, with the least of their chances.
fn openings(rules: &Rules, bets: &Bets, wish: &Wish, it: &Opening) -> String {
    let mut parts: Vec<(Vec<String>, Vec<Turn>)> = Vec::new();
    let mut at_least = false;
    for turns in it.turns.chunk_by(|one, other| one.puck == other.puck) {
        let alike = parts.iter_mut().find(|(_, known)| {
            let same = |(one, other): (&Turn, &Turn)| {
                (one.equity, &one.stakes) == (other.equity, &other.stakes)
            };
            known.len() == turns.len() && known.iter().zip(turns).all(same)
        });
        let Some((pucks, known)) = alike else {
            parts.push((vec![lies(turns[0].puck)], turns.to_vec()));
            continue;
        };
        pucks.push(lies(turns[0].puck));
        for (known, turn) in known.iter_mut().zip(turns) {
            at_least |= (known.chance - turn.chance).abs() > 1e-12;
            known.chance = known.chance.min(turn.chance);
        }
    }
    let around = AROUND[usize::from(parts.len() > 2)];
    let mut rows = Vec::new();
    for (pucks, turns) in &parts {
        let start = turns.partition_point(|turn| turn.equity < wish.bankroll);
        let end = (start + around + 1).min(turns.len());
        for turn in &turns[start.saturating_sub(around).min(end)..end] {
            let mut cells = vec![pucks.join(", "), format!("${}", turn.equity)];
            cells.extend(turn.stakes.iter().map(|stake| amount(*stake)));
            cells.push(percent(turn.chance));
            rows.push(cells);
        }
    }
    let mut header = vec!["puck", "bankroll"];
    header.extend(names(rules, bets));
    header.push(if at_least { "chance, at least" } else { "chance" });
    grid(&header, &rows)
}

fn lies(puck: Puck) -> String {
    match puck {
        Puck::Off => "off".to_owned(),
        Puck::On(point) => point.to_string(),
    }
}

/// The same as JSON: amounts are cents, chances numbers.
pub fn opening_json(rules: &Rules, bets: &Bets, rolls: u32, opening: &Opening) -> String {
    let up = up(rules, bets, &opening.stakes);
    let up: Vec<_> = up.iter().map(|(spot, stake)| json!([spot, stake.0])).collect();
    pretty(&json!({
        "chance": opening.chance,
        "rolls": rolls,
        "bets": up,
        "spots": names(rules, bets),
        "turns": opening.turns.iter().map(turn_json).collect::<Vec<_>>(),
    }))
}

/// The best play as JSON: amounts are cents, chances numbers.
pub fn best_json(play: &BestPlay<'_>) -> String {
    let BestPlay { rules, wish, best, plans } = play;
    let plan = |(name, chance): &(String, f64)| json!({ "plan": name, "chance": chance });
    pretty(&json!({
        "bankroll": wish.bankroll.0,
        "goal": wish.goal.0,
        "step": wish.step.0,
        "bets": names(rules, &best.bets),
        "chance": best.chance,
        "bound": best.bound,
        "rolls": best.rolls,
        "turns": best.turns.iter().map(turn_json).collect::<Vec<_>>(),
        "plans": plans.iter().map(plan).collect::<Vec<_>>(),
    }))
}

fn turn_json(turn: &Turn) -> serde_json::Value {
    let stakes: Vec<i64> = turn.stakes.iter().map(|stake| stake.0).collect();
    json!({
        "puck": number(turn.puck),
        "line": turn.line.0,
        "bankroll": turn.equity.0,
        "stakes": stakes,
        "chance": turn.chance,
    })
}

fn pretty(json: &serde_json::Value) -> String {
    serde_json::to_string_pretty(json).expect("plain data")
}

fn names<'a>(rules: &'a Rules, bets: &Bets) -> Vec<&'a str> {
    bets.spots().into_iter().map(|spot| rules.spot_rule(spot).notation.as_str()).collect()
}

/// Zero while the puck is off.
fn number(puck: Puck) -> u8 {
    match puck {
        Puck::Off => 0,
        Puck::On(point) => point.number(),
    }
}

/// What to do in each situation, as a table; those closest to the start where there are many.
fn turns(rules: &Rules, wish: &Wish, best: &Best) -> String {
    let line = best.bets.has_line();
    let mut header = vec!["puck"];
    if line {
        header.push("line up");
    }
    header.push("bankroll");
    header.extend(names(rules, &best.bets));
    header.push("chance");
    let mut away: Vec<i64> =
        best.turns.iter().map(|turn| (turn.equity - wish.bankroll).0.abs()).collect();
    away.sort_unstable();
    let close = away.get(TURNS).copied().unwrap_or(i64::MAX);
    let shown = best.turns.iter().filter(|turn| (turn.equity - wish.bankroll).0.abs() < close);
    let rows = shown.map(|turn| {
        let mut cells = vec![lies(turn.puck)];
        if line {
            cells.push(amount(turn.line));
        }
        cells.push(format!("${}", turn.equity));
        cells.extend(turn.stakes.iter().map(|stake| amount(*stake)));
        cells.push(percent(turn.chance));
        cells
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut text = grid(&header, &rows);
    if rows.len() < best.turns.len() {
        let more = best.turns.len() - rows.len();
        text +=
            &format!("\nThese are closest to the start; a plan (-o FILE.rhai) has {more} more.");
    }
    text
}

fn amount(stake: Cents) -> String {
    if stake == Cents::ZERO { "–".to_owned() } else { format!("${stake}") }
}

fn percent(chance: f64) -> String {
    format!("{:.8}%", chance * 100.0)
}

fn up(rules: &Rules, bets: &Bets, stakes: &[Cents]) -> Vec<(String, Cents)> {
    let spots = bets.spots().into_iter().map(|spot| rules.spot_rule(spot).notation.clone());
    spots.zip(stakes.iter().copied()).filter(|(_, stake)| *stake > Cents::ZERO).collect()
}

/// The best play as a plan, a table of situations by puck, line bet and bankroll; with the rules
/// and options it is played by, as the command line names them.
pub fn best_plan(play: &BestPlay<'_>, named: &[String], options: &[String]) -> String {
    let BestPlay { rules, wish, best, .. } = play;
    let names = names(rules, &best.bets);
    // Every bankroll it can come to is a stage of its own.
    let equities: BTreeSet<Cents> = best.turns.iter().map(|turn| turn.equity).collect();
    let equities: Vec<Cents> = equities.into_iter().collect();
    let mut text = format!(
        "// The best play from ${} to ${} with {} in steps of ${}.\n\
         // Play it with exactly that bankroll and goal: it reaches it with {:.10}.\n",
        wish.bankroll,
        wish.goal,
        names.join(", "),
        wish.step,
        best.chance
    );
    named.iter().for_each(|rules| text += &format!("// rules: {rules}\n"));
    options.iter().for_each(|option| text += &format!("// option: {option}\n"));
    text += "\n// Which of these the bankroll has reached says how much there is.\n";
    // A list in a plan is short; counts of several add up.
    text += "let reached = 0;\n";
    for some in equities.chunks(STAGES) {
        text += &format!("reached += stage([{}]);\n", listed(some));
    }
    text += &match best.bets.has_line() {
        // On a come-out it is chosen anew, also after a push.
        true => format!("let line = if puck == 0 {{ 0 }} else {{ up(\"{}\") }};\n", names[0]),
        false => "let line = 0;\n".to_owned(),
    };
    text += &format!(
        "let spots = [{}];\n\n",
        names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
    );
    text += "// Puck, line bet and place of the bankroll: what is up on each spot.\n";
    text += "let bets = switch `${puck} ${line} ${reached}` {\n";
    for turn in &best.turns {
        let puck = number(turn.puck);
        let place = equities.partition_point(|equity| *equity <= turn.equity);
        let line = dollars(turn.line);
        let stakes = listed(&turn.stakes);
        text += &format!(
            "    \"{puck} {line} {place}\" => [{stakes}], // ${}: {:.6}\n",
            turn.equity, turn.chance
        );
    }
    // With too little for any of this it asks for the least there is, and is ruined.
    let least = |at: usize| {
        let stakes = best.turns.iter().map(|turn| turn.stakes[at]);
        stakes.filter(|stake| *stake > Cents::ZERO).min()
    };
    let mut asks = vec![Cents::ZERO; names.len()];
    if let Some((at, stake)) = (0..asks.len()).find_map(|at| Some((at, least(at)?))) {
        asks[at] = stake;
    }
    text += &format!("    _ => [{}], // too little: ruined\n}};\n\n", listed(&asks));
    // A line bet that never comes down is not asked to.
    let line_stays =
        best.bets.has_line() && best.turns.iter().all(|turn| turn.stakes[0] >= turn.line);
    text += "// What comes down first pays for what goes up.\n";
    text += &format!("for at in {}..{} {{\n", u8::from(line_stays), names.len());
    text += "    if up(spots[at]) > bets[at] { want(spots[at], bets[at]); }\n}\n";
    text += &format!("for at in 0..{} {{\n    want(spots[at], bets[at]);\n}}\n", names.len());
    text
}

fn listed(amounts: &[Cents]) -> String {
    amounts.iter().map(|amount| dollars(*amount)).collect::<Vec<_>>().join(", ")
}

/// An amount as plans write it: `5`, or `2.50`.
fn dollars(amount: Cents) -> String {
    if amount.0 % 100 == 0 { (amount.0 / 100).to_string() } else { amount.to_string() }
}
