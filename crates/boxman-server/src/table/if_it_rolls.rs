//! What the next roll would do, for every way the dice can fall: decided and settled just as the
//! roll itself would be, with everybody's bets, and then forgotten.

use craps::meter::{MeterCommand, MeterEvent, TableClaim};
use craps::table::{Claim, Rolled};
use craps::{Cents, Command, Event, Meter, Refusal, Roll, Seat, Table};

use super::LiveTable;

/// What one roll would do.
pub struct IfRolled {
    /// The roll, and what became of every bet.
    pub rolled: Rolled,
    /// What its jackpots would pay.
    pub jackpots: Vec<(Seat, Cents)>,
    /// The table after it, jackpots yet to be paid.
    pub after: Table,
}

impl LiveTable {
    /// Every way the dice can fall now; `shown` is what the meter of a paytable shows. Refused
    /// where the dice could not be thrown once betting has closed.
    pub fn if_it_rolls(
        &self,
        shown: impl Fn(&str) -> Option<Cents>,
    ) -> Result<Vec<IfRolled>, Refusal> {
        let rules = self.rules();
        let mut before = self.table.clone();
        if before.is_betting_open() {
            before.obey(rules, &Command::CloseBetting)?;
        }
        let mut all = Vec::new();
        // Two dice in either order are one way to fall.
        let in_order = |roll: &Roll| roll.faces().0 <= roll.faces().1;
        for roll in Roll::all().filter(in_order) {
            let mut after = before.clone();
            let events = after.obey(rules, &Command::Roll { roll })?;
            for event in events {
                let Event::Rolled(rolled) = event else { continue };
                let won = rolled.claims.iter().flat_map(|claim| self.award(claim, &shown));
                let jackpots = won.collect();
                all.push(IfRolled { rolled: *rolled, jackpots, after: after.clone() });
            }
        }
        Ok(all)
    }

    /// What a meter that shows so much would answer a claim.
    fn award(&self, claim: &Claim, shown: impl Fn(&str) -> Option<Cents>) -> Vec<(Seat, Cents)> {
        let rule = self.rules().meters().iter().find(|rule| rule.name == claim.meter);
        let Some((rule, amount)) = rule.zip(shown(&claim.meter)) else { return Vec::new() };
        let meter = Meter::open(&rule.name, rule.terms, Some(amount));
        let (id, winners) = (TableClaim { table: self.id.0, id: claim.id }, claim.winners.clone());
        let answered = meter.decide(&MeterCommand::Claim { claim: id, winners });
        let shares = |event: MeterEvent| match event {
            MeterEvent::Awarded(award) => Some(award.shares),
            _ => None,
        };
        answered.into_iter().flatten().find_map(shares).unwrap_or_default()
    }
}
