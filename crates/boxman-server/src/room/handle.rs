//! How the rest of the server talks to a room: commands through a queue that can be full, notes
//! through one that cannot.

use std::sync::Arc;

use craps::{MeterAward, MeterTerms, Seat};
use tokio::sync::{mpsc, oneshot};

use super::{Client, Reply, State};
use crate::access::Person;
use crate::books::Books;
use crate::id::{MeterId, TableId};
use crate::log::Head;
use crate::problem::Problem;
use crate::wire::{self, OfferView, TableView};

/// So many commands may wait for a room before others are refused.
const INBOX: usize = 1_024;

/// A command on its way to a room.
pub struct Asked {
    /// Who asks.
    pub who: Arc<Person>,
    /// What.
    pub ask: wire::Ask,
    /// Where to answer.
    pub reply: Reply,
}

/// What a room is told by the rest of the server.
pub enum Note {
    /// Somebody watches.
    Join {
        /// Who.
        client: Client,
        /// The last record they saw, where they have been here before.
        after: Option<u64>,
    },
    /// Somebody wants what came after this record again.
    Resume {
        /// Who.
        client: u64,
        /// The last record they saw.
        after: u64,
    },
    /// Somebody on a socket wants to know what a seat may do.
    OffersTo {
        /// Who.
        client: u64,
        /// Which seat.
        seat: Seat,
    },
    /// Somebody has gone.
    Gone(u64),
    /// A meter has heard everything up to this record.
    Heard {
        /// The meter.
        meter: MeterId,
        /// The record.
        through: u64,
    },
    /// A meter has answered a claim.
    Award(MeterAward),
    /// A meter was reset and may run on other terms.
    Terms {
        /// The meter.
        meter: MeterId,
        /// Its terms.
        terms: MeterTerms,
    },
    /// Somebody looks at all of it.
    Look(oneshot::Sender<TableView>),
    /// Somebody wants to know what a seat may do.
    Offers {
        /// Who, where they are logged in.
        who: Option<Arc<Person>>,
        /// Which seat.
        seat: Seat,
        /// The answer, for those who may see the seats.
        reply: oneshot::Sender<Result<Vec<OfferView>, Problem>>,
    },
    /// Somebody wants the days that are not in the store yet, and to know those that are.
    Books(oneshot::Sender<Books>),
    /// Somebody wants everything, to check it.
    Inspect(oneshot::Sender<(State, Head)>),
    /// The log turned out to be damaged.
    Damaged(String),
    /// Finish what is under way and stop.
    Stop,
}

/// A way to talk to a room.
#[derive(Clone)]
pub struct RoomHandle {
    /// The table.
    pub table: TableId,
    asks: mpsc::Sender<Asked>,
    notes: mpsc::UnboundedSender<Note>,
}

impl RoomHandle {
    /// A way to talk to a room, and the ends at which it listens.
    pub(super) fn new(
        table: TableId,
    ) -> (RoomHandle, mpsc::Receiver<Asked>, mpsc::UnboundedReceiver<Note>) {
        let (asks, asked) = mpsc::channel(INBOX);
        let (notes, noted) = mpsc::unbounded_channel();
        (RoomHandle { table, asks, notes }, asked, noted)
    }

    /// Whether nobody listens any more.
    pub fn is_gone(&self) -> bool {
        self.notes.is_closed()
    }

    /// Asks, where the room is not swamped.
    pub fn ask(&self, asked: Asked) -> Result<(), Asked> {
        self.asks.try_send(asked).map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(asked) | mpsc::error::TrySendError::Closed(asked) => {
                asked
            }
        })
    }

    /// Tells the room something, where it still listens.
    pub fn tell(&self, note: Note) {
        // A room that has stopped is read back from its log, where everything is.
        let _ = self.notes.send(note);
    }

    /// Tells the room something that it answers.
    pub async fn query<T>(
        &self,
        note: impl FnOnce(oneshot::Sender<T>) -> Note,
    ) -> Result<T, Problem> {
        let (reply, answer) = oneshot::channel();
        self.tell(note(reply));
        let silent = "the table cannot answer at the moment, try again";
        answer.await.map_err(|_| Problem::unavailable("table-silent", silent))
    }
}
