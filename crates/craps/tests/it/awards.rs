//! Every award of every side bet, from one roll before it: what each roll does there, and the
//! tallies of all sequences from there on. Nothing about how a state was reached is written down
//! here: the shortest way to it is looked for.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use craps::catalogue::progress;
use craps::chain::follow;
use craps::dice::Combination;
use craps::perft::{perft, perft_chain};
use craps::{Cents, Chain, Fate, OnOff, Rules, Spot, State};
use expect_test::expect_file;

use crate::every_side_bet;
use crate::matrix::{grouped, header, pucks, row};

/// A side bet, an award of it, and a state from which the next roll may win that.
struct Brink {
    spot: Spot,
    event: String,
    state: State,
}

/// The nearest state before each award of each side bet, walked to from a fresh bet.
fn brinks(rules: &Rules) -> Vec<Brink> {
    let mut found = Vec::new();
    for spot in rules.tracked() {
        let wager = &rules.spot_rule(spot).notation;
        let start = State::with_bet(rules, wager, Cents::dollars(60)).unwrap();
        let mut known = BTreeSet::new();
        let mut seen = HashSet::from([start.clone()]);
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(state) = queue.get(next).cloned() {
            next += 1;
            for combination in Combination::all() {
                let (label, after) = follow(rules, &state, combination.roll());
                if let Some((_, Fate::Win { award, .. })) = label.fates.first()
                    && known.insert(*award)
                {
                    let event = rules.award(*award).event.clone();
                    found.push(Brink { spot, event, state: state.clone() });
                }
                if let Some(after) = after.filter(|after| !seen.contains(after)) {
                    seen.insert(after.clone());
                    queue.push(after);
                }
            }
        }
    }
    found
}

/// Whatever a side bet can win is shown: no award is without the state before it.
#[test]
fn no_award_is_left_out() {
    let rules = every_side_bet();
    let brinks = brinks(&rules);
    let told = |wager: &str, event: &str| format!("{wager}: {event}");
    let shown = brinks.iter().map(|it| told(&rules.wager_at(it.spot).name, &it.event));
    let mut shown: Vec<String> = shown.collect();
    let mut all = Vec::new();
    for award in rules.awards() {
        let wager = rules.wager(award.wager);
        if wager.shape.is_tracked() {
            all.push(told(&wager.name, &award.event));
        }
    }
    shown.sort();
    all.sort();
    assert_eq!(shown, all);
    assert!(all.len() > 40, "{}", all.len());
}

/// What every roll does to a side bet that is one roll before an award, by where the puck lies.
fn awards(rules: &Rules) -> String {
    let mut text = String::from(
        "What each of the 21 combinations does to a side bet that can win an award with the next\n\
         roll, by where the puck lies. The award, how far the bet has come, and where the puck is\n\
         on the shortest way there (<).\n\
         . stands  - loses  A B … wins\n\n",
    );
    let width = pucks(rules).iter().map(|puck| puck.to_string().len() + 1).sum::<usize>() + 3;
    header(&mut text, 4 + width);
    let mut last = None;
    for Brink { spot, event, state } in &brinks(rules) {
        if last != Some(*spot) {
            let _ = writeln!(text, "{}", rules.spot_rule(*spot).notation);
            last = Some(*spot);
        }
        let tracker = state.hand.trackers[rules.tracker_at(*spot).unwrap()];
        let _ = writeln!(text, "  {event}, after {}", progress(rules, *spot, tracker).words);
        let row = |puck| {
            let mut hand = state.hand;
            hand.puck = puck;
            let here = if puck == state.hand.puck { "<" } else { "" };
            (format!("{puck}{here}"), row(rules, &hand, *spot, OnOff::House))
        };
        for (pucks, row) in grouped(pucks(rules).into_iter().map(row).collect()) {
            let _ = writeln!(text, "    {pucks:width$}{row}");
        }
    }
    text
}

#[test]
fn every_award_of_every_side_bet() {
    expect_file!["../golden/awards-side.txt"].assert_eq(&awards(&every_side_bet()));
}

/// The same tallies, stepped and from the chain that begins there.
#[test]
fn perft_before_every_award() {
    let rules = every_side_bet();
    let mut text = String::from(
        "won/lost/push/live over all sequences of 1, 2, 3 and 4 rolls, from one roll before each\n\
         award of a side bet\n\n",
    );
    for Brink { spot, event, state } in brinks(&rules) {
        let chain = Chain::explore(&rules, state.clone(), |_| {}, Chain::LIMIT).unwrap();
        let chain = chain.minimised();
        let tally = |depth| {
            let direct = perft(&rules, &state, depth);
            assert_eq!(perft_chain(&rules, &chain, depth), direct, "{event} to depth {depth}");
            direct.to_string()
        };
        let next = perft(&rules, &state, 1);
        assert!(next.won + next.push > 0, "{event} is more than a roll away");
        let tallies: Vec<String> = (1..=4).map(tally).collect();
        let name = format!("{}: {event}", rules.spot_rule(spot).notation);
        let _ = writeln!(text, "{name:36}{}", tallies.join("  "));
    }
    expect_file!["../golden/perft-awards-side.txt"].assert_eq(&text);
}
