//! The floor: tables and the meters they are linked to, run together in one place.
//!
//! A table feeds meters and claims from them but never reads them. The floor carries those
//! messages: a roll that wins a top award becomes a claim, the meter answers with an award, and
//! the table records that it was paid. Local and linked meters take the same road.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::meter::{Meter, MeterCommand, MeterEvent, TableClaim};
use crate::table::{Claim, Command, Event, Fed, Table};
use crate::{Cents, MicroCents, Refusal, Rules};

/// Tables, and the meters they share.
#[derive(Clone, Debug, Default)]
pub struct Floor {
    tables: Vec<(Rules, Table)>,
    meters: BTreeMap<String, Meter>,
}

/// Something that happened on the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum FloorEvent {
    /// At a table.
    Table {
        /// Which.
        table: u32,
        /// What.
        #[serde(flatten)]
        event: Event,
    },
    /// At a meter.
    Meter {
        /// Which.
        meter: String,
        /// What.
        #[serde(flatten)]
        event: MeterEvent,
    },
}

impl Floor {
    /// Opens a table, and those of its meters that are not running yet. A table that would run
    /// a linked meter on other terms is refused.
    pub fn open(&mut self, rules: Rules) -> Result<u32, Refusal> {
        self.link(&rules)?;
        let table = Table::open(&rules);
        self.tables.push((rules, table));
        Ok(self.tables.len() as u32 - 1)
    }

    fn link(&mut self, rules: &Rules) -> Result<(), Refusal> {
        for rule in rules.meters() {
            let running = self.meters.get(&rule.name);
            if running.is_some_and(|meter| *meter.terms() != rule.terms) {
                return Err(Refusal::OtherTerms { meter: rule.name.clone() });
            }
        }
        for rule in rules.meters() {
            let open = || Meter::open(&rule.name, rule.terms, None);
            self.meters.entry(rule.name.clone()).or_insert_with(open);
        }
        Ok(())
    }

    /// Has a table go over to other rules, between hands.
    pub fn configure(&mut self, table: u32, rules: Rules) -> Result<Vec<FloorEvent>, Refusal> {
        let state = self.table(table);
        let events = state.decide(&rules, &Command::Configure)?;
        self.link(&rules)?;
        let entry = &mut self.tables[table as usize];
        events.iter().for_each(|event| entry.1.evolve(event));
        entry.0 = rules;
        Ok(events.into_iter().map(|event| FloorEvent::Table { table, event }).collect())
    }

    /// Sets what a meter shows before play starts. Returns whether there is such a meter.
    pub fn preset(&mut self, meter: &str, amount: Cents) -> bool {
        match self.meters.get_mut(meter) {
            Some(meter) => {
                *meter = Meter::open(meter.name(), *meter.terms(), Some(amount));
                true
            }
            None => false,
        }
    }

    /// A table.
    pub fn table(&self, table: u32) -> &Table {
        &self.tables[table as usize].1
    }

    /// The rules a table plays by.
    pub fn rules(&self, table: u32) -> &Rules {
        &self.tables[table as usize].0
    }

    /// A meter.
    pub fn meter(&self, name: &str) -> Option<&Meter> {
        self.meters.get(name)
    }

    /// Every meter.
    pub fn meters(&self) -> impl Iterator<Item = &Meter> {
        self.meters.values()
    }

    /// Whether every account of every table sums to zero, no meter has lost money, and what
    /// tables have in clearing is what the meters have received and not paid.
    pub fn is_conserved(&self) -> bool {
        let tables = self.tables.iter().all(|(_, table)| table.sum() == Cents::ZERO);
        let sum = |sum: MicroCents, part| sum + part;
        let clearing = self.tables.iter().map(|(_, table)| table.cleared());
        let cleared = self.meters.values().map(Meter::cleared);
        tables
            && self.meters.values().all(Meter::is_conserved)
            && clearing.fold(MicroCents::ZERO, sum) == cleared.fold(MicroCents::ZERO, sum)
    }

    /// Has a table obey a command, and carries what follows from it to the meters and back.
    pub fn obey(&mut self, table: u32, command: &Command) -> Result<Vec<FloorEvent>, Refusal> {
        let (rules, state) = &mut self.tables[table as usize];
        let events = state.obey(rules, command)?;
        let mut log = Vec::new();
        for event in events {
            log.push(FloorEvent::Table { table, event: event.clone() });
            match &event {
                Event::Put(betting) | Event::Took(betting) => {
                    if let Some(fed) = &betting.fed {
                        let Fed { increment, reserve, .. } = *fed;
                        let feed = MeterCommand::Feed { increment, reserve };
                        self.tell(&fed.meter, &feed, &mut log);
                    }
                }
                Event::Rolled(rolled) => self.pay(table, &rolled.claims, &mut log),
                Event::Voided(voided) => self.reverse(table, &voided.claims, &mut log),
                Event::Corrected { voided, rolled } => {
                    self.reverse(table, &voided.claims, &mut log);
                    self.pay(table, &rolled.claims, &mut log);
                }
                _ => {}
            }
        }
        Ok(log)
    }

    fn tell(&mut self, meter: &str, command: &MeterCommand, log: &mut Vec<FloorEvent>) {
        let state = self.meters.get_mut(meter).expect("a table's meters are opened with it");
        let events = state.obey(command).expect("a meter takes what its tables tell it");
        let logged = |event| FloorEvent::Meter { meter: meter.to_owned(), event };
        log.extend(events.into_iter().map(logged));
    }

    fn pay(&mut self, table: u32, claims: &[Claim], log: &mut Vec<FloorEvent>) {
        for claim in claims {
            let known = TableClaim { table, id: claim.id };
            let winners = claim.winners.clone();
            let answered = log.len();
            self.tell(&claim.meter, &MeterCommand::Claim { claim: known, winners }, log);
            let award = log[answered..].iter().find_map(|logged| match logged {
                FloorEvent::Meter { event: MeterEvent::Awarded(award), .. } => Some(award.clone()),
                _ => None,
            });
            let award = award.expect("a meter answers every claim");
            let command = Command::PayClaim {
                claim: claim.id,
                shares: award.shares,
                from_house: award.from_house,
            };
            let (rules, state) = &mut self.tables[table as usize];
            let events = state.obey(rules, &command).expect("a claim is paid once");
            log.extend(events.into_iter().map(|event| FloorEvent::Table { table, event }));
        }
    }

    fn reverse(&mut self, table: u32, claims: &[Claim], log: &mut Vec<FloorEvent>) {
        for claim in claims {
            let command = MeterCommand::Reverse { claim: TableClaim { table, id: claim.id } };
            self.tell(&claim.meter, &command, log);
        }
    }
}
