//! `boxman par`: PAR sheets.

use std::path::PathBuf;

use craps::library::split_option;
use craps::{Cents, Library};
use craps_math::{Par, ParTerms};

use crate::shelf;
use crate::{Stop, say, say_warning, write_file};

/// PAR sheets: awards, chances, returns, envy and meters of any paytable, side by side
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman par                      every paytable there is\n  \
    boxman par PT-FLT-BC-03\n  \
    boxman par PT-BJS-MEA-03 PT-BJS-MEA-05 --bettors 6 --meter 40000 --format html -o par.html\n  \
    boxman par PT-BJS-FUP-01 --option fired-up.meter.increment=15% --format xlsx -o par.xlsx\n  \
    boxman par MY-TABLE --rules my-house.toml\n\n\
    A wager that favours the player is warned about on standard error.")]
pub(crate) struct Args {
    /// The paytables, of any rulebook; none lists them all
    #[arg(value_name = "PAYTABLE")]
    paytables: Vec<String>,
    /// Look for the paytables in this rulebook too
    #[arg(long = "rules", value_name = "RULEBOOK")]
    rules: Vec<String>,
    /// Set an option of the rulebook, such as fired-up.meter.seed=1000
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// What the meter shows, in dollars (its seed if left out)
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true)]
    meter: Option<Cents>,
    /// How many players have the bet up
    #[arg(long, value_name = "N", default_value_t = 1)]
    bettors: u32,
    /// What each of them bets, in dollars (the smallest bet if left out)
    #[arg(long, value_name = "DOLLARS", allow_negative_numbers = true)]
    unit: Option<Cents>,
    /// How many rolls an hour the table gets through
    #[arg(long, value_name = "N", default_value_t = ParTerms::ROLLS_PER_HOUR)]
    rolls_per_hour: u32,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Where to write it (standard output if left out; a workbook needs a file)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    Csv,
    Html,
    Xlsx,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    if args.paytables.is_empty() {
        if args.format != Format::Text || args.output.is_some() {
            return Err(Stop::Misuse("a report needs a paytable, `boxman par` lists them".into()));
        }
        return list(args).map_err(Stop::Misuse);
    }
    let pars = sheets(args).map_err(Stop::Misuse)?;
    let bytes = report(&pars, args.format).map_err(Stop::Misuse)?;
    match (&args.output, args.format) {
        (Some(path), _) => write_file(path, &bytes)?,
        (None, Format::Xlsx) => {
            return Err(Stop::Misuse("a workbook needs a file, write -o par.xlsx".to_owned()));
        }
        (None, _) => say(String::from_utf8_lossy(&bytes).trim_end()),
    }
    pars.iter().filter_map(Par::warning).for_each(|sentence| say_warning(&sentence));
    Ok(())
}

/// Every paytable there is, with its rulebook and the wagers it prices.
fn list(args: &Args) -> Result<(), String> {
    for rulebook in library(args)?.rulebooks() {
        for table in &rulebook.paytables {
            let wagers: Vec<&str> = table.entries.iter().map(|e| e.wager.as_str()).collect();
            say(&format!("{:16}{:26}{}", table.name, rulebook.name, wagers.join(", ")));
        }
    }
    Ok(())
}

/// The embedded rulebooks, and those named by path.
fn library(args: &Args) -> Result<Library, String> {
    let mut library = Library::embedded();
    for text in &args.rules {
        let chosen = shelf::choose(&library, text, None).map_err(|faults| faults.to_string())?;
        library = library.with(chosen.rulebook);
    }
    Ok(library)
}

fn sheets(args: &Args) -> Result<Vec<Par>, String> {
    let terms = terms(args)?;
    let library = library(args)?;
    let mut options = Vec::new();
    for option in &args.options {
        options.push(split_option(option)?);
    }
    let paytables: Vec<&str> = args.paytables.iter().map(String::as_str).collect();
    Par::of_paytables(&library, &paytables, terms, &options).map_err(|error| error.to_string())
}

fn report(pars: &[Par], format: Format) -> Result<Vec<u8>, String> {
    let version = concat!("boxman ", env!("CARGO_PKG_VERSION"));
    Ok(match format {
        Format::Text => craps_report::par_text(pars, version).into_bytes(),
        Format::Json => craps_report::par_json(pars).into_bytes(),
        Format::Csv => craps_report::par_csv(pars, version).into_bytes(),
        Format::Xlsx => craps_report::par_xlsx(pars, version).map_err(|error| error.to_string())?,
        Format::Html => craps_report::par_html(pars, version).into_bytes(),
    })
}

fn terms(args: &Args) -> Result<ParTerms, String> {
    let terms = ParTerms {
        unit: args.unit,
        meter: args.meter,
        // More than fit are refused like any other number of them.
        bettors: u8::try_from(args.bettors).unwrap_or(u8::MAX),
        rolls_per_hour: args.rolls_per_hour,
    };
    terms.check().map(|()| terms).map_err(|error| error.to_string())
}
