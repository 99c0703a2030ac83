//! PAR sheets: what a paytable pays, how often, and what it leaves the house.

use craps::chain::Label;
use craps::spot::AwardId;
use craps::terms::Winners;
use craps::wager::Envy;
use craps::{Bet, Cents, Chain, Library, MeterTerms, Rules};

use crate::chance::float;
use crate::edge::{Target, Unpriced, check_stake, decided_by, solved};
use crate::price::{Endings, Terms, price};
use crate::solve::Solution;
use crate::{Ratio, ratio, whole};

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
    /// What the dealers get.
    pub envy: Option<Envy>,
    /// Its chance.
    pub chance: Ratio,
    /// What comes back for a stake of one, the stake itself included.
    pub back: Ratio,
    /// Whether it takes the meter.
    pub jackpot: bool,
}

impl ParAward {
    /// How many decisions it takes on average: 1 in this many.
    pub fn one_in(&self) -> Ratio {
        Ratio::ONE / &self.chance
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
    /// The chance of any award.
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
    /// How many rolls an hour the table gets through.
    pub rolls_per_hour: u32,
    /// What comes back and what the dealers cost for a full table's numbers of bettors, and for
    /// its own.
    pub by_bettors: Vec<AtBettors>,
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

/// The meter's side of a PAR sheet.
#[derive(Clone, Debug)]
pub struct Progressive {
    /// How it is funded and paid.
    pub terms: MeterTerms,
    /// The chance of the top award.
    pub chance: Ratio,
    /// What each cent on the meter adds to one player's return, by the number of bettors.
    slopes: Vec<Ratio>,
    /// The return without the meter.
    fixed: Ratio,
    /// What one player bets.
    unit: Cents,
    bettors: u8,
}

/// The paytables of the library, with the rulebook each is in.
pub fn paytables(library: &Library) -> Vec<(String, String)> {
    let books = library.rulebooks().iter();
    books
        .flat_map(|book| book.paytables.iter().map(|table| (table.name.clone(), book.name.clone())))
        .collect()
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
        let smallest = (limits.min + limits.unit - Cents(1)).floor_to(limits.unit);
        let unit = terms.unit.unwrap_or(smallest);
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
        let awards = awards(rules, &endings, unit);
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
        let maximum = limits.max.unwrap_or(unit);
        let at = Terms { meter: shown.unwrap_or(Cents::ZERO), bettors: terms.bettors };
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
            exposure: exposure(rules, &chain, &solution, maximum, at),
            rolls: solution.rolls,
            maximum,
            rolls_per_hour: terms.rolls_per_hour,
            by_bettors,
            progressive,
            awards,
        })
    }

    /// The sheets of every bet these paytables price, on the default base game. An option is for
    /// the paytables whose rulebook has it; one that none has is refused.
    pub fn of_paytables(
        library: &Library,
        paytables: &[&str],
        terms: ParTerms,
        options: &[(String, String)],
    ) -> Result<Vec<Par>, Unpriced> {
        terms.check()?;
        let mut pars = Vec::new();
        let mut unused: Vec<usize> = (0..options.len()).collect();
        for paytable in paytables {
            let mut books = library.rulebooks().iter();
            let found = books.find(|book| book.paytable(paytable).is_some());
            let rulebook = found.ok_or_else(|| no_such_paytable(library, paytable))?;
            let chosen = library.over_base(vec![craps::rules::Chosen {
                rulebook: rulebook.clone(),
                paytables: Some(vec![(*paytable).to_owned()]),
            }]);
            let mut known = Vec::new();
            for (place, option) in options.iter().enumerate() {
                let has = |choice: &craps::rules::Chosen| {
                    choice.rulebook.with_option(&option.0, &option.1).is_some()
                };
                if chosen.iter().any(has) {
                    unused.retain(|unused| *unused != place);
                    known.push(option.clone());
                }
            }
            pars.extend(sheets(library, &chosen, paytable, terms, known)?);
        }
        if let Some(place) = unused.first() {
            let name = &options[*place].0;
            return Err(Unpriced::Stake(format!(
                "none of these paytables has the option `{name}`"
            )));
        }
        if terms.meter.is_some() && pars.iter().all(|par: &Par| par.meter.is_none()) {
            let reason = "none of these paytables has a meter, leave it out";
            return Err(Unpriced::Stake(reason.to_owned()));
        }
        Ok(pars)
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

    /// What a manager should not overlook.
    pub fn flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        if self.is_without_terms() {
            let options =
                MeterTerms::suggested(&self.wager).map(|(name, value)| name + "=" + &value);
            flags.push(format!(
                "no terms: seed 0 and no increment, so the mean meter, the long-run return and the \
                 hold are unknown; set options such as {}",
                options.join(" ")
            ));
        }
        if self.return_at_meter > Ratio::ONE {
            flags.push(format!(
                "returns {} % at this meter: players have the edge",
                crate::percent(&self.return_at_meter, 2)
            ));
        }
        if let Some(long_run) = self.progressive.as_ref().and_then(Progressive::long_run_return)
            && long_run > Ratio::ONE
        {
            let percent = crate::percent(&long_run, 2);
            flags.push(format!("returns {percent} % in the long run: players have the edge"));
        }
        if self.edge() > Ratio::ZERO && self.edge_after_envy() <= Ratio::ZERO {
            flags.push("the house loses once envy is paid".to_owned());
        }
        if self.progressive.is_some() && self.fixed_return > ratio(3, 4) {
            flags.push(format!(
                "the fixed pays alone return {} %, which leaves {} % for meter, envy and house",
                crate::percent(&self.fixed_return, 2),
                crate::percent(&(Ratio::ONE - &self.fixed_return), 2)
            ));
        }
        flags
    }
}

