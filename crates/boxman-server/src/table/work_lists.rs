//! The chips that the crew has to move, worked out from each record as it is taken in.

use craps::settle::Settled;
use craps::table::{BeforeRoll, HeldAward, HeldEnvy, Rolled, Undone, Voided};
use craps::{Account, CashOutKind, Cents, ClaimId, Event, Fate, Rules, Seat};

use super::LiveTable;
use crate::log::{Entry, Proposal, TableEntry};
use crate::mend::{Mend, what};
use crate::work::{ChipPlace, ChipTransfer, WorkCause, WorkItem, WorkKind, WorkList};

use ChipPlace::{Dealers, Felt, Rack, Tray};

/// How many lists are kept at a table where nobody marks them done.
const UNMARKED: usize = 32;

impl LiveTable {
    /// The lists that the crew has not marked done, oldest first. Of the others only what is held
    /// is left, until its claim is answered.
    ///
    /// With each list come the numbers of its items.
    pub fn open_work(&self) -> Vec<(WorkList, Vec<u32>)> {
        let open = |list: &WorkList| {
            let mut list = list.clone();
            let (items, numbers) = std::mem::take(&mut list.items)
                .into_iter()
                .zip(0..)
                .filter(|(item, _)| match item.kind {
                    WorkKind::Hold => self.is_held(item),
                    _ => !list.done,
                })
                .unzip();
            list.items = items;
            (list, numbers)
        };
        let shown = |(list, _): &(WorkList, Vec<u32>)| !list.items.is_empty() || !list.done;
        self.work.iter().map(open).filter(shown).collect()
    }

    /// Whether what an item says to hold is still held. The envy of several claims is paid with the
    /// first that is confirmed.
    fn is_held(&self, item: &WorkItem) -> bool {
        if item.seat.is_none() {
            let own = |envy: &HeldEnvy| envy.claims.iter().all(|claim| item.claims.contains(claim));
            return self
                .table
                .held_envy()
                .iter()
                .any(|envy| envy.amount == item.amount && own(envy));
        }
        let waits = |claim: &ClaimId| {
            self.table.claims().iter().any(|waiting| waiting.id == *claim)
                || self.table.held().iter().any(|award| award.id == *claim)
        };
        item.claims.iter().any(waits)
    }

    /// Whether the cage has paid a claim of the last roll: no rack gives that money back.
    pub(crate) fn has_cage_paid(&self) -> bool {
        let own = |list: &&WorkList| list.roll.is_some() && list.roll == self.last_roll;
        let mut items = self.work.iter().filter(own).flat_map(|list| &list.items);
        items.any(|item| item.kind == WorkKind::Cage)
    }

    /// The list of a record, whether it is done or not.
    pub fn work_of(&self, record: u64) -> Option<&WorkList> {
        self.work.iter().find(|list| list.record == record)
    }

    /// The items that a void or a correction of the last roll takes back: those ticked where the
    /// list is not done, all others otherwise.
    fn taken_back(&mut self, roll: u64, ticked: Option<&[(u64, u32)]>) -> Vec<WorkItem> {
        let (of_roll, others): (Vec<WorkList>, Vec<WorkList>) = std::mem::take(&mut self.kept.work)
            .into_iter()
            .partition(|list| list.roll == Some(roll));
        self.kept.work = others;
        let mut back = Vec::new();
        let mut left = Vec::new();
        for list in of_roll.iter().rev() {
            // Only a correction's list undoes something of an earlier roll. What a denial gives
            // back goes with its own.
            let corrects = matches!(list.cause, WorkCause::Corrected { .. });
            for (place, item) in list.items.iter().enumerate() {
                let is_ticked = |ticked: &[(u64, u32)]| {
                    ticked.contains(&(list.record, u32::try_from(place).unwrap_or(u32::MAX)))
                };
                let moved = list.done || ticked.is_none_or(is_ticked);
                match corrects && item.kind.is_undoing() {
                    // What was to be undone before still has to be.
                    true if !moved => left.push(item.clone()),
                    true => {}
                    false if moved && (!item.chips.is_empty() || !item.to.is_empty()) => {
                        back.push(item.undone());
                    }
                    false => {}
                }
            }
        }
        left.into_iter().chain(back).collect()
    }

