//! Side bets that follow a list, by looking at every two throws there are: four dice, 1,296 ways.
//! Nothing of the engine is in it but the name of the wager that is compared.

use craps::{Library, Rulebook, Rules};
use craps_math::{Par, ParTerms, Ratio, fraction, percent, ratio};

use crate::priced;
use crate::side_bets::side;

/// How many of the 1,296 ways of two throws there are for each of these ends; each way is one of
/// them or none.
fn counted<const N: usize>(ends: [fn(u8, u8) -> bool; N]) -> [i64; N] {
    let mut ways = [0; N];
    for dice in 0..6u32.pow(4) {
        let die = |place: u32| (dice / 6u32.pow(place) % 6) as u8 + 1;
        let (first, second) = (die(0) + die(1), die(2) + die(3));
        let ended = ends.iter().position(|end| end(first, second));
        if let Some(place) = ended {
            ways[place] += 1;
        }
    }
    ways
}

/// What a come-out makes the point.
fn sets_a_point(total: u8) -> bool {
    [4, 5, 6, 8, 9, 10].contains(&total)
}

/// The edge of awards "to 1", each won in so many of the 1,296 ways; in all others the bet is lost.
fn edge_of(awards: &[(i64, i64)]) -> Ratio {
    let hit: i64 = awards.iter().map(|(_, ways)| ways).sum();
    let won: i64 = awards.iter().map(|(pay, ways)| pay * ways).sum();
    ratio(1_296 - hit - won, 1_296)
}

#[track_caller]
fn check(rules: &Rules, wager: &str, awards: &[(&str, i64, i64)]) {
    let ways: Vec<(i64, i64)> = awards.iter().map(|(_, pay, ways)| (*pay, *ways)).collect();
    assert_eq!(fraction(&priced(rules, wager, None).edge()), fraction(&edge_of(&ways)), "{wager}");
    let par = Par::of(rules, wager, ParTerms::default()).unwrap();
    assert_eq!(par.awards.len(), awards.len(), "{wager}");
    for (event, _, ways) in awards {
        let award = par.awards.iter().find(|award| award.event == *event);
        let award = award.unwrap_or_else(|| panic!("{wager} has no {event}"));
        assert_eq!(fraction(&award.chance), fraction(&ratio(*ways, 1_296)), "{wager}: {event}");
    }
}

/// A come-out seven is decided on the first throw, whatever the second is.
#[test]
fn muggsys_corner() {
    let [seven, corner] =
        counted([|first, _| first == 7, |first, second| sets_a_point(first) && second == 7]);
    assert_eq!((seven, corner), (216, 144));
    let rules = side("muggsys-corner");
    check(&rules, "muggsys-corner", &[("seven", 2, seven), ("corner", 3, corner)]);
    // 216 at 2 and 144 at 3 are 864 against 936 that lose.
    assert_eq!(percent(&edge_of(&[(2, seven), (3, corner)]), 2), "5.56");
}

#[test]
fn point_seven_and_seven_point() {
    let [point_seven] = counted([|first, second| sets_a_point(first) && second == 7]);
    let [seven_point] = counted([|first, second| first == 7 && sets_a_point(second)]);
    assert_eq!((point_seven, seven_point), (144, 144));
    let rules = side("point-seven");
    check(&rules, "point-seven", &[("2 rolls", 7, point_seven)]);
    check(&rules, "seven-point", &[("2 rolls", 7, seven_point)]);
    assert_eq!(percent(&edge_of(&[(7, point_seven)]), 1), "11.1");
}

/// A made-up bet with every kind of step: words, sets of them, faces, and lists that start alike.
/// Where one throw completes two, the better is paid.
#[test]
fn lists_of_every_kind_of_step() {
    let text = r#"
        name = "made-up"
        title = "Made up"
        kind = "side"
        [limits]
        min = 1
        max = 100
        unit = 1
        [wager.steps]
        title = "Steps"
        shape = "sequence"
        when = "come-out-idle"
        [wager.steps.lists]
        natural = ["line-win", "roll"]
        made = ["point", "point-made"]
        out = [["point 6", "point 8"], "seven-out"]
        pairs = [["1-1", 12, "3-3"], ["2-2", "3-3"]]
        high = [[2, 3, 12], ["1-5", 11]]
        [wager.steps.pays]
        natural = "1 to 1"
        made = "2 to 1"
        out = "3 to 1"
        pairs = "9 to 1"
        high = "4 to 1"
    "#;
    let rulebook = Rulebook::parse("made-up.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let library = Library::embedded().with(rulebook);
    let rules = Rules::named(&library, &["presque-isle:none", "made-up"]).unwrap();
    let mut ways = [0i64; 5];
    for dice in 0..6u32.pow(4) {
        let die = |place: u32| (dice / 6u32.pow(place) % 6) as u8 + 1;
        let [a, b, c, d] = [0, 1, 2, 3].map(die);
        let (first, second) = (a + b, c + d);
        let pair = |a: u8, b: u8, of: &[u8]| a == b && of.contains(&a);
        // The best first: pairs of 9, high of 4, out of 3, made of 2, a natural of 1.
        let place = if pair(a, b, &[1, 3, 6]) && pair(c, d, &[2, 3]) {
            0
        } else if [2, 3, 12].contains(&first) && (second == 11 || (c.min(d), c.max(d)) == (1, 5)) {
            1
        } else if [6, 8].contains(&first) && second == 7 {
            2
        } else if sets_a_point(first) && second == first {
            3
        } else if [7, 11].contains(&first) {
            4
        } else {
            continue;
        };
        ways[place] += 1;
    }
    let [pairs, high, out, made, natural] = ways;
    let awards = [
        ("pairs", 9, pairs),
        ("high", 4, high),
        ("out", 3, out),
        ("made", 2, made),
        ("natural", 1, natural),
    ];
    check(&rules, "steps", &awards);
}
