//! From a document to a rulebook: every key is read, every fault is noted, nothing stops early.

use super::check::check_pays;
use super::document::{Entry, Value};
use super::fields::{Fields, Reader};
use super::tracked::{lists, sequences};
use super::values::{envy, key_at, limits, or_none, pays, positive, totals};
use super::wagers::{House, wager};
use super::{At, Document, Kind, Listed, Paytable, PaytableEntry, Rulebook};
use crate::dice::{Total, Totals};
use crate::did_you_mean::{nearest, suggestion};
use crate::money::Cents;
use crate::wager::{Cap, CapPaidIn, CapPer, Limits, Shape};

/// Reads a whole rulebook. The document and hash are filled in by the caller.
pub(super) fn rulebook<'a>(reader: &mut Reader<'a>) -> Option<Rulebook> {
    let document: &'a Document = reader.document;
    let root = &document.root;
    let mut fields = reader.fields(root, "the rulebook");
    ["name", "title", "kind", "limits"].into_iter().for_each(|key| fields.need(key));
    let name = fields.text(reader, "name").unwrap_or_default().to_owned();
    if name.contains(|letter: char| letter.is_whitespace() || ":,".contains(letter)) {
        let reason = "a name is written after --rules, so it has no spaces, colons and commas, \
                      such as my-streak";
        reader.fault(&key_at(&fields, "name"), reason);
    }
    let title = fields.text(reader, "title").unwrap_or_default().to_owned();
    let source = fields.text(reader, "source").unwrap_or_default().to_owned();
    let kinds = [("base", Kind::Base), ("side", Kind::Side)];
    let kind = fields.choice(reader, "kind", &kinds);
    let points = points(reader, &mut fields, kind);
    let kind = kind.unwrap_or(Kind::Base);
    let paytables_from = texts(reader, &mut fields, "paytables-from");
    let default_paytables = texts(reader, &mut fields, "default-paytables");
    let limits = default_limits(reader, &mut fields);
    let payout_unit = reader.option("payout-unit");
    let payout_unit = payout_unit.and_then(|node| positive(reader, "payout-unit", node));
    let payout_unit = payout_unit.unwrap_or(Cents(1));
    let cap = cap(reader);
    if let Some(node) = fields.get(reader, "options") {
        reader.fields(node, "[options]");
    }

    let mut wagers = Vec::new();
    if let Some(node) = fields.get(reader, "wager") {
        reader.fields(node, "[wager]");
        for entry in node.entries() {
            let house = House { rulebook: &name, points, limits, cap };
            wagers.extend(wager(reader, entry, house));
        }
    }
    check_odds(reader, &wagers);
    let mut paytables = Vec::new();
    if let Some(node) = fields.get(reader, "paytable") {
        reader.fields(node, "[paytable]");
        for entry in node.entries() {
            paytables.push(paytable(reader, entry, &wagers, points));
        }
    }
    check_priced(reader, &wagers, !paytables_from.is_empty());
    if paytables_from.is_empty() {
        for (paytable, node) in
            default_paytables.iter().zip(fields.list(reader, "default-paytables"))
        {
            if !paytables.iter().any(|known| known.name == *paytable) {
                let hint = suggestion(paytable, paytables.iter().map(|known| known.name.as_str()));
                reader.fault(&node.at, format!("there is no paytable `{paytable}`{hint}"));
            }
        }
    }
    fields.finish(reader);
    reader.finish_options();
    Some(Rulebook {
        name,
        title,
        source,
        kind,
        points,
        wagers,
        paytables,
        paytables_from,
        default_paytables,
        payout_unit,
        cap,
        document: Document { file: String::new(), root: reader.document.root.clone() },
        text: "".into(),
        hash: [0; 32],
    })
}

fn points<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, kind: Option<Kind>) -> Totals {
    match kind {
        Some(Kind::Base) => fields.need("points"),
        Some(Kind::Side) => {
            if let Some(node) = fields.get(reader, "points") {
                reader.fault(&node.at, "only a base game sets the points");
            }
        }
        // Whether it needs them depends on what it is.
        None => {}
    }
    let totals = totals(reader, fields, "points");
    if totals.contains(Total::SEVEN) {
        let at = fields.node.entry("points").map(|entry| entry.at.clone());
        reader.fault(&at.unwrap_or(fields.node.at.clone()), "seven cannot be a point");
    }
    totals.without(Total::SEVEN)
}

fn texts<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, key: &'static str) -> Vec<String> {
    let mut texts = Vec::new();
    for node in fields.list(reader, key) {
        match &node.value {
            Value::Text(text) => texts.push(text.clone()),
            _ => reader.fault(&node.at, format!("`{key}` lists texts, this is {}", node.kind())),
        }
    }
    texts
}

fn cap(reader: &mut Reader<'_>) -> Option<Cap> {
    let node = reader.option("aggregate-cap");
    let per = match reader.option("aggregate-cap-per").map(|node| (&node.at, &node.value)) {
        None => CapPer::Roll,
        Some((_, Value::Text(text))) if text == "roll" => CapPer::Roll,
        Some((_, Value::Text(text))) if text == "hand" => CapPer::Hand,
        Some((at, _)) => {
            reader.fault(at, "`aggregate-cap-per` must be one of `roll`, `hand`");
            CapPer::Roll
        }
    };
    let paid_in = match reader.option("aggregate-cap-paid-in").map(|node| (&node.at, &node.value)) {
        None => CapPaidIn::Cents,
        Some((_, Value::Text(text))) if text == "cents" => CapPaidIn::Cents,
        Some((_, Value::Text(text))) if text == "payout-unit" => CapPaidIn::PayoutUnit,
        Some((at, _)) => {
            reader.fault(at, "`aggregate-cap-paid-in` must be one of `cents`, `payout-unit`");
            CapPaidIn::Cents
        }
    };
    let amount = or_none(reader, "aggregate-cap", node?)?;
    Some(Cap { amount, per, paid_in })
}

