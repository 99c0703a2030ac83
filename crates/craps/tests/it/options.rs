//! Every option is documented where it is set, and every option changes something.

use craps::{Cents, Library, Rules, Seat, Table};

const TEXTS: [&str; 4] = [
    include_str!("../../../../rulebooks/presque-isle.toml"),
    include_str!("../../../../rulebooks/bonus-craps-nevada.toml"),
    include_str!("../../../../rulebooks/bonus-craps-washington.toml"),
    include_str!("../../../../rulebooks/super-shooter.toml"),
];

/// Another value for each option there is; the tapes show what each side of it does.
const OTHER_SIDE: [(&str, &str); 16] = [
    ("payout-unit", "1"),
    ("put", "on"),
    ("bar", "2"),
    ("odds-multiples", "2x"),
    ("place-may-be-called-on", "on"),
    ("commission-when", "won"),
    ("commission-rounding", "ceil"),
    ("commission-unit", "1"),
    ("commission-minimum", "1"),
    ("line-bet-required", "on"),
    ("aggregate-cap", "10000"),
    ("aggregate-cap-per", "hand"),
    ("re-bet", "on"),
    ("base-unit", "5"),
    ("progressive-board", "bonus"),
    ("hard.come-out", "off"),
];

#[test]
fn every_option_is_explained_in_its_rulebook() {
    for text in TEXTS {
        let options = text.lines().skip_while(|line| *line != "[options]").skip(1);
        let options: Vec<&str> = options.take_while(|line| !line.starts_with('[')).collect();
        let mut count = 0;
        for pair in options.windows(2) {
            if let Some((name, _)) = pair[1].split_once(" = ").filter(|_| !pair[1].starts_with('#'))
            {
                assert!(pair[0].starts_with("# "), "{name} has no comment of its own");
                count += 1;
            }
        }
        assert!(count > 0);
    }
}

#[test]
fn every_option_has_another_side() {
    let library = Library::embedded();
    for rulebook in library.rulebooks() {
        for (name, value) in rulebook.options() {
            let other = OTHER_SIDE.iter().find(|(known, _)| *known == name);
            let (_, other) = other.unwrap_or_else(|| panic!("{name} has no other side here"));
            assert_ne!(value, *other, "{name}");
            let capped = rulebook.with_option("aggregate-cap", "500").and_then(Result::ok);
            let rulebook = match name {
                "aggregate-cap-per" => &capped.expect("a cap and its stretch go together"),
                _ => rulebook,
            };
            let changed = rulebook.with_option(name, other).expect("it is one of its options");
            let changed = changed.unwrap_or_else(|faults| panic!("{faults}"));
            assert_ne!(
                format!("{:?}{:?}{:?}", changed.wagers, changed.cap, changed.payout_unit),
                format!("{:?}{:?}{:?}", rulebook.wagers, rulebook.cap, rulebook.payout_unit),
                "{name} changes nothing"
            );
        }
    }
}

/// Any key of a wager can be set from outside: limits, come-out status, commission, meters.
#[test]
fn keys_of_one_wager_can_be_set() {
    let library = Library::embedded();
    let names = ["presque-isle", "bonus-craps-nevada:PT-BJS-MEA-01"];
    let rules = Rules::with_options(
        &library,
        &names,
        &[
            ("field.min", "5"),
            ("field.max", "$1,000"),
            ("horn.unit", "0.40"),
            ("lay.commission.rate", "4%"),
            ("place.after-win", "comes-down"),
            ("make-em-all-progressive.meter.seed", "10000"),
            ("make-em-all-progressive.meter.increment", "12.5%"),
            ("make-em-all-progressive.meter.winners", "in-full"),
            ("odds come.come-out", "on"),
            ("base-unit", "5"),
        ],
    )
    .unwrap();
    let wager = |name: &str| rules.wager(rules.wager_named(name).unwrap());
    assert_eq!(wager("field").limits.min, Cents::dollars(5));
    assert_eq!(wager("field").limits.max, Some(Cents::dollars(1000)));
    assert_eq!(wager("horn").limits.unit, Cents(40));
    assert_eq!(wager("lay").commission.unwrap().rate.to_string(), "4%");
    assert!(!wager("place").stays);
    assert_eq!(wager("odds come").come_out, craps::Working::On);
    let terms = rules.meters()[0].terms;
    assert_eq!(terms.seed, Cents::dollars(50_000));
    assert_eq!(terms.increment.to_string(), "12.5%");
    assert_eq!(terms.winners, craps::Winners::InFull);
}

#[test]
fn a_wager_switched_off_is_not_offered() {
    let library = Library::embedded();
    let rules = Rules::with_options(&library, &["presque-isle"], &[("field.offered", "off")]);
    let rules = rules.unwrap();
    assert!(rules.spot("field").is_none());
    let mut table = Table::open(&rules);
    let seat = Seat(0);
    table.obey(&rules, &craps::Command::Sit { seat, name: "ann".into() }).unwrap();
    let put = craps::Command::Put { seat, wager: "field".into(), amount: Cents::dollars(5) };
    assert_eq!(table.decide(&rules, &put).unwrap_err().code(), "not-offered");
}
