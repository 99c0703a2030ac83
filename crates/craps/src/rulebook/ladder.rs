//! Whether the pays of a tracked wager fit what it counts: no rung missing, none that is not there.

use super::check::{check_numbers, fits};
use crate::dice::{Total, Totals};
use crate::wager::{Count, Due, Envy, Hears, List, Marks, PaysBy, PaysKey, Shape, Wager};

/// What is wrong with the pays of a tracked wager in a game of these points.
pub(super) fn check_tracked(wager: &Wager, points: Totals) -> Vec<String> {
    let mut reasons = match &wager.shape {
        Shape::Count(count) => check_count(wager, count, points),
        Shape::Sequence { lists } => check_lists(wager, lists),
        _ => Vec::new(),
    };
    if wager.pays == PaysBy::Same(Due::Push) {
        reasons.push("a wager that can only push is none, a push is for one of its rungs".into());
    }
    reasons.extend(check_envy(wager));
    reasons
}

/// The highest rung of a ladder, and whether the wager ends there.
#[derive(Clone, Copy)]
enum Top {
    /// So many of them, and it is complete.
    At(u8),
    /// It counts on until something ends it.
    Open,
}

fn check_count(wager: &Wager, count: &Count, points: Totals) -> Vec<String> {
    let marks = count.marks.each(points);
    let top = |number: Option<Total>| match (&count.marks, &count.times) {
        (Marks::Together(_), Some(times)) => times.on(number).map_or(Top::Open, Top::At),
        (Marks::Together(_), None) => Top::Open,
        (_, Some(times)) if marks.len() == 1 => times.on(number).map_or(Top::At(1), Top::At),
        _ => Top::At(marks.len() as u8),
    };
    let pays = &wager.pays;
    if wager.numbers.is_empty() {
        return match pays {
            PaysBy::Each(each) => check_each(count, &marks, each),
            PaysBy::Key(dues) if count.marks == Marks::PointsMade => {
                too_few_points(dues, marks.len()).unwrap_or_else(|| check_ladder(top(None), pays))
            }
            pays => check_ladder(top(None), pays),
        };
    }
    let mut reasons = check_numbers(wager, pays);
    for number in wager.numbers.iter().copied() {
        let own = match pays {
            PaysBy::Each(each) => match each.iter().find(|(of, _)| *of == number) {
                Some((_, dues)) => PaysBy::Key(dues.clone()),
                None => {
                    reasons.push(format!("there is no pay for {} {number}", wager.name));
                    continue;
                }
            },
            PaysBy::Key(dues) => PaysBy::Same(dues.first().map_or(Due::Push, |(_, due)| *due)),
            pays => pays.clone(),
        };
        let of_spot = |reason| format!("{} {number}: {reason}", wager.name);
        reasons.extend(check_ladder(top(Some(number)), &own).into_iter().map(of_spot));
    }
    if let PaysBy::Each(each) = pays {
        let strange = |(of, _): &&(Total, Vec<_>)| !wager.numbers.contains(of);
        let strange = each.iter().filter(strange);
        reasons.extend(strange.map(|(of, _)| format!("{of} is not one of the wager's numbers")));
    }
    reasons
}

/// Pays for fewer points than this game has: they were written for another.
fn too_few_points(dues: &[(PaysKey, Due)], points: usize) -> Option<Vec<String>> {
    let rungs = dues.iter().filter_map(|(key, _)| key.rungs());
    let highest = rungs.map(|(from, to)| to.map_or(usize::MAX, |to| usize::from(to.max(from))));
    let highest = highest.max()?;
    (highest < points).then(|| {
        vec![format!(
            "its pays are for {highest} points and this game has {points}: play it with another \
             base game, or write pays for all of them"
        )]
    })
}

/// A ladder has no gap from its lowest rung to the top, and no rung twice.
fn check_ladder(top: Top, pays: &PaysBy) -> Vec<String> {
    let mut reasons = Vec::new();
    let PaysBy::Key(dues) = pays else {
        match (pays, top) {
            (PaysBy::Same(_), Top::Open) => reasons.push(
                "pays need a line for each rung, or `times` to say when the count is full".into(),
            ),
            (PaysBy::Same(_), _) => {}
            _ => reasons.push("pays go by rung here, such as { 3 = \"4 to 1\" }".to_owned()),
        }
        return reasons;
    };
    let last = match top {
        Top::At(top) => top,
        Top::Open => u8::MAX,
    };
    let rung = |key: &PaysKey| {
        let (from, to) = key.rungs()?;
        let fits = from >= 1 && from <= last && to.is_none_or(|to| to <= last);
        fits.then_some((from, to.unwrap_or(last)))
    };
    for (key, _) in dues.iter().filter(|(key, _)| rung(key).is_none()) {
        reasons.push(match top {
            Top::At(top) => format!("`{key}` is not a rung, they go from 1 to {top}"),
            Top::Open => format!("`{key}` is not a rung, they start at 1"),
        });
    }
    let mut rungs: Vec<(u8, u8, PaysKey, Due)> = Vec::new();
    for (key, due) in dues {
        rungs.extend(rung(key).map(|(from, to)| (from, to, *key, *due)));
    }
    rungs.sort_by_key(|(from, to, ..)| (*from, *to));
    for pair in rungs.windows(2) {
        let [(_, end, one, _), (start, _, other, _)] = pair else { continue };
        if start <= end {
            reasons.push(format!("`{one}` and `{other}` are both for rung {start}"));
        }
        let of = match top {
            Top::At(top) => format!(" of {top}"),
            Top::Open => String::new(),
        };
        let missing = end.saturating_add(1)..*start;
        reasons.extend(missing.map(|n| format!("the pay for rung {n}{of} is missing")));
    }
    match (rungs.last(), top) {
        (None, _) => reasons.push("there is no pay for any rung".to_owned()),
        (Some((_, end, key, _)), Top::Open) if !matches!(key, PaysKey::Range(_, None)) => {
            reasons.push(format!(
                "the pays stop at {end} but the count goes on, write \"{end}+\" for it and more"
            ));
        }
        (Some((_, end, ..)), Top::At(top)) => {
            let missing = u16::from(*end) + 1..=u16::from(top);
            reasons.extend(missing.map(|n| format!("the pay for rung {n} of {top} is missing")));
        }
        _ => {}
    }
    for (_, end, key, due) in &rungs {
        let alone = matches!(key, PaysKey::Number(_));
        if *due == Due::Meter && !(alone && *end == last) {
            reasons.push(format!("only the top rung may take the meter, `{key}` is not it"));
        }
    }
    reasons
}

