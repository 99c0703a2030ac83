//! Chains and perft: state counts and tallies that can be checked by hand.

use craps::chain::Unexplored;
use craps::perft::{perft, perft_chain};
use craps::{Cents, Chain, Multiple, Rules, State};
use expect_test::expect_file;

use crate::{everything, rules};

#[track_caller]
fn check_perft(rules: &Rules, wager: &str, depth: u32, expected: &str) {
    let start = State::with_bet(rules, wager, Cents::dollars(1)).unwrap();
    assert_eq!(perft(rules, &start, depth).to_string(), expected, "{wager} to depth {depth}");
}

#[test]
fn perft_of_the_line() {
    let rules = everything();
    check_perft(&rules, "pass", 1, "8/4/0/24");
    check_perft(&rules, "pass", 2, "388/288/0/620");
    check_perft(&rules, "pass", 3, "16536/14088/0/16032");
    check_perft(&rules, "dont-pass", 1, "3/8/1/24");
    check_perft(&rules, "dont-pass", 2, "252/388/36/620");
}

/// Tallies of every spot a player can bet on, to depth 4, as a golden file for each base game.
#[test]
fn perft_of_every_wager() {
    expect_file!["../golden/perft.txt"].assert_eq(&tallies(&everything()));
    expect_file!["../golden/perft-strip.txt"].assert_eq(&tallies(&strip()));
    expect_file!["../golden/perft-crapless.txt"].assert_eq(&tallies(&crapless()));
}

fn tallies(rules: &Rules) -> String {
    let mut text = String::from("won/lost/push/live over all sequences of 1, 2, 3 and 4 rolls\n\n");
    for spot in bettable(rules) {
        let start = State::with_bet(rules, &spot, Cents::dollars(20)).unwrap();
        let tallies: Vec<String> =
            (1..=4).map(|depth| perft(rules, &start, depth).to_string()).collect();
        text += &format!("{spot:24}{}\n", tallies.join("  "));
    }
    text
}

fn strip() -> Rules {
    rules(&["vegas-strip", "low-high-dice"])
}

fn crapless() -> Rules {
    rules(&["crapless"])
}

fn bettable(rules: &Rules) -> Vec<String> {
    let direct = |spot: &craps::Spot| {
        let rule = rules.spot_rule(*spot);
        rule.direct && rule.flat.is_none()
    };
    rules.spots().filter(direct).map(|spot| rules.spot_rule(spot).notation.clone()).collect()
}

#[test]
fn direct_equals_compiled() {
    for rules in [everything(), strip(), crapless()] {
        for wager in bettable(&rules) {
            let chain = Chain::of_wager(&rules, &wager).unwrap();
            let start = State::with_bet(&rules, &wager, Cents::dollars(20)).unwrap();
            for depth in 1..=5 {
                let direct = perft(&rules, &start, depth);
                assert_eq!(perft_chain(&rules, &chain, depth), direct, "{wager} to depth {depth}");
            }
        }
    }
}

/// The minimal chain of every wager, as a golden file: a handful are known from arithmetic.
#[test]
fn minimal_chains() {
    let rules = everything();
    let states = |wager: &str| Chain::of_wager(&rules, wager).unwrap().len();
    assert_eq!(states("pass"), 7);
    assert_eq!(states("dont-pass"), 7);
    assert_eq!(states("come"), 7);
    assert_eq!(states("field"), 1);
    assert_eq!(states("all-small"), 31);
    assert_eq!(states("make-em-all"), 1023);
    assert_eq!(states("make-em-all-progressive"), 1023);
    assert_eq!(states("fired-up"), 9);
    expect_file!["../golden/chains.txt"].assert_eq(&sizes(&rules));
}

fn sizes(rules: &Rules) -> String {
    let states = |wager: &String| Chain::of_wager(rules, wager).unwrap().len();
    bettable(rules).iter().map(|wager| format!("{wager:24}{}\n", states(wager))).collect()
}

/// The other base games. Crapless craps has ten points and a come-out; a bet that rests on the
/// come-out has to know where the puck lies, all others look at the dice alone.
#[test]
fn minimal_chains_of_other_games() {
    let (strip, crapless) = (strip(), crapless());
    let states = |rules: &Rules, wager: &str| Chain::of_wager(rules, wager).unwrap().len();
    assert_eq!(states(&strip, "pass"), 7);
    assert_eq!(states(&strip, "hop 3-5"), 1);
    assert_eq!(states(&crapless, "pass"), 11);
    assert_eq!(states(&crapless, "come"), 11);
    assert_eq!(states(&crapless, "place 2"), 11);
    assert_eq!(states(&crapless, "hard 4"), 1);
    expect_file!["../golden/chains-strip.txt"].assert_eq(&sizes(&strip));
    expect_file!["../golden/chains-crapless.txt"].assert_eq(&sizes(&crapless));
}

#[test]
fn a_come_bet_with_odds_depends_on_the_puck() {
    let rules = rules(&["presque-isle"]);
    let twice = Some(Multiple::times(2));
    let chain = Chain::of_line_with_odds(&rules, "come", Cents::dollars(1), twice).unwrap();
    assert_eq!(chain.len(), 37);
    let chain = Chain::of_line_with_odds(&rules, "pass", Cents::dollars(1), None).unwrap();
    assert_eq!(chain.len(), 7);
}

/// Washington remembers the totals since the last seven; the minimal chain does not grow by it.
#[test]
fn a_remembering_house_has_the_same_chain() {
    let rules = rules(&["presque-isle:none", "bonus-craps-washington"]);
    assert_eq!(Chain::of_wager(&rules, "make-em-all").unwrap().len(), 1023);
    assert_eq!(Chain::of_wager(&rules, "pass").unwrap().len(), 7);
}

#[test]
fn weights_are_out_of_thirty_six() {
    let rules = rules(&["presque-isle"]);
    let chain = Chain::of_wager(&rules, "pass").unwrap();
    for state in 0..chain.len() as u32 {
        let weights: u32 = chain.weighted(state).iter().map(|(weight, _)| weight).sum();
        assert_eq!(weights, 36);
    }
}

#[test]
fn too_many_states_is_an_error() {
    let rules = everything();
    let start = State::with_bet(&rules, "make-em-all", Cents::dollars(1)).unwrap();
    let explored = Chain::explore(&rules, start, |_| {}, 100);
    assert_eq!(explored.unwrap_err(), Unexplored::TooManyStates(100));
    let unknown = Chain::of_wager(&rules, "red").unwrap_err();
    assert_eq!(unknown.to_string(), "there is no wager `red`");
}
