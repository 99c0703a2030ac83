//! The atlas as text, CSV, JSON, one HTML page, and the page of the documentation.

use craps::{Cents, Library};
use craps_math::{Atlas, Charted, Compared, Edge, Ratio, decimal, fraction, percent, whole};
use serde::Serialize;

use crate::csv::{Csv, LineEnd};
use crate::edge::{short, six_decimals};
use crate::markup::{amount, document, escape};
use crate::published::{Collected, Line, PublishedFigure};
use crate::table::grid;

/// Every wager of every rulebook and paytable, and what others have published of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct AtlasPage {
    /// How many rolls an hour has.
    pub rolls_per_hour: u32,
    /// The wagers.
    pub wagers: Vec<AtlasWager>,
}

/// One wager of the atlas: exact figures as fractions in strings, rounded ones as numbers. They
/// are missing where it cannot be priced, and then `unpriced` says why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct AtlasWager {
    /// The rulebook it is in.
    #[cfg_attr(feature = "schema", schema(example = "presque-isle"))]
    pub rulebook: String,
    /// The paytable it is paid by, where there is a choice.
    pub paytable: Option<String>,
    /// How it is written: `place 6`.
    #[cfg_attr(feature = "schema", schema(example = "place 6"))]
    pub wager: String,
    /// How it is called: `Place 6`.
    pub title: String,
    /// What its meter shows, in cents, where it has one: the suggested seed.
    #[cfg_attr(feature = "schema", ts(type = "number | null"), schema(value_type = Option<i64>))]
    pub meter: Option<Cents>,
    /// The house's share of each dollar bet.
    #[cfg_attr(feature = "schema", schema(example = "1/66"))]
    pub edge: Option<String>,
    /// The same in percent.
    pub edge_percent: Option<f64>,
    /// The standard deviation of the result for a stake of one.
    pub deviation: Option<f64>,
    /// The chance of an award, one that only brings the stake back among them (1 for 1); a push is
    /// none.
    #[cfg_attr(feature = "schema", schema(example = "5/11"))]
    pub hit: Option<String>,
    /// The same in percent.
    pub hit_percent: Option<f64>,
    /// The mean number of rolls to a decision.
    #[cfg_attr(feature = "schema", schema(example = "36/11"))]
    pub rolls: Option<String>,
    /// The same as a number.
    pub mean_rolls: Option<f64>,
    /// The edge for each roll on which the bet works, in percent.
    pub edge_per_roll_percent: Option<f64>,
    /// What a dollar that is always up costs in an hour, in dollars.
    pub edge_per_hour: Option<f64>,
    /// What others say of it.
    pub published: Vec<PublishedFigure>,
    /// Why it cannot be priced.
    pub unpriced: Option<String>,
}

/// The atlas with what others have published beside it.
pub fn atlas_page(
    library: &Library,
    atlas: &Atlas,
    collected: &Collected,
    rolls_per_hour: u32,
) -> AtlasPage {
    let collected = collected.about(atlas);
    let lines = collected.compared(library, atlas);
    let wager = |charted: &Charted| {
        let mut published = Vec::new();
        for (line, compared) in lines.iter().filter(|(line, _)| is_of(line, charted)) {
            published.extend(compared.iter().map(|compared| PublishedFigure::of(line, compared)));
        }
        charted_wager(charted, published, rolls_per_hour)
    };
    AtlasPage { rolls_per_hour, wagers: atlas.wagers.iter().map(wager).collect() }
}

/// Whether a line is about this wager as the atlas has it: without options of its own.
fn is_of(line: &Line, charted: &Charted) -> bool {
    let Charted { rulebook, paytable, wager, .. } = charted;
    let rules = match paytable {
        Some(paytable) => format!("{rulebook}:{paytable}"),
        None => rulebook.clone(),
    };
    let said = &line.published;
    said.options.is_empty() && said.rules == rules && said.wager == *wager
}

