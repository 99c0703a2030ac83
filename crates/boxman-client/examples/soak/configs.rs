//! How tables are set up, at random: every combination of what an operator chooses, most of them
//! sensible, some not.

use boxman_client::{Random, Value, json};

use crate::house::House;

/// The meters that real tables share, by paytable. Some get closed, and others take their place.
const SHARED: [(&str, [&str; 3]); 2] = [
    ("PT-BJS-MEA-03", ["downtown-all", "uptown-all", "riverside-all"]),
    ("PT-BJS-FUP-01", ["downtown-fired", "uptown-fired", "riverside-fired"]),
];

const SIDES: [&str; 8] = [
    "bonus-craps-nevada",
    "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01",
    "bonus-craps-nevada:PT-BJS-MEA-03",
    "bonus-craps-nevada:PT-BJS-FUP-01",
    "bonus-craps-nevada:PT-BJS-MEA-06,PT-BJS-FUP-05",
    "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-01,PT-BJS-FUP-04",
    "bonus-craps-washington:WA-BC-2",
    "super-shooter:SS-LB-1,SS-ALL-2",
];

const OPTIONS: [(&str, &[&str]); 8] = [
    ("payout-unit", &["0.01", "1", "0.25"]),
    ("put", &["on", "off"]),
    ("bar", &["2", "12"]),
    ("odds-multiples", &["3-4-5x", "2x", "10x"]),
    ("place-may-be-called-on", &["on", "off"]),
    ("commission-when", &["placed", "won"]),
    ("base-unit", &["1", "5"]),
    ("aggregate-cap", &["none", "25000"]),
];

/// A configuration made up from nothing.
pub(crate) fn fresh(house: &House, random: &mut Random, practice: bool) -> Value {
    let mut config = json!({
        "name": format!("Craps {}", random.between(1, 99)),
        "practice": practice,
        "dice": if random.chance(if practice { 30 } else { 75 }) { "dealer" } else { "house" },
        "seats": if random.chance(80) { random.between(6, 16) } else { random.between(1, 24) },
    });
    choose_rules(house, random, &mut config, practice);
    for _ in 0..random.below(4) {
        turn(house, random, &mut config);
    }
    config
}

/// Another configuration for a table: a few things different.
pub(crate) fn other(house: &House, random: &mut Random, config: &Value) -> Value {
    let mut config = config.clone();
    for _ in 0..random.between(1, 3) {
        turn(house, random, &mut config);
    }
    // Refused wherever practice is fixed when a table opens.
    if random.chance(3) {
        config["practice"] = json!(config["practice"] != json!(true));
    }
    config
}

/// Turns one knob.
fn turn(house: &House, random: &mut Random, config: &mut Value) {
    let practice = config["practice"] == json!(true);
    let tristate = |random: &mut Random| {
        [json!(true), json!(false), Value::Null][random.below(3) as usize].clone()
    };
    match random.below(13) {
        0 => config["name"] = json!(format!("Craps {}", random.between(1, 99))),
        1 => config["dice"] = json!(*random.pick(&["house", "dealer", "dealer"])),
        2 | 3 => {
            let seconds = [Value::Null, json!(3), json!(5), json!(20), json!(600), json!(2)];
            config["betting_seconds"] = random.pick(&seconds).clone();
        }
        4 => {
            let value = match house.knows("deny-claim") {
                true => tristate(random),
                false => json!(random.chance(60)),
            };
            config["confirm_jackpots"] = value;
        }
        5 => config["seats"] = json!(random.between(1, 24)),
        6 | 7 => {
            let wager = *random.pick(&["pass", "come", "place", "field", "hard", "make-em-all"]);
            let min = *random.pick(&[100, 500, 1_500]);
            let most = random.pick(&[Value::Null, json!(50_000), json!(500_000)]).clone();
            let limits = json!({ "min": min, "max": most, "unit": Value::Null });
            config["limits"] = match random.below(4) {
                0 => json!({}),
                _ => json!({ wager: limits }),
            };
        }
        8 => {
            let (name, values) = random.pick(&OPTIONS);
            let value = *random.pick(values);
            if !config["options"].is_object() {
                config["options"] = json!({});
            }
            config["options"][*name] = json!(value);
        }
        9 => choose_rules(house, random, config, practice),
        10 if house.knows("confirm_over") => {
            let over = [Value::Null, json!(0), json!(10_000), json!(500_000)];
            config["confirm_over"] = random.pick(&over).clone();
            config["two_people_over"] = random.pick(&over).clone();
        }
        11 if house.knows("paying") && !practice => config["paying"] = tristate(random),
        _ if house.knows("betting_during_claims") => {
            config["betting_during_claims"] = json!(random.chance(50));
        }
        _ => {}
    }
}

/// Rulebooks, and the terms of the meters that come with them.
fn choose_rules(house: &House, random: &mut Random, config: &mut Value, practice: bool) {
    let mut rules = vec!["presque-isle"];
    let mut options = json!({});
    let mut meters = json!({});
    if random.chance(85) {
        let side = *random.pick(&SIDES);
        rules.push(side);
        for (paytable, wager) in [("MEA", "make-em-all-progressive"), ("FUP", "fired-up")] {
            if side.contains(paytable) && random.chance(92) {
                let seed = *random.pick(&["1000", "1000", "1000", "250", "5000"]);
                options[format!("{wager}.meter.seed")] = json!(seed);
                options[format!("{wager}.meter.increment")] = json!("15%");
                options[format!("{wager}.meter.reserve")] = json!("5%");
            }
        }
        for (paytable, names) in SHARED {
            if side.contains(paytable) && random.chance(if practice { 4 } else { 50 }) {
                meters[paytable] = json!(*random.pick(&names));
            }
        }
    }
    config["rules"] = json!(rules);
    config["options"] = options;
    // A meter that does not exist yet is named as a new one, but for a slip of the pen.
    if house.knows("new_meters") && random.chance(90) {
        let named = meters.as_object().into_iter().flat_map(|meters| meters.values().cloned());
        config["new_meters"] = json!(named.collect::<Vec<_>>());
    }
    config["meters"] = meters;
}
