//! What takes two people at a real table: one asks, another agrees. At a practice table one is
//! enough.

use craps::{ClaimId, Command, Refusal, Seat, Status};

use super::LiveTable;
use super::decide::{Known, played};
use super::limits::{BoughtElsewhere, TakesTwo};
use crate::access::{Deed, People, Person};
use crate::ask::Verb;
use crate::config::DiceMode;
use crate::log::{Pending, Proposal, Step, TableEntry};
use crate::problem::Problem;
use crate::simulated::{self, Mutant};
use crate::two_people;

impl Proposal {
    /// What is asked for.
    pub(crate) fn verb(&self) -> Verb {
        match self {
            Proposal::Void { .. } => Verb::Void,
            Proposal::Correct { .. } => Verb::Correct,
            Proposal::Configure { .. } => Verb::Configure,
            Proposal::Deny { .. } => Verb::DenyClaim,
            Proposal::GiveUp { .. } => Verb::GiveUpSeat,
            Proposal::AcceptTray { .. } => Verb::AcceptTray,
            Proposal::Close { .. } => Verb::Close,
            Proposal::Mend(_) => Verb::Mend,
            Proposal::Move { command, .. } => match command {
                Command::Fill { .. } => Verb::Fill,
                Command::Credit { .. } => Verb::Credit,
                Command::BuyIn { .. } => Verb::BuyIn,
                Command::Leave { .. } => Verb::Leave,
                _ => Verb::CashOut,
            },
        }
    }

    /// What the engine is asked for once it is agreed to; a configuration waits instead. What a
    /// mend asks for, its table knows: see [`LiveTable::command_of`].
    fn command(&self) -> Option<Command> {
        match self {
            Proposal::Void { reason } => Some(Command::Void { reason: reason.clone() }),
            Proposal::Correct { roll, reason } => {
                Some(Command::Correct { roll: *roll, reason: reason.clone() })
            }
            Proposal::Configure { .. } | Proposal::AcceptTray { .. } | Proposal::Mend(_) => None,
            Proposal::Close { .. } => Some(Command::Close),
            Proposal::Deny { claim, reason } => {
                Some(Command::DenyClaim { claim: ClaimId(*claim), reason: reason.clone() })
            }
            Proposal::GiveUp { seat, kind, .. } => {
                Some(Command::Leave { seat: *seat, kind: *kind })
            }
            Proposal::Move { command, .. } => Some(command.clone()),
        }
    }

    /// The seat whose chips it is about.
    pub(crate) fn seat(&self) -> Option<Seat> {
        match self.command()? {
            Command::BuyIn { seat, .. }
            | Command::CashOut { seat, .. }
            | Command::Leave { seat, .. } => Some(seat),
            _ => None,
        }
    }

    /// The claim that shall not be paid.
    pub(crate) fn denies(&self) -> Option<u64> {
        match self {
            Proposal::Deny { claim, .. } => Some(*claim),
            _ => None,
        }
    }

    /// Whether the table shall be closed for good.
    pub(crate) fn closes(&self) -> bool {
        matches!(self, Proposal::Close { .. })
    }

    /// Whether it is about the last roll: the table waits for it, and only that roll is meant.
    pub(crate) fn is_about_the_roll(&self) -> bool {
        matches!(self, Proposal::Void { .. } | Proposal::Correct { .. })
    }
}

impl LiveTable {
    /// What the engine is asked for once a proposal is agreed to.
    pub(crate) fn command_of(&self, proposal: &Proposal) -> Option<Command> {
        match proposal {
            Proposal::Mend(mend) => Some(self.mend_command(mend)),
            other => other.command(),
        }
    }

    /// The same where it may take several commands: bets come down before their player leaves.
    pub(crate) fn commands_of(&self, proposal: &Proposal) -> Result<Vec<Command>, Problem> {
        match proposal {
            Proposal::GiveUp { seat, reason, .. } => self.giving_up(*seat, reason),
            other => Ok(self.command_of(other).into_iter().collect()),
        }
    }

    /// Asks for something that takes two people; at a practice table it is done.
    pub(super) fn propose(&self, proposal: Proposal) -> Result<TableEntry, Problem> {
        let command = self.command_of(&proposal);
        if let Some(command) = &command {
            // Whether it could be done is known now, and the table need not wait for nothing.
            self.engine(&self.table, command)?;
        }
        let deed = Deed::from(proposal.verb());
        if deed.people(self.config().practice) == People::One {
            return match (command, proposal) {
                (None, Proposal::Configure { queued, .. }) => Ok(TableEntry::Queued { queued }),
                (command, _) => Ok(played(self.steps(command)?)),
            };
        }
        // So that no bet overtakes it.
        let waits = proposal.is_about_the_roll() && !simulated::is(Mutant::NoPauseOnVoid);
        let pause = waits && self.table.status() == Status::Running;
        let steps = self.steps(pause.then_some(Command::Pause))?;
        let lines = self.lines(&proposal)?;
        Ok(TableEntry::Proposed { proposal, lines, steps })
    }

    pub(super) fn void(&self, reason: &str) -> Result<TableEntry, Problem> {
        self.check_roll()?;
        self.propose(Proposal::Void { reason: two_people::reason(reason)? })
    }

    pub(super) fn correct(&self, roll: craps::Roll, reason: &str) -> Result<TableEntry, Problem> {
        if self.config().dice == DiceMode::House {
            let never = "the house's dice cannot have been misread, void it";
            return Err(Problem::conflict("wrong-dice", never));
        }
        self.check_roll()?;
        self.propose(Proposal::Correct { roll, reason: two_people::reason(reason)? })
    }

