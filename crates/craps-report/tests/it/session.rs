//! Sessions of plans in every format: what is written is what came out.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::sync::Arc;

use calamine::{Data, Range, Reader, Xlsx};
use craps::machine::{Desk, End, explore};
use craps::{Cents, Library, Refusal, Rules};
use craps_math::session::{FAN, Length, Over, Session, run};
use craps_report::{
    PlanSession, Played, session_csv, session_fan, session_html, session_json, session_text,
    session_xlsx,
};
use expect_test::expect_file;
use serde_json::Value;

use crate::{cells, check_markup};

const RUINED: usize = 2;

/// A session of a plan that bets this much on each of these spots.
fn session(plan: &str, bets: &[(&str, i64)], session: Session) -> PlanSession {
    let rules = Arc::new(Rules::named(&Library::embedded(), &["presque-isle"]).unwrap());
    let bets: Vec<_> =
        bets.iter().map(|(spot, amount)| (rules.spot(spot).unwrap(), *amount)).collect();
    let asks = |desk: &mut Desk| -> Result<(), Refusal> {
        bets.iter().try_for_each(|(spot, amount)| desk.want(*spot, Cents::dollars(*amount)))
    };
    let machine = explore(&rules, &asks, &[], 1_000).ok().expect("a sound plan").machine;
    let outcome = run(&machine, &session, 1_000, |_| true).unwrap();
    let played = Played {
        about: format!("{plan}, and nothing else."),
        params: vec![("unit".to_owned(), "10".to_owned())],
        rules: rules.name.clone(),
        rules_hash: [7; 32],
        options: vec!["payout-unit=1".to_owned()],
        meters: Vec::new(),
    };
    let (plan, positions) = (plan.to_owned(), machine.len());
    PlanSession { plan, played, positions, session, pace: 12, found: None, outcome }
}

/// Two plans with $60 that play a while, and stop at $100.
fn two(length: Length) -> Vec<PlanSession> {
    let (bankroll, goal) = (Cents::dollars(60), Some(Cents::dollars(100)));
    let with = Session { bankroll, length, goal, floor: None };
    vec![
        session("pass", &[("pass", 10)], with),
        session("six-eight", &[("pass", 10), ("place 6", 12), ("place 8", 12)], with),
    ]
}

fn book(sessions: &[PlanSession]) -> Xlsx<Cursor<Vec<u8>>> {
    let bytes = session_xlsx(sessions, "boxman 1.2.3").unwrap();
    Xlsx::new(Cursor::new(bytes)).unwrap()
}

fn number(cell: Option<&Data>) -> Option<f64> {
    match cell {
        Some(Data::Float(number)) => Some(*number),
        _ => None,
    }
}

/// The numbers below one another from the fifth row on.
fn column(sheet: &Range<Data>, column: usize) -> Vec<f64> {
    (4..).map_while(|row| number(sheet.get((row, column)))).collect()
}

#[track_caller]
fn same(one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-9 * one.abs().max(1e-3), "{one} and {other}");
}

#[test]
fn a_small_session_as_csv() {
    let csv = session_csv(&two(Length::Rolls(3)), "boxman 1.2.3");
    expect_file!["../golden/session.csv"].assert_eq(&csv);
}

#[test]
fn a_small_session_as_html() {
    let page = session_html(&two(Length::Rolls(24)), "boxman 1.2.3");
    check_markup(&page);
    let (_, rest) = page.split_once("<style>").unwrap();
    let (_, body) = rest.split_once("</style>").unwrap();
    // A line an element, to be read as a diff.
    let body = body.replace("><", ">\n<");
    expect_file!["../golden/session.html"].assert_eq(&body);
}

#[test]
fn the_table_holds_every_figure_of_the_outcome() {
    for it in &two(Length::Rolls(24)) {
        let csv = session_csv(std::slice::from_ref(it), "boxman 1.2.3");
        let rows: Vec<Vec<String>> = csv.lines().skip(1).map(cells).collect();
        let part = |part: &'static str| rows.iter().filter(move |row| row[1] == part);
        let value = |row: &[String]| row[5].parse::<f64>().unwrap();
        let figures: BTreeMap<&str, &[String]> =
            part("figure").map(|row| (row[2].as_str(), row.as_slice())).collect();
        assert_eq!(figures["goal"][5..], ["100.00", "dollars"]);
        same(value(figures["mean"]), it.outcome.mean() / 100.0);
        same(value(figures["ruined"]), it.outcome.chance(Over::Ended(End::Ruined)));
        let finals = part("final").map(|row| (row[4].parse::<f64>().unwrap(), value(row)));
        let mean: f64 = finals.map(|(dollars, chance)| (dollars - 60.0) * chance).sum();
        same(mean, it.outcome.mean() / 100.0);
        assert_eq!(part("fan").count(), it.outcome.fan.len() * FAN.len());
        let mut ruined = part("over").filter(|row| row[2] == "ruined");
        let (first, last) = (ruined.next().unwrap(), ruined.next_back().unwrap());
        assert_eq!((first[3].as_str(), first[5].as_str()), ("0", "0"));
        assert_eq!(last[3], "24");
        same(value(last), it.outcome.chance(Over::Ended(End::Ruined)));
        assert_eq!(part("played").find(|row| row[2] == "rules").unwrap()[5], "presque-isle");
    }
}

