use expect_test::expect_file;

use crate::{House, boxman, root};

#[test]
fn edges_of_the_base_game() {
    let ran = boxman(&["edge"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    expect_file!["../golden/edge.txt"].assert_eq(&ran.out);
}

#[test]
fn edges_of_everything_as_json() {
    let nevada = "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01";
    let args = [
        "edge",
        "--json",
        "--rules",
        "presque-isle",
        "--rules",
        nevada,
        "--rules",
        "super-shooter",
    ];
    let ran = boxman(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    expect_file!["../golden/edge.json"].assert_eq(&ran.out);
}

#[test]
fn wagers_the_shell_has_split() {
    let ran = boxman(&["edge", "place", "6", "pass+odds", "2x", "hard", "--csv"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let names: Vec<&str> =
        ran.out.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(names, ["place 6", "pass+odds 2x", "hard 4", "hard 6", "hard 8", "hard 10"]);
}

/// One progressive on the suggested terms, one without any: the sheet says so.
#[test]
fn a_sheet_as_text() {
    let mut args = vec!["par", "PT-BJS-MEA-03", "PT-BJS-FUP-05", "--bettors", "6"];
    args.extend(["--meter", "40000"]);
    let terms = craps::MeterTerms::suggested("make-em-all-progressive");
    let terms = terms.map(|(name, value)| format!("{name}={value}"));
    args.extend(terms.iter().flat_map(|option| ["--option", option]));
    let ran = boxman(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    expect_file!["../golden/par.txt"].assert_eq(&ran.out);
}

#[test]
fn every_paytable_is_listed() {
    let ran = boxman(&["par"]);
    assert_eq!((ran.code, ran.out.lines().count()), (0, 20));
    assert!(ran.out.contains("SS-LB-2         super-shooter             little, big"));
}

#[test]
fn reports_go_to_files() {
    let house = House::new("par", "");
    for (format, start) in
        [("html", &b"<!doctype html>"[..]), ("xlsx", b"PK"), ("csv", b"paytable,"), ("json", b"[")]
    {
        let path = house.path(&format!("par.{format}"));
        let ran = boxman(&["par", "PT-FLT-BC-03", "--format", format, "-o", &path]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{format}");
        assert!(std::fs::read(&path).unwrap().starts_with(start), "{format}");
    }
}

/// One pay changed in a copy of a rulebook changes the figures of that wager and no other.
#[test]
fn a_changed_pay_changes_its_figures() {
    let text = std::fs::read_to_string(root().join("rulebooks/super-shooter.toml")).unwrap();
    let house = House::new("priced", &text.replacen("\"30 to 1\"", "\"33 to 1\"", 1));
    let path = house.path("house.toml");
    let ours = boxman(&["edge", "--csv", "--rules", &path]);
    let theirs = boxman(&["edge", "--csv", "--rules", "super-shooter"]);
    let differing: Vec<&str> = ours
        .out
        .lines()
        .zip(theirs.out.lines())
        .filter(|(one, other)| one != other)
        .map(|(line, _)| line.split(',').next().unwrap())
        .collect();
    assert_eq!(differing, ["little"]);
    let par = boxman(&["par", "SS-LB-1", "--rules", &path, "--format", "json"]);
    assert!(par.out.contains("\"33 to 1\"") && par.out.contains("\"30 to 1\""), "{}", par.err);
}

#[test]
fn what_is_wrong_is_said() {
    #[track_caller]
    fn check(args: &[&str], expected: &str) {
        let ran = boxman(args);
        assert_eq!(ran.code, 2, "{}", ran.out);
        assert_eq!(ran.err.trim_end(), format!("error: {expected}"));
    }
    check(&["edge", "plaice", "6"], "there is no wager `plaice`, did you mean `place 4`?");
    check(
        &["edge", "fired-up"],
        "there is no wager `fired-up`\n\
         `fired-up` is in a rulebook: add --rules bonus-craps-nevada:PT-BJS-FUP-01",
    );
    check(&["edge", "horn", "--stake", "3"], "3.00 on horn is not a multiple of 4.00");
    check(&["edge", "--meter", "-1"], "a meter shows no less than nothing");
    check(&["par", "WA-BC-1", "--bettors", "0"], "bettors go from 1 to 24");
    check(&["par", "WA-BC-1", "--bettors", "1000000"], "bettors go from 1 to 24");
    check(&["par", "--format", "json"], "a report needs a paytable, `boxman par` lists them");
    check(
        &["edge", "--rules", "bonus-craps-nevada:none"],
        "these rulebooks offer no wager, name a paytable after the colon",
    );
    check(&["par", "WA-BC-1", "--bettors", "25"], "bettors go from 1 to 24");
    check(&["par", "WA-BC-1", "--meter", "-5"], "a meter shows no less than nothing");
    check(&["par", "WA-BC-1", "--unit", "0"], "a bet is more than nothing");
    check(
        &["par", "WA-BC-1", "--unit", "6000"],
        "6000.00 on all-small is over the maximum of 5000.00",
    );
    check(&["par", "WA-BC-3"], "there is no paytable `WA-BC-3`, did you mean `WA-BC-1`?");
    check(&["par", "SS-LB"], "there is no paytable `SS-LB`, did you mean `SS-LB-1`, `SS-LB-2`?");
    check(&["par", "WA-BC-1", "--format", "xlsx"], "a workbook needs a file, write -o par.xlsx");
}