fn charted_wager(
    charted: &Charted,
    published: Vec<PublishedFigure>,
    rolls_per_hour: u32,
) -> AtlasWager {
    let edge = charted.edge.as_ref().ok();
    let exact = |of: fn(&Edge) -> Ratio| edge.map(|edge| fraction(&of(edge)));
    let percent = |of: fn(&Edge) -> Ratio| edge.map(|edge| six_decimals(&(of(edge) * whole(100))));
    AtlasWager {
        rulebook: charted.rulebook.clone(),
        paytable: charted.paytable.clone(),
        wager: charted.wager.clone(),
        title: charted.title.clone(),
        meter: edge.and_then(|edge| edge.meter),
        edge: exact(Edge::edge),
        edge_percent: percent(Edge::edge),
        deviation: edge.map(Edge::deviation),
        hit: exact(|edge| edge.hit.clone()),
        hit_percent: percent(|edge| edge.hit.clone()),
        rolls: exact(|edge| edge.rolls.clone()),
        mean_rolls: edge.map(|edge| six_decimals(&edge.rolls)),
        edge_per_roll_percent: percent(Edge::edge_per_roll),
        edge_per_hour: charted.edge_per_hour(rolls_per_hour).map(|cost| six_decimals(&cost)),
        published,
        unpriced: charted.edge.as_ref().err().map(ToString::to_string),
    }
}

/// The atlas as one JSON object.
pub fn atlas_json(page: &AtlasPage) -> String {
    serde_json::to_string_pretty(page).expect("an atlas is plain data")
}

/// The columns of every table, and what stands in them for one wager.
const COLUMNS: [&str; 9] = [
    "wager",
    "edge %",
    "fraction",
    "deviation",
    "hit %",
    "rolls",
    "per roll %",
    "per hour $",
    "meter",
];

fn cells(charted: &Charted, rolls_per_hour: u32) -> Vec<String> {
    let mut cells = vec![charted.wager.clone()];
    match (&charted.edge, charted.edge_per_hour(rolls_per_hour)) {
        (Ok(edge), Some(cost)) => cells.extend([
            percent(&edge.edge(), 4),
            short(&edge.edge()),
            format!("{:.4}", edge.deviation()),
            percent(&edge.hit, 4),
            decimal(&edge.rolls, 3),
            percent(&edge.edge_per_roll(), 4),
            decimal(&cost, 3),
            edge.meter.map_or(String::new(), amount),
        ]),
        (edge, _) => {
            let why = edge.as_ref().err().map(ToString::to_string).unwrap_or_default();
            cells.extend([String::new(), why]);
            cells.resize(COLUMNS.len(), String::new());
        }
    }
    cells
}

/// The atlas as a table for a terminal.
pub fn atlas_text(atlas: &Atlas, rolls_per_hour: u32) -> String {
    let mut header = COLUMNS.to_vec();
    header.extend(["paytable", "rulebook"]);
    let row = |charted: &Charted| {
        let mut row = cells(charted, rolls_per_hour);
        row.extend([charted.paytable.clone().unwrap_or_default(), charted.rulebook.clone()]);
        row
    };
    let rows: Vec<Vec<String>> = atlas.wagers.iter().map(row).collect();
    format!("{}\n{}", grid(&header, &rows), note(rolls_per_hour))
}

/// What the figures are made for.
fn note(rolls_per_hour: u32) -> String {
    format!(
        "Hit is the chance of an award, one that only brings the stake back among them (1 for 1); \
         a push is none. Per hour is what one dollar that is always up costs in {rolls_per_hour} \
         rolls. Side bets lie on {}. Meters show the suggested seed.",
        Library::DEFAULT_BASE
    )
}

