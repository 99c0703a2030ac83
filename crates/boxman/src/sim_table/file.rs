//! A table as somebody writes it down: TOML that names the rules, the meters, who sits there and
//! how long a day is. What is wrong with it is told with its line.

use std::fmt::Display;
use std::ops::Range;
use std::path::Path;

use craps::Cents;
use craps::did_you_mean::{hint, nearest};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A table file, read and not yet made a table.
pub(super) struct TableFile {
    pub(super) rules: Vec<String>,
    pub(super) options: Vec<Placed<String>>,
    pub(super) rolls: u32,
    pub(super) pace: u32,
    pub(super) days: Option<u64>,
    pub(super) meters: Vec<MeterTable>,
    pub(super) seats: Vec<SeatTable>,
}

/// Something and the line it was written in.
pub(super) struct Placed<T> {
    pub(super) line: usize,
    pub(super) value: T,
}

/// `[meter.NAME]`
pub(super) struct MeterTable {
    pub(super) name: Placed<String>,
    /// The terms written, by their keys.
    pub(super) terms: Vec<(&'static str, String)>,
    pub(super) start: Option<Cents>,
}

/// `[[seat]]`
pub(super) struct SeatTable {
    pub(super) name: Option<String>,
    pub(super) plan: Placed<String>,
    pub(super) params: Vec<(String, String)>,
    pub(super) bankroll: Cents,
    pub(super) count: usize,
    /// Whether somebody buys in anew once the plan is ruined, and once it has left.
    pub(super) again: [bool; 2],
}

/// The most seats a table has.
const SEATS: usize = craps::Seat::COUNT;
/// How many rolls make an hour, where nobody says.
const PACE: i64 = 144;

/// The keys of a meter that are terms of it.
const TERMS: [&str; 5] = ["seed", "increment", "reserve", "ceiling", "winners"];

impl TableFile {
    /// Reads the text of `file`.
    pub(super) fn parse(file: &Path, text: &str) -> Result<TableFile, String> {
        let reader = Reader { file, text };
        let table = DeTable::parse(text).map_err(|error| {
            reader
                .fault(&error.span().unwrap_or(0..0), error.message().lines().next().unwrap_or(""))
        })?;
        let keys = [
            "rules", "options", "rolls", "hours", "pace", "days", "ruined", "left", "meter", "seat",
        ];
        let root = reader.fields("a table file", table.get_ref(), 0..0, &keys)?;
        let rules = root.texts("rules")?.into_iter().map(|text| text.value).collect();
        let pace = root.whole("pace", 1..=100_000)?.unwrap_or(PACE);
        let rolls = match (root.whole("rolls", 1..=10_000_000)?, root.decimal("hours")?) {
            (Some(_), Some(_)) => {
                return Err(
                    root.fault("hours", "a day is so many `rolls` or so many `hours`, not both")
                );
            }
            (None, None) => return Err(root.needs("hours = 8")),
            (Some(rolls), None) => rolls,
            (None, Some(hundredths)) => match hundredths * pace / 100 {
                rolls @ 1..=10_000_000 => rolls,
                _ => return Err(root.fault("hours", "a day has 1 to 10,000,000 rolls")),
            },
        };
        let again =
            [root.afterwards("ruined")?.unwrap_or(true), root.afterwards("left")?.unwrap_or(false)];
        let mut meters = Vec::new();
        if let Some(all) = root.table("meter")? {
            for (name, value) in all {
                meters.push(meter(&reader, name, value)?);
            }
        }
        let mut seats = Vec::new();
        for value in root.tables("seat")? {
            seats.push(seat(&reader, value, again)?);
        }
        match seats.iter().map(|seat: &SeatTable| seat.count).sum() {
            0 => return Err(root.needs("[[seat]]")),
            count if count > SEATS => {
                let message = format!("a table has {SEATS} seats, this one would need {count}");
                return Err(root.fault("seat", message));
            }
            _ => {}
        }
        let days = root.whole("days", 1..=i64::MAX)?.map(|days| days as u64);
        let (rolls, pace) = (rolls as u32, pace as u32);
        let options = root.texts("options")?;
        Ok(TableFile { rules, options, rolls, pace, days, meters, seats })
    }
}

fn meter(
    reader: &Reader<'_>,
    name: &Spanned<std::borrow::Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) -> Result<MeterTable, String> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err(reader.fault(&value.span(), "a meter is a table, as in [meter.PT-BJS-MEA-03]"));
    };
    let keys = [&TERMS[..], &["start"]].concat();
    let fields = reader.fields("a meter", table, name.span(), &keys)?;
    let mut terms = Vec::new();
    for key in TERMS {
        if let Some(value) = fields.value(key) {
            terms.push((key, reader.word(key, value)?));
        }
    }
    let name = Placed { line: reader.line(&name.span()), value: name.get_ref().to_string() };
    Ok(MeterTable { name, terms, start: fields.amount("start")? })
}

