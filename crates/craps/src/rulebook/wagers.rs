//! Reading one wager: its shape, its keys, and what goes with them.

use super::At;
use super::check::check_pays;
use super::document::{Entry, Fields, Node, Reader, Value};
use super::values::{
    envy, items, key_at, limits, money, or_none, parsed, pays, sequences, total, totals,
};
use crate::{
    Board, Cents, Commission, CommissionWhen, Limits, Measure, MeterTerms, Rate, Rounding, Shape,
    Side, Split, Take, Total, Totals, Wager, When, Winners, Working,
};

pub(super) fn wager<'a>(
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
