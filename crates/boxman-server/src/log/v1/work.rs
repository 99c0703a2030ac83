//! Work lists, as they are kept beside the records.

use crate::log::stored::stored;

stored! {
    struct List = crate::work::WorkList {
        record: u64,
        cause: Cause;
        roll: Option<u64>,
        items: Vec<Item>,
        done: bool
    }

    enum Cause = crate::work::WorkCause {
        Rolled { roll: String, number: u64 },
        Voided { roll: String, reason: String },
        Corrected { was: String, roll: String, number: u64, reason: String },
        Confirmed { claim: u64 },
        Denied { claim: u64, reason: String },
        Mended { keyed: String, number: u64, what: String, reason: String },
        DicePassed,
        GivenUp { reason: String },
    }

    struct Item = crate::work::WorkItem {
        kind: Kind;
        seat: Option<u8>,
        name: String,
        wager: String,
        to: String,
        amount: i64,
        claims: Vec<u64>,
        chips: Vec<Transfer>
    }

    enum Kind = crate::work::WorkKind {
        Take, Pay, OffAndOn, Return, Move, Stand, Hold, Confirmed, Cage, Denied, GiveBack,
        TakeBack, PutBack,
    }

    struct Transfer = crate::work::ChipTransfer { from: Place, to: Place, amount: i64 }

    enum Place = crate::work::ChipPlace { Tray, Felt, Rack, Dealers, Cage }
}