/// Every row of the grid is in every format, with the same figure.
#[test]
fn a_row_is_told_in_every_format() {
    let sessions = two(Length::Rolls(24));
    let csv = session_csv(&sessions[..1], "boxman 1.2.3");
    let figures: Vec<Vec<String>> =
        csv.lines().map(cells).filter(|row| row[1] == "figure").collect();
    let json: Value = serde_json::from_str(&session_json(&sessions)).unwrap();
    let told = json[0]["figures"].as_object().unwrap();
    assert_eq!(told.len(), figures.len());
    for row in &figures {
        let scale = if row[6] == "dollars" { 100.0 } else { 1.0 };
        match &told[&row[2]] {
            Value::String(words) => assert_eq!(*words, row[5]),
            value => {
                let (json, csv) = (value.as_f64().unwrap(), row[5].parse::<f64>().unwrap() * scale);
                assert!((json - csv).abs() <= 1e-4 * json.abs().max(1e-12), "{row:?}");
            }
        }
    }
    let text = session_text(&sessions[..1]);
    let grid: Vec<&str> = text.lines().skip(3).take_while(|line| !line.starts_with('─')).collect();
    assert_eq!(grid.len(), figures.len());
    let page = session_html(&sessions[..1], "boxman 1.2.3");
    let (_, table) = page.split_once("<tbody>").unwrap();
    let (table, _) = table.split_once("</tbody>").unwrap();
    assert_eq!(table.matches("<tr>").count(), figures.len());
    let sheet = book(&sessions[..1]).worksheet_range("Compare").unwrap();
    let filled = (4..).take_while(|row| !matches!(sheet.get((*row, 0)), None | Some(Data::Empty)));
    assert_eq!(filled.count(), figures.len());
}

#[test]
fn the_workbook_holds_real_numbers() {
    let sessions = two(Length::Rolls(24));
    let mut book = book(&sessions);
    assert_eq!(book.sheet_names(), ["Compare", "pass", "six-eight"]);
    let compare = book.worksheet_range("Compare").unwrap();
    let figure = |name: &str, column: usize| {
        let row = compare.rows().find(|row| row[0].to_string().trim() == name);
        number(row.unwrap_or_else(|| panic!("{name}")).get(column)).unwrap()
    };
    for (place, it) in sessions.iter().enumerate() {
        let outcome = &it.outcome;
        same(figure("wins on average", place + 1), outcome.mean() / 100.0);
        same(figure("is ruined", place + 1), outcome.chance(Over::Ended(End::Ruined)));
        same(figure("exact to", place + 1), outcome.error());
        let sheet = book.worksheet_range(&it.plan).unwrap();
        let (equity, chance, below) = (column(&sheet, 0), column(&sheet, 1), column(&sheet, 2));
        let finals = outcome.equity();
        assert_eq!(equity.len(), finals.len());
        for ((cents, odds), (dollars, chance)) in finals.iter().zip(equity.iter().zip(&chance)) {
            same(*dollars, cents.0 as f64 / 100.0);
            same(*chance, *odds);
        }
        same(below[below.len() - 1], 1.0);
        let rolls = column(&sheet, 4);
        for (quantile, place) in (5..).enumerate().take(FAN.len()) {
            let amounts = column(&sheet, place);
            for ((after, fan), (rolls, dollars)) in
                outcome.fan.iter().zip(rolls.iter().zip(amounts))
            {
                same(*rolls, f64::from(*after));
                same(dollars, fan[quantile].0 as f64 / 100.0);
            }
        }
        let heading = |column: usize| sheet.get((3, column)).unwrap().to_string();
        assert_eq!([13, 14, 15].map(heading), ["roll", "reached the goal", "ruined"]);
        let ruined = column(&sheet, 15);
        assert_eq!(ruined.len(), 25);
        let by_roll: f64 = outcome.by_roll[..12].iter().map(|ended| ended[RUINED]).sum();
        same(ruined[12], by_roll);
    }
}

#[test]
fn sheets_of_a_workbook_have_names_it_takes() {
    let length = Length::Rolls(2);
    let mut sessions = two(length);
    sessions.extend(two(length));
    sessions.extend(two(length).into_iter().take(1));
    let names = ["compare", "plans/it's [mine].rhai", "mine.rhai", "/else/where/mine.rhai", "'"];
    for (it, name) in sessions.iter_mut().zip(names) {
        it.plan = name.to_owned();
    }
    let names = book(&sessions).sheet_names();
    assert_eq!(names, ["Compare", "2 compare", "it-s -mine-", "mine", "5 mine", "-"]);
}

