use expect_test::expect_file;

use crate::{House, boxman};

#[test]
fn side_bets_in_order() {
    let args = ["atlas", "--rules", "super-shooter", "--rules", "bonus-craps-washington"];
    let ran = boxman(&[&args[..], &["--sort", "edge"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    expect_file!["../golden/atlas.txt"].assert_eq(&ran.out);
}

#[test]
fn narrowed_down_to_a_few() {
    let ran = boxman(&["atlas", "--filter", "hard", "--filter", "presque-isle", "--csv"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let names: Vec<&str> =
        ran.out.lines().skip(1).map(|line| line.split(',').nth(2).unwrap()).collect();
    assert_eq!(names, ["hard 4", "hard 6", "hard 8", "hard 10"]);
    assert_eq!(boxman(&["atlas", "--filter", "no such bet"]).code, 2);
}

#[test]
fn files_are_written_by_their_names() {
    let house = House::new("atlas", "");
    for (end, start) in [("html", "<!doctype html>"), ("json", "{"), ("csv", "rulebook,")] {
        let path = house.path(&format!("atlas.{end}"));
        let ran = boxman(&["atlas", "--rules", "super-shooter", "-o", &path]);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(start));
    }
    assert_eq!(boxman(&["atlas", "-o", &house.path("atlas.pdf")]).code, 2);
}

/// A rulebook of one's own is charted like those that come with the program.
#[test]
fn a_rulebook_of_ones_own() {
    let text = std::fs::read_to_string(crate::root().join("rulebooks/super-shooter.toml")).unwrap();
    let house = House::new("charted", &text.replacen("\"30 to 1\"", "\"33 to 1\"", 1));
    let args = ["atlas", "--json", "--filter", "little", "--rules", &house.path("house.toml")];
    let ran = boxman(&args);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["wagers"].as_array().unwrap().len(), 2);
    assert_eq!(json["wagers"][0]["edge"], "39547/380380");
}
