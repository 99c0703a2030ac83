//! `boxman atlas`: every wager of every rulebook and paytable, side by side.

use std::path::PathBuf;

use craps::{Library, rules::Chosen};
use craps_math::{Atlas, Order, ParTerms};
use craps_report::published;

use crate::shelf;
use crate::{Stop, say, write_file};

/// Every wager of every rulebook under every paytable: exact edge, deviation, chance and cost
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman atlas --sort per-roll\n  \
    boxman atlas --filter place --sort edge\n  \
    boxman atlas --rules super-shooter --rules my-house.toml --csv\n  \
    boxman atlas -o atlas.html\n\n\
    Side bets lie on the default base game; meters show the suggested seed. Per hour is what one\n\
    dollar that is always up costs. JSON and HTML also have what others have published, beside\n\
    ours; docs/atlas.md explains every difference.")]
pub(crate) struct Args {
    /// Only these rulebooks, by name or path, with their paytables after a colon; repeat it
    #[arg(long = "rules", value_name = "RULEBOOK[:PAYTABLE,…]")]
    rules: Vec<String>,
    /// In this order, the smallest first (as the rulebooks have them if left out)
    #[arg(long, value_enum, value_name = "FIGURE")]
    sort: Option<Sort>,
    /// Only wagers that have this in their name, title, paytable or rulebook; repeat it to narrow
    #[arg(long, value_name = "WORD")]
    filter: Vec<String>,
    /// How many rolls an hour the table gets through
    #[arg(long, value_name = "N", default_value_t = ParTerms::ROLLS_PER_HOUR)]
    rolls_per_hour: u32,
    /// One JSON object: fractions as strings, and what others have published
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// One row a wager, exact figures as numerator and denominator
    #[arg(long)]
    csv: bool,
    /// Write it to a file instead; .html makes a page, .json and .csv are known too
    #[arg(short, long, value_name = "FILE", conflicts_with_all = ["json", "csv"])]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Sort {
    Edge,
    Deviation,
    Hit,
    Rolls,
    PerRoll,
}

impl From<Sort> for Order {
    fn from(sort: Sort) -> Order {
        match sort {
            Sort::Edge => Order::Edge,
            Sort::Deviation => Order::Deviation,
            Sort::Hit => Order::Hit,
            Sort::Rolls => Order::Rolls,
            Sort::PerRoll => Order::PerRoll,
        }
    }
}

/// How to write it.
enum Format {
    Text,
    Json,
    Csv,
    Html,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let format = format(args)?;
    if args.rolls_per_hour == 0 {
        return Err(Stop::Misuse("a table throws at least once an hour".to_owned()));
    }
    let (library, chosen) = chosen(&args.rules).map_err(Stop::Misuse)?;
    let atlas = match chosen.is_empty() {
        true => Atlas::whole(&library),
        false => Atlas::of(&library, &chosen),
    };
    let atlas = atlas.filtered(&args.filter);
    if atlas.wagers.is_empty() {
        return Err(Stop::Misuse("no wager is called that".to_owned()));
    }
    let atlas = match args.sort {
        Some(sort) => atlas.sorted(sort.into()),
        None => atlas,
    };
    let rolls = args.rolls_per_hour;
    let written = match format {
        Format::Text => craps_report::atlas_text(&atlas, rolls),
        Format::Csv => craps_report::atlas_csv(&atlas, rolls),
        Format::Json => {
            let page = craps_report::atlas_page(&library, &atlas, &published(), rolls);
            craps_report::atlas_json(&page)
        }
        Format::Html => {
            let version = concat!("boxman ", env!("CARGO_PKG_VERSION"));
            craps_report::atlas_html(&library, &atlas, &published(), rolls, version)
        }
    };
    match &args.output {
        Some(path) => write_file(path, (written.trim_end().to_owned() + "\n").as_bytes()),
        None => {
            say(written.trim_end());
            Ok(())
        }
    }
}

fn format(args: &Args) -> Result<Format, Stop> {
    let ending = args.output.as_ref().map(|path| path.extension().and_then(|end| end.to_str()));
    match ending {
        None if args.json => Ok(Format::Json),
        None if args.csv => Ok(Format::Csv),
        None | Some(Some("txt")) => Ok(Format::Text),
        Some(Some("html")) => Ok(Format::Html),
        Some(Some("json")) => Ok(Format::Json),
        Some(Some("csv")) => Ok(Format::Csv),
        _ => Err(Stop::Misuse("a file ends in .html, .json, .csv or .txt".to_owned())),
    }
}

/// The rulebooks named, on a shelf with those that come with the program.
fn chosen(rules: &[String]) -> Result<(Library, Vec<Chosen>), String> {
    let mut library = Library::embedded();
    let mut chosen = Vec::new();
    for text in rules {
        let choice = shelf::choose(&library, text, None).map_err(|faults| faults.to_string())?;
        library = library.with(choice.rulebook.clone());
        chosen.push(choice);
    }
    Ok((library, chosen))
}
