//! The eye in the sky: what happened at a table, read back from its log.
//!
//! A table's log is read and a short account of it kept for a while (see `chronicle`); pages of
//! it are then replayed from the nearest state on the way. Reading takes turns, so that looking
//! back never holds up play.

mod chronicle;
mod hands;
mod ledger;
mod reader;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use self::chronicle::Chronicle;
pub use self::hands::Wanted;
pub use self::ledger::{Asked, csv};
use self::reader::Reader;
pub use self::reader::books;
use crate::access::{Person, Sight};
use crate::house::House;
use crate::id::TableId;
use crate::log::{Head, Stream};
use crate::mend::{MendQuestion, MendShown};
use crate::meters;
use crate::problem::Problem;
use crate::store::Store;
use crate::table::{BookedRoll, LiveTable, MissedJackpot};
use crate::turns::{Turn, Turns};
use crate::wire::{HandView, Happened, History, Ledger, PastHand, SlipView, TableView};

/// So many read at once.
const READERS: usize = 2;
/// So many may wait for them.
const WAITING: usize = 8;
/// Accounts are kept of so many tables, those looked at last.
const KEPT: usize = 8;
/// So many records are read at once; then others have their turn.
const SLICE: u32 = 64;

/// The account of one table, once somebody has asked for it.
type Slot = Arc<tokio::sync::Mutex<Option<Chronicle>>>;

/// What was read back from the logs of tables.
pub struct Histories {
    kept: Mutex<VecDeque<(TableId, Slot)>>,
    turns: Turns,
}

impl Default for Histories {
    fn default() -> Histories {
        let many = "many look back at the moment, try again in a little while";
        Histories { kept: Mutex::default(), turns: Turns::new(READERS, WAITING, many) }
    }
}

impl Histories {
    /// Waits for a turn at reading logs, unless too many wait already.
    pub async fn turn(&self) -> Result<Turn, Problem> {
        self.turns.turn().await
    }

    /// The hands of a table, newest first.
    pub async fn hands(
        &self,
        house: &Arc<House>,
        table: TableId,
        wanted: Wanted,
    ) -> Result<Vec<PastHand>, Problem> {
        let (slot, turn, house) = (self.slot(table), self.turn().await?, Arc::clone(house));
        apart(async move {
            let _turn = turn;
            look(&slot, &house, table, |chronicle| {
                let seen_from = chronicle.seen_from(wanted.who.as_deref());
                // Who has shot is found by those who know the names.
                match wanted.name.is_some() && seen_from == u64::MAX {
                    true => Err(Problem::stranger()),
                    false => Ok(chronicle.hands.wanted(&wanted, seen_from)),
                }
            })
            .await?
        })
        .await
    }

    /// The table as it stood after a record, and at most `limit` updates that came next, as
    /// far as somebody may see them.
    pub async fn history(
        &self,
        house: &Arc<House>,
        table: TableId,
        after: u64,
        limit: u32,
        who: Option<Arc<Person>>,
    ) -> Result<History, Problem> {
        let (slot, turn, house) = (self.slot(table), self.turn().await?, Arc::clone(house));
        apart(async move {
            let _turn = turn;
            let seen_from = |chronicle: &Chronicle| chronicle.seen_from(who.as_deref());
            let seen_from = look(&slot, &house, table, seen_from).await?;
            let (reader, head) = reader(&slot, &house, table, after).await?;
            page(&house, reader, head, limit, seen_from).await
        })
        .await
    }

    /// The slip of what a record paid.
    pub async fn slip(
        &self,
        house: &Arc<House>,
        table: TableId,
        record: u64,
    ) -> Result<SlipView, Problem> {
        let (slot, turn, house) = (self.slot(table), self.turn().await?, Arc::clone(house));
        apart(async move {
            let _turn = turn;
            let none = || Problem::not_found(format!("slip of record {record}"));
            let before = record.checked_sub(1).filter(|before| *before > 0).ok_or_else(none)?;
            let (reader, head) = reader(&slot, &house, table, before).await?;
            if head < record {
                return Err(none());
            }
            let next = reader.ahead(&*house.store, 1).await?.pop();
            let slip = next.and_then(|(at, entry)| SlipView::of(&reader.state, at.seq, &entry));
            slip.ok_or_else(none)
        })
        .await
    }

