//! PAR sheets as a workbook a mathematician can audit: chances are fractions of whole numbers,
//! everything else is a live formula on them and on three input cells.

use craps::Envy;
use craps_math::{Par, ParAward, Progressive, Ratio, decimal, float};
use rust_xlsxwriter::{Color, Format, FormatBorder, Formula, Workbook, Worksheet, XlsxError};

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
        let mut name: String = format!("{} {}", par.paytable, par.wager).chars().take(31).collect();
        if names.contains(&name) {
            name = format!("{} {}", names.len() + 1, name.chars().take(28).collect::<String>());
        }
        let sheet = workbook.add_worksheet().set_name(&name)?;
        names.push(name);
        Sheet { par, sheet, styles: Styles::new() }.write(version)?;
    }
    workbook.save_to_buffer()
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
        let source =
            format!("boxman {version}, {}, rules {}", par.rulebook.0, hex(&par.rulebook.1));
        self.sheet.write(1, 0, &source)?;
        let flags = par.flags().join("; ");
        self.sheet.write_with_format(2, 0, &flags, &self.styles.note)?;
        self.sheet.write_with_format(
            3,
            0,
            "Inputs (change the yellow cells)",
            &self.styles.head,
        )?;
        let dollars = |cents: i64| float(&craps_math::ratio(cents, 100));
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
        Ok(())
    }

    /// One award: integers, and formulas on them. `row` is counted from zero.
    fn award(&mut self, row: u32, award: &ParAward) -> Result<(), XlsxError> {
        let line = row + 1;
        self.sheet.write(row, 0, &award.event)?;
        self.sheet.write(row, 1, &award.pays)?;
        self.sheet.write(row, 2, award.envy.as_deref().unwrap_or_default())?;
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
        let envy = award.envy.as_deref().and_then(|text| text.parse::<Envy>().ok());
        let amount = |cents: i64| format!("={}*{UNIT}", decimal(&craps_math::ratio(cents, 100), 2));
        let (once, each) = match envy {
            None => ("=0".to_owned(), "=0".to_owned()),
            Some(Envy::Multiple(multiple)) => ("=0".to_owned(), format!("={multiple}*{UNIT}")),
            Some(Envy::Once(cents)) => (amount(cents.0), "=0".to_owned()),
            Some(Envy::Each(cents)) => ("=0".to_owned(), amount(cents.0)),
        };
        self.sheet.write_formula_with_format(row, 9, once.as_str(), &self.styles.money)?;
        self.sheet.write_formula_with_format(row, 10, each.as_str(), &self.styles.money)?;
        let cost = format!("=F{line}*(J{line}/{BETTORS}+K{line})/{UNIT}");
        self.sheet.write_formula_with_format(row, 11, cost.as_str(), &self.styles.percent)?;
        Ok(())
    }

    /// The figures, each a formula over the awards.
    fn figures(&mut self) -> Result<(), XlsxError> {
        let par = self.par;
        let last = FIRST + par.awards.len() as u32 - 1;
        let range = |column: char| format!("{column}{FIRST}:{column}{last}");
        let (chance, back, share) = (range('F'), range('H'), range('I'));
        let start = last + 1;
        self.sheet.write_with_format(start, 0, "figure", &self.styles.head)?;
        self.sheet.write_with_format(start, 1, "value", &self.styles.head)?;
        let at = |offset: u32| format!("B{}", start + 2 + offset);
        let (hit, fixed, total) = (at(0), at(1), at(2));
        let jackpot = par.awards.iter().position(|award| award.jackpot);
        let top_row = FIRST + jackpot.unwrap_or(0) as u32;
        let fixed_formula = match jackpot {
            Some(_) => format!("=SUM({share})-I{top_row}"),
            None => format!("=SUM({share})"),
        };
        let mut rows: Vec<(&str, String, Ratio, Look)> = vec![
            ("hit chance", format!("=SUM({chance})"), par.hit_chance.clone(), Look::Percent),
            ("fixed return", fixed_formula, par.fixed_return.clone(), Look::Percent),
            (
                "return at this meter",
                format!("=SUM({share})"),
                par.return_at_meter.clone(),
                Look::Percent,
            ),
            ("edge", format!("=1-{total}"), par.edge(), Look::Percent),
            ("envy cost", format!("=SUM({})", range('L')), par.envy_cost.clone(), Look::Percent),
            (
                "edge after envy",
                format!("={}-{}", at(3), at(4)),
                par.edge_after_envy(),
                Look::Percent,
            ),
            (
                "variance",
                format!("=SUMPRODUCT({chance},({back}-1)^2)+(1-{hit})-({total}-1)^2"),
                par.variance.clone(),
                Look::Number,
            ),
        ];
        if let (Some(_), Some(cents)) = (jackpot, par.breakeven(par.bettors)) {
            let shared = par.progressive.as_ref().is_some_and(Progressive::is_shared);
            let by = if shared { format!("*{BETTORS}") } else { String::new() };
            let formula = format!("=(1-{fixed})/F{top_row}*{UNIT}{by}");
            rows.push(("break-even meter", formula, cents / Ratio::from(100), Look::Money));
        }
        for (offset, (name, formula, value, look)) in rows.into_iter().enumerate() {
            let row = start + 1 + offset as u32;
            self.sheet.write(row, 0, name)?;
            self.formula(row, 1, &formula, &value, look)?;
        }
        self.rolls(start + 10, &at(3))
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

#[derive(Clone, Copy)]
enum Look {
    Percent,
    Number,
    Money,
}
