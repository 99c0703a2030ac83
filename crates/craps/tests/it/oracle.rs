//! An oracle written by hand from the published rules, sharing nothing with the engine but the
//! names of the spots: what each bet of the base game is worth after each roll.

use craps::{Account, Bet, Cents, OnOff, Puck, Roll, Rules, Seat, State, Total};

use crate::rules;

/// What is back in the rack and what is still up, for a bet of 60 dollars.
#[derive(Debug, PartialEq, Eq)]
struct Worth {
    rack: i64,
    up: Option<(String, i64)>,
}

const STAKE: i64 = 6000;

fn won(cents: i64) -> Worth {
    Worth { rack: STAKE + cents, up: None }
}

fn paid_and_stays(spot: &str, cents: i64) -> Worth {
    Worth { rack: cents, up: Some((spot.to_owned(), STAKE)) }
}

fn lost() -> Worth {
    Worth { rack: 0, up: None }
}

fn stands(spot: &str) -> Worth {
    Worth { rack: 0, up: Some((spot.to_owned(), STAKE)) }
}

fn returned() -> Worth {
    Worth { rack: STAKE, up: None }
}

/// The points of a usual game.
const BOXES: [u8; 6] = [4, 5, 6, 8, 9, 10];

/// True odds of a number against seven, per 60 dollars taken and laid.
fn taken(number: u8) -> i64 {
    match number {
        4 | 10 => 12_000,
        5 | 9 => 9_000,
        _ => 7_200,
    }
}

fn laid(number: u8) -> i64 {
    match number {
        4 | 10 => 3_000,
        5 | 9 => 4_000,
        _ => 5_000,
    }
}

/// The whole base game, bet by bet.
fn oracle(spot: &str, puck: Option<u8>, a: u8, b: u8) -> Worth {
    let total = a + b;
    let words: Vec<&str> = spot.split(' ').collect();
    let number = words.last().and_then(|word| word.parse::<u8>().ok());
    match (words[0], words.get(1).copied(), number) {
        ("pass", ..) => right_line(spot, puck, total, false),
        ("come", _, None) => right_line(spot, None, total, true),
        ("come", _, Some(number)) => right_line(spot, Some(number), total, true),
        ("dont-pass", ..) => wrong_line(spot, puck, total, false),
        ("dont-come", _, None) => wrong_line(spot, None, total, true),
        ("dont-come", _, Some(number)) => wrong_line(spot, Some(number), total, true),
        ("odds", Some("pass"), _) => match puck {
            Some(point) if total == point => won(taken(point)),
            Some(_) if total == 7 => lost(),
            Some(_) => stands(spot),
            None => returned(),
        },
        ("odds", Some("dont-pass"), _) => match puck {
            Some(point) if total == point => lost(),
            Some(point) if total == 7 => won(laid(point)),
            Some(_) => stands(spot),
            None => returned(),
        },
        ("odds", Some("come"), Some(n)) if total == n || total == 7 => match puck {
            None => returned(),
            Some(_) if total == n => won(taken(n)),
            Some(_) => lost(),
        },
        ("odds", Some("dont-come"), Some(n)) if total == 7 => won(laid(n)),
        ("odds", Some("dont-come"), Some(n)) if total == n => lost(),
        ("odds", ..) => stands(spot),
        ("place" | "buy", _, _) if puck.is_none() => stands(spot),
        ("place", _, Some(n)) if total == n => {
            let win = match n {
                4 | 10 => 10_800,
                5 | 9 => 8_400,
                _ => 7_000,
            };
            paid_and_stays(spot, win)
        }
        // The next commission, 5 % of 60 dollars, comes out of the winnings.
        ("buy", _, Some(n)) if total == n => {
            Worth { rack: taken(n) - 300, up: Some((spot.to_owned(), STAKE)) }
        }
        ("place" | "buy", ..) => {
            if total == 7 {
                lost()
            } else {
                stands(spot)
            }
        }
        ("lay", _, Some(n)) if total == 7 => {
            Worth { rack: laid(n) - laid(n) / 20, up: Some((spot.to_owned(), STAKE)) }
        }
        ("lay", _, Some(n)) => {
            if total == n {
                lost()
            } else {
                stands(spot)
            }
        }
        ("hard", _, Some(n)) if total == n && a == b => {
            paid_and_stays(spot, if n == 4 || n == 10 { 7 * STAKE } else { 9 * STAKE })
        }
        ("hard", _, Some(n)) => {
            if total == n || total == 7 {
                lost()
            } else {
                stands(spot)
            }
        }
        _ => one_roll(words[0], number, total),
    }
}

