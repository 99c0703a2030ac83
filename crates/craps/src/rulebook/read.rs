//! From a document to a rulebook: every key is read, every fault is noted, nothing stops early.

use std::str::FromStr;

use super::document::{Entry, Fields, Node, Reader, Value, suggestion};
use super::{At, Cap, CapPer, Document, Kind, Paytable, PaytableEntry, Rulebook, price};
use crate::money::parse_decimal;
use crate::{
    Basis, Board, Cents, Commission, CommissionWhen, Due, Envy, Item, Limits, Measure, MeterTerms,
    Pays, PaysBy, PaysKey, Rate, Roll, Rounding, Shape, Side, Split, Take, Total, Totals, Wager,
    When, Winners, Working,
};

/// Reads a whole rulebook. The document and hash are filled in by the caller.
pub(super) fn rulebook<'a>(reader: &mut Reader<'a>) -> Option<Rulebook> {
    let document: &'a Document = reader.document;
    let root = &document.root;
    let mut fields = reader.fields(root, "the rulebook");
    ["name", "title", "kind", "limits"].into_iter().for_each(|key| fields.need(key));
    let name = fields.text(reader, "name").unwrap_or_default().to_owned();
    let title = fields.text(reader, "title").unwrap_or_default().to_owned();
    let source = fields.text(reader, "source").unwrap_or_default().to_owned();
    let kinds = [("base", Kind::Base), ("side", Kind::Side)];
    let kind = fields.choice(reader, "kind", &kinds).unwrap_or(Kind::Base);
    let points = points(reader, &mut fields, kind);
    let paytables_from = texts(reader, &mut fields, "paytables-from");
    let default_paytables = texts(reader, &mut fields, "default-paytables");
    let limits = default_limits(reader, &mut fields);
    let payout_unit = reader.option("payout-unit").and_then(|node| money(reader, node));
    let payout_unit = positive(reader, "payout-unit", payout_unit).unwrap_or(Cents(1));
    let cap = cap(reader);
    if let Some(node) = fields.get(reader, "options") {
        reader.fields(node, "[options]");
    }

    let mut wagers = Vec::new();
    if let Some(node) = fields.get(reader, "wager") {
        reader.fields(node, "[wager]");
        for entry in node.entries() {
            wagers.extend(wager(reader, entry, &name, points, limits));
        }
    }
    check_odds(reader, &wagers);
    let mut paytables = Vec::new();
    if let Some(node) = fields.get(reader, "paytable") {
        reader.fields(node, "[paytable]");
        for entry in node.entries() {
            paytables.push(paytable(reader, entry, &wagers));
        }
    }
    check_priced(reader, &wagers, &paytables, !paytables_from.is_empty());
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
        hash: [0; 32],
    })
}

