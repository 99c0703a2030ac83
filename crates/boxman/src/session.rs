//! `boxman session`: where a plan stands after so many rolls, exactly.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use craps::Cents;
use craps_math::session::{Length, Session, run as play};
use craps_report::PlanSession;

use crate::plans::PlanArgs;
use crate::{Stop, say};

/// Where betting plans stand after so many rolls: exact odds of ruin, goal and every result
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman session iron-cross --bankroll 300 --rolls 200\n  \
    boxman session three-point-molly iron-cross six-eight --bankroll 1000 --hours 4\n  \
    boxman session martingale --bankroll 500 --goal 600\n  \
    boxman session my-plan.rhai --set unit=25 --shooters 10 --json\n\n\
    Nothing is sampled: the chance of every position and every cent is carried from roll to roll.\n\
    Without --rolls, --shooters or --hours a session lasts until the plan ends or a stop is\n\
    reached.")]
pub(crate) struct Args {
    /// The plans, by name or path
    #[arg(required = true, value_name = "PLAN")]
    plans: Vec<String>,
    #[command(flatten)]
    with: PlanArgs,
    /// What the player sits down with
    #[arg(long, value_name = "DOLLARS", default_value = "1000")]
    bankroll: Cents,
    /// Play so many rolls
    #[arg(long, group = "length", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    rolls: Option<u32>,
    /// Play so many shooters
    #[arg(long, group = "length", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shooters: Option<u32>,
    /// Play so many hours
    #[arg(long, group = "length", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    hours: Option<u32>,
    /// How many rolls make an hour
    #[arg(long, default_value_t = 144, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pace: u32,
    /// Stop once this much is there
    #[arg(long, value_name = "DOLLARS")]
    goal: Option<Cents>,
    /// Stop once no more than this is left
    #[arg(long, value_name = "DOLLARS")]
    floor: Option<Cents>,
    /// Give an open session up after so many rolls
    #[arg(long, default_value_t = 1_000_000)]
    most_rolls: u32,
    /// One JSON object a plan, in an array
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let session = session(args).map_err(Stop::Misuse)?;
    let mut sessions = Vec::new();
    for name in &args.plans {
        let seated = args.with.seat(name).map_err(Stop::Misuse)?;
        let machine = seated.explore().map_err(Stop::Misuse)?.machine;
        let mut progress = Progress::new(name, session.length);
        let outcome = play(&machine, &session, args.most_rolls, |rolls| progress.told(rolls));
        progress.done();
        let outcome = outcome.expect("progress never stops it");
        let (plan, pace, positions) = (name.clone(), args.pace, machine.len());
        sessions.push(PlanSession { plan, positions, session, pace, outcome });
    }
    say(&match args.json {
        true => craps_report::session_json(&sessions),
        false => craps_report::session_text(&sessions),
    });
    Ok(())
}

fn session(args: &Args) -> Result<Session, String> {
    let bankroll = args.bankroll;
    if bankroll <= Cents::ZERO {
        return Err("nobody sits down with nothing, say --bankroll 300".to_owned());
    }
    if let Some(goal) = args.goal.filter(|goal| *goal <= bankroll) {
        return Err(format!("a goal of ${goal} is reached before the first roll with ${bankroll}"));
    }
    if let Some(floor) = args.floor.filter(|floor| *floor >= bankroll) {
        return Err(format!(
            "a floor of ${floor} is reached before the first roll with ${bankroll}"
        ));
    }
    let length = match (args.rolls, args.shooters, args.hours) {
        (Some(rolls), ..) => Length::Rolls(rolls),
        (_, Some(shooters), _) => Length::Shooters(shooters),
        (.., Some(hours)) => Length::Rolls(hours.saturating_mul(args.pace)),
        _ => Length::Open,
    };
    Ok(Session { bankroll, length, goal: args.goal, floor: args.floor })
}

/// How far a long session has come, for somebody who waits at a terminal.
struct Progress<'a> {
    plan: &'a str,
    rolls: Option<u32>,
    begun: Instant,
    told: Option<Instant>,
}

impl<'a> Progress<'a> {
    fn new(plan: &'a str, length: Length) -> Progress<'a> {
        let rolls = match length {
            Length::Rolls(rolls) => Some(rolls),
            _ => None,
        };
        Progress { plan, rolls, begun: Instant::now(), told: None }
    }

    fn told(&mut self, rolls: u32) -> bool {
        let now = Instant::now();
        let waited = now - self.told.unwrap_or(self.begun);
        let due = if self.told.is_some() { 200 } else { 1_000 };
        if waited > Duration::from_millis(due) && std::io::stderr().is_terminal() {
            self.told = Some(now);
            let gone = (now - self.begun).as_secs();
            let left = self.rolls.map_or(String::new(), |all| {
                let left = gone * u64::from(all - rolls) / u64::from(rolls.max(1));
                format!(" of {all}, about {left} s left")
            });
            anstream::eprint!("\r{}: roll {rolls}{left}   ", self.plan);
        }
        true
    }

    fn done(&self) {
        if self.told.is_some() {
            anstream::eprint!("\r{:70}\r", "");
        }
    }
}
