//! Reading a commission: a share with its rounding, or a table of steps as a house posts it.

use super::document::{Entry, Node, Value};
use super::fields::{Fields, Reader};
use super::values::{key_at, money, parsed, positive};
use crate::commission::{Commission, CommissionWhen, Measure, Rounding, Vig, VigStep};
use crate::money::{Cents, Rate};
use crate::wager::Limits;

/// Reads the `commission` table of a wager.
pub(super) fn commission<'a>(reader: &mut Reader<'a>, node: &'a Node) -> Option<Commission> {
    let mut fields = reader.fields(node, "`commission`");
    fields.need("of");
    let vig = match fields.has("steps") {
        true => {
            let keys = ["rate", "rounding", "unit", "minimum"];
            let said: Vec<&str> =
                keys.into_iter().filter(|key| fields.get(reader, key).is_some()).collect();
            if !said.is_empty() {
                let keys = said.join("`, `");
                let reason = format!("`steps` say all of a commission, leave `{keys}` out");
                reader.fault(&key_at(&fields, said[0]), reason);
            }
            fields.get(reader, "steps").and_then(|node| steps(reader, node)).map(Vig::Steps)
        }
        false => share(reader, &mut fields),
    };
    let measures = [("stake", Measure::Stake), ("win", Measure::Win)];
    let of = fields.choice(reader, "of", &measures);
    let whens = [("placed", CommissionWhen::Placed), ("won", CommissionWhen::Won)];
    let when = fields.choice(reader, "when", &whens).unwrap_or(CommissionWhen::Placed);
    fields.finish(reader);
    Some(Commission { vig: vig?, of: of?, when })
}

fn share<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>) -> Option<Vig> {
    fields.need("rate");
    let rate = fields.get(reader, "rate").and_then(|node| parsed::<Rate>(reader, node));
    let ways =
        [("floor", Rounding::Floor), ("nearest", Rounding::Nearest), ("ceil", Rounding::Ceil)];
    let rounding = fields.choice(reader, "rounding", &ways).unwrap_or(Rounding::Floor);
    let unit = fields.get(reader, "unit").and_then(|node| {
        let unit = money(reader, node)?;
        if unit == Cents::ZERO {
            reader.fault(&node.at, "the commission's unit must be more than zero");
        }
        Some(unit.max(Cents(1)))
    });
    let minimum = fields.get(reader, "minimum").and_then(|node| money(reader, node));
    // Asked for so that a slip for it is told.
    fields.get(reader, "steps");
    Some(Vig::Share {
        rate: rate?,
        rounding,
        unit: unit.unwrap_or(Cents(1)),
        minimum: minimum.unwrap_or(Cents::ZERO),
    })
}

/// A line of the table as it is written: from, and up to where it says so.
struct Line {
    step: VigStep,
    to: Option<Cents>,
}

/// `{ "20-35" = 1, "36-55" = 2, "56+" = "3 and 1 more each 20" }`: in order, without a gap, never
/// falling, and open at the end.
fn steps(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<VigStep>> {
    let Value::Table(entries) = &node.value else {
        let reason = format!("`steps` must be a table, this is {}", node.kind());
        reader.fault(&node.at, reason);
        return None;
    };
    if entries.is_empty() {
        reader.fault(&node.at, "`steps` names nothing");
    }
    let mut lines: Vec<Line> = Vec::new();
    for (place, entry) in entries.iter().enumerate() {
        let Some(line) = step(reader, entry) else { continue };
        let last = place + 1 == entries.len();
        if let Some(reason) = out_of_step(lines.last(), &line, last) {
            reader.fault(&entry.at, reason);
        }
        lines.push(line);
    }
    Some(lines.into_iter().map(|line| line.step).collect())
}

/// What is wrong with a line where it stands.
fn out_of_step(before: Option<&Line>, line: &Line, last: bool) -> Option<String> {
    let VigStep { from, due, .. } = line.step;
    if let Some(Line { step: VigStep { due: earlier, .. }, to: Some(to) }) = before {
        let (earlier, to) = (*earlier, *to);
        if from <= to {
            return Some(format!("{from} is in the step before, which goes to {to}"));
        }
        if from - to > Cents::dollars(1) {
            return Some(format!("no step says what is due between {to} and {from}"));
        }
        if due < earlier {
            return Some(format!("a commission of {due} after one of {earlier} would fall"));
        }
    }
    match (line.to, last) {
        (Some(to), true) => {
            Some(format!("the steps end at {to}, write the last one as \"{}+\"", from.plain()))
        }
        (None, false) => Some("only the last step is open at its end".to_owned()),
        _ => None,
    }
}

fn step(reader: &mut Reader<'_>, entry: &Entry) -> Option<Line> {
    let range = match entry.key.strip_suffix('+') {
        Some(from) => from.trim().parse().ok().map(|from| (from, None)),
        None => entry.key.split_once('-').and_then(|(from, to)| {
            Some((from.trim().parse().ok()?, Some(to.trim().parse().ok()?)))
        }),
    };
    let range = range.filter(|(from, to): &(Cents, Option<Cents>)| {
        *from >= Cents::ZERO && to.is_none_or(|to| to >= *from)
    });
    let Some((from, to)) = range else {
        let reason = format!("`{}` is no range of dollars such as \"20-35\" or \"56+\"", entry.key);
        reader.fault(&entry.at, reason);
        return None;
    };
    let (due, more) = due(reader, &entry.node)?;
    if to.is_some() && more.is_some() {
        reader.fault(&entry.node.at, "only the last step goes on with more");
    }
    Some(Line { step: VigStep { from, due, more }, to })
}

/// `3`, or `"3 and 1 more each 20"`.
fn due(reader: &mut Reader<'_>, node: &Node) -> Option<(Cents, Option<(Cents, Cents)>)> {
    let Value::Text(text) = &node.value else {
        return positive(reader, "steps", node).map(|due| (due, None));
    };
    let amount = |text: &str| {
        let amount = text.trim().parse().ok();
        amount.filter(|amount| (Cents(1)..=Limits::MOST).contains(amount))
    };
    let read = match text.split_once(" and ") {
        None => amount(text).map(|due| (due, None)),
        Some((due, further)) => further.split_once(" more each ").and_then(|(more, each)| {
            let (more, each): (Cents, Cents) = (amount(more)?, amount(each)?);
            (more <= each).then_some((amount(due)?, Some((more, each))))
        }),
    };
    if read.is_none() {
        let reason = "expected dollars such as 3, or \"3 and 1 more each 20\"";
        reader.fault(&node.at, reason);
    }
    read
}
