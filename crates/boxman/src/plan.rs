//! `boxman plan`: what a betting plan does, and playing it roll by roll.

use craps::machine::{Asked, Play, Position, Then};
use craps::{Action, Cents, Roll, Rules};
use craps_plan::{Memory, Plan, READY, situation};

use crate::plans::{PlanArgs, Seated, source};
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
    },
    /// Say what a plan does: its params, its bets in each situation, how many positions
    Check {
        /// The plan, by name or path
        #[arg(value_name = "PLAN")]
        plan: String,
        #[command(flatten)]
        with: PlanArgs,
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
        #[arg(long, value_name = "DOLLARS", default_value = "1000")]
        bankroll: Cents,
    },
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    match &args.command {
        Command::List => list(),
        Command::Show { plan } => say(source(plan).map_err(Stop::Misuse)?.trim_end()),
        Command::Check { plan, with } => {
            let seated = with.seat(plan).map_err(Stop::Misuse)?;
            check(&seated).map_err(Stop::Misuse)?;
        }
        Command::Play { plan, with, dice, seed, rolls, bankroll } => {
            let seated = with.seat(plan).map_err(Stop::Misuse)?;
            let dice = match dice {
                Some(dice) => {
                    let dice = dice.split_whitespace().map(str::parse).collect::<Result<_, _>>();
                    dice.map_err(|error| Stop::Misuse(format!("--dice: {error}")))?
                }
                None => random(*seed, *rolls),
            };
            play(&seated, &dice, *bankroll).map_err(Stop::Misuse)?;
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
}

fn check(seated: &Seated) -> Result<(), String> {
    let Seated { plan, rules, .. } = seated;
    let explored = seated.explore()?;
    say(plan.name());
    plan.header().about.iter().for_each(|line| say(&format!("  {line}")));
    for param in plan.params() {
        let set = if param.value == param.default { "" } else { " (set)" };
        say(&format!("  {} = {}{set}", param.name, param.value));
    }
    say(&format!("\n{} positions under {}", explored.positions.len(), rules.name));
    // What it has up with money for everything, on a first come-out and on each point after it.
    let machine = &explored.machine;
    let Then::Roll(start) = machine.then(0, Cents(i64::MAX / 8)) else {
        say("It bets nothing.");
        return Ok(());
    };
    say(&format!("  before the first roll: {}", bets(rules, &explored.positions[start as usize])));
    for point in rules.points.iter() {
        // The easy way where there is one: a hard way may decide more than the point.
        let rolls = Roll::all().filter(|roll| roll.total() == point);
        let roll = rolls.min_by_key(|roll| roll.is_hard()).expect("every total is rolled");
        let edge = machine.edges(start)[roll.combination().index()];
        if let Then::Roll(next) = machine.then(edge.arrival, Cents(i64::MAX / 8)) {
            let position = &explored.positions[next as usize];
            say(&format!("  once the point is {point}: {}", bets(rules, position)));
        }
    }
    Ok(())
}

fn bets(rules: &Rules, position: &Position<Memory>) -> String {
    let bets = position.table.state.layout.bets().iter();
    let bets: Vec<String> = bets
        .map(|bet| format!("${} on {}", bet.stake, rules.spot_rule(bet.spot).notation))
        .collect();
    if bets.is_empty() { "nothing".to_owned() } else { bets.join(", ") }
}

fn play(seated: &Seated, dice: &[Roll], bankroll: Cents) -> Result<(), String> {
    let Seated { plan, rules, meters } = seated;
    let (mut play, asked) =
        Play::start(rules, plan, meters, bankroll).map_err(|fault| fault.to_string())?;
    say(&format!("{} sits down with ${bankroll}", plan.name()));
    tell(rules, &asked);
    for (number, roll) in (1..).zip(dice) {
        let puck = match play.now() {
            Ok(position) => position.table.state.hand.puck,
            Err(end) => {
                say(&format!("It is over: {}.", format!("{end:?}").to_lowercase()));
                return Ok(());
            }
        };
        let where_at = match play.now() {
            Ok(position) => situation(rules, &position.table),
            Err(_) => String::new(),
        };
        let turn = play.roll(*roll);
        let turn = turn.map_err(|fault| fault.with_situation(where_at).to_string())?;
        let Some(turn) = turn else { return Ok(()) };
        let called = craps::call::stick_call(puck, *roll, rules.points);
        let sign = if turn.change < Cents::ZERO { "-" } else { "+" };
        let change = Cents(turn.change.0.abs());
        say(&format!("{number:>4}. {roll} {called}: {sign}${change}, ${} in all", play.equity()));
        for line in &play.settlement().lines {
            let spot = &rules.spot_rule(line.bet.spot).notation;
            let what = match line.fate {
                craps::Fate::Win { .. } => format!("{spot} wins ${}", line.won),
                craps::Fate::Lose => format!("{spot} loses ${}", line.bet.outlay()),
                craps::Fate::Push => format!("{spot} pushes"),
                craps::Fate::Return => format!("{spot} comes back"),
                craps::Fate::Travel(to) => {
                    format!("{spot} goes to {}", rules.spot_rule(to).notation)
                }
                craps::Fate::Stand => continue,
            };
            say(&format!("        {what}"));
        }
        tell(rules, &turn.asked);
    }
    Ok(())
}

fn tell(rules: &Rules, asked: &[Asked]) {
    for (action, answer) in asked {
        let spot = &rules.spot_rule(action.spot()).notation;
        let what = match action {
            Action::Put { amount, .. } => format!("${amount} on {spot}"),
            Action::Take { amount: Some(amount), .. } => format!("${amount} off {spot}"),
            Action::Take { .. } => format!("{spot} down"),
            Action::Call { call, .. } => format!("{spot} {}", call.word()),
        };
        match answer {
            Ok(_) => say(&format!("        asks for {what}")),
            Err(refusal) => say(&format!("        asks for {what}: no, {refusal}")),
        }
    }
}

/// Rolls from a seed, the same each time.
fn random(seed: u64, count: u32) -> Vec<Roll> {
    let mut state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        // SplitMix64, until the simulator's own dice take its place.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    // The top of 64 bits times 36 is even to within two in ten to the eighteenth.
    (0..count).map(|_| Roll::from_index(((u128::from(next()) * 36) >> 64) as usize)).collect()
}
