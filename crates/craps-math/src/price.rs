//! The price of a label: what a roll's fates come to in money, settled by the engine itself.

use craps::{
    Account, AwardId, Cents, Fate, Label, Meter, MeterCommand, Rules, Seat, Settlement, TableClaim,
    settle,
};

use crate::{Ratio, ratio, whole};

/// What one ending is worth to one of several players with the same bets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// The player's result in cents: what comes back less what was put up.
    pub net: Ratio,
    /// What was staked, odds included and commission not.
    pub staked: Cents,
    /// Commission paid when the bets were put up.
    pub vig: Cents,
    /// What the dealers are paid for all the players together.
    pub envy: Cents,
    /// What the house pays out to all the players and dealers together, meters aside.
    pub house_loss: Cents,
    /// The award the flat bet won.
    pub award: Option<AwardId>,
    /// Whether the whole meter was won.
    pub jackpot: bool,
    /// Whether the bet pushed.
    pub push: bool,
    /// Whether rounding kept anything back.
    pub broken: bool,
}

/// What the bets are priced under.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// What the meter shows when the bet is decided.
    pub meter: Cents,
    /// How many players have the same bets up and win together.
    pub bettors: u8,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms { meter: Cents::ZERO, bettors: 1 }
    }
}

/// Settles a label for every bettor, and takes everything down: a commission charged for a next
/// decision comes back with the bet.
pub fn price(rules: &Rules, label: &Label, terms: Terms) -> Price {
    let mut settlement = Settlement::default();
    let seats = || Seat::all().take(usize::from(terms.bettors));
    let fates =
        seats().flat_map(|seat| label.fates.iter().map(move |(bet, fate)| (seat, *bet, *fate)));
    settle(rules, fates, Cents::ZERO, &mut settlement);
    let mine = settlement.lines.iter().filter(|line| line.seat == Seat(0));
    let mut net = Cents::ZERO;
    for line in mine {
        let left = line.left.map_or(Cents::ZERO, craps::Bet::outlay);
        net += line.to_rack() + left - line.bet.outlay();
    }
    let odds = |bet: &craps::Bet| rules.spot_rule(bet.spot).flat.is_some();
    let flat = label.fates.iter().find(|(bet, _)| !odds(bet)).map(|(_, fate)| *fate);
    let award = match flat {
        Some(Fate::Win { award, .. }) => Some(award),
        _ => None,
    };
    let broken = settlement.lines.iter().any(|line| line.broken > Cents::ZERO)
        || settlement.memo != craps::Fraction::ZERO;
    Price {
        net: ratio(net.0, 1) + jackpot_share(rules, &settlement, terms),
        staked: label.fates.iter().map(|(bet, _)| bet.stake).sum(),
        vig: label.fates.iter().map(|(bet, _)| bet.vig).sum(),
        envy: settlement.postings.gain(Account::Envy),
        house_loss: -settlement.postings.gain(Account::House),
        award,
        jackpot: !settlement.claims.is_empty(),
        push: flat == Some(Fate::Push),
        broken,
    }
}

/// One winner's part of the meter. The engine's meter says how it is divided; the cents it keeps
/// for the next run are shared out here, so that the value is exact for any amount.
fn jackpot_share(rules: &Rules, settlement: &Settlement, terms: Terms) -> Ratio {
    let Some(claim) = settlement.claims.first() else { return Ratio::ZERO };
    let rule = &rules.meters()[claim.meter.index()];
    let mut meter = Meter::open(&rule.name, rule.terms, Some(terms.meter));
    let winners: Vec<(Seat, u32)> =
        settlement.claims.iter().map(|winner| (winner.seat, winner.units)).collect();
    let claim = TableClaim { table: 0, id: craps::ClaimId(1) };
    let count = winners.len() as i64;
    let events = meter.obey(&MeterCommand::Claim { claim, winners }).expect("a fresh meter pays");
    let award = events.iter().find_map(|event| match event {
        craps::MeterEvent::Awarded(award) => Some(award),
        _ => None,
    });
    let award = award.expect("a claim is answered");
    let kept = terms.meter - award.from_meter;
    let (_, share) = award.shares[0];
    whole(share.0) + ratio(kept.0, count)
}
