//! The best play: what is printed, and that a session of the written plan reaches as much.

use expect_test::expect_file;

use crate::boxman;

fn said(args: &[&str]) -> String {
    let ran = boxman(args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

#[test]
fn a_small_game_whole() {
    let args = ["best", "--bankroll", "10", "--goal", "20", "--bets", "pass, odds", "--step", "5"];
    expect_file!["../golden/best.txt"].assert_eq(&said(&args));
}

#[test]
fn a_session_of_the_written_plan_confirms_it() {
    let file = std::env::temp_dir().join(format!("boxman-best-{}.rhai", std::process::id()));
    let file = file.to_str().unwrap();
    for (bets, bankroll, goal, step, option) in [
        ("pass, odds", "45", "100", "5", "put=false"),
        ("dont-pass, odds, hard 8", "30", "75", "5", "put=false"),
        ("pass, odds, place 6, field", "60", "150", "15", "put=false"),
        ("hard 6, any-seven, place 5", "25", "60", "5", "place-may-be-called-on=true"),
        ("buy 4, lay 10, field", "60", "100", "20", "payout-unit=1.00"),
    ] {
        let money = ["--bankroll", bankroll, "--goal", goal];
        let wish =
            ["best", "--bets", bets, "--step", step, "--option", option, "-o", file, "--json"];
        let best: serde_json::Value =
            serde_json::from_str(&said(&[&wish[..], &money].concat())).unwrap();
        let session = said(&[&["session", file, "--json"], &money[..]].concat());
        let session: serde_json::Value = serde_json::from_str(&session).unwrap();
        let chance = best["chance"].as_f64().unwrap();
        let reached = session[0]["chances"]["goal"].as_f64().unwrap();
        assert!((chance - reached).abs() < 1e-9, "{bets}: {chance} and {reached}");
        assert!(chance > 0.1, "{bets}: {chance}");
        // No plan with the same bets does better.
        for plan in best["plans"].as_array().unwrap() {
            assert!(plan["chance"].as_f64().unwrap() <= chance + 1e-10, "{plan}");
        }
    }
    std::fs::remove_file(file).unwrap();
}

#[test]
fn an_opening_within_so_many_rolls() {
    let args = ["best", "--bankroll", "10", "--goal", "30", "--bets", "field", "--rolls", "1"];
    let out = said(&args);
    assert!(out.starts_with("5.55555556% reach"), "{out}");
    assert!(out.contains("It opens with $10.00 on field."), "{out}");
    let wish = ["best", "--bankroll", "20", "--goal", "60", "--bets", "pass, odds, field"];
    let rolls = ["--step", "5", "--rolls", "4"];
    let args = [&wish[..], &rolls].concat();
    expect_file!["../golden/best-rolls.txt"].assert_eq(&said(&args));
    let json = said(&[&args[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["spots"], serde_json::json!(["pass", "odds pass", "field"]));
    // Come-out and six points, from $5 to $55.
    let turns = json["turns"].as_array().unwrap();
    assert!(turns.iter().any(|turn| turn["puck"] == 6 && turn["bankroll"] == 5_500), "{json}");
    let start = turns.iter().find(|turn| turn["puck"] == 0 && turn["bankroll"] == 2_000);
    assert_eq!(start.unwrap()["chance"], json["chance"]);
}

#[test]
fn what_has_no_best_play_says_what_to_do() {
    for (args, says) in [
        (&["--bankroll", "300", "--goal", "200", "--bets", "pass"][..], "before the first roll"),
        (&["--bankroll", "0", "--goal", "200", "--bets", "pass"], "say --bankroll"),
        (&["--bankroll", "10", "--goal", "20", "--bets", "pass", "--step", "0"], "say --step"),
        (&["--bankroll", "10", "--goal", "20", "--bets", "come"], "cannot be taken down"),
        (&["--bankroll", "10", "--goal", "20", "--bets", "pas"], "did you mean `pass`"),
        (&["--bankroll", "10", "--goal", "20", "--bets", "pass", "-o", "x.txt"], "ends in .rhai"),
        (&["--bankroll", "3", "--goal", "9", "--bets", "field"], "bring more"),
        (&["--bankroll", "10", "--goal", "99999", "--bets", "pass", "--step", "1"], "take"),
        (
            &["--bankroll", "300", "--goal", "1000", "--bets", "pass,odds,place 6,hard 8,field"],
            "--step 15",
        ),
    ] {
        let ran = boxman(&[&["best"], args].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
    }
}
