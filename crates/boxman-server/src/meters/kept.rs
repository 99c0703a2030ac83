//! What a meter makes of what it hears and is asked for. Pure but for the time of
//! its [`opening`]: it decides and evolves.

use std::collections::{BTreeMap, VecDeque};

use craps::meter::{Award as MeterAward, MeterCommand, MeterEvent, Moving};
use craps::{Meter, MeterTerms, Refusal};

use crate::id::{MeterId, TableId};
use crate::log::{
    Entry, FixedAward, Head, Heard, KeptMeter, MeterEntry, MeterPending, MeterProposal,
    PlayersMoney, Record, Sent, Stream, Tell, Transfer, now,
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
            shown: Vec::new(),
            proposals: BTreeMap::new(),
            withdrawn: VecDeque::new(),
            sent: Vec::new(),
            taken_in: Vec::new(),
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
                Tell::Unlinked { players: PlayersMoney::Meter { .. } } => {
                    MeterCommand::MoveOut(Moving::AboveSeed)
                }
                Tell::Unlinked { players: PlayersMoney::Kept } => {
                    MeterCommand::Keep(Moving::AboveSeed)
                }
            };
            events.extend(meter.obey(&command)?);
        }
        Ok(Heard { table, seq, tells: tells.to_vec(), events })
    }

    /// What an agreed proposal comes to.
    pub fn carry_out(&self, proposal: &MeterProposal) -> Result<Vec<MeterEvent>, Refusal> {
        let mut meter = self.meter.clone();
        let mut events = Vec::new();
        for command in commands(proposal) {
            events.extend(meter.obey(&command)?);
        }
        Ok(events)
    }

    /// What the meter makes of players' money that comes from another meter.
    pub fn take_money_in(&self, transfer: &Transfer) -> Result<Vec<MeterEvent>, Refusal> {
        let Transfer { amount, reserve, .. } = *transfer;
        self.meter.decide(&MeterCommand::TakeIn { amount, reserve })
    }

    /// Whether it has taken that money in before.
    pub fn has_taken_in(&self, transfer: &Transfer) -> bool {
        self.taken_in
            .iter()
            .any(|(from, record)| (from, *record) == (&transfer.from, transfer.record))
    }

    /// Applies a record.
    pub fn evolve(&mut self, seq: u64, entry: &Entry<MeterEntry>) {
        self.at = entry.at;
        match &entry.what {
            MeterEntry::Opened { .. } => {}
            MeterEntry::Heard { heard } => heard.iter().for_each(|heard| self.take_in(seq, heard)),
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
            MeterEntry::Changed { proposal, events } => {
                events.iter().for_each(|event| self.change(seq, proposal.to(), event));
            }
            MeterEntry::Agreed { proposal, events } => {
                let pending = self.proposals.remove(proposal).map(|pending| pending.proposal);
                let to = pending.as_ref().and_then(MeterProposal::to);
                events.iter().for_each(|event| self.change(seq, to, event));
            }
            MeterEntry::TakenIn { transfer, events } => {
                self.taken_in.push((transfer.from.clone(), transfer.record));
                events.iter().for_each(|event| self.meter.evolve(event));
            }
        }
    }

    /// Applies an event. Money that leaves is on its way until another meter has taken it in.
    fn change(&mut self, seq: u64, to: Option<&MeterId>, event: &MeterEvent) {
        self.meter.evolve(event);
        if let (MeterEvent::MovedOut(moved), Some(to)) = (event, to) {
            let transfer = Transfer {
                from: self.id.clone(),
                record: seq,
                amount: moved.amount + moved.kept,
                reserve: moved.reserve + moved.overflow,
            };
            self.sent.push(Sent { to: to.clone(), transfer });
        }
    }

    pub(crate) fn take_in(&mut self, seq: u64, heard: &Heard) {
        let to = heard.tells.iter().find_map(|tell| match tell {
            Tell::Unlinked { players } => players.to(),
            _ => None,
        });
        self.heard.insert(heard.table.to_string(), heard.seq);
        for event in &heard.events {
            if let MeterEvent::Awarded(award) = event {
                self.unpaid.push(award.clone());
                self.shown.push((award.claim, self.meter.payable()));
            }
            self.change(seq, to, event);
        }
        for tell in &heard.tells {
            if let Tell::Reversed { claim } | Tell::Paid { claim } = tell {
                self.unpaid.retain(|award| award.claim != *claim);
                self.shown.retain(|(won, _)| won != claim);
            }
        }
    }

    /// The awards of a table that are fixed and not yet paid.
    pub(crate) fn unpaid_of(&self, table: TableId) -> impl Iterator<Item = FixedAward> {
        let own = self.unpaid.iter().filter(move |award| award.claim.table == table.0);
        own.map(|award| self.fixed(award.clone()))
    }

    /// An award, with what the meter showed when it was won.
    pub(crate) fn fixed(&self, award: MeterAward) -> FixedAward {
        let known = self.shown.iter().find(|(claim, _)| *claim == award.claim);
        FixedAward { shown: known.map(|(_, shown)| *shown), award }
    }

    /// Whether it lacks what later versions of the program know, and the log tells: a snapshot
    /// that an earlier one has kept.
    pub(crate) fn is_of_earlier_version(&self) -> bool {
        self.shown.len() < self.unpaid.len()
    }
}

/// What the engine is asked for by a proposal.
fn commands(proposal: &MeterProposal) -> Vec<MeterCommand> {
    match proposal {
        MeterProposal::Adjust { amount, kind, reason, .. } => {
            vec![MeterCommand::Adjust { amount: *amount, kind: *kind, reason: reason.clone() }]
        }
        MeterProposal::Move { amount, .. } => {
            let moving = amount.map_or(Moving::AboveSeed, Moving::Amount);
            vec![MeterCommand::MoveOut(moving)]
        }
        MeterProposal::SetTerms { terms, .. } => vec![MeterCommand::SetTerms { terms: *terms }],
        MeterProposal::Close { players, .. } => {
            let first = players.as_ref().map(|players| match players {
                PlayersMoney::Meter { .. } => MeterCommand::MoveOut(Moving::All),
                PlayersMoney::Kept => MeterCommand::Keep(Moving::All),
            });
            first.into_iter().chain([MeterCommand::Close]).collect()
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
