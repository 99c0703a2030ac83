//! A house, a paytable and wagers nobody has: nothing can be known by name.

use craps::rules::Chosen;
use craps::{Cents, Library, Rulebook, Rules};
use craps_math::{Edge, Par, ParTerms, Ratio, Target, Terms, fraction, ratio};

const HOUSE: &str = r#"
    name = "crapless"
    title = "No craps"
    kind = "base"
    points = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    [limits]
    min = 1
    max = 100
    unit = 1
    [wager.line]
    title = "Line"
    shape = "line"
    side = "right"
    wins = [7]
    loses = []
    pays = "1 to 1"
    when = "come-out"
    take = "until-set"
    [wager.edge-place]
    title = "Edge Place"
    shape = "race"
    numbers = [2, 3, 11, 12]
    wins = ["number"]
    loses = [7]
    pays = { 2 = "11 to 2", 3 = "11 to 4", 11 = "11 to 4", 12 = "11 to 2" }
    [wager.hop]
    title = "Hop"
    shape = "one-roll"
    pays = { "2-2" = "30 to 1" }
    [wager.easy-hop]
    title = "Easy Hop"
    shape = "one-roll"
    wins = ["2-4"]
    pays = "15 to 1"
    [wager.world]
    title = "World"
    shape = "one-roll"
    split = { 2 = "30 to 1", 3 = "15 to 1", 11 = "15 to 1", 12 = "30 to 1", 7 = "4 to 1" }
    unit = 5
    [wager.four]
    title = "Four"
    shape = "collect"
    collects = [2, 3, 11, 12]
    ends-on = [7]
    when = "idle"
    pays = "70 to 1"
    [wager.points]
    title = "Points"
    shape = "collect"
    collects = [4, 5, 6, 8, 9, 10]
    ends-on = [7]
    when = "idle"
    pays = "12 to 1"
    [wager.hot]
    title = "Hot"
    shape = "collect"
    collects = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
    ends-on = [7]
    when = "idle"
    pays = { 10 = "80 to 1", 9 = "20 to 1" }
    [wager.gift]
    title = "Gift"
    shape = "collect"
    collects = [6]
    ends-on = [7]
    when = "idle"
    pays = "3 to 1"
"#;

fn house() -> Rules {
    let rulebook = Rulebook::parse("house.toml", HOUSE).unwrap_or_else(|faults| panic!("{faults}"));
    let chosen = [Chosen { rulebook, paytables: None }];
    Rules::compile(&Library::embedded(), &chosen, &[]).unwrap()
}

fn edge(rules: &Rules, wager: &str) -> Edge {
    let target = Target::parse(rules, wager).unwrap();
    Edge::of(rules, &target, None, Terms::default()).unwrap()
}

/// Published: crapless pass 5.382 %, crapless place 1/14 and 1/16, hops 5/36 and 1/9, world
/// 2/15 with a push on seven, Flaming Four 18.55 %, Sizzling Six 19.18 %, Hot Hand 18.02 %.
#[test]
fn wagers_of_other_houses_as_data() {
    let rules = house();
    for (wager, expected) in [
        ("line", "373/6930"),
        ("edge-place 2", "1/14"),
        ("edge-place 3", "1/16"),
        ("edge-place 11", "1/16"),
        ("edge-place 12", "1/14"),
        ("hop", "5/36"),
        ("easy-hop", "1/9"),
        ("world", "2/15"),
    ] {
        assert_eq!(fraction(&edge(&rules, wager).edge()), expected, "{wager}");
    }
    let percent = |wager: &str| craps_math::percent(&edge(&rules, wager).edge(), 2);
    assert_eq!(percent("four"), "18.55");
    assert_eq!(percent("points"), "19.18");
    assert_eq!(percent("hot"), "18.02");
    assert_eq!(fraction(&edge(&rules, "four").hit), "53/4620");
    assert_eq!(fraction(&edge(&rules, "points").hit), "832156379/13385572200");
}

#[test]
fn a_generous_wager_is_reported() {
    let rules = house();
    let par = Par::of(&rules, "gift", ParTerms::default()).unwrap();
    assert!(par.edge() < ratio(0, 1));
    assert!(par.flags()[0].contains("players have the edge"), "{:?}", par.flags());
}