/// The numbers of `points="…"` in the first element that begins so.
fn points(svg: &str, element: &str) -> Vec<(f64, f64)> {
    let (_, rest) = svg.split_once(&format!("<{element} points=\"")).unwrap();
    let (points, _) = rest.split_once('"').unwrap();
    let pair = |point: &str| {
        let (x, y) = point.split_once(',').unwrap();
        (x.parse::<f64>().unwrap(), y.parse::<f64>().unwrap())
    };
    points.split(' ').map(pair).collect()
}

#[test]
fn a_fan_is_drawn_through_the_quantiles() {
    let sessions = two(Length::Rolls(24));
    for it in &sessions {
        let (_, last) = it.outcome.fan.last().unwrap();
        assert_eq!(*last, FAN.map(|share| it.outcome.quantile(share)));
        let svg = session_fan(it, &sessions).unwrap().svg;
        check_markup(&svg);
        let (median, widest) = (points(&svg, "polyline"), points(&svg, "polygon"));
        let (start, end) = (median[0], median[median.len() - 1]);
        assert_eq!(median.len(), it.outcome.fan.len());
        assert_eq!(widest.len(), 2 * median.len());
        // The widest band ends between the first and the last of the quantiles.
        let height = |cents: Cents| -> f64 {
            let (low, high) = (widest[median.len() - 1], widest[median.len()]);
            let share = (cents - last[0]).0 as f64 / (last[6] - last[0]).0 as f64;
            low.1 + (high.1 - low.1) * share
        };
        for ((rolls, fan), (x, y)) in it.outcome.fan.iter().zip(&median) {
            let along = start.0 + (end.0 - start.0) * f64::from(*rolls) / 24.0;
            assert!((x - along).abs() < 0.11, "{x} and {along} after {rolls} rolls");
            assert!((y - height(fan[3])).abs() < 0.2, "{y} after {rolls} rolls");
        }
    }
    let ticks = |it: &PlanSession| {
        let svg = session_fan(it, &sessions).unwrap().svg;
        let labels = svg.split("text-anchor=\"end\">$").skip(1);
        labels.map(|label| label.split('<').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ticks(&sessions[0]), ticks(&sessions[1]));
}

/// What was looked for is told in every format, and only what all have in common stands on top.
#[test]
fn plans_with_different_bankrolls() {
    let mut sessions = two(Length::Rolls(24));
    let with = Session { bankroll: Cents::dollars(80), ..sessions[0].session };
    sessions[1] = session("six-eight", &[("place 6", 12)], with);
    for it in &mut sessions {
        it.found = Some(format!("${} is the least bankroll", it.session.bankroll.0 / 100));
    }
    let page = session_html(&sessions, "boxman 1.2.3");
    check_markup(&page);
    assert!(
        page.contains("<p class=\"terms\">24 rolls, 2 h, goal $100, made by boxman 1.2.3.</p>")
    );
    assert!(page.contains("<strong>pass:</strong> $60 is the least bankroll.</p>"));
    let csv = session_csv(&sessions, "boxman 1.2.3");
    assert!(csv.contains("six-eight,played,found,,,$80 is the least bankroll,words\n"));
    assert!(session_text(&sessions).starts_with("pass: $60 is the least bankroll\n"));
    let sheet = book(&sessions).worksheet_range("Compare").unwrap();
    let row = sheet.rows().find(|row| row[0] == "found").unwrap();
    assert_eq!(row[2].to_string(), "$80 is the least bankroll");
}

#[test]
fn rolls_of_several_shooters_are_not_told() {
    let sessions = two(Length::Shooters(3));
    assert!(!session_text(&sessions).contains("by roll"));
    let page = session_html(&sessions, "boxman 1.2.3");
    check_markup(&page);
    assert!(page.contains("Where it ends") && !page.contains("When it is over"));
    let one = session_html(&two(Length::Shooters(1)), "boxman 1.2.3");
    assert!(one.contains("When it is over") && one.contains("Rolls until ruin"));
}

#[test]
fn any_session_is_a_page() {
    let rich = Cents::dollars(1_000_000);
    for (bankroll, length) in [
        (Cents::dollars(5), Length::Rolls(10)),
        (Cents::dollars(5), Length::Open),
        (Cents::dollars(10), Length::Rolls(1)),
        (rich, Length::Rolls(1)),
        (rich, Length::Rolls(1_000)),
        (Cents::dollars(30), Length::Open),
    ] {
        for (goal, floor) in [(None, None), (Some(rich + rich), Some(Cents(1)))] {
            let with = Session { bankroll, length, goal, floor };
            let mut it = session("pass", &[("pass", 10)], with);
            it.plan = "<b>\"'&".repeat(12);
            it.played.about = "<i>".to_owned();
            let page = session_html(std::slice::from_ref(&it), "<v>");
            check_markup(&page);
            assert!(!page.contains("<b>") && !page.contains("<v>"));
            check_markup(&session_html(&[it, session("a", &[("pass", 5)], with)], ""));
        }
    }
}
