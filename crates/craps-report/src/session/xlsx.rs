//! Sessions as a workbook: the grid as real numbers, and for each plan every final result, the
//! fan and the chances by roll.

use craps_math::session::{FAN, Over};
use rust_xlsxwriter::{Format, FormatAlign, Workbook, Worksheet, XlsxError};

use super::PlanSession;
use super::over::{called, over_by};
use super::rows::{Value, figures};
use crate::xlsx::{Styles, sheet_name};

/// The rows of results a sheet takes; a spreadsheet has 1,048,576 in all.
const MOST: usize = 1_000_000;

/// The workbook: a sheet `Compare`, then one a plan.
pub fn session_xlsx(sessions: &[PlanSession], version: &str) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let styles = Styles::new();
    let mut names = vec!["Compare".to_owned()];
    compare(workbook.add_worksheet().set_name(&names[0])?, sessions, version, &styles)?;
    for it in sessions {
        // A path is too long for the tab of a sheet.
        let file = it.plan.rsplit(['/', '\\']).next().unwrap_or_default();
        let name = sheet_name(file.trim_end_matches(".rhai"), &names);
        let sheet = workbook.add_worksheet().set_name(&name)?;
        names.push(name);
        plan(sheet, it, &styles)?;
    }
    workbook.save_to_buffer()
}

fn compare(
    sheet: &mut Worksheet,
    sessions: &[PlanSession],
    version: &str,
    styles: &Styles,
) -> Result<(), XlsxError> {
    let right = styles.head.clone().set_align(FormatAlign::Right);
    let average = Format::new().set_num_format("#,##0.0");
    let megabytes = Format::new().set_num_format("#,##0.0 \"MB\"");
    let bound = Format::new().set_num_format("0E+00");
    let words = Format::new().set_align(FormatAlign::Right);
    sheet.write_with_format(0, 0, "Plans side by side", &styles.title)?;
    sheet.write_with_format(1, 0, format!("Made by {version}"), &styles.note)?;
    sheet.write_with_format(3, 0, "", &styles.head)?;
    for (column, it) in (1..).zip(sessions) {
        sheet.write_with_format(3, column, &it.plan, &right)?;
    }
    let mut line = 4;
    for (row, values) in figures(sessions) {
        sheet.write(line, 0, row.name)?;
        for (column, value) in (1..).zip(values) {
            match value {
                None => continue,
                Some(Value::Words(text)) => sheet.write_with_format(line, column, text, &words)?,
                Some(Value::Money(cents)) => {
                    sheet.write_with_format(line, column, cents / 100.0, &styles.money)?
                }
                Some(Value::Share(share)) => {
                    sheet.write_with_format(line, column, share, &styles.percent)?
                }
                Some(Value::Rolls(rolls, 0)) => {
                    sheet.write_with_format(line, column, rolls, &styles.whole)?
                }
                Some(Value::Rolls(rolls, _)) => {
                    sheet.write_with_format(line, column, rolls, &average)?
                }
                Some(Value::Bytes(bytes)) => {
                    sheet.write_with_format(line, column, bytes as f64 / 1e6, &megabytes)?
                }
                Some(Value::Bound(error)) => {
                    sheet.write_with_format(line, column, error, &bound)?
                }
            };
        }
        line += 1;
    }
    line += 1;
    sheet.write_with_format(line, 0, "Played with", &styles.head)?;
    for (column, it) in (1..).zip(sessions) {
        for (below, (name, said)) in (1..).zip(it.words()) {
            sheet.write(line + below, 0, name)?;
            sheet.write(line + below, column, said)?;
        }
    }
    sheet.set_column_width(0, 26)?;
    for (column, _) in (1..).zip(sessions) {
        sheet.set_column_width(column, 24)?;
    }
    sheet.set_freeze_panes(4, 1)?;
    Ok(())
}

