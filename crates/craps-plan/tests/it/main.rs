//! Plans as they are written, and what is said about those that cannot be played.

mod damaged;
mod tapes;

use std::sync::Arc;

use craps::machine::{End, Explored, Play, Then, Unexplored, explore};
use craps::{Cents, Library, Roll, Rules};
use craps_plan::{Memory, Plan, READY, situation};
use expect_test::expect_file;

fn rules(names: &[&str]) -> Arc<Rules> {
    Arc::new(Rules::named(&Library::embedded(), names).unwrap())
}

fn explored(rules: &Arc<Rules>, source: &str) -> Result<Explored<Memory>, String> {
    let plan = Plan::parse("plan", source, &[]).map_err(|fault| fault.to_string())?;
    explored_plan(rules, &plan)
}

fn explored_plan(rules: &Arc<Rules>, plan: &Plan) -> Result<Explored<Memory>, String> {
    explored_to(rules, plan, 200_000)
}

fn explored_to(rules: &Arc<Rules>, plan: &Plan, limit: usize) -> Result<Explored<Memory>, String> {
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    explore(rules, plan, &meters, limit).map_err(|unexplored| match unexplored {
        Unexplored::Fault(position, fault) => {
            fault.with_situation(situation(rules, &position.table)).to_string()
        }
        Unexplored::TooMany(positions) => format!("more than {} positions", positions.len()),
    })
}

/// The rules that a plan names in its first lines.
fn own_rules(plan: &Plan) -> Arc<Rules> {
    let header = plan.header();
    let names: Vec<&str> = header.rules.iter().map(String::as_str).collect();
    let names = [&["presque-isle"][..], &names].concat();
    let options: Vec<(&str, &str)> =
        header.options.iter().map(|option| option.split_once('=').unwrap()).collect();
    let rules = Rules::with_options(&Library::embedded(), &names, &options);
    Arc::new(rules.unwrap_or_else(|faults| panic!("{faults}")))
}

/// Dice from a seed.
struct Lehmer(u64);

impl Lehmer {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) as usize
    }

    fn roll(&mut self) -> Roll {
        Roll::from_index(self.next())
    }
}

#[track_caller]
fn positions(source: &str, count: usize) {
    let explored = explored(&rules(&["presque-isle"]), source);
    let explored = explored.unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(explored.machine.len(), count);
}

#[test]
fn plans_have_as_many_positions_as_measured_before() {
    positions(include_str!("../../../../plans/three-point-molly.rhai"), 1_255);
    positions(include_str!("../../../../plans/martingale.rhai"), 49);
    positions(include_str!("../../../../plans/iron-cross.rhai"), 221);
}

/// A plan that waits for thousands of rolls with nothing up is told from one that idles, without
/// a look at every position for every roll of the wait.
#[test]
fn a_long_wait_is_no_idling() {
    positions("remember n = 0; n = (n + 1) % 2000; if n == 1999 { want(\"pass\", 10); }", 26_000);
    positions("remember n = 0; if n < 2000 { n += 1; } if n == 2001 { want(\"pass\", 10); }", 0);
}

/// What is said about plans that cannot be played: each is followed by its fault.
#[test]
fn faults() {
    let rules = rules(&["presque-isle"]);
    let mut said = String::new();
    for source in [
        // What the house does not offer, or does not take.
        "want(\"plase 6\", 12);",
        "want(\"place\", 12);",
        "if puck == 6 {\n  want(\"horn\", 7);\n}",
        "want(\"come 6\", 10);",
        "want(\"pass\", -5);",
        "want(\"pass\", 10.005);",
        "want(\"pass\", \"ten\");",
        "want(\"pass\", 99999999999999999);",
        "want(\"pass\", 10); odds(10);",
        "put(\"come\", 10);",
        "riding(\"pass\");",
        "mark(\"field\", 13);",
        "want(\"pass\", 10); off(\"pass\");",
        "shares_of_rack(0, 10);",
        // What is no plan.
        "want(\"pass\", 10",
        "wand(\"pass\", 10);",
        "want(\"pass\");",
        "want(\"pass\", unti);",
        "want(\"pass\", 10); if won(\"pass\") { leave(); }",
        "if newshooter { want(\"pass\", 10); }",
        "want(\"pass\", 10); param unit = 5;",
        "want(\"pass\", 10); sleep(100000);",
        "want(\"pass\", rack);",
        "call(\"hard 6\", \"on\");",
        "try { want(\"pass\", 7.505); } catch { }",
        "loop {}",
        "fn f(n) { f(n + 1) } f(0);",
        "let s = \"ab\"; loop { s += s; }",
        "let a = [0]; loop { a += a; }",
        "let puck = 3;",
        "param puck = 3;",
        "remember net = 3;",
        "if rack == 300 { want(\"pass\", 10); }",
        "if 300 != bankroll { want(\"pass\", 10); }",
        "if puck == 0 { remember n = 0; }",
        "remember n = [1];",
        "eval(\"1\");",
        "rack + 1;",
        "1 / 0;",
    ] {
        let fault = explored(&rules, source).err().unwrap_or_else(|| "no fault".to_owned());
        said += &format!("{source}\n=> {fault}\n\n");
    }
    expect_file!["../golden/faults.txt"].assert_eq(&said);
}