    /// Notes the chips to move because of an event. `before` is the table before its last roll, as
    /// it was before the event.
    pub(super) fn note_work(
        &mut self,
        seq: u64,
        entry: &Entry<TableEntry>,
        event: &Event,
        before: Option<&BeforeRoll>,
    ) {
        let ticked = match &entry.what {
            TableEntry::Agreed { ticked, .. } if !self.config().practice => Some(&ticked[..]),
            _ => None,
        };
        match event {
            Event::Rolled(rolled) => {
                self.forget_done_work();
                let items = self.of_roll(rolled);
                let cause = WorkCause::Rolled { roll: rolled.roll, number: rolled.number };
                self.add_work(seq, Some(seq), cause, items);
            }
            Event::Voided(voided) => {
                let items = self.of_void(voided, ticked);
                let (roll, reason) = (voided.roll, voided.reason.clone());
                self.add_work(seq, None, WorkCause::Voided { roll, reason }, items);
            }
            Event::Corrected { voided, rolled } => {
                let mut items = self.of_void(voided, ticked);
                items.extend(self.of_roll(rolled));
                let (was, reason) = (voided.roll, voided.reason.clone());
                let (roll, number) = (rolled.roll, rolled.number);
                let cause = WorkCause::Corrected { was, roll, number, reason };
                self.add_work(seq, Some(seq), cause, items);
            }
            Event::Held { award, .. } => self.hold_work(seq, award),
            Event::EnvyHeld { envy, .. } => {
                let list = self.kept.work.iter_mut().find(|list| list.record == seq);
                let Some(list) = list else { return };
                let envies = list.items.iter_mut().filter(|item| item.seat.is_none());
                envies.for_each(|item| item.move_less(Tray, Dealers, envy.amount));
                list.items.retain(|item| {
                    item.seat.is_some() || item.kind == WorkKind::Hold || !item.chips.is_empty()
                });
                let claims = envy.claims.clone();
                list.items.push(WorkItem {
                    amount: envy.amount,
                    claims,
                    ..dealers(WorkKind::Hold)
                });
            }
            Event::ClaimPaid { claim, shares, postings } => {
                let roll = self.roll_of(*claim, before);
                let paid = |(seat, share): &(Seat, Cents)| {
                    let item = self.item(WorkKind::Confirmed, *seat, *share);
                    WorkItem { claims: vec![*claim], ..item.moving(Tray, Rack, *share) }
                };
                let mut items: Vec<WorkItem> = shares.iter().map(paid).collect();
                items.extend(envy_paid(WorkKind::Confirmed, postings.gain(Account::Envy)));
                self.add_work(seq, roll, WorkCause::Confirmed { claim: *claim }, items);
            }
            Event::Released { award, postings } => {
                let roll = self.roll_of(award.id, before);
                let item = self.item(WorkKind::Confirmed, award.seat, award.amount);
                let wager = self.rules().spot_rule(award.spot).notation.clone();
                let item = WorkItem { wager, claims: vec![award.id], ..item };
                let mut items = vec![item.moving(Tray, Rack, award.amount)];
                items.extend(envy_paid(WorkKind::Confirmed, postings.gain(Account::Envy)));
                self.add_work(seq, roll, WorkCause::Confirmed { claim: award.id }, items);
            }
            Event::ClaimDenied { claim, spot, seats, reason, postings, .. } => {
                let roll = self.roll_of(*claim, before);
                let wager = self.rules().spot_rule(*spot).notation.clone();
                let item = |seat: &Seat| {
                    let back = postings.gain(Account::Rack(*seat));
                    let kind = match back > Cents::ZERO {
                        true => WorkKind::GiveBack,
                        false => WorkKind::Denied,
                    };
                    let item = WorkItem { wager: wager.clone(), ..self.item(kind, *seat, back) };
                    WorkItem { claims: vec![*claim], ..item.moving(Tray, Rack, back) }
                };
                let items = seats.iter().map(item).collect();
                let cause = WorkCause::Denied { claim: *claim, reason: reason.clone() };
                self.add_work(seq, roll, cause, items);
            }
            Event::CashedOut { seat, kind: CashOutKind::Jackpot, postings } => {
                let amount = postings.gain(Account::Cage);
                let list = self.kept.work.iter_mut().find(|list| list.record == seq);
                let paid = list.and_then(|list| {
                    let fits = |item: &&mut WorkItem| {
                        item.seat == Some(*seat) && item.moves(Tray, Rack) == amount
                    };
                    list.items.iter_mut().find(fits)
                });
                if let Some(item) = paid {
                    item.kind = WorkKind::Cage;
                    item.chips.clear();
                }
            }
            Event::Swept(swept) => {
                let items = self.of_lines(&swept.settlement.lines);
                self.add_work(seq, None, WorkCause::DicePassed, items);
            }
            Event::Took(betting) | Event::Returned { betting, .. } => {
                let Some(reason) = self.given_up(entry) else { return };
                let chips = -betting.postings.gain(Account::Action(betting.seat));
                let item = self.item(WorkKind::GiveBack, betting.seat, chips);
                let wager = self.rules().spot_rule(betting.spot).notation.clone();
                let item = WorkItem { wager, ..item }.moving(Felt, Rack, chips);
                self.add_work(seq, None, WorkCause::GivenUp { reason }, vec![item]);
            }
            _ => {}
        }
    }

