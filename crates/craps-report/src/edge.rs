//! Edges as a table, JSON and CSV.

use craps_math::{Edge, Ratio, decimal, fraction, percent};
use serde_json::{Value, json};

use crate::csv::{Csv, LineEnd};
use crate::table::{grid, number};

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
            percent(&-edge.ev_of_outlay.clone(), 4),
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
fn short(value: &Ratio) -> String {
    let text = fraction(value);
    if text.len() <= 24 { text } else { format!("≈{}", decimal(value, 12)) }
}

/// Edges as an array of objects, fractions as strings.
pub fn edge_json(edges: &[Edge]) -> String {
    let object = |edge: &Edge| -> Value {
        let outcome = |(net, chance): &(Ratio, Ratio)| {
            let (net, chance) = (fraction(net), fraction(chance));
            json!({ "net": net, "chance": chance })
        };
        json!({
            "wager": edge.target.name,
            "paytable": edge.paytable,
            "stake": edge.stake.map(|stake| stake.0),
            "ev": fraction(&edge.ev),
            "edge_percent": number(&(edge.edge() * Ratio::from(100))),
            "edge_of_outlay_percent": number(&(-edge.ev_of_outlay.clone() * Ratio::from(100))),
            "variance": fraction(&edge.variance),
            "outcomes": edge.outcomes.iter().map(outcome).collect::<Vec<_>>(),
            "rolls": fraction(&edge.rolls),
        })
    };
    let objects: Vec<Value> = edges.iter().map(object).collect();
    serde_json::to_string_pretty(&objects).expect("edges are plain data")
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
        csv.text(&percent(&-edge.ev_of_outlay.clone(), 6));
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
