//! Sessions as one HTML page, to read on a screen and to print. It is complete in itself.

use craps::machine::End;
use craps_math::session::{Length, Over};

use super::PlanSession;
use super::charts::{self, Bins};
use super::over::by_share;
use super::rows::{Row, Value, figures, hours, length, money};
use crate::markup::{amount, counted, document, escape, grouped};
use crate::plot::Chart;

/// The report: plans side by side, then their charts, then what they were played with.
pub fn session_html(sessions: &[PlanSession], version: &str) -> String {
    let title = match sessions {
        [it] => format!("Session: {}", it.plan),
        _ => format!("{} side by side", counted(sessions.len(), "plan")),
    };
    let parts = [
        front(sessions, &title, version),
        comparison(sessions),
        pictures(sessions),
        played(sessions),
        READING.to_owned(),
    ];
    let class = if sessions.len() > 1 { "session" } else { "session alone" };
    document(&title, "Session report", class, "", &parts.concat())
}

/// The title, what all of them played for, and what was found.
fn front(sessions: &[PlanSession], title: &str, version: &str) -> String {
    let terms: [fn(&PlanSession) -> Option<String>; 4] = [
        |it| Some(format!("{} to sit down with", amount(it.session.bankroll))),
        |it| Some(length(it)),
        |it| it.session.goal.map(|goal| format!("goal {}", amount(goal))),
        |it| it.session.floor.map(|floor| format!("floor {}", amount(floor))),
    ];
    let shared = |term: &fn(&PlanSession) -> Option<String>| {
        let mut told = sessions.iter().map(term);
        let first = told.next()??;
        told.all(|other| other.as_ref() == Some(&first)).then_some(first)
    };
    let mut terms: Vec<String> = terms.iter().filter_map(shared).collect();
    terms.push(format!("made by {version}"));
    let found = sessions.iter().filter_map(|it| Some((&it.plan, it.found.as_ref()?)));
    let found: String = found
        .map(|(plan, found)| {
            let (plan, found) = (escape(plan), escape(found));
            format!("<p class=\"lead\"><strong>{plan}:</strong> {found}.</p>")
        })
        .collect();
    let error = sessions.iter().map(|it| it.outcome.error()).fold(0.0, f64::max);
    format!(
        "<header class=\"front\"><h1>{}</h1><p class=\"terms\">{}.</p></header>{found}\
         <p class=\"lead\">Nothing is sampled: the chance of every position and every cent is \
         carried from roll to roll, and every chance below is exact to {error:.0e}.</p>",
        escape(title),
        escape(&terms.join(", "))
    )
}

/// The grid.
fn comparison(sessions: &[PlanSession]) -> String {
    let heads: String = sessions
        .iter()
        .map(|it| format!("<th scope=\"col\" class=\"n\">{}</th>", breakable(&it.plan)))
        .collect();
    let rows: String = figures(sessions).iter().map(row).collect();
    format!(
        "<section class=\"comparison\"><h2>{}</h2>\
         <div class=\"wide\"><table><thead><tr><th scope=\"col\">The plan</th>{heads}</tr></thead>\
         <tbody>{rows}</tbody></table></div></section>",
        if sessions.len() > 1 { "Side by side" } else { "In figures" }
    )
}

fn row((row, values): &(&Row, Vec<Option<Value>>)) -> String {
    let cell = |value: &Option<Value>| {
        let shown = value.as_ref().map_or_else(|| "–".to_owned(), ToString::to_string);
        // How long it lasts is told in rolls and in hours.
        let shown = match (value, shown.split_once(", ")) {
            (Some(Value::Words(_)), Some((rolls, hours))) => {
                format!("{}<small>{}</small>", escape(rolls), escape(hours))
            }
            _ => escape(&shown),
        };
        format!("<td class=\"n\">{shown}</td>")
    };
    let cells: String = values.iter().map(cell).collect();
    let set_in = if row.name.starts_with(' ') { " class=\"set-in\"" } else { "" };
    format!("<tr><th scope=\"row\"{set_in}>{}</th>{cells}</tr>", escape(row.name.trim()))
}

/// Every chart: those of one plan together, those of several by what they show.
pub(crate) fn pictures(sessions: &[PlanSession]) -> String {
    let fans = figures_of(sessions.iter().filter_map(|it| charts::fan(it, sessions)));
    let endings = Over::ALL.into_iter().filter_map(|over| charts::over(sessions, over));
    let endings = figures_of(endings) + &ruin(sessions);
    let alone = sessions.len() == 1;
    let bins = Bins::of(sessions);
    let finals = bins.iter().flat_map(|bins| {
        let title =
            |it: &PlanSession| if alone { "Where it ends".to_owned() } else { it.plan.clone() };
        sessions.iter().map(move |it| charts::finals(it, bins, &title(it)))
    });
    let finals = figures_of(finals);
    let parts = match alone {
        true => vec![("In pictures", "", [fans, finals, endings].concat())],
        false => vec![
            ("Money over time", "All have the same axis of money.", fans),
            ("When it is over", "The chance to be over within so many rolls.", endings),
            ("Where it ends", "All have the same axes.", finals),
        ],
    };
    let drawn = parts.into_iter().filter(|(.., charts)| !charts.is_empty());
    drawn.map(|(title, says, charts)| section(title, says, &charted(&charts))).collect()
}

