//! PAR sheets as a workbook a mathematician can audit: chances and pays are fractions of whole
//! numbers, what the sheet is made for stands in yellow cells, and every figure is a live formula
//! on both. `inputs` has the yellow cells, `figures` the list of figures, `formulas` every formula;
//! here they are put in place.

mod figures;
mod formulas;
mod inputs;

use craps::hex;
use craps::wager::Envy;
use craps_math::{Par, ParAward, Ratio, ratio, sum, whole};
use rust_xlsxwriter::{
    Color, DataValidation, DataValidationRule, Format, FormatBorder, Formula, Workbook, Worksheet,
    XlsxError,
};

use self::figures::{Figure, figures};
use self::formulas::{DIGITS, Endings, double, fits, name};
use self::inputs::{Holds, IN_FULL, Inputs, May, SHARE};

/// The workbook, one sheet a wager.
pub fn par_xlsx(pars: &[Par], version: &str) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let mut names: Vec<String> = Vec::new();
    for par in pars {
        let name = sheet_name(&format!("{} {}", par.paytable, par.wager), &names);
        let sheet = workbook.add_worksheet().set_name(&name)?;
        names.push(name);
        // A formula that says nothing says nothing to readers that do not calculate either.
        sheet.set_formula_result_default("");
        let inputs = Inputs::of(par);
        let endings = Endings::of(par, inputs.end() + 4);
        Sheet { par, sheet, inputs, endings, styles: Styles::new() }.write(version)?;
    }
    workbook.save_to_buffer()
}

/// A name a workbook takes: no odd characters, at most 31 of them, and none twice in any case.
pub(crate) fn sheet_name(wanted: &str, taken: &[String]) -> String {
    let plain = wanted.replace(['[', ']', ':', '*', '?', '/', '\\', '\''], "-");
    let name: String = plain.chars().take(31).collect();
    let used = |name: &str| taken.iter().any(|taken| taken.to_lowercase() == name.to_lowercase());
    if !used(&name) {
        return name;
    }
    format!("{} {}", taken.len() + 1, plain.chars().take(27).collect::<String>())
}

/// How the cells of any workbook look.
pub(crate) struct Styles {
    pub(crate) title: Format,
    pub(crate) head: Format,
    input: Format,
    pub(crate) money: Format,
    pub(crate) percent: Format,
    number: Format,
    pub(crate) whole: Format,
    pub(crate) note: Format,
}

impl Styles {
    pub(crate) fn new() -> Styles {
        let green = Color::RGB(0x1B_4D3E);
        Styles {
            title: Format::new().set_bold().set_font_size(14).set_font_color(green),
            head: Format::new().set_bold().set_border_bottom(FormatBorder::Thin),
            input: Format::new()
                .set_background_color(Color::RGB(0xFF_F6D6))
                .set_border(FormatBorder::Thin),
            money: Format::new().set_num_format("$#,##0.00"),
            percent: Format::new().set_num_format("0.000000%"),
            number: Format::new().set_num_format("#,##0.0000"),
            whole: Format::new().set_num_format("#,##0"),
            note: Format::new().set_italic(),
        }
    }

    fn of(&self, look: Look) -> &Format {
        match look {
            Look::Percent => &self.percent,
            Look::Number => &self.number,
            Look::Money => &self.money,
            Look::Whole => &self.whole,
            Look::Text => &self.note,
        }
    }
}

#[derive(Clone, Copy)]
enum Look {
    Percent,
    Number,
    Money,
    Whole,
    Text,
}

/// What a formula comes to, for readers that do not calculate.
enum Told {
    Exactly(Ratio),
    /// A statistic.
    About(f64),
    Word(String),
}

impl Told {
    fn written(&self) -> String {
        match self {
            Told::Exactly(value) => double(value),
            Told::About(value) => value.to_string(),
            Told::Word(word) => word.clone(),
        }
    }
}

struct Sheet<'a> {
    par: &'a Par,
    sheet: &'a mut Worksheet,
    inputs: Inputs,
    endings: Endings,
    styles: Styles,
}

