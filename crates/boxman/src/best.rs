//! `boxman best`: the best play for a goal, over the bets one names.

#![expect(clippy::float_arithmetic, reason = "chances with their bounds are told, not paid")]

use std::path::PathBuf;

use craps::machine::{Desk, Player, explore};
use craps::{Cents, Library, Rules, Spot};
use craps_math::best::{Bets, Game, MOST_LOOKS, MOST_STATES, Wish, solve, within};
use craps_math::session::{Length, Over, Progress, Session, run as play};
use craps_plan::{Memory, Plan, READY};
use craps_report::{BestPlay, best_json, best_plan, best_text, opening_json, opening_text};

use crate::shelf::RulesArgs;
use crate::waiting::Waiting;
use crate::{Stop, say};

/// The most plays to look at in one pass for somebody who waits long.
const LONG: f64 = 1e11;
/// The most positions of a ready plan it is compared with.
const POSITIONS: usize = 20_000;
/// And the most amounts that its session may move.
const COMPARED: u64 = 1_000_000_000;

/// The best play for a goal before the money is gone: every bet in every situation, exactly
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman best --bankroll 100 --goal 200 --bets \"pass, odds\"\n  \
    boxman best --bankroll 300 --goal 1000 --bets \"pass, odds, hard 8\" --step 25 -o best.rhai\n  \
    boxman session best.rhai --bankroll 300 --goal 1000\n  \
    boxman best --bankroll 100 --goal 200 --bets \"dont-pass, odds\" --rolls 50\n\n\
    Name at most one line bet, `odds` behind it, and bets that may come down at any time; two of\n\
    those at most are up at once. Stakes are multiples of --step that the wager takes and that\n\
    win without rounding. Where two plays are equally good, the one that is over sooner counts,\n\
    then the one with fewer chips on the felt, then the one whose bet comes first in the rules.\n\
    With --rolls a table tells what to bet at the first roll, by puck and bankroll. What would\n\
    take too long says what to drop.")]
pub(crate) struct Args {
    #[command(flatten)]
    rules: RulesArgs,
    /// What the player sits down with
    #[arg(long, allow_negative_numbers = true, value_name = "DOLLARS")]
    bankroll: Cents,
    /// What is to be reached
    #[arg(long, allow_negative_numbers = true, value_name = "DOLLARS")]
    goal: Cents,
    /// The bets to choose from, with commas between
    #[arg(long, value_name = "BETS")]
    bets: String,
    /// Every stake is a multiple of this
    #[arg(long, allow_negative_numbers = true, value_name = "DOLLARS", default_value = "5")]
    step: Cents,
    /// Within so many rolls: the chance and a table of opening bets only
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rolls: Option<u32>,
    /// Write the play as a plan, which `boxman session` and `boxman plan` take
    #[arg(short, long, value_name = "FILE.rhai", conflicts_with = "rolls")]
    output: Option<PathBuf>,
    /// Solve it even where that takes many minutes
    #[arg(long)]
    long: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let rules = args.rules.pick(&Library::embedded()).map_err(Stop::Misuse)?.rules;
    let wish = wish(args).map_err(Stop::Misuse)?;
    if let Some(file) =
        args.output.as_ref().filter(|file| file.extension().is_none_or(|it| it != "rhai"))
    {
        let file = file.display();
        return Err(Stop::Misuse(format!("{file}: a plan's file ends in .rhai")));
    }
    let bets = Bets::parse(&rules, args.bets.split(','));
    let bets = bets.map_err(|unfit| Stop::Misuse(unfit.to_string()))?;
    let game = fitting(args, &rules, &bets, &wish).map_err(Stop::Misuse)?;
    match args.rolls {
        Some(rolls) => opening(args, &rules, &bets, &game, rolls),
        None => whole(args, &rules, &bets, &wish, &game),
    }
}

fn wish(args: &Args) -> Result<Wish, String> {
    let Args { bankroll, goal, step, .. } = args;
    let (bankroll, goal, step) = (*bankroll, *goal, *step);
    if step <= Cents::ZERO {
        return Err("stakes go up in steps, say --step 5".to_owned());
    }
    if bankroll <= Cents::ZERO {
        return Err("nobody sits down with nothing, say --bankroll 300".to_owned());
    }
    if goal <= bankroll {
        return Err(format!("a goal of ${goal} is reached before the first roll with ${bankroll}"));
    }
    Ok(Wish { bankroll, goal, step })
}

