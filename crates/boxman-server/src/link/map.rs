//! Which node has which pit, as the last beat told it, and what has been heard since.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use crate::pit::Pit;
use crate::store::{Beat, Identity, NodeRow};

/// What was heard between beats is believed for so long: a beat that was under way may have looked
/// before it happened.
const BELIEVED: Duration = Duration::from_secs(1);

/// A node and which time it has come.
type Key = (String, i64);

/// Nodes and their pits.
#[derive(Clone, Debug)]
pub struct Map {
    nodes: BTreeMap<Key, NodeRow>,
    pits: Vec<Place>,
}

/// Where a pit is.
#[derive(Clone, Debug, Default)]
struct Place {
    owner: Option<Key>,
    epoch: i64,
    /// When it was heard that it is there, where no beat has said so.
    heard: Option<Instant>,
}

impl Default for Map {
    fn default() -> Map {
        Map { nodes: BTreeMap::new(), pits: vec![Place::default(); Pit::COUNT] }
    }
}

fn key(identity: &Identity) -> Key {
    (identity.name.clone(), identity.incarnation)
}

impl Map {
    /// What a beat told.
    pub(crate) fn of(beat: &Beat) -> Map {
        let nodes = beat.nodes.iter().map(|node| (key(&node.identity), node.clone())).collect();
        let mut map = Map { nodes, ..Map::default() };
        for row in &beat.pits {
            let owner = row.owner.as_ref().map(key);
            map.pits[row.pit.index()] = Place { owner, epoch: row.epoch, heard: None };
        }
        map
    }

    /// This map, with what has been heard since its beat looked.
    pub(super) fn after(mut self, before: &Map) -> Map {
        for (place, before) in self.pits.iter_mut().zip(&before.pits) {
            let lately = before.heard.is_some_and(|heard| heard.elapsed() < BELIEVED);
            let there = before.owner.as_ref().is_some_and(|owner| self.nodes.contains_key(owner));
            if lately && there && before.epoch > place.epoch {
                *place = before.clone();
            }
        }
        self
    }

    /// Whether everything is at the same place, at the same address and in the same state.
    pub(super) fn is_same(&self, other: &Map) -> bool {
        let places = |map: &Map| -> Vec<(Option<Key>, i64)> {
            map.pits.iter().map(|place| (place.owner.clone(), place.epoch)).collect()
        };
        let is_same = |(one, other): (&NodeRow, &NodeRow)| {
            one.identity == other.identity
                && (&one.address, &one.state) == (&other.address, &other.state)
        };
        self.nodes.len() == other.nodes.len()
            && self.nodes.values().zip(other.nodes.values()).all(is_same)
            && places(self) == places(other)
    }

    /// The node that has a pit; none where nobody does who is there.
    pub(crate) fn owner(&self, pit: Pit) -> Option<&NodeRow> {
        self.nodes.get(self.pits[pit.index()].owner.as_ref()?)
    }

    /// The epoch at which it has it.
    pub(crate) fn epoch(&self, pit: Pit) -> i64 {
        self.pits[pit.index()].epoch
    }

    /// Every node that is not gone.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &NodeRow> {
        self.nodes.values()
    }

    /// How many pits a node has.
    pub(crate) fn pits_of(&self, identity: &Identity) -> usize {
        let owner = Some(key(identity));
        self.pits.iter().filter(|place| place.owner == owner).count()
    }

    /// Whether somebody shows the certificate of a node that is there.
    pub(super) fn has_certificate(&self, fingerprint: &str) -> bool {
        self.nodes.values().any(|node| node.certificate == fingerprint)
    }

    /// A pit that has changed hands since the last beat, to a node that is there. Says whether
    /// that is news: what is known at a later epoch is not given up for what somebody believed.
    pub(super) fn moved(&mut self, pit: Pit, to: &Identity, epoch: i64) -> bool {
        let place = &mut self.pits[pit.index()];
        let is_news = epoch > place.epoch && self.nodes.contains_key(&key(to));
        if is_news {
            *place = Place { owner: Some(key(to)), epoch, heard: Some(Instant::now()) };
        }
        is_news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::PitRow;

    fn identity(name: &str) -> Identity {
        Identity { name: name.to_owned(), incarnation: 7 }
    }

    fn told(owner: &str, epoch: i64) -> Map {
        let node = |name: &str| NodeRow {
            identity: identity(name),
            address: String::new(),
            certificate: String::new(),
            version: String::new(),
            reads: 1,
            beats: 1,
            state: "up".to_owned(),
        };
        let pit = PitRow { pit: Pit(3), owner: Some(identity(owner)), epoch };
        let nodes = vec![node("one"), node("two")];
        Map::of(&Beat { nodes, pits: vec![pit], notices: Vec::new() })
    }

    #[test]
    fn what_was_heard_outlives_a_beat_that_looked_before_and_nothing_old_is_believed() {
        let owner = |map: &Map| map.owner(Pit(3)).map(|node| node.identity.name.clone());
        let mut map = told("one", 4);
        assert!(map.moved(Pit(3), &identity("two"), 5));
        assert_eq!(owner(&map).as_deref(), Some("two"));
        assert!(!map.moved(Pit(3), &identity("one"), 4), "somebody is behind");
        let map = told("one", 4).after(&map);
        assert_eq!(owner(&map).as_deref(), Some("two"), "the beat had looked before");
        let map = told("one", 6).after(&map);
        assert_eq!(owner(&map).as_deref(), Some("one"));
        assert!(!told("one", 4).moved(Pit(3), &identity("three"), 9), "nobody knows it");
        assert!(told("one", 4).is_same(&told("one", 4)));
        assert!(!told("one", 4).is_same(&told("one", 5)));
    }
}