fn default_limits<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>) -> Limits {
    let none = Limits { min: Cents(1), max: None, unit: Cents(1) };
    let Some(node) = fields.get(reader, "limits") else { return none };
    let mut fields = reader.fields(node, "[limits]");
    for key in ["min", "max", "unit"] {
        fields.need(key);
    }
    let limits = limits(reader, &mut fields, none);
    fields.finish(reader);
    limits
}

fn paytable<'a>(
    reader: &mut Reader<'a>,
    entry: &'a Entry,
    wagers: &[Listed],
    points: Totals,
) -> Paytable {
    let mut paytable = Paytable { name: entry.key.clone(), entries: Vec::new() };
    reader.fields(&entry.node, "a paytable");
    for line in entry.node.entries() {
        let Some(wager) = wagers.iter().find(|wager| wager.name == line.key) else {
            let hint = suggestion(&line.key, wagers.iter().map(|wager| wager.name.as_str()));
            reader.fault(&line.at, format!("there is no wager `{}`{hint}", line.key));
            continue;
        };
        let mut fields = reader.fields(&line.node, &format!("`{}` of {}", line.key, entry.key));
        let faults_before = reader.faults.len();
        if let Some(read) = paytable_line(reader, &mut fields, wager) {
            let priced = wager.priced(&read, &paytable.name);
            paytable.entries.push(read);
            if reader.faults.len() == faults_before {
                for reason in check_pays(&priced, points) {
                    reader.fault(&line.at, reason);
                }
            }
        }
        fields.finish(reader);
    }
    paytable
}

fn paytable_line<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    wager: &Listed,
) -> Option<PaytableEntry> {
    fields.need("pays");
    let mut shape = wager.shape.clone();
    if let Shape::Sequence { lists: own } = &mut shape {
        if own.is_empty() && !fields.has("lists") {
            fields.need("sequences");
        }
        let unnamed = fields.get(reader, "sequences").map(|node| sequences(reader, node));
        let named = fields.get(reader, "lists").map(|node| lists(reader, node));
        *own = named.or(unnamed).unwrap_or_default();
    }
    let envy = fields.get(reader, "envy").map_or(Vec::new(), |node| envy(reader, node));
    let written = match &shape {
        Shape::Sequence { lists } if lists.is_empty() => &wager.shape,
        shape => shape,
    };
    let pays = fields.get(reader, "pays").and_then(|node| pays(reader, node, written));
    let lists = match shape {
        Shape::Sequence { lists } => lists,
        _ => Vec::new(),
    };
    Some(PaytableEntry { wager: wager.name.clone(), pays: pays?, envy, lists })
}

/// Every odds wager stands behind a line wager.
fn check_odds(reader: &mut Reader<'_>, wagers: &[Listed]) {
    let line =
        |name: &str| wagers.iter().any(|w| w.name == name && matches!(w.shape, Shape::Line { .. }));
    for wager in wagers {
        let Shape::Odds { behind, .. } = &wager.shape else { continue };
        let expected = format!("odds {behind}");
        let at = wager_at(reader, &wager.name);
        if !line(behind) {
            let lines = wagers.iter().filter(|w| line(&w.name)).map(|w| w.name.as_str());
            let hint = suggestion(behind, lines);
            reader.fault(&at, format!("there is no line wager `{behind}` to stand behind{hint}"));
        } else if wager.name != expected {
            reader.fault(&at, format!("the odds behind {behind} must be named `{expected}`"));
        }
    }
}

/// Every wager has its pays written beside it, or a paytable that names it.
fn check_priced(reader: &mut Reader<'_>, wagers: &[Listed], lent: bool) {
    let document = reader.document;
    let tables = document.root.entry("paytable").map_or(&[][..], |tables| tables.node.entries());
    for wager in wagers.iter().filter(|_| !lent) {
        let entry = document.root.entry("wager").and_then(|all| all.node.entry(&wager.name));
        let written = ["pays", "split", "pay"];
        let own = entry.is_some_and(|entry| written.iter().any(|k| entry.node.entry(k).is_some()));
        // A line that looks like a slip for this wager has been reported already.
        let means = |line: &Entry| {
            let known = wagers.iter().map(|wager| wager.name.as_str());
            line.key == wager.name || nearest(&line.key, known) == Some(wager.name.as_str())
        };
        let named = tables.iter().any(|table| table.node.entries().iter().any(means));
        if !own && !named {
            let at = wager_at(reader, &wager.name);
            reader
                .fault(&at, format!("wager `{}` needs `pays`, here or in a paytable", wager.name));
        }
    }
}

fn wager_at(reader: &Reader<'_>, name: &str) -> At {
    let root = &reader.document.root;
    let entry = root.entry("wager").and_then(|wagers| wagers.node.entry(name));
    entry.map_or(&root.at, |entry| &entry.at).clone()
}
