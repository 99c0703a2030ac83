//! PAR sheets: what a paytable pays, how often, and what it leaves the house.

mod flags;
mod paytables;
mod progressive;

use craps::chain::Label;
use craps::money::{Basis, Pays};
use craps::spot::AwardId;
use craps::wager::{Due, Envy};
use craps::{Bet, Cents, Chain, Rules};

pub use self::paytables::paytables;
pub use self::progressive::Progressive;

use crate::chance::{Ratio, float, ratio, whole};
use crate::price::{Endings, Terms, price};
use crate::solve::{Solution, decided_by};
use crate::stake::check_stake;
use crate::starts::{OtherStarts, with_points};
use crate::target::{Target, Unpriced, solved};

/// What a PAR sheet is made for.
#[derive(Clone, Copy, Debug)]
pub struct ParTerms {
    /// What one player bets; the wager's smallest bet or base where nothing is said.
    pub unit: Option<Cents>,
    /// What the meter shows; its seed where nothing is said.
    pub meter: Option<Cents>,
    /// How many players have the bet up.
    pub bettors: u8,
    /// How many rolls an hour the table gets through.
    pub rolls_per_hour: u32,
}

impl ParTerms {
    /// A table with a few players throws about a hundred times an hour.
    pub const ROLLS_PER_HOUR: u32 = 100;

    /// What nobody can mean.
    pub fn check(&self) -> Result<(), Unpriced> {
        let most = Par::BETTORS_MAX;
        let reason = if !(1..=most).contains(&self.bettors) {
            format!("bettors go from 1 to {most}")
        } else if self.meter.is_some_and(|meter| meter < Cents::ZERO) {
            "a meter shows no less than nothing".to_owned()
        } else if self.unit.is_some_and(|unit| unit <= Cents::ZERO) {
            "a bet is more than nothing".to_owned()
        } else if self.rolls_per_hour == 0 {
            "a table throws at least once an hour".to_owned()
        } else {
            return Ok(());
        };
        Err(Unpriced::Stake(reason))
    }
}

impl Default for ParTerms {
    fn default() -> ParTerms {
        ParTerms { unit: None, meter: None, bettors: 1, rolls_per_hour: ParTerms::ROLLS_PER_HOUR }
    }
}

/// One line of a PAR sheet.
#[derive(Clone, Debug)]
pub struct ParAward {
    /// What has to happen: `9 numbers`.
    pub event: String,
    /// What it pays, as the paytable words it.
    pub pays: String,
    /// The same as a value.
    pub due: Due,
    /// What the dealers get.
    pub envy: Option<Envy>,
    /// Its chance.
    pub chance: Ratio,
    /// What comes back for a stake of one, the stake itself included.
    pub back: Ratio,
    /// Whether it takes the meter.
    pub jackpot: bool,
    /// What the house loses by it on one roll with every bettor at the wager's maximum.
    pub loss: Cents,
}

impl ParAward {
    /// How many decisions it takes on average: 1 in this many.
    pub fn one_in(&self) -> Ratio {
        Ratio::ONE / &self.chance
    }

    /// What would come back for a stake of one if nothing were rounded, capped or charged;
    /// nothing for an award that takes the meter.
    pub fn rate(&self) -> Option<Ratio> {
        match self.due {
            Due::Pays(Pays { num, den, basis }) => {
                let pays = ratio(i64::from(num), i64::from(den));
                Some(if basis == Basis::To { pays + Ratio::ONE } else { pays })
            }
            Due::Dollars(amount) => Some(ratio(amount.0, 100)),
            Due::Push => Some(Ratio::ONE),
            Due::Meter => None,
        }
    }

    /// Its part of the return.
    pub fn share(&self) -> Ratio {
        &self.chance * &self.back
    }
}

