//! What a plan does, in words: its params, what it has up, and what it costs.

use craps::Cents;
use craps::machine::End;
use craps_math::{Figures, LongRun, Ratio, decimal, float, fraction, percent, whole};
use serde::Serialize;

use crate::markup::{amount, counted, dollars, grouped};
use crate::standing::{Situation, share};

/// A fraction is printed up to so many letters; longer ones are for programs.
const SHORT: usize = 24;

/// So many stages are printed; a plan may have one for every bankroll.
const STAGES: usize = 12;

/// A plan that was looked over.
#[derive(Clone, Debug)]
pub struct PlanCheck {
    /// The plan.
    pub plan: String,
    /// What it says about itself, line by line.
    pub about: Vec<String>,
    /// The rules it was checked under.
    pub rules: String,
    /// The rules and options that it asks for itself.
    pub needs: Vec<String>,
    /// Its params.
    pub params: Vec<CheckedParam>,
    /// The variables it remembers, and the values they take: `losses`, `0 to 6`.
    pub remembers: Vec<(String, String)>,
    /// How many positions it has, whatever the money.
    pub positions: usize,
    /// How it can end, whatever the money.
    pub ends: Vec<End>,
    /// What it has up with the bankrolls of `long_run`.
    pub situations: Vec<Situation>,
    /// What it comes to with money for every ask; with the highest bankrolls that it plays with,
    /// where it leaves with more.
    pub long_run: LongRun,
    /// What it comes to by bankroll, the highest first, where it looks at its own.
    pub stages: Vec<LongRun>,
    /// How many rolls make an hour.
    pub pace: u32,
    /// What somebody should think about.
    pub warnings: Vec<String>,
}

/// A param of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedParam {
    /// Its name.
    pub name: String,
    /// What it is.
    pub value: String,
    /// What it is where nobody sets it.
    pub default: String,
    /// What it counts.
    pub unit: Option<String>,
    /// What it may be, in words.
    pub range: Option<String>,
    /// What it is for.
    pub about: Option<String>,
}

/// What a plan does, as text.
pub fn plan_check_text(it: &PlanCheck) -> String {
    let mut text = format!("{} under {}\n", it.plan, it.rules);
    it.about.iter().for_each(|line| text += &format!("  {line}\n"));
    let mut facts: Vec<Vec<String>> = Vec::new();
    for param in &it.params {
        let set = match param.value == param.default {
            true => String::new(),
            false => format!(" ({} unless set)", param.default),
        };
        let unit = param.unit.as_ref().map_or(String::new(), |unit| format!(" {unit}"));
        let range = param.range.as_ref().map_or(String::new(), |range| format!(", {range}"));
        let value = format!("{}{unit}{set}{range}", param.value);
        let about = param.about.clone().unwrap_or_default();
        facts.push(vec![format!("param {}", param.name), value, about]);
    }
    text += &part("", &facts);
    let mut facts = Vec::new();
    for (name, values) in &it.remembers {
        facts.push(vec![format!("remembers {name}"), values.clone()]);
    }
    for needs in &it.needs {
        facts.push(vec!["needs".to_owned(), needs.clone()]);
    }
    let rich = it.long_run.positions;
    let positions = grouped(&it.positions.to_string());
    let positions = match rich == it.positions {
        true => positions,
        false => format!("{positions}, {} {}", grouped(&rich.to_string()), held(&it.long_run)),
    };
    facts.push(vec!["positions".to_owned(), positions]);
    if rich > 0 && it.long_run.below.is_none() {
        let enough = format!("{} in all is enough for every ask", amount(it.long_run.enough));
        facts.push(vec!["money".to_owned(), enough]);
    }
    facts.push(vec!["can end".to_owned(), ends(&it.ends)]);
    text += &part("", &facts);
    let held = held(&it.long_run);
    text += &part(&format!("What is up as the dice are thrown, {held}"), &ups(it));
    let lasts = if it.long_run.plays_on { "In the long run" } else { "Until it ends" };
    text += &part(&format!("{lasts}, {held}"), &costs(it));
    if it.stages.len() > 1 {
        text += &part("By what there is in all, each as though that never changed", &stages(it));
    }
    text.trim_end().to_owned()
}

/// The bankrolls that something holds for: with money for everything, or from one to another.
fn held(long_run: &LongRun) -> String {
    match (long_run.below, long_run.enough) {
        (None, _) => "while every ask can be paid".to_owned(),
        (Some(below), Cents::ZERO) => format!("with less than {} in all", amount(below)),
        (Some(below), from) => format!("with {} in all", range(from, Some(below))),
    }
}

fn range(from: Cents, below: Option<Cents>) -> String {
    match below {
        None => format!("{} or more", amount(from)),
        Some(below) => format!("{} to {}", amount(from), amount(below - Cents(1))),
    }
}