    /// Refuses to take back a roll of which the cage has paid a claim, or that another request is
    /// about.
    fn check_roll(&self) -> Result<(), Problem> {
        if self.considers_a_roll() {
            let asked = "another request to take back that roll waits: agree to it or withdraw it";
            return Err(Problem::conflict("proposal-open", asked));
        }
        let paid =
            "the cage has paid a claim of that roll, and no rack gives it back: mend the roll";
        match self.has_cage_paid() {
            true => Err(Problem::conflict("nothing-to-void", paid)),
            false => Ok(()),
        }
    }

    /// The items ticked off that belong to the last roll, where its lists are not done.
    fn ticked_of_last_roll(&self, ticked: &[(u64, u32)]) -> Vec<(u64, u32)> {
        let of_roll = |(list, item): &&(u64, u32)| {
            self.work_of(*list).is_some_and(|list| {
                !list.done && list.roll == self.last_roll && (*item as usize) < list.items.len()
            })
        };
        ticked.iter().filter(of_roll).copied().collect()
    }

    /// Asks that betting may open although the tray is short.
    pub(super) fn accept_tray(&self, reason: &str) -> Result<TableEntry, Problem> {
        let reason = two_people::reason(reason)?;
        let enough = || Problem::conflict("tray-enough", "the tray is not short of chips");
        let short = self.fill_needed().ok_or_else(enough)?;
        self.propose(Proposal::AcceptTray { short, reason })
    }

    pub(super) fn deny(&self, claim: u64, reason: &str) -> Result<TableEntry, Problem> {
        if self.is_denied(claim) {
            return Err(two_people::denial_open());
        }
        self.propose(Proposal::Deny { claim, reason: two_people::reason(reason)? })
    }

    /// Chips between the cage and a real table: by one person up to a limit of the day, and by two
    /// beyond it.
    pub(super) fn move_chips(
        &self,
        who: &Person,
        at: u64,
        command: Command,
        elsewhere: &BoughtElsewhere,
    ) -> Result<TableEntry, Problem> {
        let steps = self.steps([command.clone()])?;
        match self.takes_two(at, &who.id, &command, elsewhere) {
            Some(TakesTwo { reason, .. }) => {
                let proposal = Proposal::Move { command, reason };
                let lines = self.lines(&proposal)?;
                Ok(TableEntry::Proposed { proposal, lines, steps: Vec::new() })
            }
            None => Ok(played(steps)),
        }
    }

    pub(super) fn approve(
        &self,
        who: &Person,
        at: u64,
        id: u64,
        Known { ticked, meters }: Known<'_>,
    ) -> Result<TableEntry, Problem> {
        let pending = self.pending(id)?;
        two_people::check(&pending.by, &who.id)?;
        let proposal = &pending.proposal;
        if !proposal.is_about_the_roll() && self.considers_a_roll() {
            return Err(two_people::considered());
        }
        if proposal.is_about_the_roll() && pending.throws != self.throws {
            return Err(Refusal::NothingToVoid.into());
        }
        self.check_up_to_date(proposal)?;
        let commands = self.commands_of(proposal)?;
        self.check_leaving(pending)?;
        if let Proposal::Mend(mend) = proposal {
            self.check_mend(id, mend, at)?;
        }
        if proposal.closes() {
            self.check_nothing_remains(Some(id), meters)?;
        }
        let queued = match proposal {
            Proposal::Configure { queued, .. } => Some(queued.clone()),
            _ => None,
        };
        let paused = pending.paused && self.table.status() == Status::Paused;
        let resume = paused.then_some(Command::Resume);
        let steps = self.steps(commands.into_iter().chain(resume))?;
        let ticked = match proposal.is_about_the_roll() {
            true => self.ticked_of_last_roll(ticked),
            false => Vec::new(),
        };
        Ok(TableEntry::Agreed { proposal: id, steps, ticked, queued })
    }

    /// Whether the last roll may yet be taken back: no chips move until that is settled.
    pub(crate) fn considers_a_roll(&self) -> bool {
        self.proposals.values().any(|pending| pending.proposal.is_about_the_roll())
    }

    /// Whether somebody asks that a claim not be paid.
    pub(crate) fn is_denied(&self, claim: u64) -> bool {
        self.proposals.values().any(|pending| pending.proposal.denies() == Some(claim))
    }

    /// Whoever asked may withdraw it, and so may the crew, with a reason.
    pub(super) fn withdraw(
        &self,
        who: &Person,
        id: u64,
        reason: Option<&str>,
    ) -> Result<TableEntry, Problem> {
        let pending = self.pending(id)?;
        if !who.may(Verb::Withdraw, self.config().practice, Some(&pending.by)) {
            return Err(Problem::forbidden(
                "another person asked for that: only that person or the crew may withdraw it",
            ));
        }
        let reason = two_people::reason_to_withdraw(&pending.by, &who.id, reason)?;
        let steps = self.resumed(pending)?;
        Ok(TableEntry::Withdrawn { proposal: id, reason, steps })
    }

    /// Nobody agreed.
    pub(super) fn lapse(&self, id: u64) -> Result<TableEntry, Problem> {
        let steps = self.resumed(self.pending(id)?)?;
        Ok(TableEntry::Withdrawn { proposal: id, reason: None, steps })
    }

    fn pending(&self, proposal: u64) -> Result<&Pending, Problem> {
        self.proposals.get(&proposal).ok_or_else(two_people::nothing)
    }

    fn resumed(&self, pending: &Pending) -> Result<Vec<Step>, Problem> {
        let paused = pending.paused && self.table.status() == Status::Paused;
        self.steps(paused.then_some(Command::Resume))
    }
}
