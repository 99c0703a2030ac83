//! A rulebook as it was written: a tree of TOML values that know their lines.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{At, Fault, Faults};

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
