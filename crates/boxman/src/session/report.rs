//! Where a report of sessions goes, and in what format.

use std::ffi::OsStr;
use std::path::PathBuf;

use craps_report::PlanSession;

use crate::{Stop, say, write_file};

/// How sessions are written.
#[derive(clap::Args)]
pub(crate) struct ReportArgs {
    /// One JSON object a plan, in an array
    #[arg(long, group = "format")]
    json: bool,
    /// One table with a value a row, for a spreadsheet
    #[arg(long, group = "format")]
    csv: bool,
    /// Write a report to this file: .html, .csv, .json or .txt; of an exact session .xlsx too
    #[arg(short, long, value_name = "FILE", conflicts_with = "format")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy)]
pub(crate) enum Format {
    Text,
    Json,
    Csv,
    Html,
    Xlsx,
}

impl ReportArgs {
    /// The format asked for: by the file's name, where there is one. A file that has no place is
    /// told of before anything is played.
    pub(crate) fn format(&self) -> Result<Format, String> {
        let Some(path) = &self.output else {
            return Ok(match (self.json, self.csv) {
                (true, _) => Format::Json,
                (_, true) => Format::Csv,
                _ => Format::Text,
            });
        };
        let file = path.display();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(format!("{file}: there is no folder {}", folder.display()));
        }
        if path.is_dir() {
            return Err(format!("{file} is a folder, name a file in it"));
        }
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        match ending.to_lowercase().as_str() {
            "html" => Ok(Format::Html),
            "xlsx" => Ok(Format::Xlsx),
            "csv" => Ok(Format::Csv),
            "json" => Ok(Format::Json),
            "txt" => Ok(Format::Text),
            _ => Err(format!("{file}: a report ends in .html, .xlsx, .csv, .json or .txt")),
        }
    }

    /// Prints the report, or writes it to its file.
    pub(super) fn write(&self, sessions: &[PlanSession], format: Format) -> Result<(), Stop> {
        let version = concat!("boxman ", env!("CARGO_PKG_VERSION"));
        let bytes = match format {
            Format::Text => (craps_report::session_text(sessions) + "\n").into_bytes(),
            Format::Json => (craps_report::session_json(sessions) + "\n").into_bytes(),
            Format::Csv => craps_report::session_csv(sessions, version).into_bytes(),
            Format::Html => craps_report::session_html(sessions, version).into_bytes(),
            Format::Xlsx => craps_report::session_xlsx(sessions, version)
                .map_err(|error| Stop::Misuse(error.to_string()))?,
        };
        self.put(&bytes)
    }

    /// Prints what was made, or writes it to its file.
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<(), Stop> {
        match &self.output {
            Some(path) => write_file(path, bytes),
            None => {
                say(String::from_utf8_lossy(bytes).trim_end());
                Ok(())
            }
        }
    }
}
