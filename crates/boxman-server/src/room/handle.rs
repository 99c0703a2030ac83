//! How the rest of the server talks to a room. Commands come before visits, and are refused where
//! too many wait. Visits, which anybody may pay, are served a few at a time between them, and
//! whoever has another waits for a place. Notes are the server's own, and none waits.

use std::sync::Arc;

use craps::Seat;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot, watch};

use super::crew::Tick;
use super::{Client, Reply};
use crate::access::Person;
use crate::ask::Ask;
use crate::books::Books;
use crate::id::TableId;
use crate::log::Head;
use crate::mend::{MendLine, MendQuestion};
use crate::problem::Problem;
use crate::table::{BookedRoll, LiveTable};
use crate::wire::{
    Cheer, IfRolledView, LimitsView, OfferView, TableView, WaitingItem, WorkListView,
};

/// So many commands may wait for a room before others are refused.
const INBOX: usize = 1_024;
/// So many visits may wait.
const VISITS: usize = 256;

/// A command on its way to a room.
pub struct Asked {
    /// Who asks.
    pub who: Arc<Person>,
    /// What.
    pub ask: Ask,
    /// The roll that it is to mend, read back from the log, if there is one.
    pub roll: Option<Arc<BookedRoll>>,
    /// Where to answer.
    pub reply: Reply,
}

/// What a room is asked by people who look at it.
pub enum Visit {
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
        /// Given back once they have been served.
        turn: OwnedSemaphorePermit,
    },
    /// Somebody on a socket wants to know what a seat may do.
    OffersTo {
        /// Who.
        client: u64,
        /// Which seat.
        seat: Seat,
        /// Given back once they have been served.
        turn: OwnedSemaphorePermit,
    },
    /// Somebody on a socket wants to know what the next roll would do to a seat.
    IfItRollsTo {
        /// Who.
        client: u64,
        /// Which seat.
        seat: Seat,
        /// Given back once they have been served.
        turn: OwnedSemaphorePermit,
    },
    /// A dealer ticks items of work lists off.
    Tick {
        /// On which socket.
        client: u64,
        /// Who, where they are logged in.
        who: Option<Arc<Person>>,
        /// Which.
        ticks: Vec<Tick>,
        /// Given back once it was done.
        turn: OwnedSemaphorePermit,
    },
    /// One of the crew wants to know which roll would cost the tray the most.
    WorstRollTo {
        /// On which socket.
        client: u64,
        /// Given back once they have been served.
        turn: OwnedSemaphorePermit,
    },
    /// Somebody says something to everybody at the table.
    Cheer {
        /// On which socket.
        client: u64,
        /// Who, where they are logged in.
        who: Option<Arc<Person>>,
        /// What.
        cheer: Cheer,
        /// Given back once it was said.
        turn: OwnedSemaphorePermit,
    },
    /// Somebody looks at all of it.
    Look(oneshot::Sender<Arc<TableView>>),
    /// One of the crew wants to know what there is to do.
    Work(oneshot::Sender<Vec<WorkListView>>),
    /// One of the crew wants to know what is left of the limits of the day.
    Limits(oneshot::Sender<Option<LimitsView>>),
    /// Somebody wants to know what a seat may do.
    Offers {
        /// Who, where they are logged in.
        who: Option<Arc<Person>>,
        /// Which seat.
        seat: Seat,
        /// The answer, for those who may see the seats.
        reply: oneshot::Sender<Result<Vec<OfferView>, Problem>>,
    },
    /// Somebody wants to know what the next roll would do to a seat.
    IfItRolls {
        /// Who, where they are logged in.
        who: Option<Arc<Person>>,
        /// Which seat.
        seat: Seat,
        /// The answer, for those who may see the seats.
        reply: oneshot::Sender<Result<Vec<IfRolledView>, Problem>>,
    },
    /// One of the crew wants to know what the engine suggests for a roll.
    SuggestMend {
        /// The roll, if the record is one.
        roll: Option<Arc<BookedRoll>>,
        /// What was wrong.
        question: MendQuestion,
        /// The answer.
        reply: oneshot::Sender<Result<Vec<MendLine>, Problem>>,
    },
    /// Somebody wants the days that are not in the store yet, and to know those that are.
    Books(oneshot::Sender<Books>),
    /// Somebody wants everything, to check it.
    Inspect(oneshot::Sender<(LiveTable, Head)>),
}

