//! Days at a table for a terminal: the house, its meters, and the seats.

use super::figures::{Estimate, QUANTILES, Row, Unit, house, meter, quantile, seat};
use super::{TableDays, TableMeter};
use crate::markup::{amount, counted, grouped};
use crate::session::{money, share};
use crate::table::grid;

/// Days at a table as text.
pub fn table_days_text(it: &TableDays) -> String {
    let seats = it.seats.last().map_or(0, |seats| seats.seats.end);
    let days = grouped(&it.books.days.to_string());
    let mut text = format!(
        "{}: {}, {} rolls a day, {days} day{} from {} on, seed {}\nrules {}\n",
        it.table,
        counted(seats, "seat"),
        grouped(&it.rolls.to_string()),
        if it.books.days == 1 { "" } else { "s" },
        it.days.start,
        it.seed,
        it.rules,
    );
    if it.books.days == 0 {
        return text + "no day was played";
    }
    text += &grid(&["", "a day", "error", "deviation"], &rows(&house(it)));
    text += "\n\n";
    text += &quantiles(it);
    for (of, books) in it.meters.iter().zip(&it.books.meters) {
        let name = format!("meter {}", of.name);
        text += &format!("\n\n{}\n", terms(of));
        let header = [name.as_str(), "a day", "error", "deviation"];
        text += &grid(&header, &rows(&meter(books, it.books.days)));
        if books.jackpots.total() > 0 {
            let at = |share| {
                quantile(&books.jackpots, share).map_or_else(String::new, |at| money(at as f64))
            };
            text += &format!(
                "\n{} jackpots: one in twenty pays {} or less, half {}, one in twenty {} or more",
                grouped(&books.jackpots.total().to_string()),
                at(0.05),
                at(0.5),
                at(0.95),
            );
        }
    }
    text += "\n\n";
    text + &seats_grid(it)
}

fn rows(rows: &[Row]) -> Vec<Vec<String>> {
    let cells = |row: &Row| {
        let Estimate { mean, error, deviation } = row.value;
        let told =
            |value: Option<f64>| value.map_or_else(String::new, |value| say(row.unit, value));
        vec![row.name.to_owned(), say(row.unit, mean), told(error), told(deviation)]
    };
    rows.iter().map(cells).collect()
}

fn say(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Cents => money(value),
        Unit::Share => share(value),
        Unit::Number if value >= 100.0 => grouped(&format!("{value:.1}")),
        Unit::Number => format!("{value:.4}"),
    }
}

fn quantiles(it: &TableDays) -> String {
    let header: Vec<String> = QUANTILES.iter().map(|at| format!("{:.0}%", at * 100.0)).collect();
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let win =
        |at: &f64| quantile(&it.books.wins, *at).map_or_else(String::new, |win| money(win as f64));
    let wins = QUANTILES.iter().map(win);
    let row = std::iter::once("the house wins no more than".to_owned()).chain(wins).collect();
    grid(&[&["share of days"], &header[..]].concat(), &[row])
}

fn terms(of: &TableMeter) -> String {
    let terms = &of.terms;
    format!(
        "starts the day at {}, seed {}, {} of each wager to the meter and {} to the reserve",
        amount(of.start),
        amount(terms.seed),
        terms.increment,
        terms.reserve
    )
}

fn seats_grid(it: &TableDays) -> String {
    let header = ["seat", "plan", "from", "result", "error", "deviation", "drop", "ruined", "left"];
    let rows: Vec<Vec<String>> = it
        .seats
        .iter()
        .map(|of| {
            let rows = seat(it, of.seats.clone());
            let of_day = |key: &str| rows.iter().find(|row| row.key == key).map(|row| row.value);
            let told =
                |value: Option<f64>, unit| value.map_or_else(String::new, |value| say(unit, value));
            let mean = |key: &str| of_day(key).map(|value| value.mean);
            let result = of_day("result");
            let count = match of.seats.len() {
                1 => String::new(),
                count => format!(" ({count} seats, each)"),
            };
            vec![
                format!("{}{count}", of.name),
                of.plan.clone(),
                amount(of.bankroll),
                told(mean("result"), Unit::Cents),
                told(result.and_then(|value| value.error), Unit::Cents),
                told(result.and_then(|value| value.deviation), Unit::Cents),
                told(mean("drop"), Unit::Cents),
                told(mean("ruined"), Unit::Number),
                told(mean("left"), Unit::Number),
            ]
        })
        .collect();
    grid(&header, &rows)
}