/// What a wager under a paytable is worth to both sides.
#[derive(Clone, Debug)]
pub struct Par {
    /// The paytable.
    pub paytable: String,
    /// The wager, as written on the felt.
    pub wager: String,
    /// The wager in a sentence.
    pub title: String,
    /// The rulebook and the SHA-256 of its text.
    pub rulebook: (String, [u8; 32]),
    /// What one player bets.
    pub unit: Cents,
    /// How many players have the bet up.
    pub bettors: u8,
    /// What the meter shows, for a progressive.
    pub meter: Option<Cents>,
    /// Every award, the highest first.
    pub awards: Vec<ParAward>,
    /// The chance of any award, one of 1 for 1 among them; a push is none.
    pub hit_chance: Ratio,
    /// The chance of a push.
    pub push_chance: Ratio,
    /// The chance of the highest award.
    pub top_chance: Ratio,
    /// What comes back for each dollar, the meter left out.
    pub fixed_return: Ratio,
    /// What comes back for each dollar at this meter and number of bettors.
    pub return_at_meter: Ratio,
    /// What the dealers cost for each dollar bet by all the players together.
    pub envy_cost: Ratio,
    /// The variance of one player's result for a stake of one.
    pub variance: Ratio,
    /// Every result for a stake of one, with its chance, lowest first.
    pub outcomes: Vec<(Ratio, Ratio)>,
    /// The mean number of rolls to a decision.
    pub rolls: Ratio,
    /// The chance to be decided within 0, 1, 2 … rolls.
    pub decided_by: Vec<f64>,
    /// The most the house can lose on one roll to these bettors at the wager's maximum; a meter
    /// pays for itself, but not for winners who each take it in full.
    pub exposure: Cents,
    /// The wager's maximum, which the exposure is for.
    pub maximum: Cents,
    /// Whether only one amount can be bet, so that the maximum is the unit.
    pub one_amount: bool,
    /// What winnings are rounded down to.
    pub payout_unit: Cents,
    /// The most its winners win together, where there is a cap.
    pub cap: Option<Cents>,
    /// Whether it costs a commission.
    pub has_commission: bool,
    /// How many rolls an hour the table gets through.
    pub rolls_per_hour: u32,
    /// What comes back and what the dealers cost for a full table's numbers of bettors, and for
    /// its own.
    pub by_bettors: Vec<AtBettors>,
    /// How else the bet may begin than as it is priced.
    pub starts: OtherStarts,
    /// What there is to say of the meter.
    pub progressive: Option<Progressive>,
}

/// What the number of bettors makes of a sheet.
#[derive(Clone, Debug)]
pub struct AtBettors {
    /// How many have the bet up.
    pub bettors: u8,
    /// What comes back to one of them for each dollar, at the sheet's meter.
    pub returned: Ratio,
    /// What the dealers cost for each dollar bet by all of them together.
    pub envy_cost: Ratio,
}

impl Par {
    /// How many standard deviations to either side hold nine results in ten.
    pub const NINE_IN_TEN: f64 = 1.645;

    /// The most bettors a sheet is made for.
    pub const BETTORS_MAX: u8 = craps::Seat::COUNT as u8;

    /// A crowded table, which sheets are drawn and listed up to.
    pub const FULL_TABLE: u8 = 12;

