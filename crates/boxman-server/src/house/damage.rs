//! Looks for what is wrong with the logs of a house: tables that do not open, logs that are not
//! what was written, and logs that are gone.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::House;
use crate::id::TableId;
use crate::log::{HouseEntry, Stream};
use crate::office::lock;
use crate::pit::Pit;
use crate::room::Note;
use crate::store::{Store, StoreError, Stored, check_chain, snapshot};

/// So long after something did not hold it is looked at again.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

impl House {
    /// Logs that the house has opened and that are not there any more are not begun anew.
    pub(super) async fn miss(&self, streams: &BTreeSet<Stream>) -> Stored<()> {
        let gone = "the house has opened it, and its log is gone";
        for stream in opened(&*self.store).await? {
            // Another node may have opened it since they were listed.
            if streams.contains(&stream) || self.store.head(&stream).await?.seq > 0 {
                continue;
            }
            self.note_damage(stream.clone(), gone, true);
            if let Stream::Table(table) = stream {
                lock(&self.tables).insert(table);
            }
        }
        if !streams.is_empty() && !streams.contains(&Stream::House) {
            self.note_damage(Stream::House, "its log is gone, and there are others", true);
        }
        Ok(())
    }

    /// Reads every table once, so that letters to meters that were under way arrive, and then
    /// walks every log from its beginning, the meters' and the house's too, and looks at every
    /// snapshot: what is not as it was written is shown as damaged. Says whether everything is
    /// whole.
    pub async fn look_through(self: Arc<House>) -> bool {
        let owned = |table: &TableId| self.owns(&Stream::Table(*table));
        for table in self.tables().into_iter().filter(owned) {
            if let Err(problem) = self.room(table).await {
                tracing::error!(%table, %problem, "a table does not open");
            }
        }
        let streams = match self.store.streams().await {
            Ok(streams) => streams,
            Err(error) => {
                tracing::warn!(%error, "the logs could not be checked");
                return false;
            }
        };
        // Each node looks at its own.
        let streams: Vec<Stream> = streams.into_iter().filter(|stream| self.owns(stream)).collect();
        let (mut whole, logs) = (0, streams.len());
        for stream in streams {
            whole += usize::from(self.check_log(&stream).await);
        }
        match whole == logs {
            true => tracing::info!(logs, "every log and every snapshot has been checked"),
            false => tracing::error!(logs, whole, "not every log is whole and could be checked"),
        }
        whole == logs
    }

    /// Whether a log is as it was written, and its snapshot one that may be believed. What does not
    /// hold is read once more: between two pages another database may have taken the first one's
    /// place, or somebody else the log.
    async fn check_log(&self, stream: &Stream) -> bool {
        let mut checked = self.look_at_log(stream).await;
        if matches!(checked, Err(StoreError::Damaged(_))) && self.link().is_some() {
            tokio::time::sleep(LOOK_AGAIN).await;
            if !self.owns(stream) {
                return true;
            }
            checked = self.look_at_log(stream).await;
        }
        match checked {
            Ok(()) => return true,
            Err(StoreError::Damaged(reason)) => self.tell_damage(stream, &reason),
            Err(error) => tracing::warn!(%stream, %error, "a log could not be checked"),
        }
        false
    }

    async fn look_at_log(&self, stream: &Stream) -> Stored<()> {
        match check_chain(&*self.store, stream).await {
            Ok(Some(seq)) => {
                let reason = format!("record {seq} of {stream} is not what was written");
                Err(StoreError::Damaged(reason))
            }
            Ok(None) => snapshot::ours(&*self.store, stream).await.map(drop),
            Err(error) => Err(error),
        }
    }

    /// Has everybody who depends on a log know that it is damaged.
    pub(crate) fn tell_damage(&self, stream: &Stream, reason: &str) {
        self.note_damage(stream.clone(), reason, true);
        match stream {
            Stream::House => {}
            Stream::Table(table) => {
                let rooms = lock(&self.rooms);
                let rooms = rooms.get(&Pit::of(stream));
                let slot = rooms.and_then(|rooms| rooms.get(table));
                let room = slot.and_then(|slot| slot.get());
                room.inspect(|room| room.tell(Note::Damaged(reason.to_owned())));
            }
            Stream::Meter(id) => self.tell_meter_damage(id, reason),
        }
    }
}

/// Every log that the house has opened, as far as its own can be read: also what stands after a
/// record that does not follow, where a walk would end.
async fn opened(store: &dyn Store) -> Stored<Vec<Stream>> {
    let (mut opened, mut after) = (Vec::new(), 0);
    loop {
        let records = match store.records(&Stream::House, after, 1_000).await {
            Err(StoreError::Damaged(_)) => return Ok(opened),
            records => records?,
        };
        let Some(last) = records.last() else { return Ok(opened) };
        after = last.seq;
        opened.extend(records.iter().filter_map(|record| {
            match record.entry::<HouseEntry>().ok()?.what {
                HouseEntry::TableOpened { table, .. } | HouseEntry::TableImported { table, .. } => {
                    Some(Stream::Table(table))
                }
                HouseEntry::MeterOpened { meter } => Some(Stream::Meter(meter)),
                _ => None,
            }
        }));
    }
}
