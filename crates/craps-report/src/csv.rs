//! Comma-separated values, quoted where they must be.

use craps_math::Ratio;

/// A cell as it stands in a file of comma-separated values (RFC 4180): in quotes where it must
/// be, its own quotes doubled. A spreadsheet would work out what looks like a formula, so that
/// has an apostrophe in front; numbers are left as they are.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number(text);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    match text.contains([',', '"', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, part]
        .iter()
        .all(|digits| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()))
}

/// How the lines of a file end.
#[derive(Clone, Copy, Debug)]
pub enum LineEnd {
    /// As programs write them.
    Lf,
    /// As RFC 4180 has them.
    CrLf,
}

/// A file of rows, each with one cell for every column.
#[derive(Debug)]
pub struct Csv {
    text: String,
    row: Vec<String>,
    columns: usize,
    end: LineEnd,
}

impl Csv {
    /// A file that has only its header.
    pub fn new(header: &[&str], end: LineEnd) -> Csv {
        let mut csv = Csv { text: String::new(), row: Vec::new(), columns: header.len(), end };
        csv.row(header.iter().map(ToString::to_string));
        csv
    }

    /// Adds a whole row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        cells.into_iter().for_each(|cell| self.text(&cell));
        self.end_row();
    }

    /// The file.
    pub fn finish(self) -> String {
        self.text
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.row.push(cell(text));
    }

    /// Two cells: numerator and denominator.
    pub(crate) fn ratio(&mut self, value: &Ratio) {
        self.row.push(value.numerator().to_string());
        self.row.push(value.denominator().to_string());
    }

    pub(crate) fn end_row(&mut self) {
        assert_eq!(self.row.len(), self.columns, "a row has one cell for each column");
        self.text += &self.row.join(",");
        self.text.push_str(match self.end {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
        });
        self.row.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut csv = Csv::new(&["name", "num", "den"], LineEnd::Lf);
        csv.text("Make 'Em \"All\", again");
        csv.ratio(&craps_math::ratio(-2, 4));
        csv.end_row();
        assert_eq!(csv.finish(), "name,num,den\n\"Make 'Em \"\"All\"\", again\",-1,2\n");
        let mut csv = Csv::new(&["a", "b"], LineEnd::CrLf);
        csv.row(["1,5".to_owned(), "-2".to_owned()]);
        assert_eq!(csv.finish(), "a,b\r\n\"1,5\",-2\r\n");
    }

    #[test]
    fn nothing_is_a_formula() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1+1", "'-1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""),
            ("-1/66", "'-1/66"),
            ("-", "'-"),
            ("-12", "-12"),
            ("-0.25", "-0.25"),
            ("7-4", "7-4"),
        ] {
            assert_eq!(cell(text), expected);
        }
    }
}
