//! A table's life as a tape: what was said and thrown at it, line by line, and at the end what
//! everybody had. Anyone can read it, and `boxman tape` plays it and checks the ending.

use std::collections::BTreeMap;

use craps::{Account, BuyInKind, CashOutKind, Cents, Command, Event, Library, Puck, Seat, Tape};
use futures_util::future::BoxFuture;

use super::meter::{MeterAudit, TableGone, Tables};
use super::rules::{Compiled, brought};
use super::steps::Replay;
use super::table::{TableAudit, commands};
use super::walk::Walk;
use super::{Finding, Source, Trouble, Verdict};
use crate::config::TableConfig;
use crate::id::{MeterId, TableId};
use crate::log::{Entry, MeterEntry, Record, Step, Stream, TableEntry};

/// Writes a table as a tape that plays by the rulebooks of `library`. What a tape cannot say is
/// refused, naming the record.
pub fn tape<'a>(
    source: Source<'a>,
    table: TableId,
    library: &'a Library,
) -> BoxFuture<'a, Result<String, Trouble>> {
    Box::pin(told(source, table, library))
}

async fn told(source: Source<'_>, table: TableId, library: &Library) -> Result<String, Trouble> {
    let mut audit = TableAudit::new(table);
    let mut script = Script::default();
    let mut compiled = Compiled::default();
    let stream = Stream::Table(table);
    let end = source.head(&stream).await?;
    if end.seq == 0 {
        return Trouble::refused(format!("there is no table {table} here"));
    }
    let mut walk = Walk::new(source, stream.clone(), end, None);
    while let Some(page) = walk.page().await? {
        for record in &page.records {
            let unsound = |reason: String| Finding::new(&stream, record.seq, reason);
            let entry: Entry<TableEntry> =
                record.entry().map_err(|error| Trouble::Unsound(unsound(error.reason)))?;
            let rules = match brought(&entry.what) {
                Some(setup) => {
                    let rules = compiled.of(source, &setup).await?;
                    Some(rules.map_err(|reason| Trouble::Unsound(unsound(reason)))?)
                }
                None => None,
            };
            let taken = audit.take(record, &entry, rules, &mut Verdict::default());
            taken.map_err(|reason| Trouble::Unsound(unsound(reason)))?;
            check_tellable(&audit, record, &entry.what)?;
            let Some(config) = audit.replay.as_ref().map(|replay| replay.state.config()) else {
                continue;
            };
            if let TableEntry::Opened { .. } = &entry.what {
                script.lines.extend(header(table, config, end.seq));
            }
            script.confirms = config.confirms_jackpots();
            for command in commands(&entry.what) {
                script.tell(command);
                if *command == Command::Configure {
                    script.lines.extend(setup(config));
                }
            }
        }
        if let Some(finding) = page.broken {
            return Err(Trouble::Unsound(finding));
        }
    }
    script.flush();
    let heads = TableGone { audit, whole: true, end: end.seq, later: u64::MAX };
    let tables = Tables::from([(table, heads)]);
    let Some(TableGone { audit, .. }) = tables.get(&table) else {
        return Trouble::refused("there is nothing to tell");
    };
    let Some(replay) = &audit.replay else { return Trouble::refused("there is nothing to tell") };
    let mut lines = std::mem::take(&mut script.lines);
    lines.extend(ending(replay, &script.words));
    for meter in audit.linked.iter().filter(|(_, linked)| !linked.shared).map(|(meter, _)| meter) {
        lines.extend(meter_line(source, meter, table, &tables).await?);
    }
    let text = lines.join("\n") + "\n";
    check_plays(&text, replay, library)?;
    Ok(text)
}

/// What a tape has no line for.
fn check_tellable(audit: &TableAudit, record: &Record, entry: &TableEntry) -> Result<(), Trouble> {
    let steps: &[Step] = match entry {
        TableEntry::Played { steps, .. }
        | TableEntry::Confirmed { steps, .. }
        | TableEntry::Agreed { steps, .. } => steps,
        _ => &[],
    };
    let stop = |what: &str| {
        let (seq, stream) = (record.seq, &record.stream);
        Trouble::refused(format!(
            "record {seq} of {stream}: {what}, which a tape cannot say; export it as jsonl"
        ))
    };
    for event in steps.iter().flat_map(|step| &step.events) {
        let claims = match event {
            Event::Rolled(rolled) | Event::Corrected { rolled, .. } => &rolled.claims,
            Event::Mended(_) => return stop("an earlier roll is mended"),
            _ => continue,
        };
        let shared = |claim: &craps::table::Claim| {
            let replay = audit.replay.as_ref();
            replay.is_some_and(|replay| replay.state.config().meters.contains_key(&claim.meter))
        };
        if claims.iter().any(shared) {
            return stop("a meter shared with other tables is won");
        }
    }
    Ok(())
}

