//! Names of tables and meters, short enough to say across the pit.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::dice::{NoRandomness, fresh_bytes};

/// Letters and digits nobody mistakes for each other.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 7;

/// A table's name: seven letters and digits, drawn at random so that tables of different houses
/// do not share one.
///
/// ```
/// use boxman_server::testing::id::TableId;
/// let table: TableId = "0000017".parse().unwrap();
/// assert_eq!(table, TableId(39));
/// assert_eq!(table.to_string(), "0000017");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u32);

impl TableId {
    /// A name nobody has, almost surely.
    pub fn fresh() -> Result<TableId, NoRandomness> {
        fresh_bytes().map(|bytes| TableId(u32::from_be_bytes(bytes)))
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..LENGTH).rev().try_for_each(|place| {
            let digit = (u64::from(self.0) >> (5 * place)) & 31;
            write!(f, "{}", char::from(ALPHABET[digit as usize]))
        })
    }
}

/// A text that names no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotATable(String);

impl fmt::Display for NotATable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a table, expected seven letters and digits", self.0)
    }
}

impl std::error::Error for NotATable {}

impl FromStr for TableId {
    type Err = NotATable;

    fn from_str(text: &str) -> Result<TableId, NotATable> {
        let wrong = || NotATable(text.chars().take(20).collect());
        if text.len() != LENGTH {
            return Err(wrong());
        }
        let mut number: u64 = 0;
        for letter in text.bytes() {
            let digit = ALPHABET.iter().position(|known| *known == letter.to_ascii_lowercase());
            number = number << 5 | digit.ok_or_else(wrong)? as u64;
        }
        u32::try_from(number).map(TableId).map_err(|_| wrong())
    }
}

impl Serialize for TableId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TableId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<TableId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A meter's name: lower-case letters, digits and hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct MeterId(String);

impl MeterId {
    /// The name of a table's own meter for a paytable.
    pub fn local(table: TableId, paytable: &str) -> MeterId {
        MeterId(format!("{table}-{}", paytable.to_ascii_lowercase()))
    }

    /// The table whose own it is, by its name.
    pub fn owner(&self) -> Option<TableId> {
        let (table, _) = self.0.split_once('-')?;
        table.parse().ok()
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for MeterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that cannot name a meter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAMeter(String);

impl fmt::Display for NotAMeter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotAMeter(text) = self;
        write!(f, "`{text}` cannot name a meter: 1 to 64 lower-case letters, digits and hyphens")
    }
}

impl std::error::Error for NotAMeter {}

impl FromStr for MeterId {
    type Err = NotAMeter;

    fn from_str(text: &str) -> Result<MeterId, NotAMeter> {
        let fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        match (1..=64).contains(&text.len()) && text.bytes().all(fine) {
            true => Ok(MeterId(text.to_owned())),
            false => Err(NotAMeter(text.chars().take(20).collect())),
        }
    }
}

impl<'de> Deserialize<'de> for MeterId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<MeterId, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
