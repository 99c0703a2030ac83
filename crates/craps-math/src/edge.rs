//! What a wager costs: its edge, its spread and how long it takes, for one bet at any stake.

use std::fmt;

use craps::chain::Unexplored;
use craps::commission::{Commission, Measure};
use craps::did_you_mean::{hint, nearest};
use craps::wager::{Due, PaysBy, Shape};
use craps::{Cents, Chain, Rules, Spot, Total, Wager};

use crate::chance::float;
use crate::odds;
use crate::price::{Endings, Terms};
use crate::solve::{NeverDecided, Solution, solve};
use crate::{Ratio, whole};

/// What is to be priced: a wager, a line bet with odds behind it, or those odds alone.
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
            Unpriced::NoSuchWager { name, nearest } => {
                write!(f, "there is no wager `{name}`{}", hint(nearest.as_deref()))
            }
            Unpriced::NoSuchPaytable { name, nearest } => {
                let hint = hint(nearest.iter().map(String::as_str));
                write!(f, "there is no paytable `{name}`{hint}")
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
                let times = multiple.trim().strip_suffix('x').and_then(|times| times.parse().ok());
                let odds = match (multiple.trim(), times) {
                    ("max" | "", _) => Some(Odds::Max),
                    (_, Some(times @ 1..=1000)) => Some(Odds::Times(times)),
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

    /// Every spot that chips can be put on: all of the above, and odds by themselves.
    pub fn every_spot(rules: &Rules) -> Vec<Target> {
        let behind = rules.spots().filter(|spot| rules.spot_rule(*spot).flat.is_some());
        let alone = behind.map(|spot| Target {
            spot,
            odds: None,
            name: rules.spot_rule(spot).notation.clone(),
        });
        let mut targets = Target::all(rules);
        targets.extend(alone);
        targets
    }

    /// What the meter it is paid from restarts at; nothing without a meter.
    pub fn seed(&self, rules: &Rules) -> Option<Cents> {
        let meter = rules.meter_of(rules.spot_rule(self.spot).wager)?;
        Some(rules.meters()[meter.index()].terms.seed)
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
    /// What the meter it is paid from shows, where it has one.
    pub meter: Option<Cents>,
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
    /// The chance of an award.
    pub hit: Ratio,
    /// The chance of a push.
    pub push: Ratio,
    ev_without_pushes: Ratio,
}

impl Edge {
    /// Prices a bet: at `stake` with rounding and breakage, or in exact ratios.
    pub fn of(
        rules: &Rules,
        target: &Target,
        stake: Option<Cents>,
        terms: Terms,
    ) -> Result<Edge, Unpriced> {
        if rules.spot_rule(target.spot).flat.is_some() {
            return Edge::of_odds(rules, target.spot, None, stake);
        }
        if let Some(stake) = stake {
            check_stake(rules, target, stake)?;
        }
        check_odds(rules, target)?;
        // Ratios know no rounding and no cap, which depend on the stake.
        let unrounded = stake.is_none().then(|| rules.unrounded());
        let rules = unrounded.as_ref().unwrap_or(rules);
        let put_up = stake.map_or_else(|| exact_stake(rules, target), Ok)?;
        let (chain, solution) = solved(rules, target, put_up)?;
        let endings = Endings::of(rules, &chain, &solution, terms);
        let edge = Edge::summed(rules, target, stake, put_up, &endings, solution.rolls);
        Ok(Edge { meter: target.seed(rules).map(|_| terms.meter), ..edge })
    }

    /// Prices odds by themselves, from the moment they are put up: on `number`, or on whatever
    /// number their flat bet comes to stand on.
    pub fn of_odds(
        rules: &Rules,
        spot: Spot,
        number: Option<Total>,
        stake: Option<Cents>,
    ) -> Result<Edge, Unpriced> {
        let name = rules.spot_rule(spot).notation.clone();
        let target = Target { spot, odds: None, name };
        if let Some(stake) = stake {
            check_stake(rules, &target, stake)?;
        }
        let unrounded = stake.is_none().then(|| rules.unrounded());
        let rules = unrounded.as_ref().unwrap_or(rules);
        let (put_up, endings, rolls) = odds::alone(rules, &target, number, stake)?;
        Ok(Edge::summed(rules, &target, stake, put_up, &endings, rolls))
    }

    /// What endings come to, for a flat bet of `put_up`.
    fn summed(
        rules: &Rules,
        target: &Target,
        stake: Option<Cents>,
        put_up: Cents,
        endings: &Endings,
        rolls: Ratio,
    ) -> Edge {
        let rounded = endings.iter().any(|(price, _)| price.broken);
        assert!(stake.is_some() || !rounded, "{} was rounded in a ratio", target.name);
        let flat = whole(put_up.0);
        let result = endings.mean(|price| price.net.clone());
        let staked = endings.mean(|price| whole(price.staked.0));
        let pushed = endings.mean(|p| if p.push { whole(p.staked.0) } else { Ratio::ZERO });
        let vig = endings.mean(|price| whole(price.vig.0));
        Edge {
            target: target.clone(),
            paytable: rules.wager_at(target.spot).paytable.clone(),
            stake,
            meter: None,
            ev: &result / &staked,
            ev_of_outlay: &result / (&staked + &vig),
            ev_without_pushes: &result / (&staked - &pushed),
            variance: endings.variance() / (&flat * &flat),
            outcomes: endings.outcomes(&flat),
            rolls,
            hit: endings.chance(|price| price.award.is_some()),
            push: endings.chance(|price| price.push),
        }
    }

    /// The house's share of each dollar put up, commission included.
    pub fn edge_of_outlay(&self) -> Ratio {
        -self.ev_of_outlay.clone()
    }

    /// The house's share of each dollar bet.
    pub fn edge(&self) -> Ratio {
        -self.ev.clone()
    }

    /// The edge if pushes are not counted as decisions.
    pub fn edge_without_pushes(&self) -> Ratio {
        -self.ev_without_pushes.clone()
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

/// Explores and solves a bet; one that is never decided is refused.
pub(crate) fn solved(
    rules: &Rules,
    target: &Target,
    stake: Cents,
) -> Result<(Chain, Solution), Unpriced> {
    solved_from(target.chain(rules, stake), target)
}

/// Solves what was explored.
pub(crate) fn solved_from(
    explored: Result<Chain, Unexplored>,
    target: &Target,
) -> Result<(Chain, Solution), Unpriced> {
    let chain = explored.map_err(|error| match error {
        Unexplored::TooManyStates(limit) => Unpriced::TooManyStates(limit),
        Unexplored::NoSuchWager(name) => Unpriced::NoSuchWager { name, nearest: None },
    })?;
    let never = || Unpriced::NeverDecided(target.name.clone());
    let solution = solve(&chain).map_err(|NeverDecided| never())?;
    match solution.decided == Ratio::ONE {
        true => Ok((chain, solution)),
        false => Err(never()),
    }
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
    let flat = Cents::dollars(1_000);
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
/// what it pays divided by it is the exact ratio. Pays in dollars have only one stake.
pub fn exact_stake(rules: &Rules, target: &Target) -> Result<Cents, Unpriced> {
    let wager = rules.spot_rule(target.spot).wager;
    let fixed = |due: Due| matches!(due, Due::Dollars(_) | Due::Meter);
    if rules.wager(wager).pays.iter().flat_map(PaysBy::dues).any(fixed) {
        return Ok(rules.wager(wager).limits.min);
    }
    let too_fine = || {
        let name = &target.name;
        Unpriced::Stake(format!(
            "the pays of {name} divide too finely to be priced without a stake"
        ))
    };
    // Each factor makes one division even: by pays, by commission, by units, by odds to win.
    let (mut pays, mut commissions, mut units, mut wins) = (1, 1, 1, 1);
    for part in parts(rules, wager) {
        units = lcm(units, i128::from(part.limits.unit.0));
        if let Some(commission) = part.standing.commission {
            commissions = lcm(commissions, commission_step(&commission));
        }
        for due in part.pays.iter().flat_map(PaysBy::dues) {
            let Due::Pays(due) = due else { continue };
            pays = lcm(pays, i128::from(due.den) * split_parts(part));
            if matches!(part.shape, Shape::Odds { of: Measure::Win, .. }) {
                wins = lcm(wins, i128::from(due.num.max(1)));
            }
        }
        if pays > LARGEST || commissions > LARGEST || wins > LARGEST {
            return Err(too_fine());
        }
    }
    let stake = [pays, commissions, units, wins].into_iter().try_fold(1i128, |product, factor| {
        product.checked_mul(factor).filter(|product| *product <= LARGEST)
    });
    stake.map(|stake| Cents(stake as i64)).ok_or_else(too_fine)
}

/// Stakes beyond this would leave no room for their winnings.
const LARGEST: i128 = Cents::MOST.0 as i128 * 10;

/// A wager, and the odds that stand behind it.
fn parts(rules: &Rules, wager: craps::spot::WagerId) -> impl Iterator<Item = &Wager> {
    let name = &rules.wager(wager).name;
    rules.wagers().iter().filter(move |part| match &part.shape {
        Shape::Odds { behind, .. } => behind == name,
        _ => part.name == *name,
    })
}

/// How finely a split bet divides its stake.
fn split_parts(wager: &Wager) -> i128 {
    match (&wager.shape, &wager.pays) {
        (Shape::OneRoll { split: Some(_), .. }, Some(PaysBy::Key(dues))) => {
            dues.len() as i128 * (dues.len() as i128 + 1)
        }
        _ => 1,
    }
}

/// What a stake must be a multiple of for its commission to be even, and above any minimum.
fn commission_step(commission: &Commission) -> i128 {
    let whole = i128::from(craps::Rate::WHOLE.0);
    let rate = i128::from(commission.rate.0);
    let step = whole / gcd(whole, rate.max(1)) * i128::from(commission.unit.0);
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
