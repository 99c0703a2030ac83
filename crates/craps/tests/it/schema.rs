//! The schema that editors check and complete rulebooks by says what the reader does: every key,
//! every word, every key that has to be there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use craps::Rulebook;
use craps::rulebook::Asked;
use regex::Regex;
use serde_json::{Map, Value, json};
use toml::de::{DeTable, DeValue};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schema() -> Value {
    let text = std::fs::read_to_string(root().join("rulebooks/rulebook.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Every rulebook that people are shown.
fn shown() -> Vec<(String, String)> {
    let folders = ["rulebooks", "docs"].map(|folder| root().join(folder));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut found = Vec::new();
    for path in files.map(|file| file.unwrap().path()) {
        if path.extension().is_some_and(|end| end == "toml") {
            let text = std::fs::read_to_string(&path).unwrap();
            if text.contains("\n[limits]") {
                found.push((path.file_name().unwrap().to_string_lossy().into_owned(), text));
            }
        }
    }
    assert!(found.len() >= 16, "{} rulebooks were found", found.len());
    found
}

#[test]
fn every_rulebook_names_the_schema_and_keeps_to_it() {
    let schema = Schema(schema());
    for (file, text) in shown() {
        let first = text.lines().next().unwrap();
        assert!(
            first.starts_with("#:schema ") && first.ends_with("rulebook.schema.json"),
            "{file} does not name its schema"
        );
        assert_eq!(schema.check(&document(&text)), None, "{file}");
        assert!(Rulebook::parse(&file, &text).is_ok(), "{file}");
    }
}

/// What the schema refuses, the reader refuses too.
#[test]
fn mistakes_are_found_by_both() {
    let text = std::fs::read_to_string(root().join("rulebooks/presque-isle.toml")).unwrap();
    let schema = Schema(schema());
    for (right, wrong) in [
        ("title = \"Pass Line\"", "titel = \"Pass Line\""),
        ("title = \"Any Craps\"\n", ""),
        ("shape = \"race\"", "shape = \"rase\""),
        ("side = \"right\"", "side = \"left\""),
        ("pays = \"4 to 1\"", "pays = \"4 : 1\""),
        ("kind = \"base\"", "kind = \"main\""),
        ("points = [4, 5, 6, 8, 9, 10]", ""),
        ("wins = [11]", "wins = [11]\nends-on = [7]"),
        ("wins = [11]", "wins = [13]"),
        ("of = \"stake\"", "of = \"bet\""),
        ("rate = \"5%\"", "rate = 5"),
        ("when = \"come-out\"", "when = \"idle\""),
        ("bar = \"@bar\"", "bar = \"twelve\""),
        ("[limits]\nmin = 1\n", "[limits]\n"),
        ("split = { 2 = \"30 to 1\"", "split = { two = \"30 to 1\""),
    ] {
        assert!(text.contains(right), "{right}");
        let wrong = text.replacen(right, wrong, 1);
        assert!(schema.check(&document(&wrong)).is_some(), "the schema takes {right} changed");
        assert!(Rulebook::parse("wrong.toml", &wrong).is_err(), "the reader takes it: {right}");
    }
}

/// Wagers that have what the shipped ones do not need, so that every key is asked for.
const MORE: &str = include_str!("schema.toml");

/// Everything the reader asks for, by the place in the schema that speaks of it.
fn asked() -> BTreeMap<String, Asked> {
    let mut by_place: BTreeMap<String, Asked> = BTreeMap::new();
    let texts = shown().into_iter().chain([("more.toml".to_owned(), MORE.to_owned())]);
    for (file, text) in texts {
        let written = document(&text);
        for asked in Rulebook::asked(&file, &text) {
            let Some(place) = place(&written, &asked.table) else { continue };
            let known = by_place.entry(place).or_insert_with(|| Asked {
                table: asked.table.clone(),
                keys: Vec::new(),
                needed: asked.needed.clone(),
                words: Vec::new(),
            });
            known.keys.extend(asked.keys);
            // What only some wagers of a shape need, the schema cannot ask of all.
            known.needed.retain(|key| asked.needed.contains(key));
            known.words.extend(asked.words);
        }
    }
    by_place
}

/// Where the schema speaks of a table: a wager by its shape.
fn place(written: &Value, table: &str) -> Option<String> {
    if let Some(name) = table.strip_prefix("wager `").and_then(|rest| rest.strip_suffix('`')) {
        let shape = written["wager"][name]["shape"].as_str()?;
        return Some(format!("wager {shape}"));
    }
    if table.contains("` of ") {
        return Some("paytable-entry".to_owned());
    }
    Some(table.trim_matches(['`', '[', ']']).to_owned())
}

/// The part of the schema about a place: its keys, those that have to be there, and where the
/// values of each are described.
fn described(schema: &Value, place: &str) -> (BTreeSet<String>, BTreeSet<String>, Value) {
    let strings = |list: &Value| -> BTreeSet<String> {
        let list = list.as_array().map_or(&[][..], Vec::as_slice);
        list.iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    let keys = |object: &Value| object.as_object().unwrap().keys().cloned().collect();
    if let Some(shape) = place.strip_prefix("wager ") {
        let wager = &schema["definitions"]["wager"];
        let of = |rule: &&Value| rule["if"]["properties"]["shape"]["const"] == shape;
        let mut rules = wager["allOf"].as_array().unwrap().iter();
        let then = &rules.find(of).unwrap_or_else(|| panic!("no rule for {shape}"))["then"];
        let mut values = wager["properties"].clone();
        if let Some(own) = then["properties"].as_object() {
            own.iter().for_each(|(key, value)| values[key] = value.clone());
        }
        return (strings(&then["propertyNames"]["enum"]), strings(&then["required"]), values);
    }
    let part = match place {
        "the rulebook" => schema,
        _ => &schema["definitions"][place],
    };
    let values = &part["properties"];
    assert!(values.is_object(), "the schema says nothing of {place}");
    (keys(values), strings(&part["required"]), values.clone())
}

#[test]
fn schema_and_reader_agree_key_by_key() {
    let schema = schema();
    let asked = asked();
    let shapes = schema["definitions"]["wager"]["allOf"].as_array().unwrap().len();
    assert_eq!(asked.keys().filter(|place| place.starts_with("wager ")).count(), shapes);
    for (place, asked) in &asked {
        let (keys, required, values) = described(&schema, place);
        let heard: BTreeSet<String> = asked.keys.iter().map(ToString::to_string).collect();
        assert_eq!(keys, heard, "keys of {place}: the schema's, the reader's");
        let needed: BTreeSet<String> = asked.needed.iter().map(ToString::to_string).collect();
        let mut required = required;
        if place.starts_with("wager ") {
            required.remove("shape");
        }
        assert_eq!(required, needed, "what {place} needs: the schema's, the reader's");
        for (key, words) in &asked.words {
            let listed: BTreeSet<&str> = enumerated(&values[*key]);
            let known: BTreeSet<&str> = words.iter().map(String::as_str).collect();
            assert_eq!(listed, known, "words for `{key}` of {place}: the schema's, the reader's");
        }
    }
    let every: BTreeSet<String> = asked
        .iter()
        .filter(|(place, _)| place.starts_with("wager "))
        .flat_map(|(_, asked)| asked.keys.iter().map(ToString::to_string))
        .collect();
    let properties = schema["definitions"]["wager"]["properties"].as_object().unwrap();
    assert_eq!(properties.keys().cloned().collect::<BTreeSet<_>>(), every, "keys of any wager");
}

/// The words a value can be, besides an option.
fn enumerated(value: &Value) -> BTreeSet<&str> {
    let of = |list: &'_ Value| list["enum"].as_array().cloned();
    let ways = value["anyOf"].as_array().map_or(&[][..], Vec::as_slice);
    assert!(ways.iter().any(|way| of(way).is_some()), "{value} lists no words");
    let lists = ways.iter().filter_map(|way| way["enum"].as_array());
    lists.flatten().map(|word| word.as_str().unwrap()).collect()
}

/// A TOML document as JSON.
fn document(text: &str) -> Value {
    fn table(of: &DeTable<'_>) -> Value {
        let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let key: &std::borrow::Cow<'_, str> = key.get_ref();
            (key.to_string(), node(value.get_ref()))
        };
        Value::Object(of.iter().map(entry).collect::<Map<String, Value>>())
    }
    fn node(of: &DeValue<'_>) -> Value {
        match of {
            DeValue::String(text) => json!(text),
            DeValue::Integer(number) => json!(number.as_str().parse::<i64>().unwrap()),
            DeValue::Float(number) => json!(number.as_str().parse::<f64>().unwrap()),
            DeValue::Boolean(truth) => json!(truth),
            DeValue::Array(items) => items.iter().map(|item| node(item.get_ref())).collect(),
            DeValue::Table(entries) => table(entries),
            DeValue::Datetime(_) => panic!("no rulebook has a date"),
        }
    }
    table(DeTable::parse(text).unwrap().get_ref())
}

/// As much of JSON Schema (draft 7) as the schema uses; a keyword that is not known here fails.
struct Schema(Value);

impl Schema {
    /// The first thing wrong with a document.
    fn check(&self, document: &Value) -> Option<String> {
        self.fault(&self.0, document).map(|(path, why)| format!("{path}: {why}"))
    }

    fn fault(&self, rule: &Value, value: &Value) -> Option<(String, String)> {
        let rule = rule.as_object().expect("a rule is an object");
        rule.iter().find_map(|(keyword, wanted)| self.keyword(rule, keyword, wanted, value))
    }

    fn holds(&self, rule: &Value, value: &Value) -> bool {
        self.fault(rule, value).is_none()
    }

    fn keyword(
        &self,
        rule: &Map<String, Value>,
        keyword: &str,
        wanted: &Value,
        value: &Value,
    ) -> Option<(String, String)> {
        let here = |why: String| Some((String::new(), why));
        let within = |key: &str, found: Option<(String, String)>| {
            found.map(|(path, why)| (format!("{key}.{path}"), why))
        };
        let rules = || wanted.as_array().unwrap().iter();
        let number = value.as_f64().unwrap_or_default();
        match keyword {
            "$schema" | "title" | "description" | "definitions" | "then" => None,
            "$ref" => {
                let pointer = wanted.as_str().unwrap().trim_start_matches('#');
                self.fault(self.0.pointer(pointer).expect("a reference leads somewhere"), value)
            }
            "type" => {
                let names = wanted.as_array().cloned().unwrap_or(vec![wanted.clone()]);
                let is = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64(),
                    "number" => value.is_number(),
                    other => panic!("type {other}"),
                };
                if names.iter().any(is) { None } else { here(format!("{value} is no {wanted}")) }
            }
            "enum" if rules().any(|word| word == value) => None,
            "const" if wanted == value => None,
            "enum" | "const" => here(format!("{value} is not {wanted}")),
            "pattern" => {
                let text = value.as_str()?;
                let fits = Regex::new(wanted.as_str().unwrap()).unwrap().is_match(text);
                if fits { None } else { here(format!("`{text}` does not fit {wanted}")) }
            }
            "minimum" if value.is_number() && number < wanted.as_f64()? => here("low".to_owned()),
            "maximum" if value.is_number() && number > wanted.as_f64()? => here("high".to_owned()),
            "minItems" if value.as_array()?.len() < wanted.as_u64()? as usize => here("few".into()),
            "maxItems" if value.as_array()?.len() > wanted.as_u64()? as usize => {
                here("many".into())
            }
            "minProperties" if value.as_object()?.len() < wanted.as_u64()? as usize => {
                here("few".into())
            }
            "uniqueItems" => {
                let items = value.as_array()?;
                let twice = items.iter().enumerate().find(|(n, item)| items[..*n].contains(item));
                twice.and_then(|(_, item)| here(format!("{item} is there twice")))
            }
            "minimum" | "maximum" | "minItems" | "maxItems" | "minProperties" => None,
            "items" => {
                let mut items = value.as_array()?.iter();
                items.find_map(|item| self.fault(wanted, item))
            }
            "required" => {
                let object = value.as_object()?;
                let missing = rules().find(|key| !object.contains_key(key.as_str().unwrap()));
                missing.and_then(|key| here(format!("{key} is missing")))
            }
            "properties" => wanted.as_object().unwrap().iter().find_map(|(key, rule)| {
                within(key, self.fault(rule, value.as_object()?.get(key)?))
            }),
            "additionalProperties" => {
                let known = rule.get("properties").and_then(Value::as_object);
                let mut others = value.as_object()?.iter().filter(|(key, _)| {
                    !known.is_some_and(|known| known.contains_key(key.as_str()))
                });
                match wanted {
                    Value::Bool(false) => {
                        others.next().and_then(|(key, _)| here(format!("there is no key {key}")))
                    }
                    rule => others.find_map(|(key, value)| within(key, self.fault(rule, value))),
                }
            }
            "propertyNames" => {
                let mut keys = value.as_object()?.keys();
                keys.find_map(|key| self.fault(wanted, &json!(key)))
            }
            "allOf" => rules().find_map(|rule| self.fault(rule, value)),
            "anyOf" if rules().any(|rule| self.holds(rule, value)) => None,
            "anyOf" => here(format!("{value} is none of what it can be")),
            "if" if self.holds(wanted, value) => self.fault(&rule["then"], value),
            "if" => None,
            other => panic!("the schema says `{other}`, which is not checked here"),
        }
    }
}
