//! As much of JSON Schema as the description of the API uses: a value is checked against a
//! schema, and schemas are made into values that fit and values that do not.

use boxman_client::{Value, json};

/// Words that say nothing about a value.
const REMARKS: [&str; 4] = ["description", "example", "format", "propertyNames"];
/// Words that are checked, or followed, here.
const CHECKED: [&str; 19] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "enum",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "oneOf",
    "pattern",
    "prefixItems",
    "properties",
    "required",
    "type",
    "const",
];
/// A text for every pattern there is.
const PATTERNS: [(&str, &str); 6] = [
    ("^[A-Za-z0-9_-]+$", "id-1"),
    ("^[0-9a-fA-F]{64}$", "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"),
    ("^[1-6]-[1-6]$", "3-4"),
    ("^[a-z0-9.]{2,24}$", "somebody.2"),
    ("^[0-9a-z]{7}$", "0000017"),
    ("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "2026-01-31"),
];
/// The longest list of samples for one schema.
const SAMPLES: usize = 40;

/// A description of an API.
pub(crate) struct Document(pub(crate) Value);

/// A value with one thing changed.
pub(crate) struct Variation {
    pub(crate) what: String,
    pub(crate) value: Value,
    /// Whether it fits no more.
    pub(crate) wrong: bool,
}

const MORE: &str = "a field too many";

impl Document {
    /// What a schema says, wherever it says it.
    pub(crate) fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(place) => {
                let place = place.strip_prefix('#').expect("it is in this document");
                let found = self.0.pointer(place);
                self.resolve(found.unwrap_or_else(|| panic!("there is no {place}")))
            }
            None => schema,
        }
    }

    pub(crate) fn component(&self, name: &str) -> &Value {
        &self.0["components"]["schemas"][name]
    }

    /// Why a value does not fit a schema.
    pub(crate) fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        self.fits(self.resolve(schema), value, "")
    }

    fn fits(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let schema = self.resolve(schema);
        let words = match schema {
            Value::Bool(true) => return Ok(()),
            Value::Bool(false) => return Err(format!("{at}: nothing may be here: {value}")),
            schema => schema.as_object().expect("a schema is an object"),
        };
        for word in words.keys() {
            let known = REMARKS.contains(&word.as_str()) || CHECKED.contains(&word.as_str());
            assert!(known, "{at}: this test does not know `{word}`");
        }
        let wrong = |why: &str| Err(format!("{at}: {why}: {value}"));
        if !types(schema).is_empty() && !types(schema).iter().any(|kind| is_a(kind, value)) {
            return wrong(&format!("not of type {}", schema["type"]));
        }
        if let Some(values) = schema["enum"].as_array().filter(|all| !all.contains(value)) {
            return wrong(&format!("none of {values:?}"));
        }
        if !in_bounds(schema, value) {
            return wrong(&format!("out of the bounds of {schema}"));
        }
        self.fits_some(schema, value, at)?;
        match value {
            Value::Object(_) => self.fits_object(schema, value, at),
            Value::Array(values) => self.fits_array(schema, values, at),
            _ => Ok(()),
        }
    }

    fn fits_some(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        for (word, enough) in [("oneOf", 1..=1), ("anyOf", 1..=usize::MAX)] {
            let Some(choices) = schema[word].as_array() else { continue };
            let tried = choices.iter().map(|choice| self.fits(choice, value, at));
            let (fitting, not): (Vec<_>, Vec<_>) = tried.partition(Result::is_ok);
            if !enough.contains(&fitting.len()) {
                return Err(format!("{at}: {} of {word} fit: {not:?}", fitting.len()));
            }
        }
        let all = schema["allOf"].as_array().into_iter().flatten();
        all.into_iter().try_for_each(|part| self.fits(part, value, at))
    }

    fn fits_object(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        for name in schema["required"].as_array().into_iter().flatten() {
            if value.get(name.as_str().unwrap()).is_none() {
                return Err(format!("{at}: {name} is missing: {value}"));
            }
        }
        for (name, value) in value.as_object().into_iter().flatten() {
            let at = format!("{at}/{name}");
            match (schema["properties"].get(name), schema.get("additionalProperties")) {
                (Some(property), _) => self.fits(property, value, &at)?,
                (None, Some(others)) => self.fits(others, value, &at)?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    fn fits_array(&self, schema: &Value, values: &[Value], at: &str) -> Result<(), String> {
        let first = schema["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
        if values.len() < first.len() {
            return Err(format!("{at}: shorter than {}", first.len()));
        }
        for (place, value) in values.iter().enumerate() {
            let at = format!("{at}/{place}");
            match (first.get(place), schema.get("items")) {
                (Some(item), _) | (None, Some(item)) => self.fits(item, value, &at)?,
                (None, None) => {}
            }
        }
        Ok(())
    }

    /// Values that fit: each choice there is at least once.
    pub(crate) fn samples(&self, schema: &Value) -> Vec<Value> {
        let schema = self.resolve(schema);
        if let Some(example) = schema.get("example") {
            return vec![example.clone()];
        }
        if let Some(values) = schema["enum"].as_array() {
            return values.clone();
        }
        if let Some(choices) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
            let all = choices.iter().flat_map(|choice| self.samples(choice));
            return all.take(SAMPLES).collect();
        }
        let kinds = types(schema);
        let mut values = match kinds.first().copied().unwrap_or("object") {
            "object" => self.objects(schema),
            "array" => vec![Value::Array(self.samples(&schema["items"]))],
            "string" => vec![json!(text(schema))],
            "integer" | "number" => vec![schema.get("minimum").cloned().unwrap_or(json!(1))],
            "boolean" => vec![json!(true), json!(false)],
            "null" => vec![Value::Null],
            kind => panic!("this test makes no {kind}"),
        };
        values.extend(kinds.contains(&"null").then_some(Value::Null));
        values
    }

    fn objects(&self, schema: &Value) -> Vec<Value> {
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let choices: Vec<(&String, Vec<Value>)> =
            properties.iter().map(|(name, schema)| (name, self.samples(schema))).collect();
        let most = choices.iter().map(|(_, values)| values.len()).max().unwrap_or(1);
        let object = |turn: usize| {
            let pick = |(name, values): &(&String, Vec<Value>)| {
                ((*name).clone(), values[turn % values.len()].clone())
            };
            Value::Object(choices.iter().map(pick).collect())
        };
        (0..most.min(SAMPLES)).map(object).collect()
    }

    /// A value with one thing changed, and then another.
    pub(crate) fn variations(&self, schema: &Value, value: &Value) -> Vec<Variation> {
        let mut all = Vec::new();
        self.vary(schema, value, &mut |what, value| {
            let wrong = what.starts_with(MORE) || self.check(schema, &value).is_err();
            all.push(Variation { what, value, wrong });
        });
        all
    }

    /// Changes one thing of a value, then another, wherever there is one to change.
    fn vary(&self, schema: &Value, value: &Value, found: &mut dyn FnMut(String, Value)) {
        let schema = self.choice(schema, value);
        for other in [json!(null), json!(true), json!(7), json!("x"), json!([]), json!({})] {
            found(format!("{other} for it"), other);
        }
        for edge in edges(value) {
            found("an edge of it".to_owned(), edge);
        }
        let Value::Object(fields) = value else { return };
        // Names are free only where the description says what they stand for.
        if !schema["additionalProperties"].is_object() {
            let mut more = fields.clone();
            more.insert("unheard-of".to_owned(), json!(1));
            found(MORE.to_owned(), Value::Object(more));
        }
        for (name, inner) in fields {
            let mut less = fields.clone();
            less.remove(name);
            found(format!("no {name}"), Value::Object(less));
            let Some(property) = schema["properties"].get(name) else { continue };
            self.vary(property, inner, &mut |what, changed| {
                let mut fields = fields.clone();
                fields.insert(name.clone(), changed);
                found(format!("{what} in {name}"), Value::Object(fields));
            });
        }
    }

    /// The one choice of a schema that a value fits.
    fn choice<'a>(&'a self, schema: &'a Value, value: &Value) -> &'a Value {
        let schema = self.resolve(schema);
        let choices = schema["oneOf"].as_array().into_iter().flatten();
        let fitting = choices.into_iter().find(|choice| self.check(choice, value).is_ok());
        fitting.map_or(schema, |choice| self.resolve(choice))
    }
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn is_a(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        kind => panic!("there is no type {kind}"),
    }
}

fn in_bounds(schema: &Value, value: &Value) -> bool {
    let bound = |word: &str| schema[word].as_i64().map(i128::from);
    let number = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from));
    let letters = value.as_str().map(|text| text.chars().count() as i128);
    let items = value.as_array().map(|values| values.len() as i128);
    let over = |least: &str, found: Option<i128>| {
        found.zip(bound(least)).is_none_or(|(found, least)| found >= least)
    };
    let under = |most: &str, found: Option<i128>| {
        found.zip(bound(most)).is_none_or(|(found, most)| found <= most)
    };
    over("minimum", number)
        && under("maximum", number)
        && over("minLength", letters)
        && under("maxLength", letters)
        && over("minItems", items)
        && under("maxItems", items)
}

fn text(schema: &Value) -> String {
    if let Some(pattern) = schema["pattern"].as_str() {
        let known = PATTERNS.iter().find(|(known, _)| *known == pattern);
        return known.unwrap_or_else(|| panic!("no text for {pattern}")).1.to_owned();
    }
    "somewhat long"[..schema["minLength"].as_u64().unwrap_or(1) as usize].to_owned()
}

/// Numbers and texts that are the last of their kind.
fn edges(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(_) => vec![
            json!(0),
            json!(-1),
            json!(24),
            json!(255),
            json!(256),
            json!(i64::MAX),
            json!(i64::MIN),
            json!(u64::MAX),
            json!(1.5),
            json!(1e300),
        ],
        Value::String(_) => vec![
            json!(""),
            json!(" "),
            json!("x".repeat(300)),
            json!("\u{202e}💣 ñ\u{0}\u{7f}"),
            json!("' OR 1=1; --"),
            json!("../../etc/passwd"),
            json!("place 99999999999999999999"),
        ],
        Value::Array(values) => {
            vec![json!([]), json!(values.iter().cycle().take(300).collect::<Vec<_>>())]
        }
        _ => Vec::new(),
    }
}
