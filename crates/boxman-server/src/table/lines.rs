//! What a request would change at a table: one function of the request and the table, by which the
//! room writes it down and an audit derives it again.

use std::collections::BTreeMap;

use craps::table::Dice;
use craps::{Account, BuyInKind, CashOutKind, Command, Event, Seat, Table};

use super::settings::configured;
use super::{LiveTable, Locked};
use crate::line::{Facts, Line, dollars, plain};
use crate::log::{Pending, Proposal};
use crate::problem::Problem;

impl LiveTable {
    /// What a request would change once two people agree to it.
    pub(crate) fn lines(&self, proposal: &Proposal) -> Result<Vec<Line>, Problem> {
        let command = match proposal {
            Proposal::Configure { queued, .. } => {
                return Ok(configured(self.last_setup(), queued));
            }
            Proposal::AcceptTray { short, .. } => {
                let short = format!("bets while the tray is {} short", dollars(*short));
                return Ok(vec![Line::new(short, "closed", "open")]);
            }
            Proposal::Mend(mend) => return Ok(mend.in_lines()),
            Proposal::Close { .. } => {
                return Ok(vec![Line::new("table", "open", "closed for good")]);
            }
            Proposal::GiveUp { seat, reason, .. } => {
                return self.changes(&self.table, self.emptying(*seat, Locked::HandedBack, reason));
            }
            Proposal::Void { .. }
            | Proposal::Correct { .. }
            | Proposal::Deny { .. }
            | Proposal::Move { .. } => self.command_of(proposal),
        };
        self.changes(&self.table, command)
    }