    /// The crew has moved the chips of a list.
    pub(super) fn mark_done(&mut self, record: u64) {
        let list = self.kept.work.iter_mut().find(|list| list.record == record);
        list.into_iter().for_each(|list| list.done = true);
    }

    /// Betting opens: what the dice of the present round have brought is paid.
    pub(super) fn mark_round_done(&mut self) {
        let round = self.round();
        let lists = self.kept.work.iter_mut();
        let lists = lists.filter(|list| list.record >= round && list.cause.is_of_the_dice());
        lists.for_each(|list| list.done = true);
    }

    /// The chips that a mend has the crew move: they stay to be done, whatever is rolled.
    pub(super) fn add_mend_work(&mut self, seq: u64, mend: &Mend, items: Vec<WorkItem>) {
        let what = what(mend.question.kind, mend.question.dice);
        let (keyed, number, reason) = (mend.keyed, mend.number, mend.reason.clone());
        self.add_work(seq, None, WorkCause::Mended { keyed, number, what, reason }, items);
    }

    /// Lists that are done go with the next throw. Where no crew marks them, all rolls' lists go.
    fn forget_done_work(&mut self) {
        let (practice, paying) = (self.config().practice, self.config().pays_first());
        let mut lists = std::mem::take(&mut self.kept.work);
        lists.retain(|list| {
            let of_roll = matches!(list.cause, WorkCause::Rolled { .. });
            let mut items = list.items.iter();
            let holds = items.any(|item| item.kind == WorkKind::Hold && self.is_held(item));
            holds || !(list.done || practice || (of_roll && !paying))
        });
        self.kept.work = lists;
        if !self.config().has_procedures() {
            let over = self.kept.work.len().saturating_sub(UNMARKED);
            self.kept.work.drain(..over);
        }
    }

    /// Adds to the list of a record, or begins it.
    fn add_work(&mut self, seq: u64, roll: Option<u64>, cause: WorkCause, items: Vec<WorkItem>) {
        if let Some(list) = self.kept.work.iter_mut().find(|list| list.record == seq) {
            return list.items.extend(items);
        }
        // A roll that moves nothing is shown all the same; anything else is not.
        let shown = matches!(cause, WorkCause::Rolled { .. } | WorkCause::Corrected { .. });
        if shown || !items.is_empty() {
            self.kept.work.push(WorkList { record: seq, roll, cause, items, done: false });
        }
    }

    /// The record of the last roll, where a claim is one of its own.
    fn roll_of(&self, claim: ClaimId, before: Option<&BeforeRoll>) -> Option<u64> {
        let older = |before: &BeforeRoll| {
            before.claims.iter().any(|known| known.id == claim)
                || before.held.iter().any(|known| known.id == claim)
        };
        self.last_roll.filter(|_| before.is_some_and(|before| !older(before)))
    }

    /// Bets made since a roll are undone first, then what was moved for the roll.
    fn of_void(&mut self, voided: &Voided, ticked: Option<&[(u64, u32)]>) -> Vec<WorkItem> {
        let mut items: Vec<WorkItem> =
            voided.undone.iter().map(|undone| self.of_undone(undone)).collect();
        if let Some(roll) = self.last_roll {
            items.extend(self.taken_back(roll, ticked));
        }
        items
    }

    fn of_undone(&self, undone: &Undone) -> WorkItem {
        let chips = undone.postings.gain(Account::Rack(undone.seat));
        let wager = self.rules().spot_rule(undone.spot).notation.clone();
        let kind = if chips < Cents::ZERO { WorkKind::PutBack } else { WorkKind::GiveBack };
        let amount = chips.max(-chips);
        let item = WorkItem { wager, ..self.item(kind, undone.seat, amount) };
        item.moving(Felt, Rack, chips).moving(Rack, Felt, -chips)
    }

    /// Winnings that are held are not paid with their roll.
    fn hold_work(&mut self, seq: u64, award: &HeldAward) {
        let wager = self.rules().spot_rule(award.spot).notation.clone();
        let item = self.item(WorkKind::Hold, award.seat, award.amount);
        let hold = WorkItem { wager: wager.clone(), claims: vec![award.id], ..item };
        let Some(list) = self.kept.work.iter_mut().find(|list| list.record == seq) else { return };
        let won = |item: &&mut WorkItem| {
            item.seat == Some(award.seat) && item.wager == wager && !item.kind.is_undoing()
        };
        if let Some(item) = list.items.iter_mut().find(won) {
            item.move_less(Tray, Rack, award.amount);
            if item.moves(Tray, Rack) == Cents::ZERO {
                item.kind = WorkKind::Return;
            }
        }
        list.items.push(hold);
    }

