//! What is in the database, and what each statement does to it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use boxman_server::testing::hash::Hash;
use boxman_server::testing::log::{Head, Key, Record, Stream};
use boxman_server::testing::pit::Pit;
use boxman_server::testing::simulation::{Beat, Notice, PitRow, is_keyless};
use boxman_server::testing::store::{
    Account, Day, Identity, NodeRow, Play, RulebookText, Session, Snapshot, StoreError, Stored,
    edition,
};

/// One log.
#[derive(Clone, Default)]
pub(crate) struct Log {
    pub(crate) records: BTreeMap<u64, Arc<Record>>,
    keys: BTreeMap<String, u64>,
}

/// Every row there is.
#[derive(Clone)]
pub(crate) struct Tables {
    nodes: BTreeMap<(String, i64), NodeRow>,
    pits: Vec<(Option<Identity>, i64)>,
    pub(crate) logs: BTreeMap<Stream, Log>,
    pub(crate) snapshots: BTreeMap<Stream, Arc<Snapshot>>,
    pub(crate) days: BTreeMap<(Stream, String), Day>,
    pub(crate) rulebooks: BTreeMap<String, Arc<RulebookText>>,
    pub(crate) accounts: BTreeMap<String, Account>,
    pub(crate) sessions: BTreeMap<String, Session>,
    pub(crate) settings: BTreeMap<String, String>,
    pub(crate) plays: Vec<Play>,
    notices: Vec<Notice>,
}

impl Default for Tables {
    fn default() -> Tables {
        Tables {
            nodes: BTreeMap::new(),
            pits: vec![(None, 0); Pit::COUNT],
            logs: BTreeMap::new(),
            snapshots: BTreeMap::new(),
            days: BTreeMap::new(),
            rulebooks: BTreeMap::new(),
            accounts: BTreeMap::new(),
            sessions: BTreeMap::new(),
            settings: BTreeMap::from([("edition".to_owned(), edition::NEWEST.to_string())]),
            plays: Vec::new(),
            notices: Vec::new(),
        }
    }
}

fn key(identity: &Identity) -> (String, i64) {
    (identity.name.clone(), identity.incarnation)
}

impl Tables {
    /// Writes records, all or none: a number or a command is there once.
    pub(crate) fn write(&mut self, records: &[&Arc<Record>]) -> Stored<()> {
        let clashes = |record: &Record| {
            let log = self.logs.get(&record.stream);
            let has = |log: &Log| {
                let known = record.key.is_some_and(|key| log.keys.contains_key(&key.to_string()));
                (known && !is_keyless()) || log.records.contains_key(&record.seq)
            };
            log.is_some_and(has)
        };
        let mut numbers = BTreeSet::new();
        let mut twice =
            |record: &&Arc<Record>| !numbers.insert((record.stream.clone(), record.seq));
        if records.iter().any(|record| clashes(record)) || records.iter().any(&mut twice) {
            return Err(StoreError::Conflict);
        }
        for record in records {
            let log = self.logs.entry(record.stream.clone()).or_default();
            if let Some(key) = record.key {
                log.keys.insert(key.to_string(), record.seq);
            }
            log.records.insert(record.seq, Arc::clone(record));
        }
        Ok(())
    }

    /// Writes lines whose pits are held as is named.
    pub(crate) fn put(
        &mut self,
        me: &Identity,
        epochs: &BTreeSet<(Pit, i64)>,
        lines: &[(Arc<Record>, Option<Pit>)],
    ) -> Stored<BTreeSet<Pit>> {
        let is_held = |(pit, epoch): &&(Pit, i64)| {
            let (owner, known) = &self.pits[pit.index()];
            owner.as_ref() == Some(me) && known == epoch
        };
        let held: BTreeSet<Pit> = epochs.iter().filter(is_held).map(|(pit, _)| *pit).collect();
        let may = |guard: &Option<Pit>| guard.is_none_or(|pit| held.contains(&pit));
        let lines = lines.iter().filter(|(_, guard)| may(guard));
        let records: Vec<&Arc<Record>> = lines.map(|(record, _)| record).collect();
        self.write(&records)?;
        Ok(held)
    }

    pub(crate) fn head(&self, stream: &Stream) -> Head {
        let last = self.logs.get(stream).and_then(|log| log.records.last_key_value());
        last.map(|(_, record)| record.head()).unwrap_or_default()
    }

    pub(crate) fn records(&self, stream: &Stream, after: u64, limit: u32) -> Vec<Record> {
        let Some(log) = self.logs.get(stream) else { return Vec::new() };
        let records = log.records.range(after + 1..).take(limit as usize);
        records.map(|(_, record)| Record::clone(record)).collect()
    }

