//! What an order comes to, or why not: who may, whether it is time, what the engine says.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use craps::meter::Award as MeterAward;
use craps::table::Rolled;
use craps::{Command, Event, Refusal, Rules, Seat, Table};

use super::claims::payout;
use super::{BookedRoll, BoughtElsewhere, LiveTable, Locked};
use crate::access::{Person, Reach};
use crate::ask::{self, Verb};
use crate::config::DiceMode;
use crate::dice::{Secret, ShooterBytes, throw};
use crate::line::dollars;
use crate::log::{FixedAward, Queued, Step, TableEntry, Thrown};
use crate::names;
use crate::problem::Problem;
use crate::remains::Remains;
use crate::role::Role;
use crate::simulated::{self, Mutant};
use crate::two_people;

/// How many seats one player may take.
const SEATS_EACH: usize = 3;

/// What a room is asked, by people or by itself.
#[derive(Debug)]
pub enum Order<'a> {
    /// A person asks.
    Ask(Wish<'a>),
    /// A meter has answered a claim.
    Pay(&'a MeterAward),
    /// The player of a seat has gone.
    GiveUp {
        /// The seat.
        seat: Seat,
        /// What becomes of bets that may not be taken down.
        locked: Locked,
    },
    /// The house does itself what nobody is there to do.
    House(Command),
    /// The time for betting is over.
    TimeUp,
    /// Nobody agreed in time.
    Lapse(u64),
    /// The queued configuration may apply now, under these rules.
    Apply(&'a Arc<Rules>),
    /// A meter was reset and runs on other terms; the table's rules follow.
    Follow(&'a Queued),
}

/// What a person asks, and what the room knows about it.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// Who.
    pub who: &'a Person,
    /// What.
    pub command: &'a ask::Command,
    /// The betting round it names, where it names one.
    pub round: Option<u64>,
    /// What no table knows of itself.
    pub known: Known<'a>,
    /// What the configuration in it compiles to, where there is one.
    pub queued: Option<&'a Queued>,
    /// Whether the shooter has no connection, so that another player may throw.
    pub shooter_away: bool,
    /// The meter's answer to the claim in it, where there is one.
    pub award: Option<&'a FixedAward>,
    /// What players have bought at other tables today, as far as the house has heard.
    pub elsewhere: &'a BoughtElsewhere,
    /// The roll that it is to mend, read back from the log, where there is one.
    pub roll: Option<&'a BookedRoll>,
}

/// What a room knows that is no part of its table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The items of work lists that are ticked off.
    pub ticked: &'a [(u64, u32)],
    /// What the meters of the table's own still have of players' money.
    pub meters: &'a [Remains],
}

/// The secrets a decision may use: of the roll at hand, and of the one after it.
#[derive(Clone, Copy, Debug)]
pub struct Secrets<'a> {
    /// What the house has committed to.
    pub now: &'a Secret,
    /// What it will commit to next.
    pub next: &'a Secret,
}

impl LiveTable {
    /// What an order comes to at this time, or why not.
    pub fn decide(
        &self,
        order: &Order<'_>,
        at: u64,
        secrets: Secrets<'_>,
    ) -> Result<TableEntry, Problem> {
        match order {
            Order::Ask(wish) => {
                let who = &*self.as_here(wish.who);
                self.ask(Wish { who, ..*wish }, at, secrets)
            }
            Order::Pay(award) => self.play([pay(award)]),
            Order::GiveUp { seat, locked } => self.give_up_gone(*seat, *locked),
            Order::House(command) => self.play([command.clone()]),
            Order::TimeUp => self.play([Command::CloseBetting]),
            Order::Lapse(proposal) => self.lapse(*proposal),
            Order::Apply(next) => {
                let command = Command::Configure;
                let events = self.table.decide(next, &command)?;
                Ok(played(vec![Step { command, events }]))
            }
            Order::Follow(queued) => Ok(TableEntry::Queued { queued: (*queued).clone() }),
        }
    }

