//! Tables for a terminal.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

/// A table with its first column left and the others right.
pub(crate) fn grid(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    table.add_rows(rows);
    for column in 1..header.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    // Lines between the rows only take room.
    let text = table.to_string();
    let rule = |line: &str| line.chars().all(|c| c == '─' || c == '┈');
    let mut lines: Vec<&str> = Vec::new();
    let count = text.lines().count();
    for (place, line) in text.lines().enumerate() {
        if !rule(line) || place == 0 || place + 1 == count {
            lines.push(line.trim_end());
        }
    }
    lines.join("\n")
}
