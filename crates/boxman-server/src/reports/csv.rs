//! A report as comma-separated values (RFC 4180), for a spreadsheet.

use craps_report::{Csv, LineEnd};

use super::{DayReport, Expectation, Held, Report, WagerHeld};

/// The columns: first what a row is about, then what wagers and whole days have in common, then
/// what only a wager has, then what only a day has.
const HEADER: [&str; 43] = [
    "day",
    "table",
    "name",
    "rules",
    "wager",
    "decisions",
    "handle",
    "hold",
    "hold-of-handle-percent",
    "withheld",
    "expected",
    "deviation",
    "low",
    "high",
    "inside",
    "edge",
    "rolls",
    "hands",
    "drop",
    "cashed-out",
    "filled",
    "credited",
    "envy",
    "fed",
    "breakage",
    "jackpots",
    "jackpots-from-meter",
    "jackpots-from-house",
    "house",
    "mends",
    "adjustments",
    "drop-cash",
    "drop-markers",
    "drop-coupons",
    "chips-brought",
    "walked",
    "jackpots-by-cage",
    "redeemed",
    "tokes",
    "left-behind",
    "mends-by-cage",
    "mends-walked",
    "tray",
];

/// One line for each table, day and wager, after one for the table and day as a whole, where
/// rules and wager are empty. Amounts are in cents.
pub fn csv(report: &Report) -> String {
    let mut csv = Csv::new(&HEADER, LineEnd::CrLf);
    for day in &report.days {
        csv.row(of_day(day));
        for wager in &day.held.wagers {
            csv.row(of_wager(day, wager));
        }
    }
    csv.finish()
}

fn of_day(day: &DayReport) -> [String; HEADER.len()] {
    let DayReport { table, name, day, held, tray } = day;
    let Held { jackpots, buy_ins, cash_outs, .. } = held;
    let [expected, deviation, low, high, inside] = band(held.expectation.as_ref());
    [
        day.clone(),
        table.clone(),
        name.clone(),
        String::new(),
        String::new(),
        held.decisions.to_string(),
        held.handle.0.to_string(),
        held.hold.0.to_string(),
        percentage(held.hold_of_handle),
        held.withheld.0.to_string(),
        expected,
        deviation,
        low,
        high,
        inside,
        String::new(),
        held.rolls.to_string(),
        held.hands.to_string(),
        held.drop.0.to_string(),
        held.cashed_out.0.to_string(),
        held.filled.0.to_string(),
        held.credited.0.to_string(),
        held.envy.0.to_string(),
        held.fed.0.to_string(),
        held.breakage.0.to_string(),
        jackpots.count.to_string(),
        jackpots.from_meter.0.to_string(),
        jackpots.from_house.0.to_string(),
        held.house.0.to_string(),
        held.mends.to_string(),
        held.adjusted.0.to_string(),
        buy_ins.cash.0.to_string(),
        buy_ins.markers.0.to_string(),
        buy_ins.coupons.0.to_string(),
        buy_ins.chips.0.to_string(),
        cash_outs.walk.0.to_string(),
        cash_outs.jackpots.0.to_string(),
        cash_outs.redeemed.0.to_string(),
        cash_outs.tokes.0.to_string(),
        cash_outs.left_behind.0.to_string(),
        held.mends_by_cage.0.to_string(),
        held.mends_walked.0.to_string(),
        tray.map(|tray| tray.0.to_string()).unwrap_or_default(),
    ]
}

fn of_wager(day: &DayReport, held: &WagerHeld) -> [String; HEADER.len()] {
    let DayReport { table, name, day, .. } = day;
    let [expected, deviation, low, high, inside] = band(held.expectation.as_ref());
    let mut cells = [const { String::new() }; HEADER.len()];
    let filled = [
        day.clone(),
        table.clone(),
        name.clone(),
        held.rules.clone(),
        held.wager.clone(),
        held.decisions.to_string(),
        held.handle.0.to_string(),
        held.hold.0.to_string(),
        percentage(held.hold_of_handle),
        held.withheld.0.to_string(),
        expected,
        deviation,
        low,
        high,
        inside,
        held.edge.clone().unwrap_or_default(),
    ];
    cells.iter_mut().zip(filled).for_each(|(cell, filled)| *cell = filled);
    cells
}

fn band(expectation: Option<&Expectation>) -> [String; 5] {
    let Some(expectation) = expectation else { return Default::default() };
    let Expectation { expected, deviation, low, high, inside } = expectation;
    let [expected, deviation, low, high] =
        [expected, deviation, low, high].map(|cents| format!("{cents:.2}"));
    [expected, deviation, low, high, if *inside { "yes" } else { "no" }.to_owned()]
}

fn percentage(share: Option<f64>) -> String {
    share.map(|share| format!("{share:.4}")).unwrap_or_default()
}