impl Progressive {
    /// The mean number of decisions from one top award to the next.
    pub fn cycle(&self) -> Ratio {
        Ratio::ONE / &self.chance
    }

    /// One player's return with `cents` on the meter and `bettors` riding.
    pub fn return_at(&self, cents: &Ratio, bettors: u8) -> Ratio {
        &self.fixed + &self.slopes[usize::from(bettors) - 1] * cents
    }

    /// The meter at which the return is everything, in cents.
    pub fn breakeven(&self, bettors: u8) -> Option<Ratio> {
        let missing = Ratio::ONE - &self.fixed;
        (missing > Ratio::ZERO).then(|| missing / &self.slopes[usize::from(bettors) - 1])
    }

    /// What each decision of the table adds to the meter, in cents.
    fn fed(&self) -> Ratio {
        let staked = whole(self.unit.0) * whole(i64::from(self.bettors));
        staked * ratio(i64::from(self.terms.increment.0), i64::from(craps::Rate::WHOLE.0))
    }

    /// The mean meter when it is hit, in cents: the seed and a cycle's contributions. Where a
    /// ceiling cuts them off, to the nearest millionth of a cent. Nothing where no terms are set.
    pub fn mean_meter(&self) -> Option<Ratio> {
        let mean = || match self.terms.ceiling {
            None => whole(self.terms.seed.0) + self.fed() * self.cycle(),
            Some(ceiling) => self.mean_under(ceiling),
        };
        (!self.terms.are_unset()).then(mean)
    }

    /// The mean of what decisions add until one hits, cut off at the ceiling.
    #[expect(clippy::float_arithmetic, reason = "a power of many thousands has no use exactly")]
    fn mean_under(&self, ceiling: Cents) -> Ratio {
        let (fed, chance) = (float(&self.fed()), float(&self.chance));
        let room = float(&whole((ceiling - self.terms.seed).0));
        let steps = if fed > 0.0 { (room / fed).floor() } else { 0.0 };
        let waiting = self.no_hit(steps);
        let added = fed * (1.0 - waiting) / chance + (room - fed * steps) * waiting;
        let added = if fed > 0.0 { added } else { 0.0 };
        whole(self.terms.seed.0) + ratio((added * 1e6).round() as i64, 1_000_000)
    }

    /// The share of each dollar that goes to jackpots: what is contributed, or what the meter pays
    /// where the house has to add to the reserve for a seed, and what the house pays beside it to
    /// winners who each take it in full.
    fn set_aside(&self) -> Option<Ratio> {
        let rates = i64::from(self.terms.increment.0 + self.terms.reserve.0);
        let contributed = ratio(rates, i64::from(craps::Rate::WHOLE.0));
        let jackpots = self.long_run_return()? - &self.fixed;
        let from_meter = match self.terms.winners {
            Winners::Share => jackpots.clone(),
            Winners::InFull => &jackpots / whole(i64::from(self.bettors)),
        };
        let from_house = jackpots - &from_meter;
        Some(contributed.max(from_meter) + from_house)
    }

    /// Whether the mean meter, and what rests on it, is exact: a ceiling makes it a statistic.
    pub fn is_mean_exact(&self) -> bool {
        self.terms.ceiling.is_none()
    }

    /// One player's return over many cycles, from the seed and the increment.
    pub fn long_run_return(&self) -> Option<Ratio> {
        Some(self.return_at(&self.mean_meter()?, self.bettors))
    }

    /// The chance of no top award in `decisions`.
    #[expect(clippy::float_arithmetic, reason = "a curve for reading")]
    pub fn no_hit(&self, decisions: f64) -> f64 {
        (decisions * (-float(&self.chance)).ln_1p()).exp()
    }

