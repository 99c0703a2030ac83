//! What a meter makes of what it hears and is asked for. Pure but for the time of
//! its [`opening`]: it decides and evolves.

use std::collections::{BTreeMap, VecDeque};

use craps::meter::{MeterCommand, MeterEvent};
use craps::{Meter, MeterTerms, Refusal};

use crate::id::{MeterId, TableId};
use crate::log::{
    Entry, Head, Heard, KeptMeter, MeterEntry, MeterPending, MeterProposal, Record, Stream, Tell,
    now,
};
use crate::two_people::{self, ComesToNothing};

impl KeptMeter {
    /// A meter just opened.
    pub fn open(id: MeterId, paytable: &str, terms: MeterTerms, practice: bool) -> KeptMeter {
        KeptMeter {
            id,
            practice,
            meter: Meter::open(paytable, terms, None),
            heard: BTreeMap::new(),
            unpaid: Vec::new(),
            proposals: BTreeMap::new(),
            withdrawn: VecDeque::new(),
            at: 0,
        }
    }

    pub(crate) fn heard_of(&self, table: TableId) -> u64 {
        self.heard.get(&table.to_string()).copied().unwrap_or(0)
    }

    /// What the meter makes of what a table says.
    pub fn hear(&self, table: TableId, seq: u64, tells: &[Tell]) -> Result<Heard, Refusal> {
        let mut meter = self.meter.clone();
        let mut events = Vec::new();
        for tell in tells {
            let command = match tell {
                Tell::Fed { increment, reserve } => {
                    MeterCommand::Feed { increment: *increment, reserve: *reserve }
                }
                Tell::Won { claim, winners } => {
                    MeterCommand::Claim { claim: *claim, winners: winners.clone() }
                }
                Tell::Reversed { claim } => MeterCommand::Reverse { claim: *claim },
                Tell::Paid { .. } => continue,
            };
            events.extend(meter.obey(&command)?);
        }
        Ok(Heard { table, seq, tells: tells.to_vec(), events })
    }

    /// What an agreed proposal comes to.
    pub fn carry_out(&self, proposal: &MeterProposal) -> Result<Vec<MeterEvent>, Refusal> {
        self.meter.decide(&match proposal {
            MeterProposal::Adjust { amount, reason } => {
                MeterCommand::Adjust { amount: *amount, reason: reason.clone() }
            }
            MeterProposal::SetTerms { terms, .. } => MeterCommand::SetTerms { terms: *terms },
            MeterProposal::Close { .. } => MeterCommand::Close,
        })
    }

    /// Applies a record.
    pub fn evolve(&mut self, seq: u64, entry: &Entry<MeterEntry>) {
        self.at = entry.at;
        match &entry.what {
            MeterEntry::Opened { .. } => {}
            MeterEntry::Heard { heard } => heard.iter().for_each(|heard| self.take_in(heard)),
            MeterEntry::Proposed { proposal, lines } => {
                let pending = MeterPending {
                    proposal: proposal.clone(),
                    lines: lines.clone(),
                    by: entry.by.clone(),
                    name: entry.name.clone(),
                    until: two_people::until(entry.at),
                };
                self.proposals.insert(seq, pending);
            }
            MeterEntry::Withdrawn { proposal, reason } => {
                if let Some(pending) = self.proposals.remove(proposal) {
                    let request = ComesToNothing {
                        proposal: *proposal,
                        what: pending.proposal.in_words().0,
                        lines: &pending.lines,
                        asked_by: &pending.by,
                        reason: reason.as_ref(),
                    };
                    two_people::remember(&mut self.withdrawn, request, entry);
                }
            }
            MeterEntry::Changed { events, .. } => {
                events.iter().for_each(|event| self.meter.evolve(event));
            }
            MeterEntry::Agreed { proposal, events } => {
                self.proposals.remove(proposal);
                events.iter().for_each(|event| self.meter.evolve(event));
            }
        }
    }

    pub(crate) fn take_in(&mut self, heard: &Heard) {
        self.heard.insert(heard.table.to_string(), heard.seq);
        for event in &heard.events {
            self.meter.evolve(event);
            if let MeterEvent::Awarded(award) = event {
                self.unpaid.push(award.clone());
            }
        }
        for tell in &heard.tells {
            if let Tell::Reversed { claim } | Tell::Paid { claim } = tell {
                self.unpaid.retain(|award| award.claim != *claim);
            }
        }
    }
}

/// The first record of a meter.
pub fn opening(
    id: &MeterId,
    by: &str,
    paytable: &str,
    terms: MeterTerms,
    practice: bool,
) -> (KeptMeter, Record) {
    let opened = MeterEntry::Opened { paytable: paytable.to_owned(), terms, practice };
    let record = Entry::new(now(), by, opened).record(Head::default(), Stream::Meter(id.clone()));
    (KeptMeter::open(id.clone(), paytable, terms, practice), record)
}
