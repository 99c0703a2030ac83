//! What a wager costs: its edge, its spread and how long it takes, for one bet at any stake.

use std::fmt;

use craps::{Cents, Chain, Commission, Due, Rules, Shape, Spot, Unexplored, nearest};

use crate::chance::{float, sum};
use crate::price::{Price, Terms, price};
use crate::solve::{NeverDecided, solve};
use crate::{Ratio, whole};

/// What is to be priced: a wager, or a line bet with odds behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The bet.
    pub spot: Spot,
    /// The odds taken as soon as its number is set.
    pub odds: Option<Odds>,
    /// How it is written: `place 6`, `pass+odds 2x`.
    pub name: String,
}

/// How much goes behind a line bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odds {
    /// This many times the flat bet.
    Times(u32),
    /// As much as the house allows.
    Max,
}

/// Why something cannot be priced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpriced {
    /// There is no such wager.
    NoSuchWager {
        /// What was asked for.
        name: String,
        /// What it looks like.
        nearest: Option<String>,
    },
    /// There is no such paytable.
    NoSuchPaytable {
        /// What was asked for.
        name: String,
        /// What it looks like.
        nearest: Vec<String>,
    },
    /// Odds stand behind line bets only.
    NoOdds(String),
    /// The stake cannot be bet.
    Stake(String),
    /// More odds than the house allows.
    TooMuchOdds(u32),
    /// It is never decided.
    NeverDecided(String),
    /// It has too many states.
    TooManyStates(usize),
}

impl fmt::Display for Unpriced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unpriced::NoSuchWager { name, nearest: Some(nearest) } => {
                write!(f, "there is no wager `{name}`, did you mean `{nearest}`?")
            }
            Unpriced::NoSuchWager { name, nearest: None } => {
                write!(f, "there is no wager `{name}`")
            }
            Unpriced::NoSuchPaytable { name, nearest } if nearest.is_empty() => {
                write!(f, "there is no paytable `{name}`, `boxman par --help` shows some")
            }
            Unpriced::NoSuchPaytable { name, nearest } => {
                let nearest = nearest.join("`, `");
                write!(f, "there is no paytable `{name}`, did you mean `{nearest}`?")
            }
            Unpriced::NoOdds(name) => write!(f, "no odds stand behind `{name}`"),
            Unpriced::Stake(reason) => f.write_str(reason),
            Unpriced::TooMuchOdds(times) => {
                write!(f, "{times}x odds are more than the house allows, see odds-multiples")
            }
            Unpriced::NeverDecided(name) => write!(f, "`{name}` is never decided"),
            Unpriced::TooManyStates(limit) => write!(f, "there are more than {limit} states"),
        }
    }
}

impl std::error::Error for Unpriced {}

impl Target {
    /// Reads `place 6`, `pass+odds 2x` or `dont-pass+odds max`.
    pub fn parse(rules: &Rules, text: &str) -> Result<Target, Unpriced> {
        let (line, odds) = match text.split_once("+odds") {
            None => (text, None),
            Some((line, multiple)) => {
                let multiple = multiple.trim().trim_end_matches('x');
                let odds = match multiple.parse() {
                    Ok(times) if (1..=1000).contains(&times) => Some(Odds::Times(times)),
                    _ if multiple == "ma" || multiple.is_empty() => Some(Odds::Max),
                    _ => None,
                };
                (line, Some(odds.ok_or_else(|| unknown(rules, text))?))
            }
        };
        let spot = rules.spot(line.trim()).ok_or_else(|| unknown(rules, text))?;
        let rule = rules.spot_rule(spot);
        let line_bet = matches!(rules.wager_at(spot).shape, Shape::Line { .. });
        let has_odds = line_bet
            && rules.spots().any(|odds| {
                let behind = rules.spot_rule(odds).flat;
                behind.is_some_and(|flat| rules.spot_rule(flat).wager == rule.wager)
            });
        if odds.is_some() && (!has_odds || !rule.direct) {
            return Err(Unpriced::NoOdds(line.trim().to_owned()));
        }
        if !rule.direct || rule.flat.is_some() {
            return Err(unknown(rules, text));
        }
        let name = match odds {
            None => rule.notation.clone(),
            Some(Odds::Times(times)) => format!("{}+odds {times}x", rule.notation),
            Some(Odds::Max) => format!("{}+odds max", rule.notation),
        };
        Ok(Target { spot, odds, name })
    }

    /// Everything that can be bet by itself, and every line bet with all the odds it may have.
    pub fn all(rules: &Rules) -> Vec<Target> {
        let mut targets = Vec::new();
        for spot in rules.spots() {
            let rule = rules.spot_rule(spot);
            if !rule.direct || rule.flat.is_some() {
                continue;
            }
            targets.push(Target { spot, odds: None, name: rule.notation.clone() });
            if let Ok(target) = Target::parse(rules, &format!("{}+odds max", rule.notation)) {
                targets.push(target);
            }
        }
        targets
    }

