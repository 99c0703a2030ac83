//! What is to be priced, as people write it, and why something cannot be.

use std::fmt;

use craps::chain::Unexplored;
use craps::did_you_mean::{hint, nearest};
use craps::wager::Shape;
use craps::{Cents, Chain, Multiple, Rules, Spot};

use crate::chance::Ratio;
use crate::solve::{NeverDecided, Solution, solve};

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
    Times(Multiple),
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
    TooMuchOdds(Multiple),
    /// It is never decided.
    NeverDecided(String),
    /// It has too many states.
    TooManyStates {
        /// What was to be priced.
        wager: String,
        /// How many are explored.
        limit: usize,
    },
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
            Unpriced::TooManyStates { wager, limit } => {
                write!(
                    f,
                    "`{wager}` has more than {limit} states, too many to price it exactly: let it \
                     count fewer things, or each less often"
                )
            }
        }
    }
}

impl std::error::Error for Unpriced {}

impl Target {
    /// Reads `place 6`, `pass+odds 2x`, `pass+odds 2.5x` or `dont-pass+odds max`.
    pub fn parse(rules: &Rules, text: &str) -> Result<Target, Unpriced> {
        let (line, odds) = match text.split_once("+odds") {
            None => (text, None),
            Some((line, multiple)) => {
                let times = multiple.trim().strip_suffix('x').and_then(|times| times.parse().ok());
                let odds = match (multiple.trim(), times) {
                    ("max" | "", _) => Some(Odds::Max),
                    (_, Some(times)) => Some(Odds::Times(times)),
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

    /// How it is called: `Place 6`, `Pass Line with full odds`.
    pub fn title(&self, rules: &Rules) -> String {
        let wager = rules.wager_at(self.spot);
        let number = self.name.strip_prefix(&wager.name).unwrap_or_default();
        match (&self.odds, rules.spot_rule(self.spot).number) {
            (Some(_), _) => format!("{} with full odds", wager.title),
            (None, Some(number)) => format!("{} {number}", wager.title),
            (None, None) => format!("{}{number}", wager.title),
        }
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
        Unexplored::TooManyStates(limit) => {
            Unpriced::TooManyStates { wager: target.name.clone(), limit }
        }
        Unexplored::NoSuchWager(name) => Unpriced::NoSuchWager { name, nearest: None },
    })?;
    let never = || Unpriced::NeverDecided(target.name.clone());
    let solution = solve(&chain).map_err(|NeverDecided| never())?;
    match solution.decided == Ratio::ONE {
        true => Ok((chain, solution)),
        false => Err(never()),
    }
}
