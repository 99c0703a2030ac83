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
    assert_eq!((ran.code, ran.out.lines().count()), (0, 44));
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

/// A copy of the base game in which place 6 pays too much and one wager wins on every roll.
fn generous(name: &str) -> House {
    let text = std::fs::read_to_string(root().join("rulebooks/presque-isle.toml")).unwrap();
    let sure = "\n[wager.sure]\ntitle = \"Sure\"\nshape = \"one-roll\"\n\
                wins = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\npays = \"1 to 4\"\n";
    let text = text.replacen("6 = \"7 to 6\"", "6 = \"7 to 5\"", 1);
    House::new(name, &(text + sure))
}

/// What favours the player is told beside the output, which stays as it is, and is no failure.
#[test]
fn an_edge_for_the_player_is_warned_about() {
    let house = generous("generous");
    let path = house.path("house.toml");
    let place = "warning: players have the edge on place 6: they win 9.0909 % of what they bet \
                 (edge -1/11)\n";
    let sure = "warning: sure cannot lose: players win 25.0000 % of what they bet (edge -1/4)\n";
    for (args, expected) in [
        (&["edge", "place 6", "sure", "place 8"][..], [place, sure].concat()),
        (&["edge", "--json", "place"], place.to_owned()),
        (&["edge", "--csv"], [place, sure].concat()),
        (&["edge", "place 8", "pass"], String::new()),
        // Rounded down to whole dollars, five dollars win seven all the same; one wins one.
        (&["edge", "place 6", "--stake", "5", "--option", "payout-unit=1"], place.to_owned()),
        (&["edge", "place 6", "--stake", "1", "--option", "payout-unit=1"], String::new()),
        (&["wagers"], [place, sure].concat()),
        (&["wagers", "--json"], [place, sure].concat()),
    ] {
        let ran = boxman(&[args, &["--rules", &path]].concat());
        assert_eq!((ran.code, ran.err), (0, expected), "{args:?}");
        assert!(!ran.out.contains("warning"));
    }
}

#[test]
fn a_sheet_for_the_player_is_warned_about() {
    let warning = "warning: players have the edge on PT-BJS-FUP-05 fired-up with its meter at \
                   $90000.00: they win 2.0821 % of what they bet (edge -6557/314928)\n";
    for (meter, expected) in [("90000", warning), ("79000", "")] {
        for format in ["text", "json", "csv", "html"] {
            let ran = boxman(&["par", "PT-BJS-FUP-05", "--meter", meter, "--format", format]);
            assert_eq!((ran.code, ran.err.as_str()), (0, expected), "{format}");
        }
    }
}
