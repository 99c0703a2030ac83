//! The HTML report.

use craps_report::par_html;

use crate::{check_markup, sheets, sheets_at};

#[track_caller]
fn check(page: &str, says: &[&str]) {
    check_markup(page);
    for text in says {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn one_sheet() {
    let pars = sheets(&["PT-BJS-MEA-03"]);
    let page = par_html(&pars, "boxman 1.2.3");
    check(
        &page,
        &[
            "boxman 1.2.3",
            "Make &#39;Em All Progressive",
            "45.9883\u{a0}%<small>281549375/<wbr>612220032</small>",
            "55.5164\u{a0}%<small>1019648125/<wbr>1836660096</small>",
            "$226,745.59<small>992011971/<wbr>4375 dollars</small>",
            "0.0000142922<small>4375/306110016</small>",
            "here $6,666.67 a bettor",
            "69,968.00",
            "6 (here)",
            "Envy cost by number of bettors",
            "Return by number of bettors",
        ],
    );
    let hash = craps::hex::encode(&pars[0].rulebook.1);
    check(&page, &[&format!("title=\"SHA-256 {hash}\">{}<", &hash[..12])]);
    assert!(!page.contains('★'));
    assert!(!page.contains("Side by side"));
}

#[test]
fn several_sheets_are_compared() {
    let pars = sheets(&["PT-BJS-MEA-03", "PT-BJS-MEA-05"]);
    let page = par_html(&pars, "1.2.3");
    check(
        &page,
        &[
            "★ best for the house",
            "id=\"sheet-1\"",
            "id=\"sheet-2\"",
            "<span title=\"281549375/612220032\">45.9883\u{a0}%</span>",
        ],
    );
    let row = |name: &str| {
        let start = page.find(&format!("<th scope=\"row\">{name}</th>")).unwrap();
        let row = &page[start..start + page[start..].find("</tr>").unwrap()];
        row.split("<td").skip(1).map(|cell| cell.contains('★')).collect::<Vec<_>>()
    };
    for (name, marks) in [
        ("Hit chance", [false, false]),
        ("Top award, one in", [false, false]),
        ("Fixed return", [true, false]),
        ("Return at this meter", [true, false]),
        ("Break-even meter", [true, false]),
        ("Envy cost", [false, true]),
        ("Edge", [true, false]),
        ("Edge after envy", [false, true]),
        ("Standard deviation", [false, true]),
        ("Rolls to decide", [false, false]),
        ("Hold per hour", [false, true]),
        ("Exposure on one roll", [false, true]),
    ] {
        assert_eq!(row(name), marks, "{name}");
    }
}

#[test]
fn flags_are_shown() {
    let pars = sheets(&["PT-BJS-FUP-05"]);
    let [flag] = &pars[0].flags()[..] else { panic!("one flag") };
    let page = par_html(&pars, "1.2.3");
    check(&page, &[&format!("<strong>Note:</strong> {flag}</p>")]);
    assert_eq!(page.matches("role=\"note\"").count(), 1);

    let pars = sheets_at(&["PT-BJS-FUP-05", "PT-BJS-MEA-03"], 1, 100_000);
    let flags: usize = pars.iter().map(|par| par.flags().len()).sum();
    let page = par_html(&pars, "1.2.3");
    check(&page, &["players have the edge"]);
    assert_eq!(page.matches("role=\"note\"").count(), flags * 2);
}

#[test]
fn a_paytable_without_a_meter() {
    let pars = sheets(&["PT-FLT-BC-03"]);
    let page = par_html(&pars, "1.2.3");
    check(&page, &["30 to 1", "Exposure at $5,000 each", "Envy costs the same share"]);
    assert!(!page.contains("Envy cost by number of bettors"));
    assert!(!page.contains("<h3>Meter</h3>"));
    assert!(!page.contains("Waiting for the top award"));
}

#[test]
fn all_text_is_escaped() {
    let mut pars = sheets(&["PT-FLT-BC-03"]);
    for par in &mut pars {
        par.title = "<i>\"a\" & b</i>".to_owned();
        par.paytable = "</style><b>".to_owned();
        par.rulebook.0 = "<u>".to_owned();
        par.awards[0].event = "<b>".to_owned();
        par.awards[0].pays = "<s>".to_owned();
    }
    let page = par_html(&pars, "<v>");
    check(&page, &["&lt;i&gt;&quot;a&quot; &amp; b&lt;/i&gt;", "&lt;v&gt;"]);
    for tag in ["<b>", "<u>", "<s>", "<q>", "<v>", "\"a\""] {
        assert!(!page.contains(tag), "{tag}");
    }
}

#[test]
fn no_sheet_at_all_is_still_a_page() {
    check(&par_html(&[], "1.2.3"), &["PAR sheets"]);
}
