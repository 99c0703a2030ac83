//! The seat every benchmark steps: pass with odds, place 6 and 8, and the three bonus bets, each
//! put up again as soon as it comes down.

use craps::{Account, Cents, Library, Roll, Rules, Settlement, Spot, State};

/// What a run of rolls came to. The dice are a fixed sequence, so it is always the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// What the seat has won and lost.
    pub(crate) net: i64,
    /// How many bets were decided.
    pub(crate) lines: u64,
}

/// A seat that keeps its bets up.
pub(crate) struct Stepper {
    rules: Rules,
    state: State,
    settlement: Settlement,
    line: [(Spot, Cents); 2],
    others: [(Spot, Cents); 5],
    dice: u64,
}

impl Stepper {
    /// A seat at a table that offers everything it bets on.
    pub(crate) fn new() -> Stepper {
        let names = ["presque-isle", "bonus-craps-nevada"];
        let rules = Rules::named(&Library::embedded(), &names).expect("embedded rules compile");
        let spot = |name: &str, dollars| {
            (rules.spot(name).expect("it is offered"), Cents::dollars(dollars))
        };
        Stepper {
            line: [spot("pass", 10), spot("odds pass", 20)],
            others: [
                spot("place 6", 12),
                spot("place 8", 12),
                spot("all-small", 1),
                spot("all-tall", 1),
                spot("make-em-all", 1),
            ],
            rules,
            state: State::default(),
            settlement: Settlement::default(),
            dice: 1,
        }
    }

    fn roll(&mut self) -> Roll {
        self.dice = self.dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        Roll::from_index((((self.dice >> 32) * 36) >> 32) as usize)
    }

    fn put(&mut self, (spot, stake): (Spot, Cents)) {
        self.state.put(&self.rules, spot, stake);
    }

    /// Throws, calls, resolves, settles, and puts up again what came down, `rolls` times.
    pub(crate) fn step(&mut self, rolls: u64) -> Outcome {
        let mut outcome = Outcome::default();
        let [pass, odds] = self.line;
        self.put(pass);
        self.others.into_iter().for_each(|bet| self.put(bet));
        for _ in 0..rolls {
            let roll = self.roll();
            let called = self.state.roll_into(&self.rules, roll, &mut self.settlement);
            outcome.net -= self.settlement.postings.gain(Account::House).0;
            outcome.lines += self.settlement.lines.len() as u64;
            for place in 0..self.settlement.lines.len() {
                let line = self.settlement.lines[place];
                if line.left.is_none() && line.bet.spot != odds.0 {
                    self.put((line.bet.spot, line.bet.stake));
                }
            }
            if called.puck.is_off() && !self.state.hand.puck.is_off() {
                self.put(odds);
            }
        }
        outcome
    }
}