/// The atlas as CSV, a row a wager, exact figures in numerator and denominator columns.
pub fn atlas_csv(atlas: &Atlas, rolls_per_hour: u32) -> String {
    let header = [
        "rulebook",
        "paytable",
        "wager",
        "title",
        "meter_cents",
        "edge_numerator",
        "edge_denominator",
        "edge_percent",
        "variance_numerator",
        "variance_denominator",
        "deviation",
        "hit_numerator",
        "hit_denominator",
        "rolls_numerator",
        "rolls_denominator",
        "edge_per_roll_percent",
        "edge_per_hour_dollars",
        "unpriced",
    ];
    let mut csv = Csv::new(&header, LineEnd::Lf);
    for charted in &atlas.wagers {
        csv.text(&charted.rulebook);
        csv.text(charted.paytable.as_deref().unwrap_or_default());
        csv.text(&charted.wager);
        csv.text(&charted.title);
        match (&charted.edge, charted.edge_per_hour(rolls_per_hour)) {
            (Ok(edge), Some(cost)) => {
                csv.text(&edge.meter.map_or(String::new(), |meter| meter.0.to_string()));
                csv.ratio(&edge.edge());
                csv.text(&percent(&edge.edge(), 6));
                csv.ratio(&edge.variance);
                csv.text(&format!("{:.6}", edge.deviation()));
                csv.ratio(&edge.hit);
                csv.ratio(&edge.rolls);
                csv.text(&percent(&edge.edge_per_roll(), 6));
                csv.text(&decimal(&cost, 6));
                csv.text("");
            }
            (edge, _) => {
                (0..header.len() - 5).for_each(|_| csv.text(""));
                let why = edge.as_ref().err().map(ToString::to_string).unwrap_or_default();
                csv.text(&why);
            }
        }
        csv.end_row();
    }
    csv.finish()
}

/// Rulebooks with their wagers, in the order the wagers come in.
fn by_rulebook(atlas: &Atlas) -> Vec<(&str, Vec<&Charted>)> {
    let mut books: Vec<(&str, Vec<&Charted>)> = Vec::new();
    for charted in &atlas.wagers {
        match books.last_mut() {
            Some((book, wagers)) if *book == charted.rulebook => wagers.push(charted),
            _ => books.push((&charted.rulebook, vec![charted])),
        }
    }
    books
}

/// The wager and, behind it, the paytable.
fn with_paytable(charted: &Charted, code: impl Fn(&str) -> String) -> String {
    let paytable = charted.paytable.as_ref();
    code(&charted.wager) + &paytable.map_or(String::new(), |paytable| format!(" {paytable}"))
}

/// The atlas as one HTML page, complete in itself.
pub fn atlas_html(
    library: &Library,
    atlas: &Atlas,
    collected: &Collected,
    rolls_per_hour: u32,
    version: &str,
) -> String {
    let mut page = format!(
        "<header class=\"front\"><h1>Atlas of wagers</h1><p class=\"terms\">Made by {}. {}</p>\
         </header>",
        escape(version),
        escape(&note(rolls_per_hour))
    );
    let head = |names: &[&str]| -> String {
        let column = |(place, name): (usize, &&str)| {
            let class = if place > 0 { " class=\"n\"" } else { "" };
            format!("<th scope=\"col\"{class}>{}</th>", escape(name))
        };
        names.iter().enumerate().map(column).collect()
    };
    let row = |cells: &[String]| -> String {
        let cell = |cell: &String| format!("<td class=\"n\">{}</td>", escape(cell));
        let first = format!("<th scope=\"row\">{}</th>", escape(&cells[0]));
        format!("<tr>{first}{}</tr>", cells[1..].iter().map(cell).collect::<String>())
    };
    let table = |columns: &[&str], rows: &[Vec<String>]| {
        let rows: String = rows.iter().map(|cells| row(cells)).collect();
        let head = head(columns);
        format!(
            "<div class=\"wide\"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody>\
             </table></div>"
        )
    };
    for (book, wagers) in by_rulebook(atlas) {
        let cells = |charted: &&Charted| {
            let mut cells = cells(charted, rolls_per_hour);
            cells[0] = with_paytable(charted, str::to_owned);
            cells
        };
        let rows: Vec<Vec<String>> = wagers.iter().map(cells).collect();
        page += &format!(
            "<section><h2>{}</h2>{}</section>",
            escape(&titled(library, book)),
            table(&COLUMNS, &rows)
        );
    }
    let mut rows = comparison(library, atlas, collected);
    // A page names where it was read, and leads nowhere by itself.
    for source in rows.iter_mut().filter_map(|cells| cells.last_mut()) {
        *source = source.replace("https://", "").replace("http://", "");
    }
    if !rows.is_empty() {
        let compared = table(&COMPARED, &rows);
        page += &format!("<section><h2>Ours and published</h2>{compared}</section>");
    }
    document("Atlas of wagers", "Atlas of wagers", "several", "", &page)
}

