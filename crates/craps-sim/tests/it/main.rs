//! What the simulator comes to, in every way it can be run.

mod dice;
mod gpu;
mod kernels;
mod naive;
mod statistics;

use std::sync::Arc;

use craps::machine::{Explored, explore};
use craps::{Cents, Library, Rules};
use craps_plan::{Memory, Plan};

/// A plan and the table it is played at, with winnings in whole dollars.
struct Seated {
    plan: Plan,
    rules: Arc<Rules>,
    meters: Vec<Cents>,
    explored: Explored<Memory>,
}

fn seated(name: &str, text: &str) -> Seated {
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
    let rules = Arc::new(rules);
    let explored = explore(&rules, &plan, &meters, 200_000).ok().unwrap();
    Seated { plan, rules, meters, explored }
}
