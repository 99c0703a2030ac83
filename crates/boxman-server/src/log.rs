//! The log: what happened, written down once, each record chained to the one before.
//!
//! A stream is the log of one table, of one meter, or of the house itself. A record holds one
//! accepted command with everything that came of it; its hash covers the record before, so that
//! an edit, a deletion, an insertion or a swap shows. The body is JSON in an encoding of its own,
//! marked with a version; the live API speaks another (see `wire`).

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use craps::meter::{MeterEvent, TableClaim};
use craps::{Command, Event, MeterTerms, Roll, Seat};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::config::TableConfig;
use crate::dice::{Commitment, ShooterBytes};
use crate::hex;
use crate::id::{MeterId, TableId};

/// The version of the bodies written today.
const VERSION: u8 = 1;

/// Whose log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    /// The house: accounts, and the opening of tables and meters.
    House,
    /// A table.
    Table(TableId),
    /// A meter.
    Meter(MeterId),
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stream::House => f.write_str("house"),
            Stream::Table(table) => write!(f, "table/{table}"),
            Stream::Meter(meter) => write!(f, "meter/{meter}"),
        }
    }
}

/// A text that names no stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAStream(String);

impl fmt::Display for NotAStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a stream", self.0)
    }
}

impl std::error::Error for NotAStream {}

impl FromStr for Stream {
    type Err = NotAStream;

    fn from_str(text: &str) -> Result<Stream, NotAStream> {
        let wrong = || NotAStream(text.to_owned());
        match text.split_once('/') {
            None if text == "house" => Ok(Stream::House),
            Some(("table", id)) => id.parse().map(Stream::Table).map_err(|_| wrong()),
            Some(("meter", id)) => id.parse().map(Stream::Meter).map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }
}

impl Serialize for Stream {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stream {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Stream, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// SHA-256, written as hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Hash {
        Hash(Sha256::digest(bytes).into())
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAHash;

impl fmt::Display for NotAHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected 64 hex digits for a hash")
    }
}

impl std::error::Error for NotAHash {}

impl FromStr for Hash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Hash, NotAHash> {
        hex::decode(text).map(Hash).ok_or(NotAHash)
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The last record of a stream: where the next one is chained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Head {
    /// Its number; nothing has been written yet where it is zero.
    pub seq: u64,
    /// Its hash.
    pub hash: Hash,
}

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Whose log.
    pub stream: Stream,
    /// Its number, counted from one without a gap.
    pub seq: u64,
    /// What makes its command unmistakable, so that it is applied once.
    pub key: Option<Key>,
    /// What happened, as JSON.
    pub body: String,
    /// The hash of all this and of the record before.
    pub hash: Hash,
}

impl Record {
    /// The record that follows `head`.
    pub fn after(head: Head, stream: Stream, key: Option<Key>, body: String) -> Record {
        let seq = head.seq + 1;
        let hash = Record::chained(head.hash, &stream, seq, key.as_ref(), &body);
        Record { stream, seq, key, body, hash }
    }

    /// Whether this record follows `head` and nothing in it has been changed.
    pub fn follows(&self, head: Head) -> bool {
        let key = self.key.as_ref();
        self.seq == head.seq + 1
            && self.hash == Record::chained(head.hash, &self.stream, self.seq, key, &self.body)
    }

    /// What comes next is chained to this.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash }
    }

    /// Every part goes in with its length in front, so that no two records look alike.
    fn chained(before: Hash, stream: &Stream, seq: u64, key: Option<&Key>, body: &str) -> Hash {
        let mut sha = Sha256::new();
        sha.update(before.0);
        sha.update(seq.to_be_bytes());
        let stream = stream.to_string();
        let key = key.map_or("", |key| key.0.as_str());
        for part in [stream.as_str(), key, body] {
            sha.update((part.len() as u64).to_be_bytes());
            sha.update(part.as_bytes());
        }
        Hash(sha.finalize().into())
    }

