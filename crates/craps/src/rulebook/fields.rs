//! The fields of a rulebook's tables: those that are needed, those nobody knows, and a reader that
//! collects every fault instead of stopping at the first.

use super::document::{Document, Entry, Node, Value};
use super::fault::{At, Fault};
use crate::did_you_mean::{nearest, suggestion};

/// What the reader asked of one table: every key it knows there, written or not. A schema for
/// editors is held against this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What the table is: "the rulebook", "wager `place`", "`commission`".
    pub table: String,
    /// The keys, in the order they were asked for.
    pub keys: Vec<&'static str>,
    /// Those that must be there.
    pub needed: Vec<&'static str>,
    /// The words that can stand behind a key, where there are only a few.
    pub words: Vec<(&'static str, Vec<String>)>,
}

/// Collects faults while a document is read.
pub(super) struct Reader<'a> {
    pub(super) document: &'a Document,
    pub(super) faults: Vec<Fault>,
    /// What was asked of each table so far.
    pub(super) asked: Vec<Asked>,
    /// Options that some wager used as `@name`, or the engine reads itself.
    used_options: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(document: &'a Document) -> Reader<'a> {
        Reader { document, faults: Vec::new(), asked: Vec::new(), used_options: Vec::new() }
    }

    pub(super) fn fault(&mut self, at: &At, reason: impl Into<String>) {
        let file = self.document.file.clone();
        self.faults.push(Fault { file, at: Some(at.clone()), reason: reason.into() });
    }

    /// An option the engine itself reads.
    pub(super) fn option(&mut self, name: &str) -> Option<&'a Node> {
        self.used_options.push(name.to_owned());
        self.document.root.entry("options")?.node.entry(name).map(|entry| &entry.node)
    }

    /// Follows `@name` to the option it names.
    fn follow(&mut self, node: &'a Node) -> Option<&'a Node> {
        let Value::Text(text) = &node.value else { return Some(node) };
        let Some(name) = text.strip_prefix('@') else { return Some(node) };
        let found = self.option(name);
        if found.is_none() {
            let options = self.document.root.entry("options");
            let names = options.map_or(&[][..], |options| options.node.entries());
            let hint = suggestion(name, names.iter().map(|entry| entry.key.as_str()));
            self.fault(&node.at, format!("there is no option `{name}` in [options]{hint}"));
        }
        found
    }

    pub(super) fn fields(&mut self, node: &'a Node, what: &str) -> Fields<'a> {
        if !matches!(node.value, Value::Table(_)) {
            self.fault(&node.at, format!("{what} must be a table, this is {}", node.kind()));
        }
        let what = what.to_owned();
        Fields { node, what, asked: Vec::new(), needed: Vec::new(), words: Vec::new() }
    }

    /// Reports options nobody uses. Where a key of a wager was set from outside, the option that
    /// stood there has nobody left to use it, and that is no slip of the file's.
    pub(super) fn finish_options(&mut self) {
        fn from_outside(node: &Node) -> bool {
            let within = |entry: &Entry| from_outside(&entry.node);
            matches!(node.at, At::Option(_)) || node.entries().iter().any(within)
        }
        let document = self.document;
        let Some(options) = document.root.entry("options") else { return };
        if document.root.entry("wager").is_some_and(|wagers| from_outside(&wagers.node)) {
            return;
        }
        for entry in options.node.entries() {
            if !self.used_options.contains(&entry.key) {
                let reason = format!("option `{}` is not used by any wager", entry.key);
                self.fault(&entry.at, reason);
            }
        }
    }
}

/// The keys of one table, remembering which were asked for so that the rest can be reported.
pub(super) struct Fields<'a> {
    pub(super) node: &'a Node,
    what: String,
    asked: Vec<&'static str>,
    needed: Vec<&'static str>,
    words: Vec<(&'static str, Vec<String>)>,
}

impl<'a> Fields<'a> {
    /// The value of `key`, with an option followed.
    pub(super) fn get(&mut self, reader: &mut Reader<'a>, key: &'static str) -> Option<&'a Node> {
        self.asked.push(key);
        let entry = self.node.entry(key)?;
        reader.follow(&entry.node)
    }

    /// Says that a key must be there; whether it is shows when the table is finished.
    pub(super) fn need(&mut self, key: &'static str) {
        self.needed.push(key);
    }

    /// Whether the key was written at all.
    pub(super) fn has(&self, key: &str) -> bool {
        self.node.entry(key).is_some()
    }

    pub(super) fn text(&mut self, reader: &mut Reader<'a>, key: &'static str) -> Option<&'a str> {
        let node = self.get(reader, key)?;
        let Value::Text(text) = &node.value else {
            let reason = format!("`{key}` must be a text in quotes, this is {}", node.kind());
            reader.fault(&node.at, reason);
            return None;
        };
        Some(text)
    }

    pub(super) fn flag(&mut self, reader: &mut Reader<'a>, key: &'static str) -> bool {
        let Some(node) = self.get(reader, key) else { return false };
        let Value::Boolean(truth) = node.value else {
            let reason = format!("`{key}` must be true or false, this is {}", node.kind());
            reader.fault(&node.at, reason);
            return false;
        };
        truth
    }

    /// One of a few words.
    pub(super) fn choice<T: Copy>(
        &mut self,
        reader: &mut Reader<'a>,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Option<T> {
        self.words.push((key, choices.iter().map(|(name, _)| (*name).to_owned()).collect()));
        let node = self.get(reader, key)?;
        let word = match &node.value {
            Value::Text(text) => text.as_str(),
            // An option given from outside says on or off where a rulebook quotes it.
            Value::Boolean(true) => "on",
            Value::Boolean(false) => "off",
            _ => "",
        };
        let found = choices.iter().find(|(name, _)| *name == word);
        if found.is_none() {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let hint = suggestion(word, names.iter().copied());
            let list = names.join("`, `");
            reader.fault(&node.at, format!("`{key}` must be one of `{list}`{hint}"));
        }
        found.map(|(_, choice)| *choice)
    }

    pub(super) fn list(&mut self, reader: &mut Reader<'a>, key: &'static str) -> &'a [Node] {
        let Some(node) = self.get(reader, key) else { return &[] };
        match &node.value {
            Value::List(items) => items,
            _ => {
                reader.fault(&node.at, format!("`{key}` must be a list, this is {}", node.kind()));
                &[]
            }
        }
    }

    /// Reports keys nobody asked for, and needed ones that are missing. A misspelt key is one
    /// fault: the key it was meant for is not also reported as missing.
    pub(super) fn finish(self, reader: &mut Reader<'a>) {
        let absent = || self.asked.iter().copied().filter(|key| !self.has(key));
        let mut misspelt = Vec::new();
        for entry in self.node.entries() {
            if !self.asked.contains(&entry.key.as_str()) {
                misspelt.extend(nearest(&entry.key, absent()));
                let hint = suggestion(&entry.key, self.asked.iter().copied());
                reader.fault(&entry.at, format!("{} has no key `{}`{hint}", self.what, entry.key));
            }
        }
        for key in &self.needed {
            if !self.has(key) && !misspelt.contains(key) {
                reader.fault(&self.node.at, format!("{} needs `{key}`", self.what));
            }
        }
        let Fields { what: table, asked: keys, needed, words, .. } = self;
        reader.asked.push(Asked { table, keys, needed, words });
    }
}
