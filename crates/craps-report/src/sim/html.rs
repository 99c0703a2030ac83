//! Samples as one HTML page, to read on a screen and to print. It is complete in itself.

use super::PlanSim;
use super::rows::{Figure, Row, figures};
use super::view::view;
use crate::markup::{amount, counted, document, escape, grouped};
use crate::session::PlanSession;
use crate::session::html::{breakable, charted, pictures, section};
use crate::session::rows::lasting;

/// The report: plans side by side, then their charts, then what was sampled.
pub fn sim_html(sims: &[PlanSim], version: &str) -> String {
    let title = match sims {
        [it] => format!("Simulation: {}", it.inputs.plan),
        _ => format!("{} on the same dice", counted(sims.len(), "plan")),
    };
    let views: Vec<PlanSession> = sims.iter().filter_map(view).collect();
    let pictures = if views.is_empty() { String::new() } else { pictures(&views) };
    let parts = [
        front(sims, &title, version),
        comparison(sims),
        pictures,
        played(sims),
        READING.to_owned(),
    ];
    let class = if sims.len() > 1 { "session" } else { "session alone" };
    document(&title, "Simulation report", class, "", &parts.concat())
}

fn front(sims: &[PlanSim], title: &str, version: &str) -> String {
    let terms = sims.first().map_or(String::new(), |it| {
        let session = &it.inputs.session;
        let mut terms = vec![
            format!("{} sessions", grouped(&it.sessions().to_string())),
            format!("{} to sit down with", amount(session.bankroll)),
            lasting(session.length, it.inputs.pace),
        ];
        terms.extend(session.goal.map(|goal| format!("goal {}", amount(goal))));
        terms.extend(session.floor.map(|floor| format!("floor {}", amount(floor))));
        terms.join(", ")
    });
    format!(
        "<header class=\"front\"><h1>{}</h1><p class=\"terms\">{}, made by {}.</p></header>\
         <p class=\"lead\">Dice were thrown. Behind each figure stands its standard error, and \
         beside it what it is exactly, where that was worked out.</p>",
        escape(title),
        escape(&terms),
        escape(version)
    )
}

/// The grid: what was sampled, and what it is exactly.
fn comparison(sims: &[PlanSim]) -> String {
    let heads: String = sims
        .iter()
        .map(|it| {
            format!(
                "<th scope=\"col\" class=\"n\">{}</th><th scope=\"col\" class=\"n\">exactly</th>",
                breakable(&it.inputs.plan)
            )
        })
        .collect();
    let rows: String = figures(sims).iter().map(row).collect();
    let table = format!(
        "<div class=\"wide\"><table><thead><tr><th scope=\"col\">The plan</th>{heads}</tr></thead>\
         <tbody>{rows}</tbody></table></div>"
    );
    let title = if sims.len() > 1 { "Side by side" } else { "In figures" };
    format!("<section class=\"comparison\"><h2>{title}</h2>{table}</section>")
}

fn row((row, figures): &(&Row, Vec<Option<Figure>>)) -> String {
    let small = |text: &str| match text {
        "" => String::new(),
        text => format!("<small>{}</small>", escape(text)),
    };
    let cells = |figure: &Option<Figure>| {
        let figure = figure.clone().unwrap_or_default();
        let words = figure.sampled_words();
        let (value, error) = words.split_once(" ± ").unwrap_or((&words, ""));
        let error = if error.is_empty() { String::new() } else { format!("± {error}") };
        let exact = figure.exact.as_ref().map_or(String::new(), ToString::to_string);
        let apart = match figure.apart_words() {
            apart if apart.is_empty() => apart,
            apart => format!("{apart} apart"),
        };
        format!(
            "<td class=\"n\">{}{}</td><td class=\"n\">{}{}</td>",
            escape(value),
            small(&error),
            escape(&exact),
            small(&apart)
        )
    };
    let cells: String = figures.iter().map(cells).collect();
    let set_in = if row.name.starts_with(' ') { " class=\"set-in\"" } else { "" };
    format!("<tr><th scope=\"row\"{set_in}>{}</th>{cells}</tr>", escape(row.name.trim()))
}

/// What was sampled of each plan: enough to do it again.
fn played(sims: &[PlanSim]) -> String {
    let one = |it: &PlanSim| {
        let words = it.words();
        let items = words.iter().map(|(name, said)| {
            let name = name.replace('_', " ");
            format!("<div><dt>{}</dt><dd>{}</dd></div>", escape(&name), breakable(said))
        });
        format!(
            "<div><h3>{}</h3><p>{}</p><dl class=\"played\">{}</dl></div>",
            breakable(&it.inputs.plan),
            escape(&it.inputs.played.about),
            items.collect::<String>()
        )
    };
    let all: String = sims.iter().map(one).collect();
    section("What was sampled", "", &charted(&all))
}

/// What the words on the page mean.
const READING: &str = "<footer class=\"reading\"><h2>How to read this</h2><dl>\
    <div><dt>±</dt><dd>The standard error: two times in three a figure is no further than this \
    from the truth, and hardly ever further than four times as much.</dd></div>\
    <div><dt>Is ruined</dt><dd>Nothing is up and what the plan asks for cannot be paid. Some \
    money may be left.</dd></div>\
    <div><dt>Largest drop</dt><dd>The most that a session fell from where it had stood before. \
    This, the highest and the lowest and the longest hand are of those sessions that were followed \
    roll by roll.</dd></div>\
    <div><dt>Longest hand</dt><dd>The most rolls of one shooter; a hand that time cut short \
    counts as far as it went.</dd></div>\
    <div><dt>Bets decided, theoretical loss</dt><dd>The stakes of all bets won, lost and pushed, \
    and what they cost: what a casino rates a player by. Worked out, never sampled. <i>An \
    hour</i> is of the long run, while every ask can be paid.</dd></div>\
    <div><dt>Money over time</dt><dd>Chips up, at face value, and in the rack; sessions that are \
    over stay where they ended.</dd></div>\
    </dl></footer>";