fn points<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, kind: Kind) -> Totals {
    if kind == Kind::Base {
        fields.need("points");
    } else if let Some(node) = fields.get(reader, "points") {
        reader.fault(&node.at, "only a base game sets the points");
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
    let amount = or_none(reader, "aggregate-cap", node)?;
    Some(Cap { amount, per })
}

/// An amount of money that may be `"none"`.
fn or_none(reader: &mut Reader<'_>, key: &str, node: Option<&Node>) -> Option<Cents> {
    let node = node?;
    match &node.value {
        Value::Text(text) if text == "none" => None,
        Value::Boolean(false) => None,
        _ => {
            let amount = money(reader, node).map(|amount| (&node.at, amount));
            positive(reader, key, amount.map(|(_, amount)| amount))
        }
    }
}

fn positive(reader: &mut Reader<'_>, key: &str, amount: Option<Cents>) -> Option<Cents> {
    if amount.is_some_and(|amount| amount <= Cents::ZERO) {
        let options = reader.document.root.entry("options");
        let entry = options.and_then(|options| options.node.entry(key));
        let at = entry.map_or(&reader.document.root.at, |entry| &entry.node.at).clone();
        reader.fault(&at, format!("`{key}` must be more than zero"));
        return None;
    }
    amount
}

/// Money as a rulebook writes it: `5`, `0.25` or `"$1,000"`.
fn money(reader: &mut Reader<'_>, node: &Node) -> Option<Cents> {
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

fn parsed<T: FromStr<Err = String>>(reader: &mut Reader<'_>, node: &Node) -> Option<T> {
    let Value::Text(text) = &node.value else {
        reader.fault(&node.at, format!("expected a text in quotes, this is {}", node.kind()));
        return None;
    };
    text.parse().map_err(|reason| reader.fault(&node.at, reason)).ok()
}

fn total(reader: &mut Reader<'_>, node: &Node) -> Option<Total> {
    let total = match node.value {
        Value::Integer(number) => u8::try_from(number).ok().and_then(Total::new),
        _ => None,
    };
    if total.is_none() {
        reader.fault(&node.at, "expected a total of two dice, 2 to 12");
    }
    total
}

fn totals<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, key: &'static str) -> Totals {
    let nodes = fields.list(reader, key);
    nodes.iter().filter_map(|node| total(reader, node)).collect()
}

fn items<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, key: &'static str) -> Vec<Item> {
    let nodes = fields.list(reader, key);
    nodes.iter().filter_map(|node| item(reader, node)).collect()
}

fn item(reader: &mut Reader<'_>, node: &Node) -> Option<Item> {
    let Value::Text(text) = &node.value else { return total(reader, node).map(Item::Total) };
    match text.as_str() {
        "number" => Some(Item::Number),
        "hard" => Some(Item::Hard),
        "easy" => Some(Item::Easy),
        faces => match faces.parse::<Roll>() {
            Ok(roll) => Some(Item::Combination(roll.combination())),
            Err(_) => {
                let reason =
                    "expected a total, \"number\", \"hard\", \"easy\" or faces like \"3-3\"";
                reader.fault(&node.at, reason);
                None
            }
        },
    }
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

fn limits<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, default: Limits) -> Limits {
    let mut amount = |key| {
        let node = fields.get(reader, key)?;
        let amount = money(reader, node)?;
        if amount == Cents::ZERO {
            reader.fault(&node.at, format!("`{key}` must be more than zero"));
            return None;
        }
        Some(amount)
    };
    let min = amount("min").unwrap_or(default.min);
    let unit = amount("unit").unwrap_or(default.unit);
    let max = amount("max").or(default.max);
    if max.is_some_and(|max| max < min || max < unit) {
        let at = ["max", "min", "unit"].iter().find_map(|key| fields.node.entry(key));
        let at = at.map_or(&fields.node.at, |entry| &entry.at).clone();
        reader.fault(
            &at,
            format!("no bet fits: minimum {min}, maximum {}, unit {unit}", max.unwrap()),
        );
    }
    Limits { min, max, unit }
}

