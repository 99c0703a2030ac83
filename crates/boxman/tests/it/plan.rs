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

/// A folder of plans, gone again when the test ends.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("boxman-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn plan(&self, name: &str, text: &str) -> String {
        let file = self.0.join(name);
        std::fs::write(&file, text).unwrap();
        file.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_a_plan_does_is_said_in_words() {
    let mut all = String::new();
    for args in [
        "three-point-molly --set unit=15",
        "iron-cross --pace 100",
        "labouchere",
        "both-progressives",
        "six-eight --option payout-unit=1.00",
    ] {
        let words: Vec<&str> = ["plan", "check"].into_iter().chain(args.split(' ')).collect();
        all += &format!("$ boxman plan check {args}\n{}\n", said(&words));
    }
    let folder = Folder::new("check");
    let leaves = folder.plan("leaves.rhai", LEAVES);
    let out = said(&["plan", "check", &leaves]);
    all += &format!("$ cat leaves.rhai\n{LEAVES}\n$ boxman plan check leaves.rhai\n");
    all += &out.replace(&leaves, "leaves.rhai");
    let goal = folder.plan("goal.rhai", GOAL);
    let out = said(&["plan", "check", &goal]);
    all += &format!("\n$ cat goal.rhai\n{GOAL}\n$ boxman plan check goal.rhai\n");
    all += &out.replace(&goal, "goal.rhai");
    all += &format!("\n$ boxman plan check staged\n{}", said(&["plan", "check", "staged"]));
    let best = folder.plan("best.rhai", "");
    let wish = ["best", "--bankroll", "10", "--goal", "20", "--bets", "pass, odds", "-o", &best];
    said(&wish);
    let out = said(&["plan", "check", &best]);
    all += &format!("\n$ boxman plan check best.rhai\n{}", out.replace(&best, "best.rhai"));
    expect_file!["../golden/plan-check.txt"].assert_eq(&all);
}

