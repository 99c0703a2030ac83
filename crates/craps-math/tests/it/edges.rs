//! Edges of every wager. Sources: exact arithmetic, agreeing with casinodealerswebsite.com's
//! house advantage summary, americancasinoguide.com, casinocitytimes.com and the Wizard of Odds
//! where they print a figure.

use craps::rulebook::Kind;
use craps::{Cents, Rules, Total};
use craps_math::{Edge, Target, Terms, fraction, percent};

use crate::{everything, priced, rules, rules_with};

#[track_caller]
fn check(rules: &Rules, wager: &str, edge: &str) {
    assert_eq!(fraction(&priced(rules, wager, None).edge()), edge, "{wager}");
}

#[test]
fn base_game() {
    let rules = rules(&["presque-isle"]);
    for (wager, edge) in [
        ("pass", "7/495"),
        ("come", "7/495"),
        ("dont-pass", "3/220"),
        ("dont-come", "3/220"),
        ("place 4", "1/15"),
        ("place 5", "1/25"),
        ("place 6", "1/66"),
        ("place 8", "1/66"),
        ("place 9", "1/25"),
        ("place 10", "1/15"),
        ("field", "1/18"),
        ("any-craps", "1/9"),
        ("craps 2", "5/36"),
        ("craps 3", "1/9"),
        ("craps 12", "5/36"),
        ("eleven", "1/9"),
        ("any-seven", "1/6"),
        ("horn", "1/8"),
        ("horn-high 2", "23/180"),
        ("horn-high 12", "23/180"),
        ("horn-high 3", "11/90"),
        ("horn-high 11", "11/90"),
        ("hard 4", "1/9"),
        ("hard 6", "1/11"),
        ("hard 8", "1/11"),
        ("hard 10", "1/9"),
        ("all-small", "1687/21736"),
        ("all-tall", "1687/21736"),
        ("buy 4", "1/20"),
        ("lay 4", "1/40"),
        ("lay 5", "1/30"),
        ("lay 6", "1/24"),
    ] {
        check(&rules, wager, edge);
    }
}

#[test]
fn line_bets_with_odds() {
    let rules = rules_with(&["presque-isle"], &[("odds-multiples", "100x")]);
    for (wager, edge) in [
        ("pass+odds 1x", "7/825"),
        ("pass+odds 2x", "1/165"),
        ("pass+odds 3x", "7/1485"),
        ("pass+odds 5x", "7/2145"),
        ("pass+odds 10x", "7/3795"),
        ("pass+odds 20x", "7/7095"),
        ("pass+odds 100x", "1/4785"),
        ("dont-pass+odds 1x", "3/440"),
        ("dont-pass+odds 2x", "1/220"),
        ("dont-pass+odds 5x", "1/440"),
        ("dont-pass+odds 10x", "3/2420"),
        ("dont-pass+odds 100x", "3/22220"),
    ] {
        check(&rules, wager, edge);
    }
    let house = crate::rules(&["presque-isle"]);
    check(&house, "pass+odds max", "7/1870");
    check(&house, "dont-pass+odds max", "3/1100");
    // Odds on a come bet rest through come-outs, but they have no edge to lose.
    check(&house, "come+odds 2x", "1/165");
    let target = Target::parse(&house, "pass+odds 4x").unwrap();
    let error = craps_math::Edge::of(&house, &target, None, Terms::default()).unwrap_err();
    assert!(error.to_string().contains("more than the house allows"), "{error}");
}

