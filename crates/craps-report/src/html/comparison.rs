//! Several sheets side by side.

use craps_math::Par;

use super::called;
use crate::figures::{ROWS, Row};
use crate::markup::escape;

/// The comparison of all sheets, a row for each figure.
pub(super) fn table(pars: &[Par]) -> String {
    let heads: String = pars
        .iter()
        .map(|par| format!("<th scope=\"col\" class=\"n\">{}</th>", called(par)))
        .collect();
    let rows: String = ROWS.iter().map(|figure| row(figure, pars)).collect();
    format!(
        "<section class=\"comparison\"><h2>Side by side</h2>\
         <p class=\"legend\">★ best for the house. A row without a mark is the same on every \
         sheet or has no better side. Fractions are on the sheets that follow.</p>\
         <div class=\"wide\"><table><thead><tr><th scope=\"col\">Figure</th>{heads}</tr></thead>\
         <tbody>{rows}</tbody></table></div></section>"
    )
}

fn row(figure: &Row, pars: &[Par]) -> String {
    let best = figure.best_of(pars);
    let cell = |par: &Par| match (figure.value)(par) {
        None => "<td class=\"n\">none</td>".to_owned(),
        Some(value) => {
            let mark = match best.as_ref() == Some(&value) {
                true => "<span class=\"best\" title=\"best for the house\">★</span> ",
                false => "",
            };
            let exact = escape(&figure.exact(par, &value));
            let shown = escape(&figure.shown(&value));
            format!("<td class=\"n\">{mark}<span title=\"{exact}\">{shown}</span></td>")
        }
    };
    let cells: String = pars.iter().map(cell).collect();
    format!("<tr><th scope=\"row\">{}</th>{cells}</tr>", escape(figure.name))
}
