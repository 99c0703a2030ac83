//! A roll as it was booked, read back from the log: all it takes to settle it again.

use std::collections::BTreeMap;
use std::sync::Arc;

use craps::notation::{NoSuchSpot, parse_spot};
use craps::settle::{Settled, Winner};
use craps::table::{Moved, PastRoll, Rolled, Showed};
use craps::{Event, Layout, Refusal, Roll, Rules, Seat, Spot};

use super::LiveTable;
use crate::id::MeterId;
use crate::log::{Entry, TableEntry};
use crate::mend::{MendBet, MendKind, MendQuestion, MendShown};
use crate::problem::Problem;

/// A roll, and the table as it stood before it.
#[derive(Clone, Debug)]
pub struct BookedRoll {
    /// The record of the roll.
    pub record: u64,
    /// When it was booked, in milliseconds since 1970.
    pub at: u64,
    /// Which roll of the table it was.
    pub number: u64,
    /// The rules it was booked under.
    pub(crate) rules: Arc<Rules>,
    /// What the engine needs to settle it again.
    pub(crate) past: PastRoll,
    /// What the meters showed of jackpots that were won and not claimed, where that was asked.
    pub(crate) shown: Vec<MendShown>,
    names: BTreeMap<u8, String>,
    /// The meter of each paytable, and the record that had told it something last.
    meters: BTreeMap<String, (MeterId, u64)>,
}

impl BookedRoll {
    /// The roll in a record that `state` has just taken in, if there is one.
    pub(crate) fn of(
        state: &LiveTable,
        record: u64,
        entry: &Entry<TableEntry>,
    ) -> Option<BookedRoll> {
        let events = entry.what.steps().iter().flat_map(|step| &step.events);
        let mut rolled = events.filter_map(|event| match event {
            Event::Rolled(rolled) | Event::Corrected { rolled, .. } => Some(rolled),
            _ => None,
        });
        let rolled: &Rolled = rolled.next_back()?;
        let before = state.table.parts().before_roll.as_ref()?;
        let seats = state.table.players();
        let seats = seats.map(|(seat, _)| (seat, before.layouts[seat.index()].clone())).collect();
        let names = state.table.players();
        let names = names.map(|(seat, player)| (seat.0, player.name.clone())).collect();
        Some(BookedRoll {
            record,
            at: entry.at,
            number: rolled.number,
            rules: Arc::clone(state.rules()),
            past: PastRoll {
                roll: rolled.roll,
                hand: before.hand,
                seats,
                cap_used: before.cap_used,
                booked: rolled.settlement.clone(),
            },
            shown: Vec::new(),
            names,
            meters: state.rules().meters().iter().map(|rule| meter(state, &rule.name)).collect(),
        })
    }

    /// The jackpots that nobody claimed, had the dice and the bets been as asked: the meter of
    /// each, the record that had told it something last, and the winners with their base wagers.
    pub(crate) fn missed(&self, question: &MendQuestion) -> Result<Vec<MissedJackpot>, Problem> {
        let bets: Result<Vec<_>, Problem> = question.bets.iter().map(|bet| self.bet(bet)).collect();
        let roll = match question.kind {
            MendKind::Dice => question.dice,
            MendKind::Bet => Some(self.keyed()),
            MendKind::NoRoll | MendKind::WrongPlayer | MendKind::WrongAmount => None,
        };
        let showed = Showed { roll, bets: bets? };
        let dues = self.past.dues(&self.rules, &showed, &Moved::default(), |_, _| false)?;
        let mut missed: Vec<MissedJackpot> = Vec::new();
        for (winner, _) in dues.jackpots {
            let paytable = &self.rules.meters()[winner.meter.index()].name;
            let winner = (winner.seat, winner.units);
            match missed.iter_mut().find(|other| other.paytable == *paytable) {
                Some(other) => other.winners.push(winner),
                None => {
                    let (meter, told) = self.meters[paytable].clone();
                    let (paytable, winners) = (paytable.clone(), vec![winner]);
                    missed.push(MissedJackpot { paytable, meter, told, winners });
                }
            }
        }
        Ok(missed)
    }

    /// The same roll, with what a mend says that the meters showed.
    pub(crate) fn with_shown(&self, shown: &[MendShown]) -> BookedRoll {
        BookedRoll { shown: shown.to_vec(), ..self.clone() }
    }

    /// What the meter showed for a winner, where it was asked.
    pub(crate) fn shown_for(&self, winner: &Winner) -> Option<&MendShown> {
        let paytable = &self.rules.meters()[winner.meter.index()].name;
        let fits = |shown: &&MendShown| {
            let same = (shown.seat, shown.units) == (winner.seat.0, winner.units);
            same && shown.paytable == *paytable
        };
        self.shown.iter().find(fits)
    }

    /// What was keyed.
    pub(crate) fn keyed(&self) -> Roll {
        self.past.roll
    }

    /// Whether somebody sat there when the dice were thrown.
    pub(super) fn has(&self, seat: u8) -> bool {
        self.names.contains_key(&seat)
    }

    /// Who sat there then.
    pub(crate) fn name(&self, seat: u8) -> String {
        self.names.get(&seat).cloned().unwrap_or_default()
    }

    /// The spot of a bet that lay there then, or could have.
    pub(crate) fn spot(&self, seat: u8, wager: &str) -> Result<Spot, Problem> {
        let layouts = &self.past.seats;
        let layout = layouts.iter().find(|(whose, _)| whose.0 == seat).map(|(_, layout)| layout);
        let layout: &Layout = layout.ok_or(Refusal::NotSeated)?;
        parse_spot(&self.rules, layout, wager).map_err(|error| match error {
            NoSuchSpot::WhichOdds(_) => Refusal::WhichOdds.into(),
            NoSuchSpot::Unknown { text, .. } => Refusal::NotOffered { wager: text }.into(),
        })
    }

    /// Where a bet lay when the dice were thrown that is at `spot` since.
    pub(super) fn origin(&self, seat: Seat, spot: Spot) -> Spot {
        let mut lines = self.past.booked.lines.iter();
        let left =
            |line: &&Settled| line.seat == seat && line.left.is_some_and(|left| left.spot == spot);
        lines.find(left).map_or(spot, |line| line.bet.spot)
    }

    /// A bet as the engine takes it.
    pub(crate) fn bet(&self, bet: &MendBet) -> Result<(Seat, Spot, craps::Cents), Problem> {
        let spot = self.spot(bet.seat, &bet.wager)?;
        Ok((Seat(bet.seat), spot, bet.amount))
    }
}

/// A jackpot that was won and not claimed.
pub(crate) struct MissedJackpot {
    pub(crate) paytable: String,
    pub(crate) meter: MeterId,
    /// The record up to the roll that had told the meter something last.
    pub(crate) told: u64,
    /// The winners and their base wagers.
    pub(crate) winners: Vec<(Seat, u32)>,
}

/// The meter of a paytable, and the record that has told it something last.
fn meter(state: &LiveTable, paytable: &str) -> (String, (MeterId, u64)) {
    let meter = state.meter(paytable);
    let told = state.told.get(&meter.to_string()).copied().unwrap_or_default();
    (paytable.to_owned(), (meter, told))
}