    fn of_roll(&self, rolled: &Rolled) -> Vec<WorkItem> {
        // A dealer begins beside the shooter and goes round the table, the shooter last.
        let first = rolled.shooter.next();
        let turn = |seat: Seat| first.onwards().position(|other| other == seat);
        let mut items = self.of_lines(&rolled.settlement.lines);
        for claim in &rolled.claims {
            for (seat, _) in &claim.winners {
                let item = self.item(WorkKind::Hold, *seat, Cents::ZERO);
                items.push(WorkItem { claims: vec![claim.id], ..item });
            }
        }
        let order = |item: &WorkItem| {
            let take = item.kind == WorkKind::Take;
            (!take, item.seat.and_then(turn))
        };
        items.sort_by_key(order);
        let envy: Cents = rolled.settlement.envies.iter().map(|(_, amount)| *amount).sum();
        items.extend(envy_paid(WorkKind::Pay, envy));
        items
    }

    /// What is done about each settled bet.
    fn of_lines(&self, lines: &[Settled]) -> Vec<WorkItem> {
        let rules = self.rules();
        let mut items: Vec<WorkItem> = lines.iter().map(|line| self.of_line(rules, line)).collect();
        // A come bet that wins where an equal one travels to stays as that one.
        for won in 0..lines.len() {
            let line = &lines[won];
            let comes_down = matches!(line.fate, Fate::Win { .. }) && line.left.is_none();
            let same = |other: &Settled| {
                other.seat == line.seat
                    && other.bet.stake == line.bet.stake
                    && matches!(other.fate, Fate::Travel(spot) if spot == line.bet.spot)
            };
            if let Some(moved) = lines.iter().position(same).filter(|_| comes_down) {
                items[won].kind = WorkKind::OffAndOn;
                items[moved].kind = WorkKind::OffAndOn;
            }
        }
        items
    }

    fn of_line(&self, rules: &Rules, line: &Settled) -> WorkItem {
        let notation = |spot| rules.spot_rule(spot).notation.clone();
        let left = line.left.map_or(Cents::ZERO, craps::Bet::outlay);
        let off_felt = line.bet.outlay() - left;
        let to_rack = line.to_rack();
        // What comes down goes to the player before anything is paid out of the tray.
        let back = off_felt.min(to_rack).max(Cents::ZERO);
        let kind = match line.fate {
            Fate::Lose => WorkKind::Take,
            Fate::Travel(_) => WorkKind::Move,
            Fate::Return => WorkKind::Return,
            Fate::Win { .. } if to_rack == Cents::ZERO && line.left.is_none() => WorkKind::Take,
            Fate::Win { .. } if to_rack - back > Cents::ZERO => WorkKind::Pay,
            Fate::Win { .. } if back > Cents::ZERO => WorkKind::Return,
            Fate::Win { .. } | Fate::Push | Fate::Stand => WorkKind::Stand,
        };
        let to = match line.fate {
            Fate::Travel(spot) => notation(spot),
            _ => String::new(),
        };
        let wager = notation(line.bet.spot);
        let item = WorkItem { wager, to, ..self.item(kind, line.seat, line.bet.stake) };
        item.moving(Felt, Rack, back)
            .moving(Tray, Rack, to_rack - back)
            .moving(Felt, Tray, off_felt - back)
            .moving(Tray, Felt, -off_felt)
    }

    /// Why the seat of a record is given up, where it is. Earlier versions took the bets down when
    /// it was asked for.
    fn given_up(&self, entry: &Entry<TableEntry>) -> Option<String> {
        let proposal = match &entry.what {
            TableEntry::GivenUp { reason, .. } => return Some(reason.clone()),
            TableEntry::Proposed { proposal, .. } => proposal,
            TableEntry::Agreed { proposal, .. } => &self.proposals.get(proposal)?.proposal,
            _ => return None,
        };
        match proposal {
            Proposal::GiveUp { reason, .. } => Some(reason.clone()),
            _ => None,
        }
    }

    fn item(&self, kind: WorkKind, seat: Seat, amount: Cents) -> WorkItem {
        let name = self.table.player(seat).map(|player| player.name.clone());
        WorkItem {
            kind,
            seat: Some(seat),
            name: name.unwrap_or_default(),
            wager: String::new(),
            to: String::new(),
            amount,
            claims: Vec::new(),
            chips: Vec::new(),
        }
    }
}

/// Something about what the dealers are paid.
fn dealers(kind: WorkKind) -> WorkItem {
    WorkItem {
        kind,
        seat: None,
        name: String::new(),
        wager: String::new(),
        to: String::new(),
        amount: Cents::ZERO,
        claims: Vec::new(),
        chips: Vec::new(),
    }
}

fn envy_paid(kind: WorkKind, amount: Cents) -> Option<WorkItem> {
    let chips = vec![ChipTransfer { from: Tray, to: Dealers, amount }];
    (amount > Cents::ZERO).then(|| WorkItem { amount, chips, ..dealers(kind) })
}
