//! Reading one wager: its shape, its keys, and what goes with them.

use super::check::check_pays;
use super::commission::commission;
use super::document::{Entry, Node, Value};
use super::fields::{Fields, Reader};
use super::tracked::{collection, count, lists, numbers, sequences};
use super::values::{
    envy, items, key_at, limits, money, not_empty, once_each, or_none, pair, parsed, pays, total,
    totals,
};
use super::{At, Listed};
use crate::commission::Measure;
use crate::dice::{Combination, Total, Totals};
use crate::money::{Cents, Multiple, Rate};
use crate::terms::{MeterTerms, Winners};
use crate::wager::{
    Board, Cap, DicePass, Lammers, Limits, OnceSet, Opens, PuckMust, Rebet, Repeats, Shape, Shared,
    Side, Split, Standing, Take, Wager, Window, Working,
};

/// What a rulebook says for all its wagers.
#[derive(Clone, Copy)]
pub(super) struct House<'a> {
    pub(super) rulebook: &'a str,
    pub(super) points: Totals,
    pub(super) limits: Limits,
    pub(super) cap: Option<Cap>,
}

/// Reads one wager. Without a shape nobody knows which keys belong, so that is one fault and
/// no wager.
pub(super) fn wager<'a>(
    reader: &mut Reader<'a>,
    entry: &'a Entry,
    house: House<'_>,
) -> Option<Listed> {
    let name = &entry.key;
    let letters = |byte: u8| byte == b'-' || byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if !name.split(' ').all(|word| !word.is_empty() && word.bytes().all(letters)) {
        let reason = format!("`{name}` is not a wager's name, expected lower-case-words");
        reader.fault(&entry.at, reason);
    }
    if Wager::NOT_NAMES.contains(&name.as_str()) {
        let reason = format!("`{name}` is a word that tapes say about bets, no wager's name");
        reader.fault(&entry.at, reason);
    }
    let mut fields = reader.fields(&entry.node, &format!("wager `{name}`"));
    let shapes = ["one-roll", "race", "line", "odds", "collect", "distinct", "count", "sequence"];
    if !fields.has("shape") {
        let reason = format!("wager `{name}` needs `shape`, one of `{}`", shapes.join("`, `"));
        reader.fault(&entry.node.at, reason);
        return None;
    }
    let shape_name = fields.choice(reader, "shape", &shapes.map(|shape| (shape, shape)))?;
    let rule_faults = reader.faults.len();
    let (numbers, faces) = match shape_name {
        "one-roll" | "race" => (numbers(reader, &mut fields), faces(reader, &mut fields)),
        "count" => (numbers(reader, &mut fields), Vec::new()),
        _ => (Vec::new(), Vec::new()),
    };
    let shape = match shape_name {
        "count" => {
            let points = Some(house.points).filter(|points| !points.is_empty());
            count(reader, &mut fields, &numbers, points)
        }
        name => shape(reader, &mut fields, name, house.points),
    };
    let split = matches!(shape, Shape::OneRoll { split: Some(_), .. });
    let pays_node = fields.get(reader, if split { "split" } else { "pays" });
    let pays = pays_node.and_then(|node| pays(reader, node, &shape));
    let rule_is_whole = reader.faults.len() == rule_faults;
    fields.need("title");
    let title = fields.text(reader, "title").unwrap_or_default().to_owned();
    let offered = fields.flag(reader, "offered") || !fields.has("offered");
    let once_set = once_set(reader, &mut fields, &shape);
    let window = window(reader, &mut fields, &shape, once_set);
    check_rebet(reader, &fields, &shape, window.opens);
    let take = take(reader, &mut fields, &shape);
    let standing = standing(reader, &mut fields, &shape);
    let base = if shape.is_tracked() { fields.get(reader, "base") } else { None };
    let base = base.map(|node| base_wager(reader, node));
    let shared = match shape.is_tracked() {
        true => shared(reader, &mut fields, window.opens, house.cap, base),
        false => Shared::default(),
    };
    let limits = match base {
        Some(base) => Limits { min: base, max: Some(base), unit: base },
        None => {
            let max = house.limits.max.filter(|_| !matches!(shape, Shape::Odds { .. }));
            limits(reader, &mut fields, Limits { max, ..house.limits })
        }
    };
    fields.finish(reader);
    let wager = Listed {
        name: name.clone(),
        title,
        rulebook: house.rulebook.to_owned(),
        paytable: None,
        shape,
        numbers,
        faces,
        pays,
        limits,
        window,
        take,
        once_set,
        standing,
        shared,
        offered,
    };
    if let Some(wager) = wager.as_written().filter(|_| rule_is_whole) {
        for reason in check_pays(&wager, house.points) {
            reader.fault(&pays_at(&entry.node), reason);
        }
    }
    Some(wager)
}

