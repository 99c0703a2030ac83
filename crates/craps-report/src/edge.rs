//! Edges as a table, JSON and CSV, and one by one for a screen.

use craps::{Cents, Rules};
use craps_math::{Edge, Ratio, Target, Unpriced, decimal, fraction, percent};
use serde::Serialize;

use crate::csv::{Csv, LineEnd};
use crate::table::grid;

/// Edges as a readable table, lowest edge first.
pub fn edge_text(edges: &[Edge]) -> String {
    let mut sorted: Vec<&Edge> = edges.iter().collect();
    sorted.sort_by_key(|edge| edge.edge());
    let header = [
        "wager",
        "edge %",
        "fraction",
        "of outlay %",
        "no pushes %",
        "per roll %",
        "deviation",
        "hit %",
        "push %",
        "rolls",
    ];
    let row = |edge: &&Edge| {
        vec![
            edge.target.name.clone(),
            percent(&edge.edge(), 4),
            short(&edge.edge()),
            percent(&edge.edge_of_outlay(), 4),
            percent(&edge.edge_without_pushes(), 4),
            percent(&edge.edge_per_roll(), 4),
            format!("{:.4}", edge.deviation()),
            percent(&edge.hit, 3),
            percent(&edge.push, 3),
            decimal(&edge.rolls, 3),
        ]
    };
    grid(&header, &sorted.iter().map(row).collect::<Vec<_>>())
}

/// A fraction that fits a column, or the first digits of one that does not.
pub(crate) fn short(value: &Ratio) -> String {
    let text = fraction(value);
    if text.len() <= 24 { text } else { format!("≈{}", decimal(value, 12)) }
}

/// Edges as an array of objects.
pub fn edge_json(edges: &[WagerEdge]) -> String {
    serde_json::to_string_pretty(edges).expect("edges are plain data")
}

/// Edges as CSV, a row a wager, exact figures in numerator and denominator columns.
pub fn edge_csv(edges: &[Edge]) -> String {
    let header = [
        "wager",
        "paytable",
        "stake_cents",
        "ev_numerator",
        "ev_denominator",
        "edge_percent",
        "edge_of_outlay_percent",
        "edge_without_pushes_percent",
        "edge_per_roll_percent",
        "variance_numerator",
        "variance_denominator",
        "deviation",
        "hit_numerator",
        "hit_denominator",
        "push_numerator",
        "push_denominator",
        "rolls_numerator",
        "rolls_denominator",
    ];
    let mut csv = Csv::new(&header, LineEnd::Lf);
    for edge in edges {
        csv.text(&edge.target.name);
        csv.text(edge.paytable.as_deref().unwrap_or_default());
        csv.text(&edge.stake.map_or(String::new(), |stake| stake.0.to_string()));
        csv.ratio(&edge.ev);
        csv.text(&percent(&edge.edge(), 6));
        csv.text(&percent(&edge.edge_of_outlay(), 6));
        csv.text(&percent(&edge.edge_without_pushes(), 6));
        csv.text(&percent(&edge.edge_per_roll(), 6));
        csv.ratio(&edge.variance);
        csv.text(&format!("{:.6}", edge.deviation()));
        csv.ratio(&edge.hit);
        csv.ratio(&edge.push);
        csv.ratio(&edge.rolls);
        csv.end_row();
    }
    csv.finish()
}

