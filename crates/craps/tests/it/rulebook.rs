//! Rulebooks are data: what they say is what is paid, and what is wrong with them is said at once.

use craps::{Account, Cents, Library, Puck, Rulebook, Rules, Seat, State, Total};

pub(crate) const PRESQUE_ISLE: &str = include_str!("../../../../rulebooks/presque-isle.toml");
const NEVADA: &str = include_str!("../../../../rulebooks/bonus-craps-nevada.toml");

/// The faults of a rulebook with some of its text replaced.
#[track_caller]
fn faults(text: &str, changes: &[(&str, &str)]) -> Vec<String> {
    let mut text = text.to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replacen(from, to, 1);
    }
    match Rulebook::parse("house.toml", &text) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.0.iter().map(ToString::to_string).collect(),
    }
}

#[track_caller]
pub(crate) fn check(text: &str, from: &str, to: &str, expected: &str) {
    let found = faults(text, &[(from, to)]);
    let reasons: Vec<&str> =
        found.iter().map(|fault| fault.splitn(4, ':').last().unwrap_or_default().trim()).collect();
    assert_eq!(reasons, [expected], "{found:?}");
    let place = found[0].split(':').nth(1).unwrap();
    assert!(place.parse::<usize>().is_ok_and(|line| line >= 1), "no line in {}", found[0]);
}

#[test]
fn the_embedded_rulebooks_have_no_faults() {
    let library = Library::embedded();
    let names: Vec<&str> = library.rulebooks().iter().map(|book| book.name.as_str()).collect();
    let expected = [
        "presque-isle",
        "vegas-strip",
        "bonus-craps-nevada",
        "bonus-craps-washington",
        "super-shooter",
        "low-high-dice",
        "crapless",
    ];
    assert_eq!(names[..7], expected);
    let tables = |name: &str| library.rulebook(name).unwrap().paytables.len();
    assert_eq!(expected.map(tables), [0, 0, 13, 4, 5, 0, 2]);
    let side = [
        ("fire-bet", 5),
        ("repeater", 2),
        ("hot-hand", 1),
        ("different-doubles", 1),
        ("ride-the-line", 7),
        ("replay", 1),
        ("hot-shooter", 1),
        ("muggsys-corner", 1),
        ("point-seven", 1),
    ];
    assert_eq!(side.map(|(name, _)| tables(name)), side.map(|(_, count)| count));
}

/// What comes to the rack of a bet under a rulebook's text, with a point of 6 on.
fn paid(text: &str, wager: &str, dollars: i64, roll: &str) -> Cents {
    let library = Library::embedded();
    let rulebook = Rulebook::parse("house.toml", text).unwrap();
    let chosen = craps::rules::Chosen { rulebook, paytables: None };
    let rules = Rules::compile(&library, &[chosen], &[]).unwrap();
    let spot = rules.spot(wager).unwrap();
    let mut state = State::default();
    state.hand.puck = Puck::On(Total::new(6).unwrap());
    state.put(&rules, spot, Cents::dollars(dollars));
    let settlement = state.roll(&rules, roll.parse().unwrap());
    settlement.postings.gain(Account::Rack(Seat(0)))
}

#[test]
fn editing_a_pay_changes_what_is_paid() {
    let place_four = |text: &str| paid(text, "place 4", 10, "1-3");
    assert_eq!(place_four(PRESQUE_ISLE), Cents::dollars(18));
    assert_eq!(place_four(&PRESQUE_ISLE.replace("9 to 5", "2 to 1")), Cents::dollars(20));
}

/// A pay "for 1" has the wager in it: five for one is as much as four to one.
#[test]
fn a_pay_for_one_keeps_the_wager() {
    let for_one = PRESQUE_ISLE.replace("\"4 to 1\"", "\"5 for 1\"");
    assert_ne!(for_one, PRESQUE_ISLE);
    for text in [PRESQUE_ISLE, &for_one] {
        assert_eq!(paid(text, "any-seven", 10, "3-4"), Cents::dollars(50));
    }
}

/// A horn of 8 dollars has 2 on each number: the 2 on eleven win 31 and come back, 6 are lost.
#[test]
fn a_split_bet_may_pay_any_ratio() {
    let text = PRESQUE_ISLE.replace("11 = \"15 to 1\"", "11 = \"31 to 2\"");
    assert_eq!(paid(&text, "horn", 8, "5-6"), Cents::dollars(31 + 2));
}

