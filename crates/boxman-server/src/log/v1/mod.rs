//! Version 1 of what is stored: records, what is kept beside them, and exports.
//!
//! These types are the format. They never change in what they write: a new kind of record is a new
//! variant, a new field stands after the semicolon and is left out where it says nothing, so that
//! whatever was written before reads and writes back as it was. Anything else is a version 2.

pub(crate) mod export;
mod house;
mod kept;
mod leaves;
mod mend;
mod meter;
mod play;
mod table;
mod work;

use serde::{Deserialize, Serialize};

use super::kept::{DayBook, KeptMeter, KeptTable, Letter};
use super::stored::{Stored, Wrong, absent, read, version, write};
use super::{Entry, HouseEntry, MeterEntry, Queued, TableEntry, Tell, Transfer, Written};
use crate::hash::Digest;

const VERSION: u32 = 1;

/// A record's body.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body<W> {
    v: u32,
    at: u64,
    by: String,
    #[serde(default, skip_serializing_if = "absent")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "absent")]
    asked: Option<Digest>,
    #[serde(default, skip_serializing_if = "absent")]
    round: Option<u64>,
    #[serde(default, skip_serializing_if = "absent")]
    second: Option<String>,
    what: W,
}

impl<T, W: Stored<T>> Stored<Entry<T>> for Body<W> {
    fn keep(entry: &Entry<T>) -> Body<W> {
        let Entry { at, by, name, id, asked, round, second, what } = entry;
        Body {
            v: VERSION,
            at: *at,
            by: by.clone(),
            name: name.clone(),
            id: id.clone(),
            asked: *asked,
            round: *round,
            second: second.clone(),
            what: W::keep(what),
        }
    }

    fn recall(self) -> Result<Entry<T>, Wrong> {
        let Body { v: _, at, by, name, id, asked, round, second, what } = self;
        Ok(Entry { at, by, name, id, asked, round, second, what: what.recall()? })
    }
}

/// What is kept beside the records, with its version in front.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept<W> {
    v: u32,
    kept: W,
}

impl<T, W: Stored<T>> Stored<T> for Kept<W> {
    fn keep(value: &T) -> Kept<W> {
        Kept { v: VERSION, kept: W::keep(value) }
    }

    fn recall(self) -> Result<T, Wrong> {
        self.kept.recall()
    }
}

/// What is written in version 1, and read in every version there is.
macro_rules! written {
    ($($type:ty as $stored:ty),* $(,)?) => { $(
        impl Written for $type {
            fn text(&self) -> String {
                write::<$type, $stored>(self)
            }

            fn read(text: &str) -> Result<$type, String> {
                match version(text) {
                    Some(VERSION) => read::<$type, $stored>(text),
                    Some(other) => Err(format!("version {other} is not known to this program")),
                    None => Err("it does not say which version it is in".to_owned()),
                }
            }
        }
    )* };
}

written! {
    Entry<TableEntry> as Body<table::Entry>,
    Entry<MeterEntry> as Body<meter::Entry>,
    Entry<HouseEntry> as Body<house::Entry>,
    KeptTable as Kept<kept::Table>,
    KeptMeter as Kept<kept::Meter>,
    DayBook as Kept<kept::Day>,
    Queued as Kept<table::Queued>,
    Vec<Tell> as Kept<Vec<meter::Tell>>,
    Letter as Kept<kept::Letter>,
    Transfer as Kept<meter::Transfer>,
}
