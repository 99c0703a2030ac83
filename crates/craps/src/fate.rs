//! What a roll does to a bet: it wins, loses, pushes, travels to its number or stands. Every
//! spot's fate for every puck and every combination is laid out once, on the felt.
//!
//! Wagers whose progress stands on the felt (all but the tracked ones) compile into a table
//! `felt[puck][combination][call][spot]`. It is total by construction: there is no roll it does
//! not answer.

use serde::Serialize;

use crate::dice::{Combination, Roll, Total, Totals};
use crate::money::{Basis, Pays};
use crate::puck::Puck;
use crate::spot::{Award, AwardId, OnOff, Spot, SpotRule, WagerId};
use crate::wager::{Due, Envy, Item, PaysBy, PaysKey, Shape, Side, Split, Wager, Working};

/// What a roll does to a bet: an entitlement, never cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Nothing: it stays as it is.
    Stand,
    /// It wins an award and stays up or comes down. An award can be a push, the stake alone.
    Win {
        /// What it wins.
        award: AwardId,
        /// Whether the bet stays up.
        stays: bool,
    },
    /// It loses.
    Lose,
    /// Neither side wins; the bet stands.
    Push,
    /// It was off when its flat bet was decided, or its run ended with the shooter: it goes back to
    /// the rack.
    Return,
    /// It moves to the number it was rolled.
    Travel(Spot),
}

impl Fate {
    /// Whether the bet has been decided: won, lost or pushed.
    pub fn is_decision(self) -> bool {
        matches!(self, Fate::Win { .. } | Fate::Lose | Fate::Push)
    }
}

/// The compiled table. All spots of one puck and one combination lie together, because a roll
/// asks for just those.
#[derive(Clone, Debug, Default)]
pub(crate) struct Felt {
    fates: Vec<Fate>,
    spots: usize,
    /// The tracker of each spot, beside the fates because both are read for every bet.
    trackers: Vec<Option<u8>>,
}

impl Felt {
    /// The fates of every spot under every call, for one roll.
    #[inline]
    pub(crate) fn column(&self, puck: Puck, combination: Combination) -> &[Fate] {
        let length = OnOff::COUNT * self.spots;
        let column = puck.index() * Combination::COUNT + combination.index();
        &self.fates[column * length..][..length]
    }

    /// The fate of a bet on `spot` under `call`, from the column of a roll.
    #[inline]
    pub(crate) fn fate(&self, column: &[Fate], call: OnOff, spot: Spot) -> Fate {
        column[call as usize * self.spots + spot.index()]
    }

    /// The tracker that decides bets on `spot`, if one does.
    #[inline]
    pub(crate) fn tracker(&self, spot: Spot) -> Option<usize> {
        self.trackers[spot.index()].map(usize::from)
    }
}

/// Everything that wagers can win, in the order it is found.
#[derive(Default)]
pub(crate) struct Awards(pub(crate) Vec<Award>);

impl Awards {
    /// The place of an award, which is the same for the same award.
    pub(crate) fn add(
        &mut self,
        wager: WagerId,
        event: String,
        due: Due,
        envy: Option<Envy>,
    ) -> AwardId {
        let award = Award { wager, event, due, envy };
        let same = self.0.iter().position(|known| *known == award);
        let place = same.unwrap_or_else(|| {
            self.0.push(award);
            self.0.len() - 1
        });
        AwardId(u16::try_from(place).expect("there are fewer awards than spots and rungs"))
    }
}

/// What a felt is laid from.
pub(crate) struct Plan<'a> {
    pub(crate) wagers: &'a [Wager],
    pub(crate) spots: &'a [SpotRule],
    pub(crate) points: Totals,
}

impl Plan<'_> {
    /// The spot of a wager on `number`.
    fn spot(&self, wager: WagerId, number: Total) -> Spot {
        let is = |rule: &SpotRule| rule.wager == wager && rule.number == Some(number);
        let place = self.spots.iter().position(is).expect("a come bet has a spot on every point");
        Spot(place as u8)
    }

    /// The side of a line wager, and whether it travels.
    fn line(&self, name: &str) -> (Side, bool) {
        let line = self.wagers.iter().find(|wager| wager.name == name);
        match line.map(|line| &line.shape) {
            Some(Shape::Line { side, travels, .. }) => (*side, *travels),
            _ => unreachable!("checked by the rulebook and when compiled"),
        }
    }
}

/// Lays a felt out.
pub(crate) fn lay(plan: &Plan<'_>, awards: &mut Awards) -> Felt {
    let spots = plan.spots.len();
    let column = OnOff::COUNT * spots;
    let mut fates = vec![Fate::Stand; column * Puck::COUNT * Combination::COUNT];
    for (place, rule) in plan.spots.iter().enumerate() {
        for puck in Puck::all() {
            for combination in Combination::all() {
                let start = (puck.index() * Combination::COUNT + combination.index()) * column;
                for call in OnOff::ALL {
                    fates[start + call as usize * spots + place] =
                        fate(plan, awards, rule, call, puck, combination.roll());
                }
            }
        }
    }
    Felt { fates, spots, trackers: plan.spots.iter().map(|rule| rule.tracker).collect() }
}

