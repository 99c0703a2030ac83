//! Side bets in words: what they wait for, and how far they have come.

use super::commas;
use crate::dice::Total;
use crate::rules::Rules;
use crate::spot::Spot;
use crate::tracker::Tracker;
use crate::wager::{Count, Hears, List, Marks, PaysBy, Repeats, Shape, Times, Wager};

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
pub(super) fn count(rules: &Rules, wager: &Wager, count: &Count) -> (String, String) {
    let ends = either(&count.ends_on);
    let of_wager = |spot: &Spot| rules.wager_at(*spot).name == wager.name;
    let mut trackers = rules.tracked().filter(of_wager).filter_map(|it| rules.tracker_at(it));
    let before = match trackers.any(|place| rules.trackers[place].counts_an_ending()) {
        true => format!("up to {ends}, which counts too"),
        false => format!("before {ends}"),
    };
    if count.repeats == Repeats::End {
        let each = |marks: &[Hears]| count.marks.totals().map_or_else(|| list(marks), commas);
        let numbers = match &count.marks {
            Marks::Each(marks) | Marks::Together(marks) => each(marks),
            Marks::PointsMade => "the points".to_owned(),
        };
        return (format!("different numbers of {numbers}"), format!("ends on {ends} or a repeat"));
    }
    // A spot on each number has one pay of its own.
    let spots = !wager.numbers.is_empty();
    let one = match wager.pays {
        PaysBy::Same(_) => true,
        PaysBy::Key(_) => spots,
        PaysBy::Each(_) | PaysBy::List(_) => false,
    };
    let best = matches!(wager.pays, PaysBy::Each(_)) && !spots;
    let wins = match best {
        true => format!("{}, the best award only", best_of(&count.marks, &before)),
        false => awaited(count, one, &before),
    };
    (wins, if one { ends } else { format!("ends on {ends}") })
}

/// What is counted for each mark, where the best of them is paid.
fn best_of(marks: &Marks, before: &str) -> String {
    match marks {
        Marks::PointsMade => format!("how often the same point is made {before}"),
        Marks::Each(marks) | Marks::Together(marks) => {
            format!("how often one of {} comes {before}", list(marks))
        }
    }
}

/// What has to come: all of it where there is `one` pay, else as much as comes.
fn awaited(count: &Count, one: bool, before: &str) -> String {
    let (marks, unit) = (&count.marks, count.marks.unit());
    let (single, named) = match marks {
        Marks::PointsMade => (false, "the points".to_owned()),
        Marks::Each(marks) => (marks.len() == 1, list(marks)),
        Marks::Together(marks) => (true, either(marks)),
    };
    match (marks, &count.times) {
        (Marks::PointsMade, None) if one => format!("every point made {before}"),
        (Marks::PointsMade, None) => format!("different points made {before}"),
        (Marks::PointsMade, Some(times)) if one => {
            format!("every point made {} {before}", often(times))
        }
        (Marks::PointsMade, Some(times)) => format!("points made {} {before}", often(times)),
        (Marks::Together(_), None) if unit != "times" => format!("as many {unit} as come {before}"),
        (_, None) if single && one => format!("{named} {before}"),
        (_, None) if single => format!("how often {named} comes {before}"),
        (_, None) if one => format!("all of {named} {before}"),
        (_, None) => format!("different ones of {named} {before}"),
        (Marks::Together(_), Some(Times::Same(times))) if one && unit != "times" => match times {
            1 => format!("1 {} {before}", super::singular(unit)),
            times => format!("{times} {unit} {before}"),
        },
        (_, Some(times)) if single && one => format!("{named} {} {before}", often(times)),
        (_, Some(_)) if single => format!("how often {named} comes {before}"),
        (_, Some(times)) if one => format!("each of {named} {} {before}", often(times)),
        (_, Some(times)) => format!("how many of {named} come {} {before}", often(times)),
    }
}

fn often(times: &Times) -> String {
    let word = |times: u8| match times {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        times => format!("{times} times"),
    };
    match times {
        Times::Same(times) => word(*times),
        Times::ByNumber(times) => {
            let one = |(number, times): &(Total, u8)| format!("{number}: {}", word(*times));
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
