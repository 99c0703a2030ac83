//! Three real servers in a world that a seed makes up: a database with a standby, lines between
//! them and people who play, in one thread and on a clock that only moves when nobody has anything
//! to do. What happens in it happens again whenever the seed is played.
//!
//! `cargo xtask simulate` runs it; docs/cluster.md says what it shows and what it cannot.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports")]

mod checks;
mod database;
mod faults;
mod host;
mod image;
mod line;
mod mutants;
mod people;
mod races;
mod run;
mod store;
mod tables;
mod weather;
mod world;

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::image::Image;
use crate::mutants::Mutant;
use crate::races::Ready;
use crate::run::Outcome;

const HELP: &str = "\
Usage: simulate [--seeds N] [--from SEED] [--mutants]
       simulate --seed SEED [--mutant NAME]

  --seeds N    plays so many seeds, 1000 where nothing else is said
  --from SEED  beginning with this one
  --mutants    builds in one fault after the other, and says how many seeds it takes to find it
  --seed SEED  plays one seed twice, tells what happens, and whether both were the same;
               with RUST_LOG=warn what the nodes themselves say is told too
  --mutant M   with a fault built in";

struct Args {
    seeds: u64,
    from: u64,
    seed: Option<u64>,
    mutant: Option<Mutant>,
    mutants: bool,
}

fn args() -> Result<Args, String> {
    let mut args = Args { seeds: 1_000, from: 1, seed: None, mutant: None, mutants: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || {
            let next = words.next().ok_or(format!("{word} needs a number"))?;
            next.parse::<u64>().map_err(|_| format!("`{next}` is not a number"))
        };
        match word.as_str() {
            "--seeds" => args.seeds = number()?,
            "--from" => args.from = number()?,
            "--seed" => args.seed = Some(number()?),
            "--mutants" => args.mutants = true,
            "--mutant" => {
                let name = words.next().unwrap_or_default();
                let known = || Mutant::ALL.map(Mutant::name).join(", ");
                let unknown = || format!("`{name}` is none of {}", known());
                args.mutant = Some(Mutant::named(&name).ok_or_else(unknown)?);
            }
            "--help" | "-h" => return Err(String::new()),
            _ => return Err(format!("`{word}` is not understood")),
        }
    }
    Ok(args)
}