/// Words without anything that would end a line or start a comment.
fn spoken(text: &str) -> String {
    let clean: String =
        text.chars().map(|c| if c == '#' || c.is_control() { ' ' } else { c }).collect();
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn header(table: TableId, config: &TableConfig, records: u64) -> Vec<String> {
    let name = spoken(&config.name);
    let mut lines = vec![format!("# {name}, table {table}: its {records} records as a tape.")];
    lines.extend(setup(config));
    lines
}

/// How a table plays from here on.
fn setup(config: &TableConfig) -> Vec<String> {
    let mut lines = Vec::new();
    let rules: Vec<String> = config.rules.iter().map(|rule| rule.replace(' ', "")).collect();
    lines.push(format!("rules {}", rules.join(" ")));
    for (name, value) in config.all_options() {
        lines.push(format!("option {name} {}", spoken(&value)));
    }
    if config.confirms_jackpots() {
        lines.push("confirm jackpots".to_owned());
    }
    let over = config.held_above().filter(|over| *over < Cents::MOST);
    lines.extend(over.map(|over| format!("confirm over {over}")));
    lines
}

/// The lines of the play, and who is called what.
#[derive(Default)]
struct Script {
    lines: Vec<String>,
    words: Words,
    /// Whether a jackpot waits until it is confirmed.
    confirms: bool,
    /// A command that the next one may belong to.
    held: Option<Command>,
}

impl Script {
    fn tell(&mut self, command: &Command) {
        match (self.held.take(), command) {
            (
                Some(Command::Sit { seat, name }),
                Command::BuyIn { seat: same, amount, kind: BuyInKind::Cash },
            ) if seat == *same => {
                let word = self.words.call(seat, &name);
                self.lines.push(format!("seat {word} {amount} at {}", seat.0 + 1));
                return;
            }
            // A throw closes the betting by itself.
            (Some(Command::CloseBetting), Command::Roll { .. } | Command::NoRoll) => {}
            (held, _) => {
                let line = held.and_then(|held| self.line(&held));
                self.lines.extend(line);
            }
        }
        match command {
            Command::Sit { .. } | Command::CloseBetting => self.held = Some(command.clone()),
            _ => {
                let line = self.line(command);
                self.lines.extend(line);
            }
        }
    }

    fn flush(&mut self) {
        let line = self.held.take().and_then(|held| self.line(&held));
        self.lines.extend(line);
    }

    fn line(&mut self, command: &Command) -> Option<String> {
        let who = |seat: &Seat| self.words.of(*seat);
        Some(match command {
            Command::Sit { seat, name } => {
                format!("seat {} at {}", self.words.call(*seat, name), seat.0 + 1)
            }
            Command::Leave { seat, kind: CashOutKind::Walk } => format!("{} leave", who(seat)),
            Command::Leave { seat, kind } => format!("{} leave {kind}", who(seat)),
            // On a tape players keep the word they sat down with.
            Command::Rename { .. } => return None,
            Command::BuyIn { seat, amount, kind: BuyInKind::Cash } => {
                format!("{} buy-in {amount}", who(seat))
            }
            Command::BuyIn { seat, amount, kind } => {
                format!("{} buy-in {amount} {kind}", who(seat))
            }
            Command::CashOut { seat, amount, kind: CashOutKind::Walk } => {
                format!("{} cash-out {amount}", who(seat))
            }
            Command::CashOut { seat, amount, kind } => {
                format!("{} cash-out {amount} {kind}", who(seat))
            }
            Command::BeginPaying => "paying".to_owned(),
            Command::OpenBetting => "open-betting".to_owned(),
            Command::Fill { amount } => format!("fill {amount}"),
            Command::Credit { amount } => format!("credit {amount}"),
            Command::Put { seat, wager, amount } => format!("{} {wager} {amount}", who(seat)),
            Command::Take { seat, wager, amount: None } => format!("{} take {wager}", who(seat)),
            Command::Take { seat, wager, amount: Some(amount) } => {
                format!("{} take {wager} by {amount}", who(seat))
            }
            Command::Call { seat, wager, call } => {
                format!("{} {} {wager}", who(seat), call.word())
            }
            Command::CloseBetting => "close-betting".to_owned(),
            Command::Roll { roll } => format!("roll {roll}"),
            Command::NoRoll => "no-roll".to_owned(),
            Command::PassDice => "pass-dice".to_owned(),
            Command::Void { reason } => format!("void {}", spoken(reason)),
            Command::Correct { roll, reason } => format!("correct {roll} {}", spoken(reason)),
            Command::Pause => "pause".to_owned(),
            Command::Resume => "resume".to_owned(),
            Command::Close => "close".to_owned(),
            Command::Return { seat, wager, reason } => {
                format!("return {} {wager} {}", who(seat), spoken(reason))
            }
            Command::Release { claim } => format!("confirm {}", claim.0),
            Command::PayClaim { claim, .. } if self.confirms => format!("confirm {}", claim.0),
            Command::DenyClaim { claim, reason } => {
                format!("deny {} {}", claim.0, spoken(reason))
            }
            Command::Configure => "configure".to_owned(),
            // Refused before: a tape has no line for it.
            Command::Mend(_) => return None,
            // A meter on a tape pays by itself, and what waits is held by itself.
            Command::PayClaim { .. } | Command::Hold { .. } | Command::HoldEnvy { .. } => {
                return None;
            }
        })
    }
}

/// What players are called on the tape: their names as single words, each its own.
#[derive(Default)]
struct Words {
    known: BTreeMap<(u8, String), String>,
    seated: BTreeMap<u8, String>,
}

impl Words {
    /// Somebody sits down.
    fn call(&mut self, seat: Seat, name: &str) -> String {
        let key = (seat.0, name.to_owned());
        let word = match self.known.get(&key) {
            Some(word) => word.clone(),
            None => self.fresh(name),
        };
        self.known.insert(key, word.clone());
        self.seated.insert(seat.0, word.clone());
        word
    }

    fn fresh(&self, name: &str) -> String {
        let plain = |c: char| if c.is_alphanumeric() { c } else { '-' };
        let word: String = name.to_lowercase().chars().map(plain).collect();
        let word = word.trim_matches('-');
        let word = if word.is_empty() { "player" } else { word };
        let free =
            |word: &String| Tape::is_name(word) && !self.known.values().any(|known| known == word);
        let numbered = (2..).map(|number: u32| format!("{word}-{number}"));
        let mut words = [word.to_owned()].into_iter().chain(numbered);
        words.find(free).unwrap_or_default()
    }

    fn of(&self, seat: Seat) -> String {
        self.seated.get(&seat.0).cloned().unwrap_or_default()
    }
}

/// What everybody has in the end.
fn ending(replay: &Replay, words: &Words) -> Vec<String> {
    let (state, rules) = (&replay.state, replay.state.rules());
    let table = &state.table;
    let mut lines = Vec::new();
    for (seat, player) in table.players() {
        let word = words.of(seat);
        lines.push(format!("= {word} {}", table.rack(seat)));
        for bet in player.layout.bets() {
            let wager = &rules.spot_rule(bet.spot).notation;
            lines.push(format!("= {word} {wager} {}", bet.stake));
        }
    }
    let accounts = [
        ("house", Account::House),
        ("envy", Account::Envy),
        ("breakage", Account::Breakage),
        ("cage", Account::Cage),
        ("bank", Account::Bank),
        ("clearing", Account::Clearing),
        ("held", Account::Held),
    ];
    for (name, account) in accounts {
        lines.push(format!("= {name} {}", table.balance(account)));
    }
    lines.push(format!("= memo {}", table.memo()));
    lines.push(match table.hand().puck {
        Puck::Off => "= puck off".to_owned(),
        Puck::On(point) => format!("= puck {point}"),
    });
    lines.extend(table.shooter(rules).map(|seat| format!("= shooter {}", words.of(seat))));
    lines
}

/// What one of the table's own meters shows, where nobody but the table has changed it.
async fn meter_line(
    source: Source<'_>,
    meter: &MeterId,
    table: TableId,
    tables: &Tables,
) -> Result<Option<String>, Trouble> {
    let stream = Stream::Meter(meter.clone());
    let end = source.head(&stream).await?;
    let mut walk = Walk::new(source, stream, end, None);
    let mut audit = MeterAudit::new(meter.clone());
    while let Some(page) = walk.page().await? {
        for record in &page.records {
            let unsound =
                |reason: String| Trouble::Unsound(Finding::new(&record.stream, record.seq, reason));
            let entry: Entry<MeterEntry> = record.entry().map_err(|error| unsound(error.reason))?;
            audit.take(record, &entry, tables).map_err(unsound)?;
        }
        if let Some(finding) = page.broken {
            return Err(Trouble::Unsound(finding));
        }
    }
    let told = tables.get(&table).and_then(|gone| gone.audit.letters.get(meter));
    let heard = audit.under_way(table, told.map_or(&[][..], Vec::as_slice)) == 0;
    let own = heard && !audit.changed && audit.unknown.is_empty();
    let state = audit.state.filter(|_| own).map(|state| state.meter);
    Ok(state.map(|meter| format!("= meter {} {}", meter.name(), meter.payable())))
}

/// A tape is only handed out where it plays by the same rules and comes to the same end.
fn check_plays(text: &str, replay: &Replay, library: &Library) -> Result<(), Trouble> {
    let tape = match Tape::parse("export", text, library) {
        Ok(tape) => tape,
        Err(error) => return Trouble::refused(format!("a tape cannot say it: {error}")),
    };
    if tape.last_rules().hash != replay.state.rules().hash {
        return Trouble::refused(
            "the table was played by other rulebooks than these; export it as jsonl",
        );
    }
    match tape.play().failures.first() {
        None => Ok(()),
        Some(failure) => Trouble::refused(format!(
            "a tape cannot say it: line {} of it ({}) comes to {}, not to {}; export it as jsonl",
            failure.line, failure.text, failure.got, failure.expected
        )),
    }
}