fn wager<'a>(
    reader: &mut Reader<'a>,
    entry: &'a Entry,
    rulebook: &str,
    points: Totals,
    default: Limits,
) -> Option<Wager> {
    let node = &entry.node;
    let faults_before = reader.faults.len();
    let name = entry.key.clone();
    let word = |word: &str| {
        !word.is_empty()
            && word.bytes().all(|b| b == b'-' || b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    if !name.split(' ').all(word) {
        reader
            .fault(&entry.at, format!("`{name}` is not a wager's name, expected lower-case-words"));
    }
    let mut fields = reader.fields(node, &format!("wager `{name}`"));
    fields.need("title");
    let title = fields.text(reader, "title").unwrap_or_default().to_owned();
    fields.need("shape");
    let shapes = ["one-roll", "race", "line", "odds", "collect", "distinct", "sequence"];
    let shapes: Vec<(&str, &str)> = shapes.iter().map(|shape| (*shape, *shape)).collect();
    let shape_name = fields.choice(reader, "shape", &shapes);
    let offered = !fields.has("offered") || fields.flag(reader, "offered");
    let numbers = match shape_name {
        Some("one-roll" | "race") => numbers(reader, &mut fields),
        _ => Vec::new(),
    };
    let split = fields.has("split");
    let pays_key = if split && shape_name == Some("one-roll") { "split" } else { "pays" };
    let pays = fields.get(reader, pays_key).and_then(|node| pays(reader, node));
    let envy = fields.get(reader, "envy").map_or(Vec::new(), |node| envy(reader, node));
    let shape = match shape_name {
        Some(name) => shape(reader, &mut fields, name, points),
        None => Shape::Sequence { sequences: Vec::new() },
    };
    let tracked = shape.is_tracked();
    let (limits, base) = wager_limits(reader, &mut fields, &shape, default);
    let mut wager = Wager {
        name,
        title,
        rulebook: rulebook.to_owned(),
        paytable: None,
        numbers,
        pays,
        envy,
        limits,
        when: when(reader, &mut fields, &shape),
        puck_off_only: tracked && fields.choice(reader, "puck", &[("off", ())]).is_some(),
        rebet: tracked && fields.flag(reader, "re-bet"),
        line_bet_required: tracked && fields.flag(reader, "line-bet-required"),
        take: take(reader, &mut fields, &shape),
        put: matches!(shape, Shape::Line { .. }) && fields.flag(reader, "put"),
        come_out: Working::On,
        callable: false,
        stays: false,
        commission: None,
        family: None,
        capped: tracked && fields.flag(reader, "capped"),
        board: Board::Own,
        meter: None,
        offered,
        shape,
    };
    if matches!(wager.shape, Shape::Race { .. } | Shape::Odds { .. }) {
        let working = [("on", Working::On), ("off", Working::Off)];
        wager.come_out = fields.choice(reader, "come-out", &working).unwrap_or(Working::On);
        wager.callable = fields.flag(reader, "callable");
    }
    if matches!(wager.shape, Shape::Race { .. }) {
        let after = [("stays", true), ("comes-down", false)];
        wager.stays = fields.choice(reader, "after-win", &after).unwrap_or(false);
        wager.commission = fields.get(reader, "commission").and_then(|n| commission(reader, n));
    }
    if tracked {
        wager.family = fields.text(reader, "family").map(str::to_owned);
        if wager.when == When::FamilyIdle && wager.family.is_none() {
            reader.fault(&node.at, "`when = \"family-idle\"` needs a `family`");
        }
        let boards = [("own", Board::Own), ("bonus", Board::Bonus)];
        wager.board = fields.choice(reader, "board", &boards).unwrap_or_default();
        let meter = fields.get(reader, "meter");
        wager.meter = meter.and_then(|node| meter_terms(reader, node, base));
    }
    if shape_name.is_none() {
        // Without a shape nobody knows which keys belong: one fault is enough.
        return Some(wager);
    }
    fields.finish(reader);
    if wager.pays.is_some() && reader.faults.len() == faults_before {
        for reason in check_pays(&wager) {
            reader.fault(&pays_at(node), reason);
        }
    }
    Some(wager)
}

/// The place of a wager's pays, for faults that are about them.
fn pays_at(node: &Node) -> At {
    let entry = node.entry("pays").or_else(|| node.entry("split"));
    entry.map_or(&node.at, |entry| &entry.at).clone()
}

fn numbers<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>) -> Vec<Total> {
    let mut numbers: Vec<Total> = Vec::new();
    for node in fields.list(reader, "numbers") {
        let Some(number) = total(reader, node) else { continue };
        if numbers.contains(&number) {
            reader.fault(&node.at, format!("{number} is listed twice"));
        } else {
            numbers.push(number);
        }
    }
    numbers
}

/// A wager's limits, and the base wager if it is bet in units of one.
fn wager_limits<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    shape: &Shape,
    default: Limits,
) -> (Limits, Option<Cents>) {
    if shape.is_tracked()
        && let Some(node) = fields.get(reader, "base")
    {
        let base = money(reader, node).filter(|base| *base > Cents::ZERO);
        if base.is_none() {
            reader.fault(&node.at, "the base wager must be more than zero");
        }
        let base = base.unwrap_or(Cents::dollars(1));
        return (Limits { min: base, max: Some(base), unit: base }, Some(base));
    }
    if matches!(shape, Shape::Odds { .. }) {
        let default = Limits { max: None, ..default };
        return (limits(reader, fields, default), None);
    }
    (limits(reader, fields, default), None)
}

