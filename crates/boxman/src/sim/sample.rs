//! Dice thrown: the same sessions for every plan, in rounds, until all are done or somebody stops
//! it.

#![expect(clippy::float_arithmetic, reason = "rates and times left are told, not paid")]

use std::ops::Range;
use std::time::{Duration, Instant};

use craps::Cents;
use craps_math::sample::Sample;
use craps_report::{Along, Exact, PlanSim, SimInputs, Speed};
use craps_sim::dice::{Dice, GENERATOR};
use craps_sim::{Counts, Course, Gpu, Job, Kernel, Paths, Progress, Tally, follow, in_lanes, run};

use crate::ctrl_c::CtrlC;
use crate::sim::seat::SimSeat;
use crate::waiting::Waiting;

/// Several plans take turns, at first for so many sessions each.
const TURN: u64 = 1 << 13;
/// And for twice as many while that takes less than this.
const SHORT: Duration = Duration::from_secs(1);

/// What is thrown, and by what.
pub(super) struct Dealt {
    pub(super) seed: u64,
    pub(super) sessions: Range<u64>,
    /// Sessions numbered below this are followed roll by roll.
    pub(super) followed_below: u64,
    pub(super) kernel: Kernel,
    pub(super) threads: usize,
    /// A graphics card does it instead.
    pub(super) gpu: Option<Gpu>,
}

/// What came of a plan's sessions so far.
struct Seen {
    tally: Tally,
    paths: Paths,
    took: Duration,
}

/// Plays every plan on the same dice. Gives what came of it, and the first session that was not
/// played: the same for all.
pub(super) fn sample(
    seats: &[SimSeat],
    exact: Vec<Option<Exact>>,
    dealt: &Dealt,
    ctrl_c: &CtrlC,
) -> Result<(Vec<PlanSim>, u64), String> {
    let new = |seat: &SimSeat| Seen {
        tally: Tally::new(&seat.course),
        paths: Paths::new(&seat.course),
        took: Duration::ZERO,
    };
    let mut seen: Vec<Seen> = seats.iter().map(new).collect();
    let Range { start, end } = dealt.sessions;
    let waiting = Waiting::new();
    let (mut done, mut turn) = (start, TURN);
    while done < end && (done == start || !ctrl_c.is_pressed()) {
        if let ([seat], [seen]) = (seats, seen.as_mut_slice()) {
            let stop = || ctrl_c.is_pressed();
            done = seat.play(done..end, dealt, seen, &waiting, stop)?;
            break;
        }
        let begun = Instant::now();
        let round = done..end.min(done.saturating_add(turn));
        for (seat, seen) in seats.iter().zip(&mut seen) {
            seat.play(round.clone(), dealt, seen, &waiting, || false)?;
        }
        done = round.end;
        if begun.elapsed() < SHORT {
            turn = turn.saturating_mul(2);
        }
    }
    drop(waiting);
    let all = seats.iter().zip(exact).zip(seen);
    let sims = all.map(|((seat, exact), seen)| seat.told(start..done, dealt, exact, seen));
    Ok((sims.collect(), done))
}

impl SimSeat {
    /// Plays sessions and counts them; gives the first that was not played.
    fn play(
        &self,
        sessions: Range<u64>,
        dealt: &Dealt,
        seen: &mut Seen,
        waiting: &Waiting,
        stop: impl Fn() -> bool + Sync,
    ) -> Result<u64, String> {
        let job = |sessions: Range<u64>| Job {
            course: &self.course,
            dice: Dice { seed: dealt.seed },
            sessions,
            kernel: dealt.kernel,
            threads: dealt.threads,
        };
        let (name, before) = (self.name.as_str(), sessions.start - dealt.sessions.start);
        let tell = |doing: Doing, now: Progress| {
            waiting.tell(|gone| progress(name, doing, before + now.sessions, gone, dealt));
        };
        let wanted = sessions.start..sessions.end.min(dealt.followed_below).max(sessions.start);
        let (paths, followed) = follow(&job(wanted.clone()), |progress| {
            tell(Doing::Following, progress);
            !stop()
        });
        seen.paths.merge(&paths);
        // What was followed is counted too, whoever stops it.
        let end = if followed == wanted { sessions.end } else { followed.end };
        let must = followed.end - followed.start;
        let begun = Instant::now();
        let go_on = |progress: Progress| {
            tell(Doing::Counting, progress);
            progress.sessions < must || !stop()
        };
        let job = job(sessions.start..end);
        let done = match &dealt.gpu {
            Some(gpu) => {
                let played = gpu.load(&self.course, None).and_then(|mut loaded| {
                    let told = |sessions| go_on(Progress { sessions });
                    loaded.run(job.dice, job.sessions, &mut seen.tally, told)
                });
                played.map_err(|why| why.to_string())?
            }
            None => {
                let (tally, done) = run(&job, go_on);
                seen.tally.merge(&tally);
                done
            }
        };
        seen.took += begun.elapsed();
        Ok(done.end)
    }

