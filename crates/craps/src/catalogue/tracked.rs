//! Side bets in words: what they wait for, and how far they have come.

use super::commas;
use crate::dice::Total;
use crate::rules::Rules;
use crate::spot::Spot;
use crate::tracker::Tracker;
use crate::wager::{Count, Hears, List, Marks, PaysBy, Repeats, Shape, Times};

/// How far a side bet has come.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Progress {
    /// In words: `3 of 6 points: 4 6 9`, `5 line wins`.
    pub words: String,
    /// Everything that can carry a lammer, in order; nothing for what is counted together or
    /// follows a list.
    pub lammers: Vec<Lammer>,
    /// How far, as a number: marks that lie, how often something came, rolls that matched.
    pub count: u32,
    /// The number at which it is complete; nothing where it counts on until something ends it.
    pub of: Option<u32>,
}

/// One thing that can carry a lammer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lammer {
    /// What it stands for: `6`, `3-3`.
    pub on: String,
    /// How often it has come.
    pub count: u8,
}

/// What wins a count, and what loses it.
pub(super) fn count(count: &Count, pays: &PaysBy) -> (String, String) {
    let ends = either(&count.ends_on);
    let each = match &count.marks {
        Marks::Each(marks) => list(marks),
        Marks::PointsMade => "the points".to_owned(),
        Marks::Together(marks) => either(marks),
    };
    if count.repeats == Repeats::End {
        let numbers = count.marks.totals().map_or(each, commas);
        return (format!("different numbers of {numbers}"), format!("ends on {ends} or a repeat"));
    }
    let one = matches!(pays, PaysBy::Same(_));
    let wins = match (&count.marks, &count.times) {
        (Marks::PointsMade, None) if matches!(pays, PaysBy::Each(_)) => {
            format!("the same point made again before {ends}, the best award only")
        }
        (_, None) if matches!(pays, PaysBy::Each(_)) => {
            format!("the same of {each} again before {ends}, the best award only")
        }
        (Marks::PointsMade, None) => format!("different points made before {ends}"),
        (Marks::Together(_), None) => format!("as many of {each} as come before {ends}"),
        (Marks::Each(_), None) if one => format!("all of {each} before {ends}"),
        (Marks::Each(_), None) => format!("different ones of {each} before {ends}"),
        (_, Some(times)) => format!("{each} {} before {ends}", often(times)),
    };
    (wins, if one || count.times.is_some() { ends } else { format!("ends on {ends}") })
}

fn often(times: &Times) -> String {
    match times {
        Times::Same(times) => format!("{times} times"),
        Times::ByNumber(times) => {
            let one = |(number, times): &(Total, u8)| format!("{number} {times} times");
            let all: Vec<String> = times.iter().map(one).collect();
            format!("often enough ({})", all.join(", "))
        }
    }
}

/// What wins a list, and what loses it.
pub(super) fn lists(lists: &[List]) -> (String, String) {
    let one = |list: &List| match &list.name {
        Some(name) => format!("{list} ({name})"),
        None => list.to_string(),
    };
    let all: Vec<String> = lists.iter().map(one).collect();
    (format!("rolls that follow {}", all.join(" or ")), "ends on the first miss".to_owned())
}

fn list(heard: &[Hears]) -> String {
    let all: Vec<String> = heard.iter().map(Hears::to_string).collect();
    all.join(", ")
}

/// Totals as they were always listed; anything else with an `or`.
fn either(heard: &[Hears]) -> String {
    let all: Vec<String> = heard.iter().map(Hears::to_string).collect();
    let dice = |it: &Hears| matches!(it, Hears::Dice(_));
    all.join(if heard.iter().all(dice) { ", " } else { " or " })
}

/// How far the side bet on `spot` has come, from its tracker; nothing for other bets.
pub fn progress(rules: &Rules, spot: Spot, tracker: Tracker) -> Progress {
    match &rules.wager_at(spot).shape {
        Shape::Count(count) => counted(rules, spot, count, tracker),
        Shape::Sequence { lists } => {
            let matched = u32::from(tracker.matched());
            let of = lists.iter().map(|list| list.steps.len() as u32).max();
            let rolls = if matched == 1 { "roll" } else { "rolls" };
            let marks = match tracker.marks() {
                marks if marks.is_empty() => String::new(),
                marks => format!(": {marks}"),
            };
            let words = format!("{matched} {rolls} matched{marks}");
            Progress { words, lammers: Vec::new(), count: matched, of }
        }
        _ => Progress::default(),
    }
}

fn counted(rules: &Rules, spot: Spot, count: &Count, tracker: Tracker) -> Progress {
    let number = rules.spot_rule(spot).number;
    let times = count.times.as_ref().and_then(|times| times.on(number));
    let marks = count.marks.each(rules.points);
    let unit = count.marks.unit();
    let several = times.is_some_and(|times| times > 1);
    if marks.is_empty() || (marks.len() == 1 && several) {
        let unit = if marks.is_empty() { unit } else { "times" };
        let (came, of) = (tracker.count(), times.map(u32::from));
        let words = match of {
            Some(of) => format!("{came} of {of} {unit}"),
            None if came == 1 => format!("{came} {}", super::singular(unit)),
            None => format!("{came} {unit}"),
        };
        return Progress { words, lammers: Vec::new(), count: came, of };
    }
    let lammer = |(place, mark): (usize, &Hears)| {
        let name = mark.total().map_or_else(|| mark.to_string(), |total| total.to_string());
        let lies = mark.total().is_some_and(|total| tracker.is_marked(total));
        let count = if lies { 1 } else { tracker.count_of(place) };
        Lammer { on: name, count }
    };
    let lammers: Vec<Lammer> = marks.iter().enumerate().map(lammer).collect();
    let lying: Vec<&Lammer> = lammers.iter().filter(|lammer| lammer.count > 0).collect();
    let best = number.is_none() && matches!(rules.wager_at(spot).pays, PaysBy::Each(_));
    let counts = best || several;
    let name = |lammer: &&Lammer| match counts {
        true => format!("{} ×{}", lammer.on, lammer.count),
        false => lammer.on.clone(),
    };
    let names: Vec<String> = lying.iter().map(name).collect();
    let names = if names.is_empty() { "none yet".to_owned() } else { names.join(" ") };
    let full = |lammer: &&&Lammer| lammer.count >= times.unwrap_or(1);
    let came = lying.iter().filter(full).count() as u32;
    let of = (!best).then_some(lammers.len() as u32);
    let words = match of {
        Some(of) => format!("{came} of {of} {unit}: {names}"),
        None => format!("{unit} {names}"),
    };
    Progress { words, lammers, count: came, of }
}