    /// What a command changes of a table.
    fn changes(
        &self,
        before: &Table,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<Vec<Line>, Problem> {
        let commands: Vec<Command> = commands.into_iter().collect();
        let mut lines: Vec<Line> = commands.iter().filter_map(kind).collect();
        let (after, events) = self.after(before, commands)?;
        let names: Names = names(&after).into_iter().chain(names(before)).collect();
        let changes = self.facts(before, &names).changes(&self.facts(&after, &names));
        lines.extend(rolls(&events));
        lines.extend(changes.into_iter().map(|line| self.undone(line, &events, &names)));
        Ok(lines)
    }

    /// A table after these commands, with what follows from them.
    fn after(
        &self,
        before: &Table,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<(Table, Vec<Event>), Problem> {
        let steps = self.steps_from(before, commands)?;
        let events: Vec<Event> = steps.into_iter().flat_map(|step| step.events).collect();
        let mut after = before.clone();
        events.iter().for_each(|event| after.evolve(event));
        Ok((after, events))
    }

    /// Everything at a table that a second person may want to know.
    fn facts(&self, table: &Table, names: &Names) -> Facts {
        let mut facts = Facts::default();
        let rules = self.rules();
        let hand = table.hand();
        let bets = |seat: Seat| table.player(seat).is_some_and(|it| !it.layout.is_empty());
        let held = matches!(table.dice(), Dice::Held(_));
        let shooter = table.shooter(rules).filter(|seat| held || bets(*seat));
        let shooter = shooter.map(|seat| called(seat, names)).unwrap_or_default();
        facts.add("rolls that count", table.rolls().to_string());
        let point = hand.puck.point().map(|point| format!("ON {}", point.number()));
        facts.add("puck", point.unwrap_or_else(|| "OFF".to_owned()));
        facts.add("shooter", shooter);
        for (spot, tracker) in rules.tracked().zip(hand.trackers) {
            let lammers = craps::catalogue::progress(rules, spot, tracker).words;
            let wager = plain(&rules.spot_rule(spot).notation);
            facts.add(format!("lammers of {wager}"), lammers);
        }
        for seat in Seat::all() {
            let seated = table.player(seat).map(|player| player.name.clone());
            facts.add(format!("player of {seat}"), seated.unwrap_or_default());
            let rack = table.rack(seat);
            let shown = table.player(seat).map(|_| dollars(rack)).unwrap_or_default();
            facts.add(format!("rack of {}", called(seat, names)), shown);
            let bets = table.player(seat).map_or(&[][..], |player| player.layout.bets());
            for bet in bets {
                let wager = &rules.spot_rule(bet.spot).notation;
                facts.add(bet_of(wager, seat, names), dollars(bet.stake));
            }
        }
        for claim in table.claims() {
            let winners = claim.winners.iter().map(|(seat, _)| called(*seat, names));
            let winners: Vec<String> = winners.collect();
            let what = format!("claim {} on the jackpot of {}", claim.id.0, claim.meter);
            facts.add(what, format!("waits, won by {}", winners.join(" and ")));
        }
        for award in table.held() {
            let wager = plain(&rules.spot_rule(award.spot).notation);
            let who = called(award.seat, names);
            let what = format!("claim {}, award on {wager} of {who}", award.id.0);
            facts.add(what, format!("{} held", dollars(award.amount)));
        }
        for envy in table.held_envy() {
            let claims: Vec<String> = envy.claims.iter().map(|id| id.0.to_string()).collect();
            let what = format!("held for the dealers with claim {}", claims.join(", "));
            facts.add(what, dollars(envy.amount));
        }
        facts.add("paid to the dealers", dollars(table.balance(Account::Envy)));
        facts.add("tray", dollars(table.tray()));
        facts
    }

    /// Whether what a player leaves with is still what a request said.
    pub(super) fn check_leaving(&self, pending: &Pending) -> Result<(), Problem> {
        let (Proposal::GiveUp { seat, .. }
        | Proposal::Move { command: Command::Leave { seat, .. }, .. }) = &pending.proposal
        else {
            return Ok(());
        };
        let who = called(*seat, &names(&self.table));
        let own = |lines: &[Line]| -> Vec<Line> {
            lines.iter().filter(|line| line.what.contains(&who)).cloned().collect()
        };
        if pending.lines.is_empty() || own(&self.lines(&pending.proposal)?) == own(&pending.lines) {
            return Ok(());
        }
        let again = format!("the chips of {who} have changed: withdraw this request and ask again");
        Err(Problem::conflict("out-of-date", again))
    }

    /// A bet that changes because it was made after a roll that is taken back is marked.
    fn undone(&self, mut line: Line, events: &[Event], names: &Names) -> Line {
        let voided = events.iter().find_map(|event| match event {
            Event::Voided(voided) | Event::Corrected { voided, .. } => Some(voided),
            _ => None,
        });
        let undone = voided.map_or(&[][..], |voided| &voided.undone[..]);
        let made_since = undone.iter().any(|undone| {
            let wager = &self.rules().spot_rule(undone.spot).notation;
            line.what == bet_of(wager, undone.seat, names)
        });
        if made_since {
            line.what.push_str(", changed since the roll");
        }
        line
    }
}

/// The names of players, by seat.
type Names = BTreeMap<u8, String>;

fn names(table: &Table) -> Names {
    table.players().map(|(seat, player)| (seat.0, player.name.clone())).collect()
}

fn called(seat: Seat, names: &Names) -> String {
    match names.get(&seat.0) {
        Some(name) => format!("{seat}, {name}"),
        None => seat.to_string(),
    }
}

fn bet_of(wager: &str, seat: Seat, names: &Names) -> String {
    format!("{} of {}", plain(wager), called(seat, names))
}

/// What is given for chips, or where they go.
fn kind(command: &Command) -> Option<Line> {
    let bought = |kind: BuyInKind| match kind {
        BuyInKind::Cash => "cash",
        BuyInKind::Marker => "a marker",
        BuyInKind::Coupon => "a coupon",
        BuyInKind::Chips => "chips brought along",
    };
    let gone = |kind: CashOutKind| match kind {
        CashOutKind::Walk => "the player takes them along",
        CashOutKind::Jackpot => "a jackpot that the cage pays",
        CashOutKind::Redeem => "redeemed at the table",
        CashOutKind::Toke => "a toke for the dealers",
        CashOutKind::LeftBehind => "left behind, held for the player",
    };
    match command {
        Command::BuyIn { kind, amount, .. } => {
            Some(Line::new(format!("paid for {} in chips", dollars(*amount)), "", bought(*kind)))
        }
        Command::CashOut { kind, amount, .. } => {
            Some(Line::new(format!("{} in chips", dollars(*amount)), "", gone(*kind)))
        }
        Command::Leave { kind, .. } => Some(Line::new("chips of the player", "", gone(*kind))),
        _ => None,
    }
}

/// What becomes of a roll that is taken back.
fn rolls(events: &[Event]) -> Option<Line> {
    events.iter().find_map(|event| match event {
        Event::Voided(voided) => {
            Some(Line::new("last roll", voided.roll.to_string(), "does not count"))
        }
        Event::Corrected { voided, rolled } => {
            Some(Line::new("last roll", voided.roll.to_string(), rolled.roll.to_string()))
        }
        _ => None,
    })
}