/// What a rulebook is called in a heading.
fn titled(library: &Library, book: &str) -> String {
    let title = library.rulebook(book).map(|rulebook| &rulebook.title);
    title.map_or(book.to_owned(), |title| format!("{title} ({book})"))
}

const COMPARED: [&str; 6] = ["wager", "figure", "published", "ours", "difference", "source"];

/// What was published of wagers of this atlas beside ours.
fn comparison(library: &Library, atlas: &Atlas, collected: &Collected) -> Vec<Vec<String>> {
    let collected = collected.about(atlas);
    let compared = collected.compared(library, atlas);
    compared.iter().map(|(line, compared)| compared_cells(line, compared)).collect()
}

fn compared_cells(line: &Line, compared: &Result<Compared, String>) -> Vec<String> {
    let said = &line.published;
    let options = said.options.iter().map(|option| format!(", {option}"));
    let wager = format!("{} ({}{})", said.wager, said.rules, options.collect::<String>());
    let (ours, difference) = match compared {
        Ok(Compared { shown, difference, .. }) => (shown.clone(), difference.clone()),
        Err(why) => (String::new(), why.clone()),
    };
    let difference = match (difference.is_empty(), &line.why) {
        (true, _) => "none".to_owned(),
        (false, Some(why)) => format!("{difference}: {why}"),
        (false, None) => difference,
    };
    let figure = said.figure.to_string();
    vec![wager, figure, said.value.clone(), ours, difference, line.source.clone()]
}

/// The page of the documentation.
pub fn atlas_markdown(
    library: &Library,
    atlas: &Atlas,
    collected: &Collected,
    rolls_per_hour: u32,
) -> String {
    let mut text = format!(
        "# Atlas of wagers\n\n\
         Every wager of every rulebook that comes with the program, under every paytable it can \
         be paid by, priced exactly by the engine that pays it. This page is written by a test \
         (`UPDATE_EXPECT=1 cargo test -p craps-report`); `boxman atlas` prints the same, and the \
         page `/edges` has it to sort and to search.\n\n\
         The edge is the house's share of each dollar bet; of a line bet with odds, of each \
         dollar put up. The deviation is for a stake of one. Rolls are the mean number of them to \
         a decision, counting those on which the bet works. {} Figures are rounded for reading \
         only; a fraction too long for its column shows its first digits, and `boxman atlas --csv` \
         has all of it.\n",
        note(rolls_per_hour)
    );
    for (book, wagers) in by_rulebook(atlas) {
        text += &format!("\n## {}\n\n", titled(library, book));
        let rows = wagers.iter().map(|charted| {
            let mut cells = cells(charted, rolls_per_hour);
            cells[0] = with_paytable(charted, |wager| format!("`{wager}`"));
            cells
        });
        text += &markdown_table(&COLUMNS, "---:", rows);
    }
    text += "\n## Ours and published\n\n\
             Figures that others have published, or that were worked out apart from this program, \
             beside ours. They agree when ours, rounded to as many places, is the same; a fraction \
             agrees when it is equal. Every difference is explained where it stands.\n\n";
    let rows = comparison(library, atlas, collected);
    text += &markdown_table(&COMPARED, "---", rows.into_iter());
    text += "\n## Published figures that are left out\n\n";
    let rows = collected
        .unshipped
        .iter()
        .map(|bet| vec![bet.bet.clone(), bet.says.clone(), bet.reason.clone()]);
    text += &markdown_table(&["bet", "published", "why it is left out"], "---", rows);
    text
}

/// A table whose first column is aligned left and whose others are as `rule` says.
fn markdown_table(header: &[&str], rule: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |")
    };
    let names: Vec<String> = header.iter().map(ToString::to_string).collect();
    let rules = format!("|---{}|\n", format!("|{rule}").repeat(header.len() - 1));
    let mut text = line(&names) + &rules;
    rows.for_each(|cells| text += &line(&cells));
    text
}
