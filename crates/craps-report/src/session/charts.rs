//! Charts of sessions: the fan of each plan, what ends plans when, and where they end up.
//!
//! Lines differ in dashes as well as in colours, and no colour is lost on paper or in the dark.

use craps::Cents;
use craps::machine::End;
use craps_math::session::{FAN, Length, Over};

use super::PlanSession;
use super::over::{has_rolls, over_by};
use super::rows::{compared, hours};
use crate::markup::{amount, grouped};
use crate::plot::{self, Anchor, Axis, Chart, Grid, MAIN, MARK, Margins, Plot, round_step};
use crate::svg::{share, short_money, significant};

/// The colours of plans on one chart; each can be read on white and on nearly black.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009066", "#b0569a", "#8a7000", "#6f6f6f"];
/// And their dashes.
const DASHES: [&str; 4] = ["", "8 4", "2 3", "10 3 2 3"];
/// How opaque the bands of a fan are, the widest first: each lies on those before.
const BANDS: [f64; 3] = [0.18, 0.25, 0.35];

/// The fan of a plan: half of all sessions in the dark band, nine in ten and 98 in 100 in the
/// paler ones. All those it is `among` share one axis of money.
pub fn fan(it: &PlanSession, among: &[PlanSession]) -> Option<Chart> {
    let points = &it.outcome.fan;
    let (rolls, last) = *points.last().filter(|(rolls, _)| *rolls > 0)?;
    let (least, most) = money(among)?;
    let y = Axis::between(least, most, 6.0, "Money", |value| tick(value, most - least));
    let (money, bottom) = (y.high - y.low, y.low);
    let says = format!(
        "After {} rolls half of all sessions have {} to {} and nine in ten {} to {}; half have no \
         more than {}. Each began with {}.",
        grouped(&rolls.to_string()),
        amount(last[2]),
        amount(last[4]),
        amount(last[1]),
        amount(last[5]),
        amount(last[3]),
        amount(it.session.bankroll),
    );
    let x = time(f64::from(rolls), it.pace);
    let margins = Margins { left: 56.0, right: 62.0, top: 52.0, bottom: below(&x) };
    let title = if among.len() > 1 { &it.plan } else { "Money over time" };
    let height = margins.top + margins.bottom + 186.0;
    let mut plot = Plot::within(margins, title, &says, height, x, y);
    for (band, opacity) in BANDS.into_iter().enumerate() {
        let edge = |quantile: usize| {
            points.iter().map(move |(rolls, at)| (f64::from(*rolls), dollars(at[quantile])))
        };
        let style = format!("fill=\"{MAIN}\" fill-opacity=\"{opacity}\"");
        plot.area(edge(band).chain(edge(FAN.len() - 1 - band).rev()), &style);
    }
    let (left, right, ..) = plot.edges();
    let (_, start) = plot.at(0.0, dollars(it.session.bankroll));
    let dots = "stroke=\"currentColor\" stroke-opacity=\".7\" stroke-dasharray=\"2 3\"";
    plot.stroke((left, start), (right, start), dots);
    let median = points.iter().map(|(rolls, at)| (f64::from(*rolls), dollars(at[3])));
    plot.line(median, "stroke=\"currentColor\" stroke-width=\"2\"");
    for (name, stop) in [("goal", it.session.goal), ("floor", it.session.floor)] {
        let Some(stop) = stop.filter(|stop| dollars(*stop) <= bottom + money) else { continue };
        let (_, y) = plot.at(0.0, dollars(stop));
        plot.dashes((left, y), (right, y));
        let text = format!("{name} {}", amount(stop));
        plot.strong((left + 4.0, y - 5.0), Anchor::Start, &text);
    }
    ends(&mut plot, [5, 3, 1].map(|quantile| last[quantile]));
    legend(&mut plot);
    Some(plot.finish())
}

