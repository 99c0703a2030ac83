//! What is won and waits for somebody to look: jackpots of a meter, and awards of side bets above
//! the operator's threshold. Real tables only; at practice tables everything is paid at once.

use craps::table::Rolled;
use craps::{CashOutKind, Cents, ClaimId, Command, Event, Fate, Refusal, Seat};

use super::LiveTable;
use super::decide::pay;
use crate::access::Person;
use crate::log::{Entry, FixedAward, TableEntry};
use crate::names;
use crate::payout::{Check, CheckItem, PaidBy, Payout};
use crate::problem::Problem;
use crate::two_people;

/// No number of a slip or a form has more characters.
const NUMBER: usize = 40;

impl LiveTable {
    /// Awards of a roll that are held back, in the order of its lines.
    pub(crate) fn holds(&self, event: &Event) -> Vec<Command> {
        let (Event::Rolled(rolled) | Event::Corrected { rolled, .. }) = event else {
            return Vec::new();
        };
        match self.config().held_above() {
            Some(threshold) => self.awards_above(rolled, threshold),
            None => Vec::new(),
        }
    }

    fn awards_above(&self, rolled: &Rolled, threshold: Cents) -> Vec<Command> {
        let rules = self.rules();
        let lines = rolled.settlement.lines.iter();
        let above = lines.filter(|line| {
            matches!(line.fate, Fate::Win { .. })
                && line.won > threshold
                && rules.wager_at(line.bet.spot).shape.is_tracked()
        });
        above
            .map(|line| Command::Hold {
                seat: line.seat,
                wager: rules.spot_rule(line.bet.spot).notation.clone(),
                amount: line.won,
            })
            .collect()
    }

    /// Whether somebody has to confirm or deny a claim, and betting waits for it.
    pub fn waits_for_claim(&self) -> bool {
        let config = self.config();
        let jackpot = config.confirms_jackpots() && !self.table.claims().is_empty();
        !config.betting_during_claims && (jackpot || !self.table.held().is_empty())
    }

    /// What the crew has to check before a claim is paid; nothing where no checklist is kept.
    pub(crate) fn checklist(&self, claim: ClaimId) -> &'static [CheckItem] {
        let jackpot = self.table.claims().iter().any(|waiting| waiting.id == claim);
        match (self.config().practice, jackpot) {
            (true, _) => &[],
            (false, true) => &CheckItem::JACKPOT,
            (false, false) => &CheckItem::HELD,
        }
    }

    /// What of it nobody has checked yet.
    pub(crate) fn unchecked(&self, claim: ClaimId) -> Vec<CheckItem> {
        let checks = self.claimed.get(&claim.0).map_or(&[][..], |known| &known.checks);
        let is_open = |item: &&CheckItem| checks.iter().all(|check| check.item != **item);
        self.checklist(claim).iter().filter(is_open).copied().collect()
    }

    /// The crew has checked one thing.
    pub(super) fn check_claim(&self, claim: u64, item: CheckItem) -> Result<TableEntry, Problem> {
        let known = self.claimed.get(&claim).ok_or(Refusal::NoSuchClaim)?;
        match known.checks.iter().find(|check| check.item == item) {
            Some(check) => {
                let who = check.name.as_deref().unwrap_or("another person");
                let checked = format!("{who} has checked that already: {}", item.word());
                Err(Problem::conflict("checked", checked))
            }
            None => Ok(TableEntry::Checked { claim, item }),
        }
    }

    pub(super) fn note_check(&mut self, entry: &Entry<TableEntry>, claim: u64, item: CheckItem) {
        let (by, name) = (entry.by.clone(), entry.name.clone());
        let name = name.or_else(|| self.seat_name(&entry.by));
        if let Some(known) = self.kept.claimed.get_mut(&claim) {
            known.checks.push(Check { item, by, name, at: entry.at });
        }
    }

    /// Pays what a claim holds.
    pub(super) fn confirm(
        &self,
        who: &Person,
        claim: u64,
        payout: Payout,
        award: Option<&FixedAward>,
    ) -> Result<TableEntry, Problem> {
        let keyed = self.claimed.get(&claim).is_some_and(|known| known.keyed_by.contains(&who.id));
        let id = ClaimId(claim);
        if self.is_denied(claim) {
            return Err(two_people::denial_open());
        }
        let held = self.table.held().iter().find(|held| held.id == id);
        if held.is_none() && !self.table.claims().iter().any(|waiting| waiting.id == id) {
            return Err(Refusal::NoSuchClaim.into());
        }
        check_another(keyed)?;
        if self.config().has_procedures() {
            check_complete(&self.unchecked(id))?;
        }
        let (first, shares, shown) = match held {
            Some(held) => (Command::Release { claim: id }, vec![(held.seat, held.amount)], None),
            None => {
                let waits = "the meter has not answered the claim yet, try again in a moment";
                let FixedAward { award, shown } =
                    award.ok_or_else(|| Problem::unavailable("claim-unanswered", waits))?;
                (pay(award), award.shares.clone(), *shown)
            }
        };
        // A table that deals by earlier procedures writes what it always has.
        if !self.config().has_procedures() && payout == Payout::default() {
            return self.play([first]);
        }
        let steps = self.steps(confirming(first, &payout, &shares))?;
        let payout = Payout { shown, ..payout };
        Ok(TableEntry::Confirmed { claim, payout, steps })
    }
}

/// Everything that the engine does about a claim that is paid.
pub(crate) fn confirming(
    first: Command,
    payout: &Payout,
    shares: &[(Seat, Cents)],
) -> Vec<Command> {
    let by_cage = payout.paid_by == PaidBy::Cage;
    let paid = shares.iter().filter(|(_, share)| by_cage && *share > Cents::ZERO);
    let kind = CashOutKind::Jackpot;
    let cash_out =
        |(seat, share): &(Seat, Cents)| Command::CashOut { seat: *seat, amount: *share, kind };
    std::iter::once(first).chain(paid.map(cash_out)).collect()
}

/// How a claim is to be paid, in words fit to be written down.
pub(super) fn payout(
    paid_by: PaidBy,
    slip: Option<&str>,
    form: Option<&str>,
) -> Result<Payout, Problem> {
    let number = |text: Option<&str>, what: &str| {
        let expected = format!("the number of the {what} has 1 to {NUMBER} characters that show");
        let line = text.map(|text| names::line(text, NUMBER));
        line.map(|line| line.ok_or_else(|| Problem::invalid("bad-number", expected))).transpose()
    };
    let (slip, form) = (number(slip, "slip")?, number(form, "form")?);
    if paid_by == PaidBy::Cage && slip.is_none() {
        let needed = "the cage pays against a slip: give its number";
        return Err(Problem::invalid("slip-needed", needed));
    }
    Ok(Payout { paid_by, slip, form, shown: None })
}

fn check_complete(missing: &[CheckItem]) -> Result<(), Problem> {
    let words: Vec<&str> = missing.iter().map(|item| item.word()).collect();
    match words.is_empty() {
        true => Ok(()),
        false => {
            let first = format!("check these first: {}", words.join(", "));
            Err(Problem::conflict("unchecked", first))
        }
    }
}

fn check_another(keyed: bool) -> Result<(), Problem> {
    let another = "you keyed in that roll: another supervisor has to confirm what it won";
    match keyed {
        true => Err(Problem::new(403, "same-person", another)),
        false => Ok(()),
    }
}
