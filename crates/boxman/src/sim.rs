//! `boxman sim`: dice thrown for betting plans, as often as anybody likes.

mod counts;
mod merge;
mod sample;
mod seat;
mod show;

use std::ops::Range;
use std::path::PathBuf;
use std::thread;

use craps_report::PlanSim;
use craps_sim::{Gpu, Kernel};

use crate::ctrl_c::CtrlC;
use crate::plans::PlanArgs;
use crate::session::report::{Format, ReportArgs};
use crate::sim::counts::count;
use crate::sim::sample::{Dealt, sample};
use crate::sim::seat::{Exactly, SimSeat, followed_below};
use crate::stops::StopArgs;
use crate::{Stop, say, say_warning, sim_table};

/// What a table's file says itself, or what its days have none of.
const NOT_AT_A_TABLE: [&str; 16] = [
    "rules", "options", "set", "meters", "bankroll", "rolls", "shooters", "hours", "goal", "floor",
    "sessions", "paths", "exact", "device", "kernel", "show",
];

/// Session numbers stay below this, so that no sum of them is too large.
const MOST: u64 = 1 << 63;

/// Betting plans simulated: the same figures sampled, with the exact ones beside them, and what
/// only the way there tells
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  \
    boxman sim iron-cross --bankroll 300 --rolls 200 --sessions 1e8 --seed 1\n  \
    boxman sim three-point-molly iron-cross --hours 4 -o compare.html\n  \
    boxman sim iron-cross --rolls 200 --sessions 1e6 --json > a.json\n  \
    boxman sim iron-cross --rolls 200 --sessions 1e6 --from 1e6 --json > b.json\n  \
    boxman sim merge a.json b.json\n  \
    boxman sim iron-cross --rolls 200 --show 123456 > one.tape\n  \
    boxman sim --table docs/table.toml --days 1000\n\n\
    The same seed gives the same whole numbers on any number of threads, with any kernel and on\n\
    any device.\n\
    Several plans are played on the same dice, each at a table of its own. Ctrl-C gives what is\n\
    done so far. A figure is followed by its standard error; `apart` says how many of those lie\n\
    between it and the exact one.\n\n\
    A table is a file that names the rules, the meters, who sits there and how long a day is\n\
    (docs/plans.md shows one): what the house holds, its envy, its jackpots and its meters."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    sampled: SampledArgs,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Add up what `boxman sim --json` wrote: other sessions of the same run
    Merge(merge::Args),
}

/// What is sampled, and how.
#[derive(clap::Args)]
struct SampledArgs {
    /// The plans, by name or path
    #[arg(required_unless_present = "table", conflicts_with = "table", value_name = "PLAN")]
    plans: Vec<String>,
    /// Play days at one table with several seats, which this file lays out
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_AT_A_TABLE)]
    table: Option<PathBuf>,
    /// With --table: how many days (as the file says, or 10000)
    #[arg(long, value_name = "COUNT", requires = "table", value_parser = count)]
    days: Option<u64>,
    #[command(flatten)]
    with: PlanArgs,
    #[command(flatten)]
    stops: StopArgs,
    /// How many sessions, such as 250000 or 1e8
    #[arg(long, value_name = "COUNT", default_value = "1e6", value_parser = count)]
    sessions: u64,
    /// The number of the first, to go on where another run stopped
    #[arg(long, value_name = "SESSION", default_value = "0", value_parser = count)]
    from: u64,
    /// The seed of the dice
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// By how many threads (as many as there are cores)
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Follow sessions numbered below this roll by roll, for drops, hands and the fan (100000, or
    /// fewer where they are long)
    #[arg(long, value_name = "SESSION", value_parser = count)]
    paths: Option<u64>,
    /// Work the exact figures out too: always, never, or where it takes seconds
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    exact: Exactly,
    /// What walks the sessions
    #[arg(long, default_value = "auto")]
    device: Device,
    /// How a processor walks them (the fastest it has); all count the same
    #[arg(long, value_parser = ["scalar", "portable", "avx2", "avx512"])]
    kernel: Option<String>,
    /// Write this one session as a tape, which `boxman tape -` plays to the same cents
    #[arg(
        long,
        value_name = "SESSION",
        value_parser = count,
        conflicts_with_all = ["format", "output"]
    )]
    show: Option<u64>,
    #[command(flatten)]
    report: ReportArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Device {
    /// The fastest there is
    Auto,
    /// The processor
    Cpu,
    /// A graphics card
    Gpu,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let sampled_args = &args.sampled;
    match (&args.command, &sampled_args.table) {
        (Some(Command::Merge(args)), _) => merge::run(args),
        (None, Some(table)) => sim_table::run(&sim_table::Args {
            table,
            seed: sampled_args.seed,
            from: sampled_args.from,
            days: sampled_args.days,
            threads: sampled_args.threads.map(usize::from),
            report: &sampled_args.report,
        }),
        (None, None) => sampled(sampled_args),
    }
}

