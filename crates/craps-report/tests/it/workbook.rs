//! The workbook, worked out by another spreadsheet engine: what its formulas come to is what the
//! solver says, as it was written and after every yellow cell has been changed.

use std::collections::BTreeMap;
use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use craps::terms::Winners;
use craps::{Cents, Library, MeterTerms, Rate, Rulebook};
use craps_math::{Par, ParTerms, Progressive, Ratio, float, whole};
use ironcalc::base::Model;
use ironcalc::base::cell::CellValue;
use ironcalc::import::load_from_xlsx_bytes;

/// A workbook open in the other engine, and as it was written.
struct Book {
    model: Model<'static>,
    written: Xlsx<Cursor<Vec<u8>>>,
}

impl Book {
    fn of(pars: &[Par]) -> Book {
        let bytes = craps_report::par_xlsx(pars, "boxman 1.2.3").unwrap();
        let workbook = load_from_xlsx_bytes(&bytes, "par", "en", "UTC").unwrap();
        let model = Model::from_workbook(workbook, "en").unwrap();
        let mut book = Book { model, written: Xlsx::new(Cursor::new(bytes)).unwrap() };
        book.model.evaluate();
        book
    }

    /// What a cell comes to; rows and columns are counted from one.
    fn value(&self, sheet: usize, row: u32, column: u32) -> CellValue {
        let value =
            self.model.get_cell_value_by_index(sheet as u32, row as i32, column as i32).unwrap();
        if let CellValue::String(text) = &value {
            assert!(!text.starts_with('#'), "{text} in row {row}, column {column}");
        }
        value
    }

    fn text(&self, sheet: usize, row: u32, column: u32) -> String {
        match self.value(sheet, row, column) {
            CellValue::None => String::new(),
            CellValue::String(text) => text,
            CellValue::Number(number) => number.to_string(),
            CellValue::Boolean(truth) => truth.to_string(),
        }
    }

    #[track_caller]
    fn number(&self, sheet: usize, row: u32, column: u32) -> f64 {
        match self.value(sheet, row, column) {
            CellValue::Number(number) => number,
            // Whole numbers of more digits than a spreadsheet holds are written as text.
            CellValue::String(text) if text.len() > 15 && text.parse::<f64>().is_ok() => {
                text.parse().unwrap()
            }
            other => panic!("{other:?} in row {row}, column {column}"),
        }
    }

    /// The row that begins with this name.
    #[track_caller]
    fn row(&self, sheet: usize, name: &str) -> u32 {
        let found = (1..100).find(|row| self.text(sheet, *row, 1) == name);
        found.unwrap_or_else(|| panic!("there is no row {name}"))
    }

    /// Writes into yellow cells, by the names beside them, and works the sheet out again.
    fn change(&mut self, sheet: usize, inputs: &[(&str, Input)]) {
        for (name, input) in inputs {
            let row = self.row(sheet, name) as i32;
            let formula = self.model.get_cell_formula(sheet as u32, row, 2).unwrap();
            assert_eq!(formula, None, "{name} is no input");
            match input {
                Input::Number(number) => {
                    self.model.update_cell_with_number(sheet as u32, row, 2, *number).unwrap();
                }
                Input::Word(word) => {
                    self.model.update_cell_with_text(sheet as u32, row, 2, word).unwrap();
                }
            }
        }
        self.model.evaluate();
    }

    /// Every formula comes to what was written beside it for readers that do not calculate.
    #[track_caller]
    fn check_as_written(&mut self) {
        for (sheet, name) in self.written.sheet_names().into_iter().enumerate() {
            let cells = self.written.worksheet_range(&name).unwrap();
            let formulas = self.written.worksheet_formula(&name).unwrap();
            let (top, left) = formulas.start().unwrap();
            let mut checked = 0;
            for (row, column, formula) in formulas.used_cells() {
                let (row, column) = (top + row as u32, left + column as u32);
                let is = self.value(sheet, row + 1, column + 1);
                let place = format!("{name}, row {}, column {}: {formula}", row + 1, column + 1);
                match (cells.get_value((row, column)), &is) {
                    (Some(Data::Float(told)), CellValue::Number(is)) => near(*is, *told, &place),
                    (Some(Data::String(told)), CellValue::String(is)) => {
                        assert_eq!(is, told, "{place}");
                    }
                    (Some(Data::Bool(told)), CellValue::Boolean(is)) => {
                        assert_eq!(is, told, "{place}");
                    }
                    (None | Some(Data::Empty), CellValue::String(is)) if is.is_empty() => {}
                    // A whole number in words reads back as a number.
                    (Some(Data::Float(told)), CellValue::String(is)) => {
                        assert_eq!(*is, told.to_string(), "{place}");
                    }
                    (told, is) => panic!("{place}: {is:?} where {told:?} is written"),
                }
                checked += 1;
            }
            assert!(checked > 40, "{name} has {checked} formulas");
        }
    }