#[test]
fn five_mistakes_are_five_faults() {
    let found = faults(
        PRESQUE_ISLE,
        &[
            ("payout-unit = 0.01", "payout-unit = 0"),
            ("10 = \"9 to 5\" }", "10 = \"9 by 5\" }"),
            ("loses = [7, \"easy\"]", "loses = [7, \"number\"]"),
            ("title = \"Field\"", "titel = \"Field\""),
            ("wins = [11]", "wins = [13]"),
        ],
    );
    let line = |text: &str| PRESQUE_ISLE.lines().position(|line| line.contains(text)).unwrap() + 1;
    let expected = [
        (line("payout-unit = 0.01"), "`payout-unit` must be more than zero"),
        (
            line("10 = \"9 to 5\""),
            "`9 by 5` is not a pay, expected a ratio such as 9 to 5 or 5 for 1",
        ),
        (line("4 = \"7 to 1\""), "hard 4 would both win and lose on 2-2: the sets overlap"),
        (line("title = \"Field\""), "wager `field` has no key `titel`, did you mean `title`?"),
        (line("wins = [11]"), "expected a total of two dice, 2 to 12"),
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (fault, (line, reason)) in found.iter().zip(expected) {
        assert!(fault.starts_with(&format!("house.toml:{line}:")), "{line} {fault}");
        assert!(fault.ends_with(reason), "{reason} {fault}");
    }
}

#[test]
fn an_unknown_shape_is_one_fault() {
    let found = faults(
        PRESQUE_ISLE,
        &[("shape = \"race\"\nnumbers = [4, 6", "shape = \"rase\"\nnumbers = [4, 6")],
    );
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].ends_with("did you mean `race`?"), "{found:#?}");
}

/// Lists that say something twice, or nothing, are slips that would play as something else.
#[test]
fn a_list_says_each_thing_once_and_something() {
    let p = PRESQUE_ISLE;
    check(p, "collects = [2, 3, 4, 5, 6]", "collects = [2, 2]", "2 is listed twice");
    check(p, "loses = [7, \"easy\"]", "loses = [7, \"easy\", 7]", "7 is listed twice");
    check(
        p,
        "wins = [\"hard\"]",
        "wins = [\"hard\", \"hard\"]",
        "the number the hard way is listed twice",
    );
    check(p, "loses = [7, \"easy\"]", "loses = []", "`loses` names nothing");
    check(p, "collects = [2, 3, 4, 5, 6]", "collects = []", "`collects` names nothing");
    check(p, "ends-on = [7]", "ends-on = []", "`ends-on` names nothing");
}

#[test]
fn no_wager_is_called_like_a_word_of_the_tape() {
    for word in ["take", "by", "on", "off", "house", "odds", "leave", "buy-in", "cash-out"] {
        let wager = format!("[wager.{word}]");
        let reason = format!("`{word}` is a word that tapes say about bets, no wager's name");
        check(PRESQUE_ISLE, "[wager.field]", &wager, &reason);
    }
}

#[test]
fn a_rulebook_is_named_once() {
    let library = Library::embedded();
    for names in [["super-shooter", "super-shooter"], ["super-shooter", "super-shooter:none"]] {
        let names = ["presque-isle", names[0], names[1]];
        let faults = Rules::named(&library, &names).unwrap_err().to_string();
        assert!(faults.contains("the rulebook `super-shooter` is named twice"), "{faults}");
    }
}

