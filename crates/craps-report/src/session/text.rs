//! Sessions for a terminal: a column for each plan, and a fan drawn in blocks.

use craps::Cents;
use craps_math::session::FAN;

use super::PlanSession;
use super::rows::{figures, money};
use crate::table::grid;

/// Sessions of several plans as text: a column for each, and a fan for each below.
pub fn session_text(sessions: &[PlanSession]) -> String {
    let plans: Vec<&str> = sessions.iter().map(|session| session.plan.as_str()).collect();
    let header: Vec<&str> = [""].into_iter().chain(plans).collect();
    let rows: Vec<Vec<String>> = figures(sessions)
        .into_iter()
        .map(|(row, values)| {
            let shown = values
                .iter()
                .map(|value| value.as_ref().map_or_else(|| "–".to_owned(), ToString::to_string));
            std::iter::once(row.name.to_owned()).chain(shown).collect()
        })
        .collect();
    let found = sessions.iter().filter_map(|it| Some((&it.plan, it.found.as_ref()?)));
    let found: String = found.map(|(plan, found)| format!("{plan}: {found}\n")).collect();
    let mut text = found + &grid(&header, &rows);
    for session in sessions.iter().filter(|session| session.outcome.fan.len() > 1) {
        text += &format!("\n\n{}\n{}", session.plan, fan(session));
    }
    text
}

/// The fan of equity over time: half of all sessions in the dark band, nine in ten in the pale.
pub(crate) fn fan(it: &PlanSession) -> String {
    const WIDE: usize = 64;
    const HIGH: usize = 13;
    let points = &it.outcome.fan;
    let least = points.iter().map(|(_, amounts)| amounts[1].0).min().unwrap_or(0);
    let most = points.iter().map(|(_, amounts)| amounts[FAN.len() - 2].0).max().unwrap_or(1);
    let most = most.max(least + 1);
    let row_of = |amount: Cents| {
        let up = (amount.0 - least) as f64 / (most - least) as f64;
        (up.clamp(0.0, 1.0) * (HIGH - 1) as f64).round() as usize
    };
    let mut rows = vec![[' '; WIDE]; HIGH];
    for column in 0..WIDE {
        let (_, amounts) = points[column * (points.len() - 1) / (WIDE - 1)];
        let [low, quarter, half, three, high] =
            [1, 2, 3, 4, 5].map(|quantile| row_of(amounts[quantile]));
        for (row, cells) in rows.iter_mut().enumerate() {
            cells[column] = match row {
                _ if row == half => '█',
                _ if (quarter..=three).contains(&row) => '▒',
                _ if (low..=high).contains(&row) => '░',
                _ => ' ',
            };
        }
    }
    let wide = [least, most].map(|amount| money(amount as f64).len()).into_iter().max();
    let wide = wide.unwrap_or(0);
    let mut lines = Vec::new();
    for (row, cells) in rows.iter().enumerate().rev() {
        let amount = least + (most - least) * row as i64 / (HIGH as i64 - 1);
        let label = if row % 4 == 0 { money(amount as f64) } else { String::new() };
        let cells: String = cells.iter().collect();
        lines.push(format!("{label:>wide$} │{}", cells.trim_end()));
    }
    let rolls = points.last().map_or(0, |(rolls, _)| *rolls).to_string();
    lines.push(format!("{:>wide$} └{}", "", "─".repeat(WIDE)));
    lines.push(format!("{:>wide$}  0{rolls:>right$}", "", right = WIDE - 1));
    lines.join("\n")
}
