//! One sheet: its key figures, its awards, its meter and its charts.

use craps_math::{Par, Ratio, decimal, fraction, whole};

use super::figure::Figure;
use super::meter;
use crate::endings::{Ending, endings};
use crate::markup::{amount, escape};
use crate::page::made_for;
use crate::svg;

/// The sheet of one wager, to be found under `anchor`.
pub(super) fn sheet(par: &Par, anchor: &str) -> String {
    let flags: String = par
        .flags()
        .iter()
        .map(|flag| {
            format!("<p class=\"flag\" role=\"note\"><strong>Note:</strong> {}</p>", escape(flag))
        })
        .collect();
    format!(
        "<article class=\"sheet\" id=\"{anchor}\"><header><h2>{}<span>{}</span></h2>\
         <p class=\"terms\">{}</p></header>{flags}{}{}{}{}</article>",
        escape(&par.title),
        escape(&par.paytable),
        escape(&made_for(par)),
        key_figures(par),
        awards(par),
        meter::section(par),
        charts(par)
    )
}

fn key_figures(par: &Par) -> String {
    let exact = par.progressive.as_ref().is_none_or(craps_math::Progressive::is_mean_exact);
    let mut cards = vec![Figure::share(&par.hit_chance).card("Hit chance")];
    if par.push_chance > Ratio::ZERO {
        cards.push(Figure::share(&par.push_chance).card("Push chance"));
    }
    if let Some(top) = par.awards.first() {
        cards.push(Figure::number(&top.one_in(), 2).card("Top award, one in"));
    }
    if par.progressive.is_some() {
        cards.push(Figure::share(&par.fixed_return).card("Fixed return"));
        cards.push(Figure::share(&par.return_at_meter).card("Return at this meter"));
        let breakeven = par.breakeven(par.bettors);
        let none = || Figure::words("none");
        cards.push(breakeven.as_ref().map_or_else(none, Figure::money).card("Break-even meter"));
    } else {
        cards.push(Figure::share(&par.return_at_meter).card("Return"));
    }
    cards.extend([
        Figure::share(&par.edge()).card("Edge"),
        Figure::share(&par.envy_cost).card("Envy cost"),
        Figure::share(&par.edge_after_envy()).card("Edge after envy"),
        Figure::share(&par.edge_per_roll()).card("Edge per roll"),
        deviation(par).card("Standard deviation"),
        Figure::words(format!("{:.4}", par.volatility_index())).card("Volatility index"),
        Figure::number(&par.rolls, 4).card("Rolls to decide"),
        Figure::number(&par.decisions_per_hour(), 2).card("Decisions an hour"),
        Figure::money_if(par.hold_per_hour().as_ref()).exact_if(exact).card("Hold per hour"),
        Figure::money(&whole(par.exposure.0))
            .card(&format!("Exposure at {} each", amount(par.maximum))),
    ]);
    format!("<h3>Key figures</h3><dl class=\"cards\">{}</dl>", cards.concat())
}

/// The standard deviation, which is no fraction, with the variance, which is.
fn deviation(par: &Par) -> Figure {
    let exact = format!("variance {}", fraction(&par.variance));
    Figure::resting_on(format!("{:.4}", par.deviation()), exact)
}

/// Every award, then how else the wager ends, then the whole.
fn awards(par: &Par) -> String {
    let rows: String = endings(par).iter().map(row).collect();
    format!(
        "<h3>Awards</h3><div class=\"wide\"><table class=\"awards\"><thead><tr>\
         <th scope=\"col\">Event</th><th scope=\"col\">Pays</th><th scope=\"col\">Envy</th>\
         <th scope=\"col\" class=\"n\">Chance</th><th scope=\"col\" class=\"n\">One in</th>\
         <th scope=\"col\" class=\"n\">Return</th></tr></thead><tbody>{rows}</tbody>\
         <tfoot><tr><th scope=\"row\" colspan=\"3\">All together</th><td class=\"n\">1</td>\
         <td></td><td class=\"n\">{}</td></tr></tfoot></table></div>",
        Figure::share(&par.return_at_meter).stacked()
    )
}

fn row(ending: &Ending) -> String {
    let Ending { event, pays, here, envy, chance, share } = ending;
    let (event, chances) = (escape(event), chances(chance, share));
    let Some(pays) = pays else {
        return format!("<tr><th scope=\"row\" colspan=\"3\">{event}</th>{chances}</tr>");
    };
    let here = here.as_ref().map_or(String::new(), |here| format!("<small>{here}</small>"));
    format!(
        "<tr><th scope=\"row\">{event}</th><td>{}{here}</td><td>{}</td>{chances}</tr>",
        escape(pays),
        escape(envy.as_deref().unwrap_or("none")),
    )
}

/// A chance in every form, and its part of the return.
fn chances(chance: &Ratio, back: &Ratio) -> String {
    let one_in = match *chance > Ratio::ZERO {
        true => Figure::number(&(Ratio::ONE / chance), 2).titled(),
        false => String::new(),
    };
    format!(
        "<td class=\"n\">{}<small>{}</small></td><td class=\"n\">{one_in}</td>\
         <td class=\"n\">{}</td>",
        decimal(chance, 10),
        fraction(chance),
        Figure::share(back).stacked()
    )
}

fn charts(par: &Par) -> String {
    let drawn = svg::all(par);
    let figures: String =
        drawn.iter().map(|chart| format!("<figure>{}</figure>", chart.svg)).collect();
    let same = match par.envy_cost > Ratio::ZERO && svg::envy_against_bettors(par).is_none() {
        true => {
            "<p class=\"legend\">Envy costs the same share of the handle for any number of \
             bettors.</p>"
        }
        false => "",
    };
    format!("<h3>Charts</h3><div class=\"charts\">{figures}</div>{same}")
}
