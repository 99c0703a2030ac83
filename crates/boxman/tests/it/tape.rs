use expect_test::expect_file;

use crate::{House, boxman, boxman_with, root};

#[test]
fn a_tape_reads_like_a_stick_call() {
    let ran = boxman(&["tape", "tapes/example.tape"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    expect_file!["../golden/example.txt"].assert_eq(&ran.out);
}

#[test]
fn a_jackpot_shared_by_two() {
    let ran = boxman(&["tape", "tapes/side/shared-jackpot-with-an-odd-cent.tape"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    expect_file!["../golden/jackpot.txt"].assert_eq(&ran.out);
}

#[test]
fn json_is_an_event_a_line_and_a_summary() {
    let ran = boxman(&["tape", "--json", "tapes/example.tape"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    expect_file!["../golden/example.jsonl"].assert_eq(&ran.out);
    let last = ran.out.lines().last().unwrap();
    assert!(last.contains("\"conserved\":true") && last.contains("\"racks\":{\"ann\":51800}"));
}

#[test]
fn a_failed_assertion_exits_with_one() {
    let ran = boxman_with(&["tape", "-q", "-"], "seat ann 100\nann pass 10\n= ann 80\n");
    assert_eq!(ran.code, 1);
    assert_eq!(ran.err, "error: -:3: = ann 80\n  expected 80.00\n  got      90.00\n");
    let ran = boxman_with(&["tape", "-q", "-"], "seat ann 100\nann come 10\n");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("refused, not-now: come is bet once there is a point"), "{}", ran.err);
}

#[test]
fn a_tape_that_cannot_be_read_exits_with_two() {
    let ran = boxman_with(&["tape", "-"], "seat ann 100\nann plcae 6 12\nroll 9-9\n");
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.err,
        "error: -:2: there is no wager `plcae 6`, did you mean `place 6`?\n\
         -:3: `9-9` is not a roll, expected two faces from 1 to 6 such as 3-4\n"
    );
    let ran = boxman(&["tape", "tapes/no-such.tape"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: tapes/no-such.tape: cannot be read"), "{}", ran.err);
    // One bad tape does not keep the others from playing, but it decides the exit code.
    let ran = boxman(&["tape", "-q", "tapes/no-such.tape", "tapes/example.tape"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.out, "tapes/example.tape: every line held\n");
}

/// Editing a pay in a copy of the rulebook changes what is paid, with nothing compiled anew.
#[test]
fn a_rulebook_by_its_path() {
    let text = std::fs::read_to_string(root().join("rulebooks/presque-isle.toml")).unwrap();
    let house = House::new("tape", &text.replace("9 to 5", "2 to 1"));
    let play = "seat ann 100\nann pass 10\nroll 3-3\nann place 4 10\nroll 1-3\n";
    let by_path = format!("rules {}\n{play}= ann 100.00\n", house.path("house.toml"));
    let ran = boxman_with(&["tape", "-q", "-"], &by_path);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let by_name = format!("{play}= ann 98.00\n");
    assert_eq!(boxman_with(&["tape", "-q", "-"], &by_name).code, 0);
    // The same tape under other rules, without touching it.
    let ran = boxman_with(&["tape", "-q", "--rules", &house.path("house.toml"), "-"], &by_name);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("got      100.00"), "{}", ran.err);
    // A path on a tape is looked for beside the tape.
    std::fs::write(house.path("a.tape"), by_path.replace(&house.path("house.toml"), "house.toml"))
        .unwrap();
    assert_eq!(boxman(&["tape", "-q", &house.path("a.tape")]).code, 0);
}
