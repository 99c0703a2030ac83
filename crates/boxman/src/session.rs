//! `boxman session`: where a plan stands after so many rolls, exactly.

#![expect(clippy::float_arithmetic, reason = "shares and times are told, not paid")]

mod find;
pub(crate) mod report;

use craps::machine::{End, Explored, RunOut, Then, run_out};
use craps_math::session::{
    Length, MOST_CELLS, Outcome, Progress, Session, Stay, Unfinished, run_with,
};
use craps_plan::Memory;
use craps_report::PlanSession;

use crate::Stop;
use crate::plans::PlanArgs;
use crate::session::find::{Find, Found, Wanted, find};
use crate::session::report::ReportArgs;
use crate::stops::StopArgs;
use crate::waiting::Waiting;

/// The most positions of bets that have to stay.
pub(crate) const STAYING: usize = 200_000;

/// Where betting plans stand after so many rolls: exact odds of ruin, goal and every result
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman session iron-cross --bankroll 300 --rolls 200\n  \
    boxman session three-point-molly iron-cross six-eight --bankroll 1000 --hours 4\n  \
    boxman session martingale --bankroll 500 --goal 600\n  \
    boxman session my-plan.rhai --set unit=25 --shooters 10 --json\n  \
    boxman session pass-2x:unit=10 pass-2x:unit=25 --bankroll 500 --goal 600\n  \
    boxman session iron-cross --rolls 200 --find bankroll --ruin 5%\n  \
    boxman session three-point-molly iron-cross --hours 4 -o compare.html\n\n\
    Nothing is sampled: the chance of every position and every cent is carried from roll to roll.\n\
    Without --rolls, --shooters or --hours a session lasts until the plan ends or a stop is\n\
    reached. When time is up bets on the felt count at face; what those that have to stay are\n\
    worth is told beside the mean, and --run-out plays them out.\n\n\
    An .html file is a report with charts, to read and to print. An .xlsx workbook has a sheet\n\
    Compare with the figures and a sheet a plan with every final result, the fan and the chances\n\
    by roll. CSV is one table with a value a row, to filter by `part`: played (rules, params),\n\
    figure (the columns), final (the chance to end with so many dollars), fan (quantiles after so\n\
    many rolls), over (the chance to be over within them). It is in dollars and shares of one;\n\
    JSON is in cents.")]
pub(crate) struct Args {
    /// The plans, by name or path; params of one plan behind a colon, as in pass-2x:unit=25
    #[arg(required = true, value_name = "PLAN")]
    plans: Vec<String>,
    #[command(flatten)]
    with: PlanArgs,
    #[command(flatten)]
    stops: StopArgs,
    /// When time is up, take down what may come down and play the rest out
    #[arg(long)]
    run_out: bool,
    /// Find what gives a wanted chance
    #[arg(long, value_name = "WHAT", requires = "wanted")]
    find: Option<Find>,
    /// With --find: no more than this are ruined, sink to the floor or have too little to bet, such
    /// as 5%
    #[arg(long, value_name = "SHARE", group = "wanted", requires = "find", value_parser = share)]
    ruin: Option<f64>,
    /// With --find: at least this many reach the goal, such as 30%
    #[arg(long, value_name = "SHARE", group = "wanted", requires = "find", value_parser = share)]
    reach: Option<f64>,
    #[command(flatten)]
    report: ReportArgs,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let session = session(args).map_err(Stop::Misuse)?;
    let format = args.report.format().map_err(Stop::Misuse)?;
    let mut sessions = Vec::new();
    for name in &args.plans {
        let seated = args.with.seat(name).map_err(Stop::Misuse)?;
        let explored = seated.explore().map_err(Stop::Misuse)?;
        let run_out = run_out(&seated.rules, &explored.settled, &seated.meters, STAYING);
        let table = Table { name, args, explored: &explored, run_out: run_out.as_ref() };
        let wanted = args.ruin.map(Wanted::Ruin).or(args.reach.map(Wanted::Reach));
        let (session, outcome, found) = match (args.find, wanted) {
            (Some(what), Some(wanted)) => {
                let leaves = explored.machine.arrivals().iter().any(|arrival| {
                    arrival.branches.iter().any(|branch| branch.then == Then::End(End::Left))
                });
                let found = find(what, wanted, &session, leaves, |session| table.play(session));
                let found = found.map_err(|why| Stop::Misuse(format!("{name}: {why}")))?;
                let Found { session, outcome, words } = found;
                (session, outcome, Some(words))
            }
            _ => (session, table.play(&session).map_err(Stop::Misuse)?, None),
        };
        let (plan, pace, positions) = (name.clone(), args.stops.pace, explored.machine.len());
        let played = seated.played();
        sessions.push(PlanSession { plan, played, positions, session, pace, found, outcome });
    }
    args.report.write(&sessions, format)
}

