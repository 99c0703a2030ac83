//! Charts of a PAR sheet as inline SVG, each complete in itself.
//!
//! The exact figures stand in the sheet's tables; a chart is for seeing their shape.

#![expect(clippy::float_arithmetic, reason = "positions and labels on a picture")]

use craps_math::{Par, Progressive, Ratio, decimal, float, fraction, whole};

use crate::markup::{counted, dollars, grouped};
use crate::plot::{self, Anchor, Axis, Grid, MAIN, MARK, Margins, PALE, Plot};

pub use crate::plot::Chart;

/// Every chart there is to draw of a sheet.
pub fn all(par: &Par) -> Vec<Chart> {
    let drawn = [
        Some(outcomes(par)),
        Some(decided_by(par)),
        return_against_meter(par),
        return_against_bettors(par),
        no_hit(par),
        breakeven_against_bettors(par),
        envy_against_bettors(par),
    ];
    drawn.into_iter().flatten().collect()
}

/// Every result of the wager with its chance, on a scale where each step is ten times rarer.
pub fn outcomes(par: &Par) -> Chart {
    const ROW: f64 = 26.0;
    let rows: Vec<&(Ratio, Ratio)> =
        par.outcomes.iter().rev().filter(|(_, chance)| *chance > Ratio::ZERO).collect();
    let least = rows.iter().map(|(_, chance)| float(chance)).fold(0.1, f64::min);
    let decades = (-least.log10()).ceil().clamp(1.0, 15.0) as i32;
    let every = if decades > 5 { 2 } else { 1 };
    let ticks = (0..=decades)
        .filter(|decade| decade % every == 0)
        .map(|decade| (-f64::from(decade), share(10_f64.powi(-decade))))
        .collect();
    let x = Axis {
        low: -f64::from(decades),
        high: 0.0,
        ticks,
        title: "Chance, each step ten times rarer".to_owned(),
        grid: Grid::Lines,
    };
    let count = rows.len() as f64;
    let centre = |row: usize| count - row as f64 - 0.5;
    let ticks = rows.iter().enumerate();
    let ticks = ticks.map(|(row, (net, _))| (centre(row), result(net))).collect();
    let title = "Net result per unit bet".to_owned();
    let y = Axis { low: 0.0, high: count, ticks, title, grid: Grid::Bare };
    let margins = Margins { left: 84.0, right: 76.0, top: 50.0, bottom: 44.0 };
    let says = format!("{} with their chances for {}", counted(rows.len(), "result"), par.title);
    let height = margins.top + margins.bottom + ROW * count;
    let mut plot = Plot::within(margins, "Distribution of results", &says, height, x, y);
    let (left, ..) = plot.edges();
    plot.quiet((plot::WIDTH - 2.0, 38.0), Anchor::End, "Chance");
    for (row, (_, chance)) in rows.iter().enumerate() {
        let (end, middle) = plot.at(float(chance).log10().max(-f64::from(decades)), centre(row));
        plot.bar((left, middle - 8.0), (end.max(left + 2.0), middle + 8.0), MAIN);
        plot.text((plot::WIDTH - 2.0, middle + 4.0), Anchor::End, &share(float(chance)));
    }
    plot.finish()
}