    /// Reads the body.
    pub fn entry<W: DeserializeOwned>(&self) -> Result<Entry<W>, Unreadable> {
        let unreadable =
            |reason: String| Unreadable { stream: self.stream.clone(), seq: self.seq, reason };
        let entry: Entry<W> =
            serde_json::from_str(&self.body).map_err(|error| unreadable(error.to_string()))?;
        match entry.v {
            VERSION => Ok(entry),
            other => Err(unreadable(format!("version {other} is not known to this program"))),
        }
    }
}

/// A record whose body makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Whose log.
    pub stream: Stream,
    /// Which record.
    pub seq: u64,
    /// Why.
    pub reason: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unreadable { stream, seq, reason } = self;
        write!(f, "record {seq} of {stream} cannot be read: {reason}")
    }
}

impl std::error::Error for Unreadable {}

/// What makes a command unmistakable: a digest of who sent it and the id it was sent with.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(pub String);

impl Key {
    /// The key of a command that `who` sent as `id`.
    pub fn of(who: &str, id: &str) -> Key {
        let mut sha = Sha256::new();
        sha.update(who.as_bytes());
        sha.update([0]);
        sha.update(id.as_bytes());
        let digest: [u8; 32] = sha.finalize().into();
        Key(hex::encode(&digest[..16]))
    }
}

/// What a record says: when, who, and what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<W> {
    /// The version of the encoding.
    pub v: u8,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Who asked, by the id that stands for them.
    pub by: String,
    /// The name they had at tables then, where no seat of theirs tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The id they asked with, where it was a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The SHA-256 of what they asked for: the same id stands for nothing else, ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Hash>,
    /// The other of two people: who had asked for what `by` agreed to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<String>,
    /// What happened.
    pub what: W,
}

impl<W: Serialize> Entry<W> {
    /// Something that happened now.
    pub fn new(at: u64, by: impl Into<String>, what: W) -> Entry<W> {
        let (name, id, asked, second) = (None, None, None, None);
        Entry { v: VERSION, at, by: by.into(), name, id, asked, second, what }
    }

    /// The record that follows `head`.
    pub fn record(&self, head: Head, stream: Stream) -> Record {
        let key = self.id.as_ref().map(|id| Key::of(&self.by, id));
        let body = serde_json::to_string(self).expect("an entry is plain data");
        Record::after(head, stream, key, body)
    }
}

/// What happened at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "entry")]
pub enum TableEntry {
    /// It was opened.
    Opened {
        /// How.
        config: TableConfig,
        /// The rulebooks it was compiled from, by the hash of their text.
        library: Vec<Hash>,
        /// The hash of the rules.
        rules: Hash,
    },
    /// A command was obeyed, and with it what it brings along.
    Played {
        /// Each command as the engine decided it.
        steps: Vec<Step>,
        /// How the dice were thrown, where the house threw them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        thrown: Option<Thrown>,
        /// The house's commitment to the next roll.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitment: Option<Commitment>,
        /// Who plays the seat that was taken, where somebody does from a browser.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        owner: Option<String>,
    },
    /// A seat was given up: by the house at a practice table, where its player had gone, or by
    /// the crew.
    GivenUp {
        /// Which.
        seat: Seat,
        /// Why.
        reason: String,
        /// What came down, what was handed back, and the chips that went to the cage.
        steps: Vec<Step>,
    },
    /// The house committed to a secret for the next roll; the one before, if any, was lost.
    Committed {
        /// The commitment.
        commitment: Commitment,
    },
    /// Something that takes two people was asked for by the first.
    Proposed {
        /// What.
        proposal: Proposal,
        /// What came of it at once: a table waits while a void is considered, and the bets of a
        /// seat that is given up come down.
        steps: Vec<Step>,
    },
    /// It was withdrawn, or nobody agreed in time.
    Withdrawn {
        /// The number of the record that proposed it.
        proposal: u64,
        /// What came of it: the table plays on.
        steps: Vec<Step>,
    },
    /// Both agreed, and it was done.
    Agreed {
        /// The number of the record that proposed it.
        proposal: u64,
        /// What came of it.
        steps: Vec<Step>,
        /// The configuration now waiting for a come-out with nothing on the layout.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        queued: Option<Queued>,
    },
    /// A meter was reset and runs on other terms; a configuration that follows them waits.
    Queued {
        /// The configuration.
        queued: Queued,
    },
}

