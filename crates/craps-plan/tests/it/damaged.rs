//! Whatever is written as a plan, it is read and explored or refused with a reason, in good time.

use std::path::Path;
use std::sync::Arc;

use craps::{Cents, Library, Roll, Rules, Tape};
use craps_plan::{Plan, READY, Session};

use crate::{Lehmer, explored_to, own_rules, rules};

/// Reads, explores and plays a text; what it says where it is no plan.
fn tried(rules: &Arc<Rules>, source: &str, dice: &[Roll]) -> Result<(), String> {
    let plan = Plan::parse("plan", source, &[]).map_err(|fault| fault.to_string())?;
    let plan = plan.at_most(200_000);
    explored_to(rules, &plan, 60)?;
    let meters = &vec![Cents::dollars(100); rules.meters().len()];
    let session =
        Session { rulebooks: &[], options: &[], rules, meters, bankroll: Cents::dollars(200) };
    let tape = session.tape(&plan, dice).map_err(|fault| fault.to_string())?;
    if rules.meters().is_empty() {
        let played = Tape::parse("plan", &tape, &Library::embedded()).unwrap().play();
        assert_eq!(played.failures, [], "{source}\n{tape}");
    }
    Ok(())
}

/// A plan with a few bytes lost, doubled, swapped or replaced, or with another number in it.
fn damaged(text: &str, dice: &mut Lehmer) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.next() % 3 {
        let place = dice.next() % bytes.len();
        let other = dice.next() % bytes.len();
        match dice.next() % 6 {
            0 => drop(bytes.drain(place..(place + 1 + other % 9).min(bytes.len()))),
            1 => bytes.insert(place, bytes[other]),
            2 => bytes.swap(place, other),
            3 => bytes[place] = b"0123456789-+*/.,:;\"[](){}<>=!&|% \n#"[other % 35],
            4 => {
                let line = bytes[place..].split(|byte| *byte == b'\n').next().unwrap().to_vec();
                bytes.splice(other..other, line);
            }
            _ => {
                let number = bytes.iter().skip(place).position(u8::is_ascii_digit);
                let at = number.map_or(place, |number| place + number);
                let odd = ["0", "-1", "0.01", "999", "5000", "9223372036854775807"][other % 6];
                bytes.splice(at..=at, odd.bytes());
            }
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_plans_are_explored_or_refused() {
    let mut dice = Lehmer(13);
    let (mut sound, mut tries) = (0, 0);
    for (name, source) in READY {
        let rules = own_rules(&Plan::parse(name, source, &[]).unwrap());
        for _ in 0..12 {
            let rolls: Vec<Roll> = (0..15).map(|_| dice.roll()).collect();
            let said = tried(&rules, &damaged(source, &mut dice), &rolls);
            tries += 1;
            sound += usize::from(said.is_ok());
            assert_ne!(said, Err(String::new()));
        }
    }
    assert!((tries / 20..tries * 19 / 20).contains(&sound), "{sound} of {tries} could be played");
}

/// What fuzzing starts from besides the ready plans: every word, and texts that go for the limits.
#[test]
fn the_corpus_is_explored_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/plan");
    let rules = rules(&["presque-isle"]);
    let dice: Vec<Roll> = Roll::all().collect();
    let mut read = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.unwrap().path();
        if path.is_file() {
            let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
            assert_ne!(tried(&rules, &text, &dice), Err(String::new()));
            read += 1;
        }
    }
    assert!(read >= 5, "only {read} texts");
}

/// What goes for the limits is stopped by one of them.
#[test]
fn no_plan_goes_on_for_ever() {
    let rules = rules(&["presque-isle"]);
    let deep = |open: &str, core: &str, close: &str, count: usize| {
        format!("{}{core}{}", open.repeat(count), close.repeat(count))
    };
    let call_in = |body: &str| format!("fn f(n) {{ {body} }} f(0);");
    for (source, why) in [
        (
            "for i in 1..1000 { if rack >= i { want(\"pass\", 10); } }".to_owned(),
            "the plan is too much work: it was stopped after 200000 steps in all",
        ),
        (
            "let n = 0; for i in 1..9000 { n += 1; } want(\"pass\", 10); odds(2);".to_owned(),
            "the plan is too much work",
        ),
        ("let a = []; loop { a = [a]; }".to_owned(), "is too large for a plan"),
        ("let a = #{}; loop { a = #{a: a}; }".to_owned(), "is too large for a plan"),
        ("[].pad(1000000000000, 1);".to_owned(), "is too large for a plan"),
        ("blob(1000000000000);".to_owned(), "is too large for a plan"),
        ("2.5 ** 1000000000.5;".to_owned(), "overflow"),
        ("want(\"pass\", 5); odds(4294967295);".to_owned(), "the most here is"),
        (deep("(", "1", ")", 10_000), "expression exceeds maximum complexity"),
        (deep("if true {", "1", "}", 10_000), "expression exceeds maximum complexity"),
        (call_in(&deep("if true {", "f(n)", "}", 7)), "functions call each other without end"),
        (call_in(&deep("[", "f(n)", "]", 7)), "functions call each other without end"),
        (call_in("[1].map(f)"), "functions call each other without end"),
    ] {
        let said = tried(&rules, &source, &[]).unwrap_err();
        assert!(said.contains(why), "{source}: {said}");
    }
}
