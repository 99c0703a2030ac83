//! One record of a table, worked out again: what the commands come to under the rules, what the
//! dice show, what two people have agreed to.

use std::collections::BTreeMap;
use std::sync::Arc;

use craps::{Account, ClaimId, Command, Event, Postings, Roll, Rules, Seat, Status, Table};

use super::import_tape;
use crate::config::DiceMode;
use crate::day::utc_day;
use crate::dice::{Commitment, Secret, throw};
use crate::log::{Entry, Pending, Proposal, Queued, Step, TableEntry, Thrown};
use crate::payout::{PaidBy, Payout};
use crate::problem::Problem;
use crate::table::{BookedRoll, BoughtElsewhere, LiveTable, Locked, confirming, is_follow_up};

/// A table as its log has made it so far.
pub(super) struct Replay {
    pub(super) state: LiveTable,
    /// The rules of the configuration that waits.
    pub(super) queued_rules: Option<Arc<Rules>>,
    /// The rolls of the present day that could still be mended, by their records.
    pub(super) rolls: BTreeMap<u64, BookedRoll>,
}

pub(super) type Checked = Result<(), String>;

impl Replay {
    /// Keeps the roll of a record just taken in, while a mend may name it: rolls at practice
    /// tables and of earlier days are not mended.
    pub(super) fn note_roll(&mut self, record: u64, entry: &Entry<TableEntry>) {
        if self.state.config().practice {
            return;
        }
        if let Some(roll) = BookedRoll::of(&self.state, record, entry) {
            let day = utc_day(entry.at);
            self.rolls.retain(|_, other| utc_day(other.at) == day);
            self.rolls.insert(record, roll);
        }
    }

    /// Whether a record follows from the table as it stands.
    pub(super) fn check(&self, entry: &Entry<TableEntry>) -> Checked {
        let agreed = matches!(entry.what, TableEntry::Agreed { .. });
        if entry.second.is_some() && !agreed {
            return Err("it names a second person where one is enough".to_owned());
        }
        if let Some(named) = entry.round.filter(|named| *named != self.state.round()) {
            let round = self.state.round();
            return Err(format!("it was meant for betting round {named}, and this is {round}"));
        }
        match &entry.what {
            TableEntry::Opened { .. } => Err("the table is opened a second time".to_owned()),
            TableEntry::Played { steps, thrown, commitment, owner } => {
                self.check_played(entry, steps, owner.is_some())?;
                self.check_dice(steps, thrown.as_ref(), *commitment)?;
                self.derive(steps)
            }
            TableEntry::GivenUp { seat, reason, steps } => {
                self.check_given_up(entry, *seat, reason, steps)?;
                self.derive(steps)
            }
            TableEntry::Committed { commitment } => self.check_commitment(*commitment),
            TableEntry::Proposed { proposal, lines, steps } => {
                if let Proposal::Mend(mend) = proposal {
                    self.check_mend(entry.at, mend)?;
                }
                self.check_held_move(entry, proposal, lines)?;
                self.check_proposed(proposal, steps)?;
                self.check_lines(proposal, lines)
            }
            TableEntry::Withdrawn { proposal, reason, steps } => {
                let pending = self.pending(*proposal)?;
                let own = [pending.by.as_str(), "boxman"].contains(&entry.by.as_str());
                if !own && reason.is_none() && self.state.config().has_procedures() {
                    return Err("another person's request is withdrawn without a reason".to_owned());
                }
                let paused = pending.paused && self.state.table.status() == Status::Paused;
                only(steps, paused.then_some(Command::Resume))?;
                self.derive(steps)
            }
            TableEntry::Checked { claim, item } => match self.state.claimed.get(claim) {
                Some(known) if known.checks.iter().all(|check| check.item != *item) => Ok(()),
                Some(_) => Err(format!("claim {claim}: the same thing is checked twice")),
                None => Err(format!("claim {claim} is checked, and none of that number waits")),
            },
            TableEntry::Confirmed { claim, payout, steps } => {
                self.check_confirmed(&entry.by, *claim, payout, steps)?;
                self.derive(steps)
            }
            TableEntry::Done { list } => match self.state.work_of(*list) {
                Some(list) if !list.done => Ok(()),
                _ => Err(format!("work list {list} is marked done, and is none that waits")),
            },
            TableEntry::Linked { sitting, person } => {
                self.check_said(self.state.link(*sitting, person.as_deref()), &entry.what)
            }
            TableEntry::Identified { sitting, taken } => {
                self.check_said(self.state.identify(entry.at, *sitting, *taken), &entry.what)
            }
            TableEntry::Agreed { proposal, steps, ticked, queued } => {
                let pending = self.pending(*proposal)?;
                two_people(&entry.by, entry.second.as_deref(), &pending.by)?;
                self.check_closing(&pending.proposal, Some(*proposal))?;
                if let Proposal::Mend(mend) = &pending.proposal {
                    let still = self.state.check_mend(*proposal, mend, entry.at);
                    still.map_err(|problem| format!("a mend is agreed to: {problem}"))?;
                }
                self.check_agreed(pending, steps, queued.as_ref())?;
                self.check_ticked(pending, ticked)?;
                if pending.proposal.is_about_the_roll() && pending.throws != self.state.throws {
                    return Err("it takes back another roll than was asked for".to_owned());
                }
                self.derive(steps)
            }
            TableEntry::Queued { queued } => match (entry.by.as_str(), self.state.config()) {
                ("boxman", _) => self.check_followed(queued),
                (_, config) if config.practice && queued.config.practice => Ok(()),
                _ => Err("the configuration changes without two people".to_owned()),
            },
        }
    }