#[test]
fn each_fault_has_its_reason() {
    let p = PRESQUE_ISLE;
    check(p, "name = \"presque-isle\"\n", "", "the rulebook needs `name`");
    check(
        p,
        "kind = \"base\"",
        "kind = \"bass\"",
        "`kind` must be one of `base`, `side`, did you mean `base`?",
    );
    check(
        p,
        "[wager.lay.commission]\nrate = \"5%\"",
        "[wager.lay.commission]\nrate = \"5\"",
        "`5` is not a share, expected a percentage such as 2.5%",
    );
    check(
        p,
        "bar = \"@bar\"",
        "bar = \"@barr\"",
        "there is no option `barr` in [options], did you mean `bar`?",
    );
    check(p, "bar = 12", "bar = 7", "the bar must be a total that would win (2 3 12), 7 is not");
    check(
        p,
        "odds-multiples = \"3-4-5x\"",
        "odds-multiples = \"3-4x\"",
        "expected one multiple such as \"2x\", or 3 such as \"3-4-5x\" or \"2-2-2.5x\" from \
         the outermost numbers in",
    );
    check(
        p,
        "odds-multiples = \"3-4-5x\"",
        "odds-multiples = \"2-2-2.555x\"",
        "expected one multiple such as \"2x\", or 3 such as \"3-4-5x\" or \"2-2-2.5x\" from \
         the outermost numbers in",
    );
    check(
        p,
        "behind = \"pass\"",
        "behind = \"past\"",
        "there is no line wager `past` to stand behind, did you mean `pass`?",
    );
    check(p, "unit = 4", "unit = 0", "`unit` must be more than zero");
    check(
        p,
        "unit = 5\n",
        "unit = 6000\n",
        "no bet fits: minimum 1.00, maximum 5000.00, unit 6000.00",
    );
    check(p, "wins = [7]\npays = \"4 to 1\"", "pays = \"4 to 1\"", "any-seven can never win");
    check(p, "3 = \"1 to 1\", 4", "14 = \"1 to 1\", 4", "`14` is not a total of two dice");
    check(
        p,
        "split = { 2 = \"30 to 1\"",
        "split = { 2 = \"2 to 1\"",
        "`2` at 2 to 1 does not cover the 3 parts that lose",
    );
    check(p, "points = [4, 5", "points = [7, 4, 5", "seven cannot be a point");
    check(p, "put = false", "put = 3", "`put` must be true or false, this is a number");
    check(p, "ends-on = [7]", "ends-on = [6, 7]", "6 cannot both be collected and end the wager");
    check(
        p,
        "loses = [2, 3, 12]",
        "loses = [2, 3]",
        "a first roll of 12 neither wins, loses nor sets a point",
    );
    let n = NEVADA;
    check(n, "8 = \"$50\", 7", "7", "the pay for rung 8 of 10 is missing");
    check(
        n,
        "pays = { 10 = \"100%\"",
        "pays = { 11 = \"$5\", 10 = \"100%\"",
        "`11` is not a rung, they go from 1 to 10",
    );
    check(
        n,
        "envy = { 10 = \"$1,000\", 9 = \"$200\" }",
        "envy = { 4 = \"$200\" }",
        "envy `$200` is for rung 4, which pays nothing",
    );
    check(
        n,
        "envy = { 10 = \"$1,000\", 9 = \"$200\" }",
        "envy = { 9 = \"lots\" }",
        "`lots` is not an envy, expected 5x, $200 or \"$50 each\"",
    );
    check(
        n,
        "10 = \"100%\"",
        "10 = \"50%\"",
        "`50%`: an award takes 100% of the meter or a fixed amount",
    );
    check(
        n,
        "sequences = [[6, 5, 4, 3, 2], [8,",
        "sequences = [[8, 9, 10], [8,",
        "list 2 is never completed, list 1 always is before it",
    );
    check(
        n,
        "[paytable.PT-FLT-BC-03]\nall-small",
        "[paytable.PT-FLT-BC-03]\nall-smal",
        "there is no wager `all-smal`, did you mean `all-small`?",
    );
    check(
        n,
        "default-paytables = [\"PT-FLT-BC-03\"]",
        "default-paytables = [\"PT-FLT-BC-3\"]",
        "there is no paytable `PT-FLT-BC-3`, did you mean `PT-FLT-BC-03`?",
    );
    check(
        n,
        "increment = \"0%\"\nreserve = \"0%\"",
        "increment = \"60%\"\nreserve = \"60%\"",
        "increment 60% and reserve 60% are more than the wager",
    );
    check(
        n,
        "progressive-board = \"own\"",
        "progressive-board = \"own\"\nspare = 1",
        "option `spare` is not used by any wager",
    );
}

