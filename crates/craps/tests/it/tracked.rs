//! Side bets whose progress the table keeps: how large their chains are, what they remember, and
//! what a rulebook may not say of them.

use craps::perft::{perft, perft_chain};
use craps::tracker::Tracker;
use craps::{Cents, Chain, Hand, Library, Rulebook, Rules, State};
use expect_test::expect_file;

use crate::{Lehmer, every_side_bet, rules_with};

/// A base game with side bets written here, after a head that all of them have.
pub(crate) fn side(wagers: &str) -> Result<Rules, String> {
    let text = format!(
        "name = \"t\"\ntitle = \"T\"\nkind = \"side\"\n[limits]\nmin = 1\nmax = 100\nunit = 1\n\
         {wagers}"
    );
    let rulebook = Rulebook::parse("t.toml", &text).map_err(|faults| faults.to_string())?;
    let library = Library::embedded().with(rulebook);
    Rules::named(&library, &["presque-isle:none", "t"]).map_err(|faults| faults.to_string())
}

#[track_caller]
fn states(rules: &Rules, wager: &str, expected: usize) {
    let chain = Chain::of_wager(rules, wager).unwrap();
    assert_eq!(chain.len(), expected, "{wager}");
}

#[test]
fn a_tracker_is_small() {
    assert_eq!(size_of::<Tracker>(), 8);
    assert!(size_of::<Hand>() <= 264, "{}", size_of::<Hand>());
}

