//! Samples for a terminal: a figure with its error, what it is exactly, and two pictures.

use super::rows::figures;
use super::view::view;
use super::{PlanSim, SimInputs, Speed};
use crate::markup::grouped;
use crate::session::PlanSession;
use crate::session::charts::Bins;
use crate::session::rows::money;
use crate::session::text::fan;
use crate::table::grid;

/// Samples of several plans as text: side by side, then where each ends and the way there.
pub fn sim_text(sims: &[PlanSim]) -> String {
    let exact = sims.iter().any(|it| it.exact.is_some() || it.inputs.hourly.is_some());
    let mut header = vec![""];
    for it in sims {
        header.push(&it.inputs.plan);
        header.extend(if exact { &["exactly", "apart"][..] } else { &[] });
    }
    let rows: Vec<Vec<String>> = figures(sims)
        .into_iter()
        .map(|(row, figures)| {
            let mut cells = vec![row.name.to_owned()];
            for figure in figures {
                let figure = figure.unwrap_or_default();
                cells.push(figure.sampled_words());
                if exact {
                    let value = figure.exact.as_ref();
                    cells.push(value.map_or_else(String::new, ToString::to_string));
                    cells.push(figure.apart_words());
                }
            }
            cells
        })
        .collect();
    let mut text = grid(&header, &rows);
    for it in sims {
        let Some(seen) = view(it) else { continue };
        text += &format!("\n\n{}\n{}", it.inputs.plan, histogram(&seen));
        if seen.outcome.fan.len() > 1 {
            text += &format!("\n\n{}", fan(&seen));
        }
    }
    text.push('\n');
    for it in sims {
        text += &format!("\n{}", sampled_with(it));
        if let Some(speed) = &it.speed {
            text += &format!("\n{}", fast(it, speed));
        }
    }
    text
}

/// What was sampled, in a line.
fn sampled_with(it: &PlanSim) -> String {
    let SimInputs { plan, seed, played, .. } = &it.inputs;
    let numbers = it.ranges.iter().map(|range| format!("{} to {}", range.start, range.end - 1));
    let numbers = numbers.collect::<Vec<_>>().join(" and ");
    let mut words = format!("{plan}: seed {seed}");
    if !numbers.is_empty() {
        words += &format!(", sessions {numbers}");
    }
    for (name, value) in played.lines().into_iter().take(4).filter(|(_, value)| !value.is_empty()) {
        words += &format!(", {name} {value}");
    }
    words
}

/// How fast it went, in a line.
fn fast(it: &PlanSim, speed: &Speed) -> String {
    let seconds = speed.took.as_secs_f64();
    let rate = it.rolled() as f64 / seconds.max(1e-9) / 1e6;
    let rolls = grouped(&it.rolled().to_string());
    format!(
        "{}: {rolls} rolls in {seconds:.2} s, {rate:.0} M rolls/s by {}",
        it.inputs.plan, speed.by
    )
}

/// Where sessions end: a column for each range of money, what lies further out in the last ones.
fn histogram(it: &PlanSession) -> String {
    const HIGH: usize = 8;
    const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let Some(bins) = Bins::of(std::slice::from_ref(it)) else { return String::new() };
    let bars: Vec<f64> = bins.bars(it).into_iter().map(|(all, _)| all).collect();
    let top = bins.top;
    let mut lines = Vec::new();
    for row in (0..HIGH).rev() {
        let cell = |share: &f64| {
            if *share > top && row + 1 == HIGH {
                return '↑';
            }
            let eighths = (share / top * (HIGH * 8) as f64).ceil() as usize;
            EIGHTHS[eighths.saturating_sub(row * 8).min(8)]
        };
        let label = match row + 1 {
            HIGH => format!("{:.1}%", top * 100.0),
            _ => String::new(),
        };
        let cells: String = bars.iter().map(cell).collect();
        lines.push(format!("{label:>10} │{}", cells.trim_end()));
    }
    let ends = [bins.low, bins.low + bins.step * bars.len() as f64].map(|end| money(end * 100.0));
    let wide = bars.len().saturating_sub(ends[0].chars().count()).max(ends[1].len() + 1);
    lines.push(format!("{:>10} └{}", "", "─".repeat(bars.len())));
    lines.push(format!("{:>10}  {}{:>wide$}", "", ends[0], ends[1]));
    lines.join("\n")
}
