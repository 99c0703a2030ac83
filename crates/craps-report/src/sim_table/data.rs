//! Days at a table for programs: every figure, and the whole numbers they are made of, which add up
//! with those of other days.

use std::collections::BTreeMap;

use craps::hex;
use craps_sim::Counts;
use craps_sim::day::{Figure, MeterFigure, SeatFigure, Sums};
use serde_json::{Map, Value, json};

use super::TableDays;
use super::figures::{QUANTILES, Row, Unit, house, meter, quantile, seat};
use crate::csv::{Csv, LineEnd};

/// Days at a table as JSON. Amounts are cents. `counts` has the sums of figures over days and of
/// their products as texts, for they may be longer than a number.
pub fn table_days_json(it: &TableDays) -> String {
    let days = it.books.days;
    let meters = it.meters.iter().zip(&it.books.meters).map(|(of, books)| {
        json!({
            "name": of.name,
            "terms": of.terms,
            "start": of.start.0,
            "figures": figures(days, || meter(books, days)),
            "counts": {
                "figures": sums(&books.figures, &MeterFigure::ALL.map(|of| format!("{of:?}"))),
                "days_with": books.days,
                "jackpots": pairs(&books.jackpots),
                "highest": books.high,
            },
        })
    });
    let seats = it.seats.iter().map(|of| {
        let names = SeatFigure::ALL.map(|of| format!("{of:?}"));
        let counts = it.books.seats[of.seats.clone()].iter().map(|seat| sums(seat, &names));
        json!({
            "name": of.name,
            "plan": of.plan,
            "params": of.params.iter().cloned().collect::<BTreeMap<_, _>>(),
            "bankroll": of.bankroll.0,
            "ruined": of.afterwards[0],
            "left": of.afterwards[1],
            "figures": figures(days, || seat(it, of.seats.clone())),
            "counts": counts.collect::<Vec<_>>(),
        })
    });
    let quantiles = QUANTILES.map(|share| (share, quantile(&it.books.wins, share)));
    let all = json!({
        "table": it.table,
        "rules": it.rules,
        "rules_sha256": hex::encode(&it.rules_hash),
        "options": it.options,
        "rolls": it.rolls,
        "pace": it.pace,
        "generator": it.generator,
        "seed": it.seed.to_string(),
        "days": { "from": it.days.start, "to": it.days.end },
        "figures": figures(days, || house(it)),
        "quantiles": quantiles,
        "meters": meters.collect::<Vec<_>>(),
        "seats": seats.collect::<Vec<_>>(),
        "counts": {
            "days": days,
            "figures": sums(&it.books.figures, &Figure::ALL.map(|of| format!("{of:?}"))),
            "wins": pairs(&it.books.wins),
        },
    });
    serde_json::to_string_pretty(&all).expect("days are plain data")
}

/// Rows by their keys; none where no day was played.
fn figures(days: u64, rows: impl Fn() -> Vec<Row>) -> Map<String, Value> {
    let rows = if days == 0 { Vec::new() } else { rows() };
    let figure = |row: Row| {
        let value = row.value;
        let figure = json!({
            "mean": value.mean, "error": value.error, "deviation": value.deviation,
        });
        (row.key.to_owned(), figure)
    };
    rows.into_iter().map(figure).collect()
}

fn sums<const N: usize>(sums: &Sums<N>, names: &[String]) -> Value {
    let text = |number: &i128| number.to_string();
    let products = sums.products.iter().map(|row| row.iter().map(text).collect::<Vec<_>>());
    json!({
        "names": names,
        "sums": sums.sums.iter().map(text).collect::<Vec<_>>(),
        "products": products.collect::<Vec<_>>(),
    })
}

fn pairs(counts: &Counts) -> Vec<(i64, u64)> {
    counts.iter().collect()
}

/// Days at a table as CSV, one value a row: `part` is `played`, `house`, `quantile`, or the name of
/// a meter or a seat after a word that says so. It is in dollars and shares of one.
pub fn table_days_csv(it: &TableDays, version: &str) -> String {
    let mut csv = Csv::new(&["part", "name", "value", "error", "deviation", "unit"], LineEnd::Lf);
    let mut put =
        |part: &str, name: &str, value: String, error: String, wide: String, unit: &str| {
            csv.row([part.to_owned(), name.to_owned(), value, error, wide, unit.to_owned()]);
        };
    let played = [
        ("program", version.to_owned()),
        ("table", it.table.clone()),
        ("rules", it.rules.clone()),
        ("rules_sha256", hex::encode(&it.rules_hash)),
        ("options", it.options.join(", ")),
        ("generator", it.generator.to_owned()),
        ("seed", it.seed.to_string()),
        ("first_day", it.days.start.to_string()),
        ("days", it.books.days.to_string()),
    ];
    for (name, words) in played {
        put("played", name, words, String::new(), String::new(), "words");
    }
    if it.books.days == 0 {
        return csv.finish();
    }
    let mut all = vec![("house".to_owned(), house(it))];
    for (of, books) in it.meters.iter().zip(&it.books.meters) {
        all.push((format!("meter {}", of.name), meter(books, it.books.days)));
    }
    for of in &it.seats {
        all.push((format!("seat {}", of.name), seat(it, of.seats.clone())));
    }
    for (part, rows) in all {
        for Row { key, unit, value, .. } in rows {
            let (scale, unit) = match unit {
                Unit::Cents => (100.0, "dollars"),
                Unit::Share => (1.0, "share"),
                Unit::Number => (1.0, "number"),
            };
            let told = |value: Option<f64>| {
                value.map_or_else(String::new, |value| (value / scale).to_string())
            };
            let cells = [Some(value.mean), value.error, value.deviation].map(told);
            let [mean, error, wide] = cells;
            put(&part, key, mean, error, wide, unit);
        }
    }
    for share in QUANTILES {
        let win = quantile(&it.books.wins, share).map(|win| craps::Cents(win).to_string());
        let name = format!("win_{:02.0}", share * 100.0);
        put("quantile", &name, win.unwrap_or_default(), String::new(), String::new(), "dollars");
    }
    csv.finish()
}
