//! What was understood of a rulebook, in sentences and as JSON, beside its faults.

use craps::catalogue::Entry;
use craps::rulebook::{At, Fault, Kind, Rulebook};
use craps_math::{Checked, CheckedSpot, CheckedWager, Edge, Ratio, decimal, fraction, percent};
use serde::Serialize;

use crate::edge::{short, six_decimals};
use crate::markup::{amount, counted};

/// A rulebook that was read, as far as it could be.
#[derive(Clone, Debug)]
pub struct RulebookCheck<'a> {
    /// The file, as it was named.
    pub file: &'a str,
    /// The text it was read from.
    pub text: &'a str,
    /// What could be understood of it.
    pub rulebook: Option<&'a Rulebook>,
    /// Everything wrong with it.
    pub faults: &'a [Fault],
    /// The wagers, looked over, and what is odd.
    pub checked: &'a Checked,
}

/// A check as people read it.
pub fn check_text(check: &RulebookCheck<'_>) -> String {
    let mut parts = Vec::new();
    for fault in check.faults {
        parts.push(format!("{fault}{}", excerpt(check.text, fault)));
    }
    for odd in &check.checked.odd {
        parts.push(format!("Think about it: {odd}{}", excerpt(check.text, odd)));
    }
    if let Some(rulebook) = check.rulebook {
        parts.push(opening(check, rulebook));
        parts.extend(check.checked.wagers.iter().map(wager_text));
        parts.push(next_steps(check, rulebook));
    } else {
        let what = counted(check.faults.len(), "fault");
        parts.push(format!("{what} in the file as a whole: nothing was understood yet."));
    }
    parts.join("\n\n")
}

/// The line a fault is in, with a mark under its place.
fn excerpt(text: &str, fault: &Fault) -> String {
    let Some(At::Place { line, column }) = fault.at else { return String::new() };
    let Some(written) = text.lines().nth(line - 1) else { return String::new() };
    let (number, gap) = (line.to_string(), " ".repeat(column.saturating_sub(1)));
    let blank = " ".repeat(number.len());
    format!("\n  {number} | {written}\n  {blank} | {gap}^")
}

fn opening(check: &RulebookCheck<'_>, rulebook: &Rulebook) -> String {
    let kind = match (rulebook.kind, &check.checked.table) {
        (Kind::Base, _) => "a base game".to_owned(),
        (Kind::Side, None) => "side bets".to_owned(),
        (Kind::Side, Some(base)) => format!("side bets, here at a table of {base}"),
    };
    let Rulebook { title, name, .. } = rulebook;
    let faults = counted(check.faults.len(), "fault");
    if rulebook.wagers.is_empty() && !check.faults.is_empty() {
        return format!("{title} (`{name}`): {kind}, {faults}, and no wager without one.");
    }
    let verdict = match (check.faults.is_empty(), check.checked.wagers.is_empty()) {
        (true, _) => "no fault".to_owned(),
        (false, false) => format!("{faults}; what follows is the rest of it"),
        (false, true) => format!("{faults}, and nothing can be priced before that is mended"),
    };
    let wagers = counted(rulebook.wagers.len(), "wager");
    let tables = counted(rulebook.paytables.len(), "paytable");
    format!("{title} (`{name}`): {kind}, {wagers}, {tables}, {verdict}.")
}

fn wager_text(wager: &CheckedWager) -> String {
    let entry = &wager.entry;
    let paytable =
        entry.paytable.as_ref().map_or(String::new(), |name| format!(", paid by {name}"));
    let mut text = format!("{} (`{}`{paytable})\n", entry.title, entry.wager);
    text += &format!("  Wins: {}. Loses: {}.\n", entry.wins, entry.loses);
    text += &format!("  Pays: {}.\n", pays(entry));
    text += &format!("  May be bet: {}. {}.\n", entry.when, limits(entry));
    for spot in &wager.spots {
        text += &format!("  {}\n", spot_text(spot));
    }
    for warning in &wager.warnings {
        text += &format!("  Think about it: {warning}.\n");
    }
    text.trim_end().to_owned()
}

fn pays(entry: &Entry) -> String {
    let line = |pay: &craps::catalogue::Pay| {
        let on = if pay.on.is_empty() { String::new() } else { format!(" for {}", pay.on) };
        let envy = pay.envy.as_ref().map_or(String::new(), |envy| format!(", envy {envy}"));
        format!("{}{on}{envy}", pay.pays)
    };
    entry.pays.iter().map(line).collect::<Vec<_>>().join("; ")
}

fn limits(entry: &Entry) -> String {
    let limits = entry.limits;
    match limits.max {
        Some(max) if max == limits.min => format!("Always {}", amount(max)),
        Some(max) => {
            let (min, unit) = (amount(limits.min), amount(limits.unit));
            format!("From {min} to {} in steps of {unit}", amount(max))
        }
        None => format!("In steps of {}", amount(limits.unit)),
    }
}

