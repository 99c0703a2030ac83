//! What is kept beside the records: tables, meters and days.

use std::collections::BTreeMap;

use super::leaves::Line;
use super::meter::{self, Award, Terms};
use super::play::{Bet, Claim, Dice, Fed, Hand, HeldAward, HeldEnvy};
use super::table::{CheckItem, Proposal, Queued};
use super::{mend, work};
use crate::hash::Hash;
use crate::log::stored::{Stored, Wrong, stored};

stored! {
    struct Table = crate::log::KeptTable {
        id: String,
        setup: Queued,
        opened_by: String,
        table: Parts,
        at: u64;
        owners: BTreeMap<u8, String>,
        commitment: Option<String>,
        queued: Option<Queued>,
        configurations: Vec<Configured>,
        proposals: BTreeMap<u64, Pending>,
        withdrawn: Vec<Withdrawn>,
        outbox: Vec<Letter>,
        told: BTreeMap<String, u64>,
        claimed: BTreeMap<u64, Claimed>,
        moved: Moved,
        sittings: BTreeMap<u8, Sitting>,
        hand_rolls: (u32, u32),
        throws: u64,
        rounds: Vec<Round>,
        last_roll: Option<u64>,
        work: Vec<work::List>,
        tray_accepted: i64,
        mendable: mend::Mendable,
        recent: Vec<String>,
        open_since: Option<u64>,
        open_from: u64,
        books: Books
    }

    struct Configured = crate::log::Configured { record: u64; lines: Vec<Line> }

    struct Round = crate::round::Round {
        record: u64,
        began: RoundBegan,
        by: String,
        at: u64;
        name: Option<String>
    }

    enum RoundBegan = crate::round::RoundBegan {
        Opened,
        Rolled { roll: String, number: u64 },
        Voided { roll: String },
        Corrected { was: String, roll: String },
        NoRoll,
        DicePassed,
        Configured,
    }

    struct Pending = crate::log::Pending {
        proposal: Proposal,
        by: String,
        until: u64,
        throws: u64;
        lines: Vec<Line>,
        name: Option<String>,
        paused: bool
    }

    struct Withdrawn = crate::log::Withdrawn {
        proposal: u64,
        what: String,
        asked_by: String,
        at: u64;
        by: Option<String>,
        reason: Option<String>
    }

    struct Letter = crate::log::Letter {
        meter: String,
        seq: u64,
        after: u64,
        tells: Vec<meter::Tell>
    }

    struct Claimed = crate::log::Claimed {
        ;
        paytable: Option<String>,
        keyed_by: Vec<String>,
        checks: Vec<Check>
    }

    struct Check = crate::payout::Check {
        item: CheckItem,
        by: String,
        at: u64;
        name: Option<String>
    }

    #[derive(Default)]
    struct Moved = crate::log::Moved {
        ;
        day: String,
        seats: BTreeMap<u8, i64>,
        people: BTreeMap<String, i64>
    }

    struct Sitting = crate::log::Sitting { record: u64; person: Option<Linked> }

    struct Linked = crate::log::Linked { person: String, noted: Noted }

    struct Noted = crate::log::Noted { by: String, at: u64; name: Option<String> }

    struct PlayerDay = crate::log::PlayerDay {
        seat: u8,
        name: String;
        account: Option<String>,
        person: Option<Linked>,
        cash: i64,
        markers: i64,
        coupons: i64,
        chips: i64,
        cashed_out: i64,
        identity: Option<Noted>
    }

    struct Parts = craps::table::Parts {
        rules: Hash,
        status: Status,
        betting: Phase,
        dice: Dice,
        seats: Vec<Option<Player>>,
        accounts: Accounts,
        rolls: u64;
        hand: Hand,
        cap_used: i64,
        memo: Option<(i64, i64)>,
        carry: i128,
        claims: Vec<Claim>,
        held: Vec<HeldAward>,
        held_envy: Vec<HeldEnvy>,
        claims_made: u64,
        dropped: i64,
        redeemed: i64,
        paid_by_cage: i64,
        before_roll: Option<Box<BeforeRoll>>
    }

    enum Status = craps::Status { Running, Paused, Closed }

    enum Phase = craps::table::Phase { Open, Closed, Paying }

    struct Player = craps::table::Player { name: String; layout: Vec<Bet> }

    struct Accounts = craps::account::Accounts {
        cage: i64,
        bank: i64,
        house: i64,
        envy: i64,
        breakage: i64,
        clearing: i64,
        held: i64,
        racks: Vec<i64>,
        actions: Vec<i64>
    }

    struct BeforeRoll = craps::table::BeforeRoll {
        roll: String,
        dice: Dice,
        layouts: Vec<Vec<Bet>>;
        hand: Hand,
        cap_used: i64,
        memo: Option<(i64, i64)>,
        claims: Vec<Claim>,
        held: Vec<HeldAward>,
        held_envy: Vec<HeldEnvy>,
        made: Vec<Claim>,
        won: Vec<Won>,
        postings: Vec<(String, i64)>,
        since: Vec<Since>
    }

    struct Since = craps::table::Since { seat: u8, spot: u8; chips: i64, fed: Option<Fed> }

    struct Won = craps::table::Won { seat: u8, spot: u8, amount: i64 }

    #[derive(Default)]
    struct Books = crate::log::Books {
        ;
        days: BTreeMap<String, Day>,
        folded: BTreeMap<String, Hash>,
        last: Option<LastRoll>
    }

    struct LastRoll = crate::log::LastRoll { parts: Vec<(String, Day)>, claims: Vec<u64> }

    struct Day = crate::log::DayBook {
        ;
        rolls: u64,
        hands: u64,
        drop: i64,
        bought: Bought,
        cashed_out: i64,
        left: LeftRacks,
        filled: i64,
        credited: i64,
        envy: i64,
        mends: u64,
        adjusted: i64,
        mended_away: MendedAway,
        fed: i64,
        breakage: i64,
        players: BTreeMap<u64, PlayerDay>,
        tray: Option<i64>,
        jackpots: Jackpots,
        cross: i128,
        wagers: BTreeMap<String, BTreeMap<String, Figures>>
    }

    #[derive(Default)]
    struct Bought = crate::log::Bought { ; markers: i64, coupons: i64, chips: i64 }

    #[derive(Default)]
    struct LeftRacks = crate::log::LeftRacks {
        ;
        jackpots: i64,
        redeemed: i64,
        tokes: i64,
        behind: i64
    }

    #[derive(Default)]
    struct MendedAway = crate::log::MendedAway { ; by_cage: i64, walked: i64 }

    #[derive(Default)]
    struct Jackpots = crate::log::Jackpots {
        ;
        count: u64,
        paid: i64,
        from_meter: i64,
        from_house: i64
    }

    struct Figures = crate::log::Figures {
        decisions: u64,
        handle: i64;
        won: i64,
        withheld: i64,
        squares: u128,
        cross: i128
    }

    struct Meter = crate::log::KeptMeter {
        id: String,
        meter: MeterParts,
        at: u64;
        practice: bool,
        heard: BTreeMap<String, u64>,
        unpaid: Vec<Award>,
        shown: Vec<(meter::TableClaim, i64)>,
        proposals: BTreeMap<u64, MeterPending>,
        withdrawn: Vec<Withdrawn>,
        sent: Vec<Sent>,
        taken_in: Vec<(String, u64)>
    }

    struct Sent = crate::log::Sent { to: String, transfer: meter::Transfer }

    struct MeterPending = crate::log::MeterPending {
        proposal: meter::Proposal,
        by: String,
        until: u64;
        lines: Vec<Line>,
        name: Option<String>
    }

    struct MeterParts = craps::meter::Parts {
        name: String,
        terms: Terms,
        amount: i128;
        next_terms: Option<Terms>,
        closed: bool,
        reserve: i128,
        overflow: i128,
        contributed: i128,
        funded: i128,
        paid: i128,
        moved_in: i128,
        moved_out: i128,
        kept: i128,
        awards: Vec<Paid>
    }

    struct Paid = craps::meter::Paid {
        claim: meter::TableClaim,
        from_meter: i128;
        overflow: i128,
        from_reserve: i128,
        from_house: i128,
        replaced: Option<(Terms, Terms)>
    }
}

impl Stored<craps::Table> for Parts {
    fn keep(table: &craps::Table) -> Parts {
        Parts::keep(table.parts())
    }

    fn recall(self) -> Result<craps::Table, Wrong> {
        self.recall().map(craps::Table::from_parts)
    }
}

impl Stored<craps::Meter> for MeterParts {
    fn keep(meter: &craps::Meter) -> MeterParts {
        MeterParts::keep(meter.parts())
    }

    fn recall(self) -> Result<craps::Meter, Wrong> {
        self.recall().map(craps::Meter::from_parts)
    }
}
