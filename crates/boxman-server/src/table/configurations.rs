//! Configurations: each has the number of the record that set it. A request for another one names
//! the one it changes, so that of two requests the later never undoes the earlier unseen.

use craps::Rules;

use super::LiveTable;
use super::settings::configured;
use crate::config::TableConfig;
use crate::id::MeterId;
use crate::line::{self, Line};
use crate::log::{Configured, Proposal, Queued, TableEntry};
use crate::problem::Problem;
use crate::role::Role;
use crate::two_people;

/// How many configurations are remembered, so that a late request is told what came instead.
const REMEMBERED: usize = 8;

impl LiveTable {
    /// The number of the configuration that another one would change: the one that waits, or else
    /// the one in force.
    pub fn configuration(&self) -> u64 {
        self.configurations.back().map_or(1, |configured| configured.record)
    }

    /// The configuration that another one would change.
    pub(crate) fn last_setup(&self) -> &Queued {
        self.queued.as_ref().unwrap_or(&self.setup)
    }

    pub(super) fn configure(
        &self,
        queued: &Queued,
        of: Option<u64>,
        reason: &str,
    ) -> Result<TableEntry, Problem> {
        let reason = two_people::reason(reason)?;
        self.check_purpose(&queued.config)?;
        self.propose(Proposal::Configure { queued: queued.clone(), of, reason })
    }

    /// Play money and real money never mix, not even one after the other.
    pub(crate) fn check_purpose(&self, config: &TableConfig) -> Result<(), Problem> {
        let fixed = "a table stays what it was opened as, for practice or for real players; open \
                     another";
        match config.practice == self.config().practice {
            true => Ok(()),
            false => Err(Problem::conflict("practice-fixed", fixed)),
        }
    }

    /// Refuses a configuration that was meant to change another one than the last, and one of a
    /// crew that does not say.
    pub(crate) fn check_configuration(
        &self,
        roles: &[Role],
        of: Option<u64>,
    ) -> Result<(), Problem> {
        match of {
            None if self.must_name(roles) => {
                let named = "name the configuration that this changes: `of`, as `configuration` of \
                             the table shows it";
                Err(Problem::invalid("no-configuration", named))
            }
            _ => self.check_changes(of),
        }
    }

    /// Whether a request still changes what it was meant to change.
    pub(crate) fn check_up_to_date(&self, proposal: &Proposal) -> Result<(), Problem> {
        match proposal {
            Proposal::Configure { of, .. } => self.check_changes(*of),
            _ => Ok(()),
        }
    }

    /// The paytables in force whose meters, the table's own, feed no bet here under another
    /// configuration. A decision about the money of a paytable's meter is about the table's own
    /// meter, never about one that tables share.
    pub(crate) fn dropped_meters(&self, config: &TableConfig, rules: &Rules) -> Vec<&String> {
        let table = self.id;
        let stays =
            |id: &MeterId| rules.meters().iter().any(|rule| config.meter(table, &rule.name) == *id);
        let paytables = self.rules().meters().iter().map(|rule| &rule.name);
        let own = paytables.filter(|name| self.meter(name) == MeterId::local(table, name));
        own.filter(|name| !stays(&self.meter(name))).collect()
    }

    fn check_changes(&self, of: Option<u64>) -> Result<(), Problem> {
        match of {
            Some(of) if of != self.configuration() => Err(self.out_of_date(of)),
            _ => Ok(()),
        }
    }

    /// Another configuration came in between: what is different now.
    fn out_of_date(&self, of: u64) -> Problem {
        let since = self.configurations.iter().filter(|configured| configured.record > of);
        let lines = line::together(since.flat_map(|configured| &configured.lines));
        let known = self.configurations.iter().any(|configured| configured.record == of);
        let detail = match known {
            true => {
                "the configuration has changed since: look at what is different now, and ask \
                     again"
            }
            false => {
                "that is not the configuration of this table now: look at it again, and ask \
                      again"
            }
        };
        Problem { lines: Some(lines.into()), ..Problem::conflict("out-of-date", detail) }
    }

    /// Another configuration waits from now on.
    pub(super) fn queue(&mut self, seq: u64, queued: &Queued) {
        let lines = configured(self.last_setup(), queued);
        self.note_configuration(seq, lines);
        self.kept.queued = Some(queued.clone());
    }

    pub(super) fn note_configuration(&mut self, record: u64, lines: Vec<Line>) {
        self.kept.configurations.push_back(Configured { record, lines });
        while self.configurations.len() > REMEMBERED {
            self.kept.configurations.pop_front();
        }
    }
}
