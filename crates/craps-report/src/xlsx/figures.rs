//! The figures of a sheet in their order, and what each comes to for readers that do not calculate.

use craps_math::{Par, Progressive, Ratio, float, fraction, whole};

use super::formulas::name;
use super::{Look, Told};
use crate::figures::NO_TERMS;

/// A line of the figures.
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) told: Told,
    pub(super) look: Look,
    /// What it is exactly, where it is a fraction.
    pub(super) exactly: Option<String>,
}

/// Words of the flag that stands beside a figure.
pub(super) fn flagged(figure: &str) -> Option<&'static str> {
    match figure {
        name::RETURN => Some("at this meter"),
        name::LONG_RUN => Some("in the long run"),
        name::AFTER_ENVY => Some("once envy is paid"),
        name::FIXED => Some("fixed pays alone"),
        name::MEAN => Some("no terms"),
        _ => None,
    }
}

/// Every figure of a sheet.
pub(super) fn figures(par: &Par) -> Vec<Figure> {
    let rolls = &par.rolls;
    let mut figures = vec![
        share(name::HIT, &par.hit_chance),
        share(name::PUSH, &par.push_chance),
        share(name::FIXED, &par.fixed_return),
        share(name::RETURN, &par.return_at_meter),
        share(name::EDGE, &par.edge()),
        share(name::ENVY, &par.envy_cost),
        share(name::AFTER_ENVY, &par.edge_after_envy()),
        number(name::VARIANCE, &par.variance),
        statistic(name::DEVIATION, par.deviation()),
        statistic(name::VOLATILITY, par.volatility_index()),
        digits(name::ROLLS_OVER, &Ratio::from(rolls.numerator().clone())),
        digits(name::ROLLS_UNDER, &Ratio::from(rolls.denominator().clone())),
        number(name::ROLLS, rolls),
        share(name::PER_ROLL, &par.edge_per_roll()),
        number(name::DECISIONS, &par.decisions_per_hour()),
    ];
    if let Some(progressive) = &par.progressive {
        figures.extend(of_meter(par, progressive));
    }
    let exact = par.progressive.as_ref().is_none_or(Progressive::is_mean_exact);
    figures.push(by_mean(exact, known(name::HOLD, par.hold_per_hour(), money)));
    figures.push(money(name::EXPOSURE, &whole(par.exposure.0)));
    figures
}

/// The figures of a progressive.
fn of_meter(par: &Par, progressive: &Progressive) -> Vec<Figure> {
    let exact = progressive.is_mean_exact();
    let fed = progressive.fed();
    let ceiling = progressive.terms.ceiling.filter(|_| !fed.is_zero());
    let steps = ceiling
        .map(|ceiling| Ratio::from((whole((ceiling - progressive.terms.seed).0) / &fed).floor()));
    let reached = steps.as_ref().map_or(0.0, |steps| progressive.no_hit(float(steps)));
    let told = match &steps {
        Some(steps) => Told::Exactly(steps.clone()),
        None => Told::Word("no ceiling".to_owned()),
    };
    let none = || Figure {
        name: name::BREAK_EVEN,
        told: Told::Word("none".to_owned()),
        look: Look::Money,
        exactly: None,
    };
    let breakeven = par.breakeven(par.bettors);
    vec![
        number(name::CYCLE, &progressive.cycle()),
        money(name::FED, &fed),
        Figure { name: name::TO_CEILING, told, look: Look::Whole, exactly: None },
        Figure { look: Look::Percent, ..statistic(name::AT_CEILING, reached) },
        by_mean(exact, known(name::MEAN, progressive.mean_meter(), money)),
        by_mean(exact, known(name::LONG_RUN, progressive.long_run_return(), share)),
        by_mean(exact, known(name::ASIDE, progressive.set_aside(), share)),
        breakeven.map_or_else(none, |cents| money(name::BREAK_EVEN, &cents)),
    ]
}

fn share(name: &'static str, value: &Ratio) -> Figure {
    Figure {
        name,
        told: Told::Exactly(value.clone()),
        look: Look::Percent,
        exactly: Some(fraction(value)),
    }
}

fn number(name: &'static str, value: &Ratio) -> Figure {
    Figure { look: Look::Number, ..share(name, value) }
}

/// A whole number, which is exact by itself.
fn digits(name: &'static str, value: &Ratio) -> Figure {
    Figure { look: Look::Whole, exactly: None, ..share(name, value) }
}

fn money(name: &'static str, cents: &Ratio) -> Figure {
    let value = cents / whole(100);
    let exactly = Some(format!("{} dollars", fraction(&value)));
    Figure { name, told: Told::Exactly(value), look: Look::Money, exactly }
}

fn statistic(name: &'static str, value: f64) -> Figure {
    Figure { name, told: Told::About(value), look: Look::Number, exactly: None }
}

/// A figure that needs terms somebody has set.
fn known(
    name: &'static str,
    value: Option<Ratio>,
    figure: fn(&'static str, &Ratio) -> Figure,
) -> Figure {
    match value {
        Some(value) => figure(name, &value),
        None => {
            let unknown = figure(name, &Ratio::ZERO);
            Figure { told: Told::Word(NO_TERMS.to_owned()), exactly: None, ..unknown }
        }
    }
}

/// A figure that rests on the mean meter, which a ceiling makes a statistic.
fn by_mean(exact: bool, figure: Figure) -> Figure {
    match exact {
        true => figure,
        false => Figure { exactly: None, ..figure },
    }
}