fn right_line(spot: &str, number: Option<u8>, total: u8, travels: bool) -> Worth {
    match number {
        Some(number) if total == number => won(STAKE),
        Some(_) => {
            if total == 7 {
                lost()
            } else {
                stands(spot)
            }
        }
        None if total == 7 || total == 11 => won(STAKE),
        None if total == 2 || total == 3 || total == 12 => lost(),
        None if travels => stands(&format!("come {total}")),
        None => stands(spot),
    }
}

fn wrong_line(spot: &str, number: Option<u8>, total: u8, travels: bool) -> Worth {
    match number {
        Some(number) if total == number => lost(),
        Some(_) => {
            if total == 7 {
                won(STAKE)
            } else {
                stands(spot)
            }
        }
        None if total == 7 || total == 11 => lost(),
        None if total == 2 || total == 3 => won(STAKE),
        None if total == 12 || !travels => stands(spot),
        None => stands(&format!("dont-come {total}")),
    }
}

fn one_roll(name: &str, number: Option<u8>, total: u8) -> Worth {
    let unit = |parts: i64| STAKE / parts;
    let horn_pay = |total: u8| if total == 2 || total == 12 { 30 } else { 15 };
    let horn = matches!(total, 2 | 3 | 11 | 12);
    match (name, number) {
        ("field", _) if matches!(total, 2 | 12) => won(2 * STAKE),
        ("field", _) if matches!(total, 3 | 4 | 9 | 10 | 11) => won(STAKE),
        ("any-craps", _) if matches!(total, 2 | 3 | 12) => won(7 * STAKE),
        ("craps", Some(n)) if total == n => won(if n == 3 { 15 } else { 30 } * STAKE),
        ("eleven", _) if total == 11 => won(15 * STAKE),
        ("any-seven", _) if total == 7 => won(4 * STAKE),
        // One unit wins, three units lose.
        ("horn", _) if horn => won((horn_pay(total) - 3) * unit(4)),
        // Two units win and three lose, or one wins and four lose.
        ("horn-high", Some(n)) if horn && total == n => won((2 * horn_pay(total) - 3) * unit(5)),
        ("horn-high", Some(_)) if horn => won((horn_pay(total) - 4) * unit(5)),
        _ => lost(),
    }
}

/// The Strip's bets that the other game does not have, or pays in another way.
fn strip(spot: &str, puck: Option<u8>, a: u8, b: u8) -> Worth {
    let total = a + b;
    let unit = |parts: i64| STAKE / parts;
    let horn_pay = |total: u8| if total == 2 || total == 12 { 30 } else { 15 };
    let words: Vec<&str> = spot.split(' ').collect();
    match (words[0], words.get(1).copied().unwrap_or_default()) {
        ("hop", faces) => {
            let hit = faces == format!("{}-{}", a.min(b), a.max(b));
            if hit { won(if a == b { 30 } else { 15 } * STAKE) } else { lost() }
        }
        ("big-6", _) if total == 6 => paid_and_stays(spot, STAKE),
        ("big-8", _) if total == 8 => paid_and_stays(spot, STAKE),
        ("big-6" | "big-8", _) => {
            if total == 7 {
                lost()
            } else {
                stands(spot)
            }
        }
        ("field", _) if total == 12 => won(3 * STAKE),
        // One part of five wins; the seven's pays for the four that lose.
        ("world", _) if total == 7 => won(0),
        ("world", _) if matches!(total, 2 | 3 | 11 | 12) => won((horn_pay(total) - 4) * unit(5)),
        // One half wins, the other loses.
        ("c-and-e", _) if matches!(total, 2 | 3 | 12) => won((7 - 1) * unit(2)),
        ("c-and-e", _) if total == 11 => won((15 - 1) * unit(2)),
        ("three-way", _) if matches!(total, 2 | 3 | 12) => won((horn_pay(total) - 2) * unit(3)),
        ("hi-lo", _) if matches!(total, 2 | 12) => won((30 - 1) * unit(2)),
        ("world" | "c-and-e" | "three-way" | "hi-lo", _) => lost(),
        ("low-dice", _) if total == 2 => won(5 * STAKE),
        ("low-dice", _) if matches!(total, 3..=6) => won(STAKE),
        ("high-dice", _) if total == 12 => won(5 * STAKE),
        ("high-dice", _) if matches!(total, 8..=11) => won(STAKE),
        ("low-dice" | "high-dice", _) => lost(),
        // Buy and lay too: the vig of this win is what the other house takes for the next.
        _ => oracle(spot, puck, a, b),
    }
}

