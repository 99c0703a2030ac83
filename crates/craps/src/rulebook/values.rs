//! The values a rulebook is written in: money, totals, pays, envy, lists to follow.

use std::fmt::Display;
use std::str::FromStr;

use super::At;
use super::document::{Entry, Node, Value};
use super::fields::{Fields, Reader};
use crate::dice::{Combination, Roll, Total, Totals};
use crate::money::{Cents, parse_decimal};
use crate::wager::{Due, Envy, Item, Limits, List, PaysBy, PaysKey, Shape};

/// Money as a rulebook writes it: `5`, `0.25` or `"$1,000"`.
pub(super) fn money(reader: &mut Reader<'_>, node: &Node) -> Option<Cents> {
    let amount = match &node.value {
        Value::Integer(dollars) => dollars.checked_mul(100).map(Cents),
        Value::Decimal(text) => parse_decimal(text, 2).map(Cents),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    };
    let amount = amount.filter(|amount| (Cents::ZERO..=Cents::MOST).contains(amount));
    if amount.is_none() {
        let reason = "expected dollars such as 5, 0.25 or \"$1,000\", from zero to ten billion";
        reader.fault(&node.at, reason);
    }
    amount
}

/// An amount of money above nothing.
pub(super) fn positive(reader: &mut Reader<'_>, key: &str, node: &Node) -> Option<Cents> {
    let amount = money(reader, node)?;
    if amount == Cents::ZERO {
        reader.fault(&node.at, format!("`{key}` must be more than zero"));
        return None;
    }
    Some(amount)
}

/// An amount of money above nothing, or `"none"`.
pub(super) fn or_none(reader: &mut Reader<'_>, key: &str, node: &Node) -> Option<Cents> {
    match &node.value {
        Value::Text(text) if text == "none" => None,
        Value::Boolean(false) => None,
        _ => positive(reader, key, node),
    }
}

pub(super) fn parsed<T: FromStr<Err = String>>(reader: &mut Reader<'_>, node: &Node) -> Option<T> {
    let Value::Text(text) = &node.value else {
        reader.fault(&node.at, format!("expected a text in quotes, this is {}", node.kind()));
        return None;
    };
    text.parse().map_err(|reason| reader.fault(&node.at, reason)).ok()
}

pub(super) fn total(reader: &mut Reader<'_>, node: &Node) -> Option<Total> {
    let total = match node.value {
        Value::Integer(number) => u8::try_from(number).ok().and_then(Total::new),
        _ => None,
    };
    if total.is_none() {
        reader.fault(&node.at, "expected a total of two dice, 2 to 12");
    }
    total
}

pub(super) fn totals<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    key: &'static str,
) -> Totals {
    let nodes = fields.list(reader, key);
    once_each(reader, nodes, total).into_iter().collect()
}

/// The values of a list; one that is there twice is a fault.
pub(super) fn once_each<'a, T: Copy + PartialEq + Display>(
    reader: &mut Reader<'a>,
    nodes: impl IntoIterator<Item = &'a Node>,
    read: impl Fn(&mut Reader<'a>, &'a Node) -> Option<T>,
) -> Vec<T> {
    let mut values = Vec::new();
    for node in nodes {
        let Some(value) = read(reader, node) else { continue };
        match values.contains(&value) {
            true => reader.fault(&node.at, format!("{value} is listed twice")),
            false => values.push(value),
        }
    }
    values
}

/// Something that has to be said cannot be an empty list.
pub(super) fn not_empty<'a>(reader: &mut Reader<'a>, fields: &Fields<'a>, key: &'static str) {
    let Some(entry) = fields.node.entry(key) else { return };
    if matches!(&entry.node.value, Value::List(items) if items.is_empty()) {
        reader.fault(&entry.node.at, format!("`{key}` names nothing"));
    }
}

pub(super) fn items<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    key: &'static str,
) -> Vec<Item> {
    let nodes = fields.list(reader, key);
    once_each(reader, nodes, item)
}

pub(super) fn item(reader: &mut Reader<'_>, node: &Node) -> Option<Item> {
    let Value::Text(text) = &node.value else { return total(reader, node).map(Item::Total) };
    match text.as_str() {
        "number" => Some(Item::Number),
        "hard" => Some(Item::Hard),
        "easy" => Some(Item::Easy),
        "faces" => Some(Item::Faces),
        faces => match faces.parse::<Roll>() {
            Ok(roll) => Some(Item::Combination(roll.combination())),
            Err(_) => {
                let reason = "expected a total, \"number\", \"hard\", \"easy\", \"faces\" or \
                              faces like \"3-3\"";
                reader.fault(&node.at, reason);
                None
            }
        },
    }
}

