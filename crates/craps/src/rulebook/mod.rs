//! Rulebooks: a house's published rules as a TOML file, read whole and checked whole.
//!
//! A [`Rulebook`] is one file, validated: its wagers, its paytables, its options. Several of
//! them, with paytables chosen, compile into the [`Rules`](crate::Rules) a table plays by.

mod check;
mod commission;
mod document;
mod fault;
mod fields;
mod ladder;
mod read;
mod tracked;
mod understood;
mod values;
mod wagers;

use std::sync::Arc;

use sha2::{Digest, Sha256};

pub(crate) use self::check::check_pays;
use self::document::{Document, Value};
pub use self::fault::{At, Fault, Faults};
pub use self::fields::Asked;
use self::fields::Reader;
use crate::dice::Totals;
use crate::money::Cents;
use crate::wager::{Cap, Envy, List, PaysBy, Shape, Shared, Wager};

/// One house's rules, read from a file and found without fault.
///
/// ```
/// use craps::Rulebook;
/// let text = r#"
///     name = "tiny"
///     title = "One bet"
///     kind = "base"
///     points = [4, 5, 6, 8, 9, 10]
///     [limits]
///     min = 1
///     max = 100
///     unit = 1
///     [wager.any-seven]
///     title = "Any Seven"
///     shape = "one-roll"
///     wins = [7]
///     pay = "4 to 1"
/// "#;
/// let faults = Rulebook::parse("tiny.toml", text).unwrap_err();
/// assert!(faults.to_string().contains("did you mean `pays`?"));
/// ```
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// The name it is chosen by.
    pub name: String,
    /// The name a reader knows it by.
    pub title: String,
    /// The document it was written from.
    pub source: String,
    /// A base game, or side bets to put on top of one.
    pub kind: Kind,
    /// The numbers the puck can rest on.
    pub points: Totals,
    /// Its wagers, in the order of the file.
    pub wagers: Vec<Listed>,
    /// Its paytables, in the order of the file.
    pub paytables: Vec<Paytable>,
    /// Other rulebooks whose paytables may be used for its wagers.
    pub paytables_from: Vec<String>,
    /// The paytables used where none is chosen.
    pub default_paytables: Vec<String>,
    /// Winnings are rounded down to a multiple of this.
    pub payout_unit: Cents,
    /// The most its capped wagers may win together.
    pub cap: Option<Cap>,
    document: Document,
    text: Arc<str>,
    hash: [u8; 32],
}

/// What a rulebook is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The game itself: every table is opened on one.
    Base,
    /// Bets on top of it.
    Side,
}

/// A wager as a rulebook lists it: what it pays may be left to a paytable.
pub type Listed = Wager<Option<PaysBy>>;

/// A choice of pays for some of the wagers.
#[derive(Clone, Debug)]
pub struct Paytable {
    /// Its name: `PT-BJS-MEA-03`.
    pub name: String,
    /// What it says of each wager it covers.
    pub entries: Vec<PaytableEntry>,
}

/// What a paytable says of one wager.
#[derive(Clone, Debug)]
pub struct PaytableEntry {
    /// The wager.
    pub wager: String,
    /// What it pays.
    pub pays: PaysBy,
    /// What the dealers are paid, by rung (0 where the wager has a single award).
    pub envy: Vec<(u8, Envy)>,
    /// The lists to follow, for a sequence wager that has none of its own.
    pub lists: Vec<List>,
}

impl Rulebook {
    /// Reads a rulebook, reporting every fault it has.
    pub fn parse(file: &str, text: &str) -> Result<Rulebook, Faults> {
        let hash = Sha256::digest(text.as_bytes()).into();
        Rulebook::read(Document::parse(file, text)?, Arc::from(text), hash)
    }

    fn read(document: Document, text: Arc<str>, hash: [u8; 32]) -> Result<Rulebook, Faults> {
        let mut reader = Reader::new(&document);
        let rulebook = read::rulebook(&mut reader);
        let mut faults = reader.faults;
        faults.sort_by_key(|fault| match &fault.at {
            Some(At::Place { line, column }) => (*line, *column),
            _ => (0, 0),
        });
        faults.dedup();
        match rulebook {
            Some(rulebook) if faults.is_empty() => {
                Ok(Rulebook { document, text, hash, ..rulebook })
            }
            _ => Err(Faults(faults)),
        }
    }

