//! Dollars and cents as a plan writes them: `10`, `12.50`.

use craps::{Cents, Multiple};
use rhai::Dynamic;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// The cents of an amount a plan has written.
pub(crate) fn cents(amount: &Dynamic) -> Result<Cents, String> {
    let dollars = if let Ok(dollars) = amount.as_int() {
        Decimal::from(dollars)
    } else if let Ok(dollars) = amount.as_decimal() {
        dollars
    } else {
        return Err(format!(
            "{} is not an amount, expected dollars such as 25 or 12.50",
            shown(amount)
        ));
    };
    let cents = dollars.checked_mul(Decimal::ONE_HUNDRED).filter(Decimal::is_integer);
    let cents = cents.ok_or_else(|| format!("${dollars} is not whole cents"))?;
    let cents = cents.to_i64().map(Cents).filter(|cents| cents.0.abs() <= Cents::MOST.0);
    cents.ok_or_else(|| format!("${dollars} is more money than there is at a table"))
}

/// An amount as a plan reads it.
pub(crate) fn dollars(cents: i64) -> Decimal {
    Decimal::new(cents, 2).normalize()
}

/// How many times the flat bet, as a plan writes it: `2`, `2.5`.
pub(crate) fn multiple(times: &Dynamic) -> Result<Multiple, String> {
    let number = match times.as_int() {
        Ok(times) => Some(Decimal::from(times)),
        Err(_) => times.as_decimal().ok(),
    };
    let hundredths = number.and_then(|times| times.checked_mul(Decimal::ONE_HUNDRED));
    hundredths
        .filter(Decimal::is_integer)
        .and_then(|hundredths| hundredths.to_i64())
        .and_then(Multiple::hundredths)
        .ok_or_else(|| format!("{} is not a multiple of the flat bet", shown(times)))
}

fn shown(value: &Dynamic) -> String {
    match value.is_string() {
        true => format!("\"{value}\""),
        false if value.type_name().contains("Money") => {
            "money that can only be compared".to_owned()
        }
        false => format!("`{value}`"),
    }
}
