//! Where rulebooks come from: by name from the library, by path from the disk.

use std::path::{Path, PathBuf};

use craps::library::{split_choice, split_option};
use craps::rulebook::Faults;
use craps::rules::Chosen;
use craps::{Library, Rulebook, Rules};

/// The rulebooks a command plays by.
#[derive(clap::Args)]
pub(crate) struct RulesArgs {
    /// A rulebook by name or path, with the paytables on offer after a colon; repeat it to add
    /// side bets
    #[arg(
        long = "rules",
        value_name = "RULEBOOK[:PAYTABLE,…]",
        long_help = "A rulebook by name or path, with the paytables on offer after a colon. \
                     Repeat it to add side bets; a later rulebook replaces wagers of the same \
                     name in an earlier one.\n\n\
                     The base games that come with the program are presque-isle (the default), \
                     vegas-strip and crapless; the side bets bonus-craps-nevada, \
                     bonus-craps-washington, super-shooter, low-high-dice, fire-bet, repeater, \
                     hot-hand, different-doubles, ride-the-line, replay, hot-shooter, \
                     muggsys-corner and point-seven. NAME:none offers no paytable."
    )]
    pub(crate) rules: Vec<String>,
    /// Set an option of those rulebooks, such as payout-unit=1 or hard.come-out=off
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub(crate) options: Vec<String>,
}

/// Rules, and the rulebooks somebody asked for by name.
pub(crate) struct Picked {
    pub(crate) rules: Rules,
    /// The rulebooks asked for; a base game put underneath them is not one of these.
    pub(crate) named: Vec<String>,
}

impl RulesArgs {
    /// Compiles the rules. Side bets named alone lie on the default base game.
    pub(crate) fn pick(&self, library: &Library) -> Result<Picked, String> {
        let mut options = Vec::new();
        for option in &self.options {
            options.push(split_option(option)?);
        }
        let mut chosen = Vec::new();
        for text in &self.rules {
            chosen.push(choose(library, text, None).map_err(|faults| faults.to_string())?);
        }
        let named = chosen.iter().map(|choice| choice.rulebook.name.clone()).collect();
        let rules = Rules::compile(library, &library.over_base(chosen), &options)
            .map_err(|faults| faults.to_string())?;
        let default = vec![Library::DEFAULT_BASE.to_owned()];
        Ok(Picked { rules, named: if self.rules.is_empty() { default } else { named } })
    }
}

/// Finds a rulebook by name, or reads it from a path: beside `beside` first, where given.
pub(crate) fn choose(
    library: &Library,
    text: &str,
    beside: Option<&Path>,
) -> Result<Chosen, Faults> {
    let (name, paytables) = split_choice(text);
    if !name.ends_with(".toml") && !name.contains(['/', '\\']) {
        return library.choose(text);
    }
    let beside = beside.map(|folder| folder.join(name)).filter(|path| path.exists());
    let path = beside.unwrap_or_else(|| PathBuf::from(name));
    let rulebook = read(&path)?;
    Ok(Chosen { rulebook, paytables })
}

pub(crate) fn read(path: &Path) -> Result<Rulebook, Faults> {
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Faults::one(&file, format!("cannot be read: {error}")))?;
    Rulebook::parse(&file, &text)
}