/// Every wager of the Strip, put bets with and without odds among them.
#[test]
fn the_strip() {
    let rules = rules(&["vegas-strip", "low-high-dice"]);
    let mut expected = vec![
        ("pass", "7/495"),
        ("come", "7/495"),
        ("dont-pass", "3/220"),
        ("dont-come", "3/220"),
        ("pass+odds max", "7/1870"),
        ("dont-pass+odds max", "3/1100"),
        ("come 4", "1/3"),
        ("come 5", "1/5"),
        ("come 6", "1/11"),
        ("come 8", "1/11"),
        ("come 9", "1/5"),
        ("come 10", "1/3"),
        ("come 6+odds max", "1/66"), // five times the flat bet: as much as place 6
        ("come 4+odds 2x", "1/9"),
        ("come 5+odds 3x", "1/20"),
        ("place 4", "1/15"),
        ("place 5", "1/25"),
        ("place 6", "1/66"),
        ("buy 4", "1/60"),
        ("buy 5", "1/50"),
        ("buy 6", "1/44"),
        ("lay 4", "1/60"),
        ("lay 5", "1/50"),
        ("lay 6", "1/44"),
        ("hard 4", "1/9"),
        ("hard 6", "1/11"),
        ("big-6", "1/11"),
        ("big-8", "1/11"),
        ("field", "1/36"),
        ("any-craps", "1/9"),
        ("craps 2", "5/36"),
        ("craps 3", "1/9"),
        ("craps 12", "5/36"),
        ("eleven", "1/9"),
        ("any-seven", "1/6"),
        ("horn", "1/8"),
        ("horn-high 2", "23/180"),
        ("horn-high 3", "11/90"),
        ("horn-high 11", "11/90"),
        ("horn-high 12", "23/180"),
        ("world", "2/15"),
        ("c-and-e", "1/9"),
        ("three-way", "7/54"),
        ("hi-lo", "5/36"),
        ("low-dice", "1/18"),
        ("high-dice", "1/18"),
    ];
    let hops: Vec<(String, &str)> = craps::dice::Combination::all()
        .map(|faces| (format!("hop {faces}"), if faces.ways() == 1 { "5/36" } else { "1/9" }))
        .collect();
    expected.extend(hops.iter().map(|(hop, edge)| (hop.as_str(), *edge)));
    for (wager, edge) in expected {
        check(&rules, wager, edge);
    }
    let up_front = rules_with(&["vegas-strip"], &[("commission-when", "placed")]);
    for (wager, of_outlay) in
        [("buy 4", "-1/21"), ("lay 4", "-1/41"), ("lay 5", "-1/31"), ("lay 6", "-1/25")]
    {
        let priced = priced(&up_front, wager, None);
        assert_eq!(fraction(&priced.ev_of_outlay), of_outlay, "{wager}");
    }
    for (wager, deviation) in [
        ("pass", "0.99990"),
        ("dont-pass", "0.98592"),
        ("place 4", "1.31993"),
        ("place 5", "1.17576"),
        ("place 6", "1.07885"),
        ("field", "1.14227"),
        ("hard 4", "2.51416"),
        ("hard 6", "2.87480"),
        ("any-seven", "1.86339"),
        ("any-craps", "2.51416"),
        ("craps 2", "5.09440"),
        ("craps 3", "3.66498"),
        ("hop 1-1", "5.09440"),
        ("hop 1-2", "3.66498"),
    ] {
        let priced = priced(&rules, wager, None).deviation();
        assert_eq!(format!("{priced:.5}"), deviation, "{wager}");
    }
}

/// 14 of 36 come-outs have twice the flat bet behind them and 10 have 2.5 times, so the mean stake
/// is 1 + 53/36 and the edge 7/495 × 36/89.
#[test]
fn full_double_odds() {
    for name in ["presque-isle", "vegas-strip"] {
        let rules = rules_with(&[name], &[("odds-multiples", "2-2-2.5x")]);
        check(&rules, "pass+odds max", "28/4895");
        check(&rules, "come+odds max", "28/4895");
        check(&rules, "pass+odds 1.5x", "7/990");
        let target = Target::parse(&rules, "pass+odds 2.25x").unwrap();
        let error = Edge::of(&rules, &target, None, Terms::default()).unwrap_err();
        let expected = "2.25x odds are more than the house allows, see odds-multiples";
        assert_eq!(error.to_string(), expected);
    }
    assert!(Target::parse(&rules(&["presque-isle"]), "pass+odds 2.555x").is_err());
}

