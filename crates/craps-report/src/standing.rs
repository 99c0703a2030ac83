//! What a plan has up in each kind of situation: before the first roll, on a come-out, on points.

#![expect(clippy::float_arithmetic, reason = "shares of time are floats")]

use std::collections::BTreeMap;

use craps::machine::{Position, Then};
use craps::spot::{Spot, WagerId};
use craps::{Bet, Cents, Puck, Rules};
use craps_math::LongRun;
use serde::Serialize;

use crate::markup::amount;

/// A kind of situation.
#[derive(Clone, Debug, Serialize)]
pub struct Situation {
    /// Which it is: `before the first roll`, `come-out`, `point 4 or 10`.
    pub when: String,
    /// The part of all rolls that are thrown in it; none for the first alone.
    pub share: Option<f64>,
    /// What is up as the dice are thrown.
    pub bets: Vec<Standing>,
}

/// A bet as it stands in a situation, or the bets of one wager.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The bets: `pass`, `place 6, 8`, or a wager such as `come` on whatever numbers.
    pub bet: String,
    /// The least stake on one of them, in cents.
    pub least: i64,
    /// The most.
    pub most: i64,
    /// How many of them are up on average.
    pub mean: f64,
    /// How many are up at least, and at most.
    pub count: (usize, usize),
}

/// The situations of a plan with money for every ask, those that look alike put together.
pub fn situations<M>(
    rules: &Rules,
    start: Then,
    positions: &[Position<M>],
    long_run: &LongRun,
) -> Vec<Situation> {
    let bets = |place: u32| positions[place as usize].table.state.layout.bets();
    let mut situations = Vec::new();
    if let Then::Roll(place) = start {
        let bets = standing(rules, &[(bets(place), 1.0)]);
        situations.push(Situation { when: "before the first roll".to_owned(), share: None, bets });
    }
    let pucks = [Puck::Off].into_iter().chain(rules.points.iter().map(Puck::On));
    let mut looks: Vec<(Vec<Puck>, f64, Vec<Standing>)> = Vec::new();
    for puck in pucks {
        let here = |(place, share): &&(u32, f64)| {
            *share > 0.0 && positions[*place as usize].table.state.hand.puck == puck
        };
        let here: Vec<(&[Bet], f64)> = long_run
            .shares
            .iter()
            .filter(here)
            .map(|(place, part)| (bets(*place), *part))
            .collect();
        let share: f64 = here.iter().map(|(_, share)| share).sum();
        if here.is_empty() {
            continue;
        }
        let bets = standing(rules, &here);
        let alike = looks.iter_mut().find(|(pucks, _, known)| {
            pucks.iter().all(|puck| !puck.is_off()) && !puck.is_off() && look_alike(known, &bets)
        });
        match alike {
            Some((pucks, all, _)) => {
                pucks.push(puck);
                *all += share;
            }
            None => looks.push((vec![puck], share, bets)),
        }
    }
    situations.extend(looks.into_iter().map(|(pucks, share, bets)| {
        let points: Vec<String> =
            pucks.iter().filter_map(|puck| puck.point()).map(|point| point.to_string()).collect();
        let when = match points.as_slice() {
            [] => "come-out".to_owned(),
            [one] => format!("point {one}"),
            all if all.len() == rules.points.iter().count() => "any point".to_owned(),
            [most @ .., last] => format!("point {} or {last}", most.join(", ")),
        };
        Situation { when, share: Some(share), bets }
    }));
    situations
}

/// Whether nobody could tell two situations apart by what is up.
fn look_alike(one: &[Standing], other: &[Standing]) -> bool {
    let same = |(one, other): (&Standing, &Standing)| {
        let close = (one.mean - other.mean).abs() < 1e-9;
        close && *one == Standing { mean: one.mean, ..other.clone() }
    };
    one.len() == other.len() && one.iter().zip(other).all(same)
}

/// So many numbers of a wager are named; with more, the wager is.
const FEW: usize = 4;

/// A spot, or several of a wager, over some positions.
#[derive(Clone, Copy)]
struct Stakes {
    least: Cents,
    most: Cents,
    /// In how many positions it is up, and for what part of the time.
    positions: usize,
    time: f64,
}

