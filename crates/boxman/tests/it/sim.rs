//! Plans simulated: what is printed, added up, shown as a tape, stopped, or refused.

use expect_test::expect_file;

use crate::{House, boxman, boxman_with};

fn said(args: &[&str]) -> String {
    let ran = boxman(&[&["sim"], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

fn refused(args: &[&str]) -> String {
    let ran = boxman(&[&["sim"], args].concat());
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    ran.err
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

/// What is printed, without how fast it went.
fn without_speed(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("rolls/s by"));
    lines.map(|line| format!("{line}\n")).collect()
}

const IRON: [&str; 7] = ["iron-cross", "--bankroll", "300", "--rolls", "200", "--sessions", "3e4"];

#[test]
fn a_report_has_the_exact_figures_beside_the_sampled_ones() {
    let alone = said(&IRON);
    assert!(alone.lines().last().unwrap().contains(" rolls/s by "), "{alone}");
    let stops = "--bankroll 100 --shooters 5 --goal 150 --floor 20 --sessions 2000 --seed 9";
    let stops: Vec<&str> = stops.split(' ').collect();
    let several = said(&[&["pass", "six-eight"], &stops[..]].concat());
    let text = without_speed(&alone) + "\n" + &without_speed(&several);
    expect_file!["../golden/sim.txt"].assert_eq(&text);
    // Of those figures none is five standard errors off.
    let all = json(&said(&[&IRON[..], &["--json"]].concat()));
    let figures = all[0]["figures"].as_object().unwrap();
    let apart = figures.values().filter_map(|figure| figure["apart"].as_f64());
    let apart: Vec<f64> = apart.collect();
    assert!(apart.len() >= 12 && apart.iter().all(|apart| apart.abs() < 5.0), "{apart:?}");
}

#[test]
fn the_same_integers_however_they_are_counted() {
    let whole = said(&[&IRON[..], &["--json"]].concat());
    for how in [
        &["--threads", "1", "--kernel", "scalar"][..],
        &["--threads", "3", "--kernel", "portable"],
        &["--device", "cpu"],
    ] {
        assert!(said(&[&IRON[..], how, &["--json"]].concat()) == whole, "{how:?}");
    }
    let other = said(&[&IRON[..], &["--seed", "2", "--json"]].concat());
    assert_ne!(json(&other)[0]["finals"], json(&whole)[0]["finals"]);
}

#[test]
fn plans_are_played_on_the_same_dice() {
    let hour = ["--rolls", "50", "--sessions", "5000", "--exact", "no", "--json"];
    let both = json(&said(&[&["pass", "six-eight"], &hour[..]].concat()));
    for (place, plan) in ["pass", "six-eight"].into_iter().enumerate() {
        let alone = json(&said(&[&[plan], &hour[..]].concat()));
        assert_eq!(both[place], alone[0], "{plan}");
        assert!(alone[0]["exact"].is_null());
    }
    assert_eq!(both[0]["longest_hand"], both[1]["longest_hand"]);
}

#[test]
fn halves_add_up_to_the_whole() {
    let house = House::new("sim-merge", "");
    let plans = ["pass", "martingale", "--bankroll", "200", "--rolls", "90", "--goal", "260"];
    let mut files = Vec::new();
    // Out of order, in three parts, some of it beyond what is followed.
    for (from, sessions) in [("700", "9300"), ("0", "250"), ("250", "450")] {
        let part = ["--from", from, "--sessions", sessions, "--paths", "5000"];
        let file = house.path(&format!("{from}.json"));
        said(&[&plans[..], &part, &["-o", &file]].concat());
        files.push(file);
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let whole = [&plans[..], &["--sessions", "1e4", "--paths", "5000"]].concat();
    let merged = said(&[&["merge"], &files[..], &["--json"]].concat());
    assert!(merged == said(&[&whole[..], &["--json"]].concat()), "the parts are not the whole");
    let merged = said(&[&["merge"], &files[..]].concat());
    assert_eq!(merged, without_speed(&said(&whole)).trim_end().to_owned() + "\n");
    // With a gap between them they add up as well.
    let apart = json(&said(&["merge", files[0], files[1], "--json"]));
    assert_eq!(apart[0]["sessions"], serde_json::json!([[0, 250], [700, 10_000]]));
}

#[test]
fn runs_that_differ_do_not_add_up() {
    let house = House::new("sim-differ", "");
    let run = |name: &str, args: &str| {
        let file = house.path(name);
        let args: Vec<&str> = args.split(' ').collect();
        said(&[&args[..], &["--exact", "no", "-o", &file]].concat());
        file
    };
    let first = run("a.json", "pass --rolls 20 --sessions 10");
    for (args, says) in [
        ("pass --rolls 20 --sessions 10", "sessions 0 to 9 are in two of these runs"),
        ("six-eight --rolls 20 --sessions 10 --from 10", "plan differs: pass and six-eight"),
        ("pass --rolls 20 --sessions 10 --from 10 --seed 5", "seed differs: 1 and 5"),
        ("pass --rolls 21 --sessions 10 --from 10", "length differs: 20 rolls, 9 min and 21"),
        ("pass --rolls 20 --sessions 9 --from 10 --bankroll 50", "bankroll differs: $1000.00 and"),
        ("pass --rolls 20 --sessions 9 --from 10 --goal 1050", "goal differs: none and $1050.00"),
        ("pass --rolls 20 --sessions 9 --from 10 --set unit=15", "params differs: unit=10 and"),
        ("pass --rolls 20 --sessions 9 --from 10 --option payout-unit=1", "options differs: none"),
        ("pass --rolls 20 --sessions 9 --from 10 --paths 7", "followed_below differs: 100000"),
        ("pass pass --rolls 20 --sessions 9 --from 10", "has 1 plans and"),
    ] {
        let other = run("b.json", args);
        let err = refused(&["merge", &first, &other]);
        assert!(err.contains(says) && err.lines().count() == 1, "{args}: {err}");
    }
    let damaged = std::fs::read_to_string(&first).unwrap();
    let other = house.path("c.json");
    std::fs::write(&other, damaged.replace("\"sessions\":[[0,10]]", "\"sessions\":[[0,11]]"))
        .unwrap();
    let err = refused(&["merge", &other]);
    assert!(err.contains("its counts are not as many as its sessions"), "{err}");
    std::fs::write(&other, "{}").unwrap();
    let err = refused(&["merge", &other]);
    assert!(err.contains("this is not what `boxman sim --json` writes"), "{err}");
    assert!(refused(&["merge", &house.path("none.json")]).contains("cannot be read"));
}

/// A session by itself ends with the money it is counted with.
#[test]
fn a_session_is_shown_as_a_tape() {
    for (args, number, why) in [
        ("iron-cross --bankroll 300 --rolls 200", "7", "time is up"),
        ("iron-cross --bankroll 300 --rolls 200 --goal 330", "3", "the goal is reached"),
        ("iron-cross --bankroll 300 --rolls 200 --floor 250", "1", "the floor is reached"),
        ("martingale --bankroll 100 --option payout-unit=1", "0", "ruined"),
        ("small-tall-all --shooters 3", "18446744073709551615", "time is up"),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let tape = said(&[&args[..], &["--show", number]].concat());
        let first = tape.lines().next().unwrap();
        assert!(first.contains(&format!("Session {number} of seed 1: {why} after")), "{first}");
        let told = first.split('$').nth(1).unwrap().split(' ').next().unwrap();
        // A plan is not asked again once a goal or a floor is reached.
        let after = tape.lines().rev().take_while(|line| !line.starts_with("roll ")).count();
        assert_eq!(after == 1, why.ends_with("is reached"), "{tape}");
        let ran = boxman_with(&["tape", "--json", "-"], &tape);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{tape}");
        let last = json(ran.out.lines().last().unwrap());
        let of = |what: &str| last[what]["ann"].as_i64().unwrap_or(0);
        assert_eq!(of("racks") + of("action"), told.replace('.', "").parse::<i64>().unwrap());
        if number.len() > 3 {
            continue;
        }
        // The same session among others comes to the same.
        let range = ["--from", number, "--sessions", "1", "--exact", "no", "--json"];
        let counted = json(&said(&[&args[..], &range].concat()));
        let finals = counted[0]["finals"].as_object().unwrap();
        let ended = finals.values().find_map(|counts| counts[0][0].as_i64()).unwrap();
        assert_eq!(ended, of("racks") + of("action"));
    }
    assert!(refused(&["pass", "six-eight", "--show", "1"]).contains("name only one"));
}

#[test]
fn samples_go_to_files() {
    let house = House::new("sim-files", "");
    let args = ["pass", "six-eight", "--bankroll", "50", "--rolls", "30", "--sessions", "500"];
    for (ending, start) in [
        ("html", "<!doctype html>"),
        ("csv", "plan,part,name,rolls,dollars,value,error,exact,apart,unit\n"),
        ("json", "[\n{\"plan\":\"pass\""),
        ("txt", "─"),
    ] {
        let path = house.path(&format!("sim.{ending}"));
        assert_eq!(said(&[&args[..], &["-o", &path]].concat()), "");
        let written = std::fs::read_to_string(&path).unwrap();
        assert!(written.starts_with(start) && !written.contains("NaN"), "{ending}");
    }
    let page = std::fs::read_to_string(house.path("sim.html")).unwrap();
    for says in ["2 plans on the same dice", " apart<", "Money over time", "Largest drop"] {
        assert!(page.contains(says), "{says}");
    }
    let csv = std::fs::read_to_string(house.path("sim.csv")).unwrap();
    let final_ = csv.lines().filter(|line| line.starts_with("pass,final,"));
    let counts = final_.map(|line| line.split(',').nth(5).unwrap().parse::<u64>().unwrap());
    assert_eq!(counts.sum::<u64>(), 500);
}

#[test]
fn no_sessions_are_no_trouble() {
    for args in [&["pass", "--rolls", "10"][..], &["pass", "six-eight", "--rolls", "10"]] {
        for format in [&[][..], &["--json"], &["--csv"]] {
            let out = said(&[args, &["--sessions", "0"], format].concat());
            assert!(!out.contains("NaN") && !out.contains("inf"), "{out}");
        }
    }
    let house = House::new("sim-none", "");
    let file = house.path("none.json");
    let none = ["pass", "--rolls", "10", "--sessions", "0"];
    said(&[&none[..], &["-o", &file]].concat());
    let merged = said(&["merge", &file, &file, "--json"]);
    assert_eq!(merged, said(&[&none[..], &["--json"]].concat()));
    // Nor is a plan that cannot begin, or that leaves at once.
    let ruined = json(&said(&["pass", "--bankroll", "5", "--sessions", "9", "--json"]));
    assert_eq!(ruined[0]["finals"]["ruined"], serde_json::json!([[500, 9]]));
    let leaves = house.path("leaves.rhai");
    std::fs::write(&leaves, "leave();").unwrap();
    let left = json(&said(&[&leaves, "--rolls", "1", "--sessions", "9", "--json"]));
    assert_eq!(left[0]["over_after"]["left"], serde_json::json!([[0, 9]]));
}

#[test]
fn what_cannot_be_simulated_says_what_to_do() {
    let house = House::new("sim-refused", "");
    let faulty = house.path("faulty.rhai");
    std::fs::write(&faulty, "want(\"pass\", 0.50);").unwrap();
    let runs = house.path("runs.rhai");
    std::fs::write(&runs, "remember n = 0;\nn += 1;\nwant(\"pass\", 10);\n").unwrap();
    let nothing = house.path("nothing.json");
    std::fs::write(&nothing, "[]").unwrap();
    for (args, says) in [
        (&["pass", "--device", "gpu"][..], "no GPU: "),
        (&["pass", "--sessions", "many"], "a count is a whole number such as 250000 or 1e8"),
        (&["pass", "--sessions", "-5"], "unexpected argument"),
        (&["pass", "--from", "1e30"], "that is more than 18446744073709551615"),
        (&["pass", "--from", "1e19"], "sessions are numbered below 9223372036854775808"),
        (&["pass", "--goal", "5"], "a goal of $5.00 is reached before the first roll"),
        (&["pass", "--floor", "5000"], "a floor of $5000.00 is reached before"),
        (&["pass", "--bankroll", "0"], "nobody sits down with nothing"),
        (&["pass", "--hours", "two"], "such as 4 or 2.5"),
        (&["pass", "--threads", "0"], "0 is not in 1..=1024"),
        (&["pas"], "there is no plan `pas`, did you mean `pass`?"),
        (&[&faulty], "pass for $0.50: this bet goes in"),
        (&[&runs], "`n` has taken"),
        (&["pass", "--rolls", "5", "--days", "3"], "days are played at a table, say --table FILE"),
        (&["merge", &nothing], "no run is in it"),
        (&["pass", "-o", "a.xlsx"], "a sample is written as .html, .csv, .json or .txt"),
        (
            &["come-every-roll", "--rolls", "10000000", "--exact", "yes", "--sessions", "1"],
            "the exact figures take too long or too much memory",
        ),
    ] {
        let err = refused(args);
        assert!(err.contains(says), "{args:?}: {err}");
    }
}

/// Open sessions that were cut off are told, as sampled and as they are exactly.
#[test]
fn sessions_that_were_cut_off_are_told() {
    let cut = ["pass", "--goal", "1100", "--most-rolls", "50", "--sessions", "1000"];
    let text = said(&cut);
    let row = text.lines().find(|line| line.contains("still going")).expect("a row of its own");
    assert!(row.contains("98.900%") && row.contains("98.833%"), "{row}");
}

#[cfg(unix)]
#[test]
fn whoever_stops_days_at_a_table_gets_what_is_done() {
    use std::process::{Command, Stdio};
    let child = Command::new(env!("CARGO_BIN_EXE_boxman"))
        .args(["sim", "--table", "docs/table.toml", "--days", "1e9", "--json"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(json(&String::from_utf8(output.stdout).unwrap()).is_object());
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("of 1000000000 days: --from "), "{err}");
}

/// Ctrl-C: what is done so far, and how to go on.
#[cfg(unix)]
#[test]
fn whoever_stops_it_gets_what_is_done() {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    for plans in [&["pass"][..], &["pass", "six-eight"]] {
        let child = Command::new(env!("CARGO_BIN_EXE_boxman"))
            .arg("sim")
            .args(plans)
            .args(["--rolls", "100", "--sessions", "1e12", "--paths", "1000", "--json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(2));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let all = json(&String::from_utf8(output.stdout).unwrap());
        let end = all[0]["sessions"][0][1].as_u64().unwrap();
        assert!(end.is_multiple_of(1 << 13), "{end}");
        assert!((0..plans.len()).all(|plan| all[plan]["sessions"] == all[0]["sessions"]));
        let err = String::from_utf8(output.stderr).unwrap();
        let on = format!("--from {end} --sessions {} goes on", 1_000_000_000_000 - end);
        assert!(err.contains(&on), "{err}");
    }
}
