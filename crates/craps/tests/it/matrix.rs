//! The resolution matrix: every wager, every puck, all twenty-one combinations, as a golden file.

use std::fmt::Write;

use craps::dice::Combination;
use craps::{
    Bet, Cents, Fate, Hand, Layout, OnOff, Puck, Roll, Rules, Spot, State, Total, call, resolve,
};
use expect_test::expect_file;

use crate::{every_side_bet, everything, rules};

/// One letter for each fate; winning letters are explained at the end of their row.
fn letter(rules: &Rules, fate: Fate, wins: &mut Vec<String>) -> char {
    match fate {
        Fate::Stand => '.',
        Fate::Lose => '-',
        Fate::Push => '=',
        Fate::Return => 'r',
        Fate::Travel(to) => {
            let number = rules.spot_rule(to).number.expect("a bet travels to a number").number();
            char::from_digit(u32::from(number), 16).expect("totals are small")
        }
        Fate::Win { award, stays } => {
            let due = rules.award(award).due.to_string();
            let text = if stays { format!("{due}, stays") } else { due };
            let place = wins.iter().position(|known| *known == text).unwrap_or_else(|| {
                wins.push(text);
                wins.len() - 1
            });
            (b'A' + place as u8) as char
        }
    }
}

pub(crate) fn row(rules: &Rules, hand: &Hand, spot: Spot, called: OnOff) -> String {
    let mut layout = Layout::default();
    layout.set(Bet { spot, call: called, stake: Cents::dollars(60), vig: Cents::ZERO });
    let mut wins = Vec::new();
    let mut row = String::new();
    for combination in Combination::all() {
        let outcome = call(rules, hand, combination.roll());
        let (_, fate) = resolve(rules, &outcome, &layout).next().expect("one bet is up");
        row.push(letter(rules, fate, &mut wins));
    }
    for (place, win) in wins.iter().enumerate() {
        let _ = write!(row, "  {}: {win}", (b'A' + place as u8) as char);
    }
    row
}

/// Pucks whose rows are alike share a line.
pub(crate) fn grouped(rows: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut groups: Vec<(String, String)> = Vec::new();
    for (label, row) in rows {
        match groups.iter_mut().find(|(_, known)| *known == row) {
            Some((labels, _)) => {
                labels.push(' ');
                labels.push_str(&label);
            }
            None => groups.push((label, row)),
        }
    }
    groups
}

pub(crate) fn pucks(rules: &Rules) -> Vec<Puck> {
    let points = rules.points;
    Puck::all().filter(|puck| puck.point().is_none_or(|point| points.contains(point))).collect()
}

#[test]
fn every_spot_every_puck_every_combination() {
    expect_file!["../golden/matrix.txt"].assert_eq(&matrix(&everything()));
}

/// The Strip's game and its own side bets, in a file of their own.
#[test]
fn every_spot_of_the_strip() {
    let rules = rules(&["vegas-strip", "low-high-dice"]);
    expect_file!["../golden/matrix-strip.txt"].assert_eq(&matrix(&rules));
}

/// Every number is a point in crapless craps.
#[test]
fn every_spot_of_crapless_craps() {
    expect_file!["../golden/matrix-crapless.txt"].assert_eq(&matrix(&rules(&["crapless"])));
}

/// The dice above the columns, after so many blanks.
pub(crate) fn header(text: &mut String, blanks: usize) {
    let combinations: Vec<String> = Combination::all().map(|c| c.to_string()).collect();
    for digit in [0, 2] {
        let digits: String = combinations.iter().map(|c| &c[digit..=digit]).collect();
        let _ = writeln!(text, "{:blanks$}{digits}", "");
    }
}

fn matrix(rules: &Rules) -> String {
    let points: Vec<String> = rules.points.iter().map(|it| format!("{:x}", it.number())).collect();
    let mut text = format!(
        "What each of the 21 combinations does to a bet, by where the puck lies.\n\
         . stands  - loses  = pushes  r is returned  {} travels there  A B … wins\n\n",
        points.join(" "),
    );
    let width = pucks(rules).iter().map(|puck| puck.to_string().len() + 1).sum::<usize>() + 1;
    header(&mut text, 26 + width);
    for spot in rules.spots() {
        let rule = rules.spot_rule(spot);
        let mut name = rule.notation.clone();
        let rows: Vec<(String, String)> = match rule.tracker {
            None => {
                let row = |puck: Puck| {
                    let hand = Hand { puck, ..Hand::default() };
                    (puck.to_string(), row(rules, &hand, spot, OnOff::House))
                };
                grouped(pucks(rules).into_iter().map(row).collect())
            }
            Some(tracker) => tracker_rows(rules, spot, usize::from(tracker)),
        };
        for (label, row) in rows {
            let _ = writeln!(text, "{name:26}{label:width$}{row}");
            name = String::new();
        }
    }
    text
}

