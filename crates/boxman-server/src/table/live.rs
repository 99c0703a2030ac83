//! What a room keeps of its table: the engine's table, who sits where, what waits for a second
//! person, what its meters have yet to hear. Pure: it decides and evolves, so that the same
//! log always makes the same state.
//!
//! The rules in force are part of the state: a table that goes over to others takes them in with
//! the very event that says so, and nothing can look at it with the old ones.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Deref;
use std::sync::Arc;

use craps::meter::TableClaim;
use craps::table::{CreditLimit, Dealing, Dice, Rolled, Shooter, Undone};
use craps::{Cents, ClaimId, Command, Event, Refusal, Rules, Seat, Table};

use crate::access::{Person, Sight};
use crate::books::Books;
use crate::config::{DiceMode, TableConfig};
use crate::id::{MeterId, TableId};
use crate::log::{
    Claimed, Entry, KeptTable, Letter, Moved, Pending, Proposal, Queued, Step, TableEntry, Tell,
};
use crate::mend::Mendable;
use crate::round::{Round, RoundBegan};
use crate::two_people::{self, ComesToNothing};

/// How many rolls the strip above the table shows.
const SHOWN_ROLLS: usize = 60;

/// A table with everything around it, and the rules it plays by.
#[derive(Clone, Debug)]
pub struct LiveTable {
    pub(super) kept: KeptTable,
    rules: Arc<Rules>,
    /// When a server last opened it, where one has: betting windows start anew then.
    opened_again: u64,
}

impl Deref for LiveTable {
    type Target = KeptTable;

    fn deref(&self) -> &KeptTable {
        &self.kept
    }
}

impl LiveTable {
    /// The state of a table just opened.
    pub fn open(id: TableId, by: &str, setup: Queued, rules: Arc<Rules>, at: u64) -> LiveTable {
        let kept = KeptTable {
            id,
            setup,
            opened_by: by.to_owned(),
            table: Table::open(&rules),
            owners: BTreeMap::new(),
            commitment: None,
            queued: None,
            configurations: VecDeque::new(),
            proposals: BTreeMap::new(),
            withdrawn: VecDeque::new(),
            outbox: Vec::new(),
            told: BTreeMap::new(),
            claimed: BTreeMap::new(),
            moved: Moved::default(),
            sittings: BTreeMap::new(),
            hand_rolls: (0, 0),
            throws: 0,
            rounds: VecDeque::new(),
            last_roll: None,
            work: Vec::new(),
            tray_accepted: Cents::ZERO,
            mendable: Mendable::default(),
            recent: VecDeque::new(),
            open_since: None,
            open_from: 0,
            at,
            books: Books::default(),
        };
        let mut table = LiveTable { kept, rules, opened_again: 0 };
        table.note_configuration(1, Vec::new());
        let began = RoundBegan::Opened;
        table.begin_round(Round { record: 1, began, by: by.to_owned(), name: None, at });
        table
    }

    /// A table as a snapshot kept it, with the rules it names; none where they are others.
    pub fn restore(kept: KeptTable, rules: Arc<Rules>) -> Option<LiveTable> {
        // One that an earlier version has kept does not know its round, nor who set its
        // configuration, nor who sat down by which record: the log does.
        let seated = {
            let mut seats = kept.table.players().map(|(seat, _)| seat.0);
            kept.setup.config.practice || seats.all(|seat| kept.sittings.contains_key(&seat))
        };
        let known = !kept.rounds.is_empty() && !kept.configurations.is_empty() && seated;
        (kept.table.rules() == rules.hash && known).then_some(LiveTable {
            kept,
            rules,
            opened_again: 0,
        })
    }

    /// What a snapshot keeps.
    pub fn kept(&self) -> &KeptTable {
        &self.kept
    }

    /// The rules it plays by.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The configuration that a record has the table go over to: its rules are needed to take
    /// the record in.
    pub fn goes_over_to(&self, entry: &Entry<TableEntry>) -> Option<&Queued> {
        let mut events = entry.what.steps().iter().flat_map(|step| &step.events);
        let goes_over = events.any(|event| matches!(event, Event::Configured { .. }));
        self.queued.as_ref().filter(|_| goes_over)
    }

    /// How it is set up.
    pub fn config(&self) -> &TableConfig {
        &self.setup.config
    }

