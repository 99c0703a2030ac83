//! PAR sheets in the pieces a screen is put together from, every figure written out.

use craps::hex;
use craps_math::{Par, Ratio, decimal, fraction, percent};
use serde::Serialize;

use crate::endings::{Ending, endings};
use crate::figures::{ParFigure, compared};
use crate::markup::{amount, counted, grouped};
use crate::svg::{self, Chart};

/// Sheets in the pieces a screen is put together from, every figure written out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "ParPageView"), schema(as = ParPageView))]
pub struct ParPage {
    /// The figures of all sheets, side by side.
    pub figures: Vec<ParFigure>,
    /// Each sheet, in the order of the values above.
    pub sheets: Vec<ParSheet>,
}

/// The sheet of one wager under one paytable.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct ParSheet {
    /// The paytable.
    pub paytable: String,
    /// The wager, as written on the felt.
    pub wager: String,
    /// The wager in a sentence.
    pub title: String,
    /// The rulebook.
    pub rulebook: String,
    /// The SHA-256 of its text.
    pub rulebook_hash: String,
    /// What it is made for, in a line.
    pub made_for: String,
    /// What a manager should not overlook.
    pub flags: Vec<String>,
    /// What one player bets, in cents.
    #[cfg_attr(feature = "schema", ts(type = "number"))]
    pub unit: i64,
    /// How many have the bet up.
    pub bettors: u8,
    /// What the meter shows, in cents; none without a meter.
    #[cfg_attr(feature = "schema", ts(type = "number | null"))]
    pub meter: Option<i64>,
    /// What it restarts at.
    #[cfg_attr(feature = "schema", ts(type = "number | null"))]
    pub seed: Option<i64>,
    /// The whole cents at which players have the edge.
    #[cfg_attr(feature = "schema", ts(type = "number | null"))]
    pub break_even: Option<i64>,
    /// Every way it ends, the highest award first.
    pub awards: Vec<ParEnding>,
    /// Its charts.
    pub charts: Vec<Chart>,
}

/// A row of a sheet's awards.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
#[cfg_attr(feature = "schema", ts(rename = "ParAwardView"), schema(as = ParAwardView))]
pub struct ParEnding {
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
    /// Its part of the return, in percent.
    pub share_percent: String,
    /// The same as a fraction.
    pub share: String,
}

/// The pieces of these sheets.
pub fn par_page(pars: &[Par]) -> ParPage {
    ParPage { figures: compared(pars), sheets: pars.iter().map(sheet).collect() }
}

fn sheet(par: &Par) -> ParSheet {
    let break_even = par.breakeven(par.bettors);
    ParSheet {
        paytable: par.paytable.clone(),
        wager: par.wager.clone(),
        title: par.title.clone(),
        rulebook: par.rulebook.0.clone(),
        rulebook_hash: hex::encode(&par.rulebook.1),
        made_for: made_for(par),
        flags: par.flags(),
        unit: par.unit.0,
        bettors: par.bettors,
        meter: par.meter.map(|meter| meter.0),
        seed: par.progressive.as_ref().map(|progressive| progressive.terms.seed.0),
        break_even: break_even.and_then(|cents| i64::try_from(cents.ceil()).ok()),
        awards: endings(par).into_iter().map(award).collect(),
        charts: svg::all(par),
    }
}

fn award(ending: Ending) -> ParEnding {
    let Ending { event, pays, here, envy, chance, share } = ending;
    let one_in = (chance > Ratio::ZERO).then(|| grouped(&decimal(&(Ratio::ONE / &chance), 2)));
    ParEnding {
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
