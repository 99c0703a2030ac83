//! Side bets against what is published of them, and against small enumerations that share nothing
//! with the engine but fractions. Published: Donald Catlin on the Fire Bet (casinocitytimes.com)
//! and the Wizard of Odds on the others, as each rulebook names them.

use craps::Rules;
use craps_math::{Par, ParTerms, Ratio, decimal, fraction, percent, ratio, whole};

use crate::{priced, rules};

/// The points, and how many of the thirty-six rolls make each.
const POINTS: [(u8, i64); 6] = [(4, 3), (5, 4), (6, 5), (8, 5), (9, 4), (10, 3)];

pub(crate) fn side(choice: &str) -> Rules {
    rules(&["presque-isle:none", choice])
}

#[track_caller]
fn check(choice: &str, wager: &str, edge: &Ratio) {
    let priced = priced(&side(choice), wager, None).edge();
    assert_eq!(fraction(&priced), fraction(edge), "{wager} under {choice}");
}

#[track_caller]
fn check_percent(choice: &str, wager: &str, places: usize, edge: &str) {
    let priced = priced(&side(choice), wager, None).edge();
    assert_eq!(percent(&priced, places), edge, "{wager} under {choice}");
}

/// The edge of pays "to 1" with their chances; whatever is left loses, and a pay of nothing pushes.
fn edge_of(pays: impl IntoIterator<Item = (i64, Ratio)>) -> Ratio {
    let (mut won, mut lost) = (Ratio::ZERO, Ratio::ONE);
    for (pay, chance) in pays {
        won += whole(pay) * &chance;
        lost -= chance;
    }
    lost - won
}

/// The chance that a point once set is made.
fn made(ways: i64) -> Ratio {
    ratio(ways, ways + 6)
}

/// The chance that the next point is this one and is made.
fn next_made(ways: i64) -> Ratio {
    ratio(ways, 24) * made(ways)
}

/// The chances of 0 to 6 different points, set by set.
fn different_points() -> Vec<Ratio> {
    let mut chances = vec![Ratio::ZERO; 7];
    let mut reached = vec![Ratio::ZERO; 64];
    reached[0] = Ratio::ONE;
    for set in 0..64usize {
        let (mut again, mut out) = (Ratio::ZERO, Ratio::ZERO);
        for (place, (_, ways)) in POINTS.iter().enumerate() {
            out += ratio(*ways, 24) * (Ratio::ONE - made(*ways));
            if set >> place & 1 == 1 {
                again += next_made(*ways);
            }
        }
        let visits = &reached[set] / (Ratio::ONE - again);
        if set == 63 {
            chances[6] += &reached[set];
            continue;
        }
        chances[set.count_ones() as usize] += &visits * out;
        for (place, (_, ways)) in POINTS.iter().enumerate() {
            if set >> place & 1 == 0 {
                reached[set | 1 << place] += &visits * next_made(*ways);
            }
        }
    }
    chances
}

#[test]
fn the_fire_bet() {
    let chances = different_points();
    let published = [
        "0.593939393939",
        "0.260750492004",
        "0.101275355549",
        "0.033434212179",
        "0.008798178440",
        "0.001639933139",
        "0.000162434749",
    ];
    for (points, published) in published.iter().enumerate() {
        assert_eq!(decimal(&chances[points], 12), *published, "{points} points");
    }
    let of = |pays: [i64; 4]| {
        edge_of((3..=6).map(|k| (pays[k - 3], chances[k].clone())).skip(usize::from(pays[0] < 0)))
    };
    check("fire-bet:FIRE-25-250-1000", "fire", &of([-1, 24, 249, 999]));
    check("fire-bet:FIRE-10-200-2000-TO", "fire", &of([-1, 10, 200, 2000]));
    check("fire-bet:FIRE-10-200-2000-FOR", "fire", &of([-1, 9, 199, 1999]));
    check("fire-bet:FIRE-7-30-150-300", "fire", &of([6, 29, 149, 299]));
    check("fire-bet:FIRE-40-200-500", "fire", &of([-1, 39, 199, 499]));
    check_percent("fire-bet:FIRE-25-250-1000", "fire", 4, "20.7628");
    check_percent("fire-bet:FIRE-10-200-2000-TO", "fire", 4, "24.8562");
    check_percent("fire-bet:FIRE-10-200-2000-FOR", "fire", 4, "25.9162");
    check_percent("fire-bet:FIRE-7-30-150-300", "fire", 4, "20.7295");
    check_percent("fire-bet:FIRE-40-200-500", "fire", 4, "23.8869");
    let par = Par::of(&side("fire-bet"), "fire", ParTerms::default()).unwrap();
    let chance = |place: usize| fraction(&par.awards[place].chance);
    assert_eq!(par.awards[0].event, "6 points");
    assert_eq!(chance(0), fraction(&chances[6]));
    assert_eq!(decimal(&par.awards[0].one_in(), 2), "6156.32");
    assert_eq!(chance(1), fraction(&chances[5]));
    assert_eq!(chance(2), fraction(&chances[4]));
}