#[test]
fn changing_one_pay_changes_just_that_figure() {
    let text = HOUSE.replace("pays = \"70 to 1\"", "pays = \"71 to 1\"");
    let rulebook = Rulebook::parse("house.toml", &text).unwrap();
    let chosen = [Chosen { rulebook, paytables: None }];
    let changed = Rules::compile(&Library::embedded(), &chosen, &[]).unwrap();
    let rules = house();
    for target in Target::all(&rules) {
        let same = edge(&rules, &target.name).ev == edge(&changed, &target.name).ev;
        assert_eq!(same, target.name != "four", "{}", target.name);
    }
    let more = edge(&changed, "four").ev - edge(&rules, "four").ev;
    assert_eq!(fraction(&more), "53/4620");
}

/// With no points the puck never goes ON, and a bet that rests on come-outs rests for ever.
#[test]
fn a_bet_that_is_never_decided_is_reported() {
    let text = r#"
        name = "still"
        title = "Nothing happens"
        kind = "base"
        points = []
        [limits]
        min = 1
        max = 100
        unit = 1
        [wager.rest]
        title = "Rest"
        shape = "race"
        wins = [6]
        loses = [7]
        pays = "1 to 1"
        come-out = "off"
    "#;
    let rulebook = Rulebook::parse("still.toml", text).unwrap();
    let chosen = [Chosen { rulebook, paytables: None }];
    let rules = Rules::compile(&Library::embedded(), &chosen, &[]).unwrap();
    let target = Target::parse(&rules, "rest").unwrap();
    let error = Edge::of(&rules, &target, None, Terms::default()).unwrap_err();
    assert_eq!(error.to_string(), "`rest` is never decided");
}

/// The top award is the highest, however likely; a paytable may price a wager of many numbers.
#[test]
fn paytables_of_other_houses() {
    let text = r#"
        name = "odd"
        title = "Odd"
        kind = "side"
        default-paytables = ["ODD-1"]
        [limits]
        min = 1
        max = 5
        unit = 1
        [wager.climb]
        title = "Climb"
        shape = "collect"
        collects = [6, 8]
        ends-on = [2]
        when = "idle"
        base = 1
        [wager.climb.meter]
        seed = 1
        [wager.spots]
        title = "Spots"
        shape = "race"
        numbers = [4, 5]
        wins = ["number"]
        loses = [7]
        [wager.fine]
        title = "Fine"
        shape = "collect"
        collects = [2, 3, 4, 5, 6, 8]
        ends-on = [7]
        when = "idle"
        pays = { 6 = "1999 to 1", 5 = "299 to 1", 4 = "97 to 1", 3 = "29 to 1" }
        [paytable.ODD-1]
        climb = { pays = { 2 = "100%", 1 = "$1" } }
        spots = { pays = { 4 = "9 to 5", 5 = "7 to 5" } }
    "#;
    let library = Library::embedded().with(Rulebook::parse("odd.toml", text).unwrap());
    let terms = ParTerms::default();
    let pars = Par::of_paytables(&library, &["ODD-1"], terms, &[]).unwrap();
    let bets: Vec<&str> = pars.iter().map(|par| par.wager.as_str()).collect();
    assert_eq!(bets, ["climb", "spots 4", "spots 5"]);
    // Both numbers before a two: 10/11 for the first, 5/6 for the other.
    assert_eq!(fraction(&pars[0].top_chance), "25/33");
    assert_eq!(fraction(&pars[0].progressive.as_ref().unwrap().chance), "25/33");
    assert_eq!(fraction(&pars[1].edge()), "1/15");
    let chosen = library.over_base(vec![library.choose("odd").unwrap()]);
    let rules = Rules::compile(&library, &chosen, &[]).unwrap();
    assert!(edge(&rules, "fine").hit > ratio(0, 1));
}

/// Wagers that hear the puck and may be bet at any time: one on the very next roll, one until the
/// seven-out.
const PUCK: &str = r#"
    name = "puck"
    title = "What the puck tells"
    kind = "side"
    [limits]
    min = 1
    max = 100
    unit = 1
    [wager.next-made]
    title = "Next made"
    shape = "sequence"
    sequences = [["point-made"]]
    when = "idle"
    pays = "3 to 1"
    [wager.home]
    title = "Home"
    shape = "count"
    counts = "points-made"
    times = 1
    ends-on = "seven-out"
    when = "idle"
    pays = "3 to 1"
    [wager.joined]
    title = "Joined"
    shape = "collect"
    collects = [2, 12]
    ends-on = [7]
    when = "come-out"
    pays = "3 to 1"
"#;