/// One player's return against the meter, to half as much again as break-even.
pub fn return_against_meter(par: &Par) -> Option<Chart> {
    let progressive = par.progressive.as_ref()?;
    let meter = float(&whole(par.meter?.0)) / 100.0;
    let even = progressive.breakeven(par.bettors).map(|cents| float(&cents) / 100.0);
    let reach = even.map_or(0.0, |even| even * 1.5).max(meter * 1.1).max(100.0);
    let returned = |dollars: f64| {
        let cents = whole((dollars * 100.0).round() as i64);
        float(&progressive.return_at(&cents, par.bettors))
    };
    let x = Axis::up_to(reach, 6.0, "Meter", short_money);
    let high = (returned(reach) * 100.0).max(110.0);
    let y = Axis::over(high, 7.0, "Return to one player", |value| format!("{value:.0} %"));
    let now = format!("{:.2} %", returned(meter) * 100.0);
    let bettors = counted(usize::from(par.bettors), "bettor");
    let says = format!("For {bettors}, {now} at a meter of {}", whole_dollars(meter));
    let mut plot = Plot::new("Return against the meter", &says, 290.0, x, y);
    let (left, right, _, bottom) = plot.edges();
    let (_, all) = plot.at(0.0, 100.0);
    plot.dashes((left, all), (right, all));
    let line = [(0.0, returned(0.0) * 100.0), (reach, returned(reach) * 100.0)];
    plot.curve(line.into_iter());
    if let Some(even) = even {
        let (x, y) = plot.at(even, 100.0);
        plot.dashes((x, y), (x, bottom));
        plot.dot((x, y), 5.0, MARK);
        let text = format!("Break-even {}", whole_dollars(even));
        match x - left > 135.0 {
            true => plot.strong((x - 6.0, y - 9.0), Anchor::End, &text),
            false => plot.strong((x + 8.0, y + 18.0), Anchor::Start, &text),
        }
    }
    let dot = plot.at(meter, returned(meter) * 100.0);
    plot.dot(dot, 6.0, "currentColor");
    let (x, y) = beside_line(&plot, dot, line, even.map(|even| plot.at(even, 100.0)));
    plot.text((x, y), Anchor::Start, &format!("Now {}", whole_dollars(meter)));
    plot.strong((x, y + 15.0), Anchor::Start, &now);
    Some(plot.finish())
}

/// A place for two short lines of text near `dot`, clear of the rising `line` through it, of the
/// dashes that meet at `even`, and of the axes: under the line, or over it where that is too low.
fn beside_line(
    plot: &Plot,
    dot: (f64, f64),
    line: [(f64, f64); 2],
    even: Option<(f64, f64)>,
) -> (f64, f64) {
    const TEXT: f64 = 92.0;
    let (left, right, _, bottom) = plot.edges();
    let (from, to) = (plot.at(line[0].0, line[0].1), plot.at(line[1].0, line[1].1));
    let height = |x: f64| from.1 + (to.1 - from.1) * (x - from.0) / (to.0 - from.0);
    let mut x = (dot.0 + 4.0).min(right - TEXT);
    let upright = even.map(|(x, _)| x);
    if let Some(even) = upright.filter(|even| x < *even + 6.0 && *even < x + TEXT) {
        x = if dot.0 > even { even + 6.0 } else { (even - TEXT).max(left + 4.0) };
    }
    let mut under = (dot.1 + 20.0).max(height(x) + 18.0);
    if let Some((_, all)) = even.filter(|(_, all)| under - 14.0 < *all && *all < under + 18.0) {
        under = all + 16.0;
    }
    match under + 20.0 < bottom {
        true => (x, under),
        false => (x, height(x + TEXT) - 26.0),
    }
}

/// The meter at which the return is everything, for every number of bettors.
pub fn breakeven_against_bettors(par: &Par) -> Option<Chart> {
    let progressive = par.progressive.as_ref()?;
    let values: Option<Vec<(u8, f64)>> = bettors_shown(par)
        .map(|bettors| Some((bettors, float(&progressive.breakeven(bettors)?) / 100.0)))
        .collect();
    let values = values?;
    let most = values.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    let (scale, unit) = match most {
        most if most >= 1e6 => (1e6, "million dollars"),
        most if most >= 1e3 => (1e3, "thousand dollars"),
        _ => (1.0, "dollars"),
    };
    let scaled: Vec<(u8, f64)> =
        values.iter().map(|(count, value)| (*count, value / scale)).collect();
    let says = format!("{} for this sheet", counted(usize::from(par.bettors), "bettor"));
    let title = format!("Break-even meter, {unit}");
    Some(bars("Break-even meter by number of bettors", &says, &title, &scaled, par.bettors))
}

/// What comes back to one player at this meter, for every number of bettors; nothing where they
/// make no difference.
pub fn return_against_bettors(par: &Par) -> Option<Chart> {
    let returns: Vec<(u8, Ratio)> =
        par.by_bettors.iter().map(|at| (at.bettors, at.returned.clone())).collect();
    let says = "What comes back to one player of each dollar bet";
    let title = "Return by number of bettors";
    shares(title, says, "Return to one player, %", &returns, par.bettors)
}