/// Crapless craps: a seven alone decides a first roll, and whatever else comes is the point.
fn crapless(spot: &str, puck: Option<u8>, a: u8, b: u8) -> Worth {
    let total = a + b;
    let words: Vec<&str> = spot.split(' ').collect();
    let number = words.last().and_then(|word| word.parse::<u8>().ok());
    let against_seven = |number: u8, win: Worth| match total {
        7 => lost(),
        total if total == number => win,
        _ => stands(spot),
    };
    // A 2 comes in one way against six sevens, a 3 in two.
    let taken = |number: u8| match number {
        2 | 12 => 6 * STAKE,
        3 | 11 => 3 * STAKE,
        number => taken(number),
    };
    match (words[0], words.get(1).copied(), number) {
        ("pass" | "come", _, None) => match (words[0], puck) {
            ("pass", Some(point)) => against_seven(point, won(STAKE)),
            _ if total == 7 => won(STAKE),
            ("come", _) => stands(&format!("come {total}")),
            _ => stands(spot),
        },
        ("come", _, Some(number)) => against_seven(number, won(STAKE)),
        ("odds", Some("pass"), _) => match puck {
            Some(point) => against_seven(point, won(taken(point))),
            None => returned(),
        },
        ("odds", Some("come"), Some(n)) if puck.is_none() && (total == n || total == 7) => {
            returned()
        }
        ("odds", Some("come"), Some(n)) => against_seven(n, won(taken(n))),
        ("place" | "buy", ..) if puck.is_none() => stands(spot),
        ("place", _, Some(n)) => {
            // 11 to 2, 11 to 4, 9 to 5, 7 to 5 and 7 to 6 for 60 dollars.
            let win = match n {
                2 | 12 => 33_000,
                3 | 11 => 16_500,
                4 | 10 => 10_800,
                5 | 9 => 8_400,
                _ => 7_000,
            };
            against_seven(n, paid_and_stays(spot, win))
        }
        ("buy", _, Some(n)) => against_seven(n, paid_and_stays(spot, taken(n) - 300)),
        // Hardways and whatever one roll decides know no point.
        _ => oracle(spot, puck, a, b),
    }
}

/// What the engine makes of the same bet.
fn engine(rules: &Rules, spot: &str, puck: Option<u8>, roll: Roll) -> Worth {
    let spot = rules.spot(spot).expect("the oracle names the engine's spots");
    let wager = rules.wager_at(spot);
    let up_front = wager.rulebook != "vegas-strip";
    let vig = match wager.name.as_str() {
        "buy" if up_front => Cents(300),
        "lay" if up_front => Cents(laid(rules.spot_rule(spot).number.unwrap().number()) / 20),
        _ => Cents::ZERO,
    };
    let mut state = State::default();
    state.layout.set(Bet { spot, call: OnOff::House, stake: Cents(STAKE), vig });
    state.hand.puck = puck.map_or(Puck::Off, |point| Puck::On(Total::new(point).unwrap()));
    let settlement = state.roll(rules, roll);
    let bets = state.layout.bets();
    let up = bets.first().map(|bet| (rules.spot_rule(bet.spot).notation.clone(), bet.stake.0));
    Worth { rack: settlement.postings.gain(Account::Rack(Seat(0))).0, up }
}

#[test]
fn the_engine_pays_what_the_oracle_says() {
    let rules = rules(&["presque-isle:none"]);
    assert_eq!(rules.spots().count(), 64);
    check(&rules, &BOXES, oracle);
}

#[test]
fn the_strip_pays_what_its_oracle_says() {
    check(&rules(&["vegas-strip", "low-high-dice"]), &BOXES, strip);
}

#[test]
fn crapless_craps_pays_what_its_oracle_says() {
    check(&rules(&["crapless"]), &[2, 3, 4, 5, 6, 8, 9, 10, 11, 12], crapless);
}

fn check(rules: &Rules, points: &[u8], oracle: fn(&str, Option<u8>, u8, u8) -> Worth) {
    for spot in rules.spots() {
        let notation = &rules.spot_rule(spot).notation;
        for puck in [None].into_iter().chain(points.iter().copied().map(Some)) {
            for roll in Roll::all() {
                let (a, b) = roll.faces();
                let expected = oracle(notation, puck, a, b);
                let got = engine(rules, notation, puck, roll);
                assert_eq!(got, expected, "{notation} with the puck {puck:?} on {roll}");
            }
        }
    }
}