    /// The name of somebody who plays a seat from a browser.
    pub fn seat_name(&self, person: &str) -> Option<String> {
        let (seat, _) = self.owners.iter().find(|(_, owner)| *owner == person)?;
        self.table.player(Seat(*seat)).map(|player| player.name.clone())
    }

    /// The meter that serves a paytable at this table.
    pub fn meter(&self, paytable: &str) -> MeterId {
        self.config().meter(self.id, paytable)
    }

    /// Has the betting window start anew: nobody could bet while no server was there.
    pub fn open_again(&mut self, at: u64) {
        self.opened_again = at;
    }

    /// What the engine makes of a command, at this table or at what it will be.
    pub(crate) fn engine(&self, table: &Table, command: &Command) -> Result<Vec<Event>, Refusal> {
        table.decide_as(&self.rules, command, self.dealing())
    }

    /// How the house deals here: a table opened before there was a tray credits by its bank.
    pub(crate) fn dealing(&self) -> Dealing {
        let credit = match self.config().has_procedures() {
            true => CreditLimit::Tray,
            false => CreditLimit::Bank,
        };
        Dealing { shooter: Shooter::WithLineBet, credit }
    }

    /// How many chips the tray is short of what it would take to play on; none where it is not
    /// short, or where two people have accepted it.
    pub fn fill_needed(&self) -> Option<Cents> {
        let short = -self.table.tray();
        let needed = short > Cents::ZERO && short > self.tray_accepted;
        Some(short).filter(|_| needed && self.config().has_procedures())
    }

    /// Since when the betting window has been open, where there is one.
    pub fn window_since(&self) -> Option<u64> {
        self.config().betting_seconds?;
        self.open_since.map(|since| since.max(self.opened_again))
    }

    /// The betting window, where there is one, by the record that opened it.
    pub fn window(&self) -> Option<u64> {
        self.window_since().map(|_| self.open_from)
    }

    /// When betting closes by itself, if it does: once somebody could shoot. It is what people
    /// read; the room goes by a clock that nobody sets.
    pub fn closes_at(&self) -> Option<u64> {
        let seconds = u64::from(self.config().betting_seconds?);
        let since = self.window_since().filter(|_| self.could_close())?;
        Some(since + seconds * 1_000)
    }

    /// Whether a throw would cut others short: the window is open, and they may still bet.
    pub fn is_window_shared(&self) -> bool {
        let timed = self.config().betting_seconds.is_some();
        self.table.is_betting_open() && timed && self.table.players().count() > 1
    }

    fn could_close(&self) -> bool {
        let close = Command::CloseBetting;
        !self.waits_for_claim() && self.table.decide(&self.rules, &close).is_ok()
    }

    /// How much of the table somebody sees.
    pub fn sight_of(&self, who: Option<&Person>) -> Sight {
        let seated = |who: &Person| self.owners.values().any(|owner| *owner == who.id);
        Sight::of(who, self.config().practice, who.is_some_and(seated))
    }

