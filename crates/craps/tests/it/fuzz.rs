//! The fuzz corpora in plain tests, and the rulebooks and tapes with random damage.

use std::path::Path;

use craps::rulebook::Kind;
use craps::rules::Chosen;
use craps::{Cents, Library, Roll, Rulebook, Rules, State, Tape};

use crate::Lehmer;

fn corpus(target: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        let path = entry.unwrap().path();
        if path.is_file() {
            texts.push(String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned());
        }
    }
    assert!(texts.len() >= 5);
    texts
}

/// A text with a few bytes lost, doubled, swapped or replaced.
fn damaged(text: &str, dice: &mut Lehmer) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=dice.next() % 4 {
        let place = dice.next() as usize % bytes.len();
        let other = dice.next() as usize % bytes.len();
        match dice.next() % 5 {
            0 => drop(bytes.drain(place..(place + 1 + other % 9).min(bytes.len()))),
            1 => bytes.insert(place, bytes[other]),
            2 => bytes.swap(place, other),
            3 => bytes[place] = b"0123456789-+.,:\"'[]{}=#@ \n%x"[other % 28],
            _ => {
                let line = bytes[place..].split(|byte| *byte == b'\n').next().unwrap().to_vec();
                bytes.splice(other..other, line);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn read_tape(library: &Library, text: &str) -> bool {
    match Tape::parse("fuzz", text, library) {
        Ok(tape) => {
            assert!(tape.play().floor.is_conserved());
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

fn read_rulebook(library: &Library, text: &str) -> bool {
    let rulebook = match Rulebook::parse("fuzz", text) {
        Ok(rulebook) => rulebook,
        Err(faults) => {
            assert!(!faults.0.is_empty());
            return false;
        }
    };
    let mut chosen = vec![Chosen { rulebook, paytables: None }];
    if chosen[0].rulebook.kind == Kind::Side {
        chosen.insert(0, library.choose(Library::DEFAULT_BASE).unwrap());
    }
    let Ok(rules) = Rules::compile(library, &chosen, &[]) else { return false };
    for spot in rules.spots().filter(|spot| rules.spot_rule(*spot).flat.is_none()) {
        let notation = &rules.spot_rule(spot).notation;
        let stake = rules.wager_at(spot).limits.max.unwrap_or(Cents::dollars(5));
        let state = State::with_bet(&rules, notation, stake).unwrap();
        for roll in Roll::all() {
            state.clone().roll(&rules, roll);
        }
    }
    true
}

#[test]
fn damaged_tapes_are_read_or_refused() {
    let library = Library::embedded();
    let mut dice = Lehmer(11);
    let texts = corpus("tape");
    let whole = texts.iter().filter(|text| read_tape(&library, text)).count();
    assert!(whole >= 4, "only {whole} tapes of the corpus are whole");
    let mut read = 0;
    for _ in 0..60 {
        for text in &texts {
            read += usize::from(read_tape(&library, &damaged(text, &mut dice)));
        }
    }
    assert!(read > 20, "only {read} damaged tapes could be played");
}

#[test]
fn damaged_rulebooks_are_read_or_refused() {
    let library = Library::embedded();
    let mut dice = Lehmer(12);
    let texts = corpus("rulebook");
    let mut read = 0;
    for _ in 0..60 {
        for text in &texts {
            read += usize::from(read_rulebook(&library, &damaged(text, &mut dice)));
        }
    }
    assert!(read > 10, "only {read} damaged rulebooks could be played");
}