fn when<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, shape: &Shape) -> When {
    let line = [("come-out", When::ComeOut), ("point-on", When::PointOn)];
    let tracked = [
        ("idle", When::Idle),
        ("come-out-idle", When::ComeOutIdle),
        ("after-seven", When::AfterSeven),
        ("family-idle", When::FamilyIdle),
    ];
    let choices = match shape {
        Shape::Line { .. } => &line[..],
        shape if shape.is_tracked() => &tracked[..],
        _ => return When::AnyTime,
    };
    fields.need("when");
    fields.choice(reader, "when", choices).unwrap_or(When::AnyTime)
}

fn take<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, shape: &Shape) -> Take {
    let choices = [("any-time", Take::AnyTime), ("until-set", Take::UntilSet)];
    match shape {
        Shape::Line { .. } => {
            fields.need("take");
            fields.choice(reader, "take", &choices).unwrap_or(Take::AnyTime)
        }
        shape if shape.is_tracked() => Take::UntilRiding,
        _ => Take::AnyTime,
    }
}

fn shape<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    name: &str,
    points: Totals,
) -> Shape {
    match name {
        "one-roll" => {
            let high = fields.flag(reader, "high");
            let split = fields.has("split");
            let split = split.then_some(if high { Split::High } else { Split::Even });
            Shape::OneRoll { wins: items(reader, fields, "wins"), split }
        }
        "race" => {
            fields.need("wins");
            fields.need("loses");
            let (wins, loses) = (items(reader, fields, "wins"), items(reader, fields, "loses"));
            Shape::Race { wins, loses }
        }
        "line" => line(reader, fields, points),
        "odds" => odds(reader, fields, points),
        "collect" | "distinct" => {
            fields.need("collects");
            fields.need("ends-on");
            let collects = totals(reader, fields, "collects");
            let ends_on = totals(reader, fields, "ends-on");
            let both = collects.intersection(ends_on);
            if !both.is_empty() {
                let reason = format!("{both} cannot both be collected and end the wager");
                reader.fault(&key_at(fields, "ends-on"), reason);
            }
            if collects.is_empty() {
                reader.fault(&key_at(fields, "collects"), "there is nothing to collect");
            }
            match name {
                "collect" => Shape::Collect { collects, ends_on },
                _ => Shape::Distinct { collects, ends_on },
            }
        }
        _ => {
            let node = fields.get(reader, "sequences");
            Shape::Sequence { sequences: node.map_or(Vec::new(), |node| sequences(reader, node)) }
        }
    }
}

fn key_at(fields: &Fields<'_>, key: &str) -> At {
    fields.node.entry(key).map_or(&fields.node.at, |entry| &entry.node.at).clone()
}

fn line<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, points: Totals) -> Shape {
    for key in ["side", "wins", "loses"] {
        fields.need(key);
    }
    let sides = [("right", Side::Right), ("wrong", Side::Wrong)];
    let side = fields.choice(reader, "side", &sides).unwrap_or(Side::Right);
    let wins = totals(reader, fields, "wins");
    let loses = totals(reader, fields, "loses");
    let bar_node = fields.get(reader, "bar");
    let bar = bar_node.and_then(|node| total(reader, node));
    if let (Some(node), Some(bar)) = (bar_node, bar)
        && !wins.contains(bar)
    {
        let reason = format!("the bar must be a total that would win ({wins}), {bar} is not");
        reader.fault(&node.at, reason);
    }
    for (one, other, what) in [
        (wins, loses, "both win and lose"),
        (wins, points, "both win and set a point"),
        (loses, points, "both lose and set a point"),
    ] {
        let both = one.intersection(other);
        if !both.is_empty() {
            reader.fault(&key_at(fields, "wins"), format!("{both} would {what}"));
        }
    }
    let missing: Totals =
        Total::all().filter(|total| !wins.union(loses).union(points).contains(*total)).collect();
    if !missing.is_empty() {
        let reason = format!("a first roll of {missing} neither wins, loses nor sets a point");
        reader.fault(&key_at(fields, "wins"), reason);
    }
    Shape::Line { side, wins, loses, bar, travels: fields.flag(reader, "travels") }
}