/// What the plan comes to by bankroll, a line a stage.
fn stages(it: &PlanCheck) -> Vec<Vec<String>> {
    let line = |stage: &LongRun| {
        let Figures { rolls, won, action, at_risk, bets, .. } = &stage.figures;
        let mut cells = vec![range(stage.enough, stage.below)];
        if rolls.is_zero() {
            cells.extend(stage.ends.iter().map(|(end, _)| word(*end).to_owned()));
            return cells;
        }
        cells.push(format!("{} bets up", decimal(&(bets / rolls), 2)));
        cells.push(format!("{} at risk", dollars(&(at_risk / rolls))));
        cells.push(format!("costs {} a roll", fine(&(-won.clone() / rolls))));
        if !action.is_zero() {
            cells.push(format!("{}% of each dollar", percent(&(-won.clone() / action), 4)));
        }
        if !stage.plays_on {
            cells.extend(stage.ends.iter().map(|(end, _)| format!("{} in the end", word(*end))));
        }
        cells
    };
    let mut lines: Vec<Vec<String>> = it.stages.iter().take(STAGES).map(line).collect();
    if let Some(more) = it.stages.len().checked_sub(STAGES).filter(|more| *more > 0) {
        lines.push(vec![format!("… and {more} more: --json has them")]);
    }
    lines
}

fn word(end: End) -> &'static str {
    match end {
        End::Left => "leaves",
        End::Idle => "bets no more",
        End::Ruined => "is ruined",
    }
}

/// A title, and lines in columns that line up.
fn part(title: &str, lines: &[Vec<String>]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let wide = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let wide: Vec<usize> = (0..columns).map(wide).collect();
    let mut text = if title.is_empty() { "\n".to_owned() } else { format!("\n{title}\n") };
    for line in lines {
        let cells: Vec<String> = line
            .iter()
            .zip(&wide)
            .map(|(cell, wide)| format!("{cell}{}", " ".repeat(wide - cell.chars().count())))
            .collect();
        text += &format!("  {}\n", cells.join("  ").trim_end());
    }
    text
}

fn ends(ends: &[End]) -> String {
    let words = ends.iter().map(|end| match end {
        End::Ruined => "ruined: nothing up, and what it asks for cannot be paid",
        End::Left => "by leaving",
        End::Idle => "idle: nothing up, and it never bets again",
    });
    let words: Vec<&str> = words.collect();
    if words.is_empty() { "never".to_owned() } else { words.join("; ") }
}

/// What is up in each situation, a line a bet.
fn ups(it: &PlanCheck) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for situation in &it.situations {
        let rolls =
            situation.share.map_or(String::new(), |part| format!("{} of rolls", share(part)));
        let mut head = vec![situation.when.clone(), rolls];
        if situation.bets.is_empty() {
            head.push("nothing".to_owned());
            lines.push(head);
            continue;
        }
        for bet in &situation.bets {
            let how_often = if situation.share.is_some() { bet.how_often() } else { String::new() };
            let cells = [bet.bet.clone(), bet.stake(), how_often];
            lines.push(head.into_iter().chain(cells).collect());
            head = vec![String::new(), String::new()];
        }
    }
    lines
}

fn costs(it: &PlanCheck) -> Vec<Vec<String>> {
    let LongRun { figures, ends, plays_on, residual, .. } = &it.long_run;
    let mut lines: Vec<Vec<String>> = Vec::new();
    let mut line = |name: &str, value: String, note: String| {
        lines.push(vec![name.to_owned(), value, note]);
    };
    for (end, chance) in ends {
        line(word(*end), format!("{}%", percent(chance, 2)), "of the time".to_owned());
    }
    if figures.rolls.is_zero() {
        line("rolls", "0".to_owned(), "it is over before the first".to_owned());
        return lines;
    }
    let cost = -figures.won.clone();
    let exactly = |value: &Ratio, what: &str| match (residual, fraction(value)) {
        (Some(_), _) => String::new(),
        (None, written) if written.len() > SHORT => "exact: --json has the fraction".to_owned(),
        (None, written) => format!("exactly {written}{what}"),
    };
    let up = format!("{} on average", decimal(&(&figures.bets / &figures.rolls), 2));
    line("bets up", up, format!("{} at risk", dollars(&(&figures.at_risk / &figures.rolls))));
    if *plays_on {
        let shooter = whole(1) / &figures.seven_outs;
        let rolls = format!("{} rolls", decimal(&shooter, 2));
        let exact = exactly(&(&cost / whole(100)), " dollars");
        line("decided a roll", dollars(&figures.action), String::new());
        line("cost a roll", fine(&cost), exact);
        line("cost a shooter", dollars(&(&cost * &shooter)), rolls);
        let hour = dollars(&(&cost * whole(i64::from(it.pace))));
        line("cost an hour", hour, counted(it.pace as usize, "roll"));
    } else {
        line("rolls", decimal(&figures.rolls, 2), exactly(&figures.rolls, ""));
        line("decided", dollars(&figures.action), String::new());
        line("cost", dollars(&cost), exactly(&(&cost / whole(100)), " dollars"));
    }
    if !figures.action.is_zero() {
        let each = &cost / &figures.action;
        let name = "cost of each dollar decided";
        line(name, format!("{}%", percent(&each, 4)), exactly(&each, ""));
    }
    if let Some(residual) = residual {
        let why = "too many positions for fractions".to_owned();
        line("in floats", format!("out of balance by {residual:.0e}"), why);
    }
    lines
}

