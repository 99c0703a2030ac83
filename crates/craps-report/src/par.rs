//! PAR sheets as text, JSON and CSV.

use craps::hex;
use craps_math::{Par, Ratio, decimal, fraction, percent};
use serde::Serialize;

use crate::csv::{Csv, LineEnd};
use crate::figures::{NO_TERMS, ParFigure, ParValue, QUANTILES, ROWS, Row, compared};
use crate::markup::{amount, dollars, grouped};
use crate::table::grid;

/// Sheets as text; several are compared side by side first.
pub fn par_text(pars: &[Par], version: &str) -> String {
    let mut parts = vec![version.to_owned()];
    if pars.len() > 1 {
        parts.push(comparison(pars));
    }
    parts.extend(pars.iter().map(sheet));
    parts.join("\n\n")
}

fn comparison(pars: &[Par]) -> String {
    let mut header = vec![""];
    let names: Vec<String> =
        pars.iter().map(|par| format!("{} {}", par.paytable, par.wager)).collect();
    header.extend(names.iter().map(String::as_str));
    let row = |figure: &ParFigure| {
        let cell = |value: &Option<ParValue>| match value {
            Some(value) if value.best => format!("* {}", value.rounded),
            Some(value) => value.rounded.clone(),
            None => "–".to_owned(),
        };
        let mut row = vec![figure.name.to_owned()];
        row.extend(figure.values.iter().map(cell));
        row
    };
    let rows: Vec<Vec<String>> = compared(pars).iter().map(row).collect();
    format!("{}\n* best for the house", grid(&header, &rows))
}

#[expect(clippy::float_arithmetic, reason = "percentages of a curve are for reading")]
fn sheet(par: &Par) -> String {
    let meter = par.meter.map_or(String::new(), |meter| format!(", meter ${meter}"));
    let mut lines = vec![
        format!("{} — {} ({})", par.paytable, par.title, par.wager),
        format!(
            "unit ${}, bettors {}{meter}, {} rolls an hour; {} {}",
            par.unit,
            par.bettors,
            par.rolls_per_hour,
            par.rulebook.0,
            &hex::encode(&par.rulebook.1)[..12]
        ),
    ];
    lines.extend(par.flags().iter().map(|flag| format!("NOTE: {flag}")));
    lines.push(awards(par));
    let row = |figure: &Row| {
        let (shown, exact) = figure.told(par)?;
        let exact = if exact.len() <= 48 { exact } else { String::new() };
        Some(vec![figure.name.to_owned(), shown, exact])
    };
    let mut rows: Vec<Vec<String>> = ROWS.iter().filter_map(row).collect();
    let within = |rolls: usize| format!("{rolls}: {:.2} %", 100.0 * par.decided_by[rolls]);
    let curve: Vec<String> = [1, 2, 3, 5, 10, 20].into_iter().map(within).collect();
    rows.push(vec!["Decided within so many rolls".to_owned(), String::new(), curve.join("  ")]);
    let volatility = format!("{:.4}", par.volatility_index());
    rows.push(vec!["Volatility index (90 %)".to_owned(), volatility, String::new()]);
    lines.push(grid(&["figure", "value", "exactly"], &rows));
    if par.progressive.is_some() {
        lines.push(meter_rows(par));
    }
    lines.join("\n")
}

fn awards(par: &Par) -> String {
    let row = |award: &craps_math::ParAward| {
        vec![
            award.event.clone(),
            award.pays.clone(),
            award.envy.map_or("–".to_owned(), |envy| envy.to_string()),
            fraction(&award.chance),
            grouped(&decimal(&award.one_in(), 2)),
            percent(&award.share(), 4),
        ]
    };
    let mut rows: Vec<Vec<String>> = par.awards.iter().map(row).collect();
    if !par.push_chance.is_zero() {
        let (chance, none) = (&par.push_chance, || "–".to_owned());
        let one_in = grouped(&decimal(&(craps_math::Ratio::ONE / chance), 2));
        let back = percent(chance, 4);
        rows.push(vec!["push".to_owned(), none(), none(), fraction(chance), one_in, back]);
    }
    grid(&["award", "pays", "envy", "chance", "one in", "return %"], &rows)
}

