//! One figure as it is written: rounded for reading, with the exact fraction beside it.

use craps_math::{Ratio, decimal, fraction, percent, whole};

use crate::figures::NO_TERMS;
use crate::markup::{dollars, escape, grouped};

/// A figure, and its fraction where rounding took something away.
pub(super) struct Figure {
    shown: String,
    exact: Option<String>,
}

impl Figure {
    /// A share of everything in percent: `45.9883 %`.
    pub(super) fn share(share: &Ratio) -> Figure {
        const PLACES: usize = 4;
        let exact = unless_whole(share, PLACES + 2, fraction(share));
        Figure { shown: format!("{}\u{a0}%", grouped(&percent(share, PLACES))), exact }
    }

    /// A number: `69,968.00`.
    pub(super) fn number(number: &Ratio, places: usize) -> Figure {
        let exact = unless_whole(number, places, fraction(number));
        Figure { shown: grouped(&decimal(number, places)), exact }
    }

    /// Cents as dollars: `$226,745.59`.
    pub(super) fn money(cents: &Ratio) -> Figure {
        let exact = format!("{} dollars", fraction(&(cents / whole(100))));
        Figure { shown: dollars(cents), exact: unless_whole(cents, 0, exact) }
    }

    /// The same, where the terms of the meter let it be told.
    pub(super) fn money_if(cents: Option<&Ratio>) -> Figure {
        cents.map_or_else(Figure::no_terms, Figure::money)
    }

    /// What stands for a figure of a meter without terms.
    pub(super) fn no_terms() -> Figure {
        Figure::words(NO_TERMS)
    }

    /// Words that are no number, or a number with nothing to add.
    pub(super) fn words(words: impl Into<String>) -> Figure {
        Figure { shown: words.into(), exact: None }
    }

    /// Words with what they rest on.
    pub(super) fn resting_on(shown: String, exact: String) -> Figure {
        Figure { shown, exact: Some(exact) }
    }

    /// The figure without its fraction, where that fraction is itself rounded.
    pub(super) fn exact_if(self, exact: bool) -> Figure {
        if exact { self } else { Figure { exact: None, ..self } }
    }

    /// The figure with its fraction to be seen by pointing at it.
    pub(super) fn titled(&self) -> String {
        let shown = escape(&self.shown);
        match &self.exact {
            Some(exact) => format!("<span title=\"{}\">{shown}</span>", escape(exact)),
            None => shown,
        }
    }

    /// The figure with its fraction on a second line.
    pub(super) fn stacked(&self) -> String {
        let shown = escape(&self.shown);
        match &self.exact {
            Some(exact) => format!("{shown}<small>{}</small>", breakable(exact)),
            None => shown,
        }
    }

    /// The figure as a card of a list.
    pub(super) fn card(&self, name: &str) -> String {
        format!("<div><dt>{}</dt><dd>{}</dd></div>", escape(name), self.stacked())
    }
}

/// `exact`, unless the value ends within `places` digits and was not rounded at all.
fn unless_whole(value: &Ratio, places: usize, exact: String) -> Option<String> {
    let scaled = (0..places).fold(value.clone(), |scaled, _| scaled * whole(10));
    fraction(&scaled).contains('/').then_some(exact)
}

/// A fraction that may go on to the next line after its stroke.
fn breakable(exact: &str) -> String {
    escape(exact).replace('/', "/<wbr>")
}
