//! What a meter writes down.

use super::leaves::Line;
use crate::log::stored::stored;

stored! {
    enum Entry = crate::log::MeterEntry {
        Opened { paytable: String, terms: Terms; practice: bool },
        Heard { heard: Vec<Heard> },
        Changed { proposal: Proposal, events: Vec<Event> },
        Proposed { proposal: Proposal; lines: Vec<Line> },
        Withdrawn { proposal: u64; reason: Option<String> },
        Agreed { proposal: u64, events: Vec<Event> },
        TakenIn { transfer: Transfer, events: Vec<Event> },
    }

    struct Transfer = crate::log::Transfer {
        from: String,
        record: u64,
        amount: i128;
        reserve: i128
    }

    enum PlayersMoney = crate::log::PlayersMoney { Meter { to: String }, Kept }

    struct Heard = crate::log::Heard {
        table: String,
        seq: u64,
        tells: Vec<Tell>;
        events: Vec<Event>
    }

    enum Tell = crate::log::Tell {
        Fed { ; increment: i128, reserve: i128 },
        Won { claim: TableClaim, winners: Vec<(u8, u32)> },
        Reversed { claim: TableClaim },
        Paid { claim: TableClaim },
        Unlinked { players: PlayersMoney },
    }

    struct TableClaim = craps::meter::TableClaim { table: u32, id: u64 }

    enum Event = craps::meter::MeterEvent {
        Fed { ; amount: i128, reserve: i128, overflow: i128, from_house: i128 },
        Claimed { claim: TableClaim, winners: Vec<(u8, u32)> },
        Awarded(award: Award),
        Reseeded { claim: TableClaim; overflow: i128, from_reserve: i128, from_house: i128 },
        Reversed { claim: TableClaim },
        Adjusted { amount: i128, reason: String; overflow: i128 },
        MovedOut(moved: Moved),
        MovedIn(moved: Moved),
        Kept(moved: Moved),
        TermsSet { terms: Terms },
        Closed { returned: i128 },
    }

    struct Moved = craps::meter::Moved {
        ;
        amount: i128,
        reserve: i128,
        overflow: i128,
        kept: i128
    }

    struct Award = craps::meter::Award {
        claim: TableClaim,
        shares: Vec<(u8, i64)>,
        from_meter: i64,
        from_house: i64
    }

    enum Proposal = crate::log::MeterProposal {
        Adjust {
            amount: i64,
            reason: String;
            kind: Option<AdjustKind>,
            table: Option<String>,
            record: Option<u64>
        },
        Move { to: String, reason: String; amount: Option<i64> },
        SetTerms { terms: Terms, reason: String },
        Close { reason: String; players: Option<PlayersMoney> },
    }

    enum AdjustKind = craps::meter::AdjustKind { PaidOutside, Malfunction, OverCeiling, Seed }

    struct Terms = craps::MeterTerms {
        seed: i64,
        increment: u32,
        reserve: u32,
        winners: Winners;
        ceiling: Option<i64>
    }

    enum Winners = craps::terms::Winners { Share, InFull }
}