fn seat(
    reader: &Reader<'_>,
    value: &Spanned<DeValue<'_>>,
    again: [bool; 2],
) -> Result<SeatTable, String> {
    let DeValue::Table(table) = value.get_ref() else {
        return Err(reader.fault(&value.span(), "a seat is a table, as in [[seat]]"));
    };
    let keys = ["name", "plan", "params", "bankroll", "count", "ruined", "left"];
    let fields = reader.fields("a seat", table, value.span(), &keys)?;
    let mut params = Vec::new();
    for (name, value) in fields.table("params")?.into_iter().flatten() {
        params.push((name.get_ref().to_string(), reader.word(name.get_ref(), value)?));
    }
    let plan = fields.text("plan")?.ok_or_else(|| fields.needs("plan = \"pass\""))?;
    let bankroll = fields.amount("bankroll")?.ok_or_else(|| fields.needs("bankroll = 300"))?;
    if bankroll == Cents::ZERO {
        return Err(fields.fault("bankroll", "nobody sits down with nothing"));
    }
    Ok(SeatTable {
        name: fields.text("name")?.map(|name| name.value),
        plan,
        params,
        bankroll,
        count: fields.whole("count", 1..=SEATS as i64)?.unwrap_or(1) as usize,
        again: [
            fields.afterwards("ruined")?.unwrap_or(again[0]),
            fields.afterwards("left")?.unwrap_or(again[1]),
        ],
    })
}

/// Knows the lines of a file.
struct Reader<'a> {
    file: &'a Path,
    text: &'a str,
}

impl<'a> Reader<'a> {
    fn line(&self, span: &Range<usize>) -> usize {
        self.text.get(..span.start).unwrap_or(self.text).matches('\n').count() + 1
    }

    fn fault(&self, span: &Range<usize>, message: impl Display) -> String {
        format!("{}:{}: {message}", self.file.display(), self.line(span))
    }

    /// The entries of a table that may have these keys and no others.
    fn fields<'b>(
        &'b self,
        what: &'static str,
        table: &'b DeTable<'a>,
        span: Range<usize>,
        keys: &[&str],
    ) -> Result<Fields<'b, 'a>, String> {
        for key in table.keys() {
            let name: &str = key.get_ref();
            if !keys.contains(&name) {
                let near = hint(nearest(name, keys.iter().copied()));
                return Err(self.fault(&key.span(), format!("{what} has no key `{name}`{near}")));
            }
        }
        Ok(Fields { reader: self, what, table, span })
    }

    /// A text, a number or yes or no, as an option would write it.
    fn word(&self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<String, String> {
        Ok(match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned(),
            DeValue::Float(number) => number.as_str().to_owned(),
            DeValue::Boolean(truth) => truth.to_string(),
            _ => return Err(self.fault(&value.span(), format!("`{key}` is a number or a text"))),
        })
    }
}

/// The entries of one table.
struct Fields<'b, 'a> {
    reader: &'b Reader<'a>,
    what: &'static str,
    table: &'b DeTable<'a>,
    span: Range<usize>,
}

impl<'b, 'a> Fields<'b, 'a> {
    fn value(&self, key: &str) -> Option<&'b Spanned<DeValue<'a>>> {
        self.table.iter().find(|(known, _)| known.get_ref() == key).map(|(_, value)| value)
    }

    /// A fault where `key` was written, or where the table begins.
    fn fault(&self, key: &str, message: impl Display) -> String {
        let span = self.value(key).map_or_else(|| self.span.clone(), Spanned::span);
        self.reader.fault(&span, message)
    }