/// A commission by steps is no ratio of the stake: the edge is one at each stake.
#[test]
fn commission_by_steps_needs_a_stake() {
    let text = include_str!("../../../../rulebooks/vegas-strip.toml").replacen(
        "rate = \"5%\"\nof = \"stake\"\nwhen = \"@commission-when\"\n\
         rounding = \"@commission-rounding\"\nunit = \"@commission-unit\"\n\
         minimum = \"@commission-minimum\"",
        "of = \"stake\"\nwhen = \"won\"\nsteps = { \"1-35\" = 1, \"36+\" = 2 }",
        1,
    );
    let library = craps::Library::embedded();
    let rulebook = craps::Rulebook::parse("house.toml", &text).unwrap();
    let chosen = craps::rules::Chosen { rulebook, paytables: None };
    let rules = Rules::compile(&library, &[chosen], &[]).unwrap();
    let target = Target::parse(&rules, "buy 4").unwrap();
    let error = Edge::of(&rules, &target, None, Terms::default()).unwrap_err();
    let expected =
        "the commission on buy 4 goes by steps, so its edge depends on the stake: name one";
    assert_eq!(error.to_string(), expected);
    // A third of the time 1 of 20, or 1 of 35, or 2 of 40.
    for (dollars, edge) in [(20, "1/60"), (35, "1/105"), (40, "1/60")] {
        let edge_at = priced(&rules, "buy 4", Some(Cents::dollars(dollars))).edge();
        assert_eq!(fraction(&edge_at), edge);
    }
}

/// Published: crapless pass 5.382 % (crapsfest.com); place 2 and 12 7.1 %, 3 and 11 6.3 %,
/// buy 4.8 % of bet and commission (Rollers Paradise). The edges of Gaming Today's pays are ours.
#[test]
fn crapless() {
    let crapless = rules(&["crapless"]);
    for (wager, edge) in [
        ("pass", "373/6930"),
        ("come", "373/6930"),
        ("place 2", "1/14"),
        ("place 3", "1/16"),
        ("place 4", "1/15"),
        ("place 5", "1/25"),
        ("place 6", "1/66"),
        ("place 8", "1/66"),
        ("place 9", "1/25"),
        ("place 10", "1/15"),
        ("place 11", "1/16"),
        ("place 12", "1/14"),
        ("field", "1/18"),
        ("any-craps", "1/9"),
        ("craps 2", "5/36"),
        ("eleven", "1/9"),
        ("any-seven", "1/6"),
        ("horn", "1/8"),
        ("horn-high 12", "23/180"),
        ("hard 4", "1/9"),
        ("hard 8", "1/11"),
    ] {
        check(&crapless, wager, edge);
    }
    for number in [2, 3, 4, 5, 6, 8, 9, 10, 11, 12] {
        let bought = priced(&crapless, &format!("buy {number}"), None);
        assert_eq!(fraction(&bought.ev_of_outlay), "-1/21", "{number}");
    }
    // Odds of twice the bet are up behind 30 come-outs in 36 and have no edge: 1 + 2 x 5/6 at
    // stake.
    check(&rules_with(&["crapless"], &[("odds-multiples", "2x")]), "pass+odds max", "373/18480");
    let other = rules(&["crapless:CRAPLESS-2"]);
    // 6/7 are lost and 1/7 wins five; 3/4 are lost and 1/4 wins 13/5.
    for (wager, edge) in [("place 2", "1/7"), ("place 3", "1/10"), ("place 6", "1/66")] {
        check(&other, wager, edge);
    }
}

#[test]
fn commission_is_seen_both_ways() {
    let rules = rules(&["presque-isle"]);
    let outlay = |wager: &str| fraction(&priced(&rules, wager, None).ev_of_outlay);
    for wager in ["buy 4", "buy 5", "buy 6", "buy 8", "buy 9", "buy 10"] {
        check(&rules, wager, "1/20");
        assert_eq!(outlay(wager), "-1/21", "{wager}");
    }
    assert_eq!(outlay("lay 4"), "-1/41");
    assert_eq!(outlay("lay 5"), "-1/31");
    assert_eq!(outlay("lay 6"), "-1/25");
    let on_the_win = rules_with(&["presque-isle"], &[("commission-when", "won")]);
    for (wager, edge) in [
        ("buy 4", "1/60"),
        ("buy 5", "1/50"),
        ("buy 6", "1/44"),
        ("lay 4", "1/60"),
        ("lay 5", "1/50"),
        ("lay 6", "1/44"),
    ] {
        check(&on_the_win, wager, edge);
    }
}

