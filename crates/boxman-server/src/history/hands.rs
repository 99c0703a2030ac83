//! Hands: a log parted into the turns of its shooters.

use std::sync::Arc;

use craps::table::{Mended, Mending, Rolled, Voided};
use craps::{Account, Cents, Event, Roll};

use crate::access::{Person, Sight};
use crate::log::{Entry, TableEntry};
use crate::table::LiveTable;
use crate::wire::{HandEnd, MendedRollView, PastHand};

/// Which hands.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Those before this one.
    pub before: Option<u64>,
    /// At most so many.
    pub limit: usize,
    /// The one that this record belongs to.
    pub record: Option<u64>,
    /// Thrown from this seat.
    pub shooter: Option<u8>,
    /// By somebody whose name has this in it, in lower case.
    pub name: Option<String>,
    /// Of at least so many rolls.
    pub rolls: usize,
    /// Only those with a jackpot.
    pub jackpot: bool,
    /// Only those with a roll voided or corrected.
    pub voided: bool,
    /// Whoever asks, where they are logged in.
    pub who: Option<Arc<Person>>,
}

/// Every hand of a table so far.
pub(super) struct Hands {
    over: Vec<HandStory>,
    now: HandStory,
    /// What the house's account held when the present hand began.
    house: Cents,
}

/// One hand.
#[derive(Default)]
struct HandStory {
    from: u64,
    to: u64,
    shooter: Option<(u8, String)>,
    /// When its first record was written, and its last.
    first_at: Option<u64>,
    last_at: u64,
    thrown_at: Option<u64>,
    /// The record of its first roll.
    first_roll: Option<u64>,
    rolls: Vec<Roll>,
    net: Cents,
    jackpots: usize,
    voided: u32,
    corrected: u32,
    /// Rolls that were mended since, by their records.
    mended: Vec<MendedRollView>,
    end: Option<HandEnd>,
    /// Whether its shooter has left the table.
    left: bool,
}

impl Hands {
    /// No hand yet, after a table's opening.
    pub(super) fn after(seq: u64) -> Hands {
        let now = HandStory { from: seq, to: seq, ..HandStory::default() };
        Hands { over: Vec::new(), now, house: Cents::ZERO }
    }

    /// Counts a record that `state` has just taken in.
    pub(super) fn note(&mut self, state: &LiveTable, seq: u64, entry: &Entry<TableEntry>) {
        for event in entry.what.steps().iter().flat_map(|step| &step.events) {
            self.note_event(state, entry.at, event);
        }
        let house = state.table.balance(Account::House);
        let HandStory { to, first_at, last_at, first_roll, rolls, net, end, .. } = &mut self.now;
        (*to, *last_at, *net) = (seq, entry.at, house - self.house);
        first_at.get_or_insert(entry.at);
        if !rolls.is_empty() {
            first_roll.get_or_insert(seq);
        }
        if end.is_some() {
            let next = HandStory { from: seq, to: seq, ..HandStory::default() };
            self.over.push(std::mem::replace(&mut self.now, next));
            self.house = house;
        }
    }

    fn note_event(&mut self, state: &LiveTable, at: u64, event: &Event) {
        match event {
            Event::Rolled(rolled) => self.now.roll(state, at, rolled),
            Event::DicePassed { .. } => self.now.end_as(HandEnd::Passed),
            Event::Left { seat, .. } => self.leave(seat.0),
            Event::Voided(voided) => {
                self.take_back(voided);
                self.now.voided += 1;
            }
            Event::Corrected { voided, rolled } => {
                self.take_back(voided);
                self.now.corrected += 1;
                self.now.roll(state, at, rolled);
            }
            Event::Mended(mended) => self.mend(mended),
            _ => {}
        }
    }

    /// Somebody leaves: the shooter, or the one before while nothing has been thrown since.
    fn leave(&mut self, seat: u8) {
        if self.now.is_shot_by(seat) {
            self.now.end_as(HandEnd::Left);
            self.now.left = true;
        } else if self.now.rolls.is_empty()
            && let Some(before) = self.over.last_mut().filter(|before| before.is_shot_by(seat))
        {
            before.left = true;
        }
    }

    /// Marks a roll of this hand or an earlier one.
    fn mend(&mut self, mended: &Mended) {
        let Mending { of, keyed, what, .. } = &mended.mending;
        let hands = std::iter::once(&mut self.now).chain(self.over.iter_mut().rev());
        let has = |hand: &&mut HandStory| hand.from < *of && *of <= hand.to;
        if let Some(hand) = hands.into_iter().find(has) {
            let mark = MendedRollView { of: *of, keyed: keyed.to_string(), what: what.clone() };
            hand.mended.push(mark);
        }
        // It is no part of what this hand brought.
        self.house += mended.postings.gain(Account::House);
    }

