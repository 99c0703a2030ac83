//! A rulebook as it was written: a tree of TOML values that know their lines, and a reader that
//! collects every fault instead of stopping at the first.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{At, Fault, Faults};
use crate::did_you_mean::{nearest, suggestion};

/// A value and the place it was written at.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) at: At,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Integer(i64),
    /// A number with a point, kept as text: no float touches money.
    Decimal(String),
    Boolean(bool),
    List(Vec<Node>),
    Table(Vec<Entry>),
    /// A kind of value no rulebook uses.
    Other(&'static str),
}

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) at: At,
    pub(super) node: Node,
}

impl Node {
    /// What kind of value this is, for a fault to say.
    pub(super) fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "a text",
            Value::Integer(_) => "a number",
            Value::Decimal(_) => "a number with a point",
            Value::Boolean(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Other(kind) => kind,
        }
    }

    pub(super) fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }
}

/// The tree of a file, with the name and the text it was read from.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) file: String,
    pub(super) root: Node,
}

impl Document {
    /// Reads TOML, reporting every syntax error.
    pub(super) fn parse(file: &str, text: &str) -> Result<Document, Faults> {
        let lines = Lines(text);
        let (table, errors) = DeTable::parse_recoverable(text);
        if errors.is_empty() {
            let root = Node { at: lines.at(0..0), value: lines.table(table.into_inner()) };
            return Ok(Document { file: file.to_owned(), root });
        }
        let faults = errors.iter().map(|error| Fault {
            file: file.to_owned(),
            at: Some(lines.at(error.span().unwrap_or(0..0))),
            reason: error.message().to_owned(),
        });
        Err(Faults(faults.collect()))
    }

    /// Whether the table at `path` has `key`.
    pub(super) fn has(&self, path: &[&str], key: &str) -> bool {
        let mut node = Some(&self.root);
        for step in path {
            node = node.and_then(|node| node.entry(step)).map(|entry| &entry.node);
        }
        node.is_some_and(|node| node.entry(key).is_some())
    }

    /// Adds or replaces `key` in the table at `path`. Returns whether there was such a table.
    pub(super) fn insert(&mut self, path: &[&str], key: &str, option: &str, text: &str) -> bool {
        let mut node = &mut self.root;
        for step in path {
            let Value::Table(entries) = &mut node.value else { return false };
            let Some(entry) = entries.iter_mut().find(|entry| entry.key == *step) else {
                return false;
            };
            node = &mut entry.node;
        }
        let Value::Table(entries) = &mut node.value else { return false };
        let node = option_node(option, text);
        match entries.iter_mut().find(|entry| entry.key == key) {
            Some(entry) => entry.node = node,
            None => entries.push(Entry { key: key.to_owned(), at: node.at.clone(), node }),
        }
        true
    }
}

/// An option's text as the value a rulebook would have written.
fn option_node(option: &str, text: &str) -> Node {
    let value = match text {
        "true" | "on" | "yes" => Value::Boolean(true),
        "false" | "off" | "no" => Value::Boolean(false),
        _ => match text.parse() {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Text(text.to_owned()),
        },
    };
    Node { at: At::Option(option.to_owned()), value }
}

/// The text of a file, to turn byte spans into lines.
struct Lines<'a>(&'a str);

impl Lines<'_> {
    fn at(&self, span: Range<usize>) -> At {
        let before = self.0.get(..span.start).unwrap_or(self.0);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
        At::Place { line, column }
    }

    fn node(&self, spanned: Spanned<DeValue<'_>>) -> Node {
        let at = self.at(spanned.span());
        let value = match spanned.into_inner() {
            DeValue::String(text) => Value::Text(text.into_owned()),
            DeValue::Integer(number) => {
                match i64::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => Value::Integer(number),
                    Err(_) => Value::Other("a number too large to use"),
                }
            }
            DeValue::Float(number) => Value::Decimal(number.as_str().to_owned()),
            DeValue::Boolean(truth) => Value::Boolean(truth),
            DeValue::Datetime(_) => Value::Other("a date"),
            DeValue::Array(items) => {
                Value::List(items.into_iter().map(|item| self.node(item)).collect())
            }
            DeValue::Table(table) => self.table(table),
        };
        Node { at, value }
    }

    /// A table's entries in the order they were written.
    fn table(&self, table: DeTable<'_>) -> Value {
        let mut entries: Vec<(usize, Entry)> = table
            .into_iter()
            .map(|(key, value)| {
                let start = key.span().start;
                let at = self.at(key.span());
                let key = key.into_inner().into_owned();
                (start, Entry { key, at, node: self.node(value) })
            })
            .collect();
        entries.sort_by_key(|(start, _)| *start);
        Value::Table(entries.into_iter().map(|(_, entry)| entry).collect())
    }
}

/// Collects faults while a document is read.
pub(super) struct Reader<'a> {
    pub(super) document: &'a Document,
    pub(super) faults: Vec<Fault>,
    /// Options that some wager used as `@name`, or the engine reads itself.
    used_options: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(document: &'a Document) -> Reader<'a> {
        Reader { document, faults: Vec::new(), used_options: Vec::new() }
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
        Fields { node, what: what.to_owned(), asked: Vec::new(), needed: Vec::new() }
    }

    /// Reports options nobody uses.
    pub(super) fn finish_options(&mut self) {
        let document = self.document;
        let Some(options) = document.root.entry("options") else { return };
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
    }
}
