//! Counts as people write large ones: `250000`, `1_000_000`, `1e8`, `2.5e9`.

/// A whole number, exactly.
pub(super) fn count(text: &str) -> Result<u64, String> {
    let no_count = || "a count is a whole number such as 250000 or 1e8".to_owned();
    let plain = text.replace(['_', ','], "").to_lowercase();
    let (number, power) = plain.split_once('e').unwrap_or((&plain, "0"));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let written = are_digits(whole) && are_digits(part) && are_digits(power);
    if !written || whole.is_empty() || power.is_empty() || number.ends_with('.') {
        return Err(no_count());
    }
    let part = part.trim_end_matches('0');
    let digits = format!("{whole}{part}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Ok(0);
    }
    let too_large = || format!("that is more than {}", u64::MAX);
    let power: usize = power.parse().map_err(|_| too_large())?;
    let zeros = power.checked_sub(part.len()).ok_or_else(no_count)?;
    // More digits than any number has.
    if digits.len().saturating_add(zeros) > 20 {
        return Err(too_large());
    }
    format!("{digits}{}", "0".repeat(zeros)).parse().map_err(|_| too_large())
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn large_numbers_are_read_exactly() {
        for (text, number) in [
            ("0", 0),
            ("0e99999999999", 0),
            ("250000", 250_000),
            ("1_000_000", 1_000_000),
            ("1,000,000", 1_000_000),
            ("1e8", 100_000_000),
            ("2.5E9", 2_500_000_000),
            ("007", 7),
            ("1.50e1", 15),
            ("18446744073709551615", u64::MAX),
            ("1.8446744073709551615e19", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn what_is_no_count_is_refused() {
        for text in
            ["", "e8", "1e", "-1", "+1", "1.5", "1.55e1", "many", "1e-3", "1.", ".5e1", "0x5"]
        {
            assert!(count(text).unwrap_err().starts_with("a count is"), "{text}");
        }
        for text in ["18446744073709551616", "1e20", "1e99999999999999999999"] {
            assert!(count(text).unwrap_err().starts_with("that is more than"), "{text}");
        }
    }
}
