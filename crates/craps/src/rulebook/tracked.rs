//! Reading wagers whose progress the table keeps: what their lammers wait for, and what ends them.

use super::document::{Node, Value};
use super::fields::{Fields, Reader};
use super::values::{item, key_at, not_empty, once_each, total, totals};
use crate::dice::{Combination, Total, Totals};
use crate::puck::Puck;
use crate::wager::{Count, Game, Hears, Item, List, Marks, Repeats, Shape, Times};

/// Every number of the set, or every different number, before an ending total.
pub(super) fn collection<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    repeats: Repeats,
) -> Shape {
    fields.need("collects");
    fields.need("ends-on");
    let collects = totals(reader, fields, "collects");
    let ends_on = totals(reader, fields, "ends-on");
    let both = collects.intersection(ends_on);
    if !both.is_empty() {
        let reason = format!("{both} cannot both be collected and end the wager");
        reader.fault(&key_at(fields, "ends-on"), reason);
    }
    not_empty(reader, fields, "collects");
    not_empty(reader, fields, "ends-on");
    let heard = |totals: Totals| totals.iter().map(|it| Hears::Dice(Item::Total(it))).collect();
    let marks = Marks::Each(heard(collects));
    Shape::Count(Count { marks, times: None, ends_on: heard(ends_on), repeats })
}

/// A count of whatever a tracker can hear.
pub(super) fn count<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    numbers: &[Total],
    points: Option<Totals>,
) -> Shape {
    fields.need("ends-on");
    if fields.has("marks") == fields.has("counts") {
        let reason = "a count needs either `marks`, each by itself, or `counts`, all together";
        reader.fault(&fields.node.at, reason);
    }
    let mut heard = |reader: &mut Reader<'a>, key| {
        let node = fields.get(reader, key);
        node.map_or(Vec::new(), |node| hears(reader, node, numbers, points))
    };
    let each = heard(reader, "marks");
    let together = heard(reader, "counts");
    let mut ends_on = heard(reader, "ends-on");
    let repeats = ends_on.iter().position(|(_, it)| it.is_none());
    if let Some(place) = repeats {
        ends_on.remove(place);
    }
    let repeats = if repeats.is_some() { Repeats::End } else { Repeats::Pass };
    if each.len() > Count::MARKS {
        let (most, these) = (Count::MARKS, each.len());
        let reason = format!("a tracker has room for {most} marks, these are {these}");
        reader.fault(&key_at(fields, "marks"), reason);
    }
    no_overlap(reader, &each, numbers, points);
    for key in ["marks", "counts", "ends-on"] {
        not_empty(reader, fields, key);
    }
    let marks = match only(each) {
        each if each.is_empty() => Marks::Together(only(together)),
        each if each == [Hears::PointMade(None)] => Marks::PointsMade,
        each => Marks::Each(each),
    };
    let times = times(reader, fields, &marks, numbers);
    if repeats == Repeats::End && (times.is_some() || matches!(marks, Marks::Together(_))) {
        let reason = "\"repeat\" ends a wager whose `marks` come once, without `times`";
        reader.fault(&key_at(fields, "ends-on"), reason);
    }
    Shape::Count(Count { marks, times, ends_on: only(ends_on), repeats })
}

/// How often each has to come: a number, or one for each number of the wager.
fn times<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    marks: &Marks,
    numbers: &[Total],
) -> Option<Times> {
    let node = fields.get(reader, "times")?;
    let several = match marks {
        Marks::Each(each) => each.len() > 1,
        Marks::PointsMade => true,
        Marks::Together(_) => false,
    };
    let most = if several { i64::from(Count::OFTEN) } else { i64::from(u8::MAX) };
    let one = |reader: &mut Reader<'a>, node: &Node| match node.value {
        Value::Integer(times) if (1..=most).contains(&times) => Some(times as u8),
        _ => {
            let reason = format!("expected how often it has to come, from 1 to {most}");
            reader.fault(&node.at, reason);
            None
        }
    };
    if let Marks::Each(each) = marks
        && each.len() > Count::COUNTED
    {
        let (most, these) = (Count::COUNTED, each.len());
        let reason = format!("a tracker can count {most} marks, these are {these}");
        reader.fault(&node.at, reason);
    }
    let Value::Table(entries) = &node.value else { return one(reader, node).map(Times::Same) };
    let mut times = Vec::new();
    for entry in entries {
        let of = numbers.iter().find(|number| number.to_string() == entry.key);
        match of {
            Some(of) => times.extend(one(reader, &entry.node).map(|often| (*of, often))),
            None => {
                let key = &entry.key;
                let reason = match numbers {
                    [] => "`times` by number is for a wager with `numbers`, a spot on each; here \
                           it is one number for all marks"
                        .to_owned(),
                    _ => format!("`{key}` is not one of the wager's `numbers`"),
                };
                reader.fault(&entry.at, reason);
            }
        }
    }
    for number in numbers.iter().filter(|number| !times.iter().any(|(of, _)| of == *number)) {
        reader.fault(&node.at, format!("`times` does not say how often {number} has to come"));
    }
    Some(Times::ByNumber(times))
}

