//! What a meter showed in the past: its log, read up to what a table told it.

use craps::meter::{MeterEvent, TableClaim};
use craps::{Cents, ClaimId, Seat};

use crate::id::{MeterId, TableId};
use crate::log::{Head, KeptMeter, MeterEntry, Stream, Tell};
use crate::store::walk::Walk;
use crate::store::{Store, Stored};

/// A meter as it stood when it had heard everything that a table had said before a record, and
/// nothing that it said from there on; none where there is no such meter.
pub(crate) async fn before(
    store: &dyn Store,
    meter: &MeterId,
    table: TableId,
    record: u64,
) -> Stored<Option<KeptMeter>> {
    let mut walk = Walk::after(store, Stream::Meter(meter.clone()), Head::default());
    let mut kept: Option<KeptMeter> = None;
    loop {
        let entries = walk.entries(500).await?;
        if entries.is_empty() {
            return Ok(kept);
        }
        for (place, entry) in entries {
            match (&entry.what, &mut kept) {
                (MeterEntry::Opened { paytable, terms, practice }, _) => {
                    kept = Some(KeptMeter::open(meter.clone(), paytable, *terms, *practice));
                }
                (MeterEntry::Heard { heard }, Some(kept)) => {
                    for heard in heard {
                        if heard.table == table && heard.seq >= record {
                            return Ok(Some(kept.clone()));
                        }
                        kept.take_in(place.seq, heard);
                    }
                }
                (_, Some(kept)) => kept.evolve(place.seq, &entry),
                (_, None) => {}
            }
        }
        // Play goes first.
        tokio::task::yield_now().await;
    }
}

impl KeptMeter {
    /// What the meter would pay these winners of a table if it were claimed as it stands; nothing
    /// where it cannot be claimed.
    pub(crate) fn would_award(
        &self,
        table: TableId,
        winners: &[(Seat, u32)],
    ) -> Option<Vec<(Seat, Cents)>> {
        let claim = TableClaim { table: table.0, id: ClaimId(u64::MAX) };
        let tell = Tell::Won { claim, winners: winners.to_vec() };
        let heard = self.hear(table, u64::MAX, &[tell]).ok()?;
        heard.events.into_iter().find_map(|event| match event {
            MeterEvent::Awarded(award) => Some(award.shares),
            _ => None,
        })
    }
}