/// The keys of bets that stand on the felt from roll to roll.
fn standing<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, shape: &Shape) -> Standing {
    let mut standing = Standing::PLAIN;
    if matches!(shape, Shape::Race { .. } | Shape::Odds { .. }) {
        let working = [("on", Working::On), ("off", Working::Off)];
        standing.come_out = fields.choice(reader, "come-out", &working).unwrap_or(Working::On);
        standing.callable = fields.flag(reader, "callable");
    }
    if matches!(shape, Shape::Race { .. }) {
        let after = [("stays", true), ("comes-down", false)];
        standing.stays = fields.choice(reader, "after-win", &after).unwrap_or(false);
        standing.commission = fields.get(reader, "commission").and_then(|n| commission(reader, n));
    }
    standing
}

/// The keys of bets whose progress the table keeps.
fn shared<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    opens: Opens,
    cap: Option<Cap>,
    base: Option<Cents>,
) -> Shared {
    let envy = fields.get(reader, "envy").map_or(Vec::new(), |node| envy(reader, node));
    let family = fields.text(reader, "family").map(str::to_owned);
    if opens == Opens::FamilyIdle && family.is_none() {
        reader.fault(&fields.node.at, "`when = \"family-idle\"` needs a `family`");
    }
    let capped = fields.flag(reader, "capped");
    let boards = [("own", Board::Own), ("bonus", Board::Bonus)];
    let board = fields.choice(reader, "board", &boards).unwrap_or_default();
    let meter = fields.get(reader, "meter");
    let meter = meter.and_then(|node| meter_terms(reader, node, base));
    let passes =
        [("stays", DicePass::Stays), ("returned", DicePass::Returned), ("lost", DicePass::Lost)];
    let dice_pass = fields.choice(reader, "dice-pass", &passes).unwrap_or_default();
    if dice_pass != DicePass::Stays && meter.is_some() {
        let reason = "a wager with a meter rides on when the dice pass, its stake is in the meter";
        reader.fault(&key_at(fields, "dice-pass"), reason);
    }
    let moved = [("with-bets", Lammers::WithBets), ("always", Lammers::Always)];
    let lammers = fields.choice(reader, "lammers", &moved).unwrap_or_default();
    Shared { envy, family, cap: cap.filter(|_| capped), board, meter, dice_pass, lammers }
}

/// The one amount a progressive is bet in; a dollar stands in for one that has a fault.
fn base_wager(reader: &mut Reader<'_>, node: &Node) -> Cents {
    match money(reader, node) {
        Some(base) if base > Cents::ZERO && base <= Limits::MOST => return base,
        Some(_) => {
            let reason = format!("the base wager must be more than zero, at most {}", Limits::MOST);
            reader.fault(&node.at, reason);
        }
        None => {}
    }
    Cents::dollars(1)
}

/// The place of a wager's pays, for faults that are about them.
fn pays_at(node: &Node) -> At {
    let entry = node.entry("pays").or_else(|| node.entry("split"));
    entry.map_or(&node.at, |entry| &entry.at).clone()
}

