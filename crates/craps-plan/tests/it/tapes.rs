//! Sessions of plans as tapes: a table that replays them ends with the same cents and chips.

use std::path::Path;

use craps::machine::Play;
use craps::{Cents, Library, Roll, Seat, Tape};
use craps_plan::{Plan, READY, Session, ready_tape};
use expect_test::expect_file;

use crate::{Lehmer, own_rules};

/// A session of a plan by its own rules, and what `work` does at the table.
fn seated<T>(plan: &Plan, bankroll: Cents, work: impl FnOnce(&Session<'_>) -> T) -> T {
    let rules = own_rules(plan);
    let header = plan.header();
    let options = header.options.iter().map(|option| option.split_once('=').unwrap());
    let options: Vec<(String, String)> =
        options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    let (rules, meters) = (&rules, meters.as_slice());
    work(&Session { rulebooks: &header.rules, options: &options, rules, meters, bankroll })
}

/// Writes a session, replays it, and compares both tables at the end.
#[track_caller]
fn replays(plan: &Plan, session: &Session<'_>, dice: &[Roll]) {
    let name = plan.name();
    let text = session.tape(plan, dice).unwrap_or_else(|fault| panic!("{fault}"));
    let tape = Tape::parse(name, &text, &Library::embedded());
    let played = tape.unwrap_or_else(|error| panic!("{error}\n{text}")).play();
    assert_eq!(played.failures, [], "{name}\n{text}");
    let (mut play, _) = Play::start(session.rules, plan, session.meters, session.bankroll).unwrap();
    for roll in dice {
        play.roll(*roll).unwrap();
    }
    let table = played.floor.table(0);
    let layout = &table.player(Seat(0)).unwrap().layout;
    assert_eq!(table.rack(Seat(0)) + layout.outlay(), play.equity(), "{name}\n{text}");
    match play.now() {
        Ok(now) => {
            assert_eq!(*layout, now.table.state.layout, "{name}\n{text}");
            assert_eq!(*table.hand(), now.table.state.hand, "{name}\n{text}");
        }
        Err(_) => assert!(layout.is_empty(), "{name}\n{text}"),
    }
}

#[test]
fn every_ready_plan_replays_to_the_same_cents() {
    let mut dice = Lehmer(7);
    for (name, source) in READY {
        let plan = Plan::parse(name, source, &[]).unwrap();
        for bankroll in [0, 9, 60, 300, 100_000] {
            let rolls: Vec<Roll> = (0..150).map(|_| dice.roll()).collect();
            seated(&plan, Cents::dollars(bankroll), |session| replays(&plan, session, &rolls));
        }
    }
}

/// Every verb finds its step: calls, parts taken back, bets that have to stay, jackpots.
#[test]
fn every_verb_replays() {
    let mut dice = Lehmer(8);
    for source in [
        "want(\"pass\", 10); odds(2); if rolled == 8 { leave(); }",
        "want(\"hard 6\", 5); if rolled > 6 { off(\"hard 6\"); } else { on(\"hard 6\"); }",
        "want(\"hard 8\", 5); if hard { on(\"hard 8\"); } else { house(\"hard 8\"); }",
        "if puck != 0 { want(\"buy 4\", 25); want(\"lay 10\", 60); }\n\
         if rolled == 6 { want(\"buy 4\", 20); } if rolled == 8 { take(\"lay 10\"); }",
        "want(\"dont-pass\", 20); if rolled == 9 { want(\"dont-pass\", 5); } odds();",
        "want(\"pass\", 10); want(\"come\", 10); take(\"come 6\"); odds(\"come\", 1);",
        "// option: odds-multiples=2-2-2.5x\n\
         // option: come.put=on\n\
         want(\"pass\", 10); odds(2, 2, 2.5);\n\
         if puck == 9 { want(\"come 6\", 5); }",
        "put(\"field\", 5); if rolled == 7 { put(\"horn\", 4); }",
        "// rules: bonus-craps-nevada:PT-BJS-FUP-04\n\
         // option: fired-up.meter.seed=333\n\
         // option: fired-up.meter.increment=10%\n\
         want(\"fired-up\", 1); want(\"pass\", 5);",
    ] {
        let plan = Plan::parse("verbs", source, &[]).unwrap();
        for bankroll in [70, 5_000] {
            // Down from five is a run of Fired Up, which is a jackpot.
            let run = ["1-4", "1-3", "1-2", "1-1"].map(|roll| roll.parse().unwrap());
            let rolls = (0..400).map(|_| dice.roll());
            let rolls: Vec<Roll> = run.into_iter().cycle().take(8).chain(rolls).collect();
            seated(&plan, Cents::dollars(bankroll), |session| replays(&plan, session, &rolls));
        }
    }
}

#[test]
fn a_session_is_written_down() {
    let plan =
        Plan::parse("six", "if puck != 0 { want(\"place 6\", 12); want(\"come\", 10); }", &[]);
    let plan = plan.unwrap();
    let dice: Vec<Roll> = ["4-4", "3-3", "3-4"].iter().map(|roll| roll.parse().unwrap()).collect();
    let text = seated(&plan, Cents::dollars(25), |session| session.tape(&plan, &dice)).unwrap();
    let expected = "\
shooter any
seat ann 25
roll 4-4                # eight, the hard way, mark the 8
= ann 25.00
ann place 6 12
ann come 10
roll 3-3                # six, the hard way: +$14.00
= ann 17.00
ann come 10
roll 3-4                # seven out, line away: -$12.00
= ann 27.00
= puck off
= ann 27.00
";
    assert_eq!(text, expected);
}

/// Every ready plan has a tape that shows it, and played with the tape's dice it gives that tape.
#[test]
fn every_ready_plan_is_shown() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tapes/plans");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), READY.len());
    for (name, source) in READY {
        let shown = ready_tape(name).unwrap();
        let (comment, steps): (Vec<&str>, Vec<&str>) = {
            let top = shown.lines().take_while(|line| line.starts_with('#')).count();
            (shown.lines().take(top).collect(), shown.lines().skip(top).collect())
        };
        assert!(!comment.is_empty(), "{name}: the first line says what the tape shows");
        let seat = steps.iter().find_map(|line| line.strip_prefix("seat ann "));
        let bankroll = seat.unwrap_or("0").parse().unwrap();
        let rolls = steps.iter().filter_map(|line| line.strip_prefix("roll "));
        let dice: Vec<Roll> =
            rolls.map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
        assert!((8..=25).contains(&dice.len()), "{name}: {} rolls", dice.len());
        let plan = Plan::parse(name, source, &[]).unwrap();
        let tape = seated(&plan, bankroll, |session| session.tape(&plan, &dice)).unwrap();
        let file = folder.join(format!("{name}.tape"));
        expect_file![file].assert_eq(&format!("{}\n{tape}", comment.join("\n")));
        seated(&plan, bankroll, |session| replays(&plan, session, &dice));
    }
}