/// What the dealers cost as a share of the handle, for every number of bettors; nothing where
/// they cost the same.
pub fn envy_against_bettors(par: &Par) -> Option<Chart> {
    let costs: Vec<(u8, Ratio)> =
        par.by_bettors.iter().map(|at| (at.bettors, at.envy_cost.clone())).collect();
    let says = "The share of the money bet that goes to the dealers";
    let title = "Envy cost by number of bettors";
    shares(title, says, "Envy cost, % of handle", &costs, par.bettors)
}

/// Bars of shares in percent, where they differ.
fn shares(
    title: &str,
    says: &str,
    measure: &str,
    values: &[(u8, Ratio)],
    own: u8,
) -> Option<Chart> {
    let varies = values.windows(2).any(|pair| pair[0].1 != pair[1].1);
    let percents: Vec<(u8, f64)> =
        values.iter().map(|(bettors, share)| (*bettors, float(share) * 100.0)).collect();
    varies.then(|| bars(title, says, measure, &percents, own))
}

/// The numbers of bettors a sheet is drawn and listed for: a full table, and its own.
pub(crate) fn bettors_shown(par: &Par) -> impl Iterator<Item = u8> {
    par.by_bettors.iter().map(|at| at.bettors)
}

/// A bar for each number of bettors, the one the sheet is made for darkest.
fn bars(title: &str, says: &str, measure: &str, values: &[(u8, f64)], own: u8) -> Chart {
    let most = values.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    let most = if most > 0.0 { most } else { 1.0 };
    let ticks = values.iter().enumerate();
    let ticks = ticks.map(|(place, (bettors, _))| (place as f64 + 0.5, bettors.to_string()));
    let x = Axis {
        low: 0.0,
        high: values.len().max(1) as f64,
        ticks: ticks.collect(),
        title: "Bettors".to_owned(),
        grid: Grid::Bare,
    };
    let y = Axis::over(most, 5.0, measure, |value| plain(value, most));
    let mut plot = Plot::new(title, says, 260.0, x, y);
    for (place, (bettors, value)) in values.iter().enumerate() {
        let colour = if own == *bettors { MAIN } else { PALE };
        let (from, to) = (plot.at(place as f64 + 0.18, 0.0), plot.at(place as f64 + 0.82, *value));
        plot.bar(from, to, colour);
        let place = ((from.0 + to.0) / 2.0, to.1 - 5.0);
        let text = brief(*value);
        match own == *bettors {
            true => plot.strong(place, Anchor::Middle, &text),
            false => plot.text(place, Anchor::Middle, &text),
        }
    }
    plot.finish()
}

/// The chance that the top award has come at least once, over three cycles of decisions.
pub fn no_hit(par: &Par) -> Option<Chart> {
    const POINTS: u32 = 90;
    let progressive: &Progressive = par.progressive.as_ref()?;
    let cycle = float(&progressive.cycle());
    let hit = |decisions: f64| 1.0 - progressive.no_hit(decisions);
    let x = Axis::up_to(cycle * 3.0, 5.0, "Decisions of the table", short);
    let y = Axis::chance("Chance of at least one top award");
    let says = format!("One cycle is {} decisions", grouped(&format!("{cycle:.0}")));
    let mut plot = Plot::new("Waiting for the top award", &says, 270.0, x, y);
    let step = cycle * 3.0 / f64::from(POINTS);
    for cycles in 1..=3_u8 {
        let chance = hit(cycle * f64::from(cycles));
        let (x, y) = plot.at(cycle * f64::from(cycles), chance);
        let (.., bottom) = plot.edges();
        plot.dashes((x, y), (x, bottom));
        plot.text((x - 6.0, bottom - 24.0), Anchor::End, &counted(usize::from(cycles), "cycle"));
        plot.strong((x - 6.0, bottom - 9.0), Anchor::End, &format!("{:.1} %", chance * 100.0));
    }
    plot.curve((0..=POINTS).map(|point| {
        let decisions = step * f64::from(point);
        (decisions, hit(decisions))
    }));
    for cycles in 1..=3_u8 {
        let decisions = cycle * f64::from(cycles);
        let place = plot.at(decisions, hit(decisions));
        plot.dot(place, 4.5, MARK);
    }
    Some(plot.finish())
}

