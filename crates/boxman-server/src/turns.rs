//! Taking turns: what takes much room or time is done by a few at once, a few more stand in line,
//! and whoever comes on top of that, or has stood too long, is told to come again.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;

/// Nobody stands in line for longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A line and the places it leads to.
pub struct Turns {
    places: Arc<Semaphore>,
    line: Arc<Semaphore>,
    busy: &'static str,
}

/// A place, until it is dropped.
pub struct Turn {
    _place: OwnedSemaphorePermit,
    _line: OwnedSemaphorePermit,
}

impl Turns {
    /// So many places, and so many who may stand in line for them; `busy` is what others hear.
    pub fn new(places: usize, line: usize, busy: &'static str) -> Turns {
        let line = Arc::new(Semaphore::new(places + line));
        Turns { places: Arc::new(Semaphore::new(places)), line, busy }
    }

    /// Waits for a place.
    pub async fn turn(&self) -> Result<Turn, Problem> {
        let busy = || Problem::unavailable("busy", self.busy);
        let line = Arc::clone(&self.line).try_acquire_owned().map_err(|_| busy())?;
        let place = Arc::clone(&self.places).acquire_owned();
        let place = tokio::time::timeout(PATIENCE, place).await.map_err(|_| busy())?;
        Ok(Turn { _place: place.map_err(|_| busy())?, _line: line })
    }

    /// Waits for a place and works there, away from the tables. It is finished even if whoever
    /// asked does not wait for it, and the place is taken until then.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = self.turn().await?;
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        let broke = "something broke; nothing acknowledged is lost";
        done.await.map_err(|_| Problem::new(500, "broken", broke))?
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_few_work_a_few_wait_and_the_rest_come_again() {
        static AT_WORK: AtomicUsize = AtomicUsize::new(0);
        let turns = Arc::new(Turns::new(2, 3, "come again"));
        let work = || {
            let at_work = AT_WORK.fetch_add(1, Ordering::SeqCst) + 1;
            std::thread::sleep(Duration::from_millis(20));
            AT_WORK.fetch_sub(1, Ordering::SeqCst);
            Ok(at_work)
        };
        let all = (0..9).map(|_| turns.work(work));
        let all = futures_util::future::join_all(all).await;
        let busy = all.iter().filter_map(|done| done.as_ref().err());
        assert_eq!(busy.map(|problem| problem.code.as_str()).collect::<Vec<_>>(), ["busy"; 4]);
        let most = all.iter().filter_map(|done| done.as_ref().ok()).max();
        assert_eq!(most, Some(&2));
        assert!(turns.work(|| Ok(())).await.is_ok(), "places are free again");
    }
}
