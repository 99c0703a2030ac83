//! `boxman check`: what was understood of a rulebook, beside its faults.

use std::path::PathBuf;

use craps::rulebook::{Fault, Rulebook};
use craps::{Library, Rules, rules::Chosen};
use craps_math::Checked;
use craps_report::RulebookCheck;

use crate::{Stop, say};

/// Read a rulebook of your own: every fault with its line, and what was understood, in sentences
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    boxman check my-house.toml\n  \
    boxman check docs/three-amigos.toml --json\n\n\
    Every wager is told in words, with its edge, how often it hits, how many states it has and\n\
    the most it can cost the house on one roll. docs/side-bet.md goes from a napkin to a priced\n\
    bet. Exit codes: 0 sound, 1 it has faults, 2 misuse.")]
pub(crate) struct Args {
    /// The rulebook
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// One JSON object: amounts in cents, fractions as strings
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<(), Stop> {
    let file = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Stop::Misuse(format!("{file}: cannot be read: {error}")))?;
    let (rulebook, mut faults) = Rulebook::understood(&file, &text);
    let mut checked = Checked::default();
    if let Some(rulebook) = &rulebook {
        let library = Library::embedded().with(rulebook.clone());
        faults.extend(table_faults(&library, rulebook));
        match craps_math::check(&library, rulebook) {
            Ok(found) => {
                faults.extend(found.faults.iter().cloned());
                checked = found;
            }
            // Whatever keeps it from a table has been told, or is the reason here.
            Err(error) if faults.is_empty() => {
                faults.push(Fault { file: file.clone(), at: None, reason: error.to_string() });
            }
            Err(_) => {}
        }
    }
    let check = RulebookCheck {
        file: &file,
        text: &text,
        rulebook: rulebook.as_ref(),
        faults: &faults,
        checked: &checked,
    };
    say(&match args.json {
        true => craps_report::check_json(&check),
        false => craps_report::check_text(&check),
    });
    if faults.is_empty() { Ok(()) } else { Err(Stop::Failed) }
}

/// What keeps a sound rulebook from a table: paytables it borrows, or too many spots.
fn table_faults(library: &Library, rulebook: &Rulebook) -> Vec<Fault> {
    let chosen = Chosen { rulebook: rulebook.clone(), paytables: None };
    match Rules::compile(library, &library.over_base(vec![chosen]), &[]) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.0,
    }
}
