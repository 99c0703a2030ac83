//! The bets one names, and whether the best play can be found over them.

use std::fmt;

use craps::action::offers;
use craps::did_you_mean::{hint, nearest};
use craps::wager::Shape;
use craps::{Cents, Puck, Rules, Spot, State};

/// The bets to choose from: at most one line bet with odds or without, and bets that may come down
/// at any time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bets {
    pub(super) line: Option<Spot>,
    pub(super) odds: Option<Spot>,
    pub(super) free: Vec<Spot>,
}

/// Why there is no best play over some bets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// There is no such wager; what it looks like.
    Unknown(String, Option<String>),
    /// It was named twice.
    Twice(String),
    /// There is more than one line bet.
    TwoLines(String, String),
    /// Odds go behind a line bet that was not named.
    OddsAlone,
    /// It stays on the felt from roll to roll.
    Stays(String),
    /// Nothing was named.
    Nothing,
}

impl std::error::Error for Unfit {}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::Unknown(name, near) => {
                write!(f, "no wager is written `{name}`{}", hint(near.as_deref()))
            }
            Unfit::Twice(name) => write!(f, "`{name}` is named twice"),
            Unfit::TwoLines(one, other) => {
                write!(f, "`{one}` and `{other}` are both line bets: name one of them")
            }
            Unfit::OddsAlone => {
                f.write_str("odds go behind a line bet: name `pass` or `dont-pass` too")
            }
            Unfit::Stays(name) => write!(
                f,
                "`{name}` cannot be taken down and put back between rolls: name a line bet, its \
                 odds, and bets that may come down at any time (place, buy, lay, hardways, \
                 one-roll bets)"
            ),
            Unfit::Nothing => f.write_str("name at least one bet, such as pass"),
        }
    }
}

impl Bets {
    /// Reads bets as they are written, such as `pass`, `odds`, `place 6`.
    pub fn parse<'a>(
        rules: &Rules,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Bets, Unfit> {
        let names: Vec<&str> = names.into_iter().map(str::trim).collect();
        let mut bets = Bets { line: None, odds: None, free: Vec::new() };
        let mut with_odds = false;
        for name in names.iter().copied().filter(|name| !name.is_empty()) {
            if name == "odds" {
                with_odds = true;
                continue;
            }
            let spot = rules.spot(name).ok_or_else(|| {
                let known = rules.spots().map(|spot| rules.spot_rule(spot).notation.as_str());
                Unfit::Unknown(name.to_owned(), nearest(name, known).map(str::to_owned))
            })?;
            match &rules.wager_at(spot).shape {
                Shape::Line { travels: false, .. } => {
                    if let Some(other) = bets.line.replace(spot) {
                        return Err(if other == spot {
                            Unfit::Twice(name.to_owned())
                        } else {
                            let other = rules.spot_rule(other).notation.clone();
                            Unfit::TwoLines(other, name.to_owned())
                        });
                    }
                }
                Shape::Odds { .. } => bets.odds = Some(spot),
                Shape::OneRoll { .. } | Shape::Race { .. } if is_free(rules, spot) => {
                    if bets.free.contains(&spot) {
                        return Err(Unfit::Twice(name.to_owned()));
                    }
                    bets.free.push(spot);
                }
                _ => return Err(Unfit::Stays(name.to_owned())),
            }
        }
        let behind = bets.line.and_then(|line| rules.spot_rule(line).odds);
        if with_odds {
            bets.odds = Some(behind.ok_or(Unfit::OddsAlone)?);
        }
        if bets.odds.is_some() && bets.odds != behind {
            return Err(Unfit::OddsAlone);
        }
        if bets.line.is_none() && bets.free.is_empty() {
            return Err(Unfit::Nothing);
        }
        // In the order of the felt, however they were named.
        bets.free.sort_unstable();
        Ok(bets)
    }

    /// The spots, line and odds first.
    pub fn spots(&self) -> Vec<Spot> {
        self.line.into_iter().chain(self.odds).chain(self.free.iter().copied()).collect()
    }

    /// Whether the first of them is a line bet.
    pub fn has_line(&self) -> bool {
        self.line.is_some()
    }

    /// The same bets without one, where any are left.
    pub fn without(&self, spot: Spot) -> Option<Bets> {
        let mut bets = self.clone();
        bets.free.retain(|free| *free != spot);
        bets.odds = bets.odds.filter(|odds| *odds != spot);
        if bets.line == Some(spot) {
            (bets.line, bets.odds) = (None, None);
        }
        (bets.line.is_some() || !bets.free.is_empty()).then_some(bets)
    }
}

/// Whether a bet may come down wherever the puck lies.
fn is_free(rules: &Rules, spot: Spot) -> bool {
    pucks(rules).all(|puck| {
        let mut state = State::default();
        state.hand.puck = puck;
        let stake = rules.wager_at(spot).limits.least();
        state.put(rules, spot, stake);
        let offers = offers(rules, &state.hand, &state.layout, Cents::MOST);
        offers.iter().any(|offer| offer.spot == spot && offer.take_all.is_ok())
    })
}

/// Where the puck may lie: off, then on each point.
pub(super) fn pucks(rules: &Rules) -> impl Iterator<Item = Puck> + use<> {
    std::iter::once(Puck::Off).chain(rules.points.iter().map(Puck::On))
}
