//! PAR sheets as text, JSON and CSV.

use craps_math::{Par, Ratio, decimal, fraction, percent, whole};
use serde_json::{Value, json};

use crate::csv::Csv;
use crate::table::{dollars, grid, grouped};

/// A figure of a sheet, for comparing sheets side by side.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) value: fn(&Par) -> Option<Ratio>,
    pub(crate) show: fn(&Ratio) -> String,
    pub(crate) best: Best,
}

/// Which figure is the best one for the house.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Best {
    Highest,
    Lowest,
    Neither,
}

/// The figures every sheet is summed up in.
pub(crate) const FIGURES: [Figure; 14] = [
    Figure::new("hit chance %", |par| Some(par.hit_chance.clone()), percentage, Best::Highest),
    Figure::new("push chance %", |par| Some(par.push_chance.clone()), percentage, Best::Neither),
    Figure::new(
        "top award, one in",
        |par| Some(Ratio::ONE / &par.top_chance),
        one_in,
        Best::Neither,
    ),
    Figure::new("fixed return %", |par| Some(par.fixed_return.clone()), percentage, Best::Lowest),
    Figure::new(
        "return at this meter %",
        |par| Some(par.return_at_meter.clone()),
        percentage,
        Best::Lowest,
    ),
    Figure::new("break-even meter $", |par| par.breakeven(par.bettors), dollars, Best::Highest),
    Figure::new("envy cost %", |par| Some(par.envy_cost.clone()), percentage, Best::Lowest),
    Figure::new("edge %", |par| Some(par.edge()), percentage, Best::Highest),
    Figure::new("edge after envy %", |par| Some(par.edge_after_envy()), percentage, Best::Highest),
    Figure::new("variance", |par| Some(par.variance.clone()), four, Best::Lowest),
    Figure::new("rolls to decide", |par| Some(par.rolls.clone()), four, Best::Lowest),
    Figure::new("edge per roll %", |par| Some(par.edge_per_roll()), percentage, Best::Highest),
    Figure::new("hold per hour $", |par| Some(par.hold_per_hour()), dollars, Best::Highest),
    Figure::new("exposure on one roll $", |par| Some(whole(par.exposure.0)), dollars, Best::Lowest),
];

fn percentage(value: &Ratio) -> String {
    percent(value, 4)
}

fn one_in(value: &Ratio) -> String {
    grouped(&decimal(value, 1))
}

fn four(value: &Ratio) -> String {
    grouped(&decimal(value, 4))
}

impl Figure {
    const fn new(
        name: &'static str,
        value: fn(&Par) -> Option<Ratio>,
        show: fn(&Ratio) -> String,
        best: Best,
    ) -> Figure {
        Figure { name, value, show, best }
    }

    /// The best value among several sheets, where there is a best and they differ.
    pub(crate) fn best_of(&self, pars: &[Par]) -> Option<Ratio> {
        let mut values: Vec<Ratio> = pars.iter().filter_map(|par| (self.value)(par)).collect();
        values.sort();
        match self.best {
            _ if values.len() < 2 || values.first() == values.last() => None,
            Best::Highest => values.pop(),
            Best::Lowest => values.into_iter().next(),
            Best::Neither => None,
        }
    }
}

/// Sheets as text; several are compared side by side first.
pub fn par_text(pars: &[Par]) -> String {
    let mut parts = Vec::new();
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
    let row = |figure: &Figure| {
        let best = figure.best_of(pars);
        let cell = |par: &Par| match (figure.value)(par) {
            Some(value) if Some(&value) == best.as_ref() => format!("* {}", (figure.show)(&value)),
            Some(value) => (figure.show)(&value),
            None => "–".to_owned(),
        };
        let mut row = vec![figure.name.to_owned()];
        row.extend(pars.iter().map(cell));
        row
    };
    let rows: Vec<Vec<String>> = FIGURES.iter().map(row).collect();
    format!("{}\n* best for the house", grid(&header, &rows))
}

fn sheet(par: &Par) -> String {
    let meter = par.meter.map_or(String::new(), |meter| format!(", meter ${meter}"));
    let mut lines = vec![
        format!("{} — {} ({})", par.paytable, par.title, par.wager),
        format!(
            "unit ${}, bettors {}{meter}, {} rolls an hour; {}, rules {}",
            par.unit,
            par.bettors,
            par.rolls_per_hour,
            par.rulebook.0,
            &hex(&par.rulebook.1)[..12]
        ),
    ];
    lines.extend(par.flags().iter().map(|flag| format!("NOTE: {flag}")));
    lines.push(awards(par));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for figure in &FIGURES {
        if let Some(value) = (figure.value)(par) {
            let exact = fraction(&value);
            let exact = if exact.len() <= 40 { exact } else { String::new() };
            rows.push(vec![figure.name.to_owned(), (figure.show)(&value), exact]);
        }
    }
    rows.push(vec!["standard deviation".into(), format!("{:.4}", par.deviation()), String::new()]);
    rows.push(vec![
        "volatility index (90 %)".into(),
        format!("{:.4}", par.volatility_index()),
        String::new(),
    ]);
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
            award.envy.clone().unwrap_or_else(|| "–".to_owned()),
            fraction(&award.chance),
            grouped(&decimal(&award.one_in(), 2)),
            percent(&award.share(), 4),
        ]
    };
    let rows: Vec<Vec<String>> = par.awards.iter().map(row).collect();
    grid(&["award", "pays", "envy", "chance", "one in", "return %"], &rows)
}