/// An amount to the hundredth of a cent.
fn fine(cents: &Ratio) -> String {
    let written = decimal(&(cents / whole(100)), 4);
    match written.strip_prefix('-') {
        Some(amount) => format!("\u{2212}${amount}"),
        None => format!("${written}"),
    }
}

/// A plan as JSON says it; amounts are cents, chances and shares numbers.
#[derive(Serialize)]
struct Object<'a> {
    plan: &'a str,
    about: String,
    rules: &'a str,
    needs: &'a [String],
    params: &'a [CheckedParam],
    remembers: Vec<Remembered<'a>>,
    positions: usize,
    positions_with_money: usize,
    enough: i64,
    below: Option<i64>,
    can_end: Vec<&'static str>,
    situations: &'a [Situation],
    long_run: Run,
    stages: Vec<Stage>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct Remembered<'a> {
    name: &'a str,
    values: &'a str,
}

/// What it comes to from one bankroll on, and below another.
#[derive(Serialize)]
struct Stage {
    from: i64,
    below: Option<i64>,
    long_run: Run,
}

/// What it comes to with the same bankroll.
#[derive(Serialize)]
struct Run {
    plays_on: bool,
    ends: Vec<Ended>,
    pace: u32,
    /// Means of a roll where it plays on, sums until it ends where it does not.
    rolls: f64,
    cost: f64,
    action: f64,
    at_risk: f64,
    bets: f64,
    seven_outs: f64,
    cost_per_shooter: Option<f64>,
    cost_per_hour: Option<f64>,
    cost_of_action: Option<f64>,
    /// The same as fractions; none where they are floats, with the residual.
    exact: Option<Exact>,
    residual: Option<f64>,
}

#[derive(Serialize)]
struct Ended {
    end: &'static str,
    chance: f64,
}

#[derive(Serialize)]
struct Exact {
    rolls: String,
    cost: String,
    action: String,
    at_risk: String,
    bets: String,
    seven_outs: String,
    cost_of_action: Option<String>,
}

/// What a plan does, as JSON.
pub fn plan_check_json(it: &PlanCheck) -> String {
    let LongRun { positions, enough, below, .. } = &it.long_run;
    let stages = it.stages.iter().map(|stage| Stage {
        from: stage.enough.0,
        below: stage.below.map(|below| below.0),
        long_run: run(stage, it.pace),
    });
    let remembers = it.remembers.iter().map(|(name, values)| Remembered { name, values });
    let object = Object {
        plan: &it.plan,
        about: it.about.join(" "),
        rules: &it.rules,
        needs: &it.needs,
        params: &it.params,
        remembers: remembers.collect(),
        positions: it.positions,
        positions_with_money: *positions,
        enough: enough.0,
        below: below.map(|below| below.0),
        can_end: it.ends.iter().map(|end| code(*end)).collect(),
        situations: &it.situations,
        long_run: run(&it.long_run, it.pace),
        stages: stages.collect(),
        warnings: &it.warnings,
    };
    serde_json::to_string_pretty(&object).expect("a check is plain data")
}

fn run(long_run: &LongRun, pace: u32) -> Run {
    let LongRun { figures, ends, plays_on, residual, .. } = long_run;
    let cost = -figures.won.clone();
    let of_action = (!figures.action.is_zero()).then(|| &cost / &figures.action);
    let exact = || Exact {
        rolls: fraction(&figures.rolls),
        cost: fraction(&cost),
        action: fraction(&figures.action),
        at_risk: fraction(&figures.at_risk),
        bets: fraction(&figures.bets),
        seven_outs: fraction(&figures.seven_outs),
        cost_of_action: of_action.as_ref().map(fraction),
    };
    Run {
        plays_on: *plays_on,
        ends: ends
            .iter()
            .map(|(end, chance)| Ended { end: code(*end), chance: float(chance) })
            .collect(),
        pace,
        rolls: float(&figures.rolls),
        cost: float(&cost),
        action: float(&figures.action),
        at_risk: float(&figures.at_risk),
        bets: float(&figures.bets),
        seven_outs: float(&figures.seven_outs),
        cost_per_shooter: plays_on.then(|| float(&(&cost / &figures.seven_outs))),
        cost_per_hour: plays_on.then(|| float(&(&cost * whole(i64::from(pace))))),
        cost_of_action: of_action.as_ref().map(float),
        exact: residual.is_none().then(exact),
        residual: *residual,
    }
}

fn code(end: End) -> &'static str {
    match end {
        End::Ruined => "ruined",
        End::Left => "left",
        End::Idle => "idle",
    }
}