fn sampled(args: &SampledArgs) -> Result<(), Stop> {
    if args.days.is_some() {
        return Err(Stop::Misuse("days are played at a table, say --table FILE".to_owned()));
    }
    let session = args.stops.session().map_err(Stop::Misuse)?;
    let format = format(&args.report).map_err(Stop::Misuse)?;
    let sessions = args.numbers().map_err(Stop::Misuse)?;
    let kernel = args.kernel().map_err(Stop::Misuse)?;
    let seat = |name: &String| SimSeat::new(name, args.with.seat(name)?, session, &args.stops);
    let seats: Result<Vec<SimSeat>, String> = args.plans.iter().map(seat).collect();
    let seats = seats.map_err(Stop::Misuse)?;
    if let Some(number) = args.show {
        let [seat] = seats.as_slice() else {
            return Err(Stop::Misuse("a tape shows one plan, name only one".to_owned()));
        };
        say(show::tape_of(seat, args.seed, number).map_err(Stop::Misuse)?.trim_end());
        return Ok(());
    }
    let ctrl_c = CtrlC::listen();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let dealt = Dealt {
        seed: args.seed,
        sessions: sessions.clone(),
        followed_below: args.paths.unwrap_or_else(|| followed_below(&session)),
        kernel,
        threads: args.threads.map_or(cores, usize::from),
        gpu: args.gpu(&seats).map_err(Stop::Misuse)?,
    };
    let exact = seats.iter().map(|seat| seat.exact(args.exact, &ctrl_c));
    let exact = exact.collect::<Result<Vec<_>, _>>().map_err(Stop::Misuse)?;
    let (sims, end) = sample(&seats, exact, &dealt, &ctrl_c).map_err(Stop::Misuse)?;
    write(&args.report, &sims, format)?;
    if end < sessions.end {
        let left = sessions.end - end;
        say_warning(&format!(
            "stopped after {} of {} sessions: --from {end} --sessions {left} goes on, and `boxman \
             sim merge` adds up what --json wrote",
            end - sessions.start,
            sessions.end - sessions.start
        ));
    }
    Ok(())
}

impl SampledArgs {
    /// The numbers of the sessions.
    fn numbers(&self) -> Result<Range<u64>, String> {
        let end = self.from.checked_add(self.sessions).filter(|end| *end <= MOST);
        let too_many =
            || format!("sessions are numbered below {MOST}: take fewer, or a lower --from");
        end.map(|end| self.from..end).ok_or_else(too_many)
    }

    /// The graphics card that plays all of these, where there is one and it is wanted.
    fn gpu(&self, seats: &[SimSeat]) -> Result<Option<Gpu>, String> {
        if self.device == Device::Cpu || self.kernel.is_some() && self.device == Device::Auto {
            return Ok(None);
        }
        let found = Gpu::open().and_then(|gpu| {
            seats.iter().try_for_each(|seat| gpu.load(&seat.course, None).map(drop))?;
            Ok(gpu)
        });
        match found {
            Ok(gpu) => Ok(Some(gpu)),
            Err(_) if self.device == Device::Auto => Ok(None),
            Err(why) => Err(format!("{why}; --device cpu plays it here")),
        }
    }

    /// How a processor walks them.
    fn kernel(&self) -> Result<Kernel, String> {
        let Some(name) = &self.kernel else { return Ok(Kernel::best()) };
        let known = Kernel::ALL.into_iter().find(|kernel| kernel.name() == name);
        known
            .filter(|kernel| kernel.is_here())
            .ok_or_else(|| format!("this processor has no {name}: leave --kernel out"))
    }
}

/// The format asked for.
fn format(report: &ReportArgs) -> Result<Format, String> {
    match report.format()? {
        Format::Xlsx => Err("a sample is written as .html, .csv, .json or .txt".to_owned()),
        format => Ok(format),
    }
}

/// Prints samples, or writes them to their file.
fn write(report: &ReportArgs, sims: &[PlanSim], format: Format) -> Result<(), Stop> {
    let version = concat!("boxman ", env!("CARGO_PKG_VERSION"));
    let text = match format {
        Format::Json => craps_report::sim_json(sims) + "\n",
        Format::Csv => craps_report::sim_csv(sims, version),
        Format::Html => craps_report::sim_html(sims, version),
        Format::Text | Format::Xlsx => craps_report::sim_text(sims) + "\n",
    };
    report.put(text.as_bytes())
}
