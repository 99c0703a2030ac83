//! A tape brought in as a table: somebody wrote a session down, and now it has a log like any
//! other. Dice are a dealer's, and what takes two people is asked for by `import` and agreed to
//! by `tape`.

use std::collections::BTreeMap;
use std::sync::Arc;

use craps::floor::Confirm;
use craps::meter::{Award as MeterAward, MeterEvent};
use craps::tape::{Act, Setup};
use craps::{Account, Cents, Command, Library, Refusal, Rules, Seat, Status, Table, Tape};
use futures_util::future::BoxFuture;

use super::import::{Prepared, Records, append};
use super::{Imported, Trouble};
use crate::config::{DiceMode, PROCEDURES, TableConfig};
use crate::id::{MeterId, TableId};
use crate::log::{
    Entry, Head, Heard, KeptMeter, MeterEntry, MeterProposal, Proposal, Queued, Record, Step,
    Stream, TableEntry, now,
};
use crate::meters::opening;
use crate::names;
use crate::shelf::Shelf;
use crate::store::Store;
use crate::table::{LiveTable, pay};

/// Who asks, and who agrees.
pub(super) const BY: &str = "import";
pub(super) const SECOND: &str = "tape";

/// Plays a tape by the rulebooks of `library` and keeps what came of it as a new table. A tape
/// that does not hold is refused, and so is one that no live table could have played.
pub fn import_tape<'a>(
    store: &'a dyn Store,
    file: &'a str,
    text: &'a str,
    name: Option<&'a str>,
    library: Library,
) -> BoxFuture<'a, Result<Imported, Trouble>> {
    Box::pin(async move {
        let prepared = prepare_tape(store, file, text, name, library).await?;
        append(store, BY, prepared).await
    })
}

/// The same, and nothing is brought in yet.
pub async fn prepare_tape(
    store: &dyn Store,
    file: &str,
    text: &str,
    name: Option<&str>,
    library: Library,
) -> Result<Prepared<'static>, Trouble> {
    let tape =
        Tape::parse(file, text, &library).map_err(|error| Trouble::Refused(error.to_string()))?;
    if let Some(header) = tape.only_on_tape() {
        return Trouble::refused(format!("{file}: no live table plays by `{header}`"));
    }
    let played = tape.play();
    if let Some(failure) = played.failures.first() {
        return Trouble::refused(format!(
            "{file}:{}: {} comes to {}, not to {}",
            failure.line, failure.text, failure.got, failure.expected
        ));
    }
    let name = name.unwrap_or(file);
    let first = config(tape.setup(), name);
    let shelf = Shelf::new(library);
    let chosen = shelf.choose(store, first).await;
    let (setup, rules) = chosen.map_err(|problem| Trouble::Refused(problem.detail))?;
    let mut recorder = Recorder::open(fresh(store).await?, setup, &rules);
    for (paytable, amount) in tape.presets() {
        recorder.preset(paytable, *amount)?;
    }
    for (line, act) in tape.script() {
        let stop = |reason: String| Trouble::Refused(format!("{file}:{line}: {reason}"));
        match act {
            Act::Obey(commands) => {
                commands.iter().try_for_each(|command| recorder.obey(command)).map_err(stop)?;
            }
            Act::Configure(setup) => {
                let chosen = shelf.choose(store, config(setup, name)).await;
                let (queued, rules) = chosen.map_err(|problem| stop(problem.detail))?;
                recorder.configure(queued, &rules).map_err(stop)?;
                for (paytable, amount) in &setup.presets {
                    recorder.preset(paytable, *amount)?;
                }
            }
        }
    }
    let Recorder { state, head, meters, records, .. } = recorder;
    if !agree(&state.table, played.floor.table(0)) {
        return Trouble::refused(format!("{file}: it comes to something else at a live table"));
    }
    let meters = meters.into_keys().collect();
    let imported = Imported { table: state.id, head, meters, records: records.len() as u64 };
    Ok(Prepared { imported, records: Records::Tape(records) })
}

/// Whether everybody has the same at both tables. Their rules differ in the order of options.
fn agree(one: &Table, other: &Table) -> bool {
    let house = [
        Account::Cage,
        Account::Bank,
        Account::House,
        Account::Envy,
        Account::Breakage,
        Account::Clearing,
        Account::Held,
    ];
    let seats = Seat::all().flat_map(|seat| [Account::Rack(seat), Account::Action(seat)]);
    house.into_iter().chain(seats).all(|account| one.balance(account) == other.balance(account))
        && one.rolls() == other.rolls()
        && one.hand() == other.hand()
}