fn odds<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, points: Totals) -> Shape {
    for key in ["behind", "multiples", "multiples-of"] {
        fields.need(key);
    }
    let behind = fields.text(reader, "behind").unwrap_or_default().to_owned();
    let measures = [("stake", Measure::Stake), ("win", Measure::Win)];
    let of = fields.choice(reader, "multiples-of", &measures).unwrap_or(Measure::Stake);
    let mut multiples = Vec::new();
    if let Some(node) = fields.get(reader, "multiples") {
        let text = match &node.value {
            Value::Text(text) => text.strip_suffix('x').unwrap_or(text).to_owned(),
            Value::Integer(number) => number.to_string(),
            _ => String::new(),
        };
        let parse = |part: &str| part.parse().ok().filter(|multiple| (1..=1000).contains(multiple));
        multiples = text.split('-').filter_map(parse).collect();
        let pairs = points.len().div_ceil(2) as usize;
        let whole = multiples.len() == text.split('-').count();
        if !whole || (multiples.len() != 1 && multiples.len() != pairs) {
            let reason = format!(
                "expected one multiple such as \"2x\", or {pairs} such as \"3-4-5x\" from the \
                 outermost numbers in"
            );
            reader.fault(&node.at, reason);
            multiples = vec![1];
        }
    }
    Shape::Odds { behind, multiples, of }
}

fn sequences(reader: &mut Reader<'_>, node: &Node) -> Vec<Vec<Total>> {
    let Value::List(lists) = &node.value else {
        reader.fault(&node.at, "`sequences` must be a list of lists of totals");
        return Vec::new();
    };
    let mut sequences: Vec<Vec<Total>> = Vec::new();
    for list in lists {
        let Value::List(nodes) = &list.value else {
            reader.fault(&list.at, "`sequences` must be a list of lists of totals");
            continue;
        };
        let sequence: Vec<Total> = nodes.iter().filter_map(|node| total(reader, node)).collect();
        if sequence.is_empty() || sequence.len() > 12 {
            reader.fault(&list.at, "a sequence has 1 to 12 totals");
        } else if sequences.iter().any(|other| other[0] == sequence[0]) {
            reader.fault(&list.at, "two sequences start alike, the first roll could not choose");
        } else {
            sequences.push(sequence);
        }
    }
    if sequences.iter().any(|sequence| sequence.len() != sequences[0].len()) {
        reader.fault(&node.at, "all sequences must have the same length");
    }
    sequences
}

fn commission<'a>(reader: &mut Reader<'a>, node: &'a Node) -> Option<Commission> {
    let mut fields = reader.fields(node, "`commission`");
    for key in ["rate", "of"] {
        fields.need(key);
    }
    let rate = fields.get(reader, "rate").and_then(|node| parsed::<Rate>(reader, node));
    let measures = [("stake", Measure::Stake), ("win", Measure::Win)];
    let of = fields.choice(reader, "of", &measures);
    let whens = [("placed", CommissionWhen::Placed), ("won", CommissionWhen::Won)];
    let when = fields.choice(reader, "when", &whens).unwrap_or(CommissionWhen::Placed);
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
    fields.finish(reader);
    Some(Commission {
        rate: rate?,
        of: of?,
        when,
        rounding,
        unit: unit.unwrap_or(Cents(1)),
        minimum: minimum.unwrap_or(Cents::ZERO),
    })
}