#[test]
fn repeater() {
    let bets =
        [(2u8, 1i64, 2u32, 40i64), (3, 2, 3, 50), (4, 3, 4, 65), (5, 4, 5, 80), (6, 5, 6, 90)];
    let published = ["18.37", "21.88", "19.75", "18.08", "20.62"];
    let to = ["16.33", "20.31", "18.52", "17.06", "19.74"];
    let chances = ["1/49", "1/64", "1/81", "32/3125", "15625/1771561"];
    for (place, (number, ways, times, pays)) in bets.into_iter().enumerate() {
        let once = ratio(ways, ways + 6);
        let chance = (0..times).fold(Ratio::ONE, |chance, _| chance * &once);
        assert_eq!(fraction(&chance), chances[place]);
        for number in [number, 14 - number] {
            let wager = format!("repeater {number}");
            check("repeater:REPEATER-FOR", &wager, &edge_of([(pays - 1, chance.clone())]));
            check_percent("repeater:REPEATER-FOR", &wager, 2, published[place]);
            check("repeater:REPEATER-TO", &wager, &edge_of([(pays, chance.clone())]));
            check_percent("repeater:REPEATER-TO", &wager, 2, to[place]);
        }
    }
}

/// The chance of each number of different totals of a set before a seven, set by set.
fn collected(ways: &[i64]) -> Vec<Ratio> {
    let full = (1usize << ways.len()) - 1;
    let mut reached = vec![Ratio::ZERO; full + 1];
    let mut chances = vec![Ratio::ZERO; ways.len() + 1];
    reached[0] = Ratio::ONE;
    for set in 0..full {
        let missing: Vec<usize> = (0..ways.len()).filter(|place| set >> place & 1 == 0).collect();
        let left: i64 = missing.iter().map(|place| ways[*place]).sum();
        chances[set.count_ones() as usize] += &reached[set] * ratio(6, 6 + left);
        for place in missing {
            let next = &reached[set] * ratio(ways[place], 6 + left);
            reached[set | 1 << place] += next;
        }
    }
    chances[ways.len()] = reached[full].clone();
    chances
}

#[test]
fn hot_hand() {
    let four = collected(&[1, 2, 2, 1]);
    let six = collected(&[3, 4, 5, 5, 4, 3]);
    let ten = collected(&[1, 2, 3, 4, 5, 5, 4, 3, 2, 1]);
    assert_eq!(fraction(&four[4]), "53/4620");
    assert_eq!(fraction(&six[6]), "832156379/13385572200");
    assert_eq!(decimal(&ten[9], 7), "0.0187584");
    check("hot-hand", "flaming-four", &edge_of([(70, four[4].clone())]));
    check("hot-hand", "sizzling-six", &edge_of([(12, six[6].clone())]));
    check("hot-hand", "hot-hand", &edge_of([(20, ten[9].clone()), (80, ten[10].clone())]));
    check_percent("hot-hand", "flaming-four", 2, "18.55");
    check_percent("hot-hand", "sizzling-six", 2, "19.18");
    check_percent("hot-hand", "hot-hand", 2, "18.02");
}

/// Doubles and sevens are all equally likely: six of each.
#[test]
fn different_doubles() {
    let chances = collected(&[1; 6]);
    for (doubles, weight) in [462, 252, 126, 56, 21, 6, 1].into_iter().enumerate() {
        assert_eq!(chances[doubles], ratio(weight, 924), "{doubles} doubles");
    }
    let pays = [(4, 3), (8, 4), (15, 5), (100, 6)].map(|(pay, k)| (pay, chances[k].clone()));
    check("different-doubles", "different-doubles", &edge_of(pays));
    check_percent("different-doubles", "different-doubles", 2, "27.92");
}

