//! What a room keeps of its table: the engine's table, who sits where, what waits for a second
//! person, what its meters have yet to hear. Pure: it decides and evolves, and does nothing else,
//! so that the same log always makes the same state.
//!
//! The rules in force are part of the state: a table that goes over to others takes them in with
//! the very event that says so, and nothing can look at it with the old ones.

use std::collections::{BTreeMap, VecDeque};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use craps::{
    ClaimId, Command, Dice, Event, MeterAward, Refusal, Roll, Rolled, Rules, Seat, Status, Table,
    TableClaim,
};
use serde::{Deserialize, Serialize};

use crate::access::{Action, People, Person, Reach};
use crate::books::Books;
use crate::config::{DiceMode, TableConfig};
use crate::dice::{Commitment, Secret, ShooterBytes, throw};
use crate::id::{MeterId, TableId};
use crate::log::{Entry, Proposal, Queued, Step, TableEntry, Tell, Thrown};
use crate::problem::Problem;
use crate::{names, two_people, wire};

/// How many rolls the strip above the table shows.
const SHOWN_ROLLS: usize = 60;
/// How many seats one player may take.
const SEATS_EACH: usize = 3;

/// A table with everything around it, and the rules it plays by.
#[derive(Clone, Debug)]
pub struct State {
    kept: Kept,
    rules: Arc<Rules>,
    /// When a server last opened it, where one has: betting windows start anew then.
    opened_again: u64,
}

impl Deref for State {
    type Target = Kept;

    fn deref(&self) -> &Kept {
        &self.kept
    }
}

impl DerefMut for State {
    fn deref_mut(&mut self) -> &mut Kept {
        &mut self.kept
    }
}

/// What a snapshot keeps of a table: everything but its rules, which it names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Its name.
    pub id: TableId,
    /// How it is set up, and what that was compiled from.
    pub setup: Queued,
    /// The table itself.
    pub table: Table,
    /// Who plays which seat from a browser; other seats are the dealers'.
    pub owners: BTreeMap<u8, String>,
    /// The house's commitment to the next roll.
    pub commitment: Option<Commitment>,
    /// A configuration that waits for a come-out with nothing on the layout.
    pub queued: Option<Queued>,
    /// What waits for a second person, by the record that asked.
    pub proposals: BTreeMap<u64, Pending>,
    /// What the meters have yet to hear, oldest first.
    pub outbox: Vec<Letter>,
    /// The record that last told each meter something.
    pub told: BTreeMap<String, u64>,
    /// The paytables of claims not paid yet.
    pub claimed: BTreeMap<u64, String>,
    /// How many rolls the present hand has had, and how many it had before the last.
    pub hand_rolls: (u32, u32),
    /// How often dice have been thrown, voided or corrected.
    pub throws: u64,
    /// The last rolls, newest last.
    pub recent: VecDeque<Roll>,
    /// Since when betting has been open and somebody could shoot, in milliseconds since 1970.
    pub open_since: Option<u64>,
    /// When the last record was written: the next is not earlier, whatever the clock says.
    pub at: u64,
    /// What reports are made of.
    pub books: Books,
}

/// Something that waits for a second person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// What.
    pub proposal: Proposal,
    /// Who asked.
    pub by: String,
    /// When it lapses.
    pub until: u64,
    /// Whether the table was made to wait for it.
    pub paused: bool,
    /// How often dice had been thrown, voided or corrected: a roll is only taken back while it is
    /// the one that was meant.
    pub throws: u64,
}

/// What a table has to tell a meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The meter.
    pub meter: MeterId,
    /// The record it comes from.
    pub seq: u64,
    /// The record the letter before it came from; a meter that has not heard that one waits.
    pub after: u64,
    /// What it says.
    pub tells: Vec<Tell>,
}

