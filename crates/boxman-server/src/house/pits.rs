//! Pits that come and go: rooms are opened for those gained, and end with those lost.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures_util::stream::{self, StreamExt};

use super::House;
use crate::id::TableId;
use crate::log::Stream;
use crate::meters::{MeterHandle, MeterMessage};
use crate::office::lock;
use crate::pit::Pit;
use crate::room::{Note, RoomHandle};

/// So many tables are opened at once, behind those that somebody asks for.
const AT_ONCE: usize = 4;

impl House {
    /// Takes pits on. Their tables are opened one after the other, so that what they have to tell
    /// their meters arrives; whoever asks for one has it opened at once.
    pub(crate) fn gained(self: &Arc<House>, pits: Vec<Pit>) {
        for pit in &pits {
            self.settled(*pit);
            // What was another node's until now is found anew.
            let stop = |meter: MeterHandle| meter.tell(MeterMessage::Stop);
            self.take_meters(*pit).into_iter().for_each(stop);
        }
        let house = Arc::clone(self);
        tokio::spawn(async move {
            let Some(link) = house.link() else { return };
            let streams = match link.store().streams_of(&pits).await {
                Ok(streams) => streams,
                // They are opened when somebody asks for them.
                Err(error) => return tracing::warn!(%error, "tables wait until they are asked for"),
            };
            let tables: Vec<TableId> = streams
                .into_iter()
                .filter_map(|stream| match stream {
                    Stream::Table(table) => Some(table),
                    _ => None,
                })
                .collect();
            lock(&house.tables).extend(tables.iter().copied());
            stream::iter(tables)
                .for_each_concurrent(AT_ONCE, |table| {
                    let house = Arc::clone(&house);
                    async move {
                        if let Err(problem) = house.room(table).await {
                            tracing::debug!(%table, %problem, "a table is not opened");
                        }
                    }
                })
                .await;
        });
    }

    /// A pit is another node's: its rooms and meters end without another word.
    pub(crate) fn lost(&self, pit: Pit) {
        self.practice.forget_pit(pit);
        for room in self.take_rooms(pit) {
            room.tell(Note::Lost);
        }
        for meter in self.take_meters(pit) {
            meter.tell(MeterMessage::Lost);
        }
        self.settled(pit);
    }

    /// Every pit may be another node's.
    pub(crate) fn lost_all(&self) {
        Pit::all().for_each(|pit| self.lost(pit));
    }

    /// Has the rooms and meters of a pit finish what is under way, and opens nothing there any
    /// more.
    pub(crate) async fn vacate(&self, pit: Pit) {
        self.office.vacate(pit).await;
        self.practice.forget_pit(pit);
        for room in self.take_rooms(pit) {
            room.tell(Note::Stop);
            room.gone().await;
        }
        for meter in self.take_meters(pit) {
            meter.send(MeterMessage::Stop).await;
            meter.gone().await;
        }
    }

    /// Whether no table of a pit is open here.
    pub(crate) fn is_empty(&self, pit: Pit) -> bool {
        lock(&self.rooms).get(&pit).is_none_or(BTreeMap::is_empty)
    }

    /// The rooms of a pit, which are not found here any more.
    fn take_rooms(&self, pit: Pit) -> Vec<RoomHandle> {
        let rooms = lock(&self.rooms).remove(&pit).unwrap_or_default();
        rooms.values().filter_map(|slot| slot.get().cloned()).collect()
    }
}
