//! PAR sheets as a workbook a mathematician can audit: chances are fractions of whole numbers,
//! everything else is a live formula on them and on three input cells.

use craps::wager::Envy;
use craps_math::{Par, ParAward, Progressive, Ratio, decimal, float, ratio, sum};
use rust_xlsxwriter::{Color, Format, FormatBorder, Formula, Workbook, Worksheet, XlsxError};

use crate::figures::NO_TERMS;
use crate::par::hex;

/// Where the inputs stand on every sheet.
const UNIT: &str = "$B$5";
const BETTORS: &str = "$B$6";
const METER: &str = "$B$7";
/// The row of the first award, counted from one as formulas do.
const FIRST: u32 = 11;

/// The workbook, one sheet a wager.
pub fn par_xlsx(pars: &[Par], version: &str) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let mut names: Vec<String> = Vec::new();
    for par in pars {
        let name = sheet_name(par, &names);
        let sheet = workbook.add_worksheet().set_name(&name)?;
        names.push(name);
        Sheet { par, sheet, styles: Styles::new() }.write(version)?;
    }
    workbook.save_to_buffer()
}

/// A name a workbook takes: no odd characters, at most 31 of them, and none twice in any case.
fn sheet_name(par: &Par, taken: &[String]) -> String {
    let plain = format!("{} {}", par.paytable, par.wager)
        .replace(['[', ']', ':', '*', '?', '/', '\\'], "-");
    let name: String = plain.chars().take(31).collect();
    let used = |name: &str| taken.iter().any(|taken| taken.to_lowercase() == name.to_lowercase());
    if !used(&name) {
        return name;
    }
    format!("{} {}", taken.len() + 1, plain.chars().take(27).collect::<String>())
}

struct Styles {
    title: Format,
    head: Format,
    input: Format,
    money: Format,
    percent: Format,
    number: Format,
    note: Format,
}

impl Styles {
    fn new() -> Styles {
        let green = Color::RGB(0x1B_4D3E);
        Styles {
            title: Format::new().set_bold().set_font_size(14).set_font_color(green),
            head: Format::new().set_bold().set_border_bottom(FormatBorder::Thin),
            input: Format::new()
                .set_background_color(Color::RGB(0xFF_F6D6))
                .set_border(FormatBorder::Thin)
                .set_num_format("#,##0.00"),
            money: Format::new().set_num_format("$#,##0.00"),
            percent: Format::new().set_num_format("0.000000%"),
            number: Format::new().set_num_format("#,##0.0000"),
            note: Format::new().set_italic(),
        }
    }
}

struct Sheet<'a> {
    par: &'a Par,
    sheet: &'a mut Worksheet,
    styles: Styles,
}