    /// The sheet of one bet of `rules`, written as on a tape.
    pub fn of(rules: &Rules, bet: &str, terms: ParTerms) -> Result<Par, Unpriced> {
        let target = Target::parse(rules, bet)?;
        let rule = rules.wager_at(target.spot);
        let limits = rule.limits;
        let unit = terms.unit.unwrap_or(limits.least());
        check_stake(rules, &target, unit)?;
        let (chain, solution) = solved(rules, &target, unit)?;
        let stake = whole(unit.0);
        let meter = rules.meter_of(rules.spot_rule(target.spot).wager);
        let meter = meter.map(|meter| rules.meters()[meter.index()].terms);
        let shown = meter.map(|meter| terms.meter.unwrap_or(meter.seed));
        let priced =
            |meter, bettors| Endings::of(rules, &chain, &solution, Terms { meter, bettors });
        let back = |endings: &Endings| endings.mean(|price| &price.net / &stake + Ratio::ONE);
        let endings = priced(shown.unwrap_or(Cents::ZERO), terms.bettors);
        let fixed_return = back(&priced(Cents::ZERO, terms.bettors));
        let maximum = limits.max.unwrap_or(unit);
        let at = Terms { meter: shown.unwrap_or(Cents::ZERO), bettors: terms.bettors };
        let losses = losses(rules, &chain, &solution, maximum, at);
        let mut exposure = losses.iter().copied().max().unwrap_or(Cents::ZERO).max(Cents::ZERO);
        for (_, chain, solution) in with_points(rules, &target, unit)? {
            let most = self::losses(rules, &chain, &solution, maximum, at).into_iter().max();
            exposure = exposure.max(most.unwrap_or(Cents::ZERO));
        }
        let awards = awards(rules, &endings, &losses, unit);
        let jackpot = endings.chance(|price| price.jackpot);
        // The return is a line in the meter: two points of it, priced, give its slope.
        let slope = |bettors| {
            let full = back(&priced(Cents::MOST, bettors)) - back(&priced(Cents::ZERO, bettors));
            full / whole(Cents::MOST.0)
        };
        let progressive = meter.map(|meter| Progressive {
            terms: meter,
            chance: jackpot,
            slopes: (1..=Par::BETTORS_MAX).map(slope).collect(),
            fixed: fixed_return.clone(),
            unit,
            bettors: terms.bettors,
        });
        let envy_cost = |endings: &Endings, bettors: u8| {
            let envy = endings.mean(|price| whole(price.envy.0));
            envy / (&stake * whole(i64::from(bettors)))
        };
        let at_bettors = |bettors: u8| {
            let endings = priced(shown.unwrap_or(Cents::ZERO), bettors);
            let envy_cost = envy_cost(&endings, bettors);
            AtBettors { bettors, returned: back(&endings), envy_cost }
        };
        let own = (terms.bettors > Par::FULL_TABLE).then_some(terms.bettors);
        let by_bettors = (1..=Par::FULL_TABLE).chain(own).map(at_bettors).collect();
        Ok(Par {
            paytable: rule.paytable.clone().unwrap_or_default(),
            wager: target.name.clone(),
            title: rule.title.clone(),
            rulebook: (rule.rulebook.clone(), text_hash(rules, &rule.rulebook)),
            unit,
            bettors: terms.bettors,
            meter: shown,
            hit_chance: endings.chance(|price| price.award.is_some()),
            push_chance: endings.chance(|price| price.push),
            top_chance: awards.first().map_or(Ratio::ZERO, |award| award.chance.clone()),
            return_at_meter: back(&endings),
            fixed_return,
            envy_cost: envy_cost(&endings, terms.bettors),
            variance: endings.variance() / (&stake * &stake),
            outcomes: endings.outcomes(&stake),
            decided_by: decided_by(&chain, 40),
            exposure,
            starts: OtherStarts::of(rules, &target, unit, at)?,
            rolls: solution.rolls,
            maximum,
            one_amount: limits.max.is_none_or(|max| max == limits.min),
            payout_unit: rules.payout_unit,
            cap: rule.shared.cap.map(|cap| cap.amount),
            has_commission: rule.standing.commission.is_some(),
            rolls_per_hour: terms.rolls_per_hour,
            by_bettors,
            progressive,
            awards,
        })
    }

    /// The house's share of each dollar at this meter.
    pub fn edge(&self) -> Ratio {
        Ratio::ONE - &self.return_at_meter
    }

    /// What is left of it once the dealers have been paid.
    pub fn edge_after_envy(&self) -> Ratio {
        self.edge() - &self.envy_cost
    }

    /// The edge for each roll.
    pub fn edge_per_roll(&self) -> Ratio {
        self.edge() / &self.rolls
    }

