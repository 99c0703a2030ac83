//! The meter of a progressive: how it grows, when it is hit, and when players have the edge.

use craps::Rate;
use craps::terms::Winners;
use craps_math::{Par, Progressive, fraction, whole};

use super::figure::Figure;
use crate::figures::{NO_TERMS, QUANTILES};
use crate::markup::{amount, dollars, grouped};
use crate::svg;

/// What there is to say of the meter; nothing for a wager without one.
pub(super) fn section(par: &Par) -> String {
    let Some(progressive) = &par.progressive else { return String::new() };
    format!(
        "<h3>Meter</h3>{}<dl class=\"cards\">{}{}</dl><div class=\"pair\">{}{}</div>",
        standing_still(progressive),
        funding(progressive),
        cycle(par, progressive),
        quantiles(progressive),
        breakeven(par, progressive)
    )
}

/// A meter that nothing is added to has no life of its own, which a reader should know.
fn standing_still(progressive: &Progressive) -> &'static str {
    let terms = progressive.terms;
    match terms.increment == Rate::ZERO && !terms.are_unset() {
        true => "<p>No increment is set, so the meter stays at its seed.</p>",
        false => "",
    }
}

fn funding(progressive: &Progressive) -> String {
    let terms = progressive.terms;
    let winners = match terms.winners {
        Winners::Share => "share the meter",
        Winners::InFull => "each take it in full",
    };
    [
        Figure::words(amount(terms.seed)).card("Seed"),
        Figure::words(rate(terms.increment)).card("Increment, of each bet"),
        Figure::words(rate(terms.reserve)).card("Reserve, of each bet"),
        Figure::words(terms.ceiling.map_or("none".to_owned(), amount)).card("Ceiling"),
        Figure::words(winners).card("Several winners"),
    ]
    .concat()
}

/// `2.5 %`.
fn rate(rate: Rate) -> String {
    rate.to_string().replace('%', "\u{a0}%")
}

fn cycle(par: &Par, progressive: &Progressive) -> String {
    let cycle = progressive.cycle();
    let hours = &cycle / par.decisions_per_hour();
    let exact = progressive.is_mean_exact();
    let (mean, long_run) = (progressive.mean_meter(), progressive.long_run_return());
    let long_run = long_run.as_ref().map_or_else(Figure::no_terms, Figure::share);
    [
        Figure::number(&cycle, 2).card("Cycle, decisions"),
        Figure::number(&hours, 1).card("Cycle, hours"),
        Figure::money_if(mean.as_ref()).exact_if(exact).card("Mean meter when hit"),
        long_run.exact_if(exact).card("Long-run return"),
    ]
    .concat()
}

#[expect(clippy::float_arithmetic, reason = "a share as a percentage, for reading")]
fn quantiles(progressive: &Progressive) -> String {
    let rows: String = QUANTILES
        .into_iter()
        .map(|quantile| {
            let name = format!("{:.0}\u{a0}%", quantile * 100.0);
            let meter = progressive.meter_at(quantile);
            let meter = meter.map_or_else(|| NO_TERMS.to_owned(), to_the_dollar);
            format!("<tr><th scope=\"row\">{name}</th><td class=\"n\">{meter}</td></tr>")
        })
        .collect();
    format!(
        "<div><table><caption>Meter when hit</caption><thead><tr>\
         <th scope=\"col\">Share of hits</th><th scope=\"col\" class=\"n\">Meter at most</th></tr>\
         </thead><tbody>{rows}</tbody></table></div>"
    )
}

/// A float of cents, to the dollar: a quantile is an estimate and not a sum to be paid.
#[expect(clippy::float_arithmetic, reason = "a quantile for reading")]
fn to_the_dollar(cents: f64) -> String {
    format!("${}", grouped(&format!("{:.0}", cents / 100.0)))
}

fn breakeven(par: &Par, progressive: &Progressive) -> String {
    let rows: String = svg::bettors_shown(par)
        .map(|bettors| {
            let (class, here) = match bettors == par.bettors {
                true => (" class=\"here\"", " (here)"),
                false => ("", ""),
            };
            let cells = match progressive.breakeven(bettors) {
                Some(cents) => format!(
                    "<td class=\"n\">{}</td><td class=\"n exact\">{}</td>",
                    dollars(&cents),
                    fraction(&(cents / whole(100)))
                ),
                None => "<td class=\"n\">none</td><td></td>".to_owned(),
            };
            format!("<tr{class}><th scope=\"row\">{bettors}{here}</th>{cells}</tr>")
        })
        .collect();
    format!(
        "<div><table><caption>Break-even by bettors</caption><thead><tr>\
         <th scope=\"col\">Bettors</th><th scope=\"col\" class=\"n\">Break-even meter</th>\
         <th scope=\"col\" class=\"n\">Exactly, in dollars</th></tr>\
         </thead><tbody>{rows}</tbody></table></div>"
    )
}