/// Whether a completed wager may be bet again, and for how long.
fn rebet<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>) -> Rebet {
    let allowed = fields.flag(reader, "re-bet");
    let lasts = [("one-roll", Rebet::OneRoll), ("until-seven", Rebet::UntilSeven)];
    let lasts = fields.choice(reader, "re-bet-lasts", &lasts).unwrap_or(Rebet::OneRoll);
    if allowed { lasts } else { Rebet::No }
}

/// Whether a wager is complete has to be seen from the totals since the last seven.
fn check_rebet(reader: &mut Reader<'_>, fields: &Fields<'_>, shape: &Shape, opens: Opens) {
    let of_totals = match shape {
        Shape::Count(count) => count.marks.totals().is_some() && count.times.is_none(),
        Shape::Sequence { lists } => lists.iter().all(|list| list.totals().is_some()),
        _ => true,
    };
    if matches!(opens, Opens::AfterSeven { rebet } if rebet != Rebet::No) && !of_totals {
        let reason = "`re-bet` is for wagers that collect totals, each of them once";
        reader.fault(&key_at(fields, "re-bet"), reason);
    }
}

/// The pairs of faces of a hop. A spot stands on a number or on faces, not on both.
fn faces<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>) -> Vec<Combination> {
    let nodes = fields.list(reader, "faces");
    let faces = once_each(reader, nodes, pair);
    if fields.has("faces") && fields.has("numbers") {
        let reason = "a wager has `numbers` or `faces`, not both";
        reader.fault(&key_at(fields, "faces"), reason);
    }
    not_empty(reader, fields, "faces");
    faces
}

/// What may be put on a line bet once its number is set.
fn once_set<'a>(reader: &mut Reader<'a>, fields: &mut Fields<'a>, shape: &Shape) -> OnceSet {
    let Shape::Line { side, .. } = shape else { return OnceSet::Nothing };
    if *side == Side::Wrong && fields.flag(reader, "put") {
        let reason = "a bet against the dice is never put on a number: it would favour the player";
        reader.fault(&key_at(fields, "put"), reason);
    }
    match (fields.flag(reader, "put"), fields.flag(reader, "increase")) {
        (true, _) => OnceSet::New,
        (false, true) => OnceSet::More,
        (false, false) => OnceSet::Nothing,
    }
}

