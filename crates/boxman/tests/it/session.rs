//! Sessions that are looked for, played out, or refused.

use crate::boxman;

/// What `boxman session … --json` says of its first plan.
fn session(args: &[&str]) -> serde_json::Value {
    let args = [&["session"], args, &["--json"]].concat();
    let ran = boxman(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut all: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    all[0].take()
}

fn refused(args: &[&str]) -> String {
    let ran = boxman(&[&["session"], args].concat());
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    ran.err
}

fn chance(json: &serde_json::Value, of: &str) -> f64 {
    json["chances"][of].as_f64().unwrap()
}

#[test]
fn the_bankroll_that_is_seldom_ruined() {
    let length = ["six-eight", "--rolls", "100"];
    let found = session(&[&length[..], &["--find", "bankroll", "--ruin", "5%"]].concat());
    let dollars = found["bankroll"].as_i64().unwrap() / 100;
    let with = |dollars: i64| {
        let bankroll = dollars.to_string();
        chance(&session(&[&length[..], &["--bankroll", &bankroll]].concat()), "ruined")
    };
    assert!(with(dollars) <= 0.05, "{dollars}");
    assert!(with(dollars - 1) > 0.05, "{dollars}");
    assert!(found["found"].as_str().unwrap().starts_with(&format!("${dollars} is the least")));
}

#[test]
fn the_goal_and_the_length_that_are_reached_often_enough() {
    let bankroll = ["pass", "--bankroll", "100"];
    let found = session(&[&bankroll[..], &["--find", "goal", "--reach", "0.4"]].concat());
    let goal = found["goal"].as_i64().unwrap() / 100;
    let for_goal = |goal: i64| {
        let goal = goal.to_string();
        chance(&session(&[&bankroll[..], &["--goal", &goal]].concat()), "goal")
    };
    assert!(for_goal(goal) >= 0.4, "{goal}");
    assert!(for_goal(goal + 1) < 0.4, "{goal}");
    let goal = ["pass", "--bankroll", "100", "--goal", "150"];
    let found = session(&[&goal[..], &["--find", "length", "--reach", "25%"]].concat());
    let rolls = found["rolls"].as_u64().unwrap();
    let after = |rolls: u64| {
        let rolls = rolls.to_string();
        chance(&session(&[&goal[..], &["--rolls", &rolls]].concat()), "goal")
    };
    assert!(after(rolls) >= 0.25 && after(rolls - 1) < 0.25, "{rolls}");
    let found = session(&["pass", "--bankroll", "100", "--find", "length", "--ruin", "3%"]);
    let rolls = found["rolls"].as_u64().unwrap();
    let after = |rolls: u64| {
        let rolls = rolls.to_string();
        chance(&session(&["pass", "--bankroll", "100", "--rolls", &rolls]), "ruined")
    };
    assert!(after(rolls) <= 0.03 && after(rolls + 1) > 0.03, "{rolls}");
}

#[test]
fn bets_that_have_to_stay_can_be_run_out() {
    let hour = ["pass-2x", "--bankroll", "100000", "--hours", "1"];
    let face = session(&hour);
    let played = session(&[&hour[..], &["--run-out"]].concat());
    let mean = |json: &serde_json::Value| json["mean"].as_f64().unwrap();
    let worth = face["staying_bets_worth"].as_f64().unwrap();
    assert!(worth < -1.0, "a pass bet on its number is worth less than its face: {worth}");
    assert!((mean(&face) + worth - mean(&played)).abs() < 1e-6, "{face:?}");
    assert!(played["staying_bets_worth"].is_null());
}

#[test]
fn what_cannot_be_found_or_followed_says_so() {
    for (args, says) in [
        (&["pass", "--find", "bankroll", "--ruin", "5%"][..], "goes on to its ruin"),
        (&["pass", "--find", "bankroll", "--reach", "5%", "--rolls", "9"], "say --goal"),
        (&["pass", "--find", "goal", "--reach", "5%", "--goal", "2000"], "leave --goal out"),
        (&["pass", "--find", "goal", "--ruin", "105%"], "between nothing and all"),
        (&["pass", "--find", "length"], "--ruin"),
        (&["pass", "--ruin", "5%"], "--find"),
        (
            &["pass", "--bankroll", "50", "--goal", "99", "--find", "length", "--reach", "99%"],
            "however long it lasts",
        ),
        (&["pass", "--bankroll", "5", "--find", "goal", "--reach", "99%"], "one dollar away"),
        (&["come-every-roll", "--rolls", "10000000"], "try fewer rolls"),
        (&["pass", "--bankroll", "5", "--find", "length", "--ruin", "5%"], "bring more"),
        (&["pass", "--find", "length", "--ruin", "5%", "--shooters", "5"], "leave it out"),
    ] {
        let err = refused(args);
        assert!(err.contains(says), "{args:?}: {err}");
    }
}

/// Finds the bankroll for a plan of these lines, and gives what is found in dollars.
fn bankroll_for(name: &str, plan: &str) -> (String, i64) {
    let file = std::env::temp_dir().join(format!("boxman-{name}-{}.rhai", std::process::id()));
    std::fs::write(&file, plan).unwrap();
    let path = file.to_str().unwrap();
    let wish = ["--rolls", "150", "--find", "bankroll", "--ruin", "20%"];
    let found = session(&[&[path], &wish[..]].concat());
    std::fs::remove_file(&file).unwrap();
    let words = found["found"].as_str().unwrap().to_owned();
    (words, found["bankroll"].as_i64().unwrap() / 100)
}

#[test]
fn who_leaves_when_ahead_or_looks_at_the_rack_is_found_a_bankroll() {
    let always = bankroll_for("always", "want(\"pass\", 10);").1;
    // A plan that leaves at 900 leaves at once with more; that is no reason to find nothing.
    let leaves = "if bankroll >= 900 { leave(); } else { want(\"pass\", 10); }";
    assert_eq!(bankroll_for("leaves", leaves).1, always);
    // One that looks at its rack first is never refused, and stops betting all the same.
    let looks = "if rack >= 10 { want(\"pass\", 10); }";
    let (words, looks) = bankroll_for("looks", looks);
    assert_eq!(looks, always, "{words}");
}

#[test]
fn hours_may_be_in_part() {
    let half = session(&["pass", "--hours", "2.5", "--pace", "100"]);
    assert_eq!(half["rolls"], 250);
    let err = refused(&["pass", "--hours", "two"]);
    assert!(err.contains("such as 4 or 2.5"), "{err}");
    let err = refused(&["pass", "--bankroll", "-5"]);
    assert!(err.contains("nobody sits down with nothing"), "{err}");
}

#[test]
fn shooters_are_not_cut_off_by_a_limit_on_rolls() {
    let few = session(&["pass", "--shooters", "10"]);
    let cut = session(&["pass", "--shooters", "10", "--most-rolls", "100"]);
    assert_eq!(few["mean_rolls"], cut["mean_rolls"]);
    let rolls = few["mean_rolls"].as_f64().unwrap();
    assert!((rolls - 10.0 * 1671.0 / 196.0).abs() < 1e-6, "{rolls}");
}