/// The range of money of all fans, with every start in it, and goals and floors that are near.
fn money(among: &[PlanSession]) -> Option<(f64, f64)> {
    let with = |(least, most): (f64, f64), value: f64| (least.min(value), most.max(value));
    let fans = among.iter().flat_map(|it| &it.outcome.fan);
    let ends = fans.flat_map(|(_, amounts)| [amounts[0], amounts[FAN.len() - 1]]);
    let starts = among.iter().map(|it| it.session.bankroll);
    let drawn = ends.chain(starts).map(dollars);
    let (least, most) = drawn.fold((f64::INFINITY, f64::NEG_INFINITY), with);
    let wide = (most - least).max(1.0);
    let stops = among.iter().flat_map(|it| [it.session.goal, it.session.floor]);
    let near = |stop: &f64| *stop < most + wide && *stop > least - wide;
    let (least, most) = stops.flatten().map(dollars).filter(near).fold((least, most), with);
    least.is_finite().then_some((least, most.max(least + 1.0)))
}

/// Amounts beside the end of a fan, one under the other even where they lie close.
fn ends(plot: &mut Plot, amounts: [Cents; 3]) {
    const APART: f64 = 13.0;
    let (_, right, _, bottom) = plot.edges();
    let mut places = amounts.map(|amount| plot.at(0.0, dollars(amount)).1 + 4.0);
    places[1] = places[1].max(places[0] + APART);
    places[2] = places[2].max(places[1] + APART).min(bottom + 4.0);
    places[1] = places[1].min(places[2] - APART);
    places[0] = places[0].min(places[1] - APART);
    for (place, (y, amount)) in places.into_iter().zip(amounts).enumerate() {
        let text = tick(dollars(amount).round(), f64::INFINITY);
        match place {
            1 => plot.strong((right + 6.0, y), Anchor::Start, &text),
            _ => plot.text((right + 6.0, y), Anchor::Start, &text),
        }
    }
}

/// What the bands of a fan mean.
fn legend(plot: &mut Plot) {
    let mut seen = 0.0;
    let bands = [(270.0, "98 in 100"), (203.0, "9 in 10"), (152.0, "half")];
    for ((x, says), opacity) in bands.into_iter().zip(BANDS) {
        seen = 1.0 - (1.0 - seen) * (1.0 - opacity);
        let style = format!("fill=\"{MAIN}\" fill-opacity=\"{seen:.2}\"");
        plot.rect((x, 28.0), (x + 13.0, 40.0), &style);
        plot.quiet((x + 18.0, 38.0), Anchor::Start, says);
    }
    let middle = "stroke=\"currentColor\" stroke-width=\"2\"";
    plot.stroke((364.0, 34.0), (381.0, 34.0), middle);
    plot.quiet((386.0, 38.0), Anchor::Start, "median");
}

/// The chance that plans are over for a reason within so many rolls, all on one chart; nothing
/// where that hardly ever happens.
pub(super) fn over(sessions: &[PlanSession], over: Over) -> Option<Chart> {
    const RARE: f64 = 1e-7;
    const ROW: f64 = 17.0;
    let (title, measure) = match over {
        Over::Goal => ("Reaching the goal", "Chance to have reached it"),
        Over::Floor => ("Sinking to the floor", "Chance to have sunk to it"),
        Over::Ended(End::Ruined) => ("Ruin", "Chance to be ruined"),
        Over::Ended(End::Left) => ("Leaving", "Chance to have left"),
        Over::Ended(End::Idle) | Over::Time => return None,
    };
    let chance = |it: &PlanSession| it.outcome.chance(over);
    let most = sessions.iter().map(chance).fold(0.0, f64::max);
    if most < RARE || !sessions.iter().all(has_rolls) {
        return None;
    }
    let lines: Vec<Vec<(f64, f64)>> = sessions.iter().map(|it| through(it, over)).collect();
    let end = |line: &Vec<(f64, f64)>| line.last().map_or(1.0, |(rolls, _)| *rolls);
    let rolls = lines.iter().map(end).fold(1.0, f64::max);
    let pace = sessions.first().map_or(1, |it| it.pace);
    let y = Axis::over(most.min(1.0), 5.0, measure, share);
    let rows = ROW * sessions.len() as f64;
    let x = time(rolls, pace);
    let margins = Margins { left: 60.0, right: 18.0, top: 52.0 + rows, bottom: below(&x) };
    let told: Vec<String> =
        sessions.iter().map(|it| format!("{} {}", it.plan, share(chance(it)))).collect();
    let says = format!("In the end: {}.", told.join(", "));
    let height = margins.top + margins.bottom + 186.0;
    let mut plot = Plot::within(margins, title, &says, height, x, y);
    for (place, (it, line)) in sessions.iter().zip(lines).enumerate() {
        let style = style_of(place);
        let row = 56.0 + ROW * place as f64;
        plot.stroke((6.0, row - 4.0), (38.0, row - 4.0), &style);
        plot.text((46.0, row), Anchor::Start, &cut(&it.plan));
        plot.strong((plot::WIDTH - 4.0, row), Anchor::End, &tenths(chance(it)));
        // What has ended stays so; what time has stopped is not known any further.
        let (last, reached) = line.last().copied().unwrap_or_default();
        let on = it.session.length == Length::Open && last < rolls;
        plot.line(line.into_iter().chain(on.then_some((rolls, reached))), &style);
    }
    Some(plot.finish())
}

