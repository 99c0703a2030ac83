//! The price of an ending: what a roll's fates come to in money, settled by the engine itself.

use craps::chain::Label;
use craps::meter::{MeterCommand, TableClaim};
use craps::spot::AwardId;
use craps::wager::Due;
use craps::{Account, Cents, Chain, Fate, Meter, Rules, Seat, Settlement, settle};

use crate::chance::{Ratio, ratio, sum, whole};
use crate::solve::Solution;

/// What one ending is worth to each of several players with the same bets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// One player's result in cents: what comes back less what was put up.
    pub net: Ratio,
    /// What was staked, odds included and commission not.
    pub staked: Cents,
    /// Commission paid when the bets were put up.
    pub vig: Cents,
    /// What the dealers are paid for all the players together.
    pub envy: Cents,
    /// What the house pays out to all the players and dealers together, meters aside.
    pub house_loss: Cents,
    /// The award the flat bet won, or odds by themselves.
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
    let seats = Seat::all().take(usize::from(terms.bettors));
    let fates =
        seats.flat_map(|seat| label.fates.iter().map(move |(bet, fate)| (seat, *bet, *fate)));
    settle(rules, fates, Cents::ZERO, &mut settlement);
    let mut all = Cents::ZERO;
    for line in &settlement.lines {
        let left = line.left.map_or(Cents::ZERO, craps::Bet::outlay);
        all += line.to_rack() + left - line.bet.outlay();
    }
    let odds = |bet: &craps::Bet| rules.spot_rule(bet.spot).flat.is_some();
    let flat = label.fates.iter().find(|(bet, _)| !odds(bet)).or(label.fates.first());
    let flat = flat.map(|(_, fate)| *fate);
    let award = match flat {
        Some(Fate::Win { award, .. }) => Some(award),
        _ => None,
    };
    let pushes = |award: &AwardId| rules.award(*award).due == Due::Push;
    let broken = settlement.lines.iter().any(|line| line.broken > Cents::ZERO)
        || settlement.memo != craps::money::Fraction::ZERO;
    let jackpot = jackpot(rules, &settlement, terms);
    Price {
        net: ratio(all.0, i64::from(terms.bettors)) + jackpot.share,
        staked: label.fates.iter().map(|(bet, _)| bet.stake).sum(),
        vig: label.fates.iter().map(|(bet, _)| bet.vig).sum(),
        envy: settlement.postings.gain(Account::Envy),
        house_loss: jackpot.from_house - settlement.postings.gain(Account::House),
        award: award.filter(|award| !pushes(award)),
        jackpot: !settlement.claims.is_empty(),
        push: flat == Some(Fate::Push) || award.is_some_and(|award| pushes(&award)),
        broken,
    }
}

/// What a won meter pays.
struct Jackpot {
    /// One winner's part, exact for any amount.
    share: Ratio,
    /// What the house adds where each winner takes the meter in full.
    from_house: Cents,
}

/// Asks the engine's meter how it is divided; the cents it keeps for its next run are shared out
/// here, so that the value is exact.
fn jackpot(rules: &Rules, settlement: &Settlement, terms: Terms) -> Jackpot {
    let Some(claim) = settlement.claims.first() else {
        return Jackpot { share: Ratio::ZERO, from_house: Cents::ZERO };
    };
    let rule = &rules.meters()[claim.meter.index()];
    let mut meter = Meter::open(&rule.name, rule.terms, Some(terms.meter));
    let winners: Vec<(Seat, u32)> =
        settlement.claims.iter().map(|winner| (winner.seat, winner.units)).collect();
    let claim = TableClaim { table: 0, id: craps::ClaimId(1) };
    let count = winners.len() as i64;
    let events = meter.obey(&MeterCommand::Claim { claim, winners }).expect("a fresh meter pays");
    let award = events.iter().find_map(|event| match event {
        craps::meter::MeterEvent::Awarded(award) => Some(award),
        _ => None,
    });
    let award = award.expect("a claim is answered");
    let kept = terms.meter - award.from_meter;
    let (_, share) = award.shares[0];
    Jackpot { share: whole(share.0) + ratio(kept.0, count), from_house: award.from_house }
}

/// Every way a bet can end, priced, with its chance.
pub(crate) struct Endings(Vec<(Price, Ratio)>);

impl Endings {
    pub(crate) fn of(rules: &Rules, chain: &Chain, solution: &Solution, terms: Terms) -> Endings {
        let priced = |(label, chance): &(u32, Ratio)| {
            (price(rules, &chain.labels()[*label as usize], terms), chance.clone())
        };
        Endings(solution.endings.iter().map(priced).collect())
    }

    pub(crate) fn of_labels<'a>(
        rules: &Rules,
        labels: impl Iterator<Item = &'a (Label, Ratio)>,
        terms: Terms,
    ) -> Endings {
        Endings(
            labels.map(|(label, chance)| (price(rules, label, terms), chance.clone())).collect(),
        )
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(Price, Ratio)> {
        self.0.iter()
    }

    /// The mean of a figure.
    pub(crate) fn mean(&self, figure: impl Fn(&Price) -> Ratio) -> Ratio {
        sum(self.0.iter().map(|(price, chance)| figure(price) * chance))
    }

    /// The chance that something holds.
    pub(crate) fn chance(&self, holds: impl Fn(&Price) -> bool) -> Ratio {
        let held = self.0.iter().filter(|(price, _)| holds(price));
        sum(held.map(|(_, chance)| chance.clone()))
    }

    /// The variance of one player's result, in square cents.
    pub(crate) fn variance(&self) -> Ratio {
        let mean = self.mean(|price| price.net.clone());
        self.mean(|price| &price.net * &price.net) - &mean * &mean
    }

    /// Every result divided by `stake`, alike ones joined, lowest first.
    pub(crate) fn outcomes(&self, stake: &Ratio) -> Vec<(Ratio, Ratio)> {
        let mut outcomes: Vec<(Ratio, Ratio)> = Vec::new();
        for (price, chance) in &self.0 {
            let net = &price.net / stake;
            match outcomes.iter_mut().find(|(known, _)| *known == net) {
                Some((_, sum)) => *sum += chance,
                None => outcomes.push((net, chance.clone())),
            }
        }
        outcomes.sort_by(|(one, _), (other, _)| one.cmp(other));
        outcomes
    }
}
