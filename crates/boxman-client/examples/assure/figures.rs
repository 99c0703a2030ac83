//! Figures as people read them.

use std::collections::BTreeMap;
use std::time::Duration;

/// p50, p99 and the longest of some durations, and how many there were.
pub(crate) fn spread(durations: &mut [Duration], of: &str) -> String {
    durations.sort_unstable();
    let Some(longest) = durations.last() else { return format!("none of the {of}") };
    let at = |percent: usize| durations[(durations.len() - 1) * percent / 100].as_millis();
    format!(
        "p50 {} ms, p99 {} ms, longest {} ms of {} {of}",
        at(50),
        at(99),
        longest.as_millis(),
        durations.len()
    )
}

/// Counts by their names, the most first.
pub(crate) fn counts(counts: &BTreeMap<String, u64>) -> String {
    let mut all: Vec<(&String, &u64)> = counts.iter().collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let all: Vec<String> = all.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}
