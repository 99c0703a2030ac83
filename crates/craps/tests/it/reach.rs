//! What can never happen to a side bet in the game it is put on, which is a fault, and what can and
//! is odd, which is a warning. Both are found once the game is known, and told with their line.

use craps::{Library, Rulebook, Rules};

use crate::tracked::{fault, side};

#[test]
fn awards_that_can_never_be_hit() {
    let count = |rest: &str| format!("shape = \"count\"\n{rest}");
    let check = |rest: &str, expected: &str| fault(&count(rest), expected);
    check(
        "counts = \"line-wins\"\nends-on = \"line-win\"\n\
         pays = { 1 = \"1 to 1\", \"2+\" = \"9 to 1\" }",
        "t.toml:14:1: 2+ line wins can never be hit",
    );
    check(
        "counts = \"rolls\"\nends-on = \"seven-out\"\npuck = \"off\"\n\
         pays = { 1 = \"9 to 1\", \"2+\" = \"1 to 1\" }",
        "1 roll can never be hit",
    );
    check(
        "marks = [2, 3]\nends-on = \"point-made 2\"\npays = { 1 = \"1 to 1\", 2 = \"9 to 1\" }",
        "x: the 2 made never comes in a game of points 4 5 6 8 9 10",
    );
}

/// A mark that has to come several times cannot, where each time ends the wager.
#[test]
fn marks_that_can_never_come_so_often() {
    let count = |rest: &str| format!("shape = \"count\"\n{rest}");
    let check = |rest: &str, expected: &str| fault(&count(rest), expected);
    check(
        "marks = [4, 5]\ntimes = 2\nends-on = [4, 7]\npays = \"9 to 1\"",
        "t.toml:15:1: all numbers can never be hit",
    );
    check(
        "marks = [4, 5]\ntimes = 2\nends-on = [4, 7]\npays = { 1 = \"1 to 1\", 2 = \"9 to 1\" }",
        "t.toml:15:1: 2 numbers can never be hit",
    );
    // On a come-out a four sets the point.
    check(
        "marks = [4, 11]\ntimes = 2\nends-on = \"point\"\npuck = \"off\"\npays = \"9 to 1\"",
        "all numbers can never be hit",
    );
    // With a point on it would be made once, and the next one set ends it.
    check(
        "marks = \"points-made\"\ntimes = 2\nends-on = \"point\"\npays = \"9 to 1\"",
        "6 points can never be hit",
    );
    check(
        "marks = [4, 5]\nends-on = [4, 7]\n\
         pays = { 4 = { \"2+\" = \"9 to 1\" }, 5 = { \"2+\" = \"9 to 1\" } }",
        "4 2+ times can never be hit",
    );
}

/// What can come is none of these, whichever way it comes.
#[test]
fn marks_that_can_come_so_often() {
    #[track_caller]
    fn check(rest: &str) {
        let wager = "[wager.x]\ntitle = \"X\"\nwhen = \"idle\"\nshape = \"count\"";
        if let Err(faults) = side(&format!("{wager}\n{rest}")) {
            panic!("{faults}");
        }
    }
    check("marks = [4, 5]\ntimes = 7\nends-on = 7\npays = \"9 to 1\"");
    check("marks = [4, 5]\ntimes = 2\nends-on = [\"point-made 4\", 7]\npays = \"9 to 1\"");
    check("marks = \"points-made\"\ntimes = 2\nends-on = \"seven-out\"\npays = \"9 to 1\"");
    // Bet with a point on, nothing sets one.
    check("marks = [4, 11]\ntimes = 2\nends-on = \"point\"\npays = \"9 to 1\"");
    // The roll that ends it counts.
    check(
        "marks = [4, 5]\nends-on = [4, 7]\n\
         pays = { 4 = { \"1+\" = \"9 to 1\" }, 5 = { \"2+\" = \"9 to 1\" } }",
    );
}

/// What is odd about a wager, with its line.
fn warnings(keys: &str) -> Vec<String> {
    let wager = format!("[wager.x]\ntitle = \"X\"\nwhen = \"idle\"\nshape = \"count\"\n{keys}");
    let rules = side(&wager).unwrap_or_else(|faults| panic!("{faults}"));
    rules.warnings.iter().map(ToString::to_string).collect()
}