fn meter_terms<'a>(
    reader: &mut Reader<'a>,
    node: &'a Node,
    base: Option<Cents>,
) -> Option<MeterTerms> {
    let Some(base) = base else {
        reader.fault(&node.at, "a meter needs a `base` wager");
        return None;
    };
    let mut fields = reader.fields(node, "`meter`");
    let seed = fields.get(reader, "seed").and_then(|node| money(reader, node));
    let (seed, _) = seed.unwrap_or(Cents::ZERO).share(base.0, 100);
    let mut rate = |key| {
        let rate = fields.get(reader, key).and_then(|node| parsed::<Rate>(reader, node));
        rate.unwrap_or(Rate::ZERO)
    };
    let (increment, reserve) = (rate("increment"), rate("reserve"));
    if increment.0 + reserve.0 > Rate::WHOLE.0 {
        let reason = format!("increment {increment} and reserve {reserve} are more than the wager");
        reader.fault(&node.at, reason);
    }
    let ceiling = fields.get(reader, "ceiling");
    let ceiling = or_none(reader, "ceiling", ceiling);
    if ceiling.is_some_and(|ceiling| ceiling < seed) {
        reader.fault(&key_at(&fields, "ceiling"), format!("the ceiling is below the seed {seed}"));
    }
    let ways = [("share", Winners::Share), ("in-full", Winners::InFull)];
    let winners = fields.choice(reader, "winners", &ways).unwrap_or(Winners::Share);
    fields.finish(reader);
    Some(MeterTerms { seed, increment, reserve, ceiling, winners })
}

