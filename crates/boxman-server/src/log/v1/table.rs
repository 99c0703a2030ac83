//! What a table writes down.

use std::collections::BTreeMap;

use super::leaves::Line;
use super::mend::Mend;
use super::play::{CashOutKind, Command, Event};
use crate::hash::Hash;
use crate::log::stored::stored;

stored! {
    enum Entry = crate::log::TableEntry {
        Opened { config: Config, library: Vec<Hash>, rules: Hash },
        Played {
            steps: Vec<Step>;
            thrown: Option<Thrown>,
            commitment: Option<String>,
            owner: Option<String>
        },
        GivenUp { seat: u8, reason: String, steps: Vec<Step> },
        Committed { commitment: String },
        Proposed { proposal: Proposal; lines: Vec<Line>, steps: Vec<Step> },
        Withdrawn { proposal: u64; steps: Vec<Step> },
        Agreed {
            proposal: u64;
            steps: Vec<Step>,
            ticked: Vec<(u64, u32)>,
            queued: Option<Queued>
        },
        Done { list: u64 },
        Queued { queued: Queued },
    }

    struct Step = crate::log::Step { command: Command, events: Vec<Event> }

    struct Thrown = crate::log::Thrown { number: u64, secret: String, shooter: String }

    enum Proposal = crate::log::Proposal {
        Void { reason: String },
        Correct { roll: String, reason: String },
        Configure { queued: Queued, reason: String },
        Deny { claim: u64, reason: String },
        GiveUp { seat: u8, reason: String; kind: CashOutKind },
        Move { command: Command, reason: String },
        AcceptTray { short: i64, reason: String },
        Mend(mend: Box<Mend>),
    }

    struct Queued = crate::log::Queued { config: Config, library: Vec<Hash>, rules: Hash }

    struct Config = crate::config::TableConfig {
        name: String,
        rules: Vec<String>,
        dice: DiceMode,
        seats: u8;
        options: BTreeMap<String, String>,
        limits: BTreeMap<String, WagerLimits>,
        practice: bool,
        betting_seconds: Option<u32>,
        confirm_jackpots: Option<bool>,
        confirm_over: Option<i64>,
        betting_during_claims: bool,
        two_people_over: Option<i64>,
        meters: BTreeMap<String, String>,
        empty_meters: bool,
        procedures: u8,
        paying: Option<bool>
    }

    enum DiceMode = crate::config::DiceMode { House, Dealer }

    struct WagerLimits = crate::config::WagerLimits {
        ;
        min: Option<i64>,
        max: Option<i64>,
        unit: Option<i64>
    }
}