    fn needs(&self, example: &str) -> String {
        self.reader.fault(&self.span, format!("{} needs a line such as `{example}`", self.what))
    }

    fn text(&self, key: &str) -> Result<Option<Placed<String>>, String> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let line = self.reader.line(&value.span());
        match value.get_ref() {
            DeValue::String(text) => Ok(Some(Placed { line, value: text.to_string() })),
            _ => Err(self.fault(key, format!("`{key}` is a text in quotes"))),
        }
    }

    /// Texts, one or a list of them.
    fn texts(&self, key: &str) -> Result<Vec<Placed<String>>, String> {
        let Some(DeValue::Array(list)) = self.value(key).map(Spanned::get_ref) else {
            return Ok(self.text(key)?.into_iter().collect());
        };
        let text = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
            DeValue::String(text) => {
                Ok(Placed { line: self.reader.line(&value.span()), value: text.to_string() })
            }
            _ => Err(self
                .reader
                .fault(&value.span(), format!("`{key}` is a list of texts in quotes"))),
        };
        list.iter().map(text).collect()
    }

    fn whole(
        &self,
        key: &str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<Option<i64>, String> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let number = match value.get_ref() {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        let number = number.filter(|number| range.contains(number)).ok_or_else(|| {
            let most = match *range.end() {
                i64::MAX => " on".to_owned(),
                most => format!(" to {most}"),
            };
            self.fault(key, format!("`{key}` is a whole number from {}{most}", range.start()))
        });
        number.map(Some)
    }

    /// A number with at most two decimals, in hundredths.
    fn decimal(&self, key: &str) -> Result<Option<i64>, String> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let number = self.reader.word(key, value).ok().and_then(|text| text.parse::<Cents>().ok());
        let number = number.filter(|number| *number > Cents::ZERO && number.0 <= 1_000_000);
        let number = number.ok_or_else(|| {
            self.fault(key, format!("`{key}` is a number up to 10,000, such as 8 or 7.5"))
        });
        number.map(|number| Some(number.0))
    }

    fn amount(&self, key: &str) -> Result<Option<Cents>, String> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let amount = self.reader.word(key, value)?.parse::<Cents>().ok();
        let amount = amount.filter(|amount| (Cents::ZERO..=Cents::MOST).contains(amount));
        amount.map(Some).ok_or_else(|| {
            self.fault(key, format!("`{key}` is an amount in dollars, such as 300 or 12.50"))
        })
    }

    /// Whether somebody buys in anew.
    fn afterwards(&self, key: &str) -> Result<Option<bool>, String> {
        let Some(word) = self.text(key)? else { return Ok(None) };
        match word.value.as_str() {
            AFTERWARDS_AGAIN => Ok(Some(true)),
            AFTERWARDS_AWAY => Ok(Some(false)),
            other => {
                let near = hint(nearest(other, [AFTERWARDS_AGAIN, AFTERWARDS_AWAY]));
                let message =
                    format!("`{key}` is \"{AFTERWARDS_AGAIN}\" or \"{AFTERWARDS_AWAY}\"{near}");
                Err(self.fault(key, message))
            }
        }
    }

    fn table(&self, key: &str) -> Result<Option<&'b DeTable<'a>>, String> {
        match self.value(key).map(Spanned::get_ref) {
            None => Ok(None),
            Some(DeValue::Table(table)) => Ok(Some(table)),
            Some(_) => Err(self.fault(key, format!("`{key}` is a table"))),
        }
    }

    fn tables(&self, key: &str) -> Result<Vec<&'b Spanned<DeValue<'a>>>, String> {
        match self.value(key).map(Spanned::get_ref) {
            None => Ok(Vec::new()),
            Some(DeValue::Array(tables)) => Ok(tables.iter().collect()),
            Some(_) => Err(self.fault(key, format!("each `{key}` begins with [[{key}]]"))),
        }
    }
}

/// Somebody buys in anew with the same plan.
pub(super) const AFTERWARDS_AGAIN: &str = "buys-in";
/// The seat stays empty for the day.
pub(super) const AFTERWARDS_AWAY: &str = "stays-away";