fn style_of(place: usize) -> String {
    let colour = COLOURS[place % COLOURS.len()];
    let dashes = DASHES[place % DASHES.len()];
    let dashes = match dashes {
        "" => String::new(),
        dashes => format!(" stroke-dasharray=\"{dashes}\""),
    };
    format!("stroke=\"{colour}\" stroke-width=\"2.5\"{dashes}")
}

/// A name that is too long keeps its end, by which files differ.
fn cut(name: &str) -> String {
    const LETTERS: usize = 44;
    match name.chars().count() {
        count if count > LETTERS => {
            format!("…{}", name.chars().skip(count - LETTERS + 1).collect::<String>())
        }
        _ => name.to_owned(),
    }
}

/// The line of a reason through time, to where nearly everything is over.
fn through(it: &PlanSession, over: Over) -> Vec<(f64, f64)> {
    const NEARLY_ALL: f64 = 0.999;
    const DRAWN: usize = 200;
    let points = over_by(it);
    let timed = matches!(it.session.length, Length::Rolls(_));
    let ended = |chances: &[f64]| chances.iter().sum::<f64>() >= NEARLY_ALL;
    let last = points.iter().position(|(_, chances)| !timed && ended(chances));
    let last = last.unwrap_or(points.len().saturating_sub(1));
    let every = (last / DRAWN).max(1);
    let drawn = points.into_iter().take(last + 1).enumerate();
    drawn
        .filter(|(place, _)| place % every == 0 || *place == last)
        .map(|(_, (rolls, chances))| (f64::from(rolls), chances[over.index()].min(1.0)))
        .collect()
}

/// How far the final results of plans are drawn, and in what steps: the same for all.
pub(crate) struct Bins {
    /// Where the first begins, in dollars.
    pub(crate) low: f64,
    pub(crate) step: f64,
    count: usize,
    /// The chance at the top of the chart; a bar may be higher.
    pub(crate) top: f64,
}

impl Bins {
    /// For all of these plans, between the first and the last in a hundred.
    pub(crate) fn of(sessions: &[PlanSession]) -> Option<Bins> {
        const ABOUT: f64 = 40.0;
        let start = dollars(sessions.first()?.session.bankroll);
        let ends = |share: f64| sessions.iter().map(move |it| dollars(it.outcome.quantile(share)));
        let low = ends(0.01).fold(start, f64::min);
        let high = ends(0.99).fold(start, f64::max);
        let unit = sessions.iter().map(|it| dollars(it.outcome.unit)).fold(0.01, f64::max);
        let step = round_step(((high - low) / ABOUT).max(unit));
        let below = ((start - low) / step).ceil().max(1.0);
        let above = ((high - start) / step).floor() + 1.0;
        let mut bins =
            Bins { low: start - below * step, step, count: (below + above) as usize, top: 1.0 };
        // One high bar, such as ruin, leaves the others room to be seen.
        let mut most = 0.0_f64;
        let mut others = 0.0_f64;
        for it in sessions {
            let mut bars: Vec<f64> = bins.bars(it).into_iter().map(|(all, _)| all).collect();
            bars.sort_by(f64::total_cmp);
            let highest = bars.pop().unwrap_or(0.0);
            most = most.max(highest);
            others = others.max(bars.pop().unwrap_or(0.0));
        }
        bins.top = if others > 0.0 { most.min(others * 1.6) } else { most };
        Some(bins)
    }

