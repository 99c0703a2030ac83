//! `boxman sim`: what dice bring, by the simulator's.

use std::path::PathBuf;

use crate::Stop;
use crate::sim_table::{self, Format};

/// Days at a table of several plans: what the house holds, its envy, its jackpots and its meters
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman sim --table docs/table.toml --days 1000\n  \
    boxman sim --table docs/table.toml --seed 7 --json\n\n\
    The table is a file that names the rules, the meters, who sits there and how long a day is:\n\
    docs/plans.md shows one. Plans share the puck, the lammers, the caps, the meters and the\n\
    dice. The same seed gives the same whole numbers on any number of threads.")]
pub(crate) struct Args {
    /// The table, as a TOML file
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// How many days are played; as the file says if left out, or 10,000
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    days: Option<u64>,
    /// The seed of the dice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The first day's number
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// How many threads play; as many as there are cores if left out
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// One JSON object, with the whole numbers that add up
    #[arg(long, group = "format")]
    json: bool,
    /// One table with a value a row, for a spreadsheet
    #[arg(long, group = "format")]
    csv: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    sim_table::run(&sim_table::Args {
        table: &args.table,
        seed: args.seed,
        from: args.from,
        days: args.days,
        threads: args.threads.map(usize::from),
        format: match (args.json, args.csv) {
            (true, _) => Format::Json,
            (_, true) => Format::Csv,
            _ => Format::Text,
        },
    })
}
