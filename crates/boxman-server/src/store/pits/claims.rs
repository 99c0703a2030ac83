//! Nodes that come and go, and pits that are claimed, claimed again and handed over.

use tokio::sync::broadcast;
use tokio::time::Instant;

use super::super::{StoreError, Stored, edition};
use super::{Beat, Identity, LEASE, NodeRow, Peer, Pits};
use crate::dice::fresh_bytes;
use crate::log::now;
use crate::pit::Pit;

/// Clocks further apart than this, in milliseconds, would put records in an order nobody believes.
const CLOCKS_APART: i64 = 1_000;

fn is_up_already(name: &str) -> StoreError {
    StoreError::Down(format!(
        "a node named {name} is up already: stop it, or give this one another --node NAME"
    ))
}

impl dyn Pits {
    /// Enters this node under a new incarnation. Another that lives under its name keeps it out.
    pub async fn register(&self, peer: &Peer) -> Stored<Identity> {
        let incarnation =
            i64::from_be_bytes(fresh_bytes().map_err(|error| StoreError::Down(error.to_string()))?);
        let name = &peer.name;
        self.check_clock().await?;
        self.bury(Some(name)).await.map_err(|error| match error {
            StoreError::Conflict => is_up_already(name),
            error => error,
        })?;
        let sent = Instant::now();
        let identity = Identity { name: name.clone(), incarnation };
        let node = NodeRow {
            identity: identity.clone(),
            address: peer.address.clone(),
            certificate: peer.certificate.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            reads: edition::NEWEST,
            beats: 1,
            state: "up".to_owned(),
        };
        self.enter(&node).await?;
        // Of two that enter at once, the later one sees the other.
        let is_other = |node: &NodeRow| node.identity.name == *name && node.identity != identity;
        if self.nodes().await?.iter().any(is_other) {
            self.evict(&identity).await?;
            return Err(is_up_already(name));
        }
        if let Err(error) = edition::check(self).await {
            self.evict(&identity).await?;
            return Err(error);
        }
        self.holding().begin(identity.clone(), sent);
        Ok(identity)
    }

    async fn check_clock(&self) -> Stored<()> {
        let theirs = self.clock().await?;
        let apart = i64::try_from(now()).unwrap_or(i64::MAX).saturating_sub(theirs);
        match apart.abs() <= CLOCKS_APART {
            true => Ok(()),
            false => Err(StoreError::Down(format!(
                "this machine's clock is {} ms from the database's, which is more than a second: \
                 set it right (NTP) and start again",
                apart.abs()
            ))),
        }
    }

    /// Declares nodes gone that do not beat: those of a name, or all. One that does is a conflict.
    pub async fn bury(&self, name: Option<&str>) -> Stored<()> {
        let is_meant = |node: &NodeRow| name.is_none_or(|name| node.identity.name == name);
        let before: Vec<NodeRow> = self.nodes().await?.into_iter().filter(is_meant).collect();
        if before.is_empty() {
            return Ok(());
        }
        tokio::time::sleep(LEASE + LEASE / 5).await;
        for node in &before {
            if !self.declare_gone(node).await? {
                let now = self.nodes().await?;
                if now.iter().any(|now| now.identity == node.identity) {
                    return Err(StoreError::Conflict);
                }
            }
        }
        Ok(())
    }

    /// Beats. Nothing comes back where this node has been declared gone.
    pub async fn beat(&self) -> Stored<Option<Beat>> {
        let Some(identity) = self.identity() else { return Ok(None) };
        let since = self.holding().noticed();
        let sent = Instant::now();
        let beat = self.count_beat(&identity, since).await?;
        if let Some(beat) = &beat {
            self.holding().beaten(sent);
            // One that was written before the last look may come to light after it.
            const LATE: i64 = 10_000;
            let latest = beat.notices.iter().map(|notice| notice.at - LATE).max();
            self.holding().notice(latest.unwrap_or(since).max(since));
        }
        Ok(beat)
    }

