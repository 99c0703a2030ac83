//! Betting plans on the command line: listed, checked, played, and their sessions.

use expect_test::expect_file;

use crate::{House, boxman, boxman_with, root};

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
    let listed = said(&["plan", "list"]);
    assert_eq!(listed.lines().take_while(|line| !line.is_empty()).count(), files);
}

#[test]
fn a_plan_is_checked_and_played() {
    let checked = said(&["plan", "check", "three-point-molly", "--set", "unit=15"]);
    expect_file!["../golden/plan-check.txt"].assert_eq(&checked);
    let dice = "3-3 2-4 5-5 3-4";
    let played = said(&["plan", "play", "iron-cross", "--bankroll", "120", "--dice", dice]);
    expect_file!["../golden/plan-play.txt"].assert_eq(&played);
}

/// What is written as a tape is played at a table and ends with the same money.
#[test]
fn a_played_plan_is_a_tape() {
    let dice = ["--dice", "3-3 2-4 5-5 3-4", "--bankroll", "120"];
    let tape = said(&[&["plan", "play", "iron-cross", "--tape"][..], &dice].concat());
    expect_file!["../golden/plan-tape.txt"].assert_eq(&tape);
    for args in [
        &["iron-cross", "--bankroll", "120", "--dice", "3-3 2-4 5-5 3-4"][..],
        &["both-progressives", "--seed", "5", "--rolls", "300", "--meter", "PT-BJS-FUP-01=77.50"],
        &["small-tall-all", "--option", "payout-unit=1", "--seed", "3", "--rolls", "200"],
        &["martingale", "--bankroll", "0"],
        &["pass-2x", "--rules", "presque-isle", "--set", "unit=15", "--rolls", "0"],
    ] {
        let tape = said(&[&["plan", "play", "--tape"], args].concat());
        let ran = boxman_with(&["tape", "-q", "-"], &tape);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{args:?}\n{tape}");
    }
}

#[test]
fn a_plan_is_shown_with_its_tape() {
    let plan = std::fs::read_to_string(root().join("plans/regress.rhai")).unwrap();
    assert_eq!(said(&["plan", "show", "regress"]), plan);
    let tape = std::fs::read_to_string(root().join("tapes/plans/regress.tape")).unwrap();
    assert_eq!(said(&["plan", "show", "regress", "--tape"]), tape);
    let err = refused(&["plan", "show", "plans/regress.rhai", "--tape"]);
    assert!(err.contains("has no tape, write one with `plan play plans/regress.rhai"), "{err}");
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
fn a_session_goes_to_a_file() {
    let house = House::new("session", "");
    let args = ["session", "pass", "six-eight", "--bankroll", "50", "--rolls", "5"];
    for (ending, start) in [
        ("html", &b"<!doctype html>"[..]),
        ("xlsx", b"PK"),
        ("csv", b"plan,part,name,rolls,dollars,value,unit\n"),
        ("json", b"["),
        ("TXT", "─".as_bytes()),
    ] {
        let path = house.path(&format!("session.{ending}"));
        assert_eq!(said(&[&args[..], &["-o", &path]].concat()), "");
        assert!(std::fs::read(&path).unwrap().starts_with(start), "{ending}");
    }
    // What is printed is what is written.
    for (flag, ending) in [(&["--csv"][..], "csv"), (&["--json"], "json"), (&[], "TXT")] {
        let printed = said(&[&args[..], flag].concat());
        let written = std::fs::read_to_string(house.path(&format!("session.{ending}"))).unwrap();
        assert_eq!(printed, written, "{ending}");
    }
    // A report says what it was played with.
    let page = std::fs::read_to_string(house.path("session.html")).unwrap();
    for says in ["unit=<wbr>10", "place=<wbr>12", "presque-<wbr>isle", "placed once there is"] {
        assert!(page.contains(says), "{says}");
    }
    for (file, why) in [
        ("session.pdf", "session.pdf: a report ends in .html, .xlsx, .csv, .json or .txt\n"),
        ("session", "session: a report ends in .html, .xlsx, .csv, .json or .txt\n"),
        ("none/session.csv", "none/session.csv: there is no folder"),
        ("", " is a folder, name a file in it\n"),
    ] {
        let path = house.path(file);
        // Nothing is played first: the plan is not even looked for.
        let err = refused(&["session", "nobody-knows", "-o", &path]);
        assert!(err.contains(why) && err.lines().count() == 1, "{file}: {err}");
        assert!(file.is_empty() || !std::path::Path::new(&path).exists());
    }
    let both = refused(&["session", "pass", "--json", "-o", &house.path("a.csv")]);
    assert!(both.contains("cannot be used with"), "{both}");
    #[cfg(target_os = "linux")]
    {
        let full = refused(&[&args[..], &["-o", "/proc/session.csv"]].concat());
        assert!(full.contains("/proc/session.csv: cannot be written: "), "{full}");
    }
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
        (&["plan", "play", "pass", "--bankroll=-1"], "nobody sits down with less than nothing"),
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
