//! Mends of earlier rolls, as they are asked for and as tables keep them.

use std::collections::BTreeMap;

use crate::log::stored::stored;

stored! {
    struct Mend = crate::mend::Mend {
        question: Question,
        keyed: String,
        number: u64,
        rolled_at: u64,
        reason: String;
        after: Option<u64>,
        shown: Vec<Shown>,
        suggested: Vec<Line>,
        lines: Vec<Line>,
        video: String
    }

    struct Shown = crate::mend::MendShown { paytable: String, seat: u8, units: u32; amount: i64 }

    struct Question = crate::mend::MendQuestion {
        of: u64,
        kind: Kind;
        dice: Option<String>,
        bets: Vec<Bet>,
        chips: Vec<Chips>
    }

    enum Kind = crate::mend::MendKind { Dice, NoRoll, Bet, WrongPlayer, WrongAmount }

    struct Bet = crate::mend::MendBet { seat: u8, wager: String; amount: i64 }

    struct Chips = crate::mend::MendChips { seat: u8; amount: i64 }

    struct Line = crate::mend::MendLine {
        part: Part,
        place: Place;
        seat: Option<u8>,
        name: String,
        wager: String,
        due: i64,
        amount: i64
    }

    enum Part = crate::mend::MendPart {
        Winnings, Stake, Jackpot, BetLost, BetBack, Envy, Chips,
    }

    enum Place = crate::mend::MendPlace { Rack, Cage, Walked, Felt, Dealers }

    #[derive(Default)]
    struct Mendable = crate::mend::Mendable {
        ;
        day: String,
        seated: BTreeMap<u8, u64>,
        bets: Vec<Touched>,
        before: Vec<Touched>,
        claims: BTreeMap<u64, u64>,
        void: Vec<u64>,
        rolls: Vec<RollSince>
    }

    struct Touched = crate::mend::TouchedBet { seat: u8, spot: u8, record: u64 }

    struct RollSince = crate::mend::RollSince {
        of: u64,
        record: u64;
        no_roll: bool,
        dice: Option<String>,
        bets: Vec<Bet>,
        moved: Vec<Moved>
    }

    struct Moved = crate::mend::MovedSince {
        wager: String;
        seat: Option<u8>,
        winnings: i64,
        stake: i64,
        why: MovedFor
    }

    #[derive(Default)]
    enum MovedFor = craps::table::MovedFor { #[default] Bet, Jackpot, Down, Denied }
}
