//! What the Strip needs of a rulebook: commission by steps, bets on faces, room on the felt.

use craps::{Library, Rulebook, Rules};

use crate::rulebook::{PRESQUE_ISLE, check};

const VEGAS_STRIP: &str = include_str!("../../../../rulebooks/vegas-strip.toml");

/// A table of commissions is posted without gap or overlap, never falls, and has no end.
#[test]
fn steps_of_a_commission_follow_one_another() {
    #[track_caller]
    fn steps(table: &str, expected: &str) {
        let share = "rate = \"5%\"\nof = \"stake\"\nwhen = \"@commission-when\"\n\
                     rounding = \"@commission-rounding\"\nunit = \"@commission-unit\"\n\
                     minimum = \"@commission-minimum\"";
        let steps = format!("of = \"stake\"\nsteps = {table}");
        check(PRESQUE_ISLE, share, &steps, expected);
    }
    steps("{ \"20-35\" = 1, \"40+\" = 2 }", "no step says what is due between 35.00 and 40.00");
    steps(
        "{ \"20-35\" = 1, \"35-55\" = 2, \"56+\" = 3 }",
        "35.00 is in the step before, which goes to 35.00",
    );
    steps("{ \"20-35\" = 2, \"36+\" = 1 }", "a commission of 1.00 after one of 2.00 would fall");
    steps(
        "{ \"20-35\" = 1, \"36-55\" = 2 }",
        "the steps end at 55.00, write the last one as \"36+\"",
    );
    steps("{ \"20+\" = 1, \"36+\" = 2 }", "only the last step is open at its end");
    steps("{ 20 = 1 }", "`20` is no range of dollars such as \"20-35\" or \"56+\"");
    steps(
        "{ \"20+\" = \"1 and 1 each 20\" }",
        "expected dollars such as 3, or \"3 and 1 more each 20\"",
    );
    steps(
        "{ \"1+\" = \"1 and 30 more each 20\" }",
        "expected dollars such as 3, or \"3 and 1 more each 20\"",
    );
    steps(
        "{ \"1-9\" = \"1 and 1 more each 20\", \"10+\" = 2 }",
        "only the last step goes on with more",
    );
    steps("{}", "`steps` names nothing");
    check(
        PRESQUE_ISLE,
        "rate = \"5%\"\nof = \"win\"",
        "rate = \"5%\"\nof = \"win\"\nsteps = { \"1+\" = 1 }",
        "`steps` say all of a commission, leave `rate`, `rounding`, `unit`, `minimum` out",
    );
}

/// $1 from 20 to 35, $2 to 55, then $1 more for each 20 begun: charged with the bet, changed with
/// it, returned with it, and taken again out of a win that stays up.
#[test]
fn steps_of_a_commission_are_played() {
    let share = "rate = \"5%\"\nof = \"stake\"\nwhen = \"@commission-when\"\n\
                 rounding = \"@commission-rounding\"\nunit = \"@commission-unit\"\n\
                 minimum = \"@commission-minimum\"";
    let steps = "of = \"stake\"\nwhen = \"@commission-when\"\n\
                 steps = { \"20-35\" = 1, \"36-55\" = 2, \"56+\" = \"3 and 1 more each 20\" }";
    let text = PRESQUE_ISLE.replacen(share, steps, 1);
    assert_ne!(text, PRESQUE_ISLE);
    let rulebook = Rulebook::parse("house.toml", &text).unwrap();
    let library = Library::embedded().with(rulebook);
    let tape = "rules presque-isle
        seat ann 500
        ann pass 10
        roll 3-3
        ann buy 4 10
        = ann 480.00                    # below the first step nothing is due
        ann buy 4 10
        = ann 469.00                    # 10, and 1 for 20
        ann buy 4 20
        = ann 448.00                    # 20, and 2 for 40 less the 1 paid
        ann buy 4 40
        = ann 406.00                    # 40, and 4 for 80
        ann take buy 4 by 40
        = ann 448.00
        roll 2-2
        = ann 526.00                    # 80 less 2 for the next decision
        ann take buy 4
        = ann 568.00";
    play(&library, tape);
    // Taken on the win only, a bet that loses pays nothing.
    let tape = "rules presque-isle
        option commission-when won
        seat ann 500
        ann pass 10
        roll 3-3
        ann buy 4 40
        = ann 450.00
        roll 2-2
        = ann 528.00                    # 80 less 2
        roll 3-4
        = ann 528.00";
    play(&library, tape);
    let chosen = craps::rules::Chosen {
        rulebook: library.rulebook("presque-isle").unwrap().clone(),
        paytables: None,
    };
    let rules = Rules::compile(&library, &[chosen], &[]).unwrap();
    let buy = craps::catalogue(&rules).into_iter().find(|entry| entry.wager == "buy").unwrap();
    let words = "commission by the bet, when placed: $1 from $20, $2 from $36, \
                 $3 from $56 and $1 more each $20";
    assert!(buy.when.contains(words), "{}", buy.when);
}

#[track_caller]
fn play(library: &Library, tape: &str) {
    let tape = craps::Tape::parse("house.tape", tape, library).unwrap();
    let played = tape.play();
    assert!(played.failures.is_empty(), "{:?}", played.failures);
}

/// A hop stands on faces: each once, each with a pay, and never on a number too.
#[test]
fn a_wager_on_faces_pays_each_of_them() {
    let v = VEGAS_STRIP;
    check(v, "\"1-1\", \"2-2\"", "\"1-1\", \"7-1\"", "expected two faces such as \"5-3\"");
    check(v, "\"1-2\", \"1-3\"", "\"1-2\", \"2-1\"", "1-2 is listed twice");
    check(v, "\"5-6\" = \"15 to 1\"\n", "", "there is no pay for hop 5-6");
    check(v, "\"5-6\",\n]", "]", "`5-6` is not one of the wager's faces");
    check(v, "wins = [\"faces\"]", "wins = [\"number\"]", "hop 1-1 can never win");
    check(
        v,
        "wins = [\"faces\"]",
        "wins = [\"faces\"]\nnumbers = [4]",
        "a wager has `numbers` or `faces`, not both",
    );
}

/// A table has room for the whole Strip and every side bet beside it, and says where room ends.
#[test]
fn a_felt_has_room_for_a_real_table() {
    let nevada = "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01";
    let names = ["vegas-strip", nevada, "super-shooter", "low-high-dice"];
    let rules = Rules::named(&Library::embedded(), &names).unwrap();
    assert_eq!(rules.spots().count(), 91 + 5 + 3 + 2);
    let hop = VEGAS_STRIP.split_once("[wager.hop]").unwrap().1;
    let more: Vec<String> = (0..8)
        .map(|place| {
            let hop = hop.replace("[wager.hop.pays]", &format!("[wager.hop{place}.pays]"));
            format!("[wager.hop{place}]{hop}")
        })
        .collect();
    let text = format!("{VEGAS_STRIP}\n{}", more.join("\n"));
    let rulebook = Rulebook::parse("house.toml", &text).unwrap();
    let chosen = craps::rules::Chosen { rulebook, paytables: None };
    let faults = Rules::compile(&Library::embedded(), &[chosen], &[]).unwrap_err();
    assert_eq!(faults.to_string(), "rules: the wagers take 259 spots, a felt has room for 250");
}
