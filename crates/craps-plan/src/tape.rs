//! A session of a plan written as a tape: every ask a step, every refusal one that must be refused,
//! every rack as it must be. `boxman tape` plays it at a real table and finds the same cents.

use std::fmt::Write;
use std::sync::Arc;

use craps::call::stick_call;
use craps::machine::{Asked, Play, Table};
use craps::{Action, Cents, Layout, Puck, Roll, Rules};

use crate::fault::{Fault, situation};
use crate::plan::Plan;

/// A table for one plan, and how a tape names its rules.
pub struct Session<'a> {
    /// The rulebooks, as `--rules` names them; none is the default base game.
    pub rulebooks: &'a [String],
    /// The options, by name.
    pub options: &'a [(String, String)],
    /// The rules they compile to.
    pub rules: &'a Arc<Rules>,
    /// What each meter of the rules pays on every hit.
    pub meters: &'a [Cents],
    /// What the player sits down with.
    pub bankroll: Cents,
}

/// What a tape shows of its last roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// What the plan asked for after it, and what is up.
    Asked,
    /// What it paid, and no more: the session was over before the plan was asked.
    Settled,
}

/// The plan's player on a tape.
const PLAYER: &str = "ann";

impl Session<'_> {
    /// Plays `plan` with these dice until it ends, and writes it down without a comment at the top.
    pub fn tape(&self, plan: &Plan, dice: &[Roll]) -> Result<String, Fault> {
        self.tape_to(plan, dice, Last::Asked)
    }

    /// The same, where the last of these dice may have ended more than the dice.
    pub fn tape_to(&self, plan: &Plan, dice: &[Roll], last: Last) -> Result<String, Fault> {
        let mut written = Written { rules: self.rules, text: self.header() };
        let start = Play::start(self.rules, plan, self.meters, self.bankroll);
        let (mut play, asked) = start
            .map_err(|fault| fault.with_situation(situation(self.rules, &Table::default())))?;
        written.asks(&asked);
        for (place, roll) in (1..).zip(dice) {
            let Ok(position) = play.now() else { break };
            let puck = position.table.state.hand.puck;
            let turn = play.roll(*roll).map_err(|fault| match play.now() {
                Ok(after) => fault.with_situation(situation(self.rules, &after.table)),
                Err(_) => fault,
            });
            let turn = turn?.expect("it has not ended");
            written.roll(puck, *roll, turn.change);
            let up = play.now().map_or(Cents::ZERO, |now| now.table.state.layout.outlay());
            let moved = turn.asked.iter().filter_map(|(_, answer)| answer.as_ref().ok());
            let moved: Cents = moved.copied().sum();
            written.line(&format!("= {PLAYER} {}", play.equity() - up + moved));
            if place == dice.len() && last == Last::Settled {
                return Ok(written.text);
            }
            written.asks(&turn.asked);
        }
        match play.now() {
            Ok(now) => {
                let layout = &now.table.state.layout;
                written.line(&format!("= puck {}", now.table.state.hand.puck));
                written.line(&format!("= {PLAYER} {}", play.equity() - layout.outlay()));
                written.bets(layout);
            }
            Err(end) => {
                written.line(&format!("# It is over: {end}."));
                written.line(&format!("= {PLAYER} {}", play.equity()));
            }
        }
        Ok(written.text)
    }

    fn header(&self) -> String {
        let mut text = String::new();
        let mut line = |line: String| {
            text += &line;
            text.push('\n');
        };
        if !self.rulebooks.is_empty() {
            line(format!("rules {}", self.rulebooks.join(" ")));
        }
        for (name, value) in self.options {
            line(format!("option {name} {value}"));
        }
        for (meter, amount) in self.rules.meters().iter().zip(self.meters) {
            line(format!("meter {} {amount} fixed", meter.name));
        }
        line("shooter any".to_owned());
        line(match self.bankroll {
            Cents::ZERO => format!("seat {PLAYER}"),
            bankroll => format!("seat {PLAYER} {}", chips(bankroll)),
        });
        text
    }
}

/// An amount as players say it.
fn chips(amount: Cents) -> String {
    let amount = amount.to_string();
    amount.strip_suffix(".00").map_or(amount.clone(), str::to_owned)
}

/// A tape as it grows.
struct Written<'a> {
    rules: &'a Rules,
    text: String,
}

impl Written<'_> {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn roll(&mut self, puck: Puck, roll: Roll, change: Cents) {
        let called = stick_call(puck, roll, self.rules.points);
        let _ = write!(self.text, "{:<24}# {called}", format!("roll {roll}"));
        if change != Cents::ZERO {
            let sign = if change < Cents::ZERO { '-' } else { '+' };
            let _ = write!(self.text, ": {sign}${}", Cents(change.0.abs()));
        }
        self.text.push('\n');
    }

    fn asks(&mut self, asked: &[Asked]) {
        for (action, answer) in asked {
            let spot = &self.rules.spot_rule(action.spot()).notation;
            let step = match action {
                Action::Put { amount, .. } => format!("{PLAYER} {spot} {}", chips(*amount)),
                Action::Take { amount: None, .. } => format!("{PLAYER} take {spot}"),
                Action::Take { amount: Some(amount), .. } => {
                    format!("{PLAYER} take {spot} by {}", chips(*amount))
                }
                Action::Call { call, .. } => format!("{PLAYER} {} {spot}", call.word()),
            };
            match answer {
                Ok(_) => self.line(&step),
                Err(refusal) => self.line(&format!("! {step} : {}", refusal.code())),
            }
        }
    }

    fn bets(&mut self, layout: &Layout) {
        for bet in layout.bets() {
            let spot = &self.rules.spot_rule(bet.spot).notation;
            self.line(&format!("= {PLAYER} {spot} {}", bet.stake));
        }
    }
}