    /// Applies a record. `next` are the rules of the configuration it goes over to, where it does
    /// (see [`LiveTable::goes_over_to`]).
    pub fn evolve(&mut self, seq: u64, entry: &Entry<TableEntry>, next: Option<&Arc<Rules>>) {
        let mut tells = Vec::new();
        self.kept.at = entry.at;
        match &entry.what {
            TableEntry::Opened { .. } => {}
            TableEntry::Played { steps, commitment, owner, .. } => {
                self.take_steps(seq, entry, steps, next, &mut tells);
                if let (Some(owner), [Step { command: Command::Sit { seat, .. }, .. }]) =
                    (owner, steps.as_slice())
                {
                    self.kept.owners.insert(seat.0, owner.clone());
                }
                if commitment.is_some() {
                    self.kept.commitment = *commitment;
                }
            }
            TableEntry::GivenUp { steps, .. } => {
                self.take_steps(seq, entry, steps, next, &mut tells);
            }
            TableEntry::Committed { commitment } => self.kept.commitment = Some(*commitment),
            TableEntry::Proposed { proposal, lines, steps } => {
                self.take_steps(seq, entry, steps, next, &mut tells);
                let pending = Pending {
                    proposal: proposal.clone(),
                    lines: lines.clone(),
                    by: entry.by.clone(),
                    name: entry.name.clone().or_else(|| self.seat_name(&entry.by)),
                    until: two_people::until(entry.at),
                    paused: steps.iter().any(|step| step.command == Command::Pause),
                    throws: self.throws,
                };
                self.kept.proposals.insert(seq, pending);
            }
            TableEntry::Withdrawn { proposal, reason, steps } => {
                if let Some(pending) = self.kept.proposals.remove(proposal) {
                    let request = ComesToNothing {
                        proposal: *proposal,
                        what: pending.proposal.in_words().0,
                        lines: &pending.lines,
                        asked_by: &pending.by,
                        reason: reason.as_ref(),
                    };
                    two_people::remember(&mut self.kept.withdrawn, request, entry);
                }
                self.take_steps(seq, entry, steps, next, &mut tells);
            }
            TableEntry::Agreed { proposal, steps, queued, .. } => {
                // What the steps bring about still finds the request.
                self.take_steps(seq, entry, steps, next, &mut tells);
                let agreed = self.kept.proposals.remove(proposal).map(|pending| pending.proposal);
                if let Some(Proposal::AcceptTray { short, .. }) = agreed {
                    self.kept.tray_accepted = short;
                }
                if let Some(Proposal::Mend(mend)) = &agreed {
                    self.note_mend(seq, mend);
                }
                if let Some(queued) = queued {
                    self.queue(seq, queued);
                }
            }
            TableEntry::Checked { claim, item } => self.note_check(entry, *claim, *item),
            TableEntry::Confirmed { steps, .. } => {
                self.take_steps(seq, entry, steps, next, &mut tells);
            }
            TableEntry::Done { list } => self.mark_done(*list),
            TableEntry::Linked { sitting, person } => {
                self.note_linked(entry, *sitting, person.as_ref());
            }
            TableEntry::Identified { sitting, taken } => {
                self.note_identified(entry, *sitting, *taken);
            }
            TableEntry::Queued { queued } => self.queue(seq, queued),
        }
        self.post(seq, tells);
        if self.config().has_procedures() && !entry.what.steps().is_empty() {
            let tray = self.table.tray();
            self.kept.books.note_tray(entry.at, tray);
        }
        if self.table.tray() >= Cents::ZERO {
            self.kept.tray_accepted = Cents::ZERO;
        }
        let timed = self.config().betting_seconds.is_some();
        if timed && self.open_since.is_none() && self.could_close() {
            (self.kept.open_since, self.kept.open_from) = (Some(entry.at), seq);
        }
    }

    fn take_steps(
        &mut self,
        seq: u64,
        entry: &Entry<TableEntry>,
        steps: &[Step],
        next: Option<&Arc<Rules>>,
        tells: &mut Vec<(MeterId, Tell)>,
    ) {
        for Step { command, events } in steps {
            for event in events {
                let was_open = self.table.is_betting_open();
                let dice = self.table.dice();
                // Only an answer to a claim needs to know how the table was before its roll.
                let answers = matches!(
                    event,
                    Event::ClaimPaid { .. } | Event::Released { .. } | Event::ClaimDenied { .. }
                );
                let before = answers.then(|| self.table.parts().before_roll.clone()).flatten();
                // What the cage pays of a claim has been confirmed by a person of its own.
                let confirmed = matches!(entry.what, TableEntry::Confirmed { .. });
                if !confirmed {
                    self.note_player(seq, entry.at, event);
                }
                self.kept.table.evolve(event);
                if let Event::Configured { rules } = event {
                    let next = next.filter(|next| next.hash == *rules);
                    self.rules = next.expect("a table knows the rules it goes over to").clone();
                }
                self.note_mendable(seq, entry.at, event);
                self.kept.books.book(&self.rules, entry.at, event);
                // Of two people it was the first who wanted it.
                let asked = entry.second.as_ref().unwrap_or(&entry.by);
                if !self.config().has_procedures() && !confirmed {
                    let KeptTable { moved, owners, .. } = &mut self.kept;
                    moved.count(entry.at, asked, owners, event);
                }
                self.note(entry, command, event, tells);
                self.note_work(seq, entry, event, before.as_deref());
                self.note_round(seq, entry, event, dice);
                if matches!(event, Event::BettingOpened) {
                    self.mark_round_done();
                }
                self.kept.throws += u64::from(is_roll(event));
                self.forget_claims();
                if self.table.is_betting_open() && (!was_open || opens_anew(event)) {
                    self.kept.open_since = None;
                }
            }
        }
    }