type Heard<'a> = (&'a Node, Option<Hears>);

fn only(heard: Vec<Heard<'_>>) -> Vec<Hears> {
    heard.into_iter().filter_map(|(_, it)| it).collect()
}

/// One thing a tracker can hear or a list of them; `"repeat"` is none of them. Each has to be able
/// to come.
fn hears<'a>(
    reader: &mut Reader<'a>,
    node: &'a Node,
    numbers: &[Total],
    points: Option<Totals>,
) -> Vec<Heard<'a>> {
    let nodes = match &node.value {
        Value::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let mut all: Vec<Heard<'a>> = Vec::new();
    for node in nodes {
        if matches!(&node.value, Value::Text(text) if text == "repeat") {
            all.push((node, None));
            continue;
        }
        let Some(heard) = one(reader, node) else { continue };
        if all.iter().any(|(_, known)| *known == Some(heard)) {
            reader.fault(&node.at, format!("{heard} is listed twice"));
        } else if !comes(heard, numbers, points) {
            reader.fault(&node.at, format!("{heard} never comes"));
        } else {
            all.push((node, Some(heard)));
        }
    }
    all
}

/// A total, faces, `"number"`, or what the stick calls.
fn one(reader: &mut Reader<'_>, node: &Node) -> Option<Hears> {
    let Value::Text(text) = &node.value else {
        return total(reader, node).map(|total| Hears::Dice(Item::Total(total)));
    };
    let (word, which) = match text.split_once(' ') {
        Some((word, number)) => (word, Some(number)),
        None => (text.as_str(), None),
    };
    let which = match which.map(|number| number.parse().ok().and_then(Total::new)) {
        Some(None) => return unheard(reader, node),
        Some(which) => which,
        None => None,
    };
    match (word, which) {
        ("point" | "points", which) => Some(Hears::PointSet(which)),
        ("point-made" | "points-made", which) => Some(Hears::PointMade(which)),
        (_, Some(_)) => unheard(reader, node),
        ("line-win" | "line-wins", _) => Some(Hears::LineWin),
        ("seven-out" | "seven-outs", _) => Some(Hears::SevenOut),
        ("roll" | "rolls", _) => Some(Hears::Roll),
        ("number" | "hard" | "easy", _) => item(reader, node).map(Hears::Dice),
        (faces, _) if faces.parse::<crate::dice::Roll>().is_ok() => {
            item(reader, node).map(Hears::Dice)
        }
        _ => unheard(reader, node),
    }
}

fn unheard(reader: &mut Reader<'_>, node: &Node) -> Option<Hears> {
    let reason = "expected a total, faces like \"3-3\", \"number\", \"hard\", \"easy\", \"point\", \
                  \"point-made\", \"line-win\", \"seven-out\" or \"roll\"; a point may be named: \
                  \"point-made 6\"";
    reader.fault(&node.at, reason);
    None
}

/// Every roll of a game: that of the rulebook, or for side bets one in which any number can be the
/// point.
fn rolls(points: Option<Totals>) -> (Game, impl Iterator<Item = (Puck, crate::dice::Roll)>) {
    let any: Totals = Total::all().filter(|total| *total != Total::SEVEN).collect();
    let naturals = [7, 11].into_iter().filter_map(Total::new).collect();
    let game = Game { points: points.unwrap_or(any), naturals };
    let all = game.pucks().flat_map(|puck| Combination::all().map(move |it| (puck, it.roll())));
    (game, all)
}

fn spots(numbers: &[Total]) -> Vec<Option<Total>> {
    match numbers {
        [] => vec![None],
        numbers => numbers.iter().copied().map(Some).collect(),
    }
}

/// Whether it can come on every spot of the wager.
fn comes(heard: Hears, numbers: &[Total], points: Option<Totals>) -> bool {
    spots(numbers).into_iter().all(|number| {
        let (game, mut rolls) = rolls(points);
        rolls.any(|(puck, roll)| heard.covers(game, number, puck, roll))
    })
}