#[expect(clippy::float_arithmetic, reason = "hours and quantiles are for reading")]
fn meter_rows(par: &Par) -> String {
    let progressive = par.progressive.as_ref().expect("only progressives have a meter");
    let terms = progressive.terms;
    let hours = progressive.cycle() / par.decisions_per_hour();
    let no_terms = || NO_TERMS.to_owned();
    let money = |cents: f64| format!("${}", grouped(&format!("{:.2}", cents / 100.0)));
    let mean = progressive.mean_meter().as_ref().map_or_else(no_terms, dollars);
    let mut rows = vec![
        vec!["seed".to_owned(), amount(terms.seed)],
        vec!["increment, reserve".to_owned(), format!("{}, {}", terms.increment, terms.reserve)],
        vec!["ceiling".to_owned(), terms.ceiling.map_or("none".to_owned(), amount)],
        vec!["cycle, hours".to_owned(), grouped(&decimal(&hours, 1))],
        vec!["mean meter when hit".to_owned(), mean],
    ];
    for quantile in QUANTILES {
        let name = format!("meter when hit, {:.0} % within", quantile * 100.0);
        rows.push(vec![name, progressive.meter_at(quantile).map_or_else(no_terms, money)]);
    }
    for decisions in [1_000.0, 10_000.0, 100_000.0, 1_000_000.0] {
        let name = format!("no hit in {} decisions %", grouped(&format!("{decisions:.0}")));
        rows.push(vec![name, format!("{:.4}", progressive.no_hit(decisions) * 100.0)]);
    }
    for bettors in [1, 2, 4, 6, 8, 12] {
        let breakeven = progressive.breakeven(bettors);
        let shown = breakeven.map_or("–".to_owned(), |cents| dollars(&cents));
        rows.push(vec![format!("break-even meter, {bettors} sharing"), shown]);
    }
    grid(&["meter", "value"], &rows)
}

/// A sheet as JSON: chances and returns as fraction strings, money in cents.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ParObject {
    /// The paytable.
    pub paytable: String,
    /// The wager.
    pub wager: String,
    /// What each bettor bets.
    pub unit: i64,
    /// How many have the bet up.
    pub bettors: u8,
    /// What the meter shows, where there is one.
    pub meter: Option<i64>,
    /// What it can win, the highest award first.
    pub awards: Vec<ParObjectAward>,
    /// The chance of any award, one of 1 for 1 among them; a push is none.
    pub hit_chance: String,
    /// The chance of the top award.
    pub top_chance: String,
    /// The return of the fixed pays.
    pub fixed_return: String,
    /// The return with the meter as it stands.
    pub return_at_meter: String,
    /// The meter, in cents, at which the house has no edge.
    pub breakeven_meter: Option<String>,
    /// What the dealers are paid for each unit bet.
    pub envy_cost: String,
    /// The house's share of each dollar bet.
    pub edge: String,
    /// And once the dealers are paid.
    pub edge_after_envy: String,
    /// The variance for a stake of one.
    pub variance: String,
    /// The mean number of rolls to a decision.
    pub rolls: String,
}

/// An award of a sheet as JSON.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ParObjectAward {
    /// What wins it.
    pub event: String,
    /// What it pays.
    pub pays: String,
    /// What the dealers are paid with it.
    pub envy: Option<String>,
    /// How likely it is.
    pub chance: String,
    /// One in so many bets.
    pub one_in: String,
}

