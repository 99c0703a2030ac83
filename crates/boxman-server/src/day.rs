//! The gaming day. It changes at midnight UTC, so that every table of a house agrees on it.

/// The day of `at` milliseconds since 1970 in UTC, as `YYYY-MM-DD`.
///
/// Years are taken to begin in March, so that a leap day ends one; 400 of them are 146,097 days,
/// and five months from March on are 153.
pub fn utc_day(at: u64) -> String {
    const DAY: u64 = 24 * 60 * 60 * 1_000;
    // 1 March of the year 0 was 719,468 days before 1970.
    let days = at / DAY + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::utc_day;

    #[test]
    fn days_are_those_of_the_calendar() {
        let on = |days: u64| utc_day(days * 86_400_000 + 86_399_999);
        assert_eq!(utc_day(0), "1970-01-01");
        assert_eq!(on(0), "1970-01-01");
        assert_eq!(on(58), "1970-02-28");
        assert_eq!(on(59), "1970-03-01");
        assert_eq!(on(364), "1970-12-31");
        assert_eq!(on(11_016), "2000-02-29");
        assert_eq!(on(11_017), "2000-03-01");
        assert_eq!(on(19_782), "2024-02-29");
        assert_eq!(on(47_540), "2100-02-28");
        assert_eq!(on(47_541), "2100-03-01");
    }
}
