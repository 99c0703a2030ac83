//! Whether a wager's pays fit its shape: no number without a pay, no rung missing, no overlap.

use super::ladder::check_tracked;
use crate::dice::{Rolls, Total, Totals};
use crate::money::{Basis, Cents, Pays};
use crate::wager::{Due, Item, PaysBy, PaysKey, Shape, Split, Wager};

/// What is wrong with a wager's pays, given its shape. Side bets are checked against the usual
/// points until they are put on a table.
pub(crate) fn check_pays(wager: &Wager, points: Totals) -> Vec<String> {
    let pays = &wager.pays;
    let mut reasons = match &wager.shape {
        Shape::OneRoll { wins, split } => check_one_roll(wager, wins, *split, pays),
        Shape::Race { wins, loses } => {
            let mut reasons = check_numbers(wager, pays);
            reasons.extend(check_race(wager, wins, loses));
            reasons
        }
        Shape::Line { .. } => match pays {
            PaysBy::Same(_) => Vec::new(),
            _ => vec!["a line bet has one pay for all numbers".to_owned()],
        },
        Shape::Odds { .. } => match pays {
            PaysBy::Key(_) => Vec::new(),
            _ => vec!["odds need a pay for each number".to_owned()],
        },
        Shape::Count(_) | Shape::Sequence { .. } => {
            let usual = [4, 5, 6, 8, 9, 10].into_iter().filter_map(Total::new);
            check_tracked(wager, if points.is_empty() { usual.collect() } else { points })
        }
    };
    for due in pays.dues() {
        let tracked = wager.shape.is_tracked();
        match due {
            Due::Pays(Pays { basis: Basis::For, .. }) if wager.standing.stays => {
                reasons.push(format!("`{due}` takes the stake, but the bet stays up after a win"));
            }
            Due::Pays(Pays { basis: Basis::For, .. })
                if matches!(wager.shape, Shape::Odds { .. }) =>
            {
                reasons.push(format!("`{due}`: odds are paid \"to\", their stake comes back"));
            }
            Due::Pays(Pays { den, .. }) if den > 1000 => {
                reasons.push(format!("`{due}` divides by more than 1000"));
            }
            Due::Dollars(_) | Due::Meter
                if !tracked || wager.limits.max != Some(wager.limits.min) =>
            {
                reasons.push(format!("`{due}` needs a wager with a fixed `base`"));
            }
            Due::Dollars(amount) if !fits(amount, wager) => {
                reasons.push(format!("`{due}` is too much for a base of {}", wager.limits.min));
            }
            Due::Push if !tracked => {
                reasons.push(format!("`{due}` is for a rung of a side bet"));
            }
            Due::Meter if wager.shared.meter.is_none() => {
                reasons.push(format!("`{due}` needs the wager to have a `meter`"));
            }
            _ => {}
        }
    }
    reasons
}

/// Whether an amount for each dollar of the base wager stays within bounds.
pub(super) fn fits(amount: Cents, wager: &Wager) -> bool {
    let scaled = i128::from(amount.0) * i128::from(wager.limits.min.0) / 100;
    scaled <= i128::from(Cents::MOST.0)
}

/// A pay for every number of the wager, and for no other.
pub(super) fn check_numbers(wager: &Wager, pays: &PaysBy) -> Vec<String> {
    let PaysBy::Key(dues) = pays else { return Vec::new() };
    let mut reasons = Vec::new();
    let stands_on = wager.stands_on();
    for on in stands_on.iter().filter(|on| **on != PaysKey::NONE) {
        if pays.due(*on).is_none() {
            reasons.push(format!("there is no pay for {} {on}", wager.name));
        }
    }
    let what = if wager.faces.is_empty() { "numbers" } else { "faces" };
    for (key, _) in dues.iter().filter(|(key, _)| !stands_on.contains(key)) {
        reasons.push(format!("`{key}` is not one of the wager's {what}"));
    }
    reasons
}

fn check_race(wager: &Wager, wins: &[Item], loses: &[Item]) -> Option<String> {
    for on in wager.stands_on() {
        let rolls =
            |items: &[Item]| items.iter().fold(Rolls::NONE, |all, item| all.union(item.rolls(on)));
        let (wins, loses) = (rolls(wins), rolls(loses));
        let both = wins.intersection(loses);
        let spot = match on {
            PaysKey::NONE => wager.name.clone(),
            on => format!("{} {on}", wager.name),
        };
        if let Some(roll) = both.iter().next() {
            return Some(format!("{spot} would both win and lose on {roll}: the sets overlap"));
        }
        if wins.is_empty() {
            return Some(format!("{spot} can never win"));
        }
    }
    None
}

fn check_one_roll(
    wager: &Wager,
    wins: &[Item],
    split: Option<Split>,
    pays: &PaysBy,
) -> Vec<String> {
    let mut reasons = Vec::new();
    match (pays, split) {
        (PaysBy::Key(dues), None) if wager.numbers.is_empty() && wager.faces.is_empty() => {
            if !wins.is_empty() {
                reasons.push("pays by number already say what wins, leave `wins` out".to_owned());
            }
            reasons.extend(check_winning_keys(dues));
        }
        (PaysBy::Key(dues), Some(split)) => {
            if !wins.is_empty() {
                reasons.push("a split already says what wins, leave `wins` out".to_owned());
            }
            reasons.extend(check_winning_keys(dues));
            let parts = dues.len() as u32 + u32::from(split == Split::High);
            for (key, due) in dues {
                match due {
                    Due::Pays(Pays { num, den, basis: Basis::To }) if num / den + 1 >= parts => {}
                    _ => reasons.push(format!(
                        "`{key}` at {due} does not cover the {} parts that lose",
                        parts - 1
                    )),
                }
            }
            if split == Split::High {
                for number in &wager.numbers {
                    if pays.due(PaysKey::Number(number.number())).is_none() {
                        reasons.push(format!("the split has no part for {number}"));
                    }
                }
            }
        }
        (_, Some(_)) => reasons.push("a split needs a pay for each part".to_owned()),
        _ => {
            reasons.extend(check_numbers(wager, pays));
            reasons.extend(check_race(wager, wins, &[]));
        }
    }
    reasons
}

/// Winning numbers must be on the dice and must not overlap.
fn check_winning_keys(dues: &[(PaysKey, Due)]) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut seen = Rolls::NONE;
    for (key, _) in dues {
        let Some(item) = key.item() else {
            reasons.push(format!("`{key}` is not a total of two dice"));
            continue;
        };
        let rolls = item.rolls(PaysKey::NONE);
        if !rolls.intersection(seen).is_empty() {
            reasons.push(format!("`{key}` overlaps another winning number"));
        }
        seen = seen.union(rolls);
    }
    reasons
}