    /// Crew with a seat at a real table are players there, and nothing else.
    fn as_here<'a>(&self, who: &'a Person) -> Cow<'a, Person> {
        let plays = self.owners.values().any(|id| *id == who.id);
        match plays && !self.config().practice {
            true => Cow::Owned(Person { roles: vec![Role::Player], ..who.clone() }),
            false => Cow::Borrowed(who),
        }
    }

    /// Whether somebody has a say in this at all, whoever's seat it is about.
    pub(crate) fn check_role(&self, who: &Person, verb: Verb) -> Result<(), Problem> {
        let practice = self.config().practice;
        let who = self.as_here(who);
        match who.may_at_all(verb, practice) {
            true => Ok(()),
            false => {
                let at = if practice { "" } else { " at this table" };
                Err(Problem::forbidden(format!("that is not for you to do{at}")))
            }
        }
    }

    /// The table's own state comes first, then whose seat it is; what the command itself meets
    /// comes after.
    fn check_access(&self, wish: Wish<'_>, engine: Option<&Command>) -> Result<(), Problem> {
        let Wish { who, command, shooter_away, .. } = wish;
        let verb = command.verb();
        self.check_role(who, verb)?;
        self.check_round(wish)?;
        if let Some(command) = engine {
            self.table.admits(command)?;
        }
        if let Some(short) = self.fill_needed().filter(|_| needs_tray(verb)) {
            let needed = format!(
                "the tray is {} short: bets are taken again after a fill, or once two people \
                 have accepted it",
                dollars(short)
            );
            return Err(Problem::conflict("fill-needed", needed));
        }
        let resumes = verb == Verb::Resume && self.proposals.values().any(|one| one.paused);
        let moves = engine.is_some_and(moves_chips)
            || matches!(verb, Verb::ConfirmClaim | Verb::GiveUpSeat);
        if resumes || (moves && self.considers_a_roll()) {
            return Err(two_people::considered());
        }
        if waits_for_claims(verb) && self.waits_for_claim() {
            let waits = "what was won waits to be confirmed or denied, play goes on after that";
            return Err(Problem::conflict("claim-waits", waits));
        }
        let throws = matches!(verb, Verb::Roll | Verb::PassDice);
        let seat = match throws {
            true => self.table.shooter(self.rules()),
            false => command.seat().map(Seat),
        };
        let Some(seat) = seat else { return Ok(()) };
        // A shooter who is not there does not hold up the others.
        if throws && shooter_away && self.owners.values().any(|id| *id == who.id) {
            return Ok(());
        }
        let owner = self.owners.get(&seat.0).map(String::as_str);
        let taken = self.table.player(seat).is_some();
        match who.may(verb, self.config().practice, owner) || !taken {
            true => Ok(()),
            false => Err(Problem::not_your_seat()),
        }
    }

    fn ask(&self, wish: Wish<'_>, at: u64, secrets: Secrets<'_>) -> Result<TableEntry, Problem> {
        match self.taken_apart(wish, at, secrets) {
            Taken::Engine(command) => {
                self.check_access(wish, Some(&command))?;
                match moves_chips(&command) {
                    true => self.move_chips(wish.who, at, command, wish.elsewhere),
                    false => self.play([command]),
                }
            }
            Taken::Own(decide) => {
                self.check_access(wish, None)?;
                decide()
            }
        }
    }

    /// What a person's command is: one of the engine's, or more than that.
    fn taken_apart<'a>(&'a self, wish: Wish<'a>, at: u64, secrets: Secrets<'a>) -> Taken<'a> {
        use ask::Command as Asked;
        let Wish { who, command, queued, award, .. } = wish;
        match command {
            Asked::Leave { seat, kind } => {
                Taken::Engine(Command::Leave { seat: Seat(*seat), kind: *kind })
            }
            Asked::BuyIn { seat, amount, kind } => {
                Taken::Engine(Command::BuyIn { seat: Seat(*seat), amount: *amount, kind: *kind })
            }
            Asked::CashOut { seat, amount, kind } => {
                Taken::Engine(Command::CashOut { seat: Seat(*seat), amount: *amount, kind: *kind })
            }
            Asked::Put { seat, wager, amount } => {
                let (seat, wager) = (Seat(*seat), wager.clone());
                Taken::Engine(Command::Put { seat, wager, amount: *amount })
            }
            Asked::Take { seat, wager, amount } => {
                let (seat, wager) = (Seat(*seat), wager.clone());
                Taken::Engine(Command::Take { seat, wager, amount: *amount })
            }
            Asked::Call { seat, wager, call } => {
                let (seat, wager) = (Seat(*seat), wager.clone());
                Taken::Engine(Command::Call { seat, wager, call: *call })
            }
            Asked::CloseBetting {} => Taken::Engine(Command::CloseBetting),
            Asked::NoRoll {} => Taken::Engine(Command::NoRoll),
            Asked::PassDice {} => Taken::Engine(Command::PassDice),
            Asked::Fill { amount } => Taken::Engine(Command::Fill { amount: *amount }),
            Asked::Credit { amount } => Taken::Engine(Command::Credit { amount: *amount }),
            Asked::Pause {} => Taken::Engine(Command::Pause),
            Asked::Resume {} => Taken::Engine(Command::Resume),
            Asked::Close { reason } => {
                Taken::own(move || self.close(reason.as_deref(), wish.known.meters))
            }
            Asked::Sit { seat, name } => Taken::own(move || self.sit(who, *seat, name.as_deref())),
            Asked::Rename { seat, name } => {
                Taken::own(move || self.rename(who, Seat(*seat), name.as_deref()))
            }
            Asked::GiveUpSeat { seat, reason } => {
                Taken::own(move || self.give_up(who, at, Seat(*seat), reason))
            }
            Asked::Roll { shooter_bytes, commitment } => Taken::own(move || {
                self.check_commitment(commitment.as_deref())?;
                let bytes = shooter_bytes
                    .parse()
                    .map_err(|error| Problem::malformed(format!("shooter_bytes: {error}")))?;
                self.roll(bytes, secrets)
            }),
            Asked::KeyRoll { dice } => Taken::own(move || match self.config().dice {
                DiceMode::Dealer => self.play([Command::Roll { roll: *dice }]),
                DiceMode::House => Err(wrong_dice("the house throws the dice at this table")),
            }),
            Asked::OpenBetting {} => Taken::Engine(Command::OpenBetting),
            Asked::Done { list } => Taken::own(move || self.work_done(*list)),
            Asked::Link { sitting, person } => {
                Taken::own(move || self.link(*sitting, person.as_deref()))
            }
            Asked::Identify { sitting, taken } => {
                Taken::own(move || self.identify(at, *sitting, *taken))
            }
            Asked::AcceptTray { reason } => Taken::own(move || self.accept_tray(reason)),
            Asked::Void { of, reason } => Taken::own(move || {
                self.check_last_roll(&who.roles, *of)?;
                self.void(reason)
            }),
            Asked::Correct { of, dice, reason } => Taken::own(move || {
                self.check_last_roll(&who.roles, *of)?;
                self.correct(*dice, reason)
            }),
            Asked::Mend { lines, reason, video, .. } => Taken::own(move || {
                let question = command.mend_question().expect("it is a mend");
                let video = video.as_deref().unwrap_or_default();
                self.ask_mend(wish.roll, (&question, lines.as_deref(), reason, video), at)
            }),
            Asked::Configure { of, reason, .. } => Taken::own(move || {
                self.check_configuration(&who.roles, *of)?;
                let queued = queued.expect("a configuration is compiled before it is proposed");
                self.configure(queued, *of, reason)
            }),
            Asked::Approve { proposal } => {
                Taken::own(move || self.approve(who, at, *proposal, wish.known))
            }
            Asked::Withdraw { proposal, reason } => {
                Taken::own(move || self.withdraw(who, *proposal, reason.as_deref()))
            }
            Asked::Check { claim, item } => Taken::own(move || self.check_claim(*claim, *item)),
            Asked::ConfirmClaim { claim, paid_by, slip, form } => Taken::own(move || {
                let payout = payout(*paid_by, slip.as_deref(), form.as_deref())?;
                self.confirm(who, *claim, payout, award)
            }),
            Asked::DenyClaim { claim, reason } => Taken::own(move || self.deny(*claim, reason)),
        }
    }

    fn sit(
        &self,
        who: &Person,
        seat: Option<u8>,
        name: Option<&str>,
    ) -> Result<TableEntry, Problem> {
        let crew = who.reaches(Verb::Sit).any(|reach| reach == Reach::Any);
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

    /// The player of a seat has the name they go by now; to one without, the crew gives it.
    fn rename(&self, who: &Person, seat: Seat, name: Option<&str>) -> Result<TableEntry, Problem> {
        self.table.player(seat).ok_or(Refusal::NotSeated)?;
        let own = self.owners.get(&seat.0) == Some(&who.id);
        let name = match name {
            Some(name) if !own => names::name(name)?,
            None if own => who.name.clone(),
            Some(_) => return Err(Problem::malformed("your name at the table is your own name")),
            None => return Err(Problem::malformed("say which name")),
        };
        self.play([Command::Rename { seat, name }])
    }

    /// A shooter's bytes answer the commitment they were drawn for, and no later one.
    fn check_commitment(&self, answered: Option<&str>) -> Result<(), Problem> {
        let current = self.commitment.map(|current| current.to_string());
        match answered.is_none_or(|answered| Some(answered) == current.as_deref()) {
            true => Ok(()),
            false => {
                let other = "the house has committed to other dice since: draw new bytes, and \
                             throw again";
                Err(Problem::conflict("other-commitment", other))
            }
        }
    }

    /// Betting closes with the throw where nothing else closes it; the dice follow from secrets
    /// that were fixed while it was open.
    fn roll(&self, shooter: ShooterBytes, secrets: Secrets<'_>) -> Result<TableEntry, Problem> {
        if self.config().dice != DiceMode::House {
            return Err(wrong_dice("a dealer keys in the dice at this table"));
        }
        if self.is_window_shared() {
            return Err(Refusal::BettingOpen.into());
        }
        let number = self.table.rolls() + 1;
        let roll = throw(secrets.now, self.id.0, number, &shooter);
        let close = self.table.is_betting_open().then_some(Command::CloseBetting);
        let steps = self.steps(close.into_iter().chain([Command::Roll { roll }]))?;
        Ok(TableEntry::Played {
            steps,
            thrown: Some(Thrown { number, secret: secrets.now.reveal(), shooter }),
            commitment: Some(secrets.next.commitment()),
            owner: None,
        })
    }

    pub(super) fn play(
        &self,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<TableEntry, Problem> {
        Ok(played(self.steps(commands)?))
    }

    /// The crew says that the chips of a work list have been moved.
    fn work_done(&self, list: u64) -> Result<TableEntry, Problem> {
        match self.work_of(list) {
            Some(known) if !known.done => Ok(TableEntry::Done { list }),
            Some(_) => Err(Problem::conflict("list-done", "that list is marked done already")),
            None => {
                let gone = format!("there is no work list of record {list} at this table");
                Err(Problem::conflict("no-such-list", gone))
            }
        }
    }

    /// Commands decided one after the other, each on what the one before left, with what follows
    /// from them: awards and envy that wait are held with the roll that won them, and a crew pays
    /// before bets are taken again.
    pub(crate) fn steps(
        &self,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<Vec<Step>, Problem> {
        self.steps_from(&self.table, commands)
    }

    /// The same, from another state of this table on.
    pub(super) fn steps_from(
        &self,
        before: &Table,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<Vec<Step>, Problem> {
        let mut todo: VecDeque<Todo> = commands.into_iter().map(Todo::Command).collect();
        let mut steps = Vec::new();
        let mut scratch: Option<Table> = None;
        while let Some(next) = todo.pop_front() {
            let table = scratch.as_ref().unwrap_or(before);
            let command = match next {
                Todo::Command(command) => command,
                Todo::HoldEnvy(rolled) => {
                    let jackpots = self.config().confirms_jackpots();
                    let holds = table.envy_holds(self.rules(), &rolled, jackpots);
                    holds.into_iter().rev().for_each(|hold| todo.push_front(Todo::Command(hold)));
                    continue;
                }
            };
            let events = self.engine(table, &command)?;
            let follow = events.iter().flat_map(|event| self.follow(event));
            let follow: Vec<Todo> = follow.collect();
            follow.into_iter().rev().for_each(|next| todo.push_front(next));
            if !todo.is_empty() {
                let table = scratch.get_or_insert_with(|| before.clone());
                events.iter().for_each(|event| table.evolve(event));
            }
            steps.push(Step { command, events });
        }
        Ok(steps)
    }

    /// What follows from an event before anything else is done.
    fn follow(&self, event: &Event) -> Vec<Todo> {
        let mut follow: Vec<Todo> = self.holds(event).into_iter().map(Todo::Command).collect();
        let config = self.config();
        if let Event::Rolled(rolled) | Event::Corrected { rolled, .. } = event
            && config.has_procedures()
        {
            follow.push(Todo::HoldEnvy(rolled.clone()));
        }
        let is_roll =
            matches!(event, Event::Rolled(_) | Event::Corrected { .. } | Event::Voided(_));
        if is_roll && config.pays_first() && !simulated::is(Mutant::NoPaying) {
            follow.push(Todo::Command(Command::BeginPaying));
        }
        follow
    }
}

/// What is still to be done for a record.
enum Todo {
    /// A command.
    Command(Command),
    /// The envy of this roll waits with what is held.
    HoldEnvy(Box<Rolled>),
}

/// Whether a command only follows from others of the same record.
pub(crate) fn is_follow_up(command: &Command) -> bool {
    matches!(command, Command::Hold { .. } | Command::HoldEnvy { .. } | Command::BeginPaying)
}

/// What comes of commands that were obeyed.
pub(super) fn played(steps: Vec<Step>) -> TableEntry {
    TableEntry::Played { steps, thrown: None, commitment: None, owner: None }
}

/// What a meter has awarded, paid.
pub(crate) fn pay(award: &MeterAward) -> Command {
    Command::PayClaim {
        claim: award.claim.id,
        shares: award.shares.clone(),
        from_house: award.from_house,
    }
}

fn wrong_dice(why: &str) -> Problem {
    Problem::conflict("wrong-dice", why)
}

/// What has to wait while a claim does.
fn waits_for_claims(verb: Verb) -> bool {
    use Verb::{Call, CloseBetting, GiveUpSeat, KeyRoll, NoRoll, PassDice, Put, Roll, Take};
    let bets = matches!(verb, Put | Take | Call | GiveUpSeat | CloseBetting);
    bets || matches!(verb, Roll | KeyRoll | NoRoll | PassDice)
}

/// What takes chips in the tray to back it. Real dice that were thrown are booked in any case.
fn needs_tray(verb: Verb) -> bool {
    matches!(verb, Verb::Put | Verb::CloseBetting | Verb::OpenBetting | Verb::Roll)
}

/// Whether chips move between the cage and the table.
fn moves_chips(command: &Command) -> bool {
    matches!(
        command,
        Command::BuyIn { .. }
            | Command::CashOut { .. }
            | Command::Leave { .. }
            | Command::Fill { .. }
            | Command::Credit { .. }
    )
}

/// A person's command, taken apart.
enum Taken<'a> {
    /// One of the engine's.
    Engine(Command),
    /// One that only a live table has, and what comes of it for those who may.
    Own(Box<dyn FnOnce() -> Result<TableEntry, Problem> + 'a>),
}

impl<'a> Taken<'a> {
    fn own(decide: impl FnOnce() -> Result<TableEntry, Problem> + 'a) -> Taken<'a> {
        Taken::Own(Box::new(decide))
    }
}
