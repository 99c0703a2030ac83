//! Many days on all cores. Plans need not cross threads: each thread makes its own.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use craps::machine::Player;

use super::{Books, Day, Played};
use crate::dice::Dice;
use crate::run::Progress;

/// Days that are taken up, and kept, together.
const BATCH: u64 = 16;

/// What is to be played.
pub struct Days<'a> {
    /// The table.
    pub day: &'a Day,
    /// The dice.
    pub dice: Dice,
    /// The numbers of the days.
    pub days: Range<u64>,
    /// By how many threads.
    pub threads: usize,
}

/// Plays the days with the plans that `plans` makes, once on each thread. `progress` is told how
/// far they have come, from whichever thread, and says whether to go on. Gives what came of the
/// days done: all from the first on, without a gap; or what is wrong with a plan.
pub fn run_days<P: Player<Fault: Send>>(
    job: &Days<'_>,
    plans: impl Fn() -> Result<Vec<P>, P::Fault> + Sync,
    progress: impl Fn(Progress) -> bool + Sync,
) -> Result<(Books, Range<u64>), P::Fault> {
    let Days { day, dice, days, threads } = job;
    let (next, done) = (AtomicU64::new(days.start), AtomicU64::new(0));
    let stop = AtomicBool::new(false);
    let nothing = || Books::new(day.rules.meters().len(), day.seats.len());
    let all: Mutex<Result<Books, (u64, P::Fault)>> = Mutex::new(Ok(nothing()));
    let play = |books: &mut Books| -> Result<(), (u64, P::Fault)> {
        let plans = plans().map_err(|fault| (0, fault))?;
        let mut played = Played::new(day, &plans);
        while !stop.load(Ordering::Relaxed) {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            if from >= days.end {
                break;
            }
            let batch = from..days.end.min(from + BATCH);
            let count = batch.end - batch.start;
            for number in batch {
                books.add(played.play(*dice, number).map_err(|fault| (number, fault))?);
            }
            let sessions = done.fetch_add(count, Ordering::Relaxed) + count;
            if !progress(Progress { sessions }) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    let work = || {
        let mut books = nothing();
        let played = play(&mut books);
        let mut all = all.lock().expect("nobody panics");
        match (&mut *all, played) {
            (Ok(all), Ok(())) => all.merge(&books),
            (Err(_), Ok(())) => {}
            // Of several faults the one of the first day is told, whoever found it.
            (Err((first, _)), Err((number, _))) if *first <= number => {}
            (all, Err(fault)) => {
                *all = Err(fault);
                stop.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..*threads {
            scope.spawn(work);
        }
        work();
    });
    let end = days.start + done.into_inner();
    let all = all.into_inner().expect("nobody panics");
    all.map(|books| (books, days.start..end)).map_err(|(_, fault)| fault)
}
