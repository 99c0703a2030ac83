//! What two people ask for, worked out again: what a request says that it would change, a mend that
//! it suggests, and whether it could be asked for at all.

use craps::{BuyInKind, Cents, Command};

use super::steps::{Checked, Replay};
use super::table::meter_options;
use crate::config::LimitKind;
use crate::line::{self, Line};
use crate::log::{Entry, Proposal, Queued, TableEntry};
use crate::mend::Mend;
use crate::table::{Bought, BoughtElsewhere};

impl Replay {
    /// A request says what it would change. Tables of earlier procedures may have been dealt by a
    /// version of the program that did not write it down.
    pub(super) fn check_lines(&self, proposal: &Proposal, recorded: &[Line]) -> Checked {
        if recorded.is_empty() && !self.state.config().has_procedures() {
            return Ok(());
        }
        let derived = self.state.lines(proposal);
        let derived = derived.map_err(|problem| format!("the rules refuse it: {problem}"))?;
        line::difference(recorded, &derived).map_or(Ok(()), Err)
    }

    /// Chips wait for a second person because of a limit, and the request says which. Tables of
    /// earlier procedures may have been dealt by a version of the program that said it otherwise.
    pub(super) fn check_held_move(
        &self,
        entry: &Entry<TableEntry>,
        proposal: &Proposal,
        lines: &[Line],
    ) -> Checked {
        let Proposal::Move { command, reason } = proposal else { return Ok(()) };
        if lines.is_empty() && !self.state.config().has_procedures() {
            return Ok(());
        }
        let elsewhere = self.bought_elsewhere(entry.at, command, reason);
        match self.state.takes_two(entry.at, &entry.by, command, &elsewhere) {
            Some(two) if two.reason == *reason => Ok(()),
            Some(two) => Err(format!(
                "chips wait for a second person because `{reason}`, and by the limits because `{}`",
                two.reason
            )),
            None => Err("chips wait for a second person, and no limit asks for one".to_owned()),
        }
    }

    /// What a player had bought at other tables, which are in other logs: as much as the reason of
    /// a held buy-in says beyond what this log does.
    fn bought_elsewhere(&self, at: u64, command: &Command, reason: &str) -> BoughtElsewhere {
        let Command::BuyIn { seat, kind, .. } = command else { return BoughtElsewhere::new() };
        let kind = match kind {
            BuyInKind::Marker => LimitKind::Markers,
            _ => LimitKind::Cash,
        };
        let usage = self.state.usage(at, kind, Some(*seat), &BoughtElsewhere::new());
        let (Some(usage), Some((_, player))) = (usage, self.state.player_at(*seat)) else {
            return BoughtElsewhere::new();
        };
        // A player's name, which comes first, may hold the same words.
        let said = reason.rsplit_once(" today: ").map_or("", |(_, said)| said);
        let said = said.split(" of ").next().and_then(|said| said.split(", ").next());
        let said: Option<Cents> = said.and_then(|said| said.parse().ok());
        let more = said.map_or(Cents::ZERO, |said| (said - usage.here).max(Cents::ZERO));
        let bought = match kind {
            LimitKind::Markers => Bought { markers: more, ..Bought::default() },
            _ => Bought { cash: more, ..Bought::default() },
        };
        BoughtElsewhere::from([(player, bought)])
    }

    /// What is suggested for a mend follows from the roll, the table before it and what has been
    /// moved since; what is decided moves money only where it may go.
    pub(super) fn check_mend(&self, at: u64, mend: &Mend) -> Checked {
        let of = mend.question.of;
        let roll = self.rolls.get(&of);
        let roll =
            roll.ok_or_else(|| format!("it mends record {of}, which is no roll of its day"))?;
        // What the meters showed is compared with what they say themselves: see `clearing`.
        let roll = &roll.with_shown(&mend.shown);
        let Mend { question, lines: decided, reason, video, .. } = mend;
        let derived = self.state.mend(roll, (question, Some(decided), reason, video), at);
        let derived = derived.map_err(|problem| format!("it mends a roll: {problem}"))?;
        if derived.suggested != mend.suggested {
            return Err(format!(
                "what is suggested for roll {} is not what settling it again comes to",
                mend.number
            ));
        }
        match derived == *mend {
            true => Ok(()),
            false => Err("the mend that is asked for is not the one that is told".to_owned()),
        }
    }

    /// By itself a configuration follows the terms of a meter, and changes nothing else.
    pub(super) fn check_followed(&self, queued: &Queued) -> Checked {
        let mut before = self.state.queued.as_ref().unwrap_or(&self.state.setup).config.clone();
        let mut after = queued.config.clone();
        let rules = self.state.rules();
        let meters = rules.meters().iter();
        let own: Vec<String> =
            meters.map(|rule| meter_options(&rules.wager(rule.wager).name)).collect();
        let other = |name: &str| !own.iter().any(|start| name.starts_with(start));
        before.options.retain(|name, _| other(name));
        after.options.retain(|name, _| other(name));
        let money = self.state.queued.as_ref().map(|queued| &queued.old_meters);
        let same_money =
            money.map_or(queued.old_meters.is_empty(), |known| *known == queued.old_meters);
        match before == after && same_money {
            true => Ok(()),
            false => Err("the configuration changes without two people".to_owned()),
        }
    }

    /// A table is closed only once nothing is left there.
    pub(super) fn check_closing(&self, proposal: &Proposal, agreed: Option<u64>) -> Checked {
        match self.state.remains(agreed).first() {
            Some(remains) if proposal.closes() => {
                Err(format!("the table is closed, and not empty: {}", remains.what))
            }
            _ => Ok(()),
        }
    }

    /// A request for another configuration changes the last one.
    pub(super) fn check_configuration(&self, proposal: &Proposal) -> Checked {
        let Proposal::Configure { of, .. } = proposal else { return Ok(()) };
        let now = self.state.configuration();
        match of {
            Some(of) if *of != now => {
                Err(format!("it changes configuration {of}, and that of record {now} is the last"))
            }
            _ => Ok(()),
        }
    }
}