/// A pair of faces, in either order.
pub(super) fn pair(reader: &mut Reader<'_>, node: &Node) -> Option<Combination> {
    let roll = match &node.value {
        Value::Text(text) => text.parse::<Roll>().ok(),
        _ => None,
    };
    if roll.is_none() {
        reader.fault(&node.at, "expected two faces such as \"5-3\"");
    }
    roll.map(Roll::combination)
}

pub(super) fn limits<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    default: Limits,
) -> Limits {
    let mut amount = |key| {
        let node = fields.get(reader, key)?;
        let amount = positive(reader, key, node)?;
        if amount > Limits::MOST {
            reader.fault(&node.at, format!("`{key}` may be at most {}", Limits::MOST));
            return None;
        }
        Some(amount)
    };
    let min = amount("min").unwrap_or(default.min);
    let unit = amount("unit").unwrap_or(default.unit);
    let max = amount("max").or(default.max);
    let least = Limits { min, max, unit }.least();
    if let Some(max) = max.filter(|max| *max < least) {
        let at = ["max", "min", "unit"].iter().find_map(|key| fields.node.entry(key));
        let at = at.map_or(&fields.node.at, |entry| &entry.node.at).clone();
        reader.fault(&at, format!("no bet fits: minimum {min}, maximum {max}, unit {unit}"));
    }
    Limits { min, max, unit }
}

/// What a wager of this shape pays: one pay, or a table of them by number, rung or list. A table
/// in a table goes by number first and then by rung.
pub(super) fn pays(reader: &mut Reader<'_>, node: &Node, shape: &Shape) -> Option<PaysBy> {
    let Value::Table(entries) = &node.value else {
        return parsed::<Due>(reader, node).map(PaysBy::Same);
    };
    let named = |list: &List| list.name.is_some();
    match shape {
        Shape::Sequence { lists } if lists.iter().any(named) => {
            let due = |entry: &Entry| Some((entry.key.clone(), parsed(reader, &entry.node)?));
            Some(PaysBy::List(entries.iter().filter_map(due).collect()))
        }
        shape if !shape.is_tracked() => Some(PaysBy::Key(dues(reader, entries, str::parse))),
        _ if entries.iter().any(|entry| matches!(entry.node.value, Value::Table(_))) => {
            let mut each = Vec::new();
            for entry in entries {
                let number = entry.key.parse().ok().and_then(Total::new);
                match (number, &entry.node.value) {
                    (Some(number), Value::Table(entries)) => {
                        each.push((number, dues(reader, entries, PaysKey::rung)));
                    }
                    _ => {
                        let reason =
                            "expected a number and its rungs, such as 4 = { 3 = \"9 to 1\" }";
                        reader.fault(&entry.at, reason);
                    }
                }
            }
            Some(PaysBy::Each(each))
        }
        _ => Some(PaysBy::Key(dues(reader, entries, PaysKey::rung))),
    }
}

fn dues(
    reader: &mut Reader<'_>,
    entries: &[Entry],
    key: impl Fn(&str) -> Result<PaysKey, String>,
) -> Vec<(PaysKey, Due)> {
    let mut dues = Vec::new();
    for entry in entries {
        let key = match key(&entry.key) {
            Ok(key) => key,
            Err(reason) => {
                reader.fault(&entry.at, reason);
                continue;
            }
        };
        if let Some(due) = parsed::<Due>(reader, &entry.node) {
            dues.push((key, due));
        }
    }
    dues
}

pub(super) fn envy(reader: &mut Reader<'_>, node: &Node) -> Vec<(u8, Envy)> {
    let Value::Table(entries) = &node.value else {
        return parsed::<Envy>(reader, node).map(|envy| (0, envy)).into_iter().collect();
    };
    let mut rungs = Vec::new();
    for entry in entries {
        match entry.key.parse() {
            Ok(rung) => rungs.extend(parsed::<Envy>(reader, &entry.node).map(|envy| (rung, envy))),
            Err(_) => reader.fault(&entry.at, format!("`{}` is not a rung", entry.key)),
        }
    }
    rungs
}

pub(super) fn key_at(fields: &Fields<'_>, key: &str) -> At {
    fields.node.entry(key).map_or(&fields.node.at, |entry| &entry.node.at).clone()
}