    pub(crate) fn find(&self, stream: &Stream, key: &Key) -> Option<Record> {
        let log = self.logs.get(stream)?;
        Some(Record::clone(log.records.get(log.keys.get(&key.to_string())?)?))
    }

    fn is_up(&self, identity: &Identity) -> bool {
        self.nodes.get(&key(identity)).is_some_and(|node| node.state == "up")
    }

    pub(crate) fn take_free(&mut self, me: &Identity, most: usize) -> Vec<(Pit, i64)> {
        if !self.is_up(me) {
            return Vec::new();
        }
        let (mut taken, nodes) = (Vec::new(), &self.nodes);
        for pit in Pit::all() {
            let (owner, epoch) = &mut self.pits[pit.index()];
            let has = |owner: &Identity| nodes.get(&key(owner)).is_some_and(|n| n.state != "gone");
            if owner.as_ref().is_some_and(has) || taken.len() == most {
                continue;
            }
            (*owner, *epoch) = (Some(me.clone()), *epoch + 1);
            taken.push((pit, *epoch));
        }
        taken
    }

    pub(crate) fn take_again(&mut self, me: &Identity, pit: Pit) -> Option<i64> {
        let (owner, epoch) = &mut self.pits[pit.index()];
        if owner.as_ref() != Some(me) {
            return None;
        }
        *epoch += 1;
        Some(*epoch)
    }

    pub(crate) fn give(
        &mut self,
        me: &Identity,
        (pit, held): (Pit, i64),
        to: &Identity,
    ) -> Option<i64> {
        let up = self.is_up(to);
        let (owner, epoch) = &mut self.pits[pit.index()];
        if owner.as_ref() != Some(me) || *epoch != held || !up {
            return None;
        }
        (*owner, *epoch) = (Some(to.clone()), held + 1);
        Some(held + 1)
    }

    pub(crate) fn nodes(&self) -> Vec<NodeRow> {
        self.nodes.values().filter(|node| node.state != "gone").cloned().collect()
    }

    pub(crate) fn enter(&mut self, node: &NodeRow) {
        let owners: BTreeSet<(String, i64)> =
            self.pits.iter().filter_map(|(owner, _)| owner.as_ref().map(key)).collect();
        self.nodes.retain(|key, node| node.state != "gone" || owners.contains(key));
        self.nodes.insert(key(&node.identity), node.clone());
    }

    pub(crate) fn count_beat(&mut self, me: &Identity, since: i64) -> Option<Beat> {
        let node = self.nodes.get_mut(&key(me)).filter(|node| node.state != "gone")?;
        node.beats += 1;
        let row = |pit: Pit| {
            let (owner, epoch) = self.pits[pit.index()].clone();
            PitRow { pit, owner, epoch }
        };
        let notices = self.notices.iter().filter(|notice| notice.at > since).cloned();
        Some(Beat {
            nodes: self.nodes(),
            pits: Pit::all().map(row).collect(),
            notices: notices.collect(),
        })
    }

    pub(crate) fn set_state(&mut self, node: &Identity, state: &str, beats: Option<i64>) -> bool {
        let Some(node) = self.nodes.get_mut(&key(node)) else { return false };
        if node.state == "gone" || beats.is_some_and(|beats| node.beats != beats) {
            return false;
        }
        state.clone_into(&mut node.state);
        true
    }

    /// Declares every node of a name gone, as an operator does.
    pub(crate) fn evict(&mut self, name: &str) {
        let named = self.nodes.values_mut().filter(|node| node.identity.name == name);
        named.for_each(|node| "gone".clone_into(&mut node.state));
    }

    pub(crate) fn streams_of(&self, pits: &[Pit]) -> Vec<Stream> {
        let meant = |stream: &&Stream| pits.contains(&Pit::of(stream));
        self.logs.keys().filter(meant).cloned().collect()
    }

    pub(crate) fn notice(&mut self, what: &str, who: &str, at: i64) {
        self.notices.push(Notice { what: what.to_owned(), who: who.to_owned(), at });
    }

    pub(crate) fn keep_days(&mut self, stream: &Stream, is_dropped: impl Fn(&str) -> bool) {
        self.days.retain(|(of, day), _| of != stream || !is_dropped(day));
    }

    pub(crate) fn rulebook(&self, hash: Hash) -> Option<RulebookText> {
        self.rulebooks.get(&hash.to_string()).map(|text| RulebookText::clone(text))
    }
}
