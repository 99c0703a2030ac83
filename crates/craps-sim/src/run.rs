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

/// Whether sessions of a course start in lanes of this kernel. They do not where shooters are
/// counted, where hops are bet on, and where a plan looks at its money far above the start: those
/// are played roll by roll, which takes several times as long.
pub fn in_lanes(course: &Course, kernel: Kernel) -> bool {
    Tables::new(course, kernel).begin(course)
}

/// Plays the sessions; `progress` is told how far they have come, from whichever thread, and says
/// whether to go on. Gives what came of the sessions done: all from the first on, without a gap.
pub fn run(job: &Job<'_>, progress: impl Fn(Progress) -> bool + Sync) -> (Tally, Range<u64>) {
    let Job { course, dice, kernel, .. } = job;
    let tables = Tables::new(course, *kernel);
    let new = || Tally::new(course);
    let play = |tally: &mut Tally, batch| walk(*kernel, course, &tables, *dice, batch, tally);
    in_batches(job, BATCH, new, play, Tally::merge, progress)
}

/// Takes batches of sessions up on every thread of a job, counts each thread's apart, and adds them
/// up.
pub(crate) fn in_batches<C: Send>(
    job: &Job<'_>,
    size: u64,
    new: impl Fn() -> C + Sync,
    play: impl Fn(&mut C, Range<u64>) + Sync,
    merge: impl Fn(&mut C, &C) + Sync,
    progress: impl Fn(Progress) -> bool + Sync,
) -> (C, Range<u64>) {
    let Range { start, end } = job.sessions;
    let (next, done) = (AtomicU64::new(start), AtomicU64::new(0));
    let stop = AtomicBool::new(false);
    let all = Mutex::new(new());
    let work = || {
        let mut counts = new();
        while !stop.load(Ordering::Relaxed) {
            let from = next.fetch_add(size, Ordering::Relaxed);
            if from >= end {
                break;
            }
            let batch = from..end.min(from.saturating_add(size));
            let count = batch.end - batch.start;
            play(&mut counts, batch);
            let sessions = done.fetch_add(count, Ordering::Relaxed) + count;
            if !progress(Progress { sessions }) {
                stop.store(true, Ordering::Relaxed);
            }
        }
        merge(&mut all.lock().expect("nobody panics"), &counts);
    };
    thread::scope(|scope| {
        for _ in 1..job.threads {
            scope.spawn(work);
        }
        work();
    });
    (all.into_inner().expect("nobody panics"), start..start + done.into_inner())
}