/// The chance that the wager is decided within so many rolls.
pub fn decided_by(par: &Par) -> Chart {
    const NEARLY_ALL: f64 = 0.9995;
    let first = |chance: f64| par.decided_by.iter().position(|within| *within >= chance);
    let last = par.decided_by.len().saturating_sub(1);
    let last = first(NEARLY_ALL).unwrap_or(last).clamp(2, last.max(2));
    let every = [1, 2, 5].into_iter().find(|every| last / every <= 13).unwrap_or(10);
    let ticks = (0..=last).step_by(every).map(|rolls| (rolls as f64, rolls.to_string()));
    let title = "Rolls since the bet was made".to_owned();
    let x = Axis { low: 0.0, high: last as f64, ticks: ticks.collect(), title, grid: Grid::Lines };
    let y = Axis::chance("Chance to be decided");
    let says = format!("{} rolls on average", decimal(&par.rolls, 2));
    let mut plot = Plot::new("Rolls to a decision", &says, 270.0, x, y);
    let (left, right, ..) = plot.edges();
    for (chance, name, below) in [(0.5, "Half", 0.0), (0.9, "90 %", 22.0)] {
        let Some(rolls) = first(chance) else { continue };
        let (_, y) = plot.at(0.0, chance);
        plot.dashes((left, y), (right, y));
        let text = format!("{name} within {}", counted(rolls, "roll"));
        plot.strong((right - 4.0, y - 6.0 + below), Anchor::End, &text);
    }
    let points: Vec<(f64, f64)> = par
        .decided_by
        .iter()
        .take(last + 1)
        .enumerate()
        .map(|(rolls, within)| (rolls as f64, within.min(1.0)))
        .collect();
    plot.curve(points.iter().copied());
    for (rolls, within) in points {
        let place = plot.at(rolls, within);
        plot.dot(place, 3.5, MAIN);
    }
    plot.finish()
}

/// A result for a stake of one: `+299`, `−1`, `0`.
fn result(net: &Ratio) -> String {
    let places = if fraction(net).contains('/') { 2 } else { 0 };
    let sign = if *net > Ratio::ZERO { "+" } else { "" };
    format!("{sign}{}", grouped(&decimal(net, places)))
}

/// A chance in percent with three digits that count: `90.7 %`, `0.0221 %`.
pub(crate) fn share(chance: f64) -> String {
    format!("{} %", significant(chance * 100.0))
}

/// A number with three digits that count, trailing noughts dropped: `90.7`, `0.0221`, `1,360`.
pub(crate) fn significant(value: f64) -> String {
    if value <= 0.0 {
        return "0".to_owned();
    }
    let places = (2.0 - value.log10().floor()).clamp(0.0, 18.0) as usize;
    grouped(&trimmed(format!("{value:.places$}")))
}

/// A number in at most four letters, to stand over a narrow bar: `0.48`, `37.8`, `453`.
fn brief(value: f64) -> String {
    let places = match value {
        value if value >= 99.95 => 0,
        value if value >= 9.995 => 1,
        _ => 2,
    };
    format!("{value:.places$}")
}

/// A tick's value, with a digit after the point only where the axis needs it.
fn plain(value: f64, most: f64) -> String {
    let places = if most >= 5.0 {
        0
    } else if most >= 0.5 {
        1
    } else {
        3
    };
    grouped(&format!("{value:.places$}"))
}

/// A large count in few letters: `0`, `950`, `50k`, `1.5M`.
fn short(value: f64) -> String {
    let (scale, unit) = match value {
        value if value >= 1e6 => (1e6, "M"),
        value if value >= 1e3 => (1e3, "k"),
        _ => (1.0, ""),
    };
    format!("{}{unit}", trimmed(format!("{:.2}", value / scale)))
}

/// A tick of money: `$50k`.
pub(crate) fn short_money(value: f64) -> String {
    format!("${}", short(value))
}

/// An amount to the dollar: `$226,746`.
pub(crate) fn whole_dollars(value: f64) -> String {
    let written = dollars(&whole(value.round() as i64 * 100));
    written.trim_end_matches(".00").to_owned()
}

/// A decimal without the noughts that say nothing.
fn trimmed(number: String) -> String {
    if !number.contains('.') {
        return number;
    }
    number.trim_end_matches('0').trim_end_matches('.').to_owned()
}