    /// Everything around the table that an event changes.
    fn note(
        &mut self,
        entry: &Entry<TableEntry>,
        command: &Command,
        event: &Event,
        tells: &mut Vec<(MeterId, Tell)>,
    ) {
        let claim = |id: ClaimId, table: TableId| TableClaim { table: table.0, id };
        match event {
            Event::Left { seat, .. } => {
                self.kept.owners.remove(&seat.0);
                // Whoever sits down there next has asked for nothing.
                self.kept.proposals.retain(|_, pending| pending.proposal.seat() != Some(*seat));
                self.count_no_hand();
            }
            Event::Put(betting) | Event::Took(betting) | Event::Returned { betting, .. } => {
                if let Some(fed) = &betting.fed {
                    let tell = Tell::Fed { increment: fed.increment, reserve: fed.reserve };
                    tells.push((self.meter(&fed.meter), tell));
                }
            }
            Event::Rolled(rolled) => self.note_roll(entry, rolled, tells),
            Event::Voided(voided) => {
                self.tell_undone(&voided.undone, tells);
                for waiting in &voided.claims {
                    let claim = claim(waiting.id, self.id);
                    tells.push((self.meter(&waiting.meter), Tell::Reversed { claim }));
                }
                self.kept.recent.pop_back();
                self.kept.hand_rolls.0 = self.hand_rolls.1;
                self.count_no_hand();
            }
            Event::Corrected { voided, rolled } => {
                self.tell_undone(&voided.undone, tells);
                for waiting in &voided.claims {
                    let claim = claim(waiting.id, self.id);
                    tells.push((self.meter(&waiting.meter), Tell::Reversed { claim }));
                }
                self.kept.recent.pop_back();
                self.kept.hand_rolls.0 = self.hand_rolls.1;
                self.note_roll(entry, rolled, tells);
            }
            Event::ClaimPaid { claim: id, .. } => {
                if let Some(meter) = self.meter_of_claim(*id) {
                    let claim = claim(*id, self.id);
                    tells.push((meter, Tell::Paid { claim }));
                }
            }
            // Nothing is claimed of a meter where an award was held.
            Event::ClaimDenied { claim: id, .. } => {
                if let Some(meter) = self.meter_of_claim(*id) {
                    let claim = claim(*id, self.id);
                    tells.push((meter, Tell::Reversed { claim }));
                }
            }
            Event::Held { award, .. } => self.claim(award.id, None, entry),
            Event::DicePassed { .. } => self.kept.hand_rolls.0 = 0,
            Event::Configured { .. } => {
                debug_assert_eq!(*command, Command::Configure);
                if let Some(mut queued) = self.kept.queued.take() {
                    for (paytable, players) in std::mem::take(&mut queued.old_meters) {
                        let own = MeterId::local(self.id, &paytable);
                        tells.push((own, Tell::Unlinked { players }));
                    }
                    self.kept.setup = queued;
                }
            }
            Event::Sat { .. }
            | Event::Renamed { .. }
            | Event::BoughtIn { .. }
            | Event::CashedOut { .. }
            | Event::Filled { .. }
            | Event::Credited { .. }
            | Event::Called(_)
            | Event::Released { .. }
            | Event::EnvyHeld { .. }
            | Event::Swept(_)
            | Event::Mended(_)
            | Event::PayingBegun
            | Event::BettingOpened
            | Event::BettingClosed
            | Event::NoRoll
            | Event::Paused
            | Event::Resumed
            | Event::Closed => {}
        }
    }

    /// Bets undone with a roll take back what they had fed.
    fn tell_undone(&self, undone: &[Undone], tells: &mut Vec<(MeterId, Tell)>) {
        for fed in undone.iter().filter_map(|undone| undone.fed.as_ref()) {
            let tell = Tell::Fed { increment: fed.increment, reserve: fed.reserve };
            tells.push((self.meter(&fed.meter), tell));
        }
    }