    /// Every command comes to exactly the events recorded, and so to every payout and balance.
    fn derive(&self, steps: &[Step]) -> Checked {
        let mut scratch: Option<Table> = None;
        for (place, Step { command, events }) in steps.iter().enumerate() {
            let rules = match command {
                Command::Configure => {
                    self.queued_rules.as_ref().ok_or("no other configuration waits")?
                }
                _ => self.state.rules(),
            };
            let table = scratch.as_ref().unwrap_or(&self.state.table);
            let dealing = self.state.dealing();
            let derived = table.decide_as(rules, command, dealing).map_err(|refusal| {
                format!("the rules refuse `{}`: {refusal} ({})", name(command), refusal.code())
            })?;
            if derived != *events {
                return Err(difference(command, &derived, events));
            }
            if place + 1 < steps.len() {
                let table = scratch.get_or_insert_with(|| self.state.table.clone());
                events.iter().for_each(|event| table.evolve(event));
            }
        }
        Ok(())
    }

    /// What one person may ask for, and how it is put together.
    fn check_played(&self, entry: &Entry<TableEntry>, steps: &[Step], owned: bool) -> Checked {
        if steps.iter().all(|step| matches!(step.command, Command::Hold { .. }))
            && !steps.is_empty()
        {
            return Err("winnings are held that no roll has won".to_owned());
        }
        let commands = self.without_follow_ups(steps)?;
        let commands: Vec<&Command> = commands.iter().collect();
        let practice = self.state.config().practice;
        match commands.as_slice() {
            [Command::Void { .. } | Command::Correct { .. }] if !practice => {
                Err("a roll is taken back without a second person".to_owned())
            }
            [Command::Close]
                if self.state.config().has_procedures() && entry.by != import_tape::BY =>
            {
                Err("the table is closed without a second person".to_owned())
            }
            [Command::Mend(_)] => Err("a roll is mended without a second person".to_owned()),
            [Command::DenyClaim { .. }] if !practice => {
                Err("a claim is denied without a second person".to_owned())
            }
            [Command::Release { claim } | Command::PayClaim { claim, .. }]
                if self.state.config().has_procedures()
                    && entry.by != "boxman"
                    && self.state.is_denied(claim.0) =>
            {
                Err("a claim is confirmed that another person asks to deny".to_owned())
            }
            [Command::Return { .. }] if entry.by != import_tape::BY => {
                Err("a bet is handed back and its seat is not given up".to_owned())
            }
            // A table of today's procedures says how a claim is paid, and a tape does not.
            [Command::PayClaim { .. } | Command::Release { .. }]
                if self.state.config().has_procedures()
                    && !["boxman", import_tape::BY, import_tape::SECOND]
                        .contains(&entry.by.as_str()) =>
            {
                Err("a claim is paid, and nothing says that it was checked".to_owned())
            }
            [Command::Sit { .. }] => Ok(()),
            _ if owned => Err("it gives a seat to somebody and seats nobody".to_owned()),
            [one] => self.check_alone(entry, one),
            [Command::CloseBetting, Command::Roll { .. }] => Ok(()),
            _ => Err("its commands do not belong together".to_owned()),
        }
    }

