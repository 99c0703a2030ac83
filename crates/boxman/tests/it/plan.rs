//! Betting plans on the command line: listed, checked, played, and their sessions.

use expect_test::expect_file;

use crate::{boxman, root};

fn said(args: &[&str]) -> String {
    let ran = boxman(args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

fn refused(args: &[&str]) -> String {
    let ran = boxman(args);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    ran.err
}

#[test]
fn every_plan_is_listed_with_what_it_does() {
    expect_file!["../golden/plans.txt"].assert_eq(&said(&["plan", "list"]));
    let files = std::fs::read_dir(root().join("plans")).unwrap().count();
    assert_eq!(said(&["plan", "list"]).lines().count(), files);
}

#[test]
fn a_plan_is_checked_and_played() {
    let checked = said(&["plan", "check", "three-point-molly", "--set", "unit=15"]);
    expect_file!["../golden/plan-check.txt"].assert_eq(&checked);
    let dice = "3-3 2-4 5-5 3-4";
    let played = said(&["plan", "play", "iron-cross", "--bankroll", "120", "--dice", dice]);
    expect_file!["../golden/plan-play.txt"].assert_eq(&played);
}

#[test]
fn a_session_side_by_side() {
    let out = said(&[
        "session",
        "iron-cross",
        "three-point-molly",
        "--bankroll",
        "300",
        "--rolls",
        "200",
        "--goal",
        "600",
    ]);
    expect_file!["../golden/session.txt"].assert_eq(&out);
    let out = said(&["session", "pass", "--bankroll", "50", "--shooters", "2", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let whole: f64 = json[0]["chances"]
        .as_object()
        .unwrap()
        .values()
        .map(|chance| chance.as_f64().unwrap())
        .sum();
    assert!((whole - 1.0).abs() < 1e-9, "{whole}");
}

#[test]
fn what_cannot_be_played_says_what_to_do() {
    for (args, why) in [
        (&["session", "iron-cros"][..], "there is no plan `iron-cros`, did you mean `iron-cross`?"),
        (&["session", "pass", "--goal", "500"], "a goal of $500.00 is reached before the first"),
        (&["session", "pass", "--floor", "2000"], "a floor of $2000.00 is reached before"),
        (&["session", "pass", "--bankroll", "0"], "nobody sits down with nothing"),
        (&["session", "pass", "--set", "unti=5"], "there is no param `unti`, did you mean `unit`?"),
        (&["session", "pass", "--set", "unit=ten"], "`unit` is a whole number such as 10, not"),
        (&["session", "pass", "--set", "unit=0.50"], "pass for $0.50: this bet goes in"),
        (&["session", "pass", "--meter", "a=5"], "no meter `a` hangs at this table"),
        (&["session", "no/such.rhai"], "no/such.rhai: cannot be read"),
        (&["plan", "play", "pass", "--dice", "7-1"], "--dice: `7-1` is not a roll"),
    ] {
        let err = refused(args);
        assert!(err.contains(why), "{args:?}: {err}");
    }
}

#[test]
fn a_memory_that_runs_away_is_named() {
    let folder = std::env::temp_dir().join(format!("boxman-plan-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("runs.rhai");
    std::fs::write(&file, "remember n = 0;\nn += 1;\nwant(\"pass\", 10);\n").unwrap();
    let err = refused(&["session", &file.display().to_string()]);
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(err.contains("`n` has taken") && err.contains("keep it within bounds"), "{err}");
}
