//! So many of the latest things, and no more: what has not been used for longest makes room.

use std::collections::HashMap;
use std::hash::Hash;

/// The latest things.
pub(crate) struct Recent<K, V> {
    most: usize,
    clock: u64,
    kept: HashMap<K, (u64, V)>,
}

impl<K: Hash + Eq + Clone, V: Clone> Recent<K, V> {
    pub(crate) fn of(most: usize) -> Recent<K, V> {
        Recent { most, clock: 0, kept: HashMap::new() }
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.kept.len()
    }

    pub(crate) fn get(&mut self, key: &K) -> Option<V> {
        self.clock += 1;
        let (used, value) = self.kept.get_mut(key)?;
        *used = self.clock;
        Some(value.clone())
    }

    pub(crate) fn keep(&mut self, key: K, value: V) {
        self.clock += 1;
        if self.kept.len() >= self.most && !self.kept.contains_key(&key) {
            let oldest = self.kept.iter().min_by_key(|(_, (used, _))| *used);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                self.kept.remove(&oldest);
            }
        }
        self.kept.insert(key, (self.clock, value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_longest_ago_is_forgotten_first() {
        let mut recent = Recent::of(2);
        recent.keep("one", 1);
        recent.keep("two", 2);
        assert_eq!(recent.get(&"one"), Some(1));
        recent.keep("three", 3);
        assert_eq!(recent.get(&"two"), None);
        assert_eq!((recent.get(&"one"), recent.get(&"three")), (Some(1), Some(3)));
    }
}