    /// What was won is paid by another person than the one who keyed it, once everything has been
    /// checked; what the cage pays leaves the rack in the same record, and nothing else does.
    fn check_confirmed(&self, by: &str, claim: u64, payout: &Payout, steps: &[Step]) -> Checked {
        let known = self.state.claimed.get(&claim);
        let known = known.ok_or_else(|| format!("claim {claim} does not wait"))?;
        if known.keyed_by.iter().any(|keyed| keyed == by) {
            return Err("whoever keyed in the roll confirms what it won".to_owned());
        }
        let id = ClaimId(claim);
        if self.state.is_denied(claim) {
            return Err("a claim is confirmed that another person asks to deny".to_owned());
        }
        if self.state.considers_a_roll() {
            return Err("a claim is confirmed while a roll may be taken back".to_owned());
        }
        if self.state.config().has_procedures() && !self.state.unchecked(id).is_empty() {
            return Err(format!("claim {claim} is paid before all of it was checked"));
        }
        if payout.paid_by == PaidBy::Cage && payout.slip.is_none() {
            return Err("the cage pays without a slip".to_owned());
        }
        let first = steps.first().map(|step| &step.command);
        let held = self.state.table.held().iter().find(|held| held.id == id);
        let shares = match (first, held) {
            (Some(Command::PayClaim { claim, shares, .. }), None) if *claim == id => shares.clone(),
            (Some(Command::Release { claim }), Some(held)) if *claim == id => {
                vec![(held.seat, held.amount)]
            }
            _ => return Err(format!("claim {claim} is confirmed, and something else is done")),
        };
        let due = first.map(|first| confirming(first.clone(), payout, &shares));
        match due.is_some_and(|due| due.iter().eq(steps.iter().map(|step| &step.command))) {
            true => Ok(()),
            false => Err("what is done is not how the claim is paid".to_owned()),
        }
    }

    /// A seat is given up with all that is up there. The house does so by itself at practice
    /// tables only, where it may leave what is locked to be played out.
    fn check_given_up(
        &self,
        entry: &Entry<TableEntry>,
        seat: Seat,
        reason: &str,
        steps: &[Step],
    ) -> Checked {
        let house = entry.by == "boxman";
        if house && !self.state.config().practice {
            return Err("the house gives up a seat by itself at a real table".to_owned());
        }
        let is = |locked: Locked| {
            let commands = self.state.emptying(seat, locked, reason);
            !commands.is_empty() && only(steps, commands).is_ok()
        };
        let fits = is(Locked::HandedBack) || (house && is(Locked::Stay));
        if !fits {
            return Err("a seat is given up otherwise than its bets allow".to_owned());
        }
        let leave = self.state.leaving(seat);
        if !house && steps.last().is_none_or(|step| step.command != leave) {
            return Err("a seat is given up and its player stays".to_owned());
        }
        self.check_alone(entry, &leave)
    }

    /// Whether one person may move chips so. What the player has bought at other tables is in
    /// their logs.
    fn check_alone(&self, entry: &Entry<TableEntry>, command: &Command) -> Checked {
        let here = BoughtElsewhere::new();
        match self.state.takes_two(entry.at, &entry.by, command, &here) {
            Some(two) => Err(format!("one person moves chips above {} in a day", two.limit)),
            None => Ok(()),
        }
    }

    /// What the crew says of a player is what it could say.
    fn check_said(&self, said: Result<TableEntry, Problem>, entry: &TableEntry) -> Checked {
        match said {
            Ok(said) if said == *entry => Ok(()),
            Ok(_) => Err("what is said of a player is not as it is written down".to_owned()),
            Err(problem) => Err(format!("that is said of no player: {}", problem.detail)),
        }
    }

    /// What follows from a roll is done in its record, that and nothing else: awards above the
    /// threshold and envy of what waits are held, and a crew pays before bets are taken again.
    /// Gives the other commands.
    fn without_follow_ups(&self, steps: &[Step]) -> Result<Vec<Command>, String> {
        let commands = || steps.iter().map(|step| &step.command);
        let asked: Vec<Command> =
            commands().filter(|command| !is_follow_up(command)).cloned().collect();
        let follows = asked.len() < steps.len() || steps.iter().any(|step| rolls(&step.command));
        if !follows {
            return Ok(asked);
        }
        let due = self.state.steps(asked.iter().cloned());
        let due = due.map_err(|problem| format!("the rules refuse it: {problem}"))?;
        match due.iter().map(|step| &step.command).eq(commands()) {
            true => Ok(asked),
            false => Err("winnings are held that should not be, or the other way round, or the \
                          roll is not paid before bets are taken"
                .to_owned()),
        }
    }

