//! The best play against values worked out the long way: every state, every set of bets, every
//! roll through the engine, again and again.

#![expect(clippy::float_arithmetic, reason = "chances are compared with their bounds")]

use std::collections::HashMap;
use std::sync::Arc;

use craps::dice::Combination;
use craps::settle::Settled;
use craps::{Action, Cents, Library, Puck, Rules, Spot, State};
use craps_math::best::{Best, Bets, Game, Turn, Wish, solve, within};

fn rules(options: &[(&str, &str)]) -> Arc<Rules> {
    Arc::new(Rules::with_options(&Library::embedded(), &["presque-isle"], options).unwrap())
}

fn best(rules: &Rules, names: &[&str], bankroll: i64, goal: i64, step: i64) -> Best {
    let bets = Bets::parse(rules, names.iter().copied()).unwrap();
    let [bankroll, goal, step] = [bankroll, goal, step].map(Cents::dollars);
    let game = Game::new(rules, &bets, &Wish { bankroll, goal, step }).unwrap();
    solve(&game, &|_, _| true).unwrap()
}

/// A state the long way: the puck, the line bet, the money.
type Key = (Puck, Cents, Cents);

/// Where a roll leads: the next state, or whether the goal is reached.
type Lead = (f64, Result<Key, bool>);

struct LongWay<'a> {
    rules: &'a Rules,
    line: Option<Spot>,
    odds: Option<Spot>,
    free: Vec<Spot>,
    goal: Cents,
    step: Cents,
}

impl LongWay<'_> {
    /// Every layout that may be up in a state when the dice are thrown.
    fn layouts(&self, (puck, line, equity): Key) -> Vec<State> {
        let mut bare = State::default();
        bare.hand.puck = puck;
        let mut bases = Vec::new();
        if line > Cents::ZERO {
            let spot = self.line.unwrap();
            bare.put(self.rules, spot, line);
            let mut down = bare.clone();
            while down
                .act(self.rules, equity, Action::Take { spot, amount: Some(self.step) })
                .is_ok()
            {
                bases.push(down.clone());
            }
            let mut gone = bare.clone();
            if gone.act(self.rules, equity, Action::Take { spot, amount: None }).is_ok() {
                bases.push(gone);
            }
        }
        bases.push(bare);
        let mut all = Vec::new();
        for base in bases {
            let lines = match self.line {
                Some(line) if puck == Puck::Off => self.raised(&base, line, equity),
                _ => vec![base],
            };
            for base in lines {
                let odds = match self.odds {
                    Some(odds) => self.raised(&base, odds, equity),
                    None => vec![base],
                };
                for base in odds {
                    for (place, one) in self.free.iter().enumerate() {
                        for with_one in self.raised(&base, *one, equity) {
                            all.push(with_one.clone());
                            for other in &self.free[place + 1..] {
                                all.extend(self.raised(&with_one, *other, equity));
                            }
                        }
                    }
                    all.push(base);
                }
            }
        }
        all
    }

    /// The same bets with each amount on one more spot, none included.
    fn raised(&self, state: &State, spot: Spot, equity: Cents) -> Vec<State> {
        let mut all = vec![state.clone()];
        let rack = equity - state.layout.outlay();
        let offers = craps::action::offers(self.rules, &state.hand, &state.layout, rack);
        let even = offers.iter().find(|offer| offer.spot == spot).unwrap().even;
        let mut amount = self.step;
        while amount <= rack {
            let mut with = state.clone();
            if amount.is_multiple_of(even)
                && with.act(self.rules, rack, Action::Put { spot, amount }).is_ok()
            {
                all.push(with);
            }
            amount += self.step;
        }
        all
    }

    /// Where a layout leads: the ways of each roll, and the state, or whether the goal is reached.
    fn leads(&self, state: &State, equity: Cents) -> Vec<Lead> {
        let roll = |combination: Combination| {
            let mut after = state.clone();
            let settled = after.roll(self.rules, combination.roll());
            let equity = equity + settled.lines.iter().map(Settled::net).sum::<Cents>();
            let up = self.line.and_then(|line| after.layout.bet(line));
            let line = up.map_or(Cents::ZERO, |bet| bet.stake);
            let take = self.line.map(|spot| Action::Take { spot, amount: None });
            let locked = match take {
                Some(take) if line > Cents::ZERO => {
                    after.clone().act(self.rules, equity, take).is_err()
                }
                _ => false,
            };
            let locked = if locked { line } else { Cents::ZERO };
            let chance = f64::from(combination.ways()) / 36.0;
            match equity - locked >= self.goal {
                true => (chance, Err(true)),
                false => (chance, Ok((after.hand.puck, line, equity))),
            }
        };
        Combination::all().map(roll).collect()
    }

    /// The chance from a bankroll, after so many improvements.
    fn chance(&self, bankroll: Cents, sweeps: usize) -> f64 {
        let start = (Puck::Off, Cents::ZERO, bankroll);
        let mut plays: HashMap<Key, Vec<Vec<Lead>>> = HashMap::new();
        let mut order = vec![start];
        let mut done = 0;
        while let Some(key) = order.get(done).copied() {
            done += 1;
            if plays.contains_key(&key) {
                continue;
            }
            let layouts = self.layouts(key);
            let leads: Vec<_> = layouts.iter().map(|state| self.leads(state, key.2)).collect();
            order.extend(leads.iter().flatten().filter_map(|(_, to)| to.ok()));
            plays.insert(key, leads);
        }
        let mut values: HashMap<Key, f64> = plays.keys().map(|key| (*key, 0.0)).collect();
        for _ in 0..sweeps {
            for (key, plays) in &plays {
                let worth = |leads: &Vec<Lead>| {
                    let each = leads.iter().map(|(chance, to)| match to {
                        Ok(to) => chance * values[to],
                        Err(reached) => chance * f64::from(u8::from(*reached)),
                    });
                    each.sum::<f64>()
                };
                let best = plays.iter().map(worth).fold(0.0, f64::max);
                values.insert(*key, best);
            }
        }
        values[&start]
    }
}