/// A tracked wager on its first roll, and one number short of its top award.
fn tracker_rows(rules: &Rules, spot: Spot, place: usize) -> Vec<(String, String)> {
    let mut state = State::default();
    state.put(rules, spot, Cents::dollars(60));
    let fresh = state.hand;
    let mut rows = vec![("first roll".to_owned(), row(rules, &fresh, spot, OnOff::House))];
    // Walk the numbers the wager looks for until one more would end it with its top award.
    let mut hand = fresh;
    let mut seen = Vec::new();
    let numbers = [6, 5, 4, 3, 2, 8, 9, 10, 11, 12].map(|n| Total::new(n).unwrap());
    for number in numbers {
        let roll = craps::Roll::all().find(|roll| roll.total() == number).unwrap();
        let outcome = call(rules, &hand, roll);
        if outcome.fates[place] == Fate::Stand {
            if outcome.hand.trackers[place].marks() != hand.trackers[place].marks() {
                seen.push(number.to_string());
            }
            hand = outcome.hand;
        }
    }
    rows.push((format!("{} down", seen.len()), row(rules, &hand, spot, OnOff::House)));
    rows
}

/// Side bets that hear more than totals: a fresh bet, and one that rides since five points were
/// made, by where the puck lies. What wins each award is in `awards`.
#[test]
fn every_side_bet_every_puck_every_combination() {
    let rules = every_side_bet();
    let mut text = String::from(
        "What each of the 21 combinations does to a side bet, by where the puck lies.\n\
         . stands  - loses  A B … wins\n\n",
    );
    header(&mut text, 54);
    for spot in rules.tracked() {
        let mut name = rules.spot_rule(spot).notation.clone();
        let mut state = State::default();
        state.put(&rules, spot, Cents::dollars(60));
        let mut hands = vec![("fresh", state.hand)];
        for total in [4, 4, 5, 5, 6, 6, 8, 8, 9, 9] {
            let roll = Roll::all().find(|roll| roll.total().number() == total).unwrap();
            state.roll(&rules, roll);
        }
        if state.layout.bet(spot).is_some() {
            hands.push(("five made", state.hand));
        }
        for (label, hand) in hands {
            let row = |puck: Puck| {
                let mut there = hand;
                there.puck = puck;
                (puck.to_string(), row(&rules, &there, spot, OnOff::House))
            };
            for (pucks, row) in grouped(pucks(&rules).into_iter().map(row).collect()) {
                let _ = writeln!(text, "{name:20}{label:12}{pucks:22}{row}");
                name = String::new();
            }
        }
    }
    expect_file!["../golden/matrix-side.txt"].assert_eq(&text);
}

/// On a come-out: who works, what a call changes, and what is left after the number and a seven.
#[test]
fn come_out_status() {
    expect_file!["../golden/come-out.txt"].assert_eq(&come_out(&everything()));
}

#[test]
fn come_out_status_on_the_strip() {
    expect_file!["../golden/come-out-strip.txt"].assert_eq(&come_out(&rules(&["vegas-strip"])));
}

#[test]
fn come_out_status_of_crapless_craps() {
    expect_file!["../golden/come-out-crapless.txt"].assert_eq(&come_out(&rules(&["crapless"])));
}

fn come_out(rules: &Rules) -> String {
    let mut text = String::from(
        "Come-out status: what the spot's own number and a seven do to a bet with the puck OFF,\n\
         left to the house, called on, and called off. A dash under called means no such call.\n\n",
    );
    let _ = writeln!(text, "{:18}{:22}{:22}{:22}", "", "house", "called on", "called off");
    for spot in rules.spots() {
        let rule = rules.spot_rule(spot);
        let Some(number) = rule.number else { continue };
        let mut columns = Vec::new();
        for called in OnOff::ALL {
            let callable = rules.wager_at(spot).standing.callable;
            if called != OnOff::House && !callable {
                columns.push("—".to_owned());
                continue;
            }
            let mut layout = Layout::default();
            layout.set(Bet { spot, call: called, stake: Cents::dollars(60), vig: Cents::ZERO });
            let fate = |total: Total| {
                let roll = craps::Roll::all().find(|roll| roll.total() == total).unwrap();
                let outcome = call(rules, &Hand::default(), roll);
                match resolve(rules, &outcome, &layout).next().unwrap().1 {
                    Fate::Win { stays: true, .. } => "win, stays",
                    Fate::Win { stays: false, .. } => "win",
                    Fate::Lose => "lose",
                    Fate::Push => "push",
                    Fate::Return => "return",
                    Fate::Stand => "stand",
                    Fate::Travel(_) => "travel",
                }
            };
            columns.push(format!("{} / {}", fate(number), fate(Total::SEVEN)));
        }
        let _ =
            writeln!(text, "{:18}{:22}{:22}{}", rule.notation, columns[0], columns[1], columns[2]);
    }
    text
}
