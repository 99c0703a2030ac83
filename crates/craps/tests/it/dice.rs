//! The dice add up.

use craps::call::stick_call;
use craps::dice::{Combination, Rolls};
use craps::{Puck, Roll, Total, Totals};

#[test]
fn thirty_six_rolls_twenty_one_combinations_eleven_totals() {
    assert_eq!(Roll::all().count(), 36);
    assert_eq!(Combination::all().count(), 21);
    assert_eq!(Total::all().count(), 11);
    let ways: u32 = Combination::all().map(Combination::ways).sum();
    assert_eq!(ways, 36);
    for (index, roll) in Roll::all().enumerate() {
        assert_eq!(roll.index(), index);
        assert_eq!(Roll::from_index(index), roll);
        let (first, second) = roll.faces();
        assert_eq!(Roll::new(first, second), Some(roll));
        assert_eq!(Roll::new(second, first).unwrap().combination(), roll.combination());
    }
    for (index, combination) in Combination::all().enumerate() {
        assert_eq!(combination.index(), index);
        let rolls = Rolls::such_that(|roll| roll.combination() == combination);
        assert_eq!(rolls.len(), combination.ways());
    }
}

#[test]
fn each_total_has_its_ways() {
    let ways = |total: Total| Rolls::such_that(|roll| roll.total() == total).len();
    let all: Vec<u32> = Total::all().map(ways).collect();
    assert_eq!(all, [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]);
}

#[test]
fn the_puck_has_eleven_places() {
    for (index, puck) in Puck::all().enumerate() {
        assert_eq!(puck.index(), index);
    }
    assert_eq!(Puck::all().count(), Puck::COUNT);
}

#[test]
fn sets_of_totals() {
    let set = |numbers: &[u8]| -> Totals {
        numbers.iter().map(|number| Total::new(*number).unwrap()).collect()
    };
    let small = set(&[2, 3, 4, 5, 6]);
    assert_eq!(small.len(), 5);
    assert_eq!(small.to_string(), "2 3 4 5 6");
    assert!(small.covers(set(&[2, 6])) && !set(&[2, 6]).covers(small));
    assert_eq!(small.difference(set(&[2, 3])), set(&[4, 5, 6]));
    assert_eq!(small.without(Total::new(2).unwrap()).len(), 4);
}

fn says(puck: u8, roll: &str) -> String {
    says_where(&[4, 5, 6, 8, 9, 10], puck, roll)
}

fn says_where(points: &[u8], puck: u8, roll: &str) -> String {
    let points = points.iter().copied().filter_map(Total::new).collect();
    let puck = Total::new(puck).map_or(Puck::Off, Puck::On);
    stick_call(puck, roll.parse().unwrap(), points)
}

#[test]
fn the_stick_says_what_a_come_out_does_to_the_line() {
    for (roll, expected) in [
        ("1-1", "aces, craps two, line away"),
        ("1-2", "ace deuce, craps three, line away"),
        ("6-6", "boxcars, craps twelve, line away"),
        ("3-4", "seven, front line winner"),
        ("6-5", "yo eleven, front line winner"),
        ("1-3", "easy four, mark the 4"),
        ("5-5", "ten, the hard way, mark the 10"),
    ] {
        assert_eq!(says(0, roll), expected);
    }
}

/// Where any number but a seven is a point, none is craps and an eleven wins nothing.
#[test]
fn the_stick_calls_no_craps_at_a_crapless_table() {
    let crapless = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12];
    for (puck, roll, expected) in [
        (0, "1-1", "aces, mark the 2"),
        (0, "1-2", "ace deuce, mark the 3"),
        (0, "6-5", "yo eleven, mark the 11"),
        (0, "6-6", "boxcars, mark the 12"),
        (0, "3-4", "seven, front line winner"),
        (2, "1-1", "aces, winner"),
        (11, "6-5", "yo eleven, winner"),
        (2, "6-6", "boxcars"),
        (12, "3-4", "seven out, line away"),
    ] {
        assert_eq!(says_where(&crapless, puck, roll), expected);
    }
}

#[test]
fn the_stick_names_each_number_and_how_it_came() {
    for (roll, expected) in [
        ("1-1", "aces, craps two"),
        ("1-2", "ace deuce, craps three"),
        ("2-2", "four, the hard way"),
        ("1-3", "easy four"),
        ("2-3", "five, no field five"),
        ("3-3", "six, the hard way"),
        ("2-4", "easy six"),
        ("4-4", "eight, the hard way"),
        ("2-6", "easy eight"),
        ("5-5", "ten, the hard way"),
        ("4-6", "easy ten"),
        ("6-5", "yo eleven"),
        ("6-6", "boxcars, craps twelve"),
        ("3-6", "nine, centre field, winner"),
        ("6-1", "seven out, line away"),
    ] {
        assert_eq!(says(9, roll), expected);
    }
    assert_eq!(says(10, "3-6"), "nine, centre field");
}