fn config(setup: &Setup, name: &str) -> TableConfig {
    let Confirm { jackpots, over } = setup.confirm;
    let letters = name.trim().chars().filter(|letter| names::shows(*letter));
    TableConfig {
        name: letters.take(60).collect(),
        rules: setup.rulebooks.clone(),
        options: setup.options.iter().cloned().collect(),
        limits: BTreeMap::new(),
        dice: DiceMode::Dealer,
        practice: false,
        betting_seconds: None,
        // A tape says itself what waits, and one hand wrote it.
        confirm_jackpots: Some(jackpots),
        confirm_over: Some(over.unwrap_or(Cents::MOST)),
        betting_during_claims: jackpots || over.is_some(),
        two_people_over: Some(Cents::MOST),
        fills_over: None,
        credits_over: None,
        cash_outs_over: None,
        cash_over: None,
        markers_over: None,
        hold_buy_ins: false,
        seats: Seat::COUNT as u8,
        meters: BTreeMap::new(),
        new_meters: Vec::new(),
        // A tape plays as it did.
        empty_meters: true,
        // What waits on a tape waits at today's tables alike; nobody is there to pay first.
        procedures: PROCEDURES,
        paying: Some(false),
    }
}

async fn fresh(store: &dyn Store) -> Result<TableId, Trouble> {
    for _ in 0..100_000 {
        let table = TableId::fresh().map_err(|error| Trouble::Refused(error.to_string()))?;
        let stream = Stream::Table(table);
        // Of several nodes, whoever brings a table in runs it.
        if store.fence(&stream).is_ok() && store.head(&stream).await? == Head::default() {
            return Ok(table);
        }
    }
    Trouble::refused("this node runs no tables yet, try again in a moment")
}

/// A table and its meters, written down while they are played.
struct Recorder {
    state: LiveTable,
    head: Head,
    meters: BTreeMap<MeterId, (KeptMeter, Head)>,
    /// What meters have awarded and nobody has confirmed yet.
    owed: Vec<MeterAward>,
    records: Vec<Record>,
    at: u64,
}

impl Recorder {
    fn open(table: TableId, setup: Queued, rules: &Arc<Rules>) -> Recorder {
        let at = now();
        let opened = TableEntry::Opened {
            config: setup.config.clone(),
            library: setup.library.clone(),
            rules: setup.rules,
        };
        let record = Entry::new(at, BY, opened).record(Head::default(), Stream::Table(table));
        let (head, records) = (record.head(), vec![record]);
        let state = LiveTable::open(table, BY, setup, Arc::clone(rules), at);
        let (meters, owed) = (BTreeMap::new(), Vec::new());
        let mut recorder = Recorder { state, head, meters, owed, records, at };
        recorder.open_meters(rules);
        recorder
    }

    /// Opens the meters of these rules that are not open yet.
    fn open_meters(&mut self, rules: &Rules) {
        for rule in rules.meters() {
            let id = MeterId::local(self.state.id, &rule.name);
            if self.meters.contains_key(&id) {
                continue;
            }
            let (meter, record) = opening(&id, BY, &rule.name, rule.terms, false);
            self.meters.insert(id, (meter, record.head()));
            self.records.push(record);
        }
        // They were opened with a clock of their own.
        self.at = now().max(self.at);
    }

    /// Has the table go over to another configuration, as the crew would have gone about it.
    fn configure(&mut self, queued: Queued, rules: &Arc<Rules>) -> Result<(), String> {
        for rule in rules.meters() {
            let id = MeterId::local(self.state.id, &rule.name);
            let running = self.meters.get(&id).map(|(meter, _)| *meter.meter.terms());
            if running.is_some_and(|terms| terms != rule.terms) {
                return Err(Refusal::OtherTerms { meter: rule.name.clone() }.to_string());
            }
        }
        let reason = "what the tape says the table plays from here on".to_owned();
        let of = Some(self.state.configuration());
        let proposal = Proposal::Configure { queued: queued.clone(), of, reason };
        let asked = self.head.seq + 1;
        let lines = self.state.lines(&proposal).map_err(|problem| problem.detail)?;
        let proposed = TableEntry::Proposed { proposal, lines, steps: Vec::new() };
        self.write(BY, None, proposed, None)?;
        let queued = Some(queued);
        let (steps, ticked) = (Vec::new(), Vec::new());
        let agreed = TableEntry::Agreed { proposal: asked, steps, ticked, queued };
        self.write(SECOND, Some(BY), agreed, None)?;
        self.open_meters(rules);
        let command = Command::Configure;
        let events = self.state.table.decide(rules, &command);
        let events = events.map_err(|refusal| refusal.to_string())?;
        let steps = vec![Step { command, events }];
        let what = TableEntry::Played { steps, thrown: None, commitment: None, owner: None };
        self.write("boxman", None, what, Some(rules))
    }