const LEAVES: &str = "// The field, until the first seven.
if rolled == 7 { leave(); }
want(\"field\", 10);
";

const GOAL: &str = "// The pass line until there are $900.
if bankroll >= 900 { leave(); }
want(\"pass\", 10);
";

#[test]
fn a_check_as_json() {
    let out = said(&["plan", "check", "pass", "--pace", "100", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    // Cents: 7/495 of $10 for each decision, of which there are 495 in 1,671 rolls.
    let run = &json["long_run"];
    assert_eq!(run["exact"]["cost"], "7000/1671");
    assert_eq!(run["exact"]["cost_of_action"], "7/495");
    assert_eq!(run["exact"]["seven_outs"], "196/1671");
    assert_eq!(run["residual"], serde_json::Value::Null);
    let hour = run["cost_per_hour"].as_f64().unwrap();
    assert!((hour - 700_000.0 / 1_671.0).abs() < 1e-9, "{hour}");
    assert_eq!(json["params"][0]["unit"], "dollars");
    assert_eq!(json["positions_with_money"], 7);
    assert_eq!(json["situations"][0]["when"], "before the first roll");
    assert_eq!(json["can_end"], serde_json::json!(["ruined"]));
}

#[test]
fn an_ask_that_is_never_heard_is_warned_about() {
    let folder = Folder::new("unheard");
    let file =
        folder.plan("late.rhai", "if puck != 0 { want(\"pass\", 10); }\nwant(\"field\", 5);\n");
    let ran = boxman(&["plan", "check", &file]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let warning = "late.rhai:1:16: `pass` is never heard here: a line bet is not wanted after";
    assert!(ran.err.contains(warning), "{}", ran.err);
    let json: serde_json::Value =
        serde_json::from_str(&said(&["plan", "check", &file, "--json"])).unwrap();
    assert_eq!(json["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn a_plan_that_never_bets_is_checked_too() {
    let folder = Folder::new("never");
    let out = said(&["plan", "check", &folder.plan("nothing.rhai", "")]);
    assert!(out.contains("it is over before the first"), "{out}");
    let out = said(&["plan", "check", &folder.plan("goes.rhai", "leave();"), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["long_run"]["ends"][0]["end"], "left");
    assert_eq!(json["long_run"]["rolls"], 0.0);
}

#[test]
fn a_plan_is_played() {
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
fn one_plan_at_two_settings() {
    let both = ["session", "pass-2x:unit=5", "pass-2x:unit=10", "--bankroll", "100"];
    let both = [&both[..], &["--rolls", "30"]].concat();
    let out = said(&both);
    assert!(out.contains("pass-2x:unit=5") && out.contains("pass-2x:unit=10"), "{out}");
    let json: serde_json::Value =
        serde_json::from_str(&said(&[&both[..], &["--json"]].concat())).unwrap();
    for (at, unit) in [(0, "5"), (1, "10")] {
        let set = format!("unit={unit}");
        let alone = ["session", "pass-2x", "--set", &set, "--bankroll", "100", "--rolls", "30"];
        let alone = said(&[&alone[..], &["--json"]].concat());
        let alone: serde_json::Value = serde_json::from_str(&alone).unwrap();
        assert_eq!(json[at]["plan"], format!("pass-2x:unit={unit}"));
        assert_eq!(json[at]["chances"], alone[0]["chances"]);
    }
    assert_ne!(json[0]["chances"], json[1]["chances"]);
    // Its own counts, and --set is for the others.
    let shared = ["session", "pass:unit=5", "pass", "--set", "unit=20", "--rolls", "3", "--csv"];
    let csv = said(&shared);
    assert!(csv.contains("pass:unit=5,played,params,,,unit=5,"), "{csv}");
    assert!(csv.contains("pass,played,params,,,unit=20,"), "{csv}");
    // A tab of a workbook takes no colon, a path may have some, and several are set with commas.
    let house = House::new("settings", "");
    let book = house.path("both.xlsx");
    assert_eq!(said(&[&both[..], &["-o", &book]].concat()), "");
    let file = house.path("my:own.rhai");
    std::fs::write(&file, "param a = 1;\nparam b = 2;\nwant(\"pass\", a + b);\n").unwrap();
    said(&["plan", "check", &file]);
    let set = said(&["plan", "check", &format!("{file}:a=3,b=4")]);
    assert!(set.contains("$7 in all is enough"), "{set}");
}

#[test]
fn a_fault_is_told_with_the_table_after_the_roll() {
    let folder = Folder::new("fault");
    let text = "want(\"pass\", 10);\nif rolled == 6 { want(\"place 6\", 7.50); }\n";
    let file = folder.plan("late.rhai", text);
    let ran = boxman(&["plan", "play", &file, "--dice", "3-3 5-5"]);
    assert_eq!(ran.code, 2);
    // The roll is told, and then what the plan saw: the point is set.
    assert!(ran.out.contains("1. 3-3"), "{}", ran.out);
    assert!(ran.err.contains("late.rhai:2:18"), "{}", ran.err);
    assert!(ran.err.contains("with the puck on 6 and $10.00 on pass"), "{}", ran.err);
    let tape = boxman(&["plan", "play", &file, "--dice", "3-3 5-5", "--tape"]);
    assert!(tape.err.contains("with the puck on 6 and $10.00 on pass"), "{}", tape.err);
    let checked = boxman(&["plan", "check", &file]);
    assert_eq!(checked.err, ran.err);
    let first = folder.plan("first.rhai", "want(\"pass\", 7.50);\n");
    let ran = boxman(&["plan", "play", &first]);
    assert!(ran.err.contains("with the puck off and nothing up"), "{}", ran.err);
}

#[test]
fn stakes_that_are_rounded_are_warned_about() {
    for (args, warns) in [
        (
            &["six-eight:place=7"][..],
            "$7.00 on place 6 wins $8.16, rounded down: bet it in steps of $3.00",
        ),
        (&["six-eight:place=12"], ""),
        (&["six-eight:place=15"], ""),
        (
            &["six-eight:place=15", "--option", "payout-unit=1"],
            "$15.00 on place 8 wins $17.00, rounded down: bet it in steps of $6.00",
        ),
        (&["three-point-molly"], ""),
        (&["pass-2x:unit=5", "--option", "payout-unit=1"], ""),
    ] {
        let ran = boxman(&[&["plan", "check"], args].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains(warns), "{args:?}: {}", ran.err);
        assert_eq!(ran.err.is_empty(), warns.is_empty(), "{args:?}: {}", ran.err);
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
        (&["session", "pass", "--set", "unit=2.50"], "pass for $2.50: this bet goes in"),
        (&["session", "pass", "--set", "unit=0"], "pass: `unit` is from 1 to 5000, not 0\n"),
        (&["session", "pass:unit=0"], "pass: `unit` is from 1 to 5000, not 0\n"),
        (&["session", "pass:unti=5"], "there is no param `unti`, did you mean `unit`?"),
        (&["session", "pass:unit"], "pass:unit: behind the colon stand params, as in pass:unit="),
        (&["session", "pass:"], "pass:: behind the colon stand params, as in pass:unit=25\n"),
        (&["session", "pas:unit=5"], "there is no plan `pas`, did you mean `pass`?"),
        (&["plan", "play", "six-eight:place=5"], "`place` is from 6 to 5000, not 5\n"),
        (&["session", "pass", "--meter", "a=5"], "no meter `a` hangs at this table"),
        (&["session", "no/such.rhai"], "no/such.rhai: cannot be read"),
        (&["plan", "check", "pas"], "there is no plan `pas`, did you mean `pass`?"),
        (&["plan", "check", "pass", "--set", "unti=5"], "there is no param `unti`, did you mean"),
        (&["plan", "check", "dalembert", "--set", "most=2.5"], "`most` is a whole number such"),
        (&["plan", "check", "dalembert", "--set", "most=0"], "`most` is from 1 to 100, not 0"),
        (&["plan", "check", "pass", "--pace", "0"], "invalid value '0' for '--pace <PACE>'"),
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
