//! The insides of the server, as far as its tests, examples and fuzz targets look at them. Nothing
//! here is promised to stay as it is.

#![expect(missing_docs, reason = "each module is the one of that name")]

pub mod access {
    pub use crate::access::{Deed, Person, Reach, Sight};
}

pub mod ask {
    pub use crate::ask::{Ask, BuyInWord, CashOutWord, Command, OldMeter, Until, Verb};
}

pub mod books {
    pub use crate::books::{Books, DayBook, Figures};
}

pub mod config {
    pub use crate::config::{DiceMode, LimitKind, TableConfig, WagerLimits};
}

pub mod dice {
    pub use crate::dice::{Commitment, Secret, ShooterBytes, roll_of, throw};
}

pub mod hash {
    pub use crate::hash::Hash;
}

pub mod hex {
    pub use crate::hex::NotHex;
}

pub mod history {
    pub use crate::history::{Asked, Histories, books};
}

pub mod house {
    pub use crate::house::House;
}

pub mod http {
    pub use crate::http::{
        Accepted, AccountView, AdjustWord, AskMeter, BuyInSums, BuyInsView, ChangeAccount,
        ChangeMe, ClosedView, ConfigurationView, FromBell, FromLobby, Guest, Limits, LobbyMeter,
        Login, MakeAccount, Me, MeterCommandView, MyPlay, PaytableView, PlaySession, PlayerBuyIns,
        PlayersMoneyView, RecordView, Recorded, Redeem, RulebookView, SittingView, TableLine,
        decode, openapi,
    };
}

pub mod id {
    pub use crate::id::{MeterId, TableId};
}

/// Lines of requests.
pub mod line {
    pub use crate::line::Line;
}

/// What keeps a table from being closed.
pub mod remains {
    pub use crate::remains::{Remains, RemainsKind};
}

pub mod log {
    pub use crate::log::{
        DayBook, Entry, Head, HouseEntry, KeptMeter, KeptTable, Key, Letter, MeterEntry,
        MeterProposal, PlayersMoney, Record, Stream, TableEntry, Tell, Written, now,
    };
}

/// Mends of earlier rolls.
pub mod mend {
    pub use crate::mend::{
        MendBet, MendChips, MendKind, MendLine, MendPart, MendPlace, MendQuestion,
    };
}

pub mod meters {
    pub use crate::meters::{MeterHandle, MeterMessage, News};
}

pub mod names {
    pub use crate::names::line;
}

/// Checklists and payouts.
pub mod payout {
    pub use crate::payout::{CheckItem, PaidBy};
}

pub mod pit {
    pub use crate::pit::Pit;
}

pub mod practice {
    pub use crate::practice::PracticeLimits;
}

pub mod pricing {
    pub use crate::pricing::{Pricing, WagerEdge};
}

pub mod problem {
    pub use crate::problem::{Came, Problem};
}

pub mod reports {
    pub use crate::reports::{
        BuyIns, CashOuts, DayReport, Expectation, Expectations, Held, JackpotsHit, LeftOut, Report,
        TableDay, WagerHeld, csv, report,
    };
}

pub mod role {
    pub use crate::role::Role;
}

pub mod room {
    pub use crate::room::{Asked, Reply, RoomHandle, Visit};
}

pub mod serve {
    pub use crate::serve::{NodeOptions, ServeOptions, Started, StoreAddress, serve};
}

pub mod shelf {
    pub use crate::shelf::Shelf;
}

pub mod store {
    pub use crate::store::{
        Account, Batch, Day, Durability, Fault, Fence, Identity, NodeRow, Peer, Pits, Play,
        Postgres, PostgresAddress, RulebookText, Seal, SealKey, Session, Snapshot, Sql, Sqlite,
        Store, StoreError, Stored, beside, check_chain, edition,
    };
}

pub mod table {
    pub use crate::table::LiveTable;
}

pub mod wire {
    pub use crate::wire::{
        BetView, BoardView, CheckView, Cheer, ClaimView, DiceWait, FromClient, FromServer, HandEnd,
        HandView, Happened, History, IfRolledView, Kind, LammerView, Ledger, LimitView, LimitsView,
        MendMoveView, MendedRollView, MeterView, Movement, NotedView, OfferView, PastHand, PayView,
        ProposalView, RolledView, RungView, SeatLimitsView, SeatView, SettledView, SlipLine,
        SlipView, TableView, ThrownView, TrackerView, UndoneView, Update, WagerView, WaitingAt,
        WaitingKind, WaitingView, WithdrawnView, WorkItemView, WorkListView, WorstRollView,
    };
}

/// What a simulation of several nodes puts together.
#[cfg(feature = "simulation")]
pub mod simulation {
    pub use crate::http::{between, router};
    pub use crate::link::{Line, Link, Map, Unanswered};
    pub use crate::node::Node;
    pub use crate::running::Running;
    pub use crate::simulated::{Mutant, is_keyless, set_mutant, set_now, set_random};
    pub use crate::store::{Beat, Holding, Notice, PitLine, PitRow, Row, Value, append};
}

pub mod work {
    pub use crate::work::{ChipPlace, ChipTransfer, WorkKind};
}