/// Several mistakes in one wager, in wagers without pays, and in a paytable are all told.
#[test]
fn no_fault_hides_another() {
    let found = faults(
        NEVADA,
        &[
            ("title = \"All Small\"", "titel = \"All Small\""),
            ("when = \"idle\"", "when = \"idel\""),
            ("8 = \"$50\", 7 = \"$10\"", "7 = \"$10\""),
            ("envy = { 10 = \"$1,000\", 9 = \"$200\" }", "envi = { 10 = \"$1,000\" }"),
            ("make-em-all = { pays = \"150 to 1\", envy = \"5x\" }", ""),
            ("ceiling = \"none\"", "ceiling = 0"),
        ],
    );
    assert_eq!(found.len(), 6, "{found:#?}");
}

#[test]
fn rulebooks_that_would_mispay_are_refused() {
    let p = PRESQUE_ISLE;
    check(p, "numbers = [2, 3, 11, 12]\nsplit", "split", "wager `horn-high` has no key `high`");
    check(
        p,
        "title = \"Field\"",
        "title = \"Field\"\nenvy = { 99 = \"$5\" }",
        "wager `field` has no key `envy`",
    );
    check(
        p,
        "unit = 4",
        "unit = 4\nmin = 5\nmax = 7",
        "no bet fits: minimum 5.00, maximum 7.00, unit 4.00",
    );
    check(
        p,
        "come-out = \"off\"\ncallable",
        "come-out = \"off\"\nincrease = true\ncallable",
        "wager `odds come` has no key `increase`",
    );
    check(
        NEVADA,
        "[wager.fired-up.meter]",
        "[wager.bare]\ntitle = \"Bare\"\nshape = \"sequence\"\nwhen = \"idle\"\n\
         pays = \"5 to 1\"\n\n[wager.fired-up.meter]",
        "there is no sequence to follow",
    );
    check(
        NEVADA,
        "base-unit = 1",
        "base-unit = 200000000",
        "the base wager must be more than zero, at most 100000000.00",
    );
    no_rules(
        &["presque-isle:PT-BJS-MEA-01"],
        &[],
        "presque-isle.toml: paytable PT-BJS-MEA-01 prices no wager of presque-isle",
    );
    no_rules(
        &["presque-isle", "bonus-craps-nevada:PT-BJS-MEA-01"],
        &[("base-unit", "1000000"), ("make-em-all-progressive.meter.seed", "10000000000")],
        "option make-em-all-progressive.meter.seed: a seed of 10000000000.00 a dollar is too much \
         for a base of 1000000.00",
    );
}

#[test]
fn options_are_set_together() {
    let options = [("field.min", "6000"), ("field.max", "10000")];
    let rules = Rules::with_options(&Library::embedded(), &["presque-isle"], &options).unwrap();
    let field = rules.wager(rules.wager_named("field").unwrap());
    assert_eq!(field.limits.max, Some(Cents::dollars(10_000)));
}

/// A cap belongs to the rulebook whose wagers it limits, and goes with them.
#[test]
fn the_cap_of_a_replaced_wager_is_gone() {
    let library = Library::embedded();
    let capped = Rulebook::parse(
        "house.toml",
        &PRESQUE_ISLE.replace("aggregate-cap = \"none\"", "aggregate-cap = 100"),
    );
    let mut chosen = vec![craps::rules::Chosen { rulebook: capped.unwrap(), paytables: None }];
    let alone = Rules::compile(&library, &chosen, &[]).unwrap();
    assert_eq!(alone.cap.map(|cap| cap.amount), Some(Cents::dollars(100)));
    chosen.push(library.choose("bonus-craps-washington").unwrap());
    let replaced = Rules::compile(&library, &chosen, &[]).unwrap();
    assert_eq!(replaced.cap, None);
}

#[test]
fn broken_toml_is_a_fault_with_a_line() {
    let found = faults("name = \"x\"\ntitle = \n", &[]);
    assert!(found[0].starts_with("house.toml:2:"), "{found:?}");
}

#[track_caller]
fn no_rules(names: &[&str], options: &[(&str, &str)], expected: &str) {
    let faults = Rules::with_options(&Library::embedded(), names, options).unwrap_err();
    assert_eq!(faults.to_string(), expected);
}