/// What the comment behind a param says holds for what is set.
#[test]
fn params_are_what_their_comments_say() {
    let set = |source: &str, set: &str| {
        let set: Vec<(String, String)> = set
            .split_once('=')
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into_iter()
            .collect();
        Plan::parse("plan", source, &set).map_err(|fault| fault.to_string())
    };
    let source = "param unit = 10;   // dollars 5..100: the flat bet\n\
                  param steps = 3;   // steps 1..: how many\n\
                  param label = \"a // b\";\n\
                  want(\"pass\", unit);";
    let plan = set(source, "unit=12.50").ok().unwrap();
    let [unit, steps, label] = plan.params() else { panic!("{:?}", plan.params()) };
    assert_eq!((unit.value.to_string(), unit.default.to_string()), ("12.50".into(), "10".into()));
    assert_eq!(
        (unit.unit.as_deref(), unit.about.as_deref()),
        (Some("dollars"), Some("the flat bet"))
    );
    assert_eq!(unit.range().as_deref(), Some("from 5 to 100"));
    assert_eq!(steps.range().as_deref(), Some("1 or more"));
    assert_eq!((&label.unit, &label.about, label.range()), (&None, &None, None));
    for (source, text, why) in [
        (source, "unit=4", "plan: `unit` is from 5 to 100, not 4"),
        (source, "unit=100.01", "plan: `unit` is from 5 to 100, not 100.01"),
        (source, "unit=ten", "plan: `unit` is a whole number such as 10, not `ten`"),
        (source, "steps=0", "plan: `steps` is 1 or more, not 0"),
        (source, "steps=2.5", "plan: `steps` is a whole number such as 3, not `2.5`"),
        (source, "step=2", "plan: there is no param `step`, did you mean `steps`?"),
        ("param n = 3; // steps 5..: x", "", "plan:1:1: `n` is 5 or more, not 3"),
        ("param n = 3; // steps 5..x: x", "", "plan:1:1: `5..x` is no range, write 5.., ..100 or"),
        ("param n = true; // 1..2: x", "", "plan:1:1: `n` is true or false, it has no range"),
    ] {
        let fault = set(source, text).err().expect(why);
        assert!(fault.starts_with(why), "{fault}");
    }
}

/// Every ready plan says of its params what they count and what they are for.
#[test]
fn ready_params_are_explained() {
    for (name, source) in READY {
        let plan = Plan::parse(name, source, &[]).unwrap_or_else(|fault| panic!("{fault}"));
        for param in plan.params() {
            let told = param.unit.is_some() && param.about.as_ref().is_some_and(|it| it.len() > 3);
            assert!(told, "{name}: {param:?}");
        }
    }
}

