//! PAR sheets. Side bet figures agree with the Wizard of Odds' Bonus Craps page to all digits it
//! prints; the progressives were computed independently from the rules of play.

use craps::{Cents, Library};
use craps_math::{Par, ParTerms, Ratio, Unpriced, decimal, fraction, percent, ratio};

fn par(paytable: &str, bettors: u8) -> Par {
    let terms = ParTerms { bettors, ..ParTerms::default() };
    let mut pars = Par::of_paytables(&Library::embedded(), &[paytable], terms, &[]).unwrap();
    pars.remove(0)
}

fn dollars(cents: &Ratio) -> String {
    decimal(&(cents / ratio(100, 1)), 2)
}

#[test]
fn bonus_craps() {
    let terms = ParTerms::default();
    let pars = Par::of_paytables(&Library::embedded(), &["PT-FLT-BC-03"], terms, &[]).unwrap();
    let wagers: Vec<&str> = pars.iter().map(|par| par.wager.as_str()).collect();
    assert_eq!(wagers, ["all-small", "all-tall", "make-em-all"]);
    assert_eq!(fraction(&pars[0].hit_chance), "20049/760760");
    assert_eq!(fraction(&pars[2].hit_chance), "126538525259/24067258815600");
    assert_eq!(percent(&pars[0].edge(), 4), "18.3029");
    assert_eq!(percent(&pars[0].edge_after_envy(), 4), "15.6675");
    assert_eq!(percent(&pars[2].edge_after_envy(), 4), "17.9798");
    assert_eq!(percent(&pars[0].edge_per_roll(), 3), "3.133");
    assert_eq!(percent(&pars[2].edge_per_roll(), 3), "3.453");
    assert_eq!(decimal(&pars[2].rolls, 5), "5.96845");
    assert_eq!(format!("{:.4}", pars[2].deviation()), "10.9202");
    // Five thousand at 30 to 1, and five thousand for the dealers.
    assert_eq!(pars[0].exposure, Cents::dollars(155_000));
}

#[test]
fn super_shooter_after_envy() {
    for (paytable, after) in [
        ("SS-LB-2", "5.1259"),
        ("SS-ALL-1", "17.9798"),
        ("SS-ALL-2", "12.7221"),
        ("SS-ALL-3", "4.8356"),
    ] {
        assert_eq!(percent(&par(paytable, 1).edge_after_envy(), 4), after, "{paytable}");
        // A multiple is paid for each winner, so more bettors change nothing.
        assert_eq!(percent(&par(paytable, 9).edge_after_envy(), 4), after, "{paytable}");
    }
}

#[test]
fn make_em_all_progressive() {
    for (number, fixed, breakeven, envy) in [
        (1, "281549375/612220032", "37790.93", "5.8427"),
        (2, "281549375/612220032", "37790.93", "2.5326"),
        (3, "281549375/612220032", "37790.93", "7.2270"),
        (4, "281549375/612220032", "37790.93", "0.0000"),
        (5, "618556375/1224440064", "34621.93", "2.5326"),
        (6, "618556375/1224440064", "34621.93", "0.0000"),
    ] {
        let par = par(&format!("PT-BJS-MEA-0{number}"), 1);
        assert_eq!(fraction(&par.fixed_return), fixed, "MEA-0{number}");
        assert_eq!(dollars(&par.breakeven(1).unwrap()), breakeven, "MEA-0{number}");
        assert_eq!(dollars(&(par.breakeven(6).unwrap() / ratio(6, 1))), breakeven);
        assert_eq!(percent(&par.envy_cost, 4), envy, "MEA-0{number}");
        assert_eq!(fraction(&par.hit_chance), "4325/46656");
        assert_eq!(fraction(&par.top_chance), "4375/306110016");
        assert_eq!(decimal(&par.rolls, 5), "3.17359");
    }
    let chances: Vec<String> =
        par("PT-BJS-MEA-01", 1).awards.iter().map(|award| fraction(&award.chance)).collect();
    assert_eq!(
        chances,
        [
            "4375/306110016",
            "33775/153055008",
            "985565/612220032",
            "9057545/1224440064",
            "546475/22674816",
            "897275/15116544",
        ]
    );
}

