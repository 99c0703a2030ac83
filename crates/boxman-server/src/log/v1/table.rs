//! What a table writes down.

use std::collections::BTreeMap;

use super::leaves::Line;
use super::mend::Mend;
use super::meter::PlayersMoney;
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
        Withdrawn { proposal: u64; reason: Option<String>, steps: Vec<Step> },
        Agreed {
            proposal: u64;
            steps: Vec<Step>,
            ticked: Vec<(u64, u32)>,
            queued: Option<Queued>
        },
        Checked { claim: u64, item: CheckItem },
        Confirmed { claim: u64, payout: Payout, steps: Vec<Step> },
        Done { list: u64 },
        Linked { sitting: u64; person: Option<String> },
        Identified { sitting: u64; taken: bool },
        Queued { queued: Queued },
    }

    enum CheckItem = crate::payout::CheckItem { Dice, Surveillance, Identity, Form }

    struct Payout = crate::payout::Payout {
        paid_by: PaidBy;
        slip: Option<String>,
        form: Option<String>,
        shown: Option<i64>
    }

    enum PaidBy = crate::payout::PaidBy { Tray, Cage }

    struct Step = crate::log::Step { command: Command, events: Vec<Event> }

    struct Thrown = crate::log::Thrown { number: u64, secret: String, shooter: String }

    #[expect(clippy::large_enum_variant, reason = "few requests wait at a time")]
    enum Proposal = crate::log::Proposal {
        Void { reason: String },
        Correct { roll: String, reason: String },
        Configure { queued: Queued, reason: String; of: Option<u64> },
        Deny { claim: u64, reason: String },
        GiveUp { seat: u8, reason: String; kind: CashOutKind },
        Move { command: Command, reason: String },
        AcceptTray { short: i64, reason: String },
        Close { reason: String },
        Mend(mend: Box<Mend>),
    }

    struct Queued = crate::log::Queued {
        config: Config,
        library: Vec<Hash>,
        rules: Hash;
        old_meters: BTreeMap<String, PlayersMoney>
    }

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
        fills_over: Option<i64>,
        credits_over: Option<i64>,
        cash_outs_over: Option<i64>,
        cash_over: Option<i64>,
        markers_over: Option<i64>,
        hold_buy_ins: bool,
        meters: BTreeMap<String, String>,
        new_meters: Vec<String>,
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
