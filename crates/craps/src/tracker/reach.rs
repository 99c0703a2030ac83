//! What of a tracked wager can happen at all: awards that can never be hit are faults, and so is an
//! ending that never comes.

use std::collections::HashSet;

use super::lay::plural;
use super::{Heard, Progress, Tracker, TrackerRule, cell, count_mark};
use crate::dice::Combination;
use crate::fate::{Awards, Fate};
use crate::puck::Puck;
use crate::spot::AwardId;
use crate::wager::{
    Count, Due, Game, Hears, Marks, Opens, PaysBy, PaysKey, PuckMust, Shape, Wager,
};

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
    found.faults.extend(unclimbed(rule, wager, game));
    found.faults.extend(unpaid_lists(rule, wager));
    found.warnings.extend(unpaid_marks(wager, game));
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

/// Every award that the pays name; not those of marks that are each counted up to the best.
fn promised(rule: &TrackerRule) -> Vec<AwardId> {
    let mut fates = rule.ends.clone();
    if let Progress::Lists(lists) = &rule.progress {
        fates.extend(lists.iter().map(|list| list.completed.1));
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
        Progress::Several { marks, times } => {
            let full =
                |it: &Tracker| (0..*marks).filter(|place| it.counted(*place) == *times).count();
            let fullest = fullest(rule, wager, game, |_| *times);
            let top = fullest.iter().map(full).max().unwrap_or(0);
            (1..=top).filter_map(|rung| award(rule.ended(rung as u32))).collect()
        }
        // Numbers that pay alike share their awards, so each is asked by itself.
        Progress::Best { .. } => HashSet::new(),
    }
}

/// Rungs that a mark of its own count can never come to.
fn unclimbed(rule: &TrackerRule, wager: &Wager, game: Game) -> Vec<String> {
    let (Progress::Best { reached }, PaysBy::Each(each), Shape::Count(count)) =
        (&rule.progress, &wager.pays, &wager.shape)
    else {
        return Vec::new();
    };
    let fullest = fullest(rule, wager, game, |place| reached[place].len() as u8 - 1);
    let made = if count.marks == Marks::PointsMade { " made" } else { "" };
    let mut never = Vec::new();
    for (place, mark) in count.marks.each(game.points).iter().enumerate() {
        let own = each.iter().find(|(number, _)| mark.total() == Some(*number));
        let Some((number, ladder)) = own else { continue };
        let top = fullest.iter().map(|it| it.counted(place)).max().unwrap_or(0);
        for (key, _) in ladder.iter().filter(|(key, _)| key.number() > Some(top)) {
            let times = plural(&key.to_string(), "times");
            never.push(format!("{number}{made} {times} can never be hit"));
        }
    }
    never
}

/// Lists that can be completed and pay nothing then, as where one is shorter than the others.
fn unpaid_lists(rule: &TrackerRule, wager: &Wager) -> Vec<String> {
    let (Progress::Lists(laid), Shape::Sequence { lists }) = (&rule.progress, &wager.shape) else {
        return Vec::new();
    };
    let unpaid = laid.iter().zip(lists).filter(|(laid, _)| laid.completed.1 == Fate::Lose);
    let reason = |(_, list): (_, &crate::wager::List)| {
        let rolls = plural(&list.steps.len().to_string(), "rolls");
        format!("{}: {list} is complete after {rolls} and pays nothing", wager.name)
    };
    unpaid.map(reason).collect()
}