/// A point comes on the next roll with its ways of thirty-six, and before a seven with its ways of
/// those and six.
#[test]
fn a_bet_made_with_a_point_on_is_priced_too() {
    let library = Library::embedded().with(Rulebook::parse("puck.toml", PUCK).unwrap());
    let rules = Rules::named(&library, &["presque-isle:none", "puck"]).unwrap();
    let points = [(4, 3), (5, 4), (6, 5), (8, 5), (9, 4), (10, 3)];
    let starts = |wager: &str| -> Vec<(u8, String)> {
        let points = edge(&rules, wager).starts.points;
        points.iter().map(|(point, edge)| (point.number(), fraction(edge))).collect()
    };
    let each = |chance: fn(i64) -> Ratio| -> Vec<(u8, String)> {
        let one = |(point, ways): (u8, i64)| {
            (point, fraction(&(ratio(1, 1) - ratio(4, 1) * chance(ways))))
        };
        points.into_iter().map(one).collect()
    };
    assert_eq!(starts("next-made"), each(|ways| ratio(ways, 36)));
    assert_eq!(starts("home"), each(|ways| ratio(ways, ways + 6)));
    let next = edge(&rules, "next-made");
    assert_eq!(fraction(&next.edge()), "1", "on a come-out no point is made");
    assert_eq!(
        next.notes(),
        ["next-made is priced as a bet on a come-out; it may be bet with a point on too, and its \
             edge is then from 44.4444 % (with the point on 6) to 66.6667 % (on 4)"]
    );
    assert_eq!(
        edge(&rules, "home").warning().unwrap(),
        "players have the edge on home with the point on 6: they win 81.8182 % of what they bet \
         (edge -9/11)"
    );
    let par = Par::of(&rules, "next-made", ParTerms::default()).unwrap();
    assert_eq!(par.exposure, Cents::dollars(300));
    assert_eq!(par.flags(), next.notes());
    assert_eq!(edge(&rules, "joined").notes().len(), 1);
    assert!(edge(&rules, "joined").notes()[0].contains("join"));
}

/// A point that a wager does not hear of has to be made or missed before one that it does: it is
/// priced from there too. One that always pushes is worth nothing, however pushes are counted.
#[test]
fn a_bet_made_with_another_point_on_is_priced_too() {
    let text = "name = \"t\"\ntitle = \"T\"\nkind = \"side\"\n\
                limits = { min = 1, max = 9, unit = 1 }\n\
                [wager.four]\ntitle = \"Four\"\nshape = \"count\"\nmarks = [\"point-made 4\"]\n\
                ends-on = 7\nwhen = \"idle\"\npays = \"4 to 1\"\n\
                [wager.dull]\ntitle = \"Dull\"\nshape = \"count\"\ncounts = \"rolls\"\n\
                ends-on = 7\nwhen = \"idle\"\npays = { \"1+\" = \"push\" }\n";
    let library = Library::embedded().with(Rulebook::parse("t.toml", text).unwrap());
    let rules = Rules::named(&library, &["presque-isle:none", "t"]).unwrap();
    let four = edge(&rules, "four");
    let points: Vec<u8> = four.starts.points.iter().map(|(point, _)| point.number()).collect();
    assert_eq!(points, [4, 5, 6, 8, 9, 10]);
    let made = |place: usize| four.starts.points[place].1.clone();
    // From 4 it is 4 before 7; from elsewhere that point comes first, and a come-out follows.
    assert_eq!(fraction(&made(0)), fraction(&(ratio(1, 1) - ratio(5, 1) * ratio(3, 9))));
    let off = (ratio(1, 1) - four.edge()) / ratio(5, 1);
    for (place, ways) in [(1, 4), (2, 5), (3, 5), (4, 4), (5, 3)] {
        let chance = ratio(ways, ways + 6) * off.clone();
        assert_eq!(fraction(&made(place)), fraction(&(ratio(1, 1) - ratio(5, 1) * chance)));
    }
    let dull = edge(&rules, "dull");
    assert_eq!((fraction(&dull.edge()), fraction(&dull.push)), ("0".into(), "1".into()));
}

/// Wagers as they ship begin as they are priced, or do not hear the puck; an option can change it.
#[test]
fn wagers_that_ship_begin_as_they_are_priced() {
    let library = Library::embedded();
    for rulebook in library.rulebooks() {
        let chosen = library.over_base(vec![library.choose(&rulebook.name).unwrap()]);
        let rules = Rules::compile(&library, &chosen, &[]).unwrap();
        for target in Target::all(&rules) {
            assert!(rules.points_to_begin_on(target.spot).is_empty(), "{}", target.name);
            assert!(!rules.may_join_lammers(target.spot), "{}", target.name);
        }
    }
    let options = [("muggsys-corner.when", "idle")];
    let names = ["presque-isle:none", "muggsys-corner"];
    let rules = Rules::with_options(&library, &names, &options).unwrap();
    assert_eq!(edge(&rules, "muggsys-corner").starts.points.len(), 6);
}