/// Line wins before the seven-out are geometric.
#[test]
fn ride_the_line() {
    let point_made = POINTS.iter().fold(Ratio::ZERO, |sum, (_, ways)| sum + next_made(*ways));
    assert_eq!(fraction(&point_made), "67/165");
    let win = (ratio(8, 36) + ratio(24, 36) * &point_made) / ratio(32, 36);
    let wins = |k: u32| (0..k).fold(Ratio::ONE, |chance, _| chance * &win);
    let exactly = |k: u32| wins(k) * (Ratio::ONE - &win);
    assert_eq!(decimal(&exactly(0), 9), "0.445454545");
    let tables: [(&str, [i64; 10], &str); 7] = [
        ("RIDE-1", [50, 25, 20, 15, 8, 6, 4, 2, 1, 0], "9.279"),
        ("RIDE-2", [75, 40, 30, 20, 12, 6, 4, 2, 1, -1], "10.253"),
        ("RIDE-3", [100, 40, 30, 20, 10, 6, 3, 2, 1, -1], "10.213"),
        ("RIDE-4", [150, 30, 20, 15, 10, 4, 3, 2, 1, -1], "10.604"),
        ("RIDE-5", [50, 40, 30, 20, 10, 8, 5, 2, 1, -1], "10.575"),
        ("RIDE-6", [100, 30, 25, 20, 12, 7, 5, 3, 0, -1], "8.522"),
        ("RIDE-7", [150, 40, 25, 15, 10, 7, 4, 2, 0, -1], "9.649"),
    ];
    for (table, pays, published) in tables {
        let rungs = pays.into_iter().enumerate().filter(|(_, pay)| *pay >= 0);
        let chances = rungs.map(|(place, pay)| match place {
            0 => (pay, wins(11)),
            place => (pay, exactly(11 - place as u32)),
        });
        let choice = format!("ride-the-line:{table}");
        check(&choice, "ride-the-line", &edge_of(chances));
        check_percent(&choice, "ride-the-line", 3, published);
    }
    let par = Par::of(&side("ride-the-line:RIDE-1"), "ride-the-line", ParTerms::default()).unwrap();
    assert_eq!(fraction(&par.push_chance), fraction(&exactly(2)));
    assert_eq!(fraction(&par.hit_chance), fraction(&wins(3)));
    assert_eq!(par.awards[0].event, "11+ line wins");
}

/// How often each point is made is multinomial, and points a limit does not touch drop out.
#[test]
fn replay() {
    let out = POINTS.iter().fold(Ratio::ONE, |out, (_, ways)| out - next_made(*ways));
    // The chance that each of these points is made no more often than its limit.
    let within = |limits: &[(i64, u32)]| {
        let all = limits.iter().fold(out.clone(), |sum, (ways, _)| sum + next_made(*ways));
        // Polynomials: how many were made in all, with the orders they can come in left open.
        let mut terms = vec![Ratio::ONE];
        for (ways, limit) in limits {
            let chance = next_made(*ways) / &all;
            let mut next = vec![Ratio::ZERO; terms.len() + *limit as usize];
            for (made, term) in terms.iter().enumerate() {
                let mut part = term.clone();
                for more in 0..=*limit as usize {
                    if more > 0 {
                        part = part * &chance * ratio((made + more) as i64, more as i64);
                    }
                    next[made + more] += &part;
                }
            }
            terms = next;
        }
        terms.into_iter().fold(Ratio::ZERO, |sum, term| sum + term) * &out / &all
    };
    let limits = |four: u32, five: u32, six: u32| {
        let each = [(3, four), (4, five), (5, six), (5, six), (4, five), (3, four)];
        let limits: Vec<(i64, u32)> = each.into_iter().filter(|(_, limit)| *limit < 9).collect();
        within(&limits)
    };
    let below = [
        (1000, limits(3, 9, 9)),
        (500, limits(3, 3, 9)),
        (120, limits(2, 3, 9)),
        (100, limits(2, 3, 3)),
        (95, limits(2, 2, 3)),
        (70, limits(2, 2, 2)),
    ];
    let mut above = Ratio::ONE;
    let mut pays = Vec::new();
    for (pay, below) in below {
        pays.push((pay, &above - &below));
        above = below;
    }
    check("replay", "replay", &edge_of(pays));
    let edge = priced(&side("replay"), "replay", None).edge();
    assert_eq!(decimal(&edge, 14), "0.24806441599095");
}

