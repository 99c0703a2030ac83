//! One answer for many: what costs much to find out is found out once in a while, and whoever asks
//! meanwhile is told the same.

use std::future::Future;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::Instant;

/// An answer, and when it was found out.
pub(crate) struct Latest<T> {
    fresh: Duration,
    last: Mutex<Option<(Instant, T)>>,
}

impl<T: Clone> Latest<T> {
    /// Nothing yet; what is found out holds for so long.
    pub(crate) fn new(fresh: Duration) -> Latest<T> {
        Latest { fresh, last: Mutex::default() }
    }

    /// The answer, found out anew where it is not fresh. Those who come meanwhile wait for it.
    pub(crate) async fn get<F: Future<Output = T>>(&self, find_out: impl FnOnce() -> F) -> T {
        let mut last = self.last.lock().await;
        if let Some((found, answer)) = &*last
            && found.elapsed() < self.fresh
        {
            return answer.clone();
        }
        let answer = find_out().await;
        *last = Some((Instant::now(), answer.clone()));
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn many_who_ask_at_once_cost_one_answer() {
        let (latest, asked) = (Latest::new(Duration::from_millis(500)), AtomicU32::new(0));
        let find_out = || async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            asked.fetch_add(1, Ordering::Relaxed)
        };
        let all = futures_util::future::join_all((0..400).map(|_| latest.get(find_out))).await;
        assert_eq!(all, [0; 400]);
        tokio::time::sleep(Duration::from_millis(500)).await;
        assert_eq!(latest.get(find_out).await, 1, "it is not told for ever");
    }
}