#[track_caller]
fn agrees(options: &[(&str, &str)], names: &[&str], bankroll: i64, goal: i64, step: i64) {
    let rules = rules(options);
    let found = best(&rules, names, bankroll, goal, step);
    let bets = names.iter().filter(|name| **name != "odds").map(|name| rules.spot(name).unwrap());
    let (lines, free): (Vec<Spot>, Vec<Spot>) =
        bets.partition(|spot| rules.spot_rule(*spot).odds.is_some());
    let line = lines.first().copied();
    let odds = line.filter(|_| names.contains(&"odds"));
    let odds = odds.and_then(|line| rules.spot_rule(line).odds);
    let [goal, step] = [goal, step].map(Cents::dollars);
    let long = LongWay { rules: &rules, line, odds, free, goal, step };
    let chance = long.chance(Cents::dollars(bankroll), 800);
    let name = format!("{names:?} {bankroll} {goal}: {} and {chance}", found.chance);
    assert!((found.chance - chance).abs() < 1e-9, "{name}");
    assert!(found.bound >= chance - 1e-12 && found.bound - found.chance < 1.1e-10, "{name}");
}

#[test]
fn one_pass_bet_for_the_goal() {
    let found = best(&rules(&[]), &["pass"], 5, 10, 5);
    assert!((found.chance - 244.0 / 495.0).abs() < 1e-12, "{}", found.chance);
    assert_eq!(found.turns.len(), 7, "{:?}", found.turns);
}

#[test]
fn the_best_play_agrees_with_the_long_way() {
    agrees(&[], &["pass"], 15, 40, 5);
    agrees(&[], &["pass", "odds", "field"], 10, 20, 5);
    agrees(&[], &["dont-pass", "odds", "hard 8"], 10, 20, 5);
    agrees(&[], &["hard 8", "field", "place 6"], 6, 18, 3);
    agrees(&[], &["pass", "odds", "place 6", "hard 8", "field"], 6, 12, 2);
    agrees(&[], &["dont-pass", "any-seven", "hard 6"], 15, 20, 5);
    agrees(&[("place-may-be-called-on", "true")], &["pass", "place 5"], 10, 20, 5);
    agrees(&[("payout-unit", "1.00")], &["buy 4", "lay 10"], 40, 100, 20);
}

#[test]
fn within_so_many_rolls() {
    let rules = rules(&[]);
    let bets = Bets::parse(&rules, ["pass", "odds", "field"]).unwrap();
    let [bankroll, goal, step] = [10, 30, 5].map(Cents::dollars);
    let game = Game::new(&rules, &bets, &Wish { bankroll, goal, step }).unwrap();
    // One roll of the field that pays double reaches 30 from 10: 2 of 36.
    let one = within(&game, 1, |_| true).unwrap();
    assert!((one.chance - 2.0 / 36.0).abs() < 1e-15, "{one:?}");
    assert_eq!(one.stakes, [Cents::ZERO, Cents::ZERO, Cents::dollars(10)]);
    // With time to spare it need not bet at once, and does all the same.
    let many = within(&game, 50, |_| true).unwrap();
    assert!(many.stakes.iter().any(|stake| *stake > Cents::ZERO), "{many:?}");
    let whole = solve(&game, &|_, _| true).unwrap().chance;
    let mut before = one.chance;
    for rolls in [2, 5, 20, 100, 400] {
        let chance = within(&game, rolls, |_| true).unwrap().chance;
        assert!(chance >= before && chance <= whole + 1e-12, "{rolls}: {chance}");
        before = chance;
    }
    assert!((before - whole).abs() < 1e-9, "{before} and {whole}");
    assert_eq!(within(&game, 9, |_| false), None);
}