/// A roll is one mark at most.
fn no_overlap(
    reader: &mut Reader<'_>,
    marks: &[Heard<'_>],
    numbers: &[Total],
    points: Option<Totals>,
) {
    for (place, (node, mark)) in marks.iter().enumerate() {
        let earlier = marks[..place].iter().filter_map(|(_, it)| *it);
        let Some(mark) = mark else { continue };
        for other in earlier {
            let both = spots(numbers).into_iter().find_map(|number| {
                let (game, mut rolls) = rolls(points);
                rolls.find(|(puck, roll)| {
                    let covers = |it: Hears| it.covers(game, number, *puck, *roll);
                    covers(*mark) && covers(other)
                })
            });
            if let Some((_, roll)) = both {
                reader.fault(&node.at, format!("{roll} would be both {other} and {mark}"));
            }
        }
    }
}

/// Lists without names: pays go by how many rolls matched.
pub(super) fn sequences<'a>(reader: &mut Reader<'a>, node: &'a Node) -> Vec<List> {
    let wrong = "`sequences` must be a list of lists of totals";
    let Value::List(nodes) = &node.value else {
        reader.fault(&node.at, wrong);
        return Vec::new();
    };
    let mut lists: Vec<List> = Vec::new();
    for node in nodes {
        if !matches!(node.value, Value::List(_)) {
            reader.fault(&node.at, wrong);
        } else if let Some(steps) = steps(reader, node) {
            add(reader, node, &mut lists, List { name: None, steps });
        }
    }
    lists
}

/// Lists with names: pays go by the one that is completed.
pub(super) fn lists<'a>(reader: &mut Reader<'a>, node: &'a Node) -> Vec<List> {
    let Value::Table(entries) = &node.value else {
        let reason = "`lists` must be a table of lists with names, such as { corner = [4, 7] }";
        reader.fault(&node.at, reason);
        return Vec::new();
    };
    let mut lists = Vec::new();
    for entry in entries {
        if let Some(steps) = steps(reader, &entry.node) {
            add(reader, &entry.node, &mut lists, List { name: Some(entry.key.clone()), steps });
        }
    }
    lists
}

/// The steps of a list: each one thing, or a list of which any will do.
fn steps<'a>(reader: &mut Reader<'a>, node: &'a Node) -> Option<Vec<Vec<Hears>>> {
    let Value::List(nodes) = &node.value else {
        reader.fault(&node.at, format!("a list of steps is expected, this is {}", node.kind()));
        return None;
    };
    if nodes.is_empty() || nodes.len() > List::STEPS {
        reader.fault(&node.at, format!("a list has 1 to {} steps, one a roll", List::STEPS));
        return None;
    }
    let faults = reader.faults.len();
    let mut steps = Vec::new();
    for node in nodes {
        let heard = hears(reader, node, &[], None);
        if heard.is_empty() && reader.faults.len() == faults {
            reader.fault(&node.at, "a step names nothing");
        }
        steps.push(only(heard));
    }
    (reader.faults.len() == faults).then_some(steps)
}

/// Adds a list unless an earlier one is always completed before it.
fn add(reader: &mut Reader<'_>, node: &Node, lists: &mut Vec<List>, list: List) {
    let name = |list: &List, place: usize| match &list.name {
        Some(name) => format!("`{name}`"),
        None => format!("list {}", place + 1),
    };
    let places = |step: &[Hears]| -> Vec<(Puck, usize)> {
        let (game, rolls) = rolls(None);
        let matching =
            rolls.filter(|(puck, roll)| step.iter().any(|it| it.covers(game, None, *puck, *roll)));
        matching.map(|(puck, roll)| (puck, roll.index())).collect()
    };
    // Whether every roll that goes along the longer list goes along the shorter one.
    let before = |short: &List, long: &List| {
        let mut steps = short.steps.iter().zip(&long.steps);
        short.steps.len() <= long.steps.len()
            && steps.all(|(one, other)| {
                let wide = places(one);
                places(other).iter().all(|place| wide.contains(place))
            })
    };
    let here = name(&list, lists.len());
    let hidden = lists.iter().enumerate().find_map(|(place, other)| {
        let there = name(other, place);
        if before(other, &list) {
            Some(format!("{here} is never completed, {there} always is before it"))
        } else if before(&list, other) {
            Some(format!("{there} is never completed, {here} always is before it"))
        } else {
            None
        }
    });
    if let Some(reason) = hidden {
        reader.fault(&node.at, reason);
    } else if lists.len() == List::MOST {
        reader.fault(&node.at, format!("a tracker follows at most {} lists", List::MOST));
    } else {
        lists.push(list);
    }
}

/// The numbers of a wager: a spot, and a tracker, on each of them.
pub(super) fn numbers<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>) -> Vec<Total> {
    let nodes = fields.list(reader, "numbers");
    once_each(reader, nodes, total)
}