/// What a room is asked, by people or by itself.
#[derive(Debug)]
pub enum Order<'a> {
    /// A person asks.
    Ask {
        /// Who.
        who: &'a Person,
        /// What.
        command: &'a wire::Command,
        /// What the configuration in it compiles to, where there is one.
        queued: Option<&'a Queued>,
        /// Whether the shooter has no connection, so that another player may throw.
        shooter_away: bool,
        /// The meter's answer to the claim in it, where there is one.
        award: Option<&'a MeterAward>,
    },
    /// A meter has answered a claim.
    Pay(&'a MeterAward),
    /// The time for betting is over.
    TimeUp,
    /// Nobody agreed in time.
    Lapse(u64),
    /// The queued configuration may apply now, under these rules.
    Apply(&'a Arc<Rules>),
    /// A meter was reset and runs on other terms; the table's rules follow.
    Follow(&'a Queued),
}

/// The secrets a decision may use: of the roll at hand, and of the one after it.
#[derive(Clone, Copy, Debug)]
pub struct Secrets<'a> {
    /// What the house has committed to.
    pub now: &'a Secret,
    /// What it will commit to next.
    pub next: &'a Secret,
}

impl State {
    /// The state of a table just opened.
    pub fn open(id: TableId, setup: Queued, rules: Arc<Rules>, at: u64) -> State {
        let kept = Kept {
            id,
            setup,
            table: Table::open(&rules),
            owners: BTreeMap::new(),
            commitment: None,
            queued: None,
            proposals: BTreeMap::new(),
            outbox: Vec::new(),
            told: BTreeMap::new(),
            claimed: BTreeMap::new(),
            hand_rolls: (0, 0),
            throws: 0,
            recent: VecDeque::new(),
            open_since: None,
            at,
            books: Books::default(),
        };
        State { kept, rules, opened_again: 0 }
    }

    /// A table as a snapshot kept it, with the rules it names; none where they are others.
    pub fn restore(kept: Kept, rules: Arc<Rules>) -> Option<State> {
        (kept.table.rules() == rules.hash).then_some(State { kept, rules, opened_again: 0 })
    }

    /// What a snapshot keeps.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// The rules it plays by.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The configuration that a record has the table go over to: its rules are needed to take
    /// the record in.
    pub fn goes_over_to(&self, entry: &Entry<TableEntry>) -> Option<&Queued> {
        let mut events = entry.what.steps().iter().flat_map(|step| &step.events);
        let goes_over = events.any(|event| matches!(event, Event::Configured { .. }));
        self.queued.as_ref().filter(|_| goes_over)
    }

    /// How it is set up.
    pub fn config(&self) -> &TableConfig {
        &self.setup.config
    }

    /// The meter that serves a paytable at this table.
    pub fn meter(&self, paytable: &str) -> MeterId {
        let shared = self.config().meters.get(paytable).cloned();
        shared.unwrap_or_else(|| MeterId::local(self.id, paytable))
    }

    /// Has the betting window start anew: nobody could bet while no server was there.
    pub fn open_again(&mut self, at: u64) {
        self.opened_again = at;
    }

    /// Since when the betting window has been open, where there is one.
    pub fn window_since(&self) -> Option<u64> {
        self.config().betting_seconds?;
        self.open_since.map(|since| since.max(self.opened_again))
    }

    /// When betting closes by itself, if it does: once somebody could shoot. It is what people
    /// read; the room goes by a clock that nobody sets.
    pub fn closes_at(&self) -> Option<u64> {
        let seconds = u64::from(self.config().betting_seconds?);
        let since = self.window_since().filter(|_| self.could_close())?;
        Some(since + seconds * 1_000)
    }

    fn could_close(&self) -> bool {
        self.table.decide(&self.rules, &Command::CloseBetting).is_ok()
    }

    /// What an order comes to, or why not.
    pub fn decide(&self, order: &Order<'_>, secrets: Secrets<'_>) -> Result<TableEntry, Problem> {
        match order {
            Order::Ask { who, command, .. } => {
                self.check_access(who, command, order)?;
                self.ask(order, secrets)
            }
            Order::Pay(award) => self.play([pay(award)]),
            Order::TimeUp => self.play([Command::CloseBetting]),
            Order::Lapse(proposal) => {
                let pending = self.pending(*proposal)?;
                let steps = self.resumed(pending)?;
                Ok(TableEntry::Withdrawn { proposal: *proposal, steps })
            }
            Order::Apply(next) => {
                let command = Command::Configure;
                let events = self.table.decide(next, &command)?;
                Ok(played(vec![Step { command, events }]))
            }
            Order::Follow(queued) => Ok(TableEntry::Queued { queued: (*queued).clone() }),
        }
    }

    /// Whether somebody has a say in a command at all, whoever's seat it is about.
    pub(super) fn check_role(&self, who: &Person, command: &wire::Command) -> Result<(), Problem> {
        let practice = self.config().practice;
        match who.may_at_all(command.action(), practice) {
            true => Ok(()),
            false => {
                let at = if practice { "" } else { " at this table" };
                Err(Problem::forbidden(format!("that is not for you to do{at}")))
            }
        }
    }

    /// The table's own state comes first, then whose seat it is; what the command itself meets
    /// comes after.
    fn check_access(
        &self,
        who: &Person,
        command: &wire::Command,
        order: &Order<'_>,
    ) -> Result<(), Problem> {
        self.check_role(who, command)?;
        let action = command.action();
        let practice = self.config().practice;
        let seat = match command {
            wire::Command::Leave { seat }
            | wire::Command::BuyIn { seat, .. }
            | wire::Command::CashOut { seat, .. }
            | wire::Command::Put { seat, .. }
            | wire::Command::Take { seat, .. }
            | wire::Command::Call { seat, .. } => Some(*seat),
            wire::Command::Roll { .. } | wire::Command::PassDice {} => {
                self.table.shooter(&self.rules).map(|seat| seat.0)
            }
            _ => None,
        };
        if let Some(command) = engine_command(command) {
            self.table.admits(&command)?;
        }
        if action == Action::Resume && self.proposals.values().any(|pending| pending.paused) {
            let waits = "the table waits for a second person, who agrees or withdraws";
            return Err(Problem::conflict("proposal-open", waits));
        }
        let Some(seat) = seat else { return Ok(()) };
        // A shooter who is not there does not hold up the others.
        let shooter_away = matches!(order, Order::Ask { shooter_away: true, .. });
        let throws = matches!(action, Action::Roll | Action::PassDice);
        if throws && shooter_away && self.owners.values().any(|id| *id == who.id) {
            return Ok(());
        }
        let owner = self.owners.get(&seat).map(String::as_str);
        let taken = self.table.player(Seat(seat)).is_some();
        match who.may(action, practice, owner) || !taken {
            true => Ok(()),
            false => Err(Problem::not_your_seat()),
        }
    }

    fn ask(&self, order: &Order<'_>, secrets: Secrets<'_>) -> Result<TableEntry, Problem> {
        let Order::Ask { who, command, queued, award, .. } = order else {
            unreachable!("only people ask")
        };
        if let Some(command) = engine_command(command) {
            return self.play([command]);
        }
        match command {
            wire::Command::Sit { seat, name } => self.sit(who, *seat, name.as_deref()),
            wire::Command::Roll { shooter_bytes } => {
                let bytes = shooter_bytes
                    .parse()
                    .map_err(|error| Problem::malformed(format!("shooter_bytes: {error}")))?;
                self.roll(bytes, secrets)
            }
            wire::Command::KeyRoll { dice } => match self.config().dice {
                DiceMode::Dealer => self.play([Command::Roll { roll: *dice }]),
                DiceMode::House => Err(wrong_dice("the house throws the dice at this table")),
            },
            wire::Command::Void { reason } => {
                let reason = two_people::reason(reason)?;
                let command = Command::Void { reason: reason.clone() };
                self.table.decide(&self.rules, &command)?;
                self.propose(Proposal::Void { reason })
            }
            wire::Command::Correct { dice, reason } => {
                if self.config().dice == DiceMode::House {
                    return Err(wrong_dice("the house's dice cannot have been misread, void it"));
                }
                let reason = two_people::reason(reason)?;
                let command = Command::Correct { roll: *dice, reason: reason.clone() };
                self.table.decide(&self.rules, &command)?;
                self.propose(Proposal::Correct { roll: *dice, reason })
            }
            wire::Command::Configure { reason, .. } => {
                let queued = queued.expect("a configuration is compiled before it is proposed");
                let (queued, reason) = ((*queued).clone(), two_people::reason(reason)?);
                self.propose(Proposal::Configure { queued, reason })
            }
            wire::Command::Approve { proposal } => self.approve(who, *proposal),
            wire::Command::Withdraw { proposal } => {
                let pending = self.pending(*proposal)?;
                let steps = self.resumed(pending)?;
                Ok(TableEntry::Withdrawn { proposal: *proposal, steps })
            }
            wire::Command::ConfirmClaim { claim } => {
                if !self.table.claims().iter().any(|waiting| waiting.id == ClaimId(*claim)) {
                    return Err(Refusal::NoSuchClaim.into());
                }
                let waits = "the meter has not answered the claim yet, try again in a moment";
                let award = award.ok_or_else(|| Problem::unavailable("claim-unanswered", waits))?;
                self.play([pay(award)])
            }
            _ => unreachable!("every other command is the engine's own"),
        }
    }

    fn sit(
        &self,
        who: &Person,
        seat: Option<u8>,
        name: Option<&str>,
    ) -> Result<TableEntry, Problem> {
        let crew = who.reaches(Action::Sit).any(|reach| reach == Reach::Any);
        let (name, own_seat) = match name {
            Some(name) if crew => (names::name(name)?, false),
            _ => (who.name.clone(), true),
        };
        let own = self.owners.values().filter(|id| **id == who.id).count();
        if !crew && own >= SEATS_EACH {
            let most = format!("a player may take {SEATS_EACH} seats, no more");
            return Err(Problem::conflict("seats-taken", most));
        }
        let seats = self.config().seats;
        let free = |seat: &u8| self.table.player(Seat(*seat)).is_none();
        let seat = match seat {
            Some(seat) if seat >= seats => return Err(Refusal::NoSuchSeat.into()),
            Some(seat) => seat,
            None => (0..seats).find(free).ok_or_else(|| {
                Problem::conflict("table-full", "every seat at this table is taken")
            })?,
        };
        let steps = self.steps([Command::Sit { seat: Seat(seat), name }])?;
        let owner = own_seat.then(|| who.id.clone());
        Ok(TableEntry::Played { steps, thrown: None, commitment: None, owner })
    }

    /// Betting closes with the throw where nothing else closes it; the dice follow from secrets
    /// that were fixed while it was open.
    fn roll(&self, shooter: ShooterBytes, secrets: Secrets<'_>) -> Result<TableEntry, Problem> {
        if self.config().dice != DiceMode::House {
            return Err(wrong_dice("a dealer keys in the dice at this table"));
        }
        let open = self.table.is_betting_open();
        let timed = self.config().betting_seconds.is_some();
        if open && timed && self.table.players().count() > 1 {
            return Err(Refusal::BettingOpen.into());
        }
        let number = self.table.rolls() + 1;
        let roll = throw(secrets.now, self.id.0, number, &shooter);
        let close = open.then_some(Command::CloseBetting);
        let steps = self.steps(close.into_iter().chain([Command::Roll { roll }]))?;
        Ok(TableEntry::Played {
            steps,
            thrown: Some(Thrown { number, secret: secrets.now.reveal(), shooter }),
            commitment: Some(secrets.next.commitment()),
            owner: None,
        })
    }

    /// A table waits while a void or a correction is considered, so that no bet overtakes it.
    fn propose(&self, proposal: Proposal) -> Result<TableEntry, Problem> {
        let holds = !matches!(proposal, Proposal::Configure { .. });
        let pause = holds && self.table.status() == Status::Running;
        let steps = self.steps(pause.then_some(Command::Pause))?;
        Ok(TableEntry::Proposed { proposal, steps })
    }

    fn approve(&self, who: &Person, id: u64) -> Result<TableEntry, Problem> {
        let pending = self.pending(id)?;
        let action = match &pending.proposal {
            Proposal::Void { .. } => Action::Void,
            Proposal::Correct { .. } => Action::Correct,
            Proposal::Configure { .. } => Action::Configure,
        };
        if action.people() == People::Two {
            two_people::check(&pending.by, &who.id)?;
        }
        let (command, queued) = match &pending.proposal {
            Proposal::Void { reason } => (Some(Command::Void { reason: reason.clone() }), None),
            Proposal::Correct { roll, reason } => {
                (Some(Command::Correct { roll: *roll, reason: reason.clone() }), None)
            }
            Proposal::Configure { queued, .. } => (None, Some(queued.clone())),
        };
        if command.is_some() && pending.throws != self.throws {
            return Err(Refusal::NothingToVoid.into());
        }
        let paused = pending.paused && self.table.status() == Status::Paused;
        let resume = paused.then_some(Command::Resume);
        let steps = self.steps(command.into_iter().chain(resume))?;
        Ok(TableEntry::Agreed { proposal: id, steps, queued })
    }

    fn pending(&self, proposal: u64) -> Result<&Pending, Problem> {
        self.proposals.get(&proposal).ok_or_else(two_people::nothing)
    }

    fn resumed(&self, pending: &Pending) -> Result<Vec<Step>, Problem> {
        let paused = pending.paused && self.table.status() == Status::Paused;
        self.steps(paused.then_some(Command::Resume))
    }

    fn play(&self, commands: impl IntoIterator<Item = Command>) -> Result<TableEntry, Problem> {
        Ok(played(self.steps(commands)?))
    }

    /// Commands decided one after the other, each on what the one before left.
    fn steps(&self, commands: impl IntoIterator<Item = Command>) -> Result<Vec<Step>, Problem> {
        let mut commands = commands.into_iter().peekable();
        let mut steps = Vec::new();
        let mut scratch: Option<Table> = None;
        while let Some(command) = commands.next() {
            let events = scratch.as_ref().unwrap_or(&self.table).decide(&self.rules, &command)?;
            if commands.peek().is_some() {
                let table = scratch.get_or_insert_with(|| self.table.clone());
                events.iter().for_each(|event| table.evolve(event));
            }
            steps.push(Step { command, events });
        }
        Ok(steps)
    }

    /// Applies a record. `next` are the rules of the configuration it goes over to, where it does
    /// (see [`State::goes_over_to`]).
    pub fn evolve(&mut self, seq: u64, entry: &Entry<TableEntry>, next: Option<&Arc<Rules>>) {
        let mut tells = Vec::new();
        self.at = entry.at;
        match &entry.what {
            TableEntry::Opened { .. } => {}
            TableEntry::Played { steps, commitment, owner, .. } => {
                self.take_steps(entry, steps, next, &mut tells);
                if let (Some(owner), [Step { command: Command::Sit { seat, .. }, .. }]) =
                    (owner, steps.as_slice())
                {
                    self.owners.insert(seat.0, owner.clone());
                }
                if commitment.is_some() {
                    self.commitment = *commitment;
                }
            }
            TableEntry::Committed { commitment } => self.commitment = Some(*commitment),
            TableEntry::Proposed { proposal, steps } => {
                self.take_steps(entry, steps, next, &mut tells);
                let pending = Pending {
                    proposal: proposal.clone(),
                    by: entry.by.clone(),
                    until: two_people::until(entry.at),
                    paused: !steps.is_empty(),
                    throws: self.throws,
                };
                self.proposals.insert(seq, pending);
            }
            TableEntry::Withdrawn { proposal, steps } => {
                self.proposals.remove(proposal);
                self.take_steps(entry, steps, next, &mut tells);
            }
            TableEntry::Agreed { proposal, steps, queued } => {
                self.proposals.remove(proposal);
                self.take_steps(entry, steps, next, &mut tells);
                if queued.is_some() {
                    self.queued.clone_from(queued);
                }
            }
            TableEntry::Queued { queued } => self.queued = Some(queued.clone()),
        }
        self.post(seq, tells);
        let timed = self.config().betting_seconds.is_some();
        if timed && self.open_since.is_none() && self.could_close() {
            self.open_since = Some(entry.at);
        }
    }

    fn take_steps(
        &mut self,
        entry: &Entry<TableEntry>,
        steps: &[Step],
        next: Option<&Arc<Rules>>,
        tells: &mut Vec<(MeterId, Tell)>,
    ) {
        for Step { command, events } in steps {
            for event in events {
                let was_open = self.table.is_betting_open();
                self.kept.table.evolve(event);
                if let Event::Configured { rules } = event {
                    let next = next.filter(|next| next.hash == *rules);
                    self.rules = next.expect("a table knows the rules it goes over to").clone();
                }
                self.kept.books.book(&self.rules, entry.at, event);
                self.note(command, event, tells);
                self.throws += u64::from(is_roll(event));
                let opens = !was_open || is_roll(event) || matches!(event, Event::Resumed);
                if self.table.is_betting_open() && opens {
                    self.open_since = None;
                }
            }
        }
    }

    /// Everything around the table that an event changes.
    fn note(&mut self, command: &Command, event: &Event, tells: &mut Vec<(MeterId, Tell)>) {
        let claim = |id: ClaimId, table: TableId| TableClaim { table: table.0, id };
        match event {
            Event::Left { seat, .. } => {
                self.owners.remove(&seat.0);
                self.count_no_hand();
            }
            Event::Put(betting) | Event::Took(betting) | Event::Returned { betting, .. } => {
                if let Some(fed) = &betting.fed {
                    let tell = Tell::Fed { increment: fed.increment, reserve: fed.reserve };
                    tells.push((self.meter(&fed.meter), tell));
                }
            }
            Event::Rolled(rolled) => self.note_roll(rolled, tells),
            Event::Voided(voided) => {
                for waiting in &voided.claims {
                    let claim = claim(waiting.id, self.id);
                    tells.push((self.meter(&waiting.meter), Tell::Reversed { claim }));
                }
                self.recent.pop_back();
                self.hand_rolls.0 = self.hand_rolls.1;
                self.count_no_hand();
            }
            Event::Corrected { voided, rolled } => {
                for waiting in &voided.claims {
                    let claim = claim(waiting.id, self.id);
                    tells.push((self.meter(&waiting.meter), Tell::Reversed { claim }));
                }
                self.recent.pop_back();
                self.hand_rolls.0 = self.hand_rolls.1;
                self.note_roll(rolled, tells);
            }
            Event::ClaimPaid { claim: id, .. } => {
                if let Some(meter) = self.meter_of_claim(*id) {
                    let claim = claim(*id, self.id);
                    tells.push((meter, Tell::Paid { claim }));
                }
            }
            // Nothing is claimed of a meter where an award was held.
            Event::ClaimDenied { claim: id, .. } => {
                if let Some(meter) = self.meter_of_claim(*id) {
                    let claim = claim(*id, self.id);
                    tells.push((meter, Tell::Reversed { claim }));
                }
            }
            Event::DicePassed { .. } => self.hand_rolls.0 = 0,
            Event::Configured { .. } => {
                debug_assert_eq!(*command, Command::Configure);
                if let Some(queued) = self.queued.take() {
                    self.setup = queued;
                }
            }
            Event::Sat { .. }
            | Event::BoughtIn { .. }
            | Event::CashedOut { .. }
            | Event::Filled { .. }
            | Event::Credited { .. }
            | Event::Called(_)
            | Event::Held { .. }
            | Event::Released { .. }
            | Event::BettingClosed
            | Event::NoRoll
            | Event::Paused
            | Event::Resumed
            | Event::Closed => {}
        }
    }

    fn note_roll(&mut self, rolled: &Rolled, tells: &mut Vec<(MeterId, Tell)>) {
        for won in &rolled.claims {
            let claim = TableClaim { table: self.id.0, id: won.id };
            let tell = Tell::Won { claim, winners: won.winners.clone() };
            self.claimed.insert(won.id.0, won.meter.clone());
            tells.push((self.meter(&won.meter), tell));
        }
        if self.recent.len() == SHOWN_ROLLS {
            self.recent.pop_front();
        }
        self.recent.push_back(rolled.roll);
        let before = self.hand_rolls.0;
        self.hand_rolls = (if rolled.is_seven_out() { 0 } else { before + 1 }, before);
    }

    /// While nobody holds the dice there is no hand: its shooter may have left.
    fn count_no_hand(&mut self) {
        if matches!(self.table.dice(), Dice::Offered(_)) {
            self.hand_rolls.0 = 0;
        }
    }

    fn meter_of_claim(&mut self, claim: ClaimId) -> Option<MeterId> {
        let paytable = self.claimed.remove(&claim.0)?;
        Some(self.meter(&paytable))
    }

    /// One letter for each meter that has something to hear.
    fn post(&mut self, seq: u64, tells: Vec<(MeterId, Tell)>) {
        let mut letters: Vec<Letter> = Vec::new();
        for (meter, tell) in tells {
            match letters.iter_mut().find(|letter| letter.meter == meter) {
                Some(letter) => letter.tells.push(tell),
                None => {
                    let after = self.told.insert(meter.to_string(), seq).unwrap_or(0);
                    letters.push(Letter { meter, seq, after, tells: vec![tell] });
                }
            }
        }
        self.outbox.extend(letters);
    }

    /// Whether the queued configuration could apply now, as far as the table goes.
    pub fn is_idle(&self) -> bool {
        self.table.hand().puck.is_off()
            && self.table.claims().is_empty()
            && self.table.held().is_empty()
            && self.table.players().all(|(_, player)| player.layout.is_empty())
    }
}

fn is_roll(event: &Event) -> bool {
    matches!(event, Event::Rolled(_) | Event::Voided(_) | Event::Corrected { .. })
}

fn played(steps: Vec<Step>) -> TableEntry {
    TableEntry::Played { steps, thrown: None, commitment: None, owner: None }
}

fn pay(award: &MeterAward) -> Command {
    Command::PayClaim {
        claim: award.claim.id,
        shares: award.shares.clone(),
        from_house: award.from_house,
    }
}

fn wrong_dice(why: &str) -> Problem {
    Problem::conflict("wrong-dice", why)
}

/// The engine's command, where a person's command is just that.
fn engine_command(command: &wire::Command) -> Option<Command> {
    Some(match command {
        wire::Command::Leave { seat } => Command::Leave { seat: Seat(*seat) },
        wire::Command::BuyIn { seat, amount } => {
            Command::BuyIn { seat: Seat(*seat), amount: *amount }
        }
        wire::Command::CashOut { seat, amount } => {
            Command::CashOut { seat: Seat(*seat), amount: *amount }
        }
        wire::Command::Put { seat, wager, amount } => {
            Command::Put { seat: Seat(*seat), wager: wager.clone(), amount: *amount }
        }
        wire::Command::Take { seat, wager, amount } => {
            Command::Take { seat: Seat(*seat), wager: wager.clone(), amount: *amount }
        }
        wire::Command::Call { seat, wager, call } => {
            Command::Call { seat: Seat(*seat), wager: wager.clone(), call: *call }
        }
        wire::Command::CloseBetting {} => Command::CloseBetting,
        wire::Command::NoRoll {} => Command::NoRoll,
        wire::Command::PassDice {} => Command::PassDice,
        wire::Command::Fill { amount } => Command::Fill { amount: *amount },
        wire::Command::Credit { amount } => Command::Credit { amount: *amount },
        wire::Command::Pause {} => Command::Pause,
        wire::Command::Resume {} => Command::Resume,
        wire::Command::Close {} => Command::Close,
        wire::Command::Sit { .. }
        | wire::Command::Roll { .. }
        | wire::Command::KeyRoll { .. }
        | wire::Command::Void { .. }
        | wire::Command::Correct { .. }
        | wire::Command::Configure { .. }
        | wire::Command::Approve { .. }
        | wire::Command::Withdraw { .. }
        | wire::Command::ConfirmClaim { .. } => return None,
    })
}