    /// The meter when it is hit, in cents, that a share `quantile` of hits stays within.
    #[expect(clippy::float_arithmetic, reason = "a quantile for reading")]
    pub fn meter_at(&self, quantile: f64) -> Option<f64> {
        if self.terms.are_unset() {
            return None;
        }
        let decisions = ((1.0 - quantile).ln() / (-float(&self.chance)).ln_1p()).ceil().max(1.0);
        let meter = float(&whole(self.terms.seed.0)) + float(&self.fed()) * decisions;
        Some(match self.terms.ceiling {
            Some(ceiling) => meter.min(float(&whole(ceiling.0))),
            None => meter,
        })
    }

    /// Whether winners share the meter.
    pub fn is_shared(&self) -> bool {
        self.terms.winners == Winners::Share
    }
}

fn text_hash(rules: &Rules, rulebook: &str) -> [u8; 32] {
    let known = rules.rulebooks.iter().find(|(name, _)| name == rulebook);
    known.map(|(_, hash)| *hash).expect("every wager comes from one of its rulebooks")
}

/// The paytables a misspelt one may have meant: those it begins, or the closest.
fn no_such_paytable(library: &Library, name: &str) -> Unpriced {
    let names: Vec<String> = paytables(library).into_iter().map(|(name, _)| name).collect();
    let upper = name.to_uppercase();
    let begun = |known: &&String| name.len() >= 2 && known.contains(&upper);
    let mut nearest: Vec<String> = names.iter().filter(begun).cloned().collect();
    if nearest.is_empty() {
        let closest = craps::did_you_mean::nearest(name, names.iter().map(String::as_str));
        nearest.extend(closest.map(str::to_owned));
    }
    Unpriced::NoSuchPaytable { name: name.to_owned(), nearest }
}

/// The sheets of one paytable.
fn sheets(
    library: &Library,
    chosen: &[craps::rules::Chosen],
    paytable: &str,
    terms: ParTerms,
    mut options: Vec<(String, String)>,
) -> Result<Vec<Par>, Unpriced> {
    let rulebook = &chosen.last().expect("a paytable's rulebook is chosen").rulebook;
    let table = rulebook.paytable(paytable).expect("it was found by it");
    for wager in &rulebook.wagers {
        let priced = table.entries.iter().any(|entry| entry.wager == wager.name);
        let based = wager.shape.is_tracked() && wager.limits.max == Some(wager.limits.min);
        if let (true, true, Some(unit)) = (priced, based, terms.unit) {
            options.push((format!("{}.base", wager.name), unit.to_string()));
        }
    }
    let rules = Rules::compile(library, chosen, &options)
        .map_err(|faults| Unpriced::Stake(faults.to_string()))?;
    let mut pars = Vec::new();
    for entry in &table.entries {
        let Some(wager) = rules.wager_named(&entry.wager) else { continue };
        for spot in rules.spots_of(wager) {
            let rule = rules.spot_rule(spot);
            if rule.direct && rule.flat.is_none() {
                pars.push(Par::of(&rules, &rule.notation, terms)?);
            }
        }
    }
    Ok(pars)
}

/// The awards of a sheet, the highest first.
fn awards(rules: &Rules, endings: &Endings, unit: Cents) -> Vec<ParAward> {
    let mut found: Vec<(AwardId, ParAward)> = Vec::new();
    for (price, chance) in endings.iter() {
        let Some(id) = price.award else { continue };
        match found.iter_mut().find(|(known, _)| *known == id) {
            Some((_, award)) => award.chance += chance,
            None => {
                let award = rules.award(id);
                let award = ParAward {
                    event: award.event.clone(),
                    pays: award.due.to_string(),
                    envy: award.envy,
                    chance: chance.clone(),
                    back: &price.net / whole(unit.0) + Ratio::ONE,
                    jackpot: price.jackpot,
                };
                found.push((id, award));
            }
        }
    }
    let mut awards: Vec<ParAward> = found.into_iter().map(|(_, award)| award).collect();
    awards.sort_by(|one, other| (other.jackpot, &other.back).cmp(&(one.jackpot, &one.back)));
    awards
}

/// The worst ending for the house with every bettor at the maximum.
fn exposure(
    rules: &Rules,
    chain: &Chain,
    solution: &Solution,
    maximum: Cents,
    terms: Terms,
) -> Cents {
    let loss = |(label, _): &(u32, Ratio)| {
        let label = &chain.labels()[*label as usize];
        let at_maximum = |bet: &Bet| Bet { stake: maximum, ..*bet };
        let fates = label.fates.iter().map(|(bet, fate)| (at_maximum(bet), *fate)).collect();
        price(rules, &Label { fates, working: label.working }, terms).house_loss
    };
    solution.endings.iter().map(loss).max().unwrap_or(Cents::ZERO)
}