/// What a room is told by the rest of the server.
pub enum Note {
    /// The log turned out to be damaged.
    Damaged(String),
    /// Finish what is under way and stop.
    Stop,
    /// Another node has the table now.
    Lost,
    /// It is known by now whether the rules favour the player anywhere.
    LookedOver,
}

/// A way to talk to a room.
#[derive(Clone)]
pub struct RoomHandle {
    /// The table.
    pub table: TableId,
    asks: mpsc::Sender<Asked>,
    visits: mpsc::Sender<Visit>,
    notes: mpsc::UnboundedSender<Note>,
    seated: watch::Receiver<Vec<String>>,
    looking_on: watch::Receiver<usize>,
    waiting: watch::Receiver<Vec<WaitingItem>>,
}

/// The ends at which a room listens, and where it shows who has a seat and how many look on.
pub(super) struct Ends {
    pub(super) asks: mpsc::Receiver<Asked>,
    pub(super) visits: mpsc::Receiver<Visit>,
    pub(super) notes: mpsc::UnboundedReceiver<Note>,
    pub(super) seated: watch::Sender<Vec<String>>,
    pub(super) looking_on: watch::Sender<usize>,
    pub(super) waiting: watch::Sender<Vec<WaitingItem>>,
}

impl RoomHandle {
    pub(super) fn new(table: TableId) -> (RoomHandle, Ends) {
        let (asks, asked) = mpsc::channel(INBOX);
        let (visits, visited) = mpsc::channel(VISITS);
        let (notes, noted) = mpsc::unbounded_channel();
        let (seats, seated) = watch::channel(Vec::new());
        let (lookers, looking_on) = watch::channel(0);
        let (waits, waiting) = watch::channel(Vec::new());
        let handle = RoomHandle { table, asks, visits, notes, seated, looking_on, waiting };
        let ends = Ends {
            asks: asked,
            visits: visited,
            notes: noted,
            seated: seats,
            looking_on: lookers,
            waiting: waits,
        };
        (handle, ends)
    }

    /// Whether nobody listens any more.
    pub fn is_gone(&self) -> bool {
        self.notes.is_closed()
    }

    /// Comes back when nobody does.
    pub(crate) async fn gone(&self) {
        self.notes.closed().await;
    }

    /// Asks, where the room is not swamped.
    #[expect(clippy::result_large_err, reason = "the command goes back to its sender as it came")]
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

    /// A place for one more visit; none where nobody listens any more.
    pub async fn place(&self) -> Option<mpsc::OwnedPermit<Visit>> {
        self.visits.clone().reserve_owned().await.ok()
    }

    /// Pays the room a visit that it answers.
    pub async fn query<T>(
        &self,
        visit: impl FnOnce(oneshot::Sender<T>) -> Visit,
    ) -> Result<T, Problem> {
        let silent = "the table cannot answer at the moment, try again";
        let silent = || Problem::unavailable("table-silent", silent);
        let (reply, answer) = oneshot::channel();
        self.place().await.ok_or_else(silent)?.send(visit(reply));
        answer.await.map_err(|_| silent())
    }

    /// Whether somebody has a seat at the table.
    pub fn is_seated(&self, person: &str) -> bool {
        self.seated.borrow().iter().any(|seated| seated == person)
    }

    /// What waits for a person, whenever that changes.
    pub fn waiting(&self) -> watch::Receiver<Vec<WaitingItem>> {
        self.waiting.clone()
    }

    /// Who has a seat at the table, and whether that changed.
    pub fn seated(&self) -> watch::Receiver<Vec<String>> {
        self.seated.clone()
    }
    /// How many look on; nobody counts them at a real table, where an inspector may be one.
    pub fn looking_on(&self) -> usize {
        *self.looking_on.borrow()
    }
}
