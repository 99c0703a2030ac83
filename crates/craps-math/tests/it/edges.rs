//! Edges of every wager.

use craps::{Cents, Rules};
use craps_math::{Edge, Target, Terms, fraction, percent};

use crate::rules;

#[track_caller]
fn priced(rules: &Rules, wager: &str, stake: Option<Cents>) -> Edge {
    let target = Target::parse(rules, wager).unwrap();
    Edge::of(rules, &target, stake, Terms::default()).unwrap()
}

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
    let outlay = |wager: &str| fraction(&priced(&rules, wager, None).ev_of_outlay);
    for wager in ["buy 4", "buy 5", "buy 6", "buy 8", "buy 9", "buy 10"] {
        assert_eq!(outlay(wager), "-1/21", "{wager}");
    }
    assert_eq!(outlay("lay 4"), "-1/41");
    assert_eq!(outlay("lay 5"), "-1/31");
    assert_eq!(outlay("lay 6"), "-1/25");
    let dont = priced(&rules, "dont-pass", None);
    assert_eq!(fraction(&dont.edge_without_pushes()), "27/1925");
    assert_eq!(fraction(&dont.push), "1/36");
    assert_eq!(fraction(&priced(&rules, "place 6", None).rolls), "36/11");
    assert_eq!(percent(&priced(&rules, "place 4", None).edge_per_roll(), 4), "1.6667");
}
