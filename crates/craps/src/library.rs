//! The rulebooks that come with the program, and any others a house adds.

use crate::did_you_mean::suggestion;
use crate::rulebook::{Faults, Kind, Rulebook};
use crate::rules::Chosen;

const EMBEDDED: &[(&str, &str)] = &[
    ("presque-isle.toml", include_str!("../../../rulebooks/presque-isle.toml")),
    ("vegas-strip.toml", include_str!("../../../rulebooks/vegas-strip.toml")),
    ("bonus-craps-nevada.toml", include_str!("../../../rulebooks/bonus-craps-nevada.toml")),
    ("bonus-craps-washington.toml", include_str!("../../../rulebooks/bonus-craps-washington.toml")),
    ("super-shooter.toml", include_str!("../../../rulebooks/super-shooter.toml")),
    ("low-high-dice.toml", include_str!("../../../rulebooks/low-high-dice.toml")),
    ("crapless.toml", include_str!("../../../rulebooks/crapless.toml")),
    ("fire-bet.toml", include_str!("../../../rulebooks/fire-bet.toml")),
    ("repeater.toml", include_str!("../../../rulebooks/repeater.toml")),
    ("hot-hand.toml", include_str!("../../../rulebooks/hot-hand.toml")),
    ("different-doubles.toml", include_str!("../../../rulebooks/different-doubles.toml")),
    ("ride-the-line.toml", include_str!("../../../rulebooks/ride-the-line.toml")),
    ("replay.toml", include_str!("../../../rulebooks/replay.toml")),
    ("hot-shooter.toml", include_str!("../../../rulebooks/hot-shooter.toml")),
    ("muggsys-corner.toml", include_str!("../../../rulebooks/muggsys-corner.toml")),
    ("point-seven.toml", include_str!("../../../rulebooks/point-seven.toml")),
];

/// Rulebooks to choose from by name.
#[derive(Clone, Debug)]
pub struct Library {
    rulebooks: Vec<Rulebook>,
}

impl Library {
    /// The base game used where nobody names one.
    pub const DEFAULT_BASE: &'static str = "presque-isle";

    /// The rulebooks that come with the program.
    pub fn embedded() -> Library {
        let read = |(file, text): &(&str, &str)| match Rulebook::parse(file, text) {
            Ok(rulebook) => rulebook,
            Err(faults) => panic!("an embedded rulebook has faults:\n{faults}"),
        };
        Library { rulebooks: EMBEDDED.iter().map(read).collect() }
    }

    /// These rulebooks and no others.
    pub fn of(rulebooks: Vec<Rulebook>) -> Library {
        Library { rulebooks }
    }

    /// The library with another rulebook, in place of one of the same name.
    #[must_use]
    pub fn with(mut self, rulebook: Rulebook) -> Library {
        self.rulebooks.retain(|known| known.name != rulebook.name);
        self.rulebooks.insert(0, rulebook);
        self
    }

    /// Every rulebook.
    pub fn rulebooks(&self) -> &[Rulebook] {
        &self.rulebooks
    }

    /// The rulebook of this name.
    pub fn rulebook(&self, name: &str) -> Option<&Rulebook> {
        self.rulebooks.iter().find(|rulebook| rulebook.name == name)
    }

    /// The choices with the default base game underneath, where they name none.
    pub fn over_base(&self, mut chosen: Vec<Chosen>) -> Vec<Chosen> {
        if !chosen.iter().any(|choice| choice.rulebook.kind == Kind::Base)
            && let Some(base) = self.rulebook(Library::DEFAULT_BASE)
        {
            chosen.insert(0, Chosen { rulebook: base.clone(), paytables: None });
        }
        chosen
    }

    /// A choice written as `name` or `name:PAYTABLE,PAYTABLE`; `name:none` chooses no paytable.
    pub fn choose(&self, text: &str) -> Result<Chosen, Faults> {
        let (name, paytables) = split_choice(text);
        match self.rulebook(name) {
            Some(rulebook) => Ok(Chosen { rulebook: rulebook.clone(), paytables }),
            None => {
                let names: Vec<&str> =
                    self.rulebooks.iter().map(|book| book.name.as_str()).collect();
                let hint = suggestion(name, names.iter().copied());
                let known = names.join(", ");
                let reason = format!("there is no rulebook `{name}`{hint} (there are: {known})");
                Err(Faults::one("rules", reason))
            }
        }
    }
}

/// Splits `name:PAYTABLE,PAYTABLE` into the name, or path, and the paytables.
pub fn split_choice(text: &str) -> (&str, Option<Vec<String>>) {
    match text.rsplit_once(':') {
        Some((name, tables)) if !tables.contains(['/', '\\']) && !name.is_empty() => {
            let tables = tables.split(',').map(str::trim);
            let tables = tables.filter(|table| !table.is_empty() && *table != "none");
            (name, Some(tables.map(str::to_owned).collect()))
        }
        _ => (text, None),
    }
}

/// Splits `NAME=VALUE`.
pub fn split_option(option: &str) -> Result<(String, String), String> {
    let split = option.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    split.ok_or_else(|| format!("`{option}` is not an option, expected NAME=VALUE"))
}
