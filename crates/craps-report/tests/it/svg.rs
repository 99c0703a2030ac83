//! Charts.

use craps_report::svg::{
    Chart, all, breakeven_against_bettors, decided_by, envy_against_bettors, no_hit, outcomes,
    return_against_bettors, return_against_meter,
};

use crate::{check_markup, sheets, sheets_at};

#[track_caller]
fn check(chart: &Chart, says: &[&str]) {
    let chart = &chart.svg;
    check_markup(chart);
    assert!(chart.starts_with("<svg ") && chart.ends_with("</svg>"));
    for part in ["viewBox=", "width=\"100%\"", "role=\"img\"", "<title>", "<desc>", "system-ui"] {
        assert!(chart.contains(part), "{part}");
    }
    for clash in [" id=", " class=", "<style", " style="] {
        assert!(!chart.contains(clash), "{clash}");
    }
    for text in says {
        assert!(chart.contains(&format!(">{text}</text>")), "{text} in {chart}");
    }
}

#[test]
fn a_progressive() {
    let par = &sheets(&["PT-BJS-MEA-03"])[0];
    check(&outcomes(par), &["+6,665.67", "+299", "\u{2212}1", "90.7 %", "0.0221 %"]);
    check(&decided_by(par), &["Half within 3 rolls", "90 % within 5 rolls"]);
    check(
        &return_against_meter(par).unwrap(),
        &["Break-even $226,746", "Now $40,000", "55.52 %", "100 %"],
    );
    check(&no_hit(par).unwrap(), &["1 cycle", "63.2 %", "3 cycles", "95.0 %"]);
    check(&breakeven_against_bettors(par).unwrap(), &["37.8", "227", "453"]);
    check(&envy_against_bettors(par).unwrap(), &["Envy cost by number of bettors", "6.04"]);
    check(&return_against_bettors(par).unwrap(), &["Return by number of bettors", "55.5", "103"]);
    assert_eq!(all(par).len(), 7);
}

#[test]
fn a_wager_without_a_meter_has_no_meter_charts() {
    for (par, wins) in sheets(&["PT-FLT-BC-03"]).iter().zip(["+30", "+30", "+150"]) {
        check(&outcomes(par), &[wins, "\u{2212}1"]);
        check(&decided_by(par), &["Half within 4 rolls"]);
        assert!(return_against_meter(par).is_none());
        assert!(breakeven_against_bettors(par).is_none());
        assert!(no_hit(par).is_none());
        // Envy is a share of each bet, and nothing is shared.
        assert!(return_against_bettors(par).is_none());
        assert!(envy_against_bettors(par).is_none());
    }
}

#[test]
fn any_meter_can_be_drawn() {
    for dollars in [0, 1, 37_700, 38_500, 60_000, 5_000_000] {
        let par = &sheets_at(&["PT-BJS-MEA-03"], 1, dollars)[0];
        check(&return_against_meter(par).unwrap(), &["Break-even $37,791"]);
    }
    let crowded = &sheets_at(&["PT-BJS-MEA-03"], 20, 40_000)[0];
    check(&breakeven_against_bettors(crowded).unwrap(), &["12", "20", "756"]);
}

#[test]
fn titles_stay_text_and_nothing_is_drawn_of_nothing() {
    let mut par = sheets(&["PT-BJS-MEA-03"]).remove(0);
    par.title = "<b> & \"c\"".to_owned();
    assert!(outcomes(&par).svg.contains("&lt;b&gt; &amp; &quot;c&quot;"));
    par.by_bettors.clear();
    assert!(return_against_bettors(&par).is_none() && envy_against_bettors(&par).is_none());
}
