//! What is written is what was computed.

#![expect(clippy::float_arithmetic, reason = "figures read back from files are floats")]

mod atlas;
mod collected;
mod html;
mod session;
mod svg;
mod workbook;

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use craps::{Cents, Library, MeterTerms, Rules};
use craps_math::{Edge, Par, ParTerms, Target, Terms};
use craps_report::WagerEdge;
use serde_json::Value;

/// The sheets of paytables for six bettors and a meter of $40,000 on the suggested terms.
fn sheets(paytables: &[&str]) -> Vec<Par> {
    sheets_at(paytables, 6, 40_000)
}

fn sheets_at(paytables: &[&str], bettors: u8, dollars: i64) -> Vec<Par> {
    let wagers = ["make-em-all-progressive", "fired-up"];
    let terms: Vec<(String, String)> = wagers.into_iter().flat_map(MeterTerms::suggested).collect();
    sheets_with(paytables, bettors, dollars, &terms)
}

fn sheets_with(
    paytables: &[&str],
    bettors: u8,
    dollars: i64,
    options: &[(String, String)],
) -> Vec<Par> {
    let library = Library::embedded();
    let sheets = paytables.iter().flat_map(|paytable| {
        let progressive = paytable.starts_with("PT-BJS");
        let meter = progressive.then_some(Cents::dollars(dollars));
        let terms = ParTerms { bettors, meter, ..ParTerms::default() };
        let options = if progressive { options } else { &[] };
        Par::of_paytables(&library, &[paytable], terms, options)
            .expect("the paytable prices its wagers")
    });
    sheets.collect()
}

/// Every tag is closed, in order, and nothing is fetched or run.
#[track_caller]
fn check_markup(text: &str) {
    const VOID: [&str; 2] = ["meta", "wbr"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.split_whitespace().next().unwrap().trim_end_matches('/');
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "before {rest:.60}"),
            None if name == "style" => {
                rest = &rest[rest.find("</style>").expect("a style ends") + "</style>".len()..];
            }
            None if name == "!doctype" || VOID.contains(&name) || tag.ends_with('/') => {}
            None => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert!(open.is_empty(), "{open:?}");
    let elsewhere = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for word in ["http", "<script", "<img", "<link", "url(", "@import", "javascript:", "NaN", "inf"]
    {
        assert!(!elsewhere.contains(word), "{word}");
    }
}

fn edges() -> Vec<Edge> {
    let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
    let plain = |target: &Target| target.odds.is_none();
    let targets: Vec<Target> = Target::all(&rules).into_iter().filter(plain).collect();
    let edge = |target| Edge::of(&rules, target, None, Terms::default()).unwrap();
    targets.iter().map(edge).collect()
}

/// A fraction string as a float.
fn value(text: &Value) -> f64 {
    let text = text.as_str().expect("a fraction is a string");
    let (num, den) = text.split_once('/').unwrap_or((text, "1"));
    num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap()
}

#[test]
fn edge_json_has_the_documented_keys_and_adds_up() {
    let rules = Rules::named(&Library::embedded(), &["presque-isle"]).unwrap();
    let edges: Vec<WagerEdge> = edges()
        .iter()
        .map(|edge| WagerEdge::of(&rules, &edge.target, None, None, Ok(edge)))
        .collect();
    let json: Value = serde_json::from_str(&craps_report::edge_json(&edges)).unwrap();
    for object in json.as_array().unwrap() {
        for key in [
            "wager",
            "paytable",
            "stake",
            "ev",
            "edge_percent",
            "edge_of_outlay_percent",
            "variance",
            "outcomes",
            "rolls",
        ] {
            assert!(object.get(key).is_some(), "{key} in {object}");
        }
        let outcomes = object["outcomes"].as_array().unwrap();
        let chances: f64 = outcomes.iter().map(|outcome| value(&outcome["chance"])).sum();
        let mean: f64 = outcomes.iter().map(|o| value(&o["chance"]) * value(&o["net"])).sum();
        assert!((chances - 1.0).abs() < 1e-12, "{object}");
        assert!((mean - value(&object["ev"])).abs() < 1e-12, "{object}");
        let percent = object["edge_percent"].as_f64().unwrap();
        assert!((percent + 100.0 * mean).abs() < 1e-6, "{object}");
    }
}