    /// The file it was read from.
    pub fn file(&self) -> &str {
        &self.document.file
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The SHA-256 of the text it was read from.
    pub fn hash(&self) -> [u8; 32] {
        self.hash
    }

    /// The names and present values of its options.
    pub fn options(&self) -> Vec<(&str, String)> {
        let Some(options) = self.document.root.entry("options") else { return Vec::new() };
        let shown = |value: &Value| match value {
            Value::Text(text) | Value::Decimal(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Boolean(truth) => if *truth { "on" } else { "off" }.to_owned(),
            Value::List(_) | Value::Table(_) | Value::Other(_) => String::new(),
        };
        let entries = options.node.entries().iter();
        entries.map(|entry| (entry.key.as_str(), shown(&entry.node.value))).collect()
    }

    /// The rulebook with an option set: `payout-unit`, or a key of one wager such as
    /// `hard.come-out`, `field.max` or `lay.commission.rate`. Nothing if it has no such option.
    pub fn with_option(&self, name: &str, value: &str) -> Option<Result<Rulebook, Faults>> {
        let (rulebook, unknown) = self.with_options(&[(name.to_owned(), value.to_owned())]);
        unknown.is_empty().then_some(rulebook)
    }

    /// The rulebook with all of these options set that it has, read anew, and the places of
    /// those it does not have.
    pub fn with_options(
        &self,
        options: &[(String, String)],
    ) -> (Result<Rulebook, Faults>, Vec<usize>) {
        let mut document = self.document.clone();
        let mut unknown = Vec::new();
        for (place, (name, value)) in options.iter().enumerate() {
            let mut path: Vec<&str> = match name.split_once('.') {
                None => vec!["options", name],
                Some((wager, keys)) => {
                    ["wager", wager].into_iter().chain(keys.split('.')).collect()
                }
            };
            let key = path.pop().unwrap_or_default();
            // An option must be there already; a key of a wager may be new.
            let exists = path[0] == "wager" || document.has(&path, key);
            if !exists || !document.insert(&path, key, name, value) {
                unknown.push(place);
            }
        }
        if unknown.len() == options.len() {
            return (Ok(self.clone()), unknown);
        }
        (Rulebook::read(document, self.text.clone(), self.hash), unknown)
    }

    /// Where the pays of a wager are written: in its own table, or in a paytable's.
    pub fn pays_at(&self, wager: &str, paytable: Option<&str>) -> Option<At> {
        let root = &self.document.root;
        let own = || {
            let table = root.entry("wager")?.node.entry(wager)?;
            Some(table.node.entry("pays").unwrap_or(table))
        };
        let lent =
            paytable.and_then(|name| root.entry("paytable")?.node.entry(name)?.node.entry(wager));
        lent.or_else(own).map(|entry| entry.at.clone())
    }

    /// The paytable of this name.
    pub fn paytable(&self, name: &str) -> Option<&Paytable> {
        self.paytables.iter().find(|paytable| paytable.name == name)
    }
}

impl Paytable {
    /// What it says of the wager of this name.
    pub(crate) fn entry(&self, wager: &str) -> Option<&PaytableEntry> {
        self.entries.iter().find(|entry| entry.wager == wager)
    }
}

impl Listed {
    /// The wager with the pays written beside it; none where they are left to a paytable.
    pub(crate) fn as_written(&self) -> Option<Wager> {
        self.pays.clone().map(|pays| self.clone().with_pays(pays))
    }

    /// The wager as a paytable has it.
    pub(crate) fn priced(&self, by: &PaytableEntry, paytable: &str) -> Wager {
        let Wager { shape, shared, .. } = self.clone();
        let shape = match shape {
            Shape::Sequence { .. } if !by.lists.is_empty() => {
                Shape::Sequence { lists: by.lists.clone() }
            }
            shape => shape,
        };
        let shared = Shared { envy: by.envy.clone(), ..shared };
        let paytable = Some(paytable.to_owned());
        Wager { shape, shared, paytable, ..self.clone().with_pays(by.pays.clone()) }
    }

    fn with_pays(self, pays: PaysBy) -> Wager {
        Wager {
            pays,
            name: self.name,
            title: self.title,
            rulebook: self.rulebook,
            paytable: self.paytable,
            shape: self.shape,
            numbers: self.numbers,
            faces: self.faces,
            limits: self.limits,
            window: self.window,
            take: self.take,
            once_set: self.once_set,
            standing: self.standing,
            shared: self.shared,
            offered: self.offered,
        }
    }
}
