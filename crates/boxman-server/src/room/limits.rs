//! What a room tells its crew of the limits of the day, and what it hears of other tables.

use craps::Event;

use super::Room;
use super::clients::Forms;
use crate::access::is_account;
use crate::ask::{Command, Verb};
use crate::day::utc_day;
use crate::log::TableEntry;
use crate::office::TableToday;
use crate::problem::Problem;
use crate::table::BoughtElsewhere;
use crate::wire::{FromServer, LimitsView};

/// What players have bought at other tables, as of one state of the house.
#[derive(Default)]
pub(super) struct Elsewhere {
    version: u64,
    day: String,
    bought: BoughtElsewhere,
}

/// The limits that the crew was shown last.
#[derive(Default)]
pub(super) struct LimitsShown {
    view: Option<LimitsView>,
    /// Whether something has happened since that may change them.
    due: bool,
}

impl Room {
    /// What players have bought at other tables today.
    pub(super) fn elsewhere(&mut self) -> &BoughtElsewhere {
        let day = utc_day(self.moment());
        let version = self.office.bought.version();
        let known = &mut self.elsewhere;
        if (known.version, &known.day) != (version, &day) || version == 0 {
            let bought = self.office.bought.elsewhere(self.state.id, &day);
            *known = Elsewhere { version, day, bought };
        }
        &self.elsewhere.bought
    }

    /// The same, where a command depends on it.
    pub(super) fn elsewhere_for(&mut self, verb: Verb) -> BoughtElsewhere {
        match verb {
            Verb::BuyIn => self.elsewhere().clone(),
            _ => BoughtElsewhere::new(),
        }
    }

    /// The limits as they are now.
    pub(super) fn limits(&mut self) -> Option<LimitsView> {
        let at = self.moment();
        self.elsewhere();
        LimitsView::of(&self.state, at, &self.elsewhere.bought)
    }

    /// Notes that a record may change what is left of a limit.
    pub(super) fn note_limits(&mut self, what: &TableEntry) {
        let changes = |event: &Event| {
            matches!(
                event,
                Event::Sat { .. }
                    | Event::Left { .. }
                    | Event::Renamed { .. }
                    | Event::BoughtIn { .. }
                    | Event::CashedOut { .. }
                    | Event::Filled { .. }
                    | Event::Credited { .. }
                    | Event::Configured { .. }
            )
        };
        let said = matches!(what, TableEntry::Linked { .. } | TableEntry::Identified { .. });
        let mut events = what.steps().iter().flat_map(|step| &step.events);
        self.limits_shown.due |= said || events.any(changes);
    }

    /// Tells the house what players have bought here, once that is durable.
    pub(super) fn tell_bought(&self) {
        if self.limits_shown.due && self.state.config().has_procedures() {
            let (id, at) = (self.state.id, self.moment());
            let today = TableToday::new(utc_day(at), self.state.bought(at));
            if self.office.bought.note(id, today) {
                self.office.note_change(id);
            }
        }
    }

    /// Tells the crew what is left, where that has changed.
    pub(super) fn show_limits(&mut self) {
        if !std::mem::take(&mut self.limits_shown.due) {
            return;
        }
        if !self.clients.has_crew(&self.state.owners) {
            self.limits_shown.view = None;
            return;
        }
        let limits = self.limits();
        if self.limits_shown.view != limits {
            self.limits_shown.view.clone_from(&limits);
            let told = FromServer::Limits { seq: self.head.seq, limits: limits.map(Box::new) };
            self.clients.tell_crew(&self.state.owners, &told);
        }
    }

    /// The same after a while: a day may be over, and other tables may have told something.
    pub(super) fn look_at_limits(&mut self) {
        self.limits_shown.due |= self.state.config().has_procedures();
        if self.decided.is_empty() && self.trouble.is_none() && !self.blind {
            self.tell_bought();
            self.show_limits();
        }
    }

    /// Shows one of the crew who has just come how much is left of the limits.
    pub(super) fn show_limits_to(&mut self, client: u64) {
        if !self.clients.is_crew(client, &self.state.owners) {
            return;
        }
        if let Some(limits) = self.limits() {
            let told = FromServer::Limits { seq: self.head.seq, limits: Some(Box::new(limits)) };
            self.clients.tell(client, &mut Forms::of(told));
        }
    }

    /// Whether a person whom the crew names as an account has one.
    pub(super) async fn check_person(&self, command: &Command) -> Result<(), Problem> {
        let Command::Link { person: Some(person), .. } = command else { return Ok(()) };
        let person = person.trim();
        if is_account(person) && self.office.store.account(person).await?.is_none() {
            let none = format!("there is no account {person}");
            return Err(Problem::invalid("no-such-account", none));
        }
        Ok(())
    }
}