    /// Declares a node gone that has not beaten since it was seen so; says whether it did.
    pub async fn declare_gone(&self, node: &NodeRow) -> Stored<bool> {
        self.set_state(&node.identity, "gone", Some(node.beats)).await
    }

    /// Declares a node gone whether it beats or not.
    pub async fn evict(&self, identity: &Identity) -> Stored<bool> {
        self.set_state(identity, "gone", None).await
    }

    /// This node takes no more pits.
    pub async fn drain(&self, identity: &Identity) -> Stored<bool> {
        self.set_state(identity, "draining", None).await
    }

    /// Takes pits that nobody has, or only somebody who is gone: at most so many. They are this
    /// node's from then on.
    pub async fn claim(&self, most: usize) -> Stored<Vec<Pit>> {
        let Some(identity) = self.identity() else { return Ok(Vec::new()) };
        let claimed = self.take_free(&identity, most).await?;
        let gained = claimed
            .iter()
            .filter(|(pit, epoch)| self.holding().gain(&identity, *pit, *epoch).is_ok());
        Ok(gained.map(|(pit, _)| *pit).collect())
    }

    /// Claims a pit again that stands in this node's name, at whatever epoch: what was on its way
    /// under an earlier one has arrived by then, or never will. Says whether it was not held
    /// before.
    pub async fn reclaim(&self, pit: Pit) -> Stored<bool> {
        let identity = self.identity().ok_or(StoreError::Lost)?;
        let gained = match self.take_again(&identity, pit).await? {
            // Meanwhile this node may have become somebody else.
            Some(epoch) => self.holding().gain(&identity, pit, epoch),
            None => Err(StoreError::Lost),
        };
        gained.inspect_err(|_| {
            if self.holds(pit) {
                metrics::counter!("boxman_epochs_lost_total").increment(1);
            }
            self.lose(pit);
        })
    }

    /// Claims a pit again that is held. One that was lost meanwhile is not held by this: its
    /// tables are taken on anew with the next beat.
    pub async fn reclaim_held(&self, pit: Pit) -> Stored<()> {
        match self.reclaim(pit).await? {
            false => Ok(()),
            true => {
                self.lose(pit);
                Err(StoreError::Lost)
            }
        }
    }

    /// Hands a pit over to a node that is up; gives its new epoch, or nothing where that could not
    /// be. Whether it could or not, it is not this node's any more.
    pub async fn hand_over(&self, pit: Pit, to: &Identity) -> Stored<Option<i64>> {
        let identity = self.identity().ok_or(StoreError::Lost)?;
        let epoch = self.holding().epoch(pit).ok_or(StoreError::Lost)?;
        self.lose(pit);
        self.give(&identity, (pit, epoch), to).await
    }

    /// Holds a pit no longer, and has whoever listens know.
    pub fn lose(&self, pit: Pit) {
        self.holding().lose(pit);
    }

    /// Another database answers, which may not have what this node has seen: it holds nothing
    /// until it has claimed it again.
    pub fn lose_all(&self) {
        self.pits().into_iter().for_each(|pit| self.lose(pit));
    }

    /// Hears which pits are lost.
    pub fn lost(&self) -> broadcast::Receiver<Pit> {
        self.holding().lost()
    }

    /// The pits this node believes to have.
    pub fn pits(&self) -> Vec<Pit> {
        self.holding().pits()
    }

    /// Which node this is.
    pub fn identity(&self) -> Option<Identity> {
        self.holding().identity()
    }

    /// Whether this node holds a pit.
    pub fn holds(&self, pit: Pit) -> bool {
        self.holding().epoch(pit).is_some()
    }

    /// The epoch at which this node holds a pit.
    pub fn epoch(&self, pit: Pit) -> Option<i64> {
        self.holding().epoch(pit)
    }

    /// Whether what this node believes to have of a pit is older than this epoch.
    pub fn is_older(&self, pit: Pit, epoch: i64) -> bool {
        self.holding().epoch(pit).is_some_and(|held| held < epoch)
    }
}
