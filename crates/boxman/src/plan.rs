//! `boxman plan`: what a betting plan does, and playing it roll by roll.

mod check;
pub(crate) mod play;

use craps::Cents;
use craps_plan::{Last, Plan, READY, ready_tape};

use crate::plan::check::check;
use crate::plan::play::{play, random, tape};
use crate::plans::{PlanArgs, source};
use crate::{Stop, say};

/// Betting plans: list them, read them, check them, play them roll by roll
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Name the plans that come with the program
    List,
    /// Print a plan, to read or to start another from
    Show {
        /// The plan, by name or path
        #[arg(value_name = "PLAN")]
        plan: String,
        /// Some rolls that show what it does, as a tape (of plans that come with the program)
        #[arg(long)]
        tape: bool,
    },
    /// Say what a plan does: its params, what it has up in each situation, what it costs
    #[command(after_help = "Examples:\n  \
        boxman plan check three-point-molly --set unit=15\n  \
        boxman plan check my-plan.rhai --pace 120 --json\n\n\
        What is up and what it costs are averages of the long run, while every ask can be paid:\n\
        exact fractions up to 500 positions, beyond in floats. A plan that compares its money is\n\
        told stage by stage, each as though the bankroll never changed. An ask that no position\n\
        ever hears is warned about, and so is a stake whose win is rounded.")]
    Check {
        /// The plan, by name or path
        #[arg(value_name = "PLAN")]
        plan: String,
        #[command(flatten)]
        with: PlanArgs,
        /// How many rolls make an hour
        #[arg(
            long,
            default_value_t = 144,
            value_parser = clap::value_parser!(u32).range(1..=100_000)
        )]
        pace: u32,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// Play a plan and show every ask, refusal and cent
    Play {
        /// The plan, by name or path
        #[arg(value_name = "PLAN")]
        plan: String,
        #[command(flatten)]
        with: PlanArgs,
        /// The dice, such as "3-3 2-4"
        #[arg(long, value_name = "ROLLS", conflicts_with = "seed")]
        dice: Option<String>,
        /// Random dice from this seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many random rolls
        #[arg(long, default_value_t = 20)]
        rolls: u32,
        /// What the player sits down with
        #[arg(long, allow_negative_numbers = true, value_name = "DOLLARS", default_value = "1000")]
        bankroll: Cents,
        /// Write it as a tape instead, which `boxman tape -` plays to the same cents
        #[arg(long)]
        tape: bool,
    },
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    match &args.command {
        Command::List => list(),
        Command::Show { plan, tape } => {
            let text = source(plan).map_err(Stop::Misuse)?;
            let shown = match (tape, ready_tape(plan)) {
                (false, _) => text.as_str(),
                (true, Some(tape)) => tape,
                (true, None) => {
                    let own =
                        format!("{plan} has no tape, write one with `plan play {plan} --tape`");
                    return Err(Stop::Misuse(own));
                }
            };
            say(shown.trim_end());
        }
        Command::Check { plan, with, pace, json } => {
            let seated = with.seat(plan).map_err(Stop::Misuse)?;
            check(&seated, *pace, *json).map_err(Stop::Misuse)?;
        }
        Command::Play { plan, with, dice, seed, rolls, bankroll, tape: as_tape } => {
            let seated = with.seat(plan).map_err(Stop::Misuse)?;
            let dice = match dice {
                Some(dice) => {
                    let dice = dice.split_whitespace().map(str::parse).collect::<Result<_, _>>();
                    dice.map_err(|error| Stop::Misuse(format!("--dice: {error}")))?
                }
                None => random(*seed, *rolls),
            };
            if *bankroll < Cents::ZERO {
                let reason = "nobody sits down with less than nothing";
                return Err(Stop::Misuse(reason.to_owned()));
            }
            match as_tape {
                true => {
                    let text =
                        tape(&seated, &dice, *bankroll, Last::Asked).map_err(Stop::Misuse)?;
                    say(text.trim_end());
                }
                false => play(&seated, &dice, *bankroll).map_err(Stop::Misuse)?,
            }
        }
    }
    Ok(())
}

fn list() {
    let wide = READY.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, text) in READY {
        let plan = Plan::parse(name, text, &[]).expect("a ready plan is sound");
        say(&format!("{name:wide$}  {}", plan.header().summary()));
    }
    say("\n`boxman plan show NAME` prints one, with --tape some rolls that show what it does.");
}
