//! A seat's ledger: every event that concerned its chips, and the rack after it.

use craps::settle::Settled;
use craps::table::{Betting, HeldAward, MendMove, Mended, Rolled, Voided};
use craps::wager::Due;
use craps::{Account, Cents, Event, Fate, Postings, Rules, Seat, Spot};
use craps_report::{Csv, LineEnd};

use super::SLICE;
use super::reader::Reader;
use crate::house::House;
use crate::log::{Entry, TableEntry};
use crate::store::Stored;
use crate::table::LiveTable;
use crate::wire::{Kind, Ledger, Movement};

/// So many records are read for one answer, whether or not anything is found in them.
const STRETCH: usize = 20_000;

/// What is asked of a ledger.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Whose.
    pub seat: Seat,
    /// At most about so many movements: those of one record stay together.
    pub limit: usize,
    /// Only those up to this record.
    pub until: Option<u64>,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only while this person played the seat.
    pub person: Option<String>,
}

/// Reads on until enough movements are found, or enough records read.
pub(super) async fn read(
    house: &House,
    mut reader: Reader,
    head: u64,
    asked: &Asked,
) -> Result<Ledger, crate::problem::Problem> {
    let mut movements = Vec::new();
    let full = read_some(house, &mut reader, asked, &mut movements).await?;
    let head = head.max(reader.head.seq);
    let next = Some(reader.head.seq).filter(|seq| full && *seq < head);
    Ok(Ledger { seat: asked.seat.0, movements, next, head })
}

/// Whether there may be more, where that was enough before the end of what is asked.
async fn read_some(
    house: &House,
    reader: &mut Reader,
    asked: &Asked,
    movements: &mut Vec<Movement>,
) -> Stored<bool> {
    let (store, shelf) = (&*house.store, &house.shelf);
    let mut read = 0;
    loop {
        let ahead = reader.ahead(store, SLICE).await?;
        if ahead.is_empty() {
            return Ok(false);
        }
        for (head, entry) in &ahead {
            if asked.until.is_some_and(|until| head.seq > until) {
                return Ok(false);
            }
            read += 1;
            let (name, is_theirs) = sitter(&reader.state, asked);
            let mut found =
                Found { seat: asked.seat, rules: reader.state.rules(), all: Vec::new() };
            found.note(entry);
            let found = found.all;
            let mut rack = reader.state.table.rack(asked.seat);
            reader.take(store, shelf, *head, entry).await?;
            let (name_after, is_theirs_after) = sitter(&reader.state, asked);
            let name = name.or(name_after);
            for Move { what, wager, stake, dice, amount } in found {
                rack += amount;
                let wanted = asked.kind.is_none_or(|kind| kind == what);
                if wanted && (is_theirs || is_theirs_after) {
                    let (seq, at, by) = (head.seq, entry.at, entry.by.clone());
                    let name = name.clone();
                    let movement =
                        Movement { seq, at, by, name, what, wager, stake, dice, amount, rack };
                    movements.push(movement);
                }
            }
            debug_assert_eq!(rack, reader.state.table.rack(asked.seat), "record {}", head.seq);
            if movements.len() >= asked.limit || read >= STRETCH {
                return Ok(true);
            }
        }
        tokio::task::yield_now().await;
    }
}

/// Who sits in the seat, and whether it is the person asked about.
fn sitter(state: &LiveTable, asked: &Asked) -> (Option<String>, bool) {
    let name = state.table.player(asked.seat).map(|player| player.name.clone());
    let owner = state.owners.get(&asked.seat.0);
    (name, asked.person.as_ref().is_none_or(|person| owner == Some(person)))
}

/// What one event moved.
struct Move {
    what: Kind,
    wager: Option<String>,
    stake: Option<Cents>,
    dice: Option<String>,
    amount: Cents,
}

/// What a record moved, for one seat.
struct Found<'a> {
    seat: Seat,
    rules: &'a Rules,
    all: Vec<Move>,
}

