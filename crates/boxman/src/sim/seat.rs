//! A plan sat down to be simulated: its machine, laid out for the session, and what is known of it
//! without throwing dice.

use craps::machine::{Explored, Length, Session, run_out};
use craps_math::LongRun;
use craps_math::session::{Progress, Stay, Unfinished, run_with};
use craps_plan::Memory;
use craps_report::{Exact, Hourly, PlanSession};
use craps_sim::Course;

use crate::ctrl_c::CtrlC;
use crate::plans::Seated;
use crate::session::STAYING;
use crate::stops::StopArgs;
use crate::waiting::Waiting;

/// Exact figures of no more than so many cells are worked out unasked: a few seconds.
const UNASKED: u64 = 2_000_000_000;
/// So many sessions are followed where nobody says.
const FOLLOWED: u64 = 100_000;
/// Or fewer, that they do not come to more rolls than this.
const FOLLOWED_ROLLS: u64 = 2_000_000_000;
/// About how many rolls a shooter has, and a session that nobody ends.
const SHOOTER: u64 = 9;
const OPEN: u64 = 20_000;

/// Whether exact figures are worked out too.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Exactly {
    /// Where it takes seconds
    Auto,
    /// However long it takes
    Yes,
    /// Never
    No,
}

/// A plan at its table.
pub(super) struct SimSeat {
    pub(super) name: String,
    pub(super) seated: Seated,
    pub(super) explored: Explored<Memory>,
    pub(super) course: Course,
    pub(super) session: Session,
    pub(super) pace: u32,
    pub(super) most_rolls: u32,
}

impl SimSeat {
    pub(super) fn new(
        name: &str,
        seated: Seated,
        session: Session,
        stops: &StopArgs,
    ) -> Result<SimSeat, String> {
        let explored = seated.explore()?;
        let course = Course::new(&explored.machine, &session, stops.most_rolls);
        let course = course.map_err(|too_much| format!("{name}: {too_much}"))?;
        let (pace, most_rolls) = (stops.pace, stops.most_rolls);
        Ok(SimSeat { name: name.to_owned(), seated, explored, course, session, pace, most_rolls })
    }

    /// What the plan comes to an hour while every ask can be paid.
    pub(super) fn hourly(&self) -> Option<Hourly> {
        Hourly::of(&LongRun::of(&self.explored), self.pace)
    }

    /// What its sessions come to exactly, where that is wanted and can be had.
    pub(super) fn exact(&self, when: Exactly, ctrl_c: &CtrlC) -> Result<Option<Exact>, String> {
        if when == Exactly::No {
            return Ok(None);
        }
        let SimSeat { name, seated, explored, session, .. } = self;
        let run_out = run_out(&seated.rules, &explored.settled, &seated.meters, STAYING);
        let stay = run_out.as_ref().map(|run_out| Stay { run_out, played: false });
        let waiting = Waiting::new();
        let go_on = |progress: &Progress| {
            waiting.tell(|_| format!("{name}: exact figures, roll {}", progress.rolls));
            let cells = progress.done.saturating_add(progress.left.unwrap_or(0));
            !ctrl_c.is_pressed() && (when == Exactly::Yes || cells <= UNASKED)
        };
        let outcome = run_with(&explored.machine, stay, session, self.most_rolls, go_on);
        drop(waiting);
        match (outcome, when) {
            (Ok(outcome), _) => Ok(Some(Exact::of(&PlanSession {
                plan: name.clone(),
                played: seated.played(),
                positions: explored.machine.len(),
                session: *session,
                pace: self.pace,
                found: None,
                outcome,
            }))),
            (Err(Unfinished::TooLong(_) | Unfinished::TooWide(_)), Exactly::Yes) => Err(format!(
                "{name}: the exact figures take too long or too much memory, leave --exact out"
            )),
            (Err(_), _) => Ok(None),
        }
    }
}

/// Sessions numbered below this are followed, where nobody says: the same whatever part of a run
/// is played.
pub(super) fn followed_below(session: &Session) -> u64 {
    let rolls = match session.length {
        Length::Rolls(rolls) => rolls.into(),
        Length::Shooters(shooters) => u64::from(shooters) * SHOOTER,
        Length::Open => OPEN,
    };
    FOLLOWED.min(FOLLOWED_ROLLS / rolls)
}