    /// The chance of each bin, and of it that part which is ruined. What lies outside is in the
    /// first and the last.
    pub(crate) fn bars(&self, it: &PlanSession) -> Vec<(f64, f64)> {
        let mut bars = vec![(0.0, 0.0); self.count];
        for over in Over::ALL {
            for (equity, chance) in &it.outcome.finals[over.index()] {
                let place = ((dollars(*equity) - self.low) / self.step + 1e-9).floor();
                let bar = &mut bars[(place.max(0.0) as usize).min(self.count - 1)];
                bar.0 += chance;
                if over == Over::Ended(End::Ruined) {
                    bar.1 += chance;
                }
            }
        }
        bars
    }
}

/// Where a plan ends up: a bar for each range of results, the ruined in it apart.
pub(super) fn finals(it: &PlanSession, bins: &Bins, title: &str) -> Chart {
    /// The room that a share in words takes.
    const TEXT: f64 = 96.0;
    let (low, high) = (bins.low, bins.low + bins.step * bins.count as f64);
    let ticks = Axis::between(low, high, 5.0, "", |value| tick(value, high - low)).ticks;
    let ticks = ticks.into_iter().filter(|(value, _)| (low..=high).contains(value)).collect();
    let steps = format!("Money in the end, in steps of {}", tick(bins.step, bins.step));
    let x = Axis { low, high, ticks, title: steps, grid: Grid::Bare };
    let y = Axis::over(bins.top, 4.0, "Chance", share);
    // What is no thicker than a hair is not explained.
    let (top, seen) = (y.high, y.high / 200.0);
    let [behind, even, ahead] =
        [|won: i64| won < 0, |won: i64| won == 0, |won: i64| won > 0].map(|is| compared(it, is));
    let says = format!(
        "{} end behind, {} even, {} ahead; {} are ruined.",
        share(behind),
        share(even),
        share(ahead),
        share(it.outcome.chance(Over::Ended(End::Ruined)))
    );
    let margins = Margins { left: 56.0, right: 18.0, top: 74.0, bottom: 46.0 };
    let mut plot = Plot::within(margins, title, &says, 284.0, x, y);
    let bars = bins.bars(it);
    for (place, (all, ruined)) in bars.iter().enumerate() {
        let from = low + bins.step * place as f64;
        let sides = [from + bins.step * 0.06, from + bins.step * 0.94];
        for (chance, colour) in [(*all, MAIN), (*ruined, MARK)] {
            let corners = (plot.at(sides[0], 0.0), plot.at(sides[1], chance.min(top)));
            if chance > 0.0 {
                plot.rect(corners.0, corners.1, &format!("fill=\"{colour}\""));
            }
        }
        if *all > top {
            let (left, y) = plot.at(sides[0], top);
            let (right, _) = plot.at(sides[1], top);
            let text = format!("↑ {}", tenths(*all));
            match place < bins.count / 2 {
                true => plot.strong((right + 4.0, y + 10.0), Anchor::Start, &text),
                false => plot.strong((left - 4.0, y + 10.0), Anchor::End, &text),
            }
        }
    }
    let (x, top) = plot.at(dollars(it.session.bankroll), top);
    let (.., bottom) = plot.edges();
    let dots = "stroke=\"currentColor\" stroke-opacity=\".7\" stroke-dasharray=\"2 3\"";
    plot.stroke((x, top - 14.0), (x, bottom), dots);
    let told = [format!("{} behind", tenths(behind)), format!("{} ahead", tenths(ahead))];
    let (left, right, ..) = plot.edges();
    match (x - left > TEXT, right - x > TEXT) {
        (false, _) => plot.text((x + 6.0, top - 6.0), Anchor::Start, &told.join(", ")),
        (_, false) => plot.text((x - 6.0, top - 6.0), Anchor::End, &told.join(", ")),
        _ => {
            plot.text((x - 6.0, top - 6.0), Anchor::End, &told[0]);
            plot.text((x + 6.0, top - 6.0), Anchor::Start, &told[1]);
        }
    }
    if bars.iter().any(|(_, ruined)| *ruined > seen) {
        plot.rect((356.0, 28.0), (369.0, 40.0), &format!("fill=\"{MARK}\""));
        plot.quiet((374.0, 38.0), Anchor::Start, "ruined");
    }
    plot.finish()
}