/// What a wager is worth, as JSON says it: exact figures as fractions in strings, rounded ones as
/// numbers. The figures are missing where it cannot be priced, and then `unpriced` says why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct WagerEdge {
    /// How it is written: `place 6`, `pass+odds max`, `odds come 4`.
    #[cfg_attr(feature = "schema", schema(example = "place 6"))]
    pub wager: String,
    /// How it is called: `Place 6`.
    pub title: String,
    /// The paytable it is paid by.
    pub paytable: Option<String>,
    /// What is bet, in cents; none where ratios are exact and nothing is rounded.
    #[cfg_attr(feature = "schema", ts(type = "number | null"), schema(value_type = Option<i64>))]
    pub stake: Option<Cents>,
    /// What its meter shows, in cents, where it has one.
    #[cfg_attr(feature = "schema", ts(type = "number | null"), schema(value_type = Option<i64>))]
    pub meter: Option<Cents>,
    /// The expected net result for a stake of one, as a fraction.
    #[cfg_attr(feature = "schema", schema(example = "-1/66"))]
    pub ev: Option<String>,
    /// The house's share of each dollar bet, as a fraction.
    #[cfg_attr(feature = "schema", schema(example = "1/66"))]
    pub edge: Option<String>,
    /// The same in percent.
    pub edge_percent: Option<f64>,
    /// The house's share of each dollar put up, commission included, in percent.
    pub edge_of_outlay_percent: Option<f64>,
    /// The edge for each roll on which the bet works, in percent.
    pub edge_per_roll_percent: Option<f64>,
    /// The variance of the result for a stake of one, as a fraction.
    #[cfg_attr(feature = "schema", schema(example = "845/726"))]
    pub variance: Option<String>,
    /// Its root, the standard deviation.
    pub deviation: Option<f64>,
    /// How often it is paid an award, one that only brings the stake back among them (1 for 1), in
    /// percent; a push is none.
    pub hit_percent: Option<f64>,
    /// How often it pushes, in percent.
    pub push_percent: Option<f64>,
    /// Every result there is, lowest first.
    pub outcomes: Option<Vec<Outcome>>,
    /// The mean number of rolls on which it works, as a fraction.
    #[cfg_attr(feature = "schema", schema(example = "36/11"))]
    pub rolls: Option<String>,
    /// The same as a number.
    pub mean_rolls: Option<f64>,
    /// Why it cannot be priced.
    pub unpriced: Option<String>,
    /// What to know of the price: other ways in which the bet may begin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", ts(as = "Option<Vec<String>>", optional))]
    pub notes: Vec<String>,
}

/// One result of a bet, for a stake of one, and how likely it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct Outcome {
    /// What is won, or lost.
    #[cfg_attr(feature = "schema", schema(example = "7/6"))]
    pub net: String,
    /// How likely that is.
    #[cfg_attr(feature = "schema", schema(example = "5/11"))]
    pub chance: String,
}

impl WagerEdge {
    /// What was priced at `stake`, with `meter` on its meter, or why it was not.
    pub fn of(
        rules: &Rules,
        target: &Target,
        stake: Option<Cents>,
        meter: Option<Cents>,
        edge: Result<&Edge, &Unpriced>,
    ) -> WagerEdge {
        let wager = rules.wager_at(target.spot);
        let priced = edge.ok();
        let exact = |of: fn(&Edge) -> Ratio| priced.map(|edge| fraction(&of(edge)));
        let rounded = |of: fn(&Edge) -> Ratio| priced.map(|edge| six_decimals(&of(edge)));
        let percent = |of: fn(&Edge) -> Ratio| {
            priced.map(|edge| six_decimals(&(of(edge) * Ratio::from(100))))
        };
        let outcome = |(net, chance): &(Ratio, Ratio)| Outcome {
            net: fraction(net),
            chance: fraction(chance),
        };
        WagerEdge {
            wager: target.name.clone(),
            title: target.title(rules),
            paytable: wager.paytable.clone(),
            stake,
            meter,
            ev: exact(|edge| edge.ev.clone()),
            edge: exact(Edge::edge),
            edge_percent: percent(Edge::edge),
            edge_of_outlay_percent: percent(Edge::edge_of_outlay),
            edge_per_roll_percent: percent(Edge::edge_per_roll),
            variance: exact(|edge| edge.variance.clone()),
            deviation: priced.map(Edge::deviation),
            hit_percent: percent(|edge| edge.hit.clone()),
            push_percent: percent(|edge| edge.push.clone()),
            outcomes: priced.map(|edge| edge.outcomes.iter().map(outcome).collect()),
            rolls: exact(|edge| edge.rolls.clone()),
            mean_rolls: rounded(|edge| edge.rolls.clone()),
            unpriced: edge.err().map(ToString::to_string),
            notes: priced.map(Edge::notes).unwrap_or_default(),
        }
    }
}

pub(crate) fn six_decimals(value: &Ratio) -> f64 {
    decimal(value, 6).parse().unwrap_or(f64::NAN)
}
