//! Pits: the tables of a house in fixed groups. Whoever runs a pit runs all of its tables, and no
//! table is run from two places.

use std::fmt;

use crate::hash::Hash;
use crate::id::TableId;
use crate::log::Stream;

/// One of the groups. A log is in one of them for ever, by its name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pit(pub u16);

impl Pit {
    /// So many there are, however many nodes share them.
    pub const COUNT: usize = 1_024;

    /// The pit of a log. A table's own meter is in the pit of its table.
    pub fn of(stream: &Stream) -> Pit {
        let name = match stream {
            Stream::Meter(meter) => match own_table(meter.as_str()) {
                Some(table) => Stream::Table(table).to_string(),
                None => stream.to_string(),
            },
            _ => stream.to_string(),
        };
        let Hash([first, second, ..]) = Hash::of(name.as_bytes());
        Pit(u16::from_be_bytes([first, second]) % Pit::COUNT as u16)
    }

    /// Its place in a list of all.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Pit> {
        (0..Pit::COUNT as u16).map(Pit)
    }
}

impl fmt::Display for Pit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The table that a meter is named after.
fn own_table(meter: &str) -> Option<TableId> {
    let (table, _) = meter.split_once('-')?;
    table.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::MeterId;

    #[test]
    fn a_tables_own_meter_is_in_its_pit_and_logs_spread_over_all() {
        let mut found = [0; Pit::COUNT];
        for number in 0..20_000 {
            let table = TableId(number * 77_777);
            let pit = Pit::of(&Stream::Table(table));
            let meter = MeterId::local(table, "PT-BJS-MEA-03");
            assert_eq!(Pit::of(&Stream::Meter(meter)), pit);
            found[pit.index()] += 1;
        }
        assert!(found.iter().all(|count| (2..60).contains(count)), "{found:?}");
    }

    /// Which pit a log is in is written down in stores: it never changes.
    #[test]
    fn a_log_stays_in_its_pit() {
        let pit = |name: &str| Pit::of(&name.parse().unwrap()).0;
        assert_eq!(
            [pit("house"), pit("table/0000017"), pit("meter/downtown"), pit("meter/0000017-x")],
            [738, 991, 459, 991]
        );
    }
}