#[test]
fn rulebooks_that_do_not_go_together() {
    no_rules(&["super-shooter"], &[], "rules: no base game, add one such as presque-isle");
    no_rules(
        &["presque-isle", "presque-isle"],
        &[],
        "rules: a table has one base game, these name two",
    );
    let library = Library::embedded();
    let names: Vec<&str> = library.rulebooks().iter().map(|book| book.name.as_str()).collect();
    let known = names.join(", ");
    no_rules(
        &["presque-ile"],
        &[],
        &format!(
            "rules: there is no rulebook `presque-ile`, did you mean `presque-isle`? (there are: \
             {known})"
        ),
    );
    no_rules(
        &["presque-isle", "bonus-craps-nevada:PT-BJS-MEA-01,PT-BJS-MEA-02"],
        &[],
        "bonus-craps-nevada.toml: PT-BJS-MEA-01 and PT-BJS-MEA-02 both price \
         `make-em-all-progressive`, choose one",
    );
    no_rules(
        &["presque-isle:SS-LB-1"],
        &[],
        "presque-isle.toml: there is no paytable `SS-LB-1` for presque-isle",
    );
    no_rules(
        &["presque-isle"],
        &[("payout-units", "1")],
        "option payout-units: no rulebook on the table has the option `payout-units`, did you mean \
         `payout-unit`?",
    );
    no_rules(
        &["presque-isle"],
        &[("hard.come-ot", "off")],
        "option hard.come-ot: wager `hard` has no key `come-ot`, did you mean `come-out`?",
    );
    no_rules(
        &["presque-isle"],
        &[("pass.offered", "off")],
        "rules: `odds pass` is offered but `pass` is not",
    );
}

#[test]
fn the_hash_follows_text_paytables_and_options() {
    let library = Library::embedded();
    let hash = |names: &[&str], options: &[(&str, &str)]| {
        Rules::with_options(&library, names, options).unwrap().hash
    };
    let plain = hash(&["presque-isle"], &[]);
    assert_eq!(plain, hash(&["presque-isle"], &[]));
    assert_ne!(plain, hash(&["presque-isle:WA-BC-2"], &[]));
    assert_ne!(plain, hash(&["presque-isle"], &[("put", "on")]));
    assert_ne!(plain, hash(&["presque-isle", "super-shooter"], &[]));
}

/// A made-up house with a made-up wager of every shape: nothing is known by name.
#[test]
fn a_house_of_its_own_making() {
    let text = r#"
        name = "crapless"
        title = "No craps"
        kind = "base"
        points = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12]
        [limits]
        min = 1
        max = 100
        unit = 1
        [wager.easy-line]
        title = "Easy Line"
        shape = "line"
        side = "right"
        wins = [7]
        loses = []
        pays = "1 to 1"
        when = "come-out"
        take = "until-set"
        [wager.hop]
        title = "Hop"
        shape = "one-roll"
        pays = { "2-2" = "30 to 1", "1-3" = "15 to 1" }
        [wager.edges]
        title = "Edges"
        shape = "collect"
        collects = [2, 3, 11, 12]
        ends-on = [7]
        when = "idle"
        pays = { 4 = "70 to 1", 3 = "2 for 1" }
    "#;
    let library = Library::embedded();
    let rulebook = Rulebook::parse("crapless.toml", text).unwrap();
    let chosen = craps::rules::Chosen { rulebook, paytables: None };
    let rules = Rules::compile(&library, &[chosen], &[]).unwrap();
    let chain = craps::Chain::of_wager(&rules, "easy-line").unwrap();
    assert_eq!(chain.len(), 11);
    let tally = |wager: &str, depth| {
        let start = craps::State::with_bet(&rules, wager, Cents::dollars(1)).unwrap();
        craps::perft::perft(&rules, &start, depth).to_string()
    };
    assert_eq!(tally("easy-line", 1), "6/0/0/30");
    assert_eq!(tally("hop", 1), "3/33/0/0");
    // Ways to roll three of four edges and then a seven, in four rolls, and all four edges.
    let three = 6 * 6 * (2 * 2 + 2 + 2 + 2 * 2) / 6 * 6;
    let all = 24 * 2 * 2;
    let won: u128 = tally("edges", 4).split('/').next().unwrap().parse().unwrap();
    assert_eq!(won, (three + all) as u128);
}
