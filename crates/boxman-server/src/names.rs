//! Names, and every other line that people write for others to read. In the casino they are
//! called across the table; in the code [`line()`] alone says what may stand in one.

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup};
use icu_properties::{CodePointMapData, CodePointSetData};

use crate::problem::Problem;
use crate::role::Role;

/// No person's name has more letters.
pub const NAME: usize = 24;
/// What people write. Controls, spaces of other widths and what means nothing are left out.
const WRITTEN: GeneralCategoryGroup = GeneralCategoryGroup::Letter
    .union(GeneralCategoryGroup::Mark)
    .union(GeneralCategoryGroup::Number)
    .union(GeneralCategoryGroup::Punctuation)
    .union(GeneralCategoryGroup::Symbol);
/// Braille without a dot is written, and cannot be seen.
const BLANK: char = '\u{2800}';
/// What phones write after a heart to have it red: left out.
const COLOURED: char = '\u{fe0f}';

/// A line of at most `most` characters, all of which show, without the spaces around it. There is
/// none where characters control, break the line, turn the direction of what follows or cannot be
/// seen, nor where it starts with a mark, which would lie on whatever stands in front.
///
/// ```
/// use boxman_server::testing::names::line;
/// assert_eq!(line(" Zoë Łuk ", 24).as_deref(), Some("Zoë Łuk"));
/// assert_eq!(line("Ann\u{202e}nnA", 24), None);
/// ```
pub fn line(text: &str, most: usize) -> Option<String> {
    let text = text.trim().replace(COLOURED, "");
    let fits = (1..=most).contains(&text.chars().count());
    let marked = text.chars().next().is_some_and(|first| is(first, GeneralCategoryGroup::Mark));
    (fits && !marked && text.chars().all(shows)).then_some(text)
}

/// Whether a character can be seen, and leaves the others as they are.
pub fn shows(letter: char) -> bool {
    let ignored = || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(letter);
    letter == ' ' || is(letter, WRITTEN) && letter != BLANK && !ignored()
}

fn is(letter: char, group: GeneralCategoryGroup) -> bool {
    group.contains(CodePointMapData::<GeneralCategory>::new().get(letter))
}

/// A name fit to be called across the table.
pub fn name(text: &str) -> Result<String, Problem> {
    let shown = format!("a name has 1 to {NAME} characters that show");
    line(text, NAME).ok_or_else(|| Problem::invalid("bad-name", shown))
}

/// A name fit for somebody who could be anybody: none that the house or its crew go by.
pub fn guest(text: &str) -> Result<String, Problem> {
    let name = name(text)?;
    let first = name.split_whitespace().next().unwrap_or_default().to_lowercase();
    match first == "boxman" || first.parse::<Role>().is_ok_and(|role| role != Role::Guest) {
        false => Ok(name),
        true => Err(Problem::invalid("bad-name", "that is what the crew goes by, choose another")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_people_are_called_is_a_name() {
        for text in
            ["Ann", "d'Arcy-Smith 3rd", "Zoë", "李小龍", "יעל", "محمد", "अनन्या", "🎲 ❤", "=1+1"]
        {
            assert_eq!(line(text, NAME).as_deref(), Some(text));
        }
        assert_eq!(line("  Ann \u{3000}", NAME).as_deref(), Some("Ann"));
        assert_eq!(line("Ann \u{2764}\u{fe0f}", NAME).as_deref(), Some("Ann \u{2764}"));
    }

    #[test]
    fn nobody_passes_for_the_crew() {
        for text in ["boxman", "Boxman ", "Supervisor 1533", "DEALER", "administrator"] {
            assert!(guest(text).is_err(), "{text}");
        }
        for text in ["Boxmann", "Ann", "Guest 7", "Ann the dealer"] {
            assert!(guest(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_does_not_show_is_no_name() {
        for text in ["", " ", "\u{301}", "\u{fe0f}", "\u{3000}", &"x".repeat(NAME + 1)] {
            assert_eq!(line(text, NAME), None, "{text:?}");
        }
        let hidden = "\0\t\n\r\u{1b}\u{7f}\u{85}\u{a0}\u{ad}\u{34f}\u{61c}\u{115f}\u{180e}\u{200b}\
            \u{200d}\u{200f}\u{2028}\u{202e}\u{2060}\u{2066}\u{2069}\u{2800}\u{3000}\u{3164}\
            \u{e000}\u{fe00}\u{feff}\u{ffa0}\u{fffe}\u{1d173}\u{e0041}";
        for letter in hidden.chars() {
            assert_eq!(line(&format!("An{letter}n"), NAME), None, "{letter:?}");
        }
    }
}
