//! Seats whose players have gone. What may be taken down comes down, what may not is played out
//! or handed back, and the chips go to the cage. At a practice table the house does it by itself;
//! at a real one only the crew does, with a reason.

use std::time::Duration;

use craps::table::Dice;
use craps::{Command, Refusal, Seat, Status};

use super::{Order, Room, State};
use crate::access::{Person, is_guest};
use crate::log::{Proposal, TableEntry};
use crate::problem::Problem;
use crate::two_people;

/// The room of a closed table goes to rest when nobody has been there for so long.
const REST: Duration = Duration::from_secs(60);
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

impl State {
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
        let all = wagers.iter().map(take).chain(handed_back).chain([Command::Leave { seat }]);
        // Odds come down with their flat bet, and what has come down is not handed back.
        let mut table = self.table.clone();
        all.filter(|command| table.obey(rules, command).is_ok()).collect()
    }

    /// The crew gives up a seat, whatever is up there. Beyond the threshold its bets come down,
    /// and its chips wait for a second person.
    pub(super) fn give_up(
        &self,
        who: &Person,
        at: u64,
        seat: Seat,
        reason: &str,
    ) -> Result<TableEntry, Problem> {
        let reason = two_people::reason(reason)?;
        let player = self.table.player(seat).ok_or(Refusal::NotSeated)?;
        if !player.layout.is_empty() {
            // Nothing comes down while the dice are out or a roll is considered.
            self.table.admits(&Command::Take { seat, wager: String::new(), amount: None })?;
        }
        let leave = Command::Leave { seat };
        let mut commands = self.emptying(seat, Locked::HandedBack, &reason);
        if commands.last() != Some(&leave) {
            return Err(Refusal::BetsUp.into());
        }
        if self.takes_two(at, &who.id, &leave).is_none() {
            let steps = self.steps(commands)?;
            return Ok(TableEntry::GivenUp { seat, reason, steps });
        }
        commands.pop();
        let steps = self.steps(commands)?;
        Ok(TableEntry::Proposed { proposal: Proposal::GiveUp { seat, reason }, steps })
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

impl Room {
    /// Gives up seats whose players have gone, and closes a guest's table that nobody comes to.
    pub(super) fn look_around(&mut self) {
        self.presence.look(&self.state, &self.clients);
        if !self.state.config().practice {
            return;
        }
        if self.trouble.is_some() {
            return;
        }
        if self.is_deserted() {
            return self.close_down();
        }
        for (seat, owner) in self.presence.gone(&self.state, self.house.practice.limits.idle_seat) {
            self.give_up_gone(seat, &owner);
        }
    }

    /// Whether nobody needs the room of a closed table: whoever does later has it read again.
    pub(super) fn may_rest(&self) -> bool {
        self.state.table.status() == Status::Closed
            && self.trouble.is_none()
            && self.decided.is_empty()
            && self.state.outbox.is_empty()
            && self.presence.alone() >= REST
    }

    fn give_up_gone(&mut self, seat: Seat, owner: &str) {
        let locked = match self.is_played_out(owner) {
            true => Locked::Stay,
            false => Locked::HandedBack,
        };
        let bets = self.state.table.player(seat).is_some_and(|player| !player.layout.is_empty());
        if bets && !self.state.table.is_betting_open() {
            // Whoever is there throws the dice that are out. Where nobody is, they are picked up.
            let picked_up = locked == Locked::HandedBack && self.house_does(Command::NoRoll);
            if !picked_up {
                return;
            }
        }
        if self.decide(&Order::GiveUp { seat, locked }, "boxman", None, None).is_ok() {
            tracing::info!(table = %self.state.id, %seat, "a seat was given up");
        }
        // Whoever waits only for bets to be decided does not shoot the next hand.
        if self.state.table.dice() == Dice::Held(seat) {
            self.house_does(Command::PassDice);
        }
    }

    /// Whether what a player who has gone left on the layout will be decided: others are there to
    /// throw, and do.
    fn is_played_out(&self, owner: &str) -> bool {
        let running = self.state.table.status() == Status::Running;
        let idle = self.house.practice.limits.idle_seat;
        running && self.presence.throws_without(&self.state, owner, idle)
    }

    /// Whether nobody has come to a guest's table for long.
    fn is_deserted(&self) -> bool {
        is_guest(&self.state.opened_by)
            && self.state.table.status() != Status::Closed
            && self.presence.alone() >= self.house.practice.limits.idle_table
    }

    /// Everybody's bets come down or are handed back, and the table closes.
    fn close_down(&mut self) {
        if !self.state.table.is_betting_open() {
            self.house_does(Command::Resume);
            self.house_does(Command::NoRoll);
        }
        let seats: Vec<Seat> = self.state.table.players().map(|(seat, _)| seat).collect();
        for seat in seats {
            let give_up = Order::GiveUp { seat, locked: Locked::HandedBack };
            // Winnings that a meter has not paid yet come first; it is tried again in a moment.
            let _ = self.decide(&give_up, "boxman", None, None);
        }
        if self.house_does(Command::Close) {
            tracing::info!(table = %self.state.id, "a table that nobody came to was closed");
        }
    }

    fn house_does(&mut self, command: Command) -> bool {
        self.decide(&Order::House(command), "boxman", None, None).is_ok()
    }
}