/// A plan and how it is played.
struct Table<'a> {
    name: &'a str,
    args: &'a Args,
    explored: &'a Explored<Memory>,
    run_out: Option<&'a RunOut>,
}

impl Table<'_> {
    fn play(&self, session: &Session) -> Result<Outcome, String> {
        let Table { name, args, explored, run_out } = self;
        if args.run_out && run_out.is_none() {
            return Err(format!("{name}: what has to stay is too much to play out"));
        }
        let stay = run_out.map(|run_out| Stay { run_out, played: args.run_out });
        let waiting = Waiting::new();
        let tell = |progress: &Progress| {
            waiting.tell(|gone| {
                let left = progress.left.map_or(String::new(), |left| {
                    let left = gone.as_secs_f64() * left as f64 / progress.done.max(1) as f64;
                    // Nobody knows how long an open one lasts, only what it takes on average.
                    let about = if session.length == Length::Open { "at least" } else { "about" };
                    format!(", {about} {left:.0} s left")
                });
                format!("{name}: roll {}{left}", progress.rolls)
            });
            true
        };
        let outcome = run_with(&explored.machine, stay, session, args.stops.most_rolls, tell);
        drop(waiting);
        let tries = match session.length {
            Length::Open if session.goal.is_none() => "say when it is over, with --rolls or --goal",
            _ => "try fewer rolls, a smaller bankroll or --option payout-unit=1.00",
        };
        outcome.map_err(|unfinished| match unfinished {
            Unfinished::TooLong(cells) => {
                let cells = cells.max(MOST_CELLS);
                format!(
                    "{name}: this would move more than {cells:.0e} amounts, which takes too long: \
                     {tries}"
                )
            }
            Unfinished::TooWide(bytes) => {
                let size = match bytes {
                    u64::MAX => "more memory than there is".to_owned(),
                    bytes => format!("at least {} GB of memory", bytes >> 30),
                };
                format!("{name}: this would take {size}: {tries}, or a smaller --meter")
            }
            Unfinished::Stopped => format!("{name}: stopped"),
        })
    }
}

/// A share such as 5% or 0.05.
fn share(text: &str) -> Result<f64, String> {
    let (number, scale) = match text.strip_suffix('%') {
        Some(percent) => (percent, 100.0),
        None => (text, 1.0),
    };
    let share = number.trim().parse::<f64>().map(|number| number / scale);
    share
        .ok()
        .filter(|share| *share > 0.0 && *share < 1.0)
        .ok_or_else(|| "a share lies between nothing and all, such as 5% or 0.05".to_owned())
}

fn session(args: &Args) -> Result<Session, String> {
    if args.find == Some(Find::Length) && args.stops.is_timed() {
        return Err("the length is what is looked for: leave it out".to_owned());
    }
    if args.find == Some(Find::Goal) && args.stops.goal.is_some() {
        return Err("the goal is what is looked for: leave --goal out".to_owned());
    }
    // What is looked for is not given.
    match args.find {
        Some(Find::Bankroll) => args.stops.for_any_bankroll(),
        _ => args.stops.session(),
    }
}