/// A rung is paid for what it says, also where it is less than the one below: on one ladder, on
/// that of each mark, and on that of each spot.
#[test]
fn a_rung_that_pays_less_than_the_one_below() {
    let one = "marks = [2, 3]\nends-on = 7\npays = { 1 = \"9 to 1\", 2 = \"5 to 1\" }";
    let told = ["t.toml:14:1: x: `2` pays 5 to 1, less than `1` at 9 to 1"];
    assert_eq!(warnings(one), told);
    let each = "marks = \"points-made\"\nends-on = \"seven-out\"\n\
        pays = { 4 = { 3 = \"120 to 1\", \"4+\" = \"100 to 1\" }, 5 = { \"3+\" = \"90 to 1\" } }";
    let told = [
        "t.toml:14:1: x: 6, 8, 9, 10 pay nothing",
        "t.toml:14:1: x 4: `4+` pays 100 to 1, less than `3` at 120 to 1",
    ];
    assert_eq!(warnings(each), told);
    let spots = "numbers = [4, 5]\nmarks = \"number\"\ntimes = 2\nends-on = 7\n\
        pays = { 4 = { 1 = \"2 to 1\", 2 = \"1 to 1\" }, 5 = { 1 = \"3 to 1\", 2 = \"2 to 1\" } }";
    let told = [
        "t.toml:16:1: x 4: `2` pays 1 to 1, less than `1` at 2 to 1",
        "t.toml:16:1: x 5: `2` pays 2 to 1, less than `1` at 3 to 1",
    ];
    assert_eq!(warnings(spots), told);
    // Pays by the number of the spot are no ladder.
    let numbers = "numbers = [4, 5]\nmarks = \"number\"\nends-on = 7\n\
        pays = { 4 = \"3 to 1\", 5 = \"2 to 1\" }";
    assert!(warnings(numbers).is_empty());
}

#[test]
fn one_of_several_endings_that_never_comes() {
    let keys = "marks = [2, 3]\nends-on = [7, \"point-made 2\"]\npays = \"9 to 1\"";
    let told = ["t.toml:14:1: x: the 2 made never comes in a game of points 4 5 6 8 9 10"];
    assert_eq!(warnings(keys), told);
    // In a game where the 2 is a point it comes.
    let text = format!(
        "name = \"t\"\ntitle = \"T\"\nkind = \"side\"\nlimits = {{ min = 1, max = 9, unit = 1 }}\n\
         [wager.x]\ntitle = \"X\"\nwhen = \"idle\"\nshape = \"count\"\n{keys}"
    );
    let library = Library::embedded().with(Rulebook::parse("t.toml", &text).unwrap());
    let rules = Rules::named(&library, &["crapless", "t"]).unwrap();
    assert!(rules.warnings.is_empty());
}

/// A shorter list than the others is complete before any rung that pays.
#[test]
fn a_list_that_is_complete_and_pays_nothing() {
    let sequence = |rest: &str| format!("shape = \"sequence\"\n{rest}");
    let check = |rest: &str, expected: &str| fault(&sequence(rest), expected);
    check(
        "sequences = [[6, 5, 4], [8]]\npays = \"10 to 1\"",
        "x: 8 is complete after 1 roll and pays nothing",
    );
    check(
        "sequences = [[6, 5, 4], [8, 9]]\npays = { 3 = \"100 to 1\" }",
        "x: 8-9 is complete after 2 rolls and pays nothing",
    );
}

/// Replay has no pay for the points that only crapless craps has, and says so.
#[test]
fn numbers_without_a_pay() {
    let rules = Rules::named(&Library::embedded(), &["crapless", "replay"]).unwrap();
    let told: Vec<String> = rules.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].ends_with("replay: 2, 3, 11, 12 pay nothing"), "{told:?}");
}

/// What a later rulebook puts in the place of a line bet has no odds behind it.
#[test]
fn odds_stand_behind_a_line() {
    let pass = "[wager.pass]\ntitle = \"X\"\nshape = \"one-roll\"\nwins = [6]\npays = \"5 to 1\"";
    let faults = side(pass).unwrap_err();
    assert!(faults.contains("stands behind `pass`, which is no line bet here"), "{faults}");
}

#[test]
fn bets_against_the_dice_are_never_put() {
    let put = [("dont-pass.put", "on")];
    let faults = Rules::with_options(&Library::embedded(), &["vegas-strip"], &put);
    let faults = faults.unwrap_err().to_string();
    assert!(faults.contains("never put on a number"), "{faults}");
}
