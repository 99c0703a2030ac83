//! The room's clocks: betting windows and proposals by a clock that nobody sets, records by the
//! one that people read.

use std::time::Duration;

use tokio::time::Instant;

use super::Room;
use crate::ask::Until;
use crate::dice::fresh_bytes;
use crate::log::now;
use crate::problem::Problem;
use crate::table::Order;
use crate::two_people::Waiting;
use crate::wire::HandView;

impl Room {
    /// When something is due by itself.
    pub(super) fn deadline(&self) -> Option<Instant> {
        if self.trouble.is_some() {
            return None;
        }
        self.closing().into_iter().chain(self.waiting.next()).min()
    }

    /// When the betting window closes, by a clock that nobody sets.
    pub(super) fn closing(&self) -> Option<Instant> {
        self.hand.closes_at?;
        let seconds = self.state.config().betting_seconds?;
        let (_, since) = self.window?;
        Some(since + Duration::from_secs(u64::from(seconds)))
    }

    /// Brings the clocks in line with what was decided.
    pub(super) fn set_clocks(&mut self) {
        let window = self.state.window();
        if window != self.window.map(|(known, _)| known) {
            self.window = window.map(|window| (window, Instant::now()));
        }
        self.waiting.follow(self.state.proposals.keys().copied());
    }

    /// Betting windows and proposals start anew: nobody could bet or agree while the table was
    /// not open.
    pub(super) fn reopen(&mut self) {
        self.state.open_again(now());
        self.hand = HandView::of(&self.state);
        (self.window, self.waiting) = (None, Waiting::default());
        self.set_clocks();
    }

    pub(super) async fn time_up(&mut self) {
        self.close_window();
        if let Some(id) = self.waiting.lapsed() {
            let _ = self.decide(&Order::Lapse(id), "boxman", None, None);
        }
        self.commit().await;
    }

    pub(super) fn close_window(&mut self) {
        if self.trouble.is_none() && self.closing().is_some_and(|due| due <= Instant::now()) {
            // Where nobody can shoot any more, betting stays open.
            let _ = self.decide(&Order::TimeUp, "boxman", None, None);
        }
    }

    /// The time a record is written, as people read it: never before the last one, and never
    /// after the end of a betting window that is still open.
    pub(super) fn moment(&self) -> u64 {
        let open = self.closing().filter(|due| *due > Instant::now());
        let last = self.hand.closes_at.filter(|_| open.is_some());
        last.unwrap_or(u64::MAX).min(now()).max(self.state.at)
    }
}

/// The clock of one run of a room, which nobody sets: it says when a command comes too late.
pub(super) struct RunClock {
    run: String,
    began: Instant,
}

impl RunClock {
    pub(super) fn start() -> Result<RunClock, Problem> {
        let run = fresh_bytes::<8>()?.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(RunClock { run, began: Instant::now() })
    }

    /// What it shows.
    pub(super) fn now(&self) -> Until {
        let at = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        Until { run: self.run.clone(), at }
    }

    /// Refuses what was to be done before now, or by the clock of another run.
    pub(super) fn check(&self, until: Option<&Until>) -> Result<(), Problem> {
        let now = self.now();
        let late = |until: &Until| until.run != now.run || until.at < now.at;
        match until.is_some_and(late) {
            true => Err(Problem::conflict("expired", "that came too late, ask for it again")),
            false => Ok(()),
        }
    }
}
