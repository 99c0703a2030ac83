//! The JSON of a live table, but for what people ask (see `ask`). Stored records have an encoding
//! of their own, and the engine's is not used. Every type here is written out as TypeScript for
//! the browser.
//!
//! Amounts are whole cents. Wagers are written as on a tape: `place 6`, `odds come 4`.

mod board;
mod claim;
mod view;
mod cheer;
mod happened;
mod if_it_rolls;
mod limits;
mod mended;
mod past;
mod sight;
mod slip;
mod waiting;
mod work;

pub use self::board::{BoardView, LammerView, RungView, TrackerView};
pub use self::cheer::Cheer;
pub use self::claim::{CheckView, ClaimView};
pub use self::happened::{Happened, RolledView, SettledView, ThrownView, UndoneView, Update};
pub use self::if_it_rolls::IfRolledView;
pub use self::limits::{LimitView, LimitsView, NotedView, SeatLimitsView};
pub use self::mended::MendMoveView;
pub use self::past::{HandEnd, History, Kind, Ledger, MendedRollView, Movement, PastHand};
pub use self::sight::Shown;
pub use self::slip::{SlipLine, SlipView};
pub use self::view::{
    BetView, DiceWait, HandView, MeterView, OfferView, PayView, ProposalView, SeatView, TableView,
    WagerView,
};
pub use self::waiting::{WaitingAt, WaitingItem, WaitingKind, WaitingView, WithdrawnView};
pub use self::work::{WorkItemView, WorkListView, WorstRollView};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::ask::{Command, Until};
use crate::problem::Problem;

/// What a browser says on the socket of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case", tag = "type", deny_unknown_fields)]
pub enum FromClient {
    /// A command.
    Command {
        /// 1 to 64 letters, digits, `-` and `_`, different for every command of a sender.
        #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
        id: String,
        /// The betting round it is meant for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable, type = "number")]
        round: Option<u64>,
        /// The latest moment at which the server may still obey it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional = nullable)]
        until: Option<Until>,
        /// The command.
        command: Command,
    },
    /// Send everything after this record again.
    Resume {
        /// The last record seen.
        #[ts(type = "number")]
        after: u64,
    },
    /// Say what a seat may do now.
    Offers {
        /// Which.
        seat: u8,
    },
    /// Say what the next roll would do to a seat.
    IfItRolls {
        /// Which.
        seat: u8,
    },
    /// Tick an item of a work list off, or take the tick away.
    Tick {
        /// The list.
        #[ts(type = "number")]
        list: u64,
        /// The item.
        item: u32,
        /// Whether it is done.
        on: bool,
    },
    /// Say which roll would cost the tray the most.
    WorstRoll {},
    /// Say something to everybody at the table.
    Cheer {
        /// What.
        cheer: Cheer,
    },
}

/// What the server says on the socket of a table.
#[derive(Clone, Debug, Serialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum FromServer {
    /// Where the table stands: the first frame, and again for one who has fallen too far behind.
    Snapshot {
        /// The table.
        table: Box<TableView>,
        /// The server's clock, in milliseconds since 1970.
        #[ts(type = "number")]
        at: u64,
        /// The clock that `until` goes by: its run, and the milliseconds since it began.
        now: Until,
    },
    /// What was missed follows, up to this record, and every meter as it is now.
    Resumed {
        /// The table's last record.
        #[ts(type = "number")]
        seq: u64,
        /// The server's clock, in milliseconds since 1970.
        #[ts(type = "number")]
        at: u64,
        /// The clock that `until` goes by: its run, and the milliseconds since it began.
        now: Until,
    },
    /// Something happened.
    Update(Update),
    /// A command was accepted and is durable.
    Ack {
        /// The command's id.
        id: String,
        /// The record it became.
        #[ts(type = "number")]
        seq: u64,
    },
    /// A command was refused; nothing changed.
    Refused {
        /// The command's id.
        id: String,
        /// Why.
        problem: Problem,
    },
    /// What a seat may do after this record.
    Offers {
        /// Which.
        seat: u8,
        /// The table's last record.
        #[ts(type = "number")]
        seq: u64,
        /// Spot by spot.
        offers: Vec<OfferView>,
    },
    /// Whether the shooter has no connection, so that others may throw for them; told when it
    /// changes, and to whoever comes while it is so.
    ShooterAway {
        /// Whether they are away.
        away: bool,
    },
    /// A player says something.
    Cheer {
        /// From which seat.
        seat: u8,
        /// What.
        cheer: Cheer,
    },
    /// What the next roll would do to a seat: every way the dice can fall, by total, the hard way
    /// after the easy one. Nothing for strangers.
    IfItRolls {
        /// Whose.
        seat: u8,
        /// The record it was told after.
        #[ts(type = "number")]
        seq: u64,
        /// What it would do.
        rolls: Vec<IfRolledView>,
        /// Why nobody could throw, where nobody could.
        why_not: Option<Problem>,
    },
    /// The work of the crew after this record, oldest first: for the crew alone.
    Work {
        /// The table's last record.
        #[ts(type = "number")]
        seq: u64,
        /// The lists.
        lists: Vec<WorkListView>,
    },
    /// What is left of the limits of the day; none at a table that sums all kinds of chips up. For
    /// the crew alone.
    Limits {
        /// The table's last record.
        #[ts(type = "number")]
        seq: u64,
        /// The limits.
        limits: Option<Box<LimitsView>>,
    },
    /// The roll that would cost the tray the most; none where nobody could throw. For the crew
    /// alone.
    WorstRoll {
        /// The table's last record.
        #[ts(type = "number")]
        seq: u64,
        /// The roll.
        worst: Option<WorstRollView>,
    },
    /// A meter of this table moved.
    Meter {
        /// The meter.
        meter: MeterView,
    },
    /// A frame could not be understood, or the table cannot go on.
    Problem {
        /// Why.
        problem: Problem,
    },
}

/// What the server says, written out once for everybody who hears it.
#[derive(Clone, Debug)]
pub struct Frame(Bytes);

impl Frame {
    /// A frame that says this.
    pub fn of(said: &impl Serialize) -> Frame {
        Frame(serde_json::to_vec(said).expect("a frame is plain data").into())
    }
}

impl From<Frame> for Bytes {
    fn from(frame: Frame) -> Bytes {
        frame.0
    }
}
