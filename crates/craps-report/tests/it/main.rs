//! What is written is what was computed.

#![expect(clippy::float_arithmetic, reason = "figures read back from files are floats")]

mod html;
mod svg;

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use craps::{Cents, Library, MeterTerms, Rules};
use craps_math::{Edge, Par, ParTerms, Target, Terms, float, fraction};
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
    let json: Value = serde_json::from_str(&craps_report::edge_json(&edges())).unwrap();
    for object in json.as_array().unwrap() {
        let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            [
                "wager",
                "paytable",
                "stake",
                "ev",
                "edge_percent",
                "edge_of_outlay_percent",
                "variance",
                "outcomes",
                "rolls"
            ]
        );
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
    for csv in [
        craps_report::edge_csv(&edges()),
        craps_report::par_csv(&sheets(&["PT-BJS-FUP-01"]), "boxman 1"),
    ] {
        let columns = cells(csv.lines().next().unwrap()).len();
        assert!(csv.lines().count() > 10);
        for line in csv.lines() {
            assert_eq!(cells(line).len(), columns, "{line}");
        }
    }
}

/// The cells of a line, as a spreadsheet reads them.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().unwrap().push(letter),
        }
    }
    assert!(!quoted, "a quote is left open: {line}");
    cells
}

/// The workbook read back: whole numbers where chances are fractions, live formulas elsewhere,
/// and what they evaluate to is what was computed.
#[test]
fn the_workbook_reads_back() {
    let sheets = [sheets(&["PT-BJS-MEA-03"]), sheets(&["PT-FLT-BC-03"])].concat();
    let bytes = craps_report::par_xlsx(&sheets, "0.0.0").unwrap();
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    assert_eq!(book.sheet_names().len(), 4);
    let name = book.sheet_names()[0].clone();
    let cells = book.worksheet_range(&name).unwrap();
    let formulas = book.worksheet_formula(&name).unwrap();
    let number = |row: u32, column: u32| match cells.get_value((row, column)) {
        Some(Data::Float(number)) => *number,
        Some(Data::Int(number)) => *number as f64,
        Some(Data::String(text)) => text.parse().unwrap_or_else(|_| panic!("{text} at {row}")),
        other => panic!("{other:?} at row {row}, column {column}"),
    };
    let formula =
        |row: u32, column: u32| formulas.get_value((row, column)).cloned().unwrap_or_default();
    let par = &sheets[0];
    assert_eq!((number(4, 1), number(5, 1), number(6, 1)), (1.0, 6.0, 40_000.0));
    for (place, award) in par.awards.iter().enumerate() {
        let row = 10 + place as u32;
        assert_eq!(number(row, 3).to_string(), award.chance.numerator().to_string());
        assert_eq!(number(row, 4).to_string(), award.chance.denominator().to_string());
        assert_eq!(formula(row, 5), format!("D{0}/E{0}", row + 1));
        assert_eq!(formula(row, 8), format!("F{0}*H{0}", row + 1));
        assert!((number(row, 5) - number(row, 3) / number(row, 4)).abs() < 1e-12);
        assert!((number(row, 7) - float(&award.back)).abs() < 1e-6);
    }
    assert_eq!(formula(10, 7), "$B$7/$B$6/$B$5");
    // Envy: a thousand once, fifty for each winner, and what they cost together.
    assert_eq!((number(10, 9), number(10, 10)), (1000.0, 0.0));
    assert_eq!((number(11, 9), number(11, 10)), (0.0, 50.0));
    let envy: f64 = (10..16).map(|row| number(row, 11)).sum();
    assert!((envy - float(&par.envy_cost)).abs() < 1e-12);
    // The figures stand below the awards: evaluate the sums by hand.
    let rows = 10..10 + par.awards.len() as u32 + 2;
    let back: f64 = rows.clone().map(|row| number(row, 5) * number(row, 7)).sum();
    assert!((back - float(&par.return_at_meter)).abs() < 1e-9, "{}", fraction(&par.edge()));
    let squares: f64 =
        rows.clone().map(|row| number(row, 5) * (number(row, 7) - 1.0).powi(2)).sum();
    let chances: f64 = rows.map(|row| number(row, 5)).sum();
    assert!((chances - 1.0).abs() < 1e-12);
    let variance = squares - (back - 1.0).powi(2);
    assert!((variance / float(&par.variance) - 1.0).abs() < 1e-9);
    let first_figure = 10 + par.awards.len() as u32 + 4;
    assert!((number(first_figure + 2, 1) - float(&par.return_at_meter)).abs() < 1e-12);
    assert_eq!(formula(first_figure, 1), "SUM(F11:F16)");
    // Edge per roll divides the edge's own cell.
    let per_roll = (first_figure..first_figure + 20)
        .find(|row| cells.get_value((*row, 0)) == Some(&Data::String("edge per roll".to_owned())));
    let per_roll = per_roll.expect("the sheet has an edge per roll");
    assert_eq!(formula(per_roll, 1), format!("B{}/D{}", first_figure + 4, per_roll));
    let name = cells.get_value((first_figure + 3, 0));
    assert_eq!(name, Some(&Data::String("edge".to_owned())));
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
    assert_eq!(untold, ["hold per hour", "mean meter when hit", "long-run return"]);
    // The documented keys of the JSON rest on what the meter shows.
    let json: Value = serde_json::from_str(&craps_report::par_json(&bare)).unwrap();
    assert!(json[0].as_object().unwrap().values().all(|value| !value.is_null()), "{json}");
}

/// A paytable with a name no workbook takes, for a wager that pushes: every ending has its row,
/// so that the formulas come to the figures they stand beside.
#[test]
fn a_workbook_of_a_wager_that_pushes() {
    let text = r#"
        name = "line"
        title = "A line of its own"
        kind = "base"
        points = [4, 5, 6, 8, 9, 10]
        default-paytables = ["A/B:C"]
        [limits]
        min = 1
        max = 100
        unit = 1
        [wager.against]
        title = "Against"
        shape = "line"
        side = "wrong"
        wins = [2, 3, 12]
        loses = [7, 11]
        bar = 12
        when = "come-out"
        take = "any-time"
        [paytable."A/B:C".against]
        pays = "1 to 1"
        [paytable."a/b:c".against]
        pays = "1 to 1"
    "#;
    let library = Library::embedded().with(craps::Rulebook::parse("line.toml", text).unwrap());
    let names = ["A/B:C", "a/b:c"];
    let pars = Par::of_paytables(&library, &names, ParTerms::default(), &[]).unwrap();
    assert_eq!(fraction(&pars[0].edge()), "3/220");
    let bytes = craps_report::par_xlsx(&pars, "boxman 1").unwrap();
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(bytes)).unwrap();
    let sheets = book.sheet_names();
    assert_eq!(sheets, ["A-B-C against", "2 a-b-c against"]);
    let cells = book.worksheet_range(&sheets[0]).unwrap();
    let cell = |row: u32, column: u32| match cells.get_value((row, column)) {
        Some(Data::Float(number)) => *number,
        Some(Data::String(text)) => text.parse().unwrap(),
        other => panic!("{other:?}"),
    };
    // One award, the push and the loss.
    let rows = 10..13;
    let chances: f64 = rows.clone().map(|row| cell(row, 3) / cell(row, 4)).sum();
    let back: f64 = rows.map(|row| cell(row, 3) / cell(row, 4) * cell(row, 7)).sum();
    assert!((chances - 1.0).abs() < 1e-12);
    assert!((back - float(&pars[0].return_at_meter)).abs() < 1e-12, "{back}");
}
