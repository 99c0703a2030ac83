use expect_test::expect_file;

use crate::{House, boxman, root};

fn super_shooter() -> String {
    std::fs::read_to_string(root().join("rulebooks/super-shooter.toml")).unwrap()
}

#[test]
fn a_sound_rulebook_in_sentences() {
    let ran = boxman(&["check", "rulebooks/super-shooter.toml"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    expect_file!["../golden/check.txt"].assert_eq(&ran.out);
}

/// What has a fault is told with its line, and the rest is understood all the same.
#[test]
fn faults_beside_what_was_understood() {
    let text = super_shooter().replacen("title = \"Little\"", "titel = \"Little\"", 1).replacen(
        "\"160 to 1\"",
        "\"160 : 1\"",
        1,
    );
    let house = House::new("check", &text);
    let ran = boxman(&["check", &house.path("house.toml")]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    let told = ran.out.replace(&house.path("house.toml"), "house.toml");
    expect_file!["../golden/check-faults.txt"].assert_eq(&told);
}

#[test]
fn every_shipped_rulebook_is_sound() {
    for file in std::fs::read_dir(root().join("rulebooks")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|end| end == "toml") {
            let ran = boxman(&["check", &path.display().to_string()]);
            assert_eq!(ran.code, 0, "{}", ran.out);
        }
    }
}

#[test]
fn json_has_the_same_figures() {
    let ran = boxman(&["check", "rulebooks/super-shooter.toml", "--json"]);
    assert_eq!(ran.code, 0);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(json["sound"], true);
    let wagers = json["wagers"].as_array().unwrap();
    let little = wagers.iter().find(|wager| wager["paytable"] == "SS-LB-2").unwrap();
    let spot = &little["spots"][0];
    assert_eq!((&spot["edge"], &spot["states"]), (&"1687/21736".into(), &31.into()));
    // $5,000 at 34 to 1, and the dealers' envy of as much as the bet.
    assert_eq!(spot["exposure"], 17_500_000);
    let house = House::new("check-json", &super_shooter().replacen("\"side\"", "\"sides\"", 1));
    let ran = boxman(&["check", &house.path("house.toml"), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &json["sound"], &json["rulebook"]), (1, &false.into(), &().into()));
    assert_eq!(json["faults"][0]["line"], 7, "{}", json["faults"]);
}

/// One meaning of a hit: an award, if it is the stake alone; a push is none. The sentence, its JSON
/// and the atlas say the same.
#[test]
fn a_hit_is_an_award_and_a_push_is_none() {
    #[track_caller]
    fn check(book: &str, said: &str) {
        let path = format!("rulebooks/{book}.toml");
        let ran = boxman(&["check", &path]);
        assert!(ran.out.contains(said), "{}", ran.out);
        let json = |args: &[&str]| -> serde_json::Value {
            serde_json::from_str(&boxman(args).out).unwrap()
        };
        let spot = &json(&["check", &path, "--json"])["wagers"][0]["spots"][0];
        let charted = &json(&["atlas", "--rules", book, "--json"])["wagers"][0];
        assert!(spot["hit"].is_string());
        assert_eq!(spot["hit"], charted["hit"], "{book}");
    }
    // Eight to fifteen rolls pay 1 for 1.
    check(
        "hot-shooter",
        "; hits 42.9044 % of the time, 1 in 2.3: 29.7425 % no more than the stake, \
         13.1620 % a gain; deviation ",
    );
    // Two line wins push.
    check("ride-the-line", "; hits 17.0534 % of the time, 1 in 5.9; pushes 13.6986 %; deviation ");
    // The seven of a world bet pays for the four parts that miss.
    let ran = boxman(&["check", "rulebooks/vegas-strip.toml"]);
    let world = "world: edge 13.3333 % (2/15); hits 33.3333 % of the time, 1 in 3.0: 16.6667 % no \
                 more than the stake, 16.6667 % a gain; ";
    assert!(ran.out.contains(world), "{}", ran.out);
}

#[test]
fn what_looks_odd_is_warned_of() {
    #[track_caller]
    fn check(from: &str, to: &str, warning: &str) {
        let path = root().join("rulebooks/bonus-craps-nevada.toml");
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains(from), "{from}");
        let house = House::new("odd", &text.replacen(from, to, 1));
        let ran = boxman(&["check", &house.path("house.toml")]);
        assert_eq!(ran.code, 0, "{}", ran.out);
        let told = ran.out.replace(&house.path("house.toml"), "house.toml");
        assert!(told.contains(&format!("Think about it: {warning}")), "{told}");
    }
    check("\"150 to 1\"", "\"250 to 1\"", "players have the edge on make-em-all");
    check(
        "8 = \"$50\"",
        "8 = \"$5\"",
        "house.toml:101:25: make-em-all-progressive: `8` pays $5, less than `7` at $10",
    );
    check("name =", "name =", "the meter of fired-up has no terms");
}

/// Ten numbers, each up to seven times, could be dealt; what they are worth nobody can say.
#[test]
fn a_wager_with_too_many_states_is_a_fault() {
    let text = "name = \"house\"\ntitle = \"House\"\nkind = \"side\"\n\
        limits = { min = 1, max = 5, unit = 1 }\n\
        [wager.marathon]\ntitle = \"Marathon\"\nshape = \"count\"\n\
        marks = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]\ntimes = 7\nends-on = 7\nwhen = \"idle\"\n\
        pays = \"99 to 1\"\n";
    let house = House::new("marathon", text);
    let ran = boxman(&["check", &house.path("house.toml")]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let told = ran.out.replace(&house.path("house.toml"), "house.toml");
    let fault = "house.toml:12:1: `marathon` has more than 1000000 states, too many to price it \
                 exactly: let it count fewer things, or each less often\n  12 | pays = \"99 to 1\"";
    assert!(told.starts_with(fault), "{told}");
    assert!(told.contains("Wins: each of 2, 3, 4, 5, 6, 8, 9, 10, 11, 12 7 times"), "{told}");
}

#[test]
fn misuse() {
    let ran = boxman(&["check", "no-such.toml"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("no-such.toml: cannot be read"), "{}", ran.err);
    let house = House::new("syntax", "name = \n[limits\n");
    let ran = boxman(&["check", &house.path("house.toml")]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("house.toml:1:8: ") && ran.out.contains("nothing was understood"));
}
