//! Who answers whom: two nodes may reach the database and not each other.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::future::join_all;
use tokio::time::timeout;

use super::Node;
use crate::store::{Identity, NodeRow};

/// How often the others are asked.
const ROUND: Duration = Duration::from_secs(1);
/// One that has not answered by then does not.
const ANSWER: Duration = Duration::from_secs(1);
/// One that has not answered so often in a row is not reached.
const MISSED: u32 = 2;

impl Node {
    /// Asks the others again and again, so that nobody waits at this node for one that does not
    /// answer it.
    pub(super) async fn listen_for_others(&self) {
        let mut missed: BTreeMap<(String, i64), u32> = BTreeMap::new();
        loop {
            tokio::time::sleep(ROUND).await;
            let others = self.link.others();
            let answers = join_all(others.iter().map(|node| self.is_reached(node, ANSWER))).await;
            let mut silent = Vec::new();
            let mut counts = BTreeMap::new();
            for (NodeRow { identity, .. }, answers) in others.into_iter().zip(answers) {
                let key = (identity.name.clone(), identity.incarnation);
                let count = if answers { 0 } else { missed.get(&key).map_or(1, |count| count + 1) };
                counts.insert(key, count);
                if count >= MISSED {
                    if count == MISSED {
                        tracing::warn!(node = identity.name, "a node that beats does not answer");
                    }
                    silent.push(identity);
                }
            }
            missed = counts;
            self.link.not_reached(silent);
        }
    }

    /// Whether a node answers from here.
    pub(crate) async fn is_reached(&self, node: &NodeRow, within: Duration) -> bool {
        matches!(self.ask(node, "/healthz", within).await, Some(StatusCode::OK))
    }

    /// Whether no other node reaches this one, though some of them answer it.
    pub async fn is_out_of_reach(&self) -> bool {
        let Some(Identity { name, incarnation }) = self.store.identity() else { return false };
        let address = format!("/node/{name}/{incarnation}/reached");
        let others = self.link.others();
        // They ask in turn, and are given the time to.
        let asked = others.iter().map(|node| self.ask(node, &address, 2 * ANSWER));
        let answers: Vec<Option<StatusCode>> = join_all(asked).await;
        let says = |status| answers.iter().flatten().any(|answer| *answer == status);
        says(StatusCode::BAD_GATEWAY) && !says(StatusCode::OK)
    }

    async fn ask(&self, node: &NodeRow, address: &str, within: Duration) -> Option<StatusCode> {
        let asked = Request::get(address).header("host", "node").body(Body::empty()).ok()?;
        let answer = timeout(within, self.link.send(node, asked)).await.ok()?.ok()?;
        Some(answer.status())
    }
}
