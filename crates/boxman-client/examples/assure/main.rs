//! Assurance: several nodes on a real PostgreSQL with a synchronous standby, played for real and
//! broken on purpose, on this machine's loopback only.
//!
//! `cargo xtask assure [SCENARIO] [--trials N] [--rate N] [--seed N]` builds the program and runs
//! this against it. Players send commands by requests and on sockets, through any node, and send
//! them again whenever they are in doubt. Meanwhile nodes are killed, frozen, cut off and
//! restarted, and so is the database. `recorder` keeps what everybody was answered; after each
//! scenario `checks` holds it against the log:
//!
//! - what was acknowledged is in the log, once, as the record it was said to be, in the order it
//!   was sent; what was refused is not in it;
//! - a command that is sent again is answered as before;
//! - every node shows the same tables, and no update was left out or sent twice;
//! - `boxman verify` finds the log sound, with the anchor from before the faults.
//!
//! `door`, `node` and `cluster` are what is broken, `faults`, `link`, `rolling` and `meter` how.
//! Logs stay in `target/assure`.

#![expect(clippy::print_stdout, reason = "a program that reports prints")]

mod checks;
mod cluster;
mod door;
mod faults;
mod figures;
mod link;
mod meter;
mod node;
mod players;
mod recorder;
mod rolling;
mod session;

use std::path::PathBuf;
use std::time::Duration;

use boxman_client::Fallible;
use boxman_client::postgres::Postgres;

/// No scenario takes longer than this, and so long for each trial.
const LONGEST: Duration = Duration::from_secs(240);
const A_TRIAL: Duration = Duration::from_secs(60);

const USAGE: &str = "usage: assure PROGRAM FOLDER [SCENARIO] [--trials N] [--rate N] [--seed N]";

/// What is asked for.
pub(crate) struct Args {
    pub(crate) program: PathBuf,
    folder: PathBuf,
    scenarios: Vec<String>,
    /// How often something is broken in each scenario.
    pub(crate) trials: usize,
    /// Commands a second.
    pub(crate) rate: usize,
    pub(crate) seed: u64,
}

impl Args {
    fn read() -> Fallible<Args> {
        let mut words = std::env::args().skip(1);
        let program = words.next().ok_or(USAGE)?.into();
        let folder = words.next().ok_or(USAGE)?.into();
        let mut args =
            Args { program, folder, scenarios: vec![], trials: 5, rate: 1_000, seed: 20_261_117 };
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse().ok()).ok_or(USAGE);
            match word.as_str() {
                "--trials" => args.trials = number()?,
                "--rate" => args.rate = number()?,
                "--seed" => args.seed = number()? as u64,
                name if faults::SCENARIOS.contains(&name) => args.scenarios.push(word),
                other => {
                    let all = faults::SCENARIOS.join(", ");
                    return Err(format!("`{other}` is none of {all}; {USAGE}").into());
                }
            }
        }
        if args.scenarios.is_empty() {
            args.scenarios = faults::SCENARIOS.map(str::to_owned).to_vec();
        }
        Ok(args)
    }

    /// Where a scenario keeps what its nodes say.
    pub(crate) fn folder(&self, scenario: &str) -> PathBuf {
        self.folder.join(scenario)
    }
}

fn main() -> Fallible<()> {
    let args = Args::read()?;
    if !Postgres::is_installed() {
        return Err("PostgreSQL is not installed: without it there are no nodes to break".into());
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build()?;
    let held = runtime.block_on(run(&args));
    std::process::exit(i32::from(!held));
}

/// Plays all scenarios. Says whether everything held.
async fn run(args: &Args) -> bool {
    let mut held = true;
    for name in &args.scenarios {
        // What nodes said in the last run is of no use any more.
        let _ = std::fs::remove_dir_all(args.folder(name));
        println!("{name}: begins, {} trials, {} commands a second", args.trials, args.rate);
        let limit = LONGEST + A_TRIAL * args.trials as u32;
        match tokio::time::timeout(limit, faults::play(name, args)).await {
            Ok(Ok(mut ended)) => {
                ended.report(name);
                held &= ended.verdict.violations.is_empty();
            }
            Ok(Err(error)) => {
                println!("VIOLATION in {name}: it came to an end: {error}");
                held = false;
            }
            Err(_) => {
                println!("VIOLATION in {name}: it took longer than {} s", limit.as_secs());
                held = false;
            }
        }
    }
    println!("{}", if held { "everything held" } else { "NOT everything held" });
    held
}
