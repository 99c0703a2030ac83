//! How spots are written: as printed on the felt, in kebab-case.
//!
//! `pass`, `come`, `come 6` (travelled), `odds pass`, `odds come 6`, `place 6`, `hard 8`,
//! `hop 3-5` (or `hop 5-3`), `all-small`. `odds` alone means the odds behind the one line bet a
//! seat holds.

use std::fmt;

use crate::did_you_mean::{hint, nearest};
use crate::layout::Layout;
use crate::rules::Rules;
use crate::spot::Spot;
use crate::wager::{PaysKey, Shape};

/// The notation of a wager's spot.
pub(crate) fn spot(wager: &str, on: PaysKey) -> String {
    match on {
        PaysKey::NONE => wager.to_owned(),
        on => format!("{wager} {on}"),
    }
}

/// Why a text names no spot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSuchSpot {
    /// Nothing on this table is written like that.
    Unknown {
        /// What was written.
        text: String,
        /// The spot it looks most like.
        nearest: Option<String>,
    },
    /// `odds` could mean any of these.
    WhichOdds(Vec<String>),
}

impl fmt::Display for NoSuchSpot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSuchSpot::Unknown { text, nearest } => {
                let hint = hint(nearest.as_deref());
                write!(f, "there is no wager `{text}` on this table{hint}")
            }
            NoSuchSpot::WhichOdds(names) => {
                write!(f, "odds behind which bet? write {}", names.join(" or "))
            }
        }
    }
}

impl std::error::Error for NoSuchSpot {}

/// Reads a spot. `layout` is the seat's own, to find the line bet that plain `odds` stands behind.
pub fn parse_spot(rules: &Rules, layout: &Layout, text: &str) -> Result<Spot, NoSuchSpot> {
    if let Some(spot) = rules.spot(text) {
        return Ok(spot);
    }
    if text == "odds" {
        return plain_odds(rules, layout);
    }
    Err(unknown(rules, text))
}

fn unknown(rules: &Rules, text: &str) -> NoSuchSpot {
    let spots: Vec<&str> =
        rules.spots().map(|spot| rules.spot_rule(spot).notation.as_str()).collect();
    let nearest = nearest(text, spots).map(str::to_owned);
    NoSuchSpot::Unknown { text: text.to_owned(), nearest }
}

fn plain_odds(rules: &Rules, layout: &Layout) -> Result<Spot, NoSuchSpot> {
    let line_odds: Vec<Spot> = rules
        .spots()
        .filter(|spot| {
            let stays = matches!(rules.wager_at(*spot).shape, Shape::Odds { .. });
            stays && rules.spot_rule(*spot).number.is_none()
        })
        .collect();
    let flat_up =
        |spot: &&Spot| rules.spot_rule(**spot).flat.is_some_and(|flat| layout.bet(flat).is_some());
    let behind: Vec<&Spot> = line_odds.iter().filter(flat_up).collect();
    match (behind.as_slice(), line_odds.first()) {
        ([one], _) => Ok(**one),
        ([], Some(first)) => Ok(*first),
        ([], None) => Err(unknown(rules, "odds")),
        (several, _) => {
            let name = |spot: &&Spot| rules.spot_rule(**spot).notation.clone();
            Err(NoSuchSpot::WhichOdds(several.iter().map(name).collect()))
        }
    }
}