#[test]
fn par_json_has_the_documented_keys() {
    let json: Value =
        serde_json::from_str(&craps_report::par_json(&sheets(&["PT-BJS-MEA-03"]))).unwrap();
    let sheet = &json.as_array().unwrap()[0];
    for key in [
        "paytable",
        "wager",
        "unit",
        "bettors",
        "meter",
        "awards",
        "hit_chance",
        "top_chance",
        "fixed_return",
        "return_at_meter",
        "breakeven_meter",
        "envy_cost",
        "edge",
        "edge_after_envy",
        "variance",
        "rolls",
    ] {
        assert!(!sheet[key].is_null(), "{key}");
    }
    assert_eq!(sheet["fixed_return"], "281549375/612220032");
    assert_eq!(sheet["meter"], 4_000_000);
    assert_eq!(sheet["awards"][0]["event"], "10 numbers");
    let edge = 1.0 - value(&sheet["return_at_meter"]);
    assert!((value(&sheet["edge"]) - edge).abs() < 1e-12);
}

#[test]
fn csv_is_rectangular_and_quotes_what_it_must() {
    let sheet = craps_report::par_csv(&sheets(&["PT-BJS-FUP-01"]), "boxman 1, \"the first\"");
    for csv in [&craps_report::edge_csv(&edges()), &sheet] {
        let columns = cells(csv.lines().next().unwrap()).len();
        assert!(csv.lines().count() > 10);
        for line in csv.lines() {
            assert_eq!(cells(line).len(), columns, "{line}");
        }
    }
    // Commas and quotes do occur, and come back as they were.
    let place = cells(sheet.lines().next().unwrap()).iter().position(|name| name == "program");
    for line in sheet.lines().skip(1) {
        assert!(line.contains(",\"boxman 1, \"\"the first\"\"\","), "{line}");
        assert_eq!(cells(line)[place.unwrap()], "boxman 1, \"the first\"");
    }
}

/// The cells of a line, as a spreadsheet reads them.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let cell = cells.last_mut().unwrap();
        match letter {
            '"' if quoted && letters.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    assert!(!quoted, "a quote is left open: {line}");
    cells
}

#[test]
fn text_marks_the_best_of_several() {
    let one = craps_report::par_text(&sheets(&["PT-BJS-MEA-03"]), "boxman 1");
    assert!(!one.contains("best for the house"));
    let two = craps_report::par_text(&sheets(&["PT-BJS-MEA-03", "PT-BJS-MEA-05"]), "boxman 1");
    assert!(two.contains("* best for the house"));
    assert!(two.contains("281549375/612220032"));
}

/// What rests on terms nobody has set is not told, in any format; what else there is stays.
#[test]
fn a_sheet_without_terms_says_so() {
    let bare = sheets_with(&["PT-BJS-FUP-01"], 6, 40_000, &[]);
    let said = "no terms: seed 0 and no increment";
    let text = craps_report::par_text(&bare, "boxman 1");
    let row = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
    assert!(text.contains(said) && text.contains("fired-up.meter.seed=1000"), "{text}");
    for name in ["Long-run return", "Hold per hour", "mean meter", "meter when hit, 50"] {
        assert!(row(name).contains("no terms") && !row(name).contains('$'), "{}", row(name));
    }
    let html = craps_report::par_html(&bare, "boxman 1");
    check_markup(&html);
    assert!(html.contains(said));
    for name in ["Mean meter when hit", "Long-run return", "Hold per hour"] {
        assert!(html.contains(&format!("<dt>{name}</dt><dd>no terms</dd>")), "{name}");
    }
    let page = craps_report::par_page(&bare);
    assert!(page.sheets[0].flags[0].starts_with(said));
    let figure = page.figures.iter().find(|figure| figure.name == "Hold per hour").unwrap();
    assert_eq!(figure.values[0].as_ref().unwrap().rounded, "no terms");
    let csv = craps_report::par_csv(&bare, "boxman 1");
    let rows = ["hold_per_hour_cents", "longrun_return", "meter_when_hit"];
    assert!(rows.iter().all(|row| !csv.contains(row)) && csv.contains("breakeven_meter_cents"));
    let bytes = craps_report::par_xlsx(&bare, "boxman 1").unwrap();
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    let cells = book.worksheet_range_at(0).unwrap().unwrap();
    let untold: Vec<String> = cells
        .rows()
        .filter(|row| row[1] == Data::String("no terms".to_owned()))
        .map(|row| row[0].to_string())
        .collect();
    let names =
        ["mean meter when hit", "long-run return", "set aside for jackpots", "hold per hour"];
    assert_eq!(untold, names);
    // The documented keys of the JSON rest on what the meter shows.
    let json: Value = serde_json::from_str(&craps_report::par_json(&bare)).unwrap();
    assert!(json[0].as_object().unwrap().values().all(|value| !value.is_null()), "{json}");
}
