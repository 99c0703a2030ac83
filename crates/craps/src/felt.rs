//! The felt: every spot's fate for every puck and every combination, laid out once at load.
//!
//! Wagers whose progress stands on the felt (all but the tracked ones) compile into a table
//! `felt[puck][combination][call][spot]`. It is total by construction: there is no roll it does
//! not answer.

use serde::{Deserialize, Serialize};

use crate::rules::{Award, AwardId, Rules, SpotRule, WagerId};
use crate::{
    Basis, Call, Combination, Due, Item, Pays, PaysBy, PaysKey, Puck, Roll, Shape, Side, Split,
    Spot, Total, Totals, Wager, Working,
};

/// What a roll does to a bet: an entitlement, never cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Nothing: it stays as it is.
    Stand,
    /// It wins an award and stays up or comes down.
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
    /// It was off when its flat bet was decided: it goes back to the rack.
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
        let length = Call::COUNT * self.spots;
        let column = puck.index() * Combination::COUNT + combination.index();
        &self.fates[column * length..][..length]
    }

    /// The fate of a bet on `spot` under `call`, from the column of a roll.
    #[inline]
    pub(crate) fn fate(&self, column: &[Fate], call: Call, spot: Spot) -> Fate {
        column[call as usize * self.spots + spot.index()]
    }

    /// The tracker that decides bets on `spot`, if one does.
    #[inline]
    pub(crate) fn tracker(&self, spot: Spot) -> Option<usize> {
        self.trackers[spot.index()].map(usize::from)
    }
}

/// A tracked wager, compiled.
#[derive(Clone, Debug)]
pub(crate) struct TrackerRule {
    pub(crate) wager: WagerId,
    pub(crate) progress: Progress,
    /// Every number the wager looks for.
    pub(crate) numbers: Totals,
    /// Whether a completed wager may be bet again before a seven.
    pub(crate) rebet: bool,
    /// What reaching each rung pays when the wager ends there.
    pub(crate) rungs: Vec<Option<AwardId>>,
}

/// How a tracker moves.
#[derive(Clone, Debug)]
pub(crate) enum Progress {
    Numbers { collects: Totals, ends_on: Totals, repeats: Repeats },
    Sequence { sequences: Vec<Vec<Total>> },
}

/// What a number that has come before does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeats {
    /// Nothing: collect.
    Pass,
    /// It ends the wager: distinct.
    End,
}

impl TrackerRule {
    /// The fate of bets whose wager ended on `rung`.
    #[inline]
    pub(crate) fn ended(&self, rung: usize) -> Fate {
        match self.rungs[rung] {
            Some(award) => Fate::Win { award, stays: false },
            None => Fate::Lose,
        }
    }
}

/// Fills in the awards, the trackers and the felt of freshly compiled rules.
pub(crate) fn lay(rules: &mut Rules) {
    lay_trackers(rules);
    let spots = rules.spots().count();
    let column = Call::COUNT * spots;
    let mut fates = vec![Fate::Stand; column * Puck::COUNT * Combination::COUNT];
    let mut trackers = Vec::with_capacity(spots);
    for spot in rules.spots() {
        let rule = rules.spot_rule(spot).clone();
        let wager = rules.wager(rule.wager).clone();
        trackers.push(rule.tracker);
        for puck in Puck::all() {
            for combination in Combination::all() {
                let start = (puck.index() * Combination::COUNT + combination.index()) * column;
                for call in Call::ALL {
                    fates[start + call as usize * spots + spot.index()] =
                        fate(rules, &rule, &wager, call, puck, combination.roll());
                }
            }
        }
    }
    rules.felt = Felt { fates, spots, trackers };
}

fn lay_trackers(rules: &mut Rules) {
    for place in 0..rules.wagers().len() {
        let id = WagerId(place as u8);
        let wager = rules.wager(id).clone();
        let unit = match &wager.shape {
            Shape::Sequence { .. } => "rolls",
            _ => "numbers",
        };
        let progress = match wager.shape.clone() {
            Shape::Collect { collects, ends_on } => {
                Progress::Numbers { collects, ends_on, repeats: Repeats::Pass }
            }
            Shape::Distinct { collects, ends_on } => {
                Progress::Numbers { collects, ends_on, repeats: Repeats::End }
            }
            Shape::Sequence { sequences } => Progress::Sequence { sequences },
            _ => continue,
        };
        let numbers = match &progress {
            Progress::Numbers { collects, .. } => *collects,
            Progress::Sequence { sequences } => sequences.iter().flatten().copied().collect(),
        };
        let top = wager.shape.top_rung();
        let mut rungs = Vec::new();
        for rung in 0..=top {
            let award = match wager.pays.as_ref().expect("only priced wagers are offered") {
                PaysBy::Same(due) => (rung == top).then(|| ("all numbers".to_owned(), *due, 0)),
                pays => pays.due(PaysKey::Number(rung)).map(|due| (plural(rung, unit), due, rung)),
            };
            rungs.push(award.map(|(event, due, key)| {
                let envy = wager.envy.iter().find(|(of, _)| *of == key).map(|(_, envy)| *envy);
                rules.add_award(Award { wager: id, event, due, envy })
            }));
        }
        rules.trackers.push(TrackerRule {
            wager: id,
            progress,
            numbers,
            rebet: wager.rebet,
            rungs,
        });
    }
}