    fn note_roll(
        &mut self,
        entry: &Entry<TableEntry>,
        rolled: &Rolled,
        tells: &mut Vec<(MeterId, Tell)>,
    ) {
        for won in &rolled.claims {
            let claim = TableClaim { table: self.id.0, id: won.id };
            let tell = Tell::Won { claim, winners: won.winners.clone() };
            self.claim(won.id, Some(won.meter.clone()), entry);
            tells.push((self.meter(&won.meter), tell));
        }
        if self.recent.len() == SHOWN_ROLLS {
            self.kept.recent.pop_front();
        }
        self.kept.recent.push_back(rolled.roll);
        let before = self.hand_rolls.0;
        self.kept.hand_rolls = (if rolled.is_seven_out() { 0 } else { before + 1 }, before);
    }

    /// While nobody holds the dice there is no hand: its shooter may have left.
    fn count_no_hand(&mut self) {
        if matches!(self.table.dice(), Dice::Offered(_)) {
            self.kept.hand_rolls.0 = 0;
        }
    }

    fn forget_claims(&mut self) {
        let KeptTable { table, claimed, .. } = &mut self.kept;
        let claims = table.claims().iter().map(|claim| claim.id);
        let waiting: Vec<ClaimId> = claims.chain(table.held().iter().map(|held| held.id)).collect();
        claimed.retain(|id, _| waiting.contains(&ClaimId(*id)));
        // With its roll taken back there is nothing left to deny. Earlier versions of the program
        // had the request lapse.
        if self.config().has_procedures() {
            self.kept.proposals.retain(|_, pending| {
                pending.proposal.denies().is_none_or(|claim| waiting.contains(&ClaimId(claim)))
            });
        }
    }

    /// Remembers a claim, and who says that the dice fell so.
    fn claim(&mut self, id: ClaimId, paytable: Option<String>, entry: &Entry<TableEntry>) {
        let keyed = self.config().dice == DiceMode::Dealer;
        let people = [Some(&entry.by), entry.second.as_ref()];
        let keyed_by = people.into_iter().flatten().filter(|_| keyed).cloned().collect();
        self.kept.claimed.insert(id.0, Claimed { paytable, keyed_by, checks: Vec::new() });
    }

    fn meter_of_claim(&mut self, claim: ClaimId) -> Option<MeterId> {
        let paytable = self.kept.claimed.remove(&claim.0)?.paytable?;
        Some(self.meter(&paytable))
    }

    /// One letter for each meter that has something to hear.
    fn post(&mut self, seq: u64, tells: Vec<(MeterId, Tell)>) {
        let mut letters: Vec<Letter> = Vec::new();
        for (meter, tell) in tells {
            match letters.iter_mut().find(|letter| letter.meter == meter) {
                Some(letter) => letter.tells.push(tell),
                None => {
                    let after = self.kept.told.insert(meter.to_string(), seq).unwrap_or(0);
                    letters.push(Letter { meter, seq, after, tells: vec![tell] });
                }
            }
        }
        self.kept.outbox.extend(letters);
    }

    /// Drops the letters that a meter has heard, and says how many those were.
    pub fn heard(&mut self, meter: &MeterId, through: u64) -> usize {
        let before = self.outbox.len();
        self.kept.outbox.retain(|letter| letter.meter != *meter || letter.seq > through);
        before - self.outbox.len()
    }

    /// Takes all letters out: for those who read again what the meters have heard long ago.
    pub fn take_letters(&mut self) -> Vec<Letter> {
        std::mem::take(&mut self.kept.outbox)
    }

    /// Folds away the days that are over, and says whether there were any.
    pub fn fold_books(&mut self) -> bool {
        self.kept.books.fold()
    }

    /// Has the books again as they were before folding.
    pub fn unfold_books(&mut self, books: Books) {
        self.kept.books = books;
    }

    /// The books alone.
    pub fn into_books(self) -> Books {
        self.kept.books
    }

    /// Whether the queued configuration could apply now, as far as the table goes.
    pub fn is_idle(&self) -> bool {
        self.table.hand().puck.is_off()
            && self.table.claims().is_empty()
            && self.table.held().is_empty()
            && self.table.players().all(|(_, player)| player.layout.is_empty())
    }
}

/// Whether a betting window starts anew though betting was open before.
fn opens_anew(event: &Event) -> bool {
    let goes_on = matches!(
        event,
        Event::Resumed
            | Event::ClaimPaid { .. }
            | Event::ClaimDenied { .. }
            | Event::Released { .. }
    );
    goes_on || is_roll(event)
}

fn is_roll(event: &Event) -> bool {
    matches!(event, Event::Rolled(_) | Event::Voided(_) | Event::Corrected { .. })
}