fn spot_text(spot: &CheckedSpot) -> String {
    let edge = match &spot.edge {
        Ok(edge) => edge,
        Err(error) => return format!("{}: {error}.", spot.wager),
    };
    let mut said = vec![format!("edge {} % ({})", percent(&edge.edge(), 4), short(&edge.edge()))];
    said.push(hits(edge));
    if !edge.push.is_zero() {
        said.push(format!("pushes {} %", percent(&edge.push, 4)));
    }
    said.push(format!("deviation {:.4}", edge.deviation()));
    said.push(format!("{} rolls to a decision", decimal(&edge.rolls, 3)));
    said.extend(spot.states.map(|states| counted(states, "state")));
    said.extend(edge.meter.map(|meter| format!("with {} on its meter", amount(meter))));
    said.extend(spot.exposure.map(|(loss, maximum)| {
        format!("a bet of {} can cost the house {} on one roll", amount(maximum), amount(loss))
    }));
    format!("{}: {}.", spot.wager, said.join("; "))
}

/// How often it is paid an award, and how much of that is the stake alone: an award of 1 for 1 is
/// a hit here as on every sheet, and no gain.
fn hits(edge: &Edge) -> String {
    if edge.hit.is_zero() {
        return "never hits".to_owned();
    }
    let one_in = decimal(&(Ratio::ONE / &edge.hit), 1);
    let hits = format!("hits {} % of the time, 1 in {one_in}", percent(&edge.hit, 4));
    match edge.no_gain.is_zero() {
        true => hits,
        false => {
            let gain = &edge.hit - &edge.no_gain;
            let (back, more) = (percent(&edge.no_gain, 4), percent(&gain, 4));
            format!("{hits}: {back} % no more than the stake, {more} % a gain")
        }
    }
}

/// What to do with it now.
fn next_steps(check: &RulebookCheck<'_>, rulebook: &Rulebook) -> String {
    let file = check.file;
    if !check.faults.is_empty() {
        return "Next: mend the faults above and check it again.".to_owned();
    }
    let mut next = format!("Next: boxman edge --rules {file}\n");
    if let Some(table) = rulebook.paytables.first() {
        next += &format!("      boxman par {} --rules {file}\n", table.name);
    }
    next += &format!("      boxman serve --rulebook {file}");
    next
}

/// A check as JSON: amounts in cents, fractions in strings.
pub fn check_json(check: &RulebookCheck<'_>) -> String {
    let fault = |fault: &Fault| {
        let (line, column) = match fault.at {
            Some(At::Place { line, column }) => (Some(line), Some(column)),
            _ => (None, None),
        };
        FaultObject { line, column, reason: fault.reason.clone() }
    };
    let object = CheckObject {
        file: check.file,
        sound: check.faults.is_empty(),
        faults: check.faults.iter().map(fault).collect(),
        rulebook: check.rulebook.map(|rulebook| rulebook.name.as_str()),
        title: check.rulebook.map(|rulebook| rulebook.title.as_str()),
        odd: check.checked.odd.iter().map(fault).collect(),
        wagers: check.checked.wagers.iter().map(wager_object).collect(),
    };
    serde_json::to_string_pretty(&object).expect("a check is plain data")
}

#[derive(Serialize)]
struct CheckObject<'a> {
    file: &'a str,
    sound: bool,
    faults: Vec<FaultObject>,
    odd: Vec<FaultObject>,
    rulebook: Option<&'a str>,
    title: Option<&'a str>,
    wagers: Vec<WagerObject<'a>>,
}

#[derive(Serialize)]
struct FaultObject {
    line: Option<usize>,
    column: Option<usize>,
    reason: String,
}

#[derive(Serialize)]
struct WagerObject<'a> {
    #[serde(flatten)]
    entry: &'a Entry,
    spots: Vec<SpotObject<'a>>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct SpotObject<'a> {
    wager: &'a str,
    states: Option<usize>,
    edge: Option<String>,
    edge_percent: Option<f64>,
    /// The chance of an award, those in `no_gain` among them.
    hit: Option<String>,
    /// The chance of an award that brings the stake back and no more.
    no_gain: Option<String>,
    push: Option<String>,
    deviation: Option<f64>,
    rolls: Option<String>,
    meter: Option<i64>,
    exposure: Option<i64>,
    maximum: Option<i64>,
    unpriced: Option<String>,
}

fn wager_object(wager: &CheckedWager) -> WagerObject<'_> {
    WagerObject {
        entry: &wager.entry,
        spots: wager.spots.iter().map(spot_object).collect(),
        warnings: &wager.warnings,
    }
}

fn spot_object(spot: &CheckedSpot) -> SpotObject<'_> {
    let edge = spot.edge.as_ref().ok();
    let exact = |of: fn(&Edge) -> Ratio| edge.map(|edge| fraction(&of(edge)));
    SpotObject {
        wager: &spot.wager,
        states: spot.states,
        edge: exact(Edge::edge),
        edge_percent: edge.map(|edge| six_decimals(&(edge.edge() * Ratio::from(100)))),
        hit: exact(|edge| edge.hit.clone()),
        no_gain: exact(|edge| edge.no_gain.clone()),
        push: exact(|edge| edge.push.clone()),
        deviation: edge.map(Edge::deviation),
        rolls: exact(|edge| edge.rolls.clone()),
        meter: edge.and_then(|edge| edge.meter).map(|meter| meter.0),
        exposure: spot.exposure.map(|(loss, _)| loss.0),
        maximum: spot.exposure.map(|(_, maximum)| maximum.0),
        unpriced: spot.edge.as_ref().err().map(ToString::to_string),
    }
}
