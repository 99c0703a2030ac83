//! What a request would change, line by line: the second person reads it before agreeing.
//!
//! Lines are written into the log, and an audit derives them again. So their words are part of
//! the format of the log: words that change need a new edition.

use craps::Cents;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// One thing that a request would change.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// What changes, such as `rack of seat 3, Ann`.
    pub what: String,
    /// What it is now; empty if there is nothing yet.
    pub before: String,
    /// What it would be; empty if nothing is left.
    pub after: String,
}

impl Line {
    /// A line.
    pub fn new(
        what: impl Into<String>,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Line {
        Line { what: what.into(), before: before.into(), after: after.into() }
    }

    /// The same line in words: `rack of seat 3, Ann: $100 → $600`.
    pub fn in_words(&self) -> String {
        let or_nothing = |text: &str| if text.is_empty() { "nothing" } else { text }.to_owned();
        format!("{}: {} → {}", self.what, or_nothing(&self.before), or_nothing(&self.after))
    }
}

/// Things that have a name and a value, in order: what a table or a meter is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts(Vec<(String, String)>);

impl Facts {
    /// Adds one.
    pub(crate) fn add(&mut self, what: impl Into<String>, value: impl Into<String>) {
        self.0.push((what.into(), value.into()));
    }

    /// What is different afterwards, in the order of the facts before and then of new ones.
    pub(crate) fn changes(&self, after: &Facts) -> Vec<Line> {
        let Facts(before) = self;
        let find = |facts: &[(String, String)], what: &str| {
            let found = facts.iter().find(|(other, _)| other == what);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        let new = after.0.iter().filter(|(what, _)| before.iter().all(|(other, _)| other != what));
        let all = before
            .iter()
            .chain(new)
            .map(|(what, _)| Line::new(what.clone(), find(before, what), find(&after.0, what)));
        all.filter(|line| line.before != line.after).collect()
    }
}

/// Lines that came one after the other, taken together: what was before all, and what is now.
pub(crate) fn together<'a>(lines: impl Iterator<Item = &'a Line>) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::new();
    for line in lines {
        match all.iter_mut().find(|known| known.what == line.what) {
            Some(known) => known.after.clone_from(&line.after),
            None => all.push(line.clone()),
        }
    }
    all.retain(|line| line.before != line.after);
    all
}

/// Where a request and what an audit derives of it part; none where they do not.
pub(crate) fn difference(recorded: &[Line], derived: &[Line]) -> Option<String> {
    let pairs = recorded.iter().map(Some).chain(std::iter::repeat(None));
    let due = derived.iter().map(Some).chain(std::iter::repeat(None));
    let longest = recorded.len().max(derived.len());
    let (recorded, derived) = pairs.zip(due).take(longest).find(|(one, other)| one != other)?;
    let say = |line: Option<&Line>| line.map_or("nothing".to_owned(), Line::in_words);
    Some(format!(
        "the request says `{}`, and what was asked for comes to `{}`",
        say(recorded),
        say(derived)
    ))
}

/// A wager or an option of a rulebook in plain words: `dont-pass` is `don't pass`.
pub(crate) fn plain(name: &str) -> String {
    let words = name.split(' ').map(|word| match word.strip_prefix("dont-") {
        Some(rest) => format!("don't {}", rest.replace('-', " ")),
        None => word.replace('-', " "),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// An amount as people write it: `$1,234.50`, `-$5`.
pub(crate) fn dollars(amount: Cents) -> String {
    let sign = if amount < Cents::ZERO { "-" } else { "" };
    let cents = amount.0.unsigned_abs();
    let whole = (cents / 100).to_string();
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match cents % 100 {
        0 => format!("{sign}${grouped}"),
        below => format!("{sign}${grouped}.{below:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_on_the_pages() {
        let cases = [(0, "$0"), (5, "$0.05"), (-500, "-$5"), (100_000, "$1,000")];
        for (cents, text) in cases {
            assert_eq!(dollars(Cents(cents)), text);
        }
        assert_eq!(dollars(Cents(12_345_678_905)), "$123,456,789.05");
    }

    #[test]
    fn wagers_are_in_plain_words() {
        let cases = [
            ("dont-pass", "don't pass"),
            ("odds dont-come 6", "odds don't come 6"),
            ("all-small", "all small"),
            ("place 6", "place 6"),
        ];
        for (name, words) in cases {
            assert_eq!(plain(name), words);
        }
    }

    #[test]
    fn only_what_changes_is_a_line() {
        let facts = |all: &[(&str, &str)]| {
            let mut facts = Facts::default();
            all.iter().for_each(|(what, value)| facts.add(*what, *value));
            facts
        };
        let before = facts(&[("puck", "off"), ("rack", "$5"), ("bet", "$10")]);
        let after = facts(&[("puck", "off"), ("rack", "$15"), ("tray", "$1")]);
        let lines = before.changes(&after);
        let words: Vec<String> = lines.iter().map(Line::in_words).collect();
        assert_eq!(words, ["rack: $5 → $15", "bet: $10 → nothing", "tray: nothing → $1"]);
        assert_eq!(difference(&lines, &lines), None);
        assert!(difference(&lines[..2], &lines).unwrap().contains("tray"));
    }
}
