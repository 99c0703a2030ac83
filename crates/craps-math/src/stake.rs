//! Stakes: those a house takes, and one at which nothing is rounded away.

use craps::commission::{Commission, Measure, Vig};
use craps::wager::{Due, PaysBy, Shape};
use craps::{Cents, Rules, Wager};

use crate::target::{Odds, Target, Unpriced};

/// Whether the house takes a stake.
pub(crate) fn check_stake(rules: &Rules, target: &Target, stake: Cents) -> Result<(), Unpriced> {
    let limits = rules.wager_at(target.spot).limits;
    let name = &target.name;
    let reason = if stake < limits.min {
        format!("{stake} on {name} is under the minimum of {}", limits.min)
    } else if limits.max.is_some_and(|max| stake > max) {
        format!("{stake} on {name} is over the maximum of {}", limits.max.unwrap_or(stake))
    } else if !stake.is_multiple_of(limits.unit) {
        format!("{stake} on {name} is not a multiple of {}", limits.unit)
    } else {
        return Ok(());
    };
    Err(Unpriced::Stake(reason))
}

/// A stake at which the engine pays every result to the cent with nothing rounded away, so that
/// what it pays divided by it is the exact ratio. Pays in dollars have only one stake.
pub fn exact_stake(rules: &Rules, target: &Target) -> Result<Cents, Unpriced> {
    let wager = rules.spot_rule(target.spot).wager;
    let fixed = |due: Due| matches!(due, Due::Dollars(_) | Due::Meter);
    if rules.wager(wager).pays.dues().any(fixed) {
        return Ok(rules.wager(wager).limits.min);
    }
    let too_fine = || {
        let name = &target.name;
        Unpriced::Stake(format!(
            "the pays of {name} divide too finely to be priced without a stake"
        ))
    };
    // Each factor makes one division even: by pays, by commission, by units, by odds to win, by
    // multiples such as 2.5.
    let (mut pays, mut commissions, mut units, mut wins, mut times) = (1, 1, 1, 1, 1);
    if let Some(Odds::Times(multiple)) = target.odds {
        times = i128::from(multiple.den());
    }
    for part in parts(rules, wager) {
        units = lcm(units, i128::from(part.limits.unit.0));
        if let Some(commission) = &part.standing.commission {
            let step = commission_step(commission).ok_or_else(|| {
                let name = &target.name;
                Unpriced::Stake(format!(
                    "the commission on {name} goes by steps, so its edge depends on the stake: \
                     name one"
                ))
            })?;
            commissions = lcm(commissions, step);
        }
        if let Shape::Odds { multiples, .. } = &part.shape {
            times = multiples.iter().fold(times, |all, by| lcm(all, i128::from(by.den())));
        }
        for due in part.pays.dues() {
            let Due::Pays(due) = due else { continue };
            pays = lcm(pays, i128::from(due.den) * split_parts(part));
            if matches!(part.shape, Shape::Odds { of: Measure::Win, .. }) {
                wins = lcm(wins, i128::from(due.num.max(1)));
            }
        }
        if pays > LARGEST || commissions > LARGEST || wins > LARGEST {
            return Err(too_fine());
        }
    }
    let factors = [pays, commissions, units, wins, times];
    let stake = factors.into_iter().try_fold(1i128, |product, factor| {
        product.checked_mul(factor).filter(|product| *product <= LARGEST)
    });
    stake.map(|stake| Cents(stake as i64)).ok_or_else(too_fine)
}

/// Stakes beyond this would leave no room for their winnings.
const LARGEST: i128 = Cents::MOST.0 as i128 * 10;

/// A wager, and the odds that stand behind it.
fn parts(rules: &Rules, wager: craps::spot::WagerId) -> impl Iterator<Item = &Wager> {
    let name = &rules.wager(wager).name;
    rules.wagers().iter().filter(move |part| match &part.shape {
        Shape::Odds { behind, .. } => behind == name,
        _ => part.name == *name,
    })
}

/// How finely a split bet divides its stake.
fn split_parts(wager: &Wager) -> i128 {
    match (&wager.shape, &wager.pays) {
        (Shape::OneRoll { split: Some(_), .. }, PaysBy::Key(dues)) => {
            dues.len() as i128 * (dues.len() as i128 + 1)
        }
        _ => 1,
    }
}

/// What a stake must be a multiple of for its commission to be even, and above any minimum.
/// Nothing where it goes by steps: they are no ratio of the stake.
fn commission_step(commission: &Commission) -> Option<i128> {
    let Vig::Share { rate, unit, minimum, .. } = &commission.vig else { return None };
    let whole = i128::from(craps::Rate::WHOLE.0);
    let rate = i128::from(rate.0);
    let step = whole / gcd(whole, rate.max(1)) * i128::from(unit.0);
    let minimum = i128::from(minimum.0) * whole / rate.max(1);
    Some(step * (1 + minimum / step))
}

/// The largest amount that all of these are multiples of, in cents; a cent for none.
pub(crate) fn common_unit(amounts: impl IntoIterator<Item = i64>) -> i64 {
    let unit = amounts.into_iter().fold(0, |unit, amount| gcd(unit, i128::from(amount).abs()));
    unit.max(1) as i64
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

pub(crate) fn lcm(a: i128, b: i128) -> i128 {
    a / gcd(a, b) * b
}