fn window<'a>(
    reader: &mut Reader<'a>,
    fields: &mut Fields<'a>,
    shape: &Shape,
    once_set: OnceSet,
) -> Window {
    let any_time = Window::ANY_TIME;
    match shape {
        Shape::Line { travels, .. } => {
            fields.need("when");
            let choices = [("come-out", PuckMust::BeOff), ("point-on", PuckMust::BeOn)];
            let puck = fields.choice(reader, "when", &choices).unwrap_or(any_time.puck);
            // A put bet is made or added to after its number is set: behind the puck, where the
            // puck marks it.
            let put = once_set == OnceSet::New && !travels;
            let puck = if put && puck == PuckMust::BeOff { any_time.puck } else { puck };
            Window { puck, ..any_time }
        }
        shape if shape.is_tracked() => {
            fields.need("when");
            let seven = Opens::AfterSeven { rebet: rebet(reader, fields) };
            let choices = [
                ("come-out", (PuckMust::BeOff, Opens::Always)),
                ("new-shooter", (PuckMust::BeOff, Opens::NewShooter)),
                ("idle", (PuckMust::LieAnywhere, Opens::Idle)),
                ("come-out-idle", (PuckMust::BeOff, Opens::Idle)),
                ("after-seven", (PuckMust::LieAnywhere, seven)),
                ("family-idle", (PuckMust::LieAnywhere, Opens::FamilyIdle)),
            ];
            let chosen = fields.choice(reader, "when", &choices);
            let (puck, opens) = chosen.unwrap_or((any_time.puck, any_time.opens));
            let off = fields.choice(reader, "puck", &[("off", ())]).is_some();
            let puck = if off { PuckMust::BeOff } else { puck };
            Window { puck, opens, line_bet: fields.flag(reader, "line-bet-required") }
        }
        _ => any_time,
    }
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
            let split = fields.has("split").then_some(Split::Even);
            let high = split.is_some() && fields.has("numbers") && fields.flag(reader, "high");
            let split = if high { Some(Split::High) } else { split };
            Shape::OneRoll { wins: items(reader, fields, "wins"), split }
        }
        "race" => {
            fields.need("wins");
            fields.need("loses");
            let (wins, loses) = (items(reader, fields, "wins"), items(reader, fields, "loses"));
            not_empty(reader, fields, "wins");
            not_empty(reader, fields, "loses");
            Shape::Race { wins, loses }
        }
        "line" => line(reader, fields, points),
        "odds" => odds(reader, fields, points),
        "collect" => collection(reader, fields, Repeats::Pass),
        "distinct" => collection(reader, fields, Repeats::End),
        _ => {
            let unnamed = fields.get(reader, "sequences").map(|node| sequences(reader, node));
            let named = fields.get(reader, "lists").map(|node| lists(reader, node));
            if unnamed.is_some() && named.is_some() {
                let reason = "either `sequences`, paid by rung, or `lists`, paid by name";
                reader.fault(&key_at(fields, "lists"), reason);
            }
            Shape::Sequence { lists: named.or(unnamed).unwrap_or_default() }
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
            Value::Decimal(text) => text.clone(),
            _ => String::new(),
        };
        multiples = text.split('-').filter_map(|part| part.parse().ok()).collect();
        let pairs = points.len().div_ceil(2) as usize;
        let whole = multiples.len() == text.split('-').count();
        if !whole || (multiples.len() != 1 && multiples.len() != pairs) {
            let reason = format!(
                "expected one multiple such as \"2x\", or {pairs} such as \"3-4-5x\" or \
                 \"2-2-2.5x\" from the outermost numbers in"
            );
            reader.fault(&node.at, reason);
            multiples = vec![Multiple::times(1)];
        }
    }
    Shape::Odds { behind, multiples, of }
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
    let seed_node = fields.get(reader, "seed");
    let seed = seed_node.and_then(|node| money(reader, node)).unwrap_or(Cents::ZERO);
    let ways = [("dollar", Cents::dollars(1)), ("base", base)];
    let per = fields.choice(reader, "seed-per", &ways).unwrap_or(Cents::dollars(1));
    let scaled = i128::from(seed.0) * i128::from(base.0) / i128::from(per.0);
    let seed = match i64::try_from(scaled) {
        Ok(seed) if Cents(seed) <= Cents::MOST => Cents(seed),
        _ => {
            let at = seed_node.map_or(&node.at, |node| &node.at);
            reader.fault(at, format!("a seed of {seed} a dollar is too much for a base of {base}"));
            Cents::ZERO
        }
    };
    let mut rate = |key| {
        let rate = fields.get(reader, key).and_then(|node| parsed::<Rate>(reader, node));
        rate.unwrap_or(Rate::ZERO)
    };
    let (increment, reserve) = (rate("increment"), rate("reserve"));
    if increment.0 + reserve.0 > Rate::WHOLE.0 {
        let reason = format!("increment {increment} and reserve {reserve} are more than the wager");
        reader.fault(&node.at, reason);
    }
    let ceiling = fields.get(reader, "ceiling").and_then(|node| or_none(reader, "ceiling", node));
    if ceiling.is_some_and(|ceiling| ceiling < seed) {
        reader.fault(&key_at(&fields, "ceiling"), format!("the ceiling is below the seed {seed}"));
    }
    let ways = [("share", Winners::Share), ("in-full", Winners::InFull)];
    let winners = fields.choice(reader, "winners", &ways).unwrap_or(Winners::Share);
    fields.finish(reader);
    Some(MeterTerms { seed, increment, reserve, ceiling, winners })
}