/// The game, or what to change so that it fits.
fn fitting(args: &Args, rules: &Rules, bets: &Bets, wish: &Wish) -> Result<Game, String> {
    // Within a number of rolls there is a pass for each; without, about ten count.
    let passes = f64::from(args.rolls.unwrap_or(10)) / 10.0;
    let most = if args.long { LONG } else { MOST_LOOKS };
    let fits = |game: &Game| game.states() <= MOST_STATES && game.looks() * passes <= most;
    let game = Game::new(rules, bets, wish);
    let (size, patience) = match game {
        Some(game) if fits(&game) => return Ok(game),
        Some(game) => {
            let looks = game.looks() * passes;
            let size = format!(
                "this has {} states of ${} each and {looks:.0e} plays to look at, more than \
                 {MOST_STATES} or {most:.0e}",
                game.states(),
                game.unit()
            );
            (size, game.states() <= MOST_STATES && looks <= LONG)
        }
        None => (format!("there are too many steps of ${} to ${}", wish.step, wish.goal), false),
    };
    let larger = [2, 3, 4, 5, 10, 20, 50, 100].map(|times| Cents(wish.step.0 * times));
    let larger = larger.into_iter().filter(|step| *step <= wish.bankroll).find(|step| {
        Game::new(rules, bets, &Wish { step: *step, ..*wish }).is_some_and(|game| fits(&game))
    });
    let fewer = bets.spots().into_iter().rev().find(|spot| {
        let bets = bets.without(*spot);
        bets.and_then(|bets| Game::new(rules, &bets, wish)).is_some_and(|game| fits(&game))
    });
    let mut ways = Vec::new();
    ways.extend(fewer.map(|spot| format!("drop {}", rules.spot_rule(spot).notation)));
    ways.extend(larger.map(|step| format!("take --step {step}")));
    ways.extend(args.rolls.map(|_| "take fewer --rolls".to_owned()));
    if patience {
        ways.push("wait for it with --long".to_owned());
    }
    if ways.is_empty() {
        ways.push("take larger steps and fewer bets".to_owned());
    }
    Err(format!("{size}: {}", ways.join(", or ")))
}

fn opening(args: &Args, rules: &Rules, bets: &Bets, game: &Game, rolls: u32) -> Result<(), Stop> {
    let waiting = Waiting::new();
    let opening = within(game, rolls, |done| {
        waiting.tell(|gone| format!("roll {done} of {rolls}, {} s", gone.as_secs()));
        true
    });
    drop(waiting);
    let opening = opening.expect("telling never stops it");
    say(&match args.json {
        true => opening_json(rules, bets, rolls, &opening),
        false => opening_text(rules, bets, game.wish(), rolls, &opening),
    });
    Ok(())
}

fn whole(args: &Args, rules: &Rules, bets: &Bets, wish: &Wish, game: &Game) -> Result<(), Stop> {
    let waiting = Waiting::new();
    let best = solve(game, &|pass, part| {
        waiting.tell(|gone| {
            let (part, gone) = (part * 100.0, gone.as_secs());
            format!("pass {pass} over all plays, {part:.0}%, {gone} s")
        });
        true
    });
    let best = best.expect("telling never stops it");
    if best.turns.is_empty() {
        drop(waiting);
        return Err(Stop::Misuse(format!(
            "with ${} there is nothing to bet in steps of ${} that could reach ${}: bring more, or \
             take smaller steps or other bets",
            wish.bankroll, wish.step, wish.goal
        )));
    }
    let plans = plans(rules, bets, wish, &waiting);
    drop(waiting);
    let play = BestPlay { rules, wish, best: &best, plans: &plans };
    if let Some(file) = &args.output {
        let plan = best_plan(&play, &args.rules.rules, &args.rules.options);
        std::fs::write(file, &plan).map_err(|error| {
            Stop::Misuse(format!("{}: cannot be written: {error}", file.display()))
        })?;
    }
    if args.json {
        say(&best_json(&play));
        return Ok(());
    }
    say(&best_text(&play));
    match &args.output {
        Some(file) => say(&format!("\nThe play is in {}.", file.display())),
        None => say("\n-o FILE.rhai writes the play as a plan."),
    }
    Ok(())
}

/// The ready plans that use only these bets in these steps, and what they reach, the best first;
/// without those that would take long.
fn plans(rules: &Rules, bets: &Bets, wish: &Wish, waiting: &Waiting) -> Vec<(String, f64)> {
    let rules = std::sync::Arc::new(rules.clone());
    let meters: Vec<Cents> = rules.meters().iter().map(|meter| meter.terms.seed).collect();
    let allowed = bets.spots();
    let mut plans = Vec::new();
    for (name, text) in READY {
        waiting.tell(|_| format!("comparing with {name}"));
        let plan = Plan::parse(name, text, &[]).expect("a ready plan is sound");
        let only = Only { plan: &plan, allowed: &allowed, step: wish.step };
        let Ok(explored) = explore(&rules, &only, &meters, POSITIONS) else { continue };
        let (bankroll, goal) = (wish.bankroll, Some(wish.goal));
        let session = Session { bankroll, length: Length::Open, goal, floor: None };
        // One that takes long is left out rather than waited for.
        let brief = |progress: &Progress| progress.done < COMPARED;
        if let Ok(outcome) = play(&explored.machine, &session, 1_000_000, brief) {
            plans.push(((*name).to_owned(), outcome.chance(Over::Goal)));
        }
    }
    plans.sort_by(|one, other| other.1.total_cmp(&one.1));
    plans
}

/// A plan that is no longer asked once it has bet on something else, or not in steps.
struct Only<'a> {
    plan: &'a Plan,
    allowed: &'a [Spot],
    step: Cents,
}

impl Player for Only<'_> {
    type Memory = Memory;
    type Fault = ();

    fn memory(&self) -> Memory {
        self.plan.memory()
    }

    fn ask(&self, memory: &mut Memory, desk: &mut Desk) -> Result<(), ()> {
        self.plan.ask(memory, desk).map_err(drop)?;
        let mut bets = desk.layout().bets().iter();
        let fits =
            bets.all(|bet| self.allowed.contains(&bet.spot) && bet.stake.is_multiple_of(self.step));
        fits.then_some(()).ok_or(())
    }
}