    /// Every figure, every award and every note of a sheet is the solver's.
    #[track_caller]
    fn check(&self, sheet: usize, par: &Par) {
        let first = self.row(sheet, "award") + 1;
        for (row, award) in (first..).zip(&par.awards) {
            let place =
                |what: &str| format!("{} {}, {}: {what}", par.paytable, par.wager, award.event);
            assert_eq!(self.text(sheet, row, 1), award.event);
            for (column, what, value) in [
                (6, "chance", float(&award.chance)),
                (7, "one in", float(&award.one_in())),
                (10, "back", float(&award.back)),
                (11, "return", float(&award.share())),
                (16, "loss", float(&whole(award.loss.0)) / 100.0),
            ] {
                near(self.number(sheet, row, column), value, &place(what));
            }
        }
        let (head, mut told) = (self.row(sheet, "figure"), Vec::new());
        let mut expected = figures(par);
        for row in head + 1.. {
            let name = self.text(sheet, row, 1);
            if name.is_empty() {
                break;
            }
            let place = format!("{} {}: {name}", par.paytable, par.wager);
            let figure = expected.remove(name.as_str());
            match figure.unwrap_or_else(|| panic!("nobody knows {place}")) {
                Ok(value) => near(self.number(sheet, row, 2), value, &place),
                Err(word) => assert_eq!(self.text(sheet, row, 2), word, "{place}"),
            }
            told.push(self.text(sheet, row, 4));
        }
        assert!(expected.is_empty(), "left out: {:?}", expected.keys());
        told.retain(|note| !note.is_empty());
        let mut flags = par.flags();
        told.sort();
        flags.sort();
        assert_eq!(told, flags, "{} {}", par.paytable, par.wager);
    }
}

#[derive(Clone, Copy, Debug)]
enum Input {
    Number(f64),
    Word(&'static str),
}

/// Equal but for the last digits of a float.
#[track_caller]
fn near(is: f64, should: f64, what: &str) {
    let off = (is - should).abs();
    assert!(off <= 1e-10 * should.abs() + 1e-13, "{what}: {is} and not {should}");
}

/// What a cell holds: a number, or a word where there is none.
type Figure = Result<f64, &'static str>;

/// Every figure a sheet has, by its name, straight from the solver.
fn figures(par: &Par) -> BTreeMap<&'static str, Figure> {
    let exact = |value: &Ratio| Ok(float(value));
    let cents = |value: &Ratio| Ok(float(&(value / whole(100))));
    let digits = |text: String| -> Figure { Ok(text.parse().unwrap()) };
    let mut figures = BTreeMap::from([
        ("hit chance", exact(&par.hit_chance)),
        ("push chance", exact(&par.push_chance)),
        ("fixed return", exact(&par.fixed_return)),
        ("return at this meter", exact(&par.return_at_meter)),
        ("edge", exact(&par.edge())),
        ("envy cost", exact(&par.envy_cost)),
        ("edge after envy", exact(&par.edge_after_envy())),
        ("variance", exact(&par.variance)),
        ("standard deviation", Ok(par.deviation())),
        ("volatility index", Ok(par.volatility_index())),
        ("rolls to decide, numerator", digits(par.rolls.numerator().to_string())),
        ("rolls to decide, denominator", digits(par.rolls.denominator().to_string())),
        ("rolls to decide", exact(&par.rolls)),
        ("edge per roll", exact(&par.edge_per_roll())),
        ("decisions an hour", exact(&par.decisions_per_hour())),
        ("hold per hour", par.hold_per_hour().map_or(Err("no terms"), |hold| cents(&hold))),
        ("exposure on one roll", cents(&whole(par.exposure.0))),
    ]);
    if let Some(progressive) = &par.progressive {
        let or_no_terms = |value: Option<Ratio>, figure: fn(&Ratio) -> f64| {
            value.map_or(Err("no terms"), |value| Ok(figure(&value)))
        };
        let dollars: fn(&Ratio) -> f64 = |value| float(&(value / whole(100)));
        let (steps, reached) = to_ceiling(progressive);
        figures.extend([
            ("cycle, decisions", exact(&progressive.cycle())),
            ("fed by each decision", cents(&progressive.fed())),
            ("decisions to the ceiling", steps),
            ("chance to get there", reached),
            ("mean meter when hit", or_no_terms(progressive.mean_meter(), dollars)),
            ("long-run return", or_no_terms(progressive.long_run_return(), float)),
            ("set aside for jackpots", or_no_terms(progressive.set_aside(), float)),
            (
                "break-even meter",
                par.breakeven(par.bettors).map_or(Err("none"), |meter| cents(&meter)),
            ),
        ]);
    }
    figures
}