impl Sheet<'_> {
    fn write(mut self, version: &str) -> Result<(), XlsxError> {
        self.head(version)?;
        self.awards()?;
        self.figures()?;
        for (column, width) in [(0, 30.0), (1, 18.0), (2, 14.0), (3, 20.0), (4, 20.0)] {
            self.sheet.set_column_width(column, width)?;
        }
        for column in 5..=11 {
            self.sheet.set_column_width(column, 16.0)?;
        }
        Ok(())
    }

    fn head(&mut self, version: &str) -> Result<(), XlsxError> {
        let par = self.par;
        let title = format!("{} — {}", par.paytable, par.title);
        self.sheet.write_with_format(0, 0, &title, &self.styles.title)?;
        let source = format!("{version}, {} {}", par.rulebook.0, hex(&par.rulebook.1));
        self.sheet.write(1, 0, &source)?;
        let flags = par.flags().join("; ");
        self.sheet.write_with_format(2, 0, &flags, &self.styles.note)?;
        self.sheet.write_with_format(
            3,
            0,
            "Inputs (change the yellow cells)",
            &self.styles.head,
        )?;
        let dollars = |cents: i64| float(&ratio(cents, 100));
        for (row, name, value) in [
            (4, "unit, $", dollars(par.unit.0)),
            (5, "bettors", f64::from(par.bettors)),
            (6, "meter, $", par.meter.map_or(0.0, |meter| dollars(meter.0))),
        ] {
            self.sheet.write(row, 0, name)?;
            self.sheet.write_with_format(row, 1, value, &self.styles.input)?;
        }
        Ok(())
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
            "back for each unit",
            "return",
            "envy once, $",
            "envy each, $",
            "envy cost",
        ];
        for (column, heading) in headings.iter().enumerate() {
            let head = &self.styles.head;
            self.sheet.write_with_format(FIRST - 2, column as u16, *heading, head)?;
        }
        let par = self.par;
        for (place, award) in par.awards.iter().enumerate() {
            self.award(FIRST - 1 + place as u32, award)?;
        }
        let push = FIRST - 1 + par.awards.len() as u32;
        self.rest(push, "push", &par.push_chance, &Ratio::ONE)?;
        let none = Ratio::ONE - &par.hit_chance - &par.push_chance;
        let awarded = sum(par.awards.iter().map(ParAward::share));
        let left = &par.return_at_meter - awarded - &par.push_chance;
        let back = if none.is_zero() { Ratio::ZERO } else { left / &none };
        self.rest(push + 1, "no award", &none, &back)
    }

    /// One award: integers, and formulas on them. `row` is counted from zero.
    fn award(&mut self, row: u32, award: &ParAward) -> Result<(), XlsxError> {
        let line = row + 1;
        self.sheet.write(row, 0, &award.event)?;
        self.sheet.write(row, 1, &award.pays)?;
        self.sheet.write(row, 2, award.envy.map_or(String::new(), |envy| envy.to_string()))?;
        self.whole(row, 3, &award.chance.numerator().to_string())?;
        self.whole(row, 4, &award.chance.denominator().to_string())?;
        self.formula(row, 5, &format!("=D{line}/E{line}"), &award.chance, Look::Percent)?;
        self.formula(row, 6, &format!("=E{line}/D{line}"), &award.one_in(), Look::Number)?;
        if award.jackpot {
            let shared = self.par.progressive.as_ref().is_some_and(Progressive::is_shared);
            let share = if shared {
                format!("={METER}/{BETTORS}/{UNIT}")
            } else {
                format!("={METER}/{UNIT}")
            };
            self.formula(row, 7, &share, &award.back, Look::Number)?;
        } else {
            self.sheet.write_with_format(row, 7, float(&award.back), &self.styles.number)?;
        }
        self.formula(row, 8, &format!("=F{line}*H{line}"), &award.share(), Look::Percent)?;
        self.envy(row, award)
    }

    /// What the dealers get for an award: once, for each winner, and what that costs.
    fn envy(&mut self, row: u32, award: &ParAward) -> Result<(), XlsxError> {
        let line = row + 1;
        let unit = ratio(self.par.unit.0, 100);
        let (once, each) = match award.envy {
            None => (Ratio::ZERO, Ratio::ZERO),
            Some(Envy::Multiple(multiple)) => (Ratio::ZERO, ratio(i64::from(multiple), 1)),
            Some(Envy::Once(cents)) => (ratio(cents.0, 100), Ratio::ZERO),
            Some(Envy::Each(cents)) => (Ratio::ZERO, ratio(cents.0, 100)),
        };
        for (column, amount) in [(9, &once), (10, &each)] {
            let formula = format!("={}*{UNIT}", decimal(amount, 2));
            self.formula(row, column, &formula, &(amount * &unit), Look::Money)?;
        }
        let cost = &award.chance * (once / ratio(i64::from(self.par.bettors), 1) + each);
        let formula = format!("=F{line}*(J{line}/{BETTORS}+K{line})/{UNIT}");
        self.formula(row, 11, &formula, &cost, Look::Percent)
    }

    /// Pushes, and every ending without an award: the chances add up to one.
    fn rest(
        &mut self,
        row: u32,
        name: &str,
        chance: &Ratio,
        back: &Ratio,
    ) -> Result<(), XlsxError> {
        let line = row + 1;
        self.sheet.write(row, 0, name)?;
        self.whole(row, 3, &chance.numerator().to_string())?;
        self.whole(row, 4, &chance.denominator().to_string())?;
        self.formula(row, 5, &format!("=D{line}/E{line}"), chance, Look::Percent)?;
        self.sheet.write_with_format(row, 7, float(back), &self.styles.number)?;
        self.formula(row, 8, &format!("=F{line}*H{line}"), &(chance * back), Look::Percent)
    }

    /// The figures, each a formula over the awards.
    fn figures(&mut self) -> Result<(), XlsxError> {
        let par = self.par;
        let won = FIRST + par.awards.len() as u32 - 1;
        let last = won + 2;
        let range = |column: char| format!("{column}{FIRST}:{column}{last}");
        let (chance, back, share) = (range('F'), range('H'), range('I'));
        let start = last + 1;
        self.sheet.write_with_format(start, 0, "figure", &self.styles.head)?;
        self.sheet.write_with_format(start, 1, "value", &self.styles.head)?;
        let at = |offset: u32| format!("B{}", start + 2 + offset);
        let (fixed, total) = (at(1), at(2));
        let jackpot = par.awards.iter().position(|award| award.jackpot);
        let top_row = FIRST + jackpot.unwrap_or(0) as u32;
        let fixed_formula = match jackpot {
            Some(_) => format!("=SUM({share})-I{top_row}"),
            None => format!("=SUM({share})"),
        };
        let mut rows: Vec<(&str, String, Option<Ratio>, Look)> = vec![
            (
                "hit chance",
                format!("=SUM(F{FIRST}:F{won})"),
                Some(par.hit_chance.clone()),
                Look::Percent,
            ),
            ("fixed return", fixed_formula, Some(par.fixed_return.clone()), Look::Percent),
            (
                "return at this meter",
                format!("=SUM({share})"),
                Some(par.return_at_meter.clone()),
                Look::Percent,
            ),
            ("edge", format!("=1-{total}"), Some(par.edge()), Look::Percent),
            (
                "envy cost",
                format!("=SUM({})", range('L')),
                Some(par.envy_cost.clone()),
                Look::Percent,
            ),
            (
                "edge after envy",
                format!("={}-{}", at(3), at(4)),
                Some(par.edge_after_envy()),
                Look::Percent,
            ),
            (
                "variance",
                format!("=SUMPRODUCT({chance},({back}-1)^2)-({total}-1)^2"),
                Some(par.variance.clone()),
                Look::Number,
            ),
        ];
        let deviation = |by: &str| format!("={by}SQRT({})", at(6));
        let (root, index) = (approximate(par.deviation()), approximate(par.volatility_index()));
        rows.push(("standard deviation", deviation(""), Some(root), Look::Number));
        rows.push((
            "volatility index",
            deviation(&format!("{}*", Par::NINE_IN_TEN)),
            Some(index),
            Look::Number,
        ));
        // What no cell can work out is written down.
        let written = |name, value: Option<Ratio>, look, places| {
            let formula = value.as_ref().map(|value| format!("={}", decimal(value, places)));
            (name, formula.unwrap_or_default(), value, look)
        };
        let hundred = Ratio::from(100);
        let money = |name, cents: Option<Ratio>| {
            written(name, cents.map(|cents| cents / &hundred), Look::Money, 6)
        };
        rows.push(money("hold per hour", par.hold_per_hour()));
        rows.push(money("exposure on one roll", Some(ratio(par.exposure.0, 1))));
        if let (Some(_), Some(progressive)) = (jackpot, &par.progressive) {
            let cycle = format!("=1/F{top_row}");
            rows.push(("cycle, decisions", cycle, Some(progressive.cycle()), Look::Number));
            rows.push(money("mean meter when hit", progressive.mean_meter()));
            let long_run = progressive.long_run_return();
            rows.push(written("long-run return", long_run, Look::Percent, 15));
        }
        if let (Some(_), Some(cents)) = (jackpot, par.breakeven(par.bettors)) {
            let shared = par.progressive.as_ref().is_some_and(Progressive::is_shared);
            let by = if shared { format!("*{BETTORS}") } else { String::new() };
            let formula = format!("=(1-{fixed})/F{top_row}*{UNIT}{by}");
            rows.push(("break-even meter", formula, Some(cents / &hundred), Look::Money));
        }
        for (offset, (name, formula, value, look)) in rows.into_iter().enumerate() {
            let row = start + 1 + offset as u32;
            self.sheet.write(row, 0, name)?;
            match value {
                Some(value) => self.formula(row, 1, &formula, &value, look)?,
                None => drop(self.sheet.write(row, 1, NO_TERMS)?),
            }
        }
        self.rolls(start + 18, &at(3))
    }

    /// The rolls it takes, and the edge of each; `edge` is the cell of the edge.
    fn rolls(&mut self, row: u32, edge: &str) -> Result<(), XlsxError> {
        let par = self.par;
        self.sheet.write(row, 0, "rolls to decide: numerator, denominator, mean")?;
        self.whole(row, 1, &par.rolls.numerator().to_string())?;
        self.whole(row, 2, &par.rolls.denominator().to_string())?;
        let line = row + 1;
        self.formula(row, 3, &format!("=B{line}/C{line}"), &par.rolls, Look::Number)?;
        self.sheet.write(row + 1, 0, "edge per roll")?;
        let formula = format!("={edge}/D{line}");
        self.formula(row + 1, 1, &formula, &par.edge_per_roll(), Look::Percent)?;
        Ok(())
    }

    /// A whole number: as a number where a spreadsheet holds it exactly, as text where not.
    fn whole(&mut self, row: u32, column: u16, digits: &str) -> Result<(), XlsxError> {
        match digits.parse::<f64>() {
            Ok(number) if digits.len() <= 15 => self.sheet.write(row, column, number)?,
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
        value: &Ratio,
        look: Look,
    ) -> Result<(), XlsxError> {
        let format = match look {
            Look::Percent => &self.styles.percent,
            Look::Number => &self.styles.number,
            Look::Money => &self.styles.money,
        };
        let formula = Formula::new(formula).set_result(decimal(value, 15));
        self.sheet.write_formula_with_format(row, column, formula, format)?;
        Ok(())
    }
}

/// A statistic as a fraction of a billion, for a cell that is a formula anyway.
#[expect(clippy::float_arithmetic, reason = "a cached value for readers that do not calculate")]
fn approximate(value: f64) -> Ratio {
    ratio((value * 1e9).round() as i64, 1_000_000_000)
}

#[derive(Clone, Copy)]
enum Look {
    Percent,
    Number,
    Money,
}