fn main() -> ExitCode {
    let args = match args() {
        Ok(args) => args,
        Err(reason) => {
            if !reason.is_empty() {
                eprintln!("error: {reason}\n");
            }
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    checks::hear_panics();
    if std::env::var_os("RUST_LOG").is_some() {
        let filter = tracing_subscriber::EnvFilter::from_default_env();
        tracing_subscriber::fmt().with_env_filter(filter).without_time().init();
    }
    let done = match (args.seed, args.mutants) {
        (Some(seed), _) => replay(seed, args.mutant),
        (None, true) => find_mutants(&args),
        (None, false) => play_all(&args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// What runs begin with.
struct Houses {
    image: Image,
    ready: Ready,
}

impl Houses {
    fn make() -> Result<Houses, String> {
        Ok(Houses { image: Image::make()?, ready: Ready::make()? })
    }

    /// Plays a seed: a house at play, or its first start, and races of a crew if it is even.
    fn play(&self, seed: u64, mutant: Option<Mutant>, told: bool) -> Outcome {
        let mut outcome = run::play(seed, &self.image, mutant, told);
        if seed.is_multiple_of(2) {
            let races = races::play(seed, &self.ready, mutant, told);
            outcome.broken.extend(races.broken);
            outcome.acknowledged += races.acknowledged;
            outcome.late_copies += races.late_copies;
            outcome.digest ^= races.digest.rotate_left(1);
            outcome.story.extend(races.story);
        }
        outcome
    }
}

/// Plays one seed twice: it is the same both times, whatever it shows.
fn replay(seed: u64, mutant: Option<Mutant>) -> Result<bool, String> {
    let houses = Houses::make()?;
    let first = houses.play(seed, mutant, true);
    let second = houses.play(seed, mutant, true);
    first.story.iter().for_each(|line| println!("{line}"));
    tell(&first);
    println!("seed {seed}: {} acknowledged, digest {:016x}", first.acknowledged, first.digest);
    let same = first.digest == second.digest;
    if !same {
        let pairs = || first.story.iter().zip(&second.story);
        let other = pairs().find(|(one, two)| one != two);
        let (one, two) = other.map_or(("the end", "the end"), |(one, two)| (one, two));
        println!("AND ANOTHER THE SECOND TIME:\n{one}\n{two}");
    }
    Ok(same && first.broken.is_empty())
}

fn tell(outcome: &Outcome) {
    for broken in &outcome.broken {
        println!("BROKEN by seed {}: {broken}", outcome.seed);
    }
}

/// Plays seeds on every core until one is broken, or all are played.
fn play_many(
    args: &Args,
    mutant: Option<Mutant>,
    stop_at_first: bool,
    told: bool,
) -> Result<Vec<Outcome>, String> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let next = AtomicU64::new(args.from);
    let end = args.from + args.seeds;
    let (outcomes, begun) = (Mutex::new(Vec::new()), Instant::now());
    let last = Mutex::new(Instant::now());
    let work = || -> Result<(), String> {
        let houses = Houses::make()?;
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= end {
                return Ok(());
            }
            let outcome = houses.play(seed, mutant, false);
            let mut outcomes = outcomes.lock().map_err(|_| "a thread panicked")?;
            if told {
                tell(&outcome);
            }
            if stop_at_first && !outcome.broken.is_empty() {
                next.store(end, Ordering::Relaxed);
            }
            outcomes.push(outcome);
            let mut last = last.lock().map_err(|_| "a thread panicked")?;
            if told && last.elapsed() > Duration::from_secs(10) {
                *last = Instant::now();
                println!(
                    "{} of {} seeds, {} s",
                    outcomes.len(),
                    args.seeds,
                    begun.elapsed().as_secs()
                );
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            thread.join().map_err(|_| "a thread panicked".to_owned())??;
        }
        Ok::<(), String>(())
    })?;
    outcomes.into_inner().map_err(|_| "a thread panicked".to_owned())
}

fn play_all(args: &Args) -> Result<bool, String> {
    let begun = Instant::now();
    let outcomes = play_many(args, None, false, true)?;
    let broken: Vec<u64> =
        outcomes.iter().filter(|o| !o.broken.is_empty()).map(|outcome| outcome.seed).collect();
    let acknowledged: usize = outcomes.iter().map(|outcome| outcome.acknowledged).sum();
    let late: usize = outcomes.iter().map(|outcome| outcome.late_copies).sum();
    println!(
        "{} seeds from {}, {} s: {acknowledged} commands acknowledged, {late} first copies came \
         after a refusal, {} seeds broken",
        outcomes.len(),
        args.from,
        begun.elapsed().as_secs(),
        broken.len()
    );
    if !broken.is_empty() {
        println!("play one again with --seed: {broken:?}");
    }
    Ok(broken.is_empty())
}

/// Builds in each fault, and plays until it is found.
fn find_mutants(args: &Args) -> Result<bool, String> {
    let mut all = true;
    for mutant in Mutant::ALL {
        let outcomes = play_many(args, Some(mutant), true, false)?;
        let found = outcomes.iter().filter(|outcome| !outcome.broken.is_empty());
        match found.min_by_key(|outcome| outcome.seed) {
            Some(Outcome { seed, broken, .. }) => println!(
                "{}: found by seed {seed}, after {} seeds: {}",
                mutant.name(),
                outcomes.len(),
                broken.first().map_or("", String::as_str)
            ),
            None => {
                all = false;
                println!("{}: NOT FOUND by {} seeds", mutant.name(), outcomes.len());
            }
        }
    }
    Ok(all)
}
