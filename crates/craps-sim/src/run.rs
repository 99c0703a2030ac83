//! Many sessions on all cores, and whoever waits told how far they have come.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use crate::course::Course;
use crate::dice::Dice;
use crate::kernel::{Kernel, Tables, walk};
use crate::tally::Tally;

/// Sessions that are taken up, and kept, together.
const BATCH: u64 = 1 << 13;

/// What is to be played, and how.
pub struct Job<'a> {
    /// The plan's machine, laid out for the session.
    pub course: &'a Course,
    /// The dice.
    pub dice: Dice,
    /// The numbers of the sessions.
    pub sessions: Range<u64>,
    /// How they are walked.
    pub kernel: Kernel,
    /// By how many threads.
    pub threads: usize,
}

/// How far it has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The sessions done.
    pub sessions: u64,
}

impl Course {
    /// How it is walked.
    pub fn describe(&self) -> String {
        Tables::new(self).to_string()
    }
}

/// Plays the sessions; `progress` is told how far they have come, from whichever thread, and says
/// whether to go on. Gives what came of the sessions done: all from the first on, without a gap.
pub fn run(job: &Job<'_>, progress: impl Fn(Progress) -> bool + Sync) -> (Tally, Range<u64>) {
    let Job { course, dice, sessions, kernel, threads } = job;
    let tables = Tables::new(course);
    let (next, done) = (AtomicU64::new(sessions.start), AtomicU64::new(0));
    let stop = AtomicBool::new(false);
    let all = Mutex::new(Tally::new(course));
    let work = || {
        let mut tally = Tally::new(course);
        while !stop.load(Ordering::Relaxed) {
            let from = next.fetch_add(BATCH, Ordering::Relaxed);
            if from >= sessions.end {
                break;
            }
            let batch = from..sessions.end.min(from + BATCH);
            let count = batch.end - batch.start;
            walk(*kernel, course, &tables, *dice, batch, &mut tally);
            let sessions = done.fetch_add(count, Ordering::Relaxed) + count;
            if !progress(Progress { sessions }) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        all.lock().expect("nobody panics").merge(&tally);
    };
    thread::scope(|scope| {
        for _ in 1..*threads {
            scope.spawn(work);
        }
        work();
    });
    let end = sessions.start + done.into_inner();
    (all.into_inner().expect("nobody panics"), sessions.start..end)
}