/// All of these are known from arithmetic. A set of points and a puck make 441 for the Fire Bet,
/// less the 96 in which a point about to be made could not yet pay: to have made it already is the
/// same. Rolls of a hand make 51 times 7, of which the first has one place of the puck and the last
/// two come-outs are alike.
#[test]
fn minimal_chains_of_side_bets() {
    let rules = every_side_bet();
    states(&rules, "fire", 345);
    states(&rules, "ride-the-line", 84);
    states(&rules, "hot-shooter", 350);
    states(&rules, "replay", 14_427);
    states(&rules, "different-doubles", 63);
    for (number, times) in [(2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (8, 6), (9, 5), (12, 2)] {
        states(&rules, &format!("repeater {number}"), times);
    }
    states(&rules, "flaming-four", 15);
    states(&rules, "sizzling-six", 63);
    states(&rules, "hot-hand", 1023);
    states(&rules, "muggsys-corner", 2);
    states(&rules, "point-seven", 2);
    states(&rules, "seven-point", 2);
}

/// A chain keeps what its bet reads: neither the totals a Washington window remembers nor the
/// lammers of other wagers are in it.
#[test]
fn a_chain_keeps_only_what_its_bet_reads() {
    let names = ["presque-isle:none", "bonus-craps-washington", "fire-bet", "ride-the-line"];
    let rules = rules_with(&names, &[("re-bet", "on")]);
    states(&rules, "fire", 345);
    states(&rules, "ride-the-line", 84);
    let explored = |wager: &str| {
        let start = State::with_bet(&rules, wager, Cents::dollars(1)).unwrap();
        Chain::explore(&rules, start, |_| {}, Chain::LIMIT).unwrap().len()
    };
    assert!(explored("fire") <= 442, "{}", explored("fire"));
    assert!(explored("ride-the-line") <= 85, "{}", explored("ride-the-line"));
}

/// Tallies of every side bet, to depth 4, as a golden file.
#[test]
fn perft_of_every_side_bet() {
    let rules = every_side_bet();
    let mut text = String::from("won/lost/push/live over all sequences of 1, 2, 3 and 4 rolls\n\n");
    for spot in rules.tracked() {
        let wager = &rules.spot_rule(spot).notation;
        let start = State::with_bet(&rules, wager, Cents::dollars(20)).unwrap();
        let tallies: Vec<String> =
            (1..=4).map(|depth| perft(&rules, &start, depth).to_string()).collect();
        text += &format!("{wager:20}{}\n", tallies.join("  "));
    }
    expect_file!["../golden/perft-side.txt"].assert_eq(&text);
}

#[test]
fn direct_equals_compiled() {
    let rules = every_side_bet();
    for spot in rules.tracked() {
        let wager = &rules.spot_rule(spot).notation;
        let chain = Chain::of_wager(&rules, wager).unwrap();
        let start = State::with_bet(&rules, wager, Cents::dollars(20)).unwrap();
        for depth in 1..=4 {
            let direct = perft(&rules, &start, depth);
            assert_eq!(perft_chain(&rules, &chain, depth), direct, "{wager} to depth {depth}");
        }
    }
}

/// However a tracker got there, it can be taken apart and put together again.
#[test]
fn trackers_are_taken_apart_and_put_together() {
    let rules = every_side_bet();
    let mut dice = Lehmer(16);
    let mut state = State::default();
    let mut seen = 0;
    for _ in 0..5_000 {
        for spot in rules.tracked().collect::<Vec<_>>() {
            if state.layout.bet(spot).is_none() {
                state.put(&rules, spot, Cents::dollars(1));
            }
        }
        state.roll(&rules, dice.roll());
        for tracker in state.hand.trackers {
            let laid = tracker.laid();
            assert_eq!(Tracker::from_laid(&laid), Some(tracker), "{laid:?}");
            seen += usize::from(tracker != Tracker::default());
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn nobody_lays_lammers_like_that() {
    let laid = craps::tracker::Laid { counts: vec![8], ..Default::default() };
    assert_eq!(Tracker::from_laid(&laid), None);
    let laid = craps::tracker::Laid { places: vec![40], ..Default::default() };
    assert_eq!(Tracker::from_laid(&laid), None);
    let laid = craps::tracker::Laid { count: 3, counts: vec![1], ..Default::default() };
    assert_eq!(Tracker::from_laid(&laid), None);
}

/// What is wrong is said with the line it is wrong in.
#[track_caller]
pub(crate) fn fault(wager: &str, expected: &str) {
    match side(&format!("[wager.x]\ntitle = \"X\"\nwhen = \"idle\"\n{wager}")) {
        Ok(_) => panic!("no fault in\n{wager}"),
        Err(faults) => assert!(faults.contains(expected), "{faults}\ndoes not say\n{expected}"),
    }
}

#[test]
fn faults_of_counts() {
    let count = |rest: &str| format!("shape = \"count\"\n{rest}");
    let check = |rest: &str, expected: &str| fault(&count(rest), expected);
    check(
        "ends-on = 7\npays = \"1 to 1\"",
        "t.toml:8:1: a count needs either `marks`, each by itself",
    );
    check("marks = [2]\npays = \"1 to 1\"", "wager `x` needs `ends-on`");
    check(
        "marks = [2, \"1-1\"]\nends-on = 7\npays = \"1 to 1\"",
        "t.toml:12:13: 1-1 would be both 2 and 1-1",
    );
    check(
        "marks = [2]\nends-on = \"point-made 7\"\npays = \"1 to 1\"",
        "t.toml:13:11: the 7 made never comes",
    );
    check("marks = \"number\"\nends-on = 7\npays = \"1 to 1\"", "the number never comes");
    check(
        "marks = [2, 3]\nends-on = 7\npays = { 1 = \"1 to 1\", 3 = \"9 to 1\" }",
        "`3` is not a rung, they go from 1 to 2",
    );
    check(
        "marks = [2, 3, 4]\nends-on = 7\npays = { 1 = \"1 to 1\", 3 = \"9 to 1\" }",
        "the pay for rung 2 of 3 is missing",
    );
    check(
        "counts = \"rolls\"\nends-on = 7\npays = { \"2-5\" = \"1 to 1\", \"5+\" = \"2 to 1\" }",
        "`2-5` and `5+` are both for rung 5",
    );
    check(
        "counts = \"rolls\"\nends-on = 7\npays = { \"2-5\" = \"1 to 1\", \"7+\" = \"2 to 1\" }",
        "the pay for rung 6 is missing",
    );
    check(
        "counts = \"rolls\"\nends-on = 7\npays = { 4 = \"1 to 1\" }",
        "the pays stop at 4 but the count goes on, write \"4+\"",
    );
    check(
        "counts = \"rolls\"\nends-on = 7\npays = \"1 to 1\"",
        "pays need a line for each rung, or `times`",
    );
    check(
        "counts = \"rolls\"\ntimes = 300\nends-on = 7\npays = \"1 to 1\"",
        "expected how often it has to come, from 1 to 255",
    );
    check(
        "marks = [2, 3]\ntimes = 8\nends-on = 7\npays = \"1 to 1\"",
        "expected how often it has to come, from 1 to 7",
    );
    check(
        "counts = \"rolls\"\nends-on = 7\npays = { \"256+\" = \"1 to 1\" }",
        "`256+` is not a rung such as 4, \"8-15\" or \"51+\", up to 255",
    );
    check(
        "marks = \"points-made\"\nends-on = \"seven-out\"\npays = { 4 = { \"9+\" = \"1 to 1\" } }",
        "4 9 times is more than the 7 a tracker counts",
    );
    check(
        "marks = \"points-made\"\nends-on = \"seven-out\"\npays = { 7 = { \"3+\" = \"1 to 1\" } }",
        "7 is never marked, so its pays can never be hit",
    );
    check(
        "numbers = [2, 3]\nmarks = \"number\"\ntimes = { 2 = 2 }\nends-on = 7\npays = \"9 to 1\"",
        "`times` does not say how often 3 has to come",
    );
    check("marks = [2]\nends-on = 7\npays = \"push\"", "a wager that can only push is none");
    check(
        "marks = [2]\nends-on = [7, \"sevenout\"]\npays = \"1 to 1\"",
        "expected a total, faces like \"3-3\"",
    );
}

#[test]
fn faults_of_lists() {
    let lists = |rest: &str| format!("shape = \"sequence\"\n{rest}");
    let check = |rest: &str, expected: &str| fault(&lists(rest), expected);
    check(
        "lists = { a = [7], b = [7, \"point\"] }\npays = { a = \"1 to 1\", b = \"9 to 1\" }",
        "t.toml:12:24: `b` is never completed, `a` always is before it",
    );
    check(
        "lists = { a = [4, 7], b = [[4, 5]] }\npays = { a = \"1 to 1\", b = \"9 to 1\" }",
        "`a` is never completed, `b` always is before it",
    );
    check("lists = { a = [7] }\npays = { b = \"1 to 1\" }", "there is no pay for the list `a`");
    check(
        "lists = { a = [7] }\npays = { a = \"1 to 1\", b = \"1 to 1\" }",
        "`b` is not one of the lists, its pay can never be hit",
    );
    check("lists = { a = [] }\npays = { a = \"1 to 1\" }", "a list has 1 to 12 steps");
    check(
        "lists = { a = [\"point\", \"point\"] }\npays = { a = \"1 to 1\" }",
        "a can never be hit",
    );
    check(
        "lists = { a = [7] }\nsequences = [[7]]\npays = { a = \"1 to 1\" }",
        "either `sequences`, paid by rung, or `lists`, paid by name",
    );
}

#[test]
fn too_many_lammers_are_refused_by_name() {
    let one = |name: &str| {
        format!(
            "[wager.{name}]\ntitle = \"X\"\nwhen = \"idle\"\nshape = \"count\"\n\
             numbers = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]\nmarks = \"number\"\nends-on = 7\n\
             pays = \"1 to 1\"\n"
        )
    };
    assert!(side(&["a", "b", "c"].map(one).join("")).is_ok());
    let faults = side(&["a", "b", "c", "d"].map(one).join("")).unwrap_err();
    let expected = "the side bets need lammers on 40 spots, a table has room for 32";
    assert!(faults.contains(expected), "{faults}");
}

/// `collect` and `distinct` are counts like any other.
#[test]
fn presets_are_counts() {
    let both = "[wager.a]\ntitle = \"A\"\nwhen = \"idle\"\nshape = \"collect\"\n\
        collects = [2, 3]\nends-on = [7]\npays = \"9 to 1\"\n\
        [wager.b]\ntitle = \"B\"\nwhen = \"idle\"\nshape = \"count\"\n\
        marks = [2, 3]\nends-on = 7\npays = \"9 to 1\"\n\
        [wager.c]\ntitle = \"C\"\nwhen = \"idle\"\nshape = \"distinct\"\n\
        collects = [2, 3]\nends-on = [7]\npays = { 1 = \"1 to 1\", 2 = \"9 to 1\" }\n\
        [wager.d]\ntitle = \"D\"\nwhen = \"idle\"\nshape = \"count\"\n\
        marks = [2, 3]\nends-on = [7, \"repeat\"]\npays = { 1 = \"1 to 1\", 2 = \"9 to 1\" }\n";
    let rules = side(both).unwrap();
    let shape = |name: &str| rules.wager(rules.wager_named(name).unwrap()).shape.clone();
    assert_eq!(shape("a"), shape("b"));
    assert_eq!(shape("c"), shape("d"));
    let words = |name: &str| {
        let all = craps::catalogue(&rules);
        let entry = all.into_iter().find(|entry| entry.wager == name).unwrap();
        (entry.wins, entry.loses)
    };
    assert_eq!(words("a"), words("b"));
    assert_eq!(words("a"), ("all of 2, 3 before 7".to_owned(), "7".to_owned()));
    assert_eq!(words("c").1, "ends on 7 or a repeat");
}

/// One roll of the model, with the point before it.
type Thrown = (Option<u8>, craps::Roll);

/// How far a side bet has come over these rolls, or nothing once one has ended it: written down
/// anew from the rolls alone.
fn modelled(wager: &str, rolls: &[Thrown]) -> Option<u32> {
    let total = |roll: craps::Roll| roll.total().number();
    let seven_out = |(point, roll): &Thrown| point.is_some() && total(*roll) == 7;
    let seven = |(_, roll): &Thrown| total(*roll) == 7;
    let made = |(point, roll): &&Thrown| *point == Some(total(*roll));
    let won = |it: &&Thrown| made(it) || it.0.is_none() && [7, 11].contains(&total(it.1));
    let different = |mut all: Vec<u8>| {
        all.sort_unstable();
        all.dedup();
        all.len() as u32
    };
    let points = |rolls: &[Thrown]| {
        different(rolls.iter().filter(made).map(|(_, roll)| total(*roll)).collect())
    };
    match wager {
        "fire" if rolls.iter().any(seven_out) || points(rolls) == 6 => None,
        "fire" => Some(points(rolls)),
        "ride-the-line" | "hot-shooter" | "replay" if rolls.iter().any(seven_out) => None,
        "ride-the-line" => Some((rolls.iter().filter(won).count() as u32).min(11)),
        "hot-shooter" => Some((rolls.len() as u32).min(51)),
        "replay" => Some(points(rolls)),
        _ if rolls.iter().any(seven) => None,
        "different-doubles" => {
            let hard = rolls.iter().filter(|(_, roll)| roll.is_hard());
            Some(different(hard.map(|(_, roll)| total(*roll)).collect())).filter(|it| *it < 6)
        }
        _ => {
            let number: u8 = wager.strip_prefix("repeater ").unwrap().parse().unwrap();
            let times = [0, 0, 2, 3, 4, 5, 6, 0, 6, 5, 4, 3, 2][usize::from(number)];
            let came = rolls.iter().filter(|(_, roll)| total(*roll) == number).count() as u32;
            Some(came).filter(|came| *came < times)
        }
    }
}

/// Rolls, no-rolls, voids, corrections, passed dice and players who come and go, at random: what
/// the table keeps is what the rolls that count come to.
#[test]
fn trackers_agree_with_a_simple_model() {
    use craps::{Command, Seat, Table};
    const WAGERS: [&str; 8] = [
        "fire",
        "ride-the-line",
        "hot-shooter",
        "replay",
        "different-doubles",
        "repeater 6",
        "repeater 2",
        "repeater 9",
    ];
    let rules = every_side_bet();
    let (sam, ann) = (Seat(0), Seat(1));
    let mut dice = Lehmer(2026);
    let mut table = Table::open(&rules);
    let obey = |table: &mut Table, command: Command| table.obey(&rules, &command);
    for (seat, name) in [(sam, "sam"), (ann, "ann")] {
        obey(&mut table, Command::Sit { seat, name: name.into() }).unwrap();
        let amount = Cents::dollars(1_000_000);
        obey(&mut table, Command::buy_in(seat, amount)).unwrap();
    }
    let mut rolls: Vec<Thrown> = Vec::new();
    let mut starts: [Option<usize>; WAGERS.len()] = [None; WAGERS.len()];
    // Bets made since the last roll are undone with it.
    let mut before_roll = starts;
    let (mut bets, mut voids, mut passes, mut refused) = (0, 0, 0, 0);
    for _ in 0..30_000 {
        let point = table.hand().puck.point().map(craps::Total::number);
        match dice.next() % 8 {
            0 => {
                let which = dice.next() as usize % WAGERS.len();
                let put =
                    |seat| Command::Put { seat, wager: WAGERS[which].into(), amount: Cents(100) };
                let begun = rolls
                    .iter()
                    .rev()
                    .take_while(|(point, roll)| point.is_none() || roll.total().number() != 7);
                let new_shooter = begun.count() == 0;
                let up = starts[which].and_then(|start| modelled(WAGERS[which], &rolls[start..]));
                let riding = up.is_some() && starts[which].is_some_and(|at| at < rolls.len());
                let open = !riding && (which > 3 || new_shooter);
                let answer = obey(&mut table, put(ann));
                assert_eq!(answer.is_ok(), open, "{}: {answer:?}", WAGERS[which]);
                if open {
                    starts[which] = Some(rolls.len());
                    bets += 1;
                } else {
                    refused += 1;
                }
            }
            1 => {
                let (rack, name) = (table.rack(sam), "sam".to_owned());
                // Whoever leaves takes no roll with them that they did not bet on.
                if obey(&mut table, Command::leave(sam)).is_ok() {
                    obey(&mut table, Command::Sit { seat: sam, name }).unwrap();
                    obey(&mut table, Command::buy_in(sam, rack)).unwrap();
                }
            }
            2 => passes += usize::from(obey(&mut table, Command::PassDice).is_ok()),
            3 => {
                let reason = "a die hit the rail".to_owned();
                if obey(&mut table, Command::Void { reason }).is_ok() {
                    rolls.pop();
                    starts = before_roll;
                    voids += 1;
                }
            }
            4 => {
                let (roll, reason) = (dice.roll(), "misread".to_owned());
                if obey(&mut table, Command::Correct { roll, reason }).is_ok() {
                    let (point, _) = rolls.pop().unwrap();
                    rolls.push((point, roll));
                    starts = before_roll;
                    voids += 1;
                }
            }
            _ => {
                let line =
                    |seat| Command::Put { seat, wager: "dont-pass".into(), amount: Cents(100) };
                if point.is_none() && obey(&mut table, Command::CloseBetting).is_err() {
                    let _ = obey(&mut table, line(sam)).or_else(|_| obey(&mut table, line(ann)));
                }
                let closed = obey(&mut table, Command::CloseBetting);
                if closed.is_err() && table.is_betting_open() {
                    continue;
                }
                if dice.next().is_multiple_of(5) {
                    obey(&mut table, Command::NoRoll).unwrap();
                } else {
                    let roll = dice.roll();
                    obey(&mut table, Command::Roll { roll }).unwrap();
                    rolls.push((point, roll));
                    before_roll = starts;
                }
            }
        }
        for (wager, start) in WAGERS.iter().zip(&starts) {
            let spot = rules.spot(wager).unwrap();
            let expected =
                start.and_then(|start| modelled(wager, &rolls[start.min(rolls.len())..]));
            let up = table.player(ann).unwrap().layout.bet(spot).is_some();
            assert_eq!(up, expected.is_some(), "{wager}");
            let tracker = table.hand().trackers[rules.tracker_at(spot).unwrap()];
            let count = craps::catalogue::progress(&rules, spot, tracker).count;
            assert_eq!(count, expected.unwrap_or(0), "{wager}");
        }
    }
    assert!(bets > 500 && voids > 500 && passes > 500 && refused > 500);
}

/// What `check`, the felt and the books say of a count.
#[test]
fn counts_in_words() {
    #[track_caller]
    fn check(keys: &str, wins: &str, loses: &str) {
        let wager = format!(
            "[wager.w]\ntitle = \"W\"\nshape = \"count\"\nwhen = \"come-out-idle\"\n{keys}"
        );
        let rules = side(&wager).unwrap_or_else(|faults| panic!("{faults}"));
        let entry = craps::catalogue(&rules).into_iter().find(|entry| entry.wager == "w").unwrap();
        assert_eq!((entry.wins.as_str(), entry.loses.as_str()), (wins, loses));
    }
    let ladder = "pays = { 1 = \"1 to 1\", 2 = \"2 to 1\" }";
    check("marks = [4, 6]\nends-on = 7\npays = \"1 to 1\"", "all of 4, 6 before 7", "7");
    check(
        &format!("marks = [4, 6]\nends-on = 7\n{ladder}"),
        "different ones of 4, 6 before 7",
        "ends on 7",
    );
    check(
        "marks = [4, 6]\ntimes = 2\nends-on = 7\npays = \"1 to 1\"",
        "each of 4, 6 twice before 7",
        "7",
    );
    check(
        &format!("marks = [4, 6]\ntimes = 3\nends-on = 7\n{ladder}"),
        "how many of 4, 6 come 3 times before 7",
        "ends on 7",
    );
    check(
        &format!("counts = [4, 6]\ntimes = 2\nends-on = 7\n{ladder}"),
        "how often 4, 6 comes before 7",
        "ends on 7",
    );
    check("marks = 6\ntimes = 1\nends-on = 7\npays = \"1 to 1\"", "6 once before 7", "7");
    check(
        "numbers = [4, 6]\nmarks = \"number\"\ntimes = { 4 = 2, 6 = 3 }\nends-on = 7\n\
         pays = { 4 = \"9 to 1\", 6 = \"8 to 1\" }",
        "the number often enough (4: twice, 6: 3 times) before 7",
        "7",
    );
    check(
        "counts = \"line-wins\"\nends-on = \"seven-out\"\npays = { \"2+\" = \"1 to 1\" }",
        "as many line wins as come before a seven-out",
        "ends on a seven-out",
    );
    check(
        "counts = \"rolls\"\nends-on = \"seven-out\"\npays = { \"9+\" = \"1 to 1\" }",
        "as many rolls as come up to a seven-out, which counts too",
        "ends on a seven-out",
    );
    check(
        "counts = \"line-wins\"\ntimes = 4\nends-on = \"seven-out\"\npays = \"9 to 1\"",
        "4 line wins before a seven-out",
        "a seven-out",
    );
    check(
        "marks = \"points-made\"\nends-on = \"seven-out\"\npays = \"200 to 1\"",
        "every point made before a seven-out",
        "a seven-out",
    );
    check(
        "marks = \"points-made\"\nends-on = \"seven-out\"\npays = { 4 = { \"3+\" = \"9 to 1\" } }",
        "how often the same point is made before a seven-out, the best award only",
        "ends on a seven-out",
    );
}

/// A fault says what is at its bottom, and a ladder may be as high as a count.
#[test]
fn faults_of_ladders_and_pays() {
    let count = |keys: &str| {
        side(&format!("[wager.w]\ntitle = \"W\"\nshape = \"count\"\nwhen = \"idle\"\n{keys}"))
    };
    let rungs = |top: u16| {
        let pays: Vec<String> = (250..=top).map(|rung| format!("{rung} = \"1 to 1\"")).collect();
        let pays = pays.join(", ");
        count(&format!("counts = 6\ntimes = {top}\nends-on = 7\npays = {{ {pays} }}"))
    };
    for top in 253..=255 {
        assert!(rungs(top).is_ok(), "{top}: {:?}", rungs(top).err());
    }
    let fault = count("marks = 6\nends-on = 7\npays = \"999999 to 1\"").unwrap_err();
    assert!(
        fault.contains("`999999 to 1` is more than a pay can be, up to 100000 to 1"),
        "{fault}"
    );
    let times = "marks = [6, 8]\ntimes = { 6 = 2, 8 = 3 }\nends-on = 7\npays = \"9 to 1\"";
    let fault = count(times).unwrap_err();
    assert!(fault.contains("for a wager with `numbers`"), "{fault}");
    let names = ["crapless:none", "fire-bet"];
    let fault = Rules::named(&Library::embedded(), &names).unwrap_err().to_string();
    let told =
        "fire-bet.toml:34:28: FIRE-25-250-1000: its pays are for 6 points and this game has 10";
    assert!(fault.contains(told), "{fault}");
}
