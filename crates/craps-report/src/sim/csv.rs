//! Samples as one long table for spreadsheets and programs: dollars, plain shares and counts.

use craps::Cents;
use craps::machine::End;
use craps_math::session::{FAN, Over};

use super::PlanSim;
use super::rows::ROWS;
use crate::csv::{Csv, LineEnd};
use crate::session::csv::{dollars, number};
use crate::session::over::called;
use crate::session::rows::Value;

/// Samples as CSV, one value a row. `part` says what a row belongs to: `played` what was sampled,
/// `figure` a row of the grid with its standard error and what it is exactly, `final` how many
/// ended with so many `dollars`, `ruined` how many were ruined after so many `rolls`, `fan` a
/// quantile after them.
pub fn sim_csv(sims: &[PlanSim], version: &str) -> String {
    let header =
        ["plan", "part", "name", "rolls", "dollars", "value", "error", "exact", "apart", "unit"];
    let mut csv = Csv::new(&header, LineEnd::Lf);
    for it in sims {
        let plan = it.inputs.plan.clone();
        let mut put = |part: &str, name: &str, at: [String; 2], values: [String; 4], unit: &str| {
            let before = [plan.clone(), part.to_owned(), name.to_owned()];
            csv.row(before.into_iter().chain(at).chain(values).chain([unit.to_owned()]));
        };
        let alone = |value: String| [value, String::new(), String::new(), String::new()];
        put("played", "program", none(), alone(version.to_owned()), "words");
        for (name, words) in it.words() {
            put("played", name, none(), alone(words), "words");
        }
        for row in &ROWS {
            let Some(figure) = (row.figure)(it) else { continue };
            let Some(of) = figure.sampled.as_ref().or(figure.exact.as_ref()) else { continue };
            let (unit, write): (&str, fn(f64) -> String) = match of {
                Value::Money(_) => ("dollars", dollars),
                Value::Share(_) | Value::Bound(_) => ("share", number),
                Value::Rolls(..) => ("rolls", number),
                Value::Bytes(_) => ("bytes", number),
                Value::Words(_) => ("words", number),
            };
            let value = |value: &Option<Value>| match value {
                Some(Value::Words(words)) => words.clone(),
                value => value.as_ref().and_then(Value::number).map_or(String::new(), write),
            };
            let error = figure.error.map_or(String::new(), write);
            let apart = figure.apart.map_or(String::new(), number);
            let values = [value(&figure.sampled), error, value(&figure.exact), apart];
            put("figure", row.key, none(), values, unit);
        }
        for over in Over::ALL {
            for (equity, times) in it.finals[over.index()].counts() {
                let at = [String::new(), Cents(*equity).to_string()];
                put("final", called(over).0, at, alone(times.to_string()), "sessions");
            }
        }
        for (rolls, times) in it.rolls[Over::Ended(End::Ruined).index()].counts() {
            let at = [rolls.to_string(), String::new()];
            put("ruined", "after", at, alone(times.to_string()), "sessions");
        }
        for (rolls, sample) in &it.along.fan {
            for share in FAN {
                let Some(amount) = sample.at(share) else { continue };
                let name = format!("quantile_{:02}", (share * 100.0).round());
                let at = [rolls.to_string(), String::new()];
                put("fan", &name, at, alone(Cents(amount).to_string()), "dollars");
            }
        }
    }
    csv.finish()
}

/// Of all.
fn none() -> [String; 2] {
    [String::new(), String::new()]
}