impl ParObject {
    fn of(par: &Par) -> ParObject {
        let award = |award: &craps_math::ParAward| ParObjectAward {
            event: award.event.clone(),
            pays: award.pays.clone(),
            envy: award.envy.map(|envy| envy.to_string()),
            chance: fraction(&award.chance),
            one_in: fraction(&award.one_in()),
        };
        ParObject {
            paytable: par.paytable.clone(),
            wager: par.wager.clone(),
            unit: par.unit.0,
            bettors: par.bettors,
            meter: par.meter.map(|meter| meter.0),
            awards: par.awards.iter().map(award).collect(),
            hit_chance: fraction(&par.hit_chance),
            top_chance: fraction(&par.top_chance),
            fixed_return: fraction(&par.fixed_return),
            return_at_meter: fraction(&par.return_at_meter),
            breakeven_meter: par.breakeven(par.bettors).map(|cents| fraction(&cents)),
            envy_cost: fraction(&par.envy_cost),
            edge: fraction(&par.edge()),
            edge_after_envy: fraction(&par.edge_after_envy()),
            variance: fraction(&par.variance),
            rolls: fraction(&par.rolls),
        }
    }
}

/// Sheets as an array of [`ParObject`].
pub fn par_json(pars: &[Par]) -> String {
    let objects: Vec<ParObject> = pars.iter().map(ParObject::of).collect();
    serde_json::to_string_pretty(&objects).expect("sheets are plain data")
}

/// Sheets as tidy CSV: one row an award, and one a figure. Exact figures have a numerator and a
/// denominator; statistics have a decimal only.
pub fn par_csv(pars: &[Par], version: &str) -> String {
    let header = [
        "paytable",
        "wager",
        "rulebook",
        "rulebook_sha256",
        "program",
        "unit_cents",
        "bettors",
        "meter_cents",
        "kind",
        "name",
        "pays",
        "envy",
        "numerator",
        "denominator",
        "decimal",
    ];
    let mut csv = Csv::new(&header, LineEnd::Lf);
    for par in pars {
        let start = |csv: &mut Csv, kind: &str, name: &str| {
            for cell in [&par.paytable, &par.wager, &par.rulebook.0, &hex::encode(&par.rulebook.1)]
            {
                csv.text(cell);
            }
            csv.text(version);
            csv.text(&par.unit.0.to_string());
            csv.text(&par.bettors.to_string());
            csv.text(&par.meter.map_or(String::new(), |meter| meter.0.to_string()));
            csv.text(kind);
            csv.text(name);
        };
        let end = |csv: &mut Csv, value: &Ratio| {
            csv.ratio(value);
            csv.text(&decimal(value, 12));
            csv.end_row();
        };
        for award in &par.awards {
            for (kind, value) in [("chance", &award.chance), ("return", &award.share())] {
                start(&mut csv, kind, &award.event);
                csv.text(&award.pays);
                csv.text(&award.envy.map_or(String::new(), |envy| envy.to_string()));
                end(&mut csv, value);
            }
        }
        for figure in &ROWS {
            let Some(value) = (figure.value)(par) else { continue };
            start(&mut csv, "figure", &figure.key());
            csv.text("");
            csv.text("");
            if figure.is_exact(par) {
                end(&mut csv, &value);
            } else {
                ["", "", &decimal(&value, 12)].into_iter().for_each(|cell| csv.text(cell));
                csv.end_row();
            }
        }
        for (name, value) in statistics(par) {
            start(&mut csv, "statistic", &name);
            for cell in ["", "", "", "", &format!("{value:.6}")] {
                csv.text(cell);
            }
            csv.end_row();
        }
    }
    csv.finish()
}

/// Figures that have no fraction.
fn statistics(par: &Par) -> Vec<(String, f64)> {
    let mut statistics = vec![
        ("standard_deviation".to_owned(), par.deviation()),
        ("volatility_index".to_owned(), par.volatility_index()),
    ];
    if let Some(progressive) = &par.progressive {
        for quantile in QUANTILES {
            let name = format!("meter_when_hit_quantile_{quantile}_cents");
            statistics.extend(progressive.meter_at(quantile).map(|meter| (name, meter)));
        }
    }
    statistics
}