impl TableEntry {
    /// What the engine decided in it, in order.
    pub fn steps(&self) -> &[Step] {
        match self {
            TableEntry::Played { steps, .. }
            | TableEntry::GivenUp { steps, .. }
            | TableEntry::Proposed { steps, .. }
            | TableEntry::Withdrawn { steps, .. }
            | TableEntry::Agreed { steps, .. } => steps,
            TableEntry::Opened { .. }
            | TableEntry::Committed { .. }
            | TableEntry::Queued { .. } => &[],
        }
    }

    /// Whether somebody sat down or left by it.
    pub fn is_seating(&self) -> bool {
        let seats = |event: &Event| matches!(event, Event::Sat { .. } | Event::Left { .. });
        self.steps().iter().flat_map(|step| &step.events).any(seats)
    }
}

/// A command as the engine decided it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The command.
    pub command: Command,
    /// What came of it.
    pub events: Vec<Event>,
}

/// How the house threw the dice: all it takes to throw them again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thrown {
    /// The number of the roll.
    pub number: u64,
    /// The secret behind the commitment, revealed.
    pub secret: String,
    /// The shooter's part.
    pub shooter: ShooterBytes,
}

/// What takes two people at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "proposal")]
pub enum Proposal {
    /// The last roll shall not count.
    Void {
        /// Why.
        reason: String,
    },
    /// The last roll was misread.
    Correct {
        /// What the dice showed.
        roll: Roll,
        /// Why.
        reason: String,
    },
    /// The table shall go over to another configuration.
    Configure {
        /// Which.
        queued: Queued,
        /// Why.
        reason: String,
    },
    /// What was won shall not be paid.
    Deny {
        /// The claim.
        claim: u64,
        /// Why.
        reason: String,
    },
    /// A seat shall be given up with more chips than one person may move.
    GiveUp {
        /// Which.
        seat: Seat,
        /// Why.
        reason: String,
    },
    /// Chips shall go between the cage and the table, more than one person may move.
    Move {
        /// How.
        command: Command,
        /// Why it takes two.
        reason: String,
    },
}

impl Proposal {
    /// What is asked for, and why.
    pub fn in_words(&self) -> (String, &str) {
        match self {
            Proposal::Void { reason } => ("void".to_owned(), reason),
            Proposal::Correct { roll, reason } => (format!("correct to {roll}"), reason),
            Proposal::Configure { reason, .. } => ("configure".to_owned(), reason),
            Proposal::Deny { claim, reason } => (format!("deny claim {claim}"), reason),
            Proposal::GiveUp { seat, reason } => (format!("give up {seat}"), reason),
            Proposal::Move { command, reason } => (moving(command), reason),
        }
    }
}

fn moving(command: &Command) -> String {
    match command {
        Command::BuyIn { seat, amount } => format!("buy-in of {amount} at {seat}"),
        Command::CashOut { seat, amount } => format!("cash-out of {amount} at {seat}"),
        Command::Leave { seat } => format!("leave {seat}"),
        Command::Fill { amount } => format!("fill of {amount}"),
        Command::Credit { amount } => format!("credit of {amount}"),
        _ => "move".to_owned(),
    }
}

/// A configuration with what it was compiled from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    /// The configuration.
    pub config: TableConfig,
    /// The rulebooks, by the hash of their text.
    pub library: Vec<Hash>,
    /// The hash of the rules.
    pub rules: Hash,
}

/// What happened to a meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "entry")]
pub enum MeterEntry {
    /// It was opened.
    Opened {
        /// The paytable it serves.
        paytable: String,
        /// Its terms.
        terms: MeterTerms,
        /// Whether it belongs to a practice table: then it is play money, and no real table may
        /// share it.
        #[serde(default, skip_serializing_if = "is_false")]
        practice: bool,
    },
    /// It heard from its tables, in this order.
    Heard {
        /// Each message and what came of it.
        heard: Vec<Heard>,
    },
    /// An operator changed it, where one is enough.
    Changed {
        /// What was asked for.
        proposal: MeterProposal,
        /// What came of it.
        events: Vec<MeterEvent>,
    },
    /// An operator asked for something that takes two people.
    Proposed {
        /// What.
        proposal: MeterProposal,
    },
    /// It was withdrawn, or nobody agreed in time.
    Withdrawn {
        /// The number of the record that proposed it.
        proposal: u64,
    },
    /// Both agreed, and it was done.
    Agreed {
        /// The number of the record that proposed it.
        proposal: u64,
        /// What came of it.
        events: Vec<MeterEvent>,
    },
}