/// How long a hand is: the come-out and the six points, roll by roll.
#[test]
fn hot_shooter() {
    let mut off = Ratio::ONE;
    let mut on: Vec<Ratio> = vec![Ratio::ZERO; 6];
    let mut length = vec![Ratio::ZERO];
    for _ in 1..=50 {
        let out = on.iter().fold(Ratio::ZERO, |sum, chance| sum + chance * ratio(6, 36));
        length.push(out);
        let mut next_off = &off * ratio(12, 36);
        let mut next_on = Vec::new();
        for ((_, ways), chance) in POINTS.iter().zip(&on) {
            next_off += chance * ratio(*ways, 36);
            next_on.push(&off * ratio(*ways, 36) + chance * ratio(30 - ways, 36));
        }
        (off, on) = (next_off, next_on);
    }
    let rest = length.iter().fold(Ratio::ONE, |rest, chance| rest - chance);
    let between = |from: usize, to: usize| {
        length[from..=to].iter().fold(Ratio::ZERO, |sum, chance| sum + chance)
    };
    let pays = [
        (0, between(8, 15)),
        (2, between(16, 23)),
        (4, between(24, 31)),
        (6, between(32, 39)),
        (11, between(40, 44)),
        (29, between(45, 50)),
        (99, rest),
    ];
    check("hot-shooter", "hot-shooter", &edge_of(pays));
    check_percent("hot-shooter", "hot-shooter", 2, "9.90");
    let rolls = priced(&side("hot-shooter"), "hot-shooter", None).rolls;
    assert_eq!(fraction(&rolls), "1671/196");
}

/// Wagers whose pays nobody has published: only that they can be said, and what their chances are.
#[test]
fn wagers_that_are_vocabulary_only() {
    let text = r#"
        name = "made-up"
        title = "Made up"
        kind = "side"
        [limits]
        min = 1
        max = 100
        unit = 1
        [wager.twice-hard]
        title = "Twice Hard"
        shape = "count"
        numbers = [4, 6, 8, 10]
        marks = "hard"
        times = 2
        ends-on = 7
        when = "idle"
        pays = "1 to 1"
        [wager.four-rolls]
        title = "Four rolls without a seven"
        shape = "sequence"
        sequences = [[
            [2, 3, 4, 5, 6, 8, 9, 10, 11, 12],
            [2, 3, 4, 5, 6, 8, 9, 10, 11, 12],
            [2, 3, 4, 5, 6, 8, 9, 10, 11, 12],
            [2, 3, 4, 5, 6, 8, 9, 10, 11, 12],
        ]]
        when = "idle"
        pays = "1 to 1"
        [wager.four-counted]
        title = "The same, counted"
        shape = "count"
        counts = "rolls"
        times = 4
        ends-on = 7
        when = "idle"
        pays = "1 to 1"
        [wager.sharp-shooter]
        title = "Sharp Shooter"
        shape = "count"
        counts = "points-made"
        ends-on = "seven-out"
        when = "new-shooter"
        pays = { 3 = "1 to 1", "4+" = "2 to 1" }
    "#;
    let rulebook = craps::Rulebook::parse("made-up.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let library = craps::Library::embedded().with(rulebook);
    let rules = Rules::named(&library, &["presque-isle:none", "made-up"]).unwrap();
    let hit = |wager: &str| fraction(&priced(&rules, wager, None).hit);
    // The pair against six sevens, twice.
    for number in [4, 6, 8, 10] {
        assert_eq!(hit(&format!("twice-hard {number}")), "1/49");
    }
    let four = ratio(5 * 5 * 5 * 5, 6 * 6 * 6 * 6);
    assert_eq!(decimal(&four, 6), "0.482253");
    assert_eq!(hit("four-rolls"), fraction(&four));
    // Counted, the fourth roll is full even if it is the seven: the roll comes first.
    assert_eq!(hit("four-counted"), fraction(&ratio(125, 216)));
    let point = ratio(67, 165);
    assert_eq!(hit("sharp-shooter"), fraction(&(&point * &point * &point)));
}
