//! Params: numbers that can be set without changing a plan, and what the comment behind one says
//! about it: `param unit = 10;   // dollars 5..100: the flat bet`.

use std::collections::BTreeMap;

use craps::did_you_mean::{hint, nearest};
use rhai::Position;
use rust_decimal::Decimal;

use crate::fault::Fault;
use crate::seat::Value;

/// Something that can be set without changing the plan: `param unit = 10;`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What it is where nobody sets it.
    pub default: Value,
    /// What it is.
    pub value: Value,
    /// What it counts, such as `dollars`.
    pub unit: Option<String>,
    /// What it is for.
    pub about: Option<String>,
    /// The least it may be.
    pub least: Option<Decimal>,
    /// The most it may be.
    pub most: Option<Decimal>,
}

impl Param {
    /// What it may be, in words: `5 or more`, `from 1 to 20`.
    pub fn range(&self) -> Option<String> {
        match (self.least, self.most) {
            (None, None) => None,
            (Some(least), None) => Some(format!("{least} or more")),
            (None, Some(most)) => Some(format!("{most} or less")),
            (Some(least), Some(most)) => Some(format!("from {least} to {most}")),
        }
    }

    /// Why it cannot be this.
    fn refuses(&self, value: &Value) -> Option<String> {
        let name = &self.name;
        let range = self.range()?;
        let Some(number) = value.number() else {
            return Some(format!("`{name}` is {}, it has no range", value.kind()));
        };
        let within = self.least.is_none_or(|least| number >= least)
            && self.most.is_none_or(|most| number <= most);
        (!within).then(|| format!("`{name}` is {range}, not {number}"))
    }

    /// A text as a value of the same kind. An amount will do for a whole number of dollars.
    fn read(&self, text: &str) -> Option<Value> {
        match self.default {
            Value::Number(_) | Value::Dollars(_) => {
                let text = text.strip_prefix('$').unwrap_or(text);
                if let Ok(number) = text.parse() {
                    return Some(Value::Number(number));
                }
                let counts = matches!(self.default, Value::Number(_))
                    && self.unit.as_ref().is_some_and(|unit| unit != "dollars");
                if counts { None } else { text.parse().ok().map(Value::Dollars) }
            }
            Value::Flag(_) => text.parse().ok().map(Value::Flag),
            Value::Text(_) => Some(Value::Text(text.to_owned())),
        }
    }
}

/// The params that a plan declares, with the lines they stand in, and with what was set.
pub(crate) fn params(
    plan: &str,
    source: &str,
    declared: Vec<(String, usize, Value)>,
    set: &[(String, String)],
) -> Result<Vec<Param>, Fault> {
    let fault = |message| Fault::at(plan, "", Position::NONE, message);
    for (name, _) in set {
        if !declared.iter().any(|(known, ..)| known == name) {
            let near = hint(nearest(name, declared.iter().map(|(known, ..)| known.as_str())));
            return Err(fault(format!("there is no param `{name}`{near}")));
        }
    }
    let set: BTreeMap<&str, &str> =
        set.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let read = |(name, line, default): (String, usize, Value)| {
        let in_line = |message| {
            let place = Position::new(u16::try_from(line).unwrap_or(u16::MAX), 1);
            Fault::at(plan, source, place, message)
        };
        let text = line.checked_sub(1).and_then(|line| source.lines().nth(line));
        let mut param = described(name, default, comment(text.unwrap_or(""))).map_err(in_line)?;
        if let Some(why) = param.refuses(&param.default) {
            return Err(in_line(why));
        }
        if let Some(text) = set.get(param.name.as_str()) {
            let Param { name, default, .. } = &param;
            let value = param.read(text).ok_or_else(|| {
                let kind = default.kind();
                fault(format!("`{name}` is {kind} such as {default}, not `{text}`"))
            })?;
            if let Some(why) = param.refuses(&value) {
                return Err(fault(why));
            }
            param.value = value;
        }
        Ok(param)
    };
    declared.into_iter().map(read).collect()
}

/// A param with what its comment says: `dollars 5..100: the flat bet`, or only what it is for.
fn described(name: String, default: Value, comment: Option<&str>) -> Result<Param, String> {
    let value = default.clone();
    let (unit, about, least, most) = (None, None, None, None);
    let mut param = Param { name, default, value, unit, about, least, most };
    let Some(comment) = comment.filter(|comment| !comment.is_empty()) else { return Ok(param) };
    param.about = Some(comment.to_owned());
    let Some((head, about)) = comment.split_once(':') else { return Ok(param) };
    let (unit, range) = match *head.split_whitespace().collect::<Vec<_>>() {
        [range] if range.contains("..") => (None, Some(range)),
        [unit] => (Some(unit), None),
        [unit, range] if range.contains("..") => (Some(unit), Some(range)),
        _ => return Ok(param),
    };
    param.unit = unit.map(str::to_owned);
    param.about = Some(about.trim().to_owned());
    if let Some(range) = range {
        (param.least, param.most) = ends(range)
            .ok_or_else(|| format!("`{range}` is no range, write 5.., ..100 or 5..100"))?;
    }
    Ok(param)
}

/// The ends of a range, both of which are in it.
fn ends(range: &str) -> Option<(Option<Decimal>, Option<Decimal>)> {
    let (least, most) = range.split_once("..")?;
    let end = |text: &str| match text {
        "" => Some(None),
        text => text.parse().ok().map(Some),
    };
    let (least, most) = (end(least)?, end(most)?);
    match (least, most) {
        (Some(least), Some(most)) if least > most => None,
        ends => Some(ends),
    }
}

/// What stands behind `//` in a line, outside of any text.
fn comment(line: &str) -> Option<&str> {
    let (mut in_text, mut escaped) = (false, false);
    for (place, letter) in line.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = in_text,
            '"' => in_text = !in_text,
            '/' if !in_text && line[place..].starts_with("//") => {
                return Some(line[place + 2..].trim());
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, unit: Option<&str>, about: Option<&str>, range: Option<&str>) {
        let param = described("n".to_owned(), Value::Number(1), comment(line)).unwrap();
        assert_eq!(param.unit.as_deref(), unit);
        assert_eq!(param.about.as_deref(), about);
        assert_eq!(param.range().as_deref(), range);
    }

    #[test]
    fn what_a_comment_says() {
        check("param n = 1;", None, None, None);
        check("param n = 1;  //", None, None, None);
        check("param n = 1; // the flat bet", None, Some("the flat bet"), None);
        check("param n = 1; // dollars: a: b", Some("dollars"), Some("a: b"), None);
        check(
            "param n = 1; // dollars 5..: on it",
            Some("dollars"),
            Some("on it"),
            Some("5 or more"),
        );
        check("param n = 1; // ..7: of them", None, Some("of them"), Some("7 or less"));
        check(
            "param n = \"a//b\\\"//\"; // steps 1..2.5:",
            Some("steps"),
            Some(""),
            Some("from 1 to 2.5"),
        );
        check("param n = 1; // more than two words: x", None, Some("more than two words: x"), None);
        for range in ["5..x", "..5..", "9..5", "...", "1..2..3"] {
            assert_eq!(ends(range), None, "{range}");
        }
    }
}