    /// Where nothing has been thrown in this hand, the roll taken back ended the one before,
    /// which goes on if its shooter is still there.
    fn take_back(&mut self, voided: &Voided) {
        if self.now.rolls.is_empty()
            && let Some(before) = self.over.pop()
        {
            let since = std::mem::replace(&mut self.now, before);
            self.now.end = None;
            self.now.voided += since.voided;
            self.now.corrected += since.corrected;
            self.house -= self.now.net;
        }
        let HandStory { rolls, shooter, thrown_at, jackpots, left, .. } = &mut self.now;
        rolls.pop();
        *jackpots = jackpots.saturating_sub(voided.claims.len());
        if rolls.is_empty() {
            (*shooter, *thrown_at, *left) = (None, None, false);
        }
        if self.now.left {
            self.now.end_as(HandEnd::Left);
        }
    }

    /// Those wanted, newest first, for somebody who sees the whole table from this record on.
    pub(super) fn wanted(&self, wanted: &Wanted, seen_from: u64) -> Vec<PastHand> {
        // A hand with no record at all has not begun.
        let begun = Some(&self.now).filter(|now| now.to > now.from);
        let newest = begun.into_iter().chain(self.over.iter().rev());
        let numbers = (1..=self.over.len() as u64 + u64::from(begun.is_some())).rev();
        let before = wanted.before.unwrap_or(u64::MAX);
        numbers
            .zip(newest)
            .filter(|(number, hand)| *number < before && hand.is(wanted, hand.sight(seen_from)))
            .take(wanted.limit)
            .map(|(number, hand)| hand.sight(seen_from).show(hand.view(number)))
            .collect()
    }
}

impl HandStory {
    fn roll(&mut self, state: &LiveTable, at: u64, rolled: &Rolled) {
        let seat = rolled.shooter;
        let name = || state.table.player(seat).map(|player| player.name.clone());
        self.shooter.get_or_insert_with(|| (seat.0, name().unwrap_or_default()));
        self.thrown_at.get_or_insert(at);
        self.rolls.push(rolled.roll);
        self.jackpots += rolled.claims.len();
        if rolled.is_seven_out() {
            self.end = Some(HandEnd::SevenOut);
        }
    }

    /// A hand in which nothing has been thrown does not end: it has not begun.
    fn end_as(&mut self, end: HandEnd) {
        if !self.rolls.is_empty() {
            self.end = Some(end);
        }
    }

    fn is_shot_by(&self, seat: u8) -> bool {
        self.shooter.as_ref().is_some_and(|(shooter, _)| *shooter == seat)
    }

    /// A hand is theirs to see who were there when it was first thrown.
    fn sight(&self, seen_from: u64) -> Sight {
        let seen = seen_from <= self.first_roll.unwrap_or(self.to);
        if seen { Sight::Table } else { Sight::Stranger }
    }

    fn is(&self, wanted: &Wanted, sight: Sight) -> bool {
        let named = |name: &String| {
            let shooter = self.shooter.as_ref().map(|(_, name)| name.to_lowercase());
            shooter.is_some_and(|shooter| shooter.contains(name))
        };
        wanted.record.is_none_or(|record| self.from < record && record <= self.to)
            && wanted.shooter.is_none_or(|seat| self.is_shot_by(seat))
            && wanted.name.as_ref().is_none_or(|name| sight == Sight::Table && named(name))
            && self.rolls.len() >= wanted.rolls
            && (!wanted.jackpot || self.jackpots > 0)
            && (!wanted.voided || self.voided + self.corrected > 0)
    }

    fn view(&self, number: u64) -> PastHand {
        let (shooter, name) = self.shooter.clone().unzip();
        PastHand {
            hand: number,
            shooter,
            name,
            from: self.from,
            to: self.to,
            started_at: self.thrown_at.or(self.first_at).unwrap_or_default(),
            ended_at: self.end.map(|_| self.last_at),
            end: self.end,
            open: self.end.is_none(),
            rolls: self.rolls.iter().map(ToString::to_string).collect(),
            net: Some(self.net),
            jackpots: u32::try_from(self.jackpots).unwrap_or(u32::MAX),
            voided: self.voided,
            corrected: self.corrected,
            mended: self.mended.clone(),
        }
    }
}