/// What is up in some positions, each with its part of the time.
fn standing(rules: &Rules, positions: &[(&[Bet], f64)]) -> Vec<Standing> {
    let all: f64 = positions.iter().map(|(_, share)| share).sum();
    let mut spots: BTreeMap<Spot, Stakes> = BTreeMap::new();
    let mut counts: BTreeMap<WagerId, Vec<usize>> = BTreeMap::new();
    for (number, (bets, share)) in positions.iter().enumerate() {
        for bet in *bets {
            let (least, most) = (bet.stake, bet.stake);
            let new = Stakes { least, most, positions: 0, time: 0.0 };
            let stakes = spots.entry(bet.spot).or_insert(new);
            stakes.least = stakes.least.min(bet.stake);
            stakes.most = stakes.most.max(bet.stake);
            stakes.positions += 1;
            stakes.time += share / all;
            let wager = rules.spot_rule(bet.spot).wager;
            counts.entry(wager).or_insert_with(|| vec![0; positions.len()])[number] += 1;
        }
    }
    let mut standing: Vec<Standing> = Vec::new();
    for (wager, counts) in counts {
        let of_wager = |(spot, _): &(&Spot, &Stakes)| rules.spot_rule(**spot).wager == wager;
        let spots: Vec<(Spot, Stakes)> =
            spots.iter().filter(of_wager).map(|(spot, stakes)| (*spot, *stakes)).collect();
        let name = |spot: Spot| rules.spot_rule(spot).notation.clone();
        // `place 6` after `place 5` is only `6`.
        let number = |spot| name(spot).rsplit(' ').next().unwrap_or_default().to_owned();
        let fixed = spots.iter().all(|(_, stakes)| stakes.positions == positions.len());
        if fixed || spots.len() == 1 {
            let mut rows: Vec<Standing> = Vec::new();
            for (spot, Stakes { least, most, time, .. }) in spots {
                let (least, most, mean) = (least.0, most.0, if fixed { 1.0 } else { time });
                match rows.last_mut() {
                    // The next number of the wager, at the same stake.
                    Some(last) if (last.least, last.most) == (least, most) => {
                        last.bet += &format!(", {}", number(spot));
                        last.mean += 1.0;
                        last.count = (last.count.0 + 1, last.count.1 + 1);
                    }
                    _ => {
                        let count = (usize::from(fixed), 1);
                        rows.push(Standing { bet: name(spot), least, most, mean, count });
                    }
                }
            }
            standing.extend(rows);
            continue;
        }
        let least = spots.iter().map(|(_, stakes)| stakes.least.0).min().unwrap_or(0);
        let most = spots.iter().map(|(_, stakes)| stakes.most.0).max().unwrap_or(0);
        let mean = spots.iter().map(|(_, stakes)| stakes.time).sum();
        let count = (counts.iter().copied().min(), counts.iter().copied().max());
        let count = (count.0.unwrap_or(0), count.1.unwrap_or(0));
        let bet = match spots.as_slice() {
            [(first, _), rest @ ..] if rest.len() < FEW => {
                rest.iter().fold(name(*first), |bet, (spot, _)| bet + ", " + &number(*spot))
            }
            _ => rules.wager(wager).name.clone(),
        };
        standing.push(Standing { bet, least, most, mean, count });
    }
    standing
}

impl Standing {
    /// What lies there: `$15`, `$45 to $75`; on each, where there are several.
    pub(crate) fn stake(&self) -> String {
        let [least, most] = [self.least, self.most].map(|cents| amount(Cents(cents)));
        let each = if self.count.1 > 1 { " each" } else { "" };
        if least == most { format!("{least}{each}") } else { format!("{least} to {most}{each}") }
    }

    /// How often it is up: `always`, `61% of the time`, `1.62 on average, 2 at most`.
    pub(crate) fn how_often(&self) -> String {
        match self.count {
            (least, most) if least == most => "always".to_owned(),
            (_, 1) => format!("{} of the time", share(self.mean)),
            (_, most) => format!("{:.2} on average, {most} at most", self.mean),
        }
    }
}

/// A part of the time, in percent.
pub(crate) fn share(part: f64) -> String {
    match part * 100.0 {
        percent if percent < 0.05 => "under 0.1%".to_owned(),
        percent => format!("{percent:.1}%"),
    }
}
