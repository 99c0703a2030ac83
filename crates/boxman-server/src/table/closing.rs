//! A table closed for good. At a real table two people do it, and only once nothing is left there
//! that somebody would have to come back for.

use craps::table::Phase;
use craps::{Account, Cents, Refusal, Seat, Status};

use super::LiveTable;
use crate::log::{Proposal, TableEntry};
use crate::problem::Problem;
use crate::remains::{Remains, RemainsKind};
use crate::two_people;

impl LiveTable {
    /// Asks that the table be closed for good; at a practice table it is done. `meters` is what is
    /// left at its meters.
    pub(super) fn close(
        &self,
        reason: Option<&str>,
        meters: &[Remains],
    ) -> Result<TableEntry, Problem> {
        if self.config().practice {
            return self.propose(Proposal::Close { reason: String::new() });
        }
        if self.table.status() == Status::Closed {
            return Err(Refusal::TableClosed.into());
        }
        let missing =
            || Problem::invalid("no-reason", "give a reason of 1 to 200 characters, in one line");
        let reason = two_people::reason(reason.ok_or_else(missing)?)?;
        if self.proposals.values().any(|pending| pending.proposal.closes()) {
            let asked = "another person asks for that already: a supervisor agrees or withdraws it";
            return Err(Problem::conflict("proposal-open", asked));
        }
        self.check_nothing_remains(None, meters)?;
        self.propose(Proposal::Close { reason })
    }

    /// Refuses to close a table at which something is left. `agreed` is the request to close it.
    pub(super) fn check_nothing_remains(
        &self,
        agreed: Option<u64>,
        meters: &[Remains],
    ) -> Result<(), Problem> {
        let mut remains = self.remains(agreed);
        remains.extend_from_slice(meters);
        if remains.is_empty() {
            return Ok(());
        }
        Err(Problem::not_empty("the table is not empty yet", remains))
    }

    /// What is left at the table, beside its meters.
    pub(crate) fn remains(&self, agreed: Option<u64>) -> Vec<Remains> {
        let mut remains = Vec::new();
        if self.table.phase() == Phase::Paying {
            let (what, todo) = ("the last roll", "pay it and open betting");
            remains.push(Remains::new(RemainsKind::Paying, what, todo));
        }
        for seat in Seat::all() {
            self.remains_of(seat, &mut remains);
        }
        let claims = self.table.claims().iter().map(|claim| claim.id);
        for id in claims.chain(self.table.held().iter().map(|held| held.id)) {
            let (what, todo) = (format!("claim {}", id.0), "confirm or deny it");
            remains.push(Remains::new(RemainsKind::Claim, what, todo));
        }
        for (id, pending) in self.proposals.iter().filter(|(id, _)| Some(**id) != agreed) {
            let what = format!("request of record {id}, {}", pending.proposal.in_words().0);
            let todo = "agree to it or withdraw it";
            remains.push(Remains::new(RemainsKind::Request, what, todo));
        }
        let undone = self.work.iter().filter(|list| !list.done && !list.items.is_empty());
        if self.config().has_procedures() && undone.count() > 0 {
            let (what, todo) = ("chips to move", "move what *Take and pay* lists and press *Done*");
            remains.push(Remains::new(RemainsKind::Work, what, todo));
        }
        remains.extend(self.remaining_tray());
        remains
    }

    fn remains_of(&self, seat: Seat, remains: &mut Vec<Remains>) {
        let player = self.table.player(seat);
        let who =
            player.map_or_else(|| seat.to_string(), |player| format!("{seat}, {}", player.name));
        let bets = self.table.balance(Account::Action(seat));
        if player.is_some_and(|player| !player.layout.is_empty()) || bets != Cents::ZERO {
            let todo = "have them decided, take them down, or give up the seat";
            let what = format!("bets of {who}");
            remains.push(Remains::new(RemainsKind::Bets, what, todo).of(bets));
        }
        let rack = self.table.rack(seat);
        if rack != Cents::ZERO {
            let what = format!("rack of {who}");
            let todo = "cash it out, or give up the seat";
            remains.push(Remains::new(RemainsKind::Rack, what, todo).of(rack));
        }
    }

    /// What the house has to send back to the cage, or to bring from there.
    fn remaining_tray(&self) -> Option<Remains> {
        let tray = match self.config().has_procedures() {
            true => self.table.tray(),
            // Tables from before there was a tray credit by their bank.
            false => self.table.bank().max(Cents::ZERO),
        };
        let todo = match tray > Cents::ZERO {
            true => "send it to the cage with a credit",
            false => "the books are short of it: bring it with a fill",
        };
        let remains = Remains::new(RemainsKind::Tray, "the tray", todo).of(tray);
        (tray != Cents::ZERO).then_some(remains)
    }
}
