//! PAR sheets in the pieces a screen is put together from, every figure written out.

use craps::hex;
use craps_math::{Par, Ratio, decimal, fraction, percent};

use crate::endings::{Ending, endings};
use crate::figures::{Compared, compared};
use crate::markup::{amount, counted, grouped};
use crate::svg::{self, Chart};

/// Several sheets.
#[derive(Clone, Debug)]
pub struct ParPage {
    /// The figures side by side.
    pub figures: Vec<Compared>,
    /// Each sheet.
    pub sheets: Vec<PageSheet>,
}

/// One sheet.
#[derive(Clone, Debug)]
pub struct PageSheet {
    /// What it is made for, in a line.
    pub made_for: String,
    /// The SHA-256 of the rulebook's text.
    pub rulebook_hash: String,
    /// What a manager should not overlook.
    pub flags: Vec<String>,
    /// Every way it ends.
    pub awards: Vec<PageAward>,
    /// Its charts.
    pub charts: Vec<Chart>,
}

/// A row of a sheet's awards.
#[derive(Clone, Debug)]
pub struct PageAward {
    /// What has to happen.
    pub event: String,
    /// What it pays; nothing for a push or no award.
    pub pays: Option<String>,
    /// What a jackpot comes to at this meter, in words.
    pub here: Option<String>,
    /// What the dealers get.
    pub envy: Option<String>,
    /// Its chance, as a fraction.
    pub chance: String,
    /// The same in percent.
    pub chance_percent: String,
    /// One in this many; nothing where it never comes.
    pub one_in: Option<String>,
    /// Its part of the return in percent.
    pub share_percent: String,
    /// The same as a fraction.
    pub share: String,
}

/// The pieces of these sheets.
pub fn par_page(pars: &[Par]) -> ParPage {
    ParPage { figures: compared(pars), sheets: pars.iter().map(sheet).collect() }
}

fn sheet(par: &Par) -> PageSheet {
    PageSheet {
        made_for: made_for(par),
        rulebook_hash: hex::encode(&par.rulebook.1),
        flags: par.flags(),
        awards: endings(par).into_iter().map(award).collect(),
        charts: svg::all(par),
    }
}

fn award(ending: Ending) -> PageAward {
    let Ending { event, pays, here, envy, chance, share } = ending;
    let one_in = (chance > Ratio::ZERO).then(|| grouped(&decimal(&(Ratio::ONE / &chance), 2)));
    PageAward {
        event,
        pays,
        here,
        envy,
        chance_percent: percent(&chance, 8),
        chance: fraction(&chance),
        one_in,
        share_percent: percent(&share, 4),
        share: fraction(&share),
    }
}

/// What a sheet is made for, in a line.
pub(crate) fn made_for(par: &Par) -> String {
    let meter = par.meter.map_or(String::new(), |meter| format!(", meter at {}", amount(meter)));
    format!(
        "A bet of {}, {}{meter}, {} rolls an hour. Rulebook {}.",
        amount(par.unit),
        counted(usize::from(par.bettors), "bettor"),
        grouped(&par.rolls_per_hour.to_string()),
        par.rulebook.0
    )
}
