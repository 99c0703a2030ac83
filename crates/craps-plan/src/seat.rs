//! What a script works on while it is asked: the desk, its memory and its params.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use craps::Cents;
use craps::machine::Desk;
use rhai::{Dynamic, Position};
use rust_decimal::Decimal;

/// A value that a plan can remember.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A whole number.
    Number(i64),
    /// An amount.
    Dollars(Decimal),
    /// Yes or no.
    Flag(bool),
    /// A text.
    Text(String),
}

/// What a plan remembers, by name.
pub type Memory = BTreeMap<String, Value>;

impl Value {
    pub(crate) fn of(value: &Dynamic) -> Option<Value> {
        if let Ok(number) = value.as_int() {
            return Some(Value::Number(number));
        }
        if let Ok(amount) = value.as_decimal() {
            return Some(Value::Dollars(amount.normalize()));
        }
        if let Ok(flag) = value.as_bool() {
            return Some(Value::Flag(flag));
        }
        value.clone().into_string().ok().map(Value::Text)
    }

    /// The number it is, if it is one.
    pub fn number(&self) -> Option<Decimal> {
        match self {
            Value::Number(number) => Some(Decimal::from(*number)),
            Value::Dollars(amount) => Some(*amount),
            Value::Flag(_) | Value::Text(_) => None,
        }
    }

    /// What kind of value it is, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a whole number",
            Value::Dollars(_) => "an amount",
            Value::Flag(_) => "true or false",
            Value::Text(_) => "a text",
        }
    }
}

impl From<Value> for Dynamic {
    fn from(value: Value) -> Dynamic {
        match value {
            Value::Number(number) => number.into(),
            Value::Dollars(amount) => amount.into(),
            Value::Flag(flag) => flag.into(),
            Value::Text(text) => text.into(),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Dollars(amount) => amount.fmt(f),
            Value::Flag(flag) => flag.fmt(f),
            Value::Text(text) => text.fmt(f),
        }
    }
}

/// How many steps a plan has taken since it sat down, and how many it may take in all: a script
/// that ends each time it is asked could still be asked without end.
pub(crate) struct Steps {
    before: Cell<u64>,
    now: Cell<u64>,
    most: Cell<u64>,
}

impl Steps {
    /// What being asked costs by itself.
    const ASKED: u64 = 50;

    pub(crate) fn at_most(most: u64) -> Rc<Steps> {
        Rc::new(Steps { before: Cell::new(0), now: Cell::new(0), most: Cell::new(most) })
    }

    pub(crate) fn most(&self) -> u64 {
        self.most.get()
    }

    pub(crate) fn set_most(&self, most: u64) {
        self.most.set(most);
    }

    /// The plan sits down anew.
    pub(crate) fn begin(&self) {
        self.before.set(0);
        self.now.set(0);
    }

    /// The plan is asked once more.
    pub(crate) fn ask(&self) {
        self.before.set(self.before.get() + self.now.replace(0) + Steps::ASKED);
    }

    /// So many steps have been taken this time; whether those are too many in all.
    pub(crate) fn taken(&self, now: u64) -> bool {
        self.now.set(now);
        self.before.get() + now > self.most.get()
    }
}

/// Where a script sits.
#[derive(Default)]
pub(crate) struct Seat {
    pub(crate) desk: Option<Desk>,
    pub(crate) memory: Memory,
    /// The params that were set, by name.
    pub(crate) set: BTreeMap<String, Value>,
    /// The params that were declared, in which line, with what they are without being set.
    pub(crate) declared: Vec<(String, usize, Value)>,
    /// The variables that were to be remembered in this run.
    pub(crate) remembered: Vec<String>,
    /// The least amount that money was compared with.
    pub(crate) compared: Option<Cents>,
    /// Every ask, by its place in the text and the spot: refused for this reason so far, or none
    /// once it was heard.
    pub(crate) tried: BTreeMap<(Position, String), Option<String>>,
}

pub(crate) type SharedSeat = Rc<RefCell<Seat>>;
