//! Sessions as one long table for spreadsheets and programs: dollars and plain chances.

use craps_math::session::{FAN, Over};

use super::PlanSession;
use super::over::{called, over_by};
use super::rows::{ROWS, Value};
use crate::csv::{Csv, LineEnd};

/// Sessions as CSV, one value a row. `part` says what a row belongs to: `played` what a plan was
/// played with, `figure` a row of the grid, `final` the chance of ending with so many `dollars`,
/// `fan` a quantile after so many `rolls`, `over` the chance to be over within them.
pub fn session_csv(sessions: &[PlanSession], version: &str) -> String {
    let header = ["plan", "part", "name", "rolls", "dollars", "value", "unit"];
    let mut csv = Csv::new(&header, LineEnd::Lf);
    for it in sessions {
        let mut put = |part: &str, name: &str, at: At, value: &str, unit: &str| {
            let (rolls, dollars) = match at {
                At::All => (String::new(), String::new()),
                At::Rolls(rolls) => (rolls.to_string(), String::new()),
                At::Dollars(dollars) => (String::new(), dollars),
            };
            for cell in [&it.plan, part, name, &rolls, &dollars, value, unit] {
                csv.text(cell);
            }
            csv.end_row();
        };
        put("played", "program", At::All, version, "words");
        for (name, words) in it.words().iter().filter(|(_, words)| !words.is_empty()) {
            put("played", name, At::All, words, "words");
        }
        for row in &ROWS {
            let Some(value) = (row.value)(it) else { continue };
            let (value, unit) = match value {
                Value::Money(cents) => (dollars(cents), "dollars"),
                Value::Share(share) | Value::Bound(share) => (number(share), "share"),
                Value::Rolls(rolls, _) => (number(rolls), "rolls"),
                Value::Bytes(bytes) => (bytes.to_string(), "bytes"),
                Value::Words(words) => (words, "words"),
            };
            put("figure", row.key, At::All, &value, unit);
        }
        for (equity, chance) in it.outcome.equity() {
            put("final", "ends_with", At::Dollars(equity.to_string()), &number(chance), "share");
        }
        for (rolls, amounts) in &it.outcome.fan {
            for (share, amount) in FAN.iter().zip(amounts) {
                let name = format!("quantile_{:02}", (share * 100.0).round());
                put("fan", &name, At::Rolls(*rolls), &amount.to_string(), "dollars");
            }
        }
        let ends = Over::ALL.into_iter().filter(|over| it.outcome.chance(*over) > 0.0);
        let ends: Vec<Over> = ends.filter(|over| *over != Over::Time).collect();
        for (rolls, chances) in over_by(it) {
            for over in &ends {
                let chance = number(chances[over.index()]);
                put("over", called(*over).0, At::Rolls(rolls), &chance, "share");
            }
        }
    }
    csv.finish()
}

/// What a value is for.
enum At {
    All,
    Rolls(u32),
    Dollars(String),
}

/// Cents as dollars, with parts of a cent where there are any.
pub(crate) fn dollars(cents: f64) -> String {
    match cents.fract() == 0.0 {
        true => format!("{:.2}", cents / 100.0),
        false => number(cents / 100.0),
    }
}

/// A number to twelve digits that count, which is all that sums of so many chances carry.
pub(crate) fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    match rounded {
        _ if rounded > 0.0 && rounded < 1e-4 => format!("{rounded:e}"),
        _ => rounded.to_string(),
    }
}
