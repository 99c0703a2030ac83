//! Comma-separated values, quoted where they must be.

use craps_math::Ratio;

/// A file of rows, written cell by cell.
pub(crate) struct Csv {
    text: String,
    row: Vec<String>,
    columns: usize,
}

impl Csv {
    pub(crate) fn new(header: &[&str]) -> Csv {
        let mut csv = Csv { text: String::new(), row: Vec::new(), columns: header.len() };
        header.iter().for_each(|name| csv.text(name));
        csv.end_row();
        csv
    }

    pub(crate) fn text(&mut self, cell: &str) {
        let quoted = match cell.contains([',', '"', '\n']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.to_owned(),
        };
        self.row.push(quoted);
    }

    /// Two cells: numerator and denominator.
    pub(crate) fn ratio(&mut self, value: &Ratio) {
        self.row.push(value.numerator().to_string());
        self.row.push(value.denominator().to_string());
    }

    pub(crate) fn end_row(&mut self) {
        assert_eq!(self.row.len(), self.columns, "a row has one cell for each column");
        self.text += &self.row.join(",");
        self.text.push('\n');
        self.row.clear();
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let mut csv = Csv::new(&["name", "num", "den"]);
        csv.text("Make 'Em \"All\", again");
        csv.ratio(&craps_math::ratio(-2, 4));
        csv.end_row();
        assert_eq!(csv.finish(), "name,num,den\n\"Make 'Em \"\"All\"\", again\",-1,2\n");
    }
}