/// Envy paid once is shared by the bettors; envy paid each is not.
#[test]
fn envy_by_bettors() {
    let once = par("PT-BJS-MEA-01", 1).envy_cost / ratio(4, 1);
    assert_eq!(par("PT-BJS-MEA-01", 4).envy_cost, once);
    let each = |bettors| par("PT-BJS-MEA-03", bettors).envy_cost;
    let top = ratio(4375, 306_110_016) * ratio(1000, 1);
    let starred = each(1) - &top;
    assert_eq!(each(5), &starred + &top / ratio(5, 1));
}

#[test]
fn fired_up_progressive() {
    for (number, fixed, hit, one_in, breakeven) in [
        (1, "55345/104976", "5/18", "251942.4", "119114.40"),
        (2, "55345/104976", "5/18", "251942.4", "119114.40"),
        (3, "4187/8748", "1/9", "69984.0", "36488.00"),
        (4, "4187/8748", "1/9", "69984.0", "36488.00"),
        (5, "265235/314928", "5/36", "503884.8", "79508.80"),
        (6, "163045/314928", "5/36", "503884.8", "243012.80"),
    ] {
        let par = par(&format!("PT-BJS-FUP-0{number}"), 1);
        assert_eq!(fraction(&par.fixed_return), fixed, "FUP-0{number}");
        assert_eq!(fraction(&par.hit_chance), hit);
        assert_eq!(decimal(&par.awards[0].one_in(), 1), one_in);
        assert_eq!(dollars(&par.breakeven(1).unwrap()), breakeven);
        let high = par.flags().iter().any(|flag| flag.contains("fixed pays alone"));
        assert_eq!(high, number == 5, "FUP-0{number} {:?}", par.flags());
    }
}

#[test]
fn a_base_of_five_dollars_scales_the_meter() {
    let terms = ParTerms { unit: Some(Cents::dollars(5)), ..ParTerms::default() };
    let pars = Par::of_paytables(&Library::embedded(), &["PT-BJS-MEA-01"], terms, &[]).unwrap();
    assert_eq!(fraction(&pars[0].fixed_return), "281549375/612220032");
    let five_times = par("PT-BJS-MEA-01", 1).breakeven(1).unwrap() * ratio(5, 1);
    assert_eq!(pars[0].breakeven(1).unwrap(), five_times);
    assert_eq!(percent(&pars[0].envy_cost, 4), "5.8427");
}

#[test]
fn the_meter_over_its_life() {
    let options = [
        ("make-em-all-progressive.meter.seed".to_owned(), "10000".to_owned()),
        ("make-em-all-progressive.meter.increment".to_owned(), "20%".to_owned()),
    ];
    let terms = ParTerms { bettors: 6, meter: Some(Cents::dollars(40_000)), ..ParTerms::default() };
    let library = Library::embedded();
    let par = Par::of_paytables(&library, &["PT-BJS-MEA-03"], terms, &options).unwrap().remove(0);
    let progressive = par.progressive.as_ref().unwrap();
    // 69,968 decisions of six dollars, a fifth of each, on top of the seed.
    assert_eq!(dollars(&progressive.mean_meter().unwrap()), "93961.60");
    // Fixed pays, the increment, and the seed shared by six once a cycle.
    let expected = &par.fixed_return + ratio(1, 5) + ratio(10_000, 6) * ratio(4375, 306_110_016);
    assert_eq!(progressive.long_run_return(), Some(expected));
    let at = &par.fixed_return + ratio(40_000, 6) * ratio(4375, 306_110_016);
    assert_eq!(par.return_at_meter, at);
    assert!((progressive.no_hit(69_968.0) - (-1.0f64).exp()).abs() < 1e-5);
    assert!(progressive.meter_at(0.1) < progressive.meter_at(0.5));
}

