//! Plans as they are written, and what is said about those that cannot be played.

use std::sync::Arc;

use craps::machine::{Explored, Unexplored, explore};
use craps::{Cents, Library, Rules};
use craps_plan::{Memory, Plan, READY, situation};
use expect_test::{Expect, expect};

fn rules(names: &[&str]) -> Arc<Rules> {
    Arc::new(Rules::named(&Library::embedded(), names).unwrap())
}

fn explored(rules: &Arc<Rules>, source: &str) -> Result<Explored<Memory>, String> {
    let plan = Plan::parse("plan", source, &[]).map_err(|fault| fault.to_string())?;
    explored_plan(rules, &plan)
}

fn explored_plan(rules: &Arc<Rules>, plan: &Plan) -> Result<Explored<Memory>, String> {
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    explore(rules, plan, &meters, 200_000).map_err(|unexplored| match unexplored {
        Unexplored::Fault(position, fault) => {
            fault.with_situation(situation(rules, &position.table)).to_string()
        }
        Unexplored::TooMany(positions) => format!("more than {} positions", positions.len()),
    })
}

#[track_caller]
fn positions(source: &str, count: usize) {
    let explored = explored(&rules(&["presque-isle"]), source);
    let explored = explored.unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(explored.machine.len(), count);
}

#[track_caller]
fn says(source: &str, expected: Expect) {
    let fault = explored(&rules(&["presque-isle"]), source).err();
    expected.assert_eq(&fault.unwrap_or_else(|| "no fault".to_owned()));
}

#[test]
fn plans_have_as_many_positions_as_measured_before() {
    positions(include_str!("../../../../plans/three-point-molly.rhai"), 1_255);
    positions(include_str!("../../../../plans/martingale.rhai"), 49);
    positions(include_str!("../../../../plans/iron-cross.rhai"), 221);
}

#[test]
fn what_the_house_does_not_offer() {
    says("want(\"plase 6\", 12);", expect![[""]]);
    says("want(\"place\", 12);", expect![[""]]);
    says("if puck == 6 {\n  want(\"place 8\", 7);\n}", expect![[""]]);
    says("want(\"come 6\", 10);", expect![[""]]);
    says("want(\"pass\", -5);", expect![[""]]);
    says("want(\"pass\", 10.005);", expect![[""]]);
    says("want(\"pass\", \"ten\");", expect![[""]]);
    says("want(\"pass\", 10); odds(10);", expect![[""]]);
}

#[test]
fn what_is_no_plan() {
    says(
        "want(\"pass\", 10",
        expect![[r#"
        plan:1:16: expecting ')' to close the arguments list of this function call 'want'
          1 | want("pass", 10
            |                ^"#]],
    );
    says(
        "wand(\"pass\", 10);",
        expect![[r#"
        plan:1:1: there is no verb for `wand (&str | ImmutableString | String, i64)`
          1 | wand("pass", 10);
            | ^
          with the puck off and nothing up"#]],
    );
    says(
        "want(\"pass\", unti);",
        expect![[r#"
        plan:1:14: there is no variable `unti`
          1 | want("pass", unti);
            |              ^
          with the puck off and nothing up"#]],
    );
    says(
        "loop {}",
        expect![[r#"
        plan:1:6: the plan does not come to an end: it was stopped after 200,000 steps
          1 | loop {}
            |      ^
          with the puck off and nothing up"#]],
    );
    says(
        "fn f(n) { f(n + 1) } f(0);",
        expect![[r#"
        plan:1:22: stack overflow
          1 | fn f(n) { f(n + 1) } f(0);
            |                      ^
          with the puck off and nothing up"#]],
    );
    says(
        "let s = \"ab\"; loop { s += s; }",
        expect![[r#"
        plan:1:24: length of string too large
          1 | let s = "ab"; loop { s += s; }
            |                        ^
          with the puck off and nothing up"#]],
    );
    says(
        "let puck = 3;",
        expect![[r#"
        plan:1:5: forbidden variable name: puck
          1 | let puck = 3;
            |     ^"#]],
    );
    says("if true { remember n = 0; }", expect!["no fault"]);
    says("remember n = 0; n += 1; want(\"pass\", 10);", expect!["more than 50002 positions"]);
    says(
        "eval(\"1\");",
        expect![[r#"
        plan:1:1: reserved keyword 'eval' is disabled
          1 | eval("1");
            | ^"#]],
    );
    says(
        "rack + 1;",
        expect![[r#"
        plan:1:6: there is no verb for `+ (money, i64)`
          1 | rack + 1;
            |      ^
          with the puck off and nothing up"#]],
    );
}

/// Every plan that comes with the program can be played, and stays within the usual limit.
#[test]
fn every_ready_plan_is_sound() {
    let library = Library::embedded();
    for (name, source) in READY {
        let plan = Plan::parse(name, source, &[]).unwrap_or_else(|fault| panic!("{fault}"));
        let header = plan.header();
        let names: Vec<&str> = header.rules.iter().map(String::as_str).collect();
        let names = [&["presque-isle"][..], &names].concat();
        let options: Vec<(&str, &str)> =
            header.options.iter().map(|option| option.split_once('=').unwrap()).collect();
        let rules = Rules::with_options(&library, &names, &options);
        let rules = Arc::new(rules.unwrap_or_else(|faults| panic!("{faults}")));
        let begun = std::time::Instant::now();
        match explored_plan(&rules, &plan) {
            Ok(explored) => {
                println!("{name}: {} in {:?}", explored.machine.len(), begun.elapsed());
            }
            Err(fault) => println!("{fault}"),
        }
    }
}