/// How soon the ruined are ruined.
fn ruin(sessions: &[PlanSession]) -> String {
    const RUINED: Over = Over::Ended(End::Ruined);
    let by = |it: &PlanSession, part: f64| match by_share(it, RUINED, part) {
        Some(roll) => format!(
            "<td class=\"n\">{}<small>{}</small></td>",
            grouped(&roll.to_string()),
            hours(roll, it.pace)
        ),
        None => "<td class=\"n\">–</td>".to_owned(),
    };
    if sessions.iter().all(|it| by_share(it, RUINED, 0.5).is_none()) {
        return String::new();
    }
    let rows: String = sessions
        .iter()
        .map(|it| {
            format!(
                "<tr><th scope=\"row\">{}</th>{}{}{}</tr>",
                breakable(&it.plan),
                by(it, 0.1),
                by(it, 0.5),
                by(it, 0.9)
            )
        })
        .collect();
    format!(
        "<div class=\"wide\"><table><caption>Rolls until ruin</caption><thead><tr>\
         <th scope=\"col\">Of those ruined</th>\
         <th scope=\"col\" class=\"n\">1 in 10 by</th><th scope=\"col\" class=\"n\">half by</th>\
         <th scope=\"col\" class=\"n\">9 in 10 by</th></tr></thead><tbody>{rows}</tbody></table>\
         </div>"
    )
}

/// What each plan was played with.
fn played(sessions: &[PlanSession]) -> String {
    let item = |name: &str, said: &str| match said {
        "" => String::new(),
        _ => format!("<div><dt>{name}</dt><dd>{}</dd></div>", breakable(said)),
    };
    let one = |it: &PlanSession| {
        let [params, rules, options, meters, hash] = it.played.lines().map(|(_, said)| said);
        let outcome = &it.outcome;
        let parts = [
            (outcome.rounding, "rounded"),
            (outcome.trimmed, "too small to follow"),
            (outcome.alive, "not over yet"),
        ];
        let parts = parts.into_iter().filter(|(part, _)| *part > 0.0);
        let parts: Vec<String> = parts.map(|(part, why)| format!("{part:.0e} {why}")).collect();
        let error = format!("{:.0e}: {}", outcome.error(), parts.join(", "));
        let items = [
            item("Params", &params),
            item("Rules", &rules),
            item("Options", &options),
            item("Meters", &meters),
            item("Positions", &grouped(&it.positions.to_string())),
            item("Money moves in", &money(outcome.unit.0 as f64)),
            item("Exact to", &error),
            item("SHA-256 of rules", &hash),
        ];
        format!(
            "<div><h3>{}</h3><p>{}</p><dl class=\"played\">{}</dl></div>",
            breakable(&it.plan),
            escape(&it.played.about),
            items.concat()
        )
    };
    let all: String = sessions.iter().map(one).collect();
    let pace = sessions.iter().find(|it| matches!(it.session.length, Length::Rolls(_)));
    let pace = pace
        .map_or(String::new(), |it| format!("An hour is {} rolls.", grouped(&it.pace.to_string())));
    section("What was played", &pace, &charted(&all))
}

pub(crate) fn section(title: &str, says: &str, body: &str) -> String {
    let says = if says.is_empty() { String::new() } else { format!("<p>{says}</p>") };
    format!("<section><h2>{title}</h2>{says}{body}</section>")
}

fn figures_of(charts: impl Iterator<Item = Chart>) -> String {
    charts.map(|chart| format!("<figure>{}</figure>", chart.svg)).collect()
}

/// Charts, and what belongs with them, in as many columns as there is room for.
pub(crate) fn charted(all: &str) -> String {
    format!("<div class=\"charts\">{all}</div>")
}

/// A name or a list that may go on to the next line after a stroke, an equals sign or a dash.
pub(crate) fn breakable(text: &str) -> String {
    escape(text).replace('/', "/<wbr>").replace('-', "-<wbr>").replace('=', "=<wbr>")
}

/// What the words on the page mean.
const READING: &str = "<footer class=\"reading\"><h2>How to read this</h2><dl>\
    <div><dt>Is ruined</dt><dd>Nothing is up and what the plan asks for cannot be paid. Some \
    money may be left.</dd></div>\
    <div><dt>Leaves, bets no more</dt><dd>The plan went by itself, or has nothing more to ask \
    for.</dd></div>\
    <div><dt>Wins on average</dt><dd>The mean of all results, less what it sat down with. \
    <i>Give or take</i> is the standard deviation. Bets that have to stay when time is up count \
    at face value; <i>what stays, at its worth</i> counts them at what they will bring.</dd></div>\
    <div><dt>Bets decided</dt><dd>The stakes of all bets won, lost and pushed, on average. \
    <i>Cost of each dollar</i> is what was lost of them.</dd></div>\
    <div><dt>Money over time</dt><dd>Chips up, at face value, and in the rack; \
    sessions that are over stay where they ended. The dotted line is the start. On the right: \
    what 1 in 20 exceeds, the median, what 1 in 20 stays below.</dd></div>\
    <div><dt>Where it ends</dt><dd>Every final result; those beyond an end of the axis are in the \
    bar there. An arrow marks a bar that is higher than the chart.</dd></div>\
    <div><dt>Exact to</dt><dd>No chance is further than this from the true one.</dd></div>\
    </dl></footer>";