/// The room that an axis of time needs.
fn below(time: &Axis) -> f64 {
    if time.ticks.iter().any(|(_, label)| label.contains('\n')) { 60.0 } else { 46.0 }
}

/// The axis of time: whole hours where it lasts some, and rolls where not.
fn time(rolls: f64, pace: u32) -> Axis {
    let pace = f64::from(pace.max(1));
    if rolls % pace != 0.0 || rolls < pace {
        let title = format!("Rolls, {} an hour", grouped(&format!("{pace:.0}")));
        return Axis::up_to(rolls, 5.0, &title, |value| grouped(&significant(value)));
    }
    let all = (rolls / pace).round() as u32;
    let every = match all {
        1 => 0.25,
        2..=3 => 0.5,
        _ => round_step(f64::from(all) / 6.0),
    };
    let write = |after: f64| match grouped(&format!("{after:.0}")) {
        said if after == 0.0 => said,
        _ if after.fract() != 0.0 => String::new(),
        said => format!("{said}\n{}", hours(after as u32, pace as u32)),
    };
    let count = (f64::from(all) / every).floor() as u32;
    let ticks = (0..=count).map(|tick| f64::from(tick) * every * pace);
    let ticks = ticks.map(|after| (after, write(after))).collect();
    Axis { low: 0.0, high: rolls, ticks, title: "Rolls".to_owned(), grid: Grid::Lines }
}

/// A chance in percent to a tenth, unless that says too little.
fn tenths(chance: f64) -> String {
    if chance < 0.001 { share(chance) } else { format!("{:.1} %", chance * 100.0) }
}

fn dollars(cents: Cents) -> f64 {
    cents.0 as f64 / 100.0
}

/// An amount beside an axis that is so many dollars long: `$1,250`, `$2.50`, `$1.5M`.
fn tick(value: f64, wide: f64) -> String {
    match value {
        _ if value >= 100_000.0 => short_money(value),
        _ if wide < 6.0 && value.fract() != 0.0 => format!("${value:.2}"),
        _ => format!("${}", grouped(&format!("{value:.0}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How bright a colour is, as WCAG counts it.
    fn bright(colour: &str) -> f64 {
        let part = |from: usize| {
            let part = u8::from_str_radix(&colour[from..from + 2], 16).unwrap();
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn lines_are_seen_on_light_and_dark_paper() {
        for paper in ["#ffffff", "#151917"].map(bright) {
            for line in COLOURS.map(bright) {
                let (light, dark) = (paper.max(line), paper.min(line));
                assert!((light + 0.05) / (dark + 0.05) >= 3.0, "{paper} and {line}");
            }
        }
    }

    #[test]
    fn time_is_told_in_hours_where_it_lasts_some() {
        #[track_caller]
        fn check(rolls: f64, pace: u32, expected: &[&str]) {
            let ticks: Vec<String> =
                time(rolls, pace).ticks.into_iter().map(|(_, label)| label).collect();
            assert_eq!(ticks, expected);
        }
        check(200.0, 144, &["0", "50", "100", "150", "200"]);
        check(144.0, 144, &["0", "36\n15 min", "72\n30 min", "108\n45 min", "144\n1 h"]);
        check(288.0, 144, &["0", "72\n30 min", "144\n1 h", "216\n1 h 30 min", "288\n2 h"]);
        check(1440.0, 144, &["0", "288\n2 h", "576\n4 h", "864\n6 h", "1,152\n8 h", "1,440\n10 h"]);
        check(9.0, 3, &["0", "", "3\n1 h", "", "6\n2 h", "", "9\n3 h"]);
        check(3.0, 100, &["0", "1", "2", "3"]);
    }
}
