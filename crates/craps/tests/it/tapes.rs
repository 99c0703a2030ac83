//! Every tape in `tapes/` holds to the last line, and conserves every cent.

use std::path::{Path, PathBuf};

use craps::floor::Confirm;
use craps::tape::Act;
use craps::{Cents, Library, Tape};

fn tapes(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the tapes are there") {
        let path = entry.expect("a folder can be read").path();
        if path.is_dir() {
            tapes(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "tape") {
            found.push(path);
        }
    }
}

#[test]
fn every_tape_holds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tapes");
    let mut found = Vec::new();
    tapes(&root, &mut found);
    found.sort();
    assert!(found.len() > 60, "only {} tapes were found", found.len());
    let library = Library::embedded();
    let mut failures = Vec::new();
    for path in &found {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        let text = std::fs::read_to_string(path).unwrap();
        match Tape::parse(&name, &text, &library) {
            Err(error) => failures.push(error.to_string()),
            Ok(tape) => {
                let played = tape.play();
                assert!(played.floor.is_conserved(), "{name}");
                assert!(!played.entries.is_empty(), "{name} plays nothing");
                for failure in &played.failures {
                    failures.push(format!("{name}:{}: {failure:?}", failure.line));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_bad_line_says_what_was_expected() {
    #[track_caller]
    fn check(line: &str, expected: &str) {
        let text = format!("seat ann 100\n{line}\n");
        let error = Tape::parse("a.tape", &text, &Library::embedded()).unwrap_err().to_string();
        assert_eq!(error, format!("a.tape:2: {expected}"));
    }
    check("ann plase 6 12", "there is no wager `plase 6`, did you mean `place 6`?");
    check("ann place 7 12", "there is no wager `place 7`, did you mean `place 4`?");
    check("ann pass ten", "`ten` is not an amount, expected dollars and cents such as 25 or 12.50");
    check("ann pass", "expected an amount after `pass`");
    check("ann place 6", "expected an amount after `place 6`");
    check("bob pass 10", "`bob` is neither a step nor a player who has sat down");
    check(
        "an pass 10",
        "`an` is neither a step nor a player who has sat down, did you mean `ann`?",
    );
    check("roll 3-7", "`3-7` is not a roll, expected two faces from 1 to 6 such as 3-4");
    check("roll", "expected: roll 3-4");
    check(
        "! ann pass 10 : over-limt",
        "there is no refusal `over-limt`, did you mean `over-limit`?",
    );
    check("= puck 13", "expected: puck off, or puck 6");
    check("= meter PT-X 5", "there is no meter `PT-X` on this table");
    check(
        "option put on",
        "`option` comes before the first player sits down, or after `configure`",
    );
    check("seat house 5", "a player cannot be called `house`");
    check("seat fill", "a player cannot be called `fill`");
    let seat = "expected: seat NAME, seat NAME AMOUNT, or seat NAME AMOUNT at 3";
    check("seat", seat);
    check("seat bob 5 3", seat);
    check("seat bob 5 at 25", "`25` is not a place at the rail, expected 1 to 24");
    check("seat bob at 0", "`0` is not a place at the rail, expected 1 to 24");
    let waits = "`confirm jackpots` comes before the first player sits down, or after `configure`";
    check("confirm jackpots", waits);
    check("shooter any", "`shooter` comes before the first player sits down");
    check("confirm", "expected: confirm 1");
    check("confirm 0", "`0` is not the number of a claim, expected 1 or more");
    check("deny", "expected: deny 1 REASON");
    check("return", "expected: return NAME WAGER REASON");
    check("return ann", "expected: return NAME WAGER REASON");
    check("return bob pass x", "no player `bob` has sat down");
    check("return ann pas she left", "there is no wager `pas`, did you mean `pass`?");
    check("= claims some", "expected: claims 2, or claims 0");
    check("seat held 5", "a player cannot be called `held`");
    check("fill", "expected: fill AMOUNT");
    check("credit 5 6", "expected: credit AMOUNT");
}

#[test]
fn a_header_says_what_waits() {
    let confirm = |header: &str| {
        let tape = Tape::parse("a.tape", header, &Library::embedded());
        tape.map(|tape| tape.confirm()).map_err(|error| error.to_string())
    };
    assert_eq!(confirm("seat ann 5\n"), Ok(Confirm::default()));
    let both = Confirm { jackpots: true, over: Some(Cents::dollars(5_000)) };
    assert_eq!(confirm("confirm over 5000\nconfirm jackpots\nseat ann 5\n"), Ok(both));
    let expected = "expected: confirm jackpots, or confirm over AMOUNT";
    assert_eq!(confirm("confirm 1\nseat ann 5\n"), Err(format!("a.tape:1: {expected}")));
}

#[test]
fn a_bad_header_says_what_was_expected() {
    #[track_caller]
    fn check(line: &str, expected: &str) {
        let text = format!("rules bonus-craps-nevada:PT-BJS-FUP-01\n{line}\nseat ann 5\n");
        let error = Tape::parse("a.tape", &text, &Library::embedded()).unwrap_err().to_string();
        assert_eq!(error, format!("a.tape:2: {expected}"));
    }
    check("shooter", "expected: shooter any");
    check("shooter ann", "expected: shooter any");
    let meter = "expected: meter PAYTABLE AMOUNT, or meter PAYTABLE AMOUNT fixed";
    check("meter PT-BJS-FUP-01", meter);
    check("meter PT-BJS-FUP-01 50 never", meter);
    check("meter PT-BJS-FUP-01 fixed", "`fixed` is not what a meter can show");
    check("meter PT-BJS-FUP-01 -5 fixed", "`-5` is not what a meter can show");
    let near = "there is no meter `PT-BJS-FUP-02` on this table, did you mean `PT-BJS-FUP-01`?";
    check("meter PT-BJS-FUP-02 50 fixed", near);
    let twice = "a fixed meter is set once, and `PT-BJS-FUP-01` is set twice";
    let both = "meter PT-BJS-FUP-01 50 fixed\nmeter PT-BJS-FUP-01 50";
    let error = Tape::parse(
        "a.tape",
        &format!("rules bonus-craps-nevada:PT-BJS-FUP-01\n{both}"),
        &Library::embedded(),
    );
    assert_eq!(error.unwrap_err().to_string(), format!("a.tape:3: {twice}"));
}

/// What a live table cannot follow is named, and changes neither the options nor the meters.
#[test]
fn a_tape_says_what_no_live_table_does() {
    let read = |header: &str| {
        let text = format!("rules bonus-craps-nevada:PT-BJS-FUP-01\n{header}seat ann 5\n");
        Tape::parse("a.tape", &text, &Library::embedded()).unwrap()
    };
    assert_eq!(read("meter PT-BJS-FUP-01 50\n").only_on_tape(), None);
    assert_eq!(read("shooter any\n").only_on_tape(), Some("shooter any"));
    let fixed = read("meter PT-BJS-FUP-01 50 fixed\n");
    assert_eq!(fixed.only_on_tape(), Some("meter … fixed"));
    assert_eq!(fixed.presets(), [("PT-BJS-FUP-01".to_owned(), Cents::dollars(50))]);
    assert_eq!(fixed.options(), []);
}

/// A tape can be taken apart again: what it was set up with and what is done, and nothing else.
#[test]
fn a_tape_tells_what_it_is_made_of() {
    let text = "rules bonus-craps-nevada:PT-BJS-FUP-01\noption payout-unit 1\n\
                meter PT-BJS-FUP-01 50\nseat ann 5 at 3\n! ann pass 9\n= ann 5\nann pass 5\n";
    let tape = Tape::parse("a.tape", text, &Library::embedded()).unwrap();
    assert_eq!(tape.rulebooks(), ["bonus-craps-nevada:PT-BJS-FUP-01"]);
    assert_eq!(tape.options(), [("payout-unit".to_owned(), "1".to_owned())]);
    assert_eq!(tape.presets(), [("PT-BJS-FUP-01".to_owned(), Cents::dollars(50))]);
    let count = |act: Act<'_>| match act {
        Act::Obey(commands) => commands.len(),
        Act::Configure(_) => 0,
    };
    let script: Vec<(usize, usize)> = tape.script().map(|(line, act)| (line, count(act))).collect();
    assert_eq!(script, [(4, 2), (7, 1)]);
    assert_eq!(tape.names(), ["ann"]);
    assert!(Tape::is_name("ann-2") && !Tape::is_name("bank") && !Tape::is_name("a b"));
    assert!(!Tape::is_name("") && !Tape::is_name("a#"));
}

/// In mid-tape a table goes over to other rules: what a new header says holds from there on, and
/// nothing of the old one does.
#[test]
fn a_tape_goes_over_to_other_rules() {
    let text = "rules bonus-craps-nevada:PT-BJS-FUP-01\noption field.min 5\nconfirm jackpots\n\
                seat ann 500\n! ann field 1 : under-minimum\nann fired-up 1\nann pass 5\nroll 3-4\n\
                configure\nrules bonus-craps-nevada:PT-BJS-MEA-01\nmeter PT-BJS-MEA-01 300\n\
                ann field 1\n! ann fired-up 1 : not-offered\nann make-em-all-progressive 1\n\
                = meter PT-BJS-MEA-01 300\n= meter PT-BJS-FUP-01 0\n";
    let tape = Tape::parse("a.tape", text, &Library::embedded()).unwrap();
    let played = tape.play();
    assert_eq!(played.failures, []);
    assert!(played.floor.is_conserved());
    assert_ne!(tape.rules.hash, tape.last_rules().hash);
    assert_eq!(played.floor.rules(0).hash, tape.last_rules().hash);
    let over = played.entries.iter().find_map(|entry| entry.rules.as_ref());
    assert_eq!(over.map(|rules| rules.hash), Some(tape.last_rules().hash));
    // The tape says what it was set up with each time.
    assert!(tape.setup().confirm.jackpots);
    let next = tape.script().find_map(|(line, act)| match act {
        Act::Configure(setup) => Some((line, setup.clone())),
        Act::Obey(_) => None,
    });
    let (line, next) = next.unwrap();
    assert_eq!((line, next.confirm), (9, Confirm::default()));
    assert_eq!(next.rulebooks, ["bonus-craps-nevada:PT-BJS-MEA-01"]);
    assert_eq!(next.options, []);
    assert_eq!(next.presets, [("PT-BJS-MEA-01".to_owned(), Cents::dollars(300))]);
}

/// With chips on the layout no table goes over to other rules, and the old ones stay.
#[test]
fn a_tape_waits_for_a_bare_layout_before_it_goes_over() {
    let text = "seat ann 500\nann pass 5\nconfigure\noption pass.min 10\nroll 3-4\nann pass 5\n";
    let text = format!("{text}configure\nrules bonus-craps-nevada:PT-BJS-FUP-01\n");
    let text = text + "= meter PT-BJS-FUP-01 0\n";
    let played = Tape::parse("a.tape", &text, &Library::embedded()).unwrap().play();
    let failed: Vec<usize> = played.failures.iter().map(|failure| failure.line).collect();
    assert_eq!(failed, [3, 7, 9], "{:?}", played.failures);
    assert!(played.entries.iter().all(|entry| entry.rules.is_none()));
}

#[test]
fn a_bad_change_of_rules_says_what_was_expected() {
    #[track_caller]
    fn check(lines: &str, expected: &str) {
        let text = format!("rules bonus-craps-nevada:PT-BJS-FUP-01\nseat ann 100\n{lines}\n");
        let error = Tape::parse("a.tape", &text, &Library::embedded()).unwrap_err().to_string();
        assert_eq!(error, format!("a.tape:{expected}"));
    }
    let expected = "expected: configure, and on the lines after it rules, option, meter or confirm";
    check("configure presque-isle", &format!("3: {expected}"));
    check("! configure", &format!("3: {expected}"));
    check("configure\nshooter any", "4: `shooter` comes before the first player sits down");
    check("configure\nconfirm 0", "4: `0` is not the number of a claim, expected 1 or more");
    let rules = "rules bonus-craps-nevada:PT-BJS-FUP-01";
    let running =
        "meter `PT-BJS-FUP-01` runs already: only one that begins here is set to an amount";
    check(&format!("configure\n{rules}\nmeter PT-BJS-FUP-01 5"), &format!("3: {running}"));
    let fixed = "a meter is fixed before the first player sits down";
    let next = "configure\nrules bonus-craps-nevada:PT-BJS-FUP-02\nmeter PT-BJS-FUP-02 5 fixed";
    check(next, &format!("3: {fixed}"));
    check("configure\noption field.max 0", "4: option field.max: `max` must be more than zero");
    check("seat configure 5", "3: a player cannot be called `configure`");
}

#[test]
fn every_bad_line_is_reported() {
    let text = "seat ann 100\nann pas 5\nroll 0-0\nann field 5\n= bob 5\n";
    let error = Tape::parse("a.tape", text, &Library::embedded()).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().map(|line| &line[..8]).collect();
    assert_eq!(lines, ["a.tape:2", "a.tape:3", "a.tape:5"]);
}

#[test]
fn a_failed_assertion_says_expected_and_got() {
    let text = "seat ann 100\nann pass 10\n= ann 80.00\n! ann pass 10\nann place 6 99999\n";
    let played = Tape::parse("a.tape", text, &Library::embedded()).unwrap().play();
    let told: Vec<String> = played
        .failures
        .iter()
        .map(|failure| format!("{}: {} / {}", failure.line, failure.expected, failure.got))
        .collect();
    let over = "refused, over-limit: the most here is $5000.00";
    assert_eq!(
        told,
        [
            "3: 80.00 / 90.00".to_owned(),
            "4: refused, for any reason / accepted".to_owned(),
            format!("5: accepted / {over}"),
        ]
    );
}

/// What is wrong with the rules a tape names is said with the line that names them.
#[test]
fn faults_of_rules_give_the_line_of_the_tape() {
    let library = Library::embedded();
    let check = |text: &str, expected: &str| {
        let error = Tape::parse("a.tape", text, &library).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    check("# one\nrules presque-ile\n", "a.tape:2: rules: there is no rulebook `presque-ile`");
    check(
        "rules presque-isle\nrules super-shooter:SS-X\n",
        "a.tape:2: super-shooter.toml: there is no paytable `SS-X`",
    );
    check("option payout-unit 1\noption field.max 0\n", "a.tape:2: option field.max: ");
    check("rules presque-isle\noption red on\n", "a.tape:2: option red: no rulebook");
    check("rules super-shooter\nrules super-shooter\n", "a.tape:1: rules: the rulebook");
    // Rules that come from elsewhere are not the tape's.
    let choose = |name: &str| library.choose(name);
    let rules = ["presque-ile".to_owned()];
    let error = Tape::parse_with("a.tape", "seat ann 1\n", &library, &rules, choose).unwrap_err();
    assert!(error.to_string().starts_with("rules: there is no rulebook"), "{error}");
}
