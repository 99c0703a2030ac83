//! The figures a PAR sheet is summed up in, and which of several the house would choose: one list
//! for every way of writing it.

use craps_math::{Par, Ratio, decimal, fraction, percent, whole};
use serde::Serialize;

use crate::markup::{dollars, grouped};

/// One figure of a sheet.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// The figure, where the sheet has it.
    pub(crate) value: fn(&Par) -> Option<Ratio>,
    kind: Kind,
    best: Best,
    /// Whether it rests on the mean meter, which a ceiling makes a statistic.
    by_mean: bool,
}

/// How a figure is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A share of everything, in percent.
    Share,
    /// A number with so many decimals.
    Number(usize),
    /// Cents, as dollars.
    Money,
    /// A variance, as the deviation that is its root.
    Root,
}

/// Which of several the house would choose.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Best {
    Highest,
    Lowest,
    /// Neither is better.
    Neither,
}

const fn row(name: &'static str, value: fn(&Par) -> Option<Ratio>, kind: Kind, best: Best) -> Row {
    Row { name, value, kind, best, by_mean: false }
}

const fn by_mean(row: Row) -> Row {
    Row { by_mean: true, ..row }
}

/// What stands where a figure would need terms that nobody has set.
pub(crate) const NO_TERMS: &str = "no terms";

/// The shares of hits the meter when hit is told for.
pub(crate) const QUANTILES: [f64; 4] = [0.1, 0.5, 0.9, 0.99];

/// Every figure, in the order of a sheet.
pub(crate) const ROWS: [Row; 16] = [
    row("Hit chance", |par| Some(par.hit_chance.clone()), Kind::Share, Best::Neither),
    row("Push chance", |par| Some(par.push_chance.clone()), Kind::Share, Best::Neither),
    row("Top award, one in", one_in, Kind::Number(2), Best::Neither),
    row("Fixed return", |par| Some(par.fixed_return.clone()), Kind::Share, Best::Lowest),
    row("Return at this meter", |par| Some(par.return_at_meter.clone()), Kind::Share, Best::Lowest),
    row("Break-even meter", |par| par.breakeven(par.bettors), Kind::Money, Best::Highest),
    by_mean(row("Long-run return", long_run, Kind::Share, Best::Lowest)),
    row("Cycle, decisions", cycle, Kind::Number(1), Best::Neither),
    row("Envy cost", |par| Some(par.envy_cost.clone()), Kind::Share, Best::Lowest),
    row("Edge", |par| Some(par.edge()), Kind::Share, Best::Highest),
    row("Edge after envy", |par| Some(par.edge_after_envy()), Kind::Share, Best::Highest),
    row("Standard deviation", |par| Some(par.variance.clone()), Kind::Root, Best::Lowest),
    row("Rolls to decide", |par| Some(par.rolls.clone()), Kind::Number(4), Best::Lowest),
    row("Edge per roll", |par| Some(par.edge_per_roll()), Kind::Share, Best::Highest),
    by_mean(row("Hold per hour", Par::hold_per_hour, Kind::Money, Best::Highest)),
    row("Exposure on one roll", |par| Some(whole(par.exposure.0)), Kind::Money, Best::Lowest),
];

fn long_run(par: &Par) -> Option<Ratio> {
    par.progressive.as_ref().and_then(craps_math::Progressive::long_run_return)
}

fn cycle(par: &Par) -> Option<Ratio> {
    par.progressive.as_ref().map(craps_math::Progressive::cycle)
}

fn one_in(par: &Par) -> Option<Ratio> {
    par.awards.first().map(craps_math::ParAward::one_in)
}

impl Row {
    /// The name as a column or key: `edge_after_envy`; money is in cents and a deviation is told
    /// by its variance.
    pub(crate) fn key(&self) -> String {
        let words = self.name.to_lowercase().replace([',', '-'], "").replace(' ', "_");
        match self.kind {
            Kind::Share | Kind::Number(_) => words,
            Kind::Money => format!("{words}_cents"),
            Kind::Root => "variance".to_owned(),
        }
    }

