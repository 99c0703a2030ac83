//! A seat given up. What may be taken down comes down, what may not is played out or handed back,
//! and the chips go to the cage. At a practice table the house does it too; at a real one only
//! the crew does, with a reason.

use craps::{CashOutKind, Command, Refusal, Seat};

use super::LiveTable;
use super::limits::BoughtElsewhere;
use crate::access::Person;
use crate::log::{Proposal, TableEntry};
use crate::problem::Problem;
use crate::two_people;

/// Why the house gives up a seat.
const GONE: &str = "its player has gone";

/// What becomes of bets that may not be taken down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locked {
    /// They stay until they are decided.
    Stay,
    /// They are handed back.
    HandedBack,
}

impl LiveTable {
    /// The commands that empty a seat, as far as the table lets it be emptied now: nobody leaves
    /// with bets up or winnings pending.
    pub(crate) fn emptying(&self, seat: Seat, locked: Locked, reason: &str) -> Vec<Command> {
        let rules = self.rules();
        let bets = self.table.player(seat).map_or(&[][..], |player| player.layout.bets());
        let wagers: Vec<&String> =
            bets.iter().map(|bet| &rules.spot_rule(bet.spot).notation).collect();
        let take = |wager: &&String| Command::Take { seat, wager: (*wager).clone(), amount: None };
        let hand_back = |wager: &&String| Command::Return {
            seat,
            wager: (*wager).clone(),
            reason: reason.to_owned(),
        };
        let handed_back = wagers.iter().filter(|_| locked == Locked::HandedBack).map(hand_back);
        let all = wagers.iter().map(take).chain(handed_back).chain([self.leaving(seat)]);
        // Odds come down with their flat bet, and what has come down is not handed back.
        let mut table = self.table.clone();
        all.filter(|command| table.obey_as(rules, command, self.dealing()).is_ok()).collect()
    }

    /// Nobody walks away with the chips of a seat that is given up: at a table that tells, they are
    /// kept for the player.
    fn left_kind(&self) -> CashOutKind {
        match self.config().has_procedures() {
            true => CashOutKind::LeftBehind,
            false => CashOutKind::Walk,
        }
    }

    pub(crate) fn leaving(&self, seat: Seat) -> Command {
        Command::Leave { seat, kind: self.left_kind() }
    }

    /// The crew gives up a seat, whatever is up there. Beyond the threshold all of it waits for a
    /// second person.
    pub(super) fn give_up(
        &self,
        who: &Person,
        at: u64,
        seat: Seat,
        reason: &str,
    ) -> Result<TableEntry, Problem> {
        let reason = two_people::reason(reason)?;
        let commands = self.giving_up(seat, &reason)?;
        if self.takes_two(at, &who.id, &self.leaving(seat), &BoughtElsewhere::new()).is_none() {
            let steps = self.steps(commands)?;
            return Ok(TableEntry::GivenUp { seat, reason, steps });
        }
        let kind = self.left_kind();
        let proposal = Proposal::GiveUp { seat, kind, reason };
        let lines = self.lines(&proposal)?;
        Ok(TableEntry::Proposed { proposal, lines, steps: Vec::new() })
    }

    /// The commands by which the crew gives up a seat.
    pub(super) fn giving_up(&self, seat: Seat, reason: &str) -> Result<Vec<Command>, Problem> {
        let player = self.table.player(seat).ok_or(Refusal::NotSeated)?;
        if !player.layout.is_empty() {
            // Nothing comes down while the dice are out or a roll is considered.
            self.table.admits(&Command::Take { seat, wager: String::new(), amount: None })?;
        }
        let commands = self.emptying(seat, Locked::HandedBack, reason);
        match commands.last() == Some(&self.leaving(seat)) {
            true => Ok(commands),
            false => Err(Refusal::BetsUp.into()),
        }
    }

    /// The house gives up a seat, as far as it can be emptied.
    pub(super) fn give_up_gone(&self, seat: Seat, locked: Locked) -> Result<TableEntry, Problem> {
        let steps = self.steps(self.emptying(seat, locked, GONE))?;
        match steps.is_empty() {
            true => Err(Refusal::BetsUp.into()),
            false => Ok(TableEntry::GivenUp { seat, reason: GONE.to_owned(), steps }),
        }
    }
}