    /// The chain of this bet at `stake`.
    pub fn chain(&self, rules: &Rules, stake: Cents) -> Result<Chain, Unexplored> {
        let notation = &rules.spot_rule(self.spot).notation;
        match self.odds {
            None => Chain::of_bet(rules, notation, stake),
            Some(Odds::Times(times)) => {
                Chain::of_line_with_odds(rules, notation, stake, Some(times))
            }
            Some(Odds::Max) => Chain::of_line_with_odds(rules, notation, stake, None),
        }
    }
}

fn unknown(rules: &Rules, text: &str) -> Unpriced {
    let direct = |spot: &Spot| {
        let rule = rules.spot_rule(*spot);
        rule.direct && rule.flat.is_none()
    };
    let names = rules.spots().filter(direct).map(|spot| rules.spot_rule(spot).notation.as_str());
    let nearest = nearest(text, names).map(str::to_owned);
    Unpriced::NoSuchWager { name: text.to_owned(), nearest }
}

/// What a wager is worth.
#[derive(Clone, Debug)]
pub struct Edge {
    /// What was priced.
    pub target: Target,
    /// The paytable it is paid by, where there is a choice.
    pub paytable: Option<String>,
    /// The real stake it was priced at; exact ratios where there is none.
    pub stake: Option<Cents>,
    /// The mean result divided by the mean stake, commission counted in the result.
    pub ev: Ratio,
    /// The mean result divided by the mean outlay, commission included.
    pub ev_of_outlay: Ratio,
    /// The variance of the result for a stake of one.
    pub variance: Ratio,
    /// Every result for a stake of one (the flat bet's), with its chance, lowest first.
    pub outcomes: Vec<(Ratio, Ratio)>,
    /// The mean number of rolls on which the bet worked.
    pub rolls: Ratio,
    /// The chance of a result above nothing, or an award.
    pub hit: Ratio,
    /// The chance of a push.
    pub push: Ratio,
}

impl Edge {
    /// Prices a bet: at `stake` with rounding and breakage, or in exact ratios.
    pub fn of(
        rules: &Rules,
        target: &Target,
        stake: Option<Cents>,
        terms: Terms,
    ) -> Result<Edge, Unpriced> {
        if let Some(stake) = stake {
            check_stake(rules, target, stake)?;
        }
        check_odds(rules, target)?;
        let put_up = stake.unwrap_or_else(|| exact_stake(rules, target));
        let chain = target.chain(rules, put_up).map_err(|error| match error {
            Unexplored::TooManyStates(limit) => Unpriced::TooManyStates(limit),
            Unexplored::NoSuchWager(name) => Unpriced::NoSuchWager { name, nearest: None },
        })?;
        let solution =
            solve(&chain).map_err(|NeverDecided| Unpriced::NeverDecided(target.name.clone()))?;
        if solution.decided != Ratio::ONE {
            return Err(Unpriced::NeverDecided(target.name.clone()));
        }
        let endings: Vec<(Price, Ratio)> = solution
            .endings
            .iter()
            .map(|(label, chance)| {
                let label = &chain.labels()[*label as usize];
                (price(rules, label, terms), chance.clone())
            })
            .collect();
        let exact = stake.is_none() && !rules.wager_at(target.spot).shape.is_tracked();
        assert!(!exact || endings.iter().all(|(price, _)| !price.broken), "breakage in a ratio");
        let flat = whole(put_up.0);
        let mean = |value: &dyn Fn(&Price) -> Ratio| -> Ratio {
            sum(endings.iter().map(|(price, chance)| value(price) * chance))
        };
        let result = mean(&|price| price.net.clone());
        let staked = mean(&|price| whole(price.staked.0));
        let vig = mean(&|price| whole(price.vig.0));
        let squares = mean(&|price| &price.net * &price.net);
        let variance = (squares - &result * &result) / (&flat * &flat);
        let when = |holds: &dyn Fn(&Price) -> bool| -> Ratio {
            let held = endings.iter().filter(|(price, _)| holds(price));
            sum(held.map(|(_, chance)| chance.clone()))
        };
        Ok(Edge {
            target: target.clone(),
            paytable: rules.wager_at(target.spot).paytable.clone(),
            stake,
            ev: &result / &staked,
            ev_of_outlay: &result / (&staked + &vig),
            variance,
            outcomes: joined(
                endings.iter().map(|(price, chance)| (&price.net / &flat, chance.clone())),
            ),
            rolls: solution.rolls,
            hit: when(&|price| price.award.is_some()),
            push: when(&|price| price.push),
        })
    }

    /// The house's share of each dollar bet.
    pub fn edge(&self) -> Ratio {
        -self.ev.clone()
    }

    /// The edge if pushes are not counted as decisions.
    pub fn edge_without_pushes(&self) -> Ratio {
        self.edge() / (Ratio::ONE - &self.push)
    }

    /// The edge for each roll on which the bet works.
    pub fn edge_per_roll(&self) -> Ratio {
        self.edge() / &self.rolls
    }

    /// The standard deviation of the result for a stake of one.
    pub fn deviation(&self) -> f64 {
        float(&self.variance).sqrt()
    }
}

