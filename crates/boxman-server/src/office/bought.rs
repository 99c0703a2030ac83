//! What players have bought at every table of the house today, as far as this node has heard: of
//! its own tables at once, of other nodes' as they tell what is on the floor.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::lock;
use crate::id::TableId;
use crate::table::{Bought, BoughtElsewhere, PlayerKey};

/// What players whom the house knows have bought at one table on its last day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableToday {
    /// `YYYY-MM-DD`, UTC.
    pub day: String,
    /// Who has bought what.
    pub bought: Vec<(PlayerKey, Bought)>,
}

impl TableToday {
    /// What players have bought on a day.
    pub fn new(day: String, bought: BoughtElsewhere) -> TableToday {
        TableToday { day, bought: bought.into_iter().collect() }
    }
}

/// The same of every table.
#[derive(Default)]
pub(crate) struct BoughtToday {
    tables: Mutex<BTreeMap<TableId, TableToday>>,
    version: AtomicU64,
}

impl BoughtToday {
    /// Notes what was bought at a table, and says whether that is new.
    pub(crate) fn note(&self, table: TableId, today: TableToday) -> bool {
        let mut tables = lock(&self.tables);
        let known = tables.get(&table);
        let changed = match known {
            Some(known) => *known != today,
            None => !today.bought.is_empty(),
        };
        if changed {
            tables.insert(table, today);
            self.version.fetch_add(1, Ordering::Relaxed);
        }
        changed
    }

    /// A number that is another one whenever something has changed.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    /// What was bought at a table, as it was noted last.
    pub(crate) fn at(&self, table: TableId) -> TableToday {
        lock(&self.tables).get(&table).cloned().unwrap_or_default()
    }

    /// What players have bought at all tables but this one on a day.
    pub(crate) fn elsewhere(&self, table: TableId, day: &str) -> BoughtElsewhere {
        let mut all = BoughtElsewhere::new();
        let tables = lock(&self.tables);
        let others = tables.iter().filter(|(other, today)| **other != table && today.day == day);
        for (key, bought) in others.flat_map(|(_, today)| &today.bought) {
            all.entry(key.clone()).or_default().add(bought);
        }
        all
    }
}
