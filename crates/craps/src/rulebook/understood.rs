//! What can be understood of a rulebook that has faults, for those who are still writing it.

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::document::{Document, Entry, Node, Value};
use super::fields::{Asked, Reader};
use super::{At, Fault, Rulebook, read};

impl Rulebook {
    /// Reads as much of a rulebook as can be understood, and every fault of the whole of it.
    /// Wagers, paytables and options with a fault are left out, and so is what rests on them; what
    /// remains is a rulebook without fault, or nothing.
    ///
    /// ```
    /// use craps::Rulebook;
    /// let text = r#"
    ///     name = "tiny"
    ///     title = "Two bets, one of them misspelt"
    ///     kind = "base"
    ///     points = [4, 5, 6, 8, 9, 10]
    ///     limits = { min = 1, max = 100, unit = 1 }
    ///     [wager.any-seven]
    ///     title = "Any Seven"
    ///     shape = "one-roll"
    ///     wins = [7]
    ///     pay = "4 to 1"
    ///     [wager.eleven]
    ///     title = "Eleven"
    ///     shape = "one-roll"
    ///     wins = [11]
    ///     pays = "15 to 1"
    /// "#;
    /// let (rulebook, faults) = Rulebook::understood("tiny.toml", text);
    /// assert_eq!((rulebook.unwrap().wagers[0].name.as_str(), faults.len()), ("eleven", 1));
    /// ```
    pub fn understood(file: &str, text: &str) -> (Option<Rulebook>, Vec<Fault>) {
        let mut document = match Document::parse(file, text) {
            Ok(document) => document,
            Err(faults) => return (None, faults.0),
        };
        let hash = Sha256::digest(text.as_bytes()).into();
        let mut told = None;
        loop {
            match Rulebook::read(document.clone(), Arc::from(text), hash) {
                Ok(rulebook) => return (Some(rulebook), told.unwrap_or_default()),
                Err(faults) => {
                    let places: Vec<At> = faults.0.iter().filter_map(|f| f.at.clone()).collect();
                    let told = told.get_or_insert(faults.0);
                    let left_out = places.iter().filter(|at| document.leave_out(at)).count();
                    if left_out == 0 {
                        return (None, std::mem::take(told));
                    }
                }
            }
        }
    }

    /// What the reader asks of every table of a text, whether or not it has faults: the keys it
    /// knows, and the words that can stand behind them.
    pub fn asked(file: &str, text: &str) -> Vec<Asked> {
        let Ok(document) = Document::parse(file, text) else { return Vec::new() };
        let mut reader = Reader::new(&document);
        read::rulebook(&mut reader);
        reader.asked
    }
}

impl Document {
    /// Leaves out the wager, paytable or option that holds a place, or a list of paytables. Says
    /// whether there was one.
    fn leave_out(&mut self, at: &At) -> bool {
        let Value::Table(entries) = &mut self.root.value else { return false };
        for place in 0..entries.len() {
            match entries[place].key.as_str() {
                "wager" | "paytable" | "options" => {
                    let Value::Table(named) = &mut entries[place].node.value else { continue };
                    let before = named.len();
                    named.retain(|entry| !holds(entry, at));
                    if named.len() < before {
                        return true;
                    }
                }
                "default-paytables" | "paytables-from" if holds(&entries[place], at) => {
                    entries.remove(place);
                    return true;
                }
                _ => {}
            }
        }
        false
    }
}

/// Whether a place lies in an entry.
fn holds(entry: &Entry, at: &At) -> bool {
    fn within(node: &Node, at: &At) -> bool {
        node.at == *at
            || node.entries().iter().any(|entry| holds(entry, at))
            || matches!(&node.value, Value::List(items) if items.iter().any(|n| within(n, at)))
    }
    entry.at == *at || within(&entry.node, at)
}