    /// What a meter shows before play, put there as an operator would.
    fn preset(&mut self, paytable: &str, amount: Cents) -> Result<(), Trouble> {
        let id = MeterId::local(self.state.id, paytable);
        let Some((meter, head)) = self.meters.get(&id) else { return Ok(()) };
        let by = amount - meter.meter.payable();
        if by == Cents::ZERO {
            return Ok(());
        }
        let reason = "what the tape says the meter shows before play".to_owned();
        let proposal =
            MeterProposal::Adjust { amount: by, reason, kind: None, table: None, record: None };
        let events = meter.carry_out(&proposal);
        let events = events.map_err(|refusal| Trouble::Refused(refusal.to_string()))?;
        let asked = head.seq + 1;
        let lines = meter.lines(&proposal);
        let lines = lines.map_err(|refusal| Trouble::Refused(refusal.to_string()))?;
        self.write_meter(&id, BY, None, MeterEntry::Proposed { proposal, lines });
        let agreed = MeterEntry::Agreed { proposal: asked, events };
        self.write_meter(&id, SECOND, Some(BY), agreed);
        Ok(())
    }

    fn write_meter(&mut self, id: &MeterId, by: &str, second: Option<&str>, what: MeterEntry) {
        let Some((state, head)) = self.meters.get_mut(id) else { return };
        let second = second.map(str::to_owned);
        let entry = Entry { second, ..Entry::new(self.at, by, what) };
        let record = entry.record(*head, Stream::Meter(id.clone()));
        *head = record.head();
        state.evolve(record.seq, &entry);
        self.records.push(record);
    }

    /// Has the table obey a command of the tape, as the crew would have gone about it.
    fn obey(&mut self, command: &Command) -> Result<(), String> {
        let proposal = match command {
            Command::Void { reason } => Proposal::Void { reason: reason.clone() },
            Command::Correct { roll, reason } => {
                Proposal::Correct { roll: *roll, reason: reason.clone() }
            }
            Command::DenyClaim { claim, reason } => {
                Proposal::Deny { claim: claim.0, reason: reason.clone() }
            }
            Command::Release { claim } => {
                let owed = self.owed.iter().find(|award| award.claim.id == *claim).map(pay);
                return self.play(SECOND, owed.unwrap_or_else(|| command.clone()));
            }
            Command::Roll { .. } | Command::NoRoll if self.state.table.is_betting_open() => {
                self.play(BY, Command::CloseBetting)?;
                return self.play(BY, command.clone());
            }
            // A table that comes in from a tape does not pay before it opens betting.
            Command::BeginPaying | Command::OpenBetting => return Ok(()),
            _ => return self.play(BY, command.clone()),
        };
        let waits = proposal.is_about_the_roll() && self.state.table.status() == Status::Running;
        let steps = self.steps(waits.then_some(Command::Pause))?;
        let asked = self.head.seq + 1;
        let lines = self.state.lines(&proposal).map_err(|problem| problem.detail)?;
        self.write(BY, None, TableEntry::Proposed { proposal, lines, steps }, None)?;
        let resume = waits.then_some(Command::Resume);
        let steps = self.steps([command.clone()].into_iter().chain(resume))?;
        let agreed =
            TableEntry::Agreed { proposal: asked, steps, ticked: Vec::new(), queued: None };
        self.write(SECOND, Some(BY), agreed, None)
    }

    fn play(&mut self, by: &str, command: Command) -> Result<(), String> {
        let steps = self.steps([command])?;
        let what = TableEntry::Played { steps, thrown: None, commitment: None, owner: None };
        self.write(by, None, what, None)
    }

    fn steps(&self, commands: impl IntoIterator<Item = Command>) -> Result<Vec<Step>, String> {
        self.state.steps(commands).map_err(|problem| problem.detail)
    }

    /// Writes a record, by which the table may go over to other rules, carries its letters to the
    /// meters and pays what they award, unless that waits.
    fn write(
        &mut self,
        by: &str,
        second: Option<&str>,
        what: TableEntry,
        next: Option<&Arc<Rules>>,
    ) -> Result<(), String> {
        let second = second.map(str::to_owned);
        let entry = Entry { second, ..Entry::new(self.at, by, what) };
        let record = entry.record(self.head, Stream::Table(self.state.id));
        self.head = record.head();
        self.state.evolve(record.seq, &entry, next);
        self.records.push(record);
        let letters = self.state.take_letters();
        let mut awards = Vec::new();
        for letter in letters {
            let Some((meter, _)) = self.meters.get(&letter.meter) else { continue };
            let heard = meter.hear(self.state.id, letter.seq, &letter.tells);
            let heard: Heard = heard.map_err(|refusal| refusal.to_string())?;
            awards.extend(heard.events.iter().filter_map(|event| match event {
                MeterEvent::Awarded(award) => Some(award.clone()),
                _ => None,
            }));
            let what = MeterEntry::Heard { heard: vec![heard] };
            self.write_meter(&letter.meter, "boxman", None, what);
        }
        if self.state.config().confirms_jackpots() {
            self.owed.extend(awards);
            return Ok(());
        }
        awards.iter().try_for_each(|award| self.play("boxman", pay(award)))
    }
}