#[test]
fn openings_of_other_bankrolls_and_pucks() {
    let rules = rules(&[]);
    let bets = Bets::parse(&rules, ["pass", "odds", "field"]).unwrap();
    let [bankroll, goal, step] = [10, 30, 5].map(Cents::dollars);
    let wish = Wish { bankroll, goal, step };
    let opening = within(&Game::new(&rules, &bets, &wish).unwrap(), 6, |_| true).unwrap();
    let off: Vec<_> = opening.turns.iter().filter(|turn| turn.puck == Puck::Off).collect();
    let dollars: Vec<i64> = off.iter().map(|turn| turn.equity.0 / 100).collect();
    assert_eq!(dollars, [5, 10, 15, 20, 25]);
    // Each is what somebody is told who sits down with so much.
    for turn in off {
        let wish = Wish { bankroll: turn.equity, ..wish };
        let own = within(&Game::new(&rules, &bets, &wish).unwrap(), 6, |_| true).unwrap();
        assert!((own.chance - turn.chance).abs() < 1e-15, "{turn:?} and {own:?}");
        assert_eq!(own.stakes, turn.stakes);
    }
    // On a point the field is left to them, and nothing goes on the line.
    let on: Vec<_> = opening.turns.iter().filter(|turn| turn.puck != Puck::Off).collect();
    assert_eq!(on.len(), 6 * 5);
    assert!(on.iter().all(|turn| turn.stakes[0] == Cents::ZERO), "{on:?}");
    // Where there is nothing to bet on a point, it does not matter.
    let line = Bets::parse(&rules, ["pass", "odds"]).unwrap();
    let opening = within(&Game::new(&rules, &line, &wish).unwrap(), 6, |_| true).unwrap();
    assert!(!opening.turns.is_empty());
    assert!(opening.turns.iter().all(|turn| turn.puck == Puck::Off), "{opening:?}");
}

#[test]
fn of_two_bets_alike_the_first_on_the_felt_counts() {
    let rules = rules(&[]);
    for (one, other) in [("hard 6", "hard 8"), ("hard 4", "hard 10")] {
        // However they are named.
        let found = best(&rules, &[other, one], 10, 60, 5);
        let alone = |turn: &&Turn| turn.stakes.contains(&Cents::ZERO);
        let turns: Vec<&Turn> = found.turns.iter().filter(alone).collect();
        assert!(!turns.is_empty(), "{one}: {found:?}");
        assert!(turns.iter().all(|turn| turn.stakes[0] > Cents::ZERO), "{one}: {turns:?}");
        let bets = Bets::parse(&rules, [other, one]).unwrap();
        let [bankroll, goal, step] = [5, 60, 5].map(Cents::dollars);
        let game = Game::new(&rules, &bets, &Wish { bankroll, goal, step }).unwrap();
        let opening = within(&game, 9, |_| true).unwrap();
        assert_eq!(opening.stakes, [Cents::dollars(5), Cents::ZERO], "{one}");
    }
}

#[test]
fn one_bet_may_pay_for_another_that_loses() {
    // Field and any seven: twenty and ten reach 40 from 30 with every number but five of them.
    for (names, right) in
        [(["field", "any-seven"], 22.0 / 36.0), (["dont-pass", "any-seven"], 0.25)]
    {
        let rules = rules(&[]);
        let bets = Bets::parse(&rules, names).unwrap();
        let [bankroll, goal, step] = [30, 40, 5].map(Cents::dollars);
        let game = Game::new(&rules, &bets, &Wish { bankroll, goal, step }).unwrap();
        let one = within(&game, 1, |_| true).unwrap();
        assert!((one.chance - right).abs() < 1e-12, "{names:?}: {one:?}");
    }
}

#[test]
fn bets_that_stay_are_refused() {
    let rules = rules(&[]);
    for (names, says) in [
        (&["come"][..], "cannot be taken down"),
        (&["pass", "dont-pass"], "both line bets"),
        (&["odds"], "odds go behind"),
        (&["pass", "pass"], "twice"),
        (&["field", "field"], "twice"),
        (&["plce 6"], "did you mean"),
        (&[""], "name at least one"),
        (&["all-small"], "cannot be taken down"),
    ] {
        let unfit = Bets::parse(&rules, names.iter().copied()).unwrap_err().to_string();
        assert!(unfit.contains(says), "{names:?}: {unfit}");
    }
}
