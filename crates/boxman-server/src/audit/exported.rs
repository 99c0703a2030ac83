//! An exported table, read back. Its lines stay in the file; only where each begins is
//! remembered.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Cursor, Read, Seek};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::{Finding, Trouble};
use crate::hash::Hash;
use crate::id::{MeterId, TableId};
use crate::log::export::{Closing, FORMAT, Header, Line, VERSION};
use crate::log::{Head, Record, Stream};
use crate::store::{RulebookText, StoreError, Stored};

/// No line is as long: the first holds every rulebook the table was ever played by.
const LINE: u64 = 16 * 1_024 * 1_024;

trait Lines: Read + Seek + Send {}
impl<T: Read + Seek + Send> Lines for T {}

type Reader = BufReader<Box<dyn Lines>>;

/// One table and its meters, exported.
pub struct Export {
    header: Header,
    lines: Mutex<Reader>,
    /// Where each record begins, by stream in the order of the file.
    places: BTreeMap<Stream, Vec<u64>>,
    fault: Option<Finding>,
}

impl Export {
    /// Opens an export in a file.
    pub fn open(path: &Path) -> Result<Export, Trouble> {
        let file = std::fs::File::open(path).map_err(|error| {
            Trouble::File(format!("{}: cannot be read: {error}", path.display()))
        })?;
        Export::of_file(file)
    }

    /// Opens an export in a file that is open already.
    pub fn of_file(file: std::fs::File) -> Result<Export, Trouble> {
        Export::read(Box::new(file))
    }

    /// Opens an export that is all there.
    pub fn of(text: Vec<u8>) -> Result<Export, Trouble> {
        Export::read(Box::new(Cursor::new(text)))
    }

    fn read(lines: Box<dyn Lines>) -> Result<Export, Trouble> {
        let mut scan = Scan { lines: BufReader::new(lines), place: 0, sha: Sha256::new() };
        let first = scan.line()?;
        let header: Header = serde_json::from_slice(&first).map_err(|error| {
            Trouble::File(format!("it is not an export, as `boxman export` writes one: {error}"))
        })?;
        if header.format != FORMAT || header.version != VERSION {
            let Header { format, version, .. } = header;
            let other = format!("{format} {version} is not a format this program can read");
            return Err(Trouble::File(other));
        }
        scan.sha.update(&first);
        let mut places = BTreeMap::from([(Stream::Table(header.table), Vec::new())]);
        for line in &header.meters {
            places.insert(Stream::Meter(line.meter.clone()), Vec::new());
        }
        let fault = scan.records(&header, &mut places)?;
        let mut export = Export { header, lines: Mutex::new(scan.lines), places, fault };
        export.fault = export.fault.take().or_else(|| export.announced());
        Ok(export)
    }

    /// What the first line announces and the others do not have.
    fn announced(&self) -> Option<Finding> {
        for (stream, places) in &self.places {
            let (said, found) = (self.head(stream).seq, places.len() as u64);
            if said == 0 || said != found {
                let reason = format!("the first line says that {said} records come, {found} do");
                return Some(Finding::new(stream, said.min(found).saturating_add(1), reason));
            }
        }
        let mut rulebooks = self.header.rulebooks.iter();
        let other = rulebooks.find(|text| Hash::of(text.text.as_bytes()) != text.hash)?;
        let reason = format!("rulebook {} is not the text its hash is of", other.file);
        Some(Finding::new(Stream::Table(self.header.table), 0, reason))
    }

    /// The table.
    pub fn table(&self) -> TableId {
        self.header.table
    }

    /// The meters that come along.
    pub fn meters(&self) -> impl Iterator<Item = &MeterId> {
        self.header.meters.iter().map(|line| &line.meter)
    }

    /// The rulebooks it brings.
    pub fn rulebooks(&self) -> &[RulebookText] {
        &self.header.rulebooks
    }

    pub(super) fn rulebook(&self, hash: Hash) -> Option<&RulebookText> {
        self.header.rulebooks.iter().find(|text| text.hash == hash)
    }

