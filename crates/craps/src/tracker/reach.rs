//! What of a tracked wager can happen at all: awards that can never be hit are faults, and so is an
//! ending that never comes.

use std::collections::HashSet;

use super::{Progress, Tracker, TrackerRule, cell};
use crate::dice::Combination;
use crate::fate::{Awards, Fate};
use crate::puck::Puck;
use crate::spot::AwardId;
use crate::wager::{Due, Game, Hears, Opens, PaysBy, PaysKey, PuckMust, Shape, Wager};

/// What is wrong with a laid tracker, and what is only odd.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) faults: Vec<String>,
    pub(crate) warnings: Vec<String>,
}

/// Looks a laid tracker over.
pub(crate) fn look(rule: &TrackerRule, wager: &Wager, game: Game, awards: &Awards) -> Found {
    let mut found = Found::default();
    if let Shape::Count(count) = &wager.shape {
        let never = |heard: &&Hears| !comes(**heard, game);
        let never: Vec<&Hears> = count.ends_on.iter().filter(never).collect();
        let points = game.points;
        let reasons = never
            .iter()
            .map(|it| format!("{}: {it} never comes in a game of points {points}", wager.name));
        match never.len() == count.ends_on.len() {
            true => found.faults.extend(reasons),
            false => found.warnings.extend(reasons),
        }
    }
    let hit = hit(rule, wager, game);
    for award in promised(rule) {
        if !hit.contains(&award) {
            let event = &awards.0[award.index()].event;
            found.faults.push(format!("{event} can never be hit"));
        }
    }
    found.warnings.extend(falling(wager));
    found
}

/// Whether something can be heard on some roll of the game, whatever the spot.
fn comes(heard: Hears, game: Game) -> bool {
    matches!(heard, Hears::Dice(_))
        || game
            .pucks()
            .any(|puck| Combination::all().any(|it| heard.covers(game, None, puck, it.roll())))
}

fn award(fate: Fate) -> Option<AwardId> {
    match fate {
        Fate::Win { award, .. } => Some(award),
        _ => None,
    }
}

/// Every award that the pays name.
fn promised(rule: &TrackerRule) -> Vec<AwardId> {
    let mut fates = rule.ends.clone();
    match &rule.progress {
        Progress::Lists(lists) => fates.extend(lists.iter().map(|list| list.completed.1)),
        Progress::Best { reached } => {
            fates.extend(reached.iter().flatten().map(|(_, fate)| *fate));
        }
        _ => {}
    }
    let mut awards: Vec<AwardId> = fates.into_iter().filter_map(award).collect();
    awards.sort_unstable();
    awards.dedup();
    awards
}

/// Every award that some rolls lead to.
fn hit(rule: &TrackerRule, wager: &Wager, game: Game) -> HashSet<AwardId> {
    match &rule.progress {
        Progress::Lists(_) | Progress::Count { .. } => walked(rule, wager, game),
        Progress::Marks { .. } => by_number(rule, wager, game),
        Progress::Several { .. } => promised(rule).into_iter().collect(),
        Progress::Best { reached } => {
            let cells = cells(game);
            let each = reached.iter().enumerate().filter(|(place, _)| {
                cells.iter().any(|(_, _, cell)| {
                    let heard = rule.heard[*cell];
                    heard.mark() == Some(*place as u32) && !heard.ends()
                })
            });
            each.flat_map(|(_, fates)| fates.iter().filter_map(|(_, fate)| award(*fate))).collect()
        }
    }
}

/// Every roll: the puck before and after it, and its place.
fn cells(game: Game) -> Vec<(Puck, Puck, usize)> {
    let of = |puck: Puck| {
        Combination::all()
            .map(move |it| (puck, puck.after(it.roll().total(), game.points), cell(puck, it)))
    };
    game.pucks().flat_map(of).collect()
}

/// Where the puck can lie when a bet is made.
fn starts(wager: &Wager, game: Game) -> Vec<Puck> {
    let off = wager.window.puck == PuckMust::BeOff || wager.window.opens == Opens::NewShooter;
    game.pucks().filter(|puck| puck.is_off() || !off).collect()
}

/// Counts and lists have few states: all of them are walked.
fn walked(rule: &TrackerRule, wager: &Wager, game: Game) -> HashSet<AwardId> {
    let cells = cells(game);
    let mut hit = HashSet::new();
    let mut queue: Vec<(Puck, Tracker)> =
        starts(wager, game).into_iter().map(|puck| (puck, Tracker::default())).collect();
    let mut seen: HashSet<(Puck, Tracker)> = queue.iter().copied().collect();
    while let Some((puck, tracker)) = queue.pop() {
        for (_, after, cell) in cells.iter().filter(|(before, ..)| *before == puck) {
            let mut next = tracker;
            match rule.advance(&mut next, *cell) {
                Fate::Stand if seen.insert((*after, next)) => queue.push((*after, next)),
                fate => hit.extend(award(fate)),
            }
        }
    }
    hit
}

/// Marks have too many states to walk; how many of them lie is enough to tell the rungs apart.
fn by_number(rule: &TrackerRule, wager: &Wager, game: Game) -> HashSet<AwardId> {
    let cells = cells(game);
    let bits = |ends: bool| {
        let heard = cells.iter().map(|(_, _, cell)| rule.heard[*cell]);
        let heard = heard.filter(move |heard| heard.ends() == ends);
        heard.fold(0, |bits, heard| bits | heard.bit())
    };
    let most = bits(false).count_ones();
    let Progress::Marks { all, .. } = rule.progress else { return HashSet::new() };
    let mut hit = HashSet::new();
    let mut queue: Vec<(Puck, u32)> =
        starts(wager, game).into_iter().map(|puck| (puck, 0)).collect();
    let mut seen: HashSet<(Puck, u32)> = queue.iter().copied().collect();
    while let Some((puck, marks)) = queue.pop() {
        for (_, after, cell) in cells.iter().filter(|(before, ..)| *before == puck) {
            let heard = rule.heard[*cell];
            let more = u32::from(heard.bit() != 0 && (heard.ends() || marks < most));
            for marks in [marks, (marks + more).min(all.count_ones())] {
                if heard.ends() || marks == all.count_ones() {
                    hit.extend(award(rule.ended(marks)));
                } else if seen.insert((*after, marks)) {
                    queue.push((*after, marks));
                }
            }
            // One that has come before ends a wager of different numbers.
            if heard.bit() != 0 && marks > 0 {
                hit.extend(award(rule.ended(marks)));
            }
        }
    }
    hit
}

/// Rungs that pay less than the one below.
fn falling(wager: &Wager) -> Vec<String> {
    let PaysBy::Key(dues) = &wager.pays else { return Vec::new() };
    if !wager.numbers.is_empty() {
        return Vec::new();
    }
    let mut rungs: Vec<(PaysKey, Due)> = dues.clone();
    rungs.sort_by_key(|(key, _)| key.number());
    let pairs = rungs.windows(2).filter(|pair| pair[0].1.is_better_than(pair[1].1));
    let odd = |pair: &[(PaysKey, Due)]| {
        let [(one, pays), (other, less)] = pair else { return String::new() };
        format!("{}: `{other}` pays {less}, less than `{one}` at {pays}", wager.name)
    };
    pairs.map(odd).collect()
}
