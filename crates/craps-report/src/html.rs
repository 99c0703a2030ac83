//! A PAR report as one HTML page, to read on a screen, to print and to sign.
//!
//! The page is complete in itself: no script, no picture, font or style sheet from elsewhere.

mod comparison;
mod figure;
mod meter;
mod sheet;

use craps_math::Par;

use crate::markup::{amount, document, escape, grouped};

/// The report of several sheets: a comparison where there is something to compare, then each
/// sheet on a page of its own.
pub fn par_html(pars: &[Par], version: &str) -> String {
    let class = if pars.len() > 1 { "several" } else { "single" };
    let styles = running_heads(pars);
    let mut page = front(pars, version);
    if pars.len() > 1 {
        page.push_str(&notes(pars));
        page.push_str(&comparison::table(pars));
    }
    for (place, par) in pars.iter().enumerate() {
        page.push_str(&sheet::sheet(par, &anchor(place)));
    }
    page.push_str(READING);
    document(&title(pars), "PAR report", class, &styles, &page)
}

/// What a sheet is called in full.
fn name(par: &Par) -> String {
    match par.paytable.is_empty() {
        true => par.title.clone(),
        false => format!("{} {}", par.paytable, par.title),
    }
}

/// What a sheet is called in a table: its paytable, and its wager on a second line.
fn called(par: &Par) -> String {
    match par.paytable.is_empty() {
        true => escape(&par.title),
        false => format!("{}<small>{}</small>", escape(&par.paytable), escape(&par.title)),
    }
}

/// The same, leading to the sheet.
fn linked(place: usize, par: &Par) -> String {
    let link = |text: &str| format!("<a href=\"#{}\">{}</a>", anchor(place), escape(text));
    match par.paytable.is_empty() {
        true => link(&par.title),
        false => format!("{}<small>{}</small>", link(&par.paytable), escape(&par.title)),
    }
}

/// Where a sheet is found on the page.
fn anchor(place: usize) -> String {
    format!("sheet-{}", place + 1)
}

fn title(pars: &[Par]) -> String {
    match pars {
        [par] => format!("PAR sheet: {}", name(par)),
        _ => "PAR sheets".to_owned(),
    }
}

/// Rules that put each sheet's name at the top of its printed pages.
fn running_heads(pars: &[Par]) -> String {
    if pars.len() < 2 {
        return String::new();
    }
    let heads = pars.iter().enumerate().map(|(place, par)| {
        let anchor = anchor(place);
        let unsafe_in_styles = |letter: &char| "\\\"<>&\n".contains(*letter);
        let said: String = name(par).chars().filter(|letter| !unsafe_in_styles(letter)).collect();
        format!(
            "@page {anchor} {{ @top-right {{ content: \"{said}\"; }} }}\n\
             #{anchor} {{ page: {anchor}; }}\n"
        )
    });
    heads.collect()
}

/// The title, the rulebooks and what the figures are made for.
fn front(pars: &[Par], version: &str) -> String {
    let title = if pars.len() == 1 { "PAR sheet" } else { "PAR sheets" };
    let rows: String = pars.iter().enumerate().map(|(place, par)| made_for(place, par)).collect();
    format!(
        "<header class=\"front\"><h1>{title}</h1>\
         <p class=\"terms\">Made by {}</p></header>\
         <section><h2>What the figures assume</h2>\
         <p>The dice are fair and every roll is independent of the last. All bettors make the \
         same bet of one unit, and what decides one decides all. Chances are exact; a figure \
         rounded for reading stands with its fraction.</p>\
         <div class=\"wide\"><table><thead><tr><th scope=\"col\">Sheet</th>\
         <th scope=\"col\" class=\"n\">Unit</th><th scope=\"col\" class=\"n\">Bettors</th>\
         <th scope=\"col\" class=\"n\">Meter</th><th scope=\"col\" class=\"n\">Rolls an hour</th>\
         <th scope=\"col\">Rulebook and hash</th></tr></thead>\
         <tbody>{rows}</tbody></table></div></section>",
        escape(version)
    )
}

fn made_for(place: usize, par: &Par) -> String {
    format!(
        "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>",
        linked(place, par),
        amount(par.unit),
        par.bettors,
        par.meter.map_or("none".to_owned(), amount),
        grouped(&par.rolls_per_hour.to_string()),
        rulebook(par)
    )
}

/// The rulebook of a sheet, with the beginning of the hash it can be known by.
fn rulebook(par: &Par) -> String {
    let (name, hash) = &par.rulebook;
    let hex = craps::hex::encode(hash);
    format!("{}<small><code title=\"SHA-256 {hex}\">{}</code></small>", escape(name), &hex[..12])
}

/// Every flag of every sheet, so that none is overlooked on a later page.
fn notes(pars: &[Par]) -> String {
    let notes = pars.iter().enumerate().flat_map(|(place, par)| {
        par.flags().into_iter().map(move |flag| {
            format!(
                "<p class=\"flag\" role=\"note\"><strong><a href=\"#{}\">{}</a>:</strong> {}</p>",
                anchor(place),
                escape(&name(par)),
                escape(&flag)
            )
        })
    });
    notes.collect()
}

/// What the words on the page mean.
const READING: &str = "<footer class=\"reading\"><h2>How to read this</h2><dl>\
    <div><dt>Pays</dt><dd>What an award pays. <i>To</i> means the bet comes back on top; \
    <i>for</i> and a sum of money mean it does not.</dd></div>\
    <div><dt>Chance, one in</dt><dd>How often an award comes, for each decision of the wager.\
    </dd></div>\
    <div><dt>Return</dt><dd>What comes back to a player over time for each dollar bet. The fixed \
    return leaves the meter out.</dd></div>\
    <div><dt>Edge</dt><dd>The house&#39;s share of each dollar bet: what the return leaves.\
    </dd></div>\
    <div><dt>Envy</dt><dd>What the dealers are paid when players win. It comes out of the edge \
    and is given as a share of all money bet.</dd></div>\
    <div><dt>Break-even meter</dt><dd>The meter at which a player&#39;s return is exactly 100 %. \
    Above it players have the edge. Where winners share, more bettors need a higher meter.\
    </dd></div>\
    <div><dt>Standard deviation</dt><dd>How far one result lies from the mean, in units bet. The \
    volatility index is that distance stretched until nine results in ten lie within it.</dd>\
    </div>\
    <div><dt>Hold per hour</dt><dd>What the house keeps from all bettors in an hour, in the long \
    run: envy is paid, and what a progressive sets aside for its meter is not counted.</dd></div>\
    <div><dt>Exposure</dt><dd>The most the house can lose on one roll with every bettor at the \
    maximum. What the meter pays is not in it; what the house adds for winners who each take it \
    in full is.</dd></div>\
    </dl></footer>";