/// What happens to a bet on `spot`, straight from the shape of its wager.
fn fate(
    plan: &Plan<'_>,
    awards: &mut Awards,
    rule: &SpotRule,
    call: OnOff,
    puck: Puck,
    roll: Roll,
) -> Fate {
    let wager = &plan.wagers[usize::from(rule.wager.0)];
    let working = call.working(puck, wager.standing.come_out);
    let mut win = |event: String, due: Due| {
        // Only tracked wagers have envy, and they are called by the stick.
        let award = awards.add(rule.wager, event, due, None);
        Fate::Win { award, stays: wager.standing.stays }
    };
    let pays = &wager.pays;
    match &wager.shape {
        Shape::OneRoll { wins, split } => match one_roll(pays, wins, *split, rule.on(), roll) {
            Some((event, due)) => win(event, due),
            None => Fate::Lose,
        },
        Shape::Race { .. } if working == Working::Off => Fate::Stand,
        Shape::Race { wins, loses } => {
            let hit = |items: &[Item]| items.iter().any(|item| item.covers(rule.on(), roll));
            match (hit(wins), hit(loses)) {
                (true, _) => {
                    let due = pays.due(rule.on()).expect("checked by the rulebook");
                    let event = match rule.on() {
                        PaysKey::NONE => wager.title.clone(),
                        on => on.to_string(),
                    };
                    win(event, due)
                }
                (_, true) => Fate::Lose,
                _ => Fate::Stand,
            }
        }
        Shape::Line { side, wins, loses, bar, travels } => {
            let number = if *travels { rule.number } else { puck.point() };
            let total = roll.total();
            let PaysBy::Same(due) = pays else { unreachable!("checked by the rulebook") };
            if let Some(number) = number {
                return match race(*side, number, total) {
                    Some(true) => win("won".to_owned(), *due),
                    Some(false) => Fate::Lose,
                    None => Fate::Stand,
                };
            }
            if *bar == Some(total) {
                Fate::Push
            } else if wins.contains(total) {
                win("won".to_owned(), *due)
            } else if loses.contains(total) {
                Fate::Lose
            } else if *travels {
                Fate::Travel(plan.spot(rule.wager, total))
            } else {
                Fate::Stand
            }
        }
        Shape::Odds { behind, .. } => {
            let (side, travels) = plan.line(behind);
            let number = if travels { rule.number } else { puck.point() };
            let Some(number) = number.filter(|number| plan.points.contains(*number)) else {
                return Fate::Return;
            };
            match (race(side, number, roll.total()), working) {
                (None, _) => Fate::Stand,
                (Some(_), Working::Off) => Fate::Return,
                (Some(false), Working::On) => Fate::Lose,
                (Some(true), Working::On) => {
                    let due = pays.due(PaysKey::Number(number.number()));
                    win(number.to_string(), due.expect("checked when compiled"))
                }
            }
        }
        // Tracked wagers are called by the stick, once for the whole table.
        Shape::Count(_) | Shape::Sequence { .. } => Fate::Stand,
    }
}

/// Whether the race between a number and seven is over, and won by this side.
fn race(side: Side, number: Total, total: Total) -> Option<bool> {
    match (total == number, total == Total::SEVEN) {
        (true, _) => Some(side == Side::Right),
        (_, true) => Some(side == Side::Wrong),
        _ => None,
    }
}

/// What a one-roll bet wins on `roll`, and the event to name it by.
fn one_roll(
    pays: &PaysBy,
    wins: &[Item],
    split: Option<Split>,
    on: PaysKey,
    roll: Roll,
) -> Option<(String, Due)> {
    let by_key = match pays {
        PaysBy::Key(dues) if split.is_some() || on == PaysKey::NONE => dues,
        _ => {
            let hit = wins.iter().any(|item| item.covers(on, roll));
            let event = match on {
                PaysKey::NONE => "hit".to_owned(),
                on => on.to_string(),
            };
            return hit.then(|| (event, pays.due(on).expect("checked by the rulebook")));
        }
    };
    let hit = |key: &PaysKey| key.item().is_some_and(|item| item.covers(PaysKey::NONE, roll));
    let (key, due) = by_key.iter().find(|(key, _)| hit(key))?;
    let due = match (split, due) {
        (Some(split), Due::Pays(pays)) => {
            let high = split == Split::High;
            let parts = by_key.len() as u32 + u32::from(high);
            let on_it = 1 + u32::from(high && on == *key);
            Due::Pays(net_of_split(*pays, on_it, parts))
        }
        _ => *due,
    };
    Some((key.to_string(), due))
}

/// A split bet pays the part that hit and keeps the parts that missed: on a $4 horn, eleven at
/// 15 to 1 wins 15 and loses 3, which is 12 to 4.
fn net_of_split(pays: Pays, on_it: u32, parts: u32) -> Pays {
    let num = pays.num * on_it - (parts - on_it) * pays.den;
    Pays { num, den: pays.den * parts, basis: Basis::To }
}
