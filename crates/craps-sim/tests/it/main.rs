//! What the simulator comes to, in every way it can be run.

mod day;
mod dice;
mod exact;
mod gpu;
mod kernels;
mod naive;
mod paths;
mod rail;
mod shown;
mod statistics;

use std::sync::Arc;

use craps::machine::{Explored, explore};
use craps::{Cents, Library, Rulebook, Rules};
use craps_plan::{Memory, Plan};

/// A plan and the table it is played at, with winnings in whole dollars.
struct Seated {
    plan: Plan,
    rules: Arc<Rules>,
    meters: Vec<Cents>,
    explored: Explored<Memory>,
}

fn seated(name: &str, text: &str) -> Seated {
    let (plan, rules, meters) = sat_down(name, text);
    let explored = explore(&rules, &plan, &meters, 200_000).ok().unwrap();
    Seated { plan, rules, meters, explored }
}

/// The same before it is explored.
fn sat_down(name: &str, text: &str) -> (Plan, Arc<Rules>, Vec<Cents>) {
    let plan = Plan::parse(name, text, &[]).unwrap();
    let library = Library::embedded();
    let header = plan.header();
    let mut options = vec![("payout-unit".to_owned(), "1.00".to_owned())];
    for option in &header.options {
        let (name, value) = option.split_once('=').unwrap();
        options.push((name.to_owned(), value.to_owned()));
    }
    let chosen = header.rules.iter().map(|name| library.choose(name).unwrap()).collect();
    let rules = Rules::compile(&library, &library.over_base(chosen), &options).unwrap();
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    (plan, Arc::new(rules), meters)
}

/// Side bets with envy under a small cap for the hand, a progressive, and one that is won often.
fn party_rules() -> Arc<Rules> {
    const OFTEN: &str = r#"
        name = "often"
        title = "Eight then six"
        kind = "side"
        default-paytables = ["OFTEN"]
        [limits]
        min = 1
        max = 100
        unit = 1
        [wager.often]
        title = "Often"
        shape = "sequence"
        when = "idle"
        base = 1
        [wager.often.meter]
        seed = 20
        increment = "12.3456%"
        reserve = "5%"
        ceiling = "none"
        winners = "share"
        [paytable.OFTEN.often]
        sequences = [[8, 6]]
        pays = { 2 = "100%", 1 = "$1" }
        envy = { 2 = "$3" }
    "#;
    let library = Library::embedded().with(Rulebook::parse("often.toml", OFTEN).unwrap());
    let chosen = ["bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03", "often"];
    let chosen = chosen.iter().map(|name| library.choose(name).unwrap()).collect();
    let options = [
        ("aggregate-cap", "100"),
        ("aggregate-cap-per", "hand"),
        ("make-em-all-progressive.meter.seed", "1000"),
        ("make-em-all-progressive.meter.increment", "15%"),
    ];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    Arc::new(Rules::compile(&library, &library.over_base(chosen), &options).unwrap())
}

/// The plans of a table where much happens.
fn party_plans() -> Vec<Plan> {
    let own = |name: &str, text: &str| Plan::parse(name, text, &[]).unwrap();
    let ready = |name: &str| own(name, craps_plan::ready(name).unwrap());
    vec![
        ready("small-tall-all"),
        own(
            "often",
            "want(\"often\", 1); want(\"make-em-all-progressive\", 1); want(\"dont-pass\", 10);
             if rolled == 4 { take(\"often\"); }",
        ),
        ready("iron-cross"),
        ready("martingale"),
        own(
            "joins",
            "remember had = 0; had = if had > 30 { 0 } else { had + 1 };
             want(\"often\", if had > 15 { 1 } else { 0 });
             if puck == 6 || won(\"often\") >= 20 { want(\"all-tall\", 25); }
             want(\"pass\", 5); if bankroll >= 150 { odds(2); }",
        ),
    ]
}

/// Who sits down, by plan and bankroll.
fn party() -> [(usize, Cents); 7] {
    let seats = [(0, 300), (1, 200), (2, 250), (0, 120), (3, 100), (4, 100), (1, 40)];
    seats.map(|(plan, bankroll)| (plan, Cents::dollars(bankroll)))
}