/// Pays by number and then by how often it came.
fn check_each(
    count: &Count,
    marks: &[Hears],
    each: &[(Total, Vec<(PaysKey, Due)>)],
) -> Vec<String> {
    let mut reasons = Vec::new();
    if matches!(count.marks, Marks::Together(_)) {
        return vec!["pays by number need `marks`, of which each is counted by itself".to_owned()];
    }
    if count.times.is_some() {
        reasons.push("pays by number say themselves how often, leave `times` out".to_owned());
    }
    if marks.iter().any(|mark| mark.total().is_none()) {
        reasons.push("pays by number need `marks` that are numbers or points made".to_owned());
    }
    if marks.len() > Count::COUNTED {
        let (most, these) = (Count::COUNTED, marks.len());
        reasons.push(format!("a tracker can count {most} marks, these are {these}"));
    }
    for (number, dues) in each {
        if !marks.iter().any(|mark| mark.total() == Some(*number)) {
            reasons.push(format!("{number} is never marked, so its pays can never be hit"));
        }
        if each.iter().filter(|(of, _)| of == number).count() > 1 {
            reasons.push(format!("{number} has pays twice"));
        }
        let most = dues.iter().filter_map(|(key, _)| key.rungs());
        let most = most.map(|(from, to)| to.unwrap_or(from)).max().unwrap_or(0);
        if most > Count::OFTEN {
            let often = Count::OFTEN;
            reasons
                .push(format!("{number} {most} times is more than the {often} a tracker counts"));
        }
        let ladder = check_ladder(Top::Open, &PaysBy::Key(dues.clone()));
        reasons.extend(ladder.into_iter().map(|reason| format!("{number}: {reason}")));
        if dues.iter().any(|(_, due)| *due == Due::Meter) {
            reasons.push(format!("{number}: an award for a number cannot take the meter"));
        }
    }
    reasons
}

fn check_lists(wager: &Wager, lists: &[List]) -> Vec<String> {
    let top = lists.iter().map(|list| list.steps.len() as u8).max().unwrap_or(0);
    if top == 0 {
        return vec!["there is no sequence to follow".to_owned()];
    }
    let names: Vec<&String> = lists.iter().filter_map(|list| list.name.as_ref()).collect();
    let PaysBy::List(dues) = &wager.pays else {
        return match names.is_empty() {
            true => check_ladder(Top::At(top), &wager.pays),
            false => vec![format!("pays go by list here, such as {{ {} = … }}", names[0])],
        };
    };
    let mut reasons = Vec::new();
    for name in &names {
        if !dues.iter().any(|(of, _)| of == *name) {
            reasons.push(format!("there is no pay for the list `{name}`"));
        }
    }
    for (name, due) in dues {
        if !names.contains(&name) {
            reasons.push(format!("`{name}` is not one of the lists, its pay can never be hit"));
        }
        if *due == Due::Meter {
            reasons.push(format!("`{name}` cannot take the meter, pays by rung can"));
        }
    }
    reasons
}

fn check_envy(wager: &Wager) -> Vec<String> {
    let mut reasons = Vec::new();
    let pays = &wager.pays;
    let keyed = matches!(pays, PaysBy::Key(_));
    for (rung, envy) in &wager.shared.envy {
        let paid = match keyed {
            true => pays.due(PaysKey::Number(*rung)).is_some(),
            false => *rung == 0 && matches!(pays, PaysBy::Same(_)),
        };
        if !paid {
            reasons.push(format!("envy `{envy}` is for rung {rung}, which pays nothing"));
        }
        if let Envy::Once(amount) | Envy::Each(amount) = envy
            && !fits(*amount, wager)
        {
            reasons.push(format!("envy `{envy}` is too much for a base of {}", wager.limits.min));
        }
        if !matches!(envy, Envy::Multiple(_)) && wager.limits.max != Some(wager.limits.min) {
            reasons.push(format!("envy `{envy}` in dollars needs a wager with a fixed `base`"));
        }
    }
    reasons
}
