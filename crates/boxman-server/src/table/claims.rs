//! What is won and waits for somebody to look: jackpots of a meter, and awards of side bets above
//! the operator's threshold. Real tables only; at practice tables everything is paid at once.

use craps::meter::Award as MeterAward;
use craps::table::Rolled;
use craps::{Cents, ClaimId, Command, Event, Fate, Refusal};

use super::LiveTable;
use super::decide::pay;
use crate::access::Person;
use crate::log::TableEntry;
use crate::problem::Problem;
use crate::two_people;

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

    /// Pays what a claim holds.
    pub(super) fn confirm(
        &self,
        who: &Person,
        claim: u64,
        award: Option<&MeterAward>,
    ) -> Result<TableEntry, Problem> {
        let keyed = self.claimed.get(&claim).is_some_and(|known| known.keyed_by.contains(&who.id));
        let id = ClaimId(claim);
        if self.is_denied(claim) {
            return Err(two_people::denial_open());
        }
        if self.table.held().iter().any(|held| held.id == id) {
            check_another(keyed)?;
            return self.play([Command::Release { claim: id }]);
        }
        if !self.table.claims().iter().any(|waiting| waiting.id == id) {
            return Err(Refusal::NoSuchClaim.into());
        }
        check_another(keyed)?;
        let waits = "the meter has not answered the claim yet, try again in a moment";
        let award = award.ok_or_else(|| Problem::unavailable("claim-unanswered", waits))?;
        self.play([pay(award)])
    }
}

fn check_another(keyed: bool) -> Result<(), Problem> {
    let another = "whoever keyed in the roll does not confirm what it won: somebody else has to";
    match keyed {
        true => Err(Problem::new(403, "same-person", another)),
        false => Ok(()),
    }
}