    pub(super) fn streams(&self) -> Vec<Stream> {
        self.places.keys().cloned().collect()
    }

    /// What the file itself shows to be wrong, whatever its records say.
    pub(super) fn fault(&self) -> Option<&Finding> {
        self.fault.as_ref()
    }

    pub(super) fn head(&self, stream: &Stream) -> Head {
        let mut meters = self.header.meters.iter();
        match stream {
            Stream::Table(table) if *table == self.header.table => self.header.head,
            Stream::Meter(meter) => {
                meters.find(|line| line.meter == *meter).map_or(Head::default(), |line| line.head)
            }
            _ => Head::default(),
        }
    }

    pub(super) fn records(&self, stream: &Stream, after: u64, limit: u32) -> Stored<Vec<Record>> {
        let places = self.places.get(stream).map_or(&[][..], Vec::as_slice);
        let after = usize::try_from(after).unwrap_or(usize::MAX).min(places.len());
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut records = Vec::new();
        for place in places[after..].iter().take(limit as usize) {
            let down = |error: std::io::Error| StoreError::Down(error.to_string());
            // The next line mostly follows the last: a relative seek keeps what is buffered.
            let here = lines.stream_position().map_err(down)?;
            lines.seek_relative(place.cast_signed() - here.cast_signed()).map_err(down)?;
            let mut line = Vec::new();
            lines.read_until(b'\n', &mut line).map_err(down)?;
            let line: Result<Line, _> = serde_json::from_slice(&line);
            let line = line.map_err(|error| StoreError::Damaged(error.to_string()))?;
            records.push(line.record());
        }
        Ok(records)
    }
}

/// A file gone through once, to find the records and to see whether it is whole.
struct Scan {
    lines: Reader,
    place: u64,
    sha: Sha256,
}

impl Scan {
    fn line(&mut self) -> Result<Vec<u8>, Trouble> {
        let mut line = Vec::new();
        let read = self.lines.by_ref().take(LINE).read_until(b'\n', &mut line);
        let read = read.map_err(|error| Trouble::File(format!("cannot be read: {error}")))? as u64;
        if read == LINE {
            return Err(Trouble::File("it is not an export: a line of it never ends".to_owned()));
        }
        self.place += read;
        Ok(line)
    }

    /// Finds every record; where the file ends too early or is not what it was, says so.
    fn records(
        &mut self,
        header: &Header,
        places: &mut BTreeMap<Stream, Vec<u64>>,
    ) -> Result<Option<Finding>, Trouble> {
        let mut last = (Stream::Table(header.table), 0);
        let mut count = 0;
        loop {
            let place = self.place;
            let line = self.line()?;
            let fault = |reason: &str| Some(Finding::new(&last.0, last.1 + 1, reason));
            if line.is_empty() {
                return Ok(fault("the file ends here without its last line, it was cut short"));
            }
            if let Ok(Closing { end }) = serde_json::from_slice(&line) {
                let whole = end.records == count && end.sha256.0 == *self.sha.clone().finalize();
                let changed =
                    "the file ends here, and is not the one its last line was written for";
                let more = !self.line()?.is_empty();
                return Ok((!whole || more).then(|| fault(changed)).flatten());
            }
            let Ok(record) = serde_json::from_slice(&line).map(Line::record) else {
                return Ok(fault("the line it ought to stand on is no record"));
            };
            let Some(found) = places.get_mut(&record.stream) else {
                return Ok(fault("the line after it belongs to a log that is not announced"));
            };
            found.push(place);
            self.sha.update(&line);
            count += 1;
            last = (record.stream, record.seq);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Export;

    #[test]
    fn what_is_no_export_is_refused() {
        for text in ["", "\n", "seat ann 100\n", "{}\n", "SQLite format 3\0"] {
            let refused = Export::of(text.as_bytes().to_vec());
            let reason = refused.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(reason.starts_with("it is not an export"), "{text}: {reason}");
        }
    }
}