#[test]
fn an_unknown_paytable_names_the_nearest() {
    let found =
        Par::of_paytables(&Library::embedded(), &["PT-BJS-MEA-7"], ParTerms::default(), &[]);
    let Err(Unpriced::NoSuchPaytable { nearest, .. }) = found else { panic!("it was found") };
    assert_eq!(nearest.len(), 1);
    let several = Par::of_paytables(&Library::embedded(), &["mea"], ParTerms::default(), &[]);
    let told = several.unwrap_err().to_string();
    assert!(told.contains("`PT-BJS-MEA-01`, `PT-BJS-MEA-02`"), "{told}");
}

fn options(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let wager = "make-em-all-progressive.meter";
    pairs.iter().map(|(key, value)| (format!("{wager}.{key}"), (*value).to_owned())).collect()
}

fn mea(bettors: u8, meter: i64, pairs: &[(&str, &str)]) -> Par {
    let terms = ParTerms { bettors, meter: Some(Cents::dollars(meter)), ..ParTerms::default() };
    let library = Library::embedded();
    Par::of_paytables(&library, &["PT-BJS-MEA-03"], terms, &options(pairs)).unwrap().remove(0)
}

/// What a progressive sets aside for its meter is not the house's to hold.
#[test]
fn hold_is_for_the_long_run() {
    let staked = ratio(600, 1);
    let per_hour = |par: &Par, kept: Ratio| kept * &staked * par.decisions_per_hour();
    let fed = mea(6, 0, &[("increment", "20%"), ("reserve", "5%")]);
    let kept = fed.edge_after_envy() - ratio(1, 4);
    assert_eq!(fed.hold_per_hour(), Some(per_hour(&fed, kept)));
    // A seed beyond what the reserve covers is the house's to pay.
    let seeded = mea(6, 0, &[("seed", "10000"), ("increment", "20%")]);
    let progressive = seeded.progressive.as_ref().unwrap();
    let kept = Ratio::ONE - progressive.long_run_return().unwrap() - &seeded.envy_cost;
    assert_eq!(seeded.hold_per_hour(), Some(per_hour(&seeded, kept)));
}

/// Published rules leave the terms to the house: without them nothing is told that rests on them.
#[test]
fn without_terms_the_long_run_is_unknown() {
    let unknown = |par: &Par| {
        let progressive = par.progressive.as_ref().unwrap();
        let figures =
            [progressive.mean_meter(), progressive.long_run_return(), par.hold_per_hour()];
        figures.iter().all(Option::is_none) && progressive.meter_at(0.5).is_none()
    };
    let bare = mea(6, 40_000, &[("reserve", "5%")]);
    assert!(unknown(&bare) && bare.is_without_terms());
    let flags = bare.flags();
    assert!(flags[0].starts_with("no terms: seed 0 and no increment"), "{flags:?}");
    assert!(flags[0].contains("make-em-all-progressive.meter.seed=1000"), "{flags:?}");
    // What does not rest on them is told: the meter is at $40,000.
    assert!(bare.breakeven(6).is_some() && bare.return_at_meter > bare.fixed_return);
    for terms in [[("seed", "1000")], [("increment", "15%")]] {
        let set = mea(6, 0, &terms);
        assert!(!unknown(&set) && !set.is_without_terms());
        assert!(set.flags().is_empty(), "{:?}", set.flags());
    }
    let bonus = par("PT-FLT-BC-03", 1);
    assert!(!bonus.is_without_terms() && bonus.hold_per_hour().is_some());
}

/// The mean under a ceiling, against the engine's own meter fed decision by decision.
#[test]
fn a_ceiling_cuts_the_meter_off() {
    let par = mea(6, 0, &[("seed", "10000"), ("increment", "20%"), ("ceiling", "30000")]);
    let progressive = par.progressive.as_ref().unwrap();
    let mut meter = craps::Meter::open("m", progressive.terms, None);
    let chance = craps_math::float(&progressive.chance);
    let (mut waiting, mut mean) = (1.0, 0.0);
    for _ in 0..40_000 {
        meter.obey(&craps::meter::MeterCommand::feed(meter.terms(), Cents::dollars(6))).unwrap();
        mean += waiting * chance * meter.payable().0 as f64;
        waiting *= 1.0 - chance;
    }
    mean += waiting * meter.payable().0 as f64;
    assert_eq!(meter.payable(), Cents::dollars(30_000));
    assert!((craps_math::float(&progressive.mean_meter().unwrap()) - mean).abs() < 1.0, "{mean}");
    assert!(progressive.meter_at(0.99).unwrap() <= 3_000_000.0);
    assert!(progressive.long_run_return().unwrap() < ratio(54, 100));
}