    /// A roll as it was booked, and the table before it; none where the record is no roll.
    pub async fn booked_roll(
        &self,
        house: &Arc<House>,
        table: TableId,
        question: &MendQuestion,
    ) -> Result<Option<BookedRoll>, Problem> {
        let record = question.of;
        let head = house.store.head(&Stream::Table(table)).await?;
        if record < 2 || record > head.seq {
            return Ok(None);
        }
        let (slot, turn, house) = (self.slot(table), self.turn().await?, Arc::clone(house));
        let question = question.clone();
        apart(async move {
            let _turn = turn;
            let (mut reader, _) = reader(&slot, &house, table, record - 1).await?;
            let (store, shelf) = (&*house.store, &house.shelf);
            let Some((at, entry)) = reader.ahead(store, 1).await?.pop() else { return Ok(None) };
            reader.take(store, shelf, at, &entry).await?;
            let Some(mut roll) = BookedRoll::of(&reader.state, record, &entry) else {
                return Ok(None);
            };
            for missed in roll.missed(&question)? {
                roll.shown.extend(shown(store, table, record, &missed).await?);
            }
            Ok(Some(roll))
        })
        .await
    }

    /// What moved a seat's chips after a record.
    pub async fn ledger(
        &self,
        house: &Arc<House>,
        table: TableId,
        after: u64,
        asked: Asked,
    ) -> Result<Ledger, Problem> {
        let (slot, turn, house) = (self.slot(table), self.turn().await?, Arc::clone(house));
        apart(async move {
            let _turn = turn;
            let (reader, head) = reader(&slot, &house, table, after).await?;
            ledger::read(&house, reader, head, &asked).await
        })
        .await
    }

    /// All that moved a seat's chips after a record, where it is at most what is asked for.
    /// Others have their turn between two stretches of the log.
    pub async fn whole_ledger(
        &self,
        house: &Arc<House>,
        table: TableId,
        after: u64,
        asked: Asked,
    ) -> Result<Ledger, Problem> {
        let most = asked.limit;
        // One more tells that there are too many.
        let asked = Asked { limit: most + 1, ..asked };
        let mut whole = self.ledger(house, table, after, asked.clone()).await?;
        while let Some(next) = whole.next.filter(|_| whole.movements.len() <= most) {
            let more = self.ledger(house, table, next, asked.clone()).await?;
            whole.movements.extend(more.movements);
            (whole.next, whole.head) = (more.next, more.head);
        }
        let Some(beyond) = whole.movements.get(most) else { return Ok(whole) };
        let until = beyond.seq - 1;
        let long = format!(
            "that is more than {most} lines: ask for those with until={until}, then for those \
             with after={until}"
        );
        Err(Problem::invalid("too-long", long))
    }

    /// Where a table's account is kept; one that nobody has looked at for longest makes room.
    fn slot(&self, table: TableId) -> Slot {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let place = kept.iter().position(|(known, _)| *known == table);
        let slot = match place.and_then(|place| kept.remove(place)) {
            Some((_, slot)) => slot,
            None => Slot::default(),
        };
        kept.push_back((table, Arc::clone(&slot)));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        slot
    }
}

/// What the meter of a jackpot that nobody claimed showed then, winner by winner.
async fn shown(
    store: &dyn Store,
    table: TableId,
    record: u64,
    missed: &MissedJackpot,
) -> Result<Vec<MendShown>, Problem> {
    let MissedJackpot { paytable, meter, told, winners } = missed;
    let Some(kept) = meters::past::before(store, meter, table, record).await? else {
        return Ok(Vec::new());
    };
    if *told < record && kept.heard_of(table) < *told {
        let behind = format!("the meter of {paytable} has not heard all that was fed, try again");
        return Err(Problem::unavailable("meter-behind", behind));
    }
    let shares = kept.would_award(table, winners).unwrap_or_default();
    let all = shares.into_iter().zip(winners);
    let shown = all.map(|((seat, amount), (_, units))| {
        let (paytable, units) = (paytable.clone(), *units);
        MendShown { paytable, seat: seat.0, units, amount }
    });
    Ok(shown.collect())
}