/// Every final result, the fan and the chances by roll, beside one another.
fn plan(sheet: &mut Worksheet, it: &PlanSession, styles: &Styles) -> Result<(), XlsxError> {
    sheet.write_with_format(0, 0, &it.plan, &styles.title)?;
    sheet.write_with_format(1, 0, &it.played.about, &styles.note)?;
    let (finals, step) = finals(it);
    let title = match step {
        None => "Final results".to_owned(),
        Some(dollars) => format!("Final results, each with those up to ${dollars} above"),
    };
    let mut below = 0.0;
    let rows = finals.into_iter().map(|(cents, chance)| {
        below += chance;
        vec![cents as f64 / 100.0, chance, below]
    });
    let looks = [&styles.money, &styles.percent, &styles.percent];
    let names = ["ends with", "chance", "this or less"].map(str::to_owned);
    let next = block(sheet, 0, styles, &title, &names, &looks, rows)?;

    let mut names = vec!["roll".to_owned()];
    names.extend(FAN.iter().map(|share| format!("{:.0} % below", share * 100.0)));
    let mut looks = vec![&styles.money; names.len()];
    looks[0] = &styles.whole;
    let rows = it.outcome.fan.iter().map(|(rolls, amounts)| {
        let amounts = amounts.iter().map(|amount| amount.0 as f64 / 100.0);
        std::iter::once(f64::from(*rolls)).chain(amounts).collect()
    });
    let next = block(sheet, next, styles, "Fan: the money after each roll", &names, &looks, rows)?;

    let ends = Over::ALL.into_iter().filter(|over| *over != Over::Time);
    let ends: Vec<Over> = ends.filter(|over| it.outcome.chance(*over) > 0.0).collect();
    let mut names = vec!["roll".to_owned()];
    names.extend(ends.iter().map(|over| called(*over).1.to_owned()));
    let mut looks = vec![&styles.percent; names.len()];
    looks[0] = &styles.whole;
    let rows = over_by(it).into_iter().map(|(rolls, chances)| {
        let chances = ends.iter().map(|over| chances[over.index()]);
        std::iter::once(f64::from(rolls)).chain(chances).collect()
    });
    block(sheet, next, styles, "Over within so many rolls", &names, &looks, rows)?;
    sheet.set_freeze_panes(4, 0)?;
    Ok(())
}

/// Writes a table below its title, from a column on, and gives the column after it.
fn block(
    sheet: &mut Worksheet,
    first: u16,
    styles: &Styles,
    title: &str,
    names: &[String],
    looks: &[&Format],
    rows: impl Iterator<Item = Vec<f64>>,
) -> Result<u16, XlsxError> {
    let right = styles.head.clone().set_align(FormatAlign::Right);
    sheet.write(2, first, title)?;
    for (column, name) in (first..).zip(names) {
        sheet.write_with_format(3, column, name, &right)?;
        sheet.set_column_width(column, 15)?;
    }
    for (line, row) in (4..).zip(rows) {
        for ((column, value), look) in (first..).zip(row).zip(looks) {
            sheet.write_with_format(line, column, value, look)?;
        }
    }
    let after = first + names.len() as u16;
    sheet.set_column_width(after, 4)?;
    Ok(after + 1)
}

/// The chance of each final equity, in cents; put together by so many dollars where there are
/// more than a sheet takes.
fn finals(it: &PlanSession) -> (Vec<(i64, f64)>, Option<i64>) {
    let all = it.outcome.equity();
    if all.len() <= MOST {
        return (all.into_iter().map(|(equity, chance)| (equity.0, chance)).collect(), None);
    }
    let wide = all.last().map_or(0, |last| last.0.0) - all.first().map_or(0, |first| first.0.0);
    let dollars = wide / 100 / MOST as i64 + 1;
    let mut steps: Vec<(i64, f64)> = Vec::new();
    for (equity, chance) in all {
        let from = equity.0.div_euclid(dollars * 100) * dollars * 100;
        match steps.last_mut() {
            Some(last) if last.0 == from => last.1 += chance,
            _ => steps.push((from, chance)),
        }
    }
    (steps, Some(dollars))
}
