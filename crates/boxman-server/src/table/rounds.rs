//! The moment: which betting round it is, and whether a command was meant for it.

use craps::Event;
use std::num::NonZeroU64;

use craps::table::Dice;

use super::LiveTable;
use super::decide::Wish;
use crate::ask::Verb;
use crate::log::{Entry, TableEntry};
use crate::problem::{Came, Problem};
use crate::role::Role;
use crate::round::{Round, RoundBegan};
use crate::simulated::{self, Mutant};

/// How many rounds are remembered, so that a late command is told what came instead.
const REMEMBERED: usize = 8;

impl LiveTable {
    /// The number of the present betting round.
    pub fn round(&self) -> u64 {
        self.rounds.back().map_or(0, |round| round.record)
    }

    /// Notes the round that an event begins, if it begins one.
    pub(super) fn note_round(
        &mut self,
        seq: u64,
        entry: &Entry<TableEntry>,
        event: &Event,
        dice: Dice,
    ) {
        let began = match event {
            Event::Rolled(rolled) => {
                RoundBegan::Rolled { roll: rolled.roll, number: rolled.number }
            }
            Event::Voided(voided) => RoundBegan::Voided { roll: voided.roll },
            Event::Corrected { voided, rolled } => {
                RoundBegan::Corrected { was: voided.roll, roll: rolled.roll }
            }
            Event::NoRoll => RoundBegan::NoRoll,
            Event::DicePassed { .. } => RoundBegan::DicePassed,
            Event::Left { seat, .. } if dice == Dice::Held(*seat) => RoundBegan::DicePassed,
            Event::Configured { .. } => RoundBegan::Configured,
            _ => return,
        };
        match event {
            Event::Rolled(_) | Event::Corrected { .. } => self.kept.last_roll = Some(seq),
            Event::Voided(_) => self.kept.last_roll = None,
            _ => {}
        }
        let name = entry.name.clone().or_else(|| self.seat_name(&entry.by));
        self.begin_round(Round { record: seq, began, by: entry.by.clone(), name, at: entry.at });
    }

    pub(super) fn begin_round(&mut self, round: Round) {
        let rounds = &mut self.kept.rounds;
        // Of one record there is one round: a roll that is corrected is one thing, not two.
        rounds.retain(|known| known.record != round.record);
        rounds.push_back(round);
        while rounds.len() > REMEMBERED {
            rounds.pop_front();
        }
    }

    /// Refuses a command that names another round than this one, and one of the crew that depends
    /// on the moment and names none.
    pub(super) fn check_round(&self, wish: Wish<'_>) -> Result<(), Problem> {
        let Wish { who, command, round, .. } = wish;
        match round {
            Some(_) if simulated::is(Mutant::AnyRound) => Ok(()),
            Some(named) if named != self.round() => Err(self.other_roll(named)),
            None if depends_on_the_moment(command.verb()) && self.must_name(&who.roles) => {
                let named = "name the betting round that this is meant for: `round`, as the table \
                             shows it";
                Err(Problem {
                    round: NonZeroU64::new(self.round()),
                    ..Problem::invalid("no-round", named)
                })
            }
            _ => Ok(()),
        }
    }

    /// Refuses a void or a correction of another roll than the last.
    pub(super) fn check_last_roll(&self, roles: &[Role], of: Option<u64>) -> Result<(), Problem> {
        match of {
            Some(_) if simulated::is(Mutant::AnyRoll) => Ok(()),
            Some(of) if Some(of) != self.last_roll => Err(self.other_roll(of)),
            None if self.must_name(roles) => {
                let named = "name the roll that this is meant for: `of`, the number of its record";
                Err(Problem {
                    round: NonZeroU64::new(self.round()),
                    ..Problem::invalid("no-round", named)
                })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn must_name(&self, roles: &[Role]) -> bool {
        let crew = |role: &Role| matches!(role, Role::Dealer | Role::Supervisor);
        self.config().has_procedures() && roles.iter().any(crew)
    }

    /// The moment has passed: what came instead.
    fn other_roll(&self, named: u64) -> Problem {
        let since: Vec<&Round> = self.rounds.iter().filter(|round| round.record > named).collect();
        let detail = match since.first() {
            Some(first) => format!("too late for that throw: {}", first.in_words()),
            None => format!("there is no round or roll {named} at this table now"),
        };
        let came = |round: &&Round| Came {
            record: round.record,
            what: round.began.word().to_owned(),
            dice: round.began.dice().map(|roll| roll.to_string()),
            by: round.by.clone(),
            name: round.name.clone(),
            at: round.at,
        };
        let came: Box<[Came]> = since.iter().map(came).collect();
        let round = NonZeroU64::new(self.round());
        Problem { round, came: Some(came), ..Problem::conflict("other-roll", detail) }
    }
}

/// Whether a command means one moment and no other.
fn depends_on_the_moment(verb: Verb) -> bool {
    use Verb::{Call, CloseBetting, KeyRoll, NoRoll, OpenBetting, PassDice, Put, Roll, Take};
    matches!(
        verb,
        Put | Take | Call | CloseBetting | KeyRoll | Roll | NoRoll | PassDice | OpenBetting
    )
}
