//! The README's generated parts are what the program says today.

use craps::catalogue::Entry as CatalogueEntry;
use craps::{Library, Refusal, Rules, catalogue};

use crate::root;

const BEGIN: &str = "<!-- wagers: generated -->\n";
const END: &str = "<!-- end -->";

fn table() -> String {
    let library = Library::embedded();
    let names = [
        "presque-isle",
        "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01",
        "super-shooter",
    ];
    let first = rows(&library, &names);
    // Another base game says again what is the same everywhere.
    let mut others = rows(&library, &["vegas-strip", "low-high-dice"]);
    others.retain(|row| !first.contains(row));
    format!(
        "{HEAD}{}\nWhat `vegas-strip` and `low-high-dice` add, or pay otherwise:\n\n{HEAD}{}",
        first.concat(),
        others.concat()
    )
}

const HEAD: &str = "| wager | notation | pays |\n|---|---|---|\n";

fn rows(library: &Library, names: &[&str]) -> Vec<String> {
    let rules = Rules::named(library, names).unwrap();
    let row = |entry: CatalogueEntry| {
        format!("| {} | {} | {} |\n", entry.title, notation(&entry), pays(&entry))
    };
    catalogue(&rules).into_iter().map(row).collect()
}

fn notation(entry: &CatalogueEntry) -> String {
    match entry.notation.as_slice() {
        [one] => format!("`{one}`"),
        [first, .., last] => format!("`{first}` … `{last}`"),
        [] => String::new(),
    }
}

fn pays(entry: &CatalogueEntry) -> String {
    let line = |pay: &craps::catalogue::Pay| {
        let on = if pay.on.is_empty() { String::new() } else { format!("{}: ", pay.on) };
        format!("{on}{}", pay.pays)
    };
    entry.pays.iter().map(line).collect::<Vec<_>>().join(" · ")
}

#[test]
fn the_table_of_wagers_is_the_catalogue() {
    let path = root().join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("README.md has a table of wagers");
    let (_, after) = rest.split_once(END).expect("the table of wagers ends");
    let wanted = format!("{before}{BEGIN}{}{END}{after}", table());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &wanted).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), wanted, "run with UPDATE_EXPECT=1");
}

#[test]
fn every_refusal_is_listed_in_order() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let mut rest = text.as_str();
    for code in Refusal::CODES {
        let found = rest.find(&format!("`{code}`"));
        rest = &rest[found.unwrap_or_else(|| panic!("`{code}` is missing or out of order"))..];
    }
}