    /// The house's dice follow from the secret it was committed to; a dealer's follow from
    /// nothing, and reveal nothing.
    fn check_dice(
        &self,
        steps: &[Step],
        thrown: Option<&Thrown>,
        commitment: Option<Commitment>,
    ) -> Checked {
        let roll = steps.iter().find_map(|step| match step.command {
            Command::Roll { roll } => Some(roll),
            _ => None,
        });
        match (self.state.config().dice, roll, thrown) {
            (DiceMode::House, Some(roll), Some(thrown)) => {
                self.check_throw(roll, thrown)?;
                let next = commitment.ok_or("the house does not commit to the next roll")?;
                self.check_commitment(next)
            }
            (DiceMode::House, Some(_), None) => {
                Err("the house's dice are thrown and no secret is revealed".to_owned())
            }
            (DiceMode::Dealer, _, Some(_)) => {
                Err("a dealer keys in the dice here, and yet a secret is revealed".to_owned())
            }
            (_, None, Some(_)) => Err("a secret is revealed and no dice are thrown".to_owned()),
            (_, _, None) => match commitment {
                None => Ok(()),
                Some(_) => Err("the house commits to a roll without having thrown".to_owned()),
            },
        }
    }

    fn check_throw(&self, roll: Roll, thrown: &Thrown) -> Checked {
        let secret = Secret::from_hex(&thrown.secret).map_err(|error| error.to_string())?;
        if self.state.commitment != Some(secret.commitment()) {
            return Err("the secret is not the one the house was committed to".to_owned());
        }
        let number = self.state.table.rolls() + 1;
        if thrown.number != number {
            return Err(format!("it is roll {number}, and was thrown as {}", thrown.number));
        }
        let shown = throw(&secret, self.state.id.0, number, &thrown.shooter);
        match shown == roll {
            true => Ok(()),
            false => Err(format!("the dice show {shown}, and {roll} is recorded")),
        }
    }

    fn check_commitment(&self, commitment: Commitment) -> Checked {
        if self.state.config().dice != DiceMode::House {
            return Err("the house commits to dice that a dealer throws".to_owned());
        }
        match self.state.commitment == Some(commitment) {
            true => Err("the house commits to the same secret again".to_owned()),
            false => Ok(()),
        }
    }

    fn check_proposed(&self, proposal: &Proposal, steps: &[Step]) -> Checked {
        let house_dice = self.state.config().dice == DiceMode::House;
        if matches!(proposal, Proposal::Correct { .. }) && house_dice {
            return Err("the house's dice cannot have been misread".to_owned());
        }
        if proposal.is_about_the_roll() && self.state.has_cage_paid() {
            return Err("the cage has paid a claim of the roll".to_owned());
        }
        self.check_closing(proposal, None)?;
        let names_none = matches!(proposal, Proposal::Configure { of: None, .. });
        if names_none && self.state.config().has_procedures() {
            return Err("it does not say which configuration it changes".to_owned());
        }
        self.check_configuration(proposal)?;
        let Some(command) = self.state.command_of(proposal) else { return only(steps, None) };
        if let Proposal::GiveUp { seat, reason, .. } = proposal {
            let mut commands = self.state.emptying(*seat, Locked::HandedBack, reason);
            if commands.pop() != Some(command) {
                return Err("a seat is to be given up whose player cannot leave".to_owned());
            }
            // Earlier versions took the bets down when it was asked for.
            if !steps.is_empty() {
                only(steps, commands)?;
            }
            return self.derive(steps);
        }
        let refused = self.state.engine(&self.state.table, &command).err();
        if let Some(refusal) = refused {
            return Err(format!("the rules refuse `{}`: {refusal}", name(&command)));
        }
        let waits = proposal.is_about_the_roll() && self.state.table.status() == Status::Running;
        only(steps, waits.then_some(Command::Pause))?;
        self.derive(steps)
    }

    fn check_agreed(&self, pending: &Pending, steps: &[Step], queued: Option<&Queued>) -> Checked {
        self.check_configuration(&pending.proposal)?;
        let waits = match &pending.proposal {
            Proposal::Configure { queued, .. } => Some(queued),
            _ => None,
        };
        if waits != queued {
            return Err("the configuration is not the one that was agreed to".to_owned());
        }
        if queued.is_some_and(|queued| queued.config.practice != self.state.config().practice) {
            return Err(
                "a practice table becomes a real one, or a real one a practice table".into()
            );
        }
        let steps = self.without_follow_ups(steps)?;
        let commands = self.state.commands_of(&pending.proposal);
        let commands = commands.map_err(|problem| problem.to_string())?;
        let due: Vec<Command> =
            commands.into_iter().chain(pending.paused.then_some(Command::Resume)).collect();
        match due == steps {
            true => Ok(()),
            false => Err("what is done is not what was asked for".to_owned()),
        }
    }

