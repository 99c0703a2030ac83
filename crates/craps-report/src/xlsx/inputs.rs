//! The yellow cells: everything a sheet is made for, and where formulas find it.

use craps::Cents;
use craps::terms::Winners;
use craps_math::{Par, Ratio, ratio, whole};

/// The line of the first input, counted from one as formulas do.
const FIRST: u32 = 5;

/// One line of the inputs.
pub(super) struct Input {
    pub(super) name: &'static str,
    pub(super) holds: Holds,
    pub(super) may: May,
}

/// What stands in the cell of an input.
pub(super) enum Holds {
    Number(Ratio),
    Word(&'static str),
    /// Not an input here: it is what another cell is.
    Same(String),
}

/// What may be written into it.
#[derive(Clone, Copy)]
pub(super) enum May {
    /// More than nothing: formulas divide by it.
    Bet,
    Dollars,
    DollarsOrNone,
    Bettors,
    Rolls,
    Share,
    Winners,
}

/// Where formulas find the inputs.
pub(super) struct Inputs {
    pub(super) unit: String,
    pub(super) bettors: String,
    pub(super) rolls_per_hour: String,
    pub(super) maximum: String,
    pub(super) payout_unit: String,
    pub(super) cap: Option<String>,
    pub(super) meter: Option<MeterInputs>,
    /// Whether every input is what it was when the sheet was written.
    pub(super) as_written: String,
    pub(super) list: Vec<Input>,
}

/// Where formulas find what a progressive runs on.
pub(super) struct MeterInputs {
    pub(super) shows: String,
    pub(super) seed: String,
    pub(super) increment: String,
    pub(super) reserve: String,
    pub(super) ceiling: String,
    pub(super) winners: String,
}

/// How a ceiling or a cap that there is none of is written.
pub(super) const NONE: &str = "none";
/// How winners who divide the meter are written, and those who each take it.
pub(super) const SHARE: &str = "share";
pub(super) const IN_FULL: &str = "in-full";

impl Inputs {
    pub(super) fn of(par: &Par) -> Inputs {
        let mut list = Vec::new();
        let mut put = |name, holds, may| {
            list.push(Input { name, holds, may });
            cell(FIRST + list.len() as u32 - 1)
        };
        let dollars = |cents: Cents| Holds::Number(ratio(cents.0, 100));
        let or_none = |cents: Option<Cents>| cents.map_or(Holds::Word(NONE), dollars);
        let rate = |rate: craps::Rate| ratio(i64::from(rate.0), i64::from(craps::Rate::WHOLE.0));
        let unit = put("unit, $", dollars(par.unit), May::Bet);
        let bettors = put("bettors", Holds::Number(whole(i64::from(par.bettors))), May::Bettors);
        let rolls = Holds::Number(whole(i64::from(par.rolls_per_hour)));
        let rolls_per_hour = put("rolls an hour", rolls, May::Rolls);
        let most = if par.one_amount { Holds::Same(unit.clone()) } else { dollars(par.maximum) };
        let maximum = put("maximum bet, $", most, May::Bet);
        let payout_unit = put("payout unit, $", dollars(par.payout_unit), May::Bet);
        let cap =
            par.cap.map(|cap| put("aggregate cap, $", or_none(Some(cap)), May::DollarsOrNone));
        let meter = par.progressive.as_ref().map(|progressive| {
            let terms = progressive.terms;
            let winners = match terms.winners {
                Winners::Share => SHARE,
                Winners::InFull => IN_FULL,
            };
            let share = |part| Holds::Number(rate(part));
            MeterInputs {
                shows: put("meter, $", dollars(par.meter.unwrap_or(Cents::ZERO)), May::Dollars),
                seed: put("seed, $", dollars(terms.seed), May::Dollars),
                increment: put("increment", share(terms.increment), May::Share),
                reserve: put("reserve", share(terms.reserve), May::Share),
                ceiling: put("ceiling, $", or_none(terms.ceiling), May::DollarsOrNone),
                winners: put("winners", Holds::Word(winners), May::Winners),
            }
        });
        let as_written = cell(FIRST + list.len() as u32);
        Inputs { unit, bettors, rolls_per_hour, maximum, payout_unit, cap, meter, as_written, list }
    }

    /// The inputs with the lines they stand on.
    pub(super) fn lines(&self) -> impl Iterator<Item = (u32, &Input)> {
        (FIRST..).zip(&self.list)
    }

    /// The line after the last of them.
    pub(super) fn end(&self) -> u32 {
        FIRST + self.list.len() as u32
    }
}

/// The cell of an input, the same wherever a formula that names it is copied to.
pub(super) fn cell(line: u32) -> String {
    format!("$B${line}")
}