/// Numbers that are counted and have no pay.
fn unpaid_marks(wager: &Wager, game: Game) -> Option<String> {
    let (PaysBy::Each(each), Shape::Count(count)) = (&wager.pays, &wager.shape) else {
        return None;
    };
    let marks = count.marks.each(game.points);
    let totals = marks.iter().filter_map(|mark| mark.total());
    let unpaid = totals.filter(|total| !each.iter().any(|(number, _)| number == total));
    let unpaid: Vec<String> = unpaid.map(|total| total.to_string()).collect();
    (!unpaid.is_empty()).then(|| format!("{}: {} pay nothing", wager.name, unpaid.join(", ")))
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

/// Marks that are counted several times have too many states to walk. But whatever comes on a way
/// that leads back to where the puck lay can come as often as anybody likes: there they are filled
/// up at once, to the highest that `most` tells of each, and only the ways that lead out for good
/// are walked. What a roll that ends the wager adds is counted.
fn fullest(
    rule: &TrackerRule,
    wager: &Wager,
    game: Game,
    most: impl Fn(usize) -> u8,
) -> HashSet<Tracker> {
    let cells = cells(game);
    let leads = leads(rule, &cells);
    let add = |tracker: &mut Tracker, heard: Heard| {
        if let Some(place) = heard.mark() {
            count_mark(tracker, heard, most(place as usize));
        }
    };
    let mut found = HashSet::new();
    let mut queue: Vec<(Puck, Tracker)> =
        starts(wager, game).into_iter().map(|puck| (puck, Tracker::default())).collect();
    let mut seen: HashSet<(Puck, Tracker)> = queue.iter().copied().collect();
    while let Some((puck, mut tracker)) = queue.pop() {
        let about = |it: Puck| leads[puck.index()][it.index()] && leads[it.index()][puck.index()];
        for (before, after, cell) in &cells {
            let heard = rule.heard[*cell];
            if about(*before) && about(*after) && !heard.ends() {
                (0..Count::OFTEN).for_each(|_| add(&mut tracker, heard));
            }
        }
        found.insert(tracker);
        for (_, after, cell) in cells.iter().filter(|(before, ..)| about(*before)) {
            let heard = rule.heard[*cell];
            let mut next = tracker;
            add(&mut next, heard);
            found.insert(next);
            if !heard.ends() && !about(*after) && seen.insert((*after, next)) {
                queue.push((*after, next));
            }
        }
    }
    found
}

/// From which places of the puck to which some rolls lead that do not end the wager.
fn leads(rule: &TrackerRule, cells: &[(Puck, Puck, usize)]) -> [[bool; Puck::COUNT]; Puck::COUNT] {
    let mut leads = [[false; Puck::COUNT]; Puck::COUNT];
    for (place, leads) in leads.iter_mut().enumerate() {
        leads[place] = true;
    }
    for (before, after, cell) in cells {
        leads[before.index()][after.index()] |= !rule.heard[*cell].ends();
    }
    for over in 0..Puck::COUNT {
        for from in 0..Puck::COUNT {
            for to in 0..Puck::COUNT {
                leads[from][to] |= leads[from][over] && leads[over][to];
            }
        }
    }
    leads
}

/// Rungs that pay less than the one below, on each of the wager's ladders.
fn falling(wager: &Wager) -> Vec<String> {
    let name = &wager.name;
    let ladders: Vec<(String, &Vec<(PaysKey, Due)>)> = match &wager.pays {
        PaysBy::Key(dues) if wager.numbers.is_empty() => vec![(name.clone(), dues)],
        PaysBy::Each(each) => {
            each.iter().map(|(number, dues)| (format!("{name} {number}"), dues)).collect()
        }
        // Pays by the number of the spot, by list, or a single one: there is no ladder.
        PaysBy::Key(_) | PaysBy::Same(_) | PaysBy::List(_) => Vec::new(),
    };
    let mut odd = Vec::new();
    for (whose, dues) in ladders {
        let mut rungs: Vec<(PaysKey, Due)> = dues.clone();
        rungs.sort_by_key(|(key, _)| key.number());
        for pair in rungs.windows(2) {
            let [(one, pays), (other, less)] = pair else { continue };
            if pays.is_better_than(*less) {
                odd.push(format!("{whose}: `{other}` pays {less}, less than `{one}` at {pays}"));
            }
        }
    }
    odd
}