impl Found<'_> {
    fn note(&mut self, entry: &Entry<TableEntry>) {
        for event in entry.what.steps().iter().flat_map(|step| &step.events) {
            self.note_event(event);
        }
    }

    fn note_event(&mut self, event: &Event) {
        match event {
            Event::BoughtIn { postings, .. } => self.note_chips(Kind::BoughtIn, postings),
            Event::CashedOut { postings, .. } => self.note_chips(Kind::CashedOut, postings),
            Event::Left { postings, .. } => self.note_chips(Kind::Left, postings),
            Event::ClaimPaid { postings, .. } => self.note_chips(Kind::ClaimPaid, postings),
            Event::Held { award, postings } => self.note_award(Kind::Held, award, postings),
            Event::Released { award, postings } => {
                self.note_award(Kind::Released, award, postings);
            }
            Event::ClaimDenied { spot, seats, postings, .. } if seats.contains(&self.seat) => {
                self.note_claim(Kind::ClaimDenied, *spot, postings);
            }
            Event::ClaimDenied { .. } => {}
            Event::Returned { betting, .. } => self.note_bet(Kind::Returned, betting),
            Event::Put(betting) => self.note_bet(Kind::Put, betting),
            Event::Took(betting) => self.note_bet(Kind::Took, betting),
            Event::Called(betting) => self.note_bet(Kind::Called, betting),
            Event::Rolled(rolled) => self.note_roll(rolled),
            Event::Swept(swept) => {
                let seat = self.seat;
                for line in swept.settlement.lines.iter().filter(|line| line.seat == seat) {
                    self.note_line(None, line);
                }
            }
            Event::Mended(mended) => self.note_mend(mended),
            Event::Voided(voided) => self.note_void(voided),
            Event::Corrected { voided, rolled } => {
                self.note_void(voided);
                self.note_roll(rolled);
            }
            Event::Sat { .. }
            | Event::Renamed { .. }
            | Event::Filled { .. }
            | Event::Credited { .. }
            | Event::BettingClosed
            | Event::NoRoll
            | Event::DicePassed { .. }
            | Event::EnvyHeld { .. }
            | Event::PayingBegun
            | Event::BettingOpened
            | Event::Configured { .. }
            | Event::Paused
            | Event::Resumed
            | Event::Closed => {}
        }
    }

    fn note_chips(&mut self, what: Kind, postings: &Postings) {
        let amount = postings.gain(Account::Rack(self.seat));
        if amount != Cents::ZERO {
            self.all.push(Move { what, wager: None, stake: None, dice: None, amount });
        }
    }

    fn note_award(&mut self, what: Kind, award: &HeldAward, postings: &Postings) {
        if award.seat == self.seat {
            self.note_claim(what, award.spot, postings);
        }
    }

    /// What became of winnings concerns who won them, though their rack may be as it was.
    fn note_claim(&mut self, what: Kind, spot: Spot, postings: &Postings) {
        let amount = postings.gain(Account::Rack(self.seat));
        let wager = Some(self.rules.spot_rule(spot).notation.clone());
        self.all.push(Move { what, wager, stake: None, dice: None, amount });
    }

    fn note_bet(&mut self, what: Kind, betting: &Betting) {
        let amount = betting.postings.gain(Account::Rack(self.seat));
        if amount != Cents::ZERO {
            let wager = Some(self.rules.spot_rule(betting.spot).notation.clone());
            let bet = betting.bets.iter().find(|bet| bet.spot == betting.spot);
            let stake = bet.map(|bet| bet.stake);
            self.all.push(Move { what, wager, stake, dice: None, amount });
        }
    }

    fn note_roll(&mut self, rolled: &Rolled) {
        let (seat, dice) = (self.seat, rolled.roll.to_string());
        for line in rolled.settlement.lines.iter().filter(|line| line.seat == seat) {
            self.note_line(Some(&dice), line);
        }
    }

    fn note_line(&mut self, dice: Option<&str>, line: &Settled) {
        let what = match line.fate {
            Fate::Win { award, .. } if self.rules.award(award).due == Due::Push => Kind::Push,
            Fate::Win { .. } => Kind::Win,
            Fate::Lose => Kind::Lose,
            Fate::Push => Kind::Push,
            Fate::Return => Kind::Return,
            Fate::Travel(_) => Kind::Travel,
            Fate::Stand => return,
        };
        let wager = Some(self.rules.spot_rule(line.bet.spot).notation.clone());
        let (stake, dice) = (Some(line.bet.stake), dice.map(str::to_owned));
        let amount = line.to_rack() + line.charged;
        self.all.push(Move { what, wager: wager.clone(), stake, dice: dice.clone(), amount });
        if line.charged != Cents::ZERO {
            let (what, amount) = (Kind::Commission, -line.charged);
            self.all.push(Move { what, wager, stake, dice, amount });
        }
    }

    /// Each movement of a mend that reaches this rack.
    fn note_mend(&mut self, mended: &Mended) {
        let dice = Some(mended.mending.keyed.to_string());
        let mut rest = mended.postings.gain(Account::Rack(self.seat));
        for one in &mended.mending.moves {
            let MendMove::Felt { seat, wager, amount, lost } = one else { continue };
            if *seat == self.seat {
                let (what, wager, stake) = (Kind::Mend, Some(wager.clone()), Some(*amount));
                let amount = *amount - *lost;
                rest -= amount;
                self.all.push(Move { what, wager, stake, dice: dice.clone(), amount });
            }
        }
        if rest != Cents::ZERO {
            self.all.push(Move { what: Kind::Mend, wager: None, stake: None, dice, amount: rest });
        }
    }

    /// A roll taken back concerns everybody who had something on it, though their rack may be
    /// as it was. Bets made after it are undone first.
    fn note_void(&mut self, voided: &Voided) {
        for undone in voided.undone.iter().filter(|undone| undone.seat == self.seat) {
            let amount = undone.postings.gain(Account::Rack(self.seat));
            if amount != Cents::ZERO {
                let wager = Some(self.rules.spot_rule(undone.spot).notation.clone());
                self.all.push(Move { what: Kind::Void, wager, stake: None, dice: None, amount });
            }
        }
        let gain = |account| voided.postings.gain(account);
        let (amount, action) = (gain(Account::Rack(self.seat)), gain(Account::Action(self.seat)));
        if amount != Cents::ZERO || action != Cents::ZERO {
            let dice = Some(voided.roll.to_string());
            self.all.push(Move { what: Kind::Void, wager: None, stake: None, dice, amount });
        }
    }
}

/// A ledger as comma-separated values (RFC 4180), amounts in cents.
pub fn csv(ledger: &Ledger) -> String {
    let header = ["record", "at", "by", "name", "what", "wager", "stake", "dice", "amount", "rack"];
    let mut csv = Csv::new(&header, LineEnd::CrLf);
    for movement in &ledger.movements {
        let Movement { seq, at, by, name, what, wager, stake, dice, amount, rack } = movement;
        csv.row([
            seq.to_string(),
            at.to_string(),
            by.clone(),
            name.clone().unwrap_or_default(),
            what.name().to_owned(),
            wager.clone().unwrap_or_default(),
            stake.map(|stake| stake.0.to_string()).unwrap_or_default(),
            dice.clone().unwrap_or_default(),
            amount.0.to_string(),
            rack.0.to_string(),
        ]);
    }
    csv.finish()
}
