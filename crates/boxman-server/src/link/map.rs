//! Which node has which pit, as the last beat told it.

use std::collections::BTreeMap;

use crate::pit::Pit;
use crate::store::{Beat, Identity, NodeRow};

/// Nodes and their pits.
#[derive(Clone, Debug)]
pub struct Map {
    nodes: BTreeMap<(String, i64), NodeRow>,
    owners: Vec<Option<(String, i64)>>,
}

impl Default for Map {
    fn default() -> Map {
        Map { nodes: BTreeMap::new(), owners: vec![None; Pit::COUNT] }
    }
}

fn key(identity: &Identity) -> (String, i64) {
    (identity.name.clone(), identity.incarnation)
}

impl Map {
    /// What a beat told.
    pub(crate) fn of(beat: &Beat) -> Map {
        let nodes = beat.nodes.iter().map(|node| (key(&node.identity), node.clone())).collect();
        let mut map = Map { nodes, ..Map::default() };
        for row in &beat.pits {
            map.owners[row.pit.index()] = row.owner.as_ref().map(key);
        }
        map
    }

    /// The node that has a pit; none where nobody does who is there.
    pub(crate) fn owner(&self, pit: Pit) -> Option<&NodeRow> {
        self.nodes.get(self.owners[pit.index()].as_ref()?)
    }

    /// Every node that is not gone.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &NodeRow> {
        self.nodes.values()
    }

    /// How many pits a node has.
    pub(crate) fn pits_of(&self, identity: &Identity) -> usize {
        let owner = Some(key(identity));
        self.owners.iter().filter(|known| **known == owner).count()
    }

    /// Whether somebody shows the certificate of a node that is there.
    pub(super) fn has_certificate(&self, fingerprint: &str) -> bool {
        self.nodes.values().any(|node| node.certificate == fingerprint)
    }

    /// A pit that has changed hands since the last beat, to a node that is there.
    pub(super) fn moved(&mut self, pit: Pit, to: &Identity) {
        if self.nodes.contains_key(&key(to)) {
            self.owners[pit.index()] = Some(key(to));
        }
    }
}