/// Does something to its end, though whoever asked may have gone: what was read is kept. A log
/// that makes the engine panic is damaged.
async fn apart<T: Send + 'static>(
    work: impl Future<Output = Result<T, Problem>> + Send + 'static,
) -> Result<T, Problem> {
    let damaged = |_| Problem::unavailable("table-damaged", "the table's log cannot be replayed");
    tokio::spawn(work).await.map_err(damaged)?
}

/// Brings a table's account up to its last record and looks at it. An account that could not be
/// brought up to date is forgotten, and read anew the next time.
async fn look<T>(
    slot: &Slot,
    house: &House,
    table: TableId,
    look: impl FnOnce(&Chronicle) -> T,
) -> Result<T, Problem> {
    let mut slot = slot.lock().await;
    let mut chronicle = match slot.take() {
        Some(chronicle) => chronicle,
        None => Chronicle::open(house, table).await?,
    };
    let head = house.store.head(&Stream::Table(table)).await?;
    chronicle.read_to(house, head.seq).await?;
    let seen = look(&chronicle);
    *slot = Some(chronicle);
    Ok(seen)
}

/// A reader right after a record, or at the nearest end of the log, and the log's last record.
async fn reader(
    slot: &Slot,
    house: &House,
    table: TableId,
    after: u64,
) -> Result<(Reader, u64), Problem> {
    let near = |chronicle: &Chronicle| {
        let head = chronicle.head();
        let after = after.clamp(1, head);
        (chronicle.nearest(after), after, head)
    };
    let ((state, at), after, head): ((LiveTable, Head), u64, u64) =
        look(slot, house, table, near).await?;
    let (store, shelf) = (&*house.store, &house.shelf);
    let mut reader = Reader { state, head: at };
    while reader.head.seq < after {
        let left = u32::try_from(after - reader.head.seq).unwrap_or(SLICE).min(SLICE);
        let ahead = reader.ahead(store, left).await?;
        if ahead.is_empty() {
            break;
        }
        for (head, entry) in &ahead {
            reader.take(store, shelf, *head, entry).await?;
        }
        tokio::task::yield_now().await;
    }
    Ok((reader, head))
}

/// The table where the reader stands, and what came next. Ends after a change of rules and
/// where somebody sees more from then on: those who watched were shown the table anew.
async fn page(
    house: &House,
    mut reader: Reader,
    head: u64,
    limit: u32,
    seen_from: u64,
) -> Result<History, Problem> {
    let from = reader.head.seq;
    let sight = if from >= seen_from { Sight::Table } else { Sight::Stranger };
    let (store, shelf) = (&*house.store, &house.shelf);
    let warnings = shelf.warnings(reader.state.rules());
    let table = TableView::of(&reader.state, reader.head.seq, Vec::new(), warnings);
    let mut hand = HandView::of(&reader.state);
    let mut updates = Vec::new();
    let limit = limit as usize;
    'reading: while updates.len() < limit {
        let left = u32::try_from(limit - updates.len()).unwrap_or(SLICE).min(SLICE);
        let ahead = reader.ahead(store, left).await?;
        if ahead.is_empty() {
            break;
        }
        for (at, entry) in &ahead {
            let update = reader.tell(store, shelf, &mut hand, (*at, entry)).await?;
            let other_rules = |event: &Happened| matches!(event, Happened::Configured { .. });
            let ends = update.events.iter().any(other_rules);
            updates.push(sight.show(update));
            if ends || at.seq == seen_from {
                break 'reading;
            }
        }
        tokio::task::yield_now().await;
    }
    Ok(History { table: sight.show(table), updates, head: head.max(reader.head.seq) })
}