#[test]
fn other_houses_rules() {
    let bar_two = rules_with(&["presque-isle"], &[("bar", "2")]);
    check(&bar_two, "dont-pass", "3/220");
    let bar_three = rules_with(&["presque-isle"], &[("bar", "3")]);
    check(&bar_three, "dont-pass", "41/990");
    let nevada = everything();
    check(&nevada, "all-small", "139241/760760");
    check(&nevada, "little", "139241/760760");
    let percent_of = |rules: &Rules, wager: &str| percent(&priced(rules, wager, None).edge(), 4);
    assert_eq!(percent_of(&nevada, "make-em-all"), "20.6087");
    assert_eq!(percent_of(&nevada, "all"), "20.6087");
    let washington = rules(&["presque-isle:none", "bonus-craps-washington"]);
    assert_eq!(percent_of(&washington, "make-em-all"), "7.4644");
    // Bare numbers read "for 1": one unit less on each win.
    let for_one = rules(&["presque-isle:none", "bonus-craps-washington:WA-BC-1-FOR"]);
    check(&for_one, "all-small", "39547/380380");
    check(&for_one, "all-tall", "39547/380380");
    let all_160 = rules(&["presque-isle", "super-shooter:SS-ALL-2"]);
    assert_eq!(percent_of(&all_160, "all"), "15.3510");
}

#[test]
fn pushes_rolls_and_deviation() {
    let rules = everything();
    let dont = priced(&rules, "dont-pass", None);
    assert_eq!(fraction(&dont.edge_without_pushes()), "27/1925");
    assert_eq!(fraction(&dont.push), "1/36");
    assert_eq!(fraction(&priced(&rules, "place 6", None).rolls), "36/11");
    let per_roll = |wager: &str| percent(&priced(&rules, wager, None).edge_per_roll(), 4);
    assert_eq!(per_roll("place 4"), "1.6667");
    assert_eq!(per_roll("place 5"), "1.1111");
    assert_eq!(per_roll("place 6"), "0.4630");
    assert_eq!(fraction(&priced(&rules, "all-small", None).rolls), "2222133/380380");
    for (wager, deviation) in [
        ("pass", "0.99990"),
        ("dont-pass", "0.98592"),
        ("place 4", "1.31993"),
        ("place 5", "1.17576"),
        ("place 6", "1.07885"),
        ("field", "1.07869"),
        ("hard 4", "2.51416"),
        ("hard 6", "2.87480"),
        ("any-seven", "1.86339"),
        ("any-craps", "2.51416"),
        ("craps 2", "5.09440"),
        ("eleven", "3.66498"),
        ("all-small", "4.96575"),
    ] {
        let found = format!("{:.5}", priced(&rules, wager, None).deviation());
        assert_eq!(found, deviation, "{wager}");
    }
}

/// A 5 dollar place bet on 6 is owed 5.83; a house that pays whole dollars pays 5.
#[test]
fn breakage_is_part_of_the_edge_at_a_stake() {
    let dollars = rules_with(&["presque-isle"], &[("payout-unit", "1")]);
    let edge = |stake| fraction(&priced(&dollars, "place 6", Some(Cents::dollars(stake))).edge());
    assert_eq!(edge(5), "1/11");
    assert_eq!(edge(6), "1/66");
    assert_eq!(edge(7), "2/77"); // owed 8.1666, paid 8: (6·7 - 5·8) / (11·7)
    let cents = rules(&["presque-isle"]);
    let lay = priced(&cents, "lay 4", Some(Cents::dollars(1)));
    // Half a dollar to win; the commission of 2.5 cents is rounded down to 2.
    assert_eq!(fraction(&lay.edge()), "1/50");
}

#[test]
fn what_cannot_be_priced_is_said() {
    let rules = rules(&["presque-isle"]);
    let parse = |text: &str| Target::parse(&rules, text).unwrap_err().to_string();
    assert_eq!(parse("plase 6"), "there is no wager `plase 6`, did you mean `place 6`?");
    assert_eq!(parse("field+odds 2x"), "no odds stand behind `field`");
    assert_eq!(parse("come 6"), "there is no wager `come 6`, did you mean `come`?");
    let target = Target::parse(&rules, "horn").unwrap();
    let at = |cents| {
        let edge = craps_math::Edge::of(&rules, &target, Some(Cents(cents)), Terms::default());
        edge.unwrap_err().to_string()
    };
    assert_eq!(at(200), "2.00 on horn is not a multiple of 4.00");
    assert_eq!(at(0), "0.00 on horn is under the minimum of 1.00");
    assert_eq!(at(100_000_000), "1000000.00 on horn is over the maximum of 5000.00");
}