/// Results with their chances, alike ones joined, lowest first.
pub(crate) fn joined(nets: impl Iterator<Item = (Ratio, Ratio)>) -> Vec<(Ratio, Ratio)> {
    let mut outcomes: Vec<(Ratio, Ratio)> = Vec::new();
    for (net, chance) in nets {
        match outcomes.iter_mut().find(|(known, _)| *known == net) {
            Some((_, sum)) => *sum += chance,
            None => outcomes.push((net, chance)),
        }
    }
    outcomes.sort_by(|(one, _), (other, _)| one.cmp(other));
    outcomes
}

pub(crate) fn check_stake(rules: &Rules, target: &Target, stake: Cents) -> Result<(), Unpriced> {
    let limits = rules.wager_at(target.spot).limits;
    let name = &target.name;
    let reason = if stake < limits.min {
        format!("{stake} on {name} is under the minimum of {}", limits.min)
    } else if limits.max.is_some_and(|max| stake > max) {
        format!("{stake} on {name} is over the maximum of {}", limits.max.unwrap_or(stake))
    } else if !stake.is_multiple_of(limits.unit) {
        format!("{stake} on {name} is not a multiple of {}", limits.unit)
    } else {
        return Ok(());
    };
    Err(Unpriced::Stake(reason))
}

fn check_odds(rules: &Rules, target: &Target) -> Result<(), Unpriced> {
    let Some(Odds::Times(times)) = target.odds else { return Ok(()) };
    let wager = rules.spot_rule(target.spot).wager;
    let flat = Cents(rules.points.len().into()) + exact_stake(rules, target);
    for odds in rules.spots() {
        let behind = rules.spot_rule(odds).flat.map(|flat| rules.spot_rule(flat).wager);
        for number in rules.points.iter().filter(|_| behind == Some(wager)) {
            let most = rules.odds_most(odds, number, flat);
            if rules.odds_stake(odds, number, flat, times) > most {
                return Err(Unpriced::TooMuchOdds(times));
            }
        }
    }
    Ok(())
}

/// A stake at which the engine pays every result to the cent with nothing rounded away, so that
/// what it pays divided by it is the exact ratio. A progressive has only one stake.
pub fn exact_stake(rules: &Rules, target: &Target) -> Cents {
    let wager = rules.wager_at(target.spot);
    if wager.limits.max == Some(wager.limits.min) {
        return wager.limits.min;
    }
    let mut stake = i128::from(rules.payout_unit.0) * i128::from(wager.limits.unit.0);
    for spot in rules.spots() {
        let mine = rules.spot_rule(spot).wager == rules.spot_rule(target.spot).wager;
        let flat = rules.spot_rule(spot).flat.map(|flat| rules.spot_rule(flat).wager);
        if !mine && flat != Some(rules.spot_rule(target.spot).wager) {
            continue;
        }
        let part = rules.wager_at(spot);
        for due in part.pays.iter().flat_map(craps::PaysBy::dues) {
            if let Due::Pays(pays) = due {
                // Odds are sized by their own win, so that both terms must divide.
                let splits = split_parts(&part.shape, part);
                stake = lcm(stake, i128::from(pays.den) * splits);
                stake = lcm(stake, i128::from(pays.num.max(1)));
            }
        }
        if let Some(commission) = part.commission {
            stake = lcm(stake, commission_step(&commission));
        }
        stake = lcm(stake, i128::from(part.limits.unit.0));
    }
    // Products of the above divide evenly as well once more powers of them are in.
    let stake = stake * 3_600;
    Cents(i64::try_from(stake).expect("rulebooks keep their ratios small"))
}

fn split_parts(shape: &Shape, wager: &craps::Wager) -> i128 {
    match (shape, &wager.pays) {
        (Shape::OneRoll { split: Some(_), .. }, Some(craps::PaysBy::Key(dues))) => {
            dues.len() as i128 * (dues.len() as i128 + 1)
        }
        _ => 1,
    }
}

fn commission_step(commission: &Commission) -> i128 {
    let whole = i128::from(craps::Rate::WHOLE.0);
    let rate = i128::from(commission.rate.0);
    let step = whole / gcd(whole, rate.max(1)) * i128::from(commission.unit.0);
    // Large enough that a minimum never bites.
    let minimum = i128::from(commission.minimum.0) * whole / rate.max(1);
    step * (1 + minimum / step)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: i128, b: i128) -> i128 {
    a / gcd(a, b) * b
}

/// The chance that a bet has been decided after each number of rolls, up to `rolls`, as floats.
#[expect(clippy::float_arithmetic, reason = "a curve for reading; the mean is exact")]
pub fn decided_by(chain: &Chain, rolls: usize) -> Vec<f64> {
    let mut live = vec![0.0; chain.len()];
    live[0] = 1.0;
    let mut decided = vec![0.0];
    for _ in 0..rolls {
        let mut next = vec![0.0; chain.len()];
        let mut ended = *decided.last().unwrap_or(&0.0);
        for (state, chance) in live.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
            for (weight, step) in chain.weighted(state as u32) {
                let share = chance * f64::from(weight) / 36.0;
                match step.next {
                    Some(to) => next[to as usize] += share,
                    None => ended += share,
                }
            }
        }
        live = next;
        decided.push(ended);
    }
    decided
}