/// What takes two people at a meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "proposal")]
pub enum MeterProposal {
    /// Add to it or take from it.
    Adjust {
        /// By how many cents.
        amount: craps::Cents,
        /// Why.
        reason: String,
    },
    /// Other terms from its next reset on.
    SetTerms {
        /// The terms.
        terms: MeterTerms,
        /// Why.
        reason: String,
    },
    /// No more.
    Close {
        /// Why.
        reason: String,
    },
}

impl MeterProposal {
    /// What is asked for, and why.
    pub fn in_words(&self) -> (String, &str) {
        match self {
            MeterProposal::Adjust { amount, reason } => (format!("adjust by {amount}"), reason),
            MeterProposal::SetTerms { reason, .. } => ("set-terms".to_owned(), reason),
            MeterProposal::Close { reason } => ("close".to_owned(), reason),
        }
    }

    /// Why it is asked for.
    pub fn reason_mut(&mut self) -> &mut String {
        match self {
            MeterProposal::Adjust { reason, .. }
            | MeterProposal::SetTerms { reason, .. }
            | MeterProposal::Close { reason } => reason,
        }
    }
}

/// One message from a table, and what the meter made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    /// The table.
    pub table: TableId,
    /// The number of the table's record it comes from.
    pub seq: u64,
    /// What the table said.
    pub tells: Vec<Tell>,
    /// What came of it.
    pub events: Vec<MeterEvent>,
}

/// What a table tells a meter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "tell")]
pub enum Tell {
    /// A wager was placed, or taken back where less than nothing.
    Fed {
        /// For the amount shown.
        increment: craps::MicroCents,
        /// For the reserve.
        reserve: craps::MicroCents,
    },
    /// The top award was won.
    Won {
        /// The claim.
        claim: TableClaim,
        /// The winners and their base wagers.
        winners: Vec<(Seat, u32)>,
    },
    /// The roll that won it did not count.
    Reversed {
        /// The claim.
        claim: TableClaim,
    },
    /// The award has been paid.
    Paid {
        /// The claim.
        claim: TableClaim,
    },
}

/// What happened to the house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "entry")]
pub enum HouseEntry {
    /// The server started.
    Started {
        /// The program's version.
        version: String,
    },
    /// An account was made.
    AccountMade {
        /// Whose, by the id that stands for them everywhere.
        account: String,
        /// What they log in with: only administrators are shown this.
        login: String,
        /// The name shown at tables.
        table_name: String,
        /// What they may do.
        roles: Vec<crate::access::Role>,
    },
    /// An account's roles changed; its sessions ended.
    RolesChanged {
        /// Whose.
        account: String,
        /// Before.
        before: Vec<crate::access::Role>,
        /// After.
        after: Vec<crate::access::Role>,
    },
    /// An account's table name changed.
    Renamed {
        /// Whose.
        account: String,
        /// Before.
        before: String,
        /// After.
        after: String,
    },
    /// An account's password changed; its sessions ended.
    PasswordChanged {
        /// Whose.
        account: String,
    },
    /// Somebody logged in.
    LoggedIn {
        /// Who.
        account: String,
    },
    /// Somebody failed to. Of many failures in a row the first, the second, the fourth and so on
    /// are written down.
    LoginFailed {
        /// Whose password was guessed; none where nobody has the name that was given.
        account: Option<String>,
        /// How many in a row, from everywhere.
        failures: u32,
    },
    /// A table was opened.
    TableOpened {
        /// Which.
        table: TableId,
        /// Its name.
        name: String,
    },
    /// A table was brought in from another store.
    TableImported {
        /// Which.
        table: TableId,
        /// Up to where.
        head: Head,
    },
    /// A meter was opened.
    MeterOpened {
        /// Which.
        meter: MeterId,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it is what serde passes")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Milliseconds since 1970, by this machine's clock.
pub fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
