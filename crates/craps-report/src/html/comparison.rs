//! Several sheets side by side.

use craps_math::Par;

use super::called;
use crate::figures::{ParFigure, ParValue, compared};
use crate::markup::escape;

/// The comparison of all sheets, a row for each figure.
pub(super) fn table(pars: &[Par]) -> String {
    let heads: String = pars
        .iter()
        .map(|par| format!("<th scope=\"col\" class=\"n\">{}</th>", called(par)))
        .collect();
    let rows: String = compared(pars).iter().map(row).collect();
    format!(
        "<section class=\"comparison\"><h2>Side by side</h2>\
         <p class=\"legend\">★ best for the house. A row without a mark is the same on every \
         sheet or has no better side. Fractions are on the sheets that follow.</p>\
         <div class=\"wide\"><table><thead><tr><th scope=\"col\">Figure</th>{heads}</tr></thead>\
         <tbody>{rows}</tbody></table></div></section>"
    )
}

fn row(figure: &ParFigure) -> String {
    let cell = |value: &Option<ParValue>| match value {
        None => "<td class=\"n\">none</td>".to_owned(),
        Some(value) => {
            let mark = match value.best {
                true => "<span class=\"best\" title=\"best for the house\">★</span> ",
                false => "",
            };
            let (shown, exact) = (escape(&value.rounded), escape(&value.exact));
            format!("<td class=\"n\">{mark}<span title=\"{exact}\">{shown}</span></td>")
        }
    };
    let cells: String = figure.values.iter().map(cell).collect();
    format!("<tr><th scope=\"row\">{}</th>{cells}</tr>", escape(figure.name))
}
