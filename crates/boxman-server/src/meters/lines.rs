//! What a request would change at a meter: one function of the request and the meter, by which its
//! task writes it down and an audit derives it again.

use craps::terms::Winners;
use craps::{Meter, MeterTerms, MicroCents, Refusal};

use crate::line::{Facts, Line, dollars};
use crate::log::{KeptMeter, MeterProposal};

impl KeptMeter {
    /// What a request would change once two people agree to it.
    pub(crate) fn lines(&self, proposal: &MeterProposal) -> Result<Vec<Line>, Refusal> {
        let mut after = self.meter.clone();
        for event in self.carry_out(proposal)? {
            after.evolve(&event);
        }
        let mut lines = facts(&self.meter).changes(&facts(&after));
        let sent = after.parts().moved_out - self.meter.parts().moved_out;
        if let Some(to) = proposal.to().filter(|_| sent > MicroCents::ZERO) {
            lines.push(Line::new(format!("sent to meter {to}"), "", money(sent)));
        }
        if let MeterProposal::Adjust { table: Some(table), record, .. } = proposal {
            let about = match record {
                Some(record) => format!("table {table}, record {record}"),
                None => format!("table {table}"),
            };
            lines.push(Line::new("what it is about", "", about));
        }
        Ok(lines)
    }
}

/// Everything about a meter that a second person may want to know.
fn facts(meter: &Meter) -> Facts {
    let mut facts = Facts::default();
    facts.add("meter", if meter.is_closed() { "closed" } else { "open" });
    facts.add("shown", money(meter.amount()));
    facts.add("reserve", money(meter.reserve()));
    facts.add("of it the players'", money(meter.of_players()));
    facts.add("the house's own", money(meter.of_house()));
    facts.add("kept for players", money(meter.kept()));
    terms(&mut facts, "", meter.terms());
    let next = meter.next_terms().unwrap_or(meter.terms());
    terms(&mut facts, " from the next reset", next);
    facts
}

/// An amount with the part of a cent that it carries.
fn money(amount: MicroCents) -> String {
    let carried = amount - MicroCents::from(amount.whole_cents());
    match carried == MicroCents::ZERO {
        true => dollars(amount.whole_cents()),
        false => format!("{} and a part of a cent", dollars(amount.whole_cents())),
    }
}

fn terms(facts: &mut Facts, when: &str, terms: &MeterTerms) {
    facts.add(format!("seed{when}"), dollars(terms.seed));
    facts.add(format!("share of each wager{when}"), terms.increment.to_string());
    facts.add(format!("share for the reserve{when}"), terms.reserve.to_string());
    let ceiling = terms.ceiling.map_or_else(|| "none".to_owned(), dollars);
    facts.add(format!("ceiling{when}"), ceiling);
    let winners = match terms.winners {
        Winners::Share => "share it",
        Winners::InFull => "are each paid in full",
    };
    facts.add(format!("several winners{when}"), winners);
}