    /// What came of it, for a report.
    fn told(
        &self,
        sessions: Range<u64>,
        dealt: &Dealt,
        exact: Option<Exact>,
        seen: Seen,
    ) -> PlanSim {
        let SimSeat { name, seated, explored, course, session, pace, most_rolls } = self;
        let Seen { tally, paths, took } = seen;
        let inputs = SimInputs {
            plan: name.clone(),
            played: seated.played(),
            positions: explored.machine.len(),
            machine_hash: explored.machine.hash(),
            generator: GENERATOR.to_owned(),
            seed: dealt.seed,
            session: *session,
            most_rolls: *most_rolls,
            pace: *pace,
            unit: course.unit(),
            followed_below: dealt.followed_below,
            hourly: self.hourly(),
        };
        let (threads, kernel) = (dealt.threads, dealt.kernel.name());
        let by = match dealt.gpu.as_ref().map(Gpu::name) {
            Some(name) => name,
            None => {
                let how = if in_lanes(course, dealt.kernel) { kernel } else { "roll by roll" };
                format!("{how} on {threads} thread{}", if threads == 1 { "" } else { "s" })
            }
        };
        PlanSim {
            inputs,
            ranges: Some(sessions).filter(|range| !range.is_empty()).into_iter().collect(),
            finals: tally.finals.each_ref().map(|counts| money(course, counts)),
            rolls: tally.rolls.each_ref().map(|counts| Sample::new(counts.iter())),
            along: along(course, &paths),
            exact,
            speed: Some(Speed { took, by }),
        }
    }
}

/// What is being done with sessions.
#[derive(Clone, Copy)]
enum Doing {
    Following,
    Counting,
}

/// How far it has come, in a line.
fn progress(name: &str, doing: Doing, done: u64, gone: Duration, dealt: &Dealt) -> String {
    let Range { start, end } = dealt.sessions;
    let all = match doing {
        Doing::Following => end.min(dealt.followed_below).saturating_sub(start),
        Doing::Counting => end - start,
    };
    let rate = done as f64 / gone.as_secs_f64().max(1e-3);
    let left = all.saturating_sub(done) as f64 / rate.max(1e-9);
    let part = done as f64 / all.max(1) as f64 * 100.0;
    match doing {
        Doing::Following => format!("{name}: {part:.0}% of {all} followed, about {left:.0} s left"),
        Doing::Counting => {
            let rate = rate / 1e6;
            format!("{name}: {part:.0}% of {all}, {rate:.2} M sessions/s, about {left:.0} s left")
        }
    }
}

/// Counts of cells as counts of cents.
fn money(course: &Course, counts: &Counts) -> Sample {
    Sample::new(counts.iter().map(|(cell, times)| (course.equity(cell).0, times)))
}

fn along(course: &Course, paths: &Paths) -> Along {
    let Cents(unit) = course.unit();
    Along {
        peak: money(course, &paths.peak),
        trough: money(course, &paths.trough),
        drawdown: Sample::new(paths.drawdown.iter().map(|(cells, times)| (cells * unit, times))),
        longest_hand: Sample::new(paths.longest_hand.iter()),
        fan: paths.fan.iter().map(|(rolls, counts)| (*rolls, money(course, counts))).collect(),
    }
}