/// What depends on a stake stays out of ratios: caps, payout units, minimums, limits.
#[test]
fn ratios_know_no_stake() {
    let names = ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03"];
    let edge = |options: &[(&str, &str)], wager: &str| {
        fraction(&priced(&rules_with(&names, options), wager, None).edge())
    };
    assert_eq!(edge(&[("aggregate-cap", "25000")], "all-small"), "139241/760760");
    let mea = edge(&[], "make-em-all-progressive");
    assert_eq!(edge(&[("payout-unit", "5")], "make-em-all-progressive"), mea);
    assert_eq!(edge(&[("payout-unit", "5")], "place 6"), "1/66");
    assert_eq!(edge(&[("place.min", "5"), ("place.max", "5")], "place 6"), "1/66");
    assert_eq!(edge(&[("commission-minimum", "25")], "buy 4"), "1/20");
    let commission = [("commission-unit", "5"), ("commission-rounding", "ceil")];
    assert_eq!(edge(&commission, "lay 5"), "1/30");
}

/// A push risks only the flat bet, whatever odds stand behind it.
#[test]
fn pushes_left_out_with_odds() {
    let rules = rules(&["presque-isle"]);
    let edge = priced(&rules, "dont-pass+odds max", None);
    // 3/220 for each flat dollar, over the 5 - 1/36 dollars put up without a push.
    let expected = craps_math::ratio(3, 220) / (craps_math::ratio(5, 1) - craps_math::ratio(1, 36));
    assert_eq!(edge.edge_without_pushes(), expected);
}

#[test]
fn odds_are_written_one_way() {
    let rules = rules(&["presque-isle"]);
    for text in ["pass+odds 2xx", "pass+odds ma", "pass+odds 2", "pass+odds 0x", "pass+odds 1001x"]
    {
        assert!(Target::parse(&rules, text).is_err(), "{text}");
    }
    assert_eq!(Target::parse(&rules, "pass+odds").unwrap().name, "pass+odds max");
}

/// Odds are paid what they are worth, on each number and on whatever number comes.
#[test]
fn odds_by_themselves_cost_nothing() {
    let rules = rules(&["presque-isle"]);
    let spots = Target::every_spot(&rules);
    let alone = spots.iter().filter(|target| target.name.starts_with("odds "));
    let alone: Vec<&Target> = alone.collect();
    assert_eq!(alone.len(), 14);
    for target in alone {
        let edge = Edge::of(&rules, target, None, Terms::default()).unwrap();
        assert_eq!(fraction(&edge.edge()), "0", "{}", target.name);
    }
    let pass = rules.spot("odds pass").unwrap();
    let four = Edge::of_odds(&rules, pass, Total::new(4), None).unwrap();
    assert_eq!((fraction(&four.hit), fraction(&four.rolls)), ("1/3".into(), "4".into()));
    assert_eq!(fraction(&four.variance), "2");
    let any = Edge::of_odds(&rules, pass, None, None).unwrap();
    // A third, two fifths and five elevenths, as 3, 4 and 5 ways out of 12 weigh them.
    assert_eq!(fraction(&any.hit), "67/165");
}

/// No wager that comes with the program favours the player: as the rulebooks have it, with every
/// paytable on offer, and on the terms that are suggested for meters.
#[test]
fn nothing_on_the_shelf_favours_the_player() {
    let library = craps::Library::embedded();
    let base = rules(&["presque-isle"]);
    assert_eq!(craps_math::advantages(&base, &Target::every_spot(&base)), [""; 0]);
    for (paytable, rulebook) in craps_math::paytables(&library) {
        let offer = format!("{rulebook}:{paytable}");
        // A base game plays by its own paytables, side bets lie beside the usual one.
        let kind = library.rulebook(&rulebook).unwrap().kind;
        let names = match kind {
            Kind::Base => vec![offer.as_str()],
            Kind::Side => vec!["presque-isle", &offer],
        };
        let plain = rules(&names);
        let mut options = Vec::new();
        for meter in plain.meters() {
            let wager = &plain.wager(meter.wager).name;
            options.extend(craps::MeterTerms::suggested(wager));
        }
        let named: Vec<(&str, &str)> =
            options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        for rules in [plain, rules_with(&names, &named)] {
            let own = |target: &Target| rules.wager_at(target.spot).rulebook == rulebook;
            let targets: Vec<Target> = Target::every_spot(&rules).into_iter().filter(own).collect();
            assert!(!targets.is_empty(), "{offer}");
            assert_eq!(craps_math::advantages(&rules, &targets), [""; 0], "{offer}");
        }
    }
}