fn pays(reader: &mut Reader<'_>, node: &Node) -> Option<PaysBy> {
    let Value::Table(entries) = &node.value else {
        return parsed::<Due>(reader, node).map(PaysBy::Same);
    };
    let mut dues = Vec::new();
    for entry in entries {
        let key = match entry.key.parse::<PaysKey>() {
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
    Some(PaysBy::Key(dues))
}

fn envy(reader: &mut Reader<'_>, node: &Node) -> Vec<(u8, Envy)> {
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

fn paytable<'a>(reader: &mut Reader<'a>, entry: &'a Entry, wagers: &[Wager]) -> Paytable {
    let faults_before = reader.faults.len();
    let mut paytable = Paytable { name: entry.key.clone(), entries: Vec::new() };
    reader.fields(&entry.node, "a paytable");
    for line in entry.node.entries() {
        let Some(wager) = wagers.iter().find(|wager| wager.name == line.key) else {
            let hint = suggestion(&line.key, wagers.iter().map(|wager| wager.name.as_str()));
            reader.fault(&line.at, format!("there is no wager `{}`{hint}", line.key));
            continue;
        };
        let mut fields = reader.fields(&line.node, &format!("`{}` of {}", line.key, entry.key));
        fields.need("pays");
        let pays = fields.get(reader, "pays").and_then(|node| pays(reader, node));
        let envy = fields.get(reader, "envy").map_or(Vec::new(), |node| envy(reader, node));
        let mut lists = Vec::new();
        if matches!(wager.shape, Shape::Sequence { .. }) {
            fields.need("sequences");
            let node = fields.get(reader, "sequences");
            lists = node.map_or(lists, |node| sequences(reader, node));
        }
        fields.finish(reader);
        let Some(pays) = pays else { continue };
        let at = line.at.clone();
        let wager = line.key.clone();
        paytable.entries.push(PaytableEntry { wager, pays, envy, sequences: lists, at });
    }
    if reader.faults.len() > faults_before {
        return paytable;
    }
    for line in &paytable.entries {
        let wager = wagers.iter().find(|wager| wager.name == line.wager);
        let Some(mut wager) = wager.cloned() else { continue };
        if let Err(reasons) = price(&mut wager, &paytable) {
            for reason in reasons {
                reader.fault(&line.at, reason);
            }
        }
    }
    paytable
}

/// Every odds wager stands behind a line wager.
fn check_odds(reader: &mut Reader<'_>, wagers: &[Wager]) {
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

/// Every wager has its pays written beside it, or a paytable that supplies them.
fn check_priced(reader: &mut Reader<'_>, wagers: &[Wager], paytables: &[Paytable], lent: bool) {
    for wager in wagers.iter().filter(|wager| wager.pays.is_none() && !lent) {
        let covers = |paytable: &Paytable| paytable.entries.iter().any(|e| e.wager == wager.name);
        if !paytables.iter().any(covers) && reader.faults.is_empty() {
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

/// What is wrong with a wager's pays, given its shape.
pub(super) fn check_pays(wager: &Wager) -> Vec<String> {
    let Some(pays) = &wager.pays else { return Vec::new() };
    let mut reasons = match &wager.shape {
        Shape::OneRoll { wins, split } => check_one_roll(wager, wins, *split, pays),
        Shape::Race { wins, loses } => {
            let mut reasons = check_numbers(wager, pays);
            reasons.extend(check_race(wager, wins, loses));
            reasons
        }
        Shape::Line { .. } => match pays {
            PaysBy::Same(_) => Vec::new(),
            PaysBy::Key(_) => vec!["a line bet has one pay for all numbers".to_owned()],
        },
        Shape::Odds { .. } => match pays {
            PaysBy::Same(_) => vec!["odds need a pay for each number".to_owned()],
            PaysBy::Key(_) => Vec::new(),
        },
        shape => check_ladder(wager, shape.top_rung(), pays),
    };
    for due in pays.dues() {
        let tracked = wager.shape.is_tracked();
        match due {
            Due::Pays(Pays { basis: Basis::For, .. }) if wager.stays => {
                reasons.push(format!("`{due}` takes the stake, but the bet stays up after a win"));
            }
            Due::Pays(Pays { basis: Basis::For, .. })
                if matches!(wager.shape, Shape::Odds { .. }) =>
            {
                reasons.push(format!("`{due}`: odds are paid \"to\", their stake comes back"));
            }
            Due::Pays(Pays { den, .. }) if den > 1000 => {
                reasons.push(format!("`{due}` divides by more than 1000"));
            }
            Due::Dollars(_) | Due::Meter
                if !tracked || wager.limits.max != Some(wager.limits.min) =>
            {
                reasons.push(format!("`{due}` needs a wager with a fixed `base`"));
            }
            Due::Meter if wager.meter.is_none() => {
                reasons.push(format!("`{due}` needs the wager to have a `meter`"));
            }
            _ => {}
        }
    }
    reasons
}

/// A pay for every number of the wager, and for no other.
fn check_numbers(wager: &Wager, pays: &PaysBy) -> Vec<String> {
    let PaysBy::Key(dues) = pays else { return Vec::new() };
    let mut reasons = Vec::new();
    for number in &wager.numbers {
        if pays.due(PaysKey::Number(number.number())).is_none() {
            reasons.push(format!("there is no pay for {} {number}", wager.name));
        }
    }
    for (key, _) in dues {
        let known = wager.numbers.iter().any(|n| PaysKey::Number(n.number()) == *key);
        if !known {
            reasons.push(format!("`{key}` is not one of the wager's numbers"));
        }
    }
    reasons
}

fn check_race(wager: &Wager, wins: &[Item], loses: &[Item]) -> Option<String> {
    for number in spot_numbers(wager) {
        let rolls = |items: &[Item]| {
            items.iter().fold(crate::Rolls::NONE, |all, item| all.union(item.rolls(number)))
        };
        let (wins, loses) = (rolls(wins), rolls(loses));
        let both = wins.intersection(loses);
        let spot = number.map_or(wager.name.clone(), |number| format!("{} {number}", wager.name));
        if let Some(roll) = both.iter().next() {
            return Some(format!("{spot} would both win and lose on {roll}: the sets overlap"));
        }
        if wins.is_empty() {
            return Some(format!("{spot} can never win"));
        }
    }
    None
}

fn spot_numbers(wager: &Wager) -> Vec<Option<Total>> {
    match wager.numbers.is_empty() {
        true => vec![None],
        false => wager.numbers.iter().copied().map(Some).collect(),
    }
}

fn check_one_roll(
    wager: &Wager,
    wins: &[Item],
    split: Option<Split>,
    pays: &PaysBy,
) -> Vec<String> {
    let mut reasons = Vec::new();
    match (pays, split) {
        (PaysBy::Key(dues), None) if wager.numbers.is_empty() => {
            if !wins.is_empty() {
                reasons.push("pays by number already say what wins, leave `wins` out".to_owned());
            }
            reasons.extend(check_winning_keys(dues));
        }
        (PaysBy::Key(dues), Some(split)) => {
            if !wins.is_empty() {
                reasons.push("a split already says what wins, leave `wins` out".to_owned());
            }
            reasons.extend(check_winning_keys(dues));
            let parts = dues.len() as u32 + u32::from(split == Split::High);
            for (key, due) in dues {
                match due {
                    Due::Pays(Pays { num, den, basis: Basis::To }) if num / den + 1 >= parts => {}
                    _ => reasons.push(format!(
                        "`{key}` at {due} does not cover the {} parts that lose",
                        parts - 1
                    )),
                }
            }
            if split == Split::High {
                for number in &wager.numbers {
                    if pays.due(PaysKey::Number(number.number())).is_none() {
                        reasons.push(format!("the split has no part for {number}"));
                    }
                }
            }
        }
        (PaysBy::Same(_), Some(_)) => reasons.push("a split needs a pay for each part".to_owned()),
        _ => {
            reasons.extend(check_numbers(wager, pays));
            reasons.extend(check_race(wager, wins, &[]));
        }
    }
    reasons
}

/// Winning numbers must be on the dice and must not overlap.
fn check_winning_keys(dues: &[(PaysKey, Due)]) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut seen = crate::Rolls::NONE;
    for (key, _) in dues {
        let Some(item) = key.item() else {
            reasons.push(format!("`{key}` is not a total of two dice"));
            continue;
        };
        let rolls = item.rolls(None);
        if !rolls.intersection(seen).is_empty() {
            reasons.push(format!("`{key}` overlaps another winning number"));
        }
        seen = seen.union(rolls);
    }
    reasons
}

/// A ladder has no gap from its lowest rung to the top.
fn check_ladder(wager: &Wager, top: u8, pays: &PaysBy) -> Vec<String> {
    let mut reasons = Vec::new();
    if let PaysBy::Key(dues) = pays {
        let rung = |key: &PaysKey| match key {
            PaysKey::Number(number) if (1..=top).contains(number) => Some(*number),
            _ => None,
        };
        for (key, _) in dues.iter().filter(|(key, _)| rung(key).is_none()) {
            reasons.push(format!("`{key}` is not a rung, they go from 1 to {top}"));
        }
        let lowest = dues.iter().filter_map(|(key, _)| rung(key)).min().unwrap_or(top);
        for missing in (lowest..=top).filter(|n| pays.due(PaysKey::Number(*n)).is_none()) {
            reasons.push(format!("the pay for rung {missing} of {top} is missing"));
        }
        for (key, due) in dues {
            if *due == Due::Meter && rung(key) != Some(top) {
                reasons.push(format!("only the top rung may take the meter, `{key}` is not it"));
            }
        }
    }
    let keyed = matches!(pays, PaysBy::Key(_));
    for (rung, envy) in &wager.envy {
        let paid = if keyed { pays.due(PaysKey::Number(*rung)).is_some() } else { *rung == 0 };
        if !paid {
            reasons.push(format!("envy `{envy}` is for rung {rung}, which pays nothing"));
        }
        if !matches!(envy, Envy::Multiple(_)) && wager.limits.max != Some(wager.limits.min) {
            reasons.push(format!("envy `{envy}` in dollars needs a wager with a fixed `base`"));
        }
    }
    reasons
}
