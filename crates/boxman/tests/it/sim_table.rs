//! Days at a table: what is printed, and what is said of a file that is wrong.

use expect_test::expect_file;

use crate::boxman;

fn said(args: &[&str]) -> String {
    let ran = boxman(args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

#[test]
fn the_table_of_the_docs() {
    let args = ["sim", "--table", "docs/table.toml", "--days", "40"];
    expect_file!["../golden/sim-table.txt"].assert_eq(&said(&args));
}

#[test]
fn the_same_on_any_number_of_threads_and_in_parts() {
    let days = |more: &[&str]| -> serde_json::Value {
        let args = [&["sim", "--table", "docs/table.toml", "--seed", "9", "--json"], more].concat();
        serde_json::from_str(&said(&args)).unwrap()
    };
    let all = days(&["--days", "50", "--threads", "1"]);
    assert_eq!(days(&["--days", "50", "--threads", "2"]), all);
    let sum = |days: &serde_json::Value, place: usize| -> i128 {
        days["counts"]["figures"]["sums"][place].as_str().unwrap().parse().unwrap()
    };
    let parts = [days(&["--days", "20"]), days(&["--days", "30", "--from", "20"])];
    for place in 0..10 {
        assert_eq!(parts.iter().map(|part| sum(part, place)).sum::<i128>(), sum(&all, place));
    }
    assert_eq!(all["counts"]["days"], 50);
    assert_ne!(parts[0]["counts"]["wins"], all["counts"]["wins"]);
}

#[test]
fn a_value_a_row() {
    let csv = said(&["sim", "--table", "docs/table.toml", "--days", "20", "--csv"]);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("part,name,value,error,deviation,unit"));
    for part in
        ["house,win,", "meter PT-BJS-MEA-03,mean,", "seat hunters,result,", "quantile,win_50,"]
    {
        assert!(csv.contains(&format!("\n{part}")), "{part}");
    }
}

/// What is said of the table of the docs with one thing changed.
fn wrong(from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(crate::root().join("docs/table.toml")).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from}");
    let folder = std::env::temp_dir().join(format!("boxman-table-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("table.toml");
    std::fs::write(&file, text.replace(from, to)).unwrap();
    let ran = boxman(&["sim", "--table", file.to_str().unwrap(), "--days", "1"]);
    assert_eq!(ran.code, 2, "{to}: {}", ran.out);
    ran.err.replace(&format!("{}", folder.display()), "")
}

#[test]
fn what_is_wrong_has_a_line_and_a_sentence() {
    for (from, to, says) in [
        (
            "hours = 8",
            "huors = 8",
            "/table.toml:5: a table file has no key `huors`, did you mean `hours`?",
        ),
        ("hours = 8", "", "/table.toml:1: a table file needs a line such as `hours = 8`"),
        (
            "hours = 8",
            "hours = 8\nrolls = 9",
            "/table.toml:5: a day is so many `rolls` or so many `hours`, not both",
        ),
        (
            "hours = 8",
            "hours = -1",
            "/table.toml:5: `hours` is a number up to 10,000, such as 8 or 7.5",
        ),
        ("days = 2000", "days = 0", "/table.toml:7: `days` is a whole number from 1 on"),
        ("days = 2000", "days = ", "/table.toml:7: "),
        (
            "ruined = \"buys-in\"",
            "ruined = \"buysin\"",
            "/table.toml:8: `ruined` is \"buys-in\" or \"stays-away\", did you mean `buys-in`?",
        ),
        (
            "[meter.PT-BJS-FUP-01]",
            "[meter.PT-BJS-FUP-02]",
            "/table.toml:17: no meter `PT-BJS-FUP-02` hangs at this table, did you mean `PT-BJS-",
        ),
        ("start = 2500 ", "begin = 2500 ", "/table.toml:15: a meter has no key `begin`"),
        ("\"aggregate-cap=25000\"", "\"aggregat-cap=25000\"", "/table.toml:4: "),
        (
            "name = \"grinder\"\nplan = \"martingale\"",
            "name = \"grinder\"\nplan = \"martingal\"",
            "there is no plan `martingal`, did you mean `martingale`?",
        ),
        ("bankroll = 315", "", ": a seat needs a line such as `bankroll = 300`"),
        (
            "bankroll = 315",
            "bankroll = \"much\"",
            ": `bankroll` is an amount in dollars, such as 300 or 12.50",
        ),
        ("params = { side = 5 }", "params = { sied = 5 }", "did you mean `side`?"),
        ("count = 3", "count = 20", "/table.toml:22: a table has 24 seats, this one would need 26"),
    ] {
        let err = wrong(from, to);
        assert!(err.contains(says), "{to:?}: {err}");
    }
    let ran = boxman(&["sim", "--table", "nowhere.toml"]);
    assert!(ran.code == 2 && ran.err.contains("nowhere.toml: cannot be read"), "{}", ran.err);
}