/// After how many decisions without a hit a meter is at its ceiling, and how likely that is.
fn to_ceiling(progressive: &Progressive) -> (Figure, Figure) {
    let terms = progressive.terms;
    match terms.ceiling.filter(|_| progressive.fed() > Ratio::ZERO) {
        None => (Err("no ceiling"), Ok(0.0)),
        Some(ceiling) => {
            let steps =
                (float(&whole((ceiling - terms.seed).0)) / float(&progressive.fed())).floor();
            (Ok(steps), Ok(progressive.no_hit(steps)))
        }
    }
}

/// The sheets of a paytable, whatever it needs to be told.
fn sheets(
    library: &Library,
    paytable: &str,
    terms: ParTerms,
    options: &[(String, String)],
) -> Vec<Par> {
    Par::of_paytables(library, &[paytable], terms, options).unwrap()
}

fn option(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// Every paytable there is, as it comes and on the suggested terms.
#[test]
fn as_written_every_formula_comes_to_what_stands_beside_it() {
    let library = Library::embedded();
    let mut pars = Vec::new();
    for (paytable, _) in craps_math::paytables(&library) {
        let terms = ParTerms { bettors: 3, ..ParTerms::default() };
        let plain = sheets(&library, &paytable, terms, &[]);
        if plain[0].progressive.is_some() {
            let options = MeterTerms::suggested(&plain[0].wager);
            let terms = ParTerms { meter: Some(Cents::dollars(40_000)), ..terms };
            pars.extend(sheets(&library, &paytable, terms, &options));
        }
        pars.extend(plain);
    }
    let mut book = Book::of(&pars);
    book.check_as_written();
    for (sheet, par) in pars.iter().enumerate() {
        book.check(sheet, par);
    }
    assert!(pars.len() > 30);
}

/// Progressives: every yellow cell is changed, one after the other and together.
#[test]
fn a_progressive_follows_its_inputs() {
    let library = Library::embedded();
    let changes: [(&str, Input); 9] = [
        ("unit, $", Input::Number(5.0)),
        ("bettors", Input::Number(7.0)),
        ("rolls an hour", Input::Number(87.0)),
        ("meter, $", Input::Number(61_234.56)),
        ("seed, $", Input::Number(2_500.25)),
        ("increment", Input::Number(0.1125)),
        ("reserve", Input::Number(0.042_5)),
        ("winners", Input::Word("in-full")),
        ("ceiling, $", Input::Number(64_000.0)),
    ];
    for paytable in ["PT-BJS-MEA-03", "PT-BJS-MEA-06", "PT-BJS-FUP-01", "PT-BJS-FUP-05"] {
        let wager = sheets(&library, paytable, ParTerms::default(), &[])[0].wager.clone();
        let suggested = MeterTerms::suggested(&wager);
        let terms = ParTerms { bettors: 2, meter: Some(Cents(3_000_000)), ..ParTerms::default() };
        let before = sheets(&library, paytable, terms, &suggested);
        let mut book = Book::of(&before);
        let mut subset = Vec::new();
        for change in changes {
            // Alone …
            let mut alone = Book::of(&before);
            alone.change(0, &[change]);
            alone.check(0, &changed(&library, paytable, &before[0], &[change]));
            // … and on top of the others.
            subset.push(change);
            book.change(0, &[change]);
            book.check(0, &changed(&library, paytable, &before[0], &subset));
        }
        // Without terms nothing is known of the mean meter, and back again.
        let none = [("seed, $", Input::Number(0.0)), ("increment", Input::Number(0.0))];
        book.change(0, &none);
        subset.extend(none);
        book.check(0, &changed(&library, paytable, &before[0], &subset));
    }
}

/// The sheet the solver makes for these very inputs.
fn changed(library: &Library, paytable: &str, par: &Par, changes: &[(&str, Input)]) -> Par {
    let mut terms = ParTerms {
        unit: Some(par.unit),
        meter: par.meter,
        bettors: par.bettors,
        rolls_per_hour: par.rolls_per_hour,
    };
    let mut meter = par.progressive.as_ref().map(|progressive| progressive.terms);
    let mut options = Vec::new();
    let rate = |share: f64| Rate((share * f64::from(Rate::WHOLE.0)).round() as u32);
    for (name, input) in changes {
        let cents = |input: &Input| match input {
            Input::Number(number) => Cents((number * 100.0).round() as i64),
            Input::Word(word) => panic!("{word} is no amount"),
        };
        let number = if let Input::Number(number) = input { *number } else { f64::NAN };
        let meter = meter.as_mut();
        match *name {
            "unit, $" => terms.unit = Some(cents(input)),
            "bettors" => terms.bettors = number as u8,
            "rolls an hour" => terms.rolls_per_hour = number as u32,
            "meter, $" => terms.meter = Some(cents(input)),
            "maximum bet, $" => {
                options.push(option(&format!("{}.max", par.wager), &number.to_string()));
            }
            "payout unit, $" => options.push(option("payout-unit", &number.to_string())),
            "aggregate cap, $" => options.push(option("aggregate-cap", &number.to_string())),
            "seed, $" => meter.unwrap().seed = cents(input),
            "increment" => meter.unwrap().increment = rate(number),
            "reserve" => meter.unwrap().reserve = rate(number),
            "ceiling, $" => meter.unwrap().ceiling = Some(cents(input)),
            "winners" => meter.unwrap().winners = Winners::InFull,
            name => panic!("{name} is no input"),
        }
    }
    if let Some(meter) = meter {
        options.extend(meter.options(&par.wager));
    }
    let pars = sheets(library, paytable, terms, &options);
    pars.into_iter().find(|other| other.wager == par.wager).unwrap()
}

/// Side bets without a meter: units, maximum and the payout unit.
#[test]
fn a_side_bet_follows_its_inputs() {
    let library = Library::embedded();
    let changes = [
        ("unit, $", Input::Number(25.0)),
        ("bettors", Input::Number(4.0)),
        ("maximum bet, $", Input::Number(300.0)),
        ("rolls an hour", Input::Number(144.0)),
        ("payout unit, $", Input::Number(1.0)),
    ];
    for paytable in ["PT-FLT-BC-03", "SS-LB-2"] {
        let before = sheets(&library, paytable, ParTerms::default(), &[]);
        let mut book = Book::of(&before);
        for (sheet, par) in before.iter().enumerate() {
            for count in 1..=changes.len() {
                book.change(sheet, &changes[..count]);
                book.check(sheet, &changed(&library, paytable, par, &changes[..count]));
            }
        }
    }
}

/// Winnings above a cap are withheld, from each winner the same.
#[test]
fn a_capped_bet_follows_its_inputs() {
    let library = Library::embedded();
    let terms = ParTerms { bettors: 3, ..ParTerms::default() };
    let cap = [option("aggregate-cap", "100")];
    let before = sheets(&library, "PT-FLT-BC-03", terms, &cap);
    assert!(before.iter().all(|par| par.cap == Some(Cents(10_000))));
    let mut book = Book::of(&before);
    book.check_as_written();
    let changes = [
        ("aggregate cap, $", Input::Number(25_000.0)),
        ("maximum bet, $", Input::Number(500.0)),
        ("bettors", Input::Number(2.0)),
        ("unit, $", Input::Number(150.0)),
    ];
    for (sheet, par) in before.iter().enumerate() {
        for count in 1..=changes.len() {
            book.change(sheet, &changes[..count]);
            book.check(sheet, &changed(&library, "PT-FLT-BC-03", par, &changes[..count]));
        }
    }
}

/// A table of its own: pays that do not divide evenly, one below the stake, a push, a commission.
const ODD: &str = r#"
    name = "odd"
    title = "Odd pays"
    kind = "base"
    points = [4, 5, 6, 8, 9, 10]
    default-paytables = ["ODD"]
    [limits]
    min = 1
    max = 100
    unit = 1
    [options]
    payout-unit = 0.01
    [wager.against]
    title = "Against"
    shape = "line"
    side = "wrong"
    wins = [2, 3, 12]
    loses = [7, 11]
    bar = 12
    when = "come-out"
    take = "any-time"
    [wager.uneven]
    title = "Uneven"
    shape = "one-roll"
    [wager.taxed]
    title = "Taxed"
    shape = "race"
    numbers = [4]
    wins = ["number"]
    loses = [7]
    [wager.taxed.commission]
    rate = "5%"
    of = "stake"
    when = "won"
    rounding = "floor"
    unit = 1
    minimum = 0
    [paytable.ODD.against]
    pays = "6 to 7"
    [paytable.ODD.uneven]
    pays = { 2 = "17 to 3", 3 = "2 for 3", 4 = "13 for 6" }
    [paytable.ODD.taxed]
    pays = { 4 = "2 to 1" }
"#;

/// A paytable with a name no workbook takes, and another with the same in small letters.
#[test]
fn every_sheet_has_a_name_of_its_own() {
    let named = ODD.replace("paytable.ODD", "paytable.\"A/B:C\"").replace("\"ODD\"", "\"A/B:C\"");
    let small = "[paytable.\"a/b:c\".against]\npays = \"1 to 1\"\n";
    let rulebook = Rulebook::parse("odd.toml", &(named + small)).unwrap();
    let library = Library::of(vec![rulebook]);
    let pars = [sheets(&library, "A/B:C", ParTerms::default(), &[])[0].clone()];
    let more = sheets(&library, "a/b:c", ParTerms::default(), &[]);
    let book = Book::of(&[&pars[..], &more[..]].concat());
    assert_eq!(book.written.sheet_names(), ["A-B-C against", "2 a-b-c against"]);
}

/// Sixteen digits are one too many for a cell: the fraction stands there as text, and beside it
/// the number that formulas go on with.
#[test]
fn a_fraction_too_long_for_a_cell_is_text_beside_its_number() {
    let mut pars = sheets(&Library::embedded(), "SS-ALL-1", ParTerms::default(), &[]);
    let long = craps_math::ratio(3, 1_000_000_000_000_001);
    (pars[0].awards[0].chance, pars[0].rolls) = (long.clone(), Ratio::ONE / &long);
    let book = Book::of(&pars);
    let row = book.row(0, "award") + 1;
    assert_eq!(book.value(0, row, 4), CellValue::Number(3.0));
    assert_eq!(book.value(0, row, 5), CellValue::String("1000000000000001".to_owned()));
    near(book.number(0, row, 6), float(&long), "chance");
    near(book.number(0, row, 7), 1.0 / 3e-15, "one in");
    let row = book.row(0, "rolls to decide, numerator");
    assert_eq!(book.value(0, row, 2), CellValue::String("1000000000000001".to_owned()));
    near(book.number(0, book.row(0, "rolls to decide"), 2), 1e15 / 3.0, "rolls");
    let decisions = book.number(0, book.row(0, "decisions an hour"), 2);
    near(decisions, 100.0 * 3e-15, "decisions an hour");
}

#[test]
fn odd_pays_are_rounded_as_the_engine_rounds_them() {
    let library = Library::of(vec![Rulebook::parse("odd.toml", ODD).unwrap()]);
    let before = sheets(&library, "ODD", ParTerms::default(), &[]);
    assert_eq!(before.len(), 3);
    let mut book = Book::of(&before);
    book.check_as_written();
    let changes = [
        ("unit, $", Input::Number(23.0)),
        ("maximum bet, $", Input::Number(77.0)),
        ("bettors", Input::Number(3.0)),
        ("payout unit, $", Input::Number(0.25)),
    ];
    for (sheet, par) in before.iter().enumerate().take(2) {
        for count in 1..=changes.len() {
            book.change(sheet, &changes[..count]);
            book.check(sheet, &changed(&library, "ODD", par, &changes[..count]));
        }
    }
    // What cannot follow says so, and only once it should have.
    let notes = |book: &Book, sheet: usize| -> Vec<String> {
        let first = book.row(sheet, "award") + 1;
        let last = book.row(sheet, "no award");
        (first..=last).map(|row| book.text(sheet, row, 17)).filter(|n| !n.is_empty()).collect()
    };
    assert_eq!(notes(&book, 0).len() + notes(&book, 1).len() + notes(&book, 2).len(), 0);
    book.change(2, &changes[..1]);
    let [note] = &notes(&book, 2)[..] else { panic!("one note") };
    assert!(note.starts_with("back and house loss do not follow: they are for a bet of $1"));
    // What a figure was exactly is not told of another one.
    let row = book.row(2, "edge");
    assert_eq!(book.text(2, row, 3), "");
    assert_eq!(Book::of(&before).text(2, row, 3), craps_math::fraction(&before[2].edge()));
}
