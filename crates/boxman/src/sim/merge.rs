//! `boxman sim merge`: runs added up.

use craps_report::{PlanSim, merge_sims, read_sim};

use crate::Stop;
use crate::session::report::ReportArgs;
use crate::sim::{format, write};

/// What is added up, and how it is written.
#[derive(clap::Args)]
pub(super) struct Args {
    /// What `boxman sim --json` wrote
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    report: ReportArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Stop> {
    let format = format(&args.report).map_err(Stop::Misuse)?;
    let runs: Result<Vec<_>, String> = args.files.iter().map(|file| read(file)).collect();
    let sims = merged(&args.files, runs.map_err(Stop::Misuse)?).map_err(Stop::Misuse)?;
    write(&args.report, &sims, format)
}

fn read(file: &str) -> Result<Vec<PlanSim>, String> {
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| format!("{file}: cannot be read: {error}"))?;
    read_sim(&text).map_err(|why| format!("{file}: {why}"))
}

/// The runs of each plan together, plans in their order.
fn merged(files: &[String], runs: Vec<Vec<PlanSim>>) -> Result<Vec<PlanSim>, String> {
    let plans = runs.first().map_or(0, Vec::len);
    let other = runs.iter().zip(files).find(|(run, _)| run.len() != plans);
    if let Some((run, file)) = other {
        return Err(format!("{} has {plans} plans and {file} {}", files[0], run.len()));
    }
    let mut runs: Vec<_> = runs.into_iter().map(Vec::into_iter).collect();
    let of_plan = |_| merge_sims(runs.iter_mut().filter_map(Iterator::next).collect());
    (0..plans).map(of_plan).collect()
}