    /// The figure as people read it: `45.9883 %`, `$226,745.59`, `3.1736`.
    fn shown(&self, value: &Ratio) -> String {
        match self.kind {
            Kind::Share => format!("{}\u{a0}%", grouped(&percent(value, 4))),
            Kind::Number(places) => grouped(&decimal(value, places)),
            Kind::Money => dollars(value),
            Kind::Root => format!("{:.4}", craps_math::float(value).sqrt()),
        }
    }

    /// The figure of a sheet and what it is exactly; words where its meter has no terms.
    pub(crate) fn told(&self, par: &Par) -> Option<(String, String)> {
        match (self.value)(par) {
            Some(value) => Some((self.shown(&value), self.exact(par, &value))),
            None if self.by_mean && par.is_without_terms() => {
                Some((NO_TERMS.to_owned(), String::new()))
            }
            None => None,
        }
    }

    /// Whether the sheet's figure is a fraction and not a statistic.
    pub(crate) fn is_exact(&self, par: &Par) -> bool {
        let mean = par.progressive.as_ref().is_none_or(craps_math::Progressive::is_mean_exact);
        mean || !self.by_mean
    }

    /// What it is exactly, in words that say what the fraction is of.
    fn exact(&self, par: &Par, value: &Ratio) -> String {
        if !self.is_exact(par) {
            return "rounded, for a ceiling cuts the meter off".to_owned();
        }
        match self.kind {
            Kind::Share | Kind::Number(_) => fraction(value),
            Kind::Money => format!("{} dollars", fraction(&(value / whole(100)))),
            Kind::Root => format!("variance {}", fraction(value)),
        }
    }

    /// The best value of several sheets, unless fewer than two have it or all are the same.
    fn best_of(&self, pars: &[Par]) -> Option<Ratio> {
        let values: Vec<Ratio> = pars.iter().filter_map(|par| (self.value)(par)).collect();
        best(self.best, &values)
    }
}

/// A figure of several sheets.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct ParFigure {
    /// What it is called.
    pub name: &'static str,
    /// Its value on each sheet, where the sheet has one.
    pub values: Vec<Option<ParValue>>,
}

/// A value as people read it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS, utoipa::ToSchema))]
pub struct ParValue {
    /// Rounded: `45.9883 %`.
    pub rounded: String,
    /// What it is exactly.
    pub exact: String,
    /// Whether the house would choose this of several that differ.
    pub best: bool,
}

/// Every figure of these sheets, in the order of a sheet.
pub fn compared(pars: &[Par]) -> Vec<ParFigure> {
    let compare = |row: &Row| {
        let best = row.best_of(pars);
        let shown = |par: &Par| {
            let (rounded, exact) = row.told(par)?;
            Some(ParValue { rounded, exact, best: best.is_some() && best == (row.value)(par) })
        };
        ParFigure { name: row.name, values: pars.iter().map(shown).collect() }
    };
    ROWS.iter().map(compare).collect()
}

fn best(best: Best, values: &[Ratio]) -> Option<Ratio> {
    let (low, high) = (values.iter().min()?, values.iter().max()?);
    match best {
        _ if low == high => None,
        Best::Lowest => Some(low.clone()),
        Best::Highest => Some(high.clone()),
        Best::Neither => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(of: Best, values: &[i64], expected: Option<i64>) {
        let values: Vec<Ratio> = values.iter().copied().map(whole).collect();
        assert_eq!(best(of, &values), expected.map(whole));
    }

    #[test]
    fn the_house_chooses_only_where_there_is_a_choice() {
        check(Best::Lowest, &[3, 2, 2], Some(2));
        check(Best::Highest, &[3, 2], Some(3));
        check(Best::Highest, &[3, 3], None);
        check(Best::Highest, &[3], None);
        check(Best::Lowest, &[], None);
        check(Best::Neither, &[3, 2], None);
    }
}