    /// The standard deviation of one player's result for a stake of one.
    pub fn deviation(&self) -> f64 {
        float(&self.variance).sqrt()
    }

    /// The half-width of the 90 % interval around one result.
    #[expect(clippy::float_arithmetic, reason = "a statistic for reading")]
    pub fn volatility_index(&self) -> f64 {
        Par::NINE_IN_TEN * self.deviation()
    }

    /// How many decisions the table sees in an hour.
    pub fn decisions_per_hour(&self) -> Ratio {
        ratio(i64::from(self.rolls_per_hour), 1) / &self.rolls
    }

    /// What the house keeps in an hour from all the bettors, envy paid, in cents: in the long run,
    /// where what a progressive sets aside for its meter is not the house's. Nothing where its
    /// terms are not set.
    pub fn hold_per_hour(&self) -> Option<Ratio> {
        let staked = whole(self.unit.0) * whole(i64::from(self.bettors));
        let kept = match &self.progressive {
            None => self.edge(),
            Some(progressive) => Ratio::ONE - &self.fixed_return - progressive.set_aside()?,
        };
        Some((kept - &self.envy_cost) * staked * self.decisions_per_hour())
    }

    /// Whether it is a progressive whose terms are not set, so that nothing can be said of the
    /// mean meter and what rests on it.
    pub fn is_without_terms(&self) -> bool {
        self.progressive.as_ref().is_some_and(|progressive| progressive.terms.are_unset())
    }

    /// The meter at which a player's return is exactly everything, in cents, for `bettors`
    /// sharing it. Nothing without a meter, or where the fixed pays alone return as much.
    pub fn breakeven(&self, bettors: u8) -> Option<Ratio> {
        self.progressive.as_ref()?.breakeven(bettors)
    }
}

fn text_hash(rules: &Rules, rulebook: &str) -> [u8; 32] {
    let known = rules.rulebooks.iter().find(|(name, _)| name == rulebook);
    known.map(|(_, hash)| *hash).expect("every wager comes from one of its rulebooks")
}

/// The awards of a sheet, the highest first.
fn awards(rules: &Rules, endings: &Endings, losses: &[Cents], unit: Cents) -> Vec<ParAward> {
    let mut found: Vec<(AwardId, ParAward)> = Vec::new();
    for ((price, chance), loss) in endings.iter().zip(losses) {
        let Some(id) = price.award else { continue };
        match found.iter_mut().find(|(known, _)| *known == id) {
            Some((_, award)) => {
                award.chance += chance;
                award.loss = award.loss.max(*loss);
            }
            None => {
                let award = rules.award(id);
                let award = ParAward {
                    event: award.event.clone(),
                    pays: award.due.to_string(),
                    due: award.due,
                    envy: award.envy,
                    chance: chance.clone(),
                    back: &price.net / whole(unit.0) + Ratio::ONE,
                    jackpot: price.jackpot,
                    loss: *loss,
                };
                found.push((id, award));
            }
        }
    }
    let mut awards: Vec<ParAward> = found.into_iter().map(|(_, award)| award).collect();
    awards.sort_by(|one, other| (other.jackpot, &other.back).cmp(&(one.jackpot, &one.back)));
    awards
}

/// What each ending costs the house with every bettor at the maximum.
fn losses(
    rules: &Rules,
    chain: &Chain,
    solution: &Solution,
    maximum: Cents,
    terms: Terms,
) -> Vec<Cents> {
    let loss = |(label, _): &(u32, Ratio)| {
        let label = &chain.labels()[*label as usize];
        let at_maximum = |bet: &Bet| Bet { stake: maximum, ..*bet };
        let fates = label.fates.iter().map(|(bet, fate)| (at_maximum(bet), *fate)).collect();
        price(rules, &Label { fates, working: label.working }, terms).house_loss
    };
    solution.endings.iter().map(loss).collect()
}
