//! Practice tables that are left alone: seats whose players have gone are given up, and a guest's
//! table that nobody comes to is closed.

use std::time::Duration;

use craps::table::Dice;
use craps::{Command, Seat, Status};

use super::Room;
use crate::access::is_guest;
use crate::table::{Locked, Order};

/// The room of a closed table goes to rest when nobody has been there for so long.
const REST: Duration = Duration::from_secs(60);

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
        for (seat, owner) in self.presence.gone(&self.state, self.office.practice.limits.idle_seat)
        {
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
        let idle = self.office.practice.limits.idle_seat;
        running && self.presence.throws_without(&self.state, owner, idle)
    }

    /// Whether nobody has come to a guest's table for long.
    fn is_deserted(&self) -> bool {
        is_guest(&self.state.opened_by)
            && self.state.table.status() != Status::Closed
            && self.presence.alone() >= self.office.practice.limits.idle_table
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