/// A quantile of the meter when hit is what the engine's meter shows after as many decisions.
#[test]
fn quantiles_are_the_meters_own() {
    let par = mea(4, 0, &[("seed", "500"), ("increment", "12.5%")]);
    let progressive = par.progressive.as_ref().unwrap();
    let mut meter = craps::Meter::open("m", progressive.terms, None);
    let mut decisions = 0;
    while progressive.no_hit(f64::from(decisions)) > 0.5 {
        meter.obey(&craps::meter::MeterCommand::feed(meter.terms(), Cents::dollars(4))).unwrap();
        decisions += 1;
    }
    assert_eq!(progressive.meter_at(0.5).unwrap().round() as i64, meter.payable().0);
}

#[test]
fn winners_in_full_expose_the_house() {
    let shared = mea(6, 40_000, &[]);
    assert_eq!(shared.exposure, Cents::dollars(2_094));
    let full = mea(6, 40_000, &[("winners", "in-full")]);
    // Five of the six meters, the dealers' thousand, less the six stakes.
    assert_eq!(full.exposure, Cents::dollars(5 * 40_000 + 1_000 - 6));
    assert_eq!(full.breakeven(6), full.breakeven(1));
}

#[test]
fn a_long_run_above_everything_is_flagged() {
    let par = mea(2, 0, &[("increment", "60%")]);
    assert!(par.flags().iter().any(|flag| flag.contains("long run")), "{:?}", par.flags());
}

#[test]
fn an_option_is_for_the_paytables_that_have_it() {
    let library = Library::embedded();
    let tables = ["WA-BC-1", "PT-BJS-MEA-03"];
    let seeded = options(&[("seed", "1000")]);
    let pars = Par::of_paytables(&library, &tables, ParTerms::default(), &seeded).unwrap();
    assert_eq!(pars.len(), 4);
    let none = [("red".to_owned(), "1".to_owned())];
    let error = Par::of_paytables(&library, &tables, ParTerms::default(), &none).unwrap_err();
    assert_eq!(error.to_string(), "none of these paytables has the option `red`");
}

/// Under a cap all bettors are worth the same: leftover cents are nobody's in the mean.
#[test]
fn a_cap_is_shared_by_the_bettors() {
    let cap = [("aggregate-cap".to_owned(), "100".to_owned())];
    let terms = ParTerms { bettors: 3, unit: Some(Cents::dollars(10)), ..ParTerms::default() };
    let pars = Par::of_paytables(&Library::embedded(), &["PT-FLT-BC-03"], terms, &cap).unwrap();
    // A third of a hundred dollars and the stake back, on ten dollars.
    let back = (ratio(100, 3) + ratio(10, 1)) / ratio(10, 1);
    assert_eq!(pars[0].return_at_meter, back * ratio(20_049, 760_760));
}

/// Winners who each take the meter in full are paid by the house beside the meter; contributions
/// cannot be set off against that.
#[test]
fn hold_with_winners_in_full() {
    let terms = [("seed", "1000"), ("increment", "1%"), ("reserve", "20%"), ("winners", "in-full")];
    let par = mea(2, 0, &terms);
    let progressive = par.progressive.as_ref().unwrap();
    let jackpots = progressive.long_run_return().unwrap() - &par.fixed_return;
    let house = &jackpots / ratio(2, 1);
    let kept = Ratio::ONE - &par.fixed_return - ratio(21, 100) - house - &par.envy_cost;
    let expected = kept * ratio(200, 1) * par.decisions_per_hour();
    assert_eq!(par.hold_per_hour(), Some(expected));
}
