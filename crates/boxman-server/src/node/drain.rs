//! Pits change hands: their rooms finish what is under way, the database names the new owner, and
//! that one is told at once.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use futures_util::stream::{self, StreamExt};
use tokio::time::{Instant, timeout};

use super::Node;
use crate::house::House;
use crate::pit::Pit;
use crate::store::NodeRow;

/// So many pits change hands at once, and so many at which somebody plays: those wait for nobody
/// else's commits.
const AT_ONCE: usize = 8;
const PLAYED_AT_ONCE: usize = 2;
/// A node that does not answer by then hears of its pits with its next beat.
pub(super) const TOLD: Duration = Duration::from_millis(500);
/// Whatever has not changed hands by then is left for others to find.
const DRAINED: Duration = Duration::from_secs(20);

impl Node {
    /// Hands everything over to the others who are there, before this node goes.
    pub async fn drain(&self, house: &Arc<House>) {
        self.draining.store(true, Ordering::Relaxed);
        let Some(me) = self.store.identity() else { return };
        if let Err(error) = self.store.drain(&me).await {
            tracing::warn!(%error, "other nodes do not know that this one goes");
        }
        let begun = Instant::now();
        while begun.elapsed() < DRAINED {
            let up: Vec<NodeRow> =
                self.link.others().into_iter().filter(|node| node.state == "up").collect();
            let pits = self.store.pits();
            if up.is_empty() || pits.is_empty() {
                break;
            }
            tracing::info!(pits = pits.len(), nodes = up.len(), "pits are handed over");
            self.hand_over(house, pits, &up).await;
        }
    }

    /// This node is gone: whoever finds one of its pits may have it.
    pub async fn leave(&self) {
        self.kept.store(true, Ordering::Relaxed);
        let Some(me) = self.store.identity() else { return };
        if let Err(error) = self.store.evict(&me).await {
            tracing::warn!(%error, "other nodes find out by themselves that this one is gone");
        }
    }

    /// Hands pits over, to each of some nodes in turn.
    pub(super) async fn hand_over(&self, house: &Arc<House>, pits: Vec<Pit>, to: &[NodeRow]) {
        let (empty, played): (Vec<Pit>, Vec<Pit>) =
            pits.into_iter().partition(|pit| house.is_empty(*pit));
        for (pits, at_once) in [(empty, AT_ONCE), (played, PLAYED_AT_ONCE)] {
            let each = pits.into_iter().zip(to.iter().cycle());
            let handed = |(pit, node)| self.hand_over_one(house, pit, node);
            stream::iter(each).for_each_concurrent(at_once, handed).await;
        }
    }

    async fn hand_over_one(&self, house: &Arc<House>, pit: Pit, node: &NodeRow) {
        self.leaving().insert(pit);
        let begun = Instant::now();
        house.vacate(pit).await;
        let vacated = begun.elapsed();
        match self.store.hand_over(pit, &node.identity).await {
            Ok(Some(epoch)) => {
                let handed = begun.elapsed();
                self.link.moved(pit, &node.identity, epoch);
                self.tell(node, pit, epoch).await;
                let told = begun.elapsed();
                tracing::debug!(%pit, ?vacated, ?handed, ?told, "a pit is handed over");
            }
            // It still stands in this node's name, or in somebody's: the next beat tells.
            Ok(None) => tracing::warn!(%pit, "a pit could not be handed over"),
            Err(error) => tracing::warn!(%pit, %error, "a pit could not be handed over"),
        }
        self.leaving().remove(&pit);
    }

    async fn tell(&self, node: &NodeRow, pit: Pit, epoch: i64) {
        let (name, incarnation) = (&node.identity.name, node.identity.incarnation);
        let address = format!("/node/{name}/{incarnation}/pits/{pit}/{epoch}");
        let told = Request::post(address).header("host", "node").body(Body::empty());
        let Ok(told) = told else { return };
        if !matches!(timeout(TOLD, self.link.send(node, told)).await, Ok(Ok(_))) {
            tracing::warn!(node = name, %pit, "a node will find its pit by itself");
        }
    }
}
