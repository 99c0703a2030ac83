use expect_test::expect_file;

use crate::{House, boxman, root};

#[test]
fn the_catalogue_of_the_base_game() {
    let ran = boxman(&["wagers"]);
    assert_eq!(ran.code, 0);
    expect_file!["../golden/wagers.txt"].assert_eq(&ran.out);
}

#[test]
fn the_catalogue_of_side_bets_alone() {
    let nevada = "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01";
    let ran = boxman(&["wagers", "--rules", nevada, "--rules", "super-shooter:SS-LB-2,SS-ALL-3"]);
    assert_eq!(ran.code, 0);
    expect_file!["../golden/wagers-side.txt"].assert_eq(&ran.out);
}

#[test]
fn the_catalogue_of_the_strip() {
    let ran = boxman(&["wagers", "--rules", "vegas-strip", "--rules", "low-high-dice"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    expect_file!["../golden/wagers-strip.txt"].assert_eq(&ran.out);
}

/// What is posted about a cap stands under the wagers it binds, and beside each.
#[test]
fn a_posted_cap_is_shown() {
    let side = ["wagers", "--rules", "bonus-craps-washington"];
    assert!(!boxman(&side).out.contains("Posted"));
    let cap = ["--option", "aggregate-cap=25000", "--option", "aggregate-cap-per=hand"];
    let ran = boxman(&[&side[..], &cap].concat());
    assert_eq!(ran.code, 0);
    let posted = "Posted: All Small, All Tall and Make 'Em All win at most $25000 a hand together.";
    assert_eq!(ran.out.trim_end().lines().last(), Some(posted));
    assert_eq!(ran.out.matches("(together $25000 a hand)").count(), 3, "{}", ran.out);
    let json = boxman(&[&side[..], &cap, &["--json"]].concat());
    assert_eq!(json.out.matches("\"cap\": \"$25000 a hand\"").count(), 3, "{}", json.out);
}

#[test]
fn json_lists_the_same_wagers() {
    let ran = boxman(&["wagers", "--json"]);
    assert_eq!(ran.code, 0);
    for wager in ["\"odds dont-come 10\"", "\"horn-high 12\"", "\"9 to 5\"", "\"make-em-all\""] {
        assert!(ran.out.contains(wager), "{wager}");
    }
}

#[test]
fn a_rulebook_of_ones_own() {
    let text = std::fs::read_to_string(root().join("rulebooks/presque-isle.toml")).unwrap();
    let house = House::new("own", &text.replace("9 to 5", "2 to 1"));
    let ran = boxman(&["wagers", "--rules", &house.path("house.toml")]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(!ran.out.contains("9 to 5"));
}

#[test]
fn every_mistake_in_a_rulebook_is_told() {
    let text = std::fs::read_to_string(root().join("rulebooks/super-shooter.toml")).unwrap();
    let text = text
        .replacen("title = \"Little\"", "titel = \"Little\"", 1)
        .replacen("ends-on = [7]", "ends-on = [1]", 1)
        .replacen("when = \"family-idle\"", "when = \"family\"", 1)
        .replacen("\"34 to 1\"", "\"34 : 1\"", 1)
        .replacen("envy = \"5x\"", "envy = \"5\"", 1);
    let house = House::new("faulty", &text);
    let ran = boxman(&["wagers", "--rules", &house.path("house.toml")]);
    assert_eq!(ran.code, 2);
    let told = ran.err.replace(&house.path("house.toml"), "house.toml");
    expect_file!["../golden/faults.txt"].assert_eq(&told);
}

#[test]
fn what_is_wrong_is_said() {
    #[track_caller]
    fn check(args: &[&str], expected: &str) {
        let ran = boxman(args);
        assert_eq!(ran.code, 2);
        assert_eq!(ran.err.trim_end(), format!("error: {expected}"));
    }
    let library = craps::Library::embedded();
    let names: Vec<&str> = library.rulebooks().iter().map(|book| book.name.as_str()).collect();
    check(
        &["wagers", "--rules", "super-shoter"],
        &format!(
            "rules: there is no rulebook `super-shoter`, did you mean `super-shooter`? (there are: \
             {})",
            names.join(", ")
        ),
    );
    check(&["wagers", "--option", "put"], "`put` is not an option, expected NAME=VALUE");
    check(
        &["wagers", "--option", "field.max=lots"],
        "option field.max: expected dollars such as 5, 0.25 or \"$1,000\", \
         from zero to ten billion",
    );
    check(
        &["wagers", "--rules", "./missing.toml"],
        "./missing.toml: cannot be read: No such file or directory (os error 2)",
    );
}