    /// Ticks are facts of the moment: only those of the roll taken back mean anything.
    fn check_ticked(&self, pending: &Pending, ticked: &[(u64, u32)]) -> Checked {
        let fits = |(list, item): &(u64, u32)| {
            self.state.work_of(*list).is_some_and(|list| {
                !list.done
                    && list.roll == self.state.last_roll
                    && (*item as usize) < list.items.len()
            })
        };
        let about_the_roll = pending.proposal.is_about_the_roll() || ticked.is_empty();
        match about_the_roll && ticked.iter().all(fits) {
            true => Ok(()),
            false => Err("it takes back work that was no part of the roll".to_owned()),
        }
    }

    fn pending(&self, proposal: u64) -> Result<&Pending, String> {
        let pending = self.state.proposals.get(&proposal);
        pending.ok_or_else(|| format!("nothing that record {proposal} asked for waits"))
    }
}

/// Whether a command throws the dice or takes a throw back.
fn rolls(command: &Command) -> bool {
    matches!(command, Command::Roll { .. } | Command::Void { .. } | Command::Correct { .. })
}

/// Somebody agreed to what another person had asked for.
pub(super) fn two_people(by: &str, second: Option<&str>, asked: &str) -> Checked {
    if by == asked {
        return Err(format!("`{by}` agrees to what `{by}` has asked for"));
    }
    match second == Some(asked) {
        true => Ok(()),
        false => Err(format!("`{asked}` had asked for it, and another person is named")),
    }
}

/// Whether these commands are obeyed and no others.
fn only(steps: &[Step], commands: impl IntoIterator<Item = Command>) -> Checked {
    match commands.into_iter().eq(steps.iter().map(|step| step.command.clone())) {
        true => Ok(()),
        false => Err("what is done is not what was asked for".to_owned()),
    }
}

fn name(command: &Command) -> String {
    let value = serde_json::to_value(command).unwrap_or_default();
    value["command"].as_str().unwrap_or("command").to_owned()
}

/// Where what is derived and what is recorded part: the first account, if it is about money.
fn difference(command: &Command, derived: &[Event], recorded: &[Event]) -> String {
    let name = name(command);
    for (derived, recorded) in derived.iter().zip(recorded) {
        let (derived, recorded) = (postings(derived), postings(recorded));
        let accounts = derived.iter().chain(recorded.iter()).map(|posting| posting.account);
        for account in accounts {
            let (due, written) = (derived.gain(account), recorded.gain(account));
            if due != written {
                let whose = whose(account);
                return format!(
                    "`{name}` comes to {due} for {whose} by the rules, and {written} is recorded"
                );
            }
        }
    }
    format!("`{name}` does not come to what is recorded")
}

fn whose(account: Account) -> String {
    match account {
        Account::Rack(seat) => format!("the rack of {seat}"),
        Account::Action(seat) => format!("the layout of {seat}"),
        Account::Cage => "the cage".to_owned(),
        Account::Bank => "the bank".to_owned(),
        Account::House => "the house".to_owned(),
        Account::Envy => "the dealers".to_owned(),
        Account::Breakage => "breakage".to_owned(),
        Account::Clearing => "clearing".to_owned(),
        Account::Held => "winnings held".to_owned(),
    }
}

/// The money an event moves.
pub(super) fn postings(event: &Event) -> Postings {
    match event {
        Event::Left { postings, .. }
        | Event::BoughtIn { postings, .. }
        | Event::CashedOut { postings, .. }
        | Event::Filled { postings }
        | Event::Credited { postings }
        | Event::ClaimPaid { postings, .. }
        | Event::Held { postings, .. }
        | Event::Released { postings, .. }
        | Event::EnvyHeld { postings, .. }
        | Event::ClaimDenied { postings, .. } => postings.clone(),
        Event::Mended(mended) => mended.postings.clone(),
        Event::Put(betting)
        | Event::Took(betting)
        | Event::Called(betting)
        | Event::Returned { betting, .. } => betting.postings.clone(),
        Event::Rolled(rolled) => rolled.settlement.postings.clone(),
        Event::Swept(swept) => swept.settlement.postings.clone(),
        Event::Voided(voided) => voided.all_postings(),
        Event::Corrected { voided, rolled } => {
            let mut postings = voided.all_postings();
            postings.extend(&rolled.settlement.postings);
            postings
        }
        Event::Sat { .. }
        | Event::Renamed { .. }
        | Event::BettingClosed
        | Event::NoRoll
        | Event::DicePassed { .. }
        | Event::PayingBegun
        | Event::BettingOpened
        | Event::Configured { .. }
        | Event::Paused
        | Event::Resumed
        | Event::Closed => Postings::default(),
    }
}
