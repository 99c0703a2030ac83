//! Every option is documented where it is set, and every option changes something.

use craps::commission::Vig;
use craps::terms::Winners;
use craps::{Cents, Library, MeterTerms, Rate, Rules, Seat, Table};
use proptest::prelude::*;

const TEXTS: [&str; 5] = [
    include_str!("../../../../rulebooks/presque-isle.toml"),
    include_str!("../../../../rulebooks/vegas-strip.toml"),
    include_str!("../../../../rulebooks/bonus-craps-nevada.toml"),
    include_str!("../../../../rulebooks/bonus-craps-washington.toml"),
    include_str!("../../../../rulebooks/super-shooter.toml"),
];

/// Another value for each option there is; the tapes show what each side of it does.
const OTHER_SIDE: &[(&str, &str)] = &[
    ("payout-unit", "1"),
    ("put", "on"),
    ("put", "off"),
    ("line-may-be-increased", "on"),
    ("bar", "2"),
    ("odds-multiples", "2x"),
    ("place-may-be-called-on", "on"),
    ("place-may-be-called-on", "off"),
    ("commission-when", "won"),
    ("commission-when", "placed"),
    ("commission-rounding", "ceil"),
    ("commission-unit", "1"),
    ("commission-minimum", "1"),
    ("line-bet-required", "on"),
    ("aggregate-cap", "10000"),
    ("aggregate-cap-per", "hand"),
    ("aggregate-cap-paid-in", "payout-unit"),
    ("re-bet", "on"),
    ("re-bet-lasts", "until-seven"),
    ("lammers", "always"),
    ("bonus-window", "come-out"),
    ("window", "come-out-idle"),
    ("dice-pass", "returned"),
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
            let other = OTHER_SIDE.iter().find(|(known, side)| *known == name && *side != value);
            let (_, other) = other.unwrap_or_else(|| panic!("{name} has no other side here"));
            let capped = rulebook.with_option("aggregate-cap", "500").and_then(Result::ok);
            let again = rulebook.with_option("re-bet", "on").and_then(Result::ok);
            let rulebook = match name {
                "aggregate-cap-per" | "aggregate-cap-paid-in" => {
                    &capped.expect("a cap and its stretch go together")
                }
                "re-bet-lasts" => &again.expect("a window and how long it lasts go together"),
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
    let lay = wager("lay").standing.commission.as_ref().unwrap();
    assert!(matches!(lay.vig, Vig::Share { rate: Rate(40_000), .. }), "{lay:?}");
    assert!(!wager("place").standing.stays);
    assert_eq!(wager("odds come").standing.come_out, craps::wager::Working::On);
    let terms = rules.meters()[0].terms;
    assert_eq!(terms.seed, Cents::dollars(50_000));
    assert_eq!(terms.increment.to_string(), "12.5%");
    assert_eq!(terms.winners, craps::terms::Winners::InFull);
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

/// The terms of the fired-up meter under these options.
#[track_caller]
fn fired_up(options: &[(String, String)]) -> MeterTerms {
    let library = Library::embedded();
    let nevada = library.rulebook("bonus-craps-nevada").unwrap();
    let (rulebook, unknown) = nevada.with_options(options);
    assert_eq!(unknown, [0; 0]);
    let rulebook = rulebook.unwrap_or_else(|faults| panic!("{faults}"));
    rulebook.wagers.iter().find(|wager| wager.name == "fired-up").unwrap().shared.meter.unwrap()
}

fn any_terms() -> impl Strategy<Value = MeterTerms> {
    let whole = Rate::WHOLE.0;
    let rates = (0..=whole).prop_flat_map(move |first| (Just(first), 0..=whole - first));
    let seed = prop_oneof![0..=200_000i64, 0..=Cents::MOST.0];
    let above = prop_oneof![1..=100i64, 1..=Cents::MOST.0];
    (seed, rates, proptest::option::of(above), any::<bool>()).prop_map(
        |(seed, (increment, reserve), above, shared)| MeterTerms {
            seed: Cents(seed),
            increment: Rate(increment),
            reserve: Rate(reserve),
            ceiling: above.map(|above| Cents(seed + above).min(Cents::MOST)),
            winners: if shared { Winners::Share } else { Winners::InFull },
        },
    )
}

proptest! {
    /// A table that follows its meter's terms comes to these and no others, whatever its base.
    #[test]
    fn terms_written_as_options_are_read_as_the_same_terms(
        terms in any_terms(),
        base in prop_oneof![Just(500), 1..=1_000i64, 1..=Cents::dollars(10_000).0],
    ) {
        let mut options = vec![("base-unit".to_owned(), Cents(base).to_string())];
        options.extend(terms.options("fired-up"));
        prop_assert_eq!(fired_up(&options), terms);
    }
}

#[test]
fn suggested_terms_are_a_jackpot_and_rulebooks_have_none() {
    let silent = fired_up(&[("base-unit".to_owned(), "5".to_owned())]);
    assert_eq!(silent.lack(), Some("starts at nothing and never grows"));
    assert!(silent.are_unset());
    let suggested = fired_up(&MeterTerms::suggested("fired-up"));
    let expected = MeterTerms {
        seed: Cents::dollars(1_000),
        increment: Rate(150_000),
        reserve: Rate(50_000),
        ..silent
    };
    assert_eq!(suggested, expected);
    assert_eq!((suggested.lack(), suggested.are_unset()), (None, false));
    let without = |increment, seed| MeterTerms { increment, seed, ..suggested };
    assert_eq!(without(Rate::ZERO, suggested.seed).lack(), Some("never grows"));
    assert_eq!(without(suggested.increment, Cents::ZERO).lack(), Some("starts at nothing"));
}