fn plural(count: u8, unit: &str) -> String {
    if count == 1 { format!("1 {}", unit.trim_end_matches('s')) } else { format!("{count} {unit}") }
}

/// What happens to a bet on `spot`, straight from the shape of its wager.
fn fate(
    rules: &mut Rules,
    rule: &SpotRule,
    wager: &Wager,
    call: Call,
    puck: Puck,
    roll: Roll,
) -> Fate {
    let working = match call {
        Call::On => Working::On,
        Call::Off => Working::Off,
        Call::House if puck.is_off() => wager.come_out,
        Call::House => Working::On,
    };
    let win = |rules: &mut Rules, event: String, due: Due| {
        // Only tracked wagers have envy, and they are called by the stick.
        let award = rules.add_award(Award { wager: rule.wager, event, due, envy: None });
        Fate::Win { award, stays: wager.stays }
    };
    let pays = wager.pays.as_ref().expect("only priced wagers are offered");
    match &wager.shape {
        Shape::OneRoll { wins, split } => match one_roll(pays, wins, *split, rule.number, roll) {
            Some((event, due)) => win(rules, event, due),
            None => Fate::Lose,
        },
        Shape::Race { .. } if working == Working::Off => Fate::Stand,
        Shape::Race { wins, loses } => {
            let hit = |items: &[Item]| items.iter().any(|item| item.covers(rule.number, roll));
            match (hit(wins), hit(loses)) {
                (true, _) => {
                    let key = rule.number.map_or(0, Total::number);
                    let due = pays.due(PaysKey::Number(key)).expect("checked by the rulebook");
                    let event = rule.number.map_or(wager.title.clone(), |n| n.to_string());
                    win(rules, event, due)
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
                    Some(true) => win(rules, "won".to_owned(), *due),
                    Some(false) => Fate::Lose,
                    None => Fate::Stand,
                };
            }
            if *bar == Some(total) {
                Fate::Push
            } else if wins.contains(total) {
                win(rules, "won".to_owned(), *due)
            } else if loses.contains(total) {
                Fate::Lose
            } else if *travels {
                let to = crate::notation::spot(&wager.name, Some(total));
                Fate::Travel(rules.spot(&to).expect("a come bet has a spot on every point"))
            } else {
                Fate::Stand
            }
        }
        Shape::Odds { behind, .. } => {
            let line = rules.wager_named(behind).expect("checked when the rules were compiled");
            let Shape::Line { side, travels, .. } = rules.wager(line).shape else {
                unreachable!("checked by the rulebook")
            };
            let number = if travels { rule.number } else { puck.point() };
            let Some(number) = number.filter(|number| rules.points.contains(*number)) else {
                return Fate::Return;
            };
            match (race(side, number, roll.total()), working) {
                (None, _) => Fate::Stand,
                (Some(_), Working::Off) => Fate::Return,
                (Some(false), Working::On) => Fate::Lose,
                (Some(true), Working::On) => {
                    let due = pays.due(PaysKey::Number(number.number()));
                    win(rules, number.to_string(), due.expect("checked when compiled"))
                }
            }
        }
        // Tracked wagers are called by the stick, once for the whole table.
        Shape::Collect { .. } | Shape::Distinct { .. } | Shape::Sequence { .. } => Fate::Stand,
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
    number: Option<Total>,
    roll: Roll,
) -> Option<(String, Due)> {
    let by_key = match pays {
        PaysBy::Key(dues) if split.is_some() || number.is_none() => dues,
        _ => {
            let key = PaysKey::Number(number.map_or(0, Total::number));
            let hit = wins.iter().any(|item| item.covers(number, roll));
            let event = number.map_or_else(|| "hit".to_owned(), |number| number.to_string());
            return hit.then(|| (event, pays.due(key).expect("checked by the rulebook")));
        }
    };
    let hit = |key: &PaysKey| key.item().is_some_and(|item| item.covers(None, roll));
    let (key, due) = by_key.iter().find(|(key, _)| hit(key))?;
    let due = match (split, due) {
        (Some(split), Due::Pays(pays)) => {
            let high = split == Split::High;
            let parts = by_key.len() as u32 + u32::from(high);
            let on_it =
                1 + u32::from(high && number.map(|n| PaysKey::Number(n.number())) == Some(*key));
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
