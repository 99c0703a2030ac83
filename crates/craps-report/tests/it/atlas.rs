//! The atlas is the engine's own, and what others published is held against it.

use std::path::Path;
use std::sync::LazyLock;

use craps::Library;
use craps_math::{Atlas, Order, ParTerms};
use craps_report::{
    atlas_csv, atlas_html, atlas_json, atlas_markdown, atlas_page, atlas_text, published,
};
use expect_test::expect_file;
use serde_json::Value;

use crate::check_markup;

const ROLLS: u32 = ParTerms::ROLLS_PER_HOUR;

static ATLAS: LazyLock<Atlas> = LazyLock::new(|| Atlas::whole(&Library::embedded()));

#[test]
fn the_page_in_the_documentation_is_true() {
    let library = Library::embedded();
    let text = atlas_markdown(&library, &ATLAS, &published(), ROLLS);
    expect_file!["../../../../docs/atlas.md"].assert_eq(&text);
}

/// Every rulebook and every paytable is in it, each wager once, and all of them have a price.
#[test]
fn nothing_is_left_out() {
    let library = Library::embedded();
    let mut seen = std::collections::BTreeSet::new();
    for charted in &ATLAS.wagers {
        let name = (&charted.rulebook, &charted.paytable, &charted.wager);
        assert!(charted.edge.is_ok(), "{name:?}: {:?}", charted.edge);
        assert!(seen.insert(name), "{name:?} is there twice");
    }
    for book in library.rulebooks() {
        for wager in book.wagers.iter().filter(|wager| wager.pays.is_some()) {
            let found = |charted: &&craps_math::Charted| {
                charted.rulebook == book.name && charted.wager.starts_with(&wager.name)
            };
            assert!(ATLAS.wagers.iter().any(|c| found(&c)), "{} {}", book.name, wager.name);
        }
        for table in &book.paytables {
            for entry in &table.entries {
                let found = |charted: &&craps_math::Charted| {
                    charted.rulebook == book.name
                        && charted.paytable.as_ref() == Some(&table.name)
                        && charted.wager.starts_with(&entry.wager)
                };
                assert!(ATLAS.wagers.iter().any(|c| found(&c)), "{} {}", table.name, entry.wager);
            }
        }
    }
}

/// A published figure names a wager that is there; it agrees with ours, or says why it does not,
/// and only then.
#[test]
fn every_difference_is_explained() {
    let library = Library::embedded();
    let collected = published();
    let mut faults = Vec::new();
    for (line, compared) in collected.compared(&library, &ATLAS) {
        let said = &line.published;
        let name = format!("{} {} {} {}", said.rules, said.wager, said.figure, said.value);
        match (compared, &line.why) {
            (Err(why), _) => faults.push(format!("{name}: {why}")),
            (Ok(compared), None) if !compared.difference.is_empty() => faults.push(format!(
                "{name}: ours is {}, {} away, and nothing explains it",
                compared.shown, compared.difference
            )),
            (Ok(compared), Some(_)) if compared.difference.is_empty() => {
                faults.push(format!("{name}: agrees, so there is nothing to explain"));
            }
            _ => {}
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn in_order_and_narrowed_down() {
    let sorted = ATLAS.clone().sorted(Order::Edge);
    let edges: Vec<_> =
        sorted.wagers.iter().map(|charted| charted.edge.as_ref().unwrap().edge()).collect();
    assert!(edges.is_sorted());
    let words = ["PLACE".to_owned(), "presque".to_owned()];
    let places = ATLAS.clone().filtered(&words).sorted(Order::Rolls);
    let names: Vec<&str> = places.wagers.iter().map(|charted| charted.wager.as_str()).collect();
    assert_eq!(names, ["place 6", "place 8", "place 5", "place 9", "place 4", "place 10"]);
    assert!(ATLAS.clone().filtered(&["no such".to_owned()]).wagers.is_empty());
}

#[test]
fn every_format_has_every_wager() {
    let library = Library::embedded();
    let small = ATLAS.clone().filtered(&["presque-isle".to_owned()]);
    let page = atlas_page(&library, &small, &published(), ROLLS);
    let json: Value = serde_json::from_str(&atlas_json(&page)).unwrap();
    let wagers = json["wagers"].as_array().unwrap();
    assert_eq!(wagers.len(), small.wagers.len());
    let pass = wagers.iter().find(|wager| wager["wager"] == "pass").unwrap();
    assert_eq!((&pass["edge"], &pass["rolls"]), (&"7/495".into(), &"557/165".into()));
    // 7/495 a decision, 165/557 decisions a roll, a hundred rolls.
    assert_eq!(pass["edge_per_hour"].to_string(), "0.418911");
    let said = pass["published"].as_array().unwrap();
    assert!(said.iter().any(|one| one["published"] == "1.41%" && one["ours"] == "1.4141%"));
    let csv = atlas_csv(&small, ROLLS);
    assert_eq!(csv.lines().count(), small.wagers.len() + 1);
    assert!(csv.contains("presque-isle,,pass,Pass Line,,7,495,1.414141,"), "{csv}");
    let text = atlas_text(&small, ROLLS);
    assert!(small.wagers.iter().all(|charted| text.contains(&charted.wager)));
    let html = atlas_html(&library, &small, &published(), ROLLS, "boxman 0.0.0");
    check_markup(&html);
    assert!(html.contains("7/495") && html.contains("1.41%"));
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/atlas.md").exists());
}