/// Lines that do nothing wherever the plan comes to are named, and no others.
#[test]
fn asks_that_are_never_heard() {
    let rules = rules(&["presque-isle"]);
    let unheard = |source: &str| -> Vec<String> {
        let plan = Plan::parse("plan", source, &[]).unwrap();
        explored_plan(&rules, &plan).unwrap();
        plan.unheard()
            .iter()
            .map(|fault| format!("{} {}", fault.line.unwrap(), fault.message))
            .collect()
    };
    let source = "if puck != 0 { want(\"pass\", 10); }\n\
                  if puck == 0 { want(\"come\", 5); }\n\
                  for n in [6, 8] { want(\"place \" + n, if n == 6 { 12 } else { 0 }); }\n\
                  for n in [6, 8] { press(\"place \" + n, 6, 30); }\n\
                  take(\"field\");\n\
                  off(\"hard 6\");";
    assert_eq!(
        unheard(source),
        [
            "1 `pass` is never heard here: a line bet is not wanted after its come-out",
            "2 `come` is never heard here: come is bet once there is a point, the puck is OFF",
            "4 `place 8` is never heard here: no bet is up there",
            "5 `field` is never heard here: no bet is up there",
            "6 `hard 6` is never heard here: no bet is up there",
        ]
    );
    // Heard somewhere is heard.
    assert_eq!(unheard("want(\"pass\", 10); want(\"come\", 10); odds(2);"), [""; 0]);
}

#[test]
fn a_memory_without_bounds_has_too_many_positions() {
    let rules = rules(&["presque-isle"]);
    let source = "remember n = 0; n += 1; want(\"pass\", 10);";
    let fault = explored(&rules, source).err().expect("it never ends");
    assert!(fault.starts_with("more than 200"), "{fault}");
}

/// Every plan that comes with the program can be played, and stays within the usual limit.
#[test]
fn every_ready_plan_is_sound() {
    for (name, source) in READY {
        let plan = Plan::parse(name, source, &[]).unwrap_or_else(|fault| panic!("{fault}"));
        let rules = own_rules(&plan);
        let explored = explored_plan(&rules, &plan).unwrap_or_else(|fault| panic!("{fault}"));
        assert_eq!(plan.unheard(), [], "{name}");
        agrees(&rules, &plan, &explored);
    }
}

/// Walks the machine and steps the plan on the same dice, poor and rich.
fn agrees(rules: &Arc<Rules>, plan: &Plan, explored: &Explored<Memory>) {
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    let (machine, name) = (&explored.machine, plan.name());
    let mut dice = Lehmer(0x9e37_79b9_7f4a_7c15);
    for (game, bankroll) in [0, 9, 40, 100, 300, 300, 1_000, 100_000].into_iter().enumerate() {
        let mut equity = Cents::dollars(bankroll);
        let (mut play, _) = Play::start(rules, plan, &meters, equity).unwrap();
        let mut then = machine.then(0, equity);
        for rolled in 0..300 {
            let place = match (then, play.now()) {
                (Then::Roll(place), Ok(now)) => {
                    let known = &explored.positions[place as usize];
                    assert_eq!(known, now, "{name}, game {game}, roll {rolled}");
                    place
                }
                (Then::End(End::Idle), Ok(now)) => {
                    assert!(now.table.state.layout.is_empty(), "{name}, game {game}");
                    break;
                }
                (Then::End(one), Err(other)) => {
                    assert_eq!(one, other, "{name}, game {game}, roll {rolled}");
                    break;
                }
                (then, now) => panic!("{name}: {then:?}, but stepping gives {:?}", now.err()),
            };
            let roll = dice.roll();
            let edge = machine.edges(place)[roll.combination().index()];
            equity += edge.change;
            then = machine.then(edge.arrival, equity);
            play.roll(roll).unwrap();
            assert_eq!(equity, play.equity(), "{name}, game {game}, roll {rolled}");
        }
    }
}

#[test]
fn dollars_of_ready_plans_have_a_range_that_the_table_takes() {
    for (name, text) in READY {
        let plan = Plan::parse(name, text, &[]).unwrap();
        let dollars = plan.params().iter().filter(|param| param.unit.as_deref() == Some("dollars"));
        for param in dollars {
            let (Some(least), Some(most)) = (param.least, param.most) else {
                panic!("{name}: {} has no range", param.name)
            };
            for end in [least, most] {
                let set = [(param.name.clone(), end.to_string())];
                let plan = Plan::parse(name, text, &set).unwrap();
                // The first positions tell whether any stake is refused.
                if let Err(why) = explored_to(&own_rules(&plan), &plan, 2_000) {
                    assert!(why.starts_with("more than"), "{name} {set:?}: {why}");
                }
            }
            let nothing = Plan::parse(name, text, &[(param.name.clone(), "0".to_owned())]);
            let fault = nothing.err().expect("nothing is no bet").to_string();
            assert!(fault.ends_with("not 0") && !fault.contains('\n'), "{fault}");
        }
    }
}
