//! Text made fit for a page: escaped, and its numbers grouped by thousands.

use craps::Cents;
use craps_math::{Ratio, decimal, whole};

/// Text that stays text wherever it stands in HTML or SVG.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// A page that is complete in itself; `report` heads every page of it on paper.
pub(crate) fn document(title: &str, report: &str, class: &str, styles: &str, body: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{}</title><style>{}@page {{ @top-left {{ content: \"{report}\"; }} }}\n{styles}\
         </style></head><body class=\"{class}\"><main>{body}</main></body></html>\n",
        escape(title),
        include_str!("html/page.css")
    )
}

/// `-69968.25` as `−69,968.25`.
pub(crate) fn grouped(number: &str) -> String {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("\u{2212}", digits),
        None => ("", number),
    };
    let (before, after) = match digits.split_once('.') {
        Some((before, after)) => (before, format!(".{after}")),
        None => (digits, String::new()),
    };
    let mut written = sign.to_owned();
    for (place, digit) in before.chars().enumerate() {
        if place > 0 && (before.len() - place).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written + &after
}

/// Cents as dollars, to the nearest cent: `$226,745.59`.
pub(crate) fn dollars(cents: &Ratio) -> String {
    let written = grouped(&decimal(&(cents / whole(100)), 2));
    match written.strip_prefix('\u{2212}') {
        Some(amount) => format!("\u{2212}${amount}"),
        None => format!("${written}"),
    }
}

/// An amount as people write it: `$40,000`, `$12.50`.
pub(crate) fn amount(cents: Cents) -> String {
    let written = dollars(&whole(cents.0));
    written.strip_suffix(".00").map_or(written.clone(), str::to_owned)
}

/// `1 roll`, `3 rolls`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use craps_math::ratio;

    use super::*;

    #[test]
    fn thousands() {
        for (number, written) in [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1,000"),
            ("-69968.25", "\u{2212}69,968.25"),
            ("1234567.8901", "1,234,567.8901"),
        ] {
            assert_eq!(grouped(number), written);
        }
    }

    #[test]
    fn money() {
        assert_eq!(dollars(&ratio(3_968_047_884, 175)), "$226,745.59");
        assert_eq!(dollars(&ratio(-905, 1)), "\u{2212}$9.05");
        assert_eq!(amount(Cents(4_000_000)), "$40,000");
        assert_eq!(amount(Cents(1250)), "$12.50");
    }

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escape("Make 'Em <All> & \"more\""),
            "Make &#39;Em &lt;All&gt; &amp; &quot;more&quot;"
        );
    }
}