#[expect(clippy::float_arithmetic, reason = "hours and quantiles are for reading")]
fn meter_rows(par: &Par) -> String {
    let progressive = par.progressive.as_ref().expect("only progressives have a meter");
    let terms = progressive.terms;
    let hours = progressive.cycle() / par.decisions_per_hour();
    let money = |cents: f64| grouped(&format!("{:.2}", cents / 100.0));
    let mut rows = vec![
        vec!["seed $".to_owned(), terms.seed.to_string()],
        vec!["increment, reserve".to_owned(), format!("{}, {}", terms.increment, terms.reserve)],
        vec![
            "ceiling $".to_owned(),
            terms.ceiling.map_or("none".to_owned(), |ceiling| ceiling.to_string()),
        ],
        vec!["cycle, decisions".to_owned(), grouped(&decimal(&progressive.cycle(), 1))],
        vec!["cycle, hours".to_owned(), grouped(&decimal(&hours, 1))],
        vec!["mean meter when hit $".to_owned(), dollars(&progressive.mean_meter())],
        vec!["long-run return %".to_owned(), percent(&progressive.long_run_return(), 4)],
    ];
    for quantile in [0.1, 0.5, 0.9, 0.99] {
        let name = format!("meter when hit, {:.0} % within $", quantile * 100.0);
        rows.push(vec![name, money(progressive.meter_at(quantile))]);
    }
    for decisions in [1_000.0, 10_000.0, 100_000.0, 1_000_000.0] {
        let name = format!("no hit in {} decisions %", grouped(&format!("{decisions:.0}")));
        rows.push(vec![name, format!("{:.4}", progressive.no_hit(decisions) * 100.0)]);
    }
    for bettors in [1, 2, 4, 6, 8, 12] {
        let breakeven = progressive.breakeven(bettors);
        let shown = breakeven.map_or("–".to_owned(), |cents| dollars(&cents));
        rows.push(vec![format!("break-even meter, {bettors} sharing $"), shown]);
    }
    grid(&["meter", "value"], &rows)
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Sheets as an array of objects, chances and returns as fraction strings; money in cents.
pub fn par_json(pars: &[Par]) -> String {
    let object = |par: &Par| -> Value {
        let award = |award: &craps_math::ParAward| {
            json!({
                "event": award.event,
                "pays": award.pays,
                "envy": award.envy,
                "chance": fraction(&award.chance),
                "one_in": fraction(&award.one_in()),
            })
        };
        json!({
            "paytable": par.paytable,
            "wager": par.wager,
            "unit": par.unit.0,
            "bettors": par.bettors,
            "meter": par.meter.map(|meter| meter.0),
            "awards": par.awards.iter().map(award).collect::<Vec<_>>(),
            "hit_chance": fraction(&par.hit_chance),
            "top_chance": fraction(&par.top_chance),
            "fixed_return": fraction(&par.fixed_return),
            "return_at_meter": fraction(&par.return_at_meter),
            "breakeven_meter": par.breakeven(par.bettors).map(|cents| fraction(&cents)),
            "envy_cost": fraction(&par.envy_cost),
            "edge": fraction(&par.edge()),
            "edge_after_envy": fraction(&par.edge_after_envy()),
            "variance": fraction(&par.variance),
            "rolls": fraction(&par.rolls),
        })
    };
    let objects: Vec<Value> = pars.iter().map(object).collect();
    serde_json::to_string_pretty(&objects).expect("sheets are plain data")
}

/// Sheets as tidy CSV: one row an award, and one a figure, each with numerator and denominator.
pub fn par_csv(pars: &[Par]) -> String {
    let mut csv = Csv::new(&[
        "paytable",
        "wager",
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
    ]);
    for par in pars {
        let mut row = |kind: &str, name: &str, pays: &str, envy: &str, value: Option<&Ratio>| {
            csv.text(&par.paytable);
            csv.text(&par.wager);
            csv.text(&par.unit.0.to_string());
            csv.text(&par.bettors.to_string());
            csv.text(&par.meter.map_or(String::new(), |meter| meter.0.to_string()));
            csv.text(kind);
            csv.text(name);
            csv.text(pays);
            csv.text(envy);
            csv.maybe_ratio(value);
            csv.text(&value.map_or(String::new(), |value| decimal(value, 12)));
            csv.end_row();
        };
        for award in &par.awards {
            let envy = award.envy.as_deref().unwrap_or_default();
            row("chance", &award.event, &award.pays, envy, Some(&award.chance));
            row("return", &award.event, &award.pays, envy, Some(&award.share()));
        }
        for (name, value) in [
            ("hit_chance", Some(par.hit_chance.clone())),
            ("push_chance", Some(par.push_chance.clone())),
            ("top_chance", Some(par.top_chance.clone())),
            ("fixed_return", Some(par.fixed_return.clone())),
            ("return_at_meter", Some(par.return_at_meter.clone())),
            ("breakeven_meter_cents", par.breakeven(par.bettors)),
            ("envy_cost", Some(par.envy_cost.clone())),
            ("edge", Some(par.edge())),
            ("edge_after_envy", Some(par.edge_after_envy())),
            ("variance", Some(par.variance.clone())),
            ("rolls", Some(par.rolls.clone())),
            ("edge_per_roll", Some(par.edge_per_roll())),
            ("hold_per_hour_cents", Some(par.hold_per_hour())),
            ("exposure_cents", Some(whole(par.exposure.0))),
        ] {
            row("figure", name, "", "", value.as_ref());
        }
    }
    csv.finish()
}