impl Sheet<'_> {
    fn write(mut self, version: &str) -> Result<(), XlsxError> {
        self.head(version)?;
        self.awards()?;
        self.figures()?;
        for (column, width) in [(0, 30.0), (1, 18.0), (2, 26.0)] {
            self.sheet.set_column_width(column, width)?;
        }
        for column in 3..=16 {
            self.sheet.set_column_width(column, 18.0)?;
        }
        Ok(())
    }

    fn head(&mut self, version: &str) -> Result<(), XlsxError> {
        let par = self.par;
        let title = format!("{} — {}", par.paytable, par.title);
        self.sheet.write_with_format(0, 0, &title, &self.styles.title)?;
        let source = format!("{version}, {} {}", par.rulebook.0, hex::encode(&par.rulebook.1));
        self.sheet.write(1, 0, &source)?;
        let follow = "Every figure is a formula and follows the yellow cells; a note says where \
                      one does not.";
        self.sheet.write_with_format(2, 0, follow, &self.styles.note)?;
        let inputs = "Inputs (change the yellow cells)";
        self.sheet.write_with_format(3, 0, inputs, &self.styles.head)?;
        for (line, input) in self.inputs.lines() {
            let row = line - 1;
            self.sheet.write(row, 0, input.name)?;
            let look = self.styles.input.clone().set_num_format(match input.may {
                May::Bet | May::Dollars | May::DollarsOrNone => "$#,##0.00",
                May::Bettors | May::Rolls => "#,##0",
                May::Share | May::Winners => "0.0000%",
            });
            match &input.holds {
                Holds::Number(number) => {
                    self.sheet.write_with_format(row, 1, number_of(number), &look)?;
                    self.sheet.add_data_validation(row, 1, row, 1, &may(input.may)?)?;
                }
                Holds::Word(word) => {
                    self.sheet.write_with_format(row, 1, *word, &look)?;
                    self.sheet.add_data_validation(row, 1, row, 1, &may(input.may)?)?;
                }
                Holds::Same(cell) => {
                    let told = double(&ratio(par.maximum.0, 100));
                    let same = Formula::new(formulas::same(cell)).set_result(told);
                    let money = &self.styles.money;
                    self.sheet.write_formula_with_format(row, 1, same, money)?;
                    self.sheet.write(row, 2, "only one amount can be bet")?;
                }
            }
        }
        let row = self.inputs.end() - 1;
        self.sheet.write(row, 0, "inputs are as written")?;
        let as_written = formulas::as_written(&self.inputs);
        self.formula(row, 1, &as_written, &Told::Word("TRUE".to_owned()), Look::Text)
    }

    fn awards(&mut self) -> Result<(), XlsxError> {
        let headings = [
            "award",
            "pays",
            "envy",
            "chance, numerator",
            "chance, denominator",
            "chance",
            "one in",
            "pay for each, numerator",
            "pay for each, denominator",
            "back for each unit",
            "return",
            "part of the variance",
            "envy once, $",
            "envy each, $",
            "envy cost",
            "house loss at maximum, $",
            "note",
        ];
        for (column, heading) in headings.iter().enumerate() {
            let (row, head) = (self.endings.first - 2, &self.styles.head);
            self.sheet.write_with_format(row, column as u16, *heading, head)?;
        }
        let par = self.par;
        for (place, award) in par.awards.iter().enumerate() {
            self.award(self.endings.first + place as u32, award)?;
        }
        let none = Ratio::ONE - &par.hit_chance - &par.push_chance;
        let awarded = sum(par.awards.iter().map(ParAward::share));
        let left = &par.return_at_meter - awarded - &par.push_chance;
        let back = if none.is_zero() { Ratio::ZERO } else { left / &none };
        let lost = formulas::loss_of_nothing(&self.inputs);
        self.rest(self.endings.push, "push", &par.push_chance, &Ratio::ONE, formulas::NOTHING)?;
        self.rest(self.endings.none, "no award", &none, &back, &lost)
    }

    /// One award: integers, and formulas on them.
    fn award(&mut self, line: u32, award: &ParAward) -> Result<(), XlsxError> {
        let (par, row) = (self.par, line - 1);
        self.sheet.write(row, 0, &award.event)?;
        self.sheet.write(row, 1, &award.pays)?;
        self.sheet.write(row, 2, award.envy.map_or(String::new(), |envy| envy.to_string()))?;
        self.chance(line, &award.chance)?;
        let one_in = Told::Exactly(award.one_in());
        self.formula(row, 6, &formulas::one_in(line), &one_in, Look::Number)?;
        let follows = formulas::follows(par, award);
        let back = match (award.rate(), &self.inputs.meter) {
            (None, Some(meter)) => formulas::back_of_meter(&self.inputs, meter),
            (Some(rate), _) if follows => {
                self.fraction(row, 7, &rate)?;
                formulas::back_of_pay(&self.inputs, line, &rate)
            }
            _ => self.written_back(line, &award.back)?,
        };
        self.formula(row, 9, &back, &Told::Exactly(award.back.clone()), Look::Number)?;
        self.share(line, &award.chance, &award.back)?;
        self.envy(line, award)?;
        let loss = match follows {
            true => formulas::loss(&self.inputs, line, award),
            false => formulas::constant(&ratio(award.loss.0, 100)),
        };
        let told = Told::Exactly(ratio(award.loss.0, 100));
        self.formula(row, 15, &loss, &told, Look::Money)
    }

    /// What comes back where no formula can follow the unit, and a note that says so.
    fn written_back(&mut self, line: u32, back: &Ratio) -> Result<String, XlsxError> {
        let row = line - 1;
        self.fraction(row, 7, back)?;
        let why = format!(
            "back and house loss do not follow: they are for a bet of ${}, {} and ${} at most, \
             because commission or a split bet is settled in more steps than a cell shows",
            self.par.unit,
            crate::markup::counted(usize::from(self.par.bettors), "bettor"),
            self.par.maximum
        );
        let note = formulas::stays_behind(&self.inputs, &why);
        self.formula(row, 16, &note, &Told::Word(String::new()), Look::Text)?;
        Ok(formulas::back_as_written(line, back))
    }

    /// The chance of an ending, as a fraction and as a number.
    fn chance(&mut self, line: u32, chance: &Ratio) -> Result<(), XlsxError> {
        self.fraction(line - 1, 3, chance)?;
        let formula = formulas::chance(line, chance);
        self.formula(line - 1, 5, &formula, &Told::Exactly(chance.clone()), Look::Percent)
    }

    /// What an ending adds to the return and to the variance.
    fn share(&mut self, line: u32, chance: &Ratio, back: &Ratio) -> Result<(), XlsxError> {
        let share = Told::Exactly(chance * back);
        self.formula(line - 1, 10, &formulas::share(line), &share, Look::Percent)?;
        let net = back - Ratio::ONE;
        let square = Told::Exactly(chance * &net * &net);
        self.formula(line - 1, 11, &formulas::square(line), &square, Look::Number)
    }

    /// What the dealers get for an award: once, for each winner, and what that costs.
    fn envy(&mut self, line: u32, award: &ParAward) -> Result<(), XlsxError> {
        let par = self.par;
        let unit = par.unit;
        let scaled = |amount: craps::Cents| ratio(amount.share(unit.0, 100).0.0, 100);
        let (once, each) = match award.envy {
            None => (Ratio::ZERO, Ratio::ZERO),
            Some(Envy::Multiple(multiple)) => {
                (Ratio::ZERO, ratio(unit.0, 100) * whole(i64::from(multiple)))
            }
            Some(Envy::Once(amount)) => (scaled(amount), Ratio::ZERO),
            Some(Envy::Each(amount)) => (Ratio::ZERO, scaled(amount)),
        };
        let cost =
            &award.chance * (&once / whole(i64::from(par.bettors)) + &each) / ratio(unit.0, 100);
        let [once_is, each_is] = formulas::envy(award.envy, &self.inputs);
        let row = line - 1;
        self.formula(row, 12, &once_is, &Told::Exactly(once), Look::Money)?;
        self.formula(row, 13, &each_is, &Told::Exactly(each), Look::Money)?;
        let formula = formulas::envy_cost(&self.inputs, line);
        self.formula(row, 14, &formula, &Told::Exactly(cost), Look::Percent)
    }

    /// Pushes, and every ending without an award: the chances add up to one. An ending that never
    /// comes costs the house nothing.
    fn rest(
        &mut self,
        line: u32,
        name: &str,
        chance: &Ratio,
        back: &Ratio,
        loss: &str,
    ) -> Result<(), XlsxError> {
        let row = line - 1;
        self.sheet.write(row, 0, name)?;
        self.chance(line, chance)?;
        let plain = *back == Ratio::ZERO || *back == Ratio::ONE;
        let formula = match plain {
            true => {
                self.fraction(row, 7, back)?;
                formulas::back_as_written(line, back)
            }
            false => self.written_back(line, back)?,
        };
        self.formula(row, 9, &formula, &Told::Exactly(back.clone()), Look::Number)?;
        self.share(line, chance, back)?;
        if !chance.is_zero() {
            let taken = whole(i64::from(self.par.bettors)) * ratio(self.par.maximum.0, 100);
            let told = Told::Exactly(if loss == formulas::NOTHING { Ratio::ZERO } else { -taken });
            self.formula(row, 15, loss, &told, Look::Money)?;
        }
        Ok(())
    }

    /// The figures, each a formula over the awards and the inputs.
    fn figures(&mut self) -> Result<(), XlsxError> {
        let head = self.endings.none + 2;
        for (column, heading) in ["figure", "value", "exactly", "note"].iter().enumerate() {
            let style = &self.styles.head;
            self.sheet.write_with_format(head - 1, column as u16, *heading, style)?;
        }
        let figures = figures(self.par);
        let names: Vec<&str> = figures.iter().map(|figure| figure.name).collect();
        let at = |name: &str| {
            let place = names.iter().position(|known| *known == name);
            let place = place.expect("a figure rests on one of the sheet");
            format!("B{}", head + 1 + place as u32)
        };
        for (line, figure) in (head + 1..).zip(&figures) {
            self.figure(line, figure, &at)?;
        }
        Ok(())
    }

    fn figure(
        &mut self,
        line: u32,
        figure: &Figure,
        at: &impl Fn(&str) -> String,
    ) -> Result<(), XlsxError> {
        let (par, row) = (self.par, line - 1);
        self.sheet.write(row, 0, figure.name)?;
        let rolls_fit = fits(&par.rolls);
        let formula = match figure.name {
            name::ROLLS if !rolls_fit => Some(formulas::constant(&par.rolls)),
            name => formulas::figure(name, &self.inputs, &self.endings, at),
        };
        match (formula, &figure.told) {
            (Some(formula), told) => self.formula(row, 1, &formula, told, figure.look)?,
            (None, Told::Exactly(value)) => self.whole(row, 1, &value.numerator().to_string())?,
            (None, told) => {
                self.sheet.write(row, 1, told.written())?;
            }
        }
        if let Some(exact) = &figure.exactly {
            let told = Told::Word(exact.clone());
            let formula = formulas::while_as_written(&self.inputs, exact);
            self.formula(row, 2, &formula, &told, Look::Text)?;
        }
        if let Some(formula) = formulas::flag(figure.name, par, &self.inputs, at) {
            let says = figures::flagged(figure.name).unwrap_or_default();
            let told = par.flags().into_iter().find(|flag| flag.contains(says));
            let told = Told::Word(told.unwrap_or_default());
            self.formula(row, 3, &formula, &told, Look::Text)?;
        }
        Ok(())
    }

    /// A fraction in two cells, as numbers where a spreadsheet holds both exactly and as text
    /// where not.
    fn fraction(&mut self, row: u32, column: u16, value: &Ratio) -> Result<(), XlsxError> {
        self.whole(row, column, &value.numerator().to_string())?;
        self.whole(row, column + 1, &value.denominator().to_string())
    }

    /// A whole number: as a number where a spreadsheet holds it exactly, as text where not.
    fn whole(&mut self, row: u32, column: u16, digits: &str) -> Result<(), XlsxError> {
        match digits.parse::<f64>() {
            Ok(number) if digits.trim_start_matches('-').len() <= DIGITS => {
                self.sheet.write_with_format(row, column, number, &self.styles.whole)?
            }
            _ => self.sheet.write(row, column, digits)?,
        };
        Ok(())
    }

    /// A formula, with its value for readers that do not calculate.
    fn formula(
        &mut self,
        row: u32,
        column: u16,
        formula: &str,
        told: &Told,
        look: Look,
    ) -> Result<(), XlsxError> {
        let formula = Formula::new(formula).set_result(told.written());
        self.sheet.write_formula_with_format(row, column, formula, self.styles.of(look))?;
        Ok(())
    }
}

/// What may be written into an input.
fn may(may: May) -> Result<DataValidation, XlsxError> {
    let rule = DataValidation::new();
    let bettors = i32::from(Par::BETTORS_MAX);
    Ok(match may {
        May::Bet => rule.allow_decimal_number(DataValidationRule::GreaterThan(0.0)),
        May::Dollars => rule.allow_decimal_number(DataValidationRule::GreaterThanOrEqualTo(0.0)),
        May::DollarsOrNone => return Ok(DataValidation::new()),
        May::Bettors => rule.allow_whole_number(DataValidationRule::Between(1, bettors)),
        May::Rolls => rule.allow_whole_number(DataValidationRule::GreaterThanOrEqualTo(1)),
        May::Share => rule.allow_decimal_number(DataValidationRule::Between(0.0, 1.0)),
        May::Winners => rule.allow_list_strings(&[SHARE, IN_FULL])?,
    })
}

/// A small exact number as the float a cell holds.
fn number_of(value: &Ratio) -> f64 {
    double(value).parse().unwrap_or(f64::NAN)
}
