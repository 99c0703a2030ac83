//! "Did you mean …?": the known word closest to a misspelt one.

/// The candidate that differs from `word` by the fewest typed characters, or continues it, if it
/// is close enough for the slip to be likely.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = word.chars().count().max(3) / 3 + 1;
    candidates
        .into_iter()
        .map(|candidate| match candidate.strip_prefix(word) {
            Some(rest) if word.len() >= 3 && !rest.is_empty() => (1, candidate),
            _ => (distance(word, candidate), candidate),
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `, did you mean …?` about the nearest of the known words, or nothing.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    hint(nearest(word, known))
}

/// `, did you mean …?` about these words, or nothing where there are none.
pub fn hint<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<&str> = words.into_iter().collect();
    match words.is_empty() {
        true => String::new(),
        false => format!(", did you mean `{}`?", words.join("`, `")),
    }
}

/// Insertions, deletions and replacements needed to turn one word into the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, letter) in one.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = place + 1;
        for (column, against) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *against);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_is_recognised() {
        let wagers = ["pass", "dont-pass", "place 6", "any-seven"];
        assert_eq!(nearest("plcae 6", wagers), Some("place 6"));
        assert_eq!(nearest("any-sevn", wagers), Some("any-seven"));
        assert_eq!(nearest("Pass", wagers), Some("pass"));
        assert_eq!(nearest("any", wagers), Some("any-seven"));
        assert_eq!(nearest("roulette", wagers), None);
    }
}
